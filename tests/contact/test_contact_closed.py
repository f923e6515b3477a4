"""Closed contacts as the loop calls them: forces, accelerations and projections from numbers alone, by address."""

from __future__ import annotations

import numpy as np
import pytest
from contact_problems import SQUARE, Block, plane_jacobian
from hypothesis import given
from hypothesis import strategies as st
from quick_members import examples
from scipy.optimize import nnls

from sympact.contact.contact_workspace import CLOSED

seeds = st.integers(0, 2**32 - 1)
GRAVITY = 9.8
CUBE = np.diag([1.0] * 3 + [1 / 6] * 3)


def standing(corners, mass=CUBE, push=(0.0, 0.0)) -> Block:
    """A body on corners in a plane with its weight, and a torque about the horizontal axes."""
    weight = np.array([0, 0, -GRAVITY * mass[0, 0], *push, 0])
    return Block(mass, plane_jacobian(corners), weight).close(*range(len(corners)))


def test_four_corners_share_the_weight():
    assert standing(SQUARE).forces() == pytest.approx([GRAVITY / 4] * 4, rel=1e-14)


def test_three_corners_of_four_share_it_as_the_lever_says():
    """With a weight alone on three corners, the one alone on its diagonal has nothing to bear."""
    found = standing(SQUARE[:3]).forces()
    assert found == pytest.approx([0.0, GRAVITY / 2, GRAVITY / 2], abs=1e-14)


def test_an_octagon_shares_by_the_law_of_the_lever():
    """The least norm is an affine function of the place: lambda = m g / 8 + torque x (2 / 8)."""
    angles = np.arange(8) * np.pi / 4
    corners = np.column_stack([np.cos(angles), np.sin(angles)])
    assert standing(corners, push=(0.0, 1.5)).forces() == pytest.approx(
        GRAVITY / 8 + 1.5 * np.cos(angles) / 4, rel=1e-12
    )


def test_an_open_contact_has_no_force():
    block = Block(CUBE, plane_jacobian(SQUARE), [0, 0, -GRAVITY, 0, 0, 0]).close(0, 3)
    assert block.forces() == pytest.approx([GRAVITY / 2, 0, 0, GRAVITY / 2], rel=1e-14)
    assert not block.forces()[[1, 2]].any()


def test_no_contact_is_closed():
    block = Block(CUBE, plane_jacobian(SQUARE), [0, 0, -GRAVITY, 0, 0, 0])
    assert not block.forces().any()
    assert block.acceleration() == pytest.approx([0, 0, -GRAVITY, 0, 0, 0], rel=1e-15)


def random_block(rng: np.random.Generator) -> Block:
    """Contacts in any direction under any load, the body on a plane every other time, some of them redundant."""
    m, n = (6, rng.integers(1, 9)) if rng.uniform() < 0.5 else rng.integers(1, 7, size=2)
    a = rng.normal(size=(m, m))
    jacobian = plane_jacobian(rng.normal(size=(n, 2))) if m == 6 else rng.normal(size=(n, m))
    return Block(a @ a.T + np.eye(m), jacobian, rng.normal(size=m)).close(*range(n))


@examples(33, 100, seeds)
def test_accelerations_are_complementary_to_forces(seed):
    """0 <= lambda _|_ g'' >= 0, and the motion agrees with SciPy's nnls.

    With M = C C^T, A = C^-1 W and a = C^-1 f, the forces make |A lambda + a| least under lambda >= 0 (Gauss).
    """
    block = random_block(np.random.default_rng(seed))
    force = block.forces()
    change = np.linalg.solve(block.mass, block.jacobian.T @ force)
    bend = block.jacobian @ (block.free + change)
    size = 1 + np.abs(block.jacobian @ block.free).max()
    assert (force >= 0).all()
    assert bend.min() >= -1e-10 * size
    assert np.abs(force * bend).max() <= 1e-10 * size * (1 + force.max())
    factor = np.linalg.cholesky(block.mass)
    columns = np.linalg.solve(factor, block.jacobian.T)
    best, _ = nnls(columns, -factor.T @ block.free)
    np.testing.assert_allclose(factor.T @ change, columns @ best, rtol=0, atol=1e-9 * size)


