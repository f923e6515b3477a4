"""The kinematics of friction: the velocity of one body's material relative to the other's at the contact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sympy import Dummy, Expr, Piecewise, Symbol

from sympact.graph.formula import Scalar, Vector3, sqrt
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import is_constant
from sympact.mechanics.shapes.unilateral import Unilateral, slip_speed
from sympact.native.rounding import LEAST_NORMAL

__all__ = ["Slip", "slip_of"]

_BEYOND = Symbol("v_beyond")


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
        The kinetic coefficient at the slip of the state, and the static one.
    varies : bool
        Whether one of them changes during a motion: with the slip, the place, the time, or an input.
    ellipse : four nodes, optional
        The unit axis e_1 of anisotropic friction in the tangent plane, and its ratio. With it the acceleration is the
        sum of the derivatives of the components of v along e_1 and across it: e_i . v' + e_i' . v.
    continued : node, optional
        The kinetic coefficient at the negative of the slip speed, where it depends on it: a step may end beyond the end
        of a slip, where mu(s) goes on with the slip s as a signed number, without the kink of mu(abs(s)).
    """

    normal: tuple[Node, ...]
    velocity: tuple[Node, ...]
    jacobian: tuple[tuple[Node, ...], ...]
    acceleration: tuple[Node, ...]
    friction: Node
    static_friction: Node
    varies: bool
    ellipse: tuple[Node, ...] | None = None
    continued: Node | None = None

    def nodes(self, others: tuple[Node, ...] = (), continued: bool = False) -> list[Node]:
        """All of them, in the order of the compiled function's output.

        Parameters
        ----------
        others : four nodes, optional
            In the place of the ellipse of a contact without one.
        continued : bool
            Whether there is a continuation of mu in any case: mu itself where mu does not depend on the slip.
        """
        columns = [entry for row in self.jacobian for entry in row]
        coefficients = [*(self.ellipse or others), self.friction, self.static_friction]
        if continued or self.continued is not None:
            coefficients.insert(-2, self.friction if self.continued is None else self.continued)
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
            varies=self.varies,
            ellipse=None if self.ellipse is None else tuple(map(at, self.ellipse)),
            continued=None if self.continued is None else at(self.continued),
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
    normal, whole = contact.normal(motion), contact.velocity(motion)
    velocity = whole.nodes
    columns = kinematics.partials(velocity)
    kinetic, read, continued = contact.friction, kinematics.read, None
    if kinetic.has(slip_speed):
        across = whole.across(normal)
        size = _root(across.dot(across))
        kinematics.named[size.node] = Symbol(f"v_slip of {contact.name}")
        kinetic, read = kinetic.rewrite(Piecewise), kinematics.reader({slip_speed: size.node, _BEYOND: (-size).node})
        continued = read(_continued(kinetic))
    acceleration, ellipse = tuple(kinematics.flow(node) for node in velocity), None
    if contact.anisotropy is not None:
        axis = Vector3(whole.graph, tuple(kinematics.vector(contact.anisotropy.axis))).across(normal).unit
        acceleration = _along_axes(kinematics, whole, (axis, normal.cross(axis)))
        ellipse = (*axis.nodes, kinematics.read(contact.anisotropy.ratio))
    varies = continued is not None or not (is_constant(kinetic) and is_constant(contact.static_friction))
    return Slip(
        normal=normal.nodes,
        velocity=velocity,
        jacobian=tuple(tuple(column[i] for column in columns) for i in range(3)),
        acceleration=acceleration,
        friction=read(kinetic),
        static_friction=_static_limit(kinematics, contact) if varies else read(contact.static_friction),
        varies=varies,
        ellipse=ellipse,
        continued=continued,
    )


def _along_axes(kinematics: Kinematics, velocity: Vector3, axes: Sequence[Vector3]) -> tuple[Node, ...]:
    """The vector of the derivatives of the components of a velocity along turning axes."""
    total = _rate(kinematics, velocity)
    for axis in axes:
        total = total + _rate(kinematics, axis).dot(velocity) * axis
    return total.nodes


def _rate(kinematics: Kinematics, vector: Vector3) -> Vector3:
    return Vector3(vector.graph, tuple(map(kinematics.flow, vector.nodes)))


def _continued(kinetic: Expr) -> Expr:
    """mu at the slip `_BEYOND`, on the branches that hold at the slip speed: conditions change where it does alone."""
    found = {condition for one in kinetic.atoms(Piecewise) for _, condition in one.args if condition.has(slip_speed)}
    kept = {condition: Dummy() for condition in found}
    beyond = kinetic.xreplace(kept).xreplace({slip_speed: _BEYOND})
    return beyond.xreplace({letter: condition for condition, letter in kept.items()})


def _root(square: Scalar) -> Scalar:
    """The root of a square, whose derivative at zero is 0 and not 0/0: no square of a speed in m/s is so small."""
    return sqrt(square + LEAST_NORMAL)


def _static_limit(kinematics: Kinematics, contact: Unilateral) -> Node:
    """mu_static of a contact whose friction changes during a motion: at least the kinetic one at no slip.

    The larger of the two is written without a condition: where they cross there is no event.
    """
    static, begins = contact.static_friction, contact.friction.subs(slip_speed, 0)
    own = Scalar(kinematics.graph, kinematics.read(static))
    if begins == static:
        return own.node
    other = Scalar(kinematics.graph, kinematics.read(begins))
    return (0.5 * (own + other + _root((own - other) ** 2))).node
