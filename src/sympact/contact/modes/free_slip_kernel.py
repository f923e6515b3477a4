"""The directions in which a contact can slip: a mechanism may leave it only one, whatever the friction."""

import math

from sympact.contact.memory.contact_tolerances import RANK
from sympact.contact.problem.assemble_kernel import scale_rows
from sympact.contact.problem.closed_friction_kernel import write_force_row
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2


@kernel
def along_free_slip(contacts, rank, j, a, b):
    """The part of (a, b) along the only direction in which contact j can slip while all in `rank` is constrained.

    (a, b) itself where it can slip in all directions, or in none.
    """
    problem = contacts.problem
    m = problem.n_u
    free, p, q, w = leading2(problem.force_rows, 2, m), 0.0, 0.0, 0.0
    for r in range(2):
        write_force_row(contacts, r, 0.0, j, 1.0 - r, 1.0 * r)
    scale_rows(contacts, free, 0, 2)
    for r in range(2):
        less_constrained(rank, free, r, m)
    for c in range(m):
        p, q, w = p + free[0, c] ** 2, q + free[1, c] ** 2, w + free[0, c] * free[1, c]
    angle, long, short = 0.5 * math.atan2(2.0 * w, p - q), 0.0, 0.0
    x, y = math.cos(angle), math.sin(angle)
    for c in range(m):
        long += (x * free[0, c] + y * free[1, c]) ** 2
        short += (x * free[1, c] - y * free[0, c]) ** 2
    along = a * x + b * y
    return (along * x, along * y) if short <= RANK**2 * long and along != 0.0 else (a, b)


@kernel
def less_constrained(rank, rows, r, m):
    """Row r less its projection on the directions in `rank`, computed twice for accuracy."""
    for _ in range(2):
        for k in range(rank.count[0]):
            s = 0.0
            for c in range(m):
                s += rank.q[k, c] * rows[r, c]
            for c in range(m):
                rows[r, c] -= s * rank.q[k, c]
