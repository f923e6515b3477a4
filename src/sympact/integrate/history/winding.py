"""The argument of a complex number along a run, followed continuously, also where the number passes zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["ZERO", "Curve", "Winding", "after", "follow"]

ZERO = 1e-10
"""A number this small has no argument: a curve that comes nearer to zero passes straight through it.

Relative to: 1, the norm of the quaternion of which the number is two components: half an angle (rad).
Why: an attitude is known to 1e-13 at the tightest tolerances, and the argument of a number to that error over its size.
Test: integrate/test_attitude.py::test_a_curve_through_zero_goes_straight_on.
"""

_PARTS = 16  # parts of an interval in which a curve comes near zero
_DEEPEST = 12  # divisions into parts
_WIDEST = 2.0  # rad: half the rotation in an interval that its ends may decide
_MARGIN = 2.0  # by which a curve may leave its model further than its rates say
_BUBBLE = 4 / 27  # the maximum of s (1 - s)^2


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A number at some instants of a smooth motion, one after the other.

    Attributes
    ----------
    t : array, shape (k,)
        s.
    z, rate : array, shape (k,)
        The complex number, two components of a quaternion, and its rate (1/s).
    turning : array, shape (k,)
        Half the angular velocity (rad/s): z'' is -turning^2 z where the angular velocity is constant.
    """

    t: np.ndarray
    z: np.ndarray
    rate: np.ndarray
    turning: np.ndarray

    def clear(self) -> np.ndarray:
        """Whether the curve passes zero in each interval on the same side as the straight line, shape (k - 1,).

        At a constant angular velocity z is a sum of its two ends with positive factors of a sum above 1, as long as the
        quaternion turns by less than pi: further from zero than the straight line, on the same side. From that it
        deviates by the cubic whose rates at the ends are the differences of the rates.
        """
        start, end, dt = self.z[:-1], self.z[1:], np.diff(self.t)
        angle = dt * (self.turning[:-1] + self.turning[1:]) / 2
        with np.errstate(all="ignore"):  # an interval of no length has no rates
            scale, cosine = 1.0 / np.sinc(angle / np.pi), np.cos(angle)
            leaves = np.abs(dt * self.rate[:-1] - scale * (end - cosine * start))
            arrives = np.abs(dt * self.rate[1:] - scale * (cosine * end - start))
            off = _MARGIN * _BUBBLE * (leaves + arrives)
            return (off < _distance(start, end)) & (angle < _WIDEST) & (np.minimum(np.abs(start), np.abs(end)) > ZERO)

    def interval(self, k: int) -> Curve:
        """The two ends of an interval."""
        both = slice(k, k + 2)
        return Curve(self.t[both], self.z[both], self.rate[both], self.turning[both])

    def filled(self, inner: Curve) -> Curve:
        """An interval with instants between its ends."""
        return Curve(*(np.insert(getattr(self, name), 1, getattr(inner, name)) for name in Curve.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class Winding:
    """z = sign |z| exp(i argument), with an argument that is continuous and not bounded.

    Attributes
    ----------
    argument : array, shape (k,)
        rad.
    sign : array, shape (k,)
        +1.0 or -1.0.
    """

    argument: np.ndarray
    sign: np.ndarray


def follow(
    curve: Curve, argument: float, sign: float, path: Callable[[np.ndarray], Curve], depth: int = 0
) -> Winding:
    """The argument at all instants of a curve from that at the first.

    Parameters
    ----------
    curve : Curve
    argument, sign : float
        At the first instant.
    path : callable
        The curve at any times between two instants; asked where these do not decide.
    """
    m = len(curve.t)
    arguments, signs = np.empty(m), np.empty(m)
    first = 0
    for last in (*np.flatnonzero(~curve.clear()), m - 1):
        block = slice(first, last + 1)
        arguments[block], signs[block] = _unwrapped(curve.z[block], argument), sign
        if last < m - 1:
            argument, sign = _after(curve.interval(last), arguments[last], sign, path, depth)
        first = last + 1
    return Winding(arguments, signs)


def _after(
    ends: Curve, argument: float, sign: float, path: Callable[[np.ndarray], Curve], depth: int
) -> tuple[float, float]:
    """The argument and the sign at the end of an interval that its ends do not decide."""
    (start, end), size = ends.t, np.abs(ends.z)
    length = (end - start) * np.abs(ends.rate).max() + size.min()
    if depth < _DEEPEST and length > ZERO:
        inner = path(np.linspace(start, end, _PARTS + 1)[1:-1])
        found = follow(ends.filled(inner), argument, sign, path, depth + 1)
        return found.argument[-1], found.sign[-1]
    if not size[1] > ZERO:
        return argument, sign
    own = np.angle(ends.z[1])
    halves = np.round((argument - own) / np.pi)
    return own + np.pi * halves, 1.0 - 2.0 * (halves % 2)


def _unwrapped(z: np.ndarray, argument: float) -> np.ndarray:
    """Arguments of instants joined by clear intervals; the first is `argument`, up to its rounding."""
    if not abs(z[0]) > ZERO:
        return np.array([argument])
    found = np.unwrap(np.angle(z))
    return found + np.pi * np.round((argument - found[0]) / np.pi)


def _distance(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The distance of straight lines from zero."""
    along = end - start
    square = np.abs(along) ** 2
    share = np.clip(-np.divide((start * np.conj(along)).real, square, out=np.zeros(len(start)), where=square > 0), 0, 1)
    return np.abs(start + share * along)
