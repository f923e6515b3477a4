"""Planes cut to their visible part: inside the picture, and on the free side of their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sympact.show.animation.scene import GROUND, Face, Item, Stroke

THICKNESS = 0.025
"""Of the shaded back of a plane seen from its side, as a part of the picture."""


@dataclass(frozen=True, eq=False)
class Half:
    """The half space on the free side of a plane, in each of k frames; points and normals have the shape (k, 3)."""

    points: NDArray
    normals: NDArray

    @property
    def still(self) -> bool:
        """Whether the plane does not move."""
        return bool(np.ptp(self.points, axis=0).max() == 0 and np.ptp(self.normals, axis=0).max() == 0)


def cut_planes(
    halves: Sequence[Half],
    neighbours: Sequence[Sequence[int]],
    room: Sequence[Half],
    axes: NDArray,
    planar: bool,
    size: float,
) -> list[NDArray]:
    """The visible part of each plane, shape (k, n, 3), or (1, n, 3) where nothing moves; NaN where there is none.

    Parameters
    ----------
    halves : sequence of Half
    neighbours : sequence of sequence of int
        For each plane those that cut it.
    room : sequence of Half
        The sides of the picture.
    axes : ndarray, shape (3, 3)
        To the right, up, towards the viewer.
    planar : bool
        Whether planes are viewed along an edge: then a line of them is visible.
    size : float
        Longer than the picture (m).
    """
    cut = []
    for half, others in zip(halves, neighbours, strict=True):
        limits = [*room, *(halves[other] for other in others)]
        frames = 1 if all(limit.still for limit in [half, *limits]) else len(half.points)
        middle = np.mean([side.points[0] for side in room], axis=0)
        outlines = [_outline(half, k, limits, middle, axes, planar, size) for k in range(frames)]
        most = max(max(map(len, outlines)), 2)
        cut.append(np.array([_padded(outline, most) for outline in outlines]))
    return cut


def _outline(
    half: Half, k: int, limits: Sequence[Half], middle: NDArray, axes: NDArray, planar: bool, size: float
) -> NDArray:
    point, normal = half.points[k], half.normals[k]
    start = middle - (middle - point).dot(normal) * normal
    along = np.cross(normal, axes[2])
    if planar and np.linalg.norm(along) > 0.1:
        along /= np.linalg.norm(along)
        outline = np.array([start - size * along, start + size * along])
    else:
        along = np.cross(axes[np.argmin(np.abs(axes @ normal))], normal)
        along /= np.linalg.norm(along)
        across = np.cross(normal, along)
        outline = start + size * np.array([-along - across, along - across, along + across, -along + across])
    for limit in limits:
        at = min(k, len(limit.points) - 1)
        outline = clip(outline, limit.points[at], limit.normals[at])
    return outline


def clip(outline: NDArray, point: NDArray, normal: NDArray) -> NDArray:
    """The part of a convex polygon, or of a line of two points, on the free side of a plane.

    Examples
    --------
    >>> clip(np.array([[-1.0, 0, 0], [3.0, 0, 0]]), np.zeros(3), np.array([1.0, 0, 0]))
    array([[0., 0., 0.],
           [3., 0., 0.]])
    """
    if not len(outline):
        return outline
    height = (outline - point) @ normal
    kept = []
    closing = len(outline) if len(outline) > 2 else 1
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        if height[i] >= 0:
            kept.append(outline[i])
        if i < closing and height[i] * height[j] < 0:
            kept.append(outline[i] + height[i] / (height[i] - height[j]) * (outline[j] - outline[i]))
    return np.array(kept) if len(kept) > 1 else np.empty((0, 3))


def _padded(outline: NDArray, count: int) -> NDArray:
    """An outline with its last corner repeated; NaN where there is none."""
    if not len(outline):
        return np.full((count, 3), np.nan)
    return np.concatenate([outline, np.repeat(outline[-1:], count - len(outline), axis=0)])


def plane_items(outline: NDArray, half: Half, first: int, colour: str, size: float) -> tuple[NDArray, list[Item]]:
    """The points of a plane in the scene, shape (k, n, 3), and the items between them; `first` is their number."""
    frames = len(half.points)
    outline = np.broadcast_to(outline, (frames, *outline.shape[1:]))
    count = outline.shape[1]
    if count > 2:
        return outline, [Face(tuple(range(first, first + count)), colour, 0.3, True, colour, GROUND)]
    back = outline[:, ::-1] - THICKNESS * size * half.normals[:, np.newaxis]
    band = Face((first, first + 1, first + 2, first + 3), colour, 0.35, layer=GROUND)
    return np.concatenate([outline, back], axis=1), [band, Stroke((first, first + 1), colour, 1.8, layer=GROUND)]
