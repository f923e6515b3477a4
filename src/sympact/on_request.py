"""Functions of higher rooms that lower ones call: pictures, tables, reports, by their names.

A result draws itself, an ensemble is opened from its store, and a process is multiplied by another one; but the rooms
that draw, tabulate, open and multiply import those that call them. So the root, which is above all rooms, registers the
module of each function, and the caller names the function alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["on_request", "register"]

_HOMES: dict[str, str] = {}
_known: dict[str, Callable[..., Any]] = {}  # those that were called


def register(homes: Mapping[str, str]) -> None:
    """Note the module of each function, by its name."""
    _HOMES.update(homes)


def on_request(name: str) -> Callable[..., Any]:
    """A registered function; its module is imported by the first call.

    Raises
    ------
    KeyError
        If no such function is registered.
    """
    found = _known.get(name)
    if found is None:
        found = _known[name] = getattr(import_module(_HOMES[name]), name)
    return found
