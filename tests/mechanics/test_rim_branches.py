"""The promise: where a rim's lowest place passes from the side of a capsule to its end, one event tells it.

The lowest place is a minimum: which part of the capsule it is over is known from the place alone, found here by looks.
"""

from __future__ import annotations

import numpy as np
import pytest
from implicit_models import RADIUS, free_body, toss
from quick_members import members

from sympact import Capsule, Disc, Status

BAR, END = 0.05, 0.3  # m: the capsule lies along x from O


@pytest.fixture(scope="module")
def model():
    def bar(N, O):
        return Capsule(O, O.locatenew("E", END * N.x), BAR, frame=N)

    return free_body(lambda B, C: Disc(C, B.z, RADIUS, frame=B), bar)


def lowest_part(q) -> float:
    """How far along the capsule (0 to 1, and beyond) the place of the rim is that is nearest to it."""
    turn, reach = 0.0, np.pi
    for _ in range(30):
        angles = turn + reach * np.linspace(-1, 1, 101)
        rim = q[:3, None] + attitude(*q[3:]) @ (RADIUS * np.array([np.cos(angles), np.sin(angles), 0 * angles]))
        away = rim - np.array([[END], [0], [0]]) * np.clip(rim[0] / END, 0, 1)
        k = np.linalg.norm(away, axis=0).argmin()
        turn, reach = angles[k], 0.1 * reach
    return rim[0, k] / END


def attitude(a, b, c) -> np.ndarray:
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    about_y = np.array([[ca, 0, sa], [0, 1, 0], [-sa, 0, ca]])
    about_x = np.array([[1, 0, 0], [0, cb, -sb], [0, sb, cb]])
    return about_y @ about_x @ np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])


def test_each_end_of_the_capsule_is_one_condition(model):
    names = [switch.names for switch in model.derivation.switches]
    assert names == [("C before E", "C past E"), ("C past O", "C before O")]


@pytest.mark.parametrize("seed", members(range(12), slow=range(1, 12)))
def test_every_crossing_is_told_once(model, seed):
    """Of a hoop that tumbles freely past an end of the bar; crossings are counted between samples."""
    rng = np.random.default_rng(seed)
    end = END * rng.integers(2)
    q = np.array([end, 0.2, 0.3, *rng.uniform(-1, 1, 3)]) + np.array([*rng.uniform(-0.05, 0.05, 3), 0, 0, 0])
    u = [*rng.uniform(-0.3, 0.3, 2), 1.5, *rng.uniform(-15, 15, 3)]
    result = toss(model, 0.2, q, u, max_step=0.002)
    assert result.status is Status.FINISHED
    parts = np.array([lowest_part(x[:6]) for x in result.x.T])
    crossings = {
        name: int(np.count_nonzero(np.diff(parts > bound))) for bound, name in ((0.0, "C past O"), (1.0, "C before E"))
    }
    switches = [name for event in result.events if event.kind == "switch" for name in event.contacts]
    assert {name: switches.count(name) for name in crossings} == crossings
    assert len(switches) == sum(crossings.values())
