"""Reactions of bilateral constraints, and forces in the joints of closed loops, against closed forms and other models
of the same mechanism."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from constrained_models import cartesian_pendulum, knife_edge
from quick_members import members
from sympy.physics.mechanics import (
    KanesMethod,
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

from sympact import (
    BallClosure,
    Baumgarte,
    Contact,
    Direct,
    Holonomic,
    HybridModel,
    LineClosure,
    Nonholonomic,
    PinClosure,
    Plane,
    RodClosure,
    SympactWarning,
)
from sympact.mechanics.joints.force_balance import Balance

ROUNDING = 1e-9
"""Of the largest force: both ways solve linear equations of some ten unknowns at one state."""
G = 9.81
pytestmark = pytest.mark.filterwarnings("ignore:the initial state was projected")


def close(found, truth, tolerance: float = ROUNDING) -> None:
    np.testing.assert_allclose(found, truth, rtol=0, atol=tolerance * max(1.0, np.abs(truth).max()))


def bar(name: str, mass: float, length: float) -> RigidBody:
    """A slender rod along its x axis."""
    body, moment = RigidBody(name, mass=mass), mass * length**2 / 12
    body.central_inertia = inertia(body.frame, 0, moment, moment)
    return body


def in_plane(q) -> np.ndarray:
    return np.array([np.cos(q), np.sin(q), 0 * q])


# -- closed forms


@pytest.mark.parametrize("formulation", [None, Direct(), Baumgarte(5.0)])
def test_the_tension_of_a_cartesian_pendulum(formulation):
    """m (v^2/l - g y/l) along the rod, in the words of phi = x^2 + y^2 - l^2: kappa 2 r is the force on the ball."""
    case = cartesian_pendulum()
    x, y = case.source.q
    values = dict(zip(sm.symbols("m l g"), (2.0, 1.5, G), strict=True))
    result = HybridModel(case.source, [], formulation=formulation).simulate(
        (0, 3), {x: 1.5, y: 0.0, x.diff(): 0.0, y.diff(): 1.0}, values
    )
    tension = 2.0 * ((result.x[2] ** 2 + result.x[3] ** 2) - G * result.x[1]) / 1.5
    (phi,) = case.positions
    found = result.reaction[phi]
    assert found.shape == (1, len(result.t))
    # a violation of the size d changes the force by as much, by the terms of Baumgarte by 2 alpha d' + beta^2 d
    drift = np.abs(result[phi]).max() + np.abs(result[phi.diff(dynamicsymbols._t)]).max()
    tolerance = ROUNDING + 10.0 * (1.0 if formulation is None else 50.0) * drift
    close(-2.0 * 1.5 * found[0], tension, tolerance)
    for place, fall in ((x, 0.0), (y, -G)):
        acceleration = fall - tension / 2.0 * result[place] / 1.5
        close(
            result[place.diff().diff()], acceleration, ROUNDING + 10.0 * (1.0 if formulation is None else 50.0) * drift
        )
    assert result.reaction.units(phi) == {"": "J by the unit of phi"}
    assert result.reaction.determined("holonomic 1").all()


def free_rod(mass: float = 2.0, length: float = 1.2):
    """A rod in the plane y, z that nothing holds: its system, its ends, and the body. x = [angle, y, z, ...]."""
    ground, body = RigidBody("ground"), RigidBody("rod", mass=mass)
    moment = mass * length**2 / 12
    body.central_inertia = inertia(body.frame, moment, 0, moment)
    system = System.from_newtonian(ground)
    system.add_joints(PlanarJoint("plane", ground, body))
    ends = [body.masscenter.locatenew(name, part * length / 2 * body.y) for name, part in (("near", -1), ("far", 1))]
    return system, ends, body


def struck_rod(place: float, mass: float = 2.0, length: float = 1.2):
    """The rod on a pin at its near end, made by a closure, that swings at 3 rad/s against a stop at the distance
    `place` from the pin."""
    system, (near, _), body = free_rod(mass, length)
    pin = BallClosure(system.fixed_point, near, name="pin")
    hit = near.locatenew("hit", place * body.y)
    stop = Contact(hit, Plane(system.fixed_point, system.frame.z), restitution=0.5, friction=0)
    angle = 0.4
    start = [angle, length / 2 * np.cos(angle), length / 2 * np.sin(angle), -3.0]
    speeds = [1.5 * length * np.sin(angle), -1.5 * length * np.cos(angle)]
    model = HybridModel(system, [stop], constraints=[pin])
    return model, model.simulate((0, 0.5), [*start, *speeds], {}), pin


@pytest.mark.parametrize("part", [2 / 3, 0.9, 0.3])
def test_a_pin_feels_no_impulse_where_a_stop_meets_the_centre_of_percussion(part):
    """With the impulse P at the distance d from the pin, d P = I (omega+ - omega-), and the pin has -P (1 - m d l/2 /
    I)."""
    mass, length = 2.0, 1.2
    model, result, pin = struck_rod(part * length, mass, length)
    impact = result.events[0]
    assert impact.kind == "impact"
    moment = mass * length**2 / 3
    truth = -impact.impulse[0] * (1 - mass * part * length * length / 2 / moment)
    close(impact.reaction_impulse[pin], [0.0, truth], 1e-10)
    close(impact.reaction_impulse.force("pin"), [0.0, 0.0, truth], 1e-10)
    assert (truth == pytest.approx(0.0, abs=1e-12)) == (part == 2 / 3)
    alone = model.impact(impact.t, impact.x_minus, {})  # the same impact without its run
    close(alone.reaction_impulse[pin], [0.0, truth], 1e-10)
    assert impact.reaction_impulse.units(pin) == {"along y": "N s", "along z": "N s"}
    assert impact.reaction_impulse.determined(pin).tolist() == [True, True]


def test_reactions_are_those_of_the_side_of_an_event():
    """The pull of a swinging rod drops with the speed in an impact: m omega^2 l/2 along the rod, in the horizontal."""
    _, result, pin = struck_rod(0.9)
    impact = result.events[0]
    k = int(np.searchsorted(result.t, impact.t))
    for side, sample, x in (("left", k, impact.x_minus), ("right", k + 1, impact.x_plus)):
        found = result.reaction.at([impact.t], side)[pin][:, 0]
        close(found, result.reaction[pin][:, sample])
        close(found[0], -2.0 * x[3] ** 2 * 0.6)
    assert abs(impact.x_minus[3]) > 1.9 * abs(impact.x_plus[3])


# -- the same mechanism cut at another joint

LENGTHS = (1.0, 2.3, 1.5)
MASSES = (1.0, 2.0, 1.5)
AWAY = 2.0


def four_bar(cut: str, *, closure=PinClosure):
    """A four-bar whose pin `cut` is made by a closure; the model, that closure, and the other pins by name."""
    ground = RigidBody("ground")
    A, B, C = (bar(name, m, l) for name, m, l in zip("ABC", MASSES, LENGTHS, strict=True))
    D = ground.masscenter.locatenew("D", AWAY * ground.x)
    tips = {
        body: body.masscenter.locatenew(f"tip_{body.name}", length / 2 * body.x)
        for body, length in zip((A, B, C), LENGTHS, strict=True)
    }
    feet = {
        body: body.masscenter.locatenew(f"foot_{body.name}", -length / 2 * body.x)
        for body, length in zip((A, B, C), LENGTHS, strict=True)
    }
    pins = {
        "A": (ground, A, ground.masscenter, feet[A]),
        "B": (A, B, tips[A], feet[B]),
        "C": (B, C, tips[B], feet[C]),
        "D": (ground, C, D, tips[C]),
    }
    joints = {}
    for name in {"D": "ABC", "C": "ABD"}[cut]:
        parent, child, place, foot = pins[name]
        joints[name] = PinJoint(f"pin_{name}", parent, child, parent_point=place, child_point=foot, joint_axis=ground.z)
    system = System.from_newtonian(ground)
    system.add_joints(*joints.values())
    system.apply_uniform_gravity(-G * ground.y)
    parent, child, place, foot = pins[cut]
    if closure is PinClosure:
        loop = PinClosure(place, foot, parent.z, child.z, name="loop")
    elif closure is LineClosure:
        loop = LineClosure(place, foot, parent.z, name="loop")
    else:
        loop = BallClosure(place, foot, name="loop")
    return HybridModel(system, [], constraints=[loop]), loop, joints


@pytest.mark.parametrize("closure", members([PinClosure, LineClosure, BallClosure], slow=[LineClosure]))
def test_a_pin_of_a_four_bar_bears_the_same_as_a_joint_and_as_a_closure(closure):
    """Cut at D the other pins are joints; cut at C the pin D is one. Both ways give all forces."""
    one, loop, joints = four_bar("D", closure=closure)
    result = one.simulate((0, 1.5), [1.2, -1.0, -1.5, 2.0, 0, 0], {}, rtol=1e-9)
    other, cut, pins = four_bar("C", closure=closure)
    for k in range(0, len(result.t), 7):
        q, u = result.x[:3, k], result.x[3:, k]
        start = [q[0], q[1], q.sum(), u[0], u[1], u.sum()]
        again = other.simulate((0, 1e-4), start, {})
        close(again.x[:, 0], start, 1e-10)
        for name in "AB":
            close(again.joint_force(pins[name])[:, 0], result.joint_force(joints[name])[:, k])
            close(again.joint_torque(pins[name])[:, 0], result.joint_torque(joints[name])[:, k])
        close(again.reaction.force(cut)[:, 0], result.joint_force(joints["C"])[:, k])
        close(again.joint_force(pins["D"])[:, 0], result.reaction.force(loop)[:, k])
    moved = result.reaction.force(loop, frame=joints["A"].child_interframe)
    close(np.linalg.norm(moved, axis=0), np.linalg.norm(result.reaction.force(loop), axis=0))
    close(result.reaction.torque(loop), np.zeros((3, len(result.t))))


def test_a_ball_closure_in_a_frame_half_way_around_the_loop_has_the_same_force():
    """Its components are those in that frame; its force is the same."""
    one, loop, joints = four_bar("D", closure=BallClosure)
    start = one.simulate((0, 1e-3), [1.2, -1.0, -1.5, 2.0, 0, 0], {}).x[:, 0]
    truth = one.simulate((0, 1e-3), start, {})
    half = BallClosure(loop.start, loop.end, frame=joints["B"].child_interframe)
    again = HybridModel(one.source, [], constraints=[half]).simulate((0, 1e-3), start, {})
    close(again.reaction.force(half)[:, 0], truth.reaction.force(loop)[:, 0])
    close(again.joint_force("pin_A")[:, 0], truth.joint_force("pin_A")[:, 0])
    turned = again.reaction.force(half, frame=joints["B"].child_interframe)
    close(again.reaction[half], turned[:2])


# -- auxiliary speeds


def test_forces_of_a_slider_crank_are_those_of_sympys_auxiliary_speeds():
    """A rod on a crank, its end guided along a line: the pin's force by auxiliary speeds, the guide's as a load."""
    l1, l2, m1, m2 = 0.5, 1.3, 1.2, 0.8
    q, u = dynamicsymbols("q:2"), dynamicsymbols("u:2")
    ax, ay = extra = dynamicsymbols("a:2")
    Rx, Ry, guide = loads = dynamicsymbols("R:3")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A, B = N.orientnew("A", "Axis", [q[0], N.z]), N.orientnew("B", "Axis", [q[1], N.z])
    A.set_ang_vel(N, u[0] * N.z)
    B.set_ang_vel(N, u[1] * N.z)
    foot = O.locatenew("foot", 0 * N.x)
    foot.set_vel(N, ax * N.x + ay * N.y)
    points = {}
    for name, start, frame, away in (("c1", foot, A, l1 / 2), ("e1", foot, A, l1)):
        points[name] = start.locatenew(name, away * frame.x)
        points[name].v2pt_theory(start, N, frame)
    for name, away in (("c2", l2 / 2), ("e2", l2)):
        points[name] = points["e1"].locatenew(name, away * B.x)
        points[name].v2pt_theory(points["e1"], N, B)
    bodies = [
        RigidBody(n, points[c], f, m, (inertia(f, 0, 0, m * l**2 / 12), points[c]))
        for n, c, f, m, l in (("b1", "c1", A, m1, l1), ("b2", "c2", B, m2, l2))
    ]
    forces = [(b.masscenter, -b.mass * G * N.y) for b in bodies]
    forces += [(foot, Rx * N.x + Ry * N.y), (points["e2"], guide * N.y)]
    kane = KanesMethod(N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)], u_auxiliary=extra)
    fr, frstar = kane.kanes_equations(bodies, forces)
    rates = [speed.diff() for speed in u]
    height = l1 * sm.sin(q[0]) + l2 * sm.sin(q[1])
    late = height.diff().diff().subs({a.diff(): b for a, b in zip(q, u, strict=True)}).doit()
    late = late.subs({a.diff().diff(): b.diff() for a, b in zip(q, u, strict=True)}).subs(
        {a.diff(): b for a, b in zip(q, u, strict=True)}
    )
    matrix, rest = sm.linear_eq_to_matrix([*(fr + frstar)[:2], *kane.auxiliary_eqs, late], [*rates, *loads])
    solved = sm.lambdify([q, u], [matrix, rest], cse=True, docstring_limit=0)

    ground, crank, rod = RigidBody("ground"), bar("crank", m1, l1), bar("rod", m2, l2)
    pin = PinJoint("pin", ground, crank, child_point=-l1 / 2 * crank.x, joint_axis=ground.z)
    knee = PinJoint("knee", crank, rod, parent_point=l1 / 2 * crank.x, child_point=-l2 / 2 * rod.x, joint_axis=crank.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin, knee)
    system.apply_uniform_gravity(-G * ground.y)
    tip = rod.masscenter.locatenew("tip", l2 / 2 * rod.x)
    line = LineClosure(system.fixed_point, tip, ground.x, name="guide")
    result = HybridModel(system, [], constraints=[line]).simulate((0, 1), [0.7, -1.0, 3.0, 0.0], {})
    for k in range(0, len(result.t), 5):
        angle, turn, speed, more = result.x[:, k]
        matrix, rest = solved([angle, angle + turn], [speed, speed + more])
        truth = np.linalg.solve(matrix, rest).ravel()
        close(result.joint_force(pin)[:2, k], truth[2:4])
        close(result.reaction.force(line)[:, k], [0.0, truth[4], 0.0])


# -- massless links


def test_a_coupler_without_mass_is_a_rod():
    """The force in both of its pins is along it and equal to that of a rod without a body; M is singular."""

    def cranks(system_of_coupler: bool):
        ground = RigidBody("ground")
        A, C = bar("A", 1.0, 1.0), bar("C", 1.5, 1.5)
        D = ground.masscenter.locatenew("D", AWAY * ground.x)
        left = PinJoint("left", ground, A, child_point=-0.5 * A.x, joint_axis=ground.z)
        right = PinJoint("right", ground, C, parent_point=D, child_point=-0.75 * C.x, joint_axis=ground.z)
        system = System.from_newtonian(ground)
        system.add_joints(left, right)
        tips = [A.masscenter.locatenew("tip_A", 0.5 * A.x), C.masscenter.locatenew("tip_C", 0.75 * C.x)]
        if not system_of_coupler:
            system.apply_uniform_gravity(-G * ground.y)
            return HybridModel(system, [], constraints=[RodClosure(*tips, 2.3, name="rod")])
        B = bar("B", 0.0, 2.3)
        system.add_joints(PinJoint("knee", A, B, parent_point=tips[0], child_point=-1.15 * B.x, joint_axis=ground.z))
        system.apply_uniform_gravity(-G * ground.y)
        end = B.masscenter.locatenew("end", 1.15 * B.x)
        return HybridModel(system, [], constraints=[BallClosure(end, tips[1], name="ball")])

    with_body, without = cranks(True), cranks(False)
    result = with_body.simulate((0, 1), [1.2, 1.6, -1.2, 2.0, 0.0, 0.0], {}, rtol=1e-9)
    for k in range(0, len(result.t), 4):
        q, u = result.x[:3, k], result.x[3:, k]
        truth = without.simulate((0, 1e-4), [*q[:2], *u[:2]], {})
        push = truth.reaction.force("rod")[:, 0]
        along = in_plane(q[0] + q[2])
        close(np.cross(push, along), np.zeros(3))
        close(result.reaction.force("ball")[:, k], push)
        close(result.joint_force("knee")[:, k], push)
        for name in ("left", "right"):
            close(result.joint_force(name)[:, k], truth.joint_force(name)[:, 0])


# -- contacts


def hitting_slider_crank():
    """A slider-crank whose piston slides on a floor with friction and hits a wall; its guide is the floor alone."""
    ground, crank, rod, piston = RigidBody("ground"), RigidBody("crank", mass=1.0), RigidBody("rod", mass=0.6), None
    for body, length in ((crank, 0.5), (rod, 1.1)):
        moment = body.mass * length**2 / 12
        body.central_inertia = inertia(body.frame, moment, 0, moment)
    piston = RigidBody("piston", mass=0.7)
    piston.central_inertia = inertia(piston.frame, 0.02, 0.02, 0.02)
    pin = PinJoint("pin", ground, crank, child_point=-0.25 * crank.y, joint_axis=ground.x)
    knee = PinJoint("knee", crank, rod, parent_point=0.25 * crank.y, child_point=-0.55 * rod.y, joint_axis=crank.x)
    plane = PlanarJoint("plane", ground, piston)
    system = System.from_newtonian(ground)
    system.add_joints(pin, knee, plane)
    system.apply_uniform_gravity(-G * ground.z)
    tip = rod.masscenter.locatenew("tip", 0.55 * rod.y)
    wrist = BallClosure(tip, piston.masscenter, name="wrist")
    level = Holonomic(plane.coordinates[0], "level")
    floor = Contact(piston.masscenter, Plane(ground.masscenter, ground.z), restitution=0, friction=0.3, name="floor")
    corner = ground.masscenter.locatenew("corner", 1.5 * ground.y)
    wall = Contact(piston.masscenter, Plane(corner, -ground.y), restitution=0.4, friction=0.2, name="wall")
    return HybridModel(system, [floor, wall], constraints=[wrist, level]), wrist, level


def test_a_piston_that_slides_with_friction_and_hits_a_wall():
    """Newton's equations of the piston: the wrist, the floor and the wall, in the motion and in the impact."""
    model, wrist, level = hitting_slider_crank()
    angle, turn = 0.8, -0.8 - np.arcsin(0.5 * np.sin(0.8) / 1.1)
    reach = 0.5 * np.cos(angle) + 1.1 * np.cos(angle + turn)
    speed = -3.0
    fast = -speed * 0.5 * np.cos(angle) / (1.1 * np.cos(angle + turn)) - speed
    forward = -speed * 0.5 * np.sin(angle) - (speed + fast) * 1.1 * np.sin(angle + turn)
    result = model.simulate((0, 0.6), [angle, turn, 0, reach, 0, speed, fast, 0, forward, 0], {}, rtol=1e-9)
    impacts = [event for event in result.events if event.kind == "impact" and "wall" in event.contacts]
    assert impacts
    for event in impacts:
        push = np.zeros(3)
        for name, normal, rubbing in zip(event.contacts, event.impulse, event.friction_impulse, strict=True):
            push += normal * (np.array([0, 0, 1]) if name == "floor" else np.array([0, -1, 0])) + rubbing
        jump = 0.7 * np.array([0.0, *(event.x_plus - event.x_minus)[8:10]])
        close(event.reaction_impulse.force(wrist) + push, jump)
        # the crank and the rod turn about fixed points of their own
        tip = event.reaction_impulse.force(wrist)
        close(event.joint_impulse("plane"), np.zeros(3))
        close(event.joint_impulse("pin") - tip, _linkage_momentum(event), 1e-9)
    sliding = np.flatnonzero((np.abs(result.normal_force[0]) > 0) & (np.abs(result.x[8]) > 0.01))
    assert sliding.size > 10
    times = result.t[sliding][:-1] / 2 + result.t[sliding][1:] / 2
    step = 1e-5
    times = times[(np.abs(np.subtract.outer(times, result.events.t)) > 3 * step).all(axis=1)]
    acceleration = (result(times + step)[8:10] - result(times - step)[8:10]) / (2 * step)
    total = result.reaction.at(times).force(wrist)[1:] + result.friction_force_at(times)[0, 1:]
    total[1] += result.normal_force_at(times)[0] - 0.7 * G
    close(total, 0.7 * acceleration, 1e-5)
    with pytest.raises(ValueError, match="the holonomic constraint 'level' does not say at which points it acts"):
        result.reaction.force(level)


