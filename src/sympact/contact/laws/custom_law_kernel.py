"""A law of the user's own: the impact is posed, a function of the user's gives the impulses, the motion follows."""

from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.impact_phase_kernel import begin, clear_sliding, finish, note_factor
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, wholes


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO by the unit at OWN."""
    return solve_own(wholes(data, at.SIZE))


@kernel
def solve_own(table):
    """Keep M, which posing the problem takes apart, and ask."""
    m = table[at.N_U]
    mass, source = reals(table[at.MASS], m * m), reals(table[at.OUT], m * m)
    for k in range(m * m):
        mass[k] = source[k]
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    note_factor(table, 1.0)
    code = call_unit(table[at.OWN], table[at.SELF])
    return finish(table, 0.0) if code == at.SOLVED else code
