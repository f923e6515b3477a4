"""When transitions fire: once for each time that their boundary rises through zero, and never unseen from beyond."""

import numpy as np
import pytest
import sympy as sm
from hypothesis import strategies as st
from quick_members import examples

from sympact import HybridSystem, Status, Transition

t, x, n, y, v = sm.symbols("t x n y v")
KINDS = ("symbolic", "plain")


def counter(kind, boundary):
    """x' = 1, and a transition to the same stage that counts its own firing; `boundary` is an expression of t and x."""
    if kind == "symbolic":
        edge = Transition("run", "run", boundary=boundary, jump={n: n + 1}, name="count")
        return HybridSystem.from_sympy({"run": [1, 0]}, [edge], states=[x, n])
    number = sm.lambdify((t, x), boundary, "math")
    edge = Transition(
        "run", "run", boundary=lambda t, x: number(t, x[0]), jump=lambda t, x: [x[0], x[1] + 1], name="count"
    )
    return HybridSystem({"run": lambda t, x: [1.0, 0.0]}, [edge])


def fall(kind, e=0.5, floor=0.0, **options):
    """A ball above a floor, from (y, v) as `simulate` takes them."""
    if kind == "symbolic":
        edge = Transition("air", "air", boundary=floor - y, jump={v: -e * v}, name="floor")
        return HybridSystem.from_sympy({"air": [v, -10]}, [edge], states=[y, v])
    edge = Transition(
        "air", "air", boundary=lambda t, x: floor - x[0], jump=lambda t, x: [x[0], -e * x[1]], name="floor"
    )
    return HybridSystem({"air": lambda t, x: [x[1], -10.0]}, [edge])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("boundary", "times"),
    [
        (t - 1, [1.0]),
        (x, [0.0]),
        (sm.tanh(5 * (x - 2)), [2.0]),
        (sm.sin(t) - sm.Rational(1, 2), [np.pi / 6 + 2 * np.pi * k for k in range(4)]),
        (x - 1 + 1000 * (x - 1) ** 3, [1.0]),
    ],
    ids=str,
)
def test_a_boundary_that_stays_up_fires_once(kind, boundary, times):
    """A clock that has struck, a walker that starts on its boundary and moves on: it has to fall before it fires."""
    result = counter(kind, boundary).simulate((0, 20), [0.0, 0.0], start="run")
    assert result.status is Status.FINISHED
    assert result.events.t.tolist() == pytest.approx(times, abs=1e-12)
    assert result.x[1, -1] == len(times)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["RK45", "RK4", "Radau"])
def test_it_fires_once_under_every_kind_of_stepper(kind, method):
    options = {"max_step": 0.1} if method == "RK4" else {}
    result = counter(kind, sm.sin(t) - 0.5).simulate((0, 20), [0.0, 0.0], start="run", method=method, **options)
    assert len(result.events) == 4


