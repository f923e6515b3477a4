"""A run of a model, island by island: each is integrated with steps of its own until two of them may meet.

The islands advance in windows, that which is least far first. A pair of islands is clear as long as bounds of the gap
exclude a contact along both motions. Where they do not, everything after the last clear time is discarded for the two,
and one island of both goes on from there: its run finds the impact, or finds that there is none. An island divides
again where the contacts that joined its parts are open and have had no event for a window (Mirtich, Timewarp rigid body
simulation, SIGGRAPH 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from sympact.integrate.loop.interrupt import HeldInterrupt
from sympact.integrate.loop.prepared_run import shown
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.islands.approach import Approach
from sympact.mechanics.islands.coupling import DisjointSets
from sympact.mechanics.islands.flight import Cut, Flight, resumed_scale
from sympact.mechanics.islands.island import Island
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.islands import Islands
from sympact.mechanics.islands.joined_evaluator import JoinedEvaluator
from sympact.mechanics.islands.joined_piece import End, JoinedPiece, Layout
from sympact.mechanics.present.two_places import describe_two_places
from sympact.mechanics.run.ended_model import EndedModel
from sympact.mechanics.run.preparation import compile_units
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.start.assembly import numbers_at
from sympact.mechanics.start.consistency import check_start
from sympact.mechanics.start.projected_start import consistent_start, units_have_norm_one
from sympact.mechanics.start.scale import Scale

__all__ = ["Asynchronous", "run_islands"]

_WINDOWS = 32  # of the span: the first window of an island that may meet another one
_UNDIVIDED = 500  # steps: shorter runs cost less with one step for all
_CLOSED = 6  # contacts: where fewer are closed, a step of all costs less than to divide and join islands
_LARGEST = 12  # components: to derive a larger island takes longer than hundreds of steps of all of them
_STEPS = 40  # of a window, about: longer ones are discarded more often, shorter ones begin more often
_GROWTH = 4.0  # the most by which a window, or its number of steps, changes


@dataclass(eq=False)
class _Group:
    """An island on its way.

    Attributes
    ----------
    island : Island
    flight : Flight
        Its run.
    window : float
        Of its next part (s); infinite where it meets no other one.
    """

    island: Island
    flight: Flight
    window: float

    @property
    def t(self) -> float:
        """The time that it has reached (s)."""
        return self.flight.t

    @property
    def over(self) -> Status | None:
        """The reason for an early end."""
        return self.flight.over

    def contains(self, approach: Approach) -> bool:
        """Whether a contact is within the island."""
        return set(approach.components) <= set(self.components)

    @property
    def components(self) -> tuple[int, ...]:
        """Those of the island."""
        return tuple(self.island.components.tolist())


class Asynchronous:
    """One run of a model whose states are several islands.

    Parameters
    ----------
    islands : Islands
    running : CompiledModel
        The model with its inputs.
    asked : Settings
    p : array
        As ``running.all_parameters`` gives it.
    signals : Signals, optional
        The inputs.
    consistent : "project" or "refuse"
    """

    def __init__(
        self,
        islands: Islands,
        running: CompiledModel,
        asked: Settings,
        p: np.ndarray,
        signals: Signals | None,
        consistent: str,
    ) -> None:
        self._islands, self._running, self._signals, self._p = islands, running, signals, p
        self._given, self._asked = asked, self._on_constraints(asked, consistent)
        self._whole: Scale | None = None
        self._groups: dict[int, _Group] = {}
        self._past: list[IslandRun] = []
        self._clear: dict[int, float] = {}
        self._meeting: dict[int, float] = {}
        self._attempts, self._interrupted, self._most = 0, False, len(islands.members)
        self._flying: Flight | None = None

    def run(self, compiled: CompiledModel, progress: bool) -> EndedModel:
        """The run of the model as the user wrote it, `compiled`."""
        compile_units(self._running, self._asked, self._signals)
        for components in self._islands.members:
            self._begin(components, inf)
        with shown(self._asked.t_span, progress) as show:
            last = self._interruptible(lambda: show(*self._progress()))
        if len(self._islands.members) == 1 and not self._past:
            return last.flight.alone(compiled, self._signals, self._asked.x0 - self._given.x0)
        return self._joined(compiled, last)

    def _interruptible(self, show: Callable[[], None]) -> _Group:
        """Advance all islands to the end, or until Ctrl-C; returns that which is least far."""
        try:
            while not self._ended():
                self._advance()
                show()
        except KeyboardInterrupt:
            self._interrupted = True
        for group in self._members():
            if group.t == group.flight.begin:  # what is interrupted has every state, if only for a step
                group.flight.advance(self._asked.t_span[1], steps=1)
        return min(self._members(), key=lambda group: group.t)

    def _ended(self) -> bool:
        """Whether all islands have reached the end, or one that is least far an early end."""
        last = min(self._members(), key=lambda group: group.t)
        if last.over is Status.INTERRUPTED:
            self._interrupted = True
        done = self._certain() == last.t and (last.t >= self._asked.t_span[1] or last.over is not None)
        return done or self._interrupted or self._left() <= 0 or self._events() >= self._asked.max_events

    def _left(self) -> float:
        """How many steps may still be attempted."""
        return inf if self._asked.max_steps is None else self._asked.max_steps - self._attempts

    def _events(self) -> int:
        """The number of events that are certain."""
        if self._progress()[1] < self._asked.max_events:
            return 0
        t, times = self._certain(), [part.run.event_t for part in self._past]
        times += [group.flight.event_times for group in self._members()]
        return sum(int((when <= t).sum()) for when in times)

    def _certain(self) -> float:
        """The time up to which all islands are integrated, and do not meet."""
        return min(min(self._meeting.values(), default=inf), *(group.t for group in self._members()))

    def _progress(self) -> tuple[float, int]:
        """The time that all islands have reached, and the number of events."""
        flights = [group.flight for group in self._members()]
        past = sum(len(part.run.event_t) for part in self._past)
        return min(flight.t for flight in flights), past + sum(flight.events for flight in flights)

    def _advance(self) -> None:
        """Join the islands that meet first, or advance that which is least far.

        Ctrl-C is deferred until islands and their runs belong to each other.
        """
        last = min(self._members(), key=lambda group: group.t)
        if last.window == inf:
            self._undivided(last)
            return
        with HeldInterrupt(self._hasten):
            meeting = min(self._meeting, key=self._meeting.__getitem__, default=None)
            if meeting is not None and self._meeting[meeting] < last.t:
                groups = [self._merged(meeting, self._meeting[meeting])]
            else:
                groups = self._divided(last)
            for group in groups:
                self._integrate(group)
                self._check(group)

    def _undivided(self, group: _Group) -> None:
        """The run of components that contacts connect, all with one step: to its end, or a part of it."""
        divides = self._signals is None and self._islands.divides(group.components)
        self._attempts += group.flight.finish(self._left(), _UNDIVIDED if divides else inf)
        if group.flight.pauses and group.flight.closed >= _CLOSED:
            t_start, t_end = self._asked.t_span
            group.window = (t_end - t_start) / _WINDOWS
            for approach in self._islands.approaches_of(group.components):
                self._clear[approach.contact] = group.t

    def _hasten(self) -> None:
        """The run on its way pauses soon."""
        if self._flying is not None:
            self._flying.hasten()

    def _members(self) -> Iterable[_Group]:
        """The islands on their way, each once, in the order of their first components."""
        return dict.fromkeys(self._groups[one] for one in sorted(self._groups))

    def _begin(self, components: tuple[int, ...], window: float, before: Sequence[Cut] = ()) -> _Group:
        """An island that begins, at the start of the run or where others are cut."""
        island, asked = self._islands.island(components), self._asked
        t, x, scale = asked.t_span[0], asked.x0[self._islands.island(components).states], None
        if before and before[0].t > t:
            t, whole = before[0].t, np.zeros(len(asked.x0))
            for cut in before:
                whole[cut.flight.island.states] = cut.x
            x = whole[island.states]
            scale = resumed_scale(island, asked, t, x, self._p)
            if scale.measured:
                scale = replace(scale, length=max(scale.length, *(cut.flight.length for cut in before)))
        elif before:
            scale, before = self._checked(island), ()
        flight = Flight(island, asked, t, x, self._p, self._signals, self._checked, scale, before)
        group = _Group(island, flight, window)
        for one in components:
            self._groups[one] = group
        return group

    def _integrate(self, group: _Group) -> None:
        """The next part of the run of an island."""
        self._flying = group.flight
        steps = group.flight.advance(group.t + group.window, min(_GROWTH * _STEPS, self._left()))
        self._flying = None
        self._attempts += steps
        group.window *= min(max(_STEPS / max(steps, 1), 1.0 / _GROWTH), _GROWTH)

    def _check(self, group: _Group) -> None:
        """Check the contacts of an island with others as far as both are integrated."""
        for approach in self._islands.approaches_of(group.components):
            groups = {one: self._groups[one] for one in approach.components}
            both = dict.fromkeys(groups.values())
            if len(both) == 1 or approach.contact in self._meeting:
                continue
            until = min(one.t for one in both)
            while self._clear[approach.contact] < until:
                a = self._clear[approach.contact]
                windows = {one: own.flight.at(a) for one, own in groups.items()}
                b = min(until, *(window.end for window in windows.values()))
                clear = approach.clear_until(windows, a, b, self._p)
                self._clear[approach.contact] = clear
                if clear < b:
                    self._meeting[approach.contact] = clear
                    break
        certain = min((self._clear[one.contact] for one in self._between()), default=group.t)
        for one in self._members():
            one.flight.settle(min(certain, one.t))

    def _between(self) -> Iterable[Approach]:
        """The contacts between islands that are not one at present."""
        for approach in self._islands.approaches:
            if approach.contact in self._clear and len({id(self._groups[one]) for one in approach.components}) > 1:
                yield approach

    def _merged(self, contact: int, t: float) -> _Group:
        """The islands that a contact may connect after a time go on as one from there.

        Where these have many components, all islands that may ever meet them do: the model itself has their equations.
        """
        approach = self._islands.approach(contact)
        assert approach is not None, "a meeting is one of a contact between islands"
        both = list(dict.fromkeys(self._groups[one] for one in approach.components))
        if sum(len(group.components) for group in both) > _LARGEST:
            members = next(one for one in self._islands.members if approach.components[0] in one)
            both = list(dict.fromkeys(self._groups[one] for one in members))
        t = self._between_events(both, t)
        components = tuple(sorted(one for group in both for one in group.components))
        cuts = [group.flight.cut(t) for group in both]
        merged = self._begin(components, min(group.window for group in both), cuts)
        self._end_flights(both, t)
        self._forget(components, t)
        return merged

    def _between_events(self, groups: Sequence[_Group], t: float) -> float:
        """A time at which none of the islands has an event: this one, or one between it and the samples before."""
        while any(group.flight.has_event(t) for group in groups):
            t = 0.5 * (t + max(group.flight.sample_before(t) for group in groups))
        return t

    def _end_flights(self, groups: Sequence[_Group], t: float) -> None:
        """The runs of islands up to a time are past."""
        self._past += [part for part in (group.flight.ended(t) for group in groups) if part is not None]

    def _forget(self, components: Sequence[int], t: float) -> None:
        """What was found of the contacts of these components beyond a time no longer counts."""
        for approach in self._islands.approaches_of(components):
            self._clear[approach.contact] = min(self._clear[approach.contact], t)
            self._meeting.pop(approach.contact, None)

    def _divided(self, group: _Group) -> list[_Group]:
        """The island, or its parts where no contact connects them any more."""
        flight = group.flight
        if len(group.island.components) == 1 or not flight.windows or flight.has_event(group.t):
            return [group]
        whole = np.zeros(len(self._asked.x0))
        whole[group.island.states] = flight.x
        sets = DisjointSets(len(self._islands.coupling.states))
        for members in self._islands.least:
            if set(members) <= set(group.components):
                sets.join(members)
        for k, contact in enumerate(group.island.members.contacts):
            approach = self._islands.approach(contact)
            if approach is not None and self._connects(group, k, approach, whole):
                sets.join(approach.components)
        parts = [part for part in sets.members() if self._groups.get(part[0]) is group]
        if len(parts) == 1 or max(map(len, parts)) > _LARGEST:
            return [group]
        self._forget(group.components, group.t)
        for approach in self._islands.approaches_of(group.components):
            if group.contains(approach):
                self._clear[approach.contact] = group.t
        cut = flight.cut(group.t)
        divided = [self._begin(part, group.window, [cut]) for part in parts]
        self._end_flights([group], group.t)
        self._most = max(self._most, len({id(one) for one in self._groups.values()}))
        return divided

    def _connects(self, group: _Group, k: int, approach: Approach, x: np.ndarray) -> bool:
        """Whether a contact keeps the parts of an island together after a window."""
        closed, last = group.flight.contact(k)
        if closed or last >= group.flight.windows[-1].begin:
            return True
        gap, rate = approach.rate_at(group.t, x, self._p)
        return not gap > 0.0 or rate * group.window < -gap

    def _checked(self, island: Island) -> Scale:
        """The scale of an island at the start, after a check of the whole with a sentence for each fault."""
        if self._whole is None:
            asked = self._asked
            (t, _), x = asked.t_span, asked.x0
            self._whole = check_start(self._running, t, x, self._p, self._signals, rtol=asked.rtol, atol=asked.atol)
        return island.scale(self._whole)

    def _on_constraints(self, asked: Settings, consistent: str) -> Settings:
        """The settings with the start on the constraints."""
        running, (t, _), x = self._running, asked.t_span, asked.x0
        if not running.constrained or not units_have_norm_one(running.model, x):
            return asked
        numbers = numbers_at(running, t, self._p, self._signals)
        start = consistent_start(running, t, x, numbers, consistent, asked.atol, keeps=True)  # islands call no Python
        return asked.at(asked.t_span, start)

    def _joined(self, compiled: CompiledModel, last: _Group) -> JoinedEvaluator:
        """The runs of the islands as one, up to that which ended first, or to the last event permitted."""
        state, t = self._state(), self._certain()
        ended = [group.flight.ended(t) for group in self._members()]
        runs = [*self._past, *(part for part in ended if part is not None)]
        parts, most = _until(runs, t), self._asked.max_events
        when = np.sort(np.concatenate([part.run.event_t[part.events] for part in parts]))
        if len(when) >= most:
            parts = _until(runs, float(when[most - 1]))
        for part in parts:
            part.model.warn()
        reason = End(Status.MAX_EVENTS) if len(when) >= most else self._end(last, ended, state)
        model, running = self._running.model, self._running
        layout = Layout(
            running.state_names,
            running.contact_names,
            tuple(switch.names for switch in model.derivation.switches),
            len(self._islands.coupling.states),
            running.has_friction,
        )
        piece = JoinedPiece(parts, layout, self._asked, reason, {"islands": self._most})
        change, rows = self._asked.x0 - self._given.x0, len(model.derivation.constraints)
        return JoinedEvaluator(compiled, running, piece, parts, self._p, self._signals, rows, change)

    def _state(self) -> np.ndarray:
        """The states of all islands, each at the time that it has reached."""
        x = np.empty(len(self._asked.x0))
        for group in self._members():
            x[group.island.states] = group.flight.x
        return x

    def _end(self, last: _Group, ended: Sequence[IslandRun | None], x: np.ndarray) -> End:
        """The reason for the end, with the details of the island that ended first."""
        if self._interrupted:
            return End(Status.INTERRUPTED)
        if self._left() <= 0:
            return End(Status.MAX_STEPS)
        if last.over is None:
            return End(Status.FINISHED)
        part = next(part for part in ended if part is not None and part.island is last.island)
        record, status = part.run.record, last.over
        if status is not Status.NOT_FINITE:
            return End(status, record.detail, record.infeasibility, record.t_inf, record.t_inf_error)
        told = describe_two_places(self._running.model.derivation, self._running.contact_names, last.t, x, self._p)
        return End(status, told or record.detail)


def _until(runs: Sequence[IslandRun], end: float) -> list[IslandRun]:
    """The runs up to a time, in the order of their beginnings."""
    cut = [part.ended_at(end, last=True) if part.end >= end else part for part in runs if part.begin <= end]
    return sorted(cut, key=lambda part: (part.begin, part.island.members.states))


def run_islands(
    islands: Islands,
    compiled: CompiledModel,
    asked: Settings,
    p: np.ndarray,
    signals: Signals | None,
    progress: bool,
    consistent: str,
) -> EndedModel:
    """A run of the model as the user wrote it, `compiled`, by the engine in force; see `run_compiled`."""
    running = islands.model.made(compile_model)
    return Asynchronous(islands, running, asked, p, signals, consistent).run(compiled, progress)
