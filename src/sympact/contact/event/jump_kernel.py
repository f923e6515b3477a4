"""Jumps of the user's own at an event: in their order, until none is due; the contacts at the state that they leave.

Constraints that close, or whose prescribed speeds jump, have their impact here.
"""

from sympact.contact.event.event_view_kernel import fired_of, gaps_of, goes_on, record_of, state_of
from sympact.contact.event.take_part_kernel import measure_reference
from sympact.contact.linalg.branch_kernel import square_along
from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.audit_kernel import keep_speeds
from sympact.contact.problem.assemble_kernel import mass_factor, read_gaps, read_terms, scales
from sympact.contact.problem.frictionless_kernel import finite
from sympact.integrate.memory.run_codes import AFTER, ENERGY, INSTEAD
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.memory.run_tolerances import DEAD_BAND, DRIFT
from sympact.integrate.search.switch_kernel import mark_crossed, mark_idle, notice, settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow

ROUNDS = 100  # of jumps that cause further ones at one instant: more are a loop


@kernel
def jumps_due(data, later):
    """Whether a jump is due; with `later` = 0 only those that precede an impact count."""
    found = False
    if data != 0:
        switches = switches_at(data)
        due, turn = switches.due, switches.turn
        for k in range(switches.n_jumps):
            found = found or (due[k] == 1 and (later == 1 or turn[k] != AFTER))
    return found


@kernel
def jump(contacts, later):
    """Apply the jumps of the user's own that are due, and find the contacts at the state that they leave; whether the
    event goes on."""
    event = contacts.event
    event.jumped = 1
    code = take_jumps(contacts, later)
    if code == codes.SOLVED and not place_contacts(contacts, event.latched == 0):
        code = codes.BELOW_SURFACE
    if code != codes.SOLVED:
        mark_crossed(contacts.model.switches, fired_of(contacts))
    keep_speeds(contacts, state_of(contacts))
    return goes_on(contacts, code)


@kernel
def take_jumps(contacts, later):
    """Apply the jumps that are due, in their order; each reads what those before have written. SOLVED, or a fault.

    Conditions that change by them can have further jumps due, until none is. Latches that close have their impact.
    """
    event, model, x = contacts.event, contacts.model, state_of(contacts)
    event.latched = 0
    for _ in range(ROUNDS):
        closing, known = jump_in_turn(contacts, later)
        if not known:
            return codes.NOT_FINITE
        if closing:
            keep_speeds(contacts, x)
            event.latched = follow_drives(contacts) or event.latched == 1
            event.ever_latched = event.ever_latched == 1 or event.latched == 1
        if model.normalize != 0:
            call_flow(model.normalize, event.t, x, model.free_data, x)
        settle(model.switches, event.t, event.x, 0, 1)
        notice(model.switches, 1)
        mark_idle(model.switches, event.x)
        if not jumps_due(model.switches, later):
            return codes.SOLVED
    return codes.UNSETTLED


@kernel
def jump_in_turn(contacts, later):
    """Each jump that is due, once: (whether a latch closes, whether the states are numbers)."""
    event, x, closing = contacts.event, state_of(contacts), False
    switches = switches_at(contacts.model.switches)
    due, turn, after = switches.due, switches.turn, switches.state_after
    latch, closes = switches.latch, switches.closes
    for k in range(switches.n_jumps):
        if due[k] == 0 or (later == 0 and turn[k] == AFTER):
            continue
        due[k] = 0
        event.instead = event.instead == 1 or turn[k] == INSTEAD
        closing = closing or (latch[k] >= 0 and closes[k] == 1)
        call_flow(switches.jumps[k], event.t, x, switches.parameters, after)
        if not finite(after):
            return closing, False
        contacts.mode.speeds_changed = 1
        for i in range(x.size):
            x[i] = after[i]
    return closing, True


@kernel
def follow_drives(contacts):
    """The impact of bilateral constraints whose prescribed speeds jump at a switch, or that close; whether any did.

    M (u+ - u-) = A^T K, A u+ + a+ = 0, which is the projection of the speeds in the metric of M; its energy without the
    work of the drives is that of u+ - u-.
    """
    model, problem, t, x = contacts.model, contacts.problem, contacts.event.t, state_of(contacts)
    if model.meet_speeds == 0:
        return False
    read_terms(contacts, t, x)
    call_flow(model.meet_speeds, t, x, model.free_data, x)
    nq, change, before = model.n_q, problem.change, problem.speeds_before
    for k in range(model.n_u):
        change[k] = x[nq + k] - before[k]
    lost, motion = kinetic_energy(contacts, change, 0), kinetic_energy(contacts, x, nq)
    keep_speeds(contacts, x)
    if not lost > DRIFT * DRIFT * motion:
        return False
    record_of(contacts)[ENERGY] -= lost
    contacts.mode.speeds_changed = 1
    return True


@kernel
def kinetic_energy(contacts, speeds, first):
    """u^T M u / 2 of the speeds from an index on; M must not be factored."""
    m, mass, square, branches = contacts.model.n_u, mass_factor(contacts), 0.0, contacts.problem.branches
    if branches.present == 1:
        return 0.5 * square_along(mass, m, branches, speeds, first)
    for i in range(m):
        for k in range(m):
            square += speeds[first + i] * mass[i, k] * speeds[first + k]
    return 0.5 * square


@kernel
def activates(data):
    """Whether switches decide which contacts are active."""
    return data != 0 and switches_at(data).activates == 1


@kernel
def place_contacts(contacts, jumped):
    """Open the contacts that are apart after an event; False where one is below its surface.

    After a jump of the state (`jumped`) also those that approach, so that the law applies with their restitution.
    `gaps` become those of the state after the event.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    gaps, fired = gaps_of(contacts), fired_of(contacts)
    if mode.reference_acceleration == 0.0:  # of the first event of a run that goes on
        read_terms(contacts, contacts.event.t, state_of(contacts))
        measure_reference(contacts)
    read_gaps(contacts, contacts.event.t, state_of(contacts))
    along, status, nb = problem.along, mode.status, problem.n_boundaries
    for k in range(3 * nb):
        gaps[k] = along[k]
    _, none = scales(contacts)
    for j in range(problem.n_contacts):
        band = max(DEAD_BAND * model.length, model.gap_rounding[j])
        if gaps[j] < -band:
            fired[j] = 1
            return False
        if gaps[j] > band:
            fired[j] = 0
        if gaps[j] > band or (jumped and gaps[nb + j] < -none):
            status[j] = codes.OPEN
    return True
