"""Latches: constraints that close and open, their impact, and what holds before, between and after."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from hypothesis import strategies as st
from quick_members import examples, members
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    Particle,
    PinJoint,
    PlanarJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    dynamicsymbols,
    inertia,
)

import sympact
from sympact import (
    BallClosure,
    Baumgarte,
    Contact,
    Crossing,
    Direct,
    EventKind,
    GearGuptaLeimkuhler,
    HybridModel,
    Latch,
    Limit,
    NullSpace,
    Overdetermined,
    Partitioning,
    PinClosure,
    Plane,
    RodClosure,
    SlideClosure,
    Status,
    String,
    TangentSpace,
    Transition,
    WeldClosure,
)

T = dynamicsymbols._t
FINE = {"rtol": 1e-11, "atol": 1e-13}
SMALL = st.floats(-2.0, 2.0).map(lambda value: round(value, 6))


def carts(*latches, **parts):
    """Carts of 2 kg and 1 kg on a track: the model and its states a, b, u, v."""
    track, first, second = RigidBody("track"), Particle("first", mass=2), Particle("second", mass=1)
    system = System.from_newtonian(track)
    system.add_joints(PrismaticJoint("A", track, first, A, U), PrismaticJoint("B", track, second, B, V))
    return HybridModel(system, [], latches=latches, **parts)


A, B, U, V = dynamicsymbols("a b u v")


def coupling(**given):
    return Latch(B - A, **{"closes": B - A < 1, "opens": T > 3, "name": "coupling"} | given)


def test_carts_couple_and_part():
    """A cart at 2 m/s catches one at rest after 1 s: both go on at 4/3 m/s, and m1 m2 / (m1 + m2) 2^2 / 2 is lost."""
    hook = coupling()
    model = carts(hook)
    result = model.simulate((0, 5), {A: 0, B: 3, U: 2, V: 0}, {}, **FINE)
    closes, opens = result.events
    assert (closes.kind, opens.kind) == (EventKind.IMPACT, EventKind.TRANSITION)
    assert (closes.contacts, opens.contacts) == (("coupling closes",), ("coupling opens",))
    np.testing.assert_allclose([closes.t, opens.t], [1.0, 3.0], rtol=1e-15)
    np.testing.assert_allclose(closes.x_plus, [2, 3, 1, 1, 4 / 3, 4 / 3], rtol=1e-14)
    np.testing.assert_allclose(result(5.0), [2 + 16 / 3, 3 + 16 / 3, 0, 1, 4 / 3, 4 / 3], rtol=1e-13)
    assert closes.energy == pytest.approx(-4 / 3, rel=1e-14)
    np.testing.assert_allclose(closes.reaction_impulse[hook], [4 / 3], rtol=1e-14)
    np.testing.assert_array_equal(opens.reaction_impulse[hook], [0.0])
    assert list(result.events.impacts.t) == [closes.t]
    assert result[hook.state][[0, -1]].tolist() == [0.0, 0.0]


def test_a_latch_has_the_reaction_of_its_constraint():
    """A force pulls the first cart: while coupled, the second one takes its share; open, nothing. The latch, its
    expression and its name mean the same."""
    hook, force = coupling(closed=True, closes=None, opens=T > 1, keeps_offset=False), 6
    track, first, second = RigidBody("track"), Particle("first", mass=2), Particle("second", mass=1)
    system = System.from_newtonian(track)
    system.add_joints(PrismaticJoint("A", track, first, A, U), PrismaticJoint("B", track, second, B, V))
    system.add_loads((first.masscenter, force * track.x))
    model = HybridModel(system, [], latches=[hook])
    result = model.simulate((0, 2), {A: 0, B: 0, U: 0, V: 0}, {}, t_eval=[0.5, 1.5], **FINE)
    np.testing.assert_allclose(result.reaction.at([0.5, 1.5])[hook], [[force / 3, 0]], rtol=1e-13)
    assert result.reaction.determined(hook).all()
    for key in (B - A, "coupling"):
        np.testing.assert_array_equal(result.reaction[key], result.reaction[hook])
    np.testing.assert_allclose(result(2.0)[[3, 4]], [force / 3 + force / 2, force / 3], rtol=1e-12)


def test_several_conditions_each_open_and_close():
    """One that is true already does not count; the next one that becomes true does."""
    hook = coupling(closes=[B - A < 1, T > 4], opens=[T > 0.5, T > 3, T > 5])
    result = carts(hook).simulate((0, 6), {A: 0, B: 3, U: 2, V: 0}, {}, **FINE)
    assert [event.contacts[0].split()[1] for event in result.events] == ["closes", "opens", "closes", "opens"]
    np.testing.assert_allclose(result.events.t, [1, 3, 4, 5], rtol=1e-14)
    assert result.events[2].energy == 0.0 or np.isnan(result.events[2].energy)  # the speeds are equal


def test_a_latch_without_its_offset_holds_its_own_zero():
    """A rack of carts: the second one is stopped where both are level."""
    hook = coupling(closes=Crossing(A - B, 1), opens=None, keeps_offset=False)
    model = carts(hook)
    assert model.discrete == (hook.state,)
    result = model.simulate((0, 3), {A: 0, B: 3, U: 2, V: 0}, {}, **FINE)
    np.testing.assert_allclose(result(3.0), [3 + 4 / 3 * 1.5, 3 + 4 / 3 * 1.5, 1, 4 / 3, 4 / 3], rtol=1e-13)


def test_a_clutch_is_a_latch_of_speeds():
    """Two flywheels that a clutch joins have the common speed (J1 w1 + J2 w2) / (J1 + J2), at any angle."""
    clutch = Latch(U - V, closes=A > 1, opens=A > 3, name="clutch")
    result = carts(clutch).simulate((0, 4), {A: 0, B: 0, U: 2, V: -1}, {}, **FINE)
    np.testing.assert_allclose(result(4.0)[-2:], [1, 1], rtol=1e-13)
    assert result.events[0].energy == pytest.approx(-0.5 * 2 / 3 * 3**2, rel=1e-13)
    np.testing.assert_allclose(result.events.t, [0.5, 2.5], rtol=1e-13)


# a gripper in a plane


def planar():
    """A free plate of 3 kg and a free disc of 1 kg in a vertical plane."""
    ground, plate, disc = RigidBody("ground"), RigidBody("plate", mass=3), RigidBody("disc", mass=1)
    plate.central_inertia = inertia(plate.frame, sm.Rational(1, 2), 0, 0)
    disc.central_inertia = inertia(disc.frame, sm.Rational(1, 10), 0, 0)
    q, u = dynamicsymbols("p1:4 q1:4"), dynamicsymbols("u1:4 v1:4")
    system = System.from_newtonian(ground)
    for name, body, k in (("plate", plate, 0), ("disc", disc, 3)):
        system.add_joints(PlanarJoint(name, ground, body, q[k], q[k + 1 : k + 3], u[k], u[k + 1 : k + 3]))
    system.apply_uniform_gravity(-sm.Rational(981, 100) * ground.frame.z)
    return system, plate, disc, q, u


PLANAR = planar()
GRIPPER = Latch(
    WeldClosure(PLANAR[1].masscenter, PLANAR[2].masscenter, PLANAR[1].frame, PLANAR[2].frame),
    closes=sm.Rational(1, 10) < T,
    opens=sm.Rational(3, 10) < T,
    name="gripper",
)
PLANAR_MODEL = HybridModel(PLANAR[0], [], latches=[GRIPPER])


def momentum(x):
    """Momentum, angular momentum about the origin, and kinetic energy of plate and disc."""
    (_, y, z, _, yd, zd), (w, v, s, wd, vd, sd) = (
        [x[PLANAR_MODEL.x.index(letter)] for letter in letters] for letters in PLANAR[3:]
    )
    angular = 0.5 * w + 0.1 * wd + 3 * (y * s - z * v) + yd * sd - zd * vd
    energy = 0.5 * (3 * (v * v + s * s) + vd * vd + sd * sd + 0.5 * w * w + 0.1 * wd * wd)
    return np.array([3 * v + vd, 3 * s + sd, angular]), energy


@examples(8, 25, st.lists(SMALL, min_size=6, max_size=6), st.lists(SMALL, min_size=6, max_size=6))
def test_a_gripper_keeps_both_momenta_and_loses_the_energy_of_a_plastic_catch(q, u):
    """The two go on as one body: its speed P / m, its angular velocity L / J about the common mass centre."""
    start = dict(zip((*PLANAR[3], *PLANAR[4]), (*q, *u), strict=True))
    result = PLANAR_MODEL.simulate((0, 0.4), start, {}, **FINE)
    assert result.status is Status.FINISHED
    closes, opens = result.events
    (before, energy_before), (after, energy_after) = momentum(closes.x_minus), momentum(closes.x_plus)
    scale = 1 + np.abs(before).max()
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12 * scale)
    place = [closes.x_minus[PLANAR_MODEL.x.index(letter)] for letter in PLANAR[3]]
    away = np.array(place[4:]) - place[1:3]
    centre = (3 * np.array(place[1:3]) + place[4:]) / 4
    about = before[2] - (centre[0] * before[1] - centre[1] * before[0])
    as_one = before[:2] @ before[:2] / 8 + about**2 / (2 * (0.6 + 0.75 * away @ away))
    lost = closes.energy if closes.kind is EventKind.IMPACT else 0.0  # nothing where both move as one already
    np.testing.assert_allclose([energy_after, energy_before + lost], as_one, rtol=1e-12, atol=1e-12)
    # held as it was caught, and thrown as one body
    angle, held = result[PLANAR[3][3]] - result[PLANAR[3][0]], result[GRIPPER.state] == 1
    assert np.ptp(angle[held]) < 1e-11
    thrown, _ = momentum(opens.x_plus)
    np.testing.assert_allclose(thrown[0], before[0], rtol=0, atol=1e-11 * scale)


def test_the_force_of_a_gripper_carries_the_disc_around():
    """The plate spins at W with the disc at a distance d: the disc bears m' W^2 d, m' = 3/4 kg, towards the plate, and
    its weight falls with it."""
    start = dict.fromkeys(PLANAR_MODEL.x[:6], 0.0) | dict.fromkeys((*PLANAR[3], *PLANAR[4]), 0.0)
    start |= {PLANAR[3][4]: 2.0, PLANAR[4][0]: 3.0, PLANAR[4][3]: 3.0, PLANAR[4][5]: 6.0}
    start = {letter: start[letter] for letter in (*PLANAR[3], *PLANAR[4])}
    result = PLANAR_MODEL.simulate((0, 0.2), start, {}, **FINE)
    (closes,) = result.events
    at = [0.15]
    force = result.reaction.at(at).force(GRIPPER)[:, 0]
    x = dict(zip(PLANAR_MODEL.x, result(at[0]), strict=True))
    away = np.array([0, x[PLANAR[3][4]] - x[PLANAR[3][1]], x[PLANAR[3][5]] - x[PLANAR[3][2]]])
    np.testing.assert_allclose(force, -0.75 * x[PLANAR[4][0]] ** 2 * away, rtol=0, atol=1e-8)
    assert closes.reaction_impulse.torque(GRIPPER).shape == (3,)


# two bodies in space


def floating():
    """Two free rigid bodies without loads: speeds are the velocities and the body-fixed angular velocities."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    bodies, q, u, equations = [], [], [], []
    for name, mass, moments in (("hand", 3, (0.5, 0.7, 0.9)), ("ball", 1, (0.1, 0.2, 0.25))):
        x, angles = dynamicsymbols(f"{name}_x:z"), dynamicsymbols(f"{name}_a:c")
        v, w = dynamicsymbols(f"{name}_u:w"), dynamicsymbols(f"{name}_r:t")
        frame = N.orientnew(name, "Body", angles, "ZXZ")
        kinematic = frame.ang_vel_in(N)
        equations += [kinematic.dot(axis) - speed for axis, speed in zip(frame, w, strict=True)]
        equations += [place.diff() - speed for place, speed in zip(x, v, strict=True)]
        frame.set_ang_vel(N, sum((s * e for s, e in zip(w, frame, strict=True)), 0 * N.x))
        centre = O.locatenew(f"{name}_centre", sum((s * e for s, e in zip(x, N, strict=True)), 0 * N.x))
        centre.set_vel(N, sum((s * e for s, e in zip(v, N, strict=True)), 0 * N.x))
        body = RigidBody(name, centre, frame, mass, (inertia(frame, *map(sm.Rational, map(str, moments))), centre))
        bodies.append(body)
        q += [*angles, *x]
        u += [*w, *v]
    kane = KanesMethod(N, q, u, kd_eqs=equations, bodies=bodies)
    return kane, bodies, q, u


