"""The paths of the arrows of a graph of modes and the positions of their labels, without overlap; no matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, pi

import numpy as np
from numpy.typing import NDArray

from sympact.show.graphs.arrows import arc, loop

ACCELERATIONS = (0.3, 0.55, 0.8, 1.1, 1.4, 1.8, 2.3, 3.0)
"""The distance of the middle of an arrow from its chord; the least without overlap is taken."""

CLEARANCE = 1.2
"""The enlargement of nodes that an arrow passes."""

APART = 0.45
"""The least distance between the middles of two arrows that join the same two nodes."""

CLEAR_LOOP = 0.45
"""The least reach of a loop beyond the border of its node."""

ALONG = (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8)
"""Positions of a label along its arrow; earlier ones are better."""


def routes(
    ends: Sequence[tuple[int, int]], places: NDArray, half: NDArray, loop_size: float, apart: float = APART
) -> list[NDArray]:
    """One curve for each pair of nodes, from centre to centre, shape (k, 2); it passes by all other nodes.

    Parameters
    ----------
    ends : sequence of (int, int)
        The nodes that each arrow joins; a node with itself by a loop away from the centre of all.
    places : array, shape (n, 2)
    half : array, shape (2,)
        Half the width and half the height of a node.
    loop_size : float
        The least reach of a loop; it always leaves its node.
    apart : float
        The least distance between the middles of two arrows that join the same two nodes.
    """
    drawn: dict[frozenset[int], list[NDArray]] = {}
    curves = []
    for source, target in ends:
        others = drawn.setdefault(frozenset((source, target)), [])
        if source == target:
            total = sum(pair == (source, source) for pair in ends)
            curve = _loop(source, places, half, len(others) - (total - 1) / 2, loop_size)
        else:
            curve = _arc(source, target, places, half, others, apart)
        others.append(curve)
        curves.append(curve)
    return curves


def _loop(node: int, places: NDArray, half: NDArray, side: float, size: float) -> NDArray:
    """A loop away from the centre of all nodes; upwards where they are side by side."""
    outward = places[node] - places.mean(axis=0)
    angle = (atan2(outward[1], outward[0]) if len(places) > 2 else pi / 2) + side * 0.9
    border = 1 / np.hypot(np.cos(angle) / half[0], np.sin(angle) / half[1])
    return loop(places[node], angle, max(size, float(border) + CLEAR_LOOP))


def _arc(source: int, target: int, places: NDArray, half: NDArray, others: Sequence[NDArray], apart: float) -> NDArray:
    """The arc of least height that avoids all other nodes and is apart from the arrows that join the same two."""
    begin, end = places[source], places[target]
    rest = np.delete(places, [source, target], axis=0)
    curves = [arc(begin, end, side * bend) for bend in ACCELERATIONS for side in (1, -1)]
    free = [curve for curve in curves if all(_distance(curve, other) >= apart for other in others)] or curves[-1:]
    return min(free, key=lambda curve: _touched(curve, rest, half * CLEARANCE))


def _distance(one: NDArray, other: NDArray) -> float:
    """Between the middles of two curves."""
    return float(np.hypot(*(one[len(one) // 2] - other[len(other) // 2])))


def _touched(curve: NDArray, nodes: NDArray, half: NDArray) -> int:
    """The number of points of the curve in one of the nodes."""
    inside = (((curve[:, np.newaxis] - nodes) / half) ** 2).sum(axis=2) < 1
    return int(inside.sum())


def label_places(
    curves: Sequence[NDArray], sizes: Sequence[tuple[float, float]], places: NDArray, half: NDArray
) -> list[NDArray]:
    """The positions of the middle of the label of each curve: clear of nodes and other labels, over few other arrows.

    It is on its curve, or beyond the tip of a loop.

    Parameters
    ----------
    curves : sequence of arrays, shape (k, 2)
    sizes : sequence of (width, height)
        Of the labels; (0, 0) for none.
    places, half : arrays, shapes (n, 2) and (2,)
        The nodes, as in `routes`.
    """
    taken = [(place, 2 * half) for place in places]
    chosen = []
    for number, (curve, size) in enumerate(zip(curves, sizes, strict=True)):
        spots = [curve[round(s * (len(curve) - 1))] for s in ALONG]
        if np.array_equal(curve[0], curve[-1]):
            spots[0] = _beyond(curve, size)
        if not any(size):
            chosen.append(spots[0])
            continue
        others = np.concatenate([other for k, other in enumerate(curves) if k != number] or [np.empty((0, 2))])
        cost = [
            1000 * sum(_overlap(spot, size, *box) for box in taken) + _covered(spot, size, others) for spot in spots
        ]
        best = spots[int(np.argmin(cost))]
        taken.append((best, np.array(size)))
        chosen.append(best)
    return chosen


def _beyond(curve: NDArray, size: Sequence[float]) -> NDArray:
    """The position of a label of this size just beyond the tip of a loop."""
    tip = curve[len(curve) // 2]
    outward = (tip - curve[0]) / np.hypot(*(tip - curve[0]))
    return tip + outward * (np.abs(outward) @ size / 2 + 0.02)


def _overlap(spot: NDArray, size: Sequence[float], middle: NDArray, other: NDArray) -> bool:
    return bool((np.abs(spot - middle) < (np.array(size) + other) / 2).all())


def _covered(spot: NDArray, size: Sequence[float], points: NDArray) -> int:
    """The number of points that a label covers."""
    return int((np.abs(points - spot) < np.array(size) / 2).all(axis=1).sum())
