"""Time stepping of a model: its preconditions, and the forces along such a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from sympact.contact.contact_workspace import STEPPED_FORCES
from sympact.integrate.trajectory.mode_names import Modes
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.shapes.unilateral import approach_speed

__all__ = ["TIME_STEPPING", "check_steppable", "stepped_forces_along"]

TIME_STEPPING = "moreau"
"""The name of the method."""


def check_steppable(model) -> None:
    """Refuse models that this method does not support.

    Raises
    ------
    ValueError
    """
    if not model.contacts:
        raise ValueError(
            f"the method {TIME_STEPPING!r} steps over the impacts of contacts, and this model has none; take "
            "'improved Euler' with max_step, or an adaptive method"
        )
    if not (model.law.stepped and model.resolution.stepped):
        raise ValueError(
            f"the method {TIME_STEPPING!r} applies Newton's law of restitution to all contacts of a step at once, and "
            f"the impacts of this model follow {model.law!r} and {model.resolution!r}; simulate it event by event, "
            "with 'DOP853' for instance"
        )
    watched = ", ".join(repr(watch.name) for watch in model.derivation.watches)
    if watched:
        raise ValueError(
            f"the method {TIME_STEPPING!r} does not search for events, and {watched} would need it; simulate the model "
            "event by event, with 'DOP853' for instance"
        )
    fast = ", ".join(contact.name for contact in model.contacts if contact.restitution.has(approach_speed))
    if fast:
        raise ValueError(
            f"the method {TIME_STEPPING!r} has no single impact and no approach speed, on which the "
            f"restitution of {fast} depends; simulate it event by event, with 'DOP853' for instance"
        )


def stepped_forces_along(record: Record, modes: Modes, n_contacts: int) -> dict[str, Any]:
    """Functions ``force(t, x, stage)`` and ``friction_force(t, x, stage)`` of a run in steps, by these names.

    They return shapes (n_contacts, len(t)) and (n_contacts, 3, len(t)) (N): the means over the steps that end at the
    times, for the start that over the first step. Steps are repeated; the same numbers give the same forces.
    """
    starts, ends, sizes = _steps(record)

    def both(t: np.ndarray) -> np.ndarray:
        found = np.zeros((len(t), 4 * n_contacts))
        if not len(starts):
            return found
        scratch = np.empty(4 * n_contacts + 2 * record.x.shape[1])
        places, back = np.unique(np.clip(np.searchsorted(ends, t), 0, len(ends) - 1), return_inverse=True)
        means = np.empty((len(places), 4 * n_contacts))
        with modes.memory() as memory:
            ask = STEPPED_FORCES.callable()
            for row, k in zip(means, places, strict=True):
                x, t_start = np.ascontiguousarray(record.x[starts[k]]), float(record.t[starts[k]])
                memory.go_to(t_start)
                ask(t_start, float(sizes[k]), x.ctypes.data, memory.contacts.address, scratch.ctypes.data)
                row[:] = scratch[: 4 * n_contacts]
        return means[back]

    def force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return both(t)[:, :n_contacts].T

    def friction_force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return np.moveaxis(both(t)[:, n_contacts:].reshape(-1, n_contacts, 3), 0, -1)

    return {"force": force, "friction_force": friction_force}


def _steps(record: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sample at the start of each step, the time of its end, and its size; an event is in the middle of a step.

    A run that ends with an event lacks the end of its last step.
    """
    whole = record.h > 0.0
    left = record.event_sample[record.event_sample + 2 < len(record.t)]
    unended = np.setdiff1d(record.event_sample, left)
    whole[record.event_sample] = False
    ends = np.flatnonzero(whole)
    starts = np.where(np.isin(ends - 2, left), ends - 3, ends - 1)
    sizes = record.t[ends] - record.t[starts]
    return (
        np.concatenate([starts, unended - 1]),
        np.concatenate([record.t[ends], record.t[unended]]),
        np.concatenate([sizes, 2.0 * record.h[unended]]),
    )
