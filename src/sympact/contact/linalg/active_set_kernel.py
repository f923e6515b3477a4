"""The shortest vector that satisfies a number of bounds, by a finite active-set method.

    minimise |y|^2 / 2   subject to   a_j . y >= c_j,   |a_j| = 1

Its multipliers solve the complementarity problem 0 <= lambda _|_ A A^T lambda - c >= 0 with y = A^T lambda. The dual
method of Goldfarb and Idnani (1983, Mathematical Programming 27): start at y = 0, add the bound with the largest
violation to the active ones, and remove those whose multiplier would become negative. The active vectors stay linearly
independent, and every added bound makes y longer, so that no active set recurs.
"""

import math
from typing import NamedTuple

from sympact.contact.linalg.cholesky_kernel import append, dot, norm, reach_bounds, remove, solve_triangle, split
from sympact.contact.memory.contact_tolerances import DEPENDENT, MOTION_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

FREE, ACTIVE, IGNORED = 0, 1, 2
# both times the weight of `first_to_leave`
SOLVED, IMPOSSIBLE, UNFINISHED = 0, 1, 2


class Problem(NamedTuple):
    """The bounds a_j . y >= c_j, and their solution: `standing` (FREE ...) and `multiplier` of each, and y."""

    a: object
    c: object
    standing: object
    multiplier: object
    y: object


@kernel
def shortest(problem, n, m, floor, basis):
    """Find y and the multipliers, the active vectors in `basis`; returns SOLVED, IMPOSSIBLE or UNFINISHED.

    `floor` is the rounding error of the bounds: one that depends on active bounds and is violated by less is ignored.
    """
    largest = clear(problem, n, m, basis)
    scale, p, miss, fresh = largest, n, 0.0, True
    for _ in range(40 * n + 40):
        if fresh:
            scale = largest + norm(problem.y, m)
            p, miss = missed_most(problem, n, m, 4.0 * (m + n) * EPS * scale)
            if p < 0:
                return SOLVED
        length = split(basis, problem.a, p, m)
        solve_triangle(basis, basis.projection)
        weight, place, partial = first_to_leave(basis, problem.multiplier)
        whole = miss / (length * length) if length > DEPENDENT * weight else math.inf
        if whole == math.inf and fresh and miss <= max(floor, MOTION_ROUNDING * scale) * weight:
            problem.standing[p] = IGNORED
        elif whole == math.inf and place < 0:
            return IMPOSSIBLE
        elif whole <= partial:
            problem.standing[p] = ACTIVE
            append(basis, p, length, m)
            settle(problem, basis, m)
            fresh = True
        else:
            drop(problem, basis, p, place, partial)
            remove(basis, place, m)
            miss -= partial * length * length
            fresh = False
    return UNFINISHED


@kernel
def clear(problem, n, m, basis):
    """Every bound free, y and the multipliers zero, the basis empty; returns the largest bound."""
    largest, basis.count[0] = 0.0, 0
    for j in range(n):
        problem.standing[j] = FREE
        problem.multiplier[j] = 0.0
        largest = max(largest, problem.c[j])
    for k in range(m):
        problem.y[k] = 0.0
    return largest


@kernel
def missed_most(problem, n, m, tolerance):
    """The free bound with the largest violation, -1 if all are satisfied within the tolerance, and the violation."""
    p, most = -1, tolerance
    for j in range(n):
        if problem.standing[j] == FREE:
            miss = problem.c[j] - dot(problem.a, j, problem.y, m)
            if miss > most:
                p, most = j, miss
    return p, most


@kernel
def first_to_leave(basis, multiplier):
    """(weight, place, step): the active bound whose multiplier reaches zero first as the new one grows, or -1.

    The weight is 1 + sum |coefficients|, the amplification of roundings of the vectors and bounds in the remainder.
    """
    weight, place, step = 1.0, -1, math.inf
    for i in range(basis.count[0]):
        coefficient = basis.coefficients[i]
        weight += abs(coefficient)
        if coefficient > DEPENDENT:
            ratio = multiplier[basis.active[i]] / coefficient
            if ratio < step:
                place, step = i, ratio
    return weight, place, step


@kernel
def drop(problem, basis, p, place, step):
    """The multiplier of p grows until the one at `place` is zero."""
    for i in range(basis.count[0]):
        problem.multiplier[basis.active[i]] -= step * basis.coefficients[i]
    problem.multiplier[p] += step
    problem.multiplier[basis.active[place]] = 0.0
    problem.standing[basis.active[place]] = FREE


@kernel
def settle(problem, basis, m):
    """y and the multipliers that satisfy the active bounds exactly; a multiplier that rounding makes negative is
    zero."""
    reach_bounds(basis, problem.c, m, problem.y)
    for i in range(basis.count[0]):
        problem.multiplier[basis.active[i]] = max(basis.coefficients[i], 0.0)
