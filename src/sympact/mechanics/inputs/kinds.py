"""The kinds of inputs: what the equations and the machine code depend on, without the numbers that vary."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Symbol

__all__ = ["NUMBER", "PYTHON", "Data", "Formula", "Kind", "LawKind", "Shaping"]

NUMBER, PYTHON = "number", "python"


@dataclass(frozen=True, slots=True)
class Formula:
    """An input that is an expression; the `constants` in it are symbols for floating-point numbers."""

    expression: Expr
    constants: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """An input that is a piecewise polynomial."""

    degree: int


Kind = str | Formula | Data
"""The kind of an input, without the numbers that vary from run to run: `NUMBER`, `PYTHON`, a formula, data."""


@dataclass(frozen=True, slots=True)
class Shaping:
    """How a command is quantised and then limited; None where it is not.

    Attributes
    ----------
    quantum : Formula, optional
        The distance of the admissible values.
    limits : pair of Formula, optional
        The least and the largest value.
    """

    quantum: Formula | None = None
    limits: tuple[Formula, Formula] | None = None

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All formulas, in the order of their numbers."""
        return (*([] if self.quantum is None else [self.quantum]), *(self.limits or ()))


@dataclass(frozen=True, slots=True)
class LawKind:
    """A sampled law.

    Attributes
    ----------
    commands : tuple of Expr
        The inputs that it sets.
    memory : tuple of Expr
        The symbols that it keeps between its samples.
    updated : tuple of Expr
        The symbols of the memory that it changes.
    formulas : tuple of Formula
        The values of `commands` and of `updated`; of a Python function what it measures.
    shaping : tuple of Shaping
        Of each command; empty for a Python function.
    python : bool
    """

    commands: tuple[Expr, ...]
    memory: tuple[Expr, ...]
    updated: tuple[Expr, ...]
    formulas: tuple[Formula, ...]
    shaping: tuple[Shaping, ...] = ()
    python: bool = False

    @property
    def letters(self) -> tuple[Expr, ...]:
        """The symbols that it changes, in the order of its results."""
        return (*self.commands, *self.updated)

    @property
    def all_formulas(self) -> tuple[Formula, ...]:
        """All formulas, in the order of their numbers."""
        return (*self.formulas, *(formula for one in self.shaping for formula in one.formulas))
