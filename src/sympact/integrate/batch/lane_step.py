"""A step of an explicit Runge-Kutta method in all lanes, as LLVM IR: the text for any number of states.

Every lane has the bits that `sympact.integrate.steppers.runge_kutta_kernel` gives one run: the operations are the same,
in the same order, and a product is rounded together with the sum that uses it under the same rule (``contract``).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

from sympact.integrate.batch.lane_memory import LANES, LaneMemory
from sympact.integrate.steppers.tableau import Tableau
from sympact.native import Code, load

__all__ = ["lane_step", "step_source"]

_REAL = f"<{LANES} x double>"
_FLAGS = "contract nsz"
_ARRAYS = ("t", "h", "t_new", "at", "size", "atol", "x", "x_new", "y", "rates", "gaps", "p")
_FUNCTIONS = ("flow", "boundary", "project")


def lane_step(table: Tableau) -> Code:
    """The machine code of the unit ``step`` of a method with step control: `step_source`, compiled."""
    text = step_source(table)
    return load(text, key=f"lanes of a step\n{text}", level=2)


def step_source(table: Tableau) -> str:
    """The IR of the unit ``int64 step(int64)``, whose argument is the address of a `LaneMemory`.

    From t, h, x and the first row of rates it writes the other rows, the end of the step and its error; then it
    projects the end, and writes the rates and the gaps there.
    """
    w, last = _Writer(), len(table.b)
    for stage, (row, c) in enumerate(zip(table.a, table.c, strict=True)):
        if stage > 0:
            w.move("y", row)
            w.call_flow(w.fused(w.number(c), w.h, w.t), "y", stage)
    w.move("x_new", table.b)
    w.call_flow(w.add(w.t, w.h), "x_new", last)
    w.measure(table.error, last)
    w.finish(last)
    return w.text()


class _Writer:
    """The lines of the unit."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._count, self._block = 0, "entry"
        self._array = {name: self._slot(name, "ptr") for name in _ARRAYS}
        self._function = {name: self._slot(f"{name}_in_lanes", "ptr") for name in _FUNCTIONS}
        self._n = self._slot("n_states", "i64")
        self.t, self.h = (self._load(self._array[name], "0") for name in ("t", "h"))
        self._rtol, self._moving = (self._everywhere(self._slot(name, "double")) for name in ("rtol", "moving"))

    def number(self, value: float) -> str:
        """A constant in all lanes."""
        return f"splat (double 0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X})"

    def add(self, a: str, b: str) -> str:
        """a + b."""
        return self._value(f"fadd {_FLAGS} {_REAL} {a}, {b}")

    def product(self, a: str, b: str) -> str:
        """a b."""
        return self._value(f"fmul {_FLAGS} {_REAL} {a}, {b}")

    def fused(self, a: str, b: str, c: str) -> str:
        """a b + c."""
        return self.add(self.product(a, b), c)

    def move(self, target: str, row: Sequence[float]) -> None:
        """Write x + h times the weighted sum of the rates into an array."""

        def body(i: str, carried: Sequence[str]) -> Sequence[str]:
            moved = self.fused(self.h, self._weighted(i, row), self._load(self._array["x"], i))
            self._store(moved, self._array[target], i)
            return ()

        self._over_states(body, ())

    def call_flow(self, at: str, x: str, row: int) -> None:
        """The flow at a time and state into a row of rates."""
        self._store(at, self._array["at"], "0")
        self._call("flow", [self._array["at"], self._array[x], self._array["p"], self._row(row)])

    def measure(self, rows: Sequence[Sequence[float]], last: int) -> None:
        """The error of the step as `_error_source` of the kernels has it; infinite where the rates are not finite."""
        zero, infinite = self.number(0.0), self.number(math.inf)

        def body(i: str, before: Sequence[str]) -> Sequence[str]:
            x, x_new = (self._absolute(self._load(self._array[name], i)) for name in ("x", "x_new"))
            larger = self._choose(self._compare("ogt", x_new, x), x_new, x)
            entry = self._value(f"getelementptr inbounds double, ptr {self._array['atol']}, i64 {i}")
            atol = self._everywhere(self._value(f"load double, ptr {entry}"))
            unit = self._divide(self.number(1.0), self.fused(self._rtol, larger, atol))
            errors = [self.product(self._weighted(i, row), unit) for row in rows]
            sums = [self.fused(e, e, total) for e, total in zip(errors, before[:-1], strict=True)]
            good = self._compare("olt", self._absolute(self._load(self._row(last), i)), infinite)
            return [*sums, self._choose(good, before[-1], infinite)]

        *sums, no_number = self._over_states(body, [zero] * (len(rows) + 1))
        if len(rows) == 2:
            # The kernels multiply where their loop ends, before a branch, and so round the product by itself.
            hundredth = self._value(f"fmul {_REAL} {self.number(0.01)}, {sums[1]}")
            both = self._value(f"fadd {_REAL} {sums[0]}, {hundredth}")
            size = self._divide(self.product(self.h, sums[0]), self._root(self.product(both, self._moving)))
            size = self._choose(self._compare("une", both, zero), size, zero)
        else:
            size = self.product(self.h, self._root(self._divide(sums[0], self._moving)))
        self._store(self._choose(self._compare("ogt", no_number, zero), infinite, size), self._array["size"], "0")

    def finish(self, last: int) -> None:
        """Project the end, with the rates there, and evaluate the gaps."""
        t, x, p, end = self._array["t_new"], self._array["x_new"], self._array["p"], self._row(last)
        project, after = self._label(), self._label()
        none = self._value(f"icmp eq ptr {self._function['project']}, null")
        self._line(f"br i1 {none}, label %{after}, label %{project}")
        self._begin(project)
        self._call("project", [t, x, p, x])
        self._call("flow", [t, x, p, end])
        self._line(f"br label %{after}")
        self._begin(after)
        self._call("boundary", [t, x, end, p, self._array["gaps"]])

    def text(self) -> str:
        """The module."""
        declared = [f"declare {_REAL} @llvm.{name}.v{LANES}f64({_REAL})" for name in ("fabs", "sqrt")]
        head = "define i64 @step(i64 %address) nounwind {\nentry:\n  %memory = inttoptr i64 %address to ptr"
        return "\n".join([*declared, head, *self._lines, "  ret i64 0", "}"])

    def _weighted(self, i: str, row: Sequence[float]) -> str:
        """The weighted sum of the rates of state i, without the zeros."""
        total = ""
        for j, weight in enumerate(row):
            if weight != 0.0:
                term = self.product(self.number(weight), self._load(self._row(j), i))
                total = self.add(total, term) if total else term
        return total

    def _over_states(
        self, body: Callable[[str, Sequence[str]], Sequence[str]], first: Sequence[str]
    ) -> Sequence[str]:
        """A loop over the states; `body` returns the vectors that it hands on, which are the `first` ones at first."""
        label, after, before = self._label(), self._label(), self._block
        self._line(f"br label %{label}")
        self._begin(label)
        i, following, place = f"%{label}.i", f"%{label}.next", len(self._lines)
        carried = [f"%{label}.{k}" for k in range(len(first))]
        found = body(i, carried)
        phis = [f"  {i} = phi i64 [ 0, %{before} ], [ {following}, %{label} ]"]
        for name, start, end in zip(carried, first, found, strict=True):
            phis.append(f"  {name} = phi {_REAL} [ {start}, %{before} ], [ {end}, %{label} ]")
        self._lines[place:place] = phis
        self._line(f"{following} = add nuw i64 {i}, 1")
        more = self._value(f"icmp ult i64 {following}, {self._n}")
        self._line(f"br i1 {more}, label %{label}, label %{after}")
        self._begin(after)
        return found

    def _row(self, row: int) -> str:
        """The address of a row of rates."""
        start = self._value(f"mul nuw i64 {self._n}, {row}")
        return self._value(f"getelementptr inbounds {_REAL}, ptr {self._array['rates']}, i64 {start}")

    def _slot(self, name: str, kind: str) -> str:
        """What the memory holds in a slot."""
        entry = self._value(f"getelementptr inbounds i64, ptr %memory, i64 {LaneMemory.fields[name].slot}")
        return self._value(f"load {kind}, ptr {entry}")

    def _load(self, array: str, i: str) -> str:
        entry = self._value(f"getelementptr inbounds {_REAL}, ptr {array}, i64 {i}")
        return self._value(f"load {_REAL}, ptr {entry}, align 8")

    def _store(self, value: str, array: str, i: str) -> None:
        entry = self._value(f"getelementptr inbounds {_REAL}, ptr {array}, i64 {i}")
        self._line(f"store {_REAL} {value}, ptr {entry}, align 8")

    def _call(self, name: str, arrays: Sequence[str]) -> None:
        self._line(f"call void {self._function[name]}({', '.join(f'ptr {array}' for array in arrays)})")

    def _everywhere(self, number: str) -> str:
        """A number in all lanes."""
        first = self._value(f"insertelement {_REAL} poison, double {number}, i64 0")
        return self._value(f"shufflevector {_REAL} {first}, {_REAL} poison, <{LANES} x i32> zeroinitializer")

    def _absolute(self, a: str) -> str:
        return self._value(f"call {_REAL} @llvm.fabs.v{LANES}f64({_REAL} {a})")

    def _root(self, a: str) -> str:
        return self._value(f"call {_REAL} @llvm.sqrt.v{LANES}f64({_REAL} {a})")

    def _divide(self, a: str, b: str) -> str:
        return self._value(f"fdiv {_FLAGS} {_REAL} {a}, {b}")

    def _compare(self, how: str, a: str, b: str) -> str:
        return self._value(f"fcmp {how} {_REAL} {a}, {b}")

    def _choose(self, condition: str, a: str, b: str) -> str:
        return self._value(f"select <{LANES} x i1> {condition}, {_REAL} {a}, {_REAL} {b}")

    def _label(self) -> str:
        self._count += 1
        return f"b{self._count}"

    def _begin(self, label: str) -> None:
        self._block = label
        self._lines.append(f"{label}:")

    def _value(self, text: str) -> str:
        self._count += 1
        self._line(f"%v{self._count} = {text}")
        return f"%v{self._count}"

    def _line(self, text: str) -> None:
        self._lines.append("  " + text)
