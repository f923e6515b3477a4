"""Tresca friction, under known normal forces: contacts without slip, and the frictions that keep or release them.

With the normal forces F given, the frictions f of the contacts without slip minimise

    f . G_TT f / 2 + r . f   under   |f_i| <= mu_i F_i,

r the rate of the slips without them: where the bound is inactive the slip stays zero, else it begins against f. The
problem is convex, so that the slips that begin are unique. Tried first are the frictions of least norm that keep all
slips zero, relative to their discs, and with weights that make the largest ones smaller (Lawson 1961); then contact by
contact, each exactly, until nothing changes.
"""

import math

from sympact.contact.cone.disc_kernel import one_disc
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory.contact_tolerances import SUM_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2

SWEEPS = 500
WEIGHINGS = 20
LEAST_TAKEN = 0.1


@kernel
def hold_still(g, rate, force, radius, still, count, scratch, places):
    """The frictions of the contacts with `still` 1; those of others are unchanged.

    `g` (3 count, at least): G. `rate` (3 count): rates by the normal forces alone. `force` (2 count): a guess, and out
    the frictions. `radius` (count): mu F. `scratch`: 4 count^2 + 14 count numbers; `places` (4 count).
    """
    if hold_all(g, rate, force, radius, still, count, scratch, places):
        return
    by_contact(g, rate, force, radius, still, count)


@kernel
def hold_all(g, rate, force, radius, still, count, scratch, places):
    """The frictions that keep all slips zero, if they stay within their discs."""
    size, inside = 0, True
    for i in range(count):
        for c in range(1, 3 if still[i] == 1 and radius[i] > 0.0 else 1):
            places[2 * count + size] = 3 * i + c
            size += 1
    a, work = leading2(scratch, size, size), scratch[size * size :]
    right, weights, found = work[:size], work[size : 2 * size], work[2 * size : 3 * size]
    for k in range(size):
        row = places[2 * count + k]
        right[k], weights[k] = -rate[row], 1.0 / radius[row // 3]
        for i in range(count):
            if still[i] == 0:
                right[k] -= g[row, 3 * i + 1] * force[2 * i] + g[row, 3 * i + 2] * force[2 * i + 1]
    for _ in range(WEIGHINGS if size > 2 else 1):
        for k in range(size):
            for c in range(size):
                a[k, c] = g[places[2 * count + k], places[2 * count + c]]
        least_norm(a, size, size, right, weights, found, work[3 * size :], places)
        inside = weigh(radius, places, count, found, weights, size)
        if inside:
            break
    for k in range(size if inside else 0):
        row = places[2 * count + k]
        force[2 * (row // 3) + row % 3 - 1] = found[k]
    return inside


@kernel
def weigh(radius, places, count, found, weights, size):
    """True when all frictions stay within their discs; else the weights grow with their part of the disc."""
    inside = True
    for k in range(0, size, 2):
        taken = math.hypot(found[k], found[k + 1]) / radius[places[2 * count + k] // 3]
        inside = inside and taken <= 1.0
        weights[k] = weights[k + 1] = weights[k] * max(taken, LEAST_TAKEN)
    return inside


@kernel
def by_contact(g, rate, force, radius, still, count):
    """The same contact by contact, from a guess."""
    for _ in range(SWEEPS):
        change = largest = 0.0
        for i in range(count):
            if still[i] == 0:
                continue
            a, b = rate[3 * i + 1], rate[3 * i + 2]
            for k in range(count):
                if k != i:
                    a += g[3 * i + 1, 3 * k + 1] * force[2 * k] + g[3 * i + 1, 3 * k + 2] * force[2 * k + 1]
                    b += g[3 * i + 2, 3 * k + 1] * force[2 * k] + g[3 * i + 2, 3 * k + 2] * force[2 * k + 1]
            g11, g12, g22 = g[3 * i + 1, 3 * i + 1], g[3 * i + 1, 3 * i + 2], g[3 * i + 2, 3 * i + 2]
            p, q = one_disc(g11, g12, g22, a, b, radius[i], math.inf)  # a rate by forces is in the range of G
            change = max(change, abs(p - force[2 * i]) + abs(q - force[2 * i + 1]))
            largest = max(largest, radius[i])
            force[2 * i], force[2 * i + 1] = p, q
        if not change > SUM_ROUNDING * largest:
            break
