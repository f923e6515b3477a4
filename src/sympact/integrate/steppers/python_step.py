"""One step of a run as a stepper written in Python sees it: views of what the loop shares with it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np

from sympact.integrate.memory import run_layout as at
from sympact.integrate.problem.callback import Callback
from sympact.integrate.problem.stepper import Running
from sympact.native.kernel import function_at

__all__ = ["PythonStep", "python_stepper"]

_UNIT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class PythonStep:
    """The memory of the steps of one run, as it is when a step begins.

    Parameters
    ----------
    address : int
        Of the frame, as the loop hands it to a unit.
    degree : int
        Rows of the polynomial.

    Attributes
    ----------
    t, t_stop, max_step, rtol : float
        The start of the step (s), where it ends at the latest, its largest size, the relative tolerance.
    fresh : bool
        Whether a flight begins with it: at the start of a run, and after a jump.
    x, x_new, atol : array, shape (n,)
        The state at its start and at its end, which is to be written, and the absolute tolerances.
    rates : array, shape (2, n)
        The rates of the state at its start, and at its end, which are to be written.
    polynomial : array, shape (degree, n)
        The rows of its polynomial (see `Segments`), which are to be written.
    """

    def __init__(self, address: int, degree: int):
        frame = np.frombuffer((ctypes.c_int64 * at.SIZE).from_address(address), dtype=np.int64)
        n = int(frame[at.N])
        self._frame, self._real, self._flow = frame, _reals(frame[at.REAL], at.N_REALS), (0, 0, None)
        self.x, self.x_new, self.atol = (_reals(frame[slot], n) for slot in (at.X, at.X_NEW, at.ATOL))
        self.rates = _reals(frame[at.RATES], 2 * n).reshape(2, n)
        self.polynomial = _reals(frame[at.POLYNOMIAL], degree * n).reshape(degree, n)

    t = property(lambda self: float(self._real[at.T]))
    t_stop = property(lambda self: float(self._real[at.T_STOP]))
    max_step = property(lambda self: float(self._real[at.MAX_STEP]))
    rtol = property(lambda self: float(self._real[at.RTOL]))
    fresh = property(lambda self: bool(self._frame[at.FRESH]))

    @property
    def faulted(self) -> bool:
        """Whether a function of a user has raised."""
        return bool(self._frame[at.FAULT] != 0)

    def flow(self) -> Callable[[float, np.ndarray], np.ndarray]:
        """The flow of the present stage as ``f(t, x)``, which returns a new array; its calls are counted."""
        address, data = int(self._frame[at.FLOW]), int(self._frame[at.FLOW_DATA])
        if self._flow[:2] != (address, data):
            self._flow = address, data, self._called(function_at(_FLOW, address), data)
        return self._flow[2]

    def _called(self, function: Callable, data: int) -> Callable[[float, np.ndarray], np.ndarray]:
        """The function behind a flow's address."""
        frame, n = self._frame, len(self.x)

        def rates(t: float, x: np.ndarray) -> np.ndarray:
            x, out = np.ascontiguousarray(x, dtype=float), np.empty(n)
            if x.shape != (n,):
                raise ValueError(f"the flow was given a state of shape {x.shape}, expected ({n},)")
            function(t, x.ctypes.data, data, out.ctypes.data)
            frame[at.FLOW_CALLS] += 1
            return out

        return rates

    def end(self, t_new: float) -> int:
        """Write that the step ends at `t_new`; returns the code of a step that is done."""
        self._real[at.H], self._real[at.T_NEW] = t_new - self.t, t_new
        return at.OK


def python_stepper(advance: Callable[[PythonStep], int], degree: int) -> Running:
    """A stepper for one run whose ``advance`` is a Python function that writes the polynomial itself.

    Parameters
    ----------
    advance : callable
        Takes a step, given its memory; returns a code of `run_layout`.
    degree : int
        Rows of the polynomial.
    """
    of_run = cache(lambda address: PythonStep(address, degree))  # one run has one frame
    unit, nothing = Callback(_UNIT(lambda address: advance(of_run(address)))), Callback(_UNIT(lambda frame: at.OK))
    return Running(unit.address, nothing.address, hands_over=True, owner=(unit, nothing))


def _reals(address: int, n: int) -> np.ndarray:
    return np.frombuffer((ctypes.c_double * n).from_address(int(address)))
