"""Filippov's sliding along conditions of a flow."""

import numpy as np
import pytest
import sympy as sm
from scipy.linalg import expm
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, dynamicsymbols
from trajectory import check_trajectory

from sympact import Contact, EventKind, HybridModel, HybridSystem, Plane, Status, Transition
from sympact.models.planar import planar_system

x, y, v, z = sm.symbols("x y v z")
t = sm.Symbol("t")
TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def relay(sliding="filippov"):
    """x' = -sign(x) + t/2: from 0.5 it reaches zero at 2 - sqrt(2), and is pushed off it at t = 2."""
    return HybridSystem.from_sympy({"relay": [-sm.sign(x) + t / 2]}, [], states=[x], sliding=sliding)


def test_a_relay_slides_as_the_closed_form_says():
    result = relay().simulate((0, 6), [0.5], start="relay", **TIGHT)
    np.testing.assert_allclose(result.events.t, [2 - np.sqrt(2), 2], rtol=0, atol=1e-12)
    assert result.events.kinds() == [EventKind.SLIDE, EventKind.SWITCH]
    assert result.path == ("relay [x > 0]", "relay [x = 0]", "relay [x > 0]")
    assert [event.contacts for event in result.events] == [("x > 0",), ("x = 0",)]
    assert result(1.5)[0] == pytest.approx(0.0, abs=1e-15)
    assert result(6.0)[0] == pytest.approx(4.0, abs=1e-11)


def test_without_the_choice_the_run_ends():
    result = relay(None).simulate((0, 6), [0.5], start="relay")
    assert result.status is Status.SLIDING
    assert result.t[-1] == pytest.approx(2 - np.sqrt(2), abs=1e-9)


def test_a_choice_that_never_slides_changes_no_number():
    """Stages that are never entered leave the others as they are."""
    flow = {"a": [v, -x - sm.sign(v) / 9 + 2 * sm.sin(t)]}
    one, other = (
        HybridSystem.from_sympy(flow, [], states=[x, v], sliding=how).simulate((0, 20), [0, 2], start="a")
        for how in (None, "filippov")
    )
    assert one.status is other.status is Status.FINISHED
    assert one.t.tolist() == other.t.tolist()
    assert one.x.tolist() == other.x.tolist()


def test_a_start_on_the_boundary_slides_at_once():
    result = relay().simulate((0, 6), [0.0], start="relay", **TIGHT)
    assert result.events.t.tolist() == pytest.approx([0.0, 2.0], abs=1e-12)
    assert result(6.0)[0] == pytest.approx(4.0, abs=1e-11)


