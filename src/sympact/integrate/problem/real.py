"""Numbers from users as doubles: values that are no real numbers are refused."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

__all__ = ["described", "real_array", "returned", "whole"]

_SHORT = reprlib.Repr()
_SHORT.maxlong, _SHORT.maxstring, _SHORT.maxother = 40, 80, 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 20
_LARGEST_WHOLE = 2**63 - 1
_PLAIN = frozenset({float, int, np.float64})


def real_array(value: object) -> np.ndarray:
    """The value as a new array of doubles.

    Raises
    ------
    ValueError
        The end of a sentence that begins with the name of the argument: text, masked entries, complex numbers, objects
        without a length, numbers beyond the range of a double.

    Examples
    --------
    >>> real_array([1, 2.5])
    array([1. , 2.5])
    >>> real_array(["1", 2])
    Traceback (most recent call last):
        ...
    ValueError: ['1', 2] is not made of real numbers: '1' is text
    """
    wrong = None if _plain(value) else _no_number_in(value)
    if wrong is not None:
        raise ValueError(f"{described(value)} is not made of real numbers: {wrong}")
    try:
        return np.array(value, dtype=float)
    except OverflowError:
        raise ValueError(f"{described(value)} has a number beyond 1.8e308, the largest of double precision") from None
    except (TypeError, ValueError):
        raise ValueError(f"{described(value)} is not made of real numbers") from None


def returned(value: object) -> np.ndarray:
    """As `real_array`, for the result of a function at every step: an array of doubles is not copied."""
    if isinstance(value, np.ndarray) and value.dtype == float and not np.ma.isMaskedArray(value):
        return value
    return real_array(value)


def whole(value: object) -> int | None:
    """A positive whole number in the range of a counter, else None."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        return None
    return int(value) if 0 < value <= _LARGEST_WHOLE else None


def described(value: object) -> str:
    """The value as Python writes it, shortened where that is long."""
    try:
        return _SHORT.repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return f"a {type(value).__name__} too long to write"


def _plain(value: Any) -> bool:
    """Whether it is clear at a glance that the value is made of real numbers."""
    kind = type(value)
    if kind is list or kind is tuple:
        return _PLAIN.issuperset(map(type, value))
    return kind in _PLAIN or (kind is np.ndarray and value.dtype == float)


def _no_number_in(value: object) -> str | None:
    """The entry that is no number although NumPy would read it as one, or None."""
    if isinstance(value, str | bytes):
        return f"{described(value)} is text"
    if np.ma.isMaskedArray(value) and np.ma.getmaskarray(value).any():
        return f"entries of it are masked ({np.ma.count_masked(value)}); fill them or leave them out"
    if isinstance(value, complex | np.complexfloating):
        return f"{described(value)} is complex"
    if isinstance(value, np.ndarray):
        entries = value.ravel().tolist() if value.dtype.kind in "USOc" else ()
    else:
        entries = value if isinstance(value, list | tuple) else ()
    return next(filter(None, map(_no_number_in, entries)), None)
