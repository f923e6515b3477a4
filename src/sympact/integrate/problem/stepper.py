"""The steppers by name: what the loop needs to know of each before any code is compiled."""

from __future__ import annotations

from dataclasses import dataclass

from sympact.native.kernel import Unit

__all__ = ["EXPLICIT", "SCIPY", "Stepper"]


@dataclass(frozen=True)
class Stepper:
    """A stepper: its units and the sizes of what they write.

    Attributes
    ----------
    prefix : str
        The units are ``prefix_advance``, ``prefix_dense`` and ``prefix_exact`` of `module`.
    rows, last : int
        Rows of rates kept in a step, and the row that holds the rates at its end.
    degree : int
        Rows of the step's polynomial.
    order : int
        Order of the error estimate, for the first step.
    adaptive : bool
        False: the step is `max_step`.
    smooth : bool
        True: the polynomial is so close to the flow that g' and g'' at the ends speak for the whole step.
    polished : bool
        True: an event is refined by repeating the step up to it with the full order of the method.
    straight : bool
        True: between its samples the state is on a straight line; there is no unit but ``prefix_advance``.
    """

    prefix: str
    rows: int
    last: int
    degree: int
    order: int = 0
    adaptive: bool = True
    smooth: bool = False
    polished: bool = False
    straight: bool = False
    module: str = "sympact.integrate.steppers.runge_kutta_kernel"

    def unit(self, task: str) -> Unit:
        """The unit that does the task: "advance", "dense" or "exact"."""
        return Unit(self.module, f"{self.prefix}_{task}")


EXPLICIT = {
    "DOP853": Stepper("dop853", rows=16, last=12, degree=7, order=7, smooth=True, polished=True),
    "RK45": Stepper("rk45", rows=7, last=6, degree=4, order=4, smooth=True, polished=True),
    "RK4": Stepper("rk4", rows=5, last=4, degree=3, adaptive=False),
    "improved Euler": Stepper("improved_euler", rows=3, last=2, degree=3, adaptive=False),
    "Euler": Stepper("euler", rows=2, last=1, degree=1, adaptive=False),
}

SCIPY = ("Radau", "BDF", "LSODA")
