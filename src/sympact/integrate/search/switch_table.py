"""Switches of a run: numbers +1.0 or -1.0 among the parameters that decide the branches of conditions in a flow.

The table is int64 throughout; `switch_kernel` reads it. A stage with m switches has m boundaries for them, after those
of its contacts or transitions: the margin of each, times the switch.
"""

from __future__ import annotations

import ctypes

import numpy as np

from sympact.native.addresses import Pieces, address_of
from sympact.native.kernel import Unit, function_at

__all__ = ["SwitchData"]

# the table
N_STATES = 0
FIRST = 1  # boundaries of the stage before those of its switches
COUNT = 2
VALUES = 3  # address of COUNT float64: the switches
FLOW = 4
FLOW_DATA = 5
BOUNDARY = 6
BOUNDARY_DATA = 7
RATES = 8  # address of N_STATES float64
GAPS = 9  # address of 3 x (FIRST + COUNT) float64
LARGEST = 10  # address of COUNT float64: the largest margins met
BEFORE = 11  # address of COUNT float64: the switches before the event
TURNED = 12  # address of COUNT float64: 1.0 where a switch at zero has followed its rate
SIZE = 13

_BOUNDARY = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 4)
_SETTLE = Unit("sympact.integrate.search.switch_kernel", "settle", "void(int64, float64, int64, int64, int64)")


class SwitchData:
    """The switches of one stage in one run, and what is needed to set them.

    Parameters
    ----------
    n_states : int
    first : int
        Boundaries of the stage before those of the switches.
    values : array of float64, contiguous
        The switches themselves, a part of the parameters of the run.
    flow, boundary : (int, int)
        Address and data of the stage's functions, as in `Stage`.

    Attributes
    ----------
    address : int
        Of the table; valid as long as the object lives.
    values : array
    """

    def __init__(
        self, n_states: int, first: int, values: np.ndarray, *, flow: tuple[int, int], boundary: tuple[int, int]
    ) -> None:
        count = len(values)
        self.values = values
        pieces = Pieces({RATES: n_states, GAPS: 3 * (first + count), LARGEST: count, BEFORE: count, TURNED: count})
        self._block = np.zeros(pieces.size)
        places = pieces.addresses(self._block, "SwitchData")
        self._table = np.array([n_states, first, count, values.ctypes.data, *flow, *boundary, *places], dtype=np.int64)
        self.address = address_of(self._table, "the table of SwitchData")

    @property
    def place(self) -> tuple[int, int]:
        """Where the switches are, and how many: what `Stage.switches` holds."""
        return self.values.ctypes.data, len(self.values)

    def slopes(self, t: float, x: np.ndarray) -> tuple[tuple[float, ...], ...]:
        """How fast each margin changes with each state, |dm/dx|; 0 where that has no finite value.

        The boundary function is asked for the rates of the margins while one state after the other moves.
        """
        n, first, count = (int(self._table[slot]) for slot in (N_STATES, FIRST, COUNT))
        state, gaps = np.array(x, dtype=float), np.empty((3, first + count))
        boundary, data = function_at(_BOUNDARY, self._table[BOUNDARY]), int(self._table[BOUNDARY_DATA])
        rates = []
        for motion in (*np.eye(n), np.zeros(n)):
            boundary(t, state.ctypes.data, motion.ctypes.data, data, gaps.ctypes.data)
            rates.append(gaps[1, first:].copy())
        slopes = np.abs(np.array(rates[:-1]) - rates[-1]).T
        return tuple(map(tuple, np.where(np.isfinite(slopes), slopes, 0.0).tolist()))

    def settle(self, t: float, x: np.ndarray) -> None:
        """Set every switch to the side its margin is on; one at zero to the side that the flow leads to, else +1."""
        self.values[:] = 1.0
        state = np.ascontiguousarray(x, dtype=float)
        _SETTLE.callable()(self.address, t, state.ctypes.data, 0, 1)
