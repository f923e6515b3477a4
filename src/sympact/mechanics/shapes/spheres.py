"""Spheres, as surfaces and as balls."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.contactor import Round
from sympact.mechanics.shapes.pairs import ContactPair, contact_pair
from sympact.mechanics.shapes.planes import read_frame
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Precondition, read_length

__all__ = ["RoundOnSurface", "Sphere"]


@dataclass(frozen=True, eq=False)
class Sphere(Surface, Round):
    """A sphere about a point; for points that move in a plane through its centre, a circle.

    As a surface its gap to a point is ``|r| - R`` outside and ``R - |r|`` inside, with the vector r from the centre. At
    the centre the distance has no derivative: a start there is refused, one beside it, by any distance, is not. As the
    first argument of a `Contact` it is a ball on planes, cylinders, capsules, implicit surfaces and other spheres.

    Parameters
    ----------
    center : Point
        The centre. It may move.
    radius : number or Expr
        The radius R (m), positive; may be an expression of parameters, coordinates and time.
    inside : bool, default False
        Whether the free side is the inside, as in a bowl or a drum.
    frame : ReferenceFrame, optional
        The frame in which the sphere's material is at rest, which friction needs: that of its body, or the inertial
        frame for one that does not rotate.
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
            raise TypeError(f"inside of {self.title} is {self.inside!r}, expected True or False")
        read_frame(self.frame, self.title)
        cure = "; for the free side inside write inside=True"
        object.__setattr__(self, "radius", read_length(self.radius, f"the radius of {self.title}", cure))

    @property
    def title(self) -> str:
        """The kind of shape and its name."""
        return f"the sphere about '{self.name}'"

    def points(self) -> tuple[Point, ...]:
        """The centre."""
        return (self.center,)

    def vectors(self) -> tuple[Vector, ...]:
        """A sphere has no vectors."""
        return ()

    def lengths(self) -> tuple[Expr, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def measures(self) -> bool:
        """The gap is the distance everywhere."""
        return True

    @property
    def middle(self) -> str:
        """The centre."""
        return f"the centre of {self.title}"

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """g_N = |r_P - r_centre| - R outside, R - |r_P - r_centre| inside."""
        distance = motion.position_between(self.center, point).norm
        radius = motion.read(self.radius)
        return radius - distance if self.inside else distance - radius

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """Away from the centre; inside towards it."""
        start, end = (point, self.center) if self.inside else (self.center, point)
        return motion.position_between(start, end).unit

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The sphere's own frame."""
        return () if self.frame is None else (self.frame,)

    def why_no_friction(self) -> str:
        """Without a frame the rotation of the material is unknown."""
        if self.frame is not None:
            return ""
        return (
            f"{self.title} does not say in which frame its material is at rest; give it frame=, the frame of its body,"
            " or the inertial frame"
        )

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_centre + omega x (r_P + arm - r_centre), and the outward growth rate of the radius."""
        away = motion.position_between(self.center, point) + arm
        growth = motion.drift(motion.read(self.radius))
        return motion.carried(self.center, self.frame, away) + growth * away.unit

    def faults(self, motion: Motion) -> list[str]:
        """None: a sphere has no vectors."""
        return []

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The radius must be positive, which is checked at the start for an expression."""
        return [Precondition(motion.read(self.radius), f"the radius of {self.title}")]


class RoundOnSurface(ContactPair):
    """A body with a round contacting part: a ball of its radius about a point of the body."""

    body: Round

    @abstractmethod
    def place(self, motion: Motion) -> Point:
        """The centre of that ball."""

    @abstractmethod
    def carrier(self) -> Point:
        """The point of the body whose velocity is known."""

    def gap(self, motion: Motion) -> Scalar:
        """The distance of the ball's centre less the radius."""
        return self.surface.gap_of_ball(motion, self.place(motion), motion.read(self.body.radius))

    def normal(self, motion: Motion) -> Vector3:
        """The surface's normal at the point closest to the ball's centre."""
        return self.surface.normal_to_ball(motion, self.place(motion))

    def arm(self, motion: Motion) -> tuple[Point, Vector3]:
        """From the ball's centre by the radius against the normal."""
        return self.place(motion), -motion.read(self.body.radius) * self.normal(motion)

    def velocity(self, motion: Motion) -> Vector3:
        """v_carrier + omega x arm, and the outward growth rate of the radius."""
        place, back = self.arm(motion)
        arm = motion.position_between(self.carrier(), place) + back
        growth = motion.drift(motion.read(self.body.radius))
        return motion.carried(self.carrier(), self.body.frame, arm) - growth * self.normal(motion)


@contact_pair(Sphere, Surface)
class BallOnSurface(RoundOnSurface):
    """A ball touches every surface whose function is a distance."""

    body: Sphere

    def cannot_touch(self) -> str:
        """A ball has to know its distance from a surface, not only whether it is zero."""
        ball, surface = self.body, self.surface
        if ball.inside:
            return f"{ball.title} is hollow (inside=True), and a hollow sphere touches nothing; leave inside out"
        if surface.tells_distance:
            return ""
        return (
            f"the gap of the {type(surface).__name__} '{surface.name}' is a distance only where it is zero, but "
            f"{ball.title} has to touch it at the distance of its radius; write the surface that the centre may not "
            f"pass, and let the point '{ball.center.name}' touch it"
        )

    def place(self, motion: Motion) -> Point:
        """The centre."""
        return self.body.center

    def carrier(self) -> Point:
        """The centre."""
        return self.body.center

    def branches(self, motion: Motion) -> Branches:
        """The conditions of the surface at the centre."""
        return self.surface.branches_at(motion, self.body.center)
