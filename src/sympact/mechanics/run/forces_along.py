"""Contact forces along a run, computed by the machine code in the mode and the step of each time."""

from __future__ import annotations

from typing import Any

import numpy as np

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.loop.dense import StepMemory, samples_passed
from sympact.integrate.problem.series import before_jump
from sympact.integrate.trajectory.mode_names import Modes
from sympact.integrate.trajectory.record import Record

__all__ = ["forces_along"]

_CLOSED = 1  # the stage of closed contacts in the program of a model

_ENDS = [KINDS.index(kind) for kind in (EventKind.OPEN, EventKind.SLIP)]
"""Events at which a force ends a mode."""

_IMPACT = KINDS.index(EventKind.IMPACT)

_SPACINGS = 256
"""Of time before the end of a mode: a rank that changes there does so within some roundings of a row."""


def forces_along(modes: Modes, record: Record, n_contacts: int, has_friction: bool) -> dict[str, Any]:
    """Functions ``force(t, x, stage)`` and ``friction_force(t, x, stage)`` along a run, by these names.

    They return shapes (n_contacts, len(t)) and (n_contacts, 3, len(t)) (N), zero for open contacts. Friction has the
    directions that it had in the step.

    Parameters
    ----------
    modes : Modes
        Of the run.
    record : Record
        Its samples.
    n_contacts : int
    has_friction : bool
        Whether any of them may have friction.
    """
    width = 4 * n_contacts if has_friction else n_contacts
    ends = _ends_by_force(modes, record, n_contacts)

    def both(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        found, states = np.zeros((len(t), width)), np.ascontiguousarray(np.asarray(x, float).T)
        closed = np.flatnonzero(modes.table[stage, 0] == _CLOSED)
        if not closed.size:
            return found
        t, states, before = t[closed], states[closed], before_jump(t)[closed]
        steps = samples_passed(record, t, states, stage[closed])
        t, states = _within_modes(record, ends, steps, t, states)
        starts = np.maximum(np.where(record.h[steps] > 0.0, steps - 1, steps), 0)
        with modes.memory() as memory:
            ask, address = memory.contacts.closed.forces.callable(), memory.contacts.address
            step_memory = StepMemory(memory, record)
            for k in np.argsort(starts, kind="stable"):
                step_memory.enter(int(starts[k]), int(stage[closed[k]]))
                memory.go_to(float(t[k]), bool(before[k]))
                ask(float(t[k]), states[k].ctypes.data, address, found[closed[k]].ctypes.data)
        return found

    def force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return both(t, x, stage)[:, :n_contacts].T

    def friction_force(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        if not has_friction:
            return np.zeros((n_contacts, 3, len(t)))
        return np.moveaxis(both(t, x, stage)[:, n_contacts:].reshape(-1, n_contacts, 3), 0, -1)

    return {"force": force, "friction_force": friction_force}


def _ends_by_force(modes: Modes, record: Record, n_contacts: int) -> np.ndarray:
    """The samples before events at which a force has ended a mode: none is admissible there, or it has no bound.

    Of impacts those of closed contacts alone, which friction makes.
    """
    closed = modes.table[record.event_source, 1 : 1 + n_contacts] != 0
    fired = record.event_fired[:, :n_contacts]
    by_friction = (record.event_kind == _IMPACT) & fired.any(axis=1) & ~(fired & ~closed).any(axis=1)
    ends = record.event_sample[np.isin(record.event_kind, _ENDS) | by_friction]
    return ends[record.h[ends] > 0.0]


def _within_modes(
    record: Record, ends: np.ndarray, samples: np.ndarray, t: np.ndarray, states: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Times (k,) and states (k, n) at which forces are evaluated: just before, at samples where one ends a mode."""
    places = np.flatnonzero(np.isin(samples, ends) & (t == record.t[samples]))
    k = samples[places]
    share = np.minimum(_SPACINGS * np.spacing(np.abs(record.t[k])) / record.h[k], 0.5)
    t, states = t.copy(), states.copy()
    t[places] -= share * record.h[k]
    states[places] += share[:, np.newaxis] * (record.x[k - 1] - record.x[k])
    return t, states
