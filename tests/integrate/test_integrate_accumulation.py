"""Bounces that die away: the time they accumulate at, what they never do, and that nothing falls through the floor."""

from itertools import product

import numpy as np
import pytest
from integrate_processes import ADAPTIVE, FIXED, STIFF, ball, check_run, plain_ball
from oracles.closed_forms import bouncing_ball_accumulation, bouncing_ball_times
from quick_members import members

from sympact import HybridSystem, Status, Transition

HEIGHT, GRAVITY = 5.0, 10.0
BALLS = {"symbolic": ball, "plain": plain_ball}


def drop(kind, e, t_end, method="DOP853", **options):
    options.setdefault("max_step", 0.02 if method in FIXED else np.inf)
    result = BALLS[kind](e).simulate((0, t_end), [HEIGHT, 0.0], start="air", method=method, **options)
    check_run(result)
    return result


def lowest(result):
    """The smallest height of all samples, and of many places between them."""
    ends = np.unique(result.t)
    places = np.unique(np.linspace(ends[:-1], ends[1:], 9))
    return min(result.x[0].min(), result(places)[0].min())


RESTITUTIONS = (0.1, 0.5, 0.8, 0.95)
METHODS = (*ADAPTIVE, "improved Euler", "RK4")


@pytest.mark.parametrize(
    ("kind", "method", "e"),
    members(product(BALLS, METHODS, RESTITUTIONS), slow=[("plain", "improved Euler", 0.95), ("plain", "RK4", 0.95)]),
)
def test_the_time_of_accumulation(kind, method, e):
    """t_inf = t_0 (1 + e)/(1 - e). These methods are exact on a parabola, so that only roundings add up.

    A hop is known to the root of the rounding of its height, sqrt(2e-16 x 5 m/5 m/s^2) = 1e-8 s, far below the last
    hop, 1e-6 of the time; the estimated error is the distance of the last two extrapolations.
    """
    exact = bouncing_ball_accumulation(HEIGHT, GRAVITY, e)
    result = drop(kind, e, exact + 1, method)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(exact, rel=1e-12)
    assert abs(result.t_inf - exact) <= result.t_inf_error + 1e-12 * exact
    assert exact * (1 - 1e-5) < result.t_span[1] < result.t_inf
    times = bouncing_ball_times(HEIGHT, GRAVITY, e, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=1e-12)
    assert lowest(result) > -1e-12


@pytest.mark.parametrize(
    ("kind", "method", "e"),
    members(
        product(BALLS, STIFF, [0.5, 0.8]),
        slow=[*product(["plain"], STIFF, [0.8]), *product(["symbolic"], STIFF, [0.5]), ("symbolic", "BDF", 0.8)],
    ),
)
def test_implicit_methods_come_to_it_within_their_tolerance(kind, method, e):
    """They start anew after every bounce; hops below atol = 1e-12 m, 1e-6 s long, are not theirs to resolve."""
    exact = bouncing_ball_accumulation(HEIGHT, GRAVITY, e)
    result = drop(kind, e, exact + 1, method, rtol=1e-8)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(exact, rel=3e-6)
    assert lowest(result) > -1e-9


@pytest.mark.parametrize(("kind", "method"), members(product(BALLS, ADAPTIVE), slow=[("plain", "RK45")]))
def test_elastic_bounces_never_accumulate(kind, method):
    """A thousand hops of two seconds: the energy, 50 J/kg, keeps to 1e-9, and so do the heights and the times."""
    result = drop(kind, 1.0, 2000, method)
    assert result.status is Status.FINISHED
    assert np.isnan(result.t_inf)
    assert len(result.events) == 1000
    assert np.abs(result.x[1] ** 2 / 2 + GRAVITY * result.x[0] - 50).max() < 1e-9
    np.testing.assert_allclose(result.events.t, 1 + 2 * np.arange(1000), rtol=0, atol=1e-8)
    assert lowest(result) > -1e-12


@pytest.mark.parametrize("kind", BALLS)
def test_nearly_elastic_bounces_go_on(kind):
    """With e = 0.9999 the bounces accumulate after 20,000 s; within 100 s they are 50, in their exact times."""
    result = drop(kind, 0.9999, 100)
    assert result.status is Status.FINISHED
    expected = bouncing_ball_times(HEIGHT, GRAVITY, 0.9999, len(result.events))
    np.testing.assert_allclose(result.events.t, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", BALLS)
def test_a_plastic_bounce_leaves_the_ball_on_the_ground(kind):
    """With e = 0 the second jump at the same place changes nothing: there is no contact to go on in."""
    result = drop(kind, 0.0, 3)
    assert result.status is Status.JUMP_WITHOUT_EFFECT
    assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-14)


def test_two_alternating_walls_accumulate():
    """A wedge of two walls that close in on a ball: x' = v between walls at +-(1 - t) hits both in turn, until t = 1.

    With e = 0 relative to the moving wall the ball would stay; reflected with speed 3 each flight shrinks what is left
    by a factor of 2: at the wall, distance d = 2 (1 - t); the next wall is met after d/(3 + 1), when d is half of it.
    """
    process = HybridSystem(
        {"right": lambda t, x: [3.0], "left": lambda t, x: [-3.0]},
        [
            Transition("right", "left", boundary=lambda t, x: x[0] - (1 - t)),
            Transition("left", "right", boundary=lambda t, x: -x[0] - (1 - t)),
        ],
    )
    result = process.simulate((0, 2), [0.0], start="right")
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(1.0, abs=1e-12)
    first = 0.25  # 3 t = 1 - t
    left = (1 - first) * 0.5 ** np.arange(len(result.events))
    np.testing.assert_allclose(1 - result.events.t, left, rtol=0, atol=1e-14)


def test_regular_events_that_slow_down_or_speed_up_slightly_do_not_accumulate():
    """A clock that ticks at t = n + sin(n/7)/2: its intervals shrink at times, by little and never geometrically."""

    def phase(t, x):
        n = x[0]
        return t - (n + 0.5 * np.sin(n / 7))

    tick = Transition("run", "run", boundary=phase, jump=lambda t, x: [x[0] + 1])
    result = HybridSystem({"run": lambda t, x: [0.0]}, [tick]).simulate((0, 300), [1.0], start="run", max_step=0.2)
    assert result.status is Status.FINISHED
    n = np.arange(1, len(result.events) + 1)
    np.testing.assert_allclose(result.events.t, n + 0.5 * np.sin(n / 7), rtol=0, atol=1e-12)
