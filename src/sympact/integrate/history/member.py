"""Properties of a class whose functions stand in other files, with the types of what they return."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

__all__ = ["member"]

if TYPE_CHECKING:
    T = TypeVar("T")

    class member(Generic[T]):
        """What type checkers see of ``name = member(function)``: they know a property by its decorator only."""

        def __init__(self, read: Callable[[Any], T]) -> None: ...

        def __get__(self, instance: object, owner: type | None = None) -> T: ...

else:
    member = property
