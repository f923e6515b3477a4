"""The promise: runs with round bodies, pipes, polygons, limits, strings and moving walls follow closed forms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from sympy.physics.mechanics import RigidBody, dynamicsymbols, inertia
from worlds import G, World, square

from sympact import (
    Capsule,
    Contact,
    ConvexPolygon,
    Cylinder,
    Disc,
    HybridModel,
    Implicit,
    Limit,
    Plane,
    Sphere,
    Status,
    String,
    polygon_contacts,
)

t = dynamicsymbols._t


def impacts(result) -> list:
    return [event for event in result.events if event.kind == "impact"]


def test_a_ball_bounces_at_the_height_of_its_radius():
    """Falls h - R, rises e^2 of it: t1 = sqrt(2 (h - R)/g), then 2 e t1 between impacts."""
    world, e, R, h = World(), 0.7, 0.25, 1.25
    centre = world.particle()
    world.weigh(world.N.z)
    contact = Contact(Sphere(centre, R), Plane(world.O, world.N.z), restitution=e, friction=0)
    result = world.run([contact], 1.4, [0, 0, h, 0.3, 0, 0])
    first = math.sqrt(2 * (h - R) / G)
    assert [event.t for event in impacts(result)] == pytest.approx([first, first * (1 + 2 * e)], rel=1e-11)
    assert impacts(result)[0].impulse[0] == pytest.approx((1 + e) * G * first, rel=1e-10)


def test_a_ball_in_a_ball_bowl_and_a_ball_on_it_agree_with_points():
    """A ball of radius r in a hollow sphere of R moves as its centre in R - r; on a sphere, as its centre on R + r."""
    runs = []
    for r in (0, 0.2):
        world = World()
        centre = world.particle()
        world.weigh(world.N.z)
        toucher = Sphere(centre, r) if r else centre
        bowl = Contact(toucher, Sphere(world.O, 1 + r, inside=True), restitution=0.9, friction=0, name="bowl")
        knob = world.O.locatenew("knob", -0.6 * world.N.z)
        ball = Contact(toucher, Sphere(knob, 0.4 - r), restitution=0.8, friction=0, name="knob")
        runs.append(world.run([bowl, ball], 2.0, [0.1, 0.05, 0.5, 0.4, 0, 0]))
    points, balls = runs
    assert len(impacts(points)) > 5
    np.testing.assert_allclose(balls.x[:, -1], points.x[:, -1], atol=1e-6)
    assert [event.contacts for event in impacts(balls)] == [event.contacts for event in impacts(points)]


def test_balls_of_finite_size_in_a_line_pass_on_the_velocity():
    """Newton's cradle without strings: each elastic impact of equal balls exchanges the velocities."""
    world, R, n = World(), 0.1, 4
    centres = [world.particle(mass=2, axes=1) for _ in range(n)]
    balls = [Sphere(centre, R) for centre in centres]
    contacts = [Contact(a, b, restitution=1, friction=0) for a, b in pairwise(balls)]
    starts = [0, 0.3, 0.7, 1.0]  # gaps 0.1, 0.2, 0.1
    result = world.run(contacts, 2.0, [*starts, 1.0, 0, 0, 0])
    assert [event.t for event in impacts(result)] == pytest.approx([0.1, 0.3, 0.4], rel=1e-12)
    assert [event.impulse[0] for event in impacts(result)] == pytest.approx([2.0] * 3, rel=1e-12)
    np.testing.assert_allclose(result.x[n:, -1], [0, 0, 0, 1], atol=1e-14)


