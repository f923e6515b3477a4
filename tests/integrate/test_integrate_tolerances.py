"""What tolerances of runs decide, on both sides of each: runs so small that their answer is known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sm

from sympact import HybridSystem, Transition
from sympact.integrate.loop import progress_kernel
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_tolerances import BEND

SPEED = HybridSystem({"run": lambda t, x: [1.0]}, [])


@pytest.mark.parametrize(("rest", "steps"), [(1e-10, 1), (1e-8, 2)])
def test_what_is_left_of_a_span_joins_the_last_step_if_its_square_is_rounding(rest, steps):
    """A step that is longer by 1e-10 of itself errs by 1e-20 more; one by 1e-8 shows in the sixteenth digit."""
    result = SPEED.simulate((0.0, 1.0), [0.0], start="run", method="RK4", max_step=1.0 - rest)
    assert result.steps == steps
    assert result.x[0, -1] == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(("share", "answer"), [(1e-3, codes.OK), (1e-5, codes.NO_PROGRESS)])
def test_a_pace_that_needs_more_steps_than_memory_holds_ends_a_run(share, answer):
    """After 1e5 steps so much of the span is over; a billion samples of one state take 16 GB."""
    look = getattr(progress_kernel.look, "py_func", progress_kernel.look)
    none = {"rejected": 0, "events": 0, "seen_steps": 0, "seen_events": 0, "max_steps": 0, "look_at": 0}
    run = SimpleNamespace(steps=100_000, t=share, t_end=1.0, seen_t=0.0, **none)
    assert look(run) == answer


def test_hops_of_a_plain_process_end_once_they_are_rounding_of_a_boundary():
    """The hops before the end are lower than what a boundary shows, 1e-10, and higher than its rounding."""
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    ball = HybridSystem({"up": lambda t, x: [x[1], -1.0]}, [bounce])
    result = ball.simulate((0.0, 10.0), [0.5, 0.0], start="up")
    last = np.diff([event.t for event in result.events])[-1]
    assert 1e-15 < last**2 / 8.0 < 1e-11


def test_the_polynomial_bends_at_its_end_as_the_flow_does():
    """Its second derivative there against that of a driven pendulum, q'' = -25 sin q + 5 cos 3q, of known rate."""
    q, u = sm.symbols("q u")
    process = HybridSystem.from_sympy({"swing": [u, -25 * sm.sin(q) + 5 * sm.cos(3 * q)]}, [], states=[q, u])
    worst = 0.0
    for method in ("DOP853", "RK45"):
        for rtol in (1e-3, 1e-6, 1e-9):
            result = process.simulate((0, 20), [1.0, 0.0], start="swing", method=method, rtol=rtol, atol=1e-3 * rtol)
            steps = result._dense.segments()
            value, second = (part[:-1] for part in end_of(steps.coefficients))
            angle, speed = (steps.x0[:-1] + value).T
            bend = [-25 * np.sin(angle) + 5 * np.cos(3 * angle)]
            bend.append((-25 * np.cos(angle) - 15 * np.sin(3 * angle)) * speed)
            error = np.abs(second.T - steps.h[:-1] ** 2 * np.array(bend)).max(axis=0)
            worst = max(worst, (error / (rtol * np.maximum(np.abs(angle), np.abs(speed)))).max())
    assert BEND / 10.0 < worst < BEND


def end_of(rows):
    """The values and the second derivatives at s = 1 of polynomials in nested form, whose rows are (k, degree, n)."""
    value = slope = second = np.zeros_like(rows[:, 0])
    for j in reversed(range(rows.shape[1])):
        factor, rate = (1.0, 1.0) if j % 2 == 0 else (0.0, -1.0)  # s and 1 - s
        value = value + rows[:, j]
        value, slope, second = factor * value, factor * slope + rate * value, factor * second + 2 * rate * slope
    return value, second
