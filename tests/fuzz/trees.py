"""Random trees of bodies: all joints of SymPy, intermediate frames, full inertias, loads; in space or in a plane."""

from __future__ import annotations

import numpy as np

from fuzz.motion import about, rotation
from fuzz.recipe import FREEDOMS, Body, Coil, Drag, Mover, Push, Recipe, Spring, unit

DIGITS = 4
"""Decimals of the numbers of a recipe, so that scripts can be read."""

MOST_SPEEDS = 8

SPATIAL = {"pin": 5, "prismatic": 3, "cylindrical": 2, "planar": 1, "spherical": 3, "weld": 1, "free": 2}
PLANAR = {"pin": 4, "prismatic": 2, "planar": 2, "weld": 1}
"""How often each joint is drawn."""


def rounded(values) -> tuple[float, ...]:
    """Numbers with few decimals."""
    return tuple(round(float(value), DIGITS) for value in np.ravel(values))


def spread(rng: np.random.Generator, size: float) -> tuple[float, ...]:
    """A random place."""
    return rounded(rng.uniform(-size, size, 3))


def turns_of(R: np.ndarray) -> tuple[float, ...]:
    """The angles "XYZ" of a rotation."""
    return rounded([np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(np.clip(R[0, 2], -1, 1)), np.arctan2(-R[0, 1], R[0, 0])])


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A rotation, all alike."""
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q * np.linalg.det(Q)


def random_inertia(rng: np.random.Generator, mass: float) -> tuple[float, ...]:
    """That of a box, turned at random: ixx, iyy, izz, ixy, iyz, izx."""
    squares = rng.uniform(0.1, 0.8, 3) ** 2
    Q = random_rotation(rng)
    J = Q @ np.diag(mass / 12 * (squares.sum() - squares)) @ Q.T
    return tuple(round(float(J[i, j]), 6) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)))


def random_tree(rng: np.random.Generator, seed: int, planar: bool) -> Recipe:
    """Bodies, gravity, movers and loads; contacts come after."""
    while True:
        bodies = _bodies(rng, planar)
        if 1 <= sum(FREEDOMS[body.joint] for body in bodies) <= MOST_SPEEDS:
            break
    normal = _plane_normal(bodies) if planar else None
    gravity = _direction(rng, normal)
    recipe = Recipe(seed, bodies, gravity)
    loads = [load for load in _loads(rng, recipe, normal) if load is not None]
    movers = () if planar else tuple(_mover(rng, f"m{k}") for k in range(rng.integers(0, 2)))
    return Recipe(seed, bodies, gravity, movers, tuple(loads))


def _plane_normal(bodies) -> np.ndarray:
    """The normal to the plane of a planar tree, in the ground."""
    first = bodies[0]
    return rotation(first.parent_turn)[:, 1 if first.joint == "prismatic" else 0]


def _direction(rng, normal=None) -> tuple[float, ...]:
    vector = rng.normal(size=3)
    if normal is not None:
        vector -= vector @ normal * normal
    return unit(vector)


def _bodies(rng: np.random.Generator, planar: bool) -> tuple[Body, ...]:
    kinds = PLANAR if planar else SPATIAL
    names, weights = list(kinds), np.array(list(kinds.values()), dtype=float)
    count, bodies = rng.choice([1, 2, 3, 4], p=[0.25, 0.4, 0.25, 0.1]), []
    across = {"ground": random_rotation(rng)}  # axes of each body whose x is the normal of the plane
    for i in range(count):
        joint = str(rng.choice(names, p=weights / weights.sum()))
        parent = "ground" if i == 0 or rng.random() < 0.3 else f"b{rng.integers(i)}"
        if joint == "free" or (parent == "ground" and joint == "weld"):
            parent = "ground"
        mass, name = round(float(rng.uniform(0.3, 3.0)), DIGITS), f"b{i}"
        outer, inner = random_rotation(rng), random_rotation(rng)
        if planar:
            across[name] = inner
            outer = across[parent] @ about(0, rng.uniform(-3, 3))
            if joint == "prismatic":
                outer, inner = outer @ about(2, np.pi / 2), inner @ about(0, rng.uniform(-3, 3)) @ about(2, np.pi / 2)
        bodies.append(
            Body(
                name,
                parent,
                joint,
                mass,
                random_inertia(rng, mass),
                hold=spread(rng, 0.5),
                grip=spread(rng, 0.5),
                parent_turn=turns_of(outer) if not planar else _exact(outer),
                child_turn=turns_of(inner) if not planar else _exact(inner),
                order=str(rng.choice(["123", "213", "312", "321", "131", "232", "313"]))
                if joint == "spherical"
                else "123",
                space=bool(rng.random() < 0.3),
                spins=bool(rng.random() < 0.6),
            )
        )
    return tuple(bodies)


def _exact(R: np.ndarray) -> tuple[float, ...]:
    """The angles of a rotation with all digits: axes that must stay in one plane do."""
    return tuple(
        float(angle)
        for angle in (np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(np.clip(R[0, 2], -1, 1)), np.arctan2(-R[0, 1], R[0, 0]))
    )


def _mover(rng: np.random.Generator, name: str) -> Mover:
    return Mover(
        name,
        spread(rng, 0.5),
        spread(rng, 1.5),
        spread(rng, 0.08),
        round(float(rng.uniform(1, 12)), DIGITS),
        round(float(rng.uniform(0.0, 0.3)), DIGITS),
        round(float(rng.uniform(1, 5)), DIGITS),
    )


def _loads(rng: np.random.Generator, recipe: Recipe, normal):
    bodies = [body.name for body in recipe.bodies]
    if rng.random() < 0.4:
        a, b = rng.choice([*bodies, "ground"], 2)
        if a == b:
            a, b = "ground", bodies[-1]
        size = round(float(rng.uniform(1, 60)), DIGITS)
        damping, rest = (round(float(rng.uniform(0, 1)), DIGITS) for _ in range(2))
        yield Spring(str(a), spread(rng, 1.0), str(b), spread(rng, 0.5), size, damping * 2, rest)
    for body in recipe.bodies:
        if body.joint == "pin" and rng.random() < 0.3:
            yield Coil(body.name, *rounded(rng.uniform(0, [20, 1, 5, 8])))
    if rng.random() < 0.35:
        kind = str(rng.choice(["constant", "sine", "number", "expression", "function"]))
        name = "F0" if kind in ("number", "expression", "function") else ""
        size, pace = rounded(rng.uniform(1, [15, 8]))
        yield Push(str(rng.choice(bodies)), spread(rng, 0.5), _direction(rng, normal), size, kind, pace, name)
    if rng.random() < 0.25:
        amplitude, pace, damping = rounded(rng.uniform(0, [3, 8, 0.3]))
        yield Drag(str(rng.choice(bodies)), damping, _direction(rng), amplitude, pace)
