"""How large expressions are: as a graph, and as the tree SymPy would write."""

from __future__ import annotations

from collections.abc import Iterable

from sympact.graph.expression import Graph
from sympact.graph.operations import LEAVES

__all__ = ["count", "reachable", "tree_count"]


def reachable(graph: Graph, outputs: Iterable[int]) -> list[int]:
    """The nodes that the outputs are made of, the outputs included, in an order of evaluation."""
    seen, waiting = set(), list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += graph.children(node)
    return sorted(seen)


def count(graph: Graph, outputs: Iterable[int]) -> int:
    """The number of operations that evaluate the outputs, each shared part counted once.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> y = graph.add(x, graph.one)
    >>> count(graph, [graph.mul(y, y)]), tree_count(graph, [graph.mul(y, y)])
    (2, 3)
    """
    return sum(graph.ops[node] not in LEAVES for node in reachable(graph, outputs))


def tree_count(graph: Graph, outputs: Iterable[int]) -> int:
    """The number of operations when every shared part is written out wherever it is used, as SymPy's trees do."""
    outputs = list(outputs)
    size: dict[int, int] = {}
    for node in reachable(graph, outputs):
        size[node] = (graph.ops[node] not in LEAVES) + sum(size[child] for child in graph.children(node))
    return sum(size[node] for node in outputs)
