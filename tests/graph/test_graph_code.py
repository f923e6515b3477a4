"""Machine code and NumPy agree with mpmath, with each other where values are not finite, and with numpy.linalg."""

import ctypes
import gc
import itertools
import math
import subprocess
import sys

import mpmath as mp
import numpy as np
import pytest
from graph_values import SIGNATURE, X, Y, call, exact_value, expressions, rounding_error, values
from hypothesis import assume
from hypothesis import strategies as st
from quick_members import examples

from sympact.graph import (
    FromSympy,
    Function,
    Graph,
    LinearSystem,
    compile_functions,
    graph_from_table,
    graph_table,
    numpy_function,
    numpy_source,
)
from sympact.graph.algebra.linear import ldl_solve
from sympact.graph.code import llvm
from sympact.graph.nodes.operations import FUNCTIONS


@pytest.fixture(scope="module", autouse=True)
def _without_cache():
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
        yield


def executed(graph, function):
    """The function that the NumPy text defines."""
    space = {"np": np, "math": math}
    exec(numpy_source(graph, function), space)
    return np.errstate(all="ignore")(space[function.name])


@examples(20, 60, expressions(), expressions(), values(), values())
def test_machine_code_and_numpy_agree_with_mpmath(first, second, x, y):
    """Within 1e-13, and 30 times what rounding does to the same operations where terms cancel."""
    graph = Graph()
    read = FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("p", 0)})
    function = Function("f", (read(first), read(second)), SIGNATURE)
    inputs = {("x", 0): x, ("p", 0): y}
    with mp.workdps(50):
        expected = np.array([float(exact_value(graph, node, inputs)) for node in function.outputs])
    tolerance = [30 * rounding_error(graph, node, inputs) for node in function.outputs] + 1e-13 * np.abs(expected)
    assume((tolerance <= 1e-6 * (1 + np.abs(expected))).all())
    for found in (
        call(compile_functions(graph, [function]), "f", 2, 0.0, [x], [y]),
        numpy_function(graph, function)(0.0, [x], [y]),
    ):
        assert (np.abs(found - expected) <= tolerance).all()


@examples(20, 60, expressions(), expressions(), values(), values())
def test_text_for_reading_computes_what_numpy_computes(first, second, x, y):
    graph = Graph()
    read = FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("t", 0)})
    function = Function("f", (read(first), read(second)), SIGNATURE)
    found = executed(graph, function)(np.float64(y), np.array([x]), np.array([]))
    np.testing.assert_array_equal(found, numpy_function(graph, function)(y, [x], []))


SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -1.0, 1.0, 0.3, -2.7]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values_come_through(name):
    """NaN stays NaN, infinities and arguments outside a domain give what NumPy gives."""
    graph = Graph()
    count = len(FUNCTIONS[name].arguments)
    node = graph.call(name, *(graph.input("x", index) for index in range(count)))
    code = compile_functions(graph, [Function("f", (node,), SIGNATURE)])
    reference = numpy_function(graph, Function("f", (node,), SIGNATURE))
    for arguments in itertools.product(SPECIAL, repeat=count):
        found, expected = call(code, "f", 1, 0.0, arguments, []), reference(0.0, arguments, [])
        np.testing.assert_allclose(found, expected, rtol=1e-14, err_msg=f"{name}{arguments}")


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div", "less", "below", "less_equal", "equal"])
def test_special_values_in_arithmetic_and_comparisons(operation):
    graph = Graph()
    node = graph.apply(operation, (graph.input("x", 0), graph.input("x", 1)))
    if operation in ("less", "below", "less_equal", "equal"):
        node = graph.select(graph.not_(node), graph.one, graph.const(2))
    function = Function("f", (node,), SIGNATURE)
    code, reference = compile_functions(graph, [function]), numpy_function(graph, function)
    for arguments in itertools.product(SPECIAL, repeat=2):
        np.testing.assert_array_equal(call(code, "f", 1, 0.0, arguments, []), reference(0.0, arguments, []))


def test_constants_without_finite_value():
    graph = Graph()
    nodes = (graph.div(graph.one, graph.zero), graph.call("log", graph.const(-1)), graph.const(math.inf))
    function = Function("f", nodes, SIGNATURE)
    for found in (
        call(compile_functions(graph, [function]), "f", 3, 0.0, [], []),
        executed(graph, function)(0.0, [], []),
    ):
        np.testing.assert_array_equal(found, [math.inf, math.nan, math.inf])


