"""The laws of forces between points: springs, dampers, friction and given forces, as nodes of the graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, S
from sympy.physics.mechanics import DuffingSpring, ForceActuator, LinearDamper, LinearSpring

from sympact.graph import FromSympy, Graph
from sympact.graph.nodes.node import Node

try:
    from sympy.physics.mechanics import CoulombKineticFriction
except ImportError:  # SymPy before 1.14
    CoulombKineticFriction = None

__all__ = ["Law", "Spring", "law_of"]


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
class Friction(Law):
    """F = -(F_k + (F_s - F_k) exp(-(L'/v_s)^2)) sign L' - sigma L': Coulomb's, with Stribeck's and a viscous part."""

    kinetic: Expr
    static: Expr
    stribeck_speed: Expr
    viscosity: Expr

    def scalars(self) -> tuple[Expr, ...]:
        """The kinetic and the static friction (N), the speed and the viscosity, as far as they occur."""
        return (self.kinetic, self.static, self.stribeck_speed, self.viscosity)

    def _force(self, graph: Graph, read: FromSympy, rate: Node) -> Node:
        size = read(self.kinetic)
        if self.static != self.kinetic:
            ratio = graph.div(rate, read(self.stribeck_speed))
            decay = graph.call("exp", graph.neg(graph.mul(ratio, ratio)))
            size = graph.add(size, graph.mul(graph.sub(read(self.static), size), decay))
        dry = graph.mul(size, graph.call("sign", rate))
        return graph.neg(graph.add(dry, graph.mul(read(self.viscosity), rate)))

    def density(self, graph: Graph, read: FromSympy, length: Node, rate: Node, part: Node) -> Node:
        """F / part."""
        return graph.div(self._force(graph, read, rate), part)

    def along(self, graph: Graph, read: FromSympy, length: Node, place: Node, slope: Node) -> Node:
        """F with x' for L': it is odd in the rate, so that ends which pass each other make no difference."""
        return self._force(graph, read, slope)

    def potential(self, graph: Graph, read: FromSympy, length: Node) -> Node:
        """Friction stores nothing."""
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


def law_of(actuator: ForceActuator) -> Law:
    """The law of an actuator; a subclass that computes its force itself is a given force."""
    for kind, law in _LAWS.items():
        if isinstance(actuator, kind) and type(actuator).force is kind.force:
            return law(actuator)
    return Given(actuator.force)


def _friction(actuator: ForceActuator) -> Friction:
    kinetic, static = (size * actuator.f_n for size in (actuator.mu_k, actuator.mu_s))
    return Friction(kinetic, static, *(S.One * value for value in (actuator.v_s, actuator.sigma)))


_LAWS: dict[type[ForceActuator], Callable[..., Law]] = {
    LinearSpring: lambda spring: Spring(spring.stiffness, S.Zero, spring.equilibrium_length),
    DuffingSpring: lambda spring: Spring(
        spring.linear_stiffness, spring.nonlinear_stiffness, spring.equilibrium_length
    ),
    LinearDamper: lambda damper: Damper(damper.damping),
}
if CoulombKineticFriction is not None:
    _LAWS[CoulombKineticFriction] = _friction
