"""Forces of contacts and constraints in conditions: latches that break away, transitions by forces and by functions."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest
import sympy as sm
from invariance import Case, last_of_instants, restart
from quick_members import members
from scipy.optimize import brentq
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    dynamicsymbols,
    inertia,
)

import sympact
from sympact import (
    BallClosure,
    Contact,
    Controller,
    Crossing,
    EventKind,
    HybridModel,
    Interpolated,
    Latch,
    NormalForce,
    Plane,
    Reaction,
    RodClosure,
    Status,
    Stop,
    Transition,
    WeldClosure,
    When,
)

FINE = {"rtol": 1e-12, "atol": 1e-14}
T = dynamicsymbols._t
X, Y, P, R, Z, V, COUNT, ON, KEPT = dynamicsymbols("x y p r z v count on kept")
M, G, L, F = sm.symbols("m g l F")
FLOOR = NormalForce("floor")


def swinging(*, frame=False, floor=None, latch=None, **parts):
    """A bob in a plane on rods from the origin: the model and its latches; `latch` has the arguments of the latch."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    bob = O.locatenew("bob", X * N.x + Y * N.y)
    bob.set_vel(N, P * N.x + R * N.y)
    closure = BallClosure(O, bob, frame=N, name="rod") if frame else RodClosure(O, bob, L, name="rod")
    pin = Latch(closure, **{"closed": True, "opens": Reaction(closure, "force") > F, "name": "pin"} | (latch or {}))
    bodies, loads = [Particle("bob", bob, M)], [(bob, -M * G * N.y)]
    kane = KanesMethod(N, [X, Y], [P, R], [P - X.diff(), R - Y.diff()], bodies=bodies, forcelist=loads)
    contacts = []
    if floor is not None:
        ground = O.locatenew("ground", floor * N.y)
        ground.set_vel(N, 0)
        contacts = [Contact(bob, Plane(ground, N.y), restitution=0.5, friction=0, name="floor")]
    return HybridModel(kane, contacts, latches=[pin], bodies=bodies, loads=loads, **parts), pin


@cache
def swung(floor=None):
    """The bob that most tests have, built once."""
    return swinging(floor=floor)


LEVEL = {X: -1.0, Y: 0.0, P: 0.0, R: 0.0}
HEAVY = {M: 2.0, G: 10.0, L: 1.0, F: 45.0}


def upright(load, weight=M * G):
    """A mass that moves along z, with a load upwards: the system and its point."""
    N, O = ReferenceFrame("N"), Point("O")
    point = O.locatenew("P", Z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("mass", point, M))
    system.add_coordinates(Z)
    system.add_speeds(V)
    system.add_kdes(V - Z.diff())
    system.add_loads(Force(point, (load - weight) * N.z))
    return system, point


def mass(load, transitions=(), restitution=0, active=True, **parts):
    """The same above a floor."""
    system, point = upright(load)
    plane = Plane(system.fixed_point, system.frame.z)
    floor = Contact(point, plane, restitution=restitution, friction=0, name="floor", active=active)
    return HybridModel(system, [floor], transitions=transitions, **parts)


WEIGHT = {M: 2.0, G: 10.0}
PULSE = 10 * sm.sin(T)  # the floor bears 20 - 10 sin(t) while the mass rests on it
LIGHT = np.arcsin(0.4)  # there it bears 16


# latches that break away


