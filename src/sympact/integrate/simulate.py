"""Run a program from Python: check what is asked, call the loop slice by slice, gather what it wrote."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real

import numpy as np

from sympact.integrate import layout as at
from sympact.integrate.callback import Faults
from sympact.integrate.dense import rebuild_segments, stored_segments, straight_segments
from sympact.integrate.frame import Frame
from sympact.integrate.interpolation import StoredInterpolant
from sympact.integrate.interrupt import HeldInterrupt
from sympact.integrate.modes import Modes
from sympact.integrate.program import Program
from sympact.integrate.record import Record
from sympact.integrate.scipy_stepper import ScipyStepper
from sympact.integrate.status import Status
from sympact.integrate.stepper import EXPLICIT, SCIPY, Stepper
from sympact.integrate.unit import Unit

__all__ = ["simulate"]

_LOOP = Unit("sympact.integrate.loop_kernel", "run")
_ISOLATE = Unit("sympact.integrate.isolate_kernel", "isolate")
_SAMPLE = Unit("sympact.integrate.sample_kernel", "sample")
LOOP_UNITS = (_LOOP, _ISOLATE, _SAMPLE)
"""What every run calls."""
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
}


@dataclass(frozen=True)
class Settings:
    """How to integrate: checked, and in the form the loop needs."""

    t_span: tuple[float, float]
    x0: np.ndarray
    method: str
    rtol: float
    atol: np.ndarray
    max_step: float
    max_events: int

    @classmethod
    def check(cls, program: Program, t_span, x0, method, rtol, atol, max_step, max_events) -> Settings:
        """The settings, or one error with a sentence for each fault."""
        faults: list[str] = []
        span = _numbers(t_span, "t_span", faults)
        state, tolerance = _numbers(x0, "x0", faults), _numbers(atol, "atol", faults)
        n = len(program.state_names)
        if span is not None and (span.shape != (2,) or not span[0] < span[1]):
            faults.append(f"t_span is {t_span!r}, expected two times (t_start, t_end) with t_start < t_end")
        if state is not None and state.shape != (n,):
            faults.append(f"x0 has the shape {state.shape}, expected ({n},): {', '.join(program.state_names)}")
        if tolerance is not None and (tolerance.shape not in ((), (n,)) or not (tolerance >= 0.0).all()):
            faults.append(f"atol is {atol!r}, expected a number or {n} numbers, not negative")
        known = [*EXPLICIT, *SCIPY, *program.steppers]
        if method not in known:
            faults.append(f"method is {method!r}, expected one of {', '.join(known)}")
        elif method not in SCIPY and not _stepper(program, method).adaptive and _real(max_step) == np.inf:
            faults.append(f"the method {method!r} takes steps of one size: give it as max_step, such as max_step=0.01")
        if not 2.3e-14 <= _real(rtol) < 1.0:
            faults.append(f"rtol is {rtol!r}, expected at least 2.3e-14 (a hundred roundings) and less than 1")
        if not _real(max_step) > 0.0:
            faults.append(f"max_step is {max_step!r}, expected a positive time")
        if not (isinstance(max_events, (int, np.integer)) and max_events > 0):
            faults.append(f"max_events is {max_events!r}, expected a positive whole number")
        if faults:
            raise ValueError("; ".join(faults))
        atol_array = np.broadcast_to(tolerance, (n,))
        return cls(
            (float(span[0]), float(span[1])), state, method, float(rtol), atol_array, float(max_step), int(max_events)
        )

    def asked(self) -> dict[str, object]:
        """What was asked for, as plain numbers and words; tolerances that are all equal as one."""
        atol = self.atol.tolist()
        return {
            "t_span": list(self.t_span),
            "method": self.method,
            "rtol": self.rtol,
            "atol": atol[0] if len(set(atol)) == 1 else atol,
            "max_step": self.max_step,
            "max_events": self.max_events,
        }


def _stepper(program: Program, method: str) -> Stepper:
    """The stepper of that name, one that the program brings along or one of ours."""
    return program.steppers[method][0] if method in program.steppers else EXPLICIT[method]


def _real(value: object) -> float:
    """The value as a float, NaN if it is no real number."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else np.nan


