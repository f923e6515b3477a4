"""The model of a run that has ended, with the numbers of the run: its quantities along the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.steppers.interpolation import StoredInterpolant, no_segments
from sympact.integrate.trajectory.evaluator import Along
from sympact.integrate.trajectory.mode_names import WORDS, Modes
from sympact.integrate.trajectory.piece import KnownPiece, Piece
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.inputs.continued import stored_held
from sympact.mechanics.joints.motion_along import MotionAlong, numbers_along
from sympact.mechanics.run.forces_along import forces_along
from sympact.mechanics.run.model_memory import Recall, give_back, take
from sympact.mechanics.run.quantities import ModelQuantities
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING, stepped_forces_along
from sympact.mechanics.run.stored_given import stored_given
from sympact.native.cached import cached_property

__all__ = ["ModelEvaluator", "stored_evaluator"]


class ModelEvaluator(ModelQuantities):
    """The model of a run in the states that were integrated.

    Parameters
    ----------
    compiled : CompiledModel
        The model as the user wrote it.
    piece : Piece
        The run as it was integrated.
    p : array
        The parameters of the run.
    signals : Signals, optional
        The inputs.
    row_lengths : array
        The lengths of the bilateral constraints.
    sides : mapping of str to (float, float)
        The sides of its boundaries at its end, by their names.
    """

    def __init__(
        self,
        compiled: CompiledModel,
        piece: Piece,
        p: np.ndarray,
        signals: Signals | None,
        row_lengths: np.ndarray,
        sides: Mapping[str, Sequence[float]],
    ) -> None:
        super().__init__(compiled, p, signals)
        self.piece, self.row_lengths, self._sides = piece, row_lengths, sides

    def sides(self, t: float) -> Mapping[str, Sequence[float]]:
        """The sides of its boundaries at its end; none before, where events of that time have happened."""
        return self._sides if t == self.piece.t[-1] else {}

    def stored(self) -> dict[str, Any]:
        """What a file stores, see `stored_evaluator`."""
        return {
            "digest": self._compiled.digest,
            "states": list(self._compiled.state_names),
            "span": self.piece.record.settings["t_span"],
            "sampled": self._signals is not None and bool(self._signals.samplers),
            "commands": None if self._signals is None else self._signals.commanded(),
            **({} if self._signals is None else self._signals.stored_steps()),
            "held": {} if self._signals is None else stored_held(self._signals.held),
            "sides": self._sides,
            "run": self._recalled(),
            "modes": None if self.piece.modes.rows is None else self.piece.modes.rows.tolist(),
            "row_lengths": self.row_lengths.tolist(),
            **stored_given(self._compiled.model, self._signals),
        }

    def _recalled(self) -> dict[str, object]:
        """The numbers of its `Recall`."""
        lend = self.piece.modes.lend
        assert isinstance(lend, Recall), "a run in memory of its own has one"
        return lend.numbers()

    @cached_property
    def contact_forces(self) -> Mapping[str, Along]:
        """The quantities ``force`` and ``friction_force``, by these names; none without contacts."""
        compiled, contacts = self._compiled, len(self._compiled.model.contacts)
        if not contacts:
            return {}
        record, modes = self.piece.record, self.piece.modes
        if self._stepped:
            return stepped_forces_along(record, modes, contacts)
        return forces_along(modes, record, contacts, compiled.has_friction)

    @cached_property
    def motion(self) -> MotionAlong:
        """The motion along the run, with the forces of contacts."""
        signals = self._signals
        running = self._compiled if signals is None else signals.compiled
        settle = running.settle if self._stepped else None
        return MotionAlong(
            running.model,
            numbers_along(self.piece.modes, len(running.blank), signals, settle, constrained=running.constrained),
            tuple(self.contact_forces.values()),
            None if signals is None else signals.bound.inputs,
            self.row_lengths,
        )

    @property
    def _stepped(self) -> bool:
        return self.piece.method == TIME_STEPPING


def stored_evaluator(
    compiled: CompiledModel, stored: Mapping, record: Record, signals: Signals | None
) -> ModelEvaluator:
    """The model of a run read from a file, with its memory as it was at the end.

    Parameters
    ----------
    compiled : CompiledModel
    stored : mapping
        What `ModelEvaluator.stored` returned.
    record : Record
        As it was integrated.
    signals : Signals, optional
        The inputs.
    """
    if signals is not None and signals.samplers:
        signals.recall(stored["commands"])
    running, found = compiled if signals is None else signals.compiled, stored["run"]
    memory = take(running, signals)
    lend = Recall.restored(memory, found, (float(record.t[0]), record.x[0]), signals)
    rows = None if stored["modes"] is None else np.array(stored["modes"], dtype=np.int64)
    _check_modes(memory.program, rows, int(record.stage.max()))
    between = StoredInterpolant(record.t, record.x, lambda: no_segments(record.x.shape[1]))
    piece = KnownPiece(record, between, memory.program, Modes(memory.program, rows, lend))
    p, lengths = np.array([float.fromhex(number) for number in found["p"]]), np.array(stored["row_lengths"], float)
    give_back(memory)
    return ModelEvaluator(compiled, piece, p, signals, lengths, dict(stored.get("sides", {})))


def _check_modes(program: Program, rows: np.ndarray | None, last: int) -> None:
    """Raise ValueError where rows of modes are not those of a program, or do not suffice for a record."""
    if rows is None:
        if last < len(program.stages):
            return
    elif rows.ndim == 2 and last < len(rows) and (rows >= 0).all() and (rows[:, 0] < len(program.stages)).all():
        words = {program.stages[row[0]].statuses[1] + program.stages[row[0]].switches[1] for row in rows}
        if words <= {rows.shape[1] - 1} and (rows[:, 1:] < len(WORDS)).all():
            return
    raise ValueError("the modes in the file are not those of the model; save the run again")
