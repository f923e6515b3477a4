"""Products of processes that run side by side, and stages that are processes."""

import numpy as np
import pytest
import sympy as sm

from sympact import DiscreteTime, HybridSystem, Nested, Transition, product

x, y, n, T, k = sm.symbols("x y n T k")
t = sm.Symbol("t")
TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def saw(state, top=1):
    edge = Transition("up", "up", boundary=state - top, jump=[0], name=f"{state} falls")
    return HybridSystem.from_sympy({"up": [1]}, [edge], states=[state])


def thermostat(plain=False):
    """2 K/s up to 22, 1 K/s down to 20."""
    if plain:
        return HybridSystem(
            {"on": lambda t, x: [2.0], "off": lambda t, x: [-1.0]},
            [
                Transition("on", "off", boundary=lambda t, x: x[0] - 22),
                Transition("off", "on", boundary=lambda t, x: 20 - x[0]),
            ],
            states=["T"],
        )
    edges = [Transition("on", "off", boundary=T - 22), Transition("off", "on", boundary=20 - T)]
    return HybridSystem.from_sympy({"on": [2], "off": [-1]}, edges, states=[T])


def counter():
    edge = Transition("count", "count", boundary=n - 4, jump={n: 0}, name="wrap")
    return HybridSystem.from_sympy({"count": DiscreteTime({n: n + 1}, every=0.3)}, [edge], states=[n])


@pytest.mark.parametrize("plain", [False, True])
def test_the_parts_of_a_product_move_as_alone(plain):
    """Continuous time beside discrete time; the clock goes on in the transitions of the other part."""
    both = thermostat(plain) * counter()
    assert both.stages == ("on, count", "off, count")
    result = both.simulate((0, 6.1), [21, 0], start="on, count")
    warm, counted = (
        thermostat().simulate((0, 6.1), [21.0], start="on"),
        counter().simulate((0, 6.1), [0.0], start="count"),
    )
    times = np.linspace(0, 6.1, 123)
    np.testing.assert_allclose(result(times)[0], warm(times)[0], rtol=0, atol=1e-12)
    assert result(times)[1].tolist() == counted(times)[0].tolist()
    np.testing.assert_allclose(result.events.t, np.sort([*warm.events.t, *counted.events.t]), rtol=0, atol=1e-12)


def test_transitions_at_one_instant_are_both_taken_the_left_first():
    for left, right in ((x, y), (y, x)):
        result = product(saw(left), saw(right)).simulate((0, 3.5), [0, 0], start="up, up")
        assert [event.contacts[0] for event in result.events] == [f"{left} falls", f"{right} falls"] * 3
        np.testing.assert_allclose(result.events.t, [1, 1, 2, 2, 3, 3], rtol=0, atol=1e-12)
        assert result(3.5).tolist() == pytest.approx([0.5, 0.5], abs=1e-12)


def test_many_simultaneous_transitions():
    """Periods 1 and 3/2 meet at every 3 s: in each of them 5 transitions."""
    result = (saw(x) * saw(y, sm.Rational(3, 2))).simulate((0, 30.5), [0, 0], start="up, up")
    assert len(result.events) == 50
    assert result(30.5).tolist() == pytest.approx([0.5, 0.5], abs=1e-10)


def test_products_of_products():
    both = saw(x) * saw(y, 2) * counter()
    result = both.simulate((0, 5), [0, 0, 0], start="up, up, count")
    assert result(4.5).tolist() == pytest.approx([0.5, 0.5, 15 % 4], abs=1e-10)


def test_parts_with_states_of_their_own():
    pool = HybridSystem.from_sympy(
        {"dry": {x: 1}, "wet": {x: 1, y: -y}},
        [Transition("dry", "wet", boundary=x - 1, jump={y: 3}), Transition("wet", "dry", boundary=x - 2, jump={x: 0})],
        states=[x, y],
    )
    result = (thermostat() * pool).simulate((0, 5), {T: 21, x: 0}, start="on, dry", **TIGHT)
    alone = pool.simulate((0, 5), {x: 0}, start="dry", **TIGHT)
    times = np.linspace(0, 5, 77)
    np.testing.assert_allclose(result(times)[1:], alone(times), rtol=0, atol=1e-9)


