"""Linear systems solved operation by operation, and vectors, against numpy.linalg and numpy."""

import numpy as np
import pytest
from graph_values import SIGNATURE
from hypothesis import given, settings
from hypothesis import strategies as st

from sympact.graph import Function, Graph, count, numpy_function
from sympact.graph.algebra.linear import (
    cross,
    dot,
    ldl_solve,
    lu_solve,
    matmul,
    matvec,
    minus,
    plus,
    scale,
    transpose,
)


def inputs(graph, array, *shape):
    """Inputs numbered in the order of the entries of an array of that shape."""
    numbers = np.arange(np.prod(shape)).reshape(shape)
    return np.vectorize(lambda index: graph.input(array, int(index)))(numbers).tolist()


def evaluate(graph, nodes, x, p=()):
    return numpy_function(graph, Function("f", tuple(nodes), SIGNATURE))(0.0, np.ravel(x), np.ravel(p))


def positive_definite(n, seed):
    """A matrix with eigenvalues between 1 and about 4 n, so that its condition takes at most two digits."""
    a = np.random.default_rng(seed).normal(size=(n, n))
    return a @ a.T + np.eye(n)


@settings(max_examples=30)
@given(st.integers(1, 7), st.integers(0, 10**6))
def test_ldl_solve_agrees_with_lapack(n, seed):
    matrix, rhs = positive_definite(n, seed), np.random.default_rng(seed + 1).normal(size=n)
    graph = Graph()
    x = ldl_solve(graph, inputs(graph, "x", n, n), inputs(graph, "p", n))
    np.testing.assert_allclose(evaluate(graph, x, matrix, rhs), np.linalg.solve(matrix, rhs), rtol=1e-11, atol=1e-13)


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_lu_solve_agrees_with_lapack(n, seed):
    generator = np.random.default_rng(seed)
    matrix, rhs = generator.normal(size=(n, n)) + 2 * n * np.eye(n), generator.normal(size=n)
    graph = Graph()
    x = lu_solve(graph, inputs(graph, "x", n, n), inputs(graph, "p", n))
    np.testing.assert_allclose(evaluate(graph, x, matrix, rhs), np.linalg.solve(matrix, rhs), rtol=1e-12, atol=1e-13)


def test_only_the_lower_triangle_is_read():
    graph = Graph()
    rows = [[graph.input("x", 0)], [graph.input("x", 1), graph.input("x", 2)]]
    solution = evaluate(graph, ldl_solve(graph, rows, [graph.one, graph.zero]), [4.0, 2.0, 3.0])
    np.testing.assert_allclose(solution, np.linalg.solve([[4, 2], [2, 3]], [1, 0]), rtol=1e-15)


def test_blocks_of_zeros_cost_nothing():
    """Two separate systems of two unknowns: no operation couples them."""
    graph = Graph()
    (a, b, c, d), zero = inputs(graph, "x", 4), graph.zero
    block = [[a, b], [b, c]]
    whole = [[a, b, zero, zero], [b, c, zero, zero], [zero, zero, a, d], [zero, zero, d, c]]
    alone = count(graph, ldl_solve(graph, block, [a, b]))
    assert count(graph, ldl_solve(graph, whole, [a, b, zero, zero])) == alone


def test_structural_pivoting_exchanges_rows():
    """The first column has no entry in the first row; the constant is preferred to the input."""
    graph = Graph()
    x = graph.input("x", 0)
    matrix = [[graph.zero, x], [graph.const(2), graph.one]]
    solution = evaluate(graph, lu_solve(graph, matrix, [graph.one, graph.zero]), [4.0])
    np.testing.assert_allclose(solution, np.linalg.solve([[0, 4], [2, 1]], [1, 0]), rtol=1e-15)


def test_structurally_singular_system_is_refused():
    graph = Graph()
    x = graph.input("x", 0)
    with pytest.raises(ValueError, match="singular"):
        lu_solve(graph, [[x, graph.zero], [graph.one, graph.zero]], [x, x])


def test_vanishing_pivot_is_not_hidden():
    graph = Graph()
    x = ldl_solve(graph, inputs(graph, "x", 2, 2), inputs(graph, "p", 2))
    assert not np.isfinite(evaluate(graph, x, [[1, 1], [1, 1]], [1, 2])).any()


def test_vectors_and_matrices_agree_with_numpy():
    graph = Graph()
    a, b, m = inputs(graph, "x", 3), inputs(graph, "xdot", 3), inputs(graph, "p", 3, 3)
    generator = np.random.default_rng(3)
    x, xdot, p = generator.normal(size=3), generator.normal(size=3), generator.normal(size=(3, 3))
    nodes = [
        *(dot(graph, a, b), *cross(graph, a, b), *plus(graph, a, b), *minus(graph, a, b), *scale(graph, a[0], b)),
        *(*matvec(graph, m, a), *np.ravel(matmul(graph, m, transpose(m))).tolist()),
    ]
    function = Function("f", tuple(nodes), ("t", "x", "xdot", "p"))
    found = numpy_function(graph, function)(0.0, x, xdot, p.ravel())
    expected = [x @ xdot, *np.cross(x, xdot), *(x + xdot), *(x - xdot), *(x[0] * xdot), *(p @ x), *(p @ p.T).ravel()]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)


def test_lengths_must_agree():
    graph = Graph()
    with pytest.raises(ValueError, match="zip"):
        dot(graph, [graph.one], [graph.one, graph.zero])
