"""Bases of a null space by three decompositions, and elimination: against NumPy's decompositions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@given(seeds, st.integers(1, 12), st.integers(1, 12), st.sampled_from(BASES))
@settings(max_examples=200, deadline=None)
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
