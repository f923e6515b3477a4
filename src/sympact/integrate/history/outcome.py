"""The end of a run: the members of `Result` with its status, its warnings, and the accumulation of its events."""

from __future__ import annotations

import numpy as np

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.history.run_view import RunView
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning

__all__ = ["infeasibility", "message", "status", "success", "t_inf", "t_inf_error", "warnings"]


def status(result: RunView) -> Status:
    """The reason for the end of the run."""
    return result._record.status


def success(result: RunView) -> bool:
    """Whether the run reached the end of its time span, or a `Stop`: its status is ``FINISHED`` or ``STOPPED``.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> bouncing_ball().simulate().success, bouncing_ball().simulate(max_events=2).success
    (True, False)
    """
    return status(result) in (Status.FINISHED, Status.STOPPED)


def message(result: RunView) -> str:
    """The reason for the end of the run, its time, and a remedy."""
    end = f"t = {result.t_span[1]:.12g}"
    if status(result) is Status.ACCUMULATION:
        end += f", t_inf = {t_inf(result):.12g} with an error of about {t_inf_error(result):.1g}"
    if result._record.detail:
        end += f", {result._record.detail}"
    return f"{end}: {status(result).value}"


def warnings(result: RunView) -> tuple[SympactWarning, ...]:
    """The warnings of the run, also those not shown; each has a `kind`, and its text is ``str(warning)``.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> bouncing_ball().simulate().warnings
    ()
    """
    return result._record.warnings


def infeasibility(result: RunView) -> object | None:
    """The `Infeasibility` of an impact without a solution, at which a run ended with ``UNSOLVED_IMPACT``.

    It names the contacts that prevent a solution, and laws that have one. None for runs that ended otherwise, for those
    read from a file, and where no certificate was found, so that the solver may have failed.
    """
    return result._record.infeasibility


def t_inf(result: RunView) -> float:
    """The time at which events accumulate, extrapolated (s); NaN where they do not.

    Where a run has several accumulations, the last time; each `Event` has its own.
    """
    return _accumulation(result)[0]


def t_inf_error(result: RunView) -> float:
    """The estimated error of `t_inf` (s)."""
    return _accumulation(result)[1]


def _accumulation(result: RunView) -> tuple[float, float]:
    """`t_inf` and its error, of the end of the run or of its last accumulation."""
    record = result._record
    met = np.flatnonzero(record.event_kind == KINDS.index(EventKind.ACCUMULATION))
    if status(result) is Status.ACCUMULATION or not met.size:
        return record.t_inf, record.t_inf_error
    last = record.event_numbers[met[-1]]
    return float(last["t_inf"]), float(last["t_inf_error"])
