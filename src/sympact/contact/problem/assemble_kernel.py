"""The data of a problem of contacts at a state: rates, gaps, M, W, and the columns P C^-1 W, M = C C^T.

P is the projection onto the motions that bilateral constraints leave, see `constrained_kernel`; without constraints it
is the identity.
"""

import math

from sympact.contact.linalg.branch_kernel import forward_along, singular_row
from sympact.contact.linalg.cholesky_kernel import factor_within, find_profile, forward_within, row_norm
from sympact.contact.linalg.constrained_kernel import add_constraints, onto_motions, rank_constraints
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_SPEED
from sympact.contact.problem.room_kernel import make_room
from sympact.integrate.memory.run_tolerances import DEAD_BAND, GAP_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_chosen, call_chosen_flow, call_flow, leading
from sympact.native.rounding import EPS, LEAST_NORMAL, ROUNDINGS


@kernel
def jacobian(contacts):
    """W^T, one row for each contact."""
    problem = contacts.problem
    return problem.jacobian


@kernel
def drift(contacts):
    """w, the gap rates at u = 0."""
    problem = contacts.problem
    return problem.drift


@kernel
def restitutions(contacts):
    """The restitution e of each contact, as the model gives it."""
    problem = contacts.problem
    return problem.model_restitution


@kernel
def mass_factor(contacts):
    """The memory of M and its factor C."""
    problem = contacts.problem
    return problem.mass


@kernel
def read_terms(contacts, t, x):
    """M, W, w, e and A at a state into `terms`."""
    model, problem = contacts.model, contacts.problem
    call_flow(model.terms, t, x, model.parameters, problem.terms)


@kernel
def read_gaps(contacts, t, x):
    """The rates of the state in free motion into `rates`; g, g' and g'' along them into `along`."""
    model, problem = contacts.model, contacts.problem
    rates = leading(problem.rates, x.size)
    call_flow(model.free_flow, t, x, model.free_data, rates)
    along = problem.along
    call_boundary(model.gaps, t, x, rates, model.parameters, along)


@kernel
def choose_participants(contacts):
    """Choose the participants for functions that evaluate chosen contacts alone."""
    problem = contacts.problem
    who, chosen = problem.participants, problem.chosen
    for j in range(problem.n_contacts):
        chosen[j] = 0
    for i in range(problem.count):
        chosen[who[i]] = 1


@kernel
def read_own_terms(contacts, t, x):
    """`read_terms` with the rows of the participants alone, where the model can; others keep what they were."""
    model, problem = contacts.model, contacts.problem
    if model.chosen_terms == 0:
        read_terms(contacts, t, x)
        return
    if problem.branches.present == 0:
        clear_factor(problem.mass, problem.n_u, problem.mass_profile)
    choose_participants(contacts)
    call_chosen_flow(model.chosen_terms, t, x, model.parameters, problem.terms, problem.chosen)


@kernel
def clear_factor(mass, m, profile):
    """Zeros where the last factor has filled in M, as functions of chosen contacts write no zeros."""
    for i in range(m):
        for k in range(profile[i], i):
            mass[i, k] = 0.0


@kernel
def read_own_gaps(contacts, t, x):
    """`read_gaps` with the gaps of the participants alone, where the model can; others keep what they were."""
    model, problem = contacts.model, contacts.problem
    if model.chosen_gaps == 0:
        read_gaps(contacts, t, x)
        return
    rates = leading(problem.rates, x.size)
    call_flow(model.free_flow, t, x, model.free_data, rates)
    call_own_gaps(contacts, t, x, rates)


@kernel
def call_own_gaps(contacts, t, x, rates):
    """g, g', g'' of the participants along some rates into `along`, and of others where the model cannot choose."""
    model, problem = contacts.model, contacts.problem
    if model.chosen_gaps == 0:
        call_boundary(model.gaps, t, x, rates, model.parameters, problem.along)
        return
    choose_participants(contacts)
    call_chosen(model.chosen_gaps, t, x, rates, model.parameters, problem.along, problem.chosen)


@kernel
def list_closed(contacts):
    """The closed contacts into `participants`; returns how many there are."""
    mode, problem = contacts.mode, contacts.problem
    n, count = problem.n_contacts, 0
    who, status = problem.participants, mode.status
    for j in range(n):
        if status[j] != codes.OPEN:
            who[count] = j
            count += 1
    problem.count = count
    make_room(contacts)
    return problem.count


@kernel
def count_closed(contacts):
    """How many contacts are closed."""
    count, status = 0, contacts.mode.status
    for j in range(contacts.mode.n_contacts):
        count += 1 if status[j] != codes.OPEN else 0
    return count


