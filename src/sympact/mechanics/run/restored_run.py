"""The functions of a model for a run that was read from a file: as they were when it was saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.history.mode_names import WORDS, Modes
from sympact.integrate.history.record import Record
from sympact.integrate.problem.program import Program
from sympact.mechanics.run.model_memory import Recall, give_back, take
from sympact.mechanics.run.model_run import ModelRun
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = ["RestoredRun"]


class RestoredRun(ModelRun):
    """A run read from a file, with the memory of its model as it was at the end.

    Parameters
    ----------
    compiled : CompiledModel
    stored : mapping
        What `ModelRun.stored` returned.
    record : Record
        As it was integrated.
    signals : Signals, optional
        The inputs, which the file does not contain.
    """

    def __init__(self, compiled: CompiledModel, stored: Mapping, record: Record, signals: Signals | None) -> None:
        running, found = compiled if signals is None else signals.compiled, stored["run"]
        memory = take(running, signals)
        lend = Recall.restored(memory, found, (float(record.t[0]), record.x[0]), signals)
        rows = None if stored["modes"] is None else np.array(stored["modes"], dtype=np.int64)
        self._compiled, self._signals, self._record = compiled, signals, record
        self._p = np.array([float.fromhex(number) for number in found["p"]])
        _check_modes(memory.program, rows, int(record.stage.max()))
        self._modes = Modes(memory.program, rows, lend)
        self.row_lengths = np.array(stored["row_lengths"], dtype=float)
        give_back(memory)

    @property
    def record(self) -> Record:
        """The samples and events."""
        return self._record

    @property
    def modes(self) -> Modes:
        """The modes of the run."""
        return self._modes

    @property
    def _stepped(self) -> bool:
        return self._record.settings["method"] == TIME_STEPPING


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