@pytest.mark.parametrize("e", [1.0, 0.6, 0.0])
def test_two_balls_keep_momentum_and_moment(e):
    """Free flight in space, unequal masses: linear and angular momentum to 1e-12, the normal velocity times -e."""
    world, masses = World(), np.array([1.0, 2.5])
    one, two = (world.particle(mass) for mass in masses)
    contact = Contact(Sphere(one, 0.3), Sphere(two, 0.4), restitution=e, friction=0)
    x0 = [0, 0, 0, 2, 0.3, -0.2, 1, 0.1, 0, -0.5, 0, 0.1]
    result = world.run([contact], 4.0, x0)
    assert len(impacts(result)) == 1

    def momenta(x):
        places, velocities = x[:6].reshape(2, 3), x[6:].reshape(2, 3)
        momentum = masses[:, None] * velocities
        return np.concatenate([momentum.sum(axis=0), np.cross(places, momentum).sum(axis=0)])

    true = momenta(np.array(x0, dtype=float))
    for x in result.x.T:
        np.testing.assert_allclose(momenta(x), true, atol=1e-12)
    (event,) = impacts(result)
    minus, plus = np.array(event.x_minus), np.array(event.x_plus)
    normal = (minus[:3] - minus[3:6]) / 0.7
    approach, parting = (normal @ (x[6:9] - x[9:]) for x in (minus, plus))
    assert np.linalg.norm(normal) == pytest.approx(1.0, rel=1e-11)
    assert parting == pytest.approx(-e * approach, abs=1e-12)


def test_either_ball_may_come_first():
    """Contact(A, B) and Contact(B, A) are the same contact."""
    ends = []
    for swap in (False, True):
        world = World()
        balls = [Sphere(world.particle(mass), radius) for mass, radius in ((1, 0.3), (2, 0.4))]
        contact = Contact(*balls[:: -1 if swap else 1], restitution=0.5, friction=0)
        ends.append(world.run([contact], 4.0, [0, 0, 0, 2, 0.3, -0.2, 1, 0.1, 0, -0.5, 0, 0.1]))
    assert impacts(ends[0])[0].t == pytest.approx(impacts(ends[1])[0].t, rel=1e-14)
    np.testing.assert_allclose(ends[0].x[:, -1], ends[1].x[:, -1], atol=1e-14)


@pytest.mark.parametrize("tilt", [0.0, 0.4, 1.1])
def test_the_impulse_on_the_rim_of_a_tilted_disc(tilt):
    """Thin disc, its axis `tilt` above the horizontal: impulse (1 + e) m v/(1 + 4 sin^2), m R^2/4 about a diameter."""
    world, e, m, R = World(), 0.5, 2.0, 0.3
    x, y, z, a, b = world.letters(5)
    N = world.N
    A = N.orientnew("A", "Axis", [a, N.y])
    B = A.orientnew("B", "Axis", [b, A.x])  # the disc turns about its axis, A.x
    centre = world.O.locatenew("C", x * N.x + y * N.y + z * N.z)
    thin = m * R**2 / 4
    world.system.add_bodies(RigidBody("coin", centre, B, m, (inertia(B, 2 * thin, thin, thin), centre)))
    world.weigh(N.z)
    coin = Disc(centre, B.x, R)
    low = R * math.cos(tilt)
    result = world.run(
        [Contact(coin, Plane(world.O, N.z), restitution=e, friction=0)], 0.5, [0, 0, low + 1, tilt, 0, 0.2, 0, 0, 0, 7]
    )
    first = impacts(result)[0]
    assert first.t == pytest.approx(math.sqrt(2 / G), rel=1e-11)
    assert first.impulse[0] == pytest.approx((1 + e) * m * math.sqrt(2 * G) / (1 + 4 * math.sin(tilt) ** 2), rel=1e-10)


def test_an_upright_disc_that_spins_slides_on_without_friction():
    """Closed from the start: no force along the ground, so that velocity and spin stay and the height is R."""
    world, R = World(), 0.3
    x, z, b, a = world.letters(4)
    N = world.N
    A = N.orientnew("A", "Axis", [a, N.x])
    B = A.orientnew("B", "Axis", [b, A.y])
    centre = world.O.locatenew("C", x * N.x + z * N.z)
    world.system.add_bodies(RigidBody("wheel", centre, B, 1, (inertia(B, R**2 / 4, R**2 / 2, R**2 / 4), centre)))
    world.weigh(N.z)
    wheel = Contact(Disc(centre, B.y, R), Plane(world.O, N.z), restitution=0.5, friction=0)
    result = world.run([wheel], 2.0, [0, R, 0, 0, 1.5, 0, 4.0, 0])
    np.testing.assert_allclose(result.x[:, -1], [3.0, R, 8.0, 0, 1.5, 0, 4.0, 0], atol=1e-9)


