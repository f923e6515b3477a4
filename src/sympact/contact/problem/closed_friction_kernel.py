"""Motion with closed contacts of which some stick and some slip: M u' = f + W_N lambda_N + W_T lambda_T.

Each closed contact keeps its gap, one that sticks its place, too. Forces act along the normals, on sticking contacts
in both tangents, on slipping ones by lambda_T = -mu lambda_N d with the direction d of the slip. With M = C C^T and
y = C^T (u' - u'_free) the equations are

    a_i . y = c_i  for the directions that are held,   y = sum of lambda_k b_k  over the directions of the forces,

where a and b differ only for contacts that slip. How many of the a_i are independent is decided by `rank_kernel`:
those of one contact may depend on each other, and on those of others. Where nothing slips, y is the shortest that
meets the equations. Else the forces are those of least norm.
"""

import math

from sympact.contact.linalg.cholesky_kernel import forward, norm, row_norm
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.linalg.rank_kernel import NO_ROW, pick, rank_at, reach
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import factor_mass, list_closed, mass_factor, read_gaps, read_terms
from sympact.contact.problem.closed_kernel import change_of_speeds, hand_over, lies_still, table_at
from sympact.contact.problem.slip_kernel import ACCELERATION, along_tangents, coefficients, read_slips, slip_direction
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

MET = 1e-8  # by how much forces may miss the equations they must meet, relative to them
ROUNDED = 1e-14  # of what the forces do one by one: a miss that is the rounding of their sum, of some tens of terms


@kernel
def held_rank(table, size):
    """The directions that are held, and their rank."""
    return rank_at(table[at.RANK], table[at.RANK_PLACES], size, table[at.N_U])


@kernel
def hold_direction(table, k, row, bound):
    """Hold line `row` of W^T as number k: its column C^-1 W, with its bound. Lines of a contact follow each other."""
    m, n = table[at.N_U], table[at.N_C]
    rank, lines = held_rank(table, 3 * n), reals2(table[at.LINES], 3 * n, m)
    for i in range(m):
        rank.rows[k, i] = lines[row, i]
    forward(mass_factor(table), m, rank.rows, k)
    rank.group[k] = row // 3
    wholes(table[at.HELD_LINES], 3 * n)[k] = row
    reals(table[at.HELD_BOUNDS], 3 * n)[k] = bound


@kernel
def hold_accelerations(table, count):
    """The directions that the closed contacts hold, with their accelerations without forces; returns how many."""
    n, nb, held = table[at.N_C], table[at.N_B], 0
    who, status = wholes(table[at.WHO], n), wholes(table[at.STATUS], n)
    bends, lines = reals(table[at.ALONG] + 16 * nb, nb), wholes(table[at.HELD_LINES], 3 * n)
    for i in range(count):
        j = who[i]
        hold_direction(table, held, 3 * j, -bends[j])
        held += 1
        if status[j] == at.STICK:
            a, b = along_tangents(table, j, ACCELERATION)
            hold_direction(table, held, 3 * j + 1, -a)
            hold_direction(table, held + 1, 3 * j + 2, -b)
            held += 2
    for k in range(held, 3 * n):
        lines[k] = -1
    return held


@kernel
def carry(table, k, normal, j, a, b):
    """Carrier k: C^-1 (normal W_N + a W_T1 + b W_T2) of contact j; returns its length."""
    m, n = table[at.N_U], table[at.N_C]
    carriers, lines = reals2(table[at.CARRIERS], 3 * n, m), reals2(table[at.LINES], 3 * n, m)
    for i in range(m):
        carriers[k, i] = normal * lines[3 * j, i] + a * lines[3 * j + 1, i] + b * lines[3 * j + 2, i]
    forward(mass_factor(table), m, carriers, k)
    return row_norm(carriers, k, m)


@kernel
def list_carriers(table, count):
    """The directions in which the forces of contacts that bear act, with their lengths in N; returns how many.

    Of a contact that sticks a tangent that is rounding is none; its normal always stands first.
    """
    n, total = table[at.N_C], 0
    who, status, bearers = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), wholes(table[at.BEARERS], 3 * n)
    weights = reals(table[at.WEIGHTS], 3 * n)
    for i in range(count):
        j = who[i]
        if status[j] == at.TOUCH:
            continue
        mu, a, b = 0.0, 0.0, 0.0
        if status[j] == at.SLIP:
            mu, _ = coefficients(table, j)
            a, b, _ = slip_direction(table, j)
        longest = carry(table, total, 1.0, j, -mu * a, -mu * b)
        bearers[total], weights[total] = 3 * j, math.sqrt(1.0 + mu * mu)
        total += 1
        if status[j] == at.STICK:
            longest = max(longest, carry(table, total, 0.0, j, 1.0, 0.0), carry(table, total + 1, 0.0, j, 0.0, 1.0))
            for c in range(2):
                if carry(table, total, 0.0, j, 1.0 - c, 1.0 * c) > NO_ROW * longest:
                    bearers[total], weights[total] = 3 * j + 1 + c, 1.0
                    total += 1
    return total


