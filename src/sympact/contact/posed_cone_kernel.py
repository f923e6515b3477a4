"""The problem on the cone that stands in a `ContactData` table, solved: the one unit that holds the cone's solvers."""

from sympact.contact import layout as at
from sympact.contact.cone_kernel import ConeProblem, solve_cone
from sympact.integrate.pointer import reals, reals2, wholes


def solve_on_cone(data):
    """Solve the problem whose Delassus matrix and rates are posed; impulses into CONE_IMPULSE."""
    table = wholes(data, at.SIZE)
    n, count = table[at.N_C], table[at.COUNT]
    uncertain, floor = reals(table[at.UNCERTAIN], n), 0.0
    for i in range(count):
        floor = max(floor, uncertain[i])
    problem = ConeProblem(
        reals2(table[at.DELASSUS], 3 * n, 3 * n), reals(table[at.CONE_RATE], 3 * n), reals(table[at.COEFFICIENT], n),
        wholes(table[at.SLIDING], n), reals2(table[at.DIRECTION], n, 2), reals(table[at.CONE_IMPULSE], 3 * n),
        reals(table[at.CONE_AFTER], 3 * n), reals(table[at.CONE_SCRATCH], table[at.CONE_SCRATCH_SIZE]),
        wholes(table[at.CONE_PLACES], table[at.CONE_PLACES_SIZE]), reals(table[at.CONE_REPORT], 2),
    )
    return solve_cone(problem, count, floor)
