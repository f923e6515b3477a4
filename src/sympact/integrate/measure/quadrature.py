"""Integrals along a run: Gauss-Legendre quadrature in each interval of samples, on the dense output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.integrate.trajectory.piece import Dense
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["Accumulated"]

Integrand = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Rates along a run, shape (n, k): takes t, shape (k,), x, shape (n_states, k), and the stages as indices."""

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
_PLACES, _WEIGHTS = 0.5 + 0.5 * _PLACES, 0.5 * _WEIGHTS
"""On (0, 1): exact for polynomials up to degree 9, which exceeds that of every dense output but Radau's and its own."""


@dataclass(frozen=True, eq=False)
class Accumulated:
    """The integrals of rates over time from the start of a run.

    An interval ends at every sample, so that no event, and no jump of data, is inside one.

    Attributes
    ----------
    record : Record
    dense : Dense
    integrand : callable
        See `Integrand`.
    """

    record: Record
    dense: Dense
    integrand: Integrand

    @cached_property
    def samples(self) -> np.ndarray:
        """The integrals at the samples of the record, shape (n, m)."""
        t = self.record.t
        ends = np.flatnonzero(np.diff(t) > 0.0) + 1
        parts = self._over(t[ends - 1], t[ends], self.record.stage[ends])
        steps = np.zeros((len(parts), len(t)))
        steps[:, ends] = parts
        return np.cumsum(steps, axis=1)

    def at(self, t: np.ndarray) -> np.ndarray:
        """The integrals at any times of the run, shape (n, len(t)); they are continuous."""
        samples, last = self.record.t, self.record.sample_at(t)
        found, inside = self.samples[:, last], np.flatnonzero(samples[last] < t)
        if inside.size:
            starts = last[inside]
            found[:, inside] += self._over(samples[starts], t[inside], self.record.stage[starts + 1])
        return found

    def _over(self, start: np.ndarray, end: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The integrals over intervals without events, shape (n, k)."""
        lengths, count = end - start, len(_PLACES)
        times = (start[:, np.newaxis] + np.outer(lengths, _PLACES)).ravel()
        order = np.argsort(times, kind="stable")
        rates = self.integrand(times[order], self.dense(times[order]).T, np.repeat(stage, count)[order])
        values = np.empty(rates.shape)
        values[:, order] = rates
        return values.reshape(len(rates), len(start), count) @ _WEIGHTS * lengths
