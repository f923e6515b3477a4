"""The parts of a run, which are made on first access where a run was simulated."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from sympact.integrate.history.hooks import Hooks
from sympact.integrate.history.record import Record
from sympact.integrate.problem.program import Program
from sympact.integrate.steppers.interpolation import Segments

__all__ = ["Dense", "RunParts", "SampledRun"]


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
