"""Motion with closed contacts: M u' = f + W lambda with gamma' = 0 for each of them.

With M = C C^T and y = C^T (u' - u'_free), the motion is the shortest y with (C^-1 W_j) . y = -g''_free for the closed
contacts. It is unique also where contacts are redundant; the forces then are those of least norm.
Gaps and gap rates are brought back to zero in the same way, along the shortest path in the metric of M.
"""

import math

from sympact.contact.linalg.cholesky_kernel import append, backward, norm, reach_bounds, solve_triangle, split
from sympact.contact.linalg.min_norm_kernel import DISTINCT
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import (
    drift,
    factor_mass,
    jacobian,
    list_closed,
    mass_factor,
    pose_accelerations,
    pose_columns,
    read_gaps,
    read_terms,
    scales,
)
from sympact.contact.problem.frictionless_kernel import basis_at
from sympact.integrate.memory.run_layout import BY_VALUES
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, call_unit, reals, reals2, wholes

STILL = 1e-9  # the acceleration of a state at rest, relative to that without contact forces: from here it moves
TRIES = 4  # corrections of the gaps
EXACT = 4e-16  # of the length: a gap that is as good as zero
DRIFT = 1e-6  # of the speeds that it is made of: a gap rate that the end of a step may have


@kernel
def table_at(data):
    """The table and the state's size."""
    table = wholes(data, at.SIZE)
    return table, table[at.N_Q] + table[at.N_U]


@kernel
def shortest_to(table, count):
    """The shortest y that meets all bounds a_j . y = c_j into MOTION; columns that others span are left out."""
    m, n = table[at.N_U], table[at.N_C]
    basis, a = basis_at(table, at.BASIS, max(m, n)), reals2(table[at.COLUMNS], n, m)
    basis.count[0] = 0
    for i in range(count):
        length = split(basis, a, i, m)
        if length > DISTINCT:
            append(basis, i, length, m)
    reach_bounds(basis, reals(table[at.BOUNDS], n), m, reals(table[at.MOTION], m))


@kernel
def change_of_speeds(table):
    """C^-T y into CHANGE."""
    m = table[at.N_U]
    y, change = reals(table[at.MOTION], m), reals(table[at.CHANGE], m)
    for k in range(m):
        change[k] = y[k]
    backward(mass_factor(table), m, change)
    return change


@kernel
def bound(table, count, values):
    """The bounds c_j = -values_j / length of the participants; `values` are in the order of the contacts."""
    n = table[at.N_C]
    who, c, lengths = wholes(table[at.WHO], n), reals(table[at.BOUNDS], n), reals(table[at.LENGTHS], n)
    for i in range(count):
        c[i] = -values[who[i]] / lengths[i] if lengths[i] > 0.0 else 0.0


@kernel
def hold(table, t, x):
    """The rates of the state with the closed contacts held, in RATES; False where M is not positive definite."""
    read_gaps(table, t, x)
    read_terms(table, t, x)
    nq, m, nb = table[at.N_Q], table[at.N_U], table[at.N_B]
    rates = reals(table[at.RATES], nq + m)
    if not factor_mass(table):
        for i in range(nq + m):
            rates[i] = math.nan
        return False
    count = list_closed(table)
    pose_columns(table, count)
    bound(table, count, reals(table[at.ALONG] + 16 * nb, nb))
    shortest_to(table, count)
    change = change_of_speeds(table)
    for k in range(m):
        rates[nq + k] += change[k]
    return True


@kernel
def lies_still(table, rates):
    """True, with rates of zero, where the model is at rest."""
    if wholes(table[at.STATUS], table[at.N_C] + 1)[table[at.N_C]] == 0:
        return False
    for i in range(rates.size):
        rates[i] = 0.0
    return True


@kernel
def hand_over(table, rates):
    """The rates that were found last."""
    held = reals(table[at.RATES], rates.size)
    for i in range(rates.size):
        rates[i] = held[i]


def closed_rates(t, x, data, out):
    """The flow of every mode with a closed contact, see `Stage.flow`; nothing moves where the model is at rest."""
    table, size = table_at(data)
    if not lies_still(table, reals(out, size)):
        hold(table, t, reals(x, size))
        hand_over(table, reals(out, size))


