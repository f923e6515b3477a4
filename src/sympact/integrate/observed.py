"""The result of a run with the numbers that were observed along it, of all its samples or of those that it keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sympact.integrate.loop.recorder import Recorder, Recording
from sympact.integrate.result import Result
from sympact.integrate.steppers.interpolation import StoredInterpolant, no_segments
from sympact.integrate.trajectory.piece import KnownPiece
from sympact.integrate.trajectory.trajectory import KnownEvaluator, Trajectory

__all__ = ["observed"]


def observed(run: Trajectory, recording: Recording, recorder: Recorder | None = None) -> Result:
    """The result of a run, with the numbers that were observed; of what a recorder has kept, where there is one."""
    if recorder is None and not recording.observers:
        return Result.of_run(run, recording.t_eval)
    if recorder is None:
        whole = Result.of_run(run)
        found = {name: one.of(whole) for name, one in recording.observers.items()}
        return Result.of_run(run.observed(found), recording.t_eval)
    integrated = run.integrated
    record = replace(integrated, x=np.concatenate(recorder.x), settings={**integrated.settings, "atol": recorder.atol})
    dense = StoredInterpolant(record.t, record.x, lambda: no_segments(record.x.shape[1]))
    kept = Trajectory(KnownPiece(record, dense, run.program), KnownEvaluator(run.hooks))
    return Result.of_run(kept.observed(recorder.observed), recording.t_eval)
