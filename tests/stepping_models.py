"""Planar bodies with friction on a slope, boxes, and balls on top of each other: what both engines simulate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mechanics_oracle
import sympy as sm
from contact_models import Case
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

t = dynamicsymbols._t


def planar_body(points: Mapping[str, Sequence[float]], moment: float) -> Case:
    """A body of 1 kg that moves in the plane x, z above a slope; points of it at given places touch with friction.

    The slope falls along N.x by the angle s. State [x, z, a, vx, vz, w]; positive angles lower the points at positive
    places along the body's x. Parameters e, mu, g and s.
    """
    m, g, s, e, mu = sm.symbols("m g s e mu")
    q, u = dynamicsymbols("x z a"), dynamicsymbols("vx vz w")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.y)
    B.set_ang_vel(N, u[2] * N.y)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.z)
    C.set_vel(N, u[0] * N.x + u[1] * N.z)
    system = System(N, O)
    system.add_bodies(RigidBody("body", C, B, m, (inertia(B, 0, moment * m, 0), C)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - coordinate.diff(t) for speed, coordinate in zip(u, q, strict=True)))
    system.apply_uniform_gravity(g * (sm.sin(s) * N.x - sm.cos(s) * N.z))
    floor = Plane(O, N.z)
    places = [C.locatenew(name, along * B.x + up * B.z) for name, (along, up) in points.items()]
    contacts = [Contact(place, floor, restitution=e, friction=mu, name=place.name) for place in places]
    return Case(HybridModel(system, contacts), {"m": 1.0, "g": 9.81, "s": 0.0, "e": 0.5, "mu": 0.3})


def block() -> Case:
    """A square block, edge 1 m, with its two lower corners."""
    return planar_body({"back": (-0.5, -0.5), "front": (0.5, -0.5)}, 1 / 6)


def rod() -> Case:
    """A slender rod of 1 m with its ends."""
    return planar_body({"A": (-0.5, 0.0), "B": (0.5, 0.0)}, 1 / 12)


def cube() -> Case:
    """A unit cube above a floor that its corners touch with friction, turned by a quaternion.

    State [x, y, z, e0, ..., e3, vx, vy, vz, w1, w2, w3].
    """
    system, corners = mechanics_oracle.cube("quaternion")
    floor, (e, mu) = Plane(system.fixed_point, system.z), sm.symbols("e mu")
    contacts = [Contact(corner, floor, restitution=e, friction=mu, name=corner.name) for corner in corners]
    numbers = {"m": 1.0, "h": 0.5, "g": 9.81, "e": 0.5, "mu": 0.3, "i1": 1 / 6, "i2": 1 / 6, "i3": 1 / 6}
    return Case(HybridModel(system, contacts), numbers)


def stack(count: int) -> Case:
    """Particles that move along N.z, one above the other over a floor; each may touch the one below it.

    State: heights, then velocities, the lowest first.
    """
    m, g, e = sm.symbols("m g e")
    q, u = dynamicsymbols(f"z1:{count + 1}"), dynamicsymbols(f"v1:{count + 1}")
    N, O = ReferenceFrame("N"), Point("O")
    balls = [O.locatenew(f"ball{i}", height * N.z) for i, height in enumerate(q, start=1)]
    system = System(N, O)
    system.add_bodies(*(Particle(ball.name, ball, m) for ball in balls))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - coordinate.diff(t) for speed, coordinate in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    contacts = [
        Contact(upper, Plane(lower, N.z), restitution=e, friction=0, name=f"{upper.name} on {lower.name}")
        for lower, upper in zip([O, *balls], balls, strict=False)
    ]
    return Case(HybridModel(system, contacts, length=1), {"m": 1.0, "g": 9.81, "e": 0.5})
