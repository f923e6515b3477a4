"""The mechanical systems of the benchmarks, as a user of `sympy.physics.mechanics` writes them; no line of sympact."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import cos, pi, sin

import sympy as sm
import sympy.physics.mechanics as me

CUBE_SIGNS = tuple(product((1, -1), repeat=3))
CUBE_SPEEDS = ("rates", "omega", "quaternion")
CUBE_END, TWO_LINK_END = 5.0, 10.0
"""Lengths of the reference runs (s)."""
CUBE_ANGLES = (1.0, 2.0, 3.0)
CUBE_RATES = (3.0, 2.0, 1.0)
CHAIN_KINDS = ("planar", "spatial", "spherical")
RESTITUTION = sm.Symbol("e", nonnegative=True)


@dataclass(frozen=True)
class Case:
    """A system with points that may touch a plane, and the numbers that go with it.

    Attributes
    ----------
    system : System
    points : tuple of Point
        The contact points.
    plane_point : Point
    normal : Vector
        Unit normal of the plane, to the free side.
    parameters : mapping of Symbol to float
        The restitution `RESTITUTION` among them.
    start : mapping of state to float
        Every coordinate and speed.
    """

    system: me.System
    points: tuple[me.Point, ...]
    plane_point: me.Point
    normal: me.Vector
    parameters: Mapping[sm.Symbol, float]
    start: Mapping[sm.Expr, float]

    @property
    def states(self) -> list[sm.Expr]:
        """Coordinates, then speeds, in the System's order."""
        return [*self.system.q, *self.system.u]

    @property
    def gaps(self) -> list[sm.Expr]:
        """Height of every contact point above the plane."""
        return [point.pos_from(self.plane_point).dot(self.normal) for point in self.points]


def chain(count: int, kind: str) -> Case:
    """A hanging chain of `count` links with symbolic masses, lengths and inertias; every tip may touch a floor below.

    `kind`: "planar" (pins about N.z), "spatial" (pins about x, y, z in turn) or "spherical" (three angles per joint).
    """
    if kind not in CHAIN_KINDS:
        raise ValueError(f"unknown kind {kind!r} of chain; known are {CHAIN_KINDS}")
    ground = me.RigidBody("ground")
    up, g, depth = ground.frame.y, sm.Symbol("g", positive=True), sm.Symbol("depth", positive=True)
    system = me.System.from_newtonian(ground)
    parameters = {g: 9.81, depth: 2.0 * count, RESTITUTION: 0.8}
    parent, hinge, tips = ground, ground.masscenter, []
    for index in range(count):
        link, top, tip, numbers = _link(index)
        system.add_joints(_joint(kind, index, parent, link, hinge, top))
        parameters |= numbers
        parent, hinge = link, tip
        tips.append(tip)
    system.apply_uniform_gravity(-g * up)
    floor = ground.masscenter.locatenew("floor", -depth * up)
    start = {state: 0.1 * (1 + index % 5) for index, state in enumerate([*system.q, *system.u])}
    return Case(system, tuple(tips), floor, up, parameters, start)


