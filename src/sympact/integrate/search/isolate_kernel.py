"""The first crossing within a step, where the model gives g, g' and g'' along the flow.

The step is cut into segments, left first. On each segment a gap is excluded, or known to cross once, or the segment is
split where the gap is lowest. The dense output is only evaluated at the nodes of this search.
"""

from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.memory.run_memory import DEPTH
from sympact.integrate.memory.run_tolerances import GAP_ROUNDING, SLIGHT
from sympact.integrate.search.arc_kernel import copy, dead_band, gaps_at, root, rounding_of, values_at
from sympact.integrate.search.bernstein_kernel import zero_of_falling
from sympact.integrate.search.screen_kernel import lower, lowest, quintic
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading, row_of

EDGE = 0.02  # least distance of cuts from the ends of a segment
NO_ROOT = 2.0
PASS, CROSSES, SPLIT = 0, 1, 2


@kernel
def node(run, index):
    """g, g', g'' of all gaps at a node of the search."""
    nb = run.n_boundaries
    return leading(row_of(run.nodes, index), 3 * nb)


@kernel
def leaves_downwards(g, d, a, band):
    """Whether a gap near zero is going to leave its dead band downwards."""
    return d < 0.0 and (a <= 0.0 or g - 0.5 * d * d / a < -band)


@kernel
def through_dead_band(g, d, a, band):
    """g; for a gap that ends the step within the band and is going to leave it downwards, a value just below it."""
    return -1.000001 * band if -band < g <= 0.0 and leaves_downwards(g, d, a, band) else g


@kernel
def finish_dead_band(run, new):
    """A gap that ends the step within the dead band and will go deeper belongs to this step: it is put just below."""
    nb = run.n_boundaries
    for k in range(nb):
        new[k] = through_dead_band(new[k], new[nb + k], new[2 * nb + k], dead_band(run, k))


@kernel
def first_touch(d, a, u):
    """Fraction of a segment at which a rebound that starts on the boundary is half over or over: the first node."""
    s = -2.0 * d / (a * u) if d > 0.0 and a < 0.0 else 0.5
    return s if EDGE < s < 1.0 - EDGE else (EDGE if s <= EDGE else 0.5)


@kernel
def falls(b, margin):
    """True when the quintic decreases throughout by more than its margin."""
    return max(b[1] - b[0], b[2] - b[1], b[3] - b[2], b[4] - b[3], b[5] - b[4]) < -0.8 * margin


@kernel
def rises(b):
    """True when the quintic increases throughout."""
    return min(b[1] - b[0], b[2] - b[1], b[3] - b[2], b[4] - b[3], b[5] - b[4]) >= 0.0


@kernel
def judge(ga, da, aa, gb, db, ab, u, small, b):
    """(verdict, where to split) for one gap on one segment; ga and gb have the dead band added."""
    low, margin = lower(ga, da, aa, gb, db, ab, u, b)
    if ga > 0.0 and low > 0.0:
        return PASS, 0.0
    if ga <= 0.0:
        stays = gb <= 0.0 and max(b[1], b[2], b[3], b[4]) + margin <= 0.0
        if stays or small or (gb > 0.0 and rises(b)):
            return PASS, 0.0
        return SPLIT, 0.5
    if gb > 0.0:
        if small:
            return PASS, 0.0
        if da < 0.0 < db:
            return SPLIT, min(max(lowest(b), EDGE), 1.0 - EDGE)
        return SPLIT, first_touch(da, aa, u)
    if small or falls(b, margin):
        return CROSSES, 0.0
    return SPLIT, first_touch(da, aa, u)


@kernel
def judge_all(run, left, right, w, roots, b):
    """(something crosses, where to split or -1) over near gaps that are not proven; `roots` is 0 where one crosses."""
    nb, crosses = run.n_boundaries, False
    proved, latched, near = run.proved, run.latched, run.near
    for k in range(nb):
        roots[k] = NO_ROOT
    for k in range(nb):
        if proved[k] == 1 or latched[k] == 2 or near[k] == 0:
            continue
        band = 0.0 if latched[k] > 0 else dead_band(run, k)
        verdict, cut = judge(
            left[k] + band,
            left[nb + k],
            left[2 * nb + k],
            right[k] + band,
            right[nb + k],
            right[2 * nb + k],
            w * run.h,
            w <= GAP_ROUNDING,
            b,
        )
        if verdict == SPLIT:
            return crosses, cut
        if verdict == CROSSES:
            roots[k], crosses = 0.0, True
    return crosses, -1.0


@kernel
def locate(run, k, c, gc):
    """The zero of gap k before the fraction c of the step, where it is negative.

    One that was positive only as rounding at the start, on its way up, begins a rebound: the zero there is not sought.
    """
    nb, old = run.n_boundaries, run.gaps_old
    seen, height = run.positive_at[k], run.positive_gap[k]
    rate, bend = old[nb + k], old[2 * nb + k]
    leaves = seen == 0.0 and rate > 0.0 and height <= rounding_of(run, k)
    if 0.0 <= seen < c and not leaves:
        return root(run, k, seen, height, c, gc)
    if rate <= 0.0:
        return low_rebound(run, k, c) if bend > 0.0 else 0.0
    if bend < 0.0 and 0.5 * rate * rate / -bend < rounding_of(run, k):
        return min(1.0, -2.0 * rate / (bend * run.h))
    return root(run, k, -1.0, rate * run.h, c, gc)


