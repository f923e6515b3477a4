"""Convex polygons in planar motion: edges for contacts of points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import reduce
from itertools import pairwise

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3, maximum, where
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.contact import Contact
from sympact.mechanics.shapes.planes import no_unit_vector, read_unit_vector
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Precondition

__all__ = ["ConvexPolygon", "polygon_contacts"]


@dataclass(frozen=True, eq=False)
class ConvexPolygon(Surface):
    """A convex polygon whose edges are touched by points that move in its plane.

    The gap is the largest of the distances from the lines through the edges, each positive outside: zero on the edges,
    negative inside, and never more than the distance. The active edge changes during the motion, as an event of the
    kind "switch". `polygon_contacts` makes the contacts of the corners of one polygon with the edges of another, both
    ways.

    Parameters
    ----------
    corners : sequence of Point
        Three or more points of one body, anticlockwise as seen against `axis`.
    axis : Vector
        The unit vector at right angles to the plane of the motion, such as N.z.
    frame : ReferenceFrame
        The frame of the body, in which the corners are fixed.
    name : str, optional
        The name in the default names of contacts; by default those of the corners.

    Raises
    ------
    TypeError
        If a corner is no SymPy `Point`, `axis` no `Vector`, or `frame` no `ReferenceFrame`.
    ValueError
        If there are fewer than three corners, or the axis is no unit vector. Clockwise corners and polygons that are
        not convex are refused at the start of a run.

    Examples
    --------
    >>> B = ReferenceFrame("B")
    >>> ConvexPolygon([Point(name) for name in "PQR"], B.z, B).name
    'P-Q-R'
    """

    corners: Sequence[Point]
    axis: Vector
    frame: ReferenceFrame
    _: KW_ONLY
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        corners = tuple(self.corners) if isinstance(self.corners, Sequence) else (self.corners,)
        object.__setattr__(self, "corners", corners)
        for corner in corners:
            if not isinstance(corner, Point):
                raise TypeError(f"a corner of a convex polygon is a sympy Point; found {corner!r}")
        if len(corners) < 3:
            raise ValueError(f"a convex polygon has three corners or more; found {len(corners)}")
        if self.name is None:
            object.__setattr__(self, "name", "-".join(corner.name for corner in corners))
        if not isinstance(self.axis, Vector):
            raise TypeError(f"the axis of {self._title} is a sympy Vector such as N.z; found {self.axis!r}")
        read_unit_vector(self.axis, self._axis)
        if not isinstance(self.frame, ReferenceFrame):
            raise TypeError(
                f"the frame of {self._title} is {self.frame!r}, expected the sympy ReferenceFrame of its body"
            )

    @property
    def _title(self) -> str:
        return f"the polygon '{self.name}'"

    @property
    def _axis(self) -> str:
        return f"the axis {self.axis} of {self._title}"

    @property
    def planar(self) -> bool:
        """Polygons are planar."""
        return True

    def points(self) -> tuple[Point, ...]:
        """The corners."""
        return tuple(self.corners)

    def vectors(self) -> tuple[Vector, ...]:
        """The axis, and one of the frame in which the corners are measured."""
        return (self.axis, self.frame.x)

    def lengths(self) -> tuple[Expr, ...]:
        """A polygon has no lengths."""
        return ()

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """The largest distance from an edge's line."""
        return reduce(maximum, self._distances(motion, point))

    def branches_at(self, motion: Motion, point: Point) -> Branches:
        """For each edge but the first, whether its distance is larger than those of all edges before."""
        distances = self._distances(motion, point)
        best = distances[0]
        names: Branches = {}
        for k, distance in enumerate(distances[1:], start=1):
            edge = f"{self.corners[k].name}-{self.corners[(k + 1) % len(self.corners)].name}"
            names[best, distance] = (f"{point.name} not off {edge}", f"{point.name} off {edge}")
            best = maximum(best, distance)
        return names

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """The normal of the edge with the largest distance."""
        distances, normals = self._distances(motion, point), self._normals(motion)
        best, normal = distances[0], normals[0]
        for distance, other in zip(distances[1:], normals[1:], strict=True):
            normal = where(best < distance, other, normal)
            best = maximum(best, distance)
        return motion.turn(normal, self.frame, motion.frame)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frame of its body."""
        return (self.frame,)

    def why_no_friction(self) -> str:
        """Friction is determined."""
        return ""

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_corner + omega x (r_P + arm - r_corner)."""
        away = motion.position_between(self.corners[0], point) + arm
        return motion.carried(self.corners[0], self.frame, away)

    def faults(self, motion: Motion) -> list[str]:
        """An axis made of symbols, or given in several frames, can be checked at a state only."""
        return no_unit_vector(motion, self.axis, self._axis)

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The boundary turns left at each corner."""
        axis, edges = motion.vector_in(self.axis, self.frame), self._edges(motion)
        turns = [axis.dot(a.cross(b)) for a, b in pairwise([*edges, edges[0]])]
        cure = "; the corners of a convex polygon go anticlockwise round its axis"
        return [
            Precondition(
                turn, f"the turn (axis . edge x next edge, m^2) at the corner '{corner.name}' of {self._title}", cure
            )
            for turn, corner in zip(turns, (*self.corners[1:], self.corners[0]), strict=True)
        ]

    def _edges(self, motion: Motion) -> list[Vector3]:
        """From each corner to the next, components in the frame."""
        around = pairwise([*self.corners, self.corners[0]])
        return [motion.position_in(start, end, self.frame) for start, end in around]

    def _normals(self, motion: Motion) -> list[Vector3]:
        """The outward unit normal of each edge, components in the frame."""
        axis = motion.vector_in(self.axis, self.frame)
        return [edge.cross(axis).unit for edge in self._edges(motion)]

    def _distances(self, motion: Motion, point: Point) -> list[Scalar]:
        """The distance of a point from the line of each edge, positive outside."""
        first = self.corners[0]
        place = motion.position_in(first, point, self.frame)
        corners = [motion.position_in(first, corner, self.frame) for corner in self.corners]
        return [normal.dot(place - corner) for normal, corner in zip(self._normals(motion), corners, strict=True)]


def polygon_contacts(
    one: ConvexPolygon,
    other: ConvexPolygon,
    *,
    restitution: Expr,
    friction: Expr,
    static_friction: Expr | None = None,
) -> list[Contact]:
    """The contacts of two polygons of one plane: the corners of each against the edges of the other.

    Parameters
    ----------
    one, other : ConvexPolygon
    restitution, friction, static_friction : number or Expr
        The coefficients of all contacts, as for a `Contact`.

    Returns
    -------
    list of Contact
        First the corners of `one` on `other`, then the corners of `other` on `one`.

    Raises
    ------
    TypeError
        If one of them is no `ConvexPolygon`.

    Examples
    --------
    >>> A, B = ReferenceFrame("A"), ReferenceFrame("B")
    >>> left = ConvexPolygon([Point(name) for name in "PQR"], A.z, A)
    >>> right = ConvexPolygon([Point(name) for name in "UVW"], B.z, B)
    >>> [contact.name for contact in polygon_contacts(left, right, restitution=0, friction=0)][2:4]
    ['R on U-V-W', 'U on P-Q-R']
    """
    for polygon in (one, other):
        if not isinstance(polygon, ConvexPolygon):
            raise TypeError(f"polygon_contacts is for two ConvexPolygon objects; found {polygon!r}")
    settings = {"restitution": restitution, "friction": friction, "static_friction": static_friction}
    pairs = [(corner, other) for corner in one.corners] + [(corner, one) for corner in other.corners]
    return [Contact(corner, polygon, **settings) for corner, polygon in pairs]