def test_arguments_of_both_signatures():
    graph = Graph()
    t, x, p, rate = (graph.input(array, index) for array, index in (("t", 0), ("x", 1), ("p", 2), ("xdot", 1)))
    short = Function("short", (t, x, p), ("t", "x", "p"))
    long = Function("long", (rate, p, t, graph.one), ("t", "x", "xdot", "p"))
    code = compile_functions(graph, [short, long])
    x, xdot, p = [1.0, 2.0], [3.0, 4.0], [5.0, 6.0, 7.0]
    assert call(code, "short", 3, 0.5, x, p).tolist() == [0.5, 2.0, 7.0]
    assert call(code, "long", 4, 0.5, x, xdot, p).tolist() == [4.0, 7.0, 0.5, 1.0]
    assert numpy_function(graph, long)(0.5, x, xdot, p).tolist() == [4.0, 7.0, 0.5, 1.0]


def test_result_may_overwrite_the_state():
    """Three numbers in a circle, and a linear system, written over the state they are computed from."""
    graph = Graph()
    a, b, c = (graph.input("x", index) for index in range(3))
    systems = (LinearSystem(((graph.const(2),),), (a,), 3),)
    code = compile_functions(graph, [Function("turn", (b, c, a), SIGNATURE, systems)])
    state = np.array([1.0, 2.0, 3.0, 0.0])
    pointer = state.ctypes.data_as(ctypes.c_void_p)
    ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(code.address("turn"))(
        0.0, pointer, pointer, pointer
    )
    assert state.tolist() == [2.0, 3.0, 1.0, 0.5]


def test_numpy_works_along_further_axes():
    graph = Graph()
    x, y, t = graph.input("x", 0), graph.input("x", 1), graph.input("t", 0)
    rows = ((graph.add(graph.const(3), graph.mul(x, x)),), (y, graph.const(2)))
    function = Function("f", (graph.one, graph.mul(t, y)), SIGNATURE, (LinearSystem(rows, (x, graph.one), 2),))
    generator = np.random.default_rng(1)
    times, states = generator.normal(size=(5, 3)), generator.uniform(-1, 1, size=(2, 5, 3))
    for f in (numpy_function(graph, function), executed(graph, function)):
        found = f(times, states, np.zeros((0,)))
        assert found.shape == (4, 5, 3)
        for index in np.ndindex(5, 3):
            alone = numpy_function(graph, function)(times[index], states[(slice(None), *index)], [])
            np.testing.assert_allclose(found[(slice(None), *index)], alone, rtol=1e-14)


def system_of(graph, n, offset=0):
    """A linear system whose lower triangle stands in x, row by row, and whose right-hand side stands in p."""
    places = itertools.count()
    rows = tuple(tuple(graph.input("x", next(places)) for _ in range(i + 1)) for i in range(n))
    return LinearSystem(rows, tuple(graph.input("p", i) for i in range(n)), offset)


def numbers_of(n, seed):
    generator = np.random.default_rng(seed)
    a = generator.normal(size=(n, n))
    return a @ a.T + np.eye(n), generator.normal(size=n)


@examples(7, 20, st.integers(1, 13), st.integers(0, 10**6))
def test_looped_solution_agrees_with_the_unrolled_one_and_lapack(n, seed):
    """The condition of these matrices takes at most three digits of sixteen."""
    graph = Graph()
    system = system_of(graph, n, offset=1)
    unrolled = (graph.one, *ldl_solve(graph, system.matrix, system.rhs))
    functions = [Function("looped", (graph.one,), SIGNATURE, (system,)), Function("unrolled", unrolled, SIGNATURE)]
    code = compile_functions(graph, functions)
    matrix, rhs = numbers_of(n, seed)
    lower = matrix[np.tril_indices(n)]
    expected = [1.0, *np.linalg.solve(matrix, rhs)]
    for name in ("looped", "unrolled"):
        np.testing.assert_allclose(call(code, name, n + 1, 0.0, lower, rhs), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(numpy_function(graph, functions[0])(0.0, lower, rhs), expected, rtol=1e-10, atol=1e-12)


def test_several_systems_in_one_function():
    graph = Graph()
    systems = system_of(graph, 3, offset=0), system_of(graph, 5, offset=3)
    code = compile_functions(graph, [Function("f", (), SIGNATURE, systems)])
    matrix, rhs = numbers_of(5, 1)
    lower = matrix[np.tril_indices(5)]
    expected = [*np.linalg.solve(matrix[:3, :3], rhs[:3]), *np.linalg.solve(matrix, rhs)]
    np.testing.assert_allclose(call(code, "f", 8, 0.0, lower, rhs), expected, rtol=1e-12)


@pytest.mark.parametrize("pivot", range(6))
@pytest.mark.parametrize("value", [0.0, -2.0, math.nan])
def test_looped_solution_does_not_hide_a_pivot_that_is_not_positive(pivot, value):
    """All unknowns that depend on the pivot are NaN; here, with a full right-hand side, at least the one in its row."""
    graph = Graph()
    code = compile_functions(graph, [Function("f", (), SIGNATURE, (system_of(graph, 6),))])
    matrix = np.eye(6)
    matrix[pivot, pivot] = value
    found = call(code, "f", 6, 0.0, matrix[np.tril_indices(6)], np.ones(6))
    assert np.isnan(found[pivot])


def test_functions_without_results():
    graph = Graph()
    function = Function("f", (), SIGNATURE, (LinearSystem((), (), 0),))
    assert call(compile_functions(graph, [function]), "f", 0, 0.0, [], []).shape == (0,)
    assert numpy_function(graph, function)(0.0, [], []).shape == (0,)
    assert executed(graph, function)(0.0, [], []).shape == (0,)


def test_code_is_kept_on_disk_by_what_it_computes(tmp_path, monkeypatch):
    """The second graph has other nodes, in another order; nothing is emitted for it."""
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))

    def code(*first):
        graph = Graph()
        for index in first:
            graph.call("exp", graph.input("x", index))
        x, y = graph.input("x", 0), graph.input("x", 1)
        return compile_functions(graph, [Function("f", (graph.mul(graph.call("sin", x), y),), SIGNATURE)])

    expected = call(code(), "f", 1, 0.0, [1.0, 2.0], [])
    gc.collect()
    monkeypatch.setattr(llvm, "emit", lambda table: pytest.fail("emitted again"))
    assert call(code(7, 1, 0), "f", 1, 0.0, [1.0, 2.0], []) == expected


