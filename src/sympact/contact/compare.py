"""The same impact under several laws and resolutions, compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact.laws.impact_laws import Energetic, ImpactLaw, Newton, Poisson, Resolution
from sympact.contact.laws.resolutions import ImpulseRatio, Sequential, Simultaneous
from sympact.contact.memory.contact_tolerances import MOTION_ROUNDING
from sympact.contact.solve import ImpactProblem, ImpactSolution
from sympact.integrate.present.table import Sheet, Table
from sympact.native.rounding import EPS, SAME

__all__ = ["ImpactComparison", "Outcome", "compare_impacts", "compare_problem"]


class Assembled(Protocol):
    """An impact in checked numbers."""

    @property
    def mass(self) -> np.ndarray:
        """M, shape (n_u, n_u)."""

    @property
    def rates(self) -> np.ndarray:
        """gamma- of the contacts (m/s)."""

    @property
    def approaches(self) -> bool:
        """Whether a contact approaches, by more than rounding."""

    def solve(self, law: ImpactLaw, resolution: Resolution) -> ImpactSolution:
        """The impact under a law."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One law and resolution, and its outcome.

    Attributes
    ----------
    law : ImpactLaw
    resolution : Resolution
    solution : ImpactSolution or None
        None where the law is not defined for the resolution, or finds no impulses.
    refusal : str
        Why there is no solution; else empty.
    """

    law: ImpactLaw
    resolution: Resolution
    solution: ImpactSolution | None
    refusal: str = ""


@dataclass(frozen=True, eq=False)
class ImpactComparison:
    """The outcomes of an impact under several laws and resolutions; ``print`` shows a table and a sentence.

    Attributes
    ----------
    outcomes : tuple of Outcome
    spread : float
        The largest difference of two outcomes, relative to the largest change of the speeds, in the metric of M; 0
        where no contact approaches, so that there is no impact.
    approaches : bool
        Whether a contact approaches.
    """

    outcomes: tuple[Outcome, ...]
    spread: float
    approaches: bool = True

    @property
    def agree(self) -> bool:
        """Whether all outcomes are the same motion."""
        return self.spread <= SAME

    def sentence(self) -> str:
        """Whether the outcome depends on the law or on the resolution, as text."""
        if not self.approaches:
            return "no contact approaches at this state: there is no impact; give a state just before one"
        count = sum(outcome.solution is not None for outcome in self.outcomes)
        if count < 2:
            return f"{count} of {len(self.outcomes)} laws and resolutions gave an outcome: nothing to compare"
        if self.agree:
            return f"all {count} outcomes are the same motion (within {max(self.spread, EPS):.1e} of the change)"
        return (
            f"the {count} outcomes differ by up to {100 * self.spread:.3g} % of the change of the speeds: the "
            "mechanics of rigid bodies does not determine this impact; the choice of law and resolution is part of the "
            "model"
        )

    def __str__(self) -> str:
        return f"{self._table().text}\n{self.sentence()}"

    def _repr_html_(self) -> str:
        return Sheet("ImpactComparison", {"outcome": self.sentence()}, (self._table(),)).html

    def _table(self) -> Table:
        rows = []
        for outcome in self.outcomes:
            words = outcome.refusal.split(";")[0]
            energy = ""
            if outcome.solution is not None:
                change, scale = outcome.solution.speed_change, outcome.solution.impulses.max() * MOTION_ROUNDING
                words = " ".join(f"{value:.6g}" for value in _rounded(change, MOTION_ROUNDING * np.abs(change).max()))
                scale *= np.abs(outcome.solution.gap_rate_plus).max()
                energy = f"{_rounded(outcome.solution.energy, scale):.6g}"
            rows.append((repr(outcome.law), repr(outcome.resolution), energy, words))
        return Table(("law", "resolution", "energy (J)", "u+ - u-"), rows)


def _rounded(values: np.ndarray | float, rounding: float) -> np.ndarray:
    """The values with zeros in place of rounding."""
    return np.where(np.abs(values) <= rounding, 0.0, values)


def default_pairs(contacts: int) -> tuple[tuple[ImpactLaw, Resolution], ...]:
    """The default laws and resolutions of a comparison."""
    resolutions = (Simultaneous(), Sequential()) if contacts > 1 else (Simultaneous(),)
    pairs = [(law, resolution) for law in (Newton(), Poisson(), Energetic()) for resolution in resolutions]
    ratios = [(Energetic(), ImpulseRatio(1, eta)) for eta in (1, 1.5)] if contacts > 1 else []
    return (*pairs, *ratios)


def compare_impacts(
    mass_matrix: ArrayLike,
    normal_jacobian: ArrayLike,
    gap_rate_minus: ArrayLike,
    restitution: ArrayLike,
    *,
    tangent_jacobian: ArrayLike | None = None,
    slip_minus: ArrayLike | None = None,
    friction: ArrayLike | None = None,
    constraint_jacobian: ArrayLike | None = None,
    pairs: Iterable[tuple[ImpactLaw, Resolution]] | None = None,
) -> ImpactComparison:
    """Solve one impact under several laws and resolutions and compare the outcomes.

    Parameters
    ----------
    mass_matrix, normal_jacobian, gap_rate_minus, restitution, tangent_jacobian, slip_minus, friction, \
    constraint_jacobian
        As in `solve_impact`.
    pairs : iterable of (ImpactLaw, Resolution), optional
        The laws and resolutions to compare. By default `Newton`, `Poisson` and `Energetic`, for several contacts each
        with `Simultaneous` and `Sequential`, and `ImpulseRatio` with equal stiffnesses, linear and Hertzian.

    Raises
    ------
    ValueError, TypeError
        As `solve_impact`, for numbers that are wrong under every law, and for invalid pairs.

    Examples
    --------
    Three equal balls in a row, the first hits with 1 m/s:

    >>> rows, rates = [[-1, 1, 0], [0, -1, 1]], [-1, 0]
    >>> pairs = [(Newton(), Simultaneous()), (Newton(), Sequential())]
    >>> print(compare_impacts([[1, 0, 0], [0, 1, 0], [0, 0, 1]], rows, rates, 1, pairs=pairs))
    law       resolution      energy (J)  u+ - u-
    Newton()  Simultaneous()  0           -1.33333 0.666667 0.666667
    Newton()  Sequential()    0           -1 0 1
    the 2 outcomes differ by up to 50 % of the change of the speeds: the mechanics of rigid bodies does not determine \