def tree(count: int) -> Case:
    """A tree of `count` links of `chain`, two of which hang on each, on pins about x, y, z in turn, above no floor."""
    ground = me.RigidBody("ground")
    system, g = me.System.from_newtonian(ground), sm.Symbol("g", positive=True)
    parameters, places = {g: 9.81, RESTITUTION: 0.8}, [(ground, ground.masscenter)]
    for index in range(count):
        link, top, tip, numbers = _link(index)
        parent, hinge = places[(index + 1) // 2]
        system.add_joints(_joint("spatial", index, parent, link, hinge, top))
        parameters |= numbers
        places.append((link, tip))
    system.apply_uniform_gravity(-g * ground.y)
    start = {state: 0.1 * (1 + index % 5) for index, state in enumerate([*system.q, *system.u])}
    return Case(system, (), ground.masscenter, ground.y, parameters, start)


def upright(count: int) -> Case:
    """The planar chain with the angles of the links against the ground as coordinates, equal links, above no floor."""
    frame, hinge = me.ReferenceFrame("N"), me.Point("O")
    hinge.set_vel(frame, 0)
    system = me.System(frame=frame, fixed_point=hinge)
    mass, length, moment, g = sm.symbols("m l I g", positive=True)
    for index in range(count):
        angle, rate = me.dynamicsymbols(f"q{index} u{index}")
        turned = frame.orientnew(f"B{index}", "Axis", (angle, frame.z))
        centre = hinge.locatenew(f"P{index}", -length / 2 * turned.y)
        hinge = hinge.locatenew(f"tip{index}", -length * turned.y)
        system.add_bodies(
            me.RigidBody(f"link{index}", centre, turned, mass, (me.inertia(turned, 0, 0, moment), centre))
        )
        system.add_coordinates(angle)
        system.add_speeds(rate)
        system.add_kdes(angle.diff() - rate)
    system.apply_uniform_gravity(-g * frame.y)
    start = {state: 0.1 * (1 + index % 5) for index, state in enumerate([*system.q, *system.u])}
    return Case(system, (), system.fixed_point, frame.y, {mass: 1, length: 1, moment: 0.1, g: 9.81}, start)


def falling_chain(count: int) -> Case:
    """A chain of `count` equal rods, 3 m in all, joined by pins, that falls flat from 1 m; every end may touch a floor.

    The rods move in a plane, their speeds are the derivatives of the absolute angles; they zigzag a little.
    """
    frame, floor = me.ReferenceFrame("N"), me.Point("O")
    floor.set_vel(frame, 0)
    system = me.System(frame, floor)
    mass, length, g = sm.symbols("m l g", positive=True)
    x, y, *angles = me.dynamicsymbols(f"x y a:{count}")
    v, w, *spins = me.dynamicsymbols(f"v w w:{count}")
    end = floor.locatenew("P0", x * frame.x + y * frame.y)
    end.set_vel(frame, v * frame.x + w * frame.y)
    points = [end]
    for index, (angle, spin) in enumerate(zip(angles, spins, strict=True)):
        turned = me.ReferenceFrame(f"B{index}")
        turned.orient_axis(frame, angle, frame.z)
        turned.set_ang_vel(frame, spin * frame.z)
        centre = end.locatenew(f"G{index}", length / 2 * turned.x)
        inertia = me.inertia(turned, 0, 0, mass * length**2 / 12)
        system.add_bodies(me.RigidBody(f"rod{index}", centre, turned, mass, (inertia, centre)))
        end = end.locatenew(f"P{index + 1}", length * turned.x)
        points.append(end)
    coordinates, speeds = [x, y, *angles], [v, w, *spins]
    system.add_coordinates(*coordinates)
    system.add_speeds(*speeds)
    system.add_kdes(*[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)])
    system.apply_uniform_gravity(-g * frame.y)
    zigzag = [0.3 * (-1) ** index * (1 + 0.1 * index) for index in range(count)]
    start = dict(zip([*coordinates, *speeds], [0.0, 1.0, *zigzag, 0.5, 0.0, *[0.0] * count], strict=True))
    parameters = {mass: 1.0, length: 3.0 / count, g: 9.81, RESTITUTION: 0.4}
    return Case(system, tuple(points), floor, frame.y, parameters, start)


def _link(index: int) -> tuple[me.RigidBody, me.Point, me.Point, dict[sm.Symbol, float]]:
    """A link with its upper hinge, its tip and its numbers."""
    mass, length, offset, ixx, iyy, izz = sm.symbols(
        f"m{index} l{index} d{index} I{index}x I{index}y I{index}z", positive=True
    )
    frame, centre = me.ReferenceFrame(f"B{index}"), me.Point(f"P{index}")
    link = me.RigidBody(f"link{index}", centre, frame, mass, (me.inertia(frame, ixx, iyy, izz), centre))
    top = centre.locatenew(f"top{index}", offset * frame.y)
    tip = centre.locatenew(f"tip{index}", (offset - length) * frame.y)
    values = (1 + 0.1 * index, 1 + 0.05 * index, 0.5 + 0.02 * index, 0.1 + 0.01 * index, 0.12, 0.15 + 0.02 * index)
    return link, top, tip, dict(zip((mass, length, offset, ixx, iyy, izz), values, strict=True))


def _joint(kind: str, index: int, parent: me.RigidBody, child: me.RigidBody, hinge: me.Point, top: me.Point):
    if kind == "spherical":
        return me.SphericalJoint(f"joint{index}", parent, child, parent_point=hinge, child_point=top)
    axis = "xyz"[index % 3] if kind == "spatial" else "z"
    joint_axis = getattr(parent.frame, axis)
    return me.PinJoint(f"joint{index}", parent, child, parent_point=hinge, child_point=top, joint_axis=joint_axis)


