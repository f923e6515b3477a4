"""The ready walker goes ten steps, in the gait that its equations have as a double pendulum about the standing foot."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin

import numpy as np
import pytest
from friction_runs import rubbing
from scipy.integrate import solve_ivp
from scipy.optimize import root

from sympact import Status
from sympact.models import compass_walker

HIP, LEG, LENGTH, G, SLOPE = 10.0, 5.0, 1.0, 9.81, radians(3)
"""Masses (kg), the length of a leg with its mass in the middle (m), weight (m/s^2) and slope of the reference."""

GOSWAMI = {"period": 0.734, "swing": -0.3234, "stance": 0.2187, "swing rate": -0.3772, "stance rate": -1.0918}
"""The stable gait for a slope of 3 degrees, just after a strike, angles from the vertical (rad, rad/s): A. Goswami,
B. Thuilot and B. Espiau, "A study of the passive gait of a compass-like biped robot: symmetry and chaos", International
Journal of Robotics Research 17(12), 1998, 1282-1301, as it is quoted in many papers on the control of this walker."""


@cache
def walk():
    ready = compass_walker()
    return ready, rubbing(ready, rtol=1e-10, atol=1e-12)


def strikes():
    return [event for event in walk()[1].events if event.kind == "impact"]


def stance_first(event, x: np.ndarray) -> np.ndarray:
    """Angles and rates of the leg that stands after a strike, then of the other one."""
    front = int(np.argmax(event.impulse))
    return np.array([x[2 + front], x[3 - front], x[6 + front], x[7 - front]])


# The double pendulum, by Lagrange's equations by hand; angles from the vertical, the standing leg first.


def flow(t: float, x: np.ndarray) -> np.ndarray:
    """Hip at l (-sin s, cos s) from the foot, the swinging mass at l/2 (sin w, -cos w) from the hip."""
    s, w, ds, dw = x
    half = LENGTH / 2
    mass = np.array(
        [
            [(HIP + LEG) * LENGTH**2 + LEG * half**2, -LEG * LENGTH * half * cos(s - w)],
            [-LEG * LENGTH * half * cos(s - w), LEG * half**2],
        ]
    )
    turning = LEG * LENGTH * half * sin(s - w) * np.array([dw**2, -(ds**2)])
    weight = G * np.array([((HIP + LEG) * LENGTH + LEG * half) * sin(s), -LEG * half * sin(w)])
    return np.array([ds, dw, *np.linalg.solve(mass, turning + weight)])


def place_and_velocity(x: np.ndarray) -> tuple[list, list]:
    """Of the hip, the mass of the standing leg and that of the other one, from the standing foot."""
    s, w, ds, dw = x
    hip, turn = LENGTH * np.array([-sin(s), cos(s)]), LENGTH * ds * np.array([-cos(s), -sin(s)])
    other = hip + LENGTH / 2 * np.array([sin(w), -cos(w)])
    return [hip, hip / 2, other], [turn, turn / 2, turn + LENGTH / 2 * dw * np.array([cos(w), sin(w)])]


def cross(a: np.ndarray, b: np.ndarray) -> float:
    """Of vectors in the plane."""
    return a[0] * b[1] - a[1] * b[0]


def momenta(x: np.ndarray, foot: np.ndarray, rear: int) -> np.ndarray:
    """Angular momenta of all about a foot, and of one leg's mass about the hip."""
    places, velocities = place_and_velocity(x)
    masses = (HIP, LEG, LEG)
    whole = sum(m * cross(r - foot, v) for m, r, v in zip(masses, places, velocities, strict=True))
    return np.array([whole, LEG * cross(places[rear] - places[0], velocities[rear])])


def after_strike(x: np.ndarray) -> np.ndarray:
    """The legs with their roles swapped: two angular momenta are the same before and after."""
    s, w, *_ = x
    front = place_and_velocity(x)[0][0] + LENGTH * np.array([sin(w), -cos(w)])
    kept = momenta(x, front, rear=1)
    columns = [momenta(np.array([w, s, *unit]), np.zeros(2), rear=2) for unit in np.eye(2)]
    return np.array([w, s, *np.linalg.solve(np.transpose(columns), kept)])


