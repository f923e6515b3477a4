"""Roots of equations that may be dependent: the method of Levenberg and Marquardt with a bound of each step.

J. Nocedal and S. J. Wright, Numerical Optimization, sections 10.3 and 4.1. A step minimizes |r + J d|^2 + nu |d|^2.
Where J is singular, as along a family of roots, it is the shortest one, and the root is one near the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import ACCEPTED, ARMIJO

__all__ = ["Root", "root_near"]

Equations = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""r and its derivatives J at a place, shapes (m,) and (m, n)."""

_MOST_STEPS = 200
_FIRST, _LESS, _MORE = 0.1, 0.1, 4.0
"""The damping at the start relative to |J|^2, and its factors after a good step and after a bad one."""

_POLISHED = 3  # steps of Newton's method at the end


@dataclass(frozen=True, eq=False)
class Root:
    """The end of a search.

    Attributes
    ----------
    place : array, shape (n,)
    residual : array, shape (m,)
    found : bool
        Whether the residual is below `ACCEPTED`.
    steps : int
        Steps that were tried.
    """

    place: np.ndarray
    residual: np.ndarray
    found: bool
    steps: int


def root_near(equations: Equations, start: np.ndarray, bounded: np.ndarray, bound: float) -> Root:
    """A root of equations of size 1 in unknowns of size 1.

    Parameters
    ----------
    equations : callable
    start : array, shape (n,)
    bounded : array of bool, shape (n,)
        The unknowns whose changes in one step are at most `bound`.
    bound : float

    Examples
    --------
    >>> circle = lambda z: (np.array([z @ z - 4.0]), 2.0 * z[np.newaxis])
    >>> root = root_near(circle, np.array([3.0, 3.0]), np.array([True, True]), 0.5)
    >>> root.found, root.place.round(9)
    (True, array([1.41421356, 1.41421356]))
    """
    place, steps = start.copy(), 0
    residual, slopes = equations(place)
    damping = _FIRST * float(np.abs(slopes).max(initial=0.0)) ** 2
    while np.abs(residual).max(initial=0.0) > ACCEPTED and steps < _MOST_STEPS:
        steps += 1
        step = _step(residual, slopes, damping)
        step *= min(1.0, bound / max(float(np.abs(step[bounded]).max(initial=0.0)), bound))
        after = equations(place + step)
        expected = residual @ residual - np.sum((residual + slopes @ step) ** 2)
        gained = residual @ residual - after[0] @ after[0]
        if expected > 0.0 and gained > ARMIJO * expected:
            place, (residual, slopes) = place + step, after
            damping *= _LESS
        else:
            damping *= _MORE
    found = bool(np.abs(residual).max(initial=0.0) <= ACCEPTED)
    for _ in range(_POLISHED if found else 0):
        step = np.linalg.lstsq(slopes, -residual, rcond=ACCEPTED)[0]
        after = equations(place + step)
        if not np.linalg.norm(after[0]) < np.linalg.norm(residual):
            break
        place, (residual, slopes) = place + step, after
    return Root(place, residual, found, steps)


def _step(residual: np.ndarray, slopes: np.ndarray, damping: float) -> np.ndarray:
    """The d that minimizes |r + J d|^2 + nu |d|^2."""
    n = slopes.shape[1]
    matrix = np.vstack([slopes, np.sqrt(damping) * np.eye(n)])
    return np.linalg.lstsq(matrix, -np.concatenate([residual, np.zeros(n)]), rcond=None)[0]
