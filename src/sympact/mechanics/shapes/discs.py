"""The rim of a thin disc in space: coins and wheels."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.algebra.linear import plus, scale
from sympact.mechanics.kit.vectors import across, carried, length, unit
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.rims import Lowest, lowest
from sympact.mechanics.shapes.surfaces import Plane, Sphere, Surface, read_frame, read_unit_vector
from sympact.mechanics.shapes.unilateral import Demand, read_length

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Disc"]


@dataclass(frozen=True, eq=False)
class Disc(Contactor):
    """A thin round disc, such as a coin or a wheel, that touches a surface with its rim.

    It touches with the lowest place of the rim, a circle; the faces of the disc touch nothing. On a plane its gap is
    ``n . (r_C - r_plane) - R |n - (n . a) a|`` with the plane's normal n and the disc's axis a; in a hollow sphere the
    radius less the distance of the place that is farthest from its centre; outside of one the distance of the place
    that is nearest to it less the radius. On other surfaces the gap is theirs at the lowest place, which Newton's
    method finds from the best of 16 places all around.

    Where the axis is parallel to the normal the disc lies flat: all of its rim is equally low, the gap has no
    derivative, and no motion can start there; a disc that falls flat comes to that place only in exact symmetry. Where
    two places of the rim are equally low, as of a coin that lies in a pipe, one contact holds one of them only: a disc
    that falls over there rocks from one to the other in ever smaller steps, and the run creeps or ends with the status
    `NOT_FINITE`. In a planar motion, to whose plane the axis is at right angles, a disc is a `Sphere`.

    Parameters
    ----------
    center : Point
        C, the middle.
    axis : Vector
        The unit vector a along its axis, given in the frame of its body.
    radius : number or Expr
        R (m), positive; may be an expression of parameters, coordinates and time.
    frame : ReferenceFrame, optional
        The frame of its body, which friction has to know; by default the one in which the axis is given.

    Raises
    ------
    TypeError
        If `center` is no SymPy `Point`, `axis` no `Vector`, or the radius no number or expression.
    ValueError
        If the axis is no unit vector, or the radius a number that is not positive and finite.

    Examples
    --------
    >>> from sympact import Contact, Plane
    >>> N, B = ReferenceFrame("N"), ReferenceFrame("B")
    >>> coin = Disc(Point("C"), B.z, 0.01)
    >>> Contact(coin, Plane(Point("O"), N.z), restitution=0.5, friction=0).name
    'C on O'
    """

    center: Point
    axis: Vector
    radius: Expr
    _: KW_ONLY
    frame: ReferenceFrame | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.center, Point):
            raise TypeError(f"the center of a disc is a sympy Point; found {self.center!r}")
        if not isinstance(self.axis, Vector):
            raise TypeError(f"the axis of a disc is a sympy Vector such as B.z; found {self.axis!r}")
        read_unit_vector(self.axis, f"the axis {self.axis} of {self._title}")
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self._title}"))
        frames = [frame for _, frame in self.axis.args]
        if self.frame is None and len(frames) == 1:
            object.__setattr__(self, "frame", frames[0])
        read_frame(self.frame, self._title)

    @property
    def name(self) -> str:
        """The name of the centre."""
        return self.center.name

    @property
    def _title(self) -> str:
        return f"the disc about '{self.center.name}'"

    def points(self) -> tuple[Point, ...]:
        """The centre."""
        return (self.center,)

    def vectors(self) -> tuple[Vector, ...]:
        """The axis."""
        return (self.axis,)

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frame of its body."""
        return () if self.frame is None else (self.frame,)

    def cannot_touch(self, surface: Surface) -> str:
        """It touches all surfaces in space."""
        if not surface.planar:
            return ""
        return (
            f"{self._title} moves in space, but the {type(surface).__name__} '{surface.name}' in a plane; there let "
            "points of the rim touch it"
        )

    def cannot_rub(self) -> str:
        """Where the axis is given in several frames, nobody knows which one is that of the body."""
        if self.frame is not None:
            return ""
        return f"the axis of {self._title} is given in several frames; say with frame= which is that of its body"

    def gap_to(self, kinematics: Kinematics, surface: Surface) -> int:
        """The gap of the rim's lowest place."""
        graph, radius = kinematics.graph, kinematics.read(self.radius)
        if isinstance(surface, Plane):
            low = graph.mul(radius, length(graph, self._rise(kinematics, surface)))
            return graph.sub(surface.gap(kinematics, self.center), low)
        if isinstance(surface, Sphere):
            return surface.gap(kinematics, self._lowest_point(kinematics, surface))
        return self._lowest(kinematics, surface).gap

    def normal_of(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """The surface's normal at the lowest place."""
        if isinstance(surface, Plane):
            return surface.normal_at(kinematics, self.center)
        normal = surface.normal_at(kinematics, self._lowest_point(kinematics, surface))
        return normal if isinstance(surface, Sphere) else self._lowest(kinematics, surface).decided(normal)

    def arm_to(self, kinematics: Kinematics, surface: Surface) -> tuple[Point, list[int]]:
        """From the centre to the lowest place of the rim."""
        if isinstance(surface, Plane):
            return self.center, scale(
                kinematics.graph, kinematics.read(self.radius), self._outwards(kinematics, surface)
            )
        point = self._lowest_point(kinematics, surface)
        return point, [kinematics.graph.zero] * 3

    def velocity_to(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """v_C + omega x arm, and the growth of the radius outwards."""
        graph, outwards = kinematics.graph, self._outwards(kinematics, surface)
        radius = kinematics.read(self.radius)
        growth = scale(graph, kinematics.drift(radius), outwards)
        return plus(graph, carried(kinematics, self.center, self.frame, scale(graph, radius, outwards)), growth)

    def branches_to(self, kinematics: Kinematics, surface: Surface) -> dict[tuple[int, int], tuple[str, str]]:
        """Those of the surface at the lowest place."""
        if isinstance(surface, Plane):
            return {}
        branches = surface.branches_at(kinematics, self._lowest_point(kinematics, surface))
        if isinstance(surface, Sphere):
            return branches
        found = self._lowest(kinematics, surface)
        return {found.deciding(sides): names for sides, names in branches.items()}

    def demands(self, kinematics: Kinematics) -> list[Demand]:
        """The radius."""
        return [Demand(kinematics.read(self.radius), f"the radius of {self._title}")]

    def _rise(self, kinematics: Kinematics, surface: Plane | Sphere) -> list[int]:
        """The direction in the disc's own plane that leads away from the lowest place of the rim, of any length."""
        if isinstance(surface, Plane):
            up = surface.normal_at(kinematics, self.center)
        else:
            ends = (self.center, surface.center) if surface.inside else (surface.center, self.center)
            up = kinematics.position_between(*ends)
        return across(kinematics.graph, up, kinematics.vector(self.axis))

    def _outwards(self, kinematics: Kinematics, surface: Surface) -> list[int]:
        """The unit vector from the centre to the lowest place of the rim."""
        if isinstance(surface, Plane | Sphere):
            return [kinematics.graph.neg(part) for part in unit(kinematics.graph, self._rise(kinematics, surface))]
        return self._lowest(kinematics, surface).outwards

    def _lowest_point(self, kinematics: Kinematics, surface: Surface) -> Point:
        """The lowest place of the rim, as a point."""
        if not isinstance(surface, Sphere):
            return self._lowest(kinematics, surface).point
        arm = scale(kinematics.graph, kinematics.read(self.radius), self._outwards(kinematics, surface))
        return kinematics.once((self, surface), lambda: kinematics.beside(self.center, arm, self.name))

    def _lowest(self, kinematics: Kinematics, surface: Surface) -> Lowest:
        """The lowest place on a surface that has no formula for it."""

        def find() -> Lowest:
            axis, radius = kinematics.vector(self.axis), kinematics.read(self.radius)
            found = lowest(kinematics, self.center, axis, radius, surface)
            kinematics.call({f"{name}_{self.name}_{surface.name}": node for name, node in found.known.items()})
            return found

        return kinematics.once((self, surface), find)
