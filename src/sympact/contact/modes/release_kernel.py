"""How high contacts rise that the forces just found let go: a hop lower than HEIGHT parts nothing.

A contact whose null direction lies within its cone is held by forces for every load; let go, it has none. With the
acceleration b of its gap, which changes by j along the motion that follows, it has the gap b t^2/2 + j t^3/6: where
j < 0 it comes back from the height 2 b^3 / (3 j^2), slips by then, and jams again. As b grows from zero such hops
begin with no height at all: what sticks goes on sticking until they reach HEIGHT.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.memory import contact_layout as at
from sympact.contact.modes.select_modes_kernel import AHEAD
from sympact.contact.problem.assemble_kernel import (
    HEIGHT,
    jacobian,
    pose_accelerations,
    read_gaps,
    read_terms,
    time_scale,
)
from sympact.contact.problem.slip_kernel import held_acceleration
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2, wholes


@kernel
def rise(table, t, x, modes):
    """The height, in HEIGHT, to which contacts that stick by `modes` hop without a force; infinite where they part.

    The forces just found must be those at this state, with RATES of the free motion; the problem is posed anew a
    little later for the contacts that are left.
    """
    n, nb, highest = table[at.N_C], table[at.N_B], 0.0
    lift, length = reals(table[at.LIFT], n), reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    if not let_go(table, modes):
        return math.inf
    ahead = AHEAD * time_scale(table)
    go_on(table, x, ahead)
    later = reals(table[at.LATER_STATE], x.size)
    read_gaps(table, t + ahead, later)
    read_terms(table, t + ahead, later)
    bends, wt, m = reals(table[at.ALONG] + 16 * nb, nb), jacobian(table), table[at.N_U]
    change, released = reals(table[at.CHANGE], m), wholes(table[at.LET_GO], n)
    for k in range(m):
        change[k] = 0.0
    if table[at.COUNT] > 0:
        pose_accelerations(table, bends)
        call_flow(table[at.POSE_SLIP], t + ahead, later, table[at.SELF], later)
        if call_unit(table[at.FORCE_SOLVER], table[at.SELF]) != at.SOLVED:
            return math.inf
    for j in range(n):
        if released[j] == 1:
            turns = (bends[j] + dot(wt, j, change, m) - lift[j]) / ahead
            if not turns < 0.0:
                return math.inf
            highest = max(highest, 2.0 * max(lift[j], 0.0) ** 3 / (3.0 * turns * turns))
    return highest / (HEIGHT * length)


@kernel
def let_go(table, modes):
    """Mark in LET_GO contacts that should stick and move without a force, LIFT their gaps' accelerations; none of them
    stays a participant. False where there are none, where one moves under a force, and where another contact opens.
    """
    n, kept, bound = table[at.N_C], 0, held_acceleration(table)
    count = table[at.COUNT]
    who, released, lift = wholes(table[at.WHO], n), wholes(table[at.LET_GO], n), reals(table[at.LIFT], n)
    after, slip, force = reals(table[at.RATE_PLUS], n), reals2(table[at.SLIP_PLUS], n, 2), reals(table[at.IMPULSE], n)
    for j in range(n):
        released[j] = 0
    for i in range(count):
        j = who[i]
        opens = after[i] > bound and not force[i] > 0.0
        if opens and modes[j] != at.STICK and modes[j] != at.OPEN:
            return False
        if modes[j] == at.STICK and (opens or math.hypot(slip[i, 0], slip[i, 1]) > bound):
            if force[i] > 0.0:
                return False
            released[j], lift[j] = 1, after[i]
        else:
            who[kept] = j
            kept += 1
    table[at.COUNT] = kept
    return kept < count


@kernel
def go_on(table, x, ahead):
    """The state after that time with the forces just found into LATER_STATE."""
    nq, m = table[at.N_Q], table[at.N_U]
    rates, change = reals(table[at.RATES], nq + m), reals(table[at.CHANGE], m)
    later = reals(table[at.LATER_STATE], nq + m)
    for k in range(nq + m):
        later[k] = x[k] + ahead * rates[k]
    for k in range(m):
        later[nq + k] += ahead * change[k]
