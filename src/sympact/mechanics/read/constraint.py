"""Bilateral constraints of a model: conditions on positions, phi(q, t) = 0, or on speeds, A u + a = 0."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from sympy import Derivative, Expr, GreaterThan, LessThan, StrictGreaterThan, StrictLessThan
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.physics.vector import ReferenceFrame, dynamicsymbols, vsstrrepr

from sympact.graph.formula import Scalar
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import POSITION, VELOCITY, leaves
from sympact.mechanics.read.restraint import Restraint
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.unilateral import Part, read_expression, read_name

__all__ = ["Acceleration", "Constraint", "Holonomic", "Nonholonomic", "read_constraint", "read_constraints"]


class Constraint(ABC):
    """One or more equations that the motion satisfies.

    Attributes
    ----------
    name : str
        The name in tables and results; the rows of one constraint share it.
    """

    kind: ClassVar[str]
    """The kind, for messages."""

    unit: ClassVar[str] = ""
    """The unit of its multipliers, where its restraints do not have it."""

    further: ClassVar[int] = POSITION
    """How often its expressions are still differentiated with respect to time: `POSITION` for phi, `VELOCITY` for
    A u + a."""

    name: str

    @property
    def title(self) -> str:
        """The kind and the name: "the holonomic constraint 'rod'"."""
        return f"the {self.kind} '{self.name}'"

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The objects on which it depends."""

    @abstractmethod
    def equations(self, motion: Motion) -> Mapping[str, Scalar]:
        """The expressions that are zero, phi or A u + a, by names of components; of one alone the name is empty."""

    def restraints(self, inertial: ReferenceFrame) -> Mapping[str, Restraint]:
        """The forces that belong to its equations, by the names of these; none where it does not say on which bodies
        they act."""
        return {}

    def unfit(self, q: Collection[Expr], u: Collection[Expr]) -> str:
        """Why its expressions are no such constraint of these coordinates and speeds, with the cure; empty if so."""
        return ""

    def is_called(self, wanted: object) -> bool:
        """Whether it is meant: by itself, or by its name."""
        return self is wanted or (isinstance(wanted, str) and self.name == wanted)

    def is_written(self, wanted: Expr) -> bool:
        """Whether it is meant by an expression."""
        return False


@dataclass(frozen=True, eq=False)
class Holonomic(Constraint):
    """A condition on positions, phi(q, t) = 0.

    Parameters
    ----------
    expression : Expr
        phi, of coordinates, time, parameters and inputs.
    name : str, optional
        The name in tables and results; by default the expression.

    Raises
    ------
    TypeError
        If the expression is no number or expression, or `name` no text.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = dynamicsymbols("x y")
    >>> Holonomic(x**2 + y**2 - symbols("l") ** 2, "rod").title
    "the holonomic constraint 'rod'"
    """

    kind: ClassVar[str] = "holonomic constraint"
    unit: ClassVar[str] = "J by the unit of phi"

    expression: Expr
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        _read(self)

    def parts(self) -> tuple[Part]:
        """The expression."""
        return (Part(self.title, scalars=(self.expression,)),)

    def equations(self, motion: Motion) -> dict[str, Scalar]:
        """phi."""
        return {"": motion.read(self.expression)}

    def is_written(self, wanted: Expr) -> bool:
        """Whether this is its expression."""
        return self.expression == wanted

    def unfit(self, q: Collection[Expr], u: Collection[Expr]) -> str:
        """Speeds and derivatives of coordinates, or no coordinate at all."""
        found = list(leaves(self.expression))
        moving = [leaf for leaf in found if leaf in u or _derived(leaf) in q]
        if moving:
            return (
                f"contains {moving[0]}, but positions alone are expected in it; give a condition on speeds as a "
                "nonholonomic constraint"
            )
        if not any(leaf in q for leaf in found):
            return f"contains no coordinate (found {vsstrrepr(self.expression)} = 0), so that no motion can meet it"
        return ""


