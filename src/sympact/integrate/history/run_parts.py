"""The parts of a run: those of a run that was simulated are made on first access, those of a file are there."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from sympact.integrate.history.hooks import PLAIN, Hooks
from sympact.integrate.history.record import Record
from sympact.integrate.problem.program import Program
from sympact.integrate.steppers.interpolation import Segments

__all__ = ["Dense", "KnownRun", "RunParts", "SampledRun"]


class Dense(Protocol):
    """The state of a run between its samples, as `Result` needs it."""

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""

    def segments(self) -> Segments:
        """The polynomials of the accepted steps."""


class SampledRun(Protocol):
    """The samples and events of a run, and the states between; the arrays are those of the record."""

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""

    @property
    def record(self) -> Record:
        """The samples and events as the loop wrote them."""

    @property
    def interpolant(self) -> Dense:
        """The state between the samples."""

    @property
    def program(self) -> Program:
        """The names of states, stages and boundaries."""


class RunParts(SampledRun, Protocol):
    """The parts of a run, as `Result` needs them."""

    @property
    def origin(self) -> Any:
        """How it was made, see `portable.Origin`; None where that is not known."""

    @property
    def hooks(self) -> Hooks:
        """The functions of the model."""


class KnownRun(NamedTuple):
    """The parts of a run that are there already."""

    record: Record
    interpolant: Dense
    program: Program
    hooks: Hooks = PLAIN
    origin: Any = None

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
