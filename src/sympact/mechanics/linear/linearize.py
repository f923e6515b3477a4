"""Linearisation about one state: the derivatives of the motion along the changes that constraints permit.

With the rows phi(q, t) = 0 and psi(q, u, t) = 0 of bilateral constraints and closed contacts, the motion x' = F(x, w)
keeps to a surface in the space of states. Some coordinates and speeds are independent, z = P x; the rows determine the
changes of all,

    dx = T z + V w,   P T = 1,   P V = 0,   rows of phi and psi: c_x T = 0,   c_x V = -c_w

so that z' = P F_x T z + P (F_x V + F_w) w. This is exact about a motion, too: P does not depend on time. F_x follows
from the equations M u' - f - F lambda = 0 and psi' = 0 by implicit differentiation, with u' and lambda solved in
numbers (docs/theory/linearization.rst).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sympy import Expr, Symbol

from sympact.contact.memory.contact_tolerances import RANK
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.integrate.result import Result
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.linear.closed_motion import Closed, ClosedMotion, Values
from sympact.mechanics.linear.given_numbers import GivenNumbers
from sympact.mechanics.linear.independent import Dependence, depend
from sympact.mechanics.linear.linear_functions import functions_of
from sympact.mechanics.linear.linearizable import (
    combinations,
    constraint_values,
    refuse_changing_rank,
    refuse_violated,
)
from sympact.mechanics.linear.linearization import Linearization
from sympact.mechanics.linear.operating_point import OperatingPoint, operating_point, state_of, time_of
from sympact.mechanics.shapes.unilateral import Unilateral
from sympact.mechanics.simulate.assemble import assemble_model
from sympact.mechanics.start.consistency import locked_rates, singular_mass
from sympact.mechanics.start.constraint_values import constrained_mass

__all__ = ["linearize_at", "linearize_model"]


def linearize_model(
    model: DerivedModel,
    x: Mapping[Expr, float] | Sequence[float] | Result,
    parameters: Mapping[Symbol, float],
    t: float,
    inputs: Mapping[Expr, object] | None,
    closed: Iterable[Unilateral | str] | None,
    independent: Sequence[Expr],
) -> Linearization:
    """The linearisation of a model; see `HybridModel.linearize`."""
    t, named = time_of(t), _named(model, independent)
    numbers = GivenNumbers(model, parameters, inputs, t)
    if isinstance(x, Result) and closed is None and model.contacts:
        forces = x.normal_force_at([t])[:, 0]
        closed = [contact for contact, force in zip(model.contacts, forces, strict=True) if force != 0.0]
    state = state_of(model, x, t)
    if isinstance(x, Result) and model.derivation.constraints:
        # between samples it satisfies them nearly
        state = assemble_model(model, state, parameters, None, t, inputs or {}).x
    return linearize_at(model, operating_point(model, numbers, state, t, closed), named)


def linearize_at(model: DerivedModel, point: OperatingPoint, named: Sequence[int] = ()) -> Linearization:
    """The linearisation about an operating point.

    Parameters
    ----------
    model, point
    named : sequence of int
        The states that are to be independent.

    Raises
    ------
    ValueError
        If the equations are not finite or singular there, the state violates the constraints or changes their rank,
        closed contacts would have to pull, or the named states are not independent.
    NotImplementedError
        For a sliding contact whose rows depend on others, and for friction along a searched surface in motion.
    """
    motion = functions_of(model).motion(point.closed)
    solved = _solve(model, point, motion, named)
    values, at = solved.values, solved.values.part
    n_q = len(values.rates)
    by_state = values.by_state + values.by_input @ point.input_slopes

    flow_x = np.vstack([by_state[at("rates")], solved.accelerations_along(by_state)])
    flow_w = np.vstack([values.by_input[at("rates")], solved.accelerations_along(values.by_input)])
    places = _dependence_of_places(model, values, by_state, solved.metric, named)
    independent = [*places.independent, *(n_q + i for i in solved.speeds.independent)]
    basis, shift = _changes(values, by_state, places, solved.speeds, independent)
    moved, driven = basis[:n_q, : len(places.independent)], basis[n_q:, len(places.independent) :]
    refuse_changing_rank(model, point, motion, solved.dependent, moved, driven, solved.metric)
    used = [model.derivation.symbols.inputs.index(letter) for letter in model.inputs]
    outputs_x, outputs_w = by_state[at("outputs")], values.by_input[at("outputs")]
    matrices = (
        flow_x[independent] @ basis,
        (flow_x @ shift + flow_w)[independent][:, used],
        outputs_x @ basis,
        (outputs_w + outputs_x @ shift)[:, used],
    )
    return Linearization(
        tuple(model.x[i] for i in independent),
        model.inputs,
        tuple(model.outputs),
        *matrices,
        t=point.t,
        model_states=model.x,
        x=point.x,
        rate=np.concatenate([values.rates, solved.accelerations]),
        basis=basis,
        closed={model.contacts[k].name: how.value for k, how in point.closed},
        constraints=tuple(dict.fromkeys(row.name for row in model.derivation.constraints)),
        n_q=n_q,
    )


@dataclass(frozen=True, eq=False)
class _Solved:
    """The motion at the operating point.

    Attributes
    ----------
    values : Values
        With the accelerations and multipliers of the motion.
    accelerations : array, shape (n_u,)
    multipliers : array, shape (k,)
    speeds : Dependence
        Which speeds the rows psi leave independent.
    metric : array, shape (n_u, n_u)
        M + A^T D A, which is M for motions with A u = 0.
    dependent : array, shape (d, k)
        The combinations of rows psi that are zero.
    matrix : array
        [[M, -F], [psi_u, 0]] of the independent rows.
    """

    values: Values
    accelerations: np.ndarray
    multipliers: np.ndarray
    speeds: Dependence
    metric: np.ndarray
    dependent: np.ndarray
    matrix: np.ndarray

    def accelerations_along(self, slopes: np.ndarray) -> np.ndarray:
        """The derivatives of u', from those of the residuals."""
        values, rows = self.values, self.speeds.rows
        right = np.vstack([slopes[values.part("imbalance")], slopes[values.part("acceleration")][rows]])
        return -np.linalg.solve(self.matrix, right)[: len(self.accelerations)]