def _linkage_momentum(event) -> np.ndarray:
    """The change of the momentum of crank and rod."""
    (a, b), change = event.x_minus[:2], (event.x_plus - event.x_minus)[5:7]
    first, second = change[0], change.sum()
    across = [np.array([0.0, -np.sin(angle), np.cos(angle)]) for angle in (a, a + b)]
    return (1.0 * 0.25 * first + 0.6 * 0.5 * first) * across[0] + 0.6 * 0.55 * second * across[1]


# -- what is told


def lifted_weight():
    """A weight on a vertical slide that is held at the height h by two constraints, one of them times ten."""
    ground, weight = RigidBody("ground"), RigidBody("weight", mass=3.0)
    slide = PrismaticJoint("slide", ground, weight, joint_axis=ground.z)
    across = PrismaticJoint("across", weight, RigidBody("other", mass=1.0), joint_axis=weight.x)
    system = System.from_newtonian(ground)
    system.add_joints(slide, across)
    system.apply_uniform_gravity(-G * ground.z)
    z, x = slide.coordinates[0], across.coordinates[0]
    constraints = [Holonomic(z, "one"), Holonomic(10 * z, "ten"), Holonomic(x - 0.1 * dynamicsymbols._t**2, "drive")]
    return HybridModel(system, [], constraints=constraints), slide


