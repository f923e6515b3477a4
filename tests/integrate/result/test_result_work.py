"""The work of loads, of friction and of prescribed motions: closed forms, forces of joints, and balances of energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
from dropped_ball import dropped_ball
from quick_members import members
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    TorqueActuator,
    dynamicsymbols,
    inertia,
)

import sympact
from sympact import BallClosure, Contact, HybridModel, Interpolated, Plane, models

TIME = dynamicsymbols._t
RTOL, ATOL = 1e-9, 1e-12
BALANCED = 1e-8
"""Of the energies along a run: steps at rtol 1e-9, of which there are some hundreds, and their dense output."""


def slider(mass=1, name="block"):
    """A block on a rail along x, in a System with its ground."""
    ground, block = RigidBody("ground"), Particle(name, mass=mass)
    x, v = dynamicsymbols("x v")
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("rail", ground, block, x, v, joint_axis=ground.x))
    return system, ground, block, x, v


def unbalanced(result) -> float:
    """The largest change of T + V - work that the impacts do not explain, relative to the largest energy or work."""
    booked = np.zeros(len(result.t))
    before = np.flatnonzero(result.to_dataframe().side.to_numpy() == "left")
    booked[before + 1] = np.nan_to_num(result.events.columns()["energy"])
    balance = result.energy - result.work.total - np.cumsum(booked)
    works = [np.abs(one).max() for one in result.work.values()]
    scale = max(result.kinetic_energy.max(), np.ptp(result.potential_energy), *works)
    return np.abs(balance - balance[0]).max() / scale


def test_a_damper_takes_the_kinetic_energy_by_its_formula():
    """v = v0 exp(-c t / m), so that the work is -m v0^2 (1 - exp(-2 c t / m)) / 2."""
    system, ground, block, _, _ = slider(mass=2)
    damper = LinearDamper(3, LinearPathway(ground.masscenter, block.masscenter))
    system.add_actuators(damper)
    result = HybridModel(system, []).simulate((0, 4), [1.0, 5.0], {}, rtol=RTOL, atol=ATOL)
    expected = -25.0 * (1.0 - np.exp(-3.0 * result.t))
    np.testing.assert_allclose(result.work[damper], expected, atol=25.0 * BALANCED)
    assert list(result.work) == ["the actuator between 'ground_masscenter' and 'block_masscenter'"]
    assert np.array_equal(result.work.total, result.work[damper])


def test_a_force_in_resonance_does_its_work_by_its_formula():
    """x'' + x = cos t from rest has x = t sin t / 2; the work is the integral of cos t (sin t + t cos t) / 2."""
    system, ground, block, _, _ = slider()
    system.add_actuators(LinearSpring(1, LinearPathway(ground.masscenter, block.masscenter)))
    force = dynamicsymbols("F")
    system.add_loads((block.masscenter, force * ground.x))
    result = HybridModel(system, []).simulate((0, 20), [0.0, 0.0], {}, inputs={force: sm.cos(TIME)}, rtol=RTOL)
    t = result.t
    expected = np.sin(t) ** 2 / 4 + t**2 / 8 + t * np.sin(2 * t) / 8 + np.cos(2 * t) / 16 - 1 / 16
    np.testing.assert_allclose(result.work["the load on 'block_masscenter'"], expected, atol=50.0 * BALANCED)
    times = np.linspace(0.3, 19.7, 50)
    between = result.work.at(times)["the load on 'block_masscenter'"]
    whole = np.sin(times) ** 2 / 4 + times**2 / 8 + times * np.sin(2 * times) / 8 + np.cos(2 * times) / 16 - 1 / 16
    np.testing.assert_allclose(between, whole, atol=50.0 * BALANCED)


def test_coulomb_friction_takes_mu_m_g_times_the_way():
    """A block at 2 m/s on a rough floor stops after v0^2 / (2 mu g), and rests."""
    ready = models.sliding_block()
    result = ready.simulate()
    assert unbalanced(result) < BALANCED
    ground, block = RigidBody("ground"), RigidBody("block", mass=1)
    block.central_inertia = inertia(block.frame, 1, 1, 1)
    x, y, vx, vy = dynamicsymbols("x y vx vy")
    system = System.from_newtonian(ground)
    middle = RigidBody("middle", mass=0)
    middle.central_inertia = inertia(middle.frame, 0, 0, 0)
    system.add_joints(
        PrismaticJoint("along", ground, middle, x, vx, joint_axis=ground.x),
        PrismaticJoint("up", middle, block, y, vy, joint_axis=middle.y),
    )
    system.apply_uniform_gravity(-9.81 * ground.y)
    floor = Contact(block.masscenter, Plane(ground.masscenter, ground.y), restitution=0, friction=0.3, name="floor")
    model = HybridModel(system, [floor])
    result = model.simulate((0, 3), [0.0, 0.0, 2.0, 0.0], {}, rtol=RTOL)
    np.testing.assert_allclose(result.work[floor], -0.3 * 9.81 * result["x"], atol=2.0 * BALANCED)
    assert result.work["floor"][-1] == pytest.approx(-2.0, rel=BALANCED)


def pendulum(height):
    """A rod of 1 kg, 2 m long and of 1/3 kg m^2, on a pivot at this height, under gravity."""
    q, u = dynamicsymbols("q u")
    frame, origin, turned = ReferenceFrame("N"), Point("O"), ReferenceFrame("B")
    turned.orient_axis(frame, frame.z, q)
    turned.set_ang_vel(frame, u * frame.z)
    origin.set_vel(frame, 0)
    pivot = origin.locatenew("pivot", height * frame.y)
    pivot.set_vel(frame, height.diff(TIME) * frame.y)
    centre = pivot.locatenew("centre", -turned.y)
    centre.v2pt_theory(pivot, frame, turned)
    rod = RigidBody("rod", centre, turned, 1, (inertia(turned, 0, 0, sm.Rational(1, 3)), centre))
    kane = KanesMethod(frame, [q], [u], [q.diff() - u], bodies=[rod], forcelist=[(centre, -9.81 * frame.y)])
    kane.kanes_equations()
    return HybridModel(kane, []), q, u


@pytest.mark.parametrize("given", ["expression", "input", "data"])
def test_a_moved_pivot_does_the_work_of_the_force_in_its_pin(given):
    """The power of the drive is the vertical force on the rod, m (y'' + g) at its centre, times the pivot's speed."""
    drive = dynamicsymbols("r")
    law = sm.sin(3 * TIME) / 4
    model, q, u = pendulum(law if given == "expression" else drive)
    knots = np.linspace(0, 4, 401)
    data = Interpolated(knots, np.sin(3 * knots) / 4, kind="cubic")
    inputs = {"expression": {}, "input": {drive: law}, "data": {drive: data}}[given]
    places, weights = np.polynomial.legendre.leggauss(4)
    edges = np.linspace(0.0, 4.0, 401)
    times = (edges[:-1, None] + 0.01 * (1 + places) / 2).ravel()
    result = model.simulate((0, 4), [0.5, 0.0], {}, inputs=inputs, rtol=RTOL)
    sampled = model.simulate((0, 4), [0.5, 0.0], {}, inputs=inputs, rtol=RTOL, t_eval=times)
    assert list(result.work) == ["prescribed motion"]
    assert unbalanced(result) < BALANCED
    lifted = sampled[sm.sin(q) * u.diff() + sm.cos(q) * u**2] - 2.25 * np.sin(3 * times)
    power = (lifted + 9.81) * 0.75 * np.cos(3 * times)
    expected = float((power.reshape(-1, 4) @ weights).sum() * 0.005)
    # the second derivative of cubic data deviates from the sine's by h^2/12 of the fourth, some 2e-4 of it
    assert result.work["prescribed motion"][-1] == pytest.approx(expected, abs=1e-3 if given == "data" else 1e-7)


