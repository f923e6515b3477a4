"""The plastic law: contacts that push stop altogether, contacts that would have to pull let go.

    pushes:  gamma_N+ = 0, gamma_T+ = 0, P_N >= 0        lets go:  P = 0, gamma_N+ >= 0

The slip of a contact with a coefficient of friction of zero is left alone. Whatever pushes is a projection in the
metric of M, which takes |G P|^2 / 2 of energy.

This is Coulomb's law without restitution as the friction grows without bound. In that limit there is a third way, for
contacts that approach but whose slip only a pull would stop: friction brakes it until they approach no more,

    P_N = 0, gamma_N+ = 0, P_T against gamma_T+

as Routh's compression with unbounded friction ends. Where the two first ways find nothing, Coulomb's law with GRIP
for a coefficient finds this one.
"""

from sympact.contact.linalg.cholesky_kernel import EPS
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.coulomb_kernel import BLUNT, report_impulses
from sympact.contact.problem.impact_phase_kernel import (
    begin,
    clear_sliding,
    compress,
    cone_residual,
    finish,
    note_factor,
    velocities,
)
from sympact.contact.problem.refine_kernel import sharpen
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

ROUNDING = 1e-11  # of the speeds, each made comparable by G
SHARES = 200  # times that redundant contacts share their pulls anew
SURPLUS = 1e-4  # of the largest impulse, that a contact that pulled is given
FEW = 12  # contacts of which all combinations are tried, if need be
GRIP = 1e3  # coefficient of friction that stands for a boundless one
ROUNDED = 4.0  # roundings of G P, which no impulses can avoid, as in `cone_kernel`
LARGEST = 1e-6  # such a rounding, relative to the speeds, at which impulses tell nothing any more


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_plastic(wholes(data, at.SIZE))


@kernel
def solve_plastic(table):
    """Contacts let go one by one until the others push; failing that, all combinations; failing that, friction."""
    code = begin(table)
    if code != at.SOLVED:
        return code
    clear_sliding(table)
    note_factor(table, 1.0)
    n, count = table[at.N_C], table[at.COUNT]
    pushes = wholes(table[at.STANDING], n)
    for i in range(count):
        pushes[i] = 1
    for _ in range(4 * count + 4):
        hold(table, pushes)
        worst, miss = judge(table, pushes)
        if worst < 0:
            return stop(table, miss)
        pushes[worst] = 1 - pushes[worst]
    for combination in range(1 << count if count <= FEW else 0):
        for i in range(count):
            pushes[i] = 0 if (combination >> i) & 1 else 1
        hold(table, pushes)
        worst, miss = judge(table, pushes)
        if worst < 0:
            return stop(table, miss)
    return grip(table)


@kernel
def stop(table, miss):
    """From the impulses of contacts that stop altogether to the motion after."""
    n, count = table[at.N_C], table[at.COUNT]
    code = finish(table, miss)
    if code == at.SOLVED and miss > BLUNT:
        sharpen(table, count, reals(table[at.BEFORE], 3 * n), True)
        report_impulses(table, count)
    return code


@kernel
def grip(table):
    """Coulomb's law without restitution, with the coefficient GRIP where there is any friction.

    A wall may drive what such friction jams, though it slips with the friction there is: that is asked last.
    """
    n, count = table[at.N_C], table[at.COUNT]
    mu, own = reals(table[at.COEFFICIENT], n), reals(table[at.LAW_SCRATCH], n)
    for i in range(count):
        own[i] = mu[i]
        mu[i] = GRIP if mu[i] > 0.0 else 0.0
    code = compress(table)
    for i in range(count):
        mu[i] = own[i]
    if code == at.UNSOLVED:
        code = compress(table)
    return finish(table, cone_residual(table)) if code == at.SOLVED else code


