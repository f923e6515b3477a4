"""The principle from which the equations of motion of a source follow: Kane's, Lagrange's, or equations as written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sympy import Expr

from sympact.mechanics.kit.symbols import LOAD, VELOCITY

__all__ = ["Kane", "Lagrange", "Principle", "Term", "Written"]


@dataclass(frozen=True, slots=True)
class Term:
    """Expressions of the equations of motion.

    Attributes
    ----------
    expressions : tuple of Expr
    further : int
        How often they are still differentiated with respect to time: `VELOCITY` or `LOAD`.
    place : str
        Their origin, for messages.
    """

    expressions: tuple[Expr, ...]
    further: int
    place: str


class Principle(ABC):
    """What determines M and f in M u' = f."""

    potentials_act: ClassVar[bool]
    """Whether the potential energies of bodies act as loads."""

    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the equations beyond those of bodies and loads."""


@dataclass(frozen=True, slots=True)
class Kane(Principle):
    """Kane's equations of the bodies under the loads."""

    potentials_act: ClassVar[bool] = True

    def terms(self) -> tuple[Term, ...]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class Lagrange(Principle):
    """Lagrange's equations of the second kind, d/dt dL/dq' - dL/dq = Q, with Q of the loads.

    Attributes
    ----------
    lagrangian : Expr
        L = T - V of the coordinates, their derivatives and the time (J).
    """

    potentials_act: ClassVar[bool] = False

    lagrangian: Expr

    def terms(self) -> tuple[Term, ...]:
        """The Lagrangian."""
        return (Term((self.lagrangian,), VELOCITY, "the Lagrangian"),)


@dataclass(frozen=True, slots=True)
class Written(Principle):
    """Equations of motion as the user wrote them.

    Attributes
    ----------
    mass_matrix : tuple of tuples of Expr, shape (n_speeds, n_speeds)
        M in M u' = f; empty for u' = f.
    right_hand_side : tuple of Expr, shape (n_speeds,)
        f; q' may occur in it.
    columns : tuple of tuples of Expr, shape (n_multipliers, n_speeds)
        The forces of multipliers of 1, which the right-hand side does not contain.
    determined : tuple of str
        The multipliers that the equations determine, instead of constraints.
    """

    potentials_act: ClassVar[bool] = False

    mass_matrix: tuple[tuple[Expr, ...], ...]
    right_hand_side: tuple[Expr, ...]
    columns: tuple[tuple[Expr, ...], ...] = ()
    determined: tuple[str, ...] = ()

    def terms(self) -> tuple[Term, ...]:
        """The mass matrix and the right-hand side."""
        entries = tuple(entry for row in self.mass_matrix for entry in row)
        return (
            Term(entries, LOAD, "the mass matrix"),
            Term(self.right_hand_side, LOAD, "the right-hand side of the equations of motion"),
            Term(tuple(entry for column in self.columns for entry in column), LOAD, "the columns of the multipliers"),
        )
