"""The contacts that stay closed: complementarity of accelerations, 0 <= lambda _|_ g'' >= 0.

A contact that has come to rest, or whose rebounds have become low, is a candidate. All candidates are solved at once:
closed one by one they never bring an edge or a face to rest. The candidates' gap rates are removed on trial; those
without a force are dropped and keep their own speed; this is repeated with the rest until none drops.
"""

from sympact.contact.linalg.cholesky_kernel import append, split
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_DISTANCE, RANK, STEADY
from sympact.contact.modes.painleve_kernel import DROPPED, drop_leaving, indeterminate, jammed, separates
from sympact.contact.modes.release_kernel import drop_opening, drop_rebounding
from sympact.contact.modes.slip_scale_kernel import slips_back
from sympact.contact.problem.assemble_kernel import (
    assemble_accelerations,
    jacobian,
    list_closed,
    read_gaps,
    read_terms,
    scales,
    time_scale,
)
from sympact.contact.problem.frictionless_kernel import basis_of
from sympact.contact.problem.rest_kernel import length_by_mass, residual_acceleration, rests
from sympact.contact.problem.slip_kernel import has_no_slip, slip_along
from sympact.integrate.memory.run_codes import BY_RATES, BY_VALUES, IGNORED
from sympact.integrate.memory.run_tolerances import GAP_ROUNDING, NEGLIGIBLE, PRESSED, PROBE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading

FARTHEST = 1e4  # and finally, where loads change slowly and nothing moves


@kernel
def reference(contacts):
    """The largest acceleration of a contact's gap: by `along` and `rates`, which must come from the free motion, and W.

    A gap's own may vanish, as where a table falls away: the contributions of the speeds' accelerations remain.
    """
    problem = contacts.problem
    nq, m, n, largest = problem.n_q, problem.n_u, problem.n_contacts, 0.0
    accelerations, rates, wt = problem.gap_acceleration, problem.rates, jacobian(contacts)
    for j in range(n):
        parts = 0.0
        for k in range(m):
            parts += abs(wt[j, k] * rates[nq + k])
        largest = max(largest, abs(accelerations[j]), parts)
    return largest


@kernel
def list_candidates(contacts):
    """The candidates into `participants`; returns how many there are."""
    mode, problem = contacts.mode, contacts.problem
    n, count = problem.n_contacts, 0
    who, candidate = problem.participants, mode.candidate
    for j in range(n):
        if candidate[j] == 1:
            who[count] = j
            count += 1
    problem.count = count
    return count


@kernel
def ask(contacts, t, x):
    """Solve for the forces of the candidates at a state; the solver's code."""
    model, problem = contacts.model, contacts.problem
    read_gaps(contacts, t, x)
    read_terms(contacts, t, x)
    list_candidates(contacts)
    assemble_accelerations(contacts, problem.gap_acceleration)
    if model.slips != 0:
        call_flow(model.assemble_slip, t, x, contacts.address, x)
    return call_unit(model.force_solver, contacts.address)


@kernel
def select(contacts, t, x, moving):
    """Keep the candidates with a force; the gap rates of `moving` ones are removed.

    Returns a solver's code, or PAINLEVE where friction leaves no motion or several.
    """
    model, problem = contacts.model, contacts.problem
    size = x.size
    trial = leading(problem.trial, size)
    for _ in range(problem.n_contacts + 1):
        if list_candidates(contacts) == 0:
            return codes.SOLVED
        for i in range(size):
            trial[i] = x[i]
        taken = 0.0
        if moving:
            call_flow(model.project_velocities, t, trial, contacts.address, trial)
            taken = contacts.mode.removed_energy
        code = ask(contacts, t, trial)
        if code == codes.UNSOLVED and model.slips != 0 and call_unit(model.slide_at_dead_points, contacts.address) > 0:
            contacts.solvers.dead_points += 1
            read_terms(contacts, t, trial)
            code = call_unit(model.force_solver, contacts.address)
        if code == codes.UNSOLVED and jammed(contacts):
            if moving and drop_leaving(contacts, t, x):
                continue
            return codes.PAINLEVE
        if code == codes.SOLVED and model.slips != 0:
            call_flow(model.keep_sticking, t, trial, contacts.address, trial)
        if code == codes.SOLVED and indeterminate(contacts):
            if (moving and drop_leaving(contacts, t, x)) or separates(contacts):
                continue
            return codes.PAINLEVE
        if code != codes.SOLVED:
            return code
        if not drop_opening(contacts, reference(contacts)) and not drop_rebounding(contacts, -taken):
            return code
    return codes.SOLVED