def test_a_tilted_spinning_disc_keeps_its_energy_while_it_slides():
    world, R = World(), 0.3
    x, y, z, c, a, b = world.letters(6)
    N = world.N
    A = N.orientnew("A", "Axis", [c, N.z])
    C = A.orientnew("C", "Axis", [a, A.x])
    B = C.orientnew("B", "Axis", [b, C.y])
    centre = world.O.locatenew("M", x * N.x + y * N.y + z * N.z)
    world.system.add_bodies(RigidBody("wheel", centre, B, 1, (inertia(B, R**2 / 4, R**2 / 2, R**2 / 4), centre)))
    world.weigh(N.z)
    wheel = Contact(Disc(centre, B.y, R), Plane(world.O, N.z), restitution=0, friction=0)
    result = world.run([wheel], 1.0, [0, 0, R * math.cos(0.5), 0, 0.5, 0, 0.3, 0, 0, 0, 0, 40.0], rtol=1e-11)
    energy = result.energy
    np.testing.assert_allclose(energy, energy[0], rtol=1e-9)
    assert result.x[4].max() > 0.5  # it nutates, and does not fall over


def test_a_string_goes_taut_and_holds():
    """A bead falls beside its pivot: taut at sqrt(l^2 - a^2) below; e = 0 leaves the velocity across the string.

    From then on it is a pendulum: on the circle, with the energy that it has left.
    """
    world, l, a = World(), 1.0, 0.6
    bead = world.particle(axes=2)
    world.weigh(world.N.y)
    result = world.run([String(world.O, bead, l, restitution=0)], 1.5, [a, 0, 0, 0], rtol=1e-10)
    events, fall = list(result.events), math.sqrt(l**2 - a**2)
    assert events[0].t == pytest.approx(math.sqrt(2 * fall / G), rel=1e-11)
    assert result.gaps.min() > -1e-9
    speed = math.sqrt(2 * G * fall)
    along = speed * fall / l
    assert events[0].impulse[0] == pytest.approx(along, rel=1e-9)
    taut = result.t > events[0].t + 1e-9
    left = speed**2 / 2 - along**2 / 2 - G * fall
    x, y, vx, vy = result.x[:, taut]
    np.testing.assert_allclose((vx**2 + vy**2) / 2 + G * y, left, atol=1e-8)
    np.testing.assert_allclose(np.hypot(x, y), l, atol=1e-9)
    weight = (vx**2 + vy**2) / l - G * y / l  # the force that holds a pendulum
    np.testing.assert_allclose(result.normal_force[0, taut], weight, rtol=1e-6)


def test_a_string_between_two_bodies_is_an_impact_of_both():
    """On a line: two particles fly apart until the string of length l is taut; e = 1 exchanges as balls do."""
    world = World()
    one, two = world.particle(1, axes=1), world.particle(3, axes=1)
    result = world.run([String(one, two, 2, restitution=1)], 2.0, [0, 1, -0.5, 0.5])
    (event,) = impacts(result)
    assert event.t == pytest.approx(1.0, rel=1e-12)
    assert event.x_plus[2:].tolist() == pytest.approx([1.0, 0.0], abs=1e-12)  # 2 v_cm - v, v_cm = 1/4
    assert event.impulse[0] == pytest.approx(1.5, rel=1e-12)


def test_end_stops_of_a_rotor_in_closed_form():
    """A rotor between two stops: it takes 2 alpha/omega, then 2 alpha/(e omega), ...; the lever scales the impulse."""
    moment, alpha, omega, e, lever = 0.3, 0.4, 2.0, 0.5, 0.2
    for arm in (None, lever):
        world = World()
        (q,) = world.letters(1)
        B = world.N.orientnew("B", "Axis", [q, world.N.z])
        world.system.add_bodies(RigidBody("rotor", world.O, B, 1, (inertia(B, 1, 1, moment), world.O)))
        limits = [Limit(alpha - q, restitution=e, lever=arm, name="upper"), Limit(q + alpha, restitution=e, lever=arm)]
        result = world.run(limits, 1.5, [0, omega])
        times = np.cumsum([alpha / omega, 2 * alpha / (e * omega)])
        assert [event.t for event in impacts(result)] == pytest.approx(times, rel=1e-12)
        assert [event.contacts for event in impacts(result)] == [("upper",), ("q0 + 0.4",)]
        angular = (1 + e) * moment * omega
        assert impacts(result)[0].impulse[0] == pytest.approx(angular / (arm or 1), rel=1e-12)


