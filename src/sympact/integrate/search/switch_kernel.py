"""Switches at an event: those that fired are turned over, and the others brought to the side their margins are on.

A jump of the state, and a switch inside the margin of another, can carry a margin past zero without a crossing.
`switches` says what stands where in a table.
"""

import math

from sympact.integrate.search import switch_table as at
from sympact.integrate.search.arc_kernel import ROUNDING
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, wholes

SWITCH = 9  # the place of this kind in `EventKind`
ULP = 2.220446049250313e-16
MET = 1e-8  # of the largest margin, or of its way at its present rate: what may be left of one just found at zero
TRIALS = 4  # rounds for each switch: a switch inside a margin of another moves that one


@kernel
def flip(data, fired):
    """Turn over the switches whose boundaries fired; returns how many did."""
    if data == 0:
        return 0
    table, turned = wholes(data, at.SIZE), 0
    first, count = table[at.FIRST], table[at.COUNT]
    values, before, marks = reals(table[at.VALUES], count), reals(table[at.BEFORE], count), wholes(fired, first + count)
    for i in range(count):
        before[i] = values[i]
        if marks[first + i] == 1:
            values[i] = -values[i]
            turned += 1
    return turned


@kernel
def settle(data, t, x, fired, jumped):
    """Bring every switch to the side its margin is on.

    With `jumped` = 1 the state is new: a switch whose margin is zero goes to the side that the flow leads to. Else
    those that fired have been turned over by `flip`, and stay so unless their margin was never at zero. `fired`, unless
    it is 0, is the address of the marks of all boundaries: those of the switches then tell which have changed.
    """
    if data == 0:
        return
    table = wholes(data, at.SIZE)
    first, count = table[at.FIRST], table[at.COUNT]
    values, turned = reals(table[at.VALUES], count), reals(table[at.TURNED], count)
    for i in range(count):
        turned[i] = 0.0
    for _ in range(TRIALS * count):
        measure(table, t, x)
        wrong = misplaced(table, t, fired, jumped)
        if wrong < 0:
            break
        values[wrong] = -values[wrong]
    if fired != 0:
        marks, before = wholes(fired, first + count), reals(table[at.BEFORE], count)
        for i in range(count):
            marks[first + i] = 1 if values[i] != before[i] else 0


@kernel
def measure(table, t, x):
    """The margins times their switches, with both derivatives, as the switches are now."""
    n, nb = table[at.N_STATES], table[at.FIRST] + table[at.COUNT]
    state, rates, gaps = reals(x, n), reals(table[at.RATES], n), reals(table[at.GAPS], 3 * nb)
    call_flow(table[at.FLOW], t, state, table[at.FLOW_DATA], rates)
    call_boundary(table[at.BOUNDARY], t, state, rates, table[at.BOUNDARY_DATA], gaps)


@kernel
def misplaced(table, t, fired, jumped):
    """The first switch on the wrong side, or -1."""
    first, count = table[at.FIRST], table[at.COUNT]
    nb = first + count
    gaps, largest = reals(table[at.GAPS], 3 * nb), reals(table[at.LARGEST], count)
    turned = reals(table[at.TURNED], count)
    for i in range(count):
        g, d, a = gaps[first + i], gaps[nb + first + i], gaps[2 * nb + first + i]
        if largest[i] < abs(g) < math.inf:
            largest[i] = abs(g)
        met = jumped == 0 and wholes(fired, nb)[first + i] == 1
        around = max((MET if met else ROUNDING) * largest[i], (MET if met else 4.0 * ULP) * abs(t * d))
        if g < -around:
            return i
        if jumped == 1 and abs(g) <= around and turned[i] == 0.0 and leads_out(d, a, largest[i]):
            turned[i] = 1.0
            return i
    return -1


@kernel
def leads_out(d, a, largest):
    """Whether a margin at zero is going to be negative, by its rate or, where that is rounding, by its acceleration."""
    rounding = ROUNDING * math.sqrt(abs(a) * largest)
    return d < -rounding or (d <= rounding and a < 0.0)


@kernel
def slides(kind, events, nb):
    """Whether switches go back and forth at one instant: both branches lead back to where the margin is zero.

    `events` counts events in a row at this instant, `kind` is the place in `EventKind` of the last one.
    """
    return kind == SWITCH and events > 2 * nb + 4
