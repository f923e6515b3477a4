"""The loop: step, find the boundary, jump, go on.

One compiled function serves every model and every stepper. It calls by address: the flow, the boundaries and the
transition of the present stage, and the three units of the stepper. It returns to Python when its budget of steps is
used up.
"""

from sympact.integrate.loop.balance_kernel import fault_of_arc, is_balanced
from sympact.integrate.loop.entry_kernel import strays
from sympact.integrate.loop.event_kernel import full, go_on, jump, land, write_sample
from sympact.integrate.loop.progress_kernel import look
from sympact.integrate.loop.start_kernel import begin_arc
from sympact.integrate.loop.tick_kernel import tick, until_due
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.search.approach_kernel import arrive
from sympact.integrate.search.arc_kernel import (
    complete,
    copy,
    evaluate_gaps,
    fault,
    learn_accelerations,
    learn_scales,
    note_excursions,
    prepare,
    settle_lifts,
)
from sympact.integrate.search.force_kernel import search_forces, search_values
from sympact.integrate.search.isolate_kernel import NO_ROOT, dense
from sympact.integrate.search.predict_kernel import meets_at_end, predict
from sympact.integrate.search.prove_kernel import choose
from sympact.integrate.search.screen_kernel import choose_near, clear
from sympact.integrate.search.stage_margin_kernel import keep_end
from sympact.integrate.steppers.runge_kutta_kernel import finite, smallest_size
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit
from sympact.native.rounding import EPS


def run(address):
    """Go on until the end of the run, the end of the budget, or a reason to stop; returns a code of `run_codes`."""
    run = run_at(address)
    while True:
        if full(run):
            return codes.PAUSED
        if run.crowded == 1:
            code = go_on(run)
            if code != codes.OK:
                return code
        if run.t >= run.t_stop and run.t < run.t_end and not (run.restart == 1 and run.t == run.t_start):
            code = land(run)
            if code != codes.OK:
                return code
            continue
        if run.restart == 1:
            first, code = begin_arc(run)
            if code != codes.OK:
                return code
            if first >= 0:
                code = jump(run, first)
                if code != codes.OK:
                    return code
                continue
            if run.t >= run.t_stop and run.t < run.t_end:
                continue
        if run.t >= run.t_end:
            return codes.BEYOND_BOUNDARY if run.beyond > 0 else codes.FINISHED
        if run.budget <= 0:
            return codes.PAUSED
        code = step(run, address) if run.stage.clock == 0 else step_to_instant(run, address)
        if code != codes.OK:
            return code
        if run.steps + run.rejected >= run.look_at:
            code = look(run)
            if code != codes.OK:
                return code


@kernel
def step(run, address):
    """One accepted step, and the jump if it crosses a boundary."""
    run.budget -= 1
    code = advance(run, address)
    if code != codes.OK:
        first = stalled(run) if code == codes.STEP_TOO_SMALL else -1
        return jump(run, first) if first >= 0 else code
    complete(run, run.t_new)
    if run.stage.project != 0 and not finite(run.rates[run.last]):
        run.fault = 1 if run.fault == 1 else 2
        return retreat(run)
    first = search(run, address)
    if run.fault != 0:
        return retreat(run)
    run.steps += 1
    run.fresh = 0
    if first < 0:
        if strays(run):
            return codes.BEYOND_BOUNDARY
        if not is_balanced(run, first):
            return fault_of_arc(run)
        end_step(run)
        return codes.OK
    root = run.roots[first]
    if root > 0.0:
        first = arrive(run, address, first, root)
        if run.fault != 0:
            return fault(run)
        if strays(run):
            return codes.BEYOND_BOUNDARY
        if not is_balanced(run, first):
            return fault_of_arc(run)
        end_step(run)
        if waits(run, first):
            return codes.OK
    return jump(run, first)


@kernel
def waits(run, first):
    """Whether a condition of the user's own is met at a time of the schedule: it is part of what happens there."""
    return first >= run.n_boundaries - run.stage.n_watches and run.t >= run.t_stop and run.t < run.t_end


