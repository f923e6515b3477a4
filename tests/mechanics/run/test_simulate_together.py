"""Several contacts at once or nearly so: flat drops, corners of a room, colliding masses, gains and near misses."""

from __future__ import annotations

import warnings
from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from contact_models import TIGHT, Case, coupled_masses, cube, particle, rod
from hypothesis import strategies as st
from oracles.closed_forms import bouncing_ball_accumulation, bouncing_ball_times, flat_cube
from quick_members import examples
from trajectory import accumulations, forces, kinds

from sympact import ImpactWarning, Status

GRAVITY = 9.8
FLAT = [1.0, 0.0, 0.0, 0.0]
ON_AN_EDGE = [cos(pi / 8), sin(pi / 8), 0.0, 0.0]
LOWER_CORNERS = ("++-", "+--", "-+-", "---")


@cache
def dice() -> Case:
    return cube("quaternion")


@cache
def bar() -> Case:
    return rod()


def drop(attitude, height=3.0, e=0.5, spin=(0.0, 0.0, 0.0), **options):
    """A cube let go at rest but for a spin, its centre at a height."""
    return dice().simulate((0, 100), [0, 0, height, *attitude, 0, 0, 0, *spin], {"e": e}, **options)


@pytest.mark.parametrize("options", [{}, TIGHT], ids=["default", "tight"])
def test_a_flat_cube_lands_on_four_corners_at_once(options):
    result = drop(FLAT, **options)
    touch, rebound = flat_cube(3.0, 1.0, GRAVITY, 0.5)
    first = result.events[0]
    assert first.t == pytest.approx(touch, rel=1e-14)
    assert first.contacts == LOWER_CORNERS
    # 1.5 m v, shared by four
    np.testing.assert_allclose(first.impulse, 1.5 * 2 * rebound / 4, rtol=1e-12)
    np.testing.assert_allclose(first.x_plus[7:], [0, 0, rebound, 0, 0, 0], rtol=0, atol=1e-13)
    assert first.window == pytest.approx(1e-12 * sqrt(3) / (2 * rebound), rel=1e-12), "1e-12 of the length over speed"
    assert first.nearest == pytest.approx(1 / (2 * rebound), rel=1e-12), "the upper corners are one edge higher"


def test_a_flat_cube_stays_flat_and_comes_to_rest_on_four_corners():
    result = drop(FLAT)
    assert kinds(result) == ["impact"] * (len(result.events) - 1) + ["accumulation"]
    times = bouncing_ball_times(2.5, GRAVITY, 0.5, len(result.events))
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=1e-10)
    for event in result.events:
        assert event.contacts == LOWER_CORNERS
        np.testing.assert_allclose(event.impulse, event.impulse.mean(), rtol=1e-12)
        assert np.abs(event.x_plus[10:]).max() <= 1e-13
    ((t, t_inf, error),) = accumulations(result)
    # several contacts: the error is the time left, 2 v/g for a last hop of at most 1e-10 of the length
    assert abs(t_inf - bouncing_ball_accumulation(2.5, GRAVITY, 0.5)) <= error <= t_inf - t + 1e-6
    assert result.path == ("free", ", ".join(LOWER_CORNERS) + " (at rest)")
    weight = dict.fromkeys(LOWER_CORNERS, GRAVITY / 4)
    found = dict(zip((contact.name for contact in dice().model.contacts), forces(result)[:, -1], strict=True))
    assert found == pytest.approx(dict.fromkeys(found, 0.0) | weight, rel=1e-12)
    assert result.t_span[1] == 100
    np.testing.assert_allclose(result.x[:, -1], [0, 0, 0.5, 1, 0, 0, 0, *[0] * 6], rtol=0, atol=1e-13)


