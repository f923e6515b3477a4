"""Contacts one after the other, each exactly, again and again: slow and dependable (Jean 1999, Computer Methods in
Applied Mechanics and Engineering 177)."""

import math

from sympact.contact.cone_law_kernel import (
    FULL,
    LINE,
    MU,
    WAY,
    B,
    P,
    U,
    move,
)
from sympact.contact.cone_local_kernel import solve_local
from sympact.integrate.unit import kernel


@kernel
def sweep(cone, n, sweeps, enough):
    """So many sweeps over the contacts, from the present impulses, fewer once they change by less than `enough`."""
    for _ in range(sweeps):
        change = 0.0
        for i in range(n):
            if cone.kind[i] == FULL:
                change = max(change, renew(cone, i, n))
            elif cone.kind[i] == LINE:
                change = max(change, renew_line(cone, i, n))
        if change <= enough:
            break
    move(cone, n, P, U)


@kernel
def velocity_of(cone, row, n):
    """U at a row, with the present impulses."""
    s = cone.v[B, row]
    for k in range(3 * n):
        s += cone.g[row, k] * cone.v[P, k]
    return s


@kernel
def renew(cone, i, n):
    """Solve contact i with the impulses of the others as they are; returns how far its impulse went."""
    g, v, out, o = cone.g, cone.v, cone.rest, 3 * i
    p0, p1, p2 = v[P, o], v[P, o + 1], v[P, o + 2]
    b0 = velocity_of(cone, o, n) - g[o, o] * p0 - g[o, o + 1] * p1 - g[o, o + 2] * p2
    b1 = velocity_of(cone, o + 1, n) - g[o + 1, o] * p0 - g[o + 1, o + 1] * p1 - g[o + 1, o + 2] * p2
    b2 = velocity_of(cone, o + 2, n) - g[o + 2, o] * p0 - g[o + 2, o + 1] * p1 - g[o + 2, o + 2] * p2
    length = math.hypot(p1, p2)
    out[3], out[4] = (-p1 / length, -p2 / length) if length > 0.0 else (0.0, 0.0)
    solve_local(cone, i, b0, b1, b2, out)
    v[P, o], v[P, o + 1], v[P, o + 2] = out[0], out[1], out[2]
    return max(abs(v[P, o] - p0), abs(v[P, o + 1] - p1), abs(v[P, o + 2] - p2))


@kernel
def renew_line(cone, i, n):
    """The same for a contact whose impulse keeps to a line."""
    g, v, o = cone.g, cone.v, 3 * i
    x, y = v[MU, i] * v[WAY, 2 * i], v[MU, i] * v[WAY, 2 * i + 1]
    share, before = g[o, o] - x * g[o, o + 1] - y * g[o, o + 2], v[P, o]
    if not share > 0.0:
        return 0.0
    v[P, o] = max(before - velocity_of(cone, o, n) / share, 0.0)
    v[P, o + 1], v[P, o + 2] = -x * v[P, o], -y * v[P, o]
    return abs(v[P, o] - before)
