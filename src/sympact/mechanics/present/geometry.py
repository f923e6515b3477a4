"""The geometry along a run: positions, directions and sizes of a model, all computed in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sympy import Expr, S
from sympy.physics.mechanics import Force
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph import Unreadable
from sympact.graph.algebra.linear import plus
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.kinematic_tree import KinematicTree, chain, grow
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import is_constant, leaves
from sympact.mechanics.read.compliant_forces import compliant_force
from sympact.mechanics.read.loads import Line, Path
from sympact.mechanics.shapes.compliant import PAIR
from sympact.mechanics.shapes.contact import Contact
from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["Geometry", "Numbers", "Place", "Wanted"]


@dataclass(frozen=True, eq=False)
class Place:
    """A point, or the position at three distances from it along the axes of a frame.

    Parameters
    ----------
    point : Point or None
        None is the origin of the model.
    frame : ReferenceFrame, optional
    offset : tuple of three Expr (m)
    """

    point: Point | None
    frame: ReferenceFrame | None = None
    offset: tuple[Expr, Expr, Expr] = (S.Zero, S.Zero, S.Zero)


@dataclass(frozen=True, eq=False)
class Wanted:
    """The quantities requested from a model: positions, directions, sizes, and contact points.

    Parameters
    ----------
    places : sequence of Place
    vectors : sequence of Vector
    scalars : sequence of Expr
    touches : sequence of Unilateral
        The contacts whose point and normal are requested; only those that have a position.
    """

    places: Sequence[Place] = ()
    vectors: Sequence[Vector] = ()
    scalars: Sequence[Expr] = ()
    touches: Sequence[Unilateral] = ()


@dataclass(frozen=True, eq=False)
class Numbers:
    """The requested quantities at k times; components are in the inertial frame N, positions from its origin.

    Attributes
    ----------
    places : ndarray, shape (k, n, 3) (m)
    vectors : ndarray, shape (k, n, 3)
    touches : ndarray, shape (k, n, 3) (m)
        Contact points, or the points of the contacting parts that are closest to their surfaces.
    normals : ndarray, shape (k, n, 3)
        The unit normals there, the directions of positive forces.
    scalars : ndarray, shape (n, k)
    """

    places: np.ndarray
    vectors: np.ndarray
    touches: np.ndarray
    normals: np.ndarray
    scalars: np.ndarray


class Geometry:
    """The bodies, points and contacts of a model in one run.

    Parameters
    ----------
    model : HybridModel
    along : callable
        ``along(function, t, x)``: the values, shape (size, k), of a NumPy function with the numbers of the run.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> p = ball.model.compile().all_parameters([0.8, 9.81, 1.0])
    >>> geometry = Geometry(ball.model, lambda function, t, x: function(t, x, p))
    >>> wanted = Wanted([Place(geometry.located[0].point)])
    >>> geometry(wanted, np.array([0.0]), np.array([[0.7], [0.0]])).places
    array([[[0. , 0. , 0.7]]])
    """

    def __init__(self, model, along: Callable[[Callable, np.ndarray, np.ndarray], np.ndarray]) -> None:
        self._model = model
        self.along = along

    def in_run(self, along: Callable[[Callable, np.ndarray, np.ndarray], np.ndarray]) -> Geometry:
        """The same in another run."""
        return Geometry(self._model, along)

    @property
    def contacts(self) -> tuple[Unilateral, ...]:
        """The contacts, limits and strings, in the order of the model; then the compliant contacts."""
        return (*self._model.contacts, *map(PAIR, self._model.compliant_contacts))

    @property
    def located(self) -> tuple[Unilateral, ...]:
        """Those that have a position in space."""
        return tuple(contact for contact in self.contacts if contact.touching_points())

    @property
    def on_surfaces(self) -> tuple[Contact, ...]:
        """The contacts with surfaces."""
        return tuple(contact for contact in self.contacts if isinstance(contact, Contact))

    @property
    def touching(self) -> tuple[Point, ...]:
        """The contacting points of bodies, each once."""
        return tuple(dict.fromkeys(point for contact in self.contacts for point in contact.touching_points()))

    @property
    def frame(self) -> ReferenceFrame:
        """The inertial frame N."""
        return self._model.derivation.kinematics.kinematic_tree.frame

    @property
    def n_coordinates(self) -> int:
        """The number of generalized coordinates, the first of the states."""
        return len(self._model.q)

    @property
    def centres(self) -> tuple[Point, ...]:
        """The mass centres of the moving bodies whose position is known."""
        found = (body.masscenter for body in self._model.derivation.survey.bodies)
        return tuple(point for point in found if self._placed(point))

    @property
    def groups(self) -> tuple[tuple[tuple[Point, Point | None], ...], ...]:
        """The points of each rigid body, each with its parent, None for the first.

        Surfaces that move independently are left out.
        """
        derivation = self._model.derivation
        parents = derivation.kinematics.kinematic_tree.position
        own = {body.masscenter for body in derivation.survey.bodies} | set(self.touching)
        walls = {point for contact in self.contacts for point in contact.points()} - own
        groups = [
            group
            for group in derivation.rigid_points.points
            if all(map(self._placed, group)) and (own.intersection(group) or not walls.intersection(group))
        ]
        return tuple(tuple((point, _above(parents, point, group)) for point in group) for group in groups)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The springs, dampers and other forces along straight lines between points."""
        lines = self._model.derivation.survey.loads.lines
        return tuple(line for line in lines if all(map(self._placed, line.points)))

    @property
    def paths(self) -> tuple[Path, ...]:
        """Those along other pathways."""
        paths = self._model.derivation.survey.loads.paths
        return tuple(path for path in paths if all(map(self._placed, path.pathway.attachments)))

    def _placed(self, point: Point) -> bool:
        position = self._model.derivation.kinematics.kinematic_tree.position
        return chain(position, point)[0] is next(iter(position), None)

    @property
    def steady_forces(self) -> tuple[Vector, ...]:
        """The forces on bodies that depend on parameters alone: usually gravity."""
        forces = [load.vector for load in self._model.derivation.survey.loads.applied if isinstance(load, Force)]
        return tuple(force for force in forces if all(frame is self.frame and _constant(c) for c, frame in force.args))

    def faults(self, wanted: Wanted) -> list[str]:
        """The requested quantities that the model does not determine, one sentence each."""
        kinematic_tree, found = self._kinematic_tree(wanted), []
        origin = next(iter(kinematic_tree.position), None)
        for place in wanted.places:
            if place.point is not None and chain(kinematic_tree.position, place.point)[0] is not origin:
                assert origin is not None, "a point of the shape has a root"
                found.append(
                    f"the point '{place.point.name}' is not located from '{origin.name}', directly or by way of other"
                    " points; use set_pos or locatenew"
                )
        for frame in _frames(wanted, kinematic_tree):
            if frame not in kinematic_tree.orientation:
                found.append(f"the frame '{frame.name}' has no orientation relative to '{kinematic_tree.frame.name}'")
        return list(dict.fromkeys(found)) or self._unread(wanted)

    def _unread(self, wanted: Wanted) -> list[str]:
        """The requested symbols that the model does not have, or has no number for."""
        lengths = [*wanted.scalars, *(part for place in wanted.places for part in place.offset)]
        letters = dict.fromkeys(leaf for length in lengths for leaf in leaves(length))
        known = ", ".join(str(letter) for letter in self._model.parameters)
        found = [
            f"{letter} has no value in this run: nothing in the equations depends on it; put a number in its place"
            for letter in letters
            if letter in self._model.unused_parameters
        ]
        try:
            self._model.walk(lambda derivation: _nodes(self._kinematics(derivation, wanted), wanted))
        except Unreadable as error:
            parts = ", ".join(map(str, error.parts))
            found.append(f"{parts} is not of the model; use a number or an expression of its parameters: {known}")
        return found

    def __call__(self, wanted: Wanted, t: np.ndarray, x: np.ndarray) -> Numbers:
        """The numbers at times t, shape (k,), and states x, shape (n_states, k)."""
        counts = [3 * len(part) for part in (wanted.places, wanted.vectors, wanted.touches, wanted.touches)]
        k = len(t)
        if not sum(counts) + len(wanted.scalars):
            nothing = np.empty((k, 0, 3))
            return Numbers(nothing, nothing, nothing, nothing, np.empty((0, k)))
        function = self._model.walk(lambda derivation: _nodes(self._kinematics(derivation, wanted), wanted))
        *triples, scalars = np.split(self.along(function, t, x), np.cumsum(counts))
        places, vectors, touches, normals = (part.reshape(-1, 3, k).transpose(2, 0, 1) for part in triples)
        return Numbers(places, vectors, touches, normals, scalars)

    def gaps(self, contacts: Sequence[Unilateral], t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The gaps of some contacts of the model (m), shape (len(contacts), len(t))."""

        def nodes(derivation: Derivation) -> list[Node]:
            of_contacts = {id(one): gap.gap for one, gap in zip(derivation.contacts, derivation.gaps, strict=True)}
            for one in derivation.survey.loads.compliant:
                of_contacts[id(one.contact)] = compliant_force(derivation.kinematics, one).gap
            return [of_contacts[id(contact)] for contact in contacts]

        return self.along(self._model.walk(nodes), t, x)

    def _kinematics(self, derivation: Derivation, wanted: Wanted) -> Kinematics:
        """The motion of the model's points and frames, with those located since it was built."""
        known = derivation.kinematics
        return Kinematics(known.graph, derivation.symbols, self._kinematic_tree(wanted), known.rates, known.sample)

    def _kinematic_tree(self, wanted: Wanted) -> KinematicTree:
        """The model's trees of points and frames as they are now."""
        known = self._model.derivation.kinematics.kinematic_tree
        points = [place.point for place in wanted.places if place.point is not None]
        points += [point for contact in wanted.touches for point in contact.points()]
        return grow(known.frame, next(iter(known.position), None), points)


def _constant(components: Iterable[Expr]) -> bool:
    """Whether the components of a vector in one frame depend on parameters alone."""
    return all(is_constant(component) for component in components)


def _nodes(kinematics: Kinematics, wanted: Wanted) -> list[Node]:
    nodes = [node for place in wanted.places for node in _place(kinematics, place)]
    nodes += [node for vector in wanted.vectors for node in kinematics.vector(vector)]
    touches = [contact.place(Motion(kinematics)) for contact in wanted.touches]
    nodes += [node for side in range(2) for touch in touches for node in touch[side].nodes]
    return nodes + [kinematics.read(scalar) for scalar in wanted.scalars]


def _place(kinematics: Kinematics, place: Place) -> list[Node]:
    """The position of a place, without its velocity."""
    graph, kinematic_tree = kinematics.graph, kinematics.kinematic_tree
    total = [graph.zero] * 3
    if place.point is not None:
        for link in chain(kinematic_tree.position, place.point)[1:]:
            total = plus(graph, total, kinematics.vector(kinematic_tree.edge(link)))
    if place.frame is not None:
        x, y, z = place.offset
        beside = x * place.frame.x + y * place.frame.y + z * place.frame.z
        total = plus(graph, total, kinematics.vector(beside))
    return total


def _above(parents: Mapping[Point, Point | None], point: Point, group: Sequence[Point]) -> Point | None:
    """The parent of the others of a group; at the same position as a point outside the group, that one's parent."""
    above = parents[point]
    while above is not None and above not in group:
        above = parents[above]
    return None if point is group[0] else above


def _frames(wanted: Wanted, kinematic_tree: KinematicTree) -> list[ReferenceFrame]:
    """All frames in which the requested quantities are written."""
    vectors = list(wanted.vectors)
    frames = [place.frame for place in wanted.places if place.frame is not None]
    for place in wanted.places:
        if place.point is not None:
            vectors += [kinematic_tree.edge(link) for link in chain(kinematic_tree.position, place.point)[1:]]
    return frames + [frame for vector in vectors for _, frame in vector.args]
