"""Chunks of runs handed out to workers, each in a thread of its own; Ctrl-C and progress meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from sympact.integrate.batch.batch_worker import Columns, Worker
from sympact.integrate.batch.lane_worker import LaneWorker
from sympact.integrate.loop.prepared_run import SLICE
from sympact.native.rounding import EPS

__all__ = ["make_runs"]

_CHUNK = 5.0 * SLICE  # s: about the time of a chunk
_FIRST = 8  # runs of the first chunk of a worker
_PARTS = 32  # of a chunk that are worth one of their own: each ends with idle lanes, and with Python
_LOOK = 5.0 * SLICE  # s: between looks at the progress
_STOP = 0.5 * SLICE  # s: between requests to stop


class Chunks:
    """The rows of a batch, in pieces.

    Parameters
    ----------
    n_rows : int
    workers : int
    """

    def __init__(self, n_rows: int, workers: int) -> None:
        self._next, self._n, self._workers = 0, n_rows, workers
        self._lock = threading.Lock()

    def take(self, size: float) -> tuple[int, int] | None:
        """About `size` rows, fewer near the end, so that workers end together; None where none are left."""
        with self._lock:
            first, left = self._next, self._n - self._next
            if not left:
                return None
            share = left if self._workers == 1 else -(-left // (2 * self._workers))
            self._next += max(1, min(int(size), max(share, min(int(size) // _PARTS, left))))
            return first, self._next

    def close(self) -> None:
        """No further rows."""
        with self._lock:
            self._n = self._next


def make_runs(
    build: Sequence[Callable[[], Worker | LaneWorker]], n_rows: int, show: Callable[[int], None], *, threads: bool
) -> tuple[list[Columns], bool]:
    """Make all runs of a batch.

    Parameters
    ----------
    build : sequence of callable
        Each makes a worker; the first ones are at work while the others are made.
    n_rows : int
    show : callable
        Called from time to time with the number of runs that have ended.
    threads : bool
        Whether each worker has a thread of its own; else the first one makes all runs in this thread.

    Returns
    -------
    list of Columns
        The kept events of the chunks, in the order of these; those of each run stand together.
    bool
        Whether Ctrl-C has stopped the batch: then some runs have not ended.
    """
    chunks = Chunks(n_rows, len(build))
    kept: dict[int, Columns] = {}
    faults: list[BaseException] = []
    if not threads:
        worker = build[0]()
        stopped = _here(worker, chunks, kept, show)
        if not stopped:
            worker.give_back()
        return [kept[first] for first in sorted(kept)], stopped
    workers: list[Worker | LaneWorker] = []
    active: list[threading.Thread] = []
    stopped = False
    try:
        for make in build:
            workers.append(make())
            thread = threading.Thread(target=_work, args=(workers[-1], chunks, kept, faults), daemon=True)
            active.append(thread)
            thread.start()
        for thread in active:
            while thread.is_alive():
                thread.join(_LOOK)
                show(sum(worker.ended for worker in workers))
    except KeyboardInterrupt:
        stopped = True
    finally:
        chunks.close()
        _join(workers, active)
        show(sum(worker.ended for worker in workers))
    if faults:
        raise faults[0]
    for worker in workers if not stopped else ():
        worker.give_back()
    return [kept[first] for first in sorted(kept)], stopped


def _here(worker: Worker | LaneWorker, chunks: Chunks, kept: dict[int, Columns], show: Callable[[int], None]) -> bool:
    """Make the runs in this thread, one at a time; whether Ctrl-C has stopped them."""
    with suppress(KeyboardInterrupt):
        while (piece := chunks.take(1)) is not None:
            kept[piece[0]] = worker.run(*piece)
            show(worker.ended)
        return False
    return True


def _work(worker: Worker | LaneWorker, chunks: Chunks, kept: dict[int, Columns], faults: list[BaseException]) -> None:
    """Make chunks of runs, each in about the same time."""
    size = float(_FIRST)
    try:
        while (piece := chunks.take(size)) is not None:
            began = time.perf_counter()
            kept[piece[0]] = worker.run(*piece)
            pace = _CHUNK * (piece[1] - piece[0]) / max(time.perf_counter() - began, EPS)
            size = min(max(pace, size / 4, 1.0), 4 * size)
    except BaseException as fault:
        faults.append(fault)
        chunks.close()


def _join(workers: Sequence[Worker | LaneWorker], active: Sequence[threading.Thread]) -> None:
    """Wait for the threads; those that are in the middle of a run are stopped."""
    for thread in active:
        while thread.is_alive():
            for worker in workers:
                worker.stop()
            thread.join(_STOP)
