"""The transition of stages with contacts: an impact, contacts that close and open, the mode after.

participants -> the impact law -> the contacts that stay closed -> projection of their gaps and rates to zero -> rest
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_DISTANCE, NO_VELOCITY, STEADY
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.audit_kernel import audit, keep_speeds
from sympact.contact.modes.jump_kernel import (
    ROUNDS,
    activates,
    follow_drives,
    jumps_due,
    kinetic_energy,
    place_contacts,
    take_jumps,
)
from sympact.contact.modes.painleve_kernel import (
    add_assembled,
    approach_by_nothing,
    forget_approach,
    list_touching,
    press,
    pull_at_normals,
)
from sympact.contact.modes.participant_kernel import gather
from sympact.contact.modes.select_modes_kernel import (
    come_to_rest,
    enter,
    join_touching,
    look_ahead,
    project_closed_contacts,
    reference,
    select,
    turned,
)
from sympact.contact.modes.slip_scale_kernel import begin_slip_errors, note_impulse_errors, note_slip_errors
from sympact.contact.problem.assemble_kernel import (
    drift,
    jacobian,
    list_closed,
    read_gaps,
    read_terms,
    restitutions,
    scales,
    time_scale,
)
from sympact.contact.problem.frictionless_kernel import finite
from sympact.contact.problem.slip_kernel import note_stopped
from sympact.integrate.memory.run_codes import (
    ACCUMULATED,
    ACCUMULATION_KIND,
    CLOSE,
    CROSSING,
    ENDS,
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
    RESIDUAL,
    SLIP,
    STICK,
    STOP_KIND,
    SWITCH,
    TRANSITION_KIND,
    WINDOW,
)
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.integrate.search.switch_kernel import (
    branches,
    flip,
    hold_forces,
    mark_crossed,
    mark_idle,
    notice,
    notice_accumulation,
    of_forces,
    settle,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading, reals, wholes
from sympact.native.rounding import EPS, LEAST_NORMAL, ROUNDINGS

PART = 0.01  # of the largest acceleration of the run
FAINT = 100.0  # times the speed of a rebound of HEIGHT: below it the order of two impacts does not matter
FREE_STAGE, CLOSED_STAGE = 0, 1


def transition(t, x_address, fired_address, gaps_address, data, record_address):
    """The transition of stages with contacts, see `Stage.transition`; `data` is a `ContactData` table."""
    switches = contacts_at(data).model.switches
    hold_forces(switches, 1)
    answer = go_through(t, x_address, fired_address, gaps_address, data, record_address)
    hold_forces(switches, 0)
    return answer


@kernel
def go_through(t, x_address, fired_address, gaps_address, data, record_address):
    """From the boundaries that fired to the stage entered, or a negative code."""
    contacts = contacts_at(data)
    model, mode = contacts.model, contacts.mode
    n, nb, switches = mode.n_contacts, mode.n_boundaries, model.switches
    x, record = reals(x_address, model.n_q + model.n_u), reals(record_address, HEAD + nb)
    fired, status = wholes(fired_address, nb), mode.statuses
    gaps = reals(gaps_address, 3 * nb)
    keep_speeds(contacts, x)
    mode.speeds_changed = 0
    turned = flip(switches, fired_address)
    branched = branches(switches, fired_address)
    if turned > 0:
        settle(switches, t, x_address, fired_address, 0)
    mark_idle(switches, x_address)
    met = notice(switches, 0)
    if record[ENDS] == ACCUMULATED:
        notice_accumulation(switches)
    if turned > branched == 0 and not contact_fired(contacts, fired) and not jumps_due(switches, 1):
        return pass_by(contacts, fired, record, met)
    driven = branched > 0 and follow_drives(contacts, t, x, record)
    if model.slips != 0:
        stopped = mode.stopped
        for j in range(n):
            stopped[j] = 0
    if branched > 0 and activates(switches) and not place_contacts(contacts, t, x, gaps, fired, False):
        return codes.BELOW_SURFACE
    jumped, instead, latched = jumps_due(switches, 0), False, False
    if jumped:
        code, instead, latched = jump_before(contacts, t, x_address, x, fired, gaps, record)
        if code != codes.SOLVED:
            return code
    released, was_at_rest = closed_fired(contacts, fired), status[n] == 1
    status[n] = 0
    if model.slips != 0:
        begin_slip_errors(contacts, t, x, fired)
    ahead = look_ahead(contacts, t, x, fired) if released else 0.0
    read_terms(contacts, t, x)
    measure_reference(contacts, t, x, record)
    record[WINDOW], record[NEAREST] = take_part(contacts, t, gaps, fired)
    measure_rates(contacts, x)
    if not known(contacts):
        return codes.NOT_FINITE
    if not take_restitutions(contacts):
        return codes.NO_RESTITUTION
    hit, moved = choose_restitutions(contacts), False
    hit = (hit or (latched and bears(contacts))) and not instead
    pushes = reals(record_address + 8 * (HEAD + nb), 3 * n if model.slips != 0 else 0)
    if hit:
        code, moved = apply_impact(contacts, t, x, fired, record, pushes, False)
        if code != codes.SOLVED:
            return code
        settle(switches, t, x_address, fired_address, 1)
        met += notice(switches, 1)
    code, changed = resolve(contacts, t, x, fired, record, hit, ahead)
    if code == codes.PAINLEVE and (model.impact_where_no_force != 0 or mode.painleve_kind == codes.AT_ONCE):
        code, moved = apply_friction_impact(contacts, t, x, fired, record, pushes)
        if code == codes.SOLVED:
            settle(switches, t, x_address, fired_address, 1)
            met += notice(switches, 1)
            code, changed = resolve(contacts, t, x, fired, record, True, 0.0)
    if code != codes.SOLVED:
        return code
    at_rest = not (was_at_rest and released) and come_to_rest(contacts, t, x)
    status[n] = 1 if at_rest else 0
    if audit(contacts, t, x, record, pushes) != 0:
        return codes.UNBALANCED
    if jumps_due(switches, 1):
        kind, jumped = record[KIND], True
        code, turns, caught = jump_after(contacts, t, x_address, x, fired, gaps, record, pushes)
        if code != codes.SOLVED:
            return code
        record[KIND] = kind if moved or changed else record[KIND]
        changed, latched = changed or turns, latched or caught
    if of_forces(switches) > 0:
        kind = record[KIND]
        code, crossed, again, turns, caught = jump_by_forces(
            contacts, t, x_address, x, fired_address, fired, gaps, record, pushes
        )
        if code != codes.SOLVED:
            return code
        record[KIND] = kind if moved or changed else record[KIND]
        met, jumped, changed, latched = met + crossed, jumped or again, changed or turns, latched or caught
    ends = mark_crossed(switches, fired)
    record[ENDS] = 1.0 if ends else 0.0
    if not (moved or changed):
        if jumped:
            record[KIND] = TRANSITION_KIND
            unmark_contacts(contacts, fired)
        elif branched > 0:
            record[KIND] = IMPACT if driven else SWITCH
        elif met > 0:
            record[KIND] = STOP_KIND if ends else CROSSING
        elif at_rest == was_at_rest:
            return codes.NO_EFFECT if n > 0 else codes.PASSED
    record[KIND] = IMPACT if latched else record[KIND]
    return present_stage(contacts)


@kernel
def present_stage(contacts):
    """The stage of the contacts as they are."""
    return CLOSED_STAGE if list_closed(contacts) > 0 else FREE_STAGE


@kernel
def unmark_contacts(contacts, fired):
    """No contact takes part in an event that changes none."""
    for j in range(contacts.mode.n_contacts):
        fired[j] = 0


@kernel
def contact_fired(contacts, fired):
    """Whether a contact fired."""
    found = False
    for j in range(contacts.mode.n_contacts):
        found = found or fired[j] == 1
    return found


@kernel
def pass_by(contacts, fired, record, met):
    """The answer where nothing but conditions of the user's own was crossed, which change neither state nor mode."""
    model, mode = contacts.model, contacts.mode
    ends = mark_crossed(model.switches, fired)
    record[REFERENCE_ACCELERATION], record[NEAREST] = mode.reference_acceleration, math.inf
    record[ENDS], record[KIND] = 1.0 if ends else 0.0, STOP_KIND if ends else CROSSING
    return present_stage(contacts) if met > 0 else codes.PASSED


