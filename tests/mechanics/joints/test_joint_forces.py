"""Forces and torques in joints against closed forms, and against a recursion of its own for random trees."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from hypothesis import strategies as st
from joint_trees import joint_wrenches, random_tree, system_of
from quick_members import examples
from sympy.physics.mechanics import (
    Force,
    LinearPathway,
    LinearSpring,
    Particle,
    PinJoint,
    PlanarJoint,
    PrismaticJoint,
    RigidBody,
    SphericalJoint,
    System,
    Torque,
    TorqueActuator,
    WeldJoint,
    dynamicsymbols,
    inertia,
)

from sympact import HybridModel, Interpolated

ROUNDING = 1e-11
"""Of the largest force: sums of some hundred terms."""
G, LENGTH, MASS = 9.81, 1.5, 2.0
t = dynamicsymbols._t


def rod(name: str = "rod", mass: float = MASS, length: float = LENGTH) -> RigidBody:
    """A slender rod along its x axis."""
    body, moment = RigidBody(name, mass=mass), mass * length**2 / 12
    body.central_inertia = inertia(body.frame, 0, moment, moment)
    return body


def gravity(system: System, *, along=None) -> None:
    system.apply_uniform_gravity(-G * system.frame.y if along is None else along)


def pinned_rod() -> tuple[System, PinJoint, RigidBody]:
    """A rod on a pin at the origin; its angle from the horizontal is the coordinate."""
    ground, body = RigidBody("ground"), rod()
    pin = PinJoint("pin", ground, body, child_point=-LENGTH / 2 * body.x, joint_axis=ground.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin)
    return system, pin, body


def directions(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors along the rod and at right angles to it, shape (3, k)."""
    zero = np.zeros_like(q)
    return np.array([np.cos(q), np.sin(q), zero]), np.array([-np.sin(q), np.cos(q), zero])


def close(found: np.ndarray, truth: np.ndarray) -> None:
    np.testing.assert_allclose(found, truth, rtol=0, atol=ROUNDING * max(1.0, np.abs(truth).max()))


def test_the_bearing_of_a_swinging_rod_has_the_force_of_the_textbooks():
    system, pin, _ = pinned_rod()
    gravity(system)
    result = HybridModel(system, []).simulate((0, 3), [0.3, 0.0], {})
    q, u = result.x
    along, across = directions(q)
    truth = along * (MASS * G * np.sin(q) - MASS * u**2 * LENGTH / 2) + across * MASS * G * np.cos(q) / 4
    close(result.joint_force(pin), truth)
    close(result.joint_torque(pin), np.zeros_like(truth))
    close(result.joint_force("pin", frame=pin.child_interframe)[0], (along * truth).sum(axis=0))


def test_a_rod_thrown_on_its_pin_pulls_with_the_centrifugal_force():
    system, pin, _ = pinned_rod()
    result = HybridModel(system, []).simulate((0, 2), [0.0, 7.0], {})
    close(np.linalg.norm(result.joint_force(pin), axis=0), np.full(len(result.t), MASS * 49.0 * LENGTH / 2))


def test_a_pendulum_on_a_shaken_support_bears_the_inertia_of_its_own_acceleration():
    ground, support, body, r = RigidBody("ground"), RigidBody("support", mass=5), rod(), dynamicsymbols("r")
    support.frame.orient_axis(ground.frame, ground.z, 0)
    support.masscenter.set_pos(ground.masscenter, r * ground.x)
    pin = PinJoint("pin", support, body, child_point=-LENGTH / 2 * body.x, joint_axis=support.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin)
    gravity(system)
    model = HybridModel(system, [])
    result = model.simulate((0, 2), [0.5, -1.0], {}, inputs={r: 0.2 * sm.sin(3 * t)})
    q, u = result.x
    shake = -1.8 * np.sin(3 * result.t)
    along, across = directions(q)
    turning = -1.5 / LENGTH * (G * np.cos(q) - shake * np.sin(q))
    acceleration = LENGTH / 2 * (turning * across - u**2 * along) + shake * np.array([[1.0], [0.0], [0.0]])
    close(result.joint_force(pin), MASS * (acceleration + G * np.array([[0.0], [1.0], [0.0]])))


