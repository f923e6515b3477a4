"""A chunk of the runs of an ensemble, as a worker makes it: in a thread, another process or on another machine."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sympact.analysis.draws import Arrays, Given, Table, drawn
from sympact.analysis.run_rows import Keep, Rows, make_rows
from sympact.analysis.subjects import Subject
from sympact.integrate.batch.batch_worker import Columns

__all__ = ["Chunk", "Job", "joined", "make_chunk"]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some runs that follow each other.

    Attributes
    ----------
    first : int
        The number of the first one.
    rows : Rows
        Their ends; events, warnings and refusals have the numbers that the runs have in the ensemble.
    table : Table
        What they began with.
    seconds : float
        What making them has taken (s).
    """

    first: int
    rows: Rows
    table: Table
    seconds: float

    @property
    def runs(self) -> int:
        """The number of its runs."""
        return len(self.rows.t)

    @property
    def ended(self) -> np.ndarray:
        """Whether each run has ended, shape (runs,); not those that Ctrl-C has left out."""
        return self.rows.made

    @property
    def size(self) -> int:
        """The memory of what is kept (bytes)."""
        rows = self.rows
        arrays = [rows.t, rows.x, rows.counts, self.table.starts, self.table.parameters]
        arrays += [column for columns in rows.events for column in columns.values()]
        return sum(array.nbytes for array in arrays) + (0 if rows.samples is None else rows.samples.nbytes)


@dataclass(frozen=True, eq=False)
class Job:
    """What all chunks of an ensemble share.

    Attributes
    ----------
    subject : Subject
    starts, numbers : Given
        The starts and the parameters; those of single runs are arrays that come with each chunk.
    seed : int or None
    keep : Keep
    """

    subject: Subject
    starts: Given
    numbers: Given
    seed: int | None
    keep: Keep

    def without_arrays(self) -> Job:
        """The same as it travels: with the arrays of its first run alone, in place of which chunks bring their own."""
        return replace(
            self,
            starts=self.starts.with_arrays(self.starts.arrays(0, 1)),
            numbers=self.numbers.with_arrays(self.numbers.arrays(0, 1)),
        )

    def arrays(self, first: int, last: int) -> tuple[Arrays, Arrays]:
        """Those of a chunk."""
        return self.starts.arrays(first, last), self.numbers.arrays(first, last)

    def table(
        self, first: int, last: int, arrays: tuple[Arrays, Arrays], look: Callable[[], None] = lambda: None
    ) -> Table:
        """The starts and parameters of the runs from `first` to the one before `last`; `look` as `drawn` has it."""
        starts, numbers = self.starts.with_arrays(arrays[0]), self.numbers.with_arrays(arrays[1])
        return drawn(starts, numbers, last - first, self.seed, first, look)

    def chunk(self, first: int, last: int, arrays: tuple[Arrays, Arrays], stopped: Callable[[], bool]) -> Chunk:
        """Make the runs from `first` to the one before `last`, unless they are stopped meanwhile."""
        began = time.perf_counter()
        look = _Look(stopped, last - first)
        table = self.table(first, last, arrays, lambda: look(0))
        rows, _ = make_rows(self.subject, self.keep, table, self.numbers.others, 1, look)
        return Chunk(first, _numbered(rows, first), table, time.perf_counter() - began)


def joined(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Chunks, in the order of their runs, of which those that follow each other are one."""
    groups: list[list[Chunk]] = []
    for chunk in chunks:
        if groups and groups[-1][-1].first + groups[-1][-1].runs == chunk.first:
            groups[-1].append(chunk)
        else:
            groups.append([chunk])
    return [group[0] if len(group) == 1 else _one(group) for group in groups]


def _one(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks that follow each other, as one."""

    def column(name: str) -> np.ndarray:
        return np.concatenate([getattr(chunk.rows, name) for chunk in chunks])

    whole = Rows(*(column(name) for name in ("status", "t", "x", "counts", "rests", "made_alone")))
    if chunks[0].rows.samples is not None:
        whole.samples = column("samples")
    for chunk in chunks:
        whole.events += chunk.rows.events
        whole.runs.update(chunk.rows.runs)
        whole.refused.update(chunk.rows.refused)
        for kind, told in chunk.rows.warnings.items():
            for runs in told:
                whole.warn(kind, runs)
    starts, numbers = (
        np.concatenate([np.broadcast_to(table, (chunk.runs, table.shape[1])) for chunk, table in tables])
        for tables in (
            [(chunk, chunk.table.starts) for chunk in chunks],
            [(chunk, chunk.table.parameters) for chunk in chunks],
        )
    )
    runs = len(whole.t)
    return Chunk(chunks[0].first, whole, Table(starts, numbers, runs), sum(chunk.seconds for chunk in chunks))


class _Look:
    """What stops runs on request, as Ctrl-C does."""

    def __init__(self, stopped: Callable[[], bool], runs: int) -> None:
        self._stopped, self._runs, self._done = stopped, runs, False

    def __call__(self, ended: int) -> None:
        if not self._done and ended < self._runs and self._stopped():
            self._done = True
            raise KeyboardInterrupt


def _numbered(rows: Rows, first: int) -> Rows:
    """Rows with the numbers that their runs have in the ensemble, in their order."""
    return replace(
        rows,
        events=_in_order(rows.events, first),
        warnings={kind: [runs + first for runs in told] for kind, told in rows.warnings.items()},
        runs={first + k: result for k, result in rows.runs.items()},
        refused={first + k: reason for k, reason in rows.refused.items()},
    )


def _in_order(events: Sequence[Columns], first: int) -> list[Columns]:
    """The events in the order of their runs."""
    if not events:
        return []
    whole = {name: np.concatenate([columns[name] for columns in events]) for name in events[0]}
    order = np.argsort(whole["kept_row"], kind="stable")
    found = {name: column.take(order, axis=0) for name, column in whole.items()}
    return [{**found, "kept_row": found["kept_row"] + first}]


_JOBS: dict[str, Job] = {}
_LOCK = threading.Lock()
_KEPT = 4
"""Jobs that a process keeps with the machine code of their models."""


def make_chunk(key: str, packed: bytes, first: int, last: int, arrays: tuple[Arrays, Arrays]) -> Chunk:
    """Make a chunk in this process, whose job has travelled; its model is built and compiled by the first chunk."""
    return _job(key, packed, _JOBS).chunk(first, last, arrays, lambda: False)


def _job(key: str, packed: bytes, known: dict[str, Job]) -> Job:
    with _LOCK:
        if key not in known:
            while len(known) >= _KEPT:
                known.pop(next(iter(known)))
            known[key] = pickle.loads(packed)
        return known[key]