this impact; the choice of law and resolution is part of the model
    """
    problem = ImpactProblem.read(
        mass_matrix,
        normal_jacobian,
        gap_rate_minus,
        restitution,
        tangent_jacobian,
        slip_minus,
        friction,
        constraint_jacobian,
    )
    return compare_problem(problem, pairs)


def compare_problem(
    problem: Assembled, pairs: Iterable[tuple[ImpactLaw, Resolution]] | None = None
) -> ImpactComparison:
    """As `compare_impacts`, for checked numbers."""
    asked = default_pairs(len(problem.rates)) if pairs is None else _pairs(pairs)
    outcomes = tuple(_outcome(problem, law, resolution) for law, resolution in asked)
    changes = [outcome.solution.speed_change for outcome in outcomes if outcome.solution is not None]
    spread = _spread(changes, problem.mass) if problem.approaches else 0.0
    return ImpactComparison(outcomes, spread, problem.approaches)


def _pairs(pairs: object) -> tuple[tuple[ImpactLaw, Resolution], ...]:
    """The pairs, if they are valid."""
    found = tuple(pairs) if isinstance(pairs, Iterable) else (pairs,)
    wrong = [pair for pair in found if not (isinstance(pair, tuple) and len(pair) == 2)]
    if wrong or not found:
        raise TypeError(
            "pairs: expected a list of pairs of a law and a resolution, [(Newton(), Simultaneous())]; found "
            f"{', '.join(map(repr, wrong)) or 'an empty list'}"
        )
    return found


def _outcome(problem: Assembled, law: ImpactLaw, resolution: Resolution) -> Outcome:
    try:
        return Outcome(law, resolution, problem.solve(law, resolution))
    except ValueError as error:
        return Outcome(law, resolution, None, str(error))


def _spread(changes: Sequence[np.ndarray], mass: np.ndarray) -> float:
    """The largest distance of two changes over the largest change, in the metric of M, of which the lower triangle is
    read."""
    metric = np.tril(mass) + np.tril(mass, -1).T

    def length(change: np.ndarray) -> float:
        return math.sqrt(max(float(change @ metric @ change), 0.0))  # M may be singular where constraints hold

    largest = max(map(length, changes), default=0.0)
    apart = max((length(a - b) for a in changes for b in changes), default=0.0)
    return apart / largest if largest > 0.0 else 0.0
