"""Bounds of the states along a run: over each of its steps, and over parts of them."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from sympact.integrate.steppers.interpolation import Segments
from sympact.native.rounding import EPS

__all__ = ["Bounds"]

_NOISE = 64.0 * EPS  # of the sum of the coefficients: the rounding of a few dozen operations with weights below 1


class Bounds:
    """Bounds of the states of a run, and of their rates, over any interval of time.

    On each step the state is a polynomial; its Bernstein coefficients bound it, their differences its rate.

    Parameters
    ----------
    segments : Segments
        The polynomials of the run.
    """

    def __init__(self, segments: Segments) -> None:
        self._t0, self._h, self._x0, self._nested = segments.t0, segments.h, segments.x0, segments.coefficients
        self._bernstein = np.einsum("ij,kjn->kin", _to_bernstein(segments.coefficients.shape[1]), segments.coefficients)
        self._noise = _NOISE * (np.abs(segments.coefficients).sum(axis=1) + np.abs(self._x0))
        self._low, self._high, self._least, self._most = _bounded(
            self._bernstein, self._x0, self._noise, self._h[:, np.newaxis]
        )

    def at(self, t: float, columns: np.ndarray) -> np.ndarray:
        """The states in some columns at a time."""
        step = max(int(np.searchsorted(self._t0, t, side="left")) - 1, 0)
        s = (t - self._t0[step]) / self._h[step]
        factors, value = (s, 1.0 - s), 0.0
        coefficients = self._nested[step][:, columns]
        for j in reversed(range(len(coefficients))):
            value = factors[j % 2] * (coefficients[j] + value)
        return self._x0[step, columns] + value

    def over(self, a: float, b: float, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The ends of the states in some columns and of their rates between the times a and b, four arrays."""
        first = max(int(np.searchsorted(self._t0, a, side="right")) - 1, 0)
        last = max(int(np.searchsorted(self._t0, b, side="left")), first + 1)
        if last == first + 1:
            return self._part(first, a, b, columns)
        steps = slice(first, last)
        return (
            self._low[steps][:, columns].min(axis=0),
            self._high[steps][:, columns].max(axis=0),
            self._least[steps][:, columns].min(axis=0),
            self._most[steps][:, columns].max(axis=0),
        )

    def _part(
        self, step: int, a: float, b: float, columns: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The same within one step."""
        h = self._h[step]
        s = max((a - self._t0[step]) / h, 0.0), min((b - self._t0[step]) / h, 1.0)
        coefficients = self._bernstein[step][:, columns]
        if s != (0.0, 1.0):
            coefficients = _between(coefficients, *s)
        low, high, least, most = _bounded(
            coefficients[np.newaxis], self._x0[step, columns], self._noise[step, columns], h * max(s[1] - s[0], EPS)
        )
        return low[0], high[0], least[0], most[0]


def _bounded(
    coefficients: np.ndarray, x0: np.ndarray, noise: np.ndarray, h: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The ends of polynomials and of their rates from their Bernstein coefficients, shape (k, degree + 1, n)."""
    degree = coefficients.shape[1] - 1
    slopes = np.diff(coefficients, axis=1)
    return (
        x0 + coefficients.min(axis=1) - noise,
        x0 + coefficients.max(axis=1) + noise,
        degree * (slopes.min(axis=1) - 2.0 * noise) / h,
        degree * (slopes.max(axis=1) + 2.0 * noise) / h,
    )


def _between(coefficients: np.ndarray, left: float, right: float) -> np.ndarray:
    """The Bernstein coefficients on a part of the interval (de Casteljau)."""
    rows = coefficients.copy()
    n = len(rows)
    for k in range(1, n):  # the coefficients left of `right`
        rows[k:] = (1.0 - right) * rows[k - 1 : -1] + right * rows[k:]
    s = left / right if right > 0.0 else 0.0
    for k in range(n - 1, 0, -1):  # the coefficients right of `left`
        rows[:k] = (1.0 - s) * rows[:k] + s * rows[1 : k + 1]
    return rows


@cache
def _to_bernstein(degree: int) -> np.ndarray:
    """From the rows of the nested form of a polynomial of this degree to its Bernstein coefficients."""
    weights = np.zeros((degree + 1, degree))
    for j in range(degree):
        a, b = (j + 2) // 2, (j + 1) // 2
        for k in range(a, degree - b + 1):
            weights[k, j] = comb(degree - a - b, k - a) / comb(degree, k)
    return weights
