"""Poisson's and Newton's laws along Routh's path: friction of one contact follows its slip through the impact.

    Poisson   expansion gives back e of the impulse of compression        Newton   it ends at gamma_N+ = -s e gamma_N-

s = 1, or with the guard the largest s with which no energy is gained, found as in `newton_kernel`. Several contacts at
once have no path of one impulse: the unit at TOGETHER solves them.
"""

from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    finish,
    largest_work,
    note_factor,
    number,
    work,
)
from sympact.contact.routh.routh_kernel import follow
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, wholes

ROUNDING = 1e-13  # of the energies in the impact: a gain that is none
HALVINGS = 40


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_on_path(wholes(data, at.SIZE))


@kernel
def solve_on_path(table):
    """One contact along its path, or several by their law at once."""
    if table[at.COUNT] > 1:
        return call_unit(table[at.TOGETHER], table[at.SELF])
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    note_factor(table, 1.0)
    law = int(number(table, at.PATH_LAW))
    code = follow(table, law, 1.0)
    if number(table, at.GUARD) == 1.0 and (code == at.UNSOLVED or gains(table)):
        factor = largest_factor(table, law) if code == at.SOLVED else 0.0
        note_factor(table, factor)
        code = follow(table, law, factor)
    return finish(table, 0.0) if code == at.SOLVED else code


@kernel
def largest_factor(table, law):
    """As in `newton_kernel`."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        factor = 0.5 * (low + high)
        if follow(table, law, factor) != at.SOLVED:
            return 0.0
        if gains(table):
            high = factor
        else:
            low = factor
    return low


@kernel
def gains(table):
    """True when the impulse found adds energy by more than rounding."""
    impulse = reals(table[at.CONE_IMPULSE], 3)
    return work(table, impulse) > ROUNDING * largest_work(table, impulse)
