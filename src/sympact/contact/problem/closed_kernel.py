"""Motion with closed contacts: M u' = f + W lambda with gamma' = 0 for each of them.

With M = C C^T and y = C^T (u' - u'_free), the motion is the shortest y with (C^-1 W_j) . y = -g''_free for the closed
contacts. It is unique also where contacts are redundant; the forces then are those of least norm.
Gaps and gap rates are projected to zero in the same way, by the shortest change in the metric of M.
"""

import math

from sympact.contact.linalg.branch_kernel import backward_along
from sympact.contact.linalg.cholesky_kernel import append, backward_within, norm, reach_bounds, solve_triangle, split
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import CLOSED_GAP, RANK
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.arc_audit_kernel import audit_frictionless, is_audited
from sympact.contact.problem.assemble_kernel import (
    assemble_accelerations,
    assemble_columns,
    call_own_gaps,
    drift,
    factor_mass,
    jacobian,
    list_closed,
    mass_factor,
    read_gaps,
    read_own_gaps,
    read_own_terms,
    read_terms,
    scales,
)
from sympact.contact.problem.frictionless_kernel import basis_of
from sympact.contact.problem.rest_kernel import wake_margin
from sympact.integrate.memory.run_codes import BY_VALUES
from sympact.integrate.memory.run_tolerances import DRIFT
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading, reals, row_of

TRIES = 4  # corrections of the gaps


@kernel
def table_at(data):
    """The table and the state's size."""
    contacts = contacts_at(data)
    model = contacts.model
    return contacts, model.n_q + model.n_u


@kernel
def shortest_to(contacts, count):
    """The shortest y that satisfies all bounds a_j . y = c_j into `motion`; columns that others span are omitted."""
    problem = contacts.problem
    m = problem.n_u
    basis, a = basis_of(problem.basis), problem.columns
    basis.count[0] = 0
    for i in range(count):
        length = split(basis, a, i, m)
        if length > RANK:
            append(basis, i, length, m)
    shortest_again(contacts)


@kernel
def shortest_again(contacts):
    """The same for other bounds of the same columns."""
    problem = contacts.problem
    reach_bounds(basis_of(problem.basis), problem.bounds, problem.n_u, problem.motion)


@kernel
def change_of_speeds(contacts):
    """C^-T y into `change`."""
    problem = contacts.problem
    m = problem.n_u
    y, change = problem.motion, problem.change
    for k in range(m):
        change[k] = y[k]
    if problem.branches.present == 1:
        backward_along(mass_factor(contacts), m, problem.branches, change)
    else:
        backward_within(mass_factor(contacts), m, problem.mass_profile, change)
    return change


@kernel
def bound(contacts, count, values):
    """The bounds c_j = -values_j / length of the participants; `values` are in the order of the contacts."""
    problem = contacts.problem
    who, c, lengths = problem.participants, problem.bounds, problem.lengths
    for i in range(count):
        c[i] = -values[who[i]] / lengths[i] if lengths[i] > 0.0 else 0.0


@kernel
def hold(contacts, t, x):
    """The rates of the state with the closed contacts constrained, in `rates`; False where M is not positive
    definite."""
    problem = contacts.problem
    count = list_closed(contacts)
    read_own_gaps(contacts, t, x)
    read_own_terms(contacts, t, x)
    nq, m = problem.n_q, problem.n_u
    rates = problem.rates
    if not factor_mass(contacts):
        for i in range(nq + m):
            rates[i] = math.nan
        return False
    assemble_columns(contacts, count)
    bound(contacts, count, problem.gap_acceleration)
    shortest_to(contacts, count)
    change = change_of_speeds(contacts)
    for k in range(m):
        rates[nq + k] += change[k]
    return True


@kernel
def at_rest(contacts, rates):
    """True, with rates of zero, where the model is at rest."""
    mode = contacts.mode
    if mode.statuses[mode.n_contacts] == 0:
        return False
    for i in range(rates.size):
        rates[i] = 0.0
    return True


@kernel
def hand_over(contacts, rates):
    """The last rates."""
    problem = contacts.problem
    held = leading(problem.rates, rates.size)
    for i in range(rates.size):
        rates[i] = held[i]


@kernel
def recorded_row(contacts, out):
    """The stage of the step whose rates are at an address, if the margins there are recorded; else -1."""
    problem = contacts.problem
    margins, row_size = problem.stage_margins, 8 * (problem.n_q + problem.n_u)
    beyond = out - margins.rates
    if margins.rates == 0 or not 0 <= beyond < margins.n_rows * row_size:
        return -1
    row = beyond // row_size
    return row if (margins.recorded >> row) & 1 == 1 else -1


