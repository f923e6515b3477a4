"""The functions of a process as nodes of one graph: flows, boundaries with their rates, jumps, updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sm

from sympact.graph import Freezer, Function, Graph, Proving, Switch, Tangent, reachable, switch_names
from sympact.graph.nodes.node import Node
from sympact.hybrid.guard_proofs import Proofs
from sympact.hybrid.symbolic.condition_reader import Condition
from sympact.hybrid.symbolic.definition import Clock, StageDefinition, is_function, jump_of
from sympact.hybrid.symbolic.process_symbols import ARGUMENTS, Inputs
from sympact.hybrid.symbolic.reading import Reading
from sympact.hybrid.symbolic.sliding import Sliding, choose, sliding_stages
from sympact.hybrid.transition import Exit, Transition, exits
from sympact.hybrid.validation import raise_faults
from sympact.integrate.memory.run_codes import ABSENT, SILENT

__all__ = ["Read", "StageCode", "read_process"]

Names = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class StageCode:
    """The functions of one stage, by the suffix of their names, and what belongs to them.

    Parameters
    ----------
    suffix : str
        Of ``flow``, ``gaps``, ...: the index of the stage, and for one that slides its conditions.
    switch_names : tuple of (str, str)
        The relations that are true at +1 and at -1 of each switch.
    proofs : Proofs or None
    derivatives : bool
        Whether all boundaries are expressions along a flow of expressions, so that they have rates.
    slides : tuple of int
        The switches along whose conditions the stage slides.
    watches : tuple of (int, int)
        Of the last switches, which are conditions of the user's own: the direction that counts, and after how many of
        its events the run ends, 0: it does not.
    """

    suffix: str
    switch_names: Names = ()
    proofs: Proofs | None = None
    derivatives: bool = True
    slides: tuple[int, ...] = ()
    watches: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Read:
    """What a process became.

    Parameters
    ----------
    functions : tuple of Function
    stages : tuple of StageCode
        Those of the process, in its order.
    sliding : tuple of tuples of StageCode
        For each stage those that slide along some of its conditions.
    """

    functions: tuple[Function, ...]
    stages: tuple[StageCode, ...]
    sliding: tuple[tuple[StageCode, ...], ...]

    @property
    def kinds(self) -> list[int]:
        """For each stage of the program the index of the one of the process: first these, then those that slide."""
        return [*range(len(self.stages)), *(k for k, variants in enumerate(self.sliding) for _ in variants)]


@dataclass
class _Output:
    functions: list[Function] = field(default_factory=list)
    stages: list[StageCode] = field(default_factory=list)
    sliding: list[tuple[StageCode, ...]] = field(default_factory=list)


def read_process(
    graph: Graph,
    inputs: Inputs,
    stages: Sequence[StageDefinition],
    transitions: Sequence[Transition],
    clocks: Sequence[Clock],
    sliding: object,
    events: Sequence[Condition] = (),
) -> Read:
    """All functions of a process with its events; every unreadable expression is named in one error."""
    reading, out = Reading(graph, inputs), _Output()
    leaving = exits(transitions, [stage.name for stage in stages])
    place = len(inputs.parameters) + len(clocks)
    chosen = choose(reading, sliding)
    for index, stage in enumerate(stages):
        freeze = Freezer(graph, place, reading.changes)
        _read_stage(str(index), stage, leaving[stage.name], reading, freeze, chosen, events, out)
        place += len(out.stages[-1].switch_names)
    own = {stage.name: stage.states for stage in stages}
    for number, edge in enumerate(transitions):
        out.functions += _jump(number, edge, own, reading)
    for number, clock in enumerate(clocks):
        out.functions += _update(number, clock, len(inputs.parameters) + number, reading)
    raise_faults("the process cannot be read", reading.faults + chosen.unused())
    return Read(tuple(out.functions), tuple(out.stages), tuple(out.sliding))


def _read_stage(
    suffix: str,
    stage: StageDefinition,
    leaving: Sequence[Exit],
    reading: Reading,
    freeze: Freezer,
    chosen: Sliding,
    events: Sequence[Condition],
    out: _Output,
) -> None:
    """The flow of a stage and, where it has any, the gaps of its transitions, then the margins of its conditions and
    of events."""
    graph, label = reading.graph, f"the flow of stage {stage.name!r}"
    written = stage.rates
    rates = [freeze(reading.node(written.get(state, sm.Integer(0)), label)) for state in reading.inputs.states]
    smooth = not (stage.functions or any(is_function(leave.transition.boundary) for leave in leaving))
    if written or not stage.functions:
        out.functions.append(Function(f"flow_{suffix}", tuple(freeze.extended(rates)), ARGUMENTS))
    if not smooth:
        _read_values(stage, leaving, reading, freeze, out)
        margins = [_margin(event, stage, reading) for event in events]
        for number, margin in enumerate(margins):
            out.functions.append(Function(f"event_{suffix}_{number}", (margin or graph.one,), ARGUMENTS))
        named = tuple((event.name, event.name) for event in events)
        out.stages.append(StageCode(suffix, named, derivatives=False, watches=_senses(events, margins)))
        out.sliding.append(())
        return
    gaps = [
        graph.neg(reading.node(leave.transition.boundary, f"the boundary of transition {leave.name!r}"))
        for leave in leaving
    ]
    reading.faults += [_never_differentiable(leave) for leave in leaving if _is_flat(leave, reading.inputs)]
    names = tuple(switch_names(graph, switch, reading.letters) for switch in freeze.switches)
    conditions = list(freeze.switches)
    watched, senses = _watched(stage, events, reading, freeze)
    silent = freeze.switches[len(conditions) :]
    names += tuple((switch_names(graph, switch, reading.letters)[0],) * 2 for switch in silent)
    names += tuple((event.name, event.name) for event in events)
    senses = ((SILENT, False),) * len(silent) + senses
    proofs = _gaps(suffix, gaps, rates, (), reading, freeze, watched, out)
    out.stages.append(StageCode(suffix, names, proofs, watches=senses))
    variants = []
    for found in sliding_stages(reading, stage.name, rates, conditions, chosen):
        longer = f"{suffix}_" + "_".join(map(str, found.switches))
        out.functions.append(Function(f"flow_{longer}", tuple(freeze.extended(found.rates)), ARGUMENTS))
        out.functions.append(Function(f"project_{longer}", tuple(freeze.extended(found.projected)), ARGUMENTS))
        held = tuple(_on(pair) if i in found.switches else pair for i, pair in enumerate(names))
        proofs = _gaps(longer, [*gaps, *found.ends], found.rates, found.switches, reading, freeze, watched, out)
        variants.append(StageCode(longer, held, proofs, slides=found.switches, watches=senses))
    out.sliding.append(tuple(variants))


def _watched(
    stage: StageDefinition, events: Sequence[Condition], reading: Reading, freeze: Freezer
) -> tuple[list[Switch], tuple[tuple[int, int], ...]]:
    """A switch for each event, after those of the conditions; which direction counts, and what ends the run."""
    graph = reading.graph
    margins = [_margin(event, stage, reading) for event in events]
    clocked = {state for clock in stage.clocks for state in clock.states}
    flowing = reading.of_motion(clocked)
    decide = freeze.where(lambda margin: not flowing.isdisjoint(reachable(graph, [margin])))
    frozen = [graph.one if margin is None else decide(margin) for margin in margins]
    first = freeze.next_place
    return [
        Switch(one, graph.one if margin is None else margin, graph.input("p", first + i))
        for i, (one, margin) in enumerate(zip(frozen, margins, strict=True))
    ], _senses(events, margins)


def _margin(event: Condition, stage: StageDefinition, reading: Reading) -> Node | None:
    """The margin of an event; None in a stage that does not have its states."""
    if reading.inputs.foreign(event.margin, stage.states):
        return None
    return reading.node(event.margin, f"the event {event.name!r}")


def _senses(events: Sequence[Condition], margins: Sequence[Node | None]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (ABSENT if margin is None else event.sense, event.ends) for event, margin in zip(events, margins, strict=True)
    )


def _on(names: tuple[str, str]) -> tuple[str, str]:
    """The names of a condition along which a stage slides: of either sign of its switch, which has no meaning."""
    return (names[0].removesuffix("> 0") + "= 0",) * 2


def _gaps(
    suffix: str,
    gaps: Sequence[Node],
    rates: Sequence[Node],
    slides: Sequence[int],
    reading: Reading,
    freeze: Freezer,
    watched: Sequence[Switch],
    out: _Output,
) -> Proofs | None:
    """The gaps, then the margins of the conditions and of events, with their rates along the flow; the proofs of
    all."""
    if not (gaps or freeze.switches or watched):
        return None
    graph, along_flow = reading.graph, reading.along(rates)
    rows = [[gap, along_flow(gap), along_flow(along_flow(gap))] for gap in gaps]
    rows += [
        [graph.one, graph.zero, graph.zero] if i in slides else _margins(reading, switch, along_flow)
        for i, switch in enumerate([*freeze.switches, *watched])
    ]
    outputs = freeze.extended([row[order] for order in range(3) for row in rows])
    out.functions.append(Function(f"gaps_{suffix}", tuple(outputs), ("t", "x", "xdot", "p")))
    proofs = Proofs(Proving.of(graph, outputs[: len(rows)]), f"_{suffix}")
    out.functions += proofs.functions
    return proofs


def _margins(reading: Reading, switch: Switch, along_flow: Tangent) -> list[Node]:
    """The boundary of a switch; its rate is written with the input ``xdot``, as `SwitchData.slopes` needs it."""
    moving = reading.in_any_direction()
    return switch.along_the_flow(reading.graph, moving, lambda rate: along_flow(along_flow(switch.margin)))


def _read_values(
    stage: StageDefinition, leaving: Sequence[Exit], reading: Reading, freeze: Freezer, out: _Output
) -> None:
    """The boundaries that are expressions in a stage with plain functions, which are followed by their values."""
    if freeze.switches:
        names = [switch_names(reading.graph, switch, reading.letters)[0] for switch in freeze.switches]
        reading.faults.append(
            f"the flow of stage {stage.name!r} has the conditions {names} in expressions, and a plain function beside"
            " them; conditions need boundaries with rates: write all of the stage as expressions, or as functions"
        )
    for leave in leaving:
        boundary = leave.transition.boundary
        if not is_function(boundary):
            node = reading.node(boundary, f"the boundary of transition {leave.name!r}")
            out.functions.append(Function(f"boundary_{leave.number}", (node,), ARGUMENTS))


def _is_flat(leave: Exit, inputs: Inputs) -> bool:
    """Whether a boundary changes along a motion, but has the rate 0 wherever it has one."""
    reading = Reading(Graph(), inputs)  # of its own, so that it adds no nodes
    gap = reading.node(leave.transition.boundary, "")
    return not reading.faults and reading.changes(gap) and reading.in_any_direction()(gap) == reading.graph.zero


def _never_differentiable(leave: Exit) -> str:
    return (
        f"the boundary of transition {leave.name!r} is {leave.transition.boundary}, which changes in jumps alone, so"
        " that it has no rate anywhere and never reaches zero from below; write what jumps there: x - 1 for"
        " floor(x) - 1 or sign(x - 1)"
    )


def _jump(number: int, edge: Transition, own: Mapping[str, tuple[sm.Expr, ...]], reading: Reading) -> list[Function]:
    """The jump of a transition: a value for every state of the process, 0 for those that the next stage has not."""
    jump = jump_of(edge, own)
    if jump is None or is_function(jump):
        return []
    label = f"the jump from {edge.source!r} to {edge.target!r}"
    values = dict(zip(own[edge.target], jump, strict=True))
    plus = tuple(reading.node(values.get(state, sm.Integer(0)), label) for state in reading.inputs.states)
    return [Function(f"jump_{number}", plus, ARGUMENTS)]


def _update(number: int, clock: Clock, place: int, reading: Reading) -> list[Function]:
    """The states after an instant: those of the clock by its expressions, the others unchanged."""
    if clock.updates is None:
        return []
    index = {} if clock.time.index is None else {clock.time.index: reading.graph.input("p", place)}
    after = dict(zip(reading.inputs.states, reading.states, strict=True))
    for state, update in zip(clock.states, clock.updates, strict=True):
        after[state] = reading.node(update, f"the update of {state}", index)
    return [Function(f"update_{number}", tuple(after.values()), ARGUMENTS)]
