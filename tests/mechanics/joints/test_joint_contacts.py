"""Joints of bodies that touch: closed forms of forces and impulses, and the balance of whole mechanisms."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import PinJoint, PrismaticJoint, RigidBody, SphericalJoint, System, inertia

from sympact import Contact, HybridModel, Limit, Plane, Sphere, String, models

G, LENGTH, MASS, MU = 9.81, 1.5, 2.0, 0.3
CLOSE = 1e-9
"""Of the largest force: the forces of closed contacts solve linear equations."""


def rod(name: str = "rod") -> RigidBody:
    body, moment = RigidBody(name, mass=MASS), MASS * LENGTH**2 / 12
    body.central_inertia = inertia(body.frame, 0, moment, moment)
    return body


def pinned_rod(contacts, weight: float = G, **options) -> tuple[HybridModel, PinJoint]:
    """A rod on a pin at the origin, with ``contacts(pin, rod, ground)``; its angle from the horizontal is q."""
    ground, body = RigidBody("ground"), rod()
    pin = PinJoint("pin", ground, body, child_point=-LENGTH / 2 * body.x, joint_axis=ground.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin)
    system.apply_uniform_gravity(-weight * ground.y)
    return HybridModel(system, contacts(pin, body, ground), **options), pin


def tip(pin: PinJoint, body: RigidBody, length: float = LENGTH):
    return pin.child_point.locatenew("tip", length * body.x)


def floor(ground: RigidBody, height: float = 0.0, normal=None):
    point = ground.masscenter.locatenew("floor", height * ground.y)
    return Plane(point, ground.y if normal is None else normal)


def test_a_rod_that_lies_with_its_tip_on_a_floor_is_borne_by_halves():
    def contacts(pin, body, ground):
        return [Contact(tip(pin, body), floor(ground), restitution=0, friction=0)]

    model, pin = pinned_rod(contacts)
    result = model.simulate((0, 1), [0.0, 0.0], {})
    half = MASS * G / 2
    np.testing.assert_allclose(result.normal_force[0, 1:], half, rtol=CLOSE)  # the first sample is before it closes
    found = result.joint_force(pin)
    np.testing.assert_allclose(found[:, 1:], np.outer([0, half, 0], result.t[1:] ** 0), atol=CLOSE * half)
    np.testing.assert_allclose(found[:, 0], [0, half / 2, 0], atol=CLOSE * half)
    np.testing.assert_allclose(result.joint_torque(pin), 0.0, atol=CLOSE * half)


@cache
def trailing_rod(size: float, method: str = "DOP853"):
    """A carriage that a force pulls along a rail, and a rod on it whose round tip trails on a rough floor."""
    rail, cart, body = RigidBody("rail"), RigidBody("cart", mass=3), rod()
    slide = PrismaticJoint("slide", rail, cart, joint_axis=rail.x)
    pin = PinJoint("pin", cart, body, child_point=-LENGTH / 2 * body.x, joint_axis=cart.z)
    system = System.from_newtonian(rail)
    system.add_joints(slide, pin)
    system.apply_uniform_gravity(-G * rail.y)
    end = tip(pin, body)
    part = Sphere(end, size, frame=body.frame) if size else end
    model = HybridModel(system, [Contact(part, floor(rail, -0.9), restitution=0, friction=MU, name="tip")])
    angle = np.arcsin(-(0.9 - size) / LENGTH)
    options = {"max_step": 1e-3} if method == "moreau" else {}
    return model.simulate((0, 0.5), [0.0, angle, 2.0, 0.0], {}, method=method, **options), slide, pin


@pytest.mark.parametrize("size", [0.0, 0.2])
def test_a_rod_that_trails_on_a_rough_floor_loads_its_pin_and_the_rail(size):
    result, slide, pin = trailing_rod(size)
    closed = slice(1, None)  # the first sample is before the contact closes
    angle = result.x[1, closed]
    assert np.ptp(angle) < 1e-9
    along, down = LENGTH * np.cos(angle), LENGTH * np.sin(angle) - size  # from the pin to the contact
    # N, pin_x, pin_y, a: the rod does not turn, friction mu N acts backwards, the carriage is slowed by the pin
    balances = [_trailing(a, d, h) for a, d, h in zip(angle, along, down, strict=True)]
    press, pull, lift, slows = np.array(balances).T
    np.testing.assert_allclose(result.normal_force[0, closed], press, rtol=1e-8)
    np.testing.assert_allclose(result.joint_force(pin)[:, closed], [pull, lift, 0 * pull], atol=1e-8 * MASS * G)
    np.testing.assert_allclose(result.joint_torque(pin), 0.0, atol=1e-8 * MASS * G)
    rail = result.joint_force(slide)[:, closed]
    np.testing.assert_allclose(rail, [0 * lift, lift + 3 * G, 0 * lift], atol=1e-8 * MASS * G)
    np.testing.assert_allclose(slows, -pull / 3, rtol=1e-8)


def _trailing(angle: float, along: float, down: float) -> np.ndarray:
    """N, the pin's force on the rod, and the acceleration, from the balances of the rod and of the carriage."""
    back, low = LENGTH / 2 * np.cos(angle), LENGTH / 2 * np.sin(angle)
    rows = [
        [-MU, 1.0, 0.0, -MASS],  # pin_x - mu N = m a
        [1.0, 0.0, 1.0, 0.0],  # pin_y + N = m g
        [along + MU * down, 0.0, 0.0, MASS * low],  # about the pin: N x + mu N y - m g back = -m a low
        [0.0, 1.0, 0.0, 3.0],  # -pin_x = 3 a
    ]
    return np.linalg.solve(rows, [0.0, MASS * G, MASS * G * back, 0.0])


