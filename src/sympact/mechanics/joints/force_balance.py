"""The accelerations and the multipliers of constraints along a run, sample by sample.

    M u' = f + A^T kappa + W lambda,   A u' = v

With the rows of A divided by lengths, M + A^T A = C C^T and B = A C^-T = V S U^T, y = C^T u' is the shortest one with
B y = v, and kappa the multipliers of the smallest norm. M may be singular, and rows may depend on each other: singular
values below those that the run leaves to inertia count as none, see `sympact.contact.constraints.bilateral_kernel`. In
an impact A^T K = M (u+ - u-) - W Lambda.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import WEAK
from sympact.native.rounding import HALF_DIGITS

__all__ = ["Balance"]


@dataclass(frozen=True, eq=False)
class Balance:
    """The metric of M and the directions that constraints hold, at k samples.

    Attributes
    ----------
    mass : array, shape (k, m, m)
        M.
    lengths : array, shape (K,)
        Of the rows.
    factor : array, shape (k, m, m)
        C.
    directions : array, shape (k, m, r)
        U, r the smaller of m and K.
    inverses : array, shape (k, r)
        1 / S; zero for singular values that count as none.
    shares : array, shape (k, K, r)
        V.
    """

    mass: np.ndarray
    lengths: np.ndarray
    factor: np.ndarray
    directions: np.ndarray
    inverses: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, mass: np.ndarray, rows: np.ndarray, lengths: np.ndarray) -> Balance:
        """From M, shape (k, m, m), and A, shape (k, K, m); a sample with an entry that is no number has NaN forces."""
        known = (np.isfinite(mass).all(axis=(1, 2)) & np.isfinite(rows).all(axis=(1, 2)))[:, np.newaxis, np.newaxis]
        scaled = np.where(known, rows / lengths[:, np.newaxis], 0.0)
        metric = np.where(known, mass, np.eye(mass.shape[1])) + scaled.transpose(0, 2, 1) @ scaled
        factor = np.linalg.cholesky(metric)
        directions, sizes, shares = np.linalg.svd(np.linalg.solve(factor, scaled.transpose(0, 2, 1)), False)
        inverses = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > WEAK)
        return cls(mass, lengths, np.where(known, factor, np.nan), directions, inverses, shares.transpose(0, 2, 1))

    def motion(self, load: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """u' and kappa, shapes (k, m) and (k, K), for f + W lambda, shape (k, m), and v, shape (k, K)."""
        free = self._solved(self.factor, load)
        along = _times(self._held.transpose(0, 2, 1), free)
        meant = self.inverses * _times(self.shares.transpose(0, 2, 1), wanted / self.lengths)
        y = free + _times(self._held, meant - along)
        # B y = V S U^T y is the part of the multipliers that A^T A has in M + A^T A
        extra = np.divide(1.0, self.inverses, out=np.zeros_like(self.inverses), where=self.inverses > 0.0)
        pulls = self.inverses * (meant - along) - extra * _times(self._held.transpose(0, 2, 1), y)
        accelerations = self._solved(self.factor.transpose(0, 2, 1), y)
        return accelerations, _times(self.shares, pulls) / self.lengths

    def impulses(self, change: np.ndarray, impulse: np.ndarray) -> np.ndarray:
        """K, shape (k, K), for u+ - u- and W Lambda, shapes (k, m)."""
        left = self._solved(self.factor, _times(self.mass, change) - impulse)
        along = self.inverses * _times(self._held.transpose(0, 2, 1), left)
        return _times(self.shares, along) / self.lengths

    @property
    def determined(self) -> np.ndarray:
        """Whether a multiplier is the same in all solutions, shape (k, K): no combination of the rows with it
        vanishes."""
        held = (self.shares**2 * (self.inverses > 0.0)[:, np.newaxis]).sum(axis=2)
        return held >= 1.0 - HALF_DIGITS

    def undetermined(self, random: np.ndarray) -> np.ndarray:
        """Multipliers whose forces cancel each other, shape (k, K), from any ones of that shape."""
        held = self.shares * (self.inverses > 0.0)[:, np.newaxis]
        return (random - _times(held, _times(held.transpose(0, 2, 1), random))) / self.lengths

    @property
    def _held(self) -> np.ndarray:
        """The directions that constraints hold, shape (k, m, r)."""
        return self.directions * (self.inverses > 0.0)[:, np.newaxis]

    @staticmethod
    def _solved(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.linalg.solve(matrix, columns[..., np.newaxis])[..., 0]


def _times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """The product of each matrix with its vector."""
    return (matrices @ vectors[..., np.newaxis])[..., 0]
