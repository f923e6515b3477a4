"""The forces of contacts and constraints in conditions, as nodes of a model's graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.forces import FORCE, TORQUE, NormalForce, Reaction
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.latches import Latched

__all__ = ["ForceNodes"]


@dataclass(frozen=True, slots=True)
class ForceNodes:
    """The forces of contacts and constraints as nodes: after the rates ``xdot`` has the normal forces of all contacts,
    then the multipliers of all rows of constraints.

    Attributes
    ----------
    kinematics : Kinematics
    states : int
        How many rates there are.
    contacts : sequence of str
        Their names.
    constraints : sequence of Constraint
    rows : sequence of (str, str)
        The constraint and the component of each row of the equations.
    """

    kinematics: Kinematics
    states: int
    contacts: Sequence[str]
    constraints: Sequence[Constraint]
    rows: Sequence[tuple[str, str]]

    def node(self, force: NormalForce | Reaction, place: str) -> Node:
        """One of them; ValueError if the model does not have it."""
        if isinstance(force, Reaction):
            return self._reaction(force, self._constraint(force, place), place)
        if force.contact not in self.contacts:
            raise ValueError(f"{place} contains {force}; the contacts of the model are {list(self.contacts)}")
        return self.kinematics.graph.input("xdot", self.states + self.contacts.index(force.contact))

    def _constraint(self, force: Reaction, place: str) -> Constraint:
        named = [one for one in self.constraints if one.name == force.constraint]
        inner = [
            one for one in self.constraints if isinstance(one, Latched) and one.constraint.name == force.constraint
        ]
        found = named or inner
        if len(found) == 1:
            return found[0]
        names = ", ".join(repr(one.name) for one in found or self.constraints)
        if found:
            raise ValueError(f"{place} contains {force}, which may be the reaction of {names}; say which by its name")
        have = f"those of the model are {names}" if names else "the model has none"
        raise ValueError(f"{place} contains {force}, the reaction of a bilateral constraint; {have}")

    def _reaction(self, force: Reaction, constraint: Constraint, place: str) -> Node:
        own = {component: k for k, (name, component) in enumerate(self.rows) if name == constraint.name}
        if not own:
            raise ValueError(
                f"{place} contains {force}, but {constraint.title} adds no equation: it holds in every motion of the "
                "model, or follows from its other constraints, which bear the load"
            )
        if force.part in (FORCE, TORQUE):
            return self._magnitude(force, constraint, own, place)
        if force.part in own:
            return self._multiplier(own[force.part])
        if not force.part and len(own) == 1:
            return self._multiplier(*own.values())
        if list(own) == [""]:
            raise ValueError(
                f"{place} contains {force}, but {constraint.title} has one equation; its multiplier is "
                f"Reaction({constraint.name!r})"
            )
        raise ValueError(
            f"{place} contains {force}; the parts of {constraint.title} are {', '.join(map(repr, own))}, and of "
            f"closures {FORCE!r} and {TORQUE!r}: give one as Reaction({constraint.name!r}, part)"
        )

    def _magnitude(self, force: Reaction, constraint: Constraint, own: Mapping[str, int], place: str) -> Node:
        """The magnitude of the force or torque on the side of the second point."""
        restraints = constraint.restraints(self.kinematics.kinematic_tree.frame)
        if not set(own) <= set(restraints):
            raise ValueError(
                f"{place} contains {force}, but {constraint.title} does not say at which points it acts, so that it "
                "has multipliers, and no force at a point; write it as a closure between points, or take its "
                f"multiplier, Reaction({constraint.name!r})"
            )
        graph, motion, total = self.kinematics.graph, Motion(self.kinematics), [self.kinematics.graph.zero] * 3
        for name, k in own.items():
            one = restraints[name].force(motion) if force.part == FORCE else restraints[name].torque(motion)
            total = [
                graph.add(sum_, graph.mul(self._multiplier(k), unit))
                for sum_, unit in zip(total, one.nodes, strict=True)
            ]
        if total == [graph.zero] * 3:
            raise ValueError(f"{place} contains {force}, but {constraint.title} exerts no {force.part}")
        return graph.call("sqrt", dot(graph, total, total))

    def _multiplier(self, row: int) -> Node:
        return self.kinematics.graph.input("xdot", self.states + len(self.contacts) + row)