@kernel
def jump_before(contacts, t, x_address, x, fired, gaps, record):
    """Apply the jumps of the user's that precede an impact.

    Returns (code, whether one takes its place, whether latches that close changed the speeds).
    """
    code, instead, latched = take_jumps(contacts, t, x_address, record, 0)
    if code == codes.SOLVED and not place_contacts(contacts, t, x, gaps, fired, not latched):
        code = codes.BELOW_SURFACE
    if code != codes.SOLVED:
        mark_crossed(contacts.model.switches, fired)
    keep_speeds(contacts, x)
    return code, instead, latched


@kernel
def bears(contacts):
    """Whether a closed contact is among the participants."""
    mode, problem, found = contacts.mode, contacts.problem, False
    status, who = mode.status, problem.participants
    for i in range(problem.count):
        found = found or status[who[i]] != codes.OPEN
    return found


@kernel
def jump_after(contacts, t, x_address, x, fired, gaps, record, pushes):
    """Apply all jumps of the user's that are due, and find the contacts that stay closed after them.

    The approach of a contact after them is an impact of the next event, unless closed contacts bear the impact of a
    latch. Returns (code, whether contacts changed, whether latches that close changed the speeds).
    """
    switches, mode = contacts.model.switches, contacts.mode
    code, _, latched = take_jumps(contacts, t, x_address, record, 1)
    if code == codes.SOLVED and not place_contacts(contacts, t, x, gaps, fired, not latched):
        code = codes.BELOW_SURFACE
    if code != codes.SOLVED:
        mark_crossed(switches, fired)
        return code, False, latched
    keep_speeds(contacts, x)
    read_terms(contacts, t, x)
    measure_reference(contacts, t, x, record)
    record[WINDOW], record[NEAREST] = take_part(contacts, t, gaps, fired)
    measure_rates(contacts, x)
    if not known(contacts):
        return codes.NOT_FINITE, False, latched
    if not take_restitutions(contacts):
        return codes.NO_RESTITUTION, False, latched
    choose_restitutions(contacts)
    hit = latched and bears(contacts)
    if hit:
        code, _ = apply_impact(contacts, t, x, fired, record, pushes, False)
        if code != codes.SOLVED:
            return code, False, latched
    code, changed = resolve(contacts, t, x, fired, record, hit, 0.0)
    mode.statuses[mode.n_contacts] = 1 if code == codes.SOLVED and come_to_rest(contacts, t, x) else 0
    return code, changed or hit, latched


