"""Numbers for nodes at a random state, to compare expressions whose equality algebra does not prove."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from random import Random

from sympact.graph import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import LEAVES, OPERATIONS
from sympact.native.rounding import SAME

__all__ = ["Sample"]


class Sample:
    """The values of nodes at one random state, the same in every process.

    Entries of x, xdot and t are drawn from -1..1, entries of p from 0.5..1.5.

    Parameters
    ----------
    graph : Graph
    values : mapping of node to float, optional
        Values to use instead of drawn ones.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> sample = Sample(graph, {x: 2.0})
    >>> sample([graph.mul(x, x)])
    [4.0]
    """

    def __init__(self, graph: Graph, values: Mapping[Node, float] | None = None) -> None:
        self.graph = graph
        self._known: dict[Node, float | bool] = dict(values or {})

    def __call__(self, nodes: Iterable[Node]) -> list[float]:
        """The values of some nodes; NaN where an operation has none."""
        return [self._value(node) for node in nodes]

    def close(self, left: Iterable[Node], right: Iterable[Node], tolerance: float = SAME) -> bool:
        """Whether two vectors agree, relative to the larger of 1 and their length; True where one is not finite."""
        a, b = self(left), self(right)
        if not all(map(math.isfinite, a + b)):
            return True
        difference = math.hypot(*(i - j for i, j in zip(a, b, strict=True)))
        return difference <= tolerance * max(1.0, math.hypot(*a), math.hypot(*b))

    def _value(self, node: Node) -> float:
        known, graph = self._known, self.graph
        waiting = [node]
        while waiting:
            top = waiting[-1]
            missing = [] if top in known else [child for child in graph.children(top) if child not in known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if top not in known:
                known[top] = self._evaluate(top)
        return known[node]

    def _evaluate(self, node: Node) -> float | bool:
        op, args = self.graph.ops[node], self.graph.args[node]
        if op == "const":
            return args[0]
        if op == "input":
            return _draw(*args)
        if op in LEAVES:
            return op == "true"
        try:
            return OPERATIONS[op].evaluate(*(self._known[arg] for arg in args))
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan


def _draw(array: str, index: int) -> float:
    drawn = Random(f"{array}[{index}]").uniform(-1.0, 1.0)
    return 1.0 + 0.5 * drawn if array == "p" else drawn
