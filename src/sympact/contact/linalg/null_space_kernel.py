"""Orthonormal bases of the null space of a matrix A, by three decompositions, and the one that continues another.

Each takes the rows of A as `rank_kernel.pick` leaves them, comparable, with their rank r, and writes the m - r vectors
of a basis into the last rows of `rank.q`. The rank is decided there, once for all of them.
"""

import math

from sympact.contact.linalg.rank_kernel import orthonormal
from sympact.contact.memory.contact_tolerances import SUM_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

SWEEPS = 30  # of Jacobi's rotations, which converge quadratically: some eight are made
KEPT = 0.25  # cosine of the angle by which a basis may turn from the one that it continues


@kernel
def by_gram_schmidt(rank):
    """The orthonormal rows of A, completed by the unit vectors with the longest remainders."""
    m, found = rank.q.shape[0], rank.count[0]
    for d in range(found, m):
        best, longest = 0, -1.0
        for k in range(m):
            rest = 1.0
            for i in range(d):
                rest -= rank.q[i, k] * rank.q[i, k]
            if rest > longest:
                best, longest = k, rest
        for k in range(m):
            rank.q[d, k] = 1.0 if k == best else 0.0
        orthonormal(rank.q, 0, d, m)


@kernel
def by_qr(rank, mirrors):
    """The last columns of Q in A^T = Q R, by Householder's reflections of the independent rows of A."""
    m, found = rank.q.shape[0], rank.count[0]
    for d in range(found):
        for k in range(m):
            mirrors[d, k] = rank.rows[rank.picked[d], k]
        for e in range(d):
            mirror(mirrors, e, mirrors, d, m)
        square = 0.0
        for k in range(d, m):
            square += mirrors[d, k] * mirrors[d, k]
        for k in range(d):
            mirrors[d, k] = 0.0
        mirrors[d, d] += math.copysign(math.sqrt(square), mirrors[d, d])
        make_unit(mirrors, d, m)
    for d in range(found, m):
        for k in range(m):
            rank.q[d, k] = 1.0 if k == d else 0.0
        for e in range(found - 1, -1, -1):
            mirror(mirrors, e, rank.q, d, m)


@kernel
def mirror(mirrors, e, vectors, d, m):
    """Reflect row d of `vectors` by the unit vector in row e of `mirrors`."""
    s = 0.0
    for k in range(m):
        s += mirrors[e, k] * vectors[d, k]
    for k in range(m):
        vectors[d, k] -= 2.0 * s * mirrors[e, k]


@kernel
def make_unit(vectors, d, m):
    """Row d divided by its length, if it has one."""
    square = 0.0
    for k in range(m):
        square += vectors[d, k] * vectors[d, k]
    if square > 0.0:
        for k in range(m):
            vectors[d, k] /= math.sqrt(square)


@kernel
def by_svd(rank, turned, images):
    """The right singular vectors of A with the least singular values, by one-sided rotations (Hestenes 1958).

    Rows of `turned` become all right singular vectors v, rows of `images` A v.
    """
    m, count = rank.q.shape[0], max(rank.count[0], 1)
    for d in range(m):
        for k in range(m):
            turned[d, k] = 1.0 if k == d else 0.0
        for i in range(count):
            images[d, i] = rank.rows[rank.picked[i], d]
    for _ in range(SWEEPS):
        if not sweep(turned, images, m, count):
            break
    least_images(rank, turned, images, count)


@kernel
def sweep(turned, images, m, count):
    """Rotate each pair of vectors so that their images become orthogonal; True if any was rotated."""
    rotated, largest = False, 0.0
    for d in range(m):
        largest = max(largest, product(images, d, d, count))
    for d in range(m):
        for e in range(d + 1, m):
            a, b, c = product(images, d, d, count), product(images, e, e, count), product(images, d, e, count)
            if abs(c) <= max(SUM_ROUNDING * math.sqrt(a * b), EPS * EPS * largest):
                continue
            rotated = True
            zeta = (b - a) / (2.0 * c)
            tangent = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
            cosine = 1.0 / math.hypot(1.0, tangent)
            rotate(turned, d, e, cosine, cosine * tangent, m)
            rotate(images, d, e, cosine, cosine * tangent, count)
    return rotated


@kernel
def product(vectors, d, e, m):
    """The inner product of two rows."""
    s = 0.0
    for k in range(m):
        s += vectors[d, k] * vectors[e, k]
    return s


@kernel
def rotate(vectors, d, e, cosine, sine, m):
    """Rotate two rows in their plane."""
    for k in range(m):
        first, second = vectors[d, k], vectors[e, k]
        vectors[d, k], vectors[e, k] = cosine * first - sine * second, sine * first + cosine * second


@kernel
def least_images(rank, turned, images, count):
    """The m - r vectors with the shortest images into the last rows of `rank.q`, the shortest last."""
    m, found = rank.q.shape[0], rank.count[0]
    for place in range(m - 1, found - 1, -1):
        best, least = -1, math.inf
        for d in range(m):
            square = product(images, d, d, count)
            if square < least:
                best, least = d, square
        for k in range(m):
            rank.q[place, k] = turned[best, k]
        images[best, 0] = math.inf


@kernel
def continued(rank, reference, size, z):
    """The basis in the last rows of `rank.q` turned within the null space towards another one, into z.

    Its vectors are those of `reference` projected onto the null space, orthonormalized in their order: a differentiable
    function of A (Liang and Lance 1987). Where they are nearly normal to it, or their number is another, z is the basis
    itself.

    Returns
    -------
    bool
        Whether it continues the other one.
    """
    m, found = rank.q.shape[0], rank.count[0]
    follows = size == m - found
    for d in range(m - found):
        for k in range(m):
            z[d, k] = 0.0
        if not follows:
            continue
        for e in range(found, m):
            s = 0.0
            for k in range(m):
                s += rank.q[e, k] * reference[d, k]
            for k in range(m):
                z[d, k] += s * rank.q[e, k]
        follows = beyond(z, d, m) > KEPT
        if follows:
            orthonormal(z, 0, d, m)
    if not follows:
        for d in range(m - found):
            for k in range(m):
                z[d, k] = rank.q[found + d, k]
    return follows


@kernel
def beyond(vectors, d, m):
    """The length of the part of row d that is normal to the rows before it, which are orthonormal."""
    left = product(vectors, d, d, m)
    for e in range(d):
        left -= product(vectors, d, e, m) ** 2
    return math.sqrt(max(left, 0.0))
