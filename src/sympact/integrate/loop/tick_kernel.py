"""Instants at which states are updated: those of a stage in discrete time.

A step ends exactly at the next instant. The update is no event: the record has both sides of it as samples. A boundary
that it carries from inside to zero or beyond fires there, after the update.
"""

import math

from sympact.integrate.loop.entry_kernel import transitions
from sympact.integrate.loop.event_kernel import jump, write_sample
from sympact.integrate.loop.mode_kernel import note_mode
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import clock_at
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps, fault
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow


@kernel
def until_due(run):
    """The next instant of the stage."""
    return clock_at(run.stage.clock).due


@kernel
def tick(run):
    """Update the states at the present time, and take the transition whose boundary the update crosses.

    Conditions of the user's own that the update carries past zero are an event.
    """
    clock, x, x_new = clock_at(run.stage.clock), run.x, run.x_new
    call_flow(clock.tick, run.t, x, clock.tick_data, x_new)
    if run.fault != 0:
        return codes.FAULTED
    for i in range(x_new.size):
        if not abs(x_new[i]) < math.inf:
            return codes.NOT_FINITE
    copy(x_new, x)
    note_mode(run)
    write_sample(run, run.t, x, 0.0)
    run.restart = 1
    if run.n_boundaries == 0:
        return codes.OK
    first = crossed(run)
    if run.fault != 0:
        return fault(run)
    return jump(run, first) if first >= 0 or run.stage.n_watches > 0 else codes.OK


@kernel
def crossed(run):
    """The first boundary of a transition that was inside before the update and is not inside after it, or -1."""
    old, new, roots, first = run.gaps_old, run.gaps_new, run.roots, -1
    x, rates = run.x, run.rates[0]
    call_flow(run.stage.flow, run.t, x, run.stage.flow_data, rates)
    run.flow_calls += 1
    evaluate_gaps(run, run.t, x, rates, new)
    for k in range(run.n_boundaries):
        roots[k] = NO_ROOT
    for k in range(transitions(run)):
        if old[k] > 0.0 and new[k] <= 0.0:
            roots[k] = 0.0
            first = k if first < 0 else first
    copy(new, old)
    return first
