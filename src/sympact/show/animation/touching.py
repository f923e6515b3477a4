"""What touches, as it looks when nobody says: balls, bars, rims, polygons and strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray
from sympy import S

from sympact.mechanics import Capsule, ConvexPolygon, Disc, Sphere, String
from sympact.mechanics.present.geometry import Geometry, Place
from sympact.show.animation.scene import Item, Stroke
from sympact.show.animation.shapes import BLUE, EDGE, Ball, Line, Polygon, Rod, Shape

_SIDES = 32


@dataclass(frozen=True, eq=False)
class Rim(Shape):
    """The rim of a thin disc whose axis is an axis of its frame."""

    disc: Disc

    def places(self) -> tuple[Place, ...]:
        """Places around it, and the centre."""
        ((components, frame),) = self.disc.axis.args
        axis = int(np.argmax([abs(part) for part in components]))
        places = []
        for angle in 2 * np.pi * np.arange(_SIDES) / _SIDES:
            offset = [S.Zero, S.Zero, S.Zero]
            offset[(axis + 1) % 3] = self.disc.radius * np.cos(angle)
            offset[(axis + 2) % 3] = self.disc.radius * np.sin(angle)
            places.append(Place(self.disc.center, frame, tuple(offset)))
        return (*places, Place(self.disc.center))

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """The rim and a radius, by which its turning is seen."""
        *rim, centre = points
        return [Stroke((*rim, rim[0]), EDGE, 2.5), Stroke((centre, rim[0]), EDGE, 1.0)]


def touching_shapes(geometry: Geometry) -> list[Shape]:
    """The shapes of round bodies and polygons that move, and of strings, each once."""
    found: dict[int, Shape] = {}
    for contact in geometry.on_surfaces:
        for side in (contact.point, contact.surface):
            if id(side) not in found and (side is contact.point or is_body(side, geometry)):
                shape = shape_of(side)
                found |= {} if shape is None else {id(side): shape}
    strings = [Line(string.start, string.end) for string in geometry.contacts if isinstance(string, String)]
    return [*found.values(), *strings]


def is_body(surface: object, geometry: Geometry) -> bool:
    """Whether a surface is that of a body that moves: round ones and polygons in another frame than N, and balls."""
    if isinstance(surface, Sphere) and (surface.inside or surface.center in geometry.centres):
        return not surface.inside
    return isinstance(surface, Sphere | Capsule | ConvexPolygon) and surface.frame not in (None, geometry.frame)


def walls(geometry: Geometry) -> dict[int, object]:
    """The surfaces that are not shown as bodies, each once."""
    both = {id(contact.point) for contact in geometry.on_surfaces}
    surfaces = [contact.surface for contact in geometry.on_surfaces]
    return {id(s): s for s in surfaces if id(s) not in both and not is_body(s, geometry)}


@singledispatch
def shape_of(side: object) -> Shape | None:
    """The shape of what touches; None for a point, which is a dot elsewhere."""
    return None


@shape_of.register
def _(ball: Sphere) -> Shape:
    return Ball(ball.center, ball.radius)


@shape_of.register
def _(capsule: Capsule) -> Shape:
    return Rod(capsule.start, capsule.end, 2 * capsule.radius, colour=BLUE)


@shape_of.register
def _(polygon: ConvexPolygon) -> Shape:
    return Polygon(polygon.frame, polygon.points())


@shape_of.register
def _(disc: Disc) -> Shape | None:
    numbers = [part for components, _ in disc.axis.args for part in components]
    single = len(disc.axis.args) == 1 and sorted(map(str, numbers)) in (["0", "0", "1"], ["-1", "0", "0"])
    return Rim(disc) if single else None
