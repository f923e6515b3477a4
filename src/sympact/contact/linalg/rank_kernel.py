"""The rank of rows of any kind, decided once, in the mass metric: motions along them, and forces along them.

    v = A y + w,   A = W^T C^-T,   M = C C^T,   y = C^T u;   impulses P along the rows give y the change A^T P

Rows may be a contact's normal and tangents, those of several contacts, constraints, or the links of an island. Rows of
one group share a factor, so that a cone over them stays one; comparable rows are those times their factors. A row that
is rounding relative to the longest of its group counts as zero. Rows are factored with pivoting, A = L Q with L lower
triangular in the order of the pivots, on A itself: the eigenvalues of A A^T lose half of the digits (Golub and Van
Loan, Matrix Computations, section 5.4). The rank r counts pivots above `RANK` of the first. The null directions nu span
the impulses that change no speed: A^T nu = 0, so that nu . v = nu . w for every motion.

Velocities v and impulses P are in the original units of the rows. Nothing here divides by a pivot that is not counted.
"""

import math
from typing import NamedTuple

from sympact.contact.linalg.support_kernel import block_size, dot_within, subtract_within, support_of
from sympact.contact.memory.contact_tolerances import DEPENDENT, DIGITS_LOST, RANK
from sympact.native.kernel import kernel
from sympact.native.pointer import leading, leading2


class Rank(NamedTuple):
    """K rows of m numbers and the results of `decide`. All memory is the caller's, see `rank_of`.

    Attributes
    ----------
    rows : (K, m)
        A. In: C^-1 of the rows. Out: comparable, zero where a row is rounding.
    group : (K,) whole numbers
        In: rows with the same number follow each other and share a factor.
    factor : (K,)
        Out: comparable row = factor times row.
    q : (m, m)
        Out: the first r rows are an orthonormal basis of the rows of A.
    part : (K, m)
        Out: the first r numbers of row k are the components of row k of A in it; L has the picked ones.
    picked : (K,) whole numbers
        Out: the rows in the order of their pivots, the first r of them independent.
    null : (K, K)
        Out: the first K - r rows are orthonormal null directions of the comparable rows.
    count : (1,) whole number
        Out: r.
    work, other : (K,), (K, K)
        Scratch; `work` has velocities of comparable rows.
    support, basis_support : (K,), (m,) whole numbers
        Out: which blocks of the rows, and of those of q, are not zero, as bits; see `block_size`.
    """

    rows: object
    group: object
    factor: object
    q: object
    part: object
    picked: object
    null: object
    count: object
    work: object
    other: object
    support: object
    basis_support: object


@kernel
def rank_of(memory, size):
    """The first rows of a `RankMemory`."""
    m = memory.n_u
    return Rank(
        leading2(memory.rows, size, m),
        leading(memory.group, size),
        leading(memory.factor, size),
        memory.q,
        leading2(memory.part, size, m),
        leading(memory.picked, size),
        leading2(memory.null, size, size),
        memory.count,
        leading(memory.work, size),
        leading2(memory.other, size, size),
        leading(memory.support, size),
        memory.basis_support,
    )


@kernel
def decide(rank):
    """Decide the rank of `rank.rows`, whose groups are in `rank.group`, and find the null directions; returns it."""
    found = pick(rank)
    find_null(rank)
    return found


@kernel
def pick(rank):
    """The same without the null directions, for `reach` and `least_impulses` of rows that are independent."""
    size, m = rank.rows.shape
    compare_rows(rank)
    first, found = 0.0, 0
    while found < min(size, m):
        length = bring_longest(rank, found)
        if found == 0:
            first = length
        if not length > RANK * first:
            break
        take_out(rank, found, length)
        found += 1
    rank.count[0] = found
    return found


