"""The impact as a transition: from the state before to the state after.

Lagrange's impact equations with Newton's law, all participants at once:

    M (u+ - u-) = W Lambda,   gamma = W^T u + w,   0 <= Lambda _|_ gamma+ + e gamma- >= 0.

With M = C C^T and y = C^T (u+ - u-) this is the shortest y with (C^-1 W_j) . y >= -(1 + e_j) gamma_j-: of all motions that
satisfy the law, the one nearest to the motion before, measured by kinetic energy.
"""

import math

from sympact.contact import layout as at
from sympact.contact.distance_kernel import SOLVED, Problem, shortest
from sympact.contact.least_norm_kernel import spread
from sympact.contact.linear_kernel import EPS, Basis, backward, dot, factor, forward, norm, row_norm
from sympact.contact.participant_kernel import gather
from sympact.integrate.pointer import call_flow, reals, reals2, wholes
from sympact.integrate.unit import kernel

ACCEPTED = 1e-10  # residual of the complementarity problem, relative to its speeds
NOISE = 64.0      # roundings in a gap rate


def impact(t, x_address, fired_address, gaps_address, data, record_address):
    """The transition of a stage with contacts; see `sympact.integrate.program.Stage`. `data` is the table of `ImpactData`."""
    table = wholes(data, at.SIZE)
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    x, fired = reals(x_address, nq + m), wholes(fired_address, n)
    gaps, record = reals(gaps_address, 2 * n), reals(record_address, 3 + n)
    scalar, out = reals(table[at.SCALAR], at.N_SCALARS), reals(table[at.OUT], m * m + n * m + 2 * n)
    call_flow(table[at.TERMS], t, x, table[at.PARAMETERS], out)
    if not (finite(x) and finite(gaps) and finite(out)):
        return at.NOT_FINITE
    count, record[1], record[2 + n] = gather(t, scalar[at.LENGTH], gaps, n, fired, wholes(table[at.WHO], n))
    measure_rates(table, x, count)
    code = resolve(table, count)
    if code != at.SOLVED:
        return code
    report(table, count, record)
    return take_change(table, x)


def solve(data):
    """The impact problem alone: M, W^T, e in OUT, gap rates in RATE_MINUS, every contact in WHO."""
    table = wholes(data, at.SIZE)
    m, n = table[at.N_U], table[at.N_C]
    if not (finite(reals(table[at.OUT], m * m + n * m + 2 * n)) and finite(reals(table[at.RATE_MINUS], n))):
        return at.NOT_FINITE
    return resolve(table, n)


@kernel
def finite(values):
    """True when no value is infinite or NaN."""
    for i in range(values.size):
        if not math.isfinite(values[i]):
            return False
    return True


@kernel
def jacobian(table):
    """W^T, one row for each contact."""
    m, n = table[at.N_U], table[at.N_C]
    return reals2(table[at.OUT] + 8 * m * m, n, m)


@kernel
def restitutions(table):
    m, n = table[at.N_U], table[at.N_C]
    return reals(table[at.OUT] + 8 * (m * m + n * m + n), n)


@kernel
def measure_rates(table, x, count):
    """gamma- = W^T u + w of the participants, and how uncertain they are by rounding."""
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    wt, w = jacobian(table), reals(table[at.OUT] + 8 * (m * m + n * m), n)
    who, rate = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n)
    uncertain = reals(table[at.UNCERTAIN], n)
    for i in range(count):
        j = who[i]
        rate[i], uncertain[i] = w[j], abs(w[j])
        for k in range(m):
            rate[i] += wt[j, k] * x[nq + k]
            uncertain[i] += abs(wt[j, k] * x[nq + k])
        uncertain[i] *= NOISE * EPS


