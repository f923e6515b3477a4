"""Events of the user's own in processes: found, recorded with both sides, in every kind of stage."""

import numpy as np
import pytest
import sympy as sm
from again import check_again
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import sympact
from sympact import (
    Count,
    Crossing,
    DiscreteTime,
    EventKind,
    HybridSystem,
    Integral,
    Maximum,
    Nested,
    Status,
    Stop,
    Transition,
)

x, y, v, n, T, e, w = sm.symbols("x y v n T e omega")
t = sm.Symbol("t")
TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def ball():
    """From 5 m with g = 10 and e = 0.8: impacts at 1, 1 + 1.6, ..., apexes in the middle between them."""
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")
    return HybridSystem.from_sympy({"air": [v, -10]}, [bounce], states=[y, v], parameters=[e])


def thrown(t, x):
    return [x[1], -10.0]


def plain_ball():
    bounce = Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.8 * x[1]], name="ground")
    return HybridSystem({"air": thrown}, [bounce], states=["y", "v"])


def oscillator():
    return HybridSystem.from_sympy({"swing": [v, -(w**2) * x]}, [], states=[x, v], parameters=[w])


APEX = [1.8, 3.24]  # 1 + 0.8, 2.6 + 0.64
LOW = [
    np.sqrt(0.8),
    *(start + half * one for start, half in ((1.8, np.sqrt(0.44)), (3.24, np.sqrt(0.2096))) for one in (-1, 1)),
]


def test_expressions_are_met_at_the_times_of_the_closed_form():
    events = {"apex": Crossing(v, -1), "low": y - 1}
    result = ball().simulate((0, 3.8), [5, 0], [0.8], start="air", events=events, **TIGHT)
    np.testing.assert_allclose(result.events["apex"].t, APEX, rtol=1e-12)
    np.testing.assert_allclose(result.events["low"].t, LOW, rtol=1e-12)
    check_again(
        result, lambda one: ball().simulate((one.t, 3.8), one.x_plus, [0.8], start="air", events=events, **TIGHT)
    )
    assert set(result.events["low"].kinds()) == {EventKind.CROSSING}
    assert result.events["apex"][0].contacts == ("apex",)
    assert result.path == ("air", "air", "air"), "a crossing enters no stage"
    for event in result.events.of("low"):
        assert event.x_minus.tolist() == event.x_plus.tolist()


def test_functions_are_met_at_the_same_times():
    def apex(t, x):
        return x[1]

    apex.direction = -1.0
    events = {"apex": apex, "low": lambda t, x: x[0] - 1}
    result = plain_ball().simulate((0, 3.8), [5, 0], start="air", events=events, **TIGHT)
    np.testing.assert_allclose(result.events["apex"].t, APEX, rtol=1e-12)
    check_again(
        result, lambda one: plain_ball().simulate((one.t, 3.8), one.x_plus, start="air", events=events, **TIGHT)
    )
    np.testing.assert_allclose(result.events["low"].t, LOW, rtol=1e-12)


def pendulum(t, x):
    return [x[1], -np.sin(x[0]) - 0.05 * x[1] + 0.3 * np.cos(1.3 * t)]


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_a_list_of_functions_is_that_of_solve_ivp(direction):
    def level(t, x):
        return x[0] + 0.2 * np.sin(t)

    def still(t, x):
        return x[1]

    level.direction = direction
    process = HybridSystem({"swing": pendulum}, [])
    result = process.simulate((0, 30), [1.0, 0.2], start="swing", events=[level, still], **TIGHT)
    other = solve_ivp(pendulum, (0, 30), [1.0, 0.2], events=[level, still], method="DOP853", **TIGHT)
    for name, times in zip(("level", "still"), other.t_events, strict=True):
        np.testing.assert_allclose(result.events[name].t, times, rtol=0, atol=1e-8)  # its dense output is of order 7
    check_again(
        result,
        lambda one: process.simulate((one.t, 30), one.x_plus, start="swing", events=[level, still], **TIGHT),
        within=1e-8,
    )
    level.terminal = True
    stopped = process.simulate((0, 30), [1.0, 0.2], start="swing", events=level, **TIGHT)
    assert (stopped.status, stopped.success) == (Status.STOPPED, True)
    assert stopped.t[-1] == pytest.approx(result.events["level"].t[0], abs=1e-11)
    level.terminal = 4
    stopped = process.simulate((0, 30), [1.0, 0.2], start="swing", events=level, **TIGHT)
    np.testing.assert_allclose(stopped.events["level"].t, result.events["level"].t[:4], rtol=0, atol=1e-11)
    assert stopped.status is Status.STOPPED


