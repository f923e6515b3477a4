"""What a memory holds at one time, to be put back later."""

from __future__ import annotations

import numpy as np

from sympact.native.memory import Memory

__all__ = ["Image", "Words"]

Words = tuple[np.ndarray, np.ndarray]
"""Places in a block, and the whole numbers there."""


class Image:
    """The content of a memory that Python owns, as it is now.

    Most of a memory is zero before a run, so that only the other words are kept.

    Parameters
    ----------
    memory : Memory
        Made by `Memory.allocate`.

    Examples
    --------
    >>> from sympact.native.memory import Reals, Size
    >>> class Impact(Memory):
    ...     n = Size("contacts")
    ...     impulse = Reals(n, meaning="impulses", unit="N s")
    >>> impact = Impact.allocate({"n": 2})
    >>> impact.impulse[:] = 1.0, 0.0
    >>> image = Image(impact)
    >>> impact.impulse[:] = 5.0
    >>> image.restore()
    >>> impact.impulse
    array([1., 0.])
    """

    def __init__(self, memory: Memory) -> None:
        if memory.block is None:
            raise ValueError(f"{type(memory).__name__} stands in memory of its caller; expected memory of its own")
        self._memory, self._growing = memory, memory.growing
        self._parts = [(block.view(np.int64), *_nonzero(block)) for block in memory.blocks]

    @property
    def linked(self) -> np.ndarray:
        """The places of sizes and addresses, see `Memory`."""
        return self._memory.linked

    def restore(self) -> None:
        """Put the content back, at the same addresses; arrays that have grown are again what they were."""
        for words, places, values in self._parts:
            words.fill(0)
            words[places] = values
        self._memory.growing = self._growing

    def differences(self, without: np.ndarray) -> Words:
        """What the block holds now in place of the content, but for some places.

        Parameters
        ----------
        without : array of int
            The places that only this process understands, such as those of addresses that change.
        """
        words, places, values = self._parts[0]
        begun = np.zeros_like(words)
        begun[places] = values
        found = words != begun
        found[without] = False
        changed = np.flatnonzero(found)
        return changed, words[changed]

    def put(self, differences: Words) -> None:
        """Write `differences` of another image, with the content of this one, into the memory, which has it now."""
        places, values = differences
        self._parts[0][0][places] = values


def _nonzero(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The integers of a block that are not zero, with their places."""
    words = block.view(np.int64)
    places = np.flatnonzero(words)
    return places, words[places]
