"""Runs that travel: to another process by pickle, or into a deep copy, with the same bits.

The numbers of a run travel, and how it was made. The functions of its model, such as forces, are there again when they
are requested: then the run is made once more, and must have the same bits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sympact.integrate.charts.turned import Chart, TurnedRecord, TurnedRun
from sympact.integrate.history.hooks import PLAIN, Hooks
from sympact.integrate.history.record import Record
from sympact.integrate.history.run_parts import Dense, RunParts
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.travel import check_travels
from sympact.integrate.problem.warning import SympactWarning
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant

__all__ = ["KnownRun", "NotedRun", "Origin", "PortableRun", "portable", "same_run"]


@dataclass(frozen=True, eq=False)
class Origin:
    """How a run was made.

    Attributes
    ----------
    simulate : callable
        Which returned its result.
    arguments : tuple
    options : dict
    """

    simulate: Callable[..., Any]
    arguments: tuple
    options: dict[str, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Its fields; a TypeError names an input that cannot travel to another process."""
        for letter, value in self.options.get("inputs", {}).items():
            if callable(value):
                check_travels(f"the input {letter}", value)
        return vars(self)

    def __deepcopy__(self, memo: dict) -> Origin:
        return self  # nothing changes it

    def note(self, run: RunParts) -> None:
        """Store it with a run that was simulated."""
        vars(run)["origin"] = self

    def again(self, record: Record) -> RunParts:
        """The same run once more, up to where it was interrupted.

        Raises
        ------
        RuntimeError
            If its bits differ, as those of another version or another processor may.
        """
        options = dict(self.options)
        if record.status is Status.INTERRUPTED:
            options["max_steps"] = max(record.counts["steps"] + record.counts["rejected"], 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SympactWarning)
            try:
                run = self.simulate(*self.arguments, **options)._run
            except Exception as error:
                if record.status is not Status.FAULT or not hasattr(error, "result"):
                    raise
                run = error.result._run
        x, m = run.record.integrated.x, len(record.x) - (record.status is Status.INTERRUPTED)
        if not np.array_equal(x[:m], record.x[:m]):
            raise RuntimeError(
                "the run, made once more for the functions of its model, has other bits than the one that travelled: "
                "another version of sympact or another processor; simulate it here"
            )
        return run


@dataclass(frozen=True, eq=False)
class PortableRun:
    """The parts of a run as plain data; see `RunParts`.

    Parameters
    ----------
    integrated : Record
        In the states that were integrated.
    polynomials : Segments
    exact : bool
        Whether these are what the run itself has between its samples; those of several islands differ by rounding.
    state_names : tuple of str
    stages : tuple
        The name of each stage, its boundaries, and its switches.
    turning : (Chart, array) or None
        The chart and the start of a run in the states of the user's model, where these were not integrated.
    origin : Origin or None
        None where the functions of the run are not needed, as of plain functions.
    """

    integrated: Record
    polynomials: Segments
    exact: bool
    state_names: tuple[str, ...]
    stages: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]], ...]
    turning: tuple[Chart, np.ndarray] | None
    origin: Origin | None

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: everything else is made again."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def _turned(self) -> TurnedRun | None:
        if self.turning is None:
            return None
        return TurnedRun(*self.turning, self.integrated, self._stored)

    @cached_property
    def _stored(self) -> StoredInterpolant:
        return StoredInterpolant(self.integrated.t, self.integrated.x, lambda: self.polynomials)

    @cached_property
    def record(self) -> Record:
        """The samples and events."""
        return self.integrated if self._turned is None else TurnedRecord(self._turned)

    @property
    def interpolant(self) -> Dense:
        """The state between the samples."""
        if not self.exact and self.origin is not None:
            return self._again.interpolant
        return self._stored if self._turned is None else self._turned

    @cached_property
    def program(self) -> Program:
        """The names of states, stages and boundaries."""
        stages = tuple(Stage(name, 0, boundary_names=names, switch_names=both) for name, names, both in self.stages)
        return Program(stages=stages, state_names=self.state_names)

    @cached_property
    def hooks(self) -> Hooks:
        """The functions of the model."""
        return PLAIN if self.origin is None else self._again.hooks

    @cached_property
    def _again(self) -> RunParts:
        assert self.origin is not None, "the run knows how it was made"
        return self.origin.again(self.integrated)

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self.integrated.t

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self.record.x

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self.integrated.event_t


class KnownRun(NamedTuple):
    """The parts of a run that are there already."""

    record: Record
    interpolant: Dense
    program: Program
    hooks: Hooks = PLAIN
    origin: Any = None

    def __reduce__(self) -> tuple:
        return same_run, (portable(self),)

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self.record.t

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self.record.x

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self.record.event_t


class NotedRun(KnownRun):
    """The same; the origin of the run is noted when it is known."""

    origin: Any = None


def same_run(run: PortableRun) -> PortableRun:
    """The run itself: what other runs are made from where they arrive."""
    return run


def portable(run: RunParts) -> PortableRun:
    """The parts of a run as plain data."""
    if isinstance(run, PortableRun):
        return run
    record, program = run.record, run.program
    turned = record.run if isinstance(record, TurnedRecord) else None
    return PortableRun(
        record.integrated,
        run.interpolant.segments(),
        isinstance(run.interpolant, StoredInterpolant | TurnedRun),
        tuple(program.state_names),
        tuple((stage.name, tuple(stage.boundary_names), tuple(stage.switch_names)) for stage in program.stages),
        None if turned is None else (turned.chart, turned.x0),
        run.origin,
    )
