"""Painleve's paradox: contacts that slip, and the forces with which friction has no or several motions to offer.

With the contacts that bear held, their forces lambda and accelerations obey E lambda + b = 0. A row of E is a direction
that is held, a column one in which a force acts: for a contact that slips W_N - mu W_T d. Without friction E would be
the symmetric matrix G of the held directions. The number

    s = det E / det G,   for one contact   W_N^T M^-1 (W_N - mu W_T d) / (W_N^T M^-1 W_N),

is what friction leaves of the inverse mass: 1 without it. Where s goes to zero the forces grow without bound; where
s < 0 pushing presses, and such a motion, though it obeys the law, is never alone: either it has a twin, that lifts off
or jams, or it is the limit of no stiff contact.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot, row_norm
from sympact.contact.linalg.rank_kernel import pick
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import jacobian, read_gaps, time_scale
from sympact.contact.problem.closed_friction_kernel import held_rank
from sympact.contact.problem.closed_kernel import change_of_speeds
from sympact.contact.problem.determinant_ratio_kernel import AT_ZERO, NEARLY, nearly_none, share
from sympact.contact.problem.free_slip_kernel import along_free_slip
from sympact.contact.problem.slip_kernel import VELOCITY, along_tangents, held_acceleration
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

NOTHING = 1e-9  # of the speeds: the approach that stands for none where friction makes an impact
DROPPED = -1  # of a candidate that no force holds
LEAVES = 2.0  # times that speed, with which a contact that was left with it, as none, does not leave yet
FEW = 12  # participants of which all sets are looked at
PRESSED = 4.0  # times what counts as nothing left: by so much friction is raised there in an impact, so that s < 0
OPENS = 1e-9  # of the accelerations without force: one with which a contact parts


@kernel
def own_share(table, i):
    """s of participant i by itself, in the problem of forces posed last."""
    n = table[at.N_C]
    g = reals2(table[at.DELASSUS], 3 * n, 3 * n)
    a, b = friction_by_force(table, i)
    pull = a * g[3 * i, 3 * i + 1] + b * g[3 * i, 3 * i + 2]
    return 1.0 + pull / g[3 * i, 3 * i] if g[3 * i, 3 * i] > 0.0 else 1.0


@kernel
def is_slipping(table, i):
    """True when participant i slips, or begins to by the forces just found."""
    n = table[at.N_C]
    if wholes(table[at.SLIDING], n)[i] == 1:
        return True
    mu, slip = reals(table[at.COEFFICIENT], n), reals2(table[at.SLIP_PLUS], n, 2)
    pushes = reals(table[at.IMPULSE], n)[i] > 0.0
    return mu[i] > 0.0 and pushes and math.hypot(slip[i, 0], slip[i, 1]) > held_acceleration(table)


@kernel
def jammed(table):
    """True when a contact that slips is pressed the harder the more it pushes, alone or by way of others: s <= 0.

    Where s > 0 for every set of the contacts asked, forces exist whatever the loads (E is a P-matrix: Cottle, Pang,
    Stone 1992, theorem 3.3.7): a solver has failed then, and no paradox, unless next to nothing of s is left.
    """
    n, least, worst, none = table[at.N_C], math.inf, -1, nearly_none(table)
    for i in range(table[at.COUNT] if table[at.RUB] != 0 else 0):
        if wholes(table[at.SLIDING], n)[i] == 1 and own_share(table, i) < least:
            least, worst = own_share(table, i), i
    if worst >= 0 and least > none:
        least = least_share(table)
    if least > none:
        return False
    note(table, worst, at.NO_FORCE if least < -AT_ZERO else at.NO_BOUND, least)
    return True


@kernel
def least_share(table):
    """The least s of the sets of participants; of many participants, of all of them."""
    count, least = table[at.COUNT], 1.0
    every = (1 << count) - 1 if count <= FEW else -1
    for members in range(1 if count <= FEW else every, every + 1):
        hold_members(table, members)
        least = min(least, held_share(table, -1))
    return least


@kernel
def hold_members(table, members):
    """Pose the participants whose bit is set as those that bear; what does not slip sticks."""
    n = table[at.N_C]
    force, slip = reals(table[at.IMPULSE], n), reals2(table[at.SLIP_PLUS], n, 2)
    friction = reals2(table[at.FRICTION_IMPULSE], n, 2)
    for i in range(table[at.COUNT]):
        force[i] = 1.0 if members < 0 or (members >> i) & 1 == 1 else 0.0
        for c in range(2):
            slip[i, c] = friction[i, c] = 0.0


@kernel
def note(table, i, kind, left):
    """Take down what was found of participant i."""
    table[at.JAM_WHO], table[at.JAM_KIND] = wholes(table[at.WHO], table[at.N_C])[i], kind
    reals(table[at.SCALAR], at.N_SCALARS)[at.JAM_SHARE] = left


@kernel
def undecided(table):
    """True when the forces just found are not the only ones, or nearly without bound, because a contact slips.

    They are asked for by the sign of s, and for each contact that slips and parts whether it could be held as well.
    """
    if table[at.RUB] == 0:
        return False
    n, slips, worst = table[at.N_C], False, -1
    force = reals(table[at.IMPULSE], n)
    aim(table)
    for i in range(table[at.COUNT]):
        if not is_slipping(table, i):
            continue
        slips = True
        if force[i] > 0.0 and (worst < 0 or own_share(table, i) < own_share(table, worst)):
            worst = i
    left = held_share(table, -1) if slips else 1.0
    if worst >= 0 and left < 2.0 * nearly_none(table):
        note(table, worst, at.SEVERAL if left < -NEARLY else at.NO_BOUND, left)
        return True
    return slips and held_as_well(table)


@kernel
def aim(table):
    """The direction in which each participant that begins to slip goes, by the forces just found, into DIRECTION."""
    m, n, size = table[at.N_U], table[at.N_C], list_lines(table, -1)
    rank, handles = held_rank(table, size), reals2(table[at.HANDLES], 3 * n, m)
    lines, friction = wholes(table[at.BEARERS], 3 * n), reals2(table[at.FRICTION_IMPULSE], n, 2)
    who, sliding = wholes(table[at.WHO], n), wholes(table[at.SLIDING], n)
    direction = reals2(table[at.DIRECTION], n, 2)
    for k in range(size):
        rank.group[k] = lines[k] // 3
        for c in range(m):
            rank.rows[k, c] = handles[lines[k], c]
    pick(rank)
    for i in range(table[at.COUNT]):
        if sliding[i] == 0 and is_slipping(table, i):
            a, b = along_free_slip(table, rank, who[i], -friction[i, 0], -friction[i, 1])
            unit = 1.0 / math.hypot(a, b) if a != 0.0 or b != 0.0 else 0.0
            direction[i, 0], direction[i, 1] = a * unit, b * unit


@kernel
def lifts_off(table):
    """True when the contact found jammed last was open before and may lift off: it does, as no candidate any more."""
    n, j = table[at.N_C], table[at.JAM_WHO]
    lifts = table[at.JAM_KIND] == at.SEVERAL and wholes(table[at.STATUS], n)[j] == at.OPEN
    if lifts:
        wholes(table[at.CANDIDATE], n)[j] = DROPPED
    return lifts


@kernel
def held_as_well(table):
    """True when a contact that slips and parts could be held by forces as well."""
    n, largest = table[at.N_C], 0.0
    sliding, force = wholes(table[at.SLIDING], n), reals(table[at.IMPULSE], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(table[at.COUNT]):
        largest = max(largest, abs(before[i]))
    for i in range(table[at.COUNT]):
        was_open = wholes(table[at.STATUS], n)[wholes(table[at.WHO], n)[i]] == at.OPEN
        if sliding[i] == 1 and not was_open and not force[i] > 0.0 and after[i] > OPENS * largest:
            left = held_share(table, i)
            if left < -NEARLY and all_push(table, i):
                note(table, i, at.SEVERAL, left)
                return True
    return False


@kernel
def place_matrices(table, size):
    """G and E (size x size), and the forces that hold (size), in scratch."""
    start = table[at.CONE_SCRATCH]
    return reals2(start, size, size), reals2(start + 8 * size * size, size, size)


@kernel
def list_lines(table, extra):
    """The directions, by participant, that the contacts with a force and `extra` hold, as 3 i + c; their number."""
    n, size = table[at.N_C], 0
    lines, sliding = wholes(table[at.BEARERS], 3 * n), wholes(table[at.SLIDING], n)
    force, slip = reals(table[at.IMPULSE], n), reals2(table[at.SLIP_PLUS], n, 2)
    mu, g, still = reals(table[at.COEFFICIENT], n), reals2(table[at.DELASSUS], 3 * n, 3 * n), held_acceleration(table)
    for i in range(table[at.COUNT]):
        if i != extra and not force[i] > 0.0:
            continue
        sticks = sliding[i] == 0 and mu[i] > 0.0 and math.hypot(slip[i, 0], slip[i, 1]) <= still
        for c in range(3 if sticks else 1):
            if g[3 * i + c, 3 * i + c] > 0.0:
                lines[size] = 3 * i + c
                size += 1
    return size


@kernel
def friction_by_force(table, i):
    """The tangential force of participant i by a unit of its normal force, where it does not stick."""
    n = table[at.N_C]
    mu, direction = reals(table[at.COEFFICIENT], n), reals2(table[at.DIRECTION], n, 2)
    if is_slipping(table, i):
        return -mu[i] * direction[i, 0], -mu[i] * direction[i, 1]
    force, friction = reals(table[at.IMPULSE], n)[i], reals2(table[at.FRICTION_IMPULSE], n, 2)
    return (friction[i, 0] / force, friction[i, 1] / force) if force > 0.0 else (0.0, 0.0)


@kernel
def held_share(table, extra):
    """s of the contacts with a force, and of participant `extra` (-1: no other); the forces that hold them follow E."""
    n, size = table[at.N_C], list_lines(table, extra)
    if size == 0:
        return 1.0
    lines, g = wholes(table[at.BEARERS], 3 * n), reals2(table[at.DELASSUS], 3 * n, 3 * n)
    gram, mixed = place_matrices(table, size)
    for k in range(size):
        i, alone = lines[k] // 3, k + 1 == size or lines[k + 1] // 3 != lines[k] // 3
        first = lines[k] % 3 == 0 and alone
        a, b = friction_by_force(table, i) if first else (0.0, 0.0)
        for row in range(size):
            unit = math.sqrt(g[lines[row], lines[row]] * g[lines[k], lines[k]])
            gram[row, k] = g[lines[row], lines[k]] / unit
            mixed[row, k] = gram[row, k] + (a * g[lines[row], 3 * i + 1] + b * g[lines[row], 3 * i + 2]) / unit
    force = reals(table[at.CONE_SCRATCH] + 16 * size * size, size)
    for row in range(size):
        i, c = lines[row] // 3, lines[row] % 3
        rate = reals(table[at.RATE_MINUS], n)[i] if c == 0 else reals2(table[at.SLIP_MINUS], n, 2)[i, c - 1]
        force[row] = -rate / math.sqrt(g[lines[row], lines[row]])
    return share(gram, mixed, force, wholes(table[at.CONE_PLACES], 3 * n), size)


@kernel
def all_push(table, extra):
    """True when the forces that `held_share` found last, with the same `extra`, all push."""
    lines, push = wholes(table[at.BEARERS], 3 * table[at.N_C]), True
    size = list_lines(table, extra)
    force = reals(table[at.CONE_SCRATCH] + 16 * size * size, size)
    for k in range(size):
        push = push and (lines[k] % 3 != 0 or force[k] >= 0.0)
    return push


@kernel
def nothing(table):
    """The speed of approach that stands for none, of the contacts asked last."""
    who, scalar = wholes(table[at.WHO], table[at.N_C]), reals(table[at.SCALAR], at.N_SCALARS)
    speed = scalar[at.LENGTH] / time_scale(table)
    for i in range(table[at.COUNT]):
        a, b = along_tangents(table, who[i], VELOCITY)
        speed = max(speed, math.sqrt(a * a + b * b))
    return NOTHING * speed


@kernel
def drop_leaving(table, t, x):
    """Candidates that leave, in however low a hop, are not held by what jams: none any more; True if there were any.

    Where they come back they are struck.
    """
    nb, dropped, least = table[at.N_B], False, LEAVES * nothing(table)
    read_gaps(table, t, x)
    rates, candidate = reals(table[at.ALONG] + 8 * nb, nb), wholes(table[at.CANDIDATE], table[at.N_C])
    for j in range(table[at.N_C]):
        if candidate[j] == 1 and rates[j] > least:
            candidate[j] = DROPPED
            dropped = True
    return dropped


@kernel
def list_touching(table, fired):
    """All that touch into WHO: candidates, those that no force holds among them, and what an impact has just sent off.

    At the same instant a contact touches still, however fast it leaves: the impact may turn it back.
    """
    n, count = table[at.N_C], 0
    who, candidate = wholes(table[at.WHO], n), wholes(table[at.CANDIDATE], n)
    status = wholes(table[at.STATUS], n)
    for j in range(n):
        if candidate[j] != 0 or status[j] != at.OPEN or fired[j] == 1:
            who[count] = j
            count += 1
    table[at.COUNT] = count


@kernel
def pull_at_normals(table):
    """The change of the speeds by which the contacts asked last approach, all but not at all, into POSED_CHANGE.

    It is a motion, as if something had pulled at all their normals: an approach that no motion has would take impulses
    without bound where a contact's directions depend on each other. What was posed for the forces must be there.
    """
    m, n, longest, motion = table[at.N_U], table[at.N_C], 0.0, reals(table[at.MOTION], table[at.N_U])
    handles, posed, speed = reals2(table[at.HANDLES], 3 * n, m), reals(table[at.POSED_CHANGE], m), nothing(table)
    for k in range(m):
        motion[k] = 0.0
    for i in range(table[at.COUNT]):
        longest = max(longest, row_norm(handles, 3 * i, m))
    for i in range(table[at.COUNT]):
        length = row_norm(handles, 3 * i, m)
        for k in range(m if length > 0.0 else 0):
            motion[k] -= speed * handles[3 * i, k] / (length * longest)
    change = change_of_speeds(table)
    for k in range(m):
        posed[k] = change[k]


@kernel
def add_posed(table, times):
    """Add the velocities of the change in POSED_CHANGE to those of the participants before and after an impact."""
    m, n = table[at.N_U], table[at.N_C]
    posed, wt, lines = reals(table[at.POSED_CHANGE], m), jacobian(table), reals2(table[at.LINES], 3 * n, m)
    who, rate, after = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    slip, slip_after = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    for i in range(table[at.COUNT]):
        s = times * dot(wt, who[i], posed, m)
        rate[i], after[i] = rate[i] + s, after[i] + s
        for c in range(2):
            s = times * dot(lines, 3 * who[i] + 1 + c, posed, m)
            slip[i, c], slip_after[i, c] = slip[i, c] + s, slip_after[i, c] + s


@kernel
def approach_by_nothing(table):
    """Pose an impact of touching contacts that friction makes: those asked for forces last approach as posed."""
    n = table[at.N_C]
    e, uncertain = reals(table[at.RESTITUTION], n), reals(table[at.UNCERTAIN], n)
    who, candidate = wholes(table[at.WHO], n), wholes(table[at.CANDIDATE], n)
    for i in range(table[at.COUNT]):
        e[i] = 0.0
        if candidate[who[i]] == 1:
            uncertain[i] = 0.0
    add_posed(table, 1.0)


@kernel
def forget_approach(table):
    """Nothing rebounds from an approach that was none, and no hops have died away: settling takes what it has left."""
    add_posed(table, 1.0)
    rate = reals(table[at.RATE_MINUS], table[at.N_C])
    for i in range(table[at.COUNT]):
        rate[i] = 0.0


@kernel
def press(table):
    """Raise the friction of an impact at the place where s is zero by as much as makes it negative.

    What sticks after the impact does not depend on it.
    """
    mu = reals(table[at.COEFFICIENT], table[at.N_C])
    if reals(table[at.SCALAR], at.N_SCALARS)[at.JAM_SHARE] > -AT_ZERO:
        for i in range(table[at.COUNT]):
            mu[i] *= 1.0 + PRESSED * nearly_none(table)
