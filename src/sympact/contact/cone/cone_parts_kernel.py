"""A cone problem in parts: contacts that have no body in common, directly or by others, are solved by themselves.

G has no entries between them, so that the impulses of all parts together are a solution of the whole problem. A part
that nothing approaches has no impulses. Speeds of all parts are compared with the largest speed of the whole problem.
"""

from sympact.contact.cone.cone_kernel import (
    ConeProblem,
    all_finite,
    compare,
    place_cone,
    solve_compared,
    solve_usual,
)
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_codes import ALONE, DESCENDED, FOLLOWED, NEWTON
from sympact.contact.memory.contact_tolerances import CONE_ACCEPTED
from sympact.native.kernel import kernel


@kernel
def solve_in_parts(problem, parts, n, floor):
    """The usual solution of each part: SOLVED, UNSOLVED or NOT_FINITE; counts the solvers of the parts solved."""
    if n == 1 or not all_finite(problem, n) or find_parts(problem, parts, n) == 1:
        code = solve_usual(problem, n, floor)
        if code == codes.SOLVED:
            count_solver(problem.counts, problem.report[1])
        return code
    scale, floor = compare(problem, place_cone(problem, n), n, floor)
    own, worst, hardest = part_problem(problem, parts), 0.0, 0.0
    for first in range(n):
        if parts.part[first] != first:
            continue
        count = take_part(problem, parts, first, n)
        cone = place_cone(own, count)
        compare(own, cone, count, 0.0)
        if solve_compared(own, cone, count, scale, max(CONE_ACCEPTED * scale, floor)) != codes.SOLVED:
            return codes.UNSOLVED
        count_solver(problem.counts, problem.report[1])
        worst, hardest = max(worst, problem.report[0]), max(hardest, problem.report[1])
        give_part(problem, parts, count)
    problem.report[0], problem.report[1] = worst, hardest
    return codes.SOLVED


@kernel
def count_solver(counts, solver):
    """Count the solver of a problem that is solved."""
    if solver == ALONE:
        counts.single += 1
    elif solver == NEWTON:
        counts.newton += 1
    elif solver == DESCENDED:
        counts.descended += 1
    elif solver == FOLLOWED:
        counts.continuation += 1


@kernel
def find_parts(problem, parts, n):
    """The part of each contact, named by its first one; returns how many parts there are."""
    part, g, count = parts.part, problem.delassus, n
    for i in range(n):
        part[i] = i
    for i in range(n):
        for k in range(i):
            if part[k] != part[i] and are_coupled(g, i, k):
                count -= 1
                low, high = min(part[i], part[k]), max(part[i], part[k])
                for j in range(n):
                    part[j] = low if part[j] == high else part[j]
    return count


@kernel
def are_coupled(g, i, k):
    """Whether an impulse of contact k changes a velocity of contact i."""
    coupled = False
    for a in range(3):
        for b in range(3):
            coupled = coupled or g[3 * i + a, 3 * k + b] != 0.0
    return coupled


@kernel
def part_problem(problem, parts):
    """The problem of a part in the form of the solvers; memory, counts and report are those of the whole problem."""
    return ConeProblem(
        parts.delassus,
        parts.rate,
        parts.friction,
        parts.least,
        parts.sliding,
        parts.direction,
        parts.impulse,
        parts.after,
        problem.memory,
        problem.counts,
        problem.report,
    )


@kernel
def take_part(problem, parts, first, n):
    """The contacts of a part into the memory of parts; returns how many there are."""
    places, count = parts.places, 0
    for i in range(first, n):
        if parts.part[i] == first:
            places[count] = i
            count += 1
    take_places(problem, parts, count)
    return count


@kernel
def take_places(problem, parts, count):
    """The contacts listed in `places` into the memory of parts."""
    places = parts.places
    for i in range(count):
        j = places[i]
        parts.friction[i], parts.least[i] = problem.friction[j], problem.least[j]
        parts.sliding[i] = problem.sliding[j]
        for a in range(2):
            parts.direction[i, a] = problem.direction[j, a]
        for a in range(3):
            parts.rate[3 * i + a] = problem.rate[3 * j + a]
            for k in range(count):
                for b in range(3):
                    parts.delassus[3 * i + a, 3 * k + b] = problem.delassus[3 * j + a, 3 * places[k] + b]


@kernel
def give_part(problem, parts, count):
    """The impulses and velocities of a part to the whole problem."""
    for i in range(count):
        for a in range(3):
            problem.impulse[3 * parts.places[i] + a] = parts.impulse[3 * i + a]
            problem.after[3 * parts.places[i] + a] = parts.after[3 * i + a]
