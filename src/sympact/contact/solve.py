"""The impact problem on its own: matrices in, impulses out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact import layout as at
from sympact.contact.data import ContactData
from sympact.contact.laws import Newton, Simultaneous

__all__ = ["ImpactSolution", "solve_impact"]


@dataclass(frozen=True, eq=False)
class ImpactSolution:
    """What an impact does.

    Attributes
    ----------
    speed_change : array, shape (n_speeds,)
        u+ - u-.
    impulses : array, shape (n_contacts,)
        Lambda >= 0 (N s); of all that give this motion, those of least norm.
    gap_rate_plus : array, shape (n_contacts,)
        gamma+ (m/s).
    energy : float
        The energy that the contacts take up, sum of Lambda (gamma+ + gamma-)/2 (J): the change of the kinetic energy
        less the work of moving walls. Negative when energy is lost.
    residual : float
        The largest |min(Lambda, gamma+ + e gamma-)|, each made comparable by M, relative to the speeds of the problem.
    """

    speed_change: np.ndarray
    impulses: np.ndarray
    gap_rate_plus: np.ndarray
    energy: float
    residual: float


def solve_impact(
    mass_matrix: ArrayLike, normal_jacobian: ArrayLike, gap_rate_minus: ArrayLike, restitution: ArrayLike
) -> ImpactSolution:
    """Solve a frictionless impact of one or several contacts under Newton's law.

    Finds u+ - u- and Lambda with M (u+ - u-) = W Lambda, gamma+ = gamma- + W^T (u+ - u-) and
    0 <= Lambda _|_ gamma+ + e gamma- >= 0 for each contact (`Newton`). Contacts may be redundant (W^T M^-1 W singular).

    Parameters
    ----------
    mass_matrix : array_like, shape (n_speeds, n_speeds)
        M, symmetric and positive definite; its lower triangle is read.
    normal_jacobian : array_like, shape (n_contacts, n_speeds)
        W^T, the derivative of the gap rates by the speeds.
    gap_rate_minus : array_like, shape (n_contacts,)
        gamma- (m/s), negative where bodies approach.
    restitution : float or array_like, shape (n_contacts,)
        e of each contact, from 0 to 1.

    Returns
    -------
    ImpactSolution

    Raises
    ------
    ValueError
        If shapes do not match, a number is not finite, e is outside 0..1, M is not positive definite, or no impulses
        satisfy the law (a body between walls that close in on it).

    Examples
    --------
    A ball of 4 kg hits a floor with 3 m/s:

    >>> solution = solve_impact([[4.0]], [[1.0]], [-3.0], 0.5)
    >>> solution.impulses, solution.gap_rate_plus, solution.energy
    (array([18.]), array([1.5]), -13.5)
    """
    mass, jacobian = np.array(mass_matrix, float), np.array(normal_jacobian, float)
    before, e = np.array(gap_rate_minus, float), np.array(restitution, float)
    if e.ndim == 0:
        e = np.full(before.shape, float(e))
    _validate(mass, jacobian, before, e)
    n, m = jacobian.shape
    law, resolution = Newton(), Simultaneous()
    data = ContactData(0, m, n, law, resolution, terms=0, parameters=[], length=1.0)
    data.pose(mass, jacobian, before, e)
    if law.solver(resolution, friction=False).callable()(data.address) != at.SOLVED:
        raise ValueError(_refusal(data))
    impulses, after = data.array(at.IMPULSE), data.array(at.RATE_PLUS)
    return ImpactSolution(data.array(at.CHANGE), impulses, after, float(impulses @ (after + before)) / 2, data.residual)


def _validate(mass: np.ndarray, jacobian: np.ndarray, before: np.ndarray, e: np.ndarray) -> None:
    """Raise one error that names every fault of the arguments."""
    n, m = jacobian.shape if jacobian.ndim == 2 else (-1, -1)
    faults = []
    if n < 1 or m < 1:
        faults.append(f"the normal Jacobian has the shape {jacobian.shape}, expected (n_contacts, n_speeds)")
    else:
        expected = {"mass matrix": (mass, (m, m)), "gap rates": (before, (n,)), "restitution": (e, (n,))}
        for name, (array, shape) in expected.items():
            if array.shape != shape:
                faults.append(f"{name}: shape {array.shape}, expected {shape} for {n} contacts and {m} speeds")
    named = {"mass matrix": mass, "normal Jacobian": jacobian, "gap rates": before, "restitution": e}
    faults += [f"{name}: not every number is finite" for name, array in named.items() if not np.isfinite(array).all()]
    outside = [float(value) for value in e.ravel() if value < 0 or value > 1]
    if outside:
        faults.append(f"restitution: {outside} outside the range from 0 to 1")
    if faults:
        raise ValueError("the impact cannot be posed: " + "; ".join(faults))


def _refusal(data: ContactData) -> str:
    if data.singular_speed is not None:
        return (
            f"the mass matrix is not positive definite: elimination finds no mass left at the speed of index "
            f"{data.singular_speed}; give it a mass, or leave a singular configuration"
        )
    return (
        "no impulses satisfy the law of every contact: some contacts close in on a body from opposite sides, or their "
        "restitutions contradict each other; let them hit one after the other, or make their restitutions equal"
    )
