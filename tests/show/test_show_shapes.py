"""Shapes are where the bodies are, by numbers worked out by hand; wrong ones are told in sentences."""

from __future__ import annotations

import math
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest
from sympy import Symbol, symbols
from sympy.physics.mechanics import (
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    WrappingCylinder,
    WrappingPathway,
    WrappingSphere,
    dynamicsymbols,
    inertia,
)

from sympact import (
    Ball,
    Box,
    Contact,
    Ground,
    HybridModel,
    Line,
    Plane,
    Polygon,
    Rod,
    Sphere,
    SympactWarning,
    Trace,
    models,
)
from sympact.show.animation.bodies import sides_of
from sympact.show.animation.ground import clip
from sympact.show.animation.scene import Disc, Dots, Face, Stroke, Trail

EXACT = 1e-12
"""Positions of some metres by sums and products of a handful of rounded numbers."""


@cache
def run(name: str, **options):
    """A ready-made system and a run of its model, whose bodies have the usual shapes."""
    ready = getattr(models, name)()
    return ready, ready.model.simulate(ready.t_span, ready.start, ready.parameters, **options)


def letter(ready, name: str):
    return next(symbol for symbol in ready.parameters if symbol.name == name)


def body_of(ready):
    return ready.model.derivation.survey.bodies[0]


def scene_of(name: str, shapes=None, **options):
    return run(name)[1].animate(shapes=shapes, **options).scene


def of_kind(scene, kind, layer=None):
    return [item for item in scene.items if isinstance(item, kind) and layer in (None, item.layer)]


def turn(axis: str, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]] if axis == "z" else [[1, 0, 0], [0, c, -s], [0, s, c]])


def test_the_corners_of_the_cube_are_those_of_its_euler_angles():
    cube, result = run("tumbling_cube")
    a = letter(cube, "a")
    scene = scene_of("tumbling_cube", [Box(body_of(cube), (a, a, a))])
    sides = of_kind(scene, Face, layer=1)
    used = sorted({corner for side in sides for corner in side.points})
    assert (len(sides), len(used)) == (6, 8)
    for k in (0, 17, 60, 125):
        x, y, z, psi, theta, phi = result(scene.times[k])[:6]
        rotation = turn("z", psi) @ turn("x", theta) @ turn("z", phi)
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij")).reshape(3, 8)
        expected = np.array([x, y, z]) + (rotation @ signs / 2).T
        np.testing.assert_allclose(scene.points[k][used], expected, rtol=0, atol=EXACT)


def test_the_cube_falls_freely_until_it_hits():
    cube, result = run("tumbling_cube")
    scene = scene_of("tumbling_cube", [Ball(body_of(cube), 0.1)])
    centre = of_kind(scene, Disc)[0].centre
    before = scene.times < result.events[0].t
    t = scene.times[before]
    expected = np.column_stack([t, t, 10 - 4.9 * t**2])
    # a step of the integration is right to 1e-9 of the state, which is 10 m
    np.testing.assert_allclose(scene.points[before, centre], expected, rtol=0, atol=1e-7)


def test_faces_go_round_anticlockwise_as_seen_from_outside():
    cube, _ = run("dropped_cube")
    a, b, c = (letter(cube, name) for name in "abc")
    for shapes in ([Box(body_of(cube), (a, b, c))], None):
        scene = scene_of("dropped_cube", shapes)
        sides = of_kind(scene, Face, layer=1)
        assert len(sides) == 6
        for k in (0, 50):
            corners = np.array([scene.points[k][list(side.points)] for side in sides])
            middle = corners.mean(axis=(0, 1))
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1])
            outward = corners.mean(axis=1) - middle
            np.testing.assert_allclose(normals, 2 * outward, rtol=0, atol=1e-9)  # edges of 1 m: |outward| is 1/2


def test_the_ends_of_the_links_follow_their_angles():
    result = run("two_links")[1]
    scene = scene_of("two_links")
    bars = of_kind(scene, Stroke, layer=1)
    for k in (0, 20, 250):
        q1, q2 = result(scene.times[k])[:2]
        knee = np.array([0, math.cos(q1), math.sin(q1)])
        tip = knee + np.array([0, math.cos(q1 + q2), math.sin(q1 + q2)])
        ends = scene.points[k][[point for bar in bars for point in bar.points]]
        for place in ([0, 0, 0], knee, tip):
            assert np.abs(ends - place).max(axis=1).min() < EXACT
        assert np.linalg.norm(ends, axis=1).max() < np.linalg.norm(tip) + 1.0 + EXACT


