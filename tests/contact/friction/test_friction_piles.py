"""Several bodies with friction on each other: every run goes on to its end, and what touches without force stays so."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from pile_models import GRAVITY, HALF, RADIUS, Pile, blocks, discs, numbers
from quick_members import members
from trajectory import check_trajectory

from sympact import Result, Status

pytestmark = pytest.mark.filterwarnings("ignore::sympact.ImpactWarning")  # contacts that nearly hit together abound


def thrown_discs(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Places above each other in columns, and speeds."""
    column, row = np.arange(n) % 4, np.arange(n) // 4
    places = np.column_stack([column - 1.5, 0.6 + row, np.zeros(n)])
    places[:, :2] += rng.uniform(-0.05, 0.05, (n, 2))
    return places, 2.0 * rng.normal(size=(n, 3))


def check_pile(result: Result, pile: Pile, parameters) -> None:
    """It came to its end, kept to all that is promised of a run, and no energy came from anywhere."""
    assert result.status is Status.FINISHED
    check_trajectory(result, pile.model, parameters)
    assert np.diff(result.energy).max() <= 1e-9 * result.kinetic_energy.max()


LONG = {
    *(("discs", 5, seed) for seed in (0, 1, 2, 3, 4, 5, 7)),
    *(("discs", 3, seed) for seed in (0, 1, 2, 3, 5, 6, 7)),
    *(("discs", 2, seed) for seed in (4, 5, 6, 7)),
    *(("blocks", 3, seed) for seed in range(4)),
    ("blocks", 1, 2),
    ("blocks", 1, 3),
    ("blocks", 2, 0),
    ("blocks", 2, 1),
    ("blocks", 2, 2),
    ("blocks", 2, 3),
}
"""Piles that go through more events than the others of their size, or as many: those keep to the same rules."""


def piles(kind: str, sizes: tuple[int, ...], seeds: int) -> list:
    """Sizes and seeds, the long ones marked."""
    marks = {case: [pytest.mark.slow] * (case in LONG) for case in itertools.product([kind], sizes, range(seeds))}
    return [pytest.param(*case[1:], marks=mark) for case, mark in marks.items()]


@pytest.mark.parametrize(("n", "seed"), piles("discs", (2, 3, 5), 8))
def test_discs_thrown_into_a_box(n, seed):
    rng = np.random.default_rng(1000 * n + seed)
    places, speeds = thrown_discs(n, rng)
    parameters = numbers(rng.choice([0.0, 0.3, 0.6]), rng.choice([0.1, 0.3, 0.7]), disc=True)
    pile = discs(n)
    result = pile.model.simulate((0, 10), pile.start(places, speeds), parameters)
    check_pile(result, pile, parameters)
    assert result.energy[-1] < result.energy[0]


@pytest.mark.parametrize(("n", "seed"), piles("blocks", (1, 2, 3), 4))
def test_blocks_dropped_on_each_other(n, seed):
    rng = np.random.default_rng(100 * n + seed)
    places = np.column_stack([rng.uniform(-0.1, 0.1, n), 0.6 + 1.25 * np.arange(n), rng.uniform(-0.1, 0.1, n)])
    parameters = numbers(rng.choice([0.0, 0.3]), rng.choice([0.2, 0.4, 0.8]))
    pile = blocks(n, 0.5, 1.0)
    result = pile.model.simulate((0, 10), pile.start(places), parameters)
    check_pile(result, pile, parameters)


DOMINOES = [(2, 0.6), (3, 0.0), (3, 0.3), (3, 0.6)]


