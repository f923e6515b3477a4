"""The parts of an animation as plain numbers: points that move, and the items between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

GROUND, BODY, FRONT = 0, 1, 2
"""Layers: the background, the items sorted by depth, and the foreground."""


class Item(ABC):
    """What is drawn of a scene: how, `sympact.show.animation.canvas` and `web_page` have registered for each kind."""

    colour: str
    layer: int

    @property
    @abstractmethod
    def corners(self) -> tuple[int, ...]:
        """The numbers of the points that it needs.

        >>> Trail(3, "red").corners, Stroke((1, 2), "red").corners
        ((3,), (1, 2))
        """


@dataclass(frozen=True, eq=False)
class Stroke(Item):
    """A line through points, at least `weight` printer's points and `width` metres thick."""

    points: tuple[int, ...]
    colour: str
    weight: float = 1.5
    width: float = 0.0
    dashed: bool = False
    layer: int = BODY

    @property
    def corners(self) -> tuple[int, ...]:
        """The points that it needs."""
        return self.points


@dataclass(frozen=True, eq=False)
class Face(Item):
    """A filled polygon; `outward`: visible only from the side from which its corners go anticlockwise."""

    points: tuple[int, ...]
    colour: str
    opacity: float = 1.0
    outward: bool = False
    edge: str | None = None
    layer: int = BODY

    @property
    def corners(self) -> tuple[int, ...]:
        """The points that it needs."""
        return self.points


@dataclass(frozen=True, eq=False)
class Disc(Item):
    """A ball of the given radii, shape (k,) (m), in each frame one."""

    centre: int
    radii: NDArray
    colour: str
    opacity: float = 1.0
    edge: str | None = None
    layer: int = BODY

    @property
    def corners(self) -> tuple[int, ...]:
        """The points that it needs."""
        return (self.centre,)


@dataclass(frozen=True, eq=False)
class Dots(Item):
    """Dots of `size` printer's points."""

    points: tuple[int, ...]
    colour: str
    size: float = 5.0
    layer: int = FRONT

    @property
    def corners(self) -> tuple[int, ...]:
        """The points that it needs."""
        return self.points


@dataclass(frozen=True, eq=False)
class Trail(Item):
    """The path of a point: in the frame k the first ``ends[k]`` points of `way`, shape (n, 3)."""

    point: int
    colour: str
    way: NDArray = field(default_factory=lambda: np.empty((0, 3)))
    ends: NDArray = field(default_factory=lambda: np.empty(0, dtype=int))
    weight: float = 1.2
    layer: int = BODY

    @property
    def corners(self) -> tuple[int, ...]:
        """The points that it needs."""
        return (self.point,)


@dataclass(frozen=True, eq=False)
class Label:
    """A fixed text at a position, shape (3,); `offset` in printer's points."""

    text: str
    place: NDArray
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Flash:
    """An arrow of the shape (3,) at its `tail`, shape (3,), in the frames from `first` to `last`; it does not move."""

    first: int
    last: int
    tail: NDArray
    arrow: NDArray


@dataclass(frozen=True, eq=False)
class View:
    """The view of the scene, always a parallel projection.

    Parameters
    ----------
    axes : ndarray, shape (3, 3)
        Rows: the directions to the right, up, and towards the viewer.
    planar : bool
        Whether all motion is in one plane, which is viewed perpendicularly.
    low, high : ndarray, shape (2,)
        The corners of the picture, to the right and up (m).
    labels : tuple of two str
        The labels of the axes of a planar view.
    """

    axes: NDArray
    planar: bool
    low: NDArray
    high: NDArray
    labels: tuple[str, str] = ("", "")

    def project(self, points: NDArray) -> NDArray:
        """Components to the right, up and towards the viewer, of points of the shape (..., 3).

        >>> View(np.eye(3)[[1, 2, 0]], True, np.zeros(2), np.ones(2)).project(np.array([1.0, 2.0, 3.0]))
        array([2., 3., 1.])
        """
        return points @ self.axes.T


@dataclass(frozen=True, eq=False)
class Scene:
    """A whole animation.

    Parameters
    ----------
    times : ndarray, shape (k,)
        The time of the run at each frame (s).
    fps : float
        Frames shown in a second.
    points : ndarray, shape (k, n, 3)
        The positions of the points (m).
    items : sequence of Item
    labels : sequence of Label
    flashes : sequence of Flash
    stages : sequence of str
        The names of the modes that are shown.
    stage : ndarray of int, shape (k,)
        The mode in each frame.
    view : View
    time_unit : str
    title : str
    """

    times: NDArray
    fps: float
    points: NDArray
    items: Sequence[Item]
    labels: Sequence[Label]
    flashes: Sequence[Flash]
    stages: Sequence[str]
    stage: NDArray
    view: View
    time_unit: str = ""
    title: str = ""

    def caption(self, k: int) -> str:
        """The time and the mode of a frame."""
        unit = f" {self.time_unit}" if self.time_unit else ""
        return f"t = {self.times[k]:.{self.digits}f}{unit}    {self.stages[self.stage[k]]}"

    @property
    def digits(self) -> int:
        """The number of decimals that distinguish two frames, from 2 to 9."""
        step = float(np.diff(self.times).min(initial=1.0))
        return int(np.clip(np.ceil(-np.log10(step) - 1e-9), 2, 9)) if step > 0 else 9


def depth_order(scene: Scene, drawn: NDArray) -> list[int]:
    """The items of a frame in the order in which they are painted: by layer, then from the back to the front.

    Parameters
    ----------
    scene : Scene
    drawn : ndarray, shape (n, 3)
        The projected points of the frame.
    """
    keys = []
    for number, item in enumerate(scene.items):
        depth = drawn[list(item.corners), 2].mean() if item.layer == BODY and not scene.view.planar else 0.0
        keys.append((item.layer, depth, number))
    return [number for *_, number in sorted(keys)]


def arrow(tail: NDArray, head: NDArray, size: float) -> NDArray:
    """The outline of an arrow in the plane, shape (7, 2), with a head of the given size at most.

    >>> arrow(np.zeros(2), np.array([4.0, 0.0]), 1.0)[[2, 3, 4]]
    array([[ 3. ,  0.5],
           [ 4. ,  0. ],
           [ 3. , -0.5]])
    """
    along = head - tail
    length = max(float(np.hypot(*along)), 1e-300)
    forward, side = along / length, np.array([-along[1], along[0]]) / length
    tip = min(size, 0.6 * length)
    neck, half, thin = head - tip * forward, tip / 2 * side, 0.14 * tip * side
    return np.array([tail + thin, neck + thin, neck + half, head, neck - half, neck - thin, tail - thin])
