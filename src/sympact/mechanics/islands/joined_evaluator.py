"""The whole model of a run whose islands were integrated one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.trajectory.evaluator import Along
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.joined_piece import JoinedPiece
from sympact.mechanics.run.ended_model import EndedModel
from sympact.mechanics.run.model_evaluator import ModelEvaluator
from sympact.mechanics.run.model_memory import give_back, scheduled, take
from sympact.mechanics.run.signals import Signals
from sympact.native.cached import cached_property

__all__ = ["JoinedEvaluator"]

_FORCES: dict[str, tuple[int, ...]] = {"force": (), "friction_force": (3,)}
"""The forces of a contact, and the components of each."""


class JoinedEvaluator(EndedModel):
    """The model of a run that consists of runs of islands.

    Parameters
    ----------
    compiled : CompiledModel
        The model as the user wrote it.
    running : CompiledModel
        The model with its inputs.
    piece : JoinedPiece
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
        piece: JoinedPiece,
        parts: Sequence[IslandRun],
        p: np.ndarray,
        signals: Signals | None,
        n_rows: int,
        start_change: np.ndarray,
    ) -> None:
        models, lengths = [part.model for part in parts], np.zeros(n_rows)
        for part in parts:
            lengths[part.island.rows] = part.model.row_lengths
        sides = {name: side for one in models for name, side in one._sides.items()}
        ModelEvaluator.__init__(self, compiled, piece, p, signals, lengths, sides)
        self._start_change, self._constraints = start_change, {}
        self.length = max(one.length for one in models)
        known = [one.solvers for one in models if one.solvers is not None]
        self.solvers = np.sum(known, axis=0) if known else None
        audited = [one.misses for one in models if one.misses is not None]
        self.misses = {name: max(one[name] for one in audited) for name in audited[0]} if audited else None
        self._joined, start = piece, (piece.settings.t_span[0], piece.settings.x0)
        piece.lend = _lender(running, p, self.length, start, signals)

    def _recalled(self) -> dict[str, object]:
        """Those of the whole model: forces are computed as one, and equal those of the islands to rounding."""
        numbers = [float(number).hex() for number in self._p]
        grains = [(0.0).hex()] * len(self._compiled.model.contacts)
        return {"p": numbers, "length": float(self.length).hex(), "grains": grains, "mode": None, "scales": None}

    @cached_property
    def contact_forces(self) -> Mapping[str, Along]:
        """The quantities ``force`` and ``friction_force``, by these names; none without contacts."""
        contacts = len(self._compiled.model.contacts)
        return {name: partial(self._forces, name, contacts) for name in _FORCES} if contacts else {}

    def _forces(self, name: str, contacts: int, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The forces of all contacts, each from the run of its island."""
        found = np.zeros((contacts, *_FORCES[name], len(t)))
        for part, there, modes in self._joined.islands_in(stage):
            if there.size and part.island.contacts.size:
                own = part.model.contact_forces[name](t[there], x[np.ix_(part.island.states, there)], modes)
                found[np.ix_(part.island.contacts, *map(range, _FORCES[name]), there)] = own
        return found


def _lender(
    running: CompiledModel, p: np.ndarray, length: float, start: tuple[float, np.ndarray], signals: Signals | None
) -> Callable[[], Any]:
    """Memory of the whole model, in which accelerations and reactions along the run are computed on request."""

    @contextmanager
    def lend() -> Iterator[tuple[Program, Any]]:
        memory = take(running, signals)
        memory.begin(p, length, np.zeros(len(running.model.contacts)))
        memory.free.measure(*start)
        yield scheduled(memory, signals), memory.data
        give_back(memory)

    return lend
