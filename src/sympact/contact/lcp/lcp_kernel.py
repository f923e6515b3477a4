"""The linear complementarity problem: z >= 0, w = M z + q >= 0, z . w = 0, for any square M.

Rows and columns are first scaled to a common size, z = D z', w = w'/E (complementarity is invariant). Then Lemke's
method, then projected Gauss-Seidel sweeps where the diagonal of M is positive, with the residual of the law computed
after each. The zero variables of a solution are then fixed to solve for the others once more.
"""

import math
from typing import NamedTuple

from sympact.contact.lcp.lemke_kernel import assemble_tableau, lemke
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED, RESOLVED
from sympact.native.kernel import kernel
from sympact.native.pointer import row_of

PASSES = 4  # of scaling rows and columns to a common size
PIVOTS = 50  # of Lemke's method for each unknown
LEMKE = 1
SWEPT = 2
SWEEPS = 20_000


class Lcp(NamedTuple):
    """A problem of n unknowns; all memory is the caller's.

    `matrix` (n x n) and `constant` (n): M and q. `z`, `w` (n): out. `tableau` (n x 2n + 2), `a` (n x n), `vectors` (8 x
    n), `scratch` (4n numbers), `basis` and `order` (n whole numbers): scratch. `report` (5): out: residual of Lemke's
    method and of the sweeps (infinite where not tried), pivots, sweeps, the solver.
    """

    matrix: object
    constant: object
    z: object
    w: object
    tableau: object
    a: object
    vectors: object
    scratch: object
    basis: object
    order: object
    report: object


# rows of `vectors`
ROW = 0  # E
COLUMN = 1  # D
RIGHT = 2
ONES = 3
FOUND = 4
Z = 5  # z'
TRIAL = 6
CONSTANT = 7  # q' = E q


@kernel
def solve_complementarity(lcp, n):
    """SOLVED, UNSOLVED or NOT_FINITE."""
    report, v, s = lcp.report, lcp.vectors, 0.0
    report[0] = report[1] = math.inf
    report[2] = report[3] = report[4] = 0.0
    for i in range(n):
        s += 0.0 * lcp.constant[i]
        for j in range(n):
            s += 0.0 * lcp.matrix[i, j]
    if s != 0.0:
        return codes.NOT_FINITE
    compare(lcp, n)
    scale = 0.0
    for i in range(n):
        v[Z, i] = 0.0
        scale = max(scale, abs(v[CONSTANT, i]))
    scale = scale if scale > 0.0 else 1.0
    report[2] = by_lemke(lcp, n)
    report[0] = polish(lcp, n) / scale if report[2] >= 0.0 else math.inf
    if report[0] <= ACCEPTED:
        return write(lcp, n, LEMKE)
    if sweep(lcp, n, scale):
        report[1] = polish(lcp, n) / scale
        if report[1] <= ACCEPTED:
            return write(lcp, n, SWEPT)
    return codes.UNSOLVED


@kernel
def compare(lcp, n):
    """Rows and columns of E M D get largest entries near one, in powers of two (Ruiz 2001); q' = E q."""
    v = lcp.vectors
    for i in range(n):
        v[ROW, i] = v[COLUMN, i] = v[ONES, i] = 1.0
    for _ in range(PASSES):
        for i in range(n):
            v[RIGHT, i] = v[FOUND, i] = 0.0
        for i in range(n):
            for j in range(n):
                size = abs(lcp.matrix[i, j]) * v[ROW, i] * v[COLUMN, j]
                v[RIGHT, i], v[FOUND, j] = max(v[RIGHT, i], size), max(v[FOUND, j], size)
        for i in range(n):
            v[ROW, i] *= half_power(v[RIGHT, i])
            v[COLUMN, i] *= half_power(v[FOUND, i])
    for i in range(n):
        v[CONSTANT, i] = v[ROW, i] * lcp.constant[i]


