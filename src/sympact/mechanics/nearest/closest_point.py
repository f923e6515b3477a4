"""The point of a surface phi = 0 that is closest to a given point or to a straight line.

The closest point solves equations without a closed form. A fixed number of damped Newton steps, written out one after
the other, leads to it; their result is *detached*: it counts as constant in all derivatives. A last Newton step follows
whose matrix is detached, while phi and the given point are not. From a point x0 that solves the equations this step is
zero, but its derivative is that of the solution, because its error is of second order in the change of the given point.
The distance is written so that an error of the closest point counts quadratically: it is exact, with its first three
derivatives, by the rules of differentiation for any expression, and so is the first derivative of the closest point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sympact.graph.formula import Scalar, Vector3, below, number, sqrt, where
from sympact.mechanics.kit.mechanics_tolerances import ALONG_A_LINE, FOOT_ROUNDING, NO_PLACE, TWO_PLACES
from sympact.mechanics.nearest.sampled_surface import best_look, look_elsewhere
from sympact.mechanics.nearest.surface_field import Field, Local
from sympact.mechanics.nearest.tangents import tangents

__all__ = ["TWO_PLACES", "Foot", "nearest"]

Pair = tuple[Scalar, Scalar]

STRAIGHT, SAFE, BOLD = 4, 4, 10
"""Detached steps: to the surface, along the normal alone, then two kinds of Newton steps.

Tested on 9858 points at up to two radii from hills, ridges, waves, grooves, bowls and tori, and on 175 pairs of points
that a ball touches at once. With (8, 8) or (6, 6) steps of the two kinds about as many of the first are lost; of the
pairs (4, 10) and (8, 8) miss one, (6, 8), (5, 8) and (6, 6) seven.
"""

_SAFE, _BOLD = (0.2, 1.0), (0.005, 0.2)
"""The smallest 1 + distance times curvature, and the longest step in distances.

