"""Dead points: contacts whose slip is slow only because their directions nearly depend on each other there.

The accelerations without forces b have a part outside the range of A, nu . b for each null direction nu, that no force
changes. It accelerates the slip whatever friction does, so that the contact slides in that direction at once. Where
forces that hold its gap then press it the more (nu within the cone and nu . b < 0) there is no motion: a jam.

Where directions depend on each other all along the motion nu . b is zero but for rounding. It is taken out of b: forces
that nearly jam make more of it than a solution may miss, and what locks itself, nu within its cone, would not stick.
"""

import math

from sympact.contact.linalg.rank_kernel import decide, outside
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.closed_friction_kernel import held_rank
from sympact.contact.problem.slip_kernel import coefficients, held_acceleration
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes


def slide_at_dead_points(data):
    """In the problem of forces posed last, contacts that no force can hold slide as they are accelerated; how many."""
    table = wholes(data, at.SIZE)
    left, found = find_outside(table), 0
    for i in range(table[at.COUNT]):
        found += slide(table, i, left[3 * i + 1], left[3 * i + 2])
    return found


@kernel
def find_outside(table):
    """The part of the accelerations posed that is outside the range of A."""
    m, n, count = table[at.N_U], table[at.N_C], table[at.COUNT]
    rank, rows = held_rank(table, 3 * count), reals2(table[at.HANDLES], 3 * n, m)
    for k in range(3 * count):
        rank.group[k] = k // 3
        for c in range(m):
            rank.rows[k, c] = rows[k, c]
    decide(rank)
    left = reals(table[at.HELD_BOUNDS], 3 * n)
    outside(rank, reals(table[at.CONE_RATE], 3 * n), left)
    return left


@kernel
def take_rounding(table):
    """Take what is outside the range out of the accelerations posed, if it is rounding."""
    left, rate, total = find_outside(table), reals(table[at.CONE_RATE], 3 * table[at.N_C]), 0.0
    for k in range(3 * table[at.COUNT]):
        total += left[k] * left[k]
    if math.sqrt(total) <= held_acceleration(table):
        for k in range(3 * table[at.COUNT]):
            rate[k] -= left[k]


@kernel
def slide(table, i, a, b):
    """Participant i slides along its acceleration (a, b) if it was to stick and that is none of rounding; 1 or 0."""
    n, length = table[at.N_C], math.sqrt(a * a + b * b)
    sliding, mu = wholes(table[at.SLIDING], n), reals(table[at.COEFFICIENT], n)
    direction = reals2(table[at.DIRECTION], n, 2)
    if sliding[i] == 1 or mu[i] == 0.0 or not length > held_acceleration(table):
        return 0
    sliding[i], direction[i, 0], direction[i, 1] = 1, a / length, b / length
    mu[i], _ = coefficients(table, wholes(table[at.WHO], n)[i])
    return 1
