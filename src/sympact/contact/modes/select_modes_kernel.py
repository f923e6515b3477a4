"""Which contacts stay closed: complementarity of accelerations, 0 <= lambda _|_ g'' >= 0.

A contact that has come to rest, or whose hops have become low, is a candidate. All candidates are asked at once: closed
one by one they never settle an edge or a face. The candidates' gap rates are taken out on trial; those that the forces
do not hold are dropped and keep their own speed; this is repeated with the rest until none drops.
"""

from sympact.contact.linalg.cholesky_kernel import append, split
from sympact.contact.linalg.min_norm_kernel import DISTINCT
from sympact.contact.memory import contact_layout as at
from sympact.contact.modes.painleve_kernel import DROPPED, drop_leaving, jammed, lifts_off, undecided
from sympact.contact.problem.assemble_kernel import (
    STEADY,
    jacobian,
    list_closed,
    pose_accelerations,
    read_gaps,
    read_terms,
    scales,
    time_scale,
)
from sympact.contact.problem.closed_kernel import STILL, length_by_mass, unrest
from sympact.contact.problem.frictionless_kernel import basis_at
from sympact.contact.problem.slip_kernel import is_slow, slip_direction
from sympact.integrate.memory.run_layout import BY_RATES, BY_VALUES, IGNORED
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2, wholes

OPENING = 1e-9  # acceleration, relative to that without forces, above which a contact opens
AHEAD = 1e-6  # of the time scale: how far ahead a contact that begins to open is asked at first
FARTHEST = 1e4  # and at last, where loads change slowly and nothing moves
DEFINITE = 1e-8  # by how much a force must then pull, relative to the largest acceleration
TOUCHING_GAP = 1e-13  # of the length: a gap that is rounding
TOUCHING_RATE = 1e-12  # of the length in the time scale: a gap rate that is rounding
REST = 1e-12  # of the speed that the free acceleration gives in the time scale: a speed that is none


@kernel
def reference(table):
    """The largest acceleration of a contact's gap: by ALONG and RATES, which must come from the free motion, and W.

    A gap's own may vanish, as where a table falls away: the parts that the speeds' accelerations have in it stay.
    """
    nq, m, n, nb, largest = table[at.N_Q], table[at.N_U], table[at.N_C], table[at.N_B], 0.0
    bends, rates, wt = reals(table[at.ALONG] + 16 * nb, nb), reals(table[at.RATES], nq + m), jacobian(table)
    for j in range(n):
        parts = 0.0
        for k in range(m):
            parts += abs(wt[j, k] * rates[nq + k])
        largest = max(largest, abs(bends[j]), parts)
    return largest


@kernel
def list_candidates(table):
    """The candidates into WHO; returns how many there are."""
    n, count = table[at.N_C], 0
    who, candidate = wholes(table[at.WHO], n), wholes(table[at.CANDIDATE], n)
    for j in range(n):
        if candidate[j] == 1:
            who[count] = j
            count += 1
    table[at.COUNT] = count
    return count


@kernel
def drop_opening(table, largest):
    """Candidates whose gaps accelerate although they push with no force are none any more; True if there were any."""
    n, dropped = table[at.N_C], False
    who, candidate = wholes(table[at.WHO], n), wholes(table[at.CANDIDATE], n)
    after, force = reals(table[at.RATE_PLUS], n), reals(table[at.IMPULSE], n)
    for i in range(table[at.COUNT]):
        if after[i] > OPENING * largest and not force[i] > 0.0:
            candidate[who[i]] = DROPPED
            dropped = True
    return dropped


@kernel
def ask(table, t, x):
    """Solve for the forces of the candidates at a state; the solver's answer."""
    nb = table[at.N_B]
    read_gaps(table, t, x)
    read_terms(table, t, x)
    list_candidates(table)
    table[at.POSED] = at.FORCES
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    if table[at.RUB] != 0:
        call_flow(table[at.POSE_SLIP], t, x, table[at.SELF], x)
    return call_unit(table[at.FORCE_SOLVER], table[at.SELF])


@kernel
def select(table, t, x, moving):
    """Keep the candidates that forces hold; the gap rates of `moving` ones are taken out.

    Returns a solver's answer, or JAMMED where friction leaves no motion or several.
    """
    size = x.size
    trial = reals(table[at.TRIAL], size)
    for _ in range(table[at.N_C] + 1):
        if list_candidates(table) == 0:
            return at.SOLVED
        for i in range(size):
            trial[i] = x[i]
        if moving:
            call_flow(table[at.TAKE_RATES], t, trial, table[at.SELF], trial)
        code = ask(table, t, trial)
        if code == at.UNSOLVED and table[at.RUB] != 0 and call_unit(table[at.SLIDE_AT_DEAD_POINTS], table[at.SELF]) > 0:
            read_terms(table, t, trial)
            code = call_unit(table[at.FORCE_SOLVER], table[at.SELF])
        if code == at.UNSOLVED and jammed(table):
            if moving and drop_leaving(table, t, x):
                continue
            return at.JAMMED
        if code == at.SOLVED and table[at.RUB] != 0:
            call_flow(table[at.KEEP_STICKING], t, trial, table[at.SELF], trial)
        if code == at.SOLVED and undecided(table):
            if (moving and drop_leaving(table, t, x)) or lifts_off(table):
                continue
            return at.JAMMED
        if code != at.SOLVED or not drop_opening(table, reference(table)):
            return code
    return at.SOLVED


