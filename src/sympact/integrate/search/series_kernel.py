"""Series of numbers that change at given times, such as the pieces of data."""

from sympact.integrate.memory.run_kernel import SCHEDULE_SIZE, SERIES_SIZE, schedule_at, series_at
from sympact.integrate.search.switch_kernel import settle
from sympact.native.kernel import kernel


def set_pieces(t, x, data, out):
    """Write the values valid from the time t on, and set the switches to the signs that their margins then have."""
    schedule = schedule_at(data)
    for i in range(schedule.n_series):
        series = series_at(data + SCHEDULE_SIZE + i * SERIES_SIZE)
        row, target = series.rows[piece_at(series.starts, t)], series.target
        for k in range(series.width):
            target[k] = row[k]
    settle(schedule.switches, t, x, 0, 1)


@kernel
def piece_at(starts, t):
    """The last entry that is not above t, by bisection; 0 where all are."""
    low, high = 0, starts.size
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= t:
            low = middle
        else:
            high = middle
    return low