@kernel
def advance(run, address):
    """The stepper's part of a step, unless it is there already; a code of `run_codes`."""
    if run.ahead == 1:
        run.ahead = 0
        return codes.OK
    if run.fresh == 0:
        prepare(run, run.t, run.x)
    predict(run)
    return call_unit(run.advance, address)


@kernel
def step_to_instant(run, address):
    """The same in a stage whose states are updated at instants: it ends at the next one at the latest."""
    stop, due = run.t_stop, until_due(run)
    if run.t >= due:
        return tick(run)
    run.t_stop = min(stop, due)
    code = step(run, address)
    run.t_stop = stop
    return tick(run) if code == codes.OK and run.restart == 0 and run.t >= due else code


@kernel
def stalled(run):
    """The boundary reached where no step is small enough to go on, or -1."""
    nb, first = run.n_boundaries, -1
    if run.stage.stall == 0:
        return first
    marks, roots = run.gaps_here, run.roots
    call_flow(run.stage.stall, run.t, run.x, run.stage.flow_data, marks)
    for k in range(nb):
        roots[k] = NO_ROOT
        if marks[k] < 0.0 and first < 0:
            first = k
    return first


@kernel
def retreat(run):
    """Where a boundary is not finite, or a projected end, try a shorter step if the stepper can.

    The boundary may be crossed before.
    """
    h = 0.2 * run.h
    if run.fault == 1 or run.order == 0.0 or h < smallest_size(run.t):
        return fault(run)
    run.fault, run.h_next = 0, h
    run.rejected += 1
    return codes.OK


@kernel
def search(run, address):
    """The boundary crossed first in this step, or -1: a gap, a function, or the force of a closed contact."""
    if run.n_boundaries == 0:
        return -1
    run.searched, run.built, run.estimated, run.doubted = run.h, 0, 0, 0
    first = search_gaps(run, address)
    if run.stage.n_functions > 0 and run.fault == 0:
        first = search_values(run, address, first, codes.BY_FUNCTION)
    if run.stage.force == 0 or run.fault != 0:
        return first
    return search_forces(run, address, first)


@kernel
def search_gaps(run, address):
    """The gap crossed first in this step, or -1."""
    new, end, run.narrow = run.gaps_new, run.rates[run.last], 0
    evaluate_gaps(run, run.t_new, run.x_new, end, new)
    if run.fault != 0:
        return -1
    learn_scales(run, new)
    if run.stage.derivatives == 1 and run.smooth == 1:
        proofs = choose(run)
        first = meets_at_end(run, run.bernstein) if run.predicted > 0.0 and proofs == 0 else -1
        if first >= 0:
            return first
        passed = clear(run, run.bernstein)
        if not passed:
            choose_near(run)
        return -1 if passed and proofs == 0 else search_smooth(run, address, passed, proofs)
    dense(run, address)
    return call_unit(run.sample, address)


@kernel
def search_smooth(run, address, passed, proofs):
    """The gap crossed first: by the values at the ends unless these exclude all, then by proof of the others."""
    first, roots = -1, run.roots
    if passed:
        for k in range(run.n_boundaries):
            roots[k] = NO_ROOT
    else:
        alone = run.stage.force == 0 and run.stage.n_functions == 0
        run.estimated = 1 if proofs == 0 and alone and run.exact != 0 else 0
        first = call_unit(run.isolate, address)
    if proofs == 0 or run.fault != 0:
        return first
    dense(run, address)
    met = call_unit(run.prove, address)
    return met if met >= 0 else first


@kernel
def end_step(run):
    """Write the end of the step and go there; what was passed over so far was not at one instant with what comes."""
    x_new, rates = run.x_new, run.rates
    if run.smooth == 0 or run.stage.n_watches > 0:
        settle_lifts(run)
    note_excursions(run)
    run.t_new = min(run.t_new, run.t_stop)  # an event there is found to a rounding
    run.instant = 0 if run.t_new - run.t > 4.0 * EPS * abs(run.t) else run.instant
    run.t = run.t_new
    write_sample(run, run.t, x_new, run.h)
    copy(x_new, run.x)
    copy(rates[run.last], rates[0])
    keep_end(run)
    learn_accelerations(run, run.gaps_new)
    copy(run.gaps_new, run.gaps_old)
