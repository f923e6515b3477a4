"""Linear algebra of an impact: the factor of the mass matrix, and an orthonormal basis that grows and shrinks.

Vectors are rows of a matrix, named by their index, so that no views have to be made.
"""

import math
from typing import NamedTuple

from sympact.contact.linalg.support_kernel import SHORT, sparse_dot, sparse_square
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS


class Basis(NamedTuple):
    """Some vectors, the columns of A, as A = Q^T R: the first `count[0]` rows of `q` and columns of `r` are in use.

    `projection` and `remainder` decompose a further vector: vector = Q^T projection + remainder; `coefficients` solve R
    coefficients = projection. `active` has the indices of the vectors.
    """

    q: object
    r: object
    projection: object
    remainder: object
    coefficients: object
    active: object
    count: object


@kernel
def factor(a, n):
    """Cholesky's factor C of a symmetric positive definite matrix, A = C C^T, in the place of its lower triangle.

    Returns the row whose pivot is not positive (within rounding of its diagonal entry), -1 if there is none.
    """
    for i in range(n):
        whole = a[i, i]
        for j in range(i):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[j, k]
            a[i, j] = s / a[j, j]
            a[i, i] -= a[i, j] * a[i, j]
        if not a[i, i] > n * EPS * whole:
            return i
        a[i, i] = math.sqrt(a[i, i])
    return -1


@kernel
def forward(c, n, b, row):
    """Solve C y = b in place of a row of b."""
    for i in range(n):
        s = b[row, i]
        for k in range(i):
            s -= c[i, k] * b[row, k]
        b[row, i] = s * (1.0 / c[i, i])


@kernel
def backward(c, n, b):
    """Solve C^T y = b in place of b."""
    for i in range(n - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, n):
            s -= c[k, i] * b[k]
        b[i] = s / c[i, i]


@kernel
def find_profile(a, n, first):
    """The column of the first entry of each row of the lower triangle that is not zero: the factor has the same."""
    for i in range(n):
        j = 0
        while j < i and a[i, j] == 0.0:
            j += 1
        first[i] = j


@kernel
def factor_within(a, n, first):
    """`factor` of a matrix with the profile `first`; bits are the same, as only sums of zeros are left out.

    Column by column: the entries of one do not wait for each other. Rows below the diagonal block of a column have none
    in it.
    """
    end = 0
    for j in range(n):
        if j == end:
            end = end_of_block(n, first, j)
        pivot = a[j, j]
        least = n * EPS * pivot
        for k in range(first[j], j):
            pivot -= a[j, k] * a[j, k]
        if not pivot > least:
            return j
        pivot = math.sqrt(pivot)
        a[j, j] = pivot
        for i in range(j + 1, end):
            if first[i] <= j:
                s = a[i, j]
                for k in range(max(first[i], first[j]), j):
                    s -= a[i, k] * a[j, k]
                a[i, j] = s / pivot
    return -1


@kernel
def forward_within(c, n, first, b, start, end):
    """`forward` of rows start to end - 1 with a factor of the profile `first`; rows do not wait for each other.

    Diagonal blocks of a large factor in which a row is zero leave it as it is.
    """
    low = 0
    if n <= SHORT:
        low = n
        for i in range(n):
            inverse = 1.0 / c[i, i]
            for row in range(start, end):
                s = b[row, i]
                for k in range(first[i], i):
                    s -= c[i, k] * b[row, k]
                b[row, i] = s * inverse
    while low < n:
        high = end_of_block(n, first, low)
        for row in range(start, end):
            zero = True
            for i in range(low, high):
                zero = zero and b[row, i] == 0.0
            for i in range(high if zero else low, high):
                s = b[row, i]
                for k in range(first[i], i):
                    s -= c[i, k] * b[row, k]
                b[row, i] = s * (1.0 / c[i, i])
        low = high


@kernel
def end_of_block(n, first, low):
    """The end of the diagonal block, of a matrix of this profile, that begins at a row."""
    high = low + 1
    for i in range(low + 1, n):
        if first[i] < high:
            high = i + 1
    return high


