"""Enclosures of nodes over a part of a step against dense samples of the same nodes.

The truth is independent of the rules for intervals: the states are put in as polynomials of the time, and the node's
derivatives come from `Tangent`.
"""

import math

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Bound, Enclosure, Function, Graph, Substitution, Tangent, numpy_function

UNARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
UNARY += ("exp", "log", "erf", "sqrt", "abs", "sign", "floor", "ceiling")
BINARY = ("add", "sub", "mul", "div", "pow", "atan2", "min", "max", "mod", "heaviside")
numbers = st.floats(-3, 3).map(lambda x: round(x, 2))


def leaves(graph):
    """States, time, a parameter, numbers."""
    states = [graph.input("x", 0), graph.input("x", 3), graph.input("t", 0), graph.input("p", 0)]
    return st.one_of(st.sampled_from(states), numbers.map(graph.const))


def expressions(graph):
    """Random nodes."""

    def grown(inner):
        unary = st.tuples(st.sampled_from(UNARY), inner).map(lambda a: graph.call(*a))
        binary = st.tuples(st.sampled_from(BINARY), inner, inner).map(lambda a: graph.apply(a[0], a[1:]))
        square = inner.map(lambda a: graph.mul(a, a))
        ways = st.tuples(inner, inner, inner, inner).map(lambda a: graph.select(graph.less(a[0], a[1]), a[2], a[3]))
        return st.one_of(unary, binary, square, ways)

    return st.recursive(leaves(graph), grown, max_leaves=8)


def jets_of(polynomials, left, right):
    """Ranges of polynomials and of their first two derivatives over a part, by dense samples of their own bounds."""
    s, rows = np.linspace(left, right, 257), []
    for polynomial in polynomials:
        for order in range(3):
            derived = polynomial.deriv(order) if order else polynomial
            steep = np.abs(derived.deriv()(s)).max() if derived.degree() else 0.0
            more = 2.0 * steep * (right - left) / 256 + 1e-15
            values = derived(s)
            rows += [values.min() - more, values.max() + more]
    return np.array(rows)


def enclosed(graph, node, polynomials, p, left, right, bounds=None):
    """The six ends of a node; the states 0 and 3 and the time follow polynomials of s."""
    ends = Enclosure(graph, [0, 3], bounds)([node])
    inputs = jets_of([*polynomials, np.polynomial.Polynomial([0.0, 1.0])], left, right)
    return numpy_function(graph, Function("jets", tuple(ends), ("t", "x", "p")))(0.0, inputs, [p])


def along(graph, node, polynomials, p, s):
    """The node and its first two derivatives at places of the step."""
    t = graph.input("t", 0)

    def written(polynomial):
        total = graph.zero
        for c in polynomial.coef[::-1]:
            total = graph.add(graph.mul(total, t), graph.const(c))
        return total

    moving = Substitution(graph, {graph.input("x", i): written(q) for i, q in zip((0, 3), polynomials, strict=True)})(
        node
    )
    rate = Tangent(graph, {t: graph.one})
    nodes = (moving, rate(moving), rate(rate(moving)))
    values = numpy_function(graph, Function("truth", nodes, ("t", "x", "p")))(s, np.zeros((4, 1)), [[p]])
    return np.array(np.broadcast_to(values if values.ndim == 2 else values[:, np.newaxis], (3, len(s))))


@st.composite
def cases(draw):
    graph = Graph()
    node = draw(expressions(graph))
    polynomials = [np.polynomial.Polynomial(draw(st.lists(numbers, min_size=1, max_size=4))) for _ in range(2)]
    left = draw(st.sampled_from([0.0, 0.25, 0.5, 0.7]))
    width = draw(st.sampled_from([0.3, 0.1, 0.01, 1e-4]))
    return graph, node, polynomials, draw(numbers), left, left + width


@examples(30, 200, cases())
def test_dense_samples_lie_within_the_enclosure_of_a_random_expression(case):
    graph, node, polynomials, p, left, right = case
    truth = along(graph, node, polynomials, p, np.linspace(left, right, 101))
    assume(np.isfinite(truth[0]).all())
    low, high = np.reshape(enclosed(graph, node, polynomials, p, left, right), (3, 2)).T
    assert not np.isnan([low, high]).any()
    slack = 1e-13 * (1.0 + np.abs(truth[0]))  # the samples are rounded as well
    assert (low[0] <= truth[0] + slack).all()
    assert (truth[0] - slack <= high[0]).all()
    jumps = np.abs(np.diff(truth[0])) > 1e-6 + 2.0 * np.abs(truth[1][1:] + truth[1][:-1]) * (right - left)
    for order in (1, 2):
        if not math.isfinite(low[order]) and not math.isfinite(high[order]):
            continue
        assert not jumps.any() or order == 2  # a branch that is left with a jump has no bounded slope
        sure = np.isfinite(truth[order])
        slack = 1e-10 * (1.0 + np.abs(truth[order][sure]))
        assert (low[order] <= truth[order][sure] + slack).all()
        assert (truth[order][sure] - slack <= high[order]).all()


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("places", [(0.31, 0.35), (0.0, 1e-3), (0.2, 0.9), (-0.9, 0.8), (1.2, 1.3)])
def test_one_function_is_enclosed_and_not_too_widely(op, places):
    graph = Graph()
    node = graph.call(op, graph.input("x", 0))
    left, right = 0.0, 1.0
    line = np.polynomial.Polynomial([places[0], places[1] - places[0]])
    s = np.linspace(left, right, 1001)
    truth = along(graph, node, [line, line], 0.0, s)
    corner = op in ("abs", "sign", "floor", "ceiling") and places[0] <= 0.0
    if corner or not np.isfinite(truth).all():
        pytest.skip("the function has no value, or a corner, in this range")
    low, high = np.reshape(enclosed(graph, node, [line, line], 0.0, left, right), (3, 2)).T
    for order in range(3):
        assert low[order] <= truth[order].min() <= truth[order].max() <= high[order] + 1e-15
        span = np.ptp(truth[order])
        if places[1] - places[0] < 0.05:
            assert high[order] - low[order] <= 4.0 * span + 0.03 * np.abs(truth[order]).max() + 1e-9


