"""Expressions of any depth and width: read, differentiated and compiled, in time that grows with them."""

import math
import sys
import time

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import HybridModel, HybridSystem
from sympact.graph import Function, Graph, compile_functions, depth_is_known, numpy_function
from sympact.graph.code.llvm import _STRAIGHT

SIGNATURE = ("t", "x", "p")


def sum_of_sines(n):
    """sum sin(k x + k)/k and its graph."""
    graph = Graph()
    x = graph.input("x", 0)
    angles = [graph.mul(graph.const(k), graph.add(x, graph.one)) for k in range(1, n + 1)]
    terms = [graph.mul(graph.const(1 / k), graph.call("sin", angle)) for k, angle in enumerate(angles, 1)]
    return graph, Function("sum", (graph.sum(terms),), SIGNATURE)


def called(code, x):
    import ctypes

    vector = ctypes.c_double * 1
    out = vector()
    ctypes.CFUNCTYPE(None, ctypes.c_double, vector, vector, vector)(code.address("sum"))(0.0, vector(x), vector(), out)
    return out[0]


@pytest.mark.parametrize("n", [_STRAIGHT // 8, _STRAIGHT])
def test_sums_of_many_sines_are_right_on_both_sides_of_the_number_where_code_is_written_in_pieces(n, monkeypatch):
    monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
    graph, function = sum_of_sines(n)
    truth = math.fsum(math.sin(k * 1.3) / k for k in range(1, n + 1))
    assert called(compile_functions(graph, [function]), 0.3) == pytest.approx(truth, abs=1e-13)
    assert numpy_function(graph, function)(0.0, np.array([0.3]), np.zeros(0))[0] == pytest.approx(truth, abs=1e-13)


@pytest.mark.slow
def test_the_time_to_compile_grows_with_the_number_of_sines(monkeypatch):
    """The code is that of the sums above.

    CPU time, four times the sines in at most ten times the time; with the square it would be sixteen.
    """
    monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")

    def cost(n):
        graph, function = sum_of_sines(n)
        began = time.thread_time()
        compile_functions(graph, [function])
        return time.thread_time() - began

    assert cost(4400) < 10 * cost(1100)


def nested(letter, levels):
    """sin(sin(... + 1/10) + 1/10), which SymPy itself would take minutes to look at with ``evaluate=True``."""
    inner = letter
    for _ in range(levels):
        inner = sm.sin(sm.Add(inner, sm.Rational(1, 10), evaluate=False), evaluate=False)
    return inner


def test_a_load_of_a_thousand_levels():
    frame, origin, point = ReferenceFrame("N"), Point("O"), Point("P")
    q, u = dynamicsymbols("q u")
    point.set_pos(origin, q * frame.x)
    origin.set_vel(frame, 0)
    point.set_vel(frame, u * frame.x)
    system = System(frame, origin)
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff())
    system.add_bodies(Particle("P", point, 1))
    system.add_loads(Force(point, nested(q, 1000) * frame.x))
    model = HybridModel(system, [])
    x, force = 0.2, 0.2
    for _ in range(1000):
        force = math.sin(force + 0.1)
    assert model.compile().flow(0.0, np.array([x, 0.0]), np.zeros(0))[1] == pytest.approx(force, abs=1e-13)


def test_a_flow_of_a_thousand_levels():
    y = sm.Symbol("y")
    process = HybridSystem.from_sympy({"a": [nested(y, 1000)]}, [], states=[y])
    result = process.simulate((0.0, 0.01), [0.2], start="a")
    assert result.x[0, -1] > 0.2


def test_where_sympy_itself_cannot_follow_there_is_a_sentence():
    def follow(level):
        return follow(level + 1)

    sentence = f"an expression of the model is nested deeper.*limit of {sys.getrecursionlimit()} calls; raise it with"
    with pytest.raises(ValueError, match=sentence), depth_is_known("the model"):
        follow(0)
