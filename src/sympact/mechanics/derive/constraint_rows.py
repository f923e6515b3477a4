"""Bilateral constraints as rows A u + a = 0 with the derivatives that the equations of motion need.

A holonomic constraint phi(q, t) = 0 gives A = phi_q S and a = phi_q b + phi_t with q' = S u + b, by differentiation of
phi along the motion. A nonholonomic one is A u + a as it is written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sympy import Expr

from sympact.graph import Substitution, Tangent, count, reachable
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.gaps import connected, overruled, words_of_velocities
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import POSITION
from sympact.mechanics.read.constraint import Acceleration, Constraint
from sympact.native.rounding import SAME, WRITTEN

__all__ = ["ConstraintRow", "constraint_rows", "refuse_dependent", "spanned"]


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """One scalar equation of a bilateral constraint as nodes.

    Attributes
    ----------
    name : str
        That of the constraint; its rows share it.
    position : node or None
        phi; None for a condition on speeds.
    rate : node
        A u + a.
    jacobian : tuple of node
        A, one for each speed.
    drift : node
        a.
    bias : node
        A' u + a' along the motion: the derivative of the rate with u' left out.
    component : str
        Which of the equations of a closure it is, such as "along x"; empty where there is one alone.
    """

    name: str
    position: Node | None
    rate: Node
    jacobian: tuple[Node, ...]
    drift: Node
    bias: Node
    component: str = ""

    @property
    def label(self) -> str:
        """The name and the component."""
        return f"{self.name} {self.component}".rstrip()

    def nodes(self) -> list[Node]:
        """All of them."""
        position = [] if self.position is None else [self.position]
        return [*position, self.rate, *self.jacobian, self.drift, self.bias]


def constraint_rows(
    kinematics: Kinematics, constraints: Sequence[Constraint], faults: Faults
) -> tuple[ConstraintRow, ...]:
    """The rows of the constraints, in their order.

    As those of gaps, the rates of positions are derived with the angular velocities of frames and by the chain rule
    alone, compared numerically, and the shorter set is kept. Left out are rows that are zero for all values, such as
    the component of a loop out of the plane in which it moves, and conditions on speeds that follow from those on
    positions.

    Parameters
    ----------
    kinematics : Kinematics
    constraints : sequence of Constraint
    faults : Faults
        Added are constraints that no motion can meet, conditions not linear in the speeds, set velocities that
        contradict the positions, and constraints that leave no motion.
    """
    joined = [connected(kinematics, constraint.parts(), faults) for constraint in constraints]
    if not all(joined):
        return ()
    read = _equations(kinematics, constraints)
    ways = (kinematics.drift, Tangent(kinematics.graph, kinematics.drift_seed))
    sets = [[_row(kinematics, *one, way) for one in read] for way in ways]
    for (constraint, _, _), first, second in zip(read, *sets, strict=True):
        named = overruled(kinematics, constraint.parts())
        if named or not kinematics.sample.close([first.rate], [second.rate]):
            faults.add(
                f"{constraint.title} does not change at the rate that the velocities give (compared at a random "
                f"state); {words_of_velocities(named)}"
            )
    shorter = min(sets, key=lambda rows: count(kinematics.graph, [node for row in rows for node in row.nodes()]))
    rows = _moving(kinematics, [one for one, _, _ in read], shorter, faults)
    rows = _independent_of_positions(kinematics, rows)
    late = [constraint for constraint in constraints if isinstance(constraint, Acceleration)]
    _refuse_accelerations(kinematics, late, rows, faults)
    if not faults.sentences:
        _refuse_rigid(kinematics, rows, faults)
    return tuple(rows)


def refuse_dependent(
    kinematics: Kinematics,
    constraints: Sequence[Constraint],
    rows: Sequence[ConstraintRow],
    dependent: Mapping[str, Iterable[tuple[Expr, Node]]],
    faults: Faults,
) -> None:
    """Dependent coordinates and speeds that the rows do not determine.

    They are hints: a row needs none of them. But there are at most as many as equations, and each occurs in one.

    Parameters
    ----------
    kinematics : Kinematics
    constraints, rows
        The constraints and their rows.
    dependent : mapping of str to pairs (Expr, node)
        The symbols with their nodes, under "coordinates" and "speeds".
    faults : Faults
    """
    equations = _equations(kinematics, constraints) if any(dependent.values()) else []
    positions = [node for constraint, _, node in equations if constraint.further == POSITION]
    found = {"coordinates": (positions, len(positions)), "speeds": ([row.rate for row in rows], len(equations))}
    for kind, pairs in dependent.items():
        letters = list(pairs)
        names = [str(letter) for letter, _ in letters]
        nodes, many = found[kind]
        if len(letters) > many:
            faults.add(
                f"{len(letters)} {kind} are called dependent, {', '.join(names)}, but there are {many} "
                f"equations of constraints for {kind}; each dependent one needs an equation, the others are independent"
            )
            continue
        for name, (_, node) in zip(names, letters, strict=True):
            if node not in reachable(kinematics.graph, nodes):
                faults.add(f"{name} is called dependent, but occurs in no constraint; make it independent")


def _equations(kinematics: Kinematics, constraints: Sequence[Constraint]) -> list[tuple[Constraint, str, Node]]:
    """phi or A u + a of every equation, with its constraint and its name there; of positions and speeds alone."""
    motion = Motion(kinematics)
    given = (constraint for constraint in constraints if not isinstance(constraint, Acceleration))
    return [(one, name, scalar.node) for one in given for name, scalar in one.equations(motion).items()]


def _row(kinematics: Kinematics, constraint: Constraint, component: str, node: Node, along: Tangent) -> ConstraintRow:
    graph = kinematics.graph
    positional = constraint.further == POSITION
    rate = along(node) if positional else node
    at_rest = Substitution(graph, dict.fromkeys(kinematics.u, graph.zero))
    return ConstraintRow(
        name=constraint.name,
        position=node if positional else None,
        rate=rate,
        jacobian=tuple(column[0] for column in kinematics.partials([rate])),
        drift=at_rest(rate),
        bias=along(rate),
        component=component,
    )


def _moving(
    kinematics: Kinematics, given: Sequence[Constraint], rows: Sequence[ConstraintRow], faults: Faults
) -> list[ConstraintRow]:
    """The rows with a direction; those without are satisfied by every motion, or by none."""
    kept = []
    for constraint, row in zip(given, rows, strict=True):
        if not set(kinematics.u).isdisjoint(reachable(kinematics.graph, row.jacobian)):
            faults.add(
                f"{constraint.title} is not linear in the speeds; expected A u + a = 0 with A and a free of speeds"
            )
        elif not _vanish(kinematics, row.jacobian):
            kept.append(row)
        elif not _vanish(kinematics, [row.drift if row.position is None else row.position]):
            faults.add(
                f"{constraint.title}{f' ({row.component})' if row.component else ''} cannot be met by any motion: no "
                f"speed changes it, and it is not zero (at a random "
                "state); remove it, or write it with the coordinates that it restricts"
            )
    return kept


def _vanish(kinematics: Kinematics, nodes: Sequence[Node]) -> bool:
    """Whether nodes are zero for all values: as expressions, or to rounding at a random state, without conditions."""
    graph = kinematics.graph
    left = [node for node in nodes if node != graph.zero]
    if any(graph.ops[part] in _CONDITIONAL for part in reachable(graph, left)):
        return False
    values = kinematics.sample(left)
    return all(math.isfinite(value) and abs(value) <= WRITTEN for value in values)


_CONDITIONAL = frozenset({"select", "max", "min", "abs", "sign", "heaviside", "floor", "ceiling", "mod"})


def _independent_of_positions(kinematics: Kinematics, rows: Sequence[ConstraintRow]) -> list[ConstraintRow]:
    """The rows without conditions on speeds that are combinations of the derivatives of positions."""
    positions = _numbers(kinematics, [(*row.jacobian, row.drift) for row in rows if row.position is not None])
    return [
        row
        for row in rows
        if row.position is not None or not spanned(positions, *_numbers(kinematics, [(*row.jacobian, row.drift)]))
    ]


def _refuse_accelerations(
    kinematics: Kinematics, late: Sequence[Constraint], rows: Sequence[ConstraintRow], faults: Faults
) -> None:
    """Conditions on accelerations that are no combinations of the derivatives of the rows."""
    slopes = _numbers(kinematics, [(*row.jacobian, row.bias) for row in rows])
    motion = Motion(kinematics)
    for constraint in late:
        nodes = [scalar.node for scalar in constraint.equations(motion).values()]
        if not spanned(slopes, *_numbers(kinematics, [nodes])):
            faults.add(
                f"{constraint.title} is not the derivative of the velocity constraints (compared at a random state); "
                "leave acceleration_constraints= out, or write what is missing as a velocity constraint"
            )


def _refuse_rigid(kinematics: Kinematics, rows: Sequence[ConstraintRow], faults: Faults) -> None:
    """Rows of constant numbers that leave no motion; whether others do depends on the state and the parameters."""
    graph = kinematics.graph
    driving = set(kinematics.drift_seed) - set(kinematics.q)
    constant = [
        row
        for row in rows
        if all(graph.value(entry) is not None for entry in row.jacobian)
        and driving.isdisjoint(reachable(graph, [row.rate, *([] if row.position is None else [row.position])]))
    ]
    n = len(kinematics.u)
    if len(constant) >= n and np.linalg.matrix_rank(_numbers(kinematics, [row.jacobian for row in constant])) == n:
        names = ", ".join(dict.fromkeys(f"'{row.name}'" for row in constant))
        faults.add(
            f"the constraints {names} leave no freedom: {len(constant)} equations determine all {n} speeds; remove "
            "constraints, or add bodies and coordinates that can move"
        )


def _numbers(kinematics: Kinematics, rows: Sequence[Sequence[Node]]) -> np.ndarray:
    """The values of rows of nodes at a random state."""
    return np.array([kinematics.sample(row) for row in rows])


def spanned(rows: np.ndarray, row: np.ndarray) -> bool:
    """Whether a row is a combination of others."""
    if not rows.size or not (np.isfinite(rows).all() and np.isfinite(row).all()):
        return False
    factors = np.linalg.lstsq(rows.T, row, rcond=SAME)[0]
    return bool(np.linalg.norm(row - rows.T @ factors) <= SAME * np.linalg.norm(row))
