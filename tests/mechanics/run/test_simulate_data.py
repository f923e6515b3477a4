"""Data as inputs: closed forms of what they drive, exact landings on their knots, and sentences."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import (
    Akima1DInterpolator,
    BPoly,
    CubicSpline,
    PchipInterpolator,
    PPoly,
    UnivariateSpline,
    make_interp_spline,
)
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Interpolated, Plane, Status

m, g, e, mu = sm.symbols("m g e mu", positive=True)
x, z, u, v = dynamicsymbols("x z u v")
F, r, t = *dynamicsymbols("F r"), dynamicsymbols._t
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
KNOTS = np.array([0.0, 1.0, 2.5, 2.7, 5.0])
VALUES = np.array([0.0, 2.0, -1.0, 4.0, 1.0])
NUMBERS = {m: 2.0, g: 10.0, e: 0.5}


def moving(loads=(), contacts=(), planar=False, height=0) -> HybridModel:
    """A particle that moves along N.z, with `planar` along N.x too, above a plane."""
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", z * N.z + (x if planar else 0) * N.x)
    system = System(N, O)
    system.add_bodies(Particle("body", P, m))
    system.add_coordinates(*([x, z] if planar else [z]))
    system.add_speeds(*([u, v] if planar else [v]))
    system.add_kdes(*([u - x.diff()] if planar else []), v - z.diff())
    for along, force in loads:
        system.add_loads(Force(P, force * getattr(N, along)))
    floor = Plane(O.locatenew("table", height * N.z), N.z)
    return HybridModel(system, [Contact(P, floor, name="P", **options) for options in contacts])


@cache
def free() -> HybridModel:
    return moving([("z", F)])


@cache
def on_floor() -> HybridModel:
    return moving([("z", F - m * g)], [{"restitution": e, "friction": 0}])


@cache
def on_table() -> HybridModel:
    return moving([("z", -m * g)], [{"restitution": e, "friction": 0}], height=r)


def pieces(knots, values, kind) -> PPoly:
    """The same data as SciPy's piecewise polynomial."""
    if kind == "cubic":
        return CubicSpline(knots, values)
    slopes = np.diff(values) / np.diff(knots)
    rows = [slopes, values[:-1]] if kind == "linear" else [values[:-1]]
    return PPoly(np.stack(rows), knots)


@pytest.mark.parametrize("kind", ["linear", "hold", "cubic"])
@pytest.mark.parametrize("method", ["DOP853", "RK45", "RK4", "Radau", "LSODA"])
def test_a_free_mass_is_driven_by_data(kind, method):
    """m v' = F(t): v and z are the integrals of the data, and every knot is the end of a step."""
    options = {"max_step": 0.2} if method == "RK4" else {"rtol": 1e-8, "atol": 1e-10}
    result = free().simulate(
        (0, 5), [0.5, -1], {m: 2}, inputs={F: Interpolated(KNOTS, VALUES, kind)}, method=method, **options
    )
    exact, times = pieces(KNOTS, VALUES, kind), np.linspace(0, 5, 101)[:-1]
    speeds = -1 + exact.antiderivative(1)(times) / 2
    heights = 0.5 - times + exact.antiderivative(2)(times) / 2
    tolerance = {"DOP853": 1e-12, "RK45": 1e-7, "RK4": 1e-12 if kind != "cubic" else 1e-3}.get(method, 1e-6)
    np.testing.assert_allclose(result(times), [heights, speeds], rtol=0, atol=tolerance)
    assert set(KNOTS) <= set(result.t)
    assert not len(result.events)
    inner = result.t < 5
    np.testing.assert_allclose(result[F][inner], exact(result.t[inner]), rtol=1e-13, atol=1e-13)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    data=st.lists(st.tuples(st.floats(0.01, 0.7), st.floats(-20, 20)), min_size=3, max_size=12),
    kind=st.sampled_from(["linear", "hold", "cubic"]),
)
def test_any_data_are_integrated_to_rounding(data, kind):
    knots, values = np.cumsum([gap for gap, _ in data]), np.array([value for _, value in data])
    span = float(knots[0]), float(knots[-1])
    result = free().simulate(span, [0, 0], {m: 1}, inputs={F: Interpolated(knots, values, kind)})
    exact = pieces(knots, values, kind)
    state = exact.antiderivative(2)(span[1]), exact.antiderivative(1)(span[1])
    integral = [state[0] - exact.antiderivative(2)(span[0]), state[1] - exact.antiderivative(1)(span[0])]
    largest = np.abs(exact(np.linspace(*span, 999)[:-1])).max()
    np.testing.assert_allclose(result.x[:, -1], integral, rtol=0, atol=1e-12 * (1 + largest) * (1 + span[1]) ** 2)


