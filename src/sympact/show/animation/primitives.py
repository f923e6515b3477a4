"""The shapes of bodies: they belong to SymPy's bodies, frames and points."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise, product

from matplotlib.colors import is_color_like, to_hex, to_rgb
from numpy.typing import NDArray
from sympy import Expr, S
from sympy.physics.mechanics import Particle, RigidBody
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.mechanics.present.geometry import Place
from sympact.mechanics.shapes.unilateral import read_expression
from sympact.show.animation.scene import FRONT, Disc, Face, Item, Stroke, Trail

__all__ = ["BLUE", "DARK", "EDGE", "Ball", "Box", "Line", "Polygon", "Rod", "Shape", "Trace", "check_colour", "solid"]

BLUE, EDGE, DARK, RED = "#7da7d9", "#27496d", "#333333", "#c8372d"
"""The default colours of shapes."""

_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""The corners of each side of a box, going round anticlockwise as seen from outside; corners count in binary."""


class Shape(ABC):
    """The interface of shapes: the positions and lengths that they need, and their items."""

    @abstractmethod
    def places(self) -> tuple[Place, ...]:
        """The positions in the model that it needs."""

    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that it needs."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The lengths that it needs (m)."""
        return ()

    def bent(self, points: NDArray, vectors: NDArray, lengths: NDArray) -> NDArray:
        """The points to draw, shape (k, n, 3), from those at its places and its vectors in k frames; by default these.

        `vectors` has the shape (k, m, 3), `lengths` the shape (l, k).
        """
        return points

    @abstractmethod
    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """Its items, with the numbers of its points in the scene and its lengths, shape (n, k) (m)."""

    @property
    def solid(self) -> bool:
        """Whether it hides what is behind it."""
        return False


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """A box whose edges are along the axes of a body or frame.

    Parameters
    ----------
    body : RigidBody or ReferenceFrame
    edges : sequence of three numbers or Expr
        The lengths of the edges along x, y and z of the frame (m).
    center : Point, optional
        The centre; by default the body's mass centre. A frame has none, so that it must be given.
    colour : str
        As matplotlib and browsers accept it, such as ``"#7da7d9"`` or ``"teal"``.

    Raises
    ------
    TypeError, ValueError
        If there is no body, frame or centre, or the edges are not three positive lengths.

    Examples
    --------
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import RigidBody
    >>> a = symbols("a")
    >>> Box(RigidBody("cube"), (a, a, 2 * a)).lengths()
    (a, a, 2*a)
    >>> Box(RigidBody("cube"), (a, a))
    Traceback (most recent call last):
        ...
    ValueError: a Box has three edges, along x, y and z of its frame; found 2: (a, a)
    """

    body: RigidBody | ReferenceFrame
    edges: tuple[Expr, Expr, Expr]
    _: KW_ONLY
    center: Point | None = None
    colour: str = BLUE

    def __post_init__(self) -> None:
        frame, centre = _frame_and_centre("Box", self.body, self.center)
        if centre is None:
            raise TypeError(f"Box({frame.name}, ...): a frame has no place; give the middle as center=Point")
        if not isinstance(self.edges, Sequence) or len(self.edges) != 3:
            count = len(self.edges) if isinstance(self.edges, Sequence) else type(self.edges).__name__
            raise ValueError(f"a Box has three edges, along x, y and z of its frame; found {count}: {self.edges!r}")
        object.__setattr__(self, "edges", tuple(_length(edge, "an edge of a Box") for edge in self.edges))
        check_colour("Box", self.colour)

    def places(self) -> tuple[Place, ...]:
        """The eight corners."""
        frame, centre = _frame_and_centre("Box", self.body, self.center)
        halves = [edge / 2 for edge in self.edges]
        return tuple(
            Place(centre, frame, tuple(sign * half for sign, half in zip(signs, halves, strict=True)))
            for signs in product((-1, 1), repeat=3)
        )

    def lengths(self) -> tuple[Expr, ...]:
        """The three edges."""
        return self.edges

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """Six sides, seen from outside."""
        sides = [tuple(points[corner] for corner in side) for side in _SIDES]
        return solid(sides, self.colour)

    @property
    def solid(self) -> bool:
        """A box is solid."""
        return True


