"""Two consecutive runs of one model as one run."""

from __future__ import annotations

from sympact.integrate.charts.turned import TurnedRecord, TurnedRun
from sympact.integrate.consecutive.consecutive_hooks import consecutive_hooks
from sympact.integrate.consecutive.consecutive_record import (
    ConsecutiveDense,
    consecutive_program,
    consecutive_record,
    consecutive_settings,
)
from sympact.integrate.consecutive.follows import refuse_others
from sympact.integrate.export.portable import NotedRun
from sympact.integrate.history.run_parts import RunParts

__all__ = ["consecutive_run"]


def consecutive_run(first: RunParts, second: RunParts) -> NotedRun:
    """The parts of one run; raises ValueError where the second does not follow on the first."""
    refuse_others(first, second)
    t, programs = float(second.t[0]), (first.program, second.program)
    hooks = consecutive_hooks(first.hooks, second.hooks, t, len(first.program.stages))
    program = consecutive_program(*programs)
    one, other = first.interpolant, second.interpolant
    if not (isinstance(one, TurnedRun) and isinstance(other, TurnedRun)):
        record = consecutive_record(first.record, second.record, *programs)
        return NotedRun(record, ConsecutiveDense(one, other, t), program, hooks)
    further, dense = other.with_quaternions_of(one)
    integrated = consecutive_record(one.integrated, further, *programs)
    run = TurnedRun(one.chart, one.x0, integrated, ConsecutiveDense(one.dense, dense, t))
    record = TurnedRecord(run)
    record.settings.update(consecutive_settings(first.record.settings, second.record.settings))
    return NotedRun(record, run, program, hooks)
