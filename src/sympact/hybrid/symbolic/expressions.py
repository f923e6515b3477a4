"""A process of SymPy expressions, mixed with plain functions: compiled, with exact rates of the boundaries along the
flow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy as sm
from sympy.logic.boolalg import Boolean

from sympact.graph import Function, Graph, compile_functions, depth_is_known, graph_hash
from sympact.hybrid.edges.stage_memories import WaitingMemories
from sympact.hybrid.function_events import check_names, named_events
from sympact.hybrid.plain_functions import CFunction
from sympact.hybrid.rehearsal import dry_run
from sympact.hybrid.stages_alike import stages_alike
from sympact.hybrid.symbolic.condition_reader import Condition, Reader
from sympact.hybrid.symbolic.definition import (
    Clock,
    StageDefinition,
    fault_of,
    is_function,
    jump_of,
    own_states,
    stage_definition,
)
from sympact.hybrid.symbolic.facts import ProcessStage, flow_key, stage_facts
from sympact.hybrid.symbolic.functions import Read, read_process
from sympact.hybrid.symbolic.process_evaluator import ProcessEvaluator
from sympact.hybrid.symbolic.process_summary import process_formulas
from sympact.hybrid.symbolic.process_symbols import Inputs, fault_of_letters, name_of, subexpressions
from sympact.hybrid.symbolic.stage_builder import StageBuilder
from sympact.hybrid.transition import Exit, Transition, exits, transition_names
from sympact.hybrid.validation import check_process, in_order, raise_faults
from sympact.integrate.problem.real import all_finite, finite_number, real_array
from sympact.integrate.trajectory.about import Formula
from sympact.native import Code as MachineCode
from sympact.native.cached import cached_property
from sympact.native.sentences.near_names import suggestion

__all__ = ["Expressions"]

_KEPT = 16  # sets of events with which a process is kept compiled


@dataclass(frozen=True)
class Expressions:
    """The valid and compiled flows and transitions of a process.

    Parameters
    ----------
    given : dict of str to object
        The flow of each stage as it was given; a list of expressions as a tuple.
    transitions : tuple of Transition
        Their boundaries are expressions or functions, their jumps tuples of expressions, functions, or None.
    inputs : Inputs
    stages : tuple of StageDefinition
    clocks : tuple of Clock
        Of all stages; in p the numbers of their instants follow the parameters.
    graph : Graph
    read : Read
        The functions: ``flow_i`` and ``gaps_i`` of stage i, ``jump_k`` of transition k, ``update_k`` of clock k.
    code : MachineCode
    sliding : object
        As it was given.
    labels : tuple
        The states as they were given.
    digest : str
        A hash of the process without events.
    """

    given: dict[str, Any]
    transitions: tuple[Transition, ...]
    inputs: Inputs
    stages: tuple[StageDefinition, ...]
    clocks: tuple[Clock, ...]
    graph: Graph
    read: Read
    code: MachineCode
    sliding: object = None
    labels: tuple[Hashable, ...] = field(default=())
    digest: str = ""

    @classmethod
    def checked(
        cls,
        flows: Mapping[str, Any],
        transitions: Iterable[Transition],
        states: Any,
        parameters: Sequence[sm.Expr],
        time: sm.Symbol | None,
        sliding: object = None,
        labels: Sequence[Hashable] = (),
    ) -> Expressions:
        """The compiled process, or one ValueError with a sentence for each fault."""
        listed = [] if isinstance(states, Mapping) else states
        raise_faults("the process cannot be built", fault_of_letters(listed, parameters, time))
        whole = isinstance(flows, Mapping)
        union, own = own_states(flows, states) if whole else (tuple(listed), {})
        inputs = Inputs(union, tuple(parameters), sm.Symbol("t") if time is None else time)
        edges = check_process(
            flows,
            _without_conditions(transitions),
            union,
            lambda thing, role, label, where: fault_of(thing, role, label, where, inputs, own),
        )
        stages = tuple(stage_definition(name, flow, own[name]) for name, flow in flows.items())
        edges = tuple(replace(edge, jump=jump_of(edge, own)) for edge in edges)
        distinct = {id(clock.time): clock for stage in stages for clock in stage.clocks}
        clocks, graph = tuple(distinct.values()), Graph()
        with depth_is_known("the process"):
            read = read_process(graph, inputs, stages, edges, clocks, sliding)
        code = compile_functions(graph, read.functions)
        given = {name: tuple(flow) if isinstance(flow, Sequence) else flow for name, flow in flows.items()}
        digest = graph_hash(graph, read.functions)
        return cls(given, edges, inputs, stages, clocks, graph, read, code, sliding, tuple(labels) or union, digest)

    def watching(self, events: object) -> Expressions:
        """The compiled process with events of the user's own: expressions and conditions of its symbols.

        Raises
        ------
        TypeError, ValueError
            With a sentence for each that cannot be read.
        """
        events = named_events(
            events, "expressions of the states, conditions, Crossing or Stop, such as {'apex': v, 'far': Stop(y - 1)}"
        )
        faults: list[str] = []
        check_names(events, transition_names(self.transitions), faults.append)
        reader = Reader(self._moves, faults.append, "the process's")
        read = [reader.condition(str(name), self.letter(given)) for name, given in events.items()]
        raise_faults("the events cannot be read", faults)
        return self._compiled_with(tuple(one for one in read if one is not None))

    def _compiled_with(self, found: tuple[Condition, ...]) -> Expressions:
        """The process with these events; the last ones are kept."""
        known = self._watched
        if found not in known:
            if len(known) >= _KEPT:
                known.pop(next(iter(known)))
            known[found] = self._made_with(found)
        return known[found]

    @cached_property
    def _watched(self) -> dict[tuple[Condition, ...], Expressions]:
        """The process with events of earlier runs."""
        return {}

    def _made_with(self, found: tuple[Condition, ...]) -> Expressions:
        graph = Graph()
        with depth_is_known("the events"):
            functions = read_process(
                graph, self.inputs, self.stages, self.transitions, self.clocks, self.sliding, found
            )
        return replace(self, graph=graph, read=functions, code=compile_functions(graph, functions.functions))

    def _moves(self, written: Any) -> bool:
        """Whether an expression may change between the instants of stages in discrete time."""
        flowing = {state for stage in self.stages for piece in stage.pieces for state in piece.states}
        return not (flowing | {self.inputs.time}).isdisjoint(subexpressions([written]))

    @property
    def flows(self) -> dict[str, Any]:
        """The flow of each stage, as it was given."""
        return self.given

    @property
    def states(self) -> tuple[Hashable, ...]:
        """The symbols of the states of all stages."""
        return self.labels

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions of the graph."""
        return self.read.functions

    @cached_property
    def places(self) -> dict[str, tuple[int, ...]] | None:
        """For each stage the indices of its states among all; None where every stage has all."""
        if all(stage.states == self.inputs.states for stage in self.stages):
            return None
        return {stage.name: tuple(map(self.inputs.states.index, stage.states)) for stage in self.stages}

    @cached_property
    def kinds(self) -> list[int]:
        """For each stage of a program the index of the one of the process."""
        return self.read.kinds

    @cached_property
    def leaving(self) -> dict[str, list[Exit]]:
        """The transitions that leave each stage."""
        return exits(self.transitions, list(self.given))

    @cached_property
    def facts(self) -> dict[str, ProcessStage]:
        """What is known of each stage."""
        return {stage.name: stage_facts(stage, self.inputs, self._labelled(stage)) for stage in self.stages}

    @cached_property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The names of stages with equal flows and transitions, in groups."""
        return stages_alike({stage.name: flow_key(stage) for stage in self.stages}, self.transitions)

    def evaluator(self, numbers: np.ndarray) -> ProcessEvaluator:
        """The process with the parameters of a run."""
        return ProcessEvaluator(self, numbers)

    @cached_property
    def waiting(self) -> WaitingMemories:
        """The memories of earlier runs."""
        return WaitingMemories(lambda n, m: self._builder().memory(self.names(n)))

    def _builder(self) -> StageBuilder:
        return StageBuilder(self.code, self.stages, self.leaving, self.read, self.inputs, self.clocks)

    def names(self, n: int) -> tuple[str, ...]:
        """The names of the states."""
        return self._names

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name_of(state) for state in self.inputs.states)

    def formulas(self) -> tuple[dict[str, Formula], dict[str, Formula]]:
        """The flows by the names of the stages, and boundaries and jumps by the names of the transitions."""
        return process_formulas(self.stages, self.transitions, self.inputs, self.facts)

    def _labelled(self, stage: StageDefinition) -> tuple[Hashable, ...]:
        return tuple(self.labels[self.inputs.states.index(state)] for state in stage.states)

    def letter(self, expression: Any) -> Any:
        """The expression itself, or the symbol of a state that was given by its name."""
        known = dict(zip(self.labels, self.inputs.states, strict=True))
        return known.get(expression, expression) if isinstance(expression, str) else expression

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The states whose rate is, in every stage, another state itself."""
        rates = [stage.rates for stage in self.stages]
        pairs = []
        for state in self.inputs.states:
            met = {of_stage.get(state) for of_stage in rates}
            if len(met) == 1 and (rate := met.pop()) in self.inputs.states:
                pairs.append((name_of(state), name_of(rate)))
        return tuple(pairs)

    def check_start(self, t0: float, x0: np.ndarray, start: int, numbers: np.ndarray) -> None:
        """Call the plain functions of the stage of the start, so that a wrong shape is found before the run.

        Raises
        ------
        ValueError
            With a sentence for each that does not fit.
        """
        called = self._called_at_start[self.kinds[start]]
        if called is None:
            return
        boundaries, functions, places = called
        name, own = self.stages[self.kinds[start]].name, x0[places]
        faults = dry_run(lambda t, x: x, boundaries, name, t0, own, required=True)
        for of_function, function in functions:
            faults += dry_run(function, {}, name, t0, x0[of_function], required=True)
        raise_faults(f"the functions do not fit the start t = {t0!r}, x = {own.tolist()!r}", faults)

    @cached_property
    def _called_at_start(self) -> list[tuple[dict[str, Any], list[tuple[list[int], Any]], list[int]] | None]:
        """Of each stage the boundaries and flows that are Python functions, with the places of their states."""
        found: list[tuple[dict[str, Any], list[tuple[list[int], Any]], list[int]] | None] = []
        place = self.inputs.states.index
        for stage in self.stages:
            leaving = {leave.name: leave.transition.boundary for leave in self.leaving[stage.name]}
            boundaries = {name: boundary for name, boundary in leaving.items() if _in_python(boundary)}
            functions = [(list(map(place, own)), one) for own, one in stage.functions if _in_python(one)]
            found.append((boundaries, functions, list(map(place, stage.states))) if boundaries or functions else None)
        return found

    def changed(self, numbers: np.ndarray, given: Mapping[Hashable, float]) -> np.ndarray:
        """The parameters with some of them changed, by symbols or names.

        Raises
        ------
        ValueError
            For a name that is none of them, or a number that is not finite.
        """
        names, found = [name_of(symbol) for symbol in self.inputs.parameters], numbers.copy()
        for key, number in given.items():
            name = key if isinstance(key, str) else name_of(key)
            if name not in names:
                near = suggestion(name, names)
                raise ValueError(f"{name!r} is no parameter of the process; expected some of {names}{near}")
            found[names.index(name)] = finite_number(number, f"the parameter {name}")
        return found

    def numbers(self, parameters: object) -> np.ndarray:
        """The parameters as an array of this run.

        Raises
        ------
        ValueError
            If they are no finite numbers, one for each.
        """
        expected = self.inputs.parameters
        if isinstance(parameters, Mapping):
            parameters = in_order(parameters, expected, "parameters", "parameters")
        try:
            p = real_array([] if parameters is None else parameters)
        except ValueError as error:
            raise ValueError(f"parameters: {error}") from None
        if p.shape != (len(expected),):
            raise ValueError(
                f"parameters has the shape {p.shape}, expected ({len(expected)},): a number for each of"
                f" {[str(symbol) for symbol in expected]}"
            )
        if not all_finite(p):
            unknown = [str(expected[i]) for i in np.flatnonzero(~np.isfinite(p))]
            raise ValueError(f"the parameters {unknown} are not finite; give finite numbers")
        return p


def _in_python(thing: object) -> bool:
    return is_function(thing) and not isinstance(thing, CFunction)


def _without_conditions(transitions: Iterable[Transition]) -> Any:
    """The transitions with expressions for boundaries that are conditions: each increases through zero where its
    condition becomes true.

    Raises
    ------
    ValueError
        With a sentence for each condition that no expression is.
    """
    if not isinstance(transitions, Iterable):
        return transitions
    faults: list[str] = []
    reader, read = Reader(lambda written: True, faults.append, "the process's"), []
    for k, edge in enumerate(transitions):
        if (
            isinstance(edge, Transition)
            and isinstance(edge.boundary, Boolean)
            and not isinstance(edge.boundary, sm.Expr)
        ):
            read.append(replace(edge, boundary=reader.margin(edge.name or f"transitions[{k}]", edge.boundary)))
        else:
            read.append(edge)
    raise_faults("the process cannot be built", faults)
    return read
