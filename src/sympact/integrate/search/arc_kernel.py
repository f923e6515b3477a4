"""What the search and the loop ask of the model inside a step: the state, the gaps and their rates."""

import math

from sympact.integrate.memory import run_layout as at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, reals2, wholes

ROUNDING = 1e-13  # relative height below which a gap is rounding


@kernel
def copy(source, target):
    """Write the numbers of one array into another of the same size."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def gaps(frame, slot):
    """The gaps kept in a slot: g, g', g'' one after the other, as many as the stage has boundaries."""
    return reals(frame[slot], 3 * frame[at.NB])


@kernel
def scale_of(frame, k):
    """The length that gap k is compared with."""
    return reals(frame[at.SCALES], 3 * frame[at.NB])[k]


@kernel
def rounding_of(frame, k):
    """The height below which gap k is rounding: of its scale, or of the coordinates that it is a difference of."""
    nb = frame[at.NB]
    scales = reals(frame[at.SCALES], 3 * nb)
    return max(ROUNDING * scales[k], scales[2 * nb + k])


@kernel
def dead_band(frame, real, k):
    """Depth below which a dip of gap k is not decided by the integration: it is passed over."""
    band = max(min(real[at.RTOL], 1e-10), 64 * 2.2e-16) * scale_of(frame, k)
    return max(band, rounding_of(frame, k)) if frame[at.LOOKING] == at.BY_RATES else band


@kernel
def learn_scales(frame, values):
    """Where no length scale is given, the largest gap met so far stands for it."""
    nb = frame[at.NB]
    scales = reals(frame[at.SCALES], 3 * nb)
    for k in range(nb):
        if scales[nb + k] == 0.0 and scales[k] < abs(values[k]) < math.inf:
            scales[k] = abs(values[k])


@kernel
def note_excursions(frame, real):
    """How far contacts have been from their surfaces since their last events, where the motion tells the length.

    Of an accepted step: the gaps at its ends, and the height of the hop that has the rates there, |g'| h/4, for one
    step may hold a whole hop. A speed counts only with the time that it lasted.
    """
    if frame[at.LENGTH] == 0:
        return
    nb, h = frame[at.NB], real[at.T_NEW] - real[at.T]
    old, new, met = gaps(frame, at.GAPS_OLD), gaps(frame, at.GAPS_NEW), reals(frame[at.MET], nb)
    active = wholes(frame[at.ACTIVE], nb)
    for k in range(frame[at.CONTACTS]):
        if active[k] == at.BY_RATES:
            hop = 0.125 * h * (abs(old[nb + k]) + abs(new[nb + k]))
            met[k] = max(met[k], abs(old[k]), abs(new[k]), hop)


@kernel
def measure_length(frame):
    """The excursions that an event ends: the largest of the run is what contacts are compared with."""
    if frame[at.LENGTH] == 0:
        return
    nb = frame[at.NB]
    met, fired = reals(frame[at.MET], nb), wholes(frame[at.FIRED], nb)
    scales, length = reals(frame[at.SCALES], 3 * nb), reals(frame[at.LENGTH], 1)
    for k in range(frame[at.CONTACTS]):
        if fired[k] == 1:
            length[0] = max(length[0], met[k])
            met[k] = 0.0
    for k in range(frame[at.CONTACTS]):
        scales[k] = length[0]


@kernel
def learn_bends(frame, real, values):
    """The largest acceleration of a contact's gap met so far: with it accelerations are compared where all vanish.

    Met in free flight: forces of closed contacts may grow without bound, and what they make of other gaps with them.
    """
    nb = frame[at.NB]
    active = wholes(frame[at.ACTIVE], nb)
    for k in range(frame[at.CONTACTS]):
        if active[k] != at.BY_RATES:
            return
    for k in range(frame[at.CONTACTS]):
        if real[at.BEND] < abs(values[2 * nb + k]) < math.inf:
            real[at.BEND] = abs(values[2 * nb + k])


@kernel
def begin(frame, t, x):
    """Let the model note what it has to know of the start of a flight; one that is taken up again is a further step."""
    if frame[at.JUMPED] == 1 and frame[at.BEGIN] != 0:
        call_flow(frame[at.BEGIN], t, x, frame[at.FLOW_DATA], x)
    elif frame[at.JUMPED] == 0:
        prepare(frame, t, x)
    frame[at.JUMPED] = 0


@kernel
def prepare(frame, t, x):
    """Let the model note what it has to know of the start of a step."""
    if frame[at.PREPARE] != 0:
        call_flow(frame[at.PREPARE], t, x, frame[at.FLOW_DATA], x)


