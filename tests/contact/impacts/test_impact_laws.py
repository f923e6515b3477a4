"""Impact laws against closed forms, an independent integration of Routh's path, and the energy that they may take."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from impact_problems import Impact, double_pendulum, planar, rigid_body
from quick_members import examples
from random_cones import law_residual
from scipy.integrate import solve_ivp
from scipy.optimize import linprog

from sympact import CustomLaw, Energetic, Newton, Plastic, Poisson, Sequential, Simultaneous, solve_impact

seeds = st.integers(0, 2**32 - 1)
LAWS = [Newton(), Newton(guard=True), Poisson(), Energetic()]
FEW = settings(max_examples=40, deadline=None)


def energies(impact: Impact) -> float:
    """What roundings of the energy are compared with."""
    return impact.kinetic_energy(impact.u)


# --- one contact


@pytest.mark.parametrize("law", LAWS)
def test_all_laws_agree_where_the_impact_is_central(law):
    """A ball against a wall: no coupling of slip and gap rate, so that friction does not touch the rebound."""
    hit = planar(2.0, 7.0, 0.0, -3.0, 40.0, 0.6, 0.3).solve(law)
    impulse = 1.6 * 3.0 / 2.0
    assert hit.impulses[0] == pytest.approx(impulse, rel=1e-14)
    assert hit.friction_impulses[0] == pytest.approx([-0.3 * impulse, 0.0], rel=1e-14)
    assert hit.gap_rate_plus[0] == pytest.approx(1.8, rel=1e-14)


def test_kanes_double_pendulum_gains_energy_under_newtons_law_alone():
    """At the end the tip slips forwards: Newton's law then follows from two linear equations, and gains 176 %."""
    impact = double_pendulum(e=0.7, mu=0.5)
    g, before = impact.delassus(), energies(impact)
    hit = impact.solve(Newton())
    assert hit.slip_plus[0, 0] > 0 > impact.slip[0, 0]
    normal = -1.7 * impact.rates[0] / (g[0, 0] - 0.5 * g[0, 1])
    assert hit.impulses[0] == pytest.approx(normal, rel=1e-12)
    assert hit.friction_impulses[0, 0] == pytest.approx(-0.5 * normal, rel=1e-12)
    assert hit.energy == pytest.approx(impact.gain(hit), rel=1e-12)
    assert hit.energy > 1.7 * before
    for law in (Poisson(), Energetic()):
        other = impact.solve(law)
        assert other.energy == pytest.approx(impact.gain(other), rel=1e-12)
        assert -before < other.energy < 0


