"""Sliding along conditions of a flow: where it begins and where it ends (Filippov 1988; Piiroinen and Kuznetsov 2008).

Where the flows on both sides of a condition lead back to it, the motion continues on its boundary m(t, x) = 0, with the
convex combination of both flows along which m' = 0. Such a stage has, in place of the switch of the condition, the
boundary -m'+ m'-, whose zero is where one of the two flows leads along the boundary: there the sliding ends.
"""

from sympact.hybrid.edges.clock_kernel import plan
from sympact.hybrid.edges.process_memory import ProcessMemory, SlideMemory
from sympact.integrate.memory.run_codes import HEAD, KIND, SLIDE
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.search.switch_kernel import leads_out, measure
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, view, wholes

head_at, slide_at = view(ProcessMemory), view(SlideMemory)
ROW = 8 * SlideMemory.n_slots  # bytes


@kernel
def slide(t, x, fired, data, record):
    """The stage after an event of conditions, which have changed their branches already."""
    head = head_at(data)
    ended = ended_by(head, t, x, fired)
    if ended >= 0:
        return leave(t, x, head, ended)
    if head.slides == 0:
        return head.stage
    switches = switches_at(head.switches)
    first, marks = switches.first, wholes(fired, switches.first + switches.count)
    measure(switches, t, x)
    for i in range(switches.count):
        row = slide_at(head.slides + i * ROW)
        if marks[first + i] == 1 and row.target >= 0 and leads_out(switches, i):
            return begin_slide(t, x, row, record)
    return head.stage


@kernel
def begin_slide(t, x, row, record):
    """Enter the stage that slides, at an event of the condition."""
    target = enter_slide(t, x, row)
    if target == row.target:
        reals(record, HEAD)[KIND] = SLIDE
    return target


@kernel
def enter_slide(t, x, row):
    """Enter the stage that slides; another sliding that this one makes impossible ends at once."""
    head = head_at(row.head)
    ended = ended_by(head, t, x, 0)
    if ended >= 0:
        return leave(t, x, head, ended)
    if head.ticks != 0:
        plan(head.ticks)
    return row.target


@kernel
def arrive(t, x, data, target):
    """The stage entered by a transition: the one that slides where the state is on a condition that leads back to it.

    The switch of such a condition was set by the rate of its margin (`settle`), and the other side leads back, too.
    """
    head = head_at(data)
    switches = switches_at(head.switches)
    measure(switches, t, x)
    for i in range(switches.count):
        row = slide_at(head.slides + i * ROW)
        if switches.turned[i] == 1.0 and row.target >= 0 and leads_out(switches, i):
            return enter_slide(t, x, row)
    return target


@kernel
def ended_by(head, t, x, fired):
    """The first condition whose sliding ends: its boundary fired, or a change of another branch carried it past; or
    -1."""
    count, first = head.n_leaves, head.n_transitions
    if count == 0:
        return -1
    if fired != 0:
        marks = wholes(fired, first + count)
        for k in range(count):
            if marks[first + k] == 1:
                return k
    switches = switches_at(head.switches)
    measure(switches, t, x)
    for k in range(count):
        if switches.gaps[first + k] < 0.0 and (fired == 0 or turned(switches, fired)):
            return k
    return -1


@kernel
def turned(switches, fired):
    """Whether a switch of the flow has changed in this event."""
    first, count = switches.first, switches.count - switches.n_watches
    marks, any_did = wholes(fired, first + count), False
    for i in range(count):
        any_did = any_did or marks[first + i] == 1
    return any_did


@kernel
def leave(t, x, head, k):
    """End the sliding along condition k, on the side to which the flow leads."""
    row = slide_at(head.leaves + k * ROW)
    into = head_at(row.head)
    switches, i = switches_at(into.switches), row.place
    values = switches.values
    values[i] = 1.0
    measure(switches, t, x)
    above = switches.margin_rate[i]
    values[i] = -1.0
    measure(switches, t, x)
    if above >= switches.margin_rate[i]:
        values[i] = 1.0
    if into.ticks != 0:
        plan(into.ticks)
    return row.target
