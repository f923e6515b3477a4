"""Bases of a null space by three decompositions, and elimination: against NumPy's decompositions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples

from sympact.contact.linalg.elimination_kernel import eliminate
from sympact.contact.linalg.null_space_kernel import by_gram_schmidt, by_qr, by_svd, continued
from sympact.contact.linalg.rank_kernel import pick, rank_of
from sympact.contact.memory.solvers import RankMemory

seeds = st.integers(0, 2**32 - 1)
BASES = ("qr", "svd", "gram-schmidt")


def null_space(rows, basis, reference=None):
    """An orthonormal basis of the null space as rows, continued from a reference where one is given."""
    size, m = rows.shape
    memory = RankMemory.allocate({"rank_rows": size, "n_u": m})
    rank = rank_of(memory, size)
    rank.rows[:], rank.group[:] = rows, np.arange(size)
    found = pick(rank)
    turned, images = np.zeros((m, m)), np.zeros((m, m))
    if basis == "qr":
        by_qr(rank, images)
    elif basis == "svd":
        by_svd(rank, turned, images)
    else:
        by_gram_schmidt(rank)
    if reference is None:
        return memory.q[found:].copy()
    z, before = np.zeros((m, m)), np.zeros((m, m))
    before[: len(reference)] = reference
    assert continued(rank, before, len(reference), z)
    return z[: m - found]


def dependent_rows(rng, size, m, rank):
    """Rows of this rank; some entries are zero, as in mechanisms."""
    left = rng.normal(size=(size, rank)) * (rng.random((size, rank)) < 0.7)
    left[:rank] += np.eye(min(size, rank), rank)
    right = rng.normal(size=(rank, m)) * (rng.random((rank, m)) < 0.7) + np.eye(rank, m)
    return left @ right


@examples(67, 200, seeds, st.integers(1, 12), st.integers(1, 12), st.sampled_from(BASES))
def test_a_basis_is_orthonormal_and_complete_and_normal_to_the_rows(seed, size, m, basis):
    rng = np.random.default_rng(seed)
    rows = dependent_rows(rng, size, m, int(rng.integers(1, min(size, m) + 1)))
    sigma = np.linalg.svd(rows, compute_uv=False)
    rank = np.linalg.matrix_rank(rows, tol=1e-6 * sigma[0])
    if sigma[0] == 0.0 or sigma[rank - 1] < 1e-4 * sigma[0]:
        return
    z = null_space(rows, basis)
    assert z.shape == (m - rank, m)
    assert z @ z.T == pytest.approx(np.eye(m - rank), abs=1e-13)
    assert np.abs(rows @ z.T).max(initial=0.0) <= 1e-12 * sigma[0]


@examples(7, 20, seeds, st.integers(2, 10), st.sampled_from(BASES))
def test_a_continued_basis_is_differentiable_along_a_motion(seed, m, basis):
    """Rows turn at a rate of 1: bases at a distance h differ by h, and all decompositions give the same one."""
    rng = np.random.default_rng(seed)
    rank, h = int(rng.integers(1, m)), 1e-5
    frame = np.linalg.qr(rng.normal(size=(m, m)))[0]
    mixed = np.vstack([np.eye(rank), rng.normal(size=(2, rank))])

    def rows(angle):
        turned = frame.copy()
        turned[0] = np.cos(angle) * frame[0] + np.sin(angle) * frame[-1]
        return mixed @ turned[:rank]

    z = null_space(rows(0.0), basis)
    for k in range(1, 40):
        after = null_space(rows(h * k), basis, z)
        assert np.abs(after - z).max() <= 1.001 * h
        assert after == pytest.approx(null_space(rows(h * k), "gram-schmidt", z), abs=1e-13)
        z = after


@given(seeds, st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_elimination_solves_and_expresses_dependent_columns(seed, n):
    """[A b] gives A^-1 b at the pivots; [A_D A_I] gives A_D^-1 A_I, with the columns D that it was allowed."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(n, n)) + 2.0 * np.eye(n), rng.normal(size=n)
    table, allowed, pivots = np.column_stack([a, b]), np.append(np.ones(n, int), 0), np.zeros(n, int)
    assert eliminate(table, n, n + 1, allowed, pivots)
    x = np.empty(n)
    x[pivots] = table[:, n]
    assert a @ x == pytest.approx(b, abs=1e-13 * np.linalg.cond(a) * np.abs(b).max())
    wide, allowed = np.hstack([a, rng.normal(size=(n, 3))]), np.ones(n + 3, int)
    reduced = wide.copy()
    assert eliminate(reduced, n, n + 3, allowed, pivots)
    others = np.flatnonzero(allowed)
    assert reduced[:, others] == pytest.approx(np.linalg.solve(wide[:, pivots], wide[:, others]), abs=1e-10)


def test_elimination_says_where_rows_are_dependent():
    table = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 5.0]])
    assert not eliminate(table, 2, 3, np.array([1, 1, 0]), np.zeros(2, int))