@kernel
def bearing_forces(table, count):
    """lambda_j (W_j^T M^-1 W_j) of the contacts that bear, by index of the participant, into MULTIPLIER.

    Of all forces that hold the contacts, those of least norm: what lies along relations between the columns is
    taken off. Forces may pull here: where the first one begins to, the mode ends.
    """
    m, n = table[at.N_U], table[at.N_C]
    k = max(m, n)
    who, active = wholes(table[at.WHO], n), wholes(table[at.ACTIVE], table[at.N_B])
    a, lengths = reals2(table[at.COLUMNS], n, m), reals(table[at.LENGTHS], n)
    basis, null, rows = basis_at(table, at.BASIS, k), basis_at(table, at.NULL, k), reals2(table[at.ROWS], n, n)
    force = reals(table[at.MULTIPLIER], n)
    basis.count[0] = null.count[0] = 0
    for i in range(count):
        force[i] = 0.0
        if active[who[i]] != BY_VALUES:
            continue
        length = split(basis, a, i, m)
        if length > DISTINCT:
            append(basis, i, length, m)
        elif lengths[i] > 0.0:
            relate(basis, null, rows, lengths, i, n)
    reach_bounds(basis, reals(table[at.BOUNDS], n), m, reals(table[at.MOTION], m))
    d = null.count[0]
    for i in range(n if d > 0 else 0):
        rows[d, i] = 0.0
    for i in range(basis.count[0]):
        j = basis.active[i]
        force[j] = basis.coefficients[i] * lengths[j]
        if d > 0:
            rows[d, j] = basis.coefficients[i] / lengths[j]
    if d > 0:
        split(null, rows, d, n)
        for i in range(count):
            force[i] = null.remainder[i] * lengths[i] * lengths[i]


@kernel
def relate(basis, null, rows, lengths, i, n):
    """The forces that move nothing, by which column i is a sum of those of the basis, join `null`."""
    solve_triangle(basis, basis.projection)
    d = null.count[0]
    if d + 1 >= n:
        return
    for j in range(n):
        rows[d, j] = 0.0
    rows[d, i] = 1.0 / lengths[i]
    for j in range(basis.count[0]):
        rows[d, basis.active[j]] = -basis.coefficients[j] / lengths[basis.active[j]]
    length = split(null, rows, d, n)
    append(null, i, length, n)


@kernel
def length_by_mass(table, v, w, weight):
    """|C^T (v - weight w)|: the length of a difference of speeds, or of accelerations, in the metric of M."""
    m, mass, total = table[at.N_U], mass_factor(table), 0.0
    for i in range(m):
        s = 0.0
        for k in range(i, m):
            s += mass[k, i] * (v[k] - weight * w[k])
        total += s * s
    return math.sqrt(total)


@kernel
def unrest(table):
    """The acceleration with the forces of contact relative to that without, both measured by M."""
    m = table[at.N_U]
    held, change = reals(table[at.RATES] + 8 * table[at.N_Q], m), reals(table[at.CHANGE], m)
    free = length_by_mass(table, held, change, 1.0)
    return length_by_mass(table, held, change, 0.0) / free if free > 0.0 else 0.0


@kernel
def force_values(table, t, x, out):
    """How far each contact that bears is from opening, as a length.

    Its force accelerates its gap: by so much, compared with the largest acceleration without forces, times the length.
    Where the model is at rest, the value also tells how far it is from moving.
    """
    n, nb = table[at.N_C], table[at.N_B]
    who, active, scalar = wholes(table[at.WHO], n), wholes(table[at.ACTIVE], nb), reals(table[at.SCALAR], at.N_SCALARS)
    for k in range(nb):
        out[k] = 1.0
    if not hold(table, t, x):
        for k in range(nb):
            out[k] = math.nan
        return
    count = table[at.COUNT]
    at_rest = wholes(table[at.STATUS], n + 1)[n] == 1
    wake = 1.0 - unrest(table) / STILL if at_rest else math.inf
    bearing_forces(table, count)
    force = reals(table[at.MULTIPLIER], n)
    reference = scalar[at.REFERENCE] if scalar[at.REFERENCE] > 0.0 else 1.0
    for i in range(count):
        if active[who[i]] == BY_VALUES:
            out[who[i]] = scalar[at.LENGTH] * min(force[i] / reference, wake)


def closed_forces(t, x, data, out):
    """What the loop watches of closed contacts, see `Stage.force`."""
    table, size = table_at(data)
    force_values(table, t, reals(x, size), reals(out, table[at.N_B]))


def contact_forces(t, x, data, out):
    """lambda of each contact (N), shape (n,), zero where it is open: none pulls, and of all such the least norm."""
    table, size = table_at(data)
    n, nb = table[at.N_C], table[at.N_B]
    state, force = reals(x, size), reals(out, n)
    for k in range(n):
        force[k] = 0.0
    if list_closed(table) == 0:
        return
    read_gaps(table, t, state)
    read_terms(table, t, state)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    if call_unit(table[at.FORCE_SOLVER], data) != at.SOLVED:
        for k in range(n):
            force[k] = math.nan
        return
    who, found = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    for i in range(table[at.COUNT]):
        force[who[i]] = found[i]


