"""Frictional contact: the law with its round cone, closed forms, energy, symmetry, redundant contacts."""

import numpy as np
import pytest
from cone_problems import SQUARE, body, body_jacobian, cube
from hypothesis import given, settings
from hypothesis import strategies as st

from sympact.contact import layout as at
from sympact.contact.complement import least_squares, solve_cone_problem

seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from([body, cube])
CUBE = np.diag([1, 1, 1, 6, 6, 6.0])
"""M^-1 of a unit cube of 1 kg."""


def law_residual(delassus, rate, friction, impulse) -> float:
    """|P - proj_K(P - (U + mu |U_T| e_N))| (de Saxce and Feng 1998), each contact scaled, relative to the rates."""
    after = delassus @ impulse + rate
    worst = 0.0
    scale = 0.0
    for i, mu in enumerate(friction):
        rows = slice(3 * i, 3 * i + 3)
        diagonal = np.diag(delassus)[rows]
        size = np.sqrt(diagonal[diagonal > 0].mean()) if diagonal.any() else 1.0
        p, u = impulse[rows] * size, after[rows] / size
        scale = max(scale, np.abs(rate[rows]).max() / size)
        z = p - u - np.array([mu * np.hypot(*u[1:]), 0, 0])
        worst = max(worst, np.linalg.norm(p - project(z, mu)))
    return worst / scale if scale else worst


def project(z, mu):
    """The nearest point of the cone |z_T| <= mu z_N."""
    tangential = np.hypot(*z[1:])
    if tangential <= mu * z[0]:
        return z
    if mu * tangential <= -z[0]:
        return np.zeros(3)
    normal = (z[0] + mu * tangential) / (1 + mu**2)
    return np.array([normal, *(mu * normal * z[1:] / tangential)])


def block(corners):
    """G of a unit cube of 1 kg on corners of its lower face."""
    jacobian = body_jacobian(corners)
    return jacobian @ CUBE @ jacobian.T


@given(kinds, seeds)
@settings(max_examples=300)
def test_law_holds(kind, seed):
    """U = G P + b is the definition; the law is measured by another function than the solver's."""
    impact = kind(np.random.default_rng(seed))
    answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
    assert answer.code == at.SOLVED
    assert law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse) <= 3e-10


@given(kinds, seeds)
@settings(max_examples=200)
def test_a_plastic_impact_gains_no_energy(kind, seed):
    """The work of the contacts is P . (U + gamma-)/2, and P . U <= 0 by the law; so e = 0 never gains."""
    impact = kind(np.random.default_rng(seed))
    before = impact.jacobian @ impact.speeds
    answer = solve_cone_problem(impact.delassus, before, impact.friction)
    assert answer.code == at.SOLVED
    assert answer.impulse @ (answer.after + before) / 2 <= 1e-12 * (np.abs(answer.impulse) @ np.abs(before) + 1e-300)


@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(0.0, 2.0))
def test_a_sphere_slips_or_sticks(x, y, mu):
    """G = diag(1, 7/2, 7/2)/m: it sticks when |gamma_T| 2/7 <= mu |gamma_N|, else slips on in the same direction."""
    answer = solve_cone_problem(np.diag([1.0, 3.5, 3.5]), [-1.0, x, y], [mu])
    slip = np.hypot(x, y)
    tangential = min(mu, slip / 3.5)
    expected = np.array([1.0, *(-tangential * np.array([x, y]) / slip if slip > 0 else (0.0, 0.0))])
    assert answer.impulse == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("mu", [0.0, 0.05, 0.3, 1.0])
@pytest.mark.parametrize(
    "speeds", [(0.3, 0, -1, 0, 0, 0), (0, 0, -1, 0, 0, 2.0), (0.0, 0, -1, 0, 1.0, 0), (1, 1, -1, 0, 0, 0)]
)
def test_a_symmetric_impact_has_symmetric_impulses(mu, speeds):
    """Mirrors and turns of the cube that leave the motion as it is leave the impulses as they are."""
    jacobian = body_jacobian(SQUARE)
    answer = solve_cone_problem(block(SQUARE), jacobian @ np.array(speeds, float), np.full(4, mu))
    assert answer.code == at.SOLVED
    impulse = dict(zip(map(tuple, SQUARE), answer.impulse.reshape(4, 3), strict=True))
    u = np.array(speeds, float)
    for turn in symmetries():
        sign = np.linalg.det(turn)
        if np.allclose([*(turn @ u[:2]), *(sign * turn @ u[3:5]), sign * u[5]], [*u[:2], *u[3:]]):
            for corner, p in impulse.items():
                assert impulse[tuple(turn @ corner)] == pytest.approx([p[0], *(turn @ p[1:])], abs=1e-12)


