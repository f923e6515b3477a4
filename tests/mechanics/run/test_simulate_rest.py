"""Bodies that come to rest, slide, lift off and stay: closed contacts in whole runs, each checked as a trajectory."""

from __future__ import annotations

import warnings
from functools import cache
from math import pi, sqrt

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, ball, cube, particle, rod, t
from hypothesis import strategies as st
from quick_members import examples
from trajectory import accumulations, forces, kinds, samples

from sympact import Status
from sympact.mechanics.run.equation_audit import ImpactWarning

GRAVITY = 9.8
FLAT = [1.0, 0.0, 0.0, 0.0]
LOWER_CORNERS = "++-, +--, -+-, ---"


@cache
def dice() -> Case:
    return cube("quaternion")


@cache
def bar() -> Case:
    return rod()


@cache
def bouncer() -> Case:
    return ball()


def drop(case: Case, t_end, start, numbers, **options):
    """A checked run; contacts that nearly hit together are no surprise in a drop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImpactWarning)
        return case.simulate((0, t_end), start, numbers, **options)


# Drops from any attitude.


@examples(3, 8, seed=st.integers(0, 2**32 - 1), e=st.sampled_from([0.0, 0.3, 0.5]))
def test_a_cube_thrown_anyhow_comes_to_lie_on_a_face(seed, e):
    """Its energy goes to that of a cube that lies, slides and turns about the vertical."""
    rng = np.random.default_rng(seed)
    attitude, spin = rng.normal(size=4), rng.normal(size=3)
    start = [0, 0, 1.5, *attitude / np.linalg.norm(attitude), *0.3 * rng.normal(size=3), *2 * spin]
    result = drop(dice(), 5, start, {"e": e})
    assert result.status is Status.FINISHED
    assert result.x[2, -1] == pytest.approx(0.5, abs=1e-9)
    force = forces(result)[:, -1]
    assert np.count_nonzero(force) == 4
    assert force[force > 0] == pytest.approx(GRAVITY / 4, rel=1e-6)
    assert abs(result.x[9, -1]) <= 1e-9
    horizontal = result.x[7:9, -1]
    assert horizontal == pytest.approx(result.x[7:9, 0], abs=1e-9), "a frictionless floor pushes along its normal"


@examples(
    3,
    8,
    sizes=st.lists(st.floats(0.08, 0.2), min_size=3, max_size=3).filter(lambda i: 2 * max(i) < sum(i)),
    turn=st.floats(0, pi / 2),
    speed=st.floats(-2, 2),
)
def test_a_block_let_down_on_an_edge_keeps_to_the_rules(sizes, turn, speed):
    """Different moments of inertia, and an edge that leads the way: few closed forms, many changes of mode."""
    attitude = [np.cos(turn / 2), np.sin(turn / 2), 0, 0]
    height = (np.cos(turn) + np.sin(turn)) / 2
    numbers = {"e": 0.2, **dict(zip(("i1", "i2", "i3"), sizes, strict=True))}
    result = drop(dice(), 2, [0, 0, height + 1e-3, *attitude, speed, 0, 0, 0, 0.1, 0], numbers)
    assert result.status is Status.FINISHED


@examples(5, 15, tilt=st.floats(-1, 1), spin=st.floats(-4, 4), e=st.sampled_from([0.0, 0.4, 0.7]))
def test_a_rod_comes_to_lie_on_both_ends(tilt, spin, e):
    result = drop(bar(), 6, [0, 1, tilt, 0.5, 0, spin], {"e_A": e, "e_B": e})
    assert result.path[-1] in ("A, B", "A, B (at rest)")
    assert forces(result)[:, -1] == pytest.approx([GRAVITY / 2] * 2, rel=1e-9)
    assert np.abs(result.x[[1, 2, 4, 5], -1] - [0, round(result.x[2, -1] / pi) * pi, 0, 0]).max() <= 1e-9


# Starts in contact.


@pytest.mark.parametrize(
    ("speed", "expected", "path"),
    [
        (0.0, ["close"], ("free", "bounce (at rest)")),
        (-1.0, ["impact"], ("free", "free")),
        (1.0, [], ("free",)),
    ],
    ids=["pressed", "approaching", "separating"],
)
def test_a_start_on_the_ground(speed, expected, path):
    result = bouncer().simulate((0, 0.01), [0.0, speed])
    assert kinds(result) == expected
    assert result.path[-1] == path[-1]
    assert result.status is Status.FINISHED


def test_a_flat_cube_that_starts_on_its_face_stays_bit_for_bit():
    result = dice().simulate((0, 1e4), [0, 0, 0.5, *FLAT, *[0.0] * 6])
    assert kinds(result) == ["close"]
    assert result.path == ("free", LOWER_CORNERS + " (at rest)")
    assert np.array_equal(result.x, np.repeat(result.x[:, :1], len(result.t), axis=1))
    assert sorted(forces(result)[:, -1]) == pytest.approx([0.0] * 4 + [GRAVITY / 4] * 4, rel=1e-13)


def test_a_cube_that_starts_sliding_and_turning_on_its_face_goes_on():
    """Straight ahead and about the vertical, at the same rates; the corners bear their quarter."""
    result = dice().simulate((0, 3), [0, 0, 0.5, *FLAT, 1.0, -0.5, 0, 0, 0, 2.0], **TIGHT)
    assert kinds(result) == ["close"]
    assert result.path == ("free", LOWER_CORNERS)
    np.testing.assert_allclose(result(3.0)[:3], [3.0, -1.5, 0.5], rtol=0, atol=1e-11)
    np.testing.assert_allclose(result(3.0)[3:7], [np.cos(3.0), 0, 0, np.sin(3.0)], rtol=0, atol=1e-10)


def test_a_rod_on_its_end_falls_over_as_a_pendulum_on_a_frictionless_floor():
    """The end slides, the centre falls straight down; the energy is kept:

    m z'^2/2 + m l^2 a'^2/24 + m g z with z = -l sin(a)/2 for the end B, a < 0.
    """
    angle, l = -1.2, 1.0
    start = [0, -np.sin(angle) * l / 2, -angle, 0, 0, 0]  # the end B is down where a > 0
    result = bar().simulate((0, 0.4), start, **TIGHT)
    assert kinds(result)[0] == "close"
    assert result.path[1] == "B"
    a, w, z, v = (result.x[i] for i in (2, 5, 1, 4))
    held = result.t < (result.events[1].t if len(result.events) > 1 else 1)
    energy = v**2 / 2 + l**2 * w**2 / 24 + GRAVITY * z
    np.testing.assert_allclose(energy[held], energy[0], rtol=1e-12)
    np.testing.assert_allclose(z[held], l / 2 * np.sin(a[held]), rtol=0, atol=1e-14)
    assert np.abs(result.x[0]).max() <= 1e-14


# Leaving.


def test_a_ball_leaves_a_table_that_falls_away():
    """On a table that moves as A sin(w t) it leaves where A w^2 sin(w t) = g; the force is m (g - A w^2 sin(w t))."""
    amplitude, w = 0.1, 12.0
    table = ball(amplitude * sm.sin(w * t))
    result = table.simulate((0, 0.2), [0.0, amplitude * w], {"e": 0.0}, **TIGHT)
    leave = np.arcsin(GRAVITY / (amplitude * w**2)) / w
    assert kinds(result)[:2] == ["close", "open"]
    # the force passes zero at a finite rate: its zero is found like that of a gap
    assert result.events[1].t == pytest.approx(leave, abs=1e-11)
    assert result.path[:3] == ("free", "bounce", "free")
    times, _, _ = samples(result)
    held = times < leave
    force = GRAVITY - amplitude * w**2 * np.sin(w * times[held])
    np.testing.assert_allclose(forces(result)[0, held][2:], force[2:], rtol=0, atol=1e-9)


def test_a_ball_on_a_shaken_table_leaves_and_lands_once_a_swing():
    """Where it leaves, the acceleration of its gap vanishes, and with it what thresholds could be made of."""
    amplitude, w = sm.Rational(1, 10), sm.Rational(21, 2)
    result = ball(amplitude * sm.sin(w * t)).simulate((0, 15), [0.0, 1.05], {"e": 0.0})
    assert result.status is Status.FINISHED
    found = kinds(result)
    assert found == ["close", *["open", "impact"] * (len(found) // 2)]
    first = np.arcsin(GRAVITY / 11.025) / 10.5
    swings = 2 * pi / 10.5 * np.arange(len(found) // 2)
    np.testing.assert_allclose(result.events.t[1::2], first + swings, rtol=0, atol=1e-12)


def test_a_particle_that_slides_against_a_ramp_is_thrown_up():
    """u- = (1, 0, 0) against a plane of 45 degrees with e = 1/2: u+ = u- + 1.5 (1/sqrt 2) n = (1/4, 0, 3/4).

    The floor, closed until then, does not pull it back.
    """
    half = sqrt(0.5)
    room = particle({"floor": (0, 0, 1), "ramp": (-half, 0, half)})
    result = room.simulate((0, 1.05), [-1, 0, 0, 1, 0, 0], **TIGHT)
    assert kinds(result)[:2] == ["close", "impact"]
    hit = result.events[1]
    assert hit.t == pytest.approx(1.0, rel=1e-14)
    np.testing.assert_allclose(hit.x_plus, [0, 0, 0, 0.25, 0, 0.75], rtol=0, atol=1e-14)
    assert (hit.source, hit.target) == ("floor", "free")


def test_a_rod_that_the_law_leaves_approaching_is_hit_again():
    """Ends at +1/2 and -5/2 m/s, e = 1: the law asks for -1/2 m/s of the first, another impact without loss."""
    result = bar().simulate((0, 0.1), [0, 0, 0, 0, -1.0, 3.0], {"e_A": 1.0, "e_B": 1.0})
    assert result.events.t[:2].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(result.kinetic_energy[:3], 0.875, rtol=1e-13)


# Without force.


def test_without_gravity_a_rod_on_both_ends_stays():
    for start in ([0, 0, 0, 0, 0, 0], [0, 0, 0, 1.0, 0, 0]):
        result = bar().simulate((0, 10), start, {"g": 0.0})
        assert result.status is Status.FINISHED
        assert len(result.events) <= 2
        assert not result.x[[1, 2, 4, 5]].any()


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_without_gravity_a_rod_hits_once_and_leaves(e):
    """Flat with 1 m/s: it stays where e = 0, and else leaves with e times that, once and for all."""
    result = bar().simulate((0, 10), [0, 1, 0, 0, -1.0, 0], {"g": 0.0, "e_A": e, "e_B": e}, **TIGHT)
    assert kinds(result) == ["impact"]
    assert result(10.0) == pytest.approx([0, 9 * e, 0, 0, e, 0], abs=1e-11)


@pytest.mark.parametrize("g", [0.0, GRAVITY])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_particle_between_two_walls_that_both_touch_moves_along_them(g, e):
    """Both gaps are zero, their normals opposite: neither wall pushes, whatever speed along them."""
    slot = particle({"left": (1, 0, 0), "right": (-1, 0, 0)})
    result = slot.simulate((0, 2), [0, 0, 0, 0, 1.0, 0], {"e": e, "g": g})
    assert result.status is Status.FINISHED
    assert len(result.events) <= 2
    assert result(2.0) == pytest.approx([0, 2, -2 * g, 0, 1, -2 * g], abs=1e-9)
    assert not forces(result).any()


def test_a_particle_that_is_pressed_into_a_wedge_rests_on_both_sides():
    """Planes at 45 degrees: m g / sqrt(2) each."""
    half = sqrt(0.5)
    wedge = particle({"left": (half, 0, half), "right": (-half, 0, half)})
    result = wedge.simulate((0, 100), [0, 0, 1, 0, 0, 0], {"e": 0.5})
    assert result.path[-1] == "left, right (at rest)"
    assert forces(result)[:, -1] == pytest.approx([GRAVITY * half] * 2, rel=1e-13)


# Limits of the restitution and of the window.


def test_without_loss_nothing_closes():
    result = bouncer().simulate((0, 20), [1.0, 0.0], {"e": 1.0})
    assert set(kinds(result)) == {"impact"}
    assert set(result.path) == {"free"}


def test_without_rebound_a_cube_lies_at_once():
    result = dice().simulate((0, 10), [0, 0, 1, *FLAT, *[0.0] * 6], {"e": 0.0})
    assert kinds(result) == ["impact"]
    assert result.path[-1] == LOWER_CORNERS + " (at rest)"
    assert not accumulations(result)


@pytest.mark.parametrize(("windows", "contacts", "told"), [(0.1, ("A", "B"), 0), (10, ("B",), 1)])
def test_one_impact_or_two(windows, contacts, told):
    """Ends that touch 0.1 and 10 windows apart; a window is 1e-12 of the length over the speed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = bar().simulate((0, 0.46), [0, 1, windows * 1e-12, 0, 0, 0])
    assert result.events[0].contacts == contacts
    assert sum(warning.category is ImpactWarning for warning in caught) == told
