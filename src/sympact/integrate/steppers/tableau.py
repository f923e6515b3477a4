"""Explicit Runge-Kutta methods as tables.

The numbers of DOP853 and RK45 are SciPy's, which follow Hairer, Norsett, Wanner, *Solving Ordinary Differential
Equations I*, section II.5 and II.6 (Dormand-Prince 8(5,3) and 5(4)).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

Row = tuple[float, ...]


@dataclass(frozen=True)
class Tableau:
    """An explicit method with its dense output.

    The stages are k_i = f(t + c_i h, x + h sum_j a_ij k_j), the end of the step is x + h sum_i b_i k_i, and one more
    row, k_s, holds the rates there. The polynomial of the step is

        x(s) = x + s (F_0 + (1-s) (F_1 + s (F_2 + (1-s) (F_3 + ...)))),     0 <= s <= 1,   F_0 = x_new - x,

    so that it meets both ends exactly; F_j = delta_j F_0 + h sum_i d_ji k_i for j >= 1.

    Attributes
    ----------
    a, b, c : nested tuples
        The stages, b and the times; `a` has one row per stage, the first one empty.
    error : tuple of rows
        Weights of the error estimates: none (fixed step), one, or the two of DOP853 (fifth and third order).
    exponent : float
        The step grows with error**exponent.
    extra : tuple of (c, row)
        Further stages that only the dense output needs.
    dense : tuple of (delta, row)
        The polynomial's rows from F_1 on.
    """

    a: tuple[Row, ...]
    b: Row
    c: Row
    dense: tuple[tuple[float, Row], ...]
    error: tuple[Row, ...] = ()
    exponent: float = 0.0
    extra: tuple[tuple[float, Row], ...] = ()

    @property
    def uses_end(self) -> bool:
        """Whether the error depends on the rates at the end of the step."""
        return any(row[len(self.b)] != 0.0 for row in self.error)


def _rows(matrix) -> tuple[Row, ...]:
    return tuple(tuple(float(v) for v in row) for row in np.atleast_2d(matrix))


def _unit_row(length: int, **entries: float) -> Row:
    row = [0.0] * length
    for index, value in entries.items():
        row[int(index[1:])] = value
    return tuple(row)


def _hermite(last: int) -> tuple[tuple[float, Row], ...]:
    """Cubic through both ends and their rates: F_1 = h f_0 - F_0, F_2 = 2 F_0 - h (f_0 + f_1)."""
    return ((-1.0, _unit_row(last + 1, k0=1.0)), (2.0, _unit_row(last + 1, k0=-1.0, **{f"k{last}": -1.0})))


def euler() -> Tableau:
    """Euler's method, order 1, with the straight line between the ends."""
    return Tableau(a=((),), b=(1.0,), c=(0.0,), dense=())


def improved_euler() -> Tableau:
    """Heun's second-order method: the mean of the slopes at both ends."""
    return Tableau(a=((), (1.0,)), b=(0.5, 0.5), c=(0.0, 1.0), dense=_hermite(2))


def rk4() -> Tableau:
    """The classical method of order 4."""
    return Tableau(
        a=((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
        b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
        c=(0.0, 0.5, 0.5, 1.0),
        dense=_hermite(4),
    )


def rk43() -> Tableau:
    """The classical method of order 4 with the error of order 3 that the rates at the end of the step give it.

    The weights (1/6, 1/3, 1/3, 0, 1/6) of the stages and of these rates are those of a method of order 3.
    """
    return replace(rk4(), error=((0.0, 0.0, 0.0, 1 / 6, -1 / 6),), exponent=-1 / 4)


def rk45() -> Tableau:
    """Dormand-Prince 5(4); its quartic a s + b s^2 + c s^3 + d s^4 is rewritten in the nested form."""
    from scipy.integrate import RK45

    p = RK45.P.T
    dense = ((0.0, -(p[1] + p[2] + p[3])), (0.0, -(p[2] + 2 * p[3])), (0.0, p[3]))
    return Tableau(
        a=_rows(RK45.A),
        b=_rows(RK45.B)[0],
        c=_rows(RK45.C)[0],
        error=_rows(RK45.E),
        exponent=-1 / 5,
        dense=tuple((delta, _rows(row)[0]) for delta, row in dense),
    )


def dop853() -> Tableau:
    """Dormand-Prince 8(5,3) with its output of order 7."""
    from scipy.integrate import DOP853

    (delta_1, slope_1), (delta_2, slope_2) = _hermite(12)
    return Tableau(
        a=_rows(DOP853.A),
        b=_rows(DOP853.B)[0],
        c=_rows(DOP853.C)[0],
        error=(_rows(DOP853.E5)[0], _rows(DOP853.E3)[0]),
        exponent=-1 / 8,
        extra=tuple(zip(_rows(DOP853.C_EXTRA)[0], _rows(DOP853.A_EXTRA), strict=True)),
        dense=((delta_1, slope_1), (delta_2, slope_2), *((0.0, row) for row in _rows(DOP853.D))),
    )
