"""A rotation by three angles, integrated as a unit quaternion and an angular velocity: the two charts.

A frame F is turned against its parent by three rotations about axes, each perpendicular to the one before. Up to
constant rotations before and after, these are rotations about z, x and z by alpha, theta = beta + offset and gamma, and
those of a quaternion p [1]_:

    p0 + i p3 = cos(theta / 2) exp(i (alpha + gamma) / 2),    p1 + i p2 = sin(theta / 2) exp(i (alpha - gamma) / 2).

At a gimbal lock one of the two complex numbers is zero. Along a motion both are smooth, so that their arguments,
followed from sample to sample (`winding`), are the angles without jumps and without a bound.

References
----------
.. [1] E. Bernardes, S. Viollet, Quaternion to Euler angles conversion: a direct, general and computationally efficient
   method, PLoS ONE 17 (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

import numpy as np

from sympact.integrate.charts.winding import Curve, Winding, follow, nearest_argument
from sympact.integrate.memory.run_tolerances import NO_ARGUMENT
from sympact.native.cached import cached_property

__all__ = ["Angles", "Attitude", "SpeedKind", "rotated", "spin_of"]

Motion = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Quaternions (k, 4) and angular velocities (k, 3) at any times, shape (k,), between two samples."""


class SpeedKind(StrEnum):
    """The quantities of which the three speeds of a rotation are combinations with constant coefficients."""

    BODY = "angular velocity, components in the frame"
    PARENT = "angular velocity, components in the parent"
    RATES = "rates of the angles"


