"""Sampled control: recursions by matrix exponentials, exact times, contacts at samples, and sentences."""

from __future__ import annotations

import pickle
import sys
from functools import cache

import numpy as np
import pytest
import sympy as sm
from example_scripts import ROOT
from example_scripts import load as load_example
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from sympy.physics.mechanics import (
    Force,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import (
    Contact,
    Controller,
    EventKind,
    Holonomic,
    HybridModel,
    Interpolated,
    Plane,
    Sampled,
    Status,
    Stop,
    load,
)

m, k, c, g, e = sm.symbols("m k c g e", positive=True)
z, v, F, W, t = *dynamicsymbols("z v F W"), dynamicsymbols._t
total = sm.symbols("total")
TIGHT = {"rtol": 1e-12, "atol": 1e-14}
NUMBERS = {m: 2.0, k: 5.0, c: 0.3}
A = np.array([[0.0, 1.0], [-2.5, -0.15]])
B = np.array([0.0, 0.5])


def particle(loads, contacts=()) -> HybridModel:
    """A particle that moves along N.z."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("body", P, m))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff(t))
    system.add_loads(Force(P, loads * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), name="P", **options) for options in contacts])


@cache
def oscillator() -> HybridModel:
    """m v' = F + W - k z - c v."""
    return particle(F + W - k * z - c * v)


@cache
def on_floor() -> HybridModel:
    return particle(F - m * g, [{"restitution": e, "friction": 0}])


def held(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """x(t + duration) = Phi x + Gamma f of the oscillator under a constant force f."""
    whole = expm(np.block([[A, B[:, np.newaxis]], [np.zeros((1, 3))]]) * duration)
    return whole[:2, :2], whole[:2, 2]


def recursion(x, law, period, n, delay=0.0, start=0.0):
    """The states at n + 1 samples: ``law(j, x)`` is held from its sample, or a delay after it."""
    (early, by_old), (late, by_new) = held(delay), held(period - delay)
    states, force = [np.array(x, dtype=float)], start
    for j in range(n):
        new = law(j, states[-1])
        between = early @ states[-1] + by_old * force
        states.append(late @ between + by_new * new)
        force = new
    return np.array(states).T


def run(span, x0, *, inputs=None, **options):
    return oscillator().simulate(span, x0, NUMBERS, inputs={W: 0, **(inputs or {})}, **{**TIGHT, **options})


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "RadauIIA", "LSODA"])
def test_a_sampled_force_is_held_between_samples(method):
    """The states at the samples are those of the recursion with matrix exponentials."""
    tight = {"rtol": 1e-11, "atol": 1e-13} if method != "RK45" else {"rtol": 1e-10, "atol": 1e-12}
    law = -8.0 * z - 2.0 * v
    result = run((0, 2), [1.0, -0.5], inputs={F: Sampled(0.1, law)}, method=method, **tight)
    expected = recursion([1.0, -0.5], lambda j, x: -8.0 * x[0] - 2.0 * x[1], 0.1, 20)
    np.testing.assert_allclose(result(0.1 * np.arange(21)), expected, atol=1e-8)
    assert result.events.kinds() == []


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_commands_take_effect_after_their_delay(share):
    result = run((0, 2), [1.0, -0.5], inputs={F: Sampled(0.1, -8 * z - 2 * v, delay=share * 0.1, start=0.7)})
    expected = recursion([1.0, -0.5], lambda j, x: -8.0 * x[0] - 2.0 * x[1], 0.1, 20, share * 0.1, 0.7)
    np.testing.assert_allclose(result(0.1 * np.arange(21)), expected, atol=1e-11)


def test_a_result_has_the_command_on_both_sides_of_a_sample():
    result = run((0, 1), [1.0, 0.0], inputs={F: Sampled(0.25, 3 * t)})
    twice = np.flatnonzero(np.diff(result.t) == 0.0)
    assert result.t[twice].tolist() == [0.25, 0.5, 0.75]
    assert result[F][twice].tolist() == [0.0, 0.75, 1.5]
    assert result[F][twice + 1].tolist() == [0.75, 1.5, 2.25]
    jumps = 0.5 * (result[F][twice + 1] - result[F][twice])
    rate = result[v.diff()]
    np.testing.assert_allclose(rate[twice + 1] - rate[twice], jumps, atol=1e-13)


