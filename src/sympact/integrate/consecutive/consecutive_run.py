"""Two consecutive runs of one model as one run."""

from __future__ import annotations

from dataclasses import replace

from sympact.integrate.consecutive.consecutive_evaluator import ConsecutiveEvaluator
from sympact.integrate.consecutive.consecutive_record import (
    ConsecutiveDense,
    consecutive_program,
    consecutive_record,
    consecutive_settings,
)
from sympact.integrate.consecutive.follows import refuse_others
from sympact.integrate.trajectory.charted import ChartedStates
from sympact.integrate.trajectory.evaluator import PLAIN, Evaluator
from sympact.integrate.trajectory.piece import KnownPiece
from sympact.integrate.trajectory.trajectory import Coordinates, Trajectory

__all__ = ["consecutive_run"]


def consecutive_run(first: Trajectory, second: Trajectory, *, checked: bool = False) -> Trajectory:
    """Both as one run; raises ValueError where the second does not follow on the first.

    Where that has been `checked`, their parameters may differ.
    """
    if not checked:
        refuse_others(first, second)
    run, own, other = _joined(first, second), first.facts, second.facts
    both = own.observed.keys() & other.observed.keys()
    observed = {name: own.observed[name].followed_by(other.observed[name]) for name in own.observed if name in both}
    run = run.observed(observed) if observed else run
    return run if own.appearance is None else run.shown(own.appearance)


def _joined(first: Trajectory, second: Trajectory) -> Trajectory:
    t, programs = float(second.t[0]), (first.program, second.program)
    program, model = consecutive_program(*programs), _model(first, second)
    one, other = first.interpolant, second.interpolant
    if not (isinstance(one, ChartedStates) and isinstance(other, ChartedStates)):
        record = consecutive_record(first.record, second.record, *programs)
        return Trajectory(KnownPiece(record, ConsecutiveDense(one, other, t), program), model, complete=True)
    further, dense = other.with_quaternions_of(one)
    settings = consecutive_settings(first.record.settings, second.record.settings)
    integrated = replace(consecutive_record(one.integrated, further, *programs), settings=settings)
    piece = KnownPiece(integrated, ConsecutiveDense(one.dense, dense, t), program)
    return Trajectory(piece, model, Coordinates(one.chart, one.x0, program.state_names), complete=True)


def _model(first: Trajectory, second: Trajectory) -> Evaluator:
    """That of both runs; of plain functions their own."""
    if first.evaluator is PLAIN and second.evaluator is PLAIN:
        return PLAIN
    return ConsecutiveEvaluator(first.evaluator, second.evaluator, float(second.t[0]), len(first.program.stages))
