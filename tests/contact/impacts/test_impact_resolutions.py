"""Several contacts: at once, in turn, and by the ratio of their forces; and where these disagree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from impact_problems import rigid_body
from quick_members import examples
from scipy.integrate import solve_ivp

from sympact import Energetic, ImpulseRatio, Newton, Plastic, Poisson, Sequential, Simultaneous, solve_impact
from sympact.contact import compare_impacts


def row_of_balls(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Equal balls of 1 kg in a line that touch; the first comes with 1 m/s: W^T and u-."""
    rows = np.zeros((n - 1, n))
    for i in range(n - 1):
        rows[i, i], rows[i, i + 1] = -1.0, 1.0
    return rows, np.eye(n)[0]


def after(n: int, e: float = 1.0, **options) -> np.ndarray:
    rows, u = row_of_balls(n)
    return u + solve_impact(np.eye(n), rows, rows @ u, e, **options).speed_change


@pytest.mark.parametrize("law", [Newton(), Poisson(), Energetic()])
@pytest.mark.parametrize("n", [3, 5])
def test_a_cradle_at_once_and_in_turn(law, n):
    """At once the others leave together: momentum 1 = v + (n-1) w and energy 1 = v^2 + (n-1) w^2 give w = 2/n."""
    together = [2 / n - 1, *[2 / n] * (n - 1)]
    assert after(n, law=law) == pytest.approx(together, abs=1e-13)
    passed = [0.0] * (n - 1) + [1.0]
    assert after(n, law=law, resolution=Sequential()) == pytest.approx(passed, abs=1e-13)


def spring_chain(n: int, exponent: float, stiffness: np.ndarray) -> np.ndarray:
    """The same balls with springs F = k x^eta between them, in time, until all have parted (mechanics of points)."""
    rows, u = row_of_balls(n)

    def rates(t, y):
        compression = np.maximum(-(rows @ y[:n]), 0.0)
        return np.concatenate([y[n:], rows.T @ (stiffness * compression**exponent)])

    run = solve_ivp(rates, (0, 40), np.concatenate([np.zeros(n), u]), method="DOP853", rtol=1e-11, atol=1e-13)
    assert (rows @ run.y[:n, -1] > 0).all()
    return run.y[n:, -1]


@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("stiffness", [(1.0, 1.0), (1.0, 4.0), (1.0, 1.0, 1.0, 1.0)])
def test_impulse_ratios_without_loss_are_springs_of_no_length(exponent, stiffness):
    n = len(stiffness) + 1
    found = after(n, law=Energetic(), resolution=ImpulseRatio(stiffness, exponent))
    assert found == pytest.approx(spring_chain(n, exponent, np.array(stiffness)), abs=2e-8)


@pytest.mark.parametrize(("exponent", "figures"), [(1.0, [-0.1303, 0.1502, 0.9800]), (1.5, [-0.0710, 0.0764, 0.9945])])
def test_the_figures_of_the_page_of_laws_conserve_momentum_and_energy(exponent, figures):
    """Two equations for three speeds; the third is the spring chain's, above."""
    found = after(3, law=Energetic(), resolution=ImpulseRatio(1, exponent))
    assert found == pytest.approx(figures, abs=6e-5)
    assert found.sum() == pytest.approx(1.0, abs=1e-13)
    assert found @ found == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
def test_a_single_contact_by_ratio_is_a_single_contact(e, exponent):
    found = solve_impact([[4.0]], [[1.0]], [-3.0], e, law=Energetic(), resolution=ImpulseRatio(1, exponent))
    assert found.gap_rate_plus[0] == pytest.approx(3 * e, abs=1e-9)


def test_only_ratios_of_stiffness_count():
    one = after(4, 0.8, law=Energetic(), resolution=ImpulseRatio([1, 2, 3], 1.5))
    other = after(4, 0.8, law=Energetic(), resolution=ImpulseRatio([1e6, 2e6, 3e6], 1.5))
    assert one == pytest.approx(other, abs=1e-10)


