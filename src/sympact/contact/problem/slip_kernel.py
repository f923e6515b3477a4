"""Slip: the friction data of the model, the tangents at each contact, the slipping contacts and their directions.

Vectors of a contact are components in N; the tangential part is given along two unit vectors normal to n, which are
chosen anew at each state. Nothing depends on the choice: Coulomb's law is isotropic.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import SLOW_SLIP
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.assemble_kernel import (
    choose_participants,
    jacobian,
    list_closed,
    read_gaps,
    read_own_gaps,
    read_own_terms,
)
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_chosen, leading, reals

NORMAL, VELOCITY, ACCELERATION, JACOBIAN = 0, 3, 6, 9  # their indices in a row of `slips`, the coefficients last
TURNED = 0.866  # cosine of the angle by which such a contact may turn from its reference direction
BEGUN = 700.0  # times slow slip: above it a contact that begins to slip, or stops, has its own direction
STEADY = 0.7 / BEGUN  # angle by which slip turns at most until it ends: its part across the reference is slow slip


@kernel
def slips(contacts):
    """The last slips, a row for each contact."""
    problem = contacts.problem
    return problem.slips


@kernel
def read_own_slips(contacts, t, x, count):
    """Slips, tangents and the lines of W^T of the participants at a state; `rates` must have the rates of its free
    motion."""
    call_own_slips(contacts, t, x)
    who = contacts.problem.participants
    for i in range(count):
        write_lines(contacts, who[i])


@kernel
def call_own_slips(contacts, t, x):
    """The slips of the participants, and of others where the model cannot choose."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    rates = leading(problem.rates, x.size)
    mode.slip_time = t
    if model.chosen_slips == 0:
        call_boundary(model.slips, t, x, rates, model.parameters, problem.slips)
        return
    choose_participants(contacts)
    call_chosen(model.chosen_slips, t, x, rates, model.parameters, problem.slips, problem.chosen)


@kernel
def write_lines(contacts, j):
    """The tangents of contact j and its lines of W^T, from its slip."""
    problem = contacts.problem
    m, rows = problem.n_u, slips(contacts)
    lines, wt, tangents = problem.lines, jacobian(contacts), problem.tangents
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
def along_tangents(contacts, j, first):
    """The tangential components of the vector at the index `first` in the row of contact j."""
    problem = contacts.problem
    rows, tangents = slips(contacts), problem.tangents
    a = b = 0.0
    for i in range(3):
        a += tangents[j, i] * rows[j, first + i]
        b += tangents[j, 3 + i] * rows[j, first + i]
    return a, b


@kernel
def coefficients(contacts, j):
    """mu and mu_static of contact j."""
    model = contacts.model
    rows, last = slips(contacts), 10 + 3 * model.n_u
    return rows[j, last - 1], rows[j, last]


@kernel
def slow_slip(contacts):
    """The slip that may end in sticking (m/s); constant in a run."""
    mode = contacts.mode
    return SLOW_SLIP * mode.reference_speed


@kernel
def is_slow(contacts, j):
    """True when the last slip of contact j may end in sticking."""
    a, b = along_tangents(contacts, j, VELOCITY)
    return math.sqrt(a * a + b * b) <= slow_slip(contacts)


@kernel
def pushed_direction(contacts, j, a, b, sign):
    """The unit vector in N along the tangential components a, b of contact j; written into `reference_slip`."""
    mode, problem = contacts.mode, contacts.problem
    tangents, anchor, turn, friction = problem.tangents, mode.reference_slip, mode.reference_turn, mode.friction_slip
    length = math.sqrt(a * a + b * b)
    for i in range(3):
        anchor[j, i] = sign * (a * tangents[j, i] + b * tangents[j, 3 + i]) / length
        turn[j, i], friction[j, i] = 0.0, anchor[j, i]


@kernel
def has_reference(contacts, j):
    """Whether the reference direction of contact j turns with its friction: its slip begins or ends."""
    mode = contacts.mode
    return mode.begins_to_slip[j] == 1 or mode.stops_slipping[j] == 1


@kernel
def reference_direction(contacts, j):
    """The tangential components of the reference direction of contact j at the time of the last slips."""
    mode, problem = contacts.mode, contacts.problem
    tangents, anchor, turn = problem.tangents, mode.reference_slip, mode.reference_turn
    turns, p, q = has_reference(contacts, j), 0.0, 0.0
    since = mode.slip_time - mode.reference_time if turns else 0.0
    for i in range(3):
        e = anchor[j, i] + since * turn[j, i]
        p += tangents[j, i] * e
        q += tangents[j, 3 + i] * e
    length = math.sqrt(p * p + q * q) if turns else 0.0
    return (p / length, q / length) if length > 0.0 else (p, q)


