"""Accumulation of events (Zeno), determined from their times alone: for boundaries that are not contacts."""

from sympact.integrate.memory.run_codes import CROSSING, KIND, TRANSITION_KIND
from sympact.integrate.memory.run_tolerances import NEAR_END
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

CLUSTER = 200  # events at one instant that count as an endless loop
LONGEST = 16  # most events of a repeated, shrinking pattern
SHRINK = 0.999  # of one pattern to the next, at the most
REGULAR = 0.1  # permitted relative difference of two successive estimates of the remaining time


@kernel
def accumulates(run, t, contacts):
    """True when many events occur at one instant, or shrink geometrically towards one, T_INF.

    In a stage with contacts only events that change no contact count: for impacts there are rules of contacts.
    """
    m, times = run.events, run.event_t
    same = m > 1 and t - times[m - 2] <= 4.0 * EPS * abs(t)
    run.instant = run.instant + 1 if same else 0
    if run.instant >= CLUSTER:
        return True
    stride, counted = 1, m if contacts == 0 else without_contacts(run)
    while stride <= LONGEST and 3 * stride < counted:
        rest, error = remainder(times, m - 1, stride)
        if 0.0 <= rest <= NEAR_END * (t - run.t_start) and error <= REGULAR * rest:
            run.t_inf, run.t_inf_error = t + rest, error
            return True
        stride += 1
    return False


@kernel
def without_contacts(run):
    """How many of the last events, LONGEST patterns at the most, are jumps and conditions of the user's own."""
    count, most, record = 0, min(run.events, 3 * LONGEST + 1), run.event_record
    while count < most:
        kind = int(record[run.events - 1 - count][KIND])
        if kind != TRANSITION_KIND and kind != CROSSING:
            break
        count += 1
    return count


@kernel
def remainder(times, last, stride):
    """(time left, its error) if three successive patterns of `stride` events shrink with one ratio; (-1, 0) if not.

    With spans a > b > c the ratio r = c / b leaves c r / (1 - r); the error is the difference from the estimate of a
    and b.
    """
    a = times[last - 2 * stride] - times[last - 3 * stride]
    b = times[last - stride] - times[last - 2 * stride]
    c = times[last] - times[last - stride]
    if not (0.0 < c < SHRINK * b and b < SHRINK * a):
        return -1.0, 0.0
    rest = c * c / (b - c)
    return rest, abs(b * b / (a - b) - c - rest)
