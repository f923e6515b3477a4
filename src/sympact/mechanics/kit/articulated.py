"""The accelerations u' of a tree of bodies, body by body, without the mass matrix.

A rigid part moves with the twist t = (s, omega): s is the velocity of its point at the joint that carries it. Across
the joint t = X t_above + S u, with columns S for the few speeds that move it. By Gauss' principle u' makes the sum of
the quadratic forms t'^T I t' / 2 - t'^T w of all parts, less f^T u', stationary. From the tips to the root, each part
passes its form to the part above it: t' is replaced by X t'_above + S u', and each speed that moves no further part
is eliminated. From the root to the tips each part receives its t' and gives the u' eliminated with it. The forms
contain six components of t' and the speeds that occur further up, so that the number of operations grows linearly with
the length of a chain.

With the speeds of joints this is the articulated-body algorithm [1]_. Angles against the inertial frame have two speeds
in each S, or an omega that does not depend on the part above.

References
----------
.. [1] R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, chapter 7.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, matvec, plus, scale
from sympact.graph.algebra.quadratic import Eliminated, QuadraticForm
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.body_terms import Body
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["SPEEDS", "SPIN", "ArticulatedTree", "Part", "articulated_tree", "follow_parts"]

Triple = list[Node]
SPIN = range(3, 6)
SPEEDS = 6
"""In a form, t'_k has the name k and u'_j the name 6 + j."""


def articulated_tree(kinematics: Kinematics, bodies: Sequence[Body], forcing: Sequence[Node]) -> ArticulatedTree | None:
    """The parts of a tree with the speeds eliminated, M u' = f; None where there is no tree that makes it short.

    That is where a velocity that was set contradicts the positions, where a speed moves no body, and where the forms
    contain more speeds than components of t', as with speeds each of which moves all joints.

    Parameters
    ----------
    kinematics : Kinematics
    bodies : sequence of Body
        The moving ones.
    forcing : sequence of node
        The generalized forces of all loads that are not terms of a body.
    """
    walk = _Walk(kinematics)
    for body in bodies:
        kinematics.velocity(body.centre)  # compares the velocities that were set with the derived ones
        if not kinematics.overruled.isdisjoint(chain(kinematics.kinematic_tree.position, body.centre)):
            return None
        walk.add(body)
    uses = Counter(speed for part in walk.parts for speed in part.columns)
    shared, total = _find_last(walk.parts, uses)
    if len(uses) < len(forcing) or total > SPEEDS * len(walk.parts):
        return None
    last = _eliminated(kinematics.graph, walk.parts, shared, forcing)
    return ArticulatedTree(kinematics.graph, tuple(walk.parts), tuple(last), len(forcing))


@dataclass(frozen=True, slots=True, eq=False)
class ArticulatedTree:
    """A tree of rigid parts whose speeds were eliminated from the tips to the root.

    Attributes
    ----------
    graph : Graph
    parts : tuple of Part
        A part stands after the one that carries it.
    shared : tuple of Eliminated
        The speeds that several roots share, in the order in which they were eliminated after all others.
    n_u : int
        Speeds.
    """

    graph: Graph
    parts: tuple[Part, ...]
    shared: tuple[Eliminated, ...]
    n_u: int

    def accelerations(self) -> list[Node]:
        """u'."""
        values = {one.unknown: one.value for part in self.parts for one in part.eliminated}
        return follow_parts(self, values | {one.unknown: one.value for one in self.shared})


