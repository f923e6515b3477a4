"""Contacts one after the other, each exactly, again and again: slow and dependable (Jean 1999, Computer Methods in
Applied Mechanics and Engineering 177)."""

import math

from sympact.contact.cone_law_kernel import FULL, LINE, move
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
    move(cone, n, cone.p, cone.u)


@kernel
def velocity_of(cone, row, n):
    """U at a row, with the present impulses."""
    s = cone.b[row]
    for k in range(3 * n):
        s += cone.g[row, k] * cone.p[k]
    return s


@kernel
def renew(cone, i, n):
    """Solve contact i with the impulses of the others as they are; returns how far its impulse went."""
    g, p, out, o = cone.g, cone.p, cone.rest, 3 * i
    p0, p1, p2 = p[o], p[o + 1], p[o + 2]
    b0 = velocity_of(cone, o, n) - g[o, o] * p0 - g[o, o + 1] * p1 - g[o, o + 2] * p2
    b1 = velocity_of(cone, o + 1, n) - g[o + 1, o] * p0 - g[o + 1, o + 1] * p1 - g[o + 1, o + 2] * p2
    b2 = velocity_of(cone, o + 2, n) - g[o + 2, o] * p0 - g[o + 2, o + 1] * p1 - g[o + 2, o + 2] * p2
    length = math.hypot(p1, p2)
    out[3], out[4] = (-p1 / length, -p2 / length) if length > 0.0 else (0.0, 0.0)
    solve_local(cone, i, b0, b1, b2, out)
    p[o], p[o + 1], p[o + 2] = out[0], out[1], out[2]
    return max(abs(p[o] - p0), abs(p[o + 1] - p1), abs(p[o + 2] - p2))


@kernel
def renew_line(cone, i, n):
    """The same for a contact whose impulse keeps to a line."""
    g, p, o = cone.g, cone.p, 3 * i
    x, y = cone.mu[i] * cone.way[2 * i], cone.mu[i] * cone.way[2 * i + 1]
    share, before = g[o, o] - x * g[o, o + 1] - y * g[o, o + 2], p[o]
    if not share > 0.0:
        return 0.0
    p[o] = max(before - velocity_of(cone, o, n) / share, 0.0)
    p[o + 1], p[o + 2] = -x * p[o], -y * p[o]
    return abs(p[o] - before)