@kernel
def note_stopping(table, t, x):
    """Mark in NEXT the contacts whose slip has come to an end: what they do next is decided at once."""
    n = table[at.N_C]
    status, stopping = wholes(table[at.STATUS], n), wholes(table[at.NEXT], n)
    if table[at.RUB] != 0:
        read_gaps(table, t, x)
        call_flow(table[at.MEASURE_SLIP], t, x, table[at.SELF], x)
    for j in range(n):
        stopping[j] = 1 if status[j] == at.SLIP and is_slow(table, j) else 0


@kernel
def turned(table, fired):
    """True when a contact that slipped to its end slips on, another way."""
    n, found = table[at.N_C], False
    status, candidate = wholes(table[at.STATUS], n), wholes(table[at.CANDIDATE], n)
    following = wholes(table[at.NEXT], n)
    for j in range(n if table[at.RUB] != 0 else 0):
        slips_on = status[j] == at.SLIP and following[j] == at.SLIP and candidate[j] == 1
        found = found or (slips_on and fired[j] == 1 and wholes(table[at.STICKY], n)[j] == 1)
    return found


@kernel
def look_ahead(table, t, x, fired):
    """A time after which a contact that fired clearly pulls, by the present rates; 0 if none does.

    The state at that time is left in AHEAD_STATE. It is not looked beyond the end of a slip.
    """
    n, nb, size = table[at.N_C], table[at.N_B], x.size
    values, status = reals(table[at.VALUES], nb), wholes(table[at.STATUS], n)
    note_stopping(table, t, x)
    stopping = wholes(table[at.NEXT], n)
    ahead_state, rates = reals(table[at.AHEAD_STATE], size), reals(table[at.TRIAL], size)
    length, tau = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH], time_scale(table)
    ahead = AHEAD * tau
    call_flow(table[at.HOLD], t, x, table[at.SELF], rates)
    while ahead <= FARTHEST * tau:
        for i in range(size):
            ahead_state[i] = x[i] + ahead * rates[i]
        call_flow(table[at.WATCH], t + ahead, ahead_state, table[at.SELF], values)
        if slip_ends(table, stopping):
            return 0.0
        for k in range(n):
            if fired[k] == 1 and status[k] != at.OPEN and stopping[k] == 0 and values[k] < -DEFINITE * length:
                return ahead
        ahead *= 4.0
    return 0.0


@kernel
def slip_ends(table, stopping):
    """True when a contact that slips, and was not stopping, does not slip its way any more, by what was read last."""
    status, found = wholes(table[at.STATUS], table[at.N_C]), False
    for j in range(table[at.N_C]):
        if status[j] == at.SLIP and stopping[j] == 0:
            _, _, s = slip_direction(table, j)
            found = found or s <= 0.0
    return found


@kernel
def enter(table):
    """The candidates, with the forces just found, become the closed contacts; returns whether any mode word changed.

    A contact without force that the others hold by themselves does not bear: its force is not watched.
    """
    m, n, nb = table[at.N_U], table[at.N_C], table[at.N_B]
    candidate, following = wholes(table[at.CANDIDATE], n), wholes(table[at.NEXT], n)
    active = wholes(table[at.ACTIVE], nb)
    force, lengths = reals(table[at.IMPULSE], n), reals(table[at.LENGTHS], n)
    who, a, basis = wholes(table[at.WHO], n), reals2(table[at.COLUMNS], n, m), basis_at(table, at.BASIS, max(m, n))
    for j in range(n):
        following[j], active[j] = following[j] if candidate[j] == 1 else at.OPEN, BY_RATES
    count = list_candidates(table)
    basis.count[0] = 0
    for bearing in range(2):
        for i in range(count):
            if (force[i] > 0.0) == (bearing == 0):
                length = split(basis, a, i, m)
                if length > DISTINCT:
                    append(basis, i, length, m)
                watched = lengths[i] > 0.0 and (bearing == 0 or length > DISTINCT)
                active[who[i]] = BY_VALUES if watched else IGNORED
                if table[at.RUB] != 0 and not watched:
                    following[who[i]] = at.TOUCH
    return take_statuses(table)


@kernel
def take_statuses(table):
    """The statuses in NEXT become the present ones; returns whether any changed."""
    n, changed = table[at.N_C], False
    status, following = wholes(table[at.STATUS], n), wholes(table[at.NEXT], n)
    for j in range(n):
        changed = changed or status[j] != following[j]
        status[j] = following[j]
    return changed


