"""Orientations, positions and velocities as nodes, read from the user's frames and points one edge at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count as count_up
from typing import Any, TypeVar

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph import Bound, FromSympy, Graph, Tangent, count, reachable
from sympact.graph.algebra.linear import cross, matmul, matvec, minus, plus, transpose
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import KinematicTree, chain
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.kit.symbols import Symbols

__all__ = ["Kinematics"]

Triple = list[Node]
Result = TypeVar("Result")
_MUCH = 2
_NEAR = 3  # a vector is transformed edge by edge up to this many edges, beyond that through N


class Kinematics:
    """The motion of frames and points as nodes of a graph; each is computed on first use.

    Vectors are lists of three nodes, their components in the inertial frame N unless the name states another. The time
    derivative of a rotation uses the angular velocity, R' = R [omega]x, so that derivatives share known nodes.

    Parameters
    ----------
    graph : Graph
    symbols : Symbols
        The symbols of the model.
    skeleton : Skeleton
        The tree of frames and points.
    rates : sequence of node
        q'.
    sample : Sample
        A random state at which velocities that were set are compared with derived ones.

    Attributes
    ----------
    drift_seed, flow_seed : dict of node to node
        The directions of `drift` and `flow`.
    letters : mapping of Expr to node
        The symbols of the model and q'.
    read : FromSympy
        Turns scalars of the model, q' included, into nodes.
    drift : Tangent
        The time derivative along the motion with u' left out: q -> q', t -> 1, u -> 0.
    flow : Tangent
        The time derivative with the derivatives of the state taken from the input ``xdot``.
    searched : dict of node to str
        Detached numbers from Newton's method, and their names in formulas.
    named : dict of node to Expr
        Further nodes with names in messages: slip speeds.
    bounds : dict of node to Bound
        Known bounds of distances that an iteration computes.
    seconds : dict of node to node
        For the gaps of balls to surfaces phi = 0, the gap to the second closest point that was found, in radii.
    overruled : set of Point
        Points read so far whose velocity was set to a value other than the derivative of their position.
    """

    def __init__(
        self, graph: Graph, symbols: Symbols, kinematic_tree: KinematicTree, rates: Sequence[Node], sample: Sample
    ) -> None:
        known = symbols.nodes(graph)
        self.graph = graph
        self.kinematic_tree = kinematic_tree
        self.sample = sample
        self.letters = known | dict(zip(symbols.rates(), rates, strict=True))
        self.read = self.reader({})
        self.q = [known[coordinate] for coordinate in symbols.q]
        self.u = [known[speed] for speed in symbols.u]
        self.rates = list(rates)
        self.searched: dict[Node, str] = {}
        self.named: dict[Node, Expr] = {}
        self.overruled: set[Point] = set()
        self.bounds: dict[Node, Bound] = {}
        self.seconds: dict[Node, Node] = {}
        prescribed = {known[symbols.time]: graph.one}
        prescribed.update((known[of], known[rate]) for of, rate in symbols.input_rates().items())
        state_slopes = [graph.input("xdot", i) for i in range(len(self.q) + len(self.u))]
        self._rules: dict[Node, Callable[[], Node]] = {}
        self._columns: list[Tangent] = []
        self._speeds: dict[Node, int] = {speed: 1 << j for j, speed in enumerate(self.u)}
        self._rotations = {kinematic_tree.frame: _unit_matrix(graph)}
        self._edges: dict[ReferenceFrame, list[Triple]] = {}
        self._spins = {kinematic_tree.frame: _zeros(graph)}
        self._body_spins = {kinematic_tree.frame: _zeros(graph)}
        self._places: dict[Point, tuple[Triple, Triple]] = {}
        self._beside: dict[Point, tuple[Point, Triple]] = {}
        self._worked_out: dict[Hashable, Any] = {}
        self.drift_seed = prescribed | dict(zip(self.q, rates, strict=True))
        self.flow_seed = prescribed | dict(zip(self.q + self.u, state_slopes, strict=True))
        self.drift = Tangent(graph, self.drift_seed, self._rules)
        self.flow = Tangent(graph, self.flow_seed, self._rules)

    def once(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """The result of `work`, computed once and stored under a key."""
        if key not in self._worked_out:
            self._worked_out[key] = work()
        return self._worked_out[key]

    def call(self, numbers: Mapping[str, Node]) -> None:
        """Name numbers that a search computed in formulas; a name in use gets a number."""
        for name, node in numbers.items():
            plain, taken = re.sub(r"\W", "_", name), set(self.searched.values())
            if self.graph.ops[node] == "held" and node not in self.searched:
                tries = (f"{plain}{i or ''}" for i in count_up())
                self.searched[node] = next(unused for unused in tries if unused not in taken)

    def partials(self, nodes: Iterable[Node]) -> list[list[Node]]:
        """d nodes[k] / du_j, a list for each speed: partial velocities, columns of a contact's Jacobian."""
        if not self._columns:
            self._columns = [Tangent(self.graph, {speed: self.graph.one}) for speed in self.u]
        nodes = list(nodes)
        speeds = [self._speeds_of(node) for node in nodes]
        return [
            [column(node) if which >> j & 1 else self.graph.zero for node, which in zip(nodes, speeds, strict=True)]
            for j, column in enumerate(self._columns)
        ]

    def _speeds_of(self, node: Node) -> int:
        """The speeds on which a node depends, a bit for each."""
        graph, known = self.graph, self._speeds
        for each in reachable(graph, [node], known):
            if each not in known:
                which = 0
                for child in graph.children(each):
                    which |= known[child]
                known[each] = which
        return known[node]

    def reader(self, further: Mapping[Expr, Node]) -> FromSympy:
        """As `read`, with further symbols."""
        return FromSympy(self.graph, self.letters | dict(further))

    def vector(self, vector: Vector) -> Triple:
        """A SymPy vector, in N."""
        total = _zeros(self.graph)
        for components, frame in vector.args:
            total = plus(self.graph, total, self._in_frame(self.rotation(frame), self._scalars(components)))
        return total

    def vector_in(self, vector: Vector, frame: ReferenceFrame) -> Triple:
        """A SymPy vector, components in `frame`."""
        total = _zeros(self.graph)
        for components, given in vector.args:
            total = plus(self.graph, total, self.turn(self._scalars(components), given, frame))
        return total

    def turn(self, components: Triple, source: ReferenceFrame, target: ReferenceFrame) -> Triple:
        """Components in the frame `source` transformed to the frame `target`."""
        if source is target or all(node == self.graph.zero for node in components):
            return components
        orientation = self.kinematic_tree.orientation
        up, down = chain(orientation, source), chain(orientation, target)
        shared = sum(a is b for a, b in zip(up, down, strict=False))
        if len(up) + len(down) - 2 * shared > _NEAR:
            turned = self._in_frame(self.rotation(source), components)
            return matvec(self.graph, transpose(self.rotation(target)), turned)
        for frame in reversed(up[shared:]):
            components = matvec(self.graph, self._edge(frame), components)
        for frame in down[shared:]:
            components = matvec(self.graph, transpose(self._edge(frame)), components)
        return components

    def rotation(self, frame: ReferenceFrame) -> list[Triple]:
        """The matrix R of a frame: components in N = R times components in the frame."""
        for link in chain(self.kinematic_tree.orientation, frame):
            if link not in self._rotations:
                above = self._rotations[self.kinematic_tree.orientation[link]]
                turned = matmul(self.graph, above, self._edge(link))
                self._rotations[link] = turned
                self._rule_rotation(link, turned)
        return self._rotations[frame]

    def spin(self, frame: ReferenceFrame) -> Triple:
        """The angular velocity of a frame in N."""
        if frame not in self.kinematic_tree.spin:
            return self._in_frame(self.rotation(frame), self.spin_in_body(frame))
        for link in chain(self.kinematic_tree.spin, frame):
            if link not in self._spins:
                above = self._spins[self.kinematic_tree.spin[link]]
                self._spins[link] = plus(self.graph, above, self.vector(self.kinematic_tree.edge_spin(link)))
        return self._spins[frame]

    def spin_in_body(self, frame: ReferenceFrame) -> Triple:
        """The angular velocity of a frame in N, components in the frame itself, where the inertia is constant."""
        if frame not in self.kinematic_tree.spin:
            above = self.kinematic_tree.orientation[frame]
            carried = self.turn(self.spin_in_body(above), above, frame)
            return plus(self.graph, carried, self._spin_of_edge(frame))
        for link in chain(self.kinematic_tree.spin, frame):
            if link not in self._body_spins:
                self._body_spins[link] = self._spin_step(link)
        return self._body_spins[frame]

    def relative_spin(self, frame: ReferenceFrame, other: ReferenceFrame) -> Triple:
        """The angular velocity of a frame in another one, components in N."""
        spin = self.kinematic_tree.spin
        if frame not in spin or other not in spin:
            return minus(self.graph, self.spin(frame), self.spin(other))
        up, down = chain(spin, other), chain(spin, frame)
        shared = sum(a is b for a, b in zip(up, down, strict=False))
        relative = _zeros(self.graph)
        for link in down[shared:]:
            relative = plus(self.graph, relative, self.vector(self.kinematic_tree.edge_spin(link)))
        for link in up[shared:]:
            relative = minus(self.graph, relative, self.vector(self.kinematic_tree.edge_spin(link)))
        return relative

    def beside(self, point: Point, arm: Triple, name: str) -> Point:
        """A further point, at a vector `arm` (in N) from one of the model; it has a position, but no velocity."""
        further = Point(name)
        self._beside[further] = point, arm
        return further

    def position(self, point: Point) -> Triple:
        """The position of a point relative to the root of its tree."""
        if point in self._beside:
            near, arm = self._beside[point]
            return plus(self.graph, self.position(near), arm)
        return self._place(point)[0]

    def velocity(self, point: Point) -> Triple:
        """The velocity of a point in N."""
        return self._place(point)[1]

    def position_between(self, start: Point, end: Point) -> Triple:
        """The vector from one point to another, through their last common ancestor.

        Far from the root this keeps the digits that the difference of two positions would lose.
        """
        if start in self._beside or end in self._beside:
            return self._between_further(start, end)
        position = self.kinematic_tree.position
        up, down = chain(position, start), chain(position, end)
        shared = sum(a is b for a, b in zip(up, down, strict=False))
        if shared <= 1:
            return minus(self.graph, self.position(end), self.position(start))
        away = _zeros(self.graph)
        for point in down[shared:]:
            away = plus(self.graph, away, self.vector(self.kinematic_tree.edge(point)))
        for point in up[shared:]:
            away = minus(self.graph, away, self.vector(self.kinematic_tree.edge(point)))
        return away

    def frames_between(self, start: Point, end: Point) -> list[ReferenceFrame]:
        """The frames in which the positions from one point to another are written."""
        position = self.kinematic_tree.position
        up, down = chain(position, start), chain(position, end)
        shared = sum(a is b for a, b in zip(up, down, strict=False))
        links = (point for point in (*down[shared:], *up[shared:]) if position[point] is not None)
        return list(dict.fromkeys(frame for point in links for _, frame in self.kinematic_tree.edge(point).args))

    def position_in(self, start: Point, end: Point, frame: ReferenceFrame) -> Triple:
        """The vector from one point to another, components in `frame`; short where both are fixed in it."""
        if start in self._beside or end in self._beside:
            return self.turn(self._between_further(start, end), self.kinematic_tree.frame, frame)
        position = self.kinematic_tree.position
        up, down = chain(position, start), chain(position, end)
        shared = sum(a is b for a, b in zip(up, down, strict=False))
        away = _zeros(self.graph)
        for point in down[shared:]:
            away = plus(self.graph, away, self.vector_in(self.kinematic_tree.edge(point), frame))
        for point in up[shared:]:
            away = minus(self.graph, away, self.vector_in(self.kinematic_tree.edge(point), frame))
        return away

    def _between_further(self, start: Point, end: Point) -> Triple:
        """The vector in N from one point to another, at least one of which is not a point of the user's model."""
        (near, before), (far, after) = (self._beside.get(point, (point, _zeros(self.graph))) for point in (start, end))
        return minus(self.graph, plus(self.graph, self.position_between(near, far), after), before)

    def _scalars(self, components: Iterable[Expr]) -> Triple:
        return [self.read(component) for component in components]

    def _in_frame(self, rotation: list[Triple], components: Triple) -> Triple:
        return matvec(self.graph, rotation, components)

    def _edge(self, frame: ReferenceFrame) -> list[Triple]:
        """E of one edge: components in the orienting frame = E times components in `frame`."""
        if frame not in self._edges:
            dcm = self.kinematic_tree.dcm(frame)
            self._edges[frame] = [[self.read(dcm[i, j]) for j in range(3)] for i in range(3)]
        return self._edges[frame]

    def _rule_rotation(self, frame: ReferenceFrame, rotation: list[Triple]) -> None:
        """Let R' = R [omega]x with omega in the frame itself: each row of R' needs that row of R alone."""
        for row in rotation:
            for j, node in enumerate(row):
                if self.graph.ops[node] in ("add", "sub", "mul"):
                    self._rules.setdefault(node, partial(self._turning, frame, row, j))

    def _turning(self, frame: ReferenceFrame, row: Triple, j: int) -> Node:
        return cross(self.graph, row, self.spin_in_body(frame))[j]

    def _spin_step(self, frame: ReferenceFrame) -> Triple:
        """omega of a frame from that of its parent in `spin`, added in the frame in which the axis is written."""
        graph, parent = self.graph, self.kinematic_tree.spin[frame]
        above, own = self._body_spins[parent], _zeros(graph)
        for components, source in self.kinematic_tree.edge_spin(frame).args:
            scalars = self._scalars(components)
            if source is parent:
                above = plus(graph, above, scalars)
            else:
                own = plus(graph, own, self.turn(scalars, source, frame))
        return plus(graph, self.turn(above, parent, frame), own)

    def _spin_of_edge(self, frame: ReferenceFrame) -> Triple:
        """The axial vector of E^T E', components in the frame; for an orientation without an angular velocity."""
        edge = self._edge(frame)
        slope = [[self.drift(entry) for entry in row] for row in edge]
        turning = matmul(self.graph, transpose(edge), slope)
        return [turning[2][1], turning[0][2], turning[1][0]]

    def _place(self, point: Point) -> tuple[Triple, Triple]:
        for link in chain(self.kinematic_tree.position, point):
            if link not in self._places:
                self._places[link] = self._locate(link)
        return self._places[point]

    def _locate(self, point: Point) -> tuple[Triple, Triple]:
        """Position and velocity of a point from those of its parent.

        A velocity that was set replaces the derived one where they differ. SymPy stores velocities that it derived
        beside those that the user set: they agree but are long and share nothing, so that one is used only if it is
        much shorter.
        """
        graph, parent = self.graph, self.kinematic_tree.position[point]
        known = self.kinematic_tree.set_velocity(point)
        given = None if known is None else self.vector(known)
        if parent is None:
            return _zeros(graph), given if given is not None else _zeros(graph)
        position, velocity = self._places[parent]
        for components, frame in self.kinematic_tree.edge(point).args:
            local = self._scalars(components)
            arm = self._in_frame(self.rotation(frame), local)
            position = plus(graph, position, arm)
            velocity = plus(graph, velocity, cross(graph, self.spin(frame), arm))
            velocity = plus(graph, velocity, self._in_frame(self.rotation(frame), [self.drift(c) for c in local]))
        if given is None or given == velocity:
            return position, velocity
        if not self.sample.close(velocity, given):
            self.overruled.add(point)
            return position, given
        shorter = _MUCH * count(graph, given) < count(graph, velocity)
        return position, given if shorter else velocity


def _zeros(graph: Graph) -> Triple:
    return [graph.zero] * 3


def _unit_matrix(graph: Graph) -> list[Triple]:
    return [[graph.one if i == j else graph.zero for j in range(3)] for i in range(3)]
