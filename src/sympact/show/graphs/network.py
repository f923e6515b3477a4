"""The directed multigraph of a process as a picture: stages as nodes, transitions as labelled arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import pi, sin
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch, Rectangle
from numpy.typing import NDArray

from sympact.integrate.trajectory.about import Formula
from sympact.show.graphs.arrows import clip
from sympact.show.graphs.labels import BETWEEN, Label, fits, formula_lines, named
from sympact.show.graphs.routes import APART, label_places, routes
from sympact.show.kit.picture import Picture

if TYPE_CHECKING:
    import networkx

NO_FORMULAS: Mapping[str, Formula] = MappingProxyType({})

WIDEST, MOST_LINES = 3.0, 4
"""Inches and lines of formulas at their arrow or in their stage; longer ones are printed below the graph."""

GAP, LOOP, MARGIN = 0.9, 0.7, 0.25
"""The least room for arrows between two stages, how far a loop reaches beyond its stage, and the margin (inches)."""

GROWTH, TRIALS = 1.15, 12
"""Where labels overlap, the distances grow by this factor, so many times at most."""

NOTES_WIDTH = 7.5
"""Inches of the widest formula below the graph."""

COLOUR, NODE_COLOUR = "0.25", "#dbe9f6"


@dataclass(frozen=True)
class _Layout:
    """The positions of all parts (inches)."""

    places: NDArray
    half: NDArray
    curves: Sequence[NDArray]
    spots: Sequence[NDArray]


def draw_graph(
    graph: networkx.MultiDiGraph,
    *,
    flows: Mapping[str, Formula] = NO_FORMULAS,
    transitions: Mapping[str, Formula] = NO_FORMULAS,
    notes: Sequence[Formula] = (),
    title: str | None = None,
) -> Figure:
    """Draw the stages of a process and the transitions between them.

    Every transition is an arrow with its name, also where several lead from one stage to the same other one, or back to
    itself, and with its boundary and its jump. A dashed arrow does not change the state. Formulas that would be too
    long in their place are printed below the graph, behind the name of their stage or transition, and are cut where
    they are wider than the page. The same graph always gives the same picture.

    Parameters
    ----------
    graph : networkx.MultiDiGraph
        Its edges have a ``name`` and a ``jump``, None for none, as from `HybridSystem.graph`.
    flows, transitions : mapping of str to Formula
        The formulas in a stage and at a transition, by their names; `HybridSystem.draw` and `HybridModel.draw` give
        them.
    notes : sequence of Formula
        Further formulas below the graph, behind their titles.
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
    place_of = {stage: place for place, stage in enumerate(graph)}
    edges = [(place_of[source], place_of[target], of) for source, target, of in graph.edges(data=True)]
    nodes, left_flows = _labels(stages, flows, all_or_none=True)
    arrows, left_transitions = _labels([of["name"] for *_, of in edges], transitions)
    layout = _layout([(a, b) for a, b, _ in edges], nodes, arrows)
    figure = Picture()
    axes = figure.add_axes((0, 0, 1, 1))
    for place, label in zip(layout.places, nodes, strict=True):
        axes.add_patch(Ellipse(place, *(2 * layout.half), facecolor=NODE_COLOUR, edgecolor=COLOUR, zorder=3))
        label.draw(axes, place)
    for curve, (a, b, of) in zip(layout.curves, edges, strict=True):
        _draw_arrow(axes, clip(curve, layout.places[a], layout.places[b], layout.half), of["jump"] is None)
    for label, spot in zip(arrows, layout.spots, strict=True):
        box = label.size + 0.06
        axes.add_patch(Rectangle(spot - box / 2, *box, facecolor="white", edgecolor="none", zorder=4))
        label.draw(axes, spot)
    low, high = _bounds(layout, arrows)
    low, high = draw_notes(axes, [*left_flows, *left_transitions, *notes], low, high)
    fit_page(axes, low, high, title)
    return figure


def _labels(
    names: Sequence[str], formulas: Mapping[str, Formula], all_or_none: bool = False
) -> tuple[list[Label], list[Formula]]:
    """The label of each name with its formula where that is short; and the remaining formulas."""
    known = [formulas.get(name, Formula(name, (), ())) for name in names]
    short = [fits(formula, WIDEST, MOST_LINES) for formula in known]
    if all_or_none and not all(short):
        short = [False] * len(short)
    labels = [
        Label((named(name, bold=True), *(formula_lines(formula, WIDEST) if shown else ())))
        for name, formula, shown in zip(names, known, short, strict=True)
    ]
    left = [formula for formula, shown in zip(known, short, strict=True) if not shown and formula.text]
    return labels, left