@settings(max_examples=15, deadline=None)
@given(
    period=st.floats(1e-3, 0.3),
    phase=st.floats(0.0, 0.99),
    start=st.floats(-5.0, 5.0),
)
def test_samples_are_at_multiples_of_the_period(period, phase, start):
    """k T + phase, with one rounding of the product and one of the sum; both sides of a sample are there."""
    phase *= period
    span = (start, start + 20 * period)
    result = run(span, [1.0, 0.0], inputs={F: Sampled(period, -v, phase=phase)}, rtol=1e-6, atol=1e-8)
    times = result.t[np.flatnonzero(np.diff(result.t) == 0.0)]
    number = np.round((times - phase) / period)
    assert np.array_equal(np.diff(number), np.ones(len(number) - 1))
    assert 19 <= len(times) <= 20
    np.testing.assert_allclose(times, number * period + phase, rtol=5e-16, atol=0)


def test_an_integral_is_updated_with_the_values_before_the_sample():
    """A PI law whose expressions all read the old sum; the sum is part of the result."""
    period, law = 0.1, {F: -8 * z - 2 * v - 3 * total, total: total + 0.1 * z}
    result = run((0, 2), [1.0, 0.0], controllers=[Controller(every=period, law=law, memory={total: 0.25})])
    sums = [0.25]

    def force(j, x):
        f = -8 * x[0] - 2 * x[1] - 3 * sums[-1]
        sums.append(sums[-1] + 0.1 * x[0])
        return f

    expected = recursion([1.0, 0.0], force, period, 20)
    np.testing.assert_allclose(result(period * np.arange(21)), expected, atol=1e-11)
    after = np.searchsorted(result.t, period * np.arange(20), side="right") - 1
    np.testing.assert_allclose(result[total][after], sums[1:], atol=1e-12)


def test_a_function_does_what_its_expression_does():
    def law(time, measured, memory):
        return [-8 * measured[0] - 2 * measured[1] - 3 * memory[0]], [memory[0] + 0.1 * measured[0]]

    expressions = {F: -8 * z - 2 * v - 3 * total, total: total + 0.1 * z}
    shared = {"every": 0.1, "memory": {total: 0.25}, "delay": 0.04}
    written = run((0, 2), [1.0, 0.0], controllers=[Controller(law=expressions, **shared)])
    called = run((0, 2), [1.0, 0.0], controllers=[Controller(law=law, commands=[F], **shared)])
    np.testing.assert_allclose(called(written.t), written.x, atol=1e-12)
    np.testing.assert_allclose(called[total], written[total], atol=1e-12)


def test_a_function_receives_what_it_measures():
    seen = []

    def law(time, measured, memory):
        seen.append((time, *measured))
        return 0.0

    energy = m * v**2 / 2 + k * z**2 / 2
    result = run((0, 1), [1.0, 0.5], controllers=[Controller(every=0.25, law=law, commands=[F], measure=[energy, t])])
    assert [time for time, *_ in seen] == [0.0, 0.25, 0.5, 0.75]
    for time, found, again in seen:
        position, speed = result(time)
        assert again == time
        assert found == pytest.approx(speed**2 + 2.5 * position**2, rel=1e-12)


def test_commands_are_rounded_and_limited():
    """The recursion with the same rounding to multiples of 0.5 and limits -2 and 1.5; a function is shaped alike."""
    shape = {"quantum": 0.5, "limits": (-2.0, 1.5)}
    written = run((0, 3), [1.0, 0.0], inputs={F: Sampled(0.1, -8 * z - 2 * v, **shape)})
    called = run((0, 3), [1.0, 0.0], inputs={F: Sampled(0.1, lambda time, x: -8 * x[0] - 2 * x[1], **shape)})

    def force(j, x):
        return min(max(0.5 * np.floor((-8 * x[0] - 2 * x[1]) / 0.5 + 0.5), -2.0), 1.5)

    expected = recursion([1.0, 0.0], force, 0.1, 30)
    np.testing.assert_allclose(written(0.1 * np.arange(31)), expected, atol=1e-11)
    np.testing.assert_allclose(called.x, written.x, atol=1e-12)
    assert set(written[F]) <= set(np.arange(-2.0, 2.0, 0.5))


