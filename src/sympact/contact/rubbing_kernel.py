"""Motion with closed contacts of which some stick and some slip: M u' = f + W_N lambda_N + W_T lambda_T.

Each closed contact keeps its gap, one that sticks its place, too. Forces act along the normals, on sticking contacts
in both tangents, on slipping ones by lambda_T = -mu lambda_N d with the direction d of the slip. With M = C C^T and
y = C^T (u' - u'_free) the equations are

    a_i . y = c_i  for the directions that are held,   y = sum of lambda_k b_k  over the directions of the forces,

where a and b differ only for contacts that slip. Where nothing slips, y is the shortest that meets the equations. Else
the forces are those of least norm.
"""

import math

from sympact.contact import layout as at
from sympact.contact.closed_kernel import (
    STILL,
    change_of_speeds,
    hand_over,
    lies_still,
    still_gaps,
    table_at,
    unrest,
)
from sympact.contact.least_norm_kernel import DISTINCT
from sympact.contact.least_squares_kernel import least_norm
from sympact.contact.linear_kernel import append, dot, forward, norm, reach_bounds, row_norm, split
from sympact.contact.pose_kernel import (
    factor_mass,
    list_closed,
    mass_factor,
    pose_accelerations,
    read_gaps,
    read_terms,
    time_scale,
)
from sympact.contact.restitution_kernel import basis_at
from sympact.contact.share_kernel import NEARLY, left_by_friction
from sympact.contact.slip_kernel import (
    ACCELERATION,
    VELOCITY,
    along_tangents,
    coefficients,
    read_slips,
    slip_direction,
    slow_slip,
)
from sympact.integrate.layout import BY_VALUES
from sympact.integrate.pointer import call_boundary, call_flow, call_unit, reals, reals2, wholes
from sympact.integrate.unit import kernel

MET = 1e-8  # by how much forces may miss the equations they must meet, relative to them
HELD_BY_CONE = 1e-3  # of the length: what stands for the margin of a contact that other forces than the smallest hold


@kernel
def hold_direction(table, k, row, bound):
    """Hold line `row` of W^T as number k: its column C^-1 W made a unit vector, with its bound. False if it is zero."""
    m, n = table[at.N_U], table[at.N_C]
    a, lines = reals2(table[at.HANDLES], 3 * n, m), reals2(table[at.LINES], 3 * n, m)
    lengths, bounds = reals(table[at.HELD_LENGTHS], 3 * n), reals(table[at.HELD_BOUNDS], 3 * n)
    wholes(table[at.HELD_LINES], 3 * n)[k] = row
    for i in range(m):
        a[k, i] = lines[row, i]
    forward(mass_factor(table), m, a, k)
    lengths[k] = row_norm(a, k, m)
    if not lengths[k] > 0.0:
        return False
    for i in range(m):
        a[k, i] /= lengths[k]
    bounds[k] = bound / lengths[k]
    return True


@kernel
def meet_bounds(table, count):
    """The shortest y that meets the bounds of the held directions, into MOTION; the basis spans them."""
    m, n = table[at.N_U], table[at.N_C]
    basis, a = basis_at(table, at.BASIS, max(m, n)), reals2(table[at.HANDLES], 3 * n, m)
    basis.count[0] = 0
    for k in range(count):
        length = split(basis, a, k, m)
        if length > DISTINCT:
            append(basis, k, length, m)
    reach_bounds(basis, reals(table[at.HELD_BOUNDS], 3 * n), m, reals(table[at.MOTION], m))


@kernel
def hold_accelerations(table, count):
    """The directions that the closed contacts hold, with their accelerations without forces; returns how many."""
    n, nb, held = table[at.N_C], table[at.N_B], 0
    who, status = wholes(table[at.WHO], n), wholes(table[at.STATUS], n)
    bends, lines = reals(table[at.ALONG] + 16 * nb, nb), wholes(table[at.HELD_LINES], 3 * n)
    for i in range(count):
        j = who[i]
        if hold_direction(table, held, 3 * j, -bends[j]):
            held += 1
        if status[j] == at.STICK:
            a, b = along_tangents(table, j, ACCELERATION)
            if hold_direction(table, held, 3 * j + 1, -a):
                held += 1
            if hold_direction(table, held, 3 * j + 2, -b):
                held += 1
    for k in range(held, 3 * n):
        lines[k] = -1
    return held


