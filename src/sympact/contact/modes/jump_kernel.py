"""Jumps of the user's own at an event: in their order, until none is due; the contacts at the state that they leave."""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.problem.assemble_kernel import read_gaps, scales
from sympact.contact.problem.frictionless_kernel import finite
from sympact.integrate.memory.run_codes import AFTER, INSTEAD
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.integrate.search.switch_kernel import notice, settle
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
def take_jumps(contacts, t, x_address, later):
    """Apply the jumps that are due, in their order; each reads what those before have written.

    Conditions that change by them can have further jumps due, until none is. Returns (code, whether one takes the place
    of the impact).
    """
    model, instead = contacts.model, False
    switches = switches_at(model.switches)
    x, after = reals(x_address, model.n_q + model.n_u), switches.state_after
    due, turn, jumps = switches.due, switches.turn, switches.jumps
    for _ in range(ROUNDS):
        for k in range(switches.n_jumps):
            if due[k] == 1 and (later == 1 or turn[k] != AFTER):
                due[k] = 0
                instead = instead or turn[k] == INSTEAD
                call_flow(jumps[k], t, x, switches.parameters, after)
                if not finite(after):
                    return codes.NOT_FINITE, instead
                for i in range(x.size):
                    x[i] = after[i]
        if model.normalize != 0:
            call_flow(model.normalize, t, x, model.free_data, x)
        settle(model.switches, t, x_address, 0, 1)
        notice(model.switches, 1)
        if not jumps_due(model.switches, later):
            return codes.SOLVED, instead
    return codes.UNSETTLED, instead


@kernel
def activates(data):
    """Whether switches decide which contacts are active."""
    return data != 0 and switches_at(data).activates == 1


@kernel
def place_contacts(contacts, t, x, gaps, fired, jumped):
    """Open the contacts that are apart after an event; False where one is below its surface.

    After a jump of the state (`jumped`) also those that approach, so that the law applies. `gaps` become those of the
    state after the event.
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
