"""Samples and events as they are written, and the jump from one flight to the next."""

import math

from sympact.integrate.loop.entry_kernel import latch
from sympact.integrate.loop.mode_kernel import note_mode
from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.accumulation_kernel import CROWD, accumulates
from sympact.integrate.search.arc_kernel import copy, gaps, measure_length, rounding_of, scale_of
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.integrate.search.switch_kernel import slides
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_transition, reals, reals2, wholes

ULP = 2.220446049250313e-16


@kernel
def full(frame):
    """True when the next step could overrun a buffer."""
    samples, events = frame[at.SAMPLES] + 3 > frame[at.SAMPLE_CAPACITY], frame[at.EVENTS] + 1 > frame[at.EVENT_CAPACITY]
    return samples or events or (frame[at.MODE_WIDTH] > 0 and frame[at.MODES] + 2 > frame[at.MODE_CAPACITY])


@kernel
def write_sample(frame, t, x, h):
    """Append a sample; h is the size of the step that leads to it, 0 for the right side of a jump."""
    i, n, capacity = frame[at.SAMPLES], frame[at.N], frame[at.SAMPLE_CAPACITY]
    reals(frame[at.SAMPLE_T], capacity)[i] = t
    reals(frame[at.SAMPLE_H], capacity)[i] = h
    wholes(frame[at.SAMPLE_STAGE], capacity)[i] = frame[at.MODE]
    copy(x, reals2(frame[at.SAMPLE_X], capacity, n)[i])
    if frame[at.SAMPLE_POLYNOMIAL] != 0:
        size = frame[at.DEGREE] * n
        copy(reals(frame[at.POLYNOMIAL], size), reals2(frame[at.SAMPLE_POLYNOMIAL], capacity, size)[i])
    frame[at.SAMPLES] = i + 1


@kernel
def write_event(frame, t, source, target):
    """Append an event whose left side is the sample written last."""
    i, capacity, width = frame[at.EVENTS], frame[at.EVENT_CAPACITY], frame[at.NB_MAX]
    fired, taken = wholes(frame[at.FIRED], width), wholes(frame[at.EVENT_FIRED] + 8 * i * width, width)
    reals(frame[at.EVENT_T], capacity)[i] = t
    wholes(frame[at.EVENT_SAMPLE], capacity)[i] = frame[at.SAMPLES] - 1
    wholes(frame[at.EVENT_SOURCE], capacity)[i] = source
    wholes(frame[at.EVENT_TARGET], capacity)[i] = target
    for k in range(width):
        taken[k] = fired[k]
    size = frame[at.RECORD_WIDTH]
    copy(reals(frame[at.RECORD], size), reals2(frame[at.EVENT_RECORD], capacity, size)[i])
    frame[at.EVENTS] = i + 1


@kernel
def enter_stage(frame, stage):
    """Bring the row of the stage into the frame."""
    row = wholes(frame[at.TABLE] + 8 * stage * at.WIDTH, at.WIDTH)
    for i in range(at.WIDTH):
        frame[at.FLOW + i] = row[i]
    frame[at.STAGE] = stage
    frame[at.RESTART] = frame[at.JUMPED] = 1
    note_mode(frame)


@kernel
def mark_fired(frame, real, first):
    """What fires at this instant: the first boundary, and those that are met with it; `first` = -1: no one is first."""
    nb, old, roots = frame[at.NB], gaps(frame, at.GAPS_OLD), reals(frame[at.ROOTS], frame[at.NB])
    fired, record = wholes(frame[at.FIRED], frame[at.NB_MAX]), reals(frame[at.RECORD], frame[at.RECORD_WIDTH])
    for k in range(fired.size):
        fired[k] = 0
    for k in range(record.size):
        record[k] = 0.0
    record[at.REMAINDER] = record[at.REMAINDER_ERROR] = math.nan
    record[at.REFERENCE_ACCELERATION], record[at.FACTOR] = real[at.BEND], 1.0
    spacing = 4.0 * ULP * abs(real[at.T]) if first >= 0 else -math.inf
    for k in range(nb):
        together = roots[k] < NO_ROOT and (roots[k] - roots[max(first, 0)]) * real[at.SEARCHED] <= spacing
        touching = frame[at.DERIVATIVES] == 1 and abs(old[k]) <= rounding_of(frame, k) and old[nb + k] < 0.0
        fired[k] = 1 if k == first or together or touching else 0


@kernel
def approach_rate(frame, before):
    """The largest rate at which what takes part in the event came down; of contacts where a stage has them.

    An event without a contact leaves the rate as it was `before`.
    """
    nb, old, fired = frame[at.NB], gaps(frame, at.GAPS_OLD), wholes(frame[at.FIRED], frame[at.NB_MAX])
    contacts, rate, met = frame[at.CONTACTS], 0.0, False
    for k in range(contacts if contacts > 0 else nb):
        if fired[k] == 1:
            met = True
            if frame[at.DERIVATIVES] == 1:
                rate = max(rate, -old[nb + k])
    return rate if met else before


