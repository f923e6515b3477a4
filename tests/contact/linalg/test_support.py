"""Sums over the blocks that rows have in common: bit by bit those over all numbers; factors with several blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples

from sympact.contact.linalg.cholesky_kernel import factor_within, find_profile, forward, forward_within
from sympact.contact.linalg.gram_kernel import along_picked, pick_clearly, shortest_by_picked
from sympact.contact.linalg.support_kernel import (
    add_within,
    dot_within,
    less_within,
    subtract_within,
    support_of,
)
from sympact.contact.memory.solvers import RankMemory

seeds = st.integers(0, 2**32 - 1)
widths = st.sampled_from([6, 24, 25, 60, 162, 400])


def sparse(rng, rows, m, filled=3):
    """Rows that are zero but for some stretches of six numbers, as of a contact that moves few bodies."""
    out = np.zeros((rows, m))
    for row in out:
        for start in rng.integers(0, max(m - 5, 1), rng.integers(0, filled + 1)):
            row[start : start + 6] = rng.normal(size=len(row[start : start + 6]))
    return out


def term_by_term(start, a, b, sign):
    """The sum of all products in their order."""
    for x, y in zip(a, b, strict=True):
        start += sign * (x * y)
    return start


@given(seeds, widths)
@settings(max_examples=60, deadline=None)
def test_sums_have_the_bits_of_those_over_all_numbers(seed, m):
    rng = np.random.default_rng(seed)
    a = sparse(rng, 2, m)
    one, other = (support_of(a, i) for i in range(2))
    both, s, end = one & other, rng.normal(), int(rng.integers(0, m + 1))
    assert dot_within(both, a, 0, a, 1) == term_by_term(0.0, a[0], a[1], 1)
    assert less_within(s, both, a, 0, a, 1, end) == term_by_term(s, a[0, :end], a[1, :end], -1)
    v, w = rng.normal(size=m), rng.normal(size=(1, m))
    more, less = v + s * a[0], w[0] - s * a[0]
    add_within(one, s, a, 0, v)
    subtract_within(one, s, a, 0, w, 0)
    assert np.array_equal(v, more)
    assert np.array_equal(w[0], less)


@given(seeds, st.lists(st.integers(1, 9), min_size=1, max_size=9))
@settings(max_examples=40, deadline=None)
def test_the_solution_with_a_factor_of_several_blocks_has_the_bits_of_that_with_a_full_one(seed, sizes):
    rng, n = np.random.default_rng(seed), sum(sizes)
    mass, start = np.zeros((n, n)), 0
    for size in sizes:
        part = rng.normal(size=(size, size))
        mass[start : start + size, start : start + size] = part @ part.T + np.eye(size)
        start += size
    first, rows = np.zeros(n, dtype=np.int64), sparse(rng, 4, n)
    find_profile(mass, n, first)
    assert factor_within(mass, n, first) == -1
    full = rows.copy()
    for k in range(len(rows)):
        forward(mass, n, full, k)
    forward_within(mass, n, first, rows, 0, len(rows))
    assert np.array_equal(rows, full)


@examples(10, 30, seeds, st.sampled_from([30, 162, 400]))
def test_the_rank_of_wide_sparse_rows_is_that_of_their_singular_values(seed, m):
    """A row of another one's span is added to each of three separate sets of rows."""
    rng, rows = np.random.default_rng(seed), []
    for start in (0, m // 3, 2 * m // 3):
        own = np.zeros((3, m))
        own[:2, start : start + 6] = np.linalg.qr(rng.normal(size=(6, 2)))[0].T
        own[2] = own[0] + rng.uniform(0.5, 2) * own[1]
        rows.extend(own)
    rows = np.array(rows)[rng.permutation(9)]
    memory = RankMemory.allocate({"rank_rows": 9, "n_u": m})
    memory.rows[:], memory.group[:] = rows, np.arange(9)
    assert pick_clearly(memory, 9) == np.linalg.matrix_rank(rows) == 6
    motion, b, y = rng.normal(size=m), np.zeros(m), np.full(m, np.nan)
    along_picked(memory, rows @ motion, b)
    shortest_by_picked(memory, b, y)
    assert y == pytest.approx(np.linalg.pinv(rows) @ rows @ motion, abs=1e-12)
