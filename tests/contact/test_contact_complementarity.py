"""Several contacts at once: the law, the unique motion, the least impulses, what is conserved, and energy."""

import numpy as np
import pytest
from contact_problems import KINDS, SQUARE, Problem, copies, independent, low_rank, mass, on_plane, plane_jacobian
from hypothesis import given
from hypothesis import strategies as st
from quick_members import examples
from scipy.linalg import null_space
from scipy.optimize import nnls

from sympact.contact import ContactData, Newton, Simultaneous, solve_impact

seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from(KINDS)
consistent = st.sampled_from([independent, low_rank, copies])


def solve(problem: Problem):
    return solve_impact(problem.mass_matrix, problem.normal_jacobian, problem.gap_rate, problem.restitution)


def motion(problem: Problem, solution):
    """y = C^T (u+ - u-), whose length is the energy norm of the change."""
    return np.linalg.cholesky(problem.mass_matrix).T @ solution.speed_change


def scale(problem: Problem, solution) -> float:
    """The largest rate asked for and the size of the motion, both in the energy norm."""
    lengths = np.linalg.norm(problem.columns, axis=0)
    asked = -(1 + problem.restitution) * problem.gap_rate / lengths
    return max(0.0, asked.max()) + np.linalg.norm(motion(problem, solution))


def law_residual(problem: Problem, solution) -> float:
    """The largest |min(Lambda, gamma+ + e gamma-)|, each in the energy norm, from matrices and speeds alone."""
    lengths = np.linalg.norm(problem.columns, axis=0)
    rate_plus = problem.gap_rate + problem.normal_jacobian @ solution.speed_change
    excess = (rate_plus + problem.restitution * problem.gap_rate) / lengths
    return np.abs(np.minimum(solution.impulses * lengths, excess)).max()


