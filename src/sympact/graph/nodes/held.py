"""A detached value, as a function of SymPy."""

from __future__ import annotations

import sympy as sm

__all__ = ["held"]


class held(sm.Function):
    """The value of its argument, which derivatives treat as a constant.

    In a formula it marks a number from an iteration, such as the point of a surface that is closest to a ball: the
    terms around it contain the change of that number.

    Examples
    --------
    >>> x = sm.Symbol("x", real=True)
    >>> held(x).diff(x), held(sm.Integer(2)), float(held(x).subs(x, 0.5))
    (0, 2, 0.5)
    """

    nargs = 1
    _imp_ = staticmethod(lambda a: a)

    @classmethod
    def eval(cls, a: sm.Expr) -> sm.Expr | None:
        """A number is itself."""
        return a if a.is_number else None

    def fdiff(self, argindex: int = 1) -> sm.Expr:
        """Zero."""
        return sm.S.Zero

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real
