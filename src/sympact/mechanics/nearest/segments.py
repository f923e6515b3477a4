"""The point of a straight bar that is closest to another bar, to a straight line, or to a surface phi = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sympact.graph.formula import Scalar, Vector3, below, derivative, number, substitution, unknown, where
from sympact.mechanics.kit.motion import Branches
from sympact.mechanics.nearest.closest_point import Foot, nearest
from sympact.mechanics.nearest.surface_field import Field
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["Clamped", "NearestOfBars", "Touching", "nearest_of_bar", "nearest_to_bar", "nearest_to_line"]

_LOOKS = 9  # points sampled along a bar before Newton's method begins
_LETTER = 3  # the number of the unknown for the position along a bar


@dataclass(frozen=True, slots=True)
class Clamped:
    """A quotient limited to 0..1, by conditions on scalars without poles.

    Attributes
    ----------
    above, below : Scalar
        It is less than 0 where `above` is, and more than 1 where `above` is more than `below`.
    quotient : Scalar
    """

    above: Scalar
    below: Scalar
    quotient: Scalar

    def chosen(self, zero: Scalar | float, one: Scalar | float, between: Scalar) -> Scalar:
        """One of three: where it is 0, where it is 1, and where it is between the two."""
        most = where(self.above < self.below, between, one)
        return where(self.above > 0, most, zero)

    @property
    def part(self) -> Scalar:
        """The quotient; 0 where it is negative, 1 where it is larger than 1."""
        return self.chosen(0, 1, self.quotient)

    def branches(self, before: tuple[str, str], past: tuple[str, str]) -> Branches:
        """Names of the conditions: positive or not, less than 1 or not."""
        return {(self.above, 0): before, (self.below, self.above): past}


def nearest_to_line(whole: Vector3, away: Vector3, axis: Vector3) -> Clamped:
    """The position along a bar that is closest to a line.

    `whole` is the bar, `away` leads to its start from the line, whose direction is the unit vector `axis`. Where the
    two are parallel it is the middle, where they are nearly parallel an end.
    """
    a, b, c, f = whole.dot(whole), whole.dot(axis), whole.dot(away), axis.dot(away)
    return _regular(b * f - c, a - b**2, ROUNDINGS * EPS * a)


@dataclass(frozen=True, slots=True)
class NearestOfBars:
    """The closest points of two bars, by Ericson (Real-Time Collision Detection, 2005, section 5.1.9).

    Attributes
    ----------
    free : Clamped
        The position along the first bar closest to the line through the second.
    theirs : Clamped
        The position along the second that is closest to that point.
    again : Clamped
        The position along the first closest to the end of the second, where that is the closest point; else in between.
    """

    free: Clamped
    theirs: Clamped
    again: Clamped

    @property
    def parts(self) -> tuple[Scalar, Scalar]:
        """The positions along the first bar and along the second."""
        return self.theirs.chosen(self.again.part, self.again.part, self.free.part), self.theirs.part


def nearest_to_bar(whole: Vector3, away: Vector3, other: Vector3) -> NearestOfBars:
    """The position along a bar that is closest to another bar.

    `whole` and `other` are the bars, `away` leads from the start of the other to that of this one. Where the two are
    parallel it is the middle of the first if that is beside the second, where they are nearly parallel an end.
    """
    a, b, c = whole.dot(whole), whole.dot(other), whole.dot(away)
    e, f = other.dot(other), other.dot(away)
    free = _regular(b * f - c * e, a * e - b**2, ROUNDINGS * EPS * (a * e))
    along = b * free.part + f
    theirs = Clamped(along, e, along / e)
    end = theirs.chosen(-c, b - c, 0.5 * a)
    return NearestOfBars(free, theirs, Clamped(end, a, end / a))


def _regular(above: Scalar, divisor: Scalar, least: Scalar) -> Clamped:
    """A quotient whose divisor is a square; where that is less than `least`, 0, 1, or between the two 1/2."""
    small, towards = below(divisor, least), above - 0.5 * divisor
    return Clamped(where(small, towards, above), where(small, 0, divisor), where(small, 0.5, above / divisor))


@dataclass(frozen=True, slots=True)
class Touching:
    """The closest point of a bar to a surface phi = 0; components along the axes in which phi is written.

    Attributes
    ----------
    gap : Scalar
        Less the radius of the bar.
    part : Scalar
        Position along the bar, from its start (0) to its end (1).
    normal : Vector3
    climbs : pair of Scalar
        The derivative of the distance along the bar, at its start and at its end, each towards the other end.
    known : dict of str to Scalar
        The detached numbers in these formulas.
    """

    gap: Scalar
    part: Scalar
    normal: Vector3
    climbs: tuple[Scalar, Scalar]
    known: dict[str, Scalar]


def nearest_of_bar(field: Field, start: Vector3, whole: Vector3, radius: Scalar) -> Touching:
    """The closest point of a bar to a surface: an end, or between the two where the distance decreases from both.

    Where it decreases towards both ends, over a hollow, it is the closer end.
    """
    (at_start, climb), (at_end, fall) = (_end(field, start, whole, part, radius) for part in (0, 1))
    gaps = [at_start.gap(radius), at_end.gap(radius)]
    climb, fall = _where_found(at_start, climb), _where_found(at_end, fall)
    line = nearest(field, start, whole, _best_look(field, start, whole))
    gaps.append(line.gap(radius))
    begun, ended = climb < 0, fall > 0
    ahead = (at_end.distance - at_start.distance).held
    first = below(0, ahead)

    def chosen(a, b, between):
        end = where(first, a, b)
        return where(begun, where(ended, between, end), end)

    feet = {"start": at_start, "end": at_end, "between": line}
    known = {f"{name}_{where}": number for where, foot in feet.items() for name, number in foot.known.items()}
    return Touching(
        chosen(*gaps),
        chosen(0, 1, line.part),
        chosen(*(foot.normal for foot in feet.values())),
        (climb, fall),
        known | {"first": ahead},
    )


def _end(field: Field, start: Vector3, whole: Vector3, part: float, radius: Scalar) -> tuple[Foot, Scalar]:
    """The closest point to an end of a bar, and the derivative of its distance along the bar.

    The distance is correct with its third derivatives, and so the derivative along the bar with its second.
    """
    letter = unknown(field.graph, _LETTER)
    moving = nearest(field, start + letter * whole, near=radius)
    climb = derivative({letter: 1})(moving.distance)
    foot = nearest(field, start + part * whole, near=radius)
    return foot, substitution({letter: part})(climb)


def _where_found(foot: Foot, climb: Scalar) -> Scalar:
    """The derivative of an end's distance; not a number where its closest point was not found: far away there is none.

    The distance there is approximate, and its derivative has no meaning. A margin that is not a number changes no
    switch.
    """
    return where(below(foot.known["lost"], 1), climb, math.nan)


def _best_look(field: Field, start: Vector3, whole: Vector3) -> Vector3:
    """Of some points along a bar the one with the least phi relative to its gradient."""
    best, least = start, number(field.graph, math.inf)
    for k in range(_LOOKS):
        place = start + k / (_LOOKS - 1) * whole
        local = field.at(place)
        height = local.value / local.steepness
        better = below(height, least)
        best, least = where(better, place, best), where(better, height, least)
    return best
