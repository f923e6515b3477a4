"""From where a search for the nearest place of a surface may start, besides the point itself."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from sympact.graph.linear import plus, scale
from sympact.mechanics.vectors import length

if TYPE_CHECKING:
    from sympact.mechanics.nearest import Field

__all__ = ["best_look"]

Triple = list[int]

_HALVINGS = 4  # of the way to a look behind the surface: from there Newton's method finds the place on this side
_RADII = (1.0, 1.6)  # of the radius of what touches
_PARTS = {1: (0.6,), 2: (0.55, 1.0), 3: (0.6,)}
"""Of the distance that is known already, than which no nearer place is farther off; by the number of axes."""


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
