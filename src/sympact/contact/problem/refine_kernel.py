"""Iterative refinement of the speeds after an impact beyond the rounding of its impulses.

One part in 1e16 of an impulse moves a nearly massless part by more than rounding. The components that the law
constrains, gap rates of contacts with an impulse and slips of sticking ones, are then corrected by small impulses. They
are added to the motion and to the impulses, where most of them are lost in rounding; near a dead point their effect is
small but they are not.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory.contact_tolerances import BEYOND_ERROR
from sympact.contact.problem.frictionless_kernel import measure_change
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2


@kernel
def refine(contacts, count, rate, boundless):
    """Correct `motion` and `change` of the impact whose velocities without impulse are `rate`.

    `boundless` states that no coefficient bounds the friction of a contact that has one.
    """
    problem = contacts.problem
    m = problem.n_u
    held, size = problem.refine.constrained, list_constrained(contacts, count, rate, boundless)
    if size == 0:
        return
    g, lines = problem.delassus, problem.lines
    scaled_rows, motion = problem.scaled_rows, problem.motion
    change, who, memory = problem.change, problem.participants, problem.refine
    impulse = problem.cone_impulse
    rows, right, weight, found = leading2(memory.rows, size, size), memory.right, memory.weight, memory.found
    for r in range(size):
        k = held[r]
        right[r], weight[r] = -rate[k] - dot(lines, 3 * who[k // 3] + k % 3, change, m), 1.0
        for c in range(size):
            rows[r, c] = g[k, held[c]]
    least_norm(rows, size, size, right, weight, found, memory.scratch, memory.order)
    for r in range(size):
        impulse[held[r]] += found[r]
        for k in range(m):
            motion[k] += found[r] * scaled_rows[held[r], k]
    measure_change(contacts, count)


@kernel
def list_constrained(contacts, count, rate, boundless):
    """The components that the law constrains, among the participants' three each; returns how many."""
    problem = contacts.problem
    size = 0
    held, impulse = problem.refine.constrained, problem.cone_impulse
    mu, sliding = problem.coefficient, problem.slides
    g, lines = problem.delassus, problem.lines
    change, who = problem.change, problem.participants
    for i in range(count):
        o = 3 * i
        if not impulse[o] * g[o, o] > abs(rate[o] + dot(lines, 3 * who[i], change, problem.n_u)):
            continue
        solve_with_large_friction = (
            math.hypot(impulse[o + 1], impulse[o + 2]) < (1.0 - BEYOND_ERROR) * mu[i] * impulse[o]
        )
        sticks = mu[i] > 0.0 and sliding[i] == 0 and (boundless or solve_with_large_friction)
        for k in range(3 if sticks else 1):
            if g[o + k, o + k] > 0.0:
                held[size] = o + k
                size += 1
    return size
