"""The transition of stages with contacts: an impact, contacts that close and open, the mode after.

who takes part -> the impact law -> which contacts stay closed -> gaps and rates of these brought to zero -> rest
"""

import math

from sympact.contact.linalg.cholesky_kernel import EPS
from sympact.contact.memory import contact_layout as at
from sympact.contact.modes.audit_kernel import audit, keep_speeds
from sympact.contact.modes.painleve_kernel import (
    add_posed,
    approach_by_nothing,
    forget_approach,
    list_touching,
    press,
    pull_at_normals,
)
from sympact.contact.modes.select_modes_kernel import (
    come_to_rest,
    enter,
    join_touching,
    look_ahead,
    reference,
    select,
    settle_closed,
    turned,
)
from sympact.contact.problem.assemble_kernel import (
    STEADY,
    drift,
    jacobian,
    list_closed,
    mass_factor,
    read_gaps,
    read_terms,
    restitutions,
    scales,
    time_scale,
)
from sympact.contact.problem.frictionless_kernel import finite
from sympact.contact.problem.participant_kernel import NEAR, gather
from sympact.contact.problem.slip_kernel import note_stopped
from sympact.integrate.memory.run_layout import (
    ACCUMULATION_KIND,
    CLOSE,
    ENERGY,
    FACTOR,
    HEAD,
    IMPACT,
    KIND,
    NEAREST,
    OPEN,
    REFERENCE_ACCELERATION,
    REMAINDER,
    REMAINDER_ERROR,
    SLIP,
    STICK,
    WINDOW,
)
from sympact.integrate.search.switch_kernel import SWITCH, flip, settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, wholes

NOISE = 64.0  # roundings in a gap rate
VANISHED = 1e-150  # a gap rate that is none in any unit: what projection leaves of a motion, until its square is zero
PART = 0.01  # of the largest acceleration of the run
FAINT = 100.0  # times the speed of a hop of HEIGHT: below it the order of two hits decides nothing
FELT = 1e-9  # of the largest change of a gap rate that an impulse makes: one that counts
LEFT = 1e-11  # of the rate of approach: a rate that solvers leave of none
FREE_STAGE, CLOSED_STAGE = 0, 1


def transition(t, x_address, fired_address, gaps_address, data, record_address):
    """The transition of stages with contacts, see `Stage.transition`; `data` is a `ContactData` table."""
    table = wholes(data, at.SIZE)
    n, nb, switches = table[at.N_C], table[at.N_B], table[at.SWITCHES]
    x, record = reals(x_address, table[at.N_Q] + table[at.N_U]), reals(record_address, HEAD + nb)
    fired, status = wholes(fired_address, nb), wholes(table[at.STATUS], n + 1)
    keep_speeds(table, x)
    turned = flip(switches, fired_address)
    if turned > 0:
        settle(switches, t, x_address, fired_address, 0)
    if table[at.RUB] != 0:
        stopped = wholes(table[at.STOPPED], n)
        for j in range(n):
            stopped[j] = 0
    released, was_at_rest = closed_fired(table, fired), status[n] == 1
    status[n] = 0
    ahead = look_ahead(table, t, x, fired) if released else 0.0
    read_terms(table, t, x)
    measure_reference(table, t, x, record)
    record[WINDOW], record[NEAREST] = take_part(table, t, reals(gaps_address, 3 * nb), fired)
    measure_rates(table, x)
    if not known(table):
        return at.NOT_FINITE
    if not take_restitutions(table):
        return at.NO_RESTITUTION
    hit, moved = choose_restitutions(table), False
    pushes = reals(record_address + 8 * (HEAD + nb), 3 * n if table[at.RUB] != 0 else 0)
    if hit:
        code, moved = strike(table, t, x, fired, record, pushes, False)
        if code != at.SOLVED:
            return code
        settle(switches, t, x_address, fired_address, 1)
    code, changed = resolve(table, t, x, fired, record, hit, ahead)
    if code == at.JAMMED and table[at.STRIKE_WHEN_JAMMED] != 0:
        code, moved = strike_by_friction(table, t, x, fired, record, pushes)
        if code == at.SOLVED:
            settle(switches, t, x_address, fired_address, 1)
            code, changed = resolve(table, t, x, fired, record, True, 0.0)
    if code != at.SOLVED:
        return code
    at_rest = not (was_at_rest and released) and come_to_rest(table, t, x)
    status[n] = 1 if at_rest else 0
    if audit(table, t, x, record, pushes) != 0:
        return at.UNBALANCED
    if turned > 0 and not (moved or changed):
        record[KIND] = SWITCH
    elif not (moved or changed or at_rest != was_at_rest):
        return at.NO_EFFECT
    return CLOSED_STAGE if list_closed(table) > 0 else FREE_STAGE


