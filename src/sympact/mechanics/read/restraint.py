"""Single equations of joints that close loops, with the force or torque that a multiplier of one exerts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Motion

__all__ = ["Across", "Distance", "Parallel", "Restraint"]


class Restraint(ABC):
    """One equation phi = 0 between two sides, that of P and that of Q.

    On the side of Q a multiplier of one exerts `force` at Q and `torque`. On the other side it exerts the opposite: at
    P, with the moment that belongs to the distance of P and Q.
    """

    unit: ClassVar[str]
    """That of the multiplier."""

    @abstractmethod
    def value(self, motion: Motion) -> Scalar:
        """phi."""

    def force(self, motion: Motion) -> Vector3:
        """The force on Q, components in N."""
        return motion.zero

    def torque(self, motion: Motion) -> Vector3:
        """The torque on the side of Q, components in N."""
        return motion.zero

    @property
    def points(self) -> tuple[Point, Point] | None:
        """P and Q, where there is a force."""
        return None

    @property
    def frames(self) -> tuple[ReferenceFrame | None, ReferenceFrame | None]:
        """The frames on which the moments of both sides act, where there are any."""
        return None, None


@dataclass(frozen=True, slots=True)
class Across(Restraint):
    """e . r = 0 (m), r the vector from P to Q: the multiplier is a force along e.

    Attributes
    ----------
    start, end : Point
        P and Q.
    direction : Vector
        e, a unit vector of one frame.
    """

    unit: ClassVar[str] = "N"

    start: Point
    end: Point
    direction: Vector

    def value(self, motion: Motion) -> Scalar:
        """e . r."""
        frame = _frame(self.direction)
        return motion.vector_in(self.direction, frame).dot(motion.position_in(self.start, self.end, frame))

    def force(self, motion: Motion) -> Vector3:
        """e."""
        return motion.vector(self.direction)

    @property
    def points(self) -> tuple[Point, Point]:
        """P and Q."""
        return self.start, self.end

    @property
    def frames(self) -> tuple[ReferenceFrame, None]:
        """That of e, which turns e."""
        return _frame(self.direction), None


@dataclass(frozen=True, slots=True)
class Parallel(Restraint):
    """a . b = 0 with a unit vector of each side: the multiplier is a torque about b x a.

    Attributes
    ----------
    axis, other : Vector
        a on the side of P, b on that of Q.
    """

    unit: ClassVar[str] = "N m"

    axis: Vector
    other: Vector

    def value(self, motion: Motion) -> Scalar:
        """a . b."""
        frame = _frame(self.axis)
        return motion.vector_in(self.axis, frame).dot(motion.vector_in(self.other, frame))

    def torque(self, motion: Motion) -> Vector3:
        """b x a."""
        return motion.vector(self.other).cross(motion.vector(self.axis))

    @property
    def frames(self) -> tuple[ReferenceFrame, ReferenceFrame]:
        """Those of a and b."""
        return _frame(self.axis), _frame(self.other)


@dataclass(frozen=True, slots=True)
class Distance(Restraint):
    """(r.r / l - l) / 2 = 0 (m): the multiplier is the force that pushes P and Q apart, times l / |r|.

    Attributes
    ----------
    start, end : Point
        P and Q.
    length : number or Expr
        l (m).
    """

    unit: ClassVar[str] = "N"

    start: Point
    end: Point
    length: Expr

    def value(self, motion: Motion) -> Scalar:
        """(r.r / l - l) / 2."""
        away, length = motion.position_between(self.start, self.end), motion.read(self.length)
        return 0.5 * (away.dot(away) / length - length)

    def force(self, motion: Motion) -> Vector3:
        """r / l."""
        return motion.position_between(self.start, self.end) / motion.read(self.length)

    @property
    def points(self) -> tuple[Point, Point]:
        """P and Q."""
        return self.start, self.end


def _frame(vector: Vector) -> ReferenceFrame:
    return vector.args[0][1]
