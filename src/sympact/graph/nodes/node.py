"""The number of a node in its graph."""

from __future__ import annotations

from typing import NewType

__all__ = ["Node"]

Node = NewType("Node", int)
"""An expression in a `Graph`: an int to the interpreter, a type of its own to a type checker."""
