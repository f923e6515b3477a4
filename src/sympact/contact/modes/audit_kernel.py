"""What must hold at every event, whatever the law: speeds change by impulses, energy comes from somewhere.

    r = M (u+ - u-) - W_N Lambda_N - W_T Lambda_T

is what no impulse accounts for. Bringing closed contacts to rest may take r^T M^-1 r / 2, an energy that is nothing
beside that of the event. M and W are read anew after the event, so that nothing a solver left behind speaks for itself.
"""

import math

from sympact.contact.linalg.cholesky_kernel import factor, forward, row_norm
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import jacobian, mass_factor, read_terms
from sympact.integrate.memory.run_layout import ENERGY, HEAD
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, reals, reals2, wholes

TAKEN = 1e-6  # of the energy of the event, that settling may take: it takes 1e-10, of hops and slips that end
GAINED = 1e-6  # of the same, that may come from nothing: the rounding of a solution with friction is 1e-10
BOUNDED = 1e6  # times what all speeds could hand over: impulses beyond it cancel each other along a null direction
JACOBIAN = 9  # where dv/du stands in a row of SLIPS


@kernel
def keep_speeds(table, x):
    """Keep u- for the audit of the event that begins."""
    nq, m = table[at.N_Q], table[at.N_U]
    before = reals(table[at.SPEEDS_BEFORE], m)
    for k in range(m):
        before[k] = x[nq + k]


@kernel
def audit(table, t, x, record, pushes):
    """0, or what is wrong with the event that has just been worked out: a fault of `layout`, with its figures noted."""
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    for j in range(n):
        if not abs(record[HEAD + j]) < math.inf:
            return note(table, at.NOT_A_NUMBER, record[HEAD + j], 0.0)
    for k in range(m):
        if not abs(x[nq + k]) < math.inf:
            return note(table, at.NOT_A_NUMBER, x[nq + k], 0.0)
    for k in range(pushes.size):
        if not abs(pushes[k]) < math.inf:
            return note(table, at.NOT_A_NUMBER, pushes[k], 0.0)
    read_terms(table, t, x)
    left = reals2(table[at.UNACCOUNTED], 1, m)
    before, after = energies(table, x)
    account(table, t, x, record, pushes, left)
    if factor(mass_factor(table), m) >= 0:
        return 0
    pushed = largest_push(table, record)
    forward(mass_factor(table), m, left, 0)
    taken, speed = 0.5 * row_norm(left, 0, m) ** 2, reals(table[at.SCALAR], at.N_SCALARS)[at.SPEED]
    scale = max(before, after) + 0.5 * speed * speed * heaviest(table)
    if pushed > BOUNDED * math.sqrt(2.0 * scale):
        return note(table, at.WITHOUT_BOUND, pushed, math.sqrt(2.0 * scale))
    if taken > TAKEN * scale:
        return note(table, at.WITHOUT_IMPULSE, taken, before)
    if record[ENERGY] > GAINED * scale and (table[at.NEVER_GAINS] == 1 or not any_push(table, record)):
        return note(table, at.FROM_NOTHING, record[ENERGY], before)
    return 0


@kernel
def note(table, fault, found, beside):
    """Take down what was found, and what it is beside."""
    scalar = reals(table[at.SCALAR], at.N_SCALARS)
    scalar[at.AUDIT_FOUND], scalar[at.AUDIT_BESIDE], table[at.AUDIT_FAULT] = found, beside, fault
    return fault


@kernel
def energies(table, x):
    """The kinetic energies before and after, u^T M u / 2: of the speeds alone, which moving frames do not change."""
    nq, m = table[at.N_Q], table[at.N_U]
    mass, u_minus, before, after = mass_factor(table), reals(table[at.SPEEDS_BEFORE], m), 0.0, 0.0
    for i in range(m):
        p, q = 0.0, 0.0
        for k in range(m):
            p += mass[i, k] * u_minus[k]
            q += mass[i, k] * x[nq + k]
        before += 0.5 * u_minus[i] * p
        after += 0.5 * x[nq + i] * q
    return before, after


@kernel
def account(table, t, x, record, pushes, left):
    """r into the row `left`, by M and W in OUT and the impulses that the event reports."""
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    mass, wt, u_minus = mass_factor(table), jacobian(table), reals(table[at.SPEEDS_BEFORE], m)
    for i in range(m):
        left[0, i] = 0.0
        for k in range(m):
            left[0, i] += mass[i, k] * (x[nq + k] - u_minus[k])
        for j in range(n):
            left[0, i] -= wt[j, i] * record[HEAD + j]
    if pushes.size == 0:
        return
    size = 11 + 3 * m
    rows, rates = reals2(table[at.SLIPS], n, size), reals(table[at.RATES], nq + m)
    call_boundary(table[at.RUB], t, x, rates, table[at.PARAMETERS], reals(table[at.SLIPS], n * size))
    for j in range(n):
        for c in range(3):
            for i in range(m):
                left[0, i] -= rows[j, JACOBIAN + m * c + i] * pushes[3 * j + c]


@kernel
def column(table, j):
    """The length of C^-1 W of the normal of contact j, C in OUT; its row in the scratch is lost."""
    m, wt = table[at.N_U], jacobian(table)
    row = reals2(table[at.UNACCOUNTED] + 8 * m, 1, m)
    for k in range(m):
        row[0, k] = wt[j, k]
    forward(mass_factor(table), m, row, 0)
    return row_norm(row, 0, m)


@kernel
def largest_push(table, record):
    """The largest normal impulse in the mass metric, Lambda sqrt(W^T M^-1 W)."""
    largest = 0.0
    for j in range(table[at.N_C]):
        if record[HEAD + j] != 0.0:
            largest = max(largest, abs(record[HEAD + j]) * column(table, j))
    return largest


@kernel
def heaviest(table):
    """The largest mass that a contact's normal meets, 1 / (W^T M^-1 W); 0 without a contact."""
    largest, status = 0.0, wholes(table[at.STATUS], table[at.N_C])
    for j in range(table[at.N_C]):
        if status[j] != at.OPEN:
            length = column(table, j)
            if length > 0.0:
                largest = max(largest, 1.0 / (length * length))
    return largest


@kernel
def any_push(table, record):
    """Whether the event has an impulse."""
    found = False
    for j in range(table[at.N_C]):
        found = found or record[HEAD + j] != 0.0
    return found
