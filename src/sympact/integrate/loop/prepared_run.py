"""A program with the settings of its runs: what does not change from run to run is written once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np

from sympact.integrate.loop.interrupt import HeldInterrupt
from sympact.integrate.loop.workspace import Shape, Workspace
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.memory.run_tolerances import NOISE_OF_ATOL
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import UNKNOWN, Scales
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.stepper import StepLayout, Stepper
from sympact.native.kernel import Unit
from sympact.native.rounding import EPS

__all__ = ["ENDINGS", "LOOP", "SLICE", "PreparedRun", "loop_units", "shown"]

LOOP = Unit("sympact.integrate.loop.loop_kernel", "run")
_ISOLATE = Unit("sympact.integrate.search.isolate_kernel", "isolate")
_PROVE = Unit("sympact.integrate.search.prove_kernel", "prove")
_SAMPLE = Unit("sympact.integrate.search.sample_kernel", "sample")
SLICE = 0.02  # s: the longest slice of the loop before Python checks for Ctrl-C
_FIRST_BUDGET, _LARGEST_BUDGET = 100, 2**20  # steps
_DRAINED = 500  # samples: those of a part of a run that keeps few of them
_BUDGET = RunMemory.fields["budget"].slot
ENDINGS = {
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
    codes.STOPPED: Status.STOPPED,
    codes.BELOW_SURFACE: Status.BELOW_SURFACE,
    codes.UNBALANCED_ARC: Status.UNBALANCED_ARC,
    codes.NEGATIVE_FRICTION: Status.NEGATIVE_FRICTION,
}


def loop_units(stepper: Stepper) -> list[Unit]:
    """The functions that a run by a stepper calls besides those of its process."""
    units, layout = stepper.units(), stepper.layout
    if not units:
        return [LOOP, _SAMPLE]
    proving = [_PROVE] if layout.smooth else []
    return [LOOP, *units.values(), *([] if layout.straight else [_SAMPLE, _ISOLATE]), *proving]


class PreparedRun:
    """A program with the settings of its runs; `begin` and `go` make a run of it, one at a time.

    Parameters
    ----------
    program : Program
    settings : Settings
        Those of the runs but for their times and initial states.
    start : int
        The index of the stage to begin in; methods of ``program.start_stages`` begin in a stage of their own.

    Attributes
    ----------
    layout : StepLayout
        That of the stepper.
    faults : Faults
    stores_polynomials : bool
        Whether the polynomial of every step is stored.
    lasting : bool
        Whether it serves several runs: it calls no Python function of one run.
    keeps_python : bool
        Whether its method keeps numbers of a run in Python objects.
    """

    def __init__(self, program: Program, settings: Settings, start: int = 0) -> None:
        self.program, self.layout, self.faults = program, settings.by.layout, program.faults or Faults()
        self._running = settings.by.begin(self.faults)
        self.stores_polynomials = self._running.hands_over or self.layout.implicit
        self._settings, self._start = settings, program.start_stages.get(settings.method, start)
        self._shape = Shape.of(program, self.layout, polynomials=self.stores_polynomials)
        self._noise = np.minimum(settings.atol, NOISE_OF_ATOL)
        self._tolerances = settings.atol.copy()
        self._tolerances[list(program.discrete)] = np.inf
        self._unknown = (UNKNOWN,) * len(program.stages)
        self.lasting = program.faults is None and self._running.owner is None
        self._calls_python = program.calls_python or program.engine.interpreted or self._running.owner is not None
        self.keeps_python = self._running.owner is not None or self._running.hands_over
        self._loop, self._budget = LOOP.callable(), _FIRST_BUDGET  # the budget: steps of a slice

    def begin(
        self,
        t_span: tuple[float, float],
        x0: np.ndarray,
        scales: Sequence[Scales] = (),
        schedule: Schedule | None = None,
    ) -> Workspace:
        """A workspace at the start of a run.

        Parameters
        ----------
        t_span : (float, float)
        x0 : array, shape (n_states,)
        scales : sequence of Scales, optional
            Those of each stage; by default those of the program.
        schedule : Schedule, optional
            By default that of the program.
        """
        workspace, table = Workspace.borrow(self._shape), self.program.table
        if workspace.kept_for is self:
            workspace.restore()
        else:
            workspace.clear(table)
            self._write(workspace)
            workspace.keep(self)
        table.begin(scales or self.program.scales or self._unknown, self._noise)
        table.record(workspace.rates if self.layout.accurate else 0, self.layout.recorded)
        table.audit(workspace.rates, 8 * self.layout.last * len(x0))
        workspace.begin(t_span, x0)
        if schedule is not None or self.program.schedule is not None:
            workspace.plan(schedule or self.program.schedule)
        return workspace

    def go(self, workspace: Workspace, progress: bool = False, drain: Callable[[], None] | None = None) -> Status:
        """Call the loop in short slices, until it ends or is interrupted; `drain` empties the buffer of samples."""
        faults, status, begun = self.faults, None, False
        faults.watch(workspace.run)
        if not (progress or self._calls_python):
            status, begun = self._first_slice(workspace), True
        if status is None:
            status = self._slices(workspace, progress, drain, begun=begun)
        faults.watch(None)
        if faults.raised is not None:
            return Status.INTERRUPTED if isinstance(faults.raised, KeyboardInterrupt) else Status.FAULT
        return status

    def advance(self, workspace: Workspace, steps: int) -> Status | None:
        """Attempt some steps, up to the next event; None where the run goes on.

        The numbers of a run do not depend on where it pauses.
        """
        faults, run, most = self.faults, workspace.run, self._settings.max_events
        run.max_events, run.budget = min(most, run.events + 1), steps
        workspace.make_room()
        if self.program.engine.may_switch():
            self._switch(workspace)
        faults.watch(run)
        code = LOOP.callable()(workspace.address)
        faults.watch(None)
        if faults.raised is not None:
            raise faults.raised
        if code == codes.PAUSED or (code == codes.EVENTS_EXHAUSTED and run.events < most):
            return None
        return ENDINGS[code]

    def _switch(self, workspace: Workspace) -> None:
        """Go on with machine code."""
        program = self.program
        program.engine.switch(float(workspace.run.t), [workspace.run, *program.table.stages, *program.memories])
        workspace.kept_for = None

    def _write(self, workspace: Workspace) -> None:
        """The numbers of a workspace that are the same in all runs."""
        run, running, settings = workspace.run, self._running, self._settings
        run.advance, run.dense, run.exact = running.advance, running.dense, running.exact
        table, layout = self.program.table, self.layout
        for name, unit in _searches(table.searches, table.proven, layout).items():
            setattr(run, name, unit.address())
        run.max_events, run.max_steps = settings.max_events, settings.max_steps or 0
        run.look_at = run.max_steps
        run.rtol, run.max_step, run.order = settings.rtol, settings.max_step, layout.order
        run.n_moving = len(settings.atol) - len(self.program.discrete)
        workspace.tolerate(self._tolerances)
        run.h_next = 0.0 if layout.adaptive and not running.hands_over else settings.max_step
        run.t_inf = run.t_inf_error = np.nan
        run.short = np.inf if layout.short else 0.0
        workspace.enter(self._start)

    def _first_slice(self, workspace: Workspace) -> Status | None:
        """The end of a run of few steps; None where it has not ended.

        No Python function is called within it, so that Ctrl-C, which Python delivers when the call returns, needs no
        handler.
        """
        try:
            code = self._slice(self._loop, workspace)
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        return None if code == codes.PAUSED else ENDINGS[code]

    def _slice(self, loop: Callable[[int], int], workspace: Workspace) -> int:
        """Go on for about as long as Ctrl-C may wait; returns the code of the loop."""
        slots, budget = workspace.run.slots, self._budget
        slots[_BUDGET] = budget
        began = time.perf_counter()
        code = loop(workspace.address)
        used = time.perf_counter() - began
        taken = budget - int(slots[_BUDGET])
        if taken > 0:
            self._budget = int(min(max(taken * SLICE / max(used, EPS), budget / 4, 1), 4 * budget, _LARGEST_BUDGET))
        return code

    def _slices(self, workspace: Workspace, progress: bool, drain: Callable[[], None] | None, *, begun: bool) -> Status:
        """Slices of about equal time, until the end of the run; `begun`: after the first one."""
        loop, run, engine = self._loop, workspace.run, self.program.engine
        with _shown(workspace, progress) as show:
            try:
                with HeldInterrupt(lambda: setattr(run, "budget", 0)) as interrupt:
                    if begun:
                        workspace.make_room()
                    while True:
                        interrupt.deliver()
                        code = self._slice(loop, workspace)
                        if code != codes.PAUSED:
                            return ENDINGS[code]
                        if drain is not None and run.samples > _DRAINED:
                            drain()
                        workspace.make_room()
                        show()
                        if engine.may_switch():
                            self._switch(workspace)
                            loop = LOOP.callable()
            except KeyboardInterrupt:
                return Status.INTERRUPTED


@cache
def _searches(searches: frozenset[bool], proven: bool, layout: StepLayout) -> dict[str, Unit]:
    """The searches that stages need with this stepper, see `StageTable`."""
    if layout.straight:
        return {}
    exact = {by_rates and layout.smooth for by_rates in searches}
    proving = {"prove": _PROVE} if layout.smooth and proven else {}
    by_numbers = {False: ("sample", _SAMPLE), True: ("isolate", _ISOLATE)}
    return proving | dict(by_numbers[by_rates] for by_rates in sorted(exact))


@contextmanager
def _shown(workspace: Workspace, progress: bool) -> Iterator[Callable[[], None]]:
    """The function called from time to time, and at the end, to report the progress."""
    run = workspace.run
    with shown((float(run.t_start), float(run.t_end)), progress) as line:

        def show() -> None:
            line(float(run.t), int(run.events))

        try:
            yield show
        finally:
            show()


@contextmanager
def shown(t_span: tuple[float, float], progress: bool) -> Iterator[Callable[[float, int], None]]:
    """The function that reports a time of a run, and the number of its events so far."""
    if not progress:
        yield lambda t, events: None
        return
    from sympact.integrate.loop.progress import Progress

    with Progress(*t_span) as line:
        yield line.show
