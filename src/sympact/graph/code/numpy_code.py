"""Functions of a graph in NumPy: to read, and as a second opinion on the machine code."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function, LinearSystem
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import ELEMENTARY, LEAVES
from sympact.graph.nodes.size import reachable

__all__ = ["numpy_function", "numpy_source"]

_WIDE = 90  # an expression longer than this gets a line of its own
_SUM, _PRODUCT, _MINUS, _ATOM = range(4)  # the precedence of an expression


def numpy_function(graph: Graph, function: Function) -> Callable[..., np.ndarray]:
    """The function in NumPy, evaluated node by node.

    Returns
    -------
    callable
        Takes the function's arguments: t a number or an array of any shape, the others arrays whose first axis is the
        index and whose further axes broadcast with that shape. Returns an array of shape (size, ...).

    Examples
    --------
    >>> graph = Graph()
    >>> square = graph.ipow(graph.input("x", 0), 2)
    >>> f = numpy_function(graph, Function("square", (square,), ("t", "x", "p")))
    >>> f(0.0, [3.0], [])
    array([9.])
    >>> f(0.0, [[1.0, 2.0, 3.0]], [])
    array([[1., 4., 9.]])
    """
    order = reachable(graph, function.nodes)
    places = {node: place for place, node in enumerate(order)}
    wanted = {node: places[node] for node in function.nodes}
    inputs = [(places[node], *graph.args[node]) for node in order if graph.ops[node] == "input"]
    constants = [_constant(graph, node) for node in order]
    steps = [
        (places[node], _EVALUATE[graph.ops[node]], [places[arg] for arg in graph.args[node]])
        for node in order
        if graph.ops[node] not in LEAVES
    ]

    def evaluate(*arguments: float | Sequence | np.ndarray) -> np.ndarray:
        given = dict(zip(function.arguments, (np.asarray(a, dtype=float) for a in arguments), strict=True))
        given["t"] = given["t"][np.newaxis]
        values = constants.copy()
        for place, name, index in inputs:
            values[place] = given[name][index]
        with np.errstate(all="ignore"):
            for place, operation, args in steps:
                if len(args) == 2:
                    values[place] = operation(values[args[0]], values[args[1]])
                else:
                    values[place] = operation(*(values[arg] for arg in args))
            return _result(function, {node: values[place] for node, place in wanted.items()})

    return evaluate


def _constant(graph: Graph, node: Node) -> Any:
    """The value of a node that is none of the inputs and depends on none; None for others, which steps replace."""
    op = graph.ops[node]
    if op == "const":
        return np.float64(graph.args[node][0])
    return np.bool_(op == "true") if op in LEAVES and op != "input" else None


def _result(function: Function, values: dict[Node, np.ndarray]) -> np.ndarray:
    parts = [values[node] for node in function.outputs]
    for system in filter(len, function.systems):
        matrix = [[values[node] for node in row] for row in system.matrix]
        parts += _solve(matrix, [values[node] for node in system.rhs])
    return np.stack(np.broadcast_arrays(*parts)) if parts else np.empty(0)


def _solve(lower: list[list[np.ndarray]], rhs: list[np.ndarray]) -> list[np.ndarray]:
    """Solve the symmetric systems whose entries are stacked along the trailing axes."""
    n = len(rhs)
    full = [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    entries = np.broadcast_arrays(*(entry for row in full for entry in row), *rhs)
    stacked = np.stack(entries, axis=-1)
    matrix, vector = stacked[..., : n * n].reshape(*stacked.shape[:-1], n, n), stacked[..., n * n :]
    return list(np.moveaxis(np.linalg.solve(matrix, vector[..., np.newaxis])[..., 0], -1, 0))


def numpy_source(graph: Graph, function: Function) -> str:
    """The function as Python text, one assignment for each shared part.

    It needs ``import math`` and ``import numpy as np``; the first axis of the arrays x, xdot and p is the index.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> sine = graph.call("sin", x)
    >>> print(numpy_source(graph, Function("f", (sine, graph.div(sine, graph.add(sine, x))), ("t", "x", "p"))))
    def f(t, x, p):
        v0 = np.sin(x[0])
        return np.stack(np.broadcast_arrays(v0, v0 / (x[0] + v0)))
    """
    order = reachable(graph, function.nodes)
    uses = Counter(child for node in order for child in graph.children(node)) + Counter(function.nodes)
    texts: dict[Node, tuple[str, int]] = {}
    lines, assigned = [], 0
    for node in order:
        text, binding = _text(graph, node, texts)
        if graph.ops[node] not in LEAVES and (uses[node] > 1 or len(text) > _WIDE):
            lines.append(f"v{assigned} = {text}")
            text, binding, assigned = f"v{assigned}", _ATOM, assigned + 1
        texts[node] = text, binding
    parts = [texts[node][0] for node in function.outputs]
    for number, system in enumerate(filter(len, function.systems)):
        lines += _system_lines(number, system, texts)
        parts.append(f"*a{number}")
    lines.append(f"return np.stack(np.broadcast_arrays({', '.join(parts)}))" if parts else "return np.empty(0)")
    return "\n    ".join([f"def {function.name}({', '.join(function.arguments)}):", *lines])


def _system_lines(number: int, system: LinearSystem, texts: dict[Node, tuple[str, int]]) -> list[str]:
    """The solution of a linear system, the index first, under the name a0, a1, ..."""
    n = len(system.rhs)
    rows = [[texts[system.matrix[max(i, j)][min(i, j)]][0] for j in range(n)] for i in range(n)]
    entries = [*(f"{', '.join(row)}," for row in rows), f"{', '.join(texts[node][0] for node in system.rhs)},"]
    return [
        f"m{number} = np.stack(np.broadcast_arrays(",
        *(f"    {entry}" for entry in entries),
        "), axis=-1)",
        f"f{number} = m{number}[..., {n * n}:, np.newaxis]",
        f"m{number} = m{number}[..., :{n * n}].reshape(*m{number}.shape[:-1], {n}, {n})",
        f"a{number} = np.moveaxis(np.linalg.solve(m{number}, f{number})[..., 0], -1, 0)",
    ]


def _text(graph: Graph, node: Node, texts: dict[Node, tuple[str, int]]) -> tuple[str, int]:
    """A node as text, and its precedence."""
    op, args = graph.ops[node], graph.args[node]
    if op == "const":
        value = args[0]
        return (f"{value!r}" if math.isfinite(value) else f"float('{value!r}')"), (_ATOM if value >= 0 else _MINUS)
    if op == "input":
        return ("t" if args[0] == "t" else f"{args[0]}[{args[1]}]"), _ATOM
    if op in LEAVES:
        return op.capitalize(), _ATOM
    if all(graph.ops[arg] == "const" for arg in args):  # Python's own floats raise where NumPy gives inf or NaN
        return f"{_NUMPY[op]}({', '.join(texts[arg][0] for arg in args)})", _ATOM
    if op in _INFIX:
        sign, binding = _INFIX[op]
        return f"{_within(texts[args[0]], binding)} {sign} {_within(texts[args[1]], binding + 1)}", binding
    if op == "neg":
        return f"-{_within(texts[args[0]], _PRODUCT)}", _SUM
    return f"{_NUMPY[op]}({', '.join(texts[arg][0] for arg in args)})", _ATOM


def _within(part: tuple[str, int], binding: int) -> str:
    """The text of a part, in parentheses when its precedence is too low for its place."""
    text, own = part
    return text if own >= binding else f"({text})"


_INFIX = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _PRODUCT),
    "div": ("/", _PRODUCT),
}
_NUMPY = {
    "add": "np.add",
    "sub": "np.subtract",
    "mul": "np.multiply",
    "div": "np.divide",
    "neg": "np.negative",
    "pow": "np.power",
    **{name: f"np.{name.replace('a', 'arc', 1) if name.startswith('a') else name}" for name in ELEMENTARY},
    **{
        name: f"np.{name}"
        for name in ("sqrt", "abs", "sign", "floor", "heaviside", "mod", "less", "less_equal", "equal")
    },
    "below": "np.less",
    "atan2": "np.arctan2",
    "min": "np.minimum",
    "max": "np.maximum",
    "ceiling": "np.ceil",
    "erf": "np.vectorize(math.erf, otypes=[float])",
    "and": "np.logical_and",
    "or": "np.logical_or",
    "not": "np.logical_not",
    "select": "np.where",
    "held": "np.positive",
}
_EVALUATE: dict[str, Callable] = {
    "erf": np.vectorize(math.erf, otypes=[float]),
    **{op: getattr(np, name[3:]) for op, name in _NUMPY.items() if op != "erf"},
    # of numbers ten times as fast as NumPy's functions, with the same bits
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}
