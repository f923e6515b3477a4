"""Steps of a run, repeated on demand from the samples before them: the memory of each, and its polynomial."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import Protocol

import numpy as np

from sympact.integrate.loop.workspace import Shape, Workspace
from sympact.integrate.problem.stepper import StepLayout
from sympact.integrate.steppers.interpolation import Segments, nested_basis
from sympact.integrate.trajectory.mode_names import ModeMemory, Modes
from sympact.integrate.trajectory.record import Record
from sympact.native.kernel import function_at

__all__ = ["Samples", "StepMemory", "rebuild_segments", "samples_passed", "stored_segments", "straight_segments"]

_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


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

    def enter(self, start: int, mode: int) -> int:
        """Restore the memory of the step in a mode that starts at a sample; the index of its stage.

        Of an arc without steps it is that of its start.
        """
        samples, arc = self._samples, int(self._arcs[start])
        if mode != self._mode or not arc <= self._at <= start:
            self._mode, self._at = mode, arc - 1
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


def rebuild_segments(modes: Modes, layout: StepLayout, record: Samples, low: np.ndarray) -> Segments:
    """Repeat every step of the record; the same code on the same numbers gives the same polynomials, bit by bit.

    `low`, shape (m,), is 1 for samples whose steps were taken by the method of low order.
    """
    steps = np.flatnonzero(record.h)
    with modes.memory() as memory:
        workspace = Workspace.borrow(Shape.of(memory.program, layout, polynomials=False))
        workspace.clear(memory.program.table)
        workspace.tolerate_all()
        coefficients = _repeat(memory, layout, record, low, steps, workspace)
        workspace.give_back()
    return _held(modes, record, Segments(record.t[steps - 1], record.h[steps], record.x[steps - 1], coefficients))


def _repeat(
    memory: ModeMemory,
    layout: StepLayout,
    record: Samples,
    low: np.ndarray,
    steps: np.ndarray,
    workspace: Workspace,
) -> np.ndarray:
    """The polynomials of the steps that end at the given samples."""
    n, run = record.x.shape[1], workspace.run
    exact, dense = layout.unit("exact").callable(), layout.unit("dense").callable()
    x, rates, polynomial = run.x, run.rates, run.polynomial
    at_x, at_x_new, at_rates = (array.ctypes.data for array in (x, run.x_new, rates))
    coefficients = np.empty((len(steps), layout.degree, n))
    step_memory, mode = StepMemory(memory, record), -1
    for k, i in enumerate(steps):
        index, before = step_memory.enter(i - 1, int(record.stage[i])), mode
        mode = int(record.stage[i])
        if mode != before:
            workspace.enter(index)
            stage = memory.program.table.stages[index]
            flow, project = (function_at(_FLOW, address) for address in (stage.flow, stage.project))
        x[:] = record.x[i - 1]
        run.t, run.h, run.low = record.t[i - 1], record.h[i], int(low[i])
        flow(record.t[i - 1], at_x, stage.flow_data, at_rates)
        exact(workspace.address)
        if stage.project and run.low == 0:
            t = _end(record, i)
            project(t, at_x_new, stage.flow_data, at_x_new)
            flow(t, at_x_new, stage.flow_data, rates[layout.last].ctypes.data)
        dense(workspace.address)
        coefficients[k] = polynomial
    return coefficients


def _end(record: Samples, i: int) -> float:
    """The end of the step of sample i before an event truncated it; the sample's own time if none did."""
    t, end = float(record.t[i]), float(record.t[i - 1] + record.h[i])
    return t if abs(t - end) <= np.spacing(abs(end)) else end


def stored_segments(modes: Modes, record: Record, polynomials: np.ndarray) -> Segments:
    """The polynomials that the loop stored, of steppers that cannot repeat a step; shape (m, degree, n)."""
    steps = np.flatnonzero(record.h)
    segments = Segments(record.t[steps - 1], record.h[steps], record.x[steps - 1], polynomials[steps])
    return _held(modes, record, segments)


def straight_segments(record: Record) -> Segments:
    """Straight lines from sample to sample, of steppers without dense output."""
    ends = np.flatnonzero(record.h)
    lines = record.x[ends] - record.x[ends - 1]
    return Segments(record.t[ends - 1], record.h[ends], record.x[ends - 1], lines[:, np.newaxis])


def _held(modes: Modes, record: Samples, segments: Segments) -> Segments:
    """Where contacts are closed, the polynomials through states that are projected as the ends of steps are.

    Within a step the closed gaps drift by its error, which at loose tolerances would be visible at a surface.
    """
    stages = modes.program.table.stages
    in_steps = record.stage[np.flatnonzero(record.h)]
    closed = np.flatnonzero([bool(stages[modes.stage(mode)].force) for mode in in_steps])
    if not closed.size:
        return segments
    degree = segments.coefficients.shape[1]
    places, to_rows = nested_basis(degree)
    coefficients = segments.coefficients.copy()
    with modes.memory() as memory:
        for k in closed:
            stage = memory.program.table.stages[memory.restore(int(in_steps[k]))]
            memory.go_to(segments.t0[k])
            project, t = function_at(_FLOW, stage.project), segments.t0[k] + places * segments.h[k]
            states = np.ascontiguousarray(segments.on(k, places))
            for time, state in zip(t, states, strict=True):
                project(time, state.ctypes.data, stage.flow_data, state.ctypes.data)
            coefficients[k] = to_rows @ (states - segments.x0[k])
    return replace(segments, coefficients=coefficients)


def _view(address: int, n: int) -> np.ndarray:
    return np.frombuffer((ctypes.c_double * n).from_address(int(address)))
