"""Panels of curves over time: states, gaps and forces, broken at jumps, with both sides of each jump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from numpy.typing import NDArray

from sympact.show.plots import ribbon
from sympact.show.plots.sheet import LEGEND, MARGIN, Strip, draw_columns
from sympact.show.plots.timing import Timing, finish_panel

ROWS = 6
"""Most rows of panels of states; with more states a panel has several curves."""

CURVES_WITH_DOTS, EVENTS_WITH_DOTS = 3, 60
"""Both sides of every jump have a dot in panels of at most so many curves and runs of at most so many events."""

VISIBLE_JUMP = 0.005
"""The smallest jump that is marked, as a part of the range of its curve."""

ROUNDING = 1e-9
"""The range of a curve that is constant but for rounding, as a part of its size."""

NAMED_CONTACTS = 20
"""With more contacts their names would need more room than their curves."""

CONTACTS_HEIGHT, STATE_HEIGHT = 1.9, 1.15
"""Heights in inches."""

LONGEST_LABEL = 12
"""Characters that fit beside a panel of a state; of a longer label the unit is in a second line."""

COLOURS = colormaps["tab10"].colors


@dataclass(frozen=True)
class Curves:
    """Curves over one time, with both sides of their jumps.

    Parameters
    ----------
    names, units : sequence of str, length n
        A unit may be empty.
    t : ndarray, shape (k,)
    values : ndarray, shape (n, k)
        With NaN where a curve is interrupted.
    before, after : ndarray, shape (n, n_events)
        The values on both sides of every event.
    """

    names: Sequence[str]
    units: Sequence[str]
    t: NDArray
    values: NDArray
    before: NDArray
    after: NDArray


@dataclass(frozen=True)
class Columns:
    """Many states in two columns, so that coordinates are left of their speeds."""

    columns: Sequence[Sequence[Strip]]

    @property
    def height(self) -> float:
        """In inches."""
        return ribbon.HEIGHT + STATE_HEIGHT * max(map(len, self.columns)) + MARGIN

    @property
    def ribbons(self) -> int:
        """One over each column."""
        return len(self.columns)

    @property
    def strips(self) -> Sequence[Strip]:
        """Those of all columns, one column after the other."""
        return [strip for column in self.columns for strip in column]

    def draw(self, page: SubFigure, timing: Timing, width: float) -> None:
        """Draw each column below its ribbon."""
        draw_columns(page, timing, self.columns, width)


def state_parts(curves: Curves) -> Sequence[Strip | Columns]:
    """The panels of the states: up to three below each other, more of them in two columns."""
    columns = [
        [Strip(STATE_HEIGHT, partial(_draw_states, curves, members)) for members in column]
        for column in divide(curves.units)
    ]
    return columns[0] if len(columns) == 1 else [Columns(columns)]


def contact_strip(curves: Curves, label: str, wider: float = 0.0) -> Strip:
    """A panel with one curve for each contact over the line at zero; earlier curves are `wider` than later ones."""
    return Strip(CONTACTS_HEIGHT, partial(_draw_contacts, curves, label, wider))


def divide(units: Sequence[str]) -> list[list[range]]:
    """Divide states into columns of panels; each panel is a range of states of one unit, as far as the rows suffice.

    Examples
    --------
    >>> divide(["", "", ""])
    [[range(0, 1), range(1, 2), range(2, 3)]]
    >>> divide(["m", "rad", "m/s", "rad/s"])
    [[range(0, 1), range(1, 2)], [range(2, 3), range(3, 4)]]
    >>> divide(["m"] * 3 + [""] * 5 + ["m/s"] * 8)[0]
    [range(0, 2), range(2, 3), range(3, 5), range(5, 6), range(6, 7), range(7, 8)]
    >>> [len(panel) for panel in divide([""] * 40)[0]]
    [4, 4, 3, 3, 3, 3]
    """
    count = len(units)
    in_column = count if count < 4 else -(-count // 2)
    return [_panels(range(first, min(first + in_column, count)), [*units]) for first in range(0, count, in_column)]


def _panels(column: range, units: Sequence[str]) -> list[range]:
    """The panels of one column: runs of states of one unit, the longest of them in several panels."""
    starts = [k for k in column if k == column.start or units[k] != units[k - 1]]
    if len(starts) > ROWS:
        starts = [column.start]
    runs = [range(first, after) for first, after in zip(starts, [*starts[1:], column.stop], strict=True)]
    parts = [1] * len(runs)
    while sum(parts) < min(ROWS, len(column)):
        fullest = max(range(len(runs)), key=lambda k: len(runs[k]) / parts[k])
        parts[fullest] += 1
    return [
        range(int(piece[0]), int(piece[-1]) + 1)
        for run, number in zip(runs, parts, strict=True)
        for piece in np.array_split(run, number)
    ]


def _draw_states(curves: Curves, members: range, panel: Axes, timing: Timing, width: float) -> None:
    """Some states in one panel, named at its axis or, if there are several, in a legend."""
    names, units = [curves.names[k] for k in members], [curves.units[k] for k in members]
    if len(members) == 1:
        label = labelled(names[0], units[0])
        panel.set_ylabel(label if len(label) <= LONGEST_LABEL else label.replace(" (", "\n(", 1))
    elif len(set(units)) == 1:
        panel.set_ylabel(units[0])
    else:
        names = [labelled(name, unit) for name, unit in zip(names, units, strict=True)]
    _draw_curves(panel, timing, curves, members, names, width)
    if len(members) > 1:
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 0.95), ncols=len(members), **LEGEND)


def _draw_contacts(curves: Curves, label: str, wider: float, panel: Axes, timing: Timing, width: float) -> None:
    finish_panel(panel, timing, width)
    panel.axhline(0, color="0.2", linewidth=1)
    drawn = np.flatnonzero(np.isfinite(curves.values).any(axis=1))
    for place, k in enumerate(drawn):
        thickness = line_width(timing) + wider * min(len(drawn) - 1 - place, 5)
        marker = {"marker": "."} if curves.t.size == 1 else {}
        style = {**curve_style(k), **marker}
        panel.plot(curves.t, curves.values[k], linewidth=thickness, label=curves.names[k], **style)
    panel.margins(y=0.08)
    panel.set_ylabel(label)
    name_contacts(panel, len(drawn))


def name_contacts(panel: Axes, count: int) -> None:
    """A legend of contacts beside their panel, unless there are too many."""
    if 0 < count <= NAMED_CONTACTS:
        panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), ncols=1 + count // 12, **LEGEND)


def curve_style(rank: int) -> dict:
    """The style of a curve, the same for a contact in all panels.

    >>> curve_style(0)["linestyle"], curve_style(10)["linestyle"]
    ('-', '--')
    """
    return {"color": COLOURS[rank % len(COLOURS)], "linestyle": "-" if rank < len(COLOURS) else "--"}


def line_width(timing: Timing) -> float:
    """The width of a curve: thinner where many events fold it closely."""
    return 1.1 if len(timing.events) <= EVENTS_WITH_DOTS else 0.7


def _draw_curves(
    panel: Axes, timing: Timing, curves: Curves, members: range, names: Sequence[str], width: float
) -> None:
    finish_panel(panel, timing, width)
    for rank, (index, name) in enumerate(zip(members, names, strict=True)):
        marker = {"marker": "."} if curves.t.size == 1 else {}
        style = {**curve_style(rank), **marker}
        panel.plot(curves.t, curves.values[index], linewidth=line_width(timing), label=name, **style)
        if len(members) <= CURVES_WITH_DOTS and len(timing.events) <= EVENTS_WITH_DOTS:
            _draw_jumps(panel, np.asarray(timing.events), curves, index)
    panel.margins(y=0.08)


def _draw_jumps(panel: Axes, times: NDArray, curves: Curves, index: int) -> None:
    """Both sides of the visible jumps: hollow before, full after."""
    before, after = curves.before[index], curves.after[index]
    seen = np.abs(after - before) > VISIBLE_JUMP * extent(curves.values[index])
    style = {"marker": "o", "linestyle": "none", "color": "0.2", "markersize": 2.8, "markeredgewidth": 0.7}
    panel.plot(times[seen], before[seen], markerfacecolor="white", **style)
    panel.plot(times[seen], after[seen], **style)


def extent(values: NDArray) -> float:
    """The range of a curve, NaN left out; of a constant one, which rounding moves, a part of its size.

    >>> extent(np.array([1.0, np.nan, 3.0])), extent(np.array([1.0, 1.0]))
    (2.0, 1e-09)
    """
    finite = values[np.isfinite(values)]
    return float(max(np.ptp(finite), ROUNDING * np.abs(finite).max())) if finite.size else 0.0


def labelled(name: str, unit: str) -> str:
    """A name with its unit, where it has one.

    >>> labelled("z", "m"), labelled("e_0", "")
    ('z (m)', 'e_0')
    """
    return f"{name} ({unit})" if unit else name