Near a centre of curvature the first is small. The bound of the first kind of steps shortens them; those of the second
kind find the point.
"""

_TRUSTED = 0.05  # an error of the distance up to this part of the gap does not matter
_TOUCHING = 0.01  # radii: below it the point has to be the closest one of the surface
_APART = 4.0  # radii: a point that is not found matters only below it
_ASIDE = 0.01  # radii: results of two searches that differ by less are one point


@dataclass(frozen=True, slots=True)
class Foot:
    """The closest point; components along the axes in which phi is written.

    Attributes
    ----------
    place, normal : Vector3
        Correct with their first derivatives.
    distance : Scalar
        Signed, positive on the free side; correct with its first three derivatives.
    part : Scalar
        For a line, the position of its closest point along it (in units of its vector); correct with its first two
        derivatives. Zero for a point.
    error : Scalar
        A bound of the error of the distance.
    bend : Scalar
        The least of 1 + distance times curvature: where it is negative the point is not the closest one.
    rough : Scalar
        The distance of a point of the surface, that of steepest descent if no closer one was found: never less than the
        distance itself.
    side : Scalar
        phi at the given point, whose sign the distance must have; one for a line.
    second : Scalar
        The distance of the second closest point that was found, and its distance from the surface; infinite without
        one.
    known : dict of str to Scalar
        The detached numbers in these formulas: the point before the last step (x, y, z) and its matrices.
    """

    place: Vector3
    normal: Vector3
    distance: Scalar
    part: Scalar
    error: Scalar
    bend: Scalar
    rough: Scalar
    side: Scalar
    second: Scalar
    known: dict[str, Scalar]

    def gap(self, radius: Scalar) -> Scalar:
        """The distance less a radius.

        Where the closest point was not found, or lies on the wrong side, the gap is taken from the rough distance if
        that is several radii, else it is not a number; it is not a number either where contact is near at a point that
        is not the closest one, or at two points: one contact has one point.
        """
        gap, size = self.distance - radius, abs(self.distance)
        allowed = _TRUSTED * abs(gap) + FOOT_ROUNDING * size
        apart = below(_APART * radius, self.rough)
        touching = below(gap, _TOUCHING * radius)
        touching = touching & below(self.error, size)  # with an error of more than itself it is no touch
        both = below(self.second_gap(radius), TWO_PLACES)
        wrong = touching & (below(self.bend, 0) | both)
        behind = below(self.side * self.distance, 0)
        found = below(self.error, allowed) & ~(wrong | behind)
        far = apart & ~wrong
        lost, instead = where(found, 0, 1).held, where(far, self.rough - radius, math.nan).held
        self.known.update(lost=lost, instead=instead)
        return where(below(lost, 1), gap, instead)

    def second_gap(self, radius: Scalar) -> Scalar:
        """The distance of the second closest point less a radius, in radii."""
        return (self.second - radius) / radius


@dataclass(frozen=True, slots=True)
class _Target:
    """A point, or the line through it along a vector: the target of the search."""

    point: Vector3
    along: Vector3 | None

    def across(self, vector: Vector3) -> Vector3:
        """The relevant part of a vector: for a line, that at right angles to it."""
        return vector if self.along is None else vector - _part(vector, self.along) * self.along

    def least_acceleration(self, least: float) -> float:
        """The least curvature of the equations along the surface."""
        return least if self.along is None else ALONG_A_LINE

    def reach(self, place: Vector3) -> Scalar:
        """The distance of a position from the target, or the length of a vector."""
        return (self.point - place if self.along is None else self.along).norm

    def part(self, place: Vector3) -> Scalar:
        """The position along the line of its point closest to a position."""
        return number(place.graph, 0.0) if self.along is None else _part(place - self.point, self.along)

    def nearest_to(self, place: Vector3) -> Vector3:
        """The point of the target that is closest to a position."""
        return self.point if self.along is None else self.point + self.part(place) * self.along


def _part(vector: Vector3, along: Vector3) -> Scalar:
    """The component of a vector along another one, in lengths of that."""
    return vector.dot(along) / along.dot(along)


def nearest(
    field: Field,
    point: Vector3,
    along: Vector3 | None = None,
    start: Vector3 | None = None,
    near: Scalar | None = None,
) -> Foot:
    """The point of phi = 0 that is closest to a point, or to the line through it.

    The search starts at the target itself, or at a given start, follows the gradient down, and then the surface. With
    `near`, the radius of a ball about the point, it starts from the best of several samples around the ball if that
    promises a closer point than the descent; a second search starts from the sample that most indicates another point,
    and the closer result counts.
    """
    target = _Target(point, along)
    place, rough = _straight(field, target, start or point)
    second = number(field.graph, math.inf)
    if near is None:
        place = _settled(field, target, place)
    else:
        place = _settled(field, target, best_look(field, point, near, rough, place))
        other = _settled(field, target, look_elsewhere(field, point, place))
        height, other_height = _height(field, point, place), _height(field, point, other)
        better = below(other_height, height)
        twice = below((other - place).norm, _ASIDE * near)
        second = where(twice, second, where(better, height, other_height))
        first = where(better, other_height, height)
        rough = where(below(first, rough), first, rough)
        place = where(better, other, place)
    rough, found = rough.held, place.held
    here, known, error, bend = _last_step(field, target, found)
    local = field.at(here)
    away = target.nearest_to(here) - here
    distance = local.normal.dot(away) + local.linear
    error = error / away.norm
    known |= dict(zip("xyz", found, strict=True))
    side = number(field.graph, 1.0) if along else field.heights_at(point)[0]
    return Foot(here, local.normal, distance, target.part(here), error.held, bend.held, rough, side, second.held, known)


def _straight(field: Field, target: _Target, place: Vector3) -> tuple[Vector3, Scalar]:
    """The end of the descent along the gradient on the surface, and its distance from the target."""
    for _ in range(STRAIGHT):
        local = field.at(place)
        place = place + _inwards(local) * local.normal
    return place, (target.nearest_to(place) - place).norm


def _settled(field: Field, target: _Target, place: Vector3) -> Vector3:
    """The result of Newton's method from a start."""
    for _ in range(SAFE):
        place = _newton_step(field.at(place), target, place, *_SAFE)
    for k in range(BOLD):
        place = _newton_step(field.at(place), target, place, *_BOLD, leaving=k == 0 and target.along is None)
    return place


def _height(field: Field, point: Vector3, place: Vector3) -> Scalar:
    """The distance of a point of the surface from the target, and from the surface to first order.

    Infinite where it is no point of the surface, or one on the wrong side.
    """
    local, away = field.at(place), point - place
    size, off = away.norm, abs(local.linear)
    outside = below(NO_PLACE * size, off)
    behind = below(local.slopes.dot(away) * field.at(point).value, 0)
    known = below(size, math.inf) & ~(outside | behind)
    return where(known, size + off, math.inf)


def _newton_step(
    local: Local, target: _Target, place: Vector3, least: float, reach: float, *, leaving: bool = False
) -> Vector3:
    """A Newton step with a bound that prevents divergence far from the solution.

    Along the normal it goes to the root of the parabola that models phi; along the surface no farther than a part of
    the distance. Where the target is at a centre of curvature or beyond, the distance is taken a little farther from
    it. With `leaving` it goes that far along the surface from a point that is no local minimum.
    """
    normal = local.normal
    axes = tangents(normal)
    away = target.across(target.point - place)
    inwards = _inwards(local)
    multiplier = (normal.dot(away) - inwards) / local.steepness
    moving = away - (inwards * multiplier) * local.bent(normal)
    curvature = _curvature(local, target, axes, multiplier)
    first, second = _solved(_shifted(curvature, target.least_acceleration(least)), [axis.dot(moving) for axis in axes])
    size, most = sqrt(first**2 + second**2), reach * target.reach(place)
    shorter = where(below(most, size), most / size, 1)
    sideways = shorter * first, shorter * second
    if leaving:
        sideways = _left(curvature, sideways, most)
    return place + inwards * normal + sideways[0] * axes[0] + sideways[1] * axes[1]


