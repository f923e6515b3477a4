"""Steppers of one's own: order and energy against closed forms, events, and a sentence for whatever is wrong."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.integrate
from integrate_processes import check_run, plain_walled, walled
from oracles.closed_forms import WalledOscillator, bouncing_ball_accumulation
from quick_members import members

import sympact
from sympact import HybridSystem, OneStep, RungeKutta, Status, Stepper, Transition, load
from sympact.integrate.steppers import own_tableau_kernel
from sympact.integrate.steppers.methods import METHODS
from sympact.integrate.steppers.order_conditions import order_of
from sympact.models import bouncing_ball

E = 0.8
MOTION = WalledOscillator(E)
PROCESSES = {"symbolic": walled(E, MOTION.wall), "plain": plain_walled(E, MOTION.wall)}
FREE = HybridSystem({"free": lambda t, x: [x[1], -x[0]]}, [], states=["q", "u"])


def semi_implicit_euler(f, t, x, h):
    n = len(x) // 2
    u = x[n:] + h * f(t, x)[n:]
    return np.concatenate([x[:n] + h * u, u])


def stormer_verlet(f, t, x, h):
    n = len(x) // 2
    half = x[n:] + h / 2 * f(t, x)[n:]
    q = x[:n] + h * half
    return np.concatenate([q, half + h / 2 * f(t + h, np.concatenate([q, half]))[n:]])


SYMPLECTIC = OneStep(semi_implicit_euler, name="semi-implicit Euler")
RK4 = RungeKutta(a=[[], [0.5], [0, 0.5], [0, 0, 1]], b=[1 / 6, 1 / 3, 1 / 3, 1 / 6], name="RK4 again")
RALSTON = RungeKutta([[], [2 / 3]], [1 / 4, 3 / 4], name="Ralston")
BOGACKI_SHAMPINE = RungeKutta(
    a=[[], [1 / 2], [0, 3 / 4]], b=[2 / 9, 1 / 3, 4 / 9], embedded=[7 / 24, 1 / 4, 1 / 3, 1 / 8], name="RK23"
)
DORMAND_PRINCE = RungeKutta(
    a=scipy.integrate.RK45.A, b=scipy.integrate.RK45.B, c=scipy.integrate.RK45.C, name="Dormand-Prince of fixed step"
)
OWN = {
    "semi-implicit Euler": (SYMPLECTIC, 1, np.geomspace(2e-3, 2e-2, 5)),
    "Stormer-Verlet": (OneStep(stormer_verlet), 2, np.geomspace(5e-3, 5e-2, 5)),
    "Ralston": (RALSTON, 2, np.geomspace(5e-3, 5e-2, 5)),
    "Heun": (RungeKutta([[], [1 / 3], [0, 2 / 3]], [1 / 4, 0, 3 / 4]), 3, np.geomspace(5e-3, 5e-2, 5)),
    "RK4": (RK4, 4, np.geomspace(1e-2, 1e-1, 5)),
    "Dormand-Prince": (DORMAND_PRINCE, 5, np.geomspace(3e-2, 2e-1, 5)),
}
"""Methods, their orders, and steps (s) between rounding and the first wiggle of the curve of errors."""


def slope(abscissa, errors):
    """The exponent of `errors` as a power of `abscissa`, by least squares."""
    return np.polyfit(np.log(abscissa), np.log(errors), 1)[0]


OTHERS = [
    (kind, name)
    for (i, kind), (k, name) in product(enumerate(PROCESSES), enumerate(OWN))
    if (i + k) % 2 or name in ("RK4", "Dormand-Prince")
]
"""Each method is quick with one kind of process, of which there are both for functions of steps and for tableaus."""


@pytest.mark.parametrize(("kind", "name"), members(product(PROCESSES, OWN), slow=OTHERS))
def test_error_falls_with_the_step_at_the_order_of_the_method_through_an_impact(kind, name):
    """Behind the impact, and of its time: where it is found on the cubic of a step, that has order four."""
    method, order, steps = OWN[name]
    at_end, at_impact = [], []
    for step in steps:
        result = PROCESSES[kind].simulate((0, 4.0), [1.0, 0.0], start="free", method=method, max_step=step)
        check_run(result)
        assert len(result.events) == 1
        at_end.append(np.linalg.norm(result.x[:, -1] - MOTION.state(4.0)))
        at_impact.append(abs(result.events[0].t - MOTION.impact))
    assert slope(steps, at_end) == pytest.approx(order, abs=0.15 * order)
    assert slope(steps, at_impact) == pytest.approx(order, abs=0.2 * order)


@pytest.mark.parametrize("t_eval", [None, pytest.param(np.linspace(0, 4, 33), marks=pytest.mark.slow)])
def test_a_tableau_that_has_a_name_gives_the_bits_of_that_name(t_eval):
    for process in PROCESSES.values():
        runs = [
            process.simulate((0, 4.0), [1.0, 0.0], start="free", method=method, max_step=0.05, t_eval=t_eval)
            for method in ("RK4", RK4)
        ]
        assert np.array_equal(runs[0].x, runs[1].x)
        assert runs[0].counts == runs[1].counts


def test_symplectic_steps_keep_their_own_energy_where_explicit_ones_gain():
    """Closed forms: a semi-implicit step keeps q^2 + u^2 - h q u, an explicit one multiplies q^2 + u^2 by 1 + h^2.

    The roundings of 4000 steps of states of size 1 add up to less than 4000 units in the last place.
    """
    h = 2.0**-4
    options = {"start": "free", "max_step": h}
    q, u = FREE.simulate((0, 250), [1.0, 0.0], method=SYMPLECTIC, **options).x
    assert len(q) == 4001
    assert np.abs(q**2 + u**2 - h * q * u - 1.0).max() < 4000 * np.finfo(float).eps
    q, u = FREE.simulate((0, 25), [1.0, 0.0], method="Euler", **options).x
    assert (q**2 + u**2)[-1] == pytest.approx((1 + h**2) ** 400, rel=1e-12)


def test_a_tolerance_chooses_the_step_of_an_embedded_pair():
    """Order 3(2): errors fall in proportion to the tolerance, the steps with its cube root."""
    tolerances, ends, steps = 10.0 ** -np.arange(4, 9), [], []
    for rtol in tolerances:
        result = FREE.simulate((0, 10), [1.0, 0.0], start="free", method=BOGACKI_SHAMPINE, rtol=rtol, atol=rtol)
        ends.append(np.linalg.norm(result.x[:, -1] - [np.cos(10), -np.sin(10)]))
        steps.append(result.steps)
    assert slope(tolerances, ends) == pytest.approx(1.0, abs=0.15)
    assert slope(tolerances, steps) == pytest.approx(-1 / 3, abs=0.05)


@pytest.mark.parametrize(("method", "lost"), [(SYMPLECTIC, 1.0), (RALSTON, 0.0)], ids=["semi-implicit", "Ralston"])
def test_a_ball_bounces_and_comes_to_rest(method, lost):
    """With contacts of a model. Ralston's steps follow a parabola exactly.

    In a semi-implicit step of size h the ball falls by g h^2/2 more, so that a flight that begins with the speed w
    lasts 2 w/g - h and ends with w - g h; the shortened step before the impact changes this by parts of h^2.
    """
    ball, h, g, e = bouncing_ball(), 1e-3, 9.81, 0.8
    result = ball.simulate(method=method, max_step=h)
    impacts = [event for event in result.events if event.kind == "impact"][:6]
    t = np.sqrt(2 / g) - lost * h / 2
    speed, times = g * t, [t]
    for _ in range(5):
        times.append(times[-1] + 2 * e * speed / g - lost * h)
        speed = e * speed - lost * g * h
    assert [event.t for event in impacts] == pytest.approx(times, abs=20 * lost * h**2 + 1e-12)
    assert -impacts[-1].x_minus[1] == pytest.approx(speed, abs=20 * g * lost * h**2 + 1e-11)
    for event in impacts:
        assert event.x_plus[1] == pytest.approx(-e * event.x_minus[1], rel=1e-12)
    if not lost:
        assert abs(result.t_inf - bouncing_ball_accumulation(1.0, g, e)) <= 1e-9
    assert result.status is Status.FINISHED
    assert abs(result.x[:, -1]).max() < 1e-9
    assert result.gaps.min() > -1e-9


def bounced_process(method, max_step):
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    return ball.simulate((0, 9), [5.0, 0.0], start="up", method=method, max_step=max_step)


def test_a_process_accumulates():
    """By Ralston's method exactly at 3 s. The run is repeated with a quarter of the step for the error."""
    result = bounced_process(RALSTON, 0.01)
    assert result.status is Status.ACCUMULATION
    assert abs(result.t_inf - 3.0) <= result.t_inf_error < 1e-6