def test_stick_slip_is_that_of_the_friction_contact():
    """A driven oscillator on a rough floor: the contact's stick is the sliding along zero speed, to 1e-9 s."""
    m, k, g, mu, F, W = sm.symbols("m k g mu F Omega", positive=True)
    q, u = sm.Matrix(dynamicsymbols("x y")), sm.Matrix(dynamicsymbols("v_x v_y"))
    time, N, O = dynamicsymbols._t, ReferenceFrame("N"), Point("O")
    mass = Particle("mass", O.locatenew("P", q[0] * N.x + q[1] * N.y), m)
    system = planar_system(N, O, [mass], q, u, g)
    system.add_loads(Force(mass.masscenter, (-k * q[0] + F * sm.cos(W * time)) * N.x))
    floor = Contact(mass.masscenter, Plane(O, N.y), restitution=0, friction=mu, name="floor")
    numbers = {m: 1, k: 1, g: 10, mu: 0.07, F: 1, W: 0.4}
    start = {q[0]: 1.5, q[1]: 0, u[0]: 0.3, u[1]: 0}
    model = HybridModel(system, [floor])
    truth = model.simulate((0, 20), start, parameters=numbers, **TIGHT)
    check_trajectory(truth, model, numbers)
    conditions = HybridSystem.from_sympy(
        {"block": [v, (F * sm.cos(W * time) - k * x - mu * m * g * sm.sign(v)) / m]},
        [],
        states=[x, v],
        parameters=[m, k, g, mu, F, W],
        time=time,
        sliding="filippov",
    ).simulate((0, 20), [1.5, 0.3], start="block", parameters=numbers, **TIGHT)
    changes = [event for event in truth.events if event.kind != "close"]
    assert [(event.kind == "stick") for event in changes] == [event.kind == "slide" for event in conditions.events]
    np.testing.assert_allclose([event.t for event in changes], conditions.events.t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(truth(20)[[0, 2]], conditions(20), rtol=0, atol=1e-9)


def test_the_margin_is_kept_at_zero():
    """Both flows turn and lead to the unit circle: the motion slides along it, x = cos, y = sin."""
    s = sm.sign(x**2 + y**2 - 1)
    process = HybridSystem.from_sympy({"a": [-y - s * x, x - s * y]}, [], states=[x, y], sliding="filippov")
    result = process.simulate((0, 60), [2.0, 0.0], start="a", rtol=1e-6, atol=1e-6)
    entry = result.events[0]
    assert entry.t == pytest.approx(np.log(2), abs=1e-6)  # the radius is 2 exp(-t)
    along = result.t > entry.t
    assert np.abs(np.hypot(*result.x[:, along]) - 1).max() < 1e-12
    angle = np.unwrap(np.arctan2(result["y"], result["x"]))
    np.testing.assert_allclose(angle, result.t, rtol=0, atol=1e-3)


def test_two_conditions_slide_at_once():
    """Two relays without a connection: each as if it were alone."""
    flow = [-sm.sign(x) + t / 2, -sm.sign(z) + t / 3]
    process = HybridSystem.from_sympy({"a": flow}, [], states=[x, z], sliding="filippov")
    result = process.simulate((0, 6), [0.5, 0.6], start="a", **TIGHT)
    second = 3 - np.sqrt(9 - 3.6)
    np.testing.assert_allclose(result.events.t, [2 - np.sqrt(2), second, 2, 3], rtol=0, atol=1e-11)
    assert result.path[2] == "a [x = 0, z = 0]"
    assert result(6.0).tolist() == pytest.approx([4.0, 1.5], abs=1e-10)


def test_the_switch_of_one_condition_ends_the_sliding_along_another():
    """x' = -sign(x) + 2 Heaviside(t - 1): it slides along x = 0 until the step pushes it off."""
    process = HybridSystem.from_sympy(
        {"a": [-sm.sign(x) + 2 * sm.Heaviside(t - 1)]}, [], states=[x], sliding="filippov"
    )
    result = process.simulate((0, 3), [0.25], start="a", **TIGHT)
    np.testing.assert_allclose(result.events.t, [0.25, 1.0], rtol=0, atol=1e-12)
    assert result(3.0)[0] == pytest.approx(2.0, abs=1e-11)


def test_sliding_is_the_limit_of_hysteresis():
    """A relay that switches at +-width, as a process of two stages, moves as the sliding one up to some widths."""
    width = 1e-3
    turning = HybridSystem.from_sympy(
        {"up": [sm.cos(t) - y, 1], "down": [sm.cos(t) - y, -2]},
        [Transition("up", "down", boundary=y - v - width), Transition("down", "up", boundary=v - width - y)],
        states=[x, y],
        parameters=[v],
    ).simulate((0, 2), [0.0, 0.5], start="up", parameters=[0.5])
    u = sm.sign(y - v)
    sliding = HybridSystem.from_sympy(
        {"a": [sm.cos(t) - y, -u * 3 / 2 - sm.Rational(1, 2)]}, [], states=[x, y], parameters=[v], sliding="filippov"
    ).simulate((0, 2), [0.0, 0.5], start="a", parameters=[0.5])
    assert len(turning.events) > 100
    times = np.linspace(0, 2, 21)
    np.testing.assert_allclose(turning(times), sliding(times), rtol=0, atol=3 * width)


def test_a_transition_may_leave_a_stage_that_slides():
    process = HybridSystem.from_sympy(
        {"relay": [-sm.sign(x), 1], "rest": [0, 1]},
        [Transition("relay", "rest", boundary=y - 2), Transition("rest", "relay", boundary=y - 3, jump={x: 1, y: 0})],
        states=[x, y],
        sliding="filippov",
    )
    result = process.simulate((0, 4.5), [0.5, 0.0], start="relay", **TIGHT)
    np.testing.assert_allclose(result.events.t, [0.5, 2, 3, 4], rtol=0, atol=1e-12)
    assert result.path == ("relay [x > 0]", "relay [x = 0]", "rest", "relay [x > 0]", "relay [x = 0]")


def test_single_conditions_may_be_named():
    flow = {"a": [-sm.sign(x) + t / 2, 1 + sm.sign(z - 1) / 2]}
    process = HybridSystem.from_sympy(flow, [], states=[x, z], sliding={-x: "filippov"})
    assert process.simulate((0, 3), [0.5, 0], start="a").path[1] == "a [x = 0, z - 1 < 0]"
    flow = {"a": [-sm.sign(x) + t / 2, -sm.sign(z - 1)]}
    process = HybridSystem.from_sympy(flow, [], states=[x, z], sliding={x: "filippov"})
    assert process.simulate((0, 3), [0.5, 0], start="a").status is Status.SLIDING


def test_files_keep_the_names(tmp_path):
    from sympact import load

    result = relay().simulate((0, 6), [0.5], start="relay")
    result.save(tmp_path / "relay.npz")
    loaded = load(tmp_path / "relay.npz")
    assert loaded.path == result.path
    assert loaded.events.kinds() == result.events.kinds()


def test_sliding_goes_on_where_a_transition_leaves_the_state_on_the_condition():
    """The other part of a product changes its stage: no event of the condition."""
    other = HybridSystem.from_sympy({"up": [1]}, [Transition("up", "up", boundary=y - 0.9, jump=[0])], states=[y])
    result = (relay() * other).simulate((0, 3), [0.5, 0.0], start="relay, up", **TIGHT)
    np.testing.assert_allclose(result.events.t, [2 - np.sqrt(2), 0.9, 1.8, 2, 2.7], rtol=0, atol=1e-11)
    assert (result.events[1].source, result.events[1].target) == ("relay, up [x = 0]",) * 2
    assert result(3.0).tolist() == pytest.approx([0.25, 0.3], abs=1e-11)


def test_a_relay_feedback_loop_is_made_of_matrix_exponentials():
    """x' = A x - b sign(x_1) slides with x' = (I - b c/(c b)) A x as long as |c A x| < c b (Johansson et al. 1999)."""
    A, b, c = np.array([[-3.0, 1, 0], [-3, 0, 1], [-1, 0, 0]]), np.array([1.0, -2, 1]), np.array([1.0, 0, 0])
    X = sm.Matrix(sm.symbols("x1:4"))
    flow = sm.Matrix(A.astype(int)) * X - sm.Matrix(b.astype(int)) * sm.sign(X[0])
    process = HybridSystem.from_sympy({"loop": list(flow)}, [], states=list(X), sliding="filippov")
    result = process.simulate((0, 30), [0.5, 3, 0.1], start="loop", **TIGHT)
    kinds = result.events.kinds()
    assert kinds.count("slide") >= 6
    along = (np.eye(3) - np.outer(b, c) / (c @ b)) @ A
    begins = [
        (0.0, result.x[:, 0], "loop [x1 > 0]"),
        *((event.t, event.x_plus, event.target) for event in result.events),
    ]
    for (t0, x0, stage), t1 in zip(begins, [*result.events.t, 30.0], strict=True):
        force = {"loop [x1 > 0]": -b, "loop [x1 < 0]": b, "loop [x1 = 0]": 0 * b}[stage]
        whole = np.zeros((4, 4))
        whole[:3, :3], whole[:3, 3] = along if stage == "loop [x1 = 0]" else A, force
        truth = (expm(whole * (t1 - t0)) @ np.append(x0, 1.0))[:3]
        np.testing.assert_allclose(result(t1), truth, rtol=0, atol=1e-10)
    for event in result.events:
        assert abs(event.x_plus[0]) < 1e-12
        push = c @ A @ event.x_plus
        assert push == pytest.approx(np.sign(push), abs=1e-9) if event.kind == "switch" else abs(push) < 1
