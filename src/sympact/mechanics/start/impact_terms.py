"""The terms of impacts in numbers: what the compiled function ``impact`` writes, by name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["ImpactTerms"]


class ImpactTerms(NamedTuple):
    """M, W and w, the restitutions and A at a state, as views of the numbers of ``impact``.

    Attributes
    ----------
    mass : array, shape (m, m)
    jacobian : array, shape (n_contacts, m)
        W^T.
    drift : array, shape (n_contacts,)
        w (m/s).
    restitution : array, shape (n_contacts,)
    rows : array, shape (n_rows, m)
        A.

    Examples
    --------
    >>> ImpactTerms.of(np.array([2.0, 1.0, 0.0, 0.5]), 1, 1).restitution
    array([0.5])
    """

    mass: np.ndarray
    jacobian: np.ndarray
    drift: np.ndarray
    restitution: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, flat: np.ndarray, m: int, n_contacts: int) -> ImpactTerms:
        """The parts of the flat array that ``impact`` writes for m speeds."""
        ends = np.cumsum([m * m, n_contacts * m, n_contacts, n_contacts])
        mass, jacobian, drift, restitution, rows = np.split(flat, ends)
        return cls(mass.reshape(m, m), jacobian.reshape(n_contacts, m), drift, restitution, rows.reshape(-1, m))