@kernel
def pose_forces(table, rank, total):
    """The equations of the forces along the basis of what is held: a row for each of its vectors; effort and matrix."""
    m, n, found = table[at.N_U], table[at.N_C], rank.count[0]
    carriers, y = reals2(table[at.CARRIERS], 3 * n, m), reals(table[at.MOTION], m)
    equations, effort = reals2(table[at.EQUATIONS], found, total), reals(table[at.EFFORT], m)
    for i in range(found):
        effort[i] = 0.0
        for c in range(m):
            effort[i] += rank.q[i, c] * y[c]
        for k in range(total):
            s = 0.0
            for c in range(m):
                s += rank.q[i, c] * carriers[k, c]
            equations[i, k] = s
    return equations, effort


@kernel
def find_forces(table, rank, count):
    """The forces of least norm that give the motion in MOTION along what is held, into MULTIPLIERS; (number, met).

    Where friction leaves next to nothing of the inverse mass, the motion is a small difference of what large forces do.
    """
    n, found, total = table[at.N_C], rank.count[0], list_carriers(table, count)
    force, miss, done = reals(table[at.MULTIPLIERS], 3 * n), 0.0, 0.0
    for k in range(total):
        force[k] = 0.0
    equations, effort = pose_forces(table, rank, total)
    size = norm(effort, found)
    least_norm(
        equations,
        found,
        total,
        effort,
        reals(table[at.WEIGHTS], 3 * n),
        force,
        reals(table[at.CONE_SCRATCH], table[at.CONE_SCRATCH_SIZE]),
        wholes(table[at.CONE_PLACES], table[at.CONE_PLACES_SIZE]),
    )
    equations, effort = pose_forces(table, rank, total)
    for i in range(found):
        s = effort[i]
        for k in range(total):
            s -= force[k] * equations[i, k]
        miss = max(miss, abs(s))
    m, carriers = table[at.N_U], reals2(table[at.CARRIERS], 3 * n, table[at.N_U])
    for k in range(total):
        done += abs(force[k]) * row_norm(carriers, k, m)
    return total, miss <= max(MET * size, ROUNDED * done)


@kernel
def hold_rubbing(table, t, x, with_forces):
    """The rates of the state with closed contacts held, in RATES; returns how many forces were found, -1 on failure."""
    read_gaps(table, t, x)
    read_terms(table, t, x)
    read_slips(table, t, x)
    nq, m, n, total = table[at.N_Q], table[at.N_U], table[at.N_C], 0
    rates, status = reals(table[at.RATES], nq + m), wholes(table[at.STATUS], n)
    count, slipping = list_closed(table), False
    for j in range(n):
        slipping = slipping or status[j] == at.SLIP
    met = factor_mass(table)
    if met:
        rank = held_rank(table, hold_accelerations(table, count))
        pick(rank)
        reach(rank, reals(table[at.HELD_BOUNDS], 3 * n), reals(table[at.MOTION], m))
        if slipping or with_forces:
            total, met = find_forces(table, rank, count)
    if not met and (slipping or table[at.PIVOT] >= 0):
        for i in range(nq + m):
            rates[i] = math.nan
        return -1
    if slipping:
        carriers, force = reals2(table[at.CARRIERS], 3 * n, m), reals(table[at.MULTIPLIERS], 3 * n)
        motion = reals(table[at.MOTION], m)
        for i in range(m):
            motion[i] = 0.0
            for k in range(total):
                motion[i] += force[k] * carriers[k, i]
    change = change_of_speeds(table)
    for k in range(m):
        rates[nq + k] += change[k]
    return total


def rubbing_rates(t, x, data, out):
    """The flow of every mode with a closed contact, see `Stage.flow`; nothing moves where the model is at rest."""
    table, size = table_at(data)
    if not lies_still(table, reals(out, size)):
        hold_rubbing(table, t, reals(x, size), False)
        hand_over(table, reals(out, size))
