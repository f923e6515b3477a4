"""Equations of motion as the user wrote them, M u' = f, and what impacts need of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sympact.graph import reachable
from sympact.graph.algebra.linear import lu_solve, transpose
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow, spanned
from sympact.mechanics.derive.dynamics import Equations
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.read.principle import Written
from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["refuse_impacts", "written_equations"]

_CURE = "so that it is the mass matrix, and f the generalized forces"


def written_equations(kinematics: Kinematics, principle: Written, faults: Faults) -> Equations:
    """M and f; M is 1, and f the solution u', where there is no mass matrix that is symmetric and free of u."""
    graph = kinematics.graph
    forcing = [kinematics.read(entry) for entry in principle.right_hand_side]
    matrix = _read(kinematics, principle)
    if _is_mass_matrix(kinematics, matrix):
        n = range(len(forcing))
        rows = tuple(tuple(matrix[max(i, j)][min(i, j)] for j in n) for i in n)
        return Equations(rows, tuple(forcing))
    if matrix:
        try:
            forcing = lu_solve(graph, matrix, forcing)
        except ValueError:
            faults.add("the mass matrix is singular for all values; the motion is not determined")
    n = range(len(forcing))
    unit = tuple(tuple(graph.one if i == j else graph.zero for j in n) for i in n)
    return Equations(unit, tuple(forcing))


def refuse_impacts(
    kinematics: Kinematics,
    principle: Written,
    contacts: Sequence[Unilateral],
    gaps: Sequence[Gap],
    rows: Sequence[ConstraintRow],
    faults: Faults,
) -> None:
    """Faults of equations with contacts or constraints.

    An impact changes the speeds by M^-1 W, a reaction their derivatives by M^-1 A^T, and W must not depend on them.
    """
    if rows:
        _refuse_reactions(kinematics, principle, rows, faults)
    if not contacts:
        return
    titles = ", ".join(contact.title for contact in contacts)
    matrix = _read(kinematics, principle)
    if principle.determined:
        faults.add(
            f"algebraic rows determine {', '.join(principle.determined)}, so that the constraints that impacts of "
            f"{titles} must keep are not known; give the constraints themselves as these rows, 0 = F(q, t)"
        )
    if not matrix and len(kinematics.u) > 1:
        faults.add(
            f"the equations of motion are explicit, u' = F, for {len(kinematics.u)} speeds: an impact of {titles} "
            "changes the speeds by M^-1 W, and the mass matrix M is not known; give mass_matrix=, with the generalized "
            "forces as right-hand side"
        )
    elif matrix and not _is_mass_matrix(kinematics, matrix):
        faults.add(
            f"the mass matrix is not symmetric or depends on the speeds, so that the impacts of {titles} are unknown; "
            f"order the rows as the speeds, and multiply them by factors, {_CURE}"
        )
    for contact, gap in zip(contacts, gaps, strict=False):  # no gaps where points are not connected
        if not set(kinematics.u).isdisjoint(reachable(kinematics.graph, gap.jacobian)):
            faults.add(
                f"the rate of the gap of {contact.title} is not linear in the speeds, so that its impacts are not "
                "known; write the derivatives of the coordinates linear in the speeds"
            )


def _refuse_reactions(
    kinematics: Kinematics, principle: Written, rows: Sequence[ConstraintRow], faults: Faults
) -> None:
    matrix = _read(kinematics, principle)
    names = ", ".join(dict.fromkeys(f"'{row.name}'" for row in rows))
    if not matrix and len(kinematics.u) > 1:
        faults.add(
            f"the equations of motion are explicit, u' = F, for {len(kinematics.u)} speeds: the reactions of the "
            f"constraints {names} change u' by M^-1 A^T, and the mass matrix M is not known; give mass_matrix=, with "
            "the generalized forces as right-hand side"
        )
    elif matrix and not _is_mass_matrix(kinematics, matrix):
        faults.add(
            f"the mass matrix is not symmetric or depends on the speeds, so that the reactions of the constraints "
            f"{names} are unknown; order the rows as the speeds, and multiply them by factors, {_CURE}"
        )
    directions = np.array([kinematics.sample(row.jacobian) for row in rows])
    for column in principle.columns:
        force = np.array(kinematics.sample([kinematics.read(entry) for entry in column]))
        if not spanned(directions, force):
            faults.add(
                f"a multiplier of the SymbolicSystem acts along {list(column)}, which is not along the constraints "
                f"{names} (compared at a random state); expected forces A^T lambda, for which reactions take the place"
            )


def _read(kinematics: Kinematics, principle: Written) -> list[list[Node]]:
    return [[kinematics.read(entry) for entry in row] for row in principle.mass_matrix]


def _is_mass_matrix(kinematics: Kinematics, matrix: list[list[Node]]) -> bool:
    """Whether there is a matrix that is symmetric, compared at a random state, and does not depend on the speeds."""
    if not matrix:
        return False
    entries = [entry for row in matrix for entry in row]
    mirrored = [entry for row in transpose(matrix) for entry in row]
    free = set(kinematics.u).isdisjoint(reachable(kinematics.graph, entries))
    return free and kinematics.sample.close(entries, mirrored)
