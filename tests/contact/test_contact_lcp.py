"""Complementarity problems on their own: the law, known solutions, planar friction by Lemke, what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples
from random_cones import planar

from sympact.contact.linear_complementarity import UnsolvedComplementarity, solve_lcp
from sympact.contact.memory import contact_codes as codes
from sympact.contact.solver_calls import solve_cone_problem

seeds = st.integers(0, 2**32 - 1)


def law_residual(m, q, z) -> float:
    """|min(z, M z + q)| with the rows brought to a common size, relative to q."""
    rows = 1 / np.abs(m).max(axis=1)
    return np.abs(np.minimum(z, rows * (m @ z + q))).max() / np.abs(rows * q).max()


def all_solutions(m, q):
    """Every solution of a nondegenerate problem: for each set of variables, solve for them and look at the signs."""
    n = len(q)
    found = []
    for active in itertools.product([False, True], repeat=n):
        keep = np.array(active)
        z = np.zeros(n)
        if keep.any():
            z[keep] = np.linalg.solve(m[np.ix_(keep, keep)], -q[keep])
        if (z >= 0).all() and (m @ z + q >= -1e-10).all():
            found.append(z)
    return found


@examples(67, 200, seeds, st.integers(1, 12), st.booleans())
def test_semidefinite_problems_are_solved(seed, n, skew):
    """Such a problem has a solution because one is put in; M may be singular and need not be symmetric."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(n, rng.integers(1, n + 1))), rng.normal(size=(n, n))
    m = a @ a.T + skew * (b - b.T)
    z = np.abs(rng.normal(size=n)) * (rng.uniform(size=n) < 0.5)
    q = np.where(z > 0, 0.0, np.abs(rng.normal(size=n))) - m @ z
    solution = solve_lcp(m, q)
    assert (solution.z >= 0).all()
    assert solution.w == pytest.approx(m @ solution.z + q, abs=1e-14 * (1 + np.abs(m).max() * solution.z.sum()))
    assert law_residual(m, q, solution.z) <= 1e-9


@given(seeds, st.integers(1, 6))
@settings(max_examples=100)
def test_positive_definite_problems_have_the_one_solution(seed, n):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    m, q = a @ a.T + 0.1 * np.eye(n) + b - b.T, rng.normal(size=n)
    (expected,) = all_solutions(m, q)[:1]
    assert solve_lcp(m, q).z == pytest.approx(expected, abs=1e-9 * (1 + np.abs(expected).max()))


@given(seeds, st.integers(2, 8))
@settings(max_examples=50)
def test_units_do_not_matter(seed, n):
    """With rows and columns in units a million apart the solution is the same in those units."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n))
    m, q = a @ a.T + 0.1 * np.eye(n), rng.normal(size=n)
    rows, columns = 10 ** rng.uniform(-3, 3, size=n), 10 ** rng.uniform(-3, 3, size=n)
    one, other = solve_lcp(m, q), solve_lcp(rows[:, None] * m * columns, rows * q)
    assert columns * other.z == pytest.approx(one.z, abs=1e-9 * (1 + one.z.max()))


def test_murty_s_example_takes_two_to_the_n_pivots_of_other_rules():
    """M with ones on the diagonal and twos above it, q = -1: z = (0, ..., 0, 1) (Murty 1978)."""
    n = 12
    m = np.eye(n) + 2 * np.triu(np.ones((n, n)), 1)
    solution = solve_lcp(m, -np.ones(n))
    assert solution.z == pytest.approx(np.eye(n)[-1], abs=1e-12)


def test_ties_do_not_cycle():
    """Equal rows and equal constants: every ratio test is a tie."""
    solution = solve_lcp(np.ones((8, 8)), -np.ones(8))
    assert solution.z.sum() == pytest.approx(1.0)


def test_nothing_to_do():
    solution = solve_lcp([[1.0]], [2.0])
    assert (solution.z.tolist(), solution.w.tolist(), solution.iterations) == ([0.0], [2.0], 0)


def test_what_has_no_solution_is_refused_with_the_problem():
    m, q = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([-1.0, -1.0])
    with pytest.raises(UnsolvedComplementarity, match="Lemke's method ended on a ray") as caught:
        solve_lcp(m, q)
    assert np.array_equal(caught.value.problem[0], m)
    assert np.array_equal(caught.value.problem[1], q)
    assert set(caught.value.residuals) == {"Lemke", "projected Gauss-Seidel"}


def test_sweeps_are_tried_where_the_diagonal_allows_them():
    with pytest.raises(UnsolvedComplementarity, match="sweeps of projected Gauss-Seidel left a residual of inf"):
        solve_lcp([[1.0, -2.0], [-2.0, 1.0]], [-1.0, -1.0])


@pytest.mark.parametrize(
    ("m", "q", "sentence"),
    [
        ([[1.0, 2.0]], [1.0], "shape \\(1, 2\\), expected a square one"),
        ([[1.0]], [1.0, 2.0], "constants have the shape \\(2,\\), expected \\(1,\\)"),
        ([[np.nan]], [1.0], "matrix: not every number is finite"),
        ([[1.0]], [np.inf], "constants: not every number is finite"),
    ],
)
def test_wrong_arguments_are_named(m, q, sentence):
    with pytest.raises(ValueError, match=sentence):
        solve_lcp(m, q)


def planar_friction(delassus, rate, friction):
    """The impulses of a planar problem as a linear complementarity problem: P_N, both directions of friction, lambda.

    lambda is the speed of slip; 0 <= lambda _|_ mu P_N - P_right - P_left >= 0.
    """
    n = len(friction)
    size = 4 * n
    into = np.zeros((3 * n, size))
    m = np.zeros((size, size))
    for i, mu in enumerate(friction):
        into[3 * i, 4 * i], into[3 * i + 1, 4 * i + 1], into[3 * i + 1, 4 * i + 2] = 1, 1, -1
        m[4 * i + 1 : 4 * i + 3, 4 * i + 3] = 1
        m[4 * i + 3, 4 * i : 4 * i + 3] = mu, -1, -1
    return into @ solve_lcp(m + into.T @ delassus @ into, into.T @ rate).z


@examples(50, 150, seeds)
def test_planar_friction_agrees_with_lemke(seed):
    """Where G is regular on the plane and mu small the solution is unique; both methods must find it."""
    rng = np.random.default_rng(seed)
    impact = planar(rng)
    n = min(len(impact.friction), impact.jacobian.shape[1] // 2)
    delassus, rate = impact.delassus[: 3 * n, : 3 * n], impact.rate[: 3 * n]
    mu = 0.1 * impact.friction[:n]
    answer = solve_cone_problem(delassus, rate, mu)
    assert answer.code == codes.SOLVED
    expected = planar_friction(delassus, rate, mu)
    size = np.abs(rate).max() + np.abs(delassus @ expected).max()
    assert answer.after == pytest.approx(delassus @ expected + rate, abs=1e-7 * size)
