"""Contacts that are active only where a condition is true: they are ignored elsewhere, also below their surfaces."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from switch_models import G, M, Q, U
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Contact, EventKind, HybridModel, Plane, Status, Transition

T = dynamicsymbols._t
MODE = dynamicsymbols("mode")
FINE = {"rtol": 1e-12, "atol": 1e-14}


def above(active, force=-M * G, friction=0, **options) -> HybridModel:
    """A mass on a vertical line above a floor that acts under a condition, e = 1/2."""
    ground, mass = RigidBody("ground"), Particle("mass", mass=M)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("line", ground, mass, Q, U, joint_axis=ground.z))
    system.add_loads(Force(mass.masscenter, force * ground.z))
    plane = Plane(ground.masscenter, ground.z)
    half = sm.Rational(1, 2)
    floor = Contact(mass.masscenter, plane, restitution=half, friction=friction, name="floor", active=active)
    return HybridModel(system, [floor], length=1, **options)


NUMBERS = {M: 1.0, G: 10.0}


@pytest.mark.parametrize("friction", [0, 0.3])
def test_an_inactive_contact_is_ignored(friction):
    """A ball that falls through the floor before it is active."""
    result = above(T > 1, friction=friction).simulate((0, 0.9), [1.0, 0.0], NUMBERS, **FINE)
    assert len(result.events) == 0
    assert result(0.9)[0] == pytest.approx(1 - 5 * 0.81, abs=1e-12)


def test_a_contact_collides_where_it_is_active():
    """q = 1 + 4 t - 5 t^2 reaches 0 at t = 1, after the floor became active; the speed there is -6."""
    result = above(sm.Rational(1, 2) < T).simulate((0, 1.2), [1.0, 4.0], NUMBERS, **FINE)
    assert [str(kind) for kind in result.events.kinds()] == ["switch", "impact"]
    np.testing.assert_allclose(result.events.t, [0.5, 1.0], rtol=0, atol=1e-12)
    assert result.events[1].x_plus[1] == pytest.approx(3.0, rel=1e-12)


def test_a_foot_that_scuffs_passes_through_the_floor_and_lands_after():
    """q = cos 2 t - 1/4 is below the floor for 2 t in (1.318, 4.965), ignored up to t = 4, and lands at 2 t = 7.601."""
    force = -4 * M * (Q + sm.Rational(1, 4))
    result = above(T > 3, force=force).simulate((0, 4), [0.75, 0.0], {M: 1.0}, **FINE)
    impact = result.events.impacts[0]
    assert impact.t == pytest.approx((2 * np.pi + np.arccos(0.25)) / 2, abs=1e-11)
    assert impact.x_minus[1] == pytest.approx(-2 * np.sqrt(1 - 0.0625), abs=1e-10)
    assert result.gaps[0].min() < -1.2  # the gap itself is recorded also where the contact is inactive


def test_a_contact_that_becomes_active_below_its_surface_ends_the_run():
    result = above(T > 1).simulate((0, 2), [1.0, 0.0], NUMBERS)
    assert result.status is Status.BELOW_SURFACE
    assert "floor" in result.message
    assert result.t[-1] == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("friction", [0, 0.3])
def test_a_closed_contact_lets_go_where_it_becomes_inactive(friction):
    """A ball at rest on a floor that vanishes at t = 1 falls freely."""
    result = above(T < 1, friction=friction).simulate((0, 1.5), [0.0, 0.0], NUMBERS, **FINE)
    assert result.events[-1].t == pytest.approx(1.0, abs=1e-14)
    assert result.events[-1].kind == EventKind.SWITCH
    assert result(1.5)[0] == pytest.approx(-5 * 0.25, abs=1e-11)
    assert result.normal_force[0, (result.t > 0) & (result.t < 0.99)].min() == pytest.approx(10.0, rel=1e-9)


def test_a_discrete_state_makes_a_contact_active():
    """A trap door that opens at the third bounce: the ball falls through."""
    count = Transition(boundary=U > 0, jump={MODE: MODE + 1}, name="count")
    model = above(MODE < 3, discrete=[MODE], transitions=[count])
    result = model.simulate((0, 2), {Q: 1.25, U: 0, MODE: 0}, NUMBERS, **FINE)
    fall = 0.5
    np.testing.assert_allclose(result.events.impacts.t, fall * np.array([1, 2, 2.5]), rtol=0, atol=1e-11)
    assert result.x[0, -1] < -1
    assert result.x[1, -1] == 3


def test_a_ball_is_in_equilibrium_on_an_active_floor_alone():
    model = above(Q > -1)
    assert model.equilibrium([0.1], NUMBERS).closed == ("floor",)
    with pytest.raises(ValueError, match=r"equilibrium|balance"):
        above(Q < -1).equilibrium([0.1], NUMBERS)


def test_what_is_no_condition_is_refused():
    ground = RigidBody("ground")
    plane = Plane(ground.masscenter, ground.z)
    for wrong in (Q, 1, "q", sm.false):
        with pytest.raises((TypeError, ValueError), match=r"active of the contact 'c' is .*, expected a condition"):
            Contact(ground.masscenter, plane, restitution=0, friction=0, name="c", active=wrong)
