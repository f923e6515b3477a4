"""In other units of length, time and mass, the tolerances with them, a model meets the same events."""

from __future__ import annotations

import numpy as np
import pytest
from invariance import MODELS, THIRDS, case_of, exponents, unit_differences
from quick_members import members

FEW = 2
UNITS = [10.0 ** (6 * sign * np.eye(3)[axis]) for axis in range(3) for sign in (1, -1)]


def test_units_of_known_letters_are_found():
    """Those of a woodpecker toy: m, kg m^2, N m/rad, m/s^2 and none."""
    case = case_of("woodpecker")
    _, powers, left = exponents(case)
    found = dict(zip([str(letter) for letter in case.parameters_in_order], powers.tolist(), strict=True))
    assert left.max() < 1e-6
    assert found["g"] == [1, -2, 0]
    assert found["m_S"] == [0, 0, 1]
    assert found["J_S"] == [2, 0, 1]
    assert found["c"] == [2, -2, 1]
    assert found["l_S"] == [1, 0, 0]
    assert found["mu"] == found["e_beak"] == [0, 0, 0]


@pytest.mark.parametrize("name", members(MODELS, slow={*MODELS} - {*THIRDS[0]}))
def test_in_other_units_a_model_meets_the_same_events(name):
    for factors in UNITS:
        for k, difference in unit_differences(name, factors, FEW):
            assert difference is None or difference.worst <= 1.0, (name, factors, k, difference)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_in_other_units_a_model_meets_the_same_events_from_many_events(name):
    for factors in UNITS:
        for k, difference in unit_differences(name, factors, 30):
            assert difference is None or difference.worst <= 1.0, (name, factors, k, difference)