def test_hops_shorter_than_a_step_end_the_run_and_do_not_pass_the_floor():
    """A semi-implicit step lifts the ball only where its speed is above g h: slower hops are none."""
    result = bounced_process(SYMPLECTIC, 0.01)
    assert result.status is Status.EVENT_LOOP
    assert result.x[0].min() > -1e-12
    assert abs(result.x[1, -1]) < 10.0 * 0.01


def test_within_a_step_the_state_is_that_of_a_shorter_step():
    """A semi-implicit step is of degree two in its size, so that the cubic has it exactly."""
    result = FREE.simulate((0, 5), [1.0, 0.0], start="free", method=SYMPLECTIC, max_step=0.1)
    f = lambda t, x: np.array([x[1], -x[0]])  # noqa: E731
    for k in (0, 7, 42):
        for part in (0.011, 0.05, 0.083):
            shorter = semi_implicit_euler(f, 0.0, result.x[:, k], part)
            assert result(result.t[k] + part) == pytest.approx(shorter, abs=1e-14)


def test_within_a_step_of_a_tableau_the_state_is_on_the_cubic_with_the_rates_of_both_ends():
    """The error of the cubic is below h^4/384 of the fourth derivative, which is 1; that of the steps is smaller."""
    h, t = 0.05, np.linspace(0, 5, 777)
    result = FREE.simulate((0, 5), [1.0, 0.0], start="free", method=DORMAND_PRINCE, max_step=h)
    error = np.abs(result(t) - [np.cos(t), -np.sin(t)]).max()
    assert 0.2 * h**4 / 384 < error < 1.1 * h**4 / 384


