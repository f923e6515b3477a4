"""The model length, to which the tolerances of gaps are relative.

The first of these that the model has:

1. the largest distance of points of one body, or size (radius) of a contacting part;
2. the smallest size of a surface or string;
3. the largest distance between surfaces, or length in the position of a moving point;
4. the largest length in the gap of a limit, or in a constraint of positions.

All depend on parameters alone, so that a run and its continuation have the same length, wherever the model is placed
and however it is oriented: only distances count, not positions in the inertial frame. A model without any of these,
such as a particle above a floor, has no length of its own: the loop measures the motion (docs/theory, lengths).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sympy.physics.vector import Point

from sympact.graph import Graph, reachable
from sympact.graph.formula import Vector3
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.rigid import RigidPoints, turns_with
from sympact.mechanics.kit.symbols import Symbols, is_constant
from sympact.mechanics.shapes.unilateral import Part, Unilateral

__all__ = ["Lengths", "lengths_of"]

_BOUNDED = frozenset({"sin", "cos", "tanh", "exp"})  # numbers: the other factor has the unit of the product


@dataclass(frozen=True, slots=True)
class Lengths:
    """Nodes whose largest or smallest value is the model length.

    Attributes
    ----------
    bodies : RigidPoints
        The points of each rigid body.
    sizes, surfaces, places : tuples of node
        Lengths of contacting parts; of each surface; of walls and moving points, else in gaps and constraints (m).
    in_equations : bool
        Whether `places` are those of gaps and constraints.
    """

    bodies: RigidPoints
    sizes: tuple[Node, ...] = ()
    surfaces: tuple[Node, ...] = ()
    places: tuple[Node, ...] = ()
    in_equations: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes that `value` takes, in its order."""
        return (*self.bodies.nodes, *self.sizes, *self.surfaces, *self.places)

    def value(self, numbers: np.ndarray) -> float:
        """The length (m) from the values of `nodes`; 0 where the model has none of its own."""
        ends = np.cumsum([len(self.bodies.nodes), len(self.sizes), len(self.surfaces)])
        points, *others = np.split(np.asarray(numbers, float), ends)
        sizes, surfaces, places = map(np.abs, others)
        of_bodies = max(self.bodies.largest_distance(points), sizes.max(initial=0.0))
        found = (of_bodies, surfaces[surfaces > 0.0].min(initial=np.inf), places.max(initial=0.0))
        return float(next((size for size in found if 0.0 < size < np.inf), 0.0))

    @property
    def told(self) -> str:
        """The origin of the length, as text."""
        if self.bodies.points or self.sizes:
            return "the largest distance of two points of a body, or size of a contacting part"
        if self.surfaces:
            return "the smallest size of a surface or string"
        if self.places and self.in_equations:
            return "the largest length in the gap of a limit, or in a constraint of positions"
        if self.places:
            return "the largest distance of two surfaces, or length in the position of a moving point"
        return "measured along the motion: the largest excursion between two events of one contact"


def lengths_of(
    kinematics: Kinematics,
    symbols: Symbols,
    contacts: Sequence[Unilateral],
    bodies: RigidPoints,
    points: Iterable[Point],
    equations: Iterable[Node] = (),
) -> Lengths:
    """Find the lengths of a model.

    Parameters
    ----------
    kinematics : Kinematics
    symbols : Symbols
    contacts : sequence of Unilateral
    bodies : RigidPoints
    points : iterable of Point
        The points in use.
    equations : iterable of node
        The gaps of limits and the constraints of positions.
    """
    seeker = _Seeker(kinematics, symbols)
    parts = [contact.parts() for contact in contacts]
    touching = [size for both in parts for part in both[:-1] for size in seeker.part(part)]
    if bodies.points or touching:
        return Lengths(bodies, sizes=tuple(dict.fromkeys(touching)))
    surfaces = [size for both in parts for size in seeker.part(both[-1])]
    if surfaces:
        return Lengths(bodies, surfaces=tuple(dict.fromkeys(surfaces)))
    places = [*seeker.walls(parts), *(size for point in points for size in seeker.place(point))]
    if places:
        return Lengths(bodies, places=tuple(dict.fromkeys(places)))
    written = [size for equation in equations for size in seeker.terms(equation, False)]
    return Lengths(bodies, places=tuple(dict.fromkeys(written)), in_equations=True)


