"""The two sets of coordinates of a motion: those of the user's model, and those that are integrated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sympact.integrate.charts.attitude import Attitude
from sympact.native.cached import cached_property

__all__ = ["Chart"]


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
