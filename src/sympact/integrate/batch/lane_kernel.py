"""Several runs at once: quiet steps are taken in lanes of vectors, all else by each run itself.

A step is quiet where it is accepted at the first trial and no boundary is reached in it. The lanes give it the bits
that the loop would. A run whose next step may be another leaves its lane; so does one whose step turns out to be, as it
was at the start of the step. The loop then takes the step, with the stages that the lane has computed if it was
accepted; after it the run comes back.
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
                accepted = lanes.size[k] <= 1.0
                taken = accepted and lanes.quiet[k] == 1.0
                if taken:
                    take(lanes, k, run)
                if taken and may_step(run):
                    aim(lanes, k, run)
                else:
                    leave(lanes, k, run, taken)
                if accepted and not taken and finite_gaps(lanes, k):
                    hand_over(lanes, k, run)
    return DONE


def resume(address):
    """In place of the unit that takes a step: the lanes have taken it, and written what it writes."""
    return codes.OK


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
        code = call_unit(lanes.chunk, batch.address)
        run.advance = lanes.advance
        if code == STEPPED:
            batch.slice = 1 if has_quiet_steps(run) else UNLIMITED
            if batch.slice == 1 and is_free(lanes, run) and may_step(run):
                enter(lanes, k, batch, run)
                aim(lanes, k, run)
                return DONE
        elif code != DONE:
            return code
    return DONE


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
    """Whether the run is in the stage of the lanes, where nothing is watched but gaps, and none is soon reached."""
    stage = run.stage
    if stage.flow != lanes.flow or stage.boundary != lanes.boundary or stage.project != lanes.project:
        return False
    if run.restart == 1 or run.crowded == 1 or run.beyond > 0 or run.latches > 0:
        return False
    watched = stage.watched
    for k in range(run.n_boundaries):
        if watched[k] != codes.BY_RATES:
            return False
    if run.fresh == 1:
        predict(run)
    return run.predicted == 0.0


@kernel
def may_step(run):
    """Whether the loop would take a step now, with nothing before or after it."""
    return run.t < run.t_stop and not full(run) and run.steps + run.rejected + 1 < run.look_at


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
    lanes.largest_new[k] = run.largest_acceleration
    lanes.ready[k] = 1


@kernel
def aim(lanes, k, run):
    """The size of the coming step."""
    h = bounded(run, run.h_next)
    accept(run, h)
    lanes.asked[k] = min(run.h_next, run.max_step)
    lanes.t[k], lanes.h[k], lanes.t_new[k] = run.t, h, run.t_new


@kernel
def take(lanes, k, run):
    """The step of a lane is one of the run."""
    conclude(run, lanes.h[k], lanes.size[k], lanes.asked[k], lanes.exponent, False)
    lanes.taken += 1
    run.steps += 1
    run.flow_calls += lanes.stages + (1 if lanes.project != 0 else 0)
    run.boundary_calls += 1
    run.fresh, run.searched, run.built, run.estimated = 0, run.h, 0, 0
    run.t = run.t_new
    x, own_x = run.x_new, lanes.x_new
    for i in range(lanes.n_states):
        x[i] = own_x[i, k]
    write_sample(run, run.t, x, run.h)


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
    """The coming step of the loop is that of the lane, which a boundary may end: what `advance` would write.

    It has not been predicted to end at a boundary, and is not predicted again.
    """
    conclude(run, lanes.h[k], lanes.size[k], lanes.asked[k], lanes.exponent, False)
    run.flow_calls += lanes.stages
    run.fresh, run.advance = 0, lanes.resume
    x_new, rates, own_x, own_rates = run.x_new, run.rates, lanes.y, lanes.rates
    for i in range(lanes.n_states):
        x_new[i] = own_x[i, k]
    for row in range(1, run.last + 1):
        for i in range(lanes.n_states):
            rates[row, i] = own_rates[row, i, k]
