"""The scale of each slip, and the slip that counts as none: both are of its own contact.

A slip is a sum over the speeds. Its scale is the sum of the sizes of its parts, and of those that the accelerations
without contact forces, in whatever direction, add to the velocity of the contact in the time scale tau of the model:

    sigma_j = sum over k of |W_T,jk| |u_k| + |w_T,j| + tau sum over k of |W_jk| |u'_free,k|

or the speed of the model, its length over tau, where that is less. A slip is compared with this alone, never with
speeds of other bodies: in a row of touching bodies each one moves 20 to 100 times slower than the next, and the end of
the slowest slip ends the motion of all. It does not depend on the mode: where a slip counted in one mode alone, and
each of two modes were entered for what it makes of that slip, they would follow each other without end.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_SLIP, SLOW_SLIP
from sympact.contact.problem.assemble_kernel import list_closed, read_own_gaps, read_own_terms, time_scale
from sympact.contact.problem.slip_kernel import VELOCITY, along_tangents, read_own_slips
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading
from sympact.native.rounding import EPS, ROUNDINGS


@kernel
def first_time_scale(contacts):
    """The time scale at the first event of the run, which does not change, so that steps can be repeated."""
    speed = contacts.mode.reference_speed
    return contacts.model.length / speed if speed > 0.0 else time_scale(contacts)


@kernel
def slip_scale(contacts, j, x, rates, first, normal):
    """sigma of contact j (m/s) at a state, with u' from the index `first` of `rates`; its lines must be those at x.

    Of the accelerations along the normal the part `normal`, 0 or 1, counts.
    """
    problem = contacts.problem
    nq, lines, tau, total = problem.n_q, problem.lines, first_time_scale(contacts), 0.0
    a, b = along_tangents(contacts, j, VELOCITY)
    for k in range(problem.n_u):
        p, q, u, rate = lines[3 * j + 1, k], lines[3 * j + 2, k], x[nq + k], abs(rates[first + k])
        along = math.hypot(p, q)
        total += along * abs(u) + (tau * rate * math.hypot(along, normal * lines[3 * j, k]) if rate < math.inf else 0.0)
        a, b = a - p * u, b - q * u
    own, speed = total + math.hypot(a, b), contacts.mode.reference_speed
    return min(own, speed) if speed > 0.0 else own


@kernel
def keep_slips(contacts):
    """Keep what the arc before an event has stored of its slips, for `restore_slips`."""
    mode, problem = contacts.mode, contacts.problem
    for j in range(mode.n_contacts):
        problem.arc_slip_error[j] = mode.slip_error[j]
        problem.arc_begins_to_slip[j] = mode.begins_to_slip[j]
        for i in range(3):
            problem.arc_reference_slip[j, i] = mode.reference_slip[j, i]


@kernel
def restore_slips(contacts):
    """The arc goes on, as the event has no effect: friction keeps the directions that it had."""
    mode, problem = contacts.mode, contacts.problem
    for j in range(mode.n_contacts):
        mode.slip_error[j] = problem.arc_slip_error[j]
        mode.begins_to_slip[j] = problem.arc_begins_to_slip[j]
        for i in range(3):
            mode.reference_slip[j, i] = problem.arc_reference_slip[j, i]


@kernel
def slips_back(contacts, j):
    """Whether the last slip of contact j is against the direction in which its friction took it in the last step."""
    problem, along = contacts.problem, 0.0
    for i in range(3):
        along += problem.slips[j, VELOCITY + i] * problem.arc_reference_slip[j, i]
    return along < -problem.arc_slip_error[j]


@kernel
def begin_slip_errors(contacts, t, x, fired):
    """At the start of an event: the slip of each closed contact that counts as none, into `slip_error`.

    One whose end fires the event may be larger, as in space a slip seldom passes through zero exactly: its scale is
    that of its motion so far, along its tangents.
    """
    model, mode, problem, ends = contacts.model, contacts.mode, contacts.problem, False
    error, status, rates = mode.slip_error, mode.status, leading(problem.trial, x.size)
    for j in range(mode.n_contacts):
        ends = ends or (fired[j] == 1 and status[j] == codes.SLIP)
    if ends:
        call_flow(model.closed_flow, t, x, contacts.address, rates)
    note_closed_errors(contacts, t, x)
    for i in range(problem.count):
        j = problem.participants[i]
        if fired[j] == 1 and status[j] == codes.SLIP:
            error[j] = max(error[j], SLOW_SLIP * slip_scale(contacts, j, x, rates, problem.n_q, 0.0))


@kernel
def note_closed_errors(contacts, t, x):
    """The slip of each closed contact that counts as none, by the speeds and the free accelerations of a state.

    A contact that sticks has none, whatever the remainder of its projection.
    """
    mode, problem = contacts.mode, contacts.problem
    accelerations, error = problem.free_accelerations, mode.slip_error
    count = list_closed(contacts)
    read_own_gaps(contacts, t, x)
    for k in range(problem.n_u):
        accelerations[k] = problem.rates_of_speeds[k]
    for j in range(mode.n_contacts):
        error[j] = 0.0
    if count == 0:
        return
    read_own_terms(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for i in range(count):
        j = problem.participants[i]
        error[j] = NO_SLIP * slip_scale(contacts, j, x, accelerations, 0, 1.0)
        if mode.status[j] == codes.STICK and mode.speeds_changed == 0:
            a, b = along_tangents(contacts, j, VELOCITY)
            error[j] = max(error[j], 2.0 * math.hypot(a, b))


@kernel
def begin_arc_errors(contacts, t, x):
    """At the start of an arc, from its state alone: the slips that count as none; whether any contact slips."""
    mode, slips = contacts.mode, False
    mode.speeds_changed = 0
    for j in range(mode.n_contacts):
        slips = slips or mode.status[j] == codes.SLIP
        mode.slip_error[j] = 0.0
        for i in range(3):
            mode.reference_slip[j, i] = 0.0
    if slips:
        note_closed_errors(contacts, t, x)
    return slips


@kernel
def note_slip_errors(contacts, x):
    """The same of the participants, whose slips have just been read, at another state of the event."""
    mode, problem = contacts.mode, contacts.problem
    error, who = mode.slip_error, problem.participants
    for i in range(problem.count):
        j = who[i]
        error[j] = max(error[j], NO_SLIP * slip_scale(contacts, j, x, problem.free_accelerations, 0, 1.0))


@kernel
def note_impulse_errors(contacts):
    """The same by the parts that the impulses of the last impact have in the slips after it.

    A contact that stuck has none where it is rounding of the largest changes of the impact, which has not reached it.
    """
    mode, problem = contacts.mode, contacts.problem
    error, who, status, rounding = mode.slip_error, problem.participants, mode.status, 0.0
    for i in range(problem.count):
        rounding = max(rounding, problem.uncertain[i], ROUNDINGS * EPS * problem.slip_parts[i])
    for i in range(problem.count):
        error[who[i]] = max(error[who[i]], NO_SLIP * problem.slip_parts[i])
        if status[who[i]] == codes.STICK:
            error[who[i]] = max(error[who[i]], rounding)


@kernel
def note_slack(contacts, i):
    """Of participant i, which begins to slip: the slip that may remain from before, and that of an event found early.

    Its acceleration is zero at the event, but for the errors of the forces that compose it.
    """
    mode, problem = contacts.mode, contacts.problem
    j = problem.participants[i]
    mode.slip_slack[j] = 2.0 * mode.slip_error[j] + NO_SLIP * first_time_scale(contacts) * problem.slip_parts[i]


@kernel
def note_slip_scales(contacts, x):
    """At the start of an arc: sigma of closed contacts along their tangents, with the last rates, into `slip_scale`."""
    mode, problem = contacts.mode, contacts.problem
    for i in range(problem.count):
        j = problem.participants[i]
        mode.slip_scale[j] = slip_scale(contacts, j, x, problem.rates, problem.n_q, 0.0)
