"""A process of SymPy expressions: compiled, with exact rates of the boundaries along the flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from sympact.graph import (
    FromSympy,
    Function,
    Graph,
    Tangent,
    Unreadable,
    check_scalar,
    compile_functions,
    graph_table,
    numpy_function,
)
from sympact.hybrid.table import Code, Edge, Gaps, stage
from sympact.hybrid.transition import Transition, exits
from sympact.hybrid.validation import check_process, in_order, raise_faults
from sympact.integrate.program import Program
from sympact.integrate.result import Hooks, Quantity
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

    def reader(self, graph: Graph) -> FromSympy:
        """What reads expressions of these symbols into a graph."""
        symbols = {self.time: graph.input("t", 0)}
        symbols |= {symbol: graph.input("x", i) for i, symbol in enumerate(self.states)}
        symbols |= {symbol: graph.input("p", i) for i, symbol in enumerate(self.parameters)}
        return FromSympy(graph, symbols)

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
    """The flows and transitions of a symbolic process, found to be valid and compiled.

    Parameters
    ----------
    flows : dict of str to tuple of expressions
    transitions : tuple of Transition
        Their boundaries are expressions, their jumps tuples of expressions or None.
    inputs : Inputs
    graph : Graph
    functions : tuple of Function
        ``flow_i`` and ``gaps_i`` of stage i, ``jump_k`` of transition k.
    code : MachineCode
    """

    flows: dict[str, tuple[sm.Expr, ...]]
    transitions: tuple[Transition, ...]
    inputs: Inputs
    graph: Graph
    functions: tuple[Function, ...]
    code: MachineCode

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
        inputs = Inputs(tuple(states), tuple(parameters), sm.Symbol("t") if time is None else time)
        listed = check_process(flows, transitions, states, lambda *what: _fault_of(*what, inputs))
        flows = {name: tuple(flow) for name, flow in flows.items()}
        transitions = tuple(replace(edge, jump=_whole_jump(edge.jump, inputs.states)) for edge in listed)
        graph = Graph()
        functions = _functions(graph, inputs, flows, transitions)
        return cls(flows, transitions, inputs, graph, functions, compile_functions(graph, functions))

    @property
    def states(self) -> tuple[sm.Expr, ...]:
        """The symbols of the states."""
        return self.inputs.states

    def prepare(self, t0: float, x0: np.ndarray, start: int, parameters: object) -> tuple[Program, Hooks]:
        """What the loop needs for one run."""
        p = self._parameters(parameters)
        leaving = exits(self.transitions, list(self.flows))
        stages = []
        for index, name in enumerate(self.flows):
            edges = [Edge(leave.name, leave.target, jump=self._jump(leave.number, p)) for leave in leaving[name]]
            gaps = Gaps(self._code(f"gaps_{index}", p), derivatives=True) if edges else None
            stages.append(stage(index, name, len(x0), self._code(f"flow_{index}", p), edges, (self.code, p), gaps))
        hooks = Hooks(
            evaluate=lambda expression: self.inputs.quantity(expression, p),
            graph=lambda: graph_table(self.graph, self.functions),
        )
        return Program(tuple(stages), tuple(_name(state) for state in self.states)), hooks

    def _code(self, name: str, p: np.ndarray) -> Code:
        return Code(self.code.address(name), p.ctypes.data)

    def _jump(self, number: int, p: np.ndarray) -> Code:
        return Code() if self.transitions[number].jump is None else self._code(f"jump_{number}", p)

    def _parameters(self, parameters: object) -> np.ndarray:
        expected = self.inputs.parameters
        if isinstance(parameters, Mapping):
            parameters = in_order(parameters, expected, "parameters", "parameters")
        p = np.array([] if parameters is None else parameters, dtype=float)
        if p.shape != (len(expected),):
            raise ValueError(
                f"parameters has the shape {p.shape}, expected ({len(expected)},): a number for each of"
                f" {[str(symbol) for symbol in expected]}"
            )
        if not np.isfinite(p).all():
            unknown = [str(expected[i]) for i in np.flatnonzero(~np.isfinite(p))]
            raise ValueError(f"the parameters {unknown} are not finite; give finite numbers")
        return p if p.size else np.zeros(1)


def _functions(
    graph: Graph, inputs: Inputs, flows: Mapping[str, Sequence[sm.Expr]], transitions: Sequence[Transition]
) -> tuple[Function, ...]:
    """Flows, gaps with their rates, and jumps as functions of one graph; every unreadable expression is named."""
    read, faults = inputs.reader(graph), []

    def node(expression: sm.Expr, label: str) -> int:
        try:
            return read(expression)
        except ValueError as error:
            faults.append(f"{label}: {error}")
            return graph.zero

    functions = []
    leaving = exits(transitions, list(flows))
    for index, (name, flow) in enumerate(flows.items()):
        rates = [node(expression, f"the flow of stage {name!r}") for expression in flow]
        functions.append(Function(f"flow_{index}", tuple(rates), _ARGUMENTS))
        gaps = [
            graph.neg(node(leave.transition.boundary, f"the boundary of transition {leave.name!r}"))
            for leave in leaving[name]
        ]
        if gaps:
            along_flow = Tangent(graph, dict(zip(_inputs(graph, len(rates)), [graph.one, *rates], strict=True)))
            first = [along_flow(gap) for gap in gaps]
            second = [along_flow(gap) for gap in first]
            functions.append(Function(f"gaps_{index}", (*gaps, *first, *second), ("t", "x", "xdot", "p")))
    for number, transition in enumerate(transitions):
        if transition.jump is not None:
            label = f"the jump from {transition.source!r} to {transition.target!r}"
            plus = tuple(node(expression, label) for expression in transition.jump)
            functions.append(Function(f"jump_{number}", plus, _ARGUMENTS))
    raise_faults("the process cannot be read", faults)
    return tuple(functions)


def _inputs(graph: Graph, n_states: int) -> list[int]:
    return [graph.input("t", 0), *(graph.input("x", i) for i in range(n_states))]


def _whole_jump(
    jump: Mapping[sm.Expr, sm.Expr] | Sequence[sm.Expr] | None, states: Sequence[sm.Expr]
) -> tuple[sm.Expr, ...] | None:
    """One expression for each state; those that a mapping does not name stay."""
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
    """The error, or one with the cure where the rate of a state was asked for."""
    rates = [str(part) for part in error.parts if isinstance(part, sm.Derivative)]
    if not rates:
        return error
    return ValueError(
        f"a result holds no rates of states, but was asked for {', '.join(rates)}: ask for the expression that the flow"
        " of the stage gives for this rate"
    )


def _name(state: sm.Expr) -> str:
    return state.func.__name__ if isinstance(state, AppliedUndef) else str(state)
