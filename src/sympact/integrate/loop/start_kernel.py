"""How a flight begins: what fires at once, what is pressed together, and the first step of a run."""

import math

from sympact.integrate.loop.entry_kernel import enter, rate_floor
from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.arc_kernel import (
    begin,
    evaluate_gaps,
    fault,
    gaps,
    learn_bends,
    learn_scales,
    rounding_of,
    scale_of,
)
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, reals2, wholes

PRESSED = 1e-8  # acceleration towards a surface, relative to the largest, that closes a contact
TOUCHING = 1e-10  # relative depth of a dip that the search may pass over, and of a start that is not refused


@kernel
def begin_flight(frame, real):
    """Rates and gaps at the start of a flight; returns (what fires at once or -1, code)."""
    n, nb, t, jumped = frame[at.N], frame[at.NB], real[at.T], frame[at.JUMPED] == 1
    x, rates = reals(frame[at.X], n), reals2(frame[at.RATES], frame[at.ROWS], n)[0]
    begin(frame, t, x)
    call_flow(frame[at.FLOW], t, x, frame[at.FLOW_DATA], rates)
    frame[at.FLOW_CALLS] += 1
    if frame[at.FAULT] != 0:
        return -1, at.FAULTED
    for i in range(n):
        if not math.isfinite(x[i]) or not math.isfinite(rates[i]):
            return -1, at.NOT_FINITE
    if real[at.H_NEXT] == 0.0:
        real[at.H_NEXT] = first_step(frame, real, x, rates)
    frame[at.RESTART], frame[at.FRESH], real[at.LOG_ERROR] = 0, 1, 0.0
    if nb == 0:
        return -1, at.OK
    old = start_gaps(frame, real, t, x, rates)
    if jumped and frame[at.FAULT] == 0:
        enter(frame, real, rates, old)
    learn_bends(frame, real, old)
    if frame[at.FAULT] != 0:
        return -1, fault(frame)
    if frame[at.DERIVATIVES] == 0:
        return -1, at.OK
    first = fires_at_once(frame, real, old)
    return first if first >= 0 else pressed(frame, real, old), at.OK


@kernel
def start_gaps(frame, real, t, x, rates):
    """g, g', g'' at the start; gaps of rounding height, and contacts in the dead band, start at zero.

    So do all contacts below their surfaces where a run starts: what was too deep has been refused.
    """
    nb, old, new = frame[at.NB], gaps(frame, at.GAPS_OLD), gaps(frame, at.GAPS_NEW)
    offset, roots = reals(frame[at.OFFSET], nb), reals(frame[at.ROOTS], nb)
    for k in range(nb):
        offset[k], roots[k] = 0.0, NO_ROOT
    for k in range(3 * nb):
        old[k], new[k] = 0.0, 0.0
    evaluate_gaps(frame, t, x, rates, old)
    learn_scales(frame, old)
    if frame[at.DERIVATIVES] == 1:
        first = frame[at.EVENTS] == 0 and t == real[at.T_START]
        for k in range(nb):
            rounding = depth = rounding_of(frame, k)
            if k < frame[at.CONTACTS]:
                depth = math.inf if first else max(rounding, TOUCHING * scale_of(frame, k))
            if -depth <= old[k] <= rounding:
                offset[k], old[k] = old[k], 0.0
    return old


@kernel
def fires_at_once(frame, real, old):
    """A boundary at zero that is being crossed: it moves in.

    At a plain boundary a rate that makes no more than rounding of the next step, and an acceleration from rest, are
    left to the search: it sees where they lead, and puts the event at the start.
    """
    nb, roots = frame[at.NB], reals(frame[at.ROOTS], frame[at.NB])
    first, latched = -1, wholes(frame[at.LATCHED], nb)
    for k in range(nb):
        if latched[k] == 2:
            continue
        rate, noise = old[nb + k], 0.0
        if k >= frame[at.CONTACTS]:
            noise = rounding_of(frame, k) / real[at.H_NEXT]
        if old[k] == 0.0 and rate < -max(noise, rate_floor(frame, real, old, k)):
            roots[k] = 0.0
            first = k if first < 0 else first
    return first


@kernel
def pressed(frame, real, old):
    """The first contact that touches without moving and is pressed together, or -1; all such ones get a root here."""
    nb, roots = frame[at.NB], reals(frame[at.ROOTS], frame[at.NB])
    active, largest, first = wholes(frame[at.ACTIVE], nb), real[at.REFERENCE], -1
    for k in range(frame[at.CONTACTS]):
        largest = max(largest, abs(old[2 * nb + k]))
    for k in range(frame[at.CONTACTS]):
        touches = active[k] == at.BY_RATES and old[k] == 0.0
        if touches and abs(old[nb + k]) <= rate_floor(frame, real, old, k) and old[2 * nb + k] < -PRESSED * largest:
            roots[k] = 0.0
            first = k if first < 0 else first
    return first


@kernel
def first_step(frame, real, x, rates):
    """The size of the first step of a run.

    Hairer's rule (Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, II.4) looks along the flow
    alone and so
    takes far too long a step where the flow vanishes by symmetry, beside an unstable rest for instance. A third
    evaluation, in a
    direction of mixed signs, measures how fast the flow changes across, and bounds the step by half of that time.
    """
    n, t = frame[at.N], real[at.T]
    probe, there = reals(frame[at.SCRATCH], n), reals(frame[at.SCRATCH] + 8 * n, n)
    size, speed = weighted_norm(frame, real, x, x), weighted_norm(frame, real, rates, x)
    h = 0.01 * size / speed if size > 1e-5 and speed > 1e-5 else 1e-6
    h = min(h, real[at.MAX_STEP], real[at.T_END] - t)
    for i in range(n):
        probe[i] = x[i] + h * rates[i]
    flow_change(frame, t + h, probe, rates, there)
    steepest = max(speed, weighted_norm(frame, real, there, x) / h)
    along = (0.01 / steepest) ** (1.0 / (real[at.ORDER] + 1.0)) if steepest > 1e-15 else max(1e-6, 1e-3 * h)
    reach, largest = 1e-7, 0.0
    for i in range(n):
        probe[i] = x[i] + (reach if i % 2 == 0 else -reach) * (1.0 + abs(x[i]))
    flow_change(frame, t, probe, rates, there)
    for i in range(n):
        largest = max(largest, abs(there[i]) / (reach * (1.0 + abs(x[i]))))
    across = 0.5 / largest if largest > 0.0 else math.inf
    h = min(100.0 * h, max(along, 1e-3 * h), real[at.MAX_STEP])
    return min(h, across) if across > 0.0 else h


@kernel
def flow_change(frame, t, x, rates, out):
    """f(t, x) less the given rates."""
    call_flow(frame[at.FLOW], t, x, frame[at.FLOW_DATA], out)
    frame[at.FLOW_CALLS] += 1
    for i in range(out.size):
        out[i] -= rates[i]


@kernel
def weighted_norm(frame, real, v, x):
    """Root mean square of v in units of the tolerance at x."""
    total, atol = 0.0, reals(frame[at.ATOL], frame[at.N])
    for i in range(v.size):
        total += (v[i] / (atol[i] + real[at.RTOL] * abs(x[i]))) ** 2
    return math.sqrt(total / v.size)