def test_a_pin_shears_where_the_tension_reaches_the_limit():
    """From level the tension is 3 m g sin(phi): 45 N of 60 N at three quarters of the depth; after it a parabola."""
    model, pin = swung()
    result = model.simulate((0, 1), LEVEL, HEAVY, **FINE)
    (shears,) = result.events
    assert (shears.kind, shears.contacts) == (EventKind.TRANSITION, ("pin opens",))
    depth, speed = 0.75, np.sqrt(2 * 10 * 0.75)
    x, y, _, p, r = shears.x_minus[[0, 1, 2, -2, -1]]
    np.testing.assert_allclose([x, y], [-np.sqrt(1 - depth**2), -depth], rtol=1e-12)
    np.testing.assert_allclose([p, r], speed * np.array([depth, -np.sqrt(1 - depth**2)]), rtol=1e-12)
    np.testing.assert_allclose(result.reaction.at([shears.t], side="left").force(pin).T, [[-45 * x, -45 * y, 0]])
    assert result.reaction[pin][0, -1] == 0.0
    left = 1 - shears.t
    np.testing.assert_allclose(result(1.0)[:2], [x + p * left, y + r * left - 5 * left**2], rtol=1e-12)
    assert result.energy[-1] == pytest.approx(result.energy[0], abs=1e-11)


def test_the_time_of_the_break_is_that_of_the_closed_form():
    """A cart is pulled at a growing force k t while a latch holds it: it goes off at F / k."""
    track, cart = RigidBody("track"), Particle("cart", mass=3)
    system, k = System.from_newtonian(track), sm.Symbol("k")
    system.add_joints(PrismaticJoint("A", track, cart, X, P))
    system.add_loads((cart.masscenter, k * T * track.x))
    hook = Latch(X - 1, closed=True, opens=-Reaction("hook") > F, name="hook")
    result = HybridModel(system, [], latches=[hook]).simulate((0, 4), {X: 1, P: 0}, {F: 7, k: 3}, **FINE)
    (event,) = result.events
    assert event.t == pytest.approx(7 / 3, rel=1e-14)
    np.testing.assert_allclose(result(4.0)[-1], 3 / 3 * (16 - (7 / 3) ** 2) / 2, rtol=1e-12)
    for wanted in (X - 1, "hook"):  # the expression, and the name of the latch
        again = Latch(X - 1, closed=True, opens=-Reaction(wanted) > F, name="hook")
        run = HybridModel(system, [], latches=[again]).simulate((0, 4), {X: 1, P: 0}, {F: 7, k: 3}, **FINE)
        np.testing.assert_array_equal(run.events.t, result.events.t)


def test_a_weld_breaks_by_its_torque():
    """A motor winds up against a weld with c t; the rotor then turns with the same torque."""
    base, rotor = RigidBody("base"), RigidBody("rotor", mass=1)
    rotor.central_inertia = inertia(rotor.frame, 0, 0, 0.5)
    system = System.from_newtonian(base)
    system.add_joints(PinJoint("shaft", base, rotor, X, P, joint_axis=base.z))
    system.add_loads(Torque(rotor.frame, 4 * T * base.z))
    weld = WeldClosure(base.masscenter, rotor.masscenter.locatenew("Q", 0), base.frame, rotor.frame, name="weld")
    brake = Latch(weld, closed=True, opens=Reaction(weld, "torque") > 6, name="brake")
    model = HybridModel(system, [], latches=[brake])
    result = model.simulate((0, 3), {X: 0, P: 0}, {}, **FINE)
    (event,) = result.events
    assert event.t == pytest.approx(1.5, rel=1e-13)
    assert result(3.0)[-1] == pytest.approx(4 / 0.5 * (9 - 2.25) / 2, rel=1e-12)


