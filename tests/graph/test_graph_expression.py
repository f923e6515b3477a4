"""Promises of the graph: equal expressions are one node, folding never changes a value."""

import itertools
import math

import pytest
from graph_values import exact_value
from hypothesis import given
from hypothesis import strategies as st

from sympact.graph import Graph, Substitution, count, reachable, tree_count
from sympact.graph.nodes.operations import OPERATIONS


@pytest.fixture
def graph():
    return Graph()


def test_equal_operations_are_one_node(graph):
    x, y = graph.input("x", 0), graph.input("p", 3)
    assert graph.add(x, y) == graph.add(y, x)
    assert graph.mul(x, y) == graph.mul(y, x)
    assert graph.call("max", x, y) == graph.call("max", y, x)
    assert graph.sub(x, y) == graph.neg(graph.sub(y, x))
    assert graph.call("cos", graph.sub(x, y)) == graph.call("cos", graph.sub(x, y))


def test_nodes_come_after_their_arguments(graph):
    x = graph.input("x", 0)
    graph.select(graph.less(x, graph.one), graph.ipow(x, 7), graph.call("atan2", x, graph.const(2)))
    assert all(child < node for node in range(len(graph)) for child in graph.children(node))


def test_neutral_elements_disappear(graph):
    x = graph.input("x", 0)
    for same in (
        graph.add(x, graph.zero),
        graph.sub(x, graph.zero),
        graph.mul(graph.one, x),
        graph.div(x, graph.one),
        graph.neg(graph.neg(x)),
        graph.pow(x, graph.one),
        graph.select(graph.true, x, graph.zero),
        graph.select(graph.less(x, graph.one), x, x),
    ):
        assert same == x
    for nothing in (graph.mul(x, graph.zero), graph.sub(x, x), graph.div(graph.zero, x), graph.neg(graph.zero)):
        assert nothing == graph.zero
    assert graph.pow(x, graph.zero) == graph.one


@given(st.lists(st.sampled_from([-2.5, -1.0, 0.0, 0.5, 1.0, 3.0]), min_size=3, max_size=3))
def test_constants_fold_to_what_floats_give(numbers):
    graph = Graph()
    a, b, c = (graph.const(number) for number in numbers)
    node = graph.sub(graph.mul(graph.add(a, b), c), graph.call("sin", a))
    assert graph.value(node) == (numbers[0] + numbers[1]) * numbers[2] - math.sin(numbers[0])


def test_operations_without_finite_value_stay(graph):
    minus_one = graph.const(-1)
    for node in (
        graph.div(graph.one, graph.zero),
        graph.div(graph.zero, graph.zero),
        graph.call("sqrt", minus_one),
        graph.call("log", graph.zero),
        graph.call("exp", graph.const(1e4)),
        graph.pow(minus_one, graph.const(0.3)),
    ):
        assert graph.value(node) is None


def test_quotient_of_equal_nodes_is_not_folded(graph):
    """x/x is NaN at 0, and no structure tells that x is not."""
    x = graph.input("x", 0)
    assert graph.div(x, x) != graph.one


def test_nan_is_one_node(graph):
    assert graph.const(float("nan")) == graph.const(float("inf") - float("inf"))


@pytest.mark.parametrize("exponent", [-32, -7, -1, 0, 1, 2, 3, 13, 32, 0.5, -0.5, 2.5, -1.5])
def test_powers_become_products_and_square_roots(graph, exponent):
    node = graph.pow(graph.input("x", 0), graph.const(exponent))
    assert "pow" not in {graph.ops[each] for each in reachable(graph, [node])}
    assert count(graph, [node]) <= 2 * math.log2(abs(exponent) + 1) + 3
    value = exact_value(graph, node, {("x", 0): 1.25})
    assert float(value) == pytest.approx(1.25**exponent, rel=1e-14)


