"""The view of a motion: its directions, the size of the picture, and the axes around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from sympact.show.animation.scene import GROUND, Label, Stroke, View

FLAT = 1e-6
"""A motion is planar if its distance from its plane is at most this part of its size."""

AZIMUTH, ELEVATION = -60.0, 18.0
"""The angles of view of spatial motions (degrees)."""

MARGIN, SLENDER = 0.07, 0.55
"""The part of the picture around the motion, and the least ratio of its sides."""

STEEP = 0.99
"""The cosine of the angle to a plane's normal up to which the weight determines what is upward in that plane."""

ALONG = 0.999
"""Directions are named after an axis with which they agree this well (the cosine of the angle)."""

GREY = "#b5b5b5"
NAMES = "xyz"
NO_POINTS = np.empty((0, 3))


@dataclass(frozen=True, eq=False)
class Frame:
    """The lines, points and labels of the axes around a spatial view.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
    items : list of Stroke
        Their points count from 0, as in `points`.
    labels : list of Label
    """

    points: NDArray = field(default_factory=lambda: np.empty((0, 3)))
    items: Sequence[Stroke] = ()
    labels: Sequence[Label] = ()


def axes_of(
    points: NDArray,
    down: NDArray,
    normals: NDArray,
    angles: tuple[float, float] | None = None,
    possible: NDArray = NO_POINTS,
    bodies: Sequence[int] | None = None,
) -> tuple[NDArray, bool]:
    """Choose the directions to the right, up and towards the viewer.

    A motion is planar if all points move in parallel planes, and no body is spread across them. Where a motion is along
    a line, or there is none, the plane is that in which the model can move, or that of its points.

    Parameters
    ----------
    points : ndarray, shape (k, n, 3)
        The motion of the model's own points.
    down : ndarray, shape (3,)
        The direction of the weight, or zero.
    normals : ndarray, shape (n, 3)
        Normals of fixed surfaces; a single one determines the upward direction where there is no weight.
    angles : tuple of two floats, optional
        Azimuth and elevation of a spatial view (degrees); they also apply to a planar motion if given.
    possible : ndarray, shape (m, 3)
        Displacements of points that the model's coordinates permit.
    bodies : sequence of int, optional
        For each point the number of its body, if that is spread in space; by default each point is a body.

    Returns
    -------
    axes : ndarray, shape (3, 3)
        In its rows.
    planar : bool

    Examples
    --------
    A circle in the plane of x and z, with the weight along -z:

    >>> s = np.linspace(0, 6, 20)
    >>> circle = np.stack([np.cos(s), 0 * s, np.sin(s)], axis=-1)[:, None]
    >>> axes, planar = axes_of(circle, np.array([0.0, 0.0, -9.8]), np.empty((0, 3)))
    >>> axes.round(9) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    normal = None if angles is not None else _normal(points, down, normals, possible, bodies)
    if normal is None:
        return _spatial(_up(down, normals, np.zeros(3)), angles or (AZIMUTH, ELEVATION)), False
    up = _up(down, normals, normal)
    up = up - up.dot(normal) * normal
    up /= np.linalg.norm(up)
    right = np.cross(up, normal)
    if right[np.argmax(np.abs(right))] < 0:
        right, normal = -right, -normal
    return _settled(np.array([right, up, normal])), True


def _normal(
    points: NDArray, down: NDArray, normals: NDArray, possible: NDArray, bodies: Sequence[int] | None
) -> NDArray | None:
    """The normal of the plane of a motion; None for a spatial one."""
    everything = points.reshape(-1, 3)
    spread = _spread(everything - everything.mean(axis=0) if len(everything) else everything)
    for cloud, decides in ((_motion(points, bodies), True), (possible, False)):
        extent, directions = _spread(cloud)
        if extent == 2:
            return directions[2]
        if extent == 3 and decides:
            return None
    extent, directions = spread
    if extent == 3:
        return None
    return directions[2] if extent == 2 else _beside(directions[0] if extent else None, _up(down, normals, np.zeros(3)))


def _motion(points: NDArray, bodies: Sequence[int] | None) -> NDArray:
    """The places of points from their first ones, or from the middle of their body where that is spread in space."""
    first = points[0].copy()
    for body in set(bodies or ()):
        own = [i for i, one in enumerate(bodies or ()) if one == body]
        first[own] = first[own].mean(axis=0)
    return (points - first).reshape(-1, 3)


def _spread(cloud: NDArray) -> tuple[int, NDArray]:
    """In how many directions a cloud of points about the origin is spread, and its directions in rows."""
    _, sizes, directions = np.linalg.svd(np.vstack([cloud, np.zeros((3, 3))]), full_matrices=False)
    return int(np.sum(sizes > FLAT * sizes[0])), directions


def _settled(axes: NDArray) -> NDArray:
    """The axes without the rounding errors of directions that coincide with those of N."""
    rounded = np.round(axes)
    return rounded + 0.0 if np.abs(axes - rounded).max() < 1e-6 else axes


def _beside(line: NDArray | None, up: NDArray) -> NDArray:
    """The direction of view for a motion along a line, or for none: across it and upwards."""
    across = np.cross(up, up if line is None else line)
    if np.linalg.norm(across) > FLAT:
        return _unit(across)
    best = min((1, 2, 0), key=lambda axis: round(abs(up[axis]), 6))
    return _unit(np.eye(3)[best] - up[best] * up)


def _up(down: NDArray, normals: NDArray, normal: NDArray) -> NDArray:
    """The upward direction: against the weight, away from the only surface, or one of the axes z and y."""
    choices = [(-down, STEEP), *((one, STEEP) for one in (normals if len(normals) == 1 else []))]
    choices += [(np.eye(3)[2], 0.7), (np.eye(3)[1], 0.7)]
    for choice, most in choices:
        size = np.linalg.norm(choice)
        if size > 0 and abs(choice.dot(normal)) < most * size:
            return choice / size
    raise AssertionError("y and z cannot both be across the plane")


def _spatial(up: NDArray, angles: tuple[float, float]) -> NDArray:
    """The axes of a view from above, at an azimuth from the first horizontal axis and an elevation (degrees)."""
    azimuth, elevation = np.radians(angles)
    first, second, _ = level(up)
    outward = np.cos(azimuth) * first + np.sin(azimuth) * second
    towards = np.cos(elevation) * outward + np.sin(elevation) * up
    right = np.cos(azimuth) * second - np.sin(azimuth) * first
    return np.array([right, np.cross(towards, right), towards])


def level(up: NDArray) -> NDArray:
    """Two horizontal directions and `up`, right-handed, shape (3, 3); the first is x or as close to it as possible.

    >>> level(np.array([0.0, 0.0, 1.0]))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    start = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    first = _unit(start - start.dot(up) * up)
    return np.array([first, np.cross(up, first), up])


