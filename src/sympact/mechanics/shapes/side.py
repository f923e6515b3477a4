"""What both sides of a contact have in common: where they are, what shapes them, which material they are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

__all__ = ["LEFT_OUT", "Side"]

LEFT_OUT: Any = None
"""The default of what an object works out itself, such as its name: after its construction it is there."""


class Side(ABC):
    """A surface, or the part of a body that touches one."""

    @property
    @abstractmethod
    def name(self) -> str:
        """A short name for tables and for the default names of contacts."""

    @abstractmethod
    def points(self) -> tuple[Point, ...]:
        """The points that place it."""

    @abstractmethod
    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that shape it."""

    @abstractmethod
    def lengths(self) -> tuple[Expr, ...]:
        """The lengths that give it its size (m)."""

    def sizes(self) -> tuple[Expr, ...]:
        """Those of `lengths` that measure it (m), and with it its model."""
        return self.lengths()

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames in which its material is at rest, where friction asks for them."""
        return ()
