"""Impact laws, and how contacts that hit at the same time are resolved.

A law and a resolution name the machine code of the jump between them; the loop calls it by address and knows of neither.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from sympact.integrate.unit import Unit

__all__ = ["ImpactLaw", "Newton", "Resolution", "Simultaneous"]

_SIGNATURE = "int64(float64, int64, int64, int64, int64, int64)"


class Resolution(ABC):
    """How several contacts at once are resolved."""

    @abstractmethod
    def restitution(self) -> Unit:
        """The transition for laws that relate each contact's gap rates before and after by its restitution."""


class ImpactLaw(ABC):
    """What a contact does to the motion."""

    @abstractmethod
    def transition(self, resolution: Resolution) -> Unit:
        """The transition of a stage whose contacts obey this law; its data are those of `ImpactData`."""


@dataclass(frozen=True)
class Newton(ImpactLaw):
    """Newton's law of restitution: a contact leaves with e times the speed at which it came, gamma+ = -e gamma-.

    The speeds jump by Lagrange's impact equations, M (u+ - u-) = W Lambda. For a single frictionless contact

        Lambda = -(1 + e) gamma- / (W^T M^-1 W).

    For several at once, in Moreau's form: 0 <= Lambda _|_ gamma+ + e gamma- >= 0 for each. A contact either pushes and obeys
    the law, or another one has made it leave faster than the law asks, and it does not push [1]_.

    The energy that the contacts take up is sum of Lambda (gamma+ + gamma-)/2. It is never positive when all e are equal and at
    most 1. With different e it can be: a rod whose ends move at +1/2 (e = 0) and -1 (e = 1) gains a third of its energy.

    References
    ----------
    .. [1] J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in: Nonsmooth Mechanics and
       Applications, CISM Courses and Lectures 302, Springer, 1988, pp. 1-82.

    Examples
    --------
    >>> Newton()
    Newton()
    """

    def transition(self, resolution: Resolution) -> Unit:
        """The transition of a stage whose contacts obey this law; its data are those of `ImpactData`."""
        return resolution.restitution()


@dataclass(frozen=True)
class Simultaneous(Resolution):
    """All contacts that hit at the same time exchange their impulses at once, by one complementarity problem.

    The motion after is unique. Impulses of redundant contacts (four corners on a plane) are not: those of least norm are taken,
    so that a symmetric impact has symmetric impulses.

    Examples
    --------
    >>> Newton().transition(Simultaneous()).name
    'sympact.contact.impact_kernel.impact'
    """

    def restitution(self) -> Unit:
        """The transition for laws that relate each contact's gap rates before and after by its restitution."""
        return Unit("sympact.contact.impact_kernel", "impact", _SIGNATURE)
