"""Parameters and starts from measurements, by least squares."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sympact.analysis.measured import Measured
from sympact.analysis.run_subject import subject_of
from sympact.analysis.subjects import Subject
from sympact.hybrid import HybridSystem
from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.integrate.present.table import Sheet, Table, number
from sympact.integrate.problem.real import real_array
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.result import Result
from sympact.mechanics import HybridModel
from sympact.models.ready import ReadyModel, ReadyProcess

__all__ = ["Fit", "fit"]

_STEP = 1e-5
"""Of a difference quotient, relative to the number: its error is of the order of its square, and that of a run over
it."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Numbers found by least squares.

    Attributes
    ----------
    values : dict
        The numbers of what was free, by the symbols as they were given.
    covariance : array, shape (n, n)
        (J^T J)^-1 in standard deviations of the measurements; where these were not known, times the mean square of the
        residuals.
    residuals : array, shape (m,)
    success : bool
        Whether the search has converged.
    message : str
        Why it ended.
    n_runs : int
        The runs that were made.
    x0, parameters : array
        All numbers with those found, in the order of the states and parameters.
    """

    values: dict[Any, float]
    covariance: np.ndarray
    residuals: np.ndarray
    success: bool
    message: str
    n_runs: int
    x0: np.ndarray
    parameters: np.ndarray
    _subject: Subject = field(repr=False)
    _others: Mapping = field(repr=False)

    @property
    def errors(self) -> dict[Any, float]:
        """The standard deviation of each number."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    def simulate(self, **options) -> Result:
        """The run with the numbers found."""
        return self._subject.alone(self.x0, self.parameters, others=self._others, **options)

    def distance(self, values: Mapping[Any, float]) -> float:
        """How far other numbers lie from those found, in units of the covariance: the Mahalanobis distance."""
        away = np.array([values[letter] - found for letter, found in self.values.items()])
        return float(np.sqrt(away @ np.linalg.solve(self.covariance, away)))

    def contains(self, values: Mapping[Any, float], level: float = 0.95) -> bool:
        """Whether the confidence ellipsoid of this level contains these numbers."""
        from scipy.special import chdtri

        return self.distance(values) ** 2 <= float(chdtri(len(self.values), 1.0 - level))

    def __str__(self) -> str:
        told = (f"{letter} = {value:.6g} +- {self.errors[letter]:.2g}" for letter, value in self.values.items())
        return ", ".join(told)

    def _repr_html_(self) -> str:
        rows = [(str(name), number(value), number(self.errors[name], 2)) for name, value in self.values.items()]
        table = Table(("number", "found", "standard deviation"), rows)
        return Sheet("Fit", {"search": self.message, "runs": f"{self.n_runs:,}"}, (table,)).html


