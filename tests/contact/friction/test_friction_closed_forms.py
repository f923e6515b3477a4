"""Friction against closed forms: sliding, sticking, reversal, slopes and belts, of a particle and of a block."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sympy import cos, sin, symbols
from sympy.physics.mechanics import (
    Force,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import checked_run

from sympact import Contact, HybridModel, Plane

GRAVITY = 9.81


class Slider:
    """A particle on a belt that slopes by alpha and moves with v_b along x; a spring pulls it to x = 0."""

    def __init__(self) -> None:
        m, g, mu, mu_s, k, v_b, alpha = self.letters = symbols("m g mu mu_s k v_b alpha", positive=True)
        x, z, v_x, v_z = self.x = dynamicsymbols("x z v_x v_z")
        N, O = ReferenceFrame("N"), Point("O")
        body = Particle("body", O.locatenew("P", x * N.x + z * N.z), m)
        system = System(N, O)
        system.add_bodies(body)
        system.add_coordinates(x, z)
        system.add_speeds(v_x, v_z)
        system.add_kdes(v_x - x.diff(), v_z - z.diff())
        weight = -m * g * (cos(alpha) * N.z + sin(alpha) * N.x)
        system.add_loads(Force(body.masscenter, weight - k * x * N.x))
        belt = Plane(O.locatenew("Q", v_b * dynamicsymbols._t * N.x), N.z)
        contact = Contact(body.masscenter, belt, restitution=0, friction=mu, static_friction=mu_s, name="P")
        self.model = HybridModel(system, [contact])

    def run(self, span, x=0.0, v=0.0, mu=0.3, mu_s=None, k=0.0, v_b=0.0, alpha=0.0, **settings):
        numbers = (1.0, GRAVITY, mu, mu if mu_s is None else mu_s, k, v_b, alpha)
        start = dict(zip(self.x, (x, 0.0, v, 0.0), strict=True))
        settings = {"rtol": 1e-12, "atol": 1e-14} | settings
        return checked_run(self.model, (0, span), start, dict(zip(self.letters, numbers, strict=True)), **settings)


@cache
def slider() -> Slider:
    return Slider()


def test_a_particle_slides_to_rest():
    result = slider().run(3.0, v=2.0)
    assert [event.kind for event in result.events] == ["close", "stick"]
    assert abs(result.events[1].t - 2 / (0.3 * GRAVITY)) < 1e-12
    assert abs(result[slider().x[0]][-1] - 2**2 / (2 * 0.3 * GRAVITY)) < 1e-12
    assert result.path[-1] == "P sticks (at rest)"
    assert not result.x[2:, -1].any()


def test_friction_does_the_work_that_the_body_loses():
    result = slider().run(3.0, v=2.0)
    assert result.kinetic_energy[-1] == 0.0
    sliding = result.t < result.events[1].t - 1e-9
    sliding[0] = False  # the sample before the contact is closed
    assert np.allclose(result.normal_force[0, sliding], GRAVITY, rtol=1e-12)
    assert np.allclose(result.friction_force[0, :, sliding], [-0.3 * GRAVITY, 0, 0], rtol=1e-12)


def test_coulomb_decay_loses_the_same_amplitude_in_each_half_cycle():
    """From x_0 the turning points are -(x_0 - 2 d), x_0 - 4 d, ... with d = mu m g / k, half a period apart."""
    k, mu, x = 10.0, 0.1, 1.0
    d, places = mu * GRAVITY / k, []
    while abs(x) > d:
        x = -(x - 2 * d * np.sign(x))
        places.append(x)
    result = slider().run(30.0, x=1.0, k=k, mu=mu)
    turns = result.events[1:]
    assert [event.kind for event in turns] == ["slip"] * (len(places) - 1) + ["stick"]
    assert np.allclose([event.t for event in turns], np.pi / np.sqrt(k) * np.arange(1, len(places) + 1), atol=1e-10)
    assert np.allclose([event.x_plus[0] for event in turns], places, atol=1e-10)


@pytest.mark.parametrize("excess", [1e-3, 1e-6, 1e-8])
def test_sliding_on_a_slope_begins_where_its_tangent_is_mu(excess):
    mu, span = 0.3, 2.0
    steep, flat = (slider().run(span, alpha=np.arctan(mu * (1 + s))) for s in (excess, -excess))
    assert flat.path[-1] == "P sticks (at rest)"
    assert not flat.x[2:].any()
    alpha = np.arctan(mu * (1 + excess))
    fallen = -GRAVITY * (np.sin(alpha) - mu * np.cos(alpha)) * span
    assert steep.path[-1] == "P slips"
    assert abs(steep.x[2, -1] - fallen) < 1e-12


def test_static_friction_holds_more_than_friction_that_slips():
    alpha = np.arctan(0.4)
    assert slider().run(1.0, alpha=alpha, mu=0.3, mu_s=0.45).path[-1] == "P sticks (at rest)"
    slides = slider().run(1.0, alpha=alpha, mu=0.3, mu_s=0.35)
    assert abs(slides.x[2, -1] + GRAVITY * (np.sin(alpha) - 0.3 * np.cos(alpha))) < 1e-12


def test_a_belt_takes_a_body_along():
    """At rest on a belt of speed v: it slips for v / (mu g), then moves with the belt."""
    result = slider().run(2.0, v_b=1.5)
    stick = next(event for event in result.events if event.kind == "stick")
    assert abs(stick.t - 1.5 / (0.3 * GRAVITY)) < 1e-10
    after = result.t > stick.t
    assert np.abs(result.x[2, after] - 1.5).max() < 1e-12


def test_stick_slip_of_a_mass_on_a_spring_on_a_belt():
    """It sticks until k x = mu_s m g, then swings about mu m g / k until it moves as fast as the belt again."""
    k, mu, mu_s, v = 20.0, 0.2, 0.4, 0.3
    w = np.sqrt(k)
    held, middle = mu_s * GRAVITY / k, mu * GRAVITY / k
    # x - middle = A cos(w t) + (v / w) sin(w t) with A = held - middle; the speed is v again after the time below
    slipping = (2 * np.pi - 2 * np.arctan2((held - middle) * w, v)) / w
    sticking = 2 * (held - middle) / v
    result = slider().run(20.0, v=v, v_b=v, k=k, mu=mu, mu_s=mu_s, x=0.0)
    slips = [event.t for event in result.events if event.kind == "slip"]
    sticks = [event.t for event in result.events if event.kind == "stick"]
    assert len(slips) > 5
    assert abs(slips[0] - held / v) < 1e-9
    sticks = [t for t in sticks if t > slips[0]]
    pairs = list(zip(slips, sticks, strict=False))
    assert np.allclose([b - a for a, b in pairs], slipping, atol=1e-9)
    assert np.allclose([a - b for (_, b), a in zip(pairs, slips[1:], strict=False)], sticking, atol=1e-9)


class Block:
    """A planar block with two corners on a floor, which may slide and tip."""

    def __init__(self) -> None:
        m, g, a, h, mu, e = self.letters = symbols("m g a h mu e", positive=True)
        x, z, theta, v_x, v_z, omega = self.x = dynamicsymbols("x z theta v_x v_z omega")
        N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
        B.orient_axis(N, theta, N.y)
        B.set_ang_vel(N, omega * N.y)
        C.set_pos(O, x * N.x + z * N.z)
        block = RigidBody("block", C, B, m, (inertia(B, 0, m * (a**2 + h**2) / 12, 0), C))
        corners = [C.locatenew(name, s * a / 2 * B.x - h / 2 * B.z) for name, s in (("left", -1), ("right", 1))]
        system = System(N, O)
        system.add_bodies(block)
        system.add_coordinates(x, z, theta)
        system.add_speeds(v_x, v_z, omega)
        system.add_kdes(v_x - x.diff(), v_z - z.diff(), omega - theta.diff())
        system.apply_uniform_gravity(-g * N.z)
        floor = Plane(O, N.z)
        contacts = [Contact(P, floor, restitution=e, friction=mu, name=P.name) for P in corners]
        self.model = HybridModel(system, contacts)

    def run(self, span, start, a=1.0, h=1.0, mu=0.3, e=0.0, **settings):
        numbers = dict(zip(self.letters, (1.0, GRAVITY, a, h, mu, e), strict=True))
        settings = {"rtol": 1e-12, "atol": 1e-14} | settings
        return checked_run(self.model, (0, span), dict(zip(self.x, start, strict=True)), numbers, **settings)


@cache
def block() -> Block:
    return Block()


def test_a_block_slides_to_rest_and_its_front_bears_more():
    """The friction's moment mu m g h/2 is balanced by the corners' forces, N_right - N_left = mu m g h / a."""
    result = block().run(3.0, (0, 0.5, 0, 2, 0, 0))
    assert abs(result.events[-1].t - 2 / (0.3 * GRAVITY)) < 1e-10
    assert abs(result.x[0, -1] - 2**2 / (2 * 0.3 * GRAVITY)) < 1e-10
    assert result.path[-1] == "left sticks, right sticks (at rest)"
    sliding = (result.t > 0) & (result.t < result.events[-1].t - 1e-9)
    left, right = result.normal_force[:, sliding]
    assert np.allclose(left + right, GRAVITY, rtol=1e-10)
    assert np.allclose(right - left, 0.3 * GRAVITY, rtol=1e-10)


def test_a_tall_block_tips_over_its_front_edge_while_it_slides():
    """With mu h > a the rear corner lifts at once."""
    result = block().run(0.05, (0, 1.0, 0, 2, 0, 0), a=0.5, h=2.0)
    assert result.path[-1] == "right slips"
    assert result.x[2, -1] > 0


@pytest.mark.parametrize("slenderness", [2.0, 3.0, 5.0])
def test_a_rocking_block_keeps_the_part_of_its_spin_that_housner_found(slenderness):
    """omega+ / omega- = 1 - 1.5 sin(alpha)^2 where tan(alpha) = a / h: the angular momentum about the new corner."""
    a, h, tilt = 1.0, slenderness, 0.05
    alpha = np.arctan(a / h)
    reach = 0.5 * np.hypot(a, h)
    start = np.array([reach * np.sin(tilt - alpha) + a / 2, reach * np.cos(tilt - alpha), tilt, 0, 0, 0])
    result = block().run(3.0, start, a=a, h=h, mu=2.0)
    impacts = [event for event in result.events if event.kind in ("impact", "accumulation")]
    ratios = [event.x_plus[5] / event.x_minus[5] for event in impacts[:4]]
    assert np.allclose(ratios, 1 - 1.5 * np.sin(alpha) ** 2, atol=1e-9)
