"""Impacts of one contact by enumeration, certificates that several have no solution: Coulomb's law without a solver.

v+ = v + G P for the normal (first) and two tangents, |P_T| <= mu P_N, 0 <= P_N _|_ v_N+ + s >= 0, friction against the
slip after. A contact is open, or sticks, or slips in a direction; of the directions all angles are looked at, and
changes of sign refined.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

ANGLES = 1440

RANK = 1e-8
"""Of the largest singular value of the rows in the metric of the mass: what counts as zero."""


def factor_rows(M: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A = W^T C^-T with M = C C^T, so that G = A A^T."""
    return np.linalg.solve(np.linalg.cholesky(M), rows.T).T


def solutions(A: np.ndarray, v: np.ndarray, mu: float, shift: float = 0.0, tolerance: float = 1e-9) -> list[np.ndarray]:
    """All impulses P (3,) that solve the law of one contact with rows A (3, n), up to what moves nothing.

    `v` are its velocities before, `shift` what v_N+ must come up to beyond zero, with the sign changed: e v_N-. A
    tolerance is relative to the speeds.
    """
    G = A @ A.T
    small = tolerance * (np.abs(v).max() + abs(shift) + 1e-300)
    found = []
    if v[0] + shift >= -small:
        found.append(np.zeros(3))
    target = np.array([-shift - v[0], -v[1], -v[2]])
    P = _held(A, target, mu, small)
    if P is not None:
        found.append(P)
    found += _slipping(G, v, mu, shift, small)
    return found


def _held(A: np.ndarray, target: np.ndarray, mu: float, small: float) -> np.ndarray | None:
    """An impulse in the cone that makes the velocities change by `target`, or None."""
    U, sizes, _ = np.linalg.svd(A @ A.T)
    keep = sizes > RANK**2 * 1e2 * sizes[0]
    keep |= sizes > 1e-13 * sizes[0]
    P = U[:, keep] @ ((U[:, keep].T @ target) / sizes[keep])
    if np.abs(A @ (A.T @ P) - target).max() > 10 * small:
        return None
    tried = P + _null_steps(P, U[:, ~keep])
    slack = mu * tried[:, 0] - np.hypot(tried[:, 1], tried[:, 2])
    best = np.argmax(slack / (np.abs(tried).max(axis=1) + 1e-300))
    return tried[best] if slack[best] >= -1e-9 * np.abs(tried[best]).max() else None


def _null_steps(P: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Steps (m, 3) along null directions, of all sizes, in which the inside of a cone is looked for."""
    sizes = (np.linalg.norm(P) + 1e-300) * np.concatenate([[0.0], np.geomspace(1e-4, 1e4, 400)])
    if null.shape[1] == 0:
        return np.zeros((1, 3))
    if null.shape[1] == 1:
        return np.concatenate([sizes, -sizes])[:, np.newaxis] * null[:, 0]
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ null.T
    return (sizes[:, np.newaxis, np.newaxis] * ways).reshape(-1, 3)


def _slipping(G: np.ndarray, v: np.ndarray, mu: float, shift: float, small: float) -> list[np.ndarray]:
    """Impulses P_N (1, -mu d) with the slip after along d."""

    def after(angle):
        d = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        f = np.concatenate([np.ones_like(d[..., :1]), -mu * d], axis=-1)
        push = f @ G[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            P = np.where(np.abs(push) > 1e-14 * G.max(), -(shift + v[0]) / push, np.nan)
        slip = v[1:] + P[..., np.newaxis] * (f @ G[:, 1:])
        return P, slip[..., 0] * d[..., 1] - slip[..., 1] * d[..., 0], (slip * d).sum(axis=-1), f

    angles = np.linspace(0.0, 2 * np.pi, ANGLES + 1)
    _, cross, _, _ = after(angles)
    found = []
    turns = np.flatnonzero((cross[:-1] * cross[1:] <= 0.0) & np.isfinite(cross[:-1] * cross[1:]))
    for k in turns if np.nanmax(np.abs(cross), initial=0.0) > small else ():
        low, high = angles[k], angles[k + 1]
        sign = cross[k] if cross[k] != 0.0 else -cross[k + 1]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if after(middle)[1] * sign > 0 else (low, middle)
        size, turn, forth, f = after((low + high) / 2)
        if size >= -small and forth >= -small and abs(turn) <= 100 * small + 1e-9 * abs(forth):
            found.append(size * f)
    if np.nanmax(np.abs(cross), initial=0.0) <= small and G[0, 0] > 0:  # one freedom: all directions are one
        for k in range(0, ANGLES, 12):
            size, turn, forth, f = after(angles[k])
            if np.isfinite(size) and size >= -small and forth >= -small:
                found.append(size * f)
    return found


def jams(A: np.ndarray, mu: float) -> bool:
    """Whether a push within the friction cone moves nothing: then impulses are not unique (self-locking)."""
    U, sizes, _ = np.linalg.svd(A)
    null = U[:, np.append(sizes, np.zeros(3))[:3] <= RANK * max(sizes.max(), 1e-300)]
    if null.shape[1] == 0:
        return False
    angles = np.linspace(0, 2 * np.pi, 1440) if null.shape[1] > 1 else np.zeros(1)
    ways = np.stack([np.cos(angles), np.sin(angles), 0 * angles][: null.shape[1]], axis=1) @ null.T
    return bool((np.hypot(ways[:, 1], ways[:, 2]) <= mu * np.abs(ways[:, 0]) * (1 + 1e-6)).any())


FACETS = 120
"""Edges that stand for a cone: they are at most 0.04 % wider than it, where they meet."""

RAISED = 3e-5
"""Of a coefficient of friction: by how much it may be raised where a force that grows without bound ends a motion."""


def certificate(A: np.ndarray, b: np.ndarray, mu: np.ndarray) -> tuple[np.ndarray, float] | None:
    """(nu, nu.b): nu in the friction cones that moves nothing, A^T nu = 0, with nu.b least; None where there is none.

    `A` (k, 3, n), `b` (k, 3) the velocities that the law asks about, `mu` (k,). Where nu.b <= 0 no solution need exist
    (Acary, Cadoux, Lemarechal, Malick 2011). Edges stand for the cones, around them.
    """
    angles = np.linspace(0, 2 * np.pi, FACETS, endpoint=False)
    wide = np.asarray(mu) * (1 + RAISED) / np.cos(np.pi / FACETS)
    edges = [np.array([np.ones(FACETS), m * np.cos(angles), m * np.sin(angles)]) for m in wide]
    columns = np.hstack([(a.T @ e) for a, e in zip(A, edges, strict=True)])
    cost = np.concatenate([e.T @ v for e, v in zip(edges, b, strict=True)])
    size = np.abs(columns).max() or 1.0
    total = np.ones((1, columns.shape[1]))
    solved = linprog(cost, A_eq=np.vstack([columns / size, total]), b_eq=np.append(np.zeros(len(columns)), 1.0))
    if not solved.success:
        return None
    parts = solved.x.reshape(len(A), FACETS)
    return np.array([e @ p for e, p in zip(edges, parts, strict=True)]), float(solved.fun)
