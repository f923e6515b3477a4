"""Contact forces along a run, computed at each sample by the machine code in the mode of the sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from sympact.contact.contact_workspace import ContactData
from sympact.integrate.history.mode_names import Modes

__all__ = ["forces_along"]

_CLOSED = 1  # the stage of closed contacts in the program of a model


def forces_along(modes: Modes, data: ContactData, n_contacts: int) -> dict[str, Any]:
    """Functions ``force(t, x, stage)`` and ``friction_force(t, x, stage)`` of samples, by these names.

    They return shapes (n_contacts, len(t)) and (n_contacts, 3, len(t)) (N), zero for open contacts.

    Parameters
    ----------
    modes : Modes
        Of the run.
    data : ContactData
        The memory of its contacts.
    n_contacts : int
    """
    width = 4 * n_contacts if data.has_friction else n_contacts

    def both(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        found, states = np.zeros((len(t), width)), np.ascontiguousarray(np.asarray(x, float).T)
        with modes.lock, modes.program.engine.in_force():
            ask = data.closed.forces.callable()
            for k in np.flatnonzero(modes.table[stage, 0] == _CLOSED):
                modes.restore(int(stage[k]))
                modes.go_to(float(t[k]))
                ask(float(t[k]), states[k].ctypes.data, data.address, found[k].ctypes.data)
        return found

    def force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return both(t, x, stage)[:, :n_contacts].T

    def friction_force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        if not data.has_friction:
            return np.zeros((n_contacts, 3, len(t)))
        return np.moveaxis(both(t, x, stage)[:, n_contacts:].reshape(-1, n_contacts, 3), 0, -1)

    return {"force": force, "friction_force": friction_force}
