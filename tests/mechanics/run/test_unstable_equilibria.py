"""Equilibria that a tilt of rounding leaves: a rod on its tip falls from it in the time of the formula, or stays."""

from __future__ import annotations

from functools import cache
from math import acosh, cos, cosh, pi, sin, sqrt

import numpy as np
import pytest
from quick_members import members
from scipy.integrate import quad
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

from sympact import Contact, HybridModel, Plane, Status, Stop

GRAVITY, LENGTH, FALLEN = 9.81, 1.0, 0.1


@cache
def rod(lean: float):
    """A rod on a rough floor, upright where its angle is `lean`; its states."""
    x, y, turn, u, v, spin = states = dynamicsymbols("x y turn u v spin")
    N, O = ReferenceFrame("N"), Point("O")
    B, C = N.orientnew("B", "Axis", [turn, N.z]), O.locatenew("C", x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("rod", C, B, 1, (inertia(B, 0, 0, LENGTH**2 / 12), C)))
    system.add_coordinates(x, y, turn)
    system.add_speeds(u, v, spin)
    system.add_kdes(u - x.diff(), v - y.diff(), spin - turn.diff())
    system.apply_uniform_gravity(-GRAVITY * N.y)
    tip = C.locatenew("P", -LENGTH / 2 * (cos(lean) * B.y + sin(lean) * B.x))
    return HybridModel(system, [Contact(tip, Plane(O, N.y), restitution=0, friction=10)], length=LENGTH), states


def fall(lean: float, tilt: float, end: float = 10.0):
    """A run from rest at that tilt until the rod has fallen, and the tilt as floating-point numbers have it."""
    model, (x, y, turn, *speeds) = rod(lean)
    angle = lean + tilt
    tilt = angle - lean
    start = {x: -LENGTH / 2 * sin(tilt), y: LENGTH / 2 * cos(tilt), turn: angle, **dict.fromkeys(speeds, 0)}
    return model.simulate((0, end), start, {}, events={"fallen": Stop(turn - lean - FALLEN)}, atol=1e-22), tilt


def duration(tilt: float) -> float:
    """From rest at a tilt to FALLEN, by energy: sin(angle / 2) = sin(tilt / 2) cosh s, s' = k cos(angle / 2)."""
    k, first = sqrt(1.5 * GRAVITY / LENGTH), sin(tilt / 2)
    last = acosh(sin(FALLEN / 2) / first)
    return quad(lambda s: 1 / sqrt(1 - (first * cosh(s)) ** 2), 0, last, epsabs=1e-13, epsrel=1e-12)[0] / k


@pytest.mark.parametrize("tilt", members([1e-9, 1e-12, 1e-14], slow=[1e-9, 1e-12]))
def test_a_rod_falls_from_a_hundredth_of_a_trillionth_of_a_radian(tilt):
    result, tilt = fall(0.0, tilt)
    assert result.status is Status.STOPPED
    assert result.t[-1] == pytest.approx(duration(tilt), abs=1e-9)


@pytest.mark.parametrize("lean", [0.0, pi / 4, 1.2])
def test_a_rod_that_is_upright_to_the_last_bit_stays(lean):
    result, _ = fall(lean, 0.0, 1e4)
    assert result.path[-1].endswith("(at rest)")
    assert np.ptp(result.x, axis=1).tolist() == [0.0] * 6


@pytest.mark.parametrize(("off", "rests"), [(0.0, True), (1e-12, False)])
def test_springs_balance_to_the_rounding_of_their_place(off, rests):
    """Forces of 1e5 N of which 1e-10 N are left: the place between them is known to as much."""
    x, y, u, v = dynamicsymbols("x y u v")
    N, O = ReferenceFrame("N"), Point("O")
    C = O.locatenew("C", x * N.x + y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("block", C, 1))
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(u - x.diff(), v - y.diff())
    system.add_loads(Force(C, (-1e6 * (x - 0.123) - 7e5 * (x - 0.777)) * N.x - GRAVITY * N.y))
    place = (1e6 * 0.123 + 7e5 * 0.777) / 1.7e6
    model = HybridModel(system, [Contact(C, Plane(O, N.y), restitution=0, friction=0)], length=1.0)
    result = model.simulate((0, 0.01), {x: place * (1 + off), y: 0, u: 0, v: 0}, {})
    assert result.path[-1].endswith("(at rest)") == rests