@given(seeds)
def test_forces_of_redundant_contacts_are_the_smallest(seed):
    """Of all lambda >= 0 with the same W lambda the shortest, by SciPy's nnls.

    It minimises |W (lambda - found)|^2 + eps^2 |lambda|^2, whose solution is the shortest one but for
    eps^2 |lambda| / s^2, s the least singular value of the pushing columns, above 1e-2 here.
    """
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(rng.integers(4, 9), 2))
    block, eps = standing(corners - corners.mean(axis=0)), 1e-5
    force = block.forces()
    stacked = np.vstack([block.jacobian.T, eps * np.eye(len(corners))])
    target = np.concatenate([block.jacobian.T @ force, np.zeros(len(corners))])
    smallest, _ = nnls(stacked, target)
    assert force == pytest.approx(smallest, abs=1e-5)


@given(seeds)
def test_held_contacts_keep_their_rate_along_the_shortest_path(seed):
    """u' less the free one is the least in the metric of M that takes every closed g'' to zero, also by pulling."""
    block = random_block(np.random.default_rng(seed))
    factor = np.linalg.cholesky(block.mass)
    columns = np.linalg.solve(factor, block.jacobian.T)
    y = np.linalg.lstsq(columns.T, -block.jacobian @ block.free, rcond=1e-10)[0]
    expected = block.free + np.linalg.solve(factor.T, y)
    np.testing.assert_allclose(block.acceleration(), expected, rtol=0, atol=1e-8 * (1 + np.abs(expected).max()))


@given(seeds)
def test_projection_takes_gaps_and_rates_out_along_the_shortest_path(seed):
    """Gaps and rates of closed contacts become zero; what moves is the least in the metric of M, by NumPy's lstsq."""
    rng = np.random.default_rng(seed)
    block = random_block(rng)
    x = 1e-6 * rng.normal(size=2 * block.m)
    after = block.ask(CLOSED.project, x, 2 * block.m)
    factor = np.linalg.cholesky(block.mass)
    columns = np.linalg.solve(factor, block.jacobian.T)
    for part, found in ((x[: block.m], after[: block.m]), (x[block.m :], after[block.m :])):
        y = np.linalg.lstsq(columns.T, -block.jacobian @ part, rcond=1e-10)[0]
        expected = part + np.linalg.solve(factor.T, y)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)
        assert np.abs(block.jacobian @ found).max() <= 1e-13


def test_at_rest_nothing_moves_and_nothing_is_projected():
    block = standing(SQUARE)
    block.data.mode.statuses[4] = 1
    x = np.array([0.1, 0.2, 1e-17, 0, 0, 0.3, *[0.0] * 6])
    assert not block.ask(CLOSED.rates, x, 12).any()
    assert np.array_equal(block.ask(CLOSED.project, x, 12), x)


@pytest.mark.parametrize(("push", "opens"), [(0.0, False), (0.49 * GRAVITY, False), (0.51 * GRAVITY, True)])
def test_the_watched_value_is_negative_when_a_corner_begins_to_pull(push, opens):
    """A torque above m g a/2 tips a cube of edge a about its edge: the corners behind would have to pull."""
    block = standing(SQUARE, push=(0.0, push))
    values = block.ask(CLOSED.margins, np.zeros(12), 4)
    assert (values.min() < 0) == opens
    assert values[0] == pytest.approx(values[1], rel=1e-12)


def test_the_watched_value_tells_a_body_at_rest_to_wake():
    """Frozen, with a force along the plane that no contact takes: u' would not vanish."""
    for sideways, wakes in ((0.0, False), (1e-6, True)):
        block = Block(CUBE, plane_jacobian(SQUARE), [sideways, 0, -GRAVITY, 0, 0, 0]).close(0, 1, 2, 3)
        block.data.mode.statuses[4] = 1
        assert (block.ask(CLOSED.margins, np.zeros(12), 4).min() < 0) == wakes


def test_a_mass_matrix_that_is_singular_gives_no_number():
    block = Block(CUBE, plane_jacobian(SQUARE), [0, 0, -GRAVITY, 0, 0, 0]).close(0)
    block.terms[14] = 0.0
    assert np.isnan(block.forces()).all()
    assert np.isnan(block.ask(CLOSED.rates, np.zeros(12), 12)).all()
