"""How many runs a chunk has: by the time that runs take, the memory that they need, and what a chunk costs."""

from __future__ import annotations

from collections.abc import Iterable

from sympact.analysis.scheduling.chunk_job import Chunk

__all__ = ["ChunkSizes"]

_FIRST = 8  # runs of a first chunk
_SECONDS = 1.0  # s: about the least time of a chunk
_SHARE = 0.05  # of the time of a chunk that it may cost this process
_BUSY = 0.25  # of the time of this process that the chunks of all workers may cost it
_LEAST = 8  # times smaller than others are the last chunks
_BYTES = 2**22  # of what is kept of one chunk


class ChunkSizes:
    """The runs that are to be made, in chunks.

    A chunk takes a worker a second, or longer where chunks are costly for this process: they cost it at most 5 % of
    that time, and with the chunks of all workers it is at most a quarter of its time busy. What is kept of one chunk
    has at most about 4 MB.

    Parameters
    ----------
    gaps : iterable of (first, last)
        The runs that are to be made: those from `first` to the one before `last`.
    workers : int
        How many chunks are made at once.
    """

    def __init__(self, gaps: Iterable[tuple[int, int]], workers: int) -> None:
        self._gaps = [gap for gap in gaps if gap[0] < gap[1]][::-1]
        self._workers, self._size, self._largest = workers, float(_FIRST), float("inf")
        self.left = sum(last - first for first, last in self._gaps)

    def take(self) -> tuple[int, int] | None:
        """The next chunk, smaller near the end, so that all workers end together; None where none is left."""
        if not self._gaps:
            return None
        first, last = self._gaps.pop()
        shared = max(-(-self.left // (2 * self._workers)), self._size / _LEAST)
        size = min(self._size, self._largest, shared)
        end = min(last, first + max(int(size), 1))
        if end < last:
            self._gaps.append((end, last))
        self.left -= end - first
        return first, end

    def learn(self, chunk: Chunk, cost: float) -> None:
        """Know how long a chunk has taken, and what a chunk costs this process (s)."""
        wanted = max(_SECONDS, cost / _SHARE, self._workers * cost / _BUSY)
        ended = max(int(chunk.ended.sum()), 1)
        pace = wanted * ended / max(chunk.seconds, wanted / (1 << 20))
        self._size = min(max(pace, self._size / 4, 1.0), 4 * self._size)
        self._largest = max(_BYTES * ended / max(chunk.size, 1), 1.0)
