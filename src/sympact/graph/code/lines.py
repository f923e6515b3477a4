"""Lines of LLVM IR: values, and what each operation is in it.

Arithmetic is IEEE but for two liberties: a product and a sum may be rounded once (``contract``), and the sign of a zero
is free (``nsz``). NaN and infinities come through.

A value is one number, or a vector of one number for each lane: then all lines are the same but for their types, so that
each lane has the bits that one number would have.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

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


def declarations(lanes: int = 1) -> list[str]:
    """The functions that operations call, and those that fill and copy memory."""
    kind = Lines(lanes)
    intrinsics = [
        f"declare {kind.real} @llvm.{name}.{kind.suffix}({_two(name).replace('double', kind.real)})"
        for name in _INTRINSIC.values()
    ]
    library = [f"declare double @{name}({_two(name)}) nounwind willreturn" for name in (*_LIBRARY, "fmod")]
    return [*intrinsics, *library, *_MEMORY]


def _two(name: str) -> str:
    return "double, double" if name in ("pow", "atan2", "fmod") else "double"


class Lines:
    """The lines of one function, and the names of the values in it.

    Parameters
    ----------
    lanes : int
        Lanes of each value; 1 for numbers.

    Attributes
    ----------
    lanes : int
    real, truth : str
        The types of values and conditions.
    true : str
        The condition that always holds.
    suffix : str
        That of the names of intrinsics.
    """

    def __init__(self, lanes: int = 1) -> None:
        self.lines: list[str] = []
        self._count, self.lanes = 0, lanes
        self.real = "double" if lanes == 1 else f"<{lanes} x double>"
        self.truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        self.true = "true" if lanes == 1 else "splat (i1 true)"
        self.suffix = "f64" if lanes == 1 else f"v{lanes}f64"

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
        return self.value(f"fcmp {how} {self.real} {a}, {b}")

    def choose(self, condition: str, a: str, b: str) -> str:
        """One of two values."""
        return self.value(f"select {self.truth} {condition}, {self.real} {a}, {self.real} {b}")

    def number(self, value: float) -> str:
        """A constant, the same in all lanes."""
        return literal(value) if self.lanes == 1 else f"splat (double {literal(value)})"

    def call(self, name: str, args: Sequence[str], flags: str = "") -> str:
        """A call of a function of numbers, lane by lane."""
        if self.lanes == 1:
            return self.value(f"call {flags} double @{name}({', '.join(f'double {a}' for a in args)})")
        result = "poison"
        for lane in range(self.lanes):
            parts = [f"double {self.lane(a, lane)}" for a in args]
            one = self.value(f"call {flags} double @{name}({', '.join(parts)})")
            result = self.value(f"insertelement {self.real} {result}, double {one}, i64 {lane}")
        return result

    def lane(self, name: str, lane: int) -> str:
        """The number in a lane of a vector."""
        return self.value(f"extractelement {self.real} {name}, i64 {lane}")

    def entry(self, array: str, index: int | str) -> str:
        """The address of an entry of an array of values."""
        return self.value(f"getelementptr inbounds {self.real}, ptr {array}, i64 {index}")

    def load(self, array: str, index: int | str) -> str:
        """An entry of an array of values."""
        return self.value(f"load {self.real}, ptr {self.entry(array, index)}{self._aligned}")

    def store(self, name: str, array: str, index: int | str) -> None:
        """Set an entry of an array of values."""
        self.line(f"store {self.real} {name}, ptr {self.entry(array, index)}{self._aligned}")

    @property
    def _aligned(self) -> str:
        return "" if self.lanes == 1 else ", align 8"


def literal(value: float) -> str:
    """A number, every bit of it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


ZERO = literal(0.0)


def _infix(operation: str) -> Callable[..., str]:
    return lambda w, a, b: w.value(f"{operation} {_FLAGS} {w.real} {a}, {b}")


def _comparison(how: str) -> Callable[..., str]:
    return lambda w, a, b: w.compare(how, a, b)


def _intrinsic(name: str) -> Callable[..., str]:
    def emit_intrinsic(w: Lines, *args: str) -> str:
        given = ", ".join(f"{w.real} {a}" for a in args)
        return w.value(f"call {_FLAGS} {w.real} @llvm.{name}.{w.suffix}({given})")

    return emit_intrinsic


def _call(name: str) -> Callable[..., str]:
    return lambda w, *args: w.call(name, args, _FLAGS)


def _extreme(how: str) -> Callable[..., str]:
    """The larger or smaller of two; NaN if one of them is."""

    def emit_extreme(w: Lines, a: str, b: str) -> str:
        b_is_nan, b_wins = w.compare("uno", b, b), w.compare(how, b, a)
        return w.choose(b_is_nan, b, w.choose(b_wins, b, a))

    return emit_extreme


def _sign(w: Lines, x: str) -> str:
    zero = w.number(0.0)
    below = w.choose(w.compare("olt", x, zero), w.number(-1.0), x)
    return w.choose(w.compare("ogt", x, zero), w.number(1.0), below)


def _heaviside(w: Lines, x: str, at_zero: str) -> str:
    zero = w.number(0.0)
    at = w.choose(w.compare("oeq", x, zero), at_zero, x)
    below = w.choose(w.compare("olt", x, zero), zero, at)
    return w.choose(w.compare("ogt", x, zero), w.number(1.0), below)


def _mod(w: Lines, a: str, b: str) -> str:
    """The remainder with the sign of the divisor."""
    zero, rest = w.number(0.0), w.call("fmod", (a, b))
    signs_differ = w.value(f"xor {w.truth} {w.compare('olt', rest, zero)}, {w.compare('olt', b, zero)}")
    wrong = w.value(f"and {w.truth} {signs_differ}, {w.compare('one', rest, zero)}")
    return w.choose(wrong, w.value(f"fadd {w.real} {rest}, {b}"), rest)


OPERATION: dict[str, Callable[..., str]] = {
    "add": _infix("fadd"),
    "sub": _infix("fsub"),
    "mul": _infix("fmul"),
    "div": _infix("fdiv"),
    "neg": lambda w, a: w.value(f"fneg {_FLAGS} {w.real} {a}"),
    **{op: _intrinsic(name) for op, name in _INTRINSIC.items()},
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
    "and": lambda w, a, b: w.value(f"and {w.truth} {a}, {b}"),
    "or": lambda w, a, b: w.value(f"or {w.truth} {a}, {b}"),
    "not": lambda w, a: w.value(f"xor {w.truth} {a}, {w.true}"),
    "select": lambda w, condition, a, b: w.choose(condition, a, b),
    "held": lambda w, a: a,
    MINUS_PRODUCT: lambda w, a, b: OPERATION["neg"](w, OPERATION["mul"](w, a, b)),
}
"""The line of each operation that is not a leaf, from the names of its arguments."""