def test_events_without_names_are_a_list_and_boundaries_may_be_conditions():
    """The ball as it is, and with conditions for its boundary: the same bits."""
    bounces = [Transition("air", "air", boundary=b, jump={v: -e * v}, name="ground") for b in (y < 0, ~(y >= 0))]
    runs = [
        process.simulate((0, 4), [5, 0], [0.8], start="air", events=[v, Stop(y, occurrences=2)], **TIGHT)
        for process in (
            ball(),
            *(HybridSystem.from_sympy({"air": [v, -10]}, [one], states=[y, v], parameters=[e]) for one in bounces),
        )
    ]
    for result in runs:
        np.testing.assert_array_equal(result.x, runs[0].x)
        assert result.status is Status.STOPPED
        assert len(result.events["event 2"]) == 2
    with pytest.raises(ValueError, match=r"'transitions\[0\]' is Eq\(y, 0\), which no motion meets"):
        HybridSystem.from_sympy(
            {"air": [v, -10]}, [Transition("air", "air", boundary=sm.Eq(y, 0), jump={v: 0})], states=[y, v]
        )


@pytest.mark.parametrize("plain", [False, True])
def test_events_are_counted_through_all_stages_of_a_process(plain):
    """A mass that falls and is thrown up: it passes the height 1/2 in both stages."""
    fall = {"fall": [v, -1], "rise": [v, -1]}
    if plain:
        process = HybridSystem(
            flows={name: lambda t, x: [x[1], -1.0] for name in fall},
            transitions=[
                Transition("fall", "rise", boundary=lambda t, x: -x[0], jump=lambda t, x: [x[0], -x[1]]),
                Transition("rise", "fall", boundary=lambda t, x: -x[1]),
            ],
        )
        event = Stop(lambda t, x: x[0] - 0.5, occurrences=5)
    else:
        process = HybridSystem.from_sympy(
            fall,
            [Transition("fall", "rise", boundary=-y, jump={v: -v}), Transition("rise", "fall", boundary=-v)],
            states=[y, v],
        )
        event = Stop(y - sm.Rational(1, 2), occurrences=5)
    for _ in range(2):
        result = process.simulate((0, 99), [1.0, 0.0], start="fall", events={"half": event}, **TIGHT)
        # it falls from 1 to 1/2 in 1 s, to the ground in sqrt(2) s
        ground = np.sqrt(2)
        times = [1, 2 * ground - 1, 2 * ground + 1, 4 * ground - 1, 4 * ground + 1]
        np.testing.assert_allclose(result.events["half"].t, times, rtol=0, atol=1e-11)
        assert result.status is Status.STOPPED
    check_again(
        result, lambda one: process.simulate((one.t, 99), one.x_plus, start=one.target, events={"half": event}, **TIGHT)
    )


@given(st.floats(-0.95, 0.95), st.sampled_from([-1, 0, 1]), st.floats(0.5, 6.0))
@settings(max_examples=25, deadline=None)
def test_every_crossing_of_an_oscillation_is_found(level, direction, frequency):
    result = oscillator().simulate(
        (0, 20), [1, 0], [frequency], start="swing", events={"level": Crossing(x - level, direction)}, **TIGHT
    )
    first = np.arccos(level) / frequency
    turns = 2 * np.pi / frequency * np.arange(25)
    down, up = first + turns, 2 * np.pi / frequency - first + turns
    times = np.sort({-1: down, 0: np.concatenate([down, up]), 1: up}[direction])
    np.testing.assert_allclose(result.events.t, times[times < 20], rtol=0, atol=1e-8)


