"""Impact laws, and the resolution of simultaneous impacts.

A law and a resolution determine the compiled solver of the impact problem. The transition of a stage calls it by
address, whatever the law; the loop does not depend on either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from typing import Any

import numpy as np

from sympact.contact.memory.routh_ends import BY_IMPULSE, BY_RATE
from sympact.integrate.problem.real import described
from sympact.integrate.problem.travel import check_travels
from sympact.native.kernel import Unit

__all__ = ["CustomLaw", "Energetic", "ImpactLaw", "Newton", "Plan", "Plastic", "Poisson", "Resolution"]


def _unit(name: str) -> Unit:
    return Unit(f"sympact.contact.{name}_kernel", "solve")


@dataclass(frozen=True)
class Plan:
    """The plan of the solution of a run's impacts.

    Attributes
    ----------
    solver : Unit
        The unit ``int64(int64)`` that solves the problem in a table of `ContactData`.
    inner : Unit or None
        The unit that `solver` calls for one contact alone.
    several : Unit or None
        The unit that it calls for several contacts at once.
    rows : bool
        Whether it works with three rows for each contact, also in models without friction.
    shared : bool
        Whether restitution acts on impulses between contacts, so that that of a closed contact counts.
    numbers : mapping of str to float
        Those of `sympact.contact.memory.contacts.Law`, by their names.
    stiffness : tuple of float
        Of the contacts, empty where the law uses no stiffness.
    own : callable or None
        A user's function.
    """

    solver: Unit
    inner: Unit | None = None
    several: Unit | None = None
    rows: bool = False
    shared: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)
    stiffness: tuple[float, ...] = ()
    own: Callable | None = None

    def check(self, contacts: int) -> bool:
        """Whether a Python function is called, after a check that the plan fits the number of contacts.

        Raises
        ------
        ValueError
            If there are stiffnesses for another number of contacts.
        """
        if len(self.stiffness) not in (0, 1, contacts):
            raise ValueError(
                f"ImpulseRatio has {len(self.stiffness)} stiffnesses, expected one for each of the {contacts} "
                "contacts, or one number for all"
            )
        return self.own is not None


def _path(path: object, law: str) -> None:
    """Refuse an invalid path."""
    if path not in (None, "routh"):
        raise ValueError(
            f"the path of {law}'s law is {path!r}, expected None (friction depends on the slip at the end of a "
            'phase) or "routh" (friction follows the slip of a contact through its impact)'
        )


def _followed(phases: Plan, law: int) -> Plan:
    """One contact along Routh's path, several as planned."""
    numbers = {**phases.numbers, "path_end": law}
    return replace(phases, solver=_unit("routh.routh_law"), several=phases.solver, rows=True, numbers=numbers)


def shown(choice: Any) -> str:
    """A law or resolution in its shortest form, without default arguments."""
    chosen = [(f.name, getattr(choice, f.name), f.default) for f in fields(choice)]
    written = ", ".join(f"{name}={value!r}" for name, value, default in chosen if value != default)
    return f"{type(choice).__name__}({written})"


class ImpactLaw(ABC):
    """The impact law of the contacts.

    Attributes
    ----------
    stepped : bool
        Whether its solver accepts gamma+ + e gamma- >= 0 with any number for e gamma-, as in time stepping.
    never_gains : bool
        Whether it guarantees that no impact creates energy; a run in which one does ends with that.
    """

    def __repr__(self) -> str:
        return shown(self)

    @property
    def stepped(self) -> bool:
        """Whether time stepping can use it."""
        return False

    @property
    def never_gains(self) -> bool:
        """Whether it guarantees that no impact creates energy."""
        return False

    def asked(self, before: np.ndarray, restitution: np.ndarray) -> np.ndarray:
        """b, to which G P is added in the first problem of the law; `before` (n, 3) and e (n,) of the participants."""
        return before

    def narrowed(self, contacts: Sequence[int]) -> ImpactLaw:
        """The law for some contacts alone, by their indices; one with numbers for each contact keeps theirs."""
        return self

    @abstractmethod
    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once; with `friction` tangential impulses are part of the solution."""

    @abstractmethod
    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law, with or without friction, and a remedy: part of a sentence."""

    def solver(self, resolution: Resolution, friction: bool = False) -> Unit:
        """The unit ``int64(int64)`` that solves the impact problem in a table of `ContactData`."""
        return resolution.plan(self, friction).solver


