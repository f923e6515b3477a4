"""Searches for nearest places: of a rim, of a bar, of the edges of a polygon, and of a surface phi = 0 to a ball.

They know the user's shapes alone: looks all along, then bisection of the slope; for phi = 0 Newton's method on
x - c + s grad phi = 0, phi = 0 from several places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import sympy as sm
from gap_formulas import ALONG, distance, edges_of, frame_of, searched, touch_of
from lambdified import lambdified
from slopes import slope

LOOKS = 48
"""Places of a rim or a bar that are looked at, before the best one is made better."""

HALVINGS = 55
"""Of the way between two looks: to its rounding."""

TIED = 64 * np.finfo(float).eps
"""How much the heights above two edges may differ, of the sizes of places, for rounding to decide between them."""

STARTS = 6
"""The best of the places around from which Newton's method goes."""


def seeker(contact, letters: Mapping, t: sm.Symbol, parameters) -> Callable:
    """A function of (t, x, p), t (k,) and x (n_states, k), with the places (7, k): along, the foot, and its normal.

    Of edges that are equally near it takes the one that is at the times and states `near`, where these are given.
    """
    what = searched(contact)
    if what == "bar and foot":
        raise NotImplementedError("a bar's nearest place on an implicit surface: `left_out_of_the_check`")
    if not what:
        return lambda t, x, p, near=None: np.zeros((7, len(t)))
    arguments = (ALONG, t, list(letters.values()), parameters)
    touch, surface = touch_of(contact.point, contact.surface), contact.surface
    if what == "edge":
        return _edge_seeker(touch, surface, arguments[1:], letters)
    ends = (-np.pi, np.pi) if what == "rim" else (0.0, 1.0)
    if "foot" not in what:
        away = sm.sympify(distance(surface, touch.center)).xreplace(letters)
        height, rise = (lambdified(arguments, part, cse=True) for part in (away, slope(away, ALONG)))

        def along(t, x, p):
            return lowest(lambda s: height(s, t, x, p), lambda s: rise(s, t, x, p), ends, len(t))

        return lambda t, x, p, near=None: _with_foot(along(t, x, p), None)
    away = touch.center.pos_from(surface.origin)
    local = lambdified(arguments[1:], [away.dot(axis).xreplace(letters) for axis in surface.frame], cse=True)
    radius, level = lambdified((t, parameters), sm.sympify(touch.radius)), Level.of(surface, t, parameters)

    def seek(t, x, p, near=None):
        center = np.stack(np.broadcast_arrays(*local(t, x, p), t)[:3]).astype(float)
        return _with_foot(np.zeros(len(t)), level.nearest(center, t, p, radius(t, p))[0])

    return seek


def _with_foot(along: np.ndarray, foot: np.ndarray | None) -> np.ndarray:
    foot = np.zeros((3, len(along))) if foot is None else foot
    return np.vstack([along, foot, np.zeros_like(foot)])


def _edge_seeker(touch, polygon, arguments, letters: Mapping) -> Callable:
    """The edge above which a point is highest."""
    away = touch.center.pos_from(polygon.corners[0])
    local = lambdified(arguments, [away.dot(axis).xreplace(letters) for axis in frame_of(polygon)], cse=True)
    parts = [[[part.xreplace(letters) for part in vector] for vector in edge] for edge in edges_of(polygon)]
    edges, known = lambdified(arguments, parts, cse=True), {}

    def heights(t, x, p):
        feet, normals = known[p.tobytes()]
        place = np.empty((3, len(t)))
        place[0], place[1], place[2] = local(t, x, p)
        return normals @ place - (normals * feet).sum(axis=1)[:, np.newaxis], np.abs(place).max(axis=0)

    def seek(t, x, p, near=None):
        if p.tobytes() not in known:  # they are fixed in the polygon's frame
            known[p.tobytes()] = np.array(edges(t[0], x[:, 0], p), dtype=float).swapaxes(0, 1)
        feet, normals = known[p.tobytes()]
        found, size = heights(t, x, p)
        best = found.argmax(axis=0)
        tied = found >= found.max(axis=0) - TIED * (size + np.abs(feet).max())
        several = np.flatnonzero(tied.sum(axis=0) > 1)
        if near is not None and several.size:
            aside, _ = heights(near[0][several], near[1][:, several], p)
            best[several] = np.where(tied[:, several], aside, -np.inf).argmax(axis=0)
        return np.vstack([np.zeros(len(t)), feet[best].T, normals[best].T])

    return seek


