"""Minimum-norm least squares of a small dense system of any rank: complete orthogonal decomposition (Householder).

    minimise |A x - b|,   and of all x that do, |D x|   with D the diagonal of the weights

The rank is decided on the columns of A scaled to unit length, so that units do not matter: the factorisation of Golub
(1965, Numerische Mathematik 7), completed from the right as in Hanson and Lawson (1969, Mathematics of Computation 23).
"""

import math

from sympact.contact.memory.contact_tolerances import COLUMN_SPANNED
from sympact.native.kernel import kernel


@kernel
def least_norm(a, rows, columns, b, weights, x, scratch, places):
    """Write the x of least |D x| among those of least |A x - b|; returns the rank of A, which is overwritten.

    `scratch` are `rows + 3 columns` numbers, `places` are `columns` whole numbers.
    """
    rank = triangulate(a, rows, columns, b, weights, scratch, places)
    solve_triangulated(a, rows, rank, columns, weights, x, scratch, places)
    return rank


@kernel
def triangulate(a, rows, columns, b, weights, scratch, places):
    """Reduce A D^-1 y = b, y = D x, to as many equations as the rank of A, which is returned.

    Column j of `a`, of which only the first j + 1 rows count, is then that of y at `places[j]`; `scratch` begins with
    the right side.
    """
    lengths, norms = rows, rows + columns
    for i in range(rows):
        scratch[i] = b[i]
    for j in range(columns):
        s = 0.0
        for i in range(rows):
            s += a[i, j] * a[i, j]
        length = math.sqrt(s)
        if not length > 0.0:
            length = 1.0
        for i in range(rows):
            a[i, j] /= length
        scratch[norms + j] = s / (length * length)
        scratch[lengths + j] = length / weights[j]
        places[j] = j
    rank = 0
    while rank < rows and rank < columns and bring_forward(a, rows, columns, rank, scratch, lengths, norms, places):
        reflect(a, rows, columns, rank, scratch, norms, rows + 2 * columns)
        rank += 1
    for i in range(rank):
        for j in range(i, columns):
            a[i, j] *= scratch[lengths + j]
    return rank


@kernel
def solve_triangulated(a, rows, rank, columns, weights, x, scratch, places):
    """The shortest y of the equations left by `triangulate`, then x."""
    norms, tails = rows + columns, rows + 2 * columns
    if rank < columns:
        complete(a, rank, columns, scratch, tails)
    back_substitute(a, rank, columns, scratch, norms, tails)
    for j in range(columns):
        x[places[j]] = scratch[norms + j] / weights[places[j]]


@kernel
def bring_forward(a, rows, columns, k, scratch, lengths, norms, places):
    """Move the column with the longest remainder to index k; False if no column has one."""
    chosen = k
    for j in range(k + 1, columns):
        if scratch[norms + j] > scratch[norms + chosen]:
            chosen = j
    if not scratch[norms + chosen] > COLUMN_SPANNED * COLUMN_SPANNED:
        return False
    if chosen != k:
        for i in range(rows):
            a[i, k], a[i, chosen] = a[i, chosen], a[i, k]
        places[k], places[chosen] = places[chosen], places[k]
        for start in (lengths, norms):
            scratch[start + k], scratch[start + chosen] = scratch[start + chosen], scratch[start + k]
    return True


@kernel
def reflect(a, rows, columns, k, scratch, norms, sums):
    """One reflection makes column k zero below row k, in A and in b (the first numbers of scratch).

    The squared lengths of the remainders of the columns after k are updated on the way. Row by row: the sums of all
    columns do not wait for each other.
    """
    s = 0.0
    for i in range(k, rows):
        s += a[i, k] * a[i, k]
    top = a[k, k]
    head = -math.copysign(math.sqrt(s), top)
    pivot = top - head
    factor = pivot * head
    scratch[norms + k] = 0.0
    for j in range(k + 1, columns):
        scratch[sums + j] = pivot * a[k, j]
    for i in range(k + 1, rows):
        for j in range(k + 1, columns):
            scratch[sums + j] += a[i, k] * a[i, j]
    for j in range(k + 1, columns):
        scratch[sums + j] /= factor
        a[k, j] += scratch[sums + j] * pivot
        scratch[norms + j] = 0.0
    for i in range(k + 1, rows):
        for j in range(k + 1, columns):
            value = a[i, j] + scratch[sums + j] * a[i, k]
            a[i, j] = value
            scratch[norms + j] += value * value
    s = pivot * scratch[k]
    for i in range(k + 1, rows):
        s += a[i, k] * scratch[i]
    s /= factor
    scratch[k] += s * pivot
    for i in range(k + 1, rows):
        scratch[i] += s * a[i, k]
    a[k, k] = head


@kernel
def complete(a, rank, columns, scratch, tails):
    """Reflections from the right make the rows of the trapezoid zero behind the triangle.

    The reflection of row k is stored in the columns behind the triangle, its part in column k among the tails.
    """
    for k in range(rank - 1, -1, -1):
        s = 0.0
        for j in range(rank, columns):
            s += a[k, j] * a[k, j]
        if s == 0.0:
            scratch[tails + k] = 0.0
            continue
        head = -math.copysign(math.sqrt(s + a[k, k] * a[k, k]), a[k, k])
        pivot = a[k, k] - head
        scratch[tails + k] = pivot
        a[k, k] = head
        for i in range(k):
            s = a[i, k] * pivot
            for j in range(rank, columns):
                s += a[i, j] * a[k, j]
            s /= pivot * head
            a[i, k] += s * pivot
            for j in range(rank, columns):
                a[i, j] += s * a[k, j]


@kernel
def back_substitute(a, rank, columns, scratch, norms, tails):
    """Solve the triangle for the rotated unknowns, in the place of the norms, and rotate them back."""
    for i in range(rank - 1, -1, -1):
        s = scratch[i]
        for k in range(i + 1, rank):
            s -= a[i, k] * scratch[norms + k]
        scratch[norms + i] = s / a[i, i]
    for j in range(rank, columns):
        scratch[norms + j] = 0.0
    if rank == columns:
        return
    for k in range(rank):
        pivot = scratch[tails + k]
        if pivot == 0.0:
            continue
        s = pivot * scratch[norms + k]
        for j in range(rank, columns):
            s += a[k, j] * scratch[norms + j]
        s /= pivot * a[k, k]
        scratch[norms + k] += s * pivot
        for j in range(rank, columns):
            scratch[norms + j] += s * a[k, j]
