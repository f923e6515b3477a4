"""Newton's method for frictional contact: the status of each contact is estimated from the present impulses.

F of `cone_residual_kernel` is smooth except where a contact changes its status. One step solves the equations of
constant statuses (Alart and Curnier 1991): no impulse for an open contact, U = 0 for a sticking one, and for one that
slips

    U_N = 0,    P_T - mu (a + P_N) d - r/|z_T| (I - d d^T) (P_T - U_T) = 0,    d = z_T/|z_T|,  r = mu (a + z_N)

Where the least normal impulse a is enough, P_N = 0 replaces U_N = 0, and r = mu a.

Where contacts are redundant the shortest step is taken. Nothing here depends on the order of the contacts or on the
directions of their tangents, so that a symmetric problem has a symmetric solution.
"""

import math

from sympact.contact.cone.cone_residual_kernel import (
    BEST,
    FULL,
    LEAST,
    LEAST_STICK,
    LINE,
    MISS,
    MU,
    OPEN,
    RIGHT,
    SIZE,
    STEP,
    STICK,
    TRIAL,
    TRIAL_U,
    WAY,
    WEIGHT,
    B,
    P,
    U,
    at_least,
    copy,
    follow_lines,
    measure,
    move,
    row,
    square,
)
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING, ARMIJO, DIGITS_LOST, RESOLVED
from sympact.native.kernel import kernel

HALVINGS = 6  # of a step that makes |F| larger
SHRINKS = 0.25  # factor by which a step must reduce |F| once the law is satisfied


@kernel
def newton(cone, n, scale, accepted, steps, fresh):
    """At most so many steps from the present impulses; the best ones are kept. Returns their |F|.

    After the first, second, fourth, ... step |F| is noted (Brent 1980, BIT 20). Where it is the same again to
    four digits, steps to the shortest impulses become shortest steps, and these end.
    """
    move(cone, n, P, U)
    miss = measure(cone, n, P, U, -ANSWER_ROUNDING * scale)
    best, noted = miss, 0.0
    copy(cone, P, BEST, 3 * n)
    for k in range(steps):
        if best <= 4.0 * RESOLVED * scale or not math.isfinite(miss):
            break
        merit = square(cone, MISS, 3 * n)
        assemble_step(cone, n, k < fresh)
        advance(cone, n, merit, scale)
        before, miss = miss, measure(cone, n, P, U, -ANSWER_ROUNDING * scale)
        if miss < best:
            best = miss
            copy(cone, P, BEST, 3 * n)
        if best <= accepted and not miss < SHRINKS * before:
            break
        if abs(miss - noted) <= DIGITS_LOST * noted:
            if k >= fresh:
                break
            fresh, noted = 0, 0.0
        elif k & (k + 1) == 0:
            noted = miss
    copy(cone, BEST, P, 3 * n)
    move(cone, n, P, U)
    return measure(cone, n, P, U, -ANSWER_ROUNDING * scale)


@kernel
def list_unknowns(cone, n):
    """The impulses that are not zero by what their contacts do; returns how many there are."""
    size = 0
    for i in range(n):
        o = 3 * i
        if cone.status[i] == OPEN:
            continue
        for k in range(1 if at_least(cone, i) else 0, 3 if cone.kind[i] == FULL else 1):
            if k == 0 or cone.g[o + k, o + k] != 0.0 or cone.v[B, o + k] != 0.0:
                cone.unknown[size] = o + k
                size += 1
    return size


@kernel
def column(cone, row, place):
    """The change of U at a row by an unknown: an entry of G, or for a line the entry along it."""
    i = place // 3
    value = cone.g[row, place]
    if cone.kind[i] == LINE and cone.v[MU, i] > 0.0:
        o = 3 * i
        along = cone.v[WAY, 2 * i] * cone.g[row, o + 1] + cone.v[WAY, 2 * i + 1] * cone.g[row, o + 2]
        value -= cone.v[MU, i] * along
    return value