def test_a_rod_is_as_thick_as_its_width_and_a_ball_as_its_radius():
    links, _ = run("two_links")
    l, tip = letter(links, "l"), links.model.contacts[0].point
    scene = scene_of("two_links", [Rod(body_of(links).masscenter, tip, l / 8), Ball(tip, l / 4)])
    assert of_kind(scene, Stroke, layer=1)[0].width == 1 / 8
    np.testing.assert_array_equal(of_kind(scene, Disc)[0].radii, np.full(len(scene.times), 1 / 4))


def test_a_polygon_moves_with_its_body_from_its_mass_centre():
    jack, result = run("jack_in_a_box")
    corners = [(0.1, 0), (0, 0.2), (-0.1, 0, 0.3)]
    scene = scene_of("jack_in_a_box", [Polygon(body_of(jack), corners)])
    face = of_kind(scene, Face, layer=1)[0]
    x, y, theta = result(scene.times[30])[:3]
    local = np.array([[0.1, 0, 0], [0, 0.2, 0], [-0.1, 0, 0.3]])
    expected = np.array([x, y, 0]) + local @ turn("z", theta).T
    np.testing.assert_allclose(scene.points[30][list(face.points)], expected, rtol=0, atol=EXACT)


def test_points_that_were_located_after_the_model_was_built_can_be_used():
    jack, result = run("jack_in_a_box")
    body = body_of(jack)
    new = body.masscenter.locatenew("new", 0.3 * body.frame.x)
    scene = scene_of("jack_in_a_box", [Trace(new), Line(body.masscenter, new)])
    x, y, theta = result(scene.times[40])[:3]
    place = scene.points[40][of_kind(scene, Trail)[0].point]
    np.testing.assert_allclose(place, [x + 0.3 * math.cos(theta), y + 0.3 * math.sin(theta), 0], rtol=0, atol=EXACT)


def test_a_trace_has_its_corners_where_the_impacts_are():
    links, result = run("two_links")
    scene = scene_of("two_links", [Trace(links.model.contacts[0].point)])
    (trail,) = of_kind(scene, Trail)
    impacts = sum(event.kind == "impact" for event in result.events)
    on_the_floor = np.abs(trail.way[:, 1] - 1.5) < 1e-9
    assert on_the_floor.sum() >= impacts > 5
    for k in (0, 100, 250):
        np.testing.assert_allclose(trail.way[trail.ends[k] - 1], scene.points[k, trail.point], rtol=0, atol=EXACT)


def along_axis(act, v0=0.0):
    """The scene of a mass on an axis, of weight 1 and stiffness 4, on which `act(O, P, k)` acts."""
    m, k, x, v = *symbols("m k"), *dynamicsymbols("x v")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x)
    P.set_vel(N, v * N.x)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, m))
    system.add_coordinates(x)
    system.add_speeds(v)
    system.add_kdes(v - x.diff())
    system.add_actuators(act(O, P, k))
    return HybridModel(system, []).simulate((0, 1), [1.0, v0], {m: 1.0, k: 4.0}).animate().scene


def test_a_spring_is_a_coil_between_its_ends():
    """x'' = -4 x from x = 1; a run is right to about 1e-9. The coil is as far from its axis in all frames."""
    scene = along_axis(lambda O, P, k: LinearSpring(k, LinearPathway(O, P)))
    (spring,) = of_kind(scene, Stroke, layer=1)
    coil = scene.points[:, list(spring.points)]
    ends = np.zeros((len(scene.times), 2, 3))
    ends[:, 1, 0] = np.cos(2 * scene.times)
    np.testing.assert_allclose(coil[:, [0, -1]], ends, rtol=0, atol=1e-7)
    widths = np.ptp(coil, axis=1)[:, 1:].max(axis=1)
    assert widths.min() > 0.01
    np.testing.assert_allclose(widths, widths[0], rtol=1e-12)


def test_a_damper_is_a_dashed_line_between_its_ends():
    """x = 1 + (1 - exp(-4 t))/4 from the speed 1."""
    scene = along_axis(lambda O, P, k: LinearDamper(k, LinearPathway(O, P)), 1.0)
    (damper,) = of_kind(scene, Stroke, layer=1)
    assert damper.dashed
    ends = np.zeros((len(scene.times), 2, 3))
    ends[:, 1, 0] = 1 + (1 - np.exp(-4 * scene.times)) / 4
    np.testing.assert_allclose(scene.points[:, list(damper.points)], ends, rtol=0, atol=1e-7)


