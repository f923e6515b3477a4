"""What closed contacts decide at an event: conditions whose sums are zero there, rebounds that end, and rest."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Max, Or, exp, sin, symbols
from sympy.physics.mechanics import (
    Force,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
)

from sympact import Contact, HybridModel, Limit, Plane, Status, Transition

GRAVITY = 9.81


def carts(*masses):
    """Carts on one line, each pushed by an input, and the system that they make."""
    ground = RigidBody("ground")
    system = System.from_newtonian(ground)
    places, speeds, pushes = [], [], []
    bodies = []
    for k, mass in enumerate(masses):
        x, u, F = dynamicsymbols(f"x{k} u{k} F{k}")
        bodies.append(body := Particle(f"cart{k}", mass=mass))
        system.add_joints(PrismaticJoint(f"J{k}", ground, body, x, u))
        system.add_loads(Force(body.masscenter, F * ground.x))
        places.append(x), speeds.append(u), pushes.append(F)
    return system, places, speeds, pushes, bodies


@pytest.mark.parametrize("way", [1, -1], ids=["rising", "falling"])
def test_a_condition_that_is_false_for_an_instant_alone_does_not_become_true(way):
    """A ball thrown up moves before its apex and after it."""
    system, (x,), (u,), (F,), _ = carts(1.0)
    model = HybridModel(system, [], length=1.0)
    events = {"moves": Or(way * u > 0, -way * u > 0), "falls": u < 0}
    result = model.simulate((0, 1.5), {x: 0.0, u: GRAVITY}, {}, inputs={F: -GRAVITY}, events=events)
    assert [event.contacts for event in result.events] == [("falls",)]
    assert result.events[0].t == pytest.approx(1.0)


def test_the_same_of_two_that_push_each_other():
    """The upper one is drawn down, and would be slower alone: the speed of both passes zero once."""
    system, (lower, upper), (u, v), (F, G), _ = carts(1.0, 2.0)
    model = HybridModel(system, [Limit(upper - lower, restitution=0, name="c")], length=1.0)
    start = {lower: 0.0, upper: 0.0, u: 1.0, v: 1.0}
    result = model.simulate(
        (0, 2), start, {}, inputs={F: 1.0, G: -4.0}, events={"moves": Or(v > 0, v < 0), "falls": v < 0}
    )
    assert [event.contacts for event in result.events] == [("c",), ("falls",)]
    assert result.events[1].t == pytest.approx(1.0)
    np.testing.assert_allclose(result.normal_force_at([0.5, 1.5]), 2.0, rtol=1e-12)


@pytest.mark.parametrize("keep", ["run", "events"])
def test_a_speed_that_an_impact_ends_has_not_become_positive(keep):
    """The second cart comes to lie at a wall; it is the forces there that cancel its load."""
    system, (x, y), (u, v), (F, G), _ = carts(0.595, 0.863)
    wall = Limit(y, restitution=0, name="wall")
    model = HybridModel(system, [wall], length=1.0)
    start = {x: 0.0, y: 1.0, u: -0.4, v: 0.7}
    loads = {F: -1.181, G: -2.209 - sin(dynamicsymbols._t) / 5}
    result = model.simulate((0, 3), start, {}, inputs=loads, events={"leaves": v > 0}, keep=keep)
    assert [(event.kind, event.contacts) for event in result.events] == [("impact", ("wall",))]


def test_a_jump_that_leaves_a_speed_of_touching_carts_leaves_its_condition():
    """Alone the front cart would be slower: the force between both makes the speed increase through its boundary."""
    system, (rear, front), (u, v), (F, G), _ = carts(1.0, 1.0)
    count = dynamicsymbols("n")
    counts = Transition(boundary=v - 0.5, jump={count: count + 1}, name="counts")
    touches = Limit(front - rear, restitution=0, name="c")
    model = HybridModel(system, [touches], transitions=[counts], discrete=[count], length=1.0)
    start = {rear: 0.0, front: 0.0, u: 0.0, v: 0.0, count: 0}
    result = model.simulate((0, 1), start, {}, inputs={F: 3.0, G: -1.0})
    assert result.status is Status.FINISHED
    assert [(event.kind, event.contacts) for event in result.events[1:]] == [("transition", ("counts",))]
    assert result.events[1].t == pytest.approx(0.5)
    assert result[count][-1] == 1


def test_a_jump_that_turns_the_force_between_carts_turns_the_condition():
    """From u = 0.5 on the front cart holds the rear one up: it comes back through the boundary from above, which is no
    event. Alone it would go on: its own push does not change."""
    system, (rear, front), (u, v), (F, G), bodies = carts(1.0, 1.0)
    count = dynamicsymbols("n")
    counts = Transition(boundary=u - 0.5, jump={count: count + 1}, name="counts")
    touches = Limit(front - rear, restitution=0, name="c")
    system.add_loads(Force(bodies[1].masscenter, -6 * count * system.frame.x))
    model = HybridModel(system, [touches], transitions=[counts], discrete=[count], length=1.0)
    start = {rear: 0.0, front: 0.0, u: 0.0, v: 0.0, count: 0}
    result = model.simulate((0, 1), start, {}, inputs={F: 3.0, G: -1.0})
    assert result.status is Status.FINISHED
    assert [event.contacts for event in result.events] == [("c",), ("counts",)]
    assert result[u][-1] == pytest.approx(0.5 - 2.0 * 0.5)
    np.testing.assert_allclose(result.normal_force_at([0.25, 0.75])[0], [2.0, 5.0], rtol=1e-12)


def bouncing(e, height=0.05):
    """A cart that falls on a boundary and is thrown back by a jump, in a model that has a contact, too."""
    system, (x, y), (u, v), (F, G), bodies = carts(1.0, 1.0)
    bounces = Transition(boundary=-x, jump={u: -e * u}, name="bounces")
    more = {"inputs": {F: -GRAVITY, G: 0.0}}
    start = {x: height, u: 0.0, y: 1.0, v: -0.1}
    end = np.sqrt(2 * height / GRAVITY) * (1 + e) / (1 - e)
    return system, bodies, Limit(y, restitution=0.5, name="c"), bounces, start, more, end


def test_jumps_accumulate_in_a_model_with_contacts():
    system, _, contact, bounces, start, more, end = bouncing(0.5)
    model = HybridModel(system, [contact], transitions=[bounces], length=1.0)
    result = model.simulate((0, 3), start, {}, **more)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(end, abs=1e-9)


def test_a_jump_follows_jumps_that_accumulate_in_a_model_with_contacts():
    """The cart stops, and is drawn up from then on."""
    system, bodies, contact, bounces, start, more, end = bouncing(0.5)
    x, u, thrown = system.q[0], system.u[0], dynamicsymbols("thrown")
    stops = Transition(boundary="accumulation", jump={x: 0, u: 2.0, thrown: 1}, name="stops")
    system.add_loads(Force(bodies[0].masscenter, GRAVITY * thrown * system.frame.x))
    model = HybridModel(system, [contact], transitions=[bounces, stops], discrete=[thrown], length=1.0)
    result = model.simulate((0, 3), start | {thrown: 0}, {}, **more)
    assert result.status is Status.FINISHED
    assert result[x][-1] == pytest.approx(2.0 * (3.0 - end), abs=1e-6)


@pytest.mark.parametrize("mass", [0.5, 1.0, 20.0])
def test_bounces_on_a_body_that_a_wall_bears_end_where_their_series_does(mass):
    """The lower body is drawn to the wall harder than the upper one is to it: free of each other, they would part."""
    system, (lower, upper), _, (F, G), _ = carts(mass, 1.0)
    e = symbols("e")
    contacts = [Limit(lower, restitution=0, name="wall"), Limit(upper - lower, restitution=e, name="bounces")]
    model = HybridModel(system, contacts, length=1.0)
    start = dict(zip([*system.q, *system.u], [0.0, 0.02, 0.0, 0.0], strict=True))
    result = model.simulate((0, 2), start, {e: 0.4}, inputs={F: -30.0 * mass, G: -2.0})
    end = np.sqrt(2 * 0.02 / 2.0) * (1 + 0.4) / (1 - 0.4)
    (last,) = [event for event in result.events if event.kind == "accumulation"]
    assert last.t_inf == pytest.approx(end, abs=1e-9)
    assert abs(last.t_inf - end) <= max(last.t_inf_error, 1e-10)


def test_a_geared_pair_at_rest_opens_once():
    """Its load fades, and with it the forces that balance; those within the gear do not."""
    system, (x, y), (u, v), (F, G), _ = carts(0.68, 1.14)
    stop = Limit(2.0 - y, restitution=0, name="stop")
    model = HybridModel(system, [stop], constraints=[y - 2 * x], length=1.0)
    loads = {F: -1.0, G: 3 * exp(-dynamicsymbols._t)}
    result = model.simulate((0, 3), {x: 1.0, y: 2.0, u: 0.0, v: 0.0}, {}, inputs=loads)
    assert [(event.kind, event.contacts) for event in result.events] == [("close", ("stop",)), ("open", ("stop",))]
    assert result.events[1].t == pytest.approx(np.log(6.0))


def test_what_moves_a_body_at_rest_does_not_open_its_contact():
    """It is pushed aside from t = 1 on, and its weight is taken away until t = 2."""
    t, N, O = dynamicsymbols._t, ReferenceFrame("N"), Point("O")
    x, y, u, v = dynamicsymbols("x y u v")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    system = System(N, O)
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(u - x.diff(), v - y.diff())
    system.add_bodies(Particle("body", P, 2.0))
    system.add_loads(Force(P, Max(0, t - 1) * N.x + (t - 2) * N.y))
    floor = Contact(P, Plane(O, N.y), friction=0, restitution=0, name="floor")
    result = HybridModel(system, [floor], length=1.0).simulate((0, 3), {x: 0, y: 0, u: 0, v: 0}, {})
    assert [event.t for event in result.events if "floor" in event.contacts] == pytest.approx([0.0, 1.0, 2.0])
    np.testing.assert_allclose(result.normal_force_at([0.5, 1.5])[0], [1.5, 0.5], rtol=1e-12)
    assert result[x][-1] == pytest.approx(2.0**3 / 12.0)
    assert result[y][-1] == pytest.approx(1.0 / 12.0)