def test_a_flat_cube_that_spins_about_the_vertical_lands_flat():
    """The corners stay in one plane to the accuracy of the flight, so that they still count as one impact."""
    result = drop(FLAT, spin=(0.0, 0.0, 2.0), **TIGHT)
    first = result.events[0]
    assert first.t == pytest.approx(flat_cube(3.0, 1.0, GRAVITY, 0.5)[0], rel=1e-12)
    assert first.contacts == LOWER_CORNERS
    np.testing.assert_allclose(first.x_plus[10:], [0, 0, 2], rtol=0, atol=1e-11)


def test_a_cube_lands_on_an_edge():
    """The edge is below the centre: half of 1.5 m v for each corner, and no spin."""
    result = drop(ON_AN_EDGE)
    first, speed = result.events[0], sqrt(2 * GRAVITY * (3 - sqrt(0.5)))
    assert len(first.contacts) == 2
    np.testing.assert_allclose(first.impulse, 1.5 * speed / 2, rtol=1e-12)
    np.testing.assert_allclose(first.x_plus[7:], [0, 0, speed / 2, 0, 0, 0], rtol=0, atol=1e-12)


def test_different_restitutions_that_gain_energy_are_told_with_the_figures():
    """Ends of a rod at +1/2 (e = 0) and -1 (e = 1) m/s: an impact by Newton's law gains a third of the energy.

    The mass matrix by the ends' rates is m/6 [[2, 1], [1, 2]]; u+ has the rates 0 and 1.
    """
    before = (0.5**2 - 0.5 + 1) / 6
    with pytest.warns(ImpactWarning, match=r"1 impact\(s\) gained energy.*at t = 0 \(A, B\).*33\.3 %") as caught:
        result = bar().simulate(
            (0, 0.1), [0, 0, 0, 0, -0.25, 1.5], {"e_A": 0.0, "e_B": 1.0, "g": 0.0}, gains=True, max_events=1
        )
    assert caught[0].filename.endswith("contact_models.py"), "told where the run was asked for"
    assert result.events[0].energy == pytest.approx(before / 3, rel=1e-12)
    assert result.kinetic_energy[:2].tolist() == pytest.approx([before, before * 4 / 3], rel=1e-12)


@examples(
    8,
    25,
    e=st.floats(0, 1),
    fall=st.floats(0.01, 3),
    spin=st.floats(-6, 6),
)
def test_equal_restitutions_never_gain(e, fall, spin):
    """A rod that meets the floor with both ends at once, as fast as can be: `check_trajectory` asserts the energy."""
    bar().simulate((0, 0.1), [0, 0, 0, 0, -fall, spin], {"e_A": e, "e_B": e}, max_events=1)