@dataclass(frozen=True, eq=False)
class Ball(Shape):
    """A ball about a point; in a plane, a disc.

    Parameters
    ----------
    point : Point or Particle
    radius : number or Expr
        (m)
    colour : str

    Raises
    ------
    TypeError, ValueError
        If there is no point or no positive radius.

    Examples
    --------
    >>> from sympy.physics.mechanics import Point
    >>> Ball(Point("P"), 0)
    Traceback (most recent call last):
        ...
    ValueError: the radius of a Ball is 0, expected a positive length (m)
    """

    point: Point
    radius: Expr
    _: KW_ONLY
    colour: str = BLUE

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", _point(self.point, "the middle of a Ball"))
        object.__setattr__(self, "radius", _length(self.radius, "the radius of a Ball"))
        check_colour("Ball", self.colour)

    def places(self) -> tuple[Place, ...]:
        """The centre."""
        return (Place(self.point),)

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """A disc, which is the projection of a ball."""
        return [Disc(points[0], lengths[0], self.colour, 0.92, EDGE)]


@dataclass(frozen=True, eq=False)
class Rod(Shape):
    """A straight rod from one point to another.

    Parameters
    ----------
    start, end : Point
    width : number or Expr, optional
        Its thickness (m); without one it is a thick line.
    colour : str

    Raises
    ------
    TypeError, ValueError
        If an end is no point, or the width no positive length.

    Examples
    --------
    >>> from sympy.physics.mechanics import Point
    >>> Rod(Point("A"), Point("B"), 0.1).lengths()
    (0.100000000000000,)
    """

    start: Point
    end: Point
    width: Expr | None = None
    _: KW_ONLY
    colour: str = EDGE

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _point(self.start, "an end of a Rod"))
        object.__setattr__(self, "end", _point(self.end, "an end of a Rod"))
        if self.width is not None:
            object.__setattr__(self, "width", _length(self.width, "the width of a Rod"))
        check_colour("Rod", self.colour)

    def places(self) -> tuple[Place, ...]:
        """The ends."""
        return Place(self.start), Place(self.end)

    def lengths(self) -> tuple[Expr, ...]:
        """The width, where there is one."""
        return () if self.width is None else (self.width,)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """One broad line."""
        width = float(lengths[0, 0]) if len(lengths) else 0.0
        return [Stroke(tuple(points), self.colour, 3.5 if self.width is None else 1.0, width)]


@dataclass(frozen=True, eq=False)
class Line(Shape):
    """A thin line through points, straight from one to the next: a string, a spring, a sketch of a body.

    Parameters
    ----------
    *points : Point
    colour : str
    dashed : bool

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two, or one is no point.

    Examples
    --------
    >>> from sympy.physics.mechanics import Point
    >>> Line(Point("A"))
    Traceback (most recent call last):
        ...
    ValueError: a Line goes through two points or more; found 1
    """

    points: tuple[Point, ...]
    colour: str = DARK
    dashed: bool = False

    def __init__(self, *points: Point, colour: str = DARK, dashed: bool = False) -> None:
        if len(points) < 2:
            raise ValueError(f"a Line goes through two points or more; found {len(points)}")
        object.__setattr__(self, "points", tuple(_point(point, "a point of a Line") for point in points))
        object.__setattr__(self, "colour", colour)
        object.__setattr__(self, "dashed", bool(dashed))
        check_colour("Line", colour)

    def places(self) -> tuple[Place, ...]:
        """Its points."""
        return tuple(map(Place, self.points))

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """A line between each two, so that each has its own depth."""
        return [Stroke(ends, self.colour, 1.5, dashed=self.dashed) for ends in pairwise(points)]


