"""Functions of several states at once: each lane has the bits of the function of one state."""

import ctypes
import math

import numpy as np
import pytest
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import Function, Graph, LinearSystem, compile_functions, compile_in_lanes
from sympact.graph.nodes.operations import CONDITIONS, OPERATIONS

ALONG = ("t", "x", "xdot", "p")
INPUTS, LANES = 3, 8  # of each array
SPECIAL = np.array([0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 1e300])


@pytest.fixture(scope="module", autouse=True)
def _without_cache():
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
        yield


def assert_same_bits(graph, outputs, *several):
    """The function for all columns of inputs at once, and for one after the other; each of `several` is t, x, x', p."""
    function, lanes = Function("f", tuple(outputs), ALONG), several[0][0].shape[1]
    alone, together = compile_functions(graph, [function]), compile_in_lanes(graph, [function], lanes)
    at_once = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(together.address("f"))
    one_by_one = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)(alone.address("f"))
    for inputs in several:
        found, expected = np.zeros((2, function.size, lanes))
        at_once(*(one.ctypes.data for one in inputs), found.ctypes.data)
        for k in range(lanes):
            columns, out = [np.ascontiguousarray(one[:, k]) for one in inputs[1:]], np.zeros(function.size)
            one_by_one(inputs[0][0, k], *(column.ctypes.data for column in columns), out.ctypes.data)
            expected[:, k] = out
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
        numbers = ~np.isnan(found)
        np.testing.assert_array_equal(found.view(np.int64)[numbers], expected.view(np.int64)[numbers])


def leaves(graph):
    return [graph.input("t", 0), *(graph.input(array, i) for array in ALONG[1:] for i in range(INPUTS))]


@st.composite
def operations(draw):
    """Operations one after the other, each with the places of its arguments among the values or conditions before."""
    names = st.sampled_from(sorted(OPERATIONS) + 4 * ["mul", "add", "sub", "mul", "add"])
    return draw(st.lists(st.tuples(names, *[st.integers(0, 1000)] * 3), min_size=3, max_size=60))


@examples(20, 60, operations(), st.sampled_from([4, LANES]), st.integers(0, 10**6))
def test_each_lane_has_the_bits_of_one_state(steps, lanes, seed):
    graph = Graph()
    pools = {"v": [*leaves(graph), graph.const(0.7)], "c": [graph.apply("true", ())]}
    for name, *places in steps:
        kinds = OPERATIONS[name].arguments
        args = tuple(pools[kind][place % len(pools[kind])] for kind, place in zip(kinds, places, strict=False))
        pools["c" if name in CONDITIONS else "v"].append(graph.apply(name, args))
    rng = np.random.default_rng(seed)
    inputs = [np.round(rng.normal(scale=2, size=(n, lanes)), 2) for n in (1, INPUTS, INPUTS, INPUTS)]
    assert_same_bits(graph, pools["v"][-20:], inputs)


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - CONDITIONS - {"select"}))
def test_special_values_come_through(name):
    """All pairs of them."""
    graph, kinds = Graph(), OPERATIONS[name].arguments
    node = graph.apply(name, tuple(graph.input("x", i) for i in range(len(kinds))))
    pairs = [np.array([SPECIAL, np.roll(SPECIAL, shift)]) for shift in range(LANES)]
    assert_same_bits(graph, [node], *([np.zeros((1, LANES)), x, x.copy(), x.copy()] for x in pairs))


def test_loops_are_not_in_lanes():
    """Long functions, and those that solve a linear system."""
    graph = Graph()
    a, b = graph.input("x", 0), graph.input("x", 1)
    assert compile_in_lanes(graph, [Function("f", (), ALONG, (LinearSystem(((a,),), (b,), 0),))], LANES) is None
    node = a
    for _ in range(2500):
        node = graph.add(graph.mul(node, b), a)
    assert compile_in_lanes(graph, [Function("f", (node,), ALONG, groups=(0,))], LANES) is None