def test_two_series_whose_knots_nearly_agree():
    """0.1 + 0.2 is not 0.3: the run lands on both."""
    other = dynamicsymbols("K")
    model = moving([("z", F + other)])
    one, two = Interpolated([0, 0.1 + 0.2, 1], [1, 2, 3], "hold"), Interpolated([0, 0.3, 1], [0, 5, 0], "hold")
    result = model.simulate((0, 1), [0, 0], {m: 1}, inputs={F: one, other: two})
    assert result.x[1, -1] == pytest.approx(0.3 * 1 + 0.7 * 7, abs=1e-13)
    assert {0.3, 0.1 + 0.2} <= set(result.t)


def test_data_in_expressions_and_conditions():
    """m v' = D + max(D, 1): the condition changes within the first piece, D = 2 t, at t = 1/2."""
    push, data = dynamicsymbols("K D")
    model = moving([("z", push + data)])
    inputs = {push: sm.Max(data, 1), data: Interpolated([0, 1, 2], [0, 2, 2])}
    result = model.simulate((0, 2), [0, 0], {m: 1}, inputs=inputs)
    assert [str(event.kind) for event in result.events] == ["switch"]
    assert result.events[0].t == pytest.approx(0.5, abs=1e-15)
    assert result.x[1, -1] == pytest.approx((0.5 + 0.75 + 2) + (1 + 2), abs=1e-12)


def test_a_held_value_turns_a_condition_over():
    """sign(F - z) with F held: the margin jumps at the knot, where no crossing is to be found."""
    model = moving([("z", sm.sign(F - 10) * m)])
    result = model.simulate((0, 3), [0, 0], {m: 2}, inputs={F: Interpolated([0, 1, 2], [0, 20, 0], "hold")})
    assert result.x[1, -1] == pytest.approx(-1.0, abs=1e-12)
    assert result(1.0)[1] == pytest.approx(-1.0, abs=1e-12)
    moved = moving([("z", sm.sign(F - z) * m)])
    result = moved.simulate((0, 3), [0, 0], {m: 2}, inputs={F: Interpolated([0, 1, 2], [5, -5, 5], "hold")})
    np.testing.assert_allclose(result([1.0, 2.0, 3.0])[1], [1.0, 0.0, 1.0], rtol=0, atol=1e-12)


