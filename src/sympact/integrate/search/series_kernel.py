"""Series of numbers that change at given times: the pieces of data, and what sampled laws compute."""

from sympact.integrate.memory.run_kernel import (
    LAW_SIZE,
    SCHEDULE_SIZE,
    SERIES_SIZE,
    law_at,
    schedule_at,
    series_at,
)
from sympact.integrate.search.switch_kernel import settle
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals


def set_pieces(t, x, data, out):
    """Write the values valid from the time t on, evaluate the laws whose time it is, one after the other, and set the
    switches to the signs that their margins then have."""
    schedule = schedule_at(data)
    laws = data + SCHEDULE_SIZE + schedule.n_series * SERIES_SIZE
    for i in range(schedule.n_series):
        put(series_at(data + SCHEDULE_SIZE + i * SERIES_SIZE), t)
    for i in range(schedule.n_laws):
        evaluate(law_at(laws + i * LAW_SIZE), data + SCHEDULE_SIZE, t, reals(x, schedule.n_states))
    settle(schedule.switches, t, x, 0, 1)


@kernel
def put(series, t):
    """Write the row valid from the time t on."""
    series.present = piece_at(series.starts, t, series.present)
    row, target = series.rows[series.present], series.target
    for k in range(series.width):
        target[k] = row[k]


@kernel
def evaluate(law, series, t, x):
    """Record what a law returns if this is one of its times, and write what is valid now.

    The row after it, which is read before it is computed where two times are one instant, keeps the values.
    """
    if law.length == 0:
        return
    law.present = piece_at(law.times, t, law.present)
    k, values = law.present, law.values
    if law.times[k] != t:
        return
    call_flow(law.law, t, x, law.parameters, values)
    for i in range(law.width):
        one = series_at(series + (law.first + i) * SERIES_SIZE)
        one.rows[k + 1][0] = values[i]
        if k + 2 < one.length:
            one.rows[k + 2][0] = values[i]
        put(one, t)


@kernel
def piece_at(starts, t, before):
    """The last entry that is not above t; 0 where all are. It is sought from an earlier one on, `before`."""
    k = before
    while k + 1 < starts.size and starts[k + 1] <= t:
        k += 1
    return k
