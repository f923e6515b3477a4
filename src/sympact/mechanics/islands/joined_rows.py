"""The samples and events of the runs of several islands in one order of time.

A row is a state of the whole model: one for each time at which any island has a sample, and one more after each event.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sympact.mechanics.islands.island_run import IslandRun
from sympact.native.cached import cached_property

__all__ = ["JoinedRows"]


class JoinedRows:
    """The rows of a run that consists of runs of islands.

    Parameters
    ----------
    parts : sequence of IslandRun
        In an order that resolves events at one time.

    Attributes
    ----------
    times : array, shape (k,)
        The times of all samples, increasing.
    event_t : array, shape (m,)
        The times of all events, not decreasing.
    event_part, event_place : arrays of int, shape (m,)
        The run of each event, and its index there.
    """

    def __init__(self, parts: Sequence[IslandRun]) -> None:
        self.parts = tuple(parts)
        places = [part.events for part in parts]
        whose = np.repeat(np.arange(len(places)), [len(own) for own in places])
        when = np.concatenate([part.run.event_t[own] for part, own in zip(parts, places, strict=True)])
        order = np.lexsort((whose, when))
        self.event_t, self.event_part = when[order], whose[order]
        self.event_place = np.concatenate(places)[order]
        self.times = np.unique(np.concatenate([part.sample_times for part in parts]))

    @cached_property
    def _first_event(self) -> np.ndarray:
        """The number of events before each of the times."""
        return np.searchsorted(self.event_t, self.times, side="left")

    @cached_property
    def _rows_of_times(self) -> np.ndarray:
        """How many rows each of the times has."""
        return 1 + np.searchsorted(self.event_t, self.times, side="right") - self._first_event

    @cached_property
    def t(self) -> np.ndarray:
        """The times of the rows, shape (r,)."""
        return np.repeat(self.times, self._rows_of_times)

    @cached_property
    def events_before(self) -> np.ndarray:
        """The number of events before each row, shape (r,)."""
        first_row = np.cumsum(self._rows_of_times) - self._rows_of_times
        within = np.arange(len(self.t)) - np.repeat(first_row, self._rows_of_times)
        return np.repeat(self._first_event, self._rows_of_times) + within

    @cached_property
    def event_rows(self) -> np.ndarray:
        """The row just before each event; the next one is just after, shape (m,)."""
        time = np.searchsorted(self.times, self.event_t)
        return time + np.arange(len(self.event_t))

    @cached_property
    def h(self) -> np.ndarray:
        """The time from the row before; 0 at the first one and after events."""
        return np.diff(self.t, prepend=self.t[:1])

    def samples_of(self, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows of run k, its sample in each of them or else its next one, and whether it has one there."""
        part = self.parts[k]
        own, rows = part.events, np.flatnonzero(part.covers(self.t))
        t, samples, event_t = self.t[rows], part.run.t, part.run.event_t[own]
        so_far = np.concatenate([[0], np.cumsum(self.event_part == k)])[self.events_before[rows]]
        before = np.searchsorted(event_t, t, side="left")
        there = np.searchsorted(event_t, t, side="right") - before
        found = np.minimum(np.searchsorted(samples, t, side="right") - 1, len(samples) - 1)
        exact = samples[found] == t
        nearest = np.where(exact, found, np.searchsorted(samples, t, side="left"))
        if len(own):
            left = part.record.event_sample[own]
            past = so_far - before
            begun = (there > 0) & (past < there)
            nearest = np.where(begun, left[np.minimum(so_far, len(own) - 1)], nearest)
            ended = (there > 0) & ~begun
            nearest = np.where(ended, left[np.maximum(so_far - 1, 0)] + 1, nearest)
        return rows, nearest, exact