def test_a_dip_far_shorter_than_a_step_is_found():
    """Bounds, not samples, exclude a crossing: x = t passes 0.5 +- 1e-5 within one step."""
    process = HybridSystem.from_sympy({"on": [1]}, [], states=[x])
    dip = {"dip": (x - sm.Rational(1, 2)) ** 2 - sm.Float("1e-10")}
    result = process.simulate((0, 10), [0], start="on", events=dip)
    np.testing.assert_allclose(result.events.t, [0.49999, 0.50001], rtol=0, atol=1e-10)


def test_a_condition_counts_where_it_becomes_true():
    events = {"rising low": sm.And(y < 1, v > 0), "either": sm.Or(y > 3, v > 6)}
    result = ball().simulate((0, 3), [5, 0], [0.8], start="air", events=events, **TIGHT)
    times, (first, second) = result.events["rising low"].t, (1.0, 2.6)
    np.testing.assert_allclose(times, [first, second], rtol=1e-12)
    assert [event.contacts for event in result.events["rising low"]] == [("ground", "rising low", "either")] * 2
    np.testing.assert_allclose(result.events["either"].t, [1.0, 1.6, 2.6], rtol=1e-12)  # v = 8, y = 3, v = 6.4


def test_branches_of_an_event_that_is_never_met_change_as_often_as_they_like():
    """Max(x, v) of x = sin 10 t changes its branch twice a period, some four thousand times."""
    swings = oscillator().simulate(
        (0, 1300), [0, 10], [10], start="swing", events={"high": Crossing(sm.Max(x, v) - 20)}
    )
    assert swings.status is Status.FINISHED
    assert len(swings.events) == 0


def test_a_jump_past_zero_is_a_crossing_in_its_direction():
    for direction, number in ((1, 2), (-1, 1), (0, 3)):
        result = ball().simulate((0, 3), [5, 0.5], [0.8], start="air", events={"v": Crossing(v, direction)}, **TIGHT)
        own = result.events["v"]
        assert len(own) == number + (direction < 0) + (direction == 0), (direction, own.t)
        assert [event.kind == EventKind.TRANSITION for event in own].count(True) == (2 if direction >= 0 else 0)


def stone():
    """Where it enters the water it gets a temperature, which it does not have in the air."""
    return HybridSystem.from_sympy(
        {"air": {y: v, v: -10}, "water": {y: v, v: -v, T: -T}},
        [
            Transition("air", "water", boundary=-y, jump={T: 60}, name="in"),
            Transition("water", "air", boundary=-y - 4, jump={y: 5, v: 0}, name="out"),
        ],
        states=[y, v, T],
    )


def test_an_event_exists_in_the_stages_that_have_its_states():
    events = {"warm": T - 50, "fast": -v - 5}
    result = stone().simulate((0, 3.4), {y: 5, v: 0}, start="air", events=events, **TIGHT)
    depth = np.log(1 / (1 - 0.4))  # v = -10 exp(-s), y = -10 (1 - exp(-s)) = -4
    cycle, warm = 1 + depth, 1 + np.log(1.2)
    np.testing.assert_allclose(result.events["warm"].t, [warm, cycle + warm], rtol=1e-11)
    assert set(result.events["warm"].kinds()) == {EventKind.CROSSING}, "no crossing where a stage is entered"
    np.testing.assert_allclose(result.events["fast"].t, [0.5, cycle, cycle + 0.5, 2 * cycle], rtol=1e-11)
    check_again(
        result, lambda one: stone().simulate((one.t, 3.4), one.x_plus, start=one.target, events=events, **TIGHT)
    )
    assert [event.contacts for event in result.events["fast"]][:2] == [("fast",), ("out", "fast")]


