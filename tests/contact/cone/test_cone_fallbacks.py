"""What the usual way to an impulse on the friction cone does not solve: a problem for each of the ways that follow.

Rows of W^T are given in whole numbers, normal and two tangents of each contact in turn. M = 1, so that G = W^T W and
b = W^T u.
"""

import math

import numpy as np
import pytest
from random_cones import body_jacobian, law_residual, nearly_jammed, rounding
from scipy.optimize import brentq

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import ALONE, DESCENDED, FOLLOWED, NEWTON
from sympact.contact.solver_calls import solve_cone_problem

EPS = np.finfo(float).eps


def solve(rows, speeds, friction):
    """The answer, whose law is measured here."""
    rows = np.array(rows, float)
    delassus, rate = rows @ rows.T, rows @ np.array(speeds, float)
    answer = solve_cone_problem(delassus, rate, friction)
    assert answer.code == codes.SOLVED
    assert law_residual(delassus, rate, friction, answer.impulse) <= 1e-12
    return answer


def copies(rows, speeds, friction):
    """Answers to forty copies of a problem, off by up to four roundings, as those of other processors are."""
    rows, rng = np.array(rows, float), np.random.default_rng(0)
    delassus, rate = rows @ rows.T, rows @ np.array(speeds, float)
    for _ in range(40):
        g, b = (x * (1 + EPS * rng.uniform(-4, 4, size=x.shape)) for x in (delassus, rate))
        yield solve_cone_problem((g + g.T) / 2, b, friction)


def test_a_slip_that_turns_far_from_where_it_was_headed_takes_the_roots_of_the_quartic():
    """Stopped normally but not by friction, the contact would slip along (-1, -2); with friction, along (-0.67, 0.74).

    Newton's method for the angle starts at the first and does not end at the second, which a search by `brentq` finds,
    too: slip in the direction d has P = P_N (1, -mu d) with U_N = 0, and U_T along d.
    """
    rows, speeds, mu = np.array([[1.0, 1, 1], [0, 0, 1], [2, -2, 0]]), np.array([0.0, -1, -1]), 0.5
    answer = solve(rows, speeds, [mu])
    assert answer.solver == ALONE
    assert answer.counts["quartic"] == 1
    g, b = rows @ rows.T, rows @ speeds

    def after(angle):
        push = np.array([1.0, -mu * math.cos(angle), -mu * math.sin(angle)])
        return b - b[0] / (g[0] @ push) * g @ push

    def across(angle):
        return math.cos(angle) * after(angle)[2] - math.sin(angle) * after(angle)[1]

    angle = brentq(across, 2.0, 2.5)
    assert answer.after == pytest.approx(after(angle), abs=1e-12)
    assert answer.after[1:] @ [math.cos(angle), math.sin(angle)] > 0.2


def test_a_contact_that_sticks_at_the_edge_of_its_cone_alone_goes_on_to_newtons_method():
    """A contact of rank two: P = (3 - s, s, s - 3) stops it for all s, inside the cone of mu = 2 up to one s.

    The impulses of least norm, s = 2, are outside by a little, so that those at the edge are the smallest. Elimination
    finds some s; whether those impulses are inside, rounding decides, and where they are not, no direction of slip is
    a solution, either.
    """
    edge = 3 * math.sqrt(3) / (1 + math.sqrt(3))
    missed = 0
    for answer in copies([[0, 1], [-1, 1], [1, 0]], [3, -3], [2.0]):
        assert answer.code == codes.SOLVED
        assert answer.impulse == pytest.approx([3 - edge, edge, edge - 3], abs=1e-8)
        missed += answer.counts["single_missed"]
        assert answer.solver == (NEWTON if answer.counts["single_missed"] else ALONE)
    assert missed > 0


def test_a_grazing_contact_of_high_friction_is_left_without_impulse_by_one_that_slips():
    """The first contact, with mu = 2, neither approaches nor leaves, but slips: Newton's method lets it come and go.

    The second alone slips at the edge of its cone, P = (0.4, 0.2), by which the first leaves with 0.4 m/s.
    """
    rows = [[-1, 0], [0, 1], [0, 0], [-1, 1], [0, 1], [0, 0]]
    answer = solve(rows, [0, -1], [2.0, 0.5])
    assert (answer.solver, answer.counts["descended"]) == (ALONE, 0)
    assert answer.impulse == pytest.approx([0, 0, 0, 0.4, 0.2, 0], abs=1e-14)
    assert answer.after == pytest.approx([0.4, -0.4, 0, 0, -0.4, 0], abs=1e-14)


