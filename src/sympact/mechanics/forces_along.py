"""Contact forces along a run: asked of the machine code at each sample, in the mode that the sample belongs to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sympact.contact.data import CONTACT_FORCES, ContactData
from sympact.integrate.modes import Modes

__all__ = ["forces_along"]

_CLOSED = 1  # the stage of closed contacts in the program of a model


def forces_along(modes: Modes, data: ContactData, n_contacts: int) -> Callable[..., np.ndarray]:
    """A function ``force(t, x, stage)`` of samples: shape (n_contacts, len(t)) (N), zero for open contacts.

    Parameters
    ----------
    modes : Modes
        Of the run.
    data : ContactData
        The memory of its contacts.
    n_contacts : int
    """

    def force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        ask = CONTACT_FORCES.callable()
        found, states = np.zeros((len(t), n_contacts)), np.ascontiguousarray(np.asarray(x, float).T)
        with modes.lock:
            for k in np.flatnonzero(modes.rows[stage, 0] == _CLOSED):
                modes.restore(int(stage[k]))
                ask(float(t[k]), states[k].ctypes.data, data.address, found[k].ctypes.data)
        return found.T

    return force

