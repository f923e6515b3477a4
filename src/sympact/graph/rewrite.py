"""Expressions with some of their nodes replaced."""

from __future__ import annotations

from collections.abc import Mapping

from sympact.graph.expression import Graph
from sympact.graph.operations import LEAVES

__all__ = ["Substitution"]


class Substitution:
    """Any node with given nodes replaced by others; what both have in common is computed once.

    Parameters
    ----------
    graph : Graph
    replacements : mapping of node to node

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> at_rest = Substitution(graph, {x: graph.zero})
    >>> graph.value(at_rest(graph.call("cos", x)))
    1.0
    """

    def __init__(self, graph: Graph, replacements: Mapping[int, int]) -> None:
        self.graph = graph
        self._known = dict(replacements)

    def __call__(self, node: int) -> int:
        """The node that stands for `node` after the replacements."""
        known, ops, args = self._known, self.graph.ops, self.graph.args
        waiting = [node]
        while waiting:
            top = waiting[-1]
            if top in known:
                waiting.pop()
            elif ops[top] in LEAVES:
                known[top] = top
            else:
                missing = [arg for arg in args[top] if arg not in known]
                if missing:
                    waiting += missing
                else:
                    known[top] = self.graph.apply(ops[top], tuple(known[arg] for arg in args[top]))
        return known[node]
