"""Poisson's law: compression, then expansion that gives back at least e times the normal impulse of compression.

compression   the impact without restitution: impulses P_c, velocities v_c
expansion     0 <= P_N - e P_cN _|_ gamma_N+ >= 0 with Coulomb's friction, from v_c on
"""

from sympact.contact.laws.expansion_kernel import solve_expansion
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    compress,
    cone_residual,
    finish,
    note_factor,
    rubs,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_poisson(wholes(data, at.SIZE))


@kernel
def solve_poisson(table):
    """Compression and the whole expansion."""
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    code = compress(table)
    if code != at.SOLVED:
        return code
    residual = cone_residual(table)
    code, miss = expand(table, 1.0)
    note_factor(table, 1.0)
    return finish(table, max(residual, miss)) if code == at.SOLVED else code


@kernel
def expand(table, part):
    """Expansion with this part of the restitutions: the impulses of both phases into CONE_IMPULSE; (code, residual)."""
    n, count, needed = table[at.N_C], table[at.COUNT], False
    least, e = reals(table[at.LEAST], n), reals(table[at.RESTITUTION], n)
    first, both = reals(table[at.COMPRESSION], 3 * n), reals(table[at.CONE_IMPULSE], 3 * n)
    for i in range(count):
        least[i] = part * e[i] * max(first[3 * i], 0.0)
        needed = needed or least[i] > 0.0
    if not needed:
        code, residual = nothing(table), cone_residual(table)
    elif rubs(table):
        code, residual = solve_expansion(table)
    else:
        code, residual = shifted(table), cone_residual(table)
    for k in range(3 * count):
        both[k] += first[k]
    return code, residual


@kernel
def nothing(table):
    """No expansion where nothing is given back: a problem posed by the residual of compression is one of rounding."""
    impulse = reals(table[at.CONE_IMPULSE], 3 * table[at.COUNT])
    for k in range(3 * table[at.COUNT]):
        impulse[k] = 0.0
    return at.SOLVED


@kernel
def shifted(table):
    """Expansion without friction: what is given back only moves the velocities of a cone problem."""
    n, count = table[at.N_C], table[at.COUNT]
    rate, reached = reals(table[at.CONE_RATE], 3 * n), reals(table[at.REACHED], 3 * n)
    least, g = reals(table[at.LEAST], n), reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for i in range(3 * count):
        rate[i] = reached[i]
        for k in range(count):
            rate[i] += g[i, 3 * k] * least[k]
    code = call_unit(table[at.CONE], table[at.SELF])
    impulse = reals(table[at.CONE_IMPULSE], 3 * n)
    for i in range(count):
        impulse[3 * i] += least[i]
    return code