def test_one_break_brings_the_next_at_the_same_instant():
    """A weight on two rods of 30 degrees: where the weaker one breaks the load of the other jumps from 0.58 to 0.87 of
    the weight, and it breaks, too, or holds."""
    for strong, opened in ((11.0, ("left opens", "right opens")), (30.0, ("left opens",))):
        N, O = ReferenceFrame("N"), Point("O")
        O.set_vel(N, 0)
        bob = O.locatenew("bob", X * N.x + Y * N.y)
        bob.set_vel(N, P * N.x + R * N.y)
        ends = [O.locatenew(name, side * N.x / 2) for name, side in (("A", -1), ("B", 1))]
        rods = [RodClosure(end, bob, 1, name=f"rod {end.name}") for end in ends]
        latches = [
            Latch(rod, closed=True, opens=Reaction(rod, "force") > limit, name=name)
            for rod, limit, name in zip(rods, (10, strong), ("left", "right"), strict=True)
        ]
        bodies, loads = [Particle("bob", bob, 1)], [(bob, -8 * T * N.y)]
        kane = KanesMethod(N, [X, Y], [P, R], [P - X.diff(), R - Y.diff()], bodies=bodies, forcelist=loads)
        model = HybridModel(kane, [], latches=latches, bodies=bodies, loads=loads)
        result = model.simulate((0, 2.4), {X: 0, Y: -np.sqrt(0.75), P: 0, R: 0}, {}, **FINE)
        assert result.events[0].contacts == opened
        broken = 10 * np.sqrt(3) / 8
        assert result.events[0].t == pytest.approx(broken, rel=1e-12)
        after = result.reaction.at([broken * (1 + 1e-13)]).force(latches[1])
        expected = 0.0 if len(opened) == 2 else 8 * broken * np.sqrt(0.75)
        assert np.linalg.norm(after) == pytest.approx(expected, rel=1e-9)


def test_a_magnet_catches_and_lets_go():
    """It closes where the mass comes to it from below, and holds until the pull of a growing load is its force."""
    system, _ = upright(-6 * T, 0)
    magnet = Latch(Z, closes=Crossing(Z, 1), opens=Reaction("magnet") > 12, keeps_offset=False, name="magnet")
    result = HybridModel(system, [], latches=[magnet]).simulate((0, 3), {Z: -1, V: 2}, {M: 2}, **FINE)
    closes, opens = result.events
    meets = brentq(lambda t: -1 + 2 * t - t**3 / 2, 0, 1, xtol=1e-15)
    assert closes.t == pytest.approx(meets, rel=1e-12)
    assert closes.energy == pytest.approx(-((2 - 1.5 * meets**2) ** 2), rel=1e-11)
    assert opens.t == pytest.approx(2.0, rel=1e-13)
    assert result(3.0)[0] == pytest.approx(-(27 - 8) / 2 + 6 * 1, rel=1e-12)  # -t^3/2 + 6 t - 8


def test_a_latch_that_closes_under_too_large_a_load_opens_at_the_same_instant():
    """The magnet stops the mass, and lets go of it at once."""
    system, _ = upright(-20, 0)
    magnet = Latch(Z, closes=Crossing(Z, 1), opens=Reaction("magnet") > 12, keeps_offset=False, name="magnet")
    result = HybridModel(system, [], latches=[magnet]).simulate((0, 2), {Z: -0.1, V: 4}, {M: 2}, **FINE)
    (event,) = result.events
    assert event.contacts == ("magnet closes", "magnet opens")
    assert event.x_plus[-1] == pytest.approx(0.0, abs=1e-12)
    assert result(2.0)[0] == pytest.approx(-5 * (2 - event.t) ** 2, rel=1e-10)


def test_a_grip_slips_by_the_forces_of_both():
    """A box on a floor, held by a latch; it goes where the pull exceeds 0.5 of what presses it down, both from a load
    c t at 45 degrees."""
    N, O = ReferenceFrame("N"), Point("O")
    point = O.locatenew("P", X * N.x + Z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("box", point, M))
    system.add_coordinates(X, Z)
    system.add_speeds(P, V)
    system.add_kdes(P - X.diff(), V - Z.diff())
    system.apply_uniform_gravity(-G * N.z)
    system.add_loads(Force(point, 4 * T * (N.x + N.z)))
    floor = Contact(point, Plane(O, N.z), restitution=0, friction=0, name="floor")
    grip = Latch(X, closed=True, opens=sm.Abs(Reaction("grip")) > FLOOR / 2, name="grip")
    result = HybridModel(system, [floor], latches=[grip]).simulate(
        (0, 3), dict.fromkeys((X, Z, P, V), 0), WEIGHT, **FINE
    )
    slips = result.events["grip opens"][0]
    assert slips.t == pytest.approx(20 / 12, rel=1e-12)  # 4 t = (20 - 4 t) / 2
    assert result.events.of("floor")[0].t == 0.0
    assert result(3.0)[-2] == pytest.approx((9 - slips.t**2), rel=1e-10)