def test_bits_do_not_depend_on_the_numbering_of_nodes():
    """A sum of products, in which the order of terms decides what is contracted."""

    def value(order, point):
        graph = Graph()
        for index in order:
            graph.input("x", index)
        x = [graph.input("x", index) for index in range(4)]
        node = graph.add(graph.mul(x[0], x[1]), graph.mul(x[2], x[3]))
        return call(compile_functions(graph, [Function("f", (node,), SIGNATURE)]), "f", 1, 0.0, point, [])[0]

    for point in np.random.default_rng(5).normal(size=(20, 4)):
        assert len({value(order, point) for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1])}) == 1


def test_loading_needs_neither_sympy_nor_numba(tmp_path):
    program = (
        "import sys\n"
        "from sympact.graph import Function, Graph, compile_functions\n"
        "graph = Graph()\n"
        "compile_functions(graph, [Function('f', (graph.one,), ('t', 'x', 'p'))]).address('f')\n"
        "assert not {'numba', 'sympy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"SYMPACT_CACHE_DIR": str(tmp_path)})


def test_faults_of_functions_are_named():
    graph = Graph()
    x, rate = graph.input("x", 0), graph.input("xdot", 0)
    f = Function("f", (x,), SIGNATURE)
    with pytest.raises(ValueError, match="several functions have the same name: f"):
        compile_functions(graph, [f, f])
    with pytest.raises(ValueError, match=r"'f' uses the input xdot\[0\], but its arguments are t, x, p"):
        compile_functions(graph, [Function("f", (rate,), SIGNATURE)])
    with pytest.raises(ValueError, match="'f' has a condition among its outputs"):
        compile_functions(graph, [Function("f", (graph.less(x, rate),), ("t", "x", "xdot", "p"))])


@pytest.mark.parametrize("name", ["", "1f", "a-b", "sin", 'f"', "f\n", "ldl_solve"])
def test_names_that_are_no_symbols_are_refused(name):
    with pytest.raises(ValueError, match="is not usable; expected letters"):
        Function(name, (), SIGNATURE)


def test_all_faults_of_a_function_are_told_at_once():
    system = LinearSystem(((0,),), (0,), offset=5)
    with pytest.raises(ValueError, match=r"name '2'.*arguments are \('q',\).*writes from entry 5; expected 1"):
        Function("2", (0,), ("q",), (system,))


def test_rows_of_a_linear_system_are_a_triangle():
    with pytest.raises(ValueError, match=r"lengths \[2, 2\], expected \[1, 2\]"):
        LinearSystem(((0, 0), (0, 0)), (0, 0), 0)


def test_what_is_held_is_its_value():
    graph = Graph()
    x = graph.input("x", 0)
    function = Function("f", (graph.add(x, graph.held(graph.mul(x, x))),), SIGNATURE)
    code, again = compile_functions(graph, [function]), graph_from_table(graph_table(graph, [function]))
    for found in (call(code, "f", 1, 0.0, [3.0], []), numpy_function(*again[:1], again[1][0])(0.0, [3.0], [])):
        assert found.tolist() == [12.0]
    assert executed(graph, function)(0.0, [3.0], []).tolist() == [12.0]
