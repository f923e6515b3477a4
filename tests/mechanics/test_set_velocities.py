"""Velocities that contradict positions are told when a model is built, and no others."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import HybridModel, SympactWarning

t = dynamicsymbols._t
m, g, r, l, I = sm.symbols("m g r l I", positive=True)
x, y, a, b, u, v, w = dynamicsymbols("x y a b u v w")


def sentences(build):
    """The warnings of a build."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        build()
    assert all(issubclass(one.category, SympactWarning) for one in caught)
    return [str(one.message) for one in caught]


def street(curvature, source="System"):
    """A wheel that rolls on y = sin(x)/5, its centre's velocity from the material point on the street.

    The rate of x is -u r / (s - r y''/s^2) with s = sqrt(1 + y'^2); without the curvature it is a usual mistake.
    """
    place = sm.sin(x) / 5
    slope, bend = sm.cos(x) / 5, -sm.sin(x) / 5
    s = sm.sqrt(1 + slope**2)
    rate = -u * r / (s - curvature * r * bend / s**2)
    N, O, B = ReferenceFrame("N"), Point("O"), ReferenceFrame("B")
    O.set_vel(N, 0)
    B.orient_axis(N, a, N.z)
    B.set_ang_vel(N, u * N.z)
    touching = O.locatenew("touching", x * N.x + place * N.y)
    touching.set_vel(N, 0)
    centre = touching.locatenew("centre", r * (-slope * N.x + N.y) / s)
    centre.v2pt_theory(touching, N, B)
    wheel = RigidBody("wheel", centre, B, m, (inertia(B, 0, 0, I), centre))
    kdes, weight = [x.diff() - rate, a.diff() - u], [(centre, -m * g * N.y)]
    if source == "KanesMethod":
        method = KanesMethod(N, [x, a], [u], kd_eqs=kdes)
        method.kanes_equations([wheel], weight)
        return HybridModel(method, [], length=1)
    system = System(N, O) if source == "System with a fixed point" else System(N)
    system.add_bodies(wheel)
    system.add_coordinates(x, a)
    system.add_speeds(u)
    system.add_kdes(*kdes)
    system.add_loads(*weight)
    return HybridModel(system, [], length=1)


def test_a_forgotten_term_is_told_with_point_and_body():
    """The wheel's own energy drifts by a percent; with the term it is kept, and nothing is told."""
    drifts = []
    for curvature in (0, 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SympactWarning)
            model = street(curvature)
        result = model.simulate((0, 5), {x: 0.5, a: 0, u: -1}, {m: 1, g: 9.81, r: 0.3, I: 0.05})
        height = result[sm.sin(x) / 5] + 0.3 / np.sqrt(1 + np.cos(result[x]) ** 2 / 25)
        drifts.append(np.ptp(result.kinetic_energy + 9.81 * height) / 9.81)
    assert drifts[0] > 1e-3 > 1e-8 > drifts[1]
    (told,) = sentences(lambda: street(0))
    assert "the velocity of the point 'centre', the mass centre of the body 'wheel', differs by 0.081 of itself" in told
    assert not sentences(lambda: street(1))


@pytest.mark.parametrize("source", ["KanesMethod", "System with a fixed point"])
def test_other_sources_tell_it_too(source):
    """SymPy's KanesMethod has no fixed point, but the position depends on all coordinates that move the centre."""
    assert len(sentences(lambda: street(0, source))) == 1
    assert not sentences(lambda: street(1, source))


