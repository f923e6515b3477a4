"""The drawings of surfaces and of contacting parts: as bodies, and as ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sympy import S

from sympact.mechanics import Capsule, Contactor, ConvexPolygon, Cylinder, Disc, Implicit, Plane, Sphere, Surface
from sympact.mechanics.present.geometry import Geometry, Place
from sympact.show.animation import scene
from sympact.show.animation.curved import Lines, Window, cylinder_lines, zero_lines
from sympact.show.animation.ground import Half
from sympact.show.animation.primitives import BLUE, EDGE, Ball, Polygon, Rod, Shape
from sympact.show.animation.scene import Face, Item, Stroke

__all__ = ["Look", "Rim", "drawn", "look_of", "shown_kinds"]

_SIDES = 32
Drawn = TypeVar("Drawn", bound=Contactor | Surface)


class Look(Generic[Drawn]):
    """The drawing of a surface or of a contactor: as a body, and as the ground that bodies touch."""

    stands: ClassVar[bool] = False
    """Whether a `Ground` shows it."""

    def body(self, side: Drawn) -> Shape | None:
        """The shape of its body; None where it has none."""
        return None

    def is_body(self, surface: Drawn, geometry: Geometry) -> bool:
        """Whether a surface is that of a moving body, and is drawn as one."""
        return False

    def items(self, points: Sequence[int], lengths: NDArray, colour: str) -> list[Item]:
        """The items of a ground as a whole, with the numbers of its points and its lengths, shape (n, k) (m)."""
        return []

    def half(self, points: NDArray, vectors: NDArray) -> Half | None:
        """The half space that it bounds, whose part in the picture is shown; None if it bounds none.

        `points` and `vectors` have the shape (k, n, 3), those of the surface in k frames.
        """
        return None

    def lines(self, surface: Drawn, points: NDArray, vectors: NDArray, lengths: NDArray, window: Window) -> Lines:
        """The lines that represent it, as far as a window shows it."""
        return []


Kind = TypeVar("Kind", bound=type[Look])

_LOOKS: dict[type, Look[Any]] = {}


def drawn(kind: type) -> Callable[[Kind], Kind]:
    """Decorate a `Look` that animations use for a kind of surface, or of contactor, and for its subclasses."""

    def register(look: Kind) -> Kind:
        _LOOKS[kind] = look()
        return look

    return register


def look_of(side: object) -> Look[Any]:
    """The drawing of a surface or of a contacting part: nothing for a kind that is not registered."""
    return next((_LOOKS[kind] for kind in type(side).__mro__ if kind in _LOOKS), Look())


def shown_kinds() -> list[str]:
    """The names of the kinds that a `Ground` shows."""
    return [kind.__name__ for kind, look in _LOOKS.items() if look.stands]


@dataclass(frozen=True, eq=False)
class Rim(Shape):
    """The rim of a thin disc whose axis is an axis of its frame."""

    disc: Disc

    def places(self) -> tuple[Place, ...]:
        """Places around it, and the centre."""
        ((components, frame),) = self.disc.axis.args
        axis = int(np.argmax([abs(part) for part in components]))
        places = []
        for angle in 2 * np.pi * np.arange(_SIDES) / _SIDES:
            offset = [S.Zero, S.Zero, S.Zero]
            offset[(axis + 1) % 3] = self.disc.radius * np.cos(angle)
            offset[(axis + 2) % 3] = self.disc.radius * np.sin(angle)
            places.append(Place(self.disc.center, frame, tuple(offset)))
        return (*places, Place(self.disc.center))

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """The rim and a radius, which shows its rotation."""
        *rim, centre = points
        return [Stroke((*rim, rim[0]), EDGE, 2.5), Stroke((centre, rim[0]), EDGE, 1.0)]


def _turns(side: Capsule | ConvexPolygon | Sphere, geometry: Geometry) -> bool:
    """Whether its material is fixed in another frame than N."""
    return side.frame not in (None, geometry.frame)


@drawn(Plane)
class PlaneLook(Look[Plane]):
    """The part of it that lies in the picture."""

    stands = True

    def half(self, points: NDArray, vectors: NDArray) -> Half:
        """Its free side."""
        return Half(points[:, 0], vectors[:, 0])


@drawn(Sphere)
class SphereLook(Look[Sphere]):
    """A ball; a disc on the ground."""

    stands = True

    def body(self, side: Sphere) -> Shape:
        """A ball."""
        return Ball(side.center, side.radius)

    def is_body(self, surface: Sphere, geometry: Geometry) -> bool:
        """One about a mass centre, or with a frame of its own; no hollow one."""
        return not surface.inside and (surface.center in geometry.centres or _turns(surface, geometry))

    def items(self, points: Sequence[int], lengths: NDArray, colour: str) -> list[Item]:
        """A disc."""
        return [scene.Disc(points[0], lengths[0], colour, 0.35, colour, layer=0)]


@drawn(Cylinder)
class CylinderLook(Look[Cylinder]):
    """Rings and lines."""

    stands = True

    def lines(self, surface: Cylinder, points: NDArray, vectors: NDArray, lengths: NDArray, window: Window) -> Lines:
        """Those of the part in the picture."""
        return cylinder_lines(surface, points[:, 0], vectors[:, 0], lengths[0], window)


@drawn(Capsule)
class CapsuleLook(Look[Capsule]):
    """A rod; a broad line on the ground."""

    stands = True

    def body(self, side: Capsule) -> Shape:
        """A rod."""
        return Rod(side.start, side.end, 2 * side.radius, colour=BLUE)

    def is_body(self, surface: Capsule, geometry: Geometry) -> bool:
        """One with a frame of its own."""
        return _turns(surface, geometry)

    def items(self, points: Sequence[int], lengths: NDArray, colour: str) -> list[Item]:
        """A broad line."""
        return [Stroke(tuple(points), colour, 1.0, 2 * float(lengths[0, 0]), layer=0)]


@drawn(ConvexPolygon)
class PolygonLook(Look[ConvexPolygon]):
    """A face."""

    stands = True

    def body(self, side: ConvexPolygon) -> Shape:
        """A polygon."""
        return Polygon(side.frame, tuple(side.corners))

    def is_body(self, surface: ConvexPolygon, geometry: Geometry) -> bool:
        """One with a frame of its own."""
        return _turns(surface, geometry)

    def items(self, points: Sequence[int], lengths: NDArray, colour: str) -> list[Item]:
        """A face."""
        return [Face(tuple(points), colour, 0.35, edge=colour, layer=0)]


@drawn(Implicit)
class ImplicitLook(Look[Implicit]):
    """The lines in which planes cut it."""

    stands = True

    def lines(self, surface: Implicit, points: NDArray, vectors: NDArray, lengths: NDArray, window: Window) -> Lines:
        """Those of the part in the picture."""
        return zero_lines(surface, points[:, 0], vectors, lengths, window)


@drawn(Disc)
class DiscLook(Look[Disc]):
    """Its rim."""

    def body(self, side: Disc) -> Shape | None:
        """The rim, if the axis is one of its frame."""
        numbers = [part for components, _ in side.axis.args for part in components]
        single = len(side.axis.args) == 1 and sorted(map(str, numbers)) in (["0", "0", "1"], ["-1", "0", "0"])
        return Rim(side) if single else None
