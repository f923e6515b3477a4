"""Linear algebra of an impact: the factor of the mass matrix, and an orthonormal basis that grows and shrinks.

Vectors are rows of a matrix, named by their index, so that no views have to be made.
"""

import math
from typing import NamedTuple

from sympact.integrate.unit import kernel

EPS = 2.220446049250313e-16


class Basis(NamedTuple):
    """Columns A of some vectors as Q^T R; the first `size` rows of `q` and columns of `r` are in use.

    `projection` and `remainder` take a further vector apart: vector = Q^T projection + remainder; `coefficients` solve
    R coefficients = projection. `active` names the vectors.
    """

    q: object
    r: object
    projection: object
    remainder: object
    coefficients: object
    active: object


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
        b[row, i] = s / c[i, i]


@kernel
def backward(c, n, b):
    """Solve C^T y = b in place of b."""
    for i in range(n - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, n):
            s -= c[k, i] * b[k]
        b[i] = s / c[i, i]


@kernel
def dot(a, i, v, m):
    """Row i of a times v."""
    s = 0.0
    for k in range(m):
        s += a[i, k] * v[k]
    return s


@kernel
def norm(v, m):
    s = 0.0
    for k in range(m):
        s += v[k] * v[k]
    return math.sqrt(s)


@kernel
def row_norm(a, i, m):
    s = 0.0
    for k in range(m):
        s += a[i, k] * a[i, k]
    return math.sqrt(s)


@kernel
def combine(weights, a, n, m, out):
    """out = sum over the rows of a, each times its weight."""
    for k in range(m):
        out[k] = 0.0
    for j in range(n):
        if weights[j] != 0.0:
            for k in range(m):
                out[k] += weights[j] * a[j, k]


@kernel
def split(basis, size, a, j, m):
    """Take row j of a apart into what the basis spans and the remainder, whose length is returned.

    Gram and Schmidt, twice, which is enough (Giraud, Langou, Rozloznik 2005).
    """
    h, z = basis.projection, basis.remainder
    for k in range(m):
        z[k] = a[j, k]
    for i in range(size):
        h[i] = 0.0
    for _ in range(2):
        for i in range(size):
            s = dot(basis.q, i, z, m)
            h[i] += s
            for k in range(m):
                z[k] -= s * basis.q[i, k]
    return norm(z, m)


@kernel
def append(basis, size, j, length, m):
    """The vector j, just taken apart, joins the basis; returns the new size."""
    for i in range(size):
        basis.r[i, size] = basis.projection[i]
    basis.r[size, size] = length
    for k in range(m):
        basis.q[size, k] = basis.remainder[k] / length
    basis.active[size] = j
    return size + 1


@kernel
def remove(basis, size, place, m):
    """The vector at a place leaves the basis; rotations keep R triangular. Returns the new size."""
    q, r = basis.q, basis.r
    for j in range(place, size - 1):
        basis.active[j] = basis.active[j + 1]
        for i in range(j + 2):
            r[i, j] = r[i, j + 1]
    for i in range(place, size - 1):
        length = math.hypot(r[i, i], r[i + 1, i])
        c, s = r[i, i] / length, r[i + 1, i] / length
        for j in range(i, size - 1):
            r[i, j], r[i + 1, j] = c * r[i, j] + s * r[i + 1, j], c * r[i + 1, j] - s * r[i, j]
        for k in range(m):
            q[i, k], q[i + 1, k] = c * q[i, k] + s * q[i + 1, k], c * q[i + 1, k] - s * q[i, k]
    return size - 1


@kernel
def solve_triangle(basis, size, b, out):
    """Solve R out = b."""
    for i in range(size - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, size):
            s -= basis.r[i, k] * out[k]
        out[i] = s / basis.r[i, i]


@kernel
def solve_normal(basis, size, c, out):
    """Solve R^T R out = c, c taken at the active vectors: the weights whose combination meets the active bounds."""
    s = basis.coefficients
    for i in range(size):
        v = c[basis.active[i]]
        for k in range(i):
            v -= basis.r[k, i] * s[k]
        s[i] = v / basis.r[i, i]
    solve_triangle(basis, size, s, s)
    for i in range(size):
        out[basis.active[i]] = s[i]
