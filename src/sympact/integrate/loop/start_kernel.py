"""The start of a smooth arc: boundaries that fire at once, loaded contacts, and the first step of a run."""

import math

from sympact.integrate.loop.balance_kernel import fault_of_arc, solves_equations
from sympact.integrate.loop.entry_kernel import enter, rate_floor
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import switches_at
from sympact.integrate.memory.run_tolerances import DEAD_BAND, FIRST_REACH, LEAVES, NEGLIGIBLE, PRESSED, PROBE
from sympact.integrate.search.arc_kernel import (
    begin,
    evaluate_gaps,
    fault,
    learn_accelerations,
    learn_scales,
    rounding_of,
    scale_of,
)
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.integrate.search.switch_kernel import measure
from sympact.integrate.steppers.runge_kutta_kernel import spread
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, row_of
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS


@kernel
def begin_arc(run):
    """Rates and gaps at the start of a smooth arc; returns (the boundary that fires at once or -1, code)."""
    n, nb, t, jumped = run.n_states, run.n_boundaries, run.t, run.jumped == 1
    x, rates = run.x, run.rates[0]
    begin(run, t, x)
    call_flow(run.stage.flow, t, x, run.stage.flow_data, rates)
    run.flow_calls += 1
    if run.fault != 0:
        return -1, codes.FAULTED
    for i in range(n):
        if not math.isfinite(x[i]) or not math.isfinite(rates[i]):
            return -1, codes.NOT_FINITE
    changes = run.t_stop <= t < run.t_end  # what happens at a time of the schedule ends the arc here
    if not changes and not solves_equations(run):
        return -1, fault_of_arc(run)
    if run.h_next == 0.0:
        run.h_next = first_step(run, x, rates)
    run.restart, run.fresh, run.log_error = 0, 1, 0.0
    if nb == 0:
        return -1, codes.OK
    old = start_gaps(run, t, x, rates)
    if jumped and run.fault == 0:
        enter(run, rates, old)
    learn_accelerations(run, old)
    if run.fault != 0:
        return -1, fault(run)
    if run.stage.derivatives == 0 or (changes and not jumped):
        return -1, codes.OK
    first = fires_at_once(run, old)
    return first if first >= 0 else pressed(run, old), codes.OK


@kernel
def start_gaps(run, t, x, rates):
    """g, g', g'' at the start; gaps of rounding height, and contacts in the dead band, start at zero.

    So do all contacts below their surfaces where a run starts: deeper starts have been refused.
    """
    nb, old, new = run.n_boundaries, run.gaps_old, run.gaps_new
    offset, roots = run.offset, run.roots
    for k in range(nb):
        offset[k], roots[k] = 0.0, NO_ROOT
        run.lift[k] = run.lift[k] if k < run.stage.n_contacts else 0.0
    for k in range(3 * nb):
        old[k], new[k] = 0.0, 0.0
    evaluate_gaps(run, t, x, rates, old)
    learn_scales(run, old)
    if run.stage.derivatives == 1:
        first = run.events == 0 and t == run.t_start
        for k in range(nb):
            rounding = depth = rounding_of(run, k)
            if k < run.stage.n_contacts:
                depth = math.inf if first else max(rounding, DEAD_BAND * scale_of(run, k))
            if -depth <= old[k] <= rounding:
                offset[k], old[k] = old[k], 0.0
        if run.smooth == 0:
            lift_leaving(run, old, first)
        if run.stage.force != 0 and run.stage.n_watches > 0:
            lift_conditions(run, t, x, old)
    return old


@kernel
def lift_leaving(run, old, first):
    """Contacts that leave their surfaces are searched from a depth beyond the error of the step's end and polynomial.

    By the exact rates such a contact touches, and neither approaches nor is pressed: its gap grows with the third power
    of time, and is far below that error at first, which a method of low order makes on either side of the surface.
    `settle_lifts` ends this once the contact is clearly apart; until then one that comes back is found at that depth.
    """
    nb, offset, lift, largest = run.n_boundaries, run.offset, run.lift, run.reference
    for k in range(run.stage.n_contacts):
        largest = max(largest, abs(old[2 * nb + k]))
    for k in range(run.stage.n_contacts):
        if first or run.stage.watched[k] != codes.BY_RATES:
            lift[k] = 0.0
            continue
        touches = old[k] == 0.0 and abs(old[nb + k]) <= rate_floor(run, old, k)
        if touches and old[2 * nb + k] >= -pressing(run) * largest:
            lift[k] = LEAVES * run.rtol * scale_of(run, k)
        if lift[k] > 0.0:
            offset[k] -= lift[k]
            old[k] += lift[k]


