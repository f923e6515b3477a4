"""The stages that a run met, as a graph: how long it was in each, and what led from one to another how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.event import KINDS, EventKind
from sympact.integrate.listing import shortened
from sympact.integrate.program import Stage
from sympact.integrate.record import Record

if TYPE_CHECKING:
    import networkx

__all__ = ["modes_graph", "times_spent"]

_LABEL_WIDTH = 32
"""Letters that the names of the transitions of an edge may take."""


@dataclass(frozen=True, slots=True)
class _Arrow:
    """All events of one kind from one stage to another: which they are, and who took part in any of them."""

    kind: EventKind
    events: Sequence[int]
    contacts: tuple[str, ...]

    def label(self, ends: str) -> str:
        """The transitions' own names where they have some, else the kind; and how often."""
        named = self.kind is EventKind.TRANSITION and self.contacts and not self.contacts[0].startswith(ends)
        text = shortened(", ".join(self.contacts), _LABEL_WIDTH) if named else str(self.kind)
        return text if len(self.events) == 1 else f"{text} x {len(self.events)}"


def modes_graph(record: Record, stages: Sequence[Stage]) -> networkx.MultiDiGraph:
    """The graph that `Result.modes` describes."""
    import networkx

    graph = networkx.MultiDiGraph()
    names = [stage.name for stage in stages]
    visits, times = _entered(record), times_spent(record)
    for order, index in enumerate(times):
        graph.add_node(names[index], visits=visits[index], time=times[index], order=order)
    for (source, target), arrow in _arrows(record, stages):
        graph.add_edge(
            names[source],
            names[target],
            kind=arrow.kind,
            count=len(arrow.events),
            contacts=arrow.contacts,
            name=arrow.label(f"{names[source]} -> {names[target]}"),
            jump=True if _jumps(record, arrow.events) else None,
        )
    return graph


def times_spent(record: Record) -> dict[int, float]:
    """How long the run was in each stage (s), by index, in the order in which they were first met."""
    changes = [float(record.t[0]), *record.event_t.tolist(), float(record.t[-1])]
    times: dict[int, float] = {}
    for index, (begin, end) in zip(
        [int(record.stage[0]), *record.event_target.tolist()], pairwise(changes), strict=True
    ):
        times[index] = times.get(index, 0.0) + (end - begin)
    return times


def _entered(record: Record) -> Counter[int]:
    """How often each stage was entered, as `Result.path` counts."""
    return Counter([int(record.stage[0]), *record.event_target[record.entering].tolist()])


def _arrows(record: Record, stages: Sequence[Stage]) -> list[tuple[tuple[int, int], _Arrow]]:
    """The events put together by source, target and kind, in the order in which each was first met."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    columns = record.event_source, record.event_target, record.event_kind
    for event, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        groups.setdefault(key, []).append(event)
    found = []
    for (source, target, kind), events in groups.items():
        names = stages[source].boundary_names
        took_part = np.flatnonzero(record.event_fired[events, : len(names)].any(axis=0))
        found.append(((source, target), _Arrow(KINDS[kind], events, tuple(sorted(names[i] for i in took_part)))))
    return found


def _jumps(record: Record, events: Sequence[int]) -> bool:
    """Whether any of the events changed the state."""
    before = record.event_sample[events]
    return not np.array_equal(record.x[before], record.x[before + 1])