@kernel
def strike(table, t, x, fired, record, pushes, by_friction):
    """The impact of the participants by the law, or one that friction makes: (answer, whether any speed changed)."""
    measure_motion(table, x)
    if table[at.RUB] != 0:
        read_gaps(table, t, x)
        call_flow(table[at.MEASURE_SLIP], t, x, table[at.SELF], x)
        if by_friction:
            press(table)
            approach_by_nothing(table)
    scalar = reals(table[at.SCALAR], at.N_SCALARS)
    scalar[at.FACTOR], table[at.POSED] = 1.0, at.IMPACT
    code = call_unit(table[at.SOLVER], table[at.SELF])
    if code != at.SOLVED:
        return code, False
    record[FACTOR] = scalar[at.FACTOR]
    if by_friction:
        add_posed(table, -1.0)
    report(table, fired, record)
    if table[at.RUB] != 0:
        report_slip(table, pushes, record)
        note_stopped(table)
    moved = take_change(table, x)
    if not by_friction:
        remember(table, t)
    return at.SOLVED, moved


@kernel
def strike_by_friction(table, t, x, fired, record, pushes):
    """The impact that friction makes of contacts that jam: (answer, whether any speed changed).

    It begins where those that were asked have no rate: what is left of hops too low to leave with is taken.
    """
    pull_at_normals(table)
    call_flow(table[at.TAKE_RATES], t, x, table[at.SELF], x)
    record[ENERGY] += reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN]
    list_touching(table, fired)
    read_terms(table, t, x)
    measure_rates(table, x)
    code, moved = strike(table, t, x, fired, record, pushes, True)
    if code == at.SOLVED:
        forget_approach(table)
    return code, moved


@kernel
def resolve(table, t, x, fired, record, hit, ahead):
    """Which contacts are closed after the event, their gaps and rates brought to zero: (answer, whether any changed).

    A second pass takes in contacts that the closed ones hold on their surfaces.
    """
    propose(table, hit)
    changed, later = False, ahead if not hit else 0.0
    state = reals(table[at.AHEAD_STATE], x.size) if later > 0.0 else x
    for trial in range(2):
        code = select(table, t + later, state, later == 0.0)
        if code != at.SOLVED:
            return code, changed
        name_modes(table)
        if trial == 0:
            record[KIND] = kind_of(table, t, hit, fired, record)
            mark_changes(table, fired)
            changed = turned(table, fired)
        changed = enter(table) or changed
        record[ENERGY] += settle_closed(table, t, x)
        if trial == 1 or not join_touching(table, t, x, fired):
            break
        state, later = x, 0.0
    return at.SOLVED, changed


@kernel
def known(table):
    """True when the model's terms are finite numbers, and the rates of the participants with them."""
    m, n = table[at.N_U], table[at.N_C]
    return finite(reals(table[at.OUT], m * m + n * m + 2 * n)) and finite(reals(table[at.RATE_MINUS], table[at.COUNT]))


@kernel
def take_restitutions(table):
    """The restitutions at this event into GIVEN; True when those of participants that approach are from 0 to 1.

    One that depends on the speed of approach is taken at none where a contact separates or rests; what it is there is
    brought into the range.
    """
    n, good = table[at.N_C], True
    read, given = restitutions(table), reals(table[at.GIVEN], n)
    who, rate = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n)
    for j in range(n):
        given[j] = min(read[j], 1.0) if read[j] >= 0.0 else 0.0
    for i in range(table[at.COUNT]):
        good = good and (rate[i] >= 0.0 or 0.0 <= read[who[i]] <= 1.0)
    return good