@kernel
def slip_direction(contacts, j):
    """(d1, d2, s): the direction of slip of contact j for its friction, and the slip along its reference direction.

    Slow slip has its reference direction, which changes to its own as it becomes faster; slip against the reference
    does not count. Friction is then continuous when the slip passes through zero within a step, and the step ends
    there. Where slip begins or ends this speed is `BEGUN` times higher: friction along its own direction turns it
    at a rate inversely proportional to its speed, which would limit the steps of explicit methods.
    """
    a, b = along_tangents(contacts, j, VELOCITY)
    p, q = reference_direction(contacts, j)
    s, least, speed = a * p + b * q, slow_slip(contacts), math.sqrt(a * a + b * b)
    if has_reference(contacts, j):
        least *= BEGUN
    if s >= 0.0 and speed > least:
        return a / speed, b / speed, s
    back = max(-s, 0.0)
    a, b = a + back * p, b + back * q
    lacks = max(least - math.sqrt(a * a + b * b), 0.0)
    a, b = a + lacks * p, b + lacks * q
    length = math.sqrt(a * a + b * b)
    return (a / length, b / length, s) if length > 0.0 else (p, q, s)


def measure_slip(t, x_address, data, out_address):
    """Assemble the slip of the participants of an impact at a state; `rates` must have the rates of its free motion."""
    contacts = contacts_at(data)
    problem = contacts.problem
    read_own_slips(contacts, t, reals(x_address, problem.n_q + problem.n_u), problem.count)
    who, mu, sliding = problem.participants, problem.coefficient, problem.slides
    before, after = problem.slip_minus, problem.slip_plus
    impulse = problem.friction_impulse
    for i in range(problem.count):
        mu[i], _ = coefficients(contacts, who[i])
        sliding[i] = 0
        before[i, 0], before[i, 1] = along_tangents(contacts, who[i], VELOCITY)
        for c in range(2):
            after[i, c], impulse[i, c] = before[i, c], 0.0


def assemble_slip(t, x_address, data, out_address):
    """Assemble the tangential part of the problem of forces at a state, for the participants.

    A slipping one has the direction of its friction; another one is tested for sticking.
    """
    contacts = contacts_at(data)
    mode, problem = contacts.mode, contacts.problem
    read_own_slips(contacts, t, reals(x_address, problem.n_q + problem.n_u), problem.count)
    who, mu, sliding = problem.participants, problem.coefficient, problem.slides
    before, direction = problem.slip_minus, problem.direction
    sticky, slow = mode.sticky, slow_slip(contacts)
    for i in range(problem.count):
        j = who[i]
        kinetic, static = coefficients(contacts, j)
        a, b = along_tangents(contacts, j, VELOCITY)
        before[i, 0], before[i, 1] = along_tangents(contacts, j, ACCELERATION)
        speed = math.sqrt(a * a + b * b)
        sliding[i] = 1 if speed > slow and static > 0.0 else 0
        sticky[j] = 1 if sliding[i] == 0 and static > 0.0 else 0
        mu[i] = kinetic if sliding[i] == 1 else (static if sticky[j] == 1 else 0.0)
        if sliding[i] == 1:
            direction[i, 0], direction[i, 1] = a / speed, b / speed


def name_modes(data):
    """The new status of each candidate, by the solution of the problem of forces, into `next_status`."""
    contacts = contacts_at(data)
    mode, problem = contacts.mode, contacts.problem
    who, sliding, following = problem.participants, problem.slides, mode.next_status
    after, bound = problem.slip_plus, constrained_acceleration(contacts)
    for i in range(problem.count):
        j = who[i]
        _, static = coefficients(contacts, j)
        if static == 0.0:
            following[j] = codes.CLOSED
        elif sliding[i] == 0 and math.sqrt(after[i, 0] ** 2 + after[i, 1] ** 2) <= bound:
            following[j] = codes.STICK
        else:
            following[j] = codes.SLIP
    return 0


@kernel
def constrained_acceleration(contacts):
    """The tangential acceleration that counts as zero."""
    mode = contacts.mode
    reference = mode.reference_acceleration
    return NEGLIGIBLE * (reference if reference > 0.0 else 1.0)


