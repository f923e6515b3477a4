"""The enclosures of gaps and the memory with which the search proves that a gap has no crossing in a step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from sympact.integrate.memory.proof_memory import ProofMemory

__all__ = ["AS_BEFORE", "PLAIN", "PROVEN", "Lazy", "Proof"]

# the search of a gap
AS_BEFORE = -1  # by its values alone: it has no enclosure
PLAIN = 0  # by its values, unless its angles turn far in a step
PROVEN = 1  # by its enclosures

_ENCLOSED = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


class Lazy:
    """A function that few runs need: its machine code is made on its first call.

    Parameters
    ----------
    find : callable
        ``find()`` gives the address of the function.
    """

    def __init__(self, find: Callable[[], int]) -> None:
        self._find = find
        self._found: Any = None
        self._stub = _ENCLOSED(self._call)

    @property
    def address(self) -> int:
        """That of the function, or of a stub that finds it."""
        return ctypes.cast(self._stub if self._found is None else self._found, ctypes.c_void_p).value or 0

    def _call(self, t: float, jets: int, data: int, out: int) -> None:
        if self._found is None:
            self._found = _ENCLOSED(self._find())
        self._found(t, jets, data, out)


class Proof:
    """The enclosures of the boundaries of a stage in one run, and the memory of the search.

    Parameters
    ----------
    enclosed : int
        Address of ``void(double t, const double *jets, const void *data, double *out)``: six ends for each boundary.
        `jets` are those of the states, then that of the time.
    phases : int
        Address of ``void(double t, const double *x, const double *xdot, const void *data, double *out)``: the largest
        sum of |rates| of the angles in a plain gap (rad/s); 0 where there are none.
    data : int
        Passed through to both.
    states : sequence of int
        Those that occur in gaps.
    classes : sequence of int
        For each boundary `PROVEN`, `PLAIN` or `AS_BEFORE`.
    owner : object
        Objects that must live as long.

    Attributes
    ----------
    address : int
        Of the table.
    """

    def __init__(
        self, enclosed: int, phases: int, data: int, states: Sequence[int], classes: Sequence[int], owner: object = None
    ) -> None:
        self._owner = owner
        self.memory = memory = ProofMemory.allocate({"n_jets": len(states), "n_boundaries": len(classes)})
        memory.enclosed, memory.phases, memory.data = enclosed, phases, data
        memory.states[:], memory.classes[:] = states, classes
        self.address = memory.address
