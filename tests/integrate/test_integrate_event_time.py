"""The time of an event: a root of the step's own polynomial to four roundings of time, and on the boundary exactly."""

import numpy as np
import pytest
import sympy as sm
from integrate_processes import ADAPTIVE, FIXED, STIFF, both_gates, check_run, q, u
from scipy.optimize import brentq

PENDULUM = (u, -sm.sin(q))
LEVEL = 0.25
GATES = both_gates(q - LEVEL)
STEPS = {"Euler": 0.01, "improved Euler": 0.05, "RK4": 0.05}
CASES = [(method, rtol) for method in (*ADAPTIVE, *STIFF) for rtol in (1e-3, 1e-6, 1e-9)]
CASES += [(method, 1e-9) for method in FIXED]
RUNS = [(kind, *case) for kind in GATES for case in CASES]
MIDDLE = {"symbolic": (1e-6,), "plain": (1e-3, 1e-6)}
SLOW = [run for run in RUNS if run[2] in MIDDLE[run[0]] or run[:2] == ("plain", "Radau")]
MARKED = [pytest.param(run, marks=[pytest.mark.slow] * (run in SLOW)) for run in RUNS]
"""A quick run has the loosest and the tightest tolerance, of plain functions the tightest alone, but of Radau's."""


@pytest.fixture(scope="module", params=MARKED, ids=str)
def result(request):
    kind, method, rtol = request.param
    options = {"method": method, "rtol": rtol, "atol": 1e-3 * rtol, "max_step": STEPS.get(method, np.inf)}
    result = GATES[kind].simulate((0, 20), [1.0, 0.0], start="out", **options)
    assert len(result.events) >= 6
    return result


def polynomial_root(result, event):
    """The zero, near the event, of the polynomial of the step that leads to it."""
    segments = result._dense.segments()
    k = np.searchsorted(segments.t0, event.t, side="left") - 1
    t0, h = segments.t0[k], segments.h[k]

    def gap(s):
        value, factors = 0.0, (s, 1.0 - s)
        for j in reversed(range(segments.coefficients.shape[1])):
            value = factors[j % 2] * (segments.coefficients[k, j, 0] + value)
        return segments.x0[k, 0] + value - LEVEL

    near = (event.t - t0) / h
    return t0 + h * brentq(gap, near - 1e-4, near + 1e-4, xtol=1e-17, rtol=1e-15)


def test_time_is_a_root_of_the_steps_polynomial(result):
    check_run(result)
    for event in result.events:
        # a state of size 1 is known to 2^-53, over a rate of 0.9: two roundings more of a time near 1
        assert abs(polynomial_root(result, event) - event.t) <= 4 * np.spacing(event.t) + 2 * np.spacing(1.0)


def test_the_state_is_on_the_boundary(result):
    """A root known to a rounding of time leaves the rate times that rounding, at most 20 ulps of 1 at t = 20."""
    for event in result.events:
        assert abs(event.x_minus[0] - LEVEL) <= 2 * np.spacing(event.t)


def test_both_sides_are_what_the_result_answers(result):
    for event in result.events:
        assert result(event.t, side="left").tolist() == event.x_minus.tolist()
        assert result(event.t).tolist() == event.x_plus.tolist()
        assert result(event.t, side="left").tolist() == event.x_plus.tolist()  # this jump changes nothing


def test_the_dense_output_changes_sign_there(result):
    """A little before and after the event the state is on the two sides of the boundary, as the stages say."""
    for event in result.events:
        before, after = result([event.t - 1e-9, event.t + 1e-9])[0] - LEVEL
        assert (before < 0 < after) if event.source == "in" else (after < 0 < before)


def test_the_time_is_that_of_the_closed_form():
    """x = cos(t) is at 1/4 for t = +-arccos(1/4) + 2 pi k; at rtol 1e-12 the time is as good as the motion."""
    expected = np.sort(np.concatenate([np.arccos(LEVEL) + 2 * np.pi * np.arange(8)] * 2))
    expected[1::2] = 2 * np.pi * np.arange(1, 9) - np.arccos(LEVEL)
    for process in GATES.values():
        for method in ADAPTIVE:
            run = process.simulate((0, 16 * np.pi), [1.0, 0.0], start="out", method=method, rtol=1e-12, atol=1e-15)
            np.testing.assert_allclose(run.events.t, expected, rtol=0, atol=2e-11)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_an_event_at_the_very_end_does_not_pass_it(method):
    """The span ends around the event, from 1e-3 to 1e-16 s before and after: no time beyond it is reached."""
    free = GATES["symbolic"].simulate((0, 2), [1.0, 0.0], start="out", method=method)
    for shift in (0.0, *np.logspace(-16, -3, 14), *-np.logspace(-16, -3, 14)):
        t_end = free.events.t[0] + shift
        run = GATES["symbolic"].simulate((0, t_end), [1.0, 0.0], start="out", method=method)
        assert run.t_span[1] == t_end
        if abs(shift) > 1e-9:
            assert len(run.events) == (shift > 0)