def test_a_spring_whose_end_is_moved_and_one_that_stiffens():
    """The end of a spring at a(t) does k (a - x) a' of work, a stiffness k(t) does k' d^2 / 2."""
    system, ground, block, _, _ = slider()
    place, stiffness = dynamicsymbols("a k")
    end = ground.masscenter.locatenew("end", (place - 5) * ground.x)
    system.add_actuators(LinearSpring(stiffness, LinearPathway(end, block.masscenter), 5))
    model = HybridModel(system, [])
    inputs = {place: sm.sin(TIME), stiffness: lambda t: 4.0 + t}
    with pytest.raises(ValueError, match="a"):
        model.simulate((0, 1), [0.0, 0.0], {}, inputs={place: sm.sin(TIME)})
    result = model.simulate((0, 6), [0.0, 0.0], {}, inputs=inputs, rtol=RTOL)
    assert unbalanced(result) < BALANCED
    edges = np.linspace(0.0, 6.0, 601)
    places, weights = np.polynomial.legendre.leggauss(4)
    times = (edges[:-1, None] + 0.01 * (1 + places) / 2).ravel()
    stretched = result(times)[0] - np.sin(times)
    power = -(4.0 + times) * stretched * np.cos(times) + stretched**2 / 2
    expected = float((power.reshape(-1, 4) @ weights).sum() * 0.005)
    assert result.work["prescribed motion"][-1] == pytest.approx(expected, abs=1e-7)


