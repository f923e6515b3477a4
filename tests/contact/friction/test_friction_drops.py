"""Boxes with friction that are dropped until they lie still, and drops whose symmetry friction must keep."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from quick_members import members
from trajectory import check_trajectory

from sympact import HybridModel, Plastic
from sympact.models import dropped_cube

SPIN, SPEED, HEIGHT = 8.0, 0.5, 2.0  # largest spin (rad/s) and horizontal speed (m/s), height of the centre (m)


@cache
def cube():
    """The box with friction as machine code, and its letters by name."""
    model = dropped_cube(friction=0.3).model
    return model.compile(), {letter.name: letter for letter in model.parameters}


def numbers(edges=(1.0, 1.0, 1.0), e=0.5, mu=0.3) -> np.ndarray:
    code, letters = cube()
    values = {"m": 1.0, "g": 9.8, "e": e, "mu": mu, **dict(zip("abc", edges, strict=True))}
    return code.parameters({letters[name]: value for name, value in values.items()})


def random_start(seed: int, height: float = HEIGHT) -> np.ndarray:
    """[position, quaternion, velocity, spin in the body]."""
    random = np.random.default_rng(seed)
    turn, axis = random.normal(size=4), random.normal(size=3)
    spin = SPIN * random.random() * axis / np.linalg.norm(axis)
    return np.array([0, 0, height, *turn / np.linalg.norm(turn), *random.uniform(-SPEED, SPEED, 2), 0, *spin])


def dropped(x0, p, span=20.0, **settings):
    """The result, and all gaps along its accepted steps, shape (8, n)."""
    code, _ = cube()
    result = code.simulate((0, span), x0, p, **({"rtol": 1e-9, "atol": 1e-11} | settings))
    model = code.model
    check_trajectory(result, model, dict(zip(model.parameters, p, strict=True)), rtol=result.settings["rtol"])
    x = np.ascontiguousarray(result._record.x.T)
    return result, np.array(code.gaps_along(result._record.t, x, code.all_parameters(p))[:8])


DROPS = [
    *((seed, (1.0, 1.0, 1.0), 0.5, 0.3) for seed in (0, 29, 957, 965)),
    (1, (1.0, 1.0, 1.0), 0.5, 0.8),
    (2, (1.0, 1.0, 1.0), 0.5, 0.05),
    (3, (1.0, 1.0, 1.0), 0.0, 0.3),
    (4, (1.0, 2.0, 8.0), 0.5, 0.3),
    (5, (1.0, 2.0, 8.0), 0.0, 0.3),
]


@pytest.mark.parametrize(("seed", "edges", "e", "mu"), members(DROPS, slow=[DROPS[0], DROPS[4], DROPS[7]]))
def test_a_box_comes_to_rest_on_a_face(seed, edges, e, mu):
    """All speeds exactly zero, four corners on the floor, nothing below it, no energy gained (e <= 1/2)."""
    height = max(HEIGHT, 0.6 * float(np.linalg.norm(edges)))
    result, gaps = dropped(random_start(seed, height), numbers(edges, e, mu))
    assert result.status.name == "FINISHED"
    assert not result._record.x[-1, 7:].any()
    assert (np.abs(gaps[:, -1]) <= 1e-9 * max(edges)).sum() == 4
    assert gaps.min() >= -1e-9 * max(edges)
    assert result._record.event_numbers["energy"].max() <= 1e-12


@cache
def plastic_cube():
    model = dropped_cube(friction=0.3).model
    return HybridModel(model.source, model.contacts, impact=Plastic()).compile()


@pytest.mark.parametrize("seed", [25, 51, 62, 73, 89, 90])
def test_a_cube_rests_although_a_pull_alone_would_stop_its_corner(seed):
    """In these drops a corner hits while it slips so fast that only a pull would stop it: friction brakes it."""
    result = plastic_cube().simulate((0, 20.0), random_start(seed), numbers(e=0.0), rtol=1e-9, atol=1e-11)
    assert result.status.name == "FINISHED"
    assert not result._record.x[-1, 7:].any()
    hits = [event for event in result.events if event.kind == "impact"]
    normal = np.concatenate([hit.impulse for hit in hits])
    friction = np.concatenate([np.linalg.norm(hit.friction_impulse, axis=1) for hit in hits])
    assert (friction[normal > 0] / normal[normal > 0]).max() == pytest.approx(1e3, rel=1e-6)
    assert max(event.energy for event in hits) <= 1e-12


def test_a_flat_drop_with_friction_stays_symmetric():
    """Four corners at once, 100 bounces and more: nothing turns, nothing moves sideways."""
    start = np.array([0, 0, 2.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    result, _ = dropped(start, numbers(e=0.99), 200.0, rtol=1e-12, atol=1e-14)
    assert len(result.events) > 100
    sideways = [0, 1, 4, 5, 6, 7, 8, 10, 11, 12]
    assert np.abs(result._record.x[:, sideways]).max() < 1e-12


def test_a_drop_on_an_edge_with_friction_keeps_its_plane():
    """Turned about x by 0.6: the motion stays in the plane x = 0, also while corners stick and slip."""
    half = 0.3
    start = np.array([0, 0, 2.0, np.cos(half), np.sin(half), 0, 0, 0, 0, 0, 0, 0, 0])
    result, _ = dropped(start, numbers(e=0.8), 20.0, rtol=1e-12, atol=1e-14)
    assert not result._record.x[-1, 7:].any()
    assert np.abs(result._record.x[:, [0, 5, 6, 7, 11, 12]]).max() < 1e-12


def test_momentum_changes_by_the_impulses():
    """m (v+ - v-) is the sum of all impulses, along the normal and along the floor, at every event of a drop."""
    result, _ = dropped(random_start(7), numbers(), 5.0)
    for event in result.events:
        if event.kind in ("impact", "accumulation"):
            change = event.x_plus[7:10] - event.x_minus[7:10]
            given = event.friction_impulse.sum(axis=0) + np.array([0, 0, event.impulse.sum()])
            assert np.abs(change - given).max() < 1e-4 * 9.8  # what closing takes out of hops is in no impulse


def corner_velocity(x: np.ndarray, signs: str) -> np.ndarray:
    """The velocity of a corner of the unit cube by rigid-body kinematics: v + R (omega x r)."""
    e0, *e = x[3:7]
    e, r = np.array(e), np.array([0.5 if sign == "+" else -0.5 for sign in signs])
    arm = np.cross(x[10:13], r)
    return x[7:10] + arm + 2 * np.cross(e, np.cross(e, arm) + e0 * arm)


def test_forces_obey_coulombs_law_all_along():
    """Sticking corners do not move and hold within the cone; slipping ones are held back by mu times what they bear."""
    code, _ = cube()
    result, _ = dropped(np.array([0, 0, 0.5, 1, 0, 0, 0, 1.5, 0.4, 0, 0, 0, 2.0]), numbers(e=0.0), 2.0)
    record, stages = result._record, result.stages
    assert {"stick", "close"} <= {str(event.kind) for event in result.events}
    normal, friction, seen = result.normal_force, result.friction_force, set()
    for k in range(1, len(record.t)):
        for j, name in enumerate(code.contact_names):
            bears, held = normal[j, k], friction[j, :, k]
            velocity = corner_velocity(record.x[k], name)
            assert abs(held[2]) < 1e-12
            assert np.linalg.norm(held) <= 0.3 * bears + 1e-9
            if f"{name} slips" in stages[k] and np.linalg.norm(velocity) > 1e-6:
                seen.add("slips")
                assert np.allclose(held, -0.3 * bears * velocity / np.linalg.norm(velocity), atol=1e-8)
            if f"{name} sticks" in stages[k]:
                seen.add("sticks")
                assert np.linalg.norm(velocity) < 1e-9
    assert seen == {"slips", "sticks"}