@kernel
def carry(table, k, normal, j, a, b):
    """Carrier k: C^-1 (normal W_N + a W_T1 + b W_T2) of contact j. False if it is zero."""
    m, n = table[at.N_U], table[at.N_C]
    carriers, lines = reals2(table[at.CARRIERS], 3 * n, m), reals2(table[at.LINES], 3 * n, m)
    for i in range(m):
        carriers[k, i] = normal * lines[3 * j, i] + a * lines[3 * j + 1, i] + b * lines[3 * j + 2, i]
    forward(mass_factor(table), m, carriers, k)
    return row_norm(carriers, k, m) > 0.0


@kernel
def list_carriers(table, count):
    """The directions in which the forces of contacts that bear act; returns how many."""
    n, total = table[at.N_C], 0
    who, status, bearers = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), wholes(table[at.BEARERS], 3 * n)
    for i in range(count):
        j = who[i]
        if status[j] == at.TOUCH:
            continue
        if status[j] == at.SLIP:
            mu, _ = coefficients(table, j)
            a, b, _ = slip_direction(table, j)
            if carry(table, total, 1.0, j, -mu * a, -mu * b):
                bearers[total] = 3 * j
                total += 1
            continue
        for c in range(3 if status[j] == at.STICK else 1):
            if carry(table, total, 1.0 if c == 0 else 0.0, j, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0):
                bearers[total] = 3 * j + c
                total += 1
    return total


@kernel
def find_forces(table, count):
    """The forces of least norm that give the motion in MOTION along the basis, into MULTIPLIERS; (number, met)."""
    m, n = table[at.N_U], table[at.N_C]
    basis, y = basis_at(table, at.BASIS, max(m, n)), reals(table[at.MOTION], m)
    rank, total = basis.count[0], list_carriers(table, count)
    equations, carriers = reals2(table[at.EQUATIONS], rank, total), reals2(table[at.CARRIERS], 3 * n, m)
    effort, force = reals(table[at.EFFORT], m), reals(table[at.MULTIPLIERS], 3 * n)
    weights = reals(table[at.WEIGHTS], 3 * n)
    for i in range(rank):
        effort[i] = dot(basis.q, i, y, m)
        for k in range(total):
            s = 0.0
            for c in range(m):
                s += basis.q[i, c] * carriers[k, c]
            equations[i, k] = s
    size, miss = norm(effort, rank), 0.0
    for k in range(total):
        weights[k], force[k] = 1.0, 0.0
    least_norm(
        equations, rank, total, effort, weights, force, reals(table[at.CONE_SCRATCH], table[at.CONE_SCRATCH_SIZE]),
        wholes(table[at.CONE_PLACES], table[at.CONE_PLACES_SIZE]),
    )
    for i in range(rank):
        s = dot(basis.q, i, y, m)
        for k in range(total):
            for c in range(m):
                s -= force[k] * basis.q[i, c] * carriers[k, c]
        miss = max(miss, abs(s))
    return total, miss <= MET * size


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
        meet_bounds(table, hold_accelerations(table, count))
        if slipping or with_forces:
            total, met = find_forces(table, count)
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


@kernel
def gather_forces(table, total):
    """The forces by contact, three numbers each: normal and tangents; zero where a contact does not bear."""
    n = table[at.N_C]
    bearers, force = wholes(table[at.BEARERS], 3 * n), reals(table[at.MULTIPLIERS], 3 * n)
    by_contact = reals(table[at.CONE_AFTER], 3 * n)
    for k in range(3 * n):
        by_contact[k] = 0.0
    for k in range(total):
        by_contact[bearers[k]] = force[k]
    return by_contact


@kernel
def inertia_along(table, j):
    """W^T M^-1 W of the normal of contact j; the factor of M must stand in OUT."""
    n = table[at.N_C]
    carry(table, 3 * n - 1, 1.0, j, 0.0, 0.0)
    return row_norm(reals2(table[at.CARRIERS], 3 * n, table[at.N_U]), 3 * n - 1, table[at.N_U]) ** 2


@kernel
def margin(table, j, by_contact, left):
    """How far a closed contact is from leaving its mode: its force from opening or the cone's edge, its slip from 0.

    Where friction leaves nearly none of the inverse mass, a mode that slips ends, too.
    """
    status, scalar = wholes(table[at.STATUS], table[at.N_C]), reals(table[at.SCALAR], at.N_SCALARS)
    reference = scalar[at.REFERENCE] if scalar[at.REFERENCE] > 0.0 else 1.0
    normal = by_contact[3 * j]
    strength = inertia_along(table, j) / reference
    if status[j] == at.STICK:
        _, static = coefficients(table, j)
        pull = math.sqrt(by_contact[3 * j + 1] ** 2 + by_contact[3 * j + 2] ** 2)
        return min(normal, static * normal - pull) * strength
    if status[j] == at.SLIP:
        _, _, s = slip_direction(table, j)
        if wholes(table[at.BEGINNING], table[at.N_C])[j] == 1:
            s += 2.0 * slow_slip(table)  # what is left of its slip before may point elsewhere
        return min(normal * strength, s * time_scale(table) / scalar[at.LENGTH], left - NEARLY)
    return normal * strength


