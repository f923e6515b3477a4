"""From a run and its shapes to a scene of numbers: the only module that uses both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sympact.integrate.result import Result
from sympact.mechanics.present.geometry import Geometry, Numbers, Place, Wanted
from sympact.show.animation import camera
from sympact.show.animation.bodies import spread_in_space
from sympact.show.animation.curved import Window, line_items
from sympact.show.animation.ground import Half, cut_planes, plane_items
from sympact.show.animation.looks import Rim
from sympact.show.animation.scene import GROUND, Disc, Face, Flash, Item, Scene, Stroke, Trail, View
from sympact.show.animation.shapes import Ground, Shape
from sympact.show.kit.names import grouped

FLASH_TIME = 0.3
"""The duration of an impulse's arrow (s, for the viewer)."""

ARROW_OF_BODY, LEAST_ARROW, LONGEST_ARROW = 0.8, 0.05, 0.22
"""The arrow of the largest impulse as a part of the largest body; at least and at most as a part of the picture."""

FAINTEST = 0.01
"""The least impulse that is shown, as a part of the largest."""

CHANGE = 0.1
"""Of a coordinate (m or rad), by which it is found out where the model can move."""

WHOLE = 1.5
"""Spherical surfaces of up to this many times the size of the motion are shown as a whole."""

LONG_NAME = 60
"""Longer names of modes are cut."""


@dataclass(frozen=True, eq=False)
class Style:
    """The user's options of an animation besides its shapes.

    Parameters
    ----------
    fps : float
    impulses : bool
        Whether arrows show impulses.
    angles : tuple of two floats or None
        Azimuth and elevation of a spatial view.
    length_unit, time_unit, title : str
    framed : bool
        Whether a box with axes is around a spatial view.
    """

    fps: float
    impulses: bool
    angles: tuple[float, float] | None
    length_unit: str
    time_unit: str
    title: str
    framed: bool = True


@dataclass(frozen=True, eq=False)
class Standing:
    """A ground with its numbers.

    Parameters
    ----------
    shape : Ground
    points, vectors : ndarray, shape (k, n, 3)
        Of its surface.
    lengths : ndarray, shape (n, k)
    """

    shape: Ground
    points: NDArray
    vectors: NDArray
    lengths: NDArray


@dataclass(frozen=True, eq=False)
class Cast:
    """The shapes with their numbers.

    Parameters
    ----------
    shapes : sequence of Shape
    numbers : Numbers
        Of all their positions, one shape after the other, of their lengths, and of the vectors of the grounds'
        surfaces.
    items : list of Item
    starts : sequence of int
        The number of the first point of each shape.
    grounds : sequence of Standing
        The grounds among them.
    """

    shapes: Sequence[Shape]
    numbers: Numbers
    items: list[Item]
    starts: Sequence[int]
    grounds: Sequence[Standing]

    def halves(self) -> list[tuple[Standing, Half]]:
        """The grounds that bound a half space, each with its half space."""
        found = ((ground, ground.shape.look.half(ground.points, ground.vectors)) for ground in self.grounds)
        return [(ground, half) for ground, half in found if half is not None]


def stage_scene(result: Result, geometry: Geometry, shapes: Sequence[Shape], times: NDArray, style: Style) -> Scene:
    """Compute all that will be drawn.

    Parameters
    ----------
    result : Result
    geometry : Geometry
        Of the same run.
    shapes : sequence of Shape
        With the grounds.
    times : ndarray, shape (k,)
    style : Style

    Raises
    ------
    ValueError
        With a sentence for each shape that does not belong to the model.
    """
    _check_shapes(geometry, shapes)
    x = result(times)
    cast = _trailed(result, geometry, _cast(geometry, shapes, times, x), times)
    axes, planar, up = _axes(geometry, cast, times, x, style)
    seen = _seen(geometry, cast, times, x)
    pointing = _impulses(result, geometry, times, style.fps) if style.impulses else []
    flashes = _flashes(pointing, _longest_arrow(cast, float(np.ptp(seen, axis=0).max()) or 1.0))
    seen = np.vstack([seen, *(end for flash in flashes for end in (flash.tail, flash.tail + flash.arrow))])
    view, room, frame = _view(axes, planar, up, seen, cast, style)
    points, items = _with_planes(geometry, cast, view, room)
    first = points.shape[1]
    frame = frame if style.framed else camera.Frame()
    still = np.broadcast_to(frame.points, (len(times), *frame.points.shape))
    items += [replace(line, points=tuple(first + i for i in line.points)) for line in frame.items]
    names, stage = _stages(result, times)
    return Scene(
        times,
        style.fps,
        np.concatenate([points, still], axis=1),
        items,
        frame.labels,
        flashes,
        names,
        stage,
        view,
        style.time_unit,
        style.title,
    )