@pytest.mark.parametrize(("n", "restitution"), members(DOMINOES, slow=DOMINOES[1:]))
def test_dominoes_fall_one_after_the_other(n, restitution):
    width, height = 0.2, 1.0
    pile = blocks(n, width, height)
    places = np.column_stack([0.6 * np.arange(n), np.full(n, height / 2), np.zeros(n)])
    tilt = -0.25
    places[0, 1:] = height / 2 * np.cos(tilt) - width / 2 * np.sin(tilt) + 1e-3, tilt
    speeds = np.zeros((n, 3))
    speeds[0, 2] = -0.7
    parameters = numbers(restitution, 0.6)
    result = pile.model.simulate((0, 10), pile.start(places, speeds), parameters)
    check_pile(result, pile, parameters)
    assert (result.x[2 : 3 * n : 3, -1] < -0.8).all()  # all lean on what lies to the right of them, or lie
    assert not result.x[3 * n :, -1].any()
    check_names(result, {2: 24, 3: 72}[n])


def check_names(result, conditions):
    """The names of modes can be read, though each has dozens of conditions, and tell modes apart."""
    names = [stage.name for stage in result._program.stages]
    assert len(set(names)) == len(names)
    assert max(len(name.partition(" [")[2]) for name in names) < 200
    assert all(f"{conditions} conditions" in name for name in names)


def test_a_disc_that_touches_a_wall_without_force_falls_freely_along_it():
    """With e = 0 it stays on the wall, and friction has nothing to act with; its spin goes on."""
    pile, parameters = discs(1), numbers(0.0, 0.7, disc=True)
    spin, down = 3.0, -0.2
    start = pile.start([[-HALF + RADIUS, 5.0, 0.0]], [[0.0, down, spin]])
    result = pile.model.simulate((0, 0.8), start, parameters)
    t = np.linspace(0.0, 0.8, 50)
    x, y, theta, v, _, omega = result(t)
    assert np.abs(x - (RADIUS - HALF)).max() <= 1e-14
    assert np.abs(v).max() <= 1e-14
    assert np.abs(y - (5.0 + down * t - GRAVITY * t**2 / 2)).max() <= 1e-12
    assert np.abs(omega - spin).max() <= 1e-13
    assert np.abs(theta - spin * t).max() <= 1e-12


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_a_spinning_disc_comes_to_a_stop_in_a_corner(friction):
    """It presses on the floor with m g/(1 + mu^2), on the wall with mu times as much, and both brake its spin."""
    pile, parameters = discs(1), numbers(0.0, friction, disc=True)
    spin = 4.0  # anticlockwise: friction on the floor drives it to the left, into the corner
    braking = friction * (1 + friction) / (1 + friction**2) * GRAVITY * RADIUS / (RADIUS**2 / 2)
    start = pile.start([[RADIUS - HALF, RADIUS, 0.0]], [[0.0, 0.0, spin]])
    result = pile.model.simulate((0, 2 * spin / braking), start, parameters)
    stop = next(event for event in result.events if event.kind == "stick")
    assert stop.t == pytest.approx(spin / braking, rel=1e-9)
    force = result.normal_force_at([0.5 * stop.t])[:, 0]
    floor, wall = (result.contact_names.index(f"disc0 on {side}") for side in ("O", "left"))
    assert force[floor] == pytest.approx(GRAVITY / (1 + friction**2), rel=1e-9)
    assert force[wall] == pytest.approx(friction * GRAVITY / (1 + friction**2), rel=1e-9)
    assert not result.x[3:, -1].any()


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_a_spinning_disc_beside_a_resting_one_leaves_it_at_rest(friction):
    """It spins in a corner, touching the other without force: nothing crowds events, nothing moves the other."""
    pile, parameters = discs(2), numbers(0.0, friction, disc=True)
    places = [[RADIUS - HALF, RADIUS, 0.0], [3 * RADIUS - HALF, RADIUS, 0.0]]
    result = pile.model.simulate((0, 5), pile.start(places, [[0.0, 0.0, 4.0], [0.0, 0.0, 0.0]]), parameters)
    assert result.status is Status.FINISHED
    assert len(result.events) < 20
    assert np.abs(result.x[3:5] - np.array([[places[1][0]], [RADIUS]])).max() <= 1e-12
    assert not result.x[6:, -1].any()
