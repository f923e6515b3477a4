"""The result of a run with the numbers that were observed along it, of all its samples or of those that it keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sympact.integrate.export.portable import NotedRun
from sympact.integrate.history.run_parts import RunParts
from sympact.integrate.loop.recorder import Recorder, Recording
from sympact.integrate.result import Result
from sympact.integrate.steppers.interpolation import StoredInterpolant, no_segments

__all__ = ["observed"]


def observed(parts: RunParts, recording: Recording, recorder: Recorder | None = None) -> Result:
    """The result of a run, with the numbers that were observed; of what a recorder has kept, where there is one."""
    if recorder is None and not recording.observers:
        return Result.of_run(parts, recording.t_eval)
    if recorder is None:
        whole = Result.of_run(parts)
        hooks = replace(parts.hooks, observed={name: one.of(whole) for name, one in recording.observers.items()})
        return Result.of_run(NotedRun(parts.record, parts.interpolant, parts.program, hooks), recording.t_eval)
    integrated = parts.record.integrated
    record = replace(integrated, x=np.concatenate(recorder.x), settings={**integrated.settings, "atol": recorder.atol})
    dense = StoredInterpolant(record.t, record.x, lambda: no_segments(record.x.shape[1]))
    hooks = replace(parts.hooks, observed=recorder.observed)
    return Result.of_run(NotedRun(record, dense, parts.program, hooks), recording.t_eval)