@kernel
def jump_by_forces(contacts, t, x_address, x, fired_address, fired, gaps, record, pushes):
    """Notice the conditions that the forces after an event have crossed, with their jumps, until no jump is due.

    Returns (code, how many were crossed, whether any jump was applied, whether contacts changed, whether latches that
    close changed the speeds).
    """
    switches, met, jumped, changed, latched = contacts.model.switches, 0, False, False, False
    for _ in range(ROUNDS):
        hold_forces(switches, 0)
        settle(switches, t, x_address, fired_address, 1)
        met += notice(switches, 1)
        if not jumps_due(switches, 1):
            return codes.SOLVED, met, jumped, changed, latched
        hold_forces(switches, 1)
        code, turns, caught = jump_after(contacts, t, x_address, x, fired, gaps, record, pushes)
        if code != codes.SOLVED:
            return code, met, jumped, changed, latched
        jumped, changed, latched = True, changed or turns, latched or caught
    mark_crossed(switches, fired)
    return codes.UNSETTLED, met, jumped, changed, latched


@kernel
def apply_impact(contacts, t, x, fired, record, pushes, by_friction):
    """The impact of the participants by the law, or one without collision: (code, whether any speed changed)."""
    model, problem = contacts.model, contacts.problem
    if model.slips != 0:
        measure_motion(contacts, x)
        read_gaps(contacts, t, x)
        call_flow(model.measure_slip, t, x, contacts.address, x)
        note_slip_errors(contacts, x)
        if by_friction:
            press(contacts)
            approach_by_nothing(contacts)
    problem.restitution_factor, problem.kind = 1.0, codes.IMPACT
    code = call_unit(model.impact_solver, contacts.address)
    if code != codes.SOLVED:
        return code, False
    contacts.mode.speeds_changed = 1
    record[FACTOR] = problem.restitution_factor
    record[RESIDUAL] = max(record[RESIDUAL], problem.residual)
    if by_friction:
        add_assembled(contacts, -1.0)
    report(contacts, fired, record)
    if model.slips != 0:
        report_slip(contacts, pushes, record)
        note_impulse_errors(contacts)
        note_stopped(contacts)
    moved = take_change(contacts, x)
    if not by_friction:
        remember(contacts, t)
    return codes.SOLVED, moved