def test_redundant_constraints_share_a_load_whatever_their_units_are():
    """Two that hold the same weight have one half each, and say that this is not determined; the third is."""
    model, slide = lifted_weight()
    result = model.simulate((0, 1), [0.0] * 4, {})
    for name, factor in (("one", 1.0), ("ten", 10.0)):
        close(factor * result.reaction[name][0], np.full(len(result.t), 2.0 * G))
        assert not result.reaction.determined(name).any()
    close(result.reaction["drive"][0], np.full(len(result.t), 0.2))
    assert result.reaction.determined("drive").all()
    assert list(result.reaction) == ["one", "ten", "drive"]
    assert repr(result.reaction) == "<reactions of 3 constraints, equations of each: 'one': 1, 'ten': 1, 'drive': 1>"
    # both act between the bodies of the slide, beside it, so that its force is what the drive pulls, and determined
    close(result.joint_force(slide), np.outer([0.2, 0.0, 0.0], np.ones(len(result.t))))


def test_a_loop_out_of_its_plane_is_not_determined():
    """A four-bar of pins whose plane is tilted: in its plane the forces are those of a tree, across it a share."""
    axis = np.array([0.36, 0.48, 0.8])
    ground = RigidBody("ground")
    normal = sum((float(c) * e for c, e in zip(axis, ground.frame, strict=True)), 0 * ground.x)
    side = normal.cross(ground.z).normalize()
    other = normal.cross(side)
    system, parent, place = System.from_newtonian(ground), ground, ground.masscenter
    for name, length in zip("ABC", LENGTHS, strict=True):
        body = RigidBody(name, mass=1.0)
        in_body = [vector.to_matrix(ground.frame) for vector in (side, other, normal)]
        along, *_ = (sum((c * e for c, e in zip(m, body.frame, strict=True)), 0 * body.x) for m in in_body)
        body.central_inertia = inertia(body.frame, 0.1, 0.1, 0.1)
        foot = body.masscenter.locatenew(f"foot_{name}", -length / 2 * along)
        about_parent = sum((c * e for c, e in zip(in_body[2], parent.frame, strict=True)), 0 * parent.x)
        system.add_joints(
            PinJoint(f"pin_{name}", parent, body, parent_point=place, child_point=foot, joint_axis=about_parent)
        )
        parent, place = body, body.masscenter.locatenew(f"tip_{name}", length / 2 * along)
    system.apply_uniform_gravity(-G * ground.y)
    D = ground.masscenter.locatenew("D", AWAY * side)
    start = [1.2, -1.0, -1.5, 2.0, 0.0, 0.0]
    closures = BallClosure(D, place, name="loop"), LineClosure(D, place, normal, name="loop")
    models = [HybridModel(system, [], constraints=[loop]) for loop in closures]
    start = models[0].simulate((0, 0.1), start, {}).x[:, 0]
    results = redundant, plain = [model.simulate((0, 1), start, {}, rtol=1e-9) for model in models]
    loads = [result.reaction.at([0.0, 0.3, 0.8]).force("loop") for result in results]
    assert not redundant.reaction.determined("loop").all()
    assert plain.reaction.determined("loop").all()
    across = np.outer(axis, axis)
    close(loads[0] - across @ loads[0], loads[1], 1e-6)
    with pytest.warns(SympactWarning, match="'pin_B' is not determined by the motion, because constraints are redund"):
        redundant.joint_force("pin_B")


