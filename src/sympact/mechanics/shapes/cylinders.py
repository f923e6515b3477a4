"""Cylinders."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.algebra.linear import plus, scale
from sympact.mechanics.kit.vectors import across, carried, length, unit
from sympact.mechanics.shapes.surfaces import Surface, no_unit_vector, read_frame, read_unit_vector
from sympact.mechanics.shapes.unilateral import Demand, read_length

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Cylinder"]


@dataclass(frozen=True, eq=False)
class Cylinder(Surface):
    """A circular cylinder without ends, about an axis through a point.

    The gap is the distance from the axis less the radius, inside the radius less the distance. On the axis the distance
    has no derivative, so that no motion can start there.

    Parameters
    ----------
    point : Point
        A point of the axis. It may move.
    axis : Vector
        The unit vector along the axis, given in any frame; the cylinder turns with that frame.
    radius : number or Expr
        The radius R (m), positive; may be an expression of parameters, coordinates and time.
    inside : bool, default False
        Whether the free side is the inside, as in a pipe.
    frame : ReferenceFrame, optional
        The frame in which the cylinder's material is at rest, which friction has to know; by default the one in which
        the axis is given. A roller that turns about its axis has its own.

    Raises
    ------
    TypeError
        If `point` is no SymPy `Point`, `axis` no `Vector`, `radius` no number or expression, or `inside` neither True
        nor False.
    ValueError
        If the axis is no unit vector, or the radius a number that is not positive and finite.

    Examples
    --------
    >>> N, O = ReferenceFrame("N"), Point("O")
    >>> Cylinder(O, N.x, 0.5, inside=True).name
    'O'
    """

    point: Point
    axis: Vector
    radius: Expr
    _: KW_ONLY
    inside: bool = False
    frame: ReferenceFrame | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.point, Point):
            raise TypeError(f"the point of a cylinder is a sympy Point; found {self.point!r}")
        if not isinstance(self.axis, Vector):
            raise TypeError(f"the axis of a cylinder is a sympy Vector such as N.z; found {self.axis!r}")
        if not isinstance(self.inside, bool):
            raise TypeError(f"inside of {self._title} is {self.inside!r}, expected True or False")
        read_unit_vector(self.axis, self._axis)
        cure = "; for the free side inside write inside=True"
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self._title}", cure))
        frames = [frame for _, frame in self.axis.args]
        if self.frame is None and len(frames) == 1:
            object.__setattr__(self, "frame", frames[0])
        read_frame(self.frame, self._title)

    @property
    def name(self) -> str:
        """The name of the point of the axis."""
        return self.point.name

    @property
    def _title(self) -> str:
        return f"the cylinder at '{self.point.name}'"

    @property
    def _axis(self) -> str:
        return f"the axis {self.axis} of {self._title}"

    def points(self) -> tuple[Point, ...]:
        """The point of the axis."""
        return (self.point,)

    def vectors(self) -> tuple[Vector, ...]:
        """The axis."""
        return (self.axis,)

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def measures(self) -> bool:
        """It does."""
        return True

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """g_N = |r| - R outside, R - |r| inside, with the vector r from the axis at right angles to it."""
        graph, radius = kinematics.graph, kinematics.read(self.radius)
        distance = length(graph, self._from_axis(kinematics, point))
        return graph.sub(radius, distance) if self.inside else graph.sub(distance, radius)

    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """Away from the axis; inside towards it."""
        outwards = unit(kinematics.graph, self._from_axis(kinematics, point))
        return [kinematics.graph.neg(part) for part in outwards] if self.inside else outwards

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The cylinder's own frame."""
        return () if self.frame is None else (self.frame,)

    def cannot_rub(self) -> str:
        """Where the axis is given in several frames, nobody knows which one the material belongs to."""
        if self.frame is not None:
            return ""
        return (
            f"the axis of {self._title} is given in several frames; say with frame= in which of them its material is at"
            " rest"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point, arm: list[int]) -> list[int]:
        """v_point + omega x (r_P + arm - r_point), and the growth of the radius outwards."""
        graph = kinematics.graph
        away = plus(graph, kinematics.position_between(self.point, point), arm)
        outwards = unit(graph, self._from_axis(kinematics, point))
        growth = scale(graph, kinematics.drift(kinematics.read(self.radius)), outwards)
        return plus(graph, carried(kinematics, self.point, self.frame, away), growth)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """An axis made of symbols, or given in several frames, can be measured at a state only."""
        return no_unit_vector(kinematics, self.axis, self._axis)

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """The radius."""
        return [Demand(kinematics.read(self.radius), f"the radius of {self._title}")]

    def _from_axis(self, kinematics: Kinematics, point: Point) -> list[int]:
        away = kinematics.position_between(self.point, point)
        return across(kinematics.graph, away, kinematics.vector(self.axis))
