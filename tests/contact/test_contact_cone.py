"""Frictional contact: the law with its round cone, closed forms, energy, symmetry, redundant contacts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples, members
from random_cones import (
    KINDS,
    SQUARE,
    body,
    body_jacobian,
    cube,
    law_residual,
    nearly_equal,
    nearly_jammed,
    planar,
    redundant,
    rounding,
)
from scipy.optimize import nnls

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import DESCENDED, FOLLOWED, NEWTON
from sympact.contact.solver_calls import least_squares, solve_cone_problem

seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from([body, cube])
EPS = np.finfo(float).eps
CUBE = np.diag([1, 1, 1, 6, 6, 6.0])
"""M^-1 of a unit cube of 1 kg."""


def block(corners):
    """G of a unit cube of 1 kg on corners of its lower face."""
    jacobian = body_jacobian(corners)
    return jacobian @ CUBE @ jacobian.T


@examples(100, 300, kinds, seeds)
def test_law_holds(kind, seed):
    """U = G P + b is the definition; the law is measured by another function than the solver's."""
    impact = kind(np.random.default_rng(seed))
    answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
    assert answer.code == codes.SOLVED
    assert law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse) <= 1e-10


@examples(67, 200, kinds, seeds)
def test_a_plastic_impact_gains_no_energy(kind, seed):
    """The work of the contacts is P . (U + gamma-)/2, and P . U <= 0 by the law; so e = 0 never gains."""
    impact = kind(np.random.default_rng(seed))
    before = impact.jacobian @ impact.speeds
    answer = solve_cone_problem(impact.delassus, before, impact.friction)
    assert answer.code == codes.SOLVED
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
    assert answer.code == codes.SOLVED
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
    assert one.code == other.code == codes.SOLVED
    assert turn @ one.impulse == pytest.approx(other.impulse, abs=1e-9 * np.abs(one.impulse).max())


@examples(67, 200, seeds, st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
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
    assert solve_cone_problem(g, [-1.0, 0.0, 0.0], [2.0], [1], [(1.0, 0.0)]).code == codes.UNSOLVED


def test_what_no_impulse_moves():
    """A contact whose block of G is zero obeys when it does not approach."""
    g = np.zeros((6, 6))
    g[:3, :3] = np.eye(3)
    assert solve_cone_problem(g, [-1.0, 0, 0, 0.5, 1, 1], [0.5, 0.5]).impulse.tolist() == [1, 0, 0, 0, 0, 0]
    assert solve_cone_problem(g, [-1.0, 0, 0, -0.5, 1, 1], [0.5, 0.5]).code == codes.UNSOLVED
    assert solve_cone_problem(np.zeros((3, 3)), [0.0, 0, 0], [0.5]).code == codes.SOLVED


def test_numbers_that_are_not_finite_are_said_to_be_so():
    assert solve_cone_problem(np.eye(3), [np.nan, 0, 0], [0.5]).code == codes.NOT_FINITE
    assert solve_cone_problem(np.full((3, 3), np.inf), [-1.0, 0, 0], [0.5]).code == codes.NOT_FINITE


@pytest.mark.parametrize("offset", [0.0, 1e-16, -1e-16, 1e-14, -1e-14, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6])
@pytest.mark.parametrize("mu", [0.1, 0.3, 0.7, 1.2])
def test_an_edge_at_the_boundary_of_stick_and_slip(mu, offset):
    """A body on two points below its centre, pulled along their line as strongly as friction holds, within `offset`.

    Opposite forces along the line move nothing: where the body sticks, the points share the load equally.
    """
    jacobian = body_jacobian(np.array([(0.0, -0.5), (0.0, 0.5)]), height=0.0)
    delassus, rate = jacobian @ CUBE @ jacobian.T, jacobian @ np.array([0.0, mu * (1 + offset), -1.0, 0, 0, 0])
    answer = solve_cone_problem(delassus, rate, np.full(2, mu))
    assert answer.code == codes.SOLVED
    assert law_residual(delassus, rate, np.full(2, mu), answer.impulse) <= 1e-13
    tangential = -0.5 * mu * (1 + min(offset, 0.0))
    assert answer.impulse.reshape(2, 3) == pytest.approx(np.array(2 * [[0.5, 0.0, tangential]]), abs=1e-12)


@examples(67, 200, st.floats(0.1, 1.2), st.floats(-1e-9, 1e-9), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_a_tilted_load_on_an_edge_near_the_boundary(mu, offset, x, turn):
    """The same with the centre above the line, so that the load shifts, and with pulls across and turning."""
    jacobian = body_jacobian(np.array([(0.0, -0.5), (0.0, 0.5)]), height=0.3)
    pull = np.array([x * mu, mu * (1 + offset), -1.0, 0, 0, turn * mu])
    delassus, rate = jacobian @ CUBE @ jacobian.T, jacobian @ pull
    answer = solve_cone_problem(delassus, rate, np.full(2, mu))
    assert answer.code == codes.SOLVED
    assert law_residual(delassus, rate, np.full(2, mu), answer.impulse) <= 1e-12


@examples(67, 200, st.floats(0.01, 2.0), st.floats(-1e-9, 1e-9), st.floats(-0.5, 0.5), st.floats(0, 2 * np.pi))
def test_one_contact_near_the_boundary_of_stick_and_slip(mu, offset, coupling, angle):
    """The stopping impulse lies on the cone but for a part in 1e9: the slip after is as small, and the law holds."""
    g = np.array([[1.0, coupling, 0.2], [coupling, 2.0, 0.3], [0.2, 0.3, 3.0]])
    edge = np.array([1.0, mu * (1 + offset) * np.cos(angle), mu * (1 + offset) * np.sin(angle)])
    rate = -g @ edge
    if rate[0] > -0.05:
        return
    answer = solve_cone_problem(g, rate, [mu])
    assert answer.code == codes.SOLVED
    assert law_residual(g, rate, [mu], answer.impulse) <= 1e-13


def test_redundant_sticking_corners_share_the_load():
    """A cube that sticks on four corners and is pushed sideways at its face: a quarter of the load each."""
    jacobian = body_jacobian(SQUARE, height=0.0)
    delassus = jacobian @ CUBE @ jacobian.T
    answer = solve_cone_problem(delassus, jacobian @ np.array([0.2, 0, -1, 0, 0, 0]), np.full(4, 0.5))
    assert answer.impulse.reshape(4, 3) == pytest.approx(np.tile([0.25, -0.05, 0.0], (4, 1)), abs=1e-14)


def test_what_is_rounding_needs_no_answer():
    """A rod that friction presses into the floor has no solution, but none is needed at a rate below the floor."""
    g = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 0.0]])
    slides = ([1], [(1.0, 0.0)])
    assert solve_cone_problem(g, [-1e-16, 0.0, 0.0], [2.0], *slides).code == codes.UNSOLVED
    answer = solve_cone_problem(g, [-1e-16, 0.0, 0.0], [2.0], *slides, floor=1e-15)
    assert (answer.code, answer.impulse.tolist()) == (codes.SOLVED, [0.0, 0.0, 0.0])


