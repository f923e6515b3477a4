"""Chunks of an ensemble are submitted, received and stored; Ctrl-C keeps what has ended."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager
from types import FrameType

from sympact.analysis.scheduling.chunk_executors import Crew
from sympact.analysis.scheduling.chunk_job import Chunk
from sympact.analysis.scheduling.chunk_sizes import ChunkSizes

__all__ = ["make_chunks"]

_LOOK = 0.02  # s: between looks for Ctrl-C
_LAST = 0.13  # s: for what chunks that go on have done when Ctrl-C comes


def make_chunks(
    crew: Crew, gaps: Iterable[tuple[int, int]], receive: Callable[[list[Chunk]], None], show: Callable[[int], None]
) -> None:
    """Have all runs of some gaps made.

    Parameters
    ----------
    crew : Crew
    gaps : iterable of (first, last)
        Runs from `first` to the one before `last`.
    receive : callable
        Stores some chunks; called in this thread.
    show : callable
        Called with the number of runs that have ended.

    Raises
    ------
    RuntimeError
        If an executor is broken, as by the end of one of its processes; what was received is stored.
    """
    sizes = ChunkSizes(gaps, crew.workers)
    desk = _Desk(receive, show, sizes)
    pending: set[Future[Chunk]] = set()
    with _CtrlC(crew.stop) as pressed:
        try:
            while not pressed.yes:
                while len(pending) < crew.ahead and not pressed.yes and (piece := sizes.take()) is not None:
                    with pressed.raised(crew.ahead == 1):
                        pending.add(crew.submit(*piece))
                if not pending:
                    break
                done, pending = wait(pending, _LOOK, FIRST_COMPLETED)
                desk.take(done)
            if pressed.yes:
                for future in pending:
                    future.cancel()
                at_work = [one for one in pending if not one.cancelled()]
                desk.take(wait(at_work, None if crew.stops else _LAST).done)
        except BrokenExecutor as error:
            raise RuntimeError(
                f"the executor has lost a process: {error}; {desk.ended:,} runs had ended, which a store keeps: call "
                "ensemble again with the same store and another executor to go on"
            ) from error
        finally:
            crew.stop()
            for future in pending:
                future.cancel()


class _Desk:
    """Where chunks arrive."""

    def __init__(self, receive: Callable[[list[Chunk]], None], show: Callable[[int], None], sizes: ChunkSizes) -> None:
        self._receive, self._show, self._sizes = receive, show, sizes
        self.ended, self._cost = 0, 0.0

    def take(self, done: Iterable[Future[Chunk]]) -> None:
        """Store the chunks that have arrived, but for those that Ctrl-C has ended before their first run."""
        arrived = [future.result() for future in done if not isinstance(future.exception(), KeyboardInterrupt)]
        chunks = sorted(arrived, key=lambda chunk: chunk.first)
        if not chunks:
            return
        began = time.perf_counter()
        self._receive(chunks)
        taken = (time.perf_counter() - began) / len(chunks)
        self._cost = taken if not self._cost else 0.8 * self._cost + 0.2 * taken
        for chunk in chunks:
            self._sizes.learn(chunk, self._cost)
        self.ended += sum(int(chunk.ended.sum()) for chunk in chunks)
        self._show(self.ended)


class _CtrlC:
    """Notes Ctrl-C within its block, so that a chunk is stored whole; outside of the main thread there is none.

    Only Python's own handler is replaced: one of the user's goes on to decide.

    Parameters
    ----------
    stop : callable
        Called at once, also while a chunk is stored.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self.yes, self._raises, self._replaced = False, False, False

    def __enter__(self) -> _CtrlC:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._replaced = True
        return self

    def __exit__(self, *exception: object) -> None:
        if self._replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def raised(self, here: bool) -> Iterator[None]:
        """A block that Ctrl-C ends where runs are made `here`."""
        self._raises = here
        try:
            yield
        except KeyboardInterrupt:
            if not self.yes:
                raise
        finally:
            self._raises = False

    def _note(self, number: int, place: FrameType | None) -> None:
        self.yes = True
        self._stop()
        if self._raises:
            raise KeyboardInterrupt
