"""A factor R of the mass matrix of a tree of bodies, M = R^T R, that is filled in only along its branches.

Row j of R has an entry for the speed j and for each speed further up on the way to the root. Vectors that begin at some
bodies are nonzero on the ways from these to the root alone, and only the rows of these speeds are read: a solution for
an impulse on one body takes the square of its depth.
"""

import math

from sympact.native.kernel import kernel


@kernel
def singular_row(r, m):
    """The first row whose pivot is not positive and finite, -1 if there is none."""
    for j in range(m):
        if not 0.0 < r[j, j] < math.inf:
            return j
    return -1


@kernel
def forward_along(r, m, branches, b, row):
    """Solve R^T y = b in place of a row of b."""
    order, starts, entries = branches.order, branches.starts, branches.entries
    for place in range(m):
        j = order[place]
        if b[row, j] == 0.0:
            continue
        y = b[row, j] / r[j, j]
        b[row, j] = y
        for e in range(starts[j], starts[j + 1]):
            b[row, entries[e]] -= r[j, entries[e]] * y


@kernel
def backward_along(r, m, branches, b):
    """Solve R v = b in place of b."""
    order, starts, entries = branches.order, branches.starts, branches.entries
    for place in range(m - 1, -1, -1):
        j = order[place]
        s = b[j]
        for e in range(starts[j], starts[j + 1]):
            s -= r[j, entries[e]] * b[entries[e]]
        b[j] = s / r[j, j]


@kernel
def entry_along(r, branches, j, v, first):
    """Entry j of R v, for the v that begins at an index."""
    starts, entries = branches.starts, branches.entries
    s = r[j, j] * v[first + j]
    for e in range(starts[j], starts[j + 1]):
        s += r[j, entries[e]] * v[first + entries[e]]
    return s


@kernel
def square_along(r, m, branches, v, first):
    """v^T M v, for the v that begins at an index."""
    total = 0.0
    for j in range(m):
        s = entry_along(r, branches, j, v, first)
        total += s * s
    return total


@kernel
def add_momentum_along(r, m, branches, v, first, weight, out, row):
    """Add weight M v to a row of `out`, for the v that begins at an index."""
    starts, entries = branches.starts, branches.entries
    for j in range(m):
        s = weight * entry_along(r, branches, j, v, first)
        out[row, j] += r[j, j] * s
        for e in range(starts[j], starts[j + 1]):
            out[row, entries[e]] += r[j, entries[e]] * s