def test_the_limit_of_a_knee_does_not_depend_on_the_lever():
    """A double pendulum whose knee cannot bend backwards: u+ by Lagrange's equations, the same run for every lever."""
    runs = []
    for lever in (None, sm.Rational(1, 3)):
        world, N = World(), None
        q1, q2 = world.letters(2)
        N = world.N
        A = N.orientnew("A", "Axis", [q1, N.z])
        B = A.orientnew("B", "Axis", [q2, A.z])
        knee = world.O.locatenew("K", -A.y)
        for name, frame, pivot in (("thigh", A, world.O), ("shank", B, knee)):
            centre = pivot.locatenew(name, -frame.y / 2)
            world.system.add_bodies(
                RigidBody(name, centre, frame, 1, (inertia(frame, 0, 0, sm.Rational(1, 12)), centre))
            )
        world.weigh(N.y)
        stop = Limit(q2, restitution=0.3, lever=lever, name="knee")
        runs.append(world.run([stop], 2.0, [-1.2, 0.3, 0, 0]))
    free, levered = runs
    event = impacts(free)[0]
    minus, plus = np.array(event.x_minus[2:]), np.array(event.x_plus[2:])
    # straight legs: M = [[8/3, 5/6], [5/6, 1/3]] (slender rods of 1 m and 1 kg)
    mass = np.array([[8 / 3, 5 / 6], [5 / 6, 1 / 3]])
    np.testing.assert_allclose(mass @ (plus - minus), [0.0, event.impulse[0]], atol=1e-10)
    assert plus[1] == pytest.approx(-0.3 * minus[1], rel=1e-10)
    assert impacts(levered)[0].impulse[0] == pytest.approx(3 * event.impulse[0], rel=1e-9)
    np.testing.assert_allclose(levered.x[:, -1], free.x[:, -1], atol=1e-7)


def test_a_limit_may_move_with_time():
    """A piston driven as 0.1 sin(3 t) against a slider: the stop is what the slider's coordinate may not pass."""
    world = World()
    world.particle(axes=1)
    (x,) = world.system.q
    stop = Limit(x - sm.sin(3 * t) / 10, restitution=1, name="piston")
    result = world.run([stop], 1.0, [0.5, -1.0])
    event = impacts(result)[0]
    wall = 0.3 * math.cos(3 * event.t)
    assert event.x_minus[0] == pytest.approx(0.1 * math.sin(3 * event.t), abs=1e-12)
    assert event.x_plus[1] == pytest.approx(2 * wall + 1.0, rel=1e-11)


def test_a_ball_in_a_pipe_flies_equal_chords():
    """Elastic, no weight: the speed along the axis stays, the chords across it are equal, less the ball's radius."""
    world, R, r = World(), 1.0, 0.25
    centre = world.particle()
    pipe = Cylinder(world.O, world.N.x, R, inside=True)
    result = world.run([Contact(Sphere(centre, r), pipe, restitution=1, friction=0)], 10.0, [0, 0, 0.3, 0.4, 1, 0])
    times = np.array([event.t for event in impacts(result)])
    chord = 2 * math.sqrt((R - r) ** 2 - 0.3**2)
    assert len(times) == 7
    np.testing.assert_allclose(times, chord / 2 + chord * np.arange(7), rtol=1e-11)
    assert result.x[3, -1] == pytest.approx(0.4, rel=1e-12)


def test_a_ball_rolls_off_a_log_like_a_bead():
    """Frictionless: a ball leaves a horizontal cylinder where cos(angle) = 2/3, as a bead leaves a hoop."""
    world, R, r = World(), 0.8, 0.2
    centre = world.particle()
    world.weigh(world.N.z)
    log = Cylinder(world.O, world.N.y, R)
    start = 1e-3
    place = [(R + r) * math.sin(start), 0, (R + r) * math.cos(start)]
    result = world.run([Contact(Sphere(centre, r), log, restitution=0, friction=0)], 3.0, [*place, 0, 0.5, 0])
    (event,) = [event for event in result.events if event.kind == "open"]
    assert event.x_minus[2] / (R + r) == pytest.approx(2 / 3 * math.cos(start), rel=1e-7)
    assert result.x[4, -1] == pytest.approx(0.5, rel=1e-12)


