"""Of several solutions of an impact, the one in which contacts that do not approach have no impulse, if they need none.

With large friction Coulomb's law for several contacts may have several solutions. A wheel that rolls against a kerb
leaves the road; it also satisfies the law where the friction impulses of kerb and road wedge it. Contacts that do not
approach have no impulse at first: the approaching ones are solved alone, and contacts that approach by their impulses
join, until none does. Where that ends with less contacts than the solution at hand has, and in another motion, it
is taken.
"""

from sympact.contact.cone.cone_kernel import compare, place_cone, solve_usual, unit_of
from sympact.contact.cone.cone_parts_kernel import count_solver, part_problem, take_places
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import BEYOND_ERROR, CONE_ACCEPTED
from sympact.native.kernel import kernel

JOINED, APART = 1, 0  # in `ConePartMemory.part`


@kernel
def prefer_unloaded(problem, parts, n, floor, code):
    """Replace the solution, if `code` says that there is one, by that with the fewest contacts; the code after it."""
    scale, error = compare(problem, place_cone(problem, n), n, floor)
    accepted, joined = max(CONE_ACCEPTED * scale, error), parts.part
    for i in range(n):
        approaches = unit_of(problem.delassus, i) * problem.rate[3 * i] < -accepted
        joined[i] = JOINED if approaches or problem.least[i] > 0.0 else APART
    own = part_problem(problem, parts)
    solver, residual, counts = problem.report[1], problem.report[0], problem.counts
    kept = (counts.quartic, counts.single_missed, counts.within_cones, counts.partly)
    while joins_fewer(problem, parts, n, code):
        count = list_joined(parts, n)
        take_places(problem, parts, count)
        if count > 0 and solve_usual(own, count, floor) != codes.SOLVED:
            break
        if add_approaching(problem, parts, n, count, accepted):
            continue
        if code == codes.SOLVED and not differs(problem, parts, n, count, BEYOND_ERROR * scale):
            break
        give_joined(problem, parts, n, count)
        if code == codes.SOLVED:
            counts.unloaded += 1
        else:
            count_solver(counts, problem.report[1])
        return codes.SOLVED
    problem.report[0], problem.report[1] = residual, solver
    counts.quartic, counts.single_missed, counts.within_cones, counts.partly = kept
    return code


@kernel
def joins_fewer(problem, parts, n, code):
    """Whether a contact with an impulse, and friction, has not joined; without a solution, whether any has not."""
    found = False
    for i in range(n):
        loaded = code != codes.SOLVED or (problem.impulse[3 * i] > 0.0 and problem.friction[i] > 0.0)
        found = found or (loaded and parts.part[i] == APART)
    return found


@kernel
def list_joined(parts, n):
    """The contacts that have joined, into `places`; returns how many there are."""
    count = 0
    for i in range(n):
        if parts.part[i] == JOINED:
            parts.places[count] = i
            count += 1
    return count


@kernel
def velocity_after(problem, parts, count, row):
    """A velocity of the whole problem after the impulses of the contacts that have joined."""
    s = problem.rate[row]
    for k in range(count):
        o = 3 * parts.places[k]
        for a in range(3):
            s += problem.delassus[row, o + a] * parts.impulse[3 * k + a]
    return s


@kernel
def add_approaching(problem, parts, n, count, accepted):
    """Contacts that approach by the impulses of the others join; whether any did."""
    found = False
    for i in range(n):
        if parts.part[i] == APART:
            after = unit_of(problem.delassus, i) * velocity_after(problem, parts, count, 3 * i)
            if after < -accepted:
                parts.part[i], found = JOINED, True
    return found


@kernel
def differs(problem, parts, n, count, least):
    """Whether the motion after is another than that of the solution at hand, by more than `least` in any velocity."""
    found = False
    for row in range(3 * n):
        change = velocity_after(problem, parts, count, row) - problem.after[row]
        found = found or abs(change) * unit_of(problem.delassus, row // 3) > least
    return found


@kernel
def give_joined(problem, parts, n, count):
    """The impulses of the contacts that have joined, and all velocities after them, to the whole problem."""
    for row in range(3 * n):
        problem.after[row], problem.impulse[row] = velocity_after(problem, parts, count, row), 0.0
    for k in range(count):
        for a in range(3):
            problem.impulse[3 * parts.places[k] + a] = parts.impulse[3 * k + a]
