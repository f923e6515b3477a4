"""A worker that takes steps of several runs at once, see `lane_kernel`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sympact.integrate.batch.batch_memory import DONE, FULL
from sympact.integrate.batch.batch_worker import CHUNK, Columns, Worker
from sympact.integrate.batch.lane_memory import LaneMemory
from sympact.integrate.batch.lane_step import lane_step
from sympact.integrate.problem.stepper import StepLayout
from sympact.integrate.steppers import tableau
from sympact.integrate.steppers.tableau import Tableau
from sympact.native import Code
from sympact.native.kernel import Unit

__all__ = ["LANE_UNITS", "LaneWorker", "tableau_in_lanes"]

IN_LANES = Unit("sympact.integrate.batch.lane_kernel", "run_lanes")
LANE_UNITS = [IN_LANES]
"""What a batch calls besides, where runs are in lanes."""

_TABLES = {"dop853": tableau.dop853, "rk45": tableau.rk45}


def tableau_in_lanes(layout: StepLayout) -> Tableau | None:
    """The tableau of a stepper whose steps can be taken in lanes; None for others."""
    return _table(layout.prefix) if layout.prefix in _TABLES else None


@cache
def _table(prefix: str) -> Tableau:
    return _TABLES[prefix]()


class LaneWorker:
    """Runs in lanes, each in the memory of a worker of its own.

    Parameters
    ----------
    workers : sequence of Worker
        One for each lane, of the same model and settings; all write their kept events into the columns of the first.
    table : Tableau
        That of their stepper.
    functions : Code
        "flow", "boundary" and, where the model has it, "project" for `LANES` states at once.
    """

    def __init__(self, workers: Sequence[Worker], table: Tableau, functions: Code) -> None:
        self._workers, self._functions, self._step = list(workers), functions, lane_step(table)
        first = workers[0]
        run, stage = first.run_memory, first.run_memory.stage
        sizes = {"n_states": run.n_states, "n_numbers": first.memory.n_numbers, "n_gaps": stage.n_boundaries}
        self._memory = memory = LaneMemory.allocate({**sizes, "stage_rows": run.stage_rows})
        memory.batches[:] = [worker.memory.address for worker in workers]
        memory.chunk, memory.step = CHUNK.address(), self._step.address("step")
        memory.flow, memory.boundary, memory.project = stage.flow, stage.boundary, stage.project
        memory.flow_in_lanes, memory.boundary_in_lanes = functions.address("flow"), functions.address("boundary")
        memory.project_in_lanes = functions.address("project") if stage.project else 0
        ends_later = stage.project != 0 and not table.uses_end
        memory.stages, memory.exponent = len(table.b) - ends_later, table.exponent
        memory.rtol, memory.moving, memory.atol[:] = run.rtol, run.n_moving, run.atol

    @property
    def ended(self) -> int:
        """Runs that have ended so far."""
        return sum(worker.ended for worker in self._workers)

    @property
    def taken(self) -> int:
        """Steps taken in lanes so far."""
        return int(self._memory.taken)

    def run(self, first: int, last: int) -> Columns:
        """As that of `Worker`; runs of several lanes end in turns."""
        memory, in_lanes = self._memory, IN_LANES.callable()
        memory.next, memory.last, memory.ready[:], memory.kept = first, last, 0, 0
        for worker in self._workers:
            worker.begin(first, first)
        while (code := in_lanes(memory.address)) != DONE:
            worker = self._workers[memory.asking]
            if code == FULL:
                worker.make_room_for_run()
            else:
                worker.make_room_for_events()
                self._share_columns(worker)
        return self._workers[0].kept(memory.kept)

    def _share_columns(self, owner: Worker) -> None:
        """All lanes write their kept events into the columns of one worker."""
        for worker in self._workers:
            worker.share_columns(owner)

    def stop(self) -> None:
        """As that of `Worker`."""
        self._memory.stop = 1
        for worker in self._workers:
            worker.stop()

    def give_back(self) -> None:
        """As that of `Worker`."""
        for worker in self._workers:
            worker.give_back()
