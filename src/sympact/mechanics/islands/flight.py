"""A flight: the run of one island over a part of the span."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.integrate.history.record import Record
from sympact.mechanics.islands.island import Island
from sympact.mechanics.run.model_run import ModelRun

__all__ = ["Flight"]


@dataclass(frozen=True, eq=False)
class Flight:
    """The run of an island as far as it is part of the run of the model.

    Attributes
    ----------
    island : Island
    run : ModelRun
        It may go on beyond the end of the flight.
    end : float
        Where another flight of these states begins, or the end of the run (s).
    last : bool
        Whether it is the end of the run, which then belongs to the flight.
    """

    island: Island
    run: ModelRun
    end: float
    last: bool

    @property
    def record(self) -> Record:
        """The samples and events of its run."""
        return self.run.record

    @property
    def begin(self) -> float:
        """Where it begins (s)."""
        return float(self.run.t[0])

    def covers(self, t: np.ndarray) -> np.ndarray:
        """Which of some times belong to the flight."""
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
