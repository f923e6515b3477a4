"""Derivatives of expressions by SymPy, each part of an expression once."""

from __future__ import annotations

from functools import cache

import sympy as sm


@cache
def _letters(expression: sm.Basic) -> frozenset[sm.Basic]:
    """The symbols in an expression, whose parts are asked once each."""
    return frozenset({expression} if expression.is_Symbol else ()).union(*map(_letters, expression.args))


@cache
def slope(expression: sm.Expr, letter: sm.Symbol) -> sm.Expr:
    """The derivative by SymPy, once for each part: its `Derivative` asks every part anew for its symbols and signs.

    >>> x, y = sm.symbols("x y")
    >>> formula = (x + sm.sin(2 * x * y)) ** 3 * sm.sqrt(1 + x**2) / (x - y)
    >>> sm.simplify(slope(formula, x) - formula.diff(x))
    0
    """
    if letter not in _letters(expression):
        return sm.S.Zero
    if expression.is_Add:
        return sm.Add(*(slope(part, letter) for part in expression.args))
    if expression.is_Mul:
        parts = expression.args
        return sm.Add(
            *(
                sm.Mul(*parts[:k], slope(part, letter), *parts[k + 1 :])
                for k, part in enumerate(parts)
                if letter in _letters(part)
            )
        )
    if expression.is_Pow and expression.exp.is_Number:
        return expression.exp * expression.base ** (expression.exp - 1) * slope(expression.base, letter)
    return expression.diff(letter)
