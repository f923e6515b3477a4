"""Expressions that are nested too deeply for SymPy, whose own functions are recursive in the levels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["depth_is_known"]


@contextmanager
def depth_is_known(what: str) -> Iterator[None]:
    """Raise a ValueError where an expression of `what` leads SymPy beyond Python's recursion limit.

    Graphs themselves are built, differentiated and compiled level by level, without such a limit.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> def dig():
    ...     return dig()
    >>> with depth_is_known("the model"):  # doctest: +ELLIPSIS
    ...     dig()
    Traceback (most recent call last):
        ...
    ValueError: an expression of the model is nested deeper than SymPy can follow with Python's limit of ...
    """
    try:
        yield
    except RecursionError:
        raise ValueError(
            f"an expression of {what} is nested deeper than SymPy can follow with Python's limit of "
            f"{sys.getrecursionlimit()} calls; raise it with sys.setrecursionlimit(20_000), or write it flat"
        ) from None
