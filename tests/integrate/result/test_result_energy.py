"""Energy along a run: m g h and m v^2/2 of a ball, springs, what each impact takes, and loads that store none."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
from dropped_ball import dropped_ball
from sympy.physics.mechanics import (
    LinearPathway,
    LinearSpring,
    Particle,
    PinJoint,
    PrismaticJoint,
    RigidBody,
    System,
    TorqueActuator,
    dynamicsymbols,
)

import sympact
from sympact import Contact, HybridModel, Plane
from sympact.models import bouncing_ball, two_links

GRAVITY, RESTITUTION = 9.81, 0.8


def slider(*loads):
    """A mass on a rail, on a spring, with a wall at x = 0, and further loads, made from the mass."""
    wall, block = RigidBody("wall"), Particle("block", mass=sm.Symbol("m"))
    x, v = dynamicsymbols("x v")
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("rail", wall, block, x, v, joint_axis=wall.x))
    anchor = wall.masscenter.locatenew("anchor", -sm.Symbol("a") * wall.x)
    system.add_actuators(LinearSpring(sm.Symbol("k"), LinearPathway(anchor, block.masscenter), sm.Symbol("l0")))
    for load in loads:
        system.add_loads(load(block.masscenter, v, wall))
    contact = Contact(block.masscenter, Plane(wall.masscenter, wall.x), restitution=sm.Symbol("e"), friction=0)
    return HybridModel(system, [contact])


def test_a_ball_has_m_g_h_and_keeps_its_energy_between_impacts():
    result = bouncing_ball(RESTITUTION).simulate()
    z, v = result["z"], result["v"]
    np.testing.assert_allclose(result.potential_energy, GRAVITY * z, rtol=1e-15, atol=1e-300)
    np.testing.assert_allclose(result.energy, GRAVITY * z + v**2 / 2, rtol=1e-14, atol=1e-300)
    first = result.t <= result.events[0].t
    first[np.flatnonzero(first)[-1]] = False  # its last sample is after the impact
    np.testing.assert_allclose(result.energy[first], GRAVITY, rtol=1e-8)


def test_the_energy_steps_down_by_what_each_impact_takes():
    """The loss is (1 - e^2) m v^2/2, and m g h (1 - e^(2 n)) after n impacts."""
    result = bouncing_ball(RESTITUTION).simulate(max_events=6)
    left = result.to_dataframe().side.to_numpy() == "left"
    before, after = result.energy[left], result.energy[np.flatnonzero(left) + 1]
    speeds = np.array([event.x_minus[1] for event in result.events])
    np.testing.assert_allclose(before - after, (1 - RESTITUTION**2) * speeds**2 / 2, rtol=1e-12)
    np.testing.assert_allclose(before - after, -result.events.columns()["energy"], rtol=1e-12)
    n = np.arange(1, 7)
    np.testing.assert_allclose(before[0] - after, GRAVITY * (1 - RESTITUTION ** (2 * n)), rtol=1e-7)


def test_a_spring_stores_k_d2_over_2():
    model = slider()
    numbers = dict(zip(model.parameters, [0.5, 1.0, 40.0, 0.25, 2.0], strict=True))
    assert [letter.name for letter in numbers] == ["a", "e", "k", "l0", "m"]
    result = model.simulate((0, 3), [1.0, 0.0], numbers)
    stretched = result["x"] + 0.5 - 0.25
    np.testing.assert_allclose(result.potential_energy, 20.0 * stretched**2, rtol=1e-12)
    assert len(result.events) >= 2
    # e = 1 and no damping: the energy of the start to the end, with rtol = 1e-9 for each of the steps
    np.testing.assert_allclose(result.energy, 20.0 * 1.25**2, rtol=1e-7)


def test_a_load_without_a_potential_does_work_and_stores_nothing():
    """The energy is that of the spring and of the mass; a force -c v takes the rest."""
    model = slider(lambda point, v, wall: (point, -sm.Symbol("c") * v * wall.x))
    assert [letter.name for letter in model.parameters] == ["a", "c", "e", "k", "l0", "m"]
    numbers = [0.5, 2.0, 1.0, 40.0, 0.25, 2.0]
    result = model.simulate((0, 0.5), [1.0, 0.0], dict(zip(model.parameters, numbers, strict=True)))
    np.testing.assert_allclose(result.potential_energy, 20.0 * (result["x"] + 0.25) ** 2, rtol=1e-12)
    assert result.energy[-1] < 0.9 * result.energy[0]
    np.testing.assert_allclose(result.energy - result.work["the load on 'block_masscenter'"], 20.0 * 1.25**2, rtol=1e-7)
    assert "energy" in result.to_xarray()


def test_plain_functions_know_of_no_energy():
    for name in ("potential_energy", "energy"):
        with pytest.raises(TypeError, match="no potential energy: it was made from plain functions"):
            getattr(dropped_ball(), name)


def test_a_run_read_from_a_file_has_the_same_energy(tmp_path):
    original = two_links().simulate()
    original.save(tmp_path / "links.npz")
    read = sympact.load(tmp_path / "links.npz")
    assert np.array_equal(read.energy, original.energy)
    assert np.array_equal(read.gaps, original.gaps)
    assert read.contact_names == ("tip",)


def test_a_file_keeps_the_energy_of_a_model_with_a_load_without_a_potential(tmp_path):
    model = slider(lambda point, v, wall: (point, -sm.Symbol("c") * v * wall.x))
    result = model.simulate((0, 0.1), [1.0, 0.0], dict.fromkeys(model.parameters, 0.5))
    result.save(tmp_path / "slider.npz")
    assert np.array_equal(sympact.load(tmp_path / "slider.npz").energy, result.energy)


def test_a_torque_actuator_does_work():
    """From rest the wheel of 1 kg m^2 turns by t^2 / 2 under 1 N m."""
    ground, wheel = RigidBody("ground"), RigidBody("wheel")
    q, u = dynamicsymbols("q u")
    system = System.from_newtonian(ground)
    system.add_joints(PinJoint("hub", ground, wheel, q, u, joint_axis=ground.z))
    system.add_actuators(TorqueActuator(sm.Symbol("T"), wheel.z, wheel.frame, ground.frame))
    model = HybridModel(system, [])
    result = model.simulate((0, 0.1), [0.0, 0.0], dict.fromkeys(model.parameters, 1.0))
    work = result.work["the torque actuator between 'wheel_frame' and 'ground_frame'"]
    assert math.isclose(work[-1], 0.1**2 / 2, rel_tol=1e-9)
    assert math.isclose(result.energy[-1], 0.1**2 / 2, rel_tol=1e-9)
