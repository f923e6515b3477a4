"""A process of SymPy expressions: compiled, with exact rates of the boundaries along the flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from sympact.graph import (
    Freezer,
    FromSympy,
    Function,
    Graph,
    Proving,
    Switch,
    Tangent,
    Unreadable,
    branch_names,
    check_scalar,
    compile_functions,
    depth_is_known,
    graph_hash,
    graph_table,
    numpy_function,
    reachable,
)
from sympact.graph.nodes.node import Node
from sympact.hybrid.guard_proofs import Proofs
from sympact.hybrid.process_summary import about_process, process_formulas
from sympact.hybrid.process_table import Code, Edge, Gaps, Switches, stage
from sympact.hybrid.transition import Exit, Transition, exits
from sympact.hybrid.validation import check_process, in_order, raise_faults
from sympact.integrate.history.about import Formula
from sympact.integrate.history.hooks import Hooks, Quantity
from sympact.integrate.problem.program import Program, Scales, Stage
from sympact.integrate.problem.real import real_array
from sympact.integrate.search.switch_table import SwitchData
from sympact.native import Code as MachineCode

__all__ = ["Expressions"]

_ARGUMENTS = ("t", "x", "p")


@dataclass(frozen=True)
class Inputs:
    """The symbols that expressions may contain.

    Parameters
    ----------
    states, parameters : tuple of SymPy expressions
        Symbols or functions of time.
    time : sympy.Symbol
    """

    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    time: sm.Symbol

    def letters(self, graph: Graph) -> dict[sm.Expr, Node]:
        """The input of a graph for each symbol."""
        symbols = {self.time: graph.input("t", 0)}
        symbols |= {symbol: graph.input("x", i) for i, symbol in enumerate(self.states)}
        symbols |= {symbol: graph.input("p", i) for i, symbol in enumerate(self.parameters)}
        return symbols

    def reader(self, graph: Graph) -> FromSympy:
        """The reader of expressions of these symbols into a graph."""
        return FromSympy(graph, self.letters(graph))

    def quantity(self, expression: sm.Expr, p: np.ndarray) -> Quantity:
        """The expression as a function of t and x along a run with the parameters `p`."""
        if isinstance(expression, str):
            raise KeyError(f"there is no state {expression!r}; the states are {list(map(_name, self.states))}")
        check_scalar(expression)
        graph = Graph()
        try:
            value = numpy_function(graph, Function("value", (self.reader(graph)(expression),), _ARGUMENTS))
        except Unreadable as error:
            raise _without_rates(error) from None
        return lambda t, x: np.broadcast_to(value(t, x, p)[0], t.shape).astype(float)


@dataclass(frozen=True)
class Expressions:
    """The valid and compiled flows and transitions of a symbolic process.

    Parameters
    ----------
    flows : dict of str to tuple of expressions
    transitions : tuple of Transition
        Their boundaries are expressions, their jumps tuples of expressions or None.
    inputs : Inputs
    graph : Graph
    functions : tuple of Function
        ``flow_i`` and ``gaps_i`` of stage i, ``jump_k`` of transition k.
    switch_names : tuple of tuples of (str, str)
        For each stage the conditions in its flow: the relations that are true at +1 and at -1. In p they follow the
        parameters, stage by stage.
    code : MachineCode
    proofs : tuple of Proofs or None
        For each stage; None where it has no boundary.
    """

    flows: dict[str, tuple[sm.Expr, ...]]
    transitions: tuple[Transition, ...]
    inputs: Inputs
    graph: Graph
    functions: tuple[Function, ...]
    code: MachineCode
    switch_names: tuple[tuple[tuple[str, str], ...], ...]
    proofs: tuple[Proofs | None, ...]

    @classmethod
    def checked(
        cls,
        flows: Mapping[str, Sequence[sm.Expr]],
        transitions: Iterable[Transition],
        states: Sequence[sm.Expr],
        parameters: Sequence[sm.Expr],
        time: sm.Symbol | None,
    ) -> Expressions:
        """The compiled process, or one ValueError with a sentence for each fault."""
        raise_faults("the process cannot be built", _fault_of_letters(states, parameters, time))
        inputs = Inputs(tuple(states), tuple(parameters), sm.Symbol("t") if time is None else time)
        listed = check_process(
            flows, transitions, states, lambda thing, role, label: _fault_of(thing, role, label, inputs)
        )
        rates = {name: tuple(flow) for name, flow in flows.items()}
        edges = tuple(replace(edge, jump=_whole_jump(edge.jump, inputs.states)) for edge in listed)
        graph = Graph()
        with depth_is_known("the process"):
            functions, names, proofs = _functions(graph, inputs, rates, edges)
        code = compile_functions(graph, functions)
        return cls(rates, edges, inputs, graph, functions, code, names, proofs)

    @property
    def states(self) -> tuple[sm.Expr, ...]:
        """The symbols of the states."""
        return self.inputs.states

    def prepare(self, t0: float, x0: np.ndarray, start: int, parameters: object) -> tuple[Program, Hooks]:
        """The program of one run."""
        p = np.append(self._parameters(parameters), np.ones(sum(map(len, self.switch_names))))
        p = p if p.size else np.zeros(1)
        leaving = exits(self.transitions, list(self.flows))
        switches = self._switches(len(x0), p, [len(leaving[name]) for name in self.flows])
        if (begun := switches[start]) is not None:
            begun.data.settle(t0, x0)
        slopes = [() if of_stage is None else of_stage.data.slopes(t0, x0) for of_stage in switches]
        addresses = [0 if of_stage is None else of_stage.data.address for of_stage in switches]
        owner = (self.code, p, switches)
        stages = []
        for index, name in enumerate(self.flows):
            edges = [
                Edge(leave.name, leave.target, jump=self._jump(leave.number, p), switches=addresses[leave.target])
                for leave in leaving[name]
            ]
            bounded = edges or switches[index] is not None
            gaps = Gaps(self._code(f"gaps_{index}", p), derivatives=True) if bounded else None
            flow = self._code(f"flow_{index}", p)
            made = stage(index, name, len(x0), flow, edges, owner, gaps, switches[index])
            stages.append(self._proven(made, index, p))
        hooks = Hooks(
            evaluate=lambda expression: self.inputs.quantity(expression, p),
            graph=lambda: graph_table(self.graph, self.functions),
            about=lambda: about_process(self.flows, self.transitions, self.states, self.inputs.parameters, p),
            pairs=self._pairs(),
            formulas=lambda: self.formulas()[1],
            identity=lambda: (graph_hash(self.graph, self.functions), self._numbers(p)),
            stored=lambda: self._stored(p),
        )
        scales = tuple(Scales(switch_slopes=of_stage) for of_stage in slopes)
        return Program(tuple(stages), self.names(len(x0)), scales=scales), hooks

    def _stored(self, p: np.ndarray) -> dict[str, object]:
        """What a file stores, for `HybridSystem.restored`."""
        numbers = p[: len(self.inputs.parameters)].tolist()
        return {"digest": graph_hash(self.graph, self.functions), "parameters": numbers}

    def _numbers(self, p: np.ndarray) -> dict[str, float]:
        """The numbers of the parameters, by name."""
        return {symbol.name: float(number) for symbol, number in zip(self.inputs.parameters, p, strict=False)}

    def names(self, n: int) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(_name(state) for state in self.states)

    def formulas(self) -> tuple[dict[str, Formula], dict[str, Formula]]:
        """The flows by the names of the stages, and boundaries and jumps by the names of the transitions."""
        return process_formulas(self.flows, self.transitions, self.states)

    def _pairs(self) -> tuple[tuple[str, str], ...]:
        """The states whose rate is, in every stage, another state itself."""
        names = {state: _name(state) for state in self.states}
        rates = zip(*self.flows.values(), strict=True)
        return tuple(
            (names[state], names[met[0]])
            for state, met in zip(self.states, rates, strict=True)
            if met[0] in names and all(rate == met[0] for rate in met)
        )

    def _switches(self, n: int, p: np.ndarray, transitions: Sequence[int]) -> list[Switches | None]:
        """The switches of each stage, None where it has none; they are the last entries of p."""
        found: list[Switches | None] = []
        place = len(p) - sum(map(len, self.switch_names))
        for i, (names, first) in enumerate(zip(self.switch_names, transitions, strict=True)):
            if not names:
                found.append(None)
                continue
            flow, gaps = self._code(f"flow_{i}", p), self._code(f"gaps_{i}", p)
            calls = {"flow": (flow.address, flow.data), "boundary": (gaps.address, gaps.data)}
            found.append(Switches(SwitchData(n, first, p[place : place + len(names)], **calls), names))
            place += len(names)
        return found

    def _proven(self, stage: Stage, index: int, p: np.ndarray) -> Stage:
        """The stage with the proofs of its boundaries, where they may need any."""
        proofs = self.proofs[index]
        if proofs is None:
            return stage
        running = {function.name: self.code.address(function.name) for function in proofs.functions}
        proof = proofs.table(running, p.ctypes.data)
        return stage if proof is None else replace(stage, proof=proof.address, owner=(stage.owner, proof))

    def _code(self, name: str, p: np.ndarray) -> Code:
        return Code(self.code.address(name), p.ctypes.data)

    def _jump(self, number: int, p: np.ndarray) -> Code:
        return Code() if self.transitions[number].jump is None else self._code(f"jump_{number}", p)

    def _parameters(self, parameters: object) -> np.ndarray:
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
        if not np.isfinite(p).all():
            unknown = [str(expected[i]) for i in np.flatnonzero(~np.isfinite(p))]
            raise ValueError(f"the parameters {unknown} are not finite; give finite numbers")
        return p


def _fault_of_letters(states: object, parameters: object, time: object) -> list[str]:
    """A sentence for each argument of `HybridSystem.from_sympy` that contains anything but symbols."""
    faults = []
    for what, letters in (("states", states), ("parameters", parameters)):
        if not isinstance(letters, Sequence | sm.MatrixBase) or not all(map(_is_letter, letters)):
            faults.append(f"{what} is {letters!r}, expected a list of symbols or functions of time, [y, v]")
    if not isinstance(time, sm.Symbol | None):
        faults.append(f"time is {time!r}, expected a symbol such as symbols('t')")
    return faults


def _is_letter(value: object) -> bool:
    return isinstance(value, sm.Symbol | AppliedUndef)


class _Reading:
    """Converts the expressions of a process into one graph; unreadable ones are added to `faults`."""

    def __init__(self, graph: Graph, inputs: Inputs) -> None:
        self.graph = graph
        self.faults: list[str] = []
        self.letters = {node: symbol for symbol, node in inputs.letters(graph).items()}
        self.motion = [graph.input("t", 0), *(graph.input("x", i) for i in range(len(inputs.states)))]
        self._read = inputs.reader(graph)

    def node(self, expression: sm.Expr, label: str) -> Node:
        """The node of an expression; `label` describes it in a fault."""
        try:
            return self._read(expression)
        except ValueError as error:
            self.faults.append(f"{label}: {error}")
            return self.graph.zero

    def changes(self, node: Node) -> bool:
        """Whether it contains time or a state."""
        return not set(self.motion).isdisjoint(reachable(self.graph, [node]))


def _functions(
    graph: Graph, inputs: Inputs, flows: Mapping[str, Sequence[sm.Expr]], transitions: Sequence[Transition]
) -> tuple[tuple[Function, ...], tuple[tuple[tuple[str, str], ...], ...], tuple[Proofs | None, ...]]:
    """Flows, gaps with their rates, and jumps as functions of one graph; every unreadable expression is named.

    The second result is the names of the switches of each stage, the third the proofs of its boundaries.
    """
    reading, functions, names, place = _Reading(graph, inputs), [], [], len(inputs.parameters)
    proofs: list[Proofs | None] = []
    leaving = exits(transitions, list(flows))
    for index, (name, flow) in enumerate(flows.items()):
        freeze = Freezer(graph, place, reading.changes)
        of_stage, boundaries = _of_stage(index, name, flow, leaving[name], reading, freeze)
        proof = Proofs(Proving.of(graph, boundaries), f"_{index}") if boundaries else None
        proofs.append(proof)
        functions += of_stage + list(proof.functions if proof else ())
        names.append(tuple(branch_names(graph, switch.written, reading.letters) for switch in freeze.switches))
        place += len(freeze.switches)
    for number, transition in enumerate(transitions):
        if transition.jump is not None:
            label = f"the jump from {transition.source!r} to {transition.target!r}"
            plus = tuple(reading.node(expression, label) for expression in transition.jump)
            functions.append(Function(f"jump_{number}", plus, _ARGUMENTS))
    raise_faults("the process cannot be read", reading.faults)
    return tuple(functions), tuple(names), tuple(proofs)


def _of_stage(
    index: int, name: str, flow: Sequence[sm.Expr], leaving: Sequence[Exit], reading: _Reading, freeze: Freezer
) -> tuple[list[Function], list[Node]]:
    """The flow of a stage and, where it has any, the gaps of its transitions, then the margins of its conditions.

    The second result is the boundaries themselves.
    """
    graph = reading.graph
    rates = [freeze(reading.node(expression, f"the flow of stage {name!r}")) for expression in flow]
    functions = [Function(f"flow_{index}", tuple(freeze.extended(rates)), _ARGUMENTS)]
    gaps = [
        graph.neg(reading.node(leave.transition.boundary, f"the boundary of transition {leave.name!r}"))
        for leave in leaving
    ]
    if gaps or freeze.switches:
        along_flow = Tangent(graph, dict(zip(reading.motion, [graph.one, *rates], strict=True)))
        rows = [[gap, along_flow(gap), along_flow(along_flow(gap))] for gap in gaps]
        rows += [_margins(reading, switch, along_flow) for switch in freeze.switches]
        outputs = freeze.extended([row[order] for order in range(3) for row in rows])
        functions.append(Function(f"gaps_{index}", tuple(outputs), ("t", "x", "xdot", "p")))
        return functions, outputs[: len(rows)]
    return functions, []


def _margins(reading: _Reading, switch: Switch, along_flow: Tangent) -> list[Node]:
    """The boundary of a switch; its rate is written with the input ``xdot``, as `SwitchData.slopes` needs it."""
    graph, states = reading.graph, len(reading.motion) - 1
    slopes = [graph.one, *(graph.input("xdot", i) for i in range(states))]
    moving = Tangent(graph, dict(zip(reading.motion, slopes, strict=True)))
    return switch.along_the_flow(graph, moving, lambda rate: along_flow(along_flow(switch.margin)))


def _whole_jump(
    jump: Mapping[sm.Expr, sm.Expr] | Sequence[sm.Expr] | None, states: Sequence[sm.Expr]
) -> tuple[sm.Expr, ...] | None:
    """One expression for each state; states that a mapping does not contain are unchanged."""
    if jump is None:
        return None
    if isinstance(jump, Mapping):
        return tuple(jump.get(state, state) for state in states)
    return tuple(jump)


def _fault_of(thing: object, role: str, label: str, inputs: Inputs) -> str | None:
    states = [str(state) for state in inputs.states]
    if role == "boundary":
        return None if _is_scalar(thing) else f"{label} is {thing!r}, expected one SymPy expression"
    if role == "jump" and isinstance(thing, Mapping):
        unknown = [str(key) for key in thing if key not in inputs.states]
        if unknown:
            return f"{label} gives values to {unknown}, which are no states; the states are {states}"
        thing = [thing.get(state, state) for state in inputs.states]
    parts = list(thing) if isinstance(thing, Sequence | sm.MatrixBase) and not isinstance(thing, str) else None
    if parts is None or not all(_is_scalar(part) for part in parts):
        return f"{label} is {thing!r}, expected a list of SymPy expressions, one for each of the states {states}"
    if len(parts) != len(states):
        return f"{label} has {len(parts)} expressions, expected {len(states)}, one for each of the states {states}"
    return None


def _is_scalar(thing: object) -> bool:
    return isinstance(thing, sm.Expr | int | float | np.number)


def _without_rates(error: Unreadable) -> ValueError:
    """The error, or one with the cure if the rate of a state was requested."""
    rates = [str(part) for part in error.parts if isinstance(part, sm.Derivative)]
    if not rates:
        return error
    return ValueError(
        f"a result has no rates of states, but the request contains {', '.join(rates)}: use the expression that the"
        " flow of the stage gives for this rate"
    )


def _name(state: sm.Expr) -> str:
    return state.func.__name__ if isinstance(state, AppliedUndef) else str(state)
