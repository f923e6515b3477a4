"""SciPy's implicit solvers as steppers: callbacks that make one step and write its polynomial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.stepper import Running, StepLayout
from sympact.integrate.steppers.interpolation import nested_basis
from sympact.integrate.steppers.python_step import PythonStep, python_stepper
from sympact.native.kernel import Unit
from sympact.native.rounding import HALF_DIGITS

__all__ = ["ScipyStepper"]

_INCREMENT = HALF_DIGITS**0.5
"""The largest increment of a state in a difference for the Jacobian, relative to the state.

It suits a flow that is known to half of its digits. SciPy multiplies the increment by ten wherever the flow does not
notice it, in each Jacobian anew and without end, as of dependent coordinates, which `Partitioning` replaces before the
flow sees them; Salane, Adaptive routines for forming Jacobians numerically, SAND86-1319, 1986, bounds it.
"""


@dataclass(frozen=True)
class ScipyStepper:
    """One of ``scipy.integrate.Radau``, ``BDF`` or ``LSODA``.

    Attributes
    ----------
    name : str
        The name of its class.
    degree : int
        The highest degree of its dense output.
    """

    name: str
    degree: int

    @property
    def layout(self) -> StepLayout:
        """As `Stepper` says."""
        return StepLayout(self.name, rows=2, last=1, degree=self.degree)

    def units(self) -> Mapping[str, Unit]:
        """As `Stepper` says."""
        return {}

    def begin(self, faults: Faults) -> Running:
        """As `Stepper` says."""
        return python_stepper(_ScipyRun(self.name, self.degree, faults).advance, self.degree)


class _ScipyRun:
    """One run's solvers: a new smooth arc begins with a new one, since these methods use past steps.

    Events lie on the solver's own dense output. States that do not change along the flow are left out.
    """

    def __init__(self, method: str, degree: int, faults: Faults):
        self._method, self._faults = method, faults
        self._solver: Any = None  # SciPy's, from the first step on
        self._finite = True  # the last result of the flow
        self._all_finite = True  # its results in the present step
        self._places, self._to_rows = nested_basis(degree)
        self._present: np.ndarray | slice = slice(None)  # the states of the solver, those of the stage

    def advance(self, step: PythonStep) -> int:
        """Make one step."""
        try:
            if step.fresh:
                self._solver = self._begin(step)
            self._all_finite = True
            self._keep_increments_small()
            self._solver.step()
        except BaseException as error:
            if (self._finite and self._has_jacobian()) or not isinstance(error, Exception):
                self._faults.catch(error, f"the method {self._method}", step.t, step.x)
                return codes.FAULTED
            return codes.FAULTED if step.faulted else codes.NOT_FINITE
        if step.faulted:
            return codes.FAULTED
        if not (self._finite and np.isfinite(self._solver.y).all()):
            return codes.NOT_FINITE
        if self._solver.status == "failed" or self._crawls(step.t):
            return codes.STEP_TOO_SMALL if self._all_finite else codes.NOT_FINITE
        return self._hand_over(step)

    def _keep_increments_small(self) -> None:
        factors = getattr(self._solver, "jac_factor", None)
        if factors is not None:
            np.minimum(factors, _INCREMENT, out=factors)

    def _has_jacobian(self) -> bool:
        """Whether the Jacobian is finite; a solver without one has none to be lost."""
        return bool(np.isfinite(getattr(self._solver, "J", 0.0)).all())

    def _crawls(self, t: float) -> bool:
        """True for a step of a few roundings of time: LSODA makes such steps before a singularity without end."""
        return self._solver.status == "running" and self._solver.t - t < 16 * np.spacing(abs(t))

    def _begin(self, step: PythonStep):
        """A solver from the present state; it calls the flow by address."""
        import scipy.integrate

        flow, present, whole = step.flow(), _followed(step), step.x.copy()
        self._present = present

        def rates(t, x):
            whole[present] = x
            out = flow(t, whole)[present]
            self._finite = bool(np.isfinite(out).all())
            self._all_finite = self._all_finite and self._finite
            return out

        solver, start, atol = getattr(scipy.integrate, self._method), step.x[present].copy(), step.atol[present].copy()
        begun = solver(rates, step.t, start, step.t_stop, max_step=step.max_step, rtol=step.rtol, atol=atol)
        if self._method == "BDF":
            begun.D[2:] = 0.0  # which BDF subtracts before it has set them: the memory may contain NaN
        return begun

    def _hand_over(self, step: PythonStep) -> int:
        solver, t, present = self._solver, step.t, self._present
        t_new, x = solver.t, step.x[present]
        step.x_new[:], step.rates[1], step.polynomial[:] = step.x, 0.0, 0.0
        step.x_new[present] = solver.y
        step.rates[1][present] = solver.fun(t_new, solver.y)
        values = solver.dense_output()(t + self._places * (t_new - t)).T - x
        values[-1] = step.x_new[present] - x
        step.polynomial[:, present] = self._to_rows @ values
        return step.end(t_new)


def _followed(step: PythonStep) -> np.ndarray:
    """The states that the stage has and that change along the flow, as indices."""
    followed = np.zeros(len(step.x), dtype=bool)
    followed[step.present] = True
    return np.flatnonzero(followed & np.isfinite(step.atol))
