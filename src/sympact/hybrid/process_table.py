"""Stages in the form of the loop: their memory, which `edge_kernel` reads, and the `Stage` around it.

Boundaries and jumps have the signature of a flow, ``void(double t, const double *x, const void *data, double *out)``; a
boundary writes one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sympact.hybrid.process_memory import EdgeMemory, ProcessMemory
from sympact.integrate.problem.program import Stage
from sympact.integrate.search.switch_table import SwitchData
from sympact.native.addresses import address_of
from sympact.native.kernel import Unit

__all__ = ["Code", "Edge", "Gaps", "Switches", "stage"]

_EDGE = Unit("sympact.hybrid.edge_kernel", "edge", "int64(float64, int64, int64, int64, int64, int64)")
_BOUNDARIES = Unit("sympact.hybrid.edge_kernel", "boundaries", "void(float64, int64, int64, int64, int64)")
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

    `switches` is the address of the table of the switches of the stage entered.
    """

    name: str
    target: int
    boundary: Code = Code()
    jump: Code = Code()
    switches: int = 0


@dataclass(frozen=True, slots=True)
class Gaps:
    """The function of all gaps of a stage; with `derivatives` also of their first and second rates along the flow."""

    code: Code
    derivatives: bool = False


@dataclass(frozen=True, slots=True)
class Switches:
    """The switches of a stage, and for each the relations that are true at +1 and at -1."""

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
) -> Stage:
    """The stage number `index` with its flow and the transitions that leave it.

    Parameters
    ----------
    gaps : Gaps, optional
        Without it the boundaries of the edges are called one by one.
    switches : Switches, optional
        Those of the stage; their boundaries follow those of the transitions.
    owner : object
        Objects that must stay alive as long as the addresses are used; the stage keeps them.
    """
    scratch = np.empty(n_states)
    own, names = (0, ()) if switches is None else (switches.data.address, switches.names)
    place = address_of(scratch, "the scratch of a stage")
    table = np.zeros(ProcessMemory.n_slots + len(edges) * EdgeMemory.n_slots, dtype=np.int64)
    head = ProcessMemory(address_of(table, "the table of a stage"))
    head.n_states, head.n_transitions, head.stage, head.switches = n_states, len(edges), index, own
    ProcessMemory.scratch.place(head, place)
    for k, edge in enumerate(edges):
        _write(EdgeMemory(head.address + 8 * (ProcessMemory.n_slots + k * EdgeMemory.n_slots)), edge)
    boundary = gaps.code if gaps is not None else Code(_BOUNDARIES.address(), table.ctypes.data)
    return Stage(
        name=name,
        flow=flow.address,
        flow_data=flow.data,
        boundary=boundary.address,
        boundary_data=boundary.data,
        boundary_names=(*(edge.name for edge in edges), *(above for above, _ in names)),
        derivatives=gaps is not None and gaps.derivatives,
        transition=_EDGE.address(),
        transition_data=table.ctypes.data,
        switches=(0, 0) if switches is None else switches.data.place,
        switch_names=names,
        owner=(owner, table, scratch, switches),
    )


def _write(memory: EdgeMemory, edge: Edge) -> None:
    """Write a transition into its table."""
    memory.boundary, memory.boundary_data = edge.boundary.address, edge.boundary.data
    memory.jump, memory.jump_data = edge.jump.address, edge.jump.data
    memory.target, memory.target_switches = edge.target, edge.switches
