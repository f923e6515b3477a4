"""What the loop needs to know of a stepper before any code is compiled, and what `method=` takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from sympact.integrate.problem.callback import Faults
from sympact.native.kernel import Unit

__all__ = ["CompiledStepper", "Running", "StepLayout", "Stepper"]


@dataclass(frozen=True)
class StepLayout:
    """The units of a stepper, and the sizes of what they write.

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


@dataclass(frozen=True)
class Running:
    """A stepper that is ready for one run.

    Attributes
    ----------
    advance, dense, exact : int
        Addresses of the units ``int64(int64 frame)`` that take one accepted step, build its polynomial, and repeat it
        with a given size; 0 where there is none.
    hands_over : bool
        True: `advance` chooses the first step itself, and writes the polynomial of each step, which is kept, since no
        step can be repeated.
    owner : object
        What must live as long as the addresses are used.
    """

    advance: int
    dense: int = 0
    exact: int = 0
    hands_over: bool = False
    owner: object = None


@runtime_checkable
class Stepper(Protocol):
    """A one-step method of integration: what ``method=`` takes besides the names of those that sympact knows.

    `RungeKutta` makes one of a tableau, `OneStep` of a Python function; :doc:`/how-to/my_stepper` shows both.

    Attributes
    ----------
    name : str
        How results call it.
    layout : StepLayout
        The sizes of what it writes, and whether it chooses its step.
    """

    @property
    def name(self) -> str:
        """How results call it."""

    @property
    def layout(self) -> StepLayout:
        """The sizes of what it writes, and whether it chooses its step."""

    def units(self) -> Mapping[str, Unit]:
        """The units to be compiled before a run, by their tasks: "advance", "dense", "exact"; none of a function."""

    def begin(self, faults: Faults) -> Running:
        """The stepper for one run; what a function of a user raises in it is left with `faults`."""


@dataclass(frozen=True)
class CompiledStepper:
    """A stepper whose steps are units.

    Attributes
    ----------
    name : str
    layout : StepLayout
    """

    name: str
    layout: StepLayout

    def units(self) -> dict[str, Unit]:
        """As `Stepper` says."""
        layout = self.layout
        there = {"advance": True, "dense": not layout.straight, "exact": layout.polished}
        return {task: layout.unit(task) for task, is_there in there.items() if is_there}

    def begin(self, faults: Faults) -> Running:
        """As `Stepper` says."""
        return self._running

    @cached_property
    def _running(self) -> Running:
        addresses = {task: unit.address() for task, unit in self.units().items()}
        return Running(addresses["advance"], addresses.get("dense", 0), addresses.get("exact", 0))