def caught_in_space(closure):
    kane, bodies, q, u = floating()
    hand, ball = bodies
    latch = Latch(closure(hand, ball), closes=sm.Rational(1, 10) < T, name="gripper")
    model = HybridModel(kane, [], latches=[latch], bodies=bodies, loads=[])
    rng = np.random.default_rng(5)
    start = dict(zip((*q, *u), np.concatenate([rng.uniform(0.3, 1.2, 12), rng.normal(size=12)]), strict=True))
    return model, latch, model.simulate((0, 0.6), start, {}, rtol=1e-10, atol=1e-12)


def rotation(angles):
    """R of the sequence ZXZ, body to space."""

    def turn(axis, angle):
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        found = np.eye(3)
        found[[i, j], [i, j]] = np.cos(angle)
        found[j, i], found[i, j] = np.sin(angle), -np.sin(angle)
        return found

    return turn(2, angles[0]) @ turn(0, angles[1]) @ turn(2, angles[2])


def space_momentum(x):
    """Momentum and angular momentum about the origin, the energy, and the motion of both bodies."""
    total, angular, energy, found = np.zeros(3), np.zeros(3), 0.0, []
    for k, (mass, moments) in enumerate(((3, (0.5, 0.7, 0.9)), (1, (0.1, 0.2, 0.25)))):
        angles, place = x[6 * k : 6 * k + 3], x[6 * k + 3 : 6 * k + 6]
        spin, speed = x[-12 + 6 * k : -9 + 6 * k], x[-9 + 6 * k : len(x) - 6 + 6 * k]
        R = rotation(angles)
        total += mass * speed
        angular += mass * np.cross(place, speed) + R @ (moments * spin)
        energy += 0.5 * (mass * speed @ speed + spin @ (moments * spin))
        found.append((R, place, R @ spin, speed, mass, R @ np.diag(moments) @ R.T))
    return total, angular, energy, found


