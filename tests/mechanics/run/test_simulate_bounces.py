"""A ball on the ground: impact times in closed form, their accumulation, and starts on the ground."""

from __future__ import annotations

from functools import cache
from math import sin, sqrt

import numpy as np
import pytest
from contact_models import TIGHT, Case, ball, rod
from hypothesis import strategies as st
from oracles.closed_forms import bouncing_ball_accumulation, bouncing_ball_times, rod_impulse
from quick_members import examples, members
from trajectory import accumulations, forces, kinds

from sympact import Status
from sympact.integrate.result import Result

GRAVITY = 9.8
LONG = 1e6
AT_REST = "bounce (at rest)"
HOP = 1e-10  # of the first fall: lower hops are not followed


@cache
def bouncer() -> Case:
    return ball()


@pytest.mark.parametrize("options", [{}, TIGHT], ids=["default", "tight"])
@pytest.mark.parametrize("e", [0.5, 0.8, 0.9])
def test_bounces_accumulate_where_their_series_ends(e, options):
    result = bouncer().simulate((0, LONG), [1.0, 0.0], {"e": e}, **options)
    times = bouncing_ball_times(1.0, GRAVITY, e, len(result.events))
    t_inf = bouncing_ball_accumulation(1.0, GRAVITY, e)
    ((t, found, error),) = accumulations(result)
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-10)
    assert t == result.events.t[-1] <= t_inf
    assert error <= 2 * (t_inf - t), "the error is no more than what is left to go"
    # error: the hops that were not followed are told from the last one, whose height has the error of the integration
    assert abs(found - t_inf) <= min(error, 1e-10)
    rests_to_the_end(result, LONG)


def rests_to_the_end(result: Result, t_end: float, y: float = 0.0, m: float = 1.0) -> None:
    """The run goes on at rest on the ground after its last event; every state is the same to the last bit."""
    assert result.status is Status.FINISHED
    assert result.t_span[1] == t_end
    assert result.path[-1] == AT_REST
    after = result.t[result.t > result.events.t[-1]]
    still = result.x[:, -1]
    assert np.array_equal(result.x[:, -len(after) :], np.repeat(still[:, np.newaxis], len(after), axis=1))
    assert still[1] == 0.0
    assert still[0] == pytest.approx(y, abs=1e-15)
    assert forces(result)[:, -1] == pytest.approx(m * GRAVITY, rel=1e-14)


@examples(8, 25, e=st.floats(0.01, 0.97), height=st.floats(1e-3, 1e4), gravity=st.floats(0.1, 100))
def test_accumulation_whatever_the_scales(e, height, gravity):
    """Lengths and times of any size: errors are measured in units of the fall."""
    result = bouncer().simulate((0, LONG * sqrt(height / gravity)), [height, 0.0], {"e": e, "g": gravity})
    fall = sqrt(2 * height / gravity)
    assert (result.status, result.path[-1]) == (Status.FINISHED, AT_REST)
    times = bouncing_ball_times(height, gravity, e, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-10 * fall)
    t_inf = bouncing_ball_accumulation(height, gravity, e)
    ((_, found, error),) = accumulations(result)
    assert abs(found - t_inf) <= min(error, 1e-10 * fall)


def test_the_last_hop_is_too_low_to_see():
    """At an accumulation the hop to come would be lower than 1e-10 of the first fall, those before were not."""
    result = bouncer().simulate((0, LONG), [1.0, 0.0], {"e": 0.9})
    hops = [(0.9 * event.x_minus[1]) ** 2 / (2 * GRAVITY) for event in result.events]
    assert hops[-1] <= HOP < hops[-2]
    assert kinds(result) == ["impact"] * (len(hops) - 1) + ["accumulation"]


def test_without_loss_300_bounces_keep_their_energy():
    result = bouncer().simulate((0, 300), [1.0, 0.0], {"e": 1.0}, **TIGHT)
    y, v = result.x
    assert result.status is Status.FINISHED
    assert len(result.events) >= 300
    np.testing.assert_allclose(v**2 / 2 + GRAVITY * y, GRAVITY, rtol=1e-12)
    # an error in the energy shifts each of k flights a little more: k^2/2 times that of one flight, 1e-16 s
    times = bouncing_ball_times(1.0, GRAVITY, 1.0, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-10)


def test_without_rebound_the_first_touch_is_the_end():
    result = bouncer().simulate((0, LONG), [1.0, 0.0], {"e": 0.0})
    touch = sqrt(2 / GRAVITY)
    assert kinds(result) == ["impact"]
    assert result.events[0].t == pytest.approx(touch, rel=1e-14)
    assert result.events[0].impulse.tolist() == pytest.approx([GRAVITY * touch], rel=1e-14)
    rests_to_the_end(result, LONG)


def test_a_start_at_rest_on_the_ground_is_closed_at_once():
    result = bouncer().simulate((2.0, 1e4), [0.0, 0.0])
    assert kinds(result) == ["close"]
    assert (result.events[0].t, result.events[0].contacts) == (2.0, ("bounce",))
    assert result.path == ("free", AT_REST)
    assert not result.x.any()
    assert not result(np.linspace(2.0, 1e4, 1001)).any()
    rests_to_the_end(result, 1e4)


