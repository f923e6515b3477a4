"""What is held, as a function of SymPy."""

from __future__ import annotations

import sympy as sm

__all__ = ["held"]


class held(sm.Function):
    """The value of its argument, which derivatives take for a constant.

    In a formula it marks a number that was found on the way, such as the place of a surface that is nearest to a ball:
    the terms around it tell how that number changes.

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