class _Seeker:
    """Finds nodes that are lengths and depend on parameters alone."""

    def __init__(self, kinematics: Kinematics, symbols: Symbols) -> None:
        self._kinematics, self._graph = kinematics, kinematics.graph
        self._n_parameters = len(symbols.parameters)
        self._given: dict[Node, bool] = {}

    def part(self, part: Part) -> list[Node]:
        """The sizes of one side of a contact: its own, and the distances of its points from the first one."""
        own = [self._kinematics.read(size) for size in part.sizes if is_constant(size)]
        return [*own, *self._distances(part.points)]

    def walls(self, parts: Iterable[tuple[Part, ...]]) -> list[Node]:
        """The distances of surfaces from the first one, where they are fixed to each other."""
        return self._distances(tuple(dict.fromkeys(point for both in parts for point in both[-1].points)))

    def place(self, point: Point) -> list[Node]:
        """The lengths in the position of a point relative to its parent.

        A term that is only added to the position of a point with a fixed parent gives the location of the model, not
        its size.
        """
        kinematic_tree = self._kinematics.kinematic_tree
        above = kinematic_tree.position[point]
        if above is None:
            return []
        at_rest = all(self._at_rest(link) for link in chain(kinematic_tree.position, above)[1:])
        components = [entry for entries, _ in kinematic_tree.edge(point).args for entry in entries]
        nodes = [self._kinematics.read(entry) for entry in components]
        return [length for node in nodes for length in self.terms(node, not at_rest)]

    def _distances(self, points: Sequence[Point]) -> list[Node]:
        kinematics, root = self._kinematics, self._kinematics.kinematic_tree.root
        apart = [kinematics.position_between(points[0], p) for p in points[1:] if root(p) is root(points[0])]
        given = [away for away in apart if all(map(self._is_given, away))]
        apart = [away for away in given if any(node != self._graph.zero for node in away)]
        return [Vector3(self._graph, tuple(away)).norm.node for away in apart]

    def _at_rest(self, point: Point) -> bool:
        """Whether the edge above a point is constant in the inertial frame."""
        kinematic_tree = self._kinematics.kinematic_tree
        return all(
            turns_with(kinematic_tree, frame) is kinematic_tree.frame and all(map(is_constant, entries))
            for entries, frame in kinematic_tree.edge(point).args
        )

    def terms(self, node: Node, added: bool) -> Iterator[Node]:
        """The lengths in a sum, such as l, A and b of l + A sin(w t) + b cos(q); without l where `added` is False."""
        graph = self._graph
        if node == graph.zero:
            return
        if self._is_given(node):
            if added:
                yield node
        elif graph.ops[node] in ("add", "sub", "neg"):
            for part in graph.args[node]:
                yield from self.terms(part, added)
        elif graph.ops[node] == "mul":
            left, right = graph.args[node]
            for factor, other in ((left, right), (right, left)):
                if graph.ops[other] in _BOUNDED:
                    yield from self.terms(factor, True)

    def _is_given(self, node: Node) -> bool:
        """Whether a node depends on parameters alone."""
        if node not in self._given:
            self._given[node] = all(self._is_parameter(leaf) for leaf in _inputs(self._graph, node))
        return self._given[node]

    def _is_parameter(self, leaf: tuple[str, int]) -> bool:
        array, index = leaf
        return array == "p" and index < self._n_parameters


def _inputs(graph: Graph, node: Node) -> Iterator[tuple[str, Node]]:
    """The inputs that a node depends on."""
    return (graph.args[part] for part in reachable(graph, [node]) if graph.ops[part] == "input")
