"""Contacts with infinite friction: nothing slips, and the motion is the limit of that with large friction."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane, Sphere, Status, load
from sympact.contact import (
    CustomLaw,
    EndOfRun,
    Energetic,
    ImpactWithoutCollision,
    Newton,
    Plastic,
    Poisson,
    Sequential,
    solve_impact,
)
from sympact.models import rocking_block

MASS, RADIUS, G = 2.0, 0.3, 9.81
ROLLS = 2 / 5
"""The moment of inertia of a ball relative to m r^2."""


@cache
def ball(mu=sm.oo, slope=0.0, restitution=0.0, law=None, cue=False):
    """A ball on a plane that falls by `slope` along x, and a particle that may hit it at half its height."""
    names, rates = ["x", "y", "turn"], ["u", "v", "spin"]
    q, w = dynamicsymbols(" ".join(names + ["X"] * cue)), dynamicsymbols(" ".join(rates + ["U"] * cue))
    N, O = ReferenceFrame("N"), Point("O")
    B, C = N.orientnew("B", "Axis", [q[2], N.z]), O.locatenew("C", q[0] * N.x + q[1] * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("ball", C, B, MASS, (inertia(B, 0, 0, ROLLS * MASS * RADIUS**2), C)))
    system.add_coordinates(*q)
    system.add_speeds(*w)
    system.add_kdes(*[speed - place.diff() for speed, place in zip(w, q, strict=True)])
    system.add_loads((C, MASS * G * (math.sin(slope) * N.x - math.cos(slope) * N.y)))
    rim = Sphere(C, RADIUS, frame=B)
    contacts = [Contact(rim, Plane(O, N.y), restitution=restitution, friction=mu, name="road")]
    if cue:
        P = O.locatenew("P", q[3] * N.x + RADIUS * N.y)
        system.add_bodies(Particle("particle", P, MASS))
        contacts.append(Contact(P, rim, restitution=1, friction=0, name="cue"))
    return HybridModel(system, contacts, impact=law or Newton()), q, w


def rolled(speed: float, spin: float) -> float:
    """The speed of a ball after slip has ended: the angular momentum about a point of the road is kept."""
    return (speed - ROLLS * RADIUS * spin) / (1 + ROLLS)


@pytest.mark.parametrize("infinity", [sm.oo, math.inf, np.inf, sm.Symbol("mu", positive=True)])
def test_a_ball_rolls_down_a_slope(infinity):
    model, (x, y, turn), (u, v, spin) = ball(infinity, slope=1.2)
    numbers = dict.fromkeys(model.parameters, math.inf)
    result = model.simulate((0, 1), {x: 0, y: RADIUS, turn: 0, u: 0, v: 0, spin: 0}, numbers)
    along = G * math.sin(1.2) / (1 + ROLLS)
    assert result.path[-1] == "road sticks"
    assert result[u][-1] == pytest.approx(along, rel=1e-12)
    assert result[spin][-1] == pytest.approx(-along / RADIUS, rel=1e-12)
    force = result.friction_force_at(0.5).ravel()
    assert force == pytest.approx([-ROLLS * MASS * along, 0, 0], abs=1e-9)
    assert result.normal_force_at(0.5).ravel() == pytest.approx(MASS * G * math.cos(1.2), rel=1e-12)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("law", [Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic()])
def test_a_ball_that_lands_rolls_at_once(law, restitution):
    """Also where it rebounds: the first impact ends the slip, which no flight begins anew."""
    model, (x, y, turn), (u, v, spin) = ball(restitution=restitution, law=law)
    result = model.simulate((0, 3), {x: 0, y: 0.5, turn: 0, u: 3, v: 0, spin: 7}, {})
    first, fall = result.events[0], math.sqrt(2 * G * (0.5 - RADIUS))
    e = 0.0 if isinstance(law, Plastic) else restitution
    for state in (first.x_plus, result.x[:, -1]):
        after = dict(zip(model.x, state, strict=True))
        assert after[u] == pytest.approx(rolled(3, 7), rel=1e-12)
        assert after[spin] == pytest.approx(-rolled(3, 7) / RADIUS, rel=1e-12)
    assert first.impulse[0] == pytest.approx(MASS * (1 + e) * fall, rel=1e-9)
    assert first.friction_impulse[0] == pytest.approx([MASS * (rolled(3, 7) - 3), 0, 0], rel=1e-9)
    assert result.path[-1] == "road sticks"


@pytest.mark.parametrize("t", [0.0, 1000.0])
def test_a_ball_put_down_with_slip_rolls_at_once(t):
    """The friction of a limit ends the slip by an impulse that needs no normal one."""
    model, (x, y, turn), (u, v, spin) = ball()
    result = model.simulate((t, t + 1), {x: 0, y: RADIUS, turn: 0, u: 3, v: 0, spin: 7}, {})
    assert result.status is Status.FINISHED
    assert result.path[-1] == "road sticks"
    assert result[u][-1] == pytest.approx(rolled(3, 7), rel=1e-12)
    change = MASS / 2 * (rolled(3, 7) ** 2 * (1 + ROLLS) - 3**2 - ROLLS * (RADIUS * 7) ** 2)
    assert result.events[0].energy == pytest.approx(change, rel=1e-8)


def test_a_ball_that_is_struck_rolls_at_once():
    """A particle of the same mass gives it all of its speed."""
    model, (x, y, turn, place), (u, v, spin, struck) = ball(cue=True)
    start = {x: 0, y: RADIUS, turn: 0, place: -1, u: 0, v: 0, spin: 0, struck: 3}
    result = model.simulate((0, 1), start, {})
    assert result.status is Status.FINISHED
    assert result[u][-1] == pytest.approx(rolled(3, 0), rel=1e-9)
    assert result[spin][-1] == pytest.approx(-rolled(3, 0) / RADIUS, rel=1e-9)
    assert result[struck][-1] == pytest.approx(0, abs=1e-9)


def test_a_rocking_block_turns_about_its_corners():
    block = rocking_block(tilt=0.2, friction=math.inf, restitution=0)
    result = block.model.simulate((0, 3), block.start, block.parameters)
    turn = [str(state) for state in block.model.x].index("omega(t)")
    impacts = [event for event in result.events if event.kind == "impact"]
    kept = 1 - 1.5 * math.sin(math.atan2(0.4, 1.0)) ** 2
    assert len(impacts) > 5
    for event in impacts[:5]:
        assert event.x_plus[turn] == pytest.approx(kept * event.x_minus[turn], rel=1e-9)


@cache
def rod(mu=sm.oo, wall=False):
    """A rod of length 1 over a floor, with a wall on its right."""
    q, w = dynamicsymbols("x y theta"), dynamicsymbols("u v omega")
    N, O = ReferenceFrame("N"), Point("O")
    B, C = N.orientnew("B", "Axis", [q[2], N.z]), O.locatenew("C", q[0] * N.x + q[1] * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("rod", C, B, 1, (inertia(B, 0, 0, sm.Rational(1, 12)), C)))
    system.add_coordinates(*q)
    system.add_speeds(*w)
    system.add_kdes(*[speed - place.diff() for speed, place in zip(w, q, strict=True)])
    system.apply_uniform_gravity(-G * N.y)
    A, Z = C.locatenew("A", -B.x / 2), C.locatenew("Z", B.x / 2)
    contacts = [Contact(end, Plane(O, N.y), restitution=0, friction=mu) for end in (A, Z)]
    if wall:
        contacts.append(Contact(Z, Plane(O.locatenew("W", N.x), -N.x), restitution=0, friction=mu))
    return HybridModel(system, contacts), q, w


def test_a_rod_falls_about_the_end_that_has_landed():
    """Its angular momentum about that end is kept in the impact, then the energy of the pendulum about it."""
    model, (x, y, theta), (u, v, omega) = rod()
    start = {x: 0, y: math.sin(1.2) / 2 + 0.1, theta: 1.2, u: 0, v: -2, omega: 0}
    result = model.simulate((0, 0.3), start, {})
    hit = dict(zip(model.x, result.events[0].x_plus, strict=True))
    fall = math.sqrt(2**2 + 2 * G * 0.1)
    turned = -fall * math.cos(1.2) / 2 * 3
    assert hit[omega] == pytest.approx(turned, rel=1e-9)
    energy = turned**2 / 6 + G * math.sin(1.2) / 2
    last = dict(zip(model.x, result.x[:, -1], strict=True))
    assert last[omega] ** 2 / 6 + G * math.sin(last[theta]) / 2 == pytest.approx(energy, rel=1e-8)
    assert last[x] - math.cos(last[theta]) / 2 == pytest.approx(-math.cos(1.2) / 2, abs=1e-9)


@pytest.mark.parametrize("speed", [3.0, 5.0])
def test_a_rod_thrown_against_a_wall_has_the_limit_of_large_friction(speed):
    found = []
    for mu in (sm.oo, 1000.0):
        model, (x, y, theta), (u, v, omega) = rod(mu, wall=True)
        start = {x: 0, y: 1.5, theta: 0.4, u: speed, v: 0, omega: 1}
        found.append(model.simulate((0, 0.4), start, {}))
    assert found[0].path == found[1].path
    assert found[0].x[:, -1] == pytest.approx(found[1].x[:, -1], rel=1e-6, abs=1e-6)


def box(painleve):
    """A run of a box of 0.4 m x 1 m that starts to slide on its lower corners with 1 m/s."""
    q, w = dynamicsymbols("x y theta"), dynamicsymbols("u v omega")
    N, O = ReferenceFrame("N"), Point("O")
    B, C = N.orientnew("B", "Axis", [q[2], N.z]), O.locatenew("C", q[0] * N.x + q[1] * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("box", C, B, 1, (inertia(B, 0, 0, (0.4**2 + 1) / 12), C)))
    system.add_coordinates(*q)
    system.add_speeds(*w)
    system.add_kdes(*[speed - place.diff() for speed, place in zip(w, q, strict=True)])
    system.apply_uniform_gravity(-G * N.y)
    corners = [C.locatenew(name, side * 0.2 * B.x - 0.5 * B.y) for name, side in (("rear", -1), ("front", 1))]
    contacts = [Contact(corner, Plane(O, N.y), restitution=0, friction=sm.oo) for corner in corners]
    model = HybridModel(system, contacts, painleve=painleve)
    return model.simulate((0, 0.1), dict(zip([*q, *w], [0, 0.5, 0, 1, 0, 0], strict=True)), {})


def test_a_box_that_slides_tips_about_its_front_corner():
    """With the angular momentum about that corner."""
    result = box(ImpactWithoutCollision())
    assert result.path[-1] == "front on O sticks"
    turned = -0.5 / ((0.4**2 + 1) / 3)
    assert result.events[0].x_plus[3:] == pytest.approx([-turned * 0.5, -turned * 0.2, turned], rel=1e-7)


def test_friction_that_presses_a_contact_on_is_a_paradox_as_any_large_one():
    assert box(EndOfRun()).status is Status.PAINLEVE


def test_a_contact_that_friction_pushes_off_ends_the_run_with_a_remedy():
    """A rod that turns fast about its end leaves it where the normal force vanishes and friction does not."""
    model, (x, y, theta), (u, v, omega) = rod()
    start = {x: 0, y: math.sin(1.5) / 2, theta: 1.5, u: math.sin(1.5), v: -math.cos(1.5), omega: -2}
    result = model.simulate((0, 1), start, {})
    assert result.status is Status.UNSOLVED_IMPACT
    assert "infinite" in result.message
    assert result.t[-1] == pytest.approx(0.3312915, abs=1e-6)  # with mu = 1e6 it slips from 0.3312914 s on


def test_the_impulse_of_one_contact_is_that_of_a_ball_joint():
    """Random contacts: where the bilateral impulse pushes it is the answer, whatever its friction; none is NaN."""
    generator, pushed = np.random.default_rng(5), 0
    for _ in range(40):
        root = generator.normal(size=(5, 5))
        mass, rows, u = root @ root.T + np.eye(5), generator.normal(size=(3, 5)), generator.normal(size=5)
        before = rows @ u
        before[0] = -abs(before[0])
        wanted = -np.linalg.solve(rows @ np.linalg.solve(mass, rows.T), before)
        if wanted[0] <= 0.0:
            continue
        pushed += 1
        for law in (Newton(), Poisson(), Energetic(), Plastic()):
            given = {"tangent_jacobian": rows[np.newaxis, 1:], "slip_minus": before[np.newaxis, 1:]}
            found = solve_impact(mass, rows[:1], before[:1], 0.0, **given, friction=np.inf, law=law)
            assert [*found.impulses, *found.friction_impulses[0]] == pytest.approx(wanted, rel=1e-8, abs=1e-10)
            assert rows @ found.speed_change == pytest.approx(-before, rel=1e-8, abs=1e-10)
    assert pushed > 10


@pytest.mark.parametrize(("approach", "left"), [(1e-11, 0.0), (1e-13, 0.9)])
def test_a_finite_cone_stands_for_the_limit(approach, left):
    """A normal impulse of 1e-11 of the friction impulse is enough to stick; one of 1e-13 is not."""
    given = {"tangent_jacobian": np.eye(3)[np.newaxis, 1:], "slip_minus": [[1.0, 0.0]], "friction": np.inf}
    found = solve_impact(np.eye(3), np.eye(3)[:1], [-approach], 0.0, **given)
    assert found.slip_plus[0] == pytest.approx([left, 0.0], abs=1e-9)


def test_one_by_one_and_laws_of_the_user_know_infinite_friction():
    seen = []

    def stop(mass_matrix, jacobian, velocity, restitution, friction):
        seen.append(friction.tolist())
        return np.zeros((len(friction), 3))

    given = {"tangent_jacobian": [[1.0, 0.0]], "slip_minus": [2.0], "friction": [np.inf]}
    problem = np.eye(2), [[0.0, 1.0]], [-1.0], 0.5
    solve_impact(*problem, **given, law=CustomLaw(stop))
    assert seen == [[math.inf]]
    found = solve_impact(*problem, **given, resolution=Sequential())
    assert found.speed_change == pytest.approx([-2.0, 1.5])


def test_a_run_with_infinite_friction_is_saved_and_stepped(tmp_path):
    model, (x, y, turn), (u, v, spin) = ball(sm.Symbol("mu", positive=True))
    start = {x: 0, y: 0.5, turn: 0, u: 3, v: 0, spin: 7}
    numbers = dict.fromkeys(model.parameters, math.inf)
    result = model.simulate((0, 1), start, numbers)
    result.save(tmp_path / "run.npz")
    again = load(tmp_path / "run.npz", model=model)
    assert again.x.tolist() == result.x.tolist()
    assert again.friction_force.tolist() == result.friction_force.tolist()
    assert np.isfinite(again.friction_force).all()
    stepped = model.simulate((0, 1), start, numbers, method="moreau", max_step=1e-2)
    assert stepped[u][-1] == pytest.approx(rolled(3, 7), rel=1e-9)
