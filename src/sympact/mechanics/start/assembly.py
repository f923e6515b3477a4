"""Initial states that satisfy the bilateral constraints."""

from __future__ import annotations

import warnings

import numpy as np

from sympact.integrate.problem.warning import SympactWarning
from sympact.mechanics.start.numbers import listed
from sympact.native.rounding import HALF_DIGITS

__all__ = ["assembled_start"]

_TOLD = 1e-6
_MET = HALF_DIGITS


def assembled_start(compiled, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The closest state to a given one that satisfies the constraints, in the metric of M.

    Parameters
    ----------
    compiled : CompiledModel
        Of a model with bilateral constraints.
    t : float
    x : array, shape (n_states,)
    p : array
        As ``compiled.all_parameters`` gives it.

    Raises
    ------
    ValueError
        If no state near the given one satisfies them; the message names those that are violated.
    """
    model, constraints = compiled.model, compiled.constraints(p)
    state = constraints.assembled(t, x)
    positions, _, scales = constraints.violations(t, state)
    names = [row.name for row in model.derivation.constraints]
    wrong = [
        name for name, value, scale in zip(names, positions, scales, strict=True) if not abs(value) <= _MET * scale
    ]
    if wrong or not np.isfinite(state).all():
        raise ValueError(
            f"the motion cannot start at t = {t:.12g}: no state near the given one satisfies the constraints "
            f"{', '.join(dict.fromkeys(wrong or names))}; start closer to an assembly, or check the lengths"
        )
    change = np.abs(state - x)
    largest = int(np.argmax(change))
    if change[largest] > _TOLD * max(1.0, float(np.abs(x).max())):
        warnings.warn(
            f"the initial state was projected onto the constraints; {listed([model.x[largest]])} changed from "
            f"{x[largest]:.9g} to {state[largest]:.9g}",
            SympactWarning,
            stacklevel=2,
        )
    return state
