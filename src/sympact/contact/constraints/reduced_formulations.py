"""Formulations in independent coordinates or speeds: what depends on them follows from the constraints."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from sympact.contact.constraints.formulations import Direct, Projection
from sympact.contact.memory.reduction import GRAM_SCHMIDT, PIVOTS, QR, SVD, TANGENTS
from sympact.integrate.problem.real import described

__all__ = ["NullSpace", "Partitioning", "TangentSpace"]

_BASES = {"qr": QR, "svd": SVD, "gram-schmidt": GRAM_SCHMIDT}
_HOUSEHOLDER = "one reflection for each row of A is the QR decomposition of A^T"
_OTHER_BASES = {
    "zero-eigenvalues": (
        "svd",
        "eigenvectors of A^T A for the eigenvalue zero are the right singular vectors for zero",
    ),
    "c-d": (
        "gram-schmidt",
        "[-C^-1 D; I] of A = [C D] spans the same space, and as it stands is that of Partitioning()",
    ),
    "gauss-gram-schmidt": ("gram-schmidt", "what elimination leaves, orthonormalized, spans the same space"),
    "recursive-householder": ("qr", _HOUSEHOLDER),
    "householder": ("qr", _HOUSEHOLDER),
}
"""Reductions of the literature that are one of these: which, and why. All bases of one space give the same motion."""


@dataclass(frozen=True)
class Partitioning(Direct):
    """Generalized coordinate partitioning: independent coordinates and speeds are integrated, the others follow.

    Before each evaluation, and after each step, Newton's method finds the dependent coordinates from phi = 0, and a
    linear solve the dependent speeds from A u + a = 0. Dependent are the pivots of A = phi_q S by elimination with full
    pivoting, at the start of each smooth arc, and of each step where an entry of A_D^-1 A_I (the rates of the dependent
    by the independent speeds, D and I) has grown `growth` times over that at the last choice, or over 1 where that was
    smaller. ``result.counts["choices"]`` says how often they were chosen.

    Source: Wehage and Haug, Generalized coordinate partitioning for dimension reduction in analysis of constrained
    dynamic systems, Journal of Mechanical Design 104, 1982, 247-255. Theory: :doc:`/theory/formulations`.

    Parameters
    ----------
    growth : float, default 1.5
        More than 1. Larger ones keep the partition for longer, and steps that lead close to where it fails are
        shortened.

    Raises
    ------
    ValueError
        If `growth` is no number above 1.

    Examples
    --------
    >>> Partitioning()
    Partitioning(growth=1.5)
    """

    keeps: ClassVar[bool] = True
    rule: ClassVar[int] = PIVOTS
    growth: float = 1.5

    def __post_init__(self) -> None:
        if not isinstance(self.growth, Real) or isinstance(self.growth, bool) or not 1.0 < self.growth < math.inf:
            raise ValueError(f"growth of Partitioning is {described(self.growth)}, expected a finite number above 1")


@dataclass(frozen=True)
class TangentSpace(Direct):
    """Local parametrization: the state moves in the tangent space at the start of each step, and the rest follows.

    The parameters are the components of q and u in the space that the constraints leave at the start of the step,
    normal in the metric of M to M^-1 A^T. Before each evaluation, and after each step, Newton's method moves q along
    M^-1 A^T of the start until phi = 0, and a linear solve moves u until A u + a = 0. The tangent space is chosen anew
    at the start of each step.

    Source: Mani, Haug and Atkinson, Application of singular value decomposition for analysis of mechanical system
    dynamics, Journal of Mechanisms, Transmissions and Automation in Design 107, 1985, 82-87; Potra and Rheinboldt, On
    the numerical solution of Euler-Lagrange equations, Mechanics of Structures and Machines 19, 1991, 1-18; Potra and
    Yen, Implicit numerical integration for Euler-Lagrange equations via tangent space parametrization, ibid., 77-98.
    Theory: :doc:`/theory/formulations`.

    Examples
    --------
    >>> TangentSpace()
    TangentSpace()
    """

    keeps: ClassVar[bool] = True
    rule: ClassVar[int] = TANGENTS


@dataclass(frozen=True)
class NullSpace(Projection):
    """Independent speeds w in a basis Z of the null space of A: u = Z w + u_h, and Z^T M Z w' = Z^T (f - M u'_p).

    Speeds meet A u + a = 0 at each evaluation; coordinates follow from q' = S u + b, and the state is projected after
    each accepted step, as by `Projection`: dependent constraints that drift contradict each other. The basis at a state
    is the orthonormalized projection of that at the start of the step, and so is continuous along each smooth arc; all
    three decompositions give the same motion, to rounding. M needs to be positive definite on the null space alone.

    Source: "svd" Singh and Likins, Singular value decomposition for constrained dynamical systems, Journal of Applied
    Mechanics 52, 1985, 943-948; "qr" Kim and Vanderploeg, QR decomposition for state space representation of
    constrained mechanical dynamic systems, Journal of Mechanisms, Transmissions and Automation in Design 108, 1986,
    183-188; "gram-schmidt" Liang and Lance, A differentiable null space method for constrained dynamic analysis, ibid.
    109, 1987, 405-411. Theory: :doc:`/theory/formulations`.

    Parameters
    ----------
    basis : "qr", "svd" or "gram-schmidt", default "qr"
        The decomposition of A: Householder's reflections, one-sided rotations, Gram and Schmidt's. Further reductions
        of the literature are one of these, and the message says which: "zero-eigenvalues" is "svd", "c-d" and
        "gauss-gram-schmidt" are "gram-schmidt", "recursive-householder" and "householder" are "qr".

    Raises
    ------
    ValueError
        If the basis is another one.

    Examples
    --------
    >>> NullSpace("svd")
    NullSpace(basis='svd')
    >>> NullSpace("recursive-householder")
    Traceback (most recent call last):
        ...
    ValueError: basis 'recursive-householder' of NullSpace is basis 'qr':
    one reflection for each row of A is the QR decomposition of A^T
    """

    basis: str = "qr"

    def __post_init__(self) -> None:
        if not isinstance(self.basis, str) or self.basis not in _BASES | _OTHER_BASES:
            raise ValueError(
                f"basis of NullSpace is {self.basis!r}, expected one of {', '.join(map(repr, _BASES))}; the reductions "
                f"{', '.join(map(repr, _OTHER_BASES))} of the literature are one of these"
            )
        if self.basis in _OTHER_BASES:
            same, why = _OTHER_BASES[self.basis]
            raise ValueError(f"basis {self.basis!r} of NullSpace is basis {same!r}: {why}")

    @property
    def basis_code(self) -> int:
        """As in the memory of a run."""
        return _BASES[self.basis]
