"""Frictional contact of several bodies at once: complementarity and Coulomb's law with its round cone.

    U = G P + b,    0 <= P_N - a _|_ U_N >= 0,    |P_T| <= mu P_N,    P_T = -mu P_N U_T/|U_T| where U_T != 0

for each contact, G = W^T M^-1 W. The least normal impulse a >= 0 is zero in an impact and for the forces of closed
contacts, and what comes back of compression in Poisson's expansion. Solved for are the impulses beyond the least ones,
from the velocities that these give: the cone is moved along its axis, |P_T| <= mu (a + P_N).

Each contact is scaled by one factor for its three components, so that its cone is unchanged: P = s p, u = s U with
s = 1/sqrt(mean of the diagonal of its block of G).

Newton's method from the least impulses solves nearly all problems in a few steps. Where it does not, projected
gradients lead to the neighbourhood of a solution (`cone_gradient_kernel`), from which Newton's method with a small
compliance reaches it (`cone_stiff_kernel`). For the few problems that remain, continuation from compliant contacts
follows (`cone_continuation_kernel`). For every solver, the residual of the law is computed anew with the original
matrix and rates.
"""

import math
from typing import NamedTuple

from sympact.contact.cone.cone_continuation_kernel import follow
from sympact.contact.cone.cone_gradient_kernel import begin_descent, descend
from sympact.contact.cone.cone_min_norm_kernel import minimize_norm
from sympact.contact.cone.cone_newton_kernel import newton
from sympact.contact.cone.cone_residual_kernel import (
    BEST,
    FULL,
    LEAST,
    LINE,
    MU,
    NEAR,
    SIZE,
    TRIAL,
    VOID,
    WAY,
    B,
    Cone,
    P,
    U,
    add_least,
    copy,
    follow_lines,
    measure,
    move,
)
from sympact.contact.cone.cone_single_kernel import friction_under_least, solve_local
from sympact.contact.cone.cone_stiff_kernel import newton_compliant
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import ALONE, DESCENDED, FOLLOWED, NEWTON, NOTHING
from sympact.contact.memory.contact_tolerances import (
    ANSWER_ROUNDING,
    CONE_ACCEPTED,
    IMPULSE_ROUNDINGS,
    IMPULSES_LOST,
    MOTION_ROUNDING,
)
from sympact.contact.memory.solvers import CONE_VECTORS
from sympact.native.kernel import kernel
from sympact.native.pointer import leading, leading2
from sympact.native.rounding import EPS

__all__ = ["ConeProblem", "solve_cone"]

STEPS = 30  # of Newton's method
FRESH = 12  # of them, from zero impulses, that use the shortest impulses, not the shortest step
DESCENTS = 4  # rounds of projected gradients, each followed by Newton's method
FIRST_DESCENT = 20  # steps of the first
LONGER = 3  # the factor of the steps of each further one
STIFF_STEPS = 16  # of Newton's method with a small compliance after each
PATHS = 8  # one after the other, each from another centre
PULL = 0.3  # the difference of later centres from the best impulses so far, relative to their residual


class ConeProblem(NamedTuple):
    """A problem of n contacts, three rows each: normal, tangent 1, tangent 2. All memory is the caller's.

    Attributes
    ----------
    delassus : (K, K), K >= 3 n
        G, symmetric and positive semidefinite; it may be singular.
    rate : (3n,)
        b, the velocities without impulse. For an impact: (1 + e) gamma_N- and gamma_T-. With accelerations for
        velocities the impulses are forces.
    friction : (n,)
        mu >= 0.
    least : (n,)
        a >= 0, the least normal impulses.
    sliding : (n,) whole numbers
        0: Coulomb's cone. 1: slides in the direction given, P_T = -mu P_N d whatever the tangential velocity.
    direction : (n, 2)
        d, unit vectors; read where `sliding` is 1.
    impulse, after : (3n,)
        Out: P and U.
    memory : ConeMemory
    counts : SolverCounts
        Out: increased by the ways that were taken.
    report : (2,)
        Out: the largest |F| of a contact relative to the speeds of the problem (see `cone_residual_kernel`), and the
        number of the solver. |F| is at most 3e-11, or the rounding of G P where that is more, which is at most
        1e-6.
    """

    delassus: object
    rate: object
    friction: object
    least: object
    sliding: object
    direction: object
    impulse: object
    after: object
    memory: object
    counts: object
    report: object


