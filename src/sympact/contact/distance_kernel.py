"""The shortest vector that meets a number of bounds, by a finite active-set method.

    minimise |y|^2 / 2   subject to   a_j . y >= c_j,   |a_j| = 1

Its multipliers solve the complementarity problem 0 <= lambda _|_ A A^T lambda - c >= 0 with y = A^T lambda. The dual method
of Goldfarb and Idnani (1983, Mathematical Programming 27): start at y = 0, let the bound missed most join the active ones,
and drop those whose multiplier would turn negative on the way. The active vectors stay linearly independent, and every bound
that joins makes y longer, so that no active set comes back.
"""

import math
from typing import NamedTuple

from sympact.contact.linear_kernel import (
    EPS,
    append,
    combine,
    dot,
    norm,
    remove,
    solve_normal,
    solve_triangle,
    split,
)
from sympact.integrate.unit import kernel

FREE, ACTIVE, IGNORED = 0, 1, 2
DEPENDENT = 1e-12   # sine of the angle below which a unit vector lies in the span of others
CONSISTENT = 1e-12  # miss of a dependent bound that is rounding, relative to the largest bound
IMPOSSIBLE = -1
UNFINISHED = -2


class Problem(NamedTuple):
    """The bounds a_j . y >= c_j and what solves them: `standing` (FREE, ACTIVE, IGNORED) and `multiplier` of each, and y."""

    a: object
    c: object
    standing: object
    multiplier: object
    y: object


@kernel
def shortest(problem, n, m, floor, basis):
    """Find y and the multipliers; returns the number of active bounds, or IMPOSSIBLE or UNFINISHED.

    `floor` is the rounding error of the bounds: a bound that depends on active ones and is missed by less is passed over.
    """
    largest, p, miss, size, fresh = clear(problem, n), -1, 0.0, 0, True
    floor = max(floor, CONSISTENT * largest)
    for _ in range(40 * n + 40):
        if fresh:
            combine(problem.multiplier, problem.a, n, m, problem.y)
            p, miss = missed_most(problem, n, m, 4.0 * (m + n) * EPS * (largest + norm(problem.y, m)))
            if p < 0:
                return size
        length = split(basis, size, problem.a, p, m)
        solve_triangle(basis, size, basis.projection, basis.coefficients)
        place, partial = first_to_leave(basis, size, problem.multiplier)
        whole = miss / (length * length) if length > DEPENDENT else math.inf
        if whole == math.inf and fresh and miss <= floor:
            problem.standing[p] = IGNORED
        elif whole == math.inf and place < 0:
            return IMPOSSIBLE
        elif whole <= partial:
            problem.standing[p] = ACTIVE
            size = append(basis, size, p, length, m)
            settle(problem, basis, size)
            fresh = True
        else:
            drop(problem, basis, size, p, place, partial)
            size = remove(basis, size, place, m)
            miss -= partial * length * length
            fresh = False
    return UNFINISHED


@kernel
def clear(problem, n):
    """Every bound free, no multiplier; returns the largest bound."""
    largest = 0.0
    for j in range(n):
        problem.standing[j] = FREE
        problem.multiplier[j] = 0.0
        largest = max(largest, problem.c[j])
    return largest


@kernel
def missed_most(problem, n, m, tolerance):
    """The free bound that is missed by most, -1 if all are met within the tolerance, and by how much."""
    p, most = -1, tolerance
    for j in range(n):
        if problem.standing[j] == FREE:
            miss = problem.c[j] - dot(problem.a, j, problem.y, m)
            if miss > most:
                p, most = j, miss
    return p, most


@kernel
def first_to_leave(basis, size, multiplier):
    """(place, step) of the active bound whose multiplier reaches zero first as the new one grows; (-1, inf) if none does."""
    place, step = -1, math.inf
    for i in range(size):
        if basis.coefficients[i] > DEPENDENT:
            ratio = multiplier[basis.active[i]] / basis.coefficients[i]
            if ratio < step:
                place, step = i, ratio
    return place, step


@kernel
def drop(problem, basis, size, p, place, step):
    """The multiplier of p grows until the one at `place` is zero."""
    for i in range(size):
        problem.multiplier[basis.active[i]] -= step * basis.coefficients[i]
    problem.multiplier[p] += step
    problem.multiplier[basis.active[place]] = 0.0
    problem.standing[basis.active[place]] = FREE


@kernel
def settle(problem, basis, size):
    """Multipliers with which the active bounds are met exactly; one that rounding makes negative is zero."""
    solve_normal(basis, size, problem.c, problem.multiplier)
    for i in range(size):
        j = basis.active[i]
        problem.multiplier[j] = max(problem.multiplier[j], 0.0)
