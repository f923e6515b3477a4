"""The oracles of contacts that last: against numerical integration of Newton's equations, and conservation laws."""

from itertools import pairwise
from math import asin, cos, pi, sin

import numpy as np
import pytest
from mpmath import cos as mp_cos
from mpmath import sin as mp_sin
from oracles.jack import Jack
from oracles.shaken_ball import ShakenBall
from oracles.sliding import Bead, Rod
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

GRAVITY, LENGTH = 9.81, 2.0
TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}


def rod_forces(angle, rate, walls):
    """Newton and Euler for a rod of unit mass: x'', y'', theta'' and the forces at the floor and, in `walls`, the wall.

    The centre is (l/2 cos, l/2 sin) as far as ends touch; the angle is that above the horizontal.
    """
    half, c, s = LENGTH / 2, cos(angle), sin(angle)
    rows = [
        [1, 0, 0, 0, -1],  # m x'' = W
        [0, 1, 0, -1, 0],  # m y'' = F - m g
        [0, 0, LENGTH**2 / 12, half * c, -half * s],  # the floor turns the rod down, the wall up
        [0, 1, -half * c, 0, 0],  # y = l/2 sin
        [1, 0, half * s, 0, 0] if walls else [0, 0, 0, 0, 1],  # x = l/2 cos, or no wall
    ]
    return np.linalg.solve(rows, [0, -GRAVITY, 0, -half * s * rate**2, -half * c * rate**2 if walls else 0])


def turning(walls):
    return lambda t, x: [x[1], rod_forces(*x, walls)[2]]


@pytest.mark.parametrize("rate", [0.0, 0.4])
def test_rod_leaves_the_wall_where_newton_says(rate):
    rod = Rod(LENGTH, GRAVITY, 1.2, rate)
    force = lambda t, x: rod_forces(*x, True)[4]  # noqa: E731
    force.terminal = True
    on_wall = solve_ivp(turning(True), (0, 2), [1.2, -rate], events=force, **TIGHT)
    (time,), (angle, slope) = on_wall.t_events[0], on_wall.y_events[0][0]
    assert time == pytest.approx(float(rod.leaving_time), abs=1e-11)
    assert angle == pytest.approx(float(rod.leaving_angle), abs=1e-11)
    assert -slope == pytest.approx(float(rod.falling(angle)), abs=1e-11)
    assert rod_forces(angle, slope, True)[3] == pytest.approx(float(rod.floor_force(angle)), abs=1e-10)

    down = lambda t, x: x[0]  # noqa: E731
    down.terminal = True
    on_floor = solve_ivp(turning(False), (time, 3), [angle, slope], events=down, **TIGHT)
    assert on_floor.t_events[0] == pytest.approx(float(rod.landing_time), abs=1e-11)
    assert -on_floor.y_events[0][0, 1] == pytest.approx(float(rod.falling_free(0.0)), abs=1e-10)
    assert min(rod_forces(*x, False)[3] for x in on_floor.y.T) > 0, "the lower end stays on the floor"


def test_rod_from_rest_leaves_at_two_thirds_of_the_height_and_a_quarter_of_the_weight():
    rod = Rod(LENGTH, GRAVITY, 1.2)
    assert float(mp_sin(rod.leaving_angle)) == pytest.approx(2 / 3 * sin(1.2), rel=1e-15)
    assert float(rod.floor_force(rod.leaving_angle)) == pytest.approx(GRAVITY / 4, rel=1e-14)
    assert float(rod.leaving_time) == pytest.approx(0.576585243846130, abs=1e-14)


