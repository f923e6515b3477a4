"""The size of expressions: as a graph, and as the tree of SymPy."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import LEAVES

__all__ = ["count", "reachable", "tree_count"]


def reachable(graph: Graph, outputs: Iterable[Node], named: Container[Node] = ()) -> list[Node]:
    """The nodes of which the outputs consist, the outputs included, in an order of evaluation.

    Nodes below the `named` ones are left out.
    """
    ops, args = graph.ops, graph.args
    seen, waiting = set(), list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            if ops[node] not in LEAVES and node not in named:
                waiting += args[node]
    return sorted(seen)


def count(graph: Graph, outputs: Iterable[Node]) -> int:
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


def tree_count(graph: Graph, outputs: Iterable[Node], named: Collection[Node] = ()) -> int:
    """The number of operations when every shared part is written out wherever it is used, as in SymPy's trees.

    A node that is `named` counts as a symbol.
    """
    outputs = list(outputs)
    size: dict[int, int] = dict.fromkeys(named, 0)
    for node in reachable(graph, outputs, named):
        if node not in named:
            size[node] = (graph.ops[node] not in LEAVES) + sum(size[child] for child in graph.children(node))
    return sum(size[node] for node in outputs)
