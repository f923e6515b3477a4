"""Why an impact has no solution: impulses inside the friction cones that move nothing, against an approach.

Let K be the product of the friction cones |P_T| <= mu P_N. v = b + G P has a solution under Coulomb's law if some
motion opens all contacts without violating their cones (Acary, Cadoux, Lemarechal and Malick 2011); otherwise, by
Farkas' lemma, there is a self-stress nu in K, nu != 0, with G nu = 0 and nu . b <= 0. It is the certificate of
infeasibility: b is v- with the right side of the law, and for all impulses, nu . v is equal to nu . v-.

Near a dead point nu moves a little: |A^T nu| > 0, G = A A^T. Solutions then need impulses P of the size |nu . b| / |A^T
nu|^2, and where G P is lost in the rounding of P no floating-point numbers solve the problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import ACCEPTED, BEYOND_ERROR, IMPULSE_ROUNDINGS, IMPULSES_LOST
from sympact.contact.solver_calls import find_rank
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.rounding import EPS

__all__ = ["Infeasibility", "find_infeasibility", "self_stress"]

_CUTS = 60  # rounds in which the approximation of the cones is refined
_SHARP = {"primal_feasibility_tolerance": ACCEPTED, "dual_feasibility_tolerance": ACCEPTED}
_FIRST = 8  # planes that approximate a cone at first
_LOST = (IMPULSE_ROUNDINGS * EPS / IMPULSES_LOST) ** 0.5  # of the largest singular value: G P is lost in rounding


@dataclass(frozen=True, eq=False)
class Infeasibility:
    """The certificate of an impact that has no solution under its law.

    Attributes
    ----------
    kind : str
        ``"jam"``: friction prevents the motion of the restitution (self-locking). ``"restitutions"``: the same without
        friction, the restitutions contradict each other. ``"driven jam"``: a moving surface drives self-locking
        contacts. ``"crush"``: moving surfaces close in, with or without friction. These two have no solution under any
        law but by chance. ``"dead point"``: the law requires impulses so large, because they move almost nothing, that
        they exceed floating-point numbers.
    contacts : tuple of str or int
        Those of the self-stress: their names, for matrices alone their indices.
    stress : array, shape (n, 3)
        nu of these contacts, normal and tangents, the normal ones of sum 1: impulses inside the cones that move
        nothing.
    power : float
        nu . b (m/s), which is negative: nu . v is constant for all impulses, and the law requires it to be zero or
        more.
    laws : tuple of str
        Laws under which there is a solution.
    """

    kind: str
    contacts: tuple
    stress: np.ndarray
    power: float
    laws: tuple[str, ...]

    def sentence(self) -> str:
        """The obstacle to a solution, and the laws that have one, as text."""
        many = len(self.contacts) > 1
        names = " and ".join(f"'{name}'" if isinstance(name, str) else str(name) for name in self.contacts)
        who = f"the contact{'s' if many else ''} {names}"
        if self.kind == "jam":
            return (
                f"{who} {'lock' if many else 'locks'}: friction prevents every solution of Newton's law, because "
                "impulses inside the friction cones prevent the motion of the restitution; "
                f"{_listed(self.laws)} have a solution, in which {'they stop' if many else 'it stops'}"
            )
        if self.kind == "restitutions":
            return (
                f"the restitutions of {who} contradict each other, because their impulses prevent the motion of one of "
                f"them; {_listed(self.laws)} have a solution"
            )
        if self.kind == "driven jam":
            return (
                f"{who} {'lock' if many else 'locks'} while a moving surface drives on: friction prevents every "
                "solution under any law; lower the friction, or let the surface stop or give way"
            )
        if self.kind == "dead point":
            cure = f"{_listed(self.laws)} require less" if self.laws else "every law does: end the span before"
            return (
                f"{who} {'are' if many else 'is'} nearly at a dead point: impulses inside the friction cones move "
                f"almost nothing, so that the law requires impulses beyond floating-point numbers; {cure}"
            )
        return f"moving surfaces close in at {who}: no impulses stop them, under any law; let one give way"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]


LAWS = ("Newton(guard=True)", "Poisson()", "Energetic()", "Plastic()")


def find_infeasibility(
    rows: np.ndarray, before: np.ndarray, asked: np.ndarray, friction: np.ndarray, names: Sequence
) -> Infeasibility | None:
    """The certificate of an impact, None where there is none: then a solution exists, and a solver has failed.

    Parameters
    ----------
    rows : array, shape (3 n, m)
        C^-1 of the rows of W^T, M = C C^T: the normal and two tangents of each contact.
    before : array, shape (3 n,)
        v-.
    asked : array, shape (3 n,)
        b: v- and the right side of the law, for Newton e gamma_N-.
    friction : array, shape (n,)
    names : sequence
        Of the contacts.
    """
    without = np.zeros(len(friction))
    null, lost = null_impulses(rows)
    for kind, b, mu in (
        ("crush", before, without),
        ("driven jam", before, friction),
        ("restitutions", asked, without),
        ("jam", asked, friction),
    ):
        stress = self_stress(null, b, mu)
        if stress is not None:
            return _certificate(kind, stress, b, names, LAWS if kind in ("jam", "restitutions") else ())
    stress = self_stress(lost, asked, friction)
    if stress is None:
        return None
    has = LAWS if self_stress(lost, before, friction) is None else ()
    return _certificate("dead point", stress, asked, names, has)


def _certificate(kind: str, stress: np.ndarray, b: np.ndarray, names: Sequence, laws: tuple) -> Infeasibility:
    """The contacts with a force, as rounding leaves a little of the others in a stress."""
    bears = np.flatnonzero(stress[:, 0] > BEYOND_ERROR * stress[:, 0].max())
    return Infeasibility(kind, tuple(names[i] for i in bears), stress[bears], float(stress.ravel() @ b), laws)


def null_impulses(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns of impulses that move nothing, and of those whose motion is lost in their rounding."""
    rank = find_rank(rows, np.zeros(len(rows)), np.repeat(np.arange(len(rows) // 3), 3))
    factor = rank.factor[:, None]
    left, sizes, _ = np.linalg.svd(rows * factor)
    return rank.null.T * factor, left[:, np.count_nonzero(sizes > _LOST * sizes[0]) :] * factor


def self_stress(null: np.ndarray, b: np.ndarray, friction: np.ndarray) -> np.ndarray | None:
    """nu (n, 3) in the cones and in the span of `null`, sum nu_N = 1, with the least nu . b; None if that is not < 0.

    Linear programs over the null space, with refined approximations of the cones where the last solution violates them.
    A stress on the boundary of a cone counts as inside up to rounding.
    """
    from scipy.optimize import linprog

    n = len(friction)
    if not null.shape[1]:
        return None
    normal = null[::3]
    angles = 2 * np.pi * np.arange(_FIRST) / _FIRST
    cuts = [_cut(null, friction, i, np.array([np.cos(a), np.sin(a)])) for i in range(n) for a in angles]
    size = float(np.abs(b).max())
    if size == 0.0:
        return None
    for _ in range(_CUTS):
        found = linprog(
            null.T @ b / size,
            A_ub=np.array(cuts),
            b_ub=np.zeros(len(cuts)),
            A_eq=normal.sum(0)[None],
            b_eq=[1.0],
            bounds=(None, None),
            options=_SHARP,
        )
        if found.status != 0:
            return None
        nu = (null @ found.x).reshape(n, 3)
        if not nu.ravel() @ b < -ACCEPTED * size * np.abs(nu).max():
            return None
        length = np.hypot(nu[:, 1], nu[:, 2])
        outside = np.flatnonzero(length > friction * nu[:, 0] + NEGLIGIBLE)
        if not outside.size:
            return nu
        cuts += [_cut(null, friction, i, nu[i, 1:] / length[i]) for i in outside]
    return None


def _cut(null: np.ndarray, friction: np.ndarray, i: int, direction: np.ndarray) -> np.ndarray:
    """d . nu_T <= mu nu_N of contact i, by the coordinates of the null space."""
    return direction @ null[3 * i + 1 : 3 * i + 3] - friction[i] * null[3 * i]
