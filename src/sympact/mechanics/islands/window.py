"""A part of the motion of an island: where its states are, exactly and by a quick estimate from the samples alone."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sympact.integrate.loop.dense import rebuild_segments
from sympact.integrate.problem.stepper import StepLayout
from sympact.integrate.search.prove_kernel import FAR
from sympact.integrate.steppers.interpolation import Segments
from sympact.integrate.trajectory.mode_names import Modes
from sympact.mechanics.islands.bounds import Bounds
from sympact.mechanics.islands.island import Island
from sympact.mechanics.islands.island_run import projected
from sympact.mechanics.run.model_memory import ModelMemory
from sympact.native.cached import cached_property

__all__ = ["Samples", "Window"]

_STATE = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)


@dataclass(frozen=True)
class Samples:
    """Samples of a run, see `Record`: times, sizes of the steps that end there, states, modes, low orders."""

    t: np.ndarray
    h: np.ndarray
    x: np.ndarray
    stage: np.ndarray
    low: np.ndarray


class Flown(Protocol):
    """What a window takes of the run of an island; `Flight` has it."""

    @property
    def island(self) -> Island:
        """The island."""

    @property
    def layout(self) -> StepLayout:
        """The stages of its steps."""

    @property
    def memory(self) -> ModelMemory:
        """The memory of the run."""

    @property
    def rows(self) -> Any:
        """The table of its modes."""

    def lend(self) -> Any:
        """A program with the numbers of the run, for one thread at a time."""

    def samples(self, first: int) -> Samples:
        """Its samples from one on."""


class Window:
    """A part of the motion of an island.

    Parameters
    ----------
    flight : Flown
    first, last : int
        Its samples are those from the first to the one before the last.

    Attributes
    ----------
    island : Island
    begin, end : float
    """

    def __init__(self, flight: Flown, first: int, last: int) -> None:
        self.island, self._flight = flight.island, flight
        self._samples = flight.samples(first)
        self.begin, self.end = float(self._samples.t[0]), float(self._samples.t[-1])

    @cached_property
    def _segments(self) -> Segments:
        layout = self._flight.layout
        modes = Modes(self._flight.memory.program, self._flight.rows, self._flight.lend)
        return rebuild_segments(modes, layout, self._samples, self._samples.low)

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of the states over any interval of its time."""
        return Bounds(self._segments)

    def state(self, t: float) -> tuple[np.ndarray, float]:
        """The state at a time between two samples, as `IslandRun.between` has it, and the size of the step."""
        samples = self._samples
        k = int(np.searchsorted(samples.t, t, side="right")) - 1
        if samples.t[k] == t:
            return samples.x[k].copy(), float(samples.h[min(k + 1, len(samples.h) - 1)])
        x = self._segments.evaluate(np.array([t]))
        modes = Modes(self._flight.memory.program, self._flight.rows, self._flight.lend)
        projected(modes, len(self.island.contacts), np.array([t]), x, samples.stage[k : k + 1])
        return x[0], float(samples.h[k + 1])

    @cached_property
    def reach(self) -> np.ndarray | None:
        """An estimate of the bounds of coordinates and of their rates, a row (low, high, least, most) for each.

        On each step from the cubic by the states and the rates at its ends, widened by its greatest distance from a
        straight line. None where steps turn so far that their ends do not determine the motion between them.
        """
        n_q = len(self.island.compiled.model.q)
        samples, rates = self._samples, self._rates()
        steps = 1 + np.flatnonzero(np.diff(samples.t))
        if not steps.size:
            x = samples.x[:, :n_q]
            return np.column_stack([x.min(axis=0), x.max(axis=0), rates[:, :n_q].min(axis=0), rates.max(axis=0)[:n_q]])
        h = (samples.t[steps] - samples.t[steps - 1])[:, np.newaxis]
        x0, x1 = samples.x[steps - 1, :n_q], samples.x[steps, :n_q]
        first, second = x0 + h * rates[steps - 1, :n_q] / 3.0, x1 - h * rates[steps, :n_q] / 3.0
        # half a turn of the body is a quarter of one of its quaternion
        for group in self.island.compiled.model.derivation.quaternions:
            own = list(group)
            turn = h[:, 0] * np.linalg.norm(rates[steps - 1][:, own] + rates[steps][:, own], axis=1)
            fast = h[:, 0] * np.maximum(*(np.linalg.norm(rates[k][:, own], axis=1) for k in (steps - 1, steps)))
            if (np.maximum(0.5 * turn, fast) > 0.25 * FAR).any():
                return None
        chord = x1 - x0
        wide = np.maximum(abs(first - x0 - chord / 3.0), abs(second - x1 + chord / 3.0))
        points = np.stack([x0, first, second, x1])
        slopes = 3.0 * np.diff(points, axis=0) / h
        spread = slopes.max(axis=0) - slopes.min(axis=0)
        return np.column_stack(
            [
                (points.min(axis=0) - wide).min(axis=0),
                (points.max(axis=0) + wide).max(axis=0),
                (slopes.min(axis=0) - spread).min(axis=0),
                (slopes.max(axis=0) + spread).max(axis=0),
            ]
        )

    def _rates(self) -> np.ndarray:
        """The rates of the state at the samples without contact forces; those of coordinates are exact."""
        compiled, p = self.island.compiled, self._flight.memory.p
        samples, rates = self._samples, np.empty_like(self._samples.x)
        flow = _STATE(compiled.running["kinematics" if compiled.constrained else "flow"])
        place, step = samples.x.ctypes.data, samples.x.strides[0]
        out, parameters = rates.ctypes.data, p.ctypes.data
        for k, t in enumerate(samples.t.tolist()):
            flow(t, place + k * step, parameters, out + k * step)
        return rates