@kernel
def closed_fired(table, fired):
    """True when the force of a closed contact fired."""
    status, found = wholes(table[at.STATUS], table[at.N_C]), False
    for j in range(table[at.N_C]):
        found = found or (fired[j] == 1 and status[j] != at.OPEN)
    return found


@kernel
def measure_reference(table, t, x, record):
    """The largest acceleration of a gap without contact forces, with which others are compared.

    All may vanish for a moment, as where a spring that pulls a body off a wall passes its natural length: then a part
    of the largest one of the run stands for it.
    """
    read_gaps(table, t, x)
    scalar, here = reals(table[at.SCALAR], at.N_SCALARS), reference(table)
    scalar[at.LARGEST] = max(scalar[at.LARGEST], here, record[REFERENCE_ACCELERATION])
    scalar[at.REFERENCE] = record[REFERENCE_ACCELERATION] = max(here, PART * scalar[at.LARGEST])
    if scalar[at.SPEED] == 0.0:
        scalar[at.SPEED] = scalar[at.LENGTH] / time_scale(table)


@kernel
def measure_motion(table, x):
    """sqrt(u^T M u) into MOVES."""
    nq, m, square = table[at.N_Q], table[at.N_U], 0.0
    mass = mass_factor(table)
    for i in range(m):
        for k in range(m):
            square += x[nq + i] * mass[i, k] * x[nq + k]
    reals(table[at.SCALAR], at.N_SCALARS)[at.MOVES] = math.sqrt(max(square, 0.0))


@kernel
def take_part(table, t, gaps, fired):
    """List the participants; returns the window and the time to the nearest contact left out.

    The gaps are those of the loop, of which each flight's start is a start at zero. Where hops are so low that their
    order decides nothing, no contact counts as left out.
    """
    n = table[at.N_C]
    own, nb = reals(table[at.ALONG], 2 * table[at.N_B]), table[at.N_B]
    for j in range(n):
        own[j], own[n + j] = gaps[j], gaps[nb + j]
    length, status = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH], wholes(table[at.STATUS], n)
    table[at.COUNT], window, nearest = gather(
        t, length, reals(table[at.GRAIN], n), own, n, fired, status, wholes(table[at.WHO], n)
    )
    low, _ = scales(table)
    return window, nearest if window * FAINT * low <= NEAR * length else math.inf


@kernel
def measure_rates(table, x):
    """gamma- = W^T u + w of the participants, and how uncertain they are by rounding."""
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    wt, w = jacobian(table), drift(table)
    who, rate, uncertain = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n), reals(table[at.UNCERTAIN], n)
    after = reals(table[at.RATE_PLUS], n)
    for i in range(table[at.COUNT]):
        j = who[i]
        rate[i], uncertain[i] = w[j], abs(w[j])
        for k in range(m):
            rate[i] += wt[j, k] * x[nq + k]
            uncertain[i] += abs(wt[j, k] * x[nq + k])
        uncertain[i] = max(NOISE * EPS * uncertain[i], VANISHED)
        after[i] = rate[i]


@kernel
def choose_restitutions(table):
    """The restitution of each participant in this impact; returns whether an open one approaches.

    One whose rebound would be lower than HEIGHT does not rebound. A separating contact keeps its restitution: with
    another one it could gain energy from the impulses of the others (docs/theory, accumulation).

    Where restitution acts on what contacts hand to each other, closed contacts have theirs, too, and it is set to zero
    when no participant would rebound as high.
    """
    if table[at.SHARED] == 1:
        return share_restitutions(table)
    n, hit = table[at.N_C], False
    who, status, rate = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), reals(table[at.RATE_MINUS], n)
    e, given = reals(table[at.RESTITUTION], n), reals(table[at.GIVEN], n)
    low, none = scales(table)
    for i in range(table[at.COUNT]):
        j = who[i]
        e[i] = given[j]
        if status[j] != at.OPEN or (rate[i] <= 0.0 and e[i] < STEADY and -e[i] * rate[i] <= low):
            e[i] = 0.0
        hit = hit or (status[j] == at.OPEN and rate[i] < -none)
    return hit


