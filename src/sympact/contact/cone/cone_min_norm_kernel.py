"""Redundant contacts with friction: the minimum-norm impulses of the same motion, in the original units.

A sticking contact may have any impulse inside its cone, a slipping one only impulses on the edge against its slip, a
separating one none beyond the least. Of the impulses beyond the least that give the same motion, those of least norm
within the cones are taken.
"""

import math

from sympact.contact.cone.cone_min_norm_dual_kernel import shortest_in_cones
from sympact.contact.cone.cone_residual_kernel import (
    FULL,
    LEAST,
    LEAST_SLIP,
    LEAST_STICK,
    MU,
    OPEN,
    RIGHT,
    SIZE,
    SLIP,
    STEP,
    STICK,
    TRIAL,
    TRIAL_U,
    VOID,
    WAY,
    WEIGHT,
    B,
    P,
    U,
    copy,
    measure,
    move,
    row,
)
from sympact.contact.linalg.least_squares_kernel import solve_triangulated, triangulate
from sympact.contact.memory.contact_tolerances import NO_VELOCITY, SUM_ROUNDING
from sympact.native.kernel import kernel


@kernel
def minimize_norm(counts, cone, n, scale):
    """Replace the impulses p by those of least norm within the cones; u is unchanged but for rounding."""
    if n == 1 and cone.kind[0] != FULL:
        return
    sort_by_motion(cone, n, scale)
    size = list_bearing(cone, n)
    if size < 2:
        return
    assemble_same_motion(cone, n, size)
    right, weight, found = row(cone, RIGHT, 3 * n), row(cone, WEIGHT, 3 * n), row(cone, STEP, 3 * n)
    rank = triangulate(cone.a, 3 * n, size, right, weight, cone.rest, cone.order)
    if rank == size:
        return
    keep_equations(cone, rank, size)
    solve_triangulated(cone.a, 3 * n, rank, size, weight, found, cone.rest, cone.order)
    write_impulses(cone, n, size)
    if admissible_part(cone, n) < 1.0:
        counts.within_cones += 1
        shortest_in_cones(cone, rank, size, scale)
        write_impulses(cone, n, size)
    part = admissible_part(cone, n)
    counts.partly += 1 if part < 1.0 else 0
    for k in range(3 * n):
        if part < 1.0:
            cone.v[TRIAL, k] = cone.v[P, k] + part * (cone.v[TRIAL, k] - cone.v[P, k])
    before = measure(cone, n, P, U, 0.0)
    move(cone, n, TRIAL, TRIAL_U)
    if measure(cone, n, TRIAL, TRIAL_U, 0.0) <= max(4.0 * before, 2.0 * SUM_ROUNDING * scale):
        copy(cone, TRIAL, P, 3 * n)
        copy(cone, TRIAL_U, U, 3 * n)


@kernel
def keep_equations(cone, rank, size):
    """The triangulated equations, in the order of the unknowns and in unit impulses, for `shortest_in_cones`."""
    for r in range(rank):
        cone.v[RIGHT, r] = cone.rest[r]
        for c in range(size):
            cone.table[cone.order[c], r] = cone.a[r, c] if c >= r else 0.0


@kernel
def sort_by_motion(cone, n, scale):
    """The status of each contact, by its velocity alone."""
    for i in range(n):
        o = 3 * i
        rubs = cone.kind[i] == FULL
        sticks = rubs and math.hypot(cone.v[U, o + 1], cone.v[U, o + 2]) <= NO_VELOCITY * scale
        if cone.kind[i] == VOID or (cone.v[U, o] > NO_VELOCITY * scale and not cone.v[P, o] > cone.v[U, o]):
            cone.status[i] = OPEN
            if rubs and cone.v[LEAST, i] > 0.0:
                cone.status[i] = LEAST_STICK if sticks else LEAST_SLIP
        elif sticks:
            cone.status[i] = STICK
        else:
            cone.status[i] = SLIP


@kernel
def list_bearing(cone, n):
    """The unknowns: three impulses of a sticking contact, the normal one of a slipping one; how many.

    Where the least normal impulse is enough, friction is unknown if the contact sticks, and nothing if it slips.
    """
    size = 0
    for i in range(n):
        if cone.status[i] == OPEN or cone.status[i] == LEAST_SLIP:
            continue
        for k in range(1 if cone.status[i] == LEAST_STICK else 0, 1 if cone.status[i] == SLIP else 3):
            if k == 0 or cone.g[3 * i + k, 3 * i + k] != 0.0:
                cone.unknown[size] = 3 * i + k
                size += 1
    return size


