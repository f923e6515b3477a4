"""Forces in joints against SymPy's auxiliary speeds: reactions as loads, with a speed for each that is then zero."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from joint_trees import GRAVITY, Link, Tree, random_tree, system_of, vector
from quick_members import members
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from sympact import HybridModel

CLOSE = 1e-9
"""Of the largest force: both ways solve the same linear equations in double precision."""


def with_auxiliary_speeds(tree: Tree):
    """Force and torque on the child of each pin as a function of q, u and u', by Kane's method.

    The child of each pin gets six further speeds relative to its parent, and the reaction acts between the two.
    """
    n = len(tree.links)
    q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
    extra, reactions = dynamicsymbols(f"a:{6 * n}"), dynamicsymbols(f"R:{6 * n}")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    frames, centres, bodies, loads = [N], [O], [], []
    for i, link in enumerate(tree.links):
        parent, place = frames[link.parent + 1], centres[link.parent + 1]
        frame, axis = ReferenceFrame(f"B{i}"), vector(link.axis, parent)
        frame.orient_axis(parent, axis, q[i])
        moved, turned = (
            sum((s * e for s, e in zip(extra[k : k + 3], N, strict=True)), 0 * N.x) for k in (6 * i, 6 * i + 3)
        )
        frame.set_ang_vel(parent, u[i] * axis + turned)
        seat = place.locatenew(f"seat{i}", vector(link.seat, parent))
        seat.set_vel(N, place.vel(N) + parent.ang_vel_in(N).cross(vector(link.seat, parent)))
        foot = seat.locatenew(f"foot{i}", 0 * N.x)
        foot.set_vel(N, seat.vel(N) + moved)
        back = -vector(link.foot, frame)
        centre = foot.locatenew(f"centre{i}", back)
        centre.set_vel(N, foot.vel(N) + frame.ang_vel_in(N).cross(back))
        m = link.inertia
        tensor = inertia(frame, m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[0, 2])
        bodies.append(RigidBody(f"b{i}", centre, frame, link.mass, (tensor, centre)))
        force, torque = (
            sum((r * e for r, e in zip(reactions[k : k + 3], N, strict=True)), 0 * N.x) for k in (6 * i, 6 * i + 3)
        )
        loads += [(centre, link.mass * vector(GRAVITY, N)), (foot, force), (seat, -force), (frame, torque)]
        loads += [] if parent is N else [(parent, -torque)]
        frames.append(frame)
        centres.append(centre)
    kane = KanesMethod(N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)], u_auxiliary=extra)
    kane.kanes_equations(bodies, loads)
    rates = [speed.diff() for speed in u]
    matrix, rest = sm.linear_eq_to_matrix(kane.auxiliary_eqs, reactions)
    solved = sm.lambdify([q, u, rates], [matrix, rest], cse=True, docstring_limit=0)

    def reaction(*state: np.ndarray) -> np.ndarray:
        matrix, rest = solved(*state)
        return np.linalg.solve(matrix, rest).reshape(n, 6)

    return reaction


def bare(tree: Tree) -> Tree:
    """The tree with pins alone, under gravity alone."""
    nothing = {"kind": "pin", "push": np.zeros(3), "torque": 0.0}
    return Tree(tuple(Link(**{**vars(link), **nothing}) for link in tree.links), ())


def flat(tree: Tree) -> Tree:
    """The same with all axes along z, and all places and the inertia in the plane."""
    plane = np.diag([1.0, 1.0, 0.0])
    made = []
    for link in tree.links:
        changes = {"axis": np.array([0.0, 0.0, 1.0]), "inertia": np.diag(np.diag(link.inertia))}
        made.append(Link(**{**vars(link), **changes, "seat": plane @ link.seat, "foot": plane @ link.foot}))
    return Tree(tuple(made), ())


CASES = {
    "a planar double pendulum": lambda: flat(bare(random_tree(1, 2, chain=True))),
    "a spatial chain": lambda: bare(random_tree(2, 2, chain=True)),
    "two arms of one body": lambda: bare(random_tree(5, 3)),
}
SPATIAL = {"a spatial chain", "two arms of one body"}
"""SymPy takes long to derive them; `test_joint_forces` compares such trees with a recursion of Newton and Euler."""


@cache
def both_ways(case: str):
    tree = CASES[case]()
    return tree, HybridModel(system_of(tree), []), with_auxiliary_speeds(tree)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow) if case in SPATIAL else case for case in CASES]
)
@pytest.mark.parametrize("seed", members(range(4), slow=(1, 2, 3)))
def test_forces_and_torques_are_those_of_auxiliary_speeds(case, seed):
    tree, model, reaction = both_ways(case)
    n = len(tree.links)
    x = np.random.default_rng(seed).uniform(-2.0, 2.0, 2 * n)
    result = model.simulate((0, 1e-3), x, {})
    truth = reaction(x[:n], x[n:], model.compile().flow(0.0, x, [])[n:])
    found = [[*result.joint_force(f"j{i}")[:, 0], *result.joint_torque(f"j{i}")[:, 0]] for i in range(n)]
    np.testing.assert_allclose(found, truth, rtol=0, atol=CLOSE * abs(truth).max())
