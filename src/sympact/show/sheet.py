"""The page a run is drawn on: columns of panels, each under its ribbon of stages and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from sympact.show import ribbon
from sympact.show.curves import Stretch
from sympact.show.palette import KIND_COLOURS

ROWS = 6
"""Rows of panels at most; with more states a panel holds several curves."""

CURVES_WITH_DOTS, EVENTS_WITH_DOTS = 3, 60
"""Both sides of every jump carry a dot in panels of at most so many curves and runs of at most so many events."""

SINGLE_LINES = 300
"""With more events their lines are one artist."""

VISIBLE_JUMP = 0.005
"""The smallest jump that is marked, as a part of the range of its curve."""

NAMED_GAPS = 20
"""With more gaps their names would need more room than their curves."""

GAPS_HEIGHT, PANEL_HEIGHT, MARGIN = 1.9, 1.15, 0.6
"""Heights in inches."""

COLOURS = colormaps["tab10"].colors
EVENT_LINE = {"color": "0.82", "linewidth": 0.7, "zorder": 0}
ACCUMULATION_LINE = {"color": KIND_COLOURS["accumulation"], "linewidth": 0.9, "linestyle": ":", "zorder": 0}
ENTRY_LETTER, ENTRY_HEIGHT = 0.055, 0.16
"""Inches that a letter and a line of a legend need."""
LEGEND = {"fontsize": "x-small", "frameon": False, "handlelength": 1.3, "columnspacing": 1.0}


@dataclass(frozen=True)
class Curves:
    """Curves over one time, with both sides of their jumps.

    Parameters
    ----------
    labels : sequence of str, length n
    t : ndarray, shape (k,)
    values : ndarray, shape (n, k)
        With NaN where a curve is interrupted.
    before, after : ndarray, shape (n, n_events)
        The values on both sides of every event.
    """

    labels: Sequence[str]
    t: NDArray
    values: NDArray
    before: NDArray
    after: NDArray


@dataclass(frozen=True)
class Timing:
    """The stages and events that every panel shows, and the labels they share.

    Parameters
    ----------
    stretches : sequence of Stretch
        From the first to the last time of the run.
    events : sequence of float
        The times of the events.
    kinds : sequence of str
        What each of them was, by the words of `EventKind`.
    label, gaps_label : str
        The labels of the axes of time and of the gaps.
    """

    stretches: Sequence[Stretch]
    events: Sequence[float]
    kinds: Sequence[str]
    label: str
    gaps_label: str


def draw_sheet(timing: Timing, states: Curves, gaps: Curves | None, width: float) -> Figure:
    """Draw the gaps, where there are any, above the states in small panels.

    Four states or more fill two columns, so that coordinates stand left of their speeds.
    """
    columns = divide(len(states.labels))
    rows = max(map(len, columns))
    entries, across = _legend(timing, width, len(columns))
    heights = [ribbon.HEIGHT + PANEL_HEIGHT * rows + MARGIN + ENTRY_HEIGHT * -(-len(entries) // across)]
    if gaps is not None:
        heights.insert(0, ribbon.HEIGHT + GAPS_HEIGHT + MARGIN)
    figure = Figure(figsize=(width, sum(heights)), layout="constrained")
    blocks = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    if gaps is not None:
        _draw_gaps(blocks[0], timing, gaps, width)
    grid = blocks[-1].add_gridspec(rows + 1, len(columns), height_ratios=[ribbon.HEIGHT, *[PANEL_HEIGHT] * rows])
    for place, column in enumerate(columns):
        top = blocks[-1].add_subplot(grid[0, place])
        ribbon.draw_ribbon(top, timing.stretches, timing.events, timing.kinds, width / len(columns))
        panels = [blocks[-1].add_subplot(grid[row + 1, place]) for row in range(len(column))]
        for panel, members in zip(panels, column, strict=True):
            _draw_states(panel, timing, states, members)
            panel.tick_params(labelbottom=panel is panels[-1])
        panels[-1].set_xlabel(timing.label)
        blocks[-1].align_ylabels(panels)
    if entries:
        blocks[-1].legend(handles=entries, loc="outside lower center", ncols=across, **LEGEND)
    return figure


def _legend(timing: Timing, width: float, columns: int) -> tuple[list[Artist], int]:
    """The entries of the legend below all panels, and how many stand side by side."""
    entries = ribbon.key(timing.stretches, timing.kinds, width / columns)
    longest = max((len(entry.get_label()) for entry in entries), default=0)
    return entries, max(1, min(4, int(width / (0.5 + ENTRY_LETTER * longest))))


def divide(count: int) -> list[list[range]]:
    """Divide `count` states into columns of panels; each panel is a range of states.

    Examples
    --------
    >>> divide(3)
    [[range(0, 1), range(1, 2), range(2, 3)]]
    >>> divide(4)
    [[range(0, 1), range(1, 2)], [range(2, 3), range(3, 4)]]
    >>> [len(panel) for panel in divide(40)[0]]
    [4, 4, 4, 4, 4]
    """
    columns = 1 if count < 4 else 2
    in_column = -(-count // columns)
    in_panel = -(-in_column // ROWS)
    starts = [range(first, min(first + in_column, count), in_panel) for first in range(0, count, in_column)]
    ends = [min(column.start + in_column, count) for column in starts]
    return [
        [range(start, min(start + in_panel, end)) for start in column] for column, end in zip(starts, ends, strict=True)
    ]


def _draw_gaps(block: SubFigure, timing: Timing, gaps: Curves, width: float) -> None:
    """All gaps in one panel over the zero at which they close."""
    top, panel = block.subplots(2, 1, height_ratios=[ribbon.HEIGHT, GAPS_HEIGHT])
    ribbon.draw_ribbon(top, timing.stretches, timing.events, timing.kinds, width)
    panel.axhline(0, color="0.2", linewidth=1)
    _draw_curves(panel, timing, gaps, range(len(gaps.labels)))
    panel.set(xlabel=timing.label, ylabel=timing.gaps_label)
    if len(gaps.labels) <= NAMED_GAPS:
        panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), ncols=1 + len(gaps.labels) // 12, **LEGEND)


def _draw_states(panel: Axes, timing: Timing, states: Curves, members: range) -> None:
    """Some states in one panel, named at its axis or, if there are several, in a legend."""
    _draw_curves(panel, timing, states, members)
    if len(members) == 1:
        panel.set_ylabel(states.labels[members[0]])
    else:
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 0.95), ncols=len(members), **LEGEND)


def _draw_curves(panel: Axes, timing: Timing, curves: Curves, members: range) -> None:
    draw_event_lines(panel, timing)
    for rank, index in enumerate(members):
        style = {"color": COLOURS[rank % len(COLOURS)], "linestyle": "-" if rank < len(COLOURS) else "--"}
        if curves.t.size == 1:
            style["marker"] = "."
        panel.plot(curves.t, curves.values[index], linewidth=1.1, label=curves.labels[index], **style)
        if len(members) <= CURVES_WITH_DOTS and len(timing.events) <= EVENTS_WITH_DOTS:
            _draw_jumps(panel, np.asarray(timing.events), curves, index)
    panel.set_xlim(timing.stretches[0].begin, timing.stretches[-1].end)
    panel.tick_params(labelsize="small")
    panel.margins(y=0.08)
    panel.spines[["top", "right"]].set_visible(False)


def draw_event_lines(panel: Axes, timing: Timing) -> None:
    """A line across the panel for every event; thousands of them as one artist, which is a hundred times quicker."""
    dying = np.array([kind == "accumulation" for kind in timing.kinds], dtype=bool)
    if len(timing.events) <= SINGLE_LINES:
        for time, accumulates in zip(timing.events, dying, strict=True):
            panel.axvline(time, **(ACCUMULATION_LINE if accumulates else EVENT_LINE))
        return
    for chosen, style in [(~dying, EVENT_LINE), (dying, ACCUMULATION_LINE)]:
        if chosen.any():
            panel.vlines(np.asarray(timing.events)[chosen], 0, 1, transform=panel.get_xaxis_transform(), **style)


def _draw_jumps(panel: Axes, times: NDArray, curves: Curves, index: int) -> None:
    """Both sides of the jumps that can be seen: hollow before, full after."""
    before, after = curves.before[index], curves.after[index]
    seen = np.abs(after - before) > VISIBLE_JUMP * np.ptp(curves.values[index][np.isfinite(curves.values[index])])
    style = {"marker": "o", "linestyle": "none", "color": "0.2", "markersize": 2.8, "markeredgewidth": 0.7}
    panel.plot(times[seen], before[seen], markerfacecolor="white", **style)
    panel.plot(times[seen], after[seen], **style)
