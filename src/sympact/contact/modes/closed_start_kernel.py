"""The start of arcs and steps with closed contacts in a constrained model: of the constraints, then of the contacts."""

from sympact.contact.constraints.start_formulation_kernel import begin_formulation, prepare_formulation
from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view

bilateral_at = view(Bilateral)


@kernel
def constraints_of(contacts):
    """The constraints, whose table is the data of the free motion."""
    return bilateral_at(contacts.model.free_data)


def begin_closed(t, x, data, out):
    """See `Stage.begin`."""
    bilateral = constraints_of(contacts_at(data))
    state = reals(x, bilateral.n_q + bilateral.n_u)
    begin_formulation(bilateral, t, state)
    if bilateral.contact_begin != 0:
        call_flow(bilateral.contact_begin, t, state, data, state)


def prepare_closed(t, x, data, out):
    """See `Stage.prepare`."""
    bilateral = constraints_of(contacts_at(data))
    state = reals(x, bilateral.n_q + bilateral.n_u)
    prepare_formulation(bilateral, t, state)
    if bilateral.contact_prepare != 0:
        call_flow(bilateral.contact_prepare, t, state, data, state)
