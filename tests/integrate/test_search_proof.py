"""The search by enclosures: what no sample of a step sees is found, and what is passed over is not there."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
import sympy as sm
from implicit_models import RADIUS, free_body
from integrate_processes import gate
from quick_members import members
from shots import grounds, shoot
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Capsule, Contact, Disc, HybridModel, Implicit, Sphere, models
from sympact.hybrid.guard_proofs import Proofs
from sympact.mechanics.derived.compiled import compile_model

x, y, u, v = dynamicsymbols("x y u v")
s, h, g = sm.symbols("s h g", positive=True)
ADAPTIVE = ["DOP853", "RK45"]
BAND = 1e-10  # the dead band of a model whose length is 1 m


def particle(surface, radius=0):
    """A particle, or a ball, in the plane above y = surface(x)."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    system = System(N, O)
    system.add_bodies(Particle("p", P, 1))
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(x.diff() - u, y.diff() - v)
    ground = Implicit(O, N, lambda X, Y, Z: Y - surface(X))
    body = Sphere(P, radius) if radius else P
    return HybridModel(system, [Contact(body, ground, restitution=1, friction=0)], length=1)


@pytest.fixture(scope="module")
def hill():
    """A hill 1 m high and sigma wide, 5 m ahead."""
    return particle(lambda X: sm.exp(-((X - 5) ** 2) / (2 * s**2)))


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("sigma", [0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0])
def test_a_hill_narrower_than_a_step_is_struck(hill, sigma, method):
    """At 10 m/s and half the height of the hill: at x = 5 - sigma sqrt(2 log 2)."""
    result = hill.simulate((0, 1), {x: 0, y: 0.5, u: 10, v: 0}, {s: sigma}, method=method)
    exact = (5 - sigma * math.sqrt(2 * math.log(2))) / 10
    np.testing.assert_allclose(result.events[0].t, exact, rtol=0, atol=1e-14)
    assert result.unproven == 0


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("depth", [2, 30, 1e4, -0.4, -2, -30, -1e4])
def test_a_crest_is_grazed_or_passed_on_the_right_side_of_the_dead_band(hill, depth, method):
    """The top of the hill, 1 m high, is passed `depth` dead bands below or above."""
    start = {x: 0, y: 1 - depth * BAND, u: 10, v: 0}
    result = hill.simulate((0, 1), start, {s: 0.1}, method=method)
    assert (len(result.events) > 0, result.unproven) == (depth > 1, 0)


def test_a_dip_behind_an_event_does_not_count_and_the_next_step_starts_on_the_surface(hill):
    """Thrown down in front of the hill: the floor is struck first, at y = exp(-200) = 0, then the hill."""
    result = hill.simulate((0, 1), {x: 0, y: 0.3, u: 10, v: -2}, {s: 0.25})
    first, second = result.events[0].t, result.events[1].t
    np.testing.assert_allclose(first, 0.15, atol=1e-12)
    place = 10 * second - 5
    np.testing.assert_allclose(2 * (second - 0.15), math.exp(-(place**2) / (2 * 0.25**2)), atol=1e-9)