def test_several_rates_meet_at_common_instants():
    """A fast inner and a slow outer law: at a common instant the inner one sees what the outer one has just set."""
    aim = sm.symbols("aim")
    outer = Controller(every=0.3, law={aim: 0.5 + 0.1 * z}, memory={aim: 0.0})
    inner = Controller(every=0.1, law={F: 8 * (aim - z) - 2 * v})
    result = run((0, 3), [1.0, 0.0], controllers=[outer, inner])
    aims = [0.0]

    def force(j, x):
        if j % 3 == 0:
            aims[0] = 0.5 + 0.1 * x[0]
        return 8 * (aims[0] - x[0]) - 2 * x[1]

    np.testing.assert_allclose(result(0.1 * np.arange(31)), recursion([1, 0], force, 0.1, 30), atol=1e-11)
    assert len(result.t) < 100, "times that differ by a rounding are one instant"


def test_an_input_contains_what_a_controller_keeps():
    """W = -total between samples, while a controller holds the letter: the recursion with F + W."""
    keeper = Controller(every=0.1, law={F: -8 * z, total: z}, memory={total: 0.0})
    result = run((0, 2), [1.0, 0.0], inputs={W: -total * (1 + 0 * t)}, controllers=[keeper])
    np.testing.assert_allclose(
        result(0.1 * np.arange(21)), recursion([1, 0], lambda j, x: -9 * x[0], 0.1, 20), atol=1e-11
    )


def test_a_law_reads_inputs_that_are_functions():
    """W = cos t by a Python function, a constant force -W(t_k) from a law, and the same measured by a function."""
    push = {W: lambda time: np.cos(time)}
    written = run((0, 2), [0.0, 0.0], inputs={F: Sampled(0.1, -W), **push})
    after = np.searchsorted(written.t, 0.1 * np.arange(20), side="right") - 1
    np.testing.assert_allclose(written[F][after], -np.cos(0.1 * np.arange(20)), atol=1e-15)
    law = Controller(every=0.1, law=lambda time, measured, memory: -measured[0], commands=[F], measure=[W])
    called = run((0, 2), [0.0, 0.0], inputs=push, controllers=[law])
    np.testing.assert_allclose(called.x[:, -1], written.x[:, -1], atol=1e-12)


def test_times_are_given_or_events():
    clock = Controller(every=0.5, record=True, name="half")
    given = Controller(at=[0.25, 0.5, 1.75], law={F: F + 1.0}, record=True, name="push")
    result = run((0, 2), [0.0, 0.0], controllers=[clock, given])
    assert [(event.t, event.kind, event.contacts) for event in result.events] == [
        (0.25, EventKind.TIME, ("push",)),
        (0.5, EventKind.TIME, ("half", "push")),
        (1.0, EventKind.TIME, ("half",)),
        (1.5, EventKind.TIME, ("half",)),
        (1.75, EventKind.TIME, ("push",)),
    ]
    assert result.events.of("push").t.tolist() == [0.25, 0.5, 1.75]
    assert result.events.columns()["contacts"][1] == "half, push"
    assert result[F][-1] == 3.0


def test_events_of_time_count(tmp_path):
    clock = Controller(every=0.5, record=True, name="half")
    result = run((0, 1e6), [0.0, 0.0], inputs={F: 0}, controllers=[clock], max_events=5)
    assert result.status is Status.MAX_EVENTS
    assert result.events.t.tolist() == [0.5, 1.0, 1.5, 2.0, 2.5]
    result.save(tmp_path / "run")
    assert load(tmp_path / "run").events[0].contacts == ("half",)


def test_a_command_opens_a_contact_at_its_sample():
    """A ball at rest of 2 kg: thrust in steps of 9 N; the third exceeds the weight, and the ball lifts off there."""
    stages = Controller(every=0.25, phase=0.1, law={F: F + 9.0})
    result = on_floor().simulate((0, 1), [0, 0], {m: 2, g: 10, e: 0.5}, controllers=[stages], **TIGHT)
    assert [(event.t, str(event.kind)) for event in result.events] == [(0.0, "close"), (0.1 + 2 * 0.25, "open")]
    at = np.flatnonzero(result.t == 0.25 + 0.1)
    np.testing.assert_allclose(result.normal_force[0][at], [11.0, 2.0], atol=1e-12)
    rise, late = 0.25, 0.15
    height = 0.5 * 3.5 * rise**2 + 3.5 * rise * late + 0.5 * 8 * late**2
    np.testing.assert_allclose(result.x[0, -1], height, rtol=1e-12)


