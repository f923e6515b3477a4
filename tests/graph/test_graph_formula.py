"""Formulas with operators: the nodes of the prefix calls, SymPy's numbers, and refusals that say what was found."""

from __future__ import annotations

import operator
from collections.abc import Callable

import mpmath as mp
import pytest
import sympy as sm
from graph_values import X, Y, exact_value, values
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import FromSympy, Graph
from sympact.graph import formula as f
from sympact.graph.formula import Scalar, Vector3

EXACT = 1e-14  # numbers that no double holds, such as 0.1, differ by 1e-16 of themselves

FUNCTIONS = {
    name: (getattr(f, name), getattr(sm, name)) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "tanh")
}
OPERATORS = (operator.add, operator.sub, operator.mul)


class Both:
    """A formula and the same one in SymPy, made by the same operations."""

    def __init__(self, scalar: Scalar, expression: sm.Expr) -> None:
        self.scalar, self.expression = scalar, expression

    def apply(self, work: Callable, others: tuple[Both, ...] = (), sympy_work: Callable | None = None) -> Both:
        scalars, expressions = (tuple(getattr(one, side) for one in others) for side in ("scalar", "expression"))
        return Both(work(self.scalar, *scalars), (sympy_work or work)(self.expression, *expressions))


def letters() -> tuple[Graph, Both, Both]:
    graph = Graph()
    return graph, *(Both(Scalar(graph, graph.input("x", i)), letter) for i, letter in enumerate((X, Y)))


def unary(a: Both) -> list[Both]:
    """Functions where they are defined and tame, and numbers on either side of every operator."""
    bounded, large = a.apply(lambda v: v / (1 + v**2)), a.apply(lambda v: 2 + v**2)
    return [
        *(bounded.apply(ours, sympy_work=theirs) for ours, theirs in FUNCTIONS.values()),
        *(large.apply(*pair) for pair in ((f.sqrt, (), sm.sqrt), (f.log, (), sm.log))),
        *(a.apply(work) for work in (operator.neg, abs, lambda v: v**3, lambda v: 2.5 - v, lambda v: v - 2.5)),
        *(large.apply(work) for work in (lambda v: 1 / v, lambda v: v**-2, lambda v: v / 4, lambda v: 3 / v)),
        large.apply(lambda v: v**0.5, sympy_work=sm.sqrt),
        bounded.apply(lambda v: 2**v),
        a.apply(lambda v: f.maximum(v, 0.25), sympy_work=lambda v: sm.Max(v, sm.Rational(1, 4))),
        a.apply(lambda v: f.where(v > 0.5, v, 2), sympy_work=lambda v: sm.Piecewise((v, v > sm.S.Half), (2, True))),
    ]


def binary(a: Both, b: Both) -> list[Both]:
    large = b.apply(lambda v: 1 + v**2)
    return [
        *(a.apply(work, (b,)) for work in OPERATORS),
        a.apply(operator.truediv, (large,)),
        a.apply(f.atan2, (large,), sm.atan2),
        a.apply(f.minimum, (b,), sm.Min),
        a.apply(f.maximum, (b,), sm.Max),
        a.apply(lambda u, v: f.where(u < v, u, v * u), (b,), lambda u, v: sm.Piecewise((u, u < v), (v * u, True))),
        a.apply(
            lambda u, v: f.where((u <= v) & ~(v >= 1) | (u > 2), u, v),
            (b,),
            lambda u, v: sm.Piecewise((u, sm.Or(sm.And(u <= v, v < 1), u > 2)), (v, True)),
        ),
    ]


def formulas() -> st.SearchStrategy[Callable[[Both, Both], Both]]:
    """Functions that make a formula of two letters."""
    leaves = st.sampled_from([lambda x, y: x, lambda x, y: y])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.integers(0, 99)).map(
                lambda one: lambda x, y: (found := unary(one[0](x, y)))[one[1] % len(found)]
            ),
            st.tuples(inner, inner, st.integers(0, 99)).map(
                lambda one: lambda x, y: (found := binary(one[0](x, y), one[1](x, y)))[one[2] % len(found)]
            ),
        ),
        max_leaves=5,
    )


@examples(17, 150, formulas(), values(), values())
def test_a_formula_has_the_value_of_the_same_formula_in_sympy(make, x, y):
    graph, *both = letters()
    made = make(*both)
    with mp.workdps(50):
        value = exact_value(graph, made.scalar.node, {("x", 0): x, ("x", 1): y})
        expected = sm.lambdify([X, Y], made.expression, "mpmath")(mp.mpf(x), mp.mpf(y))
    assert abs(value - expected) <= EXACT * (1 + abs(expected))