def test_a_door_on_a_vertical_hinge_bends_it_by_its_weight_and_by_its_turning():
    ground, leaf, (m, g, C) = RigidBody("ground"), RigidBody("leaf"), sm.symbols("m g C")
    leaf.mass = m
    leaf.central_inertia = inertia(leaf.frame, m * 4 / 12, m * (0.81 + 4) / 12, m * 0.81 / 12, 0, 0, C)
    hinge = PinJoint("hinge", ground, leaf, child_point=-0.45 * leaf.x - leaf.z, joint_axis=ground.z)
    system = System.from_newtonian(ground)
    system.add_joints(hinge)
    gravity(system, along=-g * ground.z)
    model = HybridModel(system, [])
    assert model.unused_parameters == (C,)  # a door swings alike with any product of inertia
    with pytest.raises(ValueError, match="what the joint 'hinge' bears depends on C, which has no value in"):
        model.simulate((0, 1), [0.2, 3.0], {m: 20.0, g: G}).joint_torque(hinge)
    assert np.isfinite(model.simulate((0, 1), [0.2, 3.0], {m: 20.0, g: G}).joint_force(hinge)).all()
    result = model.simulate((0, 1), [0.2, 3.0], {m: 20.0, g: G, C: 0.7})
    frame, always = hinge.child_interframe, np.ones(len(result.t))
    pull, weight = 20.0 * 0.45 * 9.0, 20.0 * G
    close(result.joint_force(hinge, frame=frame), np.outer([-pull, 0.0, weight], always))
    close(result.joint_torque(hinge, frame=frame), np.outer([0.0, -pull - 0.45 * weight + 0.7 * 9.0, 0.0], always))


@examples(3, 10, st.integers(0, 10_000), st.integers(1, 5))
def test_random_trees_bear_what_the_recursion_of_newton_and_euler_gives(seed, size):
    tree = random_tree(seed, size)
    model, n = HybridModel(system_of(tree), []), tree.freedoms
    result = model.simulate((0, 1e-3), np.random.default_rng(seed).uniform(-1.0, 1.0, 2 * n), {})
    q, u = np.split(result.x[:, 0], [n])
    truth = joint_wrenches(tree, q, u, model.compile().flow(0.0, result.x[:, 0], [])[n:])
    found = [[*result.joint_force(f"j{i}")[:, 0], *result.joint_torque(f"j{i}")[:, 0]] for i in range(size)]
    close(found, truth)


def test_an_actuator_and_a_spring_beside_a_joint_are_no_part_of_it():
    system, pin, body = pinned_rod()
    moment = TorqueActuator(sm.Float(3.0), pin.parent_interframe.z, body.frame, pin.parent_interframe)
    tip = pin.child_point.locatenew("tip", LENGTH * body.x)
    hook = system.fixed_point.locatenew("hook", 2 * system.frame.y)
    system.add_actuators(moment, LinearSpring(40, LinearPathway(tip, hook), sm.Rational(1, 2)))
    gravity(system)
    result = HybridModel(system, []).simulate((0, 1), [0.1, 0.0], {})
    close(result.joint_torque(pin), np.zeros((3, len(result.t))))
    place = LENGTH * directions(result.x[0])[0]
    away = place - np.array([[0.0], [2.0], [0.0]])
    pull = -40.0 * (1.0 - 0.5 / np.linalg.norm(away, axis=0)) * away
    speeds_up = (3.0 + np.cross(place, pull, axis=0)[2] - MASS * G * place[0] / 2) * 3 / (MASS * LENGTH**2)
    along, across = directions(result.x[0])
    acceleration = LENGTH / 2 * (speeds_up * across - result.x[1] ** 2 * along)
    close(result.joint_force(pin), MASS * (acceleration + G * np.array([[0.0], [1.0], [0.0]])) - pull)


def test_a_joint_declared_from_the_moving_body_to_the_ground_has_the_opposite_force():
    ground, body = RigidBody("ground"), rod()
    pin = PinJoint("pin", body, ground, parent_point=-LENGTH / 2 * body.x, joint_axis=body.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin)
    gravity(system)
    result = HybridModel(system, []).simulate((0, 1), [0.3, 0.0], {})
    assert len(result.t) > 5
    q, u = -result.x[0], -result.x[1]
    along, across = directions(q)
    truth = along * (MASS * G * np.sin(q) - MASS * u**2 * LENGTH / 2) + across * MASS * G * np.cos(q) / 4
    close(result.joint_force(pin), -truth)


def test_a_plate_on_a_table_presses_on_it_where_it_does_not_slide():
    ground, plate = RigidBody("ground"), RigidBody("plate", mass=3)
    plate.central_inertia = inertia(plate.frame, 1, 2, sm.Rational(5, 2))
    table = PlanarJoint("table", ground, plate)
    system = System.from_newtonian(ground)
    system.add_joints(table)
    gravity(system, along=-G * ground.x)  # the normal of a planar joint is the x axis
    system.add_loads(Force(plate.masscenter, 4 * ground.y + 2 * ground.x), Torque(plate.frame, 7 * ground.y + ground.x))
    result = HybridModel(system, []).simulate((0, 1), [0.0] * 6, {})
    close(result.joint_force(table), np.outer([3 * G - 2.0, 0.0, 0.0], np.ones(len(result.t))))
    close(result.joint_torque(table), np.outer([0.0, -7.0, 0.0], np.ones(len(result.t))))


