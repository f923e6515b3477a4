"""Random chains and heaps: rows of dominoes, piles of polygons, discs, planks on rollers, balls in space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np

from fuzz.touching.heap import Block, Drop, Heap, Part, Round, Stick

GRAVITY = 9.81

LAWS = {
    "Newton()": 5,
    "Newton(guard=True)": 2,
    "Poisson()": 3,
    "Energetic()": 3,
    "Plastic()": 2,
    "Newton(path='routh')": 1,
}
"""How often each impact law is drawn."""

RESOLUTIONS = {"Simultaneous()": 7, "Sequential()": 2, "ImpulseRatio(stiffness=1, exponent=1.5)": 1}
"""How often each resolution is drawn; `ImpulseRatio` is for Stronge's law only."""

KINDS = {"dominoes": 4, "blocks": 2, "discs": 2, "plank": 1, "tower": 2, "balls": 1}
"""How often each kind of heap is drawn."""


def box(width: float, height: float, mass: float) -> Block:
    """A homogeneous rectangle."""
    x, y = width / 2, height / 2
    return Block(mass, mass * (width**2 + height**2) / 12, ((-x, -y), (x, -y), (x, y), (-x, y)))


def dominoes(
    n: int,
    gap: float,
    mu: float,
    mu_floor: float,
    e: float,
    width: float = 0.008,
    height: float = 0.048,
    turning: float = 1.5,
    lean: float = 0.18,
    span: float = 1.5,
    seed: int = 0,
    **choices: str,
) -> tuple[Heap, Drop]:
    """A row of dominoes, of which the first leans towards the next and turns about its corner on the floor."""
    th = min(lean, 0.95 * float(np.arcsin(min(1.0, gap / height))))
    c, s = np.cos(th), np.sin(th)
    X, Y = -c * width / 2 + s * height / 2, s * width / 2 + c * height / 2
    q = [width / 2 + X, Y, -th]
    u = [turning * Y, -turning * X, -turning]
    for k in range(1, n):
        q += [k * (width + gap), height / 2, 0.0]
        u += [0.0, 0.0, 0.0]
    pairs = tuple((k, k + 1) for k in range(n - 1))
    heap = Heap(seed, (box(width, height, 0.01),) * n, pairs, **choices)
    return heap, Drop(_numbers(q), _numbers(u), span, e, mu, e, mu_floor, GRAVITY)


def random_dominoes(seed: int, n: int, **choices: str) -> tuple[Heap, Drop]:
    """One of the population of rows of n: gaps of 6 to 35 mm, e = 0 in every other one."""
    rng = np.random.default_rng([seed, n, 41])
    gap, mu, mu_floor = (round(float(rng.uniform(*ends)), 5) for ends in ((0.006, 0.035), (0.05, 0.5), (0.2, 0.9)))
    e = 0.0 if rng.random() < 0.5 else round(float(rng.uniform(0.0, 0.4)), 4)
    return dominoes(n, gap, mu, mu_floor, e, seed=seed, **choices)


def random_heap(seed: int) -> tuple[Heap, Drop]:
    """A heap of any kind with any law; the same for the same seed."""
    rng = np.random.default_rng([seed, 43])
    law, resolution = _drawn(rng, LAWS), _drawn(rng, RESOLUTIONS)
    if resolution.startswith("ImpulseRatio"):
        law = "Energetic()"
    painleve = "ImpactWithoutCollision()" if rng.random() < 0.3 else "EndOfRun()"
    choices = {"law": law, "resolution": resolution, "painleve": painleve}
    kind = _drawn(rng, KINDS)
    if kind == "dominoes":
        return random_dominoes(
            seed, int(rng.choice([2, 3, 4, 5, 6, 8, 14], p=[0.2, 0.3, 0.2, 0.15, 0.08, 0.05, 0.02])), **choices
        )
    parts, q = _MADE[kind](rng)
    moving = kind != "tower" or rng.random() < 0.5
    heap = Heap(seed, parts, tuple(combinations(range(len(parts)), 2)), space=kind == "balls", **choices)
    u = _rounded(rng.uniform(-0.3, 0.3, len(heap.speeds)) * moving * rng.choice([0.0, 1.0]))
    pushes = _rounded(
        rng.uniform(-0.5, 0.5, len(parts)) * [part.mass * GRAVITY for part in parts] * (rng.random() < 0.3)
    )
    e, mu, e_floor, mu_floor = _coefficients(rng, law)
    span = round(float(rng.uniform(0.3, 1.0)), 3)
    return heap, Drop(q, u, span, e, mu, e_floor, mu_floor, GRAVITY, pushes)


def weakening_heap(seed: int) -> tuple[Heap, Drop]:
    """The same with friction that falls with the slip to what it is there."""
    heap, drop = random_heap(seed)
    return replace(heap, weakening=round(float(np.random.default_rng([seed, 53]).uniform(0.1, 1.0)), 3)), drop


def varied(heap: Heap, drop: Drop, number: int) -> Drop:
    """The drop itself, then others of the same heap with other coefficients."""
    if number == 0:
        return drop
    rng = np.random.default_rng([heap.seed, 47, number])
    e, mu, e_floor, mu_floor = _coefficients(rng, heap.law)
    return replace(drop, restitution=e, friction=mu, floor_restitution=e_floor, floor_friction=mu_floor)


