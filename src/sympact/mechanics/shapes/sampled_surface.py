"""From where a search for the nearest place of a surface may start, besides the point itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sympact.graph.algebra.linear import dot, minus, plus, scale
from sympact.mechanics.kit.vectors import length
from sympact.mechanics.shapes.tangents import tangents

if TYPE_CHECKING:
    from sympact.mechanics.shapes.closest_point import Field

__all__ = ["best_look", "look_elsewhere"]

Triple = list[int]

_HALVINGS = 4  # of the way to a look behind the surface: from there Newton's method finds the place on this side
_RADII = (1.0, 1.6)  # of the radius of what touches
_PARTS = {1: (0.6,), 2: (1.0,), 3: (0.6,)}
"""Of the distance that is known already, than which no nearer place is farther off; by the number of axes."""
_TURNS = (0.015, 0.05, 0.15, 0.4)
"""Angles (rad) from a place to looks for another one beside it, where those all around are too far apart.

Two places at the angle 2 s have the top of a hump at s between them: looks from there on to about 3.5 s lead to the
second. Steps of a factor of three find places from 0.01 rad on, up to where the looks all around take over.
"""


def best_look(field: Field, point: Triple, radius: int, known: int, instead: Triple) -> Triple:
    """Of some places all around a point that one from where a place of the surface seems to be the nearest to it.

    The looks are on spheres of about the given radius, where what touches is, and on some that reach to the distance
    `known`. The distance behind a look is taken to first order; a look that is beyond the surface is moved to where the
    way to it meets the surface. Where no look promises less than `known` it is `instead`.
    """
    graph, best, least = field.graph, instead, known
    here, _ = field.heights_at(point)
    reaches = [graph.mul(graph.const(part), radius) for part in _RADII]
    reaches += [graph.mul(graph.const(part), known) for part in _PARTS[len(field.axes)]]
    for direction in _directions(field.axes):
        arrow = [graph.const(part) for part in direction]
        for reach in reaches:
            look = plus(graph, point, scale(graph, reach, arrow))
            value, slopes = field.heights_at(look)
            beyond = graph.add(reach, graph.div(value, length(graph, slopes)))
            before = graph.div(graph.mul(reach, here), graph.sub(here, value))
            seen = graph.select(graph.below(value, graph.zero), before, beyond)
            better = graph.below(seen, least)
            best = [graph.select(better, new, old) for new, old in zip(look, best, strict=True)]
            least = graph.select(better, seen, least)
    return _crossing(field, point, best, instead)


def look_elsewhere(field: Field, point: Triple, place: Triple) -> Triple:
    """Of some places as far from a point as a place of the surface that one which tells most of another such place.

    Where it is the only one near, the surface leaves the sphere about the point with the square of the angle. Where it
    leaves it more slowly, or enters it, there is another place: the height of a look above the surface, to first order,
    counts in comparison with that square.
    """
    graph, best, least = field.graph, place, field.graph.const(math.inf)
    away = minus(graph, place, point)
    far = length(graph, away)
    for arrow, square in _arrows(field, [graph.div(part, far) for part in away]):
        look = plus(graph, point, scale(graph, far, arrow))
        value, slopes = field.heights_at(look)
        seen = graph.div(value, graph.mul(length(graph, slopes), square))
        better = graph.below(seen, least)
        best = [graph.select(better, new, old) for new, old in zip(look, best, strict=True)]
        least = graph.select(better, seen, least)
    return best


def _arrows(field: Field, known: Triple) -> Iterator[tuple[Triple, int]]:
    """Unit vectors all around and close to a known one, each with 1 - cos of its angle to that."""
    graph = field.graph
    for direction in _directions(field.axes):
        arrow = [graph.const(part) for part in direction]
        yield arrow, graph.sub(graph.one, dot(graph, arrow, known))
    for turn in _TURNS:
        ahead, aside = scale(graph, graph.const(math.cos(turn)), known), graph.const(math.sin(turn))
        for axis in _around(field, known):
            yield plus(graph, ahead, scale(graph, aside, axis)), graph.const(1.0 - math.cos(turn))


def _around(field: Field, normal: Triple) -> list[Triple]:
    """Unit vectors at right angles to a unit vector, along which phi changes."""
    graph = field.graph
    first, second = tangents(graph, normal)
    if len(field.axes) == 1:
        return []
    if len(field.axes) == 2:
        return [first, [graph.neg(part) for part in first]]
    return [axis for one in (first, second) for axis in (one, [graph.neg(part) for part in one])]


def _crossing(field: Field, point: Triple, look: Triple, instead: Triple) -> Triple:
    """Where the surface is met on the way to a look that is beyond it; the look itself where it is not."""
    graph, low, high = field.graph, point, look
    for _ in range(_HALVINGS):
        middle = scale(graph, graph.const(0.5), plus(graph, low, high))
        behind = graph.below(field.heights_at(middle)[0], graph.zero)
        low, high = (
            [graph.select(behind, a, b) for a, b in zip(*pair, strict=True)] for pair in ((low, middle), (middle, high))
        )
    met = graph.below(field.heights_at(look)[0], graph.zero)
    met = graph.and_(met, graph.not_(graph.equal(look[field.axes[0]], instead[field.axes[0]])))
    return [graph.select(met, a, b) for a, b in zip(high, look, strict=True)]


def _directions(axes: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Unit vectors: in a plane 16 all around, in space 14, to the faces and the corners of a cube."""
    if len(axes) == 2:
        turns = [2.0 * math.pi * k / 16 for k in range(16)]
        places = [dict(zip(axes, (math.cos(turn), math.sin(turn)), strict=True)) for turn in turns]
        return [tuple(place.get(axis, 0.0) for axis in range(3)) for place in places]
    found = []
    for signs in product((-1, 0, 1), repeat=len(axes)):
        size = math.hypot(*signs)
        if sum(map(abs, signs)) in (1, len(axes)):
            vector = [0.0, 0.0, 0.0]
            for axis, sign in zip(axes, signs, strict=True):
                vector[axis] = sign / size
            found.append(tuple(vector))
    return found
