"""Events of the user's own given as plain functions of (t, x), alone or in a list, as `solve_ivp` of SciPy has them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sympact.integrate.memory.run_codes import BOTH
from sympact.integrate.problem.crossing import Crossing, Stop

__all__ = ["FunctionEvent", "check_names", "named_events", "read_function"]


@dataclass(frozen=True, slots=True)
class FunctionEvent:
    """A function of which a run watches the zeros.

    Attributes
    ----------
    name : str
        That of its events.
    function : callable
        ``function(t, x)``, a real number.
    sense : int
        1: an event where it increases through zero, -1: where it decreases, 0: both.
    ends : int
        After how many of its events the run ends, 0: it does not.
    """

    name: str
    function: Callable
    sense: int
    ends: int = 0


def named_events(events: object, expected: str) -> dict[str, Any]:
    """Events by name: those of a mapping, or one or a list of them; functions have their own names.

    What has no name of its own, or that of another one, is ``"event 1"``, ``"event 2"``, by its place in the list.

    Raises
    ------
    TypeError
        With what is `expected`, if it is something else.
    """
    if isinstance(events, Mapping):
        return dict(events)
    listed = [events] if callable(events) or isinstance(events, (Crossing, Stop)) else events
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        raise TypeError(
            f"events is {events!r}, expected a mapping of names to {expected}; or one of them, or a list, or "
            "functions f(t, x)"
        )
    own = [getattr(one, "__name__", "<lambda>") for one in listed]
    return {
        f"event {k + 1}" if name == "<lambda>" or own.count(name) > 1 else name: one
        for k, (name, one) in enumerate(zip(own, listed, strict=True))
    }


def read_function(name: str, given: object, tell: Callable[[str], None]) -> FunctionEvent | None:
    """One event; None with a fault if it cannot be read.

    The attributes ``terminal`` and ``direction`` of a function count as in `solve_ivp`; those of a `Crossing` or a
    `Stop` around it come first.
    """
    ends, direction = 0, None
    function: Any = given
    if isinstance(given, (Crossing, Stop)):
        function, direction = given.condition, given.direction
        ends = given.occurrences if isinstance(given, Stop) else 0
    if isinstance(function, type) or not (callable(function) or hasattr(function, "address")):
        tell(f"{name!r} is {function!r}, expected a function f(t, x) that returns a real number")
        return None
    unfit = _unfit(function)
    if unfit:
        tell(f"{name!r} is {unfit}")
        return None
    terminal = getattr(function, "terminal", False)
    if not isinstance(terminal, bool | np.bool_ | int | np.integer) or terminal < 0:
        tell(
            f"{name!r} has terminal = {terminal!r}; expected True, which ends the run at the first event, False, or "
            "the number of the event at which the run ends"
        )
        return None
    if direction is None:
        direction = getattr(function, "direction", BOTH)
        direction = (direction > 0) - (direction < 0)
    return FunctionEvent(name, function, direction, ends or int(terminal))


def _unfit(function: Any) -> str:
    """What a function is that takes other arguments than f(t, x), and what is expected; else empty."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""  # one of another language has none
    try:
        signature.bind(0.0, None)
    except TypeError:
        own = getattr(function, "__name__", type(function).__name__)
        return (
            f"the function {own}{signature}; expected f(t, x) of the time and the state, which is an event where its "
            "value passes zero: write lambda t, x: ..."
        )
    return ""


def check_names(names: Collection[object], taken: Collection[str], tell: Callable[[str], None]) -> None:
    """A sentence for each name that is no text, or that something else has already."""
    for name in names:
        if not isinstance(name, str) or not name:
            tell(f"an event is called {name!r}; expected a text")
        elif name in taken:
            tell(f"an event is called {name!r}, as a transition is; give it another name")
