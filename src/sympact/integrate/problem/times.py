"""The times of a run."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from sympact.integrate.problem.real import described, real_array
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["even_times", "plain_span", "read_times", "sample_times", "time_span"]

_NUMBERS, _LARGE = (float, int), sys.float_info.max  # plain numbers


def time_span(t_span: Sequence[float]) -> tuple[float, float]:
    """The start and the end of a run, as floats.

    Raises
    ------
    ValueError
        If they are not two finite times, the first before the second.

    Examples
    --------
    >>> time_span((0, 20))
    (0.0, 20.0)
    """
    plain = plain_span(t_span)
    if plain is not None:
        return plain
    span = _numbers(t_span)
    if span is None or span.shape != (2,) or not np.isfinite(span).all() or not span[0] < span[1]:
        more = "; the times of samples are t_eval" if span is not None and span.size > 2 else ""
        raise ValueError(
            f"t_span is {described(t_span)}, expected two finite times (t_start, t_end) with t_start < t_end{more}"
        )
    return float(span[0]), float(span[1])


def plain_span(t_span: object) -> tuple[float, float] | None:
    """The start and the end of a run where they are a tuple of two plain numbers that need no other check."""
    if type(t_span) is tuple and len(t_span) == 2:
        first, last = t_span
        if type(first) in _NUMBERS and type(last) in _NUMBERS and -_LARGE < first < last < _LARGE:
            return float(first), float(last)
    return None


def sample_times(t_eval: Sequence[float] | None, t_span: tuple[float, float]) -> np.ndarray | None:
    """The requested times of samples, as an array, or None for the accepted steps.

    Raises
    ------
    ValueError
        If they are not increasing times within the span.
    """
    if t_eval is None:
        return None
    times = _numbers(t_eval)
    first, last = t_span
    if times is None or times.ndim != 1:
        raise ValueError(
            f"t_eval is {described(t_eval)}, expected a one-dimensional array of increasing times, or None; samples at "
            "equal distances are result.sample(dt)"
        )
    if not ((times >= first) & (times <= last)).all() or (np.diff(times) <= 0).any():
        raise ValueError(f"t_eval must increase within the span from {first:.12g} to {last:.12g}, without repetition")
    return times


def even_times(dt: float, t_span: tuple[float, float]) -> np.ndarray:
    """Times at equal distances from the first to the last one: the fewest that are not farther apart than `dt`.

    Raises
    ------
    ValueError
        If `dt` is no positive number.

    Examples
    --------
    >>> even_times(0.1, (0.0, 0.3)).size, even_times(0.2, (0.0, 0.5)).round(3).tolist()
    (4, [0.0, 0.167, 0.333, 0.5])
    """
    number = _numbers(dt)
    if number is None or number.shape or not (np.isfinite(number) and number > 0):
        raise ValueError(f"dt is {described(dt)}, expected a positive number: the time between two samples")
    first, last = t_span
    rounding = ROUNDINGS * EPS * max(abs(first), abs(last))
    return np.linspace(first, last, 1 + max(math.ceil((last - first - rounding) / float(number)), int(last > first)))


def read_times(t: object) -> np.ndarray:
    """Times from a user as an array.

    Raises
    ------
    ValueError
        If they are no numbers.
    """
    try:
        return real_array(t)
    except ValueError as error:
        expected = "expected one time or a one-dimensional array of times"
        raise ValueError(f"t: {error}; {expected}") from None


def _numbers(values: object) -> np.ndarray | None:
    try:
        return real_array(values)
    except ValueError:
        return None
