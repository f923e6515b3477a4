"""The user's objects that the model needs: found, checked and listed before any equation is derived."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sympy import S
from sympy.physics.mechanics import Force, RigidBody
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.forces import NormalForce
from sympact.mechanics.kit.kinematic_tree import KinematicTree, chain, connected
from sympact.mechanics.kit.symbols import LOAD, POSITION, VELOCITY, Collector, Symbols, is_constant, leaves
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.loads import Couple, Line, Loads
from sympact.mechanics.read.source import Description
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.unilateral import Part, Unilateral, approach_speed, slip_speed

__all__ = ["Survey", "survey"]

Thing = TypeVar("Thing")
Place = TypeVar("Place", Point, ReferenceFrame)
_LOCATE = "locate it with set_pos or locatenew, and set the velocity of a point at rest to 0 with set_vel"


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The moving part of a model.

    Attributes
    ----------
    symbols : Symbols
        Its symbols.
    bodies : tuple
        The bodies and particles that the speeds move, without the ground and bodies with a prescribed motion.
    potentials : tuple
        The bodies with a potential energy that depends on the motion and acts as a load.
    loads : Loads
        The loads that act on moving points and frames.
    frames, points : tuple
        The frames and points in use, each after its parent.
    """

    symbols: Symbols
    bodies: tuple[BodyBase, ...]
    potentials: tuple[BodyBase, ...]
    loads: Loads
    frames: tuple[ReferenceFrame, ...]
    points: tuple[Point, ...]


def survey(
    description: Description,
    kinematic_tree: KinematicTree,
    loads: Loads,
    contacts: Iterable[Unilateral],
    faults: Faults,
) -> Survey:
    """Collect the parts of the equations of motion, of the contacts and of the constraints.

    Parameters
    ----------
    description, skeleton
        The user's objects and their trees.
    loads : Loads
    contacts : iterable of Unilateral
    faults : Faults
        Unconnected points and frames, symbols of equal name and the like are added here.
    """
    walk = _Surveyor(description, kinematic_tree, faults)
    for term in description.principle.terms():
        walk.letters.take(term.expressions, term.further, term.place)
    for name, expression in description.outputs.items():
        walk.letters.take([expression], LOAD, f"the output {name!r}")
    bodies = tuple(body for body in description.bodies if walk.body(body))
    acting_potentials = description.bodies if description.principle.potentials_act else ()
    potentials = tuple(body for body in acting_potentials if walk.potential(body))
    applied = tuple(load for load in loads.applied if walk.load(load))
    acting = Loads(
        applied,
        tuple(line for line in loads.lines if walk.line(line)),
        tuple(couple for couple in loads.couples if walk.couple(couple)),
        tuple(path for path in loads.paths if any(load is one for load in path.loads for one in applied)),
        tuple(contact for contact in loads.compliant if walk.compliant(contact)),
    )
    for contact in contacts:
        walk.contact(contact)
    for condition in description.conditions:
        walk.letters.take([condition.margin], LOAD, f"the condition {condition.name!r}", with_forces=True)
    for jump in description.jumps:
        walk.letters.take([value for _, value in jump.changes], LOAD, f"the jump {jump.name!r}")
    for constraint in description.constraints:
        walk.constraint(constraint)
    return Survey(walk.letters.finish(), bodies, potentials, acting, tuple(walk.frames), tuple(walk.points))


