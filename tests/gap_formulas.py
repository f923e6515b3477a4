"""Gaps of contacts, where they touch and their normals by SymPy alone: the truth that trajectories are checked against.

Where a body touches with one place of a rim or of a bar, the formula is that of any place of it, told by a letter; the
place that counts is the one with the smallest gap (`contact_truth` looks for it). So it is with the place of an
`Implicit` surface that is nearest to the middle of a ball. No letter has to be differentiated: the gap is stationary in
it (Danskin).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise

import numpy as np
import sympy as sm
from slopes import slope
from sympy.physics.mechanics import Point, ReferenceFrame, Vector

from sympact import Capsule, Contact, ConvexPolygon, Cylinder, Disc, Implicit, Limit, Plane, Sphere, String

ALONG = sm.Symbol("along")
"""Which place of a rim (an angle, rad) or of a bar (a part, from 0 to 1) it is."""

FOOT = sm.symbols("foot_x foot_y foot_z")
"""The place of an `Implicit` surface that is nearest to the middle of a ball, in the surface's own letters."""

NORMAL = sm.symbols("normal_x normal_y normal_z")
"""The normal of the edge of a polygon on which `FOOT` is, in the polygon's frame."""

SHIFT = sm.symbols("shift_x shift_y shift_z")
"""A displacement of what touches, components in the inertial frame: the gap's derivatives by it are its normal."""


@dataclass(frozen=True)
class Place:
    """A point and a vector from it: a place that is no point of the user's."""

    point: Point
    away: Vector

    def pos_from(self, other: Point) -> Vector:
        """The vector from a point to the place."""
        return self.point.pos_from(other) + self.away


@dataclass(frozen=True)
class Touch:
    """Where a body may touch: a centre, and how far the surface of the body is from it.

    `frame` and `anchor` tell how its material moves; None: the centre is a point of the user's, and moves itself.
    """

    center: Place
    radius: sm.Expr
    anchor: Point
    frame: ReferenceFrame | None


def searched(contact) -> str:
    """What to look for before a contact's formula can be used: "", "edge", "rim", "bar", "foot", or "bar and foot"."""
    if not isinstance(contact, Contact):
        return ""
    if isinstance(contact.surface, ConvexPolygon):
        return "edge"
    body, implicit = contact.point, isinstance(contact.surface, Implicit)
    if isinstance(body, Disc):
        return "" if isinstance(contact.surface, Plane) else "rim"
    if isinstance(body, Capsule) and not isinstance(contact.surface, Sphere):
        return "bar and foot" if implicit else "bar"
    return "foot" if isinstance(body, Sphere) and implicit else ""


@singledispatch
def gap_of(contact, shift: Vector | int = 0) -> sm.Expr:
    """The gap of anything in ``model.contacts``; what a contact touches with may be shifted by a vector."""
    raise NotImplementedError(f"no formula for the gap of {contact!r}")


@gap_of.register
def _(contact: Contact, shift=0) -> sm.Expr:
    touch = touch_of(contact.point, contact.surface)
    center = Place(touch.center.point, touch.center.away + shift)
    away = {"foot": distance_to_foot, "bar and foot": distance_to_foot, "edge": distance_to_edge}
    away = away.get(searched(contact), distance)
    return away(contact.surface, center) - touch.radius


@gap_of.register
def _(limit: Limit, shift=0) -> sm.Expr:
    return limit.expression * (1 if limit.lever is None else limit.lever)


@gap_of.register
def _(string: String, shift=0) -> sm.Expr:
    return string.length - size(string.end.pos_from(string.start))


def normal_of(contact: Contact, frame: ReferenceFrame) -> list[sm.Expr]:
    """The gradient of the gap for what touches, components in a frame; a unit vector where a surface has a distance."""
    shift = sum((letter * axis for letter, axis in zip(SHIFT, frame, strict=True)), 0 * frame.x)
    gap = gap_of(contact, shift)
    return [slope(gap, letter).xreplace(dict.fromkeys(SHIFT, sm.S.Zero)) for letter in SHIFT]


@singledispatch
def touch_of(body, surface) -> Touch:
    """What a body touches a surface with."""
    raise NotImplementedError(f"no formula for what touches of {body!r}")


@touch_of.register
def _(point: Point, surface) -> Touch:
    return Touch(Place(point, Vector(0)), sm.S.Zero, point, None)


@touch_of.register
def _(ball: Sphere, surface) -> Touch:
    return Touch(Place(ball.center, Vector(0)), ball.radius, ball.center, ball.frame)


@touch_of.register
def _(disc: Disc, surface) -> Touch:
    if isinstance(surface, Plane):
        level = surface.normal - surface.normal.dot(disc.axis) * disc.axis
        outwards = -level / size(level)
    else:
        frame = disc.axis.args[0][1]
        across = min(frame, key=lambda axis: abs(float(axis.dot(disc.axis))))
        one = across - across.dot(disc.axis) * disc.axis
        outwards = (sm.cos(ALONG) * one + sm.sin(ALONG) * disc.axis.cross(one)) / size(one)
    return Touch(Place(disc.center, disc.radius * outwards), sm.S.Zero, disc.center, disc.frame)


