"""A number of 32 bits for each column of each run, from which lost and changed chunks of a store are found.

Zarr reads a lost chunk as the value that fills arrays, and a changed one as other numbers. The number of a run depends
on the bits of its row alone, whatever runs are beside it in a chunk: a chunk may be written again and again, and a
process may be killed between any two files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod

import numpy as np

__all__ = ["event_checks", "event_sums", "kinds_check", "row_checks"]

_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""Of SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014."""


def row_checks(values: np.ndarray, runs: np.ndarray) -> np.ndarray:
    """The numbers of the rows of one column, shape (n,), as uint32.

    Parameters
    ----------
    values : array, shape (n, ...)
    runs : array of int, shape (n,)
        The number of the run of each row: a row in another's place is found, too.

    Examples
    --------
    >>> x = np.array([[0.0, 1.0], [0.0, 1.0]])
    >>> one, other = row_checks(x, np.array([0, 1]))
    >>> bool(one == other), bool(one == row_checks(-x, np.array([0, 1]))[0])
    (False, False)
    """
    return _folded(_row_sums(values) + _words(runs + 1) * _weights(1))


def event_sums(columns: Mapping[str, np.ndarray], runs: int, first: int = 0) -> np.ndarray:
    """The sums over the events of each run, shape (runs,), of which `event_checks` makes numbers.

    Parameters
    ----------
    columns : mapping of str to array
        The arrays of the events by their names in the store, with ``event_run``.
    runs : int
        How many runs there are, from the run `first` on; events of others do not count.
    """
    place = columns["event_run"] - first
    own = (place >= 0) & (place < runs)
    found = np.zeros(runs, dtype=np.uint64)
    values = np.zeros(len(place), dtype=np.uint64)
    for name in sorted(columns):
        if name != "event_run":
            values = _mixed(values + _row_sums(columns[name]))
    np.add.at(found, place[own], _mixed(values[own] + _weights(1)))
    return found


def event_checks(sums: np.ndarray, runs: np.ndarray) -> np.ndarray:
    """The numbers of the events of runs, shape (n,), as uint32."""
    return _folded(sums + _words(runs + 1) * _weights(1))


def kinds_check(kinds: Sequence[str]) -> int:
    """A number for the kinds of warnings in their order."""
    text = np.frombuffer("\n".join(map(str, kinds)).encode(), np.uint8)
    return int(row_checks(text[np.newaxis], np.zeros(1, dtype=np.int64))[0])


def _row_sums(values: np.ndarray) -> np.ndarray:
    """A sum over each row modulo 2^64 with odd weights: any other single number gives another sum."""
    words = _words(values).reshape(len(values), prod(values.shape[1:]))
    words = words ^ (words >> np.uint64(32))  # so that two signs do not cancel
    return words @ _weights(words.shape[1])


def _words(values: np.ndarray) -> np.ndarray:
    """Numbers as whole ones of 64 bits."""
    if values.dtype.kind == "f":
        return np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    return values.astype(np.uint64)


def _weights(count: int) -> np.ndarray:
    """Odd numbers of 64 bits."""
    known = 64
    while known < count:
        known *= 2
    return _first_weights(known)[:count]


@lru_cache(maxsize=32)
def _first_weights(count: int) -> np.ndarray:
    return _mixed(np.arange(1, count + 1, dtype=np.uint64) * np.array([_GOLDEN], np.uint64)) | np.uint64(1)


def _mixed(words: np.ndarray) -> np.ndarray:
    """Each bit depends on each: the last step of SplitMix64."""
    words = (words ^ (words >> np.uint64(30))) * np.array([_FIRST], np.uint64)
    words = (words ^ (words >> np.uint64(27))) * np.array([_SECOND], np.uint64)
    return words ^ (words >> np.uint64(31))


def _folded(sums: np.ndarray) -> np.ndarray:
    return (_mixed(sums) >> np.uint64(32)).astype(np.uint32)
