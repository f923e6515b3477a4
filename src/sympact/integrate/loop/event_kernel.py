"""The recording of samples and events, and the jump from one smooth arc to the next."""

import math

from sympact.integrate.loop.entry_kernel import latch
from sympact.integrate.loop.mode_kernel import note_mode
from sympact.integrate.memory import answers
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import STAGE_SIZE, stage_at
from sympact.integrate.search.accumulation_kernel import CLUSTER, accumulates
from sympact.integrate.search.arc_kernel import copy, measure_length, rounding_of, scale_of
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.integrate.search.switch_kernel import learn_margins, slides
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_transition, leading, reals2, row_of
from sympact.native.rounding import EPS

CROWDED = -2  # in place of the boundary that fired first, where events accumulate


@kernel
def full(run):
    """True when the next step, or what happens at a time of the schedule, could overrun a buffer."""
    samples, events = run.samples + 3 > run.sample_capacity, run.events + 2 > run.event_capacity
    return samples or events or (run.mode_width > 0 and run.modes + 2 > run.mode_capacity)


@kernel
def write_sample(run, t, x, h):
    """Append a sample; h is the size of the step that ends at it, 0 for the right side of a jump.

    Where ends of steps are not kept, that of the step before is overwritten.
    """
    i, n, capacity = run.samples, run.n_states, run.sample_capacity
    if run.forgets == 1 and h > 0.0 and i > 0 and run.sample_h[i - 1] > 0.0:
        i -= 1
    run.sample_t[i] = t
    run.sample_h[i] = h
    run.sample_stage[i] = run.mode
    run.sample_low[i] = run.low if h > 0.0 else 0
    copy(x, run.sample_x[i])
    if run.sample_polynomial != 0:
        size = run.degree * n
        copy(leading(run.polynomial, size), reals2(run.sample_polynomial, capacity, size)[i])
    run.samples = i + 1


@kernel
def write_event(run, t, source, target):
    """Append an event whose left side is the last sample."""
    i, width = run.events, run.width
    fired, taken = run.fired, row_of(run.event_fired, i)
    run.event_t[i] = t
    run.event_sample[i] = run.samples - 1
    run.event_source[i] = source
    run.event_target[i] = target
    for k in range(width):
        taken[k] = fired[k]
    copy(run.record, run.event_record[i])
    run.events = i + 1


@kernel
def enter_stage(run, stage):
    """The stage becomes the present one."""
    run.stage, run.stage_index = stage_at(run.stages + stage * STAGE_SIZE), stage
    run.n_boundaries = run.stage.n_boundaries
    run.restart = run.jumped = 1
    note_mode(run)


@kernel
def mark_fired(run, first):
    """The boundaries that fire at this instant: the first one, and those at zero with it.

    With `first` < 0 there is no first one, and no switch fires: all of them have been set to their sides by then. The
    rate of a closed contact is rounding.
    """
    nb, old, roots = run.n_boundaries, run.gaps_old, run.roots
    fired, record = run.fired, run.record
    for k in range(fired.size):
        fired[k] = 0
    for k in range(record.size):
        record[k] = 0.0
    record[codes.REMAINDER] = record[codes.REMAINDER_ERROR] = math.nan
    record[codes.REFERENCE_ACCELERATION], record[codes.FACTOR] = run.largest_acceleration, 1.0
    spacing = 4.0 * EPS * abs(run.t) if first >= 0 else -math.inf
    for k in range(nb if first >= 0 else nb - run.stage.n_switches):
        together = roots[k] < NO_ROOT and (roots[k] - roots[max(first, 0)]) * run.searched <= spacing
        touching = run.stage.derivatives == 1 and abs(old[k]) <= rounding_of(run, k) and old[nb + k] < 0.0
        closed = k < min(run.stage.n_contacts, run.stage.n_statuses) and run.stage.statuses[k] != 0
        fired[k] = 1 if k == first or together or (touching and not closed) else 0