def _coefficients(rng: np.random.Generator, law: str) -> tuple[float, ...]:
    """e and mu of pairs, then those of the floor."""
    e, e_floor = (float(rng.choice([0.0, 0.0, round(rng.uniform(0.0, 0.6), 3)])) for _ in range(2))
    mu, mu_floor = (float(rng.choice([0.0, round(rng.uniform(), 3), round(rng.uniform(), 3), 1.0])) for _ in range(2))
    if law == "Plastic()":
        mu, mu_floor = max(mu, 0.1), max(mu_floor, 0.1)
    return e, mu, e_floor, mu_floor


def _blocks(rng: np.random.Generator):
    """Rectangles and triangles that fall one above the other, turned."""
    parts: list[Part] = []
    q, height = [], 0.0
    for _ in range(rng.integers(2, 5)):
        size = round(float(rng.uniform(0.03, 0.08)), 3)
        mass = round(float(rng.uniform(0.05, 0.5)), 3)
        parts.append(
            box(size, round(size * float(rng.uniform(0.5, 2.0)), 3), mass)
            if rng.random() < 0.7
            else _triangle(size, mass)
        )
        reach = float(np.linalg.norm(parts[-1].corners, axis=1).max())
        height += reach + round(float(rng.uniform(0.002, 0.02)), 4)
        q += [float(rng.uniform(-0.3, 0.3)) * reach, height, float(rng.choice([0.0, rng.uniform(-3, 3)]))]
        height += reach
    return tuple(parts), _rounded(q)


def _triangle(size: float, mass: float) -> Block:
    """An equilateral triangle of a side; its moment of inertia is m a^2/12."""
    r = size / np.sqrt(3.0)
    corners = tuple(
        (round(float(r * np.cos(a)), 9), round(float(r * np.sin(a)), 9)) for a in np.pi * np.array([0.5, 7 / 6, 11 / 6])
    )
    return Block(mass, mass * size**2 / 12, corners)


def _tower(rng: np.random.Generator):
    """Equal boxes on each other, closed from the start on, a little out of line."""
    width, height = (round(float(rng.uniform(0.03, 0.08)), 3) for _ in range(2))
    n = int(rng.integers(2, 6))
    q = [(float(rng.uniform(-0.2, 0.2)) * width, (k + 0.5) * height, 0.0) for k in range(n)]
    return (box(width, height, 0.2),) * n, tuple(part for x, y, a in q for part in (round(x, 5), y, a))


def _discs(rng: np.random.Generator):
    """Discs that fall into a heap, side by side and one above the other."""
    n = int(rng.integers(2, 7))
    radii = [round(float(rng.uniform(0.02, 0.05)), 3) for _ in range(n)]
    parts = tuple(Round(round(40 * r * r, 5), round(20 * r**4, 9), r) for r in radii)
    q = [
        part
        for k in range(n)
        for part in (0.05 * (k % 3) * 2.02 + rng.uniform(-1e-3, 1e-3), 0.06 + 0.11 * (k // 3), 0.0)
    ]
    return parts, _rounded(q)


def _plank(rng: np.random.Generator):
    """A plank above two or three rollers."""
    n, r = int(rng.integers(2, 4)), round(float(rng.uniform(0.01, 0.03)), 3)
    rollers = tuple(Round(0.1, round(0.05 * r * r, 9), r) for _ in range(n))
    plank = Stick(0.4, 0.4 * 0.2**2 / 3, 0.2, 0.005)
    q = [
        part
        for k in range(n)
        for part in (0.12 * (k - (n - 1) / 2) + rng.uniform(-0.01, 0.01), r + rng.choice([0.0, 0.004]), 0.0)
    ]
    return (*rollers, plank), _rounded([*q, 0.01, 2 * r + 0.02, rng.uniform(-0.02, 0.02)])


def _balls(rng: np.random.Generator):
    """Balls in space that fall beside and onto each other."""
    n, q = int(rng.integers(2, 5)), []
    radii = [round(float(rng.uniform(0.02, 0.05)), 3) for _ in range(n)]
    for k, r in enumerate(radii):
        q += [
            float(rng.uniform(-0.02, 0.02)),
            r + 0.11 * k + 0.005,
            float(rng.uniform(-0.02, 0.02)),
            1.0,
            0.0,
            0.0,
            0.0,
        ]
    return tuple(Round(round(2000 * r**3, 6), round(800 * r**5, 10), r) for r in radii), _rounded(q)


_MADE: dict[str, Callable] = {"blocks": _blocks, "discs": _discs, "plank": _plank, "tower": _tower, "balls": _balls}


def _drawn(rng: np.random.Generator, weights: dict[str, int]) -> str:
    names, sizes = list(weights), np.array(list(weights.values()), dtype=float)
    return str(rng.choice(names, p=sizes / sizes.sum()))


def _numbers(values) -> tuple[float, ...]:
    return tuple(map(float, values))


def _rounded(values) -> tuple[float, ...]:
    return tuple(round(float(value), 5) for value in values)
