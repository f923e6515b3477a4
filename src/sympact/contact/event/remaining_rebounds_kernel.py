"""The rebounds that an event omits: which contacts they are of, and when they would end.

After a rebound v against the deceleration a, rebounds that shrink by e take 2 v / (a (1 - e)). The deceleration is that
with the forces of the contacts which were closed already: they bear their loads while this one rebounds. The agreement
of the last rebounds with 2 v / a and with e gives the error; for contacts with an irregular sequence it is the whole
sum.
"""

from sympact.contact.event.event_view_kernel import state_of
from sympact.contact.memory import contact_codes as codes
from sympact.contact.problem.assemble_kernel import count_closed, scales
from sympact.integrate.memory.run_codes import REMAINDER, REMAINDER_ERROR
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, leading


@kernel
def measure_rebounds(contacts):
    """The gap accelerations of rebounds that end now into `rebound_acceleration`, where contacts were closed before."""
    mode, problem = contacts.mode, contacts.problem
    contacts.event.rebounding = 0
    if count_closed(contacts) == 0:
        return  # the free motion is that of the rebounds
    _, none = scales(contacts)
    for j in range(mode.n_contacts):
        if mode.status[j] == codes.OPEN and mode.candidate[j] == 1 and problem.rebound[j] > none:
            contacts.event.rebounding = 1
    if contacts.event.rebounding == 1:
        model, t, x = contacts.model, contacts.event.t, state_of(contacts)
        rates = leading(problem.trial, x.size)
        call_flow(model.closed_flow, t, x, contacts.address, rates)
        call_boundary(model.gaps, t, x, rates, model.parameters, problem.along)
        for j in range(mode.n_contacts):
            problem.rebound_acceleration[j] = problem.gap_acceleration[j]


@kernel
def rebounds_end(contacts, record):
    """Whether rebounds that accumulate end at this event; the time to their end, and its error, go into the record."""
    mode, problem = contacts.mode, contacts.problem
    rebound, given = problem.rebound, problem.event_restitution
    accelerations = problem.rebound_acceleration if contacts.event.rebounding == 1 else problem.gap_acceleration
    _, none = scales(contacts)
    found, rest, error = False, 0.0, 0.0
    for j in range(mode.n_contacts):
        closes = mode.candidate[j] == 1 and mode.status[j] == codes.OPEN
        if closes and rebound[j] > none and accelerations[j] < 0.0:
            found = True
            rest = max(rest, 2.0 * rebound[j] / (-accelerations[j] * (1.0 - given[j])))
            error = max(error, min(missed(contacts, j, -accelerations[j]), 1.0))
    if found:
        record[REMAINDER], record[REMAINDER_ERROR] = rest, error * rest
    return found


@kernel
def missed(contacts, j, a):
    """The relative error of the sum of the rebounds of contact j, by its last rebound: its time, and its ratio.

    Friction and other contacts change the ratio from e to r: the sum is between those with e and with r.
    """
    mode, problem = contacts.mode, contacts.problem
    interval, rebound = mode.interval[j], mode.previous_rebound[j]
    left, given = mode.last_rebound[j], problem.event_restitution[j]
    if not rebound > 0.0:
        return 1.0
    miss = abs(interval * a / (2.0 * rebound) - 1.0)
    if problem.rebound[j] == left:
        miss += abs(1.0 - (1.0 - given) / (1.0 - left / rebound)) if left < rebound else 1.0
    return miss