@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
def test_impulse_ratios_lose_energy_and_keep_momentum(e):
    rows, u = row_of_balls(4)
    hit = solve_impact(np.eye(4), rows, rows @ u, e, law=Energetic(), resolution=ImpulseRatio(1, 1.5))
    assert hit.speed_change.sum() == pytest.approx(0.0, abs=1e-13)
    assert -0.5 < hit.energy < 0
    assert hit.gap_rate_plus.min() >= -2e-10
    assert hit.impulses.min() >= 0


# --- by the ratio of forces, with friction


@pytest.mark.parametrize("seed", range(30))
def test_a_single_contact_by_ratio_is_the_energetic_law(seed):
    """Routh's path, followed by another parameter: reversal, sticking, slip that turns and jams."""
    impact = rigid_body(np.random.default_rng(seed), 1)
    one, other = impact.solve(Energetic()), impact.solve(Energetic(), resolution=ImpulseRatio(1, 1.5))
    assert other.speed_change == pytest.approx(one.speed_change, abs=1e-8)
    assert other.energy == pytest.approx(one.energy, abs=1e-8)


@examples(8, 25, seed=st.integers(0, 10**6), contacts=st.integers(1, 4), exponent=st.sampled_from([1.0, 1.5]))
def test_by_ratio_energy_never_rises_and_friction_stays_in_its_cone(seed, contacts, exponent):
    impact = rigid_body(np.random.default_rng(seed), contacts)
    hit = impact.solve(Energetic(), resolution=ImpulseRatio(1, exponent))
    energy = impact.kinetic_energy(impact.u)
    assert hit.energy <= 1e-9 * energy
    assert hit.energy == pytest.approx(impact.gain(hit), abs=1e-12 * energy)
    assert hit.gap_rate_plus.min() >= -1e-9 * np.abs(impact.rates).max()
    rubbed = np.linalg.norm(hit.friction_impulses, axis=1)
    assert (rubbed <= impact.mu * hit.impulses + 1e-9 * hit.impulses.max()).all()


def test_no_friction_by_ratio_is_the_path_without_tangents():
    impact = rigid_body(np.random.default_rng(3), 3, mu=0.0)
    ratio = {"law": Energetic(), "resolution": ImpulseRatio([1, 2, 3], 1.5)}
    smooth = solve_impact(impact.mass, impact.normals, impact.rates, impact.e, **ratio)
    assert impact.solve(**ratio).speed_change == pytest.approx(smooth.speed_change, abs=1e-9)


def test_a_ball_that_breaks_two_by_ratio_is_one_contact_by_symmetry():
    """Discs of 1 kg and radius 1; the first comes along x between two others. In the speeds that keep the mirror -

    v of the first, v_x, v_y, omega of the second - the two contacts are one, and that one is followed by Routh's path.
    """
    n, d, inertia, mu, e = np.array([np.sqrt(3), 1.0]) / 2, np.array([-1.0, np.sqrt(3)]) / 2, 0.5, 0.2, 0.7
    normals, tangents = np.zeros((2, 9)), np.zeros((2, 9))  # v_x, v_y, omega of each disc
    for k, side in enumerate((1, -1)):
        mirror = np.array([1, side])
        normals[k, :2], normals[k, 3 * k + 3 : 3 * k + 5] = -n * mirror, n * mirror
        tangents[k, :2], tangents[k, 3 * k + 3 : 3 * k + 5] = -d * mirror, d * mirror
        tangents[k, [2, 3 * k + 5]] = -side
    mass, u = np.diag([1, 1, inertia] * 3), np.zeros(9)
    u[0] = 2.0
    whole = solve_impact(
        mass, normals, normals @ u, e, tangent_jacobian=tangents, slip_minus=tangents @ u, friction=mu,
        law=Energetic(), resolution=ImpulseRatio(1, 1.5),
    )  # fmt: skip
    rows = np.array([[-n[0], *n, 0.0], [-d[0], *d, -1.0]])
    half = solve_impact(
        np.diag([1.0, 2.0, 2.0, 2 * inertia]), rows[:1], rows[:1] @ [2.0, 0, 0, 0], e,
        tangent_jacobian=rows[1:], slip_minus=rows[1:] @ [2.0, 0, 0, 0], friction=mu, law=Energetic(),
    )  # fmt: skip
    assert whole.speed_change[[0, 3, 4, 5]] == pytest.approx(half.speed_change, abs=1e-9)
    assert whole.speed_change[[1, 2]] == pytest.approx([0, 0], abs=1e-12)
    assert whole.speed_change[6:] == pytest.approx(half.speed_change[1:] * [1, -1, -1], abs=1e-9)
    assert abs(half.friction_impulses[0, 0]) > 0.01


