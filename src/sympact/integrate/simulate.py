"""Run a program: from its settings to its output."""

from __future__ import annotations

from collections.abc import Sequence

from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.recorder import Recorder
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales
from sympact.integrate.session.session import Session

__all__ = ["run_prepared", "simulate"]


def simulate(
    program: Program,
    settings: Settings,
    *,
    start: int = 0,
    latched: Sequence[int] = (),
    progress: bool = False,
    recorder: Recorder | None = None,
) -> WrittenPiece:
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
) -> WrittenPiece:
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
    resumed: tuple[int, dict[str, float]] | None = (stage, {}) if stage else None
    return Session(prepared, settings, scales, schedule, resumed, latched).run(progress, recorder)
