"""A step of an explicit Runge-Kutta method in all lanes, as LLVM IR: the text for any number of states.

Every lane has the bits that `sympact.integrate.steppers.runge_kutta_kernel` gives one run: the operations are the same,
in the same order, and a product is rounded together with the sum that uses it under the same rule (``contract``).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import cache

from sympact.integrate.batch.lane_memory import LANES, LaneMemory
from sympact.integrate.search.screen_kernel import CUBIC, KAPPA, THETA
from sympact.integrate.steppers.tableau import Tableau
from sympact.native import Code, load
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["lane_step", "step_source"]

_REAL = f"<{LANES} x double>"
_TRUTH = f"<{LANES} x i1>"
_FLAGS = "contract nsz"
_NAMES = "t h t_new at size quiet atol p y rates offset band x x_new gaps gaps_new largest largest_new"
_FUNCTIONS = ("flow", "boundary", "project")


@cache
def lane_step(table: Tableau) -> Code:
    """The machine code of the unit ``step`` of a method with step control: `step_source`, compiled."""
    text = step_source(table)
    return load(text, key=f"lanes of a step\n{text}", level=2)


@cache
def step_source(table: Tableau) -> str:
    """The IR of the unit ``int64 step(int64)``, whose argument is the address of a `LaneMemory`.

    It begins where the step before has ended. From t and h it writes the rates, the end of the step and its error; then
    it projects the end, writes the rates and the gaps there, and judges whether a gap is reached in the step.
    """
    last = len(table.b)
    w = _Writer(last + 1)
    w.begin(last)
    for stage, (row, c) in enumerate(zip(table.a, table.c, strict=True)):
        if stage > 0:
            w.move("y", row)
            w.call_flow(w.fused(w.number(c), w.h, w.t), "y", stage)
    w.move("y", table.b)
    w.end(last, always=table.uses_end)
    w.measure(table.error, last)
    w.finish(last)
    w.judge(last)
    return w.text()


class _Writer:
    """The lines of the unit, with some rows of rates."""

    def __init__(self, rows: int) -> None:
        self._lines: list[str] = []
        self._count, self._block = 0, "entry"
        self._array = {name: self._slot(name, "ptr") for name in _NAMES.split()}
        self._function = {name: self._slot(f"{name}_in_lanes", "ptr") for name in _FUNCTIONS}
        self._n, self._gaps = self._slot("n_states", "i64"), self._slot("n_gaps", "i64")
        self._rows = [self._row_at(row) for row in range(rows)]
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

    def begin(self, last: int) -> None:
        """The end of the step before is the start of this one."""

        def body(i: str, carried: Sequence[str]) -> Sequence[str]:
            self._store(self._load(self._array["x_new"], i), self._array["x"], i)
            self._store(self._load(self._rows[last], i), self._rows[0], i)
            return ()

        def of_gaps(i: str, carried: Sequence[str]) -> Sequence[str]:
            self._store(self._load(self._array["gaps_new"], i), self._array["gaps"], i)
            return ()

        self._over(self._n, body, ())
        self._over(self._value(f"mul nuw i64 {self._gaps}, 3"), of_gaps, ())
        self._store(self._load(self._array["largest_new"], "0"), self._array["largest"], "0")

    def move(self, target: str, row: Sequence[float]) -> None:
        """Write x + h times the weighted sum of the rates into an array."""

        def body(i: str, carried: Sequence[str]) -> Sequence[str]:
            moved = self.fused(self.h, self._weighted(i, row), self._load(self._array["x"], i))
            self._store(moved, self._array[target], i)
            return ()

        self._over(self._n, body, ())

    def call_flow(self, at: str, x: str, row: int) -> None:
        """The flow at a time and state into a row of rates."""
        self._store(at, self._array["at"], "0")
        self._call("flow", [self._array["at"], self._array[x], self._array["p"], self._rows[row]])

    def end(self, last: int, *, always: bool) -> None:
        """The rates at the end of the step; unless `always`, not where it is to be projected."""
        if always:
            self.call_flow(self.add(self.t, self.h), "y", last)
            return
        flow, after = self._label(), self._label()
        none = self._value(f"icmp eq ptr {self._function['project']}, null")
        self._line(f"br i1 {none}, label %{flow}, label %{after}")
        self._begin(flow)
        self.call_flow(self.add(self.t, self.h), "y", last)
        self._line(f"br label %{after}")
        self._begin(after)

    def measure(self, rows: Sequence[Sequence[float]], last: int) -> None:
        """The error of the step as `_error_source` of the kernels has it; infinite where the rates are not finite."""
        zero, infinite = self.number(0.0), self.number(math.inf)

        def body(i: str, before: Sequence[str]) -> Sequence[str]:
            x, x_new = (self._absolute(self._load(self._array[name], i)) for name in ("x", "y"))
            larger = self._choose(self._compare("ogt", x_new, x), x_new, x)
            entry = self._value(f"getelementptr inbounds double, ptr {self._array['atol']}, i64 {i}")
            atol = self._everywhere(self._value(f"load double, ptr {entry}"))
            unit = self._divide(self.number(1.0), self.fused(self._rtol, larger, atol))
            errors = [self.product(self._weighted(i, row), unit) for row in rows]
            sums = [self.fused(e, e, total) for e, total in zip(errors, before[:-1], strict=True)]
            good = self._compare("olt", self._absolute(self._load(self._rows[last], i)), infinite)
            return [*sums, self._choose(good, before[-1], infinite)]

        *sums, no_number = self._over(self._n, body, [zero] * (len(rows) + 1))
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
        t, x, p, end = self._array["t_new"], self._array["x_new"], self._array["p"], self._rows[last]
        project, after = self._label(), self._label()
        none = self._value(f"icmp eq ptr {self._function['project']}, null")

        def body(i: str, carried: Sequence[str]) -> Sequence[str]:
            self._store(self._load(self._array["y"], i), x, i)
            return ()

        self._over(self._n, body, ())
        self._line(f"br i1 {none}, label %{after}, label %{project}")
        self._begin(project)
        self._call("project", [t, x, p, x])
        self._call("flow", [t, x, p, end])
        self._line(f"br label %{after}")
        self._begin(after)
        self._call("boundary", [t, x, end, p, self._array["gaps_new"]])

    def judge(self, last: int) -> None:
        """Whether the step is finite and no gap is reached in it, as `clear` of the kernels has it but for rounding."""

        def sizes(i: str, before: Sequence[str]) -> Sequence[str]:
            return [self.add(before[0], self._absolute(self._load(self._rows[last], i)))]

        (total,) = self._over(self._n, sizes, [self.number(0.0)])
        finite = self._compare("olt", total, self.number(math.inf))
        inverse, none = self._divide(self.number(1.0), self.h), self.number(math.inf)

        def body(i: str, before: Sequence[str]) -> Sequence[str]:
            old, new = self._three("gaps", i), self._three("gaps_new", i)
            new[0] = self._less(new[0], self._load(self._array["offset"], i))
            self._store(new[0], self._array["gaps_new"], i)
            bend = self._absolute(new[2])
            larger = self._both(self._compare("ogt", bend, before[1]), self._compare("olt", bend, none))
            verdict = self._verdict(old, new, inverse, self._load(self._array["band"], i))
            return [self._choose(verdict, before[0], self.number(0.0)), self._choose(larger, bend, before[1])]

        first = [self._choose(finite, self.number(1.0), self.number(0.0)), self._load(self._array["largest"], "0")]
        quiet, largest = self._over(self._gaps, body, first)
        self._store(quiet, self._array["quiet"], "0")
        self._store(largest, self._array["largest_new"], "0")

    def _verdict(self, old: Sequence[str], new: Sequence[str], inverse: str, band: str) -> str:
        """The condition that a gap is not reached: `far`, or both bounds of `lower`, by more than rounding changes."""
        (ga, da, aa), (gb, db, ab), h = old, new, self.h
        total = self._absolute(ga)
        for value in (da, aa, gb, db, ab):
            total = self.add(total, self._absolute(value))
        change = self._less(db, da)
        slope = self._largest([self._absolute(v) for v in (da, db, self.product(self._less(gb, ga), inverse))])
        bend = self._largest([self._absolute(v) for v in (aa, ab, self.product(change, inverse))])
        reach = self.product(h, self.fused(h, bend, slope))
        size = self.add(self.add(self._absolute(ga), self._absolute(gb)), reach)
        slack = self.product(self.number(ROUNDINGS * EPS), size)
        least = self._smaller(ga, gb)
        far = self._compare("ogt", self._less(least, reach), slack)

        tenth, third = self.number(0.1), self.number(1.0 / 3.0)
        ua, ub, uu = self.product(h, da), self.product(h, db), self.product(self.number(0.05), self.product(h, h))
        b1, b4 = self.fused(self.number(0.2), ua, ga), self.fused(self.number(-0.2), ub, gb)
        b2 = self.add(ga, self.fused(self.number(0.4), ua, self.product(uu, aa)))
        b3 = self.add(gb, self.fused(self.number(-0.4), ub, self.product(uu, ab)))
        c1, c2 = self.fused(third, ua, ga), self._less(gb, self.product(third, ub))
        three, six = self.number(3.0), self.number(6.0)
        from_left = self._less(b2, self.product(tenth, self.fused(six, c1, self.fused(three, c2, ga))))
        from_right = self._less(b3, self.product(tenth, self.fused(three, c1, self.fused(six, c2, gb))))
        margin = self._largest([self._absolute(from_left), self._absolute(from_right)])
        middle = self._smaller(self._smaller(b1, b2), self._smaller(b3, b4))
        low = self._less(middle, self.product(self.number(THETA * CUBIC), margin))

        curvature = self.product(self.number(KAPPA), bend)
        half = self.product(self.number(0.5), curvature)
        turn = self.fused(curvature, h, change)
        s = self._divide(self.add(self._less(ga, gb), self.fused(self.product(half, h), h, ub)), turn)
        under = self.fused(s, self._less(da, self.product(half, s)), ga)
        zero = self.number(0.0)
        within = self._both(self._compare("ogt", s, zero), self._compare("olt", s, h))
        within = self._both(within, self._compare("ogt", turn, zero))
        low = self._smaller(low, self._smaller(least, self._choose(within, under, least)))

        falls = self._both(self._compare("ole", gb, zero), self._compare("olt", db, zero))
        stays = self._value(f"xor {_TRUTH} {falls}, splat (i1 true)")
        above = self._both(stays, self._compare("ogt", low, self._less(slack, band)))
        clear = self._value(f"or {_TRUTH} {far}, {above}")
        return self._both(clear, self._compare("olt", total, self.number(math.inf)))

    def _three(self, array: str, i: str) -> list[str]:
        """g, g', g'' of a gap."""
        rate = self._value(f"add nuw i64 {i}, {self._gaps}")
        bend = self._value(f"add nuw i64 {rate}, {self._gaps}")
        return [self._load(self._array[array], place) for place in (i, rate, bend)]

    def _less(self, a: str, b: str) -> str:
        return self._value(f"fsub {_FLAGS} {_REAL} {a}, {b}")

    def _smaller(self, a: str, b: str) -> str:
        return self._choose(self._compare("olt", b, a), b, a)

    def _largest(self, values: Sequence[str]) -> str:
        found = values[0]
        for value in values[1:]:
            found = self._choose(self._compare("ogt", value, found), value, found)
        return found

    def _both(self, a: str, b: str) -> str:
        return self._value(f"and {_TRUTH} {a}, {b}")

    def text(self) -> str:
        """The module."""
        declared = [f"declare {_REAL} @llvm.{name}.v{LANES}f64({_REAL})" for name in ("fabs", "sqrt")]
        head = "define i64 @step(i64 %address) nounwind {\nentry:\n  %memory = inttoptr i64 %address to ptr"
        return "\n".join([*declared, head, *self._lines, "  ret i64 0", "}"])

    def _weighted(self, i: str, row: Sequence[float]) -> str:
        """The weighted sum of the rates of state i, without the zeros.

        A negative weight is a difference, also where it is the first: LLVM writes the sums of the kernels so, and the
        product that comes first in the line is the one that is not rounded by itself.
        """
        terms = [(weight, self._load(self._rows[j], i)) for j, weight in enumerate(row) if weight != 0.0]
        if len(terms) > 1 and terms[0][0] < 0.0 < terms[1][0]:
            terms[:2] = terms[1], terms[0]
        total = self.product(self.number(terms[0][0]), terms[0][1])
        for weight, rate in terms[1:]:
            term = self.product(self.number(abs(weight)), rate)
            total = self.add(total, term) if weight > 0.0 else self._less(total, term)
        return total

    def _over(
        self, end: str, body: Callable[[str, Sequence[str]], Sequence[str]], first: Sequence[str]
    ) -> Sequence[str]:
        """A loop over at least one entry; `body` returns the vectors for the next entry, `first` are for the first."""
        label, after, before = self._label(), self._label(), self._block
        self._line(f"br label %{label}")
        self._begin(label)
        i, following, place = f"%{label}.i", f"%{label}.next", len(self._lines)
        carried = [f"%{label}.{k}" for k in range(len(first))]
        found = body(i, carried)
        phis = [f"  {i} = phi i64 [ 0, %{before} ], [ {following}, %{label} ]"]
        for name, start, handed in zip(carried, first, found, strict=True):
            phis.append(f"  {name} = phi {_REAL} [ {start}, %{before} ], [ {handed}, %{label} ]")
        self._lines[place:place] = phis
        self._line(f"{following} = add nuw i64 {i}, 1")
        more = self._value(f"icmp ult i64 {following}, {end}")
        self._line(f"br i1 {more}, label %{label}, label %{after}")
        self._begin(after)
        return found

    def _row_at(self, row: int) -> str:
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
        return self._value(f"select {_TRUTH} {condition}, {_REAL} {a}, {_REAL} {b}")

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
