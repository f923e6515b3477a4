"""Closed loops with constraints, and the same motions in one coordinate, from Lagrange's equation and by SciPy."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sm
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import (
    Force,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

t = dynamicsymbols._t
GRAVITY = 9.81
angle, speed = sm.symbols("angle speed")


@dataclass(frozen=True, eq=False)
class ClosedLoop:
    """A mechanism of one freedom.

    Attributes
    ----------
    system : System
        With its constraints.
    start : dict
        All states at `angle`, at rest.
    tracked : symbol
        The coordinate that is `angle`.
    lagrangian : expression
        L of the same mechanism, by `angle` and `speed`.
    forces : expression
        The generalized force of what has no potential.
    at : float
        The angle at the start (rad).
    """

    system: System
    start: dict
    tracked: sm.Expr
    lagrangian: sm.Expr
    forces: sm.Expr
    at: float

    @cached_property
    def _acceleration(self):
        momentum = sm.diff(self.lagrangian, speed)
        change = sm.diff(self.lagrangian, angle) + self.forces - sm.diff(momentum, angle) * speed
        return sm.lambdify((angle, speed), change / sm.diff(momentum, speed), cse=True, docstring_limit=0)

    def truth(self, end, method="DOP853", rtol=1e-12, atol=1e-13):
        """The angle at a time."""
        run = solve_ivp(
            lambda time, y: [y[1], self._acceleration(*y)],
            (0.0, end),
            [self.at, 0.0],
            method=method,
            rtol=rtol,
            atol=atol,
        )
        assert run.success
        return run.y[0, -1]


def two_points(redundant=False):
    """Two points on two rods of length 1 in Cartesian coordinates: no loop, four coordinates for two freedoms."""
    N, O = _ground()
    x1, y1, x2, y2 = q = dynamicsymbols("x1 y1 x2 y2")
    u = dynamicsymbols("vx1 vy1 vx2 vy2")
    first = O.locatenew("first", x1 * N.x + y1 * N.y)
    second = O.locatenew("second", x2 * N.x + y2 * N.y)
    system = _system(N, O, q, u, [Particle("a", first, 1), Particle("b", second, 1)])
    phi = [x1**2 + y1**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1]
    system.add_holonomic_constraints(*phi, *([sm.expand(phi[0] + phi[1])] if redundant else []))
    return system, dict(zip((*q, *u), (1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0), strict=True))


def two_angles(end):
    """The same points at a time from the angles of the rods, which start level at rest."""

    def rates(time, y):
        a, b, w, v = y
        mass = np.array([[2.0, np.cos(a - b)], [np.cos(a - b), 1.0]])
        force = [-v * v * np.sin(a - b) - 2 * GRAVITY * np.cos(a), w * w * np.sin(a - b) - GRAVITY * np.cos(b)]
        return [w, v, *np.linalg.solve(mass, force)]

    a, b = solve_ivp(rates, (0.0, end), np.zeros(4), method="DOP853", rtol=1e-13, atol=1e-14).y[:2, -1]
    return np.array([np.cos(a), np.sin(a), np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)])


def slider_crank(crank=0.3, rod=0.8, at=0.7, damping=0.0, stiffness=0.0):
    """A crank and a rod of 1 kg each, and a block of 1 kg, on which a spring (free at 0.9 m) and a damper act."""
    N, O = _ground()
    turn, swing, place = q = dynamicsymbols("turn swing place")
    u = dynamicsymbols("turn_u swing_u place_u")
    first, pin = _rod(N, O, turn, u[0], crank, "crank")
    second, end = _rod(N, pin, swing, u[1], rod, "rod")
    block = O.locatenew("block", place * N.x)
    system = _system(N, O, q, u, [first, second, Particle("block", block, 1)])
    away = end.pos_from(O) - place * N.x
    system.add_holonomic_constraints(away.dot(N.x), away.dot(N.y))
    block.set_vel(N, u[2] * N.x)
    system.add_loads(Force(block, -(damping * u[2] + stiffness * (place - sm.Rational(9, 10))) * N.x))
    across = -crank / rod * sm.sin(angle)
    reach = crank * sm.cos(angle) + rod * sm.sqrt(1 - across**2)
    ends = [(0, 0), (crank * sm.cos(angle), crank * sm.sin(angle)), (reach, 0)]
    swung = sm.diff(sm.asin(across), angle) * speed
    rate = sm.diff(reach, angle) * speed
    lagrangian = _rod_energy(ends[0], ends[1], speed, crank) + _rod_energy(ends[1], ends[2], swung, rod) + rate**2 / 2
    lagrangian -= stiffness * (reach - sm.Rational(9, 10)) ** 2 / 2
    away_at = {angle: at}
    start = dict(zip(q, (at, float(sm.asin(across).subs(away_at)), float(reach.subs(away_at))), strict=True))
    start |= dict.fromkeys(u, 0.0)
    return ClosedLoop(system, start, turn, lagrangian, -damping * rate * sm.diff(reach, angle), at)


def four_bar(lengths=(0.4, 1.0, 0.8), base=1.1, at=1.0, repeated=False):
    """Three uniform rods of 1 kg each between two pins on the ground; `repeated`: with a constraint that follows."""
    N, O = _ground()
    a, b, c = q = dynamicsymbols("a b c")
    u = dynamicsymbols("a_u b_u c_u")
    far = O.locatenew("far", base * N.x)
    far.set_vel(N, 0)
    first, pin = _rod(N, O, a, u[0], lengths[0], "first")
    second, end = _rod(N, pin, b, u[1], lengths[1], "second")
    third, other = _rod(N, far, c, u[2], lengths[2], "third")
    system = _system(N, O, q, u, [first, second, third])
    away = end.pos_from(O) - other.pos_from(O)
    phi = [away.dot(N.x), away.dot(N.y)]
    system.add_holonomic_constraints(*phi, *([phi[0] + 2 * phi[1]] if repeated else []))
    near = sm.Matrix([lengths[0] * sm.cos(angle), lengths[0] * sm.sin(angle)])
    gap = sm.Matrix([base, 0]) - near
    square = gap.dot(gap)
    along = (square + lengths[1] ** 2 - lengths[2] ** 2) / (2 * square)
    across = sm.sqrt(lengths[1] ** 2 / square - along**2)
    joint = near + along * gap + across * sm.Matrix([-gap[1], gap[0]])
    turned = [
        sm.atan2(joint[1] - near[1], joint[0] - near[0]),
        sm.atan2(joint[1], joint[0] - base),
    ]
    rates = [sm.diff(one, angle) * speed for one in turned]
    lagrangian = _rod_energy((0, 0), near, speed, lengths[0]) + _rod_energy(near, joint, rates[0], lengths[1])
    lagrangian += _rod_energy((base, 0), joint, rates[1], lengths[2])
    start = dict(zip(q, (at, *(float(one.subs({angle: at})) for one in turned)), strict=True))
    return ClosedLoop(system, start | dict.fromkeys(u, 0.0), a, lagrangian, sm.Integer(0), at)


def drift(model, result):
    """The largest |phi| and |A u + a| at the samples of a run of a model without parameters."""
    data = model.compile().constraints(model.compile().all_parameters(np.zeros(0)))
    found = [_violations(data, t, x) for t, x in zip(result.t, result.x.T, strict=True)]
    return np.abs(found).max(axis=(0, 2))


def _violations(data, time, x):
    """phi and A u + a at a state as it is."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(data.memory.constraints)
    x = np.ascontiguousarray(x)
    call(time, x.ctypes.data, data.memory.parameters, data.memory.constraint.ctypes.data)
    return data.memory.phi.copy(), data.memory.rate.copy()


def _ground():
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    return N, O


def _rod(N, place, turn, rate, length, name):
    """A uniform rod of 1 kg from a point on, and its other end."""
    frame = N.orientnew(f"{name}_frame", "Axis", [turn, N.z])
    frame.set_ang_vel(N, rate * N.z)
    middle = place.locatenew(f"{name}_middle", length / 2 * frame.x)
    about = inertia(frame, 0, 0, length**2 / 12)
    return RigidBody(name, middle, frame, 1, (about, middle)), place.locatenew(f"{name}_end", length * frame.x)


def _rod_energy(start, end, turning, length):
    """The kinetic less the potential energy of such a rod by `angle` and `speed`."""
    middle = [(a + b) / sm.Integer(2) for a, b in zip(start, end, strict=True)]
    square = sum(sm.diff(one, angle) ** 2 for one in middle) * speed**2
    return square / 2 + length**2 / 24 * turning**2 - GRAVITY * middle[1]


def _system(N, O, q, u, bodies):
    system = System(frame=N, fixed_point=O)
    system.add_bodies(*bodies)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(coordinate.diff(t) - rate for coordinate, rate in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-GRAVITY * N.y)
    return system
