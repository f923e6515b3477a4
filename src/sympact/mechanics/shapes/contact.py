"""A contact of a body with a surface, with restitution and friction."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from sympy import Expr, true
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import Point, vsstrrepr

from sympact.graph.formula import Scalar, Vector3
from sympact.integrate.problem.real import described
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.contactor import Contactor, Tip
from sympact.mechanics.shapes.friction_ellipse import FrictionEllipse
from sympact.mechanics.shapes.pairs import ContactPair, pair_of, refusal
from sympact.mechanics.shapes.side import LEFT_OUT, Side
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import (
    Application,
    Part,
    Precondition,
    Unilateral,
    read_active,
    read_friction,
    read_name,
    read_restitution,
)

__all__ = ["Contact", "contacts_between"]

_COEFFICIENTS = ("friction", "static_friction")


@dataclass(frozen=True, eq=False)
class Contact(Unilateral):
    """A point or a round part of a body that may touch a surface.

    Restitution and friction belong to the pair: they are given here, and not derived from the two bodies.

    Parameters
    ----------
    point : Point or Contactor
        The contacting part: a point, usually fixed in a body, or a round body: a ball (`Sphere`), the rim of a `Disc`,
        a `Capsule`, or a user's shape.
    surface : Surface
        The surface: a `Plane`, `Sphere`, `Cylinder`, `Capsule`, `ConvexPolygon`, `Implicit`, or a user's `Surface`. It
        may move, and belong to a body, on which the reaction then acts.
    restitution : number or Expr
        The coefficient of restitution e of the impact law, from 0 to 1; may be an expression of parameters and of
        ``sympact.approach_speed``, the speed ``|gamma_N-|`` (m/s) of each impact, see the notes.
    friction : number or Expr
        The kinetic coefficient of Coulomb friction mu, at least 0: of a slipping contact, and of impacts. May be an
        expression of parameters, place, time, inputs, discrete states, and of ``sympact.slip_speed``, the speed
        ``|gamma_T|`` (m/s) of the slip, see the notes. ``oo`` means that nothing slips, see :doc:`/theory/friction`.
    static_friction : number or Expr, optional
        The static coefficient, at least `friction` where nothing slips, which is its default.
    name : str, optional
        The name in tables and results; by default those of the contacting part and of the surface.
    active : condition, optional
        Where it is true the contact is active; elsewhere it neither collides nor closes, as a swing foot that may scuff
        while it passes the other one. It must lie above its surface where it becomes active. By default it always is.
    anisotropy : FrictionEllipse, optional
        An axis along which friction is less or more than mu, as of a skate. By default friction is the same in all
        directions.

    Notes
    -----
    ``approach_speed`` is that of each contact separately just before an impact, also where several impacts coincide,
    and is 0 where a contact separates or rests; there the value of the expression is limited to 0..1. A run ends with
    the status ``NO_RESTITUTION`` where the expression is outside 0..1 for a contact that approaches. Examples:
    viscoelastic balls of Hertz's contact, e = 1 - C v**(1/5) to first order (Kuwabara and Kono 1987; Schwager and
    Poeschel 1998), and plastic deformation, e ~ v**(-1/4) above a yield speed (Johnson 1985). The law is energetically
    consistent if it is so for each of these values of e; `Event.energy` certifies each impact.

    A friction that changes during a motion: ``mu*(1 - x/2)`` of place, ``Piecewise((0.05, x < 1), (0.7, True))`` on ice
    until x = 1, ``mu + (mu_s - mu)*exp(-slip_speed/v_s)`` by Stribeck, ``mu + c*slip_speed`` with a viscous share. An
    impact has mu at the slip before it. Where a coefficient becomes negative the run ends with ``NEGATIVE_FRICTION``.

    Raises
    ------
    TypeError
        If `point` is neither a `Point` nor a round body, `surface` no `Surface`, `name` no text, or a coefficient no
        number or expression.
    ValueError
        If the restitution is a number outside 0..1, a coefficient of friction a negative number, or the static
        coefficient a smaller number than the kinetic one without slip or an expression of the slip; if the two have no
        unique gap.

    Examples
    --------
    >>> from sympact import Plane, Sphere
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    >>> Contact(P, Plane(O, N.z), restitution=0.8, friction=0).name
    'P on O'
    >>> from sympact import slip_speed
    >>> Contact(P, Plane(O, N.z), restitution=0, friction=0.3 + 0.1 / (1 + slip_speed)).static_friction
    0.400000000000000
    >>> Contact(Sphere(P, 0.1), Sphere(O, 0.2), restitution=1, friction=0, name="balls").name
    'balls'
    """

    kind: ClassVar[str] = "contact"
    doubt: ClassVar[str] = "; is the normal of the surface on its free side?"

    point: Point | Contactor
    surface: Surface
    _: KW_ONLY
    restitution: Expr
    friction: Expr
    static_friction: Expr = LEFT_OUT
    name: str = LEFT_OUT
    active: Boolean = field(default=true, repr=False)
    anisotropy: FrictionEllipse | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.point, Point | Contactor):
            raise TypeError(
                "the point of a contact is a sympy Point, or a round body: a Sphere, Disc or Capsule; found "
                f"{self.point!r}"
            )
        if not isinstance(self.surface, Surface):
            raise TypeError(f"the surface of a contact is a Plane, a Sphere or another Surface; found {self.surface!r}")
        if self.name is None:
            object.__setattr__(self, "name", f"{self.short_name} on {self.surface.name}")
        read_name(self.name, "a contact")
        object.__setattr__(self, "active", read_active(self.active, self.title))
        apart = refusal(self.contactor, self.surface)
        if apart:
            raise ValueError(f"the contact '{self.name}' has no gap: {apart}")
        object.__setattr__(self, "restitution", read_restitution(self.restitution, self.title))
        if not (self.anisotropy is None or isinstance(self.anisotropy, FrictionEllipse)):
            raise TypeError(f"the anisotropy of {self.title} is a FrictionEllipse; found {described(self.anisotropy)}")
        both = read_friction(self.friction, self.static_friction, self.title)
        for what, value in zip(_COEFFICIENTS, both, strict=True):
            object.__setattr__(self, what, value)

    @property
    def contactor(self) -> Contactor:
        """The contacting part, with the methods that gaps need."""
        return Tip(self.point) if isinstance(self.point, Point) else self.point

    @property
    def pair(self) -> ContactPair:
        """The geometry of the pair."""
        pair = pair_of(self.contactor, self.surface)
        assert pair is not None, "`refusal` lets no contact without a pair through"
        return pair

    @property
    def short_name(self) -> str:
        """The name of the contacting part."""
        return self.contactor.name

    def parts(self) -> tuple[Part, ...]:
        """The part of the body, and the surface; the axes of friction, where it has some."""

        def part(place: str, side: Side) -> Part:
            frames = side.frames() if self.has_friction else ()
            return Part(place, side.points(), side.vectors(), side.lengths(), frames, side.sizes())

        axes = () if self.anisotropy is None else (self.anisotropy.part(self.title),)
        return part(self.title, self.contactor), part(f"the surface of {self.title}", self.surface), *axes

    def gap(self, motion: Motion) -> Scalar:
        """g_N (m): the distance of the two."""
        return self.pair.gap(motion)

    def normal(self, motion: Motion) -> Vector3:
        """The surface's unit normal to the free side."""
        return self.pair.normal(motion)

    def velocity(self, motion: Motion) -> Vector3:
        """v (m/s) of the contacting material relative to that of the surface."""
        pair = self.pair
        against = self.surface.velocity_at(motion, *pair.arm(motion))
        return pair.velocity(motion) - against

    def why_no_friction(self) -> str:
        """Why its friction is undetermined, as the second half of a sentence; empty where it is determined."""
        return self.contactor.why_no_friction() or self.surface.why_no_friction()

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The preconditions of both sides."""
        return [*self.contactor.preconditions(motion), *self.surface.preconditions(motion)]

    def branches(self, motion: Motion) -> Branches:
        """The names of the conditions in the gap, of a surface with corners or a capsule."""
        return self.pair.branches(motion)

    def faults(self, motion: Motion) -> list[str]:
        """The faults of the surface."""
        return self.surface.faults(motion)

    def violated(self, depth: float) -> str:
        """The depth below its surface."""
        return f"{depth:.6g} m below its surface"

    @property
    def without_normal(self) -> str:
        """The axis or the centre of the surface, if it has one."""
        if not self.surface.middle:
            return super().without_normal
        return (
            f"the contacting part may be at {self.surface.middle}, from which the surface is equally far in all "
            "directions; start beside it, by any distance"
        )

    def in_words(self) -> str:
        """The contacting part, and the surface with its normal or radius."""
        kind = "" if isinstance(self.point, Point) else f"the {_kind(self.point)} "
        surface = f"the {_kind(self.surface)} {self.surface.name}"
        return f"{kind}{self.short_name}{_sizes(self.contactor)} on {surface}{_sizes(self.surface)}"

    def touching_points(self) -> tuple[Point, ...]:
        """The points of the contacting part."""
        return self.contactor.points()

    def applications(self, motion: Motion) -> tuple[Application, ...]:
        """The contact point, on the contacting part and on the surface."""
        near, arm = self.pair.arm(motion)

        def at(side: Side, sign: int) -> Application:
            point, frames = side.points()[0], side.frames()
            away = motion.position_between(point, near) + arm
            return Application(point, away, frames[0] if frames else None, sign)

        return at(self.contactor, 1), at(self.surface, -1)

    def place(self, motion: Motion) -> tuple[Vector3, Vector3]:
        """The point of the body that is closest to the surface, and the surface's normal."""
        point, arm = self.pair.arm(motion)
        return motion.position(point) + arm, self.normal(motion)