@kernel
def compare_rows(rank):
    """The factor of each group, with which the mean square of its nonzero rows becomes 1."""
    size, m = rank.rows.shape
    longest, k = 0.0, 0
    for i in range(size):
        s = 0.0
        for c in range(m):
            s += rank.rows[i, c] * rank.rows[i, c]
        rank.work[i] = math.sqrt(s)
        longest = max(longest, rank.work[i])
    while k < size:
        end, own, squares, entries = k, 0.0, 0.0, 0
        while end < size and rank.group[end] == rank.group[k]:
            own = max(own, rank.work[end])
            end += 1
        for i in range(k, end):
            if rank.work[i] > DEPENDENT * own and own > DEPENDENT * longest:
                squares += rank.work[i] * rank.work[i]
                entries += 1
        for i in range(k, end):
            rank.factor[i] = math.sqrt(entries / squares) if entries > 0 else 1.0
            counts = entries > 0 and rank.work[i] > DEPENDENT * own
            for c in range(m):
                rank.rows[i, c] = rank.factor[i] * rank.rows[i, c] if counts else 0.0
        k = end
    for i in range(size):
        rank.picked[i], s = i, 0.0
        for c in range(m):
            rank.part[i, c] = 0.0
            s += rank.rows[i, c] * rank.rows[i, c]
        rank.work[i] = rank.other[0, i] = s
        rank.support[i] = support_of(rank.rows, i)


@kernel
def bring_longest(rank, found):
    """Move the row with the longest remainder to index `found` of the order; returns that length.

    Its remainder is computed from the row itself, twice (see `cholesky_kernel.split`), into row `found` of q.
    """
    size, m = rank.rows.shape
    best = found
    for place in range(found + 1, size):
        if rank.work[rank.picked[place]] > rank.work[rank.picked[best]]:
            best = place
    rank.picked[found], rank.picked[best] = rank.picked[best], rank.picked[found]
    i = rank.picked[found]
    for c in range(m):
        rank.q[found, c] = rank.rows[i, c]
    blocks = rank.support[i]
    for trial in range(2):
        for d in range(found):
            common = blocks & rank.basis_support[d]
            s = dot_within(common, rank.q, d, rank.q, found)
            rank.part[i, d] = s if trial == 0 else rank.part[i, d] + s
            if s != 0.0:
                subtract_within(rank.basis_support[d], s, rank.q, d, rank.q, found)
                blocks |= rank.basis_support[d]
    rank.basis_support[found] = blocks
    s = 0.0
    for c in range(m):
        s += rank.q[found, c] * rank.q[found, c]
    return math.sqrt(s)


@kernel
def take_out(rank, found, length):
    """The remainder of the row at index `found` becomes a vector of the basis; its part in the rows after is stored.

    The squared remainders of these, in `work`, are recomputed from the rows once they have lost digits since the last
    time, in `other`.
    """
    size, m = rank.rows.shape
    for c in range(m):
        rank.q[found, c] /= length
    rank.part[rank.picked[found], found] = length
    for place in range(found + 1, size):
        i = rank.picked[place]
        s = dot_within(rank.support[i] & rank.basis_support[found], rank.rows, i, rank.q, found)
        rank.part[i, found] = s
        rank.work[i] -= s * s
        if rank.work[i] < DIGITS_LOST * rank.other[0, i]:
            rank.work[i] = rank.other[0, i] = squared_remainder(rank, i, found + 1)


@kernel
def squared_remainder(rank, i, found):
    """The square of the length of row i less its parts in the first vectors of the basis."""
    m, total = rank.rows.shape[1], 0.0
    size, start, bit, blocks = block_size(m), 0, 1, rank.support[i]
    for d in range(found):
        if rank.part[i, d] != 0.0:
            blocks |= rank.basis_support[d]
    while start < m:
        for c in range(start, min(start + size, m) if blocks & bit else start):
            value = rank.rows[i, c]
            for d in range(found):
                if rank.basis_support[d] & bit:
                    value -= rank.part[i, d] * rank.q[d, c]
            total += value * value
        start, bit = start + size, 2 * bit
    return total


@kernel
def find_null(rank):
    """Orthonormal null directions of the comparable rows: each row that is not picked is a sum of the picked ones.

    Those of rows that are zero come first, which are unit vectors and normal to all others.
    """
    found, size, zeros = rank.count[0], rank.rows.shape[0], 0
    for place in range(found, size):
        if rank.support[rank.picked[place]] == 0:
            for k in range(size):
                rank.null[zeros, k] = 0.0
            rank.null[zeros, rank.picked[place]] = 1.0
            zeros += 1
    d = zeros
    for place in range(found, size):
        i = rank.picked[place]
        if rank.support[i] == 0:
            continue
        for k in range(size):
            rank.null[d, k] = 0.0
        rank.null[d, i] = 1.0
        for k in range(found - 1, -1, -1):
            s = rank.part[i, k]
            for c in range(k + 1, found):
                s += rank.part[rank.picked[c], k] * rank.null[d, rank.picked[c]]
            rank.null[d, rank.picked[k]] = -s / rank.part[rank.picked[k], k]
        orthonormal(rank.null, zeros, d, size)
        d += 1


