"""Reading SymPy's expressions and writing them again: the same numbers, each shared part once, faults named."""

import math
import pickle

import mpmath as mp
import numpy as np
import pytest
import sympy as sm
from graph_values import X, Y, exact_value, expressions, values
from quick_members import examples

from sympact.graph import FromSympy, Graph, Tangent, Unreadable, count, to_sympy, to_sympy_cse, tree_count

t = sm.Symbol("t")
q = sm.Function("q")(t)
MODULES = [{"Heaviside": lambda x, h: mp.mpf(h) if x == 0 else mp.mpf(x > 0)}, "mpmath"]
# Conversions are exact but for numbers that no double holds, such as the exponents 1/3 of an expression.
EXACT = 1e-14


def evaluated(expression, x, y):
    """The value of an expression of X and Y by SymPy's own way into mpmath."""
    with mp.workdps(50):
        return sm.lambdify([X, Y], expression, MODULES)(mp.mpf(x), mp.mpf(y))


@pytest.fixture
def graph():
    return Graph()


def reader(graph):
    return FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("x", 1)})


def names(graph):
    return {graph.input("x", 0): X, graph.input("x", 1): Y}


@examples(50, 150, expressions(), values(), values())
def test_reading_keeps_the_value(expression, x, y):
    graph = Graph()
    node = reader(graph)(expression)
    with mp.workdps(50):
        value = exact_value(graph, node, {("x", 0): x, ("x", 1): y})
    expected = evaluated(expression, x, y)
    assert abs(value - expected) <= EXACT * (1 + abs(expected))


@examples(33, 100, expressions(), values(), values())
def test_writing_keeps_the_value(expression, x, y):
    graph = Graph()
    (written,) = to_sympy(graph, [reader(graph)(expression)], names(graph))
    expected = evaluated(expression, x, y)
    assert abs(evaluated(written, x, y) - expected) <= EXACT * (1 + abs(expected))


@examples(17, 50, expressions(), expressions(), values(), values())
def test_common_parts_put_back_give_the_value(first, second, x, y):
    graph = Graph()
    read = reader(graph)
    replacements, reduced = to_sympy_cse(graph, [read(first), read(second)], names(graph))
    known = {X: mp.mpf(x), Y: mp.mpf(y)}
    with mp.workdps(50):
        for symbol, part in replacements:
            assert part.free_symbols <= set(known)
            known[symbol] = sm.lambdify(list(known), part, MODULES)(*known.values())
        found = [sm.lambdify(list(known), part, MODULES)(*known.values()) for part in reduced]
    for value, expression in zip(found, (first, second), strict=True):
        expected = evaluated(expression, x, y)
        assert abs(value - expected) <= EXACT * (1 + abs(expected))


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (sm.Rational(1, 3), 1 / 3),
        (sm.Rational(10**400 + 1, 10**400), 1.0),
        (sm.Float("0.1", 50), 0.1),
        (sm.Float("0.10000000000000000832667268468867", 50), 0.1),
        (sm.pi, math.pi),
        (sm.E, math.e),
        (sm.EulerGamma, float(np.euler_gamma)),
        (sm.oo, math.inf),
        (-sm.oo, -math.inf),
        (7, 7.0),
        (0.25, 0.25),
    ],
)
def test_numbers_are_rounded_to_the_nearest_double(graph, number, value):
    assert graph.value(reader(graph)(number)) == value


def test_nan_is_read(graph):
    assert math.isnan(graph.value(reader(graph)(sm.nan)))


FUNCTIONS = [
    *(sm.cot, sm.sec, sm.csc, sm.sinh, sm.coth, sm.sech, sm.csch, sm.sinc, sm.frac, sm.exp, sm.log, sm.tan),
    *(sm.acot, sm.acsc, sm.asec, sm.acsch, sm.acoth, sm.acosh, sm.atan, sm.asinh, sm.erf, sm.floor, sm.ceiling),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_that_random_expressions_do_not_reach(graph, function):
    value = exact_value(graph, reader(graph)(function(X)), {("x", 0): 1.7})
    assert float(value) == pytest.approx(float(function(sm.Float(1.7))), rel=1e-15)


def test_sinc_is_smooth_at_zero(graph):
    """sin(x)/x = 1 - x^2/6 + ...; its second derivative at 0 is -1/3."""
    x = graph.input("x", 0)
    along = Tangent(graph, {x: graph.one})
    node = reader(graph)(sm.sinc(X))
    for expected in (1.0, 0.0, -1 / 3):
        assert float(exact_value(graph, node, {("x", 0): 0.0})) == pytest.approx(expected, abs=1e-15)
        node = along(node)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (X < Y, True),
        (X >= Y, False),
        (sm.Eq(X, 1), True),
        (sm.Ne(X, 1), False),
        (sm.And(X < 2, Y > 3), False),
        (sm.Or(X < 2, Y > 3), True),
        (sm.Xor(X < 2, Y < 3), False),
        (sm.Not(sm.Eq(X, Y)), True),
        (sm.ITE(X < Y, Y > 3, X > 0), False),
    ],
)
def test_conditions(graph, condition, holds):
    node = reader(graph)(sm.Piecewise((1, condition), (0, True)))
    assert exact_value(graph, node, {("x", 0): 1.0, ("x", 1): 2.0}) == holds


def test_piecewise_without_a_branch_is_nan(graph):
    node = reader(graph)(sm.Piecewise((X, X > 0)))
    assert mp.isnan(exact_value(graph, node, {("x", 0): -1.0}))


