"""All that acts on the part of a model that a joint holds, as one sum of forces and torques about the joint's child
point.

By d'Alembert's principle the inertia of the bodies is one of these actions, so that the joint balances the sum:

    R + sum F - sum m a = 0,   T + sum (r x F + M) - sum (r x m a + (I omega)') = 0

with r from the child point of the joint. In an impact momenta take the place of inertia, and impulses that of forces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy.physics.mechanics import Force, RigidBody
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.joint import Joint
from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, dot, lu_solve, matvec, minus, plus, scale
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.joints.held_part import HeldPart
from sympact.mechanics.kit.body_terms import Body, read_body
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.line_forces import line_forces
from sympact.mechanics.read.loads import split_loads
from sympact.mechanics.read.source import Description

__all__ = [
    "Multipliers",
    "Wrench",
    "across",
    "act_across",
    "contact_actions",
    "inertia",
    "load_actions",
    "momentum",
    "own_motion",
]

Triple = list[Node]


@dataclass(frozen=True, slots=True)
class Multipliers:
    """Forces that are numbers along a run, as entries of the input ``xdot`` after those of x'.

    Attributes
    ----------
    graph : Graph
    n_states, n_contacts, n_potentials : int
    """

    graph: Graph
    n_states: int
    n_contacts: int
    n_potentials: int

    def normal(self, k: int) -> Node:
        """The normal force or impulse of a contact (N or N s)."""
        return self.graph.input("xdot", self.n_states + k)

    def friction(self, k: int) -> Triple:
        """The force or impulse of friction of a contact, components in N."""
        return self._triple(self.n_states + self.n_contacts + 3 * k)

    def potential(self, k: int) -> Triple:
        """The force of the potential energy of a body (N), components in N."""
        return self._triple(self.n_states + 4 * self.n_contacts + 3 * k)

    def reaction(self, k: int) -> Node:
        """The multiplier of a row of the constraints."""
        return self.graph.input("xdot", self.n_states + 4 * self.n_contacts + 3 * self.n_potentials + k)

    def _triple(self, first: int) -> Triple:
        return [self.graph.input("xdot", first + i) for i in range(3)]


class Wrench:
    """The sum of the forces and torques on a part, components in N; further actions are added to it.

    Parameters
    ----------
    kinematics : Kinematics
    part : HeldPart
    about : Point
        The point of the moment.

    Attributes
    ----------
    force, torque : three nodes
    """

    def __init__(self, kinematics: Kinematics, part: HeldPart, about: Point) -> None:
        self.force, self.torque = [kinematics.graph.zero] * 3, [kinematics.graph.zero] * 3
        self.part = part
        self._kinematics, self._about = kinematics, about

    def push(self, point: Point, force: Sequence[Node], arm: Sequence[Node] | None = None) -> None:
        """Add a force at a point, or at an arm from it, if the point belongs to the part."""
        if self.part.has_point(point):
            graph, away = self._kinematics.graph, self._kinematics.position_between(self._about, point)
            away = away if arm is None else plus(graph, away, arm)
            self.force = plus(graph, self.force, force)
            self.torque = plus(graph, self.torque, cross(graph, away, force))

    def turn(self, frame: ReferenceFrame, torque: Sequence[Node]) -> None:
        """Add a torque on a frame, if the frame turns with a body of the part."""
        if self.part.has_frame(frame):
            self.torque = plus(self._kinematics.graph, self.torque, torque)

    @property
    def nodes(self) -> list[Node]:
        """Force and torque, six nodes."""
        return [*self.force, *self.torque]


def inertia(wrench: Wrench, kinematics: Kinematics, bodies: Sequence[BodyBase]) -> None:
    """Add -m a at each mass centre and -(I omega)', with the derivatives of the state taken from ``xdot``."""
    graph = kinematics.graph
    for body in _moving(wrench, kinematics, bodies):
        acceleration = [kinematics.flow(node) for node in kinematics.velocity(body.centre)]
        wrench.push(body.centre, _minus(graph, scale(graph, body.mass, acceleration)))
        if body.frame is not None:
            spin = kinematics.spin_in_body(body.frame)
            turning = matvec(graph, body.inertia, [kinematics.flow(node) for node in spin])
            turning = plus(graph, turning, cross(graph, spin, matvec(graph, body.inertia, spin)))
            wrench.turn(body.frame, _minus(graph, matvec(graph, kinematics.rotation(body.frame), turning)))


def momentum(wrench: Wrench, kinematics: Kinematics, bodies: Sequence[BodyBase]) -> None:
    """Add -m v at each mass centre and -I omega."""
    graph = kinematics.graph
    for body in _moving(wrench, kinematics, bodies):
        wrench.push(body.centre, _minus(graph, scale(graph, body.mass, kinematics.velocity(body.centre))))
        if body.frame is not None:
            turning = matvec(graph, body.inertia, kinematics.spin_in_body(body.frame))
            wrench.turn(body.frame, _minus(graph, matvec(graph, kinematics.rotation(body.frame), turning)))


