"""Memory that the solvers of frictional contact need, and the numbers by which they are known: plain Python."""

LOCAL_SCRATCH = 40  # numbers that one contact alone needs
VECTORS = 14        # of three numbers for each contact

# what solved a problem
NOTHING = 0         # no contact approaches
ALONE = 1           # one contact, exactly
NEWTON = 2          # Newton's method from no impulse
SWEPT = 3           # 20, 200, 2000 sweeps over the contacts, then Newton's method: 3, 4, 5
SHIFTED = 6         # proximal problems, then Newton's method


def least_norm_scratch(rows: int, columns: int) -> int:
    """How many numbers of scratch `least_squares_kernel.least_norm` needs; `columns` whole numbers as well."""
    return rows + 3 * columns


def scratch_size(n: int) -> int:
    """How many numbers of scratch `cone_kernel.solve_cone` needs for n contacts."""
    return 18 * n * n + 3 * VECTORS * n + max(12 * n, LOCAL_SCRATCH)


def places_size(n: int) -> int:
    """How many whole numbers of scratch it needs."""
    return 8 * n
