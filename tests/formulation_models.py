"""Mechanisms in coordinates with constraints, each with its motion in minimal coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import HybridModel

t = dynamicsymbols._t
G = 9.81


@dataclass(frozen=True)
class Mechanism:
    """A source and a start, and the first coordinate at a time.

    `minimal(t, faster)` is that coordinate in minimal coordinates; `faster` is added to its speed at the start.
    """

    source: System
    start: np.ndarray
    minimal: Callable[[float, float], float]

    def model(self, formulation):
        """With a formulation."""
        return HybridModel(self.source, [], formulation=formulation)


def empty(letters):
    """A system with coordinates of these names, their derivatives as speeds; the coordinates, the speeds."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    q = [dynamicsymbols(name) for name in letters.split()]
    u = [dynamicsymbols(f"u_{name}") for name in letters.split()]
    system = System(frame=N, fixed_point=O)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    return system, q, u


def add_rod(system, name, mass, length, angle, speed, x, y):
    """A uniform rod in the plane, its centre at x, y; its frame and its ends."""
    N, O = system.frame, system.fixed_point
    frame = N.orientnew(name, "Axis", [angle, N.z])
    frame.set_ang_vel(N, speed * N.z)
    centre = O.locatenew(f"{name}_centre", x * N.x + y * N.y)
    system.add_bodies(RigidBody(name, centre, frame, mass, (inertia(frame, 0, 0, mass * length**2 / 12), centre)))
    return centre.locatenew(f"{name}_near", -frame.x * length / 2), centre.locatenew(
        f"{name}_far", frame.x * length / 2
    )


def join(system, one, other):
    """The coordinates of two points in the plane are equal."""
    away = one.pos_from(other)
    system.add_holonomic_constraints(away.dot(system.frame.x), away.dot(system.frame.y))


def turning(effective, potential, angle, speed):
    """The angle of a mechanism of one freedom that never stops: w = sqrt(2 (E - V)/J), by T = J(angle) w^2 / 2."""

    def minimal(end, faster=0.0):
        total = effective(angle) * (speed + faster) ** 2 / 2 + potential(angle)

        def rate(_, a):
            return np.sqrt(2.0 * (total - potential(a)) / effective(a))

        return solve_ivp(rate, (0.0, end), [angle], method="DOP853", rtol=3e-14, atol=1e-14).y[0, -1]

    return minimal


def by_places(bodies):
    """J and V of bodies (mass, inertia, function of an angle that gives x, y, cos and sin), by a complex step."""

    def effective(angle):
        total = 0.0
        for mass, spin, places in bodies:
            x, y, c, s = places(np.asarray(angle, dtype=float) + 1e-30j)
            turn = c.real * s.imag - s.real * c.imag
            total = total + mass * (x.imag**2 + y.imag**2) + spin * turn**2
        return total * 1e60

    def potential(angle):
        return sum(mass * G * places(np.asarray(angle, dtype=float))[1] for mass, _, places in bodies)

    return effective, potential


def spinning_pendulum():
    """A particle on a circle that turns over, in Cartesian coordinates, y first."""
    system, (y, x), _ = empty("y x")
    N, O = system.frame, system.fixed_point
    system.add_bodies(Particle("ball", O.locatenew("P", x * N.x + y * N.y), 1))
    system.add_holonomic_constraints((x**2 + y**2 - 1) / 2)
    system.apply_uniform_gravity(-G * N.y)
    angle = turning(lambda a: 1.0 + 0.0 * a, lambda a: G * np.sin(a), 0.0, 8.0)
    return Mechanism(system, np.array([0.0, 1.0, 8.0, 0.0]), lambda end, faster=0.0: np.sin(angle(end, faster)))


