"""The loads on the bodies, decomposed from SymPy's loads and actuators without evaluation.

SymPy's actuators write their forces as expressions of all coordinates between their ends. Here a force along a line is
stored as a length and a law: its generalized force is F dL'/du, with the length L and its rate from the graph.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr, S
from sympy.physics.mechanics import (
    DuffingSpring,
    Force,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Torque,
    TorqueActuator,
)
from sympy.physics.mechanics.actuator import ActuatorBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph import FromSympy, Graph
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import KinematicTree
from sympact.mechanics.kit.snapshot import left_unchanged

__all__ = ["Couple", "Law", "Line", "Loads", "split_loads"]


class Law(ABC):
    """The force of an element between two points as a function of its length; positive pushes the ends apart."""

    @abstractmethod
    def scalars(self) -> tuple[Expr, ...]:
        """The expressions in it."""

    @abstractmethod
    def density(self, graph: Graph, read: FromSympy, length: Node, rate: Node, part: Node) -> Node:
        """The node of F / part (N/m), with the length (m) and its rate (m/s) of the whole and the length of a part."""

    @abstractmethod
    def along(self, graph: Graph, read: FromSympy, length: Node, place: Node, slope: Node) -> Node:
        """The node of the force along an axis (N), of ends at the distance `place` with the rate `slope` along it.

        ``length = |place|``: the ends may pass each other.
        """

    @abstractmethod
    def potential(self, graph: Graph, read: FromSympy, length: Node) -> Node | None:
        """The node of the potential energy (J); zero for a dissipative force, None where none is known."""


def _side(graph: Graph, length: Node, place: Node) -> Node:
    """sign x of x and |x|; 1 where x cannot be negative."""
    return graph.one if length == place else graph.call("sign", place)


@dataclass(frozen=True, slots=True)
class Spring(Law):
    """F = -k d - k3 d^3 with the elongation d from the free length."""

    stiffness: Expr
    cubic: Expr
    free_length: Expr

    def scalars(self) -> tuple[Expr, ...]:
        """The stiffnesses and the free length."""
        return (self.stiffness, self.cubic, self.free_length)

    def _secant(self, graph: Graph, read: FromSympy, length: Node) -> Node:
        """k + k3 d^2."""
        if self.cubic == 0:
            return read(self.stiffness)
        square = graph.ipow(graph.sub(length, read(self.free_length)), 2)
        return graph.add(read(self.stiffness), graph.mul(read(self.cubic), square))

    def density(self, graph: Graph, read: FromSympy, length: Node, rate: Node, part: Node) -> Node:
        """-(k + k3 d^2) (L - L0) / part; finite at L = 0 when the free length is zero."""
        free, secant = read(self.free_length), self._secant(graph, read, length)
        whole = graph.one if length == part else graph.div(length, part)
        return graph.neg(graph.mul(secant, graph.sub(whole, graph.div(free, part))))

    def along(self, graph: Graph, read: FromSympy, length: Node, place: Node, slope: Node) -> Node:
        """-(k + k3 d^2) (x - L0 sign x)."""
        turned = graph.mul(read(self.free_length), _side(graph, length, place))
        return graph.neg(graph.mul(self._secant(graph, read, length), graph.sub(place, turned)))

    def potential(self, graph: Graph, read: FromSympy, length: Node) -> Node:
        """k d^2 / 2 + k3 d^4 / 4."""
        square = graph.ipow(graph.sub(length, read(self.free_length)), 2)
        secant = graph.add(
            graph.mul(graph.const(0.5), read(self.stiffness)),
            graph.mul(graph.mul(graph.const(0.25), read(self.cubic)), square),
        )
        return graph.mul(secant, square)


@dataclass(frozen=True, slots=True)
class Damper(Law):
    """F = -c L'."""

    damping: Expr

    def scalars(self) -> tuple[Expr, ...]:
        """The damping."""
        return (self.damping,)

    def density(self, graph: Graph, read: FromSympy, length: Node, rate: Node, part: Node) -> Node:
        """-c L' / part."""
        return graph.neg(graph.mul(read(self.damping), graph.div(rate, part)))

    def along(self, graph: Graph, read: FromSympy, length: Node, place: Node, slope: Node) -> Node:
        """-c x'."""
        return graph.neg(graph.mul(read(self.damping), slope))

    def potential(self, graph: Graph, read: FromSympy, length: Node) -> Node:
        """A damper stores nothing."""
        return graph.zero


