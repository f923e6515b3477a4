"""A run in the coordinates of the user's model, where others were integrated; computed on request."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sympact.integrate.steppers.interpolation import Segments
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.piece import Dense
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["ChartedRecord", "ChartedStates"]


class ChartedStates:
    """The states of a run between its samples, in the user's model; computed on request.

    Parameters
    ----------
    chart : Chart
    x0 : array, shape (n,)
        The start in the user's model, which determines the full turns of all angles.
    integrated : Record
        The run as it was integrated.
    dense : Dense
        Its states between the samples.
    """

    def __init__(self, chart: Chart, x0: np.ndarray, integrated: Record, dense: Dense) -> None:
        self.chart, self.integrated, self.x0, self._dense = chart, integrated, x0, dense

    @cached_property
    def x(self) -> np.ndarray:
        """The states at the samples, shape (m, n)."""
        return self.chart.outward(self.x0, self.integrated.t, self.integrated.x, self._dense)

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t` (all within the run), shape (len(t), n), as of `StoredInterpolant`."""
        samples = self.integrated.t
        nearest = np.clip(np.searchsorted(samples, t, side=side) - (side == "right"), 0, len(samples) - 1)
        value = self.x[nearest]
        between = samples[nearest] != t
        if between.any():
            times = np.concatenate([samples, t[between]])
            states = np.concatenate([self.integrated.x, self._dense(t[between])])
            order = np.argsort(times, kind="stable")
            found = np.empty((len(times), len(self.x0)))
            found[order] = self.chart.outward(self.x0, times[order], states[order], self._dense)
            value[between] = found[len(samples) :]
        return value

    def segments(self) -> Segments:
        """The polynomials of the run as it was integrated."""
        return self._dense.segments()

    @property
    def dense(self) -> Dense:
        """The states that were integrated, between the samples."""
        return self._dense

    def with_quaternions_of(self, other: ChartedStates) -> tuple[Record, Dense]:
        """The run as it was integrated, with quaternions of the signs with which another run, of this chart, ends."""
        signs, end, start = np.ones(self.chart.size), other.integrated.x[-1], self.integrated.x[0]
        for attitude in self.chart.attitudes:
            places = attitude.quaternion
            signs[places] = 1.0 if end[places] @ start[places] >= 0.0 else -1.0
        if (signs > 0.0).all():
            return self.integrated, self._dense
        return replace(self.integrated, x=self.integrated.x * signs), _Signed(self._dense, signs)


class _Signed:
    """The states of a run with the opposite signs of some of them."""

    def __init__(self, dense: Dense, signs: np.ndarray) -> None:
        self._dense, self._signs = dense, signs

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        return self._dense(t, side) * self._signs

    def segments(self) -> Segments:
        own = self._dense.segments()
        return replace(own, x0=own.x0 * self._signs, coefficients=own.coefficients * self._signs)


class ChartedRecord(Record):
    """The samples and events of a run in the states of the user's model, which are computed on first access.

    Parameters
    ----------
    run : ChartedStates
    """

    run: ChartedStates

    def __init__(self, run: ChartedStates) -> None:
        numbers = {name: value for name, value in vars(run.integrated).items() if name != "x"}
        self.__dict__.update(numbers, run=run)

    @property
    def integrated(self) -> Record:
        """The record in the states that were integrated."""
        return self.run.integrated

    @property
    def chart(self) -> dict[str, object]:
        """The chart and the start, for files."""
        return self.run.chart.table(self.run.x0)

    @cached_property
    def x(self) -> np.ndarray:
        """The samples, shape (m, n)."""
        return self.run.x