def test_the_guard_takes_just_enough_off_kanes_pendulum():
    impact = double_pendulum(e=0.7, mu=0.5)
    guarded = impact.solve(Newton(guard=True))
    assert abs(guarded.energy) <= 1e-10 * energies(impact)
    assert guarded.energy <= 1e-13 * energies(impact)
    # the outcome is that of the restitution that the factor says
    asked = double_pendulum(e=0.7 * guarded.factor, mu=0.5).solve(Newton())
    assert guarded.factor == pytest.approx(0.567, abs=1e-3)
    assert guarded.speed_change == pytest.approx(asked.speed_change, rel=1e-10)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("slides", (2.0, 3.0, 0.5, -1.0, 20.0, 0.6, 0.4)),
        ("sticks in compression", (2.0, 3.0, 0.5, -1.0, 0.2, 0.6, 0.8)),
        ("sticks in expansion", (2.0, 3.0, 0.5, -1.0, 1.2, 0.8, 0.8)),
        ("turns in compression", (2.0, 3.0, -1.5, -1.0, 0.3, 0.6, 0.4)),
        ("turns in expansion", (2.0, 3.0, -1.5, -1.0, 1.3, 0.8, 0.4)),
        ("jams, then sticks", (1.0, 4.0, 1.5, -1.0, 0.8, 0.5, 0.9)),
    ],
)
def test_planar_impacts_have_rouths_closed_forms(name, numbers):
    """The five cases of Wang and Mason (Journal of Applied Mechanics 59, 1992), and a jam, by areas of triangles.

    v_N over the normal impulse p is a line that bends where the slip ends; compression takes the area below zero, and
    expansion gives back e^2 of it.
    """
    a, b, c, rate, slip, e, mu = numbers
    sign = math.copysign(1.0, slip)
    first, slowing = a - mu * sign * c, c - mu * sign * b  # slopes of v_N and of the slip while it slides
    stops = -slip / slowing if slowing * sign < 0 else math.inf
    sticks = mu >= abs(c) / b
    second = a - c * c / b if sticks else a + mu * sign * c
    turned = -c / b if sticks else mu * sign  # friction per normal impulse, after
    deepest = -rate / first if first > 0 else math.inf
    if stops < deepest:
        bend = rate + first * stops
        area = -(rate + bend) * stops / 2 + bend * bend / (2 * second)
        p = stops - bend / second + e * math.sqrt(2 * area / second)
    else:
        area = rate * rate / (2 * first)
        p = (1 + e) * deepest
        if p > stops:
            bend = rate + first * stops
            left = e * e * area - bend * bend / (2 * first)
            p = stops + (math.sqrt(bend * bend + 2 * second * left) - bend) / second
    case = {
        stops >= p: "slides",
        stops < deepest < math.inf: f"{'sticks' if sticks else 'turns'} in compression",
        deepest <= stops < p: f"{'sticks' if sticks else 'turns'} in expansion",
        deepest == math.inf: "jams, then sticks",
    }[True]
    assert case == name
    hit = planar(*numbers).solve(Energetic())
    along = -mu * sign * min(p, stops) + turned * max(p - stops, 0.0)
    assert hit.impulses[0] == pytest.approx(p, rel=1e-13)
    assert hit.friction_impulses[0, 0] == pytest.approx(along, rel=1e-12)
    if stops < p and sticks:
        assert hit.slip_plus[0, 0] == pytest.approx(0.0, abs=1e-13)


def followed(impact: Impact) -> np.ndarray:
    """The impulses of one contact whose slip never ends, by SciPy's integrator with p for time."""
    g, mu, e = impact.delassus(), impact.mu[0], impact.e[0]

    def slopes(p, y):
        slip = y[1:3] / np.hypot(*y[1:3])
        force = np.array([1.0, *(-mu * slip)])
        return [*(g @ force), -y[0], *force[1:]]

    def leaves(p, y):
        return y[0]

    leaves.terminal, leaves.direction = True, 1
    tight = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    start = [impact.rates[0], *impact.slip[0], 0.0, 0.0, 0.0]
    compression = solve_ivp(slopes, (0, 1e3), start, events=leaves, **tight)
    middle = compression.y_events[0][0]
    left = (1 - e * e) * middle[3]

    def given_back(p, y):
        return y[3] - left

    given_back.terminal = True
    expansion = solve_ivp(slopes, (compression.t[-1], 1e3), middle, events=given_back, **tight)
    return np.array([expansion.t[-1], *expansion.y_events[0][0][4:]])


@pytest.mark.parametrize("seed", [0, 7, 9])
def test_slip_that_turns_is_followed_to_the_twelfth_digit(seed):
    """As `docs/theory/laws.rst` says of the path; the independent integration is good to 4e-13."""
    rng = np.random.default_rng(seed)
    impact = rigid_body(rng, 1, e=rng.uniform(0.1, 1.0), mu=rng.uniform(0.05, 0.3))
    impact.u[:2] *= 8.0
    hit = impact.solve(Energetic())
    assert np.hypot(*hit.slip_plus[0]) > 0.5
    truth = followed(impact)
    found = np.array([hit.impulses[0], *hit.friction_impulses[0]])
    assert found == pytest.approx(truth, rel=0, abs=1.5e-12 * truth[0])


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_slip_that_turns_follows_an_independent_integration(seed):
    rng = np.random.default_rng(seed)
    impact = rigid_body(rng, 1, e=rng.uniform(0.1, 1.0), mu=rng.uniform(0.05, 0.3))
    impact.u[:2] *= 8.0  # fast enough to slip all through
    hit = impact.solve(Energetic())
    assume(np.hypot(*hit.slip_plus[0]) > 0.5 and impact.rates[0] < -0.1)
    found = np.array([hit.impulses[0], *hit.friction_impulses[0]])
    assert found == pytest.approx(followed(impact), rel=1e-8, abs=1e-9)


