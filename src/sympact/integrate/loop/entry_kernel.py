"""The boundaries of transitions where a stage is entered: beyond them, on them, and by what has just fired.

A transition is edge-triggered: its boundary fires where it reaches zero from below. One that its own jump leaves at
zero on its way up, or beyond, is latched: it must fall below zero before it can fire again. A stage that is entered
beyond another boundary may come inside; where it moves farther out instead, or ends there, the run says so.
"""

import math

from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.arc_kernel import ROUNDING, dead_band, evaluate_gaps, gaps, rounding_of, scale_of
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, wholes

ULP = 2.220446049250313e-16
DEEP = 8.0  # dead bands that a boundary goes beyond before it is searched again
SHORTEST = 1e-9  # of the next step: the least step in which it does
AHEAD = 1e-6  # of the next step: how far ahead a boundary without rates is asked which way it goes


@kernel
def transitions(frame):
    """How many of the boundaries are those of transitions: the first ones, in a stage without contacts."""
    return max(0, frame[at.NB] - frame[at.N_SWITCHES]) if frame[at.CONTACTS] == 0 else 0


@kernel
def latch(frame, target):
    """At a jump within a stage what has fired is latched; what was, and has not been below zero since, stays so.

    What fired by the error of a step while its rate led inside has not crossed: a jump that turns it out again is one
    that it fires for at once.
    """
    width, count, stays = frame[at.NB_MAX], transitions(frame), target == frame[at.STAGE]
    latched, depth, fired = (
        wholes(frame[at.LATCHED], width),
        reals(frame[at.BEYOND_BY], width),
        wholes(frame[at.FIRED], width),
    )
    old, nb = gaps(frame, at.GAPS_OLD), frame[at.NB]
    for k in range(width):
        up = stays and k < count and latched[k] > 0 and old[k] <= rounding_of(frame, k)
        crossed = stays and k < count and fired[k] == 1 and (frame[at.DERIVATIVES] == 0 or not old[nb + k] > 0.0)
        latched[k] = 1 if up or crossed else 0
        depth[k] = depth[k] if stays else 0.0
    if not stays:
        frame[at.BEYOND] = frame[at.LATCHES] = 0


@kernel
def enter(frame, real, rates, old):
    """Sort the boundaries of the stage entered: those beyond zero are noted, those at zero start at zero.

    A boundary is beyond zero where it is so by more than the tolerances of the state, and the dead band, leave open. A
    latched one on its way up is not searched before it is beyond.
    """
    nb, t, x = frame[at.NB], real[at.T], reals(frame[at.X], frame[at.N])
    latched, depth = wholes(frame[at.LATCHED], nb), reals(frame[at.BEYOND_BY], nb)
    offset, beyond, latches = reals(frame[at.OFFSET], nb), 0, 0
    for k in range(transitions(frame)):
        rounding, band = rounding_of(frame, k), dead_band(frame, real, k)
        if old[k] > rounding:
            latched[k], depth[k] = 0, 0.0
            continue
        if old[k] < -max(rounding, band) and old[k] < -slack(frame, real, t, x, rates, old, k):
            if latched[k] == 0 and depth[k] == 0.0:
                depth[k], real[at.ENTRY_T] = -old[k], t
            beyond += 1 if depth[k] > 0.0 else 0
            latches += 1 if latched[k] > 0 else 0
            continue
        depth[k] = 0.0
        if old[k] < -rounding:
            offset[k], old[k] = offset[k] + old[k], 0.0
        rate = rise(frame, real, t, x, rates, old, k) if latched[k] > 0 else 0.0
        latched[k] = 2 if rate > 0.0 else 0
        if rate > 0.0:
            shorten(real, DEEP * (band + rounding) / rate, latches)
            latches += 1
    frame[at.BEYOND], frame[at.LATCHES] = beyond, latches


@kernel
def shorten(real, time, latches):
    """The first step takes a latched boundary, which it does not search, through its dead band and little farther."""
    if latches == 0:
        real[at.H_AFTER] = real[at.H_NEXT]
    real[at.H_NEXT] = min(real[at.H_NEXT], max(time, SHORTEST * real[at.H_AFTER]))


