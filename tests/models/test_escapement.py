"""The watch of `examples/escapement.py`: its limit cycle, and a ratchet that turns in one direction."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from example_scripts import load
from sympy.physics.mechanics import PinJoint, RigidBody, System, Torque, dynamicsymbols, inertia

from sympact import Crossing, HybridModel, Limit, Status, Transition


@pytest.mark.parametrize("speed", [10.0, 60.0])
def test_a_watch_reaches_its_limit_cycle(speed):
    """The speeds after the impulses are a geometric sequence towards the limit cycle's, at equal periods."""
    watch = load("escapement")
    result = watch.run(t_end=6.0, speed=speed)
    period, limit = watch.limit_cycle()
    ticks = result.events["tick"]
    np.testing.assert_allclose(np.diff(ticks.t), period, rtol=0, atol=1e-10)
    after = np.array([event.x_plus[2] for event in ticks])
    ratio = 1 - watch.IMPULSE / watch.INERTIA / limit
    np.testing.assert_allclose(after, limit + (after[0] - limit) * ratio ** np.arange(len(after)), rtol=1e-10)
    assert result[watch.teeth][-1] == len(ticks)


def test_a_ratchet_turns_forwards_and_rests_on_its_pawl():
    """A wheel driven to and fro: the pawl falls behind each tooth that passes, and bears the wheel when it turns back.

    theta'' = 2 cos t from rest lets theta = 2 (1 - cos t) rise to 4 at t = pi: thirteen teeth of 0.3 rad have passed.
    On its way back the wheel meets the pawl at 3.9, which bears it until the torque turns at t = 3 pi / 2.
    """
    q, u, n = dynamicsymbols("q u n")
    t, pitch = dynamicsymbols._t, sm.Rational(3, 10)
    case, wheel = RigidBody("case"), RigidBody("wheel", mass=1)
    wheel.central_inertia = inertia(wheel.frame, 0, 0, 1)
    system = System.from_newtonian(case)
    system.add_joints(PinJoint("shaft", case, wheel, q, u, joint_axis=case.z))
    system.add_loads(Torque(wheel.frame, 2 * sm.cos(t) * case.z))
    tooth = Transition(boundary=Crossing(q - (n + 1) * pitch, 1), jump={n: n + 1}, name="tooth")
    pawl = Limit(q - n * pitch, restitution=0, name="pawl", lever=1)
    model = HybridModel(system, [pawl], length=1, discrete=[n], transitions=[tooth])
    result = model.simulate((0, 5.0), {q: 0, u: 0, n: 0}, {}, rtol=1e-12, atol=1e-14)
    assert result.status is Status.FINISHED
    teeth = result.events["tooth"]
    np.testing.assert_allclose(teeth.t, np.arccos(1 - 0.15 * np.arange(1, 14)), rtol=0, atol=1e-10)
    caught, released = result.events.of("pawl")
    assert caught.t == pytest.approx(2 * np.pi - np.arccos(1 - 0.15 * 13), abs=1e-9)
    assert released.t == pytest.approx(3 * np.pi / 2, abs=1e-9)
    np.testing.assert_allclose(result(4.5), [3.9, 13, 0], atol=1e-12)
    assert result.normal_force_at([4.0])[0, 0] == pytest.approx(-2 * np.cos(4.0), rel=1e-10)
