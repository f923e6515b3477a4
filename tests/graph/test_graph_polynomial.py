"""The promise: multiplied out, an expression keeps its value and never costs more; what cancels is gone."""

import mpmath as mp
import pytest
from graph_values import SIGNATURE, exact_value, values
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Function, Graph, compact, count, graph_hash
from sympact.graph.algebra.expansion import Expansion
from sympact.graph.algebra.linear import matmul, transpose

DIGITS = 40


def atoms(graph):
    """Two angles with their sines and cosines, a speed, a parameter, and a divisor that is never zero."""
    a, b, u, p = (*(graph.input("x", i) for i in range(3)), graph.input("p", 0))
    trigonometric = [graph.call(name, angle) for angle in (a, b) for name in ("sin", "cos")]
    return [*trigonometric, u, p, graph.add(graph.const(3.0), graph.mul(u, u)), graph.const(-0.75), graph.const(2.0)]


def programs():
    """Lists of operations on what came before: (operation, operand, operand)."""
    operand = st.integers(0, 30)
    return st.lists(
        st.tuples(st.sampled_from(["add", "sub", "mul", "mul", "div", "neg"]), operand, operand), min_size=4
    )


def built(graph, program):
    """The last few results of a program; it divides by the divisor, a cosine or the parameter alone."""
    nodes = atoms(graph)
    for op, i, j in program:
        left, right = nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        if op == "neg":
            nodes.append(graph.neg(left))
        elif op == "div":
            nodes.append(graph.div(left, nodes[(1, 3, 5, 6)[j % 4]]))
        else:
            nodes.append(getattr(graph, op)(left, right))
    return nodes[-3:]


@examples(50, 150, programs(), st.lists(values(), min_size=4, max_size=4))
def test_values_are_kept_and_operations_never_more(program, numbers):
    """Every constant is dyadic, so that both forms are the same number in exact arithmetic."""
    graph = Graph()
    nodes = built(graph, program)
    shorter = compact(graph, nodes)
    assert count(graph, shorter) <= count(graph, nodes)
    inputs = {("x", 0): numbers[0], ("x", 1): numbers[1], ("x", 2): numbers[2], ("p", 0): numbers[3]}
    with mp.workdps(4 * DIGITS):
        for node, other in zip(nodes, shorter, strict=True):
            before, after = exact_value(graph, node, inputs), exact_value(graph, other, inputs)
            assert abs(before - after) <= mp.mpf(10) ** -DIGITS * (1 + abs(before))


@examples(33, 100, programs())
def test_the_result_follows_from_the_order_of_construction_alone(program):
    hashes = []
    for _ in range(2):
        graph = Graph()
        hashes.append(graph_hash(graph, [Function("f", tuple(compact(graph, built(graph, program))), SIGNATURE)]))
    assert hashes[0] == hashes[1]


