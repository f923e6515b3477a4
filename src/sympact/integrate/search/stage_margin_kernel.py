"""The margins of closed contacts over a step, from those at its own stages: no evaluation, where they stay positive.

The stages of DOP853 whose states are of order five lie at eight fractions of the step. The polynomial of degree 4 with
the least squares of the differences to the margins there has a residual r; its Bernstein coefficients are a lower bound
of the polynomial. For waves of any frequency up to 30 rad a step the polynomial exceeds the margin nowhere by more than
13 r (`docs/theory/rest`), hence

    margin(s) > least coefficient - 16 r - 2 d.

d is the difference of the margins at the last stage, whose state has the largest error of these, 2.5 times that of any
other, and at the end of the step. Two of it are more than this error can change the polynomial.
"""

from math import comb

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import stage_margins_at
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps
from sympact.integrate.steppers.tableau import dop853
from sympact.native.kernel import kernel
from sympact.native.pointer import row_of

DEGREE = 4
RESIDUALS, DIFFERENCES = 16.0, 2.0
LAST_STAGE = 11  # at the end of the step, before the state there is known
ROWS = np.array([0, 6, 7, 5, 9, 8, 10, 12])  # the stages of order five by their fractions, and the ends


def _places():
    """The fractions of the step of these stages."""
    c = (*dop853().c, 1.0)
    return np.array([c[row] for row in ROWS])


def _basis(places):
    """Bernstein's polynomials at some places, a row for each place."""
    return np.array([[comb(DEGREE, j) * s**j * (1 - s) ** (DEGREE - j) for j in range(DEGREE + 1)] for s in places])


_FIT = np.ascontiguousarray(np.linalg.pinv(_basis(_places())))
_RESIDUAL = np.ascontiguousarray(np.eye(len(ROWS)) - _basis(_places()) @ _FIT)


@kernel
def lower_bound(values, k):
    """A lower bound of margin k over the step; NaN where a margin is no number."""
    least = residual = 0.0
    for i in range(DEGREE + 1):
        v = 0.0
        for j in range(ROWS.size):
            v += _FIT[i, j] * values[ROWS[j], k]
        least = v if i == 0 else min(least, v)
    for i in range(ROWS.size):
        v = 0.0
        for j in range(ROWS.size):
            v += _RESIDUAL[i, j] * values[ROWS[j], k]
        residual = max(residual, abs(v))
    return least - RESIDUALS * residual - DIFFERENCES * abs(values[LAST_STAGE, k] - values[ROWS[-1], k])


@kernel
def unmoved(run):
    """True when the step has not changed the state by a bit."""
    x, x_new, same = run.x, run.x_new, True
    for i in range(run.n_states):
        same = same and x[i] == x_new[i]
    return same


@kernel
def clear_at_end(run):
    """True when the margins at the end of the step are positive."""
    watched, here, positive = run.stage.watched, run.gaps_here, True
    run.looking = codes.BY_VALUES
    evaluate_gaps(run, run.t_new, run.x_new, run.rates[run.last], here)
    run.looking = codes.BY_RATES
    for k in range(run.n_boundaries):
        positive = positive and (watched[k] != codes.BY_VALUES or here[k] > 0.0)
    return positive


@kernel
def clear_by_stages(run):
    """True when the forces of closed contacts, and the slips, certainly do not reach zero in the step.

    Where the state does not change the margins at its end are those of the whole step, because nothing depends on time.
    """
    if run.stage.margins == 0:
        return False
    margins, watched, positive = stage_margins_at(run.stage.margins), run.stage.watched, True
    if margins.rates == 0:
        return False
    if unmoved(run):
        return clear_at_end(run)
    for k in range(run.n_boundaries):
        positive = positive and (watched[k] != codes.BY_VALUES or lower_bound(margins.values, k) > 0.0)
    return positive


@kernel
def keep_end(run):
    """The margins at the end of the step are those at the start of the next."""
    if run.stage.margins != 0:
        values = stage_margins_at(run.stage.margins).values
        copy(row_of(values, run.last), row_of(values, 0))