@kernel
def measure_rates(contacts, x):
    """gamma- = W^T u + w of the participants, and their rounding errors, at least a number that has a square."""
    problem = contacts.problem
    who, rate, uncertain = problem.participants, problem.rate_minus, problem.uncertain
    after = problem.rate_plus
    for i in range(problem.count):
        rate[i], sizes = gap_rate(contacts, who[i], x)
        uncertain[i] = max(ROUNDINGS * EPS * sizes, LEAST_NORMAL**0.5)
        after[i] = rate[i]


@kernel
def gap_rate(contacts, j, x):
    """W^T u + w of contact j by the last terms, and the sum of the sizes of what it is made of."""
    nq, wt, w = contacts.problem.n_q, jacobian(contacts), drift(contacts)
    total, sizes = w[j], abs(w[j])
    for k in range(contacts.problem.n_u):
        total += wt[j, k] * x[nq + k]
        sizes += abs(wt[j, k] * x[nq + k])
    return total, sizes


@kernel
def factor_mass(contacts):
    """Replace M by its factor, and decide the rank of the constraints; True when M is positive definite.

    False also where there is no room for the columns of the participants. Where the model gives the factor R along the
    branches, only its pivots are judged.
    """
    problem = contacts.problem
    if not make_room(contacts):
        return False
    if problem.branches.present == 1:
        problem.pivot = singular_row(mass_factor(contacts), problem.n_u)
        return problem.pivot < 0
    mass, m, rows, profile = mass_factor(contacts), problem.n_u, problem.constraint_rows, problem.mass_profile
    add_constraints(mass, m, rows, problem.n_rows)
    find_profile(mass, m, profile)
    problem.pivot = factor_within(mass, m, profile)
    if problem.pivot < 0:
        rank_constraints(mass, m, rows, problem.constraint_rank)
    return problem.pivot < 0


@kernel
def scale_rows(contacts, rows, start, end):
    """Replace the rows W^T from start to end - 1 by their columns P C^-1 W; M must be factored."""
    problem = contacts.problem
    if problem.branches.present == 1:
        for i in range(start, end):
            forward_along(mass_factor(contacts), problem.n_u, problem.branches, rows, i)
        return
    forward_within(mass_factor(contacts), problem.n_u, problem.mass_profile, rows, start, end)
    for i in range(start, end):
        onto_motions(problem.constraint_rank, rows, i, problem.n_u)


@kernel
def assemble_columns(contacts, count):
    """Columns of the participants, made unit vectors, and their lengths."""
    problem = contacts.problem
    m = problem.n_u
    who, wt = problem.participants, jacobian(contacts)
    a, lengths = problem.columns, problem.lengths
    for i in range(count):
        for k in range(m):
            a[i, k] = wt[who[i], k]
    scale_rows(contacts, a, 0, count)
    for i in range(count):
        lengths[i] = row_norm(a, i, m)
        if lengths[i] > 0.0:
            shorten = 1.0 / lengths[i]
            for k in range(m):
                a[i, k] *= shorten


@kernel
def assemble_accelerations(contacts, accelerations):
    """The problem of the forces of the participants: their accelerations for rates, no restitution."""
    mode, problem = contacts.mode, contacts.problem
    n = problem.n_contacts
    who, rate, uncertain = problem.participants, problem.rate_minus, problem.uncertain
    largest, problem.kind = mode.largest_acceleration, codes.FORCES
    for j in range(n):
        largest = max(largest, abs(accelerations[j]))
    for i in range(problem.count):
        rate[i], uncertain[i] = accelerations[who[i]], GAP_ROUNDING * largest
    without_restitution(contacts)


@kernel
def without_restitution(contacts):
    """No participant rebounds."""
    problem = contacts.problem
    e = problem.restitution
    for i in range(problem.count):
        e[i] = 0.0


@kernel
def time_scale(contacts):
    """The time in which the reference acceleration covers the length; without accelerations that of 1 m/s^2."""
    model, mode = contacts.model, contacts.mode
    return math.sqrt(model.length / (mode.reference_acceleration if mode.reference_acceleration > 0.0 else 1.0))


@kernel
def scales(contacts):
    """(speed below which a rebound is lower than the dead band, speed that counts as zero)."""
    model, mode = contacts.model, contacts.mode
    square = mode.reference_acceleration * model.length
    return math.sqrt(2.0 * DEAD_BAND * square), NO_SPEED * math.sqrt(square)