@dataclass(frozen=True, slots=True)
class Given(Law):
    """A force given by an expression."""

    expression: Expr

    def scalars(self) -> tuple[Expr, ...]:
        """The force."""
        return (self.expression,)

    def density(self, graph: Graph, read: FromSympy, length: Node, rate: Node, part: Node) -> Node:
        """The expression divided by the part."""
        return graph.div(read(self.expression), part)

    def along(self, graph: Graph, read: FromSympy, length: Node, place: Node, slope: Node) -> Node:
        """The expression times sign x."""
        return graph.mul(read(self.expression), _side(graph, length, place))

    def potential(self, graph: Graph, read: FromSympy, length: Node) -> None:
        """Unknown."""
        return


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A force along the straight lines through two or more points."""

    points: tuple[Point, ...]
    law: Law

    @property
    def name(self) -> str:
        """For messages."""
        return f"the actuator between '{self.points[0].name}' and '{self.points[-1].name}'"


@dataclass(frozen=True, slots=True, eq=False)
class Couple:
    """A torque on one frame and its opposite on another."""

    target: ReferenceFrame
    reaction: ReferenceFrame
    torque: Vector

    @property
    def name(self) -> str:
        """For messages."""
        return f"the torque actuator between '{self.target.name}' and '{self.reaction.name}'"


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """All loads: forces and torques, forces along lines, pairs of torques."""

    applied: tuple[LoadBase, ...]
    lines: tuple[Line, ...]
    couples: tuple[Couple, ...]

    def points(self) -> list[Point]:
        """The points on which forces act."""
        applied = [load.location for load in self.applied if isinstance(load, Force)]
        return applied + [point for line in self.lines for point in line.points]


def split_loads(loads: Iterable[LoadBase], actuators: Iterable[ActuatorBase], kinematic_tree: KinematicTree) -> Loads:
    """Sort loads and actuators by kind; the loads of unknown actuators come from their method `to_loads`."""
    applied, lines = list(loads), []
    couples: list[Couple] = []
    with left_unchanged(kinematic_tree.orientation, kinematic_tree.position):
        for actuator in actuators:
            if isinstance(actuator, TorqueActuator):
                _split_torque(actuator, applied, couples)
            elif isinstance(actuator, ForceActuator) and type(actuator.pathway) in (LinearPathway, ObstacleSetPathway):
                lines.append(Line(tuple(actuator.pathway.attachments), _law(actuator)))
            else:
                applied += actuator.to_loads()
    return Loads(tuple(applied), tuple(lines), tuple(couples))


def _split_torque(actuator: TorqueActuator, applied: list[LoadBase], couples: list[Couple]) -> None:
    torque = actuator.torque * actuator.axis
    if actuator.reaction_frame is None:
        applied.append(Torque(actuator.target_frame, torque))
    else:
        couples.append(Couple(actuator.target_frame, actuator.reaction_frame, torque))


def _law(actuator: ForceActuator) -> Law:
    match actuator:
        case LinearSpring():
            return Spring(actuator.stiffness, S.Zero, actuator.equilibrium_length)
        case DuffingSpring():
            return Spring(actuator.linear_stiffness, actuator.nonlinear_stiffness, actuator.equilibrium_length)
        case LinearDamper():
            return Damper(actuator.damping)
        case _:
            return Given(actuator.force)