def _named(model: DerivedModel, independent: Sequence[Expr]) -> list[int]:
    """The places of states that are named as independent.

    Raises
    ------
    TypeError
        If it is no list.
    ValueError
        If one is no state of the model, or named twice.
    """
    if isinstance(independent, (str, Expr)) or not isinstance(independent, Iterable):
        raise TypeError(f"independent is {independent!r}, expected a list of coordinates and speeds")
    listed = list(independent)
    unknown = [str(letter) for letter in listed if letter not in model.x or letter in model.discrete]
    if unknown:
        raise ValueError(
            f"independent has unknown states [{', '.join(unknown)}]; the model has [{', '.join(map(str, model.x))}]"
        )
    if len(set(listed)) < len(listed):
        raise ValueError(f"independent has a state twice: [{', '.join(map(str, listed))}]")
    return [model.x.index(letter) for letter in listed]


def _solve(model: DerivedModel, point: OperatingPoint, motion: ClosedMotion, named: Sequence[int]) -> _Solved:
    """u' and the multipliers of the independent rows; those of the others are zero."""
    n_q, n_u = len(model.q), len(model.u)
    at_rest = motion.at(point.t, point.x, point.p, np.zeros(n_u), np.zeros(motion.size))
    mass, directions = at_rest.mass, at_rest.directions
    metric = constrained_mass(mass, directions[:, : motion.constraints].T)
    _refuse_without_value(model, at_rest, metric)
    if motion.constraints:
        refuse_violated(model, point, constraint_values(motion, at_rest, point.x))
    speeds, dependent = _dependence_of_speeds(model, at_rest, motion, metric, named)
    undetermined = set(motion.groups[(np.abs(dependent) > RANK).any(axis=0)].tolist())
    _refuse_dependent_slip(model, point, undetermined)
    rows = at_rest.by_state[at_rest.part("velocity"), n_q:][speeds.rows]
    matrix = np.block([[mass, -directions[:, speeds.rows]], [rows, np.zeros((len(rows), len(rows)))]])
    try:
        found = np.linalg.solve(matrix, -np.concatenate([at_rest.imbalance, at_rest.acceleration[speeds.rows]]))
    except np.linalg.LinAlgError:
        raise ValueError(
            "the accelerations are not determined at this state: the mass matrix with the closed contacts is singular"
        ) from None
    multipliers = np.zeros(motion.size)
    multipliers[speeds.rows] = found[n_u:]
    values = motion.at(point.t, point.x, point.p, found[:n_u], multipliers)
    if point.chosen:
        _refuse_pulling(model, point, motion.groups, multipliers, undetermined)
    if values.rates.any() and any(how is not Closed.SMOOTH for _, how in point.closed):
        _refuse_searched(model, motion)
    return _Solved(values, found[:n_u], multipliers, speeds, metric, dependent, matrix)


