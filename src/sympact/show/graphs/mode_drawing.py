"""The stages of a run as a picture: the time spent in each, and the number of each kind of event between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch
from matplotlib.textpath import TextPath
from numpy.typing import NDArray

from sympact.integrate.trajectory.about import Formula
from sympact.show.graphs.arrows import clip
from sympact.show.graphs.network import draw_notes, fit_page
from sympact.show.graphs.routes import label_places, routes
from sympact.show.kit.names import grouped, wants_numbers
from sympact.show.kit.palette import KIND_COLOURS, stage_colour
from sympact.show.kit.picture import Picture

if TYPE_CHECKING:
    import networkx

FONT, SMALL = 9.0, 7.5
"""Font sizes (points)."""

LINE = 0.17
"""Height of a line of the list of modes (inches, as all lengths here)."""

LIST_WIDTH = 64
"""Characters in a line of the list of modes."""


@dataclass(frozen=True)
class _Style:
    """The texts at nodes and arrows."""

    numbered: bool
    nodes: tuple[tuple[str, str], ...]
    arrows: tuple[str, ...]


def draw_modes(modes: networkx.MultiDiGraph, *, formulas: Sequence[Formula] = (), title: str | None = None) -> Figure:
    """Draw the stages of a run, and the events between them.

    A node shows its stage, its share of the time, and the number of its visits; an arrow its kind of event and the
    number of these events. A dashed arrow does not change the state. Many stages, or long names, are numbered in the
    order of their first visits, beside a list of their names; then a number at an arrow is the number of its events,
    where it is more than one, and its colour the kind.

    Parameters
    ----------
    modes : networkx.MultiDiGraph
        From `Result.modes`.
    formulas : sequence of Formula
        The texts below, behind their titles: boundaries and jumps, gaps and jump maps. `Result.draw_modes` gives them.
    title : str, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: -0.5 * x, name="floor")
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    >>> figure = draw_modes(ball.simulate((0, 2.2), [5.0, 0.0], start="up").modes)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['up', '100 %, 3 visits', 'floor x 2']
    """
    style = _style(modes)
    order = {name: k for k, name in enumerate(modes)}
    ends = [(order[source], order[target]) for source, target, _ in modes.edges(data=True)]
    half = _half(style)
    places = _places(len(order), half, 0.5 if style.numbered else 0.9 + max(map(_width, style.arrows), default=0.0))
    curves = routes(ends, places, half, half[1] + 0.7)
    sizes = [(_width(text) + 0.08, 0.2) if text else (0.0, 0.0) for text in style.arrows]
    spots = label_places(curves, sizes, places, half)
    figure = Picture()
    axes = figure.add_axes((0, 0, 1, 1))
    _draw_nodes(axes, style, places, half)
    for (*_, data), (a, b), curve in zip(modes.edges(data=True), ends, curves, strict=True):
        _draw_arrow(axes, clip(curve, places[a], places[b], half), data)
    for text, spot, (*_, data) in zip(style.arrows, spots, modes.edges(data=True), strict=True):
        _draw_label(axes, text, spot, KIND_COLOURS[data["kind"]])
    low, high = _bounds(curves, places, half, spots, style)
    if style.numbered:
        low, high = _draw_list(axes, list(modes), {data["kind"] for *_, data in modes.edges(data=True)}, low, high)
    low, high = draw_notes(axes, formulas, low, high)
    fit_page(axes, low, high, title)
    return figure


def _style(modes: networkx.MultiDiGraph) -> _Style:
    names, edges = [str(name) for name in modes], [data for *_, data in modes.edges(data=True)]
    numbered = wants_numbers(names)
    total = sum(data["time"] for _, data in modes.nodes(data=True))
    nodes = []
    for name, data in modes.nodes(data=True):
        share, visits = _share(data["time"], total), data["visits"]
        words = f"{visits}x" if numbered else "1 visit" if visits == 1 else f"{visits} visits"
        nodes.append((str(data["order"] + 1) if numbered else str(name), ", ".join(filter(None, [share, words]))))
    arrows = [("" if data["count"] == 1 else str(data["count"])) if numbered else data["name"] for data in edges]
    return _Style(numbered, tuple(nodes), tuple(arrows))


def _share(time: float, total: float) -> str:
    if total == 0.0:
        return ""
    percent = 100 * time / total
    return f"{percent:.0f} %" if percent >= 0.5 or percent == 0.0 else "<1 %"


@cache
def _width(text: str, size: float = SMALL) -> float:
    """The width of a text in inches."""
    return float(TextPath((0, 0), text, size=size).get_extents().width) / 72 if text.strip() else 0.0


def _half(style: _Style) -> NDArray:
    """Half the width and half the height of the nodes, all as large as the largest."""
    widest = max(max(_width(name, FONT), _width(line)) for name, line in style.nodes)
    return np.array([0.68 * widest + 0.08, 0.29])


def _places(count: int, half: NDArray, gap: float) -> NDArray:
    """Positions of the nodes, shape (count, 2): side by side, or on an oval that starts at the top and goes
    clockwise."""
    distance = 2 * half[0] + gap
    if count < 3:
        return np.array([[k * distance, 0.0] for k in range(count)])
    radius = distance / (2 * sin(pi / count))
    angle = pi / 2 - 2 * pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def _draw_nodes(axes: Axes, style: _Style, places: NDArray, half: NDArray) -> None:
    for k, ((name, line), place) in enumerate(zip(style.nodes, places, strict=True)):
        axes.add_patch(Ellipse(place, *(2 * half), facecolor=stage_colour(k), edgecolor="0.25", zorder=3))
        centred = {"ha": "center", "va": "center", "zorder": 4}
        axes.text(place[0], place[1] + 0.08, name, fontsize=FONT, fontweight="bold", **centred)
        axes.text(place[0], place[1] - 0.1, line, fontsize=SMALL, **centred)


def _draw_arrow(axes: Axes, curve: NDArray, data: dict) -> None:
    """A line along the curve with its head at the end, in the colour of its kind, thicker for more events."""
    colour, width = KIND_COLOURS[data["kind"]], min(0.9 + 0.35 * np.log10(data["count"]), 2.5)
    axes.plot(*curve[:-1].T, color=colour, linewidth=width, linestyle="--" if data["jump"] is None else "-")
    head = {"arrowstyle": "-|>", "mutation_scale": 11, "color": colour, "shrinkA": 0, "shrinkB": 0}
    axes.add_patch(FancyArrowPatch(curve[-3], curve[-1], **head))


def _draw_label(axes: Axes, text: str, spot: NDArray, colour: str) -> None:
    if text:
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        axes.text(*spot, text, ha="center", va="center", fontsize=SMALL, color=colour, zorder=5, bbox=box)


def _bounds(
    curves: Sequence[NDArray], places: NDArray, half: NDArray, spots: Sequence[NDArray], style: _Style
) -> tuple[NDArray, NDArray]:
    """The corners of the drawing."""
    rooms = [np.array([_width(text) / 2, 0.1]) for text in style.arrows]
    points = [*curves, places - half, places + half]
    points += [np.array([spot - room, spot + room]) for spot, room in zip(spots, rooms, strict=True)]
    everything = np.concatenate(points)
    return everything.min(axis=0), everything.max(axis=0)


def _draw_list(axes: Axes, names: Sequence[str], kinds: set, low: NDArray, high: NDArray) -> tuple[NDArray, NDArray]:
    """The names of the modes by their numbers, then the colours of the kinds, right of the drawing; the new corners."""
    left = high[0] + 0.4
    entries = [wrap(grouped(str(name)), LIST_WIDTH, break_long_words=True) for name in names]
    rows = sum(map(len, entries)) + len(kinds) + 2
    height = max(high[1], (low[1] + high[1] + rows * LINE) / 2) - LINE / 2
    y, right = height, left
    for k, lines in enumerate(entries):
        _write(axes, left + 0.18, y, str(k + 1), ha="right", fontweight="bold")
        for line in lines:
            _write(axes, left + 0.28, y, line)
            right, y = max(right, left + 0.28 + _width(line)), y - LINE
    y -= LINE
    for kind in (kind for kind in KIND_COLOURS if kind in kinds):
        axes.plot([left, left + 0.2], [y, y], color=KIND_COLOURS[kind], linewidth=1.5)
        _write(axes, left + 0.28, y, kind)
        y -= LINE
    note = "a number at an arrow: how often, if not once"
    _write(axes, left, y, note)
    corner = np.array([max(right, left + _width(note)), height + LINE / 2])
    return np.minimum(low, [low[0], y - LINE / 2]), np.maximum(high, corner)


def _write(axes: Axes, x: float, y: float, text: str, **style) -> None:
    axes.text(x, y, text, **{"ha": "left", "va": "center", "fontsize": SMALL, **style})