def test_an_impact_and_a_sample_at_one_instant():
    """A ball dropped from 0.05 m lands at 0.1 s, where the law reads its speed."""
    reads = Controller(every=0.1, law={total: v}, memory={total: 0.0})
    numbers = {m: 1, g: 10, e: 0.5}
    result = on_floor().simulate((0, 0.15), [0.05, 0], numbers, inputs={F: 0}, controllers=[reads], **TIGHT)
    assert [str(event.kind) for event in result.events] == ["impact"]
    assert result.events[0].t == pytest.approx(0.1, abs=1e-12)
    assert abs(result[total][-1]) in (pytest.approx(1.0, abs=1e-9), pytest.approx(0.5, abs=1e-9))


def test_time_stepping_obeys_samples():
    stages = Controller(every=0.25, phase=0.1, law={F: F + 9.0})
    options = {"method": "moreau", "max_step": 1e-3, "controllers": [stages]}
    result = on_floor().simulate((0, 1), [0, 0], {m: 2, g: 10, e: 0.5}, **options)
    assert {0.1, 0.35, 0.1 + 2 * 0.25} <= set(result.t)
    assert result.x[1, -1] == pytest.approx(3.5 * 0.25 + 8 * 0.15, rel=1e-9)


def test_a_spinning_body_is_controlled_in_quaternions():
    """Laws of positions run in quaternions, laws of angles in angles; a thrust along z moves a tumbling box alike."""
    x1, x2, x3, a1, a2, a3 = q = dynamicsymbols("x1 x2 x3 a1 a2 a3")
    u, N, O = dynamicsymbols("u1:7"), ReferenceFrame("N"), Point("O")
    frame = N.orientnew("B", "Body", (a1, a2, a3), "XYZ")
    center = O.locatenew("C", x1 * N.x + x2 * N.y + x3 * N.z)
    box = RigidBody("box", center, frame, 1, (inertia(frame, 1, 2, 3), center))
    system = System(N, O)
    system.add_bodies(box)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    spin = frame.ang_vel_in(N)
    system.add_kdes(*(u[i] - q[i].diff(t) for i in range(3)), *(u[3 + i] - spin.dot(a) for i, a in enumerate(frame)))
    system.add_loads(Force(center, F * N.z))
    model = HybridModel(system, [])
    start = [0, 0, 1, 0.1, 0.2, 0.3, 0, 0, 0, 1.0, -2.0, 0.5]
    assert model.attitudes == {"B": "quaternion"}
    law = -4 * x3 - 2 * u[2]
    held_in = model.simulate((0, 2), start, {}, inputs={F: Sampled(0.1, law)}, **TIGHT)
    called = model.simulate((0, 2), start, {}, inputs={F: Sampled(0.1, lambda time, x: -4 * x[2] - 2 * x[8])}, **TIGHT)
    turned = model.simulate((0, 2), start, {}, inputs={F: Sampled(0.1, law + 0 * a1 + 1e-30 * a1)}, **TIGHT)
    assert held_in._record.chart is not None
    assert called._record.chart is turned._record.chart is None
    np.testing.assert_allclose(held_in(1.95), called(1.95), atol=1e-9)
    np.testing.assert_allclose(held_in(1.95), turned(1.95), atol=1e-9)
    after = [np.searchsorted(run.t, 0.1 * np.arange(20), side="right") - 1 for run in (held_in, called)]
    np.testing.assert_allclose(held_in[F][after[0]], called[F][after[1]], atol=1e-9)


