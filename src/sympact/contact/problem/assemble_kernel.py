"""The data of a problem of contacts at a state: rates, gaps, M, W, and the columns C^-1 W, M = C C^T."""

import math

from sympact.contact.linalg.cholesky_kernel import factor, forward, row_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_SPEED
from sympact.integrate.memory.run_tolerances import DEAD_BAND, GAP_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, leading


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
    """M, W, w and e at a state into OUT."""
    model, problem = contacts.model, contacts.problem
    call_flow(model.terms, t, x, model.parameters, problem.terms)


@kernel
def read_gaps(contacts, t, x):
    """The rates of the state in free motion into `rates`; g, g' and g'' along them into `along`."""
    model, problem = contacts.model, contacts.problem
    rates = leading(problem.rates, x.size)
    call_flow(model.free_flow, t, x, model.parameters, rates)
    along = problem.along
    call_boundary(model.gaps, t, x, rates, model.parameters, along)


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
    return count


@kernel
def factor_mass(contacts):
    """Replace M by its factor; True when M is positive definite."""
    problem = contacts.problem
    problem.pivot = factor(mass_factor(contacts), problem.n_u)
    return problem.pivot < 0


@kernel
def assemble_columns(contacts, count):
    """Columns C^-1 W of the participants, made unit vectors, and their lengths."""
    problem = contacts.problem
    m, mass = problem.n_u, mass_factor(contacts)
    who, wt = problem.participants, jacobian(contacts)
    a, lengths = problem.columns, problem.lengths
    for i in range(count):
        for k in range(m):
            a[i, k] = wt[who[i], k]
        forward(mass, m, a, i)
        lengths[i] = row_norm(a, i, m)
        if lengths[i] > 0.0:
            for k in range(m):
                a[i, k] /= lengths[i]


@kernel
def assemble_accelerations(contacts, accelerations):
    """The problem of the forces of the participants: their accelerations for rates, no restitution."""
    mode, problem = contacts.mode, contacts.problem
    n = problem.n_contacts
    who, rate, uncertain = problem.participants, problem.rate_minus, problem.uncertain
    e, largest = problem.restitution, mode.largest_acceleration
    for j in range(n):
        largest = max(largest, abs(accelerations[j]))
    for i in range(problem.count):
        rate[i], uncertain[i], e[i] = accelerations[who[i]], GAP_ROUNDING * largest, 0.0


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
