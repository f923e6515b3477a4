"""Cylinders, and surfaces given by an equation, as the lines that represent them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sympact.mechanics import Cylinder, Implicit
from sympact.show.animation.scene import GROUND, Item, Stroke

SEGMENTS, LINES = 48, 8
"""Sides of a ring, and lines along a cylinder."""

STRAIGHT = 1e-9
"""Cosine of an angle that counts as a right angle."""

LOOKS, SLICES = 161, 5
"""Samples along a side of the square in which a zero curve is searched, and squares across each axis in space."""


@dataclass(frozen=True, eq=False)
class Window:
    """The visible region: a ball about the middle of the picture.

    Parameters
    ----------
    middle : ndarray, shape (3,)
    reach : float
        Its radius (m).
    axes : ndarray, shape (3, 3)
        To the right, up, towards the viewer.
    planar : bool
    """

    middle: NDArray
    reach: float
    axes: NDArray
    planar: bool


Lines = list[NDArray]
"""Lines, each of the shape (k, n, 3), k frames or 1 where nothing moves."""


def cylinder_lines(cylinder: Cylinder, points: NDArray, axes: NDArray, radii: NDArray, window: Window) -> Lines:
    """A ring where a planar motion crosses the cylinder squarely, its two sides where it goes along; else as in space.

    In space that is three rings and some lines along it.

    Parameters
    ----------
    points, axes : ndarray, shape (k, 3)
    radii : ndarray, shape (k,)
    """
    along = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    first, second = _across(along)
    foot = points + ((window.middle - points) * along).sum(axis=1, keepdims=True) * along
    seen_along = np.abs(along @ window.axes[2])
    if window.planar and seen_along.min() > 1 - STRAIGHT:
        foot = points + ((window.middle - points) @ window.axes[2] / (along @ window.axes[2]))[:, np.newaxis] * along
        return [_ring(foot, first, second, radii)]
    half = window.reach * along
    if window.planar and seen_along.max() < STRAIGHT:
        side = radii[:, np.newaxis] * np.cross(along, window.axes[2])
        return [np.stack([foot + s * side - half, foot + s * side + half], axis=1) for s in (1, -1)]
    lines = [_ring(foot + s * half, first, second, radii) for s in (-1, 0, 1)]
    for angle in 2 * np.pi * np.arange(LINES) / LINES:
        arm = radii[:, np.newaxis] * (np.cos(angle) * first + np.sin(angle) * second)
        lines.append(np.stack([foot + arm - half, foot + arm + half], axis=1))
    return lines


def zero_lines(surface: Implicit, origins: NDArray, frames: NDArray, letters: NDArray, window: Window) -> Lines:
    """Where phi vanishes in the plane of a planar motion, and in some planes across the axes of its frame in space.

    Parameters
    ----------
    origins : ndarray, shape (k, 3)
    frames : ndarray, shape (k, 3, 3)
        The axes of the surface's frame, a row for each.
    letters : ndarray, shape (n, k)
        The values of ``surface.lengths()``.
    """
    shapes = range(len(origins)) if letters.size and np.ptp(letters, axis=1).max() > 0 else (0,)
    spread = float(np.ptp(origins, axis=0).max())
    found = [_zeros_of(surface, origins[k], frames[k], letters[:, k], window, window.reach + spread) for k in shapes]
    most = max(map(len, found))
    lines = []
    for j in range(most):
        local = _padded([curves[j] if j < len(curves) else np.empty((0, 3)) for curves in found])
        lines.append(origins[:, np.newaxis] + local @ frames)
    return lines


def line_items(lines: Lines, first: int, colour: str) -> list[Item]:
    """The items of lines whose points have the numbers from `first` on."""
    items: list[Item] = []
    for line in lines:
        items.append(Stroke(tuple(range(first, first + line.shape[1])), colour, 1.6, layer=GROUND))
        first += line.shape[1]
    return items


def _zeros_of(
    surface: Implicit, origin: NDArray, frame: NDArray, letters: NDArray, window: Window, reach: float
) -> list[NDArray]:
    """The lines of one frame in the coordinates of the surface, each of the shape (n, 3)."""
    middle = frame @ (window.middle - origin)
    if window.planar:
        planes = [(middle, frame @ window.axes[0], frame @ window.axes[1])]
    else:
        steps = reach * np.linspace(-1, 1, SLICES + 2)[1:-1]
        planes = [
            (middle + step * np.eye(3)[i], np.eye(3)[(i + 1) % 3], np.eye(3)[(i + 2) % 3])
            for i in range(3)
            for step in steps
        ]
    phi, across, found = surface.numbers(letters), np.linspace(-reach, reach, LOOKS), []
    a, b = np.meshgrid(across, across)
    panel = Figure().subplots()
    for start, right, up in planes:
        place = (
            start[:, np.newaxis, np.newaxis] + right[:, np.newaxis, np.newaxis] * a + up[:, np.newaxis, np.newaxis] * b
        )
        value = phi(*place)
        if np.isfinite(value).all() and value.min() < 0 < value.max():
            curves = panel.contour(across, across, value, levels=[0.0]).allsegs[0]
            found += [start + curve[:, :1] * right + curve[:, 1:] * up for curve in curves]
    return found


def _padded(curves: list[NDArray]) -> NDArray:
    """Lines of different numbers of points as one array, their last points repeated; NaN where there is none."""
    most = max(max(map(len, curves)), 2)
    padded = np.full((len(curves), most, 3), np.nan)
    for k, curve in enumerate(curves):
        if len(curve):
            padded[k, : len(curve)], padded[k, len(curve) :] = curve, curve[-1]
    return padded


def _across(along: NDArray) -> tuple[NDArray, NDArray]:
    """Two unit vectors at right angles to each of some others, shape (k, 3), and to each other."""
    least = np.eye(3)[np.argmin(np.abs(along[0]))]
    first = np.cross(along, least)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(along, first)


def _ring(centres: NDArray, first: NDArray, second: NDArray, radii: NDArray) -> NDArray:
    angles = 2 * np.pi * np.arange(SEGMENTS + 1) / SEGMENTS
    arms = np.cos(angles)[:, np.newaxis] * first[:, np.newaxis] + np.sin(angles)[:, np.newaxis] * second[:, np.newaxis]
    return centres[:, np.newaxis] + radii[:, np.newaxis, np.newaxis] * arms