@pytest.mark.parametrize("number", members([150, 500], slow=[500]))
@pytest.mark.parametrize("kind", KINDS)
def test_every_problem_that_can_be_opened_is_solved(kind, number):
    """In each of them some motion opens all contacts without slip, so that there is a solution: none is left out."""
    for k in range(number):
        impact = kind(np.random.default_rng([2024, k]))
        answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
        assert answer.code == codes.SOLVED, k
        assert law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse) <= 1e-10, k
        if impact.restitution == 0.0:
            assert answer.impulse @ (answer.after + impact.rate) / 2 <= 1e-12 * energy(impact), k


def energy(impact) -> float:
    """The kinetic energy before."""
    return float(impact.speeds @ impact.mass_matrix @ impact.speeds) / 2


HARD = {
    body: [(0, 15565), (3, 9826)],
    planar: [(2, 195), (3, 7501), (4, 5438), (4, 7996), (5, 3695)],
    redundant: [(2, 1111), (5, 4490), (6, 8440)],
    nearly_equal: [
        *((0, k) for k in (2498, 5567, 7613, 9351, 9922, 12518, 12658, 13069, 14342, 15094, 16343)),
        *((1, k) for k in (4695, 14053, 14210, 16486)),
        *[(2, 69), (2, 6459), (2, 8335), (3, 6896), (3, 9134), (3, 10433), (4, 10981), (4, 13618), (5, 1606)],
        *[(5, 5169), (5, 6437), (5, 8079), (5, 8617), (6, 1424), (6, 6508)],
    ],
    nearly_jammed: [(0, k) for k in (155, 200, 436, 1088, 1132, 34, 65, 512, 640, 699, 1020, 1389)],
}
"""Problems, by the seed of their generator, that other ways than the present one have failed to solve."""


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, hard in HARD.items() for seed in hard])
def test_problems_that_were_once_unsolved(kind, seed):
    """Five contacts of which three nearly coincide, slip that turns on the way, paths with corners that run back."""
    impact = kind(np.random.default_rng(seed))
    answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
    assert answer.code == codes.SOLVED
    assert law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse) <= 1e-10


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, hard in HARD.items() for seed in hard])
@pytest.mark.parametrize("copies", members([8, 25], slow=[25]))
def test_no_last_bit_decides_whether_a_problem_is_solved(kind, seed, copies):
    """Copies of each, whose G and b are off by up to four roundings, as those of other processors are."""
    impact, rng = kind(np.random.default_rng(seed)), np.random.default_rng(seed)
    for _ in range(copies):
        delassus, rate = (x * (1 + EPS * rng.uniform(-4, 4, size=x.shape)) for x in (impact.delassus, impact.rate))
        delassus = (delassus + delassus.T) / 2
        answer = solve_cone_problem(delassus, rate, impact.friction)
        assert answer.code == codes.SOLVED
        assert law_residual(delassus, rate, impact.friction, answer.impulse) <= 1e-10