@kernel
def orthonormal(vectors, first, d, size):
    """Row d of `vectors` becomes a unit vector normal to those before it, from row `first` on."""
    for _ in range(2):
        for c in range(first, d):
            s = 0.0
            for k in range(size):
                s += vectors[c, k] * vectors[d, k]
            for k in range(size if s != 0.0 else 0):
                vectors[d, k] -= s * vectors[c, k]
    s = 0.0
    for k in range(size):
        s += vectors[d, k] * vectors[d, k]
    s = math.sqrt(s)
    for k in range(size):
        vectors[d, k] /= s


@kernel
def null_rate(rank, d, v):
    """nu_d . v with the velocities v of the rows: invariant under impulses along the rows."""
    s = 0.0
    for k in range(rank.rows.shape[0]):
        s += rank.null[d, k] * rank.factor[k] * v[k]
    return s


@kernel
def outside(rank, v, out):
    """The part of the velocities v that is outside the range of A into `out`; returns its length by comparable rows.

    v - out is the closest velocity of a motion y; `out` may not be v.
    """
    size, total = rank.rows.shape[0], 0.0
    for k in range(size):
        out[k] = 0.0
    for d in range(size - rank.count[0]):
        s = null_rate(rank, d, v)
        total += s * s
        for k in range(size):
            out[k] += s * rank.null[d, k] / rank.factor[k]
    return math.sqrt(total)


@kernel
def shortest_motion(rank, v, y):
    """The shortest y of those for which A y is nearest to v; returns |A y - v|, by comparable rows."""
    left = outside(rank, v, rank.work)
    for k in range(rank.rows.shape[0]):
        rank.work[k] = rank.factor[k] * (v[k] - rank.work[k])
    meet_picked(rank, y)
    return left


@kernel
def reach(rank, v, y):
    """The shortest y that satisfies v in the picked rows; returns its largest error in the others, comparable."""
    size, m, left = rank.rows.shape[0], rank.rows.shape[1], 0.0
    for k in range(size):
        rank.work[k] = rank.factor[k] * v[k]
    meet_picked(rank, y)
    for place in range(rank.count[0], size):
        i = rank.picked[place]
        s = -rank.factor[i] * v[i]
        for c in range(m):
            s += rank.rows[i, c] * y[c]
        left = max(left, abs(s))
    return left


@kernel
def meet_picked(rank, y):
    """The shortest y that has the velocities in `work` along the picked rows; `work` is overwritten."""
    m = rank.rows.shape[1]
    for c in range(m):
        y[c] = 0.0
    for k in range(rank.count[0]):
        i = rank.picked[k]
        s = rank.work[i]
        for c in range(k):
            s -= rank.part[i, c] * rank.other[0, c]
        rank.other[0, k] = s / rank.part[i, k]
        for c in range(m):
            y[c] += rank.other[0, k] * rank.q[k, c]


@kernel
def least_impulses(rank, y, weight, impulse):
    """The impulses P with A^T P = y, as far as the rows span it, of least sum of (weight P)^2; returns |A^T P - y|.

    For the least norm in the units of the rows all weights are 1, in those of comparable rows 1 over `factor`.
    """
    size, m, found, left = rank.rows.shape[0], rank.rows.shape[1], rank.count[0], 0.0
    for c in range(m):
        left += y[c] * y[c]
    for k in range(size):
        impulse[k] = 0.0
    for k in range(found - 1, -1, -1):
        s = 0.0
        for c in range(m):
            s += rank.q[k, c] * y[c]
        left -= s * s
        for c in range(k + 1, found):
            s -= rank.part[rank.picked[c], k] * impulse[rank.picked[c]]
        impulse[rank.picked[k]] = s / rank.part[rank.picked[k], k]
    for k in range(size):
        impulse[k] *= rank.factor[k] * weight[k]
    for d in range(size - found):
        for k in range(size):
            rank.other[d, k] = rank.null[d, k] * rank.factor[k] * weight[k]
        orthonormal(rank.other, 0, d, size)
        s = 0.0
        for k in range(size):
            s += rank.other[d, k] * impulse[k]
        for k in range(size):
            impulse[k] -= s * rank.other[d, k]
    for k in range(size):
        impulse[k] /= weight[k]
    return math.sqrt(max(left, 0.0))
