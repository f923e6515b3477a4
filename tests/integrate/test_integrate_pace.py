"""Runs that crawl: a limit of steps, the end of a run that does not get on, and what it says of where steps went."""

import warnings

import numpy as np
import pytest
import sympy as sm

from sympact import HybridSystem, Status, Transition, models

t, x, v = sm.symbols("t x v")


def fast(rate):
    """A pendulum that swings with the angular frequency `rate` (1/s)."""
    return HybridSystem.from_sympy({"run": [v, -(rate**2) * x]}, [], states=[x, v])


@pytest.mark.as_machine_code
def test_a_run_without_progress_ends_and_says_where_its_steps_went():
    """1e9 radians a second for 1000 s are 1e12 radians, of which a step takes a few."""
    result = fast(1e9).simulate((0, 1000), [1.0, 0.0], start="run")
    assert result.status is Status.NO_PROGRESS
    assert result.steps + result.rejected == pytest.approx(100_000, abs=20)
    assert 0 < result.t_span[1] < 1e-3
    assert f"{result.steps:,} steps and {result.rejected:,} rejected ones were tried" in result.message
    assert "no events" in result.message


def test_noise_as_flow_is_told_with_the_state_that_steps_are_rejected_for():
    """An input of random numbers has no derivative: its error falls with the step itself, down to the tolerance."""
    random = np.random.default_rng(0)
    process = HybridSystem({"run": lambda t, x: [0.0, random.normal()]}, [], states=["calm", "noisy"])
    result = process.simulate((0, 1), [0.0, 0.0], start="run", max_steps=1000, method="RK45")
    assert result.status is Status.MAX_STEPS
    assert result.rejected > 10
    assert f"rejected for the error of noisy ({result.rejected:,})" in result.message


def test_max_steps_counts_steps_tried():
    result = fast(1.0).simulate((0, 1e6), [1.0, 0.0], start="run", max_steps=500)
    assert result.status is Status.MAX_STEPS
    assert 500 <= result.steps + result.rejected < 510
    assert result.settings["max_steps"] == 500
    assert result.evaluations >= 11 * 500


@pytest.mark.parametrize("method", ["RK4", "Radau", "moreau", "DOP853"])
def test_max_steps_holds_for_models_and_all_steppers(method):
    ball = models.bouncing_ball()
    options = {"max_step": 1e-3} if method in ("RK4", "moreau") else {"max_step": 1e-2}
    result = ball.simulate(method=method, max_steps=20, **options)
    assert result.status is Status.MAX_STEPS
    assert 20 <= result.steps + result.rejected <= 23


def test_a_run_within_its_limit_is_the_same_to_the_bit():
    ball = models.bouncing_ball()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(ball.simulate().x, ball.simulate(max_steps=10**6).x)


@pytest.mark.as_machine_code
def test_many_events_in_a_small_part_of_a_span_are_progress():
    """2e5 of them, one a second, in a span of 1e12 s: ended by max_events alone, with the event that repeats."""
    tick = Transition("run", "run", boundary=x - 1, jump={x: 0}, name="tick")
    process = HybridSystem.from_sympy({"run": [1]}, [tick], states=[x])
    result = process.simulate((0, 1e12), [0.0], start="run", max_events=200_000)
    assert result.status is Status.MAX_EVENTS
    assert "of the last 1,000 of 200,000 events: tick (1,000)" in result.message


def test_max_steps_is_a_whole_number():
    for wrong in (0, -1, 2.5, True, 10**30):
        with pytest.raises(ValueError, match=r"max_steps is .*expected a positive whole number"):
            fast(1.0).simulate((0, 1), [1.0, 0.0], start="run", max_steps=wrong)
