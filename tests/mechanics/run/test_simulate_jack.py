"""A cross in a box that goes up and down and rocks: sixteen contacts of moving tips against moving walls."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.jack import Jack
from rest_runs import TIGHT, changed, numbers
from trajectory import check_trajectory

from sympact.integrate.result import Result
from sympact.models import ReadyModel, jack_in_a_box

PAIRS = [(tip, wall) for tip in range(4) for wall in range(4)]
"""In the order of the model's contacts."""

GROWTH = 7.0
"""By what an impact multiplies a small error: that of 20 impacts in a row grew from 1e-16 to 1e-5, measured."""


@cache
def ready(restitution: float) -> ReadyModel:
    return changed(jack_in_a_box(), t_end=4.0, e=restitution)


@cache
def run(restitution: float) -> Result:
    return ready(restitution).simulate(**TIGHT)


@pytest.mark.parametrize("restitution", [0.7, 1.0])
def test_impacts_are_those_of_an_independent_simulation(restitution):
    """Which tip meets which wall, when, and the speeds on both sides; the allowance grows from impact to impact."""
    known = numbers(ready(restitution))
    jack = Jack(
        known["m"], known["l"], known["g"], restitution, known["w"], *(known[k] for k in ("A", "omega", "B", "nu"))
    )
    exact = jack.impacts(np.array([0.1, 0.2, 0.3, 1, 2, 3]), 12)
    assert len(run(restitution).events) >= 12
    for k, (event, (t, tip, wall, before, after)) in enumerate(zip(run(restitution).events, exact, strict=False)):
        allowed = 1e-14 * GROWTH**k + 1e-11
        assert ready(restitution).model.contact(event.contacts[0]) == PAIRS.index((tip, wall))
        assert len(event.contacts) == 1
        assert event.t == pytest.approx(t, abs=allowed)
        # in that time a spin of 30 rad/s turns the arm of an impulse, whose change of the spin has the factor 12/l^2
        np.testing.assert_allclose(event.x_minus[3:], before, rtol=0, atol=1000 * allowed)
        np.testing.assert_allclose(event.x_plus[3:], after, rtol=0, atol=1000 * allowed)


@pytest.mark.parametrize("restitution", [0.7, 1.0])
def test_trajectory_is_one_of_impacts(restitution):
    check_trajectory(run(restitution), ready(restitution).model, ready(restitution).parameters)
