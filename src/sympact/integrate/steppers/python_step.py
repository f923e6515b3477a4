"""One step of a run for a stepper written in Python: views of the memory that it shares with the loop."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.problem.callback import Callback
from sympact.integrate.problem.stepper import Running
from sympact.native.kernel import function_at

__all__ = ["PythonStep", "python_stepper"]

_UNIT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class PythonStep:
    """The memory of the steps of one run, at the start of a step.

    Parameters
    ----------
    address : int
        Of the memory of the run, the argument of a unit.
    degree : int
        Rows of the polynomial.

    Attributes
    ----------
    t, t_stop, max_step, rtol : float
        The start of the step (s), its latest end, its largest size, the relative tolerance.
    fresh : bool
        Whether a smooth arc begins with it: at the start of a run, and after a jump.
    x, x_new, atol : array, shape (n,)
        The state at its start and at its end, which the stepper writes, and the absolute tolerances.
    rates : array, shape (2, n)
        The rates of the state at its start, and at its end, which the stepper writes.
    polynomial : array, shape (degree, n)
        The rows of its polynomial (see `Segments`), which the stepper writes.
    """

    def __init__(self, address: int, degree: int):
        run = self._run = RunMemory(address)
        self._flow: tuple[int, int, Callable[[float, np.ndarray], np.ndarray]] | None = None  # the last one
        self.x, self.x_new, self.atol, self.rates, self.polynomial = (
            run.x,
            run.x_new,
            run.atol,
            run.rates,
            run.polynomial,
        )

    t = property(lambda self: float(self._run.t))
    t_stop = property(lambda self: float(self._run.t_stop))
    max_step = property(lambda self: float(self._run.max_step))
    rtol = property(lambda self: float(self._run.rtol))
    fresh = property(lambda self: bool(self._run.fresh))

    @property
    def present(self) -> np.ndarray | slice:
        """The indices of the states that the present stage has; the others have the rate 0 in it."""
        return self._run.stage.present.copy() if self._run.stage.n_present else slice(None)

    @property
    def faulted(self) -> bool:
        """Whether a function of a user has raised."""
        return self._run.fault != 0

    def flow(self) -> Callable[[float, np.ndarray], np.ndarray]:
        """The flow of the present stage as ``f(t, x)``, which returns a new array; its calls are counted."""
        address, data = self._run.stage.flow, self._run.stage.flow_data
        flow = self._flow
        if flow is None or flow[:2] != (address, data):
            flow = self._flow = address, data, self._called(function_at(_FLOW, address), data)
        return flow[2]

    def _called(self, function: Callable, data: int) -> Callable[[float, np.ndarray], np.ndarray]:
        """The function at a flow's address."""
        run, n = self._run, len(self.x)

        def rates(t: float, x: np.ndarray) -> np.ndarray:
            x, out = np.ascontiguousarray(x, dtype=float), np.empty(n)
            if x.shape != (n,):
                raise ValueError(f"the flow was given a state of shape {x.shape}, expected ({n},)")
            function(t, x.ctypes.data, data, out.ctypes.data)
            run.flow_calls += 1
            return out

        return rates

    def end(self, t_new: float) -> int:
        """Write that the step ends at `t_new`; returns the code of a completed step."""
        self._run.h, self._run.t_new = t_new - self.t, t_new
        return codes.OK


def python_stepper(advance: Callable[[PythonStep], int], degree: int) -> Running:
    """A stepper for one run whose ``advance`` is a Python function that writes the polynomial itself.

    Parameters
    ----------
    advance : callable
        Makes a step, given its memory; returns a code of `run_codes`.
    degree : int
        Rows of the polynomial.
    """
    of_run = cache(lambda address: PythonStep(address, degree))  # one run has one memory
    unit, nothing = Callback(_UNIT(lambda address: advance(of_run(address)))), Callback(_UNIT(lambda address: codes.OK))
    return Running(unit.address, nothing.address, hands_over=True, owner=(unit, nothing))