def test_a_body_on_three_points_takes_projected_gradients():
    """A body of unit mass and inertia, 2 m above its points (-2, -2), (-1, 1) and (0, 1), of frictions 1, 2 and 1/2.

    Newton's method from zero goes round. The second point leaves, the others slip.
    """
    rows = body_jacobian(np.array([(-2, -2), (-1, 1), (0, 1)]), height=2.0)
    answer = solve(rows, [0, 2, -3, 2, -1, 3], [1.0, 2.0, 0.5])
    assert (answer.solver, answer.counts["descended"]) == (DESCENDED, 1)
    push, after = answer.impulse.reshape(3, 3), answer.after.reshape(3, 3)
    assert not push[1].any()
    assert after[1, 0] > 0.9
    for i, mu in [(0, 1.0), (2, 0.5)]:
        slip = np.hypot(*after[i, 1:])
        assert slip > 0.4
        assert push[i, 1:] == pytest.approx(-mu * push[i, 0] * after[i, 1:] / slip, abs=1e-12)


@pytest.mark.parametrize("apart", [1e-5, 1e-6])
def test_two_points_close_together_of_which_one_has_no_friction_take_the_path(apart):
    """A body of unit mass and inertia, 2 m above its points (2, 0), mu = 0, and (2 + apart, 0), mu = 1/4.

    The second bears alone and slips; its lever is longer, so that the first opens with less than `apart`. With both
    bearing, the impulses that stop both are far away on the other side: Newton's steps lead from one point to the other
    and back.
    """
    rows = body_jacobian(np.array([(2, 0), (2 + apart, 0)]), height=2.0)
    answer = solve(rows, [-2, 2, 1, 0, 1, -2], [0.0, 0.25])
    assert (answer.solver, answer.counts["continuation"]) == (FOLLOWED, 1)
    push, after = answer.impulse.reshape(2, 3), answer.after.reshape(2, 3)
    assert not push[0].any()
    assert 0 < after[0, 0] < apart
    assert push[1, 1:] == pytest.approx(-0.25 * push[1, 0] * after[1, 1:] / np.hypot(*after[1, 1:]), abs=1e-14)


def test_contacts_that_hardly_any_motion_opens_take_the_path_from_another_centre():
    """The path from contacts that yield to no impulse does not come to its end in all of them; from another it does."""
    recentred = 0
    for seed in (474, 771, 1805, 2321, 2799, 5064):
        impact = nearly_jammed(np.random.default_rng([3, seed]))
        answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
        assert answer.code == codes.SOLVED
        left = law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse)
        assert left <= max(1e-10, 8 * rounding(impact.delassus, impact.rate, answer.impulse))
        recentred += answer.counts["recentred"]
    assert recentred > 0


def test_a_contact_whose_smallest_impulses_would_leave_the_cone_has_those_at_its_edge():
    """One freedom, normal 1 and tangent -1: P_N - P_T = 1 stops it. The smallest such, (1/2, -1/2), takes mu = 1."""
    answer = solve([[1], [-1], [0]], [-1], [0.5])
    assert answer.counts["within_cones"] == 1
    assert answer.impulse == pytest.approx([2 / 3, -1 / 3, 0], abs=1e-12)


def test_the_smallest_impulses_beside_an_edge_of_a_nearly_flat_cone():
    """One freedom with two contacts of mu = 1000, rows (1, -2, 2) and (0, -1, 1).

    The second bears P_N = |P_T|/mu only because it must: with P = p (1, -2, 2) and q (sqrt(2)/mu, -1, 1), 9 p + 2 q = 1
    and 9 p^2 + (2 + 2/mu^2) q^2 least, q = p/(1 + 1/mu^2). The search for them ends a rounding outside that cone on
    some processors: there the way to them is gone as far as the cones allow.
    """
    mu, partly = 1e3, 0
    p = 1 / (9 + 2 / (1 + mu**-2))
    q = p / (1 + mu**-2)
    for answer in copies([[1], [-2], [2], [0], [-1], [1]], [-1], [mu, mu]):
        assert answer.code == codes.SOLVED
        assert answer.impulse == pytest.approx([p, -2 * p, 2 * p, math.sqrt(2) / mu * q, -q, q], abs=1e-9)
        assert answer.counts["within_cones"] == 1
        partly += answer.counts["partly"]
    assert partly > 0


def test_a_wall_that_closes_in_where_the_normal_moves_nothing_is_not_stopped_by_an_impulse_of_any_size():
    """Friction moves the contact, its normal nothing: U_N = -2 for all impulses, but beside 1e17 that is rounding."""
    rows = np.array([[0, 0], [1, 2], [0, 0], [2, 0], [2, 1], [0, 0]], float)
    for mu in (1.0, 1e3):
        answer = solve_cone_problem(rows @ rows.T, [-2.0, 1, 0, -2, -3, 0], [mu, mu])
        assert (answer.code, answer.counts["unsolved"]) == (codes.UNSOLVED, 1)
