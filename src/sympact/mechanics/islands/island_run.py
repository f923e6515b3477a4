"""The run of one island over a part of the span."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace

import numpy as np

from sympact.integrate.trajectory.mode_names import Modes
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Trajectory
from sympact.mechanics.islands.island import Island
from sympact.mechanics.run.ended_model import EndedModel
from sympact.native.kernel import function_at

__all__ = ["IslandRun", "projected"]

_PROJECT = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


@dataclass(frozen=True, eq=False)
class IslandRun:
    """The run of an island as far as it is part of the run of the model.

    Attributes
    ----------
    island : Island
    run : Trajectory
        It may go on beyond `end`.
    model : EndedModel
        That of the island.
    end : float
        Where another run of these states begins, or the end of the run of the model (s).
    last : bool
        Whether that is the end of the run of the model, which then belongs to it.
    """

    island: Island
    run: Trajectory
    model: EndedModel
    end: float
    last: bool = False

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
        return np.flatnonzero(self.covers(self.run.event_t))

    def between(self, t: np.ndarray, modes: np.ndarray) -> np.ndarray:
        """The states at times between its samples, in these modes: on the polynomials, projected as those of steps.

        What is at rest has the state of its samples.
        """
        x = np.ascontiguousarray(self.run.interpolant(t))
        projected(self.run.piece.modes, len(self.island.contacts), t, x, modes)
        return x

    def ended_at(self, t: float, *, last: bool = False) -> IslandRun:
        """The part of it before a time."""
        return replace(self, end=t, last=last)


def projected(modes: Modes, contacts: int, t: np.ndarray, x: np.ndarray, numbers: np.ndarray) -> None:
    """Project states in some modes of a run, as the ends of its steps are; what is at rest is left as it is.

    Parameters
    ----------
    modes : Modes
    contacts : int
        How many the island has.
    t : array, shape (k,)
    x : array, shape (k, n_states)
        Changed in place.
    numbers : array of int, shape (k,)
        The mode at each time.
    """
    table = modes.table
    moving = [k for k, mode in enumerate(numbers.tolist()) if table.shape[1] == 1 or table[mode, 1 + contacts] == 0]
    with modes.memory() as memory:
        for k in moving:
            time, mode = float(t[k]), int(numbers[k])
            stage = memory.program.stages[memory.restore(mode)]
            if stage.project:
                memory.go_to(time)
                function_at(_PROJECT, stage.project)(time, x[k].ctypes.data, stage.flow_data, x[k].ctypes.data)
