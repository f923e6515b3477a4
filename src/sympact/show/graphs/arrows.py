"""Curves for the arrows of a drawn graph: arcs, loops, and their parts outside the nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FINENESS = 200
"""Points along a curve."""


def arc(begin: NDArray, end: NDArray, bend: float) -> NDArray:
    """Return points, shape (k, 2), from `begin` to `end` whose middle lies `bend` to the left of the chord.

    Examples
    --------
    >>> arc(np.array([0.0, 0.0]), np.array([2.0, 0.0]), bend=0.5)[FINENESS // 2].round(2)
    array([1. , 0.5])
    """
    along = end - begin
    left = np.array([-along[1], along[0]]) / np.hypot(*along)
    control = (begin + end) / 2 + 2 * bend * left
    s = np.linspace(0, 1, FINENESS + 1)[:, None]
    return (1 - s) ** 2 * begin + 2 * s * (1 - s) * control + s**2 * end


def loop(place: NDArray, angle: float, size: float) -> NDArray:
    """Return points, shape (k, 2), of a loop that leaves `place` around the direction `angle` and reaches `size` far.

    Examples
    --------
    >>> loop(np.array([0.0, 0.0]), angle=0.0, size=0.9)[FINENESS // 2].round(2)
    array([0.9, 0. ])
    """
    reach, opening = 4 / 3 * size / np.cos(0.5), 0.5
    out, back = (place + reach * np.array([np.cos(angle + side), np.sin(angle + side)]) for side in (-opening, opening))
    s = np.linspace(0, 1, FINENESS + 1)[:, None]
    return (1 - s) ** 3 * place + 3 * s * (1 - s) ** 2 * out + 3 * s**2 * (1 - s) * back + s**3 * place


def clip(curve: NDArray, begin: NDArray, end: NDArray, size: NDArray) -> NDArray:
    """Return the part of a curve outside the ellipses of half-axes `size` around `begin` and `end`.

    Examples
    --------
    >>> line = np.linspace([0.0, 0.0], [4.0, 0.0], 9)
    >>> clip(line, line[0], line[-1], np.array([1.0, 0.5]))[[0, -1]]
    array([[1., 0.],
           [3., 0.]])
    """
    outside = np.all([np.hypot(*((curve - node) / size).T) >= 1 for node in (begin, end)], axis=0)
    first, last = np.flatnonzero(outside)[[0, -1]]
    return curve[first : last + 1]