@kernel
def solve_cone(problem, n, floor):
    """Solve the problem of the first n contacts: SOLVED, UNSOLVED or NOT_FINITE.

    `floor` is the rounding error of the rates, below which no residual can be required.
    """
    code = solve_usual(problem, n, floor)
    return solve_hard(problem, n, floor) if code == codes.UNSOLVED else code


@kernel
def solve_usual(problem, n, floor):
    """The usual solution: one contact exactly, several by Newton's method from the least impulses."""
    problem.report[0], problem.report[1] = math.inf, NOTHING
    if not all_finite(problem, n):
        return codes.NOT_FINITE
    cone = place_cone(problem, n)
    scale, floor = compare(problem, cone, n, floor)
    return solve_compared(problem, cone, n, scale, max(CONE_ACCEPTED * scale, floor))


@kernel
def solve_compared(problem, cone, n, scale, accepted):
    """The same of a scaled problem, with its largest speed and the accepted residual."""
    for k in range(3 * n):
        cone.v[P, k] = 0.0
    if not approaches(cone, n):
        return finish(problem, cone, n, scale, accepted, NOTHING)
    if n == 1 and cone.kind[0] == FULL and alone(problem, cone, scale):
        code = finish(problem, cone, n, scale, accepted, ALONE)
        if code == codes.SOLVED:
            return code
        for k in range(3 * n):
            cone.v[P, k] = 0.0
    if n == 1 and cone.kind[0] == FULL:
        problem.counts.single_missed += 1
    return attempt(problem, cone, n, scale, accepted, NEWTON)


@kernel
def solve_hard(problem, n, floor):
    """Projected gradients, then continuation from compliant contacts, where Newton's method from the least impulses has
    failed."""
    cone = place_cone(problem, n)
    scale, floor = compare(problem, cone, n, floor)
    accepted = max(CONE_ACCEPTED * scale, floor)
    if solve_from_gradients(problem, cone, n, scale, accepted) == codes.SOLVED:
        return codes.SOLVED
    best = problem.report[0]
    for k in range(3 * n):
        cone.v[BEST, k] = 0.0
    for k in range(PATHS):
        pull = 0.0 if k == 0 else PULL * scale * min(1.0, best)
        left = follow(cone, n, scale, MOTION_ROUNDING * scale, pull) / scale
        if left * scale <= tolerance(cone, n, scale, accepted):
            if attempt(problem, cone, n, scale, accepted, FOLLOWED) == codes.SOLVED:
                problem.counts.recentred += 1 if k > 0 else 0
                return codes.SOLVED
            left = problem.report[0]
        best = min(best, left)
    problem.report[0] = best
    return codes.UNSOLVED


@kernel
def solve_from_gradients(problem, cone, n, scale, accepted):
    """Newton's method from the neighbourhood of a solution, to which projected gradients lead; SOLVED or UNSOLVED."""
    largest, theta = begin_descent(cone, n)
    best, steps = problem.report[0], FIRST_DESCENT
    for _ in range(DESCENTS if largest > 0.0 else 0):
        theta = descend(cone, n, largest, theta, steps)
        copy(cone, NEAR, P, 3 * n)
        left = newton_compliant(cone, n, scale, MOTION_ROUNDING * scale, STIFF_STEPS)
        if left <= tolerance(cone, n, scale, accepted):
            if attempt(problem, cone, n, scale, accepted, DESCENDED) == codes.SOLVED:
                return codes.SOLVED
            left = problem.report[0] * scale
        best = min(best, left / scale)
        steps *= LONGER
    problem.report[0] = best
    return codes.UNSOLVED


