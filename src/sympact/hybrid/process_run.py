"""One run of a process: memory is taken, brought to the start, and returned when the run has ended."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Protocol

import numpy as np

from sympact.hybrid.edges.going_on import GoingOn
from sympact.hybrid.edges.stage_memories import RecalledMemory, StageMemories, WaitingMemories
from sympact.hybrid.repetition import with_error
from sympact.hybrid.transition import Transition
from sympact.integrate.loop.recorder import Recorder, Recording, recorded
from sympact.integrate.loop.written_piece import WrittenPiece, hide_absent
from sympact.integrate.problem.callback import carry
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result
from sympact.integrate.session.session import Session
from sympact.integrate.trajectory.about import Formula
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Trajectory

__all__ = ["Parts", "ProcessRun"]


class Parts(Protocol):
    """The definition of a process: valid plain functions or expressions."""

    @property
    def flows(self) -> dict[str, Any]:
        """The flow of each stage."""

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The edges."""

    @property
    def states(self) -> tuple[Hashable, ...] | None:
        """The symbols or names of the states, None where none were given."""

    def formulas(self) -> tuple[dict[str, Formula], dict[str, Formula]]:
        """The formulas at the stages and at the transitions of a drawn graph, by their names."""

    @property
    def places(self) -> Mapping[str, tuple[int, ...]] | None:
        """For each stage the indices of its own states; None where every stage has all."""

    @property
    def kinds(self) -> Sequence[int]:
        """For each stage of a program the index of the one of the process."""

    @property
    def clocks(self) -> Sequence[Any]:
        """The clocks of stages in discrete time."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known of each stage; empty for plain functions."""

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The names of equal stages, in groups."""

    def names(self, n: int) -> tuple[str, ...]:
        """The names of the states, n of them."""

    def watching(self, events: object) -> Parts:
        """The process with events of the user's own."""

    def numbers(self, parameters: object) -> np.ndarray:
        """The parameters of a run, checked, as an array of its own."""

    def changed(self, numbers: np.ndarray, given: Mapping[Hashable, float]) -> np.ndarray:
        """The parameters of a run with some of them changed, by symbols, names or places."""

    def check_start(self, t0: float, x0: np.ndarray, start: int, numbers: np.ndarray) -> None:
        """Call Python functions at the start of a run; a ValueError has a sentence for each that does not fit."""

    def evaluator(self, numbers: np.ndarray) -> Evaluator:
        """The process with the parameters of a run."""

    @property
    def waiting(self) -> WaitingMemories:
        """The memories of earlier runs."""


class ProcessRun:
    """A run of a process by the engine in force.

    Parameters
    ----------
    parts : Parts
    begin : GoingOn
        The stage and the state at the start, and what is taken over from an earlier run.
    numbers : array
        The parameters, as ``parts.numbers`` gives them.

    Attributes
    ----------
    model : Evaluator
        What evaluates the process along the run.
    """

    def __init__(self, parts: Parts, begin: GoingOn, numbers: np.ndarray) -> None:
        self._parts, self._begin, self._numbers = parts, begin, numbers
        self._waiting = parts.waiting
        self.model, self._size = parts.evaluator(numbers), (len(begin.x), len(numbers))

    def simulate(self, settings: Settings, recording: Recording, progress: bool) -> Result:
        """The result of the run; an exception of a function of the process has that of the run so far.

        Raises
        ------
        ValueError
            If functions, parameters or observers do not fit.
        Exception
            An exception of a function of the process.
        """
        self._parts.check_start(settings.t_span[0], settings.x0, self._begin.stage, self._numbers)
        memory, beside = self._taken(settings), None
        try:
            for observer in recording.observers.values():
                observer.check(self.model, memory.program.state_names, _participants(memory.program))
            beside = None if recording.whole else self._taken(settings)
            recorder = None if beside is None else self._recorder(beside, recording)
            run = self._run(memory, settings, recorder, progress, recording)
        finally:
            self._give_back(memory)
            if beside is not None:
                self._give_back(beside)
        if run.status is Status.ACCUMULATION:
            run.record = with_error(run.record, settings, self._repeated)
        return Result.of_run(recorded(self._evaluated(run), recording, recorder), recording.t_eval)

    def _run(
        self,
        memory: StageMemories,
        settings: Settings,
        recorder: Recorder | None,
        progress: bool,
        recording: Recording,
    ) -> WrittenPiece:
        """The run in its memory."""
        try:
            run = self._ended(memory, settings, progress, recorder)
        except BaseException as error:
            faults = memory.program.faults
            if faults is not None and faults.raised is error:
                left = recorded(self._evaluated(self._left(memory, faults.run)), recording, recorder)
                carry(error, Result.of_run(left, recording.t_eval))
            raise
        return self._left(memory, run)

    def _ended(
        self, memory: StageMemories, settings: Settings, progress: bool = False, recorder: Recorder | None = None
    ) -> WrittenPiece:
        prepared, latched = memory.prepared(settings, self._begin.stage), self._begin.end.latched
        return Session(prepared, settings, memory.scales, latched=latched).run(progress, recorder)

    def _left(self, memory: StageMemories, run: WrittenPiece) -> WrittenPiece:
        """The run with what it needs of the memory, which another run may use from now on."""
        if memory.lasting:
            run.lend = RecalledMemory(self._waiting, self._size[0], self._numbers)
        run.continuation = memory.end(run)
        return run

    def _repeated(self, settings: Settings) -> Record:
        """The run again with other settings; an exception of a function of the process ends it."""
        memory = self._taken(settings)
        try:
            return self._ended(memory, settings).record
        except Exception as error:
            faults = memory.program.faults
            if faults is not None and faults.raised is error:
                return faults.run.record
            raise
        finally:
            self._give_back(memory)

    def _taken(self, settings: Settings) -> StageMemories:
        """Memory at the start of the run."""
        memory, begin = self._waiting.take(*self._size), self._begin
        memory.begin(self._numbers, settings.t_span[0], settings.x0, begin.stage)
        memory.go_on(begin.stage, begin.end)
        return memory

    def _give_back(self, memory: StageMemories) -> None:
        self._waiting.give_back(memory, *self._size)

    def _recorder(self, beside: StageMemories, recording: Recording) -> Recorder:
        """Takes a run in parts, whose states between samples are computed in memory of their own."""

        def result_of(part: WrittenPiece, x0: np.ndarray | None) -> Result:
            part.lend = lambda: nullcontext((beside.program, None))
            return Result.of_run(self._evaluated(part))

        return Recorder(recording, result_of)

    def _evaluated(self, run: WrittenPiece) -> Trajectory:
        """A run with the functions of its process, in which states are NaN where the stage does not have them."""
        if self._parts.places is not None:
            hide_absent(run)
        return Trajectory(run, self.model)


def _participants(program: Program) -> tuple[str, ...]:
    """The names that events may have."""
    return tuple(dict.fromkeys(name for stage in program.stages for name in stage.boundary_names))
