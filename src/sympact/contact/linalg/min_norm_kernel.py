"""Minimum-norm impulses of redundant contacts: the smallest among those that give the same motion.

The motion after an impact is unique; the impulses are not when the columns of W are linearly dependent. All impulses of
the same motion are Lambda_0 + N^T z >= 0, where the rows of N span the null space, and Lambda_0 is normal to them. The
least norm is reached at the shortest such z: the same kind of problem as the impact itself.
"""

import math

from sympact.contact.linalg.active_set_kernel import ACTIVE, SOLVED, shortest
from sympact.contact.linalg.cholesky_kernel import append, dot, norm, solve_triangle, split
from sympact.contact.memory.contact_tolerances import DEPENDENT, MOTION_ROUNDING, RANK, SUM_ROUNDING
from sympact.native.kernel import kernel


@kernel
def null_space(problem, lengths, n, m, basis, rows, null):
    """Impulses that move nothing, one for each active vector that the others span, as the orthonormal basis `null`.

    `rows` is scratch, of n numbers each; returns how many there are.
    """
    reach, null.count[0] = norm(problem.y, m), 0
    for j in range(n):
        reach = max(reach, problem.c[j])
    for j in range(n):
        gap = dot(problem.a, j, problem.y, m) - problem.c[j]
        if problem.standing[j] == ACTIVE or lengths[j] == 0.0 or gap > MOTION_ROUNDING * reach:
            continue
        length = split(basis, problem.a, j, m)
        if length > RANK:
            append(basis, j, length, m)
        elif length <= DEPENDENT:
            solve_triangle(basis, basis.projection)
            d = null.count[0]
            for k in range(n):
                rows[d, k] = 0.0
            rows[d, j] = 1.0 / lengths[j]
            for i in range(basis.count[0]):
                rows[d, basis.active[i]] = -basis.coefficients[i] / lengths[basis.active[i]]
            append(null, j, split(null, rows, d, n), n)
    return null.count[0]


@kernel
def bound_impulses(null, d, n, impulse, problem):
    """Assemble the bounds that keep impulses compressive; False if none is tensile."""
    largest = lowest = 0.0
    for j in range(n):
        largest, lowest = max(largest, abs(impulse[j])), min(lowest, impulse[j])
    for j in range(n):
        length = 0.0
        for i in range(d):
            length += null.q[i, j] * null.q[i, j]
        length = math.sqrt(length) if length > RANK * RANK else math.inf
        for i in range(d):
            problem.a[j, i] = null.q[i, j] / length
        problem.c[j] = -impulse[j] / length if abs(impulse[j]) > SUM_ROUNDING * largest else 0.0
    return lowest < -SUM_ROUNDING * largest


@kernel
def spread(problem, lengths, n, m, basis, rows, null, null_problem, impulse):
    """Write the impulses of least norm; False when they are not found, or do not give the motion.

    `basis` has the active vectors of the solved `problem`; the rest is scratch.
    """
    d = null_space(problem, lengths, n, m, basis, rows, null)
    for j in range(n):
        impulse[j] = problem.multiplier[j] / lengths[j] if problem.multiplier[j] > 0.0 else 0.0
    if d > 0 and not shorten(d, n, basis, rows, null, null_problem, impulse):
        return False
    size = norm(problem.y, m)
    for j in range(n):
        size += impulse[j] * lengths[j]
    return mismatch(problem, lengths, n, m, impulse, basis.remainder) <= MOTION_ROUNDING * size


@kernel
def shorten(d, n, basis, rows, null, null_problem, impulse):
    """Remove the null space from the impulses as far as they stay compressive; False if no solution is found."""
    for j in range(n):
        rows[d, j] = impulse[j]
    split(null, rows, d, n)
    for j in range(n):
        impulse[j] = null.remainder[j]
    if bound_impulses(null, d, n, impulse, null_problem):
        if shortest(null_problem, n, d, 0.0, basis) != SOLVED:
            return False
        for j in range(n):
            for i in range(d):
                impulse[j] += null.q[i, j] * null_problem.y[i]
    for j in range(n):
        impulse[j] = max(impulse[j], 0.0)
    return True


@kernel
def mismatch(problem, lengths, n, m, impulse, difference):
    """The distance of the motion of the impulses from that of the solved problem."""
    for k in range(m):
        difference[k] = problem.y[k]
    for j in range(n):
        for k in range(m):
            difference[k] -= impulse[j] * lengths[j] * problem.a[j, k]
    return norm(difference, m)
