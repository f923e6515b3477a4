"""The snapshots of a run: their instants, and their places on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.patches import Polygon
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from sympact.native.cached import cached_property
from sympact.show.animation.ground import Half
from sympact.show.animation.scene import GROUND, Disc, Flash, Scene, Trail

__all__ = ["Exposure"]

TALLEST, MIDDLE, SHORTEST = 3.4, 1.6, 0.9
"""Inches of the bodies: at most, so tall that more snapshots are better than larger ones, and at least."""

ARROW, MARGIN, THICKNESS = 0.5, 0.1, 0.07
"""Inches of the strongest impulse's arrow, around the bodies, and of a floor seen from its side."""

DEPTH = 0.75
"""Half the depth of a floor seen from above, in widths of the bodies."""

FEWEST, WANTED, APART = 6, 9, 0.56
"""Widths of the bodies for which there is always room, and is where they are tall; the least distance (inches)."""

TRAVEL = 2.5
"""Bodies that go this many times their own width are followed along their floor."""

TOGETHER = 0.004
"""Impacts within this part of the run share a snapshot."""

FLOOR = "#8c8577"


@dataclass(frozen=True, eq=False)
class Exposure:
    """The scene of a run from which snapshots are taken, and their places on the page.

    Parameters
    ----------
    scene : Scene
    floor : Half or None
        The only plane that contacts touch, where it does not move.
    path : ndarray, shape (k, 3), or None
        The way of the mass centre, where there is one body.
    width : float
        Of the panels (inches).
    unit : str
        Of lengths.
    """

    scene: Scene
    floor: Half | None
    path: NDArray | None
    width: float
    unit: str

    @cached_property
    def bodies(self) -> list[int]:
        """The numbers of all points that belong to bodies."""
        items = [item for item in self.scene.items if item.layer != GROUND and not isinstance(item, Trail)]
        return sorted({corner for item in items for corner in item.corners})

    @cached_property
    def shifts(self) -> NDArray:
        """The way of the bodies along their floor in each frame, shape (k, 3); zero where they are not followed."""
        places = self.scene.points[:, self.bodies]
        across = self.scene.view.project(places)[..., 0]
        if self.floor is None or np.ptp(across) < TRAVEL * np.ptp(across, axis=1).max():
            return np.zeros((len(places), 3))
        way, normal = places.mean(axis=1) - places[0].mean(axis=0), self.floor.normals[0]
        return way - (way @ normal)[:, np.newaxis] * normal

    @cached_property
    def drawn(self) -> NDArray:
        """The points to the right, upwards and towards the viewer, shape (k, n, 3), from those of followed bodies."""
        return self.scene.view.project(self.scene.points - self.shifts[:, np.newaxis])

    @cached_property
    def box(self) -> NDArray:
        """The extent of all bodies in all frames, to the right and upwards: low and high, shape (2, 2)."""
        clouds = [self.drawn[:, self.bodies, :2].reshape(-1, 2)]
        for item in self.scene.items:
            if isinstance(item, Disc) and item.layer != GROUND:
                centres, radii = self.drawn[:, item.centre, :2], item.radii[:, np.newaxis]
                clouds += [centres - radii, centres + radii]
        cloud = np.concatenate(clouds)
        return np.array([np.nanmin(cloud, axis=0), np.nanmax(cloud, axis=0)])

    @cached_property
    def metres(self) -> float:
        """Metres in an inch."""
        across, tall = self.box[1] - self.box[0]
        wide = float(np.clip(tall / MIDDLE, FEWEST * across / self.width, WANTED * across / self.width))
        return max(float(tall) / TALLEST, wide) or 1.0

    @property
    def across(self) -> float:
        """The width of all bodies (inches)."""
        return float(self.box[1, 0] - self.box[0, 0]) / self.metres

    @property
    def tall(self) -> float:
        """The height of the strip (inches)."""
        below = ARROW if self.scene.flashes else 0.0
        return max(SHORTEST, float(self.box[1, 1] - self.box[0, 1]) / self.metres + 2 * MARGIN + below)

    @property
    def low(self) -> float:
        """The height of the lower edge of the strip (m)."""
        return float(self.box[0, 1]) - (MARGIN + (ARROW if self.scene.flashes else 0.0)) * self.metres

    @cached_property
    def span(self) -> tuple[float, float]:
        """The times at both edges of the panels; the first and the last snapshot have half of their width beyond."""
        first, last = map(float, self.scene.times[[0, -1]])
        pad = self.across / 2 + 0.05
        before = pad * ((last - first) or 1.0) / (self.width - 2 * pad)
        return first - before, last + before

    @property
    def seconds(self) -> float:
        """Seconds in an inch."""
        return (self.span[1] - self.span[0]) / self.width

    def middle(self, k: int) -> float:
        """The middle of the snapshot of frame k, from the left edge of the strip (m)."""
        return float(self.scene.times[k] - self.span[0]) / self.seconds * self.metres

    def offset(self, k: int) -> NDArray:
        """What is added to the points of frame k to draw them at its time, shape (3,)."""
        return np.array([self.middle(k) - float(self.box[:, 0].mean()), 0.0, 0.0])

    def instants(self) -> list[int]:
        """The frames of the snapshots: start, end, the strongest impacts in a third of the room, and others between."""
        times, apart = self.scene.times, max(1.04 * self.across, APART) * self.seconds
        chosen = sorted({0, len(times) - 1})
        room = max(1, int((times[-1] - times[0]) / apart / 3))
        for flash in sorted(
            self.scene.flashes, key=lambda one: (-round(float(np.linalg.norm(one.arrow)), 9), one.first)
        ):
            if len(chosen) < 2 + room and np.abs(times[chosen] - times[flash.first]).min() >= apart:
                chosen.append(flash.first)
        between: list[int] = []
        for first, last in pairwise(sorted(chosen)):
            count = int((times[last] - times[first]) / apart + 1e-9)
            wanted = np.linspace(times[first], times[last], max(count, 1) + 1)[1:-1]
            between += [self.beside(int(np.argmin(np.abs(times - t))), 0.4 * apart) for t in wanted]
        return sorted({*chosen, *between})

    def beside(self, k: int, most: float) -> int:
        """The frame k, or a later one where it shows an impact that was not chosen, at most so much later (s)."""
        times, after = self.scene.times, [flash.first for flash in self.scene.flashes if flash.first > k]
        if not self.struck(k):
            return k
        way = min(most, (times[min(after)] - times[k]) / 2) if after else 0.0
        return int(np.argmin(np.abs(times - times[k] - way)))

    def struck(self, k: int) -> list[Flash]:
        """The impacts at the instant of frame k."""
        times = self.scene.times
        near = TOGETHER * float(times[-1] - times[0])
        return [flash for flash in self.scene.flashes if abs(times[flash.first] - times[k]) <= near]

    def impact(self, flash: Flash, k: int) -> tuple[NDArray, NDArray]:
        """The point of an impact in the snapshot of frame k, and the tail of the arrow that ends there, shape (2,)."""
        longest = max(float(np.linalg.norm(one.arrow)) for one in self.scene.flashes)
        tail = flash.tail - ARROW * self.metres / longest * flash.arrow
        places = self.scene.view.project(np.array([flash.tail, tail]) - self.shifts[flash.first]) + self.offset(k)
        return places[0, :2], places[1, :2]

    def floor_patches(self, k: int) -> list[Polygon]:
        """The floor in a snapshot; in a spatial view with the shadow of the bodies on it."""
        assert self.floor is not None, "there is one"
        view, normal, reach = self.scene.view, self.floor.normals[0], self.width * self.metres
        along = np.cross(normal, view.axes[2]) if view.planar else view.axes[0] - view.axes[0] @ normal * normal
        along = reach / np.linalg.norm(along) * along
        ends = [self.foot - along, self.foot + along]
        if view.planar:
            thick = THICKNESS * self.metres * normal
            return [self.patch(k, [*ends, *(end - thick for end in ends[::-1])], FLOOR, 0.55)]
        aside = DEPTH * self.across * self.metres * np.cross(normal, along / reach)
        outline = [*(end - aside for end in ends), *(end + aside for end in ends[::-1])]
        body = self.scene.points[k, self.bodies] - self.shifts[k]
        shadow = body - ((body - self.foot) @ normal)[:, np.newaxis] * normal
        rim = ConvexHull(view.project(shadow)[:, :2]).vertices
        return [self.patch(k, outline, FLOOR, 0.3), self.patch(k, shadow[rim], "black", 0.16)]

    @cached_property
    def foot(self) -> NDArray:
        """The point of the floor below the bodies at the start, shape (3,)."""
        assert self.floor is not None, "there is one"
        middle, normal = self.scene.points[0, self.bodies].mean(axis=0), self.floor.normals[0]
        return middle - (middle - self.floor.points[0]) @ normal * normal

    def patch(self, k: int, corners: Sequence[NDArray] | NDArray, colour: str, opacity: float) -> Polygon:
        """A polygon in the snapshot of frame k."""
        outline = (self.scene.view.project(np.array(corners)) + self.offset(k))[:, :2]
        return Polygon(outline, closed=True, facecolor=colour, alpha=opacity, linewidth=0)
