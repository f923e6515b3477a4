"""Data as inputs: piecewise polynomials of time, interpolated here or given as SciPy's splines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sympact.integrate.problem.real import real_array
from sympact.native.rounding import SAME

__all__ = ["Interpolated", "Polynomials", "is_spline", "polynomials_of"]

_KINDS = ("linear", "cubic", "hold")
_MOST_PIECES = 10_000_000


class Interpolated:
    """Data to be interpolated: an input of a model, ``inputs={F: Interpolated(times, values)}``.

    A step of the run ends at every knot and the next one begins there, so that no step covers two pieces.

    Parameters
    ----------
    times : array_like, shape (n,)
        Increasing (s).
    values : array_like, shape (n,)
    kind : {"linear", "cubic", "hold"}, default "linear"
        Straight lines; the cubic spline of SciPy's `CubicSpline` (not-a-knot), whose first two derivatives are
        continuous; or each value from its time until the next one, the last one without end.

    Raises
    ------
    ValueError
        If the numbers are not as many times as values, not finite, too few, or the times do not increase.
    TypeError
        If they are no numbers.

    Notes
    -----
    A run must lie within the times; with ``"hold"`` it may go beyond the last one. SciPy's splines are inputs
    themselves, and extend beyond their knots according to their `extrapolate`.

    Examples
    --------
    >>> ramp = Interpolated([0.0, 1.0, 3.0], [0.0, 2.0, 2.0])
    >>> ramp([0.5, 1.0, 2.5])
    array([1., 2., 2.])
    >>> float(Interpolated([0.0, 1.0], [5.0, 6.0], kind="hold")(0.999))
    5.0
    """

    def __init__(self, times: object, values: object, kind: str = "linear") -> None:
        if kind not in _KINDS:
            raise ValueError(f"kind is {kind!r}, expected one of {', '.join(map(repr, _KINDS))}")
        self.kind = kind
        self.times, self.values = _numbers("times", times), _numbers("values", values)
        if len(self.times) != len(self.values):
            raise ValueError(
                f"there are {len(self.times)} times and {len(self.values)} values, expected a value for each time"
            )
        if len(self.times) < (1 if kind == "hold" else 2):
            raise ValueError(f"there are {len(self.times)} times, expected at least two to interpolate between")
        back = np.flatnonzero(np.diff(self.times) <= 0.0)
        if back.size:
            i = int(back[0])
            raise ValueError(
                f"times[{i + 1}] = {self.times[i + 1]:.9g} does not come after times[{i}] = {self.times[i]:.9g}; "
                "expected increasing times"
            )
        self.times.flags.writeable = self.values.flags.writeable = False

    def __call__(self, t: ArrayLike) -> np.ndarray:
        """The values at times, shape of t.

        Raises
        ------
        ValueError
            If a time lies outside of the data.
        """
        times, pieces = np.asarray(t, dtype=float), self._polynomials()
        if times.size:
            pieces.check(float(times.min()), float(times.max()), "the data")
        return pieces(times)

    def __repr__(self) -> str:
        span = f"{len(self.times)} times from {self.times[0]:.6g} to {self.times[-1]:.6g}"
        return f"Interpolated({span}, kind={self.kind!r})"

    def _polynomials(self) -> Polynomials:
        times, values = self.times, self.values
        if self.kind == "hold":
            return Polynomials(times, values[:, np.newaxis], (times[0], np.inf))
        if self.kind == "linear":
            rows = np.stack([values[:-1], np.diff(values) / np.diff(times)], axis=1)
            return Polynomials(times[:-1], rows, (times[0], times[-1]))
        from scipy.interpolate import CubicSpline

        return polynomials_of(CubicSpline(times, values, extrapolate=False))


@dataclass(frozen=True, eq=False)
class Polynomials:
    """A piecewise polynomial.

    Attributes
    ----------
    starts : array, shape (n,)
        Where the pieces begin; each goes to the next start.
    rows : array, shape (n, degree + 1)
        c_0, c_1, ...: the value is c_0 + c_1 (t - start) + ...
    span : (float, float)
        Where it is defined.
    period : float
        The period of its repetition; 0 without one.
    """

    starts: np.ndarray
    rows: np.ndarray
    span: tuple[float, float]
    period: float = 0.0

    @property
    def degree(self) -> int:
        """The highest power of time."""
        return self.rows.shape[1] - 1

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """The values at times, shape of t; at a knot those of the piece that begins there."""
        if self.period:
            t = self.starts[0] + np.mod(t - self.starts[0], self.period)
        k = np.maximum(np.searchsorted(self.starts, t, side="right") - 1, 0)
        since, total = t - self.starts[k], np.zeros(np.shape(t))
        for column in self.rows.T[::-1]:
            total = column[k] + since * total
        return total

    def check(self, first: float, last: float, called: str) -> None:
        """Raise a ValueError if it is not defined from the first to the last time."""
        if first < self.span[0] or last > self.span[1]:
            raise ValueError(
                f"{called} go from t = {self.span[0]:.9g} to {self.span[1]:.9g}, but are needed from {first:.9g} "
                f"to {last:.9g}; expected data for the whole time"
            )

    def table(self, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
        """The pieces in use from the first to the last time: where they begin, and their rows [t_0, c_0, c_1, ...].

        Raises
        ------
        ValueError
            If there are too many repetitions.
        """
        starts, origins, rows = self.starts, self.starts, self.rows
        if self.period:
            low, high = (int(np.floor((t - starts[0]) / self.period)) for t in (first, last))
            periods = high - low + 1
            if periods * len(starts) > _MOST_PIECES:
                raise ValueError(f"the run has {periods} periods of {len(starts)} pieces each, too many to list")
            shifts = self.period * np.arange(low, high + 1)
            starts = origins = (shifts[:, np.newaxis] + starts).ravel()
            rows = np.tile(rows, (len(shifts), 1))
        i, j = np.searchsorted(starts, [first, last], side="right")
        used = slice(max(int(i) - 1, 0), max(int(j), 1))
        return starts[used].copy(), np.column_stack([origins[used], rows[used]])

    def jump(self, order: int) -> tuple[float, int] | None:
        """The first knot at which the derivative of an order below `order` jumps, and that order; None without one."""
        lengths, left, right = np.diff(self.starts), self.rows[:-1], self.rows[1:]
        if self.period:
            lengths = np.append(lengths, self.starts[0] + self.period - self.starts[-1])
            left, right = self.rows, np.roll(self.rows, -1, axis=0)
        for below in range(order):
            if below > self.degree:
                break
            ends = _derivative_at(left, lengths, below)
            begins = _derivative_at(right, np.zeros(len(right)), below)
            largest = max(np.abs(ends).max(initial=0.0), np.abs(begins).max(initial=0.0))
            far = np.flatnonzero(np.abs(ends - begins) > SAME * largest)
            if far.size:
                return float(self.starts[0] + np.cumsum(lengths)[far[0]]), below
        return None


def is_spline(value: object) -> bool:
    """Whether a value is a spline or piecewise polynomial of SciPy that can be decomposed."""
    if not str(type(value).__module__).startswith("scipy.interpolate"):  # a function of SymPy's has no module
        return False
    return (hasattr(value, "c") and hasattr(value, "x")) or hasattr(value, "tck") or hasattr(value, "derivatives")


def polynomials_of(spline: Any) -> Polynomials:
    """The pieces of `Interpolated` data or of a spline of SciPy's.

    Raises
    ------
    ValueError
        If it has several components, complex coefficients, or is written in another basis.
    """
    if isinstance(spline, Polynomials):
        return spline
    if isinstance(spline, Interpolated):
        return spline._polynomials()
    if hasattr(spline, "tck"):
        return _of_b_spline(spline)
    if hasattr(spline, "derivatives") and hasattr(spline, "get_knots"):
        knots = np.asarray(spline.get_knots(), dtype=float)
        rows = np.array([spline.derivatives(t) for t in knots[:-1]])
        return Polynomials(knots[:-1], rows / _factorials(rows.shape[1]), (knots[0], knots[-1]))
    if type(spline).__name__ == "BPoly" or np.ndim(spline.c) != 2 or np.iscomplexobj(spline.c):
        raise ValueError(
            f"it is a {type(spline).__name__} with coefficients of shape {np.shape(spline.c)}; expected a spline of "
            "one real value, in powers (PPoly.from_bernstein_basis converts)"
        )
    knots = np.asarray(spline.x, dtype=float)
    return _extrapolated(knots, np.ascontiguousarray(spline.c[::-1].T, dtype=float), spline.extrapolate)


def _of_b_spline(spline: Any) -> Polynomials:
    """A `BSpline` by its derivatives at its knots."""
    t, c, k = spline.tck
    if np.ndim(c) != 1 or np.iscomplexobj(c):
        raise ValueError(
            f"it is a BSpline with coefficients of shape {np.shape(c)}; expected a spline of one real value"
        )
    knots = np.unique(np.asarray(t, dtype=float)[k : len(t) - k])
    rows = np.stack([spline(knots[:-1], nu=order) for order in range(k + 1)], axis=1)
    return _extrapolated(knots, rows / _factorials(k + 1), spline.extrapolate)


def _extrapolated(knots: np.ndarray, rows: np.ndarray, extrapolate: object) -> Polynomials:
    if extrapolate == "periodic":
        return Polynomials(knots[:-1], rows, (-np.inf, np.inf), float(knots[-1] - knots[0]))
    span = (-np.inf, np.inf) if extrapolate else (float(knots[0]), float(knots[-1]))
    return Polynomials(knots[:-1], rows, span)


def _factorials(n: int) -> np.ndarray:
    return np.cumprod([1.0, *range(1, n)])


def _derivative_at(rows: np.ndarray, since: np.ndarray, order: int) -> np.ndarray:
    """The derivative of each polynomial some time after its start."""
    total = np.zeros(len(rows))
    for power in range(rows.shape[1] - 1, order - 1, -1):
        factor = np.prod(np.arange(power - order + 1, power + 1, dtype=float))
        total = total * since + factor * rows[:, power]
    return total


def _numbers(name: str, given: object) -> np.ndarray:
    try:
        array = real_array(given)
    except ValueError as error:
        raise TypeError(f"{name}: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}, expected (n,): one number for each knot")
    wrong = np.flatnonzero(~np.isfinite(array))
    if wrong.size:
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]}, expected finite numbers")
    return array
