"""A custom law: the impact is assembled, a user's function gives the impulses, and the motion follows."""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.impact_phase_kernel import begin, clear_sliding, finish, note_factor
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`, by the unit at `custom_law`."""
    return solve_custom(contacts_at(data))


@kernel
def solve_custom(contacts):
    """Store M, which the assembly overwrites, and call the function."""
    model, problem, law = contacts.model, contacts.problem, contacts.law
    m = problem.n_u
    mass, source = law.mass_entries, problem.mass_entries
    for k in range(m * m):
        mass[k] = source[k]
    code = begin(contacts)
    if code != codes.SOLVED:
        return code
    clear_sliding(contacts)
    note_factor(contacts, 1.0)
    code = call_unit(model.custom_law, contacts.address)
    return finish(contacts, 0.0) if code == codes.SOLVED else code