def _check_shapes(geometry: Geometry, shapes: Sequence[Shape]) -> None:
    faults = []
    for shape in shapes:
        for fault in geometry.faults(Wanted(shape.places(), shape.vectors(), shape.lengths())):
            faults.append(f"a {type(shape).__name__} cannot be shown: {fault}")
    if faults:
        raise ValueError("; ".join(dict.fromkeys(faults)))


def _cast(geometry: Geometry, shapes: Sequence[Shape], times: NDArray, x: NDArray) -> Cast:
    """Evaluate all positions and lengths of the model in one call, and collect the items of the shapes."""
    places = [place for shape in shapes for place in shape.places()]
    vectors = [vector for shape in shapes for vector in shape.vectors()]
    lengths = [length for shape in shapes for length in shape.lengths()]
    numbers = geometry(Wanted(places, vectors, lengths), times, x)
    drawn = numbers.places.copy()
    items, starts, grounds, first, first_length, first_vector = [], [], [], 0, 0, 0
    for shape in shapes:
        starts.append(first)
        next_point, next_length = first + len(shape.places()), first_length + len(shape.lengths())
        next_vector = first_vector + len(shape.vectors())
        own = numbers.scalars[first_length:next_length]
        items += shape.items(range(first, next_point), own)
        its = numbers.vectors[:, first_vector:next_vector]
        drawn[:, first:next_point] = shape.bent(numbers.places[:, first:next_point], its, own)
        if isinstance(shape, Ground):
            grounds.append(Standing(shape, numbers.places[:, first:next_point], its, own))
        first, first_length, first_vector = next_point, next_length, next_vector
    return Cast(shapes, replace(numbers, places=drawn), items, starts, grounds)


def _trailed(result: Result, geometry: Geometry, cast: Cast, times: NDArray) -> Cast:
    """The cast with the paths of its traces, which have corners at the events, also between frames."""
    trails = [item for item in cast.items if isinstance(item, Trail)]
    if not trails:
        return cast
    at = np.union1d(times, result.events.t)
    ends = np.searchsorted(at, times, side="right")
    places = [place for shape in cast.shapes for place in shape.places()]
    ways = geometry(Wanted([places[trail.point] for trail in trails]), at, result(at)).places
    known = {id(trail): replace(trail, way=ways[:, i], ends=ends) for i, trail in enumerate(trails)}
    return replace(cast, items=[known.get(id(item), item) for item in cast.items])


def _axes(geometry: Geometry, cast: Cast, times: NDArray, x: NDArray, style: Style) -> tuple[NDArray, bool, NDArray]:
    """The view's directions, whether it is planar, and the upward direction."""
    groups = [[Place(point) for point, _ in group] for group in geometry.groups]
    rims = [list(shape.places()) for shape in cast.shapes if isinstance(shape, Rim)]
    known = {place.point for group in groups for place in group}
    loose = [[Place(point)] for point in dict.fromkeys([*geometry.centres, *geometry.touching]) if point not in known]
    drawn = [] if groups or loose else _places_of_shapes(cast)
    parts = [*groups, *loose, *drawn, *rims]
    places = [place for part in parts for place in part]
    numbers = geometry(Wanted(places, geometry.steady_forces), times, x)
    bodies = _spread_bodies(parts, len(rims), numbers.places[0])
    # across the motion a weight is no part of the equations, and may have no number
    down = np.nan_to_num(numbers.vectors[0]).sum(axis=0) if numbers.vectors.size else np.zeros(3)
    normals = np.array([half.normals for _, half in cast.halves()]).reshape(-1, len(times), 3)
    still = np.unique(np.round(normals[:, 0][np.ptp(normals, axis=1).max(axis=-1) == 0], 9), axis=0)
    possible = _possible(geometry, places, times[0], x[:, 0])
    axes, planar = camera.axes_of(numbers.places, down, still, style.angles, possible, bodies)
    up = -down / np.linalg.norm(down) if np.any(down) else axes[1] if planar else _nearest_axis(axes[1])
    return axes, planar, up


def _places_of_shapes(cast: Cast) -> list[list[Place]]:
    """The places of the shapes that move, which show the plane of motion of a model without points of its own."""
    shapes = [shape for shape in cast.shapes if not isinstance(shape, Ground | Rim)]
    return [[place] for place in dict.fromkeys(place for shape in shapes for place in shape.places())]