def test_a_motion_that_starts_on_the_surface_and_leaves_it_has_no_event(hill):
    result = hill.simulate((0, 0.2), {x: 0, y: math.exp(-12.5), u: 10, v: 1}, {s: 1.0})
    assert len(result.events) == 0


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_gap_that_stays_zero_ends_the_search(method):
    """exp(q) - exp(q) cos(0 q)^2 would fold; the state p stays at zero, and so does its boundary."""
    q, p = sm.symbols("q p")
    process = gate(-p * sm.exp(sm.sin(q)), flow=[1, 0], states=[q, p])
    result = process.simulate((0, 20), [0.0, 0.0], start="in", method=method)
    assert len(result.events) == 0
    assert result.t[-1] == 20


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_double_root_is_no_event_and_two_close_ones_are_two(method):
    """(exp(q) - e)^2 touches zero at q = 1; less 1e-6 it has two roots."""
    q = sm.symbols("q")
    for less, count in ((0, 0), (sm.Rational(1, 10**6), 2)):
        process = gate(less - (sm.exp(q) - sm.E) ** 2, flow=[1], states=[q])
        result = process.simulate((0, 2), [0.0], start="in", method=method)
        assert len(result.events) == count


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_boundary_that_jumps_is_met_and_told_as_not_proven(method):
    """floor(exp(q)) + (q - log 3) passes 2.5 at q = log 3; no slope bounds a jump."""
    q = sm.symbols("q")
    process = gate(sm.floor(sm.exp(q)) + q - sm.log(3) - sm.Rational(5, 2), flow=[1], states=[q])
    result = process.simulate((0, 1.2), [0.0], start="in", method=method)
    np.testing.assert_allclose(result.events[0].t, math.log(3), rtol=0, atol=1e-14)
    assert result.unproven > 0
    assert f"{result.unproven} steps not proven" in repr(result)


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("width", [1e-4, 1e-2, 0.3])
def test_a_narrow_pulse_of_a_symbolic_process_is_met(width, method):
    """The boundary is exp(-((t - 5)/w)^2) = 1/2, at t = 5 - w sqrt(log 2); the flow is as smooth as can be."""
    q = sm.symbols("q")
    process = gate(sm.exp(-(((q - 5) / width) ** 2)) - sm.Rational(1, 2), flow=[1], states=[q])
    result = process.simulate((0, 10), [0.0], start="in", method=method)
    np.testing.assert_allclose(result.events[0].t, 5 - width * math.sqrt(math.log(2)), rtol=0, atol=1e-13)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_narrow_condition_in_a_flow_is_met(method):
    """v' = 1 where exp(-((q - 5)/w)^2) > 1/2, else 0: a pulse of length 2 w sqrt(log 2)."""
    q, w = sm.symbols("q w")
    width = 0.01
    flow = [1, sm.Piecewise((1, sm.exp(-(((q - 5) / width) ** 2)) > sm.Rational(1, 2)), (0, True))]
    process = gate(sm.S(-1), flow=flow, states=[q, w])
    result = process.simulate((0, 10), [0.0, 0.0], start="in", method=method)
    np.testing.assert_allclose(result.x[1, -1], 2 * width * math.sqrt(math.log(2)), rtol=1e-10)


def test_random_shots_over_random_grounds():
    """Each against a dense search of its own parabola; benchmarks/random_shots.py runs ten thousand."""
    rng, counts = np.random.default_rng(7), Counter()
    for ground in grounds():
        for k in range(60):
            outcome = shoot(ground, rng, ADAPTIVE[k % 2])
            counts[outcome] += 1
            assert outcome in ("hit", "pass", "unclear"), (ground.name, outcome)
    assert counts["hit"] > 60
    assert counts["pass"] > 20
    assert counts["unclear"] < 40


def nearest(surface, place, span=1.5):
    """The distance of a place from y = surface(x), by samples and a parabola through the best three."""
    X = np.linspace(place[0] - span, place[0] + span, 60_001)
    squares = (X - place[0]) ** 2 + (surface(X) - place[1]) ** 2
    return math.sqrt(squares.min())


@pytest.fixture(scope="module")
def ball():
    return particle(lambda X: sm.exp(-((X - 5) ** 2) / (2 * s**2)), radius=sm.Rational(1, 10))


@pytest.mark.parametrize("sigma", [0.05, 0.1, 0.3])
def test_the_place_that_a_ball_is_nearest_to_is_the_nearest_one_of_all(ball, sigma):
    """Wherever a ball of 0.1 m is within its radius of a hill, also where its first way down leads elsewhere."""
    compiled = ball.compile()
    p = compiled.parameters({s: sigma})

    def height(X):
        return np.exp(-((X - 5) ** 2) / (2 * sigma**2))

    rng, compared = np.random.default_rng(3), 0
    for _ in range(300):
        place = rng.uniform([5 - 4 * sigma, 0.1], [5 + 4 * sigma, 1.3])
        distance = nearest(height, place)
        if place[1] < height(place[0]) or not 0.1 < distance < 0.2:
            continue
        gap = compiled.gaps(0.0, np.array([*place, 0.0, 0.0]), p)[0][0]
        np.testing.assert_allclose(gap, distance - 0.1, atol=2e-6)
        compared += 1
    assert compared > 20


