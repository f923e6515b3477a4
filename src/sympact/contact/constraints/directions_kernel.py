"""The directions along which states are completed, chosen at the start of a step.

Dependent speeds are the pivots of A by elimination with full pivoting (Wehage and Haug 1982), with rows and columns
scaled so that units do not matter: rows of A to unit length in the mass metric, speeds by the roots of their inertias.
They are kept while the entries of A_D^-1 A_I, by which the independent speeds drive the dependent ones, are at most
`growth` times those where they were chosen, or times 1 where those were smaller. The tangent space is that at the start
of each step. Both are chosen anew where the rank of A has changed.
"""

import math

from sympact.contact.constraints.violated_rank_kernel import discount_violated, unsure_below
from sympact.contact.linalg.cholesky_kernel import backward
from sympact.contact.linalg.constrained_kernel import factor_constrained
from sympact.contact.linalg.elimination_kernel import eliminate
from sympact.contact.linalg.rank_kernel import rank_of
from sympact.contact.memory.reduction import PIVOTS
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading2, row_of


@kernel
def choose_directions(bilateral, t, x, anew):
    """Choose the directions at a state: `anew`, or where their rule says so. Without a metric there is none."""
    m, reduction = bilateral.n_u, bilateral.reduction
    call_flow(bilateral.equations, t, x, bilateral.parameters, bilateral.terms)
    if factor_constrained(bilateral.mass, m, bilateral.jacobian, bilateral.rank) >= 0:
        reduction.count = 0
        return
    rank = rank_of(bilateral.rank, bilateral.n_rows)
    discount_violated(rank, unsure_below(bilateral.positions, bilateral.jacobian, x, bilateral.n_q))
    same = rank.count[0] == reduction.count and not anew
    reduction.count = rank.count[0]
    for i in range(reduction.count):
        reduction.rows[i] = rank.picked[i]
    if reduction.rule != PIVOTS:
        take_normals(bilateral, rank)
    elif not (same and keeps_partition(bilateral, rank)):
        take_pivots(bilateral, rank)


@kernel
def take_normals(bilateral, rank):
    """The directions normal to the constraints in the metric of M: D = M^-1 A^T, orthonormal."""
    m, reduction = bilateral.n_u, bilateral.reduction
    for d in range(reduction.count):
        for k in range(m):
            reduction.directions[d, k] = rank.q[d, k]
        backward(bilateral.mass, m, row_of(reduction.directions, d))
    reduction.choices += 1


@kernel
def take_pivots(bilateral, rank):
    """The dependent speeds: the columns of the pivots."""
    m, reduction = bilateral.n_u, bilateral.reduction
    for k in range(m):
        reduction.open[k] = 1
    reduction.entry = largest_ratio(bilateral, rank)
    for k in range(m):
        reduction.dependent[k] = 1 - reduction.open[k]
    for d in range(reduction.count):
        for k in range(m):
            reduction.directions[d, k] = 1.0 if k == reduction.pivots[d] else 0.0
    reduction.choices += 1


@kernel
def keeps_partition(bilateral, rank):
    """Whether the dependent speeds of the last choice are still dependent ones."""
    reduction = bilateral.reduction
    for k in range(bilateral.n_u):
        reduction.open[k] = reduction.dependent[k]
    return largest_ratio(bilateral, rank) <= reduction.growth * max(1.0, reduction.entry)


@kernel
def largest_ratio(bilateral, rank):
    """The largest entry of A_D^-1 A_I, comparable, with the pivots D in the columns that are open; infinite if none."""
    m, reduction = bilateral.n_u, bilateral.reduction
    r, allowed = reduction.count, reduction.open
    table = leading2(reduction.entries, r, m)
    for k in range(m):
        inertia = 0.0
        for j in range(k + 1):
            inertia += bilateral.mass[k, j] * bilateral.mass[k, j]
        for i in range(r):
            row = rank.picked[i]
            table[i, k] = rank.factor[row] * bilateral.jacobian[row, k] / math.sqrt(inertia)
    if not eliminate(table, r, m, allowed, reduction.pivots):
        return math.inf
    largest = 0.0
    for i in range(r):
        for k in range(m):
            if k != reduction.pivots[i]:
                largest = max(largest, abs(table[i, k]))
    return largest
