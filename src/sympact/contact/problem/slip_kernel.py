"""Slip: what friction reads of the model, the tangents at each contact, which contacts slip and where to.

Vectors of a contact are components in N; what is tangential is told by two unit vectors normal to n, which are chosen
anew at each state. Nothing depends on the choice: Coulomb's law knows no directions.
"""

import math

from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import jacobian, read_gaps, read_terms
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, reals, reals2, wholes

NORMAL, VELOCITY, ACCELERATION, JACOBIAN = 0, 3, 6, 9  # where they stand in a row of SLIPS, the coefficients last
SLOW = 1e-7  # of the length in the time scale: slip that may end in sticking
TURNED = 0.866  # cosine of the angle by which such a contact may turn from the direction it began with
BEGUN = 100.0  # times slow slip: a contact that has begun to slip has its own direction from here
HELD = 1e-9  # tangential acceleration, relative to that without forces, up to which a contact sticks


@kernel
def slips(table):
    """What was read last, a row for each contact."""
    return reals2(table[at.SLIPS], table[at.N_C], 11 + 3 * table[at.N_U])


@kernel
def read_slips(table, t, x):
    """Slips, tangents and the lines of W^T at a state; RATES must hold the rates of its free motion."""
    m, n = table[at.N_U], table[at.N_C]
    rows = slips(table)
    size = n * (11 + 3 * m)
    rates = reals(table[at.RATES], x.size)
    call_boundary(table[at.RUB], t, x, rates, table[at.PARAMETERS], reals(table[at.SLIPS], size))
    lines, wt, tangents = reals2(table[at.LINES], 3 * n, m), jacobian(table), reals2(table[at.TANGENTS], n, 6)
    for j in range(n):
        choose_tangents(rows, j, tangents)
        for k in range(m):
            lines[3 * j, k] = wt[j, k]
            for c in range(2):
                s = 0.0
                for i in range(3):
                    s += tangents[j, 3 * c + i] * rows[j, JACOBIAN + m * i + k]
                lines[3 * j + 1 + c, k] = s


@kernel
def choose_tangents(rows, j, tangents):
    """Two unit vectors normal to the normal of contact j and to each other; zeros where there is no friction."""
    least = 0
    for i in range(1, 3):
        if abs(rows[j, i]) < abs(rows[j, least]):
            least = i
    length = 0.0
    for i in range(3):
        tangents[j, i] = (1.0 if i == least else 0.0) - rows[j, least] * rows[j, i]
        length += tangents[j, i] * tangents[j, i]
    none = rows[j, 0] == 0.0 and rows[j, 1] == 0.0 and rows[j, 2] == 0.0
    for i in range(3):
        tangents[j, i] = 0.0 if none else tangents[j, i] / math.sqrt(length)
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        tangents[j, 3 + i] = rows[j, a] * tangents[j, b] - rows[j, b] * tangents[j, a]


@kernel
def along_tangents(table, j, first):
    """The tangential components of the vector that stands at `first` in the row of contact j."""
    rows, tangents = slips(table), reals2(table[at.TANGENTS], table[at.N_C], 6)
    a = b = 0.0
    for i in range(3):
        a += tangents[j, i] * rows[j, first + i]
        b += tangents[j, 3 + i] * rows[j, first + i]
    return a, b


@kernel
def coefficients(table, j):
    """mu and mu_static of contact j."""
    rows, last = slips(table), 10 + 3 * table[at.N_U]
    return rows[j, last - 1], rows[j, last]


@kernel
def slow_slip(table):
    """The slip that may end in sticking (m/s); the same all through a run."""
    return SLOW * reals(table[at.SCALAR], at.N_SCALARS)[at.SPEED]


@kernel
def is_slow(table, j):
    """True when the slip of contact j, as it was read last, may end in sticking."""
    a, b = along_tangents(table, j, VELOCITY)
    return math.sqrt(a * a + b * b) <= slow_slip(table)


@kernel
def pushed_direction(table, j, a, b, sign):
    """The unit vector in N along the tangential components a, b of contact j; written into ANCHOR."""
    tangents, anchor = reals2(table[at.TANGENTS], table[at.N_C], 6), reals2(table[at.ANCHOR], table[at.N_C], 3)
    length = math.sqrt(a * a + b * b)
    for i in range(3):
        anchor[j, i] = sign * (a * tangents[j, i] + b * tangents[j, 3 + i]) / length


@kernel
def slip_direction(table, j):
    """(d1, d2, s): the direction of slip of contact j as its friction sees it, and the slip along its anchor.

    Slow slip has the direction of its anchor, which gives way to its own as it gains speed; what goes back against the
    anchor does not count. Friction then does not jump when the slip passes through zero within a step, and the step
    ends there. A contact that begins to slip has its own direction later.
    """
    tangents, anchor = reals2(table[at.TANGENTS], table[at.N_C], 6), reals2(table[at.ANCHOR], table[at.N_C], 3)
    a, b = along_tangents(table, j, VELOCITY)
    p = q = 0.0
    for i in range(3):
        p += tangents[j, i] * anchor[j, i]
        q += tangents[j, 3 + i] * anchor[j, i]
    s, least = a * p + b * q, slow_slip(table)
    if wholes(table[at.BEGINNING], table[at.N_C])[j] == 1:
        least *= BEGUN
    back = max(-s, 0.0)
    a, b = a + back * p, b + back * q
    lacks = max(least - math.sqrt(a * a + b * b), 0.0)
    a, b = a + lacks * p, b + lacks * q
    length = math.sqrt(a * a + b * b)
    return (a / length, b / length, s) if length > 0.0 else (p, q, s)