@kernel
def bearing_forces(contacts, count):
    """lambda_j (W_j^T M^-1 W_j) of the contacts with a force, by index of the participant, into `multiplier`.

    Of all constraint forces, those of least norm: the components along dependencies of the columns are removed. Forces
    may be tensile here: where the first one becomes so, the mode ends. `basis` is that of `shortest_to`, which is built
    anew where some of its columns have no force.
    """
    mode, problem = contacts.mode, contacts.problem
    m = problem.n_u
    who, active = problem.participants, mode.watched
    a, lengths = problem.columns, problem.lengths
    basis, null, rows = basis_of(problem.basis), basis_of(problem.null_basis), problem.redundant_rows
    force, known, loaded = problem.multiplier, 0, True
    for i in range(count):
        force[i] = 0.0
        loaded = loaded and active[who[i]] == BY_VALUES
    null.count[0] = 0
    if not loaded:
        basis.count[0] = 0
    independent = basis.count[0]
    for i in range(count):
        if known < independent and basis.active[known] == i:
            known += 1  # `shortest_to` has appended it
            continue
        if active[who[i]] != BY_VALUES or lengths[i] == 0.0:
            continue
        length = split(basis, a, i, m)
        if length > RANK:
            append(basis, i, length, m)
        else:
            relate(basis, null, rows, lengths, i, count)
    d = null.count[0]
    if d > 0 or not loaded:
        reach_bounds(basis, problem.bounds, m, problem.motion)
    for i in range(count if d > 0 else 0):
        rows[d, i] = 0.0
    for i in range(basis.count[0]):
        j = basis.active[i]
        force[j] = basis.coefficients[i] * lengths[j]
        if d > 0:
            rows[d, j] = basis.coefficients[i] / lengths[j]
    if d > 0:
        split(null, rows, d, count)
        for i in range(count):
            force[i] = null.remainder[i] * lengths[i] * lengths[i]


@kernel
def relate(basis, null, rows, lengths, i, n):
    """Add the self-stress by which column i is a sum of those of the basis to `null`."""
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
def force_values(contacts, met, out):
    """The margin of each contact with a force to opening, as a length, for the motion that `hold` has found, if it has.

    Its force accelerates its gap: this acceleration relative to the largest one without forces, times the length. Where
    the model is at rest, the value is also the margin to motion.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, nb = problem.n_contacts, problem.n_boundaries
    who, active = problem.participants, mode.watched
    for k in range(nb):
        out[k] = 1.0 if met else math.nan
    if not met:
        return
    count = problem.count
    at_rest = mode.statuses[n] == 1
    wake = wake_margin(contacts) if at_rest else math.inf
    bearing_forces(contacts, count)
    force = problem.multiplier
    reference = mode.reference_acceleration if mode.reference_acceleration > 0.0 else 1.0
    for i in range(count):
        if active[who[i]] == BY_VALUES:
            out[who[i]] = model.length * min(force[i] / reference, wake)


def closed_rates(t, x, data, out):
    """The flow of every mode with a closed contact, see `Stage.flow`; nothing moves where the model is at rest."""
    contacts, size = table_at(data)
    audited = is_audited(contacts, out)
    if at_rest(contacts, reals(out, size)):
        return
    met = hold(contacts, t, reals(x, size))
    hand_over(contacts, reals(out, size))
    row = recorded_row(contacts, out)
    if row >= 0:
        force_values(contacts, met, row_of(contacts.problem.stage_margins.values, row))
    elif audited and met:
        bearing_forces(contacts, contacts.problem.count)
    if audited:
        audit_frictionless(contacts, met)


def closed_forces(t, x, data, out):
    """The margins of closed contacts, see `Stage.force`."""
    contacts, size = table_at(data)
    met = hold(contacts, t, reals(x, size))
    force_values(contacts, met, reals(out, contacts.model.n_boundaries))


def contact_forces(t, x, data, out):
    """lambda of each contact (N), shape (n,), zero where it is open: nonnegative, and of all such the least norm."""
    contacts, size = table_at(data)
    model, problem = contacts.model, contacts.problem
    n = problem.n_contacts
    state, force = reals(x, size), reals(out, n)
    for k in range(n):
        force[k] = 0.0
    if list_closed(contacts) == 0:
        return
    read_gaps(contacts, t, state)
    read_terms(contacts, t, state)
    assemble_accelerations(contacts, problem.gap_acceleration)
    if call_unit(model.force_solver, data) != codes.SOLVED:
        for k in range(n):
            force[k] = math.nan
        return
    who, found = problem.participants, problem.impulse
    for i in range(problem.count):
        force[who[i]] = found[i]


@kernel
def close_gaps(contacts, t, x, count):
    """Project the closed gaps to zero, by the shortest change; x is changed in place."""
    model, problem = contacts.model, contacts.problem
    nq, m = problem.n_q, problem.n_u
    length = model.length
    rates, trial, along = problem.rates, problem.trial, problem.along
    who = problem.participants
    for _ in range(TRIES):
        call_own_gaps(contacts, t, x, rates)
        largest = 0.0
        for i in range(count):
            largest = max(largest, abs(along[who[i]]))
        if not largest > CLOSED_GAP * length:
            return
        read_own_terms(contacts, t, x)
        if not factor_mass(contacts):
            return
        assemble_columns(contacts, count)
        bound(contacts, count, along)
        shortest_to(contacts, count)
        change = change_of_speeds(contacts)
        for i in range(nq):
            trial[i] = x[i]
        for k in range(m):
            trial[nq + k] = 0.0
        call_flow(model.free_flow, t, trial, model.free_data, rates)
        for i in range(nq):
            x[i] -= rates[i]
        for k in range(m):
            trial[nq + k] = change[k]
        call_flow(model.free_flow, t, trial, model.free_data, rates)
        for i in range(nq):
            x[i] += rates[i]
        if model.normalize != 0:
            call_flow(model.normalize, t, x, model.free_data, x)


@kernel
def remove_rates(contacts, t, x, count):
    """Remove the gap rates of the participants from the speeds, by the shortest change.

    Returns its energy, without the work of moving surfaces, which is -|y|^2 / 2.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    nq, m = problem.n_q, problem.n_u
    rates = problem.rates
    read_own_terms(contacts, t, x)
    mode.closed_rate = 0.0
    if count == 0 or not factor_mass(contacts):
        return 0.0
    assemble_columns(contacts, count)
    energy = 0.0
    for trial in range(2):
        call_flow(model.free_flow, t, x, model.free_data, rates)
        call_own_gaps(contacts, t, x, rates)
        bound(contacts, count, problem.gap_rate)
        if trial == 1:
            shortest_again(contacts)
        else:
            shortest_to(contacts, count)
            energy = -0.5 * norm(problem.motion, m) ** 2
            note_rates(contacts, x, count)
        change = change_of_speeds(contacts)
        for k in range(m):
            x[nq + k] += change[k]
    return energy


