"""Random impacts of one contact of a mechanism, whose normal and tangents depend on each other, and what is right.

A contact of rank one or two: there are impulses nu that move nothing. Where they lie inside the friction cone friction
may hold whatever a rebound would move (a jam). What has a solution is decided here by trying all that a contact can
do: it opens, it sticks with some impulse of a fan of rays that fills the cone, it slips in one of all directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from random_cones import law_residual
from scipy.optimize import brentq, nnls

from sympact import Energetic, Newton, Plastic, Poisson, UnsolvedImpact, solve_impact

LAWS = {
    "Newton": Newton(),
    "Newton, guard": Newton(guard=True),
    "Poisson": Poisson(),
    "Energetic": Energetic(),
    "Plastic": Plastic(),
    "Newton, Routh": Newton(path="routh"),
    "Newton, Routh, guard": Newton(path="routh", guard=True),
    "Poisson, Routh": Poisson(path="routh"),
}
MISS = 1e-7
"""Of the speeds: what the law, the range and the cone may be missed by."""
NEAR = 1e-4
"""Part of mu by which a problem counts as on the edge between a jam and none, where the fan of rays does not decide."""
RAYS = np.linspace(0.0, 2 * np.pi, 720, endpoint=False)


@dataclass(frozen=True, eq=False)
class OneContact:
    """M, the rows of normal and two tangents (3, m), u-, the drift of the wall (3,), e and mu."""

    mass: np.ndarray
    rows: np.ndarray
    u: np.ndarray
    drift: np.ndarray
    e: float
    mu: float

    @property
    def before(self) -> np.ndarray:
        """v-: gap rate and slip."""
        return self.rows @ self.u + self.drift

    @property
    def delassus(self) -> np.ndarray:
        return self.rows @ np.linalg.solve(self.mass, self.rows.T)

    @property
    def null(self) -> np.ndarray:
        """Unit vectors that span what moves nothing, as columns."""
        lower = np.linalg.cholesky(self.mass)
        left, sizes, _ = np.linalg.svd(np.linalg.solve(lower, self.rows.T).T)
        return left[:, (sizes > 1e-9 * sizes[0]).sum() :]

    def solve(self, law, **options):
        before = self.before
        return solve_impact(
            self.mass, self.rows[:1], before[:1], self.e, tangent_jacobian=self.rows[None, 1:],
            slip_minus=before[None, 1:], friction=self.mu, law=law, **options,
        )  # fmt: skip


def random_problem(seed: int, walls: bool = True) -> OneContact:
    """A contact of rank one or two that approaches; a fifth of the walls move if `walls`."""
    rng = np.random.default_rng(seed)
    rank = rng.integers(1, 3)
    m = int(rank + rng.integers(0, 3))
    rows = rng.normal(size=(3, rank)) @ rng.normal(size=(rank, m))
    root = rng.normal(size=(m, m))
    u, drift = rng.normal(size=m), np.zeros(3)
    if walls and seed % 5 == 4:
        drift = rng.normal(size=3)
    before = rows @ u + drift
    if before[0] > 0.0:
        u, drift = -u, -drift
    e, mu = rng.choice([0.0, 0.3, 0.5, 0.8, 1.0]), rng.choice([0.1, 0.3, 0.6, 1.0, 3.0])
    return OneContact(root @ root.T + 0.1 * np.eye(m), rows, u, drift, float(e), float(mu))


# --- what has a solution


def sticks(problem: OneContact, b: np.ndarray, mu: float) -> bool:
    """Whether some impulse of the fan stops the contact altogether; what moves nothing is left out of the equations."""
    fan, null = np.vstack([np.ones(len(RAYS)), mu * np.cos(RAYS), mu * np.sin(RAYS)]), problem.null
    if np.abs(null.T @ b).max() > 1e-9 * np.linalg.norm(b):
        return False
    span = np.linalg.svd(null)[0][:, null.shape[1] :]
    _, left = nnls(span.T @ problem.delassus @ fan, -span.T @ b)
    return left <= 1e-9 * np.linalg.norm(b)


def slips(g: np.ndarray, b: np.ndarray, mu: float) -> bool:
    """Whether the contact may slip in some direction with v_N = 0; a bite that is rounding is none."""

    def after(angle):
        d = np.stack([np.cos(angle), np.sin(angle)])
        bite = g[0, 0] - mu * (g[0, 1] * d[0] + g[0, 2] * d[1])
        push = [g[i, 0] - mu * (g[i, 1] * d[0] + g[i, 2] * d[1]) for i in (1, 2)]
        return bite, np.stack([b[i] * bite - b[0] * push[i - 1] for i in (1, 2)])  # v_T times the bite

    def across(angle):
        slip = after(angle)[1]
        return np.cos(angle) * slip[1] - np.sin(angle) * slip[0]

    fan = np.append(RAYS, 2 * np.pi) + 0.0123
    values = across(fan)
    for k in range(len(RAYS)):
        if values[k] * values[k + 1] <= 0.0:
            angle = brentq(across, fan[k], fan[k + 1], xtol=1e-14)
            bite, slip = after(angle)
            if bite > 1e-12 * (g[0, 0] + mu * np.hypot(*g[0, 1:])) and slip @ [np.cos(angle), np.sin(angle)] >= 0.0:
                return True
    return False


def solvable(problem: OneContact, b: np.ndarray) -> bool | None:
    """Whether impulses satisfy Coulomb's law with v = b + G P; None where a slightly other mu decides."""
    g, mu = problem.delassus, problem.mu
    found = {b[0] >= 0.0 or slips(g, b, m) or sticks(problem, b, m) for m in (mu * (1 - NEAR), mu, mu * (1 + NEAR))}
    return None if len(found) == 2 else found.pop()


