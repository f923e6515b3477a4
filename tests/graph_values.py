"""Independent values for nodes of a graph: mpmath instead of floats, and random expressions to try them on."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import mpmath as mp
import numpy as np
import sympy as sm
from hypothesis import strategies as st

from sympact.graph import Graph, reachable

X, Y = sm.symbols("x y", real=True)
SIGNATURE = ("t", "x", "p")


def _quotient(a: mp.mpf, b: mp.mpf) -> mp.mpf:
    if b != 0:
        return a / b
    return mp.nan if a == 0 or mp.isnan(a) else mp.sign(a) * mp.inf


_MPMATH = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _quotient,
    "neg": lambda a: -a,
    "pow": mp.power,
    "mod": lambda a, b: a - b * mp.floor(a / b),
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": mp.sqrt,
    "ceiling": mp.ceil,
    "heaviside": lambda x, at_zero: at_zero if x == 0 else mp.mpf(x > 0),
    **{name: getattr(mp, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh")},
    **{name: getattr(mp, name) for name in ("tanh", "asinh", "acosh", "atanh", "exp", "log", "erf", "sign", "floor")},
    "less": lambda a, b: a < b,
    "below": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "equal": lambda a, b: a == b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "true": lambda: True,
    "false": lambda: False,
    "select": lambda condition, a, b: a if condition else b,
    "held": lambda a: a,
}


def exact_value(graph: Graph, node: int, inputs: dict[tuple[str, int], float]) -> mp.mpf:
    """The value of a node in mpmath's present precision."""
    return exact_values(graph, [node], inputs)[0]


def exact_values(graph: Graph, nodes: Sequence[int], inputs: dict[tuple[str, int], float]) -> list[mp.mpf]:
    """The values of nodes in mpmath's present precision."""
    values = {}
    for each in reachable(graph, nodes):
        op, args = graph.ops[each], graph.args[each]
        if op == "const":
            values[each] = mp.mpf(args[0])
        elif op == "input":
            values[each] = mp.mpf(inputs[args])
        else:
            values[each] = _MPMATH[op](*(values[arg] for arg in args))
    return [values[node] for node in nodes]


def rounding_error(graph: Graph, node: int, inputs: dict[tuple[str, int], float]) -> float:
    """How far rounding can move the value in double precision, seen from what it does at lower precisions."""
    with mp.workprec(200):
        exact = exact_value(graph, node, inputs)
    worst = mp.mpf(0)
    for bits in range(30, 44):
        with mp.workprec(bits):
            rounded = exact_value(graph, node, inputs)
        with mp.workprec(200):
            worst = max(worst, abs(rounded - exact) * mp.mpf(2) ** bits)
    return float(worst * mp.mpf(2) ** -53)


def call(code, name: str, size: int, t: float, *arrays) -> np.ndarray:
    """The result of a compiled function."""
    arrays = [np.ascontiguousarray(array, dtype=float) for array in arrays]
    out = np.full(size, np.nan)
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*arrays, out)]
    ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * len(pointers))(code.address(name))(t, *pointers)
    return out


def _unary(a: sm.Expr) -> list[sm.Expr]:
    """Functions of an expression, their arguments kept where the function is defined and tame."""
    bounded, large = a / (1 + a**2), 2 + a**2
    return [
        *(f(a) for f in (sm.sin, sm.cos, sm.atan, sm.tanh, sm.asinh, sm.erf, sm.Abs, sm.sign, sm.floor, sm.ceiling)),
        *(f(bounded) for f in (sm.tan, sm.asin, sm.acos, sm.atanh, sm.sinh, sm.cosh, sm.exp, sm.sinc, sm.sec)),
        *(f(large) for f in (sm.sqrt, sm.log, sm.acosh, sm.acot)),
        *(large**power for power in (-2, sm.Rational(-1, 2), sm.Rational(3, 2), sm.Rational(1, 4))),
        *(a**power for power in (2, 3, 5)),
        sm.Heaviside(a, sm.Rational(1, 4)),
    ]


def _binary(a: sm.Expr, b: sm.Expr) -> list[sm.Expr]:
    bounded, large = b / (1 + b**2), 1 + b**2
    return [
        *(a + b, a - b, a * b, a / large, (2 + a**2) ** bounded, sm.atan2(a, large)),
        *(sm.Max(a, b), sm.Min(a, b), sm.Mod(a, large)),
        sm.Piecewise((a, a < b), (b * a, True)),
        sm.Piecewise((a, sm.And(a < b, b <= 1)), (b, sm.Or(sm.Ne(a, 0), b > 3)), (a - b, True)),
    ]


def expressions() -> st.SearchStrategy[sm.Expr]:
    """Expressions of X and Y; their numbers are fractions that doubles hold exactly."""
    numbers = st.builds(lambda n: sm.Rational(n, 8), st.integers(-24, 24))
    leaves = st.one_of(st.sampled_from([X, Y]), numbers)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.flatmap(lambda a: st.sampled_from(_unary(a))),
            st.tuples(inner, inner).flatmap(lambda pair: st.sampled_from(_binary(*pair))),
        ),
        max_leaves=6,
    )


def values() -> st.SearchStrategy[float]:
    """Numbers beside the corners and jumps of functions."""
    return st.integers(-40, 40).map(lambda n: (n + 0.3137) / 16)
