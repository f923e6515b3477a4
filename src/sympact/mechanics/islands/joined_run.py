"""A run whose islands were integrated one by one, with the quantities of the whole model along it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.joined_output import JoinedOutput
from sympact.mechanics.run.model_memory import give_back, take
from sympact.mechanics.run.model_run import ModelRun
from sympact.mechanics.run.signals import Signals

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = ["JoinedRun"]


class JoinedRun(ModelRun):
    """A run that consists of runs of islands; its parts are made on first access.

    Parameters
    ----------
    compiled : CompiledModel
        The model as the user wrote it.
    running : CompiledModel
        The model with its inputs.
    output : JoinedOutput
    parts : sequence of IslandRun
    p : array
        The parameters of the run.
    signals : Signals, optional
        The inputs.
    n_rows : int
        The number of bilateral constraints.
    start_change : array, shape (n_states,)
        The change of the initial state to one on the constraints.
    """

    def __init__(
        self,
        compiled: CompiledModel,
        running: CompiledModel,
        output: JoinedOutput,
        parts: Sequence[IslandRun],
        p: np.ndarray,
        signals: Signals | None,
        n_rows: int,
        start_change: np.ndarray,
    ) -> None:
        self._compiled, self._output, self._p, self._signals = compiled, output, p, signals
        self._start_change, self._constraints = start_change, {}
        runs = [part.run for part in parts]
        self.length = max(run.length for run in runs)
        known = [run.solvers for run in runs if run.solvers is not None]
        self.solvers = np.sum(known, axis=0) if known else None
        self.row_lengths = np.zeros(n_rows)
        for part in parts:
            self.row_lengths[part.island.rows] = part.run.row_lengths
        output.lend = _lender(running, p, self.length, len(compiled.model.contacts), signals)


def _lender(
    running: CompiledModel, p: np.ndarray, length: float, contacts: int, signals: Signals | None
) -> Callable[[], Any]:
    """Memory of the whole model, in which forces along the run are computed on request."""

    @contextmanager
    def lend() -> Iterator[tuple[Program, Any]]:
        memory = take(running, signals)
        memory.begin(p, length, np.zeros(contacts))
        yield memory.program, memory.data
        give_back(memory)

    return lend