def test_functions_beside_expressions():
    """A stage with a function is followed by values, its events too."""
    process = HybridSystem.from_sympy(
        {"air": lambda t, x: [x[1], -10.0]},
        [Transition("air", "air", boundary=-y, jump={v: -0.8 * v}, name="ground")],
        states=[y, v],
    )
    result = process.simulate((0, 3.8), [5, 0], start="air", events={"low": y - 1, "apex": Crossing(v, -1)}, **TIGHT)
    np.testing.assert_allclose(result.events["low"].t, LOW, rtol=1e-11)
    np.testing.assert_allclose(result.events["apex"].t, APEX, rtol=1e-11)


def test_updates_at_instants_cross_too():
    """n counts to 7 in steps of 0.1 s: it exceeds 4.5 at the fifth."""
    counter = HybridSystem.from_sympy({"on": DiscreteTime({n: n + 1}, every=0.1)}, [], states=[n])
    result = counter.simulate((0, 0.75), [0], start="on", events={"half": n - sm.Rational(9, 2), "five": n >= 5})
    assert result.events["half"].t.tolist() == result.events["five"].t.tolist() == [0.5]
    assert len(result.events) == 1
    assert (result.events[0].x_minus[0], result.events[0].x_plus[0]) == (5.0, 5.0), "the update is before the event"
    stopped = counter.simulate((0, 2), [0], start="on", events={"half": Stop(n > 4)})
    assert (stopped.status, stopped.t[-1]) == (Status.STOPPED, 0.5)


def test_events_along_a_sliding_motion():
    """x' = -sign(x), y' = 1: x slides on zero from 0.5 on; the event of y is met there, and the sliding goes on."""
    process = HybridSystem.from_sympy({"relay": [-sm.sign(x), 1]}, [], states=[x, y], sliding="filippov")
    events = {"y": y - 2, "x": x - sm.Rational(1, 4)}
    result = process.simulate((0, 3), [0.5, 0], start="relay", events=events, **TIGHT)
    np.testing.assert_allclose(result.events.t, [0.25, 0.5, 2.0], rtol=1e-12)
    assert result.events.kinds() == [EventKind.CROSSING, EventKind.SLIDE, EventKind.CROSSING]
    np.testing.assert_allclose(result(2.5), [0.0, 2.5], atol=1e-12)


def test_products_and_nested_processes():
    u = sm.Symbol("u")
    falling = HybridSystem.from_sympy({"fall": [-u]}, [], states=[u])
    both = (ball() * falling).simulate(
        (0, 2), {y: 5, v: 0, u: 1}, {e: 0.8}, start="air, fall", events={"u": u - sm.exp(-1), "low": y - 1}, **TIGHT
    )
    np.testing.assert_allclose(both.events["u"].t, [1.0], rtol=1e-11)
    np.testing.assert_allclose(both.events["low"].t, [time for time in LOW if time < 2], rtol=1e-11)
    relay = HybridSystem.from_sympy(
        {"up": [1], "down": [-1]},
        [Transition("up", "down", boundary=x - 1), Transition("down", "up", boundary=-x)],
        states=[x],
    )
    process = HybridSystem.from_sympy({"on": Nested(relay, start="up")}, [], states=[x])
    found = process.simulate((0, 4), [0.25], start="on", events={"half": x - sm.Rational(1, 2)})
    np.testing.assert_allclose(found.events["half"].t, [0.25, 1.25, 2.25, 3.25], rtol=1e-12)


