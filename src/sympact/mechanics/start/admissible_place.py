"""The closest place to a start that meets the constraints and lies below no surface.

    min (q - q0)^T G (q - q0) / 2   with   phi(q) = 0,   g(q) >= 0,

by an active set: gaps that are below zero at the closest place on the constraints become equations, the deepest first;
one whose multiplier would pull is left out again. At the end

    G (q - q0) + phi_q^T lambda = g_q^T mu,   0 <= g,   0 <= mu,   g mu = 0.

J. Nocedal and S. J. Wright, Numerical Optimization, sections 12.3 and 16.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sympact.contact.memory.contact_tolerances import RANK
from sympact.mechanics.start.closest_place import ClosestPlace, Equations, closest_place
from sympact.native.rounding import HALF_DIGITS

__all__ = ["admissible_place"]

_CHANGES = 3  # of the active set for each gap: more are a cycle


def admissible_place(
    equations: Equations,
    gaps: Equations,
    depth: float,
    start: np.ndarray,
    metric: np.ndarray,
    free: np.ndarray,
    sizes: np.ndarray,
    length: float,
) -> tuple[ClosestPlace, tuple[int, ...]]:
    """The closest place, with the slopes of the constraints and then of the gaps that touch, and the indices of these.

    It is not found where constraints and touching gaps have no common place near the start; the indices are then those
    of the gaps that hinder.

    Parameters
    ----------
    equations, gaps : callable
        phi and phi_q, g and g_q.
    depth : float
        Gaps down to minus this one are not below zero.
    start, metric, free, sizes, length
        As for `closest_place`.

    Examples
    --------
    The point of a circle above a line that is closest to one below it:

    >>> circle = lambda q: (np.array([q @ q - 4.0]), 2.0 * q[np.newaxis])
    >>> above = lambda q: (np.array([q[1] + 1.0]), np.array([[0.0, 1.0]]))
    >>> given, both = np.array([0.9, -1.2]), np.array([True, True])
    >>> found, touching = admissible_place(circle, above, 0.0, given, np.eye(2), both, np.ones(2), 1.0)
    >>> found.place.round(9), touching
    (array([ 1.73205081, -1.        ]), (0,))
    """
    active: tuple[int, ...] = ()
    found = closest_place(equations, start, metric, free, sizes, length)
    for _ in range(_CHANGES * len(gaps(start)[0]) + 1):
        if not found.found:
            return found, active
        values = gaps(found.place)[0]
        below = [k for k in np.flatnonzero(values < -depth).tolist() if k not in active]
        pulling = _pulling(found, start, metric, free, len(active))
        if below:
            active = (*active, min(below, key=values.__getitem__))
        elif pulling >= 0:
            active = (*active[:pulling], *active[pulling + 1 :])
        else:
            return found, active
        further = closest_place(_together(equations, gaps, active), start, metric, free, sizes, length)
        found = replace(further, steps=found.steps + further.steps)
    return replace(found, found=False), active


def _together(equations: Equations, gaps: Equations, active: Sequence[int]) -> Equations:
    """The constraints, and some gaps as equations."""
    chosen = list(active)

    def both(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (values, slopes), (heights, tilts) = equations(q), gaps(q)
        return np.concatenate([values, heights[chosen]]), np.vstack([slopes, tilts[chosen]])

    return both


def _pulling(found: ClosestPlace, start: np.ndarray, metric: np.ndarray, free: np.ndarray, count: int) -> int:
    """Which of the last `count` rows would pull most; -1 where none does."""
    if not count:
        return -1
    load = metric[np.ix_(free, free)] @ (found.place - start)[free]
    multipliers = np.linalg.lstsq(found.slopes[:, free].T, load, rcond=RANK)[0]
    own = multipliers[len(multipliers) - count :]
    return int(own.argmin()) if own.min() < -HALF_DIGITS * np.abs(multipliers).max() else -1
