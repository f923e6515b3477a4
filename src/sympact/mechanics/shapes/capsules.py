"""Bars with round ends."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3, maximum, minimum
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.nearest.segments import Clamped, NearestOfBars, Touching, nearest_to_bar, nearest_to_line
from sympact.mechanics.shapes.contactor import Round
from sympact.mechanics.shapes.cylinders import Cylinder
from sympact.mechanics.shapes.implicit import Implicit
from sympact.mechanics.shapes.pairs import contact_pair
from sympact.mechanics.shapes.planes import Plane, read_frame
from sympact.mechanics.shapes.side import Side
from sympact.mechanics.shapes.spheres import RoundOnSurface, Sphere
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Precondition, read_length

__all__ = ["Capsule"]


@dataclass(frozen=True, eq=False)
class Capsule(Surface, Round):
    """A bar with round ends: all points within the radius of the segment from A to B; in the plane, a stadium.

    As a surface it may be touched by points, balls, the rims of discs and other capsules. As the first argument of a
    `Contact` it touches the outside of a `Sphere` or a `Cylinder`, another capsule, and an `Implicit` surface, at one
    point: between its ends or at one of them. It can touch a plane, the inside of a sphere or that of a cylinder with
    both ends at once: make two contacts, one for each of its `ends`; so too for a hollow of an implicit surface.

    Where a bar is parallel to a cylinder or to another bar, all points side by side are equally close, and the contact
    is at the middle of the first one's. A bar that is to rest there needs two contacts with its `ends`, too.

    Parameters
    ----------
    start, end : Point
        A and B, two points of one body.
    radius : number or Expr
        R (m), positive; may be an expression of parameters, coordinates and time.
    The frame of the body, which friction needs.
        The frame of the body, which friction needs.

    Raises
    ------
    TypeError
        If an end is no SymPy `Point`, or the radius no number or expression.
    ValueError
        If the radius is a number that is not positive and finite.

    Examples
    --------
    >>> from sympact import Contact, Plane
    >>> N, A, B = ReferenceFrame("N"), Point("A"), Point("B")
    >>> bar, floor = Capsule(A, B, 0.1, frame=N), Plane(Point("O"), N.z)
    >>> [Contact(end, floor, restitution=0, friction=0).name for end in bar.ends]
    ['A on O', 'B on O']
    """

    start: Point
    end: Point
    radius: Expr
    _: KW_ONLY
    frame: ReferenceFrame | None = None

    def __post_init__(self) -> None:
        for point in (self.start, self.end):
            if not isinstance(point, Point):
                raise TypeError(f"the end of a capsule is a sympy Point; found {point!r}")
        read_frame(self.frame, self.title)
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self.title}"))

    @property
    def name(self) -> str:
        """The names of its points."""
        return f"{self.start.name}-{self.end.name}"

    @property
    def title(self) -> str:
        """The kind of shape and its name."""
        return f"the capsule '{self.name}'"

    @property
    def ends(self) -> tuple[Sphere, Sphere]:
        """Its two ends as balls."""
        return Sphere(self.start, self.radius, frame=self.frame), Sphere(self.end, self.radius, frame=self.frame)

    def points(self) -> tuple[Point, ...]:
        """Its two points."""
        return (self.start, self.end)

    def vectors(self) -> tuple[Vector, ...]:
        """A capsule has no vectors."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def measures(self) -> bool:
        """The gap is the distance everywhere."""
        return True

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """The distance from the segment less the radius."""
        return self._from_segment(motion, point).norm - motion.read(self.radius)

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """Away from the closest point of the segment."""
        return self._from_segment(motion, point).unit

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frame of its body."""
        return () if self.frame is None else (self.frame,)

    def why_no_friction(self) -> str:
        """Without a frame the rotation of the material is unknown."""
        if self.frame is not None:
            return ""
        return (
            f"{self.title} does not say in which frame its material is at rest; give it frame=, the frame of its body"
        )

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_A + omega x (r_P + arm - r_A), and the outward growth rate of the radius."""
        away = motion.position_between(self.start, point) + arm
        growth = motion.drift(motion.read(self.radius))
        return motion.carried(self.start, self.frame, away) + growth * self.normal_at(motion, point)

    def faults(self, motion: Motion) -> list[str]:
        """None: a capsule has no vectors."""
        return []

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The radius, and the distance of its points."""
        apart = self.whole(motion).norm
        return [
            Precondition(motion.read(self.radius), f"the radius of {self.title}"),
            Precondition(apart, f"the distance of the two points of {self.title}", "; for one point use a Sphere"),
        ]

    def whole(self, motion: Motion) -> Vector3:
        """The vector from A to B."""
        return motion.position_between(self.start, self.end)

    def branches_at(self, motion: Motion, point: Point) -> Branches:
        """Before A, between the two, or past B."""
        part = self._part(motion, point)
        start, end = (f"{point.name} before {corner.name}" for corner in self.points())
        return {
            (0, minimum(part, 1)): (start, start.replace(" before ", " past ")),
            (part, 1): (end.replace(" before ", " past "), end),
        }

    def sides(self, name: str) -> list[tuple[str, str]]:
        """Names of the conditions past the start or not, before the end or not, of the point called `name`."""
        sides = ((self.start, "past", "before"), (self.end, "before", "past"))
        return [(f"{name} {a} {end.name}", f"{name} {b} {end.name}") for end, a, b in sides]

    def foot(self, motion: Motion, point: Point) -> Vector3:
        """From A to the point of the segment that is closest to a point."""
        return maximum(0, minimum(self._part(motion, point), 1)) * self.whole(motion)

    def cannot_touch(self, surface: Side) -> str:
        """The surfaces that it supports."""
        return (
            f"{self.title} touches Spheres, Cylinders, Capsules and Implicit surfaces, and with the balls of its .ends"
            f" planes and hollow surfaces; it cannot touch the {type(surface).__name__} '{surface.name}'"
        )

    def _part(self, motion: Motion, point: Point) -> Scalar:
        """The position along the segment, from A (0) to B (1), of a point."""
        whole, away = self.whole(motion), motion.position_between(self.start, point)
        return away.dot(whole) / whole.dot(whole)

    def _from_segment(self, motion: Motion, point: Point) -> Vector3:
        return motion.position_between(self.start, point) - self.foot(motion, point)


class BarOnSurface(RoundOnSurface):
    """A bar touches a surface as a ball does at the closest point of its segment."""

    body: Capsule

    @abstractmethod
    def foot(self, motion: Motion) -> Vector3:
        """From A to the point of the segment that is closest to the surface."""

    def place(self, motion: Motion) -> Point:
        """The closest point of the segment, as a point of the motion."""
        bar = self.body
        return motion.once((bar, self.surface), lambda: motion.beside(bar.start, self.foot(motion), bar.name))

    def carrier(self) -> Point:
        """A."""
        return self.body.start

    def with_both_ends(self) -> str:
        """The sentence about a surface to which two points of the bar may be equally close."""
        kind = type(self.surface).__name__
        return (
            f"{self.body.title} can touch the {kind} '{self.surface.name}' with both ends at once; make two contacts, "
            "one for each ball of its .ends"
        )


@contact_pair(Capsule, Plane)
class BarOnPlane(BarOnSurface):
    """A bar that lies on a plane touches along its length: it has no unique contact point."""

    surface: Plane

    def cannot_touch(self) -> str:
        """Refuses: both ends may touch at once."""
        return self.with_both_ends()

    def foot(self, motion: Motion) -> Vector3:
        """Refuses: the closest point is not unique."""
        raise ValueError(self.with_both_ends())


@contact_pair(Capsule, Sphere)
class BarOnSphere(BarOnSurface):
    """A bar on the outside of a sphere."""

    surface: Sphere

    def cannot_touch(self) -> str:
        """Refuses a hollow sphere, which both ends may touch at once."""
        return self.with_both_ends() if self.surface.inside else ""

    def foot(self, motion: Motion) -> Vector3:
        """The position where the segment is closest to the centre."""
        return self.body.foot(motion, self.surface.center)

    def branches(self, motion: Motion) -> Branches:
        """The conditions on the position of the centre along the segment."""
        return self.body.branches_at(motion, self.surface.center)


@contact_pair(Capsule, Cylinder)
class BarOnCylinder(BarOnSurface):
    """A bar on the outside of a cylinder."""

    surface: Cylinder

    def cannot_touch(self) -> str:
        """Refuses a pipe, which both ends may touch at once."""
        return self.with_both_ends() if self.surface.inside else ""

    def foot(self, motion: Motion) -> Vector3:
        """The position where the segment is closest to the axis."""
        return self._along(motion).part * self.body.whole(motion)

    def branches(self, motion: Motion) -> Branches:
        """The conditions on the position of the closest point."""
        return self._along(motion).branches(*self.body.sides(self.surface.name))

    def _along(self, motion: Motion) -> Clamped:
        away = motion.position_between(self.surface.point, self.body.start)
        return nearest_to_line(self.body.whole(motion), away, motion.vector(self.surface.axis))


@contact_pair(Capsule, Capsule)
class BarOnBar(BarOnSurface):
    """Two bars with round ends."""

    surface: Capsule

    def foot(self, motion: Motion) -> Vector3:
        """The position where the first segment is closest to the second."""
        part, _ = self._nearest(motion).parts
        return part * self.body.whole(motion)

    def gap(self, motion: Motion) -> Scalar:
        """The distance of the segments less both radii."""
        return self._apart(motion).norm - (motion.read(self.body.radius) + motion.read(self.surface.radius))

    def normal(self, motion: Motion) -> Vector3:
        """From the closest point of the second segment to that of the first."""
        return self._apart(motion).unit

    def branches(self, motion: Motion) -> Branches:
        """The conditions on the positions along both segments."""
        found, sides = self._nearest(motion), self.body.sides(self.surface.name)
        again = [(f"the end of {before}", f"the end of {past}") for before, past in sides]
        theirs = found.theirs.branches(*self.surface.sides(self.body.name))
        return found.free.branches(*sides) | theirs | found.again.branches(*again)

    def _nearest(self, motion: Motion) -> NearestOfBars:
        away = motion.position_between(self.surface.start, self.body.start)
        return nearest_to_bar(self.body.whole(motion), away, self.surface.whole(motion))

    def _apart(self, motion: Motion) -> Vector3:
        _, theirs = self._nearest(motion).parts
        across = motion.position_between(self.surface.start, self.place(motion))
        return across - theirs * self.surface.whole(motion)


@contact_pair(Capsule, Implicit)
class BarOnImplicit(BarOnSurface):
    """A bar on a surface phi = 0."""

    surface: Implicit

    def foot(self, motion: Motion) -> Vector3:
        """The position where the distance along the segment is least."""
        return self._touching(motion).part * self.body.whole(motion)

    def gap(self, motion: Motion) -> Scalar:
        """The least distance less the radius."""
        return self._touching(motion).gap

    def normal(self, motion: Motion) -> Vector3:
        """The surface's normal at its closest point."""
        return motion.turn(self._touching(motion).normal, self.surface.frame, motion.frame)

    def branches(self, motion: Motion) -> Branches:
        """Whether the distance decreases along the segment from its start, and from its end."""
        climb, fall = self._touching(motion).climbs
        before, past = self.body.sides(self.surface.name)
        return {(0, climb): before, (fall, 0): past}

    def _touching(self, motion: Motion) -> Touching:
        bar = self.body
        return self.surface.touched_by_bar(motion, bar.start, bar.end, motion.read(bar.radius))