@kernel
def lift_conditions(run, t, x, old):
    """Conditions that closed contacts keep at zero are searched from a depth beyond the rounding of their rates.

    Such a rate, or second derivative, is none beside that of the free motion, which the forces of contacts cancel.
    """
    nb, offset, lift, found = run.n_boundaries, run.offset, run.lift, False
    first = nb - run.stage.n_watches
    for k in range(first, nb):
        found = found or (run.stage.watched[k] == codes.BY_RATES and old[k] == 0.0)
    if not found:
        return
    switches, time = switches_at(run.stage.switch_table), run.t_end - t
    measure(switches, t, x.ctypes.data)
    for k in range(first, nb):
        i = k - nb + switches.count
        rate, bend = abs(switches.margin_rate[i]), abs(switches.margin_acceleration[i])
        speed = rate > switches.least_rate[i]  # the second derivative of one knows no forces of contacts
        kept = abs(old[nb + k]) <= NEGLIGIBLE * rate and (speed or abs(old[2 * nb + k]) <= NEGLIGIBLE * bend)
        if kept and old[k] == 0.0 and run.stage.watched[k] == codes.BY_RATES:
            lift[k] = 2.0 * rounding_of(run, k) + ROUNDINGS * EPS * time * (rate if speed else time * bend)
            offset[k] -= lift[k]
            old[k] += lift[k]


@kernel
def fires_at_once(run, old):
    """A boundary at zero with an inward rate that is being crossed.

    At a plain boundary a rate below the rounding of the next step, and an acceleration from rest, are left to the
    search, which determines the direction and puts the event at the start.
    """
    nb, roots = run.n_boundaries, run.roots
    first, latched = -1, run.latched
    for k in range(nb):
        if latched[k] == 2:
            continue
        rate, noise = old[nb + k], 0.0
        if k >= run.stage.n_contacts:
            noise = rounding_of(run, k) / run.h_next
        if old[k] == 0.0 and rate < -max(noise, rate_floor(run, old, k)):
            roots[k] = 0.0
            first = k if first < 0 else first
    return first


@kernel
def pressing(run):
    """The part of the largest acceleration that presses a contact: above the error with which a force is known."""
    return PRESSED if run.smooth == 1 else max(PRESSED, LEAVES * run.rtol)


@kernel
def pressed(run, old):
    """The first contact that touches at rest and is loaded, or -1; all such contacts get a root here."""
    nb, roots = run.n_boundaries, run.roots
    active, largest, first = run.stage.watched, run.reference, -1
    for k in range(run.stage.n_contacts):
        largest = max(largest, abs(old[2 * nb + k]))
    for k in range(run.stage.n_contacts):
        touches = active[k] == codes.BY_RATES and old[k] == 0.0
        if touches and abs(old[nb + k]) <= rate_floor(run, old, k) and old[2 * nb + k] < -pressing(run) * largest:
            roots[k] = 0.0
            first = k if first < 0 else first
    return first


@kernel
def first_step(run, x, rates):
    """The size of the first step of a run.

    Hairer's rule (Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, II.4) considers the direction
    of the flow alone and so gives far too long a step where the flow vanishes by symmetry, such as near an unstable
    equilibrium. A third evaluation, in a direction of mixed signs, measures the rate of change of the flow across, and
    bounds the step by half of that time.
    """
    n, t = run.n_states, run.t
    probe, there = row_of(run.scratch, 0), row_of(run.scratch, 1)
    size, speed = weighted_norm(run, x, x), weighted_norm(run, rates, x)
    h = 0.01 * size / speed if size > HALF_DIGITS and speed > HALF_DIGITS else PROBE
    h = min(h, run.max_step, run.t_end - t)
    for i in range(n):
        probe[i] = x[i] + h * rates[i]
    flow_change(run, t + h, probe, rates, there)
    steepest = max(speed, weighted_norm(run, there, x) / h)
    along = (0.01 / steepest) ** (1.0 / (run.order + 1.0)) if steepest > 0.0 else max(PROBE, 1e-3 * h)
    reach, largest, sign = FIRST_REACH, 0.0, 1.0
    for i in range(n):
        probe[i] = x[i]
        if run.atol[i] < math.inf:
            probe[i] += sign * reach * (1.0 + abs(x[i]))
            sign = -sign if has(run, i) else sign
    flow_change(run, t, probe, rates, there)
    for i in range(n):
        largest = max(largest, abs(there[i]) / (reach * (1.0 + abs(x[i]))))
    across = 0.5 / largest if largest > 0.0 else math.inf
    h = min(100.0 * h, max(along, 1e-3 * h), run.max_step)
    return min(h, across) if across > 0.0 else h


@kernel
def flow_change(run, t, x, rates, out):
    """f(t, x) less the given rates."""
    call_flow(run.stage.flow, t, x, run.stage.flow_data, out)
    run.flow_calls += 1
    for i in range(out.size):
        out[i] -= rates[i]


@kernel
def weighted_norm(run, v, x):
    """Root mean square of v over the moving states, in units of the tolerance at x."""
    total, atol = 0.0, run.atol
    for i in range(v.size):
        total += (v[i] / (atol[i] + run.rtol * abs(x[i]))) ** 2
    return math.sqrt(total / run.n_moving) * spread(run)


@kernel
def has(run, i):
    """Whether the stage has state i of the run."""
    count = run.stage.n_present
    if count == 0:
        return True
    present, found = run.stage.present, False
    for k in range(count):
        found = found or present[k] == i
    return found
