"""The promise: where a contact comes to touch at a second place the run ends and says so; nothing sinks in."""

from __future__ import annotations

import numpy as np
import pytest
from implicit_models import RADIUS, free_body

from sympact import Cylinder, Disc, Status

BAR = 0.3
NUMBERS = {"m": 1.0, "e": 0.0, "mu": 0.0}


@pytest.mark.parametrize("tilt", [0.02, 0.1, 0.3])
def test_a_hoop_that_falls_flat_on_a_bar_ends_on_both_sides_of_its_rim(tilt):
    """It hits the bar with the lower side, turns about it, and comes to lie with both sides at once."""
    model = free_body(lambda B, C: Disc(C, B.z, RADIUS, frame=B), lambda N, O: Cylinder(O, N.x, BAR, frame=N))
    start = [0.0, 0.0, BAR + 0.1, 0.0, 0.0, 0.0, *[0.0] * 6]
    start[3] = tilt
    parameters = {letter: NUMBERS[letter.name] for letter in model.parameters}
    result = model.simulate((0, 1.0), start, parameters, rtol=1e-9)
    assert result.status is Status.NOT_FINITE
    assert "at two places at once" in result.message
    lowest = np.array([gap_of_rim(*state) for state in result.x[:6].T])
    assert lowest.min() > -1e-9
    assert abs(rim_heights(*result.x[:6, -1])[[0, 500]]).max() < 1e-6


def rim_heights(x, y, z, a, b, c) -> np.ndarray:
    """Distances of places of the rim from the bar, the first and the 500th on either side of the hoop along x."""
    turn = np.linspace(0.0, 2 * np.pi, 1000, endpoint=False)
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    about_y = np.array([[ca, 0, sa], [0, 1, 0], [-sa, 0, ca]])
    about_x = np.array([[1, 0, 0], [0, cb, -sb], [0, sb, cb]])
    about_z = np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])
    rim = about_y @ about_x @ about_z @ (RADIUS * np.array([np.cos(turn), np.sin(turn), 0 * turn]))
    return np.hypot(y + rim[1], z + rim[2]) - BAR


def gap_of_rim(*state) -> float:
    """The least of these distances, from the parabola through the three lowest looks."""
    heights = rim_heights(*state)
    k = int(np.argmin(heights))
    before, here, after = heights[k - 1], heights[k], heights[(k + 1) % 1000]
    bend = before - 2 * here + after
    return here - (after - before) ** 2 / (8 * bend) if bend > 0 else here