@kernel
def resolve(table, count):
    """Impulses, change of the speeds and rates after, for the participants listed in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    m = table[at.N_U]
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
    settle_rates(table, mass, count)
    if not finite(reals(table[at.CHANGE], m)):
        return at.NOT_FINITE
    return at.SOLVED if accepted(table, count, floor) else at.UNSOLVED


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
        if length == 0.0:
            if rate[i] < 0.0:
                return -1.0
            continue
        for k in range(m):
            a[i, k] /= length
        c[i] = -(1.0 + e[who[i]]) * rate[i] / length
        floor = max(floor, uncertain[i] / length)
    return floor


@kernel
def solve_one(table):
    """A single contact: Lambda = -(1 + e) gamma- / (W^T M^-1 W), nothing if it does not approach."""
    m, multiplier = table[at.N_U], reals(table[at.MULTIPLIER], 1)
    a, y = reals(table[at.COLUMNS], m), reals(table[at.MOTION], m)
    multiplier[0] = max(reals(table[at.BOUNDS], 1)[0], 0.0)
    for k in range(m):
        y[k] = multiplier[0] * a[k]


@kernel
def solve_several(table, count, floor):
    """The motion first, which is unique, then the smallest impulses that give it; False if no impulses satisfy the law."""
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
    lengths, evened, rows = reals(table[at.LENGTHS], n), reals(table[at.SPREAD], n), reals2(table[at.ROWS], n, n)
    if spread(problem, lengths, count, m, basis, rows, basis_at(table, at.NULL, k), null_problem, evened):
        for i in range(count):
            problem.multiplier[i] = evened[i] * lengths[i]
    return True


@kernel
def basis_at(table, slot, k):
    """The basis whose arrays stand at a slot and after it."""
    return Basis(
        reals2(table[slot], k, k), reals2(table[slot + 1], k, k), reals(table[slot + 2], k), reals(table[slot + 3], k),
        reals(table[slot + 4], k), wholes(table[slot + 5], k), wholes(table[slot + 6], 1),
    )


@kernel
def settle_rates(table, mass, count):
    """Impulses, u+ - u- and the gap rates after, from the multipliers and the motion."""
    m, n = table[at.N_U], table[at.N_C]
    change, motion = reals(table[at.CHANGE], m), reals(table[at.MOTION], m)
    for k in range(m):
        change[k] = motion[k]
    backward(mass, m, change)
    who, wt, lengths = wholes(table[at.WHO], n), jacobian(table), reals(table[at.LENGTHS], n)
    impulse, multiplier = reals(table[at.IMPULSE], n), reals(table[at.MULTIPLIER], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(count):
        impulse[i] = multiplier[i] / lengths[i] if multiplier[i] > 0.0 else 0.0
        after[i] = before[i] + dot(wt, who[i], change, m)


@kernel
def accepted(table, count, floor):
    """True when every participant satisfies its law; the largest residual is kept."""
    m, n = table[at.N_U], table[at.N_C]
    who, e, lengths = wholes(table[at.WHO], n), restitutions(table), reals(table[at.LENGTHS], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    multiplier, c = reals(table[at.MULTIPLIER], n), reals(table[at.BOUNDS], n)
    residual, scale = 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            excess = (after[i] + e[who[i]] * before[i]) / lengths[i]
            residual, scale = max(residual, abs(min(multiplier[i], excess))), max(scale, c[i])
    scale += norm(reals(table[at.MOTION], m), m)
    reals(table[at.SCALAR], at.N_SCALARS)[at.RESIDUAL] = residual / scale if scale > 0.0 else 0.0
    return residual <= max(ACCEPTED * scale, floor)


@kernel
def report(table, count, record):
    """Impulses, and the energy that the contacts take up: sum of Lambda (gamma+ + gamma-)/2.

    The kinetic energy changes by Lambda^T W^T (u+ + u-)/2, and W^T u = gamma - w: the part Lambda^T w is the work of moving
    walls, which no law restricts. What is left is by the rates that the law speaks of, and a law that keeps energy keeps this below 0.
    """
    n = table[at.N_C]
    who, impulse = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(count):
        record[0] += 0.5 * impulse[i] * (after[i] + before[i])
        record[2 + who[i]] = impulse[i]


@kernel
def take_change(table, x):
    """u+ into the state; returns the next stage, or NO_EFFECT when the state stays as it is."""
    nq, m = table[at.N_Q], table[at.N_U]
    change, moved = reals(table[at.CHANGE], m), False
    for k in range(m):
        before = x[nq + k]
        x[nq + k] = before + change[k]
        moved = moved or x[nq + k] != before
    return table[at.STAGE] if moved else at.NO_EFFECT
