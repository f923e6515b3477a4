"""The resolution of simultaneous impacts: at once, one by one, or by the ratio of the forces."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from sympact.contact.laws.impact_laws import Energetic, ImpactLaw, Plan, Resolution
from sympact.integrate.problem.real import described, whole
from sympact.native.kernel import Unit

__all__ = ["ImpulseRatio", "Sequential", "Simultaneous"]

_ORDERS = ("fastest", "first", "last")


@dataclass(frozen=True, repr=False)
class Simultaneous(Resolution):
    """All impacts at one instant are resolved at once, in one complementarity problem.

    Without friction the motion after is unique. Impulses of redundant contacts (four corners on a plane) are not: those
    of least norm are given, so that a symmetric impact has symmetric impulses.

    Examples
    --------
    >>> from sympact.contact import Newton
    >>> Newton().solver(Simultaneous(), friction=False).name
    'sympact.contact.problem.frictionless_kernel.solve'
    """

    stepped = True

    def plan(self, law: ImpactLaw, friction: bool) -> Plan:
        """The plan of the solution of impacts by a law."""
        return law.together(friction)


@dataclass(frozen=True, repr=False)
class Sequential(Resolution):
    """One contact at a time, at one instant, until no contact approaches any more.

    Each impact is that of a single contact by the law, with the speeds after the one before. In a row of equal balls
    with e = 1 the impact is transmitted to the last one, as in a real cradle, because each impact ends before the next
    begins. In general the outcome depends on the order (Ivanov); compare orders where it matters.

    The sequence need not end: with e < 1 bodies between others may have ever weaker impacts. An approach below 1e-12 of
    the largest one before counts as none; after `max_impacts` single impacts a run ends with the status
    ``UNENDED_IMPACT``.

    Parameters
    ----------
    order : str
        The next contact: "fastest", the one with the largest approach speed (the first of equals); "first" or "last",
        the first or the last in the list of approaching contacts.
    max_impacts : int
        The largest number of single impacts.

    Raises
    ------
    ValueError
        If the order is another string, or the number is no positive whole number.

    References
    ----------
    - A. P. Ivanov, "On multiple impact", Journal of Applied Mathematics and Mechanics 59 (1995).

    Examples
    --------
    Three equal balls, of which the first hits the second, which touches the third:

    >>> import numpy as np
    >>> from sympact.contact import solve_impact
    >>> rows, u = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]]), np.array([1.0, 0.0, 0.0])
    >>> (u + solve_impact(np.eye(3), rows, rows @ u, 1.0, resolution=Sequential()).speed_change).round(12)
    array([0., 0., 1.])
    """

    order: str = "fastest"
    max_impacts: int = 1000

    def __post_init__(self) -> None:
        if self.order not in _ORDERS:
            raise ValueError(f"the order of single impacts is {self.order!r}, expected one of {', '.join(_ORDERS)}")
        cap = self.max_impacts
        if whole(cap) is None:
            raise ValueError(f"max_impacts is {described(cap)}, expected a positive whole number below 2**63")

    def plan(self, law: ImpactLaw, friction: bool) -> Plan:
        """The plan of the solution of impacts by a law."""
        alone = law.together(friction)
        numbers = {**alone.numbers, "max_impacts": self.max_impacts, "impact_order": _ORDERS.index(self.order)}
        solver = Unit("sympact.contact.laws.sequential_kernel", "solve")
        return replace(alone, solver=solver, inner=alone.solver, rows=True, shared=True, numbers=numbers)


@dataclass(frozen=True, repr=False)
class ImpulseRatio(Resolution):
    """Impulses grow in the ratio of the forces of compressed contacts, by Liu, Zhao and Brogliato.

    Each contact is a spring of zero length, F = k x^eta. Eliminating x for the work E that it stores,

        dP_i / dP_j = (k_i / k_j)^(1/(eta+1)) (E_i / E_j)^(eta/(eta+1)).

    Only ratios of stiffnesses count, and bodies do not move. A wave travels through a row of balls, and the outcome
    lies between those of `Simultaneous` and `Sequential`. This variant uses the energetic coefficient (`Energetic`):
    compression stores -gamma dP, expansion releases gamma dP / e^2 of the stored work, so that e^2 of the work is
    returned ("bi-stiffness"); with e = 0 a contact separates at the end of compression, and may be compressed again.
    The path is integrated over a parameter common to all contacts instead of the impulse of a primary one, which gives
    the same path and starts without a singularity.

    Friction depends on the slip of each contact along that path by Coulomb's law: it opposes the slip with mu dP, or
    keeps zero slip with at most mu dP. It only dissipates energy, so that the energy never grows. A single contact is
    that of `Energetic`. Where friction locks the contacts, so that impulses move nothing any more, the stored work is
    lost, and `Event.factor` is 0.

    Parameters
    ----------
    stiffness : number or sequence of numbers
        k of each contact, in their order, in any common unit; one number if all are equal.
    exponent : number
        eta: 1 for linear springs, 3/2 for Hertz's contact of round bodies.

    Raises
    ------
    ValueError
        If a stiffness or the exponent is not a positive number.

    References
    ----------
    - C. Liu, Z. Zhao and B. Brogliato, "Frictionless multiple impacts in multibody systems. I. Theoretical
      framework", Proceedings of the Royal Society A 464 (2008), pp. 3193-3211.
    - Z. Zhao, C. Liu and B. Brogliato, "Planar dynamics of a rigid body system with frictional impacts. II. Qualitative
      analysis and numerical simulations", Proceedings of the Royal Society A 465 (2009), pp. 2267-2292.

    Examples
    --------
    Three equal balls in a row with Hertz's contacts; the last leaves with less than all of the speed:

    >>> import numpy as np
    >>> from sympact.contact import Energetic, solve_impact
    >>> rows, u = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]]), np.array([1.0, 0.0, 0.0])
    >>> hertz = ImpulseRatio(stiffness=1, exponent=1.5)
    >>> change = solve_impact(np.eye(3), rows, rows @ u, 1.0, law=Energetic(), resolution=hertz).speed_change
    >>> (u + change).round(4)
    array([-0.071 ,  0.0764,  0.9945])
    """

    stiffness: float | tuple[float, ...]
    exponent: float

    def __post_init__(self) -> None:
        stiffness: Any = self.stiffness  # any other object
        many = isinstance(stiffness, Iterable) and not isinstance(stiffness, str)
        given = tuple(stiffness) if many else (stiffness,)
        for what, value in (*(("a stiffness", k) for k in given), ("the exponent", self.exponent)):
            if not isinstance(value, Real) or isinstance(value, bool) or value <= 0 or not value <= sys.float_info.max:
                raise ValueError(f"{what} of ImpulseRatio is {described(value)}, expected a positive number")
        if not given:
            raise ValueError("the stiffnesses of ImpulseRatio are an empty list, expected a number for each contact")
        object.__setattr__(self, "stiffness", tuple(map(float, given)) if many else float(stiffness))
        object.__setattr__(self, "exponent", float(self.exponent))

    def narrowed(self, contacts: Sequence[int]) -> ImpulseRatio:
        """The rule for some contacts alone, by their indices, with their stiffnesses."""
        if not isinstance(self.stiffness, tuple) or len(self.stiffness) == 1 or not contacts:
            return self
        return replace(self, stiffness=tuple(self.stiffness[k] for k in contacts))

    def plan(self, law: ImpactLaw, friction: bool) -> Plan:
        """The plan of the solution of impacts by a law."""
        if law != Energetic():
            raise ValueError(
                f"ImpulseRatio follows the work that contacts store and is defined with impact=Energetic() only; found "
                f"{law!r}; use Energetic(), or Simultaneous() or Sequential() with this law"
            )
        given = self.stiffness if isinstance(self.stiffness, tuple) else (self.stiffness,)
        solver = Unit("sympact.contact.laws.impulse_ratio_kernel", "solve")
        alone = law.together(friction).solver
        return Plan(
            solver, alone, rows=True, shared=True, numbers={"stiffness_exponent": self.exponent}, stiffness=given
        )
