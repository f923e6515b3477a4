"""The contacting part of a body: a point, or a round part whose contact point is not fixed in the body."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.side import Side
from sympact.mechanics.shapes.unilateral import Precondition

__all__ = ["Contactor", "Round", "Tip"]


class Contactor(Side):
    """The contacting part of a body; a `ContactPair` has the geometry of its contact with a kind of surface."""

    def cannot_touch(self, surface: Side) -> str:
        """Why it touches no surface of this kind, as a sentence with the cure, where no pair of the two exists."""
        body, kind = type(self).__name__, type(surface).__name__
        return (
            f"there is no ContactPair for the {body} '{self.name}' and the {kind} '{surface.name}'; define one, and "
            f"register it with contact_pair({body}, {kind})"
        )

    def why_no_friction(self) -> str:
        """Why its friction is undetermined, as the second half of a sentence; empty where it is determined."""
        return ""

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """Its preconditions at the start of a run: lengths that must be positive."""
        return []


class Round(Contactor):
    """A contacting part whose points all have the same distance from a point or a line of the body, its radius (m)."""

    radius: Expr
    frame: ReferenceFrame | None


@dataclass(frozen=True, eq=False)
class Tip(Contactor):
    """A point of a body as a contacting part."""

    point: Point

    @property
    def name(self) -> str:
        """The name of the point."""
        return self.point.name

    def points(self) -> tuple[Point, ...]:
        """The point."""
        return (self.point,)

    def vectors(self) -> tuple[Vector, ...]:
        """A point has no vectors."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """A point has no lengths."""
        return ()
