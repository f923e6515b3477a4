"""The composite form of the equations of motion: all velocities and forces referred to one point.

With the reference A, a body fixed in a frame F moves as v_P = s + omega x r, where r = r_P - r_A and s is the velocity
of the point of F that coincides with A. Across a joint at J only the relative motion changes s: s_child = s_parent -
(omega_child - omega_parent) x r_J. Hence all bodies that a speed moves together have the same column (ds/du,
domega/du), and their inertias about A can be added first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, dot, matvec, minus, plus, scale
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.body_terms import Body
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.symbols import is_constant

__all__ = ["composite_form"]

Triple = list[Node]


@dataclass(frozen=True, slots=True)
class _Inertia:
    """Mass, first moment m r and inertia matrix about A, and the force and the torque about A needed at u' = 0."""

    mass: Node
    moment: Triple
    matrix: list[Triple]
    force: Triple
    torque: Triple


@dataclass(frozen=True, slots=True)
class _Place:
    """The data of a point in the recursion: the frame of its last edge, s of that frame, and r."""

    frame: ReferenceFrame
    s: Triple
    arm: Triple


def composite_form(
    kinematics: Kinematics, bodies: Sequence[Body], forcing: Sequence[Node]
) -> tuple[list[list[Node]], list[Node]] | None:
    """M and f; None when no position connects the bodies."""
    if len({kinematics.kinematic_tree.root(body.centre) for body in bodies}) != 1:
        return None
    walk = _Walk(kinematics, _reference(kinematics, bodies[0].centre))
    sums = _Sums(kinematics.graph, [_about_reference(kinematics, body, walk.arm(body.centre)) for body in bodies])
    twists = [kinematics.partials(walk.twist(body)) for body in bodies]
    return _assemble(sums, twists, forcing)


def _reference(kinematics: Kinematics, centre: Point) -> Point:
    """The point A: below the first sliding edge above the first body, so that r is small; else the root."""
    kinematic_tree = kinematics.kinematic_tree
    path = chain(kinematic_tree.position, centre)
    for point in path[1:]:
        if not all(
            is_constant(component) for components, _ in kinematic_tree.edge(point).args for component in components
        ):
            return point
    return path[0]


class _Walk:
    """Computes s and r down the tree of points."""

    def __init__(self, kinematics: Kinematics, reference: Point) -> None:
        self._kinematics = kinematics
        self._reference = reference
        self._places: dict[Point, _Place] = {}

    def arm(self, point: Point) -> Triple:
        """r of a point."""
        return self._follow(point).arm

    def twist(self, body: Body) -> Triple:
        """s and omega of a body, six nodes; for a particle those of the frame in which its position is written."""
        place = self._follow(body.centre)
        frame, s = place.frame, place.s
        if body.frame is not None:
            frame, s = body.frame, self._change_frame(place.frame, body.frame, place.s, place.arm)
        return [*s, *self._kinematics.spin(frame)]

    def _follow(self, point: Point) -> _Place:
        for link in chain(self._kinematics.kinematic_tree.position, point):
            if link not in self._places:
                self._places[link] = self._step(link)
        return self._places[point]

    def _step(self, point: Point) -> _Place:
        kinematics, graph = self._kinematics, self._kinematics.graph
        velocity, parent = kinematics.velocity(point), kinematics.kinematic_tree.position[point]
        if point is self._reference:
            frame = (
                kinematics.kinematic_tree.frame if parent is None else kinematics.kinematic_tree.edge(point).args[-1][1]
            )
            return _Place(frame, velocity, _zeros(graph))
        if parent is None:
            return _Place(
                kinematics.kinematic_tree.frame, velocity, kinematics.position_between(self._reference, point)
            )
        above = self._places[parent]
        frame, s, arm = above.frame, above.s, above.arm
        for components, source in kinematics.kinematic_tree.edge(point).args:
            s = self._change_frame(frame, source, s, arm)
            local, rotation = [kinematics.read(component) for component in components], kinematics.rotation(source)
            s = plus(graph, s, matvec(graph, rotation, [kinematics.drift(node) for node in local]))
            arm = plus(graph, arm, matvec(graph, rotation, local))
            frame = source
        if point in kinematics.overruled:
            s = minus(graph, velocity, cross(graph, kinematics.spin(frame), arm))
        return _Place(frame, s, arm)

    def _change_frame(self, old: ReferenceFrame, new: ReferenceFrame, s: Triple, arm: Triple) -> Triple:
        """s of another frame that has a point at `arm` in common."""
        if old is new:
            return s
        graph = self._kinematics.graph
        return minus(graph, s, cross(graph, self._kinematics.relative_spin(new, old), arm))


