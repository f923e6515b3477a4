"""The polynomials of a run, rebuilt on demand: each accepted step is repeated from the sample before it."""

from __future__ import annotations

import ctypes

import numpy as np

from sympact.integrate import layout as at
from sympact.integrate.branches import Branches
from sympact.integrate.frame import Frame
from sympact.integrate.interpolation import Segments
from sympact.integrate.program import Program
from sympact.integrate.record import Record
from sympact.integrate.stepper import Stepper

__all__ = ["rebuild_segments", "stored_segments"]

_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def rebuild_segments(program: Program, stepper: Stepper, record: Record) -> Segments:
    """Repeat every step of the record; the same code on the same numbers gives the same polynomials, bit by bit."""
    steps = np.flatnonzero(record.h)
    n = record.x.shape[1]
    frame = Frame.borrow(program, stepper, record.x[0], np.zeros(n), polynomials=False)
    exact, dense = stepper.unit("exact").callable(), stepper.unit("dense").callable()
    x = _view(frame.whole[at.X], n)
    polynomial = _view(frame.whole[at.POLYNOMIAL], stepper.degree * n).reshape(stepper.degree, n)
    coefficients = np.empty((len(steps), stepper.degree, n))
    rates = int(frame.whole[at.RATES])
    flows, branches = {}, Branches(program, record)
    for k, i in enumerate(steps):
        stage = int(record.stage[i])
        if frame.whole[at.STAGE] != stage or k == 0:
            frame.enter(stage)
            flows.setdefault(stage, _FLOW(program.stages[stage].flow))
            projection = program.stages[stage].project
        branches.restore(int(i))
        x[:] = record.x[i - 1]
        frame.real[at.T], frame.real[at.H] = record.t[i - 1], record.h[i]
        flows[stage](record.t[i - 1], int(frame.whole[at.X]), program.stages[stage].flow_data, rates)
        exact(frame.address)
        if projection:
            t, data, x_new = record.t[i], program.stages[stage].flow_data, int(frame.whole[at.X_NEW])
            _FLOW(projection)(t, x_new, data, x_new)
            flows[stage](t, x_new, data, rates + 8 * n * stepper.last)
        dense(frame.address)
        coefficients[k] = polynomial
    frame.give_back()
    return Segments(record.t[steps - 1], record.h[steps], record.x[steps - 1], coefficients)


def stored_segments(record: Record, polynomials: np.ndarray) -> Segments:
    """The polynomials that the loop kept, of steppers that cannot repeat a step; shape (m, degree, n)."""
    steps = np.flatnonzero(record.h)
    return Segments(record.t[steps - 1], record.h[steps], record.x[steps - 1], polynomials[steps])


def _view(address: int, n: int) -> np.ndarray:
    return np.frombuffer((ctypes.c_double * n).from_address(int(address)))
