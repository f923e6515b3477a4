"""Functions of time left free in a model: numbers, expressions and Python functions give the same runs."""

from __future__ import annotations

from functools import cache, partial
from math import cos, sin, sqrt

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, ball, t
from hypothesis import strategies as st
from oracles.closed_forms import bouncing_ball_times
from quick_members import examples
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Interpolated, Plane, Status, load
from sympact.graph import count
from sympact.mechanics.run.signals import read_signals

GRAVITY = 9.8
PUSH = dynamicsymbols("F")


@cache
def pushed() -> Case:
    """A ball of 1 kg that the force F lifts."""
    return ball(load=PUSH)


def fly(push, t_end=1.0, **options):
    """A run of a metre's fall with the force given."""
    case = pushed()
    return case.model.simulate((0, t_end), [1.0, 0.0], case.parameters(), inputs={PUSH: push}, **options)


@examples(7, 20, push=st.floats(-20, 9))
def test_a_constant_force_is_another_gravity(push):
    """However it is given, to the last bit."""
    m = next(symbol for symbol in pushed().model.parameters if symbol.name == "m")
    ways = (push, np.float64(push), sm.Float(push, 17) * m, lambda time, x: push, lambda time, x: np.array([push]))
    first, *others = (fly(way, 2.0) for way in ways)
    times = bouncing_ball_times(1.0, GRAVITY - push, 0.5, len(first.events))
    np.testing.assert_allclose(first.events.t, times, rtol=0, atol=1e-11 * (1 + times[-1] if len(times) else 1))
    for other in others:
        assert np.array_equal(first.t, other.t)
        assert np.array_equal(first.x, other.x)


def test_a_force_that_swings():
    """y = 1 - g t^2/2 + (A/w) t - (A/w^2) sin(w t) up to the first impact."""
    amplitude, frequency = 4.0, 3.0
    written = fly(amplitude * sm.sin(frequency * t), **TIGHT)
    called = fly(lambda time, x: amplitude * sin(frequency * time), **TIGHT)
    impact = written.events[0].t
    times = np.linspace(0, impact, 30)
    swing = amplitude / frequency * times - amplitude / frequency**2 * np.sin(frequency * times)
    height = 1 - GRAVITY * times**2 / 2 + swing
    for result in (written, called):
        np.testing.assert_allclose(result(times, side="left")[0], height, rtol=0, atol=1e-11)
    np.testing.assert_allclose(called.events.t, written.events.t, rtol=0, atol=1e-12)


def test_a_force_may_depend_on_the_state():
    """F = m g - k y makes an oscillator: y = cos(w t) until it meets the table at a quarter of its period."""
    y = pushed().model.q[0]
    for push in (GRAVITY - 25 * y, lambda time, x: GRAVITY - 25 * x[0]):
        result = fly(push, 0.5, **TIGHT)
        assert result.events[0].t == pytest.approx(np.pi / 10, rel=1e-12)
        assert result(0.2)[0] == pytest.approx(cos(1.0), rel=1e-11)


def test_results_know_their_inputs():
    result = fly(4 * sm.sin(3 * t))
    np.testing.assert_allclose(result[PUSH], 4 * np.sin(3 * result.t), rtol=0, atol=1e-15)
    v = result.x[1]
    np.testing.assert_allclose(result[PUSH * pushed().model.u[0]], 4 * np.sin(3 * result.t) * v, rtol=0, atol=1e-14)
    np.testing.assert_allclose(result.kinetic_energy, v**2 / 2, rtol=1e-15)
    assert fly(4.0, t_eval=[])[PUSH].shape == (0,)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "BDF", "LSODA"])
def test_an_exception_of_the_user_brings_the_run_so_far(method):
    def push(time, x):
        if time > 0.3:
            raise ZeroDivisionError("the motor is broken")
        return 0.0

    with pytest.raises(ZeroDivisionError, match="the motor is broken") as caught:
        fly(push, method=method)
    (note,) = caught.value.__notes__
    assert note.startswith("raised by the input F(t) at t = 0.")
    result = caught.value.result
    assert result.status is Status.FAULT
    assert 0 < result.t_span[1] <= 0.3
    np.testing.assert_allclose(result.x[0], 1 - GRAVITY * result.t**2 / 2, rtol=1e-6)


