"""The cone problem with least normal impulses, as Poisson's expansion poses it: closed forms, energy, redundancy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick_members import examples, members
from random_cones import KINDS, SQUARE, Impact, body_jacobian, law_residual, nearly_jammed, planar, project, redundant

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import ALONE, FOLLOWED, NEWTON
from sympact.contact.solver_calls import ConeAnswer, solve_cone_problem

CUBE = np.diag([1, 1, 1, 6, 6, 6.0])
"""M^-1 of a unit cube of 1 kg."""


def expansion(impact: Impact, e) -> tuple[np.ndarray, np.ndarray, ConeAnswer]:
    """The velocities at the end of compression, e times its normal impulses, and what expansion answers to these."""
    first = solve_cone_problem(impact.delassus, impact.jacobian @ impact.speeds, impact.friction)
    assert first.code == codes.SOLVED
    least = e * first.impulse[::3]
    return first.after, least, solve_cone_problem(impact.delassus, first.after, impact.friction, least=least)


def check(impact: Impact, rate, least, answer: ConeAnswer) -> None:
    """Solved, and by the law, whose residual another function measures."""
    assert answer.code == codes.SOLVED
    assert answer.impulse[::3].min() >= 0.0
    assert law_residual(impact.delassus, rate, impact.friction, answer.impulse, least) <= 1e-10


NUMBERS = members([range(100), range(100, 300)], slow=[range(100, 300)])


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_expansion_that_can_be_opened_is_solved(kind, numbers):
    for k in numbers:
        rng = np.random.default_rng([12, k])
        impact = kind(rng)
        check(impact, *expansion(impact, rng.uniform(0.0, 1.0, len(impact.friction))))


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_the_least_impulses_the_law_holds(kind, numbers):
    """Some zero, some a million times smaller than others, some more than would come back, some far too small."""
    for k in numbers:
        rng = np.random.default_rng([13, k])
        impact = kind(rng)
        n = len(impact.friction)
        least = rng.uniform(0.0, 5.0, n) * (rng.uniform(size=n) < 0.8) * 10.0 ** rng.choice([0.0, 0.0, -6.0], n)
        answer = solve_cone_problem(impact.delassus, impact.rate, impact.friction, least=least)
        check(impact, impact.rate, least, answer)


speeds = st.floats(-4, 4)


@given(speeds, speeds, speeds, st.floats(0.01, 2.0), st.floats(0.0, 5.0))
def test_a_sphere_takes_the_least_impulse_or_what_stops_it(normal, x, y, mu, least):
    """G = diag(1, 3.5, 3.5): P_N is the larger of both, and friction stops the slip or takes mu P_N from it."""
    answer = solve_cone_problem(np.diag([1.0, 3.5, 3.5]), [normal, x, y], [mu], least=[least])
    push, slip = max(least, -normal), math.hypot(x, y)
    friction = min(mu * push, slip / 3.5)
    along = np.array([x, y]) / slip if slip > 0.0 else np.zeros(2)
    assert answer.code == codes.SOLVED
    assert answer.impulse == pytest.approx([push, *(-friction * along)], abs=1e-12)


@examples(33, 100, st.floats(-4.0, -0.1), speeds, speeds, st.floats(0.0, 2.0), st.floats(0.0, 1.0))
def test_a_sphere_gains_no_energy_in_both_phases(normal, x, y, mu, e):
    """Friction never moves a sphere along its normal: 2 (T+ - T-) is at most (e^2 - 1) gamma_N^2."""
    impact = Impact(np.eye(3), np.diag([1.0, 3.5**0.5, 3.5**0.5]), np.array([normal, x, y]), 0.0, np.array([mu]))
    _, _, answer = expansion(impact, e)
    after = np.linalg.solve(impact.jacobian, answer.after)
    assert after @ after - impact.speeds @ impact.speeds <= (e * e - 1.0) * normal**2 + 1e-12
    assert answer.after[0] == pytest.approx(-e * normal, rel=1e-12)


LEAST, SIDE = 0.7, 2.0


@pytest.mark.parametrize(
    ("name", "coupling", "slip", "mu"),
    [
        ("slides", 0.5, 3.0, 0.4),
        ("slides", -0.5, 3.0, 0.4),
        ("sticks", 0.5, 0.3, 0.9),
        ("turns", -1.2, 0.1, 0.3),
        ("turns", 1.2, -0.1, 0.3),
        ("is pressed", 1.2, 3.0, 0.9),
        ("is pressed", -1.2, -3.0, 0.9),
    ],
)
def test_a_rod_that_touches_has_four_ways_to_expand(name, coupling, slip, mu):
    """G = [[1, c], [c, 2]], gamma_N = 0 and the least impulse a: planar, by hand.

    Friction -+mu a where the slip keeps or turns its sign; -(slip + c a)/2 where that holds it. Where mu |c| > 1 and
    friction presses the rod in, neither is enough: it sticks with P_N = c slip/(2 - c^2), P_T = -P_N/c > -mu P_N.
    """
    sign = math.copysign(1.0, slip)
    keeps, turned = (slip + LEAST * (coupling - SIDE * mu * along) for along in (sign, -sign))
    held = -(slip + coupling * LEAST) / SIDE
    pressed = LEAST * (1.0 - mu * coupling * sign) < 0.0
    push = {"is pressed": coupling * slip / (SIDE - coupling**2)}.get(name, LEAST)
    assert (pressed and push > LEAST) == (name == "is pressed")
    assert (keeps * sign > 0.0) == (name in ("slides", "is pressed"))
    assert (turned * sign < 0.0) == (name == "turns")
    friction = {"slides": -sign * mu * LEAST, "turns": sign * mu * LEAST, "sticks": held}.get(name, -push / coupling)
    g = np.array([[1.0, coupling, 0.0], [coupling, SIDE, 0.0], [0.0, 0.0, 1.0]])
    answer = solve_cone_problem(g, [0.0, slip, 0.0], [mu], least=[LEAST])
    assert (answer.code, answer.solver) == (codes.SOLVED, ALONE)
    assert answer.impulse == pytest.approx([push, friction, 0.0], abs=1e-13)


def test_a_contact_that_locks_itself_stays_at_rest():
    """A rod on a pin, one speed: P = a (1, -3/4) moves nothing, and friction with mu = 1 holds what a would move."""
    rows = np.array([[3.0], [4.0], [0.0]])
    answer = solve_cone_problem(rows @ rows.T, np.zeros(3), [1.0], least=[2.0])
    assert answer.impulse == pytest.approx([2.0, -1.5, 0.0], abs=1e-14)
    assert answer.after == pytest.approx(np.zeros(3), abs=1e-14)


@examples(33, 100, st.integers(0, 2**32 - 1), st.booleans())
def test_least_impulses_along_a_line_only_move_the_rates(seed, slides):
    """Without friction, or with a given direction of slip, P - E a solves the problem of the rates b + G E a."""
    rng = np.random.default_rng(seed)
    impact = redundant(rng)
    n = len(impact.friction)
    angle, least, mu = rng.uniform(0, 2 * np.pi, n), rng.uniform(0, 5, n), np.full(n, 0.05 if slides else 0.0)
    ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    sliding = ([1] * n, ways) if slides else ()
    given_impulse = np.column_stack([least, -(mu * least)[:, None] * ways]).ravel()
    one = solve_cone_problem(impact.delassus, impact.rate, mu, *sliding, least=least)
    other = solve_cone_problem(impact.delassus, impact.rate + impact.delassus @ given_impulse, mu, *sliding)
    assert one.code == other.code
    if one.code == codes.SOLVED:
        assert one.impulse - given_impulse == pytest.approx(other.impulse, abs=1e-7 * (1 + np.abs(one.impulse).max()))


@examples(33, 100, st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_without_friction_expansion_returns_e_squared(seed, e):
    """The phases are orthogonal in the kinetic metric where all that is given back leaves (Moreau)."""
    impact = planar(np.random.default_rng(seed))
    impact.friction[:] = 0.0
    before, delassus = impact.jacobian @ impact.speeds, impact.delassus
    reached, least, answer = expansion(impact, e)
    first = least / e if e > 0.0 else np.zeros_like(least)
    normal = delassus[::3, ::3]
    taken = before[::3] @ first + first @ normal @ first / 2
    returned = reached[::3] @ answer.impulse[::3] + answer.impulse[::3] @ normal @ answer.impulse[::3] / 2
    size = 1e-10 * (1 + np.abs(before).max() * np.abs(answer.impulse).sum())
    assert returned <= -e * e * taken + size
    if np.array_equal(answer.impulse[::3], least):
        assert returned == pytest.approx(-e * e * taken, abs=size)


def test_a_cube_rebounds_from_four_corners_alike():
    """It sticks in compression, a quarter of the load each, and each corner gives back e times its quarter."""
    jacobian = body_jacobian(SQUARE, height=0.0)
    impact = Impact(np.linalg.inv(CUBE), jacobian, np.array([0.2, 0, -1, 0, 0, 0]), 0.0, np.full(4, 0.5))
    _, least, answer = expansion(impact, 0.6)
    assert least == pytest.approx(np.full(4, 0.15), abs=1e-14)
    assert answer.impulse.reshape(4, 3) == pytest.approx(np.tile([0.15, 0.0, 0.0], (4, 1)), abs=1e-14)
    assert answer.after.reshape(4, 3) == pytest.approx(np.tile([0.6, 0.0, 0.0], (4, 1)), abs=1e-14)


def nearest_with_motion(delassus, motion, mu, least, flies):
    """The P nearest to (a, 0) with G P = `motion`, each P_i in its cone cut off below a, by Dykstra's projections.

    Boyle and Dykstra 1986. Where a contact flies P_N is a.
    """
    pseudo = np.linalg.pinv(delassus, rcond=1e-10)
    centre = np.column_stack([least, np.zeros((len(least), 2))]).ravel()
    p, one, other = centre.copy(), np.zeros_like(centre), np.zeros_like(centre)
    for _ in range(2000):
        y = p + one
        y, one = y - pseudo @ (delassus @ y - motion), one + p - (y - pseudo @ (delassus @ y - motion))
        q = y + other
        for i, a in enumerate(least):
            z = np.array([-1e9 if flies[i] else q[3 * i], *q[3 * i + 1 : 3 * i + 3]])
            q[3 * i : 3 * i + 3] = project(z, mu[i], a)
        other = y + other - q
        p = q
    return p


def test_redundant_contacts_that_stick_have_the_smallest_impulses_beyond_the_least():
    """Corners of a cube that push, and such that rise straight up with friction held inside their discs, by Dykstra."""
    jacobian, rng, lifted = body_jacobian(SQUARE, height=0.0), np.random.default_rng(0), set()
    delassus = jacobian @ CUBE @ jacobian.T
    for _ in range(25):
        mu, least = rng.uniform(0.05, 0.5, 4), rng.uniform(0, 0.6, 4) * rng.choice([1, 0.1], 4)
        speeds = np.array([*0.15 * rng.normal(size=2), -rng.uniform(0, 0.8), *rng.normal(size=2), 0.1 * rng.normal()])
        answer = solve_cone_problem(delassus, jacobian @ speeds, mu, least=least)
        assert answer.code == codes.SOLVED
        after = answer.after.reshape(4, 3)
        if np.abs(after[:, 1:]).max() < 1e-10:
            flies = after[:, 0] > 1e-10
            found = nearest_with_motion(delassus, delassus @ answer.impulse, mu, least, flies)
            assert answer.impulse == pytest.approx(found, abs=1e-12)
            lifted.add(int(flies.sum()))
    assert {0, 2, 3, 4} <= lifted


PRESSED = np.tile([0.5, 0.5, 1.0, 0.0, 0.0, 0.0], 4)


def spheres_in_a_corner(count: int) -> np.ndarray:
    """W^T of spheres of radius 1/2 that touch each other in two rows and the three walls of a corner."""
    centres = 0.5 + np.array([(i % 2, i // 2, 0) for i in range(count)], float)
    touching = [(i, None, np.eye(3)[a]) for i, c in enumerate(centres) for a in range(3) if c[a] == 0.5]
    touching += [
        (i, j, centres[i] - centres[j])
        for i in range(count)
        for j in range(i)
        if np.abs(centres[i] - centres[j]).sum() == 1.0
    ]
    jacobian = np.zeros((3 * len(touching), 6 * count))
    for k, (i, j, normal) in enumerate(touching):
        for a, axis in enumerate((normal, *(one for one in np.eye(3) if not one @ normal))):
            for body, sign in ((i, 1.0), (j, -1.0)):
                if body is not None:
                    lever = np.cross(-0.5 * sign * normal, sign * axis)
                    jacobian[3 * k + a, 6 * body : 6 * body + 6] = [*(sign * axis), *lever]
    return jacobian


def test_spheres_in_a_corner_have_the_smallest_impulses_of_their_motion():
    """Four, which their twelve contacts stop: impulses of least norm are outside some cones. By Dykstra."""
    jacobian, rng, mu = spheres_in_a_corner(4), np.random.default_rng(4), np.full(12, 0.4)
    delassus = jacobian * np.tile([1, 1, 1, 10, 10, 10.0], 4) @ jacobian.T
    for _ in range(3):
        answer = solve_cone_problem(delassus, jacobian @ (0.3 * rng.normal(size=24) - PRESSED), mu)
        assert (answer.code, answer.counts["within_cones"]) == (codes.SOLVED, 1)
        assert np.abs(answer.after).max() < 1e-12
        found = nearest_with_motion(delassus, delassus @ answer.impulse, mu, np.zeros(12), np.zeros(12, bool))
        assert answer.impulse == pytest.approx(found, abs=1e-12)


def test_harder_expansions_are_solved_along_the_path():
    """Contacts that hardly any motion opens: Newton's method from the least impulses does not solve all of them."""
    solvers = []
    for k in range(40):
        impact = nearly_jammed(np.random.default_rng([14, k]))
        _, least, answer = expansion(impact, 0.8)
        assert answer.code == codes.SOLVED
        if least.any():
            solvers.append(answer.solver)
    assert {NEWTON, FOLLOWED} <= set(solvers)


def test_a_least_impulse_that_is_no_number_is_told():
    assert solve_cone_problem(np.eye(3), np.ones(3), [0.5], least=[math.nan]).code == codes.NOT_FINITE
