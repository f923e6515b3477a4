"""Completion of a state: its dependent part from its independent part and the constraints.

    phi(q + S D c, t) = 0,   A (u + D d) + a = 0

D has r directions of the speeds, the rank of A, constant within a step. q and u move along them alone: the independent
part is that of the step. With unit vectors of the dependent speeds this is generalized coordinate partitioning. With
the directions normal to the constraints at the start of the step, in the metric of M, the independent part is the local
parameter in the tangent space there. c follows by Newton's method, d is linear.
"""

import math

from sympact.contact.constraints.directions_kernel import choose_directions
from sympact.contact.constraints.move_kernel import copy_numbers, largest_of, move
from sympact.contact.linalg.elimination_kernel import eliminate
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading2
from sympact.native.rounding import HALF_DIGITS

TRIES = 8  # corrections of the coordinates; after one smaller than HALF_DIGITS the next would be rounding


@kernel
def completed(bilateral, t, x):
    """The completed state, in `complete`; NaN where Newton's method does not converge, so that a step is shortened.

    Out of runs no step has begun: the directions are then those at the state.
    """
    state = bilateral.complete
    copy_numbers(x, state)
    if bilateral.reduction.chosen == 0:
        choose_directions(bilateral, t, state, True)
    if not (complete_positions(bilateral, t, state) and complete_speeds(bilateral, t, state)):
        for i in range(state.size):
            state[i] = math.nan
    return state


@kernel
def complete_positions(bilateral, t, x):
    """Move the coordinates along the directions until phi = 0; False where that does not succeed."""
    for _ in range(TRIES):
        if not along_directions(bilateral, t, x, bilateral.phi):
            return False
        if move(bilateral, t, x) <= HALF_DIGITS * largest_of(x, 0, bilateral.n_q):
            return True
    return False


@kernel
def complete_speeds(bilateral, t, x):
    """Move the speeds along the directions until A u + a = 0."""
    nq = bilateral.n_q
    if not along_directions(bilateral, t, x, bilateral.rate):
        return False
    for k in range(bilateral.n_u):
        x[nq + k] += bilateral.motion[k]
    return True


@kernel
def along_directions(bilateral, t, x, values):
    """The change of the speeds along the directions that changes the rates of the constraints by minus `values`, a part
    of `constraint` at the state, into `motion`; False where there is none."""
    m, reduction, motion = bilateral.n_u, bilateral.reduction, bilateral.motion
    r, allowed, pivots = reduction.count, reduction.open, reduction.pivots
    table = leading2(reduction.table, r, r + 1)
    call_flow(bilateral.constraints, t, x, bilateral.parameters, bilateral.constraint)
    for i in range(r):
        k = reduction.rows[i]
        for j in range(r):
            s = 0.0
            for c in range(m):
                s += bilateral.rows[k, c] * reduction.directions[j, c]
            table[i, j] = s
        table[i, r], allowed[i] = -values[k], 1
    allowed[r] = 0
    if not eliminate(table, r, r + 1, allowed, pivots):
        return False
    for c in range(m):
        motion[c] = 0.0
    for i in range(r):
        for c in range(m):
            motion[c] += table[i, r] * reduction.directions[pivots[i], c]
    return True
