"""The promise: a bar with round ends touches cylinders, other bars and smooth surfaces between its ends and at them."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from implicit_models import GRAVITY, free_body, toss
from left_out_of_the_check import can_be_checked
from quick_members import members
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import check_trajectory

from sympact import Capsule, Contact, Cylinder, HybridModel, Implicit, Sphere, Status

t = dynamicsymbols._t
R = 0.05


def bar(B, C):
    """Along B.x, not symmetric about the mass centre."""
    ends = [C.locatenew(name, place * B.x) for name, place in (("E", -0.3), ("F", 0.4))]
    return Capsule(*ends, R, frame=B)


SURFACES = {
    "cylinder": (
        lambda N, O: Cylinder(O, N.y, 0.5),
        lambda N, O: Implicit(O, N, lambda x, y, z: x**2 + z**2 - sm.Rational(1, 4)),
    ),
    "cylinder that turns": (
        lambda N, O: Cylinder(O, N.y, 0.5, frame=N.orientnew("T", "Axis", [t, N.y])),
        lambda N, O: Implicit(
            O, N.orientnew("T", "Axis", [t, N.y]), lambda x, y, z: sm.sqrt(x**2 + z**2) - sm.Rational(1, 2)
        ),
    ),
    "sphere": (
        lambda N, O: Sphere(O, 0.5, frame=N),
        lambda N, O: Implicit(O, N, lambda x, y, z: x**2 + y**2 + z**2 - sm.Rational(1, 4)),
    ),
}
THROWS = {
    "between its ends": ([0.03, 0.05, 0.8, 0.1, 0.2, 0.3], [0.1, 0.05, 0, 0.4, 0.5, 0.3]),
    "at an end": ([-0.45, 0.02, 0.75, 0.1, 0.2, 0.3], [0.1, 0.05, 0, 0.4, 0.5, 0.3]),
}


@cache
def bars_on(name):
    """A bar on a surface in both ways."""
    return [free_body(bar, surface) for surface in SURFACES[name]]


ALIKE = [*product(["cylinder", "sphere"], THROWS), ("cylinder that turns", "at an end")]
"""What is left has each throw, on the one of the surfaces that moves."""


@pytest.mark.parametrize(("name", "throw"), members(product(SURFACES, THROWS), slow=ALIKE))
def test_an_implicit_surface_is_the_surface_with_a_closed_form(name, throw):
    one, other = (toss(model, 0.5, *THROWS[throw], mu=0.2) for model in bars_on(name))
    assert one.status is other.status is Status.FINISHED
    hits, same = ([event for event in run.events if event.kind == "impact"] for run in (one, other))
    assert len(hits) == len(same) >= 1
    assert same[0].t == pytest.approx(hits[0].t, rel=1e-12)
    assert same[0].impulse[0] == pytest.approx(hits[0].impulse[0], rel=1e-9)
    np.testing.assert_allclose(same[0].x_plus, hits[0].x_plus, atol=1e-8)
    times = np.linspace(0, 0.5, 40)
    np.testing.assert_allclose(other(times), one(times), atol=1e-6)


LOGS = {
    "cylinder": lambda N, O: Cylinder(O, N.y, 0.4, frame=N),
    "implicit": lambda N, O: Implicit(O, N, lambda x, y, z: x**2 + z**2 - sm.Rational(4, 25)),
}


@pytest.mark.parametrize("log", members(LOGS, slow=["implicit"]))
def test_a_bar_that_balances_on_a_log_swings(log):
    """Rolling without slip on a fixed log of radius a: tilted by phi, its middle is a phi behind the place of contact.

    Friction that sticks does no work. It is stable, for the radius of the bar is less than that of the log.
    """
    q, u = dynamicsymbols("x z phi"), dynamicsymbols("v_x v_z omega")
    N, O, C = ReferenceFrame("N"), Point("O"), Point("C")
    B = N.orientnew("B", "Axis", [q[2], N.y])
    C.set_pos(O, q[0] * N.x + q[1] * N.z)
    system = System(N, O)
    system.add_bodies(RigidBody("bar", C, B, 1, (inertia(B, 0, 0.05, 0), C)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff(t) for speed, place in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-GRAVITY * N.z)
    ends = [C.locatenew(name, place * B.x) for name, place in (("E", -0.5), ("F", 0.5))]
    contact = Contact(Capsule(*ends, R, frame=B), LOGS[log](N, O), restitution=0, friction=5, name="log")
    model = HybridModel(system, [contact], length=R)
    spin = 1.5
    result = model.simulate((0, 4), [0, 0.4 + R, 0, spin * R, 0, spin], {}, rtol=1e-12, atol=1e-14)
    if can_be_checked(model):
        check_trajectory(result, model, {}, rtol=1e-12)
    assert result.status is Status.FINISHED
    level = result.kinetic_energy + GRAVITY * result.x[1]
    assert np.abs(level - level[0]).max() < 1e-10
    phi = result.x[2]
    assert phi.max() > 0.15 > -0.15 > phi.min()
    along = 0.4 * phi  # of the bar, by which its middle is behind the place of contact
    x = (0.4 + R) * np.sin(phi) - along * np.cos(phi)
    z = (0.4 + R) * np.cos(phi) + along * np.sin(phi)
    np.testing.assert_allclose(result.x[0], x, atol=1e-9)
    np.testing.assert_allclose(result.x[1], z, atol=1e-9)


@cache
def two_bars(axes: int) -> HybridModel:
    """Two free bars of 1 kg without weight; with two axes in one plane."""
    N, O = ReferenceFrame("N"), Point("O")
    system, bars = System(N, O), []
    for name in "AB":
        q = dynamicsymbols(" ".join(f"{c}_{name}" for c in ("x y phi" if axes == 2 else "x y z a b c").split()))
        u = dynamicsymbols(" ".join(f"u{i}_{name}" for i in range(len(q))))
        turn = ("Axis", [q[2], N.z]) if axes == 2 else ("Body", q[3:], "123")
        frame = N.orientnew(name, *turn)
        place = sum((a * e for a, e in zip(q[:axes], list(N)[:axes], strict=True)), 0 * N.x)
        centre = O.locatenew(f"C{name}", place)
        system.add_bodies(RigidBody(name, centre, frame, 1, (inertia(frame, 0.01, 0.1, 0.1), centre)))
        system.add_coordinates(*q)
        system.add_speeds(*u)
        system.add_kdes(*(speed - place.diff(t) for speed, place in zip(u, q, strict=True)))
        ends = [centre.locatenew(f"{name}{i}", s * frame.x) for i, s in enumerate((-0.5, 0.5))]
        bars.append(Capsule(*ends, R, frame=frame))
    return HybridModel(system, [Contact(*bars, restitution=1, friction=0, name="bars")], length=1)


def between_bars(a, b) -> float:
    """The distance of two segments, each given by its ends, from the nine places where a minimum can be."""
    (p, q), (r, s) = a, b
    u, v, w = q - p, s - r, p - r
    matrix = np.array([[u @ u, -u @ v], [-u @ v, v @ v]])
    found = [np.linalg.norm(x - y) for x in a for y in b]
    for x in b:
        k = np.clip((x - p) @ u / (u @ u), 0, 1)
        found.append(np.linalg.norm(p + k * u - x))
    for x in a:
        k = np.clip((x - r) @ v / (v @ v), 0, 1)
        found.append(np.linalg.norm(r + k * v - x))
    if abs(np.linalg.det(matrix)) > 1e-12:
        i, k = np.linalg.solve(matrix, [-u @ w, v @ w])
        if 0 < i < 1 and 0 < k < 1:
            found.append(np.linalg.norm(w + i * u - k * v))
    return min(found)


def planar_gap(x: np.ndarray) -> float:
    """The gap of two bars in a plane by their coordinates."""

    def ends(x, y, angle):
        along = 0.5 * np.array([np.cos(angle), np.sin(angle)])
        return np.array([x, y]) - along, np.array([x, y]) + along

    return between_bars(ends(*x[:3]), ends(*x[3:6])) - 2 * R


def test_bars_thrown_at_each_other_never_get_into_each_other():
    """Many ends and sides pass each other on the way: every change is met once, and the energy is kept."""
    model, rng, hits = two_bars(2), np.random.default_rng(1), 0
    for _ in range(10):
        start = np.r_[rng.uniform(-1, 1, 6), rng.uniform(-2, 2, 6)]
        start[6:8] = (start[3:5] - start[:2]) * rng.uniform(0.5, 2)
        if planar_gap(start) < 0.01:
            continue
        result = model.simulate((0, 2), start, {}, rtol=1e-9, atol=1e-11)
        check_trajectory(result, model, {})
        assert result.status is Status.FINISHED
        assert min(planar_gap(x) for x in result(np.linspace(0, 2, 400)).T) > -1e-9
        assert np.ptp(result.kinetic_energy) < 1e-7
        hits += sum(event.kind == "impact" for event in result.events)
    assert hits > 5


def test_two_bars_hit_each_other_in_a_plane():
    """They start parallel, turn and hit: no penetration; energy, momentum and its moment are kept."""
    model = two_bars(2)
    start = [0, 0, 0, 0.2, 0.4, 0, 0, 0.5, 1.0, 0, -0.5, -3.0]
    result = model.simulate((0, 2), start, {}, rtol=1e-12, atol=1e-14)
    check_trajectory(result, model, {}, rtol=1e-12)
    assert result.status is Status.FINISHED
    assert [event.kind for event in result.events].count("impact") >= 1

    times = np.linspace(0, 2, 2001)
    assert min(planar_gap(x) for x in result(times).T) > -1e-9
    ours = model.compile()
    for time, x in zip(times[::50], result(times[::50]).T, strict=True):
        assert ours.gaps(time, x, np.zeros(0))[0][0] == pytest.approx(planar_gap(x), abs=1e-12)
    x = result.x
    assert np.ptp(result.kinetic_energy) < 1e-11
    assert np.ptp(x[6] + x[9]) < 1e-11
    assert np.ptp(x[7] + x[10]) < 1e-11
    moments = 0.1 * (x[8] + x[11]) + x[0] * x[7] - x[1] * x[6] + x[3] * x[10] - x[4] * x[9]
    assert np.ptp(moments) < 1e-11


def test_two_bars_cross_in_space():
    """One falls across the other: they hit between their ends, at the height 2 R, and bounce off with e = 1."""
    model = two_bars(3)
    start = np.zeros(24)
    start[[1, 2, 5]] = 0.1, 0.5, np.pi / 2 - 0.3  # A above B, turned by nearly a right angle
    start[[6, 14]] = 0.05, -1.0
    result = model.simulate((0, 1), start, {}, rtol=1e-12, atol=1e-14)
    check_trajectory(result, model, {}, rtol=1e-12)
    hit = next(event for event in result.events if event.kind == "impact")
    assert hit.t == pytest.approx(0.5 - 2 * R, abs=1e-12)
    assert np.ptp(result.kinetic_energy) < 1e-12
    assert np.ptp(result.x[14] + result.x[20]) < 1e-12