class Resolution(ABC):
    """The resolution of simultaneous impacts.

    Attributes
    ----------
    stepped : bool
        Whether it resolves all contacts of a time step in one problem.
    """

    stepped: bool = False

    def __repr__(self) -> str:
        return shown(self)

    def narrowed(self, contacts: Sequence[int]) -> Resolution:
        """The rule for some contacts alone, by their indices; one with numbers for each contact keeps theirs."""
        return self

    @abstractmethod
    def plan(self, law: ImpactLaw, friction: bool) -> Plan:
        """The plan of the solution of impacts by a law.

        Raises
        ------
        ValueError
            If the law is not defined for this resolution.
        """


@dataclass(frozen=True, repr=False)
class Newton(ImpactLaw):
    """Newton's law of restitution: the separation speed is e times the approach speed, gamma+ = -e gamma-.

    The speeds jump by Lagrange's impact equations, M (u+ - u-) = W Lambda. For a single frictionless contact

        Lambda = -(1 + e) gamma- / (W^T M^-1 W).

    For several at once, in Moreau's form (1988), 0 <= Lambda _|_ gamma+ + e gamma- >= 0 for each: either a contact has
    an impulse and satisfies the law, or others make it separate faster than the law requires, and it has no impulse.
    With friction the impulse stays in Coulomb's cone, its tangential part at most mu Lambda_N, and opposes gamma_T+ +
    e_t gamma_T-, where that is not zero, with the largest admissible magnitude.

    With ``path="routh"`` the impact of a single contact with friction is integrated over its normal impulse instead, as
    under `Energetic`, so that friction opposes the slip at each instant, and ends where gamma_N+ = -e gamma_N-. Several
    contacts at once have the form above.

    The energy that the contacts dissipate is the negative sum of Lambda . (gamma+ + gamma-)/2. Without friction this
    sum is never positive when all e are equal and at most 1. With different e it can be: a rod whose ends move at +1/2
    (e = 0) and -1 (e = 1) gains a third of its energy. With friction and e > 0 even a single contact can gain: friction
    that ends or reverses the slip decelerates or accelerates the normal motion, and the law requires e all the same
    (Kane).

    Parameters
    ----------
    tangential : number
        e_t, from 0 to 1: the part of the slip that is reversed (a ball of rubber), as far as friction permits.
    guard : bool
        Whether to reduce the restitutions of all participants of an impact (and e_t) by one factor where the energy
        would grow: the largest factor, found by bisection, with which it does not; see `Event.factor`. There always is
        one, because without restitution no energy is gained. Where friction prevents a rebound it is 0.
    path : "routh", optional
        The slip on which friction depends, see above.

    Raises
    ------
    ValueError
        If `tangential` is no number from 0 to 1, or not 0 along a path; if the path is another string.
    TypeError
        If `guard` is neither True nor False.

    References
    ----------
    - J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", in: Nonsmooth Mechanics and
      Applications, CISM Courses and Lectures 302, Springer, 1988, pp. 1-82.
    - T. R. Kane and D. A. Levinson, Dynamics: Theory and Applications, McGraw-Hill, 1985.

    Examples
    --------
    >>> Newton()
    Newton()
    """

    tangential: float = 0.0
    guard: bool = False
    path: str | None = None

    @property
    def stepped(self) -> bool:
        """Whether time stepping can use it: without tangential restitution, guard and path."""
        return not self.guard and self.tangential == 0.0 and self.path is None

    @property
    def never_gains(self) -> bool:
        """Whether it guarantees that no impact creates energy: with the guard."""
        return self.guard

    def __post_init__(self) -> None:
        value = self.tangential
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
            raise ValueError(
                f"the tangential restitution of Newton's law is {described(value)}, expected a number from 0 to 1"
            )
        if not isinstance(self.guard, bool):
            raise TypeError(f"the guard of Newton's law is {self.guard!r}, expected True or False")
        object.__setattr__(self, "tangential", float(value))
        _path(self.path, "Newton")
        if self.path is not None and self.tangential != 0.0:
            raise ValueError(
                f"Newton's law has the tangential restitution {self.tangential:.6g} and the path {self.path!r}: along "
                "the path friction opposes the slip at each instant, and reverses none; omit one of the two"
            )

    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once."""
        if friction and self.path is not None:
            return _followed(replace(self, path=None).together(friction), BY_RATE)
        if self.guard or (friction and self.tangential != 0.0):
            return Plan(
                _unit("laws.newton"),
                rows=True,
                numbers={"slip_restitution": self.tangential, "energy_guard": self.guard},
            )
        return Plan(_unit("problem.coulomb" if friction else "problem.frictionless"))

    def asked(self, before: np.ndarray, restitution: np.ndarray) -> np.ndarray:
        """v- and its reversed part; without it with the guard."""
        if self.guard:
            return before
        back = np.stack([restitution, *2 * [np.full(len(restitution), self.tangential)]], axis=1)
        return (1.0 + back) * before

    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law."""
        if friction:
            return (
                "Newton's law with friction does this where friction reverses the slip during the impact; use "
                "impact=Energetic(), which never gains, or Newton(guard=True), which reduces restitutions just enough"
            )
        return (
            "Newton's law does this in simultaneous impacts of contacts with different restitutions; give them the "
            "same one, or use impact=Energetic() or Newton(guard=True), which do not gain"
        )