@kernel
def apply_friction_impact(contacts, t, x, fired, record, pushes):
    """The impact without collision of contacts in Painleve's paradox: (code, whether any speed changed).

    It starts from zero rates of these contacts: the remainders of rebounds too low to separate are removed.
    """
    model, mode = contacts.model, contacts.mode
    pull_at_normals(contacts)
    call_flow(model.project_velocities, t, x, contacts.address, x)
    record[ENERGY] += mode.removed_energy
    list_touching(contacts, fired)
    read_terms(contacts, t, x)
    measure_rates(contacts, x)
    code, moved = apply_impact(contacts, t, x, fired, record, pushes, True)
    if code == codes.SOLVED:
        forget_approach(contacts)
    return code, moved


@kernel
def resolve(contacts, t, x, fired, record, hit, ahead):
    """The contacts that are closed after the event, with gaps and rates projected to zero: (code, whether any changed).

    A second pass adds contacts that the closed ones constrain.
    """
    problem = contacts.problem
    propose(contacts, hit)
    changed, later = False, ahead if not hit else 0.0
    state = leading(problem.ahead_state, x.size) if later > 0.0 else x
    for trial in range(2):
        code = select(contacts, t + later, state, later == 0.0)
        if code != codes.SOLVED:
            return code, changed
        name_modes(contacts)
        if trial == 0:
            record[KIND] = kind_of(contacts, t, hit, fired, record)
            mark_changes(contacts, fired)
            changed = turned(contacts, fired)
        changed = enter(contacts) or changed
        record[ENERGY] += project_closed_contacts(contacts, t, x)
        if trial == 1 or not join_touching(contacts, t, x, fired):
            break
        state, later = x, 0.0
    return codes.SOLVED, changed


@kernel
def known(contacts):
    """True when the model's terms are finite numbers, and the rates of the participants with them."""
    problem = contacts.problem
    return finite(problem.terms) and finite(leading(problem.rate_minus, problem.count))


@kernel
def take_restitutions(contacts):
    """The restitutions at this event into `event_restitution`; True when those of participants that approach are from 0
    to 1.

    One that depends on the approach speed is evaluated at zero where a contact separates or rests; there its value is
    limited to the range.
    """
    problem = contacts.problem
    n, good = problem.n_contacts, True
    read, given = restitutions(contacts), problem.event_restitution
    who, rate = problem.participants, problem.rate_minus
    for j in range(n):
        given[j] = min(read[j], 1.0) if read[j] >= 0.0 else 0.0
    for i in range(problem.count):
        good = good and (rate[i] >= 0.0 or 0.0 <= read[who[i]] <= 1.0)
    return good


