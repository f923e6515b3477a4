"""Models built with SymPy alone, and SymPy's own equations of motion in numbers: the truth for the derivation."""

from __future__ import annotations

import numpy as np
import sympy as sm
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    SphericalJoint,
    System,
    dynamicsymbols,
    inertia,
)

from sympact.graph import Function, Graph, numpy_function

t = dynamicsymbols._t


def body(name, mass=None, frame=None):
    """A rigid body with a full inertia matrix of symbols."""
    frame = frame or ReferenceFrame(f"{name}_frame")
    centre = Point(f"{name}_centre")
    ixx, iyy, izz, ixy = sm.symbols(f"{name}_ixx {name}_iyy {name}_izz {name}_ixy")
    tensor = inertia(frame, ixx, iyy, izz, ixy)
    return RigidBody(name, centre, frame, mass or sm.Symbol(f"{name}_m"), (tensor, centre))


def chain(n, kind):
    """Bodies that hang on each other: pins about one axis, pins about three axes, or spherical joints."""
    ground = RigidBody("ground")
    system, parent, place, tips = System.from_newtonian(ground), ground, ground.masscenter, []
    for i in range(n):
        link = body(f"b{i}")
        d, l = sm.symbols(f"d{i} l{i}")
        top = link.masscenter.locatenew(f"top{i}", d * link.y)
        if kind == "spherical":
            joint = SphericalJoint(f"J{i}", parent, link, parent_point=place, child_point=top)
        else:
            axis = "xyz"[i % 3] if kind == "spatial" else "z"
            joint = PinJoint(
                f"J{i}", parent, link, parent_point=place, child_point=top, joint_axis=getattr(parent, axis)
            )
        system.add_joints(joint)
        tips.append(link.masscenter.locatenew(f"tip{i}", (d - l) * link.y))
        parent, place = link, tips[-1]
    system.apply_uniform_gravity(-sm.Symbol("g") * ground.y)
    return system, tips


def cube(speeds):
    """A free body whose speeds are Euler rates, body-fixed angular velocity, or that with a quaternion."""
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    x, y, z = dynamicsymbols("x y z")
    vx, vy, vz, w1, w2, w3 = dynamicsymbols("vx vy vz w1 w2 w3")
    centre = O.locatenew("C", x * N.x + y * N.y + z * N.z)
    angles = dynamicsymbols("e0:4" if speeds == "quaternion" else "a b c")
    if speeds == "quaternion":
        B.orient_quaternion(N, angles)
    else:
        B.orient_body_fixed(N, angles, "ZXZ")
    spin = B.ang_vel_in(N)
    kdes = [a.diff(t) - b for a, b in ((x, vx), (y, vy), (z, vz))]
    if speeds == "rates":
        kdes += [a.diff(t) - b for a, b in zip(angles, (w1, w2, w3), strict=True)]
        centre.set_vel(N, centre.pos_from(O).dt(N))
    else:
        kdes += [spin.dot(axis) - w for axis, w in zip(B, (w1, w2, w3), strict=True)]
        B.set_ang_vel(N, w1 * B.x + w2 * B.y + w3 * B.z)
        centre.set_vel(N, vx * N.x + vy * N.y + vz * N.z)
    if speeds == "quaternion":
        kdes.append(sum(e * e.diff(t) for e in angles))
    m, h, g, i1, i2, i3 = sm.symbols("m h g i1 i2 i3", positive=True)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(RigidBody("cube", centre, B, m, (inertia(B, i1, i2, i3), centre)))
    system.add_coordinates(x, y, z, *angles)
    system.add_speeds(vx, vy, vz, w1, w2, w3)
    system.add_kdes(*kdes)
    system.apply_uniform_gravity(-g * N.z)
    corners = [
        centre.locatenew(f"P{k}", h * (sx * B.x + sy * B.y + sz * B.z))
        for k, (sx, sy, sz) in enumerate((i, j, k) for i in (1, -1) for j in (1, -1) for k in (1, -1))
    ]
    return system, corners


def bead_on_hoop():
    """A particle on a hoop that turns at a prescribed rate, by a `KanesMethod`."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u = dynamicsymbols("q u")
    m, r, g, rate = sm.symbols("m r g Omega")
    A = N.orientnew("A", "Axis", [rate * t, N.z])
    B = A.orientnew("B", "Axis", [q, A.y])
    O.set_vel(N, 0)
    P = O.locatenew("P", -r * B.z)
    bead = Particle("bead", P, m)
    P.vel(N)
    method = KanesMethod(N, [q], [u], kd_eqs=[q.diff(t) - u])
    method.kanes_equations([bead], [(P, -m * g * N.z)])
    return method, P, O


def evaluate(graph: Graph, nodes, x, p, time=0.0):
    """The values of nodes of a graph."""
    return numpy_function(graph, Function("values", tuple(nodes), ("t", "x", "p")))(time, x, p)


def states(derivation, number=3, seed=0):
    """Random states and parameter values, with unit quaternions."""
    rng = np.random.default_rng(seed)
    letters = len(derivation.symbols.parameters) + len(derivation.symbols.inputs)
    for _ in range(number):
        x = rng.uniform(-1, 1, len(derivation.x))
        for group in derivation.quaternions:
            x[list(group)] /= np.linalg.norm(x[list(group)])
        yield x, rng.uniform(0.5, 1.5, letters), rng.uniform(0, 1)


def sympy_numbers(derivation, expressions):
    """A function of (x, p, t) with the values of SymPy expressions; q' in them is replaced by the derivation's."""
    symbols = derivation.symbols
    rates = symbols.rates()
    arguments = [*symbols.inputs[::-1], *rates, *derivation.x, *symbols.parameters, t]
    dummies = [sm.Dummy() for _ in arguments]
    known = dict(zip(arguments, dummies, strict=True))
    written = [expression.xreplace(known) for expression in expressions]
    function = sm.lambdify(dummies, written, cse=True, docstring_limit=0)

    def values(x, p, time):
        slopes = evaluate(derivation.graph, derivation.rates, x, p, time)
        n = len(symbols.parameters)
        return np.array(function(*p[n:][::-1], *slopes, *x, *p[:n], time), dtype=float)

    return values


def assert_same_equations(derivation, mass_matrix, forcing, tolerance=1e-12):
    """M and f of a derivation against SymPy's, at random states, relative to their largest entries."""
    n = len(derivation.symbols.u)
    theirs = sympy_numbers(derivation, [*mass_matrix, *forcing])
    ours = [entry for row in derivation.equations.mass_matrix for entry in row] + list(derivation.equations.forcing)
    for x, p, time in states(derivation):
        found, truth = evaluate(derivation.graph, ours, x, p, time), theirs(x, p, time)
        for part in (slice(0, n * n), slice(n * n, None)):
            scale = max(np.abs(truth[part]).max(), 1e-3)
            assert np.abs(found[part] - truth[part]).max() <= tolerance * scale
