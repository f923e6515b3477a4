"""The impact problem with friction on its own: matrices in, impulses out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact import cone_layout
from sympact.contact import layout as at
from sympact.contact.complement import solve_cone_problem
from sympact.contact.lcp import UnsolvedComplementarity

__all__ = ["FrictionalImpactSolution", "solve_frictional_impact"]

_SOLVERS = {
    cone_layout.NOTHING: "none needed",
    cone_layout.ALONE: "one contact",
    cone_layout.NEWTON: "Newton",
    cone_layout.FOLLOWED: "Newton after less friction",
    cone_layout.EDGED: "Newton after Lemke",
    cone_layout.SWEPT: "Newton after Gauss-Seidel",
}


@dataclass(frozen=True, eq=False)
class FrictionalImpactSolution:
    """What an impact with friction does.

    Attributes
    ----------
    speed_change : array, shape (n_speeds,)
        u+ - u-.
    impulses : array, shape (n_contacts, 3)
        Lambda_N >= 0 and the two tangential components (N s) of each contact.
    gap_rate_plus : array, shape (n_contacts,)
        gamma_N+ (m/s).
    slip_plus : array, shape (n_contacts, 2)
        gamma_T+ (m/s).
    energy : float
        The energy that the contacts take up, sum of Lambda . (gamma+ + gamma-)/2 (J); negative when energy is lost.
        Without restitution it is never positive; with restitution and friction it can be.
    residual : float
        By how much a contact misses the law, made comparable by M, relative to the speeds of the problem.
    solver : str
        What found the solution.
    """

    speed_change: np.ndarray
    impulses: np.ndarray
    gap_rate_plus: np.ndarray
    slip_plus: np.ndarray
    energy: float
    residual: float
    solver: str


def solve_frictional_impact(
    mass_matrix: ArrayLike,
    normal_jacobian: ArrayLike,
    tangent_jacobian: ArrayLike,
    gap_rate_minus: ArrayLike,
    slip_minus: ArrayLike,
    restitution: ArrayLike,
    friction: ArrayLike,
) -> FrictionalImpactSolution:
    """Solve an impact of one or several contacts under Newton's law of restitution and Coulomb's law of friction.

    Finds u+ - u- and Lambda with M (u+ - u-) = W_N Lambda_N + W_T Lambda_T and, for each contact,

        0 <= Lambda_N _|_ gamma_N+ + e gamma_N- >= 0,    |Lambda_T| <= mu Lambda_N,
        Lambda_T = -mu Lambda_N gamma_T+/|gamma_T+| where gamma_T+ is not zero

    with the round cone [1]_ [2]_. Contacts may be redundant. The motion after is not always unique: with friction,
    redundant contacts that slide can share the load in ways that turn the body differently; of the solutions found the
    impulses of least norm are taken.

    Parameters
    ----------
    mass_matrix : array_like, shape (n_speeds, n_speeds)
        M, symmetric and positive definite; its lower triangle is read.
    normal_jacobian : array_like, shape (n_contacts, n_speeds)
        W_N^T, the derivative of the gap rates by the speeds.
    tangent_jacobian : array_like, shape (n_contacts, 2, n_speeds)
        W_T^T, that of the slip along two directions normal to each other. The second row is zero for a planar model.
    gap_rate_minus : array_like, shape (n_contacts,)
        gamma_N- (m/s), negative where bodies approach.
    slip_minus : array_like, shape (n_contacts, 2)
        gamma_T- (m/s).
    restitution : float or array_like, shape (n_contacts,)
        e of each contact, from 0 to 1.
    friction : float or array_like, shape (n_contacts,)
        mu of each contact, not negative.

    Returns
    -------
    FrictionalImpactSolution

    Raises
    ------
    UnsolvedComplementarity
        If no solver finds impulses that satisfy the law. It is a ValueError.
    ValueError
        If shapes do not match, a number is not finite or outside its range, or M is not positive definite.

    References
    ----------
    .. [1] J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in: Nonsmooth Mechanics and
       Applications, CISM Courses and Lectures 302, Springer, 1988, pp. 1-82.
    .. [2] P. Alart, A. Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution
       methods", Computer Methods in Applied Mechanics and Engineering 92, 1991, pp. 353-375.

    Examples
    --------
    A ball of 2 kg without spin hits a floor with (4, 3, -3) m/s; e = 0.5, mu = 0.25. It slips throughout, and its slip
    of 5 m/s keeps its direction:

    >>> import numpy as np
    >>> mass = np.diag([2.0, 2.0, 2.0, 0.8, 0.8, 0.8])
    >>> normal = [[0, 0, 1, 0, 0, 0]]
    >>> tangents = [[[1, 0, 0, 0, -1, 0], [0, 1, 0, 1, 0, 0]]]
    >>> solution = solve_frictional_impact(mass, normal, tangents, [-3.0], [[4.0, 3.0]], 0.5, 0.25)
    >>> solution.impulses.round(9).tolist(), solution.gap_rate_plus.round(9).tolist()
    ([[9.0, -1.8, -1.35]], [1.5])
    """
    mass, normal = np.array(mass_matrix, float), np.array(normal_jacobian, float)
    tangent, before, slip = (np.array(a, float) for a in (tangent_jacobian, gap_rate_minus, slip_minus))
    n = len(before) if before.ndim == 1 else 0
    e, mu = (np.full(n, float(a)) if np.ndim(a) == 0 else np.array(a, float) for a in (restitution, friction))
    _validate(mass, normal, tangent, before, slip, e, mu)
    jacobian = np.concatenate([normal[:, None], tangent], axis=1).reshape(3 * n, -1)
    columns = np.linalg.solve(_factor(mass), jacobian.T)
    minus = np.column_stack([before, slip])
    rate = (minus + np.column_stack([e * before, np.zeros((n, 2))])).ravel()
    answer = solve_cone_problem(columns.T @ columns, rate, mu)
    if answer.code != at.SOLVED:
        problem = (columns.T @ columns, rate, mu)
        raise UnsolvedComplementarity(_refusal(n, answer.residual), problem, {"Newton": answer.residual})
    change = np.linalg.solve(_factor(mass).T, columns @ answer.impulse)
    plus, impulses = minus + (jacobian @ change).reshape(n, 3), answer.impulse.reshape(n, 3)
    energy = float((impulses * (plus + minus)).sum()) / 2
    return FrictionalImpactSolution(
        change, impulses, plus[:, 0], plus[:, 1:], energy, answer.residual, _SOLVERS[answer.solver]
    )


def _factor(mass: np.ndarray) -> np.ndarray:
    """Cholesky's factor of the mass matrix."""
    try:
        return np.linalg.cholesky(mass)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            "the mass matrix is not positive definite; give every speed a mass, or leave a singular configuration"
        ) from error