def shortest_within(rows: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """The shortest y with rows y >= bounds, by Lawson and Hanson's reduction (1974, chapter 23) to least squares."""
    stacked = np.vstack([rows.T, bounds])
    target = np.zeros(len(stacked))
    target[-1] = 1.0
    residual = stacked @ nnls(stacked, target, maxiter=1000)[0] - target
    return -residual[:-1] / residual[-1]


def independent_motion(problem: Problem) -> np.ndarray:
    """y of the energy norm's least-distance problem, by `shortest_within`."""
    lengths = np.linalg.norm(problem.columns, axis=0)
    bounds = -(1 + problem.restitution) * problem.gap_rate / lengths
    return shortest_within((problem.columns / lengths).T, bounds)


@pytest.mark.parametrize("number", [3_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_thousands_of_problems_are_solved(number):
    """Residuals are rounding; they are largest where contacts differ by 1e-12, at which they count as dependent."""
    rng, solver = np.random.default_rng(2), Newton().solver(Simultaneous(), friction=False).callable()
    worst = 0.0
    for k in range(number):
        problem = KINDS[k % len(KINDS)](rng)
        n, m = problem.normal_jacobian.shape
        data = ContactData(0, m, n, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
        data.assemble(problem.mass_matrix, problem.normal_jacobian, problem.gap_rate, problem.restitution)
        assert solver(data.address) == 0, f"problem {k} is not solved"
        worst = max(worst, data.residual)
    assert worst < 1e-10


@examples(100, 300, kinds, seeds)
def test_law_holds(kind, seed):
    problem = kind(np.random.default_rng(seed))
    solution = solve(problem)
    assert (solution.impulses >= 0).all()
    assert law_residual(problem, solution) <= 1e-10 * scale(problem, solution)


@examples(100, 300, kinds, seeds)
def test_momentum_is_what_the_impulses_give(kind, seed):
    """M (u+ - u-) = W Lambda, within rounding of the sum of the impulses."""
    problem = kind(np.random.default_rng(seed))
    solution = solve(problem)
    lengths = np.linalg.norm(problem.columns, axis=0)
    difference = motion(problem, solution) - problem.columns @ solution.impulses
    assert np.linalg.norm(difference) <= 1e-11 * (scale(problem, solution) + solution.impulses @ lengths)


@examples(100, 300, st.sampled_from([independent, on_plane, low_rank]), seeds)
def test_motion_agrees_with_an_independent_solver(kind, seed):
    """The reduction divides by its residual, which is small where the motion is large: errors of 1e-16 grow by y^2."""
    problem = kind(np.random.default_rng(seed))
    y = motion(problem, solve(problem))
    size = 1 + y @ y
    assert np.linalg.norm(y - independent_motion(problem)) <= 1e-12 * size * (1 + size)


def redundant(rng: np.random.Generator) -> Problem:
    """A body on 4 to 8 corners in a plane, well conditioned, so that the rank is plain."""
    n = rng.integers(4, 9)
    jacobian = plane_jacobian(rng.normal(size=(n, 2))) @ np.linalg.qr(rng.normal(size=(6, 6)))[0]
    a = rng.normal(size=(6, 6))
    return Problem(a @ a.T + np.eye(6), jacobian, jacobian @ rng.normal(size=6), rng.choice([0.0, 0.5, 1.0], size=n))


@examples(100, 300, seeds)
def test_impulses_are_the_smallest_that_give_the_motion(seed):
    """No step along the null space of W that keeps the impulses from pulling makes them smaller.

    With N an orthonormal basis of the null space of the columns that may push, all impulses of this motion are
    Lambda_0 + N z with Lambda_0 normal to N; the shortest z that leaves none negative is found by scipy's nnls.
    """
    problem = redundant(np.random.default_rng(seed))
    solution = solve(problem)
    excess = solution.gap_rate_plus + problem.restitution * problem.gap_rate
    may_push = excess <= 1e-9 * np.abs(problem.gap_rate).max()
    impulses = solution.impulses[may_push]
    assert not solution.impulses[~may_push].any()
    null = null_space(problem.normal_jacobian[may_push].T, rcond=1e-9)
    if null.shape[1] == 0:
        return
    nearest = impulses - null @ (null.T @ impulses)
    smallest = nearest + null @ shortest_within(null, -nearest)
    assert np.linalg.norm(impulses - smallest) <= 1e-9 * (1 + np.linalg.norm(impulses))


def test_mirrored_corners_of_an_octagon_share_evenly():
    """Eight corners, five more than needed: impulses of least norm are an affine function of the place."""
    angles = np.arange(8) * np.pi / 4
    jacobian = plane_jacobian(np.column_stack([np.cos(angles), np.sin(angles)]))
    rates = jacobian @ np.array([0.0, 0.0, -1.0, 0.0, 0.1, 0.0])
    solution = solve_impact(np.diag([1.0] * 3 + [0.5] * 3), jacobian, rates, 0.5)
    assert solution.impulses == pytest.approx(1.5 * (1 / 8 + 0.1 * 0.5 * np.cos(angles) / 4), rel=1e-13)


@examples(100, 300, consistent, seeds)
def test_one_restitution_and_walls_at_rest_never_gain_energy(kind, seed):
    """Delta T = u- . M du + du . M du / 2 with M du = W Lambda, so that the speeds before need not be found from rates.

    Rates after are only known to 2^-53 of the length of their row times the motion, which the impulses make an energy.
    """
    problem = kind(np.random.default_rng(seed))
    solution = solve(problem)
    y = motion(problem, solution)
    change = solution.impulses @ problem.gap_rate + y @ y / 2
    size = solution.impulses @ np.linalg.norm(problem.columns, axis=0) * np.linalg.norm(y)
    assert solution.energy <= 1e-13 * size
    assert solution.energy == pytest.approx(change, abs=2e-14 * size)


def test_different_restitutions_can_gain_a_third():
    """A rod with end speeds 1/2 (e = 0) and -1 (e = 1): both push, and the kinetic energy rises from 1/8 to 1/6."""
    m, l = 1.0, 2.0
    mass_matrix, jacobian = np.diag([m, m * l**2 / 12]), np.array([[1, -l / 2], [1, l / 2]])
    rates = np.array([0.5, -1.0])
    solution = solve_impact(mass_matrix, jacobian, rates, [0.0, 1.0])
    u = np.linalg.solve(jacobian, rates)
    before = u @ mass_matrix @ u / 2
    after = (u + solution.speed_change) @ mass_matrix @ (u + solution.speed_change) / 2
    assert (solution.impulses > 0).all()
    assert before == pytest.approx(1 / 8)
    assert after / before == pytest.approx(4 / 3)
    assert solution.energy == pytest.approx(before / 3)


@given(seeds)
def test_horizontal_momentum_and_vertical_spin_are_conserved(seed):
    """A frictionless plane gives no horizontal impulse and no torque about the vertical, whatever the inertia."""
    rng = np.random.default_rng(seed)
    inertia = np.diag(rng.uniform(0.5, 2, size=3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    mass_matrix = np.zeros((6, 6))
    mass_matrix[:3, :3], mass_matrix[3:, 3:] = 1.5 * np.eye(3), turn @ inertia @ turn.T
    jacobian, u = plane_jacobian(rng.normal(size=(5, 2))), rng.normal(size=6)
    change = mass_matrix @ solve_impact(mass_matrix, jacobian, jacobian @ u, rng.uniform()).speed_change
    assert not change[:2].any()
    assert abs(change[5]) <= 1e-14 * (1 + np.abs(change).max())


@examples(33, 100, kinds, seeds, st.floats(-3, 3), st.floats(-3, 3))
def test_units_do_not_matter(kind, seed, mass_unit, speed_unit):
    """Other units of mass and speed scale the impulses; powers of two, so that rounding is the same too."""
    problem = kind(np.random.default_rng(seed))
    kg, speed = 2.0 ** round(8 * mass_unit), 2.0 ** round(8 * speed_unit)
    solution = solve(problem)
    scaled = solve_impact(
        problem.mass_matrix * kg**2, problem.normal_jacobian, problem.gap_rate * speed, problem.restitution
    )
    assert np.array_equal(scaled.speed_change, solution.speed_change * speed)
    assert np.array_equal(scaled.impulses, solution.impulses * kg**2 * speed)


@given(seeds)
def test_order_of_the_contacts_does_not_matter(seed):
    """The spread of impulses over redundant contacts depends on the rank decision alone: rounding, not choice."""
    rng = np.random.default_rng(seed)
    mass_matrix, jacobian = np.diag([1.0, 1, 1, 0.3, 0.4, 0.5]), plane_jacobian(rng.normal(size=(6, 2)))
    rates, e = jacobian @ rng.normal(size=6), rng.uniform()
    order = rng.permutation(6)
    first = solve_impact(mass_matrix, jacobian, rates, e)
    second = solve_impact(mass_matrix, jacobian[order], rates[order], e)
    size = 1 + np.abs(first.impulses).max()
    assert np.abs(first.impulses[order] - second.impulses).max() <= 1e-11 * size
    assert np.abs(first.speed_change - second.speed_change).max() <= 1e-13 * size


def test_mirrored_impact_has_mirrored_impulses():
    """A cube that lands on a face with spin about y: corners at equal x push equally."""
    jacobian = plane_jacobian(SQUARE)
    rates = jacobian @ np.array([0.3, 0.0, -2.0, 0.0, 1.0, 0.0])
    solution = solve_impact(np.diag([1.0] * 3 + [1 / 6] * 3), jacobian, rates, 0.5)
    left, right = solution.impulses[:2], solution.impulses[2:]
    assert abs(left[0] - left[1]) <= 1e-13 * solution.impulses.max()
    assert abs(right[0] - right[1]) <= 1e-13 * solution.impulses.max()
    assert abs(solution.speed_change[3]) < 1e-14


def test_contact_that_leaves_fast_enough_does_not_push():
    solution = solve_impact(np.eye(2), np.eye(2), [-1.0, 2.0], 0.5)
    assert solution.impulses == pytest.approx([1.5, 0.0])


def test_nothing_approaches_and_nothing_happens():
    solution = solve_impact(mass(np.random.default_rng(0), 4), np.eye(3, 4), [0.0, 1.0, 2.0], 0.5)
    assert not solution.speed_change.any()
    assert not solution.impulses.any()


def test_walls_that_close_in_have_no_solution():
    with pytest.raises(ValueError, match="no impulses satisfy the law of every contact"):
        solve_impact([[1.0]], [[1.0], [-1.0]], [-1.0, -1.0], 0.5)


def test_contact_that_no_speed_can_stop_has_no_solution():
    with pytest.raises(ValueError, match="no impulses satisfy the law of every contact"):
        solve_impact(np.eye(2), [[0.0, 0.0]], [-1.0], 0.5)


def test_singular_mass_matrix_is_named():
    with pytest.raises(ValueError, match="pivot of elimination is not positive at the speed of index 1"):
        solve_impact([[1.0, 1.0], [1.0, 1.0]], [[1.0, 0.0]], [-1.0], 0.5)


def test_all_faults_of_the_arguments_are_named_at_once():
    with pytest.raises(ValueError, match="is invalid") as caught:
        solve_impact(np.eye(3), np.eye(2), [-1.0, np.nan], [0.5, 1.5])
    message = str(caught.value)
    assert "mass matrix: shape (3, 3), expected (2, 2) for 2 contacts and 2 speeds" in message
    assert "gap rates: not every number is finite" in message
    assert "restitution: [1.5] outside the range from 0 to 1" in message


def test_jacobian_must_be_a_matrix():
    with pytest.raises(ValueError, match=r"normal Jacobian has the shape \(2,\), expected \(n_contacts, n_speeds\)"):
        solve_impact(np.eye(2), [1.0, 0.0], [-1.0], 0.5)