@examples(50, 150, seeds)
def test_the_energetic_law_never_gains(seed):
    impact = rigid_body(np.random.default_rng(seed), 1)
    hit = impact.solve(Energetic())
    assert hit.energy == pytest.approx(impact.gain(hit), abs=1e-12 * energies(impact))
    assert hit.energy <= 1e-12 * energies(impact)
    assert hit.gap_rate_plus[0] >= -1e-12
    assert np.hypot(*hit.friction_impulses[0]) <= impact.mu[0] * hit.impulses[0] * (1 + 1e-9)


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_without_restitution_compression_is_the_whole_impact(seed):
    """The energetic law stops the approach, along the path; Poisson's and Newton's laws do without the path."""
    impact = rigid_body(np.random.default_rng(seed), 1, e=0.0)
    hit = impact.solve(Energetic())
    assert hit.gap_rate_plus[0] == pytest.approx(max(impact.rates[0], 0.0), abs=1e-11)
    one, other = impact.solve(Newton()), impact.solve(Poisson())
    assert one.speed_change == pytest.approx(other.speed_change, abs=1e-12)


# --- several contacts


@given(seeds, st.integers(1, 4))
@FEW
def test_poissons_phases_obey_their_law(seed, contacts):
    """What Newton's law without restitution gives is compression; expansion is checked from the speeds."""
    impact = rigid_body(np.random.default_rng(seed), contacts)
    first = Impact(impact.mass, impact.normals, impact.tangents, impact.u, 0 * impact.e, impact.mu).solve(Newton())
    hit = impact.solve(Poisson())
    normal = hit.impulses - first.impulses
    along = hit.friction_impulses - first.friction_impulses
    more = normal - impact.e * first.impulses
    size = 1e-8 * (1 + np.abs(hit.impulses).max())
    assert more.min() >= -size
    assert hit.gap_rate_plus.min() >= -size
    assert np.abs(more * hit.gap_rate_plus).max() <= 10 * size
    for i in range(contacts):
        slip, edge = hit.slip_plus[i], impact.mu[i] * normal[i]
        assert np.hypot(*along[i]) <= edge + size
        assert along[i] @ slip == pytest.approx(-edge * np.hypot(*slip), abs=10 * size)


@pytest.mark.parametrize("law", [Newton(), Poisson(), Energetic()])
@given(seeds, st.integers(2, 3), st.floats(-11, -8))
@FEW
def test_a_slow_hit_beside_a_fast_slip_has_friction_against_the_slip(law, seed, contacts, power):
    """Impulses that do not turn the slip: what opposes it before opposes it after, to the rounding of speeds."""
    impact = rigid_body(np.random.default_rng(seed), contacts)
    slow = 10.0**power * impact.rates
    impact.u[:] += np.linalg.lstsq(impact.normals, slow - impact.rates, rcond=None)[0]
    speeds = np.linalg.norm(impact.slip, axis=1)
    assume(speeds.min() > 0.1)
    hit = impact.solve(law)
    assume(np.abs(hit.slip_plus - impact.slip).max() < 100 * 10.0**power)  # friction does not jam
    against = -(impact.mu * hit.impulses / speeds)[:, np.newaxis] * impact.slip
    turned = 1e4 * 10.0**power * hit.impulses.max()
    assert hit.friction_impulses == pytest.approx(against, rel=0, abs=1e-13 * speeds.max() + turned)


