"""Conditions of the user's own of a model: events of its runs, and what transitions and contacts depend on."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sympy import Expr, S, Symbol
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import dynamicsymbols

from sympact.graph.formula import Scalar
from sympact.hybrid.function_events import named_events, read_function
from sympact.hybrid.symbolic.condition_reader import Condition, Reader
from sympact.integrate.memory.run_codes import SILENT
from sympact.integrate.problem.crossing import Crossing, Stop
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.forces import NormalForce, Reaction
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import leaves

__all__ = ["SILENT", "Condition", "Jump", "margin_of", "read_condition", "read_events"]


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
    function : callable, optional
        ``function(t, x)``, the state after the jump, in place of the changes.
    """

    name: str
    changes: tuple[tuple[Expr, Expr], ...]
    turn: int = 0
    captures: tuple[tuple[Expr, Callable[[Motion], Scalar]], ...] = ()
    latch: Expr | None = None
    closes: bool = False
    function: Callable | None = None


def read_events(events: object, discrete: Collection[Expr], taken: Collection[str]) -> tuple[Condition[Expr], ...]:
    """Read the events of a run.

    Parameters
    ----------
    events : mapping of str to Expr, Boolean, Crossing, Stop or callable; callable or list of callable
    discrete : collection of Expr
        The discrete states.
    taken : collection of str
        Names of contacts, latches and transitions, which no event may have.

    Raises
    ------
    TypeError, ValueError
        With a sentence for each fault.
    """
    given_events = named_events(
        events, "expressions, conditions, Crossing or Stop, such as {'apex': v, 'far': Stop(q - 1)}"
    )
    faults, found = Faults("the events cannot be read"), []
    for name, given in given_events.items():
        if not isinstance(name, str) or not name:
            faults.add(f"an event is called {name!r}; expected a text")
        elif name in taken:
            faults.add(f"an event is called {name!r}, as a contact, a latch or a transition is; give it another name")
        else:
            condition = read_condition(name, given, discrete, faults)
            found += [] if condition is None else [condition]
    faults.throw()
    return tuple(found)


def read_condition(
    name: str, given: object, discrete: Collection[Expr], faults: Faults, *, rising: bool = False
) -> Condition | None:
    """One condition; None with a fault if it cannot be read.

    `rising`: an expression or a function without a direction counts where it increases through zero.
    """
    asked = given.condition if isinstance(given, (Crossing, Stop)) else given
    if not callable(asked) or isinstance(asked, (Expr, Boolean)):
        return _reader(frozenset(discrete), faults).condition(name, given, rising=rising)
    read = read_function(name, given, faults.add)
    if read is None:
        return None
    sense = 1 if rising and _without_direction(given) else read.sense
    return Condition(name, S.One, sense, read.ends, function=read.function)


def _without_direction(given: object) -> bool:
    """Whether a function is given without a direction."""
    return not isinstance(given, (Crossing, Stop)) and not hasattr(given, "direction")


def margin_of(name: str, written: Boolean, discrete: frozenset[Expr], faults: Faults) -> Expr | None:
    """An expression that is positive where a condition is true; None with a fault where there is none."""
    return _reader(discrete, faults).margin(name, written)


def _reader(discrete: frozenset[Expr], faults: Faults) -> Reader:
    return Reader(lambda written: _moves(written, discrete), faults.add, "the model's")


def _moves(written: Expr | Boolean, discrete: frozenset[Expr]) -> bool:
    """Whether an expression may change between events."""
    t = dynamicsymbols._t
    return any(
        leaf == t or isinstance(leaf, (NormalForce, Reaction)) or not (isinstance(leaf, Symbol) or leaf in discrete)
        for leaf in leaves(written)
    )
