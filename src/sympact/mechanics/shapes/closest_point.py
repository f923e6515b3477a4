"""The place of a surface phi = 0 that is nearest to a point or to a straight line, as nodes.

The place solves equations that have no closed form. Some safe Newton steps, written out one after the other, lead to
it; what they come to is *held*, so that no derivative looks into them. A last Newton step follows whose matrix is held
too, while phi and the point are not. From a place x0 that solves the equations the step is zero, but its derivative is
that of the solution, because its error is of second order in the change of the point. The distance is written so that
an error of the place counts quadratically: it is exact, with its first three derivatives, by the rules that hold for
any expression, and so is the first derivative of the place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympact.graph import Graph, Substitution, Tangent
from sympact.graph.algebra.linear import dot, matvec, minus, plus, scale
from sympact.mechanics.kit.vectors import length
from sympact.mechanics.shapes.sampled_surface import best_look, look_elsewhere
from sympact.mechanics.shapes.tangents import tangents

__all__ = ["TWO", "Field", "Foot", "nearest"]

Triple = list[int]

STRAIGHT, SAFE, BOLD = 4, 4, 10
"""Steps that are held: to the surface, along the normal alone, then two kinds of steps of Newton's method.

Tried on 9858 places at up to two radii from hills, ridges, waves, grooves, bowls and tori, and on 175 pairs of places
that a ball touches at once. With (8, 8) or (6, 6) steps of the two kinds about as many of the first are lost; of
the pairs (4, 10) and (8, 8) miss one, (6, 8), (5, 8) and (6, 6) seven.
"""

_SAFE, _BOLD = (0.2, 1.0), (0.005, 0.2)
"""How small 1 + distance times curvature may be, and how far a step may lead, in distances.

Near a centre of curvature the first is small. Safe steps shorten what follows from it, the bold ones find the place.
"""

_ALONG = 1e-6  # how small the curvature may be for a line, where along it it is distance times curvature alone
_TRUSTED = 0.05  # an error of the distance up to this part of the gap decides nothing
_TOUCHING = 0.01  # radii: nearer than that the place has to be the nearest one of the surface
_APART = 4.0  # radii: a place that is not found matters only nearer than that
_ASIDE = 0.01  # radii: what two searches find nearer together than that is one place
_NO_PLACE = 1e-3  # of the distance: so far from the surface nothing is a place of it
_ROUNDING = 1e-11  # of the distance: what is left of the error after a step that was the last one needed

TWO = 1e-6
"""Radii: a ball that is as near as that to two places touches both, and has no gap.

