"""Coordinates that are the four components of a unit quaternion, detected by their effect on an orientation."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sympy.physics.vector import ReferenceFrame

from sympact.graph import FromSympy, Graph
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import KinematicTree
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.kit.symbols import Symbols, leaves
from sympact.native.rounding import SAME

__all__ = ["quaternion_groups", "unit_values"]


def quaternion_groups(
    graph: Graph, symbols: Symbols, kinematic_tree: KinematicTree, frames: Iterable[ReferenceFrame]
) -> tuple[tuple[int, int, int, int], ...]:
    """The coordinates, four indices in q for each group, that make a rotation only when they have unit norm.

    An orientation of exactly four coordinates counts as that of a quaternion if its matrix is orthogonal at random
    values after, but not before, they are divided by their norm; the order of the four does not matter.
    """
    index = {coordinate: i for i, coordinate in enumerate(symbols.q)}
    read = FromSympy(graph, symbols.nodes(graph))
    groups: dict[tuple[int, int, int, int], None] = {}
    for frame in frames:
        if kinematic_tree.orientation[frame] is None:
            continue
        dcm = kinematic_tree.dcm(frame)
        group = tuple(sorted({index[leaf] for entry in dcm for leaf in leaves(entry) if leaf in index}))
        if len(group) == 4 and group not in groups:
            entries = [read(entry) for entry in dcm]
            given = _orthogonal(Sample(graph)(entries))
            if not given and _orthogonal(Sample(graph, unit_values(graph, [group]))(entries)):
                groups[group] = None
    return tuple(groups)


def unit_values(graph: Graph, groups: Iterable[tuple[int, ...]]) -> dict[Node, float]:
    """Random values of unit norm for the coordinates of each group."""
    values: dict[Node, float] = {}
    for group in groups:
        nodes = [graph.input("x", i) for i in group]
        drawn = Sample(graph)(nodes)
        norm = math.hypot(*drawn)
        values.update((node, value / norm) for node, value in zip(nodes, drawn, strict=True))
    return values


def _orthogonal(entries: list[float]) -> bool:
    rows = [entries[:3], entries[3:6], entries[6:]]
    return all(
        abs(sum(a * b for a, b in zip(rows[i], rows[j], strict=True)) - (i == j)) < SAME
        for i in range(3)
        for j in range(3)
    )