def _left(matrix: _Symmetric, step: Pair, far: Scalar) -> Pair:
    """A step along the surface; this far along the axis of the least curvature, on its side, where that is negative."""
    lower = matrix.lower
    one, other = (lower - matrix.d, matrix.b), (matrix.b, lower - matrix.a)
    longer = below(abs(one[0]), abs(other[1]))
    x, y = where(longer, other[0], one[0]), where(longer, other[1], one[1])
    far = far / sqrt(x**2 + y**2)
    far = where(below(x * step[0] + y * step[1], 0), -far, far)
    saddle = below(lower, 0)
    return where(saddle, far * x, step[0]), where(saddle, far * y, step[1])


def _last_step(field: Field, target: _Target, place: Vector3) -> tuple[Vector3, dict[str, Scalar], Scalar, Scalar]:
    """The Newton step from a detached point, with a detached matrix, for a target and phi that are not detached.

    With the matrix S, which maps a vector to a step along the surface, the step is S (away - mu grad phi) - phi h. Also
    mu and the entries of S and h by name; the error bound of the distance, times the distance; the least curvature
    term.
    """
    graph, local = field.graph, field.at(place)
    normal, axes = local.normal, tangents(local.normal)
    away = target.across(target.point - place)
    multiplier = (normal.dot(away) / local.steepness).held
    matrix = _curvature(local, target, axes, multiplier)
    bend = number(graph, 1.0) if target.along else matrix.lower
    matrix = _shifted(matrix, target.least_acceleration(_BOLD[0]))
    units = [Vector3(graph, tuple(graph.one if i == j else graph.zero for j in range(3))) for i in range(3)]
    steps = [_sideways(axes, matrix, unit) for unit in units]
    turning = multiplier * local.bent(normal)
    turned = turning[0] * steps[0] + turning[1] * steps[1] + turning[2] * steps[2]
    inwards = (normal - turned) / local.steepness
    known = {f"S_{x}{y}": steps[i][j].held for i, x in enumerate("xyz") for j, y in enumerate("xyz") if i <= j}
    known |= {f"h_{x}": part.held for x, part in zip("xyz", inwards, strict=True)} | {"mu": multiplier}

    rows = [Vector3.of(*(known[f"S_{min(x, y)}{max(x, y)}"] for y in "xyz")) for x in "xyz"]
    held_inwards = Vector3.of(*(known[f"h_{x}"] for x in "xyz"))
    moving = away - multiplier * local.slopes
    step = Vector3.of(*(moving.dot(row) for row in rows)) - local.value * held_inwards
    error = abs(step.dot(moving)) + step.dot(step)
    return place + step, known, error, bend


def _sideways(axes: Sequence[Vector3], matrix: _Symmetric, moving: Vector3) -> Vector3:
    """The step along the surface for a vector to be compensated."""
    first, second = _solved(matrix, [axis.dot(moving) for axis in axes])
    return first * axes[0] + second * axes[1]


@dataclass(frozen=True, slots=True)
class _Symmetric:
    """The symmetric matrix [[a, b], [b, d]]."""

    a: Scalar
    b: Scalar
    d: Scalar

    @property
    def lower(self) -> Scalar:
        """Its lower eigenvalue."""
        mean, apart = 0.5 * (self.a + self.d), 0.5 * (self.a - self.d)
        return mean - sqrt(apart**2 + self.b**2)


def _curvature(local: Local, target: _Target, axes: Sequence[Vector3], multiplier: Scalar) -> _Symmetric:
    """The matrix of the equations along the surface: for a point 1 + distance times curvature."""
    first, second = axes
    bent = [local.bent(axis) for axis in axes]
    flat: tuple[Scalar | float, Scalar | float, Scalar | float] = (1, 0, 1)
    if target.along is not None:
        flat = first.dot(target.across(first)), first.dot(target.across(second)), second.dot(target.across(second))
    return _Symmetric(
        flat[0] + multiplier * first.dot(bent[0]),
        flat[1] + multiplier * first.dot(bent[1]),
        flat[2] + multiplier * second.dot(bent[1]),
    )


def _shifted(matrix: _Symmetric, least: float) -> _Symmetric:
    """The matrix with a multiple of the identity added so that its lower eigenvalue is at least `least`."""
    more = where(below(matrix.lower, least), least - matrix.lower, 0)
    return _Symmetric(matrix.a + more, matrix.b, matrix.d + more)


def _solved(matrix: _Symmetric, right: Sequence[Scalar]) -> Pair:
    """The solution of a symmetric system of two equations."""
    a, b, d = matrix.a, matrix.b, matrix.d
    whole = a * d - b**2
    return (d * right[0] - b * right[1]) / whole, (a * right[1] - b * right[0]) / whole


def _inwards(local: Local) -> Scalar:
    """The distance along the normal to the root of the parabola that models phi; without one, to its extremum."""
    slope, bend = local.steepness, local.normal.dot(local.bent(local.normal))
    under = slope**2 - 2 * (local.value * bend)
    missed = below(under, 0)
    reached = sqrt(where(missed, 0, under))
    return where(missed, -(slope / bend), -2 * local.value / (slope + reached))
