"""Ready-made balls that rub, Kane's pendulum and the cradle's resolutions against closed forms."""

from __future__ import annotations

import re
from fractions import Fraction
from math import cos, hypot, radians, sin, sqrt

import numpy as np
import pytest
from example_scripts import printed
from friction_runs import rubbing
from rest_runs import GRAVITY, TIGHT, numbers, of_kind
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from sympact import Energetic, ImpactWarning, ImpulseRatio, Newton, Poisson, Sequential, Simultaneous, models
from sympact.models import ReadyModel

CLOSE = 1e-9
"""Of a time, a place or a speed: some hundred times what the tolerance of 1e-12 leaves over these spans."""

MIDDLE, VELOCITY, SPIN = slice(0, 3), slice(7, 10), slice(10, 13)
"""Entries of the state of a ball in space."""


def slip(x: np.ndarray, radius: float, side: int = 1) -> np.ndarray:
    """v + omega x (-r n) along a horizontal plane below the ball (1) or above it (-1)."""
    return (x[VELOCITY] + np.cross(x[SPIN], [0, 0, -side * radius]))[:2]


# A ball of rubber.


def thrown(tangential: float, e: float, mu: float, **start: float) -> tuple[ReadyModel, object]:
    """A ball thrown on the floor up to its first impact."""
    ready = models.superball(tangential).with_numbers({"e": e, "mu": mu}, start, t_span=(0, 0.5))
    return ready, rubbing(ready)


SPINNING = {"v_x": 1.3, "v_y": -0.6, "omega_x": 30.0, "omega_y": -12.0, "omega_z": 7.0}


@pytest.mark.parametrize("tangential", [0.0, 0.4, 1.0])
def test_a_ball_with_grip_leaves_with_its_slip_turned_round(tangential):
    """s+ = -e_t s, and m r v - I omega about the contact is kept: v+ = v - (2/7)(1 + e_t) s."""
    ready, result = thrown(tangential, 0.7, 2.0, **SPINNING)
    hit, radius = of_kind(result, "impact")[0], numbers(ready)["r"]
    before = slip(hit.x_minus, radius)
    np.testing.assert_allclose(slip(hit.x_plus, radius), -tangential * before, rtol=0, atol=1e-12)
    change = -2 / 7 * (1 + tangential) * before
    np.testing.assert_allclose(hit.x_plus[VELOCITY][:2], hit.x_minus[VELOCITY][:2] + change, rtol=0, atol=1e-12)
    fall = sqrt(2 * GRAVITY * (0.4 - radius))
    assert hit.t == pytest.approx(fall / GRAVITY, abs=CLOSE)
    assert hit.x_plus[9] == pytest.approx(0.7 * fall, abs=CLOSE)
    assert hit.x_plus[12] == pytest.approx(7.0, abs=1e-12)


