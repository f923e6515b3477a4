"""A model as the loop uses it: its stages, each by addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.stage import Scales, Stage
from sympact.integrate.problem.stage_table import StageTable
from sympact.native.cached import cached_property
from sympact.native.engine import Engine, present_engine
from sympact.native.memory import Memory

__all__ = ["Program"]


@dataclass(frozen=True)
class Program:
    """A process as the loop runs it.

    Attributes
    ----------
    stages : tuple of Stage
    state_names : tuple of str
    discrete : tuple of int
        The states that no flow changes.
    faults : Faults, optional
        Stores the exceptions of callbacks into Python.
    calls_python : bool
        Whether the stages call Python functions, in which Ctrl-C must not be raised.
    start_stages : mapping of str to int
        The stage in which a stepper of the process itself begins, by the name of the method.
    schedule : Schedule, optional
        Times at which steps end, with a function called there.
    scales : tuple of Scales
        Those of each stage; by default none is known.
    owner : object
        Objects that must live as long as the addresses are used.
    memories : tuple of Memory
        Memory with addresses of units, besides that of the run and its stages.
    engine : Engine
        How the units are evaluated whose addresses it has: the engine in force when the program is made.
    """

    stages: tuple[Stage, ...]
    state_names: tuple[str, ...]
    faults: Faults | None = None
    start_stages: Mapping[str, int] = field(default_factory=dict)
    schedule: Schedule | None = None
    scales: tuple[Scales, ...] = ()
    calls_python: bool = False
    owner: object = field(default=None, repr=False, compare=False)
    memories: tuple[Memory, ...] = ()
    discrete: tuple[int, ...] = ()
    engine: Engine = field(default_factory=present_engine, repr=False, compare=False)

    @cached_property
    def table(self) -> StageTable:
        """The stages as the loop reads them."""
        return StageTable(self.stages)
