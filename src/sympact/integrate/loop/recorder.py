"""What a run keeps of its samples while it goes on: those at events and at given times, in place of every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sympact.integrate.history.run_view import RunView
from sympact.integrate.measure.observers import Observer, checked_observers
from sympact.integrate.problem.times import sample_times
from sympact.integrate.steppers.interpolation import StoredInterpolant, no_segments
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.piece import KnownPiece
from sympact.integrate.trajectory.trajectory import Trajectory

__all__ = ["Recorder", "Recording", "recorded"]

RUN, EVENTS = "run", "events"
_SAMPLE = ("sample_t", "sample_x", "sample_h", "sample_stage")


@dataclass(frozen=True, eq=False)
class Recording:
    """The samples that a run keeps, and what is observed along it.

    Attributes
    ----------
    t_eval : array or None
        The times at which the result is requested.
    whole : bool
        Whether all steps are kept.
    observers : mapping of str to Observer
    """

    t_eval: np.ndarray | None = None
    whole: bool = True
    observers: Mapping[str, Observer] = field(default_factory=dict)

    @classmethod
    def read(
        cls, t_eval: Sequence[float] | None, span: tuple[float, float], keep: object, observe: object
    ) -> Recording:
        """From the arguments of a run, checked.

        Raises
        ------
        ValueError
            If `keep` is neither "run" nor "events", or `t_eval` has other times than increasing ones within the span.
        TypeError
            If `observe` is no mapping of names to observers.
        """
        if not (isinstance(keep, str) and keep in (RUN, EVENTS)):
            raise ValueError(
                f"keep is {keep!r}, expected 'run' for all steps, or 'events' for the states at events, at t_eval, and "
                "at both ends; the end alone is result.x[:, -1] of either"
            )
        times = None if t_eval is None else sample_times(t_eval, span)
        return cls(times, keep == RUN, {} if observe is None else checked_observers(observe))

    @property
    def of_record(self) -> Recording:
        """What determines the record: of a run that keeps all of its steps no times."""
        return Recording(None, self.whole, self.observers) if self.whole else self


class Recorder:
    """Takes the parts of a run, one after the other, and keeps the requested samples of them.

    Parameters
    ----------
    recording : Recording
    result_of : callable
        ``result_of(part, x0)``: the `Result` of a part of the run, which begins at the state x0 in the user's model;
        None for the first part.

    Attributes
    ----------
    observed : dict of str to Observation
        So far.
    x : list of array
        The kept states in the user's model, a row each.
    atol : float or list of float
        The absolute tolerances as the user gave them.
    """

    def __init__(
        self,
        recording: Recording,
        result_of: Callable[[Any, np.ndarray | None], Any],
    ) -> None:
        self.observed: dict[str, Observation] = {}
        self.x: list[np.ndarray] = []
        self._times = np.empty(0) if recording.t_eval is None else recording.t_eval
        self._observers, self._result_of = recording.observers, result_of
        self._columns: dict[str, list[np.ndarray]] = {name: [] for name in _SAMPLE}
        self._places: list[np.ndarray] = []
        self._count, self._begun = 0, False
        self._last: np.ndarray | None = None
        self.atol: object = None

    def take(self, part: Any, last: bool) -> None:
        """Keep the requested samples of a part, a `WrittenPiece`; the `last` one ends the run."""
        result = self._result_of(part, self._last)
        for name, observer in self._observers.items():
            found = observer.of(result)
            self.observed[name] = self.observed[name].followed_by(found) if self._begun else found
        record = result._record
        before, self.atol = record.event_sample, record.settings["atol"]
        own = np.concatenate([[0] * (not self._begun), before, before + 1, [len(record.t) - 1] * last]).astype(int)
        rows = np.unique(own)
        asked = self._times[(self._times > record.t[0]) & (self._times <= record.t[-1])]
        asked = np.setdiff1d(asked, record.t[rows])
        states = {name: part.samples[name][rows] for name in _SAMPLE}
        between = {"sample_t": asked, "sample_x": part.interpolant(asked) if asked.size else states["sample_x"][:0]}
        between |= {"sample_h": np.zeros(len(asked)), "sample_stage": record.stage_at(asked)}
        order = np.argsort(np.concatenate([states["sample_t"], asked]), kind="stable")
        for name in _SAMPLE:
            self._columns[name].append(np.concatenate([states[name], between[name]])[order])
        self.x.append(np.concatenate([record.x[rows], result(asked).T if asked.size else record.x[:0]])[order])
        place = np.empty(len(order), dtype=int)
        place[order] = np.arange(len(order))
        self._places.append(self._count + place[np.searchsorted(rows, before)])
        self._count, self._begun, self._last = self._count + len(order), True, record.x[-1]

    def samples(self) -> dict[str, np.ndarray]:
        """The kept samples as the columns of a run."""
        found = {name: np.concatenate(parts) for name, parts in self._columns.items()}
        return {**found, "sample_h": np.zeros(self._count)}

    def event_samples(self) -> np.ndarray:
        """The places in them of the sample before each event."""
        return np.concatenate(self._places)


def recorded(run: Trajectory, recording: Recording, recorder: Recorder | None = None) -> Trajectory:
    """A run with the numbers that were observed along it; of the samples alone that a recorder has kept, if any."""
    if recorder is None and not recording.observers:
        return run
    if recorder is None:
        whole = RunView.of_run(run)
        return run.observed({name: one.of(whole) for name, one in recording.observers.items()})
    integrated = run.integrated
    record = replace(integrated, x=np.concatenate(recorder.x), settings={**integrated.settings, "atol": recorder.atol})
    dense = StoredInterpolant(record.t, record.x, lambda: no_segments(record.x.shape[1]))
    kept = Trajectory(KnownPiece(record, dense, run.program), run.evaluator, complete=True)
    return kept.observed(recorder.observed)
