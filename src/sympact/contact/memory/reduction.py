"""The memory of directions and bases: of formulations that integrate in independent coordinates or speeds."""

from sympact.native.memory import Memory, Part, Real, Reals, Size, Whole, Wholes

__all__ = ["GRAM_SCHMIDT", "NO_BASIS", "NO_DIRECTIONS", "PIVOTS", "QR", "SVD", "TANGENTS", "Reduction"]

NO_DIRECTIONS, PIVOTS, TANGENTS = range(3)
"""`Reduction.rule`: states are not completed; along the dependent speeds; normal to the constraints at a step."""

NO_BASIS, QR, SVD, GRAM_SCHMIDT = range(4)
"""`Reduction.basis`: accelerations by multipliers, or in a basis of the null space of A, by this decomposition."""


class Reduction(Memory):
    """The directions along which a state is completed, or a basis of the motions that the constraints leave."""

    n_u = Size("speeds, m")
    n_rows = Size("constraints, K")
    rule = Whole("NO_DIRECTIONS, PIVOTS or TANGENTS")
    basis = Whole("NO_BASIS, QR, SVD or GRAM_SCHMIDT")
    growth = Real("of |A_D^-1 A_I|, at which the dependent speeds are chosen anew")
    chosen = Whole("1: the directions, or the basis, are those of the start of a step")
    chosen_at = Real("that time", unit="s")
    choices = Whole("how often the directions were chosen in the run")
    count = Whole("the number of directions, r; of basis vectors, m - r")
    entry = Real("the largest entry of A_D^-1 A_I where the dependent speeds were chosen")

    rows = Wholes(n_rows, meaning="r independent constraints")
    dependent = Wholes(n_u, meaning="1: a dependent speed")
    open = Wholes(n_u + 1, meaning="1: a column that may have a pivot")
    pivots = Wholes(n_rows, meaning="the column of the pivot of each row")
    directions = Reals(n_u, n_u, meaning="D: rows, directions of the speeds")
    table = Reals(n_rows * (n_u + n_rows + 1), meaning="a matrix that is eliminated")
    entries = Part(table, 0, n_rows, n_u, meaning="A of the independent constraints, comparable")

    reference = Reals(n_u, n_u, meaning="rows: the basis Z^T at the start of the step")
    z = Reals(n_u, n_u, meaning="rows: the basis Z^T")
    scratch = Reals(n_u, n_u, meaning="of the decompositions, then M Z")
    mass = Reals(n_u, n_u, meaning="Z^T M Z, then its factor")
    load = Reals(n_u, meaning="f - M u'_p")
    part = Reals(1, n_u, meaning="components in the basis")
