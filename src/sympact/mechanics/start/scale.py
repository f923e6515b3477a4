"""The scale of gaps in one run: the model's length, and the rounding of coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sympact.integrate.memory.run_tolerances import DEAD_BAND, DRIFT, GAP_ROUNDING, PROBE
from sympact.native.rounding import EPS

__all__ = ["LARGE", "Scale", "nominal_scale", "scale_at"]


_ROUNDINGS = 16.0 * EPS  # of a coordinate: its own, and that of the few operations of a gap
LARGE = GAP_ROUNDING / _ROUNDINGS  # of the length: larger coordinates have larger rounding errors than gaps


@dataclass(frozen=True, eq=False)
class Scale:
    """The scale of gaps in one run.

    Attributes
    ----------
    length : float
        The model's length, or its estimate until the motion has determined more (m).
    measured : bool
        Whether it is measured along the motion.
    grains : array, shape (n_contacts,)
        The rounding error of each gap due to the coordinates (m); 0 where that due to the length is larger.
    depths : array, shape (n_contacts,)
        The permitted initial depth of each contact below its surface (m).
    """

    length: float
    measured: bool
    grains: np.ndarray
    depths: np.ndarray


@lru_cache(maxsize=64)
def nominal_scale(length: float, n_contacts: int) -> Scale:
    """The scale where the model has a length of its own, and no coordinate has a larger rounding error than gaps."""
    nothing = np.zeros(n_contacts)
    return Scale(length, False, nothing, nothing + DEAD_BAND * length)


def scale_at(
    compiled, t: float, x: np.ndarray, p: np.ndarray, along: np.ndarray, *, length: float, rtol: float, atol: np.ndarray
) -> Scale:
    """The scale of a run from its initial state.

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
    if length and np.abs(x[:n]).max(initial=0.0) <= LARGE * length and (along[0] >= -DEAD_BAND * length).all():
        return nominal_scale(length, along.shape[1])
    slopes = _slopes(compiled, t, x, p, atol)
    grains = _ROUNDINGS * slopes @ np.abs(x[:n])
    tolerances = slopes @ atol[:n]
    own = length or float(tolerances.max(initial=0.0)) / DEAD_BAND or 1.0
    clock = 4.0 * np.spacing(abs(t)) * np.abs(along[1])
    depths = max(DEAD_BAND, min(rtol, DRIFT)) * own + 2.0 * grains + tolerances + np.nan_to_num(clock)
    return Scale(own, length == 0.0, grains, depths)


def _slopes(compiled, t: float, x: np.ndarray, p: np.ndarray, atol: np.ndarray) -> np.ndarray:
    """|dg/dq| by central differences in each coordinate, shape (n_contacts, n_coordinates); 0 for NaN."""
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