@kernel
def backward_within(c, n, first, b):
    """`backward` with a factor of the profile `first`."""
    for i in range(n - 1, -1, -1):
        s = b[i] / c[i, i]
        b[i] = s
        for k in range(first[i], i):
            b[k] -= c[i, k] * s


@kernel
def dot(a, i, v, m):
    """Row i of a times v."""
    s = 0.0
    if m > SHORT:
        return sparse_dot(a, i, v, m)
    for k in range(m):
        s += a[i, k] * v[k]
    return s


@kernel
def norm(v, m):
    """Length of a vector."""
    s = 0.0
    for k in range(m):
        s += v[k] * v[k]
    return math.sqrt(s)


@kernel
def row_norm(a, i, m):
    """Length of row i of a."""
    return math.sqrt(row_square(a, i, m))


@kernel
def row_square(a, i, m):
    """Squared length of row i of a."""
    s = 0.0
    if m > SHORT:
        return sparse_square(a, i, m)
    for k in range(m):
        s += a[i, k] * a[i, k]
    return s


@kernel
def split(basis, a, j, m):
    """Decompose row j of a into its projection on the basis and the remainder, whose length is returned.

    Classical Gram and Schmidt, whose products do not wait for each other, twice, which is enough (Giraud, Langou,
    Rozloznik 2005); also where one pass would do: with the rounding of one pass, the speeds after an impact that ends
    the motion are not exactly zero. `coefficients` is overwritten.
    """
    h, z, s, size = basis.projection, basis.remainder, basis.coefficients, basis.count[0]
    for k in range(m):
        z[k] = a[j, k]
    for i in range(size):
        h[i] = 0.0
    for _ in range(2):
        for i in range(size):
            s[i] = dot(basis.q, i, z, m)
            h[i] += s[i]
        for i in range(size):
            for k in range(m):
                z[k] -= s[i] * basis.q[i, k]
    return norm(z, m)


@kernel
def append(basis, j, length, m):
    """Add the vector last decomposed to the basis, with the index j."""
    size = basis.count[0]
    for i in range(size):
        basis.r[i, size] = basis.projection[i]
    basis.r[size, size] = length
    for k in range(m):
        basis.q[size, k] = basis.remainder[k] / length
    basis.active[size] = j
    basis.count[0] = size + 1


@kernel
def remove(basis, place, m):
    """Remove the vector at an index from the basis; rotations keep R triangular."""
    q, r, last = basis.q, basis.r, basis.count[0] - 1
    for j in range(place, last):
        basis.active[j] = basis.active[j + 1]
        for i in range(j + 2):
            r[i, j] = r[i, j + 1]
    for i in range(place, last):
        length = math.hypot(r[i, i], r[i + 1, i])
        c, s = r[i, i] / length, r[i + 1, i] / length
        for j in range(i, last):
            r[i, j], r[i + 1, j] = c * r[i, j] + s * r[i + 1, j], c * r[i + 1, j] - s * r[i, j]
        for k in range(m):
            q[i, k], q[i + 1, k] = c * q[i, k] + s * q[i + 1, k], c * q[i + 1, k] - s * q[i, k]
    basis.count[0] = last


@kernel
def solve_triangle(basis, b):
    """Solve R coefficients = b."""
    size, out = basis.count[0], basis.coefficients
    for i in range(size - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, size):
            s -= basis.r[i, k] * out[k]
        out[i] = s / basis.r[i, i]


@kernel
def reach_bounds(basis, c, m, y):
    """The combination of the vectors that satisfies a_j . y = c_j for each of them: y, and its weights in
    `coefficients`.

    y = Q^T s with R^T s = c is computed before the weights, which may be large where vectors are nearly dependent.
    """
    s, size = basis.coefficients, basis.count[0]
    for k in range(m):
        y[k] = 0.0
    for i in range(size):
        v = c[basis.active[i]]
        for k in range(i):
            v -= basis.r[k, i] * s[k]
        s[i] = v / basis.r[i, i]
        for k in range(m):
            y[k] += s[i] * basis.q[i, k]
    solve_triangle(basis, s)
