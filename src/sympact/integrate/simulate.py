"""Run a program: from its settings to its output."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.integrate.loop.completed_run import CompletedRun
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.problem.program import Program, Scales
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status

__all__ = ["run_prepared", "simulate"]


def simulate(program: Program, settings: Settings, *, start: int = 0, progress: bool = False) -> CompletedRun:
    """Run a program event by event.

    Parameters
    ----------
    program : Program
    settings : Settings
    start : int
        The index of the stage to begin in; methods of ``program.start_stages`` begin in a stage of their own.
    progress : bool
        Show the progress of the run, as `Progress` does.

    Raises
    ------
    Exception
        Any exception of a user's function; ``program.faults.run`` is the run up to there.
    """
    return run_prepared(PreparedRun(program, settings, start), settings, progress=progress)


def run_prepared(
    prepared: PreparedRun,
    settings: Settings,
    *,
    scales: Sequence[Scales] = (),
    schedule: Schedule | None = None,
    progress: bool = False,
) -> CompletedRun:
    """Run a program whose settings are prepared from the start and over the span of `settings`.

    Parameters
    ----------
    prepared : PreparedRun
    settings : Settings
    scales, schedule
        See `PreparedRun.begin`.
    progress : bool

    Raises
    ------
    Exception
        As `simulate` says.
    """
    workspace = prepared.begin(settings.t_span, settings.x0, scales, schedule)
    status = prepared.go(workspace, progress)
    run, faults = CompletedRun(prepared, workspace, settings, status), prepared.faults
    if status is Status.FAULT and faults.raised is not None:
        faults.run = run
        raise faults.raised
    return run