def test_an_implicit_sphere_is_a_sphere():
    """phi = r^2 - R^2 turned and shifted with a frame against the Sphere: the same impacts."""
    runs = []
    for implicit in (False, True):
        world = World()
        bead = world.particle()
        world.weigh(world.N.z)
        A = world.N.orientnew("A", "Axis", [0.4, world.N.x + world.N.y])
        middle = world.O.locatenew("M", 0.3 * world.N.x)
        bowl = (
            Implicit(middle, A, lambda x, y, z: 1 - x**2 - y**2 - z**2) if implicit else Sphere(middle, 1, inside=True)
        )
        runs.append(world.run([Contact(bead, bowl, restitution=0.8, friction=0)], 2.0, [0.5, 0.1, 0.2, 0, 0.3, 0]))
    sphere, implicit = (impacts(run) for run in runs)
    assert len(sphere) >= 4
    assert [event.t for event in implicit] == pytest.approx([event.t for event in sphere], abs=1e-7)
    assert implicit[0].t == pytest.approx(sphere[0].t, rel=1e-12)
    assert implicit[0].impulse[0] == pytest.approx(sphere[0].impulse[0], rel=1e-10)


def test_a_bead_in_an_ellipse_passes_through_the_foci():
    """Elastic billiards without weight: a path through one focus goes through the other after every impact."""
    world, a, b = World(), 2.0, 1.2
    bead = world.particle(axes=2)
    wall = Implicit(world.O, world.N, lambda x, y, z: 1 - x**2 / a**2 - y**2 / b**2)
    focus = math.sqrt(a**2 - b**2)
    contact = Contact(bead, wall, restitution=1, friction=0)
    result = world.run([contact], 20.0, [-focus, 0, 0.5, 0.8])
    hits = impacts(result)
    assert len(hits) >= 4
    for k, event in enumerate(hits):
        (x, y), (vx, vy) = event.x_plus[:2], event.x_plus[2:]
        other = focus if k % 2 == 0 else -focus
        assert ((other - x) * vy - (0 - y) * vx) / math.hypot(vx, vy) == pytest.approx(0.0, abs=1e-8)


def test_a_capsule_falls_flat_on_both_ends():
    """Symmetric, e: both ends share the impulse (1 + e) m v, and it does not turn."""
    world, r, e = World(), 0.1, 0.5
    frame, centre = world.slab(moment=0.2)
    world.weigh(world.N.y)
    ends = [centre.locatenew(name, side * frame.x / 2) for name, side in (("A", -1), ("B", 1))]
    floor = Plane(world.O, world.N.y)
    contacts = [Contact(end, floor, restitution=e, friction=0) for end in Capsule(*ends, r, frame=frame).ends]
    result = world.run(contacts, 0.8, [0, 1 + r, 0, 0, 0, 0])
    first = impacts(result)[0]
    assert first.t == pytest.approx(math.sqrt(2 / G), rel=1e-11)
    assert first.impulse.tolist() == pytest.approx([0.75 * math.sqrt(2 * G)] * 2, rel=1e-10)
    assert np.abs(result.x[2]).max() < 1e-14


def test_a_ball_meets_the_side_and_the_end_of_a_capsule():
    """Against a fixed stadium: on the side it bounces as on a plane, at the end as on a circle."""
    world = World()
    centre = world.particle(axes=2)
    ends = [world.O.locatenew(name, side * world.N.x) for name, side in (("A", -1), ("B", 1))]
    bar = Capsule(*ends, 0.3)
    contact = Contact(Sphere(centre, 0.2), bar, restitution=1, friction=0)
    side = world.run([contact], 2.0, [0.2, 1.5, 0.3, -1.0])
    (event,) = impacts(side)
    assert event.t == pytest.approx(1.0, rel=1e-12)
    assert event.x_plus[2:].tolist() == pytest.approx([0.3, 1.0], rel=1e-12)
    # towards B at (1, 0), 0.3 beside its middle: the normal is (0.4, 0.3)/0.5
    end = world.run([contact], 2.0, [2.4, 0.3, -1.0, 0.0])
    (event,) = impacts(end)
    assert event.t == pytest.approx(1.0, rel=1e-12)
    assert event.x_plus[2:].tolist() == pytest.approx([-1 + 2 * 0.64, 2 * 0.48], rel=1e-11)


