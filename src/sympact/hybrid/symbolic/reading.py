"""The expressions of a process as nodes of one graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sympy as sm

from sympact.graph import Graph, Tangent, reachable
from sympact.graph.nodes.node import Node
from sympact.hybrid.symbolic.process_symbols import Inputs

__all__ = ["Reading"]


class Reading:
    """Converts the expressions of a process into one graph; unreadable ones are added to `faults`."""

    def __init__(self, graph: Graph, inputs: Inputs) -> None:
        self.graph, self.inputs = graph, inputs
        self.faults: list[str] = []
        self.letters = {node: symbol for symbol, node in inputs.letters(graph).items()}
        self.states = [graph.input("x", i) for i in range(len(inputs.states))]
        self.motion = [graph.input("t", 0), *self.states]
        self._read = inputs.reader(graph)

    def node(self, expression: sm.Expr, label: str, further: dict[sm.Expr, Node] | None = None) -> Node:
        """The node of an expression; `label` describes it in a fault."""
        try:
            return (self.inputs.reader(self.graph, further) if further else self._read)(expression)
        except ValueError as error:
            self.faults.append(f"{label}: {error}")
            return self.graph.zero

    def changes(self, node: Node) -> bool:
        """Whether it contains time or a state."""
        return not set(self.motion).isdisjoint(reachable(self.graph, [node]))

    def of_motion(self, still: Collection[sm.Expr]) -> set[Node]:
        """Time and the states, but for some."""
        known = zip(self.inputs.states, self.states, strict=True)
        return {self.motion[0], *(node for state, node in known if state not in still)}

    def along(self, rates: Sequence[Node]) -> Tangent:
        """The derivative along the motion with some rates of all states."""
        return Tangent(self.graph, dict(zip(self.motion, [self.graph.one, *rates], strict=True)))

    def in_any_direction(self) -> Tangent:
        """The derivative along a motion whose rates are the inputs ``xdot``."""
        return self.along([self.graph.input("xdot", i) for i in range(len(self.states))])
