"""The promise: a shape that a user registers as the manual shows is one like those of the package."""

from __future__ import annotations

import ast
import re
import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
from example_scripts import ROOT
from implicit_models import RADIUS, free_body, toss

import sympact
from sympact import Contact, Disc, Ground, Plane, Sphere
from sympact.mechanics import ContactPair, Surface, contact_pair
from sympact.mechanics.shapes.pairs import _PAIRS, pair_of
from sympact.show.animation.looks import _LOOKS
from sympact.show.animation.scene import Disc as Circle
from sympact.show.animation.scene import Face
from sympact.show.animation.shapes import Look, drawn

SOURCE = Path(sympact.__file__).parent


@cache
def script() -> dict[str, object]:
    return runpy.run_path(str(ROOT / "docs" / "how-to" / "my_shape.py"))


@pytest.fixture
def egg(tmp_path, monkeypatch) -> dict[str, object]:
    """The names of the script."""
    monkeypatch.chdir(tmp_path)
    return script()


def test_derivatives_of_the_gap_are_those_of_its_formula(egg):
    """By SymPy, at a random state: W = dg/dq, since the speeds are q'."""
    model, (a, c) = egg["model"], (egg["a"], egg["c"])
    angle, height = model.q[2], model.q[1]
    gap = height - sm.sqrt(a**2 * sm.sin(angle) ** 2 + c**2 * sm.cos(angle) ** 2)
    at = {a: 0.1, c: 0.15, model.q[0]: 0.4, height: 0.9, angle: 0.7}
    assert sm.N((model.gaps[0] - gap).subs(at)) == pytest.approx(0.0, abs=1e-15)
    difference = (model.normal_jacobian - sm.Matrix([gap]).jacobian(sm.Matrix(model.q))).subs(at)
    assert max(abs(sm.N(entry)) for entry in difference) < 1e-14


def test_an_ellipsoid_with_equal_axes_bounces_as_a_ball(egg):
    """In space, with friction: the same impacts, impulses and motion after them."""
    radius = sm.Float(RADIUS)
    shapes = (
        lambda B, C: egg["Ellipsoid"](C, B, (radius, radius, radius)),
        lambda B, C: Sphere(C, RADIUS, frame=B),
    )
    one, other = (
        toss(free_body(shape, lambda N, O: Plane(O, N.z)), 0.6, [0, 0, 0.3, 0.3, 0.2, 0.4], [1, 0, 0, 1, 0.5, 3])
        for shape in shapes
    )
    assert one.path == other.path
    assert sum(event.kind == "impact" for event in one.events) >= 1
    np.testing.assert_allclose(one.events.t, other.events.t, rtol=1e-10)
    np.testing.assert_allclose(one.x[:, -1], other.x[:, -1], atol=1e-8)


def test_a_shape_is_drawn_as_it_is_registered(egg):
    face = [item for item in egg["result"].animate().scene.items if isinstance(item, Face) and len(item.points) == 48]
    assert len(face) == 1


def test_a_shape_without_a_pair_is_refused_with_the_cure(egg):
    sentence = (
        r"the contact 'C on O' has no gap: there is no ContactPair for the Ellipsoid 'C' and the Sphere 'O'; define "
        r"one, and register it with contact_pair\(Ellipsoid, Sphere\)"
    )
    with pytest.raises(ValueError, match=sentence):
        Contact(egg["shape"], Sphere(egg["O"], 1), restitution=0, friction=0)


def test_two_classes_for_one_pair_are_refused(egg):
    with pytest.raises(ValueError, match="the contact of a Disc with a Plane is defined by RimOnPlane already"):

        @contact_pair(Disc, Plane)
        class Another(ContactPair):
            pass


def test_the_nearest_pair_of_bases_is_taken(egg, monkeypatch):
    """First of the body, then of the surface."""

    class Floor(Plane):
        pass

    class Long(egg["Ellipsoid"]):
        pass

    body, floor = Long(egg["C"], egg["B"], (1, 1, 2)), Floor(egg["O"], egg["N"].z)
    assert type(pair_of(body, floor)) is egg["EllipsoidOnPlane"]
    general = type("LongOnSurface", (egg["EllipsoidOnPlane"],), {})
    monkeypatch.setitem(_PAIRS, (Long, Surface), general)
    assert type(pair_of(body, floor)) is general
    own = type("LongOnFloor", (egg["EllipsoidOnPlane"],), {})
    monkeypatch.setitem(_PAIRS, (Long, Floor), own)
    assert type(pair_of(body, floor)) is own
    assert pair_of(body, Sphere(egg["O"], 1)).__class__ is general


def test_a_surface_is_shown_as_ground_once_it_is_registered(egg, monkeypatch):
    class Slab(Plane):
        pass

    slab = Slab(egg["O"], egg["N"].z)
    assert Ground(slab).look.half(np.zeros((2, 1, 3)), np.ones((2, 1, 3))) is not None  # as its base
    monkeypatch.setitem(_LOOKS, Slab, Look())

    @drawn(Slab)
    class SlabLook(Look):
        stands = True

        def items(self, points, lengths, colour):
            return [Circle(points[0], np.ones(1), colour, 0.5, colour, layer=0)]

    (item,) = Ground(slab).items([7], np.empty((0, 1)))
    assert item.centre == 7


def test_nothing_decides_by_the_kind_of_a_shape():
    """Neither how two shapes touch nor how one is drawn: both are tables; `polygon_contacts` checks its arguments."""
    kinds = {"Plane", "Sphere", "Cylinder", "Capsule", "ConvexPolygon", "Implicit", "Disc"}
    found = []
    for path in sorted([*SOURCE.glob("mechanics/**/*.py"), *SOURCE.glob("show/animation/*.py")]):
        text = path.read_text(encoding="utf-8")
        if not any(kind in text for kind in kinds) or not re.search("isinstance|case", text):
            continue
        tree = ast.parse(text)
        shapes = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("sympact.mechanics")
            for alias in node.names
        } | {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and path.parent.name == "shapes"}
        for node in ast.walk(tree):
            asked = []
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                asked = [part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)]
            elif isinstance(node, ast.MatchClass):
                asked = [getattr(node.cls, "id", "")]
            found += [f"{path.name}: {kind}" for kind in kinds.intersection(asked, shapes)]
    assert found == ["polygons.py: ConvexPolygon"]
