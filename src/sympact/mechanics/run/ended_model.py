"""The end of a run of a model: what its memory has then, the details of an early end, and the warnings of the run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from sympact.contact.constraints.constraint_data import ConstraintData
from sympact.contact.constraints.formulations import Formulation
from sympact.contact.contact_workspace import named_counts
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning, tell
from sympact.integrate.trajectory.piece import Piece
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.present.two_places import describe_leap, describe_two_places
from sympact.mechanics.run.dead_points import describe_driven
from sympact.mechanics.run.equation_audit import (
    audit,
    describe_arc,
    describe_imbalance,
    describe_painleve,
    may_warn,
    misses,
)
from sympact.mechanics.run.model_evaluator import ModelEvaluator
from sympact.mechanics.run.model_memory import ModelMemory, Recall
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.run.unsolved import describe_unsolved
from sympact.mechanics.start.scale import Scale

__all__ = ["EndedModel", "SimulatedPiece"]


class SimulatedPiece(Piece, Protocol):
    """A piece of a run that was simulated here."""

    settings: Settings
    status: Status


class EndedModel(ModelEvaluator):
    """The model of a run that was simulated here.

    Parameters
    ----------
    compiled : CompiledModel
        The model as the user wrote it.
    piece : WrittenPiece
    memory : ModelMemory
        That of the run, from which what it has at the end is copied.
    p : array
        The parameters of the run.
    scale : Scale
        That of its gaps.
    signals : Signals, optional
        The inputs.
    start_change : array, shape (n_states,), optional
        The change of the initial state to one on the constraints.

    Attributes
    ----------
    length : float
        The model length at its end (m).
    solvers : array or None
        What is counted of the solvers of contacts.
    misses : dict of str to float, or None
        The largest figures of the audit of its smooth arcs, by the names of settings.
    joined : str
        Why all islands of the model were integrated with one step; empty where it has one alone.
    """

    joined = ""
    piece: SimulatedPiece
    _details: dict[str, Any] | None = None
    _warnings: tuple[SympactWarning, ...] = ()

    def __init__(
        self,
        compiled: CompiledModel,
        piece: WrittenPiece,
        memory: ModelMemory,
        p: np.ndarray,
        scale: Scale,
        signals: Signals | None,
        start_change: np.ndarray | None = None,
    ) -> None:
        lengths = memory.row_lengths()
        super().__init__(compiled, piece, p, signals, np.zeros(0) if lengths is None else lengths, memory.sides())
        self._start_change, self._report = start_change, piece.events["event_record"]
        self._constraints = _counts_of(memory.free.constraints)
        self.length, self.solvers, self.misses, data = 0.0, None, None, memory.data
        if data is not None:
            self.length, self.solvers = data.length if scale.measured else scale.length, data.solver_numbers()
            self.misses = misses(data.arc_audit)
        piece.lend = Recall(memory, p, self.length, scale.grains, signals)

    def completed(self, record: Record) -> Record:
        """The record with the details of its end, the warnings, and the lengths that gaps were compared with."""
        settings, length = record.settings, self.length
        if self._compiled.constrained and self._start_change is not None:
            settings["start_change"] = self._start_change.tolist()
        if self._compiled.model.contacts and self.solvers is not None:
            compared = {**self.piece.settings.compared_with(length), "rebound_height": DEAD_BAND * length}
            settings.update(compared, **(self.misses or {}), solvers=named_counts(self.solvers))
        if self.joined:
            settings["islands"] = f"joined: {self.joined}"
        if self._signals is not None and self._signals.time_events:
            settings["time_events"] = self._signals.time_events
        record.counts.update(self._constraints)
        if not (self._details or self._warnings):
            return record
        return replace(record, **(self._details or {}), warnings=(*record.warnings, *self._warnings))

    def finish(self, memory: ModelMemory, running: CompiledModel) -> None:
        """Describe an early end, and give the warnings of the run, while its memory is as it has left it."""
        self.describe(memory, running)
        self.warn()

    def describe(self, memory: ModelMemory, running: CompiledModel) -> None:
        """Describe an early end, while the memory is as the run has left it."""
        described = _DESCRIBED.get(self.piece.status)
        if described is not None:
            self._details = described(self, memory, running)

    def warn(self) -> None:
        """Give the warnings of the run."""
        if self._may_warn():
            self._warn(audit(self.piece.record, self._names, self.inertial_energy, self._compiled.model.law))
        if self._constraints.get("unmet", 0) and not self._compiled.model.formulation.keeps:
            self._warn((_lost_rank(self._compiled.model.formulation, self._constraints["unmet"]),))

    def _warn(self, warnings: tuple[SympactWarning, ...]) -> None:
        """Add warnings to those of the run, and show them."""
        self._warnings += warnings
        for warning in warnings:
            tell(warning)

    def _may_warn(self) -> bool:
        """Whether an event may give a warning.

        The gains of time stepping are of the order of the step squared, whatever the law.
        """
        return len(self._report) > 0 and self.piece.settings.method != TIME_STEPPING and may_warn(self._report)

    def _painleve(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": describe_painleve(_contacts(memory).jam, self._names)}

    def _too_small(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        if not self._names:
            return {}
        terms = partial(self._compiled.terms, p=memory.p)
        return {"detail": describe_driven(self.piece.record, self.piece.modes, self._names, terms)}

    def _unsolved(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        detail, why = describe_unsolved(self.piece.status, _contacts(memory), self._compiled.model)
        return {"detail": detail, "infeasibility": why}

    def _not_finite(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        t, x = self.piece.t[-1], self.piece.x[-1]
        told = describe_two_places(running.model.derivation, self._names, t, x, memory.p)
        leapt = _contacts(memory).leapt if self._names else -1
        lost = "" if self._signals is None else self._signals.lost(t)
        return {"detail": lost or told or describe_leap(leapt, self._names)}

    def _unbalanced(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": f"{self.piece.record.detail}: {describe_imbalance(_contacts(memory).imbalance)}"}

    def _unbalanced_arc(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": describe_arc(_contacts(memory).arc_audit, self._names)}

    @property
    def _names(self) -> tuple[str, ...]:
        return self._compiled.contact_names


_DESCRIBED = {
    Status.PAINLEVE: EndedModel._painleve,
    Status.STEP_TOO_SMALL: EndedModel._too_small,
    Status.UNSOLVED_IMPACT: EndedModel._unsolved,
    Status.UNENDED_IMPACT: EndedModel._unsolved,
    Status.NO_RESTITUTION: EndedModel._unsolved,
    Status.NEGATIVE_FRICTION: EndedModel._unsolved,
    Status.NOT_FINITE: EndedModel._not_finite,
    Status.UNBALANCED_EVENT: EndedModel._unbalanced,
    Status.UNBALANCED_ARC: EndedModel._unbalanced_arc,
}
"""What a run adds to its record at an early end."""


def _counts_of(constraints: ConstraintData | None) -> dict[str, int]:
    """What is counted of bilateral constraints."""
    return {} if constraints is None else {"choices": constraints.choices, "unmet": constraints.unmet}


def _lost_rank(formulation: Formulation, unmet: int) -> SympactWarning:
    return SympactWarning(
        f"the motion passes places where constraints become dependent for an instant ({unmet} evaluations), and "
        f"{formulation!r} does not keep them there: the run may continue with another motion that they permit; use "
        "Projection()",
        "dependent constraints",
    )


def _contacts(memory: ModelMemory):
    """The memory of the contacts of a run that has some."""
    assert memory.data is not None
    return memory.data