def test_components_have_the_names_of_results():
    """A ball joint at a distance that its frame carries: the parts of the force in a frame that turns with the bob.

    On a circle about the origin from level, the components in N are -3 m g s c and -3 m g s^2 of the depth s.
    """
    model, _ = swinging(latch={"opens": T > 9})
    rod = swinging(frame=True, latch={"opens": [Reaction("rod", "along y") > 25, T > 9]})[0]
    lift = {"lift": Crossing(Reaction("rod", "along y") - 19, 1)}
    result = rod.simulate((0, 1), dict.fromkeys((X, Y, P, R), 0), {M: 2, G: 10}, events=lift)
    assert not len(result.events)  # it bears 20 N from the start to the end
    for part in ("force", ""):
        events = {"half": Reaction("rod", part) + (30 if not part else -30)}
        found = model.simulate((0, 0.6), LEVEL, {M: 2, G: 10, L: 1}, events=events, **FINE)
        np.testing.assert_allclose([event.x_minus[1] for event in found.events], [-0.5], rtol=1e-12)


def test_reactions_in_events_and_transitions():
    """Of the rod of a pendulum, beside the closed form; a rod that is no latch."""
    arm, pin = swung()
    events = {"half": Crossing(Reaction(pin, "force") - 30, 1), "pull": -Reaction("rod") > 36}
    result = arm.simulate((0, 1), LEVEL, HEAVY, events=events, **FINE)
    np.testing.assert_allclose(result.events["half"][0].x_minus[1], -0.5, rtol=1e-12)
    np.testing.assert_allclose(result.events["pull"][0].x_minus[1], -0.6, rtol=1e-12)
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    bob = O.locatenew("bob", X * N.x + Y * N.y)
    bob.set_vel(N, P * N.x + R * N.y)
    bodies, loads = [Particle("bob", bob, M)], [(bob, -M * G * N.y)]
    kane = KanesMethod(N, [X, Y], [P, R], [P - X.diff(), R - Y.diff()], bodies=bodies, forcelist=loads)
    rod = RodClosure(O, bob, L, name="rod")
    note = Transition(boundary=Reaction(rod, "force") > 30, jump={COUNT: COUNT + 1}, name="note")
    model = HybridModel(kane, [], constraints=[rod], discrete=[COUNT], transitions=[note], bodies=bodies, loads=loads)
    numbers = {M: 2.0, G: 10.0, L: 1.0}
    result = model.simulate((0, 2), {**LEVEL, COUNT: 0}, numbers, **FINE)
    assert {event.contacts for event in result.events} == {("note",)}
    np.testing.assert_allclose([event.x_minus[1] for event in result.events], -0.5, rtol=1e-11)
    np.testing.assert_array_equal([event.x_plus[2] for event in result.events], np.arange(1, len(result.events) + 1))
    assert len(result.events) == 2  # one in each half of a swing, of 1.18 s


# transitions by contact forces


def test_a_support_is_withdrawn_where_it_bears_little():
    """A contact is active while a discrete state says so, which a force changes: after it the mass falls."""
    withdraw = Transition(boundary=FLOOR < 16, jump={ON: 0}, name="withdraw")
    model = mass(PULSE, [withdraw], active=ON > 0.5, discrete=[ON])
    result = model.simulate((0, 1), {Z: 0, V: 0, ON: 1}, WEIGHT, **FINE)
    event = result.events["withdraw"][0]
    assert event.t == pytest.approx(LIGHT, rel=1e-13)
    speed = -10 * (1 - LIGHT) - 5 * (np.cos(1) - np.cos(LIGHT))
    place = -5 * (1 - LIGHT) ** 2 - 5 * (np.sin(1) - np.sin(LIGHT)) + 5 * np.cos(LIGHT) * (1 - LIGHT)
    np.testing.assert_allclose(result(1.0), [place, 0, speed], rtol=1e-12)


