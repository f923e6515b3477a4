"""The first crossing within a step, by proof: where the enclosures of a gap exclude a crossing, there is none.

Along a step every state is a polynomial of the fraction s. On a part of the step the enclosures of a gap, of its first
and its second derivative by s, with its values at both ends, bound it from below. A part is excluded, or a gap is known
to decrease throughout it and to cross once, or it is halved, left halves first. docs/theory, boundary search.
"""

from math import comb

import numpy as np

from sympact.integrate.memory.proof_memory import PARTS, ROWS
from sympact.integrate.memory.run_kernel import proof_at, run_at
from sympact.integrate.search import proof as of
from sympact.integrate.search.arc_kernel import copy, dead_band, values_at
from sympact.integrate.search.isolate_kernel import (
    NO_ROOT,
    finish_dead_band,
    forget_positive,
    locate,
    note_positive,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, leading2, row_of
from sympact.native.rounding import EPS

HALF = 0.5  # of the dead band: a deeper gap has crossed
FAR = 2.0  # rad a step: beyond this the ends of a step do not determine a sine between them
DEEPEST = 48  # halvings
MOST = 2000  # parts of one step: beyond, the bounds are useless, and sampled values decide
JUMP = 100.0  # dead bands: the error of the values of a gap where states are large
PASS, CROSSES, SPLIT = 0, 1, 2


def _bernstein_weights():
    """Coefficient k of the row j, with the factor s^a (1-s)^b in the nested form, by the degree n of the whole."""
    weights = np.zeros((ROWS + 1, ROWS, ROWS + 1))
    for n in range(1, ROWS + 1):
        for j in range(n):
            a, b = (j + 2) // 2, (j + 1) // 2
            for k in range(a, n - b + 1):
                weights[n, j, k] = comb(n - a - b, k - a) / comb(n, k)
    return weights


_WEIGHTS = _bernstein_weights()


@kernel
def choose(run):
    """Mark the gaps that are proven in this step, none that is latched; returns how many."""
    nb, proved, latched = run.n_boundaries, run.proved, run.latched
    if run.stage.proof == 0:
        for k in range(nb):
            proved[k] = 0
        return 0
    table = proof_at(run.stage.proof)
    classes, active = table.classes, run.stage.watched
    far, old, count = turns_far(run, table), run.gaps_old, 0
    deep = table.deep
    for k in range(nb):
        band = dead_band(run, k)
        wanted = latched[k] == 0 and (classes[k] == of.PROVEN or (far and classes[k] == of.PLAIN))
        proved[k] = 1 if wanted and active[k] == run.looking and old[k] > -band else 0
        deep[k] = min(-HALF * band, 0.5 * (old[k] - band))
        count += proved[k]
    return count


@kernel
def turns_far(run, table):
    """Whether the angles in a plain gap may turn so far within the step that its ends do not determine it."""
    if table.phases == 0:
        return False
    out = table.turn
    rates = run.rates
    call_boundary(table.phases, run.t, run.x, rates[0], table.data, out)
    turn = out[0]
    end = rates[run.last]
    call_boundary(table.phases, run.t_new, run.x_new, end, table.data, out)
    return not max(turn, out[0]) * run.h <= FAR


@kernel
def coefficients(table, degree, index):
    """Bernstein coefficients of a part, one row for each coefficient."""
    n = table.n_jets
    return leading2(row_of(table.coefficients, index), degree + 1, n)


@kernel
def values(run, table, index):
    """The gaps at the right end of a part; at the index DEPTH those at the left end."""
    return row_of(table.values, index)


@kernel
def whole_step(run, table):
    """The coefficients of x - x0 over the whole step: nothing cancels, for all weights are between 0 and 1."""
    degree, n = run.degree, table.n_jets
    rows, states = run.polynomial, table.states
    b, reach = coefficients(table, degree, 0), table.reach
    for i in range(n):
        reach[i] = 0.0
        for j in range(degree):
            reach[i] += abs(rows[j, states[i]])
        for k in range(degree + 1):
            total = 0.0
            for j in range(degree):
                total += _WEIGHTS[degree, j, k] * rows[j, states[i]]
            b[k, i] = total


@kernel
def cut(b, left, s):
    """Keep in b the part right of the fraction s, and write the part left of it into `left` (de Casteljau)."""
    rows, n = b.shape
    for i in range(n):
        for k in range(rows):
            left[k, i] = b[0, i]
            for j in range(rows - 1 - k):
                b[j, i] = (1.0 - s) * b[j, i] + s * b[j + 1, i]


@kernel
def enclose(run, table, index, a, c):
    """The enclosures of all gaps over the part [a, c], from those of the states."""
    n, degree, w = table.n_jets, run.degree, c - a
    b, jets = coefficients(table, degree, index), table.jets
    states, reach = table.states, table.reach
    x, level = run.x, table.levels[index]
    first, second = degree / w, degree * (degree - 1) / (w * w)
    for i in range(n):
        noise = (20.0 + 4.0 * level) * EPS * reach[i]
        start = x[states[i]]
        low, high = b[0, i], b[0, i]
        least, most = b[1, i] - b[0, i], b[1, i] - b[0, i]
        under, over = 0.0, 0.0
        for k in range(1, degree + 1):
            low, high = min(low, b[k, i]), max(high, b[k, i])
            slope = b[k, i] - b[k - 1, i]
            least, most = min(least, slope), max(most, slope)
            if k > 1:
                bend = slope - (b[k - 1, i] - b[k - 2, i])
                under, over = (bend, bend) if k == 2 else (min(under, bend), max(over, bend))
        place = noise + 4.0 * EPS * (abs(start) + reach[i])
        jets[i, 0], jets[i, 1] = start + low - place, start + high + place
        jets[i, 2], jets[i, 3] = first * (least - 2.0 * noise), first * (most + 2.0 * noise)
        jets[i, 4], jets[i, 5] = second * (under - 4.0 * noise), second * (over + 4.0 * noise)
    t, h = run.t, run.h
    spread = 4.0 * EPS * (abs(t) + h)
    jets[n, 0], jets[n, 1] = t + a * h - spread, t + c * h + spread
    jets[n, 2] = jets[n, 3] = h
    jets[n, 4] = jets[n, 5] = 0.0
    call_flow(table.enclosed, t, table.jets, table.data, table.ends)


@kernel
def bound_accelerations(run, table, first):
    """A second derivative over a part is at most that over the whole step, which has less noise."""
    nb = run.n_boundaries
    ends, accelerations = table.ends, table.accelerations
    for k in range(nb):
        if first:
            accelerations[k] = ends[k, 5]
        elif accelerations[k] < ends[k, 5]:
            ends[k, 5] = accelerations[k]


@kernel
def cone(ga, gb, least, most):
    """The possible crossings for slopes between `least` and `most` over the part."""
    if least >= 0.0 or most <= 0.0:
        return min(ga, gb)
    if not most - least < np.inf:
        return -np.inf
    s = min(max((ga - gb + most) / (most - least), 0.0), 1.0)
    return min(ga, gb, max(ga + least * s, gb - most * (1.0 - s)))


@kernel
def chord(ga, gb, bend):
    """The chord less the parabola of the largest second derivative."""
    if bend <= 0.0:
        return min(ga, gb)
    if not bend < np.inf:
        return -np.inf
    s = min(max(0.5 + (ga - gb) / bend, 0.0), 1.0)
    return min(ga, gb, ga + (gb - ga) * s - 0.5 * bend * s * (1.0 - s))


@kernel
def lower(ga, gb, ends, w):
    """Lower bound of a gap over a part of width w from its values at the ends and its enclosures."""
    rounding, low = 16.0 * EPS * (abs(ga) + abs(gb)), ends[0]
    by_slope = cone(ga, gb, ends[2] * w, ends[3] * w) - rounding
    by_bend = chord(ga, gb, ends[5] * w * w) - rounding
    best = -np.inf  # a NaN is no bound
    for bound in (low, by_slope, by_bend):
        if bound > best:
            best = bound
    return best


@kernel
def judge_part(run, table, left, right, w, roots):
    """PASS, CROSSES or SPLIT for all gaps that are proven; `roots` is 0 where a gap crosses.

    A gap whose right end is on the other side is never excluded, because the part beyond has been discarded. It crosses
    once where it decreases throughout, and where its second derivative is so small that it cannot return from below the
    dead band. A gap that changes by more than its slopes permit has jumped: its values are not those of the closest
    point.
    """
    nb, verdict = run.n_boundaries, PASS
    proved, deep = run.proved, table.deep
    ends, offset = table.ends, run.offset
    for k in range(nb):
        if proved[k] == 0:
            continue
        band, change = dead_band(run, k), right[k] - left[k]
        if change > w * ends[k, 3] + JUMP * band or change < w * ends[k, 2] - JUMP * band:
            return SPLIT
        if right[k] < deep[k]:
            if not (ends[k, 3] < 0.0 or ends[k, 5] * w * w <= band):
                return SPLIT
            roots[k], verdict = 0.0, CROSSES
            continue
        ends[k, 0] -= offset[k]
        if not lower(left[k], right[k], ends[k], w) > -band:
            return SPLIT
    return verdict


@kernel
def crossed(run, table, here, roots):
    """Whether a gap is on the other side; `roots` is 0 where it is."""
    nb, any_deep = run.n_boundaries, False
    proved, deep = run.proved, table.deep
    for k in range(nb):
        if proved[k] == 1 and here[k] < deep[k]:
            roots[k], any_deep = 0.0, True
    return any_deep


@kernel
def forget_roots(run, roots):
    """No crossing of the gaps that are proven."""
    proved = run.proved
    for k in range(run.n_boundaries):
        if proved[k] == 1:
            roots[k] = NO_ROOT


@kernel
def halve(run, table, top, a, roots):
    """Replace the part at the top by its halves, the left one on top; one whose left half crosses by that alone."""
    degree, places, levels = run.degree, table.places, table.levels
    b, half = coefficients(table, degree, top), coefficients(table, degree, top + 1)
    middle, here = 0.5 * (a + places[top]), values(run, table, top + 1)
    values_at(run, middle, here)
    cut(b, half, 0.5)
    levels[top] += 1
    levels[top + 1] = levels[top]
    places[top + 1] = middle
    if not crossed(run, table, here, roots):
        return top + 1
    copy(here, values(run, table, top))
    for k in range(degree + 1):
        copy(half[k], b[k])
    places[top] = middle
    return top


@kernel
def begin_parts(run, table, until):
    """The step up to a fraction as the only part in the queue."""
    places, right = table.places, values(run, table, 0)
    left = values(run, table, PARTS)
    copy(run.gaps_old, left)
    whole_step(run, table)
    places[0] = until
    table.levels[0] = 0
    if until < 1.0:
        b, rest = coefficients(table, run.degree, 0), coefficients(table, run.degree, 1)
        cut(b, rest, until)
        for k in range(run.degree + 1):
            copy(rest[k], b[k])
        values_at(run, until, right)
    else:
        copy(run.gaps_new, right)
        finish_dead_band(run, right)
    forget_positive(run)
    note_positive(run, left, 0.0)
    return left


@kernel
def first_crossing(run, c, right, roots):
    """The roots of the proven gaps that cross before the fraction c; returns the gap that is first."""
    first, proved = -1, run.proved
    for k in range(run.n_boundaries):
        if proved[k] == 1 and roots[k] < NO_ROOT:
            roots[k] = locate(run, k, c, right[k])
            if first < 0 or roots[k] < roots[first]:
                first = k
    return first


def prove(address):
    """The gap crossed first among those that are proven in the step, or -1; `roots` has the roots of all that cross.

    `roots` has the results of the search of the other gaps; later crossings than the first of these do not count.
    """
    run = run_at(address)
    nb = run.n_boundaries
    table, roots, until = proof_at(run.stage.proof), run.roots, 1.0
    for k in range(nb):
        until = min(until, roots[k])
    if until <= 0.0:
        return -1
    left = begin_parts(run, table, until)
    places, levels = table.places, table.levels
    a, top, parts, unproven = 0.0, 0, 0, 0
    while top >= 0:
        right, c = values(run, table, top), places[top]
        enclose(run, table, top, a, c)
        bound_accelerations(run, table, parts == 0)
        forget_roots(run, roots)
        verdict = judge_part(run, table, left, right, c - a, roots)
        parts += 1
        if verdict == SPLIT and (levels[top] >= DEEPEST or parts > MOST):
            forget_roots(run, roots)
            verdict = CROSSES if crossed(run, table, right, roots) else PASS
            unproven = 1
        if verdict == SPLIT:
            top = halve(run, table, top, a, roots)
            if run.fault != 0:
                break
            continue
        if verdict == CROSSES:
            run.parts += parts
            run.unproven += unproven
            return first_crossing(run, c, right, roots)
        a = c
        copy(right, left)
        note_positive(run, left, a)
        top -= 1
    run.parts += parts
    run.unproven += unproven
    forget_roots(run, roots)
    return -1
