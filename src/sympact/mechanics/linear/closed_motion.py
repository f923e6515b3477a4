"""The motion with bilateral constraints and closed contacts: one function of state, inputs, accelerations and forces.

    q' = S u + b,   M u' - f - F lambda = 0,   psi' = 0,      psi = 0,   phi = 0

The rows phi(q, t) and psi(q, u, t) are those of the bilateral constraints, A u + a with the directions F = A^T, then
those of the closed contacts; phi contains the unit norm of each quaternion, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sympact.graph import Function, Graph, Substitution, jacobian, numpy_function, reachable
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.derive.slip import Slip

__all__ = ["Closed", "ClosedMotion", "Values", "quaternion_norms", "sliding_friction", "within_ellipse"]


class Closed(Enum):
    """The motion of a closed contact along its surface."""

    SMOOTH = "without friction"
    STICKS = "sticks"
    SLIPS = "slips"


@dataclass(frozen=True)
class Rows:
    """Equations of the motion with the forces that maintain them, as nodes.

    Attributes
    ----------
    position : tuple of node
        phi.
    velocity, acceleration : tuple of node
        psi, and its derivative along the motion with the derivatives of the state taken from the input ``xdot``.
    directions : tuple of tuples of node
        F: for each entry of psi the generalized force of a unit multiplier, one number for each speed.
    """

    position: tuple[Node, ...]
    velocity: tuple[Node, ...]
    acceleration: tuple[Node, ...]
    directions: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, eq=False)
class Values:
    """The numbers of a `ClosedMotion` at one state.

    Attributes
    ----------
    rates : array, shape (n_q,)
    imbalance : array, shape (n_u,)
        M u' - f - F lambda.
    acceleration, velocity : array, shape (k,)
        psi' and psi.
    position : array, shape (h,)
        phi.
    outputs : array, shape (n_y,)
    by_state, by_input : array, shapes (n, n_x) and (n, n_w)
        The derivatives of all these, in this order, with respect to x and to the inputs.
    mass : array, shape (n_u, n_u)
    directions : array, shape (n_u, k)
        F.
    """

    rates: np.ndarray
    imbalance: np.ndarray
    acceleration: np.ndarray
    velocity: np.ndarray
    position: np.ndarray
    outputs: np.ndarray
    by_state: np.ndarray
    by_input: np.ndarray
    mass: np.ndarray
    directions: np.ndarray

    def part(self, name: str) -> slice:
        """The rows of `by_state` and `by_input` that belong to an attribute."""
        names = ("rates", "imbalance", "acceleration", "velocity", "position", "outputs")
        ends = np.cumsum([0, *(len(getattr(self, one)) for one in names)])
        k = names.index(name)
        return slice(int(ends[k]), int(ends[k + 1]))


class ClosedMotion:
    """The motion of a model with its bilateral constraints, and with given contacts closed.

    Parameters
    ----------
    derivation : Derivation
    closed : sequence of (int, Closed)
        The closed contacts.
    outputs : sequence of node
        Further quantities.

    Attributes
    ----------
    groups : array of int, shape (k,)
        For each row of psi the index of its contact; those of the constraints follow, one for each name.
    constraints : int
        The number of rows of psi that are bilateral constraints, the first ones.
    positions : tuple of int
        The constraints that have a row of phi, which are the first ones there.
    equations : tuple of node
        The nodes that are differentiated, before `Values.outputs`.
    """

    def __init__(self, derivation: Derivation, closed: Sequence[tuple[int, Closed]], outputs: Sequence[Node]) -> None:
        graph, equations = derivation.graph, derivation.equations
        n_q, n_u = len(derivation.symbols.q), len(derivation.symbols.u)
        speeds_up = [graph.input("xdot", n_q + i) for i in range(n_u)]
        rows = [_bilateral(graph, row, speeds_up) for row in derivation.constraints]
        rows += [_ROWS[how](graph, derivation.gaps[k]) for k, how in closed]
        directions = [direction for one in rows for direction in one.directions]
        multipliers = [graph.input("xdot", n_q + n_u + i) for i in range(len(directions))]
        along = Substitution(graph, {graph.input("xdot", i): rate for i, rate in enumerate(derivation.rates)})
        imbalance = []
        for i, (row, forcing) in enumerate(zip(equations.mass_matrix, equations.forcing, strict=True)):
            inertia = graph.sub(dot(graph, row, speeds_up), forcing)
            imbalance.append(graph.sub(inertia, dot(graph, [column[i] for column in directions], multipliers)))
        acceleration = [along(node) for one in rows for node in one.acceleration]
        velocity = [node for one in rows for node in one.velocity]
        position = [node for one in rows for node in one.position] + quaternion_norms(derivation)
        parts = (derivation.rates, imbalance, acceleration, velocity, position, outputs)
        names = list(dict.fromkeys(row.name for row in derivation.constraints))
        owners = [len(derivation.gaps) + names.index(row.name) for row in derivation.constraints]
        owners += [k for k, _ in closed]
        self.groups = np.array([k for k, one in zip(owners, rows, strict=True) for _ in one.velocity], dtype=int)
        self.constraints = len(derivation.constraints)
        self.positions = tuple(k for k, row in enumerate(derivation.constraints) if row.position is not None)
        self.equations = tuple(node for part in parts[:-1] for node in part)
        self._sizes = [len(part) for part in parts]
        self._n_q, self._n_u, self._n_w = n_q, n_u, len(derivation.symbols.inputs)
        self._function = numpy_function(graph, self._all(derivation, (*self.equations, *outputs), directions))

    def _all(self, derivation: Derivation, nodes: Sequence[Node], directions: Sequence[Sequence[Node]]) -> Function:
        graph, first = derivation.graph, len(derivation.symbols.parameters)
        states = [graph.input("x", i) for i in range(len(derivation.x))]
        inputs = [graph.input("p", first + i) for i in range(self._n_w)]
        slopes = [entry for row in jacobian(graph, nodes, [*states, *inputs]) for entry in row]
        mass = [entry for row in derivation.equations.mass_matrix for entry in row]
        columns = [entry for column in directions for entry in column]
        return Function("closed_motion", (*nodes, *slopes, *mass, *columns), ("t", "x", "xdot", "p"))

    def at(self, t: float, x: np.ndarray, p: np.ndarray, accelerations: np.ndarray, multipliers: np.ndarray) -> Values:
        """The values at a state, with given accelerations u' and multipliers."""
        n_q, n_u, n_x = self._n_q, self._n_u, self._n_q + self._n_u
        found = self._function(t, x, np.concatenate([np.zeros(n_q), accelerations, multipliers]), p)
        n = sum(self._sizes)
        values, slopes, mass, columns = np.split(found, np.cumsum([n, n * (n_x + self._n_w), n_u * n_u]))
        slopes = slopes.reshape(n, n_x + self._n_w)
        rates, imbalance, acceleration, velocity, position, outputs = np.split(values, np.cumsum(self._sizes)[:-1])
        return Values(
            rates,
            imbalance,
            acceleration,
            velocity,
            position,
            outputs,
            by_state=slopes[:, :n_x],
            by_input=slopes[:, n_x:],
            mass=mass.reshape(n_u, n_u),
            directions=columns.reshape(-1, n_u).T,
        )

    @property
    def size(self) -> int:
        """The number of multipliers."""
        return self._sizes[2]

    def depends_on_searches(self, derivation: Derivation) -> bool:
        """Whether a search for a closest point enters, whose result has few exact derivatives."""
        return not set(derivation.kinematics.searched).isdisjoint(reachable(derivation.graph, self.equations))