def cube(speeds: str = "rates") -> Case:
    """The tumbling cube of the multi-stage framework document: it starts at 10 m and hits the floor five times in 5 s.

    `speeds` says how it turns: "rates" (body-fixed 3-1-3 angles and their rates), "omega" (the same angles and the
    body components of the angular velocity), "quaternion" (four coordinates, three body components).
    """
    if speeds not in CUBE_SPEEDS:
        raise ValueError(f"unknown speeds {speeds!r} of the cube; known are {CUBE_SPEEDS}")
    frame, turned, origin = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O")
    origin.set_vel(frame, 0)
    x, y, z = me.dynamicsymbols("x y z")
    v = me.dynamicsymbols("v_x v_y v_z")
    mass, edge, g = sm.symbols("m a g", positive=True)
    turning = {"rates": _angles_and_rates, "omega": _angles_and_spin, "quaternion": _quaternion_and_spin}[speeds]
    turns, spins, turn_kdes, turn_start = turning(frame, turned)
    centre = origin.locatenew("P", x * frame.x + y * frame.y + z * frame.z)
    centre.set_vel(frame, v[0] * frame.x + v[1] * frame.y + v[2] * frame.z)
    moment = mass * edge**2 / 6
    body = me.RigidBody("cube", centre, turned, mass, (me.inertia(turned, moment, moment, moment), centre))
    system = me.System(frame=frame, fixed_point=origin)
    system.add_bodies(body)
    system.add_coordinates(x, y, z, *turns)
    system.add_speeds(*v, *spins)
    system.add_kdes(*(q.diff() - u for q, u in zip((x, y, z), v, strict=True)), *turn_kdes)
    system.apply_uniform_gravity(-g * frame.z)
    corners = tuple(
        centre.locatenew(f"P{number}", edge / 2 * (i * turned.x + j * turned.y + k * turned.z))
        for number, (i, j, k) in enumerate(CUBE_SIGNS, start=1)
    )
    start = {x: 0.0, y: 0.0, z: 10.0, v[0]: 1.0, v[1]: 1.0, v[2]: 0.0} | turn_start
    return Case(system, corners, origin, frame.z, {mass: 1.0, edge: 1.0, g: 9.8, RESTITUTION: 0.8}, start)


def _angles_and_rates(frame: me.ReferenceFrame, turned: me.ReferenceFrame):
    """Coordinates, speeds, kinematic equations and start of a frame turned by 3-1-3 angles, u = q'."""
    angles, rates = me.dynamicsymbols("alpha beta gamma"), me.dynamicsymbols("u_alpha u_beta u_gamma")
    turned.orient_body_fixed(frame, angles, "313")
    equations = [angle.diff() - rate for angle, rate in zip(angles, rates, strict=True)]
    return angles, rates, equations, dict(zip([*angles, *rates], CUBE_ANGLES + CUBE_RATES, strict=True))


def _angles_and_spin(frame: me.ReferenceFrame, turned: me.ReferenceFrame):
    """The same for 3-1-3 angles with the body components of the angular velocity as speeds."""
    angles, spin = me.dynamicsymbols("alpha beta gamma"), me.dynamicsymbols("w_x w_y w_z")
    turned.orient_body_fixed(frame, angles, "313")
    equations = list(turned.ang_vel_in(frame).to_matrix(turned) - sm.Matrix(spin))
    turned.set_ang_vel(frame, spin[0] * turned.x + spin[1] * turned.y + spin[2] * turned.z)
    return angles, spin, equations, dict(zip([*angles, *spin], CUBE_ANGLES + cube_body_spin(), strict=True))


def _quaternion_and_spin(frame: me.ReferenceFrame, turned: me.ReferenceFrame):
    """The same for a unit quaternion with the body components of the angular velocity: e' = e (0, w)/2."""
    parts, spin = me.dynamicsymbols("e_0:4"), me.dynamicsymbols("w_x w_y w_z")
    turned.orient_quaternion(frame, parts)
    turned.set_ang_vel(frame, spin[0] * turned.x + spin[1] * turned.y + spin[2] * turned.z)
    scalar, vector, w = parts[0], sm.Matrix(parts[1:]), sm.Matrix(spin)
    rates = [-vector.dot(w) / 2, *((scalar * w + vector.cross(w)) / 2)]
    equations = [part.diff() - rate for part, rate in zip(parts, rates, strict=True)]
    return parts, spin, equations, dict(zip([*parts, *spin], cube_quaternion() + cube_body_spin(), strict=True))


def cube_body_spin() -> tuple[float, ...]:
    """Body components of the cube's angular velocity at the start."""
    (_, b, c), (a_rate, b_rate, c_rate) = CUBE_ANGLES, CUBE_RATES
    return (
        a_rate * sin(b) * sin(c) + b_rate * cos(c),
        a_rate * sin(b) * cos(c) - b_rate * sin(c),
        a_rate * cos(b) + c_rate,
    )


def cube_quaternion() -> tuple[float, ...]:
    """The quaternion of the cube's 3-1-3 angles at the start."""
    a, b, c = CUBE_ANGLES
    half_sum, half_difference = (a + c) / 2, (a - c) / 2
    return (
        cos(b / 2) * cos(half_sum),
        sin(b / 2) * cos(half_difference),
        sin(b / 2) * sin(half_difference),
        cos(b / 2) * sin(half_sum),
    )


