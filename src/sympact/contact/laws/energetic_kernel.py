"""The energetic law: of the work that compression took, e^2 comes back.

One contact is followed through its impact (`routh_kernel`). Several at once have Poisson's expansion with restitutions
s e, s the largest in 0..1 that bisection finds with which the energy that comes back is at most

    sum of e_i^2 D_i,   D_i = -P_ci . (v_i- + v_ci)/2,   but never more than the sum of D_i itself,

D_i the energy that contact i took up in compression. The sum of D_i is not negative, so that no energy is gained.
"""

from sympact.contact.laws.poisson_kernel import expand
from sympact.contact.memory import contact_layout as at
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
from sympact.native.pointer import reals, wholes

ROUNDING = 1e-13  # of the energies in the impact
HALVINGS = 40


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_energetic(wholes(data, at.SIZE))


@kernel
def solve_energetic(table):
    """One contact, or several."""
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    note_factor(table, 1.0)
    if table[at.COUNT] == 1:
        code = follow(table, BY_ENERGY, 1.0)
        return finish(table, 0.0) if code == at.SOLVED else code
    code = compress(table)
    return several(table) if code == at.SOLVED else code


@kernel
def several(table):
    """Expansion with as much of the restitutions as the energy allows."""
    n, residual = table[at.N_C], cone_residual(table)
    first, both = reals(table[at.COMPRESSION], 3 * n), reals(table[at.CONE_IMPULSE], 3 * n)
    taken = work(table, first)
    allowed = taken + returned(table)
    code, miss = expand(table, 1.0)
    factor, limit = 1.0, ROUNDING * largest_work(table, first)
    if code != at.SOLVED or work(table, both) > allowed + limit:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            factor = 0.5 * (low + high)
            code, miss = expand(table, factor)
            if code == at.SOLVED and work(table, both) <= allowed + limit:
                low = factor
            else:
                high = factor
        factor = low
        code, miss = expand(table, factor)
    note_factor(table, factor)
    return finish(table, max(residual, miss)) if code == at.SOLVED else code


@kernel
def returned(table):
    """The energy that may come back."""
    n, total, some = table[at.N_C], 0.0, 0.0
    first, e = reals(table[at.COMPRESSION], 3 * n), reals(table[at.RESTITUTION], n)
    before, reached = reals(table[at.BEFORE], 3 * n), reals(table[at.REACHED], 3 * n)
    for i in range(table[at.COUNT]):
        d = 0.0
        for k in range(3 * i, 3 * i + 3):
            d -= 0.5 * first[k] * (before[k] + reached[k])
        total += d
        some += e[i] * e[i] * max(d, 0.0)
    return max(min(some, total), 0.0)
