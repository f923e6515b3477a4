"""A ball and a hoop in space above any surface, for runs with surfaces phi = 0."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from left_out_of_the_check import can_be_checked
from sympy import Rational, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import check_trajectory

from sympact import Contact, HybridModel, Sphere
from sympact.mechanics import Surface

GRAVITY, RADIUS = 9.81, 0.1  # m/s^2, m
TIGHT = {"rtol": 1e-12, "atol": 1e-14}
m, e, mu = symbols("m e mu", nonnegative=True)


def ball_on(surface: Callable[[ReferenceFrame, Point], Surface]) -> HybridModel:
    """A solid ball in space; its speeds are those of its centre and its angular velocity in N.

    A ball looks the same however it is turned: no coordinates tell its attitude.
    """
    q, u = dynamicsymbols("x y z a b c"), dynamicsymbols("v_x v_y v_z w_x w_y w_z")
    N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
    B.orient_axis(N, 0, N.x)
    B.set_ang_vel(N, u[3] * N.x + u[4] * N.y + u[5] * N.z)
    C.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    moment = Rational(2, 5) * m * RADIUS**2
    system = System(N, O)
    system.add_bodies(RigidBody("ball", C, B, m, (inertia(B, moment, moment, moment), C)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff() for speed, place in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-GRAVITY * N.z)
    contact = Contact(Sphere(C, RADIUS, frame=B), surface(N, O), restitution=e, friction=mu, name="touch")
    return HybridModel(system, [contact], length=RADIUS)


def throw(model: HybridModel, span, place, velocity, spin=(0, 0, 0), *, e=0.6, mu=0.3, checks=True, **settings):
    """A run of the ball of 1 kg; times are sampled every 10 ms."""
    numbers = {"m": 1.0, "e": e, "mu": mu}
    start = [*place, 0, 0, 0, *velocity, *spin]
    parameters = {letter: numbers[letter.name] for letter in model.parameters}
    return checked(model, span, start, parameters, settings, checks)


def energy(x: np.ndarray, height=lambda x: x[2]) -> np.ndarray:
    """Of the ball: (v^2 + 2/5 R^2 w^2)/2 + g z (J)."""
    return ((x[6:9] ** 2).sum(axis=0) + 0.4 * RADIUS**2 * (x[9:12] ** 2).sum(axis=0)) / 2 + GRAVITY * height(x)


def free_body(touches: Callable[[ReferenceFrame, Point], object], surface, friction=mu) -> HybridModel:
    """A body of 1 kg that moves freely, its attitude by three angles; what it touches with is told by frame and centre.

    Its moments of inertia are those of a hoop of the radius about its axis B.z.
    """
    q, u = dynamicsymbols("x y z a b c"), dynamicsymbols("v_x v_y v_z w_a w_b w_c")
    N, O, C = ReferenceFrame("N"), Point("O"), Point("C")
    B = N.orientnew("B", "Body", q[3:], "213")
    C.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    moment = m * RADIUS**2
    system = System(N, O)
    system.add_bodies(RigidBody("body", C, B, m, (inertia(B, moment / 2, moment / 2, moment), C)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff() for speed, place in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-GRAVITY * N.z)
    contact = Contact(touches(B, C), surface(N, O), restitution=e, friction=friction, name="touch")
    return HybridModel(system, [contact], length=RADIUS)


def toss(model: HybridModel, span, q, u, *, e=0.6, mu=0.3, **settings):
    """A run of the body of 1 kg."""
    numbers = {"m": 1.0, "e": e, "mu": mu}
    return checked(model, span, [*q, *u], {p: numbers[p.name] for p in model.parameters}, settings)


def checked(model: HybridModel, span, start, parameters, settings, checks: bool = True):
    """A run that has passed `check_trajectory`."""
    settings = {**TIGHT, **settings}
    result = model.simulate((0, span), start, parameters, **settings)
    if checks and can_be_checked(model):
        check_trajectory(result, model, parameters, rtol=settings["rtol"])
    return result
