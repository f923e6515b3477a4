"""Tables of graphs: told apart by what they compute, read back the same, and never trusted."""

import copy
import json

import numpy as np
import pytest
from graph_values import SIGNATURE, X, Y, expressions
from quick_members import examples

from sympact.graph import (
    FromSympy,
    Function,
    Graph,
    LinearSystem,
    graph_from_table,
    graph_hash,
    graph_table,
    numpy_function,
)


def example():
    graph = Graph()
    x, y, t = graph.input("x", 0), graph.input("p", 1), graph.input("t", 0)
    angle = graph.call("atan2", graph.sub(x, graph.const(0.1)), y)
    chosen = graph.select(graph.and_(graph.less(x, y), graph.not_(graph.equal(t, y))), angle, graph.const(float("inf")))
    system = LinearSystem(((x,), (y, graph.one)), (t, angle), 2)
    return graph, [Function("f", (chosen, angle), SIGNATURE, (system,)), Function("g", (y,), SIGNATURE)]


def test_table_is_json_and_reads_back_the_same():
    graph, functions = example()
    table = json.loads(json.dumps(graph_table(graph, functions)))
    again, read = graph_from_table(table)
    assert graph_table(again, read) == table
    assert graph_hash(again, read) == graph_hash(graph, functions)
    point = (0.5, [0.3], [0.0, 1.2])
    for before, after in zip(functions, read, strict=True):
        assert (before.name, before.arguments, before.size) == (after.name, after.arguments, after.size)
        np.testing.assert_array_equal(numpy_function(graph, before)(*point), numpy_function(again, after)(*point))


@examples(33, 100, expressions(), expressions())
def test_random_tables_read_back_the_same(first, second):
    graph = Graph()
    read = FromSympy(graph, {X: graph.input("x", 0), Y: graph.input("x", 1)})
    functions = [Function("f", (read(first), read(second)), SIGNATURE)]
    again, functions_again = graph_from_table(graph_table(graph, functions))
    assert graph_hash(again, functions_again) == graph_hash(graph, functions)


@examples(17, 50, expressions(), expressions())
def test_hash_does_not_depend_on_what_was_built_before(first, second):
    hashes = set()
    for order in ([first, second], [second, first], [second, X * Y, first - Y]):
        graph = Graph()
        read = FromSympy(graph, {Y: graph.input("x", 1), X: graph.input("x", 0)})
        for expression in order:
            read(expression)
        hashes.add(graph_hash(graph, [Function("f", (read(first), read(second)), SIGNATURE)]))
    assert len(hashes) == 1


def test_hash_tells_functions_apart():
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    different = [
        Function("f", (graph.sub(x, y),), SIGNATURE),
        Function("g", (graph.sub(x, y),), SIGNATURE),
        Function("f", (graph.sub(y, x),), SIGNATURE),
        Function("f", (graph.add(y, x),), SIGNATURE),
        Function("f", (graph.sub(x, y), x), SIGNATURE),
        Function("f", (graph.sub(x, y),), ("t", "x", "xdot", "p")),
        Function("f", (graph.mul(x, graph.const(0.1)),), SIGNATURE),
        Function("f", (graph.mul(x, graph.const(0.1 + 1e-17)),), SIGNATURE),
        Function("f", (graph.mul(x, graph.const(0.1 + 2e-17)),), SIGNATURE),
    ]
    assert len({graph_hash(graph, [function]) for function in different}) == len(different) - 1


def changed(change):
    table = copy.deepcopy(graph_table(*example()))
    change(table)
    return table


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda table: table.update(format="other"), "expected the format"),
        (lambda table: table.pop("nodes"), "lacks the list 'nodes'"),
        (lambda table: table.update(functions={}), "lacks the list 'functions'"),
        (lambda table: table["nodes"].append(["system", 0]), "no operation 'system'"),
        (lambda table: table["nodes"].append(["add", 0, 10**6]), "expected 2 positions"),
        (lambda table: table["nodes"].append(["add", 0, True]), "expected 2 positions"),
        (lambda table: table["nodes"].insert(0, ["neg", 0]), "expected 1 positions"),
        (lambda table: table["nodes"].append(["sin", 0, 0]), "expected 1 positions"),
        (lambda table: table["nodes"].append(["add", 0, -1]), "expected 2 positions"),
        (lambda table: table["nodes"].append(["not", 0]), "expected 'c'"),
        (lambda table: table["nodes"].append(["const", "__import__('os')"]), "hexadecimal"),
        (lambda table: table["nodes"].append(["const", 1.0]), "hexadecimal"),
        (lambda table: table["nodes"].append(["input", "q", 0]), "not an input"),
        (lambda table: table["nodes"].append(["input", "t", 1]), "not an input"),
        (lambda table: table["nodes"].append(["true", 0]), "no arguments"),
        (lambda table: table["nodes"].append("sin"), "not a list"),
        (lambda table: table["functions"].append("f"), "not a function"),
        (lambda table: table["functions"][0].update(name="os.system"), "not usable"),
        (lambda table: table["functions"][0].update(name=None), "not text"),
        (lambda table: table["functions"][0].update(arguments=["t", "q"]), "arguments are"),
        (lambda table: table["functions"][0].update(outputs=[0, 10**6]), "positions below"),
        (lambda table: table["functions"][0].update(systems=[{}]), "lacks the list 'matrix'"),
        (lambda table: table["functions"][0]["systems"][0].update(offset="2"), "not an index"),
        (lambda table: table["functions"][0]["systems"][0].update(offset=1), "overlap|expected 2"),
    ],
)
def test_faulty_tables_are_refused(change, told):
    with pytest.raises(ValueError, match=told):
        graph_from_table(changed(change))


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match="not a table of a graph"):
        graph_from_table([1, 2])
