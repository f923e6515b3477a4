"""Several runs at once: quiet steps are taken in lanes of vectors, all else by each run itself.

A step is quiet where it is accepted at the first trial and no boundary is reached in it. The lanes give it the bits
that the loop would. A run whose next step may be another, or whose step turns out to be, leaves its lane as it was at
the start of the step, which the loop then takes; after it the run comes back.
"""

import math

from sympact.integrate.batch.batch_kernel import batch_at
from sympact.integrate.batch.batch_memory import DONE, STEPPED
from sympact.integrate.batch.lane_memory import LANES, LaneMemory
from sympact.integrate.loop.event_kernel import full
from sympact.integrate.loop.loop_kernel import end_step
from sympact.integrate.memory.run_codes import BY_RATES
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.search.arc_kernel import learn_scales
from sympact.integrate.search.predict_kernel import predict
from sympact.integrate.search.prove_kernel import choose
from sympact.integrate.search.screen_kernel import clear
from sympact.integrate.steppers.runge_kutta_kernel import accept, bounded, conclude
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, view

lanes_at = view(LaneMemory)
"""The memory of lanes whose table is at an address."""


def run_lanes(address):
    """The runs from `next` to `last`; returns as `run_chunk` does, of the lane `asking`."""
    lanes = lanes_at(address)
    while lanes.stop == 0:
        active = False
        for k in range(LANES):
            if lanes.ready[k] == 0:
                code = go_on_alone(lanes, k)
                if code != DONE:
                    lanes.asking = k
                    return code
            active = active or lanes.ready[k] == 1
        if not active:
            return DONE
        call_unit(lanes.step, address)
        for k in range(LANES):
            if lanes.ready[k] == 1:
                run = run_at(batch_at(lanes.batches[k]).frame)
                lanes.ready[k] = 1 if takes(lanes, k, run) and may_step(lanes, run) else 0
                if lanes.ready[k] == 1:
                    aim(lanes, k, run)
    return DONE


@kernel
def go_on_alone(lanes, k):
    """The run of a lane goes on by itself until it is ready for a step in the lane; DONE also where no run is left."""
    batch = batch_at(lanes.batches[k])
    while batch.stop == 0:
        if batch.row >= batch.last:
            if lanes.next >= lanes.last:
                return DONE
            batch.row, batch.last, batch.slice = lanes.next, lanes.next + 1, 0
            lanes.next += 1
        code = call_unit(lanes.chunk, batch.address)
        if code == STEPPED:
            run = run_at(batch.frame)
            batch.slice = 1
            if is_free(lanes, run) and may_step(lanes, run):
                enter(lanes, k, batch, run)
                aim(lanes, k, run)
                return DONE
        elif code != DONE:
            return code
    return DONE


@kernel
def is_free(lanes, run):
    """Whether the run is in the stage of the lanes, and nothing is watched but gaps that are not latched."""
    stage = run.stage
    if stage.flow != lanes.flow or stage.boundary != lanes.boundary or stage.project != lanes.project:
        return False
    if run.restart == 1 or run.crowded == 1 or run.beyond > 0 or run.latches > 0:
        return False
    watched = stage.watched
    for k in range(run.n_boundaries):
        if watched[k] != BY_RATES:
            return False
    if run.fresh == 1:
        predict(run)
    return run.predicted == 0.0


@kernel
def may_step(lanes, run):
    """Whether the loop would take a step now, with nothing before or after it."""
    there = run.t < run.t_stop and not full(run)
    return there and run.steps + run.rejected + 1 < run.look_at


@kernel
def enter(lanes, k, batch, run):
    """Write the state of the run, and p, into its lane."""
    x, rates, p = run.x, run.rates, reals(batch.p, lanes.n_numbers)
    own_x, own_rates, own_p = lanes.x, lanes.rates, lanes.p
    for i in range(lanes.n_states):
        own_x[i, k] = x[i]
        own_rates[0, i, k] = rates[0, i]
    for i in range(lanes.n_numbers):
        own_p[i, k] = p[i]
    lanes.ready[k] = 1


@kernel
def aim(lanes, k, run):
    """The size of the coming step."""
    h = bounded(run, run.h_next)
    lanes.asked[k] = min(run.h_next, run.max_step)
    accept(run, h)
    lanes.t[k], lanes.h[k], lanes.t_new[k] = run.t, h, run.t_new


@kernel
def takes(lanes, k, run):
    """Take the step of a lane if it is quiet; else the run is as before, but for what the loop writes anew."""
    size = lanes.size[k]
    if not size <= 1.0:
        return False
    leave(lanes, k, run)
    if not is_clear(lanes, k, run):
        return False
    conclude(run, lanes.h[k], size, lanes.asked[k], lanes.exponent, False)
    run.searched, run.built, run.estimated = run.h, 0, 0
    run.flow_calls += lanes.calls
    run.boundary_calls += 1
    run.steps += 1
    run.fresh = 0
    end_step(run)
    return True


@kernel
def leave(lanes, k, run):
    """Write the end of the step into the memory of the run, and make it the start of the next one in the lane."""
    last = run.last
    x_new, end = run.x_new, run.rates[last]
    own_x, own_x_new, own_rates = lanes.x, lanes.x_new, lanes.rates
    for i in range(lanes.n_states):
        x, rate = own_x_new[i, k], own_rates[last, i, k]
        x_new[i], end[i] = x, rate
        own_x[i, k], own_rates[0, i, k] = x, rate


@kernel
def is_clear(lanes, k, run):
    """Whether no gap is reached in the step, as `search` of the loop judges; its end has the gaps."""
    new, offset, gaps, finite = run.gaps_new, run.offset, lanes.gaps, True
    for i in range(new.size):
        new[i] = gaps[i, k]
    for i in range(run.n_boundaries):
        new[i] -= offset[i]
        finite = finite and abs(new[i]) < math.inf
    if not finite:
        return False
    learn_scales(run, new)
    return choose(run) == 0 and clear(run, run.bernstein)
