"""Impacts whose result is a formula."""

import numpy as np
import pytest
from contact_problems import SQUARE, mass, plane_jacobian
from hypothesis import given
from hypothesis import strategies as st
from oracles.closed_forms import flat_cube, rod_impulse

from sympact.contact import solve_impact

seeds = st.integers(0, 2**32 - 1)
restitutions = st.floats(0, 1)
ROUNDING = 1e-14


@given(st.floats(1e-6, 1e6), st.floats(-1e3, -1e-3), restitutions)
def test_ball_leaves_with_e_times_its_speed(m, speed, e):
    solution = solve_impact([[m]], [[1.0]], [speed], e)
    assert solution.gap_rate_plus[0] == pytest.approx(-e * speed, rel=ROUNDING, abs=ROUNDING * abs(speed))
    assert solution.impulses[0] == pytest.approx(-(1 + e) * m * speed, rel=ROUNDING)
    loss = (1 - e**2) * m * speed**2 / 2
    assert solution.energy == pytest.approx(-loss, rel=1e-12, abs=ROUNDING * m * speed**2)


@given(st.floats(0, np.pi / 2), restitutions)
def test_rod_that_hits_with_its_end(angle, e):
    m, l, speed = 1.7, 2.3, -3.1
    jacobian = [[1.0, -l / 2 * np.cos(angle)]]  # the centre's vertical velocity, the angular velocity
    solution = solve_impact(np.diag([m, m * l**2 / 12]), jacobian, [speed], e)
    assert solution.impulses[0] == pytest.approx(rod_impulse(m, speed, angle, e), rel=ROUNDING)


@given(seeds)
def test_single_contact_is_the_closed_formula(seed):
    """u+ = u- - (1+e) M^-1 W (W^T u-)/(W^T M^-1 W), with LAPACK's solution for M^-1 W.

    M has condition numbers up to 1e8; scaled by its diagonal up to 1e3, which rounding sees.
    """
    rng = np.random.default_rng(seed)
    m, e = int(rng.integers(1, 9)), rng.uniform()
    mass_matrix, w, u = mass(rng, m), rng.normal(size=m), rng.normal(size=m)
    units = np.sqrt(np.diag(mass_matrix))
    if w @ u > 0:
        u = -u
    direction = np.linalg.solve(mass_matrix / np.outer(units, units), w / units) / units
    expected = -(1 + e) * direction * (w @ u) / (w @ direction)
    change = solve_impact(mass_matrix, [w], [w @ u], e).speed_change
    assert np.abs((change - expected) * units).max() <= 1e-12 * np.abs(expected * units).max()


@given(restitutions)
def test_flat_cube_shares_its_impulse_and_does_not_spin(e):
    m, edge, gravity, height = 1.3, 1.0, 9.8, 2.0
    _, rebound = flat_cube(height, edge, gravity, e)
    speed = -np.sqrt(2 * gravity * (height - edge / 2))
    inertia = m * edge**2 / 6
    solution = solve_impact(np.diag([m] * 3 + [inertia] * 3), plane_jacobian(SQUARE), [speed] * 4, e)
    assert solution.impulses == pytest.approx(np.full(4, -(1 + e) * m * speed / 4), rel=1e-13)
    assert speed + solution.speed_change[2] == pytest.approx(rebound, rel=1e-13, abs=1e-13)
    assert np.abs(solution.speed_change[3:]).max() < 1e-14
    assert not solution.speed_change[:2].any()


def test_cube_on_an_edge_shares_its_impulse_between_two_corners():
    corners = [(0.0, -0.5), (0.0, 0.5)]
    solution = solve_impact(np.diag([1.0] * 3 + [1 / 6] * 3), plane_jacobian(corners), [-2.0, -2.0], 0.5)
    assert solution.impulses == pytest.approx([1.5, 1.5], rel=1e-14)
    assert np.abs(solution.speed_change[3:]).max() < 1e-14


def test_impulse_at_a_corner_turns_the_cube():
    """One corner, isotropic inertia: P = -(1+e) gamma/(1/m + |r x n|^2/I)."""
    r, e, speed = np.array([0.5, -0.5, -0.5]), 0.8, -4.0
    arm = np.cross(r, [0.0, 0.0, 1.0])
    solution = solve_impact(np.diag([1.0] * 3 + [1 / 6] * 3), [[0, 0, 1, *arm]], [speed], e)
    impulse = -(1 + e) * speed / (1 + 6 * arm @ arm)
    assert solution.impulses[0] == pytest.approx(impulse, rel=ROUNDING)
    assert solution.speed_change[3:] == pytest.approx(6 * impulse * arm, rel=ROUNDING, abs=1e-15)


def test_body_that_fits_between_two_walls_is_turned_back():
    """A bead between parallel walls moves into one and away from the other: it leaves with e times its speed."""
    solution = solve_impact([[2.0]], [[1.0], [-1.0]], [-3.0, 3.0], 0.5)
    assert solution.gap_rate_plus == pytest.approx([1.5, -1.5], rel=ROUNDING)


def test_elastic_rod_that_lands_flat():
    """Both ends hit with v: each impulse is m (1+e) v/2, and no energy is lost."""
    m, l = 1.0, 2.0
    solution = solve_impact(np.diag([m, m * l**2 / 12]), [[1, -l / 2], [1, l / 2]], [-1.0, -1.0], 1.0)
    assert solution.impulses == pytest.approx([1.0, 1.0], rel=ROUNDING)
    assert solution.energy == pytest.approx(0.0, abs=ROUNDING)
