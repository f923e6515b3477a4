"""Whether modes agree with the slips of the state from which their arc starts.

Modes are selected on trial, where slips that count as none at the event are zero. The projection that ends the slip of
one contact may change that of another one, whose direction depends on it within the rank, against the slip that its
friction opposes; or a slip that is none at the event is one in the arc, whose limit is that of its state alone. The arc
would begin with friction of the wrong sign, and other contacts with forces outside their cones.
"""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.slip_scale_kernel import begin_arc_errors
from sympact.contact.problem.assemble_kernel import list_closed, read_own_gaps
from sympact.contact.problem.slip_kernel import has_no_slip, read_own_slips, slip_along
from sympact.native.kernel import kernel
from sympact.native.pointer import reals


def compare_slips(t, x_address, data, out_address):
    """Whether all contacts slip at a state as they do in the modes selected, into `slips_agree`.

    `slip_error` is that of the arc from then on.
    """
    contacts = contacts_at(data)
    mode, slips = contacts.mode, False
    x = reals(x_address, contacts.model.n_q + contacts.model.n_u)
    mode.slips_agree = 1
    for j in range(mode.n_contacts):
        slips = slips or mode.status[j] == codes.SLIP
    if not slips:
        return
    mark_slips_back(contacts, t, x)
    begin_arc_errors(contacts, t, x)
    for j in range(mode.n_contacts):
        if mode.status[j] != codes.SLIP:
            continue
        begins = has_no_slip(contacts, j)
        if mode.begins_to_slip[j] == 0 if begins else mode.departing[j] == 1:
            mode.slips_agree = 0


@kernel
def mark_slips_back(contacts, t, x):
    """Mark in `departing` the contacts that slip against the direction for which their mode was selected."""
    mode, count = contacts.mode, list_closed(contacts)
    read_own_gaps(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for j in range(mode.n_contacts):
        mode.departing[j] = 1 if mode.status[j] == codes.SLIP and slip_along(contacts, j) < 0.0 else 0
