"""What the search needs to prove that a gap has no crossing in a step: enclosures of the gaps, and memory.

The table is int64 throughout; `prove_kernel` reads it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["AS_BEFORE", "PLAIN", "PROVEN", "Lazy", "Proof"]

# the table
ENCLOSED = 0  # address of the enclosures, ``void(double t, const double *jets, const void *data, double *out)``
PHASES = 1  # address of how fast the angles in plain gaps turn, of the form of a boundary, or 0
DATA = 2
N_JETS = 3  # states that occur in gaps
STATES = 4  # address of N_JETS int64: which they are
CLASSES = 5  # address of NB int64: one of those below
JETS = 6  # address of 6 (N_JETS + 1) float64: ends of value, first and second derivative; the time comes last
ENDS = 7  # address of 6 NB float64: the same of the gaps
COEFFICIENTS = 8  # address of DEPTH x (ROWS + 1) x N_JETS float64: Bernstein coefficients of x - x0, part by part
REACH = 9  # address of N_JETS float64: sums of |rows of the polynomial|
VALUES = 10  # address of (DEPTH + 1) x 3 NB float64: the gaps at the right ends of the parts, and at the left one
PLACES = 11  # address of DEPTH float64: the right ends
LEVELS = 12  # address of DEPTH int64: halvings that lead to the part
DEEP = 13  # address of NB float64: a gap below this is on the other side
TURN = 14  # address of one float64
BENDS = 15  # address of NB float64: the largest second derivatives over the whole step
SIZE = 16

DEPTH = 64  # parts that wait
ROWS = 8  # more than any polynomial of a step has

# how a gap is searched
AS_BEFORE = -1  # by its numbers alone: nothing encloses it
PLAIN = 0  # by its numbers, but where its angles turn far in a step
PROVEN = 1  # by its enclosures

_ENCLOSED = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


class Lazy:
    """A function that few runs need: its machine code is made when it is first called.

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
        What must live as long.

    Attributes
    ----------
    address : int
        Of the table.
    """

    def __init__(
        self, enclosed: int, phases: int, data: int, states: Sequence[int], classes: Sequence[int], owner: object = None
    ) -> None:
        n, nb = len(states), len(classes)
        self._owner = owner
        wholes = {STATES: n, CLASSES: nb, LEVELS: DEPTH}
        reals = {JETS: 6 * (n + 1), ENDS: 6 * nb, COEFFICIENTS: DEPTH * (ROWS + 1) * n, REACH: n}
        reals |= {VALUES: (DEPTH + 1) * 3 * nb, PLACES: DEPTH, DEEP: nb, TURN: 1, BENDS: nb}
        self._memory = np.empty(sum(wholes.values()) + sum(reals.values()))
        self._table = np.array([enclosed, phases, data, n] + [0] * (SIZE - 4), dtype=np.int64)
        place = self._memory.ctypes.data
        for slot, size in (wholes | reals).items():
            self._table[slot] = place
            place += 8 * size
        self._memory[: n + nb].view(np.int64)[:] = [*states, *classes]
        self.address = self._table.ctypes.data
