"""Exact flight of a uniform cube above a frictionless plane, with Newton impacts at its corners.

The inertia of a uniform cube is isotropic, so between impacts its centre is ballistic and its angular velocity
constant: the height of corner k over the plane z = 0 is a formula in one variable (Rodrigues),

    h_k(s) = z + v s - g s^2/2 + c_k + a_k cos(w s) + b_k sin(w s),    |h_k''| <= M_k = g + w^2 sqrt(a_k^2 + b_k^2).

From a point with h_k > 0, the parabola h_k + h_k' s - M_k s^2/2 lies below h_k, so no corner can reach the plane
before the smallest root of these parabolas. Marching from root to root never passes a crossing, however shallow, and
converges to the first one quadratically. Everything is vectorised over drops and runs in extended precision where the
machine has it, because each impact multiplies an error in time by about ten.

Vectors are space-fixed; ``rotation`` maps body components to space components.
"""

from dataclasses import dataclass, fields, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

CORNERS = np.array(list(product((1, -1), repeat=3)))
"""The eight corners in body axes, in units of half an edge, shape (8, 3)."""

EXTENDED = np.longdouble
NO_CORNER = -1


@dataclass(frozen=True)
class Cube:
    """A uniform cube: mass (kg), edge (m), restitution of its corners, gravity (m/s^2) along -z."""

    mass: float
    edge: float
    restitution: float
    gravity: float

    @property
    def inertia(self) -> float:
        """The moment of inertia about every axis through the centre (kg m^2)."""
        return EXTENDED(self.mass) * EXTENDED(self.edge) ** 2 / 6


@dataclass(frozen=True)
class Drops:
    """The states of n cubes in extended precision.

    Attributes
    ----------
    t : ndarray, shape (n,)
    position, velocity : ndarray, shape (n, 3)
        Of the centre.
    rotation : ndarray, shape (n, 3, 3)
    spin : ndarray, shape (n, 3)
        Angular velocity in space components (rad/s).
    """

    t: NDArray
    position: NDArray
    velocity: NDArray
    rotation: NDArray
    spin: NDArray

    def __post_init__(self):
        for field in fields(self):
            object.__setattr__(self, field.name, np.asarray(getattr(self, field.name), dtype=EXTENDED))

    def __getitem__(self, chosen) -> "Drops":
        return Drops(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})


@dataclass(frozen=True)
class Impacts:
    """The first impacts of n drops; where a drop has fewer, `t` is infinite and `corner` is -1.

    Attributes
    ----------
    t, impulse, clearance : ndarray, shape (n, count)
        Time, impulse (N s), and the height of the second-lowest corner: small where two corners nearly hit at once.
    corner : ndarray of int, shape (n, count)
        Row of `CORNERS`.
    """

    t: NDArray
    corner: NDArray
    impulse: NDArray
    clearance: NDArray