More than what Newton's method leaves of the error of a second place, so that none is overlooked, and so little that
where a run ends hardly depends on it.
"""


class Field:
    """phi with its derivatives, at any place.

    Parameters
    ----------
    graph : Graph
    value : node
        phi of the letters.
    letters : three nodes
        ``graph.unknown(i)``, which stand for x, y and z.

    Attributes
    ----------
    axes : tuple of int
        The axes along which phi changes at all.
    """

    def __init__(self, graph: Graph, value: int, letters: Sequence[int]) -> None:
        along = [Tangent(graph, {letter: graph.one}) for letter in letters]
        self.graph = graph
        self._letters = letters
        self._value = value
        self._slopes = [slope(value) for slope in along]
        self.axes = tuple(i for i in range(3) if self._slopes[i] != graph.zero)
        self._bends = {(i, j): along[j](self._slopes[i]) for i in range(3) for j in range(i + 1)}

    def rate_at(self, place: Triple, seed: Mapping[int, int]) -> int:
        """The derivative of phi, at a place that stays, where its other letters have the derivatives in `seed`."""
        slope = Tangent(self.graph, seed)(self._value)
        return Substitution(self.graph, dict(zip(self._letters, place, strict=True)))(slope)

    def heights_at(self, place: Triple) -> tuple[int, Triple]:
        """phi and its gradient at a place."""
        put = Substitution(self.graph, dict(zip(self._letters, place, strict=True)))
        return put(self._value), [put(slope) for slope in self._slopes]

    def at(self, place: Triple) -> Local:
        """phi, its gradient and its matrix of second derivatives at a place."""
        put = Substitution(self.graph, dict(zip(self._letters, place, strict=True)))
        bends = {key: put(node) for key, node in self._bends.items()}
        matrix = [[bends[max(i, j), min(i, j)] for j in range(3)] for i in range(3)]
        return Local(self.graph, put(self._value), [put(slope) for slope in self._slopes], matrix)


@dataclass(frozen=True, slots=True)
class Local:
    """phi, its gradient and its second derivatives at one place, as nodes."""

    graph: Graph
    value: int
    slopes: Triple
    bends: list[Triple]

    @property
    def steepness(self) -> int:
        """|grad phi|."""
        return length(self.graph, self.slopes)

    @property
    def normal(self) -> Triple:
        """grad phi/|grad phi|."""
        return [self.graph.div(slope, self.steepness) for slope in self.slopes]


@dataclass(frozen=True, slots=True)
class Foot:
    """The nearest place as nodes, components along the axes in which phi is written.

    Attributes
    ----------
    place, normal : three nodes
        Right with their first derivatives.
    distance : node
        Signed, positive on the free side; right with its first three derivatives.
    part : node
        Of a line, how far along the nearest place of it is (in units of its vector); right with its first two
        derivatives. Zero for a point.
    error : node
        By how much the distance may be wrong.
    bend : node
        The least of 1 + distance times curvature: where it is negative the place is not the nearest one.
    rough : node
        The distance of a place of the surface, of where the way down the gradient meets it if no nearer one was found:
        never less than the distance itself.
    side : node
        phi at the point, of the sign that the distance has to have; one for a line.
    second : node
        How far the second nearest place is that was found, and how far off the surface; infinite where there is none.
    known : dict of str to node
        The numbers, all held, that these are written with: the place before the last step (x, y, z) and its matrices.
    """

    place: Triple
    normal: Triple
    distance: int
    part: int
    error: int
    bend: int
    rough: int
    side: int
    second: int
    known: dict[str, int]

    def gap(self, graph: Graph, radius: int) -> int:
        """The distance less a radius.

        Where the place was not found, or is seen from the wrong side, it is taken from the rough distance if that is
        several radii, else it is not a number; nor is it where the two nearly touch at a place that is not the nearest
        one, or where they touch at two: a contact of one place cannot tell what happens there.
        """
        gap, size = graph.sub(self.distance, radius), graph.call("abs", self.distance)
        decided = graph.mul(graph.const(_TRUSTED), graph.call("abs", gap))
        allowed = graph.add(decided, graph.mul(graph.const(_ROUNDING), size))
        apart = graph.below(graph.mul(graph.const(_APART), radius), self.rough)
        touching = graph.below(gap, graph.mul(graph.const(_TOUCHING), radius))
        touching = graph.and_(touching, graph.below(self.error, size))  # wrong by more than itself it tells of no touch
        both = graph.below(self.second_gap(graph, radius), graph.const(TWO))
        wrong = graph.and_(touching, graph.or_(graph.below(self.bend, graph.zero), both))
        behind = graph.below(graph.mul(self.side, self.distance), graph.zero)
        found = graph.and_(graph.below(self.error, allowed), graph.not_(graph.or_(wrong, behind)))
        far = graph.and_(apart, graph.not_(wrong))
        instead = graph.select(far, graph.sub(self.rough, radius), graph.const(float("nan")))
        lost = graph.held(graph.select(found, graph.zero, graph.one))
        self.known.update(lost=lost, instead=graph.held(instead))
        return graph.select(graph.below(lost, graph.one), gap, self.known["instead"])

    def second_gap(self, graph: Graph, radius: int) -> int:
        """The distance of the second place less a radius, in radii."""
        return graph.div(graph.sub(self.second, radius), radius)


@dataclass(frozen=True, slots=True)
class _Target:
    """A point, or the line through it along a vector: what the surface is near to."""

    graph: Graph
    point: Triple
    along: Triple | None

    def across(self, vector: Triple) -> Triple:
        """The part of a vector that counts: of a line, that at right angles to it."""
        if self.along is None:
            return vector
        return minus(self.graph, vector, scale(self.graph, self._part(self.along, vector), self.along))

    def least_bend(self, least: float) -> float:
        """The least curvature of the equations along the surface."""
        return least if self.along is None else _ALONG

    def reach(self, place: Triple) -> int:
        """How far the point is away, or how long the vector is."""
        return length(self.graph, minus(self.graph, self.point, place) if self.along is None else self.along)

    def part(self, place: Triple) -> int:
        """How far along the line a place is."""
        return self.graph.zero if self.along is None else self._part(self.along, minus(self.graph, place, self.point))

    def nearest_to(self, place: Triple) -> Triple:
        """The place of it that is nearest to a place."""
        if self.along is None:
            return self.point
        return plus(self.graph, self.point, scale(self.graph, self.part(place), self.along))

    def _part(self, along: Triple, vector: Triple) -> int:
        whole = dot(self.graph, along, along)
        return self.graph.div(dot(self.graph, vector, along), whole)


def nearest(
    field: Field, point: Triple, along: Triple | None = None, start: Triple | None = None, near: int | None = None
) -> Foot:
    """The place of phi = 0 that is nearest to a point, or to the line through it.

    The search starts at the point itself, or where it is told to, goes down the gradient, and then along the surface.
    With `near`, the radius of a ball about the point, it starts from the best of some looks all around if that promises
    a nearer place than the way down the gradient, a second one starts from where most tells of another place, and the
    nearer of the two places counts.
    """
    graph = field.graph
    target = _Target(graph, point, along)
    place, rough = _straight(field, target, start or point)
    second = graph.const(math.inf)
    if near is None:
        place = _settled(field, target, place)
    else:
        place = _settled(field, target, best_look(field, point, near, rough, place))
        other = _settled(field, target, look_elsewhere(field, point, place))
        heights = _height(field, point, other), _height(field, point, place)
        better = graph.below(*heights)
        twice = graph.below(_apart(graph, other, place), graph.mul(graph.const(_ASIDE), near))
        second = graph.select(twice, second, graph.select(better, *reversed(heights)))
        first = graph.select(better, *heights)
        rough = graph.select(graph.below(first, rough), first, rough)
        place = [graph.select(better, new, old) for new, old in zip(other, place, strict=True)]
    rough, found = graph.held(rough), [graph.held(part) for part in place]
    here, known, error, bend = _last_step(field, target, found)
    local = field.at(here)
    away = minus(graph, target.nearest_to(here), here)
    distance = graph.add(dot(graph, local.normal, away), graph.div(local.value, local.steepness))
    error = graph.div(error, length(graph, away))
    known |= dict(zip("xyz", found, strict=True))
    side = graph.one if along else field.heights_at(point)[0]
    held = graph.held(error), graph.held(bend), rough, side, graph.held(second)
    return Foot(here, local.normal, distance, target.part(here), *held, known)


def _straight(field: Field, target: _Target, place: Triple) -> tuple[Triple, int]:
    """Where the way down the gradient meets the surface, and how far from the target that is."""
    graph = field.graph
    for _ in range(STRAIGHT):
        local = field.at(place)
        place = _moved(graph, place, [local.normal], [_inwards(local)])
    return place, length(graph, minus(graph, target.nearest_to(place), place))


def _settled(field: Field, target: _Target, place: Triple) -> Triple:
    """Where Newton's method leads to from a place."""
    for _ in range(SAFE):
        place = _newton_step(field.at(place), target, place, *_SAFE)
    for k in range(BOLD):
        place = _newton_step(field.at(place), target, place, *_BOLD, leaving=k == 0 and target.along is None)
    return place


