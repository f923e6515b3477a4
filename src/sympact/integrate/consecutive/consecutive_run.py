"""Two consecutive runs of one model as one run."""

from __future__ import annotations

from dataclasses import replace

from sympact.integrate.consecutive.consecutive_hooks import consecutive_hooks
from sympact.integrate.consecutive.consecutive_record import (
    ConsecutiveDense,
    consecutive_program,
    consecutive_record,
    consecutive_settings,
)
from sympact.integrate.consecutive.follows import refuse_others
from sympact.integrate.trajectory.charted import ChartedStates
from sympact.integrate.trajectory.piece import KnownPiece
from sympact.integrate.trajectory.trajectory import Coordinates, KnownEvaluator, Trajectory

__all__ = ["consecutive_run"]


def consecutive_run(first: Trajectory, second: Trajectory) -> Trajectory:
    """Both as one run; raises ValueError where the second does not follow on the first."""
    refuse_others(first, second)
    t, programs = float(second.t[0]), (first.program, second.program)
    hooks = consecutive_hooks(first.hooks, second.hooks, t, len(first.program.stages))
    program = consecutive_program(*programs)
    one, other = first.interpolant, second.interpolant
    settings = consecutive_settings(first.record.settings, second.record.settings)
    if not (isinstance(one, ChartedStates) and isinstance(other, ChartedStates)):
        record = consecutive_record(first.record, second.record, *programs)
        return Trajectory(KnownPiece(record, ConsecutiveDense(one, other, t), program), KnownEvaluator(hooks))
    further, dense = other.with_quaternions_of(one)
    integrated = replace(consecutive_record(one.integrated, further, *programs), settings=settings)
    piece = KnownPiece(integrated, ConsecutiveDense(one.dense, dense, t), program)
    return Trajectory(piece, KnownEvaluator(hooks), Coordinates(one.chart, one.x0, program.state_names))
