"""Expressions of SymPy as functions of numbers: `sympy.lambdify`, which writes the same expressions once.

Tests build many models again that are alike, or that differ in one contact alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import sympy as sm

Nested = sm.Basic | Sequence["Nested"]


def lambdified(arguments: Nested, expressions: Nested, *, cse: bool = False) -> Callable:
    """A function of the arguments that returns an expression, or nested lists of them."""
    return _written(_tuples(arguments), _tuples(expressions), cse)


@cache
def _written(arguments, expressions, cse: bool) -> Callable:
    """Without the text of the expressions that SymPy writes into the docstring, which takes a third of the time."""
    return sm.lambdify(arguments, _lists(expressions), cse=cse, docstring_limit=0)


def _tuples(nested: Nested):
    return tuple(map(_tuples, nested)) if isinstance(nested, list | tuple) else nested


def _lists(nested: Nested):
    return list(map(_lists, nested)) if isinstance(nested, tuple) else nested
