"""The participants of an event, with their rates and restitutions, and the scales of accelerations and speeds."""

import math

from sympact.contact.event.event_view_kernel import fired_of, gaps_of, goes_on, record_of, state_of
from sympact.contact.event.restitution_kernel import take_restitutions
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_DISTANCE
from sympact.contact.modes.participant_kernel import gather
from sympact.contact.modes.select_modes_kernel import reference
from sympact.contact.problem.assemble_kernel import measure_rates, read_gaps, read_terms, scales, time_scale
from sympact.contact.problem.frictionless_kernel import finite
from sympact.integrate.memory.run_codes import NEAREST, REFERENCE_ACCELERATION, WINDOW
from sympact.native.kernel import kernel
from sympact.native.pointer import leading

PART = 0.01  # of the largest acceleration of the run
FAINT = 100.0  # times the speed of a rebound of DEAD_BAND: below it the order of two impacts does not matter


@kernel
def take_part(contacts):
    """The participants at the present state, with their rates and restitutions; whether the event goes on."""
    event, x = contacts.event, state_of(contacts)
    read_terms(contacts, event.t, x)
    measure_reference(contacts)
    list_participants(contacts)
    measure_rates(contacts, x)
    if not known(contacts):
        return goes_on(contacts, codes.NOT_FINITE)
    return True if take_restitutions(contacts) else goes_on(contacts, codes.NO_RESTITUTION)


@kernel
def measure_reference(contacts):
    """The reference acceleration: the largest acceleration of a gap without contact forces.

    All may vanish for a moment, as where a spring that pulls a body off a wall passes its natural length: then a part
    of the largest one of the run is used.
    """
    model, mode, record = contacts.model, contacts.mode, record_of(contacts)
    read_gaps(contacts, contacts.event.t, state_of(contacts))
    here = reference(contacts)
    mode.largest_acceleration = max(mode.largest_acceleration, here, record[REFERENCE_ACCELERATION])
    mode.reference_acceleration = record[REFERENCE_ACCELERATION] = max(here, PART * mode.largest_acceleration)
    if mode.reference_speed == 0.0:
        mode.reference_speed = model.length / time_scale(contacts)


@kernel
def list_participants(contacts):
    """List the participants; the report has the window, and the time to the nearest contact that does not take part.

    The gaps are those of the loop, which are zero at the start of each smooth arc. Where rebounds are so low that their
    order does not matter, every contact takes part.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, gaps, fired, record = problem.n_contacts, gaps_of(contacts), fired_of(contacts), record_of(contacts)
    own, nb, t = leading(problem.along, 2 * problem.n_boundaries), problem.n_boundaries, contacts.event.t
    for j in range(n):
        own[j], own[n + j] = gaps[j], gaps[nb + j]
    length, status = model.length, mode.status
    problem.count, window, nearest = gather(t, length, model.gap_rounding, own, n, fired, status, problem.participants)
    low, _ = scales(contacts)
    record[WINDOW], record[NEAREST] = window, nearest if window * FAINT * low <= NO_DISTANCE * length else math.inf


@kernel
def known(contacts):
    """True when the model's terms are finite numbers, and the rates of the participants with them."""
    problem = contacts.problem
    return finite(problem.terms) and finite(leading(problem.rate_minus, problem.count))


@kernel
def contact_fired(contacts):
    """Whether a contact fired."""
    fired, found = fired_of(contacts), False
    for j in range(contacts.mode.n_contacts):
        found = found or fired[j] == 1
    return found


@kernel
def closed_fired(contacts):
    """Whether the force of a closed contact fired."""
    fired, status, found = fired_of(contacts), contacts.mode.status, False
    for j in range(contacts.mode.n_contacts):
        found = found or (fired[j] == 1 and status[j] != codes.OPEN)
    return found


@kernel
def bears(contacts):
    """Whether a closed contact is among the participants."""
    mode, problem, found = contacts.mode, contacts.problem, False
    status, who = mode.status, problem.participants
    for i in range(problem.count):
        found = found or status[who[i]] != codes.OPEN
    return found
