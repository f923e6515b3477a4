"""The solvers as units of their own, with the memory of a call as argument, see `sympact.contact.solver_calls`."""

from sympact.contact.lcp.lcp_kernel import Lcp, solve_complementarity
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.linalg.rank_kernel import decide, least_impulses, outside, rank_of, shortest_motion
from sympact.contact.memory.calls import LcpCall, LeastSquaresCall, RankCall
from sympact.native.pointer import view

least_squares_at, lcp_at, rank_at = view(LeastSquaresCall), view(LcpCall), view(RankCall)


def least_squares(data):
    """Solve the problem of a `LeastSquaresCall`; the rank of A."""
    call = least_squares_at(data)
    return least_norm(call.a, call.rows, call.columns, call.b, call.weights, call.x, call.scratch, call.places)


def lcp(data):
    """Solve the problem of an `LcpCall`; the solver's code."""
    call = lcp_at(data)
    problem = Lcp(
        call.matrix,
        call.constant,
        call.z,
        call.w,
        call.tableau,
        call.a,
        call.vectors,
        call.scratch,
        call.basis,
        call.order,
        call.report,
    )
    return solve_complementarity(problem, call.n)


def rank(data):
    """Decide the rank of the rows of a `RankCall`, and solve with them; returns r."""
    call = rank_at(data)
    rows, left = rank_of(call.rank, call.rank_rows), call.left
    v, y = call.velocity, call.motion
    found = decide(rows)
    outside(rows, v, call.outside)
    left[0] = shortest_motion(rows, v, y)
    left[1] = least_impulses(rows, y, call.weights, call.impulse)
    return found
