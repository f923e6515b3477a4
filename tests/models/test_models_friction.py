"""The ready-made models with friction against closed forms and independent integrations."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from math import asin, atan, atan2, cos, hypot, pi, sin, sqrt, tan

import mpmath
import numpy as np
import pytest
from friction_runs import rubbing
from oracles import woodpecker as oracle
from quick_members import members
from rest_runs import GRAVITY, numbers, of_kind

from sympact import HybridModel, Newton, Plastic, Poisson, Status, models
from sympact.models import ReadyModel

CLOSE = 1e-9
"""Of a time, a place or a speed: some hundred times what the tolerance of 1e-12 leaves over these spans."""

NEARLY_TOGETHER = "ignore::sympact.mechanics.run.equation_audit.ImpactWarning"
"""Corners of a body that comes to rest hit nearly together: the warning is right."""


def kinds(result) -> list[str]:
    """What happened after the start."""
    return [str(event.kind) for event in result.events[1:]]


# A mass on a spring on a belt.


@pytest.mark.parametrize(("belt", "more"), members([(0.1, 0.2), (1.0, 0.2), (0.05, 0.05)], slow=[(1.0, 0.2)]))
def test_mass_on_the_belt_sticks_and_slips_as_long_as_the_closed_form_says(belt, more):
    """It sticks until k x = mu_s m g; then x'' = -omega^2 (x - c) with x' = w at both ends of the slip."""
    mass, stiffness, mu = 2.0, 50.0, 0.3
    changed = {"m": mass, "k": stiffness, "mu": mu, "mu_s": mu + more}
    result = rubbing(models.belt_oscillator(belt).with_numbers(changed, t_span=(0, 12)))
    omega, amplitude = sqrt(stiffness / mass), more * mass * GRAVITY / stiffness
    slips, sticks = 2 * (pi - atan(amplitude * omega / belt)) / omega, 2 * amplitude / belt
    first = (mu + more) * mass * GRAVITY / stiffness / belt
    assert result.events[1].t == pytest.approx(first, abs=CLOSE)
    assert kinds(result) == (["slip", "stick"] * len(result.events))[: len(result.events) - 1]
    durations = np.diff(result.events.t[1:])
    assert len(durations) >= 4
    np.testing.assert_allclose(durations[::2], slips, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(durations[1::2], sticks, rtol=0, atol=CLOSE)


def test_mass_on_the_belt_comes_to_the_same_cycle_from_another_start():
    """Of the cycle, the places are (mu m g +- (mu_s - mu) m g)/k, whatever came before."""
    ready = models.belt_oscillator().with_numbers(start={"x": 0.2, "v_x": -0.3}, t_span=(0, 8))
    result = rubbing(ready)
    p = numbers(ready)
    weight = p["m"] * p["g"] / p["k"]
    slips = [event.x_plus[0] for event in of_kind(result, "slip") if event.source != event.target]
    sticks = [event.x_plus[0] for event in of_kind(result, "stick")][1:]  # the first one by the start
    assert min(len(slips), len(sticks)) >= 4
    np.testing.assert_allclose(slips, p["mu_s"] * weight, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(sticks, (2 * p["mu"] - p["mu_s"]) * weight, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("pulled", [0.5, -0.31, 0.049])
def test_friction_takes_as_much_off_each_half_swing(pulled):
    """|x| falls by 2 mu m g/k from one turning point to the next, each pi/omega later, until k |x| <= mu_s m g."""
    ready = models.belt_oscillator(belt=0.0).with_numbers(start={"x": pulled})
    p = numbers(ready)
    weight = p["m"] * p["g"] / p["k"]
    result = rubbing(ready)
    turns = of_kind(result, "slip", "stick")
    places = [pulled]
    while abs(places[-1]) > p["mu_s"] * weight:
        places.append(-places[-1] + np.copysign(2 * p["mu"] * weight, places[-1]))
    assert len(turns) == len(places) - 1
    np.testing.assert_allclose([turn.x_plus[0] for turn in turns], places[1:], rtol=0, atol=CLOSE)
    expected = pi / sqrt(p["k"] / p["m"]) * np.arange(1, len(places))
    np.testing.assert_allclose([turn.t for turn in turns], expected, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(result.x[:, -1], [places[-1], 0, 0, 0], rtol=0, atol=CLOSE)
    assert not result.x[2:, -1].any()


# A block on a slope.


def test_block_starts_to_slide_where_the_tangent_is_the_static_friction():
    result = rubbing(models.sliding_block())
    assert kinds(result) == ["slip"]
    assert 0.2 * result.events[-1].t == pytest.approx(atan(0.5), abs=CLOSE)


def test_block_away_from_the_pivot_starts_to_slide_where_the_turning_helps():
    """At the place s the turning throws it outwards: g sin + nu^2 s = mu_s g cos."""
    away, turning = 1.5, 0.2
    result = rubbing(models.sliding_block().with_numbers(start={"x": away}))
    slope = atan(0.5) - asin(turning**2 * away / GRAVITY / hypot(1, 0.5))
    assert turning * result.events[-1].t == pytest.approx(slope, abs=CLOSE)


@pytest.mark.parametrize(("relative", "slides"), [(-1e-6, False), (1e-6, True)])
def test_block_stays_below_the_angle_of_friction_and_slides_above_it(relative, slides):
    """Between mu and mu_s it stays if it is at rest; above mu_s its acceleration is g (sin - mu cos)."""
    slope = atan(0.5 * (1 + relative))
    result = rubbing(models.sliding_block(slope, tilting=0.0))
    if not slides:
        np.testing.assert_array_equal(result.x[:, -1], 0)
        return
    acceleration = GRAVITY * (sin(slope) - 0.4 * cos(slope))
    expected = [acceleration * 9 / 2, 0, acceleration * 3, 0]
    np.testing.assert_allclose(result.x[:, -1], expected, rtol=0, atol=10 * CLOSE)


@pytest.mark.parametrize("speed", [2.0, -0.3])
def test_thrown_block_stops_after_the_square_of_its_speed(speed):
    result = rubbing(models.sliding_block(0.0, 0.0, speed))
    assert kinds(result) == ["stick"]
    assert result.events[-1].t == pytest.approx(abs(speed) / (0.4 * GRAVITY), abs=CLOSE)
    assert result.x[0, -1] == pytest.approx(speed * abs(speed) / (0.8 * GRAVITY), abs=CLOSE)
    assert not result.x[2:, -1].any()


@pytest.mark.parametrize(("slope", "returns"), [(0.6, True), (0.43, False)])
def test_block_thrown_up_a_slope_turns_or_stays(slope, returns):
    """tan(0.43) = 0.459 is more than mu but less than mu_s: what slides down there stays where it stops."""
    result = rubbing(models.sliding_block(slope, 0.0, -2.0))
    highest = 4 / (2 * GRAVITY * (sin(slope) + 0.4 * cos(slope)))
    turn = result.events[-1]
    assert turn.kind == ("slip" if returns else "stick")
    assert turn.x_plus[0] == pytest.approx(-highest, abs=CLOSE)
    gained = 2 * GRAVITY * (sin(slope) - 0.4 * cos(slope)) * (result.x[0, -1] + highest)
    assert result.x[2, -1] ** 2 == pytest.approx(gained if returns else 0.0, abs=10 * CLOSE)


# A block on a belt.


def test_upright_block_slides_until_it_has_the_speed_of_the_belt():
    result = rubbing(models.block_on_belt(friction=0.3))
    assert kinds(result) == ["stick"]
    assert result.events[-1].t == pytest.approx(1 / (0.3 * GRAVITY), abs=CLOSE)
    half = 1 / (0.6 * GRAVITY)
    np.testing.assert_allclose(result.x[:, -1], [3 - half, 0.5, 0, 1, 0, 0], rtol=0, atol=10 * CLOSE)


def test_block_tips_where_the_friction_is_more_than_width_by_height():
    """Sliding on its rear corner: m y'' = N - m g, J theta'' = N (mu b - a)/2, and y'' = (a/2) theta'' at the start."""
    a, b, mu = 0.4, 1.0, 0.6
    result = rubbing(models.block_on_belt(friction=mu), max_step=1e-3)
    moment, arm = (a**2 + b**2) / 12, (mu * b - a) / 2
    spin = GRAVITY / (moment / arm - a / 2)
    x = result(1e-4)
    assert result.events[0].target == "low left slips"
    assert x[5] == pytest.approx(spin * 1e-4, rel=1e-3)
    upright = rubbing(models.block_on_belt(friction=0.399))
    assert np.abs(upright.x[2]).max() < 1e-12


@pytest.mark.filterwarnings(NEARLY_TOGETHER)
def test_block_on_a_belt_moves_as_one_that_is_thrown_on_a_floor():
    """Seen from the belt, which moves evenly, the block arrives with the speed -w; impacts and heat are the same."""
    belt = models.block_on_belt()
    moving, still = rubbing(belt), rubbing(belt.with_numbers({"w": 0.0}, {"v_x": -1.0}))
    early = 1.5  # later hops magnify differences of rounding
    times = np.linspace(0, early, 400)
    seen = moving(times) - np.array([[1.0], *[[0.0]] * 5]) * times - np.array([0, 0, 0, 1.0, 0, 0])[:, np.newaxis]
    near = np.min(np.abs(times[:, np.newaxis] - moving.events.t), axis=1) < 1e-6  # either side of a jump
    np.testing.assert_allclose(seen[:, ~near], still(times)[:, ~near], rtol=0, atol=1e-6)
    first, second = (of_kind(run, "impact")[0] for run in (moving, still))
    assert first.t == pytest.approx(second.t, abs=CLOSE)
    assert first.energy == pytest.approx(second.energy, abs=CLOSE)
    assert still.energy[-1] == pytest.approx(still.energy[0] - 0.5, abs=1e-8)


# A block that rocks.


@pytest.mark.parametrize(("tilt", "friction"), members([(0.3, 1.0), (-0.2, 5.0), (0.05, 1.0)], slow=[(0.05, 1.0)]))
def test_housners_block(tilt, friction):
    """theta'' = -p^2 sin(alpha - theta) about a corner; angular momentum about the new corner is kept at a change."""
    a, b = 0.4, 1.0
    alpha, p2 = atan2(a, b), 1.5 * GRAVITY / hypot(a, b)
    result = rubbing(models.rocking_block(tilt, friction, 0.0).with_numbers(t_span=(0, 3)))
    hits = of_kind(result, "impact")
    assert len(hits) >= 3
    top = mpmath.mpf(abs(tilt))

    def inverse_rate(theta):
        return 1 / mpmath.sqrt(2 * p2 * (mpmath.cos(alpha - top) - mpmath.cos(alpha - theta)))

    with mpmath.workdps(30):  # the rate vanishes at the start
        quarter = float(mpmath.quad(inverse_rate, [0, top / 2, top]))
    assert hits[0].t == pytest.approx(quarter, abs=CLOSE)
    ratios = [hit.x_plus[5] / hit.x_minus[5] for hit in hits[:3]]
    np.testing.assert_allclose(ratios, 1 - 1.5 * sin(alpha) ** 2, rtol=0, atol=CLOSE)


# A wheel without a rim.


WHEELS = [(8, 0.05), (8, 0.01), (7, 0.01), (12, 0.05)]


@pytest.mark.parametrize(("spokes", "inertia"), members(WHEELS, slow=[(8, 0.05), (8, 0.01)]))
def test_each_strike_of_the_rimless_wheel(spokes, inertia):
    """With j = J/(m l^2) a strike keeps (cos(2 alpha) + j)/(1 + j); gravity gives back 4 g/l sin sin/(1 + j)."""
    ready = models.rimless_wheel(spokes, slope=0.12).with_numbers({"J": inertia})
    alpha, j, p = pi / spokes, inertia, numbers(ready)
    kept = (cos(2 * alpha) + j) / (1 + j)
    gained = 4 * p["g"] / p["l"] * sin(alpha) * sin(p["beta"]) / (1 + j)
    strikes = of_kind(rubbing(ready), "impact")
    assert len(strikes) >= 8
    before = np.array([apply_impact.x_minus[5] for apply_impact in strikes])
    np.testing.assert_allclose([apply_impact.x_plus[5] for apply_impact in strikes] / before, kept, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(before[1:] ** 2, kept**2 * before[:-1] ** 2 + gained, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("inertia", members([1e-4, 1e-5, 1e-6, 1e-7, 1e-8], slow=[1e-5, 1e-6, 1e-7]))
@pytest.mark.parametrize("law", [Newton(), Plastic()])
def test_a_nearly_massless_rim_of_the_hub(law, inertia):
    """Impulses of 1 N s turn it by 1/J, their rounding by 1e-16/J: the strikes are as sharp as with a heavy hub."""
    ready = models.rimless_wheel(8, slope=0.12).with_numbers({"J": inertia})
    model = HybridModel(ready.model.source, ready.model.contacts, impact=law)
    result = model.simulate(ready.t_span, ready.start, ready.parameters)
    assert result.status is Status.FINISHED
    strikes = [event for event in result.events if event.kind != "close"]
    assert [apply_impact.kind for apply_impact in strikes] == 16 * ["impact"]
    kept = (cos(pi / 4) + inertia) / (1 + inertia)
    ratios = [apply_impact.x_plus[5] / apply_impact.x_minus[5] for apply_impact in strikes]
    np.testing.assert_allclose(ratios, kept, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("inertia", [1e-2, 0.1])
def test_rimless_wheel_started_on_its_limit_cycle_stays_there(inertia):
    """With J = 0 it is cot(2 alpha) sqrt(4 (g/l) sin(alpha) sin(slope)) after a strike; with J, eta/sqrt(1 - eta^2)."""
    alpha, slope, j = pi / 8, 0.08, inertia
    kept = (cos(2 * alpha) + j) / (1 + j)
    settled = kept / sqrt(1 - kept**2) * sqrt(4 * GRAVITY * sin(alpha) * sin(slope) / (1 + j))
    ready = models.rimless_wheel(8, slope, spin=settled).with_numbers({"J": inertia})
    strikes = of_kind(rubbing(ready), "impact")
    assert len(strikes) >= 8
    np.testing.assert_allclose([apply_impact.x_plus[5] for apply_impact in strikes], settled, rtol=0, atol=CLOSE)
    plain = sqrt(4 * GRAVITY * sin(alpha) * sin(slope)) / tan(2 * alpha)
    assert settled == pytest.approx(plain, rel=4 * inertia)


# A stack.


@pytest.mark.parametrize("friction", members([0.4, 0.3], slow=[0.3]))
def test_blow_on_the_middle_block_of_a_stack(friction):
    """The middle one is braked with 3 mu g, the upper takes up mu g; at a quarter of the speed they go on together."""
    ready = models.struck_stack(hit=2, speed=2.4).with_numbers({"mu": friction})
    result = rubbing(ready)
    speed, braking = 1.2, friction * GRAVITY
    blow = of_kind(result, "impact")[0]
    assert blow.t == pytest.approx(0.1 / 2.4, abs=CLOSE)
    np.testing.assert_allclose(blow.x_plus[[11, 13, 16, 19]], [0, 0, speed, 0], rtol=0, atol=CLOSE)
    sticks = [event.t for event in of_kind(result, "stick")]
    together = speed / (4 * braking)
    np.testing.assert_allclose(sticks, blow.t + together * np.array([1, 2]), rtol=0, atol=CLOSE)
    places = [0, 3 * speed**2 / (16 * braking), speed**2 / (16 * braking)]
    np.testing.assert_allclose(result.x[[2, 5, 8], -1], places, rtol=0, atol=CLOSE)
    assert not result.x[11:, -1].any()


# The woodpecker.


@cache
def pecking():
    ready = models.woodpecker()
    return ready, rubbing(ready)


def test_woodpecker_moves_as_in_an_independent_integration():
    """The same linear equations, integrated mode by mode with SciPy: kinds, contacts, times and states."""
    ready, result = pecking()
    expected = oracle.run([*ready.named_start().values()], 0.4)
    assert len(expected) > 20
    for event, (t, kind, contact, x) in zip(result.events, expected, strict=False):
        assert (event.kind, event.contacts) == (kind, (contact,))
        assert event.t == pytest.approx(t, abs=CLOSE)
        np.testing.assert_allclose(event.x_minus, x, rtol=0, atol=1e-8)


def test_woodpecker_comes_to_the_limit_cycle_of_the_literature():
    """Published for Poisson's law is (phi_M, phi_S, y', omega_M, omega_S) = (-0.1036, -0.2788, -0.3411, 0, -7.4583).

    That state lies 0.9 um within the pole, for h_M phi_M is r_M - r_0 at 0.10345: it is good to parts in a thousand.
    """
    _, result = pecking()
    last = of_kind(result, "stick")[-1]
    since = max(event.t for event in of_kind(result, "impact") if event.t < last.t)
    low, high = since, last.t
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if result(middle)[2] > -0.2788 else (low, middle)
    np.testing.assert_allclose(result(high)[[1, 2, 3, 5]], [-0.1036, -0.2788, -0.3411, -7.4583], rtol=6e-3)
    pecks = [event.t for event in of_kind(result, "impact") if event.contacts == ("beak",)]
    strays = np.abs(np.diff(pecks, 2))
    assert (strays[1:] < strays[:-1]).all()
    assert strays[-1] < 2e-4


def test_woodpecker_moves_alike_by_newtons_law_and_poissons(monkeypatch):
    """Its contacts hit one at a time, and what slips at the end of an impact has slipped that way all along."""
    _, newton = pecking()
    module = import_module("sympact.models.linkages.woodpecker")
    monkeypatch.setattr(module, "HybridModel", partial(HybridModel, impact=Poisson()))
    poisson = rubbing(module.woodpecker())
    assert [event.kind for event in poisson.events] == [event.kind for event in newton.events]
    np.testing.assert_allclose(poisson.events.t, newton.events.t, rtol=0, atol=CLOSE)


# Boxes that are dropped and tossed.


@pytest.mark.filterwarnings(NEARLY_TOGETHER)
@pytest.mark.parametrize("orientation", members(["flat", "edge", "tilted"], slow=["edge"]))
def test_a_box_on_a_rough_floor_comes_to_rest_on_a_face(orientation):
    edges = (0.8, 1.0, 1.3)
    ready: ReadyModel = models.dropped_cube(orientation, edges, friction=0.3).with_numbers(
        start={"v_x": 0.7, "omega_3": 2.0}, t_span=(0, 10)
    )
    result = rubbing(ready)
    assert not result.x[7:, -1].any()
    assert result.events[-1].target.endswith("(at rest)")
    heights = np.sort(result.gaps[:, -1])
    np.testing.assert_allclose(heights[:4], 0, rtol=0, atol=1e-9)
    assert np.ptp(heights[4:]) < 1e-9
    assert min(abs(heights[-1] - edge) for edge in edges) < 1e-9


@pytest.mark.filterwarnings(NEARLY_TOGETHER)
@pytest.mark.parametrize("throws", members([3, 8, 20], slow=[8, 20]))
def test_tossed_dice_lie_still_on_a_face(throws):
    die, random = models.dice(), np.random.default_rng(7)
    for _ in range(throws):
        spin = dict(zip(("omega_1", "omega_2", "omega_3"), random.normal(0, 30, 3).tolist(), strict=True))
        result = rubbing(die.with_numbers(start=spin), rtol=1e-9, atol=1e-12)
        assert not result.x[7:, -1].any()
        np.testing.assert_allclose(np.sort(result.gaps[:, -1]), [0] * 4 + [0.02] * 4, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: models.rimless_wheel(spokes=4), "fewer than five spokes .* found spokes=4"),
        (lambda: models.struck_stack(hit=0), "the numbers 1 to 3; found hit=0"),
    ],
)
def test_models_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