@given(seeds, st.integers(2, 4))
@FEW
def test_the_energetic_law_never_gains_with_several_contacts(seed, contacts):
    rng = np.random.default_rng(seed)
    impact = rigid_body(rng, contacts)
    impact.e[:] = rng.uniform(0, 1, contacts)  # different ones
    for resolution in (Simultaneous(), Sequential(max_impacts=5000)):
        hit = impact.solve(Energetic(), resolution=resolution)
        assert hit.energy <= 1e-11 * energies(impact)
        assert hit.energy == pytest.approx(impact.gain(hit), abs=1e-11 * energies(impact))
        assert hit.gap_rate_plus.min() >= -1e-9
    assert 0 <= hit.factor <= 1


def test_equal_restitutions_without_friction_keep_the_energetic_factor_at_one():
    """Both ends of a rod push: the phases are orthogonal in M, and expansion returns e^2 of what compression took."""
    mass, rows, rates = np.diag([1.0, 0.7]), np.array([[1.0, -1.0], [1.0, 1.0]]), np.array([-0.9, -1.0])
    hit = solve_impact(mass, rows, rates, 0.6, law=Energetic())
    stopped = solve_impact(mass, rows, rates, 0.0)
    assert stopped.impulses.min() > 0.1
    assert hit.factor == 1.0
    assert hit.energy == pytest.approx((1 - 0.36) * stopped.energy, rel=1e-13)


@given(seeds, st.integers(1, 4))
@FEW
def test_the_guard_never_gains_and_only_acts_where_newton_does(seed, contacts):
    rng = np.random.default_rng(seed)
    impact = rigid_body(rng, contacts, e=rng.uniform(0.5, 1.0), mu=rng.uniform(0.5, 2.0))
    impact.e[0] *= rng.uniform(0, 1)
    guarded, free = impact.solve(Newton(guard=True)), impact.solve(Newton())
    assert guarded.energy <= 1e-12 * energies(impact)
    if free.energy <= -1e-12 * energies(impact):
        assert guarded.factor == 1.0
        assert guarded.speed_change == pytest.approx(free.speed_change, abs=1e-9)
    elif free.energy >= 1e-9 * energies(impact):
        assert guarded.factor < 1.0


def test_a_rod_of_two_restitutions_keeps_its_energy_under_the_guard():
    """A rod of mass 1 and length 2 whose ends have +1/2 (e = 0) and -1 (e = 1) gains 1/24 under Newton's law."""
    rows, rates = np.array([[1.0, -1.0], [1.0, 1.0]]), np.array([0.5, -1.0])
    mass = np.diag([1.0, 1 / 3])
    free = solve_impact(mass, rows, rates, [0.0, 1.0])
    guarded = solve_impact(mass, rows, rates, [0.0, 1.0], law=Newton(guard=True))
    assert free.energy == pytest.approx(1 / 24, rel=1e-13)
    assert abs(guarded.energy) <= 1e-12
    assert 0 < guarded.factor < 1
    assert solve_impact(mass, rows, rates, [0.0, 1.0], law=Energetic()).energy <= 0


# --- the plastic law


def plastic_motion(impact: Impact) -> np.ndarray | None:
    """u+ of a motion in which some contacts stop, pushing, and the others do not approach; by linear programs."""
    contacts = len(impact.e)
    for size in range(contacts, -1, -1):
        for held in combinations(range(contacts), size):
            lines = np.array([row for i in held for row in (impact.normals[i], *impact.tangents[i])]).reshape(-1, 6)
            response = np.linalg.solve(impact.mass, lines.T)
            impulse = np.zeros(0)
            if size:
                bounds = [(0, None) if k % 3 == 0 else (None, None) for k in range(3 * size)]
                found = linprog(np.zeros(3 * size), A_eq=lines @ response, b_eq=-lines @ impact.u, bounds=bounds)
                if not found.success:
                    continue
                impulse = found.x
            after = impact.u + response @ impulse
            if (impact.normals @ after).min() >= -1e-9:
                return after
    return None