@kernel
def slip_of(cone, i):
    """P_T/P_N of a contact that slips or has a given line."""
    mu, o = cone.v[MU, i], 3 * i
    if mu == 0.0:
        return 0.0, 0.0
    if cone.kind[i] != FULL:
        return -mu * cone.v[WAY, 2 * i], -mu * cone.v[WAY, 2 * i + 1]
    length = math.hypot(cone.v[U, o + 1], cone.v[U, o + 2])
    return -mu * cone.v[U, o + 1] / length, -mu * cone.v[U, o + 2] / length


@kernel
def least_friction(cone, i):
    """The friction under the least normal impulse of a contact that slips; none for a line, whose rates have it."""
    slips = cone.status[i] == SLIP or cone.status[i] == LEAST_SLIP
    if cone.kind[i] != FULL or cone.v[LEAST, i] == 0.0 or not slips:
        return 0.0, 0.0
    x, y = slip_of(cone, i)
    return x * cone.v[LEAST, i], y * cone.v[LEAST, i]


@kernel
def assemble_same_motion(cone, n, size):
    """The equations G E y = u - b, E y the impulses of the unknowns y."""
    for r in range(3 * n):
        cone.v[RIGHT, r] = cone.v[U, r] - cone.v[B, r]
    for i in range(n):
        x, y = least_friction(cone, i)
        if x != 0.0 or y != 0.0:
            for r in range(3 * n):
                cone.v[RIGHT, r] -= x * cone.g[r, 3 * i + 1] + y * cone.g[r, 3 * i + 2]
    for c in range(size):
        place = cone.unknown[c]
        i = place // 3
        cone.v[WEIGHT, c] = cone.v[SIZE, i]
        for r in range(3 * n):
            cone.a[r, c] = cone.g[r, place]
        if cone.status[i] == SLIP:
            x, y = slip_of(cone, i)
            cone.v[WEIGHT, c] *= math.sqrt(1.0 + x * x + y * y)
            for r in range(3 * n):
                cone.a[r, c] += x * cone.g[r, place + 1] + y * cone.g[r, place + 2]


@kernel
def write_impulses(cone, n, size):
    """The impulses of the unknowns in `step`, into `trial`."""
    for i in range(n):
        cone.v[TRIAL, 3 * i] = 0.0
        cone.v[TRIAL, 3 * i + 1], cone.v[TRIAL, 3 * i + 2] = least_friction(cone, i)
    for c in range(size):
        place = cone.unknown[c]
        i = place // 3
        cone.v[TRIAL, place] = cone.v[STEP, c]
        if cone.status[i] == SLIP:
            x, y = slip_of(cone, i)
            cone.v[TRIAL, place + 1] += x * cone.v[STEP, c]
            cone.v[TRIAL, place + 2] += y * cone.v[STEP, c]


@kernel
def admissible_part(cone, n):
    """The part of the way from p to `trial` on which all impulses stay in their cones: from 0 to 1."""
    part = 1.0
    for i in range(n):
        if cone.status[i] == OPEN:
            continue
        o = 3 * i
        p0, p1, p2 = cone.v[P, o], cone.v[P, o + 1], cone.v[P, o + 2]
        d0, d1, d2 = cone.v[TRIAL, o] - p0, cone.v[TRIAL, o + 1] - p1, cone.v[TRIAL, o + 2] - p2
        least = cone.v[LEAST, i]
        slack = SUM_ROUNDING * (least + (abs(p0) + abs(d0)))
        if p0 + d0 < -slack:
            part = min(part, max(-p0 / d0, 0.0))
        mu, sticks = cone.v[MU, i], cone.status[i] == STICK or cone.status[i] == LEAST_STICK
        p0 += least
        if sticks and math.hypot(p1 + d1, p2 + d2) > mu * (p0 + d0) + slack:
            mu2 = mu * mu
            a = d1 * d1 + d2 * d2 - mu2 * d0 * d0
            b = p1 * d1 + p2 * d2 - mu2 * p0 * d0
            part = min(part, leaving(a, b, min(p1 * p1 + p2 * p2 - mu2 * p0 * p0, 0.0)))
    return part


@kernel
def leaving(a, b, c):
    """The first t > 0 at which a t^2 + 2 b t + c, which is not positive at 0, becomes positive; infinite if none."""
    inside = b * b - a * c
    if a > 0.0:
        root = math.sqrt(inside)
        return (root - b) / a if b <= 0.0 else -c / (b + root)
    if b <= 0.0 or inside <= 0.0:
        return math.inf
    return -c / (b + math.sqrt(inside))
