"""Conditions decided by inputs: the same values where each switch is the sign of its margin, smooth everywhere."""

import numpy as np
import pytest
import sympy as sm
from graph_values import X, Y, expressions, values
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Freezer, FromSympy, Function, Graph, Tangent, numpy_function, reachable

CONDITIONS = {"abs", "sign", "heaviside", "max", "min", "less", "less_equal"}


def frozen(*expressions):
    """The graph, its Freezer, the nodes as written and with their conditions decided; p = [] before the switches."""
    graph = Graph()
    read = FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("x", 1)})
    freeze = Freezer(graph, 0, lambda margin: any(graph.ops[node] == "input" for node in reachable(graph, [margin])))
    written = [read(expression) for expression in expressions]
    return graph, freeze, written, [freeze(node) for node in written]


def value(graph, nodes, x, p):
    return numpy_function(graph, Function("value", tuple(nodes), ("t", "x", "p")))(0.0, x, p)


def signs(graph, freeze, x):
    """+1 or -1 for each switch, from its margin; +1 at zero. Those inside of others come first."""
    p = np.ones(max(1, len(freeze.switches)))
    for i, switch in enumerate(freeze.switches):
        p[i] = -1.0 if value(graph, [switch.margin], x, p)[0] < 0 else 1.0
    return p


@examples(13, 40, expression=expressions(), x=values(), y=values())
def test_value_is_that_of_the_branch_in_force(expression, x, y):
    """Bit for bit, unless a margin is exactly zero: |a| = (+-1) a, a < b = (b - a > 0)."""
    graph, freeze, written, decided = frozen(expression)
    p = signs(graph, freeze, [x, y])
    margins = value(graph, [switch.margin for switch in freeze.switches], [x, y], p) if freeze.switches else []
    if all(np.abs(margin) > 0 for margin in margins):
        decided += freeze.extended(decided)
        expected = value(graph, written, [x, y], p)[0]
        np.testing.assert_equal(value(graph, decided, [x, y], p), [expected] * 2)


@examples(13, 40, expression=expressions())
def test_no_condition_is_left_but_on_switches(expression):
    graph, _, _, decided = frozen(expression)
    choices = {"less"} | (CONDITIONS - {"less", "less_equal"})
    for node in reachable(graph, decided):
        if graph.ops[node] in choices:
            leaves = [leaf for leaf in reachable(graph, [node]) if graph.ops[leaf] == "input"]
            assert {graph.args[leaf][0] for leaf in leaves} == {"p"}


@pytest.mark.parametrize(
    ("expression", "margins"),
    [
        (sm.Abs(X) + sm.sign(-X) * sm.Heaviside(X), [X]),
        (sm.Max(X, Y) - sm.Min(X, Y) + sm.Abs(Y - X), [X - Y]),
        (sm.Piecewise((1, X < Y), (2, X >= Y)), [X - Y]),
        (sm.Max(X, Y, 1), None),
        (sm.Abs(sm.Abs(X) - 1), [X, sm.Abs(X) - 1]),
        (sm.sinc(X) + sm.atan(Y), []),
        (sm.floor(X) + sm.ceiling(X) - sm.Mod(X, 1) + sm.floor(-X), [sm.sin(sm.pi * X)]),
        (sm.Piecewise((1, sm.Eq(X, Y)), (2, True)) + sm.atan2(Y, X), []),
        (sm.Piecewise((1, sm.And(X > 0, sm.Or(X < 1, Y > X))), (2, True)), None),
    ],
)
def test_equal_and_opposite_margins_share_a_switch(expression, margins):
    graph, freeze, _, _ = frozen(expression)
    if margins is None:
        assert len(freeze.switches) == {3: 2, 2: 3}[len(expression.args)]
        return
    assert len(freeze.switches) == len(margins)
    place = [0.3, -1.7]
    for switch, margin in zip(freeze.switches, margins, strict=True):
        expected = abs(float(margin.subs({X: place[0], Y: place[1]})))
        assert abs(value(graph, [switch.written], place, [])[0]) == pytest.approx(expected, rel=1e-15)


