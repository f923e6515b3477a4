"""The interface of steppers before any code is compiled, and the argument `method=`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sympact.integrate.problem.callback import Faults
from sympact.native.cached import cached_property
from sympact.native.kernel import Unit, interpreted
from sympact.native.sentences.refused_calls import explained

__all__ = ["CompiledStepper", "Running", "StepLayout", "Stepper"]


@dataclass(frozen=True)
class StepLayout:
    """The units of a stepper, and the sizes of their output.

    Attributes
    ----------
    prefix : str
        The units are ``prefix_advance``, ``prefix_dense`` and ``prefix_exact`` of `module`.
    rows, last : int
        Rows of rates stored in a step, and the row of those at its end.
    degree : int
        Rows of the step's polynomial.
    order : int
        Order of the error estimate, for the first step.
    adaptive : bool
        False: the step is `max_step`.
    smooth : bool
        True: the polynomial is so close to the flow that g' and g'' at the ends are valid for the whole step.
    polished : bool
        True: an event is refined by repeating the step up to it with the full order of the method.
    accurate : tuple of int
        The rows of `rates` of stages whose states are of order five or more, and of both ends of the step: forces there
        determine those of the whole step. Empty for methods with fewer.
    short : bool
        True: steps that are a small part of what the motion permits are by a method of low order.
    straight : bool
        True: between its samples the state is on a straight line; there is no unit but ``prefix_advance``.
    implicit : bool
        True: it has the memory of Newton's method, and ``prefix_advance`` and ``prefix_exact`` write the polynomial of
        each step, which is stored: its factors depend on the steps before, so that no step can be repeated bit by bit.
    """

    prefix: str
    rows: int
    last: int
    degree: int
    order: int = 0
    adaptive: bool = True
    smooth: bool = False
    polished: bool = False
    accurate: tuple[int, ...] = ()
    short: bool = False
    straight: bool = False
    implicit: bool = False
    module: str = "sympact.integrate.steppers.runge_kutta_kernel"

    @cached_property
    def recorded(self) -> int:
        """A bit for each of the `accurate` stages."""
        return sum(1 << row for row in self.accurate)

    def unit(self, task: str) -> Unit:
        """The unit of the task: "advance", "dense" or "exact"."""
        return Unit(self.module, f"{self.prefix}_{task}")


@dataclass(frozen=True)
class Running:
    """A stepper that is ready for one run.

    Attributes
    ----------
    advance, dense, exact : int
        Addresses of the units ``int64(int64 frame)`` that make one accepted step, build its polynomial, and repeat it
        with a given size; 0 where there is none.
    hands_over : bool
        True: `advance` chooses the first step itself, and writes the polynomial of each step, which is stored, since no
        step can be repeated.
    owner : object
        Objects that must live as long as the addresses are used.
    """

    advance: int
    dense: int = 0
    exact: int = 0
    hands_over: bool = False
    owner: object = None


@runtime_checkable
@explained
class Stepper(Protocol):
    """A one-step method of integration: the argument ``method=``, besides the names of the methods of sympact.

    `RungeKutta` makes one of a tableau, `OneStep` of a Python function; :doc:`/how-to/my_stepper` shows both.

    Attributes
    ----------
    name : str
        Its name in results.
    layout : StepLayout
        The sizes of its output, and whether it chooses its step.
    """

    @property
    def name(self) -> str:
        """Its name in results."""

    @property
    def layout(self) -> StepLayout:
        """The sizes of its output, and whether it chooses its step."""

    def units(self) -> Mapping[str, Unit]:
        """The units to be compiled before a run, by their tasks: "advance", "dense", "exact"; none of a function."""

    def begin(self, faults: Faults) -> Running:
        """The stepper for one run; `faults` stores the exceptions of a user's function in it."""


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
        return self._interpreted if interpreted() else self._compiled

    @cached_property
    def _compiled(self) -> Running:
        return self._addressed()

    @cached_property
    def _interpreted(self) -> Running:
        return self._addressed()

    def _addressed(self) -> Running:
        addresses = {task: unit.address() for task, unit in self.units().items()}
        return Running(addresses["advance"], addresses.get("dense", 0), addresses.get("exact", 0))
