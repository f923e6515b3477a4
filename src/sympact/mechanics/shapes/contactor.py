"""What a body touches with: a point of it, or a round part whose touching place is no point of the body."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr
from sympy.physics.vector import Point, Vector

from sympact.mechanics.shapes.side import Side
from sympact.mechanics.shapes.unilateral import Demand

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics
    from sympact.mechanics.shapes.surfaces import Surface

__all__ = ["Contactor", "Tip"]

Triple = list[int]


class Contactor(Side):
    """What the front-end has to know of the part of a body that touches a surface."""

    @abstractmethod
    def cannot_touch(self, surface: Surface) -> str:
        """Why it has no one gap to a surface, as a sentence with the cure; empty where it has."""

    def cannot_rub(self) -> str:
        """Why its friction cannot be told, as the second half of a sentence; empty where it can."""
        return ""

    @abstractmethod
    def gap_to(self, kinematics: Kinematics, surface: Surface) -> int:
        """The node of the distance to a surface (m)."""

    @abstractmethod
    def normal_of(self, kinematics: Kinematics, surface: Surface) -> Triple:
        """The nodes of the surface's unit normal to the free side, in N, where the two are nearest."""

    @abstractmethod
    def arm_to(self, kinematics: Kinematics, surface: Surface) -> tuple[Point, Triple]:
        """A point of the body, and the vector from it, in N, to the place that is nearest to the surface."""

    @abstractmethod
    def velocity_to(self, kinematics: Kinematics, surface: Surface) -> Triple:
        """The nodes of the velocity in N of the body's material at that place."""

    def branches_to(self, kinematics: Kinematics, surface: Surface) -> dict[tuple[int, int], tuple[str, str]]:
        """Short names for the conditions in the gap, as `Unilateral.branches` has them."""
        return {}

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """What has to be positive where a run starts."""
        return []


@dataclass(frozen=True, eq=False)
class Tip(Contactor):
    """A point of a body that touches by itself."""

    point: Point

    @property
    def name(self) -> str:
        """That of the point."""
        return self.point.name

    def points(self) -> tuple[Point, ...]:
        """The point."""
        return (self.point,)

    def vectors(self) -> tuple[Vector, ...]:
        """None."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """None."""
        return ()

    def cannot_touch(self, surface: Surface) -> str:
        """A point can touch every surface."""
        return ""

    def gap_to(self, kinematics: Kinematics, surface: Surface) -> int:
        """The gap of the surface at the point."""
        return surface.gap(kinematics, self.point)

    def branches_to(self, kinematics: Kinematics, surface: Surface) -> dict[tuple[int, int], tuple[str, str]]:
        """Those of the surface at the point."""
        return surface.branches_at(kinematics, self.point)

    def normal_of(self, kinematics: Kinematics, surface: Surface) -> Triple:
        """The normal of the surface at the point."""
        return surface.normal_at(kinematics, self.point)

    def arm_to(self, kinematics: Kinematics, surface: Surface) -> tuple[Point, Triple]:
        """The point itself."""
        return self.point, [kinematics.graph.zero] * 3

    def velocity_to(self, kinematics: Kinematics, surface: Surface) -> Triple:
        """That of the point."""
        return kinematics.velocity(self.point)