@kernel
def approach_rate(run, before):
    """The largest approach rate of the boundaries of the event; of contacts where a stage has them.

    An event without a contact leaves the rate as it was `before`.
    """
    nb, old, fired = run.n_boundaries, run.gaps_old, run.fired
    contacts, rate, met = run.stage.n_contacts, 0.0, False
    for k in range(contacts if contacts > 0 else nb):
        if fired[k] == 1:
            met = True
            if run.stage.derivatives == 1:
                rate = max(rate, -old[nb + k])
    return rate if met else before


@kernel
def jump(run, first):
    """An event: apply the transition at the present state, write both sides, and enter the next stage; the loop's code.

    Jumps of the user's own are those of `contact/event/jump_kernel`.
    """
    begin_jump(run, first)
    target = call_transition(
        run.stage.transition,
        run.t,
        run.x_new,
        run.fired,
        run.gaps_old,
        run.stage.transition_data,
        run.record,
    )
    contacts = run.stage.n_contacts
    if target == answers.PASSED or (target == answers.NO_EFFECT and contacts > 0):
        return pass_over(run) if first >= 0 else begin_anew(run)
    if target < 0:
        return refusal(target)
    end_jump(run, first, target)
    return judge(run, first, contacts)


@kernel
def begin_jump(run, first):
    """Who fires; the scales of switches; the state after the jump is, so far, that before."""
    mark_fired(run, first)
    measure_length(run)
    learn_margins(run.stage.switch_table, run.stage.scales)
    copy(run.x, run.x_new)
    if first == CROWDED:
        begin_accumulation(run)


@kernel
def end_jump(run, first, target):
    """Enter the next stage; the event and its right side are written."""
    t, source = run.t, run.mode
    if first == CROWDED:
        note_accumulation(run, t)
    run.approach = approach_rate(run, run.approach)
    note_contacts(run, t)
    sampled = run.stage.derivatives == 0 or run.stage.n_functions > 0
    if run.stage.n_contacts == 0:
        latch(run, target)
    enter_stage(run, target)
    write_event(run, t, source, run.mode)
    if sampled:
        shorten(run, t)
    write_sample(run, t, run.x_new, 0.0)
    copy(run.x_new, run.x)


@kernel
def judge(run, first, contacts):
    """Whether the run goes on after an event of a stage with so many contacts: OK, or why it does not."""
    if run.record[codes.ENDS] == 1.0:
        return codes.STOPPED
    crowded = accumulates(run, run.t, contacts)
    if slides(run.record[codes.KIND], run.instant, run.n_boundaries):
        return codes.SLIDING
    if not crowded:
        return codes.EVENTS_EXHAUSTED if run.events >= run.max_events else codes.OK
    if run.instant >= CLUSTER:
        return codes.CHATTERING if contacts > 0 else codes.EVENT_LOOP
    run.crowded = 1 if run.stage.goes_on == 1 and first != CROWDED else 0
    return codes.OK if run.crowded == 1 else codes.ACCUMULATION


@kernel
def go_on(run):
    """The jump of the user's where events accumulate."""
    run.crowded = 0
    return jump(run, CROWDED)


@kernel
def begin_accumulation(run):
    """No boundary fires; the record says to the transition that events accumulate."""
    fired = run.fired
    for k in range(fired.size):
        fired[k] = 0
    run.record[codes.ENDS] = codes.ACCUMULATED


@kernel
def note_accumulation(run, t):
    """The kind of this jump, and the time at which the events would have accumulated."""
    record = run.record
    record[codes.KIND], record[codes.ENERGY] = codes.ACCUMULATION_KIND, math.nan
    record[codes.REMAINDER], record[codes.REMAINDER_ERROR] = run.t_inf - t, run.t_inf_error


