"""Constrained mechanisms in SymPy's words, with SymPy's own equations of motion as the truth for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sm
from mechanics_oracle import evaluate, sympy_numbers
from sympy.physics.mechanics import (
    LagrangesMethod,
    Lagrangian,
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

t = dynamicsymbols._t


@dataclass(frozen=True)
class Constrained:
    """A source with its constraints as expressions, and the equations that SymPy forms of it.

    `left` and `right` are those of x' or u': left @ slopes = right, of which the first entries are u'.
    """

    source: object
    positions: tuple[sm.Expr, ...]
    speeds: tuple[sm.Expr, ...]
    left: sm.Matrix
    right: sm.Matrix


def rod(name, parent, place, axis=None):
    """A rod that a pin holds at one end, and the pin's joint and the rod's far end."""
    m, l, i = sm.symbols(f"m_{name} l_{name} i_{name}")
    frame, centre = ReferenceFrame(f"{name}_frame"), Point(f"{name}_centre")
    body = RigidBody(name, centre, frame, m, (inertia(frame, i, i, i), centre))
    near, far = centre.locatenew(f"{name}_near", -l / 3 * frame.x), centre.locatenew(f"{name}_far", 2 * l / 3 * frame.x)
    joint = PinJoint(name, parent, body, parent_point=place, child_point=near, joint_axis=axis or parent.z)
    return body, joint, far


def linkage(n, slider=False):
    """Rods in a row on the ground, the last of which may be held by a slider; the system, its ends, and its points."""
    ground = RigidBody("ground")
    system, parent, place, ends = System.from_newtonian(ground), ground, ground.masscenter, []
    for i in range(n):
        body, joint, place = rod(f"r{i}", parent, place, ground.z)
        system.add_joints(joint)
        parent = body
        ends.append(place)
    if slider:
        block = Particle("block", mass=sm.Symbol("m_block"))
        system.add_joints(PrismaticJoint("slide", ground, block, joint_axis=ground.x))
        ends.append(block.masscenter)
    system.apply_uniform_gravity(-sm.Symbol("g") * ground.y)
    return system, ends


def four_bar():
    """Three rods whose last end is a fixed point."""
    system, ends = linkage(3)
    N, O = system.frame, system.fixed_point
    dx, dy = sm.symbols("d_x d_y")
    away = ends[-1].pos_from(O) - dx * N.x - dy * N.y
    phi = [sm.trigsimp(away.dot(axis)) for axis in (N.x, N.y)]
    return _with_kane(system, phi, (), system.q[1:], system.u[1:])


def slider_crank():
    """A crank and a rod whose end is the sliding block."""
    system, ends = linkage(2, slider=True)
    away = ends[1].pos_from(ends[2])
    phi = [sm.trigsimp(away.dot(axis)) for axis in (system.frame.x, system.frame.y)]
    return _with_kane(system, phi, (), system.q[1:], system.u[1:])


def driven_crank():
    """A slider-crank whose block is moved by a function of time, and by an input."""
    system, ends = linkage(2, slider=True)
    away = ends[1].pos_from(ends[2])
    drive = system.q[2] - sm.Function("F")(t) * sm.Symbol("h") * sm.cos(2 * t)
    phi = [*(sm.trigsimp(away.dot(axis)) for axis in (system.frame.x, system.frame.y)), drive]
    return _with_kane(system, phi, (), system.q, system.u)


def rolling_disc():
    """A disc that rolls without slip: yaw, lean, spin and the place of its centre."""
    N, O = ReferenceFrame("N"), Point("O")
    yaw, lean, spin, x, y = q = dynamicsymbols("yaw lean spin x y")
    w1, w2, w3, vx, vy = u = dynamicsymbols("w1 w2 w3 vx vy")
    m, r, g, i, j = sm.symbols("m r g i j")
    Y = N.orientnew("Y", "Axis", [yaw, N.z])
    L = Y.orientnew("L", "Axis", [lean, Y.x])
    D = L.orientnew("D", "Axis", [spin, L.y])
    centre = O.locatenew("C", x * N.x + y * N.y + r * sm.cos(lean) * N.z)
    omega = D.ang_vel_in(N)
    kdes = [omega.dot(axis) - w for axis, w in zip(L, (w1, w2, w3), strict=True)]
    kdes += [x.diff(t) - vx, y.diff(t) - vy]
    D.set_ang_vel(N, w1 * L.x + w2 * L.y + w3 * L.z)
    O.set_vel(N, 0)
    rates = sm.solve(kdes, [letter.diff(t) for letter in q])
    fast = vx * N.x + vy * N.y - (r * sm.sin(lean) * rates[lean.diff(t)]) * N.z
    centre.set_vel(N, fast)
    material = fast + (w1 * L.x + w2 * L.y + w3 * L.z).cross(-r * L.z)
    rolls = [material.dot(axis) for axis in (N.x, N.y)]
    body = RigidBody("disc", centre, D, m, (inertia(L, i, j, i), centre))
    system = System(frame=N, fixed_point=O)
    system.add_bodies(body)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*kdes)
    system.apply_uniform_gravity(-g * N.z)
    return _with_kane(system, (), rolls, (), (vx, vy))


def _with_kane(system, positions, speeds, q_dependent, u_dependent):
    """The system with its constraints, and what SymPy's `KanesMethod` makes of it."""
    dependent = list(q_dependent)
    q, u = list(system.q), list(system.u)
    if positions:
        system.add_holonomic_constraints(*positions)
        last = dependent[len(dependent) - len(positions) :]
        system.q_ind, system.q_dep = [letter for letter in q if letter not in last], last
    if speeds:
        system.add_nonholonomic_constraints(*speeds)
    last = list(u_dependent)[-len(positions) - len(speeds) :]
    system.u_ind, system.u_dep = [], []
    system.u_ind, system.u_dep = [letter for letter in u if letter not in last], last
    if len(last) < len(u):
        system.form_eoms()
        left, right = system.mass_matrix, system.forcing
    else:
        left, right = sm.zeros(0, len(u)), sm.zeros(0, 1)
    return Constrained(system, tuple(positions), tuple(speeds), left, right)


