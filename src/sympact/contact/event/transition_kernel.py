"""The event of a stage with contacts as phases, which share one memory, `Event`.

A phase is a kernel ``(contacts) -> bool``: whether the event goes on. One that ends it has written the answer, a
negative code, or the stage entered.
"""

from sympact.contact.event.event_view_kernel import begin, fired_of, goes_on, pushes_of, record_of, state_of
from sympact.contact.event.impact_kernel import apply_friction_impact, apply_impact, measure_after
from sympact.contact.event.jump_kernel import ROUNDS, activates, follow_drives, jump, jumps_due, place_contacts
from sympact.contact.event.name_kernel import name, pass_by
from sympact.contact.event.resolve_kernel import resolve
from sympact.contact.event.restitution_kernel import choose_restitutions
from sympact.contact.event.take_part_kernel import bears, closed_fired, contact_fired, take_part
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.audit_kernel import audit, keep_momentum
from sympact.contact.modes.select_modes_kernel import come_to_rest, look_ahead
from sympact.contact.modes.slip_scale_kernel import begin_slip_errors, keep_slips
from sympact.contact.problem.assemble_kernel import count_closed
from sympact.integrate.memory.run_codes import ACCUMULATED, ENDS, KIND
from sympact.integrate.search.switch_kernel import (
    begin_event,
    branches,
    end_event,
    find_forces,
    flip,
    follow_closed,
    hold_forces,
    mark_crossed,
    mark_idle,
    notice,
    notice_accumulation,
    selects_branches,
    settle,
)
from sympact.native.kernel import kernel


def transition(t, x_address, fired_address, gaps_address, data, record_address):
    """The transition of stages with contacts, see `Stage.transition`; `data` is a `ContactData` table."""
    contacts = contacts_at(data)
    begin_event(contacts.model.switches)
    begin(contacts, t, x_address, fired_address, gaps_address, record_address)
    go_through(contacts)
    end_event(contacts.model.switches)
    return contacts.event.answer


@kernel
def go_through(contacts):
    """The phases in their order, from the boundaries that fired to the stage entered."""
    return (
        conditions(contacts)
        and new_branches(contacts)
        and jumps_before(contacts)
        and participants(contacts)
        and impact(contacts)
        and modes(contacts)
        and rest(contacts)
        and jumps_after(contacts)
        and jumps_of_forces(contacts)
        and name(contacts)
    )


@kernel
def conditions(contacts):
    """Conditions that fired change their sides; an event of nothing else ends here."""
    event, switches = contacts.event, contacts.model.switches
    turned = flip(switches, event.fired)
    event.branched = branches(switches, event.fired)
    if turned > 0:
        follow_closed(switches, count_closed(contacts) if turned > 1 else 0)
        settle(switches, event.t, event.x, event.fired, 0)
        follow_closed(switches, 0)
    mark_idle(switches, event.x)
    event.met = notice(switches, 0)
    if record_of(contacts)[ENDS] == ACCUMULATED:
        notice_accumulation(switches)
    if turned > event.branched == 0 and not contact_fired(contacts) and not jumps_due(switches, 1):
        return pass_by(contacts)
    return True


@kernel
def new_branches(contacts):
    """Where conditions in the equations changed their branch, prescribed speeds jump, and contacts become active."""
    event, model, mode = contacts.event, contacts.model, contacts.mode
    event.driven = event.branched > 0 and follow_drives(contacts)
    if model.slips != 0:
        keep_slips(contacts)
        stopped = mode.stopped
        for j in range(mode.n_contacts):
            stopped[j] = 0
    if event.branched > 0 and activates(model.switches) and not place_contacts(contacts, False):
        return goes_on(contacts, codes.BELOW_SURFACE)
    return True


@kernel
def jumps_before(contacts):
    """The jumps of the user's own that precede an impact."""
    return jump(contacts, 0) if jumps_due(contacts.model.switches, 0) else True


