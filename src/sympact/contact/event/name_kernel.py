"""The kind of an event, and the stage that it enters."""

import math

from sympact.contact.event.event_view_kernel import fired_of, goes_on, record_of
from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.slip_scale_kernel import restore_slips
from sympact.contact.problem.assemble_kernel import list_closed
from sympact.integrate.memory.run_codes import (
    CROSSING,
    ENDS,
    IMPACT,
    KIND,
    NEAREST,
    REFERENCE_ACCELERATION,
    STOP_KIND,
    SWITCH,
    TRANSITION_KIND,
)
from sympact.integrate.search.switch_kernel import mark_crossed
from sympact.native.kernel import kernel

FREE_STAGE, CLOSED_STAGE = 0, 1


@kernel
def name(contacts):
    """The kind of the event, and the stage entered: the last phase."""
    event, record = contacts.event, record_of(contacts)
    ends = mark_crossed(contacts.model.switches, fired_of(contacts))
    record[ENDS] = 1.0 if ends else 0.0
    if event.moved == 0 and event.changed == 0 and not name_without_contacts(contacts, ends):
        if contacts.model.slips != 0:
            restore_slips(contacts)
        return goes_on(contacts, codes.NO_EFFECT if contacts.mode.n_contacts > 0 else codes.PASSED)
    record[KIND] = IMPACT if event.ever_latched == 1 else record[KIND]
    event.answer = present_stage(contacts)
    return True


@kernel
def name_without_contacts(contacts, ends):
    """The kind of an event that changed no contact; whether it has any effect."""
    event, record = contacts.event, record_of(contacts)
    if event.jumped == 1:
        record[KIND] = TRANSITION_KIND
        unmark_contacts(contacts)
    elif event.branched > 0:
        record[KIND] = IMPACT if event.driven == 1 else SWITCH
    elif event.met > 0:
        record[KIND] = STOP_KIND if ends else CROSSING
    else:
        return event.at_rest != event.was_at_rest
    return True


@kernel
def pass_by(contacts):
    """The end of an event in which nothing but conditions of the user's own was crossed: no state and no mode changes.

    Always False, as a phase that ends the event.
    """
    event, mode, record = contacts.event, contacts.mode, record_of(contacts)
    ends = mark_crossed(contacts.model.switches, fired_of(contacts))
    record[REFERENCE_ACCELERATION], record[NEAREST] = mode.reference_acceleration, math.inf
    record[ENDS], record[KIND] = 1.0 if ends else 0.0, STOP_KIND if ends else CROSSING
    event.answer = present_stage(contacts) if event.met > 0 else codes.PASSED
    return False


@kernel
def present_stage(contacts):
    """The stage of the contacts as they are."""
    return CLOSED_STAGE if list_closed(contacts) > 0 else FREE_STAGE


@kernel
def unmark_contacts(contacts):
    """No contact takes part in an event that changes none."""
    fired = fired_of(contacts)
    for j in range(contacts.mode.n_contacts):
        fired[j] = 0
