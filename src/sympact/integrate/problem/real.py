"""Numbers from users as doubles: values that are no real numbers are refused."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence, Set
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from sympact.native.sentences.stripped_units import has_unit, unit_fault

__all__ = ["all_finite", "described", "finite_number", "is_number", "real_array", "returned", "whole"]

_SHORT = reprlib.Repr()
_SHORT.maxlong, _SHORT.maxstring, _SHORT.maxother = 40, 80, 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 20
_LARGEST_WHOLE = 2**63 - 1
_PLAIN = frozenset({float, int, np.float64})


def real_array(value: object, letters: Sequence[object] = ()) -> np.ndarray:
    """The value as a new array of doubles.

    Parameters
    ----------
    value : object
    letters : sequence, optional
        What the entries are the numbers of, such as symbols: an error names those with a wrong entry.

    Raises
    ------
    ValueError
        The end of a sentence that begins with the name of the argument: text, None, quantities with units, masked
        entries, complex numbers, expressions with symbols, objects without a length, numbers beyond the range of a
        double.

    Examples
    --------
    >>> real_array([1, 2.5])
    array([1. , 2.5])
    >>> real_array(["1", 2])
    Traceback (most recent call last):
        ...
    ValueError: ['1', 2] is not made of real numbers: '1' is text
    >>> real_array(["1", 2], ["mass", "length"])
    Traceback (most recent call last):
        ...
    ValueError: mass = '1' is text; expected real numbers
    """
    wrong = None if _plain(value) else _no_number_in(value, _misread)
    if wrong is None:
        try:
            return np.array(value, dtype=float)
        except (OverflowError, TypeError, ValueError):
            wrong = _no_number_in(value, _fault)
    raise ValueError(
        _named(value, letters) or f"{_short(value)} is not made of real numbers{f': {wrong}' if wrong else ''}"
    )


def all_finite(array: np.ndarray) -> bool:
    """Whether all numbers of an array of doubles, shape (n,), are finite; fast where they are of usual size.

    >>> all_finite(np.array([1e300, 1.0])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    with np.errstate(over="ignore"):  # squares of large numbers are infinite
        return isfinite(array.dot(array)) or bool(np.isfinite(array).all())


def returned(value: object) -> np.ndarray:
    """As `real_array`, for the result of a function at every step: an array of doubles is not copied."""
    if isinstance(value, np.ndarray) and value.dtype == float and not np.ma.isMaskedArray(value):
        return value
    return real_array(value)


def is_number(value: object) -> bool:
    """Whether a value is one finite real number."""
    if type(value) is float:
        return isfinite(value)
    if isinstance(value, bool | str) or callable(value):
        return False
    try:
        return isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def finite_number(value: object, what: object) -> float:
    """The value as a number.

    Raises
    ------
    ValueError
        If it is none, or not finite; the message names `what` was given.
    """
    if not is_number(value):
        raise ValueError(f"{what} is {described(value)}, expected a finite number")
    return float(value)  # type: ignore[arg-type]


def whole(value: object) -> int | None:
    """A positive whole number in the range of a counter, else None."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        return None
    return int(value) if 0 < value <= _LARGEST_WHOLE else None


def described(value: object) -> str:
    """The value as Python writes it, shortened where that is long; of a quantity with a unit also that it has one.

    Examples
    --------
    >>> described("soft"), described([1, 2])
    ("'soft'", '[1, 2]')
    >>> from sympy.physics.units import second
    >>> described(2 * second)
    '2*second (which has a unit; numbers are given without units, in SI: write 2)'
    """
    entries = value if isinstance(value, list | tuple) else [value]
    found = next(filter(None, map(_unit_in, entries)), None)
    if found is None:
        return _short(value)
    return f"{_short(value)} ({'which' if entries[0] is value else found[0]} {found[1]})"


def _unit_in(value: object) -> tuple[str, str] | None:
    """A quantity as text, and what is wrong with it; None for other values."""
    fault = unit_fault(value)
    return (_short(value), fault) if fault else None


def _short(value: object) -> str:
    try:
        text = str(value) if has_unit(value) else _SHORT.repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return f"a {type(value).__name__} too long to write"
    return text


def _plain(value: Any) -> bool:
    """Whether it is clear at a glance that the value is made of real numbers."""
    kind = type(value)
    if kind is list or kind is tuple:
        return _PLAIN.issuperset(map(type, value))
    return kind in _PLAIN or (kind is np.ndarray and value.dtype == float)


def _named(value: object, letters: Sequence[object]) -> str:
    """A sentence on each wrong entry by its symbol; empty if there is no symbol for each entry."""
    if not isinstance(value, list | tuple) or not letters or len(value) != len(letters):
        return ""
    faults = [(letter, entry, _fault(entry)) for letter, entry in zip(letters, value, strict=True)]
    found = [f"{letter} = {_short(entry)} {fault}" for letter, entry, fault in faults if fault]
    return f"{'; '.join(found)}; expected real numbers" if found else ""


def _no_number_in(value: object, fault_of: Callable[[object], str]) -> str | None:
    """The first entry with a fault, and the fault; or None."""
    if np.ma.isMaskedArray(value) and np.ma.getmaskarray(value).any():
        return f"entries of it are masked ({np.ma.count_masked(value)}); fill them or leave them out"
    if isinstance(value, np.ndarray):
        entries = value.ravel().tolist() if value.dtype.kind in "USOc" else ()
    elif isinstance(value, list | tuple):
        entries = value
    else:
        fault = fault_of(value)
        return f"{_short(value)} {fault}" if fault else None
    return next(filter(None, (_no_number_in(entry, fault_of) for entry in entries)), None)


def _misread(entry: object) -> str:
    """What is wrong with one entry that NumPy may read as a number although it is none; empty if nothing is."""
    if isinstance(entry, Real):
        return ""
    if entry is None:
        return "is no number"
    if isinstance(entry, str | bytes):
        return "is text"
    if isinstance(entry, complex | np.complexfloating):
        return "is complex"
    return unit_fault(entry)


def _fault(entry: object) -> str:
    """What is wrong with one number, as the rest of a sentence that begins with it; empty if nothing is."""
    misread = _misread(entry)
    if misread:
        return misread
    if getattr(entry, "is_real", None) is False:
        return "is complex"
    if np.ndim(entry) or isinstance(entry, Mapping | Set):
        return f"is of the type {type(entry).__name__}, not one number"
    symbols = getattr(entry, "free_symbols", None)
    if symbols:
        return f"contains {', '.join(sorted(map(str, symbols)))} without a value"
    try:
        float(entry)  # type: ignore[arg-type]
    except OverflowError:
        return "is beyond 1.8e308, the largest number of double precision"
    except (TypeError, ValueError):
        return f"is no number, but of the type {type(entry).__name__}"
    return ""