def cartesian_pendulum():
    """A particle on a rod, in Cartesian coordinates, by Lagrange's method."""
    x, y = dynamicsymbols("x y")
    m, l, g = sm.symbols("m l g")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, x.diff(t) * N.x + y.diff(t) * N.y)
    ball = Particle("ball", P, m)
    ball.potential_energy = m * g * y
    phi = x**2 + y**2 - l**2
    method = LagrangesMethod(Lagrangian(N, ball), [x, y], hol_coneqs=[phi], bodies=[ball], frame=N)
    method.form_lagranges_equations()
    return Constrained(method, (phi,), (), method.mass_matrix_full[2:, 2:], method.forcing_full[2:, :])


def knife_edge():
    """A blade on a slope that moves along its edge alone, by Lagrange's method."""
    x, y, angle = dynamicsymbols("x y angle")
    m, j, g, slope = sm.symbols("m j g slope")
    L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 + j * angle.diff(t) ** 2 / 2 + m * g * sm.sin(slope) * x
    edge = x.diff(t) * sm.sin(angle) - y.diff(t) * sm.cos(angle)
    method = LagrangesMethod(L, [x, y, angle], nonhol_coneqs=[edge])
    method.form_lagranges_equations()
    return Constrained(method, (), (edge,), method.mass_matrix_full[3:, 3:], method.forcing_full[3:, :])


def rows_of(derivation, x, p, time):
    """phi, A, a and A' u + a' of a derivation in numbers; phi of its positions."""
    rows, n = derivation.constraints, len(derivation.symbols.u)
    nodes = [row.position for row in rows if row.position is not None]
    phi = evaluate(derivation.graph, nodes, x, p, time) if nodes else np.zeros(0)
    values = evaluate(
        derivation.graph, [node for row in rows for node in (*row.jacobian, row.drift, row.bias, row.rate)], x, p, time
    ).reshape(len(rows), n + 3)
    return phi, values[:, :n], values[:, n], values[:, n + 1], values[:, n + 2]


def accelerations(derivation, x, p, time):
    """u' and the multipliers by M u' = f + A^T kappa, A u' + (A' u + a') = 0."""
    n = len(derivation.symbols.u)
    mass = evaluate(derivation.graph, [e for row in derivation.equations.mass_matrix for e in row], x, p, time)
    force = evaluate(derivation.graph, derivation.equations.forcing, x, p, time)
    _, a, _, bias, _ = rows_of(derivation, x, p, time)
    matrix = np.block([[mass.reshape(n, n), -a.T], [a, np.zeros((len(a), len(a)))]])
    solution = np.linalg.lstsq(matrix, np.concatenate([force, -bias]), rcond=1e-13)[0]
    return solution[:n], solution[n:]


def consistent(derivation, case, x, p, time):
    """A state near x that meets the constraints as SymPy's expressions say them: Newton's method for q, then for u."""
    n, m = len(derivation.symbols.q), len(derivation.symbols.u)
    x = np.array(x, dtype=float)
    if case.positions:
        columns = sm.Matrix(case.positions).jacobian(derivation.symbols.q)
        values = sympy_numbers(derivation, [*case.positions, *columns])
        k = len(case.positions)
        for _ in range(60):
            found = values(x, p, time)
            x[:n] -= np.linalg.lstsq(found[k:].reshape(k, n), found[:k], rcond=None)[0]
        assert np.abs(values(x, p, time)[:k]).max() < 1e-13
    speeds = sympy_numbers(derivation, velocity_constraints(case))
    x[n:] -= np.linalg.lstsq(*linear(speeds, x, p, time, n, m)[:2], rcond=None)[0]
    return x


def velocity_constraints(case):
    """Those of SymPy: the derivatives of the positions, and the conditions on speeds."""
    return [*(phi.diff(t) for phi in case.positions), *case.speeds]


def kinematics_of(case):
    """q' as functions of u, by SymPy; empty where the speeds are q'."""
    if not isinstance(case.source, System):
        return {}
    return sm.solve(list(case.source.kdes), [letter.diff(t) for letter in case.source.q])


def linear(values, x, p, time, n, m):
    """A, A u + a and a of functions that are linear in the speeds, by their values."""
    x = np.array(x, dtype=float)
    rate = values(x, p, time)
    x[n:] = 0.0
    rest = values(x, p, time)
    columns = []
    for j in range(m):
        x[n:] = np.eye(m)[j]
        columns.append(values(x, p, time) - rest)
    return np.array(columns).T, rate, rest