def _apart(graph: Graph, point: Triple, place: Triple) -> int:
    return length(graph, minus(graph, point, place))


def _height(field: Field, point: Triple, place: Triple) -> int:
    """How far a place of the surface is from a point, and how far it is off it, to first order.

    Infinite where it is no place of the surface, or one seen from the wrong side.
    """
    graph, local, away = field.graph, field.at(place), minus(field.graph, point, place)
    size = length(graph, away)
    off = graph.below(graph.mul(graph.const(_NO_PLACE), size), graph.call("abs", _linear(local)))
    behind = graph.below(graph.mul(dot(graph, local.slopes, away), field.at(point).value), graph.zero)
    known = graph.and_(graph.below(size, graph.const(math.inf)), graph.not_(graph.or_(off, behind)))
    size = graph.add(size, graph.call("abs", _linear(local)))
    return graph.select(known, size, graph.const(math.inf))


def _newton_step(
    local: Local, target: _Target, place: Triple, least: float, reach: float, *, leaving: bool = False
) -> Triple:
    """A step of Newton's method, kept from going astray while it is far from the solution.

    Along the normal it goes to the root of the parabola that phi is there, along the surface no farther than a part of
    the distance, and where the point is at a centre of curvature or beyond, as if that were a little farther off. When
    it is `leaving`, it goes that far along the surface from a place that is the nearest one in no neighbourhood.
    """
    graph, normal = local.graph, local.normal
    axes = tangents(graph, normal)
    away = target.across(minus(graph, target.point, place))
    bending, inwards = matvec(graph, local.bends, normal), _inwards(local)
    multiplier = graph.div(graph.sub(dot(graph, normal, away), inwards), local.steepness)
    moving = minus(graph, away, scale(graph, graph.mul(inwards, multiplier), bending))
    curvature = _curvature(local, target, axes, multiplier)
    matrix = _shifted(graph, curvature, target.least_bend(least))
    sideways = _solved(graph, matrix, [dot(graph, axis, moving) for axis in axes])
    size, most = length(graph, sideways), graph.mul(graph.const(reach), target.reach(place))
    shorter = graph.select(graph.below(most, size), graph.div(most, size), graph.one)
    sideways = scale(graph, shorter, sideways)
    if leaving:
        sideways = _left(graph, curvature, sideways, most)
    return _moved(graph, place, (normal, *axes), (inwards, *sideways))