@kernel
def touching_gap(table, j):
    """The height below which the gap of contact j is rounding."""
    length = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    return max(TOUCHING_GAP * length, reals(table[at.GRAIN], table[at.N_C])[j])


@kernel
def join_touching(table, t, x, fired):
    """Open contacts that the closed ones hold on their surfaces too, as the fourth corner of a face, become candidates.

    Returns whether there are any; they count as taking part in the event.
    """
    n, nb, found = table[at.N_C], table[at.N_B], False
    if list_closed(table) == 0:
        return False
    read_gaps(table, t, x)
    along, scalar = reals(table[at.ALONG], 3 * nb), reals(table[at.SCALAR], at.N_SCALARS)
    status, candidate = wholes(table[at.STATUS], n), wholes(table[at.CANDIDATE], n)
    slow = TOUCHING_RATE * scalar[at.LENGTH] / time_scale(table)
    for j in range(n):
        if status[j] != at.OPEN or candidate[j] == DROPPED:
            continue
        touches = abs(along[j]) <= touching_gap(table, j) and abs(along[nb + j]) <= slow
        if touches:
            candidate[j] = fired[j] = 1
            found = True
    return found


@kernel
def come_to_rest(table, t, x):
    """Stop a state that the closed contacts hold still: its speeds become zero. Returns whether it is at rest."""
    nq, m, n, size = table[at.N_Q], table[at.N_U], table[at.N_C], x.size
    status = wholes(table[at.STATUS], n + 1)
    status[n] = 0
    if list_closed(table) == 0:
        return False
    trial = reals(table[at.TRIAL], size)
    for i in range(size):
        trial[i] = x[i] if i < nq else 0.0
    rates = reals(table[at.RATES], size)
    call_flow(table[at.HOLD], t, trial, table[at.SELF], trial)
    if not unrest(table) <= STILL:
        return False
    for i in range(nq):
        if rates[i] != 0.0:
            return False
    if not speed_is_none(table, x):
        return False
    for k in range(m):
        x[nq + k] = 0.0
    status[n] = 1
    return True


@kernel
def speed_is_none(table, x):
    """True when the speeds are rounding beside what the free acceleration makes of rest in the time scale."""
    first, m = 8 * table[at.N_Q], table[at.N_U]
    speed = reals(table[at.TRIAL] + first, m)
    for k in range(m):
        speed[k] = x[table[at.N_Q] + k]
    change = reals(table[at.CHANGE], m)
    free = length_by_mass(table, reals(table[at.RATES] + first, m), change, 1.0)
    return length_by_mass(table, speed, change, 0.0) <= REST * time_scale(table) * free


@kernel
def settle_closed(table, t, x):
    """Bring the closed gaps and gap rates to zero; returns the energy that goes with the rates.

    What is taken from them may send open contacts that touch towards their surfaces, as slowly: that is taken, too, as
    is what a law leaves of an approach by rounding. Where the impact has sent one already, it hits.
    """
    if list_closed(table) == 0:
        return 0.0
    scalar, (_, none) = reals(table[at.SCALAR], at.N_SCALARS), scales(table)
    mark_sent(table, t, x)
    list_closed(table)
    call_flow(table[at.SETTLE], t, x, table[at.SELF], x)
    taken = scalar[at.TAKEN]
    for _ in range(table[at.N_C]):
        if list_approaching(table, t, x, none) == table[at.COUNT]:
            break
        call_flow(table[at.TAKE_RATES], t, x, table[at.SELF], x)
        taken += scalar[at.TAKEN]
    return taken


@kernel
def mark_sent(table, t, x):
    """Mark in SENT the open contacts that approach before anything is settled."""
    who, sent = wholes(table[at.WHO], table[at.N_C]), wholes(table[at.SENT], table[at.N_C])
    slow = TOUCHING_RATE * reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH] / time_scale(table)
    for j in range(table[at.N_C]):
        sent[j] = 0
    for i in range(list_approaching(table, t, x, slow), table[at.COUNT]):
        sent[who[i]] = 1


@kernel
def list_approaching(table, t, x, slow):
    """List the closed contacts, and after them open ones that touch and approach faster; returns how many are closed.

    Such an approach is slower than what closes a contact; a contact without losses keeps its own, and so does one SENT.
    """
    n, nb, count = table[at.N_C], table[at.N_B], list_closed(table)
    read_gaps(table, t, x)
    along, sent = reals(table[at.ALONG], 3 * nb), wholes(table[at.SENT], n)
    who, status, given = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), reals(table[at.GIVEN], n)
    low, _ = scales(table)
    for j in range(n):
        touches = status[j] == at.OPEN and abs(along[j]) <= touching_gap(table, j)
        if touches and given[j] < STEADY and sent[j] == 0 and -low <= along[nb + j] < -slow:
            who[table[at.COUNT]] = j
            table[at.COUNT] += 1
    return count