def step(x: np.ndarray) -> tuple[np.ndarray, float]:
    """The state after the next strike, which is where both feet are on the slope in front, and its time."""

    def height(t: float, y: np.ndarray) -> float:
        return cos(y[0] + SLOPE) - cos(y[1] + SLOPE) if y[1] + SLOPE > 0.15 and y[0] + SLOPE < 0 else 1.0

    height.terminal, height.direction = True, -1
    run = solve_ivp(flow, (0, 2), x, events=height, rtol=1e-10, atol=1e-12, max_step=0.05)
    return after_strike(run.y_events[0][0]), run.t_events[0][0]


@cache
def gait() -> tuple[np.ndarray, float]:
    """The fixed point of the step, from the quoted one."""
    quoted = np.array([GOSWAMI[name] for name in ("swing rate", "stance rate")])

    def state(z: np.ndarray) -> np.ndarray:
        return np.array([z[0] - SLOPE, -z[0] - SLOPE, z[2], z[1]])

    def miss(z: np.ndarray) -> np.ndarray:
        return (step(state(z))[0] - state(z))[[0, 2, 3]]

    found = root(miss, [GOSWAMI["stance"] + SLOPE, *quoted], tol=1e-10)
    assert found.success
    return state(found.x), step(state(found.x))[1]


def test_the_walker_goes_ten_steps_and_its_legs_swap_their_roles():
    _, result = walk()
    assert result.status is Status.FINISHED
    fronts = [event.contacts[int(np.argmax(event.impulse))] for event in strikes()]
    assert fronts == ["front foot", "rear foot"] * 5 + ["front foot"]
    assert all(min(event.impulse) == 0 and event.energy < 0 for event in strikes())
    advance = np.diff([event.x_minus[0] for event in strikes()])
    assert (advance > 0.5).all()


def test_the_gait_is_that_of_the_double_pendulum():
    """Each step leaves some half of the distance to the gait, so that fifty steps leave nothing of the start's 1e-3."""
    state, period = gait()
    long = walk()[0].with_numbers(t_span=(0, 38)).simulate(rtol=1e-11, atol=1e-13)
    impacts = long.events.impacts
    assert np.diff(impacts.t)[-3:] == pytest.approx(period, abs=1e-7)
    found = stance_first(impacts[-1], impacts[-1].x_plus) - [SLOPE, SLOPE, 0, 0]
    np.testing.assert_allclose(found, state, rtol=0, atol=1e-6)


def test_the_gait_is_that_of_the_literature():
    last = strikes()[-1]
    stance, swing, stance_rate, swing_rate = stance_first(last, last.x_plus) - [SLOPE, SLOPE, 0, 0]
    assert np.diff([event.t for event in strikes()])[-1] == pytest.approx(GOSWAMI["period"], abs=5e-4)
    assert stance - swing == pytest.approx(GOSWAMI["stance"] - GOSWAMI["swing"], abs=5e-4)
    found = [swing, stance, swing_rate, stance_rate]
    assert found == pytest.approx([GOSWAMI[name] for name in GOSWAMI if name != "period"], abs=2e-3)


def test_the_swinging_foot_is_ignored_only_where_it_scuffs():
    """Some millimetres below the ground while it passes the other one; the standing foot never lets go."""
    _, result = walk()
    t = np.linspace(strikes()[3].t, strikes()[4].t, 400)[1:-1]
    gaps = np.array([result(t)[1] - np.cos(result(t)[k]) for k in (2, 3)])
    assert -0.006 < gaps.min() < -0.001
    swing = int(np.argmax(gaps.max(axis=1)))
    assert np.abs(gaps[1 - swing]).max() < 1e-9
    below = np.flatnonzero(gaps[swing] < 0)
    assert np.abs(np.diff(result(t)[2:4], axis=0)[0][below]).max() < 0.25
