"""Surfaces that points may touch but not pass."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from sympy import Expr, Matrix, SympifyError, sstr, sympify
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.linear import cross, dot, minus, plus

if TYPE_CHECKING:
    from sympact.mechanics.kinematics import Kinematics

__all__ = ["Plane", "Sphere", "Surface", "read_expression"]

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
    def lengths(self) -> tuple[Expr, ...]:
        """The lengths that give it its size (m)."""

    @abstractmethod
    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """The node of the distance of a point from the surface (m), positive on the free side."""

    @abstractmethod
    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """The nodes of the unit normal to the free side, in N, at the place of the surface nearest to a point."""

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames in which its material is at rest, where friction asks for them."""
        return ()

    def cannot_rub(self) -> str:
        """Why friction on the surface cannot be told, as the second half of a sentence; empty where it can."""
        return (
            f"a {type(self).__name__} does not tell how its material moves; give the class the methods cannot_rub and "
            "velocity_at, or the contact friction=0"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """The nodes of the velocity in N of the surface's material at the place nearest to a point."""
        raise NotImplementedError(self.cannot_rub())

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
        length = _literal_length(self.normal)
        if length is not None and abs(length - 1) > _UNIT_TOLERANCE:
            raise ValueError(self._no_unit_normal(length))
        frames = [frame for _, frame in self.normal.args]
        if self.frame is None and len(frames) == 1:
            object.__setattr__(self, "frame", frames[0])
        _check_frame(self.frame, f"the plane at '{self.point.name}'")

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

    def velocity_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """v_plane + omega x (r_P - r_plane)."""
        arm = kinematics.position_between(self.point, point)
        return _carried(kinematics, self.point, self.frame, arm)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """A normal made of symbols, or given in several frames, can be measured at a state only."""
        length = math.hypot(*kinematics.sample(kinematics.vector(self.normal)))
        return [f"{self._no_unit_normal(length)} (at a random state)"] if abs(length - 1) > _UNIT_TOLERANCE else []

    def _no_unit_normal(self, length: float) -> str:
        return (
            f"the normal {self.normal} of the plane at '{self.point.name}' has the length {length:.6g}, expected 1; "
            "divide it by its length, as normal.normalize() does"
        )


@dataclass(frozen=True, eq=False)
class Sphere(Surface):
    """A sphere about a point; for points that move in a plane through its centre, a circle.

    The gap is ``|r| - R`` outside and ``R - |r|`` inside, with the vector r from the centre. At the centre the distance
    has no derivative, so that no motion can start there.

    Parameters
    ----------
    center : Point
        The centre. It may move.
    radius : number or Expr
        The radius R (m), positive; may be an expression of parameters, coordinates and time.
    inside : bool, default False
        Whether the free side is the inside, as in a bowl or a drum.
    frame : ReferenceFrame, optional
        The frame in which the sphere's material is at rest, which friction has to know; the inertial frame for one that
        does not turn.
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
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.center, Point):
            raise TypeError(f"the center of a sphere is a sympy Point; found {self.center!r}")
        if self.name is None:
            object.__setattr__(self, "name", self.center.name)
        if not isinstance(self.inside, bool):
            raise TypeError(f"inside of the sphere about '{self.name}' is {self.inside!r}, expected True or False")
        _check_frame(self.frame, f"the sphere about '{self.name}'")
        radius = read_expression(self.radius, f"the radius of the sphere about '{self.name}'")
        object.__setattr__(self, "radius", radius)
        if self.radius.is_number and not (self.radius.is_real and 0 < float(self.radius) < math.inf):
            raise ValueError(
                f"the radius of the sphere about '{self.name}' is {sstr(self.radius, full_prec=False)}, expected a "
                "positive length; for the free side inside write inside=True"
            )

    def points(self) -> tuple[Point, ...]:
        """The centre."""
        return (self.center,)

    def vectors(self) -> tuple[Vector, ...]:
        """None: a sphere looks the same from everywhere."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """g_N = |r_P - r_centre| - R outside, R - |r_P - r_centre| inside."""
        graph = kinematics.graph
        away = kinematics.position_between(self.center, point)
        distance, radius = graph.call("sqrt", dot(graph, away, away)), kinematics.read(self.radius)
        return graph.sub(radius, distance) if self.inside else graph.sub(distance, radius)

    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """Away from the centre; inside towards it."""
        graph = kinematics.graph
        start, end = (point, self.center) if self.inside else (self.center, point)
        away = kinematics.position_between(start, end)
        return [graph.div(part, graph.call("sqrt", dot(graph, away, away))) for part in away]

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The sphere's own frame."""
        return () if self.frame is None else (self.frame,)

    def cannot_rub(self) -> str:
        """Without a frame nobody knows whether the sphere turns."""
        if self.frame is not None:
            return ""
        return (
            f"the sphere about '{self.name}' does not say in which frame its material is at rest; give it frame=, the "
            "frame of its body, or the inertial frame"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """v_centre + omega x R n."""
        graph, radius = kinematics.graph, kinematics.read(self.radius)
        outward = minus(graph, [graph.zero] * 3, self.normal_at(kinematics, point)) if self.inside else None
        outward = outward or self.normal_at(kinematics, point)
        arm = [graph.mul(radius, part) for part in outward]
        growth = [graph.mul(kinematics.drift(radius), part) for part in outward]
        return plus(graph, _carried(kinematics, self.center, self.frame, arm), growth)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """None: a radius made of symbols depends on the numbers of a run."""
        return []


def read_expression(value: object, what: str) -> Expr:
    """A number or expression as SymPy has it; `what` says in a `TypeError` what it was meant for."""
    try:
        expression = sympify(value, strict=True)
    except SympifyError:
        expression = None
    if not isinstance(expression, Expr):
        raise TypeError(f"{what} is a number or a sympy expression; found {value!r}")
    return expression


def _check_frame(frame: object, what: str) -> None:
    if frame is not None and not isinstance(frame, ReferenceFrame):
        raise TypeError(f"the frame of {what} is {frame!r}, expected a sympy ReferenceFrame such as N")


def _carried(kinematics: Kinematics, point: Point, frame: ReferenceFrame, arm: list[int]) -> list[int]:
    """The velocity of what moves with a frame, at a vector `arm` (in N) from a point that does so too."""
    graph = kinematics.graph
    return plus(graph, kinematics.velocity(point), cross(graph, kinematics.spin(frame), arm))


def _literal_length(vector: Vector) -> float | None:
    """The length of a vector of numbers in one frame, None when a number cannot be told."""
    components = [component for components, _ in vector.args for component in Matrix(components)]
    if len(vector.args) > 1 or not all(component.is_number for component in components):
        return None
    return math.hypot(*map(float, components))