def test_a_motor_is_turned_off_where_the_floor_bears_too_much():
    """It presses with 3 t: past 24 N it is off, and the floor bears the weight; at a landing in the impact itself."""
    off = Transition(boundary=FLOOR > 24, jump={ON: 0}, name="off")
    model = mass(-3 * T * ON, [off], discrete=[ON])
    result = model.simulate((0, 3), {Z: 0, V: 0, ON: 1}, WEIGHT, **FINE)
    event = result.events["off"][0]
    assert event.t == pytest.approx(4 / 3, rel=1e-13)
    np.testing.assert_allclose(result.normal_force[0, result.t > event.t], 20, rtol=1e-13)
    landing = model.simulate((2, 3), {Z: 0.1, V: -1, ON: 1}, WEIGHT, **FINE)
    (both,) = landing.events
    assert (both.kind, both.contacts) == (EventKind.IMPACT, ("floor", "off"))
    assert both.x_plus[1] == 0.0
    np.testing.assert_allclose(landing.normal_force[0, -1], 20, rtol=1e-13)


def test_each_condition_of_forces_counts_once():
    """The force passes 16 downwards and 24 upwards twice each in ten seconds; none counts twice."""
    model = mass(PULSE, [When([FLOOR > 24, FLOOR < 16], reinit={COUNT: COUNT + 1}, name="count")], discrete=[COUNT])
    result = model.simulate((0, 10), {Z: 0, V: 0, COUNT: 0}, WEIGHT, **FINE)
    times = np.sort([LIGHT, LIGHT + 2 * np.pi, LIGHT + np.pi, LIGHT + 3 * np.pi])
    np.testing.assert_allclose(result.events["count"].t, times[times < 10], rtol=1e-12)
    np.testing.assert_array_equal(result[COUNT][-1], len(times[times < 10]))


def test_a_force_at_the_start_is_no_event():
    """The floor bears the weight from the start: only what happens later counts."""
    beyond = Transition(boundary=FLOOR > 18, jump={COUNT: COUNT + 1}, name="beyond")
    result = mass(PULSE, [beyond], discrete=[COUNT]).simulate((0, 5), {Z: 0, V: 0, COUNT: 0}, WEIGHT, **FINE)
    np.testing.assert_allclose(result.events["beyond"].t, [np.pi - np.arcsin(0.2)], rtol=1e-12)


def test_a_step_of_a_command_breaks_a_latch_at_its_time():
    """A controller pulls with 0, 4, 8, 12 N from 0, 1, 2, 3 s on; the latch holds 10 N."""
    track, cart = RigidBody("track"), Particle("cart", mass=3)
    system, pull = System.from_newtonian(track), dynamicsymbols("pull")
    system.add_joints(PrismaticJoint("A", track, cart, X, P))
    system.add_loads((cart.masscenter, pull * track.x))
    hook = Latch(X, closed=True, opens=sm.Abs(Reaction("hook")) > 10, name="hook")
    winch = Controller(every=1.0, commands=[pull], law={pull: 4 * T})
    model = HybridModel(system, [], latches=[hook])
    result = model.simulate((0, 4), {X: 0, P: 0}, {}, controllers=[winch], **FINE)
    assert [(event.t, event.contacts) for event in result.events.of("hook opens")] == [(3.0, ("hook opens",))]
    assert result(4.0)[-1] == pytest.approx(4.0, rel=1e-12)


