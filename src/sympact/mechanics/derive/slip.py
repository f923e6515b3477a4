"""The kinematics of friction: the velocity of one body's material relative to the other's at the contact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["Slip", "slip_of"]


@dataclass(frozen=True, slots=True)
class Slip:
    """The relative motion at a contact with friction as nodes; vectors are components in N.

    No tangents are chosen here: the tangential part of a vector is the vector minus its part along the normal.

    Attributes
    ----------
    normal : three nodes
        The unit normal n to the free side.
    velocity : three nodes
        v (m/s) of the contacting material relative to that of the surface; gamma_T is its tangential part.
    jacobian : three tuples of node
        dv/du, a row for each component.
    acceleration : three nodes
        v' (m/s^2) along the motion, with the derivatives of the state taken from the input ``xdot``.
    friction, static_friction : node
        The kinetic and the static coefficient.
    """

    normal: tuple[Node, ...]
    velocity: tuple[Node, ...]
    jacobian: tuple[tuple[Node, ...], ...]
    acceleration: tuple[Node, ...]
    friction: Node
    static_friction: Node

    def nodes(self) -> list[Node]:
        """All of them, in the order of the compiled function's output."""
        columns = [entry for row in self.jacobian for entry in row]
        coefficients = [self.friction, self.static_friction]
        return [*self.normal, *self.velocity, *self.acceleration, *columns, *coefficients]

    def replaced(self, at: Callable[[Node], Node], speeds: Sequence[int]) -> Slip:
        """The slip with `at` of each node, and the columns of some speeds alone."""
        return Slip(
            normal=tuple(map(at, self.normal)),
            velocity=tuple(map(at, self.velocity)),
            jacobian=tuple(tuple(at(row[i]) for i in speeds) for row in self.jacobian),
            acceleration=tuple(map(at, self.acceleration)),
            friction=at(self.friction),
            static_friction=at(self.static_friction),
        )


def slip_of(kinematics: Kinematics, contact: Unilateral, faults: Faults) -> Slip | None:
    """The slip of a contact; None without friction. A surface of unknown motion is added to `faults`."""
    if not contact.has_friction:
        return None
    sentence = contact.why_no_friction()
    if sentence:
        faults.add(f"{contact.title} has friction, but {sentence}")
        return None
    motion = Motion(kinematics)
    velocity = contact.velocity(motion).nodes
    columns = kinematics.partials(velocity)
    return Slip(
        normal=contact.normal(motion).nodes,
        velocity=velocity,
        jacobian=tuple(tuple(column[i] for column in columns) for i in range(3)),
        acceleration=tuple(kinematics.flow(node) for node in velocity),
        friction=kinematics.read(contact.friction),
        static_friction=kinematics.read(contact.static_friction),
    )
