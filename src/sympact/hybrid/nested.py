"""A stage that is itself a process: its inner stages take its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from sympact.hybrid.flows import DiscreteTime
from sympact.hybrid.transition import Transition
from sympact.hybrid.validation import raise_faults

__all__ = ["Nested", "entries", "flattened", "states_named"]


@dataclass(frozen=True, eq=False)
class Nested:
    """A process in the place of the flow of a stage.

    A transition that leaves the stage leaves it from any of the inner stages, and is taken before the inner transitions
    that fire at the same time; one that leads to the stage enters the inner stage `start`. The inner stages are named
    "stage.inner", by which transitions of the outer process may name them, too.

    Parameters
    ----------
    process : HybridSystem
    start : str
        The inner stage that is entered.

    Examples
    --------
    >>> from sympact import HybridSystem
    >>> gears = HybridSystem({"low": lambda t, x: [2.0], "high": lambda t, x: [1.0]},
    ...                      [Transition("low", "high", boundary=lambda t, x: x[0] - 3.0)], states=["speed"])
    >>> car = HybridSystem({"drive": Nested(gears, start="low"), "coast": lambda t, x: -x},
    ...                    [Transition("drive", "coast", boundary=lambda t, x: t - 2.0)], states=["speed"])
    >>> car.simulate((0, 3), [0.0], start="drive").path
    ('drive.low', 'drive.high', 'coast')
    """

    process: Any
    _: KW_ONLY
    start: str

    @property
    def entered(self) -> str:
        """The inner stage that is entered, by its name among those of the inner process."""
        return self.process.entries.get(self.start, self.start)


def entries(flows: Any) -> dict[str, str]:
    """The inner stage that is entered, for each stage that is itself a process."""
    if not isinstance(flows, Mapping):
        return {}
    return {name: f"{name}.{one.entered}" for name, one in flows.items() if isinstance(one, Nested)}


def flattened(flows: Any, transitions: Any, states: Any) -> tuple[Any, Any, Any]:
    """Flows, transitions and states of a process whose nested stages are replaced by their inner stages.

    Raises
    ------
    ValueError
        If a nested process does not have its start stage, or was built without names of its states beside stages with
        other states.
    """
    if not isinstance(flows, Mapping) or not any(isinstance(flow, Nested) for flow in flows.values()):
        return flows, transitions, states
    nested = {name: flow for name, flow in flows.items() if isinstance(flow, Nested)}
    raise_faults("the process cannot be built", [fault for name, one in nested.items() for fault in _faults(name, one)])
    flat: dict[str, Any] = {}
    for name, flow in flows.items():
        inner = flow.process._parts.flows if name in nested else {}
        flat |= {f"{name}.{stage}": own for stage, own in inner.items()} if name in nested else {name: flow}
    listed = tuple(transitions) if isinstance(transitions, Iterable) else (transitions,)
    outer = [edge for one in listed for edge in _outer(one, nested)]
    within = [_inner(edge, name) for name, one in nested.items() for edge in one.process.transitions]
    return flat, [*outer, *within], _states(flows, nested, states)


def _faults(name: str, one: Nested) -> list[str]:
    stages = getattr(one.process, "stages", None)
    if stages is None:
        return [f"the nested process of stage {name!r} is a {type(one.process).__name__}, expected a HybridSystem"]
    if one.entered not in stages:
        return [f"the nested process of stage {name!r} has no stage {one.start!r} to start in; it has {list(stages)}"]
    return []


def _outer(edge: Any, nested: Mapping[str, Nested]) -> list[Any]:
    """A transition of the outer process, once for each inner stage that it leaves."""
    if not isinstance(edge, Transition):
        return [edge]
    target = f"{edge.target}.{nested[edge.target].entered}" if edge.target in nested else edge.target
    if edge.source not in nested:
        return [replace(edge, target=target)]
    return [
        replace(
            edge, source=f"{edge.source}.{stage}", target=target, name=f"{edge.name}, {stage}" if edge.name else None
        )
        for stage in nested[edge.source].process.stages
    ]


def _inner(edge: Transition, stage: str) -> Transition:
    """A transition of a nested process."""
    name = f"{stage}.{edge.name}" if edge.name else None
    return replace(edge, source=f"{stage}.{edge.source}", target=f"{stage}.{edge.target}", name=name)


def _states(flows: Mapping[str, Any], nested: Mapping[str, Nested], states: Any) -> Any:
    """The states of each stage; those of the process where all inner stages have them."""
    inner = {name: _states_within(one.process) for name, one in nested.items()}
    common = None if isinstance(states, Mapping) or states is None else tuple(states)
    if all(own is None or set(own.values()) == {common} for own in inner.values()):
        return states
    found: dict[str, Any] = {}
    for name in flows:
        own = inner.get(name)
        if name in nested:
            stages = nested[name].process.stages
            found |= {f"{name}.{stage}": common if own is None else own[stage] for stage in stages}
        else:
            found[name] = states[name] if isinstance(states, Mapping) else common
    return found


def _states_within(process: Any) -> dict[str, tuple] | None:
    """The states of each stage of a process; None where they have no names."""
    if process.states is None:
        return None
    places = process._parts.places or {name: range(len(process.states)) for name in process.stages}
    return {name: tuple(process.states[i] for i in places[name]) for name in process.stages}


def states_named(flows: Mapping[str, Any]) -> tuple[Any, ...]:
    """The states that flows name as the keys of mappings, and nested processes as their own, in the order of the flows.

    Raises
    ------
    ValueError
        Naming the stages whose flow names none.
    """
    named = {name: _named_by(flow) for name, flow in flows.items()}
    silent = [name for name, states in named.items() if states is None]
    if silent:
        raise ValueError(
            f"the process cannot be built: states is missing, and the flows of the stages {silent} do not name theirs; "
            "give a list of symbols or functions of time, states=[y, v], or flows as mappings, {y: v, v: -g}"
        )
    return tuple(dict.fromkeys(state for states in named.values() for state in states or ()))


def _named_by(flow: Any) -> tuple[Any, ...] | None:
    """The states that a flow names; None where it is a list or a function, which names none."""
    if isinstance(flow, Mapping):
        return tuple(flow)
    if isinstance(flow, DiscreteTime):
        return _named_by(flow.update)
    if isinstance(flow, Nested):
        return flow.process.states
    return None