def _left(graph: Graph, matrix: list[list[int]], step: Sequence[int], far: int) -> list[int]:
    """A step along the surface; so far along the axis of the least curvature, on its side, where that is negative."""
    (a, b), (_, d) = matrix
    lower = _lower(graph, matrix)
    one, other = [graph.sub(lower, d), b], [b, graph.sub(lower, a)]
    longer = graph.below(graph.call("abs", one[0]), graph.call("abs", other[1]))
    axis = [graph.select(longer, *pair) for pair in zip(other, one, strict=True)]
    far = graph.div(far, length(graph, axis))
    far = graph.select(graph.below(dot(graph, axis, step), graph.zero), graph.neg(far), far)
    saddle = graph.below(lower, graph.zero)
    return [graph.select(saddle, graph.mul(far, part), old) for part, old in zip(axis, step, strict=True)]


def _last_step(field: Field, target: _Target, place: Triple) -> tuple[Triple, dict[str, int], int, int]:
    """Newton's step from a place that is held, with a matrix that is held, for a point and phi that are not.

    With the matrix S, that maps a vector to a step along the surface, the step is S (away - mu grad phi) - phi h. Also
    mu and the entries of S and h by name; by how much the distance may be wrong, times the distance; the least bend.
    """
    graph, local = field.graph, field.at(place)
    normal, axes = local.normal, tangents(graph, local.normal)
    away = target.across(minus(graph, target.point, place))
    multiplier = graph.held(graph.div(dot(graph, normal, away), local.steepness))
    matrix = _curvature(local, target, axes, multiplier)
    bend = graph.one if target.along else _lower(graph, matrix)
    matrix = _shifted(graph, matrix, target.least_bend(_BOLD[0]))
    units = [[graph.one if i == j else graph.zero for j in range(3)] for i in range(3)]
    steps = [_sideways(graph, axes, matrix, unit) for unit in units]
    turning = scale(graph, multiplier, matvec(graph, local.bends, normal))
    turned = _moved(graph, [graph.zero] * 3, steps, turning)
    inwards = [graph.div(part, local.steepness) for part in minus(graph, normal, turned)]
    known = {f"S_{x}{y}": graph.held(steps[i][j]) for i, x in enumerate("xyz") for j, y in enumerate("xyz") if i <= j}
    known |= {f"h_{x}": graph.held(part) for x, part in zip("xyz", inwards, strict=True)} | {"mu": multiplier}

    moving = minus(graph, away, scale(graph, multiplier, local.slopes))
    step = [dot(graph, moving, [known[f"S_{min(x, y)}{max(x, y)}"] for y in "xyz"]) for x in "xyz"]
    step = minus(graph, step, scale(graph, local.value, [known[f"h_{x}"] for x in "xyz"]))
    error = graph.add(graph.call("abs", dot(graph, step, moving)), dot(graph, step, step))
    return plus(graph, place, step), known, error, bend