@pytest.mark.parametrize("around", ["sphere", "cylinder"])
def test_a_wrapping_pathway_lies_on_its_surface_and_is_as_long_as_sympy_says(around):
    """An arc of the radius r and the angle s, on a cylinder with the rise h; its 32 chords are shorter by 1e-4."""
    m, k, r, h, s, w = *symbols("m k r h", positive=True), *dynamicsymbols("s w")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A = N.orientnew("A", "Axis", (s, N.z))
    A.set_ang_vel(N, w * N.z)
    start, end = O.locatenew("start", r * N.x), O.locatenew("end", r * A.x + (h * N.z if around == "cylinder" else 0))
    surface = WrappingSphere(r, O) if around == "sphere" else WrappingCylinder(r, O, N.z)
    system = System(N, O)
    system.add_bodies(Particle("bead", end, m))
    system.add_coordinates(s)
    system.add_speeds(w)
    system.add_kdes(w - s.diff())
    pathway = WrappingPathway(start, end, surface)
    system.add_actuators(ForceActuator(k, pathway))
    with pytest.warns(SympactWarning, match="pull its ends together"):
        model = HybridModel(system, [])
    numbers = {m: 1.0, k: 1.0, r: 0.5} | ({h: 0.3} if around == "cylinder" else {})
    result = model.simulate((0, 1), [1.0, 0.5], {key: numbers[key] for key in model.parameters})
    scene = result.animate().scene
    arc = next(item for item in of_kind(scene, Stroke, layer=1) if len(item.points) == 33)
    points = scene.points[:, list(arc.points)]
    reach = np.linalg.norm(points if around == "sphere" else points[..., :2], axis=-1)
    np.testing.assert_allclose(reach, 0.5, rtol=1e-12)
    length = np.linalg.norm(np.diff(points, axis=1), axis=-1).sum(axis=1)
    rise = 0.3 if around == "cylinder" else 0.0
    angle = result(scene.times)[0]
    np.testing.assert_allclose(
        length, np.hypot(0.5 * np.where(angle < np.pi, angle, 2 * np.pi - angle), rise), rtol=1e-3
    )


def test_the_model_is_asked_as_often_for_many_frames_as_for_few():
    result = run("dropped_cube")[1]
    counts = []
    for fps in (5, 50):
        with patch.object(HybridModel, "walk", autospec=True, side_effect=HybridModel.walk) as walk:
            result.animate(fps=fps)
        counts.append(walk.call_count)
    assert counts[0] == counts[1] < 20


def test_the_users_model_is_left_as_it_was():
    links, _ = run("two_links")
    tip = links.model.contacts[0].point
    before = [dict(vars(point)) for point in (tip, *tip._pos_dict)]
    scene_of("two_links", [Trace(tip)])
    assert [dict(vars(point)) for point in (tip, *tip._pos_dict)] == before


def test_a_particle_is_a_dot_and_its_floor_is_under_it():
    scene = scene_of("bouncing_ball")
    dots = of_kind(scene, Dots)
    assert len(dots) == 1
    np.testing.assert_allclose(scene.points[:, dots[0].points[0], 2].min(), 0.0, rtol=0, atol=1e-9)
    floor = of_kind(scene, Stroke, layer=0)[0]
    np.testing.assert_array_equal(scene.points[:, list(floor.points), 2], 0.0)


def test_walls_are_cut_where_they_meet():
    """The box of the jack is a square of 2 m that rocks by 0.3 sin(5 t) and goes up and down by 0.1 sin(20 t)."""
    scene = scene_of("jack_in_a_box")
    walls = of_kind(scene, Stroke, layer=0)
    assert len(walls) == 4
    for k in (0, 33, 125):
        t = scene.times[k]
        rotation, height = turn("z", 0.3 * math.sin(5 * t)), 0.1 * math.sin(20 * t)
        corners = rotation @ np.array([[1, 1, -1, -1], [1, -1, 1, -1], [0, 0, 0, 0]]) + [[0], [height], [0]]
        for wall in walls:
            for end in scene.points[k][list(wall.points)]:
                assert np.abs(corners.T - end).max(axis=1).min() < EXACT


def test_the_jacks_box_is_no_body():
    assert len(of_kind(scene_of("jack_in_a_box"), Stroke, layer=1)) == 4  # the arms


def test_a_polygon_is_clipped_to_a_half_space():
    square = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]])
    kept = clip(square, np.array([1.0, 0, 0]), np.array([-1.0, 0, 0]))
    assert {tuple(corner) for corner in kept.tolist()} == {(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)}
    assert not len(clip(square, np.array([3.0, 0, 0]), np.array([1.0, 0, 0])))


def test_a_hull_has_the_sides_of_a_prism():
    angles = np.arange(5) * 2 * np.pi / 5
    prism = np.array([[math.cos(a), math.sin(a), z] for z in (0, 1) for a in angles])
    assert sorted(map(len, sides_of(prism))) == [4, 4, 4, 4, 4, 5, 5]


