"""One equation less than unknowns: all solutions of A x = b, a line, by elimination with complete pivoting.

    x = x0 + t x1,   A x0 = b,   A x1 = 0,   x1 != 0

The sign of det [A; x1^T] gives the orientation of x1: along a path of roots it is constant, whichever piece of the
equations is valid (Allgower and Georg 1990, Numerical Continuation Methods, chapters 2 and 12).
"""

from sympact.native.kernel import kernel


@kernel
def null_line(table, rows, order, x0, x1):
    """From `table` (rows x rows + 2: A with its rows + 1 columns, then b): x0 and x1.

    x0 and x1 have rows + 1 numbers, `order` as many whole ones; the table is overwritten. Returns the sign of
    det [A; x1^T], 0 where A is rank deficient.
    """
    columns, sign = rows + 1, 1.0
    scale_rows(table, rows)
    for j in range(columns):
        order[j] = j
    for k in range(rows):
        row, column, largest = k, k, 0.0
        for i in range(k, rows):
            for j in range(k, columns):
                if abs(table[i, j]) > largest:
                    row, column, largest = i, j, abs(table[i, j])
        if not largest > 0.0:
            return 0.0
        sign *= bring_to(table, rows, order, k, row, column)
        if table[k, k] < 0.0:
            sign = -sign
        for i in range(k + 1, rows):
            part = table[i, k] / table[k, k]
            if part != 0.0:
                for j in range(k + 1, columns + 1):
                    table[i, j] -= part * table[k, j]
    x0[order[rows]], x1[order[rows]] = 0.0, 1.0
    for i in range(rows - 1, -1, -1):
        s0, s1 = table[i, columns], -table[i, rows]
        for j in range(i + 1, rows):
            s0 -= table[i, j] * x0[order[j]]
            s1 -= table[i, j] * x1[order[j]]
        x0[order[i]], x1[order[i]] = s0 / table[i, i], s1 / table[i, i]
    return sign


@kernel
def scale_rows(table, rows):
    """Scale the largest entry of each row of A to one."""
    for i in range(rows):
        largest = 0.0
        for j in range(rows + 1):
            largest = max(largest, abs(table[i, j]))
        if largest > 0.0:
            for j in range(rows + 2):
                table[i, j] /= largest


@kernel
def bring_to(table, rows, order, k, row, column):
    """Exchange row and column with the k-th; returns the sign by which the determinant changes."""
    sign = 1.0
    if row != k:
        sign = -sign
        for j in range(rows + 2):
            table[k, j], table[row, j] = table[row, j], table[k, j]
    if column != k:
        sign = -sign
        order[k], order[column] = order[column], order[k]
        for i in range(rows):
            table[i, k], table[i, column] = table[i, column], table[i, k]
    return sign
