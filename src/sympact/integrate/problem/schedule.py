"""Times at which steps end: instants at which an input changes to its next piece, or a law computes its commands.

A step ends exactly at each of these times, `set_pieces` writes the values that are valid from then on, and a new smooth
arc begins; it is no event unless it is marked as one, or contacts close, open, stick or slip at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.switch_memory import LawMemory, ScheduleMemory, SeriesMemory
from sympact.integrate.problem.sampled_laws import SampledLaw
from sympact.integrate.problem.series import Series
from sympact.native.addresses import address_of
from sympact.native.kernel import Unit

__all__ = ["Schedule"]

_SET_PIECES = Unit("sympact.integrate.search.series_kernel", "set_pieces", "void(float64, int64, int64, int64)")


@dataclass(frozen=True, eq=False)
class Schedule:
    """The times at which steps of a run end.

    Attributes
    ----------
    times : array of float64
        Increasing, within the run.
    marks : array of int64
        What is recorded at each time, see `run_codes`.
    table : array of int64
        The data of `call`.
    restore : callable
        ``restore(t, before)`` writes the values that are valid from a time on into the memory of the run, or those just
        before it.
    owner : object
        Objects that must live as long as the addresses are used.
    """

    times: np.ndarray
    marks: np.ndarray
    table: np.ndarray
    restore: Callable[[float, bool], None]
    owner: object

    @classmethod
    def of(
        cls,
        series: Sequence[Series],
        p: np.ndarray,
        n_states: int,
        switches: int,
        span: tuple[float, float],
        laws: Sequence[SampledLaw] = (),
        events: Sequence[np.ndarray] = (),
        lands: bool = False,
    ) -> Schedule:
        """The schedule of a run.

        Parameters
        ----------
        series : sequence of Series
            Those that go into p; without those of `laws`.
        p : array
        n_states : int
        switches : int
            The address of a `SwitchData` table, or 0.
        span : (float, float)
        laws : sequence of SampledLaw
            In the order in which they are evaluated at one instant.
        events : sequence of arrays
            Times that are recorded as events.
        lands : bool
            Whether the start of the run is one of its times: what happens there is a change of a run that goes on.
        """
        everything = [*series, *(one for law in laws for one in law.series)]
        table = np.zeros(_length(len(everything), len(laws)), dtype=np.int64)
        place = address_of(table, "the table of Schedule")
        head = ScheduleMemory(place)
        head.n_states, head.switches, head.n_series, head.n_laws = n_states, switches, len(everything), len(laws)
        owner: list[object] = [p, laws]
        for i, one in enumerate(everything):
            owner.append(_write_series(SeriesMemory(place + 8 * _length(i, 0)), one, p))
        first = len(series)
        for i, law in enumerate(laws):
            owner.append(_write_law(LawMemory(place + 8 * _length(len(everything), i)), law, first, p))
            first += len(law.series)
        changes = {id(one.starts): one.starts for one in everything} | {id(law.times): law.times for law in laws}
        times = np.unique(np.concatenate([*changes.values(), *events, [span[0]]]))
        times = np.ascontiguousarray(times[(times >= span[0] if lands else times > span[0]) & (times < span[1])])
        written = [one.starts[1:] for law in laws for one in law.series]
        marks = np.where(np.isin(times, np.concatenate([*written, []])), codes.BOTH_SIDES, codes.UNMARKED)
        marks[np.isin(times, np.concatenate([*events, []]))] = codes.TIME_EVENT

        def restore(t: float, before: bool) -> None:
            for one in everything:
                one.put(p, t, before)

        return cls(times, np.ascontiguousarray(marks, dtype=np.int64), table, restore, owner)

    @property
    def place(self) -> tuple[int, int]:
        """The addresses of the times and of their marks."""
        return address_of(self.times, "the times of Schedule"), address_of(self.marks, "the marks of Schedule")

    @property
    def call(self) -> tuple[int, int]:
        """Address and data of the function called at each time, ``void(t, x, data, x)``."""
        return _SET_PIECES.address(), address_of(self.table, "the table of Schedule")

    @staticmethod
    def units() -> list[Unit]:
        """The unit that a run with a schedule calls."""
        return [_SET_PIECES]


def _length(n_series: int, n_laws: int) -> int:
    """The slots of a table with so many series and laws."""
    return ScheduleMemory.n_slots + n_series * SeriesMemory.n_slots + n_laws * LawMemory.n_slots


def _write_series(memory: SeriesMemory, series: Series, p: np.ndarray) -> object:
    """Write a series; returns the arrays that its memory refers to."""
    starts, rows = np.ascontiguousarray(series.starts), np.ascontiguousarray(series.rows)
    memory.length, memory.width = rows.shape
    SeriesMemory.starts.place(memory, address_of(starts, "the starts of Schedule"))
    SeriesMemory.rows.place(memory, address_of(rows, "the rows of Schedule"))
    SeriesMemory.target.place(memory, p.ctypes.data + 8 * series.place)
    return starts, rows


def _write_law(memory: LawMemory, law: SampledLaw, first: int, p: np.ndarray) -> object:
    """Write a law whose series begin with the `first` one; returns the arrays that its memory refers to."""
    times, values = np.ascontiguousarray(law.times), np.zeros(len(law.series))
    memory.length, memory.width, memory.first = len(times), len(values), first
    memory.law, memory.parameters = law.address, p.ctypes.data
    LawMemory.times.place(memory, address_of(times, "the times of a law"))
    LawMemory.values.place(memory, address_of(values, "the values of a law"))
    return times, values
