"""The run of an island on its way, which can be ended at an earlier time than it has reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

import numpy as np

from sympact.contact.contact_workspace import ContactData
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.stepper import StepLayout
from sympact.integrate.trajectory.trajectory import Trajectory
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.islands.island import Island
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.window import Samples, Window
from sympact.mechanics.run.ended_model import EndedModel
from sympact.mechanics.run.model_memory import ModelMemory, Recall, give_back, take
from sympact.mechanics.run.preparation import settled_at_start
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.start.scale import Scale, scale_at

__all__ = ["Cut", "Flight", "resumed_scale"]

_LOOK_BACK = 40  # samples before the first division in which contacts must have had no event
_PART = 8  # steps between two looks at the time


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a run is at one of its pauses: the numbers that a later arc depends on."""

    t: float
    events: int
    mode: tuple[np.ndarray, np.ndarray] | None
    carried: dict[str, float]


@dataclass(frozen=True, eq=False)
class Cut:
    """The state of an island at a time at which its run is ended, in its own numbers.

    Attributes
    ----------
    flight : Flight
        The modes of contacts in its memory are those at that time, until it is ended.
    t, x : float, array
    size : float
        Of the next step (s).
    carried : dict of str to float
        See `Session.carried`.
    """

    flight: Flight
    t: float
    x: np.ndarray
    size: float
    carried: dict[str, float]


