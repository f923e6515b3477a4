"""The instants at which forces are evaluated at the end of a mode: within it, because they may jump there."""

from __future__ import annotations

import numpy as np

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.history.record import Record

__all__ = ["within_modes"]

_ENDS = [KINDS.index(kind) for kind in (EventKind.OPEN, EventKind.SLIP)]
"""Events at which a force ends a mode."""

_SPACINGS = 256
"""Of time before the end of a mode: a rank that changes there does so within some roundings of a row."""


def within_modes(record: Record, t: np.ndarray, x: np.ndarray, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times (k,) and states (n, k) at which forces are evaluated: just before, where one ends a mode by a jump.

    Parameters
    ----------
    record : Record
    t, x : arrays, shapes (k,) and (n, k)
        Times and states.
    samples : array of int, shape (k,)
        The index of each in the record, -1 of one that is no sample or lies after the event.
    """
    ends = record.event_sample[np.isin(record.event_kind, _ENDS)]
    places = np.flatnonzero(np.isin(samples, ends[record.h[ends] > 0.0]))
    k = samples[places]
    share = np.minimum(_SPACINGS * np.spacing(np.abs(record.t[k])) / record.h[k], 0.5)
    t, x = t.copy(), x.copy()
    t[places] -= share * record.h[k]
    x[:, places] += share * (record.x[k - 1] - record.x[k]).T
    return t, x
