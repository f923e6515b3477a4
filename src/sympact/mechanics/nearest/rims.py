"""The lowest place of a circle above any surface, found by its angle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy.physics.vector import Point

from sympact.graph import decided_at, unfollowed
from sympact.graph.formula import Scalar, Vector3, below, cos, derivative, number, sin, substitution, where
from sympact.mechanics.kit.mechanics_tolerances import FOOT_ROUNDING
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.nearest.tangents import tangents

if TYPE_CHECKING:
    from sympact.mechanics.shapes.surfaces import Surface

__all__ = ["Lowest", "lowest"]

LOOKS, STEPS = 16, 5
"""Angles that are looked at, and Newton steps from the best two of them; each squares the error."""

PIECES = 3  # of the circle, each of which is bounded by itself

_ANGLE = 3  # the number of the unknown that stands for the angle


@dataclass(frozen=True, slots=True)
class Lowest:
    """The lowest place of a circle.

    Attributes
    ----------
    point : Point
        There, known to the motion it was found with.
    outwards : Vector3
        The unit vector from the middle to it, in N; right with its first derivatives.
    gap : Scalar
        Of the surface at the place, right with its first three derivatives. Not a number where no place was found.
    known : dict of str to Scalar
        The numbers, all held, that these are written with.
    at : _Place
    """

    point: Point
    outwards: Vector3
    gap: Scalar
    known: dict[str, Scalar]
    at: _Place

    def decided(self, vector: Vector3) -> Vector3:
        """A vector that is written with the place, with conditions on it decided as those of the gap are."""
        return Vector3.of(*map(self.at.decided, vector))

    def deciding(self, sides: tuple[Scalar | float, Scalar | float]) -> tuple[Scalar | float, Scalar | float]:
        """Both sides of a condition on the place as they are where conditions are decided."""
        left, right = (self.at.put(side) if isinstance(side, Scalar) else side for side in sides)
        return left, right


@dataclass(frozen=True, slots=True)
class _Place:
    """The angle of the lowest place, as two scalars of the same value.

    Attributes
    ----------
    angle : Scalar
        In the branches that the conditions are in: on the far side of a margin its smooth continuation.
    seen : Scalar
        In the branches that hold there, whatever is in force: it tells which they are. Right with its first derivative,
        and so is the rate of a margin, of which both branches agree on the sign. An angle that is held has none.
    """

    angle: Scalar
    seen: Scalar

    def decided(self, scalar: Scalar) -> Scalar:
        """A scalar with its conditions on the angle decided where it is seen."""
        return _decided(scalar, self.angle, self.seen)

    def put(self, scalar: Scalar) -> Scalar:
        """A scalar with the angle as it is seen."""
        return substitution({self.angle: self.seen})(scalar)


def _decided(scalar: Scalar, angle: Scalar, seen: Scalar) -> Scalar:
    graph = scalar.graph
    return Scalar(graph, decided_at(graph, scalar.node, angle.node, seen.node))


def lowest(motion: Motion, center: Point, axis: Vector3, radius: Scalar, surface: Surface) -> Lowest:
    """The place of a circle where the gap of a surface is least.

    `axis` is the circle's, in N. Of some angles the best two are where Newton's method starts; the lower place that it
    comes to is held, and one more step with a held derivative follows. Where the gap is least an error of the angle
    counts quadratically, so that the gap's derivatives are right as those of any expression are.
    """
    first_axis, second_axis = tangents(axis)

    def outwards(angle: Scalar) -> Vector3:
        return cos(angle) * first_axis + sin(angle) * second_axis

    def place(angle: Scalar) -> Point:
        return motion.beside(center, radius * outwards(angle), center.name)

    letter = motion.unknown(_ANGLE)
    along = derivative({letter: 1})
    height = surface.gap(motion, place(letter))
    slope = along(height)
    curve = _Curve(letter, (height, slope, along(slope)))
    starts, rough = _best_two(curve)
    first, other = (_descended(curve, start) for start in starts)
    lower = below(curve.at(other)[0], curve.at(first)[0])
    start = where(lower, other, first).held
    _, slope, bend = curve.at(start)
    held = bend.held
    seen = start - _unfollowed(slope, start) / held
    slope, branch = (_decided(scalar, start, seen) for scalar in (slope, bend))
    step = -(slope / (held if branch == bend else branch))
    angle = start + step
    at, point = _Place(angle, seen), place(angle)
    gap = at.decided(surface.gap(motion, point))
    found, instead, lost = _judged(gap, abs(step * slope), radius, rough)
    motion.bound(found, (height,), None, {letter: (0.0, 2 * math.pi)}, PIECES)
    known = {"angle": start, "bend": held, "lost": lost, "instead": instead}
    return Lowest(point, outwards(angle), found, known, at)


def _unfollowed(scalar: Scalar, letter: Scalar) -> Scalar:
    return Scalar(scalar.graph, unfollowed(scalar.graph, scalar.node, letter.node))


@dataclass(frozen=True, slots=True)
class _Curve:
    """The gap along the circle with two derivatives by the angle, for any angle."""

    letter: Scalar
    scalars: tuple[Scalar, Scalar, Scalar]

    def at(self, angle: Scalar) -> tuple[Scalar, ...]:
        """The three at an angle."""
        return tuple(map(substitution({self.letter: angle}), self.scalars))


def _best_two(curve: _Curve) -> tuple[tuple[Scalar, Scalar], Scalar]:
    """Of some angles the two with the least gaps of those lower than their neighbours; the least gap.

    A circle may be near a surface on both sides: which of the two places is the lower one the looks need not tell.
    Where they show one hollow, the second start is on its other side, from where another place in it is found: a circle
    that bends nearly as the surface does has two that are less than two looks apart.
    """
    graph = curve.letter.graph
    angles = [number(graph, 2 * math.pi * k / LOOKS) for k in range(LOOKS)]
    heights = [curve.at(angle)[0] for angle in angles]
    sides = [
        where(below(heights[(k + 1) % LOOKS], heights[k - 1]), angles[(k + 1) % LOOKS], angles[k - 1])
        for k in range(LOOKS)
    ]
    angle, second, least = angles[0], sides[0], heights[0]
    for other, side, height in zip(angles[1:], sides[1:], heights[1:], strict=True):
        better = below(height, least)
        angle, second, least = where(better, other, angle), where(better, side, second), where(better, height, least)
    next_least = number(graph, math.inf)
    for k, (other, height) in enumerate(zip(angles, heights, strict=True)):
        hollow = below(height, heights[k - 1]) & below(height, heights[(k + 1) % LOOKS])
        better = hollow & (~other.equals(angle) & below(height, next_least))
        second, next_least = where(better, other, second), where(better, height, next_least)
    return (angle, second), least.held


def _descended(curve: _Curve, start: Scalar) -> Scalar:
    """Where Newton steps downhill lead from an angle."""
    for _ in range(STEPS):
        _, slope, bend = curve.at(start)
        start = start + _safe_step(slope, bend)
    return start


def _safe_step(slope: Scalar, bend: Scalar) -> Scalar:
    """A Newton step downhill, no longer than from one look half-way to the next."""
    step, most = -(slope / abs(bend)), math.pi / LOOKS
    step = where(below(most, step), most, step)
    return where(below(step, -most), -most, step)


def _judged(gap: Scalar, error: Scalar, radius: Scalar, rough: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """The gap where its error is small, else that of the best look if it is large, else not a number."""
    allowed = 1e-3 * abs(gap) + FOOT_ROUNDING * radius
    lost = where(below(error, allowed), 0, 1).held
    instead = where(below(radius, rough), rough, math.nan).held
    return where(below(lost, 1), gap, instead), instead, lost
