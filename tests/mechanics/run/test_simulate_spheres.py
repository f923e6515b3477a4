"""Particles that hit spheres and circles, from outside and inside, at rest and moving."""

from __future__ import annotations

from functools import cache
from math import asin, cos, sin, sqrt

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, contact, t
from hypothesis import strategies as st
from quick_members import examples
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import HybridModel, Sphere, Status


@cache
def particle(inside: bool, moving: bool = False) -> Case:
    """A particle in the plane, state [x, y, vx, vy], and a circle of radius R whose centre may move with speed V."""
    m, g, R, V = sm.symbols("m g R V")
    (x, y), u = dynamicsymbols("x y"), dynamicsymbols("vx vy")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("particle", P, m))
    system.add_coordinates(x, y)
    system.add_speeds(*u)
    system.add_kdes(u[0] - x.diff(t), u[1] - y.diff(t))
    system.apply_uniform_gravity(-g * N.y)
    center = O.locatenew("M", V * t * N.x) if moving else O
    numbers = {"m": 1.0, "g": 0.0, "e": 1.0, "R": 1.0, "V": 0.0}
    return Case(HybridModel(system, [contact(P, Sphere(center, R, inside=inside), "circle")]), numbers)


def test_a_circular_billiard_makes_equal_chords():
    """Chords that meet the radius at the angle alpha are 2 R cos(alpha) long."""
    speed = 2.0
    start = [0.5, 0.0, -speed * cos(0.3), speed * sin(0.3)]
    result = particle(True).simulate((0, 30), start, **TIGHT)
    arm = 0.5 * sin(0.3)  # the distance of every chord from the centre, which angular momentum keeps
    alpha = asin(arm)
    first = (0.5 * cos(0.3) + sqrt(1 - arm**2)) / speed
    exact = first + 2 * cos(alpha) / speed * np.arange(len(result.events))
    assert len(result.events) > 25
    np.testing.assert_allclose(result.events.t, exact, rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["x"] * result["vy"] - result["y"] * result["vx"], arm * speed, atol=1e-12)
    np.testing.assert_allclose(result.kinetic_energy, speed**2 / 2, rtol=1e-12)


@examples(33, 100, b=st.floats(-1.2, 1.2), e=st.sampled_from([0.0, 0.3, 0.8, 1.0]))
def test_scattering_off_a_circle(b, e):
    """A beam at the distance b from the centre is turned at R by the normal; beyond R it passes."""
    result = particle(False).simulate((0, 5), [-3.0, b, 1.0, 0.0], {"e": e}, **TIGHT)
    if abs(b) > 1:
        assert len(result.events) == 0
    elif abs(b) < 1 - 1e-9:
        impact = result.events[0]
        normal = np.array([-sqrt(1 - b**2), b])
        assert impact.t == pytest.approx(3 - sqrt(1 - b**2), abs=1e-11 / max(1e-6, sqrt(1 - b**2)))
        before = np.array([1.0, 0.0])
        after = before - (1 + e) * (normal @ before) * normal
        np.testing.assert_allclose(impact.x_plus[2:], after, rtol=0, atol=1e-6)


def test_a_ball_dropped_on_a_ball():
    """Dropped on the top it comes back to the top: the fall of the height above R."""
    result = particle(False).simulate((0, 3), [0.0, 2.0, 0.0, 0.0], {"g": 9.8, "e": 0.9}, **TIGHT)
    fall = sqrt(2 / 9.8)
    np.testing.assert_allclose(result.events.t[:3], fall * np.array([1, 2.8, 4.42]), rtol=0, atol=1e-11)
    assert result.status is Status.FINISHED


def test_a_moving_drum_is_a_fixed_one_seen_from_it():
    """Galileo: the same impacts, with the speed of the drum on top."""
    start, V = np.array([0.3, -0.1, 0.7, 1.1]), 1.7
    fixed = particle(True).simulate((0, 10), start, {"e": 0.8}, **TIGHT)
    moving = particle(True, True).simulate((0, 10), start + V * np.eye(4)[2], {"e": 0.8, "V": V}, **TIGHT)
    np.testing.assert_allclose(moving.events.t, fixed.events.t, rtol=0, atol=1e-10)
    times = np.linspace(0, 10, 50)
    drift = np.outer([V, 0, 0, 0], times) + np.array([[0], [0], [V], [0]])
    np.testing.assert_allclose(moving(times) - drift, fixed(times), rtol=0, atol=1e-8)
    assert moving.events[0].energy == pytest.approx(fixed.events[0].energy, abs=1e-12)


def test_a_bowl_without_a_fall_keeps_a_ball_at_its_height():
    """Straight up and down in a bowl: a ball under gravity between the two poles never leaves the line."""
    result = particle(True).simulate((0, 4), [0.0, -0.5, 0.0, 0.0], {"g": 9.8, "e": 1.0}, **TIGHT)
    rebound = 2 * sqrt(2 * 0.5 / 9.8)
    np.testing.assert_allclose(
        result.events.t, rebound / 2 + rebound * np.arange(len(result.events)), rtol=0, atol=1e-10
    )
    np.testing.assert_array_equal(result["x"], 0.0)


def test_a_chord_ends_on_the_circle():
    """A straight line at the height 0.6 meets the unit circle at (0.8, 0.6)."""
    result = particle(True).simulate((0, 2), [0.0, 0.6, 1.0, 0.0], **TIGHT)
    assert result.events[0].t == pytest.approx(0.8, abs=1e-14)
    np.testing.assert_allclose(result.events[0].x_minus[:2], [0.8, 0.6], rtol=0, atol=1e-14)
