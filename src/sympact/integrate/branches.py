"""Which branches of conditions were in force in each step of a run, so that a step can be repeated."""

from __future__ import annotations

import ctypes

import numpy as np

from sympact.integrate.program import Program
from sympact.integrate.record import Record

__all__ = ["Branches"]


class Branches:
    """Sets the switches of a program to what they were in a step.

    Parameters
    ----------
    program : Program
    record : Record
        Of a run of the program: each event tells the switches after it.
    """

    def __init__(self, program: Program, record: Record) -> None:
        self._record, self._stages = record, program.stages
        self._values = [_doubles(*stage.switches) for stage in program.stages]

    def restore(self, sample: int) -> None:
        """Set the switches to those of the step that leads to a sample."""
        record, stage = self._record, int(self._record.stage[sample])
        values, names = self._values[stage], self._stages[stage].boundary_names
        if not len(values):
            return
        event = int(np.searchsorted(record.event_sample, sample)) - 1
        if event < 0:
            values[:] = self._stages[stage].switches_at_start
            return
        after = record.event_impulse[event, len(names) - len(values) : len(names)]
        if after.all():
            values[:] = after


def _doubles(address: int, count: int) -> np.ndarray:
    return np.frombuffer((ctypes.c_double * count).from_address(address)) if count else np.empty(0)