def test_an_infinite_slope_leaves_the_value_enclosed_and_nothing_is_nan():
    graph = Graph()
    x = graph.input("x", 0)
    node = graph.mul(graph.sub(x, graph.one), graph.div(graph.call("sqrt", x), graph.call("sin", x)))
    line = np.polynomial.Polynomial([0.0, 1.0])
    ends = enclosed(graph, node, [line, line], 0.0, 0.0, 1.0)
    assert not np.isnan(ends).any()
    assert ends[0] == -math.inf


def test_what_is_found_by_iteration_is_bounded_as_a_distance():
    """The distance of a moving point from the nearest of some places: its second derivative is at most the bound's."""
    graph = Graph()
    place = graph.input("x", 0), graph.input("x", 3)
    found = graph.held(graph.add(*place))
    bound = Bound(place, graph.const(0.5), {})
    rng = np.random.default_rng(0)
    curves = [np.polynomial.Polynomial(rng.normal(size=4)) for _ in range(2)]
    low, high = np.reshape(enclosed(graph, found, curves, 0.0, 0.0, 0.2, {found: bound}), (3, 2)).T
    s = np.linspace(0.0, 0.2, 401)
    path = np.stack([curve(s) for curve in curves])
    speed = np.hypot(*(curve.deriv()(s) for curve in curves))
    for _ in range(50):
        angle = rng.uniform(0.0, 2.0 * math.pi)
        away = path - (path[:, :1] + rng.uniform(0.6, 2.0) * np.array([[math.cos(angle)], [math.sin(angle)]]))
        distance = np.hypot(*away)
        bend = np.diff(distance, 2) / (s[1] - s[0]) ** 2
        assert bend[distance[1:-1] > 0.5].max(initial=-math.inf) <= high[2] + 1e-6
    assert low[0] == -math.inf
    assert low[1] <= -speed.max() < speed.max() <= high[1]


def test_the_least_over_a_letter_is_bounded_by_all_its_values():
    graph = Graph()
    letter, x = graph.unknown(3), graph.input("x", 0)
    height = graph.add(graph.mul(graph.call("cos", letter), x), graph.call("sin", x))
    found = graph.held(x)
    bound = Bound((height,), None, {letter: (0.0, 2.0 * math.pi)}, parts=4)
    line = np.polynomial.Polynomial([0.3, 1.0, -2.0])
    low, high = np.reshape(enclosed(graph, found, [line, line], 0.0, 0.0, 0.3, {found: bound}), (3, 2)).T
    s = np.linspace(0.0, 0.3, 101)
    for angle in np.linspace(0.0, 2.0 * math.pi, 50):
        one = Substitution(graph, {letter: graph.const(angle)})(height)
        truth = along(graph, one, [line, line], 0.0, s)
        assert (low[0] <= truth[0]).all()
        assert (low[1] <= truth[1]).all()
        assert (truth[2] <= high[2] + 1e-12).all()


@pytest.mark.parametrize(
    ("text", "plain", "angles"),
    [
        ("y - 2*x", True, 0),
        ("x*y + x**2", True, 0),
        ("sin(2*x + 3*t) * cos(y) + p*y", True, 2),
        ("sqrt(x**2 + y**2) - p", True, 0),
        ("Max(x, y) - Abs(sin(x))", True, 1),
        ("Piecewise((x, y > 0), (y, True))", True, 0),
        ("x**3", False, 0),
        ("y - exp(-x**2)", False, 0),
        ("y - tanh(x)", False, 0),
        ("y/x", False, 0),
        ("sin(x**2)", False, 0),
        ("sqrt(x**2*y**2 + 1)", False, 0),
        ("y - exp(-p**2)", True, 0),
    ],
)
def test_what_bends_no_faster_than_the_state_is_told_from_the_graph(text, plain, angles):
    import sympy as sm

    from sympact.graph import FromSympy, bending

    graph, letters = Graph(), sm.symbols("x y t p", real=True)
    inputs = (graph.input("x", 0), graph.input("x", 1), graph.input("t", 0), graph.input("p", 0))
    names = {str(letter): letter for letter in letters}
    node = FromSympy(graph, dict(zip(letters, inputs, strict=True)))(sm.sympify(text, locals=names))
    found = bending(graph, node)
    assert (found.plain, len(found.phases), not found.reasons) == (plain, angles, plain)
