"""Evaluations of the model inside a step, for the search and the loop: the state, the gaps and their rates."""

import math

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_tolerances import BEND, DEAD_BAND, GAP_ROUNDING, NEARBY, PLACE_SPACING
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_chosen, call_flow, reals, row_of
from sympact.native.rounding import EPS


@kernel
def copy(source, target):
    """Write the numbers of one array into another of the same size."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def scale_of(run, k):
    """The length to which gap k is relative."""
    return run.stage.scales[k]


@kernel
def rounding_of(run, k):
    """The height below which gap k is rounding: of its scale, or of the coordinates whose difference it is."""
    nb = run.n_boundaries
    scales = run.stage.scales
    return max(GAP_ROUNDING * scales[k], scales[2 * nb + k])


@kernel
def dead_band(run, k):
    """The depth below which the integration does not resolve a crossing of gap k: the search omits it."""
    band = min(run.rtol, DEAD_BAND) * scale_of(run, k)
    return max(band, rounding_of(run, k)) if run.looking == codes.BY_RATES else band


@kernel
def learn_scales(run, values):
    """Where no length scale is given, use the largest gap so far, of those that `evaluate_gaps` evaluates."""
    nb = run.n_boundaries
    scales, active = run.stage.scales, run.stage.watched
    for k in range(nb):
        if active[k] == run.looking and scales[nb + k] == 0.0 and scales[k] < abs(values[k]) < math.inf:
            scales[k] = abs(values[k])


@kernel
def settle_lifts(run):
    """Contacts that have left their surfaces clearly at the end of a step are searched from these again, and conditions
    that have left zero."""
    new, offset, lift = run.gaps_new, run.offset, run.lift
    for k in range(run.n_boundaries):
        if lift[k] > 0.0 and new[k] > 2.0 * lift[k]:
            offset[k] += lift[k]
            new[k] -= lift[k]
            lift[k] = 0.0


@kernel
def note_excursions(run):
    """The excursions of contacts from their surfaces since their last events, where the length is measured.

    In an accepted step: the gaps at its ends, and the height of a rebound with the rates there, |g'| h/4, because one
    step may contain a whole rebound. A speed counts only with its duration.
    """
    if run.stage.length == 0:
        return
    nb, h = run.n_boundaries, run.t_new - run.t
    old, new, met = run.gaps_old, run.gaps_new, run.met
    active = run.stage.watched
    for k in range(run.stage.n_contacts):
        if active[k] == codes.BY_RATES:
            rebound = 0.125 * h * (abs(old[nb + k]) + abs(new[nb + k]))
            met[k] = max(met[k], abs(old[k]), abs(new[k]), rebound)


@kernel
def measure_length(run):
    """The excursions that an event ends: the largest of the run is the model length."""
    if run.stage.length == 0:
        return
    met, fired = run.met, run.fired
    scales, length = run.stage.scales, reals(run.stage.length, 1)
    for k in range(run.stage.n_contacts):
        if fired[k] == 1:
            length[0] = max(length[0], met[k])
            met[k] = 0.0
    for k in range(run.stage.n_contacts):
        scales[k] = length[0]


@kernel
def learn_accelerations(run, values):
    """The largest acceleration of a contact's gap so far: the reference of accelerations where all vanish.

    It is measured in free motion: forces of closed contacts may grow without bound, and other gaps' accelerations with
    them.
    """
    nb = run.n_boundaries
    active = run.stage.watched
    for k in range(run.stage.n_contacts):
        if active[k] != codes.BY_RATES:
            return
    for k in range(run.stage.n_contacts):
        if run.largest_acceleration < abs(values[2 * nb + k]) < math.inf:
            run.largest_acceleration = abs(values[2 * nb + k])


@kernel
def begin(run, t, x):
    """Call the model's function of the start of a smooth arc; for a resumed arc that of a further step."""
    if run.jumped == 1 and run.stage.begin != 0:
        call_flow(run.stage.begin, t, x, run.stage.flow_data, x)
    elif run.jumped == 0:
        prepare(run, t, x)
    run.jumped = 0


@kernel
def prepare(run, t, x):
    """Call the model's function of the start of a step."""
    if run.stage.prepare != 0:
        call_flow(run.stage.prepare, t, x, run.stage.flow_data, x)


@kernel
def project(run, t):
    """Project the end of the step onto the model's constraints (unit quaternions), with its rates."""
    if run.stage.project == 0:
        return
    x_new, end = run.x_new, run.rates[run.last]
    call_flow(run.stage.project, t, x_new, run.stage.flow_data, x_new)
    call_flow(run.stage.flow, t, x_new, run.stage.flow_data, end)
    run.flow_calls += 1


@kernel
def complete(run, t):
    """What the stepper leaves of the step: the projection, which a method of low order has done itself."""
    if run.low == 0:
        project(run, t)


