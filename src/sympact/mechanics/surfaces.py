"""Surfaces that points may touch but not pass."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Matrix
from sympy.physics.vector import Point, Vector

from sympact.graph.linear import dot

if TYPE_CHECKING:
    from sympact.mechanics.kinematics import Kinematics

__all__ = ["Plane", "Surface"]

_UNIT_TOLERANCE = 1e-12  # a unit normal written with 15 digits is off by up to 1e-15


class Surface(ABC):
    """What the front-end has to know of a surface; all derivatives follow from the gap."""

    @property
    @abstractmethod
    def name(self) -> str:
        """A short name for tables and for the default names of contacts."""

    @abstractmethod
    def points(self) -> tuple[Point, ...]:
        """The points that place the surface."""

    @abstractmethod
    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that shape it."""

    @abstractmethod
    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """The node of the distance of a point from the surface (m), positive on the free side."""

    @abstractmethod
    def faults(self, kinematics: Kinematics) -> list[str]:
        """What is wrong with the surface, a sentence each, found by numbers at a random state."""


@dataclass(frozen=True, eq=False)
class Plane(Surface):
    """A plane through a point, with a normal to the free side.

    Parameters
    ----------
    point : Point
        A point of the plane. It may move.
    normal : Vector
        The unit normal to the free side, given in any frame; the plane turns with that frame.

    Raises
    ------
    TypeError
        If `point` is no SymPy `Point` or `normal` no SymPy `Vector`.
    ValueError
        If the normal is no unit vector.

    Examples
    --------
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, O = ReferenceFrame("N"), Point("O")
    >>> Plane(O, N.z).name
    'O'
    >>> Plane(O, N.x + N.z)
    Traceback (most recent call last):
        ...
    ValueError: the normal N.x + N.z of the plane at 'O' has the length 1.41421, expected 1; divide it by its length, \
as normal.normalize() does
    """

    point: Point
    normal: Vector

    def __post_init__(self) -> None:
        if not isinstance(self.point, Point):
            raise TypeError(f"the point of a plane is a sympy Point; found {self.point!r}")
        if not isinstance(self.normal, Vector):
            raise TypeError(f"the normal of a plane is a sympy Vector such as N.z; found {self.normal!r}")
        length = _literal_length(self.normal)
        if length is not None and abs(length - 1) > _UNIT_TOLERANCE:
            raise ValueError(self._no_unit_normal(length))

    @property
    def name(self) -> str:
        """The name of the plane's point."""
        return self.point.name

    def points(self) -> tuple[Point, ...]:
        """The plane's own point."""
        return (self.point,)

    def vectors(self) -> tuple[Vector, ...]:
        """The normal."""
        return (self.normal,)

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """g_N = n . (r_P - r_plane)."""
        away = kinematics.position_between(self.point, point)
        return dot(kinematics.graph, kinematics.vector(self.normal), away)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """A normal made of symbols, or given in several frames, can be measured at a state only."""
        length = math.hypot(*kinematics.sample(kinematics.vector(self.normal)))
        return [f"{self._no_unit_normal(length)} (at a random state)"] if abs(length - 1) > _UNIT_TOLERANCE else []

    def _no_unit_normal(self, length: float) -> str:
        return (
            f"the normal {self.normal} of the plane at '{self.point.name}' has the length {length:.6g}, expected 1; "
            "divide it by its length, as normal.normalize() does"
        )


def _literal_length(vector: Vector) -> float | None:
    """The length of a vector of numbers in one frame, None when a number cannot be told."""
    components = [component for components, _ in vector.args for component in Matrix(components)]
    if len(vector.args) > 1 or not all(component.is_number for component in components):
        return None
    return math.hypot(*map(float, components))