@dataclass(frozen=True, eq=False)
class Polygon(Shape):
    """A filled flat figure that moves with a body or frame.

    Parameters
    ----------
    body : RigidBody or ReferenceFrame
    corners : sequence
        In their order around it; each a `Point`, or its distances (m) along x and y, or x, y and z, of the frame.
    origin : Point, optional
        The origin of these distances; by default the body's mass centre, and for a frame the model's origin.
    colour : str

    Raises
    ------
    TypeError, ValueError
        If there is no body or frame, or a corner is neither a point nor two or three distances.

    Examples
    --------
    >>> from sympy.physics.mechanics import RigidBody
    >>> Polygon(RigidBody("wedge"), [(0, 0), (2, 0)])
    Traceback (most recent call last):
        ...
    ValueError: a Polygon has three corners or more; found 2
    """

    body: RigidBody | ReferenceFrame
    corners: tuple
    _: KW_ONLY
    origin: Point | None = None
    colour: str = BLUE

    def __post_init__(self) -> None:
        frame, origin = _frame_and_centre("Polygon", self.body, self.origin)
        corners = tuple(self.corners)
        if len(corners) < 3:
            raise ValueError(f"a Polygon has three corners or more; found {len(corners)}")
        object.__setattr__(self, "corners", tuple(_corner(corner, frame, origin) for corner in corners))
        check_colour("Polygon", self.colour)

    def places(self) -> tuple[Place, ...]:
        """The corners."""
        return self.corners

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """One face, seen from both sides."""
        return [Face(tuple(points), self.colour, 0.92, edge=EDGE)]


@dataclass(frozen=True, eq=False)
class Trace(Shape):
    """The path of a point up to the time shown.

    Parameters
    ----------
    point : Point or Particle
    colour : str

    Raises
    ------
    TypeError
        If it is no point.
    """

    point: Point
    _: KW_ONLY
    colour: str = RED

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", _point(self.point, "what a Trace follows"))
        check_colour("Trace", self.colour)

    def places(self) -> tuple[Place, ...]:
        """The point."""
        return (Place(self.point),)

    def items(self, points: Sequence[int], lengths: NDArray) -> list[Item]:
        """A line that grows."""
        return [Trail(points[0], self.colour, layer=FRONT)]


def solid(sides: Sequence[tuple[int, ...]], colour: str) -> list[Item]:
    """The faces of a solid, in distinct tints of its colour; opposite ones of a box have the same."""
    tints = [tinted(colour, part) for part in (0.0, 0.18, 0.34)]
    return [Face(side, tints[i // 2 % 3], 0.95, outward=True, edge=EDGE) for i, side in enumerate(sides)]


def tinted(colour: str, part: float) -> str:
    """A colour mixed with a part of white.

    >>> tinted("#000000", 0.2)
    '#333333'
    """
    return to_hex([1 - (1 - part) * (1 - channel) for channel in to_rgb(colour)])


def _point(value: object, what: str) -> Point:
    if isinstance(value, Particle | RigidBody):
        return value.masscenter
    if not isinstance(value, Point):
        raise TypeError(f"{what} is a sympy Point or a body, whose mass centre it is then; found {value!r}")
    return value


def _frame_and_centre(kind: str, body: object, centre: Point | None) -> tuple[ReferenceFrame, Point | None]:
    if centre is not None and not isinstance(centre, Point):
        raise TypeError(f"the middle of a {kind} is a sympy Point; found {centre!r}")
    if isinstance(body, RigidBody):
        return body.frame, centre or body.masscenter
    if not isinstance(body, ReferenceFrame):
        raise TypeError(f"a {kind} is tied to a RigidBody or a ReferenceFrame, which turn; found {body!r}")
    return body, centre


def check_colour(kind: str, colour: object) -> None:
    """Refuse an object that is no colour."""
    if not is_color_like(colour):
        raise ValueError(f'the colour of a {kind} is {colour!r}; expected one such as "teal" or "#7da7d9"')


def _length(value: object, what: str) -> Expr:
    """A positive length as an expression."""
    length = read_expression(value, what)
    if length.is_number and not (length.is_real and 0 < float(length) < math.inf):
        raise ValueError(f"{what} is {value}, expected a positive length (m)")
    return length


def _corner(corner: object, frame: ReferenceFrame, origin: Point | None) -> Place:
    """A corner of a polygon as a place."""
    if isinstance(corner, Point):
        return Place(corner)
    if not isinstance(corner, Sequence) or len(corner) not in (2, 3):
        raise ValueError(f"a corner of a Polygon is a Point, or two or three distances; found {corner!r}")
    offset = [read_expression(part, "a distance to the corner of a Polygon") for part in corner]
    return Place(origin, frame, (*offset, *[S.Zero] * (3 - len(offset))))
