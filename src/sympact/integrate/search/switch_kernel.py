"""Switches at an event: those that fired change sign, and the others are set to the signs of their margins.

A jump of the state, and a switch inside the margin of another, can carry a margin past zero without a crossing. The
last switches of a stage may be conditions of the user's own, which no flow contains: their changes are noticed.
"""

import math

from sympact.integrate.memory.run_codes import ABSENT, SWITCH, UNKNOWN
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.memory.run_tolerances import GAP_ROUNDING, NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, wholes
from sympact.native.rounding import EPS, HALF_DIGITS

NOT, OPENLY, SILENTLY = 0, 1, 2  # how a condition waits for the motion after an event: its change counts, or does not

TRIALS = 4  # rounds for each switch: a switch inside a margin of another moves that one


@kernel
def learn_margins(data, scales):
    """The largest margins so far are those along the steps: events alone would show those near zero.

    `scales` are those of all boundaries of the stage.
    """
    if data == 0:
        return
    switches = switches_at(data)
    first, largest = switches.first, switches.largest
    for i in range(switches.count):
        largest[i] = scales[first + i]


@kernel
def flip(data, fired):
    """Change the sign of the switches whose boundaries fired; returns how many did."""
    if data == 0:
        return 0
    switches, turned = switches_at(data), 0
    first, count = switches.first, switches.count
    values, before, marks = switches.values, switches.before, wholes(fired, first + count)
    for i in range(count):
        before[i] = values[i]
        if marks[first + i] == 1:
            values[i] = -values[i]
            turned += 1
    switches.several = 1 if turned > 1 else 0
    return turned


@kernel
def settle(data, t, x, fired, jumped):
    """Set every switch to the sign of its margin.

    With `jumped` = 1 the state is new: a switch whose margin is zero goes to the side to which the flow leads. Else
    those that fired have been changed by `flip`, and stay so unless their margin was never at zero; that of a condition
    of the user's own, such as |u| > 0, may have a kink there by another one that fired. `fired`, unless it
    is 0, is the address of the marks of all boundaries: those of the switches then mark the changed ones.
    """
    if data == 0:
        return
    switches = switches_at(data)
    first, count = switches.first, switches.count
    values, turned = switches.values, switches.turned
    for i in range(count):
        turned[i] = 0.0
    for _ in range(TRIALS * count):
        measure(switches, t, x)
        wrong = misplaced(switches, t, fired, jumped)
        if wrong < 0:
            break
        values[wrong] = -values[wrong]
    if fired != 0:
        marks, before = wholes(fired, first + count), switches.before
        for i in range(count):
            marks[first + i] = 1 if values[i] != before[i] else 0


@kernel
def measure(switches, t, x):
    """The margins times their switches, with both derivatives, for the present switches.

    Rates and accelerations that count as none are rounding of those in free motion: closed contacts cancel these. The
    second derivative of a speed knows no forces of contacts.
    """
    state, rates = reals(x, switches.n_states), switches.rates
    least_rate, least_acceleration = switches.least_rate, switches.least_acceleration
    call_flow(switches.flow, t, state, switches.flow_data, rates)
    call_boundary(switches.boundary, t, state, rates, switches.boundary_data, switches.gaps)
    for i in range(switches.count):
        square = abs(switches.margin_acceleration[i]) * switches.largest[i]
        least_rate[i], least_acceleration[i] = GAP_ROUNDING * math.sqrt(square), 0.0
    if switches.along_closed == 1:
        for i in range(switches.count):
            rate, bend = abs(switches.margin_rate[i]), abs(switches.margin_acceleration[i])
            least_acceleration[i] = NEGLIGIBLE * bend if rate <= least_rate[i] else math.inf
            least_rate[i] = max(least_rate[i], NEGLIGIBLE * rate)
        call_flow(switches.closed_flow, t, state, switches.closed_data, rates)
        call_boundary(switches.boundary, t, state, rates, switches.boundary_data, switches.gaps)


@kernel
def misplaced(switches, t, fired, jumped):
    """The first switch on the wrong side, or -1."""
    first, count = switches.first, switches.count
    largest, turned = switches.largest, switches.turned
    margin, rate = switches.margin, switches.margin_rate
    for i in range(count):
        g, d = margin[i], rate[i]
        if largest[i] < abs(g) < math.inf:
            largest[i] = abs(g)
        met = jumped == 0 and wholes(fired, first + count)[first + i] == 1
        of_size, of_way = (HALF_DIGITS, HALF_DIGITS) if met else (GAP_ROUNDING, 4.0 * EPS)
        around = max(of_size * largest[i], of_way * abs(t * d))
        if g < -around:
            return i
        own = i - count + switches.n_watches
        kink = met and switches.several == 1 and own >= 0
        if waits_for_motion(switches, own, jumped == 1 and abs(g) <= around):
            continue
        if (jumped == 1 or kink) and abs(g) <= around and turned[i] == 0.0 and leads_out(switches, i):
            turned[i] = 1.0
            return i
    return -1


@kernel
def waits_for_motion(switches, own, at_zero):
    """Whether this condition of the user's own is zero while an event is on its way: the motion after it will decide.

    Until then it keeps its side: whatever jumps and impacts make of the motion, it has not been crossed by that.
    """
    if own < 0 or switches.forces_held == 0:
        return False
    waiting, jump = switches.waiting, switches.jump_of[own]
    if not at_zero:
        waiting[own] = NOT
    elif waiting[own] == NOT:
        waiting[own] = SILENTLY if jump >= 0 and switches.idle[jump] == 1 else OPENLY
    return at_zero


