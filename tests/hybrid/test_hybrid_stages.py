"""Stages with states of their own, stages of expressions beside plain functions, and what is known of stages."""

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from sympy.physics.mechanics import dynamicsymbols

from sympact import DiscreteTime, HybridSystem, Nested, Transition, load

w, y, v, T, z, k = sm.symbols("w y v T z k")
t = sm.Symbol("t")
CURVED = {y: v, v: -y - sm.sin(v) * v}
TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def splash():
    """A stone falls into water, which cools it; its temperature exists in water alone."""
    return HybridSystem.from_sympy(
        {"air": {y: v, v: -10}, "water": {y: v, v: -v - 1, T: 20 - T}},
        [Transition("air", "water", boundary=-y, jump={T: 80 + v})],
        states=[y, v, T],
    )


@pytest.mark.parametrize("method", members(["DOP853", "RK45", "BDF", "Radau", "LSODA"], slow=["RK45", "BDF"]))
def test_a_stage_takes_the_steps_that_it_takes_alone(method):
    """Error norm, first step and dense output see the states of the stage alone."""
    alone = HybridSystem.from_sympy({"a": CURVED}, [], states=[y, v])
    among = HybridSystem.from_sympy({"b": {w: -w, z: 1, T: w}, "a": CURVED}, [], states=[w, y, z, v, T])
    one = alone.simulate((0, 10), [1.0, 0.3], start="a", method=method)
    other = among.simulate((0, 10), {y: 1.0, v: 0.3}, start="a", method=method)
    times = np.linspace(0, 10, 41)
    assert one.t.tolist() == other.t.tolist()
    assert one(times).tolist() == other(times)[[1, 3]].tolist()
    assert np.isnan(other(times)[[0, 2, 4]]).all()


def test_the_implicit_method_takes_them_up_to_rounding():
    """Its Jacobian is a difference, whose rounding differs with the size of the linear system."""
    alone = HybridSystem.from_sympy({"a": CURVED}, [], states=[y, v])
    among = HybridSystem.from_sympy({"b": {w: -w, z: 1, T: w}, "a": CURVED}, [], states=[w, y, z, v, T])
    one = alone.simulate((0, 2), [1.0, 0.3], start="a", method="RadauIIA")
    other = among.simulate((0, 2), {y: 1.0, v: 0.3}, start="a", method="RadauIIA")
    np.testing.assert_allclose(one.t, other.t, rtol=1e-5)


def test_states_are_nan_where_a_stage_does_not_have_them(tmp_path):
    result = splash().simulate((0, 3), {y: 5, v: 0}, start="air")
    assert result.state_names == ("y", "v", "T")
    in_air = result.stages == "air"
    assert 0 < in_air.sum() < len(in_air)
    assert np.isnan(result["T"]).tolist() == in_air.tolist()
    assert np.isnan(result[T + y]).tolist() == in_air.tolist()
    impact = result.events[0]
    assert np.isnan(impact.x_minus[2])
    assert impact.x_plus[2] == pytest.approx(70, abs=1e-9)
    assert result.to_dataframe()["T"].isna().tolist() == in_air.tolist()
    result.save(tmp_path / "run.npz")
    loaded = load(tmp_path / "run.npz")
    np.testing.assert_array_equal(loaded(np.linspace(0, 3, 9)), result(np.linspace(0, 3, 9)))


def test_water_cools_the_stone_as_the_closed_form_says():
    """v = -1 - 9 exp(-s), T = 20 + 50 exp(-s) with s the time since the splash."""
    result = splash().simulate((0, 3), {y: 5, v: 0}, start="air", **TIGHT)
    s = np.linspace(0, 1.9, 20)
    depth = -s + 9 * np.expm1(-s)
    truth = [depth, -1 - 9 * np.exp(-s), 20 + 50 * np.exp(-s)]
    np.testing.assert_allclose(result(result.events[0].t + s), truth, rtol=0, atol=1e-10)


def test_a_run_continues_from_a_state_with_absent_entries():
    process = splash()
    whole = process.simulate((0, 3), {y: 5, v: 0}, start="air", **TIGHT)
    half = process.simulate((0, 0.5), {y: 5, v: 0}, start="air", **TIGHT)
    rest = process.simulate((0.5, 3), half.x[:, -1], start=half.path[-1], **TIGHT)
    np.testing.assert_allclose(rest.x[:, -1], whole.x[:, -1], rtol=0, atol=1e-10)