@kernel
def note_stopping(contacts, t, x):
    """Mark in `next_status` the contacts whose slip has ended: their next status is decided at once."""
    model, mode = contacts.model, contacts.mode
    n = mode.n_contacts
    status, stopping = mode.status, mode.next_status
    if model.slips != 0:
        list_closed(contacts)
        read_gaps(contacts, t, x)
        call_flow(model.measure_slip, t, x, contacts.address, x)
    for j in range(n):
        stopping[j] = 1 if status[j] == codes.SLIP and has_no_slip(contacts, j) else 0


@kernel
def note_pressed(contacts, t, x):
    """Mark in `next_status` the contacts that press on as a model at rest begins to move: they do not release it."""
    model, mode, values = contacts.model, contacts.mode, contacts.problem.margins
    call_flow(model.closed_margins, t, x, contacts.address, values)
    for j in range(mode.n_contacts):
        if mode.status[j] != codes.OPEN and values[j] > PRESSED * model.length:
            mode.next_status[j] = 1


@kernel
def turned(contacts, fired):
    """True when a contact whose slip has ended slips on in another direction, or one slips back that began to slip."""
    model, mode = contacts.model, contacts.mode
    n, found = mode.n_contacts, False
    status, candidate = mode.status, mode.candidate
    following = mode.next_status
    for j in range(n if model.slips != 0 else 0):
        slips_on = status[j] == codes.SLIP and following[j] == codes.SLIP and candidate[j] == 1
        found = found or (slips_on and fired[j] == 1 and (mode.sticky[j] == 1 or slips_back(contacts, j)))
    return found


@kernel
def look_ahead(contacts, t, x, fired):
    """A time after which a contact that fired clearly pulls, by the present rates; 0 if none does.

    The state at that time is stored in `ahead_state`. The end of a slip limits it.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, size, found = problem.n_contacts, x.size, False
    values, stopping = problem.margins, mode.next_status
    note_stopping(contacts, t, x)
    if contacts.event.was_at_rest == 1:
        note_pressed(contacts, t, x)
    for k in range(n):
        found = found or may_pull(contacts, fired, k)
    if not found:
        return 0.0
    ahead_state, rates = leading(problem.ahead_state, size), leading(problem.trial, size)
    length, tau = model.length, time_scale(contacts)
    ahead = PROBE * tau
    call_flow(model.closed_flow, t, x, contacts.address, rates)
    while ahead <= FARTHEST * tau:
        for i in range(size):
            ahead_state[i] = x[i] + ahead * rates[i]
        call_flow(model.closed_margins, t + ahead, ahead_state, contacts.address, values)
        if slip_ends(contacts, stopping):
            return 0.0
        for k in range(n):
            if may_pull(contacts, fired, k) and values[k] < -PRESSED * length:
                return ahead
        ahead *= 4.0
    return 0.0


@kernel
def may_pull(contacts, fired, k):
    """Whether contact k fired by its force: it is closed, and neither `note_stopping` nor `note_pressed` marked it."""
    mode = contacts.mode
    return fired[k] == 1 and mode.status[k] != codes.OPEN and mode.next_status[k] == 0


@kernel
def slip_ends(contacts, stopping):
    """True when a contact that slips, and was not stopping, does not slip in its direction any more, by the last
    slips."""
    mode = contacts.mode
    status, found = mode.status, False
    for j in range(mode.n_contacts):
        if status[j] == codes.SLIP and stopping[j] == 0:
            found = found or slip_along(contacts, j) <= 0.0
    return found


@kernel
def enter(contacts):
    """The candidates, with the last forces, become the closed contacts; returns whether any status changed.

    A contact without force that the others constrain is redundant: its force is not watched.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    m, n = problem.n_u, problem.n_contacts
    candidate, following = mode.candidate, mode.next_status
    active = mode.watched
    force, lengths = problem.impulse, problem.lengths
    who, a, basis = problem.participants, problem.columns, basis_of(problem.basis)
    for j in range(n):
        following[j], active[j] = following[j] if candidate[j] == 1 else codes.OPEN, BY_RATES
    count = list_candidates(contacts)
    basis.count[0] = 0
    for bearing in range(2):
        for i in range(count):
            if (force[i] > 0.0) == (bearing == 0):
                length = split(basis, a, i, m)
                if length > RANK:
                    append(basis, i, length, m)
                watched = lengths[i] > 0.0 and (bearing == 0 or length > RANK)
                active[who[i]] = BY_VALUES if watched else IGNORED
                if model.slips != 0 and not watched:
                    following[who[i]] = codes.UNLOADED
    return take_statuses(contacts)


