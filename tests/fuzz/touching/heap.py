"""A heap as plain numbers: what the script of SymPy, and the mechanics in NumPy, are both made from.

Bodies are "b0", "b1", ... A planar body has the coordinates x, y and an angle about z, a ball in space x, y, z and a
unit quaternion. Gravity acts along -y on a floor y = 0; contacts are "c0", "c1", ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Pair = tuple[float, float]

FLOOR = -1
"""The number of the floor, at rest, beside those of the bodies."""


@dataclass(frozen=True)
class Block:
    """A convex polygon by its corners from the mass centre, counterclockwise."""

    mass: float
    inertia: float
    corners: tuple[Pair, ...]


@dataclass(frozen=True)
class Round:
    """A disc in the plane, or a ball in space."""

    mass: float
    inertia: float
    radius: float


@dataclass(frozen=True)
class Stick:
    """A bar with round ends at -half and +half of its own x axis."""

    mass: float
    inertia: float
    half: float
    radius: float


Part = Block | Round | Stick


@dataclass(frozen=True)
class Touch:
    """A place of a body, with a radius, that touches another body or the floor.

    `place` is measured in the body from its mass centre; a `bar` touches a round with its whole length instead.
    """

    name: str
    body: int
    other: int
    place: Pair = (0.0, 0.0)
    radius: float = 0.0


@dataclass(frozen=True)
class Heap:
    """Bodies and the pairs that may touch, with the choice of the impact law.

    The coefficients of friction of a drop are those of fast slips; slow ones have 1 + `weakening` times as much, by
    exp(-slip/0.1).
    """

    seed: int
    parts: tuple[Part, ...]
    pairs: tuple[tuple[int, int], ...]
    law: str = "Newton()"
    resolution: str = "Simultaneous()"
    painleve: str = "EndOfRun()"
    space: bool = False
    weakening: float = 0.0

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The contacts: those of each body with the floor, then those of the pairs."""
        found: list[Touch] = []
        for i, part in enumerate(self.parts):
            found += _on_floor(i, part)
        for i, j in self.pairs:
            found += _between(i, self.parts[i], j, self.parts[j])
        return tuple(Touch(f"c{k}", t.body, t.other, t.place, t.radius) for k, t in enumerate(found))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of all coordinates, body by body."""
        letters = ("x", "y", "z", "e0", "e1", "e2", "e3") if self.space else ("x", "y", "q")
        return tuple(f"{letter}_{i}" for i in range(len(self.parts)) for letter in letters)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of all speeds, body by body: of the centre, and angular velocities along the floor's axes."""
        letters = ("u", "v", "w", "wx", "wy", "wz") if self.space else ("u", "v", "w")
        return tuple(f"{letter}_{i}" for i in range(len(self.parts)) for letter in letters)

    @property
    def masses(self) -> np.ndarray:
        """The diagonal of the mass matrix."""
        turning = 3 if self.space else 1
        shift = 3 if self.space else 2
        return np.concatenate([[part.mass] * shift + [part.inertia] * turning for part in self.parts])


@dataclass(frozen=True)
class Drop:
    """A start and the numbers of one run; `pushes` are constant forces along x at the mass centres (N)."""

    q: tuple[float, ...]
    u: tuple[float, ...]
    span: float
    restitution: float
    friction: float
    floor_restitution: float
    floor_friction: float
    gravity: float = 9.81
    pushes: tuple[float, ...] = ()
    rtol: float = 1e-9


def _on_floor(i: int, part: Part) -> list[Touch]:
    if isinstance(part, Block):
        return [Touch("", i, FLOOR, corner) for corner in part.corners]
    if isinstance(part, Stick):
        return [Touch("", i, FLOOR, (side * part.half, 0.0), part.radius) for side in (-1.0, 1.0)]
    return [Touch("", i, FLOOR, radius=part.radius)]


def _between(i: int, one: Part, j: int, other: Part) -> list[Touch]:
    if isinstance(one, Block) and isinstance(other, Block):
        return [Touch("", i, j, corner) for corner in one.corners] + [
            Touch("", j, i, corner) for corner in other.corners
        ]
    if isinstance(one, Round) and isinstance(other, Round | Stick):
        return [Touch("", i, j, radius=one.radius)]
    if isinstance(one, Stick) and isinstance(other, Round):
        return [Touch("", j, i, radius=other.radius)]
    raise ValueError(f"no contact of {one} with {other}")
