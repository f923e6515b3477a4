"""The promise: surfaces, round bodies, polygons and strings are shown where they are, without being asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import RigidBody, dynamicsymbols, inertia
from worlds import World, square

from sympact import Capsule, Contact, Cylinder, Disc, HybridModel, Implicit, Plane, Sphere, String, polygon_contacts
from sympact.show.animation.scene import Disc as Circle
from sympact.show.animation.scene import Face, Stroke

t = dynamicsymbols._t


def shown(world, contacts, x0, t_end=0.5, **options):
    """The scene of a run, and the result."""
    result = HybridModel(world.system, contacts, length=1).simulate((0, t_end), x0, {})
    return result.animate(**options).scene, result


def lines(scene, layer=0):
    """The points of the strokes of a layer, each of the shape (frames, n, 3)."""
    return [
        scene.points[:, list(item.points)] for item in scene.items if isinstance(item, Stroke) and item.layer == layer
    ]


def falling_ball(axes=3):
    world = World()
    centre = world.particle(axes=axes)
    world.weigh(list(world.N)[axes - 1])
    return world, centre


def test_a_cylinder_is_rings_and_lines_at_its_radius():
    world, centre = falling_ball()
    pipe = Cylinder(world.O, world.N.x, 1.5, inside=True)
    contact = Contact(Sphere(centre, 0.2), pipe, restitution=1, friction=0)
    scene, _ = shown(world, [contact], [0, 0.3, 0.2, 1, 0.5, 0], 2.0)
    assert not scene.view.planar
    at_radius = [np.abs(np.hypot(line[..., 1], line[..., 2]) - 1.5).max() < 1e-12 for line in lines(scene)]
    assert sum(at_radius) == 11  # the others are the axes
    (ball,) = [item for item in scene.items if isinstance(item, Circle)]
    np.testing.assert_array_equal(ball.radii, 0.2)


@pytest.mark.parametrize("along", [True, False])
def test_a_cylinder_in_a_planar_motion(along):
    """Along the line of sight a circle; across it, its two sides."""
    world, bead = falling_ball(axes=2)
    axis = world.N.z if along else world.N.x
    pipe = Cylinder(world.O, axis, 1, inside=True)
    scene, _ = shown(world, [Contact(bead, pipe, restitution=1, friction=0)], [0.1, 0.2, 0.3, 0])
    drawn = lines(scene)
    assert len(drawn) == (1 if along else 2)
    heights = np.hypot(drawn[0][..., 0], drawn[0][..., 1]) if along else np.abs(drawn[0][..., 1])
    np.testing.assert_allclose(heights, 1.0, atol=1e-12)


def test_an_implicit_surface_is_shown_where_phi_vanishes_also_when_it_moves_and_deforms():
    world, bead = falling_ball(axes=2)
    x = 2 - t / 2
    middle = world.O.locatenew("M", t * world.N.x / 2)
    A = world.N.orientnew("A", "Axis", [t, world.N.z])
    wall = Implicit(middle, A, lambda a, b, c: 1 - (a / x) ** 2 - b**2)
    scene, _ = shown(world, [Contact(bead, wall, restitution=1, friction=0)], [0.1, 0.2, 0.3, 0])
    (line,) = [line for line in lines(scene) if np.isfinite(line).all()]
    for k, time in enumerate(scene.times):
        away = line[k] - [time / 2, 0, 0]
        a, b = away @ [math.cos(time), math.sin(time), 0], away @ [-math.sin(time), math.cos(time), 0]
        np.testing.assert_allclose((a / (2 - time / 2)) ** 2 + b**2, 1.0, atol=2e-3)  # a grid of 160 squares


def test_an_implicit_surface_in_space_is_cut_by_planes():
    world, bead = falling_ball()
    wall = Implicit(world.O, world.N, lambda x, y, z: 1 - x**2 - y**2 - z**2)
    scene, _ = shown(world, [Contact(bead, wall, restitution=1, friction=0)], [0.1, 0.3, 0.2, 1, 0.5, 0], 2.0)
    assert not scene.view.planar
    drawn = [line for line in lines(scene) if line.shape[1] > 3]
    assert len(drawn) >= 6
    for line in drawn:
        np.testing.assert_allclose(np.linalg.norm(line, axis=-1), 1.0, atol=2e-3)


def test_strings_are_lines_between_their_ends():
    world, bead = falling_ball(axes=2)
    scene, result = shown(world, [String(world.O, bead, 1, restitution=0)], [0.6, 0, 0, 0])
    (line,) = lines(scene, layer=1)
    np.testing.assert_allclose(line[:, 1, :2].T, result(scene.times)[:2], atol=1e-12)
    assert not line[:, 0].any()


def test_polygons_and_capsules_of_bodies_are_filled():
    world = World()
    squares = [square(*world.slab(), name, 0.5) for name in "AB"]
    frame, centre = world.slab()
    bar = Capsule(*(centre.locatenew(name, s * frame.x / 2) for name, s in (("P", 1), ("Q", -1))), 0.1, frame=frame)
    bead = world.particle(axes=2)
    contacts = polygon_contacts(*squares, restitution=1, friction=0)
    contacts.append(Contact(Sphere(bead, 0.2), bar, restitution=1, friction=0))
    x0 = np.zeros(22)
    x0[[0, 3, 7, 9, 11, 12]] = [-1, 1, 2, 3, 0.5, -0.2]
    scene, _ = shown(world, contacts, x0)
    assert len([item for item in scene.items if isinstance(item, Face) and len(item.points) == 4]) == 2
    (broad,) = [item for item in scene.items if isinstance(item, Stroke) and item.width]
    assert broad.width == pytest.approx(0.2)


def test_a_disc_is_its_rim_and_a_motion_in_space():
    world, R = World(), 0.3
    z, a = world.letters(2)
    N = world.N
    B = N.orientnew("B", "Axis", [a, N.x])
    centre = world.O.locatenew("C", z * N.z)
    world.system.add_bodies(RigidBody("coin", centre, B, 1, (inertia(B, 1, 1, 2), centre)))
    world.weigh(N.z)
    scene, result = shown(
        world, [Contact(Disc(centre, B.y, R), Plane(world.O, N.z), restitution=0.5, friction=0)], [1, 0.4, 0, 1]
    )
    assert not scene.view.planar
    rim = next(line for line in lines(scene, layer=1) if line.shape[1] == 33)
    middle = np.stack([0 * scene.times, 0 * scene.times, result(scene.times)[0]], axis=1)
    np.testing.assert_allclose(np.linalg.norm(rim - middle[:, np.newaxis], axis=-1), R, atol=1e-12)


def test_an_impulse_points_from_the_place_of_contact():
    """The arrow of a ball that hits the floor starts below it, not in its middle."""
    world, centre = falling_ball()
    contact = Contact(Sphere(centre, sm.Rational(1, 4)), Plane(world.O, world.N.z), restitution=0.5, friction=0)
    scene, _ = shown(world, [contact], [0, 0, 1, 0.5, 0.2, 0])
    (flash,) = scene.flashes
    assert flash.tail[2] == pytest.approx(0.0, abs=1e-9)
    assert flash.arrow[2] > 0
