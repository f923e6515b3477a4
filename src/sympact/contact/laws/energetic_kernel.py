"""The energetic law: expansion returns e^2 of the work of compression.

One contact is integrated through its impact (`routh_kernel`). Several at once have Poisson's expansion with
restitutions s e, s the largest in 0..1 found by bisection with which the returned energy is at most

    sum of e_i^2 D_i,   D_i = -P_ci . (v_i- + v_ci)/2,   but never more than the sum of D_i itself,

D_i the energy that contact i absorbed in compression. The sum of D_i is not negative, so that no energy is gained.
"""

from sympact.contact.laws.poisson_kernel import expand
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.memory.routh_ends import BY_ENERGY
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    compress,
    cone_residual,
    finish,
    largest_work,
    note_factor,
    work,
)
from sympact.contact.routh.routh_kernel import follow
from sympact.native.kernel import kernel

HALVINGS = 40


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_energetic(contacts_at(data))


@kernel
def solve_energetic(contacts):
    """One contact along its path, or several with Poisson's phases."""
    problem = contacts.problem
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    note_factor(contacts, 1.0)
    if problem.count == 1:
        code = follow(contacts, BY_ENERGY, 1.0)
        return finish(contacts, 0.0) if code == codes.SOLVED else code
    code = compress(contacts)
    return several(contacts) if code == codes.SOLVED else code


@kernel
def several(contacts):
    """Expansion with the largest restitutions that the energy permits."""
    problem, law = contacts.problem, contacts.law
    residual = cone_residual(contacts)
    first, both = law.compression, problem.cone_impulse
    taken = work(contacts, first)
    allowed = taken + returned(contacts)
    code, miss = expand(contacts, 1.0)
    factor, limit = 1.0, ANSWER_ROUNDING * largest_work(contacts, first)
    if code != codes.SOLVED or work(contacts, both) > allowed + limit:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            factor = 0.5 * (low + high)
            code, miss = expand(contacts, factor)
            if code == codes.SOLVED and work(contacts, both) <= allowed + limit:
                low = factor
            else:
                high = factor
        factor = low
        code, miss = expand(contacts, factor)
    note_factor(contacts, factor)
    return finish(contacts, max(residual, miss)) if code == codes.SOLVED else code


@kernel
def returned(contacts):
    """The energy that expansion may return."""
    problem, law = contacts.problem, contacts.law
    total, some = 0.0, 0.0
    first, e = law.compression, problem.restitution
    before, reached = law.before, law.compressed
    for i in range(problem.count):
        d = 0.0
        for k in range(3 * i, 3 * i + 3):
            d -= 0.5 * first[k] * (before[k] + reached[k])
        total += d
        some += e[i] * e[i] * max(d, 0.0)
    return max(min(some, total), 0.0)