@kernel
def note_rates(contacts, x, count):
    """The largest gap rate of the participants, by the last rates, into `closed_rate`; its contact into `leapt`,
    negative.

    A rate that is a small part of the speeds in it is the drift of a step, and counts as zero.
    """
    mode, problem = contacts.mode, contacts.problem
    nq, largest, mode.leapt = problem.n_q, 0.0, 0
    who, rates = problem.participants, problem.gap_rate
    wt, w = jacobian(contacts), drift(contacts)
    for i in range(count):
        j = who[i]
        terms = abs(w[j])
        for k in range(problem.n_u):
            terms += abs(wt[j, k] * x[nq + k])
        if not abs(rates[j]) <= max(largest, DRIFT * terms):
            largest, mode.leapt = abs(rates[j]), -1 - j
    mode.closed_rate = largest


@kernel
def refuse_leap(contacts, out):
    """At the end of a step a closed contact has a rate that is no drift: its contact point has jumped, no valid state.

    Where bodies touch at two points that are equally close the closest one changes, and one contact represents one of
    them. The projection would remove a rate of a rebound of DEAD_BAND as if it were zero.
    """
    mode = contacts.mode
    low, _ = scales(contacts)
    if mode.closed_rate > low:
        mode.leapt = abs(mode.leapt)
        for i in range(out.size):
            out[i] = math.nan


def project_rates(t, x_address, data, out_address):
    """Remove the gap rates of the participants from the speeds of a state; `out` must be the state itself."""
    contacts, size = table_at(data)
    mode, problem = contacts.mode, contacts.problem
    energy = remove_rates(contacts, t, reals(out_address, size), problem.count)
    mode.removed_energy = energy


def project_closed(t, x_address, data, out_address):
    """The end of a step with closed contacts, see `Stage.project`: unit quaternions, closed gaps and rates zero."""
    contacts, size = table_at(data)
    model, mode = contacts.model, contacts.mode
    mode.closed_rate = 0.0
    call_flow(model.project_positions, t, reals(x_address, size), data, reals(out_address, size))
    refuse_leap(contacts, reals(out_address, size))


def project_gaps(t, x_address, data, out_address):
    """Unit quaternions, closed gaps and rates zero."""
    contacts, size = table_at(data)
    model, mode = contacts.model, contacts.mode
    x, out = reals(x_address, size), reals(out_address, size)
    for i in range(size):
        out[i] = x[i]
    if mode.statuses[mode.n_contacts] == 1:
        return
    if model.normalize != 0:
        call_flow(model.normalize, t, out, model.free_data, out)
    count = list_closed(contacts)
    close_gaps(contacts, t, out, count)
    call_flow(model.project_velocities, t, out, data, out)