def test_parts_of_a_model_are_joined_by_a_controller():
    """Two particles that nothing connects: a law that reads one and pushes the other."""
    N, O = ReferenceFrame("N"), Point("O")
    x1, x2, u1, u2 = dynamicsymbols("x1 x2 u1 u2")
    system = System(N, O)
    for place, speed in ((x1, u1), (x2, u2)):
        P = O.locatenew(f"P{place}", place * N.x)
        system.add_bodies(Particle(f"b{place}", P, 1))
        system.add_coordinates(place)
        system.add_speeds(speed)
        system.add_kdes(speed - place.diff(t))
        system.add_loads(Force(P, ((F if place == x2 else 0) - place) * N.x))
    result = HybridModel(system, []).simulate((0, 3), [1, 0, 0, 0], {}, inputs={F: Sampled(0.1, x1)}, **TIGHT)
    assert "controller" in result.settings["islands"]
    after = np.searchsorted(result.t, 0.1 * np.arange(30), side="right") - 1
    np.testing.assert_allclose(result[F][after], np.cos(0.1 * np.arange(30)), atol=1e-11)


def test_a_constrained_mechanism_is_controlled():
    """A pendulum in Cartesian coordinates under a sampled force against the same in its angle."""
    a, s, y, w = dynamicsymbols("a s y w")
    N, O = ReferenceFrame("N"), Point("O")
    u1, u2 = dynamicsymbols("u1 u2")
    P = O.locatenew("P", s * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("b", P, 1))
    system.add_coordinates(s, y)
    system.add_speeds(u1, u2)
    system.add_kdes(u1 - s.diff(t), u2 - y.diff(t))
    system.add_loads(Force(P, -10 * N.y + F * N.x))
    held_by = HybridModel(system, [], constraints=[Holonomic(s**2 + y**2 - 1, name="rod")])
    first = held_by.simulate((0, 2), [0.6, -0.8, 0, 0], {}, inputs={F: Sampled(0.05, -3 * u1)}, **TIGHT)
    Q = O.locatenew("Q", sm.sin(a) * N.x - sm.cos(a) * N.y)
    angle = System(N, O)
    angle.add_bodies(Particle("b", Q, 1))
    angle.add_coordinates(a)
    angle.add_speeds(w)
    angle.add_kdes(w - a.diff(t))
    angle.add_loads(Force(Q, -10 * N.y + F * N.x))
    second = HybridModel(angle, []).simulate(
        (0, 2), [np.arcsin(0.6), 0], {}, inputs={F: Sampled(0.05, -3 * sm.cos(a) * w)}, **TIGHT
    )
    times = np.linspace(0, 2, 41)
    np.testing.assert_allclose(first(times)[0], np.sin(second(times)[0]), atol=1e-8)


def test_conditions_of_the_model_see_a_new_command():
    """Dry friction by a condition on the force, F > 1: after a sample the branch is that of the new command."""
    model = particle(sm.Piecewise((2.0, F > 1), (-1.0, True)))
    result = model.simulate((0, 1), [0, 0], {m: 1}, inputs={F: Sampled(0.25, sm.Piecewise((2, t > 0.4), (0, True)))})
    assert result.x[1, -1] == pytest.approx(-0.5 + 2 * 0.5, abs=1e-12)


def test_data_and_samples_share_a_run():
    steps = Interpolated([0.0, 0.3, 0.75], [0.0, 2.0, -1.0], kind="hold")
    result = run((0, 1), [0.0, 0.0], inputs={F: Sampled(0.25, -W), W: steps})
    late = np.searchsorted(result.t, [0.26, 0.4, 0.6, 0.8], side="right")
    assert result[F][late].tolist() == [0.0, 0.0, -2.0, 1.0]


def test_the_period_map_of_a_sampled_lqr_has_the_eigenvalues_of_its_discretisation():
    """Derivatives of the run over one period by central differences of two step sizes, against expm: 1e-8."""
    example = load_example("sampled_cart_pole")
    model = example.cart_with_pole()
    phi, gamma = example.discrete(model)
    gains = example.lqr(phi, gamma)
    found = np.linalg.eigvals(example.period_map(model, example.feedback(gains)))
    expected = np.linalg.eigvals(phi - np.outer(gamma, gains))
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(expected), atol=1e-8)


