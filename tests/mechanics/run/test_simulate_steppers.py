"""Every stepper finds the impacts of the two links, with the error that its order foretells."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from trajectory import check_trajectory

from sympact import models
from sympact.integrate.result import Result

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "two_link_floor.json").read_text(encoding="utf-8"))
TIMES = np.array([float(impact["t"]) for impact in REFERENCE["reference"]["impacts"]])


ROUGH = {"Euler": 1e-2, "improved Euler": 1e-3, "BDF": 1e-3}
"""Of the momentum of a step: order p gets (h r)^p wrong, h the step and r, some 10/s, the rate at which forces change.

BDF begins with the first order.
"""


@cache
def links() -> models.ReadyModel:
    return models.two_links()


def swing(method: str, impacts: int, **options) -> Result:
    """The first impacts of the links, checked."""
    ready = links()
    span = (0, TIMES[impacts - 1] + 0.05)
    result = ready.model.simulate(span, ready.start, ready.parameters, method=method, **options)
    check_trajectory(result, ready.model, ready.parameters, motion=ROUGH.get(method, 1e-5))
    return result


@pytest.mark.parametrize(
    ("method", "options", "impacts", "error"),
    [
        ("DOP853", {"rtol": 1e-12, "atol": 1e-14}, 6, 2e-11),
        ("DOP853", {"rtol": 1e-9}, 6, 3e-8),
        ("DOP853", {"rtol": 1e-6, "atol": 1e-9}, 4, 1e-6),
        ("RK45", {"rtol": 1e-12, "atol": 1e-14}, 6, 1e-10),
        ("RK45", {"rtol": 1e-9}, 6, 1e-7),
        ("RK4", {"max_step": 1e-3}, 6, 1e-8),
        ("improved Euler", {"max_step": 1e-3}, 3, 3e-4),
        ("Euler", {"max_step": 1e-4}, 2, 1e-3),
        ("Radau", {"rtol": 1e-8, "atol": 1e-10}, 3, 1e-7),
        ("BDF", {"rtol": 1e-8, "atol": 1e-10}, 3, 3e-6),
        ("LSODA", {"rtol": 1e-10, "atol": 1e-12}, 4, 1e-7),
    ],
)
def test_first_impacts(method, options, impacts, error):
    """Errors grow about threefold with each impact, and are a multiple of the tolerance or of a power of the step."""
    result = swing(method, impacts, **options)
    assert len(result.events) == impacts
    np.testing.assert_allclose(result.events.t, TIMES[:impacts], rtol=0, atol=error)


@pytest.mark.parametrize(("method", "order"), [("RK4", 4), ("improved Euler", 2), ("Euler", 1)])
def test_the_error_of_an_impact_falls_with_the_step(method, order):
    """Order p through two impacts: halving the step divides the error by 2^p."""
    steps = {"RK4": 0.02, "improved Euler": 0.004, "Euler": 0.001}[method] / 2.0 ** np.arange(4)
    errors = [abs(swing(method, 2, max_step=step).events.t[1] - TIMES[1]) for step in steps]
    fitted = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert fitted == pytest.approx(order, abs=0.15)


def test_tighter_tolerances_give_smaller_errors():
    errors = [abs(swing("DOP853", 4, rtol=rtol).events.t[3] - TIMES[3]) for rtol in (1e-5, 1e-7, 1e-9, 1e-11)]
    assert all(fine < coarse / 5 for coarse, fine in pairwise(errors))


def test_fixed_steps_stay_fixed():
    result = swing("RK4", 2, max_step=0.01)
    full = np.diff(result.t)
    assert full.max() <= 0.01 * (1 + 1e-9)
    assert np.isclose(full, 0.01).mean() > 0.95