@kernel
def take_statuses(contacts):
    """The statuses in `next_status` become the present ones; returns whether any changed."""
    mode = contacts.mode
    n, changed = mode.n_contacts, False
    status, following = mode.status, mode.next_status
    for j in range(n):
        changed = changed or status[j] != following[j]
        status[j] = following[j]
    return changed


@kernel
def touching_gap(contacts, j):
    """The height below which the gap of contact j is rounding."""
    model = contacts.model
    length = model.length
    return max(GAP_ROUNDING * length, model.gap_rounding[j])


@kernel
def join_touching(contacts, t, x, fired):
    """Open contacts that the closed ones constrain, such as the fourth corner of a face, become candidates.

    Returns whether there are any; they count as taking part in the event.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, nb, found = problem.n_contacts, problem.n_boundaries, False
    if list_closed(contacts) == 0:
        return False
    read_gaps(contacts, t, x)
    along = problem.along
    status, candidate = mode.status, mode.candidate
    slow = NO_DISTANCE * model.length / time_scale(contacts)
    for j in range(n):
        if status[j] != codes.OPEN or candidate[j] == DROPPED:
            continue
        touches = abs(along[j]) <= touching_gap(contacts, j) and abs(along[nb + j]) <= slow
        if touches:
            candidate[j] = fired[j] = 1
            problem.rebound[j] = 0.0
            found = True
    return found


@kernel
def come_to_rest(contacts, t, x):
    """Stop a state that the closed contacts keep at rest: its speeds become zero. Returns whether it is at rest."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    nq, m, n, size = problem.n_q, problem.n_u, problem.n_contacts, x.size
    status = mode.statuses
    status[n] = 0
    if list_closed(contacts) == 0:
        return False
    trial = leading(problem.trial, size)
    for i in range(size):
        trial[i] = x[i] if i < nq else 0.0
    rates = leading(problem.rates, size)
    call_flow(model.closed_flow, t, trial, contacts.address, trial)
    if not residual_acceleration(contacts) <= NEGLIGIBLE:
        return False
    for i in range(nq):
        if rates[i] != 0.0:
            return False
    if not (speed_is_none(contacts, x) and rests(contacts, t, x)):
        return False
    for k in range(m):
        x[nq + k] = 0.0
    status[n] = 1
    return True


@kernel
def speed_is_none(contacts, x):
    """True when the speeds are rounding relative to those of the free acceleration over the time scale."""
    problem = contacts.problem
    m, speed = problem.n_u, problem.trial_speeds
    for k in range(m):
        speed[k] = x[problem.n_q + k]
    change = problem.change
    free = length_by_mass(contacts, problem.rates_of_speeds, change, 1.0)
    return length_by_mass(contacts, speed, change, 0.0) <= NO_DISTANCE * time_scale(contacts) * free


@kernel
def project_closed_contacts(contacts, t, x):
    """Project the closed gaps and gap rates to zero; returns the energy of the rates.

    The projection may give open contacts that touch a slow approach: that is removed, too, as is the approach that a
    law leaves by rounding. An approach by the impact itself is another impact.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    if list_closed(contacts) == 0:
        return 0.0
    (_, none) = scales(contacts)
    mark_sent(contacts, t, x)
    list_closed(contacts)
    call_flow(model.project_positions, t, x, contacts.address, x)
    taken = mode.removed_energy
    for _ in range(problem.n_contacts):
        if list_approaching(contacts, t, x, none) == problem.count:
            break
        call_flow(model.project_velocities, t, x, contacts.address, x)
        taken += mode.removed_energy
    return taken


@kernel
def mark_sent(contacts, t, x):
    """Mark in `departing` the open contacts that approach before the projection."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    who, sent = problem.participants, mode.departing
    slow = NO_DISTANCE * model.length / time_scale(contacts)
    for j in range(problem.n_contacts):
        sent[j] = 0
    for i in range(list_approaching(contacts, t, x, slow), problem.count):
        sent[who[i]] = 1


@kernel
def list_approaching(contacts, t, x, slow):
    """List the closed contacts, and after them open ones that touch and approach faster; returns how many are closed.

    Such an approach is slower than one that closes a contact; a contact without losses keeps its own, and so does one
    SENT.
    """
    mode, problem = contacts.mode, contacts.problem
    n, nb, count = problem.n_contacts, problem.n_boundaries, list_closed(contacts)
    read_gaps(contacts, t, x)
    along, sent = problem.along, mode.departing
    who, status, given = problem.participants, mode.status, problem.event_restitution
    low, _ = scales(contacts)
    for j in range(n):
        touches = status[j] == codes.OPEN and abs(along[j]) <= touching_gap(contacts, j)
        if touches and given[j] < STEADY and sent[j] == 0 and -low <= along[nb + j] < -slow:
            who[problem.count] = j
            problem.count += 1
    return count