def two_points():
    """Two particles on rods in Cartesian coordinates, released level at rest."""
    system, (x1, y1, x2, y2), _ = empty("x1 y1 x2 y2")
    N, O = system.frame, system.fixed_point
    for k, (x, y) in enumerate(((x1, y1), (x2, y2))):
        system.add_bodies(Particle(f"ball{k}", O.locatenew(f"P{k}", x * N.x + y * N.y), 1))
    system.add_holonomic_constraints(x1**2 + y1**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1)
    system.apply_uniform_gravity(-G * N.y)

    def rate(_, z):
        a, b, v, w = z
        c, s = np.cos(a - b), np.sin(a - b)
        left = np.array([[2.0, c], [c, 1.0]])
        right = [-s * w**2 - 2.0 * G * np.cos(a), s * v**2 - G * np.cos(b)]
        return np.concatenate([[v, w], np.linalg.solve(left, right)])

    def minimal(end, faster=0.0):
        start = [0.0, 0.0, 0.0, faster]
        return np.cos(solve_ivp(rate, (0.0, end), start, method="DOP853", rtol=3e-14, atol=1e-14).y[0, -1])

    return Mechanism(system, np.array([1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), minimal)


def meeting(first, radius, second, other):
    """The upper point at two distances from two points."""
    dx, dy = second[0] - first[0], second[1] - first[1]
    square = dx * dx + dy * dy
    along = (square + radius**2 - other**2) / (2.0 * square)
    across = np.sqrt(radius**2 / square - along * along)
    return first[0] + along * dx - across * dy, first[1] + along * dy + across * dx


def four_bar():
    """A crank that turns, a coupler and a rocker, each with the place of its centre and its angle."""
    lengths, ground, speed = (1.0, 3.5, 3.0), 4.0, 7.0
    system, q, u = empty("a b c x1 y1 x2 y2 x3 y3")
    N, O = system.frame, system.fixed_point
    ends = [add_rod(system, f"R{k}", lengths[k], lengths[k], q[k], u[k], q[3 + 2 * k], q[4 + 2 * k]) for k in range(3)]
    far = O.locatenew("ground", ground * N.x)
    for one, other in ((ends[0][0], O), (ends[0][1], ends[1][0]), (ends[1][1], ends[2][1]), (ends[2][0], far)):
        join(system, one, other)
    system.apply_uniform_gravity(-G * N.y)

    def corners(angle):
        pin = np.cos(angle), np.sin(angle)
        return pin, meeting(pin, lengths[1], (ground, 0.0), lengths[2])

    def crank(angle):
        return np.cos(angle) / 2, np.sin(angle) / 2, np.cos(angle), np.sin(angle)

    def coupler(angle):
        (x, y), (z, w) = corners(angle)
        return (x + z) / 2, (y + w) / 2, (z - x) / lengths[1], (w - y) / lengths[1]

    def rocker(angle):
        _, (z, w) = corners(angle)
        return (z + ground) / 2, w / 2, (z - ground) / lengths[2], w / lengths[2]

    return _on_places(system, lengths, (crank, coupler, rocker), 1.0, speed)


def slider_crank():
    """A crank that turns, a rod and a slider in the plane."""
    lengths, speed = (1.0, 2.5), 9.0
    system, q, u = empty("a b x1 y1 x2 y2 x3")
    N, O = system.frame, system.fixed_point
    ends = [add_rod(system, f"R{k}", 1.0, lengths[k], q[k], u[k], q[2 + 2 * k], q[3 + 2 * k]) for k in range(2)]
    slider = O.locatenew("slider", q[6] * N.x)
    system.add_bodies(Particle("block", slider, 1))
    for one, other in ((ends[0][0], O), (ends[0][1], ends[1][0]), (ends[1][1], slider)):
        join(system, one, other)
    system.apply_uniform_gravity(-G * N.y)
    return _on_places(system, lengths, _crank_places(lengths[1]), 1.0, speed, masses=(1.0, 1.0, 1.0))


def spatial_slider_crank(tilt=0.5):
    """The same of bodies in space: four joints with five constraints each, on eighteen coordinates with one freedom.

    Its plane is turned about the horizontal axis of the slider, so that no coordinate is zero; gravity stays in it.
    """
    lengths, speed = (1.0, 2.5), 9.0
    letters = ("a", "b", "c")
    system, q, u = empty(" ".join(f"{k} {k}1 {k}2 {k}x {k}y {k}z" for k in letters))
    N, O = system.frame, system.fixed_point
    T = N.orientnew("T", "Axis", [tilt, N.x])
    frames, centres = [], []
    for k, name in enumerate(letters):
        own, rates = q[6 * k : 6 * k + 6], u[6 * k : 6 * k + 6]
        frame = N.orientnew(f"F{name}", "Body", [own[0], own[1], own[2]], "ZXY")
        spin = frame.ang_vel_in(N).subs({place.diff(t): rate for place, rate in zip(own, rates, strict=True)})
        frame.set_ang_vel(N, spin)
        centre = O.locatenew(f"C{name}", own[3] * N.x + own[4] * N.y + own[5] * N.z)
        size = (*lengths, 0.4)[k]
        system.add_bodies(RigidBody(name, centre, frame, 1, (inertia(frame, 0.01, size**2 / 12, size**2 / 12), centre)))
        frames.append(frame)
        centres.append(centre)
    near = [centres[k].locatenew(f"near{k}", -frames[k].x * lengths[k] / 2) for k in range(2)]
    far = [centres[k].locatenew(f"far{k}", frames[k].x * lengths[k] / 2) for k in range(2)]
    for one, other, frame, base in (
        (near[0], O, frames[0], T),
        (near[1], far[0], frames[1], frames[0]),
        (centres[2], far[1], frames[2], frames[1]),
    ):
        away = one.pos_from(other)
        system.add_holonomic_constraints(*(away.dot(axis) for axis in T))
        system.add_holonomic_constraints(frame.z.dot(base.x), frame.z.dot(base.y))
    held = centres[2].pos_from(O)
    guide = frames[2]
    system.add_holonomic_constraints(held.dot(T.y), held.dot(T.z), guide.x.dot(T.y), guide.x.dot(T.z), guide.y.dot(T.z))
    system.apply_uniform_gravity(-G * T.y)
    flat = _on_places(system, lengths, _crank_places(lengths[1]), 1.0, speed, masses=(1.0, 1.0, 1.0))

    def minimal(end, faster=0.0):
        angle = flat.minimal(end, faster)
        return angle + np.angle((np.cos(tilt) * np.cos(angle) + 1j * np.sin(angle)) * np.exp(-1j * angle))

    return replace(flat, start=_in_space(flat.start, tilt), minimal=minimal)


def _crank_places(length):
    def crank(angle):
        return np.cos(angle) / 2, np.sin(angle) / 2, np.cos(angle), np.sin(angle)

    def rod(angle):
        x, y = np.cos(angle), np.sin(angle)
        place = x + np.sqrt(length**2 - y * y)
        return (x + place) / 2, y / 2, (place - x) / length, -y / length

    def slider(angle):
        return np.cos(angle) + np.sqrt(length**2 - np.sin(angle) ** 2), 0.0 * angle, 1.0 + 0.0 * angle, 0.0 * angle

    return crank, rod, slider


def _on_places(system, lengths, places, angle, speed, masses=None):
    """The mechanism with its start and its minimal coordinate, from the places of its bodies; start in the plane."""
    masses = lengths if masses is None else masses
    spins = [mass * length**2 / 12 for mass, length in zip(masses, lengths, strict=False)]
    spins += [0.0] * (len(places) - len(spins))
    effective, potential = by_places(list(zip(masses, spins, places, strict=True)))
    at, rates = [], []
    for place in places:
        x, y, c, s = place(angle + 1e-30j)
        at.append((np.arctan2(s.real, c.real), x.real, y.real))
        rates.append(((c.real * s.imag - s.real * c.imag) * 1e30 * speed, x.imag * 1e30 * speed, y.imag * 1e30 * speed))
    start = np.concatenate([_arranged(part, len(system.q)) for part in (at, rates)])
    return Mechanism(system, start, turning(effective, potential, angle, speed))


def _arranged(values, size):
    """Angles, then places, as far as the mechanism has them: a slider has a place alone."""
    angles, places = [a for a, _, _ in values], [number for _, x, y in values for number in (x, y)]
    if size == 7:
        return np.array(angles[:-1] + places[:-1])
    return np.array(angles + places)


def _in_space(start, tilt):
    """The angles and places of bodies in space, and their rates, from those in a plane that is turned about x."""
    angles, places = np.split(start[:9], [3])
    turns, speeds = np.split(start[9:], [3])
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    q, u = [], []
    for k in range(3):
        c, s = np.cos(angles[k]), np.sin(angles[k])
        r = turn @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        d = turn @ np.array([[-s, -c, 0], [c, -s, 0], [0, 0, 0]]) * turns[k]
        pairs = [(-r[0, 1], r[1, 1], -d[0, 1], d[1, 1]), (-r[2, 0], r[2, 2], -d[2, 0], d[2, 2])]
        (yaw, yaw_rate), (roll, roll_rate) = (
            (np.arctan2(y, x), (x * v - y * w) / (x * x + y * y)) for y, x, v, w in pairs
        )
        lean, lean_rate = np.arcsin(r[2, 1]), d[2, 1] / np.sqrt(1.0 - r[2, 1] ** 2)
        q += [yaw, lean, roll, *(turn @ [*places[2 * k : 2 * k + 2], 0.0])]
        u += [yaw_rate, lean_rate, roll_rate, *(turn @ [*speeds[2 * k : 2 * k + 2], 0.0])]
    return np.array(q + u)
