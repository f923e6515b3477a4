"""Newton's method for frictional contact: what each contact does is guessed from the present impulses.

F of `cone_law_kernel` is smooth but where a contact changes what it does. One step solves the equations that hold while
none does (Alart and Curnier 1991): no impulse for an open contact, U = 0 for a sticking one, and for one that slips

    U_N = 0,    P_T - mu P_N d - r/|z_T| (I - d d^T) (P_T - U_T) = 0,    d = z_T/|z_T|,  r = mu z_N

Where contacts are redundant the shortest step is taken. Nothing here depends on the order of the contacts or on the
directions of their tangents, so that a symmetric problem has a symmetric answer.
"""

import math

from sympact.contact.cone_law_kernel import FULL, LINE, OPEN, STICK, copy, follow_lines, measure, move, square
from sympact.contact.least_squares_kernel import least_norm
from sympact.integrate.unit import kernel

ROUNDING = 4e-15  # |F|, relative to the speeds, at which there is nothing left to gain
HALVINGS = 6      # of a step that makes |F| larger
SHRINKS = 0.25    # part of |F| that a step must leave behind once the law is satisfied


@kernel
def newton(cone, n, scale, accepted, steps):
    """At most so many steps from the present impulses; the best ones stay. Returns their |F|."""
    move(cone, n, cone.p, cone.u)
    miss = measure(cone, n, cone.p, cone.u)
    best = miss
    copy(cone.p, cone.best, 3 * n)
    for _ in range(steps):
        if best <= ROUNDING * scale or not math.isfinite(miss):
            break
        merit = square(cone.miss, 3 * n)
        pose_step(cone, n)
        advance(cone, n, merit)
        before, miss = miss, measure(cone, n, cone.p, cone.u)
        if miss < best:
            best = miss
            copy(cone.p, cone.best, 3 * n)
        if best <= accepted and not miss < SHRINKS * before:
            break
    copy(cone.best, cone.p, 3 * n)
    move(cone, n, cone.p, cone.u)
    return measure(cone, n, cone.p, cone.u)


@kernel
def list_unknowns(cone, n):
    """The impulses of contacts that are not open; returns how many there are."""
    size = 0
    for i in range(n):
        o = 3 * i
        if cone.status[i] == OPEN:
            continue
        for k in range(3 if cone.kind[i] == FULL else 1):
            if k == 0 or cone.g[o + k, o + k] != 0.0 or cone.b[o + k] != 0.0:
                cone.unknown[size] = o + k
                size += 1
    return size


@kernel
def column(cone, row, place):
    """The change of U at a row by an unknown: an entry of G, or for a line the entry along it."""
    i = place // 3
    value = cone.g[row, place]
    if cone.kind[i] == LINE and cone.mu[i] > 0.0:
        o = 3 * i
        along = cone.way[2 * i] * cone.g[row, o + 1] + cone.way[2 * i + 1] * cone.g[row, o + 2]
        value -= cone.mu[i] * along
    return value


@kernel
def pose_step(cone, n):
    """The change of the impulses, of all components, into `step`."""
    size = list_unknowns(cone, n)
    for r in range(size):
        place = cone.unknown[r]
        i, cone.weight[r] = place // 3, cone.size[place // 3]
        if place % 3 == 0 or cone.status[i] == STICK:
            pose_row(cone, r, place, size)
        else:
            pose_slip(cone, r, place, size)
    for k in range(3 * n):
        cone.step[k] = -cone.p[k]
    rank = least_norm(cone.a, size, size, cone.right, cone.weight, cone.trial, cone.rest, cone.order)
    for r in range(size):
        cone.step[cone.unknown[r]] = cone.trial[r]
    return rank


@kernel
def pose_row(cone, r, place, size):
    """The row of U = 0."""
    s = -cone.b[place]
    for c in range(size):
        value = column(cone, place, cone.unknown[c])
        cone.a[r, c] = value
        s -= value * cone.p[cone.unknown[c]]
    cone.right[r] = s


@kernel
def pose_slip(cone, r, place, size):
    """A row of a slipping contact: this component of the impulse keeps to the edge, in the direction it takes."""
    o = place - place % 3
    d1, d2 = cone.p[o + 1] - cone.u[o + 1], cone.p[o + 2] - cone.u[o + 2]
    length, i = math.hypot(d1, d2), o // 3
    d1, d2 = d1 / length, d2 / length
    edge = cone.mu[i] * (cone.p[o] - cone.u[o]) / length
    d = d1 if place == o + 1 else d2
    across1 = edge * (1.0 - d1 * d1) if place == o + 1 else -edge * d1 * d2
    across2 = -edge * d1 * d2 if place == o + 1 else edge * (1.0 - d2 * d2)
    s = -across1 * cone.b[o + 1] - across2 * cone.b[o + 2]
    for c in range(size):
        k = cone.unknown[c]
        value = across1 * column(cone, o + 1, k) + across2 * column(cone, o + 2, k)
        if k == o:
            value -= cone.mu[i] * d
        if k == place:
            value += 1.0
        if k == o + 1:
            value -= across1
        elif k == o + 2:
            value -= across2
        cone.a[r, c] = value
        s -= value * cone.p[k]
    cone.right[r] = s


@kernel
def advance(cone, n, merit):
    """Take the longest of the step's halves that makes |F| smaller, or the whole step when none does."""
    part = 1.0
    for _ in range(HALVINGS):
        try_step(cone, n, part)
        measure(cone, n, cone.trial, cone.trial_u)
        if square(cone.miss, 3 * n) < (1.0 - 1e-4 * part) * merit:
            break
        part *= 0.5
    else:
        try_step(cone, n, 1.0)
    copy(cone.trial, cone.p, 3 * n)
    copy(cone.trial_u, cone.u, 3 * n)


@kernel
def try_step(cone, n, part):
    """Part of the step onto the impulses, for a look."""
    for k in range(3 * n):
        cone.trial[k] = cone.p[k] + part * cone.step[k]
    follow_lines(cone, n, cone.trial)
    move(cone, n, cone.trial, cone.trial_u)
