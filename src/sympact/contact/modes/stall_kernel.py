"""Unbounded forces, where no step is small enough: the inverse mass with friction vanishes.

As s goes to zero, s the number of `painleve_kernel`, forces grow as 1/s. Where they turn the slip towards that point, s
decreases as the root of the remaining time, and its last part lies between two floating-point numbers. Along its
tangent, which the state a little later determines, s is zero after twice the remaining time.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import AT_ZERO
from sympact.contact.problem.closed_friction_kernel import constrain_with_friction
from sympact.contact.problem.closed_kernel import hand_over, table_at
from sympact.contact.problem.determinant_ratio_kernel import left_by_friction
from sympact.integrate.memory.run_codes import BY_VALUES
from sympact.native.kernel import kernel
from sympact.native.pointer import leading, reals
from sympact.native.rounding import EPS

STEPS = 1024.0  # roundings of the time: a smallest step, of 16, is too long within some 100 of the singular point


def stop_at_no_bound(t, x, data, out):
    """Mark with -1 the slipping contacts with nearly zero s, whose forces count as unbounded there.

    The last step may end a little beyond the zero of s, so that either sign is possible.
    """
    contacts, size = table_at(data)
    mode = contacts.mode
    n, nb = mode.n_contacts, mode.n_boundaries
    marks, active, status = reals(out, nb), mode.watched, mode.status
    for k in range(nb):
        marks[k] = 1.0
    total = constrain_with_friction(contacts, t, reals(x, size), True)
    if total < 0:
        return
    left = left_by_friction(contacts, total)
    if left < AT_ZERO or soon(contacts, t, reals(x, size)) <= 0.0:
        mode.singular_ratio = abs(left) if left > -AT_ZERO else 0.0
        for j in range(n):
            if status[j] == codes.SLIP and active[j] == BY_VALUES:
                marks[j] = -1.0


@kernel
def soon(contacts, t, x):
    """s at the end of the tangent of the motion, STEPS roundings of the time later; infinite where it is
    undetermined."""
    problem = contacts.problem
    ahead, later = STEPS * EPS * abs(t), leading(problem.later_state, x.size)
    constrain_with_friction(contacts, t, x, False)
    hand_over(contacts, later)
    for k in range(x.size):
        later[k] = x[k] + ahead * later[k]
    total = constrain_with_friction(contacts, t + ahead, later, True)
    return left_by_friction(contacts, total) if total >= 0 else math.inf
