"""Frames of a scene by matplotlib: the page is drawn once, and each frame moves the same artists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon
from matplotlib.textpath import TextPath
from numpy.typing import NDArray
from PIL import Image

from sympact.show.animation.scene import Disc, Dots, Face, Item, Scene, Stroke, Trail, View, arrow, depth_order
from sympact.show.kit.palette import KIND_COLOURS
from sympact.show.kit.picture import Picture

LONGEST_SIDE = 5.4
"""Of the drawing (inches)."""

DPI = 100
LEFT, RIGHT, BELOW, ABOVE = 0.72, 0.15, 0.55, 0.42
"""Inches around the drawing of a planar motion, for the axes and the caption."""

TITLE, CAPTION = 11, 9
"""Font sizes (printer's points)."""

HEAD = 0.035
"""The head of an arrow, as a part of the picture."""

ROUND = {"solid_capstyle": "round", "solid_joinstyle": "round", "dash_capstyle": "butt"}


class Canvas:
    """The figure that shows one frame after another.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.drawn = scene.view.project(scene.points)
        self.figure, self._axes, self._caption = _page(scene)
        self._canvas = FigureCanvasAgg(self.figure)
        size = scene.view.high - scene.view.low
        self._head = HEAD * float(size.max())
        self._printed = 72 * self._axes.get_position().width * self.figure.get_size_inches()[0] / float(size[0])
        self._artists = [self._axes.add_artist(artist_of(item, self._printed)) for item in scene.items]
        self._arrows = [
            self._axes.add_artist(Polygon(np.zeros((7, 2)), closed=True, color=KIND_COLOURS["impact"], linewidth=0))
            for _ in range(self._most_flashes())
        ]
        for artist in [*self._artists, *self._arrows, self._caption]:
            artist.set_animated(True)
            artist.set_clip_on(artist is not self._caption)

    def frames(self, numbers: Iterable[int] | None = None) -> Iterator[Image.Image]:
        """Some frames, or all, as images of red, green and blue."""
        self._canvas.draw()
        page, renderer = self._canvas.copy_from_bbox(self.figure.bbox), self._canvas.get_renderer()
        for k in range(len(self.scene.times)) if numbers is None else numbers:
            self._canvas.restore_region(page)
            for artist in [*self.pose(k), self._caption]:
                artist.draw(renderer)
            yield Image.frombytes("RGB", self.size, renderer.buffer_rgba(), "raw", "RGBX")

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of all frames (pixels)."""
        return self._canvas.get_width_height()

    def still(self, k: int) -> Figure:
        """The figure of one frame, to be saved or shown."""
        seen = self.pose(k)
        for artist in [*self._artists, *self._arrows]:
            artist.set_visible(artist in seen)
        for rank, artist in enumerate(seen):
            artist.set_zorder(3 + rank / 1000)
            artist.set_animated(False)
        self._caption.set_animated(False)
        return self.figure

    def pose(self, k: int) -> list[Artist]:
        """Move all artists to their positions in a frame; returns the visible ones, in the order of drawing."""
        scene, drawn = self.scene, self.drawn[k]
        seen = []
        for number in depth_order(scene, drawn):
            if move(scene.items[number], self._artists[number], drawn, scene.view, k):
                seen.append(self._artists[number])
        shown = [flash for flash in scene.flashes if flash.first <= k <= flash.last]
        for artist, flash in zip(self._arrows, shown, strict=False):
            tail, head = scene.view.project(np.array([flash.tail, flash.tail + flash.arrow]))[:, :2]
            artist.set_xy(arrow(tail, head, self._head))
            seen.append(artist)
        self._caption.set_text(scene.caption(k))
        return seen

    def _most_flashes(self) -> int:
        """The largest number of arrows in one frame."""
        change = np.zeros(len(self.scene.times) + 1, dtype=int)
        for flash in self.scene.flashes:
            change[flash.first] += 1
            change[flash.last + 1] -= 1
        return int(np.cumsum(change).max(initial=0))


@singledispatch
def artist_of(item: Item, printed: float) -> Artist:
    """What matplotlib draws of an item, with so many printer's points in a metre; a kind of items registers its own.

    >>> type(artist_of(Dots((0,), "red"), 72.0)).__name__
    'Line2D'
    """
    raise TypeError(f"canvas has no artist for {type(item).__name__}; register one with @artist_of.register")


@singledispatch
def move(item: Item, artist: Artist, drawn: NDArray, view: View, k: int) -> bool:
    """Put the artist where its item is in the frame k; False where nothing is to be seen of it.

    `drawn`, shape (n, 3), are the projected points of the frame. A kind of items registers its own.
    """
    raise TypeError(f"canvas does not move {type(item).__name__}; register how with @move.register")


@artist_of.register
def _stroke(item: Stroke, printed: float) -> Artist:
    weight = max(item.weight, item.width * printed)
    style = "--" if item.dashed else "-"
    return Line2D([], [], color=item.colour, linewidth=weight, linestyle=style, **ROUND)


@artist_of.register
def _face(item: Face, printed: float) -> Artist:
    edge = {"edgecolor": item.edge or "none", "linewidth": 0.9 if item.edge else 0.0}
    return Polygon(np.zeros((3, 2)), closed=True, facecolor=item.colour, alpha=item.opacity, **edge)


@artist_of.register
def _disc(item: Disc, printed: float) -> Artist:
    edge = {"edgecolor": item.edge or "none", "linewidth": 0.9}
    return Circle((0, 0), 1.0, facecolor=item.colour, alpha=item.opacity, **edge)


@artist_of.register
def _dots(item: Dots, printed: float) -> Artist:
    return Line2D([], [], linestyle="none", marker="o", markersize=item.size, color=item.colour)


@artist_of.register
def _trail(item: Trail, printed: float) -> Artist:
    return Line2D([], [], color=item.colour, linewidth=item.weight, alpha=0.7, **ROUND)


@move.register(Stroke)
@move.register(Dots)
def _move_points(item: Stroke | Dots, artist: Line2D, drawn: NDArray, view: View, k: int) -> bool:
    artist.set_data(*drawn[list(item.points), :2].T)
    return True


@move.register
def _move_face(item: Face, artist: Polygon, drawn: NDArray, view: View, k: int) -> bool:
    corners = drawn[list(item.points), :2]
    if not np.isfinite(corners).all() or (item.outward and area(corners) <= 0):
        return False
    artist.set_xy(corners)
    return True


@move.register
def _move_disc(item: Disc, artist: Circle, drawn: NDArray, view: View, k: int) -> bool:
    artist.set_center(drawn[item.centre, :2])
    artist.set_radius(item.radii[k])
    return True


@move.register
def _move_trail(item: Trail, artist: Line2D, drawn: NDArray, view: View, k: int) -> bool:
    artist.set_data(*view.project(item.way[: item.ends[k]])[:, :2].T)
    return True


def area(corners: NDArray) -> float:
    """The area of a polygon in the plane, shape (n, 2), negative where its corners go clockwise.

    >>> area(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]))
    2.0
    """
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _page(scene: Scene) -> tuple[Figure, Axes, Artist]:
    """A figure as large as the picture needs, with its axes and the place of the caption."""
    figure, axes, caption = _fitted(scene, LEFT)
    if scene.view.planar:
        cut = 0.06 - axes.get_tightbbox(FigureCanvasAgg(figure).get_renderer()).x0 / DPI
        if cut > 0:
            return _fitted(scene, LEFT + cut)
    return figure, axes, caption


def _fitted(scene: Scene, margin: float) -> tuple[Figure, Axes, Artist]:
    """The page with this many inches to the left of a planar motion."""
    view = scene.view
    width, height = LONGEST_SIDE * (view.high - view.low) / (view.high - view.low).max()
    left, right, below = (margin, RIGHT, BELOW) if view.planar else (0.1, 0.1, 0.1)
    above = ABOVE + (0.3 if scene.title else 0.0)
    written = (
        left + max(_length(scene.title, TITLE), *(_length(scene.caption(k), CAPTION) for k in _samples(scene))) + 0.1
    )
    total = np.array([max(left + width + right, written), below + height + above])
    total = np.ceil(total * DPI / 2) * 2 / DPI
    figure = Picture(figsize=tuple(total), dpi=DPI)
    axes = figure.add_axes((left / total[0], below / total[1], width / total[0], height / total[1]))
    axes.set(xlim=(view.low[0], view.high[0]), ylim=(view.low[1], view.high[1]))
    _draw_axes(axes, scene, width, height)
    if scene.title:
        figure.text(0.5, 1 - 0.24 / total[1], scene.title, ha="center", va="center", fontsize=TITLE)
    caption = figure.text(left / total[0], (below + height + 0.2) / total[1], "", va="center", fontsize=CAPTION)
    return figure, axes, caption


def _samples(scene: Scene) -> list[int]:
    """The last frame of each mode: the longest of its captions."""
    return list({int(stage): k for k, stage in enumerate(scene.stage)}.values())


def _length(text: str, size: float) -> float:
    """The length of a text (inches); on a page of few pixels characters are up to 8 % wider than in print."""
    return 1.08 * float(TextPath((0, 0), text, size=size).get_extents().width) / 72 if text else 0.0


def _draw_axes(axes: Axes, scene: Scene, width: float, height: float) -> None:
    """Axes with marks about every half inch around a planar view, the labels of the box around a spatial one."""
    view = scene.view
    if view.planar:
        axes.set(xlabel=view.labels[0], ylabel=view.labels[1])
        axes.tick_params(labelsize="small")
        axes.locator_params(nbins=max(3, round(1.6 * width)), axis="x")
        axes.locator_params(nbins=max(3, round(1.6 * height)), axis="y")
        axes.spines[["top", "right"]].set_visible(False)
    else:
        axes.set_axis_off()
    for label in scene.labels:
        spot = view.project(label.place)[:2]
        style = {"ha": "center", "va": "center", "fontsize": 8, "color": "#555555", "annotation_clip": False}
        axes.annotate(label.text, spot, label.offset, textcoords="offset points", **style)
