"""From a table of nodes to LLVM IR, and to machine code.

Each function is one straight line: every node is computed once, and the results are stored when all are there, so they
may overwrite the state. Sines and cosines are computed for up to four angles at once (`sympact.graph.code.sine`).
Arithmetic is IEEE but for two liberties: a product and a sum may be rounded once (``contract``), and the sign of a zero
is free (``nsz``). NaN and infinities come through.
"""

from __future__ import annotations

import hashlib
import pkgutil
import struct
from collections.abc import Callable, Sequence
from functools import cache

from sympact import native
from sympact.graph.code.function_table import graph_table, table_hash
from sympact.graph.code.ldl import LDL_SOLVE, WIDTH
from sympact.graph.code.sine import LANES, SINE_COSINE, has_fused_product, sine_batches
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function
from sympact.graph.nodes.operations import CONDITIONS, LEAVES

__all__ = ["compile_functions", "emit"]

_FLAGS = "contract nsz"
# One straight line leaves the passes over the IR nothing to gain. Measured on chains of 2 to 40 links (90 to 12,000
# operations): this level without passes is as fast as level 3 with them within the noise of 10 %, and compiles in 0.01
# to 0.7 s; level 2 with passes takes up to 20 times as long (4.2 s for five spherical joints); level 0 is half as fast.
_LEVEL = 1
# At level 1 the code generator's time grows with the square of the number of calls (sines and the like: 1 s for 1,000,
# 4 s for 2,000), at level 0 with that of a block's size: functions with many calls are compiled at level 0, in blocks
# of so many lines, which takes 1.6 s for 5,000.
_MANY_CALLS, _LEVEL_OF_MANY, _BLOCK = 1000, 0, 256
# Functions by the name of LLVM's intrinsic, and of the C library's.
_INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "ceiling": "ceil"} | {
    name: name for name in ("sin", "cos", "exp", "log", "pow")
}
_LIBRARY = ("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf")


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
    table = graph_table(graph, functions)
    key = f"graph {_emitter()} {table_hash(table)}"
    level = _LEVEL_OF_MANY if _calls_many(table) else _LEVEL
    return native.load(lambda: emit(table), key=key, level=level, passes=False)


def emit(table: dict) -> str:
    """The LLVM IR of the functions of a table."""
    block = _BLOCK if _calls_many(table) else None
    parts = [_emit_function(table["nodes"], function, block) for function in table["functions"]]
    if any(function["systems"] for function in table["functions"]):
        parts.append(LDL_SOLVE)
    if has_fused_product() and any(row[0] in ("sin", "cos") for row in table["nodes"]):
        parts.append(SINE_COSINE)
    return "\n".join([*_declarations(), *parts])


def _calls_many(table: dict) -> bool:
    return sum(row[0] in _INTRINSIC or row[0] in _LIBRARY for row in table["nodes"]) > _MANY_CALLS


@cache
def _emitter() -> str:
    """Which way of writing IR this is: a digest of the files that write it."""
    files = (pkgutil.get_data(__package__, name) or b"" for name in ("llvm.py", "ldl.py", "sine.py"))
    return hashlib.sha256(b"".join(files)).hexdigest()


def _declarations() -> list[str]:
    intrinsics = [f"declare double @llvm.{name}.f64({_two(name)})" for name in _INTRINSIC.values()]
    library = [f"declare double @{name}({_two(name)}) nounwind willreturn" for name in (*_LIBRARY, "fmod")]
    return intrinsics + library


def _two(name: str) -> str:
    return "double, double" if name in ("pow", "atan2", "fmod") else "double"


class _Writer:
    """The lines of one function, and the names of the values in it; `cut` ends blocks of some hundred lines."""

    def __init__(self, block: int | None) -> None:
        self.lines: list[str] = []
        self._count = 0
        self._block, self._ends = block, 0

    def cut(self) -> None:
        """Go on in another block if this one is long."""
        if self._block is not None and len(self.lines) >= self._ends + self._block:
            self._ends = len(self.lines)
            self.lines += [f"  br label %block{self._ends}", f"block{self._ends}:"]

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def value(self, text: str) -> str:
        """A line that computes a value; returns its name."""
        name = f"%v{self._count}"
        self._count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def compare(self, how: str, a: str, b: str) -> str:
        return self.value(f"fcmp {how} double {a}, {b}")

    def choose(self, condition: str, a: str, b: str) -> str:
        return self.value(f"select i1 {condition}, double {a}, double {b}")

    def entry(self, array: str, index: int) -> str:
        """The address of an entry of an array of doubles."""
        return self.value(f"getelementptr inbounds double, ptr {array}, i64 {index}")


