"""Who makes the chunks of an ensemble: threads of this process, any executor, a cluster."""

from __future__ import annotations

import pickle
import threading
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any, Protocol, runtime_checkable

from sympact.analysis.scheduling.chunk_job import Chunk, Job, make_chunk
from sympact.integrate.problem.travel import check_travels
from sympact.native.compilation import cores

__all__ = ["Crew", "InThisThread", "crew_of"]


@runtime_checkable
class Cluster(Protocol):
    """A ``dask.distributed.Client``."""

    def get_executor(self, **options): ...

    def nthreads(self) -> Mapping[str, int]: ...


class InThisThread(Executor):
    """Makes each chunk at once, when it is submitted."""

    def submit(self, function: Callable, /, *arguments: Any, **options: Any) -> Future:
        """The chunk, made."""
        future: Future = Future()
        future.set_result(function(*arguments, **options))
        return future


class Crew:
    """An executor and the job of its chunks.

    Parameters
    ----------
    executor : Executor
    job : Job
    workers : int
        How many chunks it makes at once.
    pack : callable, optional
        How the job travels; None where the executor's threads are in this process.
    stops : bool
        Whether `stop` ends the chunks at work at once: those whose runs are machine code in threads of this process.

    Attributes
    ----------
    ahead : int
        How many chunks are submitted before others have ended.
    """

    def __init__(
        self,
        executor: Executor,
        job: Job,
        workers: int,
        pack: Callable[[Job], bytes] | None,
        *,
        stops: bool = False,
    ) -> None:
        self._executor, self._job, self.workers, self.stops = executor, job, workers, stops
        self._packed = None if pack is None else pack(job.without_arrays())
        self._key, self._stop = uuid.uuid4().hex, threading.Event()
        self.ahead = 1 if isinstance(executor, InThisThread) else 2 * workers

    def submit(self, first: int, last: int) -> Future[Chunk]:
        """Have the runs from `first` to the one before `last` made."""
        arrays = self._job.arrays(first, last)
        try:
            if self._packed is None:
                return self._executor.submit(self._job.chunk, first, last, arrays, self._stop.is_set)
            return self._executor.submit(make_chunk, self._key, self._packed, first, last, arrays)
        except BrokenExecutor:
            raise
        except RuntimeError as error:
            raise RuntimeError(
                f"the executor {self._executor!r} takes no runs: {error}; give one that has not been shut down"
            ) from error

    def stop(self) -> None:
        """Stop runs in threads of this process; others go on to the end of their chunk, which nobody waits for."""
        self._stop.set()


def crew_of(executor: object, job: Job, workers: int | None, *, batch: bool) -> Crew:
    """The crew of an executor, or of a cluster, that the user gives; `batch` if machine code makes the runs.

    Raises
    ------
    TypeError
        If it is neither, or something cannot travel to another process.
    """
    if isinstance(executor, Cluster):
        import cloudpickle

        here = executor.get_executor(pure=False)
        return Crew(here, job, workers or max(sum(executor.nthreads().values()), 1), cloudpickle.dumps)
    if not isinstance(executor, Executor):
        raise TypeError(
            f"executor is {executor!r}, expected a concurrent.futures.Executor or a dask.distributed.Client; start a "
            "Client(...) of the cluster, or a ProcessPoolExecutor()"
        )
    most = workers or getattr(executor, "_max_workers", None) or cores()
    if isinstance(executor, ThreadPoolExecutor):
        return Crew(executor, job, most, None, stops=batch)
    return Crew(executor, job, most, _packed)


def _packed(job: Job) -> bytes:
    """The job as it travels to processes that have the same modules."""
    for given in (job.starts, job.numbers):
        if given.function is not None:
            check_travels(f"the function given as {given.what}", given.function)
    for letter, value in getattr(job.subject, "inputs", {}).items():
        if callable(value):
            check_travels(f"the input {letter}", value)
    return pickle.dumps(job)
