"""The promise: substitution and elimination in a quadratic form are those of linear algebra."""

import numpy as np
from graph_values import SIGNATURE
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Function, Graph, numpy_function
from sympact.graph.algebra.quadratic import QuadraticForm

N = 5


def random_form(graph, rng, n=N):
    """A sparse positive definite form of constants, with its K and b."""
    pattern = rng.random((n, n)) < 0.5
    root = np.tril(pattern * rng.uniform(-1, 1, (n, n)), -1) + np.eye(n)
    matrix, loads = root @ root.T, rng.uniform(-1, 1, n)
    form = QuadraticForm(graph)
    for i in range(n):
        form.load(i, graph.const(loads[i]))
        for j in range(i + 1):
            form.add(i, j, graph.const(matrix[i, j]))
    return form, matrix, loads


def solved(graph, form, names):
    """The stationary point, by elimination one after the other."""
    values = {}
    for one in reversed([form.eliminate(name) for name in names]):
        known = graph.sum(graph.mul(factor, values[k]) for k, factor in one.factors.items())
        values[one.unknown] = graph.sub(one.value, known)
    return numpy_function(graph, Function("z", tuple(values[name] for name in sorted(names)), SIGNATURE))(0.0, [], [])


@examples(33, 100, st.integers(0, 2**32 - 1), st.permutations(range(N)))
def test_elimination_in_any_order_solves_the_system(seed, order):
    """The condition of K is below 1e4."""
    graph = Graph()
    form, matrix, loads = random_form(graph, np.random.default_rng(seed))
    np.testing.assert_allclose(solved(graph, form, order), np.linalg.solve(matrix, loads), rtol=1e-10, atol=1e-11)


@examples(33, 100, st.integers(0, 2**32 - 1), st.integers(0, N))
def test_substitution_is_a_congruence(seed, unknown):
    """z -> C z with a column of C, for an unknown of the form and for a new one; K becomes C^T K C, b C^T b."""
    graph, rng = Graph(), np.random.default_rng(seed)
    form, matrix, loads = random_form(graph, rng)
    column = {int(i): rng.uniform(-1, 1) for i in rng.choice(N, 3, replace=False) if i != unknown}
    form.substitute({i: graph.const(value) for i, value in column.items()}, unknown)
    change = np.eye(N, N + 1)
    change[list(column), unknown] = list(column.values())
    rest, right = change.T @ matrix @ change + 0.1 * np.eye(N + 1), change.T @ loads
    for i in range(N + 1):
        form.add(i, i, graph.const(0.1))
    np.testing.assert_allclose(solved(graph, form, range(N + 1)), np.linalg.solve(rest, right), rtol=1e-9, atol=1e-10)


def test_what_is_dropped_is_zero():
    graph = Graph()
    form, matrix, loads = random_form(graph, np.random.default_rng(3))
    form.drop([1, 4])
    left = [0, 2, 3]
    truth = np.linalg.solve(matrix[np.ix_(left, left)], loads[left])
    np.testing.assert_allclose(solved(graph, form, left), truth, rtol=1e-11)


def test_a_unit_column_leaves_nothing_behind():
    """z_0 -> z_0 + z_1 makes the rows of both equal: the elimination of z_1 takes z_0 out of the form as well."""
    graph = Graph()
    a, b, c, f = (graph.input("x", i) for i in range(4))
    form = QuadraticForm(graph)
    for i, j, node in ((0, 0, a), (0, 2, b), (2, 2, c)):
        form.add(i, j, node)
    form.load(0, f)
    form.substitute({0: graph.one}, 1)
    one = form.eliminate(1)
    assert one.factors == {0: graph.one, 2: graph.mul(b, graph.div(graph.one, a))}
    assert form.eliminate(2).factors == {}
