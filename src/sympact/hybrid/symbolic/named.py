"""A process of plain functions whose stages have states of their own, or are in discrete time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sm

from sympact.hybrid.flows import SideBySide
from sympact.hybrid.symbolic.expressions import Expressions
from sympact.hybrid.transition import Transition
from sympact.hybrid.validation import raise_faults

__all__ = ["named_process"]


def named_process(flows: Mapping[str, Any], transitions: Iterable[Transition], states: Any) -> Expressions:
    """The process, each of whose states has a symbol of the name that was given.

    Raises
    ------
    ValueError
        If the states are no names, and as `Expressions.checked` says.
    """
    listed = states.values() if isinstance(states, Mapping) else [states]
    named = all(isinstance(one, Sequence) and all(isinstance(name, str) for name in one) for one in listed)
    if states is None or not named:
        raise_faults(
            "the process cannot be built",
            [f"states is {states!r}, expected the names of the states, for all stages or for each, {{stage: [name]}}"],
        )
    if isinstance(states, Mapping):
        own: Any = {stage: [sm.Symbol(name) for name in names] for stage, names in states.items()}
    else:
        own = [sm.Symbol(name) for name in states]
    process = Expressions.checked(
        {stage: _with_symbols(flow) for stage, flow in flows.items()}, transitions, own, (), None
    )
    labels = tuple(state.name for state in process.inputs.states)
    return Expressions(**{**vars(process), "labels": labels})


def _with_symbols(flow: Any) -> Any:
    """A flow of parts by the symbols of their states."""
    if not isinstance(flow, SideBySide):
        return flow
    return SideBySide(tuple((tuple(sm.Symbol(str(name)) for name in names), part) for names, part in flow.parts))
