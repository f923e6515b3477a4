"""An order of elimination for a symmetric system in which divisions wait little for each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.size import count, reachable

__all__ = ["CLEARLY", "cycles", "elimination_order", "elimination_products", "latencies"]

_LATENCY = {"held": 0, "neg": 1, "div": 13, "sqrt": 16}  # processor cycles until a result can be used
_FUNCTION = 40
_ARITHMETIC = 4
CLEARLY = 0.9
"""Another order, or another way, is taken if it has less than this part of the cycles; estimates err by a tenth."""
_AT_ONCE = 1.6  # operations that a processor finishes in a cycle where none waits: measured on chains of 2 to 40 links


def latencies(graph: Graph, nodes: Iterable[Node]) -> dict[Node, int]:
    """The approximate number of cycles after the inputs at which each node is known, for the nodes and all they
    need."""
    ready: dict[Node, int] = {}
    for node in reachable(graph, nodes):
        op, children = graph.ops[node], graph.children(node)
        usual = _ARITHMETIC if len(children) == 2 else _FUNCTION
        own = _LATENCY.get(op, usual) if children else 0
        ready[node] = own + max((ready[child] for child in children), default=0)
    return ready


def cycles(graph: Graph, function: Function) -> float:
    """The approximate number of processor cycles that a function takes, to compare ways to compute the same.

    Operations in a straight line take their number or the longest path through them, whichever is longer. The loop over
    M = L D L^T takes one cycle for each of its n^3/6 products, and two for each entry of M, which it reads from memory.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> cycles(graph, Function("inverse", (graph.div(graph.one, x),), ("t", "x", "p")))
    13
    """
    ready = latencies(graph, function.nodes)
    straight = max(count(graph, function.nodes) / _AT_ONCE, max(ready.values(), default=0.0))
    return straight + sum(len(system) ** 3 / 6 + 2 * len(system) ** 2 for system in function.systems)


def elimination_order(graph: Graph, matrix: Sequence[Sequence[Node]]) -> list[int]:
    """A symmetric permutation for M = L D L^T: in each step the row with the fewest entries, then the earliest known
    one.

    Few entries keep the factors sparse. Divisions by pivots that are known early, above all those that depend on the
    parameters alone, proceed while the rest of M is still being computed. The given order is kept unless this one has
    fewer entries or ends clearly earlier: for small gains, full systems were slower in another order.

    Parameters
    ----------
    matrix : rows of nodes, shape (n, n)
        Only the lower triangle is read.

    Examples
    --------
    >>> graph = Graph()
    >>> p, x = graph.input("p", 0), graph.input("x", 0)
    >>> elimination_order(graph, [[graph.call("cos", x)], [x, p]])
    [1, 0]
    """
    n = len(matrix)
    whole = [[matrix[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    ready = latencies(graph, [entry for row in whole for entry in row])
    known = [[ready[entry] for entry in row] for row in whole]
    joined = [{j for j in range(n) if j != i and row[j] != graph.zero} for i, row in enumerate(whole)]
    given, best = (_eliminated(known, joined, greedy) for greedy in (False, True))
    better = best.entries < given.entries or best.end < CLEARLY * given.end
    return best.order if better else given.order


def elimination_products(graph: Graph, matrix: Sequence[Sequence[Node]]) -> int:
    """The number of products that change an entry of M in M = L D L^T, if rows with few entries are eliminated first.

    Examples
    --------
    >>> graph = Graph()
    >>> x, p = graph.input("x", 0), graph.input("p", 0)
    >>> [elimination_products(graph, [[p], [x, p], [x, other, p]]) for other in (x, graph.zero)]
    [4, 2]
    """
    n, products = len(matrix), 0
    joined = {i: {j for j in range(n) if j != i and matrix[max(i, j)][min(i, j)] != graph.zero} for i in range(n)}
    while joined:
        pivot = min(joined, key=lambda i: (len(joined[i]), i))
        rows = joined.pop(pivot)
        products += len(rows) * (len(rows) + 1) // 2
        for i in rows:
            joined[i] |= rows
            joined[i] -= {i, pivot}
    return products


@dataclass(frozen=True, slots=True)
class _Elimination:
    """An order, the number of entries of L, and the cycle at which the last pivot is known."""

    order: list[int]
    entries: int
    end: int


def _eliminated(known: list[list[int]], joined: list[set[int]], greedy: bool) -> _Elimination:
    """The entries after an elimination row by row, with the cycles at which they are known."""
    known, joined = [list(row) for row in known], [set(row) for row in joined]
    order: list[int] = []
    left, entries, end = list(range(len(known))), 0, 0
    while left:
        pivot = min(left, key=lambda i: (len(joined[i]), known[i][i], i)) if greedy else left[0]
        left.remove(pivot)
        order.append(pivot)
        entries += len(joined[pivot])
        end = max(end, known[pivot][pivot])
        _eliminate(pivot, known, joined)
    return _Elimination(order, entries, end)


def _eliminate(pivot: int, known: list[list[int]], joined: list[set[int]]) -> None:
    """Record the fill-in of the elimination of a row, and the cycles at which its entries are known."""
    rows = joined[pivot]
    inverse = known[pivot][pivot] + _LATENCY["div"]
    for i in rows:
        joined[i] |= rows
        joined[i] -= {i, pivot}
        for j in rows:
            factor = max(inverse, known[i][pivot], known[j][pivot]) + _ARITHMETIC
            known[i][j] = max(known[i][j], factor) + 2 * _ARITHMETIC