def test_a_pole_is_swung_up_and_caught():
    """At the end it is upright, and the letter of the controller was set once."""
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        example = load_example("swing_up")
    finally:
        sys.path.remove(str(ROOT / "examples"))
    model = example.cart_with_pole()
    acts, caught, _ = example.controller(example.lqr(*example.discrete(model)))
    hanging = dict(zip(example.STATE, [0.0, np.pi - 0.05, 0.0, 0.0], strict=True))
    result = model.simulate((0, 8), hanging, example.numbers, controllers=[acts])
    assert set(result[caught]) == {0.0, 1.0}
    assert (np.diff(result[caught]) >= 0).all()
    assert np.cos(result.x[1, -1]) == pytest.approx(1.0, abs=1e-6)
    assert abs(result.x[2:, -1]).max() < 1e-3


def test_an_exception_in_a_law_ends_the_run_with_its_part():
    def law(time, x):
        return 1 / 0 if time > 0.25 else 0.0

    with pytest.raises(ZeroDivisionError) as caught:
        run((0, 1), [1.0, 0.0], inputs={F: Sampled(0.1, law)})
    assert caught.value.result.t[-1] == pytest.approx(0.3)
    assert "the law of Controller(F(t), every 0.1 s)" in caught.value.__notes__[0]


def test_a_law_that_gives_no_number_is_named():
    result = run((0, 1), [1.0, 0.0], inputs={F: Sampled(0.1, lambda time, x: np.nan if time > 0.25 else 0.0)})
    assert result.status is Status.NOT_FINITE
    assert "the law of Controller(F(t), every 0.1 s) gave F(t) = nan" in result.message


def test_a_loaded_run_keeps_its_energies(tmp_path):
    result = on_floor().simulate((0, 1), [1, 0], {m: 2, g: 10, e: 0.5}, inputs={F: Sampled(0.1, -v)})
    result.save(tmp_path / "run")
    np.testing.assert_array_equal(load(tmp_path / "run").kinetic_energy, result.kinetic_energy)


@pytest.mark.parametrize("split", [0.5, 0.503, 1.0])
def test_a_run_goes_on_where_another_has_ended(split):
    """At a sample and between samples: the last command and the memory are the start of the second run."""

    def controllers(command, kept):
        law = {F: m * g + 20 * (1 - z) - 6 * v + total, total: total + 0.01 * (1 - z)}
        return [Controller(every=0.01, law=law, memory={total: kept}, start={F: command})]

    numbers = {m: 1, g: 10, e: 0.5}
    whole = on_floor().simulate((0, 2), [0, 0], numbers, controllers=controllers(0, 0), **TIGHT)
    first = on_floor().simulate((0, split), [0, 0], numbers, controllers=controllers(0, 0), **TIGHT)
    last = controllers(first[F][-1], first[total][-1])
    second = on_floor().simulate((split, 2), first.x[:, -1], numbers, controllers=last, **TIGHT)
    np.testing.assert_allclose(second.x[:, -1], whole.x[:, -1], atol=1e-11)
    assert second[total][-1] == pytest.approx(whole[total][-1], abs=1e-12)


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.01])
@pytest.mark.parametrize("split", [0.5, 0.503, 0.507])
def test_a_run_goes_on_from_a_result_with_what_its_controllers_hold(delay, split, tmp_path):
    """From the end of a run that ends there, and from within a longer one: the commands of the whole run, those that
    wait included."""

    def controllers():
        law = {F: 20 * (1 - z) - 6 * v + total, total: total + 0.01 * (1 - z)}
        return [Controller(every=0.01, law=law, memory={total: 0}, start={F: 0.3}, delay=delay)]

    model = particle(F - k * z - c * v)
    whole, first = (model.simulate((0, end), [0, 0], NUMBERS, controllers=controllers(), **TIGHT) for end in (1, split))
    times = np.arange(split, 1, 0.01) + 0.0015  # between the instants
    for before in (first, whole):
        second = model.simulate((split, 1), before, NUMBERS, controllers=controllers(), t_eval=times, **TIGHT)
        there = model.simulate((0, 1), [0, 0], NUMBERS, controllers=controllers(), t_eval=times, **TIGHT)
        np.testing.assert_allclose(second[F], there[F], rtol=0, atol=1e-13)
        np.testing.assert_allclose(second[total], there[total], rtol=0, atol=1e-14)
        np.testing.assert_allclose(second.x, there.x, rtol=0, atol=1e-13)
    both = first + model.simulate((split, 1), first, NUMBERS, controllers=controllers(), **TIGHT)
    third = model.simulate((0.903, 1), both, NUMBERS, controllers=controllers(), **TIGHT)
    np.testing.assert_allclose(third.x[:, -1], whole.x[:, -1], rtol=0, atol=1e-13)
    third.save(tmp_path / "third")
    again = load(tmp_path / "third", model=model, controllers=controllers())
    np.testing.assert_array_equal(again[F], third[F])
    copied = pickle.loads(pickle.dumps(third))
    np.testing.assert_array_equal(copied[F], third[F])
    fourth = model.simulate((0.95, 1), again, NUMBERS, controllers=controllers(), **TIGHT)
    np.testing.assert_allclose(fourth.x[:, -1], whole.x[:, -1], rtol=0, atol=1e-13)


