"""Functions of time left free in a model: numbers, expressions and Python functions give the same runs."""

from __future__ import annotations

from functools import cache
from math import cos, sin, sqrt

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, ball, t
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.closed_forms import bouncing_ball_times
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import HybridModel, Status

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


@settings(max_examples=20, deadline=None, derandomize=True)
@given(push=st.floats(-20, 9))
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
        (lambda time, x: None, TypeError, "an input returned None, expected one real number"),
        (lambda time, x: 1j, TypeError, "an input returned 1j, expected one real number"),
        (lambda time, x: [1, 2], ValueError, r"an input returned an array of shape \(2,\), expected one real number"),
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