def load_actions(wrench: Wrench, derivation: Derivation, description: Description, multipliers: Multipliers) -> None:
    """Add the loads: forces and torques, those along lines and between frames, and those of potential energies."""
    kinematics, graph, part = derivation.kinematics, derivation.graph, wrench.part
    loads = split_loads(description.loads, description.actuators, kinematics.kinematic_tree)
    for load in loads.applied:
        if isinstance(load, Force) and part.has_point(load.location):
            wrench.push(load.location, kinematics.vector(load.vector))
        elif not isinstance(load, Force) and part.has_frame(load.location):
            wrench.turn(load.location, kinematics.vector(load.vector))
    for couple in loads.couples:
        if part.has_frame(couple.target) != part.has_frame(couple.reaction):
            torque = kinematics.vector(couple.torque)
            wrench.turn(couple.target, torque)
            wrench.turn(couple.reaction, _minus(graph, torque))
    for line in loads.lines:
        if len({part.has_point(point) for point in line.points}) == 2:
            for start, end, force in zip(line.points, line.points[1:], line_forces(kinematics, line), strict=False):
                wrench.push(end, force)
                wrench.push(start, _minus(graph, force))
    for k, body in enumerate(derivation.survey.potentials):
        wrench.push(body.masscenter, multipliers.potential(k))


def contact_actions(
    wrench: Wrench, derivation: Derivation, joints: Sequence[Joint], multipliers: Multipliers
) -> list[int]:
    """Add the forces of contacts; returns the contacts whose force cannot be attributed to bodies.

    A contact acts at its point, and its moment about the point that locates a body turns the frame of its material. A
    limit of the coordinates of one joint acts between the two bodies of that joint: its wrench has the power of the
    limit in every motion of the joint.
    """
    kinematics, graph = derivation.kinematics, derivation.graph
    motion, unknown = Motion(kinematics), []
    for k, (contact, gap) in enumerate(zip(derivation.contacts, derivation.gaps, strict=True)):
        places = contact.applications(motion)
        if places:
            force = scale(graph, multipliers.normal(k), contact.normal(motion).nodes)
            force = plus(graph, force, multipliers.friction(k)) if gap.slip else force
            for place in places:
                acting, arm = force if place.sign > 0 else _minus(graph, force), place.arm.nodes
                wrench.push(place.point, acting, arm if place.frame is None else None)
                if place.frame is not None:
                    wrench.turn(place.frame, cross(graph, arm, acting))
            continue
        between = across(kinematics, joints, gap.jacobian)
        if between is None:
            unknown.append(k)
            continue
        act_across(wrench, kinematics, multipliers.normal(k), *between)
    return unknown


def act_across(wrench: Wrench, kinematics: Kinematics, multiplier: Node, joint: Joint, unit: Triple) -> None:
    """Add a wrench between the two bodies of a joint, at its child point."""
    graph = kinematics.graph
    acting = scale(graph, multiplier, unit)
    away = kinematics.position_between(joint.parent_point, joint.child_point)
    wrench.push(joint.child_point, acting[:3])
    wrench.turn(joint.child_interframe, acting[3:])
    wrench.push(joint.parent_point, _minus(graph, acting[:3]), away)
    wrench.turn(joint.parent_interframe, _minus(graph, acting[3:]))


def _moving(wrench: Wrench, kinematics: Kinematics, bodies: Sequence[BodyBase]) -> list[Body]:
    """The bodies of the part that are not at rest."""
    zero, found = kinematics.graph.zero, []
    for body in bodies:
        if wrench.part.has_point(body.masscenter):
            spin = kinematics.spin(body.frame) if isinstance(body, RigidBody) else []
            velocity = [*kinematics.velocity(body.masscenter), *spin]
            if any(node != zero for node in velocity):
                found.append(read_body(kinematics, body, ())[0])
    return found


def across(kinematics: Kinematics, joints: Sequence[Joint], row: Sequence[Node]) -> tuple[Joint, Triple] | None:
    """The joint on whose speeds alone a row of W^T depends, and the wrench on its child at its child point.

    With the partial velocities B of the child relative to the parent, the wrench h = B (B^T B)^-1 w has the power w .
    u, and none of the joint's reaction. None where there is no such joint.
    """
    graph, zero = kinematics.graph, kinematics.graph.zero
    met = [j for j, node in enumerate(row) if node != zero]
    for joint in joints:
        columns, own = own_motion(kinematics, joint)
        if met and set(met) <= set(own):
            matrix = [[dot(graph, columns[i], columns[j]) for j in own] for i in own]
            shares = lu_solve(graph, matrix, [row[j] for j in own])
            unit = [zero] * 6
            for j, share in zip(own, shares, strict=True):
                unit = plus(graph, unit, scale(graph, share, columns[j]))
            return joint, unit
    return None


def own_motion(kinematics: Kinematics, joint: Joint) -> tuple[list[list[Node]], list[int]]:
    """The partial velocities of a joint's relative twist, and the speeds of which some are not zero."""
    columns = kinematics.partials(_relative_twist(kinematics, joint))
    return columns, [j for j, column in enumerate(columns) if any(node != kinematics.graph.zero for node in column)]


def _relative_twist(kinematics: Kinematics, joint: Joint) -> Triple:
    """The velocity of the child point and the angular velocity of the child, relative to the parent; six nodes."""
    graph, tree, base = kinematics.graph, kinematics.kinematic_tree, joint.parent_interframe
    forward = tree.position[joint.child_point] is joint.parent_point
    edge = tree.edge(joint.child_point) if forward else -tree.edge(joint.parent_point)
    velocity = [graph.zero] * 3
    for components, frame in edge.args:
        local, rotation = [kinematics.read(component) for component in components], kinematics.rotation(frame)
        arm, turning = matvec(graph, rotation, local), kinematics.relative_spin(frame, base)
        velocity = plus(graph, velocity, matvec(graph, rotation, [kinematics.drift(node) for node in local]))
        velocity = plus(graph, velocity, cross(graph, turning, arm))
    return [*velocity, *kinematics.relative_spin(joint.child_interframe, base)]


def _minus(graph: Graph, vector: Sequence[Node]) -> Triple:
    return minus(graph, [graph.zero] * len(vector), vector)