@kernel
def share_restitutions(table):
    """The same for laws under which contacts hand on impulses."""
    n, hit, high = table[at.N_C], False, False
    who, status, rate = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), reals(table[at.RATE_MINUS], n)
    e, given = reals(table[at.RESTITUTION], n), reals(table[at.GIVEN], n)
    low, none = scales(table)
    for i in range(table[at.COUNT]):
        j = who[i]
        e[i] = given[j]
        high = high or e[i] >= STEADY or -e[i] * rate[i] > low
        hit = hit or (status[j] == at.OPEN and rate[i] < -none)
    for i in range(table[at.COUNT] if not high else 0):
        e[i] = 0.0
    return hit


@kernel
def report(table, fired, record):
    """Impulses, and the energy that the contacts take up: sum of Lambda (gamma+ + gamma-)/2.

    The kinetic energy changes by Lambda^T W^T (u+ + u-)/2, and W^T u = gamma - w: the part -Lambda^T w is the work of
    moving walls, which no law restricts. What is left is in terms of the rates that the law speaks of: a law that
    creates no energy never lets it be positive. Closed contacts take part where they push by more than rounding: of
    their own rates, and of what the largest of the impulses changes.
    """
    n = table[at.N_C]
    who, impulse = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    lengths, uncertain, largest = reals(table[at.LENGTHS], n), reals(table[at.UNCERTAIN], n), 0.0
    for i in range(table[at.COUNT]):
        largest = max(largest, impulse[i] * lengths[i] * lengths[i])
    for i in range(table[at.COUNT]):
        record[ENERGY] += 0.5 * impulse[i] * (after[i] + before[i])
        record[HEAD + who[i]] += impulse[i]
        if impulse[i] * lengths[i] * lengths[i] > max(uncertain[i], FELT * largest):
            fired[who[i]] = 1


@kernel
def report_slip(table, pushes, record):
    """The impulses of friction, and their part of the energy."""
    call_unit(table[at.REPORT_FRICTION], table[at.SELF])
    found = reals(table[at.PUSHES], 3 * table[at.N_C])
    for k in range(3 * table[at.N_C]):
        pushes[k] += found[k]
    record[ENERGY] += reals(table[at.SCALAR], at.N_SCALARS)[at.RUBBED]


@kernel
def take_change(table, x):
    """u+ into the state; returns whether it differs from u-."""
    nq, m = table[at.N_Q], table[at.N_U]
    change, moved = reals(table[at.CHANGE], m), False
    for k in range(m):
        before = x[nq + k]
        x[nq + k] = before + change[k]
        moved = moved or x[nq + k] != before
    return moved


@kernel
def propose(table, hit):
    """Candidates to be closed: participants that neither leave nor approach faster than a hop of HEIGHT needs.

    A closed contact stays one unless an impact lifts it; one that the law leaves approaching faster is hit again at
    once. Hops without loss never end, but what a law leaves of an approach is rounding, not a hop.
    What a participant would have rebounded with, had its restitution not been set to zero, goes into HOP.
    """
    n = table[at.N_C]
    who, status, candidate = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), wholes(table[at.CANDIDATE], n)
    before, after, given = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n), reals(table[at.GIVEN], n)
    e, hop, uncertain = reals(table[at.RESTITUTION], n), reals(table[at.HOP], n), reals(table[at.UNCERTAIN], n)
    low, none = scales(table)
    for j in range(n):
        candidate[j], hop[j] = 0, 0.0
    for i in range(table[at.COUNT]):
        j = who[i]
        closed = status[j] != at.OPEN
        limit = low if closed or given[j] < STEADY else 2.0 * none
        candidate[j] = 1 if after[i] <= limit and (after[i] >= -low or (closed and not hit)) else 0
        leaves = after[i] if after[i] > max(uncertain[i], LEFT * abs(before[i])) else 0.0
        taken = (given[j] - e[i]) * -before[i] if hit and status[j] == at.OPEN else 0.0
        hop[j] = max(leaves, taken if taken <= low else 0.0)  # more is no hop: the law itself took the restitution


