"""Expressions as rows: what is read is what was written, and nothing else is built than the kinds of the list."""

from __future__ import annotations

import json
import time

import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

from sympact.graph.notation.expression_rows import ExpressionRows, Unwritable, expressions_of

x, force, other = dynamicsymbols("x F"), dynamicsymbols("G"), dynamicsymbols("H", positive=True)
x, force = x
a, t, z = sm.Symbol("a", positive=True), dynamicsymbols._t, sm.Symbol("z")
KNOWN = {x: "x(t)", t: "t"}

EXPRESSIONS = [
    x**2 + 2.5 * sm.sin(a * force) / 3 - sm.pi * sm.sqrt(a),
    sm.Piecewise((x, x > 1), (a, sm.And(x < 1, t > 2)), (0, True)),
    x.diff(t, 2) + force.diff(t),
    sm.Max(x, a, 1.5) * sm.Heaviside(x) + sm.Min(x, 3) + sm.Abs(x) * sm.sign(x) + sm.Mod(x, 2) + sm.floor(x),
    sm.Float("1.1", 30) * x + 1e-300 + sm.Rational(1, 3) * x**7,
    sm.exp(-x) * sm.atan2(x, a) + sm.sinc(x) + sm.erf(x) + sm.sqrt(2) * x - sm.E**2,
    (x > 1) | (a < 2) | sm.Ne(x, z),
    other + 1,
    sm.Float(0.0),
    -0.75 * x,
    sm.oo,
    sm.true,
]

HOSTILE = [
    [["__import__", "os"]],
    [["eval", "1"]],
    [["sympify", "__import__('os')"]],
    [["symbol", "x", {"__class__": True}]],
    [["symbol", "x", {"positive": 1}]],
    [["symbol", "x" * 2000, {}]],
    [["function", "f", {"__dict__": True}]],
    [["integer", "9" * 10_000]],
    [["integer", "__import__('os')"]],
    [["float", 0, "0x1", 10**9, 53]],
    [["float", 0, "0x1", 4000, 53]],
    [["integer", "10"], ["integer", "999999"], ["Pow", 0, 1]],
    [["integer", "2"], *[["Pow", k, k] for k in range(60)]],
    [["integer", "1000"], *[["exp", k] for k in range(60)]],
    [["integer", "2"], *[["Mul", k, k] for k in range(60)]],
    [["Add", 0]],
    [["integer", "1"], ["Add", -1]],
    [["integer", "1"], ["Add", True]],
    [["known", "os"]],
    [["constant", "__doc__"]],
    [["symbol", "x", {}], ["Derivative", [10**9], 0, 0]],
    [["symbol", "x", {}], ["Piecewise", 0]],
    [["sin"]],
    [[]],
    [[{"a": 1}]],
    "rows",
    {"a": 1},
]


def test_what_is_read_is_what_was_written():
    writer = ExpressionRows(KNOWN)
    places = [writer(one) for one in EXPRESSIONS]
    found = expressions_of(json.loads(json.dumps(writer.rows)), {name: letter for letter, name in KNOWN.items()})
    for place, one in zip(places, EXPRESSIONS, strict=True):
        assert found[place] == one
        assert sm.srepr(found[place]) == sm.srepr(one)


@pytest.mark.parametrize(
    "one",
    [sm.Dummy("q"), sm.Integral(x, t), sm.Add(1, 2, evaluate=False) * x, sm.Symbol("a", commutative=False) * sm.I],
)
def test_what_would_not_be_the_same_is_not_written(one):
    with pytest.raises(Unwritable):
        ExpressionRows(KNOWN)(one)


@pytest.mark.parametrize("rows", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_rows_are_refused_in_no_time(rows):
    began = time.process_time()
    with pytest.raises((ValueError, TypeError)):
        expressions_of(rows, {})
    assert time.process_time() - began < 10.0, "it ends"
