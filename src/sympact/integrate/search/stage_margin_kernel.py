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
from sympact.integrate.memory.run_tolerances import GAP_ROUNDING, PULLS
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps, scale_of
from sympact.integrate.search.bernstein_kernel import zero_of_falling
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.integrate.steppers.runge_kutta_kernel import SHORT_ROWS
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


_PLACES = _places()
_SHORT, _MIDDLE = np.array(SHORT_ROWS[::2]), np.array([0.0, 0.5, 1.0])
_FIT = np.ascontiguousarray(np.linalg.pinv(_basis(_PLACES)))
_RESIDUAL = np.ascontiguousarray(np.eye(len(ROWS)) - _basis(_PLACES) @ _FIT)


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
def short_bound(values, k):
    """The same over a short step of low order, from a straight line through the margins at its ends and its middle."""
    start, first, middle, last, end = SHORT_ROWS
    bend = values[start, k] - 2.0 * values[middle, k] + values[end, k]
    least = min(values[start, k], values[end, k]) - bend / 6.0
    changes = abs(values[first, k] - values[middle, k]) + abs(values[last, k] - values[end, k])
    return least - RESIDUALS * abs(bend) / 3.0 - DIFFERENCES * changes


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
def has_margins(run):
    """Whether the margins at the stages of the step are recorded."""
    return run.stage.margins != 0 and stage_margins_at(run.stage.margins).rates != 0


@kernel
def first_violation(run):
    """The fraction of the step at the first of its stages where a margin is negative; 1 if there is none."""
    if not has_margins(run):
        return 1.0
    margins, watched = stage_margins_at(run.stage.margins), run.stage.watched
    rows, places = (_SHORT, _MIDDLE) if run.low == 1 else (ROWS, _PLACES)
    for i in range(rows.size):
        for k in range(run.n_boundaries):
            if watched[k] == codes.BY_VALUES and margins.values[rows[i], k] < 0.0:
                return places[i]
    return 1.0


@kernel
def short_zeros(run, roots, b):
    """The margin that is zero first in a short step, by parabolas through its ends and its middle; -1: not so found.

    A margin that begins near zero, or is offset, is not searched in this way, nor one that does not fall throughout.
    """
    margins, watched, offset, first = stage_margins_at(run.stage.margins), run.stage.watched, run.offset, -1
    start, _, middle, _, end = SHORT_ROWS
    for k in range(run.n_boundaries):
        roots[k] = NO_ROOT
        if watched[k] != codes.BY_VALUES or short_bound(margins.values, k) > 0.0:
            continue
        b[0], b[2] = margins.values[start, k], margins.values[end, k]
        b[1] = 2.0 * margins.values[middle, k] - 0.5 * (b[0] + b[2])
        if offset[k] != 0.0 or not b[0] > PULLS * scale_of(run, k) or not b[0] > b[1] > b[2] or not b[2] < 0.0:
            return -1
        roots[k], slope = zero_of_falling(b, 2, b[0] / (b[0] - b[2]))
        if first < 0 or roots[k] < roots[first]:
            first, run.slope = k, slope / run.h
    return first


@kernel
def begin_without_force(run):
    """In the first step of an arc: a margin of zero at its start is offset as by `start_without_force` of samples."""
    values, watched, offset = stage_margins_at(run.stage.margins).values, run.stage.watched, run.offset
    for k in range(run.n_boundaries):
        if watched[k] == codes.BY_VALUES and is_without_force(run, k, values[0, k] - offset[k]):
            offset[k] -= PULLS * scale_of(run, k)


@kernel
def is_without_force(run, k, margin):
    """Whether the margin of a contact is zero, with rounding on both sides, or a tension below the threshold."""
    scale = scale_of(run, k)
    return -PULLS * scale <= margin <= GAP_ROUNDING * scale


@kernel
def clear_by_stages(run):
    """True when the forces of closed contacts, and the slips, certainly do not reach zero in the step.

    Where the state does not change the margins at its end are those of the whole step, because nothing depends on time.
    """
    if not has_margins(run):
        return False
    margins, watched, positive = stage_margins_at(run.stage.margins), run.stage.watched, True
    if run.fresh == 1:
        begin_without_force(run)
    if unmoved(run):
        return clear_at_end(run)
    for k in range(run.n_boundaries):
        if watched[k] == codes.BY_VALUES and positive:
            least = short_bound(margins.values, k) if run.low == 1 else lower_bound(margins.values, k)
            positive = least > run.offset[k]
    return positive


@kernel
def keep_end(run):
    """The margins at the end of the step are those at the start of the next."""
    if run.stage.margins != 0:
        values = stage_margins_at(run.stage.margins).values
        copy(row_of(values, run.last), row_of(values, 0))