def test_a_weld_in_space_holds_any_attitude():
    """The bodies meet at a large angle; momenta to 1e-12, the energy of one rigid body, the same attitude later."""
    result = caught_in_space(lambda hand, ball: WeldClosure(hand.masscenter, ball.masscenter, hand.frame, ball.frame))[
        2
    ]
    assert result.status is Status.FINISHED
    (closes,) = result.events
    P, L, before, found = space_momentum(closes.x_minus)
    after = space_momentum(closes.x_plus)
    np.testing.assert_allclose(after[0], P, rtol=0, atol=1e-12)
    np.testing.assert_allclose(after[1], L, rtol=0, atol=1e-12)
    centre = (3 * found[0][1] + found[1][1]) / 4
    J = sum(
        own + mass * ((r - centre) @ (r - centre) * np.eye(3) - np.outer(r - centre, r - centre))
        for _, r, _, _, mass, own in found
    )
    spin = np.linalg.solve(J, L - np.cross(centre, P))
    for _, place, own, speed, _, _ in after[3]:
        np.testing.assert_allclose(own, spin, rtol=0, atol=1e-12)
        np.testing.assert_allclose(speed, P / 4 + np.cross(spin, place - centre), rtol=0, atol=1e-12)
    assert closes.energy == pytest.approx(P @ P / 8 + spin @ J @ spin / 2 - before, rel=1e-11)
    (R, r, *_), (S, s, *_) = found
    end = space_momentum(result(0.6))
    np.testing.assert_allclose(end[3][0][0].T @ end[3][1][0], R.T @ S, rtol=0, atol=1e-9)
    np.testing.assert_allclose(end[3][0][0].T @ (end[3][1][1] - end[3][0][1]), R.T @ (s - r), rtol=0, atol=1e-9)
    np.testing.assert_allclose(end[1], L, rtol=0, atol=1e-9)
    assert end[2] == pytest.approx(after[2], rel=1e-9)


