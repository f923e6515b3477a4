"""The runs of an ensemble as rows: made by a batch in machine code, or one by one."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from sympact.analysis.draws import Table
from sympact.analysis.subjects import Subject
from sympact.integrate.batch.batch_memory import ALONE
from sympact.integrate.batch.batch_run import make_runs
from sympact.integrate.batch.batch_worker import Columns
from sympact.integrate.batch.endings import left_to_python, statuses
from sympact.integrate.batch.lane_memory import LANES
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning
from sympact.integrate.result import Result
from sympact.mechanics.batch.model_batch import ModelBatch
from sympact.mechanics.batch.model_batch_memory import GAINED, NEAR, UNMET

__all__ = ["Keep", "Rows", "make_alone", "make_batch", "make_rows", "why_alone"]

_KINDS = {GAINED: "gain of energy", NEAR: "near miss", UNMET: "dependent constraints"}
"""The warnings that the end of a run in a batch may say, by their flags."""
_ENOUGH = 128 * LANES
"""Runs of a worker from which on the memory of further lanes is made in less time than they save."""


@dataclass(frozen=True, eq=False)
class Keep:
    """What is kept of each run besides its end.

    Attributes
    ----------
    events : bool
    states : bool
        Whether the states on both sides of each event are.
    times : array or None
        At which states are kept (s).
    runs : bool
        Whether the results themselves are.
    """

    events: bool = False
    states: bool = False
    times: np.ndarray | None = None
    runs: bool = False

    @property
    def ends_alone(self) -> bool:
        """Whether a batch has all that is kept."""
        return self.times is None and not self.runs


@dataclass(eq=False)
class Rows:
    """The runs as rows.

    Attributes
    ----------
    status : array of uint8, shape (runs,)
        `Status.code`.
    t : array, shape (runs,)
    x : array, shape (runs, n_states)
        The last states; NaN for a run that has none.
    counts : array of int, shape (runs, 3)
        Events, accepted steps, rejected steps.
    rests : array of bool, shape (runs,)
        Whether all is at rest at the end.
    events : list of Columns
    warnings : dict of str to list of array
        The runs that have given warnings, by their kind.
    samples : array, shape (runs, n_states, n_times), or None
    runs : dict of int to Result
    refused : dict of int to str
        Why a run did not begin.
    made_alone : array of bool, shape (runs,)
        Whether each was made by itself, not by a batch.
    """

    status: np.ndarray
    t: np.ndarray
    x: np.ndarray
    counts: np.ndarray
    rests: np.ndarray
    made_alone: np.ndarray
    events: list[Columns] = field(default_factory=list)
    warnings: dict[str, list[np.ndarray]] = field(default_factory=dict)
    samples: np.ndarray | None = None
    runs: dict[int, Result] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, runs: int, n_states: int, keep: Keep) -> Rows:
        """No run has been made yet."""
        return cls(
            np.full(runs, Status.INTERRUPTED.code, dtype=np.uint8),
            np.full(runs, np.nan),
            np.full((runs, n_states), np.nan),
            np.zeros((runs, 3), dtype=np.int64),
            np.zeros(runs, dtype=bool),
            np.zeros(runs, dtype=bool),
            samples=None if keep.times is None else np.full((runs, n_states, len(keep.times)), np.nan),
        )

    @property
    def alone(self) -> int:
        """The number of runs that were made one by one."""
        return int(self.made_alone.sum())

    @property
    def made(self) -> np.ndarray:
        """Whether each run has ended, shape (runs,); not those that Ctrl-C has left out."""
        return self.status != Status.INTERRUPTED.code

    def leave_whole_runs(self) -> None:
        """Remove what is there of runs that have not ended."""
        made = self.made
        if made.all():
            return
        self.t[~made], self.x[~made], self.counts[~made], self.rests[~made] = np.nan, np.nan, 0, False
        if self.samples is not None:
            self.samples[~made] = np.nan
        kept = [made[columns["kept_row"]] for columns in self.events]
        self.events = [
            {name: column[whole] for name, column in columns.items()}
            for columns, whole in zip(self.events, kept, strict=True)
        ]
        told = {kind: np.concatenate(runs) for kind, runs in self.warnings.items()}
        self.warnings = {kind: [runs[made[runs]]] for kind, runs in told.items() if made[runs].any()}
        self.runs = {k: result for k, result in self.runs.items() if made[k]}

    def warn(self, kind: str, runs: np.ndarray) -> None:
        """Add runs that have given a warning of a kind."""
        if len(runs):
            self.warnings.setdefault(kind, []).append(runs)


def why_alone(batch: ModelBatch | None, keep: Keep) -> str:
    """Why the runs are made one by one; empty where a batch makes them."""
    if batch is None:
        return "the functions of a process are prepared for each run"
    if batch.why_alone:
        return batch.why_alone
    if not keep.ends_alone:
        return "more is kept of each run than its end and its events"
    if keep.states and batch.chart is not None:
        return "states of events are kept, whose attitudes are integrated in other coordinates"
    return ""


def make_rows(
    subject: Subject, keep: Keep, table: Table, others: Mapping, workers: int, show: Callable[[int], None]
) -> tuple[Rows, str]:
    """Make all runs of a table; returns them, and why they were made one by one."""
    runs = table.runs
    rows = Rows.empty(runs, table.starts.shape[1], keep)
    batch = subject.batch(table.starts, table.parameters, others)
    reason = why_alone(batch, keep)
    left, stopped = np.arange(runs), False
    if batch is not None and not reason:
        left, stopped = make_batch(batch, rows, keep, min(workers, runs), show)
    if len(left) and not stopped:
        done = runs - len(left)
        make_alone(
            subject, rows, keep, left.tolist(), table.starts, table.parameters, others, lambda more: show(done + more)
        )
    rows.leave_whole_runs()
    return rows, reason


def make_batch(
    batch: ModelBatch, rows: Rows, keep: Keep, workers: int, show: Callable[[int], None]
) -> tuple[np.ndarray, bool]:
    """Make all runs of a batch in machine code; returns those that are left to Python, and whether Ctrl-C came."""
    runs, n = len(rows.t), len(batch.settings.x0)
    n_turns = 0 if batch.chart is None else 2 * len(batch.chart.attitudes)
    arrays = {
        "end_code": np.zeros(runs, dtype=np.int64),
        "end_t": rows.t,
        "end_x": rows.x if batch.chart is None else np.full((runs, n), np.nan),
        "end_flags": np.zeros(runs, dtype=np.int64),
        "end_rest": np.zeros(runs, dtype=np.int64),
        "end_counts": rows.counts,
        "end_turns": np.full((runs, n_turns), np.nan),
    }
    arrays["end_code"][batch.refused()] = ALONE
    engine = batch.engine()
    with engine.in_force():
        lanes = not engine.interpreted and runs >= _ENOUGH * workers
        count = 1 if engine.interpreted else workers
        build = partial(batch.worker, arrays, keeps=keep.events, states=keep.states, lanes=lanes)
        kept, stopped = make_runs([build] * count, runs, show, threads=not engine.interpreted)
    rows.events += kept
    codes, flags = arrays["end_code"], arrays["end_flags"]
    rows.status[:], rows.rests[:] = statuses(codes), arrays["end_rest"] == 1
    for flag, kind in _KINDS.items():
        rows.warn(kind, np.flatnonzero(flags & flag))
    if batch.chart is not None:
        rows.x[:] = batch.chart.ends(batch.starts, arrays["end_x"], arrays["end_turns"])
    return left_to_python(codes), stopped


def make_alone(
    subject: Subject,
    rows: Rows,
    keep: Keep,
    which: Iterable[int],
    starts: np.ndarray,
    parameters: np.ndarray,
    others: Mapping,
    show: Callable[[int], None],
) -> bool:
    """Make some runs one by one; returns whether Ctrl-C has stopped them."""
    options = {} if keep.times is None else {"t_eval": keep.times}
    events: list[Columns] = []
    shown = time.monotonic()
    try:
        for count, k in enumerate(which):
            start, numbers = starts[k if len(starts) > 1 else 0], parameters[k if len(parameters) > 1 else 0]
            result = _one(subject, rows, k, start, numbers, others, options)
            if result is not None:
                _write(subject, rows, keep, k, result, events)
                if result.status is Status.INTERRUPTED:
                    return True
            rows.made_alone[k] = True
            if time.monotonic() > shown + 0.1:
                shown = time.monotonic()
                show(count + 1)
    except KeyboardInterrupt:
        return True
    finally:
        if events:
            rows.events.append({name: np.concatenate([one[name] for one in events]) for name in events[0]})
    return False


def _one(
    subject: Subject, rows: Rows, k: int, start: np.ndarray, numbers: np.ndarray, others: Mapping, options: dict
) -> Result | None:
    """One run; None where its start is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)
        try:
            return subject.alone(start, numbers, others=others, **options)
        except ValueError as error:
            result = getattr(error, "result", None)
            if result is None:
                rows.status[k], rows.refused[k] = Status.REFUSED.code, str(error)
            return result
        except Exception as error:
            result = getattr(error, "result", None)  # the run up to an exception of the user's function
            if result is None:
                raise
            return result