def test_time_stepping_has_the_same_forces_in_steady_sliding():
    stepped, exact, times = trailing_rod(0.0, "moreau")[0], trailing_rod(0.0)[0], [0.1, 0.3]
    found, truth = (result.joint_force("pin", t=times) for result in (stepped, exact))
    np.testing.assert_allclose(found, truth, atol=1e-2 * G)  # a method of first order
    np.testing.assert_allclose(stepped.joint_torque("pin"), 0.0, atol=CLOSE * G)


def test_a_rod_held_by_a_limit_bears_its_moment_beside_the_pin():
    model, pin = pinned_rod(lambda pin, body, ground: [Limit(pin.coordinates[0], restitution=0, name="stop")])
    result = model.simulate((0, 1), [0.0, 0.0], {})
    np.testing.assert_allclose(result.normal_force[0, 1:], MASS * G * LENGTH / 2, rtol=CLOSE)  # a moment: no lever
    found = result.joint_force(pin)[:, 1:]
    np.testing.assert_allclose(found, np.outer([0, MASS * G, 0], result.t[1:] ** 0), atol=CLOSE * G)
    np.testing.assert_allclose(result.joint_torque(pin), 0.0, atol=CLOSE * G)


def test_a_limit_of_an_expression_that_names_no_joint_is_refused_where_it_bears():
    rail, cart, body = RigidBody("rail"), RigidBody("cart", mass=3), rod()
    slide = PrismaticJoint("slide", rail, cart, joint_axis=rail.y)
    pin = PinJoint("pin", cart, body, child_point=-LENGTH / 2 * body.x, joint_axis=cart.z)
    system = System.from_newtonian(rail)
    system.add_joints(slide, pin)
    system.apply_uniform_gravity(-G * rail.y)
    height = slide.coordinates[0] + LENGTH * sm.sin(pin.coordinates[0])
    model = HybridModel(system, [Limit(height, restitution=0, name="tip")])
    result = model.simulate((0, 1), [1.0, 0.3, 0.0, 0.0], {})
    assert result.joint_force(pin, t=[0.0]).shape == (3, 1)  # open
    with pytest.raises(
        ValueError, match="the limit 'tip' bears a load, and its expression does not say on which bodies"
    ):
        result.joint_force(pin)


