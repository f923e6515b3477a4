"""Time stepping by Moreau and Jean against closed forms, conserved quantities, and the same models event by event."""

from __future__ import annotations

from math import sqrt

import mechanics_oracle
import numpy as np
import pytest
import sympy as sm
from contact_models import Case, ball, particle
from quick_members import members
from stepping_models import block, cube, rod, stack
from sympy.physics.mechanics import dynamicsymbols

from sympact import HybridModel, load, models
from sympact.contact import Newton
from sympact.integrate.history.event import EventKind
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result

GRAVITY = 9.81
STEPS = np.array([8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4])


def stepped(case: Case, t_span, x0, step: float, numbers=None, **options) -> Result:
    """A run by time stepping that has reached its end."""
    parameters = case.parameters(**(numbers or {}))
    result = case.model.simulate(t_span, x0, parameters, method="moreau", max_step=step, **options)
    assert result.status is Status.FINISHED
    return result


def order(steps: np.ndarray, errors: np.ndarray) -> float:
    """The slope of the errors over the steps, both logarithmic."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


def step_ends(result: Result) -> np.ndarray:
    """Which samples are starts and ends of steps: not the sides of events, which stand in their middles."""
    return ~np.isin(result.t, result.events.t)


def hops(t: np.ndarray, height: float, e: float, g: float) -> np.ndarray:
    """The height of a bouncing ball let go at rest, by its parabolas; zero after its hops have ended."""
    y, speed, start = np.maximum(height - 0.5 * g * t**2, 0.0), sqrt(2 * g * height), sqrt(2 * height / g)
    for _ in range(200):
        speed *= e
        s, length = t - start, 2 * speed / g
        y = np.where((s >= 0) & (s < length), speed * s - 0.5 * g * s**2, y)
        start += length
    return np.where(t >= start, 0.0, y)


def test_a_bouncing_ball_comes_to_its_closed_form():
    """Each impact is late by less than a step h: the ball is then off by less than (1 + e) v h.

    Each later impact adds less than that, times the speed that is left: in sum (1 + e) v h/(1 - e) at most, v the first
    speed of impact. Rebounds start from a speed of up to g h too much or little and from a depth, which together add no
    more.
    """
    case, e, times = ball(), 0.5, np.linspace(0, 2.5, 2501)
    exact, errors = hops(times, 1.0, e, GRAVITY), []
    for step in STEPS:
        result = stepped(case, (0, 2.5), [1.0, 0.0], step, {"e": e, "g": GRAVITY})
        errors.append(np.abs(result(times)[0] - exact).max())
        assert errors[-1] < (1 + e) / (1 - e) * sqrt(2 * GRAVITY) * step
    assert 0.7 < order(STEPS, np.array(errors)) < 1.4


@pytest.mark.parametrize("step", [0.05, 0.01, 1e-3])
def test_a_sliding_block_stops_where_coulomb_says(step):
    """v^2/(2 mu g). Only the step in which it stops is not exact: from v' < mu g h it goes on for h v'/2, not
    v'^2/(2 mu g), which is at most mu g h^2/8 too far.
    """
    mu, speed = 0.3, 2.0
    result = stepped(block(), (0, 1), [0, 0.5, 0, speed, 0, 0], step, {"mu": mu})
    excess = result.x[0, -1] - speed**2 / (2 * mu * GRAVITY)
    assert -1e-13 < excess < mu * GRAVITY * step**2 / 8 + 1e-13
    moving = result.t[np.abs(result["vx"]) > 1e-12][-1]
    assert abs(moving - speed / (mu * GRAVITY)) < step + 1e-12
    np.testing.assert_allclose(result.x[1:3, -1], [0.5, 0.0], atol=1e-12)  # it stands on its face
    assert np.abs(result.x[3:, -1]).max() < 1e-13


def test_forces_along_a_slide():
    """While it slides back and front bear m g (1/2 -+ mu/2), as the moment mu m g/2 about the centre asks, and after
    it m g/2 each; friction is mu times that, and zero.
    """
    mu, weight = 0.3, GRAVITY
    result = stepped(block(), (0, 1), [0, 0.5, 0, 2.0, 0, 0], 0.01, {"mu": mu})
    sliding, resting = result.t < 0.65, result.t > 0.7
    for row, share in zip(result.normal_force, (0.5 - mu / 2, 0.5 + mu / 2), strict=True):
        np.testing.assert_allclose(row[sliding], weight * share, rtol=1e-10)
        np.testing.assert_allclose(row[resting], weight / 2, rtol=1e-10)
    np.testing.assert_allclose(result.friction_force[:, 0, sliding], -mu * result.normal_force[:, sliding], rtol=1e-10)
    assert np.abs(result.friction_force[:, 1]).max() == 0.0
    assert np.abs(result.friction_force[:, 0, resting].sum(axis=0)).max() < 1e-10


@pytest.mark.parametrize(("angle", "holds"), [(0.25, True), (0.35, False)])
def test_a_block_on_a_slope_sticks_where_tan_s_is_below_mu(angle, holds):
    """tan 0.25 = 0.255 < 0.3 < 0.365 = tan 0.35; its acceleration g (sin s - mu cos s) is met exactly."""
    result = stepped(block(), (0, 0.5), [0, 0.5, 0, 0, 0, 0], 0.01, {"s": angle, "mu": 0.3})
    fall = 0.0 if holds else GRAVITY * (np.sin(angle) - 0.3 * np.cos(angle))
    np.testing.assert_allclose(result["x"], 0.5 * fall * result.t**2, atol=1e-12)
    assert not len(result.events)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("step", [0.02, 3e-3])
def test_energy_rises_by_no_more_than_is_promised(e, step):
    """Between ends of steps by at most m g^2 h^2 (1 - e)/(8 (1 + e)): see docs/theory/time_stepping.

    A percussion P > 0 with gamma_A > 0 has P = m (g h - (1 + e) gamma_A) and works (1 - e) P gamma_A/2.
    """
    result = stepped(ball(), (0, 5), [1.0, 0.0], step, {"e": e, "g": GRAVITY, "m": 1.0})
    energy = (0.5 * result["v"] ** 2 + GRAVITY * result["y"])[step_ends(result)]
    bound = (GRAVITY * step) ** 2 * (1 - e) / (8 * (1 + e))
    assert np.diff(energy).max() <= bound * (1 + 1e-9) + 1e-12
    if e == 1.0:
        np.testing.assert_allclose(energy, energy[0], rtol=1e-11)  # each percussion reflects the velocity


def test_penetration_is_of_the_order_of_the_step():
    """Never more than the speed of approach times a step: the first middle below the surface ends the fall."""
    for step in STEPS:
        result = stepped(ball(), (0, 3), [1.0, 0.0], step, {"e": 0.5, "g": GRAVITY})
        depth = -result.gaps.min()
        assert 0.0 < depth < sqrt(2 * GRAVITY) * step


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_box_at_rest_stays_at_rest(e):
    """Four corners carry it, with the least forces: m g/4 each."""
    flat = models.dropped_cube("flat")
    start = np.array([0, 0, 0.5, 1, 0, 0, 0, *[0.0] * 6])
    parameters = dict(flat.parameters) | {next(p for p in flat.parameters if p.name == "e"): e}
    result = flat.model.simulate((0, 10), start, parameters, method="moreau", max_step=0.01)
    np.testing.assert_allclose(result.x, np.broadcast_to(start[:, None], result.x.shape), atol=1e-13)
    bearing = result.normal_force[result.normal_force[:, -1] > 0]
    np.testing.assert_allclose(bearing, np.full((4, len(result.t)), GRAVITY / 4), rtol=1e-9)


EXAMPLES = {
    "a rod that is thrown on the floor": (rod, (0, 0.58), [0, 1, 0.4, 1, 0, 1], {}),
    "a block that tips over on a slope": (block, (0, 1.0), [0, 0.6, 0.2, 1, 0, 0], {"s": 0.2}),
    "three balls on top of each other": (lambda: stack(3), (0, 0.55), [0.5, 0.8, 1.3, 0, 0, 0], {}),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_both_engines_agree_as_the_step_falls(example):
    """The difference of the coordinates falls with the step, order about one, over a few impacts with friction."""
    make, span, start, numbers = EXAMPLES[example]
    case, times = make(), np.linspace(*span, 1001)
    exact = case.model.simulate(span, start, case.parameters(**numbers))
    assert exact.status is Status.FINISHED
    assert len(exact.events) >= 2
    nq = len(start) // 2
    errors = [np.abs(stepped(case, span, start, h, numbers)(times) - exact(times))[:nq].max() for h in STEPS / 4]
    assert 0.7 < order(STEPS, np.array(errors)) < 1.4
    assert errors[-1] < 5e-3


@pytest.mark.parametrize("seed", members(range(4), slow=(2, 3)))
def test_a_cube_that_is_thrown_comes_to_rest_with_friction(seed):
    """On a face, with no more than rounding of its speed left, and its weight on the floor."""
    random = np.random.default_rng(seed)
    turn = random.normal(size=4)
    start = [0, 0, 2, *turn / np.linalg.norm(turn), *random.uniform(-0.5, 0.5, 2), 0, *random.uniform(-4, 4, 3)]
    result = stepped(cube(), (0, 4), start, 2e-3)
    depth = -result.gaps.min()
    assert 0.0 < depth < 7.0 * 2e-3  # the speed of approach, falling 2 m, times a step
    assert np.abs(result.x[7:, -1]).max() < 1e-8
    assert result.x[2, -1] == pytest.approx(0.5, abs=depth)
    assert result.normal_force[:, -1].sum() == pytest.approx(GRAVITY, rel=1e-6)
    energy = (result.kinetic_energy + GRAVITY * result["z"])[step_ends(result)]
    assert np.diff(energy).max() < 1e-3 * energy[0]
    friction = np.linalg.norm(result.friction_force, axis=1)
    assert (friction <= 0.3 * result.normal_force * (1 + 1e-9) + 1e-9).all()


def test_momentum_changes_by_the_percussions_and_by_weight_alone():
    """p_E - p_A = sum of P - m g h in each step: the forces are read back by repeating the steps."""
    case = rod()
    result = stepped(case, (0, 1), [0, 1, 0.4, 1, 0, 1.0], 2e-3)
    ends = np.flatnonzero(step_ends(result))
    sizes, momentum = np.diff(result.t[ends]), result.x[3:5, ends]
    normal, friction = result.normal_force.sum(axis=0)[ends[1:]], result.friction_force.sum(axis=0)[:, ends[1:]]
    np.testing.assert_allclose(np.diff(momentum[0]), friction[0] * sizes, atol=1e-12)
    np.testing.assert_allclose(np.diff(momentum[1]), (normal - GRAVITY) * sizes, atol=1e-12)
    assert normal.min() >= 0.0
    assert (np.abs(result.friction_force[:, 0]) <= 0.3 * result.normal_force * (1 + 1e-9)).all()


def test_without_friction_the_momentum_along_the_floor_is_kept():
    smooth = models.dropped_cube()
    start = {**smooth.start} | {next(s for s in smooth.model.u if s.name == "v_x"): 0.7}
    result = smooth.model.simulate((0, 3), start, smooth.parameters, method="moreau", max_step=2e-3)
    np.testing.assert_allclose(result["v_x"], 0.7, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(result.x[3:7], axis=0), 1.0, atol=1e-14)  # samples, sides of events too


def test_an_event_is_an_impact_by_itself():
    """M (u+ - u-) = W P at the middle, the same place on both sides, and the energy is that of its sides."""
    result = stepped(rod(), (0, 1), [0, 1, 0.4, 1, 0, 1.0], 5e-3)
    impacts = [event for event in result.events if event.kind is EventKind.IMPACT]
    assert len(impacts) >= 3
    mass = np.array([1, 1, 1 / 12])
    for event in impacts:
        (before, after), angle = (event.x_minus, event.x_plus), event.x_minus[2]
        np.testing.assert_array_equal(before[:3], after[:3])
        lever = {"A": 0.5, "B": -0.5}  # of the ends, along the rod; positive angles lower B
        push = np.zeros(3)
        for name, normal, friction in zip(event.contacts, event.impulse, event.friction_impulse, strict=True):
            turn = lever[name] * (np.cos(angle) * normal + np.sin(angle) * friction[0])
            push += [friction[0], normal, turn]
        np.testing.assert_allclose(mass * (after - before)[3:], push, atol=1e-12)
        gained = 0.5 * mass @ (after[3:] ** 2 - before[3:] ** 2)
        assert event.energy == pytest.approx(gained, abs=1e-12)
        assert event.energy < 0.0
        assert event.window == pytest.approx(5e-3)


def test_free_flight_is_of_order_two():
    """A box that tumbles in the air, against the adaptive stepper at 1e-12."""
    tumbling = models.dropped_cube()
    start = np.array([0, 0, 9, 1, 0, 0, 0, 1, 0, 0, 3, 2, 1.0])
    parameters = {symbol: {"b": 1.5, "c": 0.4}.get(symbol.name, value) for symbol, value in tumbling.parameters.items()}
    exact = tumbling.model.simulate((0, 1), start, parameters, rtol=1e-12, atol=1e-14).x[:, -1]
    steps, errors = np.array([8e-3, 4e-3, 2e-3, 1e-3]), []
    for step in steps:
        result = tumbling.model.simulate((0, 1), start, parameters, method="moreau", max_step=step)
        errors.append(np.abs(result.x[:, -1] - exact).max())
    assert 1.9 < order(steps, np.array(errors)) < 2.1


def test_conditions_in_the_equations_take_their_branches():
    """A push of 2 g upwards below y = 1/2: the ball, let go at 0.8, turns at 0.2 and never touches the table.

    A push that is felt late by a step h, at the speed v, turns the ball 2 v h lower, and g h^2 more.
    """
    y, m, g = dynamicsymbols("y"), *sm.symbols("m g")
    case = ball(load=sm.Piecewise((2 * m * g, y < sm.Rational(1, 2)), (0, True)))
    for step in STEPS:
        result = stepped(case, (0, 1), [0.8, 0.0], step, {"g": GRAVITY, "m": 1.0, "e": 0.5})
        assert abs(result["y"].min() - 0.2) < 2 * sqrt(2 * GRAVITY * 0.3) * step + GRAVITY * step**2
        assert not len(result.events)


def test_an_elastic_particle_in_a_corner_turns_round():
    """Three planes hit in one step, e = 1: the velocity is reversed."""
    case = particle({"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)})
    velocity = np.array([-1.0, -1.0, -1.0])
    result = stepped(case, (0, 1), [0.5, 0.5, 0.5, *velocity], 7e-3, {"g": 0.0, "m": 1.0, "e": 1.0})
    np.testing.assert_allclose(result.x[3:, -1], -velocity, rtol=1e-14)
    (event,) = result.events
    assert event.contacts == ("x", "y", "z")
    assert event.energy == pytest.approx(0.0, abs=1e-14)


def test_a_table_that_rises_hits_the_ball():
    """Without gravity: the ball at -1 m/s meets the table at 0.5 m/s, t = 2/3 s; e = 1/2 makes -1.5 m/s of approach
    +0.75 m/s, a speed of 1.25 m/s. The contact takes (1 - e^2) m 1.5^2/2 = 27/32 J, without the work of the table.
    """
    r = dynamicsymbols("r")
    case = ball(height=r)
    parameters = case.parameters(g=0.0, m=1.0, e=0.5)
    result = case.model.simulate(
        (0, 1), [1.0, -1.0], parameters, inputs={r: 0.5 * dynamicsymbols._t}, method="moreau", max_step=1e-3
    )
    (event,) = result.events
    assert event.t == pytest.approx(2 / 3, abs=1e-3)
    assert event.x_plus[1] == pytest.approx(1.25, abs=1e-9)
    assert event.energy == pytest.approx(-27 / 32, abs=1e-9)


def test_a_run_survives_its_file_and_gives_states_at_any_time(tmp_path):
    result = stepped(ball(), (0, 1), [1.0, 0.0], 0.01, {"g": GRAVITY, "e": 0.5})
    result.save(tmp_path / "ball.npz")
    again, times = load(tmp_path / "ball.npz"), np.linspace(0, 1, 333)
    np.testing.assert_array_equal(again(times), result(times))
    np.testing.assert_array_equal(again.events.t, result.events.t)
    assert again.path == result.path == ("time stepping",)
    assert result.settings["method"] == "moreau"
    sampled = stepped(ball(), (0, 1), [1.0, 0.0], 0.01, {"g": GRAVITY, "e": 0.5}, t_eval=times)
    np.testing.assert_array_equal(sampled.x, result(times))
    assert sampled.normal_force.shape == (1, len(times))


def test_a_run_goes_on_from_its_own_end():
    """In two parts it takes the steps of the whole run, at every depth at which the first one ends."""
    case = ball()
    parameters = case.parameters(e=0.5, g=GRAVITY)
    settings = {"method": "moreau", "max_step": 1 / 128}
    whole = case.model.simulate((0, 2), [1.0, 0.0], parameters, **settings)
    first = case.model.simulate((0, 1.5), [1.0, 0.0], parameters, **settings)
    assert first.gaps[0, -1] < -1e-4
    for start in (first, dict(zip(case.model.x, first.x[:, -1], strict=True))):
        second = case.model.simulate((1.5, 2), start, parameters, **settings)
        np.testing.assert_allclose(second.x[:, -1], whole.x[:, -1], rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="below its surface") as caught:
        case.model.simulate((1.5, 2), first, parameters)
    assert "go on with method='moreau'" in caught.value.__notes__[0]
    raised = case.model.simulate((1.5, 2), [0.0, 0.0], parameters)
    assert raised.status is Status.FINISHED
    with pytest.raises(ValueError, match="below its surface"):
        case.model.simulate((0, 2), [-1e3, 0.0], parameters, **settings)


def test_a_run_ends_with_the_event_that_was_asked_for():
    case = ball()
    parameters = case.parameters(e=0.5, g=GRAVITY)
    settings = {"method": "moreau", "max_step": 0.01}
    result = case.model.simulate((0, 5), [1.0, 0.0], parameters, max_events=2, **settings)
    assert result.status is Status.MAX_EVENTS
    assert len(result.events) == 2
    assert result.t[-1] == result.events[1].t
    np.testing.assert_array_equal(result.x[:, -1], result.events[1].x_plus)
    assert result.normal_force[0, -1] == pytest.approx(result.events[1].impulse[0] / 0.01, rel=1e-6)


def test_what_cannot_be_stepped_is_refused():
    case = ball()
    with pytest.raises(ValueError, match=r"'moreau' takes steps of one size: give it as max_step"):
        case.model.simulate((0, 1), [1.0, 0.0], case.parameters(e=0.5), method="moreau")
    free = HybridModel(mechanics_oracle.cube("omega")[0], [])
    numbers, state = dict.fromkeys(free.parameters, 1.0), np.zeros(len(free.x))
    with pytest.raises(ValueError, match=r"'moreau' steps over the impacts of contacts, and this model has none"):
        free.simulate((0, 1), state, numbers, method="moreau", max_step=0.01)


def test_laws_that_are_not_posed_in_steps_are_refused(monkeypatch):
    case = ball()
    monkeypatch.setattr(Newton, "stepped", False)
    with pytest.raises(ValueError, match=r"applies Newton's law of restitution to all contacts of a step at once"):
        case.model.simulate((0, 1), [1.0, 0.0], case.parameters(e=0.5), method="moreau", max_step=0.01)


def test_the_same_bits_in_every_run():
    runs = [stepped(rod(), (0, 1), [0, 1, 0.4, 1, 0, 1.0], 5e-3) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    np.testing.assert_array_equal(runs[0].normal_force, runs[1].normal_force)