def set_reference_slips(t, x_address, data, out_address):
    """Store the direction in which each contact slips at the start of a step.

    One that has begun to slip has a direction that turns with its friction until it is fast enough to have its own, or
    has turned from it by 30 degrees; so has one whose slip ends. Other slow slip keeps the last direction before it was
    slow.
    """
    contacts = contacts_at(data)
    mode, problem = contacts.mode, contacts.problem
    x, h = reals(x_address, problem.n_q + problem.n_u), t - mode.reference_time
    status, slow = mode.status, slow_slip(contacts)
    count = list_closed(contacts)
    read_own_gaps(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for place in range(count):
        j = problem.participants[place]
        a, b = along_tangents(contacts, j, VELOCITY)
        speed = math.sqrt(a * a + b * b)
        if status[j] != codes.SLIP or (h == 0.0 and has_reference(contacts, j)):
            continue
        ends = is_ending(contacts, j, speed, h)
        if keeps_reference(contacts, j, speed, ends):
            turn_reference(contacts, j, h)
        elif speed > slow:
            turn_to_own(contacts, j, a, b, h)
            mode.begins_to_slip[j], mode.stops_slipping[j] = 0, 1 if ends else 0
        mode.slip_speed[j] = speed
    mode.reference_time = t


@kernel
def is_ending(contacts, j, speed, h):
    """Whether the slip of contact j is slow, and decreases nearly along the direction of its friction.

    By the last step, of size h. The slip then reaches zero, in a direction that turns little until then.
    """
    mode, problem = contacts.mode, contacts.problem
    tangents, before, turned = problem.tangents, mode.friction_slip, 0.0
    if mode.begins_to_slip[j] == 1 or not h > 0.0 or speed > BEGUN * slow_slip(contacts):
        return False
    a, b, _ = slip_direction(contacts, j)
    for i in range(3):
        turned += (a * tangents[j, i] + b * tangents[j, 3 + i] - before[j, i]) ** 2
    return speed * math.sqrt(turned) < STEADY * (mode.slip_speed[j] - speed)


@kernel
def keeps_reference(contacts, j, speed, ends):
    """Whether the direction of friction of a slow contact keeps following a reference: its slip begins, or ends.

    One that begins has its own direction when it is fast enough, or has turned from the reference.
    """
    mode, slow = contacts.mode, slow_slip(contacts)
    if mode.begins_to_slip[j] == 0:
        return mode.stops_slipping[j] == 1 and (ends or speed <= slow)
    p, q = reference_direction(contacts, j)
    a, b = along_tangents(contacts, j, VELOCITY)
    return speed <= slow or (speed <= BEGUN * slow and a * p + b * q >= TURNED * speed)


@kernel
def turn_to_own(contacts, j, a, b, h):
    """The reference direction is that of the slip a, b, and turns as this has turned in the last step, of size h."""
    mode, problem = contacts.mode, contacts.problem
    tangents, anchor, turn, before = problem.tangents, mode.reference_slip, mode.reference_turn, mode.friction_slip
    speed = math.sqrt(a * a + b * b)
    for i in range(3):
        anchor[j, i] = (a * tangents[j, i] + b * tangents[j, 3 + i]) / speed
        turn[j, i] = (anchor[j, i] - before[j, i]) / h if h > 0.0 else 0.0
        before[j, i] = anchor[j, i]


@kernel
def turn_reference(contacts, j, h):
    """The reference direction turns in the next step as friction has turned in the last one, of size h > 0.

    It follows that of friction by a half of the angle between them.
    """
    mode, problem = contacts.mode, contacts.problem
    tangents, anchor, turn, before = problem.tangents, mode.reference_slip, mode.reference_turn, mode.friction_slip
    p, q = reference_direction(contacts, j)
    a, b, _ = slip_direction(contacts, j)
    for i in range(3):
        d, e = a * tangents[j, i] + b * tangents[j, 3 + i], p * tangents[j, i] + q * tangents[j, 3 + i]
        turn[j, i] = (d - before[j, i] + 0.5 * (d - e)) / h
        anchor[j, i], before[j, i] = e, d


@kernel
def begin_all(contacts, t, x):
    """The same at the start of a smooth arc, except for contacts that begin to slip; returns whether there are any.

    These are marked.
    """
    mode = contacts.mode
    n, starting = mode.n_contacts, False
    status, beginning, stopping, speed = mode.status, mode.begins_to_slip, mode.stops_slipping, mode.slip_speed
    count = list_closed(contacts)
    read_gaps(contacts, t, x)
    read_own_terms(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    mode.reference_time = t
    for j in range(n):
        beginning[j] = stopping[j] = 0
        if status[j] == codes.SLIP:
            a, b = along_tangents(contacts, j, VELOCITY)
            speed[j] = math.sqrt(a * a + b * b)
            beginning[j] = 1 if is_slow(contacts, j) else 0
            starting = starting or beginning[j] == 1
            if beginning[j] == 0:
                pushed_direction(contacts, j, a, b, 1.0)
    return starting


@kernel
def note_stopped(contacts):
    """Mark the participants that the last impact has stopped: they had an impulse, and slip no more."""
    mode, problem = contacts.mode, contacts.problem
    slow = slow_slip(contacts)
    who, stopped = problem.participants, mode.stopped
    slip, impulse = problem.slip_plus, problem.impulse
    for i in range(problem.count):
        stopped[who[i]] = 1 if impulse[i] > 0.0 and math.hypot(slip[i, 0], slip[i, 1]) <= slow else 0
