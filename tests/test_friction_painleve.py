"""Painleve's paradox: a rod that slides on one end, where friction presses it the more the more the floor pushes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane
from sympact.integrate.status import Status

GRAVITY, HALF = 9.81, 0.5  # m/s^2, half the length of a rod of 1 kg (m)


@cache
def rod(painleve: str):
    """The model, its states and its letters."""
    m, g, l, mu = letters = symbols("m g l mu", positive=True)
    x, z, theta, v_x, v_z, omega = states = dynamicsymbols("x z theta v_x v_z omega")
    N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
    B.orient_axis(N, theta, -N.y)  # theta above the horizontal, in the plane of x and z
    B.set_ang_vel(N, -omega * N.y)
    C.set_pos(O, x * N.x + z * N.z)
    body = RigidBody("rod", C, B, m, (inertia(B, 0, m * l**2 / 3, 0), C))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x, z, theta)
    system.add_speeds(v_x, v_z, omega)
    system.add_kdes(v_x - x.diff(), v_z - z.diff(), omega - theta.diff())
    system.apply_uniform_gravity(-g * N.z)
    tip = C.locatenew("tip", -l * B.x)
    contact = Contact(tip, Plane(O, N.z), restitution=0, friction=mu)
    return HybridModel(system, [contact], painleve=painleve), states, letters


def slide(painleve: str, theta: float, mu: float, speed: float, span: float = 0.05):
    """The rod leans by theta to the right of its tip and slides with `speed` along x."""
    model, states, letters = rod(painleve)
    start = (HALF * np.cos(theta), HALF * np.sin(theta), theta, speed, 0, 0)
    numbers = (1.0, GRAVITY, HALF, mu)
    return model.simulate((0, span), dict(zip(states, start, strict=True)), dict(zip(letters, numbers, strict=True)))


def inverse_mass(theta: float, mu: float, speed: float) -> float:
    """The acceleration of the gap by a unit of normal force with its friction (1/kg)."""
    arm = 3 * np.cos(theta) * (np.cos(theta) + mu * np.sign(speed) * np.sin(theta))
    return 1 + arm


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, -1.0), (1.0, 2.5, -3.0), (0.9, 1.6, -0.5)])
def test_where_no_force_holds_the_rod_the_run_says_so(theta, mu, speed):
    assert inverse_mass(theta, mu, speed) < 0
    result = slide("stop", theta, mu, speed)
    assert result.status is Status.PAINLEVE
    assert result.t[-1] == 0
    assert "Painleve" in result.status.value


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, 1.0), (np.pi / 4, 1.0, -1.0), (1.5, 2.0, -1.0)])
def test_elsewhere_the_rod_slides(theta, mu, speed):
    assert inverse_mass(theta, mu, speed) > 0
    result = slide("stop", theta, mu, speed, span=1e-3)
    assert result.status is Status.FINISHED
    assert result.path[-1] == "tip on O slips"
    force = result.force[0, 1]  # g'' = 0 with no spin yet: lambda = m g / (1 + 3 cos(theta) (cos(theta) + ...))
    assert abs(force - GRAVITY / inverse_mass(theta, mu, speed)) < 1e-9


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, -1.0), (1.0, 2.5, -3.0), (0.9, 1.6, -0.5)])
def test_an_impact_without_collision_stops_the_slip(theta, mu, speed):
    """The impulses are those that bring slip and gap rate to zero: Lambda = -(W^T M^-1 W)^-1 gamma."""
    result = slide("impact", theta, mu, speed, span=1e-3)
    strike = next(event for event in result.events if event.kind == "impact")
    assert strike.t == 0
    s, c = np.sin(theta), np.cos(theta)
    delassus = np.array([[1 + 3 * c * c, -3 * s * c], [-3 * s * c, 1 + 3 * s * s]])  # normal, along x
    normal, along = -np.linalg.solve(delassus, [0.0, speed])
    assert abs(strike.impulse[0] - normal) < 1e-8
    assert abs(strike.friction_impulse[0][0] - along) < 1e-8
    assert abs(along) < mu * normal
    assert strike.energy < 0
    lost = 0.5 * speed**2 / (delassus[1, 1] - delassus[0, 1] ** 2 / delassus[0, 0])
    assert abs(strike.energy + lost) < 1e-7
