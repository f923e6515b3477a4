"""Distances of points, balls, rims and bars from surfaces, by formulas and searches of their own.

Everything is given in the ground, with leading axes. A surface gives to places c (..., 3) its gap and its unit normal
to the free side, (...) and (..., 3). Circles and segments are searched: looks all along, then bisection of the slope
n . c' about the best of them.
"""

from __future__ import annotations

import numpy as np

from fuzz.motion import State, dots, rotation, turned
from fuzz.recipe import Shape

LOOKS = 48
"""Places of a circle or a segment that are looked at before the best one is refined by bisection."""

TOGETHER = 4096
"""So many places are looked at in one call: the arrays of an implicit surface stay below 10 MB."""


def axes(shape: Shape, state: State) -> np.ndarray:
    """The local axes of a shape as columns (..., 3, 3)."""
    return state.R @ rotation(shape.turn)


def distance(shape: Shape, state: State, c: np.ndarray, true: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The gap of points and the surface's normal; `true`: the distance also where the gap of points is none."""
    R = axes(shape, state)
    local = turned(np.swapaxes(R, -1, -2), c - state.at(shape.place))
    if shape.kind == "implicit":
        gap, normal = (nearest if true else levelled)(shape, local)
    else:
        gap, normal = _SURFACES[shape.kind](shape, local)
    return gap, turned(R, normal)


def _plane(shape: Shape, c):
    return c[..., 2], np.broadcast_to(np.array([0.0, 0.0, 1.0]), c.shape)


def _sphere(shape: Shape, c):
    length = np.sqrt(dots(c, c))
    sign = -1.0 if shape.inside else 1.0
    return sign * (length - shape.sizes[0]), sign * c / length[..., np.newaxis]


def _cylinder(shape: Shape, c):
    return _sphere(shape, c * np.array([1.0, 1.0, 0.0]))


def _capsule(shape: Shape, c):
    half = shape.sizes[1] / 2
    return _sphere(shape, c - np.clip(c[..., 2:], -half, half) * np.array([0.0, 0.0, 1.0]))


def _polygon(shape: Shape, c):
    corners = np.reshape(shape.sizes, (-1, 2))
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / np.linalg.norm(edges, axis=1)[:, np.newaxis]
    heights = c[..., :2] @ normals.T - (normals * corners).sum(axis=1)
    best = heights.argmax(axis=-1)
    flat = np.zeros((len(normals), 1))
    return np.take_along_axis(heights, best[..., np.newaxis], -1)[..., 0], np.hstack([normals, flat])[best]


_SURFACES = {"plane": _plane, "sphere": _sphere, "cylinder": _cylinder, "capsule": _capsule, "polygon": _polygon}


# Implicit surfaces: phi, its gradient, and the nearest place.


def phi(shape: Shape, c) -> tuple[np.ndarray, np.ndarray]:
    """phi and its gradient."""
    x, y, z = (c[..., k] for k in range(3))
    if shape.form == "ellipsoid":
        squares = np.asarray(shape.sizes) ** 2
        return (c * c / squares).sum(axis=-1) - 1.0, 2.0 * c / squares
    height, slope_x, slope_y, *_ = heights(shape, x, y)
    return z - height, np.stack([-slope_x, -slope_y, np.ones_like(z)], axis=-1)


def levelled(shape: Shape, c) -> tuple[np.ndarray, np.ndarray]:
    """phi/|grad phi| and grad phi/|grad phi|."""
    value, slope = phi(shape, c)
    steepness = np.sqrt(dots(slope, slope))
    return value / steepness, slope / steepness[..., np.newaxis]


def heights(shape: Shape, x, y):
    """z = h(x, y) of a graph with its derivatives hx, hy, hxx, hxy, hyy."""
    a, b = shape.sizes
    if shape.form == "bowl":
        return a * x**2 + b * y**2, 2 * a * x, 2 * b * y, 2 * a + 0 * x, 0 * x, 2 * b + 0 * x
    sx, cx, sy, cy = np.sin(b * x), np.cos(b * x), np.sin(b * y + 1), np.cos(b * y + 1)
    return (
        a * sx * sy,
        a * b * cx * sy,
        a * b * sx * cy,
        -a * b * b * sx * sy,
        a * b * b * cx * cy,
        -a * b * b * sx * sy,
    )


def nearest(shape: Shape, c) -> tuple[np.ndarray, np.ndarray]:
    """The distance from the surface, negative below it, and the unit normal at its nearest place."""
    place = _on_ellipsoid(np.asarray(shape.sizes), c) if shape.form == "ellipsoid" else _on_graph(shape, c)
    away = c - place
    normal = phi(shape, place)[1]
    normal = normal / np.sqrt(dots(normal, normal))[..., np.newaxis]
    return np.sqrt(dots(away, away)) * np.where(phi(shape, c)[0] < 0.0, -1.0, 1.0), normal


def _on_ellipsoid(a: np.ndarray, c):
    """x_i = a_i^2 c_i/(a_i^2 + s), s > -min a^2 being the root of sum (a_i c_i/(a_i^2 + s))^2 - 1 by Newton's method.

    The sum is convex and falls with s: from where one of its terms is 1 the iteration rises to the root.
    """
    least = -(a.min() ** 2) * (1 - 1e-12)
    s = np.maximum((a * np.abs(c) - a * a).max(axis=-1), least)
    for _ in range(50):
        below = a * a + s[..., np.newaxis]
        terms = (a * c / below) ** 2
        step = (dots(terms, np.ones(3)) - 1.0) / (2.0 * dots(terms, 1.0 / below) + 1e-300)
        s = s + np.maximum(step, 0.0)
        if (step <= 1e-16 * a.max() ** 2).all():
            break
    return a * a * c / (a * a + s[..., np.newaxis])


def _on_graph(shape: Shape, c):
    """The best of looks around the foot of the point, then Newton's method for the squared distance, damped."""
    below = np.abs(c[..., 2] - heights(shape, c[..., 0], c[..., 1])[0])[..., np.newaxis]
    grid = np.linspace(-1.0, 1.0, 13)
    x, y = (c[..., k, np.newaxis] + below * offsets.ravel() for k, offsets in enumerate(np.meshgrid(grid, grid)))
    squares = (x - c[..., :1]) ** 2 + (y - c[..., 1:2]) ** 2 + (heights(shape, x, y)[0] - c[..., 2:]) ** 2
    best = squares.argmin(axis=-1)[..., np.newaxis]
    x, y = (np.take_along_axis(part, best, -1)[..., 0] for part in (x, y))
    for _ in range(25):
        h, hx, hy, hxx, hxy, hyy = heights(shape, x, y)
        d = h - c[..., 2]
        fx, fy = x - c[..., 0] + d * hx, y - c[..., 1] + d * hy
        a, b, e = 1 + hx * hx + d * hxx, hx * hy + d * hxy, 1 + hy * hy + d * hyy
        lift = np.maximum(0.0, 1e-3 - ((a + e) / 2 - np.sqrt(((a - e) / 2) ** 2 + b * b)))  # a descent, also where bent
        a, e = a + lift, e + lift
        det = a * e - b * b
        x, y = _nearer(shape, c, x, y, (b * fy - e * fx) / det, (b * fx - a * fy) / det)
    return np.stack([x, y, heights(shape, x, y)[0]], axis=-1)


def _nearer(shape: Shape, c, x, y, dx, dy):
    """A step along (dx, dy), shortened until it does not lead away from c."""

    def square(x, y):
        return (x - c[..., 0]) ** 2 + (y - c[..., 1]) ** 2 + (heights(shape, x, y)[0] - c[..., 2]) ** 2

    here, part = square(x, y) * (1 + 1e-14), np.ones_like(dx)
    for _ in range(20):
        away = square(x + part * dx, y + part * dy) > here
        if not away.any():
            break
        part = np.where(away, part / 2, part)
    return x + part * dx, y + part * dy


# What touches: the gap, the touching place and the normal.


def touching(body: Shape, its: State, surface: Shape, state: State, halvings: int = 20):
    """The gap (...), the place of the body that is nearest to the surface, and the surface's normal (..., 3)."""
    center = its.at(body.place)
    if body.kind == "point":
        gap, normal = distance(surface, state, center)
        return gap, center, normal
    if body.kind == "ball":
        gap, normal = distance(surface, state, center, true=True)
        return gap - body.sizes[0], center - body.sizes[0] * normal, normal
    if body.kind == "disc":
        return _rim(body, its, surface, state, halvings)
    return _bar(body, its, surface, state, halvings)


def _rim(body: Shape, its: State, surface: Shape, state: State, halvings: int):
    R = axes(body, its)
    center, radius = its.at(body.place), body.sizes[0]

    def place(angle):
        c, s = np.cos(angle)[..., np.newaxis], np.sin(angle)[..., np.newaxis]
        return center + radius * (c * R[..., :, 0] + s * R[..., :, 1])

    def along(angle):
        c, s = np.cos(angle)[..., np.newaxis], np.sin(angle)[..., np.newaxis]
        return c * R[..., :, 1] - s * R[..., :, 0]

    angles = np.linspace(-np.pi, np.pi, LOOKS, endpoint=False)
    angle = _lowest(place, along, angles, surface, state, center.shape[:-1], False, halvings)
    gap, normal = distance(surface, state, place(angle))
    return gap, place(angle), normal


def hollows(body: Shape, its: State, surface: Shape, state: State) -> np.ndarray:
    """The gaps of all places of a rim or a ball where the gap is lower than beside them, lowest first, roughly.

    Of a ball on a graph: the distances of the places of the surface that are nearer than those beside them.
    """
    center, radius = its.at(body.place), body.sizes[0] if body.sizes else 0.0
    if body.kind == "disc":
        R, angles = axes(body, its), np.linspace(0.0, 2 * np.pi, 2000, endpoint=False)[:, np.newaxis]
        gaps = distance(surface, state, center + radius * (np.cos(angles) * R[:, 0] + np.sin(angles) * R[:, 1]))[0]
        low = (gaps < np.roll(gaps, 1)) & (gaps <= np.roll(gaps, -1))
    elif body.kind == "ball" and surface.kind == "implicit" and surface.form != "ellipsoid":
        c = axes(surface, state).T @ (center - state.at(surface.place))
        grid = np.linspace(-2 * radius, 2 * radius, 801)
        x, y = np.meshgrid(c[0] + grid, c[1] + grid)
        gaps = np.sqrt((x - c[0]) ** 2 + (y - c[1]) ** 2 + (heights(surface, x, y)[0] - c[2]) ** 2) - radius
        inner = gaps[1:-1, 1:-1]
        beside = [np.roll(np.roll(gaps, i, 0), j, 1)[1:-1, 1:-1] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        low, gaps = np.all([inner <= other for other in beside], axis=0), inner
    else:
        return np.empty(0)
    return np.sort(gaps[low])


def _bar(body: Shape, its: State, surface: Shape, state: State, halvings: int):
    axis, center = axes(body, its)[..., :, 2], its.at(body.place)
    (radius, length), true = body.sizes, surface.kind == "implicit"

    def place(part):
        return center + part[..., np.newaxis] * axis

    parts = np.linspace(-length / 2, length / 2, LOOKS)
    part = np.clip(
        _lowest(place, lambda part: axis, parts, surface, state, center.shape[:-1], true, halvings),
        -length / 2,
        length / 2,
    )
    gap, normal = distance(surface, state, place(part), true)
    return gap - radius, place(part) - radius * normal, normal


def _lowest(place, along, looks, surface: Shape, state: State, shape, true: bool, halvings: int) -> np.ndarray:
    """The parameter of a curve where the gap is least: of the two lowest hollows that looks show, the lower one."""
    column = looks.reshape(-1, *[1] * len(shape))
    parts = np.array_split(column, min(len(looks), 1 + len(looks) * int(np.prod(shape)) // TOGETHER))
    gaps = np.concatenate([distance(surface, state, place(part), true)[0] for part in parts])
    first = gaps.argmin(axis=0)
    ends = np.pad(gaps, [(1, 1)] + [(0, 0)] * len(shape), constant_values=np.inf)
    hollow = (gaps <= ends[2:]) & (gaps <= ends[:-2]) & (np.arange(len(looks)).reshape(column.shape) != first)
    second = np.where(hollow, gaps, np.inf).argmin(axis=0)
    bests, step = np.stack([first, np.where(hollow.any(axis=0), second, first)]), looks[1] - looks[0]
    found = _bisected(place, along, looks[bests], step, surface, state, true, halvings)
    heights = distance(surface, state, place(found), true)[0]
    return np.where(heights[1] < heights[0], found[1], found[0])


def _bisected(place, along, best, step: float, surface: Shape, state: State, true: bool, halvings: int) -> np.ndarray:
    low, high = best - step, best + step
    for _ in range(halvings):
        middle = (low + high) / 2
        rising = dots(distance(surface, state, place(middle), true)[1], along(middle)) > 0.0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return (low + high) / 2