def test_a_driven_joint_bears_the_torque_of_its_drive_beside_it():
    """A rod that turns at the angle t^2/2 against a torque T(t): the drive has the torque I + m g l/2 cos + T, the pin
    the force of a rod that turns so, and no torque about its axis."""
    ground, rod = RigidBody("ground"), bar("rod", 2.0, 1.5)
    pin = PinJoint("pin", ground, rod, child_point=-0.75 * rod.x, joint_axis=ground.z)
    system = System.from_newtonian(ground)
    system.add_joints(pin)
    system.apply_uniform_gravity(-G * ground.y)
    T, t = sm.Function("T"), dynamicsymbols._t
    system.add_loads(Torque(rod.frame, -T(t) * ground.z))
    drive = Holonomic(pin.coordinates[0] - t**2 / 2, "drive")
    model = HybridModel(system, [], constraints=[drive])
    result = model.simulate((0, 2), [0.0, 0.0], {}, inputs={T(t): 3 * sm.sin(t)})
    angle, speed = result.t**2 / 2, result.t
    close(result.reaction[drive][0], 1.5 + 2.0 * G * 0.75 * np.cos(angle) + 3.0 * np.sin(result.t), 1e-7)
    along, turned = in_plane(angle), in_plane(angle + np.pi / 2)
    truth = 2.0 * 0.75 * (turned - speed**2 * along) + 2.0 * G * np.array([[0.0], [1.0], [0.0]])
    close(result.joint_force(pin), truth, 1e-7)
    close(result.joint_torque(pin), np.zeros((3, len(result.t))))