def rotation_313(angles) -> NDArray:
    """Rz(a) Rx(b) Rz(c) for the body-fixed 3-1-3 `angles` (a, b, c), shape (..., 3)."""
    a, b, c = np.moveaxis(np.asarray(angles, dtype=EXTENDED), -1, 0)
    (ca, cb, cc), (sa, sb, sc) = np.cos([a, b, c]), np.sin([a, b, c])
    rows = [
        [ca * cc - sa * cb * sc, -ca * sc - sa * cb * cc, sa * sb],
        [sa * cc + ca * cb * sc, -sa * sc + ca * cb * cc, -ca * sb],
        [sb * sc, sb * cc, cb],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rotation_quaternion(quaternions) -> NDArray:
    """The rotation of `quaternions`, shape (..., 4), scalar part first, normalised here in extended precision."""
    parts = np.asarray(quaternions, dtype=EXTENDED)
    w, x, y, z = np.moveaxis(parts / np.sqrt((parts**2).sum(axis=-1, keepdims=True)), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def spin_313(angles, rates) -> NDArray:
    """Angular velocity in space components of the body-fixed 3-1-3 `angles` that change at `rates`, shape (..., 3)."""
    a, b, _ = np.moveaxis(np.asarray(angles, dtype=EXTENDED), -1, 0)
    a_rate, b_rate, c_rate = np.moveaxis(np.asarray(rates, dtype=EXTENDED), -1, 0)
    x = b_rate * np.cos(a) + c_rate * np.sin(a) * np.sin(b)
    y = b_rate * np.sin(a) - c_rate * np.cos(a) * np.sin(b)
    return np.stack([x, y, a_rate + c_rate * np.cos(b)], axis=-1)


def advance(cube: Cube, drops: Drops, duration) -> Drops:
    """The free flight of each drop over its own `duration` (s), shape (n,)."""
    s = np.asarray(duration, dtype=EXTENDED)[:, None]
    fall = np.zeros(3, dtype=EXTENDED)
    fall[2] = -EXTENDED(cube.gravity)
    return replace(
        drops,
        t=drops.t + s[:, 0],
        position=drops.position + drops.velocity * s + fall * s**2 / 2,
        velocity=drops.velocity + fall * s,
        rotation=np.einsum("nij,njk->nik", _turn(drops.spin, s[:, 0]), drops.rotation),
    )


def first_contact(cube: Cube, drops: Drops, t_end: float) -> tuple[NDArray, NDArray]:
    """Time from now to the next contact of each drop (infinite after `t_end`), and the corner that makes it (or -1)."""
    heights = _CornerHeights.of(cube, drops)
    elapsed = np.zeros(len(drops.t), dtype=EXTENDED)
    corner = np.full(len(drops.t), NO_CORNER)
    active = np.flatnonzero(drops.t < t_end)
    elapsed[drops.t >= t_end] = np.inf
    while active.size:
        step = heights.safe_step(elapsed[active], active)
        lowest = step.argmin(axis=1)
        step = step[np.arange(active.size), lowest]
        arrived = step <= 2 * np.finfo(EXTENDED).eps * elapsed[active]
        elapsed[active] += np.maximum(step, 0)
        gone = ~arrived & (drops.t[active] + elapsed[active] > t_end)
        corner[active[arrived]] = lowest[arrived]
        elapsed[active[gone]] = np.inf
        active = active[~(arrived | gone)]
    return elapsed, corner


def rebound(cube: Cube, drops: Drops, corner: NDArray) -> tuple[Drops, NDArray]:
    """The state after the impact of `corner`, shape (n,), and its impulse (N s): -(1+e) v_n / (1/m + |r x n|^2/I)."""
    arm = np.einsum("nij,nj->ni", drops.rotation, CORNERS[corner] * (EXTENDED(cube.edge) / 2))
    turning = np.stack([arm[:, 1], -arm[:, 0], np.zeros_like(arm[:, 0])], axis=1)
    normal_velocity = drops.velocity[:, 2] + np.einsum("ni,ni->n", drops.spin, turning)
    mobility = 1 / EXTENDED(cube.mass) + np.einsum("ni,ni->n", turning, turning) / cube.inertia
    impulse = -(1 + EXTENDED(cube.restitution)) * normal_velocity / mobility
    velocity = drops.velocity.copy()
    velocity[:, 2] += impulse / EXTENDED(cube.mass)
    return replace(drops, velocity=velocity, spin=drops.spin + turning * (impulse / cube.inertia)[:, None]), impulse


def corner_heights(cube: Cube, drops: Drops) -> NDArray:
    """Height of every corner above the plane, shape (n, 8)."""
    arms = CORNERS * (EXTENDED(cube.edge) / 2)
    return drops.position[:, 2, None] + np.einsum("nj,kj->nk", drops.rotation[:, 2], arms)


def impacts(cube: Cube, drops: Drops, count: int, t_end: float = np.inf) -> Impacts:
    """The first `count` impacts of each drop up to `t_end`, one corner at a time.

    Raises
    ------
    ValueError
        If a cube starts below the plane.

    Examples
    --------
    A cube that stands on a corner and does not turn falls on that corner:

    >>> upright = rotation_313([0, np.arccos(1 / np.sqrt(3)), np.pi / 4])
    >>> drops = Drops([0.0], [[0, 0, 5]], [[0, 0, 0]], upright[None], [[0, 0, 0]])
    >>> first = impacts(Cube(mass=1, edge=1, restitution=0.8, gravity=9.8), drops, count=1)
    >>> bool(np.isclose(float(first.t[0, 0]), np.sqrt(2 * (5 - np.sqrt(3) / 2) / 9.8), rtol=1e-14))
    True
    """
    lowest = corner_heights(cube, drops).min(axis=1)
    if (lowest < 0).any():
        raise ValueError(f"every corner must start above the plane; drops {np.flatnonzero(lowest < 0)} start below it")
    shape = (len(drops.t), count)
    unknown = np.full(shape, np.nan, EXTENDED)
    found = Impacts(np.full(shape, np.inf, EXTENDED), np.full(shape, NO_CORNER), unknown, unknown.copy())
    flying = np.arange(len(drops.t))
    for index in range(count):
        duration, corner = first_contact(cube, drops, t_end)
        flying, drops = flying[corner >= 0], drops[corner >= 0]
        duration, corner = duration[corner >= 0], corner[corner >= 0]
        drops = advance(cube, drops, duration)
        found.t[flying, index] = drops.t
        found.corner[flying, index] = corner
        found.clearance[flying, index] = np.sort(corner_heights(cube, drops), axis=1)[:, 1]
        drops, found.impulse[flying, index] = rebound(cube, drops, corner)
    return found


@dataclass(frozen=True)
class _CornerHeights:
    """The coefficients of h_k(s) for every drop and corner; `bend` is the bound M_k of its curvature."""

    rise: NDArray
    gravity: float
    speed: NDArray
    steady: NDArray
    cosine: NDArray
    sine: NDArray
    bend: NDArray

    @classmethod
    def of(cls, cube: Cube, drops: Drops) -> "_CornerHeights":
        arms = np.einsum("nij,kj->nki", drops.rotation, CORNERS * (EXTENDED(cube.edge) / 2))
        speed = np.sqrt(np.einsum("ni,ni->n", drops.spin, drops.spin))
        axis = drops.spin / np.where(speed > 0, speed, 1)[:, None]
        along = np.einsum("nki,ni->nk", arms, axis) * axis[:, 2, None]
        cosine = arms[:, :, 2] - along
        sine = axis[:, 0, None] * arms[:, :, 1] - axis[:, 1, None] * arms[:, :, 0]
        gravity = EXTENDED(cube.gravity)
        bend = gravity + speed[:, None] ** 2 * np.hypot(cosine, sine)
        return cls(drops.velocity[:, 2], gravity, speed, drops.position[:, 2, None] + along, cosine, sine, bend)

    def safe_step(self, s: NDArray, rows: NDArray) -> NDArray:
        """How long after `s` each corner of the drops `rows` stays above the plane for certain (s), shape (n, 8)."""
        turned = self.speed[rows] * s
        cos, sin = np.cos(turned)[:, None], np.sin(turned)[:, None]
        fall = (self.rise[rows] * s - self.gravity * s**2 / 2)[:, None]
        gap = self.steady[rows] + fall + self.cosine[rows] * cos + self.sine[rows] * sin
        turning = self.speed[rows, None] * (self.sine[rows] * cos - self.cosine[rows] * sin)
        rate = (self.rise[rows] - self.gravity * s)[:, None] + turning
        bend = self.bend[rows]
        root = np.sqrt(np.maximum(rate**2 + 2 * bend * gap, 0))
        falling = rate < 0
        return np.where(falling, 2 * gap / np.where(falling, root - rate, 1), (rate + root) / bend)


def _turn(spin: NDArray, duration: NDArray) -> NDArray:
    """The rotation exp(duration [spin]x) of each drop, shape (n, 3, 3)."""
    speed = np.sqrt(np.einsum("ni,ni->n", spin, spin))
    x, y, z = (spin / np.where(speed > 0, speed, 1)[:, None]).T
    zero = np.zeros_like(x)
    cross = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    angle = (speed * duration)[:, None, None]
    square = np.einsum("nij,njk->nik", cross, cross)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * square
