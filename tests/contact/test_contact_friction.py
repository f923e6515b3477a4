"""Impacts with friction from matrices: momentum, energy, closed forms, without friction the other solver, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples
from random_cones import SQUARE, body, body_jacobian

from sympact.contact import solve_impact

seeds = st.integers(0, 2**32 - 1)


def split(jacobian, speeds):
    """Normal and tangential Jacobians and rates from rows (normal, two tangents) a contact."""
    rows = jacobian.reshape(len(jacobian) // 3, 3, -1)
    rates = rows @ speeds
    return rows[:, 0], rows[:, 1:], rates[:, 0], rates[:, 1:]


def with_friction(mass, normal, tangents, rates, slip, restitution, friction):
    return solve_impact(mass, normal, rates, restitution, tangent_jacobian=tangents, slip_minus=slip, friction=friction)


def solve(impact, **changes):
    values = {"restitution": impact.restitution, "friction": impact.friction} | changes
    return with_friction(impact.mass_matrix, *split(impact.jacobian, impact.speeds), **values)


def all_impulses(solution):
    """Normal and tangential impulses, three for each contact."""
    return np.column_stack([solution.impulses, solution.friction_impulses])


@examples(67, 200, seeds)
def test_momentum_and_energy(seed):
    """M (u+ - u-) = W Lambda; the contacts' work is the change of the kinetic energy; e = 0 never gains."""
    impact = body(np.random.default_rng(seed))
    solution = solve(impact)
    u, mass = impact.speeds, impact.mass_matrix
    given_momentum = impact.jacobian.T @ all_impulses(solution).ravel()
    size = np.abs(impact.jacobian).T @ np.abs(all_impulses(solution).ravel()) + 1e-300
    assert np.abs(mass @ solution.speed_change - given_momentum).max() <= 1e-12 * size.max()
    plus = u + solution.speed_change
    kinetic = [0.5 * v @ mass @ v for v in (u, plus)]
    assert solution.energy == pytest.approx(kinetic[1] - kinetic[0], abs=1e-12 * kinetic[0])
    if impact.restitution == 0:
        assert solution.energy <= 1e-13 * kinetic[0]


@given(seeds)
@settings(max_examples=100)
def test_without_friction_it_is_the_frictionless_impact(seed):
    impact = body(np.random.default_rng(seed))
    solution = solve(impact, friction=0.0)
    normal, _, rates, _ = split(impact.jacobian, impact.speeds)
    expected = solve_impact(impact.mass_matrix, normal, rates, impact.restitution)
    size = np.abs(impact.speeds).max()
    assert solution.speed_change == pytest.approx(expected.speed_change, abs=1e-10 * size)
    assert not solution.friction_impulses.any()
    assert solution.impulses == pytest.approx(expected.impulses, abs=1e-8 * (1 + expected.impulses.max()))


@pytest.mark.parametrize(("mu", "slip"), [(0.1, 0.55), (0.5, 0.0)])
def test_a_falling_ball_with_slip(mu, slip):
    """A solid ball of radius 1, gamma_T- = 1, gamma_N- = -1, e = 2/7 + 1... slip falls by 7/2 mu (1 + e) |gamma_N-|.

    With e = 2/7: the slip after is 1 - 7/2 9/7 mu = 1 - 4.5 mu; it sticks when that is negative.
    """
    mass = np.diag([1.0, 1.0, 1.0, 0.4, 0.4, 0.4])
    jacobian = body_jacobian(np.zeros((1, 2)), height=1.0)
    u = np.array([1.0, 0, -1, 0, 0, 0])
    solution = with_friction(mass, *split(jacobian, u), 2 / 7, mu)
    assert solution.gap_rate_plus == pytest.approx([2 / 7])
    assert solution.slip_plus == pytest.approx(np.array([[slip, 0.0]]), abs=1e-14)


def test_a_cube_landing_flat_keeps_flat():
    """All four corners carry a quarter each; friction mu (1 + e) per unit of normal speed acts against the slip."""
    jacobian = body_jacobian(SQUARE, height=0.0)
    mass = np.diag([1.0, 1.0, 1.0, 1 / 6, 1 / 6, 1 / 6])
    u = np.array([3.0, 4.0, -1.0, 0, 0, 0])
    solution = with_friction(mass, *split(jacobian, u), 0.5, 0.2)
    assert all_impulses(solution) == pytest.approx(np.tile([0.375, -0.375 * 0.2 * 0.6, -0.375 * 0.2 * 0.8], (4, 1)))


def test_walls_that_close_in_are_refused():
    with pytest.raises(ValueError, match="no impulses satisfy the law of every contact"):
        with_friction(
            np.eye(2),
            [[1.0, 0], [-1, 0]],
            [[[0, 1.0], [0, 0]], [[0, 1.0], [0, 0]]],
            [-1.0, -1.0],
            np.zeros((2, 2)),
            0.0,
            0.3,
        )