def rotation(graph, axis, angle):
    """The matrix of a rotation about a coordinate axis."""
    sine, cosine = graph.call("sin", angle), graph.call("cos", angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    matrix = [[graph.one if row == column else graph.zero for column in range(3)] for row in range(3)]
    matrix[j][j] = matrix[k][k] = cosine
    matrix[j][k], matrix[k][j] = graph.neg(sine), sine
    return matrix


@pytest.mark.parametrize("axes", [(2, 0, 2), (0, 1, 2), (1, 2, 1)])
def test_a_rotation_times_its_transposed_is_the_unit_matrix(axes):
    graph = Graph()
    first, second, third = (rotation(graph, axis, graph.input("x", i)) for i, axis in enumerate(axes))
    turned = matmul(graph, matmul(graph, first, second), third)
    unit = [graph.one, graph.zero, graph.zero, graph.zero, graph.one, graph.zero, graph.zero, graph.zero, graph.one]
    for product in (matmul(graph, turned, transpose(turned)), matmul(graph, transpose(turned), turned)):
        assert compact(graph, [entry for row in product for entry in row]) == unit


def test_identities():
    graph = Graph()
    angle, x, y = (graph.input("x", i) for i in range(3))
    sine, cosine = graph.call("sin", angle), graph.call("cos", angle)
    s2, c2, xy = graph.mul(sine, sine), graph.mul(cosine, cosine), graph.mul(x, y)
    identities = {
        graph.sub(graph.one, s2): c2,
        graph.sub(graph.mul(x, graph.mul(c2, y)), xy): graph.neg(graph.mul(xy, s2)),
        graph.sub(graph.mul(x, graph.add(x, y)), graph.mul(x, x)): xy,
        graph.div(graph.mul(xy, sine), graph.mul(sine, x)): y,
        graph.add(graph.div(graph.mul(s2, x), y), graph.div(graph.mul(c2, x), y)): graph.div(x, y),
        graph.sub(
            graph.div(x, graph.add(x, y)), graph.div(graph.mul(x, x), graph.add(graph.mul(x, x), xy))
        ): graph.zero,
    }
    for node, expected in identities.items():
        (found,) = compact(graph, [node])
        assert Expansion(graph)(found) == Expansion(graph)(expected)
        assert count(graph, [found]) <= count(graph, [expected])


def test_a_square_is_split_only_where_terms_vanish():
    """3 s^2 + 2 c^2 has two terms either way and stays; with - 2 it is s^2."""
    graph = Graph()
    sine, cosine = (graph.call(name, graph.input("x", 0)) for name in ("sin", "cos"))
    s2, c2 = graph.mul(sine, sine), graph.mul(cosine, cosine)
    weighted = graph.add(graph.mul(graph.const(3), s2), graph.mul(graph.const(2), c2))
    assert Expansion(graph)(weighted) == {(sine, sine): 3.0, (cosine, cosine): 2.0}
    assert Expansion(graph)(graph.sub(weighted, graph.const(2))) == {(sine, sine): 1.0}


def test_numbers_that_are_not_exact_do_not_mix():
    """0.1 + 0.2 would round: both stay factors of their own, as does a number too large to be added exactly."""
    graph = Graph()
    x = graph.input("x", 0)
    node = graph.add(graph.mul(graph.const(0.1), x), graph.mul(graph.const(-0.2), x))
    assert Expansion(graph)(node) == {
        tuple(sorted((x, graph.const(0.1)))): 1.0,
        tuple(sorted((x, graph.const(0.2)))): -1.0,
    }
    assert Expansion(graph)(graph.const(1e6)) == {(graph.const(1e6),): 1.0}


def test_sums_of_parameters_are_left_as_written():
    """The difference of two large parameters keeps its digits."""
    graph = Graph()
    length, offset, x = graph.input("p", 0), graph.input("p", 1), graph.input("x", 0)
    arm = graph.sub(length, offset)
    assert Expansion(graph)(graph.mul(arm, x)) == {tuple(sorted((arm, x))): 1.0}


def test_the_budget_is_kept():
    """The cube of a sum of eight has 120 terms, its square 36."""
    graph = Graph()
    total = graph.sum(graph.input("x", i) for i in range(8))
    square, cube = graph.ipow(total, 2), graph.mul(graph.ipow(total, 2), total)
    assert len(Expansion(graph)(square)) == 36
    assert Expansion(graph)(cube) is None
    assert len(Expansion(graph, terms=500)(cube)) == 120
    assert Expansion(graph, work=40)(square) is None
    assert compact(graph, [cube, graph.add(cube, total)]) == [cube, graph.add(cube, total)]


def test_a_part_that_is_given_up_can_still_be_divided():
    """A quotient of something too long is one atom: it cancels against itself."""
    graph = Graph()
    total, x = graph.sum(graph.input("x", i) for i in range(8)), graph.input("x", 9)
    quotient = graph.div(graph.ipow(total, 4), x)
    node = graph.sub(graph.mul(graph.add(quotient, x), x), graph.mul(quotient, x))
    assert compact(graph, [node]) == [graph.mul(x, x)]


def test_long_sets_are_left_alone():
    graph = Graph()
    node = graph.zero
    for i in range(600):
        node = graph.call("sin", graph.add(node, graph.input("x", i)))
    one = graph.add(graph.ipow(graph.call("sin", node), 2), graph.ipow(graph.call("cos", node), 2))
    assert compact(graph, [one]) == [one]