def test_a_constraint_that_moves_and_a_surface_that_moves_balance():
    ground, ball = RigidBody("ground"), Particle("ball", mass=2)
    x, y, vx, vy = dynamicsymbols("x y vx vy")
    frame, origin = ground.frame, ground.masscenter
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    origin.set_vel(frame, 0)
    point.set_vel(frame, vx * frame.x + vy * frame.y)
    body = Particle("bead", point, 2)
    kane = KanesMethod(
        frame,
        [x, y],
        [vx, vy],
        [x.diff() - vx, y.diff() - vy],
        bodies=[body],
        forcelist=[(point, -9.81 * 2 * frame.y - sm.Rational(1, 2) * vx * frame.x)],
    )
    turning = x * sm.sin(TIME) - y * sm.cos(TIME)
    kane.kanes_equations()
    model = HybridModel(kane, [], constraints=[turning])
    result = model.simulate((0, 2), [1.0, 0.0, 0.0, 1.0], {}, rtol=RTOL)
    assert list(result.work) == ["the load on 'P'", "prescribed motion"]
    assert unbalanced(result) < BALANCED
    assert abs(result.work["prescribed motion"][-1]) > 1.0
    assert ball.mass == 2


def test_impacts_on_a_moving_wall():
    """A ball between a fixed wall and one that comes at 1 m/s: each elastic impact adds 2 m v_wall (v + v_wall)."""
    result = models.jack_in_a_box().simulate()
    assert unbalanced(result) < 1e-9
    system, ground, block, _, _ = slider(mass=3)
    wall = ground.masscenter.locatenew("wall", (4 - TIME) * ground.x)
    contacts = [
        Contact(block.masscenter, Plane(ground.masscenter, ground.x), restitution=1, friction=0, name="fixed"),
        Contact(block.masscenter, Plane(wall, -ground.x), restitution=1, friction=0, name="moving"),
    ]
    result = HybridModel(system, contacts).simulate((0, 3), [1.0, 2.0], {})
    speed, work = 2.0, 0.0
    for event in result.events.of("moving"):
        work += 3.0 * 2.0 * 1.0 * (speed + 1.0)
        speed += 2.0
        assert result.work.at(event.t)["prescribed motion"][0] == pytest.approx(work, rel=1e-12)
    assert work > 30.0
    np.testing.assert_allclose(result.kinetic_energy, 6.0 + result.work.total, rtol=1e-12)


def test_the_balance_with_lagrangian_bodies_and_free_attitude():
    """Loads on a LagrangesMethod, and a body whose angles are integrated as a quaternion."""
    x, v, force = dynamicsymbols("x"), dynamicsymbols("x", 1), dynamicsymbols("F")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", x * frame.x)
    point.set_vel(frame, v * frame.x)
    lagrangian = sm.Rational(1, 2) * v**2 - 2 * x**2
    method = LagrangesMethod(lagrangian, [x], forcelist=[(point, (force - v / 5) * frame.x)], frame=frame)
    model = HybridModel(method, [])
    result = model.simulate((0, 10), [1.0, 0.0], {}, inputs={force: sm.cos(2 * TIME)}, rtol=RTOL)
    assert unbalanced(result) < BALANCED

    ground, cube = RigidBody("ground"), RigidBody("cube", mass=1)
    cube.central_inertia = inertia(cube.frame, 1, 2, 3)
    angles, speeds = dynamicsymbols("a b c"), dynamicsymbols("p q r")
    cube.frame.orient_body_fixed(ground.frame, angles, "XYZ")
    spins = cube.frame.ang_vel_in(ground.frame)
    cube.masscenter.set_pos(ground.masscenter, 0)
    cube.masscenter.set_vel(ground.frame, 0)
    rates = [spins.dot(axis) - speed for axis, speed in zip(cube.frame, speeds, strict=True)]
    written = sum((speed * axis for speed, axis in zip(speeds, cube.frame, strict=True)), start=0 * cube.x)
    cube.frame.set_ang_vel(ground.frame, written)
    torque = (cube.frame, -sm.Rational(1, 10) * written + force * cube.x)
    kane = KanesMethod(ground.frame, angles, speeds, rates, bodies=[cube], forcelist=[torque])
    kane.kanes_equations()
    model = HybridModel(kane, [])
    assert model.attitudes == {"cube_frame": "quaternion"}
    result = model.simulate((0, 5), [0.1, 0.2, 0.3, 1.0, 2.0, 3.0], {}, inputs={force: sm.sin(TIME)}, rtol=RTOL)
    assert unbalanced(result) < BALANCED


