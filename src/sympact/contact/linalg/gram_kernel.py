"""The rank of rows whose directions are clearly independent or clearly spanned by others, by Cholesky's factor.

The same memory and the same results as of `rank_kernel.pick`, but for the basis Q, which is not needed: with the picked
rows A = L Q, L L^T = A A^T is factored with pivoting, and Q y follows from L and the products of rows. Products of rows
do not wait for each other, as the remainders of Gram and Schmidt do. The factor squares the condition of the rows;
where a remainder is neither long enough for that nor rounding nothing is decided, and `rank_kernel` has to.

`memory` is a `RankMemory`, of which the first `size` rows count; unlike `rank_kernel` these kernels leave `rows` as
they are, C^-1 of the rows. Numbers of rows, and of `part`, that are zero are left out of all sums (`support_kernel`).
"""

import math

from sympact.contact.linalg.cholesky_kernel import row_square
from sympact.contact.linalg.support_kernel import (
    SHORT,
    add_within,
    block_of,
    block_size,
    dot_within,
    less_within,
    support_of,
)
from sympact.contact.memory.contact_tolerances import DEPENDENT, DIGITS_LOST, RANK
from sympact.native.kernel import kernel


@kernel
def pick_clearly(memory, size):
    """Decide the rank of the rows: `factor`, `part`, `picked`; returns it, -1 if it is not clear."""
    if not compare_clearly(memory, size):
        return -1
    m, work, part, rows, factor = memory.n_u, memory.work, memory.part, memory.rows, memory.factor
    picked, support, part_support, found = memory.picked, memory.support, memory.part_support, 0
    short = m <= SHORT
    for i in range(size):
        part_support[i] = 0
    while found < min(size, m):
        best, longest = -1, DIGITS_LOST
        for i in range(size):
            if work[i] > longest:
                best, longest = i, work[i]
        if best < 0:
            break
        length, bit = math.sqrt(longest), block_of(found, m)
        memory.inverse[found] = 1.0 / length
        for i in range(size):
            if work[i] >= 0.0 and i != best:
                common, both = support[i] & support[best], part_support[i] & part_support[best]
                if common == 0 and both == 0 and not short:
                    part[i, found] = 0.0
                    continue
                s = 0.0
                if short:
                    for c in range(m):
                        s += rows[i, c] * rows[best, c]
                    s *= factor[i] * factor[best]
                    for c in range(found):
                        s -= part[i, c] * part[best, c]
                else:
                    s = dot_within(common, rows, i, rows, best) * (factor[i] * factor[best])
                    s = less_within(s, both, part, i, part, best, found)
                s *= memory.inverse[found]
                part[i, found] = s
                work[i] = max(work[i] - s * s, 0.0)
                part_support[i] |= bit if s != 0.0 else 0
        part[best, found] = length
        part_support[best] |= bit
        for c in range(found + 1, m):
            part[best, c] = 0.0
        picked[found], work[best] = best, -1.0
        found += 1
    memory.count[0] = found
    for i in range(size if found < m else 0):
        if work[i] >= 0.0 and not is_spanned(memory, i, found):
            return -1
    return found


@kernel
def compare_clearly(memory, size):
    """The factors of the groups, see `rank_kernel.compare_rows`, and squared lengths of comparable rows into `work`.

    Those of rows that are rounding are negative. False if a whole group is.
    """
    m, rows, work, factor, group = memory.n_u, memory.rows, memory.work, memory.factor, memory.group
    least, longest, k = DEPENDENT * DEPENDENT, 0.0, 0
    for i in range(size):
        s = row_square(rows, i, m)
        work[i] = s
        memory.support[i] = 0 if m <= SHORT else support_of(rows, i)
        longest = max(longest, s)
    while k < size:
        end, own, squares, entries = k, 0.0, 0.0, 0
        while end < size and group[end] == group[k]:
            own = max(own, work[end])
            end += 1
        if not own > least * longest:
            return False
        for i in range(k, end):
            if work[i] > least * own:
                squares += work[i]
                entries += 1
        square = entries / squares
        length = math.sqrt(square)
        for i in range(k, end):
            factor[i] = length
            work[i] = square * work[i] if work[i] > least * own else -1.0
        k = end
    return True


@kernel
def is_spanned(memory, i, found):
    """Whether row i is a sum of the picked ones, by its remainder itself."""
    m, left, part, rows, picked = memory.n_u, 0.0, memory.part, memory.rows, memory.picked
    weights, blocks, bit = memory.other, memory.support[i], 1
    for k in range(found):
        weights[0, k] = part[i, k]
    weigh_picked(memory, found)
    for k in range(found):
        blocks |= memory.support[picked[k]] if weights[0, k] != 0.0 else 0
    size, start, short = block_size(m), 0, m <= SHORT
    while start < m:
        for c in range(start, min(start + size, m) if short or blocks & bit else start):
            s = memory.factor[i] * rows[i, c]
            for k in range(found):
                if short or memory.support[picked[k]] & bit:
                    s -= weights[0, k] * rows[picked[k], c]
            left += s * s
        start, bit = start + size, 2 * bit
    return left <= (0.5 * RANK) ** 2


@kernel
def weigh_picked(memory, found):
    """The weights of the picked rows in Q^T b, in the place of b, the first row of `other`."""
    weights, part, picked, factor = memory.other, memory.part, memory.picked, memory.factor
    for k in range(found - 1, -1, -1):
        s = weights[0, k]
        for c in range(k + 1, found):
            s -= part[picked[c], k] * weights[0, c]
        weights[0, k] = s * memory.inverse[k]
    for k in range(found):
        weights[0, k] *= factor[picked[k]]


@kernel
def along_picked(memory, v, out):
    """Q y of a motion y with the velocities v along the rows."""
    part, picked, factor = memory.part, memory.picked, memory.factor
    for k in range(memory.count[0]):
        i = picked[k]
        s = factor[i] * v[i]
        for c in range(k):
            s -= part[i, c] * out[c]
        out[k] = s * memory.inverse[k]


@kernel
def shortest_by_picked(memory, b, y):
    """The shortest y with Q y = b."""
    weights, rows, picked, found = memory.other, memory.rows, memory.picked, memory.count[0]
    for k in range(found):
        weights[0, k] = b[k]
    weigh_picked(memory, found)
    for c in range(memory.n_u):
        y[c] = 0.0
    for k in range(found):
        if memory.n_u > SHORT:
            add_within(memory.support[picked[k]], weights[0, k], rows, picked[k], y)
            continue
        for c in range(memory.n_u):
            y[c] += weights[0, k] * rows[picked[k], c]