class Flight:
    """The run of an island on its way.

    Parameters
    ----------
    island : Island
    asked : Settings
        Those of the model.
    t, x : float, array
        The begin, and the state of the island there.
    p : array
        The parameters of the model.
    signals : Signals, optional
        The inputs.
    checked : callable
        The scale of its gaps at the start of the run, after a check.
    scale : Scale, optional
        That of its gaps, where it continues others.
    before : sequence of Cut
        The islands at the same time of which this one continues the motion; none at the start of the run.

    Attributes
    ----------
    island : Island
    begin : float
    windows : list of Window
        The parts of its motion that may not be clear of others.
    """

    def __init__(
        self,
        island: Island,
        asked: Settings,
        t: float,
        x: np.ndarray,
        p: np.ndarray,
        signals: Signals | None,
        checked: Callable[[Island], Scale],
        scale: Scale | None = None,
        before: Sequence[Cut] = (),
    ) -> None:
        self.island, self.begin, self.windows = island, t, list[Window]()
        self._p, self._signals, compiled = island.parameters(p).copy(), signals, island.compiled
        span, x = (t, asked.t_span[1]), np.ascontiguousarray(x)
        begins = t == asked.t_span[0]
        self._settings = island.settings(asked).at(span, x).going_on(asked.sides if begins else None)
        slopes = settled_at_start(compiled, t, x, self._p, None) if compiled.model.derivation.switches else ()
        self._memory = memory = take(compiled, signals)
        found = scale or memory.scale(self._p, self._settings) or checked(island)
        self._scale = found
        memory.begin(self._p, found.length, found.grains)
        memory.free.measure(t, x)
        for cut in before:
            memory.take_over(cut.flight._memory, *(_places(self.island, cut.flight.island)))
        numbers = _continued(before) if before else None
        self._run = memory.session(self._settings, found, slopes, signals, numbers)
        self._first_size = min((cut.size for cut in before), default=0.0)
        self._moments, self._hurried = [self._moment()], False

    @property
    def t(self) -> float:
        """The time that it has reached (s)."""
        return self._run.t

    @property
    def x(self) -> np.ndarray:
        """The state there."""
        return self._run.x

    @property
    def over(self) -> Status | None:
        """The reason for an early end; None where there is none."""
        return None if self._run.status is Status.FINISHED else self._run.status

    @property
    def length(self) -> float:
        """The model length, as measured so far (m)."""
        data = self._memory.data
        return data.length if self._scale.measured and data is not None else self._scale.length

    @property
    def attempts(self) -> int:
        """The number of attempted steps."""
        return self._run.attempts

    @property
    def events(self) -> int:
        """The number of events."""
        return self._run.events

    @property
    def event_times(self) -> np.ndarray:
        """Their times (s)."""
        return self._run.event_times

    def advance(self, until: float, steps: float) -> int:
        """Go on until a time, or for some steps; returns how many were attempted."""
        run, first, begun = self._run, self._run.samples - 1, self._run.attempts
        self._hurried = False
        while run.status is None and run.t < until and run.attempts - begun < steps and not self._hurried:
            run.advance(int(min(_PART, steps - (run.attempts - begun))))
            self._moments.append(self._moment())
        self.windows.append(Window(self, first, run.samples))
        return run.attempts - begun

    def finish(self, left: float, pause: float) -> int:
        """Go on to the end, with at most so many steps, and pause after some; returns how many were attempted."""
        run, begun = self._run, self._run.attempts
        most = min(left, pause)
        run.finish(None if most == inf else max(1, int(begun + most)))
        if run.status is Status.MAX_STEPS and pause < left:
            run.go_on()
            self._moments = [self._moment()]
            self.windows = [Window(self, max(run.samples - _LOOK_BACK, 0), run.samples)]
        return run.attempts - begun

    @property
    def closed(self) -> int:
        """The number of closed contacts."""
        data = self._memory.data
        return 0 if data is None else int(np.count_nonzero(data.mode.status))

    @property
    def pauses(self) -> bool:
        """Whether the run is not at an end."""
        return self._run.status is None

    def hasten(self) -> None:
        """Pause after the present step."""
        self._hurried = True
        self._run.hasten()

    def at(self, t: float) -> Window:
        """The window that contains a time."""
        return next((window for window in self.windows if t < window.end), self.windows[-1])

    def settle(self, t: float) -> None:
        """Nothing before a time is needed any more."""
        self.windows = [window for window in self.windows[:-1] if window.end >= t] + self.windows[-1:]
        kept = max((k for k, moment in enumerate(self._moments) if moment.t < t), default=0)
        del self._moments[:kept]

    def samples(self, first: int) -> Samples:
        """The samples from one of them on."""
        rows = self._run.rows(first)
        return Samples(*(rows[f"sample_{name}"] for name in ("t", "h", "x", "stage", "low")))

    @property
    def rows(self) -> np.ndarray | None:
        """The modes so far, see `Modes`."""
        return self._run.modes

    @property
    def memory(self) -> ModelMemory:
        """That of its run."""
        return self._memory

    @property
    def layout(self) -> StepLayout:
        """That of its stepper."""
        return self._settings.by.layout

    @contextmanager
    def lend(self) -> Iterator[tuple[Program, ContactData | None]]:
        """Memory in which its steps can be repeated while it is on its way."""
        own, memory = self._memory, take(self.island.compiled, None)
        memory.begin(self._p, self.length, self._scale.grains)
        memory.restore_row_scales(own.row_scales())
        if memory.data is not None and own.data is not None:
            memory.data.restore_mode(own.data.mode_numbers())
        yield memory.program, memory.data
        give_back(memory)

    def has_event(self, t: float) -> bool:
        """Whether an event is at a time after its begin."""
        return t > self.begin and bool((self._run.event_times == t).any())

    def sample_before(self, t: float) -> float:
        """The time of the last sample before another time, at the earliest its begin."""
        times = self._run.rows(0)["sample_t"]
        return float(times[max(int(np.searchsorted(times, t, side="left")) - 1, 0)])

    def contact(self, k: int) -> tuple[bool, float]:
        """Whether a contact of the island is closed, and the time of its last impact; NaN if there was none."""
        data = self._memory.data
        assert data is not None, "an island with a contact has memory for it"
        return bool(data.mode.status[k]), float(data.mode.last_time[k])

    def cut(self, t: float) -> Cut:
        """The state at a time; the run goes on no more."""
        if t == self.t:
            moment, x, size = self._moments[-1], self.x, self._run.next_size
        elif t == self.begin:
            moment, x, size = self._moments[0], self._settings.x0, self._first_size
        else:
            moment = next(moment for moment in reversed(self._moments) if moment.t < t)
            x, size = self.at(t).state(t)
        if moment.mode is not None and self._memory.data is not None:
            self._memory.data.restore_mode(moment.mode)
        return Cut(self, t, x, size, moment.carried)

    def alone(self, compiled: CompiledModel, signals: Signals | None, change: np.ndarray) -> EndedModel:
        """Its run as that of the model as the user wrote it, `compiled`; see `EndedModel`."""
        ended = EndedModel(compiled, self._run.completed(), self._memory, self._p, self._scale, signals, change)
        ended.finish(self._memory, self.island.compiled)
        give_back(self._memory)
        return ended

    def ended(self, t: float = inf) -> IslandRun | None:
        """Its run as far as it is part of the run of the model; None where that is nothing.

        The steps after the time are forgotten, the first sample beyond it remains.
        """
        run, memory, island = self._run, self._memory, self.island
        status = run.status
        if t < run.t:
            beyond = int(np.searchsorted(run.rows(0)["sample_t"], t, side="right"))
            run.forget(beyond + 1, int(np.searchsorted(run.event_times, t, side="right")))
            status = Status.FINISHED
        piece = run.completed(status)
        ended = EndedModel(island.compiled, piece, memory, self._p, self._scale, None)
        piece.lend = Recall(memory, self._p, ended.length, self._scale.grains, self._signals)
        if piece.status is not Status.NOT_FINITE:
            ended.describe(memory, island.compiled)
        if len(island.components) == 1:
            give_back(memory)
        else:
            island.compiled.waiting.clear()
        return (
            IslandRun(island, Trajectory(piece, ended), ended, min(t, float(piece.t[-1]))) if t > self.begin else None
        )

    def _moment(self) -> _Moment:
        run, data = self._run, self._memory.data
        return _Moment(run.t, run.events, None if data is None else data.mode_numbers(), run.carried)


def resumed_scale(island: Island, asked: Settings, t: float, x: np.ndarray, p: np.ndarray) -> Scale:
    """The scale of an island that continues others."""
    compiled, own = island.compiled, island.parameters(p)
    x = np.ascontiguousarray(x)
    settings = island.settings(asked)
    if compiled.model.derivation.switches:
        settled_at_start(compiled, t, x, own, None)
    along = compiled.boundary(t, x, own, compiled.raw("flow", t, x, own)).reshape(3, -1)
    known = compiled.length_of(own)
    return scale_at(compiled, t, x, own, along, length=known, rtol=settings.rtol, atol=settings.atol)


def _continued(before: Sequence[Cut]) -> dict[str, float]:
    """The numbers of a run that continues others: the largest of theirs, and the smallest step."""
    names = before[0].carried
    largest = {name: max(cut.carried[name] for cut in before) for name in names}
    return largest | {"h_next": min(cut.size for cut in before)}


def _places(island: Island, other: Island) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """The places, here and there, of the contacts and of the constraints that two islands have in common."""
    pairs = (island.contacts, other.contacts), (island.rows, other.rows)
    (here, there), (mine, theirs) = (np.intersect1d(*pair, return_indices=True)[1:] for pair in pairs)
    return (here, there), (mine, theirs)
