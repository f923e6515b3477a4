"""The trees of the user's frames and points, each traversed once.

SymPy searches a path anew for every query and compares all paths with each other; here each tree is one breadth-first
traversal of the edges that the user set. Nothing is evaluated, so that nothing is cached in the user's objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sympy import Matrix
from sympy.physics.vector import Point, ReferenceFrame, Vector

__all__ = ["KinematicTree", "connected", "grow"]

Thing = TypeVar("Thing")
Place = TypeVar("Place", Point, ReferenceFrame)


@dataclass(frozen=True, slots=True, eq=False)
class KinematicTree:
    """Trees of frames and points.

    Attributes
    ----------
    frame : ReferenceFrame
        The inertial frame N, root of `orientation` and of `spin`.
    orientation, spin : mapping of ReferenceFrame to ReferenceFrame or None
        The frame that orients a frame, and the frame to which its angular velocity refers; None at the root.
    position : mapping of Point to Point or None
        The point from which a point is located; None at a root. Points that no position connects have different roots.
    """

    frame: ReferenceFrame
    orientation: Mapping[ReferenceFrame, ReferenceFrame | None]
    spin: Mapping[ReferenceFrame, ReferenceFrame | None]
    position: Mapping[Point, Point | None]

    def dcm(self, frame: ReferenceFrame) -> Matrix:
        """The matrix E of one edge: components in the orienting frame = E times components in `frame`."""
        above: Any = self.orientation[frame]  # not of the root
        return above._dcm_dict[frame]

    def edge(self, point: Point) -> Vector:
        """The position of a point relative to its parent."""
        return point._pos_dict[self.position[point]]

    def edge_spin(self, frame: ReferenceFrame) -> Vector:
        """The angular velocity of a frame relative to its parent in `spin`."""
        return frame._ang_vel_dict[self.spin[frame]]

    def set_velocity(self, point: Point) -> Vector | None:
        """The velocity in N that is stored in the point, set by the user or cached by SymPy; None without one."""
        return point._vel_dict.get(self.frame)

    def root(self, point: Point) -> Point:
        """The root of the tree of a point."""
        return chain(self.position, point)[0]


def grow(frame: ReferenceFrame, origin: Point | None, points: Iterable[Point]) -> KinematicTree:
    """Traverse frames from N, and points from the origin and then from each remaining point.

    The root of a tree without the origin is its first point that is at rest in N, else the first one whose velocity in
    N is set, else the first one found.
    """
    position: dict[Point, Point | None] = {}
    if origin is not None:
        position.update(_walk(origin, lambda point: point._pos_dict))
    for point in points:
        if point not in position:
            members = _walk(point, lambda point: point._pos_dict)
            position.update(_walk(_choose_root(members, frame), lambda point: point._pos_dict))
    return KinematicTree(
        frame=frame,
        orientation=_walk(frame, lambda frame: frame._dcm_dict),
        spin=_walk(frame, lambda frame: frame._ang_vel_dict),
        position=position,
    )


def chain(parents: Mapping[Thing, Thing | None], thing: Thing) -> list[Thing]:
    """The items from the root of a tree down to `thing`, both included."""
    path = [thing]
    while (parent := parents[path[-1]]) is not None:
        path.append(parent)
    return path[::-1]


def connected(thing: Place) -> list[Place]:
    """A point and all points located relative to it, or a frame and all frames oriented relative to it."""
    return [*_walk(thing, lambda one: one._pos_dict if isinstance(one, Point) else one._dcm_dict)]


def _walk(root: Thing, neighbours: Callable[[Thing], Iterable[Thing]]) -> dict[Thing, Thing | None]:
    parents: dict[Thing, Thing | None] = {root: None}
    layer = [root]
    while layer:
        found = []
        for thing in layer:
            for neighbour in neighbours(thing):
                if neighbour not in parents:
                    parents[neighbour] = thing
                    found.append(neighbour)
        layer = found
    return parents


def _choose_root(members: Iterable[Point], frame: ReferenceFrame) -> Point:
    members = list(members)
    known = [point for point in members if frame in point._vel_dict]
    at_rest = [point for point in known if not point._vel_dict[frame].args]
    return (at_rest or known or members)[0]