@pytest.mark.parametrize(("mu", "slip"), [(0.3, 2.0), (0.8, 0.5), (0.5, -1.0)])
def test_by_ratio_without_loss_friction_is_that_of_springs_with_steep_friction(mu, slip):
    """A plank of 1 kg falls on two supports: springs in time, friction -mu F tanh(s / width) that needs no cases."""
    arms, height, inertia, width = np.array([0.5, -0.3]), 0.4, 0.1, 1e-5
    normals = np.array([[0, 1, arm] for arm in arms])
    tangents = np.array([[1, 0, height]] * 2, float)
    mass, u = np.diag([1, 1, inertia]), np.array([slip, -1.0, 0.4])
    stiffness = np.array([1.0, 2.0])

    def rates(t, y):
        force = stiffness * np.maximum(-(normals @ y[:3]), 0.0) ** 1.5
        rub = -mu * force * np.tanh(tangents @ y[3:] / width)
        return np.concatenate([y[3:], np.linalg.solve(mass, normals.T @ force + tangents.T @ rub)])

    run = solve_ivp(rates, (0, 30), np.concatenate([np.zeros(3), u]), method="LSODA", rtol=1e-9, atol=1e-11)
    assert (normals @ run.y[:3, -1] > 0).all()
    found = u + solve_impact(
        mass, normals, normals @ u, 1.0, tangent_jacobian=tangents, slip_minus=tangents @ u, friction=mu,
        law=Energetic(), resolution=ImpulseRatio(stiffness, 1.5),
    ).speed_change  # fmt: skip
    assert found == pytest.approx(run.y[3:, -1], abs=1e-4)


def test_the_order_of_single_impacts_is_the_one_asked_for():
    """A ball between two that hits both: whichever comes first keeps the ball from the other."""
    mass = np.eye(3)
    rows = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    u = np.array([-1.0, 0.0, 2.0])
    outcomes = {
        order: u + solve_impact(mass, rows, rows @ u, 1.0, resolution=Sequential(order=order)).speed_change
        for order in ("fastest", "first", "last")
    }
    # equal elastic balls exchange their speeds, pair by pair, until these are sorted
    for found in outcomes.values():
        assert found == pytest.approx([2.0, 0.0, -1.0], abs=1e-14)
    lossy = {
        order: solve_impact(mass, rows, rows @ u, 0.5, resolution=Sequential(order=order)).speed_change
        for order in ("fastest", "first", "last")
    }
    # contact 2 approaches faster: first in "fastest", and the last one in the list
    assert lossy["fastest"] == pytest.approx(lossy["last"], abs=1e-12)
    assert np.abs(lossy["first"] - lossy["last"]).max() > 0.01


def test_impacts_in_turn_that_never_end_are_said_so():
    """A corner of 37 degrees: each wall hands 0.8 of the approach to the other, without an end."""
    rows = np.array([[1.0, 0.0], [-0.8, 0.6]])
    numbers = (np.eye(2), rows, [-1.0, -0.5], 0.0)
    with pytest.raises(ValueError, match="single impacts continue without an end; raise max_impacts"):
        solve_impact(*numbers, resolution=Sequential(max_impacts=5))
    hit = solve_impact(*numbers, resolution=Sequential(max_impacts=500))
    assert hit.gap_rate_plus.min() >= -1e-11


