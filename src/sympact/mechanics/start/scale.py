"""The scale of gaps in one run: the model's length, and the rounding of coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.mechanics.start.scale_kernel import LARGE
from sympact.mechanics.start.start_memory import ScaleMemory
from sympact.native.kernel import Unit

__all__ = ["SCALE_UNIT", "Scale", "nominal_scale", "scale_at", "scale_memory"]

SCALE_UNIT = Unit("sympact.mechanics.start.scale_kernel", "measure_scale", "void(float64, int64, int64, int64)")
"""The scale of runs whose model has no length of its own, or that begin far from the origin."""


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
    memory = scale_memory(compiled, p, t, rtol=rtol, atol=atol)
    state, rates = np.ascontiguousarray(x, dtype=float), np.ascontiguousarray(along[1])
    memory.own = length
    SCALE_UNIT.callable()(t, state.ctypes.data, rates.ctypes.data, memory.address)
    return Scale(float(memory.length), bool(memory.measured), memory.grains.copy(), memory.depths.copy())


def scale_memory(compiled, p: np.ndarray, t: float, *, rtol: float, atol: np.ndarray) -> ScaleMemory:
    """The memory in which the unit finds the scale of runs with these parameters, which are shared, and tolerances."""
    model = compiled.model
    nc = len(model.contacts)
    memory = ScaleMemory.allocate(
        {
            "n_q": len(model.q),
            "n_states": len(model.x),
            "n_contacts": nc,
            "n_boundaries": nc + len(model.derivation.switches),
        }
    )
    memory.gaps, memory.parameters = compiled.running["boundary"], p.ctypes.data
    memory.clock, memory.rtol, memory.atol[:] = 4.0 * np.spacing(abs(t)), rtol, atol
    return memory
