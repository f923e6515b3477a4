"""Events of models of which values alone are known: Python functions, and expressions of contact forces."""

from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sm
from again import check_again
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, Crossing, EventKind, HybridModel, Plane, Status, Stop
from sympact.models import bouncing_ball, double_pendulum, rod_on_wall, tumbling_cube

TIGHT = {"rtol": 1e-12, "atol": 1e-13}
t = dynamicsymbols._t
m, g, A = sm.symbols("m g A", positive=True)
NUMBERS = {m: 2, g: 10, A: 10}  # the force of the floor is 20 - 10 sin(t) while the mass rests on it


PRESSING = A * sm.sin(t)


def pressed_mass(load=PRESSING):
    """A mass above a floor, on which gravity and a load upwards act."""
    z, v = dynamicsymbols("z v")
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, m))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff())
    system.apply_uniform_gravity(-g * N.z)
    system.add_loads(Force(P, load * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=0, friction=0, name="floor")])


def test_functions_are_met_where_the_expressions_are():
    ball = bouncing_ball()
    (z,), (v,) = ball.model.q, ball.model.u

    def apex(t, x):
        return x[1]

    apex.direction = -1
    asked = ball.model.simulate((0, 2), ball.start, ball.parameters, events=[apex, lambda t, x: x[0] - 0.3], **TIGHT)
    events = {"apex": Crossing(v, -1), "event 2": z - sm.Rational(3, 10)}
    known = ball.model.simulate((0, 2), ball.start, ball.parameters, events=events, **TIGHT)
    np.testing.assert_allclose(asked.events.t, known.events.t, rtol=0, atol=1e-12)
    assert asked.events.kinds() == known.events.kinds()
    assert [event.contacts for event in asked.events] == [event.contacts for event in known.events]
    functions = [apex, lambda t, x: x[0] - 0.3]
    check_again(
        asked, lambda one: ball.model.simulate((one.t, 2), one.x_plus, ball.parameters, events=functions, **TIGHT)
    )


def test_smooth_motion_has_the_events_of_solve_ivp():
    arm = double_pendulum()
    model, x0 = HybridModel(arm.model.source, []), arm.start
    numbers = {symbol: arm.parameters[symbol] for symbol in model.parameters}

    def level(t, x):
        return x[0] - 0.1 * np.sin(3 * t)

    def still(t, x):
        return x[2]

    still.direction = 1
    span = (0.0, 5.0)
    result = model.simulate(span, x0, numbers, events=[level, still], **TIGHT)
    compiled = model.compile()
    p = compiled.parameters(numbers)
    other = solve_ivp(
        lambda t, x: compiled.flow(t, x, p), span, compiled.state(x0), events=[level, still], method="DOP853", **TIGHT
    )
    for name, times in zip(("level", "still"), other.t_events, strict=True):
        np.testing.assert_allclose(result.events[name].t, times, rtol=0, atol=1e-7)  # the dense output of solve_ivp


def test_a_terminal_function_ends_the_run():
    def low(t, x):
        return x[0] - 0.5

    low.terminal = True
    ball = bouncing_ball()
    for events in (low, {"low": Stop(lambda t, x: x[0] - 0.5)}):
        result = ball.model.simulate((0, 2), ball.start, ball.parameters, events=events)
        assert (result.status, result.events[-1].kind) == (Status.STOPPED, EventKind.STOP)
        assert result.t[-1] == pytest.approx(np.sqrt(1 / 9.81), abs=1e-12)


def test_a_run_ends_at_the_event_that_is_counted():
    """As `solve_ivp` does with ``terminal = 3``; a second run of the model counts anew."""
    arm = double_pendulum()
    model, numbers = HybridModel(arm.model.source, []), None
    numbers = {symbol: arm.parameters[symbol] for symbol in model.parameters}

    def level(t, x):
        return x[0] - 0.1

    level.terminal = 3
    compiled = model.compile()
    p, x0 = compiled.parameters(numbers), compiled.state(arm.start)
    truth = solve_ivp(lambda t, x: compiled.flow(t, x, p), (0, 9), x0, events=level, method="DOP853", **TIGHT)
    for events in (level, {"level": Stop(model.q[0] - sm.Rational(1, 10), occurrences=3)}):
        for _ in range(2):
            result = model.simulate((0, 9), arm.start, numbers, events=events, **TIGHT)
            assert result.status is Status.STOPPED
            np.testing.assert_allclose(result.events["level"].t, truth.t_events[0], rtol=0, atol=1e-7)
            assert result.events["level"].kinds() == [EventKind.CROSSING, EventKind.CROSSING, EventKind.STOP]
    seldom = Stop(model.q[0] - sm.Rational(1, 10), occurrences=1000)
    assert model.simulate((0, 2), arm.start, numbers, events={"level": seldom}).status is Status.FINISHED


def test_numbers_of_events_that_are_none_are_refused():
    def low(t, x):
        return x[0]

    ball = bouncing_ball()
    for number in (-1, 2.5, "yes"):
        low.terminal = number
        with pytest.raises(ValueError, match="the number of the event at which the run ends"):
            ball.model.simulate((0, 2), ball.start, ball.parameters, events=low)
    for number in (0, True, 1.0):
        with pytest.raises(ValueError, match=r"expected 1 to end the run at the first event, 2 at the second"):
            Stop(ball.model.q[0], occurrences=number)


