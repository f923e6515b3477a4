"""Switches of a run: numbers +1.0 or -1.0 among the parameters that select the branches of conditions in a flow.

A stage with m switches has m boundaries for them, after those of its contacts or transitions: the margin of each, times
the switch.
"""

from __future__ import annotations

import ctypes

import numpy as np

from sympact.integrate.memory.switch_memory import SwitchMemory
from sympact.native.kernel import Unit, function_at

__all__ = ["SwitchData"]

_BOUNDARY = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 4)
_SETTLE = Unit("sympact.integrate.search.switch_kernel", "settle", "void(int64, float64, int64, int64, int64)")
SWITCH_UNITS = (_SETTLE,)
"""The unit that sets switches at the start of a run."""


class SwitchData:
    """The switches of one stage in one run, with the functions that set them.

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
        self.values = values
        self.memory = SwitchMemory.allocate({"n_states": n_states, "first": first, "count": len(values)})
        self.memory.flow, self.memory.flow_data = flow
        self.memory.boundary, self.memory.boundary_data = boundary
        SwitchMemory.values.place(self.memory, values.ctypes.data)
        self.address = self.memory.address

    @property
    def place(self) -> tuple[int, int]:
        """Address and number of the switches, as in `Stage.switches`."""
        return self.values.ctypes.data, len(self.values)

    def slopes(self, t: float, x: np.ndarray) -> tuple[tuple[float, ...], ...]:
        """The derivatives of the margins by the states, |dm/dx|; 0 where there is no finite value.

        They are the rates of the margins for unit rates of one state after the other.
        """
        n, first, count = self.memory.n_states, self.memory.first, self.memory.count
        state, gaps = np.array(x, dtype=float), np.empty((3, first + count))
        boundary, data = function_at(_BOUNDARY, self.memory.boundary), self.memory.boundary_data
        rates = []
        for motion in (*np.eye(n), np.zeros(n)):
            boundary(t, state.ctypes.data, motion.ctypes.data, data, gaps.ctypes.data)
            rates.append(gaps[1, first:].copy())
        slopes = np.abs(np.array(rates[:-1]) - rates[-1]).T
        return tuple(map(tuple, np.where(np.isfinite(slopes), slopes, 0.0).tolist()))

    def settle(self, t: float, x: np.ndarray) -> None:
        """Set every switch to the sign of its margin; one at zero to the side to which the flow leads, else +1."""
        self.values[:] = 1.0
        state = np.ascontiguousarray(x, dtype=float)
        _SETTLE.callable()(self.address, t, state.ctypes.data, 0, 1)
