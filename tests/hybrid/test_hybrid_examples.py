"""The thermostat and the two tanks, run as scripts with warnings as errors: they print what closed forms say."""

import re
from math import log, sqrt

import numpy as np
import pytest
from constrained_examples import after
from example_scripts import load, printed, printed_times
from process_examples import PROCESSES
from scipy.integrate import solve_ivp


@pytest.mark.parametrize("name", PROCESSES)
def test_example_runs_and_draws(name):
    assert f"The picture is in {name}.png" in printed(name)


def test_the_thermostat_keeps_its_periods():
    """The room falls to 2 degrees and rises to 38, both with the time constant of 8 h."""
    text = printed("thermostat")
    first = [8 * log(17 / 16), 8 * log(20 / 18), 8 * log(18 / 16)]  # up from 21 to 22, down to 20, up to 22
    np.testing.assert_allclose(printed_times(text)[:3], np.cumsum(first), rtol=0, atol=1e-8)
    for width, cycle in re.findall(r"band of ([\d.]+) K: .* cycle ([\d.]+) min", text):
        low, high = 21 - float(width) / 2, 21 + float(width) / 2
        truth = 480 * (log((38 - low) / (38 - high)) + log((high - 2) / (low - 2)))
        assert float(cycle) == pytest.approx(truth, abs=2e-8)


def test_without_a_band_the_room_slides_with_the_power_that_it_needs():
    text = printed("thermostat")
    assert "room [21 - T = 0]" in text
    assert after(text, "from t =") == pytest.approx(480 * log(18 / 17), abs=1e-6)
    assert after(text, "min on, heater on") == pytest.approx(19 / 36, abs=1e-6)


def test_the_tanks_lose_no_water_and_empty_as_torricelli_says():
    text = printed("two_tanks")
    assert printed_times(text)[0] == pytest.approx(2 * (sqrt(0.45) - sqrt(0.2)) / 0.015, abs=1e-8)
    assert abs(after(text, "missing")) < 1e-11


def test_the_tanks_agree_with_scipy_in_every_stage():
    example = load("two_tanks")
    process = example.tanks()
    result = process.simulate((0, 300), [0.5, 0.45, 0.0], start="closed", rtol=1e-12, atol=1e-12)
    flows = {
        example.name(i, j): lambda t, h, i=i, j=j: [
            0.02 * i - 0.04 * j * sqrt(h[0]),
            0.04 * j * sqrt(h[0]) - 0.015 * sqrt(h[1]),
        ]
        for i in (0, 1)
        for j in (0, 1)
    }
    begins = [(0.0, np.array([0.5, 0.45]), "closed")]
    begins += [(event.t, event.x_plus[:2], event.target) for event in result.events]
    assert len(begins) > 15
    for (t0, x0, stage), t1 in zip(begins, [*result.events.t, 300.0], strict=True):
        truth = solve_ivp(flows[stage], (t0, t1), x0, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        np.testing.assert_allclose(result(t1)[:2], truth, rtol=0, atol=1e-10)
