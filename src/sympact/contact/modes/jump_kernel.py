"""Jumps of the user's own at an event: in their order, until none is due; the contacts at the state that they leave.

Constraints that close, or whose prescribed speeds jump, have their impact here.
"""

from sympact.contact.linalg.branch_kernel import square_along
from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.audit_kernel import keep_speeds
from sympact.contact.problem.assemble_kernel import mass_factor, read_gaps, read_terms, scales
from sympact.contact.problem.frictionless_kernel import finite
from sympact.integrate.memory.run_codes import AFTER, ENERGY, INSTEAD
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.memory.run_tolerances import DEAD_BAND, DRIFT
from sympact.integrate.search.switch_kernel import mark_idle, notice, settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals

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
def take_jumps(contacts, t, x_address, record, later):
    """Apply the jumps that are due, in their order; each reads what those before have written.

    Conditions that change by them can have further jumps due, until none is. Latches that close have their impact.
    Returns (code, whether one takes the place of the impact, whether latches that close changed the speeds).
    """
    model, instead, latched = contacts.model, False, False
    switches = switches_at(model.switches)
    x, after = reals(x_address, model.n_q + model.n_u), switches.state_after
    due, turn, jumps = switches.due, switches.turn, switches.jumps
    latch, closes = switches.latch, switches.closes
    for _ in range(ROUNDS):
        closing = False
        for k in range(switches.n_jumps):
            if due[k] == 1 and (later == 1 or turn[k] != AFTER):
                due[k] = 0
                instead = instead or turn[k] == INSTEAD
                closing = closing or (latch[k] >= 0 and closes[k] == 1)
                call_flow(jumps[k], t, x, switches.parameters, after)
                if not finite(after):
                    return codes.NOT_FINITE, instead, latched
                contacts.mode.speeds_changed = 1
                for i in range(x.size):
                    x[i] = after[i]
        if closing:
            keep_speeds(contacts, x)
            latched = follow_drives(contacts, t, x, record) or latched
        if model.normalize != 0:
            call_flow(model.normalize, t, x, model.free_data, x)
        settle(model.switches, t, x_address, 0, 1)
        notice(model.switches, 1)
        mark_idle(model.switches, x_address)
        if not jumps_due(model.switches, later):
            return codes.SOLVED, instead, latched
    return codes.UNSETTLED, instead, latched


@kernel
def follow_drives(contacts, t, x, record):
    """The impact of bilateral constraints whose prescribed speeds jump at a switch, or that close; whether any did.

    M (u+ - u-) = A^T K, A u+ + a+ = 0, which is the projection of the speeds in the metric of M; its energy without the
    work of the drives is that of u+ - u-.
    """
    model, problem = contacts.model, contacts.problem
    if model.meet_speeds == 0:
        return False
    read_terms(contacts, t, x)
    call_flow(model.meet_speeds, t, x, model.free_data, x)
    nq, change, before = model.n_q, problem.change, problem.speeds_before
    for k in range(model.n_u):
        change[k] = x[nq + k] - before[k]
    jump, motion = kinetic_energy(contacts, change, 0), kinetic_energy(contacts, x, nq)
    keep_speeds(contacts, x)
    if not jump > DRIFT * DRIFT * motion:
        return False
    record[ENERGY] -= jump
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
def place_contacts(contacts, t, x, gaps, fired, jumped):
    """Open the contacts that are apart after an event; False where one is below its surface.

    After a jump of the state (`jumped`) also those that approach, so that the law applies with their restitution.
    `gaps` become those of the state after the event.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    read_gaps(contacts, t, x)
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
