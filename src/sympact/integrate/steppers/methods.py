"""The methods of integration by name: a new one is a file of its own and an entry here."""

from __future__ import annotations

from collections.abc import Mapping

from sympact.integrate.problem.stepper import CompiledMethod, Method, Stepper
from sympact.integrate.steppers.scipy_stepper import ScipyMethod

__all__ = ["METHODS"]


def _explicit() -> dict[str, Stepper]:
    """The compiled Runge-Kutta methods, see `runge_kutta_kernel`."""
    return {
        "DOP853": Stepper("dop853", rows=16, last=12, degree=7, order=7, smooth=True, polished=True),
        "RK45": Stepper("rk45", rows=7, last=6, degree=4, order=4, smooth=True, polished=True),
        "RK4": Stepper("rk4", rows=5, last=4, degree=3, adaptive=False),
        "improved Euler": Stepper("improved_euler", rows=3, last=2, degree=3, adaptive=False),
        "Euler": Stepper("euler", rows=2, last=1, degree=1, adaptive=False),
    }


_METHODS: tuple[Method, ...] = (
    *(CompiledMethod(name, stepper) for name, stepper in _explicit().items()),
    ScipyMethod("Radau", degree=3),
    ScipyMethod("BDF", degree=5),
    ScipyMethod("LSODA", degree=12),
)

METHODS: Mapping[str, Method] = {method.name: method for method in _METHODS}
"""The names that ``method=`` accepts; models add methods of their own."""
