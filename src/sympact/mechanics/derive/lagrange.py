"""Lagrange's equations of the second kind on the graph, and the energies that a Lagrangian determines.

With p = dL/dq' the equations d/dt p - dL/dq = Q are M q'' = f with

    M = d2L / dq' dq',    f = Q + dL/dq - p' at q'' = 0,

by derivatives of one scalar (Goldstein, Classical Mechanics, 3rd edition, section 1.4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sympact.graph import Substitution, Tangent, reachable
from sympact.graph.algebra.linear import dot, matvec
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.dynamics import Equations, Kinetic, compacted, kinetic_energy
from sympact.mechanics.derive.joint_forces import Potential
from sympact.mechanics.kit.body_terms import Body
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["lagrange_energies", "lagrange_equations"]

_OF_THE_LAGRANGIAN = "the Lagrangian"


def lagrange_equations(kinematics: Kinematics, lagrangian: Node, loads: Sequence[Node], faults: Faults) -> Equations:
    """M and f; the speeds are q'.

    Parameters
    ----------
    kinematics : Kinematics
    lagrangian : node
    loads : sequence of node
        The generalized forces Q.
    faults : Faults
        A Lagrangian that is not quadratic in q' is added here.
    """
    graph, n = kinematics.graph, len(kinematics.u)
    momenta = [column[0] for column in kinematics.partials([lagrangian])]
    columns = kinematics.partials(momenta)
    lower = [[columns[j][i] for j in range(i + 1)] for i in range(n)]
    lower = _independent_of_speeds(kinematics, lower, faults)
    forcing = []
    for q, load, momentum in zip(kinematics.q[:n], loads, momenta, strict=True):  # discrete states follow
        push = Tangent(graph, {q: graph.one})(lagrangian)
        forcing.append(graph.add(load, graph.sub(push, kinematics.drift(momentum))))
    rows = tuple(tuple(lower[max(i, j)][min(i, j)] for j in range(n)) for i in range(n))
    return compacted(graph, Equations(rows, tuple(forcing)))


def _independent_of_speeds(kinematics: Kinematics, lower: list[list[Node]], faults: Faults) -> list[list[Node]]:
    """The entries of M; where they contain q', at q' = 0, if they do not depend on it."""
    graph, entries = kinematics.graph, [entry for row in lower for entry in row]
    if set(kinematics.u).isdisjoint(reachable(graph, entries)):
        return lower
    at_rest = Substitution(graph, dict.fromkeys(kinematics.u, graph.zero))
    rest = [[at_rest(entry) for entry in row] for row in lower]
    still = [entry for row in rest for entry in row]
    if all(map(math.isfinite, kinematics.sample(still))) and kinematics.sample.close(entries, still):
        return rest
    faults.add(
        "the Lagrangian is not quadratic in the derivatives of the coordinates: its second derivatives with respect to "
        "them depend on them; expected L = T - V with T quadratic; write other forces that depend on velocities into "
        "the forcelist"
    )
    return lower


def lagrange_energies(
    kinematics: Kinematics, lagrangian: Node, equations: Equations, bodies: Sequence[Body]
) -> tuple[Kinetic, Potential]:
    """T and V of the Lagrangian.

    T is that of the bodies, and V = T - L, where that does not depend on q'. Else, or without bodies, T is the part of
    L that is quadratic in q', and V = -L at q' = 0, so that T + V is Jacobi's integral; a part that is linear in q' may
    belong to either, and neither is known.
    """
    graph = kinematics.graph
    at_rest = Substitution(graph, dict.fromkeys(kinematics.u, graph.zero))
    ground = graph.neg(at_rest(lagrangian))
    quadratic = graph.mul(
        graph.const(0.5), dot(graph, kinematics.u, matvec(graph, equations.mass_matrix, kinematics.u))
    )
    momenta = [column[0] for column in kinematics.partials([lagrangian])]
    if bodies:
        of_bodies = kinetic_energy(kinematics, bodies)
        if kinematics.sample.close([column[0] for column in kinematics.partials([of_bodies])], momenta):
            return Kinetic(of_bodies), Potential(graph.add(at_rest(of_bodies), ground), ())
    linear = [at_rest(momentum) for momentum in momenta]
    if not kinematics.sample.close(linear, [graph.zero] * len(linear)):
        unknown = (
            "the Lagrangian has terms linear in the derivatives of the coordinates, which may belong to the kinetic or "
            "to the potential energy; give the LagrangesMethod its bodies= and frame="
        )
        return Kinetic(quadratic, unknown), Potential(None, (_OF_THE_LAGRANGIAN,))
    return Kinetic(quadratic), Potential(ground, ())
