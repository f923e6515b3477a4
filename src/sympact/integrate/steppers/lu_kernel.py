"""Linear systems by Gaussian elimination with partial pivoting, whose rows are first divided by their largest entry."""

from sympact.native.kernel import kernel


@kernel
def factor_rows(a, n, order, scale):
    """Replace a matrix by its factors L and U in the order of the pivots; False where a pivot is zero, or no number."""
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(a[i, j]))
        if not largest > 0.0:
            return False
        order[i], scale[i] = i, 1.0 / largest
        for j in range(n):
            a[i, j] *= scale[i]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if not abs(a[best, k]) > 0.0:
            return False
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                a[i, k] /= a[k, k]
                for j in range(k + 1, n):
                    a[i, j] -= a[i, k] * a[k, j]
    return True


@kernel
def solve_rows(a, n, order, scale, right, scratch):
    """Solve a factored system in place of its right side."""
    for i in range(n):
        s = right[order[i]] * scale[order[i]]
        for j in range(i):
            s -= a[i, j] * scratch[j]
        scratch[i] = s
    for i in range(n - 1, -1, -1):
        s = scratch[i]
        for j in range(i + 1, n):
            s -= a[i, j] * right[j]
        right[i] = s / a[i, i]
