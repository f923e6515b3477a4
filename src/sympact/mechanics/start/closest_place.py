"""The place on constraints that is closest to a start, by Newton's method on the places that meet them.

Two searches follow each other. The first reaches the constraints phi(q) = 0 by the method of Levenberg and Marquardt,
with bounded steps. The second goes along them: it minimizes |q - q0|^2 in a metric G by Newton's method with
multipliers, in the directions that the constraints leave, and returns to them after each step. So every place it visits
meets the constraints, none is farther than the one before, and the last one satisfies the conditions of Lagrange,

    G (q - q0) + phi_q^T lambda = 0,   phi(q) = 0,

with a distance that is least, not merely stationary. All linear equations are solved by the singular value
decomposition: constraints may depend on each other. J. Nocedal and S. J. Wright, Numerical Optimization, sections 10.3
and 18.3; P.-A. Absil, R. Mahony and R. Sepulchre, Optimization Algorithms on Matrix Manifolds, chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import ARMIJO, RANK
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS, WRITTEN

__all__ = ["ClosestPlace", "Equations", "are_met", "closest_place"]

Equations = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""phi and phi_q at a place, shapes (k,) and (k, n)."""

_MOST_STEPS, _MOST_HALVINGS, _MOST_CORRECTIONS = 200, 30, 12
_FIRST, _LESS, _MORE = 1e-3, 0.1, 4.0
"""The damping at the start, of rows of length 1, and its factors after a good step and after a bad one."""

_STAGNANT = 1e-6  # decrease of the violation, relative to it, with which the search for the constraints ends
_LONGEST = 0.5  # change of a coordinate in one step, relative to its size
_PROBE = 1e-5  # change of the coordinates for the curvature of the constraints: the error of differences is its square
_FLAT = 1e-3  # the least curvature along the constraints with which Newton's method divides, relative to that of G
_AROUND = 3  # places about the start at which the rows of the constraints are measured
_DISTURBANCES = (1e-3, 0.1, 0.3, 1.0, 1.0, 1.0)
"""The sizes of disturbances of a start from which the constraints are not reached, relative to those of the
coordinates: at a place where the violation is stationary, such as the centre of a circle, no direction leads to it."""


@dataclass(frozen=True, eq=False)
class ClosestPlace:
    """The end of a search.

    Attributes
    ----------
    place : array, shape (n,)
    values : array, shape (k,)
        phi there.
    slopes : array, shape (k, n)
        phi_q there.
    found : bool
        Whether the constraints are met.
    steps : int
        Steps that were tried.
    """

    place: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    found: bool
    steps: int


def are_met(values: np.ndarray, slopes: np.ndarray, size: float) -> np.ndarray:
    """Which constraints are met, up to twelve digits of a size of the coordinates.

    A row that is rounding beside the others, as at a dead point, is compared with their rounding.
    """
    largest = np.abs(slopes).max(axis=1, initial=0.0)
    return np.abs(values) <= size * (WRITTEN * largest + ROUNDINGS * EPS * largest.max(initial=0.0))


def closest_place(
    equations: Equations, start: np.ndarray, metric: np.ndarray, free: np.ndarray, sizes: np.ndarray, length: float
) -> ClosestPlace:
    """The place near a start that meets the constraints, with the least |q - q0| in a metric among those around it.

    Parameters
    ----------
    equations : callable
    start : array, shape (n,)
        It is returned as it is where it meets the constraints.
    metric : array, shape (n, n)
        G, positive definite.
    free : array of bool, shape (n,)
        The coordinates that may change.
    sizes : array, shape (n,)
        A change of each coordinate that moves the model by the order of its length, or turns it by a radian.
    length : float
        The model's length; 0 where it has none.

    Examples
    --------
    The point of a circle that is closest to one inside of it, and one whose first coordinate is kept:

    >>> circle = lambda q: (np.array([q @ q - 4.0]), 2.0 * q[np.newaxis])
    >>> start, both, second = np.array([0.3, 0.4]), np.array([True, True]), np.array([False, True])
    >>> closest_place(circle, start, np.eye(2), both, np.ones(2), 1.0).place.round(9)
    array([1.2, 1.6])
    >>> closest_place(circle, start, np.eye(2), second, np.ones(2), 1.0).place.round(9)
    array([0.3       , 1.97737199])
    """
    search = _Search(equations, start, metric, free, sizes, length)
    here = search.at(np.zeros(int(free.sum())))
    if not search.meets(here):
        first = here = search.reached(here.y)
        disturb = np.random.default_rng(0)
        for size in _DISTURBANCES if free.any() else ():
            if search.meets(here):
                break
            here = search.reached(search.inward(size * disturb.standard_normal(len(start)) * sizes))
        here = search.closest(here) if search.meets(here) else first
    return ClosestPlace(search.place(here.y), here.values, here.slopes, search.meets(here), search.steps)


