"""Surfaces that points may touch but not pass."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from sympy import Expr, Matrix
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.algebra.linear import dot, plus, scale
from sympact.mechanics.kit.vectors import carried, unit
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.side import LEFT_OUT, Side
from sympact.mechanics.shapes.unilateral import Demand, read_length

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Plane", "Sphere", "Surface", "no_unit_vector", "read_frame", "read_unit_vector"]

_UNIT_TOLERANCE = 1e-12  # a unit normal written with 15 digits is off by up to 1e-15


class Surface(Side):
    """What the front-end has to know of a surface; all derivatives follow from the gap."""

    @property
    def measures(self) -> bool:
        """Whether the gap is the distance also where it is not zero."""
        return False

    @property
    def planar(self) -> bool:
        """Whether it is one of planar motions only."""
        return False

    @property
    def tells_distance(self) -> bool:
        """Whether `gap_of_ball` is the distance, as round bodies need it; it is where the gap itself is."""
        return self.measures

    @abstractmethod
    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """The node of the distance of a point from the surface (m), positive on the free side."""

    @abstractmethod
    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """The nodes of the unit normal to the free side, in N, at the place of the surface nearest to a point."""

    def gap_of_ball(self, kinematics: Kinematics, center: Point, radius: int) -> int:
        """The node of the distance of a point from the surface less a radius (m)."""
        return kinematics.graph.sub(self.gap(kinematics, center), radius)

    def normal_to_ball(self, kinematics: Kinematics, center: Point) -> list[int]:
        """The nodes of the unit normal to the free side, in N, where the surface is nearest to the middle of a ball."""
        return self.normal_at(kinematics, center)

    def cannot_rub(self) -> str:
        """Why friction on the surface cannot be told, as the second half of a sentence; empty where it can."""
        return (
            f"a {type(self).__name__} does not tell how its material moves; give the class the methods cannot_rub and "
            "velocity_at, or the contact friction=0"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point, arm: list[int]) -> list[int]:
        """The nodes of the velocity in N of the surface's material where it is touched: at `arm` (in N) from a point.

        Its part along the normal is such that the velocity of what touches, less this one, has the gap's rate along the
        normal.
        """
        raise NotImplementedError(self.cannot_rub())

    def branches_at(self, kinematics: Kinematics, point: Point) -> dict[tuple[int, int], tuple[str, str]]:
        """Short names for the conditions in the gap, as `Unilateral.branches` has them."""
        return {}

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """What has to be positive where a run starts."""
        return []

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
    frame : ReferenceFrame, optional
        The frame in which the plane's material is at rest, which friction has to know; by default the one in which the
        normal is given. A belt is a plane whose point moves along it.

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
    _: KW_ONLY
    frame: ReferenceFrame | None = None

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

    def lengths(self) -> tuple[Expr, ...]:
        """None: a plane has no size."""
        return ()

    @property
    def measures(self) -> bool:
        """It does."""
        return True

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """g_N = n . (r_P - r_plane)."""
        away = kinematics.position_between(self.point, point)
        return dot(kinematics.graph, kinematics.vector(self.normal), away)

    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """The same everywhere."""
        return kinematics.vector(self.normal)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The plane's own frame."""
        return () if self.frame is None else (self.frame,)

    def cannot_rub(self) -> str:
        """Where the normal is given in several frames, nobody knows which one the plane's material belongs to."""
        if self.frame is not None:
            return ""
        return (
            f"the normal of the plane at '{self.point.name}' is given in several frames; say with frame= in which of "
            "them its material is at rest"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point, arm: list[int]) -> list[int]:
        """v_plane + omega x (r_P + arm - r_plane)."""
        away = plus(kinematics.graph, kinematics.position_between(self.point, point), arm)
        return carried(kinematics, self.point, self.frame, away)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """A normal made of symbols, or given in several frames, can be measured at a state only."""
        return no_unit_vector(kinematics, self.normal, self._normal)

    @property
    def _normal(self) -> str:
        return f"the normal {self.normal} of the plane at '{self.point.name}'"


