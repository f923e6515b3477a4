"""The argument of a complex number along a run, followed continuously, also where the number passes zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from sympact.integrate.memory.run_tolerances import NO_ARGUMENT

__all__ = ["BUBBLE", "MARGIN", "WIDEST", "Curve", "Winding", "follow", "nearest_argument"]

_PARTS = 16  # parts of an interval in which a curve comes near zero
_DEEPEST = 12  # divisions into parts
WIDEST = 2.0  # rad: half the rotation in an interval that its ends may decide
MARGIN = 2.0  # by which a curve may leave its model further than its rates say
BUBBLE = 4 / 27  # the maximum of s (1 - s)^2


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Some complex numbers at instants of a smooth motion, one after the other.

    Attributes
    ----------
    t : array, shape (k,)
        s.
    z, rate : array, shape (k, n)
        The numbers, each two components of a unit quaternion, and their rates (1/s).
    turning : array, shape (k,)
        Half the angular velocity (rad/s): z'' is -turning^2 z where the angular velocity is constant.
    """

    t: np.ndarray
    z: np.ndarray
    rate: np.ndarray
    turning: np.ndarray

    def steps(self) -> tuple[np.ndarray, np.ndarray]:
        """The change of the arguments in each interval by its ends, and whether these decide it, shapes (k - 1, n).

        At a constant angular velocity z is a sum of its two ends with positive factors whose sum is above 1, as long as
        the quaternion turns by less than pi: between the ends in direction, and further from zero than the straight
        line. From that it deviates by the cubic whose rates at the ends are the differences of the rates.
        """
        start, end, dt = self.z[:-1], self.z[1:], np.diff(self.t)[:, np.newaxis]
        step, size = np.angle(end * start.conj()), np.abs(self.z)
        angle = dt * (self.turning[:-1] + self.turning[1:])[:, np.newaxis] / 2
        scale, cosine = np.divide(angle, np.sin(angle), out=np.ones_like(angle), where=angle > 0.0), np.cos(angle)
        leaves = np.abs(dt * self.rate[:-1] - scale * (end - cosine * start))
        arrives = np.abs(dt * self.rate[1:] - scale * (cosine * end - start))
        off, distance = MARGIN * BUBBLE * (leaves + arrives), np.minimum(size[:-1], size[1:]) * np.cos(step / 2)
        return step, (off < distance) & (distance > NO_ARGUMENT) & (angle < WIDEST)

    def column(self, j: int) -> Curve:
        """One of the numbers."""
        return Curve(self.t, self.z[:, j : j + 1], self.rate[:, j : j + 1], self.turning)

    def interval(self, k: int) -> Curve:
        """The two ends of an interval."""
        both = slice(k, k + 2)
        return Curve(self.t[both], self.z[both], self.rate[both], self.turning[both])

    def filled(self, inner: Curve) -> Curve:
        """An interval with instants between its ends."""
        parts = ((getattr(self, name), getattr(inner, name)) for name in Curve.__slots__)
        return Curve(*(np.concatenate([ends[:1], between, ends[1:]]) for ends, between in parts))


@dataclass(frozen=True, slots=True, eq=False)
class Winding:
    """z = sign |z| exp(i argument), with arguments that are continuous and not bounded.

    Attributes
    ----------
    argument : array, shape (k, n)
        rad.
    sign : array, shape (k, n)
        +1.0 or -1.0.
    passes : list of (float, int)
        The times at which a number has just passed through zero, in their order, each with its index.
    """

    argument: np.ndarray
    sign: np.ndarray
    passes: list[tuple[float, int]]


Path = Callable[[np.ndarray], Curve]
"""The numbers at any times between two instants."""


def follow(curve: Curve, argument: np.ndarray, sign: np.ndarray, path: Path) -> Winding:
    """The arguments at all instants of a curve from those at the first, shape (n,); `path` gives what instants do
    not decide."""
    step, clear = curve.steps()
    if clear.all():
        rising = np.concatenate([np.zeros((1, len(argument))), np.cumsum(step, axis=0)])
        rising += argument
        rising[1:] = nearest_argument(np.angle(curve.z[1:]), rising[1:])
        return Winding(rising, np.broadcast_to(sign, rising.shape), [])
    columns, passes = [], []
    for j in range(curve.z.shape[1]):
        found = _Column(partial(_column, path, j))
        columns.append(found.follow(curve.column(j), step[:, j], clear[:, j], argument[j], sign[j]))
        passes += [(t, j) for t in found.passes]
    arguments, signs = (np.stack(parts, axis=1) for parts in zip(*columns, strict=True))
    return Winding(arguments, signs, sorted(passes))


def _column(path: Path, j: int, t: np.ndarray) -> Curve:
    return path(t).column(j)


class _Column:
    """One number along its path, and the times at which it has passed through zero."""

    def __init__(self, path: Path) -> None:
        self.passes: list[float] = []
        self._path = path

    def follow(
        self, curve: Curve, step: np.ndarray, clear: np.ndarray, argument: float, sign: float, depth: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Arguments and signs, shape (k,)."""
        own, end = np.angle(curve.z[:, 0]), len(curve.t) - 1
        arguments, signs = np.empty(end + 1), np.empty(end + 1)
        first = 0
        for last in (*np.flatnonzero(~clear).tolist(), end):
            arguments[first], signs[first : last + 1] = argument, sign
            inside = slice(first + 1, last + 1)
            arguments[inside] = nearest_argument(own[inside], argument + np.cumsum(step[first:last]))
            if last < end:
                argument, sign = self._after(curve.interval(last), float(arguments[last]), sign, depth)
            first = last + 1
        return arguments, signs

    def _after(self, ends: Curve, argument: float, sign: float, depth: int) -> tuple[float, float]:
        """The argument and the sign at the end of an interval that its ends do not decide."""
        (start, end), size = ends.t, np.abs(ends.z[:, 0])
        length = (end - start) * np.abs(ends.rate).max() + size.min()
        if depth < _DEEPEST and length > NO_ARGUMENT:
            curve = ends.filled(self._path(np.linspace(start, end, _PARTS + 1)[1:-1]))
            step, clear = curve.steps()
            arguments, signs = self.follow(curve, step[:, 0], clear[:, 0], argument, sign, depth + 1)
            return float(arguments[-1]), float(signs[-1])
        if not size[1] > NO_ARGUMENT:
            return argument, sign
        own = np.angle(ends.z[1, 0])
        found = float(nearest_argument(own, argument))
        after = 1.0 - 2.0 * (np.round((found - own) / np.pi) % 2)
        self.passes += [] if after == sign else [float(end)]
        return found, after


def nearest_argument(own: np.ndarray, near: np.ndarray | float) -> np.ndarray:
    """The arguments of numbers, or of their negatives, that are nearest to others."""
    return own + np.pi * np.round((near - own) / np.pi)
