"""Painleve's paradox: slipping contacts without an admissible force, or with several.

With the contacts with a force constrained, their forces lambda and accelerations satisfy E lambda + b = 0. A row of E
is a constrained direction, a column a direction of force: for a slipping contact W_N - mu W_T d. Without friction E
would be the symmetric matrix G of the constrained directions. The number

    s = det E / det G,   for one contact   W_N^T M^-1 (W_N - mu W_T d) / (W_N^T M^-1 W_N),

is the ratio of inverse masses with and without friction: 1 without it. Where s goes to zero the forces grow without
bound; where s < 0 a normal force increases the penetration, and such a motion, though it satisfies the law, is never
the only one: either another one exists, with lift-off or locking, or it is not the limit of a stiff contact.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot, row_norm
from sympact.contact.linalg.rank_kernel import pick
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import AT_ZERO, NEARLY_MASSLESS, UNBOUNDED
from sympact.contact.modes.free_slip_kernel import along_free_slip
from sympact.contact.problem.assemble_kernel import jacobian, read_gaps, time_scale, without_restitution
from sympact.contact.problem.closed_friction_kernel import constrained_rank
from sympact.contact.problem.closed_kernel import change_of_speeds
from sympact.contact.problem.determinant_ratio_kernel import nearly_none, share
from sympact.contact.problem.slip_kernel import VELOCITY, along_tangents, solved_acceleration
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2

DROPPED = -1  # of a candidate without an admissible force
LEAVES = 2.0  # times that speed: a contact with this rebound speed, which counts as zero, does not separate yet
FEW = 12  # participants of which all subsets are examined
PRESSED = 4.0  # times the threshold of s: the increase of friction in an impact there, so that s < 0


@kernel
def own_share(contacts, i):
    """s of participant i alone, in the last assembled problem of forces."""
    problem = contacts.problem
    g = problem.delassus
    a, b = friction_by_force(contacts, i)
    pull = a * g[3 * i, 3 * i + 1] + b * g[3 * i, 3 * i + 2]
    return 1.0 + pull / g[3 * i, 3 * i] if g[3 * i, 3 * i] > 0.0 else 1.0


@kernel
def is_slipping(contacts, i):
    """True when participant i slips, or begins to by the last forces."""
    problem = contacts.problem
    if problem.slides[i] == 1:
        return True
    mu, slip = problem.coefficient, problem.slip_plus
    pushes = problem.impulse[i] > 0.0
    return mu[i] > 0.0 and pushes and math.hypot(slip[i, 0], slip[i, 1]) > solved_acceleration(contacts, i)


@kernel
def jammed(contacts):
    """True when the force on a slipping contact increases its own approach, directly or through others: s <= 0.

    Where s > 0 for every subset of the contacts, forces exist for all loads (E is a P-matrix: Cottle, Pang, Stone 1992,
    theorem 3.3.7): then a solver has failed, and it is no paradox, unless s nearly vanishes.
    """
    model, problem = contacts.model, contacts.problem
    least, worst, none = math.inf, -1, nearly_none(contacts)
    for i in range(problem.count if model.slips != 0 else 0):
        if problem.slides[i] == 1 and own_share(contacts, i) < least:
            least, worst = own_share(contacts, i), i
    if worst >= 0 and least > none:
        least = least_share(contacts)
    if least > none:
        return stops_at_once(contacts)
    note(contacts, worst, codes.NO_FORCE if least < -AT_ZERO else codes.NO_BOUND, least)
    return True


@kernel
def stops_at_once(contacts):
    """True when a participant slips against infinite friction: no finite force is the limit, only an impulse."""
    model, problem = contacts.model, contacts.problem
    for i in range(problem.count if model.slips != 0 else 0):
        if problem.slides[i] == 1 and problem.coefficient[i] == UNBOUNDED:
            note(contacts, i, codes.AT_ONCE, own_share(contacts, i))
            return True
    return False


@kernel
def least_share(contacts):
    """The least s of the subsets of participants; for many participants, of all of them."""
    problem = contacts.problem
    count, least = problem.count, 1.0
    every = (1 << count) - 1 if count <= FEW else -1
    for members in range(1 if count <= FEW else every, every + 1):
        hold_members(contacts, members)
        least = min(least, ratio_of_constrained(contacts, -1))
    return least


@kernel
def hold_members(contacts, members):
    """Assemble the participants whose bit is set as those with a force; those that do not slip stick."""
    problem = contacts.problem
    force, slip = problem.impulse, problem.slip_plus
    friction = problem.friction_impulse
    for i in range(problem.count):
        force[i] = 1.0 if members < 0 or (members >> i) & 1 == 1 else 0.0
        for c in range(2):
            slip[i, c] = friction[i, c] = 0.0


@kernel
def note(contacts, i, kind, left):
    """Store the result for participant i."""
    mode, problem = contacts.mode, contacts.problem
    mode.painleve_contact, mode.painleve_kind = problem.participants[i], kind
    mode.painleve_ratio = left


@kernel
def indeterminate(contacts):
    """True when the last forces are not unique, or nearly unbounded, because a contact slips.

    The criterion is the sign of s, and for each contact that slips and separates whether it could be constrained as
    well.
    """
    model, problem = contacts.model, contacts.problem
    if model.slips == 0:
        return False
    slips, worst = False, -1
    force = problem.impulse
    aim(contacts)
    for i in range(problem.count):
        if not is_slipping(contacts, i):
            continue
        slips = True
        if force[i] > 0.0 and (worst < 0 or own_share(contacts, i) < own_share(contacts, worst)):
            worst = i
    left = ratio_of_constrained(contacts, -1) if slips else 1.0
    if worst >= 0 and left < 2.0 * nearly_none(contacts):
        note(contacts, worst, codes.SEVERAL if left < -NEARLY_MASSLESS else codes.NO_BOUND, left)
        return True
    return slips and constrained_as_well(contacts)


@kernel
def aim(contacts):
    """The direction of each participant that begins to slip, by the last forces, into `slide_direction`."""
    problem = contacts.problem
    m, size = problem.n_u, list_lines(contacts, -1)
    rank, scaled_rows = constrained_rank(contacts, size), problem.scaled_rows
    lines, friction = problem.force_components, problem.friction_impulse
    who, sliding = problem.participants, problem.slides
    direction = problem.direction
    for k in range(size):
        rank.group[k] = lines[k] // 3
        for c in range(m):
            rank.rows[k, c] = scaled_rows[lines[k], c]
    pick(rank)
    for i in range(problem.count):
        if sliding[i] == 0 and is_slipping(contacts, i):
            a, b = along_free_slip(contacts, rank, who[i], -friction[i, 0], -friction[i, 1])
            unit = 1.0 / math.hypot(a, b) if a != 0.0 or b != 0.0 else 0.0
            direction[i, 0], direction[i, 1] = a * unit, b * unit


@kernel
def separates(contacts):
    """True when the last contact in the paradox was open before and may separate: it does, as no candidate any more."""
    mode = contacts.mode
    j = mode.painleve_contact
    lifts = mode.painleve_kind == codes.SEVERAL and mode.status[j] == codes.OPEN
    if lifts:
        mode.candidate[j] = DROPPED
    return lifts


@kernel
def constrained_as_well(contacts):
    """True when a contact that slips and separates could be constrained by forces as well."""
    mode, problem = contacts.mode, contacts.problem
    largest = 0.0
    sliding, force = problem.slides, problem.impulse
    before, after = problem.rate_minus, problem.rate_plus
    for i in range(problem.count):
        largest = max(largest, abs(before[i]))
    for i in range(problem.count):
        was_open = mode.status[problem.participants[i]] == codes.OPEN
        if sliding[i] == 1 and not was_open and not force[i] > 0.0 and after[i] > NEGLIGIBLE * largest:
            left = ratio_of_constrained(contacts, i)
            if left < -NEARLY_MASSLESS and all_push(contacts, i):
                note(contacts, i, codes.SEVERAL, left)
                return True
    return False


@kernel
def place_matrices(contacts, size):
    """G and E (size x size), and the constraint forces, in scratch."""
    problem = contacts.problem
    memory = problem.share
    return leading2(memory.gram, size, size), leading2(memory.mixed, size, size)


@kernel
def list_lines(contacts, extra):
    """The directions, by participant, that the contacts with a force and `extra` constrain, as 3 i + c; their
    number."""
    problem = contacts.problem
    size = 0
    lines, sliding = problem.force_components, problem.slides
    force, slip = problem.impulse, problem.slip_plus
    mu, g = problem.coefficient, problem.delassus
    for i in range(problem.count):
        if i != extra and not force[i] > 0.0:
            continue
        still = math.hypot(slip[i, 0], slip[i, 1]) <= solved_acceleration(contacts, i)
        sticks = sliding[i] == 0 and mu[i] > 0.0 and still
        for c in range(3 if sticks else 1):
            if g[3 * i + c, 3 * i + c] > 0.0:
                lines[size] = 3 * i + c
                size += 1
    return size


@kernel
def friction_by_force(contacts, i):
    """The tangential force of participant i per unit of its normal force, where it does not stick."""
    problem = contacts.problem
    mu, direction = problem.coefficient, problem.direction
    if is_slipping(contacts, i):
        return -mu[i] * direction[i, 0], -mu[i] * direction[i, 1]
    force, friction = problem.impulse[i], problem.friction_impulse
    return (friction[i, 0] / force, friction[i, 1] / force) if force > 0.0 else (0.0, 0.0)


@kernel
def ratio_of_constrained(contacts, extra):
    """s of the contacts with a force, and of participant `extra` (-1: no other); the forces that hold them follow E."""
    problem = contacts.problem
    size = list_lines(contacts, extra)
    if size == 0:
        return 1.0
    lines, g = problem.force_components, problem.delassus
    gram, mixed = place_matrices(contacts, size)
    for k in range(size):
        i, alone = lines[k] // 3, k + 1 == size or lines[k + 1] // 3 != lines[k] // 3
        first = lines[k] % 3 == 0 and alone
        a, b = friction_by_force(contacts, i) if first else (0.0, 0.0)
        for row in range(size):
            unit = math.sqrt(g[lines[row], lines[row]] * g[lines[k], lines[k]])
            gram[row, k] = g[lines[row], lines[k]] / unit
            mixed[row, k] = gram[row, k] + (a * g[lines[row], 3 * i + 1] + b * g[lines[row], 3 * i + 2]) / unit
    force = problem.share.force
    for row in range(size):
        i, c = lines[row] // 3, lines[row] % 3
        rate = problem.rate_minus[i] if c == 0 else problem.slip_minus[i, c - 1]
        force[row] = -rate / math.sqrt(g[lines[row], lines[row]])
    return share(gram, mixed, force, problem.share.picked, size)


@kernel
def all_push(contacts, extra):
    """True when the last forces of `ratio_of_constrained`, with the same `extra`, are all compressive."""
    problem = contacts.problem
    lines, push = problem.force_components, True
    size = list_lines(contacts, extra)
    force = problem.share.force
    for k in range(size):
        push = push and (lines[k] % 3 != 0 or force[k] >= 0.0)
    return push


@kernel
def nothing(contacts):
    """The approach speed that counts as zero, of the last contacts."""
    model, problem = contacts.model, contacts.problem
    who = problem.participants
    speed = model.length / time_scale(contacts)
    for i in range(problem.count):
        a, b = along_tangents(contacts, who[i], VELOCITY)
        speed = max(speed, math.sqrt(a * a + b * b))
    return NEGLIGIBLE * speed


@kernel
def drop_leaving(contacts, t, x):
    """Remove candidates that separate, with any rebound, from the paradox; True if there were any.

    Where they return they have an impact.
    """
    mode, problem = contacts.mode, contacts.problem
    dropped, least = False, LEAVES * nothing(contacts)
    read_gaps(contacts, t, x)
    rates, candidate = problem.gap_rate, mode.candidate
    for j in range(problem.n_contacts):
        if candidate[j] == 1 and rates[j] > least:
            candidate[j] = DROPPED
            dropped = True
    return dropped


@kernel
def list_touching(contacts, fired):
    """All touching contacts into `participants`: candidates, those without an admissible force among them, and those
    that an impact has just separated.

    A contact still touches at the instant of its impact, at any separation speed: the impact may reverse it.
    """
    mode, problem = contacts.mode, contacts.problem
    n, count = problem.n_contacts, 0
    who, candidate = problem.participants, mode.candidate
    status = mode.status
    for j in range(n):
        if candidate[j] != 0 or status[j] != codes.OPEN or fired[j] == 1:
            who[count] = j
            count += 1
    problem.count = count


@kernel
def pull_at_normals(contacts):
    """The change of the speeds by which the last contacts approach, with negligible speed, into `given_change`.

    It is a motion, as if tensile forces acted along all their normals: an approach without a motion would need infinite
    impulses where a contact's directions are dependent. The assembled problem of forces is overwritten.
    """
    problem = contacts.problem
    m, longest, motion = problem.n_u, 0.0, problem.motion
    scaled_rows, assembled, speed = problem.scaled_rows, problem.given_change, nothing(contacts)
    for k in range(m):
        motion[k] = 0.0
    for i in range(problem.count):
        longest = max(longest, row_norm(scaled_rows, 3 * i, m))
    for i in range(problem.count):
        length = row_norm(scaled_rows, 3 * i, m)
        for k in range(m if length > 0.0 else 0):
            motion[k] -= speed * scaled_rows[3 * i, k] / (length * longest)
    change = change_of_speeds(contacts)
    for k in range(m):
        assembled[k] = change[k]


@kernel
def add_assembled(contacts, times):
    """Add the velocities of the change in `given_change` to those of the participants before and after an impact."""
    problem = contacts.problem
    m = problem.n_u
    assembled, wt, lines = problem.given_change, jacobian(contacts), problem.lines
    who, rate, after = problem.participants, problem.rate_minus, problem.rate_plus
    slip, slip_after = problem.slip_minus, problem.slip_plus
    for i in range(problem.count):
        s = times * dot(wt, who[i], assembled, m)
        rate[i], after[i] = rate[i] + s, after[i] + s
        for c in range(2):
            s = times * dot(lines, 3 * who[i] + 1 + c, assembled, m)
            slip[i, c], slip_after[i, c] = slip[i, c] + s, slip_after[i, c] + s


@kernel
def approach_by_nothing(contacts):
    """Assemble an impact without collision of touching contacts: those of the last problem of forces approach as
    given."""
    mode, problem = contacts.mode, contacts.problem
    who, candidate, uncertain = problem.participants, mode.candidate, problem.uncertain
    without_restitution(contacts)
    for i in range(problem.count):
        if candidate[who[i]] == 1:
            uncertain[i] = 0.0
    add_assembled(contacts, 1.0)


@kernel
def forget_approach(contacts):
    """Nothing rebounds from a zero approach, and no rebounds accumulate: the projection removes the remainder."""
    problem = contacts.problem
    add_assembled(contacts, 1.0)
    rate = problem.rate_minus
    for i in range(problem.count):
        rate[i] = 0.0


@kernel
def press(contacts):
    """Raise the friction of an impact where s is zero by as much as makes it negative.

    Contacts that stick after the impact do not depend on it.
    """
    mode, problem = contacts.mode, contacts.problem
    mu = problem.coefficient
    if mode.painleve_ratio > -AT_ZERO:
        for i in range(problem.count):
            mu[i] *= 1.0 + PRESSED * nearly_none(contacts)
