"""The validity of a process and of the start of a run; one error names all faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sympact.hybrid.transition import Transition, transition_names
from sympact.integrate.export.letters import by_letters, mistaken
from sympact.integrate.problem.real import all_finite, real_array
from sympact.native.sentences.near_names import suggestion

__all__ = ["FaultOf", "check_process", "in_order", "initial_state", "raise_faults", "stage_index"]

FaultOf = Callable[[Any, str, str, Any], str | None]
"""``fault_of(thing, role, label, where)``: a sentence if `thing` cannot be a "flow", "boundary" or "jump" there: in the
stage of this name, at this transition."""


def check_process(
    flows: Mapping[str, Any],
    transitions: Iterable[Transition],
    states: Sequence[Hashable] | None,
    fault_of: FaultOf,
) -> tuple[Transition, ...]:
    """The transitions as a tuple, if they and the flows form a directed graph of stages.

    Raises
    ------
    ValueError
        With one sentence for each fault.
    """
    listed = tuple(transitions) if isinstance(transitions, Iterable) else (transitions,)
    faults: list[str | None] = [*_kind_faults(flows, listed)]
    if not faults:
        for name, flow in flows.items():
            faults.append(fault_of(flow, "flow", f"the flow of stage {name!r}", name))
        for transition, label in zip(listed, transition_names(listed), strict=True):
            faults.extend(_transition_faults(transition, f"transition {label!r}", flows, fault_of))
        faults.extend(_duplicates([t.name for t in listed if t.name is not None], "transitions"))
    faults.extend(_state_faults(states))
    raise_faults("the process cannot be built", [fault for fault in faults if fault])
    return listed


def stage_index(start: str, stages: Sequence[str]) -> int:
    """The index of the stage named `start`.

    Raises
    ------
    ValueError
        If there is none.
    """
    if start not in stages:
        raise ValueError(
            f"there is no stage {start!r} to start in; the stages are {list(stages)}{suggestion(start, stages)}"
        )
    return stages.index(start)


def initial_state(x0: Sequence[float] | Mapping[Hashable, float], states: Sequence[Hashable] | None) -> np.ndarray:
    """The start of a run as an array of float64, shape (n_states,).

    Parameters
    ----------
    x0 : array_like or mapping
        The numbers in the order of the states, or ``{state: number}`` for every state.
    The states; without them `x0` must be an array, which determines their number.
        The states; without them `x0` must be an array, and says how many there are.

    Raises
    ------
    ValueError
        If it is no finite vector with a number for every state.
    """
    if isinstance(x0, Mapping):
        x0 = in_order(x0, states, "x0", "states")
    try:
        x = real_array(x0)
    except ValueError as error:
        raise ValueError(f"x0: {error}; give one number for each state") from None
    if x.ndim != 1 or x.size == 0:
        raise ValueError(f"x0 has the shape {x.shape}, expected (n_states,): one number for each state")
    if states is not None and len(x) != len(states):
        raise ValueError(f"x0 has {len(x)} numbers, expected {len(states)}, one for each of {_names(states)}")
    if not all_finite(x):
        unknown = [f"x{i}" if states is None else str(states[i]) for i in np.flatnonzero(~np.isfinite(x))]
        raise ValueError(f"x0 is not finite in {unknown}; give finite numbers to start from")
    return x


def in_order(values: Mapping[Hashable, float], names: Sequence[Hashable] | None, what: str, kind: str) -> list[float]:
    """The numbers of a mapping in the order of `names`.

    Raises
    ------
    ValueError
        If some are missing or unknown.
    """
    if names is None:
        raise ValueError(f"{what} is a mapping, but the process was built without names of its {kind}; give an array")
    values = by_letters(values, names)
    missing = [name for name in names if name not in values]
    unknown = [name for name in values if name not in names]
    if missing or unknown:
        raise ValueError(
            f"{what} does not match the process: missing {_names(missing)}, unknown {_names(unknown)}"
            f"{mistaken(unknown, names, f'the {kind} of the process')};"
            f" the process has the {kind} {_names(names)}"
        )
    return [values[name] for name in names]


def raise_faults(what: str, faults: Sequence[str]) -> None:
    """Raise one ValueError for all faults, if there are any."""
    if len(faults) == 1:
        raise ValueError(f"{what}: {faults[0]}")
    if faults:
        raise ValueError(f"{what}, for {len(faults)} reasons:\n" + "\n".join(f"- {fault}" for fault in faults))


def _kind_faults(flows: object, transitions: tuple) -> list[str]:
    """The faults that prevent a check of the single flows and transitions."""
    if not isinstance(flows, Mapping):
        return [f"flows is a {type(flows).__name__}, expected a mapping from the name of each stage to its flow"]
    if not flows:
        return ["flows is empty; a process needs at least one stage, {name: flow}"]
    faults = [
        f"the stage name {name!r} is no string; name every stage by a string"
        for name in flows
        if not isinstance(name, str)
    ]
    faults.extend(
        f"transitions[{k}] is a {type(item).__name__}, expected a Transition(source, target, boundary=...)"
        for k, item in enumerate(transitions)
        if not isinstance(item, Transition)
    )
    return faults


def _state_faults(states: object) -> list[str]:
    if states is None:
        return []
    if isinstance(states, str) or not isinstance(states, Iterable):
        return [f"states is {states!r}, expected a list with a name for each state"]
    return _duplicates([str(state) for state in states], "states")


def _transition_faults(
    transition: Transition, label: str, flows: Mapping[str, Any], fault_of: FaultOf
) -> list[str | None]:
    faults: list[str | None] = []
    if not isinstance(transition.name, str | None):
        faults.append(f"the name of {label} is {transition.name!r}, expected a text")
    for end, stage in (("source", transition.source), ("target", transition.target)):
        if not isinstance(stage, str):
            faults.append(f"the {end} of {label} is {stage!r}, expected the name of a stage")
        elif stage not in flows:
            faults.append(f"the {end} of {label} is the unknown stage {stage!r}; the stages are {list(flows)}")
    if transition.jump is None and transition.source == transition.target:
        faults.append(
            f"{label} leads from {transition.source!r} to itself without a jump, so that it would fire for ever;"
            " give it a jump that moves the state off the boundary, or another target"
        )
    faults.append(fault_of(transition.boundary, "boundary", f"the boundary of {label}", transition))
    faults.append(fault_of(transition.jump, "jump", f"the jump of {label}", transition))
    return faults


def _duplicates(names: Sequence[str], kind: str) -> list[str]:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    return [f"the name {name!r} is given to several {kind}; give each its own" for name in repeated]


def _names(items: Sequence[Hashable]) -> list[str]:
    return [str(item) for item in items]
