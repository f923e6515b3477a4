"""The rank of rows by Cholesky's factor of their products: against the singular values and NumPy's least squares."""

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from numpy.linalg import lstsq, norm, svd
from quick_members import examples

from sympact.contact.linalg.gram_kernel import along_picked, pick_clearly, shortest_by_picked
from sympact.contact.linalg.rank_kernel import pick, rank_of
from sympact.contact.memory.solvers import RankMemory

seeds = st.integers(0, 2**32 - 1)


def placed(rows, group=None):
    """The memory with these rows, each of which is a group of its own unless groups are given."""
    size, m = rows.shape
    memory = RankMemory.allocate({"rank_rows": size, "n_u": m})
    memory.rows[:] = rows
    memory.group[:] = np.arange(size) if group is None else group
    return memory


def dependent_rows(rng, size, m, rank):
    """Rows of a rank, of lengths from 0.01 to 100, of which the last ones are sums of the first ones."""
    first = np.eye(rank, m) + 0.2 * rng.normal(size=(rank, m))
    sums = rng.normal(size=(size - rank, rank))
    rows = np.vstack([first, sums @ first])
    return rows * 10.0 ** rng.uniform(-2, 2, (size, 1))


@examples(67, 200, seeds, st.integers(1, 9), st.integers(1, 9), st.integers(0, 4))
def test_what_is_decided_is_the_rank_and_the_shortest_motion(seed, rank, more, sums):
    rng = np.random.default_rng(seed)
    m, size = rank + more - 1, rank + sums
    rows = dependent_rows(rng, size, m, rank)
    memory = placed(rows)
    found = pick_clearly(memory, size)
    units = rows / norm(rows, axis=1)[:, None]
    assume(svd(units, compute_uv=False)[rank - 1] > 0.05)
    assert found == rank
    motion, b, y = rng.normal(size=m), np.zeros(m), np.zeros(m)
    along_picked(memory, rows @ motion, b)
    shortest_by_picked(memory, b, y)
    assert y == pytest.approx(lstsq(units, units @ motion, rcond=1e-9)[0], abs=1e-11 * norm(motion))


@examples(33, 100, seeds, st.integers(1, 6), st.integers(1, 4))
def test_it_agrees_with_the_decision_by_an_orthonormal_basis(seed, rank, sums):
    """The same rows are picked, in the same order, with the same parts; groups of three share a factor."""
    rng = np.random.default_rng(seed)
    size, m = rank + sums, rank + 2
    rows, group = dependent_rows(rng, size, m, rank), np.arange(size) // 3
    memory, other = placed(rows, group), placed(rows, group)
    assume(pick_clearly(memory, size) > 0)
    found = pick(rank_of(other, size))
    assert memory.count[0] == found
    assert list(memory.picked[:found]) == list(other.picked[:found])
    assert memory.factor == pytest.approx(other.factor, rel=1e-13)
    assert np.abs(memory.part[:, :found]) == pytest.approx(np.abs(other.part[:, :found]), abs=1e-9)


@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-7])
def test_directions_that_are_neither_dependent_nor_far_apart_are_not_decided(angle):
    rows = np.array([[1.0, 0.0, 0.0], [np.cos(angle), np.sin(angle), 0.0]])
    assert pick_clearly(placed(rows), 2) == -1


@pytest.mark.parametrize(("angle", "rank"), [(0.0, 1), (1e-10, 1), (0.1, 2), (1.5, 2)])
def test_others_are(angle, rank):
    rows = np.array([[1.0, 0.0, 0.0], [np.cos(angle), np.sin(angle), 0.0]])
    assert pick_clearly(placed(rows), 2) == rank


def test_a_row_that_is_rounding_beside_its_contact_is_no_direction():
    rows = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1e-30, 1e-30]])
    memory = placed(rows, np.zeros(3, int))
    assert pick_clearly(memory, 3) == 2
    assert sorted(memory.picked[:2]) == [0, 1]


def test_what_is_no_number_is_not_decided():
    assert pick_clearly(placed(np.array([[np.nan, 1.0], [1.0, 0.0]])), 2) == -1
