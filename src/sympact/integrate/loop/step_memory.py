"""The memory of a model as it was in a step of a run, restored after the run."""

from __future__ import annotations

import ctypes
from typing import Protocol

import numpy as np

from sympact.integrate.history.mode_names import ModeMemory
from sympact.native.kernel import function_at

__all__ = ["Samples", "StepMemory", "samples_passed"]

_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


class Samples(Protocol):
    """The samples of a run, as `Record` has them."""

    @property
    def t(self) -> np.ndarray:
        """Times, shape (m,)."""

    @property
    def x(self) -> np.ndarray:
        """States, shape (m, n)."""

    @property
    def h(self) -> np.ndarray:
        """The size of the step that ends at each, 0 at the start of an arc."""

    @property
    def stage(self) -> np.ndarray:
        """Modes, shape (m,)."""


class StepMemory:
    """The memory of the modes of a run, with what is stored at the start of an arc and of each of its steps.

    What a step stores depends on the steps before it, such as the direction of a slow slip: it is restored from the
    start of the arc on. Steps are best entered in their order.

    Parameters
    ----------
    memory : ModeMemory
    samples : Samples
    """

    def __init__(self, memory: ModeMemory, samples: Samples) -> None:
        self._memory, self._samples = memory, samples
        self._arcs = np.maximum.accumulate(np.where(samples.h == 0.0, np.arange(len(samples.h)), 0))
        self._at = self._mode = self._index = -1

    def enter(self, start: int) -> int:
        """Restore the memory of the step that starts at a sample; the index of its stage.

        Of an arc without steps it is that of its start.
        """
        samples, arc = self._samples, int(self._arcs[start])
        if samples.stage[start] != self._mode or not arc <= self._at <= start:
            self._mode, self._at = int(samples.stage[start]), arc - 1
            self._index = self._memory.restore(self._mode)
        if self._memory.program.table.stages[self._index].prepare:
            for k in range(self._at + 1, start + 1):
                self._note(k, k == arc)
        self._memory.go_to(float(samples.t[start]))
        self._at = start
        return self._index

    def _note(self, k: int, begins: bool) -> None:
        """Store what is stored at a sample, see `Stage.begin` and `Stage.prepare`."""
        stage, t = self._memory.program.table.stages[self._index], float(self._samples.t[k])
        x = np.ascontiguousarray(self._samples.x[k], float)
        self._memory.go_to(t)
        note = function_at(_FLOW, stage.begin if begins else stage.prepare)
        note(t, x.ctypes.data, stage.flow_data, x.ctypes.data)


def samples_passed(samples: Samples, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
    """The samples that end the steps in which times t (k,) with states x (k, n) and stages (k,) lie, shape (k,).

    The start of an arc is its own. Of the samples at one time the stage and the state select one.
    """
    found = np.minimum(np.searchsorted(samples.t, t, side="left"), len(samples.t) - 1)
    last = np.searchsorted(samples.t, t, side="right") - 1
    for k in np.flatnonzero(last > found):
        there = np.arange(found[k], last[k] + 1)
        far = np.abs(samples.x[there] - x[k]).max(axis=1, initial=0.0)
        far[samples.stage[there] != stage[k]] = np.inf
        found[k] = there[np.argmin(far)]
    return found
