"""Points fixed in the same body, and their positions in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph.algebra.linear import plus
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import KinematicTree, chain
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.symbols import is_constant

__all__ = ["RigidPoints", "rigid_points", "turns_with"]

Triple = list[Node]


@dataclass(frozen=True, slots=True)
class RigidPoints:
    """Groups of points that keep their distances.

    Attributes
    ----------
    nodes : tuple of node
        Three components for each point, group after group; they depend on parameters alone.
    points : tuple of tuples of Point
        The points of each group, the root of the others first.
    """

    nodes: tuple[Node, ...]
    points: tuple[tuple[Point, ...], ...]

    def largest_distance(self, values: np.ndarray) -> float:
        """The largest distance within a group (m), from the values of `nodes`; 0 when no group has two points."""
        places = np.reshape(values, (-1, 3))
        largest, start = 0.0, 0
        for size in map(len, self.points):
            group = places[start : start + size]
            apart = np.linalg.norm(group[:, np.newaxis] - group[np.newaxis], axis=-1)
            largest, start = max(largest, float(apart.max(initial=0.0))), start + size
        return largest


def rigid_points(kinematics: Kinematics, points: Iterable[Point]) -> RigidPoints:
    """Sort points, and their ancestors, by the moving body in which they are fixed.

    An edge with constant components in a frame fixes its two ends to each other in that frame and in all frames that do
    not rotate relative to it. Points at the same position are one; a joint's point belongs to both of its bodies.
    """
    position = kinematics.kinematic_tree.position
    known = dict.fromkeys(link for point in points for link in chain(position, point))
    same: dict[Point, Point] = {}
    heads: dict[tuple[Point, ReferenceFrame], Point] = {}
    groups: dict[tuple[Point, ReferenceFrame], dict[Point, Triple]] = {}
    for point in known:
        above = same.get(position[point])
        same[point] = point
        if above is None:
            continue
        if not kinematics.kinematic_tree.edge(point).args:
            same[point] = above
            continue
        frame = _fixed_in(kinematics, point)
        if frame is not None:
            head = heads.setdefault((above, frame), above)
            heads[point, frame] = head
            group = groups.setdefault((head, frame), {head: [kinematics.graph.zero] * 3})
            edge = kinematics.vector_in(kinematics.kinematic_tree.edge(point), frame)
            group[point] = plus(kinematics.graph, group[above], edge)
    nodes = tuple(node for group in groups.values() for place in group.values() for node in place)
    return RigidPoints(nodes, tuple(map(tuple, groups.values())))


def _fixed_in(kinematics: Kinematics, point: Point) -> ReferenceFrame | None:
    """The moving frame in which the edge above a point is constant; None when there is none."""
    kinematic_tree = kinematics.kinematic_tree
    frames = {turns_with(kinematic_tree, frame) for _, frame in kinematic_tree.edge(point).args}
    constant = all(is_constant(entry) for entries, _ in kinematic_tree.edge(point).args for entry in entries)
    if len(frames) != 1 or not constant:
        return None
    frame = frames.pop()
    return None if frame is kinematic_tree.frame else frame


def turns_with(kinematic_tree: KinematicTree, frame: ReferenceFrame) -> ReferenceFrame:
    """The frame nearest to N that does not rotate relative to `frame`."""
    while kinematic_tree.orientation[frame] is not None and all(
        is_constant(entry) for entry in kinematic_tree.dcm(frame)
    ):
        frame = kinematic_tree.orientation[frame]
    return frame