@kernel
def low_rebound(run, k, c):
    """The point where a gap that rises from zero without a rate, below all samples, is below zero again."""
    here, floor, a = run.gaps_here, -rounding_of(run, k), 0.0
    for _ in range(60):
        s = 0.5 * (a + c)
        values_at(run, s, here)
        if here[k] < floor:
            c = s
        else:
            a = s
    return c


@kernel
def locate_all(run, c, right, roots):
    """The roots of all gaps that cross before the fraction c; returns the boundary that is first."""
    first, nb = -1, run.n_boundaries
    for k in range(nb):
        if roots[k] < NO_ROOT:
            roots[k] = locate(run, k, c, right[k])
            if first < 0 or roots[k] < roots[first]:
                first = k
    return first


@kernel
def estimate(run, k, a, w, left, right, b):
    """(the zero of a gap that falls from left to right, its error) by the quintic, as fractions of the step.

    A gap that is zero at the left end, on its way down, has its zero there. The first number is -1 where the dense
    output is needed: for a gap that has not been positive in the step, as after an impact, whose rebound must be
    followed; and where rounding of the gap moves its zero by more than `SLIGHT`, as in low rebounds, so that the
    repeated step shows rounding and not the error of the estimate.
    """
    nb = run.n_boundaries
    i, rounding = nb + k, rounding_of(run, k)
    if left[k] <= rounding:
        has_left = run.positive_at[k] >= 0.0 or run.gaps_old[i] > 0.0
        falls_there = a > 0.0 and left[i] < 0.0 and has_left
        zero, slope, height = (a, left[i] * run.h, abs(left[k])) if falls_there else (-1.0, -1.0, 0.0)
    else:
        j = 2 * nb + k
        height = quintic(left[k], left[i], left[j], right[k], right[i], right[j], w * run.h, b)
        place, slope = zero_of_falling(b, 5, left[k] / (left[k] - right[k]))
        zero, slope = a + w * place, slope / w
    resolved = slope < 0.0 and rounding <= SLIGHT * zero * -slope
    return (zero, (height + rounding) / -slope) if resolved else (-1.0, 0.0)


@kernel
def estimate_all(run, a, w, left, right, roots, b):
    """The gap that crosses first in a segment, by the zeros of quintics; -1 where their errors leave it open."""
    first, root, error, others = -1, NO_ROOT, 0.0, NO_ROOT
    for k in range(run.n_boundaries):
        if roots[k] == NO_ROOT:
            continue
        zero, uncertain = estimate(run, k, a, w, left, right, b)
        if zero < 0.0:
            return -1
        roots[k] = zero
        if zero < root:
            others = min(others, root - error)
            first, root, error = k, zero, uncertain
        else:
            others = min(others, zero - uncertain)
    return first if root + error < others else -1


@kernel
def note_positive(run, values, s):
    """Store where each gap was last positive."""
    nb = run.n_boundaries
    where, height = run.positive_at, run.positive_gap
    for k in range(nb):
        if values[k] > 0.0:
            where[k], height[k] = s, values[k]


@kernel
def forget_positive(run):
    """Reset: no gap has been positive in this step yet."""
    nb = run.n_boundaries
    where = run.positive_at
    for k in range(nb):
        where[k] = -1.0


@kernel
def dense(run, address):
    """Build the polynomial of the step, unless it has been."""
    if run.built == 0:
        call_unit(run.dense, address)
        run.built = 1


def isolate(address):
    """The boundary crossed first in the step, or -1; `roots` has the roots of all that cross in the same segment.

    Where the step will be repeated up to the root and corrected there, roots are those of quintics, which take no
    evaluation, unless it is open which comes first.
    """
    run = run_at(address)
    b, roots = run.bernstein, run.roots
    place = run.node_at
    left, new = node(run, 0), node(run, 1)
    copy(run.gaps_old, left)
    copy(run.gaps_new, new)
    finish_dead_band(run, new)
    forget_positive(run)
    note_positive(run, left, 0.0)
    a, top = 0.0, 1
    place[1] = 1.0
    while top > 0:
        right, w = node(run, top), place[top] - a
        crosses, cut = judge_all(run, left, right, w, roots, b)
        if cut >= 0.0 and top < DEPTH - 1:
            top += 1
            place[top] = a + cut * w
            dense(run, address)
            gaps_at(run, place[top], node(run, top))
            continue
        if crosses:
            first = estimate_all(run, a, w, left, right, roots, b) if run.estimated == 1 else -1
            if first >= 0:
                return first
            run.estimated = 0
            dense(run, address)
            return locate_all(run, place[top], right, roots)
        a = place[top]
        copy(right, left)
        note_positive(run, left, a)
        top -= 1
    return -1
