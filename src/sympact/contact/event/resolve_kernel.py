"""The contacts that are closed after an event, and the kind of its change."""

from sympact.contact.event.event_view_kernel import fired_of, goes_on, record_of, state_of
from sympact.contact.event.remaining_rebounds_kernel import measure_rebounds, rebounds_end
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_VELOCITY, STEADY
from sympact.contact.modes.select_modes_kernel import enter, join_touching, project_closed_contacts, select, turned
from sympact.contact.problem.assemble_kernel import scales
from sympact.integrate.memory.run_codes import (
    ACCUMULATION_KIND,
    CLOSE,
    ENERGY,
    IMPACT,
    KIND,
    OPEN,
    SLIP,
    STICK,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading


@kernel
def resolve(contacts):
    """The contacts that are closed after the event, with gaps and rates projected to zero; whether the event goes on.

    A second pass adds contacts that the closed ones constrain.
    """
    event, x, record = contacts.event, state_of(contacts), record_of(contacts)
    propose(contacts)
    measure_rebounds(contacts)
    event.changed, later = 0, event.ahead if event.hit == 0 else 0.0
    state = leading(contacts.problem.ahead_state, x.size) if later > 0.0 else x
    for trial in range(2):
        code = select(contacts, event.t + later, state, later == 0.0)
        if code != codes.SOLVED:
            return goes_on(contacts, code)
        name_modes(contacts)
        if trial == 0:
            record[KIND] = kind_of(contacts)
            mark_changes(contacts)
            event.changed = turned(contacts, fired_of(contacts))
        event.changed = enter(contacts) or event.changed == 1
        record[ENERGY] += project_closed_contacts(contacts, event.t, x)
        if trial == 1 or not join_touching(contacts, event.t, x, fired_of(contacts)):
            break
        state, later = x, 0.0
    if contacts.model.slips != 0:
        agree_with_slips(contacts)
    return goes_on(contacts, codes.SOLVED)


@kernel
def agree_with_slips(contacts):
    """Select the modes anew for the slips of the state after the event, until they agree with these."""
    event, model, mode, x = contacts.event, contacts.model, contacts.mode, state_of(contacts)
    for _ in range(mode.n_contacts):
        call_flow(model.compare_slips, event.t, x, contacts.address, x)
        if mode.slips_agree == 1:
            return
        for j in range(mode.n_contacts):
            mode.candidate[j], contacts.problem.rebound[j] = 0 if mode.status[j] == codes.OPEN else 1, 0.0
        if select(contacts, event.t, x, False) != codes.SOLVED:
            return
        name_modes(contacts)
        mark_changes(contacts)
        event.changed = enter(contacts) or event.changed == 1
        record_of(contacts)[ENERGY] += project_closed_contacts(contacts, event.t, x)


@kernel
def propose(contacts):
    """Candidates to be closed: participants that neither separate nor approach faster than for a rebound of
    DEAD_BAND.

    A closed contact stays one unless an impact separates it; one that still approaches fast after the law has another
    impact at once. Rebounds without loss never end, but the approach that a law leaves is rounding, not a rebound. The
    rebound speed of a participant, had its restitution not been set to zero, goes into `rebound`.
    """
    mode, problem, hit = contacts.mode, contacts.problem, contacts.event.hit == 1
    n = problem.n_contacts
    who, status, candidate = problem.participants, mode.status, mode.candidate
    before, after, given = problem.rate_minus, problem.rate_plus, problem.event_restitution
    e, rebound, uncertain = problem.restitution, problem.rebound, problem.uncertain
    low, none = scales(contacts)
    for j in range(n):
        candidate[j], rebound[j] = 0, 0.0
    for i in range(problem.count):
        j = who[i]
        closed = status[j] != codes.OPEN
        limit = low if closed or given[j] < STEADY else 2.0 * none
        candidate[j] = 1 if after[i] <= limit and (after[i] >= -low or (closed and not hit)) else 0
        leaves = after[i] if after[i] > max(uncertain[i], NO_VELOCITY * abs(before[i])) else 0.0
        taken = (given[j] - e[i]) * -before[i] if hit and status[j] == codes.OPEN else 0.0
        rebound[j] = max(leaves, taken if taken <= low else 0.0)  # else the law itself used the restitution


@kernel
def name_modes(contacts):
    """The new status of each candidate, into `next_status`; without friction there is only one."""
    model, mode = contacts.model, contacts.mode
    if model.slips != 0:
        call_unit(model.name_modes, contacts.address)
        return
    following = mode.next_status
    for j in range(mode.n_contacts):
        following[j] = codes.CLOSED


@kernel
def kind_of(contacts):
    """The kind of the event; where rebounds end, the record has the time to their end."""
    mode, fired = contacts.mode, fired_of(contacts)
    status, candidate, following = mode.status, mode.candidate, mode.next_status
    closing = opening = sticking = slipping = 0
    for j in range(contacts.problem.n_contacts):
        stays = status[j] != codes.OPEN and status[j] != codes.UNLOADED and candidate[j] == 1
        opening += 1 if status[j] != codes.OPEN and candidate[j] != 1 else 0
        sticking += 1 if stays and following[j] == codes.STICK and status[j] != codes.STICK else 0
        slipping += 1 if stays and following[j] == codes.SLIP and (status[j] != codes.SLIP or fired[j] == 1) else 0
        closing += 1 if status[j] == codes.OPEN and candidate[j] == 1 else 0
    if rebounds_end(contacts, record_of(contacts)):
        return ACCUMULATION_KIND
    if contacts.event.hit == 1:
        return IMPACT
    if closing > 0:
        return CLOSE
    if opening > 0 or sticking + slipping == 0:
        return OPEN
    return STICK if sticking > 0 else SLIP


@kernel
def mark_changes(contacts):
    """A closed contact that opens, sticks or slips anew takes part in the event; an unchanged one does not."""
    mode, fired = contacts.mode, fired_of(contacts)
    n = mode.n_contacts
    status, candidate = mode.status, mode.candidate
    following = mode.next_status
    for j in range(n):
        parts, moves = candidate[j] != 1, following[j] != status[j] and status[j] != codes.UNLOADED
        if status[j] != codes.OPEN and (parts or moves):
            fired[j] = 1