@dataclass(frozen=True, repr=False)
class Poisson(ImpactLaw):
    """Poisson's law of restitution: the impulse of expansion is e times that of compression.

    Compression ends when no contact approaches any more: the impact without restitution, with Coulomb's friction and
    the normal impulses Lambda_c. In expansion each contact has at least the impulse e Lambda_c, and more only to
    prevent its penetration by the impulses of others (Glocker):

        0 <= Lambda_e - e Lambda_c _|_ gamma_N+ >= 0,   friction up to mu Lambda_e opposes the slip after it.

    Each phase is one complementarity problem, so that friction depends on the slip at its end only (Glocker and
    Pfeiffer). With ``path="routh"`` the impact of a single contact with friction is integrated over its normal impulse
    p instead, as under `Energetic`: compression ends at gamma_N = 0 with the impulse p_c, expansion at (1 + e) p_c.
    This is Poisson's hypothesis as in Routh, Keller, and Wang and Mason; the two differ where the slip ends or reverses
    within a phase. Several contacts at once have the two phases.

    A contact that does not approach itself, but has an impulse in compression, has one in expansion, too: unlike in
    Newton's law, the restitution of a contact that was closed before counts.

    Parameters
    ----------
    path : "routh", optional
        The slip on which friction depends, see above.

    Raises
    ------
    ValueError
        If the path is another string.

    References
    ----------
    - F. Pfeiffer and C. Glocker, Multibody Dynamics with Unilateral Contacts, Wiley, 1996, chapter 8.
    - E. J. Routh, Dynamics of a System of Rigid Bodies, Elementary Part, 5th edition, Macmillan, 1891.
    - J. B. Keller, "Impact with friction", Journal of Applied Mechanics 53 (1986).
    - Y. Wang and M. T. Mason, "Two-dimensional rigid-body collisions with friction", Journal of Applied Mechanics 59
      (1992).

    Examples
    --------
    >>> from sympact.contact import solve_impact
    >>> solve_impact([[4.0]], [[1.0]], [-3.0], 0.5, law=Poisson()).gap_rate_plus
    array([1.5])
    >>> Poisson(path="routh")
    Poisson(path='routh')
    """

    path: str | None = None

    def __post_init__(self) -> None:
        _path(self.path, "Poisson")

    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once."""
        phases = Plan(_unit("laws.poisson"), rows=True, shared=True)
        return _followed(phases, BY_IMPULSE) if friction and self.path is not None else phases

    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law."""
        return (
            "Poisson's law can do this where friction reverses the slip during the impact, or with different "
            "restitutions; use impact=Energetic(), which never gains"
        )


@dataclass(frozen=True, repr=False)
class Energetic(ImpactLaw):
    """Stronge's law of restitution: expansion returns e^2 of the work of compression; it never gains energy.

    One contact is integrated over the normal impulse p (Routh, Keller): dv/dp = G f, with the friction of the present
    slip, through reversals of slip, sticking, and slip of varying direction (in closed form while it keeps its
    direction, else by a Runge-Kutta method with control of its error). Compression does the work W_c = integral of v_N
    dp < 0 up to v_N = 0, and expansion ends where it has returned e^2 of it. Friction only dissipates energy, and so

        energy <= (1 - e^2) W_c <= 0.

    In a mechanism friction may lock a contact, so that impulses move nothing any more: expansion can then return
    nothing, the contact stops, and `Event.factor` is 0. Near self-locking a small motion needs a large impulse: the law
    is discontinuous at the onset of self-locking, from e^2 of the work to none.

    For several contacts at once the path is not unique. They have Poisson's phases (`Poisson`) with the restitutions s
    e, s from 0 to 1 the largest factor with which expansion returns at most the sum of e_i^2 D_i, and never more than
    the sum of D_i, where D_i is the energy that contact i absorbed in compression. `Event.factor` is s; without
    friction and with equal e it is 1. Resolved one by one (`Sequential`) each is integrated alone; `ImpulseRatio`
    integrates all contacts together.

    References
    ----------
    - E. J. Routh, Dynamics of a System of Rigid Bodies, Macmillan, 1860.
    - J. B. Keller, "Impact with friction", Journal of Applied Mechanics 53 (1986).
    - W. J. Stronge, "Rigid body collisions with friction", Proceedings of the Royal Society A 431 (1990).

    Examples
    --------
    >>> from sympact.contact import solve_impact
    >>> solve_impact([[4.0]], [[1.0]], [-3.0], 0.5, law=Energetic()).gap_rate_plus
    array([1.5])
    """

    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once."""
        return Plan(_unit("laws.energetic"), rows=True, shared=True)

    @property
    def never_gains(self) -> bool:
        """It guarantees that no impact creates energy."""
        return True

    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law."""
        return "the energetic law never does this but by the errors of its solution; check the events' `energy`"