CLOSURES = {
    "ball": lambda hand, ball: BallClosure(hand.masscenter, ball.masscenter, frame=hand.frame),
    "pin": lambda hand, ball: PinClosure(hand.masscenter, ball.masscenter, hand.frame.z, ball.frame.z),
    "slide": lambda hand, ball: SlideClosure(hand.masscenter, ball.masscenter, hand.frame.x, hand.frame, ball.frame),
    "rod": lambda hand, ball: RodClosure(hand.masscenter, ball.masscenter, 1),
}


@pytest.mark.parametrize("name", CLOSURES)
def test_every_closure_latches_between_free_bodies_with_both_momenta(name):
    """They act on both bodies equal and opposite, wherever they latch: momenta stay, energy decreases once."""
    _, latch, result = caught_in_space(CLOSURES[name])
    assert result.status is Status.FINISHED
    (closes,) = result.events
    P, L, before, _ = space_momentum(closes.x_minus)
    after, end = space_momentum(closes.x_plus), space_momentum(result(0.6))
    for other, digits in ((after, 1e-12), (end, 1e-9)):
        np.testing.assert_allclose(other[0], P, rtol=0, atol=digits)
        np.testing.assert_allclose(other[1], L, rtol=0, atol=digits)
    assert closes.energy == pytest.approx(after[2] - before, rel=1e-10)
    assert closes.energy < 0
    assert end[2] == pytest.approx(after[2], rel=1e-8)
    assert result.reaction.force(latch).shape == (3, len(result.t))


# mechanisms


