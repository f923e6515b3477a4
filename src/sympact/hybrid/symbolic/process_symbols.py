"""The symbols that the expressions of a process may contain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from sympact.graph import FromSympy, Function, Graph, Unreadable, check_scalar, numpy_function
from sympact.graph.nodes.node import Node
from sympact.integrate.trajectory.evaluator import Along

__all__ = ["ARGUMENTS", "Inputs", "fault_of_letters", "is_letter", "name_of", "subexpressions"]

ARGUMENTS = ("t", "x", "p")


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

    def reader(self, graph: Graph, further: dict[sm.Expr, Node] | None = None) -> FromSympy:
        """The reader of expressions of these symbols, and of `further` ones, into a graph."""
        return FromSympy(graph, self.letters(graph) | (further or {}))

    def quantity(self, expression: sm.Expr, p: np.ndarray) -> Along:
        """The expression along a run with the parameters `p`."""
        if isinstance(expression, str):
            raise KeyError(f"there is no state {expression!r}; the states are {list(map(name_of, self.states))}")
        check_scalar(expression)
        graph = Graph()
        try:
            value = numpy_function(graph, Function("value", (self.reader(graph)(expression),), ARGUMENTS))
        except Unreadable as error:
            raise _without_rates(error) from None
        return lambda t, x, stage: np.broadcast_to(value(t, x, p)[0], t.shape).astype(float)

    def number(self, expression: sm.Expr) -> Callable[[np.ndarray], float]:
        """An expression of parameters alone as a function of them."""
        graph = Graph()
        value = numpy_function(graph, Function("value", (self.reader(graph)(expression),), ARGUMENTS))
        t, x = np.zeros(1), np.zeros((len(self.states), 1))
        return lambda p: float(value(t, x, p)[0])

    def foreign(self, expression: sm.Expr, own: Sequence[sm.Expr]) -> list[str]:
        """The states in an expression that are not among the `own` ones of its stage."""
        found = set(subexpressions([expression])) & (set(self.states) - set(own))
        return [name_of(state) for state in self.states if state in found]


def fault_of_letters(states: object, parameters: object, time: object) -> list[str]:
    """A sentence for each argument of `HybridSystem.from_sympy` that contains anything but symbols."""
    faults = []
    for what, letters in (("states", states), ("parameters", parameters)):
        if not isinstance(letters, Sequence | sm.MatrixBase) or not all(map(is_letter, letters)):
            faults.append(f"{what} is {letters!r}, expected a list of symbols or functions of time, [y, v]")
    if not isinstance(time, sm.Symbol | None):
        faults.append(f"time is {time!r}, expected a symbol such as symbols('t')")
    return faults


def is_letter(value: object) -> bool:
    """Whether it is a symbol or a function of time."""
    return isinstance(value, sm.Symbol | AppliedUndef)


def subexpressions(expressions: Sequence[Any]) -> Iterator[sm.Basic]:
    """The parts of expressions of any depth, each once; a function of time is whole: the t in x(t) is no part."""
    waiting: list[sm.Basic] = [sm.sympify(expression) for expression in expressions]
    seen: dict[int, sm.Basic] = {}
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            yield node
            waiting += () if isinstance(node, AppliedUndef) else node.args


def name_of(state: object) -> str:
    """The name of a state in results."""
    return state.func.__name__ if isinstance(state, AppliedUndef) else str(state)


def _without_rates(error: Unreadable) -> ValueError:
    """The error, or one with the cure if the rate of a state was requested."""
    rates = [str(part) for part in error.parts if isinstance(part, sm.Derivative)]
    if not rates:
        return error
    return ValueError(
        f"a result has no rates of states, but the request contains {', '.join(rates)}: use the expression that the"
        " flow of the stage gives for this rate"
    )