@kernel
def land(run):
    """A time of the schedule: write the values valid from now on, and resolve the contacts with them; or pause."""
    if run.marks[run.next_stop] == codes.PAUSE:
        return codes.PAUSED
    x = run.x
    call_flow(run.arrive, run.t, x, run.arrive_data, x)
    if run.fault != 0:
        return codes.FAULTED
    times, mark = run.stops, run.marks[run.next_stop]
    while run.next_stop < times.size and times[run.next_stop] <= run.t:
        run.next_stop += 1
    run.t_stop = times[run.next_stop] if run.next_stop < times.size else run.t_end
    if mark == codes.TIME_EVENT:
        note_time(run)
    if mark != codes.UNMARKED:
        write_sample(run, run.t, x, 0.0)
    if mark == codes.TIME_EVENT and run.events >= run.max_events:
        return codes.EVENTS_EXHAUSTED
    if (run.stage.n_contacts > 0 or run.stage.n_watches > 0) and run.stage.boundary != 0:
        return jump(run, -1)
    return begin_anew(run)


@kernel
def note_time(run):
    """Append an event of time: it has no participants."""
    fired, record = run.fired, run.record
    for k in range(fired.size):
        fired[k] = 0
    for k in range(record.size):
        record[k] = 0.0
    record[codes.KIND], record[codes.NEAREST], record[codes.FACTOR] = codes.TIME, math.inf, 1.0
    record[codes.REMAINDER] = record[codes.REMAINDER_ERROR] = math.nan
    write_event(run, run.t, run.mode, run.mode)


@kernel
def begin_anew(run):
    """A smooth arc begins from the same state without an event; switches may have changed."""
    note_mode(run)
    run.restart = 1
    return codes.OK


@kernel
def shorten(run, t):
    """Where gaps are sampled, the next step is at most twice the last interval of events, so that samples see
    rebounds."""
    m = run.events
    interval = t - run.event_t[m - 2] if m > 1 else 0.0
    if interval > 4.0 * EPS * abs(t):
        run.h_next = min(run.h_next, 2.0 * interval)


@kernel
def note_contacts(run, t):
    """The data of an event of contacts for the next smooth arc.

    Rebounds that decrease geometrically keep the error of the integration, and that of the last contact: a gap is
    rounded to some parts in 1e16 of its scale, and so is the position of a moving surface, which a slower contact
    covers in a longer time.
    """
    record = run.record
    if run.stage.n_contacts > 0:
        run.reference = record[codes.REFERENCE_ACCELERATION]
        record[codes.REMAINDER_ERROR] += run.rtol * (t - run.t_start) + 64.0 * EPS * abs(t)
        if run.approach > 0.0:
            record[codes.REMAINDER_ERROR] += 8.0 * EPS * scale_of(run, 0) / run.approach


@kernel
def pass_over(run):
    """A contact that touches without approaching is no impact: a smooth arc begins anew from the same state.

    So it does past a condition of the user's that is crossed in a direction that does not count.
    """
    run.reference = run.record[codes.REFERENCE_ACCELERATION]
    run.restart = 1
    run.instant += 1
    if run.instant < CLUSTER:
        return codes.OK
    return codes.CHATTERING if run.stage.n_contacts > 0 else codes.EVENT_LOOP


@kernel
def refusal(answer):
    """The loop's code for the negative code of a transition that cannot jump."""
    if answer == answers.NO_EFFECT:
        return codes.JUMP_WITHOUT_EFFECT
    if answer == answers.FAULTED:
        return codes.FAULTED
    if answer == answers.PAINLEVE:
        return codes.PAINLEVE
    if answer == answers.UNENDED:
        return codes.UNENDED_IMPACT
    if answer == answers.NO_RESTITUTION:
        return codes.NO_RESTITUTION
    if answer == answers.NEGATIVE_FRICTION:
        return codes.NEGATIVE_FRICTION
    if answer == answers.UNBALANCED:
        return codes.UNBALANCED_EVENT
    if answer == answers.UNSETTLED:
        return codes.EVENT_LOOP
    if answer == answers.BELOW_SURFACE:
        return codes.BELOW_SURFACE
    return codes.UNSOLVED_IMPACT if answer == answers.UNSOLVED else codes.NOT_FINITE
