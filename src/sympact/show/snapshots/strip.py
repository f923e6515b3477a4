"""A run in one picture: the bodies at chosen instants along the time, with the impacts, above the energy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from sympact.integrate.export.quantity_units import MECHANICAL
from sympact.mechanics.present.geometry import Geometry, Place, Wanted
from sympact.show.animation.animation import NOTHING, complete_shapes, style_of
from sympact.show.animation.camera import name_of
from sympact.show.animation.canvas import artist_of, move
from sympact.show.animation.ground import Half
from sympact.show.animation.scene import GROUND, Flash, Trail, arrow, depth_order
from sympact.show.animation.shapes import Ground, Shape
from sympact.show.animation.staging import stage_scene
from sympact.show.kit.palette import KIND_COLOURS
from sympact.show.kit.picture import Picture
from sympact.show.plots.drawn import Drawn
from sympact.show.plots.energy import energy_parts
from sympact.show.plots.sheet import LEGEND
from sympact.show.snapshots.exposure import Exposure

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["draw_snapshots"]

GRID = 240
"""Instants from which those between impacts are chosen."""

LEFT, RIGHT, ABOVE, BETWEEN, BELOW = 0.78, 0.16, 0.52, 0.55, 0.5
"""Inches around and between the panels."""

ENERGY = 1.5
"""Inches of the panel of the energy."""

IMPACT, PATH = KIND_COLOURS["impact"], "0.72"


def draw_snapshots(
    result: Result,
    *,
    shapes: Iterable[Shape] | None = None,
    units: Mapping[str, str] = NOTHING,
    times: Sequence[float] | None = None,
    view: tuple[float, float] | None = None,
    title: str = "",
    width: float = 9.0,
) -> Figure:
    """Draw the bodies of a mechanical model at some instants in one strip, above the energy; `Result.snapshots`.

    Each snapshot is above its time on the axis of the energy below: the first and the last instant, the strongest
    impacts, and others between them as far as there is room. A red dot marks the point of an impact; an arrow that ends
    there is its impulse along the normal, with a length proportional to it. Bodies that travel far along a floor are
    followed; a thin line is the way of the mass centre of a single body.

    Parameters
    ----------
    result : Result
    shapes, units, view, title
        As for `Result.animate`.
    times : sequence of float, optional
        The instants to show (s); by default they are chosen.
    width : float
        Of the figure (inches).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        For a wrong option, or a time outside the run.
    TypeError
        If the run was made from plain functions or loaded from a file, which have no bodies.

    Examples
    --------
    >>> from sympact.models import tumbling_cube
    >>> figure = tumbling_cube().simulate().snapshots(title="A cube")
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['z (m)', 'energy (J)']
    """
    exposure = _exposure(result, cast(Geometry, result._facts.geometry), shapes, units, times, view, float(width))
    frames = exposure.instants() if times is None else np.searchsorted(exposure.scene.times, sorted(times)).tolist()
    energy = result._model.knows("kinetic_energy")
    below = BETWEEN + ENERGY + BELOW if energy else BETWEEN
    figure = Picture(figsize=(width, ABOVE + exposure.tall + below))
    figure.text(LEFT / width, 1 - 0.28 / figure.get_figheight(), title, fontsize=12, weight="bold", va="center")
    _draw_strip(_panel(figure, ABOVE, exposure.tall), exposure, frames)
    if any(map(exposure.struck, frames)):
        note = "\u25cf point of impact   \u2191 impulse"
        low = 0.14 / figure.get_figheight()
        figure.text((LEFT + 0.6) / width, low, note, fontsize="small", color=IMPACT, va="center")
    if energy:
        panel = _panel(figure, ABOVE + exposure.tall + BETWEEN, ENERGY)
        _draw_energy(panel, exposure, frames, Drawn(result, (), {}, None, {**MECHANICAL, **units}))
    return figure


def _exposure(
    result: Result,
    geometry: Geometry,
    shapes: Iterable[Shape] | None,
    units: Mapping[str, str],
    wanted: Sequence[float] | None,
    view: tuple[float, float] | None,
    width: float,
) -> Exposure:
    """The scene at all instants that may be shown."""
    first, last = result.t_span
    outside = [t for t in wanted or () if not first <= t <= last]
    if outside:
        raise ValueError(f"times: {outside} outside this run, which goes from {first:.12g} to {last:.12g}")
    impacts = [event.t for event in result.events if event.kind == "impact"]
    times = np.unique([*np.linspace(first, last, GRID), *impacts, *(wanted or ())])
    style = style_of(result, units, view, "", fps=1.0, impulses=True, framed=False)
    shown = complete_shapes(shapes, geometry, result)
    scene = stage_scene(result, geometry, shown, times, style)
    x, centres = result(times), [Place(centre) for centre in geometry.centres]
    path = geometry(Wanted(centres), times, x).places[:, 0] if len(centres) == 1 else None
    floor = _floor(geometry, [shape for shape in shown if isinstance(shape, Ground)], times, x)
    return Exposure(scene, floor, path, width - LEFT - RIGHT, style.length_unit)


def _floor(geometry: Geometry, grounds: Sequence[Ground], times: NDArray, x: NDArray) -> Half | None:
    """The only ground, if it is a plane and does not move."""
    if len(grounds) != 1:
        return None
    numbers = geometry(Wanted(grounds[0].places(), grounds[0].vectors()), times, x)
    half = grounds[0].look.half(numbers.places, numbers.vectors)
    return half if half is not None and half.still else None


def _panel(figure: Figure, top: float, height: float) -> Axes:
    """Axes as wide as the page, so many inches below its upper edge."""
    width, total = figure.get_size_inches()
    return figure.add_axes((LEFT / width, 1 - (top + height) / total, 1 - (LEFT + RIGHT) / width, height / total))


def _draw_strip(strip: Axes, exposure: Exposure, frames: Sequence[int]) -> None:
    """The snapshots, each with the ground up to the middle between it and the next one."""
    low, tall = exposure.low, exposure.tall * exposure.metres
    strip.set(xlim=(0, exposure.width * exposure.metres), ylim=(low, low + tall))
    middles = [exposure.middle(k) for k in frames]
    edges = [0.0, *(sum(pair) / 2 for pair in pairwise(middles)), strip.get_xlim()[1]]
    for k, (left, right) in zip(frames, pairwise(edges), strict=True):
        _draw_ground(strip, exposure, k, strip.add_patch(Rectangle((left, low), right - left, tall, visible=False)))
    if exposure.path is not None:
        way = exposure.scene.view.project(exposure.path - exposure.shifts)
        across = [exposure.offset(k)[0] for k in range(len(way))]
        strip.plot(way[:, 0] + across, way[:, 1], color=PATH, linewidth=0.8, zorder=1.5)
    for k in frames:
        _draw_bodies(strip, exposure, k)
        for flash in exposure.struck(k):
            _draw_impact(strip, exposure, flash, k)
    _draw_times(strip, exposure, frames, middles)
    _draw_heights(strip, exposure)


def _draw_ground(strip: Axes, exposure: Exposure, k: int, cell: Rectangle) -> None:
    """The surfaces in one snapshot, within its cell."""
    scene, drawn = exposure.scene, exposure.drawn[k] + exposure.offset(k)
    artists = exposure.floor_patches(k) if exposure.floor is not None else []
    for item in scene.items if exposure.floor is None else ():
        artist = artist_of(item, 72 / exposure.metres)
        if item.layer == GROUND and move(item, artist, drawn, scene.view, k):
            artists.append(artist)
    for artist in artists:
        strip.add_artist(artist)
        artist.set_clip_path(cell)
        artist.set_zorder(1)


def _draw_bodies(strip: Axes, exposure: Exposure, k: int) -> None:
    """The bodies in one snapshot."""
    scene, drawn = exposure.scene, exposure.drawn[k] + exposure.offset(k)
    for rank, number in enumerate(depth_order(scene, drawn)):
        item = scene.items[number]
        artist = artist_of(item, 72 / exposure.metres)
        if item.layer != GROUND and not isinstance(item, Trail) and move(item, artist, drawn, scene.view, k):
            strip.add_artist(artist)
            artist.set_clip_on(False)
            artist.set_zorder(2 + rank / 10000)


def _draw_impact(strip: Axes, exposure: Exposure, flash: Flash, k: int) -> None:
    """The point of an impact, and the arrow of its impulse, which ends there."""
    place, tail = exposure.impact(flash, k)
    outline = arrow(tail, place, min(0.15 * exposure.metres, 0.6 * float(np.linalg.norm(place - tail))))
    strip.add_patch(Polygon(outline, closed=True, color=IMPACT, linewidth=0, zorder=3, clip_on=False))
    strip.plot(*place, "o", color=IMPACT, markersize=4.5, markeredgecolor="white", markeredgewidth=0.6, zorder=4)


def _draw_times(strip: Axes, exposure: Exposure, frames: Sequence[int], middles: Sequence[float]) -> None:
    """The time of each snapshot below it, red at impacts."""
    times = exposure.scene.times[list(frames)]
    unit = f" {exposure.scene.time_unit}" if exposure.scene.time_unit else ""
    step = float(np.diff(times).min(initial=1.0)) or 1.0
    digits = int(np.clip(np.ceil(-np.log10(step)) + 1, 2, 9))
    strip.set_xticks(middles, [f"{t:.{digits}f}{unit}" for t in times])
    for label, k in zip(strip.get_xticklabels(), frames, strict=True):
        struck = exposure.struck(k)
        label.set(color=IMPACT if struck else "0.35", weight="bold" if struck else "normal", fontsize="small")
    strip.tick_params(axis="x", length=0, pad=3)


def _draw_heights(strip: Axes, exposure: Exposure) -> None:
    """The axis of heights, where all snapshots have the same."""
    view, floor = exposure.scene.view, exposure.floor
    upward, base, slope = view.axes[1], 0.0, 1.0
    if floor is not None and not view.planar:
        upward = floor.normals[0]
        slope = float(upward @ view.axes[1])
        base = float(exposure.foot @ view.axes[1] - exposure.foot @ upward * slope)
    strip.spines[["top", "right", "bottom"]].set_visible(False)
    moves = floor is not None and np.any(exposure.shifts) and abs(float(floor.normals[0] @ upward)) < 1 - 1e-9
    if moves or (floor is None and not view.planar):
        strip.spines["left"].set_visible(False)
        strip.set_yticks([])
        return
    low, high = ((edge - base) / slope for edge in (float(exposure.box[0, 1]), strip.get_ylim()[1]))
    values = [
        value
        for value in MaxNLocator(max(2, round(2 * exposure.tall)), steps=[1, 2, 5, 10]).tick_values(low, high)
        if low - 0.02 * (high - low) <= value <= high
    ]
    strip.set_yticks(
        [base + slope * value for value in values], [f"{value:g}".replace("-", "\u2212") for value in values]
    )
    strip.spines["left"].set_bounds(float(exposure.box[0, 1]), strip.get_ylim()[1])
    strip.tick_params(axis="y", labelsize="small")
    strip.set_ylabel(f"{name_of(upward)} ({exposure.unit})" if exposure.unit else name_of(upward))


def _draw_energy(panel: Axes, exposure: Exposure, frames: Sequence[int], drawn: Drawn) -> None:
    """The energy, on the axis of times of the strip, with a mark at each snapshot of an impact."""
    energy_parts(drawn)[0].draw(panel, drawn.timing, exposure.width)
    struck = [float(exposure.scene.times[k]) for k in frames if exposure.struck(k)]
    across = panel.get_xaxis_transform()
    panel.vlines(struck, 1.0, 1.16, transform=across, color=IMPACT, linewidth=0.9, clip_on=False)
    panel.set_xlim(exposure.span)
    panel.set_xlabel(drawn.timing.label, loc="left")
    panel.legend(loc="upper right", bbox_to_anchor=(1, -0.17), ncols=8, **LEGEND)
