"""The boundaries and transitions of one stage of a plain process, called by the loop."""

import math

from sympact.hybrid.edges.clock_kernel import enter_clocks
from sympact.hybrid.edges.process_memory import EdgeMemory, ProcessMemory
from sympact.hybrid.edges.slide_kernel import arrive, slide
from sympact.integrate.memory.answers import NO_EFFECT, NOT_FINITE, PASSED
from sympact.integrate.memory.run_codes import CROSSING, ENDS, HEAD, KIND, STOP_KIND, SWITCH
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.search.switch_kernel import branches, flip, mark_crossed, notice, settle, watches
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view, wholes

process_at, edge_at = view(ProcessMemory), view(EdgeMemory)
HEAD_SIZE, EDGE_SIZE = 8 * ProcessMemory.n_slots, 8 * EdgeMemory.n_slots  # bytes of their tables


@kernel
def edge_of(data, k):
    """Transition k."""
    return edge_at(data + HEAD_SIZE + k * EDGE_SIZE)


@kernel
def boundaries(t, x, xdot, data, out):
    """The gaps of the stage: minus the boundary function of each of its transitions."""
    head = process_at(data)
    state = reals(x, head.n_states)
    for k in range(head.n_transitions):
        row = edge_of(data, k)
        gap = reals(out + 8 * k, 1)
        call_flow(row.boundary, t, state, row.boundary_data, gap)
        gap[0] = -gap[0]


@kernel
def edge(t, x, fired, gaps, data, record):
    """Take the first transition that fired, in the order of declaration; returns the stage entered.

    Conditions that changed their branch are updated before; where no transition fired, the stage continues with that.
    Where nothing but conditions of the user's own was crossed, nothing changes.
    """
    head = process_at(data)
    flip(head.switches, fired)
    watched = watches(head.switches)
    branched = branches(head.switches, fired) if watched > 0 else 0
    taken = keep_first(wholes(fired, head.n_transitions))
    if taken < 0:
        settle(head.switches, t, x, fired, 0)
        if watched > 0:
            met, ended = notice(head.switches, 0), sliding_ended(head, fired)
            ends = end(head, fired, record)
            if branched == 0 and not ended:
                reals(record, HEAD)[KIND] = STOP_KIND if ends else CROSSING
                return head.stage if met > 0 else PASSED
        reals(record, HEAD)[KIND] = SWITCH
        return slide(t, x, fired, data, record) if head.slides != 0 or head.n_leaves > 0 else head.stage
    if watched > 0:
        settle(head.switches, t, x, fired, 0)
        notice(head.switches, 0)
    row = edge_of(data, taken)
    target = row.target if row.jump == 0 else jump(t, x, head, row)
    if target >= 0:
        if watched > 0:
            hand_over(head.switches, row.target_switches)
        settle(row.target_switches, t, x, fired if target == head.stage else 0, 1)
        if watched > 0:
            notice(row.target_switches, 1)
            end(head, fired, record)
        if row.ticks != 0:
            enter_clocks(row.ticks, row.restarts, t)
        if row.sliding != 0:
            target = arrive(t, x, row.sliding, target)
    return target


@kernel
def end(head, fired, record):
    """Mark the conditions of the user's own that were crossed; whether one of them ends the run."""
    switches = switches_at(head.switches)
    ends = mark_crossed(head.switches, wholes(fired, switches.first + switches.count))
    reals(record, HEAD)[ENDS] = 1.0 if ends else 0.0
    return ends


@kernel
def sliding_ended(head, fired):
    """Whether a boundary fired at which sliding along a condition ends."""
    first, count, found = head.n_transitions, head.n_leaves, False
    marks = wholes(fired, first + count)
    for k in range(count):
        found = found or marks[first + k] == 1
    return found


@kernel
def hand_over(before, after):
    """The signs of the conditions of the user's own before the event, and their largest margins, to another stage.

    What was noticed and crossed is one memory for all stages.
    """
    if before == after:
        return
    old, new = switches_at(before), switches_at(after)
    signs, kept, shift = old.before, new.before, new.count - old.count
    sizes, largest = old.largest, new.largest
    for i in range(old.count - min(old.n_watches, new.n_watches), old.count):
        kept[i + shift] = signs[i]
        largest[i + shift] = max(largest[i + shift], sizes[i])


@kernel
def jump(t, x, head, row):
    """Apply the jump of a transition; returns the stage entered, or a negative code."""
    x_minus, x_plus = reals(x, head.n_states), head.scratch
    call_flow(row.jump, t, x_minus, row.jump_data, x_plus)
    changed = row.target != head.stage
    for i in range(head.n_states):
        if not abs(x_plus[i]) < math.inf:
            return NOT_FINITE
        changed = changed or x_plus[i] != x_minus[i]
    if not changed:
        return NO_EFFECT
    for i in range(head.n_states):
        x_minus[i] = x_plus[i]
    return row.target


@kernel
def keep_first(fired):
    """The index of the first transition that fired; the marks of the others are removed."""
    taken = -1
    for k in range(len(fired)):
        if fired[k] != 0:
            if taken < 0:
                taken = k
            else:
                fired[k] = 0
    return taken