@pytest.mark.parametrize("seed", members(range(2), slow=[1]))
def test_two_squares_in_free_flight_keep_momentum_moment_and_energy(seed):
    """e = 1, random starts at each other: linear and angular momentum to 1e-12, energy to 1e-12 of it."""
    world, masses, moments = World(), np.array([1.0, 2.0]), np.array([0.2, 0.5])
    squares = [
        square(*world.slab(m, j), name, half)
        for m, j, name, half in zip(masses, moments, "AB", (0.5, 0.6), strict=True)
    ]
    contacts = polygon_contacts(*squares, restitution=1, friction=0)
    rng = np.random.default_rng(seed)
    x0 = np.array([-1.6, 0, 0, 1.6, 0, 0, 1, 0, 0, -1, 0, 0]) + rng.uniform(-0.3, 0.3, 12)
    x0[[8, 11]] *= 5
    result = world.run(contacts, 4.0, x0, rtol=1e-11)
    assert len(impacts(result)) >= 1

    def momenta(x):
        places, velocities = x[:6].reshape(2, 3), x[6:].reshape(2, 3)
        linear = masses[:, None] * velocities[:, :2]
        moment = (places[:, 0] * linear[:, 1] - places[:, 1] * linear[:, 0]).sum() + moments @ velocities[:, 2]
        return np.append(linear.sum(axis=0), moment)

    def energy(x):
        velocities = x[6:].reshape(2, 3)
        return masses @ (velocities[:, :2] ** 2).sum(axis=1) / 2 + moments @ velocities[:, 2] ** 2 / 2

    for x in result.x.T:
        np.testing.assert_allclose(momenta(x), momenta(x0), atol=1e-12)
        assert energy(x) == pytest.approx(energy(x0), rel=1e-12)


def test_a_square_lands_on_the_edge_of_another_and_stays():
    """Flat on a fixed table that is a polygon itself: it comes to rest on two corners."""
    world = World()
    frame, centre = world.slab(moment=0.2)
    world.weigh(world.N.y)
    top = [
        world.O.locatenew(f"T{i}", x * world.N.x + y * world.N.y)
        for i, (x, y) in enumerate([(2, 0), (-2, 0), (-2, -1), (2, -1)])
    ]
    table = ConvexPolygon(top, world.N.z, world.N, name="table")
    contacts = polygon_contacts(square(frame, centre, "A", 0.5), table, restitution=0, friction=0)
    result = world.run(contacts, 2.0, [0.3, 1.0, 0, 0.1, 0, 0])
    np.testing.assert_allclose(result.x[:3, -1], [0.5, 0.5, 0.0], atol=1e-9)
    assert result.path[-1].startswith("A2 on table, A3 on table [24 conditions, ")


def test_walls_that_move():
    """A floor that rises at w: v+ = w + e (w - v-); a ball that a piston plane sweeps along."""
    world, w, e = World(), 0.5, 0.6
    centre = world.particle(axes=2)
    world.weigh(world.N.y)
    plate = world.O.locatenew("plate", (w * t + 0.1 * sm.cos(t) - 0.1) * world.N.y)
    contact = Contact(Sphere(centre, 0.1), Plane(plate, world.N.y), restitution=e, friction=0)
    result = world.run([contact], 0.6, [0, 1, 0.2, 0])
    event = impacts(result)[0]
    wall = w - 0.1 * math.sin(event.t)
    assert event.x_plus[3] == pytest.approx(wall + e * (wall - event.x_minus[3]), rel=1e-11)
    assert event.x_plus[2] == 0.2


