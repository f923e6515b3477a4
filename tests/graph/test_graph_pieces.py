"""Long functions in pieces: the bits of one straight line, and code that grows with what is different."""

import ctypes
import math
import re
from functools import cache

import mpmath as mp
import numpy as np
import pytest
from graph_values import call, exact_value
from hypothesis import strategies as st
from quick_members import examples

from sympact import native
from sympact.graph import CHOSEN, Function, Graph, LinearSystem, graph_table
from sympact.graph.code import llvm, loops
from sympact.graph.code.pieces import in_pieces, ordered, used

ALONG = ("t", "x", "xdot", "p")
STATES = 12


@pytest.fixture(scope="module", autouse=True)
def _without_cache():
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
        yield


def both_ways(graph, function, *, size=500):
    """The machine code of a function in pieces, and that of one straight line with the same order of arguments."""
    table = graph_table(graph, [function])
    outputs = [*table["functions"][0]["outputs"], *(n for s in table["functions"][0]["systems"] for n in s["rhs"])]
    outputs += [n for s in table["functions"][0]["systems"] for row in s["matrix"] for n in row]
    same, _ = ordered(table["nodes"], used(table["nodes"], outputs))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(loops, "_SIZE", size)
        texts = [
            llvm.emit(table, [function.groups], straight=-1),
            llvm.emit({**table, "nodes": same}, straight=math.inf),
        ]
    return [native.load(text, key=text, level=1, passes=False) for text in texts], texts


def steps(most):
    """Operations to be done one after the other, on any three of the values before each."""
    ops = st.sampled_from(["mul", "mul", "add", "add", "sub", "neg", "div", "sqrt", "sin", "cos", "select"])
    return st.lists(st.tuples(ops, *[st.integers(0, 1000)] * 3), min_size=3, max_size=most)


def grown(graph, values, steps):
    """The values, and those of the steps."""
    values = list(values)
    for op, *places in steps:
        a, b, c = (values[place % len(values)] for place in places)
        if op in ("mul", "add", "sub", "div"):
            values.append(getattr(graph, op)(a, b))
        elif op == "neg":
            values.append(graph.neg(a))
        elif op == "select":
            values.append(graph.select(graph.and_(graph.less(a, b), graph.less_equal(b, c)), c, a))
        else:
            values.append(graph.call(op, a))
    return values


@examples(
    14,
    150,
    common=steps(20),
    own=steps(40),
    parts=st.integers(1, 4),
    stored=st.lists(st.integers(0, 1000), min_size=1, max_size=6),
    further=st.lists(st.integers(0, 1000), max_size=3),
    system=st.booleans(),
    known=st.booleans(),
    size=st.sampled_from([1, 3, 10, 500]),
    seed=st.integers(0, 1000),
)
def test_pieces_have_the_bits_of_a_straight_line(common, own, parts, stored, further, system, known, size, seed):
    """The same random steps for several parts, each with inputs of its own, on values that they share."""
    graph = Graph()
    inputs = [graph.input("t", 0), *(graph.input(array, i) for array in ("x", "xdot", "p") for i in range(2))]
    shared = grown(graph, [*inputs, graph.const(0.7)], common)
    each = [
        grown(graph, [*(graph.input("x", 2 + 3 * k + i) for i in range(3)), graph.const(k - 0.5), *shared], own)
        for k in range(parts)
    ]
    outputs = [values[place % len(values)] for values in each for place in stored]
    groups = [k for k in range(parts) for _ in stored] + [-1] * len(further)
    outputs += [shared[place % len(shared)] for place in further]
    a, b, c, d, e = each[0][-5:]
    systems = (LinearSystem(((a,), (b, c)), (d, e), len(outputs)),) if system else ()
    function = Function("f", tuple(outputs), ALONG, systems, tuple(groups) if known else ())
    codes, _ = both_ways(graph, function, size=size)
    rng = np.random.default_rng(seed)
    arguments = [0.3, *(rng.normal(size=2 + 3 * parts) for _ in range(3))]
    np.testing.assert_array_equal(*(call(code, "f", function.size, *arguments) for code in codes))


def pairs(n, *, swapped=False):
    """Distances of n bodies in the plane from each other and their rates, for each pair a group; angles as well."""
    graph = Graph()
    x, y, v, w = ([graph.input("x", k * n + i) for i in range(n)] for k in range(4))
    arms = [graph.mul(graph.input("p", i), graph.call("sin", x[i])) for i in range(n)]
    outputs, groups = [], []
    for number, pair in enumerate((i, j) for i in range(n) for j in range(i)):
        i, j = reversed(pair) if swapped and number % 2 else pair
        dx, dy = graph.sub(x[i], x[j]), graph.sub(y[i], y[j])
        distance = graph.call("sqrt", graph.add(graph.mul(dx, dx), graph.mul(dy, dy)))
        rate = graph.add(graph.mul(dx, graph.sub(v[i], v[j])), graph.mul(dy, graph.sub(w[i], w[j])))
        outputs += [graph.sub(distance, graph.const(0.1 * number)), graph.div(rate, distance)]
        outputs += [graph.mul(graph.mul(arms[i], arms[j]), distance), graph.zero, graph.one]
        groups += [number] * 5
    return graph, Function("pairs", tuple(outputs), ("t", "x", "p"), groups=tuple(groups))


