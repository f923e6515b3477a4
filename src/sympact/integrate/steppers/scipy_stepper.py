"""SciPy's implicit solvers behind the stepper's door: callbacks that take one step and hand over its polynomial."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.steppers.interpolation import nested_basis
from sympact.native.kernel import function_at

__all__ = ["ScipyStepper"]

_UNIT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_DEGREES = {"Radau": 3, "BDF": 5, "LSODA": 12}  # the highest degree of their dense output


class ScipyStepper:
    """One run's stepper around ``scipy.integrate.Radau``, ``BDF`` or ``LSODA``.

    A new flight begins a new solver, since these methods remember the past. Events lie on the solver's own dense
    output.

    Attributes
    ----------
    stepper : Stepper
        The sizes the workspace needs.
    advance, dense : Callback
        The units; `dense` has nothing to do, because `advance` hands the polynomial over at once.
    """

    def __init__(self, method: str, faults: Faults):
        self.degree = _DEGREES[method]
        self.stepper = Stepper(method, rows=2, last=1, degree=self.degree)
        self.advance, self.dense = Callback(_UNIT(self._advance)), Callback(_UNIT(lambda address: codes.OK))
        self._method, self._faults = method, faults
        self._solver: Any = None  # SciPy's, from the first step on
        self._finite = True  # what the flow returned last
        self._all_finite = True  # what it returned in the present step
        self._places, self._to_rows = nested_basis(self.degree)

    def _advance(self, address: int) -> int:
        run = RunMemory(address)
        try:
            if run.fresh == 1:
                self._solver = self._begin(run)
            self._all_finite = True
            self._solver.step()
        except BaseException as error:
            if self._finite or not isinstance(error, Exception):
                self._faults.catch(error, f"the method {self._method}", run.t, run.x)
                return codes.FAULTED
        if run.fault != 0:
            return codes.FAULTED
        if not (self._finite and np.isfinite(self._solver.y).all()):
            return codes.NOT_FINITE
        if self._solver.status == "failed" or self._crawls(run.t):
            return codes.STEP_TOO_SMALL if self._all_finite else codes.NOT_FINITE
        return self._hand_over(run)

    def _crawls(self, t: float) -> bool:
        """True for a step of a few roundings of time: LSODA takes such steps before a singularity for ever."""
        return self._solver.status == "running" and self._solver.t - t < 16 * np.spacing(abs(t))

    def _begin(self, run: RunMemory):
        """A solver from the present state; it calls the flow by address."""
        import scipy.integrate

        flow, data = function_at(_FLOW, run.stage.flow), int(run.stage.flow_data)
        out = np.empty(run.n_states)

        def rates(t, x):
            x = np.ascontiguousarray(x, dtype=float)
            flow(t, x.ctypes.data, data, out.ctypes.data)
            run.flow_calls += 1
            self._finite = bool(np.isfinite(out).all())
            self._all_finite = self._all_finite and self._finite
            return out.copy()

        solver = getattr(scipy.integrate, self._method)
        start = run.x.copy()
        rtol, atol = run.rtol, run.atol.copy()
        begun = solver(rates, run.t, start, run.t_stop, max_step=run.max_step, rtol=rtol, atol=atol)
        if self._method == "BDF":
            begun.D[2:] = 0.0  # which BDF subtracts before it has set them: what stood in memory may be no number
        return begun

    def _hand_over(self, run: RunMemory) -> int:
        solver = self._solver
        x, x_new = run.x, run.x_new
        rates = run.rates
        t, t_new = run.t, solver.t
        x_new[:] = solver.y
        rates[1] = solver.fun(t_new, solver.y)
        values = solver.dense_output()(t + self._places * (t_new - t)).T - x
        values[-1] = x_new - x
        run.polynomial[:] = self._to_rows @ values
        run.h, run.t_new = t_new - t, t_new
        return codes.OK