@pytest.mark.parametrize("tangential", [0.0, 1.0])
def test_a_ball_without_grip_is_rubbed_against_its_slip(tangential):
    """With less than (2/7)(1 + e_t) |s| / ((1 + e) |v_n|) friction takes mu (1 + e) m v_n, along the slip."""
    ready, result = thrown(tangential, 0.7, 0.05, **SPINNING)
    hit, p = of_kind(result, "impact")[0], numbers(ready)
    before = slip(hit.x_minus, p["r"])
    push = 1.7 * p["m"] * -hit.x_minus[9]
    assert 0.05 * push < 2 / 7 * p["m"] * hypot(*before)
    rub = -0.05 * push * before / hypot(*before)
    assert hit.impulse[0] == pytest.approx(push, rel=1e-12)
    np.testing.assert_allclose(hit.friction_impulse[0], [*rub, 0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(hit.x_plus[VELOCITY][:2], hit.x_minus[VELOCITY][:2] + rub / p["m"], atol=1e-12)
    turned = np.cross([0, 0, -p["r"]], [*rub, 0]) / (0.4 * p["m"] * p["r"] ** 2)
    np.testing.assert_allclose(hit.x_plus[SPIN], hit.x_minus[SPIN] + turned, rtol=1e-12)


def test_a_superball_hops_in_turns_and_keeps_its_energy():
    """Two impacts that turn the slip round undo each other: v_x is 3/7 of what it was, and all of it, in turn."""
    result = rubbing(models.superball())
    speeds = [event.x_plus[7] for event in of_kind(result, "impact")]
    assert len(speeds) == 4
    np.testing.assert_allclose(speeds, [6 / 7, 2, 6 / 7, 2], rtol=0, atol=1e-11)
    assert np.ptp(result.energy) < 1e-12


def test_a_superball_comes_back_from_under_a_table():
    """Garwin's -333/343, by hand: 3/7, -31/49, -333/343."""
    result = rubbing(models.superball(table=True))
    assert [event.contacts for event in result.events] == [("floor",), ("table",), ("floor",)]
    expected = [2 * float(Fraction(*part)) for part in ((3, 7), (-31, 49), (-333, 343))]
    np.testing.assert_allclose([event.x_plus[7] for event in result.events], expected, rtol=0, atol=1e-11)
    assert result.x[0, -1] < 0
    rough = rubbing(models.superball(0.0, table=True))
    assert np.diff(rough.x[0]).min() >= 0


def test_a_superball_thrown_aslant_turns_as_one_thrown_along_x():
    """Nothing singles out a horizontal direction."""
    straight = rubbing(models.superball(table=True))
    angle = 0.7
    aslant = rubbing(models.superball(table=True).with_numbers(start={"v_x": 2 * cos(angle), "v_y": 2 * sin(angle)}))
    for one, other in zip(straight.events, aslant.events, strict=True):
        expected = one.x_plus[7] * np.array([cos(angle), sin(angle)])
        np.testing.assert_allclose(other.x_plus[7:9], expected, rtol=0, atol=1e-11)


def test_a_restitution_of_slip_above_one_is_refused():
    with pytest.raises(ValueError, match=r"tangential restitution of Newton's law is 1\.5, expected a number from 0"):
        models.superball(1.5)


# A ball that rolls.


@pytest.mark.parametrize(("k", "mu"), [(0.4, 0.3), (0.5, 0.4), (1.0, 0.6)])
def test_a_ball_slides_rolls_and_falls_off_the_table(k, mu):
    """Rolling after k v/((1 + k) mu g) with v/(1 + k), which it keeps in flight and in hops without slip."""
    ready = models.rolling_ball().with_numbers({"k": k, "mu": mu})
    result, p = rubbing(ready), numbers(ready)
    speed, braking = 3.0 / (1 + k), p["mu"] * p["g"]
    (stick,), (leaves,) = (of_kind(result, kind) for kind in ("stick", "open"))
    assert stick.t == pytest.approx((3 - speed) / braking, abs=CLOSE)
    assert stick.x_plus[0] == pytest.approx((9 - speed**2) / (2 * braking) - 1, abs=CLOSE)
    np.testing.assert_allclose(stick.x_plus[3:], [speed, 0, -speed / p["r"]], rtol=0, atol=CLOSE)
    assert leaves.t == pytest.approx(stick.t - stick.x_plus[0] / speed, abs=CLOSE)
    falls = sqrt(2 * p["h"] / GRAVITY)
    hops = [leaves.t + falls * (1 + 2 * sum(0.5**i for i in range(1, n + 1))) for n in range(4)]
    hits = of_kind(result, "impact")[:4]
    np.testing.assert_allclose([hit.t for hit in hits], hops, rtol=0, atol=CLOSE)
    np.testing.assert_allclose([hit.x_plus[0] for hit in hits], speed * (np.array(hops) - leaves.t), rtol=0, atol=CLOSE)
    expected = [speed * (2 - leaves.t), p["r"] - p["h"], speed, 0, -speed / p["r"]]
    np.testing.assert_allclose(result.x[[0, 1, 3, 4, 5], -1], expected, rtol=0, atol=10 * CLOSE)
    assert result.events[-1].kind == "accumulation"
    assert result.events[-1].t_inf == pytest.approx(leaves.t + 3 * falls, abs=1e-7)


@pytest.mark.parametrize(("k", "mu", "speed"), [(0.4, 0.3, 0.3), (1.0, 2.0, 0.1), (0.4, 50.0, 0.5)])
def test_a_slow_ball_follows_the_edge_until_it_slips(k, mu, speed):
    """Rolling: v^2 = v0^2 + 2 g R (1 - cos)/(1 + k), T = k/(1 + k) m g sin, N = m (g cos - v^2/R); slip at T = mu N."""
    ready = models.rolling_ball().with_numbers(
        {"k": k, "mu": mu}, {"x": -0.02, "v_x": speed, "omega": -speed / 0.05}, (0, 0.5)
    )
    result, p = rubbing(ready), numbers(ready)
    arm = p["r"] + p["b"]

    def spare(angle):
        fast = speed**2 / (GRAVITY * arm) + 2 * (1 - cos(angle)) / (1 + k)
        return mu * (cos(angle) - fast) - k / (1 + k) * sin(angle)

    angle = brentq(spare, 1e-6, 1.5, xtol=1e-14)
    slips, leaves = (of_kind(result, kind)[0] for kind in ("slip", "open"))
    np.testing.assert_allclose(slips.x_plus[:2], [arm * sin(angle), arm * cos(angle) - p["b"]], rtol=0, atol=CLOSE)
    away = leaves.x_plus[:2] + np.array([0, p["b"]])
    assert hypot(*away) == pytest.approx(arm, abs=CLOSE)
    assert leaves.x_plus[3] ** 2 + leaves.x_plus[4] ** 2 == pytest.approx(GRAVITY * away[1], abs=10 * CLOSE)
    assert leaves.t > slips.t


# Kane's double pendulum.

LAWS = [Newton(), Newton(guard=True), Poisson(), Energetic()]


def assembled() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass matrix, rows of the tip's velocity (up, along), and speeds, by hand."""
    first, second = radians(20), radians(30)
    coupling = cos(first - second) / 2
    mass = np.array([[4 / 3, coupling], [coupling, 1 / 3]])
    rows = np.array([[sin(first), sin(second)], [cos(first), cos(second)]])
    return mass, rows, np.array([-0.1, -0.2])


def routh(g: np.ndarray, v: np.ndarray, e: float, mu: float) -> np.ndarray:
    """The impulses of Stronge's law by Routh's straight lines: compression, the slip turns, work ends it all.

    On a line v_N dp = v_N dv_N/a. The slip turns, for G_NT > mu G_TT, where compression is over (v_N > 0) but has not
    been given back.
    """
    back, forth = np.array([1, mu]), np.array([1, -mu])  # friction against a slip below and above zero
    assert g[0, 1] > mu * g[1, 1] > 0 > v[1]
    first, slow, fast = -v[1] / (g[1] @ back), g[0] @ forth, g[0] @ back
    turning = v[0] + first * fast
    assert 0 < turning < e * -v[0]
    last = sqrt(turning**2 + (e**2 * v[0] ** 2 - turning**2) * slow / fast)
    return first * back + (last - turning) / slow * forth


def phase(g: np.ndarray, v: np.ndarray, mu: float, push: float | None) -> np.ndarray:
    """The impulse that stops the approach, or the push given, with the friction of the slip after it."""
    if push is None:
        stuck = -np.linalg.solve(g, v)
        if abs(stuck[1]) <= mu * stuck[0]:
            return stuck
        lines = [np.array([1, mu * side]) for side in (1, -1)]
        impulses = [-v[0] / (g[0] @ line) * line for line in lines]
        (slipping,) = [impulse for impulse in impulses if (v + g @ impulse)[1] * impulse[1] < 0]
        return slipping
    rub = -(v[1] + g[1, 0] * push) / g[1, 1]
    return np.array([push, np.clip(rub, -mu * push, mu * push)])


def expected_impulse(law) -> np.ndarray:
    """Of the strike (up, along) with e = 0.7 and mu = 0.5."""
    mass, rows, u = assembled()
    g, v, e, mu = rows @ np.linalg.solve(mass, rows.T), rows @ u, 0.7, 0.5
    if law == Newton():  # at the end the tip slips forth
        return -(1 + e) * v[0] / (g[0] @ [1, -mu]) * np.array([1, -mu])
    if law == Newton(guard=True):  # it sticks, with the speed upwards at which the energy is what it was
        inverse = np.linalg.inv(g)
        impulse = inverse @ (np.array([sqrt(v @ inverse @ v / inverse[0, 0]), 0]) - v)
        assert abs(impulse[1]) < mu * impulse[0]
        return impulse
    if law == Poisson():
        compression = phase(g, v, mu, None)
        return compression + phase(g, v + g @ compression, mu, e * compression[0])
    return routh(g, v, e, mu)


def struck(law):
    """The pendulum's run, with or without the warning of a gain."""
    ready = models.kane_pendulum(law)
    if law != Newton():
        return rubbing(ready)
    with pytest.warns(ImpactWarning, match="176 %"):
        return ready.with_numbers(t_span=(0, 0.01)).simulate(**TIGHT)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_kanes_pendulum_leaves_as_each_law_says(law):
    hit = struck(law).events[0]
    mass, rows, u = assembled()
    impulse = expected_impulse(law)
    after = u + np.linalg.solve(mass, rows.T @ impulse)
    assert hit.t == 0
    assert hit.impulse[0] == pytest.approx(impulse[0], rel=1e-10)
    np.testing.assert_allclose(hit.x_plus[2:], after, rtol=0, atol=1e-10)
    assert hit.energy == pytest.approx((after @ mass @ after - u @ mass @ u) / 2, abs=1e-11)


def test_only_newtons_law_gains_at_kanes_pendulum():
    energies = {repr(law): struck(law).events[0].energy for law in LAWS}
    assert energies["Newton()"] > 1.7 * 0.02318
    assert all(energy <= 1e-12 for name, energy in energies.items() if name != "Newton()")


# Newton's cradle, touching.


def springs(balls: int, exponent: float) -> np.ndarray:
    """Speeds of equal balls in a row with springs F = x^eta between them, in time, the first coming with 1."""

    def rates(t, y):
        pressed = np.maximum(y[: balls - 1] - y[1:balls], 0) ** exponent
        return [*y[balls:], *-np.diff(pressed, prepend=0, append=0)]

    start = np.eye(2 * balls)[balls]
    run = solve_ivp(rates, (0, 60), start, method="DOP853", rtol=1e-11, atol=1e-13)
    assert (np.diff(run.y[:balls, -1]) > 0).all()
    return run.y[balls:, -1]


@pytest.mark.parametrize("balls", [3, 5])
@pytest.mark.parametrize(
    ("law", "resolution", "parts"),
    [
        (Newton(), Simultaneous(), lambda n: [2 / n - 1, *[2 / n] * (n - 1)]),
        (Newton(), Sequential(), lambda n: [0] * (n - 1) + [1]),
        (Energetic(), ImpulseRatio(1, 1), lambda n: springs(n, 1)),
        (Energetic(), ImpulseRatio(1, 1.5), lambda n: springs(n, 1.5)),
    ],
    ids=["at once", "in turn", "linear springs", "Hertz's springs"],
)
def test_a_cradle_of_touching_balls_passes_the_blow_as_its_resolution_says(balls, law, resolution, parts):
    """Balls that hang straight down, hit with 2 sqrt(g l) sin(0.3)."""
    ready = models.newtons_cradle(balls, 0.0, resolution, law).with_numbers({"e": 1.0}, t_span=(0, 0.8))
    result = ready.simulate(**TIGHT)
    (blow,) = of_kind(result, "impact")
    assert blow.contacts == tuple(f"{i} on {i + 1}" for i in range(1, balls))
    speed = 2 * sqrt(GRAVITY) * sin(0.3)
    np.testing.assert_allclose(blow.x_plus[balls:] / speed, parts(balls), rtol=0, atol=1e-8)
    assert blow.energy == pytest.approx(0, abs=1e-9)


def test_a_law_that_springs_are_not_defined_for_is_refused():
    with pytest.raises(ValueError, match=r"defined with impact=Energetic\(\) only"):
        models.newtons_cradle(gap=0.0, resolution=ImpulseRatio(1, 1.5))


# What the examples print.


def test_the_superball_prints_garwins_fractions():
    pairs = re.findall(r"v_x = (\S+) m/s, (\S+) of 2.0 m/s: (\S+) m/s", printed("superball"))
    assert [part for _, part, _ in pairs] == ["3/7", "-31/49", "-333/343"]
    for found, part, formula in pairs:
        assert [float(found), float(formula)] == pytest.approx([2 * float(Fraction(part))] * 2, abs=1e-11)


def test_the_rolling_ball_prints_what_the_formulas_say():
    pairs = re.findall(r"(-?\d\.\d+) .*, by the formula (-?\d\.\d+) ", printed("rolling_ball"))
    braking, speed = 0.3 * GRAVITY, 15 / 7
    place = (9 - speed**2) / (2 * braking) - 1
    leaves, reach = (3 - speed) / braking - place / speed, speed * sqrt(1.5 / GRAVITY)
    expected = [(3 - speed) / braking, place, leaves, reach]
    np.testing.assert_allclose(np.array(pairs, float), np.transpose([expected] * 2), rtol=0, atol=CLOSE)


def test_kanes_pendulum_prints_the_impulses_of_the_laws():
    found = re.findall(r"impulse (\S+) N s", printed("kane_pendulum"))
    expected = [expected_impulse(law)[0] for law in LAWS]
    np.testing.assert_allclose(np.array(found, float), expected, rtol=0, atol=1e-8)


def test_the_cradle_prints_what_is_left_to_each_ball():
    lines = re.findall(r"resolved .*: the parts of the speed are (.*)", printed("newtons_cradle"))
    expected = [[-0.6, *[0.4] * 4], [0, 0, 0, 0, 1], springs(5, 1.5)]
    np.testing.assert_allclose([[float(part) for part in line.split()] for line in lines], expected, rtol=0, atol=1e-6)