def test_a_taut_string_pulls_on_both_of_its_ends():
    """A lamp on a level boom that a string holds from above the pin: the boom is pressed against the wall."""

    def contacts(pin, body, ground):
        hook = ground.masscenter.locatenew("hook", LENGTH * ground.y)
        return [String(hook, tip(pin, body), sm.sqrt(2) * sm.Float(LENGTH, 17), restitution=0)]

    model, pin = pinned_rod(contacts)
    result = model.simulate((0, 0.5), [0.0, 0.0], {})
    half = MASS * G / 2
    np.testing.assert_allclose(result.normal_force[0, 1:], np.sqrt(2) * half, rtol=1e-8)
    found = result.joint_force(pin)[:, 1:]
    np.testing.assert_allclose(found, np.outer([half, half, 0], result.t[1:] ** 0), atol=1e-8 * half)


def test_a_blow_at_the_centre_of_percussion_leaves_the_pivot_in_peace():
    def contacts(at):
        return lambda pin, body, ground: [Contact(tip(pin, body, at), floor(ground), restitution=0.5, friction=0)]

    for at in (2 * LENGTH / 3, LENGTH, LENGTH / 3):
        model, pin = pinned_rod(contacts(at), weight=0.0)
        hit = model.simulate((0, 1), [1.0, -3.0], {}).events[0]
        impulse = MASS * LENGTH**2 / 3 * 4.5 / at
        truth = [0.0, MASS * LENGTH / 2 * 4.5 - impulse, 0.0]
        np.testing.assert_allclose(hit.impulse, [impulse], rtol=1e-9)
        np.testing.assert_allclose(hit.joint_impulse(pin), truth, atol=1e-9 * impulse)
        np.testing.assert_allclose(hit.joint_angular_impulse("pin"), 0.0, atol=1e-9 * impulse)
        again = model.impact(hit.t, hit.x_minus, {})
        np.testing.assert_allclose(again.joint_impulse(pin), truth, atol=1e-9 * impulse)
        turned = hit.joint_impulse(pin, frame=pin.child_interframe)
        np.testing.assert_allclose(np.linalg.norm(turned), np.linalg.norm(truth), atol=1e-9 * impulse)


def test_a_limit_that_stops_a_rod_jerks_its_pin():
    model, pin = pinned_rod(lambda pin, body, ground: [Limit(pin.coordinates[0], restitution=0.5)], weight=0.0)
    hit = model.simulate((0, 1), [1.0, -3.0], {}).events[0]
    np.testing.assert_allclose(hit.joint_impulse(pin), [0.0, MASS * LENGTH / 2 * 4.5, 0.0], atol=1e-9)
    np.testing.assert_allclose(hit.joint_angular_impulse(pin), 0.0, atol=1e-9)


@cache
def landing_chain():
    """Three links in space on a carriage; a ball at the tip and the elbow land on a rough floor and slide to rest."""
    ground, links = RigidBody("ground"), [rod(f"rod{i}") for i in range(3)]
    system, parent, place, joints = System.from_newtonian(ground), ground, None, []
    for i, body in enumerate(links):
        body.central_inertia = inertia(body.frame, 0.05, 0.3, 0.4, 0.02, 0.01, -0.03)
        axis = (parent.y, parent.y + parent.z / 3, parent.y)[i]
        places = {"child_point": -0.5 * body.x} | ({} if place is None else {"parent_point": place})
        joints.append(PinJoint(f"j{i}", parent, body, joint_axis=axis, **places))
        system.add_joints(joints[-1])
        parent, place = body, 0.5 * body.x
    system.apply_uniform_gravity(-G * ground.z)
    end = links[2].masscenter.locatenew("end", 0.5 * links[2].x)
    low = Plane(ground.masscenter.locatenew("low", -1.2 * ground.z), ground.z)
    contacts = [
        Contact(Sphere(end, 0.1, frame=links[2].frame), low, restitution=0.4, friction=MU, name="end"),
        Contact(joints[2].child_point, low, restitution=0.4, friction=MU, name="elbow"),
    ]
    model = HybridModel(system, contacts)
    return model.simulate((0, 3), [0.3, 0.4, -0.5, 0.0, 0.0, 0.0], {}), joints, ground, links