def test_an_expression_of_several_joints_is_refused_where_it_acts_and_nowhere_else():
    """It says on no body where it acts, but on none beyond the joints of its coordinates: the last rod of a chain."""
    ground = RigidBody("ground")
    system, parent, place, joints = System.from_newtonian(ground), ground, ground.masscenter, []
    for k in range(3):
        body = bar(f"b{k}", 1.0 + k, 1.0)
        foot = body.masscenter.locatenew(f"foot{k}", -0.5 * body.x)
        joints.append(PinJoint(f"j{k}", parent, body, parent_point=place, child_point=foot, joint_axis=parent.z))
        parent, place = body, body.masscenter.locatenew(f"tip{k}", 0.5 * body.x)
    system.add_joints(*joints)
    system.apply_uniform_gravity(-G * ground.y)
    gear = joints[0].coordinates[0] + 2 * joints[1].coordinates[0]
    result = HybridModel(system, [], constraints=[gear]).simulate((0, 1), [0.4, -0.2, 0.3, 1.0, -0.5, 0.2], {})
    for joint in joints[:2]:
        with pytest.raises(ValueError, match=rf"an expression that does not say.*in the joint '{joint.name}' is not"):
            result.joint_force(joint)
    times = np.linspace(0.1, 0.9, 5)
    step = 1e-5
    places = [
        sum(in_plane(sum(result(s)[: k + 1])) * (1.0 if k < 2 else 0.5) for k in range(3))
        for s in (times - step, times, times + step)
    ]
    acceleration = (places[0] - 2 * places[1] + places[2]) / step**2
    close(result.joint_force(joints[2], t=times), 3.0 * (acceleration + G * np.array([[0.0], [1.0], [0.0]])), 1e-4)
    assert result.reaction[gear].shape == (1, len(result.t))


