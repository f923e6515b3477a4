"""Random chains and heaps: rows of dominoes, piles of polygons, discs, planks on rollers, balls in space."""

from __future__ import annotations

import numpy as np

from fuzz.touching.heap import Block, Drop, Heap

GRAVITY = 9.81


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
    return heap, Drop(tuple(map(float, q)), tuple(map(float, u)), span, e, mu, e, mu_floor, GRAVITY)


def random_dominoes(seed: int, n: int) -> tuple[Heap, Drop]:
    """One of the population of rows of n: gaps of 6 to 35 mm, e = 0 in every other one."""
    rng = np.random.default_rng([seed, n, 41])
    gap, mu, mu_floor = (round(float(rng.uniform(*ends)), 5) for ends in ((0.006, 0.035), (0.05, 0.5), (0.2, 0.9)))
    e = 0.0 if rng.random() < 0.5 else round(float(rng.uniform(0.0, 0.4)), 4)
    return dominoes(n, gap, mu, mu_floor, e, seed=seed)
