"""Runs of a process that go on from earlier ones: the stage, the state, and the sides of boundaries and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.result import Result

__all__ = ["GoingOn", "going_on"]


class GoingOn(NamedTuple):
    """What a run takes over from the one with which it goes on.

    Attributes
    ----------
    x : array, shape (n_states,)
        The state, just after a jump.
    stage : int
        The index of the stage in the program: one of the process, or one that slides along conditions.
    end : Continuation
        The sides of its boundaries and conditions, and its clocks.
    """

    x: np.ndarray
    stage: int
    end: Continuation


def going_on(result: Result, t: float, names: Sequence[str], stages: Sequence[str], start: str | None) -> GoingOn:
    """What a run that starts at a time of an earlier one takes over.

    Parameters
    ----------
    result : Result
    t : float
    names, stages : sequence of str
        The states and the stages of the process that goes on.
    start : str, optional
        The stage to start in, where it was given.

    Raises
    ------
    ValueError
        If the run is one of another process, or the time is outside it, or the stage is another one.
    """
    run, (first, last) = result._run, result.t_span
    own, end = tuple(run.program.state_names), run.record.continuation
    if end is None:
        raise ValueError(
            "x0 is a run of a mechanical model, or was read from a file of an earlier version; expected one of this"
            " process"
        )
    if own != tuple(names):
        raise ValueError(
            f"x0 is a run with the states {list(own)}, and this process has {list(names)}; expected one of this process"
        )
    if not first <= t <= last:
        raise ValueError(
            f"x0 is a run from t = {first:.12g} to {last:.12g}, and this one starts at t = {t:.12g}; start it at a time"
            f" of that run, such as its end, ({last:.12g}, ...)"
        )
    at = np.array([t])
    mode = int(run.record.stage_at(at)[0])
    told = run.program.stages[mode].name
    known = [name for name in stages if told == name or told.startswith(f"{name} [")]
    if not known:
        raise ValueError(f"x0 is a run in the stage {told!r}, and this process has {list(stages)}; give a run of it")
    if start is not None and start not in known:
        raise ValueError(f"start is {start!r}, and the run x0 is in the stage {told!r} then; leave out start")
    return GoingOn(result(t), end.stages[mode], end if t == last else end.begun)
