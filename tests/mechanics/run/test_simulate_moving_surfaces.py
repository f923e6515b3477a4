"""Surfaces that move: tables that rise, accelerate and oscillate under a ball, written as expressions or as inputs."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, ball, cube, t
from hypothesis import strategies as st
from oracles.closed_forms import bouncing_ball_accumulation, bouncing_ball_times
from quick_members import examples
from scipy.optimize import brentq
from sympy.physics.mechanics import dynamicsymbols
from trajectory import accumulations, forces

from sympact import Status

GRAVITY = 9.8
AMPLITUDE, FREQUENCY = 0.1, 12.0


@cache
def on_a_lift() -> Case:
    """The table rises with the speed V and the acceleration A."""
    V, A = sm.symbols("V A")
    return ball(V * t + A * t**2 / 2)


@pytest.mark.parametrize(("speed", "lift"), [(2.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (1.0, -4.0)])
def test_a_lift_is_a_fixed_table_under_another_gravity(speed, lift):
    """Galileo's and Einstein's invariance: relative to the table the ball is dropped at rest under g + A."""
    numbers = {"V": speed, "A": lift, "e": 0.5}
    result = on_a_lift().simulate((0, 50), [1.0, speed], numbers, **TIGHT)
    times = bouncing_ball_times(1.0, GRAVITY + lift, 0.5, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-10)
    t_inf = bouncing_ball_accumulation(1.0, GRAVITY + lift, 0.5)
    ((_, found, error),) = accumulations(result)
    assert abs(found - t_inf) <= min(1e-10, error)
    assert (result.status, result.path) == (Status.FINISHED, ("free", "bounce")), "held by the table, and moving"
    carried = result.t > result.events.t[-1]
    np.testing.assert_allclose(forces(result)[0, carried], GRAVITY + lift, rtol=1e-12)
    loss = 0.75 * (GRAVITY + lift)  # (1 - e^2) m gamma^2/2, without the work of the table
    assert result.events[0].energy == pytest.approx(-loss, rel=1e-11)


def test_a_table_that_falls_faster_than_the_ball_is_never_met():
    result = on_a_lift().simulate((0, 10), [0.0, 0.0], {"V": 0.0, "A": -12.0})
    assert result.status is Status.FINISHED
    assert len(result.events) == 0
    assert result(10.0)[0] == pytest.approx(-GRAVITY * 50, rel=1e-12)


def test_a_ball_at_rest_on_a_rising_table_is_hit_at_once():
    result = on_a_lift().simulate((0, 0.1), [0.0, 0.0], {"V": 2.0, "A": 0.0, "e": 1.0})
    impact = result.events[0]
    assert impact.t == 0.0
    assert impact.x_plus.tolist() == pytest.approx([0.0, 4.0], rel=1e-14)
    assert impact.energy == pytest.approx(0, abs=1e-14), "the table works, the contact loses nothing"


@cache
def on_a_shaker() -> Case:
    return ball(AMPLITUDE * sm.sin(FREQUENCY * t))


def shaken_impacts(height: float, e: float, count: int) -> list[tuple[float, float, float]]:
    """(t, v-, v+) of a ball on the shaker: roots of parabola less sine, bracketed on a fine grid."""
    found, t0, y0, v0 = [], 0.0, height, 0.0
    grid = np.linspace(1e-6, 3, 300_001)
    for _ in range(count):

        def gap(s, t0=t0, y0=y0, v0=v0):
            return y0 + v0 * s - GRAVITY * s**2 / 2 - AMPLITUDE * np.sin(FREQUENCY * (t0 + s))

        k = int(np.argmax(gap(grid) <= 0))
        s = brentq(gap, grid[k - 1], grid[k], xtol=1e-15, rtol=1e-15)
        before, t0 = v0 - GRAVITY * s, t0 + s
        speed = AMPLITUDE * FREQUENCY * cos(FREQUENCY * t0)
        v0, y0 = speed - e * (before - speed), AMPLITUDE * sin(FREQUENCY * t0)
        found.append((t0, before, v0))
    return found


@pytest.mark.parametrize("e", [0.4, 0.7])
def test_a_shaken_table(e):
    """The flights are parabolas; where they meet the sine is found by bisection. Errors grow from hop to hop."""
    result = on_a_shaker().simulate((0, 4), [1.0, 0.0], {"e": e}, **TIGHT)
    exact = shaken_impacts(1.0, e, 4)
    for event, (time, before, after) in zip(result.events, exact, strict=False):
        assert event.t == pytest.approx(time, abs=1e-11)
        assert [event.x_minus[1], event.x_plus[1]] == pytest.approx([before, after], abs=1e-9)
    assert len(result.events) >= 4


@cache
def on_an_input() -> Case:
    return ball(dynamicsymbols("r"))


def test_a_table_moved_by_an_input_is_one_moved_by_an_expression():
    """As an expression, whose derivatives are taken, and as Python functions, which come with theirs."""
    r = dynamicsymbols("r")
    motion = AMPLITUDE * sm.sin(FREQUENCY * t)
    functions = {
        r: lambda time, x: AMPLITUDE * sin(FREQUENCY * time),
        r.diff(t): lambda time, x: AMPLITUDE * FREQUENCY * cos(FREQUENCY * time),
        r.diff(t, 2): lambda time, x: -AMPLITUDE * FREQUENCY**2 * sin(FREQUENCY * time),
    }
    model = on_an_input().model
    assert model.inputs == tuple(functions)
    written = on_a_shaker().simulate((0, 3), [1.0, 0.0], {"e": 0.7}, **TIGHT)
    assert len(written.events) >= 3
    for inputs in ({r: motion}, functions):
        parameters = on_an_input().parameters(e=0.7)
        result = model.simulate((0, 3), [1.0, 0.0], parameters, inputs=inputs, **TIGHT)
        np.testing.assert_allclose(result.events.t, written.events.t, rtol=0, atol=1e-11)
        np.testing.assert_allclose(result(np.linspace(0, 3, 50)), written(np.linspace(0, 3, 50)), atol=1e-9)


def test_a_python_motion_without_its_derivatives_is_refused():
    r = dynamicsymbols("r")
    with pytest.raises(ValueError, match=r"missing \['Derivative\(r\(t\), t\)', 'Derivative\(r\(t\), \(t, 2\)\)'\]"):
        on_an_input().model.simulate((0, 1), [1.0, 0.0], on_an_input().parameters(), inputs={r: lambda time, x: 0.0})


@cache
def on_a_shaken_floor() -> Case:
    A, w = sm.symbols("A w")
    return cube("quaternion", A * sm.sin(w * t))


@examples(
    4,
    12,
    turn=st.floats(0, pi),
    spin=st.tuples(*[st.floats(-6, 6)] * 3),
    e=st.sampled_from([0.0, 0.5, 0.9]),
    w=st.floats(1, 25),
)
def test_a_cube_on_a_shaken_floor_keeps_to_the_rules(turn, spin, e, w):
    """No closed form: `check_trajectory` is the truth, with the work of the moving floor taken off the energy."""
    attitude = np.array([cos(turn / 2), sin(turn / 2) / sqrt(2), sin(turn / 2) / sqrt(2), 0])
    start = [0, 0, 1.5, *attitude, 0, 0, -1, *spin]
    result = on_a_shaken_floor().simulate((0, 1.5), start, {"e": e, "w": w, "A": 0.1}, max_events=60)
    assert len(result.events) > 0