def _about_reference(kinematics: Kinematics, body: Body, arm: Triple) -> _Inertia:
    """A body's inertia about A and its inertia wrench, by the parallel axis theorem."""
    graph = kinematics.graph
    force = body.inertia_force(kinematics)
    moment, torque = scale(graph, body.mass, arm), cross(graph, arm, force)
    square = dot(graph, arm, moment)
    matrix = [
        [graph.sub(square if i == j else graph.zero, graph.mul(moment[max(i, j)], arm[min(i, j)])) for j in range(3)]
        for i in range(3)
    ]
    if body.frame is not None:
        matrix = [plus(graph, *rows) for rows in zip(body.inertia_in_n(kinematics), matrix, strict=True)]
        own = matvec(graph, kinematics.rotation(body.frame), body.inertia_torque(kinematics))
        torque = plus(graph, torque, own)
    return _Inertia(body.mass, moment, matrix, force, torque)


class _Sums:
    """Inertias of sets of bodies, each computed from a set with one body less."""

    def __init__(self, graph: Graph, inertias: Sequence[_Inertia]) -> None:
        self.graph = graph
        self._known: dict[tuple[int, ...], _Inertia] = {(i,): inertia for i, inertia in enumerate(inertias)}
        self._momenta: dict[tuple, Triple] = {}

    def of(self, bodies: tuple[int, ...]) -> _Inertia:
        """The sum over some bodies."""
        first = next(i for i in range(len(bodies)) if bodies[i:] in self._known)
        for i in reversed(range(first)):
            self._known[bodies[i:]] = self._add(self._known[bodies[i : i + 1]], self._known[bodies[i + 1 :]])
        return self._known[bodies]

    def wrench(self, bodies: tuple[int, ...]) -> Triple:
        """Force and torque about A, six nodes."""
        inertia = self.of(bodies)
        return [*inertia.force, *inertia.torque]

    def momentum(self, bodies: tuple[int, ...], column: tuple[Node, ...]) -> Triple:
        """Momentum and angular momentum about A of bodies that move with a column, six nodes."""
        key = (bodies, column)
        if key not in self._momenta:
            graph, inertia = self.graph, self.of(bodies)
            s, spin = column[:3], column[3:]
            linear = plus(graph, scale(graph, inertia.mass, s), cross(graph, spin, inertia.moment))
            angular = plus(graph, matvec(graph, inertia.matrix, spin), cross(graph, inertia.moment, s))
            self._momenta[key] = [*linear, *angular]
        return self._momenta[key]

    def _add(self, one: _Inertia, rest: _Inertia) -> _Inertia:
        graph = self.graph
        return _Inertia(
            graph.add(one.mass, rest.mass),
            plus(graph, one.moment, rest.moment),
            [plus(graph, *rows) for rows in zip(one.matrix, rest.matrix, strict=True)],
            plus(graph, one.force, rest.force),
            plus(graph, one.torque, rest.torque),
        )


def _assemble(
    sums: _Sums, twists: Sequence[Sequence[Sequence[Node]]], forcing: Sequence[Node]
) -> tuple[list[list[Node]], list[Node]]:
    """M and f from the columns `twists[body][speed]`."""
    graph, n = sums.graph, len(forcing)
    columns: list[dict[int, tuple[Node, ...]]] = [{} for _ in range(n)]
    for body, twist in enumerate(twists):
        for j, column in enumerate(twist):
            if any(node != graph.zero for node in column):
                columns[j][body] = tuple(column)
    matrix = [[graph.zero] * n for _ in range(n)]
    rest = list(forcing)
    for i in range(n):
        for (column,), bodies in _groups([columns[i]]).items():
            rest[i] = graph.sub(rest[i], dot(graph, column, sums.wrench(bodies)))
        for j in range(i + 1):
            entry = graph.zero
            for (row, column), bodies in _groups([columns[j], columns[i]]).items():
                entry = graph.add(entry, dot(graph, row, sums.momentum(bodies, column)))
            matrix[i][j] = matrix[j][i] = entry
    return matrix, rest


def _groups(columns: Sequence[dict[int, tuple[Node, ...]]]) -> dict[tuple, tuple[int, ...]]:
    """The bodies with the same nonzero columns, for each combination of columns."""
    groups: dict[tuple, list[int]] = {}
    for body in columns[-1]:
        if body in columns[0]:
            groups.setdefault(tuple(column[body] for column in columns), []).append(body)
    return {key: tuple(bodies) for key, bodies in groups.items()}


def _zeros(graph: Graph) -> Triple:
    return [graph.zero] * 3
