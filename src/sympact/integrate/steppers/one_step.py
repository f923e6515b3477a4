"""A custom stepper as a Python function that makes one step of a given size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_tolerances import SLIGHT
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.real import returned
from sympact.integrate.problem.stepper import Running, StepLayout
from sympact.integrate.steppers.interpolation import nested_basis
from sympact.integrate.steppers.python_step import PythonStep, python_stepper
from sympact.native.kernel import Unit
from sympact.native.sentences.refused_calls import explain_public

__all__ = ["Flow", "OneStep"]

Flow = Callable[[float, np.ndarray], np.ndarray]
"""The flow of the present stage: ``f(t, x)`` returns x', shape (n_states,)."""

_DEGREE = 3
_PLACES, _TO_ROWS = nested_basis(_DEGREE)
_ROUNDINGS = 16
"""Of the time: no step is smaller."""


@dataclass(frozen=True)
class OneStep:
    """A one-step method of a fixed step, as a function: for ``method=``, with the step as ``max_step=``.

    Within a step the state is on the cubic through the results of shorter steps from the same start, on which events
    are found: it has the accuracy of the method up to order four, and positions and speeds at an event are consistent
    as in the method. The function is called three times in each step for it.

    Parameters
    ----------
    step : callable
        ``step(f, t, x, h)`` returns the state at t + h, shape (n_states,), from that at t, which it must not change;
        ``f(t, x)`` is the flow. It must not depend on earlier calls: after an event the next step begins at the state
        after the jump.
    name : str
        Its name in results.

    Raises
    ------
    TypeError
        If `step` cannot be called, or `name` is no text.

    Examples
    --------
    The implicit midpoint rule by a fixed number of iterations, for a ball that loses half of its speed on a floor:

    >>> import numpy as np
    >>> from sympact import HybridSystem, OneStep, Transition
    >>> def midpoint(f, t, x, h):
    ...     new = x
    ...     for _ in range(3):
    ...         new = x + h * f(t + h / 2, (x + new) / 2)
    ...     return new
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    >>> result = ball.simulate((0, 1.2), [5.0, 0.0], start="up", method=OneStep(midpoint), max_step=0.3)
    >>> abs(result.events[0].t - 1.0) < 1e-12, result.settings["method"]
    (True, 'midpoint')
    """

    step: Callable[[Flow, float, np.ndarray, float], np.ndarray]
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.step):
            raise TypeError(
                f"step is {self.step!r}, expected a function step(f, t, x, h) that returns the state at t + h"
            )
        if not isinstance(self.name, str):
            raise TypeError(f"name is {self.name!r}, expected a text")
        object.__setattr__(self, "name", self.name or getattr(self.step, "__name__", "one step"))

    @property
    def layout(self) -> StepLayout:
        """As `Stepper` says."""
        return StepLayout("one step", rows=2, last=1, degree=_DEGREE, adaptive=False)

    def units(self) -> Mapping[str, Unit]:
        """As `Stepper` says."""
        return {}

    def begin(self, faults: Faults) -> Running:
        """As `Stepper` says."""
        return python_stepper(lambda step: self._advance(step, faults), _DEGREE)

    def _advance(self, step: PythonStep, faults: Faults) -> int:
        """Make one step."""
        t, flow, rest = step.t, step.flow(), step.t_stop - step.t
        size = max(step.max_step, _ROUNDINGS * np.spacing(abs(t)))
        t_new = step.t_stop if size >= rest * (1.0 - SLIGHT) else t + size
        h = t_new - t
        try:
            within = [self._state(self.step(flow, t, step.x.copy(), part), len(step.x)) for part in h * _PLACES]
        except BaseException as error:
            faults.catch(error, f"the method {self.name!r}", t, step.x)
            return codes.FAULTED
        step.x_new[:] = within[-1]
        step.rates[1] = flow(t_new, step.x_new)
        if step.faulted:
            return codes.FAULTED
        if not (np.isfinite(step.x_new).all() and np.isfinite(step.rates[1]).all()):
            return codes.NOT_FINITE
        step.polynomial[:] = _TO_ROWS @ (np.array(within) - step.x)
        return step.end(t_new)

    def _state(self, value: object, n: int) -> np.ndarray:
        """The state that the function returned, or an error."""
        try:
            state = returned(value)
        except ValueError as error:
            raise ValueError(f"the method {self.name!r} returned no state: {error}") from None
        if state.shape != (n,):
            raise ValueError(
                f"the method {self.name!r} returned an array of shape {state.shape}, expected ({n},), one number for"
                " each state"
            )
        return state


explain_public(globals())
