"""The rim of a thin disc in space: coins and wheels."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.nearest.rims import Lowest, lowest
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.pairs import ContactPair, contact_pair
from sympact.mechanics.shapes.planes import Plane, read_frame, read_unit_vector
from sympact.mechanics.shapes.spheres import Sphere
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Precondition, read_length

__all__ = ["Disc"]


@dataclass(frozen=True, eq=False)
class Disc(Contactor):
    """A thin round disc, such as a coin or a wheel, that touches a surface with its rim.

    The contact is at the lowest point of the rim, a circle; the faces of the disc touch nothing. On a plane its gap is
    ``n . (r_C - r_plane) - R |n - (n . a) a|`` with the plane's normal n and the disc's axis a; in a hollow sphere the
    radius less the distance of the point that is farthest from its centre; outside of one the distance of the point
    that is closest to it less the radius. On other surfaces the gap is theirs at the lowest point, which Newton's
    method finds from the best of 16 points of the rim.

    Where the axis is parallel to the normal the disc lies flat: all of its rim is equally low, the gap has no
    derivative, and no motion can start there; a falling disc becomes flat only in exact symmetry. Where two points of
    the rim are equally low, as of a coin in a pipe, one contact represents one of them only: a disc that tips over
    there rocks from one to the other in ever smaller steps, and the run makes no progress or ends with the status
    `NOT_FINITE`. In a planar motion, to whose plane the axis is at right angles, a disc is a `Sphere`.

    Parameters
    ----------
    center : Point
        C, the centre.
    axis : Vector
        The unit vector a along its axis, given in the frame of its body.
    radius : number or Expr
        R (m), positive; may be an expression of parameters, coordinates and time.
    frame : ReferenceFrame, optional
        The frame of its body, which friction needs; by default the one in which the axis is given.

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
        read_unit_vector(self.axis, f"the axis {self.axis} of {self.title}")
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self.title}"))
        frames = [frame for _, frame in self.axis.args]
        if self.frame is None and len(frames) == 1:
            object.__setattr__(self, "frame", frames[0])
        read_frame(self.frame, self.title)

    @property
    def name(self) -> str:
        """The name of the centre."""
        return self.center.name

    @property
    def title(self) -> str:
        """The kind of shape and its name."""
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

    def why_no_friction(self) -> str:
        """Where the axis is given in several frames, the frame of the body is ambiguous."""
        if self.frame is not None:
            return ""
        return f"the axis of {self.title} is given in several frames; say with frame= which is that of its body"

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The radius."""
        return [Precondition(motion.read(self.radius), f"the radius of {self.title}")]


@contact_pair(Disc, Surface)
class RimOnSurface(ContactPair):
    """The rim of a disc on a surface that has no formula for its lowest point."""

    body: Disc

    def cannot_touch(self) -> str:
        """Accepts all surfaces in space."""
        if not self.surface.planar:
            return ""
        return (
            f"{self.body.title} moves in space, but the {type(self.surface).__name__} '{self.surface.name}' in a plane;"
            " there let points of the rim touch it"
        )

    def gap(self, motion: Motion) -> Scalar:
        """The gap of the rim's lowest point."""
        return self._lowest(motion).gap

    def normal(self, motion: Motion) -> Vector3:
        """The surface's normal there."""
        return self._lowest(motion).decided(self.surface.normal_at(motion, self.lowest_point(motion)))

    def arm(self, motion: Motion) -> tuple[Point, Vector3]:
        """The lowest point itself."""
        return self.lowest_point(motion), motion.zero

    def velocity(self, motion: Motion) -> Vector3:
        """v_C + omega x arm, and the outward growth rate of the radius."""
        disc, outwards, radius = self.body, self.outwards(motion), motion.read(self.body.radius)
        growth = motion.drift(radius)
        return motion.carried(disc.center, disc.frame, radius * outwards) + growth * outwards

    def branches(self, motion: Motion) -> Branches:
        """The conditions of the surface at the lowest point."""
        found, branches = self._lowest(motion), self.surface.branches_at(motion, self.lowest_point(motion))
        return {found.deciding(sides): names for sides, names in branches.items()}

    def outwards(self, motion: Motion) -> Vector3:
        """The unit vector from the centre to the lowest point of the rim."""
        return self._lowest(motion).outwards

    def lowest_point(self, motion: Motion) -> Point:
        """The lowest point of the rim, as a point of the motion."""
        return self._lowest(motion).point

    def _lowest(self, motion: Motion) -> Lowest:
        def find() -> Lowest:
            disc, surface = self.body, self.surface
            found = lowest(motion, disc.center, motion.vector(disc.axis), motion.read(disc.radius), surface)
            motion.call({f"{name}_{disc.name}_{surface.name}": number for name, number in found.known.items()})
            return found

        return motion.once((self.body, self.surface), find)


@contact_pair(Disc, Plane)
class RimOnPlane(RimOnSurface):
    """The rim of a disc on a plane: n . (r_C - r_plane) - R |n - (n . a) a|."""

    surface: Plane

    def gap(self, motion: Motion) -> Scalar:
        """The gap of the centre, less the projection of the radius on the normal."""
        return self.surface.gap(motion, self.body.center) - motion.read(self.body.radius) * self._rise(motion).norm

    def normal(self, motion: Motion) -> Vector3:
        """The normal of the plane."""
        return self.surface.normal_at(motion, self.body.center)

    def arm(self, motion: Motion) -> tuple[Point, Vector3]:
        """From the centre to the lowest point."""
        return self.body.center, motion.read(self.body.radius) * self.outwards(motion)

    def branches(self, motion: Motion) -> Branches:
        """None: the formula has no conditions."""
        return {}

    def outwards(self, motion: Motion) -> Vector3:
        """Down in the plane of the disc."""
        return -self._rise(motion).unit

    def _rise(self, motion: Motion) -> Vector3:
        """The part of the normal in the plane of the disc."""
        return self.normal(motion).across(motion.vector(self.body.axis))


@contact_pair(Disc, Sphere)
class RimOnSphere(RimOnSurface):
    """The rim of a disc on a sphere or in one: the point of the circle that is closest to the sphere."""

    surface: Sphere

    def gap(self, motion: Motion) -> Scalar:
        """The gap of the sphere at the closest point."""
        return self.surface.gap(motion, self.lowest_point(motion))

    def normal(self, motion: Motion) -> Vector3:
        """The normal of the sphere at the closest point."""
        return self.surface.normal_at(motion, self.lowest_point(motion))

    def branches(self, motion: Motion) -> Branches:
        """The conditions of the sphere."""
        return self.surface.branches_at(motion, self.lowest_point(motion))

    def outwards(self, motion: Motion) -> Vector3:
        """In the plane of the disc towards the sphere's centre, in a hollow sphere away from it."""
        disc, sphere = self.body, self.surface
        ends = (disc.center, sphere.center) if sphere.inside else (sphere.center, disc.center)
        return -motion.position_between(*ends).across(motion.vector(disc.axis)).unit

    def lowest_point(self, motion: Motion) -> Point:
        """The closest point, as a point of the motion."""
        disc, arm = self.body, motion.read(self.body.radius) * self.outwards(motion)
        return motion.once((disc, self.surface), lambda: motion.beside(disc.center, arm, disc.name))