@pytest.mark.parametrize("seed", members(range(6), slow=range(1, 6)))
def test_a_chain_that_latches_solves_the_equations_of_impact(seed):
    """The tip of a chain is caught at a point of the wall: M (u+ - u-) = A^T K, A u+ = 0, solved by NumPy with M and A
    as SymPy gives them."""
    rng = np.random.default_rng(seed)
    n = 3 + seed % 2
    ground = RigidBody("ground")
    system, parent, parent_point = System.from_newtonian(ground), ground, ground.masscenter
    q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
    for k in range(n):
        mass, length = rng.uniform(0.5, 2.0, 2).round(3).tolist()
        rod = RigidBody(f"rod{k}", mass=mass)
        rod.central_inertia = inertia(rod.frame, 0, 0, mass * length**2 / 12)
        joint = PinJoint(
            f"pin{k}", parent, rod, q[k], u[k], parent_point=parent_point, child_point=-length / 2 * rod.x,
            joint_axis=parent.z,
        )  # fmt: skip
        system.add_joints(joint)
        parent, parent_point = rod, rod.masscenter.locatenew(f"end{k}", length / 2 * rod.x)
    system.apply_uniform_gravity(-9 * ground.y)
    N, hook = ground.frame, ground.masscenter.locatenew("hook", 0.3 * ground.x)
    latch = Latch(BallClosure(hook, parent_point, frame=N), closes=sm.Rational(1, 5) < T, name="hook")
    model = HybridModel(system, [], latches=[latch])
    start = dict(zip((*q, *u), np.concatenate([rng.normal(size=n), rng.normal(size=n)]), strict=True))
    result = model.simulate((0, 0.5), start, {}, **FINE)
    (event,) = result.events
    numbers = dict(zip(model.x, event.x_minus, strict=True))
    system.form_eoms()
    mass_matrix = np.array(system.mass_matrix.xreplace(numbers), dtype=float)
    tip = parent_point.pos_from(ground.masscenter)
    columns = sm.Matrix([tip.dot(N.x), tip.dot(N.y)]).jacobian(list(q))
    rows = np.array(columns.xreplace(numbers), dtype=float)
    full = np.block([[mass_matrix, -rows.T], [rows, np.zeros((2, 2))]])
    before = event.x_minus[-n:]
    solved = np.linalg.solve(full, np.concatenate([mass_matrix @ before, np.zeros(2)]))
    np.testing.assert_allclose(event.x_plus[-n:], solved[:n], rtol=0, atol=1e-12 * (1 + np.abs(before).max()))
    np.testing.assert_allclose(event.reaction_impulse[latch], solved[n:], rtol=1e-9, atol=1e-11)
    change = solved[:n] - before
    assert event.energy == pytest.approx(-0.5 * change @ mass_matrix @ change, rel=1e-11)


def test_a_latch_stops_a_bar():
    """A bar on a pin turns at w, a latch catches it at 1 rad: the energy J w^2 / 2 is lost with the impulse J w."""
    ground, bar = RigidBody("ground"), RigidBody("bar", mass=1)
    bar.central_inertia = inertia(bar.frame, 0, 0, sm.Rational(1, 3))
    angle, rate = dynamicsymbols("angle rate")
    system = System.from_newtonian(ground)
    system.add_joints(PinJoint("pin", ground, bar, angle, rate, joint_axis=ground.z))
    system.add_loads(Torque(bar.frame, 2 * ground.z))
    latch = Latch(angle, closes=angle > 1, opens=T > 2, name="latch")
    result = HybridModel(system, [], latches=[latch]).simulate((0, 3), {angle: 0, rate: 0}, {}, **FINE)
    closes, opens = result.events
    speed = np.sqrt(12)  # w^2 = 2 (2 / J) 1
    assert closes.t == pytest.approx(speed / 6, rel=1e-12)
    assert closes.energy == pytest.approx(-2.0, rel=1e-11)
    np.testing.assert_allclose(closes.reaction_impulse[latch], [-speed / 3], rtol=1e-11)
    np.testing.assert_allclose(result.reaction.at([1.5])[latch], [[-2.0]], rtol=1e-12)
    assert opens.t == pytest.approx(2.0, abs=1e-15)
    np.testing.assert_allclose(result(3.0)[[0, -1]], [4.0, 6.0], rtol=1e-11)


FORMULATIONS = (
    None, Direct(), Baumgarte(20.0), NullSpace("qr"), NullSpace("svd"), GearGuptaLeimkuhler(), Overdetermined(),
)  # fmt: skip


def pendulum(formulation=None):
    """A pendulum of 1 m and 1 kg in Cartesian coordinates, whose rod is cut at x = 0.5 m."""
    N, O = ReferenceFrame("N"), Point("O")
    x, y, u, v = dynamicsymbols("x y u v")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    bob, weight = Particle("bob", P, 1), (P, -sm.Rational(981, 100) * N.y)
    kane = KanesMethod(N, [x, y], [u, v], kd_eqs=[u - x.diff(), v - y.diff()], bodies=[bob], forcelist=[weight])
    rod = Latch(RodClosure(O, P, 1), closed=True, opens=x > sm.Rational(1, 2), name="rod")
    given = {} if formulation is None else {"formulation": formulation}
    return HybridModel(kane, [], latches=[rod], bodies=[bob], loads=[weight], **given), rod, (x, y, u, v)


