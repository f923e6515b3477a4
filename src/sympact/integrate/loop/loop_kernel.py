"""The loop: step, find the boundary, jump, go on.

One compiled function serves every model and every stepper. It knows them by address: the flow, the boundaries and the
transition of
the present stage, and the three units of the stepper. It returns to Python when its budget of steps is used up.
"""

from sympact.integrate.loop.entry_kernel import strays
from sympact.integrate.loop.event_kernel import ULP, full, jump, land, write_sample
from sympact.integrate.loop.progress_kernel import look
from sympact.integrate.loop.start_kernel import begin_flight
from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.arc_kernel import (
    copy,
    evaluate_gaps,
    fault,
    gaps,
    learn_bends,
    learn_scales,
    note_excursions,
    prepare,
    project,
)
from sympact.integrate.search.force_kernel import arrive, search_forces
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.integrate.search.prove_kernel import choose
from sympact.integrate.search.screen_kernel import clear
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2, wholes


def run(address):
    """Go on until the end of the run, the end of the budget, or a reason to stop; returns a code of `layout`."""
    frame = wholes(address, at.SIZE)
    real = reals(frame[at.REAL], at.N_REALS)
    while True:
        if full(frame):
            return at.PAUSED
        if real[at.T] >= real[at.T_STOP] and real[at.T] < real[at.T_END]:
            code = land(frame, real)
            if code != at.OK:
                return code
        if frame[at.RESTART] == 1:
            first, code = begin_flight(frame, real)
            if code != at.OK:
                return code
            if first >= 0:
                code = jump(frame, real, first)
                if code != at.OK:
                    return code
                continue
        if real[at.T] >= real[at.T_END]:
            return at.BEYOND_BOUNDARY if frame[at.BEYOND] > 0 else at.FINISHED
        if frame[at.BUDGET] <= 0:
            return at.PAUSED
        code = step(frame, real, address)
        if code != at.OK:
            return code
        if frame[at.STEPS] + frame[at.REJECTED] >= frame[at.LOOK_AT]:
            code = look(frame, real)
            if code != at.OK:
                return code


@kernel
def step(frame, real, address):
    """One accepted step, and the jump if a boundary is met in it."""
    frame[at.BUDGET] -= 1
    if frame[at.FRESH] == 0:
        prepare(frame, real[at.T], reals(frame[at.X], frame[at.N]))
    code = call_unit(frame[at.ADVANCE], address)
    if code != at.OK:
        first = stalled(frame, real) if code == at.STEP_TOO_SMALL else -1
        return jump(frame, real, first) if first >= 0 else code
    project(frame, real[at.T_NEW])
    first = search(frame, real, address)
    if frame[at.FAULT] != 0:
        return retreat(frame, real)
    frame[at.STEPS] += 1
    frame[at.FRESH] = 0
    if first < 0:
        if strays(frame, real):
            return at.BEYOND_BOUNDARY
        end_step(frame, real)
        return at.OK
    root = reals(frame[at.ROOTS], frame[at.NB])[first]
    if root > 0.0:
        arrive(frame, real, address, first, root)
        if frame[at.FAULT] != 0:
            return fault(frame)
        if strays(frame, real):
            return at.BEYOND_BOUNDARY
        end_step(frame, real)
    return jump(frame, real, first)


@kernel
def stalled(frame, real):
    """What is met where no step is small enough to go on, or -1."""
    nb, first = frame[at.NB], -1
    if frame[at.STALL] == 0:
        return first
    marks, roots = gaps(frame, at.GAPS_HERE), reals(frame[at.ROOTS], nb)
    call_flow(frame[at.STALL], real[at.T], reals(frame[at.X], frame[at.N]), frame[at.FLOW_DATA], marks)
    for k in range(nb):
        roots[k] = NO_ROOT
        if marks[k] < 0.0 and first < 0:
            first = k
    return first


@kernel
def retreat(frame, real):
    """Where a boundary is not finite, a stepper that can takes a shorter step: it may be crossed before that place."""
    h = 0.2 * real[at.H]
    if frame[at.FAULT] == 1 or real[at.ORDER] == 0.0 or h < 16.0 * ULP * abs(real[at.T]) or h < 1e-290:
        return fault(frame)
    frame[at.FAULT], real[at.H_NEXT] = 0, h
    frame[at.REJECTED] += 1
    return at.OK


@kernel
def search(frame, real, address):
    """The boundary met first in this step, or -1: a gap, or the force of a closed contact."""
    if frame[at.NB] == 0:
        return -1
    real[at.SEARCHED] = real[at.H]
    first, dense = search_gaps(frame, real, address)
    if frame[at.FORCE] == 0 or frame[at.FAULT] != 0:
        return first
    if not dense:
        call_unit(frame[at.DENSE], address)
    return search_forces(frame, real, address, first)


@kernel
def search_gaps(frame, real, address):
    """(the gap met first in this step or -1, whether the step's polynomial was built)."""
    new, end = gaps(frame, at.GAPS_NEW), reals2(frame[at.RATES], frame[at.ROWS], frame[at.N])[frame[at.LAST]]
    evaluate_gaps(frame, real[at.T_NEW], reals(frame[at.X_NEW], frame[at.N]), end, new)
    if frame[at.FAULT] != 0:
        return -1, False
    learn_scales(frame, new)
    if frame[at.DERIVATIVES] == 1 and frame[at.SMOOTH] == 1:
        proofs = choose(frame, real)
        passed = clear(frame, real, reals(frame[at.BERNSTEIN], 9))
        if passed and proofs == 0:
            return -1, False
        call_unit(frame[at.DENSE], address)
        return search_smooth(frame, address, passed, proofs), True
    call_unit(frame[at.DENSE], address)
    return call_unit(frame[at.SAMPLE], address), True


@kernel
def search_smooth(frame, address, passed, proofs):
    """The gap met first: by the numbers at the ends unless these have `passed` all, then by proof of the others."""
    first, roots = -1, reals(frame[at.ROOTS], frame[at.NB])
    if passed:
        for k in range(frame[at.NB]):
            roots[k] = NO_ROOT
    else:
        first = call_unit(frame[at.ISOLATE], address)
    if proofs == 0 or frame[at.FAULT] != 0:
        return first
    met = call_unit(frame[at.PROVE], address)
    return met if met >= 0 else first


@kernel
def end_step(frame, real):
    """Write the end of the step and go there."""
    n = frame[at.N]
    x_new, rates = reals(frame[at.X_NEW], n), reals2(frame[at.RATES], frame[at.ROWS], n)
    note_excursions(frame, real)
    real[at.T] = real[at.T_NEW]
    write_sample(frame, real[at.T], x_new, real[at.H])
    copy(x_new, reals(frame[at.X], n))
    copy(rates[frame[at.LAST]], rates[0])
    learn_bends(frame, real, gaps(frame, at.GAPS_NEW))
    copy(gaps(frame, at.GAPS_NEW), gaps(frame, at.GAPS_OLD))
