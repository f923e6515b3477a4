"""Newton's law with restitution of slip, and with a guard against gains of energy.

    U_N = gamma_N+ + s e gamma_N-,   U_T = gamma_T+ + s e_t gamma_T-,   P and U obey Coulomb's law on the cone

s = 1, or with the guard the largest s in 0..1 that bisection finds with which no energy is gained: s = 0 gains none,
for then the energy is -|G P|^2 / 2 in the metric of M and less.
"""

from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    cone_residual,
    finish,
    largest_work,
    note_factor,
    number,
    on_cone,
    work,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, wholes

ROUNDING = 1e-13  # of the energies in the impact: a gain that is none
HALVINGS = 40


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_newton(wholes(data, at.SIZE))


@kernel
def solve_newton(table):
    """With the restitutions given, and with lower ones where the guard asks for it."""
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    code, factor = restore(table, 1.0), 1.0
    if number(table, at.GUARD) == 1.0 and (code == at.UNSOLVED or (code == at.SOLVED and gains(table))):
        factor = largest_factor(table) if code == at.SOLVED else 0.0
        code = restore(table, factor)
    note_factor(table, factor)
    return finish(table, cone_residual(table)) if code == at.SOLVED else code


@kernel
def largest_factor(table):
    """The largest part of the restitutions with which no energy is gained, by bisection; 0 where one has no solution.

    Towards the edge of what has a solution impulses grow without bound: it is not looked for.
    """
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        factor = 0.5 * (low + high)
        if restore(table, factor) != at.SOLVED:
            return 0.0
        if gains(table):
            high = factor
        else:
            low = factor
    return low


@kernel
def restore(table, factor):
    """Solve with this part of the restitutions."""
    n = table[at.N_C]
    rate, before, e = reals(table[at.CONE_RATE], 3 * n), reals(table[at.BEFORE], 3 * n), reals(table[at.RESTITUTION], n)
    along = 1.0 + factor * number(table, at.TANGENTIAL)
    for i in range(table[at.COUNT]):
        rate[3 * i] = (1.0 + factor * e[i]) * before[3 * i]
        rate[3 * i + 1], rate[3 * i + 2] = along * before[3 * i + 1], along * before[3 * i + 2]
    return on_cone(table, reals(table[at.COMPRESSION], 3 * n))


@kernel
def gains(table):
    """True when the impulses found add energy by more than rounding."""
    impulse = reals(table[at.COMPRESSION], 3 * table[at.N_C])
    return work(table, impulse) > ROUNDING * largest_work(table, impulse)