def _unit(vector: NDArray) -> NDArray:
    return vector / np.linalg.norm(vector)


def name_of(direction: NDArray) -> str:
    """The name of a direction in the axes of the inertial frame.

    >>> name_of(np.array([0.0, -1.0, 0.0])), name_of(np.array([0.6, 0.0, 0.8]))
    ('−y', '0.6 x + 0.8 z')
    """
    best = int(np.argmax(np.abs(direction)))
    if abs(direction[best]) > ALONG:
        return ("" if direction[best] > 0 else "\u2212") + NAMES[best]
    parts = [f"{part:.2g} {name}" for part, name in zip(direction, NAMES, strict=True) if abs(part) > 0.005]
    return " + ".join(parts).replace("+ -", "\u2212 ").replace("-", "\u2212")


def planar_view(axes: NDArray, drawn: NDArray, unit: str) -> View:
    """A view of a motion in a plane, around the projected points, shape (n, 2)."""
    low, high = fit(drawn)
    across, up = (f"{name_of(axis)} ({unit})" if unit else name_of(axis) for axis in axes[:2])
    return View(axes, True, low, high, (across, up))


def spatial_view(axes: NDArray, up: NDArray, points: NDArray, unit: str) -> tuple[View, NDArray, NDArray, Frame]:
    """A view of a motion in space, with the box around it and its labelled edges.

    Parameters
    ----------
    axes : ndarray, shape (3, 3)
    up : ndarray, shape (3,)
    points : ndarray, shape (n, 3)
        All that must be visible.
    unit : str

    Returns
    -------
    view : View
    low, high : ndarray, shape (3,)
        The corners of the box, along the rows of ``level(up)``.
    frame : Frame
    """
    basis = level(up)
    inside = points @ basis.T
    low, high = inside.min(axis=0), inside.max(axis=0)
    pad = np.maximum(0.04 * (high - low).max(), 0.15 * (high - low).max() - (high - low) / 2)
    low, high = low - pad * [1, 1, 0], high + pad * [1, 1, 1 if high[2] > low[2] else 2]
    frame = _box_axes(axes, basis, low, high, unit)
    drawn = (np.vstack([frame.points, points]) @ axes.T)[:, :2]
    size = np.ptp(drawn, axis=0).max()
    words = [drawn.min(axis=0) - [0.1 * size, 0.09 * size], drawn.max(axis=0) + 0.05 * size]
    view_low, view_high = fit(np.vstack([drawn, *words]), 0.02)
    return View(axes, False, view_low, view_high), low, high, frame


