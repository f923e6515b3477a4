"""The support of rows that are mostly zero: which blocks of numbers are not, as the bits of a whole number.

A contact moves one body or two, and its row is zero for all others. Sums over the blocks that rows have in common are
those over all numbers, bit by bit, as only zeros are left out. Loops over short rows, of few bodies, take them whole:
for these a call takes longer than what it saves.
"""

from sympact.native.kernel import kernel
from sympact.native.pointer import row_of

BLOCKS = 62  # bits of a whole number
LEAST_BLOCK = 6  # the speeds of a body
SHORT = 4 * LEAST_BLOCK  # numbers of a row that is taken whole


@kernel
def block_size(m):
    """How many of the m numbers of a row one bit of its support represents: all those of a short one."""
    return m if m <= SHORT else max(LEAST_BLOCK, (m + BLOCKS - 1) // BLOCKS)


@kernel
def block_of(c, m):
    """The bit of the block of number c of m."""
    return 1 << (c // block_size(m))


@kernel
def support_of(rows, i):
    """The blocks of row i that are not all zero, as bits."""
    m = rows.shape[1]
    size, bit, blocks, start = block_size(m), 1, 0, 0
    while start < m:
        for c in range(start, min(start + size, m)):
            if rows[i, c] != 0.0:
                blocks |= bit
        start, bit = start + size, 2 * bit
    return blocks


@kernel
def dot_within(blocks, a, i, b, k):
    """The product of row i of a and row k of b, which have no other blocks in common; the same sum as of all."""
    m = a.shape[1]
    size, start, s = block_size(m), 0, 0.0
    while blocks != 0:
        if blocks & 1 == 1:
            for c in range(start, min(start + size, m)):
                s += a[i, c] * b[k, c]
        start, blocks = start + size, blocks >> 1
    return s


@kernel
def sparse_dot(a, i, v, m):
    """Row i of a times v, the same sum as of all numbers; blocks in which the row is zero are left out."""
    start, s = 0, 0.0
    while start < m:
        end, zero = min(start + LEAST_BLOCK, m), True
        for c in range(start, end):
            zero = zero and a[i, c] == 0.0
        for c in range(end if zero else start, end):
            s += a[i, c] * v[c]
        start = end
    return s


@kernel
def sparse_square(a, i, m):
    """The square of the length of row i of a in the same way."""
    return sparse_dot(a, i, row_of(a, i), m)


@kernel
def subtract_within(blocks, s, b, k, a, i):
    """Row i of a less s times row k of b, which has these blocks."""
    m = a.shape[1]
    size, start = block_size(m), 0
    while blocks != 0:
        if blocks & 1 == 1:
            for c in range(start, min(start + size, m)):
                a[i, c] -= s * b[k, c]
        start, blocks = start + size, blocks >> 1


@kernel
def less_within(s, blocks, a, i, b, k, end):
    """s less the products of row i of a and row k of b, term by term, in the first numbers of these blocks."""
    size, start = block_size(a.shape[1]), 0
    while blocks != 0 and start < end:
        if blocks & 1 == 1:
            for c in range(start, min(start + size, end)):
                s -= a[i, c] * b[k, c]
        start, blocks = start + size, blocks >> 1
    return s


@kernel
def add_within(blocks, s, b, k, v):
    """Add s times row k of b, which has these blocks, to the vector v."""
    m = b.shape[1]
    size, start = block_size(m), 0
    while blocks != 0:
        if blocks & 1 == 1:
            for c in range(start, min(start + size, m)):
                v[c] += s * b[k, c]
        start, blocks = start + size, blocks >> 1
