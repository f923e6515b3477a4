"""The participants of an impact.

Contacts that fired take part. Another contact j joins when it touches, or is predicted to touch within

    dt_s = max(64 ulp(t), 1e-12 length / v),   v = the larger approach speed of j and of those that fired,

that is when g_j <= max(64 eps length, its rounding, -gamma_j dt_s): within this time the integration does not determine
the order of two impacts. While the faster one covers 1e-12 of the length no contact moves farther than that, however
slowly the other approaches.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NO_DISTANCE
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS, ROUNDINGS


@kernel
def window(t, length, speed):
    """The time within which contacts that approach at `speed` count as simultaneous."""
    resolution = ROUNDINGS * EPS * abs(t)
    return max(resolution, NO_DISTANCE * length / speed) if speed > 0.0 else resolution


@kernel
def gather(t, length, grains, gaps, n, fired, status, who):
    """Mark the open contacts that take part in `fired`, and list all participants in `who`: closed ones always are.

    Returns their number, the window of the contact closest to joining (of those that fired, if no other approaches),
    and the time until it touches (infinite if no other approaches).
    """
    speed, nearest, least = 0.0, math.inf, math.inf
    for j in range(n):
        if fired[j] == 1 and status[j] == codes.OPEN:
            speed = max(speed, -gaps[n + j])
    shared = reported = window(t, length, speed)
    count = 0
    for j in range(n):
        approach = -gaps[n + j]
        within = window(t, length, approach) if approach > speed else shared
        touches = gaps[j] <= max(ROUNDINGS * EPS * length, grains[j], approach * within)
        if status[j] != codes.OPEN or fired[j] == 1 or touches:
            fired[j] = 1 if status[j] == codes.OPEN else fired[j]
            who[count] = j
            count += 1
        elif approach > 0.0 and gaps[j] < least * within * approach:
            least, nearest, reported = gaps[j] / approach / within, gaps[j] / approach, within
    return count, reported, nearest
