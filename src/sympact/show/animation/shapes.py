"""The shapes of bodies and surfaces that an animation accepts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from types import ModuleType

from numpy.typing import NDArray
from sympy import Expr
from sympy.physics.vector import Vector

from sympact.mechanics import Surface
from sympact.mechanics.present.geometry import Place
from sympact.native.sentences.refused_calls import explain_public
from sympact.show.animation.looks import Look, drawn, look_of, shown_kinds
from sympact.show.animation.primitives import Ball, Box, Line, Polygon, Rod, Shape, Trace, check_colour
from sympact.show.animation.scene import Item

__all__ = ["Ball", "Box", "Ground", "Line", "Look", "Polygon", "Rod", "Shape", "Trace", "drawn", "shapes_of"]


def shapes_of(looks: Callable[[ModuleType], Sequence[Shape]]) -> list[Shape]:
    """The shapes that a function makes from this module, as `ReadyModel.looks` does."""
    return list(looks(sys.modules[__name__]))


@dataclass(frozen=True, eq=False)
class Ground(Shape):
    """A surface that contacts touch; by default those of all contacts are shown.

    Parameters
    ----------
    surface : Plane, Sphere, Cylinder, Capsule, ConvexPolygon, Implicit, or a kind that is registered
        A plane is shown where it lies in the picture, on the free side of the other planes that the same points may
        touch; a cylinder by rings and lines, an implicit surface by its intersections with planes.
    colour : str

    Raises
    ------
    TypeError
        If it is none of these, and `drawn` has no `Look` for it; without one, a user's surface may be drawn as a `Line`
        through points of it.
    """

    surface: Surface
    _: KW_ONLY
    colour: str = "#8c8577"

    def __post_init__(self) -> None:
        if not self.look.stands:
            known = ", ".join(shown_kinds())
            raise TypeError(f"Ground shows a surface of contacts, one of {known}; found {self.surface!r}")
        check_colour("Ground", self.colour)

    @property
    def look(self) -> Look[Surface]:
        """How the surface is drawn."""
        return look_of(self.surface)

    def places(self) -> tuple[Place, ...]:
        """The points that locate the surface."""
        return tuple(map(Place, self.surface.points()))

    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that orient it."""
        return self.surface.vectors()

    def lengths(self) -> tuple[Expr, ...]:
        """The lengths that give its size."""
        return self.surface.lengths()

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """Its items as a whole; those cut to the picture are made elsewhere."""
        return self.look.items(points, lengths, self.colour)


explain_public(globals())
