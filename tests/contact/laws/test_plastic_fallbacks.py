"""Plastic impacts in which contacts that let go one by one come to no end: a problem for each way that follows.

M = 1, and rows of normals and tangents are whole numbers, as those of a mechanism: tangents depend on normals.
"""

import numpy as np
import pytest
from random_cones import law_residual

from sympact import Plastic, solve_impact


def hit(normals, tangents, speeds, mu, drift=0.0):
    """The plastic impact; `drift` is that of walls, normal and tangential."""
    normals, tangents, speeds = (np.array(x, float) for x in (normals, tangents, speeds))
    rates, slips = normals @ speeds, tangents @ speeds + drift
    mass = np.eye(len(speeds))
    friction = np.full(len(normals), mu)
    return solve_impact(
        mass, normals, rates, 0.0, tangent_jacobian=tangents, slip_minus=slips, friction=friction, law=Plastic()
    )


def test_two_contacts_that_take_turns_are_told_apart_by_all_combinations():
    """The first contact alone has to be held: it pushes, P = (12, -10)/17, and the second leaves with 1/17 m/s.

    Both held, a contact pulls; let go, it approaches, and is held again.
    """
    answer = hit([[-1, 0, -1], [2, -1, 1]], [[-1, 2, 2], [-2, 1, -1]], [0, 1, 2], 2.0)
    assert (answer.solvers["combinations"], answer.solvers["large_friction"]) == (1, 0)
    assert answer.impulses == pytest.approx([12 / 17, 0], abs=1e-13)
    assert answer.friction_impulses[:, 0] == pytest.approx([-10 / 17, 0], abs=1e-13)
    assert answer.gap_rate_plus == pytest.approx([0, 1 / 17], abs=1e-13)


def test_a_contact_that_only_a_pull_would_stop_is_braked_by_a_large_friction():
    """n = (0, 1), t = (1, 2), u- = (-3, -2): to stop takes P = (-4, 3), a pull; to let go leaves an approach of 2 m/s.

    Friction P_T = 1 alone ends the approach, and the slip goes on with -2 m/s. With mu = 1000 for boundless friction,
    P_T = mu P_N and P_N + 2 P_T = 2.
    """
    answer = hit([[0, 1]], [[1, 2]], [-3, -2], 0.5)
    assert (answer.solvers["large_friction"], answer.solvers["own_friction"]) == (1, 0)
    assert answer.impulses == pytest.approx([2 / 2001], rel=1e-12)
    assert answer.friction_impulses[0] == pytest.approx([2000 / 2001, 0], rel=1e-12)
    assert answer.gap_rate_plus == pytest.approx([0], abs=1e-13)
    assert answer.slip_plus[0, 0] == pytest.approx(-2.0, abs=0.01)


def test_a_wall_drives_what_a_large_friction_jams_and_slips_with_the_friction_there_is():
    """One freedom, normal 1 and tangent -1, over a belt: v_N + v_T = -1 m/s whatever the impulse, so that none sticks.

    Slip backwards has P_T = mu P_N, and v_N = -1 + (1 - mu) P_N = 0 takes mu < 1: more friction presses the contact the
    harder the more it pushes. With mu = 1/2, P = (2, 1).
    """
    answer = hit([[1]], [[-1]], [-1], 0.5, drift=-1.0)
    assert (answer.solvers["large_friction"], answer.solvers["own_friction"]) == (1, 1)
    assert answer.impulses == pytest.approx([2.0], abs=1e-13)
    assert answer.friction_impulses[0] == pytest.approx([1.0, 0], abs=1e-13)
    rows = np.array([[1.0], [-1.0], [0.0]])
    assert law_residual(rows @ rows.T, np.array([-1.0, 0, 0]), [0.5], np.array([2.0, 1.0, 0.0])) <= 1e-15
