"""The run of one island over a part of the span."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.history.record import Record
from sympact.mechanics.islands.bounds import Bounds
from sympact.mechanics.islands.island import Island
from sympact.mechanics.run.model_run import ModelRun
from sympact.native.kernel import function_at

__all__ = ["IslandRun"]

_PROJECT = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_CLOSE = KINDS.index(EventKind.CLOSE)


@dataclass(frozen=True, eq=False)
class IslandRun:
    """The run of an island as far as it is part of the run of the model.

    Attributes
    ----------
    island : Island
    run : ModelRun
        It may go on beyond `end`.
    end : float
        Where another run of these states begins, or the end of the run of the model (s).
    last : bool
        Whether that is the end of the run of the model, which then belongs to it.
    resumed : bool
        Whether it continues another run: that it begins with closed contacts is no event then.
    """

    island: Island
    run: ModelRun
    end: float
    last: bool = False
    resumed: bool = False

    @property
    def record(self) -> Record:
        """The samples and events of its run."""
        return self.run.record

    @property
    def begin(self) -> float:
        """Where it begins (s)."""
        return float(self.run.t[0])

    def covers(self, t: np.ndarray) -> np.ndarray:
        """Which of some times belong to it."""
        return (t >= self.begin) & ((t <= self.end) if self.last else (t < self.end))

    @property
    def sample_times(self) -> np.ndarray:
        """The times of its samples."""
        t = self.run.t
        return t[self.covers(t)]

    @property
    def events(self) -> np.ndarray:
        """The indices of its events in its run."""
        when = self.run.event_t
        found = np.flatnonzero(self.covers(when))
        if self.resumed and found.size and when[0] == self.begin and self.record.event_kind[0] == _CLOSE:
            return found[1:]
        return found

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of its states over any interval of its time."""
        return Bounds(self.run.interpolant.segments())

    def between(self, t: np.ndarray, modes: np.ndarray) -> np.ndarray:
        """The states at times between its samples, in these modes: on the polynomials, projected as those of steps.

        What is at rest has the state of its samples.
        """
        x, contacts = np.ascontiguousarray(self.run.interpolant(t)), len(self.island.contacts)
        table = self.run.modes.table
        moving = [k for k, mode in enumerate(modes.tolist()) if table.shape[1] == 1 or table[mode, 1 + contacts] == 0]
        with self.run.modes.memory() as memory:
            for k in moving:
                time, mode = float(t[k]), int(modes[k])
                stage = memory.program.stages[memory.restore(mode)]
                if stage.project:
                    memory.go_to(time)
                    function_at(_PROJECT, stage.project)(time, x[k].ctypes.data, stage.flow_data, x[k].ctypes.data)
        return x

    def ended_at(self, t: float, *, last: bool = False) -> IslandRun:
        """The part of it before a time."""
        other = replace(self, end=t, last=last)
        if "bounds" in self.__dict__:
            other.__dict__["bounds"] = self.bounds
        return other
