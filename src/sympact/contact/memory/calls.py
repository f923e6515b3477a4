"""The memory of solvers that are called on their own, see `sympact.contact.solver_calls`."""

from sympact.contact.memory.solvers import RankMemory
from sympact.native.memory import Memory, Reals, Size, View, Wholes

__all__ = ["LcpCall", "LeastSquaresCall", "RankCall"]


class LeastSquaresCall(Memory):
    """A problem of `least_squares_kernel.least_norm`."""

    rows = Size("equations")
    columns = Size("unknowns")
    a = Reals(rows, columns, meaning="A")
    b = Reals(rows, meaning="b")
    weights = Reals(columns, meaning="of the unknowns")
    x = Reals(columns, meaning="out: the solution")
    scratch = Reals(rows + 3 * columns, meaning="scratch")
    places = Wholes(columns, meaning="scratch")


class LcpCall(Memory):
    """A problem of `lcp_kernel.Lcp`, whose docstring describes the arrays."""

    n = Size("unknowns")
    matrix = Reals(n, n, meaning="M")
    constant = Reals(n, meaning="q")
    z = Reals(n, meaning="out")
    w = Reals(n, meaning="out")
    tableau = Reals(n, 2 * n + 2, meaning="scratch")
    a = Reals(n, n, meaning="scratch")
    vectors = Reals(8, n, meaning="scratch")
    scratch = Reals(4 * n, meaning="scratch")
    basis = Wholes(n, meaning="scratch")
    order = Wholes(n, meaning="scratch")
    report = Reals(5, meaning="out: residuals, pivots, sweeps, the solver")


class RankCall(Memory):
    """Rows and the results of `rank_kernel` for them."""

    rank_rows = Size("rows, K")
    n_u = Size("numbers of a row, m")
    rank = View(RankMemory, "of the rows", rank_rows=rank_rows, n_u=n_u)
    velocity = Reals(rank_rows, meaning="v")
    weights = Reals(rank_rows, meaning="of the impulses")
    outside = Reals(rank_rows, meaning="out: the part of v outside the range")
    motion = Reals(n_u, meaning="out: y")
    impulse = Reals(rank_rows, meaning="out: P with A^T P = y")
    left = Reals(2, meaning="out: the two remaining distances")
