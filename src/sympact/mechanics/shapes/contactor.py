"""What a body touches with: a point of it, or a round part whose touching place is no point of the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr
from sympy.physics.vector import Point, Vector

from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.side import Side
from sympact.mechanics.shapes.unilateral import Precondition

if TYPE_CHECKING:
    from sympact.mechanics.shapes.surfaces import Surface

__all__ = ["Contactor", "Tip"]


class Contactor(Side):
    """The part of a body that touches; a `ContactPair` has the geometry of its contact with a kind of surface."""

    def cannot_touch(self, surface: Surface) -> str:
        """Why it touches no surface of this kind, as a sentence with the cure, where there is no pair of the two."""
        body, kind = type(self).__name__, type(surface).__name__
        return (
            f"there is no ContactPair for the {body} '{self.name}' and the {kind} '{surface.name}'; define one, and "
            f"register it with contact_pair({body}, {kind})"
        )

    def why_no_friction(self) -> str:
        """Why its friction cannot be told, as the second half of a sentence; empty where it can."""
        return ""

    def preconditions(self, motion: Motion) -> list[Precondition]:
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
