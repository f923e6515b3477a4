"""The directed multigraph of a process as a picture: stages as nodes, transitions as labelled arrows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch
from numpy.typing import NDArray

from sympact.show.arrows import arc, clip, loop

if TYPE_CHECKING:
    import networkx

LETTER_WIDTH = 0.095
"""Room for a letter, in the units of the drawing: one unit is an inch."""

NODE_HEIGHT, GAP = 0.6, 0.9
"""Height of a stage, and the least room for arrows between two stages."""

BEND, NEXT_BEND = 0.3, 0.5
"""How far the first arrow between two stages bends to its left, and how much farther each further one does."""

LOOP_SIZE, NEXT_LOOP = 1.1, 1.0
"""How far a self-transition reaches from its stage, and the angle (rad) between two of them."""

COLOUR, NODE_COLOUR = "0.25", "#dbe9f6"
LABEL = {
    "ha": "center",
    "va": "center",
    "fontsize": "small",
    "zorder": 5,
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1.0},
}


def draw_graph(graph: networkx.MultiDiGraph, *, title: str | None = None) -> Figure:
    """Draw the stages of a process and the transitions between them.

    Every transition is an arrow with its name, also where several lead from one stage to the same other one, or back
    to itself. A dashed arrow leaves the state as it is. The same graph always gives the same picture.

    Parameters
    ----------
    graph : networkx.MultiDiGraph
        Its edges carry a ``name`` and a ``jump``, None for none, as `HybridSystem.graph` makes them.
    title : str, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: -0.5 * x, name="floor")
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    >>> [text.get_text() for text in draw_graph(ball.graph).axes[0].texts]
    ['up', 'floor']
    """
    stages = [str(stage) for stage in graph]
    edges = [(str(source), str(target), data) for source, target, data in graph.edges(data=True)]
    half = np.array([0.2 + LETTER_WIDTH / 2 * max(map(len, stages)), NODE_HEIGHT / 2])
    longest = max([len(data["name"]) for *_, data in edges], default=0)
    places = _places(stages, 2 * half[0] + GAP + LETTER_WIDTH * longest)
    figure = Figure(layout="constrained")
    axes = figure.add_subplot()
    for stage, place in places.items():
        axes.add_patch(Ellipse(place, *(2 * half), facecolor=NODE_COLOUR, edgecolor=COLOUR, zorder=3))
        axes.text(*place, stage, ha="center", va="center", zorder=4)
    ends = [(source, target) for source, target, _ in edges]
    for curve, (source, target, data) in zip(_curves(ends, places), edges, strict=True):
        _draw_arrow(axes, clip(curve, places[source], places[target], half), data["jump"] is None)
        axes.text(*curve[len(curve) // 2], data["name"], **LABEL)
    _frame(axes, LETTER_WIDTH * longest / 2)
    if title is not None:
        figure.suptitle(title)
    return figure


def _places(stages: Sequence[str], distance: float) -> dict[str, NDArray]:
    """Places of the stages, `distance` apart: side by side, or on a circle that starts at the top."""
    count = len(stages)
    if count < 3:
        return {stage: np.array([index * distance, 0.0]) for index, stage in enumerate(stages)}
    radius = distance / (2 * sin(pi / count))
    angles = [pi / 2 - 2 * pi * index / count for index in range(count)]
    return {stage: radius * np.array([cos(angle), sin(angle)]) for stage, angle in zip(stages, angles, strict=True)}


def _curves(ends: Sequence[tuple[str, str]], places: dict[str, NDArray]) -> list[NDArray]:
    """One curve for each pair of ends, from centre to centre; no two of them lie on each other."""
    centre = np.mean(list(places.values()), axis=0)
    total, drawn = Counter(ends), Counter()
    curves = []
    for source, target in ends:
        rank = drawn[source, target]
        drawn[source, target] += 1
        if source == target:
            outward = places[source] - centre
            angle = atan2(outward[1], outward[0]) if outward.any() else pi / 2
            side = rank - (total[source, target] - 1) / 2
            curves.append(loop(places[source], angle + side * NEXT_LOOP, LOOP_SIZE))
        else:
            curves.append(arc(places[source], places[target], BEND + rank * NEXT_BEND))
    return curves


def _draw_arrow(axes: Axes, curve: NDArray, dashed: bool) -> None:
    """A line along the curve with its head at the end."""
    axes.plot(*curve[:-1].T, color=COLOUR, linewidth=1.1, linestyle="--" if dashed else "-")
    head = {"arrowstyle": "-|>", "mutation_scale": 12, "color": COLOUR, "shrinkA": 0, "shrinkB": 0}
    axes.add_patch(FancyArrowPatch(curve[-3], curve[-1], **head))


def _frame(axes: Axes, margin: float) -> None:
    """Fit the axes around the drawing, with room for labels at its rim, one unit to an inch."""
    room = np.array([margin, 0.2])
    low, high = axes.dataLim.min - room, axes.dataLim.max + room
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set_axis_off()
    axes.figure.set_size_inches(high - low + 0.3)
