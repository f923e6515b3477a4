"""Cone problems that start from the last answer: the same law, and the same forces."""

import numpy as np
import pytest
from hypothesis import strategies as st
from quick_members import examples
from random_cones import SQUARE, body_jacobian, law_residual, planar, redundant, spatial

from sympact.contact.memory import contact_codes as codes
from sympact.contact.solver_calls import ConeCall, solve_cone_problem

MOVE = 1e-6
"""Relative: so little that hardly any contact opens or closes."""


def continued(delassus, first, second, friction):
    """The answer with the second rates, from that with the first."""
    call = ConeCall(delassus, first, friction, continues=True)
    assert call() == codes.SOLVED
    call.move(delassus, second)
    assert call() == codes.SOLVED
    return call.answer()


@examples(67, 200, st.sampled_from([planar, spatial, redundant]), st.integers(0, 2**32 - 1))
def test_the_law_holds_from_the_last_answer(kind, seed):
    """The residual is measured by another function than the solver's."""
    rng = np.random.default_rng(seed)
    impact = kind(rng)
    second = impact.rate * (1 + MOVE * rng.normal(size=impact.rate.shape))
    if kind is redundant:
        second = impact.rate * (1 + MOVE)  # rates of dependent rows depend on each other
    answer = continued(impact.delassus, impact.rate, second, impact.friction)
    assert law_residual(impact.delassus, second, impact.friction, answer.impulse) <= 1e-10


@pytest.mark.parametrize("mu", [0.3, 0.6, 1.0])
def test_redundant_contacts_have_the_same_least_forces_from_the_last_answer_and_cold(mu):
    """A cube pushed sideways sticks on four corners: the forces are not unique, the least within the cones are.

    The push of each problem is in another direction, so that it loads other corners. No push exceeds friction.
    """
    jacobian = body_jacobian(SQUARE)
    inverse_mass = np.diag([1, 1, 1, 6, 6, 6.0])
    delassus, friction = jacobian @ inverse_mass @ jacobian.T, np.full(4, mu)
    call = ConeCall(delassus, np.zeros(12), friction, continues=True)
    for angle in np.linspace(0.3, 0.5, 10):
        rate = jacobian @ np.array([0.25 * np.cos(angle), 0.25 * np.sin(angle), -1.0, 0, 0, 0])
        call.move(delassus, rate)
        assert call() == codes.SOLVED
        warm, cold = call.answer(), solve_cone_problem(delassus, rate, friction)
        assert warm.after == pytest.approx(np.zeros(12), abs=1e-13)
        assert warm.impulse == pytest.approx(cold.impulse, abs=1e-12)
    assert call.answer().counts["continued"] >= 8


def test_contacts_that_no_load_presses_have_no_forces_whatever_their_last_answer():
    """The answer of a cold start is zero, though self-stress would fit into the cones, too."""
    jacobian = body_jacobian(SQUARE)
    inverse_mass = np.diag([1, 1, 1, 6, 6, 6.0])
    delassus = jacobian @ inverse_mass @ jacobian.T
    pressed, lifted = (jacobian @ np.array([0, 0, speed, 0, 0, 0]) for speed in (-1.0, 1.0))
    answer = continued(delassus, pressed, lifted, np.full(4, 0.5))
    assert answer.counts["continued"] == 0
    assert not answer.impulse.any()