@given(seeds, st.integers(1, 5))
@FEW
def test_plastic_contacts_stop_or_lift(seed, contacts):
    """Where no such motion exists, Coulomb's law with a coefficient of a thousand holds."""
    rng = np.random.default_rng(seed)
    impact = rigid_body(rng, contacts, mu=0.5)
    hit = impact.solve(Plastic())
    size = np.abs(impact.u).max()
    if plastic_motion(impact) is None:
        lines = np.concatenate([np.vstack([impact.normals[i : i + 1], impact.tangents[i]]) for i in range(contacts)])
        delassus, impulse = lines @ np.linalg.solve(impact.mass, lines.T), np.zeros((contacts, 3))
        impulse[:, 0], impulse[:, 1:] = hit.impulses, hit.friction_impulses
        assert law_residual(delassus, lines @ impact.u, np.full(contacts, 1e3), impulse.ravel()) <= 1e-9
        assert hit.energy <= 1e-12 * energies(impact)
        return
    for i in range(contacts):
        if hit.impulses[i] > 1e-9 * size:
            assert np.abs([hit.gap_rate_plus[i], *hit.slip_plus[i]]).max() <= 1e-9 * size
        else:
            assert hit.impulses[i] >= -1e-9 * size
            assert hit.gap_rate_plus[i] >= -1e-9 * size
    assert hit.energy == pytest.approx(impact.gain(hit), abs=1e-10 * energies(impact))
    assert hit.energy <= 1e-12 * energies(impact)


@given(seeds, st.integers(1, 5))
@FEW
def test_plastic_contacts_without_friction_are_newtons_without_restitution(seed, contacts):
    """0 <= Lambda _|_ gamma+ >= 0 has one motion, whatever the restitutions, which the plastic law does not use."""
    impact = rigid_body(np.random.default_rng(seed), contacts, mu=0.0)
    given = impact.mass, impact.normals, impact.normals @ impact.u
    hit, truth = solve_impact(*given, 0.7, law=Plastic()), solve_impact(*given, 0.0, law=Newton())
    size = np.abs(impact.u).max()
    np.testing.assert_allclose(hit.speed_change, truth.speed_change, rtol=0, atol=1e-8 * size)
    assert hit.energy == pytest.approx(truth.energy, abs=1e-9 * energies(impact))


def test_a_rimless_wheel_keeps_what_angular_momentum_about_the_new_foot_says():
    """McGeer 1990: (m l^2 cos(2 alpha) + I)/(m l^2 + I) of the speed stays, and the rear foot lets go."""
    alpha, length, omega, inertia = 0.3, 1.0, -1.0, 0.5
    mass = np.diag([2.0, 2.0, inertia])

    def rows(angle):
        x, y = length * math.sin(angle), -length * math.cos(angle)
        return [[0.0, 1.0, x]], [[[1.0, 0.0, -y], [0.0, 0.0, 0.0]]]

    (rear, slide), (front, other) = rows(-alpha), rows(alpha)
    hub = omega * length
    u = np.array([-hub * math.cos(alpha), hub * math.sin(alpha), omega])  # turns about the rear foot
    impact = Impact(
        mass, np.array([*rear, *front]), np.array([*slide, *other]), u, np.full(2, 0.9), np.full(2, 0.7)
    )  # fmt: skip
    assert impact.rates == pytest.approx([0.0, -2 * length * math.sin(alpha)], abs=1e-12)
    hit = impact.solve(Plastic())
    after = u + hit.speed_change
    kept = (2.0 * math.cos(2 * alpha) + inertia) / (2.0 + inertia)
    assert after[2] == pytest.approx(kept * omega, rel=1e-12)
    assert hit.impulses[0] == 0.0
    assert hit.gap_rate_plus[0] > 0


# --- restitution of slip, laws of one's own


