"""The rank of rows, decided in one place: against NumPy's singular values, for random ranks, scales and rotations."""

import numpy as np
import pytest
from hypothesis import strategies as st
from quick_members import examples

from sympact.contact.solver_calls import find_rank

seeds = st.integers(0, 2**32 - 1)


def random_rows(rng, contacts, m, rank, smallest):
    """Three rows a contact with singular values from 1 down to `smallest`, turned at random, each contact scaled."""
    u, v = np.linalg.qr(rng.normal(size=(3 * contacts, 3 * contacts)))[0], np.linalg.qr(rng.normal(size=(m, m)))[0]
    sigma = np.append(10.0 ** rng.uniform(np.log10(smallest), 0, rank - 1), 1.0)
    scale = np.repeat(10.0 ** rng.uniform(-2, 2, contacts), 3)
    rows = u[:, :rank] * sigma @ v[:, :rank].T
    return scale[:, None] * rows / np.repeat(np.linalg.norm(rows.reshape(contacts, -1), axis=1), 3)[:, None]


def comparable(rows):
    """Each contact's rows by one factor, as the definition says: their mean square becomes 1."""
    contacts = len(rows) // 3
    return rows / np.repeat(np.linalg.norm(rows.reshape(contacts, -1), axis=1) / np.sqrt(3), 3)[:, None]


@examples(67, 200, seeds, st.integers(1, 4), st.integers(1, 9))
def test_rank_range_and_least_norms_are_those_of_the_singular_values(seed, contacts, m):
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, min(3 * contacts, m) + 1))
    rows = random_rows(rng, contacts, m, rank, 1e-3)
    a, v, weights = comparable(rows), rng.normal(size=3 * contacts), 10.0 ** rng.uniform(-1, 1, 3 * contacts)
    group, factor = np.repeat(np.arange(contacts), 3), (comparable(rows) / rows)[:, 0]
    found = find_rank(rows, v, group, weights)
    u, sigma, _ = np.linalg.svd(a)
    assert found.rank == (sigma > 1e-8 * sigma[0]).sum() == rank
    assert found.factor == pytest.approx(factor, rel=1e-12)
    growth = sigma[0] / sigma[rank - 1]
    projector = u[:, rank:] @ u[:, rank:].T
    assert found.null.T @ found.null == pytest.approx(projector, abs=1e-14 * growth)
    assert found.outside * factor == pytest.approx(projector @ (factor * v), abs=1e-13 * growth * abs(factor * v).max())
    motion = np.linalg.lstsq(a, factor * v, rcond=1e-9)[0]
    size = np.abs(motion).max()
    assert found.motion == pytest.approx(motion, abs=1e-13 * growth**2 * size)
    miss = np.linalg.norm(a @ motion - factor * v)
    assert found.left[0] == pytest.approx(miss, abs=1e-12 * growth * abs(factor * v).max())
    assert found.left[1] <= 1e-7 * np.linalg.norm(found.motion)
    impulse = np.linalg.lstsq(rows.T / weights, found.motion, rcond=1e-9 * growth**-1)[0] / weights
    assert rows.T @ found.impulse == pytest.approx(found.motion, abs=1e-12 * growth * size)
    assert np.linalg.norm(weights * found.impulse) <= (1 + 1e-6) * np.linalg.norm(weights * impulse)


@pytest.mark.parametrize("exponent", range(17))
def test_a_singular_value_counts_above_1e_8_of_the_largest(exponent):
    """Away from the bound by a factor of ten the answer does not depend on how the rows are turned."""
    rng = np.random.default_rng(exponent)
    for _ in range(20):
        u, v = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linalg.qr(rng.normal(size=(4, 4)))[0]
        rows = u * [2.0, 1.0, 2.0 * 10.0**-exponent] @ v[:, :3].T
        found = find_rank(rows, rows @ rng.normal(size=4), [0, 0, 0])
        if exponent != 8:
            assert found.rank == (3 if exponent < 8 else 2)
        assert np.abs(found.null @ comparable(rows)).max(initial=0.0) <= 3e-8
        assert np.isfinite(found.motion).all()
        assert np.linalg.norm(found.impulse) <= 10.0**8 * np.linalg.norm(found.motion)


def test_rows_that_are_rounding_are_none():
    """Made a unit vector, a tangent of 1e-17 would be a direction of its own."""
    rows = [[1.0, 0.0, 0.0], [0.0, 1e-17, 0.0], [0.5, 0.0, 0.0], [1e-14, 0.0, 2e-14], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    found = find_rank(rows, [1.0, 1.0, 0.5, 1.0, 0.0, 0.0], [0, 0, 0, 1, 1, 1])
    assert found.rank == 1
    assert found.motion == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)
    assert found.outside == pytest.approx([0.0, 1.0, 0.0, 1.0, 0.0, 0.0], abs=1e-15)


def test_masses_may_differ_by_many_orders():
    """Contacts of parts of 1e-9 kg and 1e9 kg are as good as each other."""
    rows = np.zeros((6, 6))
    rows[:3, :3], rows[3:, 3:] = 10.0**4.5 * np.eye(3), 10.0**-4.5 * np.eye(3)
    assert find_rank(rows, np.ones(6), [0, 0, 0, 1, 1, 1]).rank == 6


def test_no_rows_at_all_and_rows_of_zeros():
    assert find_rank(np.zeros((3, 2)), [1.0, 0.0, 2.0], [0, 0, 0]).rank == 0
    assert find_rank(np.zeros((3, 2)), [1.0, 0.0, 2.0], [0, 0, 0]).outside.tolist() == [1.0, 0.0, 2.0]
