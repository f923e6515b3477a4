"""Turned with gravity by parameters, or moved far from the origin, a model meets the same events."""

from __future__ import annotations

import numpy as np
import pytest
from invariance import MODELS, place_differences, turn_differences

FEW = 2
"""Events of each model from which a quick run compares the next ones; the slow test takes more."""

QUARTERS = np.pi / 2 * np.eye(3)
RANDOM = np.random.default_rng(11).uniform(-np.pi, np.pi, (3, 3))


@pytest.mark.parametrize("name", MODELS)
def test_turned_with_gravity_a_model_meets_the_same_events(name):
    for angles in (QUARTERS[0], QUARTERS[1], RANDOM[0]):
        for k, difference in turn_differences(name, angles, FEW):
            assert difference is None or difference.worst <= 1.0, (name, angles, k, difference)


@pytest.mark.parametrize("name", MODELS)
def test_moved_far_from_the_origin_a_model_meets_the_same_events(name):
    for axis in range(3):
        for k, difference in place_differences(name, axis, FEW):
            assert difference is None or difference.worst <= 1.0, (name, axis, k, difference)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_turned_and_moved_a_model_meets_the_same_events_from_many_events(name):
    for angles in (*QUARTERS, *RANDOM):
        for k, difference in turn_differences(name, angles, 30):
            assert difference is None or difference.worst <= 1.0, (name, angles, k, difference)
    for axis in range(3):
        for k, difference in place_differences(name, axis, 30):
            assert difference is None or difference.worst <= 1.0, (name, axis, k, difference)