def _validate(mass, normal, tangent, before, slip, e, mu) -> None:
    """Raise one error that names every fault of the arguments."""
    n, m = normal.shape if normal.ndim == 2 else (-1, -1)
    faults = []
    if n < 1 or m < 1:
        faults.append(f"the normal Jacobian has the shape {normal.shape}, expected (n_contacts, n_speeds)")
    else:
        expected = {
            "mass matrix": (mass, (m, m)), "tangent Jacobian": (tangent, (n, 2, m)), "gap rates": (before, (n,)),
            "slip": (slip, (n, 2)), "restitution": (e, (n,)), "friction": (mu, (n,)),
        }
        for name, (array, shape) in expected.items():
            if array.shape != shape:
                faults.append(f"{name}: shape {array.shape}, expected {shape} for {n} contacts and {m} speeds")
    named = {
        "mass matrix": mass, "normal Jacobian": normal, "tangent Jacobian": tangent, "gap rates": before, "slip": slip,
        "restitution": e, "friction": mu,
    }
    faults += [f"{name}: not every number is finite" for name, array in named.items() if not np.isfinite(array).all()]
    outside = [float(value) for value in e.ravel() if value < 0 or value > 1]
    if outside:
        faults.append(f"restitution: {outside} outside the range from 0 to 1")
    negative = [float(value) for value in mu.ravel() if value < 0]
    if negative:
        faults.append(f"friction: {negative} below zero")
    if faults:
        raise ValueError("the impact cannot be posed: " + "; ".join(faults))


def _refusal(n: int, residual: float) -> str:
    return (
        f"no impulses were found that satisfy the law of all {n} contacts: the best miss it by {residual:.1e} of the "
        "problem's speeds, 1e-10 is asked; contacts that close in on a body from opposite sides may have no solution, "
        "and contacts that almost jam one that rounding hides; the matrix, the rates and mu are attached as `problem`"
    )
