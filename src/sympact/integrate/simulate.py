"""Run a program: from its settings to its output."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.integrate.loop.completed_run import CompletedRun
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.recorder import Recorder
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales
from sympact.integrate.problem.status import Status

__all__ = ["run_prepared", "simulate"]


def simulate(
    program: Program,
    settings: Settings,
    *,
    start: int = 0,
    latched: Sequence[int] = (),
    progress: bool = False,
    recorder: Recorder | None = None,
) -> CompletedRun:
    """Run a program event by event.

    Parameters
    ----------
    program : Program
    settings : Settings
    start : int
        The index of the stage to begin in; methods of ``program.start_stages`` begin in a stage of their own.
    latched : sequence of int
        Boundaries of transitions of that stage beyond which the run begins, as an earlier one has crossed them.
    progress : bool
        Show the progress of the run, as `Progress` does.
    recorder : Recorder, optional
        As of `run_prepared`.

    Raises
    ------
    Exception
        Any exception of a user's function; ``program.faults.run`` is the run up to there.
    """
    prepared = PreparedRun(program, settings, start)
    return run_prepared(prepared, settings, latched=latched, progress=progress, recorder=recorder)


def run_prepared(
    prepared: PreparedRun,
    settings: Settings,
    *,
    stage: int = 0,
    scales: Sequence[Scales] = (),
    schedule: Schedule | None = None,
    latched: Sequence[int] = (),
    progress: bool = False,
    recorder: Recorder | None = None,
) -> CompletedRun:
    """Run a program whose settings are prepared from the start and over the span of `settings`.

    Parameters
    ----------
    prepared : PreparedRun
    settings : Settings
    stage : int
        The index of the stage within which the run goes on; 0 for one that begins in its first stage.
    scales, schedule
        See `PreparedRun.begin`.
    latched
        See `simulate`.
    progress : bool
    recorder : Recorder, optional
        Takes the run in parts; the run then has the samples alone that it keeps.

    Raises
    ------
    Exception
        As `simulate` says.
    """
    workspace = prepared.begin(settings.t_span, settings.x0, scales, schedule)
    if stage:
        workspace.resume(stage, {})
    workspace.latch(latched)
    events = 0

    def part(last: bool = False) -> None:
        nonlocal events
        assert recorder is not None, "a run without one is not taken in parts"
        recorder.take(CompletedRun.of_part(prepared, workspace, settings, workspace.drain(), events), last)
        events = int(workspace.run.events)

    status = prepared.go(workspace, progress, None if recorder is None else part)
    if recorder is not None:
        part(last=True)
    run, faults = CompletedRun(prepared, workspace, settings, status), prepared.faults
    if recorder is not None:
        run.keep(recorder.samples(), recorder.event_samples())
    if status is Status.FAULT and faults.raised is not None:
        faults.run = run
        raise faults.raised
    return run
