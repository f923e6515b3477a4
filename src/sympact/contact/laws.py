"""Impact laws, and how contacts that hit at the same time are resolved.

A law and a resolution name the machine code that solves the impact problem. The transition of a stage calls it by
address, whatever the law, and the loop knows of neither.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sympact.integrate.unit import Unit

__all__ = ["ImpactLaw", "Newton", "Resolution", "Simultaneous"]


class Resolution(ABC):
    """How several contacts at once are resolved.

    Attributes
    ----------
    stepped : bool
        Whether it resolves all contacts of a time step in one problem.
    """

    stepped = False

    @abstractmethod
    def restitution_solver(self, friction: bool) -> Unit:
        """The solver for the law that ties each gap rate after the impact to the one before by a restitution."""


class ImpactLaw(ABC):
    """What a contact does to the motion in an impact.

    Attributes
    ----------
    stepped : bool
        Whether its solver takes gamma+ + e gamma- >= 0 with any number for e gamma-, as time stepping poses it.
    """

    stepped = False

    @abstractmethod
    def solver(self, resolution: Resolution, friction: bool) -> Unit:
        """The unit ``int64(int64)`` that solves the impact problem posed in a table of `ContactData`.

        With `friction` the slip of the participants is posed, too, and tangential impulses are part of the answer.
        """


@dataclass(frozen=True)
class Newton(ImpactLaw):
    """Newton's law of restitution: a contact leaves with e times the speed at which it came, gamma+ = -e gamma-.

    The speeds jump by Lagrange's impact equations, M (u+ - u-) = W Lambda. For a single frictionless contact

        Lambda = -(1 + e) gamma- / (W^T M^-1 W).

    For several at once, in Moreau's form [1]_, 0 <= Lambda _|_ gamma+ + e gamma- >= 0 for each: either a contact pushes
    and obeys the law, or others make it leave faster than the law asks, and it does not push.

    The energy that the contacts take up is sum of Lambda (gamma+ + gamma-)/2. It is never positive when all e are equal
    and at most 1. With different e it can be: a rod whose ends move at +1/2 (e = 0) and -1 (e = 1) gains a third of its
    energy.

    References
    ----------
    .. [1] J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in: Nonsmooth Mechanics and
       Applications, CISM Courses and Lectures 302, Springer, 1988, pp. 1-82.

    Examples
    --------
    >>> Newton()
    Newton()
    """

    stepped = True

    def solver(self, resolution: Resolution, friction: bool) -> Unit:
        """The unit ``int64(int64)`` that solves the impact problem posed in a table of `ContactData`."""
        return resolution.restitution_solver(friction)


@dataclass(frozen=True)
class Simultaneous(Resolution):
    """All contacts that hit at the same time exchange their impulses at once, in one complementarity problem.

    The motion after is unique. Impulses of redundant contacts (four corners on a plane) are not: those of least norm
    are taken, so that a symmetric impact has symmetric impulses.

    Examples
    --------
    >>> Newton().solver(Simultaneous(), friction=False).name
    'sympact.contact.restitution_kernel.solve'
    """

    stepped = True

    def restitution_solver(self, friction: bool) -> Unit:
        """The solver for the law that ties each gap rate after the impact to the one before by a restitution."""
        return Unit(f"sympact.contact.{'coulomb' if friction else 'restitution'}_kernel", "solve")
