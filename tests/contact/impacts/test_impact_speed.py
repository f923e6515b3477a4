"""Restitution that depends on the speed of approach."""

import math

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import checked_run

from sympact import Contact, Energetic, HybridModel, Newton, Plane, Poisson, Sequential, Status, approach_speed

G = 9.8
C = sm.Symbol("C", positive=True)
HERTZ = 1 - C * approach_speed ** sm.Rational(1, 5)


def balls(e, count: int = 1, law=None, **options) -> tuple[HybridModel, list, list]:
    """Particles of 1 kg above each other on a line, above a floor; between them the same restitution."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u = dynamicsymbols(f"q1:{count + 1}"), dynamicsymbols(f"u1:{count + 1}")
    points = [O.locatenew(f"P{k}", q[k] * N.z) for k in range(count)]
    system = System(N, O)
    system.add_bodies(*(Particle(f"ball{k}", points[k], 1) for k in range(count)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u[k] - q[k].diff(dynamicsymbols._t) for k in range(count)))
    system.apply_uniform_gravity(-G * N.z)
    contacts = [Contact(points[0], Plane(O, N.z), restitution=e, friction=0, name="floor")]
    contacts += [
        Contact(points[k], Plane(points[k - 1], N.z), restitution=e, friction=0, name=f"pair {k}")
        for k in range(1, count)
    ]
    return HybridModel(system, contacts, impact=law or Newton(), length=1, **options), list(q), list(u)


@pytest.mark.parametrize("law", [Newton(), Poisson(), Energetic()], ids=repr)
def test_each_rebound_has_the_restitution_of_its_own_speed(law):
    """Viscoelastic balls of Hertz's contact: v_{k+1} = v_k (1 - C v_k^(1/5)), which tends to (5/(C k))^5."""
    model, (q,), (u,) = balls(HERTZ, law=law)
    result = checked_run(model, (0, 3), {q: 1, u: 0}, {C: 0.2})
    hits = [event for event in result.events if event.kind == "impact"]
    assert len(hits) > 8
    speed = math.sqrt(2 * G)
    for event in hits:
        assert -event.x_minus[1] == pytest.approx(speed, rel=1e-9)
        speed *= 1 - 0.2 * speed**0.2
        assert event.x_plus[1] == pytest.approx(speed, rel=1e-9)
        assert event.energy == pytest.approx((event.x_plus[1] ** 2 - event.x_minus[1] ** 2) / 2, rel=1e-12)


def test_hops_of_a_viscoelastic_ball_die_away_and_it_stays():
    """e tends to 1, and yet the hops have a finite sum; a contact that rests has no approach and stays closed."""
    model, (q,), (u,) = balls(HERTZ)
    result = checked_run(model, (0, 30), {q: 0.2, u: 0}, {C: 0.5})
    assert result.status is Status.FINISHED
    assert result.x[:, -1] == pytest.approx([0.0, 0.0], abs=1e-12)
    last = next(event for event in result.events if event.kind == "accumulation")
    assert last.t < last.t_inf < last.t + 1e-2


def test_a_fit_with_a_condition_holds_on_both_sides():
    """Plastic above v_y: e = min(1, (v/v_y)^(-1/4)). The root is infinite where nothing approaches, and e is 1."""
    yielding = sm.Symbol("v_y", positive=True)
    model, (q,), (u,) = balls(sm.Min(1, (approach_speed / yielding) ** sm.Rational(-1, 4)))
    result = checked_run(model, (0, 4), {q: 1, u: 0}, {yielding: 3.5})
    first, *rest = [event for event in result.events if event.kind == "impact"]
    fast = math.sqrt(2 * G)
    assert first.x_plus[1] == pytest.approx(fast * (fast / 3.5) ** -0.25, rel=1e-9)
    for event in rest:
        came = -event.x_minus[1]
        assert event.x_plus[1] == pytest.approx(came * min(1.0, (3.5 / came) ** 0.25), rel=1e-9)
    slow = checked_run(model, (0, 2), {q: 0.3, u: 0}, {yielding: 3.5})
    for event in slow.events:
        assert event.x_plus[1] == pytest.approx(math.sqrt(0.6 * G), rel=1e-9)


def test_contacts_that_hit_together_have_each_their_own_speed():
    """Two equal balls, the lower one on the floor, whose contact rests and has the e of no speed, which is 1.

    One after the other: the upper hits the lower, which comes back from the floor with what it has, and hits the upper
    with the speed at which it was hit; it stays, and the upper one leaves with e of its speed.
    """
    model, q, u = balls(HERTZ, 2, law=Newton(), resolution=Sequential())
    result = checked_run(model, (0, 0.6), {q[0]: 0, q[1]: 1, u[0]: 0, u[1]: 0}, {C: 0.1})
    hit = next(event for event in result.events if event.kind == "impact")
    came = -hit.x_minus[3]
    e = 1 - 0.1 * came**0.2
    assert came == pytest.approx(math.sqrt(2 * G), rel=1e-9)
    assert hit.x_plus[2:] == pytest.approx([0.0, e * came], abs=1e-9)
    assert hit.energy == pytest.approx((e * e - 1) * came**2 / 2, rel=1e-9)


def test_a_restitution_outside_its_range_ends_the_run_and_is_named():
    model, (q,), (u,) = balls(1 - approach_speed)
    result = checked_run(model, (0, 2), {q: 1, u: 0}, {})
    assert result.status is Status.NO_RESTITUTION
    assert "the restitution is -3.42719 of 'floor' at 4.42719 m/s" in result.message
    assert result.x[1, -1] == pytest.approx(-math.sqrt(2 * G), rel=1e-9)


def test_time_stepping_knows_no_speed_of_approach():
    model, (q,), (u,) = balls(HERTZ)
    with pytest.raises(ValueError, match=r"has no single impact.*restitution of floor depends"):
        model.simulate((0, 1), {q: 1, u: 0}, {C: 0.1}, method="moreau", max_step=1e-3)


def test_the_letter_is_no_parameter_and_shows_in_the_jump_map():
    model, (q,), (u,) = balls(HERTZ)
    assert C in model.parameters
    assert approach_speed not in model.parameters
    jump = model.jump_map("floor")
    values = jump.subs({C: 0.1, u: -2.0, q: 0.0})
    assert float(values[0]) == pytest.approx(2.0 * (1 - 0.1 * 2.0**0.2), rel=1e-12)
    assert np.isfinite(float(values[0]))