@kernel
def still_gaps(table, t, x, count):
    """Move the closed gaps to zero, along the shortest path; x is changed in place."""
    nq, m, nb = table[at.N_Q], table[at.N_U], table[at.N_B]
    length = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    rates, trial, along = reals(table[at.RATES], nq + m), reals(table[at.TRIAL], nq + m), reals(table[at.ALONG], 3 * nb)
    who = wholes(table[at.WHO], table[at.N_C])
    for _ in range(TRIES):
        call_boundary(table[at.GAPS], t, x, rates, table[at.PARAMETERS], along)
        largest = 0.0
        for i in range(count):
            largest = max(largest, abs(along[who[i]]))
        if not largest > EXACT * length:
            return
        read_terms(table, t, x)
        if not factor_mass(table):
            return
        pose_columns(table, count)
        bound(table, count, along)
        shortest_to(table, count)
        change = change_of_speeds(table)
        for i in range(nq):
            trial[i] = x[i]
        for k in range(m):
            trial[nq + k] = 0.0
        call_flow(table[at.FLOW], t, trial, table[at.PARAMETERS], rates)
        for i in range(nq):
            x[i] -= rates[i]
        for k in range(m):
            trial[nq + k] = change[k]
        call_flow(table[at.FLOW], t, trial, table[at.PARAMETERS], rates)
        for i in range(nq):
            x[i] += rates[i]
        if table[at.PROJECT] != 0:
            call_flow(table[at.PROJECT], t, x, table[at.PARAMETERS], x)


@kernel
def still_rates(table, t, x, count):
    """Take the gap rates of the contacts in WHO out of the speeds, along the shortest path.

    Returns the energy that goes with them by the contacts' own measure, which is -|y|^2 / 2.
    """
    nq, m, nb = table[at.N_Q], table[at.N_U], table[at.N_B]
    along, rates = reals(table[at.ALONG], 3 * nb), reals(table[at.RATES], nq + m)
    read_terms(table, t, x)
    reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] = 0.0
    if count == 0 or not factor_mass(table):
        return 0.0
    pose_columns(table, count)
    energy = 0.0
    for trial in range(2):
        call_flow(table[at.FLOW], t, x, table[at.PARAMETERS], rates)
        call_boundary(table[at.GAPS], t, x, rates, table[at.PARAMETERS], along)
        bound(table, count, reals(table[at.ALONG] + 8 * nb, nb))
        shortest_to(table, count)
        if trial == 0:
            energy = -0.5 * norm(reals(table[at.MOTION], m), m) ** 2
            note_rates(table, x, count)
        change = change_of_speeds(table)
        for k in range(m):
            x[nq + k] += change[k]
    return energy


@kernel
def note_rates(table, x, count):
    """The largest gap rate of the contacts in WHO, as read last, into CLOSED_RATE; whose it is into LEAPT, negative.

    A rate that is a small part of the speeds that it is made of is the drift of a step, and counts as none.
    """
    nq, nb, largest, table[at.LEAPT] = table[at.N_Q], table[at.N_B], 0.0, 0
    who, rates = wholes(table[at.WHO], table[at.N_C]), reals(table[at.ALONG] + 8 * nb, nb)
    wt, w = jacobian(table), drift(table)
    for i in range(count):
        j = who[i]
        terms = abs(w[j])
        for k in range(table[at.N_U]):
            terms += abs(wt[j, k] * x[nq + k])
        if not abs(rates[j]) <= max(largest, DRIFT * terms):
            largest, table[at.LEAPT] = abs(rates[j]), -1 - j
    reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] = largest


@kernel
def refuse_leap(table, out):
    """At the end of a step a closed contact has a rate that is no drift: its place has leapt, and the state is none.

    Where bodies touch at two places that are equally near the nearest one changes over, and one contact tells one of
    them. A rate that a hop of HEIGHT has would be taken from it as if it were none.
    """
    low, _ = scales(table)
    if reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] > low:
        table[at.LEAPT] = abs(table[at.LEAPT])
        for i in range(out.size):
            out[i] = math.nan


def take_rates(t, x_address, data, out_address):
    """Take the gap rates of the contacts in WHO out of the speeds of a state; `out` must be the state itself."""
    table, size = table_at(data)
    energy = still_rates(table, t, reals(out_address, size), table[at.COUNT])
    reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN] = energy


def project_closed(t, x_address, data, out_address):
    """The end of a step with closed contacts, see `Stage.project`: unit quaternions, closed gaps and rates zero."""
    table, size = table_at(data)
    reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] = 0.0
    call_flow(table[at.SETTLE], t, reals(x_address, size), data, reals(out_address, size))
    refuse_leap(table, reals(out_address, size))


def settle_gaps(t, x_address, data, out_address):
    """Unit quaternions, closed gaps and rates zero."""
    table, size = table_at(data)
    x, out = reals(x_address, size), reals(out_address, size)
    for i in range(size):
        out[i] = x[i]
    if wholes(table[at.STATUS], table[at.N_C] + 1)[table[at.N_C]] == 1:
        return
    if table[at.PROJECT] != 0:
        call_flow(table[at.PROJECT], t, out, table[at.PARAMETERS], out)
    count = list_closed(table)
    still_gaps(table, t, out, count)
    call_flow(table[at.TAKE_RATES], t, out, data, out)