def test_a_stop_at_a_sample_goes_on_with_the_bits_of_the_whole_run():
    """The sample at which the run ends has been taken, and is not taken again; steps begin anew at both."""

    def options(event):
        counts = Controller(every=0.01, law={F: total / 30, total: total + 1}, memory={total: 0})
        drives = Controller(every=0.01, law={W: 20 * (1 - z) - 6 * v}, delay=0.01)
        return {"controllers": [counts, drives], "events": {"counted": event}, **TIGHT}

    model, threshold = particle(F + W - k * z - c * v), F - sm.Rational(59, 60)
    whole = model.simulate((0, 1), [0, 0], NUMBERS, **options(threshold))
    (counted,) = whole.events["counted"]
    assert counted.t == 30 * 0.01
    first = model.simulate((0, 1), [0, 0], NUMBERS, **options(Stop(threshold)))
    assert (first.status, first.t[-1]) == (Status.STOPPED, counted.t)
    second = model.simulate((counted.t, 1), first, NUMBERS, **options(threshold))
    np.testing.assert_array_equal(second.x[:, -1], whole.x[:, -1])
    assert second[total][-1] == whole[total][-1] == 100


def test_a_run_goes_on_with_a_faster_controller_and_a_sampled_input():
    """What waits takes effect at its time, or with the first command of the new controller where that is before."""
    model = particle(F - k * z - c * v)
    first = model.simulate((0, 0.25), [0, 0], NUMBERS, inputs={F: Sampled(0.1, t + 1, delay=0.1, start=7)})
    times = [0.255, 0.275, 0.295, 0.305]
    for period, expected in ((0.1, [1.1, 1.1, 1.1, 1.2]), (0.02, [1.1, 1.1, 0, 0]), (0.05, [1.1, 1.1, 1.1, 0])):
        law = t + 1 if period == 0.1 else 0 * t
        sampled = {F: Sampled(period, law, delay=period)}
        second = model.simulate((0.25, 0.4), first, NUMBERS, inputs=sampled, t_eval=times)
        np.testing.assert_allclose(second[F], expected, rtol=1e-15)


def test_a_start_from_another_run_is_refused_with_a_sentence(tmp_path):
    model, other = particle(F - k * z - c * v), particle(F)
    result = model.simulate((0, 1), [0, 0], NUMBERS, inputs={F: Sampled(0.1, -z)})
    with pytest.raises(ValueError, match=r"a run from t = 0 to 1, and this one starts at t = 2; start it at a time"):
        model.simulate((2, 3), result, NUMBERS, inputs={F: 0})
    assert other.simulate((1, 2), result, {m: 2.0}, inputs={F: 0}).x[0, 0] == result.x[0, -1]
    result.save(tmp_path / "run")
    with pytest.raises(ValueError, match=r"read from a file without its model, so that its commands are not known"):
        model.simulate((1, 2), load(tmp_path / "run"), NUMBERS, inputs={F: Sampled(0.1, -z)})
    single = HybridModel(pressed(), [])
    with pytest.raises(ValueError, match=r"x0 is a run with the states \['z', 'v'\], and this model has"):
        single.simulate((1, 2), result, {})


def pressed() -> System:
    """A particle with other states."""
    N, O, (y, w) = ReferenceFrame("N"), Point("O"), dynamicsymbols("y w")
    system = System(N, O)
    system.add_bodies(Particle("other", O.locatenew("P", y * N.z), 1))
    system.add_coordinates(y)
    system.add_speeds(w)
    system.add_kdes(w - y.diff(t))
    return system