def test_arcs_agree_with_scipy():
    """Nonlinear flows of two and three states, each arc again by `scipy.integrate.solve_ivp` from the event's state."""
    flows = {
        "two": (lambda t, x: [x[1], -np.sin(x[0])], [0, 1]),
        "three": (lambda t, x: [x[1], -(x[0] ** 3) + x[2], -x[2] * x[0] ** 2], [0, 1, 2]),
    }
    process = HybridSystem.from_sympy(
        {"two": {y: v, v: -sm.sin(y)}, "three": {y: v, v: -(y**3) + T, T: -T * y**2}},
        [
            Transition("two", "three", boundary=y - 0.5, jump={T: v}),
            Transition("three", "two", boundary=-y - 0.25, jump={v: v + T}),
        ],
        states=[y, v, T],
    )
    result = process.simulate((0, 20), {y: 0, v: 1.2}, start="two", **TIGHT)
    assert len(result.events) >= 4
    ends = [*result.events.t, result.t[-1]]
    begins = [(0.0, result.x[:, 0], "two"), *((event.t, event.x_plus, event.target) for event in result.events)]
    for (t0, x0, name), t1 in zip(begins, ends, strict=True):
        flow, own = flows[name]
        truth = solve_ivp(flow, (t0, t1), x0[own], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        np.testing.assert_allclose(result(t1, side="left")[own], truth, rtol=0, atol=1e-9)


def test_linear_stages_agree_with_matrix_exponentials():
    """The stage's own A and b, in each arc: x' = A x + b is solved by one exponential with b as a column."""
    process = HybridSystem.from_sympy(
        {"spring": {y: v, v: 1 - k * y - v / 5}, "tanks": {y: T - y, v: y - v, T: -T + 2}},
        [
            Transition("spring", "tanks", boundary=y - 0.5, jump={T: y}),
            Transition("tanks", "spring", boundary=y - 1, jump={y: 0, v: 0}),
        ],
        states=[y, v, T],
        parameters=[k],
    )
    result = process.simulate((0, 12), {y: 0, v: 0}, start="spring", parameters={k: 3}, **TIGHT)
    assert len(result.events) >= 4
    times, place = [0.0, *result.events.t], {"y": 0, "v": 1, "T": 2}
    for t0, t1 in zip(times, result.events.t, strict=False):
        stage = process.stage(result.stages[np.searchsorted(result.t, t0, side="right")])
        own = [place[str(state)] for state in stage.states]
        n = len(own)
        A = np.zeros((n + 1, n + 1))
        A[:n, :n], A[:n, n:] = stage.A.subs(k, 3), stage.b
        start = np.append(result(t0)[own], 1.0)
        np.testing.assert_allclose(result(t1, side="left")[own], (expm(A * (t1 - t0)) @ start)[:n], rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("flow", "linear", "invariant"),
    [
        ([v, -k * y], True, True),
        ([v, sm.sin(t) - k * y], True, False),
        ([t * v, 1], True, False),
        ([v, -(y**2)], False, True),
        ([v, sm.Abs(y)], False, True),
        ([v, (y + 1) ** 2 - y**2], True, True),
        ([v, sm.Piecewise((1, y > 0), (0, True))], False, True),
        ([v, sm.sqrt(k) * y], True, True),
    ],
)
@pytest.mark.parametrize("states", [(y, v), tuple(dynamicsymbols("y v"))])
def test_linear_stages_are_recognized(flow, linear, invariant, states):
    flow = [sm.sympify(rate).subs(dict(zip((y, v), states, strict=True))) for rate in flow]
    stage = HybridSystem.from_sympy({"a": flow}, [], states=states, parameters=[k]).stage("a")
    assert (stage.linear, stage.time_invariant) == (linear, invariant)
    if linear:
        assert sm.expand(stage.A * sm.Matrix(states) + stage.b - sm.Matrix(flow)) == sm.zeros(2, 1)
    else:
        assert stage.A is stage.b is None


def test_the_keys_of_flows_are_the_states():
    """As with states=, also of processes in nests and in discrete time."""
    named = splash()
    bare = HybridSystem.from_sympy(dict(zip(named.stages, named.F, strict=True)), named.transitions)
    runs = [process.simulate((0, 2), {y: 2, v: 0}, start="air") for process in (named, bare)]
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    assert bare.states == named.states
    n = sm.Symbol("n")
    nested = {"fly": Nested(bare, start="air"), "count": DiscreteTime({n: n + 1}, every=0.1)}
    assert HybridSystem.from_sympy(nested, []).states == (*named.states, n)


def test_what_is_known_is_told():
    process = splash()
    assert "'water' (linear, time-invariant)" in repr(process)
    assert "linear, time-invariant" in [text.get_text() for text in process.draw().axes[0].texts]


def test_equal_stages_are_found():
    """Feet that take turns are one foot; a third that leads elsewhere is another, though its flow is the same."""
    left, right, limp = (
        Transition(a, b, boundary=y - 1, jump={y: 0}, name=a) for a, b in [("l", "r"), ("r", "l"), ("x", "end")]
    )
    process = HybridSystem.from_sympy(
        {"l": [v, 1], "r": [v, 1], "x": [v, 1], "end": [0, 0]}, [left, right, limp], states=[y, v]
    )
    assert process.equal_stages == (("l", "r"), ("x",), ("end",))


def test_functions_beside_expressions():
    """One process with the parts as expressions, as functions, and mixed: the same events, up to the search's root."""

    def swing(t, x):
        return [x[1], -x[0]]

    def heat(t, x):
        return [x[1], -x[0], 1.0]

    expressions = (
        {"p": {y: v, v: -y}, "s": {y: v, v: -y, T: 1}},
        (y - 0.5, {T: 2 * y}),
        (T - 2, {y: y / 4, v: v}),
    )
    functions = (
        {"p": swing, "s": heat},
        (lambda t, x: x[0] - 0.5, lambda t, x: [*x, 2 * x[0]]),
        (lambda t, x: x[2] - 2, lambda t, x: [x[0] / 4, x[1]]),
    )
    events = []
    for flow, there, back in [
        (expressions, expressions, expressions),
        (functions, functions, functions),
        (functions, expressions, functions),
        (expressions, functions, expressions),
        (functions, functions, expressions),
    ]:
        process = HybridSystem.from_sympy(
            flow[0],
            [
                Transition("p", "s", boundary=there[1][0], jump=back[1][1]),
                Transition("s", "p", boundary=back[2][0], jump=there[2][1]),
            ],
            states={"p": [y, v], "s": [y, v, T]},
        )
        result = process.simulate((0, 4), [0.0, 1.0], start="p", **TIGHT)
        assert result.path == ("p", "s", "p")
        events.append(result.events.t)
    np.testing.assert_allclose(events, [[np.pi / 6, np.pi / 6 + 1]] * 5, rtol=0, atol=1e-11)


def test_plain_functions_have_the_states_of_their_stage():
    process = HybridSystem(
        {"fill": lambda t, x: [1.0], "heat": lambda t, x: [0.0, 2.0]},
        [Transition("fill", "heat", boundary=lambda t, x: x[0] - 3, jump=lambda t, x: [x[0], 15.0])],
        states={"fill": ["level"], "heat": ["level", "temperature"]},
    )
    result = process.simulate((0, 5), [0.0], start="fill")
    assert result.state_names == ("level", "temperature")
    assert result.x[:, -1].tolist() == pytest.approx([3, 19], abs=1e-9)
    assert process.states == ("level", "temperature")


def test_a_tank_empties_as_torricelli_says():
    """h' = -c sqrt(h): sqrt(h) = sqrt(h0) - c t / 2, until the valve opens at the float's level."""
    h = sm.Symbol("h")
    process = HybridSystem.from_sympy(
        {"drain": {h: -sm.sqrt(h) / 2}, "fill": {h: 1 - sm.sqrt(h) / 2}},
        [Transition("drain", "fill", boundary=1 - h), Transition("fill", "drain", boundary=h - 2.25)],
        states=[h],
    )
    result = process.simulate((0, 8), [4.0], start="drain", **TIGHT)
    # filling: with r = sqrt(h), 2 r r' = 1 - r/2, so that t = -4 r - 8 ln(1 - r/2)
    filling = -4 * 0.5 - 8 * np.log((1 - 0.75) / (1 - 0.5))
    expected = np.cumsum([4.0, filling])
    np.testing.assert_allclose(result.events.t[:2], expected, rtol=0, atol=1e-9)
    assert result(2.0)[0] == pytest.approx((2 - 0.5) ** 2, abs=1e-11)


def test_functions_of_the_wrong_size_are_named():
    def process(flow=lambda t, x: [1.0], jump=lambda t, x: [x[0], 2.0]):
        return HybridSystem(
            {"one": flow, "two": lambda t, x: [0.0, 0.0]},
            [Transition("one", "two", boundary=lambda t, x: x[0] - 1, jump=jump)],
            states={"one": ["a"], "two": ["a", "b"]},
        )

    assert process().simulate((0, 2), [0.0], start="one").x[:, -1].tolist() == pytest.approx([1.0, 2.0])
    with pytest.raises(ValueError, match=r"jump of transition 'one -> two' .* of shape \(1,\), expected \(2,\)"):
        process(jump=lambda t, x: x).simulate((0, 2), [0.0], start="one")
    with pytest.raises(ValueError, match=r"flow of stage 'one' returned an array of shape \(2,\), expected \(1,\)"):
        process(flow=lambda t, x: [1.0, 2.0]).simulate((0, 2), [0.0], start="one")
    with pytest.raises(ValueError, match=r"x0 has 2 numbers, expected 1, one for each of \['a'\]"):
        process().simulate((0, 2), [0.0, 1.0], start="one")