def _emit_function(rows: list[list], function: dict, block: int | None) -> str:
    writer = _Writer(block)
    names = _emit_nodes(writer, rows, function)
    for index, output in enumerate(function["outputs"]):
        writer.line(f"store double {names[output]}, ptr {writer.entry('%out', index)}")
    for system in function["systems"]:
        _emit_system(writer, names, system)
    arguments = ", ".join("double %t" if array == "t" else f"ptr %{array}" for array in function["arguments"])
    head = f"define void @{function['name']}({arguments}, ptr %out) nounwind {{"
    return "\n".join([head, *writer.lines, "  ret void", "}"])


def _emit_nodes(writer: _Writer, rows: list[list], function: dict) -> dict[int, str]:
    """Compute every node the function needs, as late as its first use allows; returns the name or literal of each."""
    outputs = _outputs(rows, function)
    batches = sine_batches(rows, _used(rows, outputs)) if has_fused_product() else {}
    names: dict[int, str] = {}
    waiting = outputs[::-1]
    while waiting:
        position = waiting[-1]
        if position in names:
            waiting.pop()
            continue
        batch = batches.get(position)
        missing = [needed for needed in batch or _arguments(rows[position]) if needed not in names]
        if missing:
            waiting += missing[::-1]
        elif batch:
            _emit_sines(writer, rows, batch, names)
        else:
            names[position] = _emit_node(writer, rows[position], names, function)
        writer.cut()
    return names


def _arguments(row: list) -> list[int]:
    op, *args = row
    return [] if op in LEAVES else args


def _emit_node(writer: _Writer, row: list, names: dict[int, str], function: dict) -> str:
    op, *args = row
    if op == "const":
        return _literal(float.fromhex(args[0]))
    if op == "input":
        return _emit_input(writer, function, *args)
    return op if op in LEAVES else _EMIT[op](writer, *(names[arg] for arg in args))


def _emit_sines(writer: _Writer, rows: list[list], batch: dict[int, list[int]], names: dict[int, str]) -> None:
    """Sines and cosines of a few angles, by one call for all."""
    lanes = [names[angle] for angle in batch] + [_ZERO] * (LANES - len(batch))
    pair = f"{{<{LANES} x double>, <{LANES} x double>}}"
    both = writer.value(f"call {pair} @sine.cosine({', '.join(f'double {lane}' for lane in lanes)})")
    halves = {op: writer.value(f"extractvalue {pair} {both}, {half}") for half, op in enumerate(("sin", "cos"))}
    for lane, positions in enumerate(batch.values()):
        for position in positions:
            half = halves[rows[position][0]]
            names[position] = writer.value(f"extractelement <{LANES} x double> {half}, i64 {lane}")


def _outputs(rows: list[list], function: dict) -> list[int]:
    """The positions of the values that a function stores."""
    outputs = list(function["outputs"])
    for system in function["systems"]:
        outputs += [*system["rhs"], *(position for row in system["matrix"] for position in row)]
    if any(rows[position][0] in CONDITIONS for position in outputs):
        raise ValueError(f"function {function['name']!r} has a condition among its outputs; expected values")
    return outputs


def _used(rows: list[list], outputs: list[int]) -> list[int]:
    """The positions of the nodes that some outputs need, in order of evaluation."""
    waiting = list(outputs)
    seen: set[int] = set()
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            waiting += _arguments(rows[position])
    return sorted(seen)


def _emit_input(writer: _Writer, function: dict, array: str, index: int) -> str:
    if array not in function["arguments"]:
        raise ValueError(
            f"function {function['name']!r} uses the input {array}[{index}], but its arguments are "
            f"{', '.join(function['arguments'])}"
        )
    return "%t" if array == "t" else writer.value(f"load double, ptr {writer.entry(f'%{array}', index)}")


