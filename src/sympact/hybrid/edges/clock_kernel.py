"""The clocks of a stage: which instant is next, and the update of the states there."""

import math

from sympact.hybrid.edges.process_memory import PeriodMemory, TickMemory
from sympact.integrate.memory.run_kernel import clock_at
from sympact.integrate.search.switch_kernel import settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view, wholes

tick_at, period_at = view(TickMemory), view(PeriodMemory)


@kernel
def tick(t, x, data, out):
    """The state after the instant t: every clock that is due updates its states, in the order of declaration."""
    table = tick_at(data)
    n = table.n_states
    before, after, new = reals(x, n), reals(out, n), table.scratch
    for i in range(n):
        after[i] = before[i]
    for k in range(table.n_clocks):
        clock = period_at(table.clocks[k])
        if next_of(clock) <= t:
            if clock.counter != 0:
                reals(clock.counter, 1)[0] = float(clock.count)
            call_flow(clock.update, t, after, clock.update_data, new)
            clock.count += 1
            for i in range(n):
                after[i] = new[i]
    settle(table.switches, t, out, 0, 1)
    plan(data)


@kernel
def next_of(clock):
    """The next instant: one product and one sum, so that instants are exact to a rounding."""
    return clock.origin + (clock.count + 1 - clock.resumes) * clock.period


@kernel
def enter_clocks(data, restarts, t):
    """A stage is entered: its clocks that are marked begin, and its next instant is that of all."""
    table = tick_at(data)
    if restarts != 0:
        marks = wholes(restarts, table.n_clocks)
        for k in range(table.n_clocks):
            if marks[k] == 1:
                start_clock(period_at(table.clocks[k]), t)
    plan(data)


@kernel
def start_clock(clock, t):
    """A clock begins at the time t: at its origin, or between two instants of a common origin."""
    if clock.resumes == 0:
        clock.origin = t
        clock.count = 0
        return
    clock.count = max(0, math.floor((t - clock.origin) / clock.period))
    while next_of(clock) <= t:
        clock.count += 1


@kernel
def plan(data):
    """Write the next instant of a stage."""
    table = tick_at(data)
    due = math.inf
    for k in range(table.n_clocks):
        due = min(due, next_of(period_at(table.clocks[k])))
    clock_at(table.plan).due = due
