"""The problem on the cone that stands in a `ContactData` table, solved: the units that hold the cone's solvers."""

from sympact.contact.cone.cone_kernel import ConeProblem, solve_hard, solve_usual
from sympact.contact.memory import contact_layout as at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes


def solve_on_cone(data):
    """Solve the problem whose Delassus matrix and rates are posed; impulses into CONE_IMPULSE."""
    table = wholes(data, at.SIZE)
    code = solve_usual(posed(table), table[at.COUNT], rounding(table))
    return call_unit(table[at.HARD_CONE], data) if code == at.UNSOLVED else code


def solve_hard_cone(data):
    """The same, after the usual way has failed."""
    table = wholes(data, at.SIZE)
    return solve_hard(posed(table), table[at.COUNT], rounding(table))


@kernel
def rounding(table):
    """The rounding error of the rates."""
    uncertain, floor = reals(table[at.UNCERTAIN], table[at.N_C]), 0.0
    for i in range(table[at.COUNT]):
        floor = max(floor, uncertain[i])
    return floor


@kernel
def posed(table):
    """The problem as the solvers take it."""
    n = table[at.N_C]
    return ConeProblem(
        reals2(table[at.DELASSUS], 3 * n, 3 * n),
        reals(table[at.CONE_RATE], 3 * n),
        reals(table[at.COEFFICIENT], n),
        wholes(table[at.SLIDING], n),
        reals2(table[at.DIRECTION], n, 2),
        reals(table[at.CONE_IMPULSE], 3 * n),
        reals(table[at.CONE_AFTER], 3 * n),
        reals(table[at.CONE_SCRATCH], table[at.CONE_SCRATCH_SIZE]),
        wholes(table[at.CONE_PLACES], table[at.CONE_PLACES_SIZE]),
        reals(table[at.CONE_REPORT], 2),
    )
