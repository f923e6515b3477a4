"""Turned with gravity by parameters, or moved far from the origin, a model meets the same events."""

from __future__ import annotations

import numpy as np
import pytest
from invariance import MODELS, THIRDS, case_of, elsewhere, following, place_differences, turn_differences, turned
from quick_members import members

FEW = 2
"""Events of each model from which a quick run compares the next ones; the slow test takes more."""

OUT_OF_PLANE = {"block_on_belt", "rolling_ball", "struck_stack"}
"""Planar models whose contacts stick: turned out of the plane of their frame, the tangent across it, which nothing
moves along, is a row of roundings in place of zeros, and what friction does with it shows. They are turned in their
plane here, until rows of rounding are none everywhere."""

QUARTERS = np.pi / 2 * np.eye(3)
RANDOM = np.random.default_rng(11).uniform(-np.pi, np.pi, (3, 3))


def ways(name: str, turns) -> list[np.ndarray]:
    """The turns of a model, one about the normal of its plane among them."""
    return [QUARTERS[2], np.array([0.0, 0.0, 1.0])] if name in OUT_OF_PLANE else [*turns, QUARTERS[2]]


@pytest.mark.parametrize("name", members(MODELS, slow={*MODELS} - {*THIRDS[1]}))
def test_turned_with_gravity_a_model_meets_the_same_events(name):
    for angles in ways(name, (QUARTERS[0], QUARTERS[1], RANDOM[0])):
        for k, difference in turn_differences(name, angles, FEW):
            assert difference is None or difference.worst <= 1.0, (name, angles, k, difference)


@pytest.mark.parametrize("name", members(MODELS, slow={*MODELS} - {*THIRDS[2]}))
def test_moved_far_from_the_origin_a_model_meets_the_same_events(name):
    for axis in range(3):
        for k, difference in place_differences(name, axis, FEW):
            assert difference is None or difference.worst <= 1.0, (name, axis, k, difference)


def test_the_turned_woodpecker_goes_on_from_an_edge_that_opens():
    """Where an edge opens no gap accelerates, and the rate of the edge is rounding beside that of the beak."""
    whole = case_of("woodpecker").result
    event = next(one for one in whole.events if one.kind == "open" and one.contacts == ("high edge",))
    expected = following(whole, event.t)
    run = turned(elsewhere("woodpecker"), RANDOM[0]).run((event.t, expected[-1].t + 1e-3), event.x_plus)
    met = following(run, event.t, slack=1e-9)
    assert [(one.kind, one.contacts) for one in met] == [(one.kind, one.contacts) for one in expected]
    np.testing.assert_allclose([one.t for one in met], [one.t for one in expected], rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_turned_and_moved_a_model_meets_the_same_events_from_many_events(name):
    for angles in ways(name, (*QUARTERS, *RANDOM)):
        for k, difference in turn_differences(name, angles, 30):
            assert difference is None or difference.worst <= 1.0, (name, angles, k, difference)
    for axis in range(3):
        for k, difference in place_differences(name, axis, 30):
            assert difference is None or difference.worst <= 1.0, (name, axis, k, difference)