@pytest.mark.parametrize("attitude", ["quaternion", "angles"])
def test_a_top_on_a_ball_joint_bears_its_weight_and_its_inertia_and_no_torque(attitude):
    ground, top = RigidBody("ground"), RigidBody("top", mass=2)
    top.central_inertia = inertia(top.frame, 1, 1, sm.Rational(1, 2))
    ball = SphericalJoint("ball", ground, top, child_point=-top.z / 2, rot_order="ZXZ")
    system = System.from_newtonian(ground)
    system.add_joints(ball)
    gravity(system, along=-G * ground.z)
    times, step = np.linspace(0.1, 1.9, 7), 1e-3
    instants = np.sort(np.concatenate([times - step, times, times + step]))
    model = HybridModel(system, [], attitude=attitude)
    start = [0.4, 0.9, -0.3, 0.5, 0.2, 6.0]
    result = model.simulate((0, 2), start, {}, rtol=1e-12, t_eval=instants)
    place = top.masscenter.pos_from(ground.masscenter)
    velocity = np.array([result[place.dot(axis).diff(t)] for axis in ground.frame])
    acceleration = (velocity[:, 2::3] - velocity[:, ::3]) / (2 * step)
    truth = 2.0 * (acceleration + G * np.array([[0.0], [0.0], [1.0]]))
    shape = np.abs(truth).max()  # central differences are step^2/6 of a third derivative beside it, which turns at 8/s
    np.testing.assert_allclose(result.joint_force(ball, t=times), truth, rtol=0, atol=100 * step**2 * shape)
    np.testing.assert_allclose(result.joint_force(ball)[:, 1::3], truth, rtol=0, atol=100 * step**2 * shape)
    close(result.joint_torque(ball), np.zeros((3, len(instants))))


def test_a_weld_bends_and_a_slide_bears_across_its_axis():
    rail, cart, beam = RigidBody("rail"), RigidBody("cart", mass=1), rod("beam")
    slide = PrismaticJoint("slide", rail, cart, joint_axis=rail.z)
    weld = WeldJoint("weld", cart, beam, child_point=-LENGTH / 2 * beam.x)
    system = System.from_newtonian(rail)
    system.add_joints(slide, weld)
    gravity(system)
    system.add_loads(Force(cart.masscenter, 6 * rail.z))
    result = HybridModel(system, []).simulate((0, 1), [0.0, 0.0], {})
    always = np.ones(len(result.t))
    arm, speed_up = LENGTH / 2, 6.0 / (1.0 + MASS)
    close(result.joint_force(weld), np.outer([0.0, MASS * G, MASS * speed_up], always))
    close(result.joint_torque(weld), np.outer([0.0, -arm * MASS * speed_up, arm * MASS * G], always))
    close(result.joint_force(slide), np.outer([0.0, (1.0 + MASS) * G, 0.0], always))
    close(result.joint_torque(slide), np.outer([0.0, -arm * MASS * speed_up, arm * MASS * G], always))


@pytest.mark.filterwarnings("ignore:the potential energy of")
def test_the_potential_energy_of_a_weight_acts_at_the_mass_centre():
    forces = []
    for potential in (False, True):
        system, pin, body = pinned_rod()
        if potential:
            body.potential_energy = MASS * G * body.masscenter.pos_from(system.fixed_point).dot(system.frame.y)
        else:
            gravity(system)
        forces.append(HybridModel(system, []).simulate((0, 1), [0.3, 0.0], {}).joint_force(pin, t=[0.0, 0.4, 1.0]))
    np.testing.assert_allclose(*forces, rtol=0, atol=1e-7)  # of two runs at the default tolerances


@pytest.mark.filterwarnings("ignore:the potential energy of")
def test_a_potential_energy_of_no_constant_force_is_refused():
    system, pin, body = pinned_rod()
    body.potential_energy = 5 * pin.coordinates[0] ** 2
    result = HybridModel(system, []).simulate((0, 0.1), [0.3, 0.0], {})
    with pytest.raises(ValueError, match="potential energy of the body 'rod' is not that of a force that is constant"):
        result.joint_force(pin)


def test_both_sides_of_a_condition_have_the_force_of_their_own_branch():
    """A torque that changes its sign with the angle: the free axis bears nothing on either side of each switch."""
    system, pin, body = pinned_rod()
    q = pin.coordinates[0]
    system.add_loads(Torque(body.frame, -8 * sm.sign(q) * system.frame.z))
    result = HybridModel(system, []).simulate((0, 3), [0.5, 0.0], {})
    switches = [event for event in result.events if event.kind == "switch"]
    assert len(switches) == 3
    close(result.joint_torque(pin), np.zeros((3, len(result.t))))
    along, across = directions(result.x[0])
    places = np.flatnonzero(np.diff(result.t) == 0.0)
    for side, k in (("left", places), ("right", places + 1)):
        branch = -np.sign(result.x[1, k]) if side == "left" else np.sign(result.x[1, k])
        turning = (-8.0 * branch * 3 / (MASS * LENGTH**2)) * across[:, k]
        truth = MASS * LENGTH / 2 * (turning - result.x[1, k] ** 2 * along[:, k])
        close(result.joint_force(pin)[:, k], truth)
        close(result.joint_force(pin, t=result.t[k], side=side), truth)