@kernel
def half_power(size):
    """A power of two near 1/sqrt(size); 1 for zero."""
    if not size > 0.0:
        return 1.0
    return 2.0 ** -math.floor(0.5 * math.log2(size) + 0.5)


@kernel
def entry(lcp, i, j):
    """An entry of E M D."""
    return lcp.vectors[ROW, i] * lcp.matrix[i, j] * lcp.vectors[COLUMN, j]


@kernel
def by_lemke(lcp, n):
    """Lemke's method on the scaled problem; z' of its basis, and the pivots, or the code of a failure."""
    tableau = lcp.tableau
    for i in range(n):
        for j in range(n):
            tableau[i, n + j] = entry(lcp, i, j)
        tableau[i, 2 * n + 1] = lcp.vectors[CONSTANT, i]
    assemble_tableau(tableau, lcp.basis, n)
    pivots = lemke(tableau, lcp.basis, n, PIVOTS * (n + 1))
    for i in range(n):
        if n <= lcp.basis[i] < 2 * n:
            lcp.vectors[Z, lcp.basis[i] - n] = max(tableau[i, 2 * n + 1], 0.0)
    return pivots


@kernel
def missed(lcp, n, k):
    """The largest |min(z', w')| at a row of the vectors."""
    worst, v = 0.0, lcp.vectors
    for i in range(n):
        w = v[CONSTANT, i]
        for j in range(n):
            w += entry(lcp, i, j) * v[k, j]
        miss = abs(min(v[k, i], w))
        if worst == worst and not miss <= worst:
            worst = miss
    return worst


@kernel
def polish(lcp, n):
    """Solve w = 0 for the z' that are not zero, once more; keep the better solution. Its residual."""
    v, size = lcp.vectors, 0
    for i in range(n):
        if v[Z, i] > 0.0:
            lcp.basis[size] = i
            size += 1
    for r in range(size):
        v[RIGHT, r] = -v[CONSTANT, lcp.basis[r]]
        for c in range(size):
            lcp.a[r, c] = entry(lcp, lcp.basis[r], lcp.basis[c])
    right, ones, found = row_of(v, RIGHT), row_of(v, ONES), row_of(v, FOUND)
    least_norm(lcp.a, size, size, right, ones, found, lcp.scratch, lcp.order)
    for i in range(n):
        v[TRIAL, i] = 0.0
    for r in range(size):
        v[TRIAL, lcp.basis[r]] = max(found[r], 0.0)
    before, after = missed(lcp, n, Z), missed(lcp, n, TRIAL)
    if after < before:
        for i in range(n):
            v[Z, i] = v[TRIAL, i]
    return min(before, after)


@kernel
def sweep(lcp, n, scale):
    """Projected Gauss-Seidel from z' = 0; False where the diagonal does not permit it or it diverges.

    The sweeps go into the report.
    """
    v = lcp.vectors
    for i in range(n):
        v[Z, i] = 0.0
        if not entry(lcp, i, i) > 0.0:
            return False
    for k in range(SWEEPS):
        change = 0.0
        for i in range(n):
            w = v[CONSTANT, i]
            for j in range(n):
                w += entry(lcp, i, j) * v[Z, j]
            z = max(v[Z, i] - w / entry(lcp, i, i), 0.0)
            change = max(change, abs(z - v[Z, i]))
            v[Z, i] = z
        lcp.report[3] = k + 1.0
        if not change > RESOLVED * scale:
            return True
        if not change < math.inf:
            return False
    return True


@kernel
def write(lcp, n, solver):
    """z and w in the original units."""
    lcp.report[4] = solver
    for i in range(n):
        lcp.z[i] = lcp.vectors[COLUMN, i] * lcp.vectors[Z, i]
    for i in range(n):
        w = lcp.constant[i]
        for j in range(n):
            w += lcp.matrix[i, j] * lcp.z[j]
        lcp.w[i] = w
    return codes.SOLVED
