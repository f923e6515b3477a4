"""The boundaries of transitions at the entry of a stage: beyond zero, at zero, and those that have just fired.

A transition is edge-triggered: its boundary fires where it reaches zero from below. A boundary that its own jump leaves
at zero on its way up, or beyond, is latched: it must fall below zero before it can fire again. A stage that is entered
beyond another boundary may return inside; where it moves farther out instead, or ends there, the status is
`BEYOND_BOUNDARY`.
"""

import math

from sympact.integrate.memory.run_tolerances import GAP_ROUNDING, PROBE, SLIGHT
from sympact.integrate.search.arc_kernel import dead_band, evaluate_gaps, rounding_of, scale_of
from sympact.native.kernel import kernel
from sympact.native.pointer import row_of
from sympact.native.rounding import EPS

DEEP = 8.0  # dead bands beyond which a latched boundary is searched again


@kernel
def transitions(run):
    """The number of boundaries of transitions: the first ones, in a stage without contacts."""
    return max(0, run.n_boundaries - run.stage.n_switches) if run.stage.n_contacts == 0 else 0


@kernel
def latch(run, target):
    """At a jump within a stage a boundary that fired is latched; one latched before, and not below zero since, stays
    so.

    A boundary that fired by the error of a step while its rate led inside has not crossed: it fires at once if a jump
    turns it outwards again.
    """
    width, count, stays = run.width, transitions(run), target == run.stage_index
    latched, depth, fired = (
        run.latched,
        run.beyond_by,
        run.fired,
    )
    old, nb = run.gaps_old, run.n_boundaries
    for k in range(width):
        up = stays and k < count and latched[k] > 0 and old[k] <= rounding_of(run, k)
        crossed = stays and k < count and fired[k] == 1 and (run.stage.derivatives == 0 or not old[nb + k] > 0.0)
        latched[k] = 1 if up or crossed else 0
        depth[k] = depth[k] if stays else 0.0
    if not stays:
        run.beyond = run.latches = 0


@kernel
def enter(run, rates, old):
    """Classify the boundaries of the stage entered: those beyond zero are recorded, those at zero start at zero.

    A boundary is beyond zero if it is so by more than its uncertainty due to the tolerances of the state, and the dead
    band. A latched one on its way up is not searched before it is beyond.
    """
    t, x = run.t, run.x
    latched, depth = run.latched, run.beyond_by
    offset, beyond, latches = run.offset, 0, 0
    for k in range(transitions(run)):
        rounding, band = rounding_of(run, k), dead_band(run, k)
        if old[k] > rounding:
            latched[k], depth[k] = 0, 0.0
            continue
        if old[k] < -max(rounding, band) and old[k] < -slack(run, t, x, rates, old, k):
            if latched[k] == 0 and depth[k] == 0.0:
                depth[k], run.entry_t = -old[k], t
            beyond += 1 if depth[k] > 0.0 else 0
            latches += 1 if latched[k] > 0 else 0
            continue
        depth[k] = 0.0
        if old[k] < -rounding:
            offset[k], old[k] = offset[k] + old[k], 0.0
        rate = rise(run, t, x, rates, old, k) if latched[k] > 0 else 0.0
        latched[k] = 2 if rate > 0.0 else 0
        if rate > 0.0:
            shorten(run, DEEP * (band + rounding) / rate, latches)
            latches += 1
    run.beyond, run.latches = beyond, latches


@kernel
def shorten(run, time, latches):
    """The first step takes a latched boundary, which it does not search, through its dead band and little farther."""
    if latches == 0:
        run.h_after = run.h_next
    run.h_next = min(run.h_next, max(time, SLIGHT * run.h_after))


@kernel
def release(run):
    """At the end of a step: latched boundaries are searched again; those that have come inside are released."""
    latches, hidden = 0, False
    latched, new = run.latched, run.gaps_new
    for k in range(transitions(run)):
        hidden = hidden or latched[k] == 2
        latched[k] = 1 if latched[k] > 0 and new[k] <= rounding_of(run, k) else 0
        latches += latched[k]
    run.latches = latches
    if hidden:
        run.h_next = max(run.h_next, run.h_after)


@kernel
def slack(run, t, x, rates, old, k):
    """The error of gap k due to the tolerances of the states and the rounding of the time."""
    n, total = run.n_states, 0.0
    probe, here, atol = row_of(run.scratch, 0), run.gaps_here, run.atol
    for i in range(n):
        probe[i] = x[i]
    for i in range(n + 1):
        if i < n:
            probe[i] += atol[i] + run.rtol * abs(x[i])
        evaluate_gaps(run, t if i < n else t + 4.0 * EPS * abs(t), probe, rates, here)
        if i < n:
            probe[i] = x[i]
        total += abs(here[k] - old[k])
    if run.fault == 2:
        run.fault = 0
    return total if total < math.inf else 0.0


@kernel
def rise(run, t, x, rates, old, k):
    """The rate of a boundary at zero on its way beyond; 0 where it is rounding, or no more than the curvature term.

    Probes around the present time may lie outside the run: one that goes on from its end takes over which boundaries
    are latched.
    """
    n, nb = run.n_states, run.n_boundaries
    if run.stage.derivatives == 1:
        return -old[nb + k] if old[nb + k] < -rate_floor(run, old, k) else 0.0
    probe, here = row_of(run.scratch, 0), run.gaps_here
    ahead = max(PROBE * min(run.h_next, run.t_end - run.t_start), 64.0 * EPS * abs(t))
    for i in range(n):
        probe[i] = x[i] + ahead * rates[i]
    evaluate_gaps(run, t + ahead, probe, rates, here)
    after = here[k] - old[k]
    for i in range(n):
        probe[i] = x[i] - ahead * rates[i]
    evaluate_gaps(run, t - ahead, probe, rates, here)
    before = here[k] - old[k]
    if run.fault == 2:
        run.fault = 0
    fall = 0.5 * (before - after)
    return fall / ahead if fall > abs(before + after) and fall > rounding_of(run, k) else 0.0


@kernel
def rate_floor(run, old, k):
    """Rates below this are rounding: of the last approach speed, of the speed of a fall through the length, or of the
    largest rate of a contact."""
    nb, contacts = run.n_boundaries, run.stage.n_contacts
    bend, rate = run.reference if k < contacts else 0.0, run.approach
    for j in range(nb):
        if (j < contacts) == (k < contacts):
            bend = max(bend, abs(old[2 * nb + j]))
            rate = max(rate, abs(old[nb + j]) if k < contacts else 0.0)
    return GAP_ROUNDING * max(rate, math.sqrt(bend * scale_of(run, k)))


@kernel
def strays(run):
    """Update boundaries that are up in a step, up to its event: whether it leads farther beyond one of them."""
    if run.latches > 0:
        release(run)
    return run.beyond > 0 and goes_farther(run)


@kernel
def goes_farther(run):
    """Whether a boundary beyond which the stage was entered moves farther out in a step; those that come inside are
    removed.
    """
    depth, old, new = run.beyond_by, run.gaps_old, run.gaps_new
    for k in range(transitions(run)):
        if depth[k] > 0.0 and new[k] > 0.0:
            depth[k] = 0.0
            run.beyond -= 1
        elif depth[k] > 0.0 and new[k] < old[k] - rounding_of(run, k):
            return True
    return False
