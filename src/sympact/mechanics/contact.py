"""A point that may touch a surface, and how it rebounds."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from sympy import Expr, sstr
from sympy.physics.vector import Point

from sympact.mechanics.surfaces import Surface, read_expression

__all__ = ["Contact", "find_contact"]


@dataclass(frozen=True, eq=False)
class Contact:
    """A point of a body that may touch a surface.

    Parameters
    ----------
    point : Point
        The point, usually fixed in a body.
    surface : Surface
        What it may touch: a `Plane`, a `Sphere`, or a `Surface` of your own.
    restitution : number or Expr
        Newton's coefficient of restitution e, from 0 to 1; may be an expression of parameters.
    friction : number or Expr
        Coulomb's coefficient of friction mu, at least 0: of a contact that slips, and of impacts. May be an expression
        of parameters.
    static_friction : number or Expr, optional
        The coefficient up to which a contact sticks, at least `friction`, and the same unless it is given.
    name : str, optional
        The name in tables and results; by default those of point and surface.

    Raises
    ------
    TypeError
        If `point` is no `Point`, `surface` no `Surface`, `name` no text, or a coefficient no number or expression.
    ValueError
        If the restitution is a number outside 0..1, a coefficient of friction a negative number, or that of sticking a
        smaller number than that of slipping.

    Examples
    --------
    >>> from sympact import Plane
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    >>> Contact(P, Plane(O, N.z), restitution=0.8, friction=0).name
    'P on O'
    """

    point: Point
    surface: Surface
    _: KW_ONLY
    restitution: Expr
    friction: Expr
    static_friction: Expr | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.point, Point):
            raise TypeError(f"the point of a contact is a sympy Point; found {self.point!r}")
        if not isinstance(self.surface, Surface):
            raise TypeError(f"the surface of a contact is a Plane, a Sphere or another Surface; found {self.surface!r}")
        if self.name is None:
            object.__setattr__(self, "name", f"{self.point.name} on {self.surface.name}")
        if not isinstance(self.name, str):
            raise TypeError(f"the name of a contact is {self.name!r}, expected a text such as 'tip'")
        if self.static_friction is None:
            object.__setattr__(self, "static_friction", self.friction)
        for what in ("restitution", "friction", "static_friction"):
            words = what.replace("_", " ")
            value = read_expression(getattr(self, what), f"the {words} of the contact '{self.name}'")
            object.__setattr__(self, what, value)
        if self.restitution.is_number and not _within_unit_interval(self.restitution):
            raise ValueError(
                f"the restitution of the contact '{self.name}' is {sstr(self.restitution, full_prec=False)}, expected "
                "a number from 0 (no rebound) to 1 (no loss)"
            )
        self._check_friction()

    @property
    def rubs(self) -> bool:
        """Whether there may be friction: a coefficient that is not the number zero."""
        return not (self.friction.is_zero and self.static_friction.is_zero)

    def _check_friction(self) -> None:
        for what, value in (("friction", self.friction), ("static friction", self.static_friction)):
            if value.is_number and not (value.is_real and value.is_finite and float(value) >= 0):
                raise ValueError(
                    f"the {what} of the contact '{self.name}' is {sstr(value, full_prec=False)}, expected a finite "
                    "number that is not negative; for none write friction=0"
                )
        both = (self.friction, self.static_friction)
        if all(value.is_number for value in both) and float(self.static_friction) < float(self.friction):
            slips, sticks = (sstr(value, full_prec=False) for value in both)
            raise ValueError(
                f"the static friction of the contact '{self.name}' is {sticks}, less than its friction {slips}; a "
                "contact that sticks holds at least as much as one that slips"
            )


def find_contact(contacts: tuple[Contact, ...], wanted: Contact | str) -> int:
    """The index of a contact, given itself, its name, or the name of its point where that is enough.

    Raises
    ------
    KeyError
        If there is no such contact, or if several are meant.

    Examples
    --------
    >>> from sympact import Plane
    >>> from sympy.physics.mechanics import ReferenceFrame
    >>> floor = Plane(Point("O"), ReferenceFrame("N").z)
    >>> contacts = tuple(Contact(Point(name), floor, restitution=1, friction=0) for name in "PQ")
    >>> find_contact(contacts, "Q on O"), find_contact(contacts, "Q")
    (1, 1)
    """
    for match in (
        [i for i, contact in enumerate(contacts) if contact is wanted or contact.name == wanted],
        [i for i, contact in enumerate(contacts) if contact.point.name == wanted],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            names = ", ".join(f"'{contacts[i].name}'" for i in match)
            raise KeyError(f"'{wanted}' may mean the contacts {names}; say which")
    names = ", ".join(f"'{contact.name}'" for contact in contacts) or "none"
    raise KeyError(f"there is no contact {wanted!r}; the model's contacts are {names}")


def _within_unit_interval(value: Expr) -> bool:
    return bool(value.is_real) and 0 <= float(value) <= 1
