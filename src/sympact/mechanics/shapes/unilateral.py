"""The common interface of unilateral constraints: a gap that must not become negative, and its restitution."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from sympy import Expr, Symbol, SympifyError, false, nan, oo, sstr, sympify, true, zoo
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar, Vector3
from sympact.integrate.problem.real import described
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.native.renamed import renamed_attribute
from sympact.native.sentences.near_names import suggestion
from sympact.native.sentences.stripped_units import has_unit

__all__ = [
    "Application",
    "Part",
    "Precondition",
    "Unilateral",
    "approach_speed",
    "find_contact",
    "read_active",
    "read_expression",
    "read_friction",
    "read_length",
    "read_name",
    "read_restitution",
    "slip_speed",
]


approach_speed = Symbol("v_approach", nonnegative=True)
"""The speed ``|gamma_N-|`` (m/s) at which a contact approaches in an impact, 0 where it separates or rests.

A symbol for restitutions that depend on it: ``restitution=1 - C*approach_speed**Rational(1, 5)``.
"""

slip_speed = Symbol("v_slip", nonnegative=True)
"""The speed ``|gamma_T|`` (m/s) at which a contact slips, 0 where it sticks.

A symbol for coefficients of friction that depend on it: ``friction=mu + (mu_s - mu)*exp(-slip_speed/v_s)``.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Objects of the user's model on which a gap depends.

    Attributes
    ----------
    place : str
        Their origin, for messages: "the surface of the contact 'tip'".
    points : tuple of Point
    vectors : tuple of Vector
    scalars : tuple of Expr
        Lengths and other expressions; they may depend on coordinates, time and parameters.
    frames : tuple of ReferenceFrame
        Those in which material is at rest, where friction needs them.
    sizes : tuple of Expr
        Those of the scalars that are lengths of it (m).
    """

    place: str
    points: tuple[Point, ...] = ()
    vectors: tuple[Vector, ...] = ()
    scalars: tuple[Expr, ...] = ()
    frames: tuple[ReferenceFrame, ...] = ()
    sizes: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """Where the force of a contact acts on one of its two bodies.

    Attributes
    ----------
    point : Point
        A point of the body.
    arm : Vector3
        From it to the point of application (m), components in N.
    frame : ReferenceFrame or None
        The frame that the moment about `point` turns; None where that is the frame of the body of `point`.
    sign : {1, -1}
        1 on the contacting part, -1 on the surface.
    """

    point: Point
    arm: Vector3
    frame: ReferenceFrame | None
    sign: int


@dataclass(frozen=True, slots=True)
class Precondition:
    """A scalar that must be positive at the start of a run.

    Attributes
    ----------
    scalar : Scalar
    what : str
        Its description, for the message "`what` is -1, expected a positive number".
    cure : str
        The remedy, the end of that message.
    """

    scalar: Scalar
    what: str
    cure: str = ""

    def sentence(self, value: float) -> str:
        """The message about a value."""
        return f"{self.what} is {value:.6g}, expected a positive number{self.cure}"


class Anisotropy(Protocol):
    """The axis of anisotropic friction, and the ratio of mu along it, see `FrictionEllipse`."""

    @property
    def axis(self) -> Vector:
        """The direction in space."""

    @property
    def ratio(self) -> Expr:
        """mu along the axis over mu across it."""


class Unilateral(ABC):
    """A gap that must not become negative: a contact, a limit of a joint, or a string.

    Attributes
    ----------
    name : str
        The name in tables and results.
    restitution : Expr
        The coefficient e, which may depend on `approach_speed`.
    friction, static_friction : Expr
        Coulomb's coefficients; 0 for constraints without friction.
    active : Boolean
        Where it acts at all.
    anisotropy : Anisotropy or None
        The axes of anisotropic friction.
    """

    kind: ClassVar[str]
    """The kind, for messages."""

    name: str
    restitution: Expr
    friction: Expr
    static_friction: Expr
    active: Boolean = true
    anisotropy: Anisotropy | None = None

    @property
    def title(self) -> str:
        """The kind and the name: "the contact 'tip'"."""
        return f"the {self.kind} '{self.name}'"

    @property
    def short_name(self) -> str:
        """The name of the contacting part; it identifies a contact where it is unique."""
        return self.name

    @property
    def has_friction(self) -> bool:
        """Whether there may be friction: a coefficient that is not the number zero."""
        return not (self.friction.is_zero and self.static_friction.is_zero)

    rubs = renamed_attribute("rubs", "has_friction")

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The objects on which it depends: first the contacting part, then the surface."""

    def points(self) -> tuple[Point, ...]:
        """All points of it."""
        return tuple(point for part in self.parts() for point in part.points)

    @abstractmethod
    def gap(self, motion: Motion) -> Scalar:
        """g_N."""

    def preconditions(self, motion: Motion) -> list[Precondition]:
        """Its preconditions at the start of a run."""
        return []

    def branches(self, motion: Motion) -> Branches:
        """Short names for the conditions in the gap."""
        return {}

    def faults(self, motion: Motion) -> list[str]:
        """Its faults, one sentence each, found numerically at a random state."""
        return []

    @abstractmethod
    def violated(self, depth: float) -> str:
        """A start with the gap -`depth`, as the end of a sentence: "0.1 m below its surface"."""

    doubt: ClassVar[str] = ""
    """What may be wrong where it is violated at a start, as the end of a sentence."""

    @property
    def without_normal(self) -> str:
        """Where its gap has no rate, and what cures that, as the end of a sentence about such a start."""
        return "the surface, or the contacting part, has no normal; start beside this place, by any distance"

    @abstractmethod
    def in_words(self) -> str:
        """The two sides, for tables."""

    def why_no_friction(self) -> str:
        """Why its friction is undetermined, as the second half of a sentence; empty where it is determined."""
        return "nothing of it slides along a surface"

    def normal(self, motion: Motion) -> Vector3:
        """The unit normal of the surface; called where `why_no_friction` is empty."""
        raise TypeError(f"{self.title} has no position in space")

    def velocity(self, motion: Motion) -> Vector3:
        """v (m/s) of the contacting material relative to the surface; called where `why_no_friction` is empty."""
        raise TypeError(f"{self.title} has no position in space")

    def touching_points(self) -> tuple[Point, ...]:
        """The points of the contacting bodies; none where it has no position in space."""
        return ()

    def applications(self, motion: Motion) -> tuple[Application, ...]:
        """Where its force acts, on each of the two bodies; none where that is unknown, as of an expression."""
        return ()

    def place(self, motion: Motion) -> tuple[Vector3, Vector3]:
        """The contact point, and the unit normal there, along which a positive force pushes.

        The contact point is given relative to the root of the tree of points; all components are in N.

        Raises
        ------
        TypeError
            If it has no position in space.
        """
        raise TypeError(f"{self.title} has no position in space")


