"""The operations of nodes: the number and kinds of their arguments, and their value in plain floats.

A node is a *value* (a double) or a *condition* (true or false). ``const``, ``input``, ``true`` and ``false`` have no
arguments that are nodes; every other operation is listed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["CONDITIONS", "ELEMENTARY", "EVEN", "FUNCTIONS", "LEAVES", "ODD", "OPERATIONS", "Operation"]

# Functions of one value that Python's math, NumPy and SymPy know by the same name or, for inverses, by NumPy's arc-.
ELEMENTARY = (
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log"),
)
LEAVES = ("const", "input", "true", "false")


@dataclass(frozen=True)
class Operation:
    """The properties of an operation that do not depend on the form of its output.

    Attributes
    ----------
    The name in nodes and in the stored table.
        As in the node and in the stored table.
    evaluate : callable
        Its value for floats (bools for conditions). May raise ValueError, OverflowError or ZeroDivisionError where the
        hardware would give NaN or an infinity.
    arguments : str
        One character for each argument: ``v`` value, ``c`` condition.
    condition : bool
        Whether the result is a condition.
    commutative : bool
        Whether the arguments may be exchanged without changing a bit of the result.
    """

    name: str
    evaluate: Callable
    arguments: str = "v"
    condition: bool = False
    commutative: bool = False


def _sign(x: float) -> float:
    return x if x != x else float((x > 0) - (x < 0))


def _heaviside(x: float, at_zero: float) -> float:
    return x if x != x else at_zero if x == 0 else float(x > 0)


def _larger(a: float, b: float) -> float:
    return math.nan if a != a or b != b else max(a, b)


def _smaller(a: float, b: float) -> float:
    return math.nan if a != a or b != b else min(a, b)


def _floor(x: float) -> float:
    return float(math.floor(x))


def _ceiling(x: float) -> float:
    return float(math.ceil(x))


_ARITHMETIC = (
    Operation("add", lambda a, b: a + b, "vv", commutative=True),
    Operation("sub", lambda a, b: a - b, "vv"),
    Operation("mul", lambda a, b: a * b, "vv", commutative=True),
    Operation("div", lambda a, b: a / b, "vv"),
    Operation("neg", lambda a: -a),
)
_FUNCTIONS = (
    Operation("pow", math.pow, "vv"),
    Operation("mod", lambda a, b: a % b, "vv"),
    Operation("atan2", math.atan2, "vv"),
    Operation("min", _smaller, "vv", commutative=True),
    Operation("max", _larger, "vv", commutative=True),
    Operation("heaviside", _heaviside, "vv"),
    Operation("sqrt", math.sqrt),
    Operation("abs", abs),
    Operation("sign", _sign),
    Operation("floor", _floor),
    Operation("ceiling", _ceiling),
    Operation("erf", math.erf),
    *(Operation(name, getattr(math, name)) for name in ELEMENTARY),
)
_CONDITIONS = (
    Operation("less", lambda a, b: a < b, "vv", condition=True),
    Operation("below", lambda a, b: a < b, "vv", condition=True),
    Operation("less_equal", lambda a, b: a <= b, "vv", condition=True),
    Operation("equal", lambda a, b: a == b, "vv", condition=True, commutative=True),
    Operation("and", lambda a, b: a and b, "cc", condition=True, commutative=True),
    Operation("or", lambda a, b: a or b, "cc", condition=True, commutative=True),
    Operation("not", lambda a: not a, "c", condition=True),
)
_SELECT = Operation("select", lambda c, a, b: a if c else b, "cvv")
_HELD = Operation("held", lambda a: a)

OPERATIONS = {operation.name: operation for operation in (*_ARITHMETIC, *_FUNCTIONS, *_CONDITIONS, _SELECT, _HELD)}
FUNCTIONS = {operation.name: operation for operation in _FUNCTIONS}
CONDITIONS = {operation.name for operation in _CONDITIONS} | {"true", "false"}
ODD = {"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "sign"}
EVEN = {"cos", "cosh", "abs"}
