"""Vectors and matrices of nodes (plain lists), and symbolic solution of linear systems."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.graph.algebra.elimination import elimination_order
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node

__all__ = [
    "cross",
    "dot",
    "ldl_solve",
    "lu_solve",
    "matmul",
    "matvec",
    "minus",
    "plus",
    "scale",
    "transpose",
]

Vector = Sequence[Node]
Matrix = Sequence[Sequence[Node]]


def plus(graph: Graph, a: Vector, b: Vector) -> list[Node]:
    """a + b, entry by entry."""
    return [graph.add(i, j) for i, j in zip(a, b, strict=True)]


def minus(graph: Graph, a: Vector, b: Vector) -> list[Node]:
    """a - b, entry by entry."""
    return [graph.sub(i, j) for i, j in zip(a, b, strict=True)]


def scale(graph: Graph, factor: Node, a: Vector) -> list[Node]:
    """A vector times a scalar."""
    return [graph.mul(factor, i) for i in a]


def dot(graph: Graph, a: Vector, b: Vector) -> Node:
    """The scalar product, summed from left to right."""
    return graph.sum(graph.mul(i, j) for i, j in zip(a, b, strict=True))


def cross(graph: Graph, a: Vector, b: Vector) -> list[Node]:
    """The vector product of two vectors of length 3."""
    mul, sub = graph.mul, graph.sub
    (a0, a1, a2), (b0, b1, b2) = a, b
    return [
        sub(mul(a1, b2), mul(a2, b1)),
        sub(mul(a2, b0), mul(a0, b2)),
        sub(mul(a0, b1), mul(a1, b0)),
    ]


def matvec(graph: Graph, matrix: Matrix, a: Vector) -> list[Node]:
    """A matrix (a list of rows) times a vector."""
    return [dot(graph, row, a) for row in matrix]


def matmul(graph: Graph, a: Matrix, b: Matrix) -> list[list[Node]]:
    """The product of two matrices (lists of rows)."""
    columns = transpose(b)
    return [[dot(graph, row, column) for column in columns] for row in a]


def transpose(matrix: Matrix) -> list[list[Node]]:
    """The rows of the transposed matrix."""
    return [list(column) for column in zip(*matrix, strict=True)]


def ldl_solve(graph: Graph, matrix: Matrix, rhs: Vector) -> list[Node]:
    """Solve a symmetric system by M = L D L^T, written out operation by operation.

    The order of elimination follows from the form of the entries (`elimination_order`), not from their values. Entries
    that are the node `zero` cost nothing, so that a block structure is used. A vanishing pivot gives infinities or NaN
    on evaluation; a negative one gives no through.

    Parameters
    ----------
    matrix : rows of nodes, shape (n, n)
        Only the lower triangle is read; rows may be cut after the diagonal.
    rhs : nodes, shape (n,)

    Examples
    --------
    >>> graph = Graph()
    >>> matrix = [[graph.const(4)], [graph.const(2), graph.const(3)]]
    >>> [graph.value(node) for node in ldl_solve(graph, matrix, [graph.const(8), graph.const(8)])]
    [1.0, 2.0]
    """
    n = len(rhs)
    order = elimination_order(graph, matrix)
    lower, pivots = _ldl(graph, _permuted(matrix, order))
    x = [rhs[i] for i in order]
    for i in range(n):
        for k in range(i):
            x[i] = graph.sub(x[i], graph.mul(lower[i][k], x[k]))
    x = [graph.mul(entry, graph.div(graph.one, pivot)) for entry, pivot in zip(x, pivots, strict=True)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            x[i] = graph.sub(x[i], graph.mul(lower[k][i], x[k]))
    return _restored(x, order)


def _permuted(matrix: Matrix, order: Sequence[int]) -> list[list[Node]]:
    """The lower triangle of a symmetric matrix with rows and columns in another order."""
    return [[matrix[max(i, j)][min(i, j)] for j in order[: k + 1]] for k, i in enumerate(order)]


def _restored(entries: Vector, order: Sequence[int]) -> list[Node]:
    """The entries of a permuted vector in their original order."""
    place = {i: k for k, i in enumerate(order)}
    return [entries[place[i]] for i in range(len(order))]


def _ldl(graph: Graph, matrix: Matrix) -> tuple[list[list[Node]], list[Node]]:
    """The strictly lower triangle of L, and the entries of D."""
    n = len(matrix)
    lower = [[graph.zero] * i for i in range(n)]
    pivots: list[Node] = []
    for j in range(n):
        scaled = {k: graph.mul(entry, pivots[k]) for k, entry in enumerate(lower[j]) if entry != graph.zero}
        pivot = matrix[j][j]
        for k in scaled:
            pivot = graph.sub(pivot, graph.mul(lower[j][k], scaled[k]))
        pivots.append(pivot)
        inverse = graph.div(graph.one, pivot)
        for i in range(j + 1, n):
            entry = matrix[i][j]
            for k in scaled:
                entry = graph.sub(entry, graph.mul(lower[i][k], scaled[k]))
            lower[i][j] = graph.mul(entry, inverse)
    return lower, pivots


def lu_solve(graph: Graph, matrix: Matrix, rhs: Vector) -> list[Node]:
    """Solve a square system by elimination; rows are exchanged by structure alone.

    The pivot is a nonzero constant where the column has one (the largest), else the first entry that is not the node
    `zero`: the result is NaN or infinite where that entry vanishes.

    Raises
    ------
    ValueError
        If the matrix is singular for all values of its entries.
    """
    n = len(rhs)
    rows = [[*row, entry] for row, entry in zip(matrix, rhs, strict=True)]
    for k in range(n):
        pivot = _pivot_row(graph, rows, k)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for row in rows[k + 1 :]:
            if row[k] == graph.zero:
                continue
            factor = graph.div(row[k], rows[k][k])
            for j in range(k + 1, n + 1):
                row[j] = graph.sub(row[j], graph.mul(factor, rows[k][j]))
    x = [graph.zero] * n
    for i in reversed(range(n)):
        known = dot(graph, rows[i][i + 1 : n], x[i + 1 :])
        x[i] = graph.div(graph.sub(rows[i][n], known), rows[i][i])
    return x


def _pivot_row(graph: Graph, rows: list[list[Node]], k: int) -> int:
    candidates = [i for i in range(k, len(rows)) if rows[i][k] != graph.zero]
    if not candidates:
        raise ValueError(f"the linear system is singular: no equation remains for its unknown number {k}")
    constants = {i: value for i in candidates if (value := graph.value(rows[i][k])) is not None}
    return max(constants, key=lambda i: abs(constants[i])) if constants else candidates[0]