def _spread_bodies(parts: Sequence[Sequence[Place]], rims: int, places: NDArray) -> list[int]:
    """For each point, shape (n, 3), a number: the same for those of a body that is spread in space, or of a rim.

    The last parts are rims.
    """
    numbers: list[int] = []
    for rank, part in enumerate(parts, start=1):
        first = len(numbers)
        spread = rank > len(parts) - rims or spread_in_space(places[first : first + len(part)])
        numbers += [first] * len(part) if spread else range(first, first + len(part))
    return numbers


def _possible(geometry: Geometry, places: Sequence[Place], t: float, x: NDArray) -> NDArray:
    """Displacements of points, shape (m, 3), that a change of each coordinate alone causes; both ways, for arcs."""
    steps = CHANGE * np.eye(len(x))[:, : geometry.n_coordinates]
    changed = x[:, np.newaxis] + np.hstack([np.zeros((len(x), 1)), steps, -steps])
    moved = geometry(Wanted(places), np.full(changed.shape[1], t), changed).places
    cloud = (moved[1:] - moved[0]).reshape(-1, 3)
    return cloud[np.isfinite(cloud).all(axis=1)]


def _nearest_axis(direction: NDArray) -> NDArray:
    best = int(np.argmax(np.abs(direction)))
    return np.sign(direction[best]) * np.eye(3)[best]


def _seen(geometry: Geometry, cast: Cast, times: NDArray, x: NDArray) -> NDArray:
    """Points, shape (n, 3), that must be in the picture: the bodies, and the points of surfaces closest to them."""
    places, clouds = cast.numbers.places, [_feet(geometry, cast, times, x)]
    for shape, start in zip(cast.shapes, cast.starts, strict=True):
        if not isinstance(shape, Ground):
            clouds.append(places[:, start : start + len(shape.places())].reshape(-1, 3))
    for item in cast.items:
        if isinstance(item, Disc) and item.layer != GROUND:
            clouds.append(_around(places[:, [item.centre]], item.radii))
        elif isinstance(item, Stroke) and item.width:
            clouds.append(_around(places[:, list(item.points)], np.full(len(times), item.width / 2)))
        elif isinstance(item, Trail):
            clouds.append(item.way)
    cloud = np.concatenate(clouds)
    extent = float(np.ptp(cloud, axis=0).max()) if len(cloud) else 0.0
    for item in cast.items:
        if isinstance(item, Disc) and item.layer == GROUND and 2 * item.radii.max() < WHOLE * extent:
            cloud = np.vstack([cloud, _around(places[:, [item.centre]], item.radii)])
    cloud = cloud[np.isfinite(cloud).all(axis=1)]
    return cloud if len(cloud) else np.zeros((1, 3))


def _around(places: NDArray, radii: NDArray) -> NDArray:
    """The extents of balls, with centres of the shape (k, n, 3) and radii of the shape (k,), along all axes."""
    reach = radii[:, np.newaxis, np.newaxis, np.newaxis] * np.vstack([np.eye(3), -np.eye(3)])
    return (places[:, :, np.newaxis] + reach).reshape(-1, 3)


def _feet(geometry: Geometry, cast: Cast, times: NDArray, x: NDArray) -> NDArray:
    """The points of the shown surfaces that are closest to their contact points, shape (n, 3).

    Those whose gap is a distance on the surface only are left out.
    """
    shown = {id(shape.surface) for shape in cast.shapes if isinstance(shape, Ground)}
    contacts = [
        contact for contact in geometry.on_surfaces if id(contact.surface) in shown and contact.surface.measures
    ]
    if not contacts:
        return np.empty((0, 3))
    numbers = geometry(Wanted(touches=contacts), times, x)
    gaps = geometry.gaps(contacts, times, x)
    feet = numbers.touches - gaps.T[:, :, np.newaxis] * numbers.normals
    return feet[np.isfinite(feet).all(axis=-1)]


def _impulses(result: Result, geometry: Geometry, times: NDArray, fps: float) -> list[tuple]:
    """First and last frame, place, normal and impulse (N s) of each arrow, the largest of those at one frame.

    An arrow stays where the impact was, along the normal there.
    """
    contacts, events = geometry.located, [event for event in result.events if event.kind == "impact"]
    if not events:
        return []
    at, x = np.array([event.t for event in events]), np.array([event.x_minus for event in events]).T
    there = geometry(Wanted(touches=contacts), at, x)
    first, shown = np.searchsorted(times, at), max(1, round(FLASH_TIME * fps))
    names = {contact.name: i for i, contact in enumerate(contacts)}
    found: dict[tuple[int, int], tuple] = {}
    for k, event in enumerate(events):
        for name, impulse in zip(event.contacts, event.impulse, strict=True):
            key = (int(first[k]), names.get(name, -1))
            if key[1] >= 0 and key[0] < len(times) and impulse > found.get(key, (0.0,))[-1]:
                last = min(key[0] + shown, len(times)) - 1
                found[key] = (key[0], last, there.touches[k, key[1]], there.normals[k, key[1]], float(impulse))
    return list(found.values())


