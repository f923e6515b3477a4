"""Moving surfaces that drive a mechanism to a dead point, beyond which it cannot follow them: named in the message."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sympact.integrate.trajectory.mode_names import Modes
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.kit.mechanics_tolerances import FELL

__all__ = ["describe_driven"]

_OPEN = 0


def describe_driven(
    record: Record, modes: Modes, contacts: tuple[str, ...], terms: Callable[[float, np.ndarray], np.ndarray]
) -> str:
    """The contact whose moving surface drives the mechanism to a dead point at the end of a run; empty if none does.

    Parameters
    ----------
    record : Record
        Of a run whose step has become too small.
    modes : Modes
    contacts : tuple of str
        Their names.
    terms : function of t and x
        M, W^T, w and e at a state, flat.
    """
    n = len(contacts)
    closed = modes.table[record.stage, 1 : 1 + n] != _OPEN
    if not closed[-1].any():
        return ""
    begun = np.flatnonzero((closed != closed[-1]).any(axis=1))
    first = begun[-1] + 1 if begun.size else 0
    least = []
    for k in range(first, len(record.t)):
        pull, drift, singular = _weakest(terms(record.t[k], record.x[k]), closed[-1])
        least.append(singular)
    if not (singular <= FELL * max(least) and abs(pull @ drift) > 0.0):
        return ""
    who = np.flatnonzero(closed[-1])[np.argmax(np.abs(pull * drift))]
    return (
        f"the moving surface of contact '{contacts[who]}' drives the mechanism to a dead point: the least "
        f"singular value of its constraints has fallen to {singular / max(least):.1g} of its largest, so that speeds "
        "and forces grow without bound, and beyond it no motion of rigid bodies follows the surface; end the span "
        "before, or let the surface stop"
    )


def _weakest(terms: np.ndarray, closed: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Of the closed contacts' normals C^-1 W, M = C C^T: the left direction of least singular value, w, that value."""
    n = len(closed)
    m = round((-n + np.sqrt(n * n + 4 * (len(terms) - 2 * n))) / 2)
    mass, rows, drift = terms[: m * m].reshape(m, m), terms[m * m : m * m + n * m], terms[m * m + n * m :][:n]
    columns = np.linalg.solve(np.linalg.cholesky(mass), rows.reshape(n, m)[closed].T)
    _, values, left = np.linalg.svd(columns)
    least = len(drift[closed]) - 1
    return left[least], drift[closed], float(values[least]) if least < len(values) else 0.0