def _layout(ends: Sequence[tuple[int, int]], nodes: Sequence[Label], arrows: Sequence[Label]) -> _Layout:
    """Positions and curves in which no label covers another or a stage, the closest that is found."""
    size = np.max([label.size for label in nodes], axis=0)
    half = np.array([0.2 + size[0] / 2, 0.3]) if size[1] < 0.3 else 0.71 * size + [0.08, 0.1]
    sizes = [tuple(label.size + 0.06) for label in arrows]
    widest, tallest = np.max([*sizes, (0.0, 0.0)], axis=0)
    for trial in range(TRIALS):
        growth = GROWTH**trial
        places = _places(len(nodes), (2 * half[0] + GAP + widest) * growth)
        curves = routes(ends, places, half, (half[1] + LOOP) * growth, max(APART, tallest))
        spots = label_places(curves, sizes, places, half)
        layout = _Layout(places, half, curves, spots)
        if not _collides(layout, sizes):
            break
    return layout


def _collides(layout: _Layout, sizes: Sequence[tuple[float, float]]) -> bool:
    """Whether a label covers another one, or a stage."""
    boxes = list(zip(layout.spots, map(np.array, sizes), strict=True))
    pairs = [*combinations(boxes, 2), *((box, (place, 2 * layout.half)) for box in boxes for place in layout.places)]
    return any((np.abs(a - b) < (one + other) / 2).all() for (a, one), (b, other) in pairs)


def _places(count: int, distance: float) -> NDArray:
    """Positions of the stages, `distance` apart, shape (count, 2): side by side, or on a circle that starts at the
    top."""
    if count < 3:
        return np.array([[index * distance, 0.0] for index in range(count)])
    angles = pi / 2 - 2 * pi * np.arange(count) / count
    return distance / (2 * sin(pi / count)) * np.column_stack([np.cos(angles), np.sin(angles)])


def _draw_arrow(axes: Axes, curve: NDArray, dashed: bool) -> None:
    """A line along the curve with its head at the end."""
    axes.plot(*curve[:-1].T, color=COLOUR, linewidth=1.1, linestyle="--" if dashed else "-")
    head = {"arrowstyle": "-|>", "mutation_scale": 12, "color": COLOUR, "shrinkA": 0, "shrinkB": 0}
    axes.add_patch(FancyArrowPatch(curve[-3], curve[-1], **head))


def _bounds(layout: _Layout, arrows: Sequence[Label]) -> tuple[NDArray, NDArray]:
    """The corners of the drawing."""
    corners = [layout.places - layout.half, layout.places + layout.half, *layout.curves]
    for spot, label in zip(layout.spots, arrows, strict=True):
        corners.append(np.array([spot - label.size / 2, spot + label.size / 2]))
    everything = np.concatenate(corners)
    return everything.min(axis=0), everything.max(axis=0)


def draw_notes(axes: Axes, notes: Sequence[Formula], low: NDArray, high: NDArray) -> tuple[NDArray, NDArray]:
    """Formulas behind their titles below a drawing with these corners; returns the new corners."""
    if not notes:
        return low, high
    titles = [Label((named(note.title, bold=True),)) for note in notes]
    bodies = [Label(formula_lines(note, NOTES_WIDTH)) for note in notes]
    indent = max(float(title.size[0]) for title in titles) + 0.2
    width = indent + max(float(body.size[0]) for body in bodies)
    left = min(low[0], (low[0] + high[0] - width) / 2)
    top = low[1] - 0.3
    for title, body in zip(titles, bodies, strict=True):
        height = max(title.size[1], body.size[1])
        first = body.lines[0].height - title.lines[0].height if body.lines else 0.0
        place = np.array([left + title.size[0] / 2, top - title.size[1] / 2 - max(first, 0.0)])
        title.draw(axes, place, left=True)
        shift = max(-first, 0.0)
        body.draw(axes, np.array([left + indent + body.size[0] / 2, top - body.size[1] / 2 - shift]), left=True)
        top -= height + shift + 2 * BETWEEN
    return np.array([left, top]), np.array([max(high[0], left + width), high[1]])


def fit_page(axes: Axes, low: NDArray, high: NDArray, title: str | None) -> None:
    """Fit the page around the drawing between these corners, one unit to an inch, with a title above."""
    low, high = low - MARGIN, high + MARGIN
    if title is not None:
        heading = Label((named(str(title)),))
        high = np.maximum(high + np.array([0, 0.35]), [low[0] + 1.5 * heading.size[0] + 2 * MARGIN, -np.inf])
        axes.text((low[0] + high[0]) / 2, high[1] - 0.3, heading.lines[0].text, ha="center", va="center", fontsize=12.0)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.set_axis_off()
    axes.figure.set_size_inches(high - low)
