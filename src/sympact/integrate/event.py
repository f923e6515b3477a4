"""The events of a run: what happened, when, between which stages, with both sides of the jump."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from sympact.integrate.program import Program
from sympact.integrate.record import Record

__all__ = ["Event", "EventKind", "Events"]


class EventKind(StrEnum):
    """What an event is; each compares equal to its own word, ``event.kind == "impact"``."""

    TRANSITION = "transition"
    IMPACT = "impact"
    CLOSE = "close"
    OPEN = "open"
    STICK = "stick"
    SLIP = "slip"
    ACCUMULATION = "accumulation"
    TIME = "time"
    STOP = "stop"
    SWITCH = "switch"


_SWITCH = tuple(EventKind).index(EventKind.SWITCH)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One event of a run.

    Parameters
    ----------
    t : float
        When it happened (s).
    kind : EventKind
        What it was.
    contacts : tuple of str
        Who took part: the contacts, or the transition of a plain process; and the conditions of the flow that changed
        their branch, such as "x > 0".
    x_minus, x_plus : array, shape (n_states,)
        The state just before and just after; read-only.
    impulse : array, shape (len(contacts),)
        The impulse of each contact in the same order (N s); NaN for conditions and in a plain process, which have none.
    source, target : str
        The stages before and after.
    energy : float
        The change of energy by the contacts' own measure (J); NaN in a plain process.
    window : float
        The time within which contacts count as simultaneous (s).
    nearest : float
        The time to touch of the nearest contact that was left out (s).
    """

    t: float
    kind: EventKind
    contacts: tuple[str, ...]
    x_minus: np.ndarray
    x_plus: np.ndarray
    impulse: np.ndarray
    source: str
    target: str
    energy: float
    window: float
    nearest: float


class Events(Sequence):
    """The events of a run in the order of time; each `Event` is made when it is asked for, and ``print`` shows a table.

    Parameters
    ----------
    record : Record
        The numbers of the run.
    program : Program
        The names of the stages and boundaries.
    kind : callable
        ``kind(source, target)`` tells what an event between two stages, given by their indices, is.
    """

    __slots__ = ("_kind", "_program", "_record")

    def __init__(self, record: Record, program: Program, kind: Callable[[int, int], EventKind]):
        self._record = record
        self._program = program
        self._kind = kind

    def __len__(self) -> int:
        return len(self._record.event_t)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self._event(k) for k in range(*index.indices(len(self))))
        position = operator.index(index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"there is no event {position}; the run has {len(self)} events")
        return self._event(position % len(self))

    @property
    def t(self) -> np.ndarray:
        """The times of all events, shape (n_events,) (s)."""
        return _read_only(self._record.event_t)

    def kinds(self) -> list[EventKind]:
        """What each event was, without making the events."""
        record = self._record
        rows = zip(record.event_kind.tolist(), record.event_source.tolist(), record.event_target.tolist(), strict=True)
        known: dict[tuple[int, int, int], EventKind] = {}
        return [known.get(row) or known.setdefault(row, self._kind_of(*row)) for row in rows]

    def _kind_of(self, place: int, source: int, target: int) -> EventKind:
        """A change of branches by what the record says, anything else by its stages."""
        return EventKind.SWITCH if place == _SWITCH else self._kind(source, target)

    def table(self, max_rows: int = 40) -> str:
        """The events as an aligned table of text; beyond `max_rows` rows the middle is left out and counted."""
        n = len(self)
        if n <= max_rows:
            return _aligned([_cells(event) for event in self], "")
        head, tail = (max_rows + 1) // 2, max_rows // 2
        shown = [*self[:head], *self[n - tail :]]
        return _aligned([_cells(event) for event in shown], f"... {n - max_rows} more events ...", head)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{len(self)} events; print them for a table>"

    def _event(self, k: int) -> Event:
        record, stages = self._record, self._program.stages
        source, target = int(record.event_source[k]), int(record.event_target[k])
        kind = self._kind_of(int(record.event_kind[k]), source, target)
        names = stages[source].boundary_names
        nc = len(names) - len(stages[source].switch_names)
        took_part = np.flatnonzero(record.event_fired[k, : len(names)])
        sample = int(record.event_sample[k])
        mechanical = kind not in (EventKind.TRANSITION, EventKind.SWITCH)
        return Event(
            t=float(record.event_t[k]),
            kind=kind,
            contacts=tuple(names[i] for i in took_part),
            x_minus=_read_only(record.x[sample]),
            x_plus=_read_only(record.x[sample + 1]),
            impulse=_read_only(np.where(mechanical & (took_part < nc), record.event_impulse[k, took_part], math.nan)),
            source=stages[source].name,
            target=stages[target].name,
            energy=float(record.event_energy[k]) if mechanical else math.nan,
            window=float(record.event_window[k]),
            nearest=float(record.event_nearest[k]),
        )


_HEADINGS = ("t", "kind", "contacts", "stages", "impulse (N s)", "energy (J)")


def _cells(event: Event) -> tuple[str, ...]:
    stages = event.source if event.source == event.target else f"{event.source} -> {event.target}"
    contacts = ", ".join(event.contacts)
    impulse = ", ".join(f"{value:.6g}" for value in event.impulse if not math.isnan(value))
    energy = "" if math.isnan(event.energy) else f"{event.energy:.6g}"
    return f"{event.t:.12g}", str(event.kind), "" if contacts == stages else contacts, stages, impulse, energy


def _aligned(rows: list[tuple[str, ...]], gap: str, gap_at: int = 0) -> str:
    """Rows under their headings; columns without any entry are left out, the line `gap` stands before row `gap_at`."""
    if not rows:
        return "no events"
    columns = [(heading, *column) for heading, column in zip(_HEADINGS, zip(*rows, strict=True), strict=True)]
    columns = [column for column in columns if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in zip(*columns, strict=True)
    ]
    if gap:
        lines.insert(1 + gap_at, gap)
    return "\n".join(lines)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
