"""Painleve's paradox: a contact that slips and that no force holds, and the impact that friction makes of it."""

import math

from sympact.contact import layout as at
from sympact.contact.pose_kernel import time_scale
from sympact.contact.slip_kernel import VELOCITY, along_tangents
from sympact.integrate.pointer import reals, reals2, wholes
from sympact.integrate.unit import kernel

NOTHING = 1e-9  # of the speeds: the approach that stands for none where friction makes an impact


@kernel
def jammed(table):
    """True when a contact that slips is pressed the harder the more it pushes: no force holds it (Painleve)."""
    n, found = table[at.N_C], False
    for i in range(table[at.COUNT] if table[at.RUB] != 0 else 0):
        sliding, mu = wholes(table[at.SLIDING], n), reals(table[at.COEFFICIENT], n)
        direction, delassus = reals2(table[at.DIRECTION], n, 2), reals2(table[at.DELASSUS], 3 * n, 3 * n)
        drag = direction[i, 0] * delassus[3 * i, 3 * i + 1] + direction[i, 1] * delassus[3 * i, 3 * i + 2]
        found = found or (sliding[i] == 1 and delassus[3 * i, 3 * i] <= mu[i] * drag)
    return found


@kernel
def approach_by_nothing(table):
    """Pose an impact of the contacts asked last, none of which approaches by more than rounding: friction makes it."""
    n = table[at.N_C]
    rate, after, e = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n), reals(table[at.RESTITUTION], n)
    uncertain, who = reals(table[at.UNCERTAIN], n), wholes(table[at.WHO], n)
    speed = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH] / time_scale(table)
    for i in range(table[at.COUNT]):
        a, b = along_tangents(table, who[i], VELOCITY)
        speed = max(speed, math.sqrt(a * a + b * b))
    for i in range(table[at.COUNT]):
        rate[i] = after[i] = -NOTHING * speed
        uncertain[i] = e[i] = 0.0
