"""A ball that rotates in space: the system of models of balls with friction."""

from __future__ import annotations

from typing import NamedTuple

from sympy import Expr, Matrix, Rational, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Sphere

__all__ = ["SPEEDS", "UNITS", "SpinningBall", "spinning_ball"]

SPEEDS = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")
"""The speeds, the components of velocity and angular velocity along the fixed axes."""

UNITS = "t: s, x y z gaps: m, v_x v_y v_z: m/s, omega_x omega_y omega_z: rad/s"


class SpinningBall(NamedTuple):
    """A homogeneous ball under gravity along -z.

    The attitude is a unit quaternion, which affects only the picture of the ball.
    """

    system: System
    body: RigidBody
    surface: Sphere
    mass: Expr
    radius: Expr
    gravity: Expr


def spinning_ball() -> SpinningBall:
    """The ball, with the moment of inertia 2/5 m r^2."""
    m, r, g = symbols("m r g", positive=True)
    place, quaternion = Matrix(dynamicsymbols("x y z")), Matrix(dynamicsymbols("e_0 e_1 e_2 e_3"))
    velocity, spin = Matrix(dynamicsymbols(SPEEDS[:3])), Matrix(dynamicsymbols(SPEEDS[3:]))
    t = dynamicsymbols._t

    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    O, C = Point("O"), Point("C")
    B.orient_quaternion(N, tuple(quaternion))
    turning = Matrix([B.ang_vel_in(N).dot(axis) for axis in B])
    B.set_ang_vel(N, sum((w * axis for w, axis in zip(spin, N, strict=True)), start=0 * N.x))
    C.set_pos(O, place[0] * N.x + place[1] * N.y + place[2] * N.z)
    moment = Rational(2, 5) * m * r**2
    body = RigidBody("ball", C, B, m, (inertia(B, moment, moment, moment), C))

    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(*place, *quaternion)
    system.add_speeds(*velocity, *spin)
    rates = turning - B.dcm(N) * spin
    system.add_kdes(*(velocity - place.diff(t)), *rates, quaternion.dot(quaternion.diff(t)))
    system.apply_uniform_gravity(-g * N.z)
    return SpinningBall(system, body, Sphere(C, r, frame=B), m, r, g)
