"""Estimates from independent runs with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Estimate", "bootstrapped", "mean_of", "share_of"]

_RESAMPLES = 9999


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number estimated from independent runs.

    Attributes
    ----------
    value : float
        The estimate.
    low, high : float
        The ends of its confidence interval.
    level : float
        The probability with which such an interval contains the true value.
    n : int
        The number of runs.
    """

    value: float
    low: float
    high: float
    level: float
    n: int

    def __str__(self) -> str:
        return f"{' '.join(self.cells)} ({100 * self.level:g} % of {self.n} runs)"

    @property
    def cells(self) -> tuple[str, str]:
        """The estimate and its interval as text, for tables."""
        return f"{self.value:.6g}", f"[{self.low:.6g}, {self.high:.6g}]"


def share_of(condition: ArrayLike, level: float = 0.95) -> Estimate:
    """The probability of a condition from its truth in each run, with Wilson's interval.

    Its ends stay within 0 and 1, and it is right also for rare conditions, where the normal interval is not: see E. B.
    Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), 209-212; L. D. Brown,
    T. T. Cai, A. DasGupta, Interval estimation for a binomial proportion, Statistical Science 16 (2001), 101-133.

    Parameters
    ----------
    condition : array_like of bool, shape (n,)
    level : float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If there are no runs, or `level` is not between 0 and 1.

    Examples
    --------
    >>> print(share_of([True] * 8 + [False] * 2))
    0.8 [0.490162, 0.943318] (95 % of 10 runs)
    """
    found = np.asarray(condition)
    if found.dtype != bool or found.ndim != 1:
        raise ValueError(
            f"condition has the type {found.dtype} and the shape {found.shape}, expected True or False for each run"
        )
    n = _counted(len(found), 1, level)
    share, z = float(found.mean()), _normal_quantile(level)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Estimate(share, max(0.0, float(middle - half)), min(1.0, float(middle + half)), level, n)


def mean_of(values: ArrayLike, level: float = 0.95) -> Estimate:
    """The mean of a quantity from its value in each run, with the interval of Student's t distribution.

    It holds for normal values, and for any others with a variance where there are many; see `bootstrapped` for the
    rest.

    Parameters
    ----------
    values : array_like, shape (n,)
    level : float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If there are fewer than two runs, a value is not finite, or `level` is not between 0 and 1.

    Examples
    --------
    >>> print(mean_of([1.0, 2.0, 3.0]))
    2 [-0.484138, 4.48414] (95 % of 3 runs)
    """
    from scipy.special import stdtrit

    found = _finite(values)
    n = _counted(len(found), 2, level)
    mean, error = float(found.mean()), float(found.std(ddof=1) / np.sqrt(n))
    half = float(stdtrit(n - 1, 0.5 + 0.5 * level)) * error
    return Estimate(mean, mean - half, mean + half, level, n)


def bootstrapped(values: ArrayLike, statistic=np.median, level: float = 0.95, seed: int = 0) -> Estimate:
    """Any statistic of a quantity from its value in each run, with the bootstrap's BCa interval.

    See B. Efron, Better bootstrap confidence intervals, JASA 82 (1987), 171-185.

    Parameters
    ----------
    values : array_like, shape (n,)
    statistic : callable
        ``statistic(values, axis=-1)``.
    level : float
        Between 0 and 1.
    seed : int
        Of the samples that are drawn from the values.

    Raises
    ------
    ValueError
        If there are fewer than two runs, a value is not finite, or `level` is not between 0 and 1.

    Examples
    --------
    >>> estimate = bootstrapped(np.arange(101.0))
    >>> estimate.value, estimate.low < 50 < estimate.high
    (50.0, True)
    """
    from scipy.stats import bootstrap

    found = _finite(values)
    n = _counted(len(found), 2, level)
    asked = {"confidence_level": level, "n_resamples": _RESAMPLES, "method": "BCa", "batch": max(1, 2**22 // n)}
    interval = bootstrap((found,), statistic, random_state=np.random.default_rng(seed), **asked).confidence_interval
    return Estimate(float(statistic(found, axis=-1)), float(interval.low), float(interval.high), level, n)


def _finite(values: ArrayLike) -> np.ndarray:
    found = np.asarray(values, dtype=float)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError(
            f"values have the shape {found.shape}, {np.count_nonzero(~np.isfinite(found))} of them not finite; "
            "expected a finite number for each run: leave out the runs that have none, and say how many"
        )
    return found


def _counted(n: int, least: int, level: float) -> int:
    if n < least:
        raise ValueError(f"there are {n} runs, expected at least {least} for an interval")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}, expected a probability between 0 and 1, such as 0.95")
    return n


def _normal_quantile(level: float) -> float:
    """The number of standard deviations on both sides of the mean that contain this probability."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + 0.5 * level))