@pytest.mark.parametrize("make", [ball, plain_ball])
def test_a_run_that_keeps_its_events_has_the_bits_of_the_whole_run(make):
    low = {"low": y - 1} if make is ball else {"low": lambda t, x: x[0] - 1}
    options = {"start": "air", "events": low, "parameters": [0.8] if make is ball else None}
    observe = {"highest": Maximum("y"), "way": Integral("v"), "hits": Count("ground"), "lows": Count("low")}
    whole = make().simulate((0, 3.8), [5, 0], observe=observe, **options)
    kept = make().simulate((0, 3.8), [5, 0], keep="events", observe=observe, t_eval=[0.5, 2.0], **options)
    assert kept.events.t.tolist() == whole.events.t.tolist()
    for one, other in zip(kept.events, whole.events, strict=True):
        assert one.x_plus.tolist() == other.x_plus.tolist()
    assert kept.t.tolist() == [0.5, 2.0]
    np.testing.assert_allclose(kept.x[0], [3.75, 3.0], rtol=1e-9)
    assert len(kept._record.t) < len(whole._record.t)
    for name in observe:
        assert kept.observed[name].value == pytest.approx(whole.observed[name].value, rel=1e-12)
    assert whole.observed["lows"].value == 5.0
    assert whole.observed["hits"].value == 2.0
    assert whole.observed["way"].value == pytest.approx(whole["y"][-1] - 5, rel=1e-9)


def test_a_file_of_a_run_with_events_is_read_with_its_process(tmp_path):
    process = ball()
    result = process.simulate((0, 3), [5, 0], [0.8], start="air", events={"low": y - 1})
    result.save(tmp_path / "run.npz")
    again = sympact.load(tmp_path / "run.npz", model=process)
    assert again.events["low"].t.tolist() == result.events["low"].t.tolist()
    assert again[y + v].tolist() == result[y + v].tolist()


def test_an_exception_of_an_event_carries_the_run():
    def wrong(t, x):
        if t > 1:
            raise ZeroDivisionError("beyond")
        return x[0] + 1

    with pytest.raises(ZeroDivisionError, match="beyond") as caught:
        plain_ball().simulate((0, 3), [5, 0], start="air", events={"wrong": wrong})
    assert "the event 'wrong'" in caught.value.__notes__[0]
    assert caught.value.result.t[-1] <= 1.0


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (
            {"low": lambda t, x: x[0]},
            "'low' is the function '<lambda>'; expected an expression of the process's symbols",
        ),
        ("y", "events is 'y', expected a mapping of names"),
        ([y, 5], "'event 2' is 5, expected an expression of the process's symbols"),
        ({"ground": y}, "an event is called 'ground', as a transition is"),
        ({"": y}, "an event is called ''; expected a text"),
        ({"z": sm.Symbol("z") - 1}, "the event 'z'"),
        ({"same": sm.Eq(y, 1)}, "which no motion meets for longer than an instant"),
        ({"rate": y.diff(t) + sm.Function("f")(t).diff(t)}, "the event 'rate'"),
        ({"five": 5}, "'five' is 5, expected an expression of the process's symbols"),
    ],
)
def test_wrong_events_are_told(events, told):
    with pytest.raises((TypeError, ValueError), match=told):
        ball().simulate((0, 1), [5, 0], [0.8], start="air", events=events)


def test_wrong_functions_are_told():
    def often(t, x):
        return x[0]

    often.terminal = -3
    for events, told in (
        (often, "terminal = -3; expected True"),
        ({"low": y}, "'low' is y, expected a function"),
        ({"low": lambda t, x: [1.0, 2.0]}, "the event 'low' returned an array of shape"),
        ("low", "events is 'low', expected a mapping of names to functions"),
        (5, "events is 5"),
    ):
        with pytest.raises((TypeError, ValueError), match=told):
            plain_ball().simulate((0, 1), [5, 0], start="air", events=events)
    with pytest.raises(KeyError, match="a process of plain functions has its states alone"):
        plain_ball().simulate((0, 1), [5, 0], start="air", observe={"high": Maximum(y)})
    with pytest.raises(ValueError, match="events may have the participants"):
        plain_ball().simulate((0, 1), [5, 0], start="air", observe={"n": Count("floor")})
    with pytest.raises(ValueError, match="keep is 'some'"):
        plain_ball().simulate((0, 1), [5, 0], start="air", keep="some")
