"""Dead points: contacts whose slip is slow only because their directions are nearly dependent there.

The accelerations without forces b have a part outside the range of A, nu . b for each null direction nu, that no force
changes. It accelerates the slip whatever the friction, so that the contact slides in that direction at once. Where the
forces that keep its gap closed then increase its approach (nu within the cone and nu . b < 0) there is no motion.

Where directions are dependent all along the motion nu . b is zero but for rounding. It is removed from b: near
self-locking forces would amplify it beyond the tolerance of a solution, and a self-locking contact, nu within its cone,
would not stick.
"""

import math

from sympact.contact.linalg.rank_kernel import decide, outside
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.closed_friction_kernel import constrained_rank
from sympact.contact.problem.slip_kernel import constrained_acceleration, take_friction
from sympact.native.kernel import kernel


def slide_at_dead_points(data):
    """In the last problem of forces, contacts without a sticking force slide in the direction of acceleration; how
    many."""
    contacts = contacts_at(data)
    problem = contacts.problem
    left, found = find_outside(contacts), 0
    for i in range(problem.count):
        found += slide(contacts, i, left[3 * i + 1], left[3 * i + 2])
    return found


@kernel
def find_outside(contacts):
    """The part of the assembled accelerations that is outside the range of A."""
    problem = contacts.problem
    m, count = problem.n_u, problem.count
    rank, rows = constrained_rank(contacts, 3 * count), problem.scaled_rows
    for k in range(3 * count):
        rank.group[k] = k // 3
        for c in range(m):
            rank.rows[k, c] = rows[k, c]
    decide(rank)
    left = problem.constrained_bounds
    outside(rank, problem.cone_rate, left)
    return left


@kernel
def take_rounding(contacts):
    """Remove the part outside the range from the assembled accelerations, if it is rounding."""
    problem = contacts.problem
    left, rate, total = find_outside(contacts), problem.cone_rate, 0.0
    for k in range(3 * problem.count):
        total += left[k] * left[k]
    if math.sqrt(total) <= constrained_acceleration(contacts):
        for k in range(3 * problem.count):
            rate[k] -= left[k]


@kernel
def slide(contacts, i, a, b):
    """Participant i slides along its acceleration (a, b) if it was to stick and that exceeds rounding; 1 or 0."""
    problem = contacts.problem
    length = math.sqrt(a * a + b * b)
    sliding, mu = problem.slides, problem.coefficient
    direction = problem.direction
    if sliding[i] == 1 or mu[i] == 0.0 or not length > constrained_acceleration(contacts):
        return 0
    sliding[i], direction[i, 0], direction[i, 1] = 1, a / length, b / length
    take_friction(contacts, i, False)
    return 1
