"""A motion in a plane is drawn in that plane, whatever the source of the model and however the plane lies."""

from __future__ import annotations

import numpy as np
import pytest
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import Ball, Box, Contact, HybridModel, Limit, Plane, Rod

G = 9.81
AXES = {"x": np.array([1.0, 0, 0]), "y": np.array([0, 1.0, 0]), "z": np.array([0, 0, 1.0])}


def view_of(model: HybridModel, start: list[float]):
    numbers = dict.fromkeys(model.parameters, 1.0)
    return model.simulate((0, 0.3), start, numbers).animate(fps=10).scene.view


def assert_in_plane(view, normal, up=None) -> None:
    """It looks along the normal, in one sense or the other, and `up` points upwards."""
    assert view.planar
    assert abs(view.axes[2] @ normal) == pytest.approx(1, abs=1e-9)
    if up is not None:
        assert view.axes[1] @ up > 0.9


def joints(axis: str, beside: float) -> HybridModel:
    """A double pendulum of pin joints about an axis; the second link hangs beside the first one."""
    ground, upper, lower = RigidBody("ground"), RigidBody("upper"), RigidBody("lower")
    down = "y" if axis == "z" else "z"

    def along(body: RigidBody, name: str):
        return getattr(body.frame, name)

    system = System.from_newtonian(ground)
    first, last = along(upper, down) / 2, along(lower, down) / 2
    aside = beside * along(upper, axis)
    system.add_joints(
        PinJoint("hip", ground, upper, joint_axis=along(ground, axis), child_point=first),
        PinJoint("knee", upper, lower, joint_axis=along(upper, axis), parent_point=aside - first, child_point=last),
    )
    system.apply_uniform_gravity(-G * along(ground, down))
    tip = lower.masscenter.locatenew("tip", -last)
    floor = Plane(ground.masscenter.locatenew("F", -1.9 * along(ground, down)), along(ground, down))
    return HybridModel(system, [Contact(tip, floor, restitution=0.5, friction=0)])


@pytest.mark.parametrize(("axis", "beside"), [("x", 0.1), ("y", 0.1), ("z", 0.1), ("y", 0.0)])
def test_links_of_pin_joints_also_beside_each_other(axis, beside):
    assert_in_plane(view_of(joints(axis, beside), [0.6, 0.3, 0, 0]), AXES[axis], AXES["y" if axis == "z" else "z"])


@pytest.mark.parametrize("tilt", [0.0, 0.4, 1.2, np.pi / 2], ids=["upright", "tilted", "nearly level", "level"])
def test_a_pendulum_by_kanes_method_in_any_plane(tilt):
    """At 90 degrees it is at rest on a level plane: where it can move tells the plane."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u = dynamicsymbols("q u")
    T = N.orientnew("T", "Axis", [tilt, N.x])
    B = T.orientnew("B", "Axis", [q, T.y])
    O.set_vel(N, 0)
    B.set_ang_vel(T, u * T.y)
    bob = Particle("bob", O.locatenew("C", -B.z), 1)
    bob.masscenter.v2pt_theory(O, N, B)
    kane = KanesMethod(N, q_ind=[q], u_ind=[u], kd_eqs=[u - q.diff()])
    kane.kanes_equations([bob], [(bob.masscenter, -G * N.z)])
    view = view_of(HybridModel(kane, []), [0.6, 0])
    assert_in_plane(view, np.array([0, np.cos(tilt), np.sin(tilt)]))
    assert view.axes[1, 2] >= -1e-9


@pytest.mark.parametrize(("up", "right", "speed"), [("z", "x", 1), ("z", "y", 0), ("y", "x", 0), ("x", "y", 0)])
def test_a_ball_by_lagranges_method_in_any_plane(up, right, speed):
    """No force is known, so that the floor tells what is up; a ball that is dropped moves along a line."""
    N, O = ReferenceFrame("N"), Point("O")
    height, place = dynamicsymbols("h s")
    O.set_vel(N, 0)
    upward, along = getattr(N, up), getattr(N, right)
    P = O.locatenew("P", place * along + height * upward)
    P.set_vel(N, place.diff() * along + height.diff() * upward)
    ball = Particle("ball", P, 1)
    ball.potential_energy = G * height
    lagrange = LagrangesMethod(Lagrangian(N, ball), [place, height], bodies=[ball], frame=N)
    model = HybridModel(lagrange, [Contact(P, Plane(O, upward), restitution=0.5, friction=0)])
    view = view_of(model, [0, 1, speed, 0])
    assert_in_plane(view, np.cross(AXES[up], AXES[right]), AXES[up])


@pytest.mark.parametrize("axis", "xz")
def test_a_body_that_is_spread_in_space_keeps_its_spatial_view(axis):
    """A box that turns about one axis moves in a plane, but has a depth that is to be seen."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u = dynamicsymbols("q u")
    B = N.orientnew("B", "Axis", [q, getattr(N, axis)])
    box = RigidBody("box", O.locatenew("C", 0 * N.x), B, 1, (inertia(B, 1, 1, 1), O))
    box.masscenter = O
    system = System(N, O)
    system.add_bodies(box)
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff())
    corners = [O.locatenew(f"P{i}", 0.5 * vector) for i, vector in enumerate((B.x, B.y, B.z, -B.x - B.y - B.z))]
    floor = Plane(O.locatenew("F", -9 * N.z), N.z)
    model = HybridModel(system, [Contact(corner, floor, restitution=0.5, friction=0) for corner in corners])
    assert not view_of(model, [0.3, 1.0]).planar


@pytest.mark.parametrize("other", ["x", "z"])
@pytest.mark.parametrize("shape", ["rod", "ball", "box"])
def test_shapes_tell_the_plane_of_a_lagrangian_with_limits(shape, other):
    """The model has no points of its own: those of the shapes move in the plane of `other` and y."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    place, height = dynamicsymbols("s h")
    C = O.locatenew("C", place * getattr(N, other) + height * N.y)
    box = RigidBody("box", C, N)
    shapes = {"rod": Rod(O, C, 0.02), "ball": Ball(C, 0.1), "box": Box(box, (1, 0.5, 0.3))}
    energy = (place.diff() ** 2 + height.diff() ** 2) / 2 - G * height
    model = HybridModel(LagrangesMethod(energy, [place, height], frame=N), [Limit(height, restitution=0.8)], length=1)
    result = model.simulate((0, 1), [0, 1, 1, 0], {})
    view = result.animate(fps=5, shapes=[shapes[shape]]).scene.view
    assert_in_plane(view, np.cross(AXES[other], AXES["y"]))
    with pytest.raises(ValueError, match=r"nothing to show: .*frame= and animate shapes=, such as \[Rod\(O, P, 0.02"):
        result.animate()
