"""Polynomials of time since the beginning of a piece, lowest power first: roots, sides, near changes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Polynomial = Sequence[float]

ROUNDING = 1e-9
"""What counts as zero of a quantity of the size of one."""

GRAZING = 1e-7
"""How near a function may come to zero without reaching it, and how slowly it may pass: nearer, a run may do either."""


def value(f: Polynomial, s: float) -> float:
    """f(s)."""
    out = 0.0
    for part in reversed(f):
        out = out * s + float(part)
    return out


def rate(f: Polynomial) -> list[float]:
    """f'."""
    return [k * float(part) for k, part in enumerate(f)][1:] or [0.0]


def integral(f: np.ndarray, start: float) -> np.ndarray:
    """The integral of f with a value at zero."""
    return np.concatenate([[start], f / np.arange(1, len(f) + 1)])


def side(f: Polynomial) -> int:
    """The sign of f just after zero: that of its first coefficient that is not rounding; 0 where none is."""
    return next((1 if part > 0.0 else -1 for part in f if abs(part) > ROUNDING), 0)


def roots(f: Polynomial, until: float) -> list[float]:
    """Its roots after zero until a time, in order; those of higher powers improved by Newton's method."""
    largest = max(map(abs, f), default=0.0)
    used = [k for k, part in enumerate(f) if abs(part) > 1e-13 * largest]
    if not used or used[-1] == 0:
        return []
    f = [float(part) for part in f[: used[-1] + 1]]
    found = _roots(f)
    return sorted({s for s in found if ROUNDING < s <= until})


def _roots(f: list[float]) -> list[float]:
    """All real roots."""
    if len(f) == 2:
        return [-f[0] / f[1]]
    if len(f) == 3:
        half, (c, _, a) = 0.5 * f[1], f
        under = half * half - a * c
        if under < 0.0:
            return []
        q = -(half + math.copysign(math.sqrt(under), half))
        return [q / a] if q == 0.0 else [q / a, c / q]
    found = np.roots(f[::-1])
    return [_improved(f, float(s.real)) for s in found if abs(s.imag) < 1e-6 * (1.0 + abs(s))]


def _improved(f: list[float], s: float) -> float:
    slope = rate(f)
    for _ in range(3):
        down = value(slope, s)
        s -= value(f, s) / down if down else 0.0
    return s


def change(f: Polynomial, was: int, until: float) -> float:
    """When f leaves its side for the other one; infinite where it does not until a time."""
    slope = rate(f)
    return next((s for s in roots(f, until) if value(slope, s) * was < 0.0), math.inf)


def nearly(f: Polynomial, until: float) -> float:
    """When f comes so near to zero that a run may take it for a change of side or not; infinite where it does not."""
    slope = rate(f)
    bend = rate(slope)
    turns = [s for s in roots(slope, until) if abs(value(f, s)) < GRAZING and value(f, s) * value(bend, s) >= 0.0]
    slow = [s for s in roots(f, until) if abs(value(slope, s)) < 10 * GRAZING]
    return min((*turns, *slow), default=math.inf)
