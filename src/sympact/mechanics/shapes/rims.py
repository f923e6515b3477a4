"""The lowest place of a circle above any surface, found by its angle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy.physics.vector import Point

from sympact.graph import Bound, Graph, Substitution, Tangent, decided_at, unfollowed
from sympact.graph.algebra.linear import plus, scale
from sympact.mechanics.shapes.surfaces import Surface
from sympact.mechanics.shapes.tangents import tangents

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Lowest", "lowest"]

Triple = list[int]

LOOKS, STEPS = 16, 5
"""Angles that are looked at, and Newton steps from the best two of them; each squares the error."""

PIECES = 3  # of the circle, each of which is bounded by itself

_ANGLE = 3  # the number of the unknown that stands for the angle
_ROUNDING = 1e-11  # of the radius: an error of the gap that is left


@dataclass(frozen=True, slots=True)
class Lowest:
    """The lowest place of a circle, as nodes.

    Attributes
    ----------
    point : Point
        There, known to the kinematics it was found with.
    outwards : three nodes
        The unit vector from the middle to it, in N; right with its first derivatives.
    gap : node
        Of the surface at the place, right with its first three derivatives. Not a number where no place was found.
    known : dict of str to node
        The numbers, all held, that these are written with.
    at : _Place
    """

    point: Point
    outwards: Triple
    gap: int
    known: dict[str, int]
    at: _Place

    def decided(self, nodes: Iterable[int]) -> list[int]:
        """Nodes that are written with the place, with conditions on it decided as those of the gap are."""
        return [self.at.decided(node) for node in nodes]

    def deciding(self, sides: tuple[int, int]) -> tuple[int, int]:
        """Both sides of a condition on the place as they are where conditions are decided."""
        return self.at.put(sides[0]), self.at.put(sides[1])


@dataclass(frozen=True, slots=True)
class _Place:
    """The angle of the lowest place, as two nodes of the same value.

    Attributes
    ----------
    angle : node
        In the branches that the conditions are in: on the far side of a margin its smooth continuation.
    seen : node
        In the branches that hold there, whatever is in force: it tells which they are. Right with its first derivative,
        and so is the rate of a margin, of which both branches agree on the sign. An angle that is held has none.
    """

    graph: Graph
    angle: int
    seen: int

    def decided(self, node: int) -> int:
        """A node with its conditions on the angle decided where it is seen."""
        return decided_at(self.graph, node, self.angle, self.seen)

    def put(self, node: int) -> int:
        """A node with the angle as it is seen."""
        return Substitution(self.graph, {self.angle: self.seen})(node)


def lowest(kinematics: Kinematics, center: Point, axis: Triple, radius: int, surface: Surface) -> Lowest:
    """The place of a circle where the gap of a surface is least.

    `axis` is the circle's, in N. Of some angles the best two are where Newton's method starts; the lower place that it
    comes to is held, and one more step with a held derivative follows. Where the gap is least an error of the angle
    counts quadratically, so that the gap's derivatives are right as those of any expression are.
    """
    graph = kinematics.graph
    across = tangents(graph, axis)

    def outwards(angle: int) -> Triple:
        parts = (graph.call(f, angle) for f in ("cos", "sin"))
        return plus(graph, *(scale(graph, part, a) for part, a in zip(parts, across, strict=True)))

    def place(angle: int) -> Point:
        return kinematics.beside(center, scale(graph, radius, outwards(angle)), center.name)

    letter = graph.unknown(_ANGLE)
    along = Tangent(graph, {letter: graph.one})
    height = surface.gap(kinematics, place(letter))
    slope = along(height)
    curve = _Curve(graph, letter, (height, slope, along(slope)))
    starts, rough = _best_two(graph, curve)
    first, other = (_descended(graph, curve, start) for start in starts)
    lower = graph.below(curve.at(other)[0], curve.at(first)[0])
    start = graph.held(graph.select(lower, other, first))
    _, slope, bend = curve.at(start)
    held = graph.held(bend)
    seen = graph.sub(start, graph.div(unfollowed(graph, slope, start), held))
    slope, branch = (decided_at(graph, node, start, seen) for node in (slope, bend))
    step = graph.neg(graph.div(slope, held if branch == bend else branch))
    angle = graph.add(start, step)
    at, point = _Place(graph, angle, seen), place(angle)
    gap = at.decided(surface.gap(kinematics, point))
    error = graph.call("abs", graph.mul(step, slope))
    found, instead, lost = _judged(graph, gap, error, radius, rough)
    kinematics.bounds[found] = Bound((height,), None, {letter: (0.0, 2 * math.pi)}, PIECES)
    known = {"angle": start, "bend": held, "lost": lost, "instead": instead}
    return Lowest(point, outwards(angle), found, known, at)


@dataclass(frozen=True, slots=True)
class _Curve:
    """The gap along the circle with two derivatives by the angle, for any angle."""

    graph: Graph
    letter: int
    nodes: tuple[int, int, int]

    def at(self, angle: int) -> list[int]:
        """The three at an angle."""
        put = Substitution(self.graph, {self.letter: angle})
        return [put(node) for node in self.nodes]


def _best_two(graph: Graph, curve: _Curve) -> tuple[tuple[int, int], int]:
    """Of some angles the two with the least gaps of those lower than their neighbours; the least gap.

    A circle may be near a surface on both sides: which of the two places is the lower one the looks need not tell.
    Where they show one hollow, the second start is on its other side, from where another place in it is found: a circle
    that bends nearly as the surface does has two that are less than two looks apart.
    """
    angles = [graph.const(2 * math.pi * k / LOOKS) for k in range(LOOKS)]
    heights = [curve.at(angle)[0] for angle in angles]
    sides = [
        graph.select(graph.below(heights[(k + 1) % LOOKS], heights[k - 1]), angles[(k + 1) % LOOKS], angles[k - 1])
        for k in range(LOOKS)
    ]
    angle, second, least = angles[0], sides[0], heights[0]
    for other, side, height in zip(angles[1:], sides[1:], heights[1:], strict=True):
        better = graph.below(height, least)
        angle, second = graph.select(better, other, angle), graph.select(better, side, second)
        least = graph.select(better, height, least)
    next_least = graph.const(math.inf)
    for k, (other, height) in enumerate(zip(angles, heights, strict=True)):
        hollow = graph.and_(graph.below(height, heights[k - 1]), graph.below(height, heights[(k + 1) % LOOKS]))
        better = graph.and_(graph.not_(graph.equal(other, angle)), graph.below(height, next_least))
        better = graph.and_(hollow, better)
        second, next_least = graph.select(better, other, second), graph.select(better, height, next_least)
    return (angle, second), graph.held(least)


def _descended(graph: Graph, curve: _Curve, start: int) -> int:
    """Where Newton steps downhill lead from an angle."""
    for _ in range(STEPS):
        start = graph.add(start, _safe_step(graph, *curve.at(start)[1:]))
    return start


def _safe_step(graph: Graph, slope: int, bend: int) -> int:
    """A Newton step downhill, no longer than from one look half-way to the next."""
    step = graph.neg(graph.div(slope, graph.call("abs", bend)))
    most = graph.const(math.pi / LOOKS)
    step = graph.select(graph.below(most, step), most, step)
    return graph.select(graph.below(step, graph.neg(most)), graph.neg(most), step)


def _judged(graph: Graph, gap: int, error: int, radius: int, rough: int) -> tuple[int, int, int]:
    """The gap where its error is small, else that of the best look if it is large, else not a number."""
    allowed = graph.add(graph.mul(graph.const(1e-3), graph.call("abs", gap)), graph.mul(graph.const(_ROUNDING), radius))
    lost = graph.held(graph.select(graph.below(error, allowed), graph.zero, graph.one))
    instead = graph.held(graph.select(graph.below(radius, rough), rough, graph.const(float("nan"))))
    return graph.select(graph.below(lost, graph.one), gap, instead), instead, lost