def _dependence_of_speeds(
    model: DerivedModel, values: Values, motion: ClosedMotion, metric: np.ndarray, named: Sequence[int]
) -> tuple[Dependence, np.ndarray]:
    """The rank of the rows in the mass metric, the speeds for which they are solved, and their zero combinations."""
    n_q = len(values.rates)
    rows = values.by_state[values.part("velocity"), n_q:]
    inward = np.linalg.solve(np.linalg.cholesky(metric), rows.T).T
    kept = depend(inward, np.ones(len(metric)), motion.groups)
    sizes, order = 1.0 / np.sqrt(np.diagonal(metric)), np.arange(len(kept.rows))
    wanted = [i - n_q for i in named if i >= n_q]
    best = depend(rows[kept.rows], sizes, order, wanted)
    _refuse_not_independent(model.u, "speeds", best, depend(rows[kept.rows], sizes, order), wanted)
    found = replace(kept, independent=best.independent, dependent=best.dependent)
    return found, combinations(inward, kept.rows)


def _dependence_of_places(
    model: DerivedModel, values: Values, by_state: np.ndarray, metric: np.ndarray, named: Sequence[int]
) -> Dependence:
    """The coordinates that the rows phi leave independent; discrete states are none."""
    n_q = len(values.rates)
    still = np.array([q in model.discrete for q in model.q], dtype=bool)
    rows = np.where(still, 0.0, by_state[values.part("position"), :n_q])
    motions = values.by_state[values.part("rates"), n_q:] @ np.linalg.inv(np.linalg.cholesky(metric)).T
    sizes = np.linalg.norm(motions, axis=1)
    sizes, order = np.where(sizes > 0.0, sizes, 1.0), np.arange(len(rows))
    wanted = [i for i in named if i < n_q]
    best = depend(rows, sizes, order, wanted)
    _refuse_not_independent(model.q, "coordinates", best, depend(rows, sizes, order), wanted)
    return replace(best, independent=[i for i in best.independent if not still[i]])


def _refuse_not_independent(
    letters: Sequence[Expr], kind: str, best: Dependence, usual: Dependence, named: Sequence[int]
) -> None:
    """Named coordinates or speeds that are not independent."""
    if len(best.dependent) < len(best.rows):
        free = ", ".join(str(letters[i]) for i in usual.independent) or "none"
        wanted = ", ".join(str(letters[i]) for i in named)
        raise ValueError(
            f"the {kind} [{wanted}] are not independent: the constraints and closed contacts leave "
            f"{len(usual.independent)} of {len(letters)} {kind} independent at this state, such as {free}"
        )


