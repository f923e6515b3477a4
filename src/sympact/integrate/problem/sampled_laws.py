"""Laws that are evaluated at given times of a run, and these times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from sympact.integrate.problem.series import Series
from sympact.native.rounding import EPS

__all__ = ["SampledLaw", "common_instants", "names_at", "period_times", "times_within"]

_MOST = 10_000_000  # times of one law
_ONE = 4.0 * EPS  # of a time: products and sums of periods that differ by less are one instant


@dataclass(frozen=True, eq=False)
class SampledLaw:
    """A law of a run.

    Attributes
    ----------
    times : array, shape (n,)
        When the loop evaluates it, increasing.
    series : tuple of Series
        One of width 1 for each number that it returns, with n + 1 rows: the first one before the first time, row k + 1
        from time k on, or some time later; the loop writes the rows.
    address : int
        ``void(double t, const double *x, const double *p, double *out)``.
    owner : object
        Objects that must live as long as the address is used.
    """

    times: np.ndarray
    series: tuple[Series, ...]
    address: int
    owner: object = None


def period_times(period: float, phase: float, span: tuple[float, float]) -> np.ndarray:
    """The times k period + phase of a run, each to a rounding of the product and one of the sum.

    The first may be the start of the run; its end is none of them.

    Raises
    ------
    ValueError
        The end of a sentence: if there are too many.

    Examples
    --------
    >>> period_times(0.5, 0.0, (0.0, 2.0))
    array([0. , 0.5, 1. , 1.5])
    """
    first, last = (((t - phase) / period) for t in span)
    if last - first > _MOST:
        raise ValueError(f"has {last - first:.3g} periods in this run, expected at most {_MOST:,}")
    times = np.arange(floor(first), ceil(last) + 1, dtype=float) * period + phase
    return times_within(times, span)


def times_within(times: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    """Those of the times that are samples of a run over a span: from its start on, to a rounding, and before its end.

    Examples
    --------
    >>> times_within(np.array([0.1, 0.3, 0.5]), (3 * 0.1, 0.5)).tolist()
    [0.3]
    """
    return times[(times >= span[0] - _ONE * abs(span[0])) & (times < span[1] - _ONE * abs(span[1]))]


def common_instants(times: Sequence[np.ndarray], span: tuple[float, float]) -> list[np.ndarray]:
    """The same times, where those that differ by some roundings are one: the first of them, or the start of the run.

    Those at its end and after it are infinite.

    Examples
    --------
    >>> fast, slow = common_instants([np.arange(1, 4) * 0.1, np.array([0.3])], (0.0, 1.0))
    >>> fast[2] == slow[0], 3 * 0.1 == 0.3
    (np.True_, False)
    """
    last = span[1] - _ONE * abs(span[1])
    times = [np.where(one < last, np.maximum(one, span[0]), np.inf) for one in times]
    everything = np.unique(np.concatenate([np.array([span[0]]), *times]))
    everything = everything[np.isfinite(everything)]
    near = np.diff(everything) <= _ONE * np.abs(everything[1:])
    if not near.any():
        return times
    leader = np.maximum.accumulate(np.where(np.concatenate([[False], near]), 0, np.arange(len(everything))))
    instants = np.append(everything[leader], np.inf)
    return [instants[np.searchsorted(everything, one)] for one in times]


def names_at(times: Mapping[str, Mapping[str, Any]], t: float) -> list[str]:
    """The names of those whose time t is: of each its ``every`` and ``phase``, or its times ``at``.

    Examples
    --------
    >>> times = {"tick": {"every": 0.1, "phase": 0.0}, "start": {"at": [0.05]}}
    >>> names_at(times, 3 * 0.1), names_at(times, 0.05), names_at(times, 0.15)
    (['tick'], ['start'], [])
    """
    return [name for name, when in times.items() if _is_one(when, t)]


def _is_one(when: Mapping[str, Any], t: float) -> bool:
    if "at" in when:
        return bool((np.abs(np.asarray(when["at"]) - t) <= _ONE * abs(t)).any())
    nearest = round((t - when["phase"]) / when["every"]) * when["every"] + when["phase"]
    return abs(nearest - t) <= _ONE * abs(t)
