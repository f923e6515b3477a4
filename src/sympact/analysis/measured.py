"""What was measured of a motion: a quantity at some times, or the times of impacts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sympact.analysis.ensemble_quantities import evaluated
from sympact.analysis.subjects import Subject
from sympact.integrate.problem.real import described, real_array
from sympact.integrate.result import Result

__all__ = ["ImpactTimes", "Measured", "Track"]


class Measured(ABC):
    """The base class of measurements.

    Attributes
    ----------
    sigma : float or array
        The standard deviation of the measurement; None where it is not known, but the same for all.
    """

    sigma: Any

    @abstractmethod
    def residual(self, result: Result, subject: Subject, parameters: np.ndarray) -> np.ndarray:
        """The differences of a run from the measurement, in standard deviations where these are known."""

    @property
    @abstractmethod
    def last(self) -> float:
        """The last time that it needs of a run (s)."""


@dataclass(frozen=True, eq=False)
class Track(Measured):
    """A quantity measured at some times: a position, a velocity, or any expression of the model.

    Velocities jump at impacts: leave out those within the error of the times of impacts.

    Parameters
    ----------
    quantity : str or Expr
        A state by its name, or an expression of the model.
    t : array_like, shape (k,)
        Increasing times (s).
    values : array_like, shape (k,)
    sigma : float or array_like, shape (k,), optional
        The standard deviation of a value; without it, of this and of all other measurements, it is estimated from the
        residuals.

    Raises
    ------
    ValueError
        If the shapes differ, times do not increase, or a standard deviation is not positive.
    """

    quantity: Any
    t: ArrayLike
    values: ArrayLike
    _: KW_ONLY
    sigma: Any = None

    def __post_init__(self) -> None:
        t, values = _numbers("the times of a track", self.t), _numbers("the values of a track", self.values)
        if t.ndim != 1 or t.shape != values.shape or not (np.diff(t) > 0.0).all():
            raise ValueError(
                f"a track has times of the shape {t.shape} and values of the shape {values.shape}, expected increasing "
                "times and a value for each"
            )
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "sigma", _deviation(self.sigma, len(t)))

    @property
    def last(self) -> float:
        """The last time."""
        return float(np.max(self.t))

    def residual(self, result: Result, subject: Subject, parameters: np.ndarray) -> np.ndarray:
        """The differences; a run that ended early counts with its last state."""
        t = np.minimum(self.t, result.t_span[1])
        found = evaluated(subject, self.quantity, t, result(t).T, parameters[np.newaxis])
        return (found - self.values) / (1.0 if self.sigma is None else self.sigma)


@dataclass(frozen=True, eq=False)
class ImpactTimes(Measured):
    """Measured times of impacts, in their order.

    A run may have another number of impacts than the measurement, while parameters are sought. Later ones than those
    measured are ignored. Those that it lacks count as at the time where its impacts accumulate, or at its end: there an
    impact appears or disappears when parameters change, so that the residual is continuous.

    Parameters
    ----------
    t : array_like, shape (k,)
        Increasing times (s); NaN for an impact that was not measured.
    contact : str or Contact, optional
        Only impacts of this contact are compared; by default all.
    sigma : float or array_like, shape (k,), optional
        As of a `Track` (s).

    Raises
    ------
    ValueError
        If times do not increase, or a standard deviation is not positive.
    """

    t: ArrayLike
    contact: Any = None
    _: KW_ONLY
    sigma: Any = None

    def __post_init__(self) -> None:
        t = real_array(self.t)
        known = t[np.isfinite(t)] if t.ndim == 1 else t
        if t.ndim != 1 or not known.size or not (np.diff(known) > 0.0).all():
            raise ValueError(f"the times of impacts are {self.t}, expected increasing times, NaN for unknown ones")
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "sigma", _deviation(self.sigma, len(t)))

    @property
    def last(self) -> float:
        """The last time."""
        return float(np.nanmax(self.t))

    def residual(self, result: Result, subject: Subject, parameters: np.ndarray) -> np.ndarray:
        """The differences of the known times."""
        measured = np.asarray(self.t)
        events = result.events.impacts
        found = (events if self.contact is None else events.of(self.contact)).t[: len(measured)]
        end = result.t_inf if np.isfinite(result.t_inf) else result.t_span[1]
        t = np.concatenate([found, np.full(len(measured) - len(found), end)])
        differences = (t - measured) / (1.0 if self.sigma is None else self.sigma)
        return differences[np.isfinite(measured)]


def _numbers(what: str, values: ArrayLike) -> np.ndarray:
    array = real_array(values)
    if not np.isfinite(array).all():
        raise ValueError(f"{what} are not all finite; leave out what was not measured")
    return array


def _deviation(sigma: Any, n: int) -> np.ndarray | None:
    if sigma is None:
        return None
    array = real_array(sigma)
    if array.shape not in ((), (n,)) or not (array > 0.0).all():
        raise ValueError(
            f"sigma is {described(sigma)}, expected a positive number, or one for each of {n} measurements"
        )
    return np.broadcast_to(array, (n,))
