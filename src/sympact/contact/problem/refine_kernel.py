"""Speeds after an impact that are sharper than its impulses can tell.

One part in 1e16 of an impulse turns a nearly massless part by more than rounding. What the law holds, gap rates of
contacts that push and slips of those that stick, is then brought to what the law says by small impulses. They are added
to the motion and to the impulses, where most of them are lost in rounding; near a dead point what they do is small and
they are not.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.frictionless_kernel import measure_change
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

INSIDE = 1e-6  # part of the cone's edge that a sticking contact keeps off


@kernel
def sharpen(table, count, rate, boundless):
    """Correct MOTION and CHANGE of the impact whose velocities without impulse are `rate`.

    `boundless` says that no coefficient bounds the friction of a contact that has one.
    """
    n, m = table[at.N_C], table[at.N_U]
    held, size = wholes(table[at.CONE_PLACES], 3 * n), list_held(table, count, rate, boundless)
    if size == 0:
        return
    g, lines = reals2(table[at.DELASSUS], 3 * n, 3 * n), reals2(table[at.LINES], 3 * n, m)
    handles, motion = reals2(table[at.HANDLES], 3 * n, m), reals(table[at.MOTION], m)
    change, who, start = reals(table[at.CHANGE], m), wholes(table[at.WHO], n), table[at.CONE_SCRATCH]
    impulse = reals(table[at.CONE_IMPULSE], 3 * n)
    rows, vectors = reals2(start, size, size), start + 8 * size * size
    right, weight, found = reals(vectors, size), reals(vectors + 8 * size, size), reals(vectors + 16 * size, size)
    for r in range(size):
        k = held[r]
        right[r], weight[r] = -rate[k] - dot(lines, 3 * who[k // 3] + k % 3, change, m), 1.0
        for c in range(size):
            rows[r, c] = g[k, held[c]]
    order = wholes(table[at.CONE_PLACES] + 24 * n, size)
    least_norm(rows, size, size, right, weight, found, reals(vectors + 24 * size, 4 * size), order)
    for r in range(size):
        impulse[held[r]] += found[r]
        for k in range(m):
            motion[k] += found[r] * handles[held[r], k]
    measure_change(table, count)


@kernel
def list_held(table, count, rate, boundless):
    """The components that the law holds, among the participants' three each; returns how many."""
    n, size = table[at.N_C], 0
    held, impulse = wholes(table[at.CONE_PLACES], 3 * n), reals(table[at.CONE_IMPULSE], 3 * n)
    mu, sliding = reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    g, lines = reals2(table[at.DELASSUS], 3 * n, 3 * n), reals2(table[at.LINES], 3 * n, table[at.N_U])
    change, who = reals(table[at.CHANGE], table[at.N_U]), wholes(table[at.WHO], n)
    for i in range(count):
        o = 3 * i
        if not impulse[o] * g[o, o] > abs(rate[o] + dot(lines, 3 * who[i], change, table[at.N_U])):
            continue
        grip = math.hypot(impulse[o + 1], impulse[o + 2]) < (1.0 - INSIDE) * mu[i] * impulse[o]
        sticks = mu[i] > 0.0 and sliding[i] == 0 and (boundless or grip)
        for k in range(3 if sticks else 1):
            if g[o + k, o + k] > 0.0:
                held[size] = o + k
                size += 1
    return size
