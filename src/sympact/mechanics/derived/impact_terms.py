"""The terms of impacts in numbers: what the compiled functions ``impact`` and ``friction`` write, by name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["ImpactTerms", "SlipTerms"]


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


class SlipTerms(NamedTuple):
    """What friction depends on at a state, as views of the rows of ``friction``; vectors have components in N.

    Attributes
    ----------
    normal, velocity, acceleration : array, shape (n_contacts, 3)
        n, v (m/s) and v' (m/s^2).
    jacobian : array, shape (n_contacts, 3, m)
        dv/du.
    friction, static_friction : array, shape (n_contacts,)
        mu and mu_static.
    axis : array, shape (n_contacts, 3)
        The unit axis of anisotropic friction; zero where friction is isotropic.
    ratio : array, shape (n_contacts,)
        The ratio of mu along it, 1 where friction is isotropic.

    Examples
    --------
    >>> SlipTerms.of(np.arange(14.0)[np.newaxis], 1).friction
    array([12.])
    """

    normal: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    jacobian: np.ndarray
    friction: np.ndarray
    static_friction: np.ndarray
    axis: np.ndarray
    ratio: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, m: int) -> SlipTerms:
        """The parts of the rows that ``friction`` writes for m speeds, see `Slip.nodes`."""
        normal, velocity, acceleration, columns, last = np.split(rows, np.cumsum([3, 3, 3, 3 * m]), axis=1)
        axis, ratio = np.zeros((len(rows), 3)), np.ones(len(rows))
        if last.shape[1] > 3:  # more than mu, mu_static and a continuation of mu
            axis, ratio = last[:, :3], last[:, 3]
        jacobian = columns.reshape(-1, 3, m)
        return cls(normal, velocity, acceleration, jacobian, last[:, -2], last[:, -1], axis, ratio)
