"""A wheel that rolls against a kerb: of the solutions with large friction that in which the road is left."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane, Sphere
from sympact.contact import Energetic, Newton, Plastic, Poisson, Sequential, Simultaneous, solve_impact
from sympact.contact.solver_calls import solve_cone_problem

MASS, RADIUS, STEP = 10.0, 0.3, 0.1
ROLLS_ON = 1 - 2 * STEP / (3 * RADIUS)
"""omega+ / omega- of a disc, by its angular momentum about the corner: (1/2 + (R - h)/R) / (3/2)."""


def wheel(speed: float, mu: float, turn: float = 0.0, scale: float = 1.0, noise=(0.0, 0.0), swap: bool = False):
    """The impact of a disc on road and kerb for `solve_impact`; `noise`: of rate and slip of the road (m/s)."""
    radius = scale * RADIUS
    mass = np.diag([MASS, MASS, MASS * radius**2 / 2])
    low = (STEP - RADIUS) / RADIUS
    places = np.array([(0.0, -1.0), (np.sqrt(1 - low**2), low)])[:: -1 if swap else 1]  # from the centre, in radii
    c, s = np.cos(turn), np.sin(turn)
    places = places @ np.array([[c, s], [-s, c]])
    across = np.stack([-places[:, 1], places[:, 0]], axis=1)
    normals = np.column_stack([-places, np.zeros(2)])
    tangents = np.zeros((2, 2, 3))
    tangents[:, 0] = np.column_stack([across, np.full(2, radius)])
    u = np.array([speed * c, speed * s, -speed / radius])
    rates = normals @ u
    rates[np.abs(rates) < 1e-9] = noise[0]
    slips = tangents @ u
    slips[np.abs(slips) < 1e-9] = 0.0
    slips[1 if swap else 0, 0] = noise[1]
    given = {"tangent_jacobian": tangents, "slip_minus": slips, "friction": mu}
    return (mass, normals, rates, 0.0), given, u


@pytest.mark.parametrize("mu", [0.5, 2.0, 3.0, 5.0, 10.0, 50.0, 1e3, np.inf])
@pytest.mark.parametrize("law", [Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic()])
@pytest.mark.parametrize("resolution", [Simultaneous(), Sequential()])
def test_a_wheel_rolls_onto_a_kerb_whatever_its_friction(mu, law, resolution):
    for speed, turn, scale in ((2.0, 0.0, 1.0), (2.7, 0.0, 1e3), (2.2, 1.0, 1e-3), (2.0, 2.5, 1.0)):
        for noise in ((0.0, 0.0), (-1e-17, 2e-16), (1e-17, -2e-16), (0.0, -2e-16)):
            for swap in (False, True):
                problem, given, u = wheel(speed, mu, turn, scale, noise, swap)
                found = solve_impact(*problem, **given, law=law, resolution=resolution)
                after = u + found.speed_change
                assert after[2] == pytest.approx(ROLLS_ON * u[2], rel=1e-9)
                assert found.impulses[1 if swap else 0] == 0.0


@pytest.mark.parametrize("speed", [2.0, 2.2, 2.7])
def test_a_wheel_in_motion_rolls_onto_a_kerb(speed):
    model, start, spin = rolling()
    result = model.simulate((0, 0.5), {**start, list(start)[3]: speed, spin: -speed / RADIUS}, {})
    hit = next(event for event in result.events if "kerb" in event.contacts)
    place = model.x.index(spin)
    assert hit.x_plus[place] == pytest.approx(ROLLS_ON * hit.x_minus[place], rel=1e-9)
    assert hit.contacts == ("kerb",) or hit.impulse[hit.contacts.index("road")] == 0.0


@cache
def rolling():
    """A disc on a road before a kerb, its start, and its spin."""
    x, y, turn, u, v, spin = dynamicsymbols("x y turn u v spin")
    N, O = ReferenceFrame("N"), Point("O")
    B, C = N.orientnew("B", "Axis", [turn, N.z]), O.locatenew("C", x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("disc", C, B, MASS, (inertia(B, 0, 0, MASS * RADIUS**2 / 2), C)))
    system.add_coordinates(x, y, turn)
    system.add_speeds(u, v, spin)
    system.add_kdes(u - x.diff(), v - y.diff(), spin - turn.diff())
    system.apply_uniform_gravity(sm.Float(-9.81) * N.y)
    rim = Sphere(C, RADIUS, frame=B)
    contacts = [
        Contact(rim, Plane(O, N.y), restitution=0, friction=5, name="road"),
        Contact(O.locatenew("K", STEP * N.y), rim, restitution=0, friction=5, name="kerb"),
    ]
    return HybridModel(system, contacts), {x: -0.8, y: RADIUS, turn: 0, u: 0, v: 0, spin: 0}, spin


def test_the_solution_without_needless_impulses_is_counted():
    """By rounding of the road's slip Newton's method from zero impulses comes to the solution that locks."""
    (mass, normals, rates, _), given, _ = wheel(2.0, 5.0, noise=(0.0, -2e-16))
    rows = np.concatenate([normals[:, np.newaxis], given["tangent_jacobian"]], axis=1).reshape(6, 3)
    before = np.column_stack([rates, given["slip_minus"]]).ravel()
    found = solve_cone_problem(rows @ np.linalg.solve(mass, rows.T), before, [5.0, 5.0])
    assert found.impulse[:3].tolist() == [0.0, 0.0, 0.0]
    assert found.counts["unloaded"] == 1