@dataclass(frozen=True, slots=True, eq=False)
class Angles:
    """The branch of the three angles at some instants, see the formulas of this file.

    Attributes
    ----------
    arguments : array, shape (k, 2)
        (alpha + gamma) / 2 and (alpha - gamma) / 2 (rad).
    side, turns : arrays, shape (k,)
        theta / 2 = side atan2(|p1 + i p2|, |p0 + i p3|) + pi turns; the side is +1 or -1, turns are whole.
    """

    arguments: np.ndarray
    side: np.ndarray
    turns: np.ndarray

    def of(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """alpha, theta and gamma of quaternions p, shape (k, 4)."""
        outer, inner = self.arguments.T
        tilt = np.arctan2(np.hypot(p[:, 1], p[:, 2]), np.hypot(p[:, 0], p[:, 3]))
        return outer + inner, 2.0 * (self.side * tilt + np.pi * self.turns), outer - inner

    def at(self, k: np.ndarray | slice) -> Angles:
        """Those of some of the instants."""
        return Angles(self.arguments[k], self.side[k], self.turns[k])

    @property
    def signs(self) -> np.ndarray:
        """The signs of the moduli of the two complex numbers, shape (k, 2)."""
        even = 1.0 - 2.0 * (self.turns % 2)
        return np.stack([even, even * self.side], axis=1)


@dataclass(frozen=True, eq=False)
class Attitude:
    """One frame that three angles turn against its parent.

    The state with the angles is that of the user's model; the other one, with a quaternion, is integrated.

    Attributes
    ----------
    angles, speeds : array of int, shape (3,)
        Places in the first state: alpha, beta and gamma, from the parent to the frame, and the speeds.
    quaternion, spin : array of int, shapes (4,) and (3,)
        Places in the second one: the quaternion of the frame in its parent, and its angular velocity there, components
        in the frame.
    to_p : array, shape (4, 4)
        p from the quaternion; orthogonal.
    offset : float
        theta - beta (rad).
    axes : array, shape (3, 3)
        The columns: the axes x, y, z after the rotations, components in the frame.
    kind : SpeedKind
    weights : array, shape (3, 3)
        What `kind` says, from the speeds.
    """

    angles: np.ndarray
    speeds: np.ndarray
    quaternion: np.ndarray
    spin: np.ndarray
    to_p: np.ndarray
    offset: float
    axes: np.ndarray
    kind: SpeedKind
    weights: np.ndarray

    def inward(self, x: np.ndarray, functions: Any = np) -> tuple[np.ndarray, np.ndarray]:
        """Quaternions and angular velocities, shapes (..., 4) and (..., 3), from states of the user's model, (..., n).

        States are numbers, or formulas with `functions` of their kind.
        """
        (alpha, beta, gamma), given = x.T[self.angles], self.weights.dot(x.T[self.speeds])
        theta, outer, inner = beta + self.offset, (alpha + gamma) / 2, (alpha - gamma) / 2
        cos, sin = functions.cos, functions.sin
        c, s = cos(theta / 2), sin(theta / 2)
        quaternion = self.to_p.T.dot([c * cos(outer), s * cos(inner), s * sin(inner), c * sin(outer)])
        if self.kind is SpeedKind.RATES:
            given = self.axes.dot(spin_of(given, theta, gamma, functions))
        elif self.kind is SpeedKind.PARENT:
            real, *axis = quaternion
            given = np.array(rotated((real, *(-part for part in axis)), given))
        return quaternion.T, given.T

    def outward(self, quaternion: np.ndarray, spin: np.ndarray, branch: Angles) -> tuple[np.ndarray, np.ndarray]:
        """Angles and speeds, shapes (k, 3), from quaternions, angular velocities, and the branch of the angles."""
        alpha, theta, gamma = branch.of(_times(quaternion, self.to_p.T))
        angles = np.stack([alpha, theta - self.offset, gamma], axis=1)
        if self.kind is SpeedKind.RATES:
            spin = _rates_of(_times(spin, self.axes), theta, gamma)
        elif self.kind is SpeedKind.PARENT:
            spin = np.array(rotated(quaternion.T, spin.T)).T
        return angles, _times(spin, self._speeds_of.T)

    @cached_property
    def _speeds_of(self) -> np.ndarray:
        """The inverse of the weights."""
        return np.linalg.inv(self.weights)

    def begin(self, x: np.ndarray) -> Angles:
        """The branch of the angles in one state of the user's model, shape (n,)."""
        alpha, beta, gamma = x[self.angles]
        half = (beta + self.offset) / 2
        turns = np.round(half / np.pi)
        side = 1.0 if half >= np.pi * turns else -1.0
        return Angles(np.array([[(alpha + gamma) / 2, (alpha - gamma) / 2]]), np.array([side]), np.array([turns]))

    def end(self, x0: np.ndarray, quaternion: np.ndarray, spin: np.ndarray, turned: np.ndarray) -> Angles:
        """The branch at the ends of runs from states x0, shape (k, n), without passes through a gimbal lock.

        `turned` are the changes of both arguments along each run but for rounding, shape (k, 2).
        """
        alpha, beta, gamma = x0[:, self.angles].T
        half = (beta + self.offset) / 2
        turns = np.round(half / np.pi)
        side = np.where(half >= np.pi * turns, 1.0, -1.0)
        numbers = self._curve(np.zeros(len(quaternion)), quaternion, spin).z
        first = np.stack([(alpha + gamma) / 2, (alpha - gamma) / 2], axis=1)
        return Angles(nearest_argument(np.angle(numbers), first + turned), side, turns)

    def follow(self, t: np.ndarray, quaternion: np.ndarray, spin: np.ndarray, first: Angles, motion: Motion) -> Angles:
        """The branch at all samples of a run from that at the first; `motion` gives it where samples do not decide."""
        curve = self._curve(t, quaternion, spin)
        winding = follow(curve, first.arguments[0], first.signs[0], lambda t: self._curve(t, *motion(t)))
        return _branch(t, winding, first)

    def _curve(self, t: np.ndarray, quaternion: np.ndarray, spin: np.ndarray) -> Curve:
        """The two complex numbers along a motion: p' = p omega / 2 as a product of complex numbers."""
        p, (x, y, z) = _times(quaternion, self.to_p.T), _times(spin, self.axes).T
        numbers = p[:, :2] + 1j * p[:, :1:-1]
        outer, inner = numbers.T
        across, along = 0.5 * (x + 1j * y), 0.5j * z
        rate = np.stack([along * outer - across.conj() * inner, across * outer - along * inner], axis=1)
        return Curve(t, numbers, rate, 0.5 * np.sqrt(x * x + y * y + z * z))

    def table(self) -> dict[str, object]:
        """The numbers, for files."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def check(self) -> None:
        """Raise ValueError where numbers are missing or not finite."""
        shapes: dict[str, tuple[int, ...]] = {"angles": (3,), "speeds": (3,), "quaternion": (4,), "spin": (3,)}
        shapes |= {"to_p": (4, 4), "axes": (3, 3), "weights": (3, 3), "offset": ()}
        for name, shape in shapes.items():
            numbers = np.asarray(getattr(self, name))
            if numbers.shape != shape or not np.isfinite(numbers).all():
                raise ValueError(f"{name} is {numbers}, expected finite numbers of the shape {shape}")

    @classmethod
    def from_table(cls, table: dict) -> Attitude:
        """The attitude of a `table`."""
        whole = {name: np.array(table[name], dtype=int) for name in ("angles", "speeds", "quaternion", "spin")}
        real = {name: np.array(table[name], dtype=float) for name in ("to_p", "axes", "weights")}
        return cls(**whole, **real, offset=float(table["offset"]), kind=SpeedKind(table["kind"]))


def _times(rows: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The product, with sums in one order whatever the number of rows: a state has the same bits in every array."""
    total = rows[:, :1] * matrix[0]
    for k in range(1, len(matrix)):
        total = total + rows[:, k : k + 1] * matrix[k]
    return total


def rotated(quaternion: Sequence[Any], vector: Sequence[Any]) -> list[Any]:
    """Components in the parent of a vector with components in the frame of a unit quaternion.

    All components are numbers, arrays of one shape, or formulas.
    """
    w, a, b, c = quaternion
    x, y, z = vector
    along_x, along_y, along_z = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return [
        x + w * along_x + (b * along_z - c * along_y),
        y + w * along_y + (c * along_x - a * along_z),
        z + w * along_z + (a * along_y - b * along_x),
    ]


def spin_of(rates: Sequence[Any], theta: Any, gamma: Any, functions: Any = np) -> list[Any]:
    """The angular velocity along the last axes x, y, z from the rates of alpha, theta and gamma.

    All are numbers, arrays of one shape, or formulas with `functions` of their kind.
    """
    alpha, beta, last = rates
    c, s, nod = functions.cos(gamma), functions.sin(gamma), functions.sin(theta) * alpha
    return [nod * s + beta * c, nod * c - beta * s, alpha * functions.cos(theta) + last]


def _rates_of(spin: np.ndarray, theta: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """The rates of alpha, theta and gamma from the angular velocity along the last axes x, y, z."""
    c, s, sine = np.cos(gamma), np.sin(gamma), np.sin(theta)
    sine = np.where(np.abs(sine) > NO_ARGUMENT, sine, np.copysign(NO_ARGUMENT, sine))
    alpha = (spin[:, 0] * s + spin[:, 1] * c) / sine
    return np.stack([alpha, spin[:, 0] * c - spin[:, 1] * s, spin[:, 2] - alpha * np.cos(theta)], axis=1)


def _branch(t: np.ndarray, winding: Winding, first: Angles) -> Angles:
    """The branch at samples from the arguments of the two complex numbers, and their passes through zero."""
    side, turns = np.full(len(t), first.side[0]), np.full(len(t), first.turns[0])
    for time, j in winding.passes:
        after = np.searchsorted(t, time)
        if j == 0:  # theta passes an odd multiple of pi
            turns[after:] += side[after]
        side[after:] *= -1.0
    return Angles(winding.argument, side, turns)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return str(value) if isinstance(value, SpeedKind) else value
