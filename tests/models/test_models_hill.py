"""The promise: a disc that rolls over a smooth hill slips and leaves where energy and balance of forces say so."""

from __future__ import annotations

import re
from math import cos, hypot, sin

import numpy as np
import pytest
from example_scripts import ROOT, run
from friction_runs import rubbing
from quick_members import members
from rest_runs import GRAVITY, numbers
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from sympact import models

CLOSE = 1e-9


class Hill:
    """y = a (1 - tanh(x/b))/2 with a disc of radius r on it, by the place x of contact."""

    def __init__(self, p) -> None:
        self.r, self.a, self.b = p["r"], p["a"], p["b"]

    def slope(self, x):
        return -self.a / (2 * self.b * np.cosh(x / self.b) ** 2)

    def normal(self, x):
        return np.array([-self.slope(x), 1]) / hypot(1, self.slope(x))

    def centre(self, x):
        return np.array([x, self.a * (1 - np.tanh(x / self.b)) / 2]) + self.r * self.normal(x)

    def bend(self, x):
        """The curvature of the way of the centre."""
        second = self.a * np.tanh(x / self.b) / (self.b * np.cosh(x / self.b)) ** 2
        convex = -second / hypot(1, self.slope(x)) ** 3
        return convex / (1 + self.r * convex)

    def angle(self, x):
        return -np.arctan(self.slope(x))

    def pressure(self, x, square):
        return GRAVITY * cos(self.angle(x)) - square * self.bend(x)


def start_of(ready) -> tuple[Hill, float, float]:
    hill, start = Hill(numbers(ready)), ready.named_start()
    x = brentq(lambda x: hill.centre(x)[0] - start["x"], -1.5, -1.0, xtol=1e-15)
    return hill, x, hypot(start["v_x"], start["v_y"])


def event_of(result, kind):
    return next(event for event in result.events if event.kind == kind)


def test_without_friction_it_leaves_where_energy_and_balance_say():
    """v^2 = v0^2 + 2 g (y0 - y) and v^2/R = g cos(alpha)."""
    ready = models.hopping_disc().with_numbers({"mu": 0.0}, t_span=(0, 0.7))
    hill, start, speed = start_of(ready)

    def square(x):
        return speed**2 + 2 * GRAVITY * (hill.centre(start) - hill.centre(x))[1]

    place = brentq(lambda x: hill.pressure(x, square(x)), start, -0.18, xtol=1e-15)
    leaves = event_of(rubbing(ready), "open")
    np.testing.assert_allclose(leaves.x_plus[:2], hill.centre(place), rtol=0, atol=CLOSE)
    assert leaves.x_plus[3] ** 2 + leaves.x_plus[4] ** 2 == pytest.approx(square(place), abs=10 * CLOSE)


@pytest.mark.parametrize(("k", "mu"), members([(0.5, 0.6), (0.4, 0.3), (1.0, 1.5)], slow=[(0.5, 0.6), (1.0, 1.5)]))
def test_with_friction_it_rolls_slips_and_leaves(k, mu):
    """Rolling with (1 + k) v^2/2 until k/(1 + k) g sin = mu N, then v' = g sin - mu N until N = 0."""
    ready = models.hopping_disc().with_numbers({"k": k, "mu": mu}, t_span=(0, 0.8))
    hill, start, speed = start_of(ready)

    def square(x):
        return speed**2 + 2 * GRAVITY * (hill.centre(start) - hill.centre(x))[1] / (1 + k)

    def spare(x):
        return mu * hill.pressure(x, square(x)) - k / (1 + k) * GRAVITY * sin(hill.angle(x))

    def motion(t, state):
        x, v = state
        ahead = (1 - hill.r * hill.bend(x)) * cos(hill.angle(x))
        return [v * ahead, GRAVITY * sin(hill.angle(x)) - mu * hill.pressure(x, v**2)]

    def pressure(t, state):
        return hill.pressure(state[0], state[1] ** 2)

    pressure.terminal = True
    slips = brentq(spare, start, -0.18, xtol=1e-15)
    start = [slips, square(slips) ** 0.5]
    sliding = solve_ivp(motion, (0, 1), start, "DOP853", events=pressure, rtol=1e-13, atol=1e-15)
    result = rubbing(ready)
    slip, leaves = event_of(result, "slip"), event_of(result, "open")
    np.testing.assert_allclose(slip.x_plus[:2], hill.centre(slips), rtol=0, atol=CLOSE)
    assert hypot(*slip.x_plus[3:5]) == pytest.approx(-hill.r * slip.x_plus[5], abs=CLOSE)
    place, fast = sliding.y_events[0][0]
    np.testing.assert_allclose(leaves.x_plus[:2], hill.centre(place), rtol=0, atol=CLOSE)
    assert hypot(*leaves.x_plus[3:5]) == pytest.approx(fast, abs=CLOSE)
    assert leaves.t - slip.t == pytest.approx(sliding.t_events[0][0], abs=CLOSE)


def test_the_example_prints_the_same_places_twice(tmp_path):
    text = run(ROOT / "examples" / "hopping_disc.py", tmp_path)
    pairs = re.findall(r"(?:at x =|after) (-?\d\.\d+) \S+ .*?(-?\d\.\d+) [ms][.,]", text)
    assert len(pairs) == 4
    np.testing.assert_allclose(*np.transpose(np.array(pairs, float)), rtol=0, atol=CLOSE)
