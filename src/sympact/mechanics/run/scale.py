"""What gaps are compared with in one run: the model's length, and the rounding of the numbers they are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.integrate.memory.run_tolerances import DEAD_BAND, DRIFT, GAP_ROUNDING, PROBE
from sympact.native.rounding import EPS

__all__ = ["Scale", "scale_at"]


_ROUNDINGS = 16.0 * EPS  # of a coordinate: its own, and those of the few operations of a gap
_LARGE = GAP_ROUNDING / _ROUNDINGS  # of the length: larger coordinates round by more than gaps of that length do


@dataclass(frozen=True, eq=False)
class Scale:
    """The comparison of gaps in one run.

    Attributes
    ----------
    length : float
        The model's length, or what it is until the motion has told more (m).
    measured : bool
        Whether the motion tells it.
    grains : array, shape (n_contacts,)
        The height of each gap that is rounding of the coordinates (m); 0 where that of the length is larger.
    depths : array, shape (n_contacts,)
        How deep below its surface a contact may start (m).
    """

    length: float
    measured: bool
    grains: np.ndarray
    depths: np.ndarray


def scale_at(
    compiled, t: float, x: np.ndarray, p: np.ndarray, along: np.ndarray, *, length: float, rtol: float, atol: np.ndarray
) -> Scale:
    """The scale of a run that starts at a state.

    Parameters
    ----------
    compiled : CompiledModel
    t : float
    x : array, shape (n_states,)
    p : array
        As ``compiled.all_parameters`` gives it.
    along : array, shape (3, n_contacts)
        g, g' and g'' there.
    length : float
        The model's own length, 0 where it has none: then the gaps' part of `atol` is the dead band, until an event has
        ended an excursion.
    rtol : float
    atol : array, shape (n_states,)
        The tolerances of the run.
    """
    n = len(compiled.model.q)
    if length and np.abs(x[:n]).max(initial=0.0) <= _LARGE * length and (along[0] >= -DEAD_BAND * length).all():
        nothing = np.zeros(along.shape[1])
        return Scale(length, False, nothing, nothing + DEAD_BAND * length)
    slopes = _slopes(compiled, t, x, p, atol)
    grains = _ROUNDINGS * slopes @ np.abs(x[:n])
    tolerances = slopes @ atol[:n]
    own = length or float(tolerances.max(initial=0.0)) / DEAD_BAND or 1.0
    clock = 4.0 * np.spacing(abs(t)) * np.abs(along[1])
    depths = max(DEAD_BAND, min(rtol, DRIFT)) * own + 2.0 * grains + tolerances + np.nan_to_num(clock)
    return Scale(own, length == 0.0, grains, depths)


def _slopes(compiled, t: float, x: np.ndarray, p: np.ndarray, atol: np.ndarray) -> np.ndarray:
    """|dg/dq| by differences over what is small for each coordinate, shape (n_contacts, n_coordinates); 0 for NaN."""
    n, nc = len(compiled.model.q), len(compiled.model.contacts)
    slopes = np.zeros((nc, n))
    for i in range(n):
        step = max(1e4 * atol[i], PROBE * abs(x[i])) or 1e-2 * PROBE
        ends = []
        for side in (-step, step):
            moved = x.copy()
            moved[i] += side
            ends.append(compiled.boundary(t, moved, p)[:nc])
        slopes[:, i] = np.abs(ends[1] - ends[0]) / (2.0 * step)
    return np.nan_to_num(slopes, posinf=0.0)