def test_functions_with_jumps_of_the_other_size():
    def grow(t, x):
        return [1.0] * len(x)

    def filling(first, second, top):
        return HybridSystem(
            {"one": grow, "two": grow},
            [
                Transition("one", "two", boundary=lambda t, x: x[0] - 1, jump=lambda t, x: [x[0], 5.0]),
                Transition("two", "one", boundary=lambda t, x: x[1] - top, jump=lambda t, x: [x[1] - top]),
            ],
            states={"one": [first], "two": [first, second]},
        )

    left, right = filling("a", "b", 6), filling("c", "d", 7)
    result = (left * right).simulate((0, 7), [0.0, 0.5], start="one, one")
    times = np.linspace(0, 7, 50)
    for alone, rows in (
        (left.simulate((0, 7), [0.0], start="one"), [0, 1]),
        (right.simulate((0, 7), [0.5], start="one"), [2, 3]),
    ):
        np.testing.assert_allclose(result(times)[rows], alone(times), rtol=0, atol=1e-9)


def car():
    gears = HybridSystem.from_sympy(
        {"low": [2], "high": [1]},
        [Transition("low", "high", boundary=x - 3, name="up"), Transition("high", "low", boundary=1 - x, name="down")],
        states=[x],
    )
    return HybridSystem.from_sympy(
        {"drive": Nested(gears, start="low"), "coast": {x: -x, y: 1}},
        [
            Transition("drive", "coast", boundary=x - sm.Rational(7, 2), jump={y: 0}),
            Transition("coast", "drive", boundary=y - 1),
        ],
        states=[x, y],
    )


def test_an_inner_process_refines_its_stage():
    result = car().simulate((0, 3.7), {x: 0}, start="drive")
    assert result.path == ("drive.low", "drive.high", "coast", "drive.low")
    assert result.events.t.tolist() == pytest.approx([1.5, 2.0, 3.0], abs=1e-12)
    assert result.events[0].contacts == ("drive.up",)
    assert result(3.0)[0] == pytest.approx(3.5 * np.exp(-1), abs=1e-8)
    assert result(3.5)[0] == pytest.approx(3.5 * np.exp(-1) + 1, abs=1e-8)


def test_outer_transitions_go_first():
    """Both fire at t = 1.5: the outer one is taken, and the inner process does not change its stage."""
    inner = HybridSystem.from_sympy({"a": [2], "b": [1]}, [Transition("a", "b", boundary=x - 3)], states=[x])
    outer = HybridSystem.from_sympy(
        {"in": Nested(inner, start="a"), "out": [0]},
        [Transition("in", "out", boundary=t - sm.Rational(3, 2))],
        states=[x],
    )
    result = outer.simulate((0, 2), [0.0], start="in")
    assert result.path == ("in.a", "out")


def test_nests_of_nests():
    whole = HybridSystem.from_sympy(
        {"trip": Nested(car(), start="drive"), "home": {n: 1}},
        [
            Transition("trip", "home", boundary=(t - 2.5) * (3 - t), jump={n: 7}),
            Transition("home", "trip", boundary=n - 8, jump={x: 2}),
        ],
        states={"trip": [], "home": [n]},
    )
    result = whole.simulate((0, 4.2), {x: 0}, start="trip")
    assert result.path == (
        "trip.drive.low",
        "trip.drive.high",
        "trip.coast",
        "home",
        "trip.drive.low",
        "trip.drive.high",
    )
    assert whole.stages == ("trip.drive.low", "trip.drive.high", "trip.coast", "home")
    assert (whole * saw(T)).simulate((0, 1), {x: 0, T: 0}, start="trip, up").path[0] == "trip.drive.low, up"


def test_nested_functions():
    gears = HybridSystem(
        {"low": lambda t, x: [2.0], "high": lambda t, x: [1.0]},
        [Transition("low", "high", boundary=lambda t, x: x[0] - 3.0)],
        states=["speed"],
    )
    outer = HybridSystem(
        {"drive": Nested(gears, start="low"), "coast": lambda t, x: -x},
        [Transition("drive", "coast", boundary=lambda t, x: t - 2.0)],
        states=["speed"],
    )
    assert outer.simulate((0, 3), [0.0], start="drive").path == ("drive.low", "drive.high", "coast")


def test_clocks_of_both_parts_tick_at_one_instant():
    y_of = DiscreteTime({y: y + k}, every=0.2, index=k)
    left = HybridSystem.from_sympy({"a": DiscreteTime({n: 2 * n}, every=0.1)}, [], states=[n])
    right = HybridSystem.from_sympy({"b": y_of}, [], states=[y])
    result = (left * right).simulate((0, 1), {n: 1, y: 0}, start="a, b")
    times = np.arange(1, 11) * 0.1
    assert result(times)[0].tolist() == (2.0 ** np.arange(1, 11)).tolist()
    assert result(np.arange(1, 6) * 0.2)[1].tolist() == [0, 1, 3, 6, 10]