def disc(located, radius=r):
    """SymPy's rolling disc, from the material point on the ground; `located`: the ground has coordinates, too.

    Then the speeds of the point that touches are bound to the rolling by nonholonomic constraints.
    """
    lean, spin, yaw = dynamicsymbols("lean spin yaw")
    u1, u2, u3 = dynamicsymbols("u1 u2 u3")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [yaw, N.z])
    L = Y.orientnew("L", "Axis", [lean, Y.x])
    R = L.orientnew("R", "Axis", [spin, L.y])
    rates = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    touching = Point("touching")
    touching.set_vel(N, 0)
    centre = touching.locatenew("centre", r * L.z)
    kdes = [(rates - R.ang_vel_in(N)).dot(axis) for axis in L]
    coordinates, speeds, constraints = [yaw, lean, spin], [u1, u2, u3], []
    system = System(N)
    if located:
        O = Point("O")
        O.set_vel(N, 0)
        touching.set_pos(O, x * N.x + y * N.y)
        coordinates, speeds, kdes = [*coordinates, x, y], [*speeds, u, v], [*kdes, u - x.diff(), v - y.diff()]
        moved = u * N.x + v * N.y + (r * L.z).dt(N).subs({yaw.diff(): (u3 / sm.cos(lean)), lean.diff(): u1})
        rolled = R.ang_vel_in(N).cross(radius * L.z)
        constraints = [(moved - rolled).dot(axis) for axis in (N.x, N.y)]
        system = System(N, O)
    centre.set_vel(N, R.ang_vel_in(N).cross(r * L.z))
    system.add_bodies(RigidBody("disc", centre, R, m, (inertia(L, I, 2 * I, I), centre)))
    system.add_coordinates(*coordinates)
    system.add_speeds(*(speeds[:3] if located else speeds), independent=[True] * 3)
    if located:
        system.add_speeds(u, v, independent=False)
        system.add_nonholonomic_constraints(*constraints)
    system.add_kdes(*kdes)
    return HybridModel(system, [], length=1)


def test_a_place_that_is_unknown_is_no_contradiction():
    """The centre moves with the spin, which no position contains: the ground point is no place."""
    assert not sentences(lambda: disc(located=False))


def test_velocities_are_compared_on_the_constraints():
    """Where the disc rolls the velocity is that of the place; bound to another radius it is not."""
    assert not sentences(lambda: disc(located=True))
    told = sentences(lambda: disc(located=True, radius=2 * r))
    assert len(told) == 1
    assert "compared at a random state that meets the constraints" in told[0]


def links(turning):
    """Two links of a double pendulum; the second end's velocity by the frame that `turning` picks."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A, B = (N.orientnew(name, "Axis", [angle, N.z]) for name, angle in (("A", a), ("B", b)))
    P = O.locatenew("P", l * A.x)
    Q = P.locatenew("Q", l * B.x)
    P.v2pt_theory(O, N, A)
    Q.v2pt_theory(P, N, turning(A, B))
    method = KanesMethod(N, [a, b], [u, v], kd_eqs=[a.diff() - u, b.diff() - v])
    bodies = [Particle("first", P, m), RigidBody("second", Q, B, m, (inertia(B, 0, 0, I), Q))]
    method.kanes_equations(bodies, [(P, m * g * N.x), (Q, m * g * N.x)])
    return HybridModel(method, [])


def test_the_wrong_frame_of_a_link_is_told():
    assert not sentences(lambda: links(lambda A, B: B))
    told = sentences(lambda: links(lambda A, B: A))
    assert len(told) == 1
    assert "the point 'Q', the mass centre of the body 'second'" in told[0]


def test_an_angular_velocity_that_is_not_of_the_orientation_is_told():
    def rod(factor):
        N, O = ReferenceFrame("N"), Point("O")
        O.set_vel(N, 0)
        B = N.orientnew("B", "Axis", [a, N.z])
        B.set_ang_vel(N, factor * u * N.z)
        system = System(N, O)
        system.add_bodies(RigidBody("rod", O, B, m, (inertia(B, 0, 0, I), O)))
        system.add_coordinates(a)
        system.add_speeds(u)
        system.add_kdes(u - a.diff())
        return HybridModel(system, [], length=1)

    assert not sentences(lambda: rod(1))
    assert "the frame 'B' differs by 0.5 of itself from the rate of its orientation" in sentences(lambda: rod(2))[0]


def test_the_point_of_a_load_is_compared():
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x)
    hook = O.locatenew("hook", 2 * x * N.x)
    hook.set_vel(N, u * N.x)
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(x)
    system.add_speeds(u)
    system.add_kdes(u - x.diff())
    system.add_loads((hook, g * N.x))
    told = sentences(lambda: HybridModel(system, []))
    assert "the velocity of the point 'hook', the point of a force, differs by 0.5 of itself" in told[0]
