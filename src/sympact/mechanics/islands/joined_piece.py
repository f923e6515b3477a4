"""The pieces of islands that were integrated one by one, as one piece beside each other, made on first access."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.event_numbers import numbers_table
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.steppers.interpolation import Segments, nested_basis
from sympact.integrate.trajectory.mode_names import Lend, Modes
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.islands.island_run import IslandRun
from sympact.mechanics.islands.joined_rows import JoinedRows
from sympact.native.cached import cached_property

__all__ = ["End", "JoinedInterpolant", "JoinedPiece", "Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The numbers of states, contacts, conditions and components of the model, and its names.

    Attributes
    ----------
    state_names, contact_names : tuple of str
    switch_names : tuple of (str, str)
    components : int
        The states that depend on each other without contacts: the least islands.
    friction : bool
        Whether any contact may have friction.
    """

    state_names: tuple[str, ...]
    contact_names: tuple[str, ...]
    switch_names: tuple[tuple[str, str], ...]
    components: int
    friction: bool

    @property
    def statuses(self) -> int:
        """The number of statuses in a mode: those of the contacts, and whether all is at rest."""
        return len(self.contact_names) + 1 if self.contact_names or self.switch_names else 0

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of a run by their names; without addresses."""

        def stage(name: str) -> Stage:
            return Stage(
                name,
                0,
                boundary_names=(*self.contact_names, *(names[0] for names in self.switch_names)),
                contacts=len(self.contact_names),
                statuses=(0, self.statuses),
                switches=(0, len(self.switch_names)),
                switch_names=self.switch_names,
            )

        return stage("free"), stage("closed")


@dataclass(frozen=True, slots=True)
class End:
    """The end of a run, see `Record`."""

    status: Status
    detail: str = ""
    infeasibility: object = None
    t_inf: float = float("nan")
    t_inf_error: float = float("nan")


class JoinedPiece:
    """The runs of islands as one piece, see `Piece`.

    Parameters
    ----------
    parts : sequence of IslandRun
        Together they contain every state at every time of the run.
    layout : Layout
    settings : Settings
        Those of the model.
    end : End
    told : mapping
        Further entries of the settings.
    """

    def __init__(
        self,
        parts: Sequence[IslandRun],
        layout: Layout,
        settings: Settings,
        end: End,
        told: dict[str, object],
    ) -> None:
        self.settings, self.status, self._end = settings, end.status, end
        self.lend: Lend | None = None
        self._parts, self._layout, self._told = tuple(parts), layout, told

    @cached_property
    def rows(self) -> JoinedRows:
        """The rows of the run."""
        return JoinedRows(self._parts)

    @property
    def method(self) -> str:
        """The method of integration."""
        return self.settings.method

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self.rows.t

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self.rows.event_t

    @cached_property
    def x(self) -> np.ndarray:
        """The states at the samples, shape (m, n_states)."""
        joined = self.rows
        x = np.empty((len(joined.t), len(self._layout.state_names)))
        for k, part in enumerate(self._parts):
            rows, samples, exact = joined.samples_of(k)
            own = part.run.x[samples]
            if not exact.all():
                own[~exact] = part.between(joined.t[rows[~exact]], part.record.stage[samples[~exact]])
            x[np.ix_(rows, part.island.states)] = own
        return x

    @cached_property
    def _coded(self) -> np.ndarray:
        """For each row and component the island's run and its mode as one number, shape (m, components)."""
        joined, codes, first = self.rows, np.zeros((len(self.rows.t), self._layout.components), dtype=int), 0
        for k, part in enumerate(self._parts):
            rows, samples, _ = joined.samples_of(k)
            stage = part.record.stage
            codes[np.ix_(rows, part.island.components)] = (first + stage[samples])[:, np.newaxis]
            first += len(part.run.piece.modes.table)
        return codes

    @cached_property
    def _numbered(self) -> tuple[np.ndarray, np.ndarray]:
        """The first row in each mode, in the order of their first visits; the mode of each row."""
        _, first, mode = np.unique(self._coded, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return first[order], rank[mode.reshape(-1)]

    def islands_in(self, stage: np.ndarray) -> Iterator[tuple[IslandRun, np.ndarray, np.ndarray]]:
        """Each island's run, with the indices of the modes in `stage` that belong to it, and its own modes there."""
        coded, first = self._coded[self._numbered[0]][stage], 0
        for part in self._parts:
            own = coded[:, part.island.components[0]] - first
            there = np.flatnonzero((own >= 0) & (own < len(part.run.piece.modes.table)))
            yield part, there, own[there]
            first += len(part.run.piece.modes.table)

    @cached_property
    def modes(self) -> Modes:
        """The modes of the run."""
        program = Program(self._layout.stages, self._layout.state_names)
        if not self._layout.statuses:
            return Modes(Program(program.stages[:1], program.state_names), None, self.lend)
        return Modes(program, self._mode_table(), self.lend)

    def _mode_table(self) -> np.ndarray:
        """The stage, the statuses and the switches of each mode."""
        layout, count, n = self._layout, len(self._numbered[0]), len(self._layout.contact_names)
        table = np.zeros((count, 1 + layout.statuses + len(layout.switch_names)), dtype=np.int64)
        resting = np.ones(count, dtype=bool)
        for part, there, modes in self.islands_in(np.arange(count)):
            rows, island, width = part.run.piece.modes.table[modes], part.island, len(part.island.contacts)
            if rows.shape[1] > 1:
                table[there, 0] = np.maximum(table[there, 0], rows[:, 0])
                table[np.ix_(there, 1 + island.contacts)] = rows[:, 1 : 1 + width]
                table[np.ix_(there, 1 + layout.statuses + island.switches)] = rows[:, 2 + width :]
                resting[there] &= rows[:, 1 + width] == 1
            else:
                resting[there] = False
        table[:, 1 + n] = resting
        return table

    @cached_property
    def program(self) -> Program:
        """The program with a stage for each mode."""
        return self.modes.named()

    @cached_property
    def record(self) -> Record:
        """The samples and events, the end and the settings."""
        joined, mode = self.rows, self._numbered[1]
        rows = joined.event_rows
        events = self._events(mode[rows + 1])
        counts = Counter[str]()
        for part in self._parts:
            counts.update(part.record.counts)
        last = self._parts[0].record
        return Record(
            t=joined.t,
            x=self.x,
            h=joined.h,
            stage=mode,
            event_t=joined.event_t,
            event_sample=rows,
            event_source=mode[rows],
            event_target=mode[rows + 1],
            status=self.status,
            counts=dict(counts),
            settings=self.settings.asked() | {"engine": last.settings["engine"]} | self._told,
            detail=self._end.detail,
            infeasibility=self._end.infeasibility,
            t_inf=self._end.t_inf,
            t_inf_error=self._end.t_inf_error,
            warnings=tuple(warning for part in self._parts for warning in part.record.warnings),
            **events,
        )

    def _events(self, target: np.ndarray) -> dict[str, np.ndarray]:
        """The columns of the events, in the numbers of the model."""
        joined, layout = self.rows, self._layout
        k, nc, ns = len(joined.event_t), len(layout.contact_names), len(layout.switch_names)
        fired, impulse = np.zeros((k, nc + ns), dtype=bool), np.zeros((k, nc + ns))
        friction = np.zeros((k, nc if layout.friction else 0, 3))
        kind, numbers = np.zeros(k, dtype=np.int64), numbers_table(NUMBERS, k, lambda one: np.nan)
        if ns:
            signs = self.modes.table[target, 1 + layout.statuses :]
            impulse[:, nc:] = np.where(signs == 1, 1.0, -1.0)
        for f, part in enumerate(self._parts):
            into = np.flatnonzero(joined.event_part == f)
            if not into.size:
                continue
            record, island, own = part.record, part.island, joined.event_place[joined.event_part == f]
            boundaries = np.concatenate([island.contacts, nc + island.switches])
            fired[np.ix_(into, boundaries)] = record.event_fired[own]
            impulse[np.ix_(into, island.contacts)] = record.event_impulse[own][:, : len(island.contacts)]
            if record.event_friction.shape[1]:
                friction[np.ix_(into, island.contacts)] = record.event_friction[own]
            kind[into], numbers[into] = record.event_kind[own], record.event_numbers[own]
        return {
            "event_fired": fired,
            "event_impulse": impulse,
            "event_friction": friction,
            "event_kind": kind,
            "event_numbers": numbers,
        }

    @cached_property
    def interpolant(self) -> JoinedInterpolant:
        """The state between the samples."""
        return JoinedInterpolant(self._parts, self)


@dataclass(frozen=True, eq=False)
class JoinedInterpolant:
    """The state of a run at any time: its samples at their times, the polynomials of the islands between.

    Attributes
    ----------
    parts : tuple of IslandRun
    output : JoinedPiece
    """

    parts: tuple[IslandRun, ...]
    output: JoinedPiece
    _built: list[Segments] = field(default_factory=list, repr=False)

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t` (all within the run), shape (len(t), n), as of `StoredInterpolant`."""
        samples = self.output.t
        nearest = np.clip(np.searchsorted(samples, t, side=side) - (side == "right"), 0, len(samples) - 1)
        x = self.output.x[nearest]
        between = np.flatnonzero(samples[nearest] != t)
        if between.size:
            x[between] = self._between(t[between])
        return x

    def _between(self, t: np.ndarray) -> np.ndarray:
        """The states on the polynomials."""
        x = np.empty((len(t), self.output.x.shape[1]))
        for part in self.parts:
            there = np.flatnonzero(part.covers(t))
            if there.size:
                x[np.ix_(there, part.island.states)] = part.run.interpolant(t[there])
        return x

    def segments(self) -> Segments:
        """The polynomials of the islands, each divided at the samples of all."""
        if not self._built:
            self._built.append(self._divided())
        return self._built[0]

    def _divided(self) -> Segments:
        times = self.output.rows.times
        t0, h = times[:-1], np.diff(times)
        degree = max(part.run.interpolant.segments().coefficients.shape[1] for part in self.parts)
        places, to_rows = nested_basis(degree)
        inside = t0[:, np.newaxis] + places[:-1] * h[:, np.newaxis]
        x0, ends = self(t0), self(times[1:], "left")
        between = self._between(inside.ravel()).reshape(len(t0), degree - 1, x0.shape[1])
        values = np.concatenate([between, ends[:, np.newaxis]], axis=1) - x0[:, np.newaxis]
        return Segments(t0, h, x0, np.einsum("ij,kjn->kin", to_rows, values))
