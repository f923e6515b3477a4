"""Run a program from Python: check the arguments, call the loop in short slices, collect its output."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.event_numbers import reported_numbers
from sympact.integrate.history.mode_names import Modes
from sympact.integrate.history.record import Record
from sympact.integrate.loop.dense import rebuild_segments, stored_segments, straight_segments
from sympact.integrate.loop.ending import describe_end
from sympact.integrate.loop.interrupt import HeldInterrupt
from sympact.integrate.loop.workspace import Workspace
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.stepper import Running, StepLayout, Stepper
from sympact.integrate.steppers.interpolation import StoredInterpolant
from sympact.native.kernel import Unit
from sympact.native.rounding import EPS

__all__ = ["loop_units", "simulate"]

_LOOP = Unit("sympact.integrate.loop.loop_kernel", "run")
_ISOLATE = Unit("sympact.integrate.search.isolate_kernel", "isolate")
_PROVE = Unit("sympact.integrate.search.prove_kernel", "prove")
_SAMPLE = Unit("sympact.integrate.search.sample_kernel", "sample")
_SLICE = 0.02  # s: the longest slice of the loop before Python checks for Ctrl-C
_FIRST_BUDGET = 100  # steps
_ENDINGS = {
    codes.FINISHED: Status.FINISHED,
    codes.NOT_FINITE: Status.NOT_FINITE,
    codes.STEP_TOO_SMALL: Status.STEP_TOO_SMALL,
    codes.ACCUMULATION: Status.ACCUMULATION,
    codes.CHATTERING: Status.CHATTERING,
    codes.JUMP_WITHOUT_EFFECT: Status.JUMP_WITHOUT_EFFECT,
    codes.UNSOLVED_IMPACT: Status.UNSOLVED_IMPACT,
    codes.UNENDED_IMPACT: Status.UNENDED_IMPACT,
    codes.FAULTED: Status.FAULT,
    codes.EVENTS_EXHAUSTED: Status.MAX_EVENTS,
    codes.SLIDING: Status.SLIDING,
    codes.PAINLEVE: Status.PAINLEVE,
    codes.NO_RESTITUTION: Status.NO_RESTITUTION,
    codes.EVENT_LOOP: Status.EVENT_LOOP,
    codes.BEYOND_BOUNDARY: Status.BEYOND_BOUNDARY,
    codes.STEPS_EXHAUSTED: Status.MAX_STEPS,
    codes.NO_PROGRESS: Status.NO_PROGRESS,
    codes.UNBALANCED_EVENT: Status.UNBALANCED_EVENT,
}


def loop_units(stepper: Stepper) -> list[Unit]:
    """The functions that a run by a stepper calls besides those of its process."""
    units, layout = stepper.units(), stepper.layout
    if not units:
        return [_LOOP, _SAMPLE]
    proving = [_PROVE] if layout.smooth else []
    return [_LOOP, *units.values(), *([] if layout.straight else [_SAMPLE, _ISOLATE]), *proving]


def simulate(
    program: Program, settings: Settings, *, start: int = 0, progress: bool = False
) -> tuple[Record, StoredInterpolant, Modes]:
    """Run a program event by event.

    Parameters
    ----------
    program : Program
    settings : Settings
    start : int
        The index of the stage to begin in; methods of ``program.start_stages`` begin in a stage of their own.
    progress : bool
        Show the progress of the run, as `Progress` does.

    Returns
    -------
    record : Record
    interpolant : StoredInterpolant
    modes : Modes
        The modes of the run, to which the record refers.

    Raises
    ------
    Exception
        Any exception of a user's function; ``program.faults.run`` has these results up to there.
    """
    layout, faults = settings.by.layout, program.faults or Faults()
    start = program.start_stages.get(settings.method, start)
    running = settings.by.begin(faults)
    workspace = Workspace.borrow(program, layout, settings.x0, settings.atol, polynomials=running.hands_over)
    _prepare(workspace, program, settings, start, layout, running)
    faults.watch(workspace.run)
    status = _go(workspace, program, settings, progress)
    faults.watch(None)
    if faults.raised is not None:
        status = Status.INTERRUPTED if isinstance(faults.raised, KeyboardInterrupt) else Status.FAULT
    record, modes = (
        _gather(workspace, program, settings, status, describe_end(status, workspace, program)),
        Modes(program, workspace.modes()),
    )
    if running.hands_over:
        polynomials = workspace.samples()["sample_polynomial"]
        interpolant = StoredInterpolant(record.t, record.x, lambda: stored_segments(modes, record, polynomials))
    elif layout.straight:
        interpolant = StoredInterpolant(record.t, record.x, lambda: straight_segments(record))
    else:
        interpolant = StoredInterpolant(record.t, record.x, lambda: rebuild_segments(modes, layout, record))
    workspace.give_back()
    if status is Status.FAULT and faults.raised is not None:
        faults.run = record, interpolant, modes
        raise faults.raised
    return record, interpolant, modes


def _prepare(
    workspace: Workspace, program: Program, settings: Settings, start: int, layout: StepLayout, running: Running
) -> None:
    """The workspace at the start of a run."""
    run = workspace.run
    run.advance, run.dense, run.exact = running.advance, running.dense, running.exact
    table = program.table
    for name, unit in _searches(table.searches, table.proven, layout).items():
        setattr(run, name, unit.address())
    run.max_events, run.max_steps = settings.max_events, settings.max_steps or 0
    run.look_at = run.max_steps
    t_start, t_end = settings.t_span
    run.t = run.t_start = run.seen_t = t_start
    run.t_end, run.rtol, run.max_step = t_end, settings.rtol, settings.max_step
    workspace.plan(program.schedule)
    run.order = layout.order
    run.h_next = 0.0 if layout.adaptive and not running.hands_over else settings.max_step
    run.t_inf = run.t_inf_error = np.nan
    workspace.enter(start)
    workspace.begin(t_start, settings.x0)


@cache
def _searches(searches: frozenset[bool], proven: bool, layout: StepLayout) -> dict[str, Unit]:
    """The searches that stages need with this stepper, see `StageTable`."""
    if layout.straight:
        return {}
    exact = {by_rates and layout.smooth for by_rates in searches}
    proving = {"prove": _PROVE} if layout.smooth and proven else {}
    by_numbers = {False: ("sample", _SAMPLE), True: ("isolate", _ISOLATE)}
    return proving | dict(by_numbers[by_rates] for by_rates in sorted(exact))


def _go(workspace: Workspace, program: Program, settings: Settings, progress: bool) -> Status:
    """Call the loop in short slices, until it ends or is interrupted."""
    loop, run, engine = _LOOP.callable(), workspace.run, program.engine
    budget = _FIRST_BUDGET
    with _shown(workspace, settings, progress) as show:
        try:
            with HeldInterrupt(lambda: setattr(run, "budget", 0)) as interrupt:
                while True:
                    interrupt.deliver()
                    run.budget = budget
                    began = time.perf_counter()
                    code = loop(workspace.address)
                    if code != codes.PAUSED:
                        return _ENDINGS[code]
                    taken, used = budget - int(run.budget), time.perf_counter() - began
                    budget = int(min(max(taken * _SLICE / max(used, EPS), budget / 4, 1), 4 * budget))
                    workspace.make_room()
                    show()
                    if engine.may_switch():
                        engine.switch(float(run.t), [run, *program.table.stages, *program.memories])
                        loop = _LOOP.callable()
        except KeyboardInterrupt:
            return Status.INTERRUPTED


@contextmanager
def _shown(workspace: Workspace, settings: Settings, progress: bool) -> Iterator[Callable[[], None]]:
    """The function called from time to time, and at the end, to report the progress."""
    if not progress:
        yield lambda: None
        return
    from sympact.integrate.loop.progress import Progress

    with Progress(*settings.t_span) as line:

        def show() -> None:
            line.show(float(workspace.run.t), int(workspace.run.events))

        try:
            yield show
        finally:
            show()


def _gather(workspace: Workspace, program: Program, settings: Settings, status: Status, detail: str) -> Record:
    friction = codes.HEAD + workspace.width
    samples, events = workspace.samples(), workspace.events()
    report = events["event_record"]
    return Record(
        t=samples["sample_t"],
        x=samples["sample_x"],
        h=samples["sample_h"],
        stage=samples["sample_stage"],
        event_t=events["event_t"],
        event_sample=events["event_sample"],
        event_source=events["event_source"],
        event_target=events["event_target"],
        event_fired=events["event_fired"].astype(bool),
        event_kind=report[:, codes.KIND].astype(np.int64),
        event_numbers=reported_numbers(NUMBERS, report, events["event_t"]),
        event_impulse=report[:, codes.HEAD : friction],
        event_friction=report[:, friction:].reshape(len(report), (report.shape[1] - friction) // 3, 3),
        status=status,
        t_inf=float(workspace.run.t_inf),
        t_inf_error=float(workspace.run.t_inf_error),
        counts=workspace.counts(),
        settings=settings.asked() | {"engine": program.engine.name},
        detail=detail,
    )
