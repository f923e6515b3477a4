"""Velocities that were set, compared with the rates of the positions that they belong to.

SymPy takes the velocity of a point and the angular velocity of a frame as they are set, and Kane's equations read
nothing else: a `v2pt_theory` that forgets a term gives another motion silently. Where neither was set to anything
but the derivative of its position there is nothing to compare. Otherwise the two are compared in numbers at a random
state that meets the constraints, on which velocities may rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

import numpy as np
from sympy.physics.mechanics import Force, RigidBody
from sympy.physics.vector import Point, ReferenceFrame

from sympact.contact.memory.contact_tolerances import RANK
from sympact.graph import Function, Tangent, numpy_function, reachable
from sympact.graph.algebra.linear import matmul, minus, plus, transpose
from sympact.graph.nodes.node import Node
from sympact.integrate.problem.warning import SympactWarning
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.gaps import words_of_velocities
from sympact.mechanics.kit.kinematic_tree import chain, connected
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.kit.symbols import leaves
from sympact.mechanics.read.survey import Survey
from sympact.native.rounding import SAME, WRITTEN
from sympact.native.sentences.warn_user import warn_user

__all__ = ["contradictions", "warn_of_contradictions"]

_TRIES, _STEPS = 8, 30  # starts of Newton's method for a state on the constraints, and its steps


def warn_of_contradictions(derivation: Derivation, origin: Point | None) -> None:
    """Warn of each point and frame whose set velocity contradicts its position; `origin` is declared to be fixed."""
    for sentence in contradictions(derivation, origin):
        warn_user(sentence, SympactWarning)


def contradictions(derivation: Derivation, origin: Point | None) -> list[str]:
    """A sentence for each point and frame whose set velocity contradicts its position.

    Points are the mass centres and those of loads. One whose place in space is unknown, as that of a wheel whose
    positions begin at the material point on the ground, is left out: it moves where its position does not.

    Parameters
    ----------
    derivation : Derivation
    origin : Point or None
        A point that the source declares to be fixed.
    """
    kinematics, found = derivation.kinematics, derivation.survey
    audit = _Audit(kinematics, found, derivation.constraints, derivation.quaternions)
    turning = {frame for frame in found.frames if audit.turns_otherwise(frame)}
    places, tree = dict(_places(found)), kinematics.kinematic_tree
    suspects = [point for point in places if audit.is_suspect(point, turning)]
    if not (turning or suspects):
        return []
    fixed = {origin, *(tree.root(point) for point in places if point not in suspects and audit.moves(point))}
    sentences = [audit.about_frame(frame) for frame in _frames(found) if turning & {*chain(tree.orientation, frame)}]
    sentences += [audit.about_point(point, places[point], fixed) for point in suspects]
    return [sentence for sentence in sentences if sentence]


def _frames(found: Survey) -> list[ReferenceFrame]:
    """The frames whose angular velocities the equations of motion contain."""
    frames = [body.frame for body in found.bodies if isinstance(body, RigidBody)]
    frames += [load.location for load in found.loads.applied if not isinstance(load, Force)]
    frames += [frame for couple in found.loads.couples for frame in (couple.target, couple.reaction)]
    return list(dict.fromkeys(frames))


def _places(found: Survey) -> Iterator[tuple[Point, str]]:
    """The points whose velocities the equations of motion contain, each with what it is."""
    for line in found.loads.lines:
        yield from ((point, f"a point of {line.name}") for point in line.points)
    for load in found.loads.applied:
        if isinstance(load, Force):
            yield load.location, "the point of a force"
    for body in found.bodies:
        yield body.masscenter, f"the mass centre of the body '{body.name}'"


class _Audit:
    """Velocities against the rates of positions, at states that meet the constraints."""

    def __init__(
        self,
        kinematics: Kinematics,
        found: Survey,
        rows: Sequence[ConstraintRow],
        quaternions: Sequence[Sequence[int]],
    ) -> None:
        self._kinematics, self._graph, self._rows, self._quaternions = kinematics, kinematics.graph, rows, quaternions
        self._frames = frozenset(found.frames)
        self._n_given = len(found.symbols.parameters) + len(found.symbols.inputs)
        self._along = Tangent(kinematics.graph, kinematics.drift_seed)
        self._state: Sample | None = None
        self._sought = False

    def turns_otherwise(self, frame: ReferenceFrame) -> bool:
        """Whether the angular velocity of a frame in the one that orients it is not that of its orientation.

        Compared at any state. An orientation that does not change describes no attitude, as of a ball that looks the
        same however it is turned.
        """
        kinematics, tree = self._kinematics, self._kinematics.kinematic_tree
        above, parent = tree.orientation.get(frame), tree.spin.get(frame)
        if above is None or parent is None:
            return False
        edge = [[kinematics.read(entry) for entry in row] for row in tree.dcm(frame).tolist()]
        turning = self._turning(edge)
        if all(node == self._graph.zero for node in turning):
            return False
        if parent is above:
            given = kinematics.vector_in(tree.edge_spin(frame), frame)
        else:
            carried = kinematics.turn(kinematics.spin_in_body(above), above, frame)
            given = minus(self._graph, kinematics.spin_in_body(frame), carried)
        return not kinematics.sample.close(given, turning)

    def is_suspect(self, point: Point, turning: set[ReferenceFrame]) -> bool:
        """Whether a velocity or an angular velocity on the way to a point was set to something else."""
        kinematics = self._kinematics
        path = chain(kinematics.kinematic_tree.position, point)
        if not kinematics.overruled.isdisjoint(path):
            return True
        above = {frame for link in path[1:] for _, frame in kinematics.kinematic_tree.edge(link).args}
        orientation = kinematics.kinematic_tree.orientation
        return not all(turning.isdisjoint(chain(orientation, frame)) for frame in above)

    def moves(self, point: Point) -> bool:
        """Whether a point has a velocity."""
        return any(node != self._graph.zero for node in self._kinematics.velocity(point))

    def about_frame(self, frame: ReferenceFrame) -> str:
        """The contradiction of a frame on the constraints; empty where there is none."""
        kinematics = self._kinematics
        size = self._difference(kinematics.spin_in_body(frame), self._turning(kinematics.rotation(frame)))
        if not size:
            return ""
        return (
            f"the angular velocity of the frame '{frame.name}' differs by {size:.2g} of itself from the rate of its "
            f"orientation {self._where}: it was set to something that does not follow from the orientations and "
            "kinematic differential equations"
        )

    def about_point(self, point: Point, what: str, fixed: Container[Point | None]) -> str:
        """The contradiction of a point on the constraints; empty where there is none, or its place is unknown.

        Positions are measured from every point whose velocity is set to zero, of which some may be material points that
        only rest for an instant. The place is known if that point is one of the `fixed` ones, or the position moves
        whenever the point does.
        """
        kinematics, sizes = self._kinematics, []
        given = kinematics.velocity(point)
        for start in self._starts(point):
            position = self._position(start, point)
            if position is None:
                return ""
            rate = [self._along(node) for node in position]
            size = self._difference(given, plus(self._graph, kinematics.velocity(start), rate))
            if not size:
                return ""
            if start in fixed or not self._slides_away(position, given):
                sizes.append(size)
        if not sizes:
            return ""
        path = chain(kinematics.kinematic_tree.position, point)
        named = [link for link in path if link in kinematics.overruled]
        return (
            f"the velocity of the point '{point.name}', {what}, differs by {min(sizes):.2g} of itself from the rate of "
            f"its position {self._where}, so that the motion and its energy are wrong; "
            f"{words_of_velocities(named[-1:])}"
        )

    def _starts(self, point: Point) -> list[Point]:
        """The root of the tree of a point, and all points of the tree whose velocity is set to zero."""
        tree = self._kinematics.kinematic_tree
        velocities = ((one, tree.set_velocity(one)) for one in connected(point))
        at_rest = [one for one, velocity in velocities if velocity is not None and not velocity.args]
        return list(dict.fromkeys([tree.root(point), *at_rest]))

    def _position(self, start: Point, point: Point) -> list[Node] | None:
        """The vector from one point to another; None where it contains symbols that the model does not have."""
        tree = self._kinematics.kinematic_tree
        links = {*chain(tree.position, start)} ^ {*chain(tree.position, point)}
        for link in links:
            parts = tree.edge(link).args
            scalars = [scalar for components, _ in parts for scalar in components]
            if any(frame not in self._frames for _, frame in parts):
                return None
            if any(leaf not in self._kinematics.letters for scalar in scalars for leaf in leaves(scalar)):
                return None
        return self._kinematics.position_between(start, point)

    @property
    def _where(self) -> str:
        met = " that meets the constraints" if self._rows else ""
        return f"(compared at a random state{met})"

    def _turning(self, rotation: list[list[Node]]) -> list[Node]:
        """The axial vector of R^T R'."""
        slope = [[self._along(entry) for entry in row] for row in rotation]
        turning = matmul(self._graph, transpose(rotation), slope)
        return [turning[2][1], turning[0][2], turning[1][0]]

    def _difference(self, given: Sequence[Node], derived: Sequence[Node]) -> float:
        """|a - b| of the larger of them on the constraints; 0 where they agree, or no such state is found."""
        sample = self._on_constraints()
        if sample is None or sample.close(given, derived):
            return 0.0
        a, b = np.array(sample(given)), np.array(sample(derived))
        return float(np.linalg.norm(a - b) / max(np.linalg.norm(a), np.linalg.norm(b)))

    def _slides_away(self, position: Sequence[Node], velocity: Sequence[Node]) -> bool:
        """Whether a point moves at speeds that the constraints permit and at which its position does not change."""
        kinematics, sample = self._kinematics, self._on_constraints()
        assert sample is not None, "a difference was found there"
        parts = reachable(self._graph, position)
        rates = [rate for q, rate in zip(kinematics.q, kinematics.rates, strict=True) if q in parts]
        held = _numbers(sample, kinematics.partials(rates), len(rates)).T
        held = np.vstack([held, *(sample(row.jacobian) for row in self._rows)])
        moved = _numbers(sample, kinematics.partials(velocity), 3)
        _, values, directions = np.linalg.svd(held, full_matrices=True)
        rank = int((values > RANK * values.max(initial=0.0)).sum())
        return bool(np.abs(directions[rank:] @ moved).max(initial=0.0) > SAME * np.abs(moved).max())

    def _on_constraints(self) -> Sample | None:
        """A random state that meets the constraints; None where none is found."""
        if not self._sought:
            self._sought = True
            self._state = self._kinematics.sample if not self._rows else self._projected()
        return self._state

    def _projected(self) -> Sample | None:
        kinematics, graph = self._kinematics, self._graph
        phi = [row.position for row in self._rows if row.position is not None]
        slopes = [Tangent(graph, {q: graph.one})(node) for node in phi for q in kinematics.q]
        rates = [node for row in self._rows for node in (row.drift, *row.jacobian)]
        place = numpy_function(graph, Function("place", (*phi, *slopes), ("t", "x", "p")))
        speed = numpy_function(graph, Function("speed", tuple(rates), ("t", "x", "p")))
        for seed in range(_TRIES):
            random = np.random.default_rng(seed)
            x = random.uniform(-1.0, 1.0, len(kinematics.q) + len(kinematics.u))
            t, p = random.uniform(-1.0, 1.0), random.uniform(0.5, 1.5, self._n_given)
            if self._meet(partial(_at, place, t, p), x, len(phi)):
                n = len(kinematics.q)
                equations = speed(t, x, p).reshape(len(self._rows), -1)
                x[n:] -= np.linalg.lstsq(equations[:, 1:], equations[:, 1:] @ x[n:] + equations[:, 0], rcond=RANK)[0]
                values = {graph.input("x", i): float(value) for i, value in enumerate(x)}
                values |= {graph.input("p", i): float(value) for i, value in enumerate(p)}
                return Sample(graph, values | {graph.input("t", 0): float(t)})
        return None

    def _meet(self, place: Callable[[np.ndarray], np.ndarray], x: np.ndarray, k: int) -> bool:
        """Move the coordinates onto the constraints by Newton's method; whether they meet them."""
        n = len(self._kinematics.q)
        for _ in range(_STEPS):
            found = place(x)
            values, slopes = found[:k], found[k:].reshape(k, n)
            units = np.zeros((len(self._quaternions), n))
            for row, group in zip(units, self._quaternions, strict=True):
                row[list(group)] = 2.0 * x[list(group)]
            norms = [math.hypot(*x[list(group)]) ** 2 - 1.0 for group in self._quaternions]
            residual, matrix = np.concatenate([values, norms]), np.vstack([slopes, units])
            if not (np.isfinite(residual).all() and np.isfinite(matrix).all()):
                return False
            if np.abs(residual).max(initial=0.0) <= WRITTEN:
                return True
            x[:n] -= np.linalg.lstsq(matrix, residual, rcond=RANK)[0]
        return False


def _at(function: Callable[..., np.ndarray], t: float, p: np.ndarray, x: np.ndarray) -> np.ndarray:
    return function(t, x, p)


def _numbers(sample: Sample, columns: Sequence[Sequence[Node]], n: int) -> np.ndarray:
    """A matrix of numbers with a row for each speed."""
    return np.array([sample(column) for column in columns]).reshape(-1, n)
