"""Friction in mechanisms: contacts whose normal and tangents depend on each other, always or at dead points.

The models are turned, too, so that no row vanishes exactly: by some rotation, in which tangents mix, and by a quarter
turn, in which some are rows of roundings.
"""

from itertools import product

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from sympy.physics.mechanics import (
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import checked_run

from sympact import Contact, HybridModel, Newton, Plane, Plastic, Status

GRAVITY = 9.81
TURNS = [None, (1.1, (0.48, 0.6, 0.64)), (np.pi / 2, (1.0, 0.0, 0.0))]
t = dynamicsymbols._t


def turned(frame, turn):
    """A frame fixed in `frame`, turned by an angle about an axis."""
    other = ReferenceFrame("I")
    angle, axis = turn or (0.0, (0.0, 0.0, 1.0))
    other.orient_axis(frame, angle, axis[0] * frame.x + axis[1] * frame.y + axis[2] * frame.z)
    return other


def takes_nothing(result):
    """Events without an impulse take no energy: 1e-9 of what there is stands for the slow slip that settling takes."""
    for event in result.events:
        if str(event.kind) != "impact":
            assert abs(event.energy) <= 1e-9 * max(result.kinetic_energy.max(), 1e-12)


# A contact with mu = 0 < mu_s slips.


@pytest.mark.parametrize(("mu", "static"), [(0, 0.2), (0.1, 0.2), (0.2, 0.2), (0, 0)])
def test_an_impact_takes_as_much_slip_as_its_friction(mu, static):
    """A particle comes with (1, -1) m/s on a floor, e = 0: its slip changes by mu (1 m/s)."""
    N, O, (x, z, a, b) = ReferenceFrame("N"), Point("O"), dynamicsymbols("x z a b")
    P = O.locatenew("P", x * N.x + z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("p", P, 1))
    system.add_coordinates(x, z)
    system.add_speeds(a, b)
    system.add_kdes(a - x.diff(t), b - z.diff(t))
    contact = Contact(P, Plane(O, N.z), restitution=0, friction=mu, static_friction=static)
    result = checked_run(HybridModel(system, [contact], length=1), (0, 1), {x: 0, z: 0.5, a: 1, b: -1}, {})
    assert result.status is Status.FINISHED
    assert result.events[0].x_plus[2] == pytest.approx(1 - mu, abs=1e-12)
    assert result.events[0].friction_impulse[0, 0] == pytest.approx(-mu, abs=1e-12)
    assert result.x[2, -1] == pytest.approx(1 - mu, abs=1e-12)


# Dead points that are met in motion: the tip of an arm of two links slides on a floor.


def arm(height, mu, reach, turn):
    """Two rods on pins, of 1 m and `reach`, 1 kg each with 1/12 kg m^2; the floor lies `height` below the first pin."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    ground, rods = RigidBody("ground"), [RigidBody(f"rod{k}", mass=1.0) for k in (1, 2)]
    for rod in rods:
        rod.central_inertia = inertia(rod.frame, 0.01, 1 / 12, 1 / 12)
    frame, (one, two) = turned(ground.frame, turn), rods
    system = System.from_newtonian(ground)
    pins = {"joint_axis": frame.z, "parent_interframe": frame, "child_point": -0.5 * one.x}
    system.add_joints(PinJoint("p", ground, one, q1, u1, **pins))
    knee = {"joint_axis": one.z, "parent_point": 0.5 * one.x, "child_point": -reach / 2 * two.x}
    system.add_joints(PinJoint("k", one, two, q2, u2, **knee))
    system.apply_uniform_gravity(-GRAVITY * frame.y)
    floor = Plane(ground.masscenter.locatenew("floor", -height * frame.y), frame.y)
    tip = two.masscenter.locatenew("tip", reach / 2 * two.x)
    model = HybridModel(system, [Contact(tip, floor, restitution=0, friction=mu, name="tip")])
    return model, (q1, q2, u1, u2)


def folding(height, reach, bend, rate):
    """A start with the tip on the floor, the knee bent by `bend` and closing."""
    q1 = brentq(lambda a: np.sin(a) + reach * np.sin(a + bend) + height, -0.5, 2.5, xtol=1e-15)
    down = np.array([np.cos(q1) + reach * np.cos(q1 + bend), reach * np.cos(q1 + bend)])
    way = np.array([down[1], -down[0]]) / np.hypot(*down)
    return np.array([q1, bend, *(rate * np.sign(way[1]) * way)])


def sliding_arm(reach, mu, way):
    """The same motion by hand: absolute angles, Lagrange's equations, the multiplier of the floor with its friction."""

    def rates(_, y):
        (a, b), (p, r) = (y[0], y[0] + y[1]), (y[2], y[2] + y[3])
        cross = reach / 2 * np.cos(a - b)
        mass = np.array([[1 / 3 + 1.0, cross], [cross, 1 / 12 + reach**2 / 4]])
        turn = reach / 2 * np.sin(a - b)
        load = np.array([-turn * r * r - 1.5 * GRAVITY * np.cos(a), turn * p * p - GRAVITY * reach / 2 * np.cos(b)])
        normal = np.array([np.cos(a), reach * np.cos(b)])
        along = np.array([-np.sin(a), -reach * np.sin(b)])
        drift = -np.sin(a) * p * p - reach * np.sin(b) * r * r
        free, push = np.linalg.solve(mass, load), np.linalg.solve(mass, normal - mu * way * along)
        force = -(normal @ free + drift) / (normal @ push)
        change = free + force * push
        return [y[2], y[3], change[0], change[1] - change[0]]

    def slip(_, y):
        return -np.sin(y[0]) * y[2] - reach * np.sin(y[0] + y[1]) * (y[2] + y[3])

    slip.terminal = True
    return rates, slip


DEAD_POINTS = [*product([0.0, 0.3], TURNS)]


@pytest.mark.parametrize(("mu", "turn"), members(DEAD_POINTS, slow=DEAD_POINTS[1:3]))
def test_a_dead_point_is_passed_with_all_speeds(mu, turn):
    """Where the arm is folded its tip slips no more although its links move: friction turns round, nothing is taken."""
    height, reach = 0.3, 1.6
    model, letters = arm(height, mu, reach, turn)
    start = folding(height, reach, 2.6, 3.0)
    result = checked_run(model, (0, 0.35), dict(zip(letters, start, strict=True)), {}, rtol=1e-11, atol=1e-13)
    assert result.status is Status.FINISHED
    takes_nothing(result)
    rates, slip = sliding_arm(reach, mu, 0.0)
    way = np.sign(slip(0, start))
    time, y = 0.0, start
    for direction in (way, -way):
        rates, slip = sliding_arm(reach, mu, direction)
        slip.direction = -direction
        found = solve_ivp(rates, (time, 0.35), y, method="DOP853", rtol=1e-12, atol=1e-13, events=slip)
        time, y = found.t[-1], found.y[:, -1]
        if mu > 0 and direction == way:
            assert y[1] == pytest.approx(np.pi, abs=1e-8)  # slip ends in the folded position
            assert result.events[-1].t == pytest.approx(time, abs=1e-8)
    assert result.x[1, -1] > np.pi
    assert result.x[:, -1] == pytest.approx(y, abs=1e-7)
    assert np.isfinite(result.normal_force).all()
    assert np.abs(result.normal_force).max() < 30.0


@pytest.mark.parametrize("turn", TURNS)
def test_a_dead_point_within_the_cone_is_a_jam(turn):
    """Folded, the arm pushes its tip into the floor within the cone (0.265 < mu): no force holds it, and that is said.

    Of its inverse mass friction leaves 1 - mu h / x, with the tip at (x, -h) seen from the pin and the slip at its end.
    To stick takes an acceleration that no motion has there: only as a contact that slides it is found to jam.
    """
    height, reach, mu = 0.58, 1.6, 0.3
    model, letters = arm(height, mu, reach, turn)
    start = dict(zip(letters, folding(height, reach, 2.6, 3.0), strict=True))
    result = checked_run(model, (0, 1), start, {}, rtol=1e-11, atol=1e-13)
    assert result.status is Status.PAINLEVE
    assert result.settings["solvers"]["dead_points"] == 1
    assert result.x[1, -1] == pytest.approx(np.pi, abs=1e-6)
    left = 1 - mu * height / np.sqrt((reach - 1) ** 2 - height**2)
    assert f"'tip' slips and has no admissible force: with friction its inverse mass is {left:.3g}" in result.message
    assert result.kinetic_energy[-1] > 1.0
    takes_nothing(result)


# A singular value of one contact from 1 to 0: forces bounded, the motion continuous.


def slider(share, mu, load, turn):
    """A contact whose tangent moves by `share` of a slider's way: rows (1, 0) and (0, share); 1 kg each."""
    s, z, a, b = dynamicsymbols("s z a b")
    N, O = ReferenceFrame("N"), Point("O")
    frame = turned(N, turn)
    post, sled = O.locatenew("post", z * frame.z), O.locatenew("sled", s * frame.x)
    P = O.locatenew("P", share * s * frame.x + z * frame.z)
    system = System(N, O)
    system.add_bodies(Particle("post", post, 1), Particle("sled", sled, 1))
    system.add_coordinates(s, z)
    system.add_speeds(a, b)
    system.add_kdes(a - s.diff(t), b - z.diff(t))
    system.add_loads((post, -GRAVITY * frame.z), (sled, load * frame.x))
    contact = Contact(P, Plane(O, frame.z), restitution=0, friction=mu, name="P")
    return HybridModel(system, [contact], length=1), (s, z, a, b)


@pytest.mark.parametrize("turn", TURNS[:2])
def test_forces_are_bounded_and_the_motion_is_continuous_as_a_singular_value_goes_to_zero(turn):
    """Friction can hold the sled with mu m g share at most: s'' = F - mu m g share, from the rest and in motion."""
    mu, pull = 0.5, 2.0
    share, load = sm.symbols("share load")
    model, letters = slider(share, mu, load, turn)
    for exponent in range(17):
        part = 10.0**-exponent
        for speed, force in ((0.0, pull), (1.0, 0.0)):
            start = dict(zip(letters, (0.0, 0.0, speed, 0.0), strict=True))
            result = model.simulate((0, 1), start, {share: part, load: force})
            assert result.status is Status.FINISHED, (exponent, speed, result.message)
            takes_nothing(result)
            held = mu * GRAVITY * part
            if speed == 0.0:
                expected = 0.5 * max(force - held, 0.0)
            else:
                stop = min(1.0, speed / held)
                expected = speed * stop - 0.5 * held * stop * stop
            assert result.x[0, -1] == pytest.approx(expected, abs=1e-6), (exponent, speed)
            assert result.normal_force[0, 1:] == pytest.approx(
                GRAVITY, abs=1e-6
            )  # the first sample is before it closes
            assert np.linalg.norm(result.friction_force, axis=1).max() <= mu * GRAVITY * (1 + 1e-9)


# Structural dependence: forces of contacts of which a combination moves nothing.


def lever(mu, turn):
    """A rod of 1 m on a pin 0.8 m above the floor, its tip 0.6 m beside it."""
    th, w = dynamicsymbols("th w")
    ground, rod = RigidBody("ground"), RigidBody("rod", mass=1.0)
    rod.central_inertia = inertia(rod.frame, 0, 0, 1 / 12)
    frame = turned(ground.frame, turn)
    system = System.from_newtonian(ground)
    places = {"joint_axis": frame.z, "parent_interframe": frame, "child_point": -0.5 * rod.x}
    system.add_joints(PinJoint("p", ground, rod, th, w, **places))
    system.apply_uniform_gravity(-GRAVITY * frame.y)
    floor = Plane(ground.masscenter.locatenew("floor", -0.8 * frame.y), frame.y)
    contact = Contact(rod.masscenter.locatenew("tip", 0.5 * rod.x), floor, restitution=0, friction=mu)
    return HybridModel(system, [contact], impact=Plastic()), (th, w)


MUS = (0.3, 0.74, 0.76, 1.0, 2.0)
OTHERS = [(mu, turn) for (i, mu), (k, turn) in product(enumerate(MUS), enumerate(TURNS)) if (i + k) % len(TURNS)]
"""In a quick run each coefficient of friction has one turn."""


@pytest.mark.parametrize(("mu", "turn"), members(product(MUS, TURNS), slow=OTHERS))
def test_a_rod_that_rests_on_its_tip_has_the_least_forces_within_its_cone(mu, turn):
    """Only 0.6 N + 0.8 T is told by its weight, 0.3 m g; of these forces the shortest with |T| <= mu N is taken."""
    model, (th, w) = lever(mu, turn)
    result = checked_run(model, (0, 2), {th: 0, w: 0}, {})
    assert result.status is Status.FINISHED
    torque = 0.3 * GRAVITY
    normal = 0.6 * torque if mu >= 4 / 3 else torque / (0.6 + 0.8 * mu)
    assert result.normal_force[0, -1] == pytest.approx(normal, rel=1e-9)
    friction = np.linalg.norm(result.friction_force[0, :, -1])
    assert friction == pytest.approx((torque - 0.6 * normal) / 0.8, rel=1e-9)
    assert result.x[1, -1] == 0.0


BESIDE = [(turn, other) for other in (False, True) for turn in TURNS]


@pytest.mark.parametrize(("turn", "other"), members(BESIDE, slow=[BESIDE[1], BESIDE[3], BESIDE[5]]))
def test_forces_of_a_contact_that_sticks_go_on_where_it_would_part_without_friction(turn, other):
    """Two sliders move a point in a plane whose normal lies within the cone; loads push it off, friction holds it.

    No force at all is a solution as well from where the acceleration without forces parts. The contact has stuck, and
    the least force that holds it stays within the cone: -p1 F1/l1 - p2 F2/l2. A ball that falls on the floor beside it
    asks for all modes anew.
    """
    x, y, h, a, b, c = dynamicsymbols("x y h a b c")
    N, O = ReferenceFrame("N"), Point("O")
    frame = turned(N, turn)
    across = np.sqrt(0.5)
    one = across * frame.x + 0.5 * frame.y + 0.5 * frame.z  # orthonormal, both with 0.5 along the normal z
    two = -across * frame.x + 0.5 * frame.y + 0.5 * frame.z
    shares = 0.3, 2.0
    P = O.locatenew("P", shares[0] * x * one + shares[1] * y * two)
    points = [O.locatenew("X", x * frame.x), O.locatenew("Y", y * frame.y), O.locatenew("H", 5 * frame.x + h * frame.z)]
    system = System(N, O)
    system.add_bodies(*(Particle(point.name, point, 1) for point in points))
    system.add_coordinates(x, y, h)
    system.add_speeds(a, b, c)
    system.add_kdes(a - x.diff(t), b - y.diff(t), c - h.diff(t))
    system.add_loads((points[0], -frame.x), (points[1], t * frame.y), (points[2], -GRAVITY * frame.z))
    contacts = [Contact(P, Plane(O, frame.z), restitution=0, friction=3)]
    if other:
        contacts.append(Contact(points[2], Plane(O, frame.z), restitution=0, friction=0.5))
    model = HybridModel(system, contacts, length=1)
    start = {x: 0, y: 0, h: 2.0, a: 0, b: 0, c: 0}
    times = np.linspace(0, 1, 21)
    result = checked_run(model, (0, 1), start, {}, t_eval=times)
    assert result.status is Status.FINISHED
    held = np.array([result.normal_force_at(time).ravel()[0] for time in times])
    expected = 0.5 * (1 / shares[0] - times / shares[1])
    assert held == pytest.approx(expected, rel=1e-9)
    assert np.abs(result.x[[0, 1]]).max() <= 1e-12
    takes_nothing(result)


TURNED = [*TURNS, (0.7, (0.36, 0.48, 0.8)), (2.3, (0.8, -0.36, 0.48))]
WEDGES = [*product([0.0, 40.0], TURNED)]
FAST = [(40.0, TURNED[0]), (40.0, TURNED[-1]), (0.0, TURNED[1])]


@pytest.mark.parametrize(("spin", "turn"), members(WEDGES, slow=[one for one in WEDGES if one not in FAST]))
def test_a_wedge_parts_where_its_load_turns_also_beside_fast_accelerations(spin, turn):
    """A slider is pressed on an oblique plane of the turntable that carries it, by m g (1 - t); friction would hold it.

    Where the load turns, what accelerates the slider is the small difference of large terms.
    """
    angle, z, w, v = dynamicsymbols("angle z w v")
    ground, slider = RigidBody("ground"), RigidBody("slider", mass=1.0)
    table = RigidBody("table", mass=2.0)
    for body in (table, slider):
        body.central_inertia = inertia(body.frame, 0.1, 0.2, 0.3)
    frame, inner = turned(ground.frame, turn), turned(table.frame, turn)
    system = System.from_newtonian(ground)
    axes = {"parent_interframe": frame, "child_interframe": inner, "joint_axis": frame.z}
    system.add_joints(PinJoint("p", ground, table, angle, w, **axes))
    guide = turned(slider.frame, (1.3, (0.36, 0.48, 0.8)))
    axes = {"parent_interframe": inner, "child_interframe": guide, "joint_axis": inner.z}
    system.add_joints(PrismaticJoint("s", table, slider, z, v, parent_point=0.4 * inner.x, **axes))
    foot = slider.masscenter
    system.add_loads((foot, -GRAVITY * frame.z), (foot, GRAVITY * t * frame.z), (table.frame, spin * frame.z))
    normal = -(2 * guide.x + 6 * guide.y + 3 * guide.z) / 7
    P, plane = table.masscenter.locatenew("P", 0.4 * inner.x), Plane(foot, normal, frame=slider.frame)
    model = HybridModel(system, [Contact(P, plane, restitution=0, friction=2, name="wedge")], length=1)
    result = checked_run(model, (0, 1.5), {angle: 0, z: 0, w: 1, v: 0}, {})
    assert result.status is Status.FINISHED, result.message
    (parts,) = [event for event in result.events if event.t > 0]
    assert parts.t == pytest.approx(1.0, abs=2e-9)  # what moves by 1e-9 of the acceleration counts as held
    place = list(result.state_names).index("z")
    assert result.x[place, -1] == pytest.approx(GRAVITY * 0.5**3 / 6, rel=1e-6)


@pytest.mark.parametrize("turn", TURNS)
def test_what_locks_itself_is_let_go_where_it_rises_more_than_the_hops_that_end(turn):
    """A slider (x, s) on an oblique plane rests on the floor, which its normal force leaves within the cone of mu = 1.

    Its free acceleration is x'' = 1, s'' = b - 2 x' with b = (t - 1)/10, and inertia couples both so that friction
    against the slip presses: 2 (sin 0.3) < mu. Let go at b > 0 it hops b t^2/2 + j t^3/6 times sin 0.3 high, j = 1/10 -
    2: it comes back from 2 b^3/(3 j^2), and slips then where sliding has no forces. That height is 1e-10 of the length
    at the event.
    """
    x, s, v, w = dynamicsymbols("x s v w")
    N, O = ReferenceFrame("N"), Point("O")
    frame = turned(N, turn)
    slope, b = 0.3, (t - 1) / 10 - 2 * v
    up = np.cos(slope) * frame.y + np.sin(slope) * frame.z
    P, Q = O.locatenew("P", x * frame.x + s * up), O.locatenew("Q", (x - s) * frame.y)
    system = System(N, O)
    system.add_bodies(Particle("p", P, 1), Particle("q", Q, 1))
    system.add_coordinates(x, s)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(t), w - s.diff(t))
    system.add_loads((P, (2 - b) * frame.x + (2 * b - 1) * up))
    contact = Contact(P, Plane(O, frame.z), restitution=0, friction=1)
    start = {x: 0, s: 0, v: 0, w: 0}
    result = HybridModel(system, [contact], length=1).simulate((0, 1.02), start, {})
    turns = (0.1 - 2) * np.sin(slope)
    lift = np.cbrt(1.5e-10 * turns**2)
    parts = result.events[1]
    assert str(parts.kind) == "open"
    assert parts.t == pytest.approx(1 + lift / (0.1 * np.sin(slope)), rel=1e-9)  # the difference for j: 1e-6 of it
    force, friction = result.normal_force.ravel(), np.linalg.norm(result.friction_force, axis=1).ravel()
    assert force.min() >= 0.0
    assert (friction <= force * (1 + 1e-9)).all()
    assert all(str(event.kind) == "impact" for event in result.events[2:])


# Walls that drive a mechanism.


def test_a_wall_that_drives_a_rod_to_its_dead_point_is_named():
    """A pushed tip would have to leave the circle that it moves on: speeds grow as one over the square root of time."""
    th, w = dynamicsymbols("th w")
    ground, rod = RigidBody("ground"), RigidBody("rod", mass=1.0)
    rod.central_inertia = inertia(rod.frame, 0, 0, 1 / 12)
    system = System.from_newtonian(ground)
    pin = PinJoint("p", ground, rod, th, w, joint_axis=ground.z, child_point=-0.5 * rod.x)
    system.add_joints(pin)
    wall = Plane(ground.masscenter.locatenew("wall", (0.5 + t) * ground.x), ground.x)
    tip = rod.masscenter.locatenew("tip", 0.5 * rod.x)
    model = HybridModel(system, [Contact(tip, wall, restitution=0, friction=0, name="push")], impact=Newton())
    result = checked_run(model, (0, 2), {th: 1.0, w: 0}, {})
    assert result.status is Status.STEP_TOO_SMALL
    assert result.t[-1] == pytest.approx(0.5, abs=1e-9)
    assert "the moving surface of contact 'push' drives the mechanism to a dead point" in result.message
