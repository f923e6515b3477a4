"""The part of a model that a joint holds: the bodies, points and frames that would come off if the joint were cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy.physics.mechanics import RigidBody
from sympy.physics.mechanics.joint import Joint
from sympy.physics.vector import Point, ReferenceFrame

from sympact.mechanics.kit.kinematic_tree import KinematicTree, chain
from sympact.mechanics.read.source import Description

__all__ = ["HeldPart", "find_joint", "held_part"]


@dataclass(frozen=True, eq=False)
class HeldPart:
    """The bodies that a joint connects with the fixed point of the model, and all that is located from them.

    Attributes
    ----------
    tree : KinematicTree
    head : Point
        The joint's point on the part; all its points are located from it.
    sign : {1, -1}
        1 where the part is that of the joint's child, -1 where it is that of its parent.
    owners : mapping of ReferenceFrame to Point
        A point of the body of each frame, for frames of bodies and of joints.
    """

    tree: KinematicTree
    head: Point
    sign: int
    owners: dict[ReferenceFrame, Point]

    def has_point(self, point: Point) -> bool:
        """Whether a point belongs to the part."""
        return point in self.tree.position and any(link is self.head for link in chain(self.tree.position, point))

    def has_frame(self, frame: ReferenceFrame) -> bool:
        """Whether a frame turns with a body of the part: with that of the nearest frame that belongs to a body."""
        for link in reversed(chain(self.tree.orientation, frame)):
            if link in self.owners:
                return self.has_point(self.owners[link])
        return False


def find_joint(description: Description, wanted: object) -> Joint:
    """A joint of a model, from itself or its name.

    Raises
    ------
    ValueError
        If the model has no joints.
    KeyError
        If the joint is none of them, or several have the name.
    """
    joints = description.joints
    if not joints:
        raise ValueError(
            "the model has no joints: the forces in joints need a System whose bodies are connected by joints, "
            "system.add_joints(PinJoint(...), ...); a KanesMethod, a LagrangesMethod, and bodies located by hand do "
            "not say where one body holds another"
        )
    found = [joint for joint in joints if joint is wanted or (isinstance(wanted, str) and joint.name == wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise KeyError(f"{len(found)} joints are called '{wanted}'; give the joint itself")
    names = ", ".join(f"'{joint.name}'" for joint in joints)
    if isinstance(wanted, Joint):
        raise KeyError(f"the joint '{wanted.name}' belongs to another model; the joints of this one are {names}")
    raise KeyError(f"there is no joint {wanted!r}; the model's joints are {names}")


def held_part(description: Description, tree: KinematicTree, joint: Joint) -> HeldPart:
    """The part that a joint holds.

    Raises
    ------
    ValueError
        If the joint is part of a closed chain, or a point of a body is not located from that body.
    """
    forward = tree.position.get(joint.child_point) is joint.parent_point
    head = joint.child_point if forward else joint.parent_point
    part = HeldPart(tree, head, 1 if forward else -1, _owners(description.bodies, description.joints))
    connected = forward or tree.position.get(joint.parent_point) is joint.child_point
    for other in description.joints if connected else ():
        above, below = (
            {part.has_point(point), part.has_point(body.masscenter)}
            for point, body in ((other.parent_point, other.parent), (other.child_point, other.child))
        )
        connected &= len(above) == len(below) == 1 and (above == below) == (other is not joint)
    if not connected:
        raise ValueError(
            f"the joint '{joint.name}' is part of a closed chain, or a point of a body is located from elsewhere, so "
            "that it is not known which bodies the joint holds; locate each point of a body from that body alone, and "
            "connect the bodies as a tree"
        )
    return part


def _owners(bodies: Sequence[object], joints: Sequence[Joint]) -> dict[ReferenceFrame, Point]:
    """A point of the body of each frame that belongs to one."""
    owners = {body.frame: body.masscenter for body in bodies if isinstance(body, RigidBody)}
    for joint in joints:
        owners.setdefault(joint.parent_interframe, joint.parent.masscenter)
        owners.setdefault(joint.child_interframe, joint.child.masscenter)
    return owners