@kernel
def assemble_step(cone, n, fresh):
    """The change of the impulses, of all components, into `step`."""
    size = list_unknowns(cone, n)
    for r in range(size):
        place = cone.unknown[r]
        i, cone.v[WEIGHT, r] = place // 3, cone.v[SIZE, place // 3]
        if place % 3 == 0 or cone.status[i] == STICK or cone.status[i] == LEAST_STICK:
            assemble_row(cone, r, place, size, fresh)
        else:
            assemble_slip(cone, r, place, size, fresh)
    for k in range(3 * n):
        cone.v[STEP, k] = -cone.v[P, k]
    right, weight, found = row(cone, RIGHT, 3 * n), row(cone, WEIGHT, 3 * n), row(cone, TRIAL, 3 * n)
    least_norm(cone.a, size, size, right, weight, found, cone.rest, cone.order)
    for r in range(size):
        place = cone.unknown[r]
        cone.v[STEP, place] = found[r] - cone.v[P, place] if fresh else found[r]


@kernel
def assemble_row(cone, r, place, size, fresh):
    """The row of U = 0."""
    s = -cone.v[B, place]
    for c in range(size):
        value = column(cone, place, cone.unknown[c])
        cone.a[r, c] = value
        if not fresh:
            s -= value * cone.v[P, cone.unknown[c]]
    cone.v[RIGHT, r] = s


@kernel
def assemble_slip(cone, r, place, size, fresh):
    """A row of a slipping contact: this component of the impulse stays on the edge, in its direction."""
    o = place - place % 3
    d1, d2 = cone.v[P, o + 1] - cone.v[U, o + 1], cone.v[P, o + 2] - cone.v[U, o + 2]
    length, i = math.hypot(d1, d2), o // 3
    d1, d2 = d1 / length, d2 / length
    least = cone.v[LEAST, i]
    edge = cone.v[MU, i] * (least if at_least(cone, i) else least + (cone.v[P, o] - cone.v[U, o])) / length
    d = d1 if place == o + 1 else d2
    across1 = edge * (1.0 - d1 * d1) if place == o + 1 else -edge * d1 * d2
    across2 = -edge * d1 * d2 if place == o + 1 else edge * (1.0 - d2 * d2)
    s = -across1 * cone.v[B, o + 1] - across2 * cone.v[B, o + 2]
    if least > 0.0:
        s += cone.v[MU, i] * least * d
    for c in range(size):
        k = cone.unknown[c]
        value = across1 * column(cone, o + 1, k) + across2 * column(cone, o + 2, k)
        if k == o:
            value -= cone.v[MU, i] * d
        if k == place:
            value += 1.0
        if k == o + 1:
            value -= across1
        elif k == o + 2:
            value -= across2
        cone.a[r, c] = value
        if not fresh:
            s -= value * cone.v[P, k]
    cone.v[RIGHT, r] = s


@kernel
def advance(cone, n, merit, scale):
    """Use the longest of the step's halves that reduces |F|, or the whole step when none does."""
    part = 1.0
    for _ in range(HALVINGS):
        try_step(cone, n, part)
        measure(cone, n, TRIAL, TRIAL_U, -ANSWER_ROUNDING * scale)
        if square(cone, MISS, 3 * n) < (1.0 - ARMIJO * part) * merit:
            break
        part *= 0.5
    else:
        try_step(cone, n, 1.0)
    copy(cone, TRIAL, P, 3 * n)
    copy(cone, TRIAL_U, U, 3 * n)


@kernel
def try_step(cone, n, part):
    """Part of the step added to the impulses, for a trial."""
    for k in range(3 * n):
        cone.v[TRIAL, k] = cone.v[P, k] + part * cone.v[STEP, k]
    follow_lines(cone, n, TRIAL)
    move(cone, n, TRIAL, TRIAL_U)