def test_what_has_no_reaction_is_told():
    model, loop, _ = four_bar("D")
    result = model.simulate((0, 0.1), [1.2, -1.0, -1.5, 0.0, 0.0, 0.0], {})
    with pytest.raises(KeyError, match="there is no constraint 'rod'; those of this model are 'loop'"):
        result.reaction["rod"]
    with pytest.raises(
        KeyError, match="the constraint 'loop' belongs to another model; those of this model are 'loop'"
    ):
        result.reaction[four_bar("D")[1]]
    with pytest.raises(ValueError, match="the frame 'A' has no orientation relative to"):
        result.reaction.force(loop, frame=ReferenceFrame("A"))
    free, _, _ = free_rod()
    nothing = HybridModel(free, []).simulate((0, 0.1), [0.0] * 6, {})
    assert not nothing.reaction
    assert repr(nothing.reaction) == "<no bilateral constraints>"
    with pytest.raises(KeyError, match="no constraint 'loop': the model has no bilateral constraints"):
        nothing.reaction["loop"]


def test_a_constraint_that_follows_from_others_has_no_rows():
    """The derivative of a closure's equation, as a condition on speeds, is no further one."""
    model, loop, joints = four_bar("D", closure=BallClosure)
    q, u = ([joints[name].coordinates[0] for name in "ABC"], [joints[name].speeds[0] for name in "ABC"])
    height = sum(l * sm.sin(sum(q[: k + 1])) for k, l in enumerate(LENGTHS))
    late = height.diff(dynamicsymbols._t).subs(dict(zip([a.diff() for a in q], u, strict=True)))
    again = HybridModel(model.source, [], constraints=[loop, Nonholonomic(late, "again")])
    result = again.simulate((0, 0.1), [1.2, -1.0, -1.5, 0.0, 0.0, 0.0], {})
    assert list(result.reaction) == ["loop"]
    with pytest.raises(
        KeyError, match=r"the nonholonomic constraint 'again' adds no equation.*those with equations are 'loop'"
    ):
        result.reaction["again"]


