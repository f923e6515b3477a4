"""Lemke's method for the linear complementarity problem w = M z + q, z >= 0, w >= 0, z . w = 0.

An artificial variable z0 that makes everything feasible enters first; then the complement of the leaving variable
enters, until z0 leaves (Lemke 1965; Cottle, Pang, Stone 1992, section 4.4). Ties in the ratio test are broken by the
lexicographic order of the rows of the inverse of the basis, so that no basis recurs (their section 4.9).
"""

from sympact.contact.memory.contact_tolerances import ACCEPTED, ANSWER_ROUNDING
from sympact.native.kernel import kernel

RAY = -1  # no variable blocks the entering one: no solution is found
ENDLESS = -2  # the limit of steps is reached


@kernel
def lemke(tableau, basis, n, steps):
    """Run on `tableau` (n x 2n + 2: columns of w, of z, z0, the constants), set by `assemble_tableau`; how many pivots.

    At the end `basis` has the variable of each row: i for w_i, n + i for z_i, its value in the last column.
    RAY or ENDLESS where no solution is found.
    """
    last, entering = 2 * n + 1, 2 * n
    if not below_zero(tableau, n):
        return 0
    row = first_row(tableau, n)
    for step in range(steps):
        leaving = basis[row]
        pivot(tableau, n, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            return step + 1
        entering = leaving + n if leaving < n else leaving - n
        row = blocking(tableau, basis, n, entering, last)
        if row < 0:
            return RAY
    return ENDLESS


@kernel
def assemble_tableau(tableau, basis, n):
    """Complete a tableau whose columns of z are M and whose last column is q: w - M z - z0 = q."""
    for i in range(n):
        for j in range(n):
            tableau[i, j] = 1.0 if i == j else 0.0
            tableau[i, n + j] = -tableau[i, n + j]
        tableau[i, 2 * n] = -1.0
        basis[i] = i


@kernel
def below_zero(tableau, n):
    """True when some constant is negative."""
    lowest = 0.0
    for i in range(n):
        lowest = min(lowest, tableau[i, 2 * n + 1])
    return lowest < 0.0


@kernel
def first_row(tableau, n):
    """The row of the lowest constant; of equal ones the last, which is lexicographically least."""
    row = 0
    for i in range(1, n):
        if tableau[i, 2 * n + 1] <= tableau[row, 2 * n + 1]:
            row = i
    return row


@kernel
def pivot(tableau, n, row, column):
    """Exchange the variable of a row for that of a column."""
    part = 1.0 / tableau[row, column]
    for k in range(2 * n + 2):
        tableau[row, k] *= part
    tableau[row, column] = 1.0
    for i in range(n):
        part = tableau[i, column]
        if i != row and part != 0.0:
            for k in range(2 * n + 2):
                tableau[i, k] -= part * tableau[row, k]
            tableau[i, column] = 0.0


@kernel
def blocking(tableau, basis, n, column, last):
    """The row whose variable reaches zero first as that of a column grows, z0 before others; -1 if none does."""
    largest, size = 0.0, 0.0
    for i in range(n):
        largest, size = max(largest, abs(tableau[i, column])), max(size, abs(tableau[i, last]))
    row, near = -1, ANSWER_ROUNDING * size
    for i in range(n):
        if tableau[i, column] > ACCEPTED * largest and (row < 0 or before(tableau, basis, n, i, row, column, near)):
            row = i
    return row


@kernel
def before(tableau, basis, n, i, j, column, near):
    """True when row i blocks before row j, by the lexicographic order of their ratios."""
    difference = tableau[i, 2 * n + 1] / tableau[i, column] - tableau[j, 2 * n + 1] / tableau[j, column]
    if abs(difference) > near:
        return difference < 0.0
    if basis[i] == 2 * n or basis[j] == 2 * n:
        return basis[i] == 2 * n
    for k in range(n):
        difference = tableau[i, k] / tableau[i, column] - tableau[j, k] / tableau[j, column]
        if abs(difference) > ANSWER_ROUNDING:
            return difference < 0.0
    return False
