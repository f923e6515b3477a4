"""Poisson's law: compression, then expansion with at least e times the normal impulse of compression.

compression   the impact without restitution: impulses P_c, velocities v_c
expansion     0 <= P_N - e P_cN _|_ gamma_N+ >= 0 with Coulomb's friction, from v_c on
"""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    compress,
    cone_residual,
    finish,
    note_factor,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_poisson(contacts_at(data))


@kernel
def solve_poisson(contacts):
    """Compression and the whole expansion."""
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    code = compress(contacts)
    if code != codes.SOLVED:
        return code
    residual = cone_residual(contacts)
    code, miss = expand(contacts, 1.0)
    note_factor(contacts, 1.0)
    return finish(contacts, max(residual, miss)) if code == codes.SOLVED else code


@kernel
def expand(contacts, part):
    """Expansion with this part of the restitutions: impulses of both phases into `cone_impulse`; (code, residual)."""
    model, problem, law = contacts.model, contacts.problem, contacts.law
    count, needed = problem.count, False
    least, e, rate = problem.least_impulse, problem.restitution, problem.cone_rate
    first, both, reached = law.compression, problem.cone_impulse, law.compressed
    for i in range(count):
        least[i] = part * e[i] * max(first[3 * i], 0.0)
        needed = needed or least[i] > 0.0
    for k in range(3 * count):
        rate[k] = reached[k]
    code = call_unit(model.cone_solver, contacts.address) if needed else nothing(contacts)
    for k in range(3 * count):
        both[k] += first[k]
    return code, cone_residual(contacts)


@kernel
def nothing(contacts):
    """No expansion where e is zero: a problem formed by the residual of compression would be one of rounding."""
    problem = contacts.problem
    impulse = leading(problem.cone_impulse, 3 * problem.count)
    for k in range(3 * problem.count):
        impulse[k] = 0.0
    return codes.SOLVED