def fit(
    model: HybridModel | HybridSystem | ReadyModel | ReadyProcess,
    data: Measured | Sequence[Measured],
    free: Sequence[Hashable],
    *,
    t_span: Sequence[float] | None = None,
    x0: Any = None,
    parameters: Any = None,
    bounds: Mapping[Any, tuple[float, float]] | None = None,
    start: str | None = None,
    inputs: Mapping | None = None,
    controllers: Sequence | None = None,
    loss: str = "linear",
    method: str | Stepper = "DOP853",
    rtol: float = DEFAULT_RTOL,
    atol: float | Sequence[float] = DEFAULT_ATOL,
    max_step: float = math.inf,
    max_events: int = 1_000_000,
    max_runs: int = 1000,
) -> Fit:
    """Find parameters, or initial states, with which a model moves as was measured.

    The sum of the squares of the differences is minimized by a trust-region method with bounds, that of
    ``scipy.optimize.least_squares``: M. A. Branch, T. F. Coleman, Y. Li, A subspace, interior, and conjugate gradient
    method for large-scale bound-constrained minimization problems, SIAM J. Sci. Comput. 21 (1999), 1-23.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    data : Measured or sequence of Measured
        `Track` and `ImpactTimes`; with standard deviations all of them, or none.
    free : sequence
        The parameters and states that are sought, by their symbols, of a ready model also by their names; the search
        begins at their numbers in `parameters` and `x0`.
    t_span : (t_start, t_end), optional
        Of the runs (s); it contains all measured times. Of a ready model its own by default.
    x0, parameters
        As for `HybridModel.simulate`; of a ready model with its own numbers for all others.
    bounds : mapping, optional
        The least and the largest number of what is free; restitutions and friction need ``(0, 1)`` and ``(0, inf)``
        where the search might leave them.
    start, inputs, controllers, method, rtol, atol, max_step, max_events
        As for `ensemble`.
    loss : str
        As for ``scipy.optimize.least_squares``: other than "linear" gives outliers less weight.
    max_runs : int
        The search ends after about so many runs.

    Returns
    -------
    Fit

    Raises
    ------
    ValueError
        If nothing is free, a symbol is unknown, a number lies outside of its bounds, measurements are later than the
        span, some have a standard deviation and others none, or there are fewer than there are numbers to find.

    Examples
    --------
    The restitution of a ball from the times of its first three impacts, to a millisecond:

    >>> from sympact import ImpactTimes
    >>> from sympact.models import bouncing_ball
    >>> found = fit(bouncing_ball(), ImpactTimes([0.4515, 1.1742, 1.7519], sigma=1e-3), free=["e"])
    >>> print(found)
    e = 0.80003 +- 0.0004
    """
    from scipy.optimize import least_squares

    settings: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
    settings |= {"max_events": max_events, "max_steps": None, "engine": None, "consistent": "project"}
    subject, given_start, given_parameters = subject_of(
        model, t_span, x0, parameters, start, inputs or {}, tuple(controllers or ()), settings
    )
    subject.check()
    problem = _Problem(subject, given_start, given_parameters, _listed(data), _symbols(model, free))
    low, high = problem.bounds(bounds or {}, dict(zip(_symbols(model, free), free, strict=True)))
    first = problem.first
    scale = np.maximum(np.abs(first), 1e-3)
    found = least_squares(
        problem.residuals, first, "3-point", (low, high), "trf", diff_step=_STEP, x_scale=scale, loss=loss,
        max_nfev=max(1, max_runs // (2 * len(first) + 1)),
    )  # fmt: skip
    start_found, numbers_found = problem.numbers(found.x)
    return Fit(
        dict(zip(free, found.x.tolist(), strict=True)),
        problem.covariance(found.jac, found.fun),
        found.fun,
        bool(found.success),
        str(found.message),
        problem.runs,
        start_found,
        numbers_found,
        subject,
        problem.others,
    )


def _listed(data: Any) -> list[Measured]:
    """The measurements."""
    listed = [data] if isinstance(data, Measured) else list(data)
    wrong = [one for one in listed if not isinstance(one, Measured)]
    if wrong or not listed:
        raise ValueError(f"data is {data!r}, expected a Track, an ImpactTimes, or a list of these")
    known = [one.sigma is not None for one in listed]
    if any(known) and not all(known):
        raise ValueError("some measurements have a standard deviation and others none: give sigma to all, or to none")
    return listed


def _pair(letter: Hashable, given: Any) -> tuple[float, float]:
    """The bounds of a number."""
    try:
        pair = real_array(given)
    except ValueError:
        pair = np.empty(0)
    if pair.shape != (2,) or np.isnan(pair).any():
        raise ValueError(f"the bounds of {letter} are {given!r}, expected a pair (lower, upper) of numbers")
    return float(pair[0]), float(pair[1])


def _symbols(model: Any, free: Sequence[Hashable]) -> list[Hashable]:
    """What is free by its symbols; of a ready model names are symbols, too."""
    names: dict[str, Hashable] = {}
    if isinstance(model, ReadyModel):
        names = {str(symbol): symbol for symbol in model.parameters}
        names |= dict(zip(model.named_start(), model.start, strict=True))
    return [names.get(letter, letter) if isinstance(letter, str) else letter for letter in free]


class _Problem:
    """The residuals as a function of what is free.

    Parameters
    ----------
    subject : Subject
    x0, parameters
        As they were given.
    data : list of Measured
    free : list
        Symbols.

    Attributes
    ----------
    first : array, shape (n,)
        Where the search begins.
    runs : int
        Made so far.
    others : dict
        Numbers of unused parameters.
    """

    def __init__(self, subject: Subject, x0: Any, parameters: Any, data: list[Measured], free: list[Hashable]) -> None:
        self.subject, self.data, self.free, self.runs = subject, data, free, 0
        self._start, self._numbers = subject.state(x0), subject.numbers(parameters)
        known = [*subject.states, *subject.parameters]
        unknown = [str(letter) for letter in free if letter not in known]
        if not free or unknown or len(set(free)) < len(free):
            raise ValueError(
                f"free is {[str(letter) for letter in free]}, expected different states and parameters of "
                f"{[str(letter) for letter in known]}"
            )
        self._places = [known.index(letter) for letter in free]
        mapping = parameters if isinstance(parameters, Mapping) else {}
        self.others = {letter: value for letter, value in mapping.items() if letter not in subject.parameters}
        self.first = np.concatenate([self._start, self._numbers])[self._places]
        late = max(one.last for one in data)
        if late > subject.span[1]:
            raise ValueError(f"there are measurements until t = {late:.6g}, and runs end at {subject.span[1]:.6g}")
        size = len(self.residuals(self.first))
        if size < len(free):
            raise ValueError(f"there are {size} measurements, expected at least one for each of {len(free)} numbers")

    def bounds(self, given: Mapping, names: Mapping) -> tuple[list[float], list[float]]:
        """The least and the largest numbers."""
        known = {names[letter]: letter for letter in self.free} | {letter: letter for letter in self.free}
        unknown = [str(letter) for letter in given if letter not in known]
        if unknown:
            raise ValueError(f"bounds are given for {unknown}, which are not free")
        pairs = {known[letter]: _pair(letter, pair) for letter, pair in given.items()}
        low, high = zip(*(pairs.get(letter, (-math.inf, math.inf)) for letter in self.free), strict=True)
        for letter, value, least, largest in zip(self.free, self.first, low, high, strict=True):
            if not least < largest:
                raise ValueError(
                    f"the bounds of {letter} are ({least:.6g}, {largest:.6g}), expected the lower one first and the "
                    "upper one above it"
                )
            if not least <= value <= largest:
                raise ValueError(
                    f"{letter} begins at {value:.6g}, expected a number within {least:.6g} and {largest:.6g}"
                )
        return list(low), list(high)

    def numbers(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All states and all parameters."""
        both = np.concatenate([self._start, self._numbers])
        both[self._places] = values
        start, parameters = np.split(both, [len(self._start)])
        return start, parameters

    def residuals(self, values: np.ndarray) -> np.ndarray:
        """Those of all measurements."""
        start, parameters = self.numbers(values)
        self.runs += 1
        result = self.subject.alone(start, parameters, others=self.others)
        return np.concatenate([one.residual(result, self.subject, parameters) for one in self.data])

    def covariance(self, jacobian: np.ndarray, residuals: np.ndarray) -> np.ndarray:
        """(J^T J)^-1, by the singular values of J; infinite where the measurements do not determine a number."""
        _, sizes, rows = np.linalg.svd(jacobian, full_matrices=False)
        if sizes[-1] <= np.finfo(float).eps * max(jacobian.shape) * sizes[0]:
            return np.full((len(sizes), len(sizes)), math.inf)
        covariance = (rows.T / sizes**2) @ rows
        if self.data[0].sigma is None:
            covariance *= float(residuals @ residuals) / max(len(residuals) - len(sizes), 1)
        return covariance
