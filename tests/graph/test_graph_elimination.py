"""The promise: the order of elimination keeps sparse systems sparse, and takes first what is known early."""

import numpy as np
from graph_values import SIGNATURE
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Function, Graph, LinearSystem, count, numpy_function
from sympact.graph.algebra.elimination import cycles, elimination_order, elimination_products, latencies
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


@examples(33, 100, st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))), st.integers(0, 2**32 - 1))
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


def test_products_of_full_and_sparse_systems():
    """n (n^2 - 1)/6 for a full matrix; one for each row but one of an arrow, which never fills up."""
    graph, n = Graph(), 14
    full = [[graph.input("x", 20 * i + j) for j in range(i + 1)] for i in range(n)]
    assert elimination_products(graph, full) == n * (n * n - 1) // 6
    assert elimination_products(graph, arrow(graph, n)) == n - 1


def test_cycles_are_those_of_the_longest_path_or_of_all_operations():
    """A chain of 100 additions waits for each; 400 products and their sum in pairs do not."""
    graph = Graph()
    x = [graph.input("x", i) for i in range(400)]
    assert cycles(graph, Function("f", (graph.sum(x[:101]),), SIGNATURE)) == 400
    squares = [graph.mul(a, a) for a in x]
    assert cycles(graph, Function("f", tuple(squares), SIGNATURE)) == 400 / 1.6
    system = LinearSystem(tuple(tuple(squares[: i + 1]) for i in range(12)), tuple(squares[:12]), 0)
    assert cycles(graph, Function("f", (), SIGNATURE, (system,))) == 12 / 1.6 + 12**3 / 6 + 2 * 12**2