@pytest.mark.parametrize("seed", members(range(6), slow=(0, 3, 4)))
def test_random_driven_chains_balance(seed):
    """Three rods with torques as functions of time and speed, a spring and a damper on a moving anchor, and a wall."""
    random = np.random.default_rng(seed)
    ground = parent = RigidBody("ground")
    system = System.from_newtonian(ground)
    for k in range(3):
        body = RigidBody(f"body{k}", mass=sm.Float(random.uniform(0.5, 2)))
        sizes = [sm.Float(size) for size in random.uniform(0.2, 0.5, 3)]
        body.central_inertia = inertia(body.frame, *sizes)
        q, u = dynamicsymbols(f"q{k} u{k}")
        place = {} if k == 0 else {"parent_point": -parent.y / 2}
        system.add_joints(PinJoint(f"pin{k}", parent, body, q, u, child_point=body.y / 2, joint_axis=parent.z, **place))
        torque = sm.Float(random.uniform(1, 5)) * sm.cos(random.integers(1, 5) * TIME) - u * sm.Rational(1, 4)
        system.add_actuators(TorqueActuator(torque, parent.z, body.frame, parent.frame))
        parent = body
    anchor = ground.masscenter.locatenew("anchor", (3 + sm.sin(2 * TIME) / 5 * (seed % 2)) * ground.x)
    pathway = LinearPathway(anchor, parent.masscenter)
    system.add_actuators(LinearSpring(8, pathway, 1), LinearDamper(sm.Rational(1, 2), pathway))
    system.apply_uniform_gravity(-9.81 * ground.y)
    far = ground.masscenter.locatenew("far", (sm.cos(3 * TIME) / 10 * (seed % 2) + 1) * ground.x)
    wall = Plane(far, -ground.x)
    contact = Contact(parent.masscenter, wall, restitution=0.6, friction=0.2 * (seed % 3), name="wall")
    model = HybridModel(system, [contact])
    result = model.simulate((0, 3), [-0.3, 0.2, 0.1, *random.uniform(-1, 1, 3)], {}, rtol=RTOL, atol=ATOL)
    assert len(result.work) >= 4
    assert len(result.events) > 0
    assert unbalanced(result) < BALANCED


def test_a_closed_loop_with_a_driven_crank_balances():
    """A ball joint that closes a chain of two rods on a fixed point, with a torque and a damper."""
    ground = RigidBody("ground")
    system, parent = System.from_newtonian(ground), ground
    for k in range(2):
        rod = RigidBody(f"rod{k}", mass=1)
        rod.central_inertia = inertia(rod.frame, 1, 1, 1)
        q, u = dynamicsymbols(f"q{k} u{k}")
        place = {} if k == 0 else {"parent_point": parent.x / 2}
        system.add_joints(PinJoint(f"pin{k}", parent, rod, q, u, child_point=-rod.x / 2, joint_axis=parent.z, **place))
        parent = rod
    torque = dynamicsymbols("T")
    drive = TorqueActuator(torque, ground.z, system.bodies[1].frame, ground.frame)
    system.add_actuators(drive)
    moved = ground.masscenter.locatenew("moved", (sm.Rational(3, 2) + sm.sin(TIME) / 4) * ground.x)
    tip = parent.masscenter.locatenew("tip", parent.x / 2)
    model = HybridModel(system, [], constraints=[BallClosure(moved, tip)])
    start = model.assemble(dict(zip(model.x, [0.7, -1.4, 0.0, 0.0], strict=True)), {}, inputs={torque: 0.0})
    result = model.simulate((0, 1), start, {}, inputs={torque: lambda t: math.sin(5 * t)}, rtol=RTOL)
    assert list(result.work) == [
        "the torque actuator between 'rod0_frame' and 'ground_frame'",
        "prescribed motion",
    ]
    assert unbalanced(result) < BALANCED
    assert np.array_equal(result.work[drive], result.work[next(iter(result.work))])


def test_t_eval_and_what_is_refused(tmp_path):
    ready = models.mass_spring_damper()
    whole, part = ready.simulate(), ready.simulate(t_eval=[0.0, 0.5, 1.0])
    assert np.array_equal(part.work.total, sum(whole.work.at([0.0, 0.5, 1.0]).values()))
    with pytest.raises(KeyError, match=r"there is no work of .*what does work in this run is"):
        whole.work["P"]
    with pytest.raises(ValueError, match="outside this run"):
        whole.work.at([1e9])
    whole.save(tmp_path / "run.npz")
    with pytest.raises(TypeError, match="no work: it was loaded from a file"):
        _ = sympact.load(tmp_path / "run.npz").work
    with pytest.raises(TypeError, match="no work: it was made from plain functions"):
        _ = dropped_ball().work
    ball = models.bouncing_ball()
    with pytest.raises(ValueError, match="the method 'moreau' knows the forces"):
        _ = ball.simulate(method="moreau", max_step=0.01).work
    assert not ball.simulate().work.total.any()