class _Surveyor:
    """Follows frames and points to their roots and stores which of them move."""

    def __init__(self, description: Description, kinematic_tree: KinematicTree, faults: Faults) -> None:
        self.letters = Collector(
            description.q,
            description.u,
            faults,
            description.u_auxiliary,
            discrete=description.discrete,
            forces=map(NormalForce, description.compliant),
        )
        moving = description.kinematic_equations[: len(description.kinematic_equations) - len(description.discrete)]
        self.letters.take(moving, VELOCITY, "a kinematic differential equation")
        self.frames: dict[ReferenceFrame, bool] = {kinematic_tree.frame: False}
        self.points: dict[Point, bool] = {}
        self._spins: dict[ReferenceFrame, bool] = {kinematic_tree.frame: False}
        self._lost: set[ReferenceFrame] = set()
        self._kinematic_tree = kinematic_tree
        self._faults = faults
        self._without_frame = description.without_frame

    def body(self, body: BodyBase) -> bool:
        """Whether a body moves; if so the symbols of its mass and inertia are added to the model's."""
        place = f"the body '{body.name}'"
        rigid = isinstance(body, RigidBody)
        moves = self.point(body.masscenter, place)
        if rigid:
            moves |= self.frame(body.frame, place)
        if moves:
            self.letters.take([body.mass], LOAD, f"the mass of {place}")
        if moves and rigid:
            for scalar, left, right in body.central_inertia.args:
                self.letters.take([scalar], LOAD, f"the inertia of {place}")
                self.vector(left, LOAD, f"the inertia of {place}")
                self.vector(right, LOAD, f"the inertia of {place}")
        return moves

    def potential(self, body: BodyBase) -> bool:
        """Whether a body has a potential energy that depends on the motion."""
        energy = body.potential_energy
        if not any(leaf in self.letters.q for leaf in leaves(energy)):
            return False
        return self.letters.take([energy], POSITION, f"the potential energy of the body '{body.name}'")

    def load(self, load: LoadBase) -> bool:
        """Whether the target of a load moves; if so the symbols of its vector are added to the model's."""
        place = f"the load on '{load.location.name}'"
        moves = (self.point if isinstance(load, Force) else self.frame)(load.location, place)
        if moves:
            self.vector(load.vector, LOAD, place)
        return moves

    def line(self, line: Line) -> bool:
        """Whether a force along a line has an end that moves."""
        ends = [self.point(point, line.name) for point in line.points]
        if any(ends):
            self.letters.take(line.law.scalars(), LOAD, line.name)
        return any(ends)

    def couple(self, couple: Couple) -> bool:
        """Whether a pair of torques acts on a rotating frame."""
        ends = [self.frame(frame, couple.name) for frame in (couple.target, couple.reaction)]
        if any(ends):
            self.vector(couple.torque, LOAD, couple.name)
        return any(ends)

    def contact(self, contact: Unilateral) -> None:
        """The symbols of a contact, with a check that its restitution is constant."""
        if self._refuse_without_frame(contact):
            return
        for part in contact.parts():
            self._part(part, POSITION)
        self.letters.take([contact.active], LOAD, f"active of {contact.title}")
        for what in ("restitution", "friction", "static_friction"):
            value, words = getattr(contact, what), what.replace("_", " ")
            if what == "restitution":
                value = value.xreplace({approach_speed: S.One})
            self.letters.take([value.xreplace({slip_speed: S.One})], LOAD, f"the {words} of {contact.title}")
            if what == "restitution" and not is_constant(value):
                self._faults.add(
                    f"the {words} of {contact.title} is {value}; expected a number or an expression of parameters, "
                    "which do not change with time"
                )

    def compliant(self, contact: CompliantContact) -> bool:
        """Whether a compliant contact has a place; if so the symbols of its sides and of its law are added."""
        if self._refuse_without_frame(contact):
            return False
        for part in contact.parts():
            self._part(part, POSITION)
        self.letters.take(contact.law.parts(), LOAD, f"the law of {contact.title}")
        return True

    def constraint(self, constraint: Constraint) -> None:
        """The symbols of a constraint, with a check that it restricts coordinates or speeds."""
        if self._refuse_without_frame(constraint):
            return
        unfit = constraint.unfit(self.letters.q, self.letters.u)
        if unfit:
            self._faults.add(f"{constraint.title} {unfit}")
            return
        for part in constraint.parts():
            self._part(part, constraint.further)

    def _part(self, part: Part, further: int) -> None:
        for point in part.points:
            self.point(point, part.place)
        for vector in part.vectors:
            self.vector(vector, POSITION, part.place)
        self.letters.take(part.scalars, further, part.place)
        for frame in part.frames:
            self.frame(frame, part.place)

    def _refuse_without_frame(self, given: Unilateral | CompliantContact | Constraint) -> bool:
        """Whether a contact or a constraint needs an inertial frame that the source does not have."""
        located = any(part.points or part.vectors or part.frames for part in given.parts())
        if located and self._without_frame:
            self._faults.add(f"{given.title} is given by points and vectors, but {self._without_frame}")
        return bool(located and self._without_frame)

    def vector(self, vector: Vector, further: int, place: str) -> bool:
        """Whether a vector moves, by its components or by the frames in which they are given."""
        moves = False
        for components, frame in vector.args:
            moves |= self.letters.take(components, further, place)
            moves |= self.frame(frame, place)
        return moves

    def frame(self, frame: ReferenceFrame, place: str) -> bool:
        """Whether a frame rotates with the motion; an unconnected one is a fault."""
        kinematic_tree = self._kinematic_tree
        if frame not in kinematic_tree.orientation:
            if frame not in self._lost:
                self._lost.add(frame)
                self._faults.add(
                    f"{place} uses the frame '{frame.name}', which has no orientation relative to "
                    f"'{kinematic_tree.frame.name}'; "
                    f"{_elsewhere(frame, kinematic_tree.orientation) or 'orient it, or put a joint there'}"
                )
            return False
        for link in _new(kinematic_tree.orientation, frame, self.frames):
            orientation = self.letters.take(
                kinematic_tree.dcm(link), POSITION, f"the orientation of the frame '{link.name}'"
            )
            self.frames[link] = orientation | self.frames[kinematic_tree.orientation[link]]
        if frame in kinematic_tree.spin:
            for link in _new(kinematic_tree.spin, frame, self._spins):
                self._spins[link] = self._spins[kinematic_tree.spin[link]]
                self._spins[link] |= self.vector(
                    kinematic_tree.edge_spin(link), VELOCITY, f"the angular velocity of the frame '{link.name}'"
                )
        return self.frames[frame] | self._spins.get(frame, False)

    def point(self, point: Point, place: str) -> bool:
        """Whether a point moves; one whose motion is unknown is a fault."""
        for link in _new(self._kinematic_tree.position, point, self.points):
            self.points[link] = self._link(link, place)
        return self.points[point]

    def _link(self, point: Point, place: str) -> bool:
        velocity, parent = self._kinematic_tree.set_velocity(point), self._kinematic_tree.position[point]
        moves = False
        if parent is not None:
            position = self.vector(
                self._kinematic_tree.edge(point), POSITION, f"the position of the point '{point.name}'"
            )
            moves = position | self.points[parent]
        elif velocity is None:
            self._faults.add(
                f"{place} uses the point '{point.name}', which no position connects with a point at rest in "
                f"'{self._kinematic_tree.frame.name}'; "
                f"{_elsewhere(point, self._kinematic_tree.position) or _LOCATE}"
            )
        if velocity is not None:
            moves |= self.vector(velocity, VELOCITY, f"the velocity of the point '{point.name}'")
        return moves


def _elsewhere(thing: Place, known: Iterable[Place]) -> str:
    """That a point or a frame belongs to another system; empty where no name is that of another one of this system."""
    members = connected(thing)
    names = {one.name for one in known if one not in members}
    double = next((one.name for one in members if one.name in names), None)
    if double is None:
        return ""
    made = "this one" if double == thing.name else f"'{thing.name}' is connected with one that"
    return (
        f"this system has another '{double}': {made} was made again, or for another system; make points and frames "
        "once and use them everywhere"
    )


def _new(parents: Mapping[Thing, Thing | None], thing: Thing, known: Mapping[Thing, bool]) -> list[Thing]:
    """The links from the root down to `thing` that have not been read yet."""
    return [] if thing in known else [link for link in chain(parents, thing) if link not in known]
