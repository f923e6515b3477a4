"""A property that is computed once and then stored, for objects that several threads may share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

__all__ = ["cached_property"]

T = TypeVar("T")


class cached_property(functools.cached_property[T]):
    """`functools.cached_property` as it is from Python 3.12 on: without a lock that all objects of a class share.

    With that lock, two threads stop for good where each computes a property of one object that needs one of another
    object of the same class: the record of a run needs those of its islands, which are runs, too. Two threads may
    compute a property of the same object twice; what may not be computed at once has a lock of its own.

    Examples
    --------
    >>> class Square:
    ...     def __init__(self, side: float) -> None:
    ...         self.side = side
    ...
    ...     @cached_property
    ...     def area(self) -> float:
    ...         return self.side**2
    >>> Square(3.0).area
    9.0
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        super().__init__(compute)
        self.lock = nullcontext()
