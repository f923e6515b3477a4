"""Models of several bodies that are connected by nothing, by springs, or by contacts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from sympact import Contact, HybridModel, Plane, Sphere

__all__ = ["balls_in_a_box", "balls_in_a_row", "dice_beside_each_other", "springs_between_particles"]

Built = tuple[HybridModel, dict, dict]


def _free_body(system: me.System, i: int, mass: sm.Symbol, moment: sm.Expr) -> tuple[me.RigidBody, list, list]:
    """A body whose orientation is a quaternion and whose angular velocity has components in the body."""
    frame, origin = system.frame, system.fixed_point
    q = me.dynamicsymbols(f"x{i} y{i} z{i} a{i} b{i} c{i} d{i}")
    u = me.dynamicsymbols(f"vx{i} vy{i} vz{i} wx{i} wy{i} wz{i}")
    turned, (e0, e1, e2, e3), (w1, w2, w3) = me.ReferenceFrame(f"B{i}"), q[3:], u[3:]
    turned.orient_quaternion(frame, (e0, e1, e2, e3))
    turned.set_ang_vel(frame, w1 * turned.x + w2 * turned.y + w3 * turned.z)
    centre = origin.locatenew(f"G{i}", q[0] * frame.x + q[1] * frame.y + q[2] * frame.z)
    centre.set_vel(frame, u[0] * frame.x + u[1] * frame.y + u[2] * frame.z)
    body = me.RigidBody(f"body{i}", centre, turned, mass, (me.inertia(turned, moment, moment, moment), centre))
    rates = [
        (-e1 * w1 - e2 * w2 - e3 * w3) / 2,
        (e0 * w1 - e3 * w2 + e2 * w3) / 2,
        (e3 * w1 + e0 * w2 - e1 * w3) / 2,
        (-e2 * w1 + e1 * w2 + e0 * w3) / 2,
    ]
    system.add_bodies(body)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*[a.diff() - b for a, b in zip(q[:3], u[:3], strict=True)])
    system.add_kdes(*[a.diff() - b for a, b in zip(q[3:], rates, strict=True)])
    return body, q, u


def dice_beside_each_other(seeds: Sequence[int], *, mu: float) -> Built:
    """A cube for each seed, thrown above a floor; the same seed gives the same throw, whichever its place."""
    m, a, g, e, f = sm.symbols("m a g e mu", positive=True)
    system = me.System.from_newtonian(me.RigidBody("ground"))
    floor = Plane(system.fixed_point, system.frame.z)
    contacts, start = [], {}
    for i, seed in enumerate(seeds):
        body, q, u = _free_body(system, i, m, m * a**2 / 6)
        for j, signs in enumerate(itertools.product((-1, 1), repeat=3)):
            away = sum((sign * a / 2 * axis for sign, axis in zip(signs, body.frame, strict=True)), me.Vector(0))
            corner = body.masscenter.locatenew(f"P{i}_{j}", away)
            contacts.append(Contact(corner, floor, restitution=e, friction=f if mu else 0, name=f"c{i}_{j}"))
        rng = np.random.default_rng(seed)
        turn = rng.normal(size=4)
        start |= dict(zip(q, [2.0 * seed, 0.0, 1.5, *(turn / np.linalg.norm(turn))], strict=True))
        start |= dict(zip(u, [*rng.uniform(-0.5, 0.5, 2), 0.0, *rng.uniform(-5, 5, 3)], strict=True))
    system.apply_uniform_gravity(-g * system.frame.z)
    model, numbers = HybridModel(system, contacts), {m: 1.0, a: 1.0, g: 9.8, e: 0.5, f: mu}
    return model, start, {symbol: numbers[symbol] for symbol in model.parameters}


def balls_in_a_box(count: int, *, mu: float, seed: int = 0) -> Built:
    """Balls of 0.1 m that are thrown into a box beside and above each other."""
    m, r, g, e, f, width = sm.symbols("m r g e mu L", positive=True)
    system = me.System.from_newtonian(me.RigidBody("ground"))
    frame, origin = system.frame, system.fixed_point
    walls = [("floor", Plane(origin, frame.z))]
    for name, axis in (("x", frame.x), ("y", frame.y)):
        walls.append((f"{name}0", Plane(origin, axis)))
        walls.append((f"{name}1", Plane(origin.locatenew(f"W{name}", width * axis), -axis)))
    side, rng = int(np.ceil(count ** (1 / 3) - 1e-9)), np.random.default_rng(seed)
    contacts, start, spheres = [], {}, []
    for i in range(count):
        body, q, u = _free_body(system, i, m, sm.Rational(2, 5) * m * r**2)
        spheres.append(Sphere(body.masscenter, r, frame=body.frame))
        named = [*walls, *((f"b{j}", spheres[j]) for j in range(i))]
        contacts += [
            Contact(spheres[i], other, restitution=e, friction=f if mu else 0, name=f"b{i}_{name}")
            for name, other in named
        ]
        place = np.array([i % side, i // side % side, i // side**2]) * 0.25
        place += [*(0.175 + rng.uniform(-0.01, 0.01, 2)), 1.0]
        start |= dict(zip(q, [*place, 1.0, 0.0, 0.0, 0.0], strict=True))
        start |= dict(zip(u, [*rng.uniform(-1, 1, 3), *rng.uniform(-5, 5, 3)], strict=True))
    system.apply_uniform_gravity(-g * frame.z)
    model = HybridModel(system, contacts)
    numbers = {m: 0.1, r: 0.1, g: 9.8, e: 0.5, f: mu, width: 0.25 * side + 0.1}
    return model, start, {symbol: numbers[symbol] for symbol in model.parameters}


def balls_in_a_row(count: int, *, gap: float, speed: float) -> Built:
    """Balls of 0.1 m on a floor without friction, e = 1, of which the first moves along the row of the others."""
    m, r, g = sm.symbols("m r g", positive=True)
    system = me.System.from_newtonian(me.RigidBody("ground"))
    floor, contacts, start, spheres = Plane(system.fixed_point, system.frame.z), [], {}, []
    for i in range(count):
        body, q, u = _free_body(system, i, m, sm.Rational(2, 5) * m * r**2)
        spheres.append(Sphere(body.masscenter, r, frame=body.frame))
        contacts.append(Contact(spheres[i], floor, restitution=0, friction=0, name=f"b{i}_floor"))
        contacts += [Contact(spheres[i], spheres[j], restitution=1, friction=0, name=f"b{i}_b{j}") for j in range(i)]
        start |= dict(zip(q, [(0.2 + gap) * i, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0], strict=True))
        start |= dict(zip(u, [0.0 if i else speed, *[0.0] * 5], strict=True))
    system.apply_uniform_gravity(-g * system.frame.z)
    return HybridModel(system, contacts), start, {m: 0.1, r: 0.1, g: 9.8}


def springs_between_particles(count: int, springs: Sequence[tuple[int, int]]) -> HybridModel:
    """Particles on a line with springs between some of them."""
    k, frame, origin = sm.Symbol("k", positive=True), me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    system = me.System(frame, origin)
    q, u = me.dynamicsymbols(f"q:{count}"), me.dynamicsymbols(f"u:{count}")
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*[a.diff() - b for a, b in zip(q, u, strict=True)])
    points = []
    for i in range(count):
        points.append(origin.locatenew(f"P{i}", q[i] * frame.x))
        points[i].set_vel(frame, u[i] * frame.x)
        system.add_bodies(me.Particle(f"p{i}", points[i], sm.Symbol(f"m{i}", positive=True)))
    for i, j in springs:
        pull = k * (q[j] - q[i]) * frame.x
        system.add_loads(me.Force(points[i], pull), me.Force(points[j], -pull))
    return HybridModel(system, [])
