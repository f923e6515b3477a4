"""Series of numbers that change at given times, such as the pieces of data; `schedule` describes the table."""

from sympact.integrate.problem import schedule as at
from sympact.integrate.search.switch_kernel import settle
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, wholes


def set_pieces(t, x, data, out):
    """Write what holds from the time t on, and bring the switches to the sides that their margins then have."""
    count = wholes(data, at.FIRST)[at.COUNT]
    table = wholes(data, at.FIRST + count * at.WIDTH)
    for i in range(count):
        place = at.FIRST + i * at.WIDTH
        starts = reals(table[place + at.STARTS], table[place + at.LENGTH])
        wide = table[place + at.WIDE]
        row = reals(table[place + at.ROWS] + 8 * wide * piece_at(starts, t), wide)
        target = reals(table[place + at.TARGET], wide)
        for k in range(wide):
            target[k] = row[k]
    settle(table[at.SWITCHES], t, x, 0, 1)


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
