"""The promise: a surface that a user writes as the manual shows is one like a plane: impacts, energy, forces."""

from __future__ import annotations

import runpy
from functools import cache

import numpy as np
import pytest
import sympy as sm
from example_scripts import ROOT
from implicit_models import RADIUS, free_body, toss

from sympact import Contact, Disc, Ground, HybridModel, Implicit, Plane
from sympact.show.animation.scene import Disc as Circle

TIGHT = {"rtol": 1e-12, "atol": 1e-14}


@cache
def script() -> dict[str, object]:
    return runpy.run_path(str(ROOT / "docs" / "how-to" / "my_surface.py"))


@pytest.fixture
def bowl(tmp_path, monkeypatch) -> dict[str, object]:
    """The names of the script."""
    monkeypatch.chdir(tmp_path)
    return script()


def start(model: HybridModel, *values: float) -> dict:
    return dict(zip(model.x, values, strict=True))


def numbers(bowl, e: float) -> dict:
    return {bowl["m"]: 1, bowl["g"]: 9.81, bowl["e"]: e, bowl["r"]: 1}


def test_derivatives_of_the_gap_are_those_of_its_formula(bowl):
    """By SymPy, at a random state: W = dg/dq, since the speeds are q'."""
    model = bowl["model"]
    exact = model.gaps.jacobian(sm.Matrix(model.q))
    at = {bowl["r"]: 1.3, model.q[0]: 0.4, model.q[1]: 0.9}
    difference = (model.normal_jacobian - exact).subs(at)
    assert max(abs(sm.N(entry)) for entry in difference) < 1e-14


def test_no_energy_is_lost_without_loss(bowl):
    model = bowl["model"]
    result = model.simulate((0, 5), start(model, 0.6, 1, 0.3, 0), numbers(bowl, 1), **TIGHT)
    assert len(result.events) > 5
    # each step may err by 1e-12 of energies of 10 J
    np.testing.assert_allclose(result.energy, result.energy[0], rtol=0, atol=1e-9)
    assert result.gaps.min() > -1e-10


def test_the_bead_slides_along_the_bowl_with_the_force_of_the_textbook(bowl):
    """N = m (g cos a + v^2/rho), with tan a = x and the radius of curvature rho = (1 + x^2)^(3/2)."""
    model, result = bowl["model"], bowl["result"]
    assert result.path[-1] == "P on O"
    after = result.t > result.events[-1].t
    x, vx, vz = (result[name][after] for name in (model.q[0], *model.u))
    steep = 1 + x**2
    np.testing.assert_allclose(
        result.normal_force[0, after], 9.81 / steep**0.5 + (vx**2 + vz**2) / steep**1.5, rtol=1e-7
    )


def test_it_is_animated_without_a_picture_of_its_own(bowl):
    """Neither as a disc of its length, nor in the place of a plane beside it."""
    model = bowl["model"]
    bead, frame, origin = bowl["bead"], bowl["N"], bowl["O"]
    wall = Plane(origin.locatenew("wall", frame.x), -frame.x)
    both = [*model.contacts, Contact(bead.masscenter, wall, restitution=bowl["e"], friction=0)]
    result = HybridModel(bowl["system"], both).simulate((0, 1), start(model, 0.6, 1, 3, 0), numbers(bowl, 0.7))
    scene = result.animate().scene
    assert not any(isinstance(item, Circle) and item.layer == 0 for item in scene.items)
    with pytest.raises(TypeError, match=r"Ground shows a surface of contacts, one of Plane, .*; found Parabola"):
        Ground(bowl["bowl"])


def test_a_rim_touches_a_surface_of_ones_own(bowl):
    """The lowest place of a hoop above the parabola, against the same surface as an `Implicit`: the same impacts."""
    surfaces = (
        lambda N, O: bowl["Parabola"](O, N, sm.Integer(2)),
        lambda N, O: Implicit(O, N, lambda x, y, z: z - x**2 / 4),
    )
    hits = []
    for surface in surfaces:
        model = free_body(lambda B, C: Disc(C, B.z, RADIUS), surface, friction=0)
        result = toss(model, 0.6, [0.3, 0, 0.4, 0.3, 1.2, 0.4], [0.3, 0.2, 0, 1.0, 0.5, 8.0])
        hits.append([event for event in result.events if event.kind == "impact"])
    one, other = hits
    assert len(one) == len(other) >= 1
    assert other[0].t == pytest.approx(one[0].t, rel=1e-12)
    np.testing.assert_allclose(other[0].x_plus, one[0].x_plus, atol=1e-9)
