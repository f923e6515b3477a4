"""A fixed set of scenes of combined features: `make fuzz FAMILY=combined` draws more of them, for hours."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from quick_members import members

from fuzz.combined.compare import check_run
from fuzz.combined.draws import random_play, random_scene
from fuzz.combined.exact import Exact
from fuzz.combined.judge import judge, simulate
from fuzz.combined.polynomials import nearly, roots
from fuzz.combined.rows import Undecided, pushing, row
from fuzz.combined.scene import GROUND, Catch, Condition, Drive, Pair, Play, Scene, Touch, Watch
from fuzz.combined.scene_shrink import shrink_scene
from fuzz.combined.twins import ANGLES, PLACES, check_events, random_swing, random_twins
from fuzz.combined.twins import judge as judge_twins
from fuzz.combined.twins import simulate as simulate_twins
from fuzz.reading import Findings

SEEDS = [1, 3, 4, 5, 6, 7, 8, 9, 14, 17, 23, 28, 34, 36, 38, 39, 41, 42, 44, 46, 50, 51, 54, 56, 59]
"""Scenes of little cost in which contacts, latches, transitions, controllers and events meet."""


QUICK = {4, 6, 7, 9, 28, 38, 42, 56}
"""Those that have every part of a scene between them: contacts on both sides, with planes and limits, of carts and with
the ground; latches, gears, counters; each sort of condition, jump, controller and input."""


@pytest.mark.parametrize("seed", members(SEEDS, slow={*SEEDS} - QUICK))
def test_scenes_move_as_their_polynomials(seed):
    scene = random_scene(seed)
    verdict = judge(scene, random_play(scene, 0))
    assert [verdict.error, *map(str, verdict.violations)] == [""]


FAILED_ONCE = [
    *((77120, 0), (91054, 1)),  # a closed contact was named where a run goes on just before an event
    *((77003, 2), (77014, 2), (77020, 1), (77115, 2)),  # conditions that are zero at an event
    *(
        (77063, 0),
        (77077, 0),
        (77100, 0),
        (77167, 1),
    ),  # rebounds that end, rest, jumps that accumulate, a speed at rest
]
"""Seeds and runs of scenes; the closed forms of the slow ones are in ``mechanics/run/test_conditions_at_zero.py``."""


@pytest.mark.parametrize(("seed", "number"), members(FAILED_ONCE, slow=FAILED_ONCE[2:]))
def test_scenes_that_failed_once_move_as_their_polynomials(seed, number):
    scene = random_scene(seed)
    verdict = judge(scene, random_play(scene, number))
    assert [verdict.error, *map(str, verdict.violations)] == [""]


@pytest.mark.parametrize("seed", members([2, 3, 4, 6, 9, 11], slow=(6, 9, 11)))
def test_pendulums_move_alike_by_angles_and_by_rods(seed):
    twins = random_twins(seed)
    verdict = judge_twins(twins, random_swing(twins, 0))
    assert [verdict.error, *map(str, verdict.violations)] == [""]


def test_pendulums_that_differ_are_noticed():
    twins, found = random_twins(3), Findings()
    swing = random_swing(twins, 0)
    other = replace(swing, rates=(swing.rates[0] * (1.0 + 1e-4), *swing.rates[1:]))
    check_events(simulate_twins(twins, swing, ANGLES)["result"], simulate_twins(twins, other, PLACES)["result"], found)
    assert {violation.name for violation in found.list} == {
        "an event of angles is none of places",
        "an event of places is none of angles",
    }


def ball(e=0.5, **more):
    """A ball of 1 kg that falls from 1 m with 8 m/s^2, and the run in which it does."""
    scene = Scene(0, (1.0,), (Touch(Pair(0, GROUND, 0.0)),), drives={0: Drive("number", (-8.0,))}, **more)
    return scene, Play((1.0,), (0.0,), (0.0,), (e,), 2.0)


def test_bounces_of_the_exact_motion_are_those_of_the_formula():
    """The first fall takes sqrt(2 h/g) = 0.5 s, the bounces 2 e/(1 - e) times that; v = 4 m/s, halved at each."""
    exact = Exact(*ball())
    assert not exact.why
    first = [instant.t for instant in exact.instants if instant.names]
    np.testing.assert_allclose(first[:4], [0.5, 1.0, 1.25, 1.375], rtol=1e-12)
    ((name, _, end),) = exact.bouncing
    assert name == "c0"
    assert end == pytest.approx(1.5, abs=2e-4)
    assert exact.pieces[-1].normal[0, 0] == pytest.approx(8.0)
    most, least, way = exact.observed()
    falls = 0.5 - 8.0 * 0.5**3 / 6.0 + sum(8.0 * (0.5 * 0.5**k) ** 3 * (2.0 / 3.0) for k in range(1, 40))
    assert (most, least) == pytest.approx((1.0, -4.0))
    assert way == pytest.approx(falls, rel=1e-9)


def test_a_latch_of_the_exact_motion_conserves_momentum_and_opens_by_its_force():
    """Carts of 1 kg and 2 kg: the second one stands 0.5 m ahead, is caught, and leaves where F/3 = t reaches 1 N."""
    opens = Condition("true", ((("R0", -1.0), ("1", -1.0)),))
    catch = Catch(Pair(1, 0, 0.0), Condition("true", ((("x0", 1.0), ("x1", -1.0)),)), opens)
    scene = Scene(0, (1.0, 2.0), catches=(catch,), drives={0: Drive("number", (0.0,)), 1: Drive("time", (0.0, 3.0))})
    exact = Exact(scene, Play((0.0, 0.5), (1.5, 0.0), (0.0, 0.0), (), 2.0))
    closes, leaves = (instant for instant in exact.instants if instant.names)
    assert (closes.names, leaves.names) == ({"l0 closes"}, {"l0 opens"})
    t = closes.t
    assert 1.5 * t == pytest.approx(0.5 + t**3 / 4.0)
    joined = next(piece for piece in exact.pieces if piece.t == t)
    assert joined.u[0, 0] == pytest.approx((1.5 + 1.5 * t * t) / 3.0)
    assert leaves.t == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("told", "broken"),
    [
        (lambda scene, play: (scene, replace(play, u=(1e-5,))), "an event is lost"),
        (lambda scene, play: (scene, replace(play, restitutions=(0.50001,))), "an event is lost"),
        (lambda scene, play: (replace(scene, watches=()), play), "an event more than there are"),
        (lambda scene, play: (replace(scene, masses=(1.001,)), play), "an event is lost"),
    ],
)
def test_what_is_told_wrong_is_noticed(told, broken):
    scene, play = ball(watches=(Watch(Condition("down", ((("x0", 1.0), ("1", -0.9)),))),))
    result, found = simulate(scene, play)["result"], Findings()
    check_run(scene, play, Exact(scene, play), result, found)
    assert not found.list
    case = told(scene, play)
    check_run(*case, Exact(*case), result, found)
    assert broken in {violation.name for violation in found.list}


def test_states_and_forces_that_are_told_wrong_are_noticed():
    scene, play = ball(e=0.0)
    for start, broken in ((replace(play, span=0.4), "states"), (replace(play, x=(0.0,)), "normal forces")):
        result, found = simulate(scene, start)["result"], Findings()
        told = replace(start, weights=(3e-5,))
        check_run(scene, told, Exact(scene, told), result, found)
        assert {violation.name for violation in found.list} == {broken}


def test_two_carts_pressed_against_a_wall_bear_what_presses_them():
    W = np.array([row(Pair(0, GROUND, 0.0), 2), row(Pair(1, 0, 0.0), 2)])
    none = np.zeros((0, 2))
    chosen, a, force = pushing(np.array([1.0, 2.0]), none, W, np.array([[-3.0], [-4.0]]))
    assert chosen == [0, 1]
    np.testing.assert_allclose(np.concatenate([a, force]).ravel(), [0.0, 0.0, 7.0, 4.0])
    assert pushing(np.array([1.0, 2.0]), none, W, np.array([[-3.0], [4.0]]))[0] == [0]
    with pytest.raises(Undecided, match="4 modes"):
        pushing(np.array([1.0, 2.0]), none, W, np.zeros((2, 1)))


def test_roots_and_near_roots_of_polynomials():
    assert roots([6.0, -5.0, 1.0], 9.0) == pytest.approx([2.0, 3.0])
    assert roots([-6.0, 11.0, -6.0, 1.0], 2.5) == pytest.approx([1.0, 2.0])
    assert nearly([1.0 + 1e-9, -2.0, 1.0], 9.0) == pytest.approx(1.0)
    assert nearly([1.1, -2.0, 1.0], 9.0) == nearly([-1.0, 1.0], 9.0) == math.inf


def test_a_scene_shrinks_to_what_fails():
    scene = random_scene(28)
    play = random_play(scene, 0)
    small, _ = shrink_scene(scene, play, lambda scene, play: len(scene.changes) > 0, most=100)
    assert len(small.changes) == 1
    assert not small.watches
    assert not small.acts