def near_miss(tilt: float, **options):
    """A rod falls one metre, tilted by a small angle (its length is 1 m), and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = bar().simulate((0, 0.6), [0, 1, tilt, 0, 0, 0], **options)
    return result, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("tilt", [0.0, 1e-14, 3e-13])
def test_within_the_window_both_ends_take_part(tilt):
    result, told = near_miss(tilt)
    assert result.events[0].contacts == ("A", "B")
    assert not told


@pytest.mark.parametrize("tilt", [1e-11, 3e-10])
def test_just_outside_the_window_the_order_decides_and_a_warning_says_so(tilt):
    result, told = near_miss(tilt, max_events=2)
    speed = sqrt(2 * GRAVITY)
    first = result.events[0]
    assert first.contacts == ("B",)
    assert first.nearest == pytest.approx(tilt / speed, rel=1e-3)
    assert len(told) == 1
    assert f"{first.nearest:.3g} s after it, the window being {first.window:.3g} s" in told[0]


@pytest.mark.parametrize("tilt", [1e-8, 1e-3])
def test_far_outside_the_window_nothing_is_told(tilt):
    result, told = near_miss(tilt, max_events=1)
    assert result.events[0].contacts == ("B",)
    assert not told


def room() -> Case:
    """A particle in a corner of a room: two walls and a floor."""
    return particle({"west": (1, 0, 0), "south": (0, 1, 0), "floor": (0, 0, 1)})


def test_a_corner_of_a_room_hit_on_its_diagonal():
    """Three planes at once, at right angles: each turns its own component around."""
    result = room().simulate((0, 2), [1, 1, 1, -1, -1, -1], {"g": 0.0, "e": 0.8})
    (impact,) = result.events
    assert (impact.contacts, impact.t) == (("west", "south", "floor"), pytest.approx(1.0, rel=1e-14))
    np.testing.assert_allclose(impact.x_plus[3:], 0.8, rtol=1e-13)
    np.testing.assert_allclose(impact.impulse, 1.8, rtol=1e-13)


def test_walls_of_a_room_hit_one_after_the_other():
    """Frictionless planes at right angles know nothing of each other."""
    result = room().simulate((0, 1.2), [1, 1.5, 2, -2, -2.5, 0], {"e": 0.6}, **TIGHT)
    hits = {name: [event.t for event in result.events if event.contacts == (name,)] for name in ("west", "south")}
    falls = [event.t for event in result.events if event.contacts == ("floor",)]
    assert hits["west"] == pytest.approx([0.5], rel=1e-13)
    assert hits["south"] == pytest.approx([0.6], rel=1e-13)
    assert falls == pytest.approx(bouncing_ball_times(2.0, GRAVITY, 0.6, len(falls)).tolist(), rel=1e-12)
    assert len(result.events) == 2 + len(falls)
    assert result(1.2)[:2].tolist() == pytest.approx([0.7 * 1.2, 0.6 * 1.5], rel=1e-12)


@pytest.mark.parametrize("angle", [0.2, 1.2])
def test_a_tilted_plane_is_a_ball_under_less_gravity(angle):
    """Across the plane g cos(angle) bounces the particle; along it g sin(angle) lets it slide away, unhindered."""
    ramp = particle({"ramp": (sin(angle), 0, cos(angle))})
    start = 0.5 * np.array([sin(angle), 0, cos(angle)])
    result = ramp.simulate((0, 50), [*start, 0, 0, 0], {"e": 0.6}, **TIGHT)
    times = bouncing_ball_times(0.5, GRAVITY * cos(angle), 0.6, len(result.events))
    # 20 m downhill a distance from the plane is rounded by 4e-15 m: of the last hops, at 1e-4 m/s, by 4e-11 s
    np.testing.assert_allclose(result.events.t, times, rtol=0, atol=2e-10)
    downhill = np.array([cos(angle), 0, -sin(angle)])
    along = downhill @ result.x[3:]
    np.testing.assert_allclose(along, GRAVITY * sin(angle) * result.t, rtol=1e-11, atol=1e-11)
    assert (result.status, result.path) == (Status.FINISHED, ("free", "ramp"))
    closed = result.t > result.events.t[-1]
    np.testing.assert_allclose(forces(result)[0, closed], GRAVITY * cos(angle), rtol=1e-12)


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_two_masses_collide(e):
    """A surface that another body carries: momentum is kept, the relative speed is -e times what it was."""
    rear, front, closing = 1.0, 2.0, 1.2 - (-0.4)
    masses = coupled_masses()
    result = masses.simulate((0, 0.4), [0, 0.75, 1.2, -0.4], {"k": 0.0, "c": 0.0, "e": e}, **TIGHT)
    impact = result.events[0]
    assert impact.contacts == ("bumper",)
    assert impact.t == pytest.approx(0.5 / closing, rel=1e-13)
    mean = (rear * 1.2 - front * 0.4) / (rear + front)
    expected = [mean - e * front * closing / (rear + front), mean + e * rear * closing / (rear + front)]
    np.testing.assert_allclose(impact.x_plus[2:], expected, rtol=0, atol=1e-13)
    assert impact.energy == pytest.approx(-(1 - e**2) * closing**2 / 2 * rear * front / (rear + front), abs=1e-13)
