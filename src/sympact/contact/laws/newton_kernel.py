"""Newton's law with restitution of slip, and with a guard against gains of energy; without both its solvers are
`frictionless_kernel` and `coulomb_kernel`, see `Newton.together`.

    U_N = gamma_N+ + s e gamma_N-,   U_T = gamma_T+ + s e_t gamma_T-,   P and U obey Coulomb's law on the cone

s = 1, or with the guard the largest s in 0..1 found by bisection with which no energy is gained: s = 0 gains none,
because the energy is then at most -|G P|^2 / 2 in the metric of M.
"""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    cone_residual,
    finish,
    largest_work,
    note_factor,
    on_cone,
    work,
)
from sympact.native.kernel import kernel

HALVINGS = 40


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_newton(contacts_at(data))


@kernel
def solve_newton(contacts):
    """With the given restitutions, and with reduced ones where the guard requires it."""
    law = contacts.law
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    code, factor = restore(contacts, 1.0), 1.0
    if law.energy_guard == 1.0 and (code == codes.UNSOLVED or (code == codes.SOLVED and gains(contacts))):
        factor = largest_factor(contacts) if code == codes.SOLVED else 0.0
        code = restore(contacts, factor)
    note_factor(contacts, factor)
    return finish(contacts, cone_residual(contacts)) if code == codes.SOLVED else code


@kernel
def largest_factor(contacts):
    """The largest part of the restitutions with which no energy is gained, by bisection; 0 where one has no solution.

    Near the boundary of solvability impulses grow without bound: that boundary is not searched.
    """
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        factor = 0.5 * (low + high)
        if restore(contacts, factor) != codes.SOLVED:
            return 0.0
        if gains(contacts):
            high = factor
        else:
            low = factor
    return low


@kernel
def restore(contacts, factor):
    """Solve with this part of the restitutions."""
    problem, law = contacts.problem, contacts.law
    rate, before, e = problem.cone_rate, law.before, problem.restitution
    along = 1.0 + factor * law.slip_restitution
    for i in range(problem.count):
        rate[3 * i] = (1.0 + factor * e[i]) * before[3 * i]
        rate[3 * i + 1], rate[3 * i + 2] = along * before[3 * i + 1], along * before[3 * i + 2]
    return on_cone(contacts, law.compression)


@kernel
def gains(contacts):
    """True when the impulses found add energy by more than rounding."""
    law = contacts.law
    impulse = law.compression
    return work(contacts, impulse) > ANSWER_ROUNDING * largest_work(contacts, impulse)
