"""Phase portraits: a coordinate against its speed, with every jump as an arrow from one side to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import SubFigure
from matplotlib.patches import FancyArrowPatch
from numpy.typing import NDArray

from sympact.show.plots.drawn import Drawn
from sympact.show.plots.panels import EVENTS_WITH_DOTS, VISIBLE_JUMP, extent, labelled, line_width
from sympact.show.plots.ribbon import kind_colours
from sympact.show.plots.sheet import Strip
from sympact.show.plots.timing import Timing

__all__ = ["phase_parts"]

ACROSS, HEIGHT = 3, 2.7
"""Most portraits side by side, and the height of a row of them (inches)."""

CURVE, START = "#1f77b4", "0.15"
LONG_JUMP = 0.06
"""The smallest jump with an arrow, as a part of the range of a curve."""

BOW = 0.12
"""The height of the arc of an arrow, as a part of its length, so that those along one line are distinct."""


@dataclass(frozen=True, eq=False)
class Portrait:
    """One state against another.

    Parameters
    ----------
    labels : pair of str
        Of both axes.
    curve : ndarray, shape (2, k)
        With NaN where it is interrupted.
    before, after : ndarray, shape (2, n_events)
    """

    labels: tuple[str, str]
    curve: NDArray
    before: NDArray
    after: NDArray


@dataclass(frozen=True, eq=False)
class Portraits:
    """Some phase portraits, in rows."""

    members: Sequence[Portrait]

    @property
    def height(self) -> float:
        """In inches."""
        return HEIGHT * -(-len(self.members) // ACROSS) + 0.3

    @property
    def ribbons(self) -> int:
        """None: time is not an axis."""
        return 0

    @property
    def strips(self) -> Sequence[Strip]:
        """None."""
        return ()

    def draw(self, page: SubFigure, timing: Timing, width: float) -> None:
        """Draw each in its own axes."""
        across = min(len(self.members), ACROSS)
        panels = page.subplots(-(-len(self.members) // across), across, squeeze=False).ravel()
        for panel, portrait in zip(panels, self.members, strict=False):
            _draw_portrait(panel, portrait, timing)
        for panel in panels[len(self.members) :]:
            panel.set_visible(False)


def phase_parts(drawn: Drawn) -> list[Portraits]:
    """The requested portraits, else those of the model."""
    names, (_, x, _), (before, after) = drawn.result.state_names, drawn.curves, drawn.sides
    pairs = drawn.facts.pairs if drawn.pairs is None else drawn.pairs
    if not pairs and len(names) == 2:
        pairs = [(names[0], names[1])]
    if not pairs:
        cure = f"name them, such as phase=[({names[0]!r}, {names[-1]!r})]"
        raise drawn.lacks("phase", "known pairs of a state and its rate", cure)
    rows = [[names.index(name) for name in pair] for pair in pairs]

    def label(k: int) -> str:
        return labelled(names[k], drawn.units.get(names[k], ""))

    members = [Portrait((label(row[0]), label(row[1])), x[row], before[row], after[row]) for row in rows]
    return [Portraits(members)]


def _draw_portrait(panel: Axes, portrait: Portrait, timing: Timing) -> None:
    x, y = portrait.curve
    panel.plot(x, y, color=CURVE, linewidth=line_width(timing), zorder=2)
    panel.plot(x[:1], y[:1], marker="s", color=START, markersize=4, zorder=4)
    panel.margins(0.08)
    _draw_jumps(panel, portrait, timing)
    panel.set(xlabel=portrait.labels[0], ylabel=portrait.labels[1])
    panel.tick_params(labelsize="small")
    panel.spines[["top", "right"]].set_visible(False)


def _draw_jumps(panel: Axes, portrait: Portrait, timing: Timing) -> None:
    """Dashed lines from a hollow dot before to a full dot after each jump; arrows where they are long and few."""
    size = np.array([[extent(values)] for values in portrait.curve])
    steps = (np.abs(portrait.after - portrait.before) / np.where(size > 0, size, 1.0)).max(axis=0, initial=0.0)
    colours = kind_colours(timing.kinds)
    seen, few = np.flatnonzero(steps > VISIBLE_JUMP), (steps > VISIBLE_JUMP).sum() <= EVENTS_WITH_DOTS
    long = [k for k in seen if few and steps[k] > LONG_JUMP]
    short = [k for k in seen if k not in long]
    bent = {"connectionstyle": f"arc3,rad={BOW}", "arrowstyle": "-|>", "mutation_scale": 8, "zorder": 3}
    for k in long:
        style = {"color": colours[timing.kinds[k]], "linestyle": (0, (4, 2)), "linewidth": 0.9, "shrinkA": 2}
        ends = {"posA": tuple(portrait.before[:, k]), "posB": tuple(portrait.after[:, k])}
        panel.add_patch(FancyArrowPatch(**ends, **bent, **style, shrinkB=2))
    lines = np.stack([portrait.before[:, short].T, portrait.after[:, short].T], axis=1)
    dashed = {"linestyles": "--", "linewidths": 0.6, "alpha": 0.6}
    panel.add_collection(LineCollection(lines, colors=[colours[timing.kinds[k]] for k in short], **dashed))
    for members, dot in [(long, 2.8), (short, 1.5)]:
        dots = {"marker": "o", "linestyle": "none", "color": "0.2", "markersize": dot, "zorder": 4}
        panel.plot(*portrait.before[:, members], markerfacecolor="white", markeredgewidth=dot / 4, **dots)
        panel.plot(*portrait.after[:, members], markeredgewidth=0, **dots)