def test_a_rubber_ball_returns_its_slip():
    """A ball (I = 2/5 m r^2) with grip enough leaves with -e_t of its slip: a superball at e_t = 1 (Garwin 1969)."""
    mass = np.diag([1.0, 1.0, 0.4])
    numbers = {"tangent_jacobian": [[1.0, 0.0, 1.0]], "slip_minus": [0.5], "friction": [5.0]}
    law = Newton(tangential=1.0)
    hit = solve_impact(mass, [[0.0, 1.0, 0.0]], [-2.0], 1.0, law=law, **numbers)
    assert hit.slip_plus[0, 0] == pytest.approx(-0.5, rel=1e-14)
    assert hit.energy == pytest.approx(0.0, abs=1e-14)
    assert law.solver(Simultaneous(), friction=True).name.endswith("newton_kernel.solve")
    assert Newton(tangential=1.0).solver(Simultaneous()) == Newton().solver(Simultaneous())


def test_a_law_of_ones_own_gets_the_posed_impact_and_gives_the_impulses():
    impact = rigid_body(np.random.default_rng(3), 2, e=0.4, mu=0.2)
    met = {}

    def law(mass_matrix, jacobian, velocity, restitution, friction):
        met.update(mass=mass_matrix, jacobian=jacobian, velocity=velocity, e=restitution, mu=friction)
        return np.array([[1.0, 0.25, 0.0], [2.0, 0.0, -0.5]])

    hit = impact.solve(CustomLaw(law))
    lines = np.concatenate([impact.normals[:, None], impact.tangents], axis=1)
    assert met["mass"] == pytest.approx(impact.mass, abs=1e-15)
    assert met["jacobian"] == pytest.approx(lines, abs=1e-15)
    assert met["velocity"] == pytest.approx(lines @ impact.u, abs=1e-15)
    assert (met["e"].tolist(), met["mu"].tolist()) == ([0.4, 0.4], [0.2, 0.2])
    pushes = np.einsum("ncm,nc->m", lines, [[1.0, 0.25, 0.0], [2.0, 0.0, -0.5]])
    assert hit.speed_change == pytest.approx(np.linalg.solve(impact.mass, pushes), rel=1e-12)
    assert hit.energy == pytest.approx(impact.gain(hit), rel=1e-12)


def test_newtons_law_as_ones_own_is_newtons_law():
    def newton(mass_matrix, jacobian, velocity, restitution, friction):
        g = jacobian[0, 0] @ np.linalg.solve(mass_matrix, jacobian[0, 0])
        return [[-(1 + restitution[0]) * velocity[0, 0] / g, 0.0, 0.0]]

    mass, row = np.diag([2.0, 0.3]), [[1.0, -0.5]]
    for resolution in (Simultaneous(), Sequential()):
        own = solve_impact(mass, row, [-3.0], 0.7, law=CustomLaw(newton), resolution=resolution)
        assert own.speed_change == pytest.approx(solve_impact(mass, row, [-3.0], 0.7).speed_change, rel=1e-14)


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (lambda *given: [1.0], ValueError, r"law <lambda> returned an array of shape \(1,\), expected \(1, 3\)"),
        (lambda *given: [[math.nan, 0, 0]], ValueError, "expected finite impulses"),
        (lambda *given: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_what_a_law_of_ones_own_does_wrong_comes_out(answer, error, sentence):
    with pytest.raises(error, match=sentence) as raised:
        solve_impact([[1.0]], [[1.0]], [-1.0], 0.5, law=CustomLaw(answer))
    assert raised.value.__notes__ == ["raised by the impact law <lambda>"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Newton(tangential=2), "tangential restitution of Newton's law is 2, expected a number from 0 to 1"),
        (lambda: solve_impact([[1.0]], [[1.0]], [-1.0], 0.5, friction=0.1), "missing: tangent_jacobian, slip_minus"),
        (
            lambda: solve_impact(
                [[1.0]], [[1.0]], [-1.0], 0.5, tangent_jacobian=[[0.0]], slip_minus=[0.0], friction=-0.1
            ),
            r"friction: \[-0\.1\] is negative",
        ),
    ],
)
def test_wrong_laws_and_numbers_are_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
