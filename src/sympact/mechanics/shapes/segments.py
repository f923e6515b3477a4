"""Where a straight bar is nearest to another one, to a straight line, or to a surface phi = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sympact.graph import Graph, Substitution, Tangent
from sympact.graph.algebra.linear import dot, plus, scale
from sympact.mechanics.shapes.closest_point import Field, Foot, nearest

__all__ = ["Clamped", "Pair", "Touching", "nearest_of_bar", "nearest_to_bar", "nearest_to_line"]

Triple = list[int]

_LOOKS = 9  # places along a bar that are looked at before Newton's method begins
_LETTER = 3  # the number of the unknown that stands for the part of a bar
_PARALLEL = 1e-14  # square of the sine of an angle: below it no place between the ends is nearer than both, but by it


@dataclass(frozen=True, slots=True)
class Clamped:
    """A quotient kept between 0 and 1, by conditions on nodes that have no pole.

    Attributes
    ----------
    above, below : node
        It is less than 0 where `above` is, and more than 1 where `above` is more than `below`.
    quotient : node
    """

    graph: Graph
    above: int
    below: int
    quotient: int

    def chosen(self, zero: int, one: int, between: int) -> int:
        """One of three nodes: where it is 0, where it is 1, and where it is between the two."""
        graph = self.graph
        most = graph.select(graph.less(self.above, self.below), between, one)
        return graph.select(graph.less(graph.zero, self.above), most, zero)

    @property
    def part(self) -> int:
        """The quotient; 0 where it is negative, 1 where it is larger than 1."""
        return self.chosen(self.graph.zero, self.graph.one, self.quotient)

    def branches(self, before: tuple[str, str], past: tuple[str, str]) -> dict[tuple[int, int], tuple[str, str]]:
        """Names of the conditions: where it is positive and where not, where it is less than 1 and where not."""
        return {(self.above, self.graph.zero): before, (self.below, self.above): past}


def nearest_to_line(graph: Graph, whole: Triple, away: Triple, axis: Triple) -> Clamped:
    """The part of a bar that is nearest to a line.

    `whole` is the bar, `away` leads to its start from the line, whose direction is the unit vector `axis`. Where the
    two are parallel it is the middle, where they are nearly so an end.
    """
    a, b, c, f = (dot(graph, *pair) for pair in ((whole, whole), (whole, axis), (whole, away), (axis, away)))
    above, below = graph.sub(graph.mul(b, f), c), graph.sub(a, graph.mul(b, b))
    return _regular(graph, above, below, graph.mul(graph.const(_PARALLEL), a))


@dataclass(frozen=True, slots=True)
class Pair:
    """Where two bars are nearest, found as Ericson does (Real-Time Collision Detection, 2005, section 5.1.9).

    Attributes
    ----------
    free : Clamped
        The part of the first bar that is nearest to the line through the second.
    theirs : Clamped
        The part of the second that is nearest to that place.
    again : Clamped
        The part of the first that is nearest to the end of the second, where that is it; else somewhere between.
    """

    free: Clamped
    theirs: Clamped
    again: Clamped

    @property
    def parts(self) -> tuple[int, int]:
        """How far along the first bar and along the second."""
        return self.theirs.chosen(self.again.part, self.again.part, self.free.part), self.theirs.part


def nearest_to_bar(graph: Graph, whole: Triple, away: Triple, other: Triple) -> Pair:
    """Where a bar is nearest to another bar.

    `whole` and `other` are the bars, `away` leads from the start of the other to that of this one. Where the two are
    parallel it is the middle of the first if that is beside the second, where they are nearly so an end.
    """
    pairs = ((whole, whole), (whole, other), (whole, away), (other, other), (other, away))
    a, b, c, e, f = (dot(graph, *pair) for pair in pairs)
    above = graph.sub(graph.mul(b, f), graph.mul(c, e))
    below = graph.sub(graph.mul(a, e), graph.mul(b, b))
    free = _regular(graph, above, below, graph.mul(graph.const(_PARALLEL), graph.mul(a, e)))
    along = graph.add(graph.mul(b, free.part), f)
    theirs = Clamped(graph, along, e, graph.div(along, e))
    end = theirs.chosen(graph.neg(c), graph.sub(b, c), graph.mul(graph.const(0.5), a))
    return Pair(free, theirs, Clamped(graph, end, a, graph.div(end, a)))


def _regular(graph: Graph, above: int, below: int, least: int) -> Clamped:
    """A quotient whose divisor is a square; where that is less than `least`, 0, 1, or between the two 1/2."""
    half, small = graph.const(0.5), graph.below(below, least)
    towards = graph.sub(above, graph.mul(half, below))
    return Clamped(
        graph,
        graph.select(small, towards, above),
        graph.select(small, graph.zero, below),
        graph.select(small, half, graph.div(above, below)),
    )


@dataclass(frozen=True, slots=True)
class Touching:
    """Where a bar is nearest to a surface phi = 0, as nodes; components along the axes in which phi is written.

    Attributes
    ----------
    gap : node
        Less the radius of the bar.
    part : node
        How far along from its start (0) to its end (1).
    normal : three nodes
    climbs : pair of nodes
        The growth of the distance along the bar, at its start and at its end.
    known : dict of str to node
        The numbers, all held, that these are written with.
    """

    gap: int
    part: int
    normal: Triple
    climbs: tuple[int, int]
    known: dict[str, int]


def nearest_of_bar(field: Field, start: Triple, whole: Triple, radius: int) -> Touching:
    """Where a bar is nearest to a surface: at an end, or between the two where the distance falls from both.

    Where it falls towards both ends, over a hollow, it is the end that is nearer.
    """
    graph = field.graph
    (at_start, climb), (at_end, fall) = (_end(field, start, whole, part, radius) for part in (graph.zero, graph.one))
    ends = [at_start.gap(graph, radius), at_end.gap(graph, radius)]
    climb, fall = _where_found(graph, at_start, climb), _where_found(graph, at_end, fall)
    line = nearest(field, start, whole, _best_look(field, start, whole))
    begun, ended = graph.less(climb, graph.zero), graph.less(graph.zero, fall)
    ahead = graph.held(graph.sub(at_end.distance, at_start.distance))
    first = graph.below(graph.zero, ahead)

    def chosen(a: int, b: int, between: int) -> int:
        end = graph.select(first, a, b)
        return graph.select(begun, graph.select(ended, between, end), end)

    feet = {"start": at_start, "end": at_end, "between": line}
    gaps = [*ends, line.gap(graph, radius)]
    known = {f"{name}_{where}": node for where, foot in feet.items() for name, node in foot.known.items()}
    return Touching(
        chosen(*gaps),
        chosen(graph.zero, graph.one, line.part),
        [chosen(*parts) for parts in zip(*(foot.normal for foot in feet.values()), strict=True)],
        (climb, fall),
        known | {"first": ahead},
    )


def _end(field: Field, start: Triple, whole: Triple, part: int, radius: int) -> tuple[Foot, int]:
    """The nearest place to an end of a bar, and the derivative of its distance along the bar.

    The distance is right with its third derivatives, and so the one along the bar with its second.
    """
    graph, letter = field.graph, field.graph.unknown(_LETTER)
    moving = nearest(field, plus(graph, start, scale(graph, letter, whole)), near=radius)
    climb = Tangent(graph, {letter: graph.one})(moving.distance)
    put = Substitution(graph, {letter: part})
    foot = nearest(field, plus(graph, start, scale(graph, part, whole)), near=radius)
    return foot, put(climb)


def _where_found(graph: Graph, foot: Foot, climb: int) -> int:
    """The derivative of an end's distance; not a number where its nearest place was not found: far off, none is told.

    There the distance is no distance, and its derivative tells nothing. A margin that is no number turns no switch.
    """
    found = graph.below(foot.known["lost"], graph.one)
    return graph.select(found, climb, graph.const(math.nan))


def _best_look(field: Field, start: Triple, whole: Triple) -> Triple:
    """Of some places along a bar the one where phi is least for its steepness."""
    graph, best, least = field.graph, start, field.graph.const(math.inf)
    for k in range(_LOOKS):
        place = plus(graph, start, scale(graph, graph.const(k / (_LOOKS - 1)), whole))
        local = field.at(place)
        height = graph.div(local.value, local.steepness)
        better = graph.below(height, least)
        best = [graph.select(better, new, old) for new, old in zip(place, best, strict=True)]
        least = graph.select(better, height, least)
    return best