def sliding_friction(graph: Graph, slip: Slip) -> list[Node]:
    """Coulomb's friction of a sliding contact per unit of normal force: -mu gamma_T/|gamma_T|, components in N.

    An anisotropic one is -mu S^2 gamma_T/|S gamma_T|, where S multiplies the part along the axis by the ratio.
    """
    approach = dot(graph, slip.normal, slip.velocity)
    tangential = [graph.sub(v, graph.mul(approach, n)) for v, n in zip(slip.velocity, slip.normal, strict=True)]
    scaled = within_ellipse(graph, slip, tangential)
    factor = graph.neg(graph.div(slip.friction, graph.call("sqrt", dot(graph, scaled, scaled))))
    return [graph.mul(factor, entry) for entry in within_ellipse(graph, slip, scaled)]


def within_ellipse(graph: Graph, slip: Slip, vector: list[Node]) -> list[Node]:
    """A tangential vector with its part along the axis of anisotropic friction times the ratio."""
    if slip.ellipse is None:
        return vector
    *axis, ratio = slip.ellipse
    less = graph.mul(graph.sub(ratio, graph.one), dot(graph, axis, vector))
    return [graph.add(part, graph.mul(less, e)) for part, e in zip(vector, axis, strict=True)]


def _bilateral(graph: Graph, row: ConstraintRow, speeds_up: Sequence[Node]) -> Rows:
    """phi = 0 and A u + a = 0, with the force A^T kappa."""
    position = () if row.position is None else (row.position,)
    acceleration = graph.add(dot(graph, row.jacobian, speeds_up), row.bias)
    return Rows(position, (row.rate,), (acceleration,), (row.jacobian,))


def _smooth(graph: Graph, gap: Gap) -> Rows:
    """g = 0, with a normal force."""
    return Rows((gap.gap,), (gap.rate,), (gap.acceleration,), (gap.jacobian,))


def _slipping(graph: Graph, gap: Gap) -> Rows:
    """g = 0, with a normal force and the friction that follows from it."""
    assert gap.slip is not None
    force, slip = sliding_friction(graph, gap.slip), gap.slip
    along = [dot(graph, [row[i] for row in slip.jacobian], force) for i in range(len(gap.jacobian))]
    direction = tuple(graph.add(normal, part) for normal, part in zip(gap.jacobian, along, strict=True))
    return Rows((gap.gap,), (gap.rate,), (gap.acceleration,), (direction,))


def _sticking(graph: Graph, gap: Gap) -> Rows:
    """v = 0 in all three components, of which the normal one is the rate of the gap, with a force in N."""
    assert gap.slip is not None
    slip = gap.slip
    return Rows((gap.gap,), slip.velocity, slip.acceleration, slip.jacobian)


_ROWS = {Closed.SMOOTH: _smooth, Closed.SLIPS: _slipping, Closed.STICKS: _sticking}


def quaternion_norms(derivation: Derivation) -> list[Node]:
    """(|e|^2 - 1)/2 of each quaternion e."""
    graph, norms = derivation.graph, []
    for group in derivation.quaternions:
        numbers = [graph.input("x", i) for i in group]
        norms.append(graph.mul(graph.const(0.5), graph.sub(dot(graph, numbers, numbers), graph.one)))
    return norms