@kernel
def list_held(table, pushes, unknown):
    """The components that these contacts hold; returns how many. Impulses and velocities are those before."""
    n, count, size = table[at.N_C], table[at.COUNT], 0
    impulse, before = reals(table[at.CONE_IMPULSE], 3 * n), reals(table[at.BEFORE], 3 * n)
    after, mu = reals(table[at.REACHED], 3 * n), reals(table[at.COEFFICIENT], n)
    g = reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for c in range(3 * count):
        impulse[c], after[c] = 0.0, before[c]
        if pushes[c // 3] == 1 and g[c, c] > 0.0 and (c % 3 == 0 or mu[c // 3] > 0.0):
            unknown[size] = c
            size += 1
    return size


@kernel
def hold(table, pushes):
    """The impulses that stop these contacts into CONE_IMPULSE, the velocities with them into REACHED.

    Those of least norm are taken; where contacts are redundant and some pull in these, they are projected in turn onto
    impulses that push and onto those that stop the contacts, which finds some that do both, if there are any.
    """
    n = table[at.N_C]
    k, unknown, order = 3 * n, wholes(table[at.LAW_PLACES], 3 * n), wholes(table[at.LAW_PLACES] + 24 * n, 3 * n)
    scratch = table[at.LAW_SCRATCH] + 8 * k * k
    right, weight, found = reals(scratch, k), reals(scratch + 8 * k, k), reals(scratch + 16 * k, k)
    impulse, after = reals(table[at.CONE_IMPULSE], k), reals(table[at.REACHED], k)
    g, size = reals2(table[at.DELASSUS], k, k), list_held(table, pushes, unknown)
    for _ in range(SHARES if size > 0 else 0):
        rows = reals2(table[at.LAW_SCRATCH], size, size)
        for r in range(size):
            right[r], weight[r] = -after[unknown[r]], 1.0
            for c in range(size):
                rows[r, c] = g[unknown[r], unknown[c]]
        rank = least_norm(rows, size, size, right, weight, found, reals(scratch + 24 * k, 4 * k), order)
        for r in range(size):
            impulse[unknown[r]] += found[r]
        velocities(table, impulse, after)
        if rank == size or not share(table, unknown, size):
            break


@kernel
def share(table, unknown, size):
    """Take away pulls of redundant contacts, so that the others take them over; False when none pulls."""
    n, pulls, largest = table[at.N_C], False, 0.0
    impulse, after = reals(table[at.CONE_IMPULSE], 3 * n), reals(table[at.REACHED], 3 * n)
    for k in range(3 * table[at.COUNT]):
        largest = max(largest, abs(impulse[k]))
    for r in range(size):
        k = unknown[r]
        if k % 3 == 0 and impulse[k] < -1e-13 * largest:
            impulse[k], pulls = SURPLUS * largest, True
    if pulls:
        velocities(table, impulse, after)
    return pulls


@kernel
def judge(table, pushes):
    """The contact that misses the law most, -1 if none does; and the largest miss of those that are rounding."""
    n, count = table[at.N_C], table[at.COUNT]
    impulse, after = reals(table[at.CONE_IMPULSE], 3 * n), reals(table[at.REACHED], 3 * n)
    before, lengths = reals(table[at.BEFORE], 3 * n), reals(table[at.LENGTHS], n)
    mu, uncertain = reals(table[at.COEFFICIENT], n), reals(table[at.UNCERTAIN], n)
    g, scale, floor = reals2(table[at.DELASSUS], 3 * n, 3 * n), 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            for c in range(3 * i, 3 * i + 3):
                scale = max(scale, abs(before[c]) / lengths[i])
            floor = max(floor, uncertain[i] / lengths[i])
    worst, largest, excess = -1, 0.0, 0.0
    for i in range(count):
        if lengths[i] == 0.0:
            continue
        noise = rounding(table, i)
        limit = max(ROUNDING * scale, floor, noise) if noise <= LARGEST * scale else 0.0
        if pushes[i] == 1:
            miss = max(-impulse[3 * i] * lengths[i], abs(after[3 * i]) / lengths[i])
            for c in range(3 * i + 1, 3 * i + 3):
                if mu[i] > 0.0 and g[c, c] > 0.0:
                    miss = max(miss, abs(after[c]) / lengths[i])
        else:
            miss = -after[3 * i] / lengths[i]
        largest = max(largest, miss)
        if miss - limit > excess:
            worst, excess = i, miss - limit
    return worst, largest / scale if scale > 0.0 else largest


@kernel
def rounding(table, i):
    """The rounding error of the velocities of contact i, by the impulses in CONE_IMPULSE."""
    n, largest = table[at.N_C], 0.0
    impulse, g = reals(table[at.CONE_IMPULSE], 3 * n), reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for r in range(3 * i, 3 * i + 3):
        s = 0.0
        for k in range(3 * table[at.COUNT]):
            s += abs(g[r, k] * impulse[k])
        largest = max(largest, s)
    return ROUNDED * EPS * largest / reals(table[at.LENGTHS], n)[i]