@kernel
def attempt(problem, cone, n, scale, accepted, solver):
    """Newton's method from the impulses in p; SOLVED, or UNSOLVED with the residual in the report."""
    miss = newton(cone, n, scale, ANSWER_ROUNDING * scale, STEPS, FRESH if solver == NEWTON else 0)
    if miss <= tolerance(cone, n, scale, accepted):
        return finish(problem, cone, n, scale, accepted, solver)
    problem.report[0] = miss / scale if scale > 0.0 else miss
    return codes.UNSOLVED


@kernel
def tolerance(cone, n, scale, accepted):
    """The |F| of an accepted solution: the tolerance, or the rounding of G P where impulses are large; -1 if none is.

    One part in 1e16 of the impulses exceeds the tolerance where they are a million times as large as their effect, as
    near self-locking or with a nearly massless part. Where moving surfaces close in, unbounded impulses would look like
    a solution, because all else is lost in their rounding: that of G P, or in F that of P, whose normal
    part may move nothing.
    """
    largest, impulse = 0.0, 0.0
    copy(cone, P, TRIAL, 3 * n)
    add_least(cone, n, TRIAL)
    for i in range(3 * n):
        s = 0.0
        for k in range(3 * n):
            s += abs(cone.g[i, k] * cone.v[TRIAL, k])
        largest, impulse = max(largest, s), max(impulse, abs(cone.v[TRIAL, i]))
    rounding, lost = IMPULSE_ROUNDINGS * EPS * largest, EPS * impulse
    return max(accepted, rounding) if max(rounding, lost) <= max(accepted, IMPULSES_LOST * scale) else -1.0


@kernel
def all_finite(problem, n):
    """True when no number of the problem is infinite or NaN."""
    s = 0.0
    for i in range(3 * n):
        s += 0.0 * problem.rate[i]
        for k in range(3 * n):
            s += 0.0 * problem.delassus[i, k]
    for i in range(n):
        s += 0.0 * problem.friction[i] + 0.0 * problem.least[i]
        if problem.sliding[i] != 0:
            s += 0.0 * (problem.direction[i, 0] + problem.direction[i, 1])
    return s == 0.0


@kernel
def place_cone(problem, n):
    """The scaled problem, in the caller's memory."""
    size, memory = 3 * n, problem.memory
    return Cone(
        memory.g,
        memory.a,
        leading2(memory.v, CONE_VECTORS, size),
        memory.rest,
        leading(memory.kind, n),
        leading(memory.status, n),
        leading(memory.unknown, size),
        leading(memory.order, size),
        memory.table,
        leading(memory.places, size + 1),
    )


