"""From a table of nodes to LLVM IR, and to machine code.

A short function is one straight line (`sympact.graph.code.straight`), a long one consists of pieces, which are called
in loops where they repeat (`sympact.graph.code.loops`): the time to compile grows with the number of different
operations, and is proportional to it.
"""

from __future__ import annotations

import hashlib
import json
import pkgutil
from collections.abc import Sequence
from functools import cache

from sympact import native
from sympact.graph.code.function_table import graph_table, table_hash
from sympact.graph.code.ldl import LDL_SOLVE
from sympact.graph.code.lines import declarations
from sympact.graph.code.loops import function_in_pieces
from sympact.graph.code.sine import SINE_COSINE
from sympact.graph.code.straight import in_lanes, needed_nodes, straight_function, values
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function

__all__ = ["compile_functions", "compile_in_lanes", "emit"]

# One straight line leaves the passes over the IR nothing to gain. Measured on chains of 2 to 40 links (90 to 12,000
# operations): this level without passes is as fast as level 3 with them within the noise of 10 %, and compiles in 0.01
# to 0.7 s; level 2 with passes takes up to 20 times as long (4.2 s for five spherical joints); level 0 is half as fast.
_LEVEL = 1
# The code generator's time grows with the square of the length of a straight line. Functions with more nodes and
# outputs together are written in pieces.
_STRAIGHT = 2000
# Without groups of outputs little repeats, and values are used soon after they are computed: the accelerations of a
# tree of 10,000 nodes compile in 0.5 s either way, and take a quarter less time in one straight line.
_ALONE = 5
_FILES = ("llvm.py", "ldl.py", "lines.py", "loops.py", "pieces.py", "sine.py", "straight.py")


def compile_functions(graph: Graph, functions: Sequence[Function]) -> native.Code:
    """Machine code of some functions, from the cache on disk where it is known.

    The C signatures are ``void name(double t, const double *x, const double *p, double *out)`` and
    ``void name(double t, const double *x, const double *xdot, const double *p, double *out)``; `out` may be `x`.

    Raises
    ------
    ValueError
        If two functions have the same name, or an output is a condition.

    Examples
    --------
    >>> import ctypes
    >>> graph = Graph()
    >>> square = graph.ipow(graph.input("x", 0), 2)
    >>> code = compile_functions(graph, [Function("square", (square,), ("t", "x", "p"))])
    >>> vector = ctypes.c_double * 1
    >>> call = ctypes.CFUNCTYPE(None, ctypes.c_double, vector, vector, vector)(code.address("square"))
    >>> x = vector(3.0)
    >>> call(0.0, x, vector(), x)
    >>> x[0]
    9.0
    """
    names = [function.name for function in functions]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"several functions have the same name: {', '.join(twice)}; expected different names")
    table, groups = graph_table(graph, functions), [function.groups for function in functions]
    key = f"graph {_emitter()} {table_hash(table)} {_digest(json.dumps(groups).encode())}"
    return native.load(lambda: emit(table, groups), key=key, level=_LEVEL, passes=False)


def compile_in_lanes(graph: Graph, functions: Sequence[Function], lanes: int) -> native.Code | None:
    """Machine code of the functions for several calls at once, each lane bit for bit as `compile_functions` has it.

    The C signatures are those there, but that t is ``const double *`` and each entry of an array is `lanes` numbers.

    Returns
    -------
    Code or None
        None where a function is long, or solves a linear system: there are loops in their code.

    Examples
    --------
    >>> import ctypes
    >>> graph = Graph()
    >>> square = graph.ipow(graph.input("x", 0), 2)
    >>> code = compile_in_lanes(graph, [Function("square", (square,), ("t", "x", "p"))], 4)
    >>> vector = ctypes.c_double * 4
    >>> call = ctypes.CFUNCTYPE(None, vector, vector, vector, vector)(code.address("square"))
    >>> x = vector(1.0, 2.0, 3.0, 4.0)
    >>> call(vector(), x, vector(), x)
    >>> list(x)
    [1.0, 4.0, 9.0, 16.0]
    """
    table, groups = graph_table(graph, functions), [function.groups for function in functions]
    rows, parts = table["nodes"], []
    for function, of_outputs in zip(table["functions"], groups, strict=True):
        needed = needed_nodes(rows, function)
        if function["systems"] or _is_long(function, needed, of_outputs, _STRAIGHT):
            return None
        parts.append(in_lanes(rows, function, needed, lanes))
    sines = [SINE_COSINE] if any("@sine.cosine(" in part for part in parts) else []
    declared = [line for line in declarations(lanes) if not sines or line not in SINE_COSINE]
    text = "\n".join([*declared, *parts, *sines])
    return native.load(text, key=f"lanes {_digest(text.encode())}", level=_LEVEL, passes=False)


def _is_long(function: dict, needed: Sequence[int], groups: Sequence[int], straight: int) -> bool:
    """Whether a function is written in pieces."""
    return len(needed) + len(values(function)) > (straight if groups else _ALONE * straight)


def emit(table: dict, groups: Sequence[Sequence[int]] | None = None, *, straight: int = _STRAIGHT) -> str:
    """The LLVM IR of the functions of a table, with the groups of their outputs.

    `straight` is the number of nodes and outputs above which a function is written in pieces, five times as many for
    one whose outputs have no groups.
    """
    rows, functions, parts = table["nodes"], table["functions"], []
    for function, of_outputs in zip(functions, groups or [()] * len(functions), strict=True):
        needed = needed_nodes(rows, function)
        if _is_long(function, needed, of_outputs, straight):
            parts.append(function_in_pieces(rows, function, needed, of_outputs))
        else:
            parts.append(straight_function(rows, function, needed))
    if any(function["systems"] for function in functions):
        parts.append(LDL_SOLVE)
    if any("@sine.cosine(" in part for part in parts):
        parts.append(SINE_COSINE)
    return "\n".join([*declarations(), *parts])


@cache
def _emitter() -> str:
    """Which way of writing IR this is: a digest of the files that write it."""
    return _digest(b"".join(pkgutil.get_data(__package__, name) or b"" for name in _FILES))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
