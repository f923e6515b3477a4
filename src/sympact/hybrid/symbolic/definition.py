"""The stages of a process as they are given: which states each has, and who says how they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm

from sympact.hybrid.flows import DiscreteTime, SideBySide
from sympact.hybrid.plain_functions import fault_of_cfunc
from sympact.hybrid.symbolic.process_symbols import Inputs, is_letter, name_of, subexpressions
from sympact.hybrid.transition import Transition

__all__ = ["Clock", "Piece", "StageDefinition", "fault_of", "is_function", "jump_of", "own_states", "stage_definition"]

States = tuple[sm.Expr, ...]


@dataclass(frozen=True)
class Piece:
    """How some states move: one expression for each, or a function of (t, these states)."""

    states: States
    rates: tuple[sm.Expr, ...] | None
    function: Callable | None = None


@dataclass(frozen=True)
class Clock:
    """How some states are updated at instants: one expression for each, or the function of `time` itself."""

    states: States
    time: DiscreteTime
    updates: tuple[sm.Expr, ...] | None


@dataclass(frozen=True)
class StageDefinition:
    """One stage.

    Parameters
    ----------
    name : str
    states : tuple of Expr
        Its own, in the order of those of the process.
    pieces : tuple of Piece
    clocks : tuple of Clock
    """

    name: str
    states: States
    pieces: tuple[Piece, ...]
    clocks: tuple[Clock, ...]

    @property
    def rates(self) -> dict[sm.Expr, sm.Expr]:
        """The rate of each state that an expression gives; states in discrete time have the rate 0."""
        held = {state: sm.Integer(0) for clock in self.clocks for state in clock.states}
        written = (zip(piece.states, piece.rates, strict=True) for piece in self.pieces if piece.rates is not None)
        return held | {state: rate for pairs in written for state, rate in pairs}

    @property
    def functions(self) -> tuple[tuple[States, Callable], ...]:
        """The plain functions, each with its states."""
        return tuple((piece.states, piece.function) for piece in self.pieces if piece.function is not None)


def own_states(flows: Mapping[str, Any], states: Any) -> tuple[States, dict[str, States]]:
    """The states of the process, and of each stage in the same order.

    Parameters
    ----------
    flows : mapping
    states : sequence of Expr, or mapping of str to sequence of Expr
        Those of all stages, but for stages whose flow is a mapping, which has the states as keys; or those of each
        stage.

    Raises
    ------
    ValueError
        If a mapping does not list symbols for every stage.
    """
    if isinstance(states, Mapping):
        faults = [name for name in flows if not _are_letters(states.get(name))]
        if faults:
            raise ValueError(f"states has no list of symbols for the stages {faults}; expected one for each stage")
        union = tuple(dict.fromkeys(state for name in flows for state in states[name]))
        return union, {name: _in_order(_keys(flow, states[name]), union) for name, flow in flows.items()}
    union = tuple(states)
    return union, {name: _in_order(_keys(flow, union), union) for name, flow in flows.items()}


def _keys(flow: Any, union: States) -> Any:
    """The states that the flow of a stage gives; all where it does not say which."""
    if isinstance(flow, Mapping):
        return flow
    if isinstance(flow, DiscreteTime):
        return _keys(flow.update, union)
    if isinstance(flow, SideBySide):
        return [state for states, _ in flow.parts for state in states]
    return union


def _in_order(some: Any, union: States) -> States:
    return tuple(state for state in union if state in set(some))


def _are_letters(values: Any) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str) and all(map(is_letter, values))


def stage_definition(name: str, flow: Any, states: States) -> StageDefinition:
    """A stage whose flow has no fault."""
    parts = flow.parts if isinstance(flow, SideBySide) else ((states, flow),)
    pieces, clocks = [], []
    for own, part in parts:
        if isinstance(part, DiscreteTime):
            update = part.update
            clocks.append(Clock(tuple(own), part, None if is_function(update) else _listed(update, own)))
        elif is_function(part):
            pieces.append(Piece(tuple(own), None, part))
        else:
            pieces.append(Piece(tuple(own), _listed(part, own)))
    return StageDefinition(name, states, tuple(pieces), tuple(clocks))


def _listed(values: Any, states: Sequence[sm.Expr]) -> tuple[sm.Expr, ...]:
    """One expression for each state; states that a mapping does not contain are unchanged."""
    return tuple(values.get(state, state) for state in states) if isinstance(values, Mapping) else tuple(values)


def jump_of(edge: Transition, own: Mapping[str, States]) -> Any:
    """The jump as a function, or one expression for each state of the stage entered; None for the identity."""
    source, target = own[edge.source], own[edge.target]
    if is_function(edge.jump):
        return edge.jump
    if edge.jump is None:
        return None if source == target else target
    return _listed(edge.jump, target)


def fault_of(thing: Any, role: str, label: str, where: Any, inputs: Inputs, own: Mapping[str, States]) -> str | None:
    """A sentence if a flow, boundary or jump is not right for its stage; `where` is its name, or the transition."""
    if role == "flow":
        return _fault_of_flow(thing, label, own[where], inputs)
    source = own.get(where.source, inputs.states)
    if role == "boundary":
        if is_function(thing):
            return fault_of_cfunc(thing, label)
        if not _is_scalar(thing):
            return f"{label} is {thing!r}, expected one SymPy expression"
        return _fault_of_letters([thing], label, source, f"the stage {where.source!r}", inputs)
    if is_function(thing):
        return fault_of_cfunc(thing, label)
    target = own.get(where.target, inputs.states)
    return _fault_of_jump(thing, label, where, (source, target), inputs)


def _fault_of_flow(flow: Any, label: str, states: States, inputs: Inputs) -> str | None:
    if isinstance(flow, SideBySide):
        faults = [_fault_of_flow(part, label, tuple(own), inputs) for own, part in flow.parts]
        return next(filter(None, faults), None)
    if isinstance(flow, DiscreteTime):
        return _fault_of_updates(flow, label, states, inputs)
    if is_function(flow):
        return fault_of_cfunc(flow, label)
    return _fault_of_list(flow, label, states, inputs) or _fault_of_letters(
        _listed(flow, states), label, states, "its stage", inputs
    )


def _fault_of_updates(time: DiscreteTime, label: str, states: States, inputs: Inputs) -> str | None:
    label = f"the update of {label.removeprefix('the flow of ')}"
    if is_function(time.update):
        return None
    if not (time.index is None or is_letter(time.index)):
        return f"the index of {label} is {time.index!r}, expected a symbol such as symbols('k')"
    return _fault_of_list(time.update, label, states, inputs) or _fault_of_letters(
        _listed(time.update, states), label, states, "its stage", inputs
    )


def _fault_of_jump(thing: Any, label: str, edge: Transition, ends: tuple[States, States], inputs: Inputs) -> str | None:
    """A sentence for a jump that does not lead from the states of one stage to those of another."""
    source, target = ends
    if isinstance(thing, Mapping):
        unknown = [str(key) for key in thing if key not in inputs.states]
        if unknown:
            return f"{label} gives values to {unknown}, which are no states; the states are {_names(inputs.states)}"
        foreign = [name_of(key) for key in thing if key not in target]
        if foreign:
            return f"{label} gives values to {foreign}, which the stage {edge.target!r} does not have: {_names(target)}"
    known = set(thing) if isinstance(thing, Mapping) else set()
    missing = [name_of(state) for state in target if state not in source and state not in known]
    if missing and (thing is None or isinstance(thing, Mapping)):
        return (
            f"{label} gives no value to {missing}, which the stage {edge.target!r} has and {edge.source!r} does not;"
            f" give one to each, jump={{{missing[0]}: ...}}"
        )
    if thing is None:
        return None
    return _fault_of_list(thing, label, target, inputs) or _fault_of_letters(
        _listed(thing, target), label, source, f"the stage {edge.source!r}", inputs
    )


def _fault_of_list(thing: Any, label: str, states: States, inputs: Inputs) -> str | None:
    """A sentence for what is no list of expressions, or has another length than the states."""
    if isinstance(thing, Mapping):
        unknown = [str(key) for key in thing if key not in inputs.states]
        if unknown:
            return f"{label} gives values to {unknown}, which are no states; the states are {_names(inputs.states)}"
        thing = [thing.get(state, state) for state in states]
    parts = list(thing) if isinstance(thing, Sequence | sm.MatrixBase) and not isinstance(thing, str) else None
    names = [str(state) for state in states]
    if parts is None or not all(_is_scalar(part) for part in parts):
        return f"{label} is {thing!r}, expected a list of SymPy expressions, one for each of the states {names}"
    if len(parts) != len(states):
        return f"{label} has {len(parts)} expressions, expected {len(states)}, one for each of the states {names}"
    return None


def _fault_of_letters(parts: Sequence[Any], label: str, own: States, where: str, inputs: Inputs) -> str | None:
    """A sentence for a state that the stage does not have, and for the rate of a state."""
    rates = sorted({str(part) for part in subexpressions(parts) if isinstance(part, sm.Derivative)})
    if rates:
        return (
            f"{label} contains {', '.join(rates)}, and states have no rates there; write the expression that a flow"
            " gives for it; a state in discrete time changes at instants alone and has none"
        )
    foreign = sorted({name for item in parts for name in inputs.foreign(item, own)})
    if foreign:
        return f"{label} contains {foreign}, which {where} does not have; its states are {_names(own)}"
    return None


def _names(states: Sequence[object]) -> list[str]:
    return [str(state) for state in states]


def is_function(thing: object) -> bool:
    """Whether it is a plain function, no expression."""
    return callable(thing) and not isinstance(thing, sm.Basic)


def _is_scalar(thing: object) -> bool:
    return isinstance(thing, sm.Expr | int | float | np.number)