def lowest(height: Callable, slope: Callable, ends: tuple[float, float], count: int) -> np.ndarray:
    """Where functions of s, `count` at once, are lowest: the slope is bisected about the best look."""
    looks = np.linspace(*ends, LOOKS + 1)
    best = looks[np.argmin([np.broadcast_to(height(np.full(count, look)), count) for look in looks], axis=0)]
    width = (ends[1] - ends[0]) / LOOKS
    low, high = best - width, best + width
    if ends[0] == 0.0:  # a bar ends there, a rim does not
        low, high = np.maximum(low, ends[0]), np.minimum(high, ends[1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        falls = slope(middle) < 0.0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    return (low + high) / 2


class Level:
    """phi = 0 in numbers, components in the surface's frame."""

    def __init__(self, phi: Callable, slopes: Callable, bends: Callable) -> None:
        self.phi, self.slopes, self.bends = phi, slopes, bends

    @classmethod
    def of(cls, surface, t: sm.Symbol, parameters) -> Level:
        """That of an `Implicit` surface."""
        phi, letters = surface.expression, surface.letters
        slopes = [phi.diff(letter) for letter in letters]
        bends = [[slope.diff(letter) for letter in letters] for slope in slopes]
        return cls(*(lambdified((letters, t, parameters), part, cse=True) for part in (phi, slopes, bends)))

    def _arrays(self, function: Callable, place: np.ndarray, t, p) -> np.ndarray:
        shape = np.broadcast_shapes(place.shape[1:], np.shape(t))

        def full(part):
            return np.stack([full(entry) for entry in part]) if isinstance(part, list) else np.broadcast_to(part, shape)

        return full(function(place, t, p)).astype(float)

    def nearest(self, center: np.ndarray, t: np.ndarray, p, radius) -> tuple[np.ndarray, np.ndarray]:
        """The nearest places (3, k) to centres (3, k), and the distances, negative behind the surface (k,)."""
        value, slope = self._arrays(self.phi, center, t, p), self._arrays(self.slopes, center, t, p)
        steep = np.sqrt((slope**2).sum(axis=0))
        reach = np.abs(value) / steep + np.broadcast_to(radius, value.shape)
        ways = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)], dtype=float)
        ways = np.concatenate([ways, ways / 3])
        starts = center[:, np.newaxis] + ways.T[:, :, np.newaxis] * reach
        for _ in range(8):  # down the gradient to the surface
            starts = starts - self._straight(starts, t, p, reach)
        off = np.abs(self._arrays(self.phi, starts, t, p)) / steep
        far = np.sqrt(((starts - center[:, np.newaxis]) ** 2).sum(axis=0)) + 4 * off
        best = np.argsort(np.where(np.isfinite(far), far, np.inf), axis=0)[:STARTS]
        places = np.take_along_axis(starts, best[np.newaxis], axis=1)
        places = self._newton(places, center[:, np.newaxis], t, p)
        away = center[:, np.newaxis] - places
        far = np.sqrt((away**2).sum(axis=0))
        off = np.abs(self._arrays(self.phi, places, t, p)) > 1e-9 * steep * np.maximum(reach, far)
        which = np.argmin(np.where(off | ~np.isfinite(far), np.inf, far), axis=0)[np.newaxis]
        place = np.take_along_axis(places, which[np.newaxis], axis=1)[:, 0]
        return place, np.take_along_axis(far, which, axis=0)[0] * np.sign(value)

    def _straight(self, place, t, p, most) -> np.ndarray:
        value, slope = self._arrays(self.phi, place, t, p), self._arrays(self.slopes, place, t, p)
        step = slope * value / (slope**2).sum(axis=0)
        size = np.sqrt((step**2).sum(axis=0))
        return step * np.minimum(1.0, most / np.where(size > 0, size, 1.0))

    def _newton(self, place, center, t, p) -> np.ndarray:
        """Newton's method, its steps no longer than half of the distance that is left to go to."""
        for turn in range(25):
            value, slope, bend = (self._arrays(part, place, t, p) for part in (self.phi, self.slopes, self.bends))
            away = place - center
            s = -(away * slope).sum(axis=0) / (slope**2).sum(axis=0)
            matrix = np.zeros((*value.shape, 4, 4))
            matrix[..., :3, :3] = np.moveaxis(s * bend, (0, 1), (-2, -1)) + np.eye(3)
            matrix[..., :3, 3] = matrix[..., 3, :3] = np.moveaxis(slope, 0, -1)
            right = -np.concatenate([away + s * slope, value[np.newaxis]])
            singular = np.abs(np.linalg.det(matrix)) < 1e-300
            matrix[singular] = np.eye(4)
            step = np.moveaxis(np.linalg.solve(matrix, np.moveaxis(right, 0, -1)[..., np.newaxis])[..., :3, 0], -1, 0)
            size, most = np.sqrt((step**2).sum(axis=0)), 0.5 * np.sqrt((away**2).sum(axis=0))
            place = place + step * (np.minimum(1.0, most / np.where(size > 0, size, 1.0)) if turn < 15 else 1.0)
        return place
