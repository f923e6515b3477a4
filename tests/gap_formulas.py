"""Gaps of contacts, limits and strings by SymPy alone: the truth that trajectories are checked against."""

from __future__ import annotations

from functools import reduce, singledispatch
from itertools import pairwise

import numpy as np
import sympy as sm
from sympy.physics.mechanics import Point, Vector

from sympact import Capsule, Contact, ConvexPolygon, Cylinder, Disc, HybridModel, Implicit, Limit, Plane, Sphere, String


def has_formulas(model: HybridModel) -> bool:
    """Whether all gaps of a model have one here; a ball on an implicit surface has none."""
    bodies = [(contact.point, contact.surface) for contact in model.contacts if isinstance(contact, Contact)]
    return not any(isinstance(body, Sphere) and isinstance(surface, Implicit) for body, surface in bodies)


@singledispatch
def gap_of(contact) -> sm.Expr:
    """The gap of anything in ``model.contacts``."""
    raise NotImplementedError(f"no formula for the gap of {contact!r}")


@gap_of.register
def _(contact: Contact) -> sm.Expr:
    return touching(contact.point, contact.surface)


@gap_of.register
def _(limit: Limit) -> sm.Expr:
    return limit.expression * (1 if limit.lever is None else limit.lever)


@gap_of.register
def _(string: String) -> sm.Expr:
    return string.length - size(string.end.pos_from(string.start))


@singledispatch
def touching(body, surface) -> sm.Expr:
    """The gap between what touches and a surface."""
    raise NotImplementedError(f"no formula for the gap of {body!r}")


@touching.register
def _(point: Point, surface) -> sm.Expr:
    return distance(surface, point)


@touching.register
def _(ball: Sphere, surface) -> sm.Expr:
    if isinstance(surface, Implicit):
        raise NotImplementedError("no formula tells which place of an implicit surface is nearest to a ball")
    return distance(surface, ball.center) - ball.radius


@touching.register
def _(disc: Disc, plane: Plane) -> sm.Expr:
    tilt = plane.normal.cross(disc.axis)  # as long as the normal's part in the disc's plane
    return distance(plane, disc.center) - disc.radius * size(tilt)


@touching.register
def _(capsule: Capsule, sphere) -> sm.Expr:
    return distance(capsule, sphere.center) - sphere.radius


@singledispatch
def distance(surface, point: Point) -> sm.Expr:
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
    part = Larger(0, -Larger(-1, -away.dot(whole) / whole.dot(whole)))
    return size(away - part * whole) - capsule.radius


@distance.register
def _(surface: Implicit, point: Point) -> sm.Expr:
    away = point.pos_from(surface.origin)
    place = dict(zip(surface.letters, (away.dot(axis) for axis in surface.frame), strict=True))
    slopes = [surface.expression.diff(letter) for letter in surface.letters]
    return (surface.expression / sm.sqrt(sum(slope**2 for slope in slopes))).xreplace(place)


@distance.register
def _(polygon: ConvexPolygon, point: Point) -> sm.Expr:
    heights = []
    for start, end in pairwise((*polygon.corners, polygon.corners[0])):
        edge = end.pos_from(start)
        outwards = edge.cross(polygon.axis)
        heights.append(point.pos_from(start).dot(outwards) / size(edge))
    return reduce(Larger, heights)


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
