"""Balls with friction against closed forms: impacts that slip and that stick, sliding that becomes rolling, slopes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import checked_run

from sympact import Contact, HybridModel, Newton, Plane, Sphere

GRAVITY, RADIUS = 9.81, 0.1  # m/s^2, m


@cache
def ball(tangential: float = 0.0):
    """A solid ball in space above a floor; its speeds are those of its centre and its angular velocity in N.

    A ball looks the same however it is turned, so that no coordinates tell its attitude: its frame is oriented with N.
    """
    m, g, r, e, mu = letters = symbols("m g r e mu", positive=True)
    q = dynamicsymbols("x y z a b c")
    u = dynamicsymbols("v_x v_y v_z w_x w_y w_z")
    N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
    B.orient_axis(N, 0, N.x)
    B.set_ang_vel(N, u[3] * N.x + u[4] * N.y + u[5] * N.z)
    C.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    moment = 2 * m * r**2 / 5
    body = RigidBody("ball", C, B, m, (inertia(B, moment, moment, moment), C))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff() for speed, place in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    contact = Contact(Sphere(C, r, frame=B), Plane(O, N.z), restitution=e, friction=mu, name="ball")
    return HybridModel(system, [contact], impact=Newton(tangential=tangential)), (*q, *u), letters


def throw(span, velocity, spin, height=0.0, e=0.5, mu=0.3, tangential=0.0):
    """The ball leaves from a height above the floor (m)."""
    model, states, letters = ball(tangential)
    start = (0, 0, RADIUS + height, 0, 0, 0, *velocity, *spin)
    numbers = (1.0, GRAVITY, RADIUS, e, mu)
    x0, parameters = dict(zip(states, start, strict=True)), dict(zip(letters, numbers, strict=True))
    return checked_run(model, (0, span), x0, parameters, rtol=1e-12, atol=1e-14)


def slip_of(x: np.ndarray) -> np.ndarray:
    """The velocity of the ball's lowest point along the floor: v + omega x (-r z)."""
    return np.array([x[6] - RADIUS * x[10], x[7] + RADIUS * x[9]])


def test_an_impact_that_slips():
    """Friction mu (1 + e) m v_n acts against the slip all through the impact."""
    result = throw(1.0, (4.0, 1.0, -3.0), (0, 0, 20.0), height=0.2, mu=0.1)
    hit = result.events[0]
    before, after, fall = slip_of(hit.x_minus), slip_of(hit.x_plus), -hit.x_minus[8]
    direction = before / np.linalg.norm(before)
    push = -0.1 * 1.5 * fall * direction
    assert np.abs(hit.x_plus[6:8] - hit.x_minus[6:8] - push).max() < 1e-12
    assert abs(hit.x_plus[8] - 0.5 * fall) < 1e-12
    assert np.abs(hit.x_plus[9:11] - hit.x_minus[9:11] - 2.5 / RADIUS * np.array([push[1], -push[0]])).max() < 1e-10
    assert hit.x_plus[11] == hit.x_minus[11] == 20.0  # no spin is lost about the normal
    assert np.abs(after - before - 3.5 * push).max() < 1e-11


def test_an_impact_that_sticks():
    """The slip ends: v changes by 2/7 of it, and the spin with it."""
    result = throw(1.0, (0.5, -0.2, -3.0), (3.0, 8.0, 0), height=0.2, mu=0.9)
    hit = result.events[0]
    before = slip_of(hit.x_minus)
    assert np.abs(slip_of(hit.x_plus)).max() < 1e-12
    assert np.abs(hit.x_plus[6:8] - hit.x_minus[6:8] + 2 / 7 * before).max() < 1e-12


@pytest.mark.parametrize("tangential", [0.5, 0.8])
def test_a_superball_turns_its_slip_round(tangential):
    result = throw(1.0, (0.5, -0.2, -3.0), (3.0, 8.0, 0), height=0.2, mu=5.0, tangential=tangential)
    hit = result.events[0]
    assert np.abs(slip_of(hit.x_plus) + tangential * slip_of(hit.x_minus)).max() < 1e-11


@pytest.mark.parametrize("velocity", [(3.0, 0.0, 0.0), (2.0, -1.5, 0.0)])
def test_a_ball_slides_and_then_rolls_at_five_sevenths_of_its_speed(velocity):
    """After the time 2 v / (7 mu g), at 12 v^2 / (49 mu g); then it rolls on for ever."""
    speed = float(np.hypot(*velocity[:2]))
    result = throw(5.0, velocity, (0, 0, 0), e=0.0)
    stick = next(event for event in result.events if event.kind == "stick")
    assert abs(stick.t - 2 * speed / (7 * 0.3 * GRAVITY)) < 1e-9
    place = np.hypot(*stick.x_plus[:2])
    assert abs(place - 12 * speed**2 / (49 * 0.3 * GRAVITY)) < 1e-9
    assert np.abs(result.x[6:8, -1] - 5 / 7 * np.array(velocity[:2])).max() < 1e-9
    assert result.path[-1] == "ball sticks"


def test_a_ball_with_back_spin_comes_back():
    """Slip v + r w > 0 acts back: rolling at (5 v - 2 r w) / 7."""
    result = throw(5.0, (1.0, 0, 0), (0, -60.0, 0), e=0.0)
    assert abs(result.x[6, -1] - (5 * 1.0 - 2 * RADIUS * 60.0) / 7) < 1e-9
    assert result.x[6, -1] < 0