@kernel
def state_at(run, s, out):
    """The state at the fraction s of the step, by the step's polynomial in its nested form."""
    n, degree = run.n_states, run.degree
    x, F = run.x, run.polynomial
    for i in range(n):
        v = 0.0
        for j in range(degree - 1, -1, -1):
            v = (v + F[j, i]) * (s if j % 2 == 0 else 1.0 - s)
        out[i] = x[i] + v


@kernel
def nearby(run):
    """The part of a step before its end that needs no step, but a correction along the rates."""
    return min(NEARBY, math.sqrt(EPS / (BEND * run.rtol)))


@kernel
def evaluate_gaps(run, t, x, rates, out):
    """g (and g', g'' where the stage has them) at a state with its rates, less the offset of this smooth arc.

    While forces are searched, g has the margins of closed contacts. Boundaries that are watched in the other way, or
    not at all, are 1. A value that is not finite is a fault of the step.
    """
    nb, looking = run.n_boundaries, run.looking
    if looking == codes.BY_VALUES:
        call_flow(run.stage.force, t, x, run.stage.flow_data, out)
    else:
        call_boundary(run.stage.boundary, t, x, rates, run.stage.boundary_data, out)
    run.boundary_calls += 1
    offset = run.offset
    active = run.stage.watched
    for k in range(nb):
        out[k] -= offset[k]
        if not abs(out[k]) < math.inf and run.fault == 0:
            run.fault = 2
        if active[k] != looking:
            out[k] = 1.0
            if run.stage.derivatives == 1:
                out[nb + k] = 0.0
                out[2 * nb + k] = 0.0


@kernel
def evaluate_near(run, t, x, rates, out):
    """The same of the gaps that may be zero within the step, while there is a choice of them; the others are 1."""
    if run.narrow == 0 or run.looking != codes.BY_RATES:
        evaluate_gaps(run, t, x, rates, out)
        return
    nb, near, offset = run.n_boundaries, run.near, run.offset
    for i in range(3 * nb):
        out[i] = 0.0
    call_chosen(run.stage.chosen_boundary, t, x, rates, run.stage.boundary_data, out, near)
    run.boundary_calls += 1
    for k in range(nb):
        if near[k] == 0:
            out[k], out[nb + k], out[2 * nb + k] = 1.0, 0.0, 0.0
            continue
        out[k] -= offset[k]
        if not abs(out[k]) < math.inf and run.fault == 0:
            run.fault = 2


@kernel
def fault(run):
    """The loop's code of `FAULT`: a function raised, or a boundary is not finite."""
    return codes.FAULTED if run.fault == 1 else codes.NOT_FINITE


@kernel
def gaps_at(run, s, out):
    """g, g' and g'' at the fraction s of the step, of the gaps that may be zero within it."""
    t, y = run.t + s * run.h, row_of(run.scratch, 1)
    rates = row_of(run.scratch, 2)
    state_at(run, s, y)
    call_flow(run.stage.flow, t, y, run.stage.flow_data, rates)
    run.flow_calls += 1
    evaluate_near(run, t, y, rates, out)


@kernel
def values_at(run, s, out):
    """g alone of these gaps at the fraction s of the step; the entries of g' and g'' are undefined."""
    y = row_of(run.scratch, 1)
    state_at(run, s, y)
    evaluate_near(run, run.t + s * run.h, y, row_of(run.rates, 0), out)


@kernel
def root(run, k, a, ga, c, gc):
    """The zero of gap k between the fractions a (ga > 0) and c (gc <= 0) of the step.

    With a < 0 the arc starts at zero with ga = g'(0) h > 0, and the zero is that of (g - g(0))/s: the end of the
    rebound. False position with Illinois' halving, a bisection every fourth time; ends at the spacing of numbers in t.
    Where this is slow, because g is rounding near one end, a point close to that end is tried too.
    """
    here, start = run.gaps_here, run.gaps_old[k]
    rebound, side = a < 0.0, 0
    if rebound:
        a, gc = 0.0, (gc - start) / c
    spacing = PLACE_SPACING * max(1.0, abs(run.t + run.h) / run.h)
    for trial in range(400):
        narrow = spacing * max(c, 1e-3)
        if c - a <= narrow:
            break
        s = 0.5 * (a + c) if trial % 4 == 3 else (a * gc - c * ga) / (gc - ga)
        if trial > 12 and trial % 4 == 1:
            near = math.sqrt(narrow * (c - a))
            s = a + near if ga < -gc else c - near
        if not a < s < c:
            s = 0.5 * (a + c)
        values_at(run, s, here)
        g = (here[k] - start) / s if rebound else here[k]
        if g == 0.0:
            return s
        if g > 0.0:
            a, ga = s, g
            gc = 0.5 * gc if side == 1 else gc
            side = 1
        else:
            c, gc = s, g
            ga = 0.5 * ga if side == -1 else ga
            side = -1
    return c
