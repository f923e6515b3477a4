"""Rest: the acceleration that closed contacts leave, compared with the rounding error of its terms.

With M = C C^T and z = C^T u'_free, u'_free the acceleration without contact forces, the closed contacts constrain the
directions C^-1 W. The part of z normal to all of them is the acceleration of the motions that remain: forces do not
change it, so that its rounding error is that of z,

    STILL (sum of |C_ki u'_k|  +  sum over the coordinates of |q_k| |dz/dq_k|),

where the second sum, the rounding of the state, counts springs that balance, and contact points that are differences of
large coordinates. The part of the acceleration along the constrained directions, of contacts and of bilateral
constraints, is zero but for errors of the solution; where surfaces move it is theirs. A state in which all speeds are
zero rests if neither is more.
"""

import math

from sympact.contact.linalg.branch_kernel import entry_along
from sympact.contact.linalg.cholesky_kernel import append, norm, row_norm, split
from sympact.contact.linalg.constrained_kernel import onto_motions
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import DEPENDENT, RANK, STILL
from sympact.contact.problem.assemble_kernel import mass_factor
from sympact.contact.problem.frictionless_kernel import basis_of
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE, PROBE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading, row_of


@kernel
def length_by_mass(contacts, v, w, weight):
    """|C^T (v - weight w)|: the length of a difference of speeds, or of accelerations, in the metric of M."""
    model, branches = contacts.model, contacts.problem.branches
    m, mass, total = model.n_u, mass_factor(contacts), 0.0
    if branches.present == 1:
        for j in range(m):
            s = entry_along(mass, branches, j, v, 0) - weight * entry_along(mass, branches, j, w, 0)
            total += s * s
        return math.sqrt(total)
    for i in range(m):
        s = 0.0
        for k in range(i, m):
            s += mass[k, i] * (v[k] - weight * w[k])
        total += s * s
    return math.sqrt(total)


@kernel
def free_acceleration(contacts):
    """The acceleration without the forces of contact, measured by M."""
    problem = contacts.problem
    return length_by_mass(contacts, problem.rates_of_speeds, problem.change, 1.0)


@kernel
def residual_acceleration(contacts):
    """The acceleration with the forces of contact relative to that without, both measured by M."""
    problem, free = contacts.problem, free_acceleration(contacts)
    return length_by_mass(contacts, problem.rates_of_speeds, problem.change, 0.0) / free if free > 0.0 else 0.0


@kernel
def rests(contacts, t, x):
    """Whether the forces at a state, without its speeds, balance to their rounding error, after `closed_flow` there.

    The coordinates are moved one by one to measure the rounding of the state only where that decides.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    mode.state_rounding = 0.0
    left, terms = remaining_acceleration(contacts)
    mode.rest_terms, mode.rest_acceleration = terms, free_acceleration(contacts)
    if left <= STILL * terms:
        return True
    moved, total = leading(problem.trial, x.size), 0.0
    for k in range(problem.n_q):
        if x[k] != 0.0:
            for i in range(x.size):
                moved[i] = x[i] if i < problem.n_q else 0.0
            moved[k] += PROBE * x[k]
            call_flow(model.closed_flow, t, moved, contacts.address, moved)
            there, _ = remaining_acceleration(contacts)
            change = abs(there - left) / PROBE
            total += change if change < math.inf else 0.0
    mode.state_rounding = STILL * total
    return left <= STILL * (terms + total)


@kernel
def wake_margin(contacts):
    """How far a model at rest is from moving, by the motion that was found last: 1 at most, negative where it moves.

    Loads that balance may fade: what has been rounding, or negligible, where the rest began is so still.
    """
    mode, problem = contacts.mode, contacts.problem
    left, terms = remaining_acceleration(contacts)
    held = length_by_mass(contacts, problem.rates_of_speeds, problem.change, 0.0)
    largest = max(free_acceleration(contacts), mode.rest_acceleration)
    wake = 1.0 - (held / largest / NEGLIGIBLE if largest > 0.0 else 0.0)
    rounding = STILL * max(terms, mode.rest_terms) + mode.state_rounding
    return min(wake, 1.0 - left / rounding) if left > 0.0 else wake


@kernel
def remaining_acceleration(contacts):
    """The length of the part of z that closed contacts leave, by the motion found last; and that of its terms.

    All of the acceleration where some contact slips, whose force is not normal to the motions that remain.
    """
    model, problem = contacts.model, contacts.problem
    slipping, status = False, contacts.mode.status
    for j in range(problem.n_contacts):
        slipping = slipping or status[j] == codes.SLIP
    terms, z = write_acceleration(contacts, 0.0 if slipping else 1.0), row_of(problem.unheld, 0)
    onto_motions(problem.constraint_rank, problem.unheld, 0, problem.n_u)
    if slipping:
        return norm(z, problem.n_u), terms
    basis = basis_of(problem.null_basis)
    basis.count[0] = 0
    if model.slips == 0:
        add_directions(basis, problem.columns, 0, problem.count, 1.0, problem.n_u)
    else:
        add_constrained(contacts, basis)
    return (split(basis, problem.unheld, 0, problem.n_u) if basis.count[0] < problem.n_u else 0.0), terms


@kernel
def write_acceleration(contacts, weight):
    """C^T (u' - weight change) into `unheld`; returns the length of the sums of the magnitudes of its terms."""
    problem, mass = contacts.problem, mass_factor(contacts)
    m, branches, held, change = problem.n_u, problem.branches, problem.rates_of_speeds, problem.change
    total = 0.0
    for i in range(m):
        s = size = 0.0
        if branches.present == 1:
            for e in range(branches.starts[i], branches.starts[i + 1]):
                k = branches.entries[e]
                term = mass[i, k] * (held[k] - weight * change[k])
                s, size = s + term, size + abs(term)
            term = mass[i, i] * (held[i] - weight * change[i])
            s, size = s + term, size + abs(term)
        else:
            for k in range(i, m):
                term = mass[k, i] * (held[k] - weight * change[k])
                s, size = s + term, size + abs(term)
        problem.unheld[0, i] = s
        total += size * size
    return math.sqrt(total)


@kernel
def add_constrained(contacts, basis):
    """The constrained directions of the closed contacts with friction, each of its contact's own length."""
    problem = contacts.problem
    lines, rows, m, longest, k = problem.constrained_lines, problem.closed_rows, problem.n_u, 0.0, 0
    while k < lines.size and lines[k] >= 0:
        longest = max(longest, row_norm(rows, lines[k], m))
        k += 1
    k = 0
    while k < lines.size and lines[k] >= 0:
        first, end, own = lines[k], k, 0.0
        while end < lines.size and lines[end] >= 0 and lines[end] // 3 == first // 3:
            own = max(own, row_norm(rows, lines[end], m))
            end += 1
        if own > DEPENDENT * longest:
            add_directions(basis, rows, first, first + end - k, own, m)
        k = end


@kernel
def add_directions(basis, rows, start, end, unit, m):
    """The directions of these rows that others do not span join the basis."""
    for i in range(start, end):
        if basis.count[0] < m:
            length = split(basis, rows, i, m)
            if length > RANK * unit:
                append(basis, i, length, m)
