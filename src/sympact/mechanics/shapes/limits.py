"""Unilateral constraints without a surface: limits of joints, and strings."""

from __future__ import annotations

from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar

from sympy import Expr, S, sstr, true
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import Point, vsstrrepr

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.unilateral import (
    Application,
    Part,
    Precondition,
    Unilateral,
    read_active,
    read_expression,
    read_length,
    read_name,
    read_restitution,
)

__all__ = ["Limit", "String"]


@dataclass(frozen=True, eq=False)
class Limit(Unilateral):
    """A condition phi(q, t) >= 0: an expression that must not become negative, such as a limit of a joint or an end
    stop. It has no friction.

    Parameters
    ----------
    expression : Expr
        Of coordinates, time and parameters, such as ``q - lower`` or ``upper - q``: a length (m), or an angle (rad).
    restitution : number or Expr
        Newton's coefficient of restitution e, from 0 to 1; may be an expression of parameters.
    lever : number or Expr, optional
        The length (m) that multiplies an angle: the distance of the stop from the joint's axis. The gap is then a
        length, and the impulse that of a force (N s) at this distance. Without it the expression itself is the gap; for
        an angle, `impulse` is then an angular one (N m s), and the gap counts as that of a lever of 1 m in comparisons
        with the model length. The motion is the same, up to the tolerances.
    name : str, optional
        The name in tables and results; by default the expression.
    active : condition, optional
        Where it is true the limit is active, as that of a `Contact`. By default it always is.
    friction : 0
        Another coefficient is refused: an expression has no point of contact that slides.

    Raises
    ------
    TypeError
        If the expression, the restitution or the lever is no number or expression, ``active`` no condition, or `name`
        no text.
    ValueError
        If the expression is a number, the restitution a number outside 0..1, the lever one that is not positive, or the
        friction not zero.

    Examples
    --------
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> q = dynamicsymbols("q")
    >>> Limit(q + symbols("alpha"), restitution=0.5).name
    'alpha + q'
    """

    kind: ClassVar[str] = "limit"
    static_friction = S.Zero

    expression: Expr
    _: KW_ONLY
    restitution: Expr
    lever: Expr | None = None
    name: str = LEFT_OUT
    active: Boolean = field(default=true, repr=False)
    friction: InitVar[Expr] = S.Zero  # refused beside zero; the coefficient is a constant of the class

    def __post_init__(self, friction: Expr) -> None:
        object.__setattr__(
            self, "expression", read_expression(self.expression, "what a Limit keeps from being negative")
        )
        if self.expression.is_number:
            raise ValueError(
                f"a Limit of {sstr(self.expression, full_prec=False)} never changes; expected an expression of "
                "coordinates, such as q - lower"
            )
        if self.name is None:
            object.__setattr__(self, "name", vsstrrepr(self.expression))
        read_name(self.name, "a limit")
        object.__setattr__(self, "restitution", read_restitution(self.restitution, self.title))
        object.__setattr__(self, "active", read_active(self.active, self.title))
        if read_expression(friction, f"the friction of {self.title}") != 0:
            raise ValueError(
                f"the friction of {self.title} is {sstr(friction, full_prec=False)}, but a limit has none: the "
                "expression does not say which points slide on each other; write Contact(point, surface, ...) of a "
                "model with points"
            )
        if self.lever is not None:
            object.__setattr__(self, "lever", read_length(self.lever, f"the lever of {self.title}"))

    def parts(self) -> tuple[Part]:
        """The expression and the lever."""
        return (Part(self.title, scalars=(self.expression, *self._levers()), sizes=self._levers()),)

    def gap(self, motion: Motion) -> Scalar:
        """The expression, times the lever."""
        value = motion.read(self.expression)
        return value if self.lever is None else motion.read(self.lever) * value

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The lever must be positive."""
        return [Precondition(motion.read(lever), f"the lever of {self.title}") for lever in self._levers()]

    def violated(self, depth: float) -> str:
        """The amount of the violation."""
        return f"{depth:.6g} beyond it"

    def in_words(self) -> str:
        """The condition."""
        return " at a lever of ".join([f"{vsstrrepr(self.expression)} >= 0", *map(vsstrrepr, self._levers())])

    def _levers(self) -> tuple[Expr, ...]:
        return () if self.lever is None else (self.lever,)


@dataclass(frozen=True, eq=False)
class String(Unilateral):
    """A massless string between two points that cannot become longer: slack, or taut with an impact. No friction.

    The gap is ``length - |r_B - r_A|``; where the two points are at the same position it has no derivative, so that no
    motion can start there.

    Parameters
    ----------
    start, end : Point
        The end points A and B; either may belong to a body.
    length : number or Expr
        Positive (m); may be an expression of parameters, coordinates and time.
    restitution : number or Expr
        Newton's coefficient of restitution e, from 0 to 1, of the rate at which the points separate when the string
        becomes taut; 0 for a string that stays taut until the points approach each other.
    name : str, optional
        The name in tables and results; by default those of the points.
    active : condition, optional
        Where it is true the string is there, as a `Contact` is active; where it becomes false the string is cut. By
        default it always is.

    Raises
    ------
    TypeError
        If an end is no `Point`, the length or the restitution no number or expression, ``active`` no condition, or
        `name` no text.
    ValueError
        If the length is a number that is not positive and finite, or the restitution one outside 0..1.

    Examples
    --------
    >>> String(Point("A"), Point("B"), 2, restitution=0).name
    'A to B'
    """

    kind: ClassVar[str] = "string"
    friction = S.Zero
    static_friction = S.Zero

    start: Point
    end: Point
    length: Expr
    _: KW_ONLY
    restitution: Expr
    name: str = LEFT_OUT
    active: Boolean = field(default=true, repr=False)

    def __post_init__(self) -> None:
        for point in (self.start, self.end):
            if not isinstance(point, Point):
                raise TypeError(f"the end of a String is a sympy Point; found {point!r}")
        if self.name is None:
            object.__setattr__(self, "name", f"{self.start.name} to {self.end.name}")
        read_name(self.name, "a string")
        object.__setattr__(self, "length", read_length(self.length, f"the length of {self.title}"))
        object.__setattr__(self, "restitution", read_restitution(self.restitution, self.title))
        object.__setattr__(self, "active", read_active(self.active, self.title))

    def parts(self) -> tuple[Part]:
        """The two points and the length."""
        return (Part(self.title, points=(self.end, self.start), scalars=(self.length,), sizes=(self.length,)),)

    def gap(self, motion: Motion) -> Scalar:
        """g_N = length - |r_B - r_A| (m)."""
        return motion.read(self.length) - self._away(motion).norm

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """The length and the distance of the points must be positive."""
        apart = self._away(motion).norm
        cure = "; a string between points at the same position has no direction"
        return [
            Precondition(motion.read(self.length), f"the length of {self.title}"),
            Precondition(
                apart, f"the distance of the points '{self.start.name}' and '{self.end.name}' of {self.title}", cure
            ),
        ]

    def violated(self, depth: float) -> str:
        """The amount by which the string is too long."""
        return f"{depth:.6g} m longer than it is"

    def in_words(self) -> str:
        """The points and the length."""
        return f"string from {self.start.name} to {self.end.name} ({vsstrrepr(self.length)})"

    def touching_points(self) -> tuple[Point, ...]:
        """The ends of the string."""
        return self.start, self.end

    def normal(self, motion: Motion) -> Vector3:
        """From the end B to the end A."""
        return -self._away(motion).unit

    def applications(self, motion: Motion) -> tuple[Application, ...]:
        """The ends: B is pulled towards A, and A towards B."""
        return Application(self.end, motion.zero, None, 1), Application(self.start, motion.zero, None, -1)

    def place(self, motion: Motion) -> tuple[Vector3, Vector3]:
        """The end B, which is pulled towards A."""
        return motion.position(self.end), self.normal(motion)

    def _away(self, motion: Motion) -> Vector3:
        return motion.position_between(self.start, self.end)
