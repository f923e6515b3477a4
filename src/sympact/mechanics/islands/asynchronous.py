"""A run of a model, island by island: each is integrated with steps of its own until two of them may meet.

The islands advance in windows, that which is least far first. A pair of islands is clear as long as bounds of the gap
exclude a contact along both motions. Where they do not, everything after the last clear time is discarded for the two,
and one island of both goes on from there: its run finds the impact, or finds that there is none. An island divides
again where the contacts that joined its parts are open and have had no event for a window (Mirtich, Timewarp rigid body
simulation, SIGGRAPH 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.loop.interrupt import HeldInterrupt
from sympact.integrate.loop.prepared_run import shown
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.mechanics.islands.approach import Approach
from sympact.mechanics.islands.coupling import DisjointSets
from sympact.mechanics.islands.island import Island
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.joined_output import End, JoinedOutput, Layout
from sympact.mechanics.islands.joined_run import JoinedRun
from sympact.mechanics.present.two_places import describe_two_places
from sympact.mechanics.run.compiled import CompiledModel
from sympact.mechanics.run.model_memory import Recall, give_back, take
from sympact.mechanics.run.model_run import ModelRun
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.simulation import compile_units, settled_at_start
from sympact.mechanics.start.assembly import consistent_start, numbers_at, units_have_norm_one
from sympact.mechanics.start.consistency import check_start
from sympact.mechanics.start.scale import Scale, scale_at

if TYPE_CHECKING:
    from sympact.mechanics.islands.islands import Islands

__all__ = ["Asynchronous"]

_WINDOWS = 32  # of the span: the first window of an island that may meet another one
_STEPS = 40  # of a window, about: longer ones are discarded more often, shorter ones begin more often
_GROWTH = 4.0  # the most by which a window, or its number of steps, changes


@dataclass(eq=False)
class _Group:
    """An island on its way.

    Attributes
    ----------
    island : Island
    t, x : float, array
        The end of its runs, and the state there.
    window : float
        Of the next run (s); infinite where it meets no other one.
    parts : list of IslandRun
        In the order of time; the first begins where the island came into being.
    over : ModelRun or None
        Its last run, where that ended early.
    length : float
        The model length that was measured along its motion so far (m).
    """

    island: Island
    t: float
    x: np.ndarray
    window: float
    parts: list[IslandRun] = field(default_factory=list)
    over: ModelRun | None = None
    length: float = 0.0

    @property
    def components(self) -> tuple[int, ...]:
        """Those of the island."""
        return tuple(self.island.components.tolist())

    def at(self, t: float) -> IslandRun:
        """The run that contains a time."""
        return next((part for part in self.parts if t < part.end), self.parts[-1])


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
        self._attempts, self._interrupted = 0, False

    def run(self, compiled: CompiledModel, progress: bool) -> JoinedRun:
        """The run of the model as the user wrote it, `compiled`."""
        compile_units(self._running, self._asked, self._signals)
        t_start, t_end = self._asked.t_span
        for components in self._islands.members:
            meets = self._islands.approaches_of(components)
            self._begin(components, t_start, self._asked.x0, (t_end - t_start) / _WINDOWS if meets else inf)
        self._clear = {one.contact: t_start for one in self._islands.approaches}
        with shown(self._asked.t_span, progress) as show:
            last = self._interruptible(lambda: show(*self._progress()))
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
            if not group.parts:  # what is interrupted has every state, if only for a step
                self._integrate(group, self._asked.t_span[1], steps=1)
        return min(self._members(), key=lambda group: group.t)

    def _ended(self) -> bool:
        """Whether all islands have reached the end, or one that is least far an early end."""
        last = min(self._members(), key=lambda group: group.t)
        if last.over is not None and last.over.status is Status.INTERRUPTED:
            self._interrupted = True
        meets = min(self._meeting.values(), default=inf) <= last.t
        done = not meets and (last.t >= self._asked.t_span[1] or last.over is not None)
        return done or self._interrupted or self._events() >= self._asked.max_events

    def _events(self) -> int:
        """The number of events up to the time that all islands have reached."""
        parts = [part for group in self._members() for part in group.parts]
        if sum(len(part.run.event_t) for part in (*self._past, *parts)) < self._asked.max_events:
            return 0
        t = min(group.t for group in self._members())
        return sum(int((part.run.event_t[part.events] <= t).sum()) for part in (*self._past, *parts))

    def _progress(self) -> tuple[float, int]:
        """The time that all islands have reached, and the number of events."""
        parts = [part for group in self._members() for part in group.parts]
        return min(group.t for group in self._members()), sum(len(part.run.event_t) for part in (*self._past, *parts))

    def _advance(self) -> None:
        """Join the islands that meet first, or advance that which is least far.

        Ctrl-C is deferred while it is changed which islands there are.
        """
        with HeldInterrupt(lambda: None):
            last = min(self._members(), key=lambda group: group.t)
            meeting = min(self._meeting, key=self._meeting.__getitem__, default=None)
            if meeting is not None and self._meeting[meeting] <= last.t:
                groups = [self._merged(meeting, self._meeting[meeting])]
            else:
                groups = self._divided(last)
        for group in groups:
            self._integrate(group, self._asked.t_span[1])
            with HeldInterrupt(lambda: None):
                self._check(group)

    def _members(self) -> Iterable[_Group]:
        """The islands on their way, each once, in the order of their first components."""
        return dict.fromkeys(self._groups[one] for one in sorted(self._groups))

    def _begin(
        self, components: tuple[int, ...], t: float, x: np.ndarray, window: float, length: float = 0.0
    ) -> _Group:
        """An island that begins at a state of the whole model."""
        island = self._islands.island(components)
        group = _Group(island, t, x[island.states], window, length=length)
        for one in components:
            self._groups[one] = group
        return group

    def _integrate(self, group: _Group, t_end: float, steps: float = inf) -> None:
        """The next run of an island, over its window, of at most some steps."""
        island, asked = group.island, self._asked
        end = min(group.t + group.window, t_end)
        if t_end - end < 0.5 * group.window:
            end = t_end
        compiled, signals, p = island.compiled, self._signals, island.parameters(self._p).copy()
        settings = island.settings(asked).at((group.t, end), np.ascontiguousarray(group.x))
        left = inf if asked.max_steps is None else max(1, asked.max_steps - self._attempts)
        most = min(steps, _GROWTH * _STEPS if group.window < inf else inf)
        if min(left, most) < inf:
            settings = replace(settings, max_steps=int(min(left, most)))
        (t, _), x = settings.t_span, settings.x0
        slopes = settled_at_start(compiled, t, x, p, None) if compiled.model.derivation.switches else ()
        memory = take(compiled, signals)
        scale = memory.scale(p, settings)
        if scale is None:
            scale = self._resumed(compiled, settings, p) if t > asked.t_span[0] else island.scale(self._checked())
        if scale.measured:
            scale = replace(scale, length=max(scale.length, group.length))
        memory.begin(p, scale.length, scale.grains)
        output = memory.run(settings, scale, slopes, signals, progress=False)
        run = ModelRun(compiled, output, memory, p, scale, None)
        output.lend = Recall(memory, p, run.length, scale.grains, signals)
        if output.status is not Status.NOT_FINITE:
            run.describe(memory, compiled)
        give_back(memory)
        group.parts.append(IslandRun(island, run, float(run.t[-1]), resumed=t > asked.t_span[0]))
        group.t, group.x, group.length = float(run.t[-1]), run.x[-1], run.length
        self._attempts += run.record.counts["steps"] + run.record.counts["rejected"] if asked.max_steps else 0
        group.window *= min(max(_STEPS / max(len(run.t) - 1, 1), 1.0 / _GROWTH), _GROWTH)
        ends_window = output.status is Status.MAX_STEPS and most < left
        if output.status is not Status.FINISHED and not ends_window:
            group.over = run

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
                parts = {one: own.at(a) for one, own in groups.items()}
                b = min(until, *(part.end for part in parts.values()))
                clear = approach.clear_until(parts, a, b, self._p)
                self._clear[approach.contact] = clear
                if clear < b:
                    self._meeting[approach.contact] = clear
                    break

    def _merged(self, contact: int, t: float) -> _Group:
        """The islands that a contact may connect after a time go on as one from there."""
        approach = self._islands.approach(contact)
        assert approach is not None, "a meeting is one of a contact between islands"
        both = list(dict.fromkeys(self._groups[one] for one in approach.components))
        x = np.zeros(len(self._asked.x0))
        for group in both:
            x[group.island.states] = self._cut(group, t)
        components = tuple(sorted(one for group in both for one in group.components))
        length = max(group.length for group in both)
        self._forget(components, t)
        return self._begin(components, t, x, min(group.window for group in both), length)

    def _cut(self, group: _Group, t: float) -> np.ndarray:
        """End the runs of an island at a time; returns its state there."""
        kept = [part for part in group.parts if part.begin < t]
        at = group.at(t)
        x = at.run.interpolant(np.array([t]))[0]
        self._past += [part if part.end <= t else part.ended_at(t) for part in kept]
        return x

    def _forget(self, components: Sequence[int], t: float) -> None:
        """What was found of the contacts of these components beyond a time no longer counts."""
        for approach in self._islands.approaches_of(components):
            self._clear[approach.contact] = min(self._clear[approach.contact], t)
            self._meeting.pop(approach.contact, None)

    def _divided(self, group: _Group) -> list[_Group]:
        """The island, or its parts where no contact connects them any more."""
        if len(group.island.components) == 1 or not group.parts:
            return [group]
        whole, last = np.zeros(len(self._asked.x0)), group.parts[-1]
        whole[group.island.states] = group.x
        sets = DisjointSets(len(self._islands.coupling.states))
        for members in self._islands.members:
            if set(members) <= set(group.components):
                sets.join(members)
        for k, contact in enumerate(group.island.members.contacts):
            approach = self._islands.approach(contact)
            if approach is not None and self._connects(group, last, k, approach, whole):
                sets.join(approach.components)
        parts = [part for part in sets.members() if self._groups.get(part[0]) is group]
        if len(parts) == 1:
            return [group]
        self._past += group.parts
        self._forget(group.components, group.t)
        for approach in self._islands.approaches_of(group.components):
            if set(approach.components) <= set(group.components):
                self._clear[approach.contact] = group.t
        return [self._begin(part, group.t, whole, group.window, group.length) for part in parts]

    def _connects(self, group: _Group, last: IslandRun, k: int, approach: Approach, x: np.ndarray) -> bool:
        """Whether a contact keeps the parts of an island together after a window."""
        mode = last.run.modes.table[last.record.stage[-1]]
        if mode[1 + k] != 0 or last.record.event_fired[:, k].any():
            return True
        gap, rate = approach.rate_at(group.t, x, self._p)
        return not gap > 0.0 or rate * group.window < -gap

    def _checked(self) -> Scale:
        """The scale of the whole model, after a check of its start with a sentence for each fault."""
        if self._whole is None:
            asked = self._asked
            (t, _), x = asked.t_span, asked.x0
            self._whole = check_start(self._running, t, x, self._p, self._signals, rtol=asked.rtol, atol=asked.atol)
        return self._whole

    def _resumed(self, compiled: CompiledModel, settings: Settings, p: np.ndarray) -> Scale:
        """The scale of an island that goes on."""
        (t, _), x, length = settings.t_span, settings.x0, compiled.length_of(p)
        along = compiled.boundary(t, x, p, compiled.raw("flow", t, x, p)).reshape(3, -1)
        return scale_at(compiled, t, x, p, along, length=length, rtol=settings.rtol, atol=settings.atol)

    def _on_constraints(self, asked: Settings, consistent: str) -> Settings:
        """The settings with the start on the constraints."""
        running, (t, _), x = self._running, asked.t_span, asked.x0
        if not running.constrained or not units_have_norm_one(running.model, x):
            return asked
        numbers = numbers_at(running, t, self._p, self._signals)
        return asked.at(asked.t_span, consistent_start(running, t, x, numbers, consistent))

    def _joined(self, compiled: CompiledModel, last: _Group) -> JoinedRun:
        """The runs of the islands as one, up to that which ended first, or to the last event permitted."""
        parts, reason = self._until(last.t), self._end(last)
        when = np.sort(np.concatenate([part.run.event_t[part.events] for part in parts]))
        if len(when) >= self._asked.max_events:
            parts, reason = self._until(float(when[self._asked.max_events - 1])), End(Status.MAX_EVENTS)
        for part in parts:
            part.run.warn()
        model, running = self._running.model, self._running
        layout = Layout(
            running.state_names,
            running.contact_names,
            tuple(switch.names for switch in model.derivation.switches),
            len(self._islands.coupling.states),
            running.has_friction,
        )
        output = JoinedOutput(parts, layout, self._asked, reason, {"islands": len(self._islands)})
        change, rows = self._asked.x0 - self._given.x0, len(model.derivation.constraints)
        return JoinedRun(compiled, running, output, parts, self._p, self._signals, rows, change)

    def _until(self, end: float) -> list[IslandRun]:
        """The runs up to a time, in the order of their beginnings."""
        parts = [part for part in self._past if part.begin < end]
        for group in self._members():
            parts += [part for part in group.parts if part.begin <= end]
        cut = [part.ended_at(end, last=True) if part.end >= end else part for part in parts]
        return sorted(cut, key=lambda part: (part.begin, part.island.members.states))

    def _end(self, last: _Group) -> End:
        """The reason for the end, with the details of the island that ended first."""
        if self._interrupted:
            return End(Status.INTERRUPTED)
        if last.over is None:
            return End(Status.FINISHED)
        record, status = last.over.record, last.over.status
        if status is not Status.NOT_FINITE:
            return End(status, record.detail, record.infeasibility)
        x = np.concatenate([group.x for group in self._members()])
        where = np.concatenate([group.island.states for group in self._members()])
        x = x[np.argsort(where)]
        told = describe_two_places(self._running.model.derivation, self._running.contact_names, last.t, x, self._p)
        return End(status, told or record.detail)