@pytest.mark.parametrize("formulation", FORMULATIONS, ids=str)
def test_a_rod_is_cut(formulation):
    """From rest at y = -0.6 the bob reaches x = 0.5 with v^2 = 2 g h, then a parabola; the rod bore weight and v^2."""
    model, rod, (x, y, u, v) = pendulum(formulation)
    result = model.simulate((0, 1.5), {x: -0.8, y: -0.6, u: 0, v: 0}, {}, rtol=1e-10, atol=1e-12)
    (cut,) = result.events
    assert cut.contacts == ("rod opens",)
    height = np.sqrt(0.75)
    square = 2 * 9.81 * (height - 0.6)
    speed = np.sqrt(square)
    at = dict(zip(model.x, cut.x_plus, strict=True))
    np.testing.assert_allclose([at[x], at[y], at[u], at[v]], [0.5, -height, speed * height, speed / 2], atol=1e-8)
    np.testing.assert_allclose(-result.reaction.at([cut.t], side="left")[rod], [[9.81 * height + square]], atol=1e-6)
    left = 1.5 - cut.t
    end = dict(zip(model.x, result(1.5), strict=True))
    flown = [at[x] + at[u] * left, at[y] + at[v] * left - 0.5 * 9.81 * left**2]
    np.testing.assert_allclose([end[x], end[y]], flown, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(result.reaction.at([1.4])[rod], [[0.0]])


@pytest.mark.parametrize("formulation", [Partitioning(), TangentSpace()], ids=str)
def test_formulations_with_directions_of_a_step_are_refused(formulation):
    with pytest.raises(ValueError, match="completes states along directions that are chosen at the start of a step"):
        pendulum(formulation)


# with contacts


def hook_over_floor(opens=None, restitution=0.5):
    """A block of 2 kg slides on a rough floor, a ball of 1 kg falls, and both hook on to each other at 0.5 m."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    letters = dynamicsymbols("xa ya xb yb ua va ub vb")
    xa, ya, xb, yb, ua, va, ub, vb = letters
    P, Q = O.locatenew("P", xa * N.x + ya * N.y), O.locatenew("Q", xb * N.x + yb * N.y)
    P.set_vel(N, ua * N.x + va * N.y)
    Q.set_vel(N, ub * N.x + vb * N.y)
    bodies, loads = [Particle("block", P, 2), Particle("ball", Q, 1)], [(P, -20 * N.y), (Q, -10 * N.y)]
    rates = [speed - place.diff() for place, speed in zip(letters[:4], letters[4:], strict=True)]
    kane = KanesMethod(N, letters[:4], letters[4:], kd_eqs=rates, bodies=bodies, forcelist=loads)
    hook = Latch(BallClosure(P, Q, frame=N), closes=yb - ya < sm.Rational(1, 2), opens=opens, name="hook")
    floor = Contact(P, Plane(O, N.y), restitution=restitution, friction=sm.Rational(3, 10), name="floor")
    return HybridModel(kane, [floor], latches=[hook], bodies=bodies, loads=loads), hook, letters


def test_a_closed_contact_bears_the_impact_of_a_latch():
    """The block slides at 2 m/s when the ball, at 3 m/s downwards, hooks on: the floor gives 3 N s, and at most 0.9 N s
    of friction, to what has 4 N s along it. A closed contact does not rebound, whatever its restitution."""
    model, hook, letters = hook_over_floor()
    start = dict(zip(letters, [0, 0, 0, 0.95, 2.9, 0, 0, 0], strict=True))
    result = model.simulate((0, 0.31), start, {}, **FINE)
    assert result.status is Status.FINISHED
    (impact,) = result.events["hook closes"]
    assert impact.contacts == ("floor", "hook closes")
    assert impact.t == pytest.approx(0.3, rel=1e-12)
    np.testing.assert_allclose(impact.impulse[0], 3.0, rtol=1e-11)
    np.testing.assert_allclose(impact.friction_impulse[0], [-0.9, 0, 0], rtol=0, atol=1e-11)
    after = (4.0 - 0.9) / 3
    np.testing.assert_allclose(impact.x_plus[-4:], [after, 0, after, 0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(impact.reaction_impulse[hook], [after, 3.0], rtol=0, atol=1e-10)
    assert impact.energy == pytest.approx(1.5 * after**2 - 0.5 * (2 * 4 + 9), rel=1e-10)


def test_a_run_continues_from_each_of_its_events():
    """Latched or not, closed, sticking or in flight: the state says all."""
    model, _, letters = hook_over_floor(opens=T > 1)
    start = dict(zip(letters, [0, 0, 0.1, 0.95, 2.9, 0, 0, 0], strict=True))
    result = model.simulate((0, 1.5), start, {}, **FINE)
    names = [name for event in result.events for name in event.contacts]
    assert "hook closes" in names
    assert "hook opens" in names
    for event in result.events:
        again = model.simulate((event.t, 1.5), event.x_plus, {}, **FINE)
        np.testing.assert_allclose(again.x[:, -1], result.x[:, -1], rtol=0, atol=1e-10)
        later = [one.contacts for one in result.events if one.t > event.t + 1e-9]
        assert [one.contacts for one in again.events if one.t > event.t + 1e-9] == later


def test_a_latch_that_an_impact_closes():
    """A ball that a floor throws back is caught as soon as it rises: at the floor, in the same event."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    y, v = dynamicsymbols("y v")
    P = O.locatenew("P", y * N.y)
    P.set_vel(N, v * N.y)
    ball, weight = Particle("ball", P, 2), (P, -20 * N.y)
    kane = KanesMethod(N, [y], [v], kd_eqs=[v - y.diff()], bodies=[ball], forcelist=[weight])
    floor = Contact(P, Plane(O, N.y), restitution=sm.Rational(1, 2), friction=0, name="floor")
    catch = Latch(y, closes=v > 0, opens=T > 2, name="catch")
    model = HybridModel(kane, [floor], latches=[catch], bodies=[ball], loads=[weight])
    result = model.simulate((0, 3), {y: 1.25, v: 0}, {}, **FINE)
    first = result.events[0]
    assert first.contacts == ("floor", "catch closes")
    assert first.t == pytest.approx(0.5, rel=1e-12)
    assert first.x_plus[-1] == 0.0
    assert first.impulse[0] == pytest.approx(2 * 7.5, rel=1e-11)  # the rebound takes place, and is caught
    assert first.energy == pytest.approx(-25.0, rel=1e-11)
    assert result(3.0)[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("counted", [False, True])
def test_a_rope_is_cut(counted):
    """A taut string that is cut at t = 1, by time or by a discrete state: the bob goes on along its tangent."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    x, y, u, v, whole = dynamicsymbols("x y u v whole")
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    bob = Particle("bob", P, 1)
    kane = KanesMethod(N, [x, y], [u, v], kd_eqs=[u - x.diff(), v - y.diff()], bodies=[bob])
    parts, start = {}, {x: 1, y: 0, u: 0, v: 2}
    if counted:
        parts = {"discrete": [whole], "transitions": [Transition(boundary=T > 1, jump={whole: 0}, name="cut")]}
        start |= {whole: 1}
    rope = String(O, P, 1, restitution=0, active=whole > sm.S.Half if counted else T < 1, name="rope")
    model = HybridModel(kane, [rope], bodies=[bob], loads=[], **parts)
    result = model.simulate((0, 2), start, {}, **FINE)
    assert result.status is Status.FINISHED
    angle = 2.0
    place = np.array([np.cos(angle), np.sin(angle)]) + 2 * np.array([-np.sin(angle), np.cos(angle)])
    np.testing.assert_allclose([result[x][-1], result[y][-1]], place, rtol=0, atol=1e-9)
    assert result.normal_force_at([0.5])[0, 0] == pytest.approx(4.0, rel=1e-9)
    assert result.normal_force_at([1.5])[0, 0] == 0.0


# the states of a latch, and what else a model does


def test_initial_states_may_leave_out_those_of_latches():
    """Then they are open, or closed= says; names serve as well; another number is refused."""
    hook = coupling()
    model, start = carts(hook), {A: 0, B: 3, U: 2, V: 0}
    offset = model.discrete[1]
    assert model.latches == (hook,)
    assert str(model.discrete) == "(coupling_closed(t), coupling_offset(t))"
    first = model.simulate((0, 2), start, {})
    for further in ({hook.state: 0, offset: 0}, {"coupling_closed": 0}):
        np.testing.assert_array_equal(model.simulate((0, 2), start | further, {}).x, first.x)
    held = model.simulate((0, 2), start | {hook.state: 1, offset: 3, U: 1, V: 1}, {})
    np.testing.assert_allclose(held(2.0), [2, 5, 1, 3, 1, 1], rtol=1e-13)
    with pytest.raises(ValueError, match=r"coupling_closed.* is 0\.5, expected 1 for a closed latch or 0 for an open"):
        model.simulate((0, 2), start | {hook.state: 0.5}, {})


def test_assemblies_linearizations_and_equilibria_see_open_and_closed_latches():
    hook = coupling()
    track, first, second = RigidBody("track"), Particle("first", mass=2), Particle("second", mass=1)
    system = System.from_newtonian(track)
    system.add_joints(PrismaticJoint("A", track, first, A, U), PrismaticJoint("B", track, second, B, V))
    system.add_loads((first.masscenter, -4 * A * track.x))
    model = HybridModel(system, [], latches=[hook])
    closed = {hook.state: 1, model.discrete[1]: 1}
    found = model.assemble({A: 0, B: 4, U: 3, V: 0} | closed, {})
    np.testing.assert_allclose(found.x, [1, 2, 1, 1, 2, 2], rtol=1e-12)
    assert model.assemble({A: 0, B: 4, U: 3, V: 0}, {}).x.tolist() == [0, 4, 0, 0, 3, 0]
    for latched, squares in (({}, 2.0), (closed, 4 / 3)):
        state = {A: 0, B: 1, U: 0, V: 0} | {hook.state: 0, model.discrete[1]: 0} | latched
        eigenvalues = model.linearize(state, {}).eigenvalues()
        assert np.abs(eigenvalues).max() ** 2 == pytest.approx(squares, rel=1e-12)
        equilibrium = model.equilibrium({A: 0.3, B: 1.3} | latched, {})
        assert equilibrium.x[0] == pytest.approx(0, abs=1e-12)


def test_saved_runs_copies_and_ensembles_have_latches(tmp_path):
    hook = coupling()
    model, start = carts(hook), {A: 0, B: 3, U: 2, V: 0}
    result = model.simulate((0, 5), start, {})
    result.save(tmp_path / "run.npz")
    loaded = sympact.load(tmp_path / "run.npz")
    assert str(loaded.events) == str(result.events)
    np.testing.assert_array_equal(loaded["coupling_closed"], result[hook.state])
    many = sympact.ensemble(model, (0, 5), start, {}, runs=3, seed=1)
    assert set(many.status) == {Status.FINISHED}
    np.testing.assert_allclose(many.x[0], result.x[:, -1], rtol=1e-12)


def test_a_latch_in_an_island_of_its_own_is_as_alone():
    """A second pair of carts beside the first one changes nothing."""
    hook = coupling()
    alone = carts(hook).simulate((0, 5), {A: 0, B: 3, U: 2, V: 0}, {}, **FINE)
    track = RigidBody("track")
    system, letters, latches = System.from_newtonian(track), [], []
    for k in range(2):
        a, b, u, v = dynamicsymbols(f"a{k} b{k} u{k} v{k}")
        first, second = Particle(f"first{k}", mass=2), Particle(f"second{k}", mass=1)
        system.add_joints(PrismaticJoint(f"A{k}", track, first, a, u), PrismaticJoint(f"B{k}", track, second, b, v))
        latches.append(Latch(b - a, closes=b - a < 1, opens=T > 3, name=f"coupling{k}"))
        letters.append((a, b, u, v))
    model = HybridModel(system, [], latches=latches)
    start = dict(zip(letters[0], [0, 3, 2, 0], strict=True)) | dict(zip(letters[1], [0, 5, 2, 0.5], strict=True))
    both = model.simulate((0, 5), start, {}, **FINE)
    np.testing.assert_allclose([both[x][-1] for x in letters[0]], alone.x[[0, 1, 4, 5], -1], rtol=1e-12)
    assert len(both.events["coupling0 closes"]) == len(both.events["coupling1 closes"]) == 1


# errors


def test_a_latch_needs_a_condition():
    with pytest.raises(ValueError, match="neither closes nor opens; give it closes= or opens=, a condition"):
        Latch(B - A, name="k")


def test_a_ball_that_keeps_its_offset_needs_a_frame():
    with pytest.raises(ValueError, match=r"in no frame of a body; give the closure frame="):
        Latch(BallClosure(Point("P"), Point("Q")), closes=A > 1)
    assert Latch(BallClosure(Point("P"), Point("Q")), closes=A > 1, keeps_offset=False).name == "P to Q"


def test_wrong_latches_are_refused():
    with pytest.raises(TypeError, match="closed of the latch 'k' is 1, expected True or False"):
        Latch(B - A, closes=A > 1, closed=1, name="k")
    with pytest.raises(TypeError, match="expected a list of Latch objects"):
        carts_with(coupling())
    with pytest.raises(TypeError, match="latches: expected Latch objects; found 3"):
        carts(3)
    with pytest.raises(ValueError, match="latches: several are called 'coupling'; give each its own name="):
        carts(coupling(), coupling())
    with pytest.raises(ValueError, match="'coupling closes' is 'near', expected an expression of the model's symbols"):
        carts(coupling(closes="near"))
    with pytest.raises(ValueError, match="'coupling opens' is an event of a latch, and the name of a contact or"):
        carts(coupling(), transitions=[Transition(boundary=A > 1, jump={U: 0}, name="coupling opens")])


def carts_with(latches):
    track, first = RigidBody("track"), Particle("first", mass=2)
    system = System.from_newtonian(track)
    system.add_joints(PrismaticJoint("A", track, first, A, U))
    return HybridModel(system, [], latches=latches)


@pytest.mark.parametrize("second", [0.755, 1.1, 1.739, 2.3])
def test_a_latch_closes_on_carts_that_touch(second):
    """What presses them is borne by the latch and the contact: samples that act later find forces, a = F/(m1 + m2)."""
    track, first, other = RigidBody("track"), Particle("first", mass=0.87), Particle("second", mass=second)
    system, F = System.from_newtonian(track), dynamicsymbols("F")
    system.add_joints(PrismaticJoint("A", track, first, A, U), PrismaticJoint("B", track, other, B, V))
    system.add_loads(Force(first.masscenter, 5.0 * track.x), Force(other.masscenter, F * track.x))
    model = HybridModel(
        system,
        [Limit(B - A - 0.331, restitution=0, name="bump")],
        latches=[Latch(B - A - 0.83, closes=T > 0.35, name="grip")],
        length=1.0,
    )
    start, driven = {A: 0.0, B: 0.331, U: 0.0, V: 0.0}, {F: sympact.Sampled(0.1, -3.0 * T)}
    result = model.simulate((0, 1), start, {}, inputs=driven)
    assert result.status is Status.FINISHED
    assert [event.contacts for event in result.events] == [("bump",), ("grip closes",)]
    np.testing.assert_allclose([result[U][-1], result[V][-1]], 3.65 / (0.87 + second), rtol=1e-9)
