"""The times at which the steps of a run end that is stepped from outside, beside those of its schedule."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from sympact.integrate.loop.prepared_run import ENDINGS, LOOP, PreparedRun
from sympact.integrate.loop.workspace import Workspace
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.status import Status
from sympact.native.addresses import address_of

__all__ = ["Stops"]

_SLICE = 10_000  # steps between two looks for Ctrl-C
_SLOT = {name: RunMemory.fields[name].slot for name in ("t", "t_stop", "budget", "events", "max_events", "n_stops")}
_T, _T_STOP, _BUDGET, _EVENTS = _SLOT["t"], _SLOT["t_stop"], _SLOT["budget"], _SLOT["events"]
_MAX_EVENTS, _N_STOPS, _NEXT_STOP = _SLOT["max_events"], _SLOT["n_stops"], RunMemory.fields["next_stop"].slot


class Stops:
    """The next ends of steps of one run: what lands at the present time, the schedule, and where the run pauses.

    Parameters
    ----------
    prepared : PreparedRun
    workspace : Workspace
        Of the run, which has begun.
    schedule : Schedule
        Times at which something happens in the run itself, such as those of controllers; it may have none.
    """

    def __init__(self, prepared: PreparedRun, workspace: Workspace, schedule: Schedule) -> None:
        self._workspace, self._prepared = workspace, prepared
        run = self._run = workspace.run
        self._planned, self._marks_planned = schedule.times.tolist(), schedule.marks.tolist()
        self._times = np.zeros(len(self._planned) + 2)
        self._marks = np.full(len(self._times), codes.PAUSE, dtype=np.int64)
        RunMemory.stops.place(run, address_of(self._times, "the stops of Stops"))
        RunMemory.marks.place(run, address_of(self._marks, "the marks of Stops"))
        run.arrive, run.arrive_data = schedule.call
        self._loop, self._address, self._end = LOOP.callable(), workspace.address, float(run.t_end)
        self._slots, self._doubles, self._most = run.slots, run.doubles, int(run.max_events)
        self._slots[_N_STOPS], self._several = 1, False

    def reach(self, until: float, lands: bool) -> Status | None:
        """See `Session.reach`."""
        slots, doubles = self._slots, self._doubles
        if lands or self._planned:
            self._plan(float(doubles[_T]), until, lands)
            self._several = True
        else:
            self._times[0] = doubles[_T_STOP] = until
            slots[_NEXT_STOP] = 0
            if self._several:
                self._marks[0], slots[_N_STOPS], self._several = codes.PAUSE, 1, False
        slots[_MAX_EVENTS] = slots[_EVENTS] + self._most
        faults = self._prepared.faults
        faults.watch(self._run)
        while True:
            slots[_BUDGET] = _SLICE
            code = self._loop(self._address)
            if code != codes.PAUSED or (doubles[_T] >= until and slots[_BUDGET] > 0):
                break
            self._workspace.make_room()
        faults.watch(None)
        if faults.raised is not None:
            return Status.FAULT
        if code == codes.PAUSED:
            return None
        return ENDINGS[code]

    def _plan(self, t: float, until: float, lands: bool) -> None:
        """Write the ends of steps from the present time to that of the pause."""
        first, last = bisect_left(self._planned, t), bisect_left(self._planned, until)
        due = first < len(self._planned) and self._planned[first] == t
        times, marks = self._planned[first:last], self._marks_planned[first:last]
        if lands and not due:
            times, marks = [t, *times], [codes.BOTH_SIDES, *marks]
        times, marks, count = [*times, until], [*marks, codes.PAUSE], len(times) + 1
        for k in range(count):  # few: slices cost more
            self._times[k], self._marks[k] = times[k], marks[k]
        self._slots[_N_STOPS], self._slots[_NEXT_STOP], self._doubles[_T_STOP] = count, 0, times[0]
