"""The conditions of equilibrium as one function of coordinates, contact forces and multipliers, with derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sympact.graph import Function, jacobian, numpy_function
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.slip import Slip
from sympact.mechanics.linear.closed_motion import Closed, quaternion_norms, sliding_friction, within_ellipse

__all__ = ["Balance", "BalanceValues"]


@dataclass(frozen=True, eq=False)
class BalanceValues:
    """The conditions at one state, each with its derivatives with respect to q and all forces: lambda, those along the
    surfaces, kappa.

    Attributes
    ----------
    forces : array, shape (n_u,)
        f + W_N lambda + W_T lambda_T + A^T kappa: what would be M u'.
    gaps : array, shape (n_contacts,)
    tangential : array, shape (3 s,)
        The friction of the contacts that stick, components in N (N); of an anisotropic one that part along the axis is
        divided by its ratio, so that the cone is round.
    friction : array, shape (s,)
        Their static coefficients.
    norms : array, shape (h,)
        (|e|^2 - 1)/2 of each quaternion.
    positions, rates, biases : array, shapes (h,), (k,), (k,)
        phi of the holonomic constraints, A u + a and A' u + a' of all: what would be -A u'.
    pushes : array, shape (3 s,)
        The friction of the contacts that stick, components in N (N).
    slopes : array, shape (n, n_q + n_contacts + 3 s + k)
        The derivatives of all these, in this order.
    """

    forces: np.ndarray
    gaps: np.ndarray
    tangential: np.ndarray
    friction: np.ndarray
    norms: np.ndarray
    positions: np.ndarray
    rates: np.ndarray
    biases: np.ndarray
    pushes: np.ndarray
    slopes: np.ndarray

    def along(self, name: str) -> np.ndarray:
        """The derivatives of one of them."""
        names = ("forces", "gaps", "tangential", "friction", "norms", "positions", "rates", "biases", "pushes")
        ends = np.cumsum([0, *(len(getattr(self, one)) for one in names)])
        k = names.index(name)
        return self.slopes[ends[k] : ends[k + 1]]


class Balance:
    """The balance of forces of a model.

    Parameters
    ----------
    derivation : Derivation
    motions : sequence of Closed
        The motion of each contact along its surface, if it is closed.

    Attributes
    ----------
    sticking : tuple of int
        The contacts that stick.
    constraints : int
        The rows of bilateral constraints.
    """

    def __init__(self, derivation: Derivation, motions: Sequence[Closed]) -> None:
        graph, symbols, gaps = derivation.graph, derivation.symbols, derivation.gaps
        n_q, n_x, nc = len(symbols.q), len(derivation.x), len(gaps)
        self.sticking = tuple(k for k, how in enumerate(motions) if how is Closed.STICKS)
        self.constraints = len(derivation.constraints)
        normal = [graph.input("xdot", n_x + k) for k in range(nc)]
        first = n_x + nc + 3 * len(self.sticking)
        multipliers = [graph.input("xdot", first + k) for k in range(self.constraints)]
        rows = derivation.constraints
        reactions = [dot(graph, column, multipliers) for column in zip(*(row.jacobian for row in rows), strict=True)]
        total = list(derivation.equations.forcing)
        if rows:
            total = [graph.add(sum_, one) for sum_, one in zip(total, reactions, strict=True)]
        tangential: list[Node] = []
        friction: list[Node] = []
        pushes: list[Node] = []
        for k, (gap, how) in enumerate(zip(gaps, motions, strict=True)):
            direction: list[Node] = list(gap.jacobian)
            if how is Closed.SLIPS and gap.slip is not None:
                along = _generalized(derivation, gap.slip, sliding_friction(graph, gap.slip))
                direction = [graph.add(one, other) for one, other in zip(direction, along, strict=True)]
            total = [graph.add(sum_, graph.mul(normal[k], one)) for sum_, one in zip(total, direction, strict=True)]
            if how is Closed.STICKS and gap.slip is not None:
                first = n_x + nc + len(tangential)
                force = _tangential(derivation, gap.slip, [graph.input("xdot", first + i) for i in range(3)])
                push = within_ellipse(graph, gap.slip, force)
                total = [
                    graph.add(sum_, one)
                    for sum_, one in zip(total, _generalized(derivation, gap.slip, push), strict=True)
                ]
                tangential += force
                pushes += push
                friction.append(gap.slip.static_friction)
        parts = (
            total,
            [gap.along_the_flow()[0] for gap in gaps],
            tangential,
            friction,
            quaternion_norms(derivation),
            [row.position for row in rows if row.position is not None],
            [row.rate for row in rows],
            [row.bias for row in rows],
            pushes,
        )
        nodes = [node for part in parts for node in part]
        first = len(symbols.parameters)
        unknown = [graph.input("x", i) for i in range(n_q)] + normal
        unknown += [graph.input("xdot", n_x + nc + i) for i in range(len(tangential))] + multipliers
        inputs = [graph.input("p", first + i) for i in range(len(symbols.inputs))]
        slopes = [entry for row in jacobian(graph, nodes, [*unknown, *inputs]) for entry in row]
        self._sizes, self._width, self._n_q, self._n_x = [len(part) for part in parts], len(unknown), n_q, n_x
        self._n_w = len(inputs)
        self._function = numpy_function(graph, Function("balance", (*nodes, *slopes), ("t", "x", "xdot", "p")))

    def at(self, t: float, x: np.ndarray, p: np.ndarray, given: np.ndarray, input_slopes: np.ndarray) -> BalanceValues:
        """The conditions at a state with normal and tangential forces of contacts, and the multipliers of constraints.

        Parameters
        ----------
        t, x, p
        given : array, shape (n_contacts + 3 s + k,)
        input_slopes : array, shape (n_inputs, n_x)
            The derivatives of inputs that are expressions of the state.
        """
        found = self._function(t, x, np.concatenate([np.zeros(self._n_x), given]), p)
        n = sum(self._sizes)
        slopes = found[n:].reshape(n, self._width + self._n_w)
        along = slopes[:, : self._width].copy()
        along[:, : self._n_q] += slopes[:, self._width :] @ input_slopes[:, : self._n_q]
        parts = np.split(found[:n], np.cumsum(self._sizes)[:-1])
        forces, gaps, tangential, friction, norms, positions, rates, biases, pushes = parts
        return BalanceValues(forces, gaps, tangential, friction, norms, positions, rates, biases, pushes, along)


def _tangential(derivation: Derivation, slip: Slip, force: list[Node]) -> list[Node]:
    """The part of a force along the surface."""
    graph = derivation.graph
    normal = dot(graph, slip.normal, force)
    return [graph.sub(f, graph.mul(normal, n)) for f, n in zip(force, slip.normal, strict=True)]


def _generalized(derivation: Derivation, slip: Slip, force: Sequence[Node]) -> list[Node]:
    """The generalized forces of a force on the contacting part, components in N."""
    rows = slip.jacobian
    return [dot(derivation.graph, [row[i] for row in rows], force) for i in range(len(rows[0]))]
