"""A run that has ended, and how it travels: to another process by pickle, or into a deep copy, with the same bits.

The numbers of a run travel, and how it was made. The functions of its model, such as forces, are there again when they
are requested: then the run is made once more, and must have the same bits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.travel import check_travels
from sympact.integrate.problem.warning import SympactWarning
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.charted import ChartedRecord, ChartedStates
from sympact.integrate.trajectory.hooks import PLAIN, Appearance, Hooks
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.piece import Dense, KnownPiece, Piece
from sympact.integrate.trajectory.record import Record

__all__ = ["Coordinates", "Evaluator", "KnownEvaluator", "Origin", "PortableRun", "Trajectory", "same_run"]


class Evaluator(Protocol):
    """The model of a run that has ended, with the numbers of the run."""

    @property
    def hooks(self) -> Hooks:
        """The quantities of the model."""

    def completed(self, record: Record) -> Record:
        """The record of the run with what the model knows of it: details of its end, settings, counts."""


@dataclass(frozen=True, eq=False, slots=True)
class KnownEvaluator:
    """Functions that are there already; of a record that is complete."""

    hooks: Hooks

    def completed(self, record: Record) -> Record:
        """The record itself."""
        return record


_OF_PLAIN_FUNCTIONS = KnownEvaluator(PLAIN)


@dataclass(frozen=True, eq=False, slots=True)
class Coordinates:
    """The coordinates of the user's model, where others were integrated.

    Attributes
    ----------
    chart : Chart
    x0 : array, shape (n,)
        The start of the run, which determines the full turns of all angles.
    state_names : tuple of str
    """

    chart: Chart
    x0: np.ndarray
    state_names: tuple[str, ...]


class Trajectory:
    """A run that has ended; all but the columns of its piece is made on first access.

    Parameters
    ----------
    piece : Piece
        As it was integrated.
    evaluator : Evaluator, optional
        The model; by default that of plain functions, which has no quantities.
    coordinates : Coordinates, optional
        Those of the user's model; by default the states are those that were integrated.

    Attributes
    ----------
    origin : Origin or None
        How it was made, where that is known.
    """

    def __init__(
        self, piece: Piece, evaluator: Evaluator = _OF_PLAIN_FUNCTIONS, coordinates: Coordinates | None = None
    ) -> None:
        self.piece, self.evaluator, self.coordinates = piece, evaluator, coordinates
        self.origin: Origin | None = None
        self._appearance: Appearance | None = None
        self._observed: Mapping[str, Observation] | None = None
        self._portable: PortableRun | None = None

    def shown(self, appearance: Appearance) -> Self:
        """The same run, drawn with this appearance."""
        return self._with(_appearance=appearance)

    def observed(self, found: Mapping[str, Observation]) -> Self:
        """The same run with the numbers that were observed along it."""
        return self._with(_observed=found)

    def _with(self, **parts: Any) -> Self:
        same = object.__new__(type(self))
        vars(same).update(vars(self), **parts)
        vars(same).pop("hooks", None)
        return same

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self.piece.t

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self.piece.x if self.coordinates is None else self._charted.x

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self.piece.event_t

    @cached_property
    def integrated(self) -> Record:
        """The samples and events in the states that were integrated, the end and the settings."""
        return self.evaluator.completed(self.piece.record)

    @cached_property
    def record(self) -> Record:
        """The samples and events, the end and the settings."""
        return self.integrated if self.coordinates is None else ChartedRecord(self._charted)

    @property
    def interpolant(self) -> Dense:
        """The state between the samples."""
        return self.piece.interpolant if self.coordinates is None else self._charted

    @cached_property
    def _charted(self) -> ChartedStates:
        """The states in the coordinates of the user's model."""
        assert self.coordinates is not None, "others were integrated"
        return ChartedStates(self.coordinates.chart, self.coordinates.x0, self.integrated, self.piece.interpolant)

    @cached_property
    def program(self) -> Program:
        """The names of states, stages and boundaries."""
        program = self.piece.program
        return program if self.coordinates is None else replace(program, state_names=self.coordinates.state_names)

    @cached_property
    def hooks(self) -> Hooks:
        """The quantities of the model."""
        found = self.evaluator.hooks
        if self._observed is not None:
            found = replace(found, observed=self._observed)
        return found if self._appearance is None else replace(found, appearance=self._appearance)

    def __reduce__(self) -> tuple:
        """Its numbers travel, and how it was made."""
        return same_run, (self._portable or _portable(self), self._appearance)


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

    def again(self, record: Record) -> Trajectory:
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
        x, m = run.integrated.x, len(record.x) - (record.status is Status.INTERRUPTED)
        if not np.array_equal(x[:m], record.x[:m]):
            raise RuntimeError(
                "the run, made once more for the functions of its model, has other bits than the one that travelled: "
                "another version of sympact or another processor; simulate it here"
            )
        return run


@dataclass(frozen=True, eq=False)
class PortableRun:
    """A trajectory as plain data.

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


@dataclass(frozen=True, eq=False)
class _MadeAgain:
    """The model of a run that has travelled, and its states between samples: those of the run made once more."""

    origin: Origin
    integrated: Record

    @cached_property
    def _run(self) -> Trajectory:
        return self.origin.again(self.integrated)

    @property
    def hooks(self) -> Hooks:
        """The quantities of the model."""
        return self._run.hooks

    def completed(self, record: Record) -> Record:
        """The record itself."""
        return record

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""
        return self._run.interpolant(t, side)

    def segments(self) -> Segments:
        """The polynomials of the accepted steps."""
        return self._run.interpolant.segments()


ShownRun = Trajectory.shown
"""What pickles of earlier versions call."""


def same_run(portable: PortableRun, appearance: Appearance | None = None) -> Trajectory:
    """The run where it has arrived."""
    record, polynomials, origin = portable.integrated, portable.polynomials, portable.origin
    again = None if origin is None else _MadeAgain(origin, record)
    dense: Dense = StoredInterpolant(record.t, record.x, lambda: polynomials)
    if not portable.exact and again is not None:
        dense = again
    stages = tuple(Stage(name, 0, boundary_names=names, switch_names=both) for name, names, both in portable.stages)
    piece = KnownPiece(record, dense, Program(stages=stages, state_names=portable.state_names))
    turning, names = portable.turning, portable.state_names
    coordinates = None if turning is None else Coordinates(*turning, names)
    run = Trajectory(piece, again or _OF_PLAIN_FUNCTIONS, coordinates)
    run.origin, run._portable = origin, portable
    return run if appearance is None else run.shown(appearance)


def _portable(run: Trajectory) -> PortableRun:
    """A run as plain data."""
    program, coordinates = run.program, run.coordinates
    return PortableRun(
        run.integrated,
        run.interpolant.segments(),
        isinstance(run.interpolant, StoredInterpolant | ChartedStates),
        tuple(program.state_names),
        tuple((stage.name, tuple(stage.boundary_names), tuple(stage.switch_names)) for stage in program.stages),
        None if coordinates is None else (coordinates.chart, coordinates.x0),
        run.origin,
    )
