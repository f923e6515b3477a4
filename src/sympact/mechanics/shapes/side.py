"""The common interface of both sides of a contact: position, size and material."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

__all__ = ["LEFT_OUT", "Side"]

LEFT_OUT: Any = None
"""The default of an attribute that an object computes itself, such as its name, in its construction."""


class Side(ABC):
    """A surface, or the part of a body that touches one."""

    @property
    @abstractmethod
    def name(self) -> str:
        """A short name for tables and for the default names of contacts."""

    @abstractmethod
    def points(self) -> tuple[Point, ...]:
        """The points that locate it."""

    @abstractmethod
    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that orient it."""

    @abstractmethod
    def lengths(self) -> tuple[Expr, ...]:
        """The lengths that give it its size (m)."""

    def sizes(self) -> tuple[Expr, ...]:
        """Those of `lengths` that are lengths of it (m), and contribute to the model length."""
        return self.lengths()

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames in which its material is at rest, where friction needs them."""
        return ()
