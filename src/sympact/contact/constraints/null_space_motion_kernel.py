"""Motion in independent speeds w: u = Z w + u_h with a basis Z of the null space of A, A u_h + a = 0.

    Z^T M Z w' = Z^T (f - M u'_p),   u' = Z w' + u'_p,   A u'_p + (A' u + a') = 0

u_h and u'_p are the shortest of their kind. The state has u; w = Z^T u is what a step changes: the part of u along the
rows of A follows from the constraints. M needs to be positive definite on the null space alone.
"""

import math

from sympact.contact.constraints.move_kernel import copy_numbers
from sympact.contact.constraints.violated_rank_kernel import discount_violated, unsure_below
from sympact.contact.linalg.cholesky_kernel import backward, factor, forward
from sympact.contact.linalg.null_space_kernel import by_gram_schmidt, by_qr, by_svd, continued
from sympact.contact.linalg.rank_kernel import pick, rank_of, reach
from sympact.contact.memory.reduction import QR, SVD
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, row_of


@kernel
def on_basis(bilateral, t, x):
    """The state with the speeds Z w + u_h, w = Z^T u, in `complete`; the basis there is in `z`."""
    nq, m, state = bilateral.n_q, bilateral.n_u, bilateral.complete
    copy_numbers(x, state)
    call_flow(bilateral.constraints, t, x, bilateral.parameters, bilateral.constraint)
    find_basis(bilateral, x)
    rank, wanted = rank_of(bilateral.rank, bilateral.n_rows), bilateral.wanted
    for k in range(bilateral.n_rows):
        wanted[k] = -bilateral.rate[k]
        for i in range(m):
            wanted[k] += bilateral.rows[k, i] * x[nq + i]
    reach(rank, wanted, bilateral.motion)
    add_motion(bilateral.reduction.z, m - rank.count[0], x, nq, bilateral.motion)
    for k in range(m):
        state[nq + k] = bilateral.motion[k]
    return state


@kernel
def find_basis(bilateral, x):
    """A basis of the null space of A in `constraint`, at a state x, continued from that of the step's start, into `z`.

    Returns
    -------
    int
        The number of its vectors.
    """
    m, reduction = bilateral.n_u, bilateral.reduction
    rank = rank_of(bilateral.rank, bilateral.n_rows)
    for k in range(bilateral.n_rows):
        rank.group[k] = k
        for i in range(m):
            rank.rows[k, i] = bilateral.rows[k, i]
    pick(rank)
    discount_violated(rank, unsure_below(bilateral.phi, bilateral.rows, x, bilateral.n_q))
    if reduction.basis == QR:
        by_qr(rank, reduction.scratch)
    elif reduction.basis == SVD:
        by_svd(rank, reduction.mass, reduction.scratch)
    else:
        by_gram_schmidt(rank)
    continued(rank, reduction.reference, reduction.count if reduction.chosen == 1 else -1, reduction.z)
    return m - rank.count[0]


@kernel
def note_basis(bilateral, t, x):
    """The basis at the start of a step becomes the reference; it continues the one before."""
    call_flow(bilateral.constraints, t, x, bilateral.parameters, bilateral.constraint)
    reduction, m = bilateral.reduction, bilateral.n_u
    size = find_basis(bilateral, x)
    for d in range(size):
        for k in range(m):
            reduction.reference[d, k] = reduction.z[d, k]
    if size != reduction.count or reduction.chosen == 0:
        reduction.choices += 1
    reduction.count = size


@kernel
def accelerate_on_basis(bilateral):
    """u' of the last equations into `motion`, in the last basis; NaN where M is not positive definite on it."""
    m, reduction, y = bilateral.n_u, bilateral.reduction, bilateral.motion
    rank = rank_of(bilateral.rank, bilateral.n_rows)
    size, wanted, z = m - rank.count[0], bilateral.wanted, reduction.z
    for k in range(bilateral.n_rows):
        wanted[k] = -bilateral.biases[k]
    reach(rank, wanted, y)
    for i in range(m):
        reduction.load[i] = bilateral.forcing[i]
        for k in range(m):
            reduction.load[i] -= bilateral.mass[i, k] * y[k]
    reduce_mass(bilateral, size)
    if factor(reduction.mass, size) >= 0:
        for k in range(m):
            y[k] = math.nan
        return
    for d in range(size):
        reduction.part[0, d] = 0.0
        for k in range(m):
            reduction.part[0, d] += z[d, k] * reduction.load[k]
    forward(reduction.mass, size, reduction.part, 0)
    backward(reduction.mass, size, row_of(reduction.part, 0))
    for d in range(size):
        for k in range(m):
            y[k] += reduction.part[0, d] * z[d, k]


@kernel
def reduce_mass(bilateral, size):
    """Z^T M Z into the first rows and columns of `mass`."""
    m, reduction = bilateral.n_u, bilateral.reduction
    z, half, mass = reduction.z, reduction.scratch, reduction.mass
    for d in range(size):
        for i in range(m):
            half[d, i] = 0.0
            for k in range(m):
                half[d, i] += bilateral.mass[i, k] * z[d, k]
    for d in range(size):
        for e in range(size):
            mass[d, e] = 0.0
            for k in range(m):
                mass[d, e] += half[d, k] * z[e, k]


@kernel
def add_motion(z, size, x, nq, y):
    """y + Z Z^T u into y, with the speeds u of a state."""
    for d in range(size):
        s = 0.0
        for k in range(y.size):
            s += z[d, k] * x[nq + k]
        for k in range(y.size):
            y[k] += s * z[d, k]