def rubbing_margins(t, x, data, out):
    """What the loop watches of closed contacts, see `Stage.force`."""
    table, size = table_at(data)
    n, nb = table[at.N_C], table[at.N_B]
    values, active = reals(out, nb), wholes(table[at.ACTIVE], nb)
    status, length = wholes(table[at.STATUS], n + 1), reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    total = hold_rubbing(table, t, reals(x, size), True)
    for k in range(nb):
        values[k] = 1.0 if total >= 0 else math.nan
    if total < 0:
        return
    wake = 1.0 - unrest(table) / STILL if status[n] == 1 else math.inf
    redundant = total > basis_at(table, at.BASIS, max(table[at.N_U], n)).count[0]
    by_contact, pulled, left = gather_forces(table, total), False, left_by_friction(table, total)
    for j in range(n):
        if status[j] != at.OPEN and active[j] == BY_VALUES:
            values[j] = length * min(margin(table, j, by_contact, left), wake)
            pulled = pulled or (values[j] < 0.0 and status[j] != at.SLIP)
    if pulled and redundant:
        held = held_by_cone(table, t, reals(x, size))
        for j in range(n):
            if status[j] != at.OPEN and active[j] == BY_VALUES and values[j] < 0.0 and status[j] != at.SLIP:
                values[j] = HELD_BY_CONE * length * min(max(held, -1.0), wake)


@kernel
def keep_modes(table):
    """In the problem of forces just posed, who slips, and which way, is as the modes say, also where slip is slow."""
    n = table[at.N_C]
    who, mu, sliding = wholes(table[at.WHO], n), reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    status, direction = wholes(table[at.STATUS], n), reals2(table[at.DIRECTION], n, 2)
    for i in range(table[at.COUNT]):
        if status[who[i]] == at.SLIP:
            sliding[i] = 1
            mu[i], _ = coefficients(table, who[i])
            direction[i, 0], direction[i, 1], _ = slip_direction(table, who[i])


@kernel
def held_by_cone(table, t, x):
    """Whether other forces than the smallest hold the contacts: positive then, negative where what is held moves."""
    n, nb = table[at.N_C], table[at.N_B]
    list_closed(table)
    read_gaps(table, t, x)
    read_terms(table, t, x)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    call_flow(table[at.POSE_SLIP], t, x, table[at.SELF], x)
    keep_modes(table)
    if call_unit(table[at.FORCE_SOLVER], table[at.SELF]) != at.SOLVED:
        return -1.0
    who, status = wholes(table[at.WHO], n), wholes(table[at.STATUS], n)
    rate, slip = reals(table[at.RATE_PLUS], n), reals2(table[at.SLIP_PLUS], n, 2)
    moves, reference = 0.0, reals(table[at.SCALAR], at.N_SCALARS)[at.REFERENCE]
    for i in range(table[at.COUNT]):
        moves = max(moves, abs(rate[i]))
        if status[who[i]] == at.STICK:
            moves = max(moves, math.sqrt(slip[i, 0] ** 2 + slip[i, 1] ** 2))
    return 1.0 - moves / (STILL * (reference if reference > 0.0 else 1.0))


def rubbing_forces(t, x, data, out):
    """lambda of each contact (N), shape (n,), then the forces of friction, shape (n, 3), components in N."""
    table, size = table_at(data)
    n, nb = table[at.N_C], table[at.N_B]
    state, force, pushes = reals(x, size), reals(out, n), reals2(out + 8 * n, n, 3)
    for j in range(n):
        force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    if list_closed(table) == 0:
        return
    read_gaps(table, t, state)
    read_terms(table, t, state)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    call_flow(table[at.POSE_SLIP], t, state, data, state)
    solved = call_unit(table[at.FORCE_SOLVER], data) == at.SOLVED
    who, found = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    push_all(table)
    total = reals2(table[at.PUSHES], n, 3)
    for i in range(table[at.COUNT]):
        j = who[i]
        force[j] = found[i] if solved else math.nan
        for c in range(3):
            pushes[j, c] = total[j, c] if solved else math.nan


