"""Newton's law, all participants at once: Lagrange's impact equations as a complementarity problem.

    M (u+ - u-) = W Lambda,   gamma+ = gamma- + W^T (u+ - u-),   0 <= Lambda _|_ gamma+ + e gamma- >= 0

With M = C C^T and y = C^T (u+ - u-), this is the shortest y with (C^-1 W_j) . y >= -(1 + e_j) gamma_j-: of all motions
that satisfy the law, the one nearest to the motion before, measured by kinetic energy. It is unique.
"""

import math

from sympact.contact import layout as at
from sympact.contact.distance_kernel import SOLVED, Problem, shortest
from sympact.contact.least_norm_kernel import SAME, mismatch, spread
from sympact.contact.linear_kernel import Basis, backward, dot, factor, forward, norm, row_norm
from sympact.integrate.pointer import reals, reals2, wholes
from sympact.integrate.unit import kernel

ACCEPTED = 1e-10  # residual of the complementarity problem, relative to its speeds


def solve(data):
    """Solve the problem posed in an `ImpactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    table = wholes(data, at.SIZE)
    m, n, count = table[at.N_U], table[at.N_C], table[at.COUNT]
    if not (finite(reals(table[at.OUT], m * m + n * m + 2 * n)) and finite(reals(table[at.RATE_MINUS], count))):
        return at.NOT_FINITE
    mass = reals2(table[at.OUT], m, m)
    table[at.PIVOT] = factor(mass, m)
    if table[at.PIVOT] >= 0:
        return at.UNSOLVED
    floor = pose(table, mass, count)
    if floor < 0.0:
        return at.UNSOLVED
    if count == 1:
        solve_one(table)
    elif not solve_several(table, count, floor):
        return at.UNSOLVED
    measure_change(table, mass, count)
    if not finite(reals(table[at.CHANGE], m)):
        return at.NOT_FINITE
    return at.SOLVED if satisfied(table, count, floor) else at.UNSOLVED


@kernel
def finite(values):
    """True when no value is infinite or NaN."""
    good = 0
    for i in range(values.size):
        if math.isfinite(values[i]):
            good += 1
    return good == values.size


@kernel
def jacobian(table):
    """W^T, one row for each contact."""
    m, n = table[at.N_U], table[at.N_C]
    return reals2(table[at.OUT] + 8 * m * m, n, m)


@kernel
def restitutions(table):
    """The restitution e of each contact."""
    m, n = table[at.N_U], table[at.N_C]
    return reals(table[at.OUT] + 8 * (m * m + n * m + n), n)


@kernel
def pose(table, mass, count):
    """Columns C^-1 W of unit length, their lengths, and the bounds; returns the rounding error of the bounds.

    -1 when a contact approaches that no speed can stop.
    """
    m, n, floor = table[at.N_U], table[at.N_C], 0.0
    who, wt, e = wholes(table[at.WHO], n), jacobian(table), restitutions(table)
    a, c, lengths = reals2(table[at.COLUMNS], n, m), reals(table[at.BOUNDS], n), reals(table[at.LENGTHS], n)
    rate, uncertain = reals(table[at.RATE_MINUS], n), reals(table[at.UNCERTAIN], n)
    for i in range(count):
        for k in range(m):
            a[i, k] = wt[who[i], k]
        forward(mass, m, a, i)
        length = row_norm(a, i, m)
        lengths[i], c[i] = length, 0.0
        if length > 0.0:
            for k in range(m):
                a[i, k] /= length
            c[i] = -(1.0 + e[who[i]]) * rate[i] / length
            floor = max(floor, uncertain[i] / length)
        elif rate[i] < 0.0:
            return -1.0
    return floor


@kernel
def solve_one(table):
    """A single contact: Lambda = -(1 + e) gamma- / (W^T M^-1 W), nothing if it does not approach."""
    m, multiplier = table[at.N_U], max(reals(table[at.BOUNDS], 1)[0], 0.0)
    a, y = reals(table[at.COLUMNS], m), reals(table[at.MOTION], m)
    for k in range(m):
        y[k] = multiplier * a[k]
    reals(table[at.IMPULSE], 1)[0] = multiplier / reals(table[at.LENGTHS], 1)[0] if multiplier > 0.0 else 0.0


@kernel
def solve_several(table, count, floor):
    """The motion first, which is unique, then the smallest impulses that give it; False if none satisfy the law."""
    m, n = table[at.N_U], table[at.N_C]
    k = max(m, n)
    problem = Problem(
        reals2(table[at.COLUMNS], n, m), reals(table[at.BOUNDS], n), wholes(table[at.STANDING], n),
        reals(table[at.MULTIPLIER], n), reals(table[at.MOTION], m),
    )
    basis = basis_at(table, at.BASIS, k)
    if shortest(problem, count, m, floor, basis) != SOLVED:
        return False
    null_problem = Problem(
        reals2(table[at.NULL_COLUMNS], n, n), reals(table[at.NULL_BOUNDS], n), problem.standing,
        reals(table[at.NULL_MULTIPLIER], n), reals(table[at.NULL_POINT], n),
    )
    impulse, lengths = reals(table[at.IMPULSE], n), reals(table[at.LENGTHS], n)
    rows, null = reals2(table[at.ROWS], n, n), basis_at(table, at.NULL, k)
    if spread(problem, lengths, count, m, basis, rows, null, null_problem, impulse):
        return True
    size = norm(problem.y, m)
    for i in range(count):
        impulse[i] = problem.multiplier[i] / lengths[i] if problem.multiplier[i] > 0.0 else 0.0
        size += problem.multiplier[i]
    return mismatch(problem, lengths, count, m, impulse, basis.remainder) <= SAME * size


@kernel
def basis_at(table, slot, k):
    """The basis whose arrays stand at a slot and after it."""
    return Basis(
        reals2(table[slot], k, k), reals2(table[slot + 1], k, k), reals(table[slot + 2], k), reals(table[slot + 3], k),
        reals(table[slot + 4], k), wholes(table[slot + 5], k), wholes(table[slot + 6], 1),
    )


@kernel
def measure_change(table, mass, count):
    """u+ - u- and the gap rates after, from the motion."""
    m, n = table[at.N_U], table[at.N_C]
    change, motion = reals(table[at.CHANGE], m), reals(table[at.MOTION], m)
    for k in range(m):
        change[k] = motion[k]
    backward(mass, m, change)
    who, wt = wholes(table[at.WHO], n), jacobian(table)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(count):
        after[i] = before[i] + dot(wt, who[i], change, m)


@kernel
def satisfied(table, count, floor):
    """True when every participant obeys its law; the largest residual is kept."""
    m, n = table[at.N_U], table[at.N_C]
    who, e, lengths = wholes(table[at.WHO], n), restitutions(table), reals(table[at.LENGTHS], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    impulse, c = reals(table[at.IMPULSE], n), reals(table[at.BOUNDS], n)
    residual, scale = 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            excess = (after[i] + e[who[i]] * before[i]) / lengths[i]
            residual, scale = max(residual, abs(min(impulse[i] * lengths[i], excess))), max(scale, c[i])
    scale += norm(reals(table[at.MOTION], m), m)
    reals(table[at.SCALAR], at.N_SCALARS)[at.RESIDUAL] = residual / scale if scale > 0.0 else 0.0
    return residual <= max(ACCEPTED * scale, floor)
