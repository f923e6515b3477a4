"""The integration error of a time of accumulation, estimated by a repeated run with other tolerances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sympact.integrate.memory.run_tolerances import LEAST_RTOL
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.trajectory.record import Record
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["with_error"]

_FINER = 0.01  # of the tolerances, or a quarter of a fixed step: the error that remains is negligible
_COARSER = 10.0  # where tolerances are already near rounding
_STEP = 0.25
_SURE = 10.0  # times the difference of the two runs: where a flow has kinks, errors hardly fall with the tolerances


def with_error(record: Record, settings: Settings, repeat: Callable[[Settings], Record]) -> Record:
    """The record of a run that accumulates, with the error of its integration added to that of its extrapolation.

    Two runs with tolerances a hundredfold apart differ by nearly the error of the looser one, however the flow
    propagates it; where the flow has kinks, by a part of it. Where the repeated run does not accumulate, the error is
    infinite: it is unknown.

    Parameters
    ----------
    record : Record
    settings : Settings
        Those of the integration.
    repeat : callable
        Runs the same process from the same start with other settings.
    """
    again = repeat(_changed(settings))
    if again.status is not Status.ACCUMULATION:
        return replace(record, t_inf_error=np.inf)
    difference = abs(again.t_inf - record.t_inf)
    error = record.t_inf_error + _SURE * difference + ROUNDINGS * EPS * abs(record.t_inf)
    return replace(record, t_inf_error=error)


def _changed(settings: Settings) -> Settings:
    """The same with a hundredth of the tolerances, or a quarter of the step of a method that has none."""
    if not settings.by.layout.adaptive:
        return replace(settings, max_step=_STEP * settings.max_step)
    factor = _FINER if _FINER * settings.rtol >= LEAST_RTOL else _COARSER
    return replace(settings, rtol=factor * settings.rtol, atol=factor * settings.atol)
