"""The stages of a run as a graph: the time spent in each, and the number of each kind of event between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.history.listing import shortened
from sympact.integrate.history.run_view import RunView
from sympact.integrate.problem.stage import Stage
from sympact.integrate.trajectory.record import Record

if TYPE_CHECKING:
    import networkx


__all__ = ["modes"]

_LABEL_WIDTH = 32
"""Most characters of the names of the transitions of an edge."""


@dataclass(frozen=True, slots=True)
class _Arrow:
    """All events of one kind from one stage to another: their indices and participants."""

    kind: EventKind
    events: Sequence[int]
    contacts: tuple[str, ...]

    def label(self, ends: str) -> str:
        """The transitions' own names where they have some, else the kind; and the number of events."""
        named = self.kind is EventKind.TRANSITION and self.contacts and not self.contacts[0].startswith(ends)
        text = shortened(", ".join(self.contacts), _LABEL_WIDTH) if named else str(self.kind)
        return text if len(self.events) == 1 else f"{text} x {len(self.events)}"


def modes(result: RunView) -> networkx.MultiDiGraph:
    """The stages of a run and the events between them, with their numbers, as a directed multigraph.

    A node is the name of a stage, in the order of the first visits, with the attributes

    - ``visits``: the number of its visits, as `path` counts, the start included;
    - ``time``: the time that the run spent in it (s);
    - ``order``: 0 for the first stage visited, 1 for the next, ...

    All events of one kind from one stage to another, or within one, are one edge, with the attributes

    - ``kind``: their `EventKind`;
    - ``count``: their number;
    - ``contacts``: the participants of any of them, a sorted tuple of names;
    - ``name``: a short label such as ``impact x 12``;
    - ``jump``: True if any of them changed the state, else None.

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> thermostat = HybridSystem(
    ...     flows={"on": lambda t, x: [2.0], "off": lambda t, x: [-1.0]},
    ...     transitions=[
    ...         Transition("on", "off", boundary=lambda t, x: x[0] - 22.0),
    ...         Transition("off", "on", boundary=lambda t, x: 20.0 - x[0]),
    ...     ],
    ... )
    >>> modes = thermostat.simulate((0, 5), [21.0], start="on").modes
    >>> for stage, of in modes.nodes(data=True):
    ...     print(stage, of["visits"], round(of["time"], 9))
    on 2 1.5
    off 2 3.5
    >>> for source, target, of in modes.edges(data=True):
    ...     print(source, target, of["kind"], of["count"])
    on off transition 2
    off on transition 1
    """
    return _mode_graph(result._record, result._program.stages)


def _mode_graph(record: Record, stages: Sequence[Stage]) -> networkx.MultiDiGraph:
    """The same for the numbers of a run; stages of one name are one node."""
    import networkx

    graph = networkx.MultiDiGraph()
    names = [stage.name for stage in stages]
    met = [names[index] for index in (record.stage[0], *record.event_target)]
    visits = Counter(name for name, entered in zip(met, (True, *record.entering), strict=True) if entered)
    for order, (name, time) in enumerate(_times(record, met).items()):
        graph.add_node(name, visits=visits[name], time=time, order=order)
    for (source, target), arrow in _arrows(record, stages):
        graph.add_edge(
            source,
            target,
            kind=arrow.kind,
            count=len(arrow.events),
            contacts=arrow.contacts,
            name=arrow.label(f"{source} -> {target}"),
            jump=True if _jumps(record, arrow.events) else None,
        )
    return graph


def _times(record: Record, met: Sequence[str]) -> dict[str, float]:
    """The time that the run spent in each of the stages (s), in the order of their first visits."""
    changes = [float(record.t[0]), *record.event_t.tolist(), float(record.t[-1])]
    times = dict.fromkeys(met, 0.0)
    for name, (begin, end) in zip(met, pairwise(changes), strict=True):
        times[name] += end - begin
    return times


def _arrows(record: Record, stages: Sequence[Stage]) -> list[tuple[tuple[str, str], _Arrow]]:
    """The events grouped by source, target and kind, in the order of the first of each group."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    columns = (column.tolist() for column in (record.event_source, record.event_target, record.event_kind))
    for event, (source, target, kind) in enumerate(zip(*columns, strict=True)):
        groups.setdefault((stages[source].name, stages[target].name, kind), []).append(event)
    return [
        ((source, target), _Arrow(KINDS[kind], events, _took_part(record, events, stages)))
        for (source, target, kind), events in groups.items()
    ]


def _took_part(record: Record, events: Sequence[int], stages: Sequence[Stage]) -> tuple[str, ...]:
    """The names of the boundaries that take part in any of the events, which have one source, sorted."""
    names = stages[record.event_source[events[0]]].boundary_names
    fired = record.event_fired[events, : len(names)].any(axis=0)
    return tuple(sorted(name for name, one in zip(names, fired, strict=True) if one))


def _jumps(record: Record, events: Sequence[int]) -> bool:
    """Whether any of the events changed the state."""
    before = record.event_sample[events]
    return not np.array_equal(record.x[before], record.x[before + 1])
