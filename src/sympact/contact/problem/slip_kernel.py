"""Slip: the friction data of the model, the slipping contacts and their directions.

Vectors of a contact are components in N; the tangential part is given along the tangents, see `tangent_kernel`.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import (
    BEYOND_ERROR,
    MOTION_ROUNDING,
    NO_SLIP,
    SLOW_SLIP,
    UNBOUNDED,
)
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.assemble_kernel import (
    choose_participants,
    list_closed,
    read_gaps,
    read_own_gaps,
    read_own_terms,
)
from sympact.contact.problem.tangent_kernel import ACCELERATION, VELOCITY, slips, write_lines
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_chosen, leading, reals

TURNED = 0.866  # cosine of the angle by which such a contact may turn from its initial direction
BEGUN = 100.0  # times slow slip: above it a contact that has begun to slip has its own direction


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
    model, problem = contacts.model, contacts.problem
    rates = leading(problem.rates, x.size)
    if model.chosen_slips == 0:
        call_boundary(model.slips, t, x, rates, model.parameters, problem.slips)
        return
    choose_participants(contacts)
    call_chosen(model.chosen_slips, t, x, rates, model.parameters, problem.slips, problem.chosen)


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
    """mu and mu_static of contact j; `UNBOUNDED` replaces infinity, whose product with a zero force is NaN."""
    rows = slips(contacts)
    last = rows.shape[1] - 1
    return min(rows[j, last - 1], UNBOUNDED), min(rows[j, last], UNBOUNDED)


@kernel
def has_negative_friction(contacts):
    """Whether a coefficient of a participant is below zero, which one that changes during a motion may become."""
    found = False
    for i in range(contacts.problem.count):
        kinetic, static = coefficients(contacts, contacts.problem.participants[i])
        found = found or kinetic < 0.0 or static < 0.0
    return found


@kernel
def sliding_coefficient(contacts, j):
    """mu of contact j along its slip; where a step goes on beyond the end of the slip s, mu(s) with the sign of s.

    In space the slip against the reference direction counts by its share: the direction of a slip that misses zero
    turns, and mu with it is mu of the slip speed. Where mu(s) is not real below 0 it is mu of the slip speed, too.
    """
    rows, (mu, _) = slips(contacts), coefficients(contacts, j)
    along = slip_along(contacts, j)
    if contacts.problem.n_coefficients % 2 == 0 or not along < 0.0:
        return mu
    a, b = along_tangents(contacts, j, VELOCITY)
    beyond = rows[j, rows.shape[1] - 3]
    return mu if math.isnan(beyond) else mu + along * along / (a * a + b * b) * (beyond - mu)


@kernel
def take_friction(contacts, i, sticks):
    """The coefficient of participant i into the problem: the static one where it is tested for sticking."""
    problem = contacts.problem
    kinetic, static = coefficients(contacts, problem.participants[i])
    mu = problem.coefficient
    mu[i] = static if sticks else kinetic


@kernel
def slow_slip(contacts, j):
    """The slip of contact j below which its friction keeps a direction, as the slip itself may turn at once (m/s)."""
    return SLOW_SLIP / NO_SLIP * contacts.mode.slip_error[j]


@kernel
def has_no_slip(contacts, j):
    """True when the last slip of contact j counts as none, so that it may stick.

    One that sticks has none until its speeds change, whatever the remainder of its projection.
    """
    mode = contacts.mode
    a, b = along_tangents(contacts, j, VELOCITY)
    sticks = mode.status[j] == codes.STICK and mode.speeds_changed == 0
    return sticks or math.sqrt(a * a + b * b) <= mode.slip_error[j]


@kernel
def pushed_direction(contacts, j, a, b, sign):
    """The unit vector in N along the tangential components a, b of contact j; written into `reference_slip`."""
    mode, problem = contacts.mode, contacts.problem
    axes, anchor = problem.axes, mode.reference_slip
    length = math.sqrt(a * a + b * b)
    for i in range(3):
        anchor[j, i] = sign * (a * axes[j, i] + b * axes[j, 3 + i]) / length


@kernel
def slip_direction(contacts, j):
    """The direction of slip of contact j for its friction.

    Slow slip has its reference direction, which changes to its own as it becomes faster; slip against the reference
    does not count. Friction is then continuous when the slip passes through zero within a step, and the step ends
    there. A contact that begins to slip has its own direction later.
    """
    mode, least = contacts.mode, slow_slip(contacts, j)
    a, b = along_tangents(contacts, j, VELOCITY)
    p, q = reference_direction(contacts, j)
    if mode.begins_to_slip[j] == 1:
        least *= BEGUN
    back = max(-(a * p + b * q), 0.0)
    a, b = a + back * p, b + back * q
    length = math.sqrt(a * a + b * b)
    if length < least:
        a, b = a + (least - length) * p, b + (least - length) * q
        length = math.sqrt(a * a + b * b)
    if not length > 0.0:
        return p, q
    scale = 1.0 / length
    return scale * a, scale * b


@kernel
def slip_along(contacts, j):
    """The slip of contact j along its reference direction."""
    a, b = along_tangents(contacts, j, VELOCITY)
    p, q = reference_direction(contacts, j)
    return a * p + b * q


@kernel
def reference_direction(contacts, j):
    """The tangential components of the reference direction of the slip of contact j."""
    axes, anchor = contacts.problem.axes, contacts.mode.reference_slip
    p = q = 0.0
    for i in range(3):
        p += axes[j, i] * anchor[j, i]
        q += axes[j, 3 + i] * anchor[j, i]
    return p, q


def measure_slip(t, x_address, data, out_address):
    """Assemble the slip of the participants of an impact at a state; `rates` must have the rates of its free motion."""
    contacts = contacts_at(data)
    problem = contacts.problem
    read_own_slips(contacts, t, reals(x_address, problem.n_q + problem.n_u), problem.count)
    who, sliding = problem.participants, problem.slides
    before, after = problem.slip_minus, problem.slip_plus
    impulse = problem.friction_impulse
    for i in range(problem.count):
        take_friction(contacts, i, False)
        sliding[i] = 0
        problem.slip_parts[i] = 0.0
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
    who, sliding = problem.participants, problem.slides
    before, direction = problem.slip_minus, problem.direction
    sticky = mode.sticky
    for i in range(problem.count):
        j = who[i]
        _, static = coefficients(contacts, j)
        a, b = along_tangents(contacts, j, VELOCITY)
        before[i, 0], before[i, 1] = along_tangents(contacts, j, ACCELERATION)
        speed = math.sqrt(a * a + b * b)
        sliding[i] = 1 if static > 0.0 and not has_no_slip(contacts, j) else 0
        sticky[j] = 1 if sliding[i] == 0 and static > 0.0 else 0
        take_friction(contacts, i, sliding[i] == 0)
        if sliding[i] == 1:
            direction[i, 0], direction[i, 1] = a / speed, b / speed


def name_modes(data):
    """The new status of each candidate, by the solution of the problem of forces, into `next_status`.

    Whether slip begins, and the direction that friction opposes, are kept in `begins_to_slip` and `reference_slip`.
    """
    contacts = contacts_at(data)
    mode, problem = contacts.mode, contacts.problem
    who, sliding, following = problem.participants, problem.slides, mode.next_status
    for i in range(problem.count):
        j = who[i]
        _, static = coefficients(contacts, j)
        if static == 0.0:
            following[j] = codes.CLOSED
        elif sliding[i] == 0 and not begins_to_slip(contacts, i):
            following[j] = codes.STICK
        else:
            following[j] = codes.SLIP
            keep_direction(contacts, i)
    return 0


@kernel
def keep_direction(contacts, i):
    """Whether participant i begins to slip, and the direction of its slip, for the last forces."""
    mode, problem = contacts.mode, contacts.problem
    a, b = -problem.friction_impulse[i, 0], -problem.friction_impulse[i, 1]
    if problem.slides[i] == 1:
        a, b = problem.direction[i, 0], problem.direction[i, 1]
    elif a == 0.0 and b == 0.0:
        a, b = problem.slip_plus[i, 0], problem.slip_plus[i, 1]
    if a == 0.0 and b == 0.0:
        a = 1.0  # without friction, and at rest: any
    mode.begins_to_slip[problem.participants[i]] = 1 - problem.slides[i]
    pushed_direction(contacts, problem.participants[i], a, b, 1.0)


@kernel
def begins_to_slip(contacts, i):
    """Whether participant i, which has no slip, begins to slip with the last forces.

    Its acceleration is more than the errors of a solution; a smaller one counts where the friction is used up, unless
    it is rounding of its own parts.
    """
    problem = contacts.problem
    slip, friction, force = problem.slip_plus, problem.friction_impulse, problem.impulse
    acceleration = math.hypot(slip[i, 0], slip[i, 1])
    if acceleration > solved_acceleration(contacts, i):
        return True
    edge = (1.0 - BEYOND_ERROR) * problem.coefficient[i] * force[i]
    used_up = force[i] > 0.0 and math.hypot(friction[i, 0], friction[i, 1]) >= edge
    return used_up and acceleration > MOTION_ROUNDING * problem.slip_parts[i]


@kernel
def solved_acceleration(contacts, i):
    """The tangential acceleration of participant i that the last forces leave to a contact that sticks.

    A body with little inertia has large accelerations by each force, whose sum is rounding.
    """
    return max(constrained_acceleration(contacts), MOTION_ROUNDING * contacts.problem.slip_parts[i])


@kernel
def constrained_acceleration(contacts):
    """The tangential acceleration that counts as zero."""
    mode = contacts.mode
    reference = mode.reference_acceleration
    return NEGLIGIBLE * (reference if reference > 0.0 else 1.0)


def set_reference_slips(t, x_address, data, out_address):
    """Store the direction in which each contact slips at the start of a step.

    One that has begun to slip keeps its initial direction until it is fast enough to have its own, or has turned by 30
    degrees; one whose slip ends keeps the last one before it was slow.
    """
    contacts = contacts_at(data)
    mode, problem = contacts.mode, contacts.problem
    x = reals(x_address, problem.n_q + problem.n_u)
    status, beginning = mode.status, mode.begins_to_slip
    axes, anchor = problem.axes, mode.reference_slip
    count = list_closed(contacts)
    read_own_gaps(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for place in range(count):
        j, slow = problem.participants[place], slow_slip(contacts, problem.participants[place])
        a, b = along_tangents(contacts, j, VELOCITY)
        speed, along = math.sqrt(a * a + b * b), 0.0
        for i in range(3):
            along += (a * axes[j, i] + b * axes[j, 3 + i]) * anchor[j, i]
        own = speed > BEGUN * slow or (speed > slow and along < TURNED * speed)
        if status[j] == codes.SLIP and (own or (beginning[j] == 0 and speed > slow)):
            pushed_direction(contacts, j, a, b, 1.0)
            beginning[j] = 0


@kernel
def begin_all(contacts, t, x):
    """The same except for contacts that begin to slip, which are marked; returns whether there are any."""
    mode = contacts.mode
    n, starting = mode.n_contacts, False
    status, beginning = mode.status, mode.begins_to_slip
    count = list_closed(contacts)
    read_gaps(contacts, t, x)
    read_own_terms(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for j in range(n):
        beginning[j] = 1 if status[j] == codes.SLIP and has_no_slip(contacts, j) else 0
        starting = starting or beginning[j] == 1
        if status[j] == codes.SLIP and beginning[j] == 0:
            a, b = along_tangents(contacts, j, VELOCITY)
            pushed_direction(contacts, j, a, b, 1.0)
    return starting


@kernel
def note_stopped(contacts):
    """Mark the participants that the last impact has stopped: they had an impulse, and slip no more."""
    mode, problem = contacts.mode, contacts.problem
    who, stopped, none = problem.participants, mode.stopped, mode.slip_error
    slip, impulse = problem.slip_plus, problem.impulse
    for i in range(problem.count):
        stopped[who[i]] = 1 if impulse[i] > 0.0 and math.hypot(slip[i, 0], slip[i, 1]) <= none[who[i]] else 0