@touch_of.register
def _(bar: Capsule, surface) -> Touch:
    whole = bar.end.pos_from(bar.start)
    part = _clipped_part(bar, surface.center) if isinstance(surface, Sphere) else ALONG
    return Touch(Place(bar.start, part * whole), bar.radius, bar.start, bar.frame)


def material_of(surface) -> tuple[Point, ReferenceFrame]:
    """A point of a surface, and the frame in which its material is at rest."""
    anchors = {Plane: "point", Cylinder: "point", Sphere: "center", Capsule: "start", Implicit: "origin"}
    frame = surface.frame
    if isinstance(surface, Plane) and frame is None:
        frame = surface.normal.args[0][1]
    if isinstance(surface, ConvexPolygon):
        return surface.corners[0], frame
    return getattr(surface, anchors[type(surface)]), frame


def _clipped_part(bar: Capsule, point) -> sm.Expr:
    """How far along a bar, from 0 to 1, the place is that is nearest to a point."""
    whole = bar.end.pos_from(bar.start)
    return Larger(0, -Larger(-1, -point.pos_from(bar.start).dot(whole) / whole.dot(whole)))


def frame_of(polygon: ConvexPolygon) -> ReferenceFrame:
    """The frame in which the corners of a polygon are given."""
    return polygon.frame or polygon.corners[1].pos_from(polygon.corners[0]).args[0][1]


def edges_of(polygon: ConvexPolygon) -> list[tuple[list[sm.Expr], list[sm.Expr]]]:
    """The first corner of each edge, seen from corner 0, and its normal, components in the polygon's frame."""
    frame, edges = frame_of(polygon), []
    for start, end in pairwise((*polygon.corners, polygon.corners[0])):
        outwards = end.pos_from(start).cross(polygon.axis)
        place = start.pos_from(polygon.corners[0])
        edges.append(([place.dot(axis) for axis in frame], [outwards.dot(axis) / size(outwards) for axis in frame]))
    return edges


def distance_to_edge(polygon: ConvexPolygon, point) -> sm.Expr:
    """The height above the edge through `FOOT` with the normal `NORMAL`, the largest of those above all edges."""
    away = point.pos_from(polygon.corners[0])
    parts = zip(frame_of(polygon), FOOT, NORMAL, strict=True)
    return sum((away.dot(axis) - foot) * normal for axis, foot, normal in parts)


def distance_to_foot(surface: Implicit, point) -> sm.Expr:
    """The distance from the surface's place `FOOT` along its normal: the gap where that place is the nearest."""
    at = dict(zip(surface.letters, FOOT, strict=True))
    slopes = [surface.expression.diff(letter).xreplace(at) for letter in surface.letters]
    local = [point.pos_from(surface.origin).dot(axis) for axis in surface.frame]
    along = sum(slope * (here - foot) for slope, here, foot in zip(slopes, local, FOOT, strict=True))
    return (along + surface.expression.xreplace(at)) / sm.sqrt(sum(slope**2 for slope in slopes))


@singledispatch
def distance(surface, point: Point | Place) -> sm.Expr:
    """The gap between a surface and a point."""
    raise NotImplementedError(f"no formula for the gap of {surface!r}")


@distance.register
def _(plane: Plane, point: Point) -> sm.Expr:
    return point.pos_from(plane.point).dot(plane.normal)


@distance.register
def _(sphere: Sphere, point: Point) -> sm.Expr:
    away = size(point.pos_from(sphere.center)) - sphere.radius
    return -away if sphere.inside else away


@distance.register
def _(cylinder: Cylinder, point: Point) -> sm.Expr:
    away = size(point.pos_from(cylinder.point).cross(cylinder.axis)) - cylinder.radius
    return -away if cylinder.inside else away


@distance.register
def _(capsule: Capsule, point: Point) -> sm.Expr:
    whole, away = capsule.end.pos_from(capsule.start), point.pos_from(capsule.start)
    return size(away - _clipped_part(capsule, point) * whole) - capsule.radius


@distance.register
def _(surface: Implicit, point: Point) -> sm.Expr:
    away = point.pos_from(surface.origin)
    place = dict(zip(surface.letters, (away.dot(axis) for axis in surface.frame), strict=True))
    slopes = [surface.expression.diff(letter) for letter in surface.letters]
    return (surface.expression / sm.sqrt(sum(slope**2 for slope in slopes))).xreplace(place)


def size(vector: Vector) -> sm.Expr:
    """The length of a vector."""
    return sm.sqrt(vector.dot(vector))


class Larger(sm.Function):
    """The larger of two numbers; `sympy.Max` writes its derivatives as trees without end."""

    _imp_ = staticmethod(np.maximum)

    def fdiff(self, argindex=1):
        a, b = self.args
        return First(a, b) if argindex == 1 else 1 - First(a, b)


class First(sm.Function):
    """Whether the first of two numbers is the larger one: 1 or 0."""

    _imp_ = staticmethod(lambda a, b: np.where(np.asarray(a) >= b, 1.0, 0.0))

    def fdiff(self, argindex=1):
        return sm.S.Zero
