"""One contact after the other: impacts of single contacts at one instant, until none approaches.

Each is solved by the law of a single contact with the speeds that the one before has left. Which contact is next says
ORDER: the one that approaches fastest, the first of the list that approaches, or the last. There may be no end: after
MAX_IMPACTS of them the answer is UNENDED.
"""

import math
from typing import NamedTuple

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import jacobian
from sympact.contact.problem.impact_phase_kernel import number
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes

NONE = 4e-12  # of the velocity with which a contact has its impact: an approach that such impacts may leave


class Kept(NamedTuple):
    """What the table held of the whole impact, and the sums over the single ones."""

    who: object
    rate: object
    e: object
    mu: object
    uncertain: object
    slip: object
    change: object
    impulse: object
    friction: object
    lengths: object


@kernel
def place_kept(table):
    """The memory of what is kept."""
    m, n, start = table[at.N_U], table[at.N_C], table[at.KEPT]
    return Kept(
        wholes(table[at.KEPT_WHO], n),
        reals(start, n),
        reals(start + 8 * n, n),
        reals(start + 16 * n, n),
        reals(start + 24 * n, n),
        reals2(start + 32 * n, n, 2),
        reals(start + 48 * n, m),
        reals(start + 48 * n + 8 * m, n),
        reals2(start + 56 * n + 8 * m, n, 2),
        reals(start + 72 * n + 8 * m, n),
    )


def solve(data):
    """Solve the impact posed in a `ContactData` table, contact by contact; UNENDED where that finds no end."""
    return solve_in_turn(wholes(data, at.SIZE))


@kernel
def solve_in_turn(table):
    """Single impacts until none approaches; then the whole of them as the answer."""
    count, kept = table[at.COUNT], place_kept(table)
    keep(table, kept)
    floor, code, residual = 0.0, at.SOLVED, 0.0
    scalar, factor = reals(table[at.SCALAR], at.N_SCALARS), 1.0
    impacts = 0
    while code == at.SOLVED:
        i = next_contact(table, kept, count, floor)
        if i < 0:
            break
        if impacts >= number(table, at.MAX_IMPACTS):
            code = at.UNENDED
            break
        impacts += 1
        floor = max(floor, NONE * pose_single(table, kept, i))
        code = call_unit(table[at.INNER], table[at.SELF])
        residual, factor = max(residual, scalar[at.RESIDUAL]), min(factor, scalar[at.FACTOR])
        if code == at.SOLVED:
            add_single(table, kept, i)
    if code == at.UNSOLVED:
        return code  # the impact that has no solution stays posed, to be named
    put_back(table, kept, count)
    scalar[at.RESIDUAL], scalar[at.FACTOR] = residual, factor
    return code


@kernel
def keep(table, kept):
    """Take down the whole impact."""
    m, n = table[at.N_U], table[at.N_C]
    mass, source = reals(table[at.MASS], m * m), reals(table[at.OUT], m * m)
    lines, wt = reals2(table[at.LINES], 3 * n, m), jacobian(table)
    for k in range(m * m):
        mass[k] = source[k]
    if table[at.RUB] == 0:
        for j in range(n):
            for k in range(m):
                lines[3 * j, k] = wt[j, k]
    for k in range(m):
        kept.change[k] = 0.0
    who, slip = wholes(table[at.WHO], n), reals2(table[at.SLIP_MINUS], n, 2)
    for i in range(table[at.COUNT]):
        kept.who[i], kept.rate[i] = who[i], reals(table[at.RATE_MINUS], n)[i]
        kept.e[i], kept.mu[i] = reals(table[at.RESTITUTION], n)[i], reals(table[at.COEFFICIENT], n)[i]
        kept.uncertain[i], kept.impulse[i], kept.lengths[i] = reals(table[at.UNCERTAIN], n)[i], 0.0, 0.0
        for c in range(2):
            kept.slip[i, c], kept.friction[i, c] = slip[i, c], 0.0


