"""Steps that end where a gap is predicted to be zero.

Where events are frequent, a step as long as the motion permits lies beyond the next event for the most part: it has to
be searched, and repeated up to the event. The parabola through g, g', g'' at the start of a smooth arc predicts the
event; a step of this size ends so near to it that a correction along the rates is enough.
"""

import math

from sympact.integrate.memory.run_codes import BY_RATES, HEAD
from sympact.integrate.memory.run_kernel import stage_margins_at
from sympact.integrate.memory.run_tolerances import GAP_ROUNDING
from sympact.integrate.search.arc_kernel import dead_band, nearby, rounding_of
from sympact.integrate.search.isolate_kernel import NO_ROOT, leaves_downwards
from sympact.integrate.search.screen_kernel import far, lower
from sympact.native.kernel import kernel

AT_END = 2  # of `estimated`: the root is reached from the end of the step


@kernel
def predict(run):
    """Predict the first zero of a gap in the coming step: the step ends there at the latest.

    A prediction is made for the first step of an arc, if the step becomes so short that its error is far below the
    tolerance, and after it as long as predictions converge. None is made where friction may end a mode at a sample of
    a step, because the forces of contacts that do not slip are not unique.
    """
    most = 0.5 * (run.h_next if run.fresh == 1 else run.predicted)
    run.predicted = 0.0
    if most == 0.0 or run.stage.derivatives == 0 or run.exact == 0 or run.order == 0.0 or ends_at_samples(run):
        return
    nb, old = run.n_boundaries, run.gaps_old
    active, latched = run.stage.watched, run.latched
    for k in range(nb):
        g, d, a = old[k], old[nb + k], old[2 * nb + k]
        if active[k] == BY_RATES and latched[k] != 2 and not g > 2.0 * most * (abs(d) + 0.5 * most * abs(a)):
            time = time_to_zero(g, d, a)
            if time < most:
                run.predicted = most = time


@kernel
def ends_at_samples(run):
    """Whether the mode may end at a sample of a step: the forces of its contacts with friction are not unique.

    Where such forces are not recorded at the stages of steps, any closed contact may have them.
    """
    if run.stage.force == 0 or run.record_width == HEAD + run.width:
        return False
    margins = stage_margins_at(run.stage.margins)
    return run.stage.margins == 0 or margins.rates == 0 or margins.several == 1


@kernel
def time_to_zero(g, d, a):
    """The time after which g + d t + a t^2 / 2, which is not negative now, decreases to zero; infinite if it does
    not."""
    inside = d * d - 2.0 * a * g
    if g < 0.0 or inside < 0.0:
        return math.inf
    if d < 0.0:
        return 2.0 * g / (math.sqrt(inside) - d)
    return (d + math.sqrt(inside)) / -a if a < 0.0 else math.inf


@kernel
def meets_at_end(run, b):
    """The gap whose first zero is so near to the end of the step that a correction along the rates reaches it, or -1.

    `roots` has the zeros of all such gaps. Up to its zero no gap may be below its dead band by the bounds of `lower`.
    """
    nb, h, inverse, first = run.n_boundaries, run.h, 1.0 / run.h, -1
    old, new = run.gaps_old, run.gaps_new
    roots, latched = run.roots, run.latched
    for k in range(nb):
        i, j = nb + k, 2 * nb + k
        roots[k] = NO_ROOT
        if far(old[k], old[i], old[j], new[k], new[i], new[j], h, inverse) > 0.0:
            continue
        if latched[k] > 0:
            return -1
        band, rest, end, rate = dead_band(run, k), rest_to(run, k), new[k], new[i]
        if rest < math.inf and run.t_new + rest <= run.t_stop and leaves_downwards(new[k], new[i], new[j], band):
            roots[k] = 1.0 + rest * inverse
            end, rate = 0.0, rate + rest * new[j]
            if first < 0 or roots[k] < roots[first]:
                first = k
        elif new[k] <= 0.0 and new[i] < 0.0:
            return -1
        low, _ = lower(old[k], old[i], old[j], end, rate, new[j], h, b)
        if not low > -band:
            return -1
    run.estimated = AT_END if first >= 0 else 0
    return first


@kernel
def rest_to(run, k):
    """The time from the end of the step to a zero of gap k that a correction along the rates reaches, else infinity.

    It is a small part of the step that the motion permits. A rebound that leaves its parabola by less than the rounding
    of the gap ends where the parabola does: the gap at the end of the step is rounding, and the difference from the
    parabola is of the third order in the part that the rebound is of the step that the motion permits.
    """
    nb, new, old = run.n_boundaries, run.gaps_new, run.gaps_old
    d, a = old[nb + k], old[2 * nb + k]
    short = (run.h / max(run.h_next, run.h)) ** 3 < GAP_ROUNDING and abs(new[k]) <= rounding_of(run, k)
    if short and old[k] == 0.0 and d > 0.0 and a < 0.0:
        rest = time_to_zero(0.0, d, a) - run.h
    else:
        rest = correction(new[k], new[nb + k], new[2 * nb + k])
    near = min(nearby(run) * max(run.h_next, run.h), 0.5 * run.h)
    return rest if abs(rest) <= near else math.inf


@kernel
def correction(g, d, a):
    """Time to the zero of g + d t + a t^2 / 2 with a negative rate; infinite if the parabola has none."""
    inside = d * d - 2.0 * a * g
    if inside < 0.0:
        return math.inf
    below = math.sqrt(inside) - d
    return 2.0 * g / below if below != 0.0 else 0.0
