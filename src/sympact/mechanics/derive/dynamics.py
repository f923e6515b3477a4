"""The equations of motion M u' = f, summed over the bodies in two ways, of which the shorter one is kept; their energy.

Both are Kane's equations. The direct form takes the partial velocities J of each body and sums J^T m J. The composite
form refers all velocities to one point: bodies that a joint moves together then have the same column, and their
inertias are added before the multiplication. The second form is shorter for long chains, the first for single bodies.
Short equations are then expanded where that makes them shorter still (`compact`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from sympact.graph import Graph, Substitution, compact, count
from sympact.graph.algebra.linear import dot, matvec, scale
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.composite import composite_form
from sympact.mechanics.kit.articulated import ArticulatedTree, articulated_tree
from sympact.mechanics.kit.body_terms import Body
from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["BodyTree", "Equations", "Kinetic", "compacted", "equations_of_motion", "kinetic_energy"]

_LARGEST_DIRECT = 4000
_articulated: WeakKeyDictionary[BodyTree, ArticulatedTree | None] = WeakKeyDictionary()  # no part of a pickled model


@dataclass(frozen=True, slots=True)
class Equations:
    """M u' = f.

    Attributes
    ----------
    mass_matrix : tuple of tuples of nodes, shape (n_speeds, n_speeds)
        Symmetric: entry (i, j) and entry (j, i) are the same node.
    forcing : tuple of nodes, shape (n_speeds,)
    tree : BodyTree or None
        The bodies, for a solution along the tree of their joints; None for equations that are not those of bodies.
    """

    mass_matrix: tuple[tuple[Node, ...], ...]
    forcing: tuple[Node, ...]
    tree: BodyTree | None = None

    def nodes(self) -> list[Node]:
        """All of them, the lower triangle of M first."""
        lower = [entry for i, row in enumerate(self.mass_matrix) for entry in row[: i + 1]]
        return lower + list(self.forcing)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class BodyTree:
    """The bodies of a model with what acts on them.

    Attributes
    ----------
    kinematics : Kinematics
    bodies : tuple of Body
        The moving ones.
    forcing : tuple of node
        The generalized forces of all loads that are not terms of a body.
    given : Substitution
        Replaces the given inputs.
    """

    kinematics: Kinematics
    bodies: tuple[Body, ...]
    forcing: tuple[Node, ...]
    given: Substitution

    def accelerations(self) -> list[Node] | None:
        """u', see `articulated_tree`."""
        found = self.articulated()
        return None if found is None else [self.given(node) for node in found.accelerations()]

    def articulated(self) -> ArticulatedTree | None:
        """The tree with its speeds eliminated, before inputs are given; None where there is none that is short."""
        if self not in _articulated:
            _articulated[self] = articulated_tree(self.kinematics, self.bodies, self.forcing)
        return _articulated[self]


def equations_of_motion(kinematics: Kinematics, bodies: Sequence[Body], forcing: Sequence[Node]) -> Equations:
    """M and f.

    Parameters
    ----------
    kinematics : Kinematics
    bodies : sequence of Body
        The moving ones.
    forcing : sequence of node
        The generalized forces of all loads that are not terms of a body.
    """
    forms = []
    if _direct_size(kinematics, bodies) <= _LARGEST_DIRECT:
        forms.append(_direct_form(kinematics, bodies, forcing))
    if not forms or len(bodies) > 1:
        forms += [form for form in [composite_form(kinematics, bodies, forcing)] if form is not None]
    if not forms:
        forms.append(_direct_form(kinematics, bodies, forcing))
    candidates = [Equations(tuple(map(tuple, matrix)), tuple(rest)) for matrix, rest in forms]
    shortest = min(candidates, key=lambda equations: count(kinematics.graph, equations.nodes()))
    tree = BodyTree(kinematics, tuple(bodies), tuple(forcing), Substitution(kinematics.graph, {}))
    return replace(compacted(kinematics.graph, shortest), tree=tree)


def compacted(graph: Graph, equations: Equations) -> Equations:
    """The same equations with no more operations."""
    n = len(equations.forcing)
    shorter = compact(graph, equations.nodes())
    lower = {(i, j): shorter[i * (i + 1) // 2 + j] for i in range(n) for j in range(i + 1)}
    rows = tuple(tuple(lower[max(i, j), min(i, j)] for j in range(n)) for i in range(n))
    return Equations(rows, tuple(shorter[len(lower) :]))


def _direct_size(kinematics: Kinematics, bodies: Sequence[Body]) -> int:
    """The number of products of columns in the direct form."""
    zero, size = kinematics.graph.zero, 0
    for body in bodies:
        columns = kinematics.partials(kinematics.velocity(body.centre))
        size += sum(any(node != zero for node in column) for column in columns) ** 2
    return size


def _direct_form(
    kinematics: Kinematics, bodies: Sequence[Body], forcing: Sequence[Node]
) -> tuple[list[list[Node]], list[Node]]:
    """M = sum J^T m J, f = loads - sum J^T (inertia force at u' = 0)."""
    graph, n = kinematics.graph, len(kinematics.u)
    matrix = [[graph.zero] * n for _ in range(n)]
    rest = list(forcing)
    for body in bodies:
        columns = kinematics.partials(kinematics.velocity(body.centre))
        momenta = [scale(graph, body.mass, column) for column in columns]
        _add_products(kinematics, matrix, rest, columns, momenta, body.inertia_force(kinematics))
        if body.frame is not None:
            columns = kinematics.partials(kinematics.spin_in_body(body.frame))
            momenta = [matvec(graph, body.inertia, column) for column in columns]
            _add_products(kinematics, matrix, rest, columns, momenta, body.inertia_torque(kinematics))
    return matrix, rest


def _add_products(
    kinematics: Kinematics,
    matrix: list[list[Node]],
    rest: list[Node],
    columns: list[list[Node]],
    momenta: list[list[Node]],
    resistance: list[Node],
) -> None:
    graph = kinematics.graph
    active = [j for j, column in enumerate(columns) if any(node != graph.zero for node in column)]
    for i in active:
        rest[i] = graph.sub(rest[i], dot(graph, columns[i], resistance))
        for j in active:
            if j <= i:
                entry = graph.add(matrix[i][j], dot(graph, columns[j], momenta[i]))
                matrix[i][j] = matrix[j][i] = entry


@dataclass(frozen=True, slots=True)
class Kinetic:
    """The kinetic energy of a model.

    Attributes
    ----------
    energy : node
        T (J); where it is unknown, u M u / 2.
    unknown : str
        Why it is unknown, with the cure; empty where it is known.
    """

    energy: Node
    unknown: str = ""


def kinetic_energy(kinematics: Kinematics, bodies: Iterable[Body]) -> Node:
    """T = sum of m v.v / 2 + omega . I omega / 2 over the moving bodies (J)."""
    graph = kinematics.graph
    twice = graph.zero
    for body in bodies:
        velocity = kinematics.velocity(body.centre)
        twice = graph.add(twice, graph.mul(body.mass, dot(graph, velocity, velocity)))
        if body.frame is not None:
            spin = kinematics.spin_in_body(body.frame)
            twice = graph.add(twice, dot(graph, spin, matvec(graph, body.inertia, spin)))
    return graph.mul(graph.const(0.5), twice)