def _flashes(pointing: Sequence[tuple], longest: float) -> list[Flash]:
    """Arrows along the normals, as long as their impulses."""
    largest = max((impulse for *_, impulse in pointing), default=1.0)
    return [
        Flash(first, last, place, longest * impulse / largest * normal)
        for first, last, place, normal, impulse in pointing
        if impulse > FAINTEST * largest and np.isfinite([place, normal]).all()
    ]


def _longest_arrow(cast: Cast, extent: float) -> float:
    """The length of the largest impulse's arrow (m) in a picture of this extent, from the largest part of a body."""
    sizes = [0.0]
    for item in cast.items:
        if isinstance(item, Face | Stroke) and item.layer != GROUND:
            sizes.append(float(np.linalg.norm(np.ptp(cast.numbers.places[0, list(item.points)], axis=0))))
        elif isinstance(item, Disc) and item.layer != GROUND:
            sizes.append(2 * float(item.radii[0]))
    return float(np.clip(ARROW_OF_BODY * np.nanmax(sizes), LEAST_ARROW * extent, LONGEST_ARROW * extent))


def _view(
    axes: NDArray, planar: bool, up: NDArray, seen: NDArray, cast: Cast, style: Style
) -> tuple[View, list[Half], camera.Frame]:
    """The view, the half spaces whose intersection is visible, and the axes of a spatial view."""
    if planar:
        view = camera.planar_view(axes, (seen @ axes.T)[:, :2], style.length_unit)
        basis, low, high, frame = axes[:2], view.low, view.high, camera.Frame()
    else:
        view, low, high, frame = camera.spatial_view(axes, up, seen, style.length_unit)
        basis = camera.level(up)
    middle = (low + high) / 2 @ basis
    room = []
    for axis, half in zip(basis, (high - low) / 2, strict=True):
        side = 1.02 if planar else 1.0
        room += [Half((middle - sign * side * half * axis)[np.newaxis], sign * axis[np.newaxis]) for sign in (1, -1)]
    return view, room, frame


def _with_planes(geometry: Geometry, cast: Cast, view: View, room: Sequence[Half]) -> tuple[NDArray, list[Item]]:
    """The scene's points and items, with those cut to the picture: planes and curved surfaces."""
    bounding = cast.halves()
    grounds, halves = [ground for ground, _ in bounding], [half for _, half in bounding]
    neighbours = _neighbours(geometry, [ground.shape for ground in grounds])
    size = 2 * float(np.linalg.norm(view.high - view.low))
    points, items = cast.numbers.places, list(cast.items)
    cut = cut_planes(halves, neighbours, room, view.axes, view.planar, size)
    for ground, half, outline in zip(grounds, halves, cut, strict=True):
        extent = float((view.high - view.low).max())
        more, drawn = plane_items(outline, half, points.shape[1], ground.shape.colour, extent)
        points, items = np.concatenate([points, more], axis=1), [*items, *drawn]
    window = Window(np.mean([side.points[0] for side in room], axis=0), size / 4, view.axes, view.planar)
    for ground in cast.grounds:
        shape = ground.shape
        lines = shape.look.lines(shape.surface, ground.points, ground.vectors, ground.lengths, window)
        items += line_items(lines, points.shape[1], ground.shape.colour)
        points = np.concatenate(
            [points, *(np.broadcast_to(line, (len(points), *line.shape[1:])) for line in lines)], axis=1
        )
    return points, items


def _neighbours(geometry: Geometry, grounds: Sequence[Ground]) -> list[list[int]]:
    """For each plane the others that some point may touch besides it."""
    touched: dict[int, set] = {}
    for contact in geometry.on_surfaces:
        touched.setdefault(id(contact.surface), set()).update(contact.touching_points())
    sets = [touched.get(id(ground.surface), set()) for ground in grounds]
    return [
        [j for j, other in enumerate(sets) if j != i and own & other and grounds[j].surface is not grounds[i].surface]
        for i, own in enumerate(sets)
    ]


def _stages(result: Result, times: NDArray) -> tuple[list[str], NDArray]:
    """The names of the modes to show, and the mode of each frame."""
    names = [result.path[0], *(event.target for event in result.events)]
    entered = np.searchsorted(result.events.t, times, side="right")
    shown = list(dict.fromkeys(names[k] for k in entered))
    short = [_short(grouped(str(name))) for name in shown]
    return short, np.array([shown.index(names[k]) for k in entered])


def _short(name: str) -> str:
    return name if len(name) <= LONG_NAME else name[: LONG_NAME - 2] + " \u2026"