@examples(3, 10, phase=st.floats(0, 6.28), rate=st.floats(0.2, 3.0), level=st.floats(-0.95, 0.95))
def test_a_wave_fires_once_a_period(phase, rate, level):
    """sin(rate t + phase) passes a level upwards where the angle is asin(level) + 2 pi k, steps being shorter."""
    up = np.arcsin(level) + 2 * np.pi * np.arange(20)
    expected = (up - phase) / rate
    expected = expected[(expected > 1e-3) & (expected < 10 - 1e-3)]
    start = np.sin(phase) > level  # beyond at the start: it comes inside before it fires
    for kind in KINDS:
        process = counter(kind, sm.sin(rate * t + phase) - level)
        result = process.simulate((0, 10), [0.0, 0.0], start="run", max_step=0.5)
        if result.status is Status.BEYOND_BOUNDARY:
            assert start
            continue
        met = [event for event in result.events.t if 1e-3 < event < 10 - 1e-3]
        assert met == pytest.approx(expected.tolist(), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_another_transition_of_the_stage_does_not_wake_one_that_is_up(kind):
    """`late` is up from t = 1 on; `tick` fires at 2, 4, 6 and finds it up, which is no entry beyond it."""
    if kind == "symbolic":
        edges = [
            Transition("run", "run", boundary=t - 1, jump={n: n + 100}, name="late"),
            Transition("run", "run", boundary=x - 2, jump={x: 0, n: n + 1}, name="tick"),
        ]
        process = HybridSystem.from_sympy({"run": [1, 0]}, edges, states=[x, n])
    else:
        edges = [
            Transition("run", "run", boundary=lambda t, x: t - 1, jump=lambda t, x: [x[0], x[1] + 100], name="late"),
            Transition("run", "run", boundary=lambda t, x: x[0] - 2, jump=lambda t, x: [0, x[1] + 1], name="tick"),
        ]
        process = HybridSystem({"run": lambda t, x: [1.0, 0.0]}, edges)
    result = process.simulate((0, 7), [0.0, 0.0], start="run")
    assert result.status is Status.FINISHED
    assert [event.contacts[0] for event in result.events] == ["late", "tick", "tick", "tick"]
    assert result.events.t.tolist() == pytest.approx([1, 2, 4, 6], abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_beyond_a_boundary_is_told(kind):
    result = fall(kind).simulate((0, 1), [-0.1, 0.0], start="air")
    assert result.status is Status.BEYOND_BOUNDARY
    assert result.t_span[1] == 0.0
    assert "the stage 'air' began at t = 0 beyond the boundary 'floor' by 0.1" in result.message


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_beyond_a_boundary_that_does_not_move_is_told_at_the_end(kind):
    result = counter(kind, sm.Integer(1) + 0 * x).simulate((0, 1), [0.0, 0.0], start="run")
    assert result.status is Status.BEYOND_BOUNDARY
    assert result.t_span[1] == 1.0
    assert "'count' by 1" in result.message


@pytest.mark.parametrize("depth", [1e-17, 1e-14, 0.9e-12])
@pytest.mark.parametrize("kind", KINDS)
def test_a_start_below_by_what_the_tolerances_leave_open_is_one_on_the_boundary(kind, depth):
    """A hop from there with 1 m/s lasts 0.2 s; atol is 1e-12."""
    result = fall(kind).simulate((0, 0.25), [-depth, 1.0], start="air")
    assert result.status is Status.FINISHED
    assert result.events.t.tolist() == pytest.approx([0.2], abs=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_rounding_of_the_place_is_no_depth(kind):
    """A floor 1e6 m away from the origin: the place itself is known to 1e-10 m, and to 1e-3 m by rtol = 1e-9."""
    result = fall(kind, floor=1e6).simulate((0, 0.25), [1e6 - 2e-10, 1.0], start="air")
    assert result.status is Status.FINISHED
    assert result.events.t.tolist() == pytest.approx([0.2], abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stage_entered_beyond_a_boundary_is_told(kind):
    """A spring-legged runner that lifts off below the height of touchdown, and falls."""
    process = runner(kind, lift=-0.5)
    result = process.simulate((0, 10), [1.0, 0.0], start="flight")
    assert result.status is Status.BEYOND_BOUNDARY
    assert result.path == ("flight", "stance", "flight")
    assert "the stage 'flight' began at t = " in result.message
    assert "beyond the boundary 'touchdown' by 0.5" in result.message


@pytest.mark.parametrize("kind", KINDS)
def test_a_stage_entered_beyond_a_boundary_may_come_inside(kind):
    """Thrown up from 0.5 m below with 5 m/s it rises to 0.75 m and comes down to 0 after 0.5 + sqrt(0.15) s."""
    result = runner(kind, lift=-0.5, speed=5.0).simulate((0, 10), [1.0, 0.0], start="flight", max_events=3)
    assert result.path == ("flight", "stance", "flight", "stance")
    _, second, third = result.events.t
    assert third - second == pytest.approx(0.5 + np.sqrt(0.15), abs=1e-10)


def runner(kind, lift, speed=0.0):
    """Falls to y = 0, sinks with 1 m/s to `lift` - as if a leg gave way - and is let go there with a speed."""
    if kind == "symbolic":
        edges = [
            Transition("flight", "stance", boundary=-y, name="touchdown"),
            Transition("stance", "flight", boundary=lift - y, jump={v: speed}, name="liftoff"),
        ]
        return HybridSystem.from_sympy({"flight": [v, -10], "stance": [-1, 0]}, edges, states=[y, v])
    edges = [
        Transition("flight", "stance", boundary=lambda t, x: -x[0], name="touchdown"),
        Transition(
            "stance", "flight", boundary=lambda t, x: lift - x[0], jump=lambda t, x: [x[0], speed], name="liftoff"
        ),
    ]
    return HybridSystem({"flight": lambda t, x: [x[1], -10.0], "stance": lambda t, x: [-1.0, 0.0]}, edges)


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_loop_without_end_names_its_transitions(kind):
    names = ("there", "back")
    if kind == "symbolic":
        flows = {"a": [1], "b": [1]}
        edges = [
            Transition(*ends, boundary=x - 1, jump={x: 1}, name=name)
            for ends, name in zip(("ab", "ba"), names, strict=True)
        ]
        process = HybridSystem.from_sympy(flows, edges, states=[x])
    else:
        edges = [
            Transition(*ends, boundary=lambda t, x: x[0] - 1.0, jump=lambda t, x: [1.0], name=name)
            for ends, name in zip(("ab", "ba"), names, strict=True)
        ]
        process = HybridSystem(dict.fromkeys("ab", lambda t, x: [1.0]), edges)
    result = process.simulate((0, 2), [0.0], start="a")
    assert result.status is Status.EVENT_LOOP
    assert result.t_span[1] == pytest.approx(1.0, abs=1e-14)
    assert "the loop of transitions is there, back" in result.message or "back, there" in result.message
    assert np.isnan(result.t_inf)


def test_a_plastic_landing_is_no_boundary_that_stays_up():
    """At rest on the floor the ball is pulled through it: the jump fires again and changes nothing, which is told."""
    for kind in KINDS:
        result = fall(kind, e=0.0).simulate((0, 3), [5.0, 0.0], start="air")
        assert result.status is Status.JUMP_WITHOUT_EFFECT
        assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-14)
