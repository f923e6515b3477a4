"""Formulations with further multipliers: constraints of several levels at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sympact.contact.constraints.formulations import Formulation

__all__ = ["GearGuptaLeimkuhler", "Overdetermined"]


@dataclass(frozen=True)
class GearGuptaLeimkuhler(Formulation):
    """The stabilized formulation of index 2: a further multiplier mu keeps the positions.

    q' = S (u + M^-1 A^T mu) + b,   M u' = f + A^T kappa,   phi(q, t) = 0,   A u + a = 0

    The change of q' is the shortest in the metric of M that moves phi; mu is zero on solutions. With ``"RadauIIA"`` the
    whole system is solved at the stages, for stiff mechanisms. With explicit methods the multipliers are solved at each
    stage, see :doc:`/theory/formulations_dae`. The ends of steps satisfy the constraints to rounding.

    Source: Gear, Leimkuhler, Gupta, Automatic integration of Euler-Lagrange equations with constraints, Journal of
    Computational and Applied Mathematics 12, 1985, there with A^T mu for M^-1 A^T mu. Half-explicit methods: Hairer,
    Lubich, Roche, Lecture Notes in Mathematics 1409, 1989; Brasey, Hairer, SIAM Journal on Numerical Analysis 30, 1993;
    Arnold, BIT 38, 1998.

    Examples
    --------
    >>> GearGuptaLeimkuhler()
    GearGuptaLeimkuhler()
    """

    projects: ClassVar[bool] = True
    in_stages: ClassVar[bool] = True
    multipliers: ClassVar[int] = 2

    @property
    def gains(self) -> tuple[float, float]:
        """None."""
        return 0.0, 0.0


@dataclass(frozen=True)
class Overdetermined(GearGuptaLeimkuhler):
    """The constraints of all three levels at once, with three multipliers mu, eta, kappa.

    q' = S (u + M^-1 A^T mu) + b,   M u' = f + A^T (kappa + eta),   phi = 0,   A u + a = 0,   A u^ + (A' u + a') = 0

    where M u^ = f + A^T kappa. kappa is the multiplier of the accelerations, of index 1; mu and eta keep positions and
    speeds, and are zero on solutions. The motion is that of `GearGuptaLeimkuhler`, whose multiplier is kappa + eta.

    Source: Führer, Leimkuhler, Numerical solution of differential-algebraic equations for constrained mechanical
    motion, Numerische Mathematik 59, 1991.

    Examples
    --------
    >>> Overdetermined()
    Overdetermined()
    """

    multipliers: ClassVar[int] = 3