def test_an_exception_at_the_start_names_the_input():
    with pytest.raises(ZeroDivisionError) as caught:
        fly(lambda time, x: 1 / time)
    assert caught.value.__notes__ == ["raised by the input F(t) at t = 0.0, x = [1.0, 0.0]"]


def test_ctrl_c_in_a_users_function_keeps_the_run():
    def push(time, x):
        if time > 0.3:
            raise KeyboardInterrupt
        return 0.0

    result = fly(push)
    assert result.status is Status.INTERRUPTED
    assert 0 < result.t_span[1] <= 0.3


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "BDF", "LSODA"])
def test_an_input_that_turns_nan_ends_the_run(method):
    result = fly(lambda time, x: 0.0 if time < 0.3 else float("nan"), method=method)
    assert result.status in (Status.NOT_FINITE, Status.STEP_TOO_SMALL)
    assert 0 < result.t_span[1] <= 0.3
    assert np.isfinite(result.x).all()


@pytest.mark.parametrize(
    ("push", "error", "sentence"),
    [
        (None, ValueError, r"missing \['F\(t\)'\]"),
        (sm.Symbol("k"), ValueError, r"the input F\(t\) is given as k, but the model cannot read k"),
        ("fast", ValueError, r"the input F\(t\) is given as 'fast'"),
        (PUSH + 1, ValueError, r"given as F\(t\) \+ 1, which contains an input"),
        (np.array([1.0, 2.0]), ValueError, r"the input F\(t\) is given as array"),
        (sm.nan, ValueError, r"the motion cannot start.*the input F\(t\) is nan, expected a finite number"),
        (lambda time, x: None, TypeError, r"the input F\(t\) returned None at t = 0, expected one real number"),
        (lambda time, x: 1j, TypeError, r"the input F\(t\) returned 1j at t = 0, expected one real number"),
        (lambda time, x: [1, 2], ValueError, r"F\(t\) returned an array of shape \(2,\) at t = 0, expected one real"),
        (lambda time, x: np.inf, ValueError, r"the input F\(t\) is inf, expected a finite number"),
    ],
)
def test_an_input_that_is_no_number_is_refused(push, error, sentence):
    with pytest.raises(error, match=sentence):
        fly(push)


def test_inputs_that_are_missing_or_unknown_are_listed_together():
    case, other = pushed(), dynamicsymbols("G")
    with pytest.raises(ValueError, match=r"missing \['F\(t\)'\]; unknown \['G\(t\)'\]; the model has \['F\(t\)'\]"):
        case.model.simulate((0, 1), [1.0, 0.0], case.parameters(), inputs={other: 1.0})
    plain = ball()
    with pytest.raises(ValueError, match=r"unknown \['G\(t\)'\]; the model has \[\]"):
        plain.model.simulate((0, 1), [1.0, 0.0], plain.parameters(), inputs={other: 1.0})


def test_a_users_function_cannot_change_the_run():
    def push(time, x):
        x[:] = 7.0
        return 1.0

    assert np.array_equal(fly(push).x, fly(1.0).x)


def hanging() -> Case:
    """A pendulum whose pivot moves sideways by a free function r of time."""
    m, l, g = sm.symbols("m l g")
    q, u, r = dynamicsymbols("q u r")
    N, A, O = ReferenceFrame("N"), ReferenceFrame("A"), Point("O")
    A.orient_axis(N, q, N.z)
    bob = O.locatenew("pivot", r * N.x).locatenew("bob", -l * A.y)
    system = System(N, O)
    system.add_bodies(Particle("bob", bob, m))
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff(t))
    system.apply_uniform_gravity(-g * N.y)
    return Case(HybridModel(system, []), {"m": 2.0, "l": 0.7, "g": GRAVITY})