def _kind(side: Contactor | Surface) -> str:
    """The name of a class as text: "convex polygon"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(side).__name__).lower()


def _sizes(side: Contactor | Surface) -> str:
    """Vectors and lengths in brackets."""
    sizes = ", ".join(map(vsstrrepr, (*side.vectors(), *side.lengths())))
    return f" ({sizes})" if sizes else ""


def contacts_between(
    points: Iterable[Point | Contactor],
    surfaces: Iterable[Surface],
    *,
    restitution: Expr,
    friction: Expr,
    static_friction: Expr | None = None,
) -> list[Contact]:
    """The contacts of each of some points or round parts with each of some surfaces.

    Parameters
    ----------
    points : iterable of Point and Contactor
    surfaces : iterable of Surface
    restitution, friction, static_friction : number or Expr
        The coefficients of all contacts, as for a `Contact`.

    Returns
    -------
    list of Contact
        Those of the first point, then those of the second, and so on.

    Raises
    ------
    TypeError, ValueError
        As `Contact` does; if `points` or `surfaces` is no list.

    Examples
    --------
    >>> from sympact import Plane
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, P, Q = ReferenceFrame("N"), Point("P"), Point("Q")
    >>> floor, wall = Plane(Point("floor"), N.z), Plane(Point("wall"), N.x)
    >>> [contact.name for contact in contacts_between([P, Q], [floor, wall], restitution=0.5, friction=0)]
    ['P on floor', 'P on wall', 'Q on floor', 'Q on wall']
    """
    for what, parts in (("points", points), ("surfaces", surfaces)):
        if not isinstance(parts, Iterable) or isinstance(parts, str):
            raise TypeError(f"{what} is {parts!r}, expected a list of {what}")
    settings = {"restitution": restitution, "friction": friction, "static_friction": static_friction}
    listed = list(surfaces)
    return [Contact(point, surface, **settings) for point in points for surface in listed]
