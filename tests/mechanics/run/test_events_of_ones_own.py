"""Events that a run is asked for: where an expression passes zero, where a condition becomes true, where a run stops.

Times come from closed forms. The error of an event is that of the state, some 1e-12 with the tolerances of these runs,
divided by the rate of the margin; TIGHT leaves a factor of ten.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from again import check_again
from scipy.integrate import solve_ivp
from switch_models import E, G, M, Q, U, dropped, slider
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System, dynamicsymbols
from trajectory import check_trajectory

import sympact
from sympact import Contact, Crossing, EventKind, HybridModel, Interpolated, Plane, Status, Stop
from sympact.models import tumbling_cube

TIGHT = 1e-11
X, V, T = sm.symbols("x v t")
BALL = {M: 1.0, G: 9.81, E: 0.8}


def bouncing(t_span=(0.0, 2.0), **options):
    model = dropped(-M * G)
    result = model.simulate(t_span, {Q: 1.0, U: 0.0}, BALL, rtol=1e-12, atol=1e-14, **options)
    check_trajectory(result, model, BALL)
    return result


def spring(**options):
    """q = cos(2 t), u = -2 sin(2 t)."""
    return slider(-4 * X).simulate((0.0, 7.0), {Q: 1.0, U: 0.0}, {M: 1.0}, rtol=1e-12, atol=1e-14, **options)


def test_the_apexes_of_a_bouncing_ball_lie_between_its_impacts():
    result = bouncing(events={"apex": Crossing(U, -1)})
    flight = np.sqrt(2.0 / 9.81)
    first = flight * (1 + 0.8)
    second = first + flight * (0.8 + 0.64)
    np.testing.assert_allclose(result.events["apex"].t[:2], [first, second], rtol=0, atol=TIGHT)
    np.testing.assert_allclose([event.x_minus[0] for event in result.events["apex"][:2]], [0.64, 0.4096], atol=TIGHT)
    check_again(
        result,
        lambda one: dropped(-M * G).simulate(
            (one.t, 2.0), one.x_plus, BALL, rtol=1e-12, atol=1e-14, events={"apex": Crossing(U, -1)}
        ),
    )


def test_an_event_has_a_kind_a_name_and_two_equal_sides():
    event = bouncing(events={"apex": Crossing(U, -1)}).events["apex"][0]
    assert (event.kind, event.contacts) == (EventKind.CROSSING, ("apex",))
    assert np.array_equal(event.x_minus, event.x_plus)
    assert np.isnan(event.impulse).all()
    assert event.energy == 0.0


def test_an_impact_that_reverses_a_speed_is_an_event_where_that_counts():
    """The condition u > 0 becomes true at each impact, u = 0 is passed at each and at each apex."""
    result = bouncing(events={"up": U > 0, "both": U})
    impacts, apexes = result.events.impacts.t, result.events.of("both").t
    assert np.array_equal(result.events["up"].t, impacts)
    assert set(impacts) <= set(apexes)
    assert len(apexes) == 2 * len(impacts)


@pytest.mark.parametrize(
    ("direction", "times"),
    [(0, [1 / 6, 5 / 6, 7 / 6]), (None, [1 / 6, 5 / 6, 7 / 6]), (1, [5 / 6, 11 / 6]), (-1, [1 / 6, 7 / 6])],
)
def test_a_direction_selects_crossings(direction, times):
    result = spring(events={"half": Crossing(Q - 0.5, direction)})
    np.testing.assert_allclose(result.events["half"].t[: len(times)], np.pi * np.array(times), rtol=0, atol=TIGHT)
    check_again(
        result,
        lambda one: slider(-4 * X).simulate(
            (one.t, 7.0), one.x_plus, {M: 1.0}, rtol=1e-12, atol=1e-14, events={"half": Crossing(Q - 0.5, direction)}
        ),
    )


def test_conditions_become_true():
    """x > 1/2 again at 2 t = 5 pi/3; outside of 1/2 from 2 t = 2 pi/3 on; the first quarter backwards at 3 pi/2."""
    events = {
        "relation": sm.Rational(1, 2) < Q,
        "or": sm.Or(Q > 0.5, Q < -0.5),
        "and": sm.And(Q > 0, U > 0),
        "not": sm.Not(sm.Or(Q > 0.5, Q < -0.5)),
        "within": Crossing(sm.Abs(Q) - 0.5, -1),
    }
    found = {name: spring(events={name: event}).events for name, event in events.items()}
    first = {name: 2 * events[name].t[0] / np.pi for name, events in found.items()}
    truth = {"relation": 5 / 3, "or": 2 / 3, "and": 3 / 2, "not": 1 / 3, "within": 1 / 3}
    assert first == pytest.approx(truth, abs=TIGHT)
    assert {kind for events in found.values() for kind in events.kinds()} == {EventKind.CROSSING}


def test_events_of_time_and_of_data():
    force = dynamicsymbols("f")
    model = slider(force)
    ramp = Interpolated([0.0, 1.0, 3.0], [0.0, 2.0, 0.0])
    events = {"late": dynamicsymbols._t - sm.pi / 3, "strong": force > 1.5}
    result = model.simulate((0, 3), {Q: 0.0, U: 0.0}, {M: 1.0}, inputs={force: ramp}, events=events)
    assert result.events["late"].t == pytest.approx([np.pi / 3], abs=1e-15)
    assert result.events["strong"].t == pytest.approx([0.75], abs=1e-14)


def test_a_step_of_data_makes_a_condition_true():
    force = dynamicsymbols("f")
    held = Interpolated([0.0, 1.0, 2.0], [0.0, 5.0, 0.0], kind="hold")
    for model in (slider(force), dropped(force - M * G)):
        values = {M: 1.0} | ({G: 9.81, E: 0.5} if model.contacts else {})
        result = model.simulate(
            (0, 3), {Q: 50.0, U: 0.0}, values, inputs={force: held}, events={"on": force > 1, "off": force < 1}
        )
        assert [(event.t, event.contacts) for event in result.events] == [(1.0, ("on",)), (2.0, ("off",))]


def test_a_stop_ends_the_run():
    result = bouncing(events={"half": Stop(Q - 0.5, 1), "apex": U})
    assert result.status is Status.STOPPED
    assert result.success
    assert result.events[-1].kind == EventKind.STOP
    assert "half" in result.message
    rises = np.sqrt(2 / 9.81)
    speed = 0.8 * np.sqrt(2 * 9.81)
    assert result.t[-1] == pytest.approx(rises + (speed - np.sqrt(speed**2 - 9.81)) / 9.81, abs=TIGHT)
    assert result.x[0, -1] == pytest.approx(0.5, abs=1e-14)


def test_a_stop_at_an_impact_ends_the_run_after_it():
    result = bouncing(events={"hit": Stop(U > 0)})
    assert (result.status, len(result.events)) == (Status.STOPPED, 1)
    assert (result.events[0].kind, set(result.events[0].contacts)) == (EventKind.IMPACT, {"floor", "hit"})
    assert result.x[1, -1] > 0


def test_events_are_those_of_solve_ivp():
    """An independent integrator and search, for a pendulum that turns over: the sine of its angle and its speed."""
    model = slider(-9.81 * sm.sin(X))
    events = {"sine": sm.sin(Q), "slow": Crossing(U - 1, -1), "product": Q * U - 3}
    result = model.simulate((0, 6), {Q: 0.3, U: 5.5}, {M: 1.0}, events=events, rtol=1e-12, atol=1e-14)
    margins = [lambda t, x: np.sin(x[0]), lambda t, x: x[1] - 1, lambda t, x: x[0] * x[1] - 3]
    margins[1].direction = -1
    other = solve_ivp(
        lambda t, x: [x[1], -9.81 * np.sin(x[0])], (0, 6), [0.3, 5.5], "DOP853", rtol=1e-12, atol=1e-13, events=margins
    )
    for name, times in zip(events, other.t_events, strict=True):
        np.testing.assert_allclose(result.events[name].t, times, rtol=0, atol=1e-9)
    check_again(
        result,
        lambda one: model.simulate((one.t, 6), one.x_plus, {M: 1.0}, events=events, rtol=1e-12, atol=1e-14),
    )


def test_events_change_the_motion_by_its_tolerance_alone():
    plain, watched = spring(), spring(events={"often": sm.sin(20 * Q)})
    assert len(watched.events) > 50
    np.testing.assert_allclose(watched(plain.t), plain.x, rtol=0, atol=1e-10)


def test_a_model_without_events_is_the_same_as_before():
    model = dropped(-M * G)
    before = model.simulate((0, 2), {Q: 1.0, U: 0.0}, BALL)
    model.simulate((0, 2), {Q: 1.0, U: 0.0}, BALL, events={"apex": U})
    assert np.array_equal(model.simulate((0, 2), {Q: 1.0, U: 0.0}, BALL).x, before.x)
    assert model.watching({"apex": U}) is model.watching({"apex": U})


def test_events_while_contacts_are_closed():
    """A block that rests on a table that rises and falls slowly: the table is at its middle at t = k pi."""
    t = dynamicsymbols._t
    ground, block = RigidBody("ground"), Particle("block", mass=M)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("line", ground, block, Q, U, joint_axis=ground.z))
    system.apply_uniform_gravity(-G * ground.z)
    top = ground.masscenter.locatenew("top", sm.sin(t) * ground.z)
    table = Contact(block.masscenter, Plane(top, ground.z), restitution=0, friction=0, name="on")
    model = HybridModel(system, [table], length=1)
    numbers = {M: 1.0, G: 9.81}
    result = model.simulate((0, 10), {Q: 0.0, U: 1.0}, numbers, events={"middle": Q, "top": Crossing(U, -1)})
    check_trajectory(result, model, numbers)
    np.testing.assert_allclose(result.events["middle"].t, np.pi * np.arange(1, 4), rtol=0, atol=1e-8)
    np.testing.assert_allclose(result.events["top"].t, np.pi * np.array([0.5, 2.5]), rtol=0, atol=1e-8)
    assert {event.source for event in result.events["middle"]} == {"on"}


def test_a_run_from_an_event_continues_as_the_first():
    whole = bouncing(events={"apex": Crossing(U, -1)})
    apex = whole.events["apex"][0]
    rest = dropped(-M * G).simulate(
        (apex.t, 2), apex.x_plus, BALL, rtol=1e-12, atol=1e-14, events={"apex": Crossing(U, -1)}
    )
    np.testing.assert_allclose(rest.events["apex"].t, whole.events["apex"].t[1:], rtol=0, atol=TIGHT)


def test_an_island_has_its_own_events():
    """Two balls far apart: those of one do not touch the steps of the other."""
    ground = RigidBody("ground")
    system, speeds, heights = System.from_newtonian(ground), [], []
    for name in "ab":
        ball = Particle(name, mass=1)
        q, u = dynamicsymbols(f"q_{name} u_{name}")
        system.add_joints(PrismaticJoint(f"line {name}", ground, ball, q, u, joint_axis=ground.z))
        heights.append(q)
        speeds.append(u)
    system.apply_uniform_gravity(-10 * ground.z)
    model = HybridModel(system, [])
    start = dict(zip(model.x, [1.0, 2.0, 3.0, 4.0], strict=True))
    result = model.simulate((0, 1), start, {}, events={"a": speeds[0], "b": speeds[1] < 1})
    assert result.settings["islands"] == 2
    assert result.events["a"].t == pytest.approx([0.3], abs=1e-13)
    assert result.events["b"].t == pytest.approx([0.3], abs=1e-13)
    joined = model.simulate((0, 1), start, {}, events={"apart": heights[0] - heights[1] + 1.05})
    assert joined.events["apart"].t == pytest.approx([0.05], abs=1e-13)
    stopped = model.simulate((0, 1), start, {}, events={"end": Stop(speeds[0])})
    assert stopped.t[-1] == pytest.approx(0.3, abs=1e-13)
    assert "ends the run" in stopped.settings["islands"]


def test_events_of_a_free_body_in_a_quaternion():
    """An event of speeds leaves the rotation its quaternion; one that contains an angle has it integrated in angles."""
    cube = tumbling_cube()
    height, angle = cube.model.x[2], cube.model.q[3]
    assert cube.model.watching({"low": height - 9.9}).attitudes == {"B": "quaternion"}
    assert cube.model.watching({"turned": angle - 0.1}).attitudes["B"].startswith("angles")
    for events in ({"low": height - 9.9}, {"low": height - 9.9, "turned": angle}):
        result = cube.model.simulate((0, 0.3), cube.start, cube.parameters, events=events)
        found = result.events["low"]
        assert len(found) == 1
        assert found[0].x_minus[2] == pytest.approx(9.9, abs=1e-9)


def test_events_survive_a_file(tmp_path):
    result = bouncing(events={"apex": Crossing(U, -1)})
    result.save(tmp_path / "run.npz")
    loaded = sympact.load(tmp_path / "run.npz")
    assert np.array_equal(loaded.events["apex"].t, result.events["apex"].t)
    assert loaded.events.kinds() == result.events.kinds()
    assert loaded.path == result.path


def test_modes_do_not_count_events():
    assert bouncing(events={"apex": U, "half": Q - 0.5}).path == bouncing().path


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "BDF", "LSODA"])
def test_all_steppers_find_them(method):
    model = slider(-4 * X)
    result = model.simulate(
        (0, 3), {Q: 1.0, U: 0.0}, {M: 1.0}, method=method, rtol=1e-9, atol=1e-11, events={"zero": Q}
    )
    np.testing.assert_allclose(result.events["zero"].t, np.pi * np.array([0.25, 0.75]), rtol=0, atol=1e-7)
