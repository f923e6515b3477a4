"""A run between its samples: the steppers' dense-output polynomials, evaluated with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Segments", "StoredInterpolant", "nested_basis", "no_segments"]


@dataclass(frozen=True, slots=True)
class Segments:
    """The polynomials of a run, one for each accepted step, in the order of time.

    On step k, with s = (t - t0[k]) / h[k] and F = coefficients[k], the state is

        x(t) = x0[k] + s (F[0] + (1 - s) (F[1] + s (F[2] + (1 - s) (F[3] + ...)))),

    the usual form of the dense output of Runge-Kutta methods [1]_: the value at s = 0 is exactly x0[k], and F[0] is the
    difference of the ends.

    Parameters
    ----------
    t0 : array, shape (k,)
        Where each step starts, increasing (s).
    h : array, shape (k,)
        The size of each step (s).
    x0 : array, shape (k, n)
        The state where each step starts.
    coefficients : array, shape (k, m, n)
        F, for each step.

    References
    ----------
    .. [1] E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, sec. II.6.

    Examples
    --------
    >>> parabola = Segments(np.array([0.0]), np.array([2.0]), np.array([[0.0]]), np.array([[[4.0], [-4.0]]]))
    >>> parabola.evaluate(np.array([0.5, 1.0])).ravel()  # t squared
    array([0.25, 1.  ])
    """

    t0: np.ndarray
    h: np.ndarray
    x0: np.ndarray
    coefficients: np.ndarray

    def evaluate(self, t: np.ndarray) -> np.ndarray:
        """The states at the times `t`, shape (len(t), n); each time belongs to the last step that starts before it."""
        k = np.maximum(np.searchsorted(self.t0, t, side="left") - 1, 0)
        return self.on(k, (t - self.t0[k]) / self.h[k])

    def on(self, k: np.ndarray, s: np.ndarray) -> np.ndarray:
        """The states at the fractions `s` of the steps `k` (or of one step), shape (len(s), n)."""
        s = s[:, np.newaxis]
        factors = (s, 1.0 - s)
        value = np.zeros((len(s), self.x0.shape[1]))
        for j in reversed(range(self.coefficients.shape[1])):
            value = factors[j % 2] * (self.coefficients[k, j] + value)
        return self.x0[k] + value


def no_segments(n: int) -> Segments:
    """Those of a run of n states that keeps nothing between its samples."""
    return Segments(np.empty(0), np.empty(0), np.empty((0, n)), np.empty((0, 1, n)))


def nested_basis(degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Abscissas in (0, 1], and the matrix from a polynomial's values there (zero at 0) to the rows of its nested
    form."""
    places = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, degree + 1) / degree)
    basis = np.empty((degree, degree))
    product = np.ones(degree)
    for j in range(degree):
        product = product * (places if j % 2 == 0 else 1.0 - places)
        basis[:, j] = product
    return places, np.linalg.inv(basis)


class StoredInterpolant:
    """The state at any time of a run: its samples at their times, its polynomials between.

    Parameters
    ----------
    t : array, shape (m,)
        The times of the samples, not decreasing; a jump is two samples at one time.
    x : array, shape (m, n)
        The samples.
    segments : callable
        Returns the `Segments` of the run; called at most once, on the first request for a time between samples.
    """

    __slots__ = ("_build", "_built", "_t", "_x")

    def __init__(self, t: np.ndarray, x: np.ndarray, segments: Callable[[], Segments]):
        self._t = t
        self._x = x
        self._build = segments
        self._built: Segments | None = None

    def segments(self) -> Segments:
        """The polynomials of the run."""
        if self._built is None:
            self._built = self._build()
        return self._built

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t` (all within the run), shape (len(t), n).

        At a jump `side` selects one of its two samples: "left" the one before, "right" the one after.
        """
        last = len(self._t) - 1
        nearest = np.searchsorted(self._t, t, side=side) - (side == "right")
        nearest = np.clip(nearest, 0, last)
        value = self._x[nearest]
        between = self._t[nearest] != t
        if between.any():
            segments = self.segments()
            if not len(segments.h):
                raise ValueError(
                    f"this run has no state at t = {t[between][0]:.12g}: simulated with keep='events', it has those at"
                    " events, at t_eval, and at both ends; take keep='run'"
                )
            value[between] = segments.evaluate(t[between])
        return value