@kernel
def project(frame, t):
    """The end of a step is brought to where the model wants its states (unit quaternions), with its rates."""
    if frame[at.PROJECT] == 0:
        return
    n = frame[at.N]
    x_new, end = reals(frame[at.X_NEW], n), reals2(frame[at.RATES], frame[at.ROWS], n)[frame[at.LAST]]
    call_flow(frame[at.PROJECT], t, x_new, frame[at.FLOW_DATA], x_new)
    call_flow(frame[at.FLOW], t, x_new, frame[at.FLOW_DATA], end)
    frame[at.FLOW_CALLS] += 1


@kernel
def state_at(frame, s, out):
    """The state at the fraction s of the step, by the step's polynomial in its nested form."""
    n, degree = frame[at.N], frame[at.DEGREE]
    x, F = reals(frame[at.X], n), reals2(frame[at.POLYNOMIAL], degree, n)
    for i in range(n):
        v = 0.0
        for j in range(degree - 1, -1, -1):
            v = (v + F[j, i]) * (s if j % 2 == 0 else 1.0 - s)
        out[i] = x[i] + v


@kernel
def evaluate_gaps(frame, t, x, rates, out):
    """g (and g', g'' where the stage has them) at a state with its rates, less the offset of this flight.

    While forces are looked for, the values that tell how far closed contacts are from opening stand for g. Boundaries
    that are watched in the other way, or not at all, are 1. A value that is not finite is a fault of the step.
    """
    nb, looking = frame[at.NB], frame[at.LOOKING]
    if looking == at.BY_VALUES:
        call_flow(frame[at.FORCE], t, x, frame[at.FLOW_DATA], out)
    else:
        call_boundary(frame[at.BOUNDARY], t, x, rates, frame[at.BOUNDARY_DATA], out)
    frame[at.BOUNDARY_CALLS] += 1
    offset = reals(frame[at.OFFSET], nb)
    active = wholes(frame[at.ACTIVE], nb)
    for k in range(nb):
        out[k] -= offset[k]
        if not abs(out[k]) < math.inf and frame[at.FAULT] == 0:
            frame[at.FAULT] = 2
        if active[k] != looking:
            out[k] = 1.0
            if frame[at.DERIVATIVES] == 1:
                out[nb + k] = 0.0
                out[2 * nb + k] = 0.0


@kernel
def fault(frame):
    """The loop's code for what `FAULT` holds: a function raised, or a boundary is not finite."""
    return at.FAULTED if frame[at.FAULT] == 1 else at.NOT_FINITE


@kernel
def gaps_at(frame, real, s, out):
    """g, g' and g'' at the fraction s of the step."""
    n = frame[at.N]
    t, y = real[at.T] + s * real[at.H], reals(frame[at.SCRATCH] + 8 * n, n)
    rates = reals(frame[at.SCRATCH] + 16 * n, n)
    state_at(frame, s, y)
    call_flow(frame[at.FLOW], t, y, frame[at.FLOW_DATA], rates)
    frame[at.FLOW_CALLS] += 1
    evaluate_gaps(frame, t, y, rates, out)


@kernel
def values_at(frame, real, s, out):
    """g alone at the fraction s of the step; what stands in the places of g' and g'' has no meaning."""
    n = frame[at.N]
    y = reals(frame[at.SCRATCH] + 8 * n, n)
    state_at(frame, s, y)
    evaluate_gaps(frame, real[at.T] + s * real[at.H], y, reals(frame[at.RATES], n), out)


@kernel
def root(frame, real, k, a, ga, c, gc):
    """Where gap k comes down to zero between the fractions a (ga > 0) and c (gc <= 0) of the step.

    With a < 0 the flight starts at zero with ga = g'(0) h > 0, and the zero sought is that of (g - g(0))/s: the end
    of the hop.
    False position with Illinois' halving, a bisection every fourth time; ends at the spacing of numbers in t. Where
    this is slow, because g is rounding beside one end, a place close to that end is tried too.
    """
    here, start = gaps(frame, at.GAPS_HERE), gaps(frame, at.GAPS_OLD)[k]
    hop, side = a < 0.0, 0
    if hop:
        a, gc = 0.0, (gc - start) / c
    spacing = 2.2e-16 * max(1.0, abs(real[at.T] + real[at.H]) / real[at.H])
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
        values_at(frame, real, s, here)
        g = (here[k] - start) / s if hop else here[k]
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