@dataclass(frozen=True, eq=False)
class Nonholonomic(Constraint):
    """A condition on speeds, A(q, t) u + a(q, t) = 0.

    Parameters
    ----------
    expression : Expr
        A u + a, linear in the generalized speeds and in the derivatives of the coordinates.
    name : str, optional
        The name in tables and results; by default the expression.

    Raises
    ------
    TypeError
        If the expression is no number or expression, or `name` no text.

    Examples
    --------
    >>> x, theta = dynamicsymbols("x theta")
    >>> Nonholonomic(x.diff() - 0.3 * theta.diff(), "rolls").name
    'rolls'
    """

    kind: ClassVar[str] = "nonholonomic constraint"
    unit: ClassVar[str] = "W by the unit of A u + a"
    further: ClassVar[int] = VELOCITY

    expression: Expr
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        _read(self)

    def parts(self) -> tuple[Part]:
        """The expression."""
        return (Part(self.title, scalars=(self.expression,)),)

    def equations(self, motion: Motion) -> dict[str, Scalar]:
        """A u + a."""
        return {"": motion.read(self.expression)}

    def is_written(self, wanted: Expr) -> bool:
        """Whether this is its expression."""
        return self.expression == wanted

    def unfit(self, q: Collection[Expr], u: Collection[Expr]) -> str:
        """Accelerations, or no speed at all."""
        rates = {coordinate.diff(dynamicsymbols._t) for coordinate in q}
        found = list(leaves(self.expression))
        late = [leaf for leaf in found if leaf not in u and leaf not in rates and _is_acceleration(leaf, q, u)]
        if late:
            return f"contains the acceleration {late[0]}, but speeds alone are expected in it"
        if not any(leaf in u or leaf in rates for leaf in found):
            return (
                f"contains no speed (found {vsstrrepr(self.expression)} = 0); give a condition on coordinates as a "
                "holonomic constraint"
            )
        return ""


@dataclass(frozen=True, eq=False)
class Acceleration(Constraint):
    """A condition on the derivatives of the speeds, A u' + c = 0, which must follow from the other constraints.

    Attributes
    ----------
    coefficients : tuple of Expr
        A, one for each speed.
    rest : Expr
        c, of coordinates, speeds and time.
    """

    kind: ClassVar[str] = "acceleration constraint"
    further: ClassVar[int] = VELOCITY

    coefficients: tuple[Expr, ...]
    rest: Expr
    name: str = LEFT_OUT

    def parts(self) -> tuple[Part]:
        """The coefficients and the rest."""
        return (Part(self.title, scalars=(*self.coefficients, self.rest)),)

    def equations(self, motion: Motion) -> dict[str, Scalar]:
        """The coefficients and the rest, numbered."""
        return {str(i): motion.read(entry) for i, entry in enumerate((*self.coefficients, self.rest))}


def read_constraints(given: Iterable[object], q: Collection[Expr], u: Collection[Expr]) -> tuple[Constraint, ...]:
    """Constraints as a user gives them: objects, or expressions that are zero.

    An expression with a speed or a derivative of a coordinate is a nonholonomic constraint, any other a holonomic one.

    Raises
    ------
    TypeError
        If one is neither a constraint nor an expression.
    """
    if isinstance(given, str | Expr | Constraint) or not isinstance(given, Iterable):
        raise TypeError(f"constraints: expected a list of constraints or expressions that are zero; found {given!r}")
    return tuple(read_constraint(one, q, u) for one in given)


def read_constraint(given: object, q: Collection[Expr], u: Collection[Expr], name: str = LEFT_OUT) -> Constraint:
    """As `read_constraints`, one alone; the name is that of an expression."""
    if isinstance(given, Constraint):
        return given
    what = "a constraint that is no Holonomic, Nonholonomic or closure"
    expression = read_expression(_without_relation(given, what), what)
    fast = any(leaf in u or _derived(leaf) in q for leaf in leaves(expression))
    return Nonholonomic(expression, name) if fast else Holonomic(expression, name)


def _read(constraint: Holonomic | Nonholonomic) -> None:
    """The expression and the name of a constraint, as SymPy has them."""
    kind = type(constraint).__name__
    what = f"what a {kind} constraint keeps at zero"
    expression = read_expression(_without_relation(constraint.expression, what), what)
    object.__setattr__(constraint, "expression", expression)
    if constraint.name is None:
        object.__setattr__(constraint, "name", vsstrrepr(expression))
    read_name(constraint.name, f"a {constraint.kind}")


def _without_relation(given: object, what: str) -> object:
    """What is given, unless it is an equation or an inequality.

    Raises
    ------
    TypeError
        If it is one, with what to write in its place.
    """
    if not isinstance(given, Relational):
        return given
    cure = f"write {vsstrrepr(given.lhs - given.rhs)}"
    if isinstance(given, StrictGreaterThan | GreaterThan | StrictLessThan | LessThan):
        above = vsstrrepr(given.gts - given.lts)
        cure = f"an inequality is a contact, Limit({above}, restitution=...)"
    raise TypeError(f"{what} is an expression that is zero; found {vsstrrepr(given)}; {cure}")


def _derived(leaf: Expr) -> AppliedUndef | None:
    """The function of time of which a leaf is a derivative."""
    return leaf.expr if isinstance(leaf, Derivative) else None


def _is_acceleration(leaf: Expr, q: Collection[Expr], u: Collection[Expr]) -> bool:
    function = _derived(leaf)
    return function is not None and (function in q or function in u)