@pytest.mark.parametrize("kind", ["expression", "function", "data"])
def test_inputs_of_every_kind_move_the_break(kind):
    track, cart = RigidBody("track"), Particle("cart", mass=3)
    system, pull = System.from_newtonian(track), dynamicsymbols("pull")
    system.add_joints(PrismaticJoint("A", track, cart, X, P))
    system.add_loads((cart.masscenter, pull * track.x))
    hook = Latch(X, closed=True, opens=sm.Abs(Reaction("hook")) > 10, name="hook")
    given = {"expression": 4 * T, "function": lambda t: 4 * t, "data": Interpolated([0, 4], [0, 16])}[kind]
    result = HybridModel(system, [], latches=[hook]).simulate((0, 4), {X: 0, P: 0}, {}, inputs={pull: given}, **FINE)
    assert result.events[0].t == pytest.approx(2.5, rel=1e-12)


def test_a_stop_ends_the_run_at_a_reaction():
    model, pin = swung()
    result = model.simulate((0, 1), LEVEL, HEAVY, events={"half": Stop(Reaction(pin, "force") > 30)}, **FINE)
    assert result.status is Status.STOPPED
    assert result.x[1, -1] == pytest.approx(-0.5, rel=1e-12)


def test_zero_is_no_force_that_is_larger_than_zero():
    """The floor bears from each landing on until the load lifts the mass again."""
    model = mass(40 * sm.sin(2 * T))
    events = {"bears": FLOOR > 0, "free": FLOOR <= 0}
    result = model.simulate((0, 5), {Z: 0.05, V: 0}, WEIGHT, events=events, **FINE)
    bears, free = result.events["bears"], result.events["free"]
    closes = [event.t for event in result.events.of("floor") if event.kind in (EventKind.IMPACT, EventKind.CLOSE)]
    opens = [event.t for event in result.events.of("floor") if event.kind is EventKind.OPEN]
    assert len(opens) == 2
    np.testing.assert_allclose(free.t, [np.pi / 12, np.pi * 13 / 12], rtol=1e-12)  # sin(2 t) increases to a half
    np.testing.assert_array_equal(bears.t, closes)


# functions


def test_functions_as_boundary_and_jump_are_the_expressions():
    """A ball that is sent back in the air, counted; as functions and as expressions the same times and states."""

    def low(t, x):
        return 0.5 - x[0]

    def back(t, x):
        return np.array([x[0], x[1] + 1, -0.9 * x[2]])

    told = []
    for boundary, jump in ((low, back), (sm.Rational(1, 2) - Z, {V: -0.9 * V, COUNT: COUNT + 1})):
        up = Transition(boundary=boundary, jump=jump, name="up")
        model = mass(0, [up], discrete=[COUNT])
        told.append(model.simulate((0, 4), {Z: 1, V: 0, COUNT: 0}, WEIGHT, **FINE))
    by_values, by_rates = told
    assert len(by_rates.events) == len(by_values.events) > 5
    np.testing.assert_allclose(by_values.events.t, by_rates.events.t, rtol=0, atol=1e-11)
    np.testing.assert_allclose(by_values(4.0), by_rates(4.0), rtol=0, atol=1e-9)
    assert by_values.work["transitions"][-1] == pytest.approx(by_rates.work["transitions"][-1], rel=1e-9)


def test_low_rebounds_of_a_function_are_not_lost():
    """Where they become shorter than a step the steps follow them, until they accumulate, as those of a process."""

    def under(t, x):
        return -x[0]

    bounce = Transition(boundary=under, jump=lambda t, x: [x[0], -0.5 * x[1]], name="bounce")
    system, _ = upright(0)
    model = HybridModel(system, [], transitions=[bounce])
    result = model.simulate((0, 4), {Z: 0.2, V: 0}, WEIGHT, **FINE)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(3 * np.sqrt(0.04), rel=1e-8)


