"""Springs as coils, and pathways that wrap a sphere or a cylinder, as shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, sympify
from sympy.physics.mechanics import WrappingCylinder, WrappingPathway, WrappingSphere
from sympy.physics.vector import Point, Vector

from sympact.mechanics.present.geometry import Geometry, Place
from sympact.mechanics.read.force_laws import Spring
from sympact.show.animation.primitives import DARK, Line, Shape
from sympact.show.animation.scene import GROUND, Disc, Item, Stroke

__all__ = ["acting_shapes"]

TURNS, SIDES = 8, 10
"""Turns of a coil, and points in each."""

STRAIGHT, RADIUS = 0.15, 0.05
"""The straight part at each end of a coil, of its length, and its radius, of its mean length in the run."""

CORNERS = 32
"""Segments of an arc."""

RING = 48
"""Sides of a ring."""

GREY = "#8c8577"


@dataclass(frozen=True, eq=False)
class Coil(Shape):
    """A spring between two points, drawn as a helix of constant radius."""

    start: Point
    end: Point

    def places(self) -> tuple[Place, ...]:
        """The ends, each for a half of its points."""
        half = TURNS * SIDES // 2 + 2
        return (Place(self.start),) * half + (Place(self.end),) * half

    def bent(self, points: NDArray, vectors: NDArray, lengths: NDArray) -> NDArray:
        """The points along the helix."""
        start, away = points[:, 0], points[:, -1] - points[:, 0]
        length = np.linalg.norm(away, axis=1)
        first, second = _across(away)
        turned = np.linspace(0, 1, points.shape[1] - 2)
        angle, along = 2 * np.pi * TURNS * turned, STRAIGHT + (1 - 2 * STRAIGHT) * turned
        arm = np.sin(angle)[:, np.newaxis] * first[:, np.newaxis]
        arm = arm + np.cos(angle)[:, np.newaxis] * second[:, np.newaxis]
        arm = arm * np.minimum(1.0, TURNS * np.minimum(turned, 1 - turned))[:, np.newaxis]
        helix = start[:, np.newaxis] + along[:, np.newaxis] * away[:, np.newaxis] + RADIUS * length.mean() * arm
        return np.concatenate([points[:, :1], helix, points[:, -1:]], axis=1)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """One line."""
        return [Stroke(tuple(points), DARK, 1.3)]


@dataclass(frozen=True, eq=False)
class Geodesic(Shape):
    """The shortest way from one point of a sphere to another, over the sphere, which is shown as a disc."""

    start: Point
    end: Point
    sphere: WrappingSphere

    def places(self) -> tuple[Place, ...]:
        """The start for the points of the arc, the end and the centre."""
        return (Place(self.start),) * CORNERS + (Place(self.end), Place(self.sphere.point))

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (sympify(self.sphere.radius),)

    def bent(self, points: NDArray, vectors: NDArray, lengths: NDArray) -> NDArray:
        """The points along a great circle, between those at equal angles."""
        centre = points[:, -1:]
        start, end = points[:, :1] - centre, points[:, -2:-1] - centre
        normal = np.cross(start, end)
        size = np.linalg.norm(normal, axis=-1, keepdims=True)
        angle = np.arctan2(size, (start * end).sum(axis=-1, keepdims=True))
        axis = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0)
        part = angle * np.linspace(0, 1, CORNERS + 1)[:, np.newaxis]
        arc = np.cos(part) * start + np.sin(part) * np.cross(axis, start)
        return np.concatenate([centre + arc, centre], axis=1)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """The sphere and the arc."""
        *arc, centre = points
        return [Disc(centre, lengths[0], GREY, 0.35, GREY, layer=GROUND), Stroke(tuple(arc), DARK, 2.0)]


@dataclass(frozen=True, eq=False)
class Screw(Shape):
    """The way from one point of a cylinder to another in the positive sense about its axis, with two rings of it."""

    start: Point
    end: Point
    cylinder: WrappingCylinder

    def places(self) -> tuple[Place, ...]:
        """The start for the points of the arc and of a ring, the end for another ring, and a point of the axis."""
        count = CORNERS + RING + 1
        return (Place(self.start),) * count + (Place(self.end),) * (RING + 2) + (Place(self.cylinder.point),)

    def vectors(self) -> tuple[Vector, ...]:
        """The axis."""
        return (self.cylinder.axis,)

    def bent(self, points: NDArray, vectors: NDArray, lengths: NDArray) -> NDArray:
        """The points of the arc and of the rings about the axis at the heights of its ends."""
        axis = vectors[:, :1] / np.linalg.norm(vectors[:, :1], axis=-1, keepdims=True)
        base = points[:, -1:]
        start, end = points[:, :1] - base, points[:, -2:-1] - base
        low, high = ((arm * axis).sum(axis=-1, keepdims=True) for arm in (start, end))
        start, end = start - low * axis, end - high * axis
        across = np.cross(axis, start)
        angle = np.arctan2((across * end).sum(axis=-1), (start * end).sum(axis=-1))[..., np.newaxis] % (2 * np.pi)
        part = np.linspace(0, 1, CORNERS + 1)[:, np.newaxis]
        arc = np.cos(part * angle) * start + np.sin(part * angle) * across + (low + part * (high - low)) * axis
        turn = 2 * np.pi * np.linspace(0, 1, RING + 1)[:, np.newaxis]
        ring = np.cos(turn) * start + np.sin(turn) * across
        return np.concatenate([base + arc, base + ring + low * axis, base + ring + high * axis, base], axis=1)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """The rings and the arc."""
        arc, rings = tuple(points[: CORNERS + 1]), points[CORNERS + 1 : -1]
        low, high = tuple(rings[: RING + 1]), tuple(rings[RING + 1 :])
        return [Stroke(low, GREY, 1.6, layer=GROUND), Stroke(high, GREY, 1.6, layer=GROUND), Stroke(arc, DARK, 2.0)]


def acting_shapes(geometry: Geometry) -> list[Shape]:
    """Coils for springs between two points, arcs round spheres and cylinders, dashed lines for other actuators."""
    shapes: list[Shape] = []
    for line in geometry.lines:
        coiled = isinstance(line.law, Spring) and len(line.points) == 2
        shapes.append(Coil(*line.points) if coiled else Line(*line.points, dashed=True))
    for path in geometry.paths:
        start, end = path.pathway.attachments[0], path.pathway.attachments[-1]
        wrapped = path.pathway.geometry if isinstance(path.pathway, WrappingPathway) else None
        match wrapped:
            case WrappingSphere():
                shapes.append(Geodesic(start, end, wrapped))
            case WrappingCylinder():
                shapes.append(Screw(start, end, wrapped))
            case _:
                shapes.append(Line(start, end, dashed=True))
    return shapes


def _across(along: NDArray) -> tuple[NDArray, NDArray]:
    """Two unit vectors at right angles to each of some vectors, shape (k, 3), and to each other; zero for zero."""
    size = np.linalg.norm(along, axis=1, keepdims=True)
    unit = np.divide(along, size, out=np.zeros_like(along), where=size > 0)
    least = np.eye(3)[np.abs(unit).max(axis=0).argmin()]
    first = np.cross(unit, least)
    sizes = np.linalg.norm(first, axis=1, keepdims=True)
    first = np.divide(first, sizes, out=np.zeros_like(first), where=sizes > 0)
    return first, np.cross(unit, first)
