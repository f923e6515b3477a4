"""Derivatives of every operation, against mpmath's numerical differentiation with 60 digits."""

import mpmath as mp
import pytest
from graph_values import X, Y, exact_value, expressions, values
from hypothesis import assume
from quick_members import examples

from sympact.graph import FromSympy, Graph, Tangent, jacobian
from sympact.graph.nodes.operations import FUNCTIONS

ONE_ARGUMENT = {name: 0.7 for name, f in FUNCTIONS.items() if len(f.arguments) == 1} | {"acosh": 1.7}
TWO_ARGUMENTS = {name: (1.3, -0.4) for name, f in FUNCTIONS.items() if len(f.arguments) == 2} | {"pow": (1.3, 0.6)}
# Derivatives are exact but for constants that no double holds, such as 2/sqrt(pi) or 1/3 - 1.
EXACT = 1e-15


def numerical(graph, node, inputs, of):
    """The derivative of a node by the input `of`, and one from steps 100 times as large."""

    def f(x):
        return exact_value(graph, node, {**inputs, of: x})

    with mp.workdps(60):
        x = mp.mpf(inputs[of])
        return [(f(x + h) - f(x - h)) / (2 * h) for h in (mp.mpf(10) ** -20, mp.mpf(10) ** -18)]


def derivative(graph, node, inputs, of):
    with mp.workdps(60):
        return exact_value(graph, Tangent(graph, {graph.input(*of): graph.one})(node), inputs)


@pytest.mark.parametrize(("name", "x"), ONE_ARGUMENT.items())
def test_functions_of_one_argument_to_the_third_order(name, x):
    graph = Graph()
    node = graph.call(name, graph.input("x", 0))
    inputs = {("x", 0): x}
    along = Tangent(graph, {graph.input("x", 0): graph.one})
    for _ in range(3):
        expected, _ = numerical(graph, node, inputs, ("x", 0))
        assert derivative(graph, node, inputs, ("x", 0)) == pytest.approx(expected, rel=EXACT, abs=1e-30)
        node = along(node)


@pytest.mark.parametrize(("name", "point"), TWO_ARGUMENTS.items())
def test_functions_of_two_arguments(name, point):
    graph = Graph()
    node = graph.call(name, graph.input("x", 0), graph.input("x", 1))
    inputs = {("x", 0): point[0], ("x", 1): point[1]}
    for of in inputs:
        if (name, of) == ("heaviside", ("x", 1)):
            continue
        expected, _ = numerical(graph, node, inputs, of)
        assert derivative(graph, node, inputs, of) == pytest.approx(expected, rel=EXACT, abs=1e-30)


@examples(27, 80, expressions(), values(), values())
def test_random_expressions(expression, x, y):
    graph = Graph()
    node = FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("x", 1)})(expression)
    inputs = {("x", 0): x, ("x", 1): y}
    for of in inputs:
        near, far = numerical(graph, node, inputs, of)
        assume(abs(near - far) < 1e-20 * (1 + abs(near)))
        assert abs(derivative(graph, node, inputs, of) - near) < 100 * EXACT * (1 + abs(near))


def test_direction_with_several_entries():
    """d(x y) along (y', x') = (x, y) is x^2 + y^2."""
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    along = Tangent(graph, {x: y, y: x})
    assert along(graph.mul(x, y)) == graph.add(graph.mul(x, x), graph.mul(y, y))


def test_given_derivatives_are_used():
    """A rotation about z: with R' = omega x R as a rule, cos' is -omega sin without touching the angle."""
    graph = Graph()
    angle, omega = graph.input("x", 0), graph.input("x", 1)
    c, s = graph.call("cos", angle), graph.call("sin", angle)
    asked = []

    def rate_of_c():
        asked.append("c")
        return graph.neg(graph.mul(omega, s))

    time = Tangent(graph, {}, {c: rate_of_c, s: lambda: graph.mul(omega, c)})
    assert time(graph.mul(c, c)) == graph.mul(graph.const(2), graph.mul(c, graph.neg(graph.mul(omega, s))))
    assert time(c) == graph.neg(graph.mul(omega, s))
    assert asked == ["c"]


def test_what_does_not_depend_on_the_direction_costs_nothing():
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    node = graph.call("exp", graph.div(graph.call("sin", y), graph.add(y, graph.one)))
    before = len(graph)
    assert Tangent(graph, {x: graph.one})(node) == graph.zero
    assert len(graph) == before


def test_long_chains_need_no_recursion():
    graph = Graph()
    node = x = graph.input("x", 0)
    for _ in range(20_000):
        node = graph.add(graph.call("sin", node), x)
    assert Tangent(graph, {x: graph.one})(node) > node


def test_jacobian_has_a_row_for_each_output():
    graph = Graph()
    x, y, p = graph.input("x", 0), graph.input("x", 1), graph.input("p", 0)
    rows = jacobian(graph, [graph.mul(p, x), graph.sub(x, y), p], [x, y])
    assert rows == [[p, graph.zero], [graph.one, graph.neg(graph.one)], [graph.zero, graph.zero]]


def test_what_is_held_is_a_constant():
    """d (x held(x^2)) = held(x^2) dx, and one Newton step from a held root has the root's derivative."""
    graph = Graph()
    x = graph.input("x", 0)
    along, held = Tangent(graph, {x: graph.one}), graph.held(graph.mul(x, x))
    assert along(graph.mul(x, held)) == held
    root = graph.held(graph.call("sqrt", x))
    step = graph.div(graph.sub(graph.mul(root, root), x), graph.mul(graph.const(2.0), root))
    slope = derivative(graph, graph.sub(root, step), {("x", 0): 0.49}, ("x", 0))
    assert slope == pytest.approx(1 / (2 * 0.7), rel=1e-15)