@dataclass(slots=True, eq=False)
class Part:
    """A rigid part of the tree with the joint that carries it.

    Attributes
    ----------
    above : Part or None
        The part that carries it; None where that is the inertial frame.
    arm : nodes, shape (3,)
        From the joint of the part above to its own, in N.
    turns_with_above : bool
        Whether omega is that of the part above plus S u; else it is S u.
    columns : mapping of int to nodes, shape (6,)
        S, a column for each speed.
    form : QuadraticForm
        Of its bodies, and of the parts below once these have passed theirs.
    last : list of int
        The speeds that move this part or the branch below it and no other part.
    eliminated : list of Eliminated
        The speeds eliminated with it, in order.
    """

    above: Part | None
    arm: Triple
    turns_with_above: bool
    columns: Mapping[int, Triple]
    form: QuadraticForm
    last: list[int] = field(default_factory=list)
    eliminated: list[Eliminated] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A point of a part: the frame in which it is fixed, the part, and the vector from its joint to the point."""

    frame: ReferenceFrame
    part: Part | None
    arm: Triple


class _Walk:
    """Sorts the bodies into rigid parts, down the tree of points; a part stands after the one that carries it."""

    def __init__(self, kinematics: Kinematics) -> None:
        self._kinematics, self._graph = kinematics, kinematics.graph
        self.parts: list[Part] = []
        self._places: dict[Point, _Place] = {}
        self._turned: dict[tuple[_Place, ReferenceFrame], _Place] = {}

    def add(self, body: Body) -> None:
        """Add a body to its part."""
        for point in chain(self._kinematics.kinematic_tree.position, body.centre):
            if point not in self._places:
                self._places[point] = self._step(point)
        place = self._places[body.centre]
        if body.frame is not None:
            place = self._turn(place, body.frame)
        if place.part is not None:
            place.part.form.absorb(_about(self._kinematics, body, place.arm))

    def _step(self, point: Point) -> _Place:
        kinematics, graph = self._kinematics, self._graph
        parent = kinematics.kinematic_tree.position[point]
        if parent is None:
            root, velocity = kinematics.kinematic_tree.frame, kinematics.velocity(point)
            return self._slide(_Place(root, None, _zeros(graph)), velocity)
        place = self._places[parent]
        for components, source in kinematics.kinematic_tree.edge(point).args:
            place = self._turn(place, source)
            local, rotation = [kinematics.read(component) for component in components], kinematics.rotation(source)
            moved = _Place(source, place.part, plus(graph, place.arm, matvec(graph, rotation, local)))
            place = self._slide(moved, matvec(graph, rotation, [kinematics.drift(node) for node in local]))
        return place

    def _turn(self, place: _Place, frame: ReferenceFrame) -> _Place:
        """The same point as one of another frame, whose spin is taken relative to the part above, or to N where that
        contains fewer speeds."""
        if place.frame is frame:
            return place
        if (place, frame) not in self._turned:
            kinematics, zeros = self._kinematics, _zeros(self._graph)
            relative = self._columns(kinematics.relative_spin(frame, place.frame))
            whole = self._columns(kinematics.spin(frame))
            turns_with_above = len(relative) <= len(whole)
            columns = {j: [*zeros, *turn] for j, turn in (relative if turns_with_above else whole).items()}
            moved = _Place(frame, place.part, place.arm)
            self._turned[place, frame] = self._joined(moved, columns, turns_with_above)
        return self._turned[place, frame]

    def _slide(self, place: _Place, velocity: Triple) -> _Place:
        """The place as a point that moves with a velocity relative to its frame."""
        zeros = _zeros(self._graph)
        return self._joined(place, {j: [*slide, *zeros] for j, slide in self._columns(velocity).items()})

    def _columns(self, nodes: Sequence[Node]) -> dict[int, Triple]:
        """The derivatives by the speeds on which the nodes depend."""
        columns = enumerate(self._kinematics.partials(nodes))
        return {j: column for j, column in columns if any(node != self._graph.zero for node in column)}

    def _joined(self, place: _Place, columns: Mapping[int, Triple], turns_with_above: bool = True) -> _Place:
        """The place in the same part where no speed moves it relative to that part, else in a new one."""
        if not columns and turns_with_above:
            return place
        part = Part(place.part, place.arm, turns_with_above, columns, QuadraticForm(self._graph))
        self.parts.append(part)
        return _Place(place.frame, part, _zeros(self._graph))


def _about(kinematics: Kinematics, body: Body, arm: Triple) -> QuadraticForm:
    """t'^T I t' / 2 - t'^T w of a body, referred to the point from which `arm` leads to its centre."""
    graph = kinematics.graph
    form = QuadraticForm(graph)
    for k, node in enumerate(body.inertia_force(kinematics)):
        form.add(k, k, body.mass)
        form.load(k, graph.neg(node))
    if body.frame is not None:
        inertia = body.inertia_in_n(kinematics)
        torque = matvec(graph, kinematics.rotation(body.frame), body.inertia_torque(kinematics))
        for i, k in enumerate(SPIN):
            form.load(k, graph.neg(torque[i]))
            for j in range(i + 1):
                form.add(k, SPIN[j], inertia[i][j])
    _shift(graph, form, arm)
    return form