def _numbers(value, name: str, faults: list[str]) -> np.ndarray | None:
    """The value as an array of finite floats, or None and a sentence."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        faults.append(f"{name} is {value!r}, expected real numbers")
        return None
    if not np.isfinite(array).all():
        faults.append(f"{name} is {value!r}, expected finite numbers")
        return None
    return array


def simulate(
    program: Program,
    t_span: Sequence[float],
    x0: Sequence[float],
    *,
    start: int = 0,
    method: str = "DOP853",
    rtol: float = 1e-9,
    atol: float | Sequence[float] = 1e-12,
    max_step: float = np.inf,
    max_events: int = 1_000_000,
    progress: bool = False,
) -> tuple[Record, StoredInterpolant, Modes]:
    """Run a program event by event.

    Parameters
    ----------
    program : Program
    t_span : (t_start, t_end)
        In seconds, t_start < t_end.
    x0 : array_like, shape (n_states,)
    start : int
        Index of the stage to begin in.
    method : str
        ``"DOP853"``, ``"RK45"`` (adaptive); ``"RK4"``, ``"improved Euler"``, ``"Euler"`` (steps of the size
        `max_step`); ``"Radau"``, ``"BDF"``, ``"LSODA"`` (SciPy's, for stiff flows); those of ``program.steppers``,
        which begin in a stage of their own.
    rtol, atol : float; atol also array_like, shape (n_states,)
        The error of a step is kept below atol + rtol |x|.
    max_step : float
        Largest step (s); the step itself for methods of fixed step.
    max_events : int
        The run ends after so many events.
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
    ValueError
        With a sentence for each wrong argument.
    Exception
        Whatever a user's function raised; the attribute ``record`` has what is returned, up to there.
    """
    settings = Settings.check(program, t_span, x0, method, rtol, atol, max_step, max_events)
    faults = program.faults or Faults()
    scipy = ScipyStepper(method, faults) if method in SCIPY else None
    stepper = scipy.stepper if scipy else _stepper(program, method)
    start = program.steppers[method][1] if method in program.steppers else start
    frame = Frame.borrow(program, stepper, settings.x0, settings.atol, polynomials=scipy is not None)
    _prepare(frame, program, settings, start, stepper, scipy)
    faults.watch(frame.whole)
    status = _go(frame, settings, progress)
    faults.watch(None)
    if faults.raised is not None:
        status = Status.INTERRUPTED if isinstance(faults.raised, KeyboardInterrupt) else Status.FAULT
    record, modes = _gather(frame, settings, status), Modes(program, frame.modes())
    if scipy:
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


def _prepare(frame: Frame, program: Program, settings: Settings, start: int, stepper, scipy) -> None:
    """Everything the loop needs at the start of a run."""
    whole, real = frame.whole, frame.real
    if scipy:
        whole[at.ADVANCE], whole[at.DENSE] = scipy.advance.address, scipy.dense.address
    else:
        whole[at.ADVANCE] = stepper.unit("advance").address()
        whole[at.DENSE] = 0 if stepper.straight else stepper.unit("dense").address()
        whole[at.EXACT] = stepper.unit("exact").address() if stepper.polished else 0
    for slot, unit in _searches(program, stepper).items():
        whole[slot] = unit.address()
    whole[at.MAX_EVENTS] = settings.max_events
    t_start, t_end = settings.t_span
    real[at.T] = real[at.T_START] = t_start
    real[at.T_END], real[at.RTOL], real[at.MAX_STEP] = t_end, settings.rtol, settings.max_step
    real[at.ORDER] = stepper.order
    real[at.H_NEXT] = 0.0 if stepper.adaptive and not scipy else settings.max_step
    real[at.T_INF] = real[at.T_INF_ERROR] = np.nan
    frame.enter(start)
    frame.begin(t_start, settings.x0)


def _searches(program: Program, stepper: Stepper) -> dict[int, Unit]:
    """The searches that the stages need with this stepper."""
    if stepper.straight:
        return {}
    exact = {stage.derivatives and stepper.smooth for stage in program.stages if stage.boundary}
    exact |= {False for stage in program.stages if stage.force}
    return {at.ISOLATE if by_rates else at.SAMPLE: _ISOLATE if by_rates else _SAMPLE for by_rates in sorted(exact)}


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
    from sympact.integrate.progress import Progress

    with Progress(*settings.t_span) as line:

        def show() -> None:
            line.show(float(frame.real[at.T]), int(frame.whole[at.EVENTS]))

        try:
            yield show
        finally:
            show()


def _gather(frame: Frame, settings: Settings, status: Status) -> Record:
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
        event_energy=report[:, at.ENERGY],
        event_window=report[:, at.WINDOW],
        event_nearest=report[:, at.NEAREST],
        event_factor=report[:, at.FACTOR],
        event_t_inf=event_t + report[:, at.REMAINDER],
        event_t_inf_error=report[:, at.REMAINDER_ERROR],
        event_impulse=report[:, at.HEAD : friction],
        event_friction=report[:, friction:].reshape(len(report), (report.shape[1] - friction) // 3, 3),
        status=status,
        t_inf=float(frame.real[at.T_INF]),
        t_inf_error=float(frame.real[at.T_INF_ERROR]),
        counts=frame.counts(),
        settings=settings.asked(),
    )