def test_a_held_force_lifts_what_rests_at_its_knot():
    """30 N on 20 N of weight from t = 1 on: z = 5/2 (t - 1)^2; it falls from t = 2 on with 10 m/s^2."""
    push = Interpolated([0, 1, 2], [0.0, 30.0, 0.0], "hold")
    result = on_floor().simulate((0, 2.5), [0, 0], NUMBERS, inputs={F: push}, **TIGHT)
    assert [(str(event.kind), event.t) for event in result.events] == [("close", 0.0), ("open", 1.0)]
    np.testing.assert_allclose(result(2.0), [2.5, 5.0], rtol=1e-13)
    np.testing.assert_allclose(result.x[:, -1], [2.5 + 5 * 0.5 - 5 * 0.25, 0.0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(result(np.linspace(0, 1, 9))[0], 0, atol=0)


def test_a_linear_force_lifts_between_its_knots():
    """20 t N against 20 N: it opens at t = 1, then z = 5 (t - 1)^3 / 3."""
    result = on_floor().simulate((0, 2), [0, 0], NUMBERS, inputs={F: Interpolated([0, 2], [0, 40])}, **TIGHT)
    assert [str(event.kind) for event in result.events] == ["close", "open"]
    assert result.events[1].t == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(result.x[:, -1], [5 / 3, 5.0], rtol=1e-11)
    np.testing.assert_allclose(result.normal_force[0, 1:3], 20 * (1 - result.t[1:3]), rtol=0, atol=1e-9)


def test_a_block_that_data_push_slips_and_sticks_at_knots():
    """mu m g = 8 N: 6 N do not move it, 12 N make it slip with 2 m/s^2 from t = 1, and without a push it stops at
    t = 2.5, 2/2 + 2 * 0.5 / 2 = 1.5 m away."""
    model = moving([("z", -m * g), ("x", F)], [{"restitution": 0, "friction": mu}], planar=True)
    push = Interpolated([0, 1, 2], [6.0, 12.0, 0.0], "hold")
    result = model.simulate((0, 4), [0, 0, 0, 0], {m: 2, g: 10, mu: 0.4}, inputs={F: push}, **TIGHT)
    kinds = [(str(event.kind), round(event.t, 9)) for event in result.events]
    assert kinds[-2:] == [("slip", 1.0), ("stick", 2.5)]
    np.testing.assert_allclose(result(4.0), [1.5, 0, 0, 0], rtol=0, atol=1e-11)
    friction = result.friction_force_at([0.5, 1.5, 2.25, 3.0])[0][0]
    np.testing.assert_allclose(friction, [-6, -8, -8, 0], rtol=0, atol=1e-9)


def hops(table: PPoly, start: float, gravity: float, restitution: float, n: int):
    """Impacts of a ball dropped onto a table that moves by a spline, from the roots of cubic polynomials."""
    time, height, speed, found = 0.0, start, 0.0, []
    for _ in range(n):
        knots = np.unique(np.append(table.x[table.x > time], time))
        local = np.stack([table(knots[:-1], nu) / f for nu, f in zip((3, 2, 1, 0), (6, 2, 1, 1), strict=True)])
        since = knots[:-1] - time
        fall = [-gravity / 2 + 0 * since, speed - gravity * since, height + speed * since - gravity / 2 * since**2]
        apart = PPoly(np.stack([-local[0], *(np.array(fall) - local[1:])]), knots)
        roots = apart.roots(extrapolate=False)
        time_hit = roots[roots > time + 1e-9][0]
        speed -= gravity * (time_hit - time)
        height, time = float(table(time_hit)), time_hit
        motion = float(table(time, 1))
        speed = motion - restitution * (speed - motion)
        found.append((time, speed))
    return np.array(found)


@pytest.mark.parametrize("interpolated", [True, False])
def test_a_table_that_moves_by_a_cubic_spline(interpolated):
    """Every impact is that of the roots of the spline less the parabola of the flight."""
    knots = np.linspace(0, 6, 19)
    heights = 0.08 * np.sin(7.3 * knots) + 0.02 * np.cos(3 * knots)
    spline = CubicSpline(knots, heights)
    given_as = Interpolated(knots, heights, "cubic") if interpolated else spline
    result = on_table().simulate((0, 3), [1, 0], NUMBERS, inputs={r: given_as}, **TIGHT, max_events=6)
    exact = hops(spline, 1.0, 10.0, 0.5, len(result.events))
    assert len(exact) == 6
    np.testing.assert_allclose(result.events.t, exact[:, 0], rtol=0, atol=1e-9)
    np.testing.assert_allclose([event.x_plus[1] for event in result.events], exact[:, 1], rtol=0, atol=1e-8)
    np.testing.assert_allclose(result[r.diff(t, 2)], spline(result.t, 2), rtol=0, atol=1e-9)


def test_a_ball_that_lies_on_a_table_follows_its_spline():
    """It is thrown off where the table's acceleration falls below -g: at a root of the linear second derivative."""
    knots = np.linspace(0, 2, 11)
    spline = CubicSpline(knots, 0.2 * (1 - np.cos(4 * knots)), bc_type="clamped")
    result = on_table().simulate((0, 2), [float(spline(0)), 0], NUMBERS, inputs={r: spline}, **TIGHT, max_events=2)
    thrown = spline.derivative(2).solve(-10.0, extrapolate=False)[0]
    assert [str(event.kind) for event in result.events] == ["close", "open"]
    assert result.events[1].t == pytest.approx(thrown, abs=1e-9)
    times = np.linspace(0, thrown, 40)
    np.testing.assert_allclose(result(times)[0], spline(times), rtol=0, atol=1e-11)


SPLINES = {
    "CubicSpline": CubicSpline(KNOTS, VALUES),
    "Pchip": PchipInterpolator(KNOTS, VALUES),
    "Akima": Akima1DInterpolator(KNOTS, VALUES),
    "B of degree 1": make_interp_spline(KNOTS, VALUES, k=1),
    "B of degree 3": make_interp_spline(KNOTS, VALUES, k=3),
    "smoothing": UnivariateSpline(KNOTS, VALUES, k=2, s=1.0),
    "PPoly of degree 5": PPoly(np.arange(12.0).reshape(6, 2) - 5, [0.0, 2.0, 5.0]),
}


@pytest.mark.parametrize("spline", SPLINES.values(), ids=SPLINES)
def test_splines_of_scipy_are_inputs(spline):
    result = free().simulate((0, 5), [0, 0], {m: 1}, inputs={F: spline})
    integral = spline.antiderivative(1)
    scale = np.abs(integral(np.linspace(0, 5, 99))).max()
    for time in (0.3, 1.0, 2.6, 4.99):
        assert result(time)[1] == pytest.approx(float(integral(time) - integral(0.0)), abs=1e-12 * (1 + scale))
    np.testing.assert_allclose(result[F], spline(result.t), rtol=1e-12, atol=1e-11)


def test_a_periodic_spline_goes_on_for_ever():
    knots = np.linspace(-1, 1, 9)
    beat = CubicSpline(knots, np.sin(np.pi * knots), bc_type="periodic", extrapolate="periodic")
    result = free().simulate((0.3, 11.3), [0, 0], {m: 1}, inputs={F: beat})
    assert result.x[1, -1] == pytest.approx(float(beat.integrate(0.3, 11.3)), abs=1e-12)
    np.testing.assert_allclose(result[F], beat(result.t), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("model", "letter", "data", "sentence"),
    [
        (free, F, Interpolated([0, 1], [0, 1]), r"the input F\(t\) go from t = 0 to 1, but are needed from 0 to 2"),
        (free, F, Interpolated([1, 3], [0, 1], "hold"), r"go from t = 1 to inf, but are needed from 0 to 2"),
        (free, F, CubicSpline([0, 1], [0, 1], extrapolate=False), r"go from t = 0 to 1, but are needed"),
        (
            on_table,
            r,
            Interpolated([0, 1, 2], [0, 0.1, 0]),
            r"a rate that jumps at t = 1, .*the second derivative of",
        ),
        (
            on_table,
            r,
            Interpolated([0, 1, 2], [0, 0.1, 0], "hold"),
            r"have a value that jumps at t = 1, .*kind='cubic'",
        ),
        (free, F, CubicSpline([0, 1, 2], np.eye(3)), r"a CubicSpline with coefficients of shape \(4, 2, 3\); expected"),
        (free, F, BPoly([[1.0], [2.0]], [0, 2]), r"a BPoly .*from_bernstein_basis"),
    ],
)
def test_data_that_do_not_fit_are_refused(model, letter, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        model().simulate((0, 2), [1, 0], {s: NUMBERS[s] for s in model().parameters}, inputs={letter: data})


def test_straight_data_may_move_a_table():
    """What decides are the data, not their name: a rate that is the same on both sides of a knot does not jump."""
    lift = Interpolated([0, 1, 2], [0, 0.5, 1.0])
    result = on_table().simulate((0, 2), [2, 0], NUMBERS, inputs={r: lift}, **TIGHT, max_events=1)
    assert result.events[0].t == pytest.approx((-0.5 + np.sqrt(0.25 + 40)) / 10, abs=1e-12)
    assert result.events[0].x_plus[1] - 0.5 == pytest.approx(-0.5 * (result.events[0].x_minus[1] - 0.5), rel=1e-13)


def test_held_data_go_on_after_their_last_time():
    result = free().simulate((0, 5), [0, 0], {m: 1}, inputs={F: Interpolated([0.0], [3.0], "hold")})
    assert result.x[1, -1] == pytest.approx(15, rel=1e-14)


def test_many_knots_take_no_more_steps_than_knots():
    knots = np.linspace(0, 1, 2001)
    result = free().simulate((0, 1), [0, 0], {m: 1}, inputs={F: Interpolated(knots, np.sin(knots), "cubic")})
    assert result.status is Status.FINISHED
    assert result.counts["steps"] < 2000 + 20
    assert result.x[1, -1] == pytest.approx(1 - np.cos(1.0), abs=1e-12)


def test_interpolated_says_its_values():
    data = Interpolated([0, 1, 3], [0, 2, 2])
    np.testing.assert_allclose(data([[0.5, 1.0], [2.0, 3.0]]), [[1, 2], [2, 2]])
    assert repr(data) == "Interpolated(3 times from 0 to 3, kind='linear')"
    with pytest.raises(ValueError, match="the data go from t = 0 to 3, but are needed from 4 to 4"):
        data(4.0)
    with pytest.raises(ValueError, match="read-only"):
        data.values[0] = 1.0