def _emit_system(writer: _Writer, names: dict[int, str], system: dict) -> None:
    """Store the lower triangle, rows padded to whole vectors, and the right-hand side; call the loop."""
    n = len(system["rhs"])
    if n == 0:
        return
    stride = -(-n // WIDTH) * WIDTH
    matrix = writer.value(f"alloca [{(n + 1) * stride} x double], align {8 * WIDTH}")
    work = writer.entry(matrix, n * stride)
    writer.line(f"call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * (n + 1) * stride}, i1 false)")
    for i, row in enumerate(system["matrix"]):
        for j, node in enumerate(row):
            writer.line(f"store double {names[node]}, ptr {writer.entry(matrix, i * stride + j)}")
    result = writer.entry("%out", system["offset"])
    for i, node in enumerate(system["rhs"]):
        writer.line(f"store double {names[node]}, ptr {writer.entry(result, i)}")
    writer.line(f"call void @ldl_solve(i64 {n}, i64 {stride}, ptr {matrix}, ptr {work}, ptr {result})")


def _literal(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


_ZERO, _ONE, _MINUS_ONE = _literal(0.0), _literal(1.0), _literal(-1.0)


def _infix(operation: str) -> Callable[..., str]:
    return lambda w, a, b: w.value(f"{operation} {_FLAGS} double {a}, {b}")


def _comparison(how: str) -> Callable[..., str]:
    return lambda w, a, b: w.compare(how, a, b)


def _call(name: str) -> Callable[..., str]:
    return lambda w, *args: w.value(f"call {_FLAGS} double @{name}({', '.join(f'double {a}' for a in args)})")


def _extreme(how: str) -> Callable[..., str]:
    """The larger or smaller of two; NaN if one of them is."""

    def emit_extreme(w: _Writer, a: str, b: str) -> str:
        b_is_nan, b_wins = w.compare("uno", b, b), w.compare(how, b, a)
        return w.choose(b_is_nan, b, w.choose(b_wins, b, a))

    return emit_extreme


def _sign(w: _Writer, x: str) -> str:
    below = w.choose(w.compare("olt", x, _ZERO), _MINUS_ONE, x)
    return w.choose(w.compare("ogt", x, _ZERO), _ONE, below)


def _heaviside(w: _Writer, x: str, at_zero: str) -> str:
    at = w.choose(w.compare("oeq", x, _ZERO), at_zero, x)
    below = w.choose(w.compare("olt", x, _ZERO), _ZERO, at)
    return w.choose(w.compare("ogt", x, _ZERO), _ONE, below)


def _mod(w: _Writer, a: str, b: str) -> str:
    """The remainder with the sign of the divisor."""
    rest = w.value(f"call double @fmod(double {a}, double {b})")
    signs_differ = w.value(f"xor i1 {w.compare('olt', rest, _ZERO)}, {w.compare('olt', b, _ZERO)}")
    wrong = w.value(f"and i1 {signs_differ}, {w.compare('one', rest, _ZERO)}")
    return w.choose(wrong, w.value(f"fadd double {rest}, {b}"), rest)


_EMIT: dict[str, Callable[..., str]] = {
    "add": _infix("fadd"),
    "sub": _infix("fsub"),
    "mul": _infix("fmul"),
    "div": _infix("fdiv"),
    "neg": lambda w, a: w.value(f"fneg {_FLAGS} double {a}"),
    **{op: _call(f"llvm.{name}.f64") for op, name in _INTRINSIC.items()},
    **{name: _call(name) for name in _LIBRARY},
    "max": _extreme("ogt"),
    "min": _extreme("olt"),
    "sign": _sign,
    "heaviside": _heaviside,
    "mod": _mod,
    "less": _comparison("olt"),
    "below": _comparison("olt"),
    "less_equal": _comparison("ole"),
    "equal": _comparison("oeq"),
    "and": lambda w, a, b: w.value(f"and i1 {a}, {b}"),
    "or": lambda w, a, b: w.value(f"or i1 {a}, {b}"),
    "not": lambda w, a: w.value(f"xor i1 {a}, true"),
    "select": lambda w, condition, a, b: w.choose(condition, a, b),
    "held": lambda w, a: a,
}
