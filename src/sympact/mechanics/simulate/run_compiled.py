"""A run of compiled equations in the coordinates that are integrated: by one step for all states, or by islands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sympact.integrate.loop.recorder import Recorder, Recording, recorded
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.problem.callback import carry
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.trajectory.trajectory import Trajectory
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.islands.asynchronous import run_islands
from sympact.mechanics.islands.islands import islands_of
from sympact.mechanics.run.ended_model import EndedModel
from sympact.mechanics.run.model_memory import give_back
from sympact.mechanics.run.preparation import engine_of, memory_of
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.start.projected_start import PROJECT
from sympact.native.engine import present_engine

__all__ = ["View", "run_compiled"]

View = Callable[..., Trajectory]
"""``view(model, x0)``: the run of an `EndedModel` in the user's coordinates; x0 is its start there, by default as in
settings."""


def _as_integrated(ended: EndedModel, x0: np.ndarray | None = None) -> Trajectory:
    """A run in the coordinates that were integrated."""
    return Trajectory(ended.piece, ended)


def run_compiled(
    compiled: CompiledModel,
    asked: Settings,
    numbers: np.ndarray,
    signals: Signals | None,
    recording: Recording,
    progress: bool,
    view: View = _as_integrated,
    consistent: str = PROJECT,
) -> Result:
    """Run the model from checked settings and all numbers of p; `view` makes the trajectory."""
    running = compiled if signals is None else signals.compiled
    engine = engine_of(running, asked, signals)
    islands, why = running.model.made(islands_of), ""
    if islands is not None:
        why = islands.why_joined(asked, signals) or _why_in_one(recording)
        if not why:
            with engine.in_force():
                run = run_islands(islands, compiled, asked, numbers, signals, progress, consistent)
                return Result.of_run(recorded(view(run), recording), recording.t_eval)
    if engine is present_engine():
        return _run(compiled, running, asked, numbers, signals, recording, progress, view, consistent, why)
    with engine.in_force():
        return _run(compiled, running, asked, numbers, signals, recording, progress, view, consistent, why)


def _run(
    compiled: CompiledModel,
    running: CompiledModel,
    asked: Settings,
    numbers: np.ndarray,
    signals: Signals | None,
    recording: Recording,
    progress: bool,
    view: View,
    consistent: str,
    joined: str,
) -> Result:
    """A run by the engine in force; `running` has the equations with the inputs, `joined` see `EndedModel`."""
    memory, begun, scale, slopes = memory_of(running, asked, numbers, signals, consistent)

    def result_of(part: WrittenPiece, x0: np.ndarray | None) -> Result:
        length = scale.length if memory.data is None else memory.data.length
        lent = memory if memory.lasting else memory.twin(length, scale.grains, signals)
        return Result.of_run(view(EndedModel(compiled, part, lent, numbers, scale, signals), x0))

    recorder = None if recording.whole else Recorder(recording, result_of)
    try:
        piece = memory.run(begun, scale, slopes, signals, progress=progress, recorder=recorder)
    except BaseException as error:
        faults = memory.program.faults
        if faults is not None and faults.raised is error:
            ended = EndedModel(compiled, faults.run, memory, numbers, scale, signals)
            carry(error, Result.of_run(recorded(view(ended), recording, recorder), recording.t_eval))
        raise
    ended = EndedModel(compiled, piece, memory, numbers, scale, signals, begun.x0 - asked.x0)
    ended.joined = joined
    ended.finish(memory, running)
    give_back(memory)
    return Result.of_run(recorded(view(ended), recording, recorder), recording.t_eval)


def _why_in_one(recording: Recording) -> str:
    """Why islands are integrated as one; empty where they need not be."""
    return "" if recording.whole else "the run keeps the states at its events alone"
