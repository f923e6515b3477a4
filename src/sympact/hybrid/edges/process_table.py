"""Stages in the form of the loop: their memory, which `edge_kernel` reads, and the `Stage` around it.

Boundaries and jumps have the signature of a flow, ``void(double t, const double *x, const void *data, double *out)``; a
boundary writes one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sympact.hybrid.edges.process_memory import EdgeMemory, ProcessMemory, SlideMemory
from sympact.integrate.problem.stage import Stage
from sympact.integrate.search.switch_table import SwitchData
from sympact.native.addresses import address_of
from sympact.native.kernel import Unit

__all__ = ["Code", "Edge", "Gaps", "Switches", "link_sliding", "stage"]

_EDGE = Unit("sympact.hybrid.edges.edge_kernel", "edge", "int64(float64, int64, int64, int64, int64, int64)")
_BOUNDARIES = Unit("sympact.hybrid.edges.edge_kernel", "boundaries", "void(float64, int64, int64, int64, int64)")
EDGE_UNITS = (_EDGE, _BOUNDARIES)
"""The functions that every process calls."""


@dataclass(frozen=True, slots=True)
class Code:
    """A function by address, with the address of its data."""

    address: int = 0
    data: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition by address; no boundary where the stage has a function for all of them, no jump for the identity.

    `switches` is the address of the table of the switches of the stage entered, `ticks` that of its clocks, and
    `restarts` that of a mark for each of them that begins.
    """

    name: str
    target: int
    boundary: Code = Code()
    jump: Code = Code()
    switches: int = 0
    ticks: int = 0
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class Gaps:
    """The function of all gaps of a stage; with `derivatives` also of their first and second rates along the flow."""

    code: Code
    derivatives: bool = False


@dataclass(frozen=True, slots=True)
class Switches:
    """The switches of a stage, and for each the relations that are true at +1 and at -1.

    The last ones may be conditions of the user's own, with their names.
    """

    data: SwitchData
    names: tuple[tuple[str, str], ...]


def stage(
    index: int,
    name: str,
    n_states: int,
    flow: Code,
    edges: Sequence[Edge],
    owner: object,
    gaps: Gaps | None = None,
    switches: Switches | None = None,
    *,
    project: int = 0,
    ends: Sequence[str] = (),
    present: tuple[int, ...] = (),
    clock: int = 0,
    ticks: int = 0,
) -> Stage:
    """The stage number `index` with its flow and the transitions that leave it.

    Parameters
    ----------
    gaps : Gaps, optional
        Without it the boundaries of the edges are called one by one.
    switches : Switches, optional
        Those of the stage; their boundaries follow those of the transitions and the `ends`.
    project : int
        Address of the projection onto the boundaries along which the stage slides.
    ends : sequence of str
        The names of the boundaries where such a sliding ends.
    present : tuple of int
        The states that the stage has; empty: all.
    clock : int
        Address of its `ClockMemory`.
    ticks : int
        Address of its `TickMemory`.
    owner : object
        Objects that must stay alive as long as the addresses are used; the stage keeps them.
    """
    scratch = np.empty(n_states)
    own, names = (0, ()) if switches is None else (switches.data.address, switches.names)
    place = address_of(scratch, "the scratch of a stage")
    table = np.zeros(ProcessMemory.n_slots + len(edges) * EdgeMemory.n_slots, dtype=np.int64)
    head = ProcessMemory(address_of(table, "the table of a stage"))
    head.n_states, head.n_transitions, head.stage, head.switches = n_states, len(edges), index, own
    head.n_leaves, head.ticks = len(ends), ticks
    ProcessMemory.scratch.place(head, place)
    for k, edge in enumerate(edges):
        _write(_edge(head, k), edge)
    boundary = gaps.code if gaps is not None else Code(_BOUNDARIES.address(), table.ctypes.data)
    return Stage(
        name=name,
        flow=flow.address,
        flow_data=flow.data,
        boundary=boundary.address,
        boundary_data=boundary.data,
        boundary_names=(*(edge.name for edge in edges), *ends, *(above for above, _ in names)),
        derivatives=gaps is not None and gaps.derivatives,
        transition=_EDGE.address(),
        transition_data=table.ctypes.data,
        switches=(0, 0) if switches is None else switches.data.place,
        switch_names=names,
        switch_table=own,
        watches=0 if switches is None else switches.data.watches,
        project=project,
        present=present,
        clock=clock,
        owner=(owner, table, scratch, switches),
    )


def link_sliding(kinds: Sequence[tuple[int, tuple[int, ...]]], stages: Sequence[Stage]) -> list[np.ndarray]:
    """Write, for each stage, which ones slide along its conditions, and where it goes on when its own sliding ends.

    Parameters
    ----------
    kinds : sequence of (int, tuple of int)
        For each stage the number of the one that does not slide, and the conditions along which it slides.
    stages : sequence of Stage

    Returns
    -------
    list of array
        The memory of the tables.
    """
    number, tables = {kind: i for i, kind in enumerate(kinds)}, []
    for (index, some), made in zip(kinds, stages, strict=True):
        head = ProcessMemory(made.transition_data)
        ends = [number.get((index, tuple(j for j in some if j != i)), -1) for i in some]
        begins = [number.get((index, tuple(sorted({*some, i}))), -1) for i in range(len(made.switch_names))]
        begins = [-1 if i in some else target for i, target in enumerate(begins)]
        for targets, places, field in ((ends, some, "leaves"), (begins, range(len(begins)), "slides")):
            if any(target >= 0 for target in targets):
                tables.append(_slide_table(targets, places, stages))
                setattr(head, field, address_of(tables[-1], "the sliding of a stage"))
    for made in stages:
        head = ProcessMemory(made.transition_data)
        for k in range(int(head.n_transitions)):
            edge = _edge(head, k)
            entered = ProcessMemory(stages[edge.target].transition_data)
            edge.sliding = entered.address if entered.slides else 0
    return tables


def _edge(head: ProcessMemory, k: int) -> EdgeMemory:
    """The memory of transition k of a stage."""
    return EdgeMemory(head.address + 8 * (ProcessMemory.n_slots + k * EdgeMemory.n_slots))


def _slide_table(targets: Sequence[int], places: Sequence[int], stages: Sequence[Stage]) -> np.ndarray:
    table = np.zeros(len(targets) * SlideMemory.n_slots, dtype=np.int64)
    first = address_of(table, "the sliding of a stage")
    for k, (target, place) in enumerate(zip(targets, places, strict=True)):
        row = SlideMemory(first + 8 * k * SlideMemory.n_slots)
        row.target, row.place = target, place
        row.head = stages[target].transition_data if target >= 0 else 0
    return table


def _write(memory: EdgeMemory, edge: Edge) -> None:
    """Write a transition into its table."""
    memory.boundary, memory.boundary_data = edge.boundary.address, edge.boundary.data
    memory.jump, memory.jump_data = edge.jump.address, edge.jump.data
    memory.target, memory.target_switches = edge.target, edge.switches
    memory.ticks, memory.restarts = edge.ticks, edge.restarts
