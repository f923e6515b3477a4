"""The beginning of an event, its arrays, and how a phase says whether it goes on."""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.audit_kernel import keep_speeds
from sympact.integrate.memory.run_codes import HEAD
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, wholes


@kernel
def begin(contacts, t, x_address, fired_address, gaps_address, record_address):
    """Nothing has happened yet; the speeds are those before the event."""
    event, mode = contacts.event, contacts.mode
    event.t, event.x, event.fired, event.gaps = t, x_address, fired_address, gaps_address
    event.record, event.pushes = record_address, record_address + 8 * (HEAD + mode.n_boundaries)
    event.n_pushes = 3 * mode.n_contacts if contacts.model.slips != 0 else 0
    event.answer, event.ahead = codes.SOLVED, 0.0
    event.branched = event.met = event.driven = event.jumped = event.instead = event.latched = event.ever_latched = 0
    event.released = event.was_at_rest = event.at_rest = event.hit = event.moved = event.changed = 0
    event.accounted = event.rebounding = 0
    mode.speeds_changed = 0
    keep_speeds(contacts, state_of(contacts))


@kernel
def state_of(contacts):
    """The state, which the phases change."""
    return reals(contacts.event.x, contacts.model.n_q + contacts.model.n_u)


@kernel
def fired_of(contacts):
    """Which boundaries take part, 0 or 1."""
    return wholes(contacts.event.fired, contacts.mode.n_boundaries)


@kernel
def gaps_of(contacts):
    """g, then g', then g'' of the boundaries."""
    return reals(contacts.event.gaps, 3 * contacts.mode.n_boundaries)


@kernel
def record_of(contacts):
    """The numbers that the event reports, see `run_codes`."""
    return reals(contacts.event.record, HEAD + contacts.mode.n_boundaries)


@kernel
def pushes_of(contacts):
    """The friction impulses that the event reports; none without friction."""
    return reals(contacts.event.pushes, contacts.event.n_pushes)


@kernel
def goes_on(contacts, code):
    """Whether the event goes on after a phase: where its code is SOLVED; another one is the answer."""
    contacts.event.answer = code
    return code == codes.SOLVED