def test_a_direction_of_a_function_counts():
    """Without one a transition fires where it increases; with Crossing(f, -1), or its attribute, where it decreases."""

    def height(t, x):
        return x[0] - 0.5

    def falling(t, x):
        return x[0] - 0.5

    falling.direction = -1
    for boundary, rate in ((height, 1), (Crossing(height, 1), 1), (Crossing(height, -1), -1), (falling, -1)):
        note = Transition(boundary=boundary, jump={COUNT: COUNT + 1}, name="note")
        result = mass(0, [note], discrete=[COUNT]).simulate((0, 0.9), {Z: 0.1, V: 4, COUNT: 0}, WEIGHT, **FINE)
        (event,) = result.events["note"]
        assert np.sign(event.x_minus[2]) == rate
        assert result[COUNT][-1] == 1


# what a user does with them


def cases():
    model, _ = swung(-2)
    yield "pin", model, (0.0, 3.0), LEVEL, HEAVY
    hold = When([FLOOR > 24, FLOOR < 16], reinit={COUNT: COUNT + 1}, name="count")
    yield "count", mass(PULSE, [hold], discrete=[COUNT]), (0.0, 10.0), {Z: 0, V: 0, COUNT: 0}, WEIGHT
    bounds = Transition(boundary=lambda t, x: x[0] - 0.3, jump=lambda t, x: [x[0], x[1] + 1, x[2]], name="rises")
    rebound = mass(0, [bounds], restitution=0.8, discrete=[COUNT])
    yield "bounces", rebound, (0.0, 2.5), {Z: 1, V: 0, COUNT: 0}, WEIGHT


@pytest.mark.parametrize(("model", "span", "start", "numbers"), [pytest.param(*c[1:], id=c[0]) for c in cases()])
def test_a_run_goes_on_from_each_event(model, span, start, numbers):
    x = model.compile().state(start)
    case = Case(model, span, x, numbers, np.full(len(x), 1e-13), {}, 1e-11)
    places = last_of_instants(case.result)
    assert len(places) > 1
    for k in places[:12]:  # rebounds as low as a part in 1e12 of the first one are ill-conditioned
        difference = restart(case, k)
        assert difference is not None
        assert difference.worst <= 1.0, (k, difference.words)


UNITS = [(1e6, 1.0), (0.1, 1e3), (1.0, 1e-9), (1.0, 1e9)]


@pytest.mark.parametrize(("length", "mass_unit"), members(UNITS, slow=[(0.1, 1e3), (1.0, 1e-9), (1.0, 1e9)]))
def test_other_units_have_the_same_events(length, mass_unit):
    """Lengths and masses in other units: forces are as many times larger, and so is the limit."""
    model, _ = swung()
    events = {"half": Crossing(Reaction("rod") + 30 * length * mass_unit)}
    run = model.simulate((0, 1.5), LEVEL, HEAVY, **FINE)
    numbers = {M: 2.0 * mass_unit, G: 10.0 * length, L: length, F: 45.0 * length * mass_unit}
    start = {**LEVEL, X: -length}
    scaled = model.simulate((0, 1.5), start, numbers, events=events, rtol=1e-12, atol=1e-14 * length)
    assert [event.contacts for event in scaled.events] == [("half",), ("pin opens", "half")]
    assert scaled.events[0].x_minus[1] == pytest.approx(-0.5 * length, rel=1e-12)
    assert scaled.events[1].t == pytest.approx(run.events[0].t, rel=1e-11)