@dataclass(frozen=True, repr=False)
class Plastic(ImpactLaw):
    """The plastic law: contacts with an impulse stop in all directions; those that would need a tensile one separate.

        pushes:  gamma_N+ = 0, gamma_T+ = 0, Lambda_N >= 0          separates:  Lambda = 0, gamma_N+ >= 0

    The impact of a foot that neither rebounds nor slips, as in models of walking (McGeer): the foot that was on the
    ground stays there if its normal impulse is compressive, and leaves it if it would be tensile. The law uses no
    restitutions and no bound of the tangential impulse, but contacts with friction 0 keep their slip: where none has
    friction it is Newton's law with e = 0. Contacts are released one by one, first the one with the largest tension,
    until all conditions are satisfied; where that fails, all combinations are tried. The motion after is a projection
    of the one before in the metric of M, which never gains energy.

    This is Coulomb's law without restitution in the limit of infinite friction. Where a contact slips fast, stopping it
    may need a tensile impulse although it approaches, so that it can neither stop nor separate. In the limit friction
    then decelerates it until it approaches no more: Lambda_N = 0, gamma_N+ = 0, Lambda_T against gamma_T+. This motion
    is found with the coefficient 1000.

    References
    ----------
    - T. McGeer, "Passive dynamic walking", International Journal of Robotics Research 9 (1990).

    Examples
    --------
    >>> from sympact.contact import solve_impact
    >>> hit = solve_impact(
    ...     [[2.0, 0.0], [0.0, 2.0]], [[0.0, 1.0]], [-3.0], 0.9,
    ...     tangent_jacobian=[[1.0, 0.0]], slip_minus=[4.0], friction=[0.1], law=Plastic(),
    ... )
    >>> hit.speed_change, round(hit.energy, 12)
    (array([-4.,  3.]), -25.0)
    """

    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once."""
        return Plan(_unit("laws.plastic"), rows=True)

    @property
    def never_gains(self) -> bool:
        """It guarantees that no impact creates energy."""
        return True

    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law."""
        return "the plastic law never does this but by the errors of its solution; check the events' `energy`"


@dataclass(frozen=True, repr=False)
class CustomLaw(ImpactLaw):
    """A custom impact law: a Python function that computes the impulses.

    Parameters
    ----------
    function : callable
        ``function(mass_matrix, jacobian, velocity, restitution, friction)`` for the k participants of an impact: M (m,
        m); W^T (k, 3, m), of each contact the rows of the normal and of two tangents, which are zero where the model
        has no friction; the gap rate and the slip before (k, 3); e and mu (k,). It returns the impulses (k, 3) in N s;
        the speeds then jump by M (u+ - u-) = W Lambda. `simulate` raises its exceptions.

    Raises
    ------
    TypeError
        If `function` cannot be called.

    Notes
    -----
    The function's result is used as it is: contacts that still approach have another impact at once, and added energy
    causes a warning as for any other law.

    Examples
    --------
    >>> from sympact.contact import solve_impact
    >>> def stop_dead(mass_matrix, jacobian, velocity, restitution, friction):
    ...     impulses = 0 * velocity
    ...     impulses[:, 0] = -velocity[:, 0] * mass_matrix[0, 0]
    ...     return impulses
    >>> solve_impact([[4.0]], [[1.0]], [-3.0], 0.5, law=CustomLaw(stop_dead)).gap_rate_plus
    array([0.])
    """

    function: Callable

    def __reduce__(self) -> tuple:
        """The function travels; a TypeError names one that cannot, such as a lambda."""
        check_travels("the function of CustomLaw", self.function)
        return CustomLaw, (self.function,)

    def __deepcopy__(self, memo: dict) -> CustomLaw:
        return self

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(
                f"the function of an impact law is {self.function!r}, expected something that can be called with "
                "(mass_matrix, jacobian, velocity, restitution, friction)"
            )

    def together(self, friction: bool) -> Plan:
        """The solver of all contacts at once."""
        return Plan(_unit("laws.custom_law"), rows=True, shared=True, own=self.function)

    def why_gains(self, friction: bool) -> str:
        """Why an impact gained energy under this law."""
        return "these are the impulses of a custom law; check the events' `energy`"