def test_a_sphere_is_shown_as_a_disc_of_its_radius():
    hill = of_kind(scene_of("bead_on_hill"), Disc, layer=0)
    np.testing.assert_array_equal(hill[0].radii, 1.0)
    ready, _ = run("bead_on_hill")
    surfaces = [contact.surface for contact in ready.model.contacts]
    sphere = next(surface for surface in surfaces if isinstance(surface, Sphere))
    assert len(of_kind(scene_of("bead_on_hill", [Ground(sphere)]), Stroke, layer=0)) == 0


BODY, P = RigidBody("body"), Point("P")


@pytest.mark.parametrize(
    ("shape", "kind", "sentence"),
    [
        (lambda: Box(BODY, (1, 2)), ValueError, "three edges, along x, y and z of its frame; found 2"),
        (lambda: Box(BODY, 1), ValueError, "three edges.* found int: 1"),
        (lambda: Box(BODY, (1, 2, -3)), ValueError, "an edge of a Box is -3, expected a positive length"),
        (lambda: Box("body", (1, 2, 3)), TypeError, "tied to a RigidBody or a ReferenceFrame.* found 'body'"),
        (lambda: Box(ReferenceFrame("F"), (1, 2, 3)), TypeError, "a frame has no place; give the middle as center"),
        (lambda: Box(BODY, (1, 2, 3), colour="blau"), ValueError, "the colour of a Box is 'blau'"),
        (lambda: Ball(BODY, 0), ValueError, "radius of a Ball is 0, expected a positive length"),
        (lambda: Ball("P", 1), TypeError, "middle of a Ball is a sympy Point or a body.* found 'P'"),
        (lambda: Ball(P, "r"), TypeError, "radius of a Ball is a number or a sympy expression.* found 'r'"),
        (lambda: Rod(P, None), TypeError, "an end of a Rod is a sympy Point.* found None"),
        (lambda: Line(P), ValueError, "goes through two points or more; found 1"),
        (lambda: Polygon(BODY, [(0, 0), (1, 0)]), ValueError, "three corners or more; found 2"),
        (lambda: Polygon(BODY, [(0, 0), (1, 0), 3]), ValueError, "a Point, or two or three distances; found 3"),
        (lambda: Ground(P), TypeError, "one of Plane, Sphere, Cylinder, .*; found P"),
        (lambda: Trace(3), TypeError, "what a Trace follows is a sympy Point.* found 3"),
    ],
)
def test_a_wrong_shape_is_refused_when_it_is_made(shape, kind, sentence):
    with pytest.raises(kind, match=sentence):
        shape()


def test_shapes_that_the_model_knows_nothing_of_are_all_named():
    _, result = run("two_links")
    tip = run("two_links")[0].model.contacts[0].point
    stray, F = Point("stray"), ReferenceFrame("F")
    with pytest.raises(ValueError, match="cannot be shown") as error:
        result.animate(shapes=[Trace(stray), Box(F, (1, 1, 1), center=tip), Ball(tip, Symbol("r"))])
    said = str(error.value)
    assert "a Trace cannot be shown: the point 'stray' is not located from" in said
    assert "a Box cannot be shown: the frame 'F' has no orientation relative to" in said
    assert (
        "a Ball cannot be shown: r is not of the model; use a number or an expression of its parameters: e, g" in said
    )


def test_a_size_that_has_no_number_in_the_run_is_named():
    """The moment of inertia of a body that only slides drops out of all equations."""
    m, g, J, x, v = *symbols("m g J"), *dynamicsymbols("x v")
    N, O = ReferenceFrame("N"), Point("O")
    C = O.locatenew("C", x * N.y)
    body = RigidBody("block", C, N, m, (inertia(N, J, J, J), C))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x)
    system.add_speeds(v)
    system.add_kdes(v - x.diff())
    system.apply_uniform_gravity(-g * N.y)
    model = HybridModel(system, [Contact(C, Plane(O, N.y), restitution=1, friction=0)])
    (idle,) = model.unused_parameters
    result = model.simulate((0, 1), [1.0, 0.0], dict.fromkeys(model.parameters, 1.0))
    with pytest.raises(ValueError, match="a Ball cannot be shown: J has no value in this run"):
        result.animate(shapes=[Ball(C, idle)])
    assert result.animate(shapes=[Ball(C, m / 10)]).scene.view.planar


def test_something_else_among_the_shapes_is_refused():
    _, result = run("two_links")
    with pytest.raises(TypeError, match="expected Box, Ball, Rod, Line, Polygon, Ground or Trace; found 'cube', 3"):
        result.animate(shapes=["cube", 3])


def test_a_particle_stands_for_its_point():
    assert Ball(Particle("ball", P, 1), 1).point is P
