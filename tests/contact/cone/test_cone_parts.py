"""Contacts that have no body in common are solved by themselves: with the impulses that they have alone."""

import numpy as np
import pytest
from hypothesis import strategies as st
from quick_members import examples
from random_cones import law_residual, planar, redundant, spatial

from sympact.contact.memory import contact_codes as codes
from sympact.contact.solver_calls import solve_cone_problem

seeds = st.integers(0, 2**32 - 1)


def together(parts, order):
    """The problem of several, with the contacts in some order: (G, rates, mu, the places of each part's rows)."""
    size = sum(len(part.rate) for part in parts)
    delassus, rate, places, start = np.zeros((size, size)), np.zeros(size), [], 0
    row_of = np.empty(size, dtype=int)
    for place, contact in enumerate(order):
        row_of[3 * contact : 3 * contact + 3] = 3 * place + np.arange(3)
    for part in parts:
        rows = row_of[start : start + len(part.rate)]
        delassus[np.ix_(rows, rows)], rate[rows] = part.delassus, part.rate
        places.append(rows)
        start += len(part.rate)
    friction = np.empty(size // 3)
    friction[row_of[::3] // 3] = np.concatenate([part.friction for part in parts])
    return delassus, rate, friction, places


@examples(20, 60, seeds, st.lists(st.sampled_from([planar, spatial, redundant]), min_size=2, max_size=4))
def test_parts_have_the_motion_that_they_have_alone_in_any_order(seed, kinds):
    rng = np.random.default_rng(seed)
    parts = [kind(rng) for kind in kinds]
    delassus, rate, friction, places = together(parts, rng.permutation(sum(len(part.friction) for part in parts)))
    found = solve_cone_problem(delassus, rate, friction)
    assert found.code == codes.SOLVED
    assert law_residual(delassus, rate, friction, found.impulse) <= 1e-10
    for part, rows in zip(parts, places, strict=True):
        alone = solve_cone_problem(part.delassus, part.rate, part.friction)
        size = max(np.abs(part.rate).max(), np.abs(rate).max())
        if alone.counts["newton"] + alone.counts["single"] == 1:  # else a solution of several may be another one
            assert found.after[rows] == pytest.approx(alone.after, abs=1e-8 * size)


def test_a_part_that_nothing_approaches_has_no_impulses_and_counts_no_solver():
    rng = np.random.default_rng(1)
    parts = [spatial(rng) for _ in range(3)]
    delassus, rate, friction, places = together(parts, range(sum(len(part.friction) for part in parts)))
    rate[places[1][::3]] = 1.0
    rate[places[0][::3]], rate[places[2][::3]] = -1.0, -1.0
    found = solve_cone_problem(delassus, rate, friction)
    assert not found.impulse[places[1]].any()
    assert found.after[places[1]] == pytest.approx(rate[places[1]])
    assert sum(found.counts[name] for name in ("single", "newton", "descended", "continuation")) == 2
