"""The promise: a die that is thrown from random orientations is fair."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from sympact import SympactWarning, ensemble
from sympact.analysis.faces import Shares
from sympact.models import dice


def thrown(count: int, **edges: float) -> Shares:
    """Which side is up after throws from orientations that are uniformly distributed, with one spin."""
    turn = np.random.default_rng(17).normal(size=(count, 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    start = {f"e_{i}": turn[:, i] for i in range(4)} | {f"omega_{i}": 30.0 for i in (1, 2, 3)}
    ready = dice()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)  # corners that hit nearly together
        found = ensemble(
            ready, (0, 2), start | {"z": 0.05, "v_x": 0.1, "v_y": 0, "v_z": 0}, {"e": 0.3, **edges}, keep="end"
        )
    assert found.success.all()
    assert found.at_rest.all()
    system = ready.model.source
    return found.sides(system.bodies[0].frame, system.frame.z)


@pytest.mark.slow
def test_a_hundred_thousand_throws_of_a_fair_die():
    assert thrown(100_000).chi_square()[1] > 1e-3


@pytest.mark.as_machine_code
def test_a_box_stands_seldom_on_its_small_faces():
    """Opposite sides of a box are alike; 10,000 throws have 2.1 % on the small faces of 1:1:2."""
    shares = thrown(300, c=0.04)
    assert shares["+z"].high < 0.07
    assert shares["+z"].low <= 0.0105 <= shares["+z"].high
    flat = np.array([shares.counts[side] for side in ("+x", "-x", "+y", "-y")])
    assert ((flat - flat.mean()) ** 2 / flat.mean()).sum() < 16.3  # chi-square of 3 degrees, p = 0.001
