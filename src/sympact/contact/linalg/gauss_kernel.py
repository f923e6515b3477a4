"""A square system of linear equations: Gauss's elimination with partial pivoting."""

from sympact.native.kernel import kernel


@kernel
def solve_square(a, size, b, x):
    """Write the x of A x = b; A and b are overwritten. False where a pivot is zero or not a number.

    `a` may be larger than `size`: its first rows and columns are those of A.
    """
    for k in range(size):
        row, largest = k, abs(a[k, k])
        for i in range(k + 1, size):
            if abs(a[i, k]) > largest:
                row, largest = i, abs(a[i, k])
        if not largest > 0.0:
            return False
        if row != k:
            b[k], b[row] = b[row], b[k]
            for j in range(k, size):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        for i in range(k + 1, size):
            part = a[i, k] / a[k, k]
            if part != 0.0:
                b[i] -= part * b[k]
                for j in range(k + 1, size):
                    a[i, j] -= part * a[k, j]
    for i in range(size - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, size):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]
    return True
