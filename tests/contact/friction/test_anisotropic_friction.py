"""Anisotropic friction: an ellipse in the tangent plane, against closed forms; skates against the Chaplygin sleigh."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import sympy as sm
from free_particle import free_particle
from quick_members import members
from sympy.physics.mechanics import Force, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, FrictionEllipse, HybridModel, Plane, ensemble, load

GRAVITY, MU, RATIO = 9.81, 0.4, 0.5
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
t = dynamicsymbols._t
angle, force_x, force_y = LETTERS = sm.symbols("angle force_x force_y")


@cache
def particle(ratio: float = RATIO, e=0, loads=(force_x, force_y)) -> HybridModel:
    """A particle of 1 kg on a floor, whose friction is `ratio` times mu along an axis that is turned by `angle`."""
    system, body, N, O = free_particle((*loads, -GRAVITY))
    A = N.orientnew("A", "Axis", (angle, N.z))
    ellipse = None if ratio is None else FrictionEllipse(2 * A.x + 3 * A.z, ratio)  # its part along the floor counts
    contact = Contact(body.masscenter, Plane(O, N.z), restitution=e, friction=MU, anisotropy=ellipse, name="P")
    return HybridModel(system, [contact])


def slide(model: HybridModel, u, span=3.0, z=0.0, numbers=(0.0, 0.0, 0.0), **options):
    given = dict(zip(LETTERS, numbers, strict=True))
    parameters = {letter: given[letter] for letter in model.parameters}
    return model.simulate((0, span), [0, 0, z, *u], parameters, **{**TIGHT, **options})


def test_friction_of_a_slip_is_the_one_that_dissipates_most():
    result = slide(particle(), (2, 1, 0))
    assert [str(event.kind) for event in result.events] == ["close", "stick"]
    times = np.linspace(0, 0.95 * result.events[-1].t, 9)
    v_x, v_y = result(times)[3:5]
    np.testing.assert_allclose(v_x / 2, v_y ** (RATIO**2), rtol=1e-10)  # dv_x/dv_y = r^2 v_x/v_y
    pushes, size = result.friction_force_at(times)[0], np.hypot(RATIO * v_x, v_y)
    np.testing.assert_allclose(pushes[0], -MU * GRAVITY * RATIO**2 * v_x / size, rtol=1e-13)
    np.testing.assert_allclose(pushes[1], -MU * GRAVITY * v_y / size, rtol=1e-13)


@pytest.mark.parametrize(("u", "coefficient"), [((2, 0, 0), RATIO * MU), ((0, 2, 0), MU)])
def test_a_slip_along_an_axis_stops_by_the_coefficient_of_this_axis(u, coefficient):
    assert slide(particle(), u).events[-1].t == pytest.approx(2 / (coefficient * GRAVITY), rel=1e-14)


@pytest.mark.parametrize("turned", [0.4, 2.0])
def test_an_ellipse_that_is_turned_turns_the_motion(turned):
    c, s = math.cos(turned), math.sin(turned)
    straight = slide(particle(), (2, 1, 0))
    result = slide(particle(), (2 * c - s, 2 * s + c, 0), numbers=(turned, 0, 0))
    assert result.events[-1].t == pytest.approx(straight.events[-1].t, rel=1e-12)
    x, y = straight(3.0)[:2]
    np.testing.assert_allclose(result(3.0)[:2], [c * x - s * y, s * x + c * y], rtol=1e-12)


def test_a_ratio_of_one_is_isotropic_friction():
    round_, plain = (slide(particle(ratio), (2, 1, 0), numbers=(0.3, 0, 0)) for ratio in (1, None))
    assert round_.events[-1].t == pytest.approx(plain.events[-1].t, rel=1e-13)
    np.testing.assert_allclose(round_(3.0)[:2], plain(3.0)[:2], rtol=1e-13)


@pytest.mark.parametrize("direction", [0.0, 0.7, math.pi / 2])
def test_slip_begins_at_the_edge_of_the_ellipse(direction):
    c, s = math.cos(direction), math.sin(direction)
    result = slide(particle(loads=(t * c, t * s)), (0, 0, 0), 5.0)
    assert [str(event.kind) for event in result.events] == ["close", "slip"]
    assert result.events[-1].t == pytest.approx(MU * GRAVITY / math.hypot(c / RATIO, s), rel=1e-14)
    np.testing.assert_allclose(result.friction_force_at(np.array([1.0]))[0][:, 0], [-c, -s, 0], atol=1e-15)
    later = result(5.0)[3:5]
    if 0 < direction < 1.5:  # along the axis it slips first and faster
        assert abs(later[0]) / abs(later[1]) > c / s


def test_an_impulse_of_friction_is_on_the_ellipse_of_the_slip_after_the_impact():
    event = slide(particle(e=sm.Rational(1, 2)), (2, 1, -1), 0.02, z=0.005).events[0]
    push, (v_x, v_y) = event.friction_impulse[0], event.x_plus[3:5]
    size = math.hypot(RATIO * v_x, v_y)
    expected = -MU * event.impulse[0] * np.array([RATIO**2 * v_x / size, v_y / size, 0])
    np.testing.assert_allclose(push, expected, rtol=1e-12)
    np.testing.assert_allclose(event.x_plus[3:6] - event.x_minus[3:6], [*push[:2], event.impulse[0]], rtol=1e-13)
    same = particle(e=sm.Rational(1, 2)).impact(event.t, event.x_minus, dict.fromkeys(LETTERS, 0.0))
    np.testing.assert_allclose(same.friction_impulse[0], push, rtol=1e-11)


def test_time_stepping_ensembles_and_files_have_the_same_friction(tmp_path):
    model, u = particle(), (2, 1, 0)
    result = slide(model, u)
    numbers = dict.fromkeys(LETTERS, 0.0)
    stepped = slide(model, u, method="moreau", max_step=1e-3)
    np.testing.assert_allclose(stepped(3.0)[:2], result(3.0)[:2], atol=1e-3)
    start = dict(zip(model.x, (0, 0, 0, np.array([1.0, 2.0]), 1, 0), strict=True))
    many = ensemble(model, (0, 3), start, numbers, keep="run", **TIGHT)
    assert np.array_equal(many[1].x, result.x)
    result.save(tmp_path / "run.npz")
    assert np.array_equal(load(tmp_path / "run.npz", model=model).friction_force, result.friction_force)


A, INERTIA = 0.5, 0.2


@cache
def sleigh(ratio, mu) -> HybridModel:
    """A body of 1 kg that glides on a blade at the distance A behind its mass centre."""
    x, y, z, theta, v_x, v_y, v_z, omega = dynamicsymbols("x y z theta v_x v_y v_z omega")
    N, O = ReferenceFrame("N"), Point("O")
    B = N.orientnew("B", "Axis", (theta, N.z))
    B.set_ang_vel(N, omega * N.z)
    centre = O.locatenew("C", x * N.x + y * N.y + z * N.z)
    body = RigidBody("body", centre, B, 1, (inertia(B, *[sm.Rational(INERTIA)] * 3), centre))
    blade = centre.locatenew("P", -sm.Rational(A) * B.x)
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x, y, z, theta)
    system.add_speeds(v_x, v_y, v_z, omega)
    system.add_kdes(v_x - x.diff(), v_y - y.diff(), v_z - z.diff(), omega - theta.diff())
    system.add_loads(Force(centre, -GRAVITY * N.z))
    skate = Contact(
        blade, Plane(O, N.z), restitution=0, friction=mu, anisotropy=FrictionEllipse(B.x, ratio), name="blade"
    )
    return HybridModel(system, [skate])


V, OMEGA = -1.0, 2.0
START = [0, 0, 0, 0, V, A * OMEGA, 0, OMEGA]


@pytest.mark.parametrize("mu", members([0.1, 0.5, sm.oo], slow=[0.5]))
def test_an_ideal_skate_is_the_chaplygin_sleigh(mu):
    """v' = a omega^2, omega' = -a v omega/k^2 with k^2 = I/m + a^2: v = V tanh(a V t/k^2 + c); Neimark and Fufaev 1972.

    The blade needs at most 0.94 N across, of the weight of 9.81 N.
    """
    result = sleigh(0, mu).simulate((0, 4), START, {}, **TIGHT)
    assert [str(event.kind) for event in result.events] == ["close"]
    times = np.linspace(0, 4, 9)
    theta, v_x, v_y, omega = result(times)[[3, 4, 5, 7]]
    k = math.sqrt(INERTIA + A**2)
    speed = math.hypot(V, k * OMEGA)
    phase = A * speed * times / k**2 + math.atanh(V / speed)
    along, across = v_x * np.cos(theta) + v_y * np.sin(theta), v_y * np.cos(theta) - v_x * np.sin(theta)
    np.testing.assert_allclose(along, speed * np.tanh(phase), atol=1e-11)
    np.testing.assert_allclose(omega, speed / k / np.cosh(phase), atol=1e-11)
    np.testing.assert_allclose(across - A * omega, 0, atol=1e-13)
    needed = INERTIA / k**2 * along * omega
    np.testing.assert_allclose(np.linalg.norm(result.friction_force_at(times)[0], axis=0), abs(needed), atol=1e-10)


def test_a_skate_skids_where_it_needs_more_than_friction():
    result = sleigh(0, 0.05).simulate((0, 8), [0, 0, 0, 0, -1.6, A * 0.3, 0, 0.3], {}, **TIGHT)
    assert [str(event.kind) for event in result.events][:2] == ["close", "slip"]
    theta, v_x, v_y, omega = result.events[1].x_minus[[3, 4, 5, 7]]
    along = v_x * math.cos(theta) + v_y * math.sin(theta)
    needed = INERTIA / (INERTIA + A**2) * along * omega
    assert abs(needed) == pytest.approx(0.05 * GRAVITY, rel=1e-10)
    assert result.energy[-1] < result.energy[0] - 0.01


def test_a_skate_that_rubs_stops():
    result = sleigh(0.02, 0.5).simulate((0, 40), START, {})
    assert [str(event.kind) for event in result.events][-1] == "stick"
    assert np.diff(result.energy).max() < 1e-12


def test_equilibrium_and_linearization():
    model = particle(loads=(force_x, force_y))
    numbers = {angle: 0.3, force_x: 1.0, force_y: 2.0}
    found = model.equilibrium([0, 0, 0], numbers)
    np.testing.assert_allclose(found.friction_force[0], [-1, -2, 0], atol=1e-9)
    skids = {angle: 0.0, force_x: 0.0, force_y: 0.0}
    u = np.array([2.0, 1.0])
    h = 1e-6

    def accelerations(v):
        return -MU * GRAVITY * np.array([RATIO**2 * v[0], v[1]]) / math.hypot(RATIO * v[0], v[1])

    slopes = np.column_stack([(accelerations(u + h * e) - accelerations(u - h * e)) / (2 * h) for e in np.eye(2)])
    linear = model.linearize([0, 0, 0, *u, 0], skids)
    np.testing.assert_allclose(linear.A[2:4, 2:4], slopes, atol=1e-8)
    with pytest.raises(NotImplementedError, match="glides along it, as the ratio of its FrictionEllipse is 0"):
        sleigh(0, 0.5).linearize([0] * 8, {})


WRONG = {
    "axis": (lambda: FrictionEllipse("x", 0.5), TypeError, "the axis of a FrictionEllipse is a Vector"),
    "zero": (lambda: FrictionEllipse(0 * ReferenceFrame("N").x, 0.5), ValueError, "is the zero vector"),
    "ratio": (lambda: FrictionEllipse(ReferenceFrame("N").x, -1), ValueError, "is -1, expected a number >= 0"),
    "contact": (
        lambda: Contact(
            Point("P"), Plane(Point("O"), ReferenceFrame("N").z), restitution=0, friction=1, anisotropy=0.5
        ),
        TypeError,
        "the anisotropy of the contact 'P on O' is a FrictionEllipse; found",
    ),
}


@pytest.mark.parametrize(("make", "kind", "words"), WRONG.values(), ids=WRONG)
def test_bad_input_is_refused(make, kind, words):
    with pytest.raises(kind, match=words):
        make()