# --- whether the answer of a law is right


def judge(problem: OneContact, law) -> str:
    """The word "solved" or "refused" where that is right; "open" on the edge of a jam; else what is wrong."""
    try:
        hit = problem.solve(law)
    except UnsolvedImpact as refused:
        return judge_refusal(problem, law, refused)
    p = np.array([hit.impulses[0], *hit.friction_impulses[0]])
    after = np.array([hit.gap_rate_plus[0], *hit.slip_plus[0]])
    g, before, speed = problem.delassus, problem.before, np.abs(problem.before).max()
    wrong, rounding = [], 8 * np.finfo(float).eps * (np.abs(g) @ np.abs(p)).max()
    if np.abs(before + g @ p - after).max() > MISS * speed + rounding:
        wrong.append("v+ is not v- + G P")
    if np.abs(problem.null.T @ (after - before)).max() > MISS * speed + rounding:
        wrong.append("what no impulse changes has changed")
    if p[0] < 0.0 or (not isinstance(law, Plastic) and np.hypot(*p[1:]) > problem.mu * p[0] * (1 + 1e-9)):
        wrong.append("outside the cone")
    if after[0] < -MISS * speed - rounding:
        wrong.append("it still approaches")
    gains = p @ (before + g @ p / 2)
    if not isinstance(law, Poisson) and law not in (Newton(), Newton(path="routh")) and gains > 1e-9 * speed * p[0]:
        wrong.append("energy from nothing")
    wrong += judge_law(problem, law, hit, p, after)
    return "; ".join(wrong) or "solved"


def judge_law(problem: OneContact, law, hit, p: np.ndarray, after: np.ndarray) -> list[str]:
    """What the law itself asks for."""
    g, before, mu = problem.delassus, problem.before, problem.mu
    e = problem.e * hit.factor
    asked = before * [1 + e, 1, 1]
    if isinstance(law, Newton) and law.path is None:
        return [] if law_residual(g, asked, [mu], p) < MISS else ["Newton's law is missed"]
    if isinstance(law, Newton):
        ends = after[0] + e * before[0]
        return [] if abs(ends) < MISS * np.abs(before).max() or (ends > 0 and e == 0) else ["it ends at another rate"]
    if isinstance(law, Plastic):
        first = min(law_residual(g, before, [m], p) for m in (mu, 1e3))
        stops = np.abs(after - problem.null @ (problem.null.T @ before)).max()
        return [] if min(first, stops / np.abs(before).max()) < MISS else ["it neither stops nor follows friction"]
    return []


def judge_refusal(problem: OneContact, law, refused: UnsolvedImpact) -> str:
    """Whether there is no solution indeed, and the certificate is one."""
    asks = isinstance(law, Newton) and not law.guard
    b = problem.before * [1 + problem.e * asks, 1, 1]
    could = solvable(problem, b)
    if could is None:
        return "open"
    if could and getattr(law, "path", None) is None and law != Energetic():
        return "refused, though there is a solution"
    found = refused.infeasibility
    if found is None:
        return "refused without a certificate"
    nu = found.stress[0]
    still = np.abs(problem.rows.T @ nu).max() <= 1e-6 * np.abs(problem.rows).max() * np.abs(nu).max()
    inside = np.hypot(*nu[1:]) <= problem.mu * nu[0] * (1 + 1e-6) and nu[0] > 0.0
    if not (still and inside and nu @ b < 0.0):
        return "the certificate is none"
    drives = nu @ problem.before < -1e-9 * np.abs(problem.before).max()
    kinds = ("driven jam", "crush") if drives else ("jam", "restitutions")
    if found.kind not in kinds or bool(found.laws) == drives:
        return f"refused as {found.kind}"
    return "refused"