def test_problems_that_were_once_unsolved_need_more_than_newtons_method_from_zero():
    """All but a few: where a last bit of G decides whether Newton's method ends, its products decide, by processor."""
    solvers = []
    for kind, hard in HARD.items():
        for seed in hard:
            impact = kind(np.random.default_rng(seed))
            solvers.append(solve_cone_problem(impact.delassus, impact.rate, impact.friction).solver)
    assert {*solvers} <= {NEWTON, DESCENDED, FOLLOWED}
    assert solvers.count(NEWTON) <= 3


@examples(33, 100, seeds)
def test_contacts_that_nearly_jam_are_solved_to_the_rounding_of_their_impulses(seed):
    """Impulses P of any size are only known to 2^-53 |P|, which G makes 2^-53 |G| |P| of the velocities."""
    impact = nearly_jammed(np.random.default_rng(seed))
    answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction)
    if answer.code == codes.SOLVED:
        left = law_residual(impact.delassus, impact.rate, impact.friction, answer.impulse)
        assert left <= max(1e-10, 8 * rounding(impact.delassus, impact.rate, answer.impulse))
    else:
        assert answer.residual > 1e-12


def test_a_long_stride_does_not_leave_for_another_solution_of_contacts_that_yield():
    """A wheel on a rough wall, beside a smooth one, 0.002 from where the two jam it: both stop it, with 4000 N s.

    On the way there the 1e-7 N s of contacts that yield to next to no approach are a solution as well.
    """
    smooth = [0.180222138244, -0.536790485741, 0.386041934818]
    rough = [[-0.427873548058, 0.269102754268, -0.758505385791], [-0.457608102714, -0.595668452327, -0.66041846501]]
    nu = np.array([1.0, 0.44107303507, -1.3938960651])  # moves nothing: no friction holds along it
    last = -(nu[0] * np.array(rough[0]) + nu[1] * np.array(rough[1])) / nu[2]
    rows = np.array([smooth, np.zeros(3), np.zeros(3), *rough, last])
    motion = np.linalg.lstsq(rows, [-2.13054571e-8, 0, 0, -2.833736365e-8, 0.0737468637, 0.0233358322], rcond=1e-6)[0]
    answer = solve_cone_problem(rows @ rows.T, rows @ motion, np.array([0.0, 0.6]))
    assert answer.code == codes.SOLVED
    assert np.abs(answer.after).max() <= 1e-9
    assert np.hypot(*answer.impulse[4:]) <= 0.6 * answer.impulse[3]
    assert answer.impulse[0] == pytest.approx(4120.12, rel=1e-3)


@pytest.mark.parametrize("angle", [0.0, 1e-3, 0.3])
def test_walls_that_close_in_have_no_impulses_however_large(angle):
    """U_1 + U_2 = -2 for all impulses of two opposite walls: were these 1e17, their rounding would hide it."""
    normals = np.array([[1.0, 0.0], [-1.0, 0.0]])
    tangents = np.array([[np.sin(angle), np.cos(angle)], [0.0, 1.0]])
    jacobian = np.zeros((6, 2))
    jacobian[::3], jacobian[1::3] = normals, tangents
    answer = solve_cone_problem(jacobian @ jacobian.T, [-1.0, 0, 0, -1.0, 0, 0], [0.3, 0.3])
    assert answer.code == codes.UNSOLVED


def test_the_smallest_impulses_of_a_sliding_body():
    """Five corners that slip: of the impulses along their lines that give the motion, the smallest, by SciPy's `nnls`.

    With G E y = U - b the motion, y >= 0, least squares of [w G E; I] y = [w (U - b); 0] with a large weight w give the
    least norm to 1e-6.
    """
    rng = np.random.default_rng(5)
    corners = rng.normal(size=(5, 2))
    jacobian = body_jacobian(corners, height=0.2)
    delassus, mu = jacobian @ CUBE @ jacobian.T, 0.1
    rate = jacobian @ np.array([3.0, 1.0, -1.0, 0.1, 0.2, 0.4])
    answer = solve_cone_problem(delassus, rate, np.full(5, mu))
    assert answer.code == codes.SOLVED
    after, impulse = answer.after.reshape(5, 3), answer.impulse.reshape(5, 3)
    slips = np.hypot(*after[:, 1:].T)
    assert (slips > 0.1).all()
    along = np.zeros((15, 5))
    for i in range(5):
        along[3 * i : 3 * i + 3, i] = [1, *(-mu * after[i, 1:] / slips[i])]
    touching = after[:, 0] < 1e-12
    weight = 1e5
    stacked = np.vstack([weight * delassus @ along[:, touching], np.sqrt(1 + mu**2) * np.eye(touching.sum())])
    target = np.concatenate([weight * (answer.after - rate), np.zeros(touching.sum())])
    assert impulse[touching, 0] == pytest.approx(nnls(stacked, target)[0], abs=1e-6)
