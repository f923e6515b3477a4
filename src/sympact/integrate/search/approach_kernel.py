"""The end of a step is moved to the boundary that it crosses."""

import math

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_tolerances import PROBE, SECANT, SLIGHT
from sympact.integrate.search.arc_kernel import (
    complete,
    copy,
    dead_band,
    evaluate_gaps,
    nearby,
    project,
    state_at,
    values_at,
)
from sympact.integrate.search.isolate_kernel import NO_ROOT, dense
from sympact.integrate.search.predict_kernel import AT_END, correction, rest_to
from sympact.integrate.search.stage_margin_kernel import clear_at_end
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, row_of


@kernel
def arrive(run, address, first, root):
    """Move the end of the step to the first root, with the gaps there; returns the boundary that is met.

    Where the root of a margin after it is an estimate, and a margin is negative there, margins are searched again.
    """
    way, whole, t_new, low = run.stage.watched[first], run.h, run.t_new, run.low
    run.looking = way
    if way == codes.BY_RATES:
        first = approach(run, address, first, root)
        if run.doubted == 0 or run.fault != 0 or clear_at_end(run):
            return first
        run.looking = codes.BY_VALUES
        first, root = search_again(run, address, first, root, whole, t_new, low)
    first = approach(run, address, first, root)
    run.looking = codes.BY_RATES
    end = run.rates[run.last]
    evaluate_gaps(run, run.t_new, run.x_new, end, run.gaps_new)
    return first


@kernel
def approach(run, address, first, root):
    """Move the end of the step to the root, with the full order of the stepper where it can repeat a step.

    The repeated step is corrected by the quadratic through g, g', g'' until the correction is below the spacing of
    times. An estimated root from which this fails is searched again. Where the repeated step does not reach the
    boundary, the root of the dense output is used. Returns the boundary, which another search may change.
    """
    if run.estimated == AT_END and run.looking == codes.BY_RATES:
        rest = rest_to(run, first)
        if abs(rest) <= SLIGHT * run.h:
            shift(run, rest)
        else:
            shift_far(run, rest)
        return first
    whole, t_new, low = run.h, run.t_new, run.low
    x_new, end = run.x_new, run.rates[run.last]
    new, t = run.gaps_new, run.t
    if run.exact != 0:
        reached = polish(run, address, first, root * whole)
        if run.estimated == 1 and run.fault == 0 and not (reached and in_order(run, first, whole)):
            first, root = search_again(run, address, first, root, whole, t_new, low)
            reached = polish(run, address, first, root * whole)
        if reached:
            join(run, first)
            return first
        run.interpolated += 1
    run.h, run.low = whole, low
    if run.exact != 0 and run.sample_polynomial != 0:
        call_unit(run.exact, address)  # which writes the polynomial of the step that it repeats
    t_root = t + root * whole
    state_at(run, root, x_new)
    call_flow(run.stage.flow, t_root, x_new, run.stage.flow_data, end)
    run.flow_calls += 1
    project(run, t_root)
    run.t_new = t_root
    evaluate_gaps(run, t_root, x_new, end, new)
    return first


@kernel
def in_order(run, first, whole):
    """True when no other boundary that the step crosses is on the other side at its new end.

    For a margin: that this end is before the first zero of a gap, too.
    """
    new, roots, passed = run.gaps_new, run.roots, False
    if run.looking == codes.BY_VALUES and run.gap >= 0:
        passed = not run.t_new - run.t < run.kept_roots[run.gap] * whole
    for k in range(run.n_boundaries):
        passed = passed or (k != first and roots[k] < NO_ROOT and new[k] < -dead_band(run, k))
    return not passed


@kernel
def search_again(run, address, first, root, whole, t_new, low):
    """(the boundary crossed first, its root) by the dense output of the whole step, which is repeated.

    Of margins: the gap that is crossed first, unless a margin is zero before it.
    """
    run.h, run.t_new, run.low, run.built, run.estimated = whole, t_new, low, 0, 0
    call_unit(run.exact, address)
    complete(run, t_new)
    if run.looking == codes.BY_RATES:
        evaluate_gaps(run, t_new, run.x_new, run.rates[run.last], run.gaps_new)
        found = call_unit(run.isolate, address)
        dense(run, address)
    else:
        dense(run, address)
        found = call_unit(run.sample, address)
        if run.gap >= 0 and not (found >= 0 and run.roots[found] < run.kept_roots[run.gap]):
            found, run.looking = run.gap, codes.BY_RATES
            copy(run.kept_roots, run.roots)
    return (found, run.roots[found]) if found >= 0 and run.roots[found] > 0.0 else (first, root)