def _sideways(graph: Graph, axes: Sequence[Triple], matrix: list[list[int]], moving: Triple) -> Triple:
    """The step along the surface for a vector that is to be made up for."""
    parts = _solved(graph, matrix, [dot(graph, axis, moving) for axis in axes])
    return _moved(graph, [graph.zero] * 3, axes, parts)


def _curvature(local: Local, target: _Target, axes: Sequence[Triple], multiplier: int) -> list[list[int]]:
    """The matrix of the equations along the surface: for a point 1 + distance times curvature, shape (2, 2)."""
    graph = local.graph
    bent = [matvec(graph, local.bends, axis) for axis in axes]
    flat = [[graph.one, graph.zero], [graph.zero, graph.one]]
    if target.along is not None:
        flat = [[dot(graph, axis, target.across(other)) for other in axes] for axis in axes]
    a, b, d = (
        graph.add(flat[i][j], graph.mul(multiplier, dot(graph, axes[i], bent[j]))) for i, j in ((0, 0), (0, 1), (1, 1))
    )
    return [[a, b], [b, d]]


def _lower(graph: Graph, matrix: list[list[int]]) -> int:
    """The lower eigenvalue of a symmetric matrix, shape (2, 2)."""
    (a, b), (_, d) = matrix
    half = graph.const(0.5)
    mean, apart = graph.mul(half, graph.add(a, d)), graph.mul(half, graph.sub(a, d))
    return graph.sub(mean, graph.call("sqrt", graph.add(graph.mul(apart, apart), graph.mul(b, b))))


def _shifted(graph: Graph, matrix: list[list[int]], least: float) -> list[list[int]]:
    """The matrix with so much added on its diagonal that its lower eigenvalue is not smaller than `least`."""
    (a, b), (_, d) = matrix
    lower, bound = _lower(graph, matrix), graph.const(least)
    more = graph.select(graph.below(lower, bound), graph.sub(bound, lower), graph.zero)
    return [[graph.add(a, more), b], [b, graph.add(d, more)]]


def _solved(graph: Graph, matrix: list[list[int]], right: Sequence[int]) -> list[int]:
    """The solution of a symmetric system of two equations."""
    (a, b), (_, d) = matrix
    whole = graph.sub(graph.mul(a, d), graph.mul(b, b))
    first = graph.sub(graph.mul(d, right[0]), graph.mul(b, right[1]))
    second = graph.sub(graph.mul(a, right[1]), graph.mul(b, right[0]))
    return [graph.div(first, whole), graph.div(second, whole)]


def _linear(local: Local) -> int:
    """phi/|grad phi|."""
    return local.graph.div(local.value, local.steepness)


def _inwards(local: Local) -> int:
    """How far it is along the normal to the root of the parabola that phi is there; without one, to its end."""
    graph, value, slope = local.graph, local.value, local.steepness
    bend = dot(graph, local.normal, matvec(graph, local.bends, local.normal))
    under = graph.sub(graph.mul(slope, slope), graph.mul(graph.const(2.0), graph.mul(value, bend)))
    missed = graph.below(under, graph.zero)
    reached = graph.call("sqrt", graph.select(missed, graph.zero, under))
    root = graph.div(graph.mul(graph.const(-2.0), value), graph.add(slope, reached))
    return graph.select(missed, graph.neg(graph.div(slope, bend)), root)


def _moved(graph: Graph, place: Triple, axes: Sequence[Triple], parts: Sequence[int]) -> Triple:
    for axis, part in zip(axes, parts, strict=True):
        place = plus(graph, place, scale(graph, part, axis))
    return place
