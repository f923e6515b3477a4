"""Formulations of constrained motion: how the constraints enter the equations that are integrated."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sympact.contact.memory.reduction import NO_BASIS, NO_DIRECTIONS
from sympact.integrate.problem.real import described

__all__ = ["Baumgarte", "Direct", "Formulation", "Projection"]


class Formulation(ABC):
    """How the constraints enter the equations that are integrated."""

    keeps: ClassVar[bool] = True
    """Whether the constraints are met at the end of each step."""
    projects: ClassVar[bool] = False
    """Whether states are projected onto the constraints after each accepted step."""
    rule: ClassVar[int] = NO_DIRECTIONS
    """The directions along which states are completed before each evaluation, and after each step."""
    growth: float = math.inf
    """Of the ratios of dependent to independent speeds, at which the dependent ones are chosen anew."""

    @property
    def basis_code(self) -> int:
        """The basis of the null space in which accelerations are computed, if they are."""
        return NO_BASIS

    in_stages: ClassVar[bool] = False
    """Whether the states at which an explicit method evaluates rates are put onto the constraints first."""

    multipliers: ClassVar[int] = 0
    """The multipliers of each constraint that an implicit method solves with the state; 0: none, it solves the flow."""

    @property
    @abstractmethod
    def gains(self) -> tuple[float, float]:
        """2 alpha (1/s) and beta^2 (1/s^2) of the terms that return a violated constraint to zero."""


@dataclass(frozen=True)
class Direct(Formulation):
    """Multipliers at the level of accelerations, A u' = -(A' u + a'): the constraints themselves drift.

    The violation of phi grows with t^2, see :doc:`/theory/constraints`. Source: Haug, Computer Aided Kinematics and
    Dynamics of Mechanical Systems, 1989, section 11.3.

    Examples
    --------
    >>> Direct()
    Direct()
    """

    keeps: ClassVar[bool] = False

    @property
    def gains(self) -> tuple[float, float]:
        """None."""
        return 0.0, 0.0


@dataclass(frozen=True)
class Projection(Direct):
    """Multipliers at the level of accelerations; positions and speeds are projected after each accepted step.

    The projection is the shortest in the metric of M, by Newton's method. Source: Lubich, Extrapolation integrators for
    constrained multibody systems, Impact of Computing in Science and Engineering 3, 1991; Eich, SIAM Journal on
    Numerical Analysis 30, 1993.

    Examples
    --------
    >>> Projection()
    Projection()
    """

    keeps: ClassVar[bool] = True
    projects: ClassVar[bool] = True


@dataclass(frozen=True)
class Baumgarte(Formulation):
    """The constraints as damped oscillators, phi'' + 2 alpha phi' + beta^2 phi = 0 (Baumgarte 1972).

    Violations decay instead of growing; they do not vanish. With beta = alpha, which is the default, the oscillator is
    critically damped. alpha about 1/h damps as fast as steps of h allow; larger ones make the equations stiff.

    Parameters
    ----------
    alpha : float
        (1/s), positive.
    beta : float, optional
        (1/s), not negative; by default alpha.

    Raises
    ------
    ValueError
        If a number is negative or not finite.

    Examples
    --------
    >>> Baumgarte(20.0)
    Baumgarte(alpha=20.0, beta=20.0)
    """

    keeps: ClassVar[bool] = False
    alpha: float
    beta: float | None = None

    def __post_init__(self) -> None:
        if self.beta is None:
            object.__setattr__(self, "beta", self.alpha)
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not isinstance(value, (int, float)) or not 0.0 <= value < math.inf:
                raise ValueError(
                    f"{name} of Baumgarte is {described(value)}, expected a number of 1/s that is not negative"
                )

    @property
    def gains(self) -> tuple[float, float]:
        """2 alpha and beta^2."""
        return 2.0 * self.alpha, float(self.beta or 0.0) ** 2
