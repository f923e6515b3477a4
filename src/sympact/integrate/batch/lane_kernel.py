"""Several runs at once: quiet steps are taken in lanes of vectors, all else by each run itself.

A step is quiet where no boundary is reached in it. The lanes give it the bits that the loop would. A run whose step
turns out to be another, or was predicted to be, leaves its lane as it was at the start of the step. The loop then takes
the step with the stages that the lane has computed; after it the run comes back.

Which state was to blame for a rejected step is not counted: single runs alone report it.
"""

import math

from sympact.integrate.batch.batch_kernel import batch_at
from sympact.integrate.batch.batch_memory import DONE, STEPPED, UNLIMITED
from sympact.integrate.batch.lane_memory import LANES, LaneMemory
from sympact.integrate.loop.event_kernel import full, write_sample
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.search.arc_kernel import dead_band
from sympact.integrate.search.predict_kernel import predict
from sympact.integrate.steppers.runge_kutta_kernel import (
    accept,
    bounded,
    conclude,
    exact_size,
    shrunk,
    smallest_size,
    tries_low_order,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading, reals, view

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
                follow(lanes, k, run_at(batch_at(lanes.batches[k]).frame))
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
        run = run_at(batch.frame)
        batch.kept = lanes.kept
        code = call_unit(lanes.chunk, batch.address)
        lanes.kept = batch.kept
        if code == STEPPED:
            batch.slice = 1 if has_quiet_steps(run) else UNLIMITED
            if batch.slice == 1 and is_free(lanes, run) and may_step(run, 1):
                enter(lanes, k, batch, run)
                aim(lanes, k, run)
                if lanes.ready[k] == 1:
                    return DONE
        elif code != DONE:
            return code
    return DONE


@kernel
def follow(lanes, k, run):
    """What a trial of a step in a lane leads to: its run takes the step, tries a smaller one, or leaves the lane."""
    if not lanes.size[k] <= 1.0:
        if not try_again(lanes, k, run):
            leave(lanes, k, run, False)
            forget(lanes, k, run)
    elif lanes.quiet[k] == 1.0 and run.predicted == 0.0:
        take(lanes, k, run)
        if may_step(run, 1):
            aim(lanes, k, run)
        else:
            leave(lanes, k, run, True)
    else:
        leave(lanes, k, run, False)
        if finite_gaps(lanes, k):
            hand_over(lanes, k, run)
        else:
            forget(lanes, k, run)


@kernel
def has_quiet_steps(run):
    """Whether steps of the run may be taken in a lane: its gaps have known scales, and are searched by their values at
    the ends of a step."""
    stage, nb = run.stage, run.n_boundaries
    known, scales = stage.length == 0 and stage.proof == 0 and stage.n_contacts == nb, stage.scales
    for k in range(nb):
        known = known and scales[nb + k] != 0.0
    return known and run.sample_polynomial == 0


@kernel
def is_free(lanes, run):
    """Whether the run is in the stage of the lanes, where nothing is watched but gaps."""
    stage = run.stage
    if stage.flow != lanes.flow or stage.boundary != lanes.boundary or stage.project != lanes.project:
        return False
    if run.restart == 1 or run.crowded == 1 or run.beyond > 0 or run.latches > 0:
        return False
    watched, free = stage.watched, True
    for k in range(run.n_boundaries):
        free = free and watched[k] == codes.BY_RATES
    return free


@kernel
def may_step(run, tried):
    """Whether the loop would take a step now that is tried so often, with nothing before or after it."""
    return run.t < run.t_stop and not full(run) and run.steps + run.rejected + tried < run.look_at


@kernel
def enter(lanes, k, batch, run):
    """Write the state of the run into its lane, with all that steps need and do not change."""
    x, rates, gaps, offset, p = run.x, run.rates, run.gaps_old, run.offset, reals(batch.p, lanes.n_numbers)
    own_x, own_rates, own_gaps, own_p = lanes.x_new, lanes.rates, lanes.gaps_new, lanes.p
    for i in range(lanes.n_states):
        own_x[i, k], own_rates[run.last, i, k] = x[i], rates[0, i]
    for i in range(gaps.size):
        own_gaps[i, k] = gaps[i]
    for i in range(run.n_boundaries):
        lanes.offset[i, k], lanes.band[i, k] = offset[i], dead_band(run, i)
    for i in range(p.size):
        own_p[i, k] = p[i]
    run.low, lanes.largest_new[k] = 0, run.largest_acceleration
    lanes.ready[k], lanes.moved[k] = 1, 0


@kernel
def aim(lanes, k, run):
    """The size of the coming step, of which no trial was rejected; the loop tries short ones by a method of low order.

    For these the run leaves its lane.
    """
    lanes.asked[k], lanes.again[k] = min(run.h_next, run.max_step), 0
    if run.fresh == 1 or run.predicted > 0.0:
        lanes.predicted[k] = run.predicted
        predict(run)
    h = bounded(run, run.h_next)
    if tries_low_order(run, h):
        leave(lanes, k, run, True)
        forget(lanes, k, run)
    else:
        point_at(lanes, k, run, h)


@kernel
def point_at(lanes, k, run, h):
    """The step of a lane has the size h."""
    accept(run, h)
    lanes.t[k], lanes.h[k], lanes.t_new[k] = run.t, h, run.t_new


@kernel
def try_again(lanes, k, run):
    """Whether a smaller step is tried in the lane, from the start of the rejected one."""
    h, n = shrunk(lanes.h[k], lanes.size[k], lanes.exponent), lanes.n_states
    if h < smallest_size(run.t) or not may_step(run, 2):
        return False
    run.rejected += 1
    run.flow_calls += lanes.stages
    lanes.again[k] += 1
    x, x_new, rates, gaps, gaps_new = lanes.x, lanes.x_new, lanes.rates, lanes.gaps, lanes.gaps_new
    for i in range(n):
        x_new[i, k], rates[run.last, i, k] = x[i, k], rates[0, i, k]
    for i in range(3 * lanes.n_gaps):
        gaps_new[i, k] = gaps[i, k]
    lanes.largest_new[k] = lanes.largest[k]
    point_at(lanes, k, run, exact_size(run.t, h))
    return True


@kernel
def forget(lanes, k, run):
    """The loop takes the step of a lane from its beginning: trials there do not count."""
    run.rejected -= lanes.again[k]
    run.flow_calls -= lanes.again[k] * lanes.stages
    if run.predicted > 0.0:
        run.predicted = lanes.predicted[k]


@kernel
def take(lanes, k, run):
    """The step of a lane is one of the run, whose state follows when it leaves."""
    conclude(run, lanes.h[k], lanes.size[k], lanes.asked[k], lanes.exponent, lanes.again[k] > 0)
    lanes.taken += 1
    run.steps += 1
    run.flow_calls += lanes.stages + (1 if lanes.project != 0 else 0)
    run.boundary_calls += 1
    run.fresh, run.searched, run.built, run.estimated = 0, run.h, 0, 0
    run.t, lanes.moved[k] = run.t_new, 1
    if run.forgets == 0:
        put_sample(lanes, k, run, lanes.x_new)


@kernel
def put_sample(lanes, k, run, x):
    """Append the state of a lane, at the end of the last step taken there, as a sample of its run."""
    here = run.x_new
    for i in range(lanes.n_states):
        here[i] = x[i, k]
    write_sample(run, run.t, here, run.searched)
    lanes.moved[k] = 0


@kernel
def leave(lanes, k, run, taken):
    """Write the state of a lane into the memory of its run: that at the end of a step that was taken, else at its
    start."""
    x, rates, gaps = run.x, run.rates, run.gaps_old
    own_rates, row = lanes.rates, run.last if taken else 0
    own_x, own_gaps = lanes.x_new if taken else lanes.x, lanes.gaps_new if taken else lanes.gaps
    for i in range(lanes.n_states):
        x[i], rates[0, i] = own_x[i, k], own_rates[row, i, k]
    for i in range(gaps.size):
        gaps[i] = own_gaps[i, k]
    run.largest_acceleration = lanes.largest_new[k] if taken else lanes.largest[k]
    if lanes.moved[k] == 1:
        put_sample(lanes, k, run, own_x)
    lanes.ready[k] = 0


@kernel
def finite_gaps(lanes, k):
    """Whether all gaps at the end of the step are finite."""
    finite, gaps = True, lanes.gaps_new
    for i in range(lanes.n_gaps):
        finite = finite and abs(gaps[i, k]) < math.inf
    return finite


@kernel
def hand_over(lanes, k, run):
    """The coming step of the loop is that of the lane, which a boundary may end: what `advance` would write."""
    conclude(run, lanes.h[k], lanes.size[k], lanes.asked[k], lanes.exponent, lanes.again[k] > 0)
    run.flow_calls += lanes.stages
    run.ahead = 1
    n, x_new, own_x = lanes.n_states, run.x_new, lanes.y
    for i in range(n):
        x_new[i] = own_x[i, k]
    count = (run.last + 1) * n
    rates, own_rates = leading(run.rates, count), leading(lanes.rates, count * LANES)
    for i in range(n, count):
        rates[i] = own_rates[LANES * i + k]
