"""Transitions of the user's own, and those of latches, read into a description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sympy import Expr, Float, Piecewise, S, SympifyError, sympify

from sympact.hybrid.transition import Transition, When
from sympact.integrate.memory import run_codes as codes
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.read.conditions import SILENT, Condition, Jump, read_condition
from sympact.mechanics.read.latches import Latched
from sympact.mechanics.read.source import Description

__all__ = ["with_transitions"]

ACCUMULATION = "accumulation"
_TURNS = {"before": codes.BEFORE, "after": codes.AFTER, "instead": codes.INSTEAD}


def with_transitions(description: Description, transitions: object, contacts: Iterable[str]) -> Description:
    """The description with transitions, which are `Transition` or `When`, then those of its latches.

    Contacts have the names given. A condition to close is false while the latch is closed, one to open while it is
    open: its expression may stay at zero then.

    Raises
    ------
    TypeError
        If one is something else.
    ValueError
        With a sentence for each fault of them.
    """
    if not isinstance(transitions, Iterable):
        raise TypeError(f"transitions is {transitions!r}, expected a list of Transition and When")
    transitions, faults = tuple(transitions), Faults("the transitions cannot be read")
    wrong = [one for one in transitions if not isinstance(one, (Transition, When))]
    if wrong:
        raise TypeError(f"transitions: expected Transition and When; found {', '.join(map(repr, wrong))}")
    conditions: list[Condition[Expr]] = []
    jumps: list[Jump] = []
    taken = set(contacts)
    for k, given in enumerate(transitions):
        name = given.name or f"transition {k + 1}"
        if name in taken:
            faults.add(f"{name!r} is the name of two transitions, or of a contact; give each its own name=")
        taken.add(name)
        conditions += _conditions(name, given, len(jumps), description, faults)
        jumps.append(_jump(name, given, description, faults))
    for latch in description.latches:
        if latch.name in taken:
            faults.add(f"a latch and a transition are both called {latch.name!r}; give one of them another name=")
        for name, given, jump in _of_latch(latch):
            if name in taken:
                faults.add(f"{name!r} is an event of a latch, and the name of a contact or a transition; rename one")
            taken.add(name)
            awaited = latch.latch.state < S.Half if jump.closes else latch.latch.state > S.Half
            for one in _conditions(name, given, len(jumps), description, faults):
                conditions.append(replace(one, margin=Piecewise((one.margin, awaited), (-1, True))))
            jumps.append(jump)
    if sum(one.at_accumulation for one in conditions) > 1:
        faults.add(f"several transitions have the boundary {ACCUMULATION!r}; expected one")
    faults.throw()
    return replace(description, conditions=tuple(conditions), jumps=tuple(jumps))


def _of_latch(held: Latched) -> Iterator[tuple[str, When, Jump]]:
    """The transitions of a latch, with their names."""
    latch = held.latch
    for closes, given in ((True, latch.closes), (False, latch.opens)):
        if given is not None:
            name = f"{latch.name} {'closes' if closes else 'opens'}"
            conditions = list(given) if isinstance(given, (list, tuple)) else [given]
            changes = {latch.state: Float(int(closes))}
            captures = tuple(held.captures()) if closes else ()
            jump = Jump(name, tuple(changes.items()), codes.BEFORE, captures, latch.state, closes)
            yield name, When(conditions, reinit=changes), jump


def _conditions(
    name: str, given: Transition | When, jump: int, description: Description, faults: Faults
) -> list[Condition[Expr]]:
    """The conditions that cause a jump."""
    asked = given.conditions if isinstance(given, When) else (given.boundary,)
    if isinstance(asked, (str, Mapping)) or not isinstance(asked, Iterable):
        faults.add(f"the conditions of {name!r} are {asked!r}; expected a list, [q > 1, u < 0]")
        return []
    asked, found = tuple(asked), []
    for one in asked:
        if isinstance(one, str) and one == ACCUMULATION:
            found.append(Condition(name, S.One, SILENT, jump=jump, at_accumulation=True))
            continue
        condition = read_condition(name, one, description.discrete, faults, rising=True)
        if condition is not None and condition.ends:
            faults.add(
                f"{name!r} has a Stop, or a function with terminal = True, as its condition; a transition goes on: "
                "give it to simulate(events=)"
            )
        found += [] if condition is None else [replace(condition, jump=jump)]
    if not asked:
        faults.add(f"{name!r} has no conditions; expected at least one")
    return found


def _jump(name: str, given: Transition | When, description: Description, faults: Faults) -> Jump:
    """What a transition changes."""
    changes = given.reinit if isinstance(given, When) else given.jump
    if isinstance(given, Transition) and (given.source or given.target):
        faults.add(
            f"{name!r} leads from {given.source!r} to {given.target!r}; a model has no stages to be named: leave them "
            "out, and give a mode as a discrete state"
        )
    if given.impact not in _TURNS:
        faults.add(f"{name!r} has impact={given.impact!r}; expected one of {', '.join(map(repr, _TURNS))}")
    turn = _TURNS.get(given.impact, codes.BEFORE)
    if callable(changes):
        return Jump(name, (), turn, function=changes)
    if not isinstance(changes, Mapping) or not changes:
        faults.add(
            f"the jump of {name!r} is {changes!r}; expected a mapping of states to their values after it, such as "
            "{u: -u}, or a function f(t, x) of the state; an event without a jump is one of simulate(events=)"
        )
        changes = {}
    states, read = (*description.q, *description.u), []
    for state, value in changes.items():
        if state not in states:
            faults.add(
                f"the jump of {name!r} changes {state}, which is no state of the model; expected some of "
                f"{', '.join(map(str, states))}; a number that jumps change is a discrete state, in discrete=[...]"
            )
            continue
        try:
            expression = sympify(value, strict=True)
        except SympifyError:
            expression = None
        if not isinstance(expression, Expr):
            faults.add(
                f"the jump of {name!r} changes {state} to {value!r}; expected an expression of the states before"
            )
            continue
        read.append((state, expression))
    return Jump(name, tuple(read), turn)
