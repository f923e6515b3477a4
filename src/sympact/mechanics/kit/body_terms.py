"""Bodies as the equations of motion need them: mass, central inertia, motion and applied loads."""

from __future__ import annotations

from dataclasses import dataclass

from sympy.physics.mechanics import Force, RigidBody
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, matmul, matvec, minus, plus, scale, transpose
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Body", "read_body"]

Triple = list[Node]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A moving body or particle.

    Attributes
    ----------
    name : str
    mass : node
        kg.
    centre : Point
        The mass centre.
    frame : ReferenceFrame or None
        The frame fixed in the body; None for a particle.
    inertia : matrix of nodes, shape (3, 3)
        About the mass centre, components in `frame` (kg m^2); empty for a particle.
    force : nodes, shape (3,)
        The forces that act at the mass centre, components in N.
    torque : nodes, shape (3,)
        The torques on the body, components in `frame`; zeros for a particle.
    """

    name: str
    mass: Node
    centre: Point
    frame: ReferenceFrame | None
    inertia: list[Triple]
    force: Triple
    torque: Triple

    def inertia_force(self, kinematics: Kinematics) -> Triple:
        """m a - F with u' left out, components in N."""
        acceleration = [kinematics.drift(node) for node in kinematics.velocity(self.centre)]
        return minus(kinematics.graph, scale(kinematics.graph, self.mass, acceleration), self.force)

    def inertia_torque(self, kinematics: Kinematics) -> Triple:
        """I alpha + omega x I omega - T with u' left out, components in the body; of a rigid body only."""
        graph = kinematics.graph
        spin = kinematics.spin_in_body(self.frame)
        turning = matvec(graph, self.inertia, [kinematics.drift(node) for node in spin])
        if not self._isotropic(graph):  # else I omega is along omega
            turning = plus(graph, turning, cross(graph, spin, matvec(graph, self.inertia, spin)))
        return minus(graph, turning, self.torque)

    def inertia_in_n(self, kinematics: Kinematics) -> list[Triple]:
        """The inertia matrix with components in N."""
        graph, rotation = kinematics.graph, kinematics.rotation(self.frame)
        if self._isotropic(graph):
            return self.inertia
        turned = matmul(graph, rotation, matmul(graph, self.inertia, transpose(rotation)))
        return [[turned[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)]

    def _isotropic(self, graph: Graph) -> bool:
        """Whether the inertia is a number times the unit matrix."""
        moment = self.inertia[0][0]
        return all(self.inertia[i][j] == (moment if i == j else graph.zero) for i in range(3) for j in range(3))


def read_body(kinematics: Kinematics, body: BodyBase, loads: tuple[LoadBase, ...]) -> tuple[Body, list[LoadBase]]:
    """A SymPy body as nodes, with those of the `loads` that act at its centre or on its frame."""
    graph = kinematics.graph
    frame = body.frame if isinstance(body, RigidBody) else None
    taken = [load for load in loads if load.location is body.masscenter or load.location is frame]
    force, torque = [graph.zero] * 3, [graph.zero] * 3
    for load in taken:
        if isinstance(load, Force):
            force = plus(graph, force, kinematics.vector(load.vector))
        else:
            torque = plus(graph, torque, kinematics.vector_in(load.vector, frame))
    inertia = [] if frame is None else _inertia(kinematics, body)
    return Body(body.name, kinematics.read(body.mass), body.masscenter, frame, inertia, force, torque), taken


def _inertia(kinematics: Kinematics, body: RigidBody) -> list[Triple]:
    """The central inertia, term by term of the dyadic: SymPy's `to_matrix` converts each term through all frames."""
    graph, frame = kinematics.graph, body.frame
    matrix = [[graph.zero] * 3 for _ in range(3)]
    for scalar, left, right in body.central_inertia.args:
        factor = kinematics.read(scalar)
        rows, columns = kinematics.vector_in(left, frame), kinematics.vector_in(right, frame)
        for i in range(3):
            for j in range(3):
                term = graph.mul(factor, graph.mul(rows[i], columns[j]))
                matrix[i][j] = graph.add(matrix[i][j], term)
    return matrix
