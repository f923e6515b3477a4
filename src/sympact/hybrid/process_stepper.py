"""A run of a process that goes on a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from sympact.hybrid.edges.going_on import GoingOn
from sympact.hybrid.process_run import Parts
from sympact.integrate.consecutive.consecutive_run import consecutive_run
from sympact.integrate.loop.written_piece import hide_absent
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.session.session import Session
from sympact.integrate.stepped_run import SteppedRun
from sympact.integrate.trajectory.trajectory import PortableRun, Trajectory, portable, same_run
from sympact.native.sentences.near_names import suggestion

__all__ = ["ProcessStepper"]


class ProcessStepper(SteppedRun):
    """A run of a `HybridSystem` that goes on a step at a time; see its method `stepper`.

    Parameters
    ----------
    parts : Parts
    begin : callable
        ``begin(x0)``: the state and the stage of a start; None for those that were given first.
    numbers : array
        The parameters.
    settings : Settings
    in_force : callable
        The engine of the run, in force.
    t_end : float
    record : bool
    """

    def __init__(
        self,
        parts: Parts,
        begin: Callable[[Any], GoingOn],
        numbers: np.ndarray,
        settings: Settings,
        in_force: Callable[[], AbstractContextManager],
        t_end: float,
        *,
        record: bool,
    ) -> None:
        self._parts, self._starting, self._given, self._settings = parts, begin, numbers, settings
        self._in_force, self._start = in_force, begin(None)
        self._size = len(self._start.x), len(numbers)
        super().__init__(settings.t_span[0], t_end, record=record)

    def _forget(self) -> None:
        self._release()
        super()._forget()
        self._numbers, self._past = self._given, list[tuple[np.ndarray, Trajectory]]()
        self._from: tuple[float, GoingOn] = self._t0, self._start

    def _release(self) -> None:
        """Leave the memory to further runs."""
        session = self.__dict__.get("_session")
        if session is not None:
            session.release()
            self._parts.waiting.give_back(self._memory, *self._size)

    @property
    def _earlier(self) -> int:
        return sum(len(run.event_t) for _, run in self._past)

    def _begin(self) -> Session:
        t, (x, stage, end) = self._from
        with self._in_force():
            self._memory = memory = self._parts.waiting.take(*self._size)
            self._parts.check_start(t, x, stage, self._numbers)
            memory.begin(self._numbers, t, x, stage)
            memory.go_on(stage, end)
            settings = self._settings.at((t, self._end), x)
            schedule = Schedule.of((), memory.p, len(x), 0, (t, t), lands=True)
            session = Session(memory.prepared(settings, stage), settings, memory.scales, schedule, latched=end.latched)
            session.steps_from_outside()
        return session

    def _give(self, given: Mapping[Any, float]) -> None:
        """Go on with other parameters: a run of its own, from the present state, stage, sides and clocks."""
        numbers, session = self._parts.changed(self._numbers, given), self._session
        if session is None:
            self._numbers = numbers
            return
        piece = session.present()
        end, t, x = self._memory.end(piece), session.t, session.x
        begin = GoingOn(x, end.stages[int(piece.samples["sample_stage"][-1])], end)
        with self._in_force():
            self._parts.check_start(t, x, begin.stage, numbers)
        if self._record:
            self._past.append((self._numbers, self._piece(session)))
        self._release()
        self._numbers, self._from, self._session = numbers, (t, begin), None

    def _state(self, session: Session | None) -> np.ndarray:
        x = self._from[1].x.copy() if session is None else session.x
        places = self._parts.places
        if places is not None:
            stage = self._from[1].stage if session is None else session.stage
            present = places[list(self._parts.flows)[self._parts.kinds[stage]]]
            x[np.setdiff1d(np.arange(len(x)), present)] = np.nan
        return x

    def _result(self, session: Session) -> Result:
        whole, *further = [*(run for _, run in self._past), self._piece(session)]
        for run in further:
            whole = consecutive_run(whole, run, checked=True)
        return Result.of_run(whole)

    def _piece(self, session: Session) -> Trajectory:
        """The run with the present parameters."""
        run = session.present()
        other = self._parts.waiting.take(*self._size)
        other.restore(self._numbers)
        run.lend = other.lend
        run.continuation = self._memory.end(run)
        if self._parts.places is not None:
            hide_absent(run)
        return Trajectory(run, self._parts.evaluator(self._numbers))

    def _value(self, key: object) -> float:
        names = self._parts.names(self._size[0])
        if isinstance(key, str) and key not in names:
            raise KeyError(f"there is no state {key!r}; the states are {list(names)}{suggestion(key, names)}")
        if isinstance(key, str | int | np.integer):
            return float(self.x[names.index(key) if isinstance(key, str) else key])
        return float(self._so_far()[key][-1])

    def _start_at(self, x0: Any) -> None:
        self._start = self._starting(x0)
        self._from = self._t0, self._start

    @property
    def _identity(self) -> str:
        settings = self._settings.asked()
        settings.pop("t_span"), settings.pop("engine", None)
        stages = [(name, repr(flow)) for name, flow in self._parts.flows.items() if not callable(flow)]
        edges = [(edge.source, edge.target, edge.name) for edge in self._parts.transitions]
        return repr((list(self._parts.flows), stages, edges, settings, self._t0, self._end))

    @property
    def _beginning(self) -> tuple:
        (t, begin), past = self._from, [(numbers, portable(run)) for numbers, run in self._past]
        return tuple(self._start), self._given.copy(), t, tuple(begin), self._numbers.copy(), past

    def _begin_as(self, begin: tuple) -> None:
        start, given, t, own, numbers, past = begin
        self._start, self._given = GoingOn(*start), given.copy()
        self._from, self._numbers = (t, GoingOn(*own)), numbers.copy()
        self._past = [(p, self._evaluated(p, run)) for p, run in past]

    def _evaluated(self, numbers: np.ndarray, run: PortableRun) -> Trajectory:
        """A run that has travelled, with these parameters."""
        return Trajectory(same_run(run).piece, self._parts.evaluator(numbers), complete=True)

    def _further(self) -> Any:
        return self._memory.changes()

    def _restore_further(self, further: Any) -> None:
        self._memory.restore_changes(further)
