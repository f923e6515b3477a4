"""Planes, and points on any surface."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

from sympy import Expr, Matrix
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.contactor import Tip
from sympact.mechanics.shapes.pairs import ContactPair, contact_pair
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import read_name
from sympact.native.rounding import WRITTEN

__all__ = ["Plane", "no_unit_vector", "read_frame", "read_unit_vector"]


@contact_pair(Tip, Surface)
class PointOnSurface(ContactPair):
    """A point on any surface."""

    body: Tip

    def gap(self, motion: Motion) -> Scalar:
        """The gap of the surface at the point."""
        return self.surface.gap(motion, self.body.point)

    def normal(self, motion: Motion) -> Vector3:
        """The normal of the surface at the point."""
        return self.surface.normal_at(motion, self.body.point)

    def arm(self, motion: Motion) -> tuple[Point, Vector3]:
        """The point itself."""
        return self.body.point, motion.zero

    def velocity(self, motion: Motion) -> Vector3:
        """The velocity of the point."""
        return motion.velocity(self.body.point)

    def branches(self, motion: Motion) -> Branches:
        """The conditions of the surface at the point."""
        return self.surface.branches_at(motion, self.body.point)


@dataclass(frozen=True, eq=False)
class Plane(Surface):
    """A plane through a point, with a normal to the free side.

    Parameters
    ----------
    point : Point
        A point of the plane. It may move.
    normal : Vector
        The unit normal to the free side, given in any frame; the plane turns with that frame.
    frame : ReferenceFrame, optional
        The frame in which the plane's material is at rest, which friction needs; by default the one in which the normal
        is given. A belt is a plane whose point moves along it.
    name : str, optional
        The name in the default names of contacts; by default that of the point.

    Raises
    ------
    TypeError
        If `point` is no SymPy `Point`, `normal` no SymPy `Vector`, or `name` no text.
    ValueError
        If the normal is no unit vector.

    Examples
    --------
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, O = ReferenceFrame("N"), Point("O")
    >>> Plane(O, N.z).name, Plane(O, N.z, name="floor").name
    ('O', 'floor')
    >>> Plane(O, N.x + N.z)
    Traceback (most recent call last):
        ...
    ValueError: the normal N.x + N.z of the plane at 'O' has the length 1.41421, expected 1; divide it by its length, \
as normal.normalize() does
    """

    point: Point
    normal: Vector
    _: KW_ONLY
    frame: ReferenceFrame | None = None
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        if not isinstance(self.point, Point):
            raise TypeError(f"the point of a plane is a sympy Point; found {self.point!r}")
        if not isinstance(self.normal, Vector):
            raise TypeError(f"the normal of a plane is a sympy Vector such as N.z; found {self.normal!r}")
        read_unit_vector(self.normal, self._normal)
        frames = [frame for _, frame in self.normal.args]
        if self.frame is None and len(frames) == 1:
            object.__setattr__(self, "frame", frames[0])
        read_frame(self.frame, f"the plane at '{self.point.name}'")
        if self.name is None:
            object.__setattr__(self, "name", self.point.name)
        read_name(self.name, f"the plane at '{self.point.name}'")

    def points(self) -> tuple[Point, ...]:
        """The plane's own point."""
        return (self.point,)

    def vectors(self) -> tuple[Vector, ...]:
        """The normal."""
        return (self.normal,)

    def lengths(self) -> tuple[Expr, ...]:
        """A plane has no lengths."""
        return ()

    @property
    def measures(self) -> bool:
        """The gap is the distance everywhere."""
        return True

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """g_N = n . (r_P - r_plane)."""
        return motion.vector(self.normal).dot(motion.position_between(self.point, point))

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """The same everywhere."""
        return motion.vector(self.normal)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The plane's own frame."""
        return () if self.frame is None else (self.frame,)

    def why_no_friction(self) -> str:
        """Where the normal is given in several frames, the frame of the plane's material is ambiguous."""
        if self.frame is not None:
            return ""
        return (
            f"the normal of the plane at '{self.point.name}' is given in several frames; say with frame= in which of "
            "them its material is at rest"
        )

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_plane + omega x (r_P + arm - r_plane)."""
        away = motion.position_between(self.point, point) + arm
        return motion.carried(self.point, self.frame, away)

    def faults(self, motion: Motion) -> list[str]:
        """A normal made of symbols, or given in several frames, can be checked at a state only."""
        return no_unit_vector(motion, self.normal, self._normal)

    @property
    def _normal(self) -> str:
        return f"the normal {self.normal} of the plane at '{self.point.name}'"


def read_frame(frame: object, what: str) -> None:
    """Refuse an object that is no frame; None means that none is given."""
    if frame is not None and not isinstance(frame, ReferenceFrame):
        raise TypeError(f"the frame of {what} is {frame!r}, expected a sympy ReferenceFrame such as N")


def read_unit_vector(vector: Vector, what: str) -> None:
    """Refuse a vector whose length, if it is a number, is not 1."""
    length = _literal_length(vector)
    if length is not None and abs(length - 1) > WRITTEN:
        raise ValueError(_of_length(what, length))


def no_unit_vector(motion: Motion, vector: Vector, what: str) -> list[str]:
    """The sentence about a vector whose length at a random state is not 1."""
    length = math.hypot(*motion.sample(motion.vector(vector)))
    return [f"{_of_length(what, length)} (at a random state)"] if abs(length - 1) > WRITTEN else []


def _of_length(what: str, length: float) -> str:
    return f"{what} has the length {length:.6g}, expected 1; divide it by its length, as normal.normalize() does"


def _literal_length(vector: Vector) -> float | None:
    """The length of a vector of numbers in one frame, None when it is no number."""
    components = [component for components, _ in vector.args for component in Matrix(components)]
    if len(vector.args) > 1 or not all(component.is_number for component in components):
        return None
    return math.hypot(*map(float, components))