def find_contact(contacts: Sequence[Unilateral], wanted: Unilateral | str) -> int:
    """The index of a contact, from itself, its name, or the name of its contacting part where that is unique.

    Raises
    ------
    KeyError
        If there is no such contact, or if the name is ambiguous.

    Examples
    --------
    >>> from sympact import Contact, Plane
    >>> floor = Plane(Point("O"), ReferenceFrame("N").z)
    >>> contacts = tuple(Contact(Point(name), floor, restitution=1, friction=0) for name in "PQ")
    >>> find_contact(contacts, "Q on O"), find_contact(contacts, "Q")
    (1, 1)
    """
    for match in (
        [i for i, contact in enumerate(contacts) if contact is wanted or contact.name == wanted],
        [i for i, contact in enumerate(contacts) if contact.short_name == wanted],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            names = ", ".join(f"'{contacts[i].name}'" for i in match)
            raise KeyError(f"'{wanted}' may mean the contacts {names}; say which")
    names = ", ".join(f"'{contact.name}'" for contact in contacts) or "none"
    near = suggestion(wanted, [contact.name for contact in contacts])
    raise KeyError(f"there is no contact {wanted!r}; the model's contacts are {names}{near}")


def read_active(given: object, title: str) -> Boolean:
    """The condition under which a contact is active.

    Raises
    ------
    TypeError
        If it is no condition, or always false.
    """
    try:
        active = sympify(given, strict=True)
    except SympifyError:
        active = None
    if not isinstance(active, Boolean) or isinstance(active, Expr) or active == false:
        raise TypeError(f"active of {title} is {given!r}, expected a condition such as q > 0, under which it is active")
    return active


def read_expression(value: object, what: str) -> Expr:
    """A number or expression as SymPy has it; `what` describes it in a `TypeError`."""
    try:
        expression = None if has_unit(value) else sympify(value, strict=True)
    except SympifyError:
        expression = None
    if not isinstance(expression, Expr):
        raise TypeError(f"{what} is a number or a sympy expression; found {described(value)}")
    return expression


def read_length(value: object, what: str, cure: str = "") -> Expr:
    """A length as an expression; a number must be positive and finite."""
    expression = read_expression(value, what)
    if expression.is_number and not (expression.is_real and 0 < float(expression) < math.inf):
        raise ValueError(f"{what} is {sstr(expression, full_prec=False)}, expected a positive length{cure}")
    return expression


def read_restitution(value: object, title: str) -> Expr:
    """A coefficient of restitution; a number must be one from 0 to 1."""
    restitution = read_expression(value, f"the restitution of {title}")
    if restitution.is_number and not (restitution.is_real and 0 <= float(restitution) <= 1):
        raise ValueError(
            f"the restitution of {title} is {sstr(restitution, full_prec=False)}, expected a number from 0 (no rebound)"
            " to 1 (no loss)"
        )
    return restitution


def read_friction(kinetic: object, static: object, title: str) -> tuple[Expr, Expr]:
    """The coefficients of friction; numbers must not be negative, nor the static one less than the kinetic one.

    The static one is by default the kinetic one where nothing slips.
    """
    slips = read_expression(kinetic, f"the friction of {title}")
    begins = slips.subs(slip_speed, 0)
    both = {
        "friction": slips,
        "static friction": begins if static is None else read_expression(static, f"the static friction of {title}"),
    }
    if begins.has(nan, zoo, oo) and begins != slips:
        raise ValueError(
            f"the friction of {title} is {sstr(slips, full_prec=False)}, which has no finite value at the slip 0, "
            "where slips begin and end"
        )
    for what, value in both.items():
        if value.is_number and not (value.is_extended_real and float(value) >= 0):
            raise ValueError(
                f"the {what} of {title} is {sstr(value, full_prec=False)}, expected a number that is not negative; for "
                "none write friction=0, where nothing slips friction=oo"
            )
    sticks = both["static friction"]
    if sticks.has(slip_speed):
        raise ValueError(
            f"the static friction of {title} is {sstr(sticks, full_prec=False)}; expected an expression without "
            "slip_speed, as it acts where nothing slips"
        )
    if begins.is_number and sticks.is_number and float(sticks) < float(begins):
        at_rest = "" if begins == slips else " where its slip is 0"
        raise ValueError(
            f"the static friction of {title} is {sstr(sticks, full_prec=False)}, less than its friction "
            f"{sstr(begins, full_prec=False)}{at_rest}; a sticking contact resists at least as much as a slipping one"
        )
    return slips, sticks


def read_name(name: object, title: str) -> None:
    """Refuse a name that is no text."""
    if not isinstance(name, str):
        raise TypeError(f"the name of {title} is {name!r}, expected a text such as 'tip'")
