"""The steppers by the names of their methods: a new one is a file of its own and an entry here."""

from __future__ import annotations

from collections.abc import Mapping

from sympact.integrate.problem.stepper import CompiledStepper, StepLayout, Stepper
from sympact.integrate.steppers.scipy_stepper import ScipyStepper

__all__ = ["METHODS"]


def _explicit() -> dict[str, StepLayout]:
    """The compiled Runge-Kutta methods, see `runge_kutta_kernel`."""
    return {
        "DOP853": StepLayout(
            "dop853",
            rows=16,
            last=12,
            degree=7,
            order=7,
            smooth=True,
            polished=True,
            accurate=(0, *range(5, 13)),
            short=True,
        ),
        "RK45": StepLayout("rk45", rows=7, last=6, degree=4, order=4, smooth=True, polished=True),
        "RK4": StepLayout("rk4", rows=5, last=4, degree=3, adaptive=False),
        "improved Euler": StepLayout("improved_euler", rows=3, last=2, degree=3, adaptive=False),
        "Euler": StepLayout("euler", rows=2, last=1, degree=1, adaptive=False),
    }


RADAU_IIA = StepLayout(
    "radau_iia",
    rows=2,
    last=1,
    degree=3,
    order=3,
    polished=True,
    implicit=True,
    module="sympact.integrate.steppers.radau_kernel",
)
"""The compiled implicit method, see `radau_kernel`."""

_METHODS: tuple[Stepper, ...] = (
    *(CompiledStepper(name, layout) for name, layout in _explicit().items()),
    CompiledStepper("RadauIIA", RADAU_IIA),
    ScipyStepper("Radau", degree=3),
    ScipyStepper("BDF", degree=5),
    ScipyStepper("LSODA", degree=12),
)

METHODS: Mapping[str, Stepper] = {method.name: method for method in _METHODS}
"""The names that ``method=`` accepts; models add methods of their own."""
