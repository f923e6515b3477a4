"""A run that has ended, and how it travels: to another process by pickle, or into a deep copy, with the same bits.

The numbers of a run travel, and how it was made. The functions of its model, such as forces, are there again when they
are requested: then the run is made once more, and must have the same bits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.travel import check_travels
from sympact.integrate.problem.warning import SympactWarning
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.charted import ChartedRecord, ChartedStates
from sympact.integrate.trajectory.evaluator import PLAIN, Appearance, Evaluator, Facts
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.piece import Dense, KnownPiece, Piece
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["Coordinates", "Origin", "PortableRun", "Trajectory", "portable", "same_run"]


class Coordinates(NamedTuple):
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
    evaluator : Evaluator or None
        The model; by default that of plain functions, which has no quantities. None of a run that has travelled: that
        of the run made once more.
    coordinates : Coordinates, optional
        Those of the user's model; by default the states are those that were integrated.
    complete : bool
        Whether the record of the piece has all that the model knows of it.

    Attributes
    ----------
    origin : Origin or None
        How it was made, where that is known.
    """

    piece: Piece
    origin: Origin | None
    _appearance: Appearance | None = None
    _observed: Mapping[str, Observation] | None = None
    _portable: PortableRun | None = None

    def __init__(
        self,
        piece: Piece,
        evaluator: Evaluator | None = PLAIN,
        coordinates: Coordinates | None = None,
        *,
        complete: bool = False,
    ) -> None:
        self.piece, self.coordinates, self.origin = piece, coordinates, None
        self._evaluator, self._complete = evaluator, complete

    def shown(self, appearance: Appearance) -> Self:
        """The same run, drawn with this appearance."""
        return self._with(_appearance=appearance)

    def observed(self, found: Mapping[str, Observation]) -> Self:
        """The same run with the numbers that were observed along it."""
        return self._with(_observed=found)

    def _with(self, **parts: Any) -> Self:
        same = object.__new__(type(self))
        vars(same).update(vars(self), **parts)
        vars(same).pop("facts", None)
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
        record = self.piece.record
        return record if self._complete or self._evaluator is None else self._evaluator.completed(record)

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

    @property
    def evaluator(self) -> Evaluator:
        """The model of the run."""
        return self.again.evaluator if self._evaluator is None else self._evaluator

    @cached_property
    def facts(self) -> Facts:
        """What is known of the model, what was observed along the run, and how it is drawn."""
        found = self.again.facts if self._evaluator is None else self._evaluator.facts
        if self._observed is not None:
            found = replace(found, observed=self._observed)
        return found if self._appearance is None else replace(found, appearance=self._appearance)

    @cached_property
    def again(self) -> Trajectory:
        """The run made once more."""
        assert self.origin is not None, "the run knows how it was made"
        return self.origin.again(self.integrated)

    def __reduce__(self) -> tuple:
        """Its numbers travel, and how it was made."""
        return same_run, (self._portable or portable(self), self._appearance)


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


class _MadeAgain:
    """The states between the samples of a run that has travelled: those of the run made once more.

    Parameters
    ----------
    run : callable
        Returns that run.
    """

    def __init__(self, run: Callable[[], Trajectory]) -> None:
        self._run = run

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""
        return self._run().interpolant(t, side)

    def segments(self) -> Segments:
        """The polynomials of the accepted steps."""
        return self._run().interpolant.segments()


ShownRun = Trajectory.shown
"""What pickles of earlier versions call."""


def same_run(portable: PortableRun, appearance: Appearance | None = None) -> Trajectory:
    """The run where it has arrived."""
    record, polynomials, origin = portable.integrated, portable.polynomials, portable.origin
    dense: Dense = StoredInterpolant(record.t, record.x, lambda: polynomials)
    if not portable.exact and origin is not None:
        dense = _MadeAgain(lambda: run.again)
    stages = tuple(Stage(name, 0, boundary_names=names, switch_names=both) for name, names, both in portable.stages)
    piece = KnownPiece(record, dense, Program(stages=stages, state_names=portable.state_names))
    turning, names = portable.turning, portable.state_names
    coordinates = None if turning is None else Coordinates(*turning, names)
    run = Trajectory(piece, PLAIN if origin is None else None, coordinates, complete=True)
    run.origin, run._portable, run._appearance = origin, portable, appearance
    return run


def portable(run: Trajectory) -> PortableRun:
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
