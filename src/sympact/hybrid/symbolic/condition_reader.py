"""Conditions of the user's own, read into margins: expressions that are positive where the condition is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

from sympy import (
    And,
    Equality,
    Expr,
    GreaterThan,
    LessThan,
    Max,
    Min,
    Not,
    Or,
    Piecewise,
    SympifyError,
    Unequality,
    false,
    sympify,
    true,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from sympact.integrate.memory.run_codes import BOTH
from sympact.integrate.problem.crossing import Crossing, Stop

__all__ = ["Condition", "Reader"]


M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Condition(Generic[M]):
    """A condition of the user's own, which a run watches and no equation contains.

    Attributes
    ----------
    name : str
        That of its events.
    margin : Expr or Node
        Positive where it is true: in symbols as it is read, as a node of the graph where it is derived.
    sense : int
        1: an event where the margin increases through zero, -1: where it decreases, 0: both; `run_codes.SILENT`: none.
    ends : int
        After how many of its events the run ends, 0: it does not.
    jump : int
        The number of the jump that it causes, -1 for none.
    at_accumulation : bool
        Whether it counts as met where events accumulate.
    function : callable, optional
        A function of (t, x) in place of the margin.
    of_forces : bool
        Whether the margin, as a node, contains forces of contacts and constraints, or accelerations: the inputs
        ``xdot`` are x' and, after it, the normal forces of all contacts.
    of_reactions : bool
        Whether it contains those of constraints: their multipliers follow.
    at_zero : int
        The truth of an inequality where its margin is exactly zero, as that of a force is where a contact is open: 1 or
        -1; 0 of an expression.
    """

    name: str
    margin: M
    sense: int
    ends: int = 0
    jump: int = -1
    at_accumulation: bool = False
    function: Callable | None = None
    of_forces: bool = False
    of_reactions: bool = False
    at_zero: int = 0

    @property
    def by_values(self) -> bool:
        """Whether its values alone are known, not its rates."""
        return self.of_forces or self.function is not None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the conditions of a model or a process.

    Attributes
    ----------
    moves : callable
        Whether an expression may change between events.
    tell : callable
        Called with a sentence for each fault.
    of : str
        What the symbols belong to, such as ``"the model's"``, for messages.
    """

    moves: Callable[[Any], bool]
    tell: Callable[[str], None]
    of: str

    def condition(self, name: str, given: object, *, rising: bool = False) -> Condition | None:
        """One condition; None with a fault if it cannot be read.

        `rising`: an expression without a direction counts where it increases through zero.
        """
        ends, direction, asked = given.occurrences if isinstance(given, Stop) else 0, None, given
        if isinstance(asked, (Crossing, Stop)):
            given, direction = asked.condition, asked.direction
        if callable(given) and not isinstance(given, (Expr, Boolean)):
            self.tell(
                f"{name!r} is the function {getattr(given, '__name__', given)!r}; expected an expression of {self.of} "
                "symbols, such as q - 1, or a condition, such as q > 1, whose derivatives along the motion are known"
            )
            return None
        try:
            written = sympify(given, strict=True)
        except SympifyError:
            written = None
        if isinstance(written, Boolean) and not isinstance(written, Expr):  # a Symbol is both
            margin = self.margin(name, written)
            sense = 1 if direction is None else direction
            return None if margin is None else Condition(name, margin, sense, ends, at_zero=_at_zero(written))
        if not isinstance(written, Expr) or not written.free_symbols:
            self.tell(
                f"{name!r} is {given!r}, expected an expression of {self.of} symbols, or a condition such as q > 0"
            )
            return None
        sense = (1 if rising else BOTH) if direction is None else direction
        if not self.moves(written):
            written = Piecewise((1, written > 0), (-1, True))
        return Condition(name, written, sense, ends)

    def margin(self, name: str, written: Boolean) -> Expr | None:
        """An expression that is positive where a condition is true; None with a fault where there is none."""
        if written in (true, false):
            self.tell(f"{name!r} is always {bool(written)}; expected a condition that depends on the motion")
            return None
        if not self.moves(written):
            return Piecewise((1, written), (-1, True))
        if isinstance(written, (Equality, Unequality)):
            self.tell(
                f"{name!r} is {written}, which no motion meets for longer than an instant; expected the expression "
                f"itself, {written.lhs - written.rhs}, which is an event where it passes zero, or an inequality"
            )
            return None
        if isinstance(written, Relational):
            return written.gts - written.lts
        if isinstance(written, Not):
            part = self.margin(name, written.args[0])
            return None if part is None else -part
        if isinstance(written, (And, Or)):
            return self._combined(name, written)
        self.tell(f"{name!r} is {written}; expected inequalities, combined by And, Or and Not")
        return None

    def _combined(self, name: str, written: Boolean) -> Expr | None:
        """The margin of several conditions: the least, or the largest; those that never move select it."""
        every = isinstance(written, And)
        still = [part for part in written.args if not self.moves(part)]
        parts = [self.margin(name, part) for part in written.args if self.moves(part)]
        if any(part is None for part in parts):
            return None
        combine: Callable = Min if every else Max
        margin = reduce(combine, parts)
        if not still:
            return margin
        return Piecewise((margin, And(*still)), (-1, True)) if every else Piecewise((1, Or(*still)), (margin, True))


def _at_zero(written: Boolean) -> int:
    """See `Condition`: where all inequalities are strict zero is false."""
    return 1 if written.atoms(GreaterThan, LessThan) else -1
