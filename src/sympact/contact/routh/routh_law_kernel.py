"""Poisson's and Newton's laws along Routh's path: friction of one contact depends on its slip during the impact.

    Poisson   expansion has e of the impulse of compression        Newton   it ends at gamma_N+ = -s e gamma_N-

s = 1, or with the guard the largest s with which no energy is gained, found as in `newton_kernel`. Several contacts at
once have no path of one impulse: the unit at `joint_solver` solves them.
"""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    finish,
    largest_work,
    note_factor,
    work,
)
from sympact.contact.routh.routh_kernel import follow
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit

HALVINGS = 40


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_on_path(contacts_at(data))


@kernel
def solve_on_path(contacts):
    """One contact along its path, or several by their law at once."""
    model, problem = contacts.model, contacts.problem
    if problem.count > 1:
        return call_unit(model.joint_solver, contacts.address)
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    note_factor(contacts, 1.0)
    law = int(contacts.law.path_end)
    code = follow(contacts, law, 1.0)
    if contacts.law.energy_guard == 1.0 and (code == codes.UNSOLVED or gains(contacts)):
        factor = largest_factor(contacts, law) if code == codes.SOLVED else 0.0
        note_factor(contacts, factor)
        code = follow(contacts, law, factor)
    return finish(contacts, 0.0) if code == codes.SOLVED else code


@kernel
def largest_factor(contacts, law):
    """As in `newton_kernel`."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        factor = 0.5 * (low + high)
        if follow(contacts, law, factor) != codes.SOLVED:
            return 0.0
        if gains(contacts):
            high = factor
        else:
            low = factor
    return low


@kernel
def gains(contacts):
    """True when the impulse found adds energy by more than rounding."""
    problem = contacts.problem
    impulse = problem.cone_impulse
    return work(contacts, impulse) > ANSWER_ROUNDING * largest_work(contacts, impulse)