def test_any_expression_can_be_an_input(graph):
    x, u = graph.input("x", 0), graph.input("x", 1)
    read = FromSympy(graph, {q: x, q.diff(t): u})
    assert read(q * q.diff(t)) == graph.mul(x, u)


def test_symbols_of_one_name_are_told_apart(graph):
    plain, positive = sm.Symbol("a"), sm.Symbol("a", positive=True)
    read = FromSympy(graph, {plain: graph.input("p", 0), positive: graph.input("p", 1)})
    assert read(plain - positive) == graph.sub(graph.input("p", 0), graph.input("p", 1))


def test_negative_powers_become_one_division(graph):
    node = reader(graph)(X / (Y * sm.sqrt(X + Y)))
    assert [graph.ops[each] for each in range(len(graph))].count("div") == 3  # the two powers, unused, and the quotient
    assert count(graph, [node]) == 4


def test_every_part_is_read_once(graph):
    """80 levels whose tree has more than 2**80 operations."""
    expression = X
    for _ in range(80):
        expression = sm.Mul(sm.sin(expression, evaluate=False), expression, evaluate=False)
    node = reader(graph)(expression)
    assert count(graph, [node]) == 160
    assert tree_count(graph, [node]) > 2**80


def test_deep_expressions_need_no_recursion(graph):
    expression = X
    for _ in range(5000):
        expression = sm.sin(expression, evaluate=False)
        hash(expression)
    assert count(graph, [reader(graph)(expression)]) == 5000


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        (q.diff(t), r"Derivative\(q\(t\), t\)"),
        (sm.Integral(X, X), "Integral"),
        (sm.I * X, "I"),
        (sm.zoo, "zoo"),
        (sm.DiracDelta(X), "DiracDelta"),
        (sm.gamma(X), "gamma"),
        (sm.Matrix([X]), "Matrix"),
    ],
)
def test_what_cannot_be_read_is_named(graph, expression, named):
    with pytest.raises(ValueError, match=f"cannot read {named}.*: expected an input of the model, a number"):
        reader(graph)(expression)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        (sm.sin(sm.Symbol("k")) + X, "cannot read k: expected an expression of the symbols x, y; a further one has to"),
        (sm.Function("F")(X), r"cannot read F\(x\): expected an expression of the symbols x, y;"),
        (sm.Symbol("x", positive=True), "cannot read x: there is another x, with other assumptions such as positive"),
    ],
)
def test_an_unknown_symbol_is_told_the_known_ones(graph, expression, sentence):
    with pytest.raises(Unreadable, match=sentence):
        reader(graph)(expression)


def test_all_faults_are_told_at_once(graph):
    with pytest.raises(
        ValueError, match=r"cannot read (\w, ){4}\w and 3 more: expected an expression of the symbols x"
    ):
        reader(graph)(sum(sm.symbols("a:h")) + sm.sin(X))
    with pytest.raises(ValueError, match=r"cannot read a, zeta\(x\): .*Abs, .*atan2.*declare the part"):
        reader(graph)(sm.Symbol("a") + sm.zeta(X))


def test_the_parts_that_cannot_be_read_are_told_also_to_another_process(graph):
    a, b = sm.symbols("a b")
    with pytest.raises(Unreadable) as error:
        reader(graph)(a * b + X)
    again = pickle.loads(pickle.dumps(error.value))
    assert set(again.parts) == set(error.value.parts) == {a, b}
    assert str(again) == str(error.value)


def test_inputs_without_a_name_are_told_at_once(graph):
    node = graph.add(graph.input("x", 0), graph.mul(graph.input("p", 2), graph.input("t", 0)))
    with pytest.raises(ValueError, match=r"inputs x\[0\], p\[2\], t\[0\] have no name"):
        to_sympy(graph, [node], {})


def test_simple_fractions_and_pi_are_written_as_such(graph):
    doubles = [0.5, 1 / 3, -2.0, 7 / 12, math.pi, 9.81, 0.1 + 0.2]
    written = to_sympy(graph, [graph.const(value) for value in doubles], {})
    exact = [sm.Rational(1, 2), sm.Rational(1, 3), sm.Integer(-2), sm.Rational(7, 12), sm.pi]
    assert written == [*exact, sm.Float(9.81), sm.Float(0.1 + 0.2)]


def test_names_of_common_parts_avoid_the_inputs(graph):
    x0 = sm.Symbol("x0")
    x = graph.input("x", 0)
    sine = graph.call("sin", x)
    assert to_sympy_cse(graph, [graph.div(sine, graph.add(sine, x))], {x: x0}) == (
        [(sm.Symbol("x1"), sm.sin(x0))],
        [sm.Symbol("x1") / (sm.Symbol("x1") + x0)],
    )


def test_named_parts_are_not_written_out(graph):
    x, m = graph.input("x", 0), sm.Symbol("M")
    inner = graph.call("exp", x)
    assert to_sympy(graph, [graph.call("sin", inner)], {inner: m}) == [sm.sin(m)]


def test_what_is_held_comes_back(graph):
    """As a function of SymPy with derivative zero, whose numbers are those of its argument."""
    x = graph.input("x", 0)
    node = graph.mul(x, graph.held(graph.call("sin", x)))
    (written,) = to_sympy(graph, [node], names(graph))
    assert written.diff(X) == written / X
    assert sm.lambdify(X, written)(0.5) == 0.5 * math.sin(0.5)
    assert reader(graph)(written) == node
    with pytest.raises(ValueError, match=r"unknown\[0\]"):
        to_sympy(graph, [graph.unknown(0)], names(graph))