@kernel
def polish(run, address, first, h):
    """Repeat the step with the size h, corrected until it ends on the boundary; False if this does not converge."""
    nb, whole = run.n_boundaries, run.h
    x_new, end = run.x_new, run.rates[run.last]
    new, t = run.gaps_new, run.t
    by_values = run.stage.derivatives == 0 or run.looking != codes.BY_RATES
    near = nearby(run) if run.estimated == 1 else 0.0
    slope, slight = 0.0, SLIGHT
    if by_values:
        slope, slight = run.slope if run.estimated == 1 else secant(run, first, h / whole), 1e-3 * SLIGHT
    run.low, last = 1 if run.low == 1 or h <= run.short < math.inf else 0, h
    for _ in range(6):
        run.h = h
        call_unit(run.exact, address)
        complete(run, t + h)
        evaluate_gaps(run, t + h, x_new, end, new)
        if run.fault != 0:
            return True
        run.t_new = t + h
        dt = correction(new[first], new[nb + first], new[2 * nb + first]) if slope == 0.0 else -new[first] / slope
        if abs(dt) <= slight * h:
            shift(run, dt)
            return True
        if abs(dt) <= near * h:
            shift_far(run, dt)
            return not by_values or settles(run, first, slope, slight * h)
        if not abs(dt) < 0.5 * last or h + dt > whole * (1.0 + PROBE):
            return False
        h, last = h + dt, abs(dt)
    return False


@kernel
def settles(run, first, slope, least):
    """Whether corrections by a slope that is not quite that of the margin become so short; the last one is made.

    The end is projected then: closed contacts have no gap rate that the transition would remove.
    """
    new = run.gaps_new
    for _ in range(4):
        dt = -new[first] / slope
        if abs(dt) <= least:
            shift(run, dt)
            project(run, run.t_new)
            return True
        shift_far(run, dt)
    return False


@kernel
def join(run, first):
    """Margins that are zero within their bands at the end of the step, found from samples, are so with the first."""
    if run.estimated != 1 or run.looking != codes.BY_VALUES:
        return
    new, roots = run.gaps_new, run.roots
    for k in range(run.n_boundaries):
        if roots[k] < NO_ROOT and abs(new[k]) <= dead_band(run, k):
            roots[k] = roots[first]


@kernel
def shift(run, dt):
    """Move the end of the step by a time so short that the rates there suffice: the error is of the order dt^2."""
    n = run.n_states
    x_new, end = run.x_new, run.rates[run.last]
    for i in range(n):
        x_new[i] += dt * end[i]
    run.t_new += dt
    evaluate_gaps(run, run.t_new, x_new, end, run.gaps_new)


@kernel
def shift_far(run, dt):
    """Move the end of the step by a short time, with the mean of the rates at its ends: the error is that of dt^3.

    In a step of low order, whose rates are nearly on a straight line in time, they are taken from this.
    """
    n, t = run.n_states, run.t_new + dt
    x_new, end, before, first = run.x_new, run.rates[run.last], row_of(run.scratch, 0), run.rates[0]
    for i in range(n):
        before[i] = end[i]
        x_new[i] += dt * end[i]
    if run.low == 1:
        for i in range(n):
            end[i] += (end[i] - first[i]) * (dt / run.h)
    else:
        call_flow(run.stage.flow, t, x_new, run.stage.flow_data, end)
        run.flow_calls += 1
    for i in range(n):
        x_new[i] += 0.5 * dt * (end[i] - before[i])
    run.t_new = t
    evaluate_gaps(run, t, x_new, end, run.gaps_new)


@kernel
def secant(run, k, s):
    """Slope of gap k in time near the fraction s of the step, from the dense output."""
    here = run.gaps_here
    a, c = max(0.0, s - SECANT), min(1.0, s + SECANT)
    values_at(run, a, here)
    before = here[k]
    values_at(run, c, here)
    return (here[k] - before) / ((c - a) * run.h)
