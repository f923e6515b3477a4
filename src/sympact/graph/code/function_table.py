"""Graphs as plain tables: the form in which they are stored, identified and compiled.

The table contains only the nodes that the functions use, numbered by its own contents, so that two graphs of the same
operations have the same table, whatever else they contain and in whichever order they were built.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from sympact.graph.nodes.expression import ARRAYS, Graph
from sympact.graph.nodes.function import Function, LinearSystem
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS, OPERATIONS
from sympact.graph.nodes.size import reachable

__all__ = ["graph_from_table", "graph_hash", "graph_table", "table_hash"]

_FORMAT = "sympact graph 1"
_HEX = re.compile(r"-?(0x[01](\.[0-9a-f]+)?p[+-][0-9]+|inf)|nan")


def graph_table(graph: Graph, functions: Sequence[Function]) -> dict:
    """The nodes that the functions use and the functions themselves, as lists, strings and ints.

    A node is ``[operation, argument, ...]`` with positions in the list of nodes as arguments; constants are hexadecimal
    strings (`float.hex`), inputs ``["input", array, index]``.

    Examples
    --------
    >>> graph = Graph()
    >>> double = graph.mul(graph.const(2), graph.input("x", 0))
    >>> graph_table(graph, [Function("double", (double,), ("t", "x", "p"))])["nodes"]
    [['const', '0x1.0000000000000p+1'], ['input', 'x', 0], ['mul', 0, 1]]
    """
    outputs = [node for function in functions for node in function.nodes]
    arguments = _canonical_arguments(graph, outputs)
    position: dict[Node, int] = {}
    rows: list[list] = []
    for node in _in_order_of_use(arguments, outputs):
        position[node] = len(rows)
        if graph.ops[node] == "const":
            row = ["const", graph.args[node][0].hex()]
        elif graph.ops[node] == "input":
            row = ["input", *graph.args[node]]
        else:
            row = [graph.ops[node], *(position[arg] for arg in arguments[node])]
        rows.append(row)
    return {
        "format": _FORMAT,
        "nodes": rows,
        "functions": [_function_row(function, position) for function in functions],
    }


def graph_hash(graph: Graph, functions: Sequence[Function]) -> str:
    """SHA-256 (64 hexadecimal digits) of the operations of the functions."""
    return table_hash(graph_table(graph, functions))


def table_hash(table: dict) -> str:
    """SHA-256 of a table, as `graph_hash`."""
    return hashlib.sha256(json.dumps(table, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def graph_from_table(table: dict) -> tuple[Graph, list[Function]]:
    """The graph and the functions of a table; nothing in it is evaluated.

    Raises
    ------
    ValueError
        If the table is not of the form `graph_table` writes; the message names the first fault.
    """
    if not isinstance(table, dict) or table.get("format") != _FORMAT:
        raise ValueError(f"this is not a table of a graph: expected the format {_FORMAT!r}")
    graph = Graph()
    nodes: list[Node] = []
    for number, row in enumerate(_list(table, "nodes")):
        fault = _row_fault(graph, row, nodes)
        if fault:
            raise ValueError(f"node {number} of the table cannot be read: {fault}")
        op, *args = row
        if op == "const":
            args = [float.fromhex(args[0])]
        elif op != "input":
            args = [nodes[arg] for arg in args]
        nodes.append(graph.apply(op, tuple(args)))
    return graph, [_read_function(row, nodes) for row in _list(table, "functions")]


def _canonical_arguments(graph: Graph, outputs: Iterable[Node]) -> dict[Node, tuple[Node, ...]]:
    """The arguments of every node in use; exchangeable ones ordered by a digest of their contents."""
    digests: dict[Node, bytes] = {}
    arguments: dict[Node, tuple[Node, ...]] = {}
    for node in reachable(graph, outputs):
        op, args = graph.ops[node], graph.children(node)
        if op in OPERATIONS and OPERATIONS[op].commutative:
            args = tuple(sorted(args, key=digests.__getitem__))
        arguments[node] = args
        own = repr(graph.args[node]) if not args else ""
        content = f"{op} {own} ".encode() + b"".join(digests[arg] for arg in args)
        digests[node] = hashlib.sha256(content).digest()
    return arguments


def _in_order_of_use(arguments: dict[Node, tuple[Node, ...]], outputs: Iterable[Node]) -> list[Node]:
    """The nodes, each after its arguments and as late as its first use permits."""
    order: list[Node] = []
    done: set[Node] = set()
    for output in outputs:
        waiting = [output]
        while waiting:
            top = waiting[-1]
            missing = [arg for arg in arguments[top] if arg not in done]
            if top in done or not missing:
                waiting.pop()
                if top not in done:
                    done.add(top)
                    order.append(top)
            else:
                waiting += reversed(missing)
    return order


def _function_row(function: Function, position: dict[Node, int]) -> dict:
    def at(nodes: Iterable[Node]) -> list[int]:
        return [position[node] for node in nodes]

    return {
        "name": function.name,
        "arguments": list(function.arguments),
        "outputs": at(function.outputs),
        "systems": [
            {"matrix": [at(row) for row in system.matrix], "rhs": at(system.rhs), "offset": system.offset}
            for system in function.systems
        ],
    }


def _row_fault(graph: Graph, row: object, nodes: list[Node]) -> str | None:
    """The fault of a row that follows the given nodes, or None."""
    if not isinstance(row, list) or not row or not isinstance(row[0], str):
        return f"{row!r} is not a list that starts with an operation"
    op, *args = row
    if op in ("true", "false"):
        return None if not args else f"{op} takes no arguments"
    if op == "const":
        number = len(args) == 1 and isinstance(args[0], str) and _HEX.fullmatch(args[0])
        return None if number else f"{args} is not one hexadecimal number"
    if op == "input":
        good = len(args) == 2 and args[0] in ARRAYS and _is_index(args[1], math.inf)
        return None if good and (args[0] != "t" or args[1] == 0) else f"{args} is not an input"
    if op not in OPERATIONS:
        return f"there is no operation {op!r}"
    kinds = OPERATIONS[op].arguments
    if len(args) != len(kinds) or not all(_is_index(arg, len(nodes)) for arg in args):
        return f"{op} has the arguments {args}, expected {len(kinds)} positions of nodes before it"
    given = "".join("c" if graph.ops[nodes[arg]] in CONDITIONS else "v" for arg in args)
    return None if given == kinds else f"{op} has arguments of the kinds {given!r}, expected {kinds!r}"


def _read_function(row: object, nodes: list[Node]) -> Function:
    if not isinstance(row, dict):
        raise ValueError(f"{row!r} in the table is not a function")
    name = row.get("name")
    arguments = _list(row, "arguments")
    if not isinstance(name, str) or not all(isinstance(argument, str) for argument in arguments):
        raise ValueError(f"the name {name!r} and arguments {arguments!r} of a function in the table are not text")
    systems = [
        LinearSystem(
            tuple(_nodes(matrix_row, nodes) for matrix_row in _list(system, "matrix")),
            _nodes(_list(system, "rhs"), nodes),
            _index(system.get("offset")),
        )
        for system in _list(row, "systems")
    ]
    return Function(name, _nodes(_list(row, "outputs"), nodes), tuple(arguments), tuple(systems))


def _list(row: object, key: str) -> list:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, list):
        raise ValueError(f"the table of a graph lacks the list {key!r}")
    return value


def _nodes(positions: object, nodes: list[Node]) -> tuple[Node, ...]:
    if not isinstance(positions, list) or not all(_is_index(position, len(nodes)) for position in positions):
        raise ValueError(f"{positions!r} in the table is not a list of positions below {len(nodes)}")
    return tuple(nodes[position] for position in positions)


def _index(value: Any) -> int:
    if not _is_index(value, math.inf):
        raise ValueError(f"{value!r} in the table is not an index")
    return value


def _is_index(value: object, end: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < end