@kernel
def closed_fired(contacts, fired):
    """True when the force of a closed contact fired."""
    mode = contacts.mode
    status, found = mode.status, False
    for j in range(mode.n_contacts):
        found = found or (fired[j] == 1 and status[j] != codes.OPEN)
    return found


@kernel
def measure_reference(contacts, t, x, record):
    """The reference acceleration: the largest acceleration of a gap without contact forces.

    All may vanish for a moment, as where a spring that pulls a body off a wall passes its natural length: then a part
    of the largest one of the run is used.
    """
    model, mode = contacts.model, contacts.mode
    read_gaps(contacts, t, x)
    here = reference(contacts)
    mode.largest_acceleration = max(mode.largest_acceleration, here, record[REFERENCE_ACCELERATION])
    mode.reference_acceleration = record[REFERENCE_ACCELERATION] = max(here, PART * mode.largest_acceleration)
    if mode.reference_speed == 0.0:
        mode.reference_speed = model.length / time_scale(contacts)


@kernel
def measure_motion(contacts, x):
    """sqrt(u^T M u) into `mass_speed`."""
    model, problem = contacts.model, contacts.problem
    problem.mass_speed = math.sqrt(max(2.0 * kinetic_energy(contacts, x, model.n_q), 0.0))


@kernel
def take_part(contacts, t, gaps, fired):
    """List the participants; returns the window and the time to the nearest contact that does not take part.

    The gaps are those of the loop, which are zero at the start of each smooth arc. Where rebounds are so low that their
    order does not matter, every contact takes part.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n = problem.n_contacts
    own, nb = leading(problem.along, 2 * problem.n_boundaries), problem.n_boundaries
    for j in range(n):
        own[j], own[n + j] = gaps[j], gaps[nb + j]
    length, status = model.length, mode.status
    problem.count, window, nearest = gather(t, length, model.gap_rounding, own, n, fired, status, problem.participants)
    low, _ = scales(contacts)
    return window, nearest if window * FAINT * low <= NO_DISTANCE * length else math.inf


@kernel
def measure_rates(contacts, x):
    """gamma- = W^T u + w of the participants, and their rounding errors, at least a number that has a square."""
    problem = contacts.problem
    nq, m = problem.n_q, problem.n_u
    wt, w = jacobian(contacts), drift(contacts)
    who, rate, uncertain = problem.participants, problem.rate_minus, problem.uncertain
    after = problem.rate_plus
    for i in range(problem.count):
        j = who[i]
        total, sizes = w[j], abs(w[j])
        for k in range(m):
            total += wt[j, k] * x[nq + k]
            sizes += abs(wt[j, k] * x[nq + k])
        uncertain[i] = max(ROUNDINGS * EPS * sizes, LEAST_NORMAL**0.5)
        rate[i] = after[i] = total


@kernel
def choose_restitutions(contacts):
    """The restitution of each participant in this impact; returns whether an open one approaches.

    One whose rebound would be lower than HEIGHT does not rebound. A separating contact keeps its restitution: with
    another one it could gain energy from the impulses of the others (docs/theory, accumulation).

    Where restitution acts on impulses between contacts, closed contacts have theirs, too, and it is set to zero when no
    participant would rebound as high.
    """
    mode, problem, law = contacts.mode, contacts.problem, contacts.law
    if law.shared == 1:
        return share_restitutions(contacts)
    hit = False
    who, status, rate = problem.participants, mode.status, problem.rate_minus
    e, given = problem.restitution, problem.event_restitution
    low, none = scales(contacts)
    for i in range(problem.count):
        j = who[i]
        e[i] = given[j]
        if status[j] != codes.OPEN or (rate[i] <= 0.0 and e[i] < STEADY and -e[i] * rate[i] <= low):
            e[i] = 0.0
        hit = hit or (status[j] == codes.OPEN and rate[i] < -none)
    return hit


@kernel
def share_restitutions(contacts):
    """The same for laws under which restitution acts on impulses between contacts."""
    mode, problem = contacts.mode, contacts.problem
    hit, high = False, False
    who, status, rate = problem.participants, mode.status, problem.rate_minus
    e, given = problem.restitution, problem.event_restitution
    low, none = scales(contacts)
    for i in range(problem.count):
        j = who[i]
        e[i] = given[j]
        high = high or e[i] >= STEADY or -e[i] * rate[i] > low
        hit = hit or (status[j] == codes.OPEN and rate[i] < -none)
    for i in range(problem.count if not high else 0):
        e[i] = 0.0
    return hit


@kernel
def report(contacts, fired, record):
    """Impulses, and the energy certificate: sum of Lambda (gamma+ + gamma-)/2.

    The kinetic energy changes by Lambda^T W^T (u+ + u-)/2, and W^T u = gamma - w: the part -Lambda^T w is the work of
    moving surfaces, which no law restricts. The rest depends on the rates that the law restricts: a law that creates no
    energy never lets it be positive. Closed contacts take part where their impulse exceeds the rounding of their own
    rates and of the changes by the largest of the impulses.
    """
    problem = contacts.problem
    who, impulse = problem.participants, problem.impulse
    before, after = problem.rate_minus, problem.rate_plus
    lengths, uncertain, largest = problem.lengths, problem.uncertain, 0.0
    for i in range(problem.count):
        largest = max(largest, impulse[i] * lengths[i] * lengths[i])
    for i in range(problem.count):
        record[ENERGY] += 0.5 * impulse[i] * (after[i] + before[i])
        record[HEAD + who[i]] += impulse[i]
        if impulse[i] * lengths[i] * lengths[i] > max(uncertain[i], NEGLIGIBLE * largest):
            fired[who[i]] = 1


@kernel
def report_slip(contacts, pushes, record):
    """The friction impulses, and their part of the energy."""
    model, problem = contacts.model, contacts.problem
    call_unit(model.report_friction, contacts.address)
    found = problem.friction_components
    for k in range(3 * problem.n_contacts):
        pushes[k] += found[k]
    record[ENERGY] += problem.friction_energy


@kernel
def take_change(contacts, x):
    """u+ into the state; returns whether it differs from u-."""
    problem = contacts.problem
    nq, m = problem.n_q, problem.n_u
    change, moved = problem.change, False
    for k in range(m):
        before = x[nq + k]
        x[nq + k] = before + change[k]
        moved = moved or x[nq + k] != before
    return moved


@kernel
def propose(contacts, hit):
    """Candidates to be closed: participants that neither separate nor approach faster than for a rebound of HEIGHT.

    A closed contact stays one unless an impact separates it; one that still approaches fast after the law has another
    impact at once. Rebounds without loss never end, but the approach that a law leaves is rounding, not a rebound. The
    rebound speed of a participant, had its restitution not been set to zero, goes into `rebound`.
    """
    mode, problem = contacts.mode, contacts.problem
    n = problem.n_contacts
    who, status, candidate = problem.participants, mode.status, mode.candidate
    before, after, given = problem.rate_minus, problem.rate_plus, problem.event_restitution
    e, rebound, uncertain = problem.restitution, problem.rebound, problem.uncertain
    low, none = scales(contacts)
    for j in range(n):
        candidate[j], rebound[j] = 0, 0.0
    for i in range(problem.count):
        j = who[i]
        closed = status[j] != codes.OPEN
        limit = low if closed or given[j] < STEADY else 2.0 * none
        candidate[j] = 1 if after[i] <= limit and (after[i] >= -low or (closed and not hit)) else 0
        leaves = after[i] if after[i] > max(uncertain[i], NO_VELOCITY * abs(before[i])) else 0.0
        taken = (given[j] - e[i]) * -before[i] if hit and status[j] == codes.OPEN else 0.0
        rebound[j] = max(leaves, taken if taken <= low else 0.0)  # else the law itself used the restitution


@kernel
def remember(contacts, t):
    """The time of each participant's last impact, and its rate after, for the extrapolation of accumulations."""
    mode, problem = contacts.mode, contacts.problem
    who, before, after = problem.participants, problem.rate_minus, problem.rate_plus
    last, interval = mode.last_time, mode.interval
    rebound, rebound_before = mode.last_rebound, mode.previous_rebound
    for i in range(problem.count):
        j = who[i]
        if before[i] < 0.0:
            interval[j], last[j] = t - last[j], t
            rebound_before[j], rebound[j] = rebound[j], after[i]


