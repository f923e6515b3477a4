"""The complementarity solvers as units: a table of sizes and addresses comes in, see `sympact.contact.solver_calls`."""

from sympact.contact.lcp.lcp_kernel import Lcp, solve_complementarity
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.linalg.rank_kernel import decide, least_impulses, outside, rank_at, shortest_motion
from sympact.contact.memory.cone_layout import least_norm_scratch
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, reals2, wholes

scratch_of = kernel(least_norm_scratch)


def least_squares(data):
    """rows, columns, then the addresses of A, b, weights, x, scratch and places; the rank of A."""
    return least_squares_at(wholes(data, 8))


@kernel
def least_squares_at(table):
    """Solve the least squares problem of a table."""
    rows, columns = table[0], table[1]
    return least_norm(
        reals2(table[2], rows, columns),
        rows,
        columns,
        reals(table[3], rows),
        reals(table[4], columns),
        reals(table[5], columns),
        reals(table[6], scratch_of(rows, columns)),
        wholes(table[7], columns),
    )


def lcp(data):
    """n, then the addresses of the fields of `Lcp` in their order."""
    return lcp_at(wholes(data, 12))


@kernel
def lcp_at(table):
    """Solve the linear complementarity problem of a table."""
    n = table[0]
    problem = Lcp(
        reals2(table[1], n, n),
        reals(table[2], n),
        reals(table[3], n),
        reals(table[4], n),
        reals2(table[5], n, 2 * n + 2),
        reals2(table[6], n, n),
        reals2(table[7], 8, n),
        reals(table[8], 4 * n),
        wholes(table[9], n),
        wholes(table[10], n),
        reals(table[11], 5),
    )
    return solve_complementarity(problem, n)


def rank(data):
    """Rows, m, then the addresses of the memory of `rank_kernel.Rank`, of v and weights, and of what is found.

    That is: the part of v outside the range, y, P with A^T P = y, and the two distances that are left. Returns r.
    """
    return rank_of(wholes(data, 10))


@kernel
def rank_of(table):
    """Decide the rank of the rows of a table, and solve with them."""
    size, m = table[0], table[1]
    rows, left = rank_at(table[2], table[3], size, m), reals(table[9], 2)
    v, y = reals(table[4], size), reals(table[7], m)
    found = decide(rows)
    outside(rows, v, reals(table[6], size))
    left[0] = shortest_motion(rows, v, y)
    left[1] = least_impulses(rows, y, reals(table[5], size), reals(table[8], size))
    return found