@examples(20, 60, x=st.floats(-1e4, 1e4), beyond=st.floats(-0.49, 0.49), size=st.floats(0.1, 10))
def test_whole_numbers_keep_their_value_for_half_a_unit_beyond_a_jump(x, beyond, size):
    """floor, ceiling, frac and Mod take the branch of their switch; past its ends the integer part stays the same."""
    written = (sm.floor(X), sm.ceiling(X), X - sm.floor(X), sm.Mod(X, sm.Float(size)))
    for expression in written:
        graph, freeze, nodes, decided = frozen(expression)
        place = x if expression is not written[3] else x * size
        number = place if expression is not written[3] else place / size
        if abs(number - round(number)) < 1e-9:
            continue
        p = signs(graph, freeze, [place, 0.0])
        here = value(graph, nodes, [place, 0.0], p)[0]
        assert value(graph, decided, [place, 0.0], p)[0] == pytest.approx(here, abs=1e-9)
        end = np.floor(number) + (1.0 if beyond > 0 else 0.0)
        slope = 0.0 if expression in written[:2] else 1.0
        unit = 1.0 if expression is not written[3] else size
        later = value(graph, decided, [(end + beyond) * unit, 0.0], p)[0]
        assert later == pytest.approx(here + slope * ((end + beyond) * unit - place), abs=1e-8)


def test_conditions_that_do_not_change_keep_their_form():
    graph = Graph()
    a = graph.call("abs", graph.input("p", 0))
    freeze = Freezer(graph, 1, lambda margin: False)
    assert freeze(a) == a
    assert freeze.extended([a]) == [a]
    assert freeze.switches == []


def test_the_branch_not_in_force_does_not_leak():
    """sqrt of a negative number in it is NaN, and 0 NaN would be NaN too."""
    graph, _, _, decided = frozen(sm.Piecewise((sm.sqrt(X), X > 0), (X, True)))
    assert value(graph, decided, [-2.0, 0.0], [-1.0]).tolist() == [-2.0]


@pytest.mark.parametrize("expression", [sm.sqrt(sm.Max(0, X)), sm.Max(0, X) ** sm.Rational(3, 2), sm.log(sm.Abs(X))])
def test_a_branch_is_continued_past_its_margin_only(expression):
    graph, freeze, written, decided = frozen(expression)
    (extended,) = freeze.extended(decided)
    side = 1.0 if value(graph, written, [0.25, 0.0], []) == value(graph, decided, [0.25, 0.0], [1.0]) else -1.0
    assert value(graph, [extended], [0.25, 0.0], [side]) == value(graph, written, [0.25, 0.0], [])
    assert np.isnan(value(graph, decided, [-0.25, 0.0], [side]))
    magnitude = abs(value(graph, [extended], [-0.25, 0.0], [side]))
    assert magnitude == abs(value(graph, written, [0.25, 0.0], []))


def test_a_value_that_is_missing_in_force_stays_missing():
    graph, freeze, _, decided = frozen(sm.sqrt(X - 1) + sm.Abs(X))
    assert np.isnan(value(graph, freeze.extended(decided), [0.5, 0.0], [1.0]))


def test_derivatives_are_those_of_the_branch():
    graph, freeze, _, (decided,) = frozen(sm.Abs(X) ** 3 + sm.Max(X, X**2))
    slope = Tangent(graph, {graph.input("x", 0): graph.one})
    p = signs(graph, freeze, [-2.0, 0.0])
    assert value(graph, [slope(decided), slope(slope(decided))], [-2.0, 0.0], p).tolist() == [-16.0, 14.0]


def test_margin_without_a_value_counts_as_one():
    graph, freeze, _, _ = frozen(sm.Piecewise((sm.Abs(sm.sqrt(X) - 1), X > 0), (0, True)))
    slope = Tangent(graph, {graph.input("x", 0): graph.one})
    inner = next(switch for switch in freeze.switches if graph.ops[switch.margin] != "input")
    nodes = inner.along_the_flow(graph, slope, slope)
    assert value(graph, nodes, [-1.0, 0.0], [1.0, 1.0]).tolist() == [1.0, 0.0, 0.0]
    assert value(graph, nodes, [4.0, 0.0], [1.0, 1.0]).tolist() == [1.0, 0.25, -1 / 32]


def test_what_is_held_keeps_its_conditions():
    """max(x, held(|y|)): one switch, for x = |y|; |y| itself is decided on the spot."""
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    freeze = Freezer(graph, 0, lambda margin: True)
    size = graph.held(graph.call("abs", y))
    decided = freeze(graph.call("max", x, size))
    assert [switch.margin for switch in freeze.switches] == [graph.sub(x, size)]
    assert value(graph, [decided, *freeze.extended([decided])], [1.0, -3.0], np.array([-1.0])).tolist() == [3.0, 3.0]
