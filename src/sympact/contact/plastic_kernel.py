"""The plastic law: contacts that push stop altogether, contacts that would have to pull let go.

    pushes:  gamma_N+ = 0, gamma_T+ = 0, P_N >= 0        lets go:  P = 0, gamma_N+ >= 0

The slip of a contact with a coefficient of friction of zero is left alone. Whatever pushes is a projection in the
metric of M, which takes |G P|^2 / 2 of energy.
"""

from sympact.contact import layout as at
from sympact.contact.least_squares_kernel import least_norm
from sympact.contact.phase_kernel import begin, clear_sliding, finish, note_factor, velocities
from sympact.integrate.pointer import reals, reals2, wholes
from sympact.integrate.unit import kernel

ROUNDING = 1e-11  # of the speeds, each made comparable by G
SHARES = 200      # times that redundant contacts share their pulls anew
SURPLUS = 1e-4    # of the largest impulse, that a contact that pulled is given
FEW = 12          # contacts of which all combinations are tried, if need be


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    return solve_plastic(wholes(data, at.SIZE))


@kernel
def solve_plastic(table):
    """Contacts let go one by one until the others push; failing that, all combinations."""
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
            return finish(table, miss)
        pushes[worst] = 1 - pushes[worst]
    for combination in range(1 << count if count <= FEW else 0):
        for i in range(count):
            pushes[i] = 0 if (combination >> i) & 1 else 1
        hold(table, pushes)
        worst, miss = judge(table, pushes)
        if worst < 0:
            return finish(table, miss)
    return at.UNSOLVED


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
    worst, largest, limit = -1, 0.0, max(ROUNDING * scale, floor)
    for i in range(count):
        if lengths[i] == 0.0:
            continue
        if pushes[i] == 1:
            miss = max(-impulse[3 * i] * lengths[i], abs(after[3 * i]) / lengths[i])
            for c in range(3 * i + 1, 3 * i + 3):
                if mu[i] > 0.0 and g[c, c] > 0.0:
                    miss = max(miss, abs(after[c]) / lengths[i])
        else:
            miss = -after[3 * i] / lengths[i]
        if miss > largest:
            largest = miss
            worst = i if miss > limit else -1
    return worst, largest / scale if scale > 0.0 else largest
