"""Conditions of the user's own, read into margins: expressions that are positive where the condition is true."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeVar

from sympy import (
    And,
    Equality,
    Expr,
    Max,
    Min,
    Not,
    Or,
    Piecewise,
    Symbol,
    SympifyError,
    Unequality,
    false,
    sympify,
    true,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import dynamicsymbols

from sympact.graph.formula import Scalar
from sympact.integrate.problem.crossing import Crossing, Stop
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import leaves

__all__ = ["SILENT", "Condition", "Jump", "margin_of", "read_condition", "read_events"]

BOTH = 0
SILENT = 2
"""The sense of a condition that is no event by itself."""


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
        1: an event where the margin increases through zero, -1: where it decreases, 0: both; `SILENT`: none.
    ends : bool
        Whether the run ends there.
    jump : int
        The number of the jump that it causes, -1 for none.
    at_accumulation : bool
        Whether it counts as met where events accumulate.
    """

    name: str
    margin: M
    sense: int
    ends: bool = False
    jump: int = -1
    at_accumulation: bool = False


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump of the states that conditions cause.

    Attributes
    ----------
    name : str
    changes : tuple of (Expr, Expr)
        States with their values after the jump, as expressions of the values before.
    turn : int
        When it is applied at an event with an impact: `run_codes.BEFORE`, ``AFTER`` or ``INSTEAD``.
    captures : tuple of (Expr, callable)
        Further states with their values after the jump, as functions of a `Motion`.
    latch : Expr, optional
        The state of the latch that it closes or opens.
    closes : bool
        Whether it closes it.
    """

    name: str
    changes: tuple[tuple[Expr, Expr], ...]
    turn: int = 0
    captures: tuple[tuple[Expr, Callable[[Motion], Scalar]], ...] = ()
    latch: Expr | None = None
    closes: bool = False


def read_events(events: object, discrete: Collection[Expr], taken: Collection[str]) -> tuple[Condition[Expr], ...]:
    """Read the events of a run.

    Parameters
    ----------
    events : mapping of str to Expr, Boolean, Crossing or Stop
    discrete : collection of Expr
        The discrete states.
    taken : collection of str
        Names of contacts and transitions, which no event may have.

    Raises
    ------
    TypeError, ValueError
        With a sentence for each fault.
    """
    if not isinstance(events, Mapping):
        raise TypeError(
            f"events is {events!r}, expected a mapping of names to expressions, conditions, Crossing or Stop, such as "
            "{'apex': v, 'far': Stop(q - 1)}"
        )
    faults, found = Faults("the events cannot be read"), []
    for name, given in events.items():
        if not isinstance(name, str) or not name:
            faults.add(f"an event is called {name!r}; expected a text")
        elif name in taken:
            faults.add(f"an event is called {name!r}, as a contact or a transition is; give it another name")
        else:
            condition = read_condition(name, given, discrete, faults)
            found += [] if condition is None else [condition]
    faults.throw()
    return tuple(found)


def read_condition(
    name: str, given: object, discrete: Collection[Expr], faults: Faults, *, rising: bool = False
) -> Condition | None:
    """One condition; None with a fault if it cannot be read.

    `rising`: an expression without a direction counts where it increases through zero.
    """
    ends, direction, asked = isinstance(given, Stop), None, given
    if isinstance(asked, (Crossing, Stop)):
        given, direction = asked.condition, asked.direction
    if callable(given) and not isinstance(given, (Expr, Boolean)):
        faults.add(
            f"{name!r} is the function {getattr(given, '__name__', given)!r}; expected an expression of the model's "
            "symbols, such as q - 1, or a condition, such as q > 1, whose derivatives along the motion are known"
        )
        return None
    try:
        written = sympify(given, strict=True)
    except SympifyError:
        written = None
    if isinstance(written, Boolean) and not isinstance(written, Expr):  # a Symbol is both
        margin = margin_of(name, written, frozenset(discrete), faults)
        return None if margin is None else Condition(name, margin, 1 if direction is None else direction, ends)
    if not isinstance(written, Expr) or not written.free_symbols | set(leaves(written)):
        faults.add(
            f"{name!r} is {given!r}, expected an expression of the model's symbols, or a condition such as q > 0"
        )
        return None
    sense = (1 if rising else BOTH) if direction is None else direction
    if not _moves(written, frozenset(discrete)):
        written = Piecewise((1, written > 0), (-1, True))
    return Condition(name, written, sense, ends)


def margin_of(name: str, written: Boolean, discrete: frozenset[Expr], faults: Faults) -> Expr | None:
    """An expression that is positive where a condition is true; None with a fault where there is none."""
    if written in (true, false):
        faults.add(f"{name!r} is always {bool(written)}; expected a condition that depends on the motion")
        return None
    if not _moves(written, discrete):
        return Piecewise((1, written), (-1, True))
    if isinstance(written, (Equality, Unequality)):
        faults.add(
            f"{name!r} is {written}, which no motion meets for longer than an instant; expected the expression itself, "
            f"{written.lhs - written.rhs}, which is an event where it passes zero, or an inequality"
        )
        return None
    if isinstance(written, Relational):
        return written.gts - written.lts
    if isinstance(written, Not):
        part = margin_of(name, written.args[0], discrete, faults)
        return None if part is None else -part
    if isinstance(written, (And, Or)):
        return _combined(name, written, discrete, faults)
    faults.add(f"{name!r} is {written}; expected inequalities, combined by And, Or and Not")
    return None


def _combined(name: str, written: Boolean, discrete: frozenset[Expr], faults: Faults) -> Expr | None:
    """The margin of several conditions: the least, or the largest; those of discrete states alone select it."""
    every = isinstance(written, And)
    still = [part for part in written.args if not _moves(part, discrete)]
    parts = [margin_of(name, part, discrete, faults) for part in written.args if _moves(part, discrete)]
    if any(part is None for part in parts):
        return None
    combine: Callable = Min if every else Max
    margin = reduce(combine, parts)
    if not still:
        return margin
    return Piecewise((margin, And(*still)), (-1, True)) if every else Piecewise((1, Or(*still)), (margin, True))


def _moves(written: Expr | Boolean, discrete: frozenset[Expr]) -> bool:
    """Whether an expression may change between events."""
    t = dynamicsymbols._t
    return any(leaf == t or not (isinstance(leaf, Symbol) or leaf in discrete) for leaf in leaves(written))