def test_the_name_stays_with_the_result(tmp_path):
    result = FREE.simulate((0, 1), [1.0, 0.0], start="free", method=SYMPLECTIC, max_step=0.1)
    result.save(tmp_path / "run.npz")
    again = load(tmp_path / "run.npz")
    assert again.settings["method"] == result.settings["method"] == "semi-implicit Euler"
    assert np.array_equal(again(np.linspace(0, 1, 99)), result(np.linspace(0, 1, 99)))


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (RungeKutta([[]], [1.0]), 1),
        (RK4, 4),
        (DORMAND_PRINCE, 5),
        (RungeKutta(scipy.integrate.RK23.A, scipy.integrate.RK23.B), 3),
        (RungeKutta(scipy.integrate.DOP853.A, scipy.integrate.DOP853.B), 8),
    ],
)
def test_the_order_follows_from_the_tableau(method, order):
    """The orders are those of the literature; stages off by a millionth leave the first."""
    assert method.order == order
    assert order_of(np.array(method.a) * (1 + 1e-6), np.array(method.b)) == 1


def test_the_embedded_method_has_its_own_order():
    assert (BOGACKI_SHAMPINE.order, BOGACKI_SHAMPINE.layout.order) == (3, 2)
    weights = scipy.integrate.RK45.B, scipy.integrate.RK45.E
    pair = RungeKutta(scipy.integrate.RK45.A, weights[0], embedded=[*weights[0], 0.0] - weights[1])
    assert (pair.order, pair.layout.order) == (5, 4)


def test_whole_rows_are_the_same_method_as_those_below_the_diagonal():
    whole = RungeKutta([[0, 0], [2 / 3, 0]], [1 / 4, 3 / 4])
    assert whole.layout == RungeKutta([[], [2 / 3]], [1 / 4, 3 / 4]).layout
    assert whole.c == (0.0, 2 / 3)


def test_a_unit_of_a_tableau_is_its_name_so_that_another_process_can_compile_it():
    """What `compile_together` hands to a process is a line of text; other numbers are another unit."""
    units = BOGACKI_SHAMPINE.units()
    assert list(units) == ["advance", "dense"]
    for unit in units.values():
        assert unit.function.isprintable()
        assert getattr(own_tableau_kernel, unit.function) is not None
    assert set(units.values()).isdisjoint(RK4.units().values())
    with pytest.raises(AttributeError, match="own_tableau_kernel' has no attribute 'advance'"):
        own_tableau_kernel.advance  # noqa: B018