@kernel
def jump(frame, real, first):
    """Apply the transition at the present state, write both sides, and enter the next stage."""
    n, t, source = frame[at.N], real[at.T], frame[at.MODE]
    x, x_plus = reals(frame[at.X], n), reals(frame[at.X_NEW], n)
    mark_fired(frame, real, first)
    measure_length(frame)
    copy(x, x_plus)
    target = call_transition(
        frame[at.TRANSITION],
        t,
        x_plus,
        wholes(frame[at.FIRED], frame[at.NB_MAX]),
        gaps(frame, at.GAPS_OLD),
        frame[at.TRANSITION_DATA],
        reals(frame[at.RECORD], frame[at.RECORD_WIDTH]),
    )
    if target == -1 and frame[at.CONTACTS] > 0:
        return pass_over(frame, real) if first >= 0 else begin_anew(frame)
    if target < 0:
        return refusal(target)
    real[at.APPROACH] = approach_rate(frame, real[at.APPROACH])
    note_contacts(frame, real, t)
    contacts, sampled = frame[at.CONTACTS], frame[at.DERIVATIVES] == 0
    if contacts == 0:
        latch(frame, target)
    enter_stage(frame, target)
    write_event(frame, t, source, frame[at.MODE])
    if sampled:
        shorten(frame, real, t)
    write_sample(frame, t, x_plus, 0.0)
    copy(x_plus, x)
    crowded = accumulates(frame, real, t, contacts)
    if slides(reals(frame[at.RECORD], at.HEAD)[at.KIND], frame[at.INSTANT], frame[at.NB]):
        return at.SLIDING
    if crowded:
        if frame[at.INSTANT] < CROWD:
            return at.ACCUMULATION
        return at.CHATTERING if contacts > 0 else at.EVENT_LOOP
    return at.EVENTS_EXHAUSTED if frame[at.EVENTS] >= frame[at.MAX_EVENTS] else at.OK


@kernel
def land(frame, real):
    """A time of the schedule is reached: what holds from now on is written, and contacts are resolved under it."""
    x = reals(frame[at.X], frame[at.N])
    call_flow(frame[at.ARRIVE], real[at.T], x, frame[at.ARRIVE_DATA], x)
    times = reals(frame[at.STOPS], frame[at.N_STOPS])
    while frame[at.NEXT_STOP] < times.size and times[frame[at.NEXT_STOP]] <= real[at.T]:
        frame[at.NEXT_STOP] += 1
    real[at.T_STOP] = times[frame[at.NEXT_STOP]] if frame[at.NEXT_STOP] < times.size else real[at.T_END]
    if frame[at.CONTACTS] > 0 and frame[at.BOUNDARY] != 0:
        return jump(frame, real, -1)
    return begin_anew(frame)


@kernel
def begin_anew(frame):
    """A flight begins from the same state without an event; switches may have turned over."""
    note_mode(frame)
    frame[at.RESTART] = 1
    return at.OK


@kernel
def shorten(frame, real, t):
    """Where gaps are sampled, the next step is at most twice the last interval of events, so that samples see a hop."""
    m = frame[at.EVENTS]
    interval = t - reals(frame[at.EVENT_T], frame[at.EVENT_CAPACITY])[m - 2] if m > 1 else 0.0
    if interval > 4.0 * ULP * abs(t):
        real[at.H_NEXT] = min(real[at.H_NEXT], 2.0 * interval)


@kernel
def note_contacts(frame, real, t):
    """What an event of contacts leaves for the next flight.

    Hops that die away keep the error of the integration, and that of the last touch: a gap is rounded to some parts in
    1e16 of its scale, and so is the place of a moving surface, which the contact covers in the longer time the slower
    it comes.
    """
    record = reals(frame[at.RECORD], frame[at.RECORD_WIDTH])
    if frame[at.CONTACTS] > 0:
        real[at.REFERENCE] = record[at.REFERENCE_ACCELERATION]
        record[at.REMAINDER_ERROR] += real[at.RTOL] * (t - real[at.T_START]) + 64.0 * ULP * abs(t)
        if real[at.APPROACH] > 0.0:
            record[at.REMAINDER_ERROR] += 8.0 * ULP * scale_of(frame, 0) / real[at.APPROACH]


@kernel
def pass_over(frame, real):
    """A contact that touches without approaching is no impact: the flight begins anew from the same state."""
    real[at.REFERENCE] = reals(frame[at.RECORD], at.HEAD)[at.REFERENCE_ACCELERATION]
    frame[at.RESTART] = 1
    frame[at.INSTANT] += 1
    return at.OK if frame[at.INSTANT] < CROWD else at.CHATTERING


@kernel
def refusal(answer):
    """The loop's code for what a transition answers when it cannot jump."""
    if answer == -1:
        return at.JUMP_WITHOUT_EFFECT
    if answer == -2:
        return at.FAULTED
    if answer == -5:
        return at.JAMMED
    if answer == -6:
        return at.UNENDED_IMPACT
    if answer == -7:
        return at.NO_RESTITUTION
    if answer == -8:
        return at.UNBALANCED_EVENT
    return at.UNSOLVED_IMPACT if answer == -3 else at.NOT_FINITE
