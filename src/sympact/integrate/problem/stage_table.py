"""The table of the stages of a program, as the loop reads it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import StageMemory
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.integrate.memory.stage_margins import StageMargins
from sympact.integrate.problem.stage import Scales, Stage
from sympact.native.addresses import address_of

__all__ = ["StageTable"]

_ROW = 8 * StageMemory.n_slots  # bytes of a stage


class StageTable:
    """The stages of a program in memory, with the scales of their boundaries in the present run.

    Parameters
    ----------
    stages : sequence of Stage

    Attributes
    ----------
    address : int
        That of the first stage.
    stages : tuple of StageMemory
        The memory of each.
    width, record_width : int
        The largest number of boundaries of a stage, and of numbers that a transition reports.
    mode_words : int
        The largest number of statuses and switches of a stage.
    searches : frozenset of bool
        Whether there are boundaries that are searched by their rates (True) and by their values (False).
    multipliers : int
        The largest number of multipliers of a stage.
    proven : bool
        Whether a stage has a proof.
    mode_switches : bool
        Whether a stage has switches.
    scales : array
        The scales of all boundaries, which a run changes.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self.width = width = max((len(stage.boundary_names) for stage in stages), default=0)
        self.record_width = codes.HEAD + width + 3 * max((stage.rubbing for stage in stages), default=0)
        self.mode_words = max((stage.statuses[1] + stage.switches[1] for stage in stages), default=0)
        self.searches = frozenset(stage.derivatives for stage in stages if stage.boundary)
        self.searches |= {False for stage in stages if stage.force or stage.functions}
        self.multipliers = max((stage.multipliers for stage in stages), default=0)
        self.proven = any(stage.proof for stage in stages)
        self.mode_switches = any(stage.switches[1] for stage in stages)
        self._table = np.zeros((len(stages), StageMemory.n_slots), dtype=np.int64)
        self.scales = np.zeros((len(stages), 3 * width))
        self._begun: tuple[object, object] = (None, None)
        self._initial = self.scales.copy()
        self._watched = np.ones(max(1, width), dtype=np.int64)
        self.address = address_of(self._table, "the stages of StageTable")
        address_of(self.scales, "the scales of StageTable")
        self.stages = tuple(StageMemory(self.address + _ROW * i) for i in range(len(stages)))
        self._present = [np.array(stage.present, dtype=np.int64) for stage in stages]
        for memory, stage, present in zip(self.stages, stages, self._present, strict=True):
            memory.n_present, memory.clock = len(present), stage.clock
            StageMemory.present.place(memory, address_of(present, "the present states") if len(present) else 0)
        self._margins = tuple(StageMargins(stage.margins) for stage in stages if stage.margins)
        self._recorded = tuple(StageMargins(stage.margins) for stage in stages if stage.margins and stage.resolved)
        for row, memory, stage in zip(self.scales, self.stages, stages, strict=True):
            self._write(memory, stage, row)

    def _write(self, memory: StageMemory, stage: Stage, scales: np.ndarray) -> None:
        """Write the data of a stage that are the same in all runs."""
        nb = len(stage.boundary_names) if stage.boundary else 0
        memory.flow, memory.flow_data = stage.flow, stage.flow_data
        memory.boundary, memory.boundary_data = stage.boundary, stage.boundary_data
        memory.chosen_boundary = stage.chosen_boundary
        memory.n_boundaries, memory.derivatives = nb, stage.derivatives
        memory.transition, memory.transition_data = stage.transition, stage.transition_data
        memory.project, memory.n_contacts, memory.force = stage.project, min(stage.contacts, nb), stage.force
        memory.margins = stage.margins
        StageMemory.scales.place(
            memory, address_of(self.scales, "scales") + scales.ctypes.data - self.scales.ctypes.data
        )
        StageMemory.watched.place(memory, stage.active or address_of(self._watched, "watched"))
        StageMemory.statuses.place(memory, stage.statuses[0])
        StageMemory.switches.place(memory, stage.switches[0])
        memory.n_statuses, memory.n_switches = stage.statuses[1], stage.switches[1]
        memory.switch_table = stage.switch_table
        memory.n_watches, memory.n_functions, memory.goes_on = stage.watches, stage.functions, stage.goes_on
        memory.begin, memory.prepare = stage.begin, stage.prepare
        memory.proof, memory.stall = stage.proof, stage.stall
        memory.residual, memory.begin_residual = stage.residual, stage.begin_residual
        memory.multipliers = stage.multipliers

    def begun(self) -> list[np.ndarray]:
        """The memory that is the same at the start of each run, as integers."""
        return [self.scales.ravel().view(np.int64)]

    def record(self, rates: int, stages: int) -> None:
        """Have the margins of closed contacts recorded at the stages of a step that resolves them, see `StageMargins`.

        Parameters
        ----------
        rates : int
            The address of the rates at the stages of the run.
        stages : int
            A bit for each stage to be recorded.
        """
        for margins in self._recorded:
            margins.rates, margins.recorded = rates, stages

    def audit(self, start: int, end: int) -> None:
        """Have the motion with closed contacts audited, see `StageMargins`; nothing is found yet.

        Parameters
        ----------
        start : int
            The address of the rates at the start of a step.
        end : int
            How many bytes after it the rates at the end of a step are.
        """
        for margins in self._margins:
            margins.arc_start, margins.step_end = start, start + end
            margins.fault, margins.residual, margins.beyond = 0, 0.0, 0.0
            margins.largest_residual = margins.largest_beyond = 0.0

    def begin(self, scales: Sequence[Scales], noise: np.ndarray) -> None:
        """Set the scales of the stages for a run.

        A margin below the error that the tolerances of the states permit is noise: the scale that a run estimates for
        it begins where its dead band is that error. Runs that give the same objects have the same scales.

        Parameters
        ----------
        scales : sequence of Scales, one for each stage
        noise : array, shape (n_states,)
            The absolute tolerance of each state that counts as noise.
        """
        known, by = self._begun
        if scales is known and noise is by:
            np.copyto(self.scales, self._initial)
            return
        self.scales.fill(0.0)
        for row, memory, stage in zip(self.scales, self.stages, scales, strict=True):
            memory.length = stage.measured
            nb = memory.n_boundaries
            if not nb:
                continue
            known = len(stage.lengths)
            row[:known] = stage.lengths
            row[nb : nb + known] = row[:known] > 0.0
            row[2 * nb : 2 * nb + len(stage.roundings)] = stage.roundings
            if len(stage.switch_slopes):
                row[nb - len(stage.switch_slopes) : nb] = np.asarray(stage.switch_slopes) @ noise / DEAD_BAND
        np.copyto(self._initial, self.scales)
        self._begun = scales, noise
