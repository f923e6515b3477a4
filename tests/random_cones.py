"""Problems of frictional contact for tests and benchmarks: random ones of several kinds, and bodies on a plane.

All of them have a solution: some motion opens every contact without slip, so that the cones have room (Klarbring and
Pang 1998; Acary, Cadoux, Lemarechal, Malick 2011).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from contact_problems import mass

SQUARE = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)])


@dataclass(frozen=True)
class Impact:
    """M; W^T, three rows (normal, two tangents) a contact; the speeds before; e; mu of each contact."""

    mass_matrix: np.ndarray
    jacobian: np.ndarray
    speeds: np.ndarray
    restitution: float
    friction: np.ndarray

    @property
    def delassus(self) -> np.ndarray:
        """G = W^T M^-1 W."""
        columns = np.linalg.solve(np.linalg.cholesky(self.mass_matrix), self.jacobian.T)
        return columns.T @ columns

    @property
    def rate(self) -> np.ndarray:
        """b: normal (1 + e) gamma_N-, tangential gamma_T-."""
        b = self.jacobian @ self.speeds
        b[::3] *= 1 + self.restitution
        return b


def law_residual(delassus, rate, friction, impulse, least=None) -> float:
    """|P - proj_K(P - (U + mu |U_T| e_N))| (de Saxce and Feng 1998), each contact scaled, relative to the rates.

    K is the cone, cut off below the least normal impulses where there are any, which count among the rates then.
    """
    after = delassus @ impulse + rate
    worst = 0.0
    scale = 0.0
    for i, mu in enumerate(friction):
        rows = slice(3 * i, 3 * i + 3)
        diagonal = np.diag(delassus)[rows]
        size = np.sqrt(diagonal[diagonal > 0].mean()) if diagonal.any() else 1.0
        p, u, a = impulse[rows] * size, after[rows] / size, 0.0 if least is None else least[i] * size
        scale = max(scale, np.abs(rate[rows]).max() / size, a)
        z = p - u - np.array([mu * np.hypot(*u[1:]), 0, 0])
        worst = max(worst, np.linalg.norm(p - project(z, mu, a)))
    return worst / scale if scale else worst


def rounding(delassus, rate, impulse) -> float:
    """The largest sum |G_ik| |P_k| of a component, scaled and relative as `law_residual`, times 2^-52."""
    blocks = np.diag(delassus).reshape(-1, 3)
    sizes = np.repeat([np.sqrt(row[row > 0].mean()) if row.any() else 1.0 for row in blocks], 3)
    return float(np.finfo(float).eps * (np.abs(delassus) @ np.abs(impulse) / sizes).max() / np.abs(rate / sizes).max())


def project(z, mu, least=0.0):
    """The nearest point of the cone |z_T| <= mu z_N, or of what of it has at least this z_N."""
    tangential = np.hypot(*z[1:])
    found = project_on_cone(z, mu, tangential)
    if found[0] >= least:
        return found
    return np.array([least, *(min(1.0, mu * least / tangential if tangential else 1.0) * z[1:])])


def project_on_cone(z, mu, tangential):
    """The nearest point of the whole cone."""
    if mu * tangential <= -z[0]:
        return np.zeros(3)
    if tangential <= mu * z[0]:
        return z
    normal = (z[0] + mu * tangential) / (1 + mu**2)
    return np.array([normal, *(mu * normal * z[1:] / tangential)])


def turned(rng: np.random.Generator) -> np.ndarray:
    """A random rotation in space."""
    q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return q * np.sign(np.linalg.det(q))


def body_jacobian(corners: np.ndarray, height: float = 0.5) -> np.ndarray:
    """W^T of corners (x, y) of a rigid body on a plane below its centre; the speeds are v and omega."""
    rows = []
    for x, y in corners:
        z = -height
        rows += [(0, 0, 1, y, -x, 0), (1, 0, 0, 0, z, -y), (0, 1, 0, -z, 0, x)]
    return np.array(rows, float)


def restitution(rng: np.random.Generator) -> float:
    return float(rng.choice([0.0, 1.0, rng.uniform()]))


def friction(rng: np.random.Generator, n: int) -> np.ndarray:
    """From 0 to 1.5, equal for all contacts every third time, now and then zero for one of them."""
    mu = rng.uniform(0.0, 1.5, size=n)
    if rng.uniform() < 0.3:
        mu[:] = rng.choice([0.0, 0.1, 0.3, 1.0])
    if rng.uniform() < 0.2:
        mu[0] = 0.0
    return mu


def body(rng: np.random.Generator) -> Impact:
    """A rigid body on one to six points of a plane."""
    n = rng.integers(1, 7)
    m, turn = np.zeros((6, 6)), turned(rng)
    m[:3, :3] = rng.uniform(0.5, 2.0) * np.eye(3)
    m[3:, 3:] = turn @ np.diag(rng.uniform(0.1, 0.3, size=3)) @ turn.T
    return Impact(m, body_jacobian(rng.normal(size=(n, 2))), rng.normal(size=6), restitution(rng), friction(rng, n))


def cube(rng: np.random.Generator) -> Impact:
    """A cube on an edge or a face, with one friction coefficient."""
    n = rng.choice([2, 4])
    m = np.diag([1.0, 1.0, 1.0, 1 / 6, 1 / 6, 1 / 6])
    return Impact(m, body_jacobian(SQUARE[:n]), rng.normal(size=6), restitution(rng), np.full(n, rng.uniform(0, 1.5)))


def chained(rng: np.random.Generator, n: int, m: int, rank: int, tangents: int) -> Impact:
    """Contacts of any model: rows in a space of some rank, in which one motion opens all contacts without slip.

    The speeds have units that differ by up to ten thousand.
    """
    a, units = rng.normal(size=(m, m)), 10.0 ** rng.uniform(-2, 2, size=m)
    span, opening = np.linalg.qr(rng.normal(size=(m, rank)))[0].T, rng.normal(size=rank)
    opening /= np.linalg.norm(opening)
    jacobian = np.zeros((3 * n, m))
    for i in range(n):
        across = [row - row @ opening * opening for row in rng.normal(size=(1 + tangents, rank))]
        jacobian[3 * i] = (opening + across[0] / np.sqrt(rank)) @ span
        jacobian[3 * i + 1 : 3 * i + 1 + tangents] = np.array(across[1:]) @ span / np.sqrt(rank)
    m_units = (a @ a.T / m + 0.1 * np.eye(m)) * np.outer(units, units)
    return Impact(m_units, jacobian * units, rng.normal(size=m) / units, restitution(rng), friction(rng, n))


def planar(rng: np.random.Generator) -> Impact:
    """One tangent each: the rows of the second are zero."""
    m = int(rng.integers(2, 7))
    return chained(rng, int(rng.integers(1, 7)), m, m, 1)


def spatial(rng: np.random.Generator) -> Impact:
    m = int(rng.integers(3, 10))
    return chained(rng, int(rng.integers(1, 7)), m, m, 2)


def redundant(rng: np.random.Generator) -> Impact:
    """Many contacts in few directions."""
    m = int(rng.integers(3, 10))
    return chained(rng, int(rng.integers(2, 7)), m, int(rng.integers(2, m)), 2)


def nearly_equal(rng: np.random.Generator) -> Impact:
    """Contacts that differ by a part in 1e16 to 1e2."""
    impact = spatial(rng)
    n = len(impact.friction)
    blocks = impact.jacobian.reshape(n, 3, -1)[rng.integers(0, n, size=n)]
    blocks = blocks * (1 + 10.0 ** rng.uniform(-16, -2) * rng.normal(size=blocks.shape))
    return Impact(impact.mass_matrix, blocks.reshape(3 * n, -1), impact.speeds, impact.restitution, impact.friction)


def nearly_jammed(rng: np.random.Generator) -> Impact:
    """Contacts that hardly any motion opens: impulses may be a million times as large as what is stopped."""
    n, m = rng.integers(2, 7), int(rng.integers(3, 10))
    opening, jacobian = rng.normal(size=m), rng.normal(size=(3 * n, m))
    jacobian[::3] *= np.sign(jacobian[::3] @ opening)[:, None]
    tangent = np.arange(3 * n) % 3 > 0
    jacobian[tangent] -= np.outer(jacobian[tangent] @ opening, opening) / (opening @ opening)
    return Impact(mass(rng, m), jacobian, rng.normal(size=m), restitution(rng), friction(rng, n))


KINDS = (body, cube, planar, spatial, redundant, nearly_equal)
"""Kinds whose problems have answers that double precision can tell."""