def _changes(
    values: Values, by_state: np.ndarray, places: Dependence, speeds: Dependence, independent: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """T and V: the changes of all states with z and with the inputs."""
    n_q, n_x = len(values.rates), by_state.shape[1]
    rows, inputs = [
        np.vstack([slopes[values.part("position")][places.rows], slopes[values.part("velocity")][speeds.rows]])
        for slopes in (by_state, values.by_input)
    ]
    dependent = [*places.dependent, *(n_q + i for i in speeds.dependent)]
    basis, shift = np.zeros((n_x, len(independent))), np.zeros((n_x, inputs.shape[1]))
    basis[independent] = np.eye(len(independent))
    basis[dependent] = -np.linalg.solve(rows[:, dependent], rows[:, independent])
    shift[dependent] = -np.linalg.solve(rows[:, dependent], inputs)
    return basis, shift


def _refuse_without_value(model: DerivedModel, values: Values, metric: np.ndarray) -> None:
    """Equations that are not finite, and a mass matrix that is not positive definite for the motions with A u = 0."""
    checked = np.concatenate([values.rates, values.imbalance, values.acceleration])
    wrong = np.flatnonzero(~np.isfinite(checked[: len(model.x)]))
    if wrong.size:
        raise ValueError(f"the rate of {model.x[wrong[0]]} is not finite at this state, so that it has no derivative")
    rows = values.by_state[~np.isfinite(values.by_state).all(axis=1)]
    if rows.size:
        columns = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        names = ", ".join(str(model.x[i]) for i in columns)
        raise ValueError(
            f"the equations have no finite derivative with respect to {names} at this state, such as a root or the "
            "direction of a line at zero length; give a state beside it"
        )
    n_q = len(values.rates)
    faults = singular_mass(model, metric) or locked_rates(model, values.by_state[:n_q, n_q:], metric)
    if faults:
        raise ValueError("the motion has no derivative at this state: " + "; ".join(faults))


def _refuse_dependent_slip(model: DerivedModel, point: OperatingPoint, undetermined: Collection[int]) -> None:
    """Sliding contacts whose normal forces are not determined."""
    slipping = [k for k, how in point.closed if how is Closed.SLIPS and k in undetermined]
    if slipping:
        names = ", ".join(f"'{model.contacts[k].name}'" for k in slipping)
        raise NotImplementedError(
            f"the contacts {names} slide, and the rows of the closed contacts depend on each other: the normal forces, "
            "and with them the friction, are not determined; name fewer contacts with closed="
        )


def _refuse_pulling(
    model: DerivedModel,
    point: OperatingPoint,
    groups: np.ndarray,
    multipliers: np.ndarray,
    undetermined: Collection[int],
) -> None:
    """Contacts that touch and would have to pull, of those whose forces are determined."""
    forces = np.zeros(len(model.contacts))
    for k, how in point.closed:
        if k in undetermined:
            continue
        force = multipliers[groups == k]
        forces[k] = force @ point.normals[k] if how is Closed.STICKS else force[0]
    pulling = np.flatnonzero(forces < -NEGLIGIBLE * np.abs(multipliers).max(initial=0.0))
    if pulling.size:
        k = int(pulling[0])
        raise ValueError(
            f"{model.contacts[k].title} touches at this state, but would have to pull with {-forces[k]:.6g} N to stay "
            "closed; name the contacts that are closed with closed="
        )


def _refuse_searched(model: DerivedModel, motion: ClosedMotion) -> None:
    """Friction along a surface whose closest point a search finds, in motion."""
    if motion.depends_on_searches(model.derivation):
        raise NotImplementedError(
            "the closest point of a contact with friction is found by a search, whose second derivatives are not known:"
            " such a contact can be linearized in an equilibrium, not along a motion"
        )