@kernel
def release(frame, real):
    """At the end of a step: latched boundaries are searched again; those that have come inside are latched no more."""
    nb, latches, hidden = frame[at.NB], 0, False
    latched, new = wholes(frame[at.LATCHED], nb), gaps(frame, at.GAPS_NEW)
    for k in range(transitions(frame)):
        hidden = hidden or latched[k] == 2
        latched[k] = 1 if latched[k] > 0 and new[k] <= 0.0 else 0
        latches += latched[k]
    frame[at.LATCHES] = latches
    if hidden:
        real[at.H_NEXT] = max(real[at.H_NEXT], real[at.H_AFTER])


@kernel
def slack(frame, real, t, x, rates, old, k):
    """How far gap k may be off by the tolerances of the states and the rounding of the time."""
    n, total = frame[at.N], 0.0
    probe, here, atol = reals(frame[at.SCRATCH], n), gaps(frame, at.GAPS_HERE), reals(frame[at.ATOL], n)
    for i in range(n):
        probe[i] = x[i]
    for i in range(n + 1):
        if i < n:
            probe[i] += atol[i] + real[at.RTOL] * abs(x[i])
        evaluate_gaps(frame, t if i < n else t + 4.0 * ULP * abs(t), probe, rates, here)
        if i < n:
            probe[i] = x[i]
        total += abs(here[k] - old[k])
    if frame[at.FAULT] == 2:
        frame[at.FAULT] = 0
    return total if total < math.inf else 0.0


@kernel
def rise(frame, real, t, x, rates, old, k):
    """The rate of a boundary at zero that is on its way beyond; 0 where it is rounding, or no more than its bend."""
    n, nb = frame[at.N], frame[at.NB]
    if frame[at.DERIVATIVES] == 1:
        return -old[nb + k] if old[nb + k] < -rate_floor(frame, real, old, k) else 0.0
    probe, here = reals(frame[at.SCRATCH], n), gaps(frame, at.GAPS_HERE)
    ahead = max(AHEAD * min(real[at.H_NEXT], real[at.T_END] - t), 64.0 * ULP * abs(t))
    for i in range(n):
        probe[i] = x[i] + ahead * rates[i]
    evaluate_gaps(frame, t + ahead, probe, rates, here)
    after = here[k] - old[k]
    for i in range(n):
        probe[i] = x[i] - ahead * rates[i]
    evaluate_gaps(frame, t - ahead, probe, rates, here)
    before = here[k] - old[k]
    if frame[at.FAULT] == 2:
        frame[at.FAULT] = 0
    fall = 0.5 * (before - after)
    return fall / ahead if fall > abs(before + after) and fall > rounding_of(frame, k) else 0.0


@kernel
def rate_floor(frame, real, old, k):
    """Rates below this are rounding: of the last approach, or of the speed that falling a length makes."""
    nb, contacts = frame[at.NB], frame[at.CONTACTS]
    bend = real[at.REFERENCE] if k < contacts else 0.0
    for j in range(nb):
        if (j < contacts) == (k < contacts):
            bend = max(bend, abs(old[2 * nb + j]))
    return ROUNDING * max(real[at.APPROACH], math.sqrt(bend * scale_of(frame, k)))


@kernel
def strays(frame, real):
    """What a step, up to its event, does to boundaries that are up: whether it leads farther beyond one of them."""
    if frame[at.LATCHES] > 0:
        release(frame, real)
    return frame[at.BEYOND] > 0 and goes_farther(frame)


@kernel
def goes_farther(frame):
    """Whether a boundary that the stage was entered beyond moves farther out in a step; those that come inside are
    forgotten.
    """
    nb = frame[at.NB]
    depth, old, new = reals(frame[at.BEYOND_BY], nb), gaps(frame, at.GAPS_OLD), gaps(frame, at.GAPS_NEW)
    for k in range(transitions(frame)):
        if depth[k] > 0.0 and new[k] > 0.0:
            depth[k] = 0.0
            frame[at.BEYOND] -= 1
        elif depth[k] > 0.0 and new[k] < old[k] - rounding_of(frame, k):
            return True
    return False