def test_the_force_along_a_knife_edge_is_that_of_its_side():
    """The multiplier of a condition on speeds has the unit of power over it: here N, across the blade."""
    case = knife_edge()
    x, y, angle = case.source.q
    m, j, g, slope = sm.symbols("m j g slope")
    result = HybridModel(case.source, []).simulate(
        (0, 2),
        {x: 0, y: 0, angle: 0.3, x.diff(): 0, y.diff(): 0, angle.diff(): 1.5},
        {m: 2.0, j: 0.1, g: G, slope: 0.2},
    )
    # a blade that turns at w with the speed v along its edge: m v w across it, against the part of the weight there
    turn, w = result[angle], 1.5
    forward = result[x.diff()] * np.cos(turn) + result[y.diff()] * np.sin(turn)
    truth = -2.0 * forward * w - 2.0 * G * np.sin(0.2) * np.sin(turn)
    close(result.reaction["nonholonomic 1"][0], truth, 1e-7)
    assert result.reaction.units("nonholonomic 1") == {"": "W by the unit of A u + a"}


def test_a_sample_without_numbers_leaves_the_others_known():
    """A mass of 2 at x = t^2 on a rail, and the same with a mass that is no number."""
    mass, rows = np.array([[[2.0]], [[np.nan]], [[2.0]]]), np.ones((3, 1, 1))
    balance = Balance.of(mass, rows, np.array([0.5]))
    rates, forces = balance.motion(np.zeros((3, 1)), np.full((3, 1), 2.0))
    np.testing.assert_allclose(rates[[0, 2], 0], 2.0)
    np.testing.assert_allclose(forces[[0, 2], 0], 4.0)
    assert np.isnan(rates[1, 0])
    np.testing.assert_allclose(balance.impulses(np.full((3, 1), 3.0), np.zeros((3, 1)))[[0, 2], 0], 6.0)


def test_a_massless_direction_has_a_force_where_constraints_move_it():
    """M is zero along the second speed, which follows the first: the constraint transmits the load f2 alone."""
    mass, rows = np.array([[[2.0, 0.0], [0.0, 0.0]]]), np.array([[[1.0, -1.0]]])
    rates, forces = Balance.of(mass, rows, np.array([1.0])).motion(np.array([[0.0, 3.0]]), np.zeros((1, 1)))
    np.testing.assert_allclose(rates, [[1.5, 1.5]])
    np.testing.assert_allclose(forces, [[3.0]])
