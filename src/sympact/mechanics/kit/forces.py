"""Symbols of the forces of contacts and constraints."""

from __future__ import annotations

from sympy import Basic, Symbol
from sympy.physics.vector import vsstrrepr

__all__ = ["FORCE", "TORQUE", "NormalForce", "Reaction", "forces_in"]

FORCE, TORQUE = "force", "torque"
"""The parts of a reaction that are no multipliers: magnitudes."""


class NormalForce(Symbol):
    """The normal force of a contact (N) in conditions: zero while the contact is open.

    The events of a run and the boundaries of transitions may contain it, see :doc:`/how-to/conditions`.

    Parameters
    ----------
    contact : Contact, Limit, String or str
        The contact, or its name.

    Examples
    --------
    A rod slides down a wall; the force between its end and the wall decreases before the end loses contact:

    >>> from sympact import Crossing
    >>> from sympact.models import rod_on_wall
    >>> rod = rod_on_wall()
    >>> on_wall = rod.model.normal_forces[0]
    >>> on_wall
    lambda_N(A on wall)
    >>> result = rod.simulate(events={"faint": Crossing(on_wall - 0.5, -1)})
    >>> bool(result.events["faint"].t[-1] < result.events.of("A on wall").t[-1])
    True
    """

    __slots__ = ("contact",)

    contact: str

    def __new__(cls, contact: object) -> NormalForce:
        """The symbol of a contact."""
        name = str(getattr(contact, "name", contact))
        made = super().__new__(cls, f"lambda_N({name})", real=True)
        made.contact = name
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, bool]]:
        return (self.contact,), {}


class Reaction(Symbol):
    """The reaction of a bilateral constraint in conditions: a multiplier, or the magnitude of a force or torque.

    With it a latch lets go where its force reaches a limit, see :doc:`/how-to/latches`; the events of a run and the
    boundaries of transitions may contain it, too. An open latch has none.

    Parameters
    ----------
    constraint : Constraint, Latch, Expr or str
        The constraint as the model has it, the expression that is zero, or a name; of a latch its constraint or its
        name.
    part : str, optional
        The name of an equation of the constraint, such as "along x", for its multiplier in ``result.reaction``; "force"
        (N) or "torque" (N m) for the magnitude of ``result.reaction.force`` or ``torque``, of a closure. Without it the
        multiplier of a constraint that has one equation.

    Raises
    ------
    TypeError
        If the part is no text.

    Examples
    --------
    The rod of a pendulum, which pushes where its multiplier is positive, breaks where it pulls with 25 N:

    >>> from sympact import Latch, Reaction, RodClosure
    >>> from sympy.physics.vector import Point
    >>> rod = RodClosure(Point("O"), Point("P"), 1, name="rod")
    >>> Latch(rod, closed=True, opens=-Reaction(rod) > 25).opens
    -kappa(rod) > 25
    >>> Reaction(rod, "force")
    kappa(rod)[force]
    """

    __slots__ = ("constraint", "part")

    constraint: str
    part: str

    def __new__(cls, constraint: object, part: str = "") -> Reaction:
        """The symbol of a constraint."""
        if not isinstance(part, str):
            raise TypeError(
                f"the part of a Reaction is {part!r}, expected a text: the name of an equation such as 'along x', "
                "'force' or 'torque'"
            )
        name = getattr(constraint, "name", constraint)
        name = name if isinstance(name, str) else vsstrrepr(name)
        made = super().__new__(cls, f"kappa({name})[{part}]" if part else f"kappa({name})", real=True)
        made.constraint, made.part = name, part
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, bool]]:
        return (self.constraint, self.part), {}


def forces_in(expression: Basic) -> list[NormalForce | Reaction]:
    """The forces of contacts and constraints in an expression, in the order of their names."""
    return sorted(expression.atoms(NormalForce, Reaction), key=lambda force: force.name)
