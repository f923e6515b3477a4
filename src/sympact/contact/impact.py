"""The memory of an impact: what the transition of a stage with contacts is given as its data."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact import layout as at

__all__ = ["ImpactData"]


class ImpactData:
    """Sizes, addresses and working memory of the impacts of one run.

    Two runs that go on at the same time need one object each; `address` is valid as long as the object lives.

    Parameters
    ----------
    n_q, n_u, n_contacts : int
        Coordinates, speeds, contacts. The state is x = [q, u].
    terms : int
        Address of ``void(double t, const double *x, const double *p, double *out)``, which writes M (n_u x n_u), W^T
        (n_contacts x n_u) row by row, w (n_contacts) and the restitutions (n_contacts), where gamma = W^T u + w. 0 where
        only `solve_impact` uses the object.
    parameters : array_like
        p, copied.
    length : float
        The model's length (m), to which gaps are compared.
    stage : int
        The stage that is entered by an impact.

    Examples
    --------
    >>> ImpactData(6, 6, 8, terms=0, parameters=[], length=1.0).address % 8
    0
    """

    def __init__(
        self, n_q: int, n_u: int, n_contacts: int, *, terms: int, parameters: ArrayLike, length: float, stage: int = 0
    ) -> None:
        doubles, wholes = _sizes(n_u, n_contacts)
        self._table = np.zeros(at.SIZE, np.int64)
        self._parameters = np.array(parameters, float, order="C").ravel()
        self._arrays = {slot: np.zeros(size) for slot, size in doubles.items()}
        self._arrays |= {slot: np.zeros(size, np.int64) for slot, size in wholes.items()}
        self._arrays[at.SCALAR][at.LENGTH] = length
        for slot, array in self._arrays.items():
            self._table[slot] = array.ctypes.data
        self._table[[at.N_Q, at.N_U, at.N_C]] = n_q, n_u, n_contacts
        self._table[[at.TERMS, at.PARAMETERS, at.STAGE]] = terms, self._parameters.ctypes.data, stage
        self._table[at.PIVOT] = -1

    @property
    def address(self) -> int:
        """What is passed to the transition as its data."""
        return self._table.ctypes.data

    @property
    def singular_speed(self) -> int | None:
        """Index of the speed at which the last impact found the mass matrix not positive definite."""
        pivot = int(self._table[at.PIVOT])
        return None if pivot < 0 else pivot

    @property
    def residual(self) -> float:
        """By how much the last impact misses its law, relative to its speeds."""
        return float(self._arrays[at.SCALAR][at.RESIDUAL])

    def array(self, slot: int) -> np.ndarray:
        """The array at a slot of `sympact.contact.layout`, flat; shared with the machine code."""
        return self._arrays[slot]


def _sizes(m: int, n: int) -> tuple[dict[int, int], dict[int, int]]:
    """Sizes of the arrays of doubles and of int64, by slot."""
    k = max(m, n)
    per_contact = (
        at.RATE_MINUS, at.RATE_PLUS, at.UNCERTAIN, at.IMPULSE, at.LENGTHS, at.BOUNDS, at.MULTIPLIER, at.SPREAD,
        at.NULL_BOUNDS, at.NULL_MULTIPLIER, at.NULL_POINT,
    )
    doubles = {at.OUT: m * m + n * m + 2 * n, at.SCALAR: at.N_SCALARS, at.COLUMNS: n * m}
    doubles |= dict.fromkeys((at.ROWS, at.NULL_COLUMNS), n * n)
    doubles |= dict.fromkeys((at.CHANGE, at.MOTION), m) | dict.fromkeys(per_contact, n)
    wholes = {at.WHO: n, at.STANDING: n}
    for basis in (at.BASIS, at.NULL):
        doubles |= {basis: k * k, basis + 1: k * k, basis + 2: k, basis + 3: k, basis + 4: k}
        wholes |= {basis + 5: k, basis + 6: 1}
    return doubles, wholes
