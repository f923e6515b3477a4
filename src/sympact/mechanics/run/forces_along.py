"""Contact forces along a run, computed at each sample by the machine code in the mode of the sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from sympact.integrate.history.mode_names import Modes
from sympact.integrate.problem.series import before_jump

__all__ = ["forces_along"]

_CLOSED = 1  # the stage of closed contacts in the program of a model


def forces_along(modes: Modes, n_contacts: int, has_friction: bool) -> dict[str, Any]:
    """Functions ``force(t, x, stage)`` and ``friction_force(t, x, stage)`` of samples, by these names.

    They return shapes (n_contacts, len(t)) and (n_contacts, 3, len(t)) (N), zero for open contacts.

    Parameters
    ----------
    modes : Modes
        Of the run.
    n_contacts : int
    has_friction : bool
        Whether any of them may have friction.
    """
    width = 4 * n_contacts if has_friction else n_contacts

    def both(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        found, states = np.zeros((len(t), width)), np.ascontiguousarray(np.asarray(x, float).T)
        closed = np.flatnonzero(modes.table[stage, 0] == _CLOSED)
        if not closed.size:
            return found
        with modes.memory() as memory:
            ask, address = memory.contacts.closed.forces.callable(), memory.contacts.address
            before, mode = before_jump(t), memory.contacts.mode
            for k in closed:
                memory.restore(int(stage[k]))
                memory.go_to(float(t[k]), bool(before[k]))
                of_one_arc = k > 0 and stage[k - 1] == stage[k]
                mode.arc_ends = int(of_one_arc and (before[k] or k == len(t) - 1))
                ask(float(t[k]), states[k].ctypes.data, address, found[k].ctypes.data)
            mode.arc_ends = 0
        return found

    def force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return both(t, x, stage)[:, :n_contacts].T

    def friction_force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        if not has_friction:
            return np.zeros((n_contacts, 3, len(t)))
        return np.moveaxis(both(t, x, stage)[:, n_contacts:].reshape(-1, n_contacts, 3), 0, -1)

    return {"force": force, "friction_force": friction_force}
