"""Small linear systems by Cramer's rule, which divides by the determinant only."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.graph import Graph
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node

__all__ = ["adjugate_times", "determinant"]

Matrix = Sequence[Sequence[Node]]


def determinant(graph: Graph, matrix: Matrix) -> Node:
    """The determinant of a matrix of nodes, by expansion along the first row; equal minors are one node.

    Examples
    --------
    >>> graph = Graph()
    >>> graph.value(determinant(graph, [[graph.const(2), graph.one], [graph.one, graph.const(3)]]))
    5.0
    """
    if not matrix:
        return graph.one
    total = graph.zero
    for j, entry in enumerate(matrix[0]):
        if entry != graph.zero:
            total = graph.add(total, graph.mul(entry, _cofactor(graph, matrix, 0, j)))
    return total


def adjugate_times(graph: Graph, matrix: Matrix, vector: Sequence[Node]) -> list[Node]:
    """adj(A) b; the solution of A x = b is adj(A) b / det(A)."""
    n = len(vector)
    return [dot(graph, vector, [_cofactor(graph, matrix, i, j) for i in range(n)]) for j in range(n)]


def _cofactor(graph: Graph, matrix: Matrix, i: int, j: int) -> Node:
    minor = determinant(graph, [[*row[:j], *row[j + 1 :]] for k, row in enumerate(matrix) if k != i])
    return graph.neg(minor) if (i + j) % 2 else minor