def test_joint_contacts_and_gravity_change_the_momentum_of_a_landing_chain():
    result, joints, ground, links = landing_chain()
    assert {"impact", "accumulation"} <= set(result.events.kinds())
    step, sample = 1e-5, np.linspace(0.05, 2.9, 40)
    quiet = np.array([np.abs(result.events.t - t).min() > 3 * step for t in sample])
    times = sample[quiet]
    moved = _momentum(result, ground, links)
    rate = (moved(times + step) - moved(times - step)) / (2 * step)
    normal = result.normal_force_at(times).sum(axis=0) * np.array([[0.0], [0.0], [1.0]])
    pushes = normal + result.friction_force_at(times).sum(axis=0)
    weight = 3 * MASS * G * np.array([[0.0], [0.0], [-1.0]])
    found = result.joint_force(joints[0], t=times) + pushes + weight
    np.testing.assert_allclose(found, rate, rtol=0, atol=1e-5 * np.abs(pushes).max())


def test_the_free_axes_of_a_landing_chain_bear_nothing_at_any_sample():
    result, joints, *_ = landing_chain()
    for joint in joints:
        axis = np.array(joint.joint_axis.to_matrix(joint.parent_interframe), dtype=float).ravel()
        torque = result.joint_torque(joint, frame=joint.parent_interframe)
        assert np.abs(axis @ torque).max() <= 1e-9 * max(1.0, np.abs(torque).max())


def test_impulses_change_the_momentum_of_a_landing_chain():
    result, joints, ground, links = landing_chain()
    impacts = [event for event in result.events if event.kind == "impact"]
    assert len(impacts) > 3
    for event in impacts:
        masses = [_velocity(result, ground, links, x) for x in (event.x_minus, event.x_plus)]
        change = MASS * (masses[1] - masses[0])
        contacts = np.array([0.0, 0.0, event.impulse.sum()]) + event.friction_impulse.sum(axis=0)
        size = np.abs(contacts).max()
        np.testing.assert_allclose(event.joint_impulse(joints[0]) + contacts, change, rtol=0, atol=1e-9 * size)
        for joint in joints:
            moment = event.joint_angular_impulse(joint, frame=joint.parent_interframe)
            along = np.array(joint.joint_axis.to_matrix(joint.parent_interframe), dtype=float).ravel()
            assert abs(along @ moment) <= 1e-9 * size


@pytest.mark.parametrize("kind", ["rough plate", "smooth plate", "plate of the height of a point", "rough ball"])
def test_a_contact_between_two_links_acts_on_both(kind):
    """Arms on two pins, of which one falls onto the other: no power in either free axis, and opposite reactions."""
    ground, lower, upper = RigidBody("ground"), rod("lower"), rod("upper")
    left = PinJoint("left", ground, lower, child_point=-LENGTH / 2 * lower.x, joint_axis=ground.z)
    place = {"parent_point": 1.2 * ground.x + 0.9 * ground.y, "child_point": -LENGTH / 2 * upper.x}
    right = PinJoint("right", ground, upper, joint_axis=ground.z, **place)
    system = System.from_newtonian(ground)
    system.add_joints(left, right)
    system.apply_uniform_gravity(-G * ground.y)
    bottom = Limit(left.coordinates[0] + sm.Rational(1, 2), restitution=0, name="stop")
    middle, friction = lower.masscenter.locatenew("middle", 0.1 * lower.x), 0 if "smooth" in kind else MU
    end, size = tip(right, upper), 0.1
    surface = {
        "rough plate": Plane(middle, lower.y),
        "smooth plate": Plane(middle, lower.y),
        "plate of the height of a point": Plane(middle, ground.y),
        "rough ball": Sphere(middle, 0.4, frame=lower.frame),
    }[kind]
    part = Sphere(end, size, frame=upper.frame if friction else None)
    model = HybridModel(system, [Contact(part, surface, restitution=0.3, friction=friction, name="pair"), bottom])
    result = model.simulate((0, 1.5), [0.0, 2.6, 0.0, 0.0], {})
    assert any(event.kind == "impact" and "pair" in event.contacts for event in result.events)
    assert result.normal_force[0].max() > 1.0
    for joint in (left, right):
        assert np.abs(result.joint_torque(joint)[2]).max() <= 1e-8 * MASS * G
        for event in itertools.takewhile(lambda event: event.kind == "impact", result.events):
            assert abs(event.joint_angular_impulse(joint)[2]) <= 1e-9  # later ones also remove the rest of bounces
    moved = _momentum(result, ground, [lower, upper])
    times, step = np.array([t for t in np.linspace(0.1, 1.4, 30) if np.abs(result.events.t - t).min() > 1e-4]), 1e-5
    rate = (moved(times + step) - moved(times - step)) / (2 * step)
    weight = 2 * MASS * G * np.array([[0.0], [-1.0], [0.0]])
    found = result.joint_force(left, t=times) + result.joint_force(right, t=times) + weight
    np.testing.assert_allclose(found, rate, rtol=0, atol=1e-4 * MASS * G)