def _find_last(parts: Sequence[Part], uses: Counter[int]) -> tuple[list[int], int]:
    """Find the part with which each speed is eliminated; returns those that several roots share, and how many speeds
    the forms of all parts contain together."""
    met: dict[Part | None, Counter[int]] = {part: Counter(part.columns.keys()) for part in parts}
    met[None], total = Counter(), 0
    for part in reversed(parts):
        found = met[part]
        total += len(found)
        part.last = [j for j, times in found.items() if times == uses[j]]
        met[part.above].update({j: times for j, times in found.items() if times < uses[j]})
    return list(met[None]), total


def _eliminated(
    graph: Graph, parts: Sequence[Part], shared: Sequence[int], forcing: Sequence[Node]
) -> list[Eliminated]:
    """Pass the forms from the tips to the root; returns the speeds that several roots share, eliminated."""
    rest = QuadraticForm(graph)
    for part in reversed(parts):
        form = part.form
        for j, column in part.columns.items():
            form.substitute({k: node for k, node in enumerate(column) if node != graph.zero}, SPEEDS + j)
        for j in part.last:
            form.load(SPEEDS + j, forcing[j])
            part.eliminated.append(form.eliminate(SPEEDS + j))
        if not part.turns_with_above:
            form.drop(SPIN)
        if part.above is None:
            form.drop(range(SPEEDS))
            rest.absorb(form)
        else:
            _shift(graph, form, part.arm)
            part.above.form.absorb(form)
    for j in shared:
        rest.load(SPEEDS + j, forcing[j])
    return [rest.eliminate(SPEEDS + j) for j in shared]


def follow_parts(tree: ArticulatedTree, values: Mapping[int, Node]) -> list[Node]:
    """u' from the root to the tips, from the values that u' has where all that moves further up is at rest."""
    graph, twists = tree.graph, dict[Part, Triple]()
    known = _solved(graph, tree.shared, values, {})
    for part in tree.parts:
        twist = _carried(graph, part, None if part.above is None else twists[part.above])
        known.update(_solved(graph, part.eliminated, values, ChainMap(dict(enumerate(twist)), known)))
        for j, column in part.columns.items():
            twist = plus(graph, twist, scale(graph, known[SPEEDS + j], column))
        twists[part] = twist
    return [known[SPEEDS + j] for j in range(tree.n_u)]


def _carried(graph: Graph, part: Part, above: Triple | None) -> Triple:
    """The twist of a part that does not move relative to the one above, from the twist of that one."""
    if above is None:
        return [*_zeros(graph), *_zeros(graph)]
    s, spin = above[:3], above[3:]
    return [*plus(graph, s, cross(graph, spin, part.arm)), *(spin if part.turns_with_above else _zeros(graph))]


def _solved(
    graph: Graph, eliminated: Sequence[Eliminated], values: Mapping[int, Node], known: Mapping[int, Node]
) -> dict[int, Node]:
    """The unknowns, the last one that was eliminated first."""
    found: dict[int, Node] = {}
    for one in reversed(eliminated):
        others = (graph.mul(factor, found[k] if k in found else known[k]) for k, factor in one.factors.items())
        found[one.unknown] = graph.sub(values[one.unknown], graph.sum(others))
    return found


def _shift(graph: Graph, form: QuadraticForm, arm: Triple) -> None:
    """Refer a form to the point from which `arm` leads to its own: s becomes s + omega x arm."""
    for i, k in enumerate(SPIN):
        axis = [graph.one if j == i else graph.zero for j in range(3)]
        velocity = enumerate(cross(graph, axis, arm))
        form.substitute({j: node for j, node in velocity if node != graph.zero}, k)


def _zeros(graph: Graph) -> Triple:
    return [graph.zero] * 3