@pytest.mark.parametrize("depth", [1e-16, 1e-13])
def test_a_start_at_rest_that_touches_but_for_rounding_is_closed_at_once(depth):
    """Positions come from computations such as sin(pi): a gap of rounding is no gap, and no start below the ground."""
    for gap in (-depth, depth):
        result = bouncer().simulate((0, LONG), [gap, 0.0])
        assert result.events.t[-1] <= 1e-5
        rests_to_the_end(result, LONG)


@pytest.mark.parametrize("options", [{}, TIGHT, {"method": "RK45", "rtol": 1e-6}], ids=["default", "tight", "coarse"])
@pytest.mark.parametrize("depth", members([0.0, 5e-14, 5e-13, 5e-12, 9e-11], slow=[5e-13, 5e-12]))
def test_a_start_so_little_below_the_ground_is_one_on_it(depth, options):
    """Down to 1e-10 of the length a start is not refused; then it must not fall through either.

    The end A of a rod of 1 m comes down at 1 m/s with the rest of it: an impulse 1.5 m v/(1 + 3 cos^2 a) at once.
    """
    angle = -0.3
    start = [0, -sin(angle) / 2 - depth, angle, 0, -1.0, 0]
    impact = rod().simulate((0, 0.05), start, max_events=1, **options).events[0]
    assert impact.t == pytest.approx(0, abs=1e-9)
    assert impact.contacts == ("A",)
    assert impact.impulse.tolist() == pytest.approx([rod_impulse(1.0, -1.0, angle, 0.5)], rel=1e-8)


@pytest.mark.parametrize("height", [0.0, 1e-15])
def test_a_start_on_the_ground_that_leaves_it_flies(height):
    result = bouncer().simulate((0, LONG), [height, 3.0])
    rebound = 2 * 3.0 / GRAVITY
    assert result.events[0].t == pytest.approx(rebound, rel=1e-13)
    ((_, t_inf, error),) = accumulations(result)
    assert abs(t_inf - 2 * rebound) <= min(error, 1e-10), "hops of ratio 1/2 add up to twice the first"
    rests_to_the_end(result, LONG)


def test_a_start_on_the_ground_that_moves_in_has_its_impact_at_once():
    result = bouncer().simulate((1.0, 1.2), [0.0, -3.0])
    impact = result.events[0]
    assert (impact.t, impact.x_minus.tolist(), impact.x_plus.tolist()) == (1.0, [0.0, -3.0], [0.0, 1.5])
    assert impact.impulse.tolist() == [4.5]
    assert result.status is Status.FINISHED
    assert result(1.0, side="left").tolist() == [0.0, -3.0]


def test_without_gravity_a_ball_on_the_ground_stays_and_one_that_leaves_never_returns():
    floating = bouncer().simulate((0, 10), [0.0, 0.0], {"g": 0.0})
    assert floating.status is Status.FINISHED
    assert (floating.x == 0).all()
    leaving = bouncer().simulate((0, 10), [1.0, -1.0], {"g": 0.0})
    assert leaving.events.t.tolist() == pytest.approx([1.0], rel=1e-14)
    assert leaving(10.0).tolist() == pytest.approx([4.5, 0.5], rel=1e-13)


@pytest.mark.parametrize("t_start", [-5.0, 1e3, 1e6])
def test_the_start_of_time_does_not_matter(t_start):
    """But for its rounding, which each event has anew."""
    result = bouncer().simulate((t_start, t_start + 10), [1.0, 0.0])
    times = t_start + bouncing_ball_times(1.0, GRAVITY, 0.5, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-13 + 20 * np.spacing(abs(t_start)))
    ((_, t_inf, error),) = accumulations(result)
    assert abs(t_inf - (t_start + 3 * sqrt(2 / GRAVITY))) <= error <= 1e-8 + 64 * np.spacing(abs(t_start))


def test_a_limit_of_events_keeps_those_before():
    result = bouncer().simulate((0, 10), [1.0, 0.0], max_events=3)
    assert result.status is Status.MAX_EVENTS
    assert len(result.events) == 3
    assert result.t_span[1] == result.events[2].t


def test_times_asked_for_do_not_change_the_run():
    asked = [0.0, 0.1, sqrt(2 / GRAVITY), 1.0, 9.0]
    free, chosen = (bouncer().simulate((0, 10), [1.0, 0.0], t_eval=times) for times in (None, asked))
    assert chosen.t.tolist() == asked
    assert np.array_equal(chosen.x, free(asked))
    assert np.array_equal(chosen.events.t, free.events.t)


@pytest.mark.parametrize(
    ("method", "options", "error"),
    [
        ("DOP853", {}, 1e-12),
        ("RK45", {}, 1e-12),
        ("RK4", {"max_step": 0.01}, 1e-12),
        ("improved Euler", {"max_step": 0.01}, 1e-12),
        ("Radau", {}, 1e-12),
        ("BDF", {}, 1e-5),
        ("LSODA", {}, 1e-7),
    ],
)
@pytest.mark.parametrize("e", members([0.0, 0.5, 1.0], slow=[0.0]))
def test_every_stepper_bounces(method, options, error, e):
    """Methods of second order and more are exact on a parabola; those that vary their order begin with the first."""
    result = bouncer().simulate((0, 5), [1.0, 0.0], {"e": e}, method=method, max_events=100, **options)
    assert result.status is Status.FINISHED
    assert (result.path[-1] == AT_REST) == (e < 1.0)
    times = bouncing_ball_times(1.0, GRAVITY, e, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=error)
