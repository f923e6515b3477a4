"""Run a program from Python: check what is asked, call the loop slice by slice, gather what it wrote."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.event_numbers import numbers_table
from sympact.integrate.history.mode_names import Modes
from sympact.integrate.history.record import Record
from sympact.integrate.loop.dense import rebuild_segments, stored_segments, straight_segments
from sympact.integrate.loop.ending import tell_end
from sympact.integrate.loop.interrupt import HeldInterrupt
from sympact.integrate.loop.workspace import Frame
from sympact.integrate.memory import run_layout as at
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.stepper import Method, Running, Stepper
from sympact.integrate.steppers.interpolation import StoredInterpolant
from sympact.native.kernel import Unit

__all__ = ["loop_units", "simulate"]

_LOOP = Unit("sympact.integrate.loop.loop_kernel", "run")
_ISOLATE = Unit("sympact.integrate.search.isolate_kernel", "isolate")
_PROVE = Unit("sympact.integrate.search.prove_kernel", "prove")
_SAMPLE = Unit("sympact.integrate.search.sample_kernel", "sample")
_SLICE = 0.02  # s: how long the loop may run before Python looks for Ctrl-C
_FIRST_BUDGET = 100  # steps
_ENDINGS = {
    at.FINISHED: Status.FINISHED,
    at.NOT_FINITE: Status.NOT_FINITE,
    at.STEP_TOO_SMALL: Status.STEP_TOO_SMALL,
    at.ACCUMULATION: Status.ACCUMULATION,
    at.CHATTERING: Status.CHATTERING,
    at.JUMP_WITHOUT_EFFECT: Status.JUMP_WITHOUT_EFFECT,
    at.UNSOLVED_IMPACT: Status.UNSOLVED_IMPACT,
    at.UNENDED_IMPACT: Status.UNENDED_IMPACT,
    at.FAULTED: Status.FAULT,
    at.EVENTS_EXHAUSTED: Status.MAX_EVENTS,
    at.SLIDING: Status.SLIDING,
    at.JAMMED: Status.PAINLEVE,
    at.NO_RESTITUTION: Status.NO_RESTITUTION,
    at.EVENT_LOOP: Status.EVENT_LOOP,
    at.BEYOND_BOUNDARY: Status.BEYOND_BOUNDARY,
    at.STEPS_EXHAUSTED: Status.MAX_STEPS,
    at.NO_PROGRESS: Status.NO_PROGRESS,
    at.UNBALANCED_EVENT: Status.UNBALANCED_EVENT,
}


def loop_units(method: Method) -> list[Unit]:
    """What a run by a method calls besides what belongs to its process."""
    units, stepper = method.units(), method.stepper
    if not units:
        return [_LOOP, _SAMPLE]
    proving = [_PROVE] if stepper.smooth else []
    return [_LOOP, *units.values(), *([] if stepper.straight else [_SAMPLE, _ISOLATE]), *proving]


def simulate(
    program: Program, settings: Settings, *, start: int = 0, progress: bool = False
) -> tuple[Record, StoredInterpolant, Modes]:
    """Run a program event by event.

    Parameters
    ----------
    program : Program
    settings : Settings
    start : int
        Index of the stage to begin in; methods of ``program.steppers`` begin in a stage of their own.
    progress : bool
        Show how far the run is, as `Progress` does.

    Returns
    -------
    record : Record
    interpolant : StoredInterpolant
    modes : Modes
        What was met of the program, of which the record speaks.

    Raises
    ------
    Exception
        Whatever a user's function raised; the attribute ``record`` has what is returned, up to there.
    """
    stepper, faults = settings.by.stepper, program.faults or Faults()
    _, start = program.steppers.get(settings.method, (None, start))
    running = settings.by.begin(faults)
    frame = Frame.borrow(program, stepper, settings.x0, settings.atol, polynomials=running.hands_over)
    _prepare(frame, program, settings, start, stepper, running)
    faults.watch(frame.whole)
    status = _go(frame, settings, progress)
    faults.watch(None)
    if faults.raised is not None:
        status = Status.INTERRUPTED if isinstance(faults.raised, KeyboardInterrupt) else Status.FAULT
    record, modes = _gather(frame, settings, status, tell_end(status, frame, program)), Modes(program, frame.modes())
    if running.hands_over:
        polynomials = frame.samples(at.SAMPLE_POLYNOMIAL)
        interpolant = StoredInterpolant(record.t, record.x, lambda: stored_segments(modes, record, polynomials))
    elif stepper.straight:
        interpolant = StoredInterpolant(record.t, record.x, lambda: straight_segments(record))
    else:
        interpolant = StoredInterpolant(record.t, record.x, lambda: rebuild_segments(modes, stepper, record))
    frame.give_back()
    if status is Status.FAULT:
        faults.raised.record = (record, interpolant, modes)
        raise faults.raised
    return record, interpolant, modes


def _prepare(
    frame: Frame, program: Program, settings: Settings, start: int, stepper: Stepper, running: Running
) -> None:
    """Everything the loop needs at the start of a run."""
    whole, real = frame.whole, frame.real
    whole[at.ADVANCE], whole[at.DENSE], whole[at.EXACT] = running.advance, running.dense, running.exact
    for slot, unit in _searches(program, stepper).items():
        whole[slot] = unit.address()
    whole[at.MAX_EVENTS], whole[at.MAX_STEPS] = settings.max_events, settings.max_steps or 0
    whole[at.LOOK_AT] = whole[at.MAX_STEPS]
    t_start, t_end = settings.t_span
    real[at.T] = real[at.T_START] = real[at.SEEN_T] = t_start
    real[at.T_END], real[at.RTOL], real[at.MAX_STEP] = t_end, settings.rtol, settings.max_step
    frame.plan(program.schedule)
    real[at.ORDER] = stepper.order
    real[at.H_NEXT] = 0.0 if stepper.adaptive and not running.hands_over else settings.max_step
    real[at.T_INF] = real[at.T_INF_ERROR] = np.nan
    frame.enter(start)
    frame.begin(t_start, settings.x0)


def _searches(program: Program, stepper: Stepper) -> dict[int, Unit]:
    """The searches that the stages need with this stepper."""
    if stepper.straight:
        return {}
    exact = {stage.derivatives and stepper.smooth for stage in program.stages if stage.boundary}
    exact |= {False for stage in program.stages if stage.force}
    proving = {at.PROVE: _PROVE} if stepper.smooth and any(stage.proof for stage in program.stages) else {}
    by_numbers = {False: (at.SAMPLE, _SAMPLE), True: (at.ISOLATE, _ISOLATE)}
    return proving | dict(by_numbers[by_rates] for by_rates in sorted(exact))


def _go(frame: Frame, settings: Settings, progress: bool) -> Status:
    """Call the loop in short slices, until it ends or is interrupted."""
    loop, whole = _LOOP.callable(), frame.whole
    budget = _FIRST_BUDGET
    with _shown(frame, settings, progress) as show:
        try:
            with HeldInterrupt(lambda: whole.put(at.BUDGET, 0)) as interrupt:
                while True:
                    interrupt.deliver()
                    whole[at.BUDGET] = budget
                    began = time.perf_counter()
                    code = loop(frame.address)
                    if code != at.PAUSED:
                        return _ENDINGS[code]
                    taken, used = budget - int(whole[at.BUDGET]), time.perf_counter() - began
                    budget = int(min(max(taken * _SLICE / max(used, 1e-6), budget / 4, 1), 4 * budget))
                    frame.make_room()
                    show()
        except KeyboardInterrupt:
            return Status.INTERRUPTED


@contextmanager
def _shown(frame: Frame, settings: Settings, progress: bool) -> Iterator[Callable[[], None]]:
    """What to call from time to time, and at the end, so that who wants it sees how far the run is."""
    if not progress:
        yield lambda: None
        return
    from sympact.integrate.loop.progress import Progress

    with Progress(*settings.t_span) as line:

        def show() -> None:
            line.show(float(frame.real[at.T]), int(frame.whole[at.EVENTS]))

        try:
            yield show
        finally:
            show()


def _gather(frame: Frame, settings: Settings, status: Status, detail: str) -> Record:
    friction = at.HEAD + frame.width
    report, event_t = frame.events(at.EVENT_RECORD), frame.events(at.EVENT_T)
    return Record(
        t=frame.samples(at.SAMPLE_T),
        x=frame.samples(at.SAMPLE_X),
        h=frame.samples(at.SAMPLE_H),
        stage=frame.samples(at.SAMPLE_STAGE),
        event_t=event_t,
        event_sample=frame.events(at.EVENT_SAMPLE),
        event_source=frame.events(at.EVENT_SOURCE),
        event_target=frame.events(at.EVENT_TARGET),
        event_fired=frame.events(at.EVENT_FIRED).astype(bool),
        event_kind=report[:, at.KIND].astype(np.int64),
        event_numbers=numbers_table(NUMBERS, len(event_t), lambda one: one.read(report, event_t)),
        event_impulse=report[:, at.HEAD : friction],
        event_friction=report[:, friction:].reshape(len(report), (report.shape[1] - friction) // 3, 3),
        status=status,
        t_inf=float(frame.real[at.T_INF]),
        t_inf_error=float(frame.real[at.T_INF_ERROR]),
        counts=frame.counts(),
        settings=settings.asked(),
        detail=detail,
    )