@kernel
def push_all(table):
    """The tangential impulses (forces) of the participants as vectors in N, by contact, into PUSHES."""
    n = table[at.N_C]
    who, friction = wholes(table[at.WHO], n), reals2(table[at.FRICTION_IMPULSE], n, 2)
    pushes, tangents = reals2(table[at.PUSHES], n, 3), reals2(table[at.TANGENTS], n, 6)
    for j in range(n):
        pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    for i in range(table[at.COUNT]):
        j = who[i]
        for c in range(3):
            pushes[j, c] = friction[i, 0] * tangents[j, c] + friction[i, 1] * tangents[j, 3 + c]


def report_friction(data):
    """The tangential impulses as vectors, and the energy that went with them: sum of Lambda_T . (slip+ + slip-) / 2."""
    table = wholes(data, at.SIZE)
    n, total = table[at.N_C], 0.0
    friction = reals2(table[at.FRICTION_IMPULSE], n, 2)
    before, after = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    for i in range(table[at.COUNT]):
        for c in range(2):
            total += 0.5 * friction[i, c] * (before[i, c] + after[i, c])
    reals(table[at.SCALAR], at.N_SCALARS)[at.RUBBED] = total
    push_all(table)
    return 0


@kernel
def take_held_rates(table, t, x, count):
    """Take the gap rates of the contacts in WHO, and the slip of sticky ones, out of the speeds, the shortest way.

    Returns the energy that goes with them by the contacts' own measure, which is -|y|^2 / 2.
    """
    nq, m, n, nb, energy = table[at.N_Q], table[at.N_U], table[at.N_C], table[at.N_B], 0.0
    along, rates = reals(table[at.ALONG], 3 * nb), reals(table[at.RATES], nq + m)
    who, sticky = wholes(table[at.WHO], n), wholes(table[at.STICKY], n)
    read_terms(table, t, x)
    if count == 0 or not factor_mass(table):
        return 0.0
    for trial in range(2):
        call_flow(table[at.FLOW], t, x, table[at.PARAMETERS], rates)
        call_boundary(table[at.GAPS], t, x, rates, table[at.PARAMETERS], along)
        read_slips(table, t, x)
        held = 0
        for i in range(count):
            j = who[i]
            if hold_direction(table, held, 3 * j, -along[nb + j]):
                held += 1
            if sticky[j] == 1:
                a, b = along_tangents(table, j, VELOCITY)
                if hold_direction(table, held, 3 * j + 1, -a):
                    held += 1
                if hold_direction(table, held, 3 * j + 2, -b):
                    held += 1
        meet_bounds(table, held)
        if trial == 0:
            energy = -0.5 * norm(reals(table[at.MOTION], m), m) ** 2
        change = change_of_speeds(table)
        for k in range(m):
            x[nq + k] += change[k]
    return energy


def take_slow_rates(t, x_address, data, out_address):
    """Take gap rates, and slip that may end in sticking, out of a state for the contacts in WHO; `out` is the state."""
    table, size = table_at(data)
    n, x = table[at.N_C], reals(out_address, size)
    who, sticky = wholes(table[at.WHO], n), wholes(table[at.STICKY], n)
    read_gaps(table, t, x)
    read_slips(table, t, x)
    slow = slow_slip(table)
    for i in range(table[at.COUNT]):
        a, b = along_tangents(table, who[i], VELOCITY)
        _, static = coefficients(table, who[i])
        sticky[who[i]] = 1 if static > 0.0 and math.sqrt(a * a + b * b) <= slow else 0
    taken = take_held_rates(table, t, x, table[at.COUNT])
    reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN] = taken


def settle_rubbing(t, x_address, data, out_address):
    """Closed gaps and rates, and the slip of sticky contacts, brought to zero; `out` is the state itself."""
    table, size = table_at(data)
    x = reals(out_address, size)
    count = list_closed(table)
    still_gaps(table, t, x, count)
    taken = take_held_rates(table, t, x, count)
    reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN] = taken


def project_rubbing(t, x_address, data, out_address):
    """The end of a step with closed contacts, see `Stage.project`: unit quaternions, gaps, rates and sticking slip."""
    table, size = table_at(data)
    n, x, out = table[at.N_C], reals(x_address, size), reals(out_address, size)
    status, sticky = wholes(table[at.STATUS], n + 1), wholes(table[at.STICKY], n)
    for i in range(size):
        out[i] = x[i]
    if status[n] == 1:
        return
    if table[at.PROJECT] != 0:
        call_flow(table[at.PROJECT], t, out, table[at.PARAMETERS], out)
    for j in range(n):
        sticky[j] = 1 if status[j] == at.STICK else 0
    call_flow(table[at.SETTLE], t, out, data, out)
