"""Whether a constrained state can be linearized: it satisfies the constraints, and its neighbours have their rank.

A combination nu of dependent rows, nu^T A = 0, stays dependent at the neighbouring states of the motion if and only if
the change of A^T nu along every change dx = T z does no work on the motions N that the rows leave, A N = 0:

    N^T d(A^T nu) T = 0

Else the number of freedoms changes at the state, as where a parallelogram is stretched flat, and there is no linear
motion about it.
"""

from __future__ import annotations

import numpy as np

from sympact.contact.memory.contact_tolerances import DEPENDENT, RANK
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.linear.closed_motion import ClosedMotion, Values
from sympact.mechanics.linear.linear_functions import functions_of
from sympact.mechanics.linear.operating_point import OperatingPoint
from sympact.mechanics.start.constraint_values import ConstraintValues
from sympact.native.rounding import SAME

__all__ = ["combinations", "constraint_values", "refuse_changing_rank", "refuse_violated"]


def constraint_values(motion: ClosedMotion, values: Values, x: np.ndarray) -> ConstraintValues:
    """The terms of the bilateral constraints, from values without accelerations and multipliers."""
    rows = motion.constraints
    positions = np.zeros(rows)
    positions[list(motion.positions)] = values.position[: len(motion.positions)]
    return ConstraintValues(
        mass=values.mass,
        forcing=-values.imbalance,
        positions=positions,
        rates=values.velocity[:rows],
        biases=values.acceleration[:rows],
        rows=values.directions[:, :rows].T,
        u=x[len(values.rates) :],
    )


def refuse_violated(model: DerivedModel, point: OperatingPoint, values: ConstraintValues) -> None:
    """Raise for a state that violates the bilateral constraints, or at which they contradict each other.

    Raises
    ------
    ValueError
    """
    names = [row.name for row in model.derivation.constraints]
    size = max(model.length_value(point.p), float(np.abs(point.x[: len(model.q)]).max(initial=0.0)))
    pairs = zip(("", "the rate of "), values.violated(size, SAME), (values.positions, values.rates), strict=True)
    faults = [f"{word}'{names[k]}' is {left[k]:.6g}" for word, wrong, left in pairs for k in np.flatnonzero(wrong)]
    if faults:
        raise ValueError(
            f"the state violates the constraints at t = {point.t:.12g}: expected 0, but {', '.join(faults)}; "
            "model.assemble(x, parameters) gives the closest state that satisfies them"
        )
    left, wrong = values.contradiction()
    if wrong.any():
        told = ", ".join(f"'{names[k]}' by {abs(left[k]):.6g}" for k in np.flatnonzero(wrong))
        raise ValueError(
            f"the constraints contradict each other in their accelerations at this state: no motion satisfies {told}"
        )


def combinations(rows: np.ndarray, kept: list[int]) -> np.ndarray:
    """The factors nu of rows whose sums are zero, one combination for each row that depends on those that are kept.

    Parameters
    ----------
    rows : array, shape (k, n)
    kept : list of int
        Independent rows, on which the others depend.

    Examples
    --------
    >>> combinations(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 0.5]]), [1, 2]) + 0.0
    array([[ 1. , -0.5,  0. ]])
    """
    others = [i for i in range(len(rows)) if i not in kept]
    factors = np.zeros((len(others), len(rows)))
    factors[:, kept] = -np.linalg.lstsq(rows[kept].T, rows[others].T, rcond=None)[0].T
    factors[np.arange(len(others)), others] = 1.0
    return factors


def refuse_changing_rank(
    model: DerivedModel,
    point: OperatingPoint,
    motion: ClosedMotion,
    factors: np.ndarray,
    changes: np.ndarray,
    motions: np.ndarray,
    metric: np.ndarray,
) -> None:
    """Raise where rows are dependent at the state alone.

    Coordinates compare by how far they move the model, speeds by their energies; what is less than rounding of F, or
    half of the digits of its derivatives, is zero.

    Parameters
    ----------
    model, point, motion
    factors : array, shape (d, k)
        The combinations nu.
    changes : array, shape (n_q, n)
        T: the changes of the coordinates with the independent ones.
    motions : array, shape (n_u, m)
        N.
    metric : array, shape (n_u, n_u)
        The mass matrix with its constraints, in which the speeds compare.

    Raises
    ------
    ValueError
    """
    if not (factors.size and motions.size and changes.size):
        return
    n_q = len(model.q)
    reach = functions_of(model).reach(point.t, point.x, point.p, model.length_value(point.p) or 1.0)
    turns = np.where(reach > 0.0, reach, 1.0)
    speeds = 1.0 / np.sqrt(np.diagonal(metric))
    directions, slopes = _directions(point, motion, len(model.u))
    slopes = slopes[:, :, :n_q] * speeds[:, np.newaxis] / turns
    moved, driven = changes * turns[:, np.newaxis], motions / speeds[:, np.newaxis]
    work = np.abs(np.einsum("ck,kmi,mj,is->cjs", factors, slopes, driven, moved))
    rounding = RANK * np.abs(slopes).max() + DEPENDENT * np.abs(directions.T * speeds).max()
    sizes = np.outer(np.abs(driven).max(axis=0), np.abs(moved).max(axis=0))
    least = rounding * np.abs(factors).max(axis=1)[:, np.newaxis, np.newaxis] * sizes
    wrong = factors[(work > least).any(axis=(1, 2))]
    if wrong.size:
        involved = sorted({int(motion.groups[i]) for nu in wrong for i in np.flatnonzero(np.abs(nu) > RANK)})
        names = [contact.name for contact in model.contacts]
        names += dict.fromkeys(row.name for row in model.derivation.constraints)
        raise ValueError(
            f"the rank of the constraints {', '.join(repr(names[k]) for k in involved)} changes at this state, so that "
            "the motion has no linearization there; give a state beside it"
        )


def _directions(point: OperatingPoint, motion: ClosedMotion, n_u: int) -> tuple[np.ndarray, np.ndarray]:
    """F, and the derivatives of its columns with respect to the state, shapes (n_u, k) and (k, n_u, n_states)."""

    def of(multipliers: np.ndarray) -> Values:
        return motion.at(point.t, point.x, point.p, np.zeros(n_u), multipliers)

    def slopes(values: Values) -> np.ndarray:
        part = values.part("imbalance")
        return values.by_state[part] + values.by_input[part] @ point.input_slopes

    without = of(np.zeros(motion.size))
    return without.directions, np.array([slopes(without) - slopes(of(unit)) for unit in np.eye(motion.size)])
