"""A piece of a run: its samples, its events and its modes, in the coordinates that were integrated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.steppers.interpolation import Segments
from sympact.integrate.trajectory.mode_names import Modes
from sympact.integrate.trajectory.record import Record

__all__ = ["Dense", "KnownPiece", "Piece"]


class Dense(Protocol):
    """The state of a run between its samples."""

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""

    def segments(self) -> Segments:
        """The polynomials of the accepted steps."""


class Piece(Protocol):
    """Samples and events, and the states between; the arrays are those of the record.

    `KnownPiece` has them already, `WrittenPiece` as the loop has written them, `JoinedPiece` side by side, from the
    runs of islands.
    """

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

    @property
    def modes(self) -> Modes:
        """The modes to which samples and events refer by number."""

    @property
    def method(self) -> str:
        """The method of integration."""


@dataclass(frozen=True, eq=False, slots=True)
class KnownPiece:
    """A piece whose arrays are there already."""

    record: Record
    interpolant: Dense
    program: Program
    known_modes: Modes | None = None

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

    @property
    def modes(self) -> Modes:
        """The modes of the run, by default the stages."""
        return self.known_modes or Modes(self.program, None)

    @property
    def method(self) -> str:
        """The method of integration."""
        return str(self.record.settings["method"])