@kernel
def rate_now(table, kept, i):
    """The gap rate of participant i with what has changed so far."""
    return kept.rate[i] + dot(jacobian(table), kept.who[i], kept.change, table[at.N_U])


@kernel
def next_contact(table, kept, count, floor):
    """The participant whose turn it is, -1 when none approaches.

    Of one that has had an impact an approach below `floor` is what impacts leave; another's, however slow, is its own.
    """
    order, chosen, fastest = number(table, at.ORDER), -1, 0.0
    for i in range(count):
        rate = rate_now(table, kept, i)
        left = floor if kept.lengths[i] > 0.0 else 0.0
        if rate >= -max(left, kept.uncertain[i]):
            continue
        if chosen < 0 or order == 2.0 or (order == 0.0 and rate < fastest):
            chosen, fastest = i, rate
    return chosen


@kernel
def pose_single(table, kept, i):
    """The impact of participant i alone, with M as it was; returns the velocity with which it comes."""
    m, n = table[at.N_U], table[at.N_C]
    mass, target = reals(table[at.MASS], m * m), reals(table[at.OUT], m * m)
    for k in range(m * m):
        target[k] = mass[k]
    table[at.COUNT] = 1
    wholes(table[at.WHO], n)[0] = kept.who[i]
    reals(table[at.RATE_MINUS], n)[0] = rate_now(table, kept, i)
    reals(table[at.RESTITUTION], n)[0] = kept.e[i]
    reals(table[at.COEFFICIENT], n)[0] = kept.mu[i]
    reals(table[at.UNCERTAIN], n)[0] = kept.uncertain[i]
    lines, slip = reals2(table[at.LINES], 3 * n, m), reals2(table[at.SLIP_MINUS], n, 2)
    for c in range(2):
        slip[0, c] = kept.slip[i, c] + dot(lines, 3 * kept.who[i] + 1 + c, kept.change, m)
    return math.sqrt(reals(table[at.RATE_MINUS], n)[0] ** 2 + slip[0, 0] ** 2 + slip[0, 1] ** 2)


@kernel
def add_single(table, kept, i):
    """What the impact of participant i has changed."""
    m, n = table[at.N_U], table[at.N_C]
    change, friction = reals(table[at.CHANGE], m), reals2(table[at.FRICTION_IMPULSE], n, 2)
    for k in range(m):
        kept.change[k] += change[k]
    kept.impulse[i] += reals(table[at.IMPULSE], n)[0]
    kept.lengths[i] = reals(table[at.LENGTHS], n)[0]
    for c in range(2):
        kept.friction[i, c] += friction[0, c] if kept.mu[i] > 0.0 else 0.0


@kernel
def put_back(table, kept, count):
    """The whole impact into the table, with its answer."""
    m, n = table[at.N_U], table[at.N_C]
    table[at.COUNT] = count
    change, lines = reals(table[at.CHANGE], m), reals2(table[at.LINES], 3 * n, m)
    for k in range(m):
        change[k] = kept.change[k]
    for i in range(count):
        wholes(table[at.WHO], n)[i] = kept.who[i]
        reals(table[at.RATE_MINUS], n)[i], reals(table[at.RESTITUTION], n)[i] = kept.rate[i], kept.e[i]
        reals(table[at.COEFFICIENT], n)[i], reals(table[at.UNCERTAIN], n)[i] = kept.mu[i], kept.uncertain[i]
        reals(table[at.RATE_PLUS], n)[i] = rate_now(table, kept, i)
        reals(table[at.IMPULSE], n)[i], reals(table[at.LENGTHS], n)[i] = kept.impulse[i], kept.lengths[i]
        for c in range(2):
            reals2(table[at.SLIP_MINUS], n, 2)[i, c] = kept.slip[i, c]
            moved = dot(lines, 3 * kept.who[i] + 1 + c, change, m)
            reals2(table[at.SLIP_PLUS], n, 2)[i, c] = kept.slip[i, c] + moved
            reals2(table[at.FRICTION_IMPULSE], n, 2)[i, c] = kept.friction[i, c]
