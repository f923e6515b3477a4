"""Expressions with fewer operations, by expansion into sums of products where these are short.

The equations of a free body with Euler angles are products of long rotations that reduce to a few terms. Such nodes are
expanded here (`Expansion`), and the result is written back with common factors in front.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from sympact.graph.algebra.expansion import Expansion
from sympact.graph.algebra.polynomial import write
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import LEAVES
from sympact.graph.nodes.size import reachable

__all__ = ["compact"]

_LARGEST = 500  # nodes: beyond it the gain on chains was too small for the time
_MANY = 20000.0  # terms before like terms are collected: one spherical joint has up to 10,000
_PASSES = 2


def compact(graph: Graph, nodes: Sequence[Node], *, terms: int = 64, work: int = 2000) -> list[Node]:
    """The same values with no more operations, counted over all nodes together.

    A node is replaced only where that reduces the count. Beyond rounding the values agree, except that a result can be
    finite where a part that cancels is not.

    Parameters
    ----------
    graph : Graph
    nodes : sequence of node
    terms, work : int
        The budget of `Expansion`.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> squares = graph.sub(graph.ipow(graph.add(x, y), 2), graph.ipow(graph.sub(x, y), 2))
    >>> compact(graph, [squares]) == [graph.mul(graph.const(4.0), graph.mul(x, y))]
    True
    """
    other = _written_anew(graph, _promising(graph, nodes), Expansion(graph, terms=terms, work=work))
    if not other:
        return list(nodes)
    chosen = _fewest(graph, nodes, other)
    return [chosen.get(node, node) for node in nodes]


def _promising(graph: Graph, nodes: Sequence[Node]) -> list[Node]:
    """The nodes to try: none of a large set, and none that could have very many terms."""
    order = reachable(graph, nodes)
    if len(order) > _LARGEST:
        return []
    bound: dict[Node, float] = {}
    for node in order:
        parts = [bound[child] for child in graph.children(node)]
        op = graph.ops[node]
        bound[node] = sum(parts) if op in ("add", "sub") else math.prod(parts) if op in ("mul", "neg") else 1.0
    return [node for node in dict.fromkeys(nodes) if bound[node] <= _MANY]


def _written_anew(graph: Graph, nodes: Sequence[Node], expansion: Expansion) -> dict[Node, Node]:
    """The nodes with another form by expansion, with that form."""
    other = {}
    for node in nodes:
        polynomial = expansion(node)
        if polynomial is not None:
            other[node] = write(graph, polynomial, expansion.fixed)
    return {node: form for node, form in other.items() if form != node}


def _fewest(graph: Graph, nodes: Sequence[Node], other: dict[Node, Node]) -> dict[Node, Node]:
    """The nodes to replace by their other form, so that few operations remain."""
    best, least = {}, _Usage(graph, nodes).operations
    for start in ({}, other):
        choice = {node: start.get(node, node) for node in dict.fromkeys(nodes)}
        usage = _Usage(graph, choice.values())
        for _ in range(_PASSES):
            for node in other:
                _improve(usage, choice, node, other[node] if choice[node] == node else node)
        if usage.operations < least:
            best, least = choice, usage.operations
    return best


def _improve(usage: _Usage, choice: dict[Node, Node], node: Node, trial: Node) -> None:
    before, current = usage.operations, choice[node]
    usage.add(trial)
    usage.remove(current)
    if usage.operations < before:
        choice[node] = trial
    else:
        usage.add(current)
        usage.remove(trial)


class _Usage:
    """The number of operations of some outputs, updated as outputs are added and removed."""

    def __init__(self, graph: Graph, nodes: Iterable[Node]) -> None:
        self.operations = 0
        self._graph = graph
        self._users: Counter[Node] = Counter()
        for node in nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            top = waiting.pop()
            self._users[top] += 1
            if self._users[top] == 1 and self._graph.ops[top] not in LEAVES:
                self.operations += 1
                waiting += self._graph.args[top]

    def remove(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            top = waiting.pop()
            self._users[top] -= 1
            if self._users[top] == 0 and self._graph.ops[top] not in LEAVES:
                self.operations -= 1
                waiting += self._graph.args[top]
