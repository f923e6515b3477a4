"""The invariants of every event, under any law: speeds change by impulses, energy has a source.

    r = M (u+ - u-) - W_N Lambda_N - W_T Lambda_T

is the change of momentum without an impulse; the part of it along A^T is that of the impulses of bilateral constraints.
The projection of closed contacts may dissipate r^T M^-1 r / 2, an energy that is negligible relative to that of the
event. M and W are evaluated anew after the event, independently of the solvers.
"""

import math

from sympact.contact.linalg.branch_kernel import add_momentum_along, square_along
from sympact.contact.linalg.cholesky_kernel import row_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import BEYOND_ERROR, IMPULSES_LOST
from sympact.contact.problem.assemble_kernel import factor_mass, jacobian, mass_factor, read_terms, scale_rows
from sympact.integrate.memory.run_codes import ENERGY, HEAD
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary

JACOBIAN = 9  # the index of dv/du in a row of `slips`


@kernel
def keep_speeds(contacts, x):
    """Store u- for the audit of the event that begins."""
    problem = contacts.problem
    nq, m = problem.n_q, problem.n_u
    before = problem.speeds_before
    for k in range(m):
        before[k] = x[nq + k]


@kernel
def audit(contacts, t, x, record, pushes):
    """0, or the fault of the event that has just been computed: a code of `contact_codes`, with its figures stored."""
    mode, problem, law = contacts.mode, contacts.problem, contacts.law
    nq, m, n = problem.n_q, problem.n_u, problem.n_contacts
    for j in range(n):
        if not abs(record[HEAD + j]) < math.inf:
            return note(contacts, codes.NOT_A_NUMBER, record[HEAD + j], 0.0)
    for k in range(m):
        if not abs(x[nq + k]) < math.inf:
            return note(contacts, codes.NOT_A_NUMBER, x[nq + k], 0.0)
    for k in range(pushes.size):
        if not abs(pushes[k]) < math.inf:
            return note(contacts, codes.NOT_A_NUMBER, pushes[k], 0.0)
    read_terms(contacts, t, x)
    left = problem.unaccounted
    before, after = energies(contacts, x)
    account(contacts, t, x, record, pushes, left)
    if not factor_mass(contacts):
        return 0
    pushed = largest_push(contacts, record)
    scale_rows(contacts, left, 0, 1)
    taken, speed = 0.5 * row_norm(left, 0, m) ** 2, mode.reference_speed
    scale = max(before, after) + 0.5 * speed * speed * heaviest(contacts)
    if IMPULSES_LOST * pushed > math.sqrt(2.0 * scale):
        return note(contacts, codes.WITHOUT_BOUND, pushed, math.sqrt(2.0 * scale))
    if taken > BEYOND_ERROR * scale:
        return note(contacts, codes.WITHOUT_IMPULSE, taken, before)
    if record[ENERGY] > BEYOND_ERROR * scale and (law.never_gains == 1 or not any_push(contacts, record)):
        return note(contacts, codes.FROM_NOTHING, record[ENERGY], before)
    return 0


@kernel
def note(contacts, fault, found, beside):
    """Store the result, and the value to compare it with."""
    problem = contacts.problem
    problem.audit_found, problem.audit_beside, problem.audit_fault = found, beside, fault
    return fault


@kernel
def energies(contacts, x):
    """The kinetic energies before and after, u^T M u / 2: of the speeds alone, independent of moving frames."""
    problem = contacts.problem
    nq, m = problem.n_q, problem.n_u
    mass, u_minus, before, after = mass_factor(contacts), problem.speeds_before, 0.0, 0.0
    if problem.branches.present == 1:
        before = square_along(mass, m, problem.branches, u_minus, 0)
        return 0.5 * before, 0.5 * square_along(mass, m, problem.branches, x, nq)
    for i in range(m):
        p, q = 0.0, 0.0
        for k in range(m):
            p += mass[i, k] * u_minus[k]
            q += mass[i, k] * x[nq + k]
        before += 0.5 * u_minus[i] * p
        after += 0.5 * x[nq + i] * q
    return before, after


@kernel
def account(contacts, t, x, record, pushes, left):
    """r into the row `left`, by M and W in `terms` and the impulses that the event reports."""
    problem = contacts.problem
    nq, m, u_minus, mass = problem.n_q, problem.n_u, problem.speeds_before, mass_factor(contacts)
    if contacts.event.accounted == 0:
        add_impulses(contacts, t, x, record, pushes, left)
    for i in range(m):
        left[0, i] = -(problem.impulse_momentum[0, i] if contacts.event.accounted == 1 else left[0, i])
    if problem.branches.present == 1:
        add_momentum_along(mass, m, problem.branches, x, nq, 1.0, left, 0)
        add_momentum_along(mass, m, problem.branches, u_minus, 0, -1.0, left, 0)
        return
    for i in range(m):
        momentum = 0.0
        for k in range(m):
            momentum += mass[i, k] * (x[nq + k] - u_minus[k])
        left[0, i] += momentum


@kernel
def keep_momentum(contacts, t, x, record, pushes):
    """Store W Lambda of an impact before it turns the branches of the gaps, by which W changes."""
    read_terms(contacts, t, x)
    add_impulses(contacts, t, x, record, pushes, contacts.problem.impulse_momentum)
    contacts.event.accounted = 1


@kernel
def add_impulses(contacts, t, x, record, pushes, row):
    """W Lambda of the impulses that the event reports into a row, by W in `terms`."""
    model, problem = contacts.model, contacts.problem
    m, n, wt = problem.n_u, problem.n_contacts, jacobian(contacts)
    for i in range(m):
        row[0, i] = 0.0
    for j in range(n):
        if record[HEAD + j] != 0.0:
            for i in range(m):
                row[0, i] += wt[j, i] * record[HEAD + j]
    if pushes.size == 0:
        return
    rows, rates = problem.slips, problem.rates
    call_boundary(model.slips, t, x, rates, model.parameters, problem.slips)
    for j in range(n):
        for c in range(3):
            if pushes[3 * j + c] != 0.0:
                for i in range(m):
                    row[0, i] += rows[j, JACOBIAN + m * c + i] * pushes[3 * j + c]


@kernel
def column(contacts, j):
    """The length of C^-1 W of the normal of contact j, C in `terms`; its row in the scratch is overwritten."""
    problem = contacts.problem
    m, wt = problem.n_u, jacobian(contacts)
    row = problem.unaccounted_row
    for k in range(m):
        row[0, k] = wt[j, k]
    scale_rows(contacts, row, 0, 1)
    return row_norm(row, 0, m)


@kernel
def largest_push(contacts, record):
    """The largest normal impulse in the mass metric, Lambda sqrt(W^T M^-1 W)."""
    model = contacts.model
    largest = 0.0
    for j in range(model.n_contacts):
        if record[HEAD + j] != 0.0:
            largest = max(largest, abs(record[HEAD + j]) * column(contacts, j))
    return largest


@kernel
def heaviest(contacts):
    """The largest effective mass in a contact's normal, 1 / (W^T M^-1 W); 0 without a contact."""
    mode = contacts.mode
    largest, status = 0.0, mode.status
    for j in range(mode.n_contacts):
        if status[j] != codes.OPEN:
            length = column(contacts, j)
            if length > 0.0:
                largest = max(largest, 1.0 / (length * length))
    return largest


@kernel
def any_push(contacts, record):
    """Whether the event has an impulse."""
    model = contacts.model
    found = False
    for j in range(model.n_contacts):
        found = found or record[HEAD + j] != 0.0
    return found