@kernel
def leads_out(switches, i):
    """Whether margin i at zero is going to be negative, by its rate or, where that is none, by its acceleration."""
    d, none = switches.margin_rate[i], switches.least_rate[i]
    return d < -none or (d <= none and switches.margin_acceleration[i] < -switches.least_acceleration[i])


@kernel
def branches(data, fired):
    """How many of the switches that fired select branches of the flow."""
    if data == 0:
        return 0
    switches, found = switches_at(data), 0
    marks = wholes(fired, switches.first + switches.count)
    for i in range(switches.count - switches.n_watches):
        found += 1 if marks[switches.first + i] == 1 else 0
    return found


@kernel
def selects_branches(data):
    """Whether any switch selects a branch of the flow or of a gap."""
    if data == 0:
        return False
    switches = switches_at(data)
    return switches.count > switches.n_watches


@kernel
def mark_idle(data, x):
    """Mark the jumps that close a latch which is closed in the state at an address, or open an open one."""
    if data == 0:
        return
    switches = switches_at(data)
    latch, closes, idle = switches.latch, switches.closes, switches.idle
    state = reals(x, switches.n_states)
    for k in range(switches.n_jumps):
        idle[k] = 1 if latch[k] >= 0 and (state[latch[k]] == 1.0) == (closes[k] == 1) else 0


@kernel
def watches(data):
    """How many of the switches are conditions of the user's own."""
    return switches_at(data).n_watches if data != 0 else 0


@kernel
def begin_event(data):
    """No condition waits for the motion after the event, which is unknown from now on."""
    if data != 0:
        switches = switches_at(data)
        for i in range(switches.n_watches):
            switches.waiting[i] = NOT
    hold_forces(data)


@kernel
def hold_forces(data):
    """The motion after the event and its forces are unknown: functions of forces keep their signs."""
    if data != 0:
        switches_at(data).forces_held, switches_at(data).along_closed = 1, 0


@kernel
def find_forces(data, closed):
    """The motion is known, with so many closed contacts; whether any condition waits for it, or depends on forces."""
    if data == 0:
        return False
    switches, found = switches_at(data), False
    switches.forces_held = 0
    for i in range(switches.n_watches):
        found = found or switches.waiting[i] != NOT
    follow_closed(data, closed if found else 0)
    return found or switches.n_forces > 0


@kernel
def follow_closed(data, closed):
    """Whether margins are measured along the motion of the closed contacts as they are: where there are any."""
    if data != 0:
        switches_at(data).along_closed = 1 if closed > 0 else 0


@kernel
def end_event(data):
    """Between events the forces are known, and margins are measured along the free motion."""
    if data != 0:
        switches_at(data).forces_held = switches_at(data).along_closed = 0


@kernel
def notice(data, again):
    """Mark the conditions of the user's that have changed in a direction that counts, and the jumps due by them.

    Returns how many have. With `again` = 0 an event begins; else its jumps have changed the state: a condition that
    counts in both directions then was not crossed where it is back on the side that it came from, nor is one a second
    time that has been zero since. Conditions of idle
    jumps do not count, so that a latch which has just opened does not close by a condition that is true already. One
    that the present stage does not have has no sign, and its first one after that is no crossing.
    """
    if data == 0:
        return 0
    switches, found = switches_at(data), 0
    n, own = switches.n_watches, switches.count - switches.n_watches
    values, before, noticed, sense = switches.values, switches.before, switches.noticed, switches.sense
    crossed, due, jump_of, idle = switches.crossed, switches.due, switches.jump_of, switches.idle
    waiting = switches.waiting
    if again == 0:
        for k in range(switches.n_jumps):
            due[k] = 0
        for i in range(n):
            crossed[i] = 0
    for i in range(n):
        value = values[own + i]
        changed, noticed[i] = value != noticed[i] and noticed[i] != UNKNOWN, UNKNOWN if sense[i] == ABSENT else value
        both = sense[i] == 0 and (again == 0 or value != before[own + i])
        if waiting[i] == SILENTLY or (waiting[i] == OPENLY and crossed[i] == 1 and again == 1):
            continue
        if jump_of[i] >= 0 and idle[jump_of[i]] == 1:
            continue
        if changed and (both or (abs(sense[i]) == 1 and sense[i] * value > 0.0)):
            crossed[i] = 1
            found += 1
            if jump_of[i] >= 0:
                due[jump_of[i]] = 1
    return found


@kernel
def notice_accumulation(data):
    """Mark the transition that follows an accumulation of events; its jump is due."""
    switches = switches_at(data)
    i = switches.at_accumulation
    switches.crossed[i] = 1
    switches.due[switches.jump_of[i]] = 1


@kernel
def mark_crossed(data, fired):
    """Mark in `fired` the conditions of the user's that were crossed, and no others; whether one ends the run.

    Each that does is counted down to the crossing that ends it.
    """
    ends = False
    if data == 0:
        return ends
    switches = switches_at(data)
    crossed, ending = switches.crossed, switches.ending
    first = switches.first + switches.count - switches.n_watches
    for i in range(switches.n_watches):
        fired[first + i] = crossed[i]
        if crossed[i] == 1 and ending[i] > 0:
            ending[i] -= 1
            ends = ends or ending[i] == 0
    return ends


@kernel
def slides(kind, events, nb):
    """Whether switches change back and forth at one instant: both branches lead back to a zero margin.

    `events` counts events in a row at this instant, `kind` is the index in `EventKind` of the last one.
    """
    return kind == SWITCH and events > 2 * nb + 4
