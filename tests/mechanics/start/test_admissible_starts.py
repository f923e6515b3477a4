"""Starts are projected onto constraints without passing below surfaces: closest admissible places in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given, settings
from hypothesis import strategies as st

from sympact import Contact, HybridModel, Plane, SympactWarning
from sympact.mechanics.start.admissible_place import admissible_place

G, HEIGHT, WALL = sm.symbols("g h w")


@pytest.fixture(scope="module")
def bead() -> tuple:
    """A bead on a ring of radius 2, above a floor at -h and left of a wall at w."""
    x, y, u, v = me.dynamicsymbols("x y u v")
    system = me.System.from_newtonian(me.RigidBody("ground"))
    frame, origin = system.frame, system.fixed_point
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    point.set_vel(frame, u * frame.x + v * frame.y)
    system.add_bodies(me.Particle("bead", point, 1.0))
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(x.diff() - u, y.diff() - v)
    system.apply_uniform_gravity(-G * frame.y)
    floor = Plane(origin.locatenew("F", -HEIGHT * frame.y), frame.y)
    wall = Plane(origin.locatenew("W", WALL * frame.x), -frame.x)
    contacts = [
        Contact(point, floor, restitution=0, friction=0, name="floor"),
        Contact(point, wall, restitution=0, friction=0, name="wall"),
    ]
    return HybridModel(system, contacts, constraints=[x**2 + y**2 - 4], length=1), (x, y, u, v)


def numbers(height: float, wall: float = 3.0) -> dict:
    """Of the bead."""
    return {G: 9.8, HEIGHT: height, WALL: wall}


def closest(x: float, y: float, height: float, wall: float) -> np.ndarray:
    """The point of the arc that is allowed, at or above the floor and left of the wall, that is closest to one."""
    ends = [(sign * math.sqrt(4 - height**2), -height) for sign in (-1, 1)]
    ends += [(wall, sign * math.sqrt(4 - wall**2)) for sign in (-1, 1)] if wall < 2 else []
    radius = math.hypot(x, y)
    places = [(2 * x / radius, 2 * y / radius), *ends]
    allowed = [place for place in places if place[1] >= -height - 1e-12 and place[0] <= wall + 1e-12]
    return np.array(min(allowed, key=lambda place: math.dist(place, (x, y))))


@given(st.floats(-3.0, 3.0), st.floats(-1.9, -0.5), st.sampled_from([0.3, 0.8, 1.2]), st.sampled_from([1.5, 3.0]))
@settings(max_examples=25, deadline=None)
def test_an_assembly_is_the_closest_place_above_the_floor(bead, x, y, height, wall):
    wanted = closest(x, y, height, wall)
    if abs(x) < 0.2 or (wall < 2 and math.sqrt(4 - height**2) > wall and x > 0):
        return  # both ways are as far, or the ends of the floor lie behind the wall
    model, states = bead
    found = model.assemble(dict(zip(states, [x, y, 0.0, 0.0], strict=True)), numbers(height, wall))
    np.testing.assert_allclose(found.x[:2], wanted, rtol=0, atol=1e-9)


def test_where_no_surface_is_passed_nothing_changes(bead):
    """The place is that of the constraints alone."""
    model, states = bead
    found = model.assemble(dict(zip(states, [1.2, -0.9, 0.0, 0.0], strict=True)), numbers(1.9))
    np.testing.assert_allclose(found.x[:2], [1.6, -1.2], rtol=0, atol=1e-12)


def test_a_surface_that_would_pull_is_left_again():
    """From the origin to x >= 1, x + y >= 4, in the plane z = 0: the first, deeper gap touches on the way alone."""

    def plane(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.array([q[2]]), np.array([[0.0, 0.0, 1.0]])

    def gaps(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.array([q[0] - 1.0, 0.1 * (q[0] + q[1] - 4.0)]), np.array([[1.0, 0.0, 0.0], [0.1, 0.1, 0.0]])

    free = np.ones(3, dtype=bool)
    place, touching = admissible_place(plane, gaps, 0.0, np.zeros(3), np.eye(3), free, np.ones(3), 1.0)
    assert place.found
    assert touching == (1,)
    np.testing.assert_allclose(place.place, [2.0, 2.0, 0.0], rtol=0, atol=1e-12)


def test_a_run_starts_on_the_floor_where_a_projection_would_pass_it(bead):
    model, states = bead
    given = dict(zip(states, [1.8, -1.0, 0.0, 0.0], strict=True))  # the ring alone would lead to y = -0.971
    with pytest.warns(SympactWarning, match="projected onto the constraints"):
        run = model.simulate((0, 0.1), given, numbers(0.95))
    np.testing.assert_allclose(run.x[:2, 0], [math.sqrt(4 - 0.95**2), -0.95], rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.x[:2, -1], run.x[:2, 0], rtol=0, atol=1e-9)
    assert run.path[-1] != "free"


def test_a_contact_that_hinders_is_named(bead):
    """A floor above the ring; and a start on the ring that is below the floor is refused as it is."""
    model, states = bead
    with pytest.raises(ValueError, match=r"no state near the given one.*the gap of the contact 'floor' by"):
        model.assemble(dict(zip(states, [0.1, 1.9, 0.0, 0.0], strict=True)), numbers(-2.5))
    below = dict(zip(states, [1.2, -1.6, 0.0, 0.0], strict=True))
    with pytest.raises(ValueError, match=r"the contact 'floor' starts 0\.6 m below"):
        model.simulate((0, 0.1), below, numbers(1.0))
    found = model.assemble(below, numbers(1.0))
    np.testing.assert_allclose(found.x[:2], [math.sqrt(3.0), -1.0], rtol=0, atol=1e-12)
