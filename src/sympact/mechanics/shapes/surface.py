"""The interface of a surface."""

from __future__ import annotations

from abc import abstractmethod

from sympy.physics.vector import Point

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.side import Side
from sympact.mechanics.shapes.unilateral import Precondition

__all__ = ["Surface"]


class Surface(Side):
    """The interface of a surface; all derivatives follow from the gap."""

    @property
    def measures(self) -> bool:
        """Whether the gap equals the distance everywhere, not only at zero."""
        return False

    @property
    def middle(self) -> str:
        """The place that is equally far from the surface in several directions, for messages; empty without one."""
        return ""

    @property
    def planar(self) -> bool:
        """Whether it exists in planar motions only."""
        return False

    @property
    def tells_distance(self) -> bool:
        """Whether `gap_of_ball` is the distance, as round bodies need it; true where the gap itself is."""
        return self.measures

    @abstractmethod
    def gap(self, motion: Motion, point: Point) -> Scalar:
        """The distance of a point from the surface (m), positive on the free side."""

    @abstractmethod
    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """The unit normal to the free side, in N, at the point of the surface closest to a point."""

    def gap_of_ball(self, motion: Motion, center: Point, radius: Scalar) -> Scalar:
        """The distance of a point from the surface less a radius (m)."""
        return self.gap(motion, center) - radius

    def normal_to_ball(self, motion: Motion, center: Point) -> Vector3:
        """The unit normal to the free side, in N, at the point of the surface closest to the centre of a ball."""
        return self.normal_at(motion, center)

    def why_no_friction(self) -> str:
        """Why friction on the surface is undetermined, as the second half of a sentence; empty where it is
        determined."""
        return (
            f"a {type(self).__name__} does not define the motion of its material; give the class the methods "
            "why_no_friction and velocity_at, or the contact friction=0"
        )

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """The velocity in N of the surface's material at the contact point, at `arm` (in N) from a point.

        Its part along the normal is such that the relative velocity of the contacting body has the gap's rate along the
        normal.
        """
        raise NotImplementedError(self.why_no_friction())

    def branches_at(self, motion: Motion, point: Point) -> Branches:
        """Short names for the conditions in the gap, as `Unilateral.branches` has them."""
        return {}

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """Its preconditions at the start of a run: lengths that must be positive."""
        return []

    @abstractmethod
    def faults(self, motion: Motion) -> list[str]:
        """The faults of the surface, one sentence each, found numerically at a random state."""
