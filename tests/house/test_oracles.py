"""The oracles themselves: against high-precision numbers, conservation laws and each other."""

import json
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from oracles.closed_forms import (
    WalledOscillator,
    bouncing_ball_accumulation,
    bouncing_ball_times,
    flat_cube,
    grazing_times,
    rod_impulse,
)
from oracles.free_cube import (
    CORNERS,
    EXTENDED,
    Cube,
    Drops,
    advance,
    corner_heights,
    first_contact,
    impacts,
    rebound,
    rotation_313,
    rotation_quaternion,
    spin_313,
)
from scipy.integrate import solve_ivp

REFERENCE = Path(__file__).parents[1] / "reference" / "tumbling_cube.json"
CUBE = Cube(mass=1, edge=1, restitution=EXTENDED("0.8"), gravity=EXTENDED("9.8"))
EXTENDED_PRECISION = np.finfo(EXTENDED).eps < 1e-18
TIGHT = 1e-15 if EXTENDED_PRECISION else 1e-11
"""Rounding times the growth of ten per impact, over five impacts."""


def numbers(texts):
    return np.array([EXTENDED(text) for text in texts])


def document_start():
    angles, rates = [[1, 2, 3]], [[3, 2, 1]]
    return Drops([0], [[0, 0, 10]], [[1, 1, 0]], rotation_313(angles), spin_313(angles, rates))


def random_drops(count, seed=0):
    random = np.random.default_rng(seed)
    angles = random.uniform([-pi, 0.2, -pi], [pi, pi - 0.2, pi], (count, 3))
    position = np.column_stack([np.zeros((count, 2)), random.uniform(1, 5, count)])
    spin = random.uniform(-8, 8, (count, 3))
    return Drops(np.zeros(count), position, random.uniform(-2, 2, (count, 3)), rotation_313(angles), spin)


def energy(cube, drops):
    kinetic = cube.mass * (drops.velocity**2).sum(axis=1) + cube.inertia * (drops.spin**2).sum(axis=1)
    return kinetic / 2 + cube.mass * cube.gravity * drops.position[:, 2]


def test_cube_flight_reproduces_the_reference_impacts():
    reference = json.loads(REFERENCE.read_text())["reference"]["body 3-1-3, last three entries are angle rates"]
    drops = document_start()
    for expected in reference["impacts"]:
        duration, corner = first_contact(CUBE, drops, t_end=5.0)
        drops = advance(CUBE, drops, duration)
        assert CORNERS[corner[0]].tolist() == expected["vertex"]
        for found, name in ((drops.position, "p"), (drops.velocity, "v_minus"), (drops.spin, "w_space_minus")):
            np.testing.assert_allclose(found[0], numbers(expected[name]), rtol=TIGHT, atol=TIGHT)
        assert abs(drops.t[0] - EXTENDED(expected["t"])) < TIGHT
        drops, impulse = rebound(CUBE, drops, corner)
        assert abs(impulse[0] - EXTENDED(expected["P"])) < 10 * TIGHT
    final = reference["final"]
    drops = advance(CUBE, drops, 5 - drops.t)
    np.testing.assert_allclose(drops.rotation[0], [numbers(row) for row in final["R"]], atol=TIGHT)
    np.testing.assert_allclose(drops.velocity[0], numbers(final["v"]), atol=TIGHT)


def test_quaternion_and_angles_give_one_rotation():
    """e = e_z(a) e_x(b) e_z(c), with the half-angle formulas of the 3-1-3 product."""
    a, b, c = 1.0, 2.0, 3.0
    half_sum, half_difference = (a + c) / 2, (a - c) / 2
    lead, turn = np.cos(b / 2), np.sin(b / 2)
    quaternion = [
        lead * np.cos(half_sum),
        turn * np.cos(half_difference),
        turn * np.sin(half_difference),
        lead * np.sin(half_sum),
    ]
    np.testing.assert_allclose(rotation_quaternion(quaternion), rotation_313([a, b, c]), atol=1e-15)


def test_cube_flight_finds_no_sixth_impact_before_five_seconds():
    found = impacts(CUBE, document_start(), count=6, t_end=5.0)
    assert np.isfinite(found.t[0]).tolist() == [True] * 5 + [False]
    assert found.corner[0, 5] == -1