def test_a_ball_beside_a_hill_is_nearest_to_its_flank(ball):
    """Centre (4.62, 0.5), sigma 0.1: the way down leads to the ground, 0.5 m away, the flank is 0.258 m away."""
    compiled = ball.compile()
    gap = compiled.gaps(0.0, np.array([4.62, 0.5, 0.0, 0.0]), compiled.parameters({s: 0.1}))[0][0]
    np.testing.assert_allclose(gap, 0.158451700, atol=1e-8)


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("sigma", [0.05, 0.1, 0.2, 0.3, 0.5])
def test_a_ball_strikes_a_hill_narrower_than_a_step(ball, sigma, method):
    result = ball.simulate((0, 1), {x: 0, y: 0.5, u: 10, v: 0}, {s: sigma}, method=method)

    def gap(t):
        return nearest(lambda X: np.exp(-((X - 5) ** 2) / (2 * sigma**2)), (10 * t, 0.5)) - 0.1

    t = result.events[0].t
    assert abs(gap(t)) < 1e-6
    assert all(gap(before) > 0.0 for before in np.linspace(0.0, t - 1e-6, 25))
    assert result.unproven == 0


PAIRS = [*product(["tumbling_cube", "dropped_cube", "dice", "two_links"], [1e-3, 1e-6])]


@pytest.mark.parametrize(("name", "rtol"), members(PAIRS, slow=PAIRS[1:4]))
def test_what_the_ends_of_a_step_show_is_not_proven_again(name, rtol, monkeypatch):
    """Cubes, dice and links pay at most 5 % more evaluations of flow and gaps than without any proof."""
    ready = getattr(models, name)()
    proven = ready.simulate(rtol=rtol).counts
    monkeypatch.setattr(Proofs, "table", lambda *arguments: None)
    compiled = compile_model(ready.model)  # anew: the memory of the first run has proofs
    monkeypatch.setitem(ready.model._made, compile_model, compiled)
    without = ready.simulate(rtol=rtol).counts
    assert without["parts"] == 0
    assert proven["flow"] + proven["boundary"] <= 1.05 * (without["flow"] + without["boundary"])


def rod():
    """A rod with its middle on a pin high above the ground, that turns freely."""
    angle, rate = dynamicsymbols("a r")
    N, O = ReferenceFrame("N"), Point("O")
    tip = O.locatenew("T", sm.cos(angle) * N.x + sm.sin(angle) * N.y)
    tip.set_vel(N, rate * (-sm.sin(angle) * N.x + sm.cos(angle) * N.y))
    system = System(N, O)
    system.add_bodies(Particle("p", tip, 1))
    system.add_coordinates(angle)
    system.add_speeds(rate)
    system.add_kdes(angle.diff() - rate)
    floor = Implicit(O, N, lambda X, Y, Z: Y + h)
    return HybridModel(system, [Contact(tip, floor, restitution=1, friction=0)], length=1), angle, rate


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("speed", [1.0, 40.0, 700.0])
def test_a_spin_that_turns_far_within_a_step_is_followed(speed, method):
    """sin(a) = -h is first met a quarter turn less arccos(h) before three quarters, however long the steps are."""
    model, angle, rate = rod()
    near = 1e-4
    result = model.simulate((0, 20 / speed), {angle: 0, rate: speed}, {h: 1 - near}, method=method)
    exact = (1.5 * math.pi - math.acos(1 - near)) / speed
    np.testing.assert_allclose(result.events[0].t, exact, rtol=1e-12)
    assert result.unproven == 0


def bar(frame, center):
    """A bar of 0.4 m with round ends."""
    ends = (center.locatenew(name, side * frame.x) for name, side in (("A", -0.2), ("E", 0.2)))
    return Capsule(*ends, RADIUS, frame=frame)


@pytest.mark.slow
@pytest.mark.parametrize("touches", [bar, lambda frame, center: Disc(center, frame.z, RADIUS)], ids=["bar", "disc"])
def test_bars_and_rims_over_narrow_ridges_are_followed(touches):
    """Thrown at 8 m/s over flat ground with a ridge 5 cm wide: the first contact is with the ridge, no gap is deep."""
    ridge = lambda N, O: Implicit(O, N, lambda X, Y, Z: Z - sm.exp(-((X - 3) ** 2) / 0.0025) / 2)  # noqa: E731
    model = free_body(touches, ridge, friction=0)
    start = dict.fromkeys(model.x, 0.0) | dict(zip(model.x, (0, 0, 0.6, 0.3, 0.2, 0.1, 8, 0, 1), strict=False))
    numbers = {letter: {"m": 1.0, "e": 0.5}[letter.name] for letter in model.parameters}
    result = model.simulate((0, 0.6), start, numbers, rtol=1e-6)
    assert result.events[0].t < 0.45
    dense = result(np.linspace(0.0, result.events[0].t, 2001))
    compiled, p = model.compile(), model.compile().parameters(numbers)
    assert min(compiled.gaps(0.0, state, p)[0][0] for state in dense.T) > -1e-9