PREFIX = {
    "z - x**2 / (2 * r)": lambda g, x, z, r: g.sub(z, g.div(g.mul(x, x), g.mul(g.const(2), r))),
    "-(x + z) * r": lambda g, x, z, r: g.mul(g.neg(g.add(x, z)), r),
    "x + z + r": lambda g, x, z, r: g.add(g.add(x, z), r),
    "x + (z + r)": lambda g, x, z, r: g.add(x, g.add(z, r)),
    "1 - x / z": lambda g, x, z, r: g.sub(g.one, g.div(x, z)),
    "sqrt(1 + (x / r) ** 2)": lambda g, x, z, r: g.call("sqrt", g.add(g.one, g.ipow(g.div(x, r), 2))),
    "abs(x) ** 1.5": lambda g, x, z, r: g.pow(g.call("abs", x), g.const(1.5)),
    "2 ** x": lambda g, x, z, r: g.pow(g.const(2), x),
    "where(x > z, atan2(x, z), maximum(0, r))": lambda g, x, z, r: g.select(
        g.less(z, x), g.call("atan2", x, z), g.call("max", g.zero, r)
    ),
    "where(below(x, 1) | ~(z <= r), x.held, sin(x))": lambda g, x, z, r: g.select(
        g.or_(g.below(x, g.one), g.not_(g.less_equal(z, r))), g.held(x), g.call("sin", x)
    ),
    "Vector3.of(x, z, 0).dot(Vector3.of(z, r, 1))": lambda g, x, z, r: g.add(g.mul(x, z), g.mul(z, r)),
    "Vector3.of(x, z, r).norm": lambda g, x, z, r: g.call("sqrt", g.add(g.add(g.mul(x, x), g.mul(z, z)), g.mul(r, r))),
}


@pytest.mark.parametrize("written", PREFIX)
def test_operators_build_the_nodes_of_the_prefix_calls(written):
    """Node for node, so that rounding is the same to the last bit."""
    graph = Graph()
    nodes = [graph.input("x", i) for i in range(3)]
    expected = PREFIX[written](graph, *nodes)
    known = len(graph)
    made = eval(written, vars(f) | {name: Scalar(graph, node) for name, node in zip("xzr", nodes, strict=True)})
    assert made.node == expected
    assert all(graph.ops[node] == "const" for node in range(known, len(graph)))


@examples(17, 50, st.lists(values(), min_size=6, max_size=6))
def test_vectors_are_those_of_sympy(numbers):
    graph = Graph()
    a, b = (Vector3(graph, tuple(graph.input("x", 3 * k + i) for i in range(3))) for k in range(2))
    u, v = sm.Matrix([sm.Rational(n) for n in numbers[:3]]), sm.Matrix([sm.Rational(n) for n in numbers[3:]])
    axis = v / v.norm()
    cases = [
        (a + b, u + v),
        (a - b, u - v),
        (-a, -u),
        (2 * a * b[1] / 3, 2 * u * v[1] / 3),
        (a.cross(b), u.cross(v)),
        (b.unit, axis),
        (a.across(b.unit), u - u.dot(axis) * axis),
        (Vector3.of(a.dot(b), b.norm, 0), sm.Matrix([u.dot(v), v.norm(), 0])),
        (f.where(a[0] < b[0], a, b), u if u[0] < v[0] else v),
    ]
    inputs = {("x", i): number for i, number in enumerate(numbers)}
    for ours, theirs in cases:
        with mp.workdps(40):
            for scalar, expected in zip(ours, theirs, strict=True):
                assert abs(exact_value(graph, scalar.node, inputs) - mp.mpf(sm.N(expected, 40))) < 1e-15 * 100


def test_numbers_may_be_those_of_numpy_and_of_sympy():
    graph, x, _ = letters()
    import numpy as np

    assert x.scalar * np.float64(2) == x.scalar * sm.Integer(2) == sm.Integer(2) * x.scalar == 2 * x.scalar
    assert np.float64(2) * x.scalar == 2 * x.scalar
    assert FromSympy(graph, {X: x.scalar.node})(X / 2) == (x.scalar / 2).node


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        (lambda x: x + "m", TypeError, "a formula is computed with formulas and real numbers; found 'm'"),
        (lambda x: x * sm.Symbol("r"), TypeError, "a formula is computed with formulas and real numbers; found r"),
        (lambda x: x + Scalar(Graph(), 0), ValueError, "two formulas of different models cannot be combined"),
        (
            lambda x: Vector3.of(0, 0, 1),
            TypeError,
            "none of 0, 0, 1 is a formula; make one of a number with motion.number",
        ),
        (lambda x: x if x > 0 else -x, TypeError, "whether a condition holds is known only when it is evaluated"),
    ],
)
def test_what_is_no_formula_is_refused(wrong, error, sentence):
    _, x, _ = letters()
    with pytest.raises(error, match=sentence):
        wrong(x.scalar)