def box() -> Case:
    """A uniform box with edges a, b, c above a plane, turned by a unit quaternion, e = 1/2, g = 9.8."""
    frame, turned, origin = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O")
    origin.set_vel(frame, 0)
    place, v = me.dynamicsymbols("x y z"), me.dynamicsymbols("v_x v_y v_z")
    mass, g, *edges = sm.symbols("m g a b c", positive=True)
    turns, spins, turn_kdes, _ = _quaternion_and_spin(frame, turned)
    axes, turned_axes = (frame.x, frame.y, frame.z), (turned.x, turned.y, turned.z)
    centre = origin.locatenew("P", sum(q * axis for q, axis in zip(place, axes, strict=True)))
    centre.set_vel(frame, sum(u * axis for u, axis in zip(v, axes, strict=True)))
    square = sum(edge**2 for edge in edges)
    moments = [mass * (square - edge**2) / 12 for edge in edges]
    body = me.RigidBody("box", centre, turned, mass, (me.inertia(turned, *moments), centre))
    system = me.System(frame=frame, fixed_point=origin)
    system.add_bodies(body)
    system.add_coordinates(*place, *turns)
    system.add_speeds(*v, *spins)
    system.add_kdes(*(q.diff() - u for q, u in zip(place, v, strict=True)), *turn_kdes)
    system.apply_uniform_gravity(-g * frame.z)
    corners = tuple(
        centre.locatenew(f"P{number}", sum(s * e * a / 2 for s, e, a in zip(signs, edges, turned_axes, strict=True)))
        for number, signs in enumerate(CUBE_SIGNS, start=1)
    )
    start = dict.fromkeys([*place, *turns, *v, *spins], 0.0) | {place[2]: 2.0, turns[0]: 1.0}
    numbers = {mass: 1.0, g: 9.8, RESTITUTION: 0.5} | dict.fromkeys(edges, 1.0)
    return Case(system, corners, origin, frame.z, numbers, start)


def two_links() -> Case:
    """Two links on a pivot above a floor, with the document's numbers (its inertia is m l^2/3 about the mass centre).

    N.y points down; the links start aligned, horizontal and at rest; the tip hits the floor 19 times in 10 s.
    """
    frame, pivot = me.ReferenceFrame("N"), me.Point("O")
    pivot.set_vel(frame, 0)
    q, u = me.dynamicsymbols("q1 q2"), me.dynamicsymbols("u1 u2")
    mass, length, g, depth = sm.symbols("m l g h", positive=True)
    system = me.System(frame=frame, fixed_point=pivot)
    parent, hinge = frame, pivot
    for number, (angle, speed) in enumerate(zip(q, u, strict=True), start=1):
        link = me.ReferenceFrame(f"A{number}")
        link.orient_axis(parent, angle, frame.x)
        link.set_ang_vel(parent, speed * frame.x)
        centre = hinge.locatenew(f"C{number}", length / 2 * link.y)
        moment = me.inertia(link, mass * length**2 / 3, 0, 0)
        system.add_bodies(me.RigidBody(f"link{number}", centre, link, mass, (moment, centre)))
        parent, hinge = link, hinge.locatenew(f"tip{number}", length * link.y)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(angle.diff() - speed for angle, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(g * frame.y)
    floor = pivot.locatenew("floor", depth * frame.y)
    parameters = {mass: 1.0, length: 1.0, g: 9.8, depth: 1.5, RESTITUTION: 0.8}
    start = dict(zip([*q, *u], (pi / 2, 0.0, 0.0, 0.0), strict=True))
    return Case(system, (hinge,), floor, -frame.y, parameters, start)


def oscillator(start: float, wall: float, restitution: float) -> Case:
    """A unit mass on a unit spring, x'' = -x, released at rest at `start`, on one side of a wall at x = `wall`."""
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    (x, v), position = me.dynamicsymbols("x v"), sm.Symbol("w")
    mass, stiffness = sm.symbols("m k", positive=True)
    point = origin.locatenew("P", x * frame.x)
    point.set_vel(frame, v * frame.x)
    system = me.System(frame=frame, fixed_point=origin)
    system.add_bodies(me.Particle("mass", point, mass))
    system.add_coordinates(x)
    system.add_speeds(v)
    system.add_kdes(x.diff() - v)
    system.add_loads(me.Force(point, -stiffness * x * frame.x))
    normal = frame.x if start > wall else -frame.x
    parameters = {mass: 1.0, stiffness: 1.0, position: wall, RESTITUTION: restitution}
    return Case(system, (point,), origin.locatenew("wall", position * frame.x), normal, parameters, {x: start, v: 0.0})