@pytest.mark.parametrize("speed", [0.0, 0.7])
def test_bead_leaves_and_lands_where_newton_says(speed):
    bead = Bead(1.5, GRAVITY, 0.2, speed)
    push = lambda t, x: GRAVITY * cos(x[0]) - 1.5 * x[1] ** 2  # noqa: E731
    push.terminal = True
    slide = solve_ivp(lambda t, x: [x[1], GRAVITY / 1.5 * sin(x[0])], (0, 3), [0.2, speed / 1.5], events=push, **TIGHT)
    (time,), (angle, rate) = slide.t_events[0], slide.y_events[0][0]
    assert time == pytest.approx(float(bead.leaving_time), abs=1e-11)
    assert angle == pytest.approx(float(bead.leaving_angle), abs=1e-11)
    assert 1.5 * rate == pytest.approx(float(bead.leaving_speed), abs=1e-11)
    landing, place = map(float, bead.landing)
    flight = landing - time
    assert 1.5 * cos(angle) - 1.5 * rate * sin(angle) * flight - GRAVITY / 2 * flight**2 == pytest.approx(0, abs=1e-10)
    assert place > 1.5, "beside the hill"
    if speed == 0:
        assert float(mp_cos(bead.leaving_angle)) == pytest.approx(2 / 3 * cos(0.2), rel=1e-15)


def shaken(strength, restitution, frequency=5.0):
    omega = 2 * pi * frequency
    return ShakenBall(strength * GRAVITY / omega**2, omega, GRAVITY, restitution)


def test_shaken_ball_without_rebound_flies_once_a_period():
    """Leaves at the phase asin(1/strength) and lands where parabola and sine meet, by bisection."""
    ball = shaken(1.5, 0.0)
    opened, closed, again = ball.run(3, bounces=False)
    t0, A, w = asin(1 / 1.5) / ball.omega, ball.amplitude, ball.omega
    assert [part.kind for part in (opened, closed, again)] == ["open", "close", "open"]
    assert float(opened.t) == pytest.approx(t0, rel=1e-14)
    assert float(again.t - opened.t) == pytest.approx(0.2, rel=1e-14)

    def gap(t):
        s = t - t0
        return A * sin(w * t0) + A * w * cos(w * t0) * s - GRAVITY * s**2 / 2 - A * sin(w * t)

    assert float(closed.t) == pytest.approx(brentq(gap, t0 + 0.05, t0 + 0.19, xtol=1e-15), abs=1e-13)


@pytest.mark.parametrize(("strength", "restitution"), [(1.5, 0.5), (3.0, 0.5), (4.5, 0.8)])
def test_shaken_ball_obeys_newtons_law_and_stays_above(strength, restitution):
    ball = shaken(strength, restitution)
    happenings = ball.run(30)
    for now, then in pairwise(happenings):
        if then.kind != "impact":
            continue
        start, end = float(now.t), float(then.t)
        s = np.linspace(0, end - start, 500)
        height = ball.amplitude * sin(ball.omega * start) + float(now.after) * s - GRAVITY * s**2 / 2
        assert (height - ball.amplitude * np.sin(ball.omega * (start + s))).min() > -1e-14
        table = ball.amplitude * ball.omega * cos(ball.omega * end)
        assert float(then.after) - table == pytest.approx(restitution * (table - float(then.before)), abs=1e-12)


def test_jack_keeps_its_energy_in_a_box_that_rests():
    jack = Jack(1.0, 1.0, GRAVITY, 1.0, 2.0, 0.0, 1.0, 0.0, 1.0)
    start = np.array([0.1, 0.2, 0.3, 1, 2, 3])
    found = jack.impacts(start, 12)
    mass = np.array([1, 1, 1 / 12])
    kinetic = [[u @ (mass * u) / 2 for u in (before, after)] for *_, before, after in found]
    assert np.ptp(kinetic, axis=1) == pytest.approx(0, abs=1e-12)
    energy = (mass * start[3:] ** 2).sum() / 2 + GRAVITY * start[1]
    y, v, t = start[1], start[4], 0.0
    for (time, *_, after), (fall, _) in zip(found, kinetic, strict=True):
        s, t = time - t, time
        y += v * s - GRAVITY * s**2 / 2
        v = after[1]
        assert fall + GRAVITY * y == pytest.approx(energy, abs=1e-11)
