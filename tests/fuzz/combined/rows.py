"""Forces and impulses of rows with constant coefficients: bilateral ones, and contacts that only push."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from fuzz.combined.polynomials import ROUNDING, side
from fuzz.combined.scene import GROUND, Pair

LARGEST_CONDITION = 1e8


class Undecided(Exception):
    """Nothing that a run does here is wrong: which of two things happens hangs on rounding."""


def row(pair: Pair, n: int, sign: float = 1.0) -> np.ndarray:
    """The coefficients of a row."""
    out = np.zeros(n)
    out[pair.second] = sign
    if pair.first != GROUND:
        out[pair.first] = -sign * pair.ratio
    return out


def forces(masses: np.ndarray, A: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and forces of rows that keep A a = 0, for loads f, shape (n, powers)."""
    if not len(A):
        return f / masses[:, np.newaxis], np.zeros((0, f.shape[1]))
    G = A / masses @ A.T
    if np.linalg.cond(G) > LARGEST_CONDITION:
        raise Undecided("rows depend on each other")
    force = -np.linalg.solve(G, A / masses @ f)
    return (f + A.T @ force) / masses[:, np.newaxis], force


def pushing(masses, A, W, f) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Which rows W stay closed, with accelerations and forces of rows A and then of these.

    Signs are those just after: of the first power that is not rounding.
    """
    found = []
    for count in range(len(W) + 1):
        for chosen in combinations(range(len(W)), count):
            a, force = forces(masses, np.vstack([A, W[list(chosen)]]), f)
            signs = [side(one) for one in force[len(A) :]]
            rest = [side(W[k] @ a) for k in range(len(W)) if k not in chosen]
            if min(signs, default=1) >= 0 and min(rest, default=1) >= 0:
                found.append((list(chosen), a, force, min(signs + rest, default=1)))
    if len(found) != 1 or found[0][3] == 0:
        raise Undecided(f"{len(found)} modes of contacts")
    return found[0][:3]


def impulses(masses, A, W, u, bounce) -> np.ndarray:
    """Speeds after an impact: A u+ = 0, and 0 <= Lambda _|_ W u+ - bounce >= 0; of rows W that touch."""
    found = []
    for count in range(len(W) + 1):
        for chosen in combinations(range(len(W)), count):
            B = np.vstack([A, W[list(chosen)]])
            wanted = np.concatenate([np.zeros(len(A)), bounce[list(chosen)]])
            G = B / masses @ B.T
            if len(B) and np.linalg.cond(G) > LARGEST_CONDITION:
                raise Undecided("rows of an impact depend on each other")
            impulse = np.linalg.solve(G, wanted - B @ u) if len(B) else np.zeros(0)
            after = u + (B.T @ impulse) / masses if len(B) else u
            rest = np.array([W[k] @ after - bounce[k] for k in range(len(W)) if k not in chosen])
            if min(impulse[len(A) :], default=1.0) >= -ROUNDING and min(rest, default=1.0) >= -ROUNDING:
                found.append(after)
    if not found or any(np.abs(one - found[0]).max() > 1e-7 for one in found):
        raise Undecided(f"{len(found)} impacts")
    return found[0]
