"""The ready-made models run to their ends, move as the textbooks say, and show themselves."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import acos, cos, pi, sin, sqrt

import mpmath
import numpy as np
import pytest
from friction_runs import check_rubbing, has_friction
from quick_members import members
from rest_runs import GRAVITY, changed, numbers, simulate
from trajectory import check_trajectory

from sympact import Result, Status, models
from sympact.__main__ import WITHOUT_BODIES, main
from sympact.models import ReadyModel

NEW = ("cart_pole", "dice", "double_pendulum", "falling_rod", "newtons_cradle", "pendulum", "rocking_block")
FRICTIONAL = (
    "belt_oscillator",
    "block_on_belt",
    "compass_walker",
    "dice",
    "hopping_disc",
    "kane_pendulum",
    "rimless_wheel",
    "rolling_ball",
    "sliding_block",
    "struck_stack",
    "superball",
    "woodpecker",
)
MECHANICAL = sorted(set(models.__all__) - {"ReadyModel", "ReadyProcess"} - WITHOUT_BODIES)
LONG = (
    "dropped_cube",
    "hopping_disc",
    "jack_in_a_box",
    "rimless_wheel",
    "shaking_table",
    "struck_stack",
    "superball",
    "woodpecker",
)
"""Models of longer runs, each of which has a quick test of its own elsewhere; others of their kinds are quick here."""

NEARLY_TOGETHER = "ignore::sympact.mechanics.run.equation_audit.ImpactWarning"
"""Corners of a body that comes to rest hit nearly together: the warning is right."""

CLOSE = 1e-9
"""Of a time or a speed: some hundred times what the tolerance of 1e-12 leaves over these spans."""

pytestmark = pytest.mark.filterwarnings(NEARLY_TOGETHER)


@cache
def ready_made(name: str) -> ReadyModel:
    """A ready-made system."""
    return getattr(models, name)()


@cache
def ready_run(name: str):
    """A ready-made system and its run."""
    return ready_made(name), ready_made(name).simulate()


def speeds(ready: ReadyModel, x) -> np.ndarray:
    """The generalized speeds of a state."""
    return np.asarray(x)[len(ready.model.q) :]


def between_events(result: Result) -> list[np.ndarray]:
    """Which samples lie between two events, for each two that have some between them."""
    times = [result.t_span[0], *(event.t for event in result.events), result.t_span[1]]
    spans = [(result.t > first) & (result.t < last) for first, last in pairwise(times)]
    return [inside for inside in spans if inside.any()]


@pytest.mark.parametrize("name", members(MECHANICAL, slow=LONG))
def test_model_runs_its_span(name):
    ready, result = ready_run(name)
    assert result.status is Status.FINISHED
    assert result.t_span == tuple(ready.t_span)
    assert len(result.events)
    assert has_friction(ready) == (name in FRICTIONAL)
    if name in FRICTIONAL:
        check_rubbing(result, ready)
    else:
        check_trajectory(result, ready.model, ready.parameters)


@pytest.mark.parametrize("name", MECHANICAL)
def test_units_are_those_of_all_states(name):
    ready = ready_made(name)
    states = set(ready.named_start())
    quaternion = {"e_0", "e_1", "e_2", "e_3"}
    assert set(ready.units) == (states - quaternion) | {"t", "gaps"}


@pytest.mark.parametrize("name", sorted({*NEW} - {*FRICTIONAL}))
def test_energy_is_lost_at_events_only(name):
    """The tolerance of 1e-9 in each step, over up to some hundred steps, of the largest kinetic energy."""
    _, result = ready_run(name)
    scale = result.kinetic_energy.max()
    for inside in between_events(result):
        assert np.ptp(result.energy[inside]) <= 1e-7 * scale
    assert result.energy[-1] < result.energy[0]


@pytest.mark.parametrize("name", members(MECHANICAL, slow=LONG))
def test_model_shows_itself(name, tmp_path):
    ready, result = ready_run(name)
    assert ready.shapes
    page = tmp_path / f"{name}.html"
    animation = ready.animate(page, result=result)
    assert animation.scene.times[-1] == result.t_span[1]
    assert "<html" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("sign", [1, -1], ids=["slow", "fast"])
def test_double_pendulum_swings_with_its_linear_frequencies(sign):
    """Angles of 1e-4 rad change the period by a part of their square, 1e-8; the errors of the angle are below 1e-6."""
    small = 1e-4
    period = 2 * pi / sqrt((2 - sign * sqrt(2)) * GRAVITY)
    start = {"theta_1": small, "theta_2": sign * sqrt(2) * small}
    result = simulate(changed(models.double_pendulum(), t_end=period, start=start))
    assert not len(result.events)
    mode = small * np.array([1, sign * sqrt(2)])
    for part, factor in ((1 / 4, 0), (1 / 2, -1), (1, 1)):
        np.testing.assert_allclose(result(part * period)[:2], factor * mode, rtol=0, atol=1e-6 * small)


def test_pendulum_of_one_link_hits_the_floor_at_the_time_of_the_quadrature():
    """A rod about its end: l omega^2 = 3 g cos(theta), let go horizontally."""
    result = simulate(models.pendulum(links=1))
    angle = acos(0.7)
    with mpmath.workdps(30):  # the rate vanishes at the start
        time = float(mpmath.quad(lambda a: 1 / mpmath.sqrt(3 * GRAVITY * mpmath.cos(a)), [angle, mpmath.pi / 2]))
    first = result.events[0]
    assert first.t == pytest.approx(time, abs=CLOSE)
    assert first.x_minus[0] == pytest.approx(angle, abs=CLOSE)
    assert first.x_minus[1] == pytest.approx(-sqrt(3 * GRAVITY * 0.7), rel=CLOSE)


@pytest.mark.parametrize("links", [2, 5])
def test_pendulums_of_other_lengths_run(links):
    ready = models.pendulum(links)
    assert len(ready.model.q) == len(ready.model.contacts) == links
    simulate(changed(ready, t_end=2.0))


def test_horizontal_momentum_of_the_cart_changes_at_the_walls_only():
    ready, result = ready_run("cart_pole")
    p = numbers(ready)
    x, theta, v, omega = result.x
    momentum = (p["M"] + p["m"]) * v + p["m"] * p["l"] / 2 * omega * np.cos(theta)
    for inside in between_events(result):
        assert np.ptp(momentum[inside]) <= 1e-8
    assert np.abs(x).max() <= p["w"] - p["b"] / 2 + CLOSE


def test_the_end_of_the_rod_feels_the_mass_of_the_formula():
    ready, result = ready_run("falling_rod")
    hit = result.events[0]
    reach = 0.5 * sin(0.6)
    speed = sqrt(2 * GRAVITY * (1.2 - reach))
    assert hit.t == pytest.approx(speed / GRAVITY, abs=CLOSE)
    gained = numbers(ready)["m"] * (hit.x_plus[4] - hit.x_minus[4])
    assert gained == pytest.approx((1 + 0.6) * speed / (1 + 3 * cos(0.6) ** 2), rel=CLOSE)
    assert not result.x[0].any()


@pytest.mark.parametrize("tilt", members([0.3, -0.2, 0.05], slow=[0.3]))
def test_block_hits_the_floor_at_the_time_of_the_quadrature(tilt):
    """On the smooth floor the middle falls as f = (a sin + b cos)/2, and (f'^2 + (a^2 + b^2)/12) omega^2 = 2 g fall."""
    a, b = 0.4, 1.0

    def inverse_rate(theta):
        slope = (a * mpmath.cos(theta) - b * mpmath.sin(theta)) / 2
        fall = (a * (mpmath.sin(top) - mpmath.sin(theta)) + b * (mpmath.cos(top) - mpmath.cos(theta))) / 2
        return mpmath.sqrt((slope**2 + (a**2 + b**2) / 12) / (2 * GRAVITY * fall))

    top = mpmath.mpf(abs(tilt))
    with mpmath.workdps(30):  # the fall vanishes where the integrand is largest
        time = float(mpmath.quad(inverse_rate, [0, top / 2, top]))
    result = simulate(models.rocking_block(tilt))
    hit = next(event for event in result.events if event.kind == "impact")
    assert hit.t == pytest.approx(time, abs=CLOSE)
    assert hit.x_minus[2] == pytest.approx(0, abs=CLOSE)
    assert result.events[0].contacts == ("left" if tilt > 0 else "right",)


def horizontal_momentum(ready: ReadyModel, x) -> float:
    """What impacts between hung balls conserve: sum of m l omega/cos(theta) (kg m/s)."""
    angles = np.asarray(x)[: len(ready.model.q)]
    return float(np.sum(speeds(ready, x) / np.cos(angles)))


@pytest.mark.parametrize("gap", [0.001, 0.0])
def test_impacts_of_the_cradle_conserve_momentum(gap):
    ready = changed(models.newtons_cradle(gap=gap), e=1.0)
    result = simulate(ready)
    impacts = [event for event in result.events if event.kind == "impact"]
    assert impacts
    for event in impacts:
        before, after = (horizontal_momentum(ready, x) for x in (event.x_minus, event.x_plus))
        assert after == pytest.approx(before, abs=1e-12)


def test_a_cradle_with_gaps_hands_the_velocity_on_to_the_last_ball():
    """The balls hit where they hang aside by a gap each, up to 4 mm in 1 m, which changes speeds in second order."""
    ready = changed(models.newtons_cradle(), e=1.0, t_end=1.0)
    impacts = simulate(ready).events
    assert [event.contacts for event in impacts] == [("1 on 2",), ("2 on 3",), ("3 on 4",), ("4 on 5",)]
    speed = 2 * sqrt(GRAVITY) * sin(0.3)
    np.testing.assert_allclose(speeds(ready, impacts[-1].x_plus), [0, 0, 0, 0, speed], rtol=0, atol=2e-2)


@pytest.mark.parametrize("balls", [3, 5])
def test_a_cradle_without_gaps_is_resolved_at_once(balls):
    """The quarter of a period is K(k) sqrt(l/g) with k = sin(theta_0/2); the run may end where balls touch freely."""
    ready = changed(models.newtons_cradle(balls, gap=0.0), e=1.0, t_end=0.8)
    hit = next(event for event in simulate(ready).events if event.kind == "impact")
    assert hit.t == pytest.approx(float(mpmath.ellipk(sin(0.3) ** 2)) / sqrt(GRAVITY), abs=CLOSE)
    speed = 2 * sqrt(GRAVITY) * sin(0.3)
    expected = speed / balls * np.array([2 - balls, *[2] * (balls - 1)])
    np.testing.assert_allclose(speeds(ready, hit.x_plus), expected, rtol=0, atol=CLOSE)


def test_the_die_ends_on_a_face():
    _, result = ready_run("dice")
    np.testing.assert_allclose(np.sort(result.gaps[:, -1]), [0] * 4 + [0.02] * 4, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: models.pendulum(links=0), "a pendulum has at least one link; found links=0"),
        (lambda: models.newtons_cradle(balls=1), "two balls or more .* found balls=1"),
        (lambda: models.newtons_cradle(gap=-1.0), "no negative gap; found balls=5, gap=-1.0"),
        (lambda: models.rocking_block(0.4), "falls over from the tilt 0.4; expected one between -0.3805 and 0.3805"),
    ],
)
def test_models_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


