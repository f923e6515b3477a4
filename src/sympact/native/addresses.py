"""Arrays whose addresses kernels use: where kernels are debugged, every access beyond them is detected.

`address_of` and `Pieces` give the addresses of arrays. Runs use nothing else of this file. Under
``NUMBA_DISABLE_JIT=1`` (`debugged`),

- a view of memory must lie within the one array that its address belongs to (`inside`): a scratch declared too short,
or a shape too large, is a `MemoryFault` where the view is made, and an index beyond a view an IndexError; - between the
arrays of one block are guard words, and `check` detects machine code that overwrites them.
"""

from __future__ import annotations

import threading
import weakref
from bisect import bisect_right
from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sympact.native.debugging import DEBUGGED

__all__ = ["MemoryFault", "Pieces", "address_of", "check", "forget", "inside"]

_GUARDS = 1 if DEBUGGED else 0  # guard words after each array of a block
_GUARD = 0x7FF5_C0DE_5AFE_C0DE  # a NaN that no operation gives
_lock = threading.Lock()


class MemoryFault(RuntimeError):
    """A kernel accessed memory outside of the arrays that were declared for it."""


@dataclass(frozen=True)
class Pieces:
    """Arrays of eight-byte numbers one after the other in a block.

    Parameters
    ----------
    sizes : mapping of name to int
        How many numbers each array has, in the order of the block.

    Attributes
    ----------
    starts : array of int
        Where each begins in the block, in numbers.
    size : int
        Of the block, in numbers.

    Examples
    --------
    >>> Pieces({"a": 2, "b": 3}).starts[0]
    np.int64(0)
    """

    sizes: Mapping[Any, int]
    starts: np.ndarray = field(init=False)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        ends = np.cumsum([size + _GUARDS for size in self.sizes.values()], dtype=int)
        object.__setattr__(self, "starts", ends - np.array(list(self.sizes.values()), dtype=int) - _GUARDS)
        object.__setattr__(self, "size", int(ends[-1]) if len(ends) else 0)

    def of(self, block: np.ndarray, name: Hashable) -> np.ndarray:
        """The array of this name in a block."""
        start = int(self.starts[list(self.sizes).index(name)])
        return block[start : start + self.sizes[name]]

    def addresses(self, block: np.ndarray, title: str) -> np.ndarray:
        """The address of each array in a block of `size` numbers; `title` names the block in a `MemoryFault`."""
        first = _address(block)
        if _GUARDS:
            _declare(block, title, self)
        return first + 8 * self.starts


def address_of(array: np.ndarray, title: str) -> int:
    """The address of the numbers of an array; `title` names it in a `MemoryFault`."""
    if _GUARDS and array.nbytes:
        _declare(array, title, None)
    return _address(array)


def forget(array: np.ndarray) -> None:
    """An array is about to move: its address becomes invalid."""
    if _GUARDS:
        with _lock:
            _drop(_address(array))


def inside(address: int, n: int) -> None:
    """Raise if n eight-byte numbers at an address reach beyond the array that the address belongs to.

    Memory that is not declared, such as that of a caller's own array, is not checked.

    Raises
    ------
    MemoryFault
    """
    if not _GUARDS:
        return
    with _lock:
        _bury()
        k = bisect_right(_starts, address) - 1
        block = _blocks[_starts[k]] if k >= 0 else None
    if block is not None and address < block.end:
        block.judge(address, n)


def check() -> None:
    """Raise if a guard word of any block was overwritten.

    Raises
    ------
    MemoryFault
    """
    if not _GUARDS:
        return
    with _lock:
        _bury()
        blocks = list(_blocks.values())
    for block in blocks:
        block.check()


class _Block:
    """Declared memory: the begin and end of its arrays (addresses), and their names."""

    def __init__(self, array: np.ndarray, title: str, pieces: Pieces | None, gone) -> None:
        start = _address(array)
        self.alive, self.title, self.end = weakref.ref(array, gone), title, start + array.nbytes
        sizes = {title: array.nbytes // 8} if pieces is None else pieces.sizes
        starts = [0] if pieces is None else pieces.starts.tolist()
        self._names, self._sizes = list(sizes), list(sizes.values())
        self._starts = [start + 8 * place for place in starts]
        self._guards = None if pieces is None else np.array(starts) + self._sizes
        if pieces is not None:
            array.view(np.int64)[self._guards] = _GUARD

    def judge(self, address: int, n: int) -> None:
        k = bisect_right(self._starts, address) - 1
        rest = self._sizes[k] - (address - self._starts[k]) // 8
        if n > rest:
            raise MemoryFault(
                f"a kernel accesses {n} numbers at number {self._sizes[k] - rest} of {self._called(k)}, which has "
                f"{self._sizes[k]}; declare it as large as it is used, or correct the view"
            )

    def check(self) -> None:
        array = self.alive()
        if array is None or self._guards is None:
            return
        for k in np.flatnonzero(array.view(np.int64)[self._guards] != _GUARD):
            array.view(np.int64)[self._guards[k]] = _GUARD
            raise MemoryFault(
                f"a function wrote beyond {self._called(k)}, which has {self._sizes[k]} numbers; declare it as large "
                "as it is used"
            )

    def _called(self, k: int) -> str:
        return self.title if self._names[k] == self.title else f"the array {self._names[k]!r} of {self.title}"


_blocks: dict[int, _Block] = {}
_starts: list[int] = []
_dead: deque[tuple[int, weakref.ref]] = deque()  # declared arrays that were collected, which may happen at any time


def _declare(array: np.ndarray, title: str, pieces: Pieces | None) -> None:
    start = _address(array)
    block = _Block(array, title, pieces, lambda gone: _dead.append((start, gone)))
    with _lock:
        _bury()
        _drop(start)
        _blocks[start] = block
        _starts.insert(bisect_right(_starts, start), start)


def _bury() -> None:
    """Remove collected arrays; another array may have their addresses already."""
    while _dead:
        start, gone = _dead.popleft()
        if start in _blocks and _blocks[start].alive is gone:
            _drop(start)


def _drop(start: int) -> None:
    if _blocks.pop(start, None) is not None:
        del _starts[bisect_right(_starts, start) - 1]


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