@kernel
def remember(table, t):
    """When each participant was hit last, and its rate after, for the extrapolation of hops that die away."""
    n = table[at.N_C]
    who, before, after = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    last, interval = reals(table[at.LAST_T], n), reals(table[at.INTERVAL], n)
    rebound, rebound_before = reals(table[at.LAST_REBOUND], n), reals(table[at.REBOUND_BEFORE], n)
    for i in range(table[at.COUNT]):
        j = who[i]
        if before[i] < 0.0:
            interval[j], last[j] = t - last[j], t
            rebound_before[j], rebound[j] = rebound[j], after[i]


@kernel
def name_modes(table):
    """The status that each candidate gets, into NEXT; without friction there is but one."""
    if table[at.RUB] != 0:
        call_unit(table[at.NAME_MODES], table[at.SELF])
        return
    following = wholes(table[at.NEXT], table[at.N_C])
    for j in range(table[at.N_C]):
        following[j] = at.CLOSED


@kernel
def kind_of(table, t, hit, fired, record):
    """What the event is; hops that die away at it tell when they would have ended.

    After a rebound v against the deceleration a, hops that shrink by e take 2 v / (a (1 - e)). How well the last hops
    kept to 2 v / a and to e tells the error; where contacts rattle in irregular order it is all of that sum.
    """
    n, nb = table[at.N_C], table[at.N_B]
    status, candidate = wholes(table[at.STATUS], n), wholes(table[at.CANDIDATE], n)
    following = wholes(table[at.NEXT], n)
    hop, given, bends = reals(table[at.HOP], n), reals(table[at.GIVEN], n), reals(table[at.ALONG] + 16 * nb, nb)
    _, none = scales(table)
    closing = dying = opening = sticking = slipping = 0
    rest = error = 0.0
    for j in range(n):
        stays = status[j] != at.OPEN and status[j] != at.TOUCH and candidate[j] == 1
        opening += 1 if status[j] != at.OPEN and candidate[j] != 1 else 0
        sticking += 1 if stays and following[j] == at.STICK and status[j] != at.STICK else 0
        slipping += 1 if stays and following[j] == at.SLIP and (status[j] != at.SLIP or fired[j] == 1) else 0
        if candidate[j] != 1 or status[j] != at.OPEN:
            continue
        closing += 1
        if hop[j] > none and bends[j] < 0.0:
            dying += 1
            rest = max(rest, 2.0 * hop[j] / (-bends[j] * (1.0 - given[j])))
            error = max(error, min(missed(table, j, -bends[j]), 1.0))
    if dying > 0:
        record[REMAINDER], record[REMAINDER_ERROR] = rest, error * rest
        return ACCUMULATION_KIND
    if hit:
        return IMPACT
    if closing > 0:
        return CLOSE
    if opening > 0 or sticking + slipping == 0:
        return OPEN
    return STICK if sticking > 0 else SLIP


@kernel
def missed(table, j, a):
    """By what part the sum of the hops of contact j may be wrong, by its last hop: its time, and how it shrank.

    Friction and other contacts make it shrink by another part r than e: then it is between the sums with e and with r.
    """
    n = table[at.N_C]
    interval, rebound = reals(table[at.INTERVAL], n)[j], reals(table[at.REBOUND_BEFORE], n)[j]
    left, given = reals(table[at.LAST_REBOUND], n)[j], reals(table[at.GIVEN], n)[j]
    if not rebound > 0.0:
        return 1.0
    miss = abs(interval * a / (2.0 * rebound) - 1.0)
    if reals(table[at.HOP], n)[j] == left:
        miss += abs(1.0 - (1.0 - given) / (1.0 - left / rebound)) if left < rebound else 1.0
    return miss


@kernel
def mark_changes(table, fired):
    """A closed contact that opens, sticks or slips anew takes part in the event; one that stays as it is does not."""
    n = table[at.N_C]
    status, candidate = wholes(table[at.STATUS], n), wholes(table[at.CANDIDATE], n)
    following = wholes(table[at.NEXT], n)
    for j in range(n):
        parts, moves = candidate[j] != 1, following[j] != status[j] and status[j] != at.TOUCH
        if status[j] != at.OPEN and (parts or moves):
            fired[j] = 1
