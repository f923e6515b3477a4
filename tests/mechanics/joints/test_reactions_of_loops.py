"""Reactions of random closed mechanisms, redundant ones among them, in balance body by body."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from constrained_models import accelerations
from joint_trees import (
    Link,
    Tree,
    joint_wrenches,
    random_tree,
    states_of,
    system_of,
    vector,
)
from quick_members import members
from sympy.physics.vector import ReferenceFrame

from sympact import BallClosure, HybridModel, PinClosure, RodClosure, WeldClosure

ROUNDING = 1e-9
"""Of the largest force."""
pytestmark = pytest.mark.filterwarnings("ignore:the initial state was projected")


def pinned(tree: Tree) -> Tree:
    """The same with pins alone, under gravity and the pushes."""
    return Tree(tuple(Link(**{**vars(link), "kind": "pin"}) for link in tree.links), tree.springs)


def flat(tree: Tree) -> Tree:
    """The same with all axes along z; its bodies may lie in different planes."""
    z = np.array([0.0, 0.0, 1.0])
    return Tree(tuple(Link(**{**vars(link), "axis": z}) for link in tree.links), tree.springs)


def ends_of(tree, system, states, link, other, place):
    """A point of a link, and one of another (-1: the ground) at the same place; how the other's frame sees the link's
    one, the two bodies, and the place in the first."""
    bodies = [joint.child for joint in system.joints]
    ground = system.joints[0].parent if other < 0 else bodies[other]
    here, there = states[link + 1], states[other + 1]
    away = there.R.T @ (here.c + here.R @ place - there.c)
    end = bodies[link].masscenter.locatenew("end", vector(place, bodies[link].frame))
    start = ground.masscenter.locatenew("start", vector(away, ground.frame))
    return start, end, there.R.T @ here.R, ground, bodies[link]


def closed(seed: int, kind: str, n: int, *, planar: bool = False):
    """A random tree of n pins with a loop that is closed where it stands: model, tree, closure, place, start."""
    tree = pinned(random_tree(seed, n, chain=True))
    tree = flat(tree) if planar else tree
    rng = np.random.default_rng(seed + 1000)
    q, place = rng.uniform(-1.0, 1.0, n), rng.uniform(-0.5, 0.5, 3)
    states, system = states_of(tree, q, np.zeros(n), np.zeros(n)), system_of(tree)
    other = -1 if seed % 2 == 0 else 0
    start, end, turned, base, body = ends_of(tree, system, states, n - 1, other, place)
    if kind == "ball":
        loop = BallClosure(start, end)
    elif kind == "rod":
        away = rng.uniform(0.3, 0.6, 3)
        above = start.locatenew("above", vector(away, base.frame))
        loop = RodClosure(above, end, float(np.linalg.norm(away)))
    elif kind == "pin":
        axis = np.array([0.0, 0.0, 1.0]) if planar else np.array([0.6, 0.0, 0.8])
        loop = PinClosure(start, end, vector(turned @ axis, base.frame), vector(axis, body.frame))
    else:
        seat = ReferenceFrame("seat")
        seat.orient_explicit(base.frame, matrix(turned))
        loop = WeldClosure(start, end, seat, body.frame)
    u = rng.uniform(-1.0, 1.0, n)
    return HybridModel(system, [], constraints=[loop]), tree, loop, place, other, [*q, *u]


def matrix(values):
    return sm.Matrix(3, 3, [sm.Float(float(value), 17) for value in values.ravel()])


def balanced(model, tree, loop, place, other, x, t=0.0) -> None:
    """Newton's and Euler's equations of each body with the forces that the result gives: none about a free axis is
    left, and those of the joints are what a recursion finds."""
    result = model.simulate((0, 1e-3), x, {})
    n, x = len(tree.links), result.x[:, 0]
    symbols = model.derivation.symbols
    assert len(symbols.parameters) == 0
    up, _ = accelerations(model.derivation, x, np.zeros(0), 0.0)
    force, torque = result.reaction.force(loop)[:, 0], result.reaction.torque(loop)[:, 0]
    states = states_of(tree, x[:n], x[n:], up)
    further = [(n - 1, place, force, torque)]
    if other >= 0:
        here, there = states[n], states[other + 1]
        opposite = there.R.T @ (here.c + here.R @ place - there.c)
        further.append((other, opposite, -force, -torque))
    truth = joint_wrenches(tree, x[:n], x[n:], up, further)
    found = np.array([[*result.joint_force(f"j{i}")[:, 0], *result.joint_torque(f"j{i}")[:, 0]] for i in range(n)])
    size = max(1.0, np.abs(truth).max())
    np.testing.assert_allclose(found, truth, rtol=0, atol=ROUNDING * size)
    for i, link in enumerate(tree.links):
        axis = states[link.parent + 1].R @ link.axis
        assert abs(axis @ truth[i, 3:]) <= ROUNDING * size


SPATIAL = [(*one, seed) for one in (("ball", 5), ("rod", 4), ("pin", 7), ("weld", 8)) for seed in range(4)]
QUICK = {("ball", 5, 0), ("rod", 4, 0)}
"""Of large trees; what pins bear is quick in the planar loops below, torques among it as a weld bears them."""


@pytest.mark.parametrize(("kind", "n", "seed"), members(SPATIAL, slow={*SPATIAL} - QUICK))
def test_spatial_loops_are_in_balance(kind, n, seed):
    balanced(*closed(seed, kind, n))


@pytest.mark.filterwarnings("ignore::sympact.SympactWarning")
@pytest.mark.parametrize("seed", members(range(4), slow=(1, 2, 3)))
@pytest.mark.parametrize("kind", ["ball", "pin"])
def test_planar_loops_of_bodies_in_different_planes_are_in_balance(kind, seed):
    balanced(*closed(seed, kind, 4, planar=True))