@kernel
def name_modes(contacts):
    """The new status of each candidate, into `next_status`; without friction there is only one."""
    model, mode = contacts.model, contacts.mode
    if model.slips != 0:
        call_unit(model.name_modes, contacts.address)
        return
    following = mode.next_status
    for j in range(mode.n_contacts):
        following[j] = codes.CLOSED


@kernel
def kind_of(contacts, t, hit, fired, record):
    """The kind of the event; rebounds that accumulate give the time of their end.

    After a rebound v against the deceleration a, rebounds that shrink by e take 2 v / (a (1 - e)). The agreement of the
    last rebounds with 2 v / a and with e gives the error; for contacts with an irregular sequence it is the whole sum.
    """
    mode, problem = contacts.mode, contacts.problem
    n = problem.n_contacts
    status, candidate = mode.status, mode.candidate
    following = mode.next_status
    rebound, given, accelerations = problem.rebound, problem.event_restitution, problem.gap_acceleration
    _, none = scales(contacts)
    closing = dying = opening = sticking = slipping = 0
    rest = error = 0.0
    for j in range(n):
        stays = status[j] != codes.OPEN and status[j] != codes.UNLOADED and candidate[j] == 1
        opening += 1 if status[j] != codes.OPEN and candidate[j] != 1 else 0
        sticking += 1 if stays and following[j] == codes.STICK and status[j] != codes.STICK else 0
        slipping += 1 if stays and following[j] == codes.SLIP and (status[j] != codes.SLIP or fired[j] == 1) else 0
        if candidate[j] != 1 or status[j] != codes.OPEN:
            continue
        closing += 1
        if rebound[j] > none and accelerations[j] < 0.0:
            dying += 1
            rest = max(rest, 2.0 * rebound[j] / (-accelerations[j] * (1.0 - given[j])))
            error = max(error, min(missed(contacts, j, -accelerations[j]), 1.0))
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
def missed(contacts, j, a):
    """The relative error of the sum of the rebounds of contact j, by its last rebound: its time, and its ratio.

    Friction and other contacts change the ratio from e to r: the sum is between those with e and with r.
    """
    mode, problem = contacts.mode, contacts.problem
    interval, rebound = mode.interval[j], mode.previous_rebound[j]
    left, given = mode.last_rebound[j], problem.event_restitution[j]
    if not rebound > 0.0:
        return 1.0
    miss = abs(interval * a / (2.0 * rebound) - 1.0)
    if problem.rebound[j] == left:
        miss += abs(1.0 - (1.0 - given) / (1.0 - left / rebound)) if left < rebound else 1.0
    return miss


@kernel
def mark_changes(contacts, fired):
    """A closed contact that opens, sticks or slips anew takes part in the event; an unchanged one does not."""
    mode = contacts.mode
    n = mode.n_contacts
    status, candidate = mode.status, mode.candidate
    following = mode.next_status
    for j in range(n):
        parts, moves = candidate[j] != 1, following[j] != status[j] and status[j] != codes.UNLOADED
        if status[j] != codes.OPEN and (parts or moves):
            fired[j] = 1
