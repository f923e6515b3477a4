"""Lines of LLVM IR: values, and what each operation is in it.

Arithmetic is IEEE but for two liberties: a product and a sum may be rounded once (``contract``), and the sign of a zero
is free (``nsz``). NaN and infinities come through.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

__all__ = ["MINUS_PRODUCT", "OPERATION", "ZERO", "Lines", "declarations", "literal"]

_FLAGS = "contract nsz"
# Functions by the name of LLVM's intrinsic, and of the C library's.
_INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "ceiling": "ceil"} | {
    name: name for name in ("sin", "cos", "exp", "log", "pow")
}
_LIBRARY = ("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf")
MINUS_PRODUCT = "minus_product"
"""An operation of tables that are written in pieces."""
_MEMORY = (
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
)


def declarations() -> list[str]:
    """The functions that operations call, and those that fill and copy memory."""
    intrinsics = [f"declare double @llvm.{name}.f64({_two(name)})" for name in _INTRINSIC.values()]
    library = [f"declare double @{name}({_two(name)}) nounwind willreturn" for name in (*_LIBRARY, "fmod")]
    return [*intrinsics, *library, *_MEMORY]


def _two(name: str) -> str:
    return "double, double" if name in ("pow", "atan2", "fmod") else "double"


class Lines:
    """The lines of one function, and the names of the values in it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def line(self, text: str) -> None:
        """A line without a value."""
        self.lines.append("  " + text)

    def value(self, text: str) -> str:
        """A line that computes a value; returns its name."""
        name = f"%v{self._count}"
        self._count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def compare(self, how: str, a: str, b: str) -> str:
        """A condition on two values."""
        return self.value(f"fcmp {how} double {a}, {b}")

    def choose(self, condition: str, a: str, b: str) -> str:
        """One of two values."""
        return self.value(f"select i1 {condition}, double {a}, double {b}")

    def entry(self, array: str, index: int | str) -> str:
        """The address of an entry of an array of doubles."""
        return self.value(f"getelementptr inbounds double, ptr {array}, i64 {index}")

    def load(self, array: str, index: int | str) -> str:
        """An entry of an array of doubles."""
        return self.value(f"load double, ptr {self.entry(array, index)}")

    def store(self, name: str, array: str, index: int | str) -> None:
        """Set an entry of an array of doubles."""
        self.line(f"store double {name}, ptr {self.entry(array, index)}")


def literal(value: float) -> str:
    """A number, every bit of it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


ZERO, _ONE, _MINUS_ONE = literal(0.0), literal(1.0), literal(-1.0)


def _infix(operation: str) -> Callable[..., str]:
    return lambda w, a, b: w.value(f"{operation} {_FLAGS} double {a}, {b}")


def _comparison(how: str) -> Callable[..., str]:
    return lambda w, a, b: w.compare(how, a, b)


def _call(name: str) -> Callable[..., str]:
    return lambda w, *args: w.value(f"call {_FLAGS} double @{name}({', '.join(f'double {a}' for a in args)})")


def _extreme(how: str) -> Callable[..., str]:
    """The larger or smaller of two; NaN if one of them is."""

    def emit_extreme(w: Lines, a: str, b: str) -> str:
        b_is_nan, b_wins = w.compare("uno", b, b), w.compare(how, b, a)
        return w.choose(b_is_nan, b, w.choose(b_wins, b, a))

    return emit_extreme


def _sign(w: Lines, x: str) -> str:
    below = w.choose(w.compare("olt", x, ZERO), _MINUS_ONE, x)
    return w.choose(w.compare("ogt", x, ZERO), _ONE, below)


def _heaviside(w: Lines, x: str, at_zero: str) -> str:
    at = w.choose(w.compare("oeq", x, ZERO), at_zero, x)
    below = w.choose(w.compare("olt", x, ZERO), ZERO, at)
    return w.choose(w.compare("ogt", x, ZERO), _ONE, below)


def _mod(w: Lines, a: str, b: str) -> str:
    """The remainder with the sign of the divisor."""
    rest = w.value(f"call double @fmod(double {a}, double {b})")
    signs_differ = w.value(f"xor i1 {w.compare('olt', rest, ZERO)}, {w.compare('olt', b, ZERO)}")
    wrong = w.value(f"and i1 {signs_differ}, {w.compare('one', rest, ZERO)}")
    return w.choose(wrong, w.value(f"fadd double {rest}, {b}"), rest)


OPERATION: dict[str, Callable[..., str]] = {
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
    MINUS_PRODUCT: lambda w, a, b: OPERATION["neg"](w, OPERATION["mul"](w, a, b)),
}
"""The line of each operation that is not a leaf, from the names of its arguments."""