def fit(drawn: NDArray, margin: float = MARGIN) -> tuple[NDArray, NDArray]:
    """The corners of a picture around projected points, shape (n, 2), that is not too slender.

    >>> fit(np.array([[0.0, 0.0], [0.0, 10.0]]), 0.0)
    (array([-2.75,  0.  ]), array([ 2.75, 10.  ]))
    """
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    size = (high - low).max() or 1.0
    middle, half = (low + high) / 2, (high - low) / 2 + margin * size
    half = np.maximum(half, SLENDER * half.max())
    return middle - half, middle + half


def _box_axes(axes: NDArray, basis: NDArray, low: NDArray, high: NDArray, unit: str) -> Frame:
    """The box's lower edges and one upright one, with their marks, on the sides towards the viewer."""
    towards, right = basis @ axes[2], basis @ axes[0]
    near = np.where(towards > 0, high, low)
    left = np.where(right < 0, high, low)
    points, items, labels = [], [], []
    floor = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    points += [np.array([*corner, low[2]]) for corner in floor]
    items += [Stroke((i, (i + 1) % 4), GREY, 0.7, layer=GROUND) for i in range(4)]
    starts = {
        0: np.array([low[0], near[1], low[2]]),
        1: np.array([near[0], low[1], low[2]]),
        2: np.array([left[0], left[1], low[2]]),
    }
    for axis, start in starts.items():
        end = start.copy()
        end[axis] = high[axis]
        points += [start, end]
        items.append(Stroke((len(points) - 2, len(points) - 1), "#555555", 0.9, layer=GROUND))
        labels += _marks(axes, basis, start, end, axis, unit)
    return Frame(np.array(points) @ basis, items, labels)


def _marks(axes: NDArray, basis: NDArray, start: NDArray, end: NDArray, axis: int, unit: str) -> list[Label]:
    """Numbers along an edge of the box, and its name at the middle."""
    along = (basis[axis] @ axes.T)[:2]
    sideways = 9.0 if along[0] * along[1] > 0 else -9.0
    offset = (-14.0, 0.0) if axis == 2 else (sideways, -9.0)
    labels = []
    for value in MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(start[axis], end[axis]):
        if start[axis] - 1e-9 <= value <= end[axis] + 1e-9:
            place = start.copy()
            place[axis] = value
            labels.append(Label(f"{value:.6g}".replace("-", "\u2212"), place @ basis, offset))
    name = name_of(basis[axis])
    place, far = (end, (0.0, 12.0)) if axis == 2 else ((start + end) / 2, (2.6 * offset[0], 2.6 * offset[1]))
    return [*labels, Label(f"{name} ({unit})" if unit else name, place @ basis, far)]
