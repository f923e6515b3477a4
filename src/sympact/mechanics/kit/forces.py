"""Symbols of contact forces."""

from __future__ import annotations

from sympy import Basic, Symbol

__all__ = ["NormalForce", "forces_in"]


class NormalForce(Symbol):
    """The normal force of a contact (N) in the events of a run: zero while the contact is open.

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


def forces_in(expression: Basic) -> list[NormalForce]:
    """The contact forces in an expression, in the order of their names."""
    return sorted(expression.atoms(NormalForce), key=lambda force: force.contact)