@dataclass(frozen=True, eq=False)
class Sphere(Surface, Contactor):
    """A sphere about a point; for points that move in a plane through its centre, a circle.

    As a surface its gap to a point is ``|r| - R`` outside and ``R - |r|`` inside, with the vector r from the centre. At
    the centre the distance has no derivative, so that no motion can start there. As the first argument of a `Contact`
    it is a ball that touches: planes, cylinders, capsules, implicit surfaces and other spheres.

    Parameters
    ----------
    center : Point
        The centre. It may move.
    radius : number or Expr
        The radius R (m), positive; may be an expression of parameters, coordinates and time.
    inside : bool, default False
        Whether the free side is the inside, as in a bowl or a drum.
    frame : ReferenceFrame, optional
        The frame in which the sphere's material is at rest, which friction has to know: that of its body, or the
        inertial frame for one that does not turn.
    name : str, optional
        The name in the default names of contacts; by default that of the centre.

    Raises
    ------
    TypeError
        If `center` is no SymPy `Point`, `radius` no number or expression, or `inside` neither True nor False.
    ValueError
        If the radius is a number that is not positive and finite.

    Examples
    --------
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import Point
    >>> Sphere(Point("O"), symbols("R"), inside=True).name
    'O'
    >>> Sphere(Point("O"), -2)
    Traceback (most recent call last):
        ...
    ValueError: the radius of the sphere about 'O' is -2, expected a positive length; for the free side inside write \
inside=True
    """

    center: Point
    radius: Expr
    _: KW_ONLY
    inside: bool = False
    frame: ReferenceFrame | None = None
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        if not isinstance(self.center, Point):
            raise TypeError(f"the center of a sphere is a sympy Point; found {self.center!r}")
        if self.name is None:
            object.__setattr__(self, "name", self.center.name)
        if not isinstance(self.inside, bool):
            raise TypeError(f"inside of {self._title} is {self.inside!r}, expected True or False")
        read_frame(self.frame, self._title)
        cure = "; for the free side inside write inside=True"
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self._title}", cure))

    @property
    def _title(self) -> str:
        return f"the sphere about '{self.name}'"

    def points(self) -> tuple[Point, ...]:
        """The centre."""
        return (self.center,)

    def vectors(self) -> tuple[Vector, ...]:
        """None: a sphere looks the same from everywhere."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def measures(self) -> bool:
        """It does."""
        return True

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """g_N = |r_P - r_centre| - R outside, R - |r_P - r_centre| inside."""
        graph = kinematics.graph
        away = kinematics.position_between(self.center, point)
        distance, radius = graph.call("sqrt", dot(graph, away, away)), kinematics.read(self.radius)
        return graph.sub(radius, distance) if self.inside else graph.sub(distance, radius)

    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """Away from the centre; inside towards it."""
        start, end = (point, self.center) if self.inside else (self.center, point)
        return unit(kinematics.graph, kinematics.position_between(start, end))

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The sphere's own frame."""
        return () if self.frame is None else (self.frame,)

    def cannot_rub(self) -> str:
        """Without a frame nobody knows whether the sphere turns."""
        if self.frame is not None:
            return ""
        return (
            f"{self._title} does not say in which frame its material is at rest; give it frame=, the frame of its body,"
            " or the inertial frame"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point, arm: list[int]) -> list[int]:
        """v_centre + omega x (r_P + arm - r_centre), and the growth of the radius outwards."""
        graph, radius = kinematics.graph, kinematics.read(self.radius)
        away = plus(graph, kinematics.position_between(self.center, point), arm)
        growth = scale(graph, kinematics.drift(radius), unit(graph, away))
        return plus(graph, carried(kinematics, self.center, self.frame, away), growth)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """None."""
        return []

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """The radius: one made of symbols depends on the numbers of a run."""
        return [Demand(kinematics.read(self.radius), f"the radius of {self._title}")]

    def cannot_touch(self, surface: Surface) -> str:
        """A ball has to know its distance from a surface, not only whether it is zero."""
        if self.inside:
            return f"{self._title} is hollow (inside=True), and a hollow sphere touches nothing; leave inside out"
        if surface.tells_distance:
            return ""
        return (
            f"the gap of the {type(surface).__name__} '{surface.name}' is a distance only where it is zero, but "
            f"{self._title} has to touch it at the distance of its radius; write the surface that the centre may not "
            f"pass, and let the point '{self.center.name}' touch it"
        )

    def gap_to(self, kinematics: Kinematics, surface: Surface) -> int:
        """The distance of the centre less the radius."""
        return surface.gap_of_ball(kinematics, self.center, kinematics.read(self.radius))

    def branches_to(self, kinematics: Kinematics, surface: Surface) -> dict[tuple[int, int], tuple[str, str]]:
        """Those of the surface at the centre."""
        return surface.branches_at(kinematics, self.center)

    def normal_of(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """The surface's normal where it is nearest to the centre."""
        return surface.normal_to_ball(kinematics, self.center)

    def arm_to(self, kinematics: Kinematics, surface: Surface) -> tuple[Point, list[int]]:
        """From the centre by the radius against the normal."""
        back = kinematics.graph.neg(kinematics.read(self.radius))
        return self.center, scale(kinematics.graph, back, self.normal_of(kinematics, surface))

    def velocity_to(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """v_centre + omega x arm, and the growth of the radius outwards."""
        graph, (_, arm) = kinematics.graph, self.arm_to(kinematics, surface)
        growth = graph.neg(kinematics.drift(kinematics.read(self.radius)))
        outwards = scale(graph, growth, self.normal_of(kinematics, surface))
        return plus(graph, carried(kinematics, self.center, self.frame, arm), outwards)


def read_frame(frame: object, what: str) -> None:
    """Refuse what is no frame; None is one that is not given."""
    if frame is not None and not isinstance(frame, ReferenceFrame):
        raise TypeError(f"the frame of {what} is {frame!r}, expected a sympy ReferenceFrame such as N")


def read_unit_vector(vector: Vector, what: str) -> None:
    """Refuse a vector whose length, as far as numbers tell it, is not 1."""
    length = _literal_length(vector)
    if length is not None and abs(length - 1) > _UNIT_TOLERANCE:
        raise ValueError(_of_length(what, length))


def no_unit_vector(kinematics: Kinematics, vector: Vector, what: str) -> list[str]:
    """The sentence about a vector whose length at a random state is not 1."""
    length = math.hypot(*kinematics.sample(kinematics.vector(vector)))
    return [f"{_of_length(what, length)} (at a random state)"] if abs(length - 1) > _UNIT_TOLERANCE else []


def _of_length(what: str, length: float) -> str:
    return f"{what} has the length {length:.6g}, expected 1; divide it by its length, as normal.normalize() does"


def _literal_length(vector: Vector) -> float | None:
    """The length of a vector of numbers in one frame, None when a number cannot be told."""
    components = [component for components, _ in vector.args for component in Matrix(components)]
    if len(vector.args) > 1 or not all(component.is_number for component in components):
        return None
    return math.hypot(*map(float, components))
