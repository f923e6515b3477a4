"""Code of models with many contacts: what it computes, and how it grows with them."""

import re
from itertools import combinations

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane, Sphere
from sympact.graph import graph_table
from sympact.graph.code import llvm

m, r, e, mu = sm.symbols("m r e mu", positive=True)


def balls(count, *, spin=True):
    """Balls in the plane between two walls: every pair and every wall may touch, with friction where they turn."""
    N, O = ReferenceFrame("N"), Point("O")
    system, q, u, spheres = System(N, O), [], [], []
    for i in range(count):
        place, speed = list(dynamicsymbols(f"x{i} y{i} a{i}")), list(dynamicsymbols(f"v{i} w{i} s{i}"))
        centre = O.locatenew(f"C{i}", place[0] * N.x + place[1] * N.y)
        if spin:
            B = N.orientnew(f"B{i}", "Axis", [place[2], N.z])
            system.add_bodies(RigidBody(f"ball{i}", centre, B, m, (inertia(B, 0, 0, m * r**2 / 2), centre)))
        else:
            B, place, speed = N, place[:2], speed[:2]
            system.add_bodies(Particle(f"ball{i}", centre, m))
        spheres.append(Sphere(centre, r, frame=B))
        q += place
        u += speed
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(b - a.diff() for a, b in zip(q, u, strict=True)))
    walls = [Plane(O.locatenew("left", -3 * N.x), N.x), Plane(O.locatenew("low", -3 * N.y), N.y)]
    touching = [*combinations(spheres, 2), *((ball, wall) for ball in spheres for wall in walls)]
    friction = mu if spin else 0
    return HybridModel(system, [Contact(*pair, restitution=e, friction=friction) for pair in touching])


def written(model, name):
    """The instructions of a function of a model in pieces."""
    function = next(function for function in model.functions if function.name == name)
    text = llvm.emit(graph_table(model.derivation.graph, [function]), [function.groups], straight=-1)
    return len(re.findall(r"^  (?:%|store|call)", text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", members(["boundary", "impact", "friction"], slow=("boundary", "impact")))
def test_three_times_the_balls_need_hardly_more_instructions(name):
    """Nine times the pairs; what grows is what belongs to one ball alone."""
    small, large = (written(balls(count), name) for count in (4, 12))
    assert large <= small + 4 * 8


def test_gaps_rates_and_jacobians_are_those_of_formulas_by_hand():
    """Distances of centres less the radii, and their derivatives, written here with NumPy."""
    count = 17
    model = balls(count, spin=False)
    compiled = model.compile()
    values = {m: 0.7, r: 0.3, e: 0.5}
    p = compiled.all_parameters(compiled.parameters({key: values[key] for key in model.parameters}))
    rng = np.random.default_rng(5)
    places, speeds = rng.normal(size=(2, count, 2))
    x = np.concatenate([places.ravel(), speeds.ravel()])
    gaps, rates, rows = [], [], []
    for i, j in combinations(range(count), 2):
        away = places[i] - places[j]
        distance = np.linalg.norm(away)
        row = np.zeros((count, 2))
        row[i], row[j] = away / distance, -away / distance
        gaps.append(distance - 2 * values[r])
        rows.append(row.ravel())
    for i in range(count):
        for axis in range(2):
            row = np.zeros((count, 2))
            row[i, axis] = 1.0
            gaps.append(places[i, axis] + 3 - values[r])
            rows.append(row.ravel())
    rates = np.array(rows) @ speeds.ravel()
    found = compiled.boundary(0.0, x, p).reshape(3, -1)
    np.testing.assert_allclose(found[:2], [gaps, rates], rtol=0, atol=1e-14)
    n, k = 2 * count, len(gaps)
    terms = compiled.terms(0.0, x, p)
    np.testing.assert_array_equal(terms[: n * n].reshape(n, n), values[m] * np.eye(n))
    np.testing.assert_allclose(terms[n * n :][: k * n].reshape(k, n), rows, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(terms[n * n + k * n :], [0.0] * k + [values[e]] * k)
