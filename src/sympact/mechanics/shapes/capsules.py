"""Bars with round ends."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, cast

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.algebra.linear import dot, minus, plus, scale
from sympact.mechanics.kit.vectors import carried, length, unit
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.cylinders import Cylinder
from sympact.mechanics.shapes.implicit import Implicit
from sympact.mechanics.shapes.segments import Clamped, Pair, nearest_to_bar, nearest_to_line
from sympact.mechanics.shapes.surfaces import Plane, Sphere, Surface, read_frame
from sympact.mechanics.shapes.unilateral import Demand, read_length

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Capsule"]


@dataclass(frozen=True, eq=False)
class Capsule(Surface, Contactor):
    """A bar with round ends: all that is within the radius of the segment from A to B; in the plane, a stadium.

    As a surface it may be touched by points, balls, the rims of discs and other capsules. As the first argument of a
    `Contact` it touches the outside of a `Sphere` or a `Cylinder`, another capsule, and an `Implicit` surface, at one
    place: between its ends or at one of them. A plane, the inside of a sphere or that of a cylinder it can touch with
    both ends at once: make two contacts, one for each of its `ends`; so too for a hollow of an implicit surface.

    Where a bar is parallel to a cylinder or to another bar, all of what is side by side is equally near, and the middle
    of the first counts. What is to rest on it needs two contacts there, too, with its `ends`.

    Parameters
    ----------
    start, end : Point
        A and B, two points of one body.
    radius : number or Expr
        R (m), positive; may be an expression of parameters, coordinates and time.
    frame : ReferenceFrame, optional
        The frame of the body, which friction has to know.

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
        read_frame(self.frame, self._title)
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self._title}"))

    @property
    def name(self) -> str:
        """The names of its points."""
        return f"{self.start.name}-{self.end.name}"

    @property
    def _title(self) -> str:
        return f"the capsule '{self.name}'"

    @property
    def ends(self) -> tuple[Sphere, Sphere]:
        """Its two ends as balls."""
        return Sphere(self.start, self.radius, frame=self.frame), Sphere(self.end, self.radius, frame=self.frame)

    def points(self) -> tuple[Point, ...]:
        """Its two points."""
        return (self.start, self.end)

    def vectors(self) -> tuple[Vector, ...]:
        """None."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def measures(self) -> bool:
        """It does."""
        return True

    def gap(self, kinematics: Kinematics, point: Point) -> int:
        """The distance from the segment less the radius."""
        graph = kinematics.graph
        return graph.sub(length(graph, self._from_segment(kinematics, point)), kinematics.read(self.radius))

    def normal_at(self, kinematics: Kinematics, point: Point) -> list[int]:
        """Away from the nearest place of the segment."""
        return unit(kinematics.graph, self._from_segment(kinematics, point))

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frame of its body."""
        return () if self.frame is None else (self.frame,)

    def cannot_rub(self) -> str:
        """Without a frame nobody knows how it turns."""
        if self.frame is not None:
            return ""
        return (
            f"{self._title} does not say in which frame its material is at rest; give it frame=, the frame of its body"
        )

    def velocity_at(self, kinematics: Kinematics, point: Point, arm: list[int]) -> list[int]:
        """v_A + omega x (r_P + arm - r_A), and the growth of the radius outwards."""
        graph = kinematics.graph
        away = plus(graph, kinematics.position_between(self.start, point), arm)
        rate, outwards = kinematics.drift(kinematics.read(self.radius)), [graph.zero] * 3
        if rate != graph.zero:
            outwards = scale(graph, rate, self.normal_at(kinematics, point))
        return plus(graph, carried(kinematics, self.start, self.frame, away), outwards)

    def faults(self, kinematics: Kinematics) -> list[str]:
        """None."""
        return []

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """The radius, and the distance of its points."""
        apart = length(kinematics.graph, kinematics.position_between(self.start, self.end))
        return [
            Demand(kinematics.read(self.radius), f"the radius of {self._title}"),
            Demand(apart, f"the distance of the two points of {self._title}", "; for one point use a Sphere"),
        ]

    def cannot_touch(self, surface: Surface) -> str:
        """It can touch what is bent towards it; planes and hollow surfaces with its ends."""
        if isinstance(surface, Capsule | Implicit) or (isinstance(surface, Cylinder | Sphere) and not surface.inside):
            return ""
        kind = type(surface).__name__
        if isinstance(surface, Plane | Cylinder | Sphere):
            return (
                f"{self._title} can touch the {kind} '{surface.name}' with both ends at once; make two contacts, one "
                "for each ball of its .ends"
            )
        return (
            f"{self._title} touches Spheres, Cylinders, Capsules and Implicit surfaces, and with the balls of its .ends"
            f" planes and hollow surfaces; it cannot touch the {kind} '{surface.name}'"
        )

    def gap_to(self, kinematics: Kinematics, surface: Surface) -> int:
        """That of a ball of the radius at the nearest place of the segment."""
        radius = kinematics.read(self.radius)
        if isinstance(surface, Implicit):
            return surface.touched_by_bar(kinematics, self.start, self.end, radius).gap
        if isinstance(surface, Capsule):
            graph, both = kinematics.graph, kinematics.graph.add(radius, kinematics.read(surface.radius))
            return graph.sub(length(graph, self._from_bar(kinematics, surface)), both)
        return surface.gap_of_ball(kinematics, self._place(kinematics, surface), radius)

    def normal_of(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """That of the surface where it is nearest."""
        if isinstance(surface, Implicit):
            found = surface.touched_by_bar(kinematics, self.start, self.end, kinematics.read(self.radius))
            return kinematics.turn(found.normal, surface.frame, kinematics.skeleton.frame)
        if isinstance(surface, Capsule):
            return unit(kinematics.graph, self._from_bar(kinematics, surface))
        return surface.normal_to_ball(kinematics, self._place(kinematics, surface))

    def arm_to(self, kinematics: Kinematics, surface: Surface) -> tuple[Point, list[int]]:
        """From A along the segment, then by the radius against the normal."""
        graph, normal = kinematics.graph, self.normal_of(kinematics, surface)
        back = scale(graph, graph.neg(kinematics.read(self.radius)), normal)
        return self._place(kinematics, surface), back

    def velocity_to(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """v_A + omega x arm, and the growth of the radius outwards."""
        graph, (place, back) = kinematics.graph, self.arm_to(kinematics, surface)
        arm = plus(graph, kinematics.position_between(self.start, place), back)
        shrinking = graph.neg(kinematics.drift(kinematics.read(self.radius)))
        growth = scale(graph, shrinking, self.normal_of(kinematics, surface))
        return plus(graph, carried(kinematics, self.start, self.frame, arm), growth)

    def branches_at(self, kinematics: Kinematics, point: Point) -> dict[tuple[int, int], tuple[str, str]]:
        """Before A, between the two, or past B."""
        graph, part = kinematics.graph, self._part(kinematics, point)
        start, end = (f"{point.name} before {corner.name}" for corner in self.points())
        return {
            (graph.zero, graph.call("min", part, graph.one)): (start, start.replace(" before ", " past ")),
            (part, graph.one): (end.replace(" before ", " past "), end),
        }

    def branches_to(self, kinematics: Kinematics, surface: Surface) -> dict[tuple[int, int], tuple[str, str]]:
        """Where on this segment it is nearest, and where on that of another capsule."""
        if isinstance(surface, Sphere):
            return self.branches_at(kinematics, surface.center)
        before, past = self._sides(surface.name)
        if isinstance(surface, Implicit):
            graph, radius = kinematics.graph, kinematics.read(self.radius)
            climb, fall = surface.touched_by_bar(kinematics, self.start, self.end, radius).climbs
            return {(graph.zero, climb): before, (fall, graph.zero): past}
        if isinstance(surface, Cylinder):
            return self._along(kinematics, surface).branches(before, past)
        capsule = cast(Capsule, surface)  # all that is left of what it can touch
        pair = self._pair(kinematics, capsule)
        again = [(f"the end of {one}", f"the end of {other}") for one, other in (before, past)]
        theirs = pair.theirs.branches(*capsule._sides(self.name))
        return pair.free.branches(before, past) | theirs | pair.again.branches(*again)

    def _sides(self, name: str) -> list[tuple[str, str]]:
        """Names for being past the start or not, and before the end or not."""
        sides = ((self.start, "past", "before"), (self.end, "before", "past"))
        return [(f"{name} {a} {end.name}", f"{name} {b} {end.name}") for end, a, b in sides]

    def _along(self, kinematics: Kinematics, surface: Cylinder) -> Clamped:
        """How far along the segment it is nearest to a cylinder."""
        whole = kinematics.position_between(self.start, self.end)
        away = kinematics.position_between(surface.point, self.start)
        return nearest_to_line(kinematics.graph, whole, away, kinematics.vector(surface.axis))

    def _pair(self, kinematics: Kinematics, surface: Capsule) -> Pair:
        """Where the segment is nearest to that of another capsule."""
        whole = kinematics.position_between(self.start, self.end)
        away, other = (kinematics.position_between(surface.start, point) for point in (self.start, surface.end))
        return nearest_to_bar(kinematics.graph, whole, away, other)

    def _from_bar(self, kinematics: Kinematics, surface: Capsule) -> list[int]:
        """From the place of another capsule's segment that is nearest to this one to that of this one."""
        graph, (_, theirs) = kinematics.graph, self._pair(kinematics, surface).parts
        other = scale(graph, theirs, kinematics.position_between(surface.start, surface.end))
        return minus(graph, kinematics.position_between(surface.start, self._place(kinematics, surface)), other)

    def _place(self, kinematics: Kinematics, surface: Surface) -> Point:
        """The place of the segment that is nearest to a surface."""

        def find() -> Point:
            graph, whole = kinematics.graph, kinematics.position_between(self.start, self.end)
            if isinstance(surface, Sphere):
                return kinematics.beside(self.start, self._foot(kinematics, surface.center), self.name)
            if isinstance(surface, Implicit):
                radius = kinematics.read(self.radius)
                part = surface.touched_by_bar(kinematics, self.start, self.end, radius).part
            elif isinstance(surface, Cylinder):
                part = self._along(kinematics, surface).part
            else:
                part, _ = self._pair(kinematics, cast(Capsule, surface)).parts
            return kinematics.beside(self.start, scale(graph, part, whole), self.name)

        return kinematics.once((self, surface), find)

    def _part(self, kinematics: Kinematics, point: Point) -> int:
        """How far along from A (0) to B (1) a point is."""
        graph = kinematics.graph
        whole = kinematics.position_between(self.start, self.end)
        away = kinematics.position_between(self.start, point)
        return graph.div(dot(graph, away, whole), dot(graph, whole, whole))

    def _foot(self, kinematics: Kinematics, point: Point) -> list[int]:
        """From A to the place of the segment that is nearest to a point."""
        graph, part = kinematics.graph, self._part(kinematics, point)
        within = graph.call("max", graph.zero, graph.call("min", part, graph.one))
        return scale(graph, within, kinematics.position_between(self.start, self.end))

    def _from_segment(self, kinematics: Kinematics, point: Point) -> list[int]:
        away = kinematics.position_between(self.start, point)
        return minus(kinematics.graph, away, self._foot(kinematics, point))