def test_a_rate_is_limited_by_the_command_before():
    law = F + sm.Max(-0.5, sm.Min(0.5, 10 - F))
    result = run((0, 3), [0.0, 0.0], inputs={F: Sampled(0.1, law, start=1.25)})
    after = np.searchsorted(result.t, 0.1 * np.arange(30), side="right") - 1
    np.testing.assert_allclose(result[F][after], np.minimum(1.75 + 0.5 * np.arange(30), 10), atol=1e-12)


def test_runs_repeat_bit_by_bit():
    def again():
        return run(
            (0, 2), [1.0, 0.0], controllers=[Controller(every=0.1, law={F: -z, total: total + z}, memory={total: 0})]
        )

    first, second = again(), again()
    assert first.x.tobytes() == second.x.tobytes()
    assert first[total].tobytes() == second[total].tobytes()


def test_a_law_may_contain_gaps():
    """The gap of a point above a plane at z = 0 is z: the law of the gap has the bits of the law of z."""
    model = particle(F, [{"restitution": 0.5, "friction": 0}])
    runs = [
        model.simulate((0, 3), [1.0, 0.0], {m: 2.0}, inputs={F: Sampled(0.05, 3 - 20 * distance - 2 * v)})
        for distance in (model.gaps[0], z)
    ]
    assert runs[0].x.tolist() == runs[1].x.tolist()
    controller = Controller(every=0.05, commands=[F], measure=[model.gaps[0], v], law=_damped)
    other = model.simulate((0, 3), [1.0, 0.0], {m: 2.0}, controllers=[controller])
    np.testing.assert_allclose(other.x[:, -1], runs[0].x[:, -1], rtol=1e-9, atol=1e-9)


def _damped(t, measured, memory):
    return [3 - 20 * measured[0] - 2 * measured[1]]


@pytest.mark.parametrize("python", [False, True])
def test_a_law_may_contain_accelerations(python):
    """F_k = -0.7 a_k with a_k = F_{k-1} / m - g: what an accelerometer measures before the new command."""
    a = v.diff(t)
    laws = {"law": {F: -0.7 * a}} if not python else {"law": lambda t, x, kept: [-0.7 * x[0]], "measure": [a]}
    controller = Controller(every=0.1, commands=[F], **laws)
    middles = np.arange(10) * 0.1 + 0.05
    result = particle(F - m * g).simulate((0, 1), [0, 0], {m: 2, g: 10}, controllers=[controller], t_eval=middles)
    expected, command = [], 0.0
    for _ in range(10):
        command = -0.7 * (command / 2 - 10)
        expected.append(command)
    np.testing.assert_allclose(result[F], expected, rtol=1e-15)


def test_accelerations_in_a_law_are_those_with_contact_forces():
    """A mass of 2 kg rests on the floor, from the start on, until it is lifted by 25 N: a = 2.5, 2.5, 3.75, ..."""
    a = v.diff(t)
    law = {F: 25 * sm.Heaviside(t - sm.Rational(9, 20)) + total, total: a}
    controller = Controller(every=0.1, law=law, memory={total: 9})
    middles = np.arange(9) * 0.1 + 0.05
    numbers = {m: 2, g: 10, e: 0}
    model = on_floor()
    result = model.simulate((0, 0.9), [0, 0], numbers, controllers=[controller], t_eval=middles)
    np.testing.assert_allclose(result[total], [0, 0, 0, 0, 0, 0, 2.5, 2.5, 3.75], rtol=0, atol=1e-14)
    np.testing.assert_allclose(result[F], [9, 0, 0, 0, 0, 25, 25, 27.5, 27.5], rtol=0, atol=1e-13)
    falling = Controller(every=0.1, law={total: a}, memory={total: 0})
    fallen = model.simulate((0, 0.9), [1, 0], numbers, inputs={F: 0}, controllers=[falling], t_eval=middles)
    landed = middles > np.ceil(np.sqrt(0.2) * 10) / 10
    np.testing.assert_allclose(fallen[total], np.where(landed, 0, -10), rtol=0, atol=1e-13)