@pytest.mark.parametrize("exponent", [33, -100, 0.3])
def test_other_powers_are_left_to_the_c_library(graph, exponent):
    node = graph.pow(graph.input("x", 0), graph.const(exponent))
    assert graph.ops[node] == "pow"


def test_signs_move_out_of_products_and_odd_functions(graph):
    x, y = graph.input("x", 0), graph.input("x", 1)
    minus_x, minus_y = graph.neg(x), graph.neg(y)
    assert graph.mul(minus_x, minus_y) == graph.mul(x, y)
    assert graph.div(minus_x, y) == graph.neg(graph.div(x, y))
    assert graph.call("sin", minus_x) == graph.neg(graph.call("sin", x))
    assert graph.call("cos", minus_x) == graph.call("cos", x)
    assert graph.add(y, minus_x) == graph.sub(y, x)
    assert graph.mul(x, graph.const(-3)) == graph.neg(graph.mul(x, graph.const(3)))


def test_logic_folds(graph):
    a, b = graph.less(graph.input("x", 0), graph.one), graph.equal(graph.input("x", 1), graph.one)
    assert graph.not_(graph.not_(a)) == a
    assert graph.and_(a, graph.true) == a
    assert graph.and_(a, graph.false) == graph.false
    assert graph.or_(a, graph.true) == graph.true
    assert graph.or_(graph.false, a) == a
    assert graph.and_(a, b) == graph.and_(b, a)
    assert graph.less(graph.zero, graph.one) == graph.true


def test_every_operation_can_be_built_again_from_its_name(graph):
    x, y = graph.input("x", 0), graph.input("x", 1)
    values, conditions = [x, y, graph.const(0.25)], [graph.less(x, y), graph.equal(x, y)]
    for name, operation in OPERATIONS.items():
        choices = [conditions if kind == "c" else values for kind in operation.arguments]
        for args in itertools.product(*choices):
            node = graph.apply(name, args)
            assert graph.apply(graph.ops[node], graph.args[node]) == node


@pytest.mark.parametrize(("array", "index"), [("t", 1), ("x", -1), ("q", 0)])
def test_unknown_inputs_are_refused(graph, array, index):
    with pytest.raises(ValueError, match="expected t"):
        graph.input(array, index)


def test_unknown_functions_are_refused_with_the_known_ones(graph):
    with pytest.raises(ValueError, match=r"no function gamma/1 .* atan2/2"):
        graph.call("gamma", graph.one)
    with pytest.raises(ValueError, match=r"no function sin/2"):
        graph.call("sin", graph.one, graph.one)


def test_values_are_no_conditions(graph):
    with pytest.raises(ValueError, match="expected a condition"):
        graph.select(graph.input("x", 0), graph.one, graph.zero)


def test_counts_of_a_graph_and_of_its_tree(graph):
    """Squaring n times: n operations, 2**n - 1 in a tree."""
    node = graph.add(graph.input("x", 0), graph.one)
    for _ in range(50):
        node = graph.mul(node, node)
    assert count(graph, [node]) == 51
    assert tree_count(graph, [node]) == 2**51 - 1


def test_substitution_replaces_and_folds(graph):
    x, y = graph.input("x", 0), graph.input("x", 1)
    node = graph.add(graph.mul(x, y), graph.call("cos", x))
    assert Substitution(graph, {x: graph.zero})(node) == graph.one
    assert Substitution(graph, {x: y})(node) == graph.add(graph.mul(y, y), graph.call("cos", y))
    assert Substitution(graph, {graph.mul(x, y): y})(node) == graph.add(y, graph.call("cos", x))
    assert Substitution(graph, {})(node) == node


def test_deep_expressions_need_no_recursion(graph):
    node = graph.input("x", 0)
    for _ in range(20_000):
        node = graph.call("sin", node)
    assert count(graph, [node]) == 20_000
    assert Substitution(graph, {graph.input("x", 0): graph.zero})(node) == graph.zero
