"""Series of numbers that change at given times of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Series", "before_jump"]


@dataclass(frozen=True, eq=False)
class Series:
    """Numbers that change at given times.

    Attributes
    ----------
    starts : array, shape (n,)
        Increasing: the start of validity of each row; the first one is valid before its time, too.
    rows : array, shape (n, width)
    place : int
        The index of a row in p.
    """

    starts: np.ndarray
    rows: np.ndarray
    place: int

    def put(self, p: np.ndarray, t: float, before: bool = False) -> None:
        """Write the values that are valid from a time on into p; those just before it where this is said."""
        p[self._entries] = self.rows[self._at(np.array([t]), np.array([before]))[0]]

    def at(self, t: float) -> float:
        """The first of the values that are valid from a time on."""
        return float(self.rows[self._at(np.array([t]), np.array([False]))[0], 0])

    def put_along(self, p: np.ndarray, t: np.ndarray) -> None:
        """Write the values at each time of a run into the columns of p, shape (n, len(t)); see `before_jump`."""
        p[self._entries] = self.rows[self._at(t, before_jump(t))].T

    @property
    def entries(self) -> range:
        """The indices in p."""
        return range(self.place, self.place + self.rows.shape[1])

    @property
    def _entries(self) -> slice:
        return slice(self.place, self.place + self.rows.shape[1])

    def _at(self, t: np.ndarray, before: np.ndarray) -> np.ndarray:
        after = np.searchsorted(self.starts, t, side="right") - 1
        if before.any():
            left = before & (t > self.starts[0])
            after[left] = np.searchsorted(self.starts, t[left], side="left") - 1
        return np.maximum(after, 0)


def before_jump(t: np.ndarray) -> np.ndarray:
    """Which times of a run are those of the left sides of jumps, shape (len(t),): the first of several equal ones.

    Examples
    --------
    >>> before_jump(np.array([0.0, 1.0, 1.0, 1.0, 2.0])).tolist()
    [False, True, False, False, False]
    """
    again, before = t[1:] == t[:-1], np.zeros(len(t), dtype=bool)
    before[:-1] = again
    before[1:] &= ~again
    return before
