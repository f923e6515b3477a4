"""Switches of a run: numbers +1.0 or -1.0 among the parameters that select the branches of conditions in a flow.

A stage with m switches has m boundaries for them, after those of its contacts or transitions: the margin of each, times
the switch.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.switch_memory import SwitchMemory
from sympact.native.kernel import Unit, function_at
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS

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
    watches : sequence of (int, int, int)
        Of the last switches, which are conditions of the user's own: the direction that counts (+1, -1, 0 for both;
        `run_codes.SILENT` for none, ``ABSENT`` where the stage does not have it), after how many crossings the run
        ends, 0 for a condition that does not end it, and the jump that each causes, -1 for none.
    jumps : sequence of (int, int, int, bool)
        The address of each jump, ``void(double t, const double *x, const double *p, double *x_plus)``, when it is
        applied (`run_codes.BEFORE` ...), the state of the latch that it closes or opens (-1: none), and whether it
        closes it.
    activates : bool
        Whether contacts of the stage are active at one sign of a switch alone.
    at_accumulation : int
        The watch that counts as met where events accumulate; -1 for none.
    parameters : int
        The address of p of the jumps.

    Attributes
    ----------
    address : int
        Of the table; valid as long as the object lives.
    values : array
    owner : SwitchData or None
        Whose memory it shares, see `share`.
    """

    def __init__(
        self,
        n_states: int,
        first: int,
        values: np.ndarray,
        *,
        flow: tuple[int, int],
        boundary: tuple[int, int],
        watches: Sequence[tuple[int, int, int]] = (),
        jumps: Sequence[tuple[int, int, int, bool]] = (),
        activates: bool = False,
        at_accumulation: int = -1,
        parameters: int = 0,
    ) -> None:
        self.values = values
        sizes = {"n_states": n_states, "first": first, "count": len(values)}
        self.memory = SwitchMemory.allocate(sizes | {"n_watches": len(watches), "n_jumps": len(jumps)})
        self.memory.flow, self.memory.flow_data = flow
        self.memory.boundary, self.memory.boundary_data = boundary
        SwitchMemory.values.place(self.memory, values.ctypes.data)
        for column, numbers in zip(("sense", "ending", "jump_of"), zip(*watches, strict=True), strict=False):
            getattr(self.memory, column)[:] = numbers
        for column, numbers in zip(("jumps", "turn", "latch", "closes"), zip(*jumps, strict=True), strict=False):
            getattr(self.memory, column)[:] = numbers
        self._ending = self.memory.ending.copy()
        self.memory.parameters, self.memory.at_accumulation = parameters, at_accumulation
        self.memory.activates = activates
        self.address = self.memory.address
        self._rates, self._gaps, self._largest = self.memory.rates, self.memory.gaps, self.memory.largest
        self._margin, self._margin_rate = self.memory.margin, self.memory.margin_rate
        self._first_watch = len(values) - len(watches)
        self.owner: SwitchData | None = None

    def meet_contacts(self, flow: int, data: int) -> None:
        """Take over the flow of the stage with closed contacts, by address and data."""
        self.memory.closed_flow, self.memory.closed_data = flow, data

    @property
    def place(self) -> tuple[int, int]:
        """Address and number of the switches, as in `Stage.switches`."""
        return self.values.ctypes.data, len(self.values)

    @property
    def watches(self) -> int:
        """The number of conditions of the user's own, the last switches."""
        return int(self.memory.n_watches)

    def begin(self) -> None:
        """Notice the conditions of the user's own as they are at the start of a run, none of them crossed."""
        self.memory.ending[:] = self._ending
        signs = self.values[self._first_watch :]
        self.memory.noticed[:] = np.where(self.memory.sense == codes.ABSENT, codes.UNKNOWN, signs)

    def sides(self) -> np.ndarray:
        """The signs of the switches with the largest margins so far, shape (n, 2).

        The signs of conditions of the user's own are those that were noticed last.
        """
        signs, noticed = self.values.copy(), self.memory.noticed
        own = signs[self._first_watch :]
        own[:] = np.where(noticed == codes.UNKNOWN, own, noticed)
        return np.stack([signs, self._largest], axis=1)

    def go_on(self, sides: Sequence[Sequence[float]]) -> bool:
        """Begin on the `sides` of an earlier run, with the sign 0.0 where none is known; whether any is not true now.

        Called after `begin`: the switches have the signs of their margins then.
        """
        signs, largest = np.array(sides).reshape(-1, 2).T
        known = np.where(signs == 0.0, self.values, signs)
        differs = bool((known != self.values).any())
        self.values[:] = known
        self._largest[:] = np.maximum(self._largest, largest)
        own = known[self._first_watch :]
        self.memory.noticed[:] = np.where(self.memory.sense == codes.ABSENT, codes.UNKNOWN, own)
        return differs

    @staticmethod
    def share(of_stages: Sequence[SwitchData]) -> None:
        """Have the stages of a run notice events, the last of their conditions, in one memory."""
        if not of_stages:
            return
        largest = max(of_stages, key=lambda data: data.watches)
        for data in of_stages:
            for name in ("noticed", "crossed", "ending"):
                field = SwitchMemory.fields[name]
                first = int(largest.memory.slots[field.slot])
                field.place(data.memory, first + 8 * (largest.watches - data.watches))
            data.owner = largest

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

    def settle_by_values(self, t: float, x: np.ndarray) -> None:
        """The same for boundaries without rates: one that is zero has the sign of a little later."""
        self._settle(t, x)
        margins, scale = self._margin.copy(), self._time_scale(t, x)
        boundary, data = function_at(_BOUNDARY, self.memory.boundary), self.memory.boundary_data
        ahead = HALF_DIGITS * scale
        state, rates = np.array(x + ahead * self._rates), self._rates.ctypes.data
        boundary(t + ahead, state.ctypes.data, rates, data, self._gaps.ctypes.data)
        later = self._margin
        near = np.abs(margins) * ahead <= ROUNDINGS * EPS * scale * np.abs(later - margins)
        self.values[near & (later < 0.0)] *= -1.0

    def settle(self, t: float, x: np.ndarray) -> None:
        """Set every switch to the sign of its margin; one at zero to the side to which the flow leads, else +1.

        A run that starts at an event of another one starts a rounding before or after it: conditions of the user's own
        that are zero within some roundings of the time count as zero.
        """
        self._settle(t, x)
        margins, rates = self._margin, self._margin_rate
        near = np.abs(margins) <= ROUNDINGS * EPS * self._time_scale(t, x) * np.abs(rates)
        near[: self._first_watch] = False
        self.values[near & (rates < 0.0)] *= -1.0

    def _settle(self, t: float, x: np.ndarray) -> None:
        self.values[:], self._largest[:] = 1.0, 0.0
        state = np.ascontiguousarray(x, dtype=float)
        _SETTLE.callable()(self.address, t, state.ctypes.data, 0, 1)

    def _time_scale(self, t: float, x: np.ndarray) -> float:
        """The time of which a start is rounded (s): its own, and the one in which the flow changes the state by itself.

        1 s where the state or its rates are zero.
        """
        size, speed = float(np.abs(x).max(initial=0.0)), float(np.abs(self._rates).max(initial=0.0))
        return abs(t) + (size / speed if 0.0 < size < np.inf and 0.0 < speed < np.inf else 1.0)
