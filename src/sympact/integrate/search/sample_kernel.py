"""The first crossing within a step from values of the gaps alone.

For plain functions, which give no rates, and for steppers whose polynomial does not follow the flow closely enough.

The step is sampled at 17 equidistant points of its dense output, in two blocks of nine; for margins of closed contacts
also at more, in blocks that end where the stages of the step show a violation. On a block the values are
written as a polynomial of degree 8 in Bernstein form; the size of its last differences is the margin. A block that is
neither excluded nor shown to cross once is halved. So every dip longer than 1/16 of a step contains a sample, and
shorter ones are found as far as the samples indicate them.
"""

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.memory.run_memory import DEPTH
from sympact.integrate.memory.run_tolerances import PROBE, PULLS
from sympact.integrate.search.arc_kernel import copy, dead_band, learn_scales, rounding_of, scale_of, values_at
from sympact.integrate.search.bernstein_kernel import zero_of_falling
from sympact.integrate.search.isolate_kernel import NO_ROOT, forget_positive, locate_all, through_dead_band
from sympact.integrate.search.stage_margin_kernel import (
    first_violation,
    has_margins,
    is_without_force,
    short_zeros,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2, row_of

MOST = 2000  # halvings in one step: beyond that values are noise, and blocks are not halved
MARGIN = 0.25  # of the last two differences
PASS, CROSSES, SPLIT = 0, 1, 2


def _to_bernstein():
    """Matrix from nine equidistant values to the Bernstein coefficients of the polynomial through them."""
    from math import comb

    s = np.arange(9) / 8
    basis = np.array([[comb(8, j) * v**j * (1 - v) ** (8 - j) for j in range(9)] for v in s])
    return np.ascontiguousarray(np.linalg.inv(basis))


_BERNSTEIN = _to_bernstein()


@kernel
def block(run, index):
    """Nine rows of values, one column per boundary."""
    nb = run.n_boundaries
    return leading2(row_of(run.nodes, index), 9, nb)


@kernel
def tail(values, k):
    """Size of the seventh and eighth differences of nine values."""
    seventh = (
        values[7, k]
        - values[0, k]
        + 7.0 * (values[1, k] - values[6, k])
        + 21.0 * (values[5, k] - values[2, k])
        + 35.0 * (values[3, k] - values[4, k])
    )
    shifted = (
        values[8, k]
        - values[1, k]
        + 7.0 * (values[2, k] - values[7, k])
        + 21.0 * (values[6, k] - values[3, k])
        + 35.0 * (values[4, k] - values[5, k])
    )
    return max(abs(seventh), abs(shifted)) + abs(shifted - seventh)


@kernel
def to_bernstein(values, k, band, b):
    """The Bernstein coefficients of the polynomial through nine values and a band added to them, into b."""
    for i in range(9):
        v = band
        for j in range(9):
            v += _BERNSTEIN[i, j] * values[j, k]
        b[i] = v


@kernel
def judge(values, k, band, small, b):
    """One gap on one block: excluded, crossing once, or to be halved."""
    margin = MARGIN * tail(values, k)
    low = high = values[0, k] + band
    steepest = -np.inf
    lowest_step = np.inf
    to_bernstein(values, k, band, b)
    for i in range(9):
        low, high = min(low, b[i]), max(high, b[i])
        if i > 0:
            steepest, lowest_step = max(steepest, b[i] - b[i - 1]), min(lowest_step, b[i] - b[i - 1])
    start, end = values[0, k] + band, values[8, k] + band
    if start > 0.0:
        if low - margin > 0.0:
            return PASS
        if end > 0.0:
            return PASS if small else SPLIT
        return CROSSES if small or steepest < -margin else SPLIT
    if small or high + margin <= 0.0 or (end > 0.0 and lowest_step >= margin):
        return PASS
    return SPLIT


@kernel
def judge_all(run, values, small, roots, b):
    """The strongest verdict over all gaps; `roots` is 0 where a gap crosses."""
    verdict, latched = PASS, run.latched
    for k in range(run.n_boundaries):
        roots[k] = NO_ROOT
    for k in range(run.n_boundaries):
        if latched[k] == 2:
            continue
        band = 0.0 if latched[k] > 0 else dead_band(run, k)
        answer = judge(values, k, band, small, b)
        if answer == SPLIT:
            return SPLIT
        if answer == CROSSES:
            roots[k], verdict = 0.0, CROSSES
    return verdict


@kernel
def put_sample(run, values, i, s):
    """The values at the fraction s of the step become sample i of a block."""
    here = run.gaps_here
    values_at(run, s, here)
    for k in range(run.n_boundaries):
        values[i, k] = here[k]


@kernel
def fill_between(run, values, a, c):
    """Values at the odd points of the block [a, c], the others being known."""
    for i in range(1, 9, 2):
        put_sample(run, values, i, a + (c - a) * (i / 8.0))


@kernel
def halve(run, index, a, c):
    """Replace the block by its halves: the right one stays at `index`, the left one goes on top."""
    old, left = block(run, index), block(run, index + 1)
    middle = 0.5 * (a + c)
    for k in range(run.n_boundaries):
        for i in range(4, -1, -1):
            left[2 * i, k] = old[i, k]
        for i in range(5):
            old[2 * i, k] = old[4 + i, k]
    fill_between(run, left, a, middle)
    fill_between(run, old, middle, c)


@kernel
def is_noise(values, k, band):
    """True for a gap within the dead band whose last differences exceed its range: rounding."""
    low = high = values[0, k]
    for i in range(1, 9):
        low, high = min(low, values[i, k]), max(high, values[i, k])
    return -band < low and high < band and tail(values, k) > high - low


@kernel
def start_on_boundary(run, values):
    """In the first step of a smooth arc: gaps of rounding height start at zero. Returns the one that fires at once, or
    -1.

    A probe just after the start determines the direction of the gap; where it rises, the arc has left the boundary.
    While the probe shows only rounding, as measured by the last differences, it is moved further on.
    """
    nb = run.n_boundaries
    where, height = run.positive_at, run.positive_gap
    here, offset = run.gaps_here, run.offset
    roots, latched = run.roots, run.latched
    first = -1
    for k in range(nb):
        roots[k] = NO_ROOT
        if latched[k] == 2:
            continue
        rounding = rounding_of(run, k)
        if abs(values[0, k]) > rounding:
            continue
        offset[k] += values[0, k]
        noise, s = min(10.0 * rounding, tail(values, k)), PROBE
        values[0, k] = 0.0
        values_at(run, s, here)
        while abs(here[k]) <= noise and s < 1.0:
            s *= 16.0
            values_at(run, s, here)
        if here[k] < -noise:
            roots[k] = 0.0
            first = k if first < 0 else first
        elif here[k] > noise:
            where[k], height[k] = s, here[k]
    return first


@kernel
def start_without_force(run, first):
    """In the first step of a smooth arc: the margin of a contact without force is followed until it clearly pulls.

    The force of a contact may be zero for long, with rounding on both sides, and its tension below the opening
    threshold.
    """
    nb, offset = run.n_boundaries, run.offset
    for k in range(nb):
        if is_without_force(run, k, first[0, k]):
            rise = PULLS * scale_of(run, k)
            offset[k] -= rise
            for i in range(9):
                first[i, k] += rise


@kernel
def passed_between(run, values):
    """The contact that clearly pulls in the whole first half of a step that begins no arc: it fires at its start. Or
    -1.

    Where slip is slow the direction of friction turns between two steps, and a force may change its sign with it.
    """
    nb, first = run.n_boundaries, -1
    roots, active = run.roots, run.stage.watched
    for k in range(nb):
        highest = values[0, k]
        for i in range(1, 9):
            highest = max(highest, values[i, k])
        pulls = active[k] == codes.BY_VALUES and highest < -PULLS * scale_of(run, k)
        roots[k] = 0.0 if pulls else NO_ROOT
        first = k if pulls and first < 0 else first
    return first


@kernel
def finish_dead_band(run, values):
    """As in `isolate_kernel`, the rates being those of the last three samples."""
    for k in range(run.n_boundaries):
        bend = values[8, k] - 2.0 * values[7, k] + values[6, k]
        slope, band = values[8, k] - values[7, k] + 0.5 * bend, dead_band(run, k)
        if not is_noise(values, k, band):
            values[8, k] = through_dead_band(values[8, k], slope, bend, band)


@kernel
def note_positive_block(run, values, a, c):
    """Store where each gap was last positive in the block [a, c]."""
    nb = run.n_boundaries
    where, height = run.positive_at, run.positive_gap
    for k in range(nb):
        for i in range(9):
            if values[i, k] > 0.0:
                where[k], height[k] = max(where[k], a + (c - a) * (i / 8.0)), values[i, k]


@kernel
def read_zeros(run, values, a, c, roots, b):
    """The margin that is zero first in a block, by the zeros of the polynomials through the values; -1: not so found.

    These zeros take no evaluation. They are near enough where the step is repeated up to the first one.
    """
    first = -1
    for k in range(run.n_boundaries):
        if roots[k] == NO_ROOT:
            continue
        start, end = values[0, k], values[8, k]
        if not start > 0.0 > end:
            return -1
        to_bernstein(values, k, 0.0, b)
        place, slope = zero_of_falling(b, 8, start / (start - end))
        if not slope < 0.0:
            return -1
        roots[k] = a + (c - a) * place
        if first < 0 or roots[k] < roots[first]:
            first, run.slope = k, slope / ((c - a) * run.h)
    return first


@kernel
def place_blocks(run):
    """The ends of the blocks of a step, each half of it at most, into `node_at` from the last to the first; how many.

    A margin that is negative at a stage of the step has its first zero before it, if it is that of the search: a block
    ends there, and what follows is mostly not evaluated.
    """
    place, count = run.node_at, 2
    place[0], place[1] = 1.0, 0.5
    stage = first_violation(run) if run.looking == codes.BY_VALUES else 0.5
    if 0.0 < stage < 0.5:
        place[1], place[2], count = 0.5 * (1.0 + stage), stage, 3
    elif 0.5 < stage < 1.0:
        place[1], place[2], count = stage, 0.5 * stage, 3
    return count


@kernel
def fill(run, index, a, c):
    """All values of the block [a, c]; or those up to the first negative margin, whose index among them is returned.

    Margins beyond a zero take most time: with forces that are not unique each asks for a problem with cones.
    """
    values = block(run, index)
    for i in range(9):
        put_sample(run, values, i, a + (c - a) * (i / 8.0))
        if run.looking == codes.BY_VALUES and 1 < i < 7 and falls(run, values, i):
            return i
    for i in range(9):
        learn_scales(run, values[i])
    if index == 0:
        finish_dead_band(run, values)
    return 8


@kernel
def falls(run, values, i):
    """Whether a margin is negative at sample i of a block at whose start all margins are positive."""
    active, first, positive = run.stage.watched, False, True
    for k in range(run.n_boundaries):
        if active[k] == codes.BY_VALUES:
            first = first or values[i, k] < -dead_band(run, k)
            positive = positive and values[0, k] > 0.0
    return first and positive


@kernel
def shorten(run, index, a, c, cut):
    """The block [a, c] up to its sample `cut` goes on top, as a block of its own; what was sampled is not again."""
    old, short = block(run, index), block(run, index + 1)
    for i in range(9):
        if i * cut % 8 == 0:
            copy(old[i * cut // 8], short[i])
        else:
            put_sample(run, short, i, a + (c - a) * (cut / 8.0) * (i / 8.0))
        learn_scales(run, short[i])


@kernel
def start(run, values):
    """What a step that begins may have on a boundary, from its first block: the one that fires at once, or -1."""
    by_values = run.looking == codes.BY_VALUES
    if run.fresh == 1:
        if not by_values:
            return start_on_boundary(run, values)
        start_without_force(run, values)
    elif by_values:
        return passed_between(run, values)
    return -1


def sample(address):
    """The boundary that is crossed first in the step, or -1, as `isolate` does, from values alone.

    Where the step will be repeated up to the root and corrected there, roots are zeros of polynomials through values.
    """
    run = run_at(address)
    b, roots = run.bernstein, run.roots
    place = run.node_at
    forget_positive(run)
    if run.estimated == 1 and run.low == 1 and has_margins(run):
        first = short_zeros(run, roots, b)
        if first >= 0:
            return first
    top = place_blocks(run) - 1
    filled, a, halvings = top + 1, 0.0, 0
    while top >= 0:
        c, values = place[top], block(run, top)
        if top < filled:
            cut = fill(run, top, a, c)
            if cut < 8:
                shorten(run, top, a, c, cut)
                top += 1
                place[top] = c = a + (c - a) * (cut / 8.0)
                values = block(run, top)
            filled = top
            first = start(run, values) if a == 0.0 else -1
            if first >= 0:
                return first
        small = c - a <= PROBE or halvings > MOST
        verdict = judge_all(run, values, small, roots, b)
        if verdict == SPLIT and top < DEPTH - 2:
            halve(run, top, a, c)
            halvings += 1
            top += 1
            place[top] = 0.5 * (a + c)
            continue
        if verdict == CROSSES:
            first = read_zeros(run, values, a, c, roots, b) if run.estimated == 1 and not small else -1
            if first >= 0:
                return first
            run.estimated = 0
            note_positive_block(run, values, a, c)
            return locate_all(run, c, values[8], roots)
        note_positive_block(run, values, a, c)
        a = c
        top -= 1
    return -1