@pytest.mark.parametrize("order", ["fastest", "first", "last"])
@pytest.mark.parametrize("slip", [0.0, 3.0])
def test_in_turn_a_slow_approach_beside_fast_slip_is_stopped(slip, order):
    """Two bodies that do not know of each other, one slips and hardly approaches: the other stops, whatever its slip.

    An impact that does nothing about an approach would be met again at once, without an end.
    """
    hit = solve_impact(
        np.eye(4), np.eye(4)[::2], [-1e-15, -4e-12], 0.0, tangent_jacobian=np.eye(4)[1::2], slip_minus=[3.0, slip],
        friction=0.3, law=Newton(guard=True), resolution=Sequential(order=order),
    )  # fmt: skip
    assert hit.gap_rate_plus[1] == pytest.approx(0.0, abs=1e-26)


@pytest.mark.parametrize("law", [Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic()])
def test_one_contact_is_the_same_in_turn_and_at_once(law):
    impact = rigid_body(np.random.default_rng(8), 1)
    one, other = impact.solve(law), impact.solve(law, resolution=Sequential())
    assert one.speed_change == pytest.approx(other.speed_change, abs=1e-13)
    assert one.energy == pytest.approx(other.energy, abs=1e-13)


def test_energy_in_turn_is_that_of_the_speeds():
    impact = rigid_body(np.random.default_rng(11), 3)
    for law in (Newton(), Poisson(), Energetic()):
        hit = impact.solve(law, resolution=Sequential(max_impacts=5000))
        assert hit.energy == pytest.approx(impact.gain(hit), abs=1e-12)


# --- where they disagree


def test_a_comparison_says_that_a_cradle_is_not_settled():
    rows, u = row_of_balls(3)
    found = compare_impacts(np.eye(3), rows, rows @ u, 1.0)
    assert not found.agree
    # the farthest apart are (-1/3, 2/3, 2/3) and (0, 0, 1), of a largest change (-4/3, 2/3, 2/3)
    assert found.spread == pytest.approx(0.5, abs=1e-12)
    assert "does not determine this impact" in str(found)
    assert len(found.outcomes) == 8
    assert all(outcome.solution is not None for outcome in found.outcomes)


def test_a_comparison_with_friction_follows_ratios_too():
    impact = rigid_body(np.random.default_rng(7), 2)
    found = compare_impacts(
        impact.mass, impact.normals, impact.rates, impact.e,
        tangent_jacobian=impact.tangents, slip_minus=impact.slip, friction=impact.mu,
    )  # fmt: skip
    assert len(found.outcomes) == 8
    ratios = [outcome for outcome in found.outcomes if isinstance(outcome.resolution, ImpulseRatio)]
    assert all(outcome.solution.friction_impulses.any() for outcome in ratios)
    assert "ImpulseRatio(stiffness=1.0, exponent=1.5)" in str(found)
    assert "the 8 outcomes differ by up to" in str(found)


def test_a_comparison_of_one_ball_agrees():
    found = compare_impacts([[4.0]], [[1.0]], [-3.0], 0.5)
    assert found.agree
    assert "all 3 outcomes are the same motion" in str(found)


def test_a_comparison_tells_what_is_not_defined():
    pairs = [(Newton(), ImpulseRatio(1, 1)), (Newton(), Simultaneous())]
    found = compare_impacts([[4.0]], [[1.0]], [-3.0], 0.5, pairs=pairs)
    assert found.outcomes[0].solution is None
    assert "defined with impact=Energetic() only" in found.outcomes[0].refusal
    assert "1 of 2 laws and resolutions gave an outcome" in str(found)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Sequential(order="random"), "order of single impacts is 'random', expected one of fastest, first"),
        (lambda: Sequential(max_impacts=0), "max_impacts is 0, expected a positive whole number"),
        (lambda: ImpulseRatio(-1, 1), "a stiffness of ImpulseRatio is -1, expected a positive number"),
        (lambda: ImpulseRatio([], 1), "an empty list, expected a number for each contact"),
        (lambda: ImpulseRatio(1, "Hertz"), "the exponent of ImpulseRatio is 'Hertz', expected a positive number"),
        (lambda: after(3, law=Newton(), resolution=ImpulseRatio(1, 1)), "defined with impact=Energetic"),
        (lambda: after(3, law=Energetic(), resolution=ImpulseRatio([1, 2, 3], 1)), "3 stiffnesses, expected one for"),
    ],
)
def test_wrong_resolutions_are_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