def test_cube_flight_passes_no_contact_and_flies_free():
    """Dense sampling of the heights between impacts, an independent check of the isolation of roots."""
    drops = random_drops(50)
    for _ in range(4):
        duration, corner = first_contact(CUBE, drops, t_end=np.inf)
        for fraction in np.linspace(0, 1, 400)[1:-1]:
            assert corner_heights(CUBE, advance(CUBE, drops, fraction * duration)).min() > 0
        landed = advance(CUBE, drops, duration)
        heights = corner_heights(CUBE, landed)[np.arange(50), corner]
        assert np.abs(heights).max() < TIGHT
        np.testing.assert_allclose(energy(CUBE, landed), energy(CUBE, drops), rtol=TIGHT)
        drops, _ = rebound(CUBE, landed, corner)


def test_cube_impact_loses_the_energy_of_newtons_law():
    """dT = -(1 - e^2)/2 v_n^2 m_eff, written with P = -(1 + e) v_n m_eff as dT = (1 - e)/2 v_n P."""
    drops = random_drops(50)
    duration, corner = first_contact(CUBE, drops, t_end=np.inf)
    landed = advance(CUBE, drops, duration)
    after, impulse = rebound(CUBE, landed, corner)
    arm = np.einsum("nij,nj->ni", landed.rotation, CORNERS[corner] / EXTENDED(2))
    v_minus = (landed.velocity + np.cross(landed.spin, arm))[:, 2]
    v_plus = (after.velocity + np.cross(after.spin, arm))[:, 2]
    np.testing.assert_allclose(v_plus, -CUBE.restitution * v_minus, atol=10 * TIGHT)
    loss = energy(CUBE, after) - energy(CUBE, landed)
    np.testing.assert_allclose(loss, (1 - CUBE.restitution) / 2 * v_minus * impulse, rtol=1e-12)


def test_cube_below_the_plane_is_refused():
    with pytest.raises(ValueError, match=r"drops \[0\] start below it"):
        impacts(CUBE, Drops([0], [[0, 0, 0.1]], [[0, 0, 0]], np.eye(3)[None], [[0, 0, 0]]), count=1)


def test_bouncing_ball_times_reach_the_accumulation():
    times = bouncing_ball_times(2.0, 9.8, 0.7, count=120)
    assert times[-1] == pytest.approx(bouncing_ball_accumulation(2.0, 9.8, 0.7), rel=1e-14)
    assert bouncing_ball_accumulation(2.0, 9.8, 1) == np.inf


def test_flat_cube_conserves_energy_up_to_the_floor():
    time, rebound_velocity = flat_cube(height=3.0, edge=1.0, gravity=9.8, restitution=1.0)
    assert rebound_velocity == pytest.approx(9.8 * time)
    assert rebound_velocity**2 / 2 == pytest.approx(9.8 * 2.5)


def test_rod_impulse_obeys_newtons_law_at_the_end():
    """The end's normal velocity becomes -e times itself, with the rod's inertia m l^2/12 about its centre."""
    mass, length, velocity, angle, restitution = 2.0, 0.7, -1.3, 0.4, 0.6
    impulse = rod_impulse(mass, velocity, angle, restitution)
    arm = length / 2 * np.cos(angle)
    spin = impulse * arm / (mass * length**2 / 12)
    assert velocity + impulse / mass + spin * arm == pytest.approx(-restitution * velocity)


def test_grazing_times_are_the_impacts_of_an_integrated_oscillator():
    def hit(t, x):
        return x[0] - 1

    hit.terminal, hit.direction = True, 1
    depth, state, t = 0.3, [-1.3, 0.0], 0.0
    for expected in grazing_times(depth, 3):
        run = solve_ivp(lambda t, x: [x[1], -x[0]], (t, t + 9), state, events=hit, rtol=1e-12, atol=1e-12, max_step=0.1)
        t, state = run.t[-1], [1 - 1e-14, -run.y[1, -1]]
        assert t == pytest.approx(expected, abs=1e-9)


def test_walled_oscillator_satisfies_its_law():
    motion = WalledOscillator(restitution=0.8)
    before, after = motion.state(np.nextafter(motion.impact, 0)), motion.state(motion.impact)
    assert before == pytest.approx([motion.wall, -sqrt(3) / 2])
    assert after == pytest.approx([motion.wall, 0.8 * sqrt(3) / 2])
    energies = [(motion.state(t) ** 2).sum() for t in (2.5, 4.0, 6.0)]
    assert energies == pytest.approx([0.25 + 0.75 * 0.64] * 3)