@kernel
def participants(contacts):
    """Who takes part, with rates and restitutions; whether there is an impact."""
    event, statuses, n = contacts.event, contacts.mode.statuses, contacts.mode.n_contacts
    event.released, event.was_at_rest = closed_fired(contacts), statuses[n] == 1
    statuses[n] = 0
    if contacts.model.slips != 0:
        begin_slip_errors(contacts, event.t, state_of(contacts), fired_of(contacts))
    if event.released == 1:
        event.ahead = look_ahead(contacts, event.t, state_of(contacts), fired_of(contacts))
    if not take_part(contacts):
        return False
    approaches = choose_restitutions(contacts)
    event.hit = (approaches or (event.latched == 1 and bears(contacts))) and event.instead == 0
    return True


@kernel
def impact(contacts):
    """The impact by the law, and the conditions that it crosses."""
    if contacts.event.hit == 0:
        return True
    return apply_impact(contacts, False) and notice_after(contacts)


@kernel
def modes(contacts):
    """The contacts that are closed after it; in Painleve's paradox after an impact without collision, where wanted."""
    found = resolve(contacts)
    wanted = contacts.model.impact_where_no_force != 0 or contacts.mode.painleve_kind == codes.AT_ONCE
    if contacts.event.answer != codes.PAINLEVE or not wanted:
        return found
    return apply_friction_impact(contacts) and notice_after(contacts) and resolve(contacts)


@kernel
def notice_after(contacts):
    """The conditions that an impact or a jump has crossed, and the rates after it in the branches that it has left."""
    event, switches = contacts.event, contacts.model.switches
    if event.hit == 1 and selects_branches(switches):
        keep_momentum(contacts, event.t, state_of(contacts), record_of(contacts), pushes_of(contacts))
    settle(switches, event.t, event.x, event.fired, 1)
    event.met += notice(switches, 1)
    if event.hit == 1 and branches(switches, event.fired) > 0:
        measure_after(contacts)
    return True


@kernel
def rest(contacts):
    """Whether all has come to rest; the audit of the impacts."""
    event, mode = contacts.event, contacts.mode
    stirred = event.was_at_rest == 1 and event.released == 1
    event.at_rest = not stirred and come_to_rest(contacts, event.t, state_of(contacts))
    mode.statuses[mode.n_contacts] = event.at_rest
    fault = audit(contacts, event.t, state_of(contacts), record_of(contacts), pushes_of(contacts))
    return True if fault == 0 else goes_on(contacts, codes.UNBALANCED)


@kernel
def jumps_after(contacts):
    """The jumps of the user's own that follow an impact."""
    if not jumps_due(contacts.model.switches, 1):
        return True
    event, record = contacts.event, record_of(contacts)
    named, kind = event.moved == 1 or event.changed == 1, record[KIND]
    found = jump_and_resolve(contacts)
    record[KIND] = kind if named else record[KIND]
    return found


@kernel
def jumps_of_forces(contacts):
    """The conditions that the motion after the event or its forces cross, with their jumps, until none is due."""
    event, switches, record = contacts.event, contacts.model.switches, record_of(contacts)
    named, kind = event.moved == 1 or event.changed == 1, record[KIND]
    for _ in range(ROUNDS):
        if not find_forces(switches, count_closed(contacts)):
            return True
        settle(switches, event.t, event.x, event.fired, 1)
        event.met += notice(switches, 1)
        if not jumps_due(switches, 1):
            record[KIND] = kind if named else record[KIND]
            return True
        hold_forces(switches)
        if not jump_and_resolve(contacts):
            return False
    mark_crossed(switches, fired_of(contacts))
    return goes_on(contacts, codes.UNSETTLED)


@kernel
def jump_and_resolve(contacts):
    """All jumps that are due after an impact, and the contacts that stay closed after them.

    The approach of a contact after them is an impact of the next event, unless closed contacts bear the impact of a
    latch.
    """
    event, mode, changed = contacts.event, contacts.mode, contacts.event.changed
    if not (jump(contacts, 1) and take_part(contacts)):
        return False
    choose_restitutions(contacts)
    event.hit, event.ahead = event.latched == 1 and bears(contacts), 0.0
    if event.hit == 1 and not apply_impact(contacts, False):
        return False
    found = resolve(contacts)
    mode.statuses[mode.n_contacts] = found and come_to_rest(contacts, event.t, state_of(contacts))
    event.changed = changed == 1 or event.changed == 1 or event.hit == 1
    return found
