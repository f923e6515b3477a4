"""Times at which steps end: instants at which an input changes to its next piece.

A step ends exactly at each of these times, `set_pieces` writes the values that are valid from then on, and a new smooth
arc begins; it is no event unless contacts close, open, stick or slip at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.memory.switch_memory import ScheduleMemory, SeriesMemory
from sympact.native.addresses import address_of
from sympact.native.kernel import Unit

__all__ = ["Schedule", "Series"]

_SET_PIECES = Unit("sympact.integrate.search.series_kernel", "set_pieces", "void(float64, int64, int64, int64)")


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

    def put(self, p: np.ndarray, t: float) -> None:
        """Write the values that are valid from a time on into p."""
        p[self._entries] = self.rows[self._at(t)]

    def put_along(self, p: np.ndarray, t: np.ndarray) -> None:
        """Write the values at each time into the columns of p, shape (n, len(t))."""
        p[self._entries] = self.rows[self._at(t)].T

    @property
    def _entries(self) -> slice:
        return slice(self.place, self.place + self.rows.shape[1])

    def _at(self, t: float | np.ndarray) -> np.ndarray:
        return np.maximum(np.searchsorted(self.starts, t, side="right") - 1, 0)


@dataclass(frozen=True, eq=False)
class Schedule:
    """The times at which steps of a run end.

    Attributes
    ----------
    times : array of float64
        Increasing, within the run.
    table : array of int64
        The data of `call`.
    restore : callable
        ``restore(t)`` writes the values that are valid from a time on into the memory of the run.
    owner : object
        Objects that must live as long as the addresses are used.
    """

    times: np.ndarray
    table: np.ndarray
    restore: Callable[[float], None]
    owner: object

    @classmethod
    def of(cls, series: Sequence[Series], p: np.ndarray, switches: int, span: tuple[float, float]) -> Schedule:
        """The schedule of some series that go into p; `switches` is the address of a `SwitchData` table, or 0."""
        starts = [np.ascontiguousarray(one.starts) for one in series]
        rows = [np.ascontiguousarray(one.rows) for one in series]
        table = np.zeros(ScheduleMemory.n_slots + len(series) * SeriesMemory.n_slots, dtype=np.int64)
        place = address_of(table, "the table of Schedule")
        head = ScheduleMemory(place)
        head.switches, head.n_series = switches, len(series)
        for i, (one, begin, values) in enumerate(zip(series, starts, rows, strict=True)):
            memory = SeriesMemory(place + 8 * (ScheduleMemory.n_slots + i * SeriesMemory.n_slots))
            memory.length, memory.width = values.shape
            SeriesMemory.starts.place(memory, address_of(begin, "the starts of Schedule"))
            SeriesMemory.rows.place(memory, address_of(values, "the rows of Schedule"))
            SeriesMemory.target.place(memory, p.ctypes.data + 8 * one.place)
        times = np.unique(np.concatenate(starts))
        times = np.ascontiguousarray(times[(times > span[0]) & (times < span[1])])

        def restore(t: float) -> None:
            for one in series:
                one.put(p, t)

        return cls(times, table, restore, (p, starts, rows))

    @property
    def place(self) -> int:
        """The address of the times."""
        return address_of(self.times, "the times of Schedule")

    @property
    def call(self) -> tuple[int, int]:
        """Address and data of the function called at each time, ``void(t, x, data, x)``."""
        return _SET_PIECES.address(), address_of(self.table, "the table of Schedule")

    @staticmethod
    def units() -> list[Unit]:
        """The unit that a run with a schedule calls."""
        return [_SET_PIECES]