def test_a_pivot_moved_by_an_input():
    """q'' = -(g sin q + r'' cos q)/l, integrated here by SciPy."""
    from scipy.integrate import solve_ivp

    case, r = hanging(), dynamicsymbols("r")
    assert case.model.inputs == (r, r.diff(t), r.diff(t, 2)) or case.model.inputs == (r.diff(t), r.diff(t, 2))
    motion = 0.2 * sm.sin(5 * t)

    def rates(time, x):
        shake = -0.2 * 25 * sin(5 * time)
        return [x[1], -(GRAVITY * sin(x[0]) + shake * cos(x[0])) / 0.7]

    exact = solve_ivp(rates, (0, 3), [0.5, 0.0], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    result = case.model.simulate((0, 3), [0.5, 0.0], case.parameters(), inputs={r: motion}, **TIGHT)
    np.testing.assert_allclose(result(3.0), exact, rtol=0, atol=1e-10)


def test_an_input_given_as_a_number_stands_still():
    case, r = hanging(), dynamicsymbols("r")
    moved, still = (
        case.model.simulate((0, 1), [0.5, 0.0], case.parameters(), inputs={r: place}) for place in (3.0, 0.0)
    )
    assert np.array_equal(moved.x, still.x)
    assert sqrt(moved.kinetic_energy[-1]) > 0


Z, V = dynamicsymbols("z v")
M, G, E, K = sm.symbols("m g e k", positive=True)


@cache
def lifted(force, weight: bool = True) -> HybridModel:
    """A ball above a floor that a force lifts; without weight there is no floor either."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", Z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, M))
    system.add_coordinates(Z)
    system.add_speeds(V)
    system.add_kdes(V - Z.diff(t))
    if weight:
        system.apply_uniform_gravity(-G * N.z)
    system.add_loads(Force(P, force * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=E, friction=0)] if weight else [])


NUMBERS = {M: 1.0, G: 9.81, E: 0.9}


def test_a_pulse_of_ten_milliseconds_is_met():
    """200 N for 10 ms push 1 kg to 2 m/s: z = 1 cm + 2 (t - 5.01)."""
    pulse = sm.Piecewise((0, t < 5), (200, t < 5.01), (0, True))
    result = lifted(PUSH, weight=False).simulate((0, 10), [0, 0], {M: 1}, inputs={PUSH: pulse})
    assert [str(event.kind) for event in result.events] == ["switch", "switch"]
    np.testing.assert_allclose(result.events.t, [5, 5.01], rtol=1e-15)
    np.testing.assert_allclose(result.x[:, -1], [9.99, 2.0], rtol=1e-12)


@pytest.mark.parametrize(
    "force",
    [
        5 * sm.sin(30 * t),
        sm.Piecewise((0, t < 0.3), (25.5, t < 0.45), (0, True)),
        -3 * sm.sign(V) - sm.Abs(V) * V / 50,
        40.5 * sm.Max(0, 0.25 - Z) * sm.exp(-0.1 * t),
        M * sm.Piecewise((2, sm.sin(7 * t) > 0), (-1, True)),
    ],
)
def test_an_expression_as_input_is_the_same_as_in_the_load(force):
    """Its conditions are events, and all events agree."""
    options = {"rtol": 1e-11, "atol": 1e-13}
    written = lifted(force).simulate((0, 4), [1, 0], NUMBERS, **options)
    result = lifted(PUSH).simulate((0, 4), [1, 0], NUMBERS, inputs={PUSH: force}, **options)
    assert [str(event.kind) for event in result.events] == [str(event.kind) for event in written.events]
    np.testing.assert_allclose(result.events.t, written.events.t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.x[:, -1], written.x[:, -1], rtol=0, atol=1e-11)
    np.testing.assert_allclose(result[PUSH], written[force], rtol=0, atol=1e-9)


def test_a_number_costs_what_a_parameter_costs():
    """The same operations in what a run calls, whether the force is an input given as a number or a symbol."""
    model = lifted(PUSH + K * sm.Abs(PUSH - Z))
    numbers = NUMBERS | {K: 2.0}
    inputs = read_signals(model, {PUSH: 1.0}, (0.0, 1.0)).compiled
    symbol = sm.Symbol("w")  # the last in the order of names, as inputs follow parameters
    written = lifted(symbol + K * sm.Abs(symbol - Z)).compile()
    for one, other in zip(inputs.functions, written.functions, strict=True):
        assert one.name == other.name
        assert count(inputs.model.derivation.graph, one.nodes) == count(written.model.derivation.graph, other.nodes)
    result = model.simulate((0, 2), [1, 0], numbers, inputs={PUSH: 0.5})
    same = written.model.simulate((0, 2), [1, 0], numbers | {symbol: 0.5})
    assert {"switch"} < {str(event.kind) for event in result.events}
    np.testing.assert_allclose(result.events.t, same.events.t, rtol=1e-12)


def test_other_numbers_compile_nothing():
    def compiled(force):
        return read_signals(lifted(PUSH), {PUSH: force}, (0.0, 1.0)).compiled

    assert compiled(1.0) is compiled(-2.5) is compiled(sm.pi)
    assert compiled(0.5 * sm.sin(2.5 * t)) is compiled(1.5 * sm.sin(-4.25 * t))
    assert compiled(lambda time: 1.0) is compiled(lambda time, x: 2.0) is lifted(PUSH).compile()
    knots = np.linspace(0, 1, 5)
    assert compiled(Interpolated(knots, knots**2)) is compiled(Interpolated(2 * knots, -knots))
    run = [fly(a * sm.sin(w * t), **TIGHT)(0.3)[1] for a, w in ((4.0, 3.0), (1.5, 2.5))]
    exact = [-GRAVITY * 0.3 + a / w * (1 - cos(w * 0.3)) for a, w in ((4.0, 3.0), (1.5, 2.5))]
    np.testing.assert_allclose(run, exact, rtol=1e-12)


def two_forces() -> HybridModel:
    return lifted(PUSH + dynamicsymbols("G"), weight=False)


def test_inputs_may_contain_each_other_but_not_in_a_circle():
    """G = 3 t, F = 2 G + v: v' = 9 t + v, v = 9 (exp t - t - 1)."""
    model, other = two_forces(), dynamicsymbols("G")
    result = model.simulate((0, 1), [0, 0], {M: 1}, inputs={PUSH: 2 * other + V, other: 3 * t}, **TIGHT)
    np.testing.assert_allclose(result.x[1], 9 * (np.exp(result.t) - result.t - 1), rtol=0, atol=1e-11)
    np.testing.assert_allclose(result[PUSH], 6 * result.t + result.x[1], rtol=1e-13)
    called = model.simulate((0, 1), [0, 0], {M: 1}, inputs={PUSH: 2 * other + V, other: lambda time: 3 * time}, **TIGHT)
    np.testing.assert_allclose(called.x[:, -1], result.x[:, -1], rtol=0, atol=1e-11)
    with pytest.raises(ValueError, match=r"made of it, F\(t\) -> G\(t\) -> F\(t\); expected time, states"):
        model.simulate((0, 1), [0, 0], {M: 1}, inputs={PUSH: 2 * other, other: 3 * PUSH})


def test_what_moves_a_body_must_not_depend_on_the_motion():
    case, r = hanging(), dynamicsymbols("r")
    for motion, sentence in (
        (sm.sin(case.model.q[0]), r"contains q\(t\), and the equations contain its derivative .*: it moves a body"),
        (sm.floor(10 * t), "with jumps of floor, and the equations contain its derivative .*: it moves a body"),
    ):
        with pytest.raises(ValueError, match=sentence):
            case.model.simulate((0, 1), [0.5, 0.0], case.parameters(), inputs={r: motion})


class Called:
    def __call__(self, time):
        return 2.0


def two(time, x):
    return 2.0


@pytest.mark.parametrize(
    "push",
    [
        lambda time: 2.0,
        two,
        Called(),
        partial(lambda time, strength: strength, strength=2.0),
        partial(two, x=None),
        np.vectorize(lambda time: 2.0),
        lambda time: np.array([2.0]),
        sm.Lambda(t, sm.Integer(2)),
    ],
)
def test_functions_of_time_and_of_time_and_state_are_told_apart(push):
    assert fly(push).x[0, -1] == pytest.approx(fly(2.0).x[0, -1], abs=1e-13)


def test_universal_functions_are_functions_of_time():
    result = fly(np.sin, **TIGHT)
    np.testing.assert_allclose(result[PUSH], np.sin(result.t), rtol=0, atol=1e-15)
    doubled = fly(partial(np.multiply, 2.0), **TIGHT)
    np.testing.assert_allclose(doubled[PUSH], 2 * doubled.t, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("push", "sentence"),
    [
        (lambda time, strength=2.0: strength, r"with one and with two arguments; write lambda t: f\(t\) for"),
        (lambda *arguments: 1.0, r"with one and with two arguments"),
        (lambda: 1.0, r"it is called as f\(\); expected a function f\(t\) of time or f\(t, x\) of time and state"),
        (lambda a, b, c: 1.0, r"it is called as f\(a, b, c\); expected"),
        (([0.0, 1.0], [1.0, 2.0]), r"times and values: write Interpolated\(times, values\); expected a number"),
        ([1.0, 2.0, 3.0], r"without times: write Interpolated\(times, values\)"),
        ({}, "is given as {}, expected a number, a SymPy expression"),
        (True, "is given as True, but that is no number"),
        (sm.I, "is given as I, but that is no real number"),
    ],
)
def test_what_can_be_no_input_is_told_with_the_forms(push, sentence):
    with pytest.raises(ValueError, match=sentence):
        fly(push)


def test_a_driven_run_keeps_its_formulas_in_a_file(tmp_path):
    """Where nothing but numbers and expressions drive it."""
    result = fly(4 * sm.sin(3 * t))
    result.save(tmp_path / "driven.npz")
    np.testing.assert_allclose(load(tmp_path / "driven.npz").kinetic_energy, result.kinetic_energy, rtol=1e-15)


@cache
def above_table(height=None) -> HybridModel:
    """A ball above a table at a height, an input where none is given."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", Z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, M))
    system.add_coordinates(Z)
    system.add_speeds(V)
    system.add_kdes(V - Z.diff(t))
    system.apply_uniform_gravity(-G * N.z)
    table = Plane(O.locatenew("T", (dynamicsymbols("r") if height is None else height) * N.z), N.z)
    return HybridModel(system, [Contact(P, table, restitution=E, friction=0)])


def test_what_an_input_is_made_of_is_known_to_the_search():
    """A table that moves by a narrow wave is met in the middle of a long flight, as if the wave stood in the model."""

    def proven(height):
        return read_signals(above_table(), {dynamicsymbols("r"): height}, (0.0, 1.0)).compiled.proofs._found.plain

    bump = sm.exp(-(((t - 0.5) / 0.001) ** 2)) / 2
    assert proven(bump) == above_table(bump).compile().proofs._found.plain
    assert proven(0.25) == above_table(sm.Rational(1, 4)).compile().proofs._found.plain
    assert proven(Interpolated([0, 0.5, 1], [0, 0.1, 0.4], "cubic")) != (None,)
    runs = [
        model.simulate((0, 1), [0.3, 0], {M: 1, G: 1e-9, E: 0.5}, inputs=inputs)
        for model, inputs in ((above_table(), {dynamicsymbols("r"): bump}), (above_table(bump), {}))
    ]
    height = np.sqrt(np.log(0.5 / 0.3)) * 0.001
    assert runs[0].events[0].t == pytest.approx(0.5 - height, abs=1e-9)
    np.testing.assert_allclose(runs[0].events.t, runs[1].events.t, rtol=0, atol=1e-12)