def test_a_blow_on_a_body_on_a_ball_joint_turns_it_by_the_contacts_impulse_alone():
    ground, body = RigidBody("ground"), RigidBody("body", mass=MASS)
    body.central_inertia = inertia(body.frame, 0.5, 0.6, 0.2, 0.02, 0.05, -0.03)
    ball = SphericalJoint("ball", ground, body, child_point=0.8 * body.z + 0.1 * body.x, rot_order="XYZ")
    system = System.from_newtonian(ground)
    system.add_joints(ball)
    system.apply_uniform_gravity(-G * ground.z)
    point = body.masscenter.locatenew("point", -0.4 * body.z + 0.3 * body.y)
    wall = Plane(ground.masscenter.locatenew("wall", -0.1 * ground.x), ground.x)
    model = HybridModel(system, [Contact(point, wall, restitution=0.5, friction=MU)])
    assert model.attitudes == {"body_frame": "quaternion"}
    result = model.simulate((0, 2), [0.2, -0.9, 0.3, 0.0, 0.0, 0.0], {})
    impacts = [event for event in result.events if event.kind == "impact"]
    assert impacts
    for event in impacts:
        change = MASS * np.subtract(*(_velocity(result, ground, [body], x) for x in (event.x_plus, event.x_minus)))
        contact = np.array([event.impulse[0], 0.0, 0.0]) + event.friction_impulse[0]
        size = np.abs(contact).max()
        np.testing.assert_allclose(event.joint_impulse(ball) + contact, change, rtol=0, atol=1e-8 * size)
        np.testing.assert_allclose(event.joint_angular_impulse(ball), 0.0, atol=1e-8 * size)
    np.testing.assert_allclose(result.joint_torque(ball), 0.0, atol=1e-8 * np.abs(result.joint_force(ball)).max())


def _velocities(ground, links):
    """The sum of the mass centres' velocities in components of the ground, as SymPy has them."""
    place = [body.masscenter.pos_from(ground.masscenter) for body in links]
    return [sum(p.dot(axis) for p in place).diff() for axis in ground.frame]


def _momentum(result, ground, links):
    expressions = _velocities(ground, links)

    def at(times):
        x, stage = result(times), result._record.stage_at(times)
        return MASS * np.array([result._model.quantity("expression", e)(times, x, stage) for e in expressions])

    return at


def _velocity(result, ground, links, x):
    at = np.zeros(1), x[:, np.newaxis], np.zeros(1, int)
    return np.array([result._model.quantity("expression", e)(*at)[0] for e in _velocities(ground, links)])


def test_a_run_without_joints_says_what_to_give():
    ball = models.bouncing_ball().simulate(max_events=1)
    with pytest.raises(ValueError, match=r"the model has no joints: the forces in joints need a System whose bodies"):
        ball.joint_force("pin")
    with pytest.raises(ValueError, match=r"the model has no joints"):
        ball.events[0].joint_impulse("pin")


def test_a_joint_of_another_model_and_a_strange_frame_are_named():
    model, pin = pinned_rod(lambda *parts: [])
    other = pinned_rod(lambda *parts: [])[1]
    result = model.simulate((0, 0.1), [0.0, 0.0], {})
    with pytest.raises(KeyError, match="the joint 'pin' belongs to another model; the joints of this one are 'pin'"):
        result.joint_force(other)
    with pytest.raises(KeyError, match="there is no joint 'hinge'; the model's joints are 'pin'"):
        result.joint_torque("hinge")
    with pytest.raises(ValueError, match="the frame 'child_frame' has no orientation"):
        result.joint_force(pin, frame=RigidBody("child").frame)
    with pytest.raises(TypeError, match="frame is 'N', expected a sympy ReferenceFrame of the model"):
        result.joint_force(pin, frame="N")