def measure_slip(t, x_address, data, out_address):
    """Pose the slip of the participants of an impact at a state; RATES must hold the rates of its free motion."""
    table = wholes(data, at.SIZE)
    n = table[at.N_C]
    read_slips(table, t, reals(x_address, table[at.N_Q] + table[at.N_U]))
    who, mu, sliding = wholes(table[at.WHO], n), reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    before, after = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    impulse = reals2(table[at.FRICTION_IMPULSE], n, 2)
    for i in range(table[at.COUNT]):
        mu[i], _ = coefficients(table, who[i])
        sliding[i] = 0
        before[i, 0], before[i, 1] = along_tangents(table, who[i], VELOCITY)
        for c in range(2):
            after[i, c], impulse[i, c] = before[i, c], 0.0


def pose_slip(t, x_address, data, out_address):
    """Pose the tangential part of the problem of forces at a state, for the contacts in WHO.

    One that slips has the direction of its friction; one that does not is asked whether it sticks.
    """
    table = wholes(data, at.SIZE)
    n = table[at.N_C]
    read_slips(table, t, reals(x_address, table[at.N_Q] + table[at.N_U]))
    who, mu, sliding = wholes(table[at.WHO], n), reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    before, direction = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.DIRECTION], n, 2)
    sticky, slow = wholes(table[at.STICKY], n), slow_slip(table)
    for i in range(table[at.COUNT]):
        j = who[i]
        kinetic, static = coefficients(table, j)
        a, b = along_tangents(table, j, VELOCITY)
        before[i, 0], before[i, 1] = along_tangents(table, j, ACCELERATION)
        speed = math.sqrt(a * a + b * b)
        sliding[i] = 1 if speed > slow and static > 0.0 else 0
        sticky[j] = 1 if sliding[i] == 0 and static > 0.0 else 0
        mu[i] = kinetic if sliding[i] == 1 else (static if sticky[j] == 1 else 0.0)
        if sliding[i] == 1:
            direction[i, 0], direction[i, 1] = a / speed, b / speed


def name_modes(data):
    """What each candidate becomes, by the solution of the problem of forces, into NEXT."""
    table = wholes(data, at.SIZE)
    n = table[at.N_C]
    who, sliding, following = wholes(table[at.WHO], n), wholes(table[at.SLIDING], n), wholes(table[at.NEXT], n)
    after, bound = reals2(table[at.SLIP_PLUS], n, 2), held_acceleration(table)
    for i in range(table[at.COUNT]):
        j = who[i]
        _, static = coefficients(table, j)
        if static == 0.0:
            following[j] = at.CLOSED
        elif sliding[i] == 0 and math.sqrt(after[i, 0] ** 2 + after[i, 1] ** 2) <= bound:
            following[j] = at.STICK
        else:
            following[j] = at.SLIP
    return 0


@kernel
def held_acceleration(table):
    """The tangential acceleration that counts as none."""
    reference = reals(table[at.SCALAR], at.N_SCALARS)[at.REFERENCE]
    return HELD * (reference if reference > 0.0 else 1.0)


def anchor_slips(t, x_address, data, out_address):
    """Note the direction in which each contact slips at the start of a step.

    One that has begun to slip keeps the direction it began with until it is fast enough to have its own, or has turned
    by 30 degrees; one whose slip comes to its end keeps the last it had before it was slow.
    """
    table = wholes(data, at.SIZE)
    n, x = table[at.N_C], reals(x_address, table[at.N_Q] + table[at.N_U])
    status, beginning = wholes(table[at.STATUS], n), wholes(table[at.BEGINNING], n)
    tangents, anchor = reals2(table[at.TANGENTS], n, 6), reals2(table[at.ANCHOR], n, 3)
    read_gaps(table, t, x)
    read_slips(table, t, x)
    slow = slow_slip(table)
    for j in range(n):
        a, b = along_tangents(table, j, VELOCITY)
        speed, along = math.sqrt(a * a + b * b), 0.0
        for i in range(3):
            along += (a * tangents[j, i] + b * tangents[j, 3 + i]) * anchor[j, i]
        own = speed > BEGUN * slow or (speed > slow and along < TURNED * speed)
        if status[j] == at.SLIP and (own or (beginning[j] == 0 and speed > slow)):
            pushed_direction(table, j, a, b, 1.0)
            beginning[j] = 0


@kernel
def begin_all(table, t, x):
    """The same but for contacts that begin to slip, which are marked; returns whether there are any."""
    n, starting = table[at.N_C], False
    status, beginning = wholes(table[at.STATUS], n), wholes(table[at.BEGINNING], n)
    read_gaps(table, t, x)
    read_terms(table, t, x)
    read_slips(table, t, x)
    for j in range(n):
        beginning[j] = 1 if status[j] == at.SLIP and is_slow(table, j) else 0
        starting = starting or beginning[j] == 1
        if status[j] == at.SLIP and beginning[j] == 0:
            a, b = along_tangents(table, j, VELOCITY)
            pushed_direction(table, j, a, b, 1.0)
    return starting


@kernel
def note_stopped(table):
    """Mark the participants that the impact just solved has stopped: they pushed, and slip no more."""
    n, slow = table[at.N_C], slow_slip(table)
    who, stopped = wholes(table[at.WHO], n), wholes(table[at.STOPPED], n)
    slip, impulse = reals2(table[at.SLIP_PLUS], n, 2), reals(table[at.IMPULSE], n)
    for i in range(table[at.COUNT]):
        stopped[who[i]] = 1 if impulse[i] > 0.0 and math.hypot(slip[i, 0], slip[i, 1]) <= slow else 0