def test_a_force_given_as_data_enters_with_the_piece_of_the_time():
    system, pin, body = pinned_rod()
    F = dynamicsymbols("F")
    system.add_loads(Force(body.masscenter, F * system.frame.x))
    data = Interpolated([0.0, 0.5, 1.0], [3.0, -5.0, -5.0])
    for force in (data, 3.0 - 16.0 * t, lambda time: 3.0 - 16.0 * time):
        result = HybridModel(system, []).simulate((0, 0.4), [0.3, 0.0], {}, inputs={F: force})
        along, across = directions(result.x[0])
        push = (3.0 - 16.0 * result.t) * np.array([[1.0], [0.0], [0.0]])
        turning = (across * push).sum(axis=0) * LENGTH / 2 * 3 / (MASS * LENGTH**2)
        truth = MASS * LENGTH / 2 * (turning * across - result.x[1] ** 2 * along) - push
        close(result.joint_force(pin), truth)


def two_rods() -> tuple[System, PinJoint, PinJoint, RigidBody]:
    """A double pendulum of rods."""
    ground, upper, lower = RigidBody("ground"), rod("upper"), rod("lower")
    one = PinJoint("one", ground, upper, child_point=-LENGTH / 2 * upper.x, joint_axis=ground.z)
    places = {"parent_point": LENGTH / 2 * upper.x, "child_point": -LENGTH / 2 * lower.x}
    two = PinJoint("two", upper, lower, joint_axis=upper.z, **places)
    system = System.from_newtonian(ground)
    system.add_joints(one, two)
    gravity(system)
    return system, one, two, upper


def test_points_that_are_located_past_a_joint_are_named():
    system, one, two, upper = two_rods()
    two.child_point.set_pos(system.fixed_point, LENGTH * upper.x)
    result = HybridModel(system, []).simulate((0, 0.1), [0.0] * 4, {})
    for joint in (one, two):
        with pytest.raises(
            ValueError, match=f"the joint '{joint.name}' is part of a closed chain, or a point of a body"
        ):
            result.joint_force(joint)


def test_a_symbol_of_a_body_that_never_moves_is_named():
    ground, plate = RigidBody("ground"), RigidBody("plate")
    weld = WeldJoint("weld", ground, plate)
    body = rod()
    pin = PinJoint("pin", plate, body, child_point=-LENGTH / 2 * body.x, joint_axis=plate.z)
    system = System.from_newtonian(ground)
    system.add_joints(weld, pin)
    gravity(system)
    result = HybridModel(system, []).simulate((0, 0.1), [-np.pi / 2, 0.0], {})
    close(result.joint_force(pin), np.outer([0.0, MASS * G, 0.0], np.ones(len(result.t))))
    with pytest.raises(
        ValueError, match="in the joint 'weld' depends on plate_mass, which is no symbol of the equations"
    ):
        result.joint_force(weld)


def test_a_bead_located_by_hand_on_a_rod_is_carried_by_its_pin():
    """A bead slides along a rod; across the rod it is carried, along it nothing holds it."""
    system, pin, body = pinned_rod()
    s, v = dynamicsymbols("s v")
    bead = Particle("bead", pin.child_point.locatenew("place", s * body.x), 0.5)
    system.add_bodies(bead)
    system.add_coordinates(s)
    system.add_speeds(v)
    system.add_kdes(v - s.diff())
    gravity(system)
    model = HybridModel(system, [])
    result = model.simulate((0, 1), {pin.coordinates[0]: 0.3, s: 0.8, pin.speeds[0]: 1.0, v: 0.2}, {})
    close(result.joint_torque(pin), np.zeros((3, len(result.t))))
    q, place, u, slip = (result[name] for name in (pin.coordinates[0], s, pin.speeds[0], v))
    along, across = directions(q)
    moment = -MASS * G * LENGTH / 2 * np.cos(q) - 0.5 * (G * place * np.cos(q) + 2 * place * slip * u)
    turning = moment / (MASS * LENGTH**2 / 3 + 0.5 * place**2)
    own = MASS * (LENGTH / 2 * (turning * across - u**2 * along) + G * np.array([[0.0], [1.0], [0.0]]))
    carried = 0.5 * (place * turning + 2 * slip * u + G * np.cos(q)) * across
    close(result.joint_force(pin), own + carried)
