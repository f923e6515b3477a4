"""Newton's law, all participants at once: Lagrange's impact equations as a complementarity problem.

    M (u+ - u-) = W Lambda,   gamma+ = gamma- + W^T (u+ - u-),   0 <= Lambda _|_ gamma+ + e gamma- >= 0

With M = C C^T and y = C^T (u+ - u-), this is the shortest y with (C^-1 W_j) . y >= -(1 + e_j) gamma_j-: of all motions
that satisfy the law, the one nearest to the motion before, measured by kinetic energy. It is unique.
"""

import math

from sympact.contact.linalg.active_set_kernel import SOLVED, Problem, shortest
from sympact.contact.linalg.cholesky_kernel import Basis, backward, dot, norm
from sympact.contact.linalg.min_norm_kernel import SAME, mismatch, spread
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import factor_mass, jacobian, mass_factor, pose_columns
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

ACCEPTED = 1e-10  # residual of the complementarity problem, relative to its speeds


def solve(data):
    """Solve the problem posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return complement(wholes(data, at.SIZE))


@kernel
def complement(table):
    """The problem posed in a table: for impulses, or (with accelerations for rates and e = 0) for forces."""
    m, n, count = table[at.N_U], table[at.N_C], table[at.COUNT]
    if not (finite(reals(table[at.OUT], m * m + n * m + 2 * n)) and finite(reals(table[at.RATE_MINUS], count))):
        return at.NOT_FINITE
    if not factor_mass(table):
        return at.UNSOLVED
    floor = pose(table, count)
    if floor < 0.0:
        return at.UNSOLVED
    if count == 1:
        solve_one(table)
    elif not solve_several(table, count, floor):
        return at.UNSOLVED
    measure_change(table, count)
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
def pose(table, count):
    """The columns and the bounds; returns the rounding error of the bounds.

    -1 when a contact approaches that no speed can stop.
    """
    n, floor = table[at.N_C], 0.0
    c, lengths, e = reals(table[at.BOUNDS], n), reals(table[at.LENGTHS], n), reals(table[at.RESTITUTION], n)
    rate, uncertain = reals(table[at.RATE_MINUS], n), reals(table[at.UNCERTAIN], n)
    pose_columns(table, count)
    for i in range(count):
        c[i] = 0.0
        if lengths[i] > 0.0:
            c[i] = -(1.0 + e[i]) * rate[i] / lengths[i]
            floor = max(floor, uncertain[i] / lengths[i])
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
        reals2(table[at.COLUMNS], n, m),
        reals(table[at.BOUNDS], n),
        wholes(table[at.STANDING], n),
        reals(table[at.MULTIPLIER], n),
        reals(table[at.MOTION], m),
    )
    basis = basis_at(table, at.BASIS, k)
    if shortest(problem, count, m, floor, basis) != SOLVED:
        return False
    null_problem = Problem(
        reals2(table[at.NULL_COLUMNS], n, n),
        reals(table[at.NULL_BOUNDS], n),
        problem.standing,
        reals(table[at.NULL_MULTIPLIER], n),
        reals(table[at.NULL_POINT], n),
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
        reals2(table[slot], k, k),
        reals2(table[slot + 1], k, k),
        reals(table[slot + 2], k),
        reals(table[slot + 3], k),
        reals(table[slot + 4], k),
        wholes(table[slot + 5], k),
        wholes(table[slot + 6], 1),
    )


@kernel
def measure_change(table, count):
    """u+ - u- and the gap rates after, from the motion."""
    m, n = table[at.N_U], table[at.N_C]
    change, motion = reals(table[at.CHANGE], m), reals(table[at.MOTION], m)
    for k in range(m):
        change[k] = motion[k]
    backward(mass_factor(table), m, change)
    who, wt = wholes(table[at.WHO], n), jacobian(table)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(count):
        after[i] = before[i] + dot(wt, who[i], change, m)


@kernel
def satisfied(table, count, floor):
    """True when every participant obeys its law; the largest residual is kept."""
    m, n = table[at.N_U], table[at.N_C]
    e, lengths = reals(table[at.RESTITUTION], n), reals(table[at.LENGTHS], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    impulse, c = reals(table[at.IMPULSE], n), reals(table[at.BOUNDS], n)
    residual, scale = 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            excess = (after[i] + e[i] * before[i]) / lengths[i]
            residual, scale = max(residual, abs(min(impulse[i] * lengths[i], excess))), max(scale, c[i])
    scale += norm(reals(table[at.MOTION], m), m)
    reals(table[at.SCALAR], at.N_SCALARS)[at.RESIDUAL] = residual / scale if scale > 0.0 else 0.0
    return residual <= max(ACCEPTED * scale, floor)
