"""Piles with friction in the plane, as models: discs in a box, and blocks on a floor and on each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sm
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, ConvexPolygon, HybridModel, Plane, Sphere, polygon_contacts

RADIUS, GRAVITY = 0.4, 9.81  # m, m/s^2
HALF = 2.3  # m: the box is 4.6 m wide, so that no whole number of discs fills it

m, r, g, e, mu = sm.symbols("m r g e mu", positive=True)


@dataclass(frozen=True)
class Pile:
    """A model of n bodies, of which each has the coordinates x, y, theta and their rates as speeds."""

    model: HybridModel
    coordinates: tuple[sm.Expr, ...]
    speeds: tuple[sm.Expr, ...]

    def start(self, places: np.ndarray, speeds: np.ndarray | None = None) -> dict[sm.Expr, float]:
        """The start for arrays of shape (n, 3)."""
        rates = np.zeros(len(self.speeds)) if speeds is None else np.ravel(speeds)
        return dict(zip((*self.coordinates, *self.speeds), (*np.ravel(places), *rates), strict=True))


def numbers(restitution: float, friction: float, disc: bool = False) -> dict[sm.Symbol, float]:
    """Bodies of 1 kg; of discs also the radius."""
    return {m: 1.0, g: GRAVITY, e: restitution, mu: friction} | ({r: RADIUS} if disc else {})


def bodies_in_the_plane(n: int, moment: sm.Expr) -> tuple[System, list, list, list]:
    """The system of n free bodies in the plane, their bodies, coordinates and speeds."""
    N, O = ReferenceFrame("N"), Point("O")
    system, coordinates, speeds = System(N, O), [], []
    for i in range(n):
        q = dynamicsymbols(f"x{i} y{i} theta{i}")
        u = dynamicsymbols(f"v{i} w{i} omega{i}")
        frame, centre = ReferenceFrame(f"B{i}"), O.locatenew(f"C{i}", q[0] * N.x + q[1] * N.y)
        frame.orient_axis(N, q[2], N.z)
        system.add_bodies(RigidBody(f"body{i}", centre, frame, m, (inertia(frame, 0, 0, moment), centre)))
        coordinates += q
        speeds += u
    system.add_coordinates(*coordinates)
    system.add_speeds(*speeds)
    system.add_kdes(*(speed - place.diff() for speed, place in zip(speeds, coordinates, strict=True)))
    system.apply_uniform_gravity(-g * N.y)
    return system, list(system.bodies), coordinates, speeds


@cache
def discs(n: int) -> Pile:
    """Discs between a floor and two walls."""
    system, bodies, q, u = bodies_in_the_plane(n, m * r**2 / 2)
    N, O = system.frame, system.fixed_point
    balls = [Sphere(body.masscenter, r, frame=body.frame, name=f"disc{i}") for i, body in enumerate(bodies)]
    left, right = O.locatenew("left", -HALF * N.x), O.locatenew("right", HALF * N.x)
    sides = [Plane(O, N.y), Plane(left, N.x), Plane(right, -N.x)]
    how = {"restitution": e, "friction": mu}
    contacts = [Contact(ball, side, **how) for ball in balls for side in sides]
    contacts += [Contact(balls[i], balls[j], **how) for i in range(n) for j in range(i)]
    return Pile(HybridModel(system, contacts, length=1), tuple(q), tuple(u))


@cache
def blocks(n: int, width: float, height: float) -> Pile:
    """Blocks (m) that touch a floor with their corners, and each other with corners and edges."""
    system, bodies, q, u = bodies_in_the_plane(n, m * (width**2 + height**2) / 12)
    N, O, polygons = system.frame, system.fixed_point, []
    for i, body in enumerate(bodies):
        B = body.frame
        signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        places = [a * width / 2 * B.x + b * height / 2 * B.y for a, b in signs]
        corners = [body.masscenter.locatenew(f"P{i}{k}", place) for k, place in enumerate(places)]
        polygons.append(ConvexPolygon(corners, N.z, B, name=f"block{i}"))
    how = {"restitution": e, "friction": mu}
    contacts = [Contact(corner, Plane(O, N.y), **how) for polygon in polygons for corner in polygon.corners]
    for i in range(n):
        for j in range(i):
            contacts += polygon_contacts(polygons[j], polygons[i], **how)
    return Pile(HybridModel(system, contacts, length=1), tuple(q), tuple(u))