@dataclass(frozen=True, eq=False)
class _Here:
    """A place in coordinates y of metric 1: phi and phi_q; phi and its derivatives by y in rows of length about 1."""

    y: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    residual: np.ndarray
    rows: np.ndarray


class _Search:
    """Both searches in coordinates y with |q - q0| = |y|; see `closest_place`."""

    def __init__(
        self,
        equations: Equations,
        start: np.ndarray,
        metric: np.ndarray,
        free: np.ndarray,
        sizes: np.ndarray,
        length: float,
    ) -> None:
        self._equations, self._start, self._free, self._length, self.steps = equations, start, free, length, 0
        self._factor = np.linalg.cholesky(metric[np.ix_(free, free)])
        self._turn = np.linalg.inv(self._factor).T if free.any() else np.zeros((0, 0))
        self._full_sizes, self._sizes = sizes, sizes[free]
        self._scale = self._typical_lengths()
        self._noise = ROUNDINGS * EPS * float(np.linalg.norm(self._factor.T @ start[free]))

    def place(self, y: np.ndarray) -> np.ndarray:
        """q; coordinates that are not free are those of the start."""
        q = self._start.copy()
        q[self._free] += self._turn @ y
        return q

    def inward(self, change: np.ndarray) -> np.ndarray:
        """The y of a change of the coordinates."""
        return self._factor.T @ change[self._free]

    def at(self, y: np.ndarray) -> _Here:
        """The constraints at a place."""
        values, slopes = self._equations(self.place(y))
        rows = slopes[:, self._free] @ self._turn / self._scale[:, np.newaxis]
        return _Here(y, values, slopes, values / self._scale, rows)

    def _typical_lengths(self) -> np.ndarray:
        """The lengths of the rows: the longest at the start and at places around it, which may be less special."""
        around = np.random.default_rng(0).standard_normal((_AROUND, len(self._start))) * self._full_sizes
        lengths = np.zeros(len(self._equations(self._start)[0]))
        for change in (np.zeros(len(self._start)), *around):
            rows = self._equations(self._start + np.where(self._free, change, 0.0))[1][:, self._free] @ self._turn
            lengths = np.fmax(lengths, np.linalg.norm(rows, axis=1))
        return np.where((lengths > 0.0) & np.isfinite(lengths), lengths, 1.0)

    def meets(self, here: _Here) -> bool:
        """Whether the constraints are met, to rounding."""
        size = max(self._length, float(np.abs(self.place(here.y)).max(initial=0.0)))
        return bool(are_met(here.values, here.slopes, size).all())

    def reached(self, y: np.ndarray) -> _Here:
        """A place that meets the constraints; where none is reached, one at which the violation is stationary."""
        here, damping = self.at(y), _FIRST
        for _ in range(_MOST_STEPS):
            if self.meets(here) or self._is_stationary(here):
                break
            self.steps += 1
            matrix = np.vstack([here.rows, np.sqrt(damping) * np.eye(len(here.y))])
            wanted = -np.concatenate([here.residual, np.zeros(len(here.y))])
            step = self._shortened(here.y, np.linalg.lstsq(matrix, wanted, rcond=None)[0])
            after, violation = self.at(here.y + step), here.residual @ here.residual
            expected = violation - np.sum((here.residual + here.rows @ step) ** 2)
            gained = violation - after.residual @ after.residual
            good = gained > max(ARMIJO * expected, 0.0)
            if good and gained <= _STAGNANT * violation:
                return after
            here, damping = (after, damping * _LESS) if good else (here, max(damping, _FIRST**2) * _MORE)
        return self._corrected(here)

    def _is_stationary(self, here: _Here) -> bool:
        if not (np.isfinite(here.residual).all() and np.isfinite(here.rows).all()):
            return True
        steepest = np.linalg.norm(here.rows.T @ here.residual)
        return bool(steepest <= HALF_DIGITS * np.linalg.norm(here.residual))

    def _shortened(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """A step in which no coordinate changes by more than a part of its size, or of itself."""
        largest = _LONGEST * np.maximum(self._sizes, np.abs(self.place(y)[self._free]))
        return step / max(1.0, float((np.abs(self._turn @ step) / largest).max(initial=0.0)))

    def _corrected(self, here: _Here) -> _Here:
        """The shortest changes to the constraints by Newton's method, as long as they reduce the violation."""
        for _ in range(_MOST_CORRECTIONS):
            if not (here.residual.any() and np.isfinite(here.rows).all()):
                break
            step = np.linalg.lstsq(here.rows, -here.residual, rcond=RANK)[0]
            after = self.at(here.y + self._shortened(here.y, step))
            if not np.linalg.norm(after.residual) < np.linalg.norm(here.residual):
                break
            here = after
        return here

    def closest(self, here: _Here) -> _Here:
        """The closest place to the start along the constraints."""
        for _ in range(_MOST_STEPS):
            self.steps += 1
            step = self._shortened(here.y, self._newton_step(here))
            length = float(np.linalg.norm(step))
            if length <= HALF_DIGITS * np.linalg.norm(here.y) + self._noise:
                last = self._corrected(self.at(here.y + step))
                return last if self.meets(last) else here
            after = self._nearer(here, step)
            if after is None:
                return here
            here = after
        return here

    def _nearer(self, here: _Here, step: np.ndarray) -> _Here | None:
        """A place on the constraints along a step that is nearer to the start; None where there is none."""
        slope = here.y @ step
        for _ in range(_MOST_HALVINGS):
            after = self._corrected(self.at(here.y + step))
            gained = here.y @ here.y - after.y @ after.y
            if self.meets(after) and gained > -2.0 * ARMIJO * slope and gained > 0.0:
                return after
            step, slope = 0.5 * step, 0.5 * slope
        return None

    def _newton_step(self, here: _Here) -> np.ndarray:
        """The step of Newton's method along the constraints; down where the distance is not convex."""
        _, values, directions = np.linalg.svd(here.rows)
        rank = int((values > RANK * values.max(initial=0.0)).sum())
        along = directions[rank:].T
        multipliers = np.linalg.lstsq(here.rows.T, -here.y, rcond=RANK)[0]
        curvature = np.array([self._bending(here.y, one, multipliers) for one in along.T]).reshape(-1, len(here.y))
        hessian = curvature @ along
        bent, axes = np.linalg.eigh(np.eye(len(hessian)) + 0.5 * (hessian + hessian.T))
        slope = axes.T @ (along.T @ here.y)
        step = -slope / np.maximum(np.abs(bent), _FLAT)
        distance = float(np.linalg.norm(here.y))
        if bent.size and bent[0] < -_FLAT and np.linalg.norm(slope) <= HALF_DIGITS * distance:
            step[0] = _LONGEST * distance  # the farthest place, or one between two closest ones
        return along @ (axes @ step)

    def _bending(self, y: np.ndarray, direction: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
        """The derivative of phi_q^T lambda along a direction, by central differences."""
        change = np.abs(self._turn @ direction) / np.maximum(self._sizes, np.abs(self.place(y)[self._free]) * _PROBE)
        h = _PROBE / float(change.max())
        ahead, behind = (self._equations(self.place(y + side * direction))[1] for side in (h, -h))
        slopes = (ahead - behind)[:, self._free] @ self._turn / (2.0 * h)
        return (multipliers / self._scale) @ slopes