QUICK = {"belt_oscillator", "cart_pole", "pendulum"}
DEMONSTRATED = sorted({*NEW, *FRICTIONAL})


@pytest.mark.parametrize("name", members(DEMONSTRATED, slow={*DEMONSTRATED} - QUICK))
def test_demo_prints_events_and_writes_its_picture(name, tmp_path, capsys):
    assert main(["demo", name, "--picture", str(tmp_path / "picture.png")]) == 0
    assert "no events" not in capsys.readouterr().out
    assert (tmp_path / "picture.png").stat().st_size


def test_demo_writes_an_animation(tmp_path, capsys):
    film = tmp_path / "film.html"
    assert main(["demo", "falling_rod", "--picture", str(tmp_path / "rod.png"), "--animate", str(film)]) == 0
    assert f"The animation is in {film}" in capsys.readouterr().out
    assert "A rod that is dropped on a floor" in film.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "film", "message"),
    [
        ("falling_rod", "rod.avi", "an animation is a file .gif, .mp4 or .html; found 'rod.avi'"),
        ("falling_rod", "no/such/rod.gif", "there is no folder 'no/such' to put the animation in"),
        ("ball_ceiling_spring", "ball.gif", "without bodies to animate; leave --animate out"),
    ],
)
def test_demo_refuses_an_animation_that_cannot_be_before_it_runs(name, film, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["demo", name, "--animate", film])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
