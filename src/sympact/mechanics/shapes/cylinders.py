"""Cylinders."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.planes import no_unit_vector, read_frame, read_unit_vector
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Precondition, read_length, read_name

__all__ = ["Cylinder"]


@dataclass(frozen=True, eq=False)
class Cylinder(Surface):
    """A circular cylinder without ends, about an axis through a point.

    The gap is the distance from the axis less the radius, inside the radius less the distance. On the axis the distance
    has no derivative: a start there is refused, one beside it, by any distance, is not.

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
        The frame in which the cylinder's material is at rest, which friction needs; by default the one in which the
        axis is given. A roller that rotates about its axis has its own.
    name : str, optional
        The name in the default names of contacts; by default that of the point.

    Raises
    ------
    TypeError
        If `point` is no SymPy `Point`, `axis` no `Vector`, `radius` no number or expression, `inside` neither True
        nor False, or `name` no text.
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
    name: str = LEFT_OUT

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
        if self.name is None:
            object.__setattr__(self, "name", self.point.name)
        read_name(self.name, self._title)

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
        """The gap is the distance everywhere."""
        return True

    @property
    def middle(self) -> str:
        """The axis."""
        return f"the axis of {self._title}"

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """g_N = |r| - R outside, R - |r| inside, with the vector r from the axis at right angles to it."""
        radius, distance = motion.read(self.radius), self._from_axis(motion, point).norm
        return radius - distance if self.inside else distance - radius

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """Away from the axis; inside towards it."""
        outwards = self._from_axis(motion, point).unit
        return -outwards if self.inside else outwards

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The cylinder's own frame."""
        return () if self.frame is None else (self.frame,)

    def why_no_friction(self) -> str:
        """Where the axis is given in several frames, the frame of the material is ambiguous."""
        if self.frame is not None:
            return ""
        return (
            f"the axis of {self._title} is given in several frames; say with frame= in which of them its material is at"
            " rest"
        )

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_point + omega x (r_P + arm - r_point), and the outward growth rate of the radius."""
        away = motion.position_between(self.point, point) + arm
        outwards = self._from_axis(motion, point).unit
        growth = motion.drift(motion.read(self.radius))
        return motion.carried(self.point, self.frame, away) + growth * outwards

    def faults(self, motion: Motion) -> list[str]:
        """An axis made of symbols, or given in several frames, can be checked at a state only."""
        return no_unit_vector(motion, self.axis, self._axis)

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The radius."""
        return [Precondition(motion.read(self.radius), f"the radius of {self._title}")]

    def _from_axis(self, motion: Motion, point: Point) -> Vector3:
        """The vector from the axis to a point, at right angles to it."""
        return motion.position_between(self.point, point).across(motion.vector(self.axis))