def test_files_pickles_and_ensembles(tmp_path):
    model, pin = swung()
    result = model.simulate((0, 1), LEVEL, HEAVY, **FINE)
    again = pickle.loads(pickle.dumps(model)).simulate((0, 1), result.x[:, 0], HEAVY, **FINE)
    np.testing.assert_array_equal(again.x, result.x)
    result.save(tmp_path / "run.npz")
    loaded = sympact.load(tmp_path / "run.npz", model=model)
    np.testing.assert_array_equal(loaded.reaction[pin], result.reaction[pin])
    assert loaded.events[0].contacts == ("pin opens",)
    limits = [30.0, 55.0]
    many = sympact.ensemble(model, (0, 1), LEVEL, {**HEAVY, F: limits}, runs=2, keep="run", **FINE)
    for k, limit in enumerate(limits):
        assert many[k].events[0].x_minus[1] == pytest.approx(-limit / 60, rel=1e-11)
        np.testing.assert_array_equal(many[k].x, model.simulate((0, 1), LEVEL, {**HEAVY, F: limit}, **FINE).x)


def test_the_same_run_twice_has_the_same_bits():
    model, _ = swung(-2)
    first, second = (model.simulate((0, 2), LEVEL, HEAVY) for _ in range(2))
    np.testing.assert_array_equal(first.x, second.x)
    assert first.events.t.tolist() == second.events.t.tolist()


# wrong inputs


def test_wrong_forces_and_functions_are_told():
    nothing = {COUNT: COUNT + 1}
    for given, told in (
        (NormalForce("roof") > 1, "contains lambda_N\\(roof\\); the contacts of the model are \\['floor'\\]"),
        (Reaction("rod") > 1, "the reaction of a bilateral constraint; the model has none"),
        (Stop(FLOOR > 1), "has a Stop"),
        ("FLOOR > 1", "expected an expression"),
    ):
        with pytest.raises(ValueError, match=told):
            mass(0, [Transition(boundary=given, jump=nothing, name="n")], discrete=[COUNT])
    for given, told in (
        (Reaction("road") > 1, "those of the model are 'pin'"),
        (Reaction("rod", "along x") > 1, "the parts of .* are 'along the rod', and of closures 'force' and 'torque'"),
        (Reaction("rod", "torque") > 1, "exerts no torque"),
    ):
        with pytest.raises(ValueError, match=told):
            swinging(latch={"opens": given})
    with pytest.raises(
        ValueError, match="contains the force lambda_N\\(floor\\), which follows from the motion itself"
    ):
        mass(0, active=FLOOR > 1)
    with pytest.raises(ValueError, match="contains the force lambda_N\\(floor\\)"):
        mass(-FLOOR)
    with pytest.raises(ValueError, match="the jump 'n' contains the force"):
        mass(0, [Transition(boundary=Z > 1, jump={COUNT: FLOOR}, name="n")], discrete=[COUNT])
    with pytest.raises(TypeError, match="the part of a Reaction is 3, expected a text"):
        Reaction("rod", 3)
    short = mass(0, [Transition(boundary=Z < 0.5, jump=lambda t, x: [1.0], name="n")])
    with pytest.raises(ValueError, match=r"the jump of 'n' returned an array of shape \(1,\), expected \(2,\)"):
        short.simulate((0, 1), {Z: 1, V: 0}, WEIGHT)
    broken = mass(0, [Transition(boundary=lambda t, x: 1 / 0, jump={V: 0}, name="n")])
    with pytest.raises(ZeroDivisionError) as caught:
        broken.simulate((0, 1), {Z: 1, V: 0}, WEIGHT)
    assert caught.value.__notes__ == ["raised by the condition of 'n' at t = 0.0, x = [1.0, 0.0]"]


def test_a_loop_of_forces_ends_the_run_with_its_name():
    """Two conditions of which each makes the other true."""
    one, other = (
        Transition(boundary=FLOOR > 10, jump={ON: 1}, name="press less"),
        Transition(boundary=FLOOR < 10, jump={ON: 0}, name="press more"),
    )
    result = mass(15 * ON, [one, other], discrete=[ON]).simulate((0, 2), {Z: 0.2, V: 0, ON: 0}, WEIGHT)
    assert result.status is Status.EVENT_LOOP
    assert result.t[-1] == pytest.approx(0.2, rel=1e-12)
    assert "press less" in result.message