@kernel
def compare(problem, cone, n, floor):
    """Scale the contacts; returns the largest speed, and the largest rounding error, in the new units.

    The speeds are those with the least impulses, and the largest of these, as it is a speed in these units.
    """
    g, least, largest = problem.delassus, 0.0, 0.0
    for i in range(n):
        classify(problem, cone, i)
        if cone.kind[i] != VOID:
            largest = max(largest, floor * cone.v[SIZE, i])
            least = max(least, cone.v[LEAST, i])
    for i in range(3 * n):
        s = cone.v[SIZE, i // 3]
        cone.v[B, i] = s * problem.rate[i]
        for k in range(3 * n):
            cone.g[i, k] = s * g[i, k] * cone.v[SIZE, k // 3]
    if least > 0.0:
        give_least(cone, n)
    scale = least
    for i in range(3 * n):
        if cone.kind[i // 3] != VOID:
            scale = max(scale, abs(cone.v[B, i]))
    return scale, max(largest, floor if scale == 0.0 else 0.0)


@kernel
def give_least(cone, n):
    """The velocities without impulse become those with the least impulses."""
    for k in range(3 * n):
        cone.v[TRIAL, k] = 0.0
    add_least(cone, n, TRIAL)
    for i in range(3 * n):
        for k in range(3 * n):
            cone.v[B, i] += cone.g[i, k] * cone.v[TRIAL, k]


@kernel
def unit_of(g, i):
    """The unit of the impulse of contact i, 1/sqrt(mean of the diagonal of its block of G); 1 where that is zero."""
    entries, total = 0, 0.0
    for k in range(3 * i, 3 * i + 3):
        if g[k, k] > 0.0:
            entries += 1
            total += g[k, k]
    return math.sqrt(entries / total) if entries > 0 else 1.0


@kernel
def classify(problem, cone, i):
    """The kind, the unit, the friction and the least impulse of a contact."""
    g, o = problem.delassus, 3 * i
    moves = g[o, o] > 0.0 or g[o + 1, o + 1] > 0.0 or g[o + 2, o + 2] > 0.0
    cone.kind[i] = VOID if not moves else (FULL if problem.sliding[i] == 0 and problem.friction[i] > 0.0 else LINE)
    cone.v[SIZE, i] = unit_of(g, i)
    cone.v[LEAST, i] = problem.least[i] / cone.v[SIZE, i]
    cone.v[MU, i], cone.v[WAY, 2 * i], cone.v[WAY, 2 * i + 1] = problem.friction[i], 0.0, 0.0
    if problem.sliding[i] != 0:
        cone.v[WAY, 2 * i], cone.v[WAY, 2 * i + 1] = problem.direction[i, 0], problem.direction[i, 1]
    else:
        cone.v[MU, i] = problem.friction[i] if cone.kind[i] == FULL else 0.0


@kernel
def approaches(cone, n):
    """Whether a contact approaches with the least impulses, or has friction under them."""
    lowest, rubs = 0.0, False
    for i in range(n):
        lowest = min(lowest, cone.v[B, 3 * i])
        rubs = rubs or (cone.kind[i] == FULL and cone.v[LEAST, i] > 0.0)
    return lowest < 0.0 or rubs


@kernel
def alone(problem, cone, scale):
    """One contact with Coulomb's cone; the impulse is kept if it satisfies the law.

    Where the least impulse is enough, that is the answer; else the contact pushes with more and does not leave.
    """
    v, out, least = cone.v, cone.rest, cone.v[LEAST, 0]
    if least > 0.0:
        v[P, 1], v[P, 2] = friction_under_least(cone, 0)
        move(cone, 1, P, U)
        if measure(cone, 1, P, U, 0.0) <= ANSWER_ROUNDING * scale:
            return True
    b, s = problem.rate, v[SIZE, 0]
    out[3] = out[4] = 0.0
    miss, by_roots = solve_local(cone, 0, s * b[0], s * b[1], s * b[2], out)
    problem.counts.quartic += by_roots
    for k in range(3):
        v[P, k] = out[k]
    v[P, 0] -= least
    return miss <= ANSWER_ROUNDING * scale


@kernel
def finish(problem, cone, n, scale, accepted, solver):
    """The minimum-norm impulses of this motion, in the original units, and the residual with the original matrix."""
    move(cone, n, P, U)
    minimize_norm(problem.counts, cone, n, scale)
    clip(cone, n)
    copy(cone, P, TRIAL, 3 * n)
    add_least(cone, n, TRIAL)
    for i in range(3 * n):
        problem.impulse[i] = cone.v[TRIAL, i] * cone.v[SIZE, i // 3]
    for i in range(3 * n):
        s = problem.rate[i]
        for k in range(3 * n):
            s += problem.delassus[i, k] * problem.impulse[k]
        problem.after[i] = s
        cone.v[U, i] = s * cone.v[SIZE, i // 3]
    miss = measure(cone, n, P, U, 0.0)
    problem.report[0] = miss / scale if scale > 0.0 else miss
    problem.report[1] = solver
    return codes.SOLVED if miss <= tolerance(cone, n, scale, accepted) else codes.UNSOLVED


@kernel
def clip(cone, n):
    """Impulses that leave their cone by rounding are projected onto it."""
    v = cone.v
    for i in range(n):
        o = 3 * i
        v[P, o] = max(v[P, o], 0.0)
        if cone.kind[i] == FULL:
            length, edge = math.hypot(v[P, o + 1], v[P, o + 2]), v[MU, i] * (v[LEAST, i] + v[P, o])
            if length > edge:
                v[P, o + 1], v[P, o + 2] = edge / length * v[P, o + 1], edge / length * v[P, o + 2]
    follow_lines(cone, n, P)