def _write(subject: Subject, rows: Rows, keep: Keep, k: int, result: Result, events: list[Columns]) -> None:
    """Write a run into its row."""
    run, record = result._run, result._record
    rows.status[k], rows.t[k], rows.x[k] = result.status.code, run.t[-1], run.x[-1]
    rows.counts[k] = len(run.event_t), record.counts["steps"], record.counts["rejected"]
    rows.rests[k] = run.program.stages[record.stage[-1]].name.endswith("(at rest)")
    for warning in result.warnings:
        rows.warn(warning.kind, np.array([k]))
    if keep.events:
        events.append(_columns(subject, k, result, states=keep.states))
    if rows.samples is not None:
        rows.samples[k, :, : len(result.t)] = result.x
    if keep.runs:
        rows.runs[k] = result


def _columns(subject: Subject, k: int, result: Result, *, states: bool) -> Columns:
    """The events of a run, with the states on both sides where they are kept."""
    record, (fired, impulse) = result._record, subject.took_part(result)
    left = record.event_sample
    sides = {"kept_before": record.x[left], "kept_after": record.x[left + 1]} if states else {}
    return {
        "kept_row": np.full(len(record.event_t), k),
        "kept_t": record.event_t,
        "kept_kind": record.event_kind.astype(np.uint8),
        "kept_fired": fired,
        "kept_impulse": impulse,
        **sides,
    }
