"""The same closed contacts again, in a state a little later: Newton's method from the answer of the problem before.

Near its answer the statuses of the contacts are known, so that one or two steps suffice, where a cold start takes some
ten with a line search each. The forces after it are the shortest of their motion, as they are after a cold start.

The caller keeps the answer (`ConeCall`). Runs keep none: where the problem has several solutions, the answer would
depend on the states tried before. Where the last answer does not lead to one in which the same contacts have forces,
the problem is solved as any other. (Whether they stick or slip is no such sign: the shortest forces of a contact that
sticks are often at the edge of its cone.)
"""

from sympact.contact.cone.cone_kernel import all_finite, approaches, compare, finish, place_cone
from sympact.contact.cone.cone_newton_kernel import newton
from sympact.contact.cone.cone_residual_kernel import OPEN, SIZE, P, U, measure, move
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import NEWTON
from sympact.contact.memory.contact_tolerances import ANSWER_ROUNDING, CONE_ACCEPTED, MOTION_ROUNDING
from sympact.native.kernel import kernel

AGAIN = 5  # steps of Newton's method


@kernel
def continues_last(contacts):
    """Whether the problem continues that of the answer kept, with several participants in the same modes."""
    mode, problem = contacts.mode, contacts.problem
    status, last = mode.statuses, problem.last_status
    same = problem.continues == 1 and problem.count > 1 and problem.count == problem.last_count
    for j in range(problem.n_contacts):
        same = same and status[j] == last[j]
    return same


@kernel
def solve_again(problem, n, floor, last):
    """Solve from the forces of the last answer, of contacts without least ones: SOLVED, or UNSOLVED."""
    if not all_finite(problem, n):
        return codes.UNSOLVED
    cone = place_cone(problem, n)
    scale, floor = compare(problem, cone, n, floor)
    if not approaches(cone, n):
        return codes.UNSOLVED
    for k in range(3 * n):
        cone.v[P, k] = last[k] / cone.v[SIZE, k // 3]
    move(cone, n, P, U)
    measure(cone, n, P, U, -ANSWER_ROUNDING * scale)
    before = problem.memory.last_status
    for i in range(n):
        before[i] = cone.status[i]
    if newton(cone, n, scale, ANSWER_ROUNDING * scale, AGAIN, 0) > MOTION_ROUNDING * scale:
        return codes.UNSOLVED
    for i in range(n):
        if (before[i] == OPEN) != (cone.status[i] == OPEN):
            return codes.UNSOLVED
    return finish(problem, cone, n, scale, max(CONE_ACCEPTED * scale, floor), NEWTON)
