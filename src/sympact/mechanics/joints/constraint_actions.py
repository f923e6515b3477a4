"""The forces of bilateral constraints on the bodies of a model, from the multipliers of their rows."""

from __future__ import annotations

from collections.abc import Sequence

from sympy.physics.mechanics.joint import Joint

from sympact.graph.algebra.linear import cross, dot, minus, scale
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.joints.held_part import HeldPart
from sympact.mechanics.joints.wrenches import Multipliers, Wrench, across, act_across, own_motion
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.restraint import Restraint

__all__ = ["constraint_actions", "restraint_of"]

Triple = list[Node]


def constraint_actions(
    wrench: Wrench,
    derivation: Derivation,
    restraints: Sequence[Restraint | None],
    joint: Joint,
    joints: Sequence[Joint],
    multipliers: Multipliers,
) -> list[int]:
    """Add the forces of constraints; returns the rows whose force cannot be attributed to bodies.

    The forces of a restraint act on both of its sides. An expression in the coordinates of one joint acts between the
    two bodies of that joint, as a limit does; one in the coordinates of several acts on no body beyond them.

    Parameters
    ----------
    restraints : sequence of Restraint or None
        That of each row; None for expressions.
    joint : Joint
        That which holds the part.
    """
    kinematics, graph, unknown = derivation.kinematics, derivation.graph, []
    held, free = _speeds_held(kinematics, wrench.part, joint, joints)
    for k, (row, restraint) in enumerate(zip(derivation.constraints, restraints, strict=True)):
        if restraint is not None:
            _restrain(wrench, kinematics, restraint, multipliers.reaction(k))
            continue
        between = across(kinematics, joints, row.jacobian)
        if between is not None:
            act_across(wrench, kinematics, multipliers.reaction(k), *between)
            continue
        met = {j for j, node in enumerate(row.jacobian) if node != graph.zero}
        if met & held or not met <= free:
            unknown.append(k)
    return unknown


def restraint_of(kinematics: Kinematics, constraint: Constraint, row: ConstraintRow) -> Restraint | None:
    """The restraint of a row; None without one, or where the row does more than its forces, as a length that depends
    on coordinates (compared at a random state)."""
    found = constraint.restraints(kinematics.kinematic_tree.frame).get(row.component)
    if found is None:
        return None
    graph = kinematics.graph
    total = [graph.zero] * len(kinematics.u)

    def add(velocity: Sequence[Node], force: Sequence[Node]) -> None:
        for j, column in enumerate(kinematics.partials(velocity)):
            total[j] = graph.add(total[j], dot(graph, column, force))

    force, moment, torque = _both_sides(kinematics, found)
    if found.points is not None:
        start, end = found.points
        add(minus(graph, kinematics.velocity(end), kinematics.velocity(start)), force)
    for frame, turning in zip(found.frames, (moment, torque), strict=True):
        if frame is not None:
            add(kinematics.spin(frame), turning)
    return found if kinematics.sample.close(total, row.jacobian) else None


def _restrain(wrench: Wrench, kinematics: Kinematics, restraint: Restraint, multiplier: Node) -> None:
    """Add the forces of a restraint on both of its sides."""
    graph = kinematics.graph
    force, moment, torque = (scale(graph, multiplier, one) for one in _both_sides(kinematics, restraint))
    if restraint.points is not None:
        start, end = restraint.points
        wrench.push(end, force)
        wrench.push(start, minus(graph, [graph.zero] * 3, force))
    for frame, turning in zip(restraint.frames, (moment, torque), strict=True):
        if frame is not None:
            wrench.turn(frame, turning)


def _both_sides(kinematics: Kinematics, restraint: Restraint) -> tuple[Triple, Triple, Triple]:
    """The force on Q, the moment on the side of P, and the torque on that of Q, for a multiplier of one."""
    graph, motion = kinematics.graph, Motion(kinematics)
    force, torque = list(restraint.force(motion).nodes), list(restraint.torque(motion).nodes)
    moment = minus(graph, [graph.zero] * 3, torque)
    if restraint.points is not None:
        moment = minus(graph, moment, cross(graph, kinematics.position_between(*restraint.points), force))
    return force, moment, torque


def _speeds_held(
    kinematics: Kinematics, part: HeldPart, joint: Joint, joints: Sequence[Joint]
) -> tuple[set[int], set[int]]:
    """The speeds of a joint and of those within the part that it holds, and the speeds of the other joints."""
    held: set[int] = set()
    free: set[int] = set()
    for other in joints:
        inside = other is joint or part.has_point(other.parent_point) or part.has_point(other.child_point)
        (held if inside else free).update(own_motion(kinematics, other)[1])
    return held, free
