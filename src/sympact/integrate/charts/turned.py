"""A run whose rotations were integrated as quaternions, in the states of the user's model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from sympact.integrate.charts.attitude import Attitude
from sympact.integrate.history.record import Record
from sympact.integrate.history.run_parts import Dense
from sympact.integrate.steppers.interpolation import Segments

__all__ = ["Chart", "TurnedRecord", "TurnedRun"]


@dataclass(frozen=True, eq=False)
class Chart:
    """The states of a model with angles, and those with quaternions.

    Attributes
    ----------
    attitudes : tuple of Attitude
    kept : array of int, shape (2, k)
        The places of the other states in the first and in the second.
    """

    attitudes: tuple[Attitude, ...]
    kept: np.ndarray

    @cached_property
    def size(self) -> int:
        """The number of states that are integrated."""
        return self.kept.shape[1] + 7 * len(self.attitudes)

    def inward(self, x: np.ndarray, functions: Any = np) -> np.ndarray:
        """States of the user's model, shape (..., n), as they are integrated, shape (..., size).

        They are numbers, or formulas with `functions` of their kind.
        """
        states = np.empty((*x.shape[:-1], self.size), x.dtype)
        states[..., self.kept[1]] = x[..., self.kept[0]]
        for attitude in self.attitudes:
            states[..., attitude.quaternion], states[..., attitude.spin] = attitude.inward(x, functions)
        return states

    def outward(
        self, x0: np.ndarray, t: np.ndarray, states: np.ndarray, motion: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """States of the user's model, shape (k, n), at times in their order, the first of which is x0.

        Parameters
        ----------
        x0 : array, shape (n,)
        t : array, shape (k,)
        states : array, shape (k, size)
        motion : callable
            The states at any times between, shape (len(t), size).
        """
        x = np.empty((len(t), len(x0)))
        x[:, self.kept[0]] = states[:, self.kept[1]]
        for attitude in self.attitudes:
            turning = partial(_turning, attitude, motion)
            quaternion, spin = states[:, attitude.quaternion], states[:, attitude.spin]
            branch = attitude.follow(t, quaternion, spin, attitude.begin(x0), turning)
            x[:, attitude.angles], x[:, attitude.speeds] = attitude.outward(quaternion, spin, branch)
        x[0] = x0
        return x

    def ends(self, x0: np.ndarray, states: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """States of the user's model at the ends of runs, shape (k, n), from those integrated, shape (k, size).

        Parameters
        ----------
        x0 : array, shape (k, n) or (1, n)
            The starts.
        states : array, shape (k, size)
        turned : array, shape (k, 2 n_attitudes)
            See `Attitude.end`.
        """
        x = np.empty((len(states), x0.shape[1]))
        x[:, self.kept[0]] = states[:, self.kept[1]]
        for i, attitude in enumerate(self.attitudes):
            quaternion, spin = states[:, attitude.quaternion], states[:, attitude.spin]
            branch = attitude.end(x0, quaternion, spin, turned[:, 2 * i : 2 * i + 2])
            x[:, attitude.angles], x[:, attitude.speeds] = attitude.outward(quaternion, spin, branch)
        return x

    def table(self, x0: np.ndarray) -> dict[str, object]:
        """The numbers, for files."""
        return {
            "attitudes": [attitude.table() for attitude in self.attitudes],
            "kept": self.kept.tolist(),
            "start": x0.tolist(),
        }

    @classmethod
    def from_table(cls, table: dict) -> tuple[Chart, np.ndarray]:
        """The chart and the start of a `table`."""
        attitudes = tuple(map(Attitude.from_table, table["attitudes"]))
        return cls(attitudes, np.array(table["kept"], dtype=int).reshape(2, -1)), np.array(table["start"], dtype=float)

    def check(self, n: int) -> None:
        """Raise ValueError unless the places are those of n states of a model, and of all that are integrated."""
        own, theirs = [self.kept[0]], [self.kept[1]]
        for attitude in self.attitudes:
            attitude.check()
            own += [attitude.angles, attitude.speeds]
            theirs += [attitude.quaternion, attitude.spin]
        for places, size in ((own, n), (theirs, self.size)):
            if sorted(np.concatenate(places).tolist()) != list(range(size)):
                raise ValueError(f"the places of {size} states are {places}")


def _turning(
    attitude: Attitude, motion: Callable[[np.ndarray], np.ndarray], t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    states = motion(t)
    return states[:, attitude.quaternion], states[:, attitude.spin]


class TurnedRun:
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

    def with_quaternions_of(self, other: TurnedRun) -> tuple[Record, Dense]:
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


class TurnedRecord(Record):
    """The samples and events of a run in the states of the user's model, which are computed on first access.

    Parameters
    ----------
    run : TurnedRun
    """

    run: TurnedRun

    def __init__(self, run: TurnedRun) -> None:
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
