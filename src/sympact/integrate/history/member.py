"""Properties of a class whose functions are defined in other files, with the types of their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

__all__ = ["member"]

if TYPE_CHECKING:
    T = TypeVar("T")

    class member(Generic[T]):
        """The view of type checkers of ``name = member(function)``: they recognize a property by its decorator only."""

        def __init__(self, read: Callable[[Any], T]) -> None: ...

        def __get__(self, instance: object, owner: type | None = None) -> T: ...

else:
    member = property