@pytest.mark.parametrize("swapped", [False, True])
def test_pairs_agree_with_mpmath_and_with_a_straight_line(swapped):
    graph, function = pairs(6, swapped=swapped)
    rng = np.random.default_rng(1)
    x, p = rng.normal(size=24), rng.normal(size=6)
    (pieces, straight), _ = both_ways(graph, function)
    found = call(pieces, "pairs", function.size, 0.0, x, p)
    assert found.tobytes() == call(straight, "pairs", function.size, 0.0, x, p).tobytes()
    inputs = {("x", i): a for i, a in enumerate(x)} | {("p", i): a for i, a in enumerate(p)}
    with mp.workdps(40):
        exact = [float(exact_value(graph, node, inputs)) for node in function.outputs]
    np.testing.assert_allclose(found, exact, rtol=1e-13, atol=1e-14)


@cache
def six_pairs():
    """The pairs of six bodies, and their machine code in pieces and in one straight line."""
    graph, function = pairs(6)
    (pieces, straight), _ = both_ways(graph, function)
    return function, pieces, straight


@examples(33, 100, chosen=st.lists(st.booleans(), min_size=15, max_size=15), seed=st.integers(0, 1000))
def test_chosen_groups_have_the_bits_of_all_and_others_keep_what_they_have(chosen, seed):
    """Outputs that are always zero are written in no chosen group; the first pair has operations of its own."""
    function, pieces, straight = six_pairs()
    rng = np.random.default_rng(seed)
    x, p = rng.normal(size=24), rng.normal(size=6)
    whole = call(pieces, "pairs", function.size, 0.0, x, p).reshape(15, 5)
    out, flags = np.full((15, 5), np.pi), np.array(chosen, dtype=np.int64)
    arguments = (array.ctypes.data_as(ctypes.c_void_p) for array in (x, p, out, flags))
    ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)(pieces.address("pairs" + CHOSEN))(0.0, *arguments)
    assert (out[:, 3] == np.pi).all()
    written, kept = np.delete(out, 3, 1), np.delete(whole, 3, 1)
    assert written[flags == 1].tobytes() == kept[flags == 1].tobytes()
    passed_over = written[1:][flags[1:] == 0]
    assert (passed_over == np.pi).all()
    assert straight.find("pairs" + CHOSEN) == 0


def instructions(text):
    return sum(" = f" in line or " call " in line for line in text.splitlines())


def test_pairs_are_written_once():
    """Ten times the pairs have the same operations; only their sines and what depends on one body alone grow."""
    small, large = (instructions(both_ways(*pairs(n))[1][0]) for n in (5, 15))
    assert large <= small + 2 * 10


def test_equal_parts_without_groups_are_found():
    """Bodies that have nothing in common but parameters: a loop for all of them."""
    graph, outputs = Graph(), []
    square = graph.mul(graph.input("p", 0), graph.input("p", 0))
    for i in range(7):
        a, b = graph.input("x", 2 * i), graph.input("x", 2 * i + 1)
        product = graph.mul(graph.add(a, b), square)
        outputs += [graph.div(product, a), graph.sub(product, b)]
    table = graph_table(graph, [Function("f", tuple(outputs), ("t", "x", "p"))])
    needed = table["functions"][0]["outputs"]
    rows, rank = ordered(table["nodes"], used(table["nodes"], needed))
    repeats = in_pieces(rows, rank, list(zip(needed, range(14), strict=True)), None, 500)
    assert [repeat.places for repeat in repeats] == [1, 7]


def test_the_result_of_pieces_may_overwrite_the_state():
    graph = Graph()
    state = [graph.input("x", i) for i in range(STATES)]
    function = Function("turned", (*state[1:], state[0]), ("t", "x", "p"))
    (code, _), texts = both_ways(graph, function, size=5)
    assert re.search(r"phi i64", texts[0])

    x = np.arange(float(STATES))
    where = x.ctypes.data_as(ctypes.c_void_p)
    ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(code.address("turned"))(0.0, where, None, where)
    np.testing.assert_array_equal(x, [*range(1, STATES), 0])


def test_groups_that_do_not_fit_the_outputs_are_refused():
    with pytest.raises(ValueError, match=r"there are 1 groups for 2 outputs; expected one for each"):
        Function("f", (0, 1), ("t", "x", "p"), groups=(0,))