def test_what_a_run_says_of_limits_and_strings():
    """One interface: tables, modes, reports and errors name them all."""
    world = World()
    bead = world.particle(axes=2)
    x, _ = world.system.q
    contacts = [String(world.O, bead, 1, restitution=0), Limit(x + 2, restitution=0, name="left")]
    model = HybridModel(world.system, contacts)
    with pytest.raises(ValueError, match=r"the string 'O to P2' starts 2\.6.* m longer than it is; expected a gap"):
        model.simulate((0, 1), [-3, 2, 0, 0], {})
    with pytest.raises(ValueError, match=r"the limit 'left' starts 1 beyond it; expected a gap"):
        model.simulate((0, 1), [-3, 2, 0, 0], {})
    with pytest.raises(
        ValueError, match=r"the distance of the points 'O' and 'P2' of the string 'O to P2' is 0, expected a"
    ):
        model.simulate((0, 1), [0, 0, 0, 0], {})
    html = model._repr_html_()
    assert "string from O to P2 (1)" in html
    assert "q0 + 2 &gt;= 0" in html or "q0 + 2 >= 0" in html


def test_sizes_are_checked_by_their_numbers_at_the_start():
    """What symbols stand for is known when a run starts: a sentence for each."""
    R, r, w = sm.symbols("R r w")
    world = World()
    bead = world.particle()
    pipe = Cylinder(world.O, world.N.x, R, inside=True)
    contacts = [
        Contact(Sphere(bead, r), pipe, restitution=1, friction=0),
        Limit(world.system.q[0] + 1, restitution=1, lever=w, name="stop"),
    ]
    model = HybridModel(world.system, contacts)
    with pytest.raises(
        ValueError, match=r"the radius of the sphere about 'P3' is -1, expected a positive number; the rad"
    ):
        model.simulate((0, 1), [0, 0.1, 0, 0, 0, 0], {R: -2, r: -1, w: 1})
    with pytest.raises(ValueError, match=r"the lever of the limit 'stop' is 0, expected a positive number"):
        model.simulate((0, 1), [0, 0.1, 0, 0, 0, 0], {R: 2, r: 1, w: 0})
    with pytest.raises(
        ValueError, match=r"'P3 on O' has no rate: there .* at the axis of the cylinder at 'O', from.*start beside it"
    ):
        model.simulate((0, 1), [0, 0, 0, 0, 0, 0], {R: 2, r: 1, w: 1})
    assert model.simulate((0, 0.1), [0, 1e-12, 0, 0, 0, 0], {R: 2, r: 1, w: 1}).status is Status.FINISHED


@pytest.mark.parametrize("places", [[(0, 0), (0, 1), (1, 0)], [(0, 0), (1, 0), (0.2, 0.2), (0, 1)]])
def test_polygons_go_round_anticlockwise_and_are_convex(places):
    world = World()
    bead = world.particle(axes=2)
    corners = [world.O.locatenew(f"K{i}", x * world.N.x + y * world.N.y) for i, (x, y) in enumerate(places)]
    wedge = ConvexPolygon(corners, world.N.z, world.N)
    model = HybridModel(world.system, [Contact(bead, wedge, restitution=1, friction=0)])
    with pytest.raises(
        ValueError, match=r"the turn .* at the corner 'K\d' of the polygon 'K0-.* is -.*, expected a posit"
    ):
        model.simulate((0, 1), [2, 2, 0, 0], {})


def test_a_block_slides_off_a_ledge_and_falls_past_it():
    """Frictionless: its velocity along the table stays until the mass centre is over the edge; then it tips and falls.

    When the trailing corner leaves the table, the table's corner goes on along the block's lower side.
    """
    world = World()
    frame, centre = world.slab(moment=0.2)
    world.weigh(world.N.y)
    places = [(2, 0), (-2, 0), (-2, -1), (2, -1)]
    top = [world.O.locatenew(f"T{i}", x * world.N.x + y * world.N.y) for i, (x, y) in enumerate(places)]
    table = ConvexPolygon(top, world.N.z, world.N, name="table")
    contacts = polygon_contacts(square(frame, centre, "A", 0.5), table, restitution=0, friction=0)
    result = world.run(contacts, 2.5, [1.0, 0.5, 0, 1.0, 0, 0])
    x, y, angle = result.x[:3]
    over = np.searchsorted(result.t, 1.0 - 1e-3)
    np.testing.assert_allclose(x[:over], 1.0 + result.t[:over], atol=1e-9)
    np.testing.assert_allclose(y[:over], 0.5, atol=1e-9)
    assert y[-1] < -0.5
    assert angle[-1] < -0.5
    energy = result.energy
    assert (np.diff(energy) < 1e-7).all()
