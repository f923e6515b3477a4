"""Default shapes of bodies and contacting parts: points joined to bars, or wrapped by a hull if spread in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull
from sympy.physics.vector import Point

from sympact.integrate.result import Result
from sympact.mechanics import String, Surface
from sympact.mechanics.present.geometry import Geometry, Place, Wanted
from sympact.show.animation.elements import acting_shapes
from sympact.show.animation.looks import look_of
from sympact.show.animation.primitives import DARK, Line, Shape, solid
from sympact.show.animation.scene import Dots, Item, Stroke

COLOURS = ("#27496d", "#b5651d", "#2f7d4f", "#7b3fa0", "#a63446", "#4a7c8c")
"""Of the bars of the first, second, ... body."""

FACES = ("#7da7d9", "#e0a96d", "#8fc7a3", "#b79ad0", "#dc9aa4", "#9fc3cf")

SPREAD = 1e-6
"""Points are in a plane if the distance of each from it is at most this part of their distances."""


@dataclass(frozen=True, eq=False)
class Bar(Shape):
    """A strong line between two points of a body."""

    start: Point
    end: Point
    colour: str

    def places(self) -> tuple[Place, ...]:
        """The ends."""
        return Place(self.start), Place(self.end)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """A line."""
        return [Stroke(tuple(points), self.colour, 4.0)]


@dataclass(frozen=True, eq=False)
class Marks(Shape):
    """Dots at points."""

    points: tuple[Point, ...]
    size: float = 5.0
    colour: str = DARK

    def places(self) -> tuple[Place, ...]:
        """The points."""
        return tuple(map(Place, self.points))

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """Dots, as far as there are points."""
        return [Dots(tuple(points), self.colour, self.size)] if points else []


@dataclass(frozen=True, eq=False)
class Hull(Shape):
    """The convex hull of points, with the given sides, each the numbers of its corners."""

    points: tuple[Point, ...]
    sides: tuple[tuple[int, ...], ...]
    colour: str

    def places(self) -> tuple[Place, ...]:
        """The points."""
        return tuple(map(Place, self.points))

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """The sides, seen from outside."""
        return solid([tuple(points[corner] for corner in side) for side in self.sides], self.colour)

    @property
    def solid(self) -> bool:
        """A hull is solid."""
        return True


def usual_shapes(geometry: Geometry, result: Result) -> list[Shape]:
    """Bars along linkages, hulls of spatial bodies, springs and other actuators, dots for particles and contacts."""
    groups, start = geometry.groups, result.t_span[0]
    flat = [Place(point) for group in groups for point, _ in group]
    places = geometry(Wanted(flat), np.array([start]), result(np.array([start]))).places[0]
    shapes: list[Shape] = []
    joined: set[Point] = set()
    cornered: set[Point] = set()
    first = 0
    for number, group in enumerate(groups):
        here = places[first : first + len(group)]
        first += len(group)
        points = tuple(point for point, _ in group)
        joined.update(points)
        if spread_in_space(here):
            shapes.append(Hull(points, sides_of(here), FACES[number % len(FACES)]))
            cornered.update(points)
        else:
            colour = COLOURS[number % len(COLOURS)]
            shapes += [Bar(above, point, colour) for point, above in group if above is not None]
    heads = tuple(group[0][0] for group in groups if not cornered.issuperset(point for point, _ in group))
    pins = tuple(point for point in heads if point not in geometry.centres)
    shapes += acting_shapes(geometry)
    touching = tuple(point for point in geometry.touching if point not in cornered)
    loose = tuple(point for point in geometry.centres if point not in joined)
    dots = tuple(dict.fromkeys([*pins, *(point for point in touching if point not in loose)]))
    return [*shapes, *_touching_shapes(geometry), Marks(loose, 11.0, COLOURS[0]), Marks(dots)]


def spread_in_space(places: NDArray) -> bool:
    """Whether points, shape (n, 3), are spread in space.

    >>> spread_in_space(np.eye(3)), spread_in_space(np.vstack([np.eye(3), np.zeros(3)]))
    (False, True)
    """
    if len(places) < 4:
        return False
    sizes = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    return bool(sizes[2] > SPREAD * sizes[0])


def sides_of(places: NDArray) -> tuple[tuple[int, ...], ...]:
    """The sides of the convex hull of points, shape (n, 3): corners in order, anticlockwise as seen from outside.

    Examples
    --------
    >>> corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    >>> len(sides_of(corners)), {len(side) for side in sides_of(corners)}
    (6, {4})
    """
    hull = ConvexHull(places)
    planes: dict[tuple, set[int]] = {}
    for plane, corners in zip(hull.equations, hull.simplices, strict=True):
        planes.setdefault(tuple(np.round(plane, 6) + 0.0), set()).update(corners.tolist())
    return tuple(_around(places, sorted(corners), np.array(plane[:3])) for plane, corners in planes.items())


def _around(places: NDArray, corners: Sequence[int], normal: NDArray) -> tuple[int, ...]:
    """The corners of a side, sorted by their angle about its middle."""
    arms = places[list(corners)] - places[list(corners)].mean(axis=0)
    across = np.cross(normal, arms[0])
    angles = np.arctan2(arms @ across / np.linalg.norm(across), arms @ arms[0] / np.linalg.norm(arms[0]))
    return tuple(corners[k] for k in np.argsort(angles))


def _touching_shapes(geometry: Geometry) -> list[Shape]:
    """The shapes of round bodies and polygons that move, and of strings, each once."""
    found: dict[int, Shape] = {}
    for contact in geometry.on_surfaces:
        for side in (contact.point, contact.surface):
            if id(side) not in found and (side is contact.point or look_of(side).is_body(side, geometry)):
                shape = look_of(side).body(side)
                found |= {} if shape is None else {id(side): shape}
    strings = [Line(string.start, string.end) for string in geometry.contacts if isinstance(string, String)]
    return [*found.values(), *strings]


def walls(geometry: Geometry) -> dict[int, Surface]:
    """The surfaces that a `Ground` shows because they are not shown as bodies, each once."""
    both = {id(contact.point) for contact in geometry.on_surfaces}
    surfaces = {id(contact.surface): contact.surface for contact in geometry.on_surfaces}
    return {
        key: surface
        for key, surface in surfaces.items()
        if key not in both and look_of(surface).stands and not look_of(surface).is_body(surface, geometry)
    }
