"""The boundaries and transitions of one stage of a plain process, as the loop calls them.

Both read the table of the stage; `table` says what stands where.
"""

import math

from sympact.hybrid import process_table as at
from sympact.integrate.memory.run_codes import HEAD, KIND
from sympact.integrate.search.switch_kernel import SWITCH, flip, settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, wholes

# what a transition answers in place of a stage
WITHOUT_EFFECT = -1
NOT_FINITE = -4


@kernel
def row_of(data, k):
    """The row of transition k."""
    return wholes(data + 8 * (at.HEAD + at.ROW * k), at.ROW)


@kernel
def boundaries(t, x, xdot, data, out):
    """The gaps of the stage: minus the boundary function of each of its transitions."""
    head = wholes(data, at.HEAD)
    state = reals(x, head[at.N_STATES])
    for k in range(head[at.N_TRANSITIONS]):
        row = row_of(data, k)
        gap = reals(out + 8 * k, 1)
        call_flow(row[at.BOUNDARY], t, state, row[at.BOUNDARY_DATA], gap)
        gap[0] = -gap[0]


@kernel
def edge(t, x, fired, gaps, data, record):
    """Take the first transition that fired, in the order of declaration; returns the stage entered.

    Conditions that changed their branch do so before; where no transition fired, the stage goes on with that.
    """
    head = wholes(data, at.HEAD)
    flip(head[at.SWITCHES], fired)
    taken = keep_first(wholes(fired, head[at.N_TRANSITIONS]))
    if taken < 0:
        settle(head[at.SWITCHES], t, x, fired, 0)
        reals(record, HEAD)[KIND] = SWITCH
        return head[at.STAGE]
    row = row_of(data, taken)
    target = row[at.TARGET] if row[at.JUMP] == 0 else jump(t, x, head, row)
    if target >= 0:
        settle(row[at.TARGET_SWITCHES], t, x, fired if target == head[at.STAGE] else 0, 1)
    return target


@kernel
def jump(t, x, head, row):
    """Apply the jump of a transition; returns the stage entered, or why it cannot be."""
    x_minus, x_plus = reals(x, head[at.N_STATES]), reals(head[at.SCRATCH], head[at.N_STATES])
    call_flow(row[at.JUMP], t, x_minus, row[at.JUMP_DATA], x_plus)
    changed = row[at.TARGET] != head[at.STAGE]
    for i in range(head[at.N_STATES]):
        if not abs(x_plus[i]) < math.inf:
            return NOT_FINITE
        changed = changed or x_plus[i] != x_minus[i]
    if not changed:
        return WITHOUT_EFFECT
    for i in range(head[at.N_STATES]):
        x_minus[i] = x_plus[i]
    return row[at.TARGET]


@kernel
def keep_first(fired):
    """The index of the first transition that fired; the marks of the others are taken away."""
    taken = -1
    for k in range(len(fired)):
        if fired[k] != 0:
            if taken < 0:
                taken = k
            else:
                fired[k] = 0
    return taken
