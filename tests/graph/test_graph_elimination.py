"""The promise: the order of elimination keeps sparse systems sparse, and takes first what is known early."""

import numpy as np
from graph_values import SIGNATURE
from hypothesis import given
from hypothesis import strategies as st

from sympact.graph import Function, Graph, count, numpy_function
from sympact.graph.algebra.elimination import elimination_order, latencies
from sympact.graph.algebra.linear import ldl_solve


def arrow(graph, n):
    """A full first row and column, else diagonal: eliminated from the top it fills up, from the bottom it does not."""
    rows = [[graph.zero] * (i + 1) for i in range(n)]
    for i in range(n):
        rows[i][i] = graph.input("x", i)
        rows[i][0] = graph.input("x", n + i) if i else rows[i][0]
    return rows


def test_an_arrow_is_eliminated_without_filling():
    """One division, three products and two sums for each row beside the first, one division and a product for it."""
    graph, n = Graph(), 7
    solution = ldl_solve(graph, arrow(graph, n), [graph.input("p", i) for i in range(n)])
    assert elimination_order(graph, arrow(graph, n))[-1] in (0, n - 1)
    assert count(graph, solution) <= 9 * n


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))), st.integers(0, 2**32 - 1))
def test_sparse_systems_are_solved(pairs, seed):
    """A strictly dominant diagonal keeps the condition below 100, so that rounding takes two digits at most."""
    graph, n = Graph(), 6
    places = sorted({(max(pair), min(pair)) for pair in pairs} | {(i, i) for i in range(n)})
    numbers = np.random.default_rng(seed).uniform(-1, 1, len(places))
    matrix, rows = np.zeros((n, n)), [[graph.zero] * (i + 1) for i in range(n)]
    for k, (i, j) in enumerate(places):
        rows[i][j] = graph.input("x", k)
        numbers[k] = numbers[k] + 7 if i == j else numbers[k]
        matrix[i, j] = matrix[j, i] = numbers[k]
    solution = ldl_solve(graph, rows, [graph.input("p", i) for i in range(n)])
    rhs = np.arange(1.0, n + 1)
    found = numpy_function(graph, Function("f", tuple(solution), SIGNATURE))(0.0, numbers, rhs)
    np.testing.assert_allclose(found, np.linalg.solve(matrix, rhs), rtol=1e-12, atol=1e-13)
    assert sorted(elimination_order(graph, rows)) == list(range(n))


def test_pivots_of_parameters_come_first():
    """A full matrix whose last diagonal entry is a parameter, and whose first one is a long expression."""
    graph = Graph()
    x, p = graph.input("x", 0), graph.input("p", 0)
    long = graph.call("cos", graph.add(graph.call("sin", x), p))
    matrix = [[long], [x, graph.call("sin", x)], [x, x, p]]
    assert elimination_order(graph, matrix) == [2, 1, 0]


def test_latencies_follow_the_longest_path():
    """An addition takes 4 cycles and a division 13; inputs are there at once."""
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    total = graph.add(x, y)
    quotient = graph.div(graph.mul(total, x), y)
    ready = latencies(graph, [quotient])
    assert (ready[x], ready[total], ready[quotient]) == (0, 4, 21)
