"""Gauss-Jordan elimination with full pivoting."""

from sympact.native.kernel import kernel


@kernel
def eliminate(table, rows, columns, allowed, pivots):
    """Reduce a matrix so that each row has a 1 in a column of its own, in which the other rows have zeros.

    Pivots are the largest entries left, in columns that are allowed. With A = [A_D A_I], D the columns of the pivots,
    the columns I then have A_D^-1 A_I.

    Parameters
    ----------
    table : (rows, columns)
        Overwritten.
    allowed : (columns,) whole numbers
        1 for columns that may have a pivot; 0 afterwards for those that have one.
    pivots : (rows,) whole numbers
        Out: the column of the pivot of each row.

    Returns
    -------
    bool
        False where the rows are dependent in these columns.
    """
    for i in range(rows):
        pivots[i] = -1
    for _ in range(rows):
        row, column = largest_entry(table, rows, columns, allowed, pivots)
        if row < 0:
            return False
        pivots[row], allowed[column] = column, 0
        pivot = table[row, column]
        for j in range(columns):
            table[row, j] /= pivot
        for i in range(rows):
            factor = table[i, column]
            if i != row and factor != 0.0:
                for j in range(columns):
                    table[i, j] -= factor * table[row, j]
    return True


@kernel
def largest_entry(table, rows, columns, allowed, pivots):
    """(row, column) of the largest entry in rows without a pivot and allowed columns; (-1, -1) where all are zero."""
    row, column, largest = -1, -1, 0.0
    for i in range(rows):
        if pivots[i] >= 0:
            continue
        for j in range(columns):
            if allowed[j] == 1 and abs(table[i, j]) > largest:
                row, column, largest = i, j, abs(table[i, j])
    return row, column