@pytest.mark.parametrize(
    ("tableau", "sentence"),
    [
        ({"a": [[]], "b": [0.5, 0.5]}, "a has 1 rows and b 2 weights, expected one row for each weight"),
        (
            {"a": [[], [1, 2, 3]], "b": [0.5, 0.5]},
            "row 2 of a has 3 entries, expected 1, those before the diagonal, to 2",
        ),
        ({"a": [[0.5]], "b": [1]}, r"row 1 of a has an entry on or above the diagonal .*not explicit.*'Radau'"),
        ({"a": [[], ["1"]], "b": [0.5, 0.5]}, r"row 2 of a: \['1'\] is not made of real numbers: '1' is text"),
        ({"a": [[], [np.inf]], "b": [0.5, 0.5]}, r"row 2 of a is \[inf\], expected a row of finite numbers"),
        ({"a": 3, "b": [1]}, "a is 3, expected a row for each stage"),
        ({"a": [[]], "b": []}, r"b is \[\], expected a row of finite numbers"),
        ({"a": [[]], "b": [0.9]}, "the weights b sum to 0.9, expected 1"),
        ({"a": [[], [0.5]], "b": [0, 1], "c": [0, 1]}, "c of stage 2 is 1, expected 0.5, the sum of its row of a"),
        ({"a": [[], [0.5]], "b": [0, 1], "c": [0]}, "c has 1 entries and b 2, expected one time for each stage"),
        ({"a": [[]], "b": [1], "embedded": [1, 0, 0]}, "embedded has 3 weights, expected 1, or 2"),
        ({"a": [[]], "b": [1], "embedded": [2]}, "the weights of embedded sum to 2, expected 1"),
        ({"a": [[]], "b": [1], "embedded": [1]}, "embedded has the weights of b, which estimates no error"),
        ({"a": [[]], "b": [0.9], "name": 3}, "b sum to 0.9, expected 1.*; name is 3, expected a text"),
    ],
)
def test_a_wrong_tableau_is_told_before_any_run(tableau, sentence):
    with pytest.raises(ValueError, match=sentence):
        RungeKutta(**tableau)


@pytest.mark.parametrize(
    ("method", "options", "sentence"),
    [
        (RungeKutta, {}, "method is <class .*RungeKutta'>, expected one of DOP853, .*a RungeKutta or a OneStep"),
        (semi_implicit_euler, {}, "method is <function semi_implicit_euler.*a RungeKutta or a OneStep"),
        (SYMPLECTIC, {"max_step": np.inf}, "'semi-implicit Euler' takes steps of one size: give it as max_step"),
        (replace(SYMPLECTIC, name="Radau"), {}, "a custom one called 'Radau', a name in use"),
        (OneStep(lambda f, t, x, h: x[:1], "short"), {}, r"'short' returned an array of shape \(1,\), expected \(2,\)"),
        (OneStep(lambda f, t, x, h: "x", "words"), {}, "'words' returned no state: 'x' is not made of real"),
        (OneStep(lambda f, t, x, h: f(t, x[:1]), "cut"), {}, r"the flow was given a state of shape \(1,\)"),
    ],
)
def test_a_wrong_method_is_told_in_a_sentence(method, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        FREE.simulate((0, 1), [1.0, 0.0], start="free", method=method, **{"max_step": 0.1, **options})


def test_what_is_no_function_is_no_step():
    with pytest.raises(TypeError, match=r"step is 3, expected a function step\(f, t, x, h\)"):
        OneStep(3)
    with pytest.raises(TypeError, match="name is 3, expected a text"):
        OneStep(semi_implicit_euler, name=3)


def test_what_a_step_raises_ends_the_run_with_what_there_is():
    def fails(f, t, x, h):
        if t > 0.5:
            raise RuntimeError("no convergence")
        return semi_implicit_euler(f, t, x, h)

    with pytest.raises(RuntimeError, match="no convergence") as raised:
        FREE.simulate((0, 1), [1.0, 0.0], start="free", method=OneStep(fails), max_step=0.1)
    assert "raised by the method 'fails' at t = 0.6" in raised.value.__notes__[0]
    assert raised.value.result.t[-1] == pytest.approx(0.6)


def test_a_step_that_is_no_number_ends_the_run():
    lost = OneStep(lambda f, t, x, h: x * np.nan, "lost")
    result = FREE.simulate((0, 1), [1.0, 0.0], start="free", method=lost, max_step=0.1)
    assert result.status is Status.NOT_FINITE
    assert len(result.t) == 1


def test_named_methods_and_own_ones_keep_the_same_promise():
    assert all(isinstance(method, Stepper) for method in (*METHODS.values(), SYMPLECTIC, RK4))
    assert [method.name for method in METHODS.values()] == list(METHODS)


def test_an_object_with_the_members_of_the_protocol_is_a_stepper():
    """It inherits nothing; here it has the steps of RK4, so that the run is the same one."""
    rk4, asked = METHODS["RK4"], []
    members = {"units": rk4.units, "begin": lambda faults: asked.append(faults) or rk4.begin(faults)}
    own = SimpleNamespace(name="own", layout=rk4.layout, **members)
    runs = [FREE.simulate((0, 1), [1.0, 0.0], start="free", method=one, max_step=0.1) for one in (own, "RK4")]
    assert len(asked) == 1
    assert np.array_equal(runs[0].x, runs[1].x)
    assert runs[0].settings["method"] == "own"


def test_the_name_of_before_answers_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"sympact\.Method is sympact\.Stepper since version 0\.2"):
        assert sympact.Method is Stepper
