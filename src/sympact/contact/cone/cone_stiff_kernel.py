"""Newton's method with a small compliance, for impulses near a solution.

The steps of `cone_newton_kernel` decide the rank of their equations. Of contacts that nearly coincide, by a part in 1e7
for example, that decision makes one; but they open and close at different impulses, and the law says which. Here each
impulse adds tau times its change to its velocity, where tau is the accepted error, and G's diagonal is scaled to about
one. So the matrix is regular, and where constant statuses have no solution the step is long and points to impulses of
which one becomes tensile. It ends where the first contact changes its status, if no longer step reduces |F|. The
compliance acts on the change alone: the solution is that of rigid contacts.
"""

import math

from sympact.contact.cone.cone_newton_kernel import (
    HALVINGS,
    assemble_row,
    assemble_slip,
    list_unknowns,
    try_step,
)
from sympact.contact.cone.cone_residual_kernel import (
    BEST,
    FULL,
    LEAST,
    LEAST_STICK,
    MISS,
    MU,
    RIGHT,
    STEP,
    STICK,
    TRIAL,
    TRIAL_U,
    VOID,
    P,
    U,
    copy,
    measure,
    move,
    row,
    square,
)
from sympact.contact.linalg.gauss_kernel import solve_square
from sympact.contact.memory.contact_tolerances import ACCEPTED, ANSWER_ROUNDING, ARMIJO, BEYOND_ERROR
from sympact.native.kernel import kernel
from sympact.native.rounding import HALF_DIGITS


@kernel
def newton_compliant(cone, n, scale, accepted, steps):
    """At most so many steps from the impulses in P; the best ones are kept. Returns their |F|."""
    move(cone, n, P, U)
    miss = measure(cone, n, P, U, -ANSWER_ROUNDING * scale)
    best = miss
    copy(cone, P, BEST, 3 * n)
    for _ in range(steps):
        if best <= accepted or not math.isfinite(miss):
            break
        merit = square(cone, MISS, 3 * n)
        if not assemble_compliant_step(cone, n):
            break
        advance_to_change(cone, n, merit, scale)
        miss = measure(cone, n, P, U, -ANSWER_ROUNDING * scale)
        if miss < best:
            best = miss
            copy(cone, P, BEST, 3 * n)
    copy(cone, BEST, P, 3 * n)
    return best


@kernel
def assemble_compliant_step(cone, n):
    """The change of the impulses, of all components, into `step`; False where its equations are singular."""
    size = list_unknowns(cone, n)
    for r in range(size):
        place = cone.unknown[r]
        i = place // 3
        if place % 3 == 0 or cone.status[i] == STICK or cone.status[i] == LEAST_STICK:
            assemble_row(cone, r, place, size, False)
        else:
            assemble_slip(cone, r, place, size, False)
        cone.a[r, r] += ACCEPTED
    for k in range(3 * n):
        cone.v[STEP, k] = -cone.v[P, k]
    right, found = row(cone, RIGHT, 3 * n), row(cone, TRIAL, 3 * n)
    if not solve_square(cone.a, size, right, found):
        return False
    for r in range(size):
        cone.v[STEP, cone.unknown[r]] = found[r]
    return True


@kernel
def advance_to_change(cone, n, merit, scale):
    """Use the longest of the step's halves that reduces |F|; else go to the first change of a status; else all of
    it."""
    part = 1.0
    for _ in range(HALVINGS):
        if tried(cone, n, part, scale) < (1.0 - ARMIJO * part) * merit:
            break
        part *= 0.5
    else:
        part = (1.0 + BEYOND_ERROR) * first_change(cone, n)
        if not tried(cone, n, part, scale) <= (1.0 + HALF_DIGITS) * merit:
            try_step(cone, n, 1.0)
    copy(cone, TRIAL, P, 3 * n)
    copy(cone, TRIAL_U, U, 3 * n)


@kernel
def tried(cone, n, part, scale):
    """|F|^2 after a part of the step."""
    try_step(cone, n, part)
    measure(cone, n, TRIAL, TRIAL_U, -ANSWER_ROUNDING * scale)
    return square(cone, MISS, 3 * n)


@kernel
def first_change(cone, n):
    """The part of the step at which the first contact changes its status; 1 where none does before."""
    v, first = cone.v, 1.0
    try_step(cone, n, 1.0)
    for i in range(n):
        o = 3 * i
        if cone.kind[i] == VOID:
            continue
        z = v[P, o] - v[U, o]
        change = v[TRIAL, o] - v[TRIAL_U, o] - z
        if z * change < 0.0:
            first = min(first, -z / change)
        if cone.kind[i] == FULL and (z > 0.0 or v[LEAST, i] > 0.0):
            first = min(first, slip_change(cone, i, z, change))
    return first


@kernel
def slip_change(cone, i, z, change):
    """The part of the step at which contact i begins or ceases to slip, 1 where it does not before.

    |z_T + t dz_T| = mu (a + max(z_N + t dz_N, 0)).
    """
    v, o, mu = cone.v, 3 * i, cone.v[MU, i]
    z1, z2 = v[P, o + 1] - v[U, o + 1], v[P, o + 2] - v[U, o + 2]
    d1, d2 = v[TRIAL, o + 1] - v[TRIAL_U, o + 1] - z1, v[TRIAL, o + 2] - v[TRIAL_U, o + 2] - z2
    edge = mu * (v[LEAST, i] + max(z, 0.0))
    slope = mu * change if z > 0.0 else 0.0
    a = d1 * d1 + d2 * d2 - slope * slope
    b = z1 * d1 + z2 * d2 - edge * slope
    c = z1 * z1 + z2 * z2 - edge * edge
    inside = b * b - a * c
    if not inside >= 0.0:
        return 1.0
    q = -(b + math.copysign(math.sqrt(inside), b))
    first = 1.0
    if q != 0.0 and 0.0 < c / q < 1.0:
        first = c / q
    if a != 0.0 and 0.0 < q / a < first:
        first = q / a
    return first