def test_a_force_is_met_at_the_times_of_the_closed_form():
    model = pressed_mass()
    (force,) = model.normal_forces
    events = {"light": Crossing(force - 16, -1), "both": force - 24, "heavy": sm.And(force > 24, model.q[0] < 1)}
    result = model.simulate((0, 10), {model.q[0]: 0, model.u[0]: 0}, NUMBERS, events=events, **TIGHT)
    down, up = np.arcsin(0.4), np.pi + np.arcsin(0.4)
    np.testing.assert_allclose(result.events["light"].t, [down, 2 * np.pi + down], rtol=1e-12)
    both = [up, 2 * np.pi - down, 2 * np.pi + up]
    np.testing.assert_allclose(result.events["both"].t, both, rtol=1e-12)
    np.testing.assert_allclose(result.events["heavy"].t, [up, 2 * np.pi + up], rtol=1e-12)
    assert set(result.events["both"].kinds()) == {EventKind.CROSSING}
    for event in result.events["both"]:
        np.testing.assert_allclose(20 - 10 * np.sin(event.t), 24, rtol=1e-11)


def test_a_force_that_appears_at_an_impact_crosses_there():
    """From 1 m it lands without a rebound: the force jumps from zero past 5 N there, and past 30 N never."""
    model = pressed_mass()
    (force,) = model.normal_forces
    events = {"five": force - 5, "thirty": force - 30.5, "gap": model.gaps[0] - sm.Rational(1, 10)}
    result = model.simulate((0, 2), {model.q[0]: 1, model.u[0]: 0}, NUMBERS, events=events, **TIGHT)
    (landing,) = result.events.impacts
    assert landing.contacts == ("floor", "five")
    assert len(result.events["five"]) == 1
    assert len(result.events["thirty"]) == 0
    (near,) = result.events["gap"]
    assert near.x_minus[0] == pytest.approx(0.1, abs=1e-12)


def test_forces_with_friction_in_a_mechanism():
    """The force at the event is that which the result computes for it."""
    rod = rod_on_wall()
    wall, _, _, floor = rod.model.normal_forces
    result = rod.simulate(events={"faint": Crossing(wall - 0.5, -1), "sum": wall + floor - 9})
    plain = rod.simulate()
    assert result.events.of(rod.model.contacts[0]).t[-1] == pytest.approx(plain.events.of("A on wall").t[-1], abs=1e-9)
    (faint,) = result.events["faint"]
    sample = np.searchsorted(result.t, faint.t)
    assert result.normal_force[0, sample] == pytest.approx(0.5, abs=1e-7)
    assert len(result.events["sum"]) > 0
    for event in result.events["sum"]:
        sides = result.normal_force[:, np.flatnonzero(result.t == event.t)].sum(axis=0)
        assert sides.min() - 1e-6 <= 9 <= sides.max() + 1e-6


def test_rotations_keep_their_angles():
    cube = tumbling_cube()
    theta = cube.model.q[3:6]
    result = cube.model.simulate(
        (0, 0.3), cube.start, cube.parameters, events={"f": lambda t, x: x[3] - 10.0}, method="RK45"
    )
    assert result.success
    assert len(result.events["f"]) == 0
    watched = cube.model.watching({"f": lambda t, x: x[3]})
    assert set(watched.attitudes.values()) <= {"angles: an event or a jump is a function of the state, or of forces"}
    assert len(theta) == 3


def test_wrong_events_are_told():
    ball = bouncing_ball()

    def wrong(t, x):
        raise ZeroDivisionError("here")

    for events, kind, told in (
        ({"f": lambda t, x: [1, 2]}, ValueError, "the event 'f' returned an array of shape"),
        ({"f": lambda t, x: "a"}, ValueError, "the event 'f' returned no number"),
        ({"f": wrong}, ZeroDivisionError, "here"),
        ({"f": pressed_mass().normal_forces[0] - 1}, ValueError, "the contacts of the model are \\['ball'\\]"),
        ("f", TypeError, "events is 'f', expected a mapping of names to expressions"),
        ({"ball": lambda t, x: x[0]}, ValueError, "as a contact, a latch or a transition is"),
    ):
        with pytest.raises(kind, match=told):
            ball.model.simulate((0, 1), ball.start, ball.parameters, events=events)


def test_an_acceleration_is_met_with_the_forces_of_contacts():
    """Under 25 t N a mass of 2 kg falls with a = 12.5 t - 10 to the floor, rests there, and is lifted at 0.8 s."""
    model = pressed_mass(25 * t)
    (z,), (v,) = model.q, model.u
    a, (force,) = v.diff(), model.normal_forces
    events = {"half": a + 5, "second": z.diff().diff() + 5, "up": Crossing(a - 1, 1), "mixed": m * a + force - 1}
    result = model.simulate((0, 1), {z: 1, v: 0}, {m: 2, g: 10}, events=events, **TIGHT)
    np.testing.assert_allclose(result.events["half"].t, [0.4], rtol=1e-12)
    assert result.events["half"][0].contacts == ("half", "second")
    np.testing.assert_allclose(result.events["up"].t, [0.88], rtol=1e-12)
    landed = result.events.impacts.t[0]
    # the force appears with the impact, 2 a + force jumps from 25 t - 20 to the same less its load, 20 - 25 t
    assert landed < 0.76
    np.testing.assert_allclose(result.events["mixed"].t[-1], 0.84, rtol=1e-12)
    swing = arm_without_contacts()
    plain = swing.model.simulate((0, 3), swing.start, swing.parameters, events={"a": swing.model.u[0].diff()}, **TIGHT)
    for event in plain.events["a"]:
        slopes = swing.model.compile().flow(event.t, event.x_minus, swing.model.compile().parameters(swing.parameters))
        assert abs(slopes[2]) < 1e-10


def arm_without_contacts():
    """A double pendulum."""
    arm = double_pendulum()
    model = HybridModel(arm.model.source, [])
    return SimpleNamespace(
        model=model, start=arm.start, parameters={symbol: arm.parameters[symbol] for symbol in model.parameters}
    )
