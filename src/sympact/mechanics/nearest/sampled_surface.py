"""Starts of a search for the closest point of a surface, besides the given point itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from sympact.graph.formula import Scalar, Vector3, below, number, where
from sympact.mechanics.nearest.surface_field import Field
from sympact.mechanics.nearest.tangents import tangents

__all__ = ["best_look", "look_elsewhere"]

_HALVINGS = 4  # of the way to a sample behind the surface: from there Newton's method finds the point on this side
_RADII = (1.0, 1.6)  # of the radius of the contacting part
_PARTS = {1: (0.6,), 2: (1.0,), 3: (0.6,)}
"""Of the known distance, beyond which no closer point can lie; by the number of axes."""
_TURNS = (0.015, 0.05, 0.15, 0.4)
"""Angles (rad) from a point to samples for another one beside it, where those all around are too far apart.

Two points at the angle 2 s have the top of a hump at s between them: samples from there to about 3.5 s lead to the
second. Steps of a factor of three find points from 0.01 rad on, up to where the samples all around suffice.
"""


def best_look(field: Field, point: Vector3, radius: Scalar, known: Scalar, instead: Vector3) -> Vector3:
    """Of some samples around a point the one at which a point of the surface seems to be closest to it.

    The samples are on spheres of about the given radius, that of the contacting part, and on some that reach to the
    distance `known`. The distance at a sample is taken to first order; a sample beyond the surface is moved to where
    the way to it meets the surface. Where no sample promises less than `known` the result is `instead`.
    """
    best, least = instead, known
    here, _ = field.heights_at(point)
    reaches = [part * radius for part in _RADII] + [part * known for part in _PARTS[len(field.axes)]]
    for arrow in _directions(field):
        for reach in reaches:
            look = point + reach * arrow
            value, slopes = field.heights_at(look)
            beyond = reach + value / slopes.norm
            before = reach * here / (here - value)
            seen = where(below(value, 0), before, beyond)
            better = below(seen, least)
            best, least = where(better, look, best), where(better, seen, least)
    return _crossing(field, point, best, instead)


def look_elsewhere(field: Field, point: Vector3, place: Vector3) -> Vector3:
    """Of some samples as far from a point as a point of the surface the one that most indicates another such point.

    Where it is the only one near, the surface leaves the sphere about the given point with the square of the angle.
    Where it leaves it more slowly, or enters it, there is another one: the criterion is the height of a sample above
    the surface, to first order, relative to that square.
    """
    best, least = place, number(field.graph, math.inf)
    away = place - point
    far = away.norm
    for arrow, square in _arrows(field, away / far):
        look = point + far * arrow
        value, slopes = field.heights_at(look)
        seen = value / (slopes.norm * square)
        better = below(seen, least)
        best, least = where(better, look, best), where(better, seen, least)
    return best


def _arrows(field: Field, known: Vector3) -> Iterator[tuple[Vector3, Scalar | float]]:
    """Unit vectors all around and close to a known one, each with 1 - cos of its angle to that."""
    for arrow in _directions(field):
        yield arrow, 1 - arrow.dot(known)
    for turn in _TURNS:
        for axis in _around(field, known):
            yield math.cos(turn) * known + math.sin(turn) * axis, 1.0 - math.cos(turn)


def _around(field: Field, normal: Vector3) -> list[Vector3]:
    """Unit vectors at right angles to a unit vector, along which phi varies."""
    first, second = tangents(normal)
    return {1: [], 2: [first, -first], 3: [first, -first, second, -second]}[len(field.axes)]


def _crossing(field: Field, point: Vector3, look: Vector3, instead: Vector3) -> Vector3:
    """The intersection of the surface with the way to a sample beyond it; the sample itself where there is none."""
    low, high = point, look
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        behind = below(field.heights_at(middle)[0], 0)
        low, high = where(behind, low, middle), where(behind, middle, high)
    met = below(field.heights_at(look)[0], 0)
    met = met & ~look[field.axes[0]].equals(instead[field.axes[0]])
    return where(met, high, look)


def _directions(field: Field) -> list[Vector3]:
    """Unit vectors: in a plane 16 all around, in space 14, to the faces and the corners of a cube."""
    axes, found = field.axes, []
    if len(axes) == 2:
        turns = [2.0 * math.pi * k / 16 for k in range(16)]
        places = [dict(zip(axes, (math.cos(turn), math.sin(turn)), strict=True)) for turn in turns]
    else:
        signs = [sign for sign in product((-1, 0, 1), repeat=len(axes)) if sum(map(abs, sign)) in (1, len(axes))]
        places = [{axis: part / math.hypot(*sign) for axis, part in zip(axes, sign, strict=True)} for sign in signs]
    for place in places:
        x, y, z = (place.get(axis, 0.0) for axis in range(3))
        found.append(Vector3.of(number(field.graph, x), y, z))
    return found