def symmetries():
    """The eight turns and mirrors of the square."""
    quarter, mirror = np.array([[0.0, -1.0], [1.0, 0.0]]), np.diag([1.0, -1.0])
    turns = [np.linalg.matrix_power(quarter, k) for k in range(4)]
    return turns + [turn @ mirror for turn in turns]


@given(seeds)
@settings(max_examples=100)
def test_tangents_may_be_turned(seed):
    """With the tangents of each contact turned about its normal, the impulses are the same vectors."""
    rng = np.random.default_rng(seed)
    impact = body(rng)
    n = min(len(impact.friction), 2)
    delassus, rate, mu = impact.delassus[: 3 * n, : 3 * n], impact.rate[: 3 * n], impact.friction[:n]
    turn = np.eye(3 * n)
    for i in range(n):
        angle = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        turn[3 * i + 1 : 3 * i + 3, 3 * i + 1 : 3 * i + 3] = [[c, -s], [s, c]]
    one, other = solve_cone_problem(delassus, rate, mu), solve_cone_problem(turn @ delassus @ turn.T, turn @ rate, mu)
    assert one.code == other.code == at.SOLVED
    assert turn @ one.impulse == pytest.approx(other.impulse, abs=1e-9 * np.abs(one.impulse).max())


@given(seeds, st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
@settings(max_examples=200)
def test_least_squares_agree_with_the_pseudoinverse(seed, rows, columns, rank):
    """x = D^-1 (A D^-1)^+ b, from NumPy's singular values."""
    rng = np.random.default_rng(seed)
    rank = min(rows, columns, rank)
    a = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
    b, weights = rng.normal(size=rows), 10 ** rng.uniform(-1, 1, size=columns)
    x, found = least_squares(a, b, weights)
    singular = np.linalg.svd(a / weights, compute_uv=False)
    if singular[rank - 1] > 1e-4 * singular[0]:
        assert found == rank
        expected = np.linalg.pinv(a / weights, rcond=1e-9) @ b / weights
        condition = singular[0] / singular[rank - 1]
        assert x == pytest.approx(expected, abs=1e-11 * condition**2 * np.abs(expected).max())


def test_a_sliding_contact_keeps_its_direction():
    """P_T = -mu P_N d, U_N = 0: a rod's end that slides along x while its tangential velocity is not along d."""
    g = np.array([[1.0, 0.2, 0.1], [0.2, 2.0, 0.0], [0.1, 0.0, 2.0]])
    answer = solve_cone_problem(g, [-1.0, 3.0, 0.0], [0.5], [1], [(0.6, 0.8)])
    normal = 1.0 / (1.0 - 0.5 * (0.2 * 0.6 + 0.1 * 0.8))
    assert answer.impulse == pytest.approx(normal * np.array([1, -0.3, -0.4]), abs=1e-14)


def test_no_solution_is_never_an_answer():
    """Painleve: friction presses the rod into the floor, G_NN < mu G_NT d, so that no impulse stops it."""
    g = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 0.0]])
    assert solve_cone_problem(g, [-1.0, 0.0, 0.0], [2.0], [1], [(1.0, 0.0)]).code == at.UNSOLVED


def test_what_no_impulse_moves():
    """A contact whose block of G is zero obeys when it does not approach."""
    g = np.zeros((6, 6))
    g[:3, :3] = np.eye(3)
    assert solve_cone_problem(g, [-1.0, 0, 0, 0.5, 1, 1], [0.5, 0.5]).impulse.tolist() == [1, 0, 0, 0, 0, 0]
    assert solve_cone_problem(g, [-1.0, 0, 0, -0.5, 1, 1], [0.5, 0.5]).code == at.UNSOLVED
    assert solve_cone_problem(np.zeros((3, 3)), [0.0, 0, 0], [0.5]).code == at.SOLVED


def test_numbers_that_are_not_finite_are_said_to_be_so():
    assert solve_cone_problem(np.eye(3), [np.nan, 0, 0], [0.5]).code == at.NOT_FINITE
    assert solve_cone_problem(np.full((3, 3), np.inf), [-1.0, 0, 0], [0.5]).code == at.NOT_FINITE
